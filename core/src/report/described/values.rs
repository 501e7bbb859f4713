//! Quantities as they are written in a description: exactly, with their unit.

use super::Described;
use crate::model::{Items, Work};
use crate::units::{Duration, RecordsPerSec, Share, Spread};

/// Whole milliseconds, as Kafka's settings have them.
pub(super) const fn millis(time: Duration) -> i64 {
    time.as_millis()
}

/// In the largest of min, s, ms and us that leaves no fraction, but `90s` and `5min`.
pub(in crate::report) fn time(time: Duration) -> String {
    let micros = time.as_micros();
    let units = [(60_000_000, "min"), (1_000_000, "s"), (1_000, "ms")];
    let fits = |(size, _): &&(i64, &str)| micros % size == 0;
    match units.iter().find(fits) {
        _ if micros == 0 => "0s".to_owned(),
        Some((size, unit)) => format!("{}{unit}", micros / size),
        None => format!("{micros}us"),
    }
}

/// A time, a range or measured samples.
pub(super) fn spread(spread: &Spread) -> Described {
    match spread {
        Spread::Fixed(fixed) => time(*fixed).into(),
        Spread::Range(least, most) => format!("{}..{}", time(*least), time(*most)).into(),
        Spread::Samples(samples) => {
            samples.iter().map(|sample| Described::from(time(*sample))).collect::<Vec<_>>().into()
        }
    }
}

/// Connectors and tasks by name: in one list, or in two where a name could be either.
pub(super) fn items(items: &Items, work: &Work) -> Described {
    let connectors: Vec<&str> = items.connectors.iter().map(|&connector| work.name(connector)).collect();
    let tasks: Vec<String> = items.tasks.iter().map(|&task| work.task_name(task)).collect();
    let ambiguous = connectors.iter().any(|name| work.task_named(name).is_some())
        || tasks.iter().any(|name| work.connector(name).is_some());
    let list = |names: Vec<Described>| Described::List(names);
    let connectors = connectors.into_iter().map(Described::from);
    let tasks = tasks.into_iter().map(Described::from);
    if ambiguous {
        return Described::map()
            .with_some("connectors", list(connectors.collect()).unless_empty())
            .with_some("tasks", list(tasks.collect()).unless_empty());
    }
    list(connectors.chain(tasks).collect())
}

/// Records per second: the shortest number that is read as the same one.
pub(super) fn rate(rate: RecordsPerSec) -> String {
    format!("{}/s", rate.0)
}

/// Per cent: the shortest number that is read as the same share.
pub(super) fn share(share: Share) -> String {
    let percent = share.0 * 100.0;
    let same =
        |text: &String| text.parse::<f64>().is_ok_and(|percent| (percent / 100.0).to_bits() == share.0.to_bits());
    let exact = (0..17).map(|digits| format!("{percent:.digits$}")).find(same);
    format!("{}%", exact.unwrap_or_else(|| percent.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_largest_unit_without_a_fraction() {
        let written = |micros| time(Duration::from_micros(micros));
        assert_eq!(written(0), "0s");
        assert_eq!(written(300_000_000), "5min");
        assert_eq!(written(90_000_000), "90s");
        assert_eq!(written(1_500_000), "1500ms");
        assert_eq!(written(1_500_001), "1500001us");
    }

    #[test]
    fn shares_are_written_as_they_were_read() {
        for percent in ["0", "25", "33.3", "29", "57", "8.5", "33.333333", "100", "0.07"] {
            let read = Share(percent.parse::<f64>().unwrap() / 100.0);
            assert_eq!(share(read), format!("{percent}%"));
        }
    }
}
