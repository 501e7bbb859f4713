//! How long a restart may take.

use crate::report::page::{Page, Tone};
use crate::report::timeout::{how_we_know, settings_explained, steps, summary, times};
use crate::report::width::{left, right, width};
use crate::timeout::{Advice, Situation, said};
use crate::units::Duration;

/// The answer, the times as dots, and what follows for settings and steps.
pub fn timeout(advice: &Advice, situation: &Situation<'_>, page: &Page) -> String {
    let all = |_| String::new();
    let mut text = summary(advice, page);
    text.push('\n');
    let dots = dots(advice, page);
    if !dots.is_empty() {
        text.push_str(&dots);
        text.push('\n');
    }
    text.push_str(&times(advice).on(page, usize::MAX, all));
    text.push('\n');
    text.push_str(&settings_explained(advice, page));
    text.push('\n');
    text.push_str(&steps(advice).on(page, usize::MAX, all));
    text.push('\n');
    text.push_str(&how_we_know(advice, situation, page));
    text
}

/// The measured times on a logarithmic axis, the longest and the limit marked.
fn dots(advice: &Advice, page: &Page) -> String {
    let samples = &advice.asked.times.samples;
    let limit = advice.asked.times.back.time;
    let times = || samples.iter().map(|sample| sample.time().max(Duration::from_millis(1)));
    let (Some(least), Some(longest)) = (times().min(), times().max()) else { return String::new() };
    let axis = Axis::new(page.columns.saturating_sub(6).max(20), least, longest.max(limit));
    let mut cells = vec![(0_usize, false); axis.cells];
    for sample in samples {
        if let Some((count, over)) = cells.get_mut(axis.cell(sample.time())) {
            *count += 1;
            *over |= sample.is_over();
        }
    }
    let mut row: Vec<char> = cells.into_iter().map(|(count, over)| sign(count, over)).collect();
    if let Some(end) = row.get_mut(axis.cell(limit)) {
        *end = '┃';
    }
    let row: String = row.into_iter().collect();
    let over = if samples.iter().any(|sample| sample.is_over()) { ", > given up" } else { "" };
    let legend = format!("• a restart, 2 two of them{over}, ┃ the limit; logarithmic");
    format!(
        "  ▕{row}▏\n{}\n{}\n",
        page.toned(Tone::Dim, &axis.scale(least, longest, limit)),
        page.toned(Tone::Dim, &format!("  {legend}"))
    )
}

/// A logarithmic axis of so many cells.
struct Axis {
    cells: usize,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(cells: usize, least: Duration, most: Duration) -> Self {
        let (from, to) = (libm::log(least.as_secs_f64()), libm::log(most.as_secs_f64()));
        Self { cells, from, to: to.max(from + 0.1) }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a float cast saturates, and cells are few"
    )]
    fn cell(&self, time: Duration) -> usize {
        let place = (libm::log(time.as_secs_f64().max(1e-3)) - self.from) / (self.to - self.from);
        (libm::round(place * (self.cells - 1) as f64) as usize).min(self.cells - 1)
    }

    /// The least, the longest and the limit below their places, as far as there is room.
    fn scale(&self, least: Duration, longest: Duration, limit: Duration) -> String {
        let mut line = left(&format!("  {}", said(least)), 2);
        for (time, words) in
            [(longest, format!("longest {}", said(longest))), (limit, format!("limit {}", said(limit)))]
        {
            // Words end at their place, and begin after those before.
            let end = (self.cell(time) + 4).max(width(&line) + 2 + width(&words)).min(self.cells + 4);
            if width(&line) + 2 + width(&words) <= end {
                let room = end - width(&line);
                line.push_str(&right(&words, room));
            }
        }
        line
    }
}

/// How many restarts a cell has.
fn sign(count: usize, over: bool) -> char {
    match count {
        0 => ' ',
        _ if over => '>',
        1 => '•',
        few @ 2..=9 => char::from_digit(u32::try_from(few).unwrap_or(9), 10).unwrap_or('9'),
        _ => '#',
    }
}
