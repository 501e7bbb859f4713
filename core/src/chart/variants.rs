//! Variants side by side: what each costs, figure by figure, the best of each marked.

use super::heading::{heading, remark};
use super::letters;
use super::look::Look;
use super::palette::Ink;
use super::sheet::{Anchor, Area, Sheet, Text, line_height};
use super::{svg, words};
use crate::assessment::{Distribution, Figure};
use crate::units::Share;

/// One way to do it.
#[derive(Clone, Debug)]
pub struct Variant<'a> {
    /// What it is, in a few words.
    pub name: String,
    /// Many runs of it.
    pub runs: &'a Distribution,
}

/// Draws variants side by side; `about` says what they have in common and how one knows.
pub fn variants(look: Look, title: &str, about: &str, variants: &[Variant<'_>]) -> String {
    let mut sheet = Sheet::new(look);
    let top = heading(&mut sheet, title, about);
    let y = if look.is_narrow() { stacked(&mut sheet, top, variants) } else { table(&mut sheet, top, variants) };
    let y = remark(&mut sheet, y + 8, REMARK);
    let height = y + sheet.sizes().margin / 2;
    svg::document(&sheet, height, title, about)
}

/// A figure that is compared.
struct Column {
    name: &'static str,
    figure: Figure,
    /// Whether the p95 counts, as for a limit, or the median.
    p95: bool,
    say: fn(f64) -> String,
}

impl Column {
    const ALL: [Self; 5] = [
        Self { name: "task-seconds", figure: Figure::Unassigned, p95: false, say: words::task_seconds },
        Self { name: "share at once", figure: Figure::Peak, p95: true, say: share },
        Self { name: "share held", figure: Figure::PeakHeld, p95: true, say: share },
        Self { name: "longest", figure: Figure::Longest, p95: true, say: words::seconds },
        Self { name: "takes", figure: Figure::Duration, p95: false, say: words::seconds },
    ];

    fn of(&self, runs: &Distribution) -> f64 {
        let quantiles = runs.of(self.figure);
        if self.p95 { quantiles.p95 } else { quantiles.median }
    }

    /// What the column is called: `longest, p95`.
    fn title(&self) -> String {
        if self.p95 { format!("{}, p95", self.name) } else { self.name.to_owned() }
    }

    /// The largest value that is one, and the best as it is said, for what reads alike is alike;
    /// none where all are alike.
    fn ends(&self, variants: &[Variant<'_>]) -> (f64, Option<String>) {
        let values = || variants.iter().map(|variant| self.of(variant.runs));
        let best = values().min_by(f64::total_cmp).map(self.say);
        let alike = values().all(|value| best.as_ref() == Some(&(self.say)(value)));
        (values().filter(|value| value.is_finite()).fold(0.0, f64::max), best.filter(|_| !alike))
    }
}

/// One row for each variant, one column for each figure.
fn table(sheet: &mut Sheet, top: i32, variants: &[Variant<'_>]) -> i32 {
    let sizes = sheet.sizes();
    let columns = i32::try_from(Column::ALL.len()).unwrap_or(1);
    let all = sheet.right() - sheet.left();
    let pitch = (all * 2 / 3) / columns;
    let names = all - pitch * columns;
    let (row, line) = (line_height(sizes.body), line_height(sizes.small));
    for (place, column) in (0..).zip(&Column::ALL) {
        let x = sheet.left() + names + place * pitch;
        let title = letters::fitted(&column.title(), sizes.small, false, pitch - GAP);
        sheet.text(Text::new((x, top + line / 2), sizes.small, Ink::Quiet, title));
    }
    let mut y = top + line + 8;
    for variant in variants {
        let broken = letters::broken(&variant.name, sizes.body, false, names - 2 * GAP);
        let lines = cut(broken, NAME_LINES, sizes.body, names - 2 * GAP);
        let height = (i32::try_from(lines.len()).unwrap_or(1) * row).max(row + BAR + line + 6) + 14;
        sheet.line((sheet.left(), y), (sheet.right(), y), Ink::Grid, 1);
        for (place, name) in (0..).zip(lines) {
            sheet.text(Text::new((sheet.left(), y + 8 + row / 2 + place * row), sizes.body, Ink::Text, name));
        }
        for (place, column) in (0..).zip(&Column::ALL) {
            let left = sheet.left() + names + place * pitch;
            let (most, best) = column.ends(variants);
            let value = column.of(variant.runs);
            let said = (column.say)(value);
            let bold = best.as_ref() == Some(&said);
            let text = letters::fitted(&said, sizes.body, bold, pitch - GAP);
            sheet.text(Text::new((left, y + 8 + row / 2), sizes.body, Ink::Text, text).bold(bold));
            if bold {
                let below = (left, y + 8 + row + BAR + 6 + line / 2);
                sheet.text(Text::new(below, sizes.small, Ink::Text, "best").bold(true));
            }
            bar(sheet, left, left + pitch - GAP, y + 8 + row + 2, value / most, column.figure);
        }
        y += height;
    }
    y
}

/// One block for each figure, one bar for each variant below its name.
fn stacked(sheet: &mut Sheet, top: i32, variants: &[Variant<'_>]) -> i32 {
    let sizes = sheet.sizes();
    let row = line_height(sizes.body);
    let mut y = top;
    for column in &Column::ALL {
        sheet.line((sheet.left(), y), (sheet.right(), y), Ink::Grid, 1);
        y += 6;
        sheet.text(Text::new((sheet.left(), y + row / 2), sizes.body, Ink::Text, column.title()).bold(true));
        y += row;
        let (most, best) = column.ends(variants);
        for variant in variants {
            let value = column.of(variant.runs);
            let said = (column.say)(value);
            let bold = best.as_ref() == Some(&said);
            let said = if bold { format!("{said} best") } else { said };
            let value_text =
                Text::new((sheet.right(), y + row / 2), sizes.body, Ink::Text, said).bold(bold).anchored(Anchor::End);
            let room = sheet.right() - sheet.left() - value_text.width() - GAP;
            sheet.text(value_text);
            let name = letters::fitted(&variant.name, sizes.body, false, room);
            sheet.text(Text::new((sheet.left(), y + row / 2), sizes.body, Ink::Quiet, name));
            bar(sheet, sheet.left(), sheet.right(), y + row, value / most, column.figure);
            y += row + BAR + 6;
        }
        y += 8;
    }
    y
}

/// A bar on its track. What never ends fills it.
#[expect(clippy::cast_possible_truncation, reason = "within the picture")]
fn bar(sheet: &mut Sheet, left: i32, right: i32, top: i32, part: f64, figure: Figure) {
    let part = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) };
    sheet.fill(Area { left, top, right, bottom: top + BAR }, Ink::Track);
    let until = left + libm::round(part * f64::from(right - left)) as i32;
    // Red is for work without an owner: the time a roll takes is none.
    let ink = if figure == Figure::Duration { Ink::Work } else { Ink::Nobody };
    if until > left {
        sheet.fill(Area { left, top, right: until, bottom: top + BAR }, ink);
    }
}

/// The first lines, the last of them cut if there were more.
fn cut(mut lines: Vec<String>, most: usize, size: i32, pixels: i32) -> Vec<String> {
    if lines.len() > most {
        let rest = lines.split_off(most - 1).join(" ");
        lines.push(letters::fitted(&rest, size, false, pixels));
    }
    lines
}

fn share(value: f64) -> String {
    Share(value).to_string()
}

/// The height of a bar.
const BAR: i32 = 8;

/// White between two columns.
const GAP: i32 = 16;

/// A name has at most so many lines in a table.
const NAME_LINES: usize = 3;

const REMARK: &str = "Shorter is better. Bars of one figure share one scale. p95: 95 of 100 runs have at most this; \
                      the others are medians. Held: for longer than a hand-over.";
