//! Drawing a history from a seed.

use std::time::{SystemTime, UNIX_EPOCH};

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use rollgate_core::model::java_string_hash;

use super::{Event, History};

/// A random history; the same for the same seed.
pub fn draw(seed: u64) -> History {
    let mut draw = Draw(Pcg32::seed_from_u64(seed));
    let large = draw.one_in(100);
    let connectors = match draw.below(6) {
        _ if large => draw.many_connectors(10, 30, 100),
        0 => draw.many_connectors(12, 16, 2),
        _ => draw.connectors(),
    };
    let delays = draw.delays();
    let crowded = draw.one_in(5);
    let workers = match draw.below(8) {
        more if large => 20 + 10 * more,
        more if crowded => 4 + more,
        few => 1 + few,
    };
    let mut members = workers;
    let mut events = vec![Event::Round(ALL)];
    for _ in 0..5 + draw.below(16) {
        for _ in 0..=draw.below(3) {
            let event = draw.event(&connectors, members);
            if let Event::Join(more) = event {
                members += more;
            }
            events.push(event);
        }
        if draw.one_in(8) {
            events.extend(draw.zombie_with_deleted_work(&connectors));
        }
        events.push(Event::Round(draw.seen()));
        if draw.one_in(2) {
            events.push(Event::Round(ALL));
        }
    }
    let ids = draw.ids(members * 2, crowded);
    History { connectors, delays, ids, workers, events }
}

/// The seed that `ROLLGATE_SEED` gives, else a fresh one; prints it.
///
/// # Panics
/// If `ROLLGATE_SEED` is not a number.
#[expect(clippy::print_stdout, reason = "the seed of a run must be seen")]
pub fn seed_of_run() -> u64 {
    let seed = number_from_environment("ROLLGATE_SEED").unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::from(since.subsec_nanos()) ^ (since.as_secs() << 20)
    });
    println!("ROLLGATE_SEED={seed}");
    seed
}

/// The number that a variable of the environment gives, if it is set.
///
/// # Panics
/// If it is not a number.
pub fn number_from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

struct Draw(Pcg32);

impl Draw {
    fn below(&mut self, bound: u32) -> u32 {
        self.0.next_u32() % bound
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.below(chances) == 0
    }

    fn of<T: Clone>(&mut self, values: &[T]) -> T {
        #[expect(clippy::cast_possible_truncation, reason = "a handful of values")]
        let place = self.below(values.len() as u32);
        values[place as usize].clone()
    }

    fn connectors(&mut self) -> Vec<(String, u32, Option<u32>)> {
        let mut names: Vec<&str> = Vec::new();
        let pool = if self.one_in(4) { SAME_BUCKET } else { NAMES };
        for _ in 0..=self.below(6) {
            let name = self.of(pool);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
            .into_iter()
            .map(|name| {
                let most = self.of(&[1, 2, 3, 5, 8, 12, 13, 24, 40]);
                let now = (!self.one_in(4)).then(|| if self.one_in(3) { self.below(most + 1) } else { most });
                (name.to_owned(), most, now)
            })
            .collect()
    }

    fn many_connectors(&mut self, least: u32, more: u32, most_tasks: u32) -> Vec<(String, u32, Option<u32>)> {
        (0..least + self.below(more))
            .map(|number| {
                let most = 1 + self.below(most_tasks);
                (format!("c{:08x}-{number}", self.0.next_u32()), most, Some(most))
            })
            .collect()
    }

    /// Chance alone rarely has all this happen in a row.
    fn zombie_with_deleted_work(&mut self, connectors: &[(String, u32, Option<u32>)]) -> [Event; 5] {
        let (zombie, connector) = (self.below(32), self.connector(connectors));
        let deleted = Event::Configure(connector, None);
        [Event::Expel(zombie), Event::Round(ALL), deleted, Event::Round(ALL), Event::Return(u32::MAX)]
    }

    fn connector(&mut self, connectors: &[(String, u32, Option<u32>)]) -> u32 {
        self.below(u32::try_from(connectors.len()).unwrap_or(1))
    }

    fn delays(&mut self) -> Vec<i32> {
        let count = if self.one_in(4) { 3 } else { 1 };
        let any = self.one_in(3);
        (0..count).map(|_| if any { self.below(300_001).cast_signed() } else { self.of(DELAYS) }).collect()
    }

    /// They fall into any bucket, or the first ones all into the same.
    fn ids(&mut self, count: u32, crowded: bool) -> Vec<String> {
        let bucket = crowded.then(|| self.below(16));
        let clients = ["connect-127.0.0.1:", "connect-", "\u{1F600}", "\u{FF5E}", "a b/ü"];
        let one = (!self.one_in(4)).then(|| self.of(&clients));
        (0..count)
            .map(|number| {
                let client = one.unwrap_or_else(|| self.of(&clients));
                loop {
                    let port = if self.one_in(2) { 8083 } else { 8083 + number % 16 };
                    let (one, other) = (self.0.next_u64(), self.0.next_u64());
                    let uuid = format!("{one:016x}{other:016x}");
                    let id = format!("{client}{port}-{}-{}-{}", &uuid[..8], &uuid[8..12], &uuid[12..]);
                    let hash = java_string_hash(&id).cast_unsigned();
                    if bucket.is_none_or(|bucket| number > 11 || (hash ^ (hash >> 16)) & 15 == bucket) {
                        return id;
                    }
                }
            })
            .collect()
    }

    fn event(&mut self, connectors: &[(String, u32, Option<u32>)], members: u32) -> Event {
        let any = self.below(32);
        match self.below(32) {
            0..=3 => Event::Wait(self.of(&[0, 1_000, 40_000, 999_999, 30_000_000, 120_000_000, 400_000_000])),
            4 => Event::Wait(self.below(400_000_000)),
            5..=9 => Event::UntilDue(self.of(&[-1, 0, 0, 1, 10])),
            10..=12 if members < 16 || members > 20 && members < 100 => Event::Join(1 + self.below(3)),
            10..=14 => Event::Leave(any),
            15..=16 => Event::LeaderLeaves,
            17..=18 => Event::Expel(any),
            19..=21 => Event::Return(any),
            22 => Event::Stops(any),
            23 => Event::Copies(any, self.below(32), 1 + self.below(12)),
            24 => Event::Lead(any),
            25..=26 => Event::Rotate(any),
            27..=28 => {
                let connector = self.connector(connectors);
                let most = connectors[connector as usize].1;
                Event::Configure(connector, (!self.one_in(3)).then(|| self.below(most + 1)))
            }
            29 => Event::Eager(self.one_in(3)),
            30 => Event::Eager(false),
            _ => Event::Mismatch,
        }
    }

    fn seen(&mut self) -> u32 {
        match self.below(8) {
            0 => 0,
            1 => self.0.next_u32(),
            2 => !(1 << self.below(16)),
            _ => ALL,
        }
    }
}

const ALL: u32 = u32::MAX;
const DELAYS: &[i32] = &[0, 0, 1, 7, 30, 40, 1_000, 1_601, 60_000, 63_999, 300_000, 300_000, 300_000];
const NAMES: &[&str] = &[
    "alpha",
    "beta",
    "A",
    "B",
    "a",
    "a-1",
    "zz zz",
    "naïve",
    "連接器",
    "\u{1F600}",
    "\u{FF5E}",
    "jdbc.orders-sink",
    "JDBC_ORDERS",
    "x",
    "0",
    "00",
    "connect-0",
];
/// The first eight have one hash, the others share its bucket in small tables.
const SAME_BUCKET: &[&str] =
    &["AaAa", "BBBB", "AaBB", "BBAa", "AaC#", "C#Aa", "BBC#", "C#BB", "Aa", "BB", "C#", "b1", "r1"];
