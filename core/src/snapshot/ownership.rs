//! Who leads and who owns what, by what the members were given.

use std::collections::BTreeMap;

use super::{Assignment, Group, Item, Member, Seen};
use crate::units::Duration;

impl Group {
    /// The member that leads, by the assignments of the last completed generation.
    ///
    /// Outside `Stable` it leads on if it joins again; unknown if it is gone.
    pub fn leader(&self) -> Seen<&Member> {
        let leader = match self.agreed("leader", |assignment| &assignment.leader) {
            Seen::Known(leader) => leader,
            Seen::Unknown(reason) => return Seen::Unknown(reason),
        };
        match self.members.iter().find(|member| member.id == *leader) {
            Some(member) => Seen::Known(member),
            None => Seen::unknown(format!("the leader of the last generation, {leader}, is not a member any more")),
        }
    }

    /// Who leads if the leader leaves now: the first other member in the coordinator's order.
    /// `None` if there is no other.
    ///
    /// Measured on the coordinators of 3.9 (Scala) and 4.x (Java): the answer lists the members in
    /// the order in which the coordinator looks for a leader.
    pub fn successor(&self) -> Seen<Option<&Member>> {
        self.leader().map(|leader| self.members.iter().find(|member| member.id != leader.id))
    }

    /// What was left of the scheduled delay when the leader computed the last assignment; zero
    /// if none runs. It does not count down: the time since the round is not in it.
    pub fn delay(&self) -> Seen<Duration> {
        self.agreed("delay", |assignment| &assignment.delay_ms).map(|millis| Duration::from_millis(*millis))
    }

    /// Who owns what: for each connector and task the places of its owners in `members`. What
    /// nobody owns is not in it. Unknown if that of any member is.
    pub fn owners(&self) -> Seen<BTreeMap<Item, Vec<usize>>> {
        let mut owners: BTreeMap<Item, Vec<usize>> = BTreeMap::new();
        for (place, member) in self.members.iter().enumerate() {
            match &member.owns {
                Seen::Known(work) => {
                    for item in work.items() {
                        owners.entry(item).or_default().push(place);
                    }
                }
                Seen::Unknown(reason) => {
                    return Seen::unknown(format!("what {} owns: {}", member.name(), reason.unknown));
                }
            }
        }
        Seen::Known(owners)
    }

    /// What all assignments that are known say alike.
    fn agreed<'a, T: PartialEq>(&'a self, what: &str, of: impl Fn(&'a Assignment) -> &'a T) -> Seen<&'a T> {
        let mut said: Option<(&Member, &T)> = None;
        for member in &self.members {
            let Some(value) = member.assignment.known().map(&of) else { continue };
            match said {
                Some((other, another)) if *another != *value => {
                    let (one, two) = (other.name(), member.name());
                    return Seen::unknown(format!("the assignments of {one} and {two} name another {what} each"));
                }
                _ => said = said.or(Some((member, value))),
            }
        }
        match (said, self.members.first()) {
            (Some((_, value)), _) => Seen::Known(value),
            (None, None) => Seen::unknown("the group has no members"),
            (None, Some(first)) => {
                let reason = first.assignment.why_unknown().unwrap_or_default();
                Seen::unknown(format!("no member's assignment is known; that of {}: {reason}", first.name()))
            }
        }
    }
}

impl Member {
    /// Its name for a person: its address as `host:port`, else its member id.
    pub fn name(&self) -> String {
        match self.url.known() {
            Some(url) => super::Address::of_url(url).to_string(),
            None => self.id.clone(),
        }
    }
}
