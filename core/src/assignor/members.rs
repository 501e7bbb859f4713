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
}

#[derive(Clone, Debug)]
struct MemberName {
    text: String,
    hash: i32,
    worker: WorkerId,
}

impl MemberIds {
    /// Adds an id that was not seen before.
    pub fn add(&mut self, text: impl Into<String>, worker: WorkerId) -> MemberId {
        let text = text.into();
        let hash = java_string_hash(&text);
        #[expect(clippy::cast_possible_truncation, reason = "members are far fewer than 2^32")]
        let id = MemberId(self.ids.len() as u32);
        self.ids.push(MemberName { text, hash, worker });
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
