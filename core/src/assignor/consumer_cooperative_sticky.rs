//! The cooperative assignor of consumers, which sinks use where it is configured.

use std::collections::VecDeque;

/// Shares the partitions 0 to `partitions` of one topic out evenly and moves as few as possible.
///
/// `owned` says for each consumer, in the order of the member ids (`String.compareTo`), which
/// partitions it reports to own; `map_order` is the order in which the leader's Java map of
/// member ids iterates them: it decides who keeps one partition more than the others. Both
/// have the same length. No partition may be owned twice.
///
/// The result, in the order of the member ids, is what each consumer may own after this round.
/// A partition that is to move is missing from it: its owner gives it up now, and the next
/// round, which that owner asks for, hands it out.
///
/// Follows `CooperativeStickyAssignor` and the constrained builder of `AbstractStickyAssignor`
/// of Kafka 4.3 (KIP-429); equal to those of 3.9.2 and 4.4.0.
///
/// # Leaves out
/// - clients up to 3.5.1, which keep the first partitions as the consumer lists them instead of
///   the lowest ones: the same numbers, other partitions
/// - consumers of one group with different topics (a connector's tasks have the same)
/// - racks of consumers (KIP-881), which Connect does not set
/// - partitions claimed twice, and claims of an older generation
pub fn consumer_cooperative_sticky(partitions: u32, owned: &[Vec<u32>], map_order: &[usize]) -> Vec<Vec<u32>> {
    let mut sharing = Sharing::new(partitions, owned.len());
    if owned.is_empty() {
        return sharing.assigned;
    }
    for &consumer in map_order {
        let mut claims: Vec<u32> = owned[consumer].iter().copied().filter(|&claim| claim < partitions).collect();
        claims.sort_unstable();
        sharing.keep(consumer, claims);
    }
    sharing.hand_out();
    sharing.assigned
}

/// The constrained builder's working state.
struct Sharing {
    least: usize,
    most: usize,
    /// How many consumers may have `most`; 0 if the division leaves no rest.
    longer_expected: usize,
    longer: usize,
    /// Consumers with fewer than `least`.
    under: Vec<usize>,
    /// Consumers with exactly `least` that may still get one more.
    exact: VecDeque<usize>,
    /// By partition: whether somebody keeps it.
    kept: Vec<bool>,
    /// By partition: who owns it but may have to give it up.
    former: Vec<Option<usize>>,
    assigned: Vec<Vec<u32>>,
}

impl Sharing {
    fn new(partitions: u32, consumers: usize) -> Self {
        let partitions = partitions as usize;
        Self {
            least: partitions.checked_div(consumers).unwrap_or(0),
            most: if consumers == 0 { 0 } else { partitions.div_ceil(consumers) },
            longer_expected: partitions.checked_rem(consumers).unwrap_or(0),
            longer: 0,
            under: Vec::new(),
            exact: VecDeque::new(),
            kept: vec![false; partitions],
            former: vec![None; partitions],
            assigned: vec![Vec::new(); consumers],
        }
    }

    /// Lets a consumer keep what it owns, up to its quota.
    fn keep(&mut self, consumer: usize, mut claims: Vec<u32>) {
        let quota = if claims.len() < self.least {
            self.under.push(consumer);
            claims.len()
        } else if claims.len() >= self.most && self.longer < self.longer_expected {
            self.longer += 1;
            if self.longer == self.longer_expected {
                self.exact.clear();
            }
            self.most
        } else {
            if self.longer < self.longer_expected {
                self.exact.push_back(consumer);
            }
            self.least
        };
        for surplus in claims.drain(quota..) {
            self.former[surplus as usize] = Some(consumer);
        }
        for &claim in &claims {
            self.kept[claim as usize] = true;
        }
        self.assigned[consumer] = claims;
    }

    /// Deals what nobody keeps, in the order of partitions, round robin over those with too few.
    fn hand_out(&mut self) {
        self.under.sort_unstable();
        self.exact.make_contiguous().sort_unstable();
        let mut count: Vec<usize> = self.assigned.iter().map(Vec::len).collect();
        let mut turn = 0;
        for (place, partition) in (0_u32..).take(self.kept.len()).enumerate() {
            if self.kept[place] {
                continue;
            }
            if turn >= self.under.len() {
                turn = 0;
            }
            let consumer = match self.under.get(turn) {
                Some(&consumer) => consumer,
                None => match self.exact.pop_front() {
                    Some(consumer) => consumer,
                    None => break,
                },
            };
            count[consumer] += 1;
            if count[consumer] < self.least {
                turn += 1;
            } else if count[consumer] == self.least {
                self.under.remove(turn);
                self.exact.push_back(consumer);
            }
            // A partition whose owner must give it up first is nobody's in this round.
            if self.former[place].is_none_or(|former| former == consumer) {
                self.assigned[consumer].push(partition);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(partitions: u32, owned: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let order: Vec<usize> = (0..owned.len()).collect();
        consumer_cooperative_sticky(partitions, owned, &order)
    }

    #[test]
    fn a_new_group_is_dealt_round_robin() {
        assert_eq!(next(5, &[vec![], vec![]]), [vec![0, 2, 4], vec![1, 3]]);
    }

    #[test]
    fn survivors_keep_theirs_and_share_what_is_left() {
        let owned = [vec![0, 4, 8], vec![2, 6, 10], vec![3, 7, 11]];
        assert_eq!(next(12, &owned), [vec![0, 4, 8, 1], vec![2, 6, 10, 5], vec![3, 7, 11, 9]]);
    }

    #[test]
    fn a_newcomer_waits_one_round_for_what_the_others_give_up() {
        let owned = [vec![0, 1, 2], vec![3, 4, 5], vec![]];
        let first = next(6, &owned);
        assert_eq!(first, [vec![0, 1], vec![3, 4], vec![]]);
        assert_eq!(next(6, &first), [vec![0, 1], vec![3, 4], vec![2, 5]]);
    }

    #[test]
    fn more_consumers_than_partitions_leave_some_without() {
        assert_eq!(next(2, &[vec![], vec![0], vec![]]), [vec![1], vec![0], vec![]]);
    }

    #[test]
    fn no_consumer_gets_nothing() {
        assert!(next(4, &[]).is_empty());
    }
}
