//! What the signs of a picture mean, in one or a few lines below it.

use super::palette::Ink;
use super::sheet::{Area, Sheet, Text, line_height};
use super::signs::{self, Sign};
use crate::simulation::Process;

/// One sign and what it means.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// The bar of running tasks.
    Work(String),
    /// The line and crown of the leader.
    Leads,
    /// The hatching of a phase of a restart.
    Phase(Process),
    /// The sign of a rebalance.
    Sign(Sign),
    /// A delay; whether one that was cut short.
    Delay(bool),
}

impl Item {
    fn words(&self) -> &str {
        match self {
            Self::Work(words) => words,
            Self::Leads => "leads the group",
            Self::Phase(process) => signs::phase_words(*process),
            Self::Sign(sign) => sign.words(),
            Self::Delay(false) => "a delay runs",
            Self::Delay(true) => "ended with its leader",
        }
    }

    fn draw(&self, sheet: &mut Sheet, left: i32, y: i32) {
        let area = Area { left, top: y - 6, right: left + SWATCH, bottom: y + 6 };
        let middle = left + SWATCH / 2;
        match self {
            Self::Work(_) => sheet.fill(area, Ink::Work),
            Self::Leads => {
                sheet.fill(Area { top: y + 4, bottom: y + 7, ..area }, Ink::Leader);
                signs::crown(sheet, (left, y + 4), 10);
            }
            Self::Phase(process) => signs::phase(sheet, area, *process),
            Self::Sign(sign) => sign.draw(sheet, (middle, y), 5),
            Self::Delay(cut) => signs::bracket(sheet, left, left + SWATCH - 4, y, *cut),
        }
    }
}

/// All items side by side, in as many lines as they need; the height below them.
pub(super) fn key(sheet: &mut Sheet, top: i32, items: &[Item]) -> i32 {
    let size = sheet.sizes().small;
    let step = line_height(size) + 2;
    let (mut x, mut y) = (sheet.left(), top + step / 2);
    for item in items {
        let text = Text::new((0, 0), size, Ink::Quiet, item.words());
        let width = SWATCH + 6 + text.width();
        if x > sheet.left() && x + width > sheet.right() {
            (x, y) = (sheet.left(), y + step);
        }
        item.draw(sheet, x, y);
        sheet.text(Text { at: (x + SWATCH + 6, y), ..text });
        x += width + size * 3 / 2;
    }
    y + step / 2
}

/// The width of a sign in the key.
const SWATCH: i32 = 22;
