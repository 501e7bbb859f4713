//! Scales, their ticks, and the words at them.

use super::letters;
use super::palette::Ink;
use super::sheet::{Anchor, Area, Sheet, Text, line_height};
use crate::units::{Duration, Records, SimTime};

/// Time from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeScale {
    pub(super) from: SimTime,
    pub(super) to: SimTime,
    pub(super) left: i32,
    pub(super) right: i32,
}

/// A quantity from bottom to top, from 0 on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueScale {
    /// The value at the top.
    pub(super) most: f64,
    /// From one tick to the next.
    pub(super) step: f64,
    pub(super) top: i32,
    pub(super) bottom: i32,
}

impl TimeScale {
    /// A scale within an area.
    pub(super) fn new(from: SimTime, to: SimTime, left: i32, right: i32) -> Self {
        Self { from, to: to.max(from + Duration::from_millis(1)), left, right }
    }

    /// Where an instant stands; the nearer edge if it lies outside.
    pub(super) fn x(&self, at: SimTime) -> i32 {
        let whole = i128::from((self.to - self.from).as_micros());
        let part = i128::from((at.clamp(self.from, self.to) - self.from).as_micros());
        let pixels = i128::from(self.right - self.left);
        self.left + i32::try_from((part * pixels + whole / 2) / whole).unwrap_or(0)
    }

    /// The instants that have a tick, and what stands at them.
    pub(super) fn ticks(&self, size: i32) -> Vec<(SimTime, String)> {
        let span = self.to - self.from;
        let fits = |step: &&i64| {
            let step = Duration::from_secs(**step);
            let count = span.as_micros() / step.as_micros();
            let widest = (0..=count).map(|place| letters::width(&clock(step * place), size, false)).max().unwrap_or(0);
            let apart = i64::from(self.right - self.left) * step.as_micros() / span.as_micros().max(1);
            count <= 40 && apart >= i64::from(widest + size * 2)
        };
        let step = Duration::from_secs(STEPS.iter().find(fits).copied().unwrap_or(span.as_micros() / 1_000_000 + 1));
        let count = span.as_micros() / step.as_micros().max(1);
        (0..=count).map(|place| (self.from + step * place, clock(step * place))).collect()
    }

    /// Lines of the grid down through an area, and the times below it; the height below them.
    pub(super) fn draw(&self, sheet: &mut Sheet, top: i32, bottom: i32) -> i32 {
        let size = sheet.sizes().small;
        self.grid(sheet, top, bottom);
        let middle = bottom + 6 + line_height(size) / 2;
        for (at, label) in self.ticks(size) {
            let text = Text::new((self.x(at), middle), size, Ink::Quiet, label).anchored(Anchor::Middle);
            sheet.text_near(text, sheet.left(), sheet.right());
        }
        let note = Text::new((self.right, middle), size, Ink::Quiet, "since the first stop").anchored(Anchor::End);
        if !sheet.text_if_free(note.clone(), sheet.left(), sheet.right()) {
            let below = middle + line_height(size);
            sheet.text(Text { at: (self.right, below), ..note });
            return below + line_height(size) / 2;
        }
        middle + line_height(size) / 2
    }

    /// Lines of the grid down through an area.
    pub(super) fn grid(&self, sheet: &mut Sheet, top: i32, bottom: i32) {
        for (at, _) in self.ticks(sheet.sizes().small) {
            sheet.line((self.x(at), top), (self.x(at), bottom), Ink::Grid, 1);
        }
    }
}

impl ValueScale {
    /// A scale from 0 to a round number not below `most`.
    pub(super) fn new(most: f64, top: i32, bottom: i32) -> Self {
        let most = if most.is_finite() && most > 0.0 { most } else { 1.0 };
        let ticks = f64::from((bottom - top) / TICK).clamp(1.0, 5.0);
        let step = round_step(most / ticks);
        let count = libm::ceil(most / step - 1e-9).max(1.0);
        Self { most: step * count, step, top, bottom }
    }

    /// Where a value stands.
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the picture")]
    pub(super) fn y(&self, value: f64) -> i32 {
        let part = (value / self.most).clamp(0.0, 1.0);
        self.bottom - libm::round(part * f64::from(self.bottom - self.top)) as i32
    }

    /// The values that have a tick, 0 included.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let mut ticks = vec![0.0];
        while let Some(next) =
            ticks.last().map(|last| last + self.step).filter(|next| *next < self.most + self.step / 2.0)
        {
            ticks.push(next);
        }
        ticks
    }

    /// Lines of the grid across an area, and what each means to the left of it.
    pub(super) fn draw(&self, sheet: &mut Sheet, area: Area, say: impl Fn(f64) -> String) {
        let size = sheet.sizes().small;
        for value in self.ticks() {
            let y = self.y(value);
            sheet.line((area.left, y), (area.right, y), Ink::Grid, 1);
            sheet.text(Text::new((area.left - 8, y), size, Ink::Quiet, say(value)).anchored(Anchor::End));
        }
    }

    /// The room that its words take.
    pub(super) fn room(&self, size: i32, say: impl Fn(f64) -> String) -> i32 {
        self.ticks().into_iter().map(|value| letters::width(&say(value), size, false)).max().unwrap_or(0) + 8
    }
}

/// A time at a tick: `0`, `30 s`, `1 min`, `1 min 30 s`, `1 h 30 min`.
pub(super) fn clock(span: Duration) -> String {
    let secs = span.as_micros() / 1_000_000;
    match (secs / 3_600, secs / 60 % 60, secs % 60) {
        (0, 0, 0) => "0".to_owned(),
        (0, 0, secs) => format!("{secs} s"),
        (0, mins, 0) => format!("{mins} min"),
        (0, mins, secs) => format!("{mins} min {secs:02} s"),
        (hours, 0, _) => format!("{hours} h"),
        (hours, mins, _) => format!("{hours} h {mins:02} min"),
    }
}

/// A number at a tick: whole, or with as many digits as the step has.
pub(super) fn number(value: f64) -> String {
    let near = |value: f64| libm::fabs(value - libm::round(value)) < 1e-6;
    if near(value) {
        Records(value).to_string()
    } else if near(value * 10.0) {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below a value.
fn round_step(least: f64) -> f64 {
    let mut power = 1.0;
    while power * 10.0 <= least {
        power *= 10.0;
    }
    while power > least && power > 1e-6 {
        power /= 10.0;
    }
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= least - 1e-12).unwrap_or(least)
}

/// Pixels from one tick of a value to the next, at least.
const TICK: i32 = 34;

/// Seconds from one tick of time to the next.
const STEPS: [i64; 22] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 432_000,
    864_000, 8_640_000,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_have_room() {
        let at = |secs| SimTime::ZERO + Duration::from_secs(secs);
        for (secs, pixels) in [(3, 300), (173, 1_000), (173, 300), (1_520, 1_000), (100_000, 300)] {
            let scale = TimeScale::new(at(0), at(secs), 0, pixels);
            let ticks = scale.ticks(12);
            assert!(ticks.len() >= 2, "{secs} s on {pixels}: {ticks:?}");
            for pair in ticks.windows(2) {
                assert!(scale.x(pair[1].0) - scale.x(pair[0].0) >= letters::width(&pair[1].1, 12, false) + 12);
            }
        }
        assert_eq!(clock(Duration::from_secs(90)), "1 min 30 s");
        assert_eq!(clock(Duration::from_secs(5_400)), "1 h 30 min");
    }

    #[test]
    fn values_end_at_a_round_number() {
        let scale = ValueScale::new(0.4, 0, 200);
        assert_eq!((scale.y(0.0), scale.y(scale.most)), (200, 0));
        assert!((scale.most - 0.4).abs() < 1e-9, "{scale:?}");
        assert!((ValueScale::new(648.0, 0, 200).most - 800.0).abs() < 1e-6);
        assert!((ValueScale::new(0.0, 0, 200).most - 1.0).abs() < 1e-6);
        assert_eq!(number(1_200.0), "1,200");
        assert_eq!(number(0.5), "0.5");
    }
}
