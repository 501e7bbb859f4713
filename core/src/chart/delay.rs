//! What `scheduled.rebalance.max.delay.ms` costs: task-seconds and the share at once over the same
//! delays, with the restart times that decide whether a delay is long enough.

use super::axis::{ValueScale, clock, number};
use super::heading::{heading, remark};
use super::look::Look;
use super::palette::Ink;
use super::sheet::{Anchor, Area, Sheet, Text, line_height};
use super::{svg, words};
use crate::assessment::{Distribution, Figure};
use crate::units::{Duration, Share};

/// What a roll costs with one delay.
#[derive(Clone, Copy, Debug)]
pub struct DelayPoint<'a> {
    /// The delay of every worker, before and after its restart.
    pub delay: Duration,
    /// Many runs with it.
    pub runs: &'a Distribution,
}

/// Everything there is to a picture of prices.
#[derive(Clone, Copy, Debug)]
pub struct Delays<'a> {
    /// The prices, by rising delay; at least one.
    pub points: &'a [DelayPoint<'a>],
    /// The delays the workers have now; several if they differ.
    pub present: &'a [Duration],
    /// How long a worker is away from its group, from the least to the most of each kind of restart.
    pub restarts: &'a [(Duration, Duration)],
    /// The largest share that the policy allows.
    pub limit: Share,
    /// Which rolls were priced and how one knows.
    pub about: &'a str,
}

/// Draws the price against the delay; `None` without a price.
pub fn delay(look: Look, delays: &Delays<'_>) -> Option<String> {
    let best = best(delays.points)?;
    let mut sheet = Sheet::new(look);
    let title = title(delays, best);
    let top = heading(&mut sheet, &title, delays.about);
    let picture = Picture::new(&sheet, delays, best);
    let mut y = picture.seconds(&mut sheet, top);
    y = picture.share(&mut sheet, y);
    y = picture.axis(&mut sheet, y);
    y = picture.restarts(&mut sheet, y);
    y = remark(&mut sheet, y + 4, REMARK);
    let height = y + sheet.sizes().margin / 2;
    Some(svg::document(&sheet, height, &title, delays.about))
}

struct Picture<'a> {
    delays: &'a Delays<'a>,
    best: &'a DelayPoint<'a>,
    left: i32,
    right: i32,
    height: i32,
    /// The place of the longest delay on the bent axis.
    whole: f64,
}

/// A line of values, what is said of it, and its spread above.
struct Panel<'a> {
    name: &'a str,
    value: fn(&Distribution) -> f64,
    above: Option<fn(&Distribution) -> f64>,
    say: fn(f64) -> String,
    tick: fn(f64) -> String,
}

impl<'a> Picture<'a> {
    fn new(sheet: &Sheet, delays: &'a Delays<'a>, best: &'a DelayPoint<'a>) -> Self {
        let size = sheet.sizes().small;
        let most = delays.points.iter().map(|point| p95_seconds(point.runs)).fold(0.0, f64::max);
        let height = if sheet.look().is_narrow() { 130 } else { 210 };
        let room = ValueScale::new(most, 0, height)
            .room(size, number)
            .max(ValueScale::new(100.0, 0, height).room(size, percent));
        let longest = delays.points.iter().map(|point| point.delay).max().unwrap_or_default();
        let restarts = delays.restarts.iter().map(|restart| restart.1).max().unwrap_or_default();
        Self {
            delays,
            best,
            left: sheet.left() + room,
            right: sheet.right() - size,
            height,
            whole: bent(longest.max(restarts)),
        }
    }

    fn seconds(&self, sheet: &mut Sheet, top: i32) -> i32 {
        let panel = Panel {
            name: "task-seconds without an owner: median, and p95 as the band above",
            value: |runs| runs.of(Figure::Unassigned).median,
            above: Some(p95_seconds),
            say: words::task_seconds,
            tick: number,
        };
        self.panel(sheet, top, &panel, None)
    }

    fn share(&self, sheet: &mut Sheet, top: i32) -> i32 {
        let panel = Panel {
            name: "share held for longer than a hand-over, p95",
            value: |runs| runs.of(Figure::PeakHeld).p95 * 100.0,
            above: None,
            say: |share| Share(share / 100.0).to_string(),
            tick: percent,
        };
        self.panel(sheet, top, &panel, Some(self.delays.limit.0 * 100.0))
    }

    fn panel(&self, sheet: &mut Sheet, top: i32, panel: &Panel<'_>, limit: Option<f64>) -> i32 {
        let sizes = sheet.sizes();
        let style = Text::new((sheet.left(), 0), sizes.body, Ink::Text, "");
        let top = sheet.paragraph(panel.name, top, &style) + line_height(sizes.small) + 4;
        let upper = panel.above.unwrap_or(panel.value);
        let highest = self.delays.points.iter().map(|point| upper(point.runs)).fold(0.0, f64::max);
        let limit = limit.filter(|limit| *limit <= (2.0 * highest).max(10.0));
        let value = ValueScale::new(limit.map_or(highest, |limit| limit.max(highest)), top, top + self.height);
        let area = Area { left: self.left, top, right: self.right, bottom: top + self.height };
        value.draw(sheet, area, panel.tick);
        let line = |of: fn(&Distribution) -> f64| -> Vec<(i32, i32)> {
            self.delays.points.iter().map(|point| (self.x(point.delay), value.y(of(point.runs)))).collect()
        };
        if let Some(above) = panel.above {
            let band: Vec<(i32, i32)> = line(above).into_iter().chain(line(panel.value).into_iter().rev()).collect();
            sheet.shape(band, Ink::Spread);
        }
        if let Some(limit) = limit {
            let y = value.y(limit);
            sheet.dashes((area.left, y), (area.right, y), Ink::Text, 1);
        }
        self.marked(sheet, area);
        sheet.path(line(panel.value), Ink::Work, 2);
        for &(x, y) in &line(panel.value) {
            sheet.dot((x, y), 3, Ink::Work);
        }
        self.values(sheet, area, panel, &value);
        if let Some(limit) = limit {
            let text = Text::new(
                (area.right, value.y(limit) - line_height(sizes.small) / 2 - 4),
                sizes.small,
                Ink::Text,
                format!("limit {}", (panel.say)(limit)),
            );
            sheet.text_on_clear(text, area.left, area.right);
        }
        area.bottom + 14
    }

    /// Lines down through a panel at the present delays and at the best one.
    fn marked(&self, sheet: &mut Sheet, area: Area) {
        for delay in self.delays.present {
            sheet.dashes((self.x(*delay), area.top), (self.x(*delay), area.bottom), Ink::Text, 1);
        }
        let x = self.x(self.best.delay);
        sheet.line((x, area.top), (x, area.bottom), Ink::Text, 2);
    }

    /// What the line is worth at the best delay and at the present ones.
    fn values(&self, sheet: &mut Sheet, area: Area, panel: &Panel<'_>, value: &ValueScale) {
        let size = sheet.sizes().small;
        let marked = self.delays.points.iter().filter(|point| self.delays.present.contains(&point.delay));
        let mut said: Vec<i32> = Vec::new();
        for point in std::iter::once(self.best).chain(marked) {
            let (x, worth) = (self.x(point.delay), (panel.value)(point.runs));
            if said.contains(&x) {
                continue;
            }
            said.push(x);
            sheet.dot((x, value.y(worth)), 5, Ink::Text);
            let row = line_height(size);
            let mut y = value.y(worth) - row / 2 - 7;
            for _ in 0..4 {
                let text = Text::new((x, y), size, Ink::Text, (panel.say)(worth)).bold(true);
                if sheet.text_on_clear(text, area.left, self.right) {
                    break;
                }
                y -= row / 2;
            }
        }
    }

    /// The delays below both panels; those that matter are named first.
    fn axis(&self, sheet: &mut Sheet, top: i32) -> i32 {
        let size = sheet.sizes().small;
        let row = line_height(size);
        let named = |delay: Duration| {
            let said = clock(delay);
            match (delay == self.best.delay, self.delays.present.contains(&delay)) {
                (true, true) => Some(format!("{said}: now, and best")),
                (true, false) => Some(format!("{said}: best")),
                (false, true) => Some(format!("{said}: now")),
                (false, false) => None,
            }
        };
        let y = top + row / 2;
        let text = |delay, said| Text::new((self.x(delay), y), size, Ink::Quiet, said);
        for (delay, said) in self.points().filter_map(|delay| Some((delay, named(delay)?))) {
            sheet.text_near(Text { ink: Ink::Text, bold: true, ..text(delay, said) }, sheet.left(), sheet.right());
        }
        for delay in self.points().filter(|delay| named(*delay).is_none()) {
            sheet.text_near(text(delay, clock(delay)), sheet.left(), sheet.right());
        }
        let below = y + row;
        sheet.text(
            Text::new((self.right, below), size, Ink::Quiet, "scheduled.rebalance.max.delay.ms").anchored(Anchor::End),
        );
        below + row / 2 + 6
    }

    /// How long restarts take, on the same axis.
    fn restarts(&self, sheet: &mut Sheet, top: i32) -> i32 {
        let size = sheet.sizes().small;
        let Some(least) = self.delays.restarts.iter().map(|restart| restart.0).min() else { return top };
        let most = self.delays.restarts.iter().map(|restart| restart.1).max().unwrap_or(least);
        let y = top + 8;
        sheet.line((self.left, y + 7), (self.right, y + 7), Ink::Grid, 1);
        for &(from, until) in self.delays.restarts {
            let (left, right) = (self.x(from), self.x(until));
            if from == until {
                sheet.line((left, y - 6), (left, y + 7), Ink::Text, 2);
            } else {
                sheet.fill(Area { left, top: y - 2, right, bottom: y + 7 }, Ink::Quiet);
            }
        }
        let said = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let below = y + 12 + line_height(size) / 2;
        let middle = i32::midpoint(self.x(least), self.x(most));
        let text = Text::new((middle, below), size, Ink::Text, format!("a restart keeps a worker away for {said}"));
        sheet.text_near(text, sheet.left(), sheet.right());
        below + line_height(size) / 2
    }

    fn points(&self) -> impl Iterator<Item = Duration> {
        self.delays.points.iter().map(|point| point.delay)
    }

    #[expect(clippy::cast_possible_truncation, reason = "within the picture")]
    fn x(&self, delay: Duration) -> i32 {
        let part = (bent(delay) / self.whole).clamp(0.0, 1.0);
        self.left + libm::round(part * f64::from(self.right - self.left)) as i32
    }
}

fn title(delays: &Delays<'_>, best: &DelayPoint<'_>) -> String {
    let seconds = |point: &DelayPoint<'_>| words::task_seconds(point.runs.of(Figure::Unassigned).median);
    let present =
        delays.points.iter().filter(|point| delays.present.contains(&point.delay)).max_by_key(|point| point.delay);
    match present {
        Some(now) if now.delay == best.delay => {
            format!(
                "The present delay of {} is the best of those tried: {} task-seconds",
                clock(now.delay),
                seconds(now)
            )
        }
        Some(now) => format!(
            "A delay of {} instead of {} would cost {} task-seconds instead of {}",
            clock(best.delay),
            clock(now.delay),
            seconds(best),
            seconds(now)
        ),
        None => format!("A delay of {} costs least: {} task-seconds", clock(best.delay), seconds(best)),
    }
}

/// The delay with the least unassigned time on average; of equals the shortest.
fn best<'a>(points: &'a [DelayPoint<'a>]) -> Option<&'a DelayPoint<'a>> {
    let mean = |point: &DelayPoint<'_>| point.runs.of(Figure::Unassigned).mean;
    points.iter().min_by(|one, other| mean(one).total_cmp(&mean(other)).then(one.delay.cmp(&other.delay)))
}

fn p95_seconds(runs: &Distribution) -> f64 {
    runs.of(Figure::Unassigned).p95
}

/// A place on an axis that is even near 0 and bends towards a logarithm above the unit.
fn bent(delay: Duration) -> f64 {
    libm::log1p(delay.as_secs_f64() / UNIT)
}

fn percent(value: f64) -> String {
    format!("{} %", number(value))
}

/// Seconds from which on the axis of delays bends.
const UNIT: f64 = 10.0;

const REMARK: &str = "The axis is even near 0 and narrows above 10 s. Straight lines join the delays that were tried.";
