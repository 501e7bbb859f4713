//! One question to the gate, from its first look to its answer.

use std::collections::{BTreeMap, BTreeSet};

use super::addresses::addresses;
use super::asked::{Options, conditions};
use super::journal::{Accepted, Answered, Ask, Began, Entry, Journal, Seen};
use super::place::{after_which, before_which, names};
use super::plan_file::{PlanFile, Step};
use super::refusal::Refusal;
use crate::gate::{Baseline, Decision, Foreseen, Gate, Observation, Reason, Sight, State, Verdict, Way, Work};
use crate::snapshot::{Snapshot, WorkItems, same_worker};
use crate::units::{Duration, Timestamp};

/// One question: looks at the cluster go in, what changed comes out, and in the end an answer.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    plan: &'a PlanFile,
    step: &'a Step,
    ask: Ask,
    workers: Vec<String>,
    options: Options,
    owner: String,
    accepted: BTreeSet<String>,
    /// What may wait before the step.
    waiting: Work,
    /// The gate; nothing until there is a baseline.
    gate: Option<Gate>,
    begun: Timestamp,
    timeline: Vec<Seen>,
    /// What was said last, without the times that run on by themselves.
    said: BTreeSet<String>,
    decision: Option<Decision>,
    foreseen: Option<Foreseen>,
    owned: BTreeMap<String, WorkItems>,
    /// When the processes started, by who restarts them.
    started_at: Option<Timestamp>,
    entries: Vec<Entry>,
}

/// What one look brought.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// What changed since the look before, as sentences.
    pub lines: Vec<String>,
    /// The answer as it stands.
    pub decision: Decision,
    /// Whether that is the answer: nothing is waited for any more.
    pub over: bool,
}

/// Who asks, and what of the gate's reasons they accept.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Asker {
    /// As `user@host`, or as it was given.
    pub name: String,
    /// Whether another's roll becomes theirs.
    pub takes_over: bool,
    /// Kinds of reasons accepted for this step, with why.
    pub accepts: Vec<(String, String)>,
    /// When the restarted processes started, where the caller knows.
    pub started_at: Option<Timestamp>,
}

impl<'a> Session<'a> {
    /// Begins a question about workers, by their names in the plan.
    ///
    /// # Errors
    /// Why it cannot be asked at this point of the roll.
    pub fn begin(
        plan: &'a PlanFile,
        journal: &Journal,
        ask: Ask,
        workers: &[String],
        options: Options,
        asker: &Asker,
        now: Timestamp,
    ) -> Result<Self, Refusal> {
        let mut entries = allowed(plan, journal, workers, asker, now)?;
        let step = match ask {
            Ask::Before => before_which(plan, journal, workers)?,
            Ask::After => after_which(plan, journal, workers)?,
        };
        let accepted = |(reason, because): &(String, String)| {
            let (reason, because, owner) = (reason.clone(), because.clone(), asker.name.clone());
            Entry::Accepted(Accepted { at: now, step: step.number, reason, because, owner })
        };
        entries.extend(asker.accepts.iter().map(accepted));
        let given = asker.accepts.iter().map(|(reason, _)| reason.clone());
        let accepted: BTreeSet<String> = journal.accepted(step.number).into_iter().chain(given).collect();
        let wrong: Vec<String> = accepted.iter().filter(|kind| !Reason::can_be_accepted(kind)).cloned().collect();
        if !wrong.is_empty() {
            return Err(Refusal::NotAcceptable { kinds: wrong });
        }
        let mut session = Self {
            plan,
            step,
            ask,
            workers: names(plan, step),
            options,
            owner: asker.name.clone(),
            accepted,
            waiting: journal.waiting(plan),
            gate: None,
            begun: now,
            timeline: Vec::new(),
            said: BTreeSet::new(),
            decision: None,
            foreseen: None,
            owned: BTreeMap::new(),
            started_at: asker.started_at,
            entries,
        };
        session.gate = session.resumed(journal);
        Ok(session)
    }

    /// The step of the plan that the question is about.
    pub fn step(&self) -> &Step {
        self.step
    }

    /// Its workers, by their names in the plan.
    pub fn workers(&self) -> &[String] {
        &self.workers
    }

    /// Whether the effect of stopping the workers now should be computed for the next look.
    pub fn asks_foreseen(&self) -> bool {
        self.ask == Ask::Before
    }

    /// Takes a look; nothing if nobody could look. `steady` is the process's steady clock.
    ///
    /// # Errors
    /// If a worker of the plan cannot be told among the members.
    pub fn observe(
        &mut self,
        now: Timestamp,
        steady: Duration,
        snapshot: Option<&Snapshot>,
        foreseen: Option<&Foreseen>,
    ) -> Result<Turn, Refusal> {
        if self.gate.is_none()
            && let Some(snapshot) = snapshot
        {
            match self.baseline(snapshot)? {
                Ok(gate) => self.gate = Some(gate),
                Err(reasons) => return Ok(self.turn(now, unready(now, self.begun, reasons))),
            }
        }
        let Some(gate) = &mut self.gate else {
            return Ok(self.turn(now, unready(now, self.begun, vec![Reason::SnapshotMissing {}])));
        };
        let decision = gate.observe(now, steady, &Observation { snapshot, foreseen });
        self.foreseen = foreseen.cloned();
        if let Some(snapshot) = snapshot.filter(|_| decision.state == State::Open) {
            self.owned = self.owned_now(snapshot);
        }
        Ok(self.turn(now, decision))
    }

    /// When something happens by itself, if nothing that is seen changes.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.gate.as_ref().and_then(Gate::deadline)
    }

    /// Ends the question with the answer as it stands, and gives the lines to add to the journal.
    pub fn end(mut self, now: Timestamp) -> (Decision, Vec<Entry>, Vec<Seen>) {
        let decision = match (&self.gate, self.decision.take()) {
            (_, Some(decision)) => Decision { at: now, ..decision },
            (Some(gate), None) => gate.patience_over(now),
            (None, None) => unready(now, self.begun, vec![Reason::SnapshotMissing {}]),
        };
        let timeline = self.timeline.clone();
        if self.gate.is_none() {
            // The roll has not begun: a journal begins with its baseline or not at all.
            self.entries.clear();
        }
        if let Some(gate) = self.gate.take() {
            let reasons = [&decision.reasons, &decision.accepted, &decision.notes];
            self.entries.push(Entry::Answered(Box::new(Answered {
                at: now,
                ask: self.ask,
                step: self.step.number,
                workers: self.workers.clone(),
                verdict: decision.verdict,
                reasons: reasons.into_iter().flatten().cloned().collect(),
                waited_ms: now.since(self.begun).as_millis(),
                timeline: std::mem::take(&mut self.timeline),
                owned: std::mem::take(&mut self.owned),
                foreseen: self.foreseen.take(),
                started_at: self.started_at,
                gate,
            })));
        }
        (decision, self.entries, timeline)
    }

    /// The gate as the last call left it, for this question.
    fn resumed(&self, journal: &Journal) -> Option<Gate> {
        let began = journal.began()?;
        let (conditions, limits) = conditions(self.plan, self.step, self.waiting.clone(), &self.options);
        let urls: Vec<String> = self.workers.iter().map(|name| began.url_of(name)).collect();
        let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
        let own = journal.last_of(self.step.number);
        let mut gate = match (self.ask, own) {
            (Ask::Before, Some(last)) if last.ask == Ask::Before => last.gate.clone().asking(conditions, limits),
            (Ask::Before, _) => match journal.answers().next_back() {
                Some(last) => last.gate.following(conditions, limits, &urls),
                None => Gate::new(conditions, limits, began.baseline.clone(), &urls, began.at),
            },
            (Ask::After, Some(last)) => {
                let mut gate = last.gate.clone().asking(conditions, limits);
                if gate.state() == State::Open {
                    // Whoever was told to proceed may have stopped the worker at once.
                    gate.resume();
                    _ = gate.restart_began(last.at, Duration::ZERO);
                }
                gate
            }
            (Ask::After, None) => {
                let workers: Vec<(&str, Option<&str>)> = urls.iter().map(|url| (*url, began.member_at(url))).collect();
                Gate::underway(conditions, limits, began.baseline.clone(), &workers, began.at)
            }
        };
        gate.resume();
        let kinds: Vec<&str> = self.accepted.iter().map(String::as_str).collect();
        _ = gate.accept(&kinds);
        Some(gate)
    }

    /// Takes the baseline and begins the roll.
    fn baseline(&mut self, snapshot: &Snapshot) -> Result<Result<Gate, Vec<Reason>>, Refusal> {
        let found = addresses(&self.plan.cluster, snapshot)?;
        let by_url: BTreeMap<String, String> = found.iter().map(|(name, url)| (url.clone(), name.clone())).collect();
        let sight = self.options.rest_only.clone().map_or(Sight::Group, Sight::RestOnly);
        let baseline = match Baseline::take(snapshot, &sight, &by_url, &self.accepted) {
            Ok(baseline) => baseline,
            Err(reasons) => return Ok(Err(reasons)),
        };
        let (conditions, limits) = conditions(self.plan, self.step, Work::default(), &self.options);
        let urls: Vec<&str> = self.workers.iter().filter_map(|name| found.get(name)).map(String::as_str).collect();
        let mut gate = Gate::new(conditions, limits, baseline.clone(), &urls, self.begun);
        let kinds: Vec<&str> = self.accepted.iter().map(String::as_str).collect();
        _ = gate.accept(&kinds);
        let began = Began {
            journal_version: Journal::VERSION,
            at: self.begun,
            rollgate: env!("CARGO_PKG_VERSION").to_owned(),
            owner: self.owner.clone(),
            plan: self.plan.hash.clone(),
            urls: found,
            baseline,
        };
        self.entries.insert(0, Entry::Began(Box::new(began)));
        Ok(Ok(gate))
    }

    /// What the step's workers own by the group.
    fn owned_now(&self, snapshot: &Snapshot) -> BTreeMap<String, WorkItems> {
        let Some((group, gate)) = snapshot.group.known().zip(self.gate.as_ref()) else { return BTreeMap::new() };
        let of = |worker: &crate::gate::Worker| {
            let its = |url: &String| same_worker(url, &worker.at);
            let member = group.members.iter().find(|member| member.url.known().is_some_and(its))?;
            Some((worker.name.clone(), member.owns.known()?.clone()))
        };
        gate.workers().iter().filter_map(of).collect()
    }

    fn turn(&mut self, now: Timestamp, decision: Decision) -> Turn {
        let mut said = BTreeSet::new();
        let mut lines = Vec::new();
        for reason in decision.reasons.iter().chain(&decision.notes) {
            let key = without_times(reason);
            if !self.said.contains(&key) && !said.contains(&key) {
                lines.push(reason.to_string());
            }
            said.insert(key);
        }
        self.said = said;
        let after_ms = now.since(self.begun).as_millis();
        self.timeline.extend(lines.iter().map(|what| Seen { at: now, after_ms, what: what.clone() }));
        self.decision = Some(decision.clone());
        let over = matches!(decision.verdict, Verdict::Proceed | Verdict::Stop);
        Turn { lines, decision, over }
    }
}

/// Whether the asker may ask, and what that adds to the journal.
fn allowed(
    plan: &PlanFile,
    journal: &Journal,
    workers: &[String],
    asker: &Asker,
    now: Timestamp,
) -> Result<Vec<Entry>, Refusal> {
    let known: Vec<String> = plan.cluster.workers.iter().map(|worker| worker.name.clone()).collect();
    if let Some(worker) = workers.iter().find(|name| !known.contains(name)) {
        return Err(Refusal::UnknownWorker { worker: worker.clone(), known });
    }
    let Some(began) = journal.began() else { return Ok(Vec::new()) };
    if began.plan != plan.hash {
        return Err(Refusal::OtherPlan { began: began.at, owner: began.owner.clone() });
    }
    match journal.owner() {
        Some(owner) if owner != asker.name && !asker.takes_over => {
            Err(Refusal::OtherOwner { owner: owner.to_owned(), last: journal.last_at().unwrap_or(began.at) })
        }
        Some(owner) if owner != asker.name => {
            Ok(vec![Entry::TakenOver { at: now, from: owner.to_owned(), by: asker.name.clone() }])
        }
        _ => Ok(Vec::new()),
    }
}

/// The answer where there is no baseline yet.
fn unready(now: Timestamp, begun: Timestamp, reasons: Vec<Reason>) -> Decision {
    let has = |way: Way| reasons.iter().any(|reason| reason.way() == way);
    let verdict = match () {
        () if has(Way::Never) => Verdict::Stop,
        () if has(Way::Unknown) => Verdict::CannotTell,
        () => Verdict::NotYet,
    };
    Decision {
        verdict,
        state: State::Settling,
        at: now,
        passed: now.since(begun),
        reasons,
        accepted: Vec::new(),
        notes: Vec::new(),
        calm: Duration::ZERO,
        window: Duration::ZERO,
    }
}

/// A reason without the times in it, which run on by themselves: what tells a change.
fn without_times(reason: &Reason) -> String {
    let mut value = serde_json::to_value(reason).unwrap_or_default();
    if let Some(entries) = value.as_object_mut() {
        entries.retain(|key, _| !key.ends_with("_ms"));
    }
    format!("{} {value}", reason.kind())
}
