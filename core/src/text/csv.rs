//! Tables of values with commas between (RFC 4180), each value with its place.
//!
//! Semicolons and tabs are taken as well: whichever the first line has, if it has no comma.
//! Blank lines, and lines that begin with `#`, say nothing.
//!
//! # Leaves out
//! A line break within quotes.

use super::source::MAX_FILE_BYTES;
use super::{Errors, FileId, Span, Spanned};

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line without its blanks at either end.
    pub span: Span,
    /// Its values without quotes and without the blanks around them; at least one.
    pub cells: Vec<Spanned<String>>,
}

/// Reads all lines. A quote that is not closed is an error.
pub fn parse(text: &str, file: FileId, errors: &mut Errors) -> Vec<Row> {
    if text.len() > MAX_FILE_BYTES {
        let start = Span { file, line: 1, column: 1, ..Span::default() };
        errors.add(start, format!("the file has {} bytes; at most {MAX_FILE_BYTES} are read", text.len()));
        return Vec::new();
    }
    let mut rows = Vec::new();
    let mut separator = None;
    let mut at = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let begins = at;
        at += line.len();
        let skipped = if begins == 0 && line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let said = line[skipped..].trim_end();
        if said.trim_start().is_empty() || said.trim_start().starts_with('#') {
            continue;
        }
        let separator = *separator.get_or_insert_with(|| separator_of(said));
        let line = Line { text: said, begins: begins + skipped, number, file };
        let indent = said.len() - said.trim_start().len();
        rows.push(Row { span: line.span(indent, said.len()), cells: line.cells(separator, errors) });
    }
    rows
}

/// What stands between the values.
fn separator_of(line: &str) -> char {
    [',', ';', '\t'].into_iter().find(|separator| line.contains(*separator)).unwrap_or(',')
}

/// A line of the file.
struct Line<'t> {
    text: &'t str,
    /// Its first byte in the file.
    begins: usize,
    /// From 1.
    number: u32,
    file: FileId,
}

impl Line<'_> {
    fn cells(&self, separator: char, errors: &mut Errors) -> Vec<Spanned<String>> {
        let mut cells = Vec::new();
        let mut from = 0;
        loop {
            let end = self.end_of_cell(from, separator);
            cells.push(self.cell(from, end, errors));
            if end >= self.text.len() {
                return cells;
            }
            from = end + separator.len_utf8();
        }
    }

    /// Where the value that begins here ends; a separator within quotes ends none.
    fn end_of_cell(&self, from: usize, separator: char) -> usize {
        let mut quoted = false;
        for (place, sign) in self.text[from..].char_indices() {
            match sign {
                '"' => quoted = !quoted,
                _ if sign == separator && !quoted => return from + place,
                _ => {}
            }
        }
        self.text.len()
    }

    fn cell(&self, from: usize, end: usize, errors: &mut Errors) -> Spanned<String> {
        let raw = &self.text[from..end];
        let said = raw.trim();
        let start = from + (raw.len() - raw.trim_start().len());
        let span = self.span(start.min(end), start.min(end) + said.len());
        let Some(inner) = said.strip_prefix('"') else { return Spanned::new(said.to_owned(), span) };
        let inner = inner.strip_suffix('"').unwrap_or_else(|| {
            errors.add_with_help(
                span,
                "a quote is opened and not closed on this line",
                "write a quote within quotes twice",
            );
            inner
        });
        Spanned::new(inner.replace("\"\"", "\"").trim().to_owned(), span)
    }

    #[expect(clippy::cast_possible_truncation, reason = "files are below 2^32 bytes")]
    fn span(&self, start: usize, end: usize) -> Span {
        Span {
            file: self.file,
            line: self.number,
            column: self.text[..start].chars().count() as u32 + 1,
            start: (self.begins + start) as u32,
            end: (self.begins + end) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<Row>, Vec<String>) {
        let mut errors = Errors::new(vec!["f.csv".into()]);
        let rows = parse(text, FileId(0), &mut errors);
        (rows, errors.finish::<()>(None).unwrap_err().iter().map(ToString::to_string).collect())
    }

    fn values(text: &str) -> Vec<Vec<String>> {
        read(text).0.into_iter().map(|row| row.cells.into_iter().map(|cell| cell.value).collect()).collect()
    }

    #[test]
    fn values_have_their_bytes_lines_and_columns() {
        let text = "\u{feff}wörker, time\r\n# a note\r\n\r\nw1 , \"4,2 s\"\r\n";
        let (rows, wrong) = read(text);
        assert!(wrong.is_empty(), "{wrong:?}");
        let places: Vec<(&str, u32, u32)> = rows
            .iter()
            .flat_map(|row| &row.cells)
            .map(|cell| (&text[cell.span.bytes()], cell.span.line, cell.span.column))
            .collect();
        assert_eq!(places, [("wörker", 1, 1), ("time", 1, 9), ("w1", 4, 1), ("\"4,2 s\"", 4, 6)]);
        assert_eq!(rows[1].cells[1].value, "4,2 s");
        assert_eq!(&text[rows[1].span.bytes()], "w1 , \"4,2 s\"");
    }

    #[test]
    fn empty_values_count_and_quotes_may_hold_anything() {
        assert_eq!(values("a,b,c\n1,,\n"), [["a", "b", "c"], ["1", "", ""]]);
        assert_eq!(values("\"x \"\"y\"\", z\",2\n"), [["x \"y\", z", "2"]]);
    }

    #[test]
    fn the_first_line_says_what_stands_between() {
        assert_eq!(values("a;b\n1,5;2\n"), [["a", "b"], ["1,5", "2"]]);
        assert_eq!(values("a\tb\n1\t2"), [["a", "b"], ["1", "2"]]);
        assert_eq!(values("5s\n6s\n"), [["5s"], ["6s"]]);
    }

    #[test]
    fn an_open_quote_is_an_error_at_its_place() {
        let (_, wrong) = read("a,b\n1,\"2\n");
        assert_eq!(wrong, ["f.csv:2:3: a quote is opened and not closed on this line"]);
    }
}
