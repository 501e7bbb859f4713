//! What must not be shown: passwords and keys that stand in files.

use std::borrow::Cow;

/// Whether a key names something secret. One that only says where the secret lies does not.
pub(crate) fn names_a_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let elsewhere = ["file", "location", "path", "class", "url", "type", "enable"];
    WORDS.iter().any(|word| key.contains(word)) && !elsewhere.iter().any(|end| key.ends_with(end))
}

/// Whether a value is filled in by something as the worker starts, and says nothing itself.
pub(crate) fn is_filled_in(value: &str) -> bool {
    let value = value.trim();
    value.contains("${") || value.contains("{{") || (value.starts_with('<') && value.ends_with('>'))
}

/// The text with each secret replaced by stars, and blanks up to its length, so that places stay right.
///
/// Goes by lines: what follows the name of a secret and a separator is covered up to the end of the
/// line, and of the lines that continue it.
pub(super) fn masked(text: &str) -> Cow<'_, str> {
    match without_user_info(text) {
        Cow::Borrowed(text) => named_masked(text),
        Cow::Owned(text) => Cow::Owned(named_masked(&text).into_owned()),
    }
}

/// The text with stars over each `user:password` before the host of an address.
fn without_user_info(text: &str) -> Cow<'_, str> {
    let mut shown = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(begins) = text[from..].find("://").map(|found| from + found + 3) {
        let rest = &text[begins..];
        let end =
            rest.find(|char: char| char.is_whitespace() || matches!(char, '/' | '"' | '\'')).unwrap_or(rest.len());
        if let Some(at) = rest[..end].rfind('@').filter(|&at| rest[..at].contains(':') && !is_filled_in(&rest[..at])) {
            shown.to_mut().replace_range(begins..begins + at, &"*".repeat(at));
        }
        from = begins;
    }
    shown
}

/// The text with what follows the name of a secret covered.
fn named_masked(text: &str) -> Cow<'_, str> {
    if !lines_of(text).any(|line| secret_in(line).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut continued = false;
    for line in lines_of(text) {
        let content = line.trim_end_matches(['\n', '\r']);
        let from = if continued { Some(content.len() - content.trim_start().len()) } else { secret_in(line) };
        let (kept, covered) = content.split_at(from.unwrap_or(content.len()));
        shown.push_str(kept);
        let bare = covered.trim_end_matches('\\');
        let stars = bare.len().min(STARS);
        shown.extend(std::iter::repeat_n('*', stars));
        shown.extend(std::iter::repeat_n(' ', bare.len() - stars));
        shown.push_str(&covered[bare.len()..]);
        shown.push_str(&line[content.len()..]);
        continued = from.is_some() && content.ends_with('\\');
    }
    Cow::Owned(shown)
}

/// Lines with their ends, of which `\r` alone is one.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n').flat_map(|line| line.split_inclusive(['\r']))
}

/// Where the value of a secret begins in a line.
fn secret_in(line: &str) -> Option<usize> {
    let lower = line.to_ascii_lowercase();
    let word = |char: char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_' | '\\');
    let mut from = 0;
    loop {
        let found = WORDS.iter().filter_map(|word| Some(from + lower.get(from..)?.find(word)?)).min()?;
        let start = line[..found].rfind(|char| !word(char)).map_or(0, |before| before + 1);
        let start = start + usize::from(!line.is_char_boundary(start));
        let end = found + line[found..].find(|char| !word(char)).unwrap_or(line.len() - found);
        let value =
            end + line[end..].find(|char: char| !matches!(char, ' ' | '\t' | '=' | ':' | '"' | '\'')).unwrap_or(0);
        let said = line[value..].trim_end();
        let named = line.get(start..end).is_some_and(names_a_secret);
        if named && value > end && !said.is_empty() && !said.starts_with("${") {
            return Some(value);
        }
        from = end.max(found + 1);
    }
}

/// More would tell the length, and make long lines.
const STARS: usize = 8;

/// What the names of secrets have in them.
const WORDS: [&str; 15] = [
    "access.key",
    "api.key",
    "basic.auth",
    "credential",
    "jaas",
    "passphrase",
    // A misspelt password is one, too.
    "passw",
    "passwd",
    "password",
    "pasw",
    "private.key",
    "pwd",
    "secret",
    "ssl.keystore.key",
    "user.info",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_show_no_password() {
        let text = "database.url=jdbc:postgresql://u:hunter2@h/db\nregistry=https://u:p@a,https://b:80\n";
        let shown = masked(text);
        assert!(!shown.contains("hunter2") && !shown.contains("u:p"), "{shown}");
        assert!(shown.contains("@h/db") && shown.contains("https://b:80"), "{shown}");
        assert_eq!(shown.len(), text.len());
        assert!(matches!(masked("a=https://h:80/x@y\nb=https://${u}:${p}@h\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_secret_is_covered_and_every_place_stays() {
        let text = "group.id=a\nssl.key.password = abc é\r\nproducer.sasl.jaas.config=x.Y required \\\n  password=\"z\";\nb=1\n";
        let shown = masked(text);
        assert_eq!(shown.len(), text.len());
        assert_eq!(
            shown,
            "group.id=a\nssl.key.password = ******\r\nproducer.sasl.jaas.config=********     \\\n  ********     \nb=1\n"
        );
    }

    #[test]
    fn what_is_no_secret_is_shown() {
        let text = "ssl.keystore.location=/secrets/a.jks\nssl.key.password=${file:/etc/a:key}\n# passwords: none\n";
        assert!(masked("ssl.key.password=${file:/etc/a:key}\n").contains("${file"));
        assert!(masked(text).contains("/secrets/a.jks"));
        assert!(matches!(masked("group.id=a\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_secret_inside_a_map_of_yaml_is_covered() {
        let text = "settings: {group.id: a, sasl.jaas.config: \"x y\"}\n";
        assert_eq!(masked(text), "settings: {group.id: a, sasl.jaas.config: \"*****\n");
    }
}
