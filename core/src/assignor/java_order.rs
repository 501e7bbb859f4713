//! The iteration orders of Java's hash collections, which decide who leads next, who is a
//! candidate first and what is stopped first.

use super::{MemberId, MemberIds};

/// The Java that runs a worker, as far as its hash collections differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Java {
    /// 8 to 18.
    #[default]
    UpTo18,
    /// 19 and later: a set copied from exactly 12, 24, 48, … keys has half as many buckets.
    From19,
}

/// Computes in which order a `java.util.HashMap` or `HashSet` iterates its keys.
///
/// Keys are numbered by their first insertion and must differ. Buckets are visited from 0 up;
/// within one, keys keep the order of insertion, for doubling the table splits each bucket
/// without reordering it. The number of buckets starts at 16 or as given, doubles when more
/// than three quarters are exceeded, and never shrinks: whoever models a map that lives on
/// passes [`HashOrder::buckets`] of the last call to the next.
///
/// A value is reused from call to call so that none allocates.
///
/// Source: `java.util.HashMap` of the JDK (`hash`, `putVal`, `resize`, `treeifyBin`).
///
/// # Leaves out
///
/// Buckets of nine keys and more turn into trees once there are 64 buckets, which moves one of
/// their keys to the front. (That such a bucket doubles a smaller table is modelled.)
#[derive(Clone, Debug, Default)]
pub struct HashOrder {
    java: Java,
    buckets: usize,
    spread: Vec<u32>,
    next_place: Vec<u32>,
    order: Vec<u32>,
}

impl HashOrder {
    /// The orders of that Java; the default is [`Java::UpTo18`].
    pub fn of_java(java: Java) -> Self {
        Self { java, ..Self::default() }
    }

    /// The order of `count` keys that were put in one by one, as places in the order of
    /// insertion, when the table had `buckets` buckets before (at least 16).
    pub fn of_map(&mut self, count: usize, buckets: usize, hash_of: impl Fn(usize) -> i32) -> &[u32] {
        self.take(count, hash_of);
        self.grow(buckets.max(START_BUCKETS).next_power_of_two());
        self.sort(false)
    }

    /// The order of `new HashSet<>(collection)`, whose table is sized in advance.
    pub fn of_set_copied_from(&mut self, count: usize, hash_of: impl Fn(usize) -> i32) -> &[u32] {
        let buckets = match self.java {
            Java::UpTo18 => count * 4 / 3 + 1,
            Java::From19 => (count * 4).div_ceil(3),
        };
        self.of_map(count, buckets, hash_of)
    }

    /// The order of a map that `Collectors.groupingBy` fills: `calls` says for each call the
    /// hash of its key and whether the key is new. The places count new keys only.
    ///
    /// `computeIfAbsent` puts a key first in its bucket, not last, and doubles the table only
    /// at the call after the one that filled it.
    pub(super) fn of_grouping(&mut self, calls: impl Iterator<Item = (i32, bool)>) -> &[u32] {
        self.spread.clear();
        self.buckets = START_BUCKETS;
        let mut full = START_BUCKETS;
        for (hash, is_new) in calls {
            if self.spread.len() * 4 > full * 3 {
                full *= 2;
            }
            if is_new {
                let spread = spread(hash);
                let crowd = self.crowd(full, spread);
                self.spread.push(spread);
                if full < TREE_BUCKETS && crowd >= CROWDED - 1 {
                    full *= 2;
                }
            }
        }
        self.buckets = full;
        self.sort(true)
    }

    /// The number of buckets after the last call.
    pub fn buckets(&self) -> usize {
        self.buckets
    }

    fn take(&mut self, count: usize, hash_of: impl Fn(usize) -> i32) {
        self.spread.clear();
        self.spread.extend((0..count).map(|key| spread(hash_of(key))));
    }

    /// How many of the keys so far share the bucket; only asked of small tables.
    fn crowd(&self, buckets: usize, spread: u32) -> usize {
        if buckets >= TREE_BUCKETS {
            return 0;
        }
        let mask = mask(buckets);
        self.spread.iter().filter(|other| (*other ^ spread) & mask == 0).count()
    }

    fn grow(&mut self, start: usize) {
        self.buckets = start;
        let mut counts = [0_u8; TREE_BUCKETS];
        let mut size = 0;
        while size < self.spread.len() && self.buckets < TREE_BUCKETS {
            let bucket = self.spread[size] & mask(self.buckets);
            counts[bucket as usize] += 1;
            size += 1;
            let before = self.buckets;
            if usize::from(counts[bucket as usize]) > CROWDED {
                self.buckets *= 2;
            }
            if size * 4 > self.buckets * 3 {
                self.buckets *= 2;
            }
            if self.buckets != before && self.buckets < TREE_BUCKETS {
                counts = [0; TREE_BUCKETS];
                for spread in &self.spread[..size] {
                    counts[(spread & mask(self.buckets)) as usize] += 1;
                }
            }
        }
        while self.spread.len() * 4 > self.buckets * 3 {
            self.buckets *= 2;
        }
    }

    /// Sorts by bucket; within one by insertion, or against it.
    fn sort(&mut self, newest_first: bool) -> &[u32] {
        let mask = mask(self.buckets);
        self.next_place.clear();
        self.next_place.resize(self.buckets + 1, 0);
        for spread in &self.spread {
            self.next_place[(spread & mask) as usize + 1] += 1;
        }
        for bucket in 1..=self.buckets {
            self.next_place[bucket] += self.next_place[bucket - 1];
        }
        self.order.clear();
        self.order.resize(self.spread.len(), 0);
        #[expect(clippy::cast_possible_truncation, reason = "keys are far fewer than 2^32")]
        let mut put = |key: usize| {
            let place = &mut self.next_place[(self.spread[key] & mask) as usize];
            self.order[*place as usize] = key as u32;
            *place += 1;
        };
        if newest_first {
            (0..self.spread.len()).rev().for_each(&mut put);
        } else {
            (0..self.spread.len()).for_each(&mut put);
        }
        &self.order
    }
}

/// The order in which the assignor iterates the members: places in `ids`, which stand in the
/// order in which the coordinator listed them in its `JoinGroup` response.
///
/// They are put into one map and collected into a second from there, so that the coordinator's
/// order remains visible only within a bucket.
///
/// Source: `IncrementalCooperativeAssignor.performAssignment`, `performTaskAssignment`.
pub fn worker_order(ids: &[MemberId], names: &MemberIds) -> Vec<usize> {
    let mut maps = HashOrder::default();
    let first = maps.of_map(ids.len(), START_BUCKETS, |place| names.hash(ids[place])).to_vec();
    let at = |place: usize| first[place] as usize;
    let second = maps.of_map(ids.len(), START_BUCKETS, |place| names.hash(ids[at(place)]));
    second.iter().map(|place| at(*place as usize)).collect()
}

/// `HashMap.hash`.
const fn spread(hash: i32) -> u32 {
    let hash = hash.cast_unsigned();
    hash ^ (hash >> 16)
}

#[expect(clippy::cast_possible_truncation, reason = "a table has at most 2^30 buckets")]
const fn mask(buckets: usize) -> u32 {
    (buckets - 1) as u32
}

/// `HashMap.DEFAULT_INITIAL_CAPACITY`.
pub(super) const START_BUCKETS: usize = 16;
/// `HashMap.MIN_TREEIFY_CAPACITY`.
const TREE_BUCKETS: usize = 64;
/// `HashMap.TREEIFY_THRESHOLD`: one key more in a bucket doubles a small table.
const CROWDED: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::WorkerId;

    fn names(texts: &[&str]) -> (MemberIds, Vec<MemberId>) {
        let mut names = MemberIds::default();
        let ids = texts.iter().map(|text| names.add(*text, WorkerId(0))).collect();
        (names, ids)
    }

    #[test]
    fn four_members_iterate_as_java_iterates_them() {
        let (names, ids) = names(&[
            "connect-10.0.0.1:8083-1b4e28ba-2fa1-41d2-883f-0016d3cca427",
            "connect-10.0.0.2:8083-6fa459ea-ee8a-4ca4-894e-db77e160355e",
            "connect-10.0.0.3:8083-16fd2706-8baf-433b-82eb-8c7fada847da",
            "connect-10.0.0.4:8083-886313e1-3b8a-4372-9b90-0c9aee199e5d",
        ]);
        let hashes: Vec<_> = ids.iter().map(|id| names.hash(*id)).collect();
        assert_eq!(hashes, [1_564_260_432, 1_304_827_818, -1_577_069_067, -1_656_454_025]);
        assert_eq!(worker_order(&ids, &names), [3, 2, 0, 1]);
        let swapped = [ids[1], ids[0], ids[2], ids[3]];
        assert_eq!(worker_order(&swapped, &names), [3, 2, 0, 1], "the coordinator's order shines through in bucket 12");
    }

    #[test]
    fn short_names_iterate_by_their_last_letters() {
        let (names, ids) = names(&["w1", "w2", "w3", "w4", "w5", "w1b", "w2b", "w2c", "w3b"]);
        let order: Vec<_> = worker_order(&ids, &names).into_iter().map(|place| names.text(ids[place])).collect();
        assert_eq!(order, ["w2b", "w3b", "w1b", "w2c", "w1", "w2", "w3", "w4", "w5"]);
    }

    #[test]
    fn thirteenth_key_doubles_the_table_and_a_copied_set_is_sized_before() {
        let mut order = HashOrder::default();
        let hash = |key: usize| i32::try_from(key * 16).unwrap();
        order.of_map(2, 16, hash);
        assert_eq!(order.buckets(), 16);
        order.of_map(13, 16, |key| i32::try_from(key).unwrap());
        assert_eq!(order.buckets(), 32);
        order.of_set_copied_from(12, |key| i32::try_from(key).unwrap());
        assert_eq!(order.buckets(), 32);
        order.of_set_copied_from(11, |key| i32::try_from(key).unwrap());
        assert_eq!(order.buckets(), 16);
        let mut newer = HashOrder::of_java(Java::From19);
        let buckets = [11, 12, 13, 24, 25].map(|count| {
            newer.of_set_copied_from(count, |key| i32::try_from(key).unwrap());
            newer.buckets()
        });
        assert_eq!(buckets, [16, 16, 32, 32, 64]);
        assert_eq!(order.of_map(3, 64, |key| [32, 16, 0][key]), [2, 1, 0], "a table that once grew stays large");
    }

    #[test]
    fn ninth_key_of_a_bucket_doubles_a_small_table() {
        let mut order = HashOrder::default();
        order.of_map(8, 16, |key| i32::try_from(key * 16).unwrap());
        assert_eq!(order.buckets(), 16);
        assert_eq!(
            order.of_map(9, 16, |key| i32::try_from(key * 16).unwrap()),
            [0, 2, 4, 6, 8, 1, 3, 5, 7],
            "split between buckets 0 and 16"
        );
        assert_eq!(order.buckets(), 32);
    }
}
