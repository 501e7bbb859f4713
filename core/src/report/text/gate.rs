//! What the gate says while it waits, and its answer.

use crate::gate::{Decision, Foreseen, Reason, Verdict};
use crate::model::Wait;
use crate::report::page::Tone;
use crate::report::{Page, words};
use crate::roll::{Ask, Step};
use crate::units::Duration;

/// One line of the wait: `00:14  4 tasks are with nobody`.
pub fn gate_line(after: Duration, what: &str, page: &Page) -> String {
    let seconds = after.as_millis() / 1_000;
    let clock = format!("{:02}:{:02}", seconds / 60, seconds % 60);
    page.item(Tone::Plain, &format!("{clock}  "), what)
}

/// The answer as one sentence: `proceed: w2 may be stopped now`.
pub fn gate_answer(
    ask: Ask,
    step: &Step,
    workers: &[String],
    decision: &Decision,
    foreseen: Option<&Foreseen>,
) -> String {
    let names = workers.join(" and ");
    let verb = if workers.len() == 1 { "is" } else { "are" };
    let first = decision.reasons.first().map(Reason::to_string);
    match (decision.verdict, ask) {
        (Verdict::Proceed, Ask::Before) => format!("proceed: {names} may be stopped now{}", effect(foreseen)),
        (Verdict::Proceed, Ask::After) if step.after == Wait::Settled => {
            format!("proceed: {names} {verb} whole again, everything runs as before")
        }
        (Verdict::Proceed, Ask::After) => format!("proceed: {names} {verb} back in the group, the next may go"),
        (verdict, _) => format!("{}: {}", spoken(verdict), first.unwrap_or_else(|| "nothing was seen".to_owned())),
    }
}

/// What follows the answer: the other reasons, what was overruled, what to do next.
pub fn gate_rest(ask: Ask, workers: &[String], decision: &Decision, page: &Page) -> String {
    let mut text = String::new();
    for reason in decision.reasons.iter().skip(1) {
        text.push_str(&page.item(Tone::Plain, "also: ", &reason.to_string()));
    }
    for reason in &decision.accepted {
        text.push_str(&page.sentences(Tone::Yellow, &format!("overruled ({}): {reason}", reason.kind())));
    }
    let verb = match ask {
        Ask::Before => "before",
        Ask::After => "after",
    };
    let names = workers.join(",");
    let next = match decision.verdict {
        Verdict::Proceed => return text,
        Verdict::NotYet => format!("Nothing is lost: ask `gate {verb} {names}` again, it goes on from here."),
        Verdict::CannotTell => {
            format!("What could not be seen is no yes. When it can be seen, ask `gate {verb} {names}` again.")
        }
        Verdict::Stop => "The roll is halted. Look at the reasons; then plan the rest anew, or overrule a reason for \
                          this step with --accept REASON --because TEXT."
            .to_owned(),
    };
    text.push_str(&page.sentences(Tone::Dim, &next));
    text
}

fn effect(foreseen: Option<&Foreseen>) -> String {
    match foreseen {
        Some(foreseen) if foreseen.tasks > 0 => format!(
            " ({} of {} without an owner for at most {}{})",
            foreseen.tasks,
            words::count(foreseen.of, "task"),
            foreseen.longest,
            if foreseen.leads { "; it leads the group" } else { "" },
        ),
        Some(_) => " (no task loses its owner for longer than a hand-over)".to_owned(),
        None => String::new(),
    }
}

/// The answer as people say it.
const fn spoken(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proceed => "proceed",
        Verdict::Stop => "stop",
        Verdict::NotYet => "not yet",
        Verdict::CannotTell => "cannot tell",
    }
}
