//! Member ids and their orders.

use crate::model::{WorkerId, java_string_hash};

/// A member of the group, by its place in [`MemberIds`].
///
/// A restarted process is a new member: its id is never that of the process before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberId(pub u32);

impl MemberId {
    /// The place in an array that has one entry for each member id ever seen.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// All member ids ever seen in a run: `<client id>-<UUID>`.
///
/// Their numbers are the order in which they were first seen, not the order of the ids.
#[derive(Clone, Debug, Default)]
pub struct MemberIds {
    ids: Vec<MemberName>,
    /// All ids in Kafka's natural order.
    sorted: Vec<MemberId>,
}

#[derive(Clone, Debug)]
struct MemberName {
    text: String,
    hash: i32,
    worker: WorkerId,
    rank: u32,
}

impl MemberIds {
    /// Adds an id that was not seen before.
    pub fn add(&mut self, text: impl Into<String>, worker: WorkerId) -> MemberId {
        let text = text.into();
        let hash = java_string_hash(&text);
        #[expect(clippy::cast_possible_truncation, reason = "members are far fewer than 2^32")]
        let id = MemberId(self.ids.len() as u32);
        let rank = self.sorted.partition_point(|other| before(&self.ids[other.index()].text, &text));
        self.sorted.insert(rank, id);
        self.ids.push(MemberName { text, hash, worker, rank: 0 });
        for (rank, id) in self.sorted.iter().enumerate().skip(rank) {
            #[expect(clippy::cast_possible_truncation, reason = "members are far fewer than 2^32")]
            let rank = rank as u32;
            self.ids[id.index()].rank = rank;
        }
        id
    }

    /// The id as Kafka writes it.
    pub fn text(&self, id: MemberId) -> &str {
        &self.ids[id.index()].text
    }

    /// Java's `String.hashCode` of the id.
    pub fn hash(&self, id: MemberId) -> i32 {
        self.ids[id.index()].hash
    }

    /// The place of the id among all of the run in the order of `String.compareTo`.
    ///
    /// It changes as ids are added; how two ids compare does not.
    pub fn rank(&self, id: MemberId) -> u32 {
        self.ids[id.index()].rank
    }

    /// The worker whose process has, or had, the id.
    pub fn worker(&self, id: MemberId) -> WorkerId {
        self.ids[id.index()].worker
    }

    /// The member with that id.
    pub fn find(&self, text: &str) -> Option<MemberId> {
        let place = self.ids.iter().position(|id| id.text == text)?;
        u32::try_from(place).ok().map(MemberId)
    }

    /// How many ids were seen.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether none was seen.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// Java compares UTF-16 code units, which for ASCII are the bytes.
fn before(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() { one < other } else { one.encode_utf16().lt(other.encode_utf16()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_rank_by_utf16_units() {
        let mut ids = MemberIds::default();
        let [z, smile, tilde, a] = ["z-1", "\u{1F600}-1", "\u{FF5E}-1", "a-10"].map(|text| ids.add(text, WorkerId(0)));
        assert_eq!([a, z, smile, tilde].map(|id| ids.rank(id)), [0, 1, 2, 3]);
    }
}
