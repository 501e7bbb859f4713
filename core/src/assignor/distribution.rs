//! Handing out work that nobody owns.

use super::kind::{Item, Kind};
use super::{Assignment, Round};

/// Distributes items by load; reused so that no round allocates.
#[derive(Clone, Debug, Default)]
pub(super) struct Distribution {
    /// How many items a member has, the rank of its id, its place: sorted, the order in which members are served.
    queue: Vec<(usize, u32, usize)>,
}

impl Distribution {
    /// Gives the items one by one to the members that have least, in the order of their ids.
    ///
    /// Source: `IncrementalCooperativeAssignor.assignConnectors`, `assignTasks`.
    pub(super) fn distribute<I: Item>(&mut self, kind: &mut Kind<I>, round: &Round<'_>, out: &mut Assignment) {
        if kind.to_distribute.is_empty() {
            return;
        }
        self.queue.clear();
        let counts = kind.next_count.iter().zip(round.members).enumerate();
        self.queue.extend(counts.map(|(place, (count, member))| (*count, round.ids.rank(member.id), place)));
        self.queue.sort_unstable();
        let mut level = self.queue[0].0;
        let mut served = 0;
        let mut turn = 0;
        for &item in &kind.to_distribute {
            if turn == served {
                // All served so far have reached the level: those that started there join in.
                served += self.queue[served..].iter().take_while(|(count, ..)| *count <= level).count();
                level += 1;
                turn = 0;
            }
            let place = self.queue[turn].2;
            I::of_mut(&mut out.given[place].assigned).push(item);
            kind.next_count[place] += 1;
            turn += 1;
        }
    }
}
