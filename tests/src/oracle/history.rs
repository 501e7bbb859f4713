//! Histories as data, so that a failing one can be cut down and shown.

/// A group of workers and what happens to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// All connectors: name, the most tasks it ever has, its tasks at the start (`None`: not there yet).
    pub connectors: Vec<(String, u32, Option<u32>)>,
    /// `scheduled.rebalance.max.delay.ms` of the workers, in turn.
    pub delays: Vec<i32>,
    /// The member ids of the processes, in the order in which they join; then `m0`, `m1`, ….
    pub ids: Vec<String>,
    /// How many workers begin.
    pub workers: u32,
    /// What happens.
    pub events: Vec<Event>,
}

/// One thing that happens. Numbers that pick a member count on from the last when too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Time passes, in microseconds.
    Wait(u32),
    /// Time passes until so many milliseconds after the end of the leader's delay, if one runs.
    UntilDue(i32),
    /// New processes join.
    Join(u32),
    /// A process ends.
    Leave(u32),
    /// The leader ends.
    LeaderLeaves,
    /// A member is expelled; its process lives on with what it owns.
    Expel(u32),
    /// An expelled process joins again, under a new id.
    Return(u32),
    /// A member stops all it owns and stays.
    Stops(u32),
    /// The first member comes to own the first so many items of the second, too.
    Copies(u32, u32, u32),
    /// Another member leads.
    Lead(u32),
    /// The coordinator lists the members in another order.
    Rotate(u32),
    /// A connector is created, resized or (`None`) deleted.
    Configure(u32, Option<u32>),
    /// Whether a member that only knows the eager protocol is there.
    Eager(bool),
    /// A round ends in a config mismatch: the generation counts, nobody's work changes.
    Mismatch,
    /// A round; the bits say which members get its outcome, of more than 32 each for several.
    Round(u32),
}
