//! How far connectors fall behind, each on a strip of its own, over one time and one scale.

use std::fmt::Write as _;

use super::axis::{TimeScale, ValueScale, clock};
use super::heading::{heading, remark};
use super::look::Look;
use super::palette::Ink;
use super::sheet::{Anchor, Area, Sheet, Text, line_height};
use super::{Run, letters, svg, until, words};
use crate::assessment::unassigned;
use crate::lag::{CaughtUp, ConnectorLag, lag as fallen_behind};
use crate::units::{Duration, Records, RecordsPerSec, SimTime};

/// Draws how far the connectors fall behind that fall behind most; `None` if nothing is known
/// of the flow of any.
pub fn lag(look: Look, run: &Run<'_>) -> Option<String> {
    let mut all = fallen_behind(run.cluster, run.timeline).connectors;
    all.sort_by_key(|lag| (std::cmp::Reverse(lag.behind), lag.connector));
    let first = all.first()?;
    let mut sheet = Sheet::new(look);
    let title = title(run, first);
    let top = heading(&mut sheet, &title, run.about);
    let shown = &all[..all.len().min(MOST)];
    let picture = Picture::new(&sheet, run, shown);
    let mut y = top;
    for lag in shown {
        y = picture.strip(&mut sheet, lag, y);
    }
    y = picture.time.draw(&mut sheet, y, y);
    y = remark(&mut sheet, y + 4, &left_out(run, &all));
    let height = y + sheet.sizes().margin / 2;
    Some(svg::document(&sheet, height, &title, run.about))
}

struct Picture<'a> {
    run: &'a Run<'a>,
    time: TimeScale,
    /// The largest number of seconds behind.
    most: f64,
    height: i32,
}

impl<'a> Picture<'a> {
    fn new(sheet: &Sheet, run: &'a Run<'a>, shown: &[ConnectorLag]) -> Self {
        let until = until(run, &unassigned(run.cluster, run.timeline));
        // What is caught up long after the roll would press the roll together.
        let latest = until + (until - run.timeline.began);
        let caught_up = shown.iter().filter_map(|lag| lag.caught_up.at()).filter(|at| *at <= latest).max();
        let until = caught_up.map_or(until, |at| until.max(at));
        let most = shown.iter().map(|lag| lag.behind.as_secs_f64()).fold(0.0, f64::max);
        let height = if sheet.look().is_narrow() { 64 } else { 84 };
        let size = sheet.sizes().small;
        let room = ValueScale::new(most, 0, height).room(size, behind);
        let time = TimeScale::new(run.timeline.began, until, sheet.left() + room, sheet.right());
        Self { run, time, most, height }
    }

    /// One connector: its name and figures, its line below them.
    fn strip(&self, sheet: &mut Sheet, lag: &ConnectorLag, top: i32) -> i32 {
        let size = sheet.sizes().body;
        let row = line_height(size);
        let name = self.run.cluster.work.name(lag.connector);
        let facts =
            Text::new((self.time.right, top + row / 2), size, Ink::Quiet, self.facts(lag)).anchored(Anchor::End);
        let room = sheet.right() - sheet.left();
        let two_lines = facts.width() + letters::width(name, size, true).min(room / 3) + 2 * size > room;
        let fits = if two_lines { room } else { room - facts.width() - size };
        let name = letters::fitted(name, size, true, fits);
        sheet.text(Text::new((sheet.left(), top + row / 2), size, Ink::Text, name).bold(true));
        let mut y = top + row;
        if two_lines {
            y = sheet.paragraph(&facts.said, y, &Text::new((sheet.left(), 0), size, Ink::Quiet, ""));
        } else {
            sheet.text(facts);
        }
        self.line(sheet, lag, y + 8);
        y + 8 + self.height + 16
    }

    fn line(&self, sheet: &mut Sheet, lag: &ConnectorLag, top: i32) {
        let value = ValueScale::new(self.most, top, top + self.height);
        let area = Area { left: self.time.left, top, right: self.time.right, bottom: top + self.height };
        self.time.grid(sheet, area.top, area.bottom);
        value.draw(sheet, area, behind);
        // A straight line of records is a straight line of seconds, too.
        let per_record = if lag.peak.0 > 0.0 { lag.behind.as_secs_f64() / lag.peak.0 } else { 0.0 };
        let points = within(&lag.points, self.time.to);
        let at = |&(at, records): &(SimTime, Records)| (self.time.x(at), value.y(records.0 * per_record));
        let mut line: Vec<(i32, i32)> = points.iter().map(at).collect();
        line.dedup();
        let ground = line.iter().copied().chain(line.last().map(|last| (last.0, area.bottom)));
        let filled: Vec<(i32, i32)> =
            line.first().map(|first| (first.0, area.bottom)).into_iter().chain(ground).collect();
        if lag.peak.0 > 0.0 {
            sheet.shape(filled, Ink::Spread);
        }
        sheet.path(line, Ink::Work, 2);
        sheet.line((area.left, area.bottom), (area.right, area.bottom), Ink::Quiet, 1);
        if let Some(at) = lag.caught_up.at().filter(|at| *at <= self.time.to) {
            sheet.dot((self.time.x(at), area.bottom), 5, Ink::Text);
        }
    }

    fn facts(&self, lag: &ConnectorLag) -> String {
        let rate = |rate: RecordsPerSec| format!("{}/s", Records(rate.0));
        let peak = format!("{} behind at most, {} records", lag.behind, lag.peak);
        match lag.caught_up {
            CaughtUp::NeverBehind => "never behind".to_owned(),
            CaughtUp::At(at) => format!("{peak}; ● caught up at {}", words::since(self.run.timeline, at)),
            CaughtUp::TooSlow { arrival, capacity } => {
                format!("{peak}; never caught up: a task gets {}, works off {}", rate(arrival), rate(capacity))
            }
            CaughtUp::NotServed(parts) => {
                format!("{peak}; never caught up: {parts} of its parts are nobody's at the end")
            }
        }
    }
}

fn title(run: &Run<'_>, worst: &ConnectorLag) -> String {
    let name = letters::fitted(run.cluster.work.name(worst.connector), 22, true, 320);
    match worst.caught_up {
        CaughtUp::NeverBehind => "No connector falls behind".to_owned(),
        CaughtUp::At(at) => format!(
            "{name} falls {} behind and has caught up {} after the first stop",
            worst.behind,
            words::since(run.timeline, at)
        ),
        _ => format!("{name} falls {} behind and never catches up", worst.behind),
    }
}

fn left_out(run: &Run<'_>, all: &[ConnectorLag]) -> String {
    let scale = "All strips share one scale: how far a connector as a whole is behind, its backlog divided by what \
                 arrives.";
    let unknown = run.cluster.connectors.len() - all.len();
    let mut said = scale.to_owned();
    if let Some(next) = all.get(MOST) {
        let left = words::count(all.len() - MOST, "more connector");
        _ = write!(said, " {left} fall {} behind at most.", next.behind);
    }
    if unknown > 0 {
        _ = write!(said, " Of {} nothing is known: give `rate`.", words::count(unknown, "connector"));
    }
    said
}

/// The points of a line up to an instant, where it is cut.
fn within(points: &[(SimTime, Records)], until: SimTime) -> Vec<(SimTime, Records)> {
    let inside = points.partition_point(|(at, _)| *at <= until);
    let mut line = points[..inside].to_vec();
    if let (Some(&(from, before)), Some(&(to, after))) = (line.last(), points.get(inside)) {
        let part = (until - from).as_secs_f64() / (to - from).as_secs_f64();
        line.push((until, Records(before.0 + (after.0 - before.0) * part)));
    }
    line
}

fn behind(secs: f64) -> String {
    if secs >= 1.0 || secs <= 0.0 {
        clock(Duration::from_secs_f64(secs))
    } else {
        Duration::from_secs_f64(secs).to_string()
    }
}

/// So many connectors are drawn.
const MOST: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_goes_on_is_cut_at_the_edge() {
        let at = |secs| SimTime::ZERO + Duration::from_secs(secs);
        let line = within(&[(at(0), Records(0.0)), (at(10), Records(100.0)), (at(30), Records(0.0))], at(20));
        assert_eq!(line, [(at(0), Records(0.0)), (at(10), Records(100.0)), (at(20), Records(50.0))]);
    }
}
