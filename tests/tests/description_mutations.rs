//! No file, however broken, is met with a panic: good files with random damage.
//!
//! `ROLLGATE_SEED` repeats a run.

#![expect(clippy::unwrap_used, reason = "a seed that is no number fails the test")]
#![expect(clippy::print_stdout, reason = "the seed repeats a run")]

use std::env;
use std::time::SystemTime;

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;
use rollgate_core::description::Description;
use rollgate_core::model::{read, read_replay};
use rollgate_core::text::{DescriptionError, Files};
use rollgate_tests::{files_of, scenarios, survives};

#[test]
fn damaged_files_are_answered_with_messages_in_their_places() {
    let fresh = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().subsec_nanos().into();
    let seed: u64 = env::var("ROLLGATE_SEED").map_or_else(|_| fresh(), |text| text.parse().unwrap());
    println!("ROLLGATE_SEED={seed}");
    let mut draw = Pcg32::seed_from_u64(seed);
    let all: Vec<Files> = scenarios("description").iter().map(|scenario| files_of(scenario)).collect();
    let (sound, broken): (Vec<Files>, Vec<Files>) = all.into_iter().partition(|files| errors_of(files).is_empty());
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..ROUNDS {
        let pool = if draw.next_u32().is_multiple_of(4) { &broken } else { &sound };
        let files = &pool[draw.next_u32() as usize % pool.len()];
        let mut damaged = files.clone();
        let main = main_of(files);
        for name in files.names() {
            if name == main || draw.next_u32().is_multiple_of(4) {
                damaged.insert(name, damage(files.get(name).unwrap(), &mut draw));
            }
        }
        Description::referenced_files(damaged.get(main).unwrap());
        let errors = errors_of(&damaged);
        if errors.is_empty() {
            accepted += 1;
            if let Ok((cluster, policy)) = read(&damaged, main) {
                survives(&cluster, &policy).unwrap_or_else(|why| panic!("{why}\n{damaged:?}"));
            }
        } else {
            refused += 1;
        }
        for error in &errors {
            check(error, &damaged);
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > ROUNDS / 150 && refused > ROUNDS / 150, "the damage does not try what it should");
}

fn main_of(files: &Files) -> &'static str {
    if files.get("incident.yaml").is_some() { "incident.yaml" } else { "cluster.yaml" }
}

/// What is wrong with a file; it is never refused without a reason.
fn errors_of(files: &Files) -> Vec<DescriptionError> {
    let main = main_of(files);
    let errors = if main == "incident.yaml" { read_replay(files, main).err() } else { read(files, main).err() };
    assert!(errors.as_ref().is_none_or(|errors| !errors.is_empty()), "refused without a reason: {files:?}");
    errors.unwrap_or_default()
}

/// A message says something, and its place is in the file.
fn check(error: &DescriptionError, files: &Files) {
    let text = files.get(&error.file).unwrap();
    assert!(error.message.len() > 5 && !error.to_string().contains(char::is_control), "{error}");
    assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}\n{text}");
    assert!(error.line as usize <= 1 + text.matches(['\n', '\r']).count(), "{error:?}\n{text}");
    assert!(error.column >= 1);
    let rendered = error.render(files, false);
    let place = format!("{}:{}:{}", error.file, error.line, error.column);
    // The renderer finds the place by itself, but takes `\r` alone for no line end.
    let other_lines = text.replace("\r\n", "").contains('\r');
    assert!(other_lines || rendered.contains(&place), "{place} is shown elsewhere\n{rendered}\n{text:?}");
    assert!(error.render(files, true).len() > rendered.len());
}

fn damage(text: &str, draw: &mut Pcg32) -> String {
    let mut below = |bound: usize| draw.next_u32() as usize % bound.max(1);
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=below(2) {
        let at = below(chars.len() + 1);
        let to = (at + below(12)).min(chars.len());
        match below(5) {
            0 => drop(chars.drain(at..to)),
            1 => {
                let piece: Vec<char> = chars[at..to].to_vec();
                let place = below(chars.len() + 1);
                chars.splice(place..place, piece);
            }
            2 if at < chars.len() => {
                let unit = u16::try_from(below(0x500)).unwrap();
                chars[at] = char::from_u32(unit.into()).unwrap_or('x');
            }
            _ => drop(chars.splice(at..at, PIECES[below(PIECES.len())].chars())),
        }
    }
    chars.into_iter().collect()
}

const ROUNDS: usize = 1_500;

const PIECES: [&str; 36] = [
    "\n",
    "\r\n",
    "\t",
    " ",
    "  ",
    ":",
    ": ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "'",
    "\"",
    "#",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "---\n",
    "null",
    "0",
    "-1",
    "99999999999999999999",
    "1e9",
    "5s",
    "..",
    "%",
    "/s",
    "{n}",
    "\u{feff}",
    "\u{0}",
    "\u{2028}",
    "\\u",
    "| \n",
];
