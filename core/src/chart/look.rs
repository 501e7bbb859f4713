//! How large a picture is, and on which paper.

/// On which paper a picture lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Theme {
    /// Dark letters on light paper.
    Light,
    /// Light letters on dark paper.
    Dark,
    /// As the reader's system asks for; light where it does not say, or cannot be asked.
    #[default]
    Auto,
}

/// How a picture is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its width in pixels, within [`Look::WIDTHS`].
    width: i32,
    /// Its paper.
    theme: Theme,
}

/// The sizes of letters, in pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) title: i32,
    pub(super) body: i32,
    pub(super) small: i32,
    /// White at the edges.
    pub(super) margin: i32,
}

impl Look {
    /// The widths that a picture can have, in pixels.
    pub const WIDTHS: std::ops::RangeInclusive<u32> = 320..=2_400;

    /// A picture of that width, brought within [`Look::WIDTHS`], on that paper.
    pub fn new(width: u32, theme: Theme) -> Self {
        let width = width.clamp(*Self::WIDTHS.start(), *Self::WIDTHS.end());
        Self { width: i32::try_from(width).unwrap_or(i32::MAX), theme }
    }

    pub(super) const fn width(self) -> i32 {
        self.width
    }

    pub(super) const fn theme(self) -> Theme {
        self.theme
    }

    /// Whether there is room for one column only, as on a phone.
    pub(super) const fn is_narrow(self) -> bool {
        self.width < 700
    }

    pub(super) const fn sizes(self) -> Sizes {
        if self.is_narrow() {
            Sizes { title: 16, body: 12, small: 11, margin: 12 }
        } else {
            Sizes { title: 22, body: 16, small: 14, margin: 28 }
        }
    }
}

impl Default for Look {
    fn default() -> Self {
        Self::new(1_200, Theme::Auto)
    }
}
