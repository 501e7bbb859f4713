//! `rollgate gate`

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Instant;

use rollgate_core::description;
use rollgate_core::gate::{Decision, RestOnly, Verdict};
use rollgate_core::report::{json, text, v1};
use rollgate_core::roll::{Ask, Asker, Options, PlanFile, Session};
use rollgate_core::snapshot::Snapshot;
use rollgate_core::units::{Duration, Timestamp};
use rollgate_core::verbs;

use crate::args::{Gate, GateAsk, GateFormat, Question};
use crate::clock;
use crate::collect::{Address, Collector, Look, Versions};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::journal::JournalFile;
use crate::load;
use crate::output::Screen;

/// Asks the gate, and waits for its answer.
pub(super) fn run(arguments: &Gate, screen: &Screen) -> Result<Exit, Failure> {
    match &arguments.ask {
        GateAsk::Before(before) => ask(Ask::Before, &before.question, None, screen),
        GateAsk::After(after) => {
            let started_at = after.started_at.as_deref().map(Timestamp::parse).transpose();
            let started_at = started_at.map_err(|error| Failure::Argument(format!("--started-at: {error}")))?;
            ask(Ask::After, &after.question, started_at, screen)
        }
    }
}

fn ask(ask: Ask, question: &Question, started_at: Option<Timestamp>, screen: &Screen) -> Result<Exit, Failure> {
    let options = options(question)?;
    let poll = options.poll;
    let patience = time("--wait-timeout", &question.wait_timeout)?;
    let plan = plan_file(&question.plan)?;
    let asker = Asker {
        name: question.owner.clone().unwrap_or_else(clock::owner),
        takes_over: question.take_over,
        accepts: question
            .accept
            .iter()
            .map(|kind| (kind.clone(), question.because.clone().unwrap_or_default()))
            .collect(),
        started_at,
    };
    let mut eyes = Eyes::of(question)?;
    let begun = clock::now();
    let mut file = JournalFile::open(&question.journal, &asker.name, begun, question.break_lock)?;
    let journal = file.read()?;
    let session = Session::begin(&plan, &journal, ask, &question.workers, options, &asker, begun);
    let mut session = session.map_err(|refusal| Failure::Argument(refusal.to_string()))?;
    let steady = Instant::now();
    let passed = || Duration::from_micros(i64::try_from(steady.elapsed().as_micros()).unwrap_or(i64::MAX));
    let page = screen.page();
    let shows = question.output == GateFormat::Text || io::stderr().is_terminal();
    loop {
        let looked = eyes.look(&session, &journal)?;
        let foreseen = looked.as_ref().filter(|_| session.asks_foreseen());
        let foreseen = foreseen.and_then(|snapshot| verbs::foreseen(&plan, session.workers(), snapshot));
        let turn = session.observe(clock::now(), passed(), looked.as_ref(), foreseen.as_ref());
        let turn = turn.map_err(|refusal| Failure::Argument(refusal.to_string()))?;
        if shows {
            for line in &turn.lines {
                Screen::say(text::gate_line(passed(), line, &page).trim_end());
            }
        }
        if turn.over || passed() >= patience {
            break;
        }
        let left = patience - passed();
        let soon = session.deadline().map_or(poll, |at| at.since(clock::now()).max(Duration::from_millis(50)));
        clock::sleep(poll.min(left).min(soon));
    }
    let (step, workers) = (session.step().clone(), session.workers().to_vec());
    let (decision, entries, timeline) = session.end(clock::now());
    file.add(&entries)?;
    let foreseen = entries.iter().rev().find_map(|entry| match entry {
        rollgate_core::roll::Entry::Answered(answered) => answered.foreseen.clone(),
        _ => None,
    });
    let words = text::gate_answer(ask, &step, &workers, &decision, foreseen.as_ref());
    match question.output {
        GateFormat::Json => {
            let of = v1::AnswerOf { ask, step: step.number, workers: &workers, waited: passed(), timeline, foreseen };
            Screen::answer(&json(&v1::GateV1::new(of, words, &decision)))?;
        }
        GateFormat::Text => {
            let answer = text::gate_line(passed(), &words, &page);
            Screen::answer(&format!("{answer}{}", text::gate_rest(ask, &workers, &decision, &page)))?;
        }
    }
    Ok(exit(&decision))
}

/// Where looks come from.
enum Eyes<'a> {
    Cluster(Box<Collector>),
    File(&'a Path),
}

impl<'a> Eyes<'a> {
    fn of(question: &'a Question) -> Result<Self, Failure> {
        match &question.access.snapshot {
            Some(path) => Ok(Self::File(path)),
            None => Ok(Self::Cluster(Box::new(Collector::of(&question.access).map_err(Failure::Argument)?))),
        }
    }

    /// Looks once; nothing if nobody could look.
    fn look(
        &mut self,
        session: &Session<'_>,
        journal: &rollgate_core::roll::Journal,
    ) -> Result<Option<Snapshot>, Failure> {
        match self {
            Self::Cluster(collector) => {
                let urls = session.workers().iter().filter_map(|name| journal.began()?.urls.get(name));
                let restarted: Vec<Address> = urls.filter_map(|url| Address::read(url).ok()).collect();
                // Before a stop every port is asked: of a killed worker only that tells.
                let all = session.asks_foreseen() || restarted.is_empty();
                let versions = if all { Versions::OfAll } else { Versions::Of(&restarted) };
                let looked = collector.look(Look { versions, restarted: &restarted }).map_err(Failure::Argument)?;
                Ok(Some(looked.snapshot))
            }
            Self::File(path) => {
                let text = load::text(path)?;
                // Whoever writes it may be in the middle of it: the next look will tell.
                Ok(Snapshot::read(&text).ok())
            }
        }
    }
}

fn options(question: &Question) -> Result<Options, Failure> {
    let given = |name: &str, text: &Option<String>| text.as_deref().map(|text| time(name, text)).transpose();
    let (delay, since_stop) =
        (given("--max-delay", &question.max_delay)?, given("--since-stop", &question.since_stop)?);
    let without_kafka = question.access.bootstrap.is_empty() && question.access.snapshot.is_none();
    if !without_kafka && (delay.is_some() || since_stop.is_some()) {
        let hint = "--max-delay and --since-stop are for a gate without --bootstrap: the group says both itself";
        return Err(Failure::Argument(hint.to_owned()));
    }
    Ok(Options {
        calm: given("--calm", &question.calm)?,
        poll: time("--poll", &question.poll)?,
        deadline: given("--deadline", &question.deadline)?,
        rest_only: without_kafka.then_some(RestOnly { delay, since_stop }),
        lag_band: question.lag_band,
    })
}

fn time(name: &str, text: &str) -> Result<Duration, Failure> {
    description::time(text).ok_or_else(|| Failure::Argument(format!("{name} {text}: this is no time such as 30s")))
}

/// Reads the plan that is followed.
fn plan_file(path: &Path) -> Result<PlanFile, Failure> {
    let text = load::text(path)?;
    PlanFile::read(&text).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|error| format!("error: {}: {error}", path.display())).collect();
        Failure::Refused(lines.join("\n"))
    })
}

const fn exit(decision: &Decision) -> Exit {
    match decision.verdict {
        Verdict::Proceed => Exit::Fine,
        Verdict::Stop => Exit::No,
        Verdict::NotYet => Exit::NotYet,
        Verdict::CannotTell => Exit::CannotTell,
    }
}
