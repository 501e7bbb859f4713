//! Who runs what over time: a lane for each worker, the rebalances and delays above, the work
//! that nobody has below.

use super::axis::TimeScale;
use super::course::{Lane, Window, lanes, seen, windows};
use super::heading::{heading, remark};
use super::key::{Item, key};
use super::letters;
use super::look::Look;
use super::palette::Ink;
use super::sheet::{Anchor, Area, Sheet, Text, line_height};
use super::signs::{self, Sign};
use super::{Run, steps, svg, until, words};
use crate::assessment::unassigned;
use crate::model::WorkerId;
use crate::simulation::{Process, Round};
use crate::units::SimTime;

/// Draws who runs what in a roll.
pub fn roll(look: Look, run: &Run<'_>) -> String {
    let mut sheet = Sheet::new(look);
    let title = title(run);
    let top = heading(&mut sheet, &title, run.about);
    let picture = Picture::new(&sheet, run);
    let mut y = picture.rounds(&mut sheet, top);
    y = picture.delays(&mut sheet, y);
    y = picture.lanes(&mut sheet, y);
    y = picture.nobody(&mut sheet, y);
    y = picture.scale.draw(&mut sheet, y, y);
    let gap = sheet.sizes().margin / 2;
    y = key(&mut sheet, y + gap, &picture.key());
    y = picture.left_out(&mut sheet, y);
    svg::document(&sheet, y + gap, &title, run.about)
}

struct Picture<'a> {
    run: &'a Run<'a>,
    scale: TimeScale,
    lanes: Vec<Lane>,
    windows: Vec<Window>,
    nobody: Vec<(SimTime, usize)>,
    /// The most tasks one worker runs at a time.
    most_tasks: usize,
    /// The workers, as their lanes are labelled.
    names: Vec<String>,
    /// From one lane to the next.
    pitch: i32,
}

impl<'a> Picture<'a> {
    fn new(sheet: &Sheet, run: &'a Run<'a>) -> Self {
        let nobody = unassigned(run.cluster, run.timeline);
        let until = until(run, &nobody);
        let mut lanes = lanes(run.cluster, run.timeline, until);
        let most_tasks = lanes.iter().flat_map(|lane| lane.tasks.iter().map(|(_, count)| *count)).max().unwrap_or(0);
        lanes.truncate(MOST_LANES);
        let size = sheet.sizes().small;
        let names: Vec<&str> = run.cluster.workers.iter().take(MOST_LANES).map(|worker| worker.name.as_str()).collect();
        let labels = LABELS.iter().map(|name| letters::width(name, size, false)).max().unwrap_or(0);
        let names = letters::told_apart(&names, size, ((sheet.right() - sheet.left()) / 4).max(labels));
        let widest = names.iter().map(|name| letters::width(name, size, false)).max().unwrap_or(0);
        let room = widest.max(labels);
        let (least, most, all) = if sheet.look().is_narrow() { (15, 28, 480) } else { (19, 38, 620) };
        let pitch = (all / i32::try_from(lanes.len().max(1)).unwrap_or(i32::MAX)).clamp(least, most);
        Self {
            run,
            scale: TimeScale::new(run.timeline.began, until, sheet.left() + room + 10, sheet.right()),
            windows: windows(run.timeline, until),
            lanes,
            nobody,
            most_tasks,
            names,
            pitch,
        }
    }

    /// A sign for each rebalance, and its cause where there is room.
    fn rounds(&self, sheet: &mut Sheet, top: i32) -> i32 {
        let size = sheet.sizes().small;
        let row = line_height(size);
        let half = size / 3;
        let signs = top + row + half + 2;
        self.label(sheet, REBALANCES, signs);
        let mut rounds: Vec<(Sign, &Round)> =
            self.run.timeline.rounds.iter().map(|round| (sign(round), round)).collect();
        for (sign, round) in &rounds {
            sign.draw(sheet, (self.scale.x(seen(round)), signs), half);
        }
        // What nobody sees in the lanes is said first.
        rounds.sort_by_key(|(sign, round)| (*sign, seen(round)));
        for (_, round) in rounds {
            let text = |said| Text::new((self.scale.x(seen(round)), top + row / 2), size, Ink::Quiet, said);
            let (left, right) = (self.scale.left, self.scale.right);
            let all = self.causes(round);
            if letters::width(&all, size, false) > size * 14 || !sheet.text_near(text(all), left, right) {
                sheet.text_near(text(self.cause(round, size)), left, right);
            }
        }
        signs + half + 8
    }

    /// The main cause of a rebalance, its worker's name cut short.
    fn cause(&self, round: &Round, size: i32) -> String {
        let main = round.causes.iter().copied().min_by_key(|cause| Sign::of(*cause));
        let name = |worker: WorkerId| letters::fitted(self.name(worker), size, false, size * 5);
        main.map(|cause| words::cause(cause, name)).unwrap_or_default()
    }

    /// All causes, the main one first.
    fn causes(&self, round: &Round) -> String {
        let mut causes = round.causes.clone();
        causes.sort_by_key(|cause| Sign::of(*cause));
        let said: Vec<String> =
            causes.iter().map(|cause| words::cause(*cause, |of| self.name(of).to_owned())).collect();
        said.join(", ")
    }

    fn name(&self, worker: WorkerId) -> &str {
        self.names.get(worker.index()).map_or_else(|| words::worker(self.run.cluster, worker), String::as_str)
    }

    /// The delays that run.
    fn delays(&self, sheet: &mut Sheet, top: i32) -> i32 {
        if self.windows.is_empty() {
            return top;
        }
        let size = sheet.sizes().small;
        let line = top + 6;
        self.label(sheet, DELAY, line + 2);
        for window in &self.windows {
            signs::bracket(sheet, self.scale.x(window.from), self.scale.x(window.until), line, window.cut);
        }
        let mut longest: Vec<&Window> = self.windows.iter().collect();
        longest.sort_by_key(|window| (window.from - window.until, window.from));
        let text_at = line + 6 + line_height(size) / 2;
        for window in longest {
            let (ran, whole) = (window.until - window.from, window.deadline - window.from);
            let said = if window.cut { format!("{ran} of {whole}") } else { ran.to_string() };
            let middle = i32::midpoint(self.scale.x(window.from), self.scale.x(window.until));
            let text = Text::new((middle, text_at), size, Ink::Quiet, said);
            sheet.text_near(text, self.scale.left, self.scale.right);
        }
        text_at + line_height(size) / 2 + 4
    }

    /// What each worker does.
    fn lanes(&self, sheet: &mut Sheet, top: i32) -> i32 {
        let bottom = top + self.pitch * i32::try_from(self.lanes.len()).unwrap_or(0);
        self.scale.grid(sheet, top, bottom);
        for (place, (lane, name)) in (0..).zip(self.lanes.iter().zip(&self.names)) {
            let area = Area {
                left: self.scale.left,
                top: top + place * self.pitch + 2,
                right: self.scale.right,
                bottom: top + (place + 1) * self.pitch - 2,
            };
            self.label(sheet, name, i32::midpoint(area.top, area.bottom));
            self.lane(sheet, lane, area);
        }
        bottom
    }

    fn lane(&self, sheet: &mut Sheet, lane: &Lane, area: Area) {
        let (middle, height) = (i32::midpoint(area.top, area.bottom), area.bottom - area.top);
        sheet.line((area.left, middle), (area.right, middle), Ink::Grid, 1);
        for (from, until, count) in steps::runs(&steps::columns(&lane.tasks, &self.scale), area.left) {
            if count > 0 {
                let thick = self.thickness(count, height - 2);
                let top = middle - thick / 2;
                sheet.fill(Area { left: from, top, right: until, bottom: top + thick }, Ink::Work);
            }
        }
        for (left, right, process) in self.boxes(lane) {
            signs::phase(sheet, Area { left, right, ..area }, process);
        }
        for &(from, until) in &lane.leads {
            let (left, right) = (self.scale.x(from), self.scale.x(until));
            let thick = if height > 20 { 3 } else { 2 };
            sheet.fill(
                Area { left, top: area.bottom - thick + 1, right: right.max(left + 2), bottom: area.bottom + 1 },
                Ink::Leader,
            );
            signs::crown(sheet, (left, area.bottom - thick + 1), (height * 2 / 3).clamp(9, 14));
        }
    }

    /// The phases of a lane that are as wide as a pixel. Starting always shows: without it a restart
    /// would vanish from a long roll.
    fn boxes(&self, lane: &Lane) -> Vec<(i32, i32, Process)> {
        let place = |&((from, until), process): &((SimTime, SimTime), Process)| {
            (self.scale.x(from), self.scale.x(until), process)
        };
        let wide = |(left, right, process): &(i32, i32, Process)| left < right || *process == Process::Starting;
        let all = joined(&lane.phases);
        all.iter().map(place).filter(wide).map(|(left, right, process)| (left, right.max(left + 2), process)).collect()
    }

    fn thickness(&self, count: usize, height: i32) -> i32 {
        let part = i64::try_from(count).unwrap_or(i64::MAX).saturating_mul(height.into());
        let whole = i64::try_from(self.most_tasks.max(1)).unwrap_or(i64::MAX);
        i32::try_from(part / whole).unwrap_or(height).max(2)
    }

    /// The work that nobody has.
    fn nobody(&self, sheet: &mut Sheet, top: i32) -> i32 {
        let Some(most) = self.nobody.iter().map(|(_, level)| *level).max().filter(|most| *most > 0) else { return top };
        let size = sheet.sizes().small;
        let ceiling = top + 4 + line_height(size);
        let height = if sheet.look().is_narrow() { 36 } else { 56 };
        let floor = ceiling + height;
        self.scale.grid(sheet, top, floor);
        self.label(sheet, NOBODY, floor - height / 2);
        let columns = steps::columns(&self.nobody, &self.scale);
        let runs = steps::runs(&columns, self.scale.left);
        let y = |level: usize| {
            let part = i64::try_from(level).unwrap_or(0) * i64::from(height) / i64::try_from(most).unwrap_or(1);
            floor - i32::try_from(part).unwrap_or(0).max(1)
        };
        for shape in steps::outline(&runs, floor, y) {
            sheet.shape(shape, Ink::Nobody);
        }
        sheet.line((self.scale.left, floor), (self.scale.right, floor), Ink::Quiet, 1);
        if let Some(&(left, right, _)) = runs.iter().find(|run| run.2 == most) {
            let said = format!("{} without an owner", words::count(most, "task"));
            let text =
                Text::new((i32::midpoint(left, right), ceiling - line_height(size) / 2), size, Ink::Nobody, said);
            sheet.text_near(text.bold(true), self.scale.left, self.scale.right);
        }
        floor
    }

    fn key(&self) -> Vec<Item> {
        let phases =
            |process: Process| self.lanes.iter().flat_map(|lane| self.boxes(lane)).any(|seen| seen.2 == process);
        let mut items = vec![Item::Work(format!("running tasks; the thickest: {}", self.most_tasks)), Item::Leads];
        let shown = [Process::Stopping, Process::Down, Process::Starting, Process::Frozen];
        items.extend(shown.into_iter().filter(|process| phases(*process)).map(Item::Phase));
        for shown in [Sign::Left, Sign::Joined, Sign::Over, Sign::Other] {
            items
                .extend(self.run.timeline.rounds.iter().any(|round| sign(round) == shown).then_some(Item::Sign(shown)));
        }
        items.extend((!self.windows.is_empty()).then_some(Item::Delay(false)));
        items.extend(self.windows.iter().any(|window| window.cut).then_some(Item::Delay(true)));
        items
    }

    /// What there was no room for.
    fn left_out(&self, sheet: &mut Sheet, top: i32) -> i32 {
        let left = self.run.cluster.workers.len() - self.lanes.len();
        if left == 0 {
            return top;
        }
        remark(sheet, top, &format!("{} more have no lane here.", words::count(left, "worker")))
    }

    /// What a row is, at its left.
    fn label(&self, sheet: &mut Sheet, text: &str, y: i32) {
        let size = sheet.sizes().small;
        let room = self.scale.left - 10 - sheet.left();
        let text = letters::fitted(text, size, false, room);
        sheet.text(Text::new((self.scale.left - 10, y), size, Ink::Text, text).anchored(Anchor::End));
    }
}

fn title(run: &Run<'_>) -> String {
    let (tasks, impact) = (run.cluster.work.task_count(), run.impact);
    let said = format!("Restarting {} {}", words::restarted(run.cluster, run.timeline), words::takes(impact));
    if impact.peak.0 <= 0.0 {
        return format!("{said}; every task keeps its owner");
    }
    format!(
        "{said}; at most {} of {} ({}) have no owner at once, {} task-seconds in all",
        words::part_of(impact.peak, tasks),
        words::count(tasks, "task"),
        impact.peak,
        words::task_seconds(impact.unassigned.0)
    )
}

/// The sign of the cause that says most.
fn sign(round: &Round) -> Sign {
    round.causes.iter().map(|cause| Sign::of(*cause)).min().unwrap_or(Sign::Other)
}

/// Starting and joining look alike: one box.
fn joined(phases: &[((SimTime, SimTime), Process)]) -> Vec<((SimTime, SimTime), Process)> {
    let mut boxes: Vec<((SimTime, SimTime), Process)> = Vec::new();
    for &(span, process) in phases {
        match boxes.last_mut() {
            Some(((_, until), Process::Starting)) if process == Process::Joining && *until == span.0 => *until = span.1,
            _ => boxes.push((span, process)),
        }
    }
    boxes
}

const REBALANCES: &str = "rebalances";
const DELAY: &str = "delay";
const NOBODY: &str = "no owner";

/// The labels of the rows that are no worker's.
const LABELS: [&str; 3] = [REBALANCES, DELAY, NOBODY];

/// More workers than these do not make a picture.
const MOST_LANES: usize = 100;
