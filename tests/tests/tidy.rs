//! What reviews would otherwise have to watch: the order of the rooms, sizes, words that
//! have no place in the tree. Each check says which file and line breaks which rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rollgate_tests::{read, root, tracked_files};

#[test]
fn rooms_use_only_what_the_table_allows() {
    let allowed = rooms();
    let mut faults = Vec::new();
    for file in core_files() {
        let Some(room) = room_of(&file) else { continue };
        let Some(may_use) = allowed.get(&room) else {
            faults.push(format!("{file}: the room '{room}' is not in ARCHITECTURE.md's table"));
            continue;
        };
        let names: BTreeSet<String> = allowed.keys().cloned().collect();
        for (line, used) in rooms_named(&read(&file), &names, &files_beside(&file)) {
            if used != room && !may_use.contains(&used) {
                faults.push(format!("{file}:{line}: '{room}' may not use '{used}'"));
            }
        }
    }
    report(&faults);
}

#[test]
fn the_table_of_rooms_has_no_circle() {
    let allowed = rooms();
    // `model` builds itself from a description in its builder; the way back does not exist.
    let mut left: BTreeMap<&String, BTreeSet<&String>> =
        allowed.iter().map(|(room, uses)| (room, uses.iter().collect())).collect();
    while let Some(free) = left.iter().find(|(_, uses)| uses.is_empty()).map(|(room, _)| *room) {
        left.remove(free);
        for uses in left.values_mut() {
            uses.remove(free);
        }
    }
    assert!(left.is_empty(), "these rooms need one another in a circle: {:?}", left.keys().collect::<Vec<_>>());
}

#[test]
fn every_room_has_a_folder_a_doc_and_a_row() {
    let rows = rooms();
    let mut faults = Vec::new();
    let folders: BTreeSet<String> = core_files().iter().filter_map(|file| room_of(file)).collect();
    for room in &folders {
        let doc = std::fs::read_to_string(root().join(format!("core/src/{room}/mod.rs"))).unwrap_or_default();
        if !doc.starts_with("//! ") {
            faults.push(format!("core/src/{room}/mod.rs: does not begin with what the room is for"));
        }
        if !rows.contains_key(room) {
            faults.push(format!("core/src/{room}: no row in ARCHITECTURE.md's table"));
        }
    }
    for room in rows.keys().filter(|room| !folders.contains(*room)) {
        faults.push(format!("ARCHITECTURE.md: the table has a room '{room}' that core/src has not"));
    }
    let lib = read("core/src/lib.rs");
    for room in &folders {
        if !lib.contains(&format!("mod {room};")) {
            faults.push(format!("core/src/{room}: lib.rs does not list it"));
        }
    }
    report(&faults);
}

#[test]
fn every_file_says_what_it_is_for() {
    let faults: Vec<String> = rust_files()
        .into_iter()
        .filter(|file| !read(file).starts_with("//!"))
        .map(|file| format!("{file}: does not begin with a doc"))
        .collect();
    report(&faults);
}

#[test]
fn no_file_is_longer_than_600_lines_before_its_tests() {
    let mut faults = Vec::new();
    for file in rust_files() {
        let of_tests = file.starts_with("tests/") || file.contains("/tests/") || file.ends_with("/tests.rs");
        let lines = read(&file).lines().take_while(|line| line.trim() != "#[cfg(test)]").count();
        if !of_tests && lines > 600 {
            faults.push(format!("{file}: {lines} lines before its tests; split it by aspect"));
        }
    }
    report(&faults);
}

#[test]
fn the_core_knows_no_order_of_a_hash() {
    // In comments Java's own may be named.
    let code = |line: &str| !line.trim_start().starts_with("//");
    report(&lines_with(&core_files(), &["HashMap", "HashSet"], code));
}

#[test]
fn the_core_uses_only_the_listed_third_parties() {
    // `sha2`: what tells whether a plan is still the one that was made must be beyond doubt.
    const LISTED: [&str; 15] = [
        "annotate-snippets",
        "humantime",
        "libm",
        "plotters",
        "rand_core",
        "rand_pcg",
        "saphyr-parser",
        "schemars",
        "serde",
        "serde_json",
        "serde_yaml",
        "sha2",
        "strsim",
        "thiserror",
        "time",
    ];
    let manifest = read("core/Cargo.toml");
    let mut faults = Vec::new();
    let mut section = String::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_owned();
            if section.starts_with("dependencies.") || section.starts_with("target.") || section.contains("build-") {
                faults.push(format!("core/Cargo.toml: write [{section}] as a line of [dependencies]"));
            }
        } else if section == "dependencies" && !line.trim().is_empty() && !line.starts_with('#') {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
            if !LISTED.contains(&name) {
                faults.push(format!("core/Cargo.toml: '{name}' is not among the core's third parties"));
            }
        }
    }
    report(&faults);
}

#[test]
fn only_one_file_names_plotters() {
    let code = |line: &str| !line.trim_start().starts_with("//");
    let others: Vec<String> = core_files().into_iter().filter(|file| file != "core/src/chart/svg.rs").collect();
    report(&lines_with(&others, &["plotters"], code));
}

#[test]
fn nothing_is_left_open() {
    let files: Vec<String> = tracked_files()
        .into_iter()
        .filter(|file| {
            [".rs", ".js", ".mjs", ".ts", ".py", ".java", ".sh", ".yaml", ".yml", "/run"]
                .iter()
                .any(|end| file.ends_with(end))
        })
        .filter(|file| file != "tests/tests/tidy.rs")
        .collect();
    let words = ["todo!", "unimplemented!", "FIXME", "XXX", "TODO", "dbg!(", "#[ignore", "assert!(true)"];
    report(&lines_with(&files, &words, |_| true));
}

#[test]
fn no_file_names_a_machine_or_a_registry() {
    let registries = ["crates.io", "static.rust-lang.org", "registry.npmjs", "pypi.org", "repo1.maven", "repo.maven"];
    let mut faults = Vec::new();
    for file in tracked_files() {
        let lock = has_extension(&file, "lock") || file.ends_with("package-lock.json");
        let Ok(text) = std::fs::read_to_string(root().join(&file)) else { continue };
        if lock || file == "tests/tests/tidy.rs" {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            if let Some(word) = registries.iter().find(|word| line.contains(**word)) {
                faults.push(format!("{file}:{}: the host '{word}'", number + 1));
            }
            if let Some(path) = machine_path(line) {
                faults.push(format!("{file}:{}: a path of one machine: {path}", number + 1));
            }
        }
    }
    report(&faults);
}

#[test]
fn the_changelog_begins_with_what_is_unreleased() {
    let text = read("CHANGELOG.md");
    let first = text.lines().find(|line| line.starts_with("## "));
    assert_eq!(first, Some("## Unreleased"), "the first section of CHANGELOG.md");
}

#[test]
fn the_root_holds_what_people_look_for() {
    for file in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", ".ci/run"] {
        assert!(root().join(file).is_file(), "{file} is missing");
    }
    assert!(read(".ci/run").contains("README"), ".ci/run does not say that it runs the README's command");
}

#[test]
fn links_in_documents_lead_to_files() {
    let mut faults = Vec::new();
    for file in tracked_files().into_iter().filter(|file| has_extension(file, "md")) {
        let folder = root().join(&file);
        let folder = folder.parent().unwrap_or(&folder).to_owned();
        for (number, line) in read(&file).lines().enumerate() {
            for link in line.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
                if !link.is_empty() && !link.contains("://") && !folder.join(link).exists() {
                    faults.push(format!("{file}:{}: no such file: {link}", number + 1));
                }
            }
        }
    }
    report(&faults);
}

/// The rows of the table in ARCHITECTURE.md under "What each room may use".
fn rooms() -> BTreeMap<String, BTreeSet<String>> {
    let text = read("ARCHITECTURE.md");
    let mut rows = BTreeMap::new();
    let table = text.lines().skip_while(|line| !line.starts_with("| room |")).skip(2);
    for row in table.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let uses = cells[1].split(',').map(|name| name.split('(').next().unwrap_or_default().trim().to_owned());
        rows.insert(cells[0].to_owned(), uses.filter(|name| name != "–").collect());
    }
    assert!(rows.len() >= 5, "ARCHITECTURE.md has no table of rooms");
    rows
}

/// The rooms that a file's text names, with the line: by `crate::`, also in braces, and by
/// `super::` as far as it leaves the room. Comments may point anywhere.
fn rooms_named(text: &str, rooms: &BTreeSet<String>, beside: &BTreeSet<String>) -> Vec<(usize, String)> {
    let code: Vec<&str> =
        text.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect();
    let text = code.join("\n");
    let mut found = Vec::new();
    for (root, own) in [("crate::", false), ("super::", true)] {
        let mut from = 0;
        while let Some(place) = text[from..].find(root) {
            let start = from + place + root.len();
            let line = text[..start].matches('\n').count() + 1;
            for name in first_names(&text[start..]) {
                if rooms.contains(&name) && !(own && beside.contains(&name)) {
                    found.push((line, name));
                }
            }
            from = start;
        }
    }
    found
}

/// The first name of a path, or of each path within braces: `a::{b, c}` gives `a`,
/// `{a::b, c::{d, e}}` gives `a` and `c`.
fn first_names(path: &str) -> Vec<String> {
    let ident = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(inner) = path.strip_prefix('{') else { return vec![ident(path)] };
    let mut names = Vec::new();
    let mut depth = 0;
    let mut begins = true;
    for (place, sign) in inner.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && !sign.is_whitespace() => {
                names.push(ident(&inner[place..]));
                begins = false;
            }
            _ => {}
        }
    }
    names
}

/// The modules that lie in the same folder as a file: its `super::` names them, no room.
fn files_beside(file: &str) -> BTreeSet<String> {
    let path = root().join(file);
    let Some(folder) = path.parent() else { return BTreeSet::new() };
    if file.ends_with("/mod.rs") && file.matches('/').count() == 3 {
        // Here `super` is the crate.
        return BTreeSet::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().trim_end_matches(".rs").to_owned()).collect()
}

fn room_of(file: &str) -> Option<String> {
    let (room, rest) = file.strip_prefix("core/src/")?.split_once('/')?;
    (!rest.is_empty()).then(|| room.to_owned())
}

fn rust_files() -> Vec<String> {
    tracked_files().into_iter().filter(|file| has_extension(file, "rs")).collect()
}

fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|other| other == extension)
}

fn core_files() -> Vec<String> {
    rust_files().into_iter().filter(|file| file.starts_with("core/src/")).collect()
}

/// The lines that hold one of the words, of those that count. A word that goes on to either
/// side is another: `\uXXXX` is none.
fn lines_with(files: &[String], words: &[&str], counts: impl Fn(&str) -> bool) -> Vec<String> {
    let part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let stands_alone = |line: &str, word: &str| {
        line.match_indices(word).any(|(place, _)| {
            let before = line[..place].chars().next_back().is_some_and(part);
            let after = line[place + word.len()..].chars().next().is_some_and(part);
            !(before && word.starts_with(part) || after && word.ends_with(part))
        })
    };
    let mut found = Vec::new();
    for file in files {
        for (number, line) in read(file).lines().enumerate().filter(|(_, line)| counts(line)) {
            if let Some(word) = words.iter().find(|word| stands_alone(line, word)) {
                found.push(format!("{file}:{}: '{word}'", number + 1));
            }
        }
    }
    found
}

/// A path that exists on somebody's machine only. (`/tmp` may stand in a worker file: it
/// is where Kafka's own samples put things.)
fn machine_path(line: &str) -> Option<&str> {
    ["/work/", "/root/", "/home/", "/farm/", "/Users/"].into_iter().find(|path| {
        line.match_indices(*path).any(|(place, _)| {
            let before = line[..place].chars().next_back();
            before.is_none_or(|sign| !sign.is_alphanumeric() && !"-_.}~".contains(sign))
        })
    })
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "\n  {}\n", faults.join("\n  "));
}

mod the_checks_themselves {
    use super::*;

    fn names(text: &str) -> Vec<(usize, String)> {
        let rooms = ["units", "model", "gate", "text"].map(str::to_owned).into();
        rooms_named(text, &rooms, &BTreeSet::from(["text".to_owned()]))
    }

    #[test]
    fn a_forbidden_import_is_seen_in_each_of_its_forms() {
        let gate = |line| vec![(line, "gate".to_owned())];
        assert_eq!(names("use crate::gate::Gate;"), gate(1));
        assert_eq!(names("\nfn f() -> crate::gate::Gate {}"), gate(2));
        assert_eq!(names("use crate::{other::{model, x}, gate::Gate};"), gate(1));
        assert_eq!(names("use super::super::gate;"), gate(1));
        assert_eq!(names("use super::text::Line;"), []);
        assert_eq!(names("/// See [`crate::gate`]."), []);
    }

    #[test]
    fn a_machine_path_is_seen_and_a_relative_one_is_not() {
        assert_eq!(machine_path("see /home/me/x"), Some("/home/"));
        assert_eq!(machine_path("file:///root/x"), Some("/root/"));
        assert_eq!(machine_path("https://host.example/work/x"), None);
        assert_eq!(machine_path("a/work/b"), None);
    }
}
