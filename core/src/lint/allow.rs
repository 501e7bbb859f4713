//! Comments that allow findings: `# rollgate: allow <rule>, <rule>`.

use crate::finding::Finding;
use crate::text::Files;

/// A comment that allows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Allowance<'t> {
    /// The line it stands on, from 1.
    pub(super) line: usize,
    /// Where each name begins in the file, and the name.
    pub(super) names: Vec<(usize, &'t str)>,
}

/// Whether a comment on the finding's line, or on the lines of comments right above it, allows it.
pub(super) fn allows(files: &Files, finding: &Finding) -> bool {
    let Some(text) = files.get(&finding.at.file).filter(|text| text.contains(MARK)) else { return false };
    let lines: Vec<&str> = text.lines().collect();
    let properties = is_properties(&finding.at.file);
    let allowed = |line: &str| {
        names_in(line, properties).is_some_and(|names| names.iter().any(|(_, name)| *name == finding.rule))
    };
    let own = (finding.at.line as usize).saturating_sub(1);
    if lines.get(own).copied().is_some_and(allowed) {
        return true;
    }
    let above = lines.iter().take(own).rev().take_while(|line| is_comment(line));
    above.into_iter().copied().any(allowed)
}

/// All such comments of a file.
pub(super) fn allowances<'t>(name: &str, text: &'t str) -> Vec<Allowance<'t>> {
    if !text.contains(MARK) {
        return Vec::new();
    }
    let properties = is_properties(name);
    let mut found = Vec::new();
    let mut start = 0;
    for (place, line) in text.split_inclusive('\n').enumerate() {
        if let Some(names) = names_in(line.trim_end_matches(['\n', '\r']), properties) {
            let names = names.into_iter().map(|(at, name)| (start + at, name)).collect();
            found.push(Allowance { line: place + 1, names });
        }
        start += line.len();
    }
    found
}

/// The names after the mark, with their place in the line. In `.properties` a comment is a
/// whole line: behind a value it would be part of the value.
fn names_in(line: &str, properties: bool) -> Option<Vec<(usize, &str)>> {
    let at = line.find(MARK)?;
    let before = line[..at].trim_end();
    let before = before.strip_suffix('#').or_else(|| before.strip_suffix('!').filter(|_| properties))?;
    let comment =
        if properties { before.trim().is_empty() } else { before.is_empty() || before.ends_with([' ', '\t']) };
    if !comment {
        return None;
    }
    let mut names = Vec::new();
    let mut from = at + MARK.len();
    for part in line[from..].split([',', ' ', '\t']) {
        if !part.is_empty() {
            names.push((from, part));
        }
        from += part.len() + 1;
    }
    Some(names)
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with(['#', '!'])
}

fn is_properties(name: &str) -> bool {
    name.ends_with(".properties")
}

/// What such a comment says after its sign.
const MARK: &str = "rollgate: allow ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_names_rules_with_their_places() {
        let found = allowances("c.yaml", "a: 1\nb: 2  # rollgate: allow one, two\n");
        assert_eq!(found, [Allowance { line: 2, names: vec![(28, "one"), (33, "two")] }]);
    }

    #[test]
    fn behind_a_value_of_a_properties_file_it_is_no_comment() {
        assert_eq!(allowances("w.properties", "a=1 # rollgate: allow one\n"), []);
        assert_eq!(allowances("w.properties", "! rollgate: allow one\n").len(), 1);
        assert_eq!(allowances("c.yaml", "a: x#rollgate: allow one\n"), []);
    }
}
