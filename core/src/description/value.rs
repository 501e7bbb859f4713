//! Single values as people write them: the unit stands in the value.

use crate::units::{Duration, Spread};

/// What is wrong with a value, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// Says why, to follow the value: `has no unit`.
    pub(crate) why: String,
    /// What to write.
    pub(crate) help: Option<String>,
}

type Read<T> = Result<T, Wrong>;

fn wrong<T>(why: impl Into<String>, help: impl Into<String>) -> Read<T> {
    Err(Wrong { why: why.into(), help: Some(help.into()) })
}

/// A time such as `30s`, `1min 30s` or `250ms`; below zero only if `signed`.
pub(crate) fn time(text: &str, signed: bool) -> Read<Duration> {
    let (sign, body) = match text.strip_prefix('-') {
        Some(body) if signed => (-1, body),
        Some(_) => return wrong("is below zero", "write a time from 0s on"),
        None => (1, text),
    };
    let mut micros = 0_f64;
    let mut rest = body.trim();
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    let mut parts = 0;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        let (number, after) = rest.split_at(digits);
        let after = after.trim_start();
        let letters = after.len() - after.trim_start_matches(char::is_alphabetic).len();
        let (unit, after) = after.split_at(letters);
        let Some(number) = plain_number(number) else {
            return wrong("is not a time", "write a number and its unit, such as `30s`, `250ms` or `1min 30s`");
        };
        let Some((_, factor)) = TIME_UNITS.iter().find(|(names, _)| names.contains(&unit)) else {
            return if unit.is_empty() {
                wrong("has no unit", format!("write `{text}s` for seconds, or `{text}ms`, `{text}min`"))
            } else {
                wrong(format!("has the unknown unit `{unit}`"), "use us, ms, s, min, h or d")
            };
        };
        micros += number * factor;
        parts += 1;
        rest = after.trim_start();
    }
    if parts == 0 {
        return wrong("is not a time", "write a number and its unit, such as `30s`");
    }
    if micros > MAX_TIME_MICROS {
        return wrong("is longer than ten years", "write a shorter time");
    }
    #[expect(clippy::cast_possible_truncation, reason = "checked just above")]
    let micros = libm::round(micros) as i64;
    Ok(Duration::from_micros(sign * micros))
}

/// A time, or a range such as `4s..9s`.
pub(crate) fn spread(text: &str) -> Read<Spread> {
    let Some((from, to)) = text.split_once("..") else { return time(text, false).map(Spread::Fixed) };
    let (from, to) = (from.trim(), to.trim());
    let both = (time(from, false), time(to, false));
    match both {
        (Ok(from), Ok(to)) => range(from, to),
        (Err(why), Ok(_)) if why.why == "has no unit" => {
            wrong(format!("has no unit at `{from}`"), format!("write `{}{}..{to}`", from, unit_of(to)))
        }
        (Err(why), _) => Err(Wrong { why: format!("does not begin with a time: `{from}` {}", why.why), ..why }),
        (_, Err(why)) => Err(Wrong { why: format!("does not end with a time: `{to}` {}", why.why), ..why }),
    }
}

/// The range between two times, if the first is not the longer.
pub(crate) fn range(from: Duration, to: Duration) -> Read<Spread> {
    if from > to {
        return wrong(
            format!("is a range whose least, {from}, is more than its most, {to}"),
            "write the shorter time first",
        );
    }
    Ok(if from == to { Spread::Fixed(from) } else { Spread::Range(from, to) })
}

/// A share such as `25%`, as a part of one.
pub(crate) fn share(text: &str) -> Read<f64> {
    let Some(number) = text.strip_suffix('%').map(str::trim_end) else {
        return match plain_number(text) {
            Some(part) if part <= 1.0 => wrong(
                "has no unit",
                format!("write `{}%` if you mean that part of the whole", libm::round(part * 1e4) / 100.0),
            ),
            Some(_) => wrong("has no unit", format!("write `{text}%`")),
            None => wrong("is not a share", "write per cent, such as `25%`"),
        };
    };
    match plain_number(number) {
        Some(percent) if (0.0..=100.0).contains(&percent) => Ok(percent / 100.0),
        Some(_) => wrong("is not between 0% and 100%", "write the largest share that may stand still, such as `25%`"),
        None => wrong("is not a share", "write per cent, such as `25%`"),
    }
}

/// Records per second, from a rate such as `8000/s`.
pub(crate) fn rate(text: &str) -> Read<f64> {
    let Some((number, unit)) = text.split_once('/') else {
        return if plain_number(text).is_some() {
            wrong("has no unit", format!("write `{text}/s` for records per second"))
        } else {
            wrong("is not a rate", "write records per time, such as `8000/s`")
        };
    };
    let Some(number) = plain_number(number.trim()) else {
        return wrong("is not a rate", "write records per time, such as `8000/s`");
    };
    let Some((_, micros)) = TIME_UNITS.iter().find(|(names, _)| names.contains(&unit.trim())) else {
        return wrong(
            format!("has the unknown unit `/{}`", unit.trim()),
            "write records per time: `/s`, `/min` or `/h`",
        );
    };
    // Seconds and multiples of them divide and multiply exactly: what was read can be written.
    let rate = if *micros >= 1e6 { number / (micros / 1e6) } else { number * (1e6 / micros) };
    if rate > MAX_NUMBER {
        return wrong("is more than any cluster carries", "write fewer records");
    }
    Ok(rate)
}

/// A whole number from `min` to `max`.
pub(crate) fn count(text: &str, min: u32, max: u32) -> Read<u32> {
    if text.len() > 1 && text.starts_with('0') {
        let decimal = text.trim_start_matches('0').parse::<u32>().is_ok();
        let help = if decimal { "some readers of YAML take this as octal: write it without the 0" } else { WHOLE };
        return wrong("is not a plain whole number", help);
    }
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<u64>() {
        Ok(number) if digits => match u32::try_from(number) {
            Ok(number) if (min..=max).contains(&number) => Ok(number),
            _ if min == max => wrong(format!("is not {min}"), format!("write {min}")),
            _ if number < u64::from(min) => wrong(format!("is less than {min}"), format!("write {min} or more")),
            _ => wrong(format!("is more than {max}"), format!("write {max} or less")),
        },
        _ => {
            let bare: String = text.chars().filter(|c| !matches!(c, '_' | ',' | '\'' | ' ')).collect();
            if bare != text && bare.parse::<u32>().is_ok() {
                wrong("is not a plain whole number", format!("write {bare}"))
            } else {
                wrong("is not a whole number", WHOLE)
            }
        }
    }
}

/// `true` or `false`, and no other word for them.
pub(crate) fn flag(text: &str) -> Read<bool> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        "yes" | "Yes" | "on" | "On" | "True" | "TRUE" | "y" => wrong("is not `true` or `false`", "write `true`"),
        "no" | "No" | "off" | "Off" | "False" | "FALSE" | "n" => wrong("is not `true` or `false`", "write `false`"),
        _ => wrong("is not `true` or `false`", "write `true` or `false`"),
    }
}

/// Text that no reader of YAML takes for something else; quoted text is always text.
pub(crate) fn name(text: &str, plain: bool) -> Read<()> {
    if text.is_empty() {
        return wrong("is empty", "write a name");
    }
    let number = !text.starts_with('.')
        && text.contains(|c: char| c.is_ascii_digit())
        && (text.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '_' | ':' | '-' | '+' | 'e' | 'E'))
            || text.starts_with("0x")
            || text.starts_with("0o"));
    if plain && (number || NOT_NAMES.contains(&text.to_ascii_lowercase().as_str())) {
        return wrong("is not read as text by all readers of YAML", format!("write it in quotes: \"{text}\""));
    }
    Ok(())
}

/// A number without sign, exponent or separators.
fn plain_number(text: &str) -> Option<f64> {
    let fits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && text.starts_with(|c: char| c.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten().filter(|number| *number <= MAX_NUMBER)
}

/// The unit at the end of a time.
fn unit_of(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_alphabetic())
}

const TIME_UNITS: [(&[&str], f64); 6] = [
    (&["us", "µs"], 1.0),
    (&["ms"], 1e3),
    (&["s", "sec"], 1e6),
    (&["m", "min"], 60e6),
    (&["h"], 3_600e6),
    (&["d"], 86_400e6),
];

/// Larger than anything that is counted here; beyond it numbers lose their units place.
const MAX_NUMBER: f64 = 1e15;

const MAX_TIME_MICROS: f64 = 10.0 * 366.0 * 86_400e6;

const WHOLE: &str = "write digits only, such as 12";

const NOT_NAMES: [&str; 11] = ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "~", ""];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_carry_their_unit() {
        assert_eq!(time("30s", false), Ok(Duration::from_secs(30)));
        assert_eq!(time("1min 30s", false), Ok(Duration::from_secs(90)));
        assert_eq!(time("1.5 s", false), Ok(Duration::from_millis(1_500)));
        assert_eq!(time("-1210ms", true), Ok(Duration::from_millis(-1_210)));
        assert_eq!(time("0", false), Ok(Duration::ZERO));
        assert_eq!(time("5", false).unwrap_err().why, "has no unit");
        assert_eq!(time("5 parsecs", false).unwrap_err().why, "has the unknown unit `parsecs`");
        assert!(rate(&format!("{}/s", "9".repeat(400))).is_err());
        assert!(time("", false).is_err() && time("s", false).is_err() && time("1..2", false).is_err());
    }

    #[test]
    fn what_yaml_could_read_in_two_ways_is_refused() {
        assert!(count("1_000", 0, 9_999).unwrap_err().help.unwrap().contains("1000"));
        assert!(count("012", 0, 99).is_err() && count("0x1f", 0, 99).is_err() && count("+5", 0, 9).is_err());
        assert!(name("no", true).is_err() && name("1:30", true).is_err() && name("0o17", true).is_err());
        assert!(name("no", false).is_ok() && name("w1", true).is_ok() && name("10.0.0.1:8083-x", true).is_ok());
        assert!(flag("no").is_err());
    }
}
