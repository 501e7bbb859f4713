//! Which group the workers are in, and what its coordinator says of it.

use rollgate_core::snapshot::{self, Group, same_worker};

use super::address::Address;
use super::kafka::{DescribedGroup, Kafka, KafkaError};

/// Why the group of workers is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoGroup {
    /// The call has to say another thing, or cannot be answered at all.
    Call(String),
    /// It could not be seen, as a clause.
    Unseen(String),
}

/// The group of that id; without one the only group of type `connect` that has a member at
/// one of these addresses; without addresses the only one there is.
pub(super) fn find(kafka: &mut Kafka, wanted: Option<&str>, workers: &[Address]) -> Result<Group, NoGroup> {
    if let Some(id) = wanted {
        return named(kafka, id);
    }
    let listed = kafka.groups(CONNECT).map_err(|error| unseen(&error))?;
    let ids: Vec<&str> = listed.iter().map(|group| group.id.as_str()).collect();
    if ids.is_empty() {
        let why = "there is no group of type connect, or none that this user may see (Describe on Group)";
        return Err(NoGroup::Unseen(why.to_owned()));
    }
    let described = kafka.describe(&ids).map_err(|error| unseen(&error))?;
    choose(described.iter().map(read).collect(), workers)
}

/// The group of that id.
fn named(kafka: &mut Kafka, id: &str) -> Result<Group, NoGroup> {
    let described = kafka.describe(&[id]).map_err(|error| unseen(&error))?;
    let Some(described) = described.first() else {
        return Err(NoGroup::Unseen(format!("nothing is said of the group {id}")));
    };
    if let Some(KafkaError::GroupNotFound { .. }) = described.error {
        let there = kafka.groups(CONNECT).map(|groups| groups.into_iter().map(|group| group.id).collect());
        let there: Vec<String> = there.unwrap_or_default();
        let others = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        return Err(NoGroup::Unseen(format!("there is no group {id}; of type connect this user may see {others}")));
    }
    let group = read(described).map_err(|(_, why)| why)?;
    if is_mirror_maker(&group) { Err(NoGroup::Call(mirror_maker(&group.id))) } else { Ok(group) }
}

/// The one of these groups that has a member at one of the addresses.
fn choose(groups: Vec<Result<Group, (String, NoGroup)>>, workers: &[Address]) -> Result<Group, NoGroup> {
    let mut found = Vec::new();
    let mut others = Vec::new();
    for group in groups {
        match group {
            Ok(group) if is_mirror_maker(&group) => others.push(format!("{} (a dedicated MirrorMaker 2)", group.id)),
            Ok(group) if workers.is_empty() || has_member_at(&group, workers) => found.push(group),
            Ok(group) => others.push(format!("{} ({})", group.id, members_of(&group))),
            Err((id, NoGroup::Call(why) | NoGroup::Unseen(why))) => others.push(format!("{id} ({why})")),
        }
    }
    if found.len() > 1 {
        let ids: Vec<&str> = found.iter().map(|group| group.id.as_str()).collect();
        let which = if workers.is_empty() { "are of type connect" } else { "have members at these addresses" };
        return Err(NoGroup::Call(format!("the groups {} {which}: say which one with --group", ids.join(" and "))));
    }
    found.pop().ok_or_else(|| {
        let where_to = if workers.is_empty() { "" } else { " with a member at the addresses of --connect" };
        NoGroup::Unseen(format!(
            "there is no group of type connect{where_to} (name one with --group); there is {}",
            others.join(", ")
        ))
    })
}

/// The group in the core's terms, or its id and why there is none.
fn read(described: &DescribedGroup) -> Result<Group, (String, NoGroup)> {
    if let Some(error) = &described.error {
        return Err((described.id.clone(), unseen(error)));
    }
    let members = described.members.iter().map(|member| snapshot::DescribedMember {
        id: &member.id,
        client_id: &member.client_id,
        host: &member.host,
        metadata: &member.metadata,
        assignment: &member.assignment,
    });
    let group = Group::read(&snapshot::DescribedGroup {
        id: &described.id,
        state: &described.state,
        protocol_type: &described.protocol_type,
        protocol_data: &described.protocol,
        coordinator: &described.coordinator,
        members: members.collect(),
    });
    group.map_err(|error| (described.id.clone(), NoGroup::Call(error.to_string())))
}

/// Whether a member advertises one of the addresses. While a round is under way members do not
/// say theirs; then the leader's counts, by the assignments of the round before.
fn has_member_at(group: &Group, workers: &[Address]) -> bool {
    let is_asked = |url: &String| workers.iter().any(|worker| same_worker(url, worker.host_port()));
    group.members.iter().any(|member| {
        let leader = member.assignment.known().map(|assignment| &assignment.leader_url);
        member.url.known().is_some_and(is_asked) || leader.is_some_and(is_asked)
    })
}

/// Whether its members are processes of a dedicated mirror maker (`MirrorMaker`), of which each is a
/// member of several groups. They have no REST port by default, and say `NOTUSED` for its address;
/// by default a group is `A-mm2` and its client ids are `A->B` (`MirrorMakerConfig.workerConfig`).
fn is_mirror_maker(group: &Group) -> bool {
    let unused = |url: &String| url.starts_with("NOTUSED");
    let of_flow = |client_id: &str| group.id.ends_with("-mm2") && client_id.contains("->");
    group.id.contains("->")
        || group.members.iter().any(|member| member.url.known().is_some_and(unused) || of_flow(&member.client_id))
}

fn mirror_maker(id: &str) -> String {
    format!(
        "the group {id} is one of a dedicated MirrorMaker 2, whose processes are in several groups at once: what a \
         restart does there, rollgate does not know. MirrorMaker's connectors in a Connect cluster are fine"
    )
}

/// `http://w1:8083/, http://w2:8083/`.
fn members_of(group: &Group) -> String {
    const SHOWN: usize = 3;
    let urls: Vec<&str> = group.members.iter().filter_map(|member| member.url.known()).map(String::as_str).collect();
    match urls.as_slice() {
        [] if group.members.is_empty() => "no members".to_owned(),
        [] => "in a rebalance, its members' addresses are not known now".to_owned(),
        [first @ .., _, _] if first.len() > SHOWN => {
            format!("{} and {} more", urls.get(..SHOWN).unwrap_or_default().join(", "), urls.len() - SHOWN)
        }
        all => all.join(", "),
    }
}

fn unseen(error: &KafkaError) -> NoGroup {
    NoGroup::Unseen(error.to_string())
}

/// `protocol_type` of a group of workers.
const CONNECT: &str = "connect";

#[cfg(test)]
mod tests {
    use rollgate_core::wire::{Assignment, Metadata};

    use super::*;
    use crate::collect::kafka::DescribedMember;

    fn group(id: &str, state: &str, urls: &[&str]) -> Result<Group, (String, NoGroup)> {
        let leader_url = urls.first().map(|url| (*url).to_owned()).unwrap_or_default();
        let assignment = Assignment { version: 2, leader: "m0".to_owned(), leader_url, ..Assignment::default() };
        let members = urls.iter().enumerate().map(|(place, url)| {
            let metadata = Metadata { version: 2, url: (*url).to_owned(), ..Metadata::default() };
            DescribedMember {
                id: format!("m{place}"),
                client_id: "connect-1".to_owned(),
                host: "/192.0.2.1".to_owned(),
                metadata: if state == "Stable" { metadata.encode().unwrap() } else { Vec::new() },
                assignment: assignment.encode().unwrap(),
            }
        });
        read(&DescribedGroup {
            id: id.to_owned(),
            state: state.to_owned(),
            protocol_type: "connect".to_owned(),
            protocol: "sessioned".to_owned(),
            coordinator: "b1:9092".to_owned(),
            members: members.collect(),
            error: None,
        })
    }

    fn chosen(groups: Vec<Result<Group, (String, NoGroup)>>, workers: &[&str]) -> Result<String, NoGroup> {
        let workers: Vec<Address> = workers.iter().map(|worker| Address::read(worker).unwrap()).collect();
        choose(groups, &workers).map(|group| group.id)
    }

    #[test]
    fn the_group_with_a_member_at_an_address_is_chosen() {
        let groups = || {
            vec![
                group("a", "Stable", &["http://a1:8083/"]),
                group("b", "Stable", &["http://b1:8083/", "http://B2:8083/"]),
            ]
        };
        assert_eq!(chosen(groups(), &["http://b2:8083"]), Ok("b".to_owned()));
        let Err(NoGroup::Unseen(why)) = chosen(groups(), &["c1:8083"]) else { panic!("none is there") };
        assert!(why.ends_with("there is a (http://a1:8083/), b (http://b1:8083/, http://B2:8083/)"), "{why}");
    }

    #[test]
    fn two_groups_are_no_choice_of_ours() {
        let groups = || vec![group("a", "Stable", &["http://w1:8083/"]), group("b", "Stable", &["http://w1:8083/"])];
        let words = |which| NoGroup::Call(format!("the groups a and b {which}: say which one with --group"));
        assert_eq!(chosen(groups(), &["w1:8083"]), Err(words("have members at these addresses")));
        assert_eq!(chosen(groups(), &[]), Err(words("are of type connect")));
    }

    #[test]
    fn in_a_rebalance_the_leader_of_the_round_before_tells_the_group() {
        let groups = || vec![group("a", "PreparingRebalance", &["http://w1:8083/", "http://w2:8083/"])];
        assert_eq!(chosen(groups(), &["w1:8083"]), Ok("a".to_owned()));
        let Err(NoGroup::Unseen(why)) = chosen(groups(), &["w2:8083"]) else { panic!("its members are not known") };
        assert!(why.contains("a (in a rebalance, its members' addresses are not known now)"), "{why}");
    }

    #[test]
    fn a_dedicated_mirror_maker_is_none_of_our_groups() {
        for group in [group("A->B", "Stable", &["http://w1:8083/"]), group("A-mm2", "Stable", &["NOTUSED"])] {
            let Err(NoGroup::Unseen(why)) = chosen(vec![group], &[]) else { panic!("it is refused") };
            assert!(why.contains("(a dedicated MirrorMaker 2)"), "{why}");
        }
        // Its connectors in a Connect cluster of that name are fine.
        assert_eq!(chosen(vec![group("dr-mm2", "Stable", &["http://w1:8083/"])], &[]), Ok("dr-mm2".to_owned()));
    }
}
