//! Kafka's own assignors of consumers and ours over random histories of one sink's group.
//!
//! Needs the classes that `tests/oracle/prepare` compiles. `ROLLGATE_SEED` repeats a run.

use std::collections::BTreeMap;
use std::env;
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
    let seed = env::var("ROLLGATE_SEED").ok().map_or_else(fresh_seed, |seed| seed.parse().unwrap());
    println!("ROLLGATE_SEED={seed}");
    for version in VERSIONS {
        let mut kafka = Kafka::start(version).unwrap_or_else(|problem| panic!("{problem}"));
        let mut count = Count::default();
        for history in 0..HISTORIES {
            follow(&mut kafka, seed.wrapping_add(history), &mut count);
        }
        println!(
            "Kafka {version}: {} rounds equal under each assignor, {} with moving partitions",
            count.rounds, count.moving
        );
        assert!(count.rounds > 3_000 && count.moving > 300, "too few rounds to prove anything");
    }
}

#[derive(Default)]
struct Count {
    rounds: u32,
    moving: u32,
}

/// Consumers come and go, several at once; each history is settled in between or not.
fn follow(kafka: &mut Kafka, seed: u64, count: &mut Count) {
    let mut chance = Pcg64Mcg::seed_from_u64(seed);
    let mut below = |limit: u32| chance.next_u32() % limit;
    let mut partitions = below(40);
    let mut members = Members::new();
    for _ in 0..1 + below(12) {
        for _ in 0..below(4) {
            let words = [(); 4].map(|()| below(u32::MAX));
            members.insert(format!("connector-consumer-alpha-{}-{}", below(14), uuid(words)), Vec::new());
        }
        for _ in 0..below(3) {
            let ids: Vec<String> = members.keys().cloned().collect();
            if ids.len() > 1 {
                members.remove(&ids[below(u32::try_from(ids.len()).unwrap()) as usize]);
            }
        }
        if below(10) == 0 {
            partitions += below(5);
        }
        for _ in 0..1 + below(3) {
            if members.is_empty() {
                break;
            }
            let owned: Vec<Vec<u32>> = members.values().cloned().collect();
            let (_, theirs) = kafka.ask("range", partitions, &members);
            let ours: Vec<Vec<u32>> =
                consumer_range(partitions, members.len()).into_iter().map(Iterator::collect).collect();
            assert_eq!(ours, theirs, "Range, ROLLGATE_SEED={seed}: {partitions} {members:?}");
            let (order, theirs) = kafka.ask("sticky", partitions, &members);
            let ours = consumer_cooperative_sticky(partitions, &owned, &order);
            assert_eq!(ours, theirs, "CooperativeSticky, ROLLGATE_SEED={seed}: {partitions} {members:?}");
            count.rounds += 1;
            count.moving += u32::from(ours.iter().map(Vec::len).sum::<usize>() < partitions as usize);
            members.values_mut().zip(ours).for_each(|(owns, assigned)| *owns = assigned);
        }
    }
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
            return Err(format!("the classes of Kafka {version} are missing: run tests/oracle/prepare"));
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
    fn ask(&mut self, assignor: &str, partitions: u32, members: &Members) -> (Vec<usize>, Vec<Vec<u32>>) {
        let mut question = format!("{assignor} {partitions}");
        for (id, owned) in members {
            let owned: Vec<String> = owned.iter().map(u32::to_string).collect();
            question += &format!(" {id}={}", owned.join(","));
        }
        question.push('\n');
        self.input.as_mut().unwrap().write_all(question.as_bytes()).unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        let mut lists = answer.trim_end().split('|').map(|list| {
            list.split(',').filter(|number| !number.is_empty()).map(|number| number.parse::<u32>().unwrap()).collect()
        });
        let order: Vec<u32> = lists.next().unwrap();
        (order.into_iter().map(|place| place as usize).collect(), lists.collect())
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
