//! Comparison of texts, with a message that shows where they part.

use std::fmt::Write;

/// Where two texts part: the first line that differs, with the two lines before it.
/// `None` if they are equal.
pub fn difference(seen: &str, expected: &str) -> Option<String> {
    if seen == expected {
        return None;
    }
    let seen_lines: Vec<&str> = seen.split('\n').collect();
    let expected_lines: Vec<&str> = expected.split('\n').collect();
    let place = seen_lines
        .iter()
        .zip(&expected_lines)
        .position(|(a, b)| a != b)
        .unwrap_or_else(|| seen_lines.len().min(expected_lines.len()));
    let mut text = format!("they part at line {}:\n", place + 1);
    for line in &seen_lines[place.saturating_sub(2)..place] {
        _ = writeln!(text, "    {line}");
    }
    let line = |lines: &[&str]| lines.get(place).map_or("(the end)".to_owned(), |line| format!("{line:?}"));
    _ = write!(text, "  expected {}\n  seen     {}\n", line(&expected_lines), line(&seen_lines));
    Some(text)
}

/// Demands that two texts are the same.
///
/// # Panics
/// If they are not; the message names `what` and shows where they part.
pub fn assert_same(what: &str, seen: &str, expected: &str) {
    if let Some(difference) = difference(seen, expected) {
        panic!("{what}: {difference}\n--- all that was seen\n{seen}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_the_first_line_that_parts() {
        assert_eq!(difference("a\nb", "a\nb"), None);
        let text = difference("a\nb\nc", "a\nb\nd").unwrap();
        assert!(
            text.contains("line 3") && text.contains("expected \"d\"") && text.contains("seen     \"c\""),
            "{text}"
        );
        assert!(difference("a", "a\nb").unwrap().contains("(the end)"));
    }
}
