//! The gate of one step: looks in, decisions out.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::baseline::Baseline;
use super::checks::{Look, fresh};
use super::clock::Clock;
use super::conditions::{Conditions, Foreseen, Limits};
use super::decision::{Decision, Verdict};
use super::memory::Memory;
use super::reason::{Rated, Reason, Way};
use super::serial::{left, millis, millis_if_known};
use super::state::{IllegalMove, Move, State};
use super::view::{View, address};
use crate::snapshot::Snapshot;
use crate::units::{Duration, Timestamp};

/// The gate of one step of a roll. Looks at the cluster go in, decisions come out.
///
/// It reads no clock: each look carries the wall clock, for people, and a steady clock that
/// begins at zero with the process, for the windows. Written to a file in between it goes on as
/// if nothing had been; the process that reads it back calls [`Gate::resume`], and from then
/// to its first look only the wall clock can tell how much time has passed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    state: State,
    conditions: Conditions,
    limits: Limits,
    workers: Vec<Worker>,
    accepted: BTreeSet<String>,
    baseline: Baseline,
    clock: Clock,
    memory: Memory,
    /// Whether the next look is too far from the one before to have seen what happened between.
    apart: bool,
    /// When the last snapshot was taken.
    seen_at: Option<Timestamp>,
    #[serde(with = "millis", rename = "begun_ms")]
    begun: Duration,
    #[serde(with = "millis_if_known", rename = "back_at_ms")]
    back_at: Option<Duration>,
    /// Since when everything is met.
    #[serde(with = "millis_if_known", rename = "met_since_ms")]
    met_since: Option<Duration>,
    /// Since when only a person can change what is not met.
    #[serde(with = "millis_if_known", rename = "act_since_ms")]
    act_since: Option<Duration>,
    last: Option<Decision>,
}

/// A worker that a step restarts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// Its name in the description, or its address.
    pub name: String,
    /// Its address as `host:port`.
    pub at: String,
    /// Its member id before the stop, as far as it was seen.
    pub member: Option<String>,
    #[serde(with = "millis_if_known", rename = "stopped_at_ms")]
    pub(super) stopped_at: Option<Duration>,
    /// Whether it was seen to be gone since.
    pub(super) seen_away: bool,
}

/// One look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observation<'a> {
    /// What was seen; nothing if nobody could look.
    pub snapshot: Option<&'a Snapshot>,
    /// What stopping the step's workers now would do, computed from the same snapshot.
    pub foreseen: Option<&'a Foreseen>,
}

/// Reasons that nobody may overrule, or that do not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAcceptable {
    /// Their kinds.
    pub kinds: Vec<String>,
}

impl Gate {
    /// A gate for the next restart of these workers, by their addresses.
    pub fn new(conditions: Conditions, limits: Limits, baseline: Baseline, workers: &[&str], now: Timestamp) -> Self {
        let mut baseline = baseline;
        let memory = std::mem::take(&mut baseline.memory);
        let worker = |url: &&str| {
            let at = address(url);
            let member = baseline.workers.get(&at).and_then(|worker| worker.member.clone());
            Worker { name: baseline.name(url), at, member, stopped_at: None, seen_away: false }
        };
        Self {
            state: State::Settling,
            conditions,
            limits,
            workers: workers.iter().map(worker).collect(),
            accepted: BTreeSet::new(),
            baseline,
            clock: Clock::new(now),
            memory,
            apart: true,
            seen_at: None,
            begun: Duration::ZERO,
            back_at: None,
            met_since: None,
            act_since: None,
            last: None,
        }
    }

    /// A gate for a restart that is under way already, which nobody asked it about: `members`
    /// are the ids that the workers had before, in the same order.
    pub fn underway(
        conditions: Conditions,
        limits: Limits,
        baseline: Baseline,
        workers: &[(&str, Option<&str>)],
        now: Timestamp,
    ) -> Self {
        let urls: Vec<&str> = workers.iter().map(|(url, _)| *url).collect();
        let mut gate = Self::new(conditions, limits, baseline, &urls, now);
        for (worker, (_, member)) in gate.workers.iter_mut().zip(workers) {
            worker.member = member.map(str::to_owned).or(worker.member.take());
            worker.stopped_at = Some(Duration::ZERO);
        }
        gate.state = State::Away;
        gate
    }

    /// The gate of the following step, with what this one has seen. What was accepted is not
    /// taken along.
    #[must_use]
    pub fn following(&self, conditions: Conditions, limits: Limits, workers: &[&str]) -> Self {
        let mut next = Self::new(conditions, limits, self.baseline.clone(), workers, self.clock.wall());
        next.clock = self.clock.clone();
        next.memory = self.memory.clone();
        next.apart = self.apart;
        next.seen_at = self.seen_at;
        next.begun = self.clock.passed();
        next
    }

    /// The same gate where the caller now asks something else: what was seen, and where the step
    /// is, stays as it was.
    #[must_use]
    pub fn asking(self, conditions: Conditions, limits: Limits) -> Self {
        Self { conditions, limits, ..self }
    }

    /// Goes on in another process, whose steady clock begins at zero.
    pub fn resume(&mut self) {
        self.clock.resume();
    }

    /// Lets reasons of these kinds pass for this step. They are reported as accepted, not met.
    ///
    /// # Errors
    /// The kinds that do not exist or that nobody may overrule; then none is accepted.
    pub fn accept(&mut self, kinds: &[&str]) -> Result<(), NotAcceptable> {
        let wrong = kinds.iter().filter(|kind| !Reason::can_be_accepted(kind));
        let wrong: Vec<String> = wrong.map(|kind| (*kind).to_owned()).collect();
        if !wrong.is_empty() {
            return Err(NotAcceptable { kinds: wrong });
        }
        self.accepted.extend(kinds.iter().map(|kind| (*kind).to_owned()));
        Ok(())
    }

    /// Somebody begins to stop the workers.
    ///
    /// # Errors
    /// If the gate is not open.
    pub fn restart_began(&mut self, now: Timestamp, steady: Duration) -> Result<(), IllegalMove> {
        self.state = self.state.after(Move::RestartBegan)?;
        self.apart |= self.clock.tick(now, steady, self.conditions.known.unwatched).unwatched;
        for worker in &mut self.workers {
            worker.stopped_at = Some(self.clock.passed());
        }
        self.met_since = None;
        self.act_since = None;
        Ok(())
    }

    /// Takes a look and decides. `steady` is the process's steady clock.
    pub fn observe(&mut self, now: Timestamp, steady: Duration, observation: &Observation<'_>) -> Decision {
        if let Some(last) = self.last.as_ref().filter(|_| self.state.is_final()) {
            return Decision { at: now, ..last.clone() };
        }
        let tick = self.clock.tick(now, steady, self.conditions.known.unwatched);
        self.apart |= tick.unwatched;
        let mut reasons = Vec::new();
        let mut moved = self.apart;
        match observation.snapshot {
            None => reasons.push(Reason::SnapshotMissing {}),
            Some(snapshot) => {
                fresh(snapshot, self.seen_at, now, &self.conditions.known, &mut reasons);
                if reasons.iter().all(|reason| self.accepted.contains(reason.kind())) {
                    moved |= self.look(snapshot, observation.foreseen, &mut reasons);
                }
            }
        }
        reasons.extend(tick.notes);
        let decision = self.decide(now, reasons, moved);
        self.last = Some(decision.clone());
        decision
    }

    /// The caller waits no longer: the answer is what was last seen, and the state is kept.
    pub fn patience_over(&self, now: Timestamp) -> Decision {
        match &self.last {
            Some(last) => Decision { at: now, ..last.clone() },
            None => self.decision(
                now,
                Verdict::CannotTell,
                Sorted { blocking: vec![Reason::SnapshotMissing {}], ..Sorted::default() },
            ),
        }
    }

    /// When something happens by itself, if nothing that is seen changes: a window ends, or a
    /// limit is reached.
    pub fn deadline(&self) -> Option<Timestamp> {
        if self.state.is_final() {
            return None;
        }
        let now = self.clock.passed();
        let until = |since: Option<Duration>, allowed: Option<Duration>| Some(left(allowed?, left(now, since?)));
        let stopped = self.stopped_at().filter(|_| self.state == State::Away);
        let back = self.back_at.filter(|_| self.state == State::Recovering);
        let met = self.met_since.filter(|_| self.state != State::Open);
        [
            until(Some(self.begun), self.limits.deadline),
            until(stopped, self.limits.back_within),
            until(back, self.limits.settled_within),
            until(met, Some(self.window())),
        ]
        .into_iter()
        .flatten()
        .min()
        .map(|left| self.clock.wall().after(left))
    }

    /// Where the step is.
    pub fn state(&self) -> State {
        self.state
    }

    /// The workers it restarts.
    pub fn workers(&self) -> &[Worker] {
        &self.workers
    }

    /// How the cluster was before the roll.
    pub fn baseline(&self) -> &Baseline {
        &self.baseline
    }

    /// The last decision.
    pub fn last(&self) -> Option<&Decision> {
        self.last.as_ref()
    }

    /// Remembers what is seen and names what is not met. Says whether anything moved.
    fn look(&mut self, snapshot: &Snapshot, foreseen: Option<&Foreseen>, reasons: &mut Vec<Reason>) -> bool {
        let view = View::of(snapshot);
        let now = self.clock.passed();
        let names: Vec<&str> = self.baseline.connectors.keys().map(String::as_str).collect();
        let (memory, moved) = self.memory.next(&view, &names, now, self.apart);
        self.memory = memory;
        self.seen_at = Some(snapshot.taken_at);
        self.apart = false;
        if self.state.is_before() {
            for worker in &mut self.workers {
                let seen = view.group.as_ref().and_then(|group| group.ids_at(&worker.at).next());
                worker.member = seen.map(str::to_owned).or(worker.member.take());
            }
        } else {
            for worker in &mut self.workers {
                worker.seen_away |= view.answers(&worker.at) == Some(false);
            }
        }
        let look = Look {
            view: &view,
            baseline: &self.baseline,
            conditions: &self.conditions,
            limits: &self.limits,
            memory: &self.memory,
            workers: &self.workers,
            foreseen,
            now,
            begun: self.begun,
        };
        if self.state.is_before() {
            look.before(reasons);
            return moved;
        }
        let back = self.workers.iter().all(|worker| look.is_back(worker));
        if back && self.back_at.is_none() {
            self.back_at = Some(now);
        }
        let back_for = self.back_at.map(|back| left(now, back));
        look.after(left(now, self.stopped_at().unwrap_or_default()), back_for, reasons);
        if back && self.state == State::Away {
            self.go(Move::SeenBack);
        }
        moved
    }

    fn decide(&mut self, now: Timestamp, reasons: Vec<Reason>, moved: bool) -> Decision {
        let mut sorted = self.sort(reasons);
        if moved {
            self.met_since = None;
            self.act_since = None;
        }
        let time = self.clock.passed();
        if sorted.blocking.is_empty() && self.state != State::Away {
            self.act_since = None;
            let window = self.window();
            let held = left(time, *self.met_since.get_or_insert(time));
            if held >= window {
                self.go(Move::AllMet);
                return self.decision(now, Verdict::Proceed, sorted);
            }
            sorted.blocking.push(Reason::Calm { held, window });
        } else {
            self.met_since = None;
        }
        if let Some(limit) = self.limit(&sorted.blocking) {
            sorted.blocking = limit;
            self.go(Move::LimitReached);
            return self.decision(now, Verdict::Stop, sorted);
        }
        self.go(Move::Broke);
        let verdict = self.verdict(&sorted.blocking);
        self.decision(now, verdict, sorted)
    }

    /// The answer while something is not met: what a person has to do is said when it has been
    /// so for the calm window, as until then it may pass.
    fn verdict(&mut self, blocking: &[Reason]) -> Verdict {
        let time = self.clock.passed();
        if blocking.iter().all(|reason| reason.way() == Way::Act) {
            if self.last.as_ref().is_none_or(|last| !alike(&last.reasons, blocking)) {
                self.act_since = None;
            }
            let held = left(time, *self.act_since.get_or_insert(time));
            return if held >= self.window() { Verdict::Stop } else { Verdict::NotYet };
        }
        self.act_since = None;
        if blocking.iter().all(|reason| reason.way() == Way::Unknown) { Verdict::CannotTell } else { Verdict::NotYet }
    }

    /// What ends the step, if something does.
    fn limit(&self, blocking: &[Reason]) -> Option<Vec<Reason>> {
        if blocking.iter().any(|reason| reason.way() == Way::Never) {
            return Some(blocking.iter().filter(|reason| reason.way() == Way::Never).cloned().collect());
        }
        let now = self.clock.passed();
        let over = |since: Option<Duration>, allowed: Option<Duration>| {
            let passed = left(now, since?);
            allowed.filter(|allowed| passed > *allowed).map(|allowed| (passed, allowed))
        };
        let unmet = || blocking.to_vec();
        if let Some((passed, allowed)) = over(Some(self.begun), self.limits.deadline) {
            return Some(vec![Reason::DeadlinePassed { passed, allowed, unmet: unmet() }]);
        }
        match self.state {
            State::Away => over(self.stopped_at(), self.limits.back_within).map(|(passed, allowed)| {
                let workers = self.workers.iter().map(|worker| worker.name.clone()).collect();
                let (waiting_per_minute, without) = (None, None);
                vec![Reason::NotBackInTime { workers, passed, allowed, waiting_per_minute, without, unmet: unmet() }]
            }),
            State::Recovering => over(self.back_at, self.limits.settled_within)
                .map(|(passed, allowed)| vec![Reason::NotSettledInTime { passed, allowed, unmet: unmet() }]),
            State::Settling | State::Open | State::Passed | State::Halted => None,
        }
    }

    fn sort(&self, reasons: Vec<Reason>) -> Sorted {
        let mut sorted = Sorted::default();
        for reason in reasons {
            // After the stop, what asks for another plan is a matter of the next step's gate.
            let of_the_next = !self.state.is_before() && reason.rated() == Some(Rated::PlanAgain);
            let to = if reason.way() == Way::Note || of_the_next {
                &mut sorted.notes
            } else if self.accepted.contains(reason.kind()) {
                &mut sorted.accepted
            } else {
                &mut sorted.blocking
            };
            to.push(reason);
        }
        sorted
    }

    fn decision(&self, now: Timestamp, verdict: Verdict, sorted: Sorted) -> Decision {
        let passed = left(self.clock.passed(), self.begun);
        Decision {
            verdict,
            state: self.state,
            at: now,
            passed,
            reasons: sorted.blocking,
            accepted: sorted.accepted,
            notes: sorted.notes,
            calm: self.met_since.map(|since| left(self.clock.passed(), since)).unwrap_or_default(),
            window: self.window(),
        }
    }

    /// Makes a move that the state has; one it has not would be a mistake of this machine.
    fn go(&mut self, tried: Move) {
        match self.state.after(tried) {
            Ok(next) => self.state = next,
            Err(illegal) => debug_assert!(false, "{illegal:?}"),
        }
    }

    fn window(&self) -> Duration {
        if self.state.is_before() { self.conditions.calm_before() } else { self.conditions.calm_after() }
    }

    fn stopped_at(&self) -> Option<Duration> {
        self.workers.iter().filter_map(|worker| worker.stopped_at).max()
    }
}

/// Whether reasons are of the same kinds.
fn alike(some: &[Reason], others: &[Reason]) -> bool {
    some.iter().map(Reason::kind).eq(others.iter().map(Reason::kind))
}

/// Reasons by what becomes of them.
#[derive(Default)]
struct Sorted {
    blocking: Vec<Reason>,
    accepted: Vec<Reason>,
    notes: Vec<Reason>,
}

impl fmt::Display for NotAcceptable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = self.kinds.iter().map(|kind| format!("`{kind}`")).collect();
        write!(
            f,
            "nobody can overrule {}: a limit, another cluster and a missing worker stay what they are",
            kinds.join(", ")
        )
    }
}

impl std::error::Error for NotAcceptable {}
