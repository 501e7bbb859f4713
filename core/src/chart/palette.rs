//! The colours, each with one task, on light and on dark paper.
//!
//! Red is for work nobody has, and for nothing else. Blue, amber and red can be told apart
//! with every common colour blindness; what they say stands beside them in shape or words.

/// What is drawn with a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    /// What lies under all.
    Paper,
    /// What is read.
    Text,
    /// What is read second: units, notes.
    Quiet,
    /// Lines of a grid.
    Grid,
    /// Where something could be, but is not.
    Track,
    /// Work that is done; a measured line.
    Work,
    /// The spread around it.
    Spread,
    /// The leader.
    Leader,
    /// Work that nobody has.
    Nobody,
}

/// Red, green, blue.
pub(super) type Rgb = (u8, u8, u8);

impl Ink {
    /// All of them.
    pub(super) const ALL: [Self; 9] = [
        Self::Paper,
        Self::Text,
        Self::Quiet,
        Self::Grid,
        Self::Track,
        Self::Work,
        Self::Spread,
        Self::Leader,
        Self::Nobody,
    ];

    /// On light paper. No two are equal: the dark ones are found by them.
    pub(super) const fn light(self) -> Rgb {
        match self {
            Self::Paper => (0xff, 0xff, 0xff),
            Self::Text => (0x1b, 0x1f, 0x24),
            Self::Quiet => (0x57, 0x60, 0x6a),
            Self::Grid => (0xdd, 0xe1, 0xe6),
            Self::Track => (0xee, 0xf1, 0xf4),
            Self::Work => (0x1f, 0x6f, 0xb5),
            Self::Spread => (0xb9, 0xd4, 0xea),
            Self::Leader => (0x9a, 0x5b, 0x00),
            Self::Nobody => (0xc6, 0x28, 0x28),
        }
    }

    /// On dark paper.
    pub(super) const fn dark(self) -> Rgb {
        match self {
            Self::Paper => (0x10, 0x15, 0x1b),
            Self::Text => (0xe8, 0xec, 0xf1),
            Self::Quiet => (0xa0, 0xaa, 0xb6),
            Self::Grid => (0x2c, 0x34, 0x3d),
            Self::Track => (0x1a, 0x21, 0x29),
            Self::Work => (0x5c, 0xa8, 0xe8),
            Self::Spread => (0x24, 0x4a, 0x6b),
            Self::Leader => (0xf0, 0xb4, 0x42),
            Self::Nobody => (0xff, 0x6b, 0x63),
        }
    }
}

/// As SVG writes it.
pub(super) fn hex((red, green, blue): Rgb) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contrast of two colours as WCAG 2.2 defines it.
    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { libm::pow((part + 0.055) / 1.055, 2.4) }
        };
        let luminance = |(red, green, blue): Rgb| 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn what_is_read_stands_out_by_4_5_to_1_and_marks_by_3_to_1() {
        for shade in [Ink::light, Ink::dark] {
            for (ink, least) in
                [(Ink::Text, 4.5), (Ink::Quiet, 4.5), (Ink::Work, 4.5), (Ink::Leader, 4.5), (Ink::Nobody, 4.5)]
            {
                let seen = contrast(shade(ink), shade(Ink::Paper));
                assert!(seen >= least, "{ink:?} on paper: {seen:.2}");
                let on_track = contrast(shade(ink), shade(Ink::Track));
                assert!(on_track >= 3.0, "{ink:?} on a track: {on_track:.2}");
            }
        }
        assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 1e-9);
    }

    #[test]
    fn each_colour_has_one_task() {
        for (place, one) in Ink::ALL.iter().enumerate() {
            for other in &Ink::ALL[place + 1..] {
                assert_ne!(one.light(), other.light(), "{one:?} and {other:?}");
            }
        }
    }
}
