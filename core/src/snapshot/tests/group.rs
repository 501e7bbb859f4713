//! The group from its bytes.

use super::super::*;
use super::*;
use crate::units::Duration;

fn owned(member: &Member) -> String {
    let items: Vec<String> = member.owns.known().unwrap().items().map(|item| item.to_string()).collect();
    items.join(" ")
}

#[test]
fn a_member_owns_what_is_new_to_it_and_what_it_keeps() {
    let bytes = bytes();
    let group = Group::read(&described("Stable", &bytes)).unwrap();
    let owned: Vec<String> = group.members.iter().map(owned).collect();
    assert_eq!(owned, ["orders-4", "orders-1 orders-3", "orders orders-5 orders-0"]);
    assert_eq!(group.protocol.as_deref(), Some("sessioned"));
    assert_eq!(group.leader().known().unwrap().id, "w1-a");
    assert_eq!(group.successor().known().unwrap().unwrap().id, "w3-c");
    assert_eq!(group.delay(), Seen::Known(Duration::from_secs(20)));
    let owners = group.owners();
    let owners = owners.known().unwrap();
    assert_eq!(owners.len(), 6);
    assert_eq!(owners[&Item::Task("orders".to_owned(), 3)], [1]);
    assert_eq!(owners.get(&Item::Task("orders".to_owned(), 2)), None);
}

#[test]
fn under_eager_a_member_owns_what_was_assigned() {
    let assignment = wire::Assignment { version: 0, ..given(vec![part("orders", true, &[0, 1])], Vec::new(), 0) };
    let metadata = Metadata { version: 0, url: "http://w1:8083/".to_owned(), config_offset: 7, allocation: None };
    let members =
        [Bytes { id: "w1-a", metadata: metadata.encode().unwrap(), assignment: assignment.encode().unwrap() }];
    let group = Group::read(&DescribedGroup { protocol_data: "default", ..described("Stable", &members) }).unwrap();
    assert_eq!(group.protocol.as_deref(), Some("eager"));
    assert_eq!(owned(&group.members[0]), "orders orders-0 orders-1");
    assert_eq!(group.successor(), Seen::Known(None));
    assert_eq!(group.delay(), Seen::Known(Duration::ZERO));
}

#[test]
fn outside_stable_nobody_knows_who_owns_what() {
    let mut bytes = bytes();
    for member in &mut bytes {
        member.metadata.clear();
    }
    bytes[0].assignment.clear();
    let group = Group::read(&described("PreparingRebalance", &bytes)).unwrap();
    assert_eq!(group.protocol, None);
    let [w3, w2, _] = &group.members[..] else { panic!("{group:?}") };
    assert_eq!(w3.assignment.why_unknown(), Some("it has joined and has no assignment yet"));
    assert_eq!(w2.url.why_unknown(), Some("the group is PreparingRebalance: its coordinator shows no metadata"));
    assert_eq!(w2.assignment.known().unwrap().revoked.count(), 1);
    assert_eq!(
        group.owners().why_unknown(),
        Some("what w3-c owns: the group is PreparingRebalance: what a member owns is shown in Stable only")
    );
    assert_eq!(group.leader().known().unwrap().id, "w1-a");
}

#[test]
fn bytes_that_cannot_be_read_make_one_member_unknown() {
    let mut bytes = bytes();
    bytes[1].metadata.truncate(10);
    bytes[2].assignment = vec![0xff];
    let group = Group::read(&described("Stable", &bytes)).unwrap();
    let [_, w2, w1] = &group.members[..] else { panic!("{group:?}") };
    let reason = "its metadata cannot be read: byte 4, the worker's URL: 15 bytes expected, 6 left";
    assert_eq!(w2.url.why_unknown(), Some(reason));
    assert_eq!(w2.owns.why_unknown(), Some(reason));
    let reason = "its assignment cannot be read: byte 0, the version: 2 bytes expected, 1 left";
    assert_eq!(w1.assignment.why_unknown(), Some(reason));
    assert_eq!(w1.url, Seen::Known("http://w1:8083/".to_owned()));
    assert_eq!(group.leader().known().unwrap().id, "w1-a");
}

#[test]
fn a_leader_that_is_gone_or_disputed_is_unknown() {
    let mut bytes = bytes();
    let gone = Group::read(&described("Stable", &bytes[..2])).unwrap();
    assert_eq!(
        gone.successor().why_unknown(),
        Some("the leader of the last generation, w1-a, is not a member any more")
    );
    bytes[2].assignment =
        wire::Assignment { leader: "w2-b".to_owned(), ..given(Vec::new(), Vec::new(), 0) }.encode().unwrap();
    let disputed = Group::read(&described("Stable", &bytes)).unwrap();
    assert_eq!(
        disputed.leader().why_unknown(),
        Some("the assignments of w3:8083 and w1:8083 name another leader each")
    );
    assert_eq!(disputed.delay().why_unknown(), Some("the assignments of w3:8083 and w1:8083 name another delay each"));
    let empty = Group::read(&DescribedGroup { state: "Empty", ..described("Empty", &[]) }).unwrap();
    assert_eq!(empty.leader().why_unknown(), Some("the group has no members"));
}

#[test]
fn a_group_of_another_kind_is_named() {
    let bytes = bytes();
    let refused = |kind| Group::read(&DescribedGroup { protocol_type: kind, ..described("Stable", &bytes) });
    let said = refused("consumer").unwrap_err().to_string();
    assert_eq!(
        said,
        "the group connect is of type `consumer`, not `connect`: it is a group of consumers, such as those of a sink"
    );
    assert!(refused("").is_err());
    assert!(Group::read(&DescribedGroup { protocol_type: "", state: "Dead", ..described("Dead", &[]) }).is_ok());
}

#[test]
fn a_list_that_would_take_far_more_memory_than_its_bytes_is_not_read() {
    let long = part(&"x".repeat(32_000), false, &vec![0; 4_000]);
    let bytes = [member("w1-a", None, &given(vec![long], Vec::new(), 0))];
    let group = Group::read(&described("Stable", &bytes)).unwrap();
    assert!(group.members[0].owns.why_unknown().is_some());
}
