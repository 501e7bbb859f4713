//! How wide a text is, from a table: nobody measures with a font here.
//!
//! Which font a reader has is not known, and measuring differs between platforms. The table
//! holds the widths of `DejaVu Sans`, the widest sans-serif font in common use, so that what
//! fits by the table fits in Arial, Helvetica, Roboto and Segoe UI, too.

/// The pixels a text takes in a picture, rounded up: letters of so many pixels, bold or not.
pub fn width(text: &str, size: i32, bold: bool) -> i32 {
    let thousandths: i32 = text.chars().map(width_of).sum();
    let per_mille = if bold { BOLD } else { 1_000 };
    i32::try_from((i64::from(thousandths) * i64::from(size) * per_mille + 999_999) / 1_000_000).unwrap_or(i32::MAX)
}

/// The text without what an SVG cannot hold.
pub(super) fn clean(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() || UNWRITABLE.contains(&sign) { '\u{fffd}' } else { sign }).collect()
}

/// The text in at most so many pixels, its middle given up for `…` if it is longer: names differ
/// at their ends more than at their beginnings.
pub(super) fn fitted(text: &str, size: i32, bold: bool, pixels: i32) -> String {
    let signs: Vec<char> = clean(text).chars().collect();
    let whole: String = signs.iter().collect();
    if width(&whole, size, bold) <= pixels {
        return whole;
    }
    let cut = |kept: usize| -> String {
        let tail = kept / 2;
        signs[..kept - tail].iter().chain(['…'].iter()).chain(&signs[signs.len() - tail..]).collect()
    };
    let kept = (0..signs.len()).rev().find(|&kept| width(&cut(kept), size, bold) <= pixels);
    kept.map_or_else(String::new, cut)
}

/// Names in at most so many pixels, such that no two that differ look alike.
pub(super) fn told_apart(names: &[&str], size: i32, pixels: i32) -> Vec<String> {
    crate::units::told_apart(names, |name| fitted(name, size, false, pixels))
}

/// The text with its figures held together: no line breaks between a number and its unit, nor
/// within `2 min 54 s`.
pub(super) fn bound(text: &str) -> String {
    let mut bound = String::new();
    let mut before = "";
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let begins_with_digit = word.starts_with(|sign: char| sign.is_ascii_digit());
        let after_number = before.ends_with(|sign: char| sign.is_ascii_digit());
        let bare = word.trim_end_matches(|sign: char| !sign.is_alphanumeric() && sign != '%');
        let unit = after_number && UNITS.contains(&bare);
        let goes_on = begins_with_digit && UNITS.contains(&before) || before == "seed";
        if !bound.is_empty() {
            bound.push(if unit || goes_on { '\u{a0}' } else { ' ' });
        }
        bound.push_str(word);
        before = word;
    }
    bound
}

/// The text broken between words into lines of at most so many pixels; at least one.
pub(super) fn broken(text: &str, size: i32, bold: bool, pixels: i32) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let text = bound(text);
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let word = fitted(word, size, bold, pixels);
        if !line.is_empty() && width(&format!("{line} {word}"), size, bold) > pixels {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    lines.push(line);
    lines
}

/// The width of a letter in thousandths of the font size.
fn width_of(sign: char) -> i32 {
    let place = (sign as usize).checked_sub(usize::from(b' '));
    if let Some(&known) = place.and_then(|place| ASCII.get(place)) {
        return known;
    }
    match sign {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{a0}' | '·' => 318,
        '–' => 500,
        // East Asian letters are as wide as they are high; of all others none is wider.
        _ => 1_000,
    }
}

/// What stands behind a number.
const UNITS: [&str; 5] = ["ms", "s", "min", "h", "%"];

/// Bold letters are wider by so many parts of a thousand, at most.
const BOLD: i64 = 1_130;

/// Letters that are no control characters, but that XML does not allow.
const UNWRITABLE: [char; 2] = ['\u{fffe}', '\u{ffff}'];

/// From the space to the tilde.
const ASCII: [i32; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_come_from_the_table() {
        assert_eq!(width("0", 100, false), 64);
        assert_eq!(width("00", 10, false), 13);
        assert_eq!(width("日", 10, false), 10);
        assert!(width("w1", 10, true) > width("w1", 10, false));
    }

    #[test]
    fn a_long_name_gives_up_its_middle_and_fits() {
        let name = "connect-worker-17.eu-central-1.example.com";
        let cut = fitted(name, 12, false, 120);
        assert!(width(&cut, 12, false) <= 120 && cut.starts_with("connect") && cut.ends_with("com"), "{cut}");
        assert_eq!(fitted("w1", 12, false, 120), "w1");
        assert_eq!(fitted("a\u{1b}b", 12, false, 120), "a\u{fffd}b");
    }

    #[test]
    fn long_names_that_differ_look_different() {
        let names = ["worker-of-the-cluster-0001.kafka.example.com", "worker-of-the-cluster-0002.kafka.example.com"];
        assert_eq!(told_apart(&names, 12, 90), ["…1…", "…2…"]);
        let with_another: Vec<&str> = names.into_iter().chain(["w3"]).collect();
        assert_eq!(told_apart(&with_another, 12, 90), ["…1…", "…2…", "w3"]);
        let twice = [
            "aaaaaaaaaaaaaaaaaXbbbbbbbbbbbbYc",
            "daaaaaaaaaaaaaaaaXbbbbbbbbbbbbYc",
            "daaaaaaaaaaaaaaaaYbbbbbbbbbbbbYc",
        ];
        let labels = told_apart(&twice, 12, 90);
        assert!(labels[0] != labels[1] && labels[1] != labels[2] && labels[0] != labels[2], "{labels:?}");
        assert_eq!(told_apart(&["w1", "w2"], 12, 90), ["w1", "w2"]);
        assert_eq!(told_apart(&["w1"], 12, 90), ["w1"]);
        assert!(told_apart(&[], 12, 90).is_empty());
    }

    #[test]
    fn a_number_keeps_its_unit() {
        let said = bound("takes 2 min 54 s; of 30 tasks (40 %) held, seed 7.");
        assert_eq!(said, "takes 2\u{a0}min\u{a0}54\u{a0}s; of 30 tasks (40\u{a0}%) held, seed\u{a0}7.");
    }

    #[test]
    fn lines_break_between_words_and_fit() {
        let lines = broken("Restarting 5 workers takes 2 min 53 s", 12, true, 120);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 12, true) <= 120), "{lines:?}");
        assert_eq!(broken("", 12, false, 100), [""]);
    }
}
