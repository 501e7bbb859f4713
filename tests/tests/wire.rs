//! The bytes of the group: what was written is read, and no bytes, however broken, are met
//! with a panic or with more memory than they are long.
//!
//! `ROLLGATE_SEED` repeats a run.

use rand_core::{Rng as _, SeedableRng as _};
use rand_pcg::Pcg32;
use rollgate_core::snapshot::{DescribedGroup, DescribedMember, Group, GroupState};
use rollgate_core::wire::{Assignment, Metadata, Part, WireError};
use rollgate_tests::oracle::seed_of_run;

#[test]
fn what_was_written_is_read_as_it_was() {
    let mut draw = Draw(Pcg32::seed_from_u64(seed_of_run()));
    for _ in 0..20_000 {
        let assignment = draw.assignment();
        let bytes = assignment.encode().unwrap();
        assert_eq!(Assignment::decode(&bytes), Ok(Some(assignment)));
        let metadata = draw.metadata();
        let bytes = metadata.encode().unwrap();
        assert_eq!(Metadata::decode(&bytes), Ok(Some(metadata)));
    }
}

#[test]
fn any_bytes_are_a_value_or_an_error_in_its_place() {
    let mut draw = Draw(Pcg32::seed_from_u64(seed_of_run()));
    let (mut read, mut refused) = (0, 0);
    let mut look = |bytes: &[u8]| {
        for answer in [Assignment::decode(bytes).map(|_| ()), Metadata::decode(bytes).map(|_| ())] {
            match answer {
                Ok(()) => read += 1,
                Err(error) => {
                    check(&error, bytes);
                    refused += 1;
                }
            }
        }
    };
    for _ in 0..50_000 {
        let length = draw.below(200);
        let mut bytes = vec![0; length];
        draw.0.fill_bytes(&mut bytes);
        look(&bytes);
        let whole = if draw.chance(2) { draw.assignment().encode() } else { draw.metadata().encode() };
        look(&draw.damaged(whole.unwrap()));
    }
    assert!(read > 10_000 && refused > 100_000, "{read} read, {refused} refused: it does not try what it should");
}

#[test]
fn a_group_is_read_whatever_its_members_bytes_are() {
    let mut draw = Draw(Pcg32::seed_from_u64(seed_of_run()));
    let (mut known, mut unknown) = (0, 0);
    for _ in 0..5_000 {
        let members: Vec<[Vec<u8>; 2]> = (0..draw.below(5))
            .map(|_| {
                let whole = [draw.metadata().encode().unwrap(), draw.assignment().encode().unwrap()];
                whole.map(|bytes| match draw.below(6) {
                    0 => Vec::new(),
                    1 => draw.damaged(bytes),
                    _ => bytes,
                })
            })
            .collect();
        let ids = ["w1-a", "w2-b", "w3-c", "w4-d"];
        let members = ids.iter().zip(&members).map(|(id, [metadata, assignment])| DescribedMember {
            id,
            client_id: "connect",
            host: "/192.0.2.1",
            metadata,
            assignment,
        });
        let group = Group::read(&DescribedGroup {
            id: "connect",
            state: ["Stable", "Stable", "PreparingRebalance", "CompletingRebalance"][draw.below(4)],
            protocol_type: "connect",
            protocol_data: "sessioned",
            coordinator: "192.0.2.1:9092",
            members: members.collect(),
        })
        .unwrap();
        let owners = group.owners();
        // What no member is known to own is not known to be free.
        assert!(group.state == GroupState::Stable || group.members.is_empty() || owners.known().is_none());
        if owners.known().is_some() {
            known += 1;
        } else {
            unknown += 1;
            assert!(owners.why_unknown().is_some_and(|reason| reason.len() > 5));
        }
        for reason in [group.leader().why_unknown(), group.delay().why_unknown(), group.successor().why_unknown()] {
            assert!(reason.is_none_or(|reason| reason.len() > 5));
        }
    }
    assert!(known > 500 && unknown > 500, "{known} known, {unknown} unknown: it does not try what it should");
}

fn check(error: &WireError, bytes: &[u8]) {
    assert!(error.offset <= bytes.len(), "{error}: outside of {} bytes", bytes.len());
    assert!(error.to_string().contains(error.expected), "{error:?}");
}

struct Draw(Pcg32);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next_u32() as usize % bound.max(1)
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn text(&mut self) -> String {
        let pieces = ["orders", "w1:8083", "-", "http://", "größe", "連接器", "\u{1F600}", "\u{0}", " ", "x"];
        (0..self.below(6)).map(|_| pieces[self.below(pieces.len())]).collect()
    }

    fn i32(&mut self) -> i32 {
        [0, 1, -1, i32::MAX, i32::MIN, self.0.next_u32().cast_signed()][self.below(6)]
    }

    fn i64(&mut self) -> i64 {
        [0, 41, -1, i64::MAX, i64::MIN, self.0.next_u64().cast_signed()][self.below(6)]
    }

    fn version(&mut self) -> i16 {
        [0, 1, 2, 2, 3, i16::MAX][self.below(6)]
    }

    fn parts(&mut self) -> Vec<Part> {
        let number = |draw: &mut Self| [0, 7, draw.0.next_u32() >> 1, u32::MAX >> 1][draw.below(4)];
        let part = |draw: &mut Self| Part {
            connector: draw.text(),
            instance: draw.chance(2),
            tasks: (0..draw.below(5)).map(|_| number(draw)).collect(),
        };
        (0..self.below(4)).map(|_| part(self)).collect()
    }

    fn assignment(&mut self) -> Assignment {
        let whole = Assignment {
            version: self.version(),
            error: i16::from(self.chance(8)),
            leader: self.text(),
            leader_url: self.text(),
            config_offset: self.i64(),
            assigned: self.parts(),
            revoked: self.parts(),
            delay_ms: self.i32(),
        };
        // Version 0 has neither.
        if whole.version == 0 { Assignment { revoked: Vec::new(), delay_ms: 0, ..whole } } else { whole }
    }

    fn metadata(&mut self) -> Metadata {
        let version = self.version();
        let allocation = (version > 0 && !self.chance(3)).then(|| self.assignment());
        Metadata { version, url: self.text(), config_offset: self.i64(), allocation }
    }

    fn damaged(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len());
            match self.below(4) {
                0 => bytes.truncate(at),
                1 => bytes.extend(self.0.next_u32().to_be_bytes()),
                // Lengths that the bytes do not hold.
                2 if bytes.len() >= at + 4 => bytes[at..at + 4].copy_from_slice(&self.i32().to_be_bytes()),
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = self.0.next_u32().to_le_bytes()[0];
                    }
                }
            }
        }
        bytes
    }
}
