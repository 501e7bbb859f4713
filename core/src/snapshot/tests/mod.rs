//! Groups and status answers to read.

mod file;
mod group;
mod readings;
mod schema;

use super::*;
use crate::wire::{self, Metadata, Part};

/// A member with its bytes.
pub(super) struct Bytes {
    pub(super) id: &'static str,
    pub(super) metadata: Vec<u8>,
    pub(super) assignment: Vec<u8>,
}

pub(super) fn part(connector: &str, instance: bool, tasks: &[u32]) -> Part {
    Part { connector: connector.to_owned(), instance, tasks: tasks.to_vec() }
}

pub(super) fn given(assigned: Vec<Part>, revoked: Vec<Part>, delay_ms: i32) -> wire::Assignment {
    wire::Assignment {
        version: 2,
        error: 0,
        leader: "w1-a".to_owned(),
        leader_url: "http://w1:8083/".to_owned(),
        config_offset: 7,
        assigned,
        revoked,
        delay_ms,
    }
}

pub(super) fn member(id: &'static str, allocation: Option<wire::Assignment>, assignment: &wire::Assignment) -> Bytes {
    let url = format!("http://{}:8083/", &id[..2]);
    let metadata = Metadata { version: 2, url, config_offset: 7, allocation };
    Bytes { id, metadata: metadata.encode().unwrap(), assignment: assignment.encode().unwrap() }
}

/// w1 leads and keeps its work, w2 gives up a task, w3 is fresh and gets one.
pub(super) fn bytes() -> Vec<Bytes> {
    let held = |parts| Some(given(parts, Vec::new(), 0));
    vec![
        member("w3-c", None, &given(vec![part("orders", false, &[4])], Vec::new(), 20_000)),
        member(
            "w2-b",
            held(vec![part("orders", false, &[1, 2, 3])]),
            &given(Vec::new(), vec![part("orders", false, &[2])], 20_000),
        ),
        member(
            "w1-a",
            held(vec![part("orders", true, &[0])]),
            &given(vec![part("orders", false, &[5])], Vec::new(), 20_000),
        ),
    ]
}

pub(super) fn described<'a>(state: &'a str, members: &'a [Bytes]) -> DescribedGroup<'a> {
    let described = |member: &'a Bytes| DescribedMember {
        id: member.id,
        client_id: "connect",
        host: "/192.0.2.2",
        metadata: &member.metadata,
        assignment: &member.assignment,
    };
    DescribedGroup {
        id: "connect",
        state,
        protocol_type: "connect",
        protocol_data: if state == "Stable" { "sessioned" } else { "" },
        coordinator: "192.0.2.1:9092",
        members: members.iter().map(described).collect(),
    }
}
