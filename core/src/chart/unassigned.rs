//! The share of the work that nobody has, over time, against what the policy allows.

use super::axis::{TimeScale, ValueScale};
use super::heading::{heading, remark};
use super::look::Look;
use super::palette::Ink;
use super::sheet::{Area, Sheet, Text, line_height};
use super::{Run, letters, steps, svg, until, words};
use crate::assessment::{Levels, hand_over, unassigned as without_owner};
use crate::simulation::Step;
use crate::units::{Duration, Share, SimTime};

/// Draws the share of the tasks without an owner.
pub fn unassigned(look: Look, run: &Run<'_>) -> String {
    let mut sheet = Sheet::new(look);
    let title = title(run);
    let top = heading(&mut sheet, &title, run.about);
    let picture = Picture::new(&sheet, run, top);
    picture.area(&mut sheet);
    picture.limit(&mut sheet);
    picture.held(&mut sheet);
    picture.peak(&mut sheet);
    let mut y = picture.restarts(&mut sheet);
    y = picture.time.draw(&mut sheet, y, y);
    let gap = sheet.sizes().margin / 2;
    y = remark(&mut sheet, y + 4, &picture.remark());
    svg::document(&sheet, y + gap, &title, run.about)
}

struct Picture<'a> {
    run: &'a Run<'a>,
    levels: Levels,
    /// How many tasks are the whole.
    whole: usize,
    /// The share that is not exceeded for longer than a hand-over, and when it held first.
    held: Option<(Share, SimTime, SimTime)>,
    /// The limit is far above all that happens.
    limit_is_above: bool,
    time: TimeScale,
    share: ValueScale,
    area: Area,
}

impl<'a> Picture<'a> {
    fn new(sheet: &Sheet, run: &'a Run<'a>, top: i32) -> Self {
        let levels = without_owner(run.cluster, run.timeline);
        let until = until(run, &levels);
        let (peak, limit) = (run.impact.peak.0, run.policy.max_share.0);
        let limit_is_above = limit > (2.0 * peak).max(0.1);
        let most = if limit_is_above { peak } else { peak.max(limit) };
        let size = sheet.sizes().small;
        let height = if sheet.look().is_narrow() { 210 } else { 380 };
        // Two labels stand above the highest point.
        let top = top + 2 * line_height(size);
        let share = ValueScale::new((most * 100.0).max(1.0), top, top + height);
        let area =
            Area { left: sheet.left() + share.room(size, percent), top, right: sheet.right(), bottom: top + height };
        let whole = whole(run, &levels);
        let held = held(&levels, whole, hand_over(run.cluster), run.timeline.ended);
        let time = TimeScale::new(run.timeline.began, until, area.left, area.right);
        Self { run, levels, whole, held, limit_is_above, time, share, area }
    }

    fn area(&self, sheet: &mut Sheet) {
        self.time.grid(sheet, self.area.top, self.area.bottom);
        self.share.draw(sheet, self.area, percent);
        let runs = steps::runs(&steps::columns(&self.levels, &self.time), self.area.left);
        for shape in steps::outline(&runs, self.area.bottom, |level| self.y(level).min(self.area.bottom - 1)) {
            sheet.shape(shape, Ink::Nobody);
        }
        sheet.line((self.area.left, self.area.bottom), (self.area.right, self.area.bottom), Ink::Quiet, 1);
    }

    fn limit(&self, sheet: &mut Sheet) {
        if self.limit_is_above {
            return;
        }
        let limit = self.run.policy.max_share;
        let y = self.share.y(limit.0 * 100.0);
        sheet.line((self.area.left, y), (self.area.right, y), Ink::Paper, 4);
        sheet.dashes((self.area.left, y), (self.area.right, y), Ink::Text, 2);
        let kind = if self.run.policy.max_share_given { "limit" } else { "default limit" };
        let size = sheet.sizes().small;
        let text = Text::new((0, y - line_height(size) / 2 - 4), size, Ink::Text, format!("{kind} {limit}")).bold(true);
        // Where nothing is higher than the line, from the right; at its end where there is no such place.
        let width = text.width();
        let columns = steps::columns(&self.levels, &self.time);
        let low = |left: i32| {
            let from = usize::try_from(left - self.area.left).unwrap_or(0).min(columns.len());
            let until = usize::try_from(left + width - self.area.left).unwrap_or(0).min(columns.len());
            columns[from..until].iter().all(|level| self.y(*level) >= y - 1)
        };
        let last = self.area.right - width;
        let left = (self.area.left..=last).rev().step_by(4).find(|left| low(*left)).unwrap_or(last);
        sheet.text_on_clear(Text { at: (left + width / 2, text.at.1), ..text }, self.area.left, self.area.right);
    }

    fn peak(&self, sheet: &mut Sheet) {
        let peak = self.run.impact.peak;
        let Some(&(at, level)) = self.levels.iter().max_by_key(|(at, level)| (*level, std::cmp::Reverse(*at))) else {
            return;
        };
        let point = (self.time.x(at), self.y(level));
        sheet.dot(point, 5, Ink::Text);
        let tasks = words::count(level, "task");
        self.label(
            sheet,
            (point.0, point.1 - 4),
            &format!("peak {peak}, {tasks}, at {}", words::since(self.run.timeline, at)),
        );
    }

    fn held(&self, sheet: &mut Sheet) {
        let Some((share, from, until)) = self.held else { return };
        let (left, right, y) = (self.time.x(from), self.time.x(until), self.share.y(share.0 * 100.0));
        let right = right.max(left + 3);
        // On red, a dark line is seen by the light around it.
        for (ink, by) in [(Ink::Paper, 6), (Ink::Text, 2)] {
            for x in [left, right] {
                sheet.line((x, y - 6), (x, y + 6), ink, by);
            }
            sheet.line((left, y), (right, y), ink, by);
        }
        let size = sheet.sizes().small;
        let (middle, row) = (i32::midpoint(left, right), self.area.top - line_height(size) * 3 / 2);
        let text = Text::new((middle, row), size, Ink::Text, format!("held {share} for {}", until - from)).bold(true);
        if sheet.text_near(text, self.area.left, self.area.right) {
            sheet.dashes((middle, row + line_height(size) / 2), (middle, y - 6), Ink::Quiet, 1);
        }
    }

    /// When workers are stopped, by name where there is room.
    fn restarts(&self, sheet: &mut Sheet) -> i32 {
        let size = sheet.sizes().small;
        let y = self.area.bottom + 14;
        for step in &self.run.timeline.steps {
            super::signs::Sign::Left.draw(sheet, (self.time.x(step.at), y), size / 3);
        }
        let below = y + size / 3 + 3 + line_height(size) / 2;
        let workers: Vec<&str> = self.run.cluster.workers.iter().map(|worker| worker.name.as_str()).collect();
        let workers = letters::told_apart(&workers, size, size * 8);
        for step in &self.run.timeline.steps {
            let text = Text::new((self.time.x(step.at), below), size, Ink::Quiet, names(&workers, step));
            sheet.text_near(text, self.area.left, self.area.right);
        }
        below + line_height(size) / 2
    }

    /// A label above a point, or higher where that is taken, on clear ground.
    fn label(&self, sheet: &mut Sheet, (x, y): (i32, i32), said: &str) {
        let size = sheet.sizes().small;
        let row = line_height(size);
        let mut at = y - row / 2 - 2;
        let text = |at| Text::new((x, at), size, Ink::Text, said).bold(true);
        for _ in 0..LABEL_TRIES {
            if sheet.text_on_clear(text(at), self.area.left, self.area.right) {
                return;
            }
            at -= row / 2;
        }
    }

    fn remark(&self) -> String {
        let held = format!(
            "▼ a worker is stopped. Held is what lasts longer than a hand-over ({}); the limit is for that.",
            hand_over(self.run.cluster)
        );
        if self.limit_is_above { format!("{held} The policy allows {}.", self.run.policy.max_share) } else { held }
    }

    fn y(&self, level: usize) -> i32 {
        self.share.y(Share::of(level, self.whole).0 * 100.0)
    }
}

fn title(run: &Run<'_>) -> String {
    let (impact, tasks) = (run.impact, run.cluster.work.task_count());
    if impact.peak.0 <= 0.0 {
        return "Every task keeps its owner".to_owned();
    }
    let within = impact.peak_held.0 <= run.policy.max_share.0 + 1e-9;
    format!(
        "{} of {} ({}) have no owner at once; {} for longer than a hand-over, {} the limit of {}",
        words::part_of(impact.peak, tasks),
        words::count(tasks, "task"),
        impact.peak,
        if impact.peak_held.0 > 0.0 { impact.peak_held.to_string() } else { "none".to_owned() },
        if within { "within" } else { "above" },
        run.policy.max_share,
    )
}

/// The tasks that count: the peak as a number divided by the peak as a share.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
fn whole(run: &Run<'_>, levels: &Levels) -> usize {
    let peak = levels.iter().map(|(_, level)| *level).max().unwrap_or(0);
    if run.impact.peak.0 <= 0.0 {
        return run.cluster.work.task_count().max(1);
    }
    (libm::round(peak as f64 / run.impact.peak.0) as usize).max(peak).max(1)
}

/// The largest number that lasts longer than a hand-over, and the first time it does.
fn held(levels: &Levels, whole: usize, hold: Duration, end: SimTime) -> Option<(Share, SimTime, SimTime)> {
    let mut heights: Vec<usize> = levels.iter().map(|(_, level)| *level).filter(|level| *level > 0).collect();
    heights.sort_unstable();
    heights.dedup();
    heights.into_iter().rev().find_map(|height| {
        let mut since = None;
        for &(at, level) in levels.iter().chain([(end, 0)].iter()) {
            match since {
                None if level >= height => since = Some(at),
                Some(from) if level < height => {
                    if at - from > hold {
                        return Some((Share::of(height, whole), from, at));
                    }
                    since = None;
                }
                _ => {}
            }
        }
        None
    })
}

fn names(names: &[String], step: &Step) -> String {
    let said: Vec<&str> = step.workers.iter().filter_map(|of| names.get(of.index())).map(String::as_str).collect();
    said.join(", ")
}

fn percent(value: f64) -> String {
    format!("{} %", super::axis::number(value))
}

/// A label looks so often for a free place.
const LABEL_TRIES: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_is_found_where_it_lasts() {
        let at = |secs| SimTime::ZERO + Duration::from_secs(secs);
        let levels = vec![(at(0), 6), (at(4), 12), (at(6), 6), (at(30), 0), (at(40), 8), (at(42), 0)];
        let found = held(&levels, 30, Duration::from_secs(8), at(60));
        assert_eq!(found, Some((Share::of(6, 30), at(0), at(30))));
        assert_eq!(held(&levels, 30, Duration::from_secs(31), at(60)), None);
    }
}
