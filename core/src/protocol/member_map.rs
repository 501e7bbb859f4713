//! The order in which a coordinator lists the members of a group.
//!
//! It decides who succeeds a leader that leaves, and, for ids in one bucket, the order in
//! which the assignor sees the members.

use crate::assignor::{MemberId, MemberIds};
use crate::model::Coordinator;

/// The coordinator's map of member ids, in its iteration order.
///
/// Follows `java.util.HashMap` (Java coordinator: `ClassicGroup.members`) and Scala 2.13's
/// `mutable.HashMap` (Scala coordinator: `GroupMetadata.members`).
///
/// # Leaves out
/// - the trees Java makes of a bucket with 8 or more ids
/// - the order after a coordinator failover, when the map is rebuilt from the log
#[derive(Clone, Debug)]
pub struct MemberMap {
    coordinator: Coordinator,
    /// Each bucket holds (spread hash, member), head first.
    buckets: Vec<Vec<(i32, MemberId)>>,
    len: usize,
}

impl MemberMap {
    /// An empty map; `buckets` is a power of two, 16 for a new group.
    pub fn new(coordinator: Coordinator, buckets: usize) -> Self {
        Self { coordinator, buckets: vec![Vec::new(); buckets.next_power_of_two().max(16)], len: 0 }
    }

    /// Adds a member, growing the table when the coordinator would.
    pub fn insert(&mut self, id: MemberId, ids: &MemberIds) {
        if self.contains(id, ids) {
            return;
        }
        let hash = ids.hash(id);
        let spread = hash ^ ((hash.cast_unsigned() >> 16).cast_signed());
        // Scala grows before it adds the element that reaches three quarters, Java after the one that exceeds them.
        if self.coordinator == Coordinator::Scala && self.len + 1 >= self.buckets.len() / 4 * 3 {
            self.grow();
        }
        self.put(spread, id);
        self.len += 1;
        if self.coordinator == Coordinator::Java && self.len > self.buckets.len() / 4 * 3 {
            self.grow();
        }
    }

    /// Removes a member; the table never shrinks.
    pub fn remove(&mut self, id: MemberId) {
        for bucket in &mut self.buckets {
            if let Some(place) = bucket.iter().position(|&(_, other)| other == id) {
                bucket.remove(place);
                self.len -= 1;
                return;
            }
        }
    }

    /// The members in the coordinator's order, as `DescribeGroups` lists them.
    pub fn iter(&self) -> impl Iterator<Item = MemberId> + '_ {
        self.buckets.iter().flatten().map(|&(_, id)| id)
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn contains(&self, id: MemberId, ids: &MemberIds) -> bool {
        let hash = ids.hash(id);
        let spread = hash ^ ((hash.cast_unsigned() >> 16).cast_signed());
        self.buckets[self.bucket(spread)].iter().any(|&(_, other)| other == id)
    }

    fn bucket(&self, spread: i32) -> usize {
        spread.cast_unsigned() as usize & (self.buckets.len() - 1)
    }

    fn put(&mut self, spread: i32, id: MemberId) {
        let index = self.bucket(spread);
        let bucket = &mut self.buckets[index];
        let place = match self.coordinator {
            Coordinator::Java => bucket.len(),
            Coordinator::Scala => bucket.partition_point(|&(other, _)| other <= spread),
        };
        bucket.insert(place, (spread, id));
    }

    fn grow(&mut self) {
        let doubled = vec![Vec::new(); self.buckets.len() * 2];
        let old = std::mem::replace(&mut self.buckets, doubled);
        for (spread, id) in old.into_iter().flatten() {
            self.put(spread, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WorkerId;

    fn map_of(coordinator: Coordinator, texts: &[&str]) -> Vec<String> {
        let mut ids = MemberIds::default();
        let mut map = MemberMap::new(coordinator, 16);
        for (place, text) in texts.iter().enumerate() {
            let id = ids.add(*text, WorkerId(u32::try_from(place).unwrap()));
            map.insert(id, &ids);
        }
        map.iter().map(|id| ids.text(id).to_owned()).collect()
    }

    #[test]
    fn java_lists_by_bucket_and_in_one_bucket_by_insertion() {
        let ids = [
            "connect-10.0.0.1:8083-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
            "connect-10.0.0.2:8083-6fa459ea-ee8a-4ca4-894e-db77e160355e",
            "connect-10.0.0.3:8083-16fd2706-8baf-433b-82eb-8c7fada847da",
            "connect-10.0.0.4:8083-886313e1-3b8a-4372-9b90-0c9aee199e5d",
        ];
        let listed = map_of(Coordinator::Java, &ids);
        assert_eq!(listed, [ids[3], ids[2], ids[0], ids[1]]);
    }

    #[test]
    fn scala_lists_one_bucket_by_ascending_spread_hash() {
        let ids = [
            "connect-10.0.0.1:8083-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
            "connect-10.0.0.2:8083-6fa459ea-ee8a-4ca4-894e-db77e160355e",
        ];
        assert_eq!(map_of(Coordinator::Scala, &ids), [ids[1], ids[0]]);
    }

    #[test]
    fn scala_grows_with_the_twelfth_member_and_java_with_the_thirteenth() {
        let texts: Vec<String> = (0..13).map(|n| format!("m{n}")).collect();
        let mut ids = MemberIds::default();
        let mut java = MemberMap::new(Coordinator::Java, 16);
        let mut scala = MemberMap::new(Coordinator::Scala, 16);
        let mut grown = Vec::new();
        for (place, text) in texts.iter().enumerate() {
            let id = ids.add(text.clone(), WorkerId(0));
            java.insert(id, &ids);
            scala.insert(id, &ids);
            grown.push((place + 1, java.buckets.len(), scala.buckets.len()));
        }
        assert_eq!(grown[10], (11, 16, 16));
        assert_eq!(grown[11], (12, 16, 32));
        assert_eq!(grown[12], (13, 32, 32));
    }
}
