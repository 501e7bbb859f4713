//! Our reader of `.properties` against `java.util.Properties` itself, in one JVM.
//!
//! `ROLLGATE_SEED` repeats a run.

#![expect(clippy::unwrap_used, reason = "a JVM that does not answer fails the test")]
#![expect(clippy::print_stdout, reason = "the seed repeats a run")]

use std::collections::BTreeMap;
use std::env;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;
use rollgate_core::text::{Errors, properties};
use rollgate_tests::root;

/// What a file says; `None` if it is refused.
type Read = Option<BTreeMap<String, String>>;

#[test]
fn random_files_are_read_as_java_reads_them() {
    let fresh = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().subsec_nanos().into();
    let seed: u64 = env::var("ROLLGATE_SEED").map_or_else(|_| fresh(), |text| text.parse().unwrap());
    println!("ROLLGATE_SEED={seed}");
    let mut draw = Pcg32::seed_from_u64(seed);
    let mut files: Vec<String> = CORPUS.iter().map(|text| (*text).to_owned()).collect();
    files.extend((0..FILES).map(|_| random_file(&mut draw)));
    let java = java(&files);
    let refused = java.iter().filter(|read| read.is_none()).count();
    println!("{} files, {refused} of them refused by Java", files.len());
    assert!(refused > 0 && refused < FILES / 2, "the files do not try what they should");
    for (file, java) in files.iter().zip(java) {
        assert_eq!(ours(file), java, "\nthe file (ROLLGATE_SEED={seed}): {file:?}");
    }
}

fn ours(text: &str) -> Read {
    let mut errors = Errors::new(vec!["f".to_owned()]);
    let file = errors.file("f");
    let read = properties::parse(text, file, &mut errors);
    for property in &read.all {
        for place in [property.key.span, property.value.span] {
            let before = text.get(..place.start as usize).unwrap();
            assert!(text.get(place.bytes()).is_some());
            assert_eq!(place.line as usize, 1 + lines_in(before), "{text:?}");
        }
    }
    let last = |(key, property): (&str, &properties::Property)| (key.to_owned(), property.value.value.clone());
    errors.is_empty().then(|| read.last().into_iter().map(last).collect())
}

/// Line ends as Java counts them: `\r\n` is one.
fn lines_in(text: &str) -> usize {
    text.matches(['\n', '\r']).count() - text.matches("\r\n").count()
}

fn java(files: &[String]) -> Vec<Read> {
    let mut input = String::new();
    for file in files {
        input.extend(file.bytes().map(|byte| format!("{byte:02x}")));
        input.push('\n');
    }
    let source = root().join("tests/oracle/properties/LoadProperties.java");
    let mut child = Command::new("java")
        .args(["-Xmx256m", "-XX:+UseSerialGC"])
        .arg(source)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java does not start: install a JDK 17 or later");
    let mut pipe = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let answers: Vec<Read> = String::from_utf8(output.stdout).unwrap().lines().map(answer).collect();
    assert_eq!(answers.len(), files.len(), "java answered for some files only");
    answers
}

fn answer(line: &str) -> Read {
    let text = |hex: &str| {
        let units =
            hex.as_bytes().chunks(4).map(|unit| u16::from_str_radix(str::from_utf8(unit).unwrap(), 16).unwrap());
        String::from_utf16_lossy(&units.collect::<Vec<u16>>())
    };
    let entry = |entry: &str| entry.split_once('=').map(|(key, value)| (text(key), text(value))).unwrap();
    (line != "refused").then(|| line.split_terminator(';').map(entry).collect())
}

/// A file made of the pieces where readers differ.
fn random_file(draw: &mut Pcg32) -> String {
    let mut below = |bound: usize| draw.next_u32() as usize % bound;
    let length = 1 + below(40);
    let mut piece = || if below(100) == 0 { BROKEN[below(BROKEN.len())] } else { PIECES[below(PIECES.len())] };
    (0..length).map(|_| piece()).collect()
}

const FILES: usize = 20_000;

const PIECES: [&str; 38] = [
    "a",
    "b",
    "key",
    "value.1",
    "=",
    ":",
    " ",
    "\t",
    "\u{c}",
    "\\",
    "\\\\",
    "\n",
    "\r",
    "\r\n",
    "\\\n",
    "\\\r\n",
    "#",
    "!",
    "\\u00e9",
    "\\u00E9",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\\t",
    "\\n",
    "\\r",
    "\\f",
    "\\ ",
    "\\:",
    "\\=",
    "\\#",
    "\u{e9}",
    "\u{1F600}",
    "\n\n",
    "  ",
    "a=1\n",
    "b: 2\n",
    "c 3\r\n",
    "\\z",
];

/// Pieces at which Java refuses the file.
const BROKEN: [&str; 3] = ["\\uuuu", "\\u12", "\\u12g4"];

/// Files whose oddities are known.
const CORPUS: [&str; 12] = [
    "",
    "\\",
    "\\\n",
    "\\\n#comment\n",
    "# comment \\\na=1",
    "a=1\na=2\na:3",
    "a\\\n   b = c \\\r\n  d  ",
    "a=b\\",
    "a\\=b\\:c=d",
    "a\u{0}=b\u{85}c",
    "\u{feff}a=1",
    "bootstrap.servers : h:9092\n  group.id   example-\\u00e9\n! note \\\nkey.converter=org.\\\n    Json\nexample\\:key=kept\n",
];
