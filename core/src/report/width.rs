//! How many columns a text takes on a terminal.

/// The columns of a text: two for wide letters (East Asian, emoji), none for marks that
/// combine with the letter before.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(width_of).sum()
}

/// The text in at most `columns`, its end given up for `…` if it is longer. Control
/// characters, which could repaint the terminal, become `�`.
pub(super) fn fitted(text: &str, columns: usize) -> String {
    let clean: String = text.chars().map(|sign| if sign.is_control() { '\u{fffd}' } else { sign }).collect();
    if width(&clean) <= columns {
        return clean;
    }
    // Names differ at their ends more than at their beginnings: the middle goes.
    let tail_columns = columns.saturating_sub(1) / 2;
    let take = |signs: &mut dyn Iterator<Item = char>, columns: usize| {
        let mut used = 0;
        let mut kept = Vec::new();
        for sign in signs {
            used += width_of(sign);
            if used > columns {
                break;
            }
            kept.push(sign);
        }
        kept
    };
    let head = take(&mut clean.chars(), columns.saturating_sub(1) - tail_columns);
    let tail = take(&mut clean.chars().rev(), tail_columns);
    head.into_iter().chain(['…']).chain(tail.into_iter().rev()).collect()
}

/// The text broken between words into lines of at most `columns`; at least one.
pub(super) fn broken(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words(text) {
        let word = fitted(&word, columns);
        if !line.is_empty() && width(&line) + 1 + width(&word) > columns {
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

/// The words of a text, a number and its unit as one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let unit = UNITS.contains(&word.trim_end_matches([',', '.', ';', ':', ')', '"']));
        match words.last_mut().filter(|last| unit && last.ends_with(|end: char| end.is_ascii_digit())) {
            Some(number) => {
                number.push(' ');
                number.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
    }
    words
}

/// What stands behind a number on the same line.
const UNITS: [&str; 6] = ["%", "d", "h", "min", "ms", "s"];

/// The text filled up with spaces on the right.
pub(super) fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The text filled up with spaces on the left.
pub(super) fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

fn width_of(sign: char) -> usize {
    let within = |ranges: &[(u32, u32)]| ranges.iter().any(|(first, last)| (*first..=*last).contains(&(sign as u32)));
    if within(&COMBINING) {
        0
    } else if within(&WIDE) {
        2
    } else {
        1
    }
}

/// Marks without a column of their own.
const COMBINING: [(u32, u32); 8] = [
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x0591, 0x05BD),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x200B, 0x200F),
    (0x20D0, 0x20FF),
    (0xFE00, 0xFE0F),
];

/// Letters that take two columns (East Asian Width W and F, in whole blocks).
const WIDE: [(u32, u32); 12] = [
    (0x1100, 0x115F),
    (0x2E80, 0x303E),
    (0x3041, 0x4DBF),
    (0x4E00, 0xA4CF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE6F),
    (0xFF00, 0xFF60),
    (0xFFE0, 0xFFE6),
    (0x1F300, 0x1F9FF),
    (0x20000, 0x3FFFD),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_two_columns_and_marks_none() {
        assert_eq!(width("alpha"), 5);
        assert_eq!(width("日本"), 4);
        assert_eq!(width("e\u{301}"), 1);
    }

    #[test]
    fn a_number_and_its_unit_stay_on_one_line() {
        assert_eq!(broken("it takes 35.7 s, or 20 % of it", 12), ["it takes", "35.7 s, or", "20 % of it"]);
        assert_eq!(broken("w1 stops", 5), ["w1", "stops"]);
    }

    #[test]
    fn a_long_name_gives_up_its_middle() {
        assert_eq!(fitted("connect-worker-17", 9), "conn…r-17");
        assert_eq!(fitted("日本語", 5), "日…語");
        assert_eq!(fitted("w1", 9), "w1");
        assert_eq!(fitted("a\u{1b}[2Jb", 9), "a\u{fffd}[2Jb");
    }
}
