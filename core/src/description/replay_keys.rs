//! Every key of a replay file: what may stand there and what it means.

use super::items::{IDS, ITEMS};
use super::keys::{
    BROKER, CONNECTOR_KEYS, FLAG, NAME, PROTOCOL, SETTINGS, SETTINGS_FROM_DOC, STATE, TASKS, VERSION, VERSION_ONE,
    WORKER_SETTINGS_DOC,
};
use super::shape::{Key, Leaf, Shape};

/// A replay file.
pub(super) static REPLAY_FILE: Shape = Shape::Map(&[
    Key::required("version", &VERSION_ONE, "The version of this format: 1."),
    Key::required("replay", &REPLAY, "What is known of the group, and what happened to it."),
]);

static REPLAY: Shape = Shape::Map(&[
    Key::required("kafka", &VERSION, "The workers' Kafka version."),
    Key::new("broker", &BROKER, "The brokers' version, or their version and settings. Default: the workers' version."),
    Key::new("protocol", &PROTOCOL, "`connect.protocol` of the workers. Default: sessioned."),
    Key::new("settings", &SETTINGS, WORKER_SETTINGS_DOC),
    Key::new("settings_from", &NAME, SETTINGS_FROM_DOC),
    Key::new("workers", &Shape::Names(&WORKER), "Workers that differ from the others."),
    Key::required(
        "connectors",
        &Shape::Names(&Shape::Any(&[&TASKS, &Shape::Map(CONNECTOR_KEYS)])),
        "The connectors at time 0: their number of tasks, or more; a stopped connector has no tasks.",
    ),
    Key::new(
        "last_round",
        &TIME,
        "When the group last completed a round, from time 0, such as `-1210ms`. Default: not seen.",
    ),
    Key::new(
        "generation",
        &GENERATION,
        "The generation of that round. Default: one less than the first observed, else 1.",
    ),
    Key::new("memory", &MEMORY, "What the leader remembers at time 0. Default: nothing is pending."),
    Key::new(
        "map_buckets",
        &Shape::Leaf(Leaf::Count(16, 1 << 20)),
        "Buckets of the coordinator's member map, a power of two, if it ever held more members than at time 0. Default: 16, or what the members need.",
    ),
    Key::required(
        "members",
        &Shape::List(&MEMBER),
        "The members at time 0, in the coordinator's order; `[]` if there is none.",
    ),
    Key::new("events", &Shape::List(&EVENT), "What happened, in the order of time."),
    Key::new(
        "observed",
        &Shape::List(&OBSERVED),
        "Rounds that were really seen, in the order of time: the clock is set by them.",
    ),
]);

static WORKER: Shape = Shape::Map(&[
    Key::new("kafka", &VERSION, "Its Kafka version."),
    Key::new("protocol", &PROTOCOL, "Its `connect.protocol`."),
    Key::new("settings", &SETTINGS, WORKER_SETTINGS_DOC),
    Key::new("settings_from", &NAME, SETTINGS_FROM_DOC),
]);

static MEMORY: Shape = Shape::Map(&[
    Key::new("lost", &ITEMS, "Work that nobody owns and that waits for the end of the delay."),
    Key::new("due", &TIME, "When the delay ends, from time 0."),
    Key::new("candidates", &IDS, "Member ids that will get what is lost, in order."),
    Key::new("revoked", &ITEMS, "What the last round revoked."),
    Key::new("revoked_last", &FLAG, "Whether the last round revoked to even out the load. Default: false."),
]);

static MEMBER: Shape = Shape::Map(&[
    Key::required("id", &NAME, "Its member id."),
    Key::required("worker", &NAME, "The worker whose process it is."),
    Key::new("leader", &FLAG, "Whether it leads; exactly one does. Default: false."),
    Key::new("owns", &ITEMS, "What it owns, in its own order, newest first. Default: nothing."),
]);

static EVENT: Shape = Shape::Map(&[
    Key::required("at", &TIME, "When, as the broker saw it, from time 0."),
    Key::new("leave", &NAME, "This member's LeaveGroup was processed."),
    Key::new("join", &NAME, "A process joined with this new member id; with `worker`."),
    Key::new("worker", &NAME, "With `join`: the worker whose process it is."),
    Key::new("kafka", &VERSION, "With `join`: the version, if the restart changed it."),
    Key::new("protocol", &PROTOCOL, "With `join`: the protocol, if the restart changed it."),
    Key::new("settings", &SETTINGS, "With `join`: settings that the restart changed."),
    Key::new("settings_from", &NAME, "With `join`: a .properties file that the restart brought."),
    Key::new("owns", &ITEMS, "With `join`: what it reports to own because its process lived on (a zombie)."),
    Key::new("expire", &NAME, "This member's session ran out."),
    Key::new("kill", &NAME, "This worker's process was killed."),
    Key::new("freeze", &NAME, "This worker's process stands still from now on."),
    Key::new("thaw", &NAME, "This worker's process goes on."),
    Key::new("rejoin", &NAME, "This member's JoinGroup was seen at the broker; it overrides the clock."),
    Key::new("config", &CONFIG, "The configuration changed."),
    Key::new(
        "coordinator",
        &Shape::Leaf(Leaf::Words(&["away", "back"])),
        "The group's coordinator went away; or it has loaded the group and answers again (`back`). At time 0 it is there.",
    ),
]);

static CONFIG: Shape = Shape::Map(&[Key::required(
    "connectors",
    &Shape::Names(&Shape::Any(&[&TASKS, &CHANGED, &Shape::Leaf(Leaf::Null)])),
    "Connectors created or changed, as their number of tasks or in full; `null` deletes; the others stay.",
)]);

static CHANGED: Shape = Shape::Map(&[
    Key::new("tasks", &TASKS, "Its number of tasks."),
    Key::new("state", &STATE, "`running`, `paused` or `stopped`."),
]);

static OBSERVED: Shape = Shape::Map(&[
    Key::required("at", &TIME, "When it completed, from time 0."),
    Key::required("generation", &GENERATION, "Its generation."),
    Key::new("synced", &IDS, "The workers that got the assignment; `[]` for none. Default: all."),
]);

static TIME: Shape = Shape::Leaf(Leaf::SignedTime);
static GENERATION: Shape = Shape::Leaf(Leaf::Count(0, i32::MAX as u32));
