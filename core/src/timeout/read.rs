//! Measured restarts from a table or a list of numbers.
//!
//! Either one column with the whole restart (`seconds`, `time`) or one for each part that was
//! measured (`stop`, `down`, `start`, `join`), and beside them `running`, `worker`, `kind` and
//! `censored`. Values carry their unit, unless the head of the column does (`start_s`,
//! `stop_ms`). A `>` before a value, or `censored`, says that it had not ended by then.

use std::collections::BTreeMap;

use super::estimate::Sample;
use super::measured::{Kind, Measured, Phase, Restart};
use crate::description::{proposal, time_or_why};
use crate::text::csv::{Row, parse};
use crate::text::{DescriptionError, Errors, FileId, Files, Span, Spanned};

/// Reads the file `main`.
///
/// # Errors
/// Everything that is wrong with it, each with its place.
pub fn read(files: &Files, main: &str) -> Result<Measured, Vec<DescriptionError>> {
    let mut errors = Errors::new(vec![main.to_owned()]);
    let text = files.get(main).unwrap_or_default();
    let rows = parse(text, FileId(0), &mut errors);
    let start = Span { line: 1, column: 1, ..Span::default() };
    let Some((first, rest)) = rows.split_first() else {
        errors.add_with_help(start, "no restart is written here", HOW);
        return errors.finish(None);
    };
    if rest.len() > MOST_RESTARTS {
        let message = format!("{} restarts are listed; at most {MOST_RESTARTS} are read", rest.len());
        errors.add_with_help(first.span, message, "keep the newest");
        return errors.finish(None);
    }
    let (columns, data) = if is_head(first) {
        (Columns::of_head(first, &mut errors), rest)
    } else {
        (Columns::without_head(first, &mut errors), rows.as_slice())
    };
    if data.is_empty() {
        errors.add_with_help(first.span, "no restart is written below the head of the table", HOW);
    }
    if !columns.0.values().any(|column| column.what.is_before_the_return()) {
        return errors.finish(None);
    }
    let restarts = data.iter().filter_map(|row| columns.restart(row, &mut errors)).collect();
    let phases = columns.0.values().filter_map(|column| column.what.phase()).collect();
    errors.finish(Some(Measured { restarts, phases }))
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// The whole restart.
    Whole,
    Part(Phase),
    Worker,
    Kind,
    Censored,
    /// Nothing that is read here.
    Note,
}

/// A column, by its place in the table.
struct Column {
    what: What,
    /// The unit that its head gives to bare numbers.
    unit: &'static str,
    head: Span,
}

struct Columns(BTreeMap<usize, Column>);

impl What {
    const fn phase(self) -> Option<Phase> {
        match self {
            Self::Part(phase) => Some(phase),
            _ => None,
        }
    }

    /// What a head names, and the unit that it gives.
    fn named(head: &str) -> Option<(Self, &'static str)> {
        let head = head.trim().to_ascii_lowercase();
        if let Some((_, unit)) = SECONDS.iter().find(|(name, _)| *name == head) {
            return Some((Self::Whole, unit));
        }
        let plain = |name: &str| {
            let phase = Phase::ALL.into_iter().find(|phase| phase.key() == name).map(Self::Part);
            let others = OTHERS.iter().find(|(known, _)| *known == name).map(|(_, what)| *what);
            phase.or(others)
        };
        if let Some(what) = plain(&head) {
            return Some((what, ""));
        }
        let (name, unit) = head.rsplit_once('_')?;
        let unit = UNITS.into_iter().find(|known| *known == unit)?;
        plain(name).filter(|what| what.is_time()).map(|what| (what, unit))
    }

    const fn is_time(self) -> bool {
        matches!(self, Self::Whole | Self::Part(_))
    }

    fn is_before_the_return(self) -> bool {
        self.is_time() && self != Self::Part(Phase::Running)
    }
}

impl Columns {
    fn of_head(head: &Row, errors: &mut Errors) -> Self {
        let mut columns: BTreeMap<usize, Column> = BTreeMap::new();
        for (place, cell) in head.cells.iter().enumerate() {
            let Some((what, unit)) = What::named(&cell.value) else {
                let known = Phase::ALL.iter().map(|phase| phase.key()).chain(OTHERS.iter().map(|(name, _)| *name));
                let help = proposal(&cell.value, known.chain(["seconds"])).unwrap_or_else(|| COLUMNS.to_owned());
                errors.add_with_help(cell.span, format!("no column is called `{}`", cell.value), help);
                continue;
            };
            if let Some(first) = columns.values().find(|known| known.what == what && what != What::Note) {
                errors.add_with_also(cell.span, "this column is given twice", first.head, "first given here");
            }
            columns.insert(place, Column { what, unit, head: cell.span });
        }
        let columns = Self(columns);
        columns.make_a_restart(head, errors);
        columns
    }

    /// One column of times.
    fn without_head(first: &Row, errors: &mut Errors) -> Self {
        if let Some(second) = first.cells.get(1) {
            let help = "write a first line that names the columns, such as `stop,start,join`";
            errors.add_with_help(second.span, "the columns have no names", help);
        }
        Self(BTreeMap::from([(0, Column { what: What::Whole, unit: "", head: first.span })]))
    }

    /// The whole, or parts of which one is the start of the process.
    fn make_a_restart(&self, head: &Row, errors: &mut Errors) {
        let find = |wanted: fn(What) -> bool| self.0.values().find(|column| wanted(column.what));
        let part = |what: What| what.is_before_the_return() && what != What::Whole;
        match (find(|what| what == What::Whole), find(part)) {
            (Some(whole), Some(part)) => {
                let message = "a restart is given as a whole or by its parts, and here are columns for both";
                errors.add_with_also(part.head, message, whole.head, "the whole");
            }
            (None, _) if find(|what| what == What::Part(Phase::Start)).is_none() && errors.is_empty() => {
                errors.add_with_help(head.span, "no column says how long the restart took", COLUMNS);
            }
            _ => {}
        }
    }

    fn restart(&self, row: &Row, errors: &mut Errors) -> Option<Restart> {
        if let Some(extra) = row.cells.get(self.0.keys().last().map_or(0, |last| last + 1)) {
            errors.add(extra.span, "this line has more values than the table has columns");
            return None;
        }
        let cell = |wanted: What| {
            let (place, _) = self.0.iter().find(|(_, column)| column.what == wanted)?;
            row.cells.get(*place).filter(|cell| !cell.value.is_empty())
        };
        let gave_up = cell(What::Censored).is_some_and(|cell| flag(cell, errors));
        let kind = cell(What::Kind).and_then(|cell| kind(cell, errors));
        let worker = cell(What::Worker).map(|cell| cell.value.clone());
        let mut times: Vec<(What, Sample)> = Vec::new();
        let mut missing = None;
        for (place, column) in self.0.iter().filter(|(_, column)| column.what.is_time()) {
            match row.cells.get(*place).filter(|cell| !cell.value.is_empty()) {
                Some(cell) => times.push((column.what, sample(cell, column.unit, errors)?)),
                None if column.what != What::Part(Phase::Running) => {
                    missing = missing.or(Some(row.cells.get(*place).map_or(row.span, |cell| cell.span)));
                }
                None => {}
            }
        }
        // In the order in which they follow one another, whatever the order of the columns.
        times.sort_by_key(|(what, _)| what.phase());
        if let Some((_, last)) = times.last_mut().filter(|_| gave_up) {
            *last = Sample::Over(last.time());
        }
        if let Some(span) = missing.filter(|_| !times.iter().any(|(_, sample)| sample.is_over())) {
            let help = "write it, or `>60s` if somebody gave up then, or leave the line out";
            errors.add_with_help(span, "a time is missing", help);
            return None;
        }
        let of = |phase| times.iter().find(|(what, _)| *what == What::Part(phase)).map(|(_, sample)| *sample);
        let sum = |wanted: &dyn Fn(What) -> bool| {
            times.iter().filter(|(what, _)| wanted(*what)).map(|(_, sample)| *sample).reduce(Sample::then)
        };
        let whole = sum(&What::is_before_the_return).filter(|whole| !whole.time().is_zero());
        let Some(whole) = whole else {
            errors.add(row.span, "this restart took no time at all");
            return None;
        };
        Some(Restart {
            kind,
            worker,
            whole,
            stop: of(Phase::Stop),
            away: sum(&|what| what.is_before_the_return() && !matches!(what, What::Whole | What::Part(Phase::Stop))),
            running: of(Phase::Running),
        })
    }
}

/// Whether a line names columns: one of its values begins with a letter.
fn is_head(row: &Row) -> bool {
    row.cells.iter().any(|cell| cell.value.starts_with(char::is_alphabetic))
}

/// A time, perhaps one that somebody did not wait out.
fn sample(cell: &Spanned<String>, unit: &str, errors: &mut Errors) -> Option<Sample> {
    let (over, text) = match cell.value.strip_prefix('>') {
        Some(text) => (true, text.trim_start()),
        None => (false, cell.value.as_str()),
    };
    let bare = text.ends_with(|sign: char| sign.is_ascii_digit() || sign == '.');
    let with_unit = if bare { format!("{text}{unit}") } else { text.to_owned() };
    match time_or_why(&with_unit, false) {
        Ok(time) => Some(if over { Sample::Over(time) } else { Sample::Took(time) }),
        Err(wrong) => {
            let unitless = unit.is_empty() && time_or_why(&format!("{text}s"), false).is_ok();
            let help = if unitless {
                format!("write `{text}s`, or name the column with its unit, such as `start_s`")
            } else {
                wrong.help.unwrap_or_default()
            };
            errors.add_with_help(cell.span, format!("`{text}` {}", wrong.why), help);
            None
        }
    }
}

fn flag(cell: &Spanned<String>, errors: &mut Errors) -> bool {
    match cell.value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" => true,
        "false" | "no" | "0" => false,
        _ => {
            errors.add_with_help(cell.span, format!("`{}` is neither true nor false", cell.value), "write `true`");
            false
        }
    }
}

fn kind(cell: &Spanned<String>, errors: &mut Errors) -> Option<Kind> {
    let kind = Kind::of(&cell.value.to_ascii_lowercase());
    if kind.is_none() {
        let help = proposal(&cell.value, Kind::ALL.iter().map(|kind| kind.key()));
        errors.add(cell.span, format!("`{}` is no kind of restart", cell.value)).help = help;
    }
    kind
}

/// Heads of the whole, and the unit that they give.
const SECONDS: [(&str, &str); 4] = [("seconds", "s"), ("seconds_s", "s"), ("milliseconds", "ms"), ("minutes", "min")];

/// Heads that are no part of a restart.
const OTHERS: [(&str, What); 7] = [
    ("time", What::Whole),
    ("restart", What::Whole),
    ("worker", What::Worker),
    ("kind", What::Kind),
    ("censored", What::Censored),
    ("note", What::Note),
    ("at", What::Note),
];

/// Units that a head can give: `start_s`.
const UNITS: [&str; 3] = ["s", "ms", "min"];

/// More tell nothing that these do not.
pub(super) const MOST_RESTARTS: usize = 2_000;

const HOW: &str = "write one restart on a line, such as `4.2s`, or a table whose first line names the columns";

const COLUMNS: &str = "the columns are `seconds`, or `stop`, `down`, `start`, `join`; and `running`, `worker`, `kind`, `censored`, `note`, `at`";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Duration;

    fn read_text(text: &str) -> Result<Measured, Vec<String>> {
        let files: Files = [("r.csv", text)].into_iter().collect();
        read(&files, "r.csv").map_err(|wrong| wrong.iter().map(ToString::to_string).collect())
    }

    fn wholes(text: &str) -> Vec<Sample> {
        read_text(text).unwrap().restarts.iter().map(|restart| restart.whole).collect()
    }

    fn took(millis: i64) -> Sample {
        Sample::Took(Duration::from_millis(millis))
    }

    fn over(millis: i64) -> Sample {
        Sample::Over(Duration::from_millis(millis))
    }

    #[test]
    fn a_list_of_times_is_a_list_of_restarts() {
        assert_eq!(wholes("4.2s\n1min 5s\n\n# by hand\n> 90s\n"), [took(4_200), took(65_000), over(90_000)]);
    }

    #[test]
    fn a_bare_number_counts_only_where_the_column_says_its_unit() {
        assert_eq!(wholes("seconds\n4.2\n5s\n>60\n"), [took(4_200), took(5_000), over(60_000)]);
        assert_eq!(wholes("start_ms,stop_s\n4200,1\n"), [took(5_200)]);
        assert_eq!(read_text("time\n4.2\n").unwrap_err(), ["r.csv:2:1: `4.2` has no unit"]);
        assert_eq!(read_text("4.2\n5\n").unwrap_err().len(), 2);
    }

    #[test]
    fn parts_are_added_up_to_the_return_and_without_the_stop() {
        let measured = read_text("worker,kind,stop,down,start,join,running\nw1,clean,1s,0s,4s,2s,30s\n").unwrap();
        let restart = &measured.restarts[0];
        assert_eq!((restart.whole, restart.away), (took(7_000), Some(took(6_000))));
        assert_eq!((restart.stop, restart.running), (Some(took(1_000)), Some(took(30_000))));
        assert_eq!((restart.kind, measured.workers(), measured.phases.len()), (Some(Kind::Clean), Some(1), 5));
    }

    #[test]
    fn what_nobody_waited_out_is_a_lower_bound_of_the_sum() {
        let text = "start,join,stop,censored\n>60s,,1s,\n4s,30s,1s,true\n4s,2s,1s,false\n";
        assert_eq!(wholes(text), [over(61_000), over(35_000), took(7_000)]);
    }

    #[test]
    fn all_mistakes_are_told_at_once_each_at_its_place() {
        let wrong = read_text("start,kimd,stop\n4s,clean,1s\n5,clean,\n,clean,1s\n6s,clean,-1s,x\n").unwrap_err();
        assert_eq!(
            wrong,
            [
                "r.csv:1:7: no column is called `kimd`",
                "r.csv:3:1: `5` has no unit",
                "r.csv:4:1: a time is missing",
                "r.csv:5:14: this line has more values than the table has columns",
            ]
        );
        assert_eq!(read_text("seconds,kind\n4,warm\n").unwrap_err(), ["r.csv:2:3: `warm` is no kind of restart"]);
    }

    #[test]
    fn a_table_must_say_how_long_a_restart_took() {
        assert_eq!(
            read_text("worker,running\nw1,4s\n").unwrap_err(),
            ["r.csv:1:1: no column says how long the restart took"]
        );
        assert!(read_text("seconds,start\n4,4s\n").unwrap_err()[0].contains("as a whole or by its parts"));
        assert!(read_text("4s,5s\n").unwrap_err()[0].contains("the columns have no names"));
        assert!(read_text("").unwrap_err()[0].contains("no restart is written here"));
        assert!(read_text("seconds\n0\n").unwrap_err()[0].contains("no time at all"));
    }
}
