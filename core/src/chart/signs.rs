//! Small signs whose shape says what they mean, with or without colour.

use super::palette::Ink;
use super::sheet::{Area, Point, Sheet};
use crate::simulation::{Cause, Process};

/// What marks a rebalance: the shape of its main cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    /// The delay is over.
    Over,
    /// Somebody left, or expired.
    Left,
    /// Somebody joined.
    Joined,
    /// Anything else.
    Other,
}

impl Sign {
    /// The sign of a cause.
    pub(super) const fn of(cause: Cause) -> Self {
        match cause {
            Cause::DelayOver => Self::Over,
            Cause::Left(_) | Cause::Expired(_) => Self::Left,
            Cause::Joined(_) => Self::Joined,
            Cause::Revoked | Cause::ConfigChanged | Cause::AssignmentLost | Cause::CoordinatorBack => Self::Other,
        }
    }

    /// What the key says of it.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Over => "delay over",
            Self::Left => "worker left",
            Self::Joined => "worker joined",
            Self::Other => "other rebalance",
        }
    }

    pub(super) fn draw(self, sheet: &mut Sheet, (x, y): Point, half: i32) {
        match self {
            Self::Over => {
                sheet
                    .shape(vec![(x, y - half - 1), (x + half + 1, y), (x, y + half + 1), (x - half - 1, y)], Ink::Text);
            }
            Self::Left => sheet.shape(vec![(x - half, y - half), (x + half, y - half), (x, y + half)], Ink::Text),
            Self::Joined => sheet.shape(vec![(x - half, y + half), (x + half, y + half), (x, y - half)], Ink::Text),
            Self::Other => sheet.dot((x, y), half - 1, Ink::Text),
        }
    }
}

/// What a worker does that is no member, as a hatched box.
pub(super) fn phase(sheet: &mut Sheet, area: Area, process: Process) {
    sheet.fill(area, Ink::Paper);
    match process {
        Process::Stopping => slanted(sheet, area),
        Process::Starting | Process::Joining => upright(sheet, area),
        Process::Frozen => level(sheet, area),
        Process::Down | Process::Member => {}
    }
    sheet.frame(area, Ink::Quiet);
}

/// What the key says of a phase.
pub(super) const fn phase_words(process: Process) -> &'static str {
    match process {
        Process::Stopping => "stopping",
        Process::Down => "down",
        Process::Starting | Process::Joining => "starting",
        Process::Member => "in the group",
        Process::Frozen => "frozen",
    }
}

/// A crown on clear ground, its left foot at a point.
pub(super) fn crown(sheet: &mut Sheet, (x, bottom): Point, size: i32) {
    sheet.fill(Area { left: x, top: bottom - size - 1, right: x + size + 4, bottom }, Ink::Paper);
    let (left, right, top) = (x + 2, x + 2 + size, bottom - size + 1);
    let (middle, low) = (x + 2 + size / 2, bottom - size / 3);
    sheet.shape(
        vec![
            (left, bottom - 1),
            (left, top + 2),
            (left + size / 4, low - 1),
            (middle, top - 1),
            (right - size / 4, low - 1),
            (right, top + 2),
            (right, bottom - 1),
        ],
        Ink::Leader,
    );
}

/// A delay: a line between two posts; without its last post, but with a cross, if it was cut short.
pub(super) fn bracket(sheet: &mut Sheet, left: i32, right: i32, y: i32, cut: bool) {
    let right = right.max(left + 2);
    sheet.line((left, y), (right, y), Ink::Text, 2);
    sheet.line((left, y - 5), (left, y + 5), Ink::Text, 2);
    if cut {
        sheet.line((right - 4, y - 4), (right + 4, y + 4), Ink::Text, 2);
        sheet.line((right - 4, y + 4), (right + 4, y - 4), Ink::Text, 2);
    } else {
        sheet.line((right, y - 5), (right, y + 5), Ink::Text, 2);
    }
}

fn slanted(sheet: &mut Sheet, area: Area) {
    let height = area.bottom - area.top;
    let mut foot = area.left - height + SPACE;
    while foot < area.right {
        let (low, high) = (foot.max(area.left), (foot + height).min(area.right));
        if high > low {
            sheet.line((low, area.bottom - (low - foot)), (high, area.bottom - (high - foot)), Ink::Quiet, 1);
        }
        foot += SPACE;
    }
}

fn upright(sheet: &mut Sheet, area: Area) {
    let mut x = area.left + SPACE;
    while x < area.right {
        sheet.line((x, area.top), (x, area.bottom), Ink::Quiet, 1);
        x += SPACE;
    }
}

fn level(sheet: &mut Sheet, area: Area) {
    let mut y = area.top + SPACE;
    while y < area.bottom {
        sheet.line((area.left, y), (area.right, y), Ink::Quiet, 1);
        y += SPACE;
    }
}

/// From one line of a hatching to the next.
const SPACE: i32 = 4;
