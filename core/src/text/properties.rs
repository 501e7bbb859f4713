//! Java's `.properties`, read exactly as `java.util.Properties.load(Reader)` of JDK 17 does.
//!
//! # Leaves out
//! - The bytes: Kafka reads a file as ISO-8859-1, here it is text already, so that a
//!   letter outside ASCII which is not written as `\u` and four digits differs.
//! - Half a surrogate pair, which Java keeps and Rust's text cannot: it becomes U+FFFD.

use std::collections::BTreeMap;

use super::source::MAX_FILE_BYTES;
use super::{Errors, FileId, Span, Spanned};

/// One line that says something, continuations joined, escapes resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The key.
    pub key: Spanned<String>,
    /// The value; its place is empty if it says nothing.
    pub value: Spanned<String>,
}

/// A file's properties, each in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// All of them in the order of the file, also those that a later one replaces.
    pub all: Vec<Property>,
}

/// A character of a logical line and where it came from.
#[derive(Clone, Copy)]
struct Char {
    c: char,
    at: usize,
}

struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl Properties {
    /// What Java keeps: of equal keys the last.
    pub fn last(&self) -> BTreeMap<&str, &Property> {
        self.all.iter().map(|property| (property.key.value.as_str(), property)).collect()
    }

    /// Keys that are given again later, each with the one that replaces it.
    pub fn replaced(&self) -> Vec<(&Property, &Property)> {
        let last = self.last();
        let kept = |property: &Property| last.get(property.key.value.as_str()).copied();
        self.all
            .iter()
            .filter_map(|property| Some((property, kept(property)?)))
            .filter(|(property, kept)| property.key.span != kept.key.span)
            .collect()
    }
}

impl Lines<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The next logical line: comments and blank lines left out, continuations joined.
    fn next(&mut self) -> Option<Vec<Char>> {
        let mut line: Vec<Char> = Vec::new();
        let (mut skip_blanks, mut continued, mut backslash) = (true, false, false);
        while let Some(c) = self.peek() {
            let at = self.at;
            self.at += c.len_utf8();
            let ends = matches!(c, '\n' | '\r');
            if skip_blanks {
                if is_blank(c) || (ends && !continued) {
                    continue;
                }
                (skip_blanks, continued) = (false, false);
            }
            if line.is_empty() && matches!(c, '#' | '!') {
                while self.peek().is_some_and(|c| !matches!(c, '\n' | '\r')) {
                    self.at += self.peek().map_or(0, char::len_utf8);
                }
                skip_blanks = true;
            } else if !ends {
                line.push(Char { c, at });
                backslash = c == '\\' && !backslash;
            } else if line.is_empty() {
                skip_blanks = true;
            } else if self.at == self.text.len() || !backslash {
                break;
            } else {
                line.pop();
                (skip_blanks, continued, backslash) = (true, true, false);
                if c == '\r' && self.peek() == Some('\n') {
                    self.at += 1;
                }
            }
        }
        if line.is_empty() {
            return None;
        }
        if backslash {
            line.pop();
        }
        Some(line)
    }
}

/// Reads a file. A `\u` without four digits, at which Java refuses the file, is an error.
pub fn parse(text: &str, file: FileId, errors: &mut Errors) -> Properties {
    let mut places = Places { text, file, at: 0, line: 1, line_start: 0 };
    if text.len() > MAX_FILE_BYTES {
        let message = format!("the file has {} bytes; at most {MAX_FILE_BYTES} are read", text.len());
        errors.add(places.span(0, 0), message);
        return Properties::default();
    }
    let mut properties = Properties::default();
    let mut lines = Lines { text, at: 0 };
    while let Some(line) = lines.next() {
        let (key, value) = split(&line);
        let end = line.last().map_or(lines.at, |last| last.at + last.c.len_utf8());
        let key = convert(key, line.first().map_or(end, |first| first.at), &mut places, errors);
        let value = convert(value, end, &mut places, errors);
        properties.all.push(Property { key, value });
    }
    properties
}

/// The key and the value of a logical line, escapes not yet resolved.
fn split(line: &[Char]) -> (&[Char], &[Char]) {
    let mut backslash = false;
    let mut key = line.len();
    for (place, Char { c, .. }) in line.iter().enumerate() {
        if !backslash && (is_blank(*c) || matches!(c, '=' | ':')) {
            key = place;
            break;
        }
        backslash = *c == '\\' && !backslash;
    }
    let mut separated = false;
    let mut value = key;
    while let Some(Char { c, .. }) = line.get(value) {
        if !is_blank(*c) {
            if separated || !matches!(c, '=' | ':') {
                break;
            }
            separated = true;
        }
        value += 1;
    }
    (&line[..key], &line[value..])
}

/// Resolves the escapes of a key or value; `empty_at` is its place if it is empty.
fn convert(chars: &[Char], empty_at: usize, places: &mut Places<'_>, errors: &mut Errors) -> Spanned<String> {
    let start = chars.first().map_or(empty_at, |first| first.at);
    let end = chars.last().map_or(empty_at, |last| last.at + last.c.len_utf8());
    let span = places.span(start, end);
    let mut units: Vec<u16> = Vec::with_capacity(chars.len());
    let mut buffer = [0; 2];
    let mut rest = chars.iter();
    while let Some(Char { c, .. }) = rest.next() {
        let c = if *c == '\\' {
            match rest.next().map(|escaped| escaped.c) {
                Some('u') => {
                    let digits: Option<Vec<u32>> = rest
                        .as_slice()
                        .get(..4)
                        .map_or_else(|| None, |digits| digits.iter().map(|digit| digit.c.to_digit(16)).collect());
                    if let Some(digits) = digits {
                        let unit = digits.iter().fold(0, |unit, digit| unit * 16 + digit);
                        units.push(u16::try_from(unit).unwrap_or_default());
                        rest = rest.as_slice()[4..].iter();
                    } else {
                        errors.add_with_help(
                            span,
                            "`\\u` must be followed by four hexadecimal digits; Java refuses this file",
                            "write a backslash itself as `\\\\`",
                        );
                    }
                    continue;
                }
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some('f') => '\u{c}',
                Some(other) => other,
                None => continue,
            }
        } else {
            *c
        };
        units.extend_from_slice(c.encode_utf16(&mut buffer));
    }
    Spanned::new(String::from_utf16_lossy(&units), span)
}

/// Counts lines while places are asked for in order.
struct Places<'t> {
    text: &'t str,
    file: FileId,
    at: usize,
    line: u32,
    line_start: usize,
}

impl Places<'_> {
    #[expect(clippy::cast_possible_truncation, reason = "files are below 2^32 bytes")]
    fn span(&mut self, start: usize, end: usize) -> Span {
        let bytes = self.text.as_bytes();
        while self.at < start {
            let c = bytes[self.at];
            self.at += 1;
            if c == b'\n' || (c == b'\r' && bytes.get(self.at) != Some(&b'\n')) {
                self.line += 1;
                self.line_start = self.at;
            }
        }
        let column = self.text.get(self.line_start..start).map_or(0, |before| before.chars().count());
        Span {
            file: self.file,
            line: self.line,
            column: column as u32 + 1,
            start: start as u32,
            end: end.max(start) as u32,
        }
    }
}

const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, String)> {
        let mut errors = Errors::new(vec!["f".into()]);
        let read = parse(text, FileId(0), &mut errors);
        assert!(errors.is_empty(), "{errors:?}");
        read.all.into_iter().map(|property| (property.key.value, property.value.value)).collect()
    }

    #[test]
    fn separators_escapes_and_continuations_are_javas() {
        let text = "a : 1\n  b   x\\u00e9\n! note \\\nc=1.\\\n    2\r\nd\\:e=f\n\n\\\n#g";
        let pairs = [("a", "1"), ("b", "x\u{e9}"), ("c", "1.2"), ("d:e", "f")];
        let expected: Vec<_> = pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        assert_eq!(read(text), expected);
    }

    #[test]
    fn a_key_given_twice_keeps_the_last_and_both_places() {
        let mut errors = Errors::new(vec!["f".into()]);
        let read = parse("a=1\nb=2\r\na: 3\n", FileId(0), &mut errors);
        assert_eq!(read.last()["a"].value.value, "3");
        let replaced: Vec<_> =
            read.replaced().iter().map(|(one, kept)| (one.key.span.line, kept.key.span.line)).collect();
        assert_eq!(replaced, [(1, 3)]);
    }

    #[test]
    fn a_broken_unicode_escape_is_an_error_with_its_place() {
        let mut errors = Errors::new(vec!["f".into()]);
        parse("a=1\n  b=\\u12g4", FileId(0), &mut errors);
        let wrong = errors.finish::<()>(None).unwrap_err();
        assert_eq!((wrong[0].line, wrong[0].column), (2, 5));
    }
}
