//! Kafka's own assignors of consumers and ours over random histories of one sink's group.
//!
//! Needs the classes that `tests/oracle/prepare` compiles. `ROLLGATE_SEED` repeats a run.
#![expect(clippy::print_stdout, reason = "a test must say what it compared, and with which seed")]

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use rollgate_core::assignor::{consumer_cooperative_sticky, consumer_range};

/// The members of the group by id, each with what it owns.
type Members = BTreeMap<String, Vec<u32>>;

#[test]
fn kafka_and_we_share_partitions_out_alike() {
    let seed = match env::var("ROLLGATE_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("ROLLGATE_SEED={text} is not a number")),
        Err(_) => fresh_seed(),
    };
    println!("ROLLGATE_SEED={seed}");
    for version in VERSIONS {
        let mut count = Count::default();
        let all = Kafka::start(version).and_then(|mut kafka| {
            (0..HISTORIES).try_for_each(|history| follow(&mut kafka, seed.wrapping_add(history), &mut count))
        });
        all.unwrap_or_else(|problem| panic!("Kafka {version}: {problem}"));
        let Count { rounds, moving } = count;
        println!("Kafka {version}: {rounds} rounds equal under each assignor, {moving} with moving partitions");
        assert!(rounds > 3_000 && moving > 300, "too few rounds to prove anything");
    }
}

#[derive(Default)]
struct Count {
    rounds: u32,
    moving: u32,
}

/// Consumers come and go, several at once; a history settles between the changes or does not.
fn follow(kafka: &mut Kafka, seed: u64, count: &mut Count) -> Result<(), String> {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let mut below = |limit: u32| chance.next_u32() % limit;
    let mut partitions = below(40);
    let mut members = Members::new();
    for _ in 0..=below(12) {
        for _ in 0..below(4) {
            let words = [(); 4].map(|()| below(u32::MAX));
            members.insert(format!("connector-consumer-alpha-{}-{}", below(14), uuid(words)), Vec::new());
        }
        for _ in 0..below(3) {
            let chosen = below(1_000) as usize;
            if members.len() > 1
                && let Some(id) = members.keys().nth(chosen % members.len()).cloned()
            {
                members.remove(&id);
            }
        }
        if below(10) == 0 {
            partitions += below(5);
        }
        for _ in 0..=below(3) {
            if members.is_empty() {
                break;
            }
            let owned: Vec<Vec<u32>> = members.values().cloned().collect();
            let (_, theirs) = kafka.ask("range", partitions, &members)?;
            let ours = consumer_range(partitions, members.len()).into_iter().map(Iterator::collect).collect();
            equal("range", seed, &members, &theirs, &ours)?;
            let (order, theirs) = kafka.ask("sticky", partitions, &members)?;
            let ours = consumer_cooperative_sticky(partitions, &owned, &order);
            equal("sticky", seed, &members, &theirs, &ours)?;
            count.rounds += 1;
            count.moving += u32::from(ours.iter().map(Vec::len).sum::<usize>() < partitions as usize);
            for (owns, assigned) in members.values_mut().zip(ours) {
                *owns = assigned;
            }
        }
    }
    Ok(())
}

fn equal(
    assignor: &str,
    seed: u64,
    members: &Members,
    theirs: &Vec<Vec<u32>>,
    ours: &Vec<Vec<u32>>,
) -> Result<(), String> {
    if theirs == ours {
        return Ok(());
    }
    Err(format!("{assignor} differs (ROLLGATE_SEED={seed}) for {members:?}:\nKafka {theirs:?}\nours  {ours:?}"))
}

struct Kafka {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Kafka {
    fn start(version: &str) -> Result<Self, String> {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.build/oracle").join(version);
        if !home.join("classes/ConsumerOracle.class").exists() {
            return Err("its classes are missing: run tests/oracle/prepare".to_owned());
        }
        let path = format!("{}:{}/*", home.join("classes").display(), home.join("jars").display());
        let mut child = Command::new("java")
            .args(["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", &path, "ConsumerOracle"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("java does not start ({error}): install a JDK 17 or later"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("java was started without pipes".to_owned());
        };
        Ok(Self { child, input: Some(input), output: BufReader::new(output) })
    }

    /// The places of the members in the order of Kafka's map, and what each is assigned.
    fn ask(
        &mut self,
        assignor: &str,
        partitions: u32,
        members: &Members,
    ) -> Result<(Vec<usize>, Vec<Vec<u32>>), String> {
        let mut question = format!("{assignor} {partitions}");
        for (id, owned) in members {
            let owned: Vec<String> = owned.iter().map(u32::to_string).collect();
            let _ = write!(question, " {id}={}", owned.join(","));
        }
        question.push('\n');
        let ended = |error: std::io::Error| format!("the oracle ended: {error}");
        let input = self.input.as_mut().ok_or("the oracle was closed")?;
        input.write_all(question.as_bytes()).map_err(ended)?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).map_err(ended)?;
        let lists: Result<Vec<Vec<u32>>, _> = answer
            .trim_end()
            .split('|')
            .map(|list| list.split(',').filter(|number| !number.is_empty()).map(str::parse).collect())
            .collect();
        let mut lists = lists.map_err(|error| format!("the oracle said {answer:?}: {error}"))?;
        if lists.len() != members.len() + 1 {
            return Err(format!("the oracle said {answer:?}"));
        }
        let order = lists.remove(0).into_iter().map(|place| place as usize).collect();
        Ok((order, lists))
    }
}

impl Drop for Kafka {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}

fn uuid([a, b, c, d]: [u32; 4]) -> String {
    format!("{a:08x}-{:04x}-{:04x}-{:04x}-{:04x}{d:08x}", b >> 16, b & 0xffff, c >> 16, c & 0xffff)
}

fn fresh_seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(since.subsec_nanos()) ^ (since.as_secs() << 20)
}

/// The versions whose consumers are compared.
const VERSIONS: [&str; 2] = ["3.9.2", "4.4.0"];

/// Histories of one run for each version.
const HISTORIES: u64 = 600;
