//! Bars over time: what each worker does, and how much work nobody has.

use super::page::{Page, Tone};
use super::width::{fitted, left, width};
use crate::units::{Duration, SimTime};

/// The span of time that the bars of one picture share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) from: SimTime,
    pub(super) to: SimTime,
    /// Columns of each bar.
    pub(super) cells: usize,
}

/// What is drawn from one instant on: in a lane a sign, in a bar a height.
pub(super) type Levels<T> = Vec<(SimTime, T)>;

impl Axis {
    /// An axis beside labels of `label` columns.
    pub(super) fn new(page: &Page, label: usize, from: SimTime, to: SimTime) -> Self {
        let cells = page.columns.saturating_sub(label + 5).max(10);
        Self { from, to: to.max(from + Duration::from_millis(1)), cells }
    }

    /// The span of a cell.
    fn cell(&self, cell: usize) -> (SimTime, SimTime) {
        let at = |cell: usize| {
            let part = i128::from((self.to - self.from).as_micros()) * cell as i128 / self.cells as i128;
            self.from + Duration::from_micros(i64::try_from(part).unwrap_or(i64::MAX))
        };
        (at(cell), at(cell + 1))
    }

    /// A lane of signs. In each cell the sign that holds longest, but what is not `usual`
    /// shows wherever it happens, however short.
    pub(super) fn lane(&self, levels: &Levels<char>, usual: char) -> String {
        (0..self.cells)
            .map(|cell| {
                let mut unusual: Vec<(char, Duration)> = Vec::new();
                for (sign, span) in within(levels, self.cell(cell), usual) {
                    match unusual.iter_mut().find(|(known, _)| *known == sign) {
                        Some((_, sum)) => *sum += span,
                        None if sign != usual => unusual.push((sign, span)),
                        None => {}
                    }
                }
                // Of equals the last, so that a lane ends as the worker does.
                unusual.into_iter().max_by_key(|(_, span)| *span).map_or(usual, |(sign, _)| sign)
            })
            .collect()
    }

    /// A bar of heights: in each cell the highest, as a part of `whole`.
    pub(super) fn heights(&self, levels: &Levels<usize>, whole: usize) -> String {
        (0..self.cells)
            .map(|cell| {
                let most = within(levels, self.cell(cell), 0).map(|(height, _)| height).max().unwrap_or(0);
                if most == 0 || whole == 0 {
                    ' '
                } else {
                    HEIGHTS[(most * HEIGHTS.len()).div_ceil(whole).min(HEIGHTS.len()) - 1]
                }
            })
            .collect()
    }

    /// The line below the bars: the time at its two ends.
    pub(super) fn scale(&self, label: usize) -> String {
        let (first, last) = ((self.from - SimTime::ZERO).to_string(), (self.to - SimTime::ZERO).to_string());
        let gap = self.cells.saturating_sub(width(&first) + width(&last)).max(1);
        format!("{}{first}{}{last}\n", " ".repeat(label + 4), " ".repeat(gap))
    }
}

/// One line of the picture.
pub(super) fn bar(page: &Page, tone: Tone, label: &str, columns: usize, bar: &str) -> String {
    format!("  {} ▕{}▏\n", left(&fitted(label, columns), columns), page.toned(tone, bar))
}

/// What holds within a span, and for how long; before the first change, `before` does.
fn within<T: Copy>(
    levels: &Levels<T>,
    (from, to): (SimTime, SimTime),
    before: T,
) -> impl Iterator<Item = (T, Duration)> + use<'_, T> {
    let first = levels.partition_point(|(at, _)| *at <= from);
    let held = first.checked_sub(1).map_or(before, |place| levels[place].1);
    let last = first + levels[first..].partition_point(|(at, _)| *at < to);
    let starts = std::iter::once((from, held)).chain(levels[first..last].iter().copied());
    let ends = levels[first..last].iter().map(|(at, _)| *at).chain(std::iter::once(to));
    starts.zip(ends).map(|((start, level), end)| (level, end - start))
}

/// Eighths of a column.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(cells: usize) -> Axis {
        Axis { from: SimTime::ZERO, to: SimTime::from_millis(10_000), cells }
    }

    fn at(millis: i64) -> SimTime {
        SimTime::from_millis(millis)
    }

    #[test]
    fn what_is_short_still_shows() {
        let lane = axis(5).lane(&vec![(at(2_100), '░'), (at(2_200), '▒'), (at(4_100), '█')], '█');
        assert_eq!(lane, "█▒▒██");
    }

    #[test]
    fn heights_show_the_highest_of_a_cell_and_nothing_only_for_nothing() {
        let heights = axis(5).heights(&vec![(at(2_100), 1), (at(2_200), 0), (at(6_000), 100)], 100);
        assert_eq!(heights, " ▁ ██");
    }

    #[test]
    fn the_scale_ends_with_the_bars() {
        let page = Page::default();
        let axis = Axis::new(&page, 2, at(0), at(65_000));
        let lane = bar(&page, Tone::Plain, "w1", 2, &axis.lane(&Vec::new(), '█'));
        assert_eq!(width(lane.trim_end()), 80);
        assert_eq!(width(axis.scale(2).trim_end()), 80 - 1);
    }
}
