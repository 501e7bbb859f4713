//! The terms, each defined once.

/// A term.
#[derive(Debug)]
pub struct Term {
    /// Its name, words joined by dashes.
    pub name: &'static str,
    /// Other names people look for.
    pub also: &'static [&'static str],
    /// What it means, in sentences.
    pub meaning: &'static str,
    /// What to ask for next.
    pub see: &'static [&'static str],
    /// Where it comes from.
    pub source: &'static str,
}

/// All terms, in the order of their names.
pub static TERMS: &[Term] = &[
    Term {
        name: "back",
        also: &[],
        meaning: "The restarted worker is a member of a completed generation. It need not have a task yet: a \
                  follower's tasks wait for the delay. As a wait between restarts it is the shortest.",
        see: &["settled", "delayed-rebalance"],
        source: "rollgate's own word",
    },
    Term {
        name: "calm",
        also: &["calm-window"],
        meaning: "Nothing has changed for some time: no rebalance, no delay, every task running. A moment in which \
                  all is well can lie between two rebalances; a window in which nothing happens does not.",
        see: &["settled"],
        source: "rollgate's own word",
    },
    Term {
        name: "delayed-rebalance",
        also: &["delay", "rebalance-delay", "scheduled-rebalance"],
        meaning: "When a worker leaves, the leader keeps its tasks back for scheduled.rebalance.max.delay.ms, so \
                  that a worker which only restarts finds its work again. They stay without an owner for the whole \
                  of it, also when the worker is back after seconds: the delay counts from the first loss, is one \
                  for all, and ends only by running out or when the leader goes, because it lives in the leader's \
                  memory alone.",
        see: &["leader", "leader-again", "scheduled.rebalance.max.delay.ms"],
        source: "KIP-415; IncrementalCooperativeAssignor of Kafka 4.3",
    },
    Term {
        name: "eager",
        also: &["stop-the-world"],
        meaning: "The protocol of Connect before 2.3, and still that of connect.protocol=eager: at each rebalance \
                  all workers stop all their tasks, join, and start what they are given. It knows no delay. One \
                  eager member makes the whole group eager.",
        see: &["incremental-cooperative", "eager-connect-protocol", "roll-to-eager"],
        source: "KIP-415; EagerAssignor of Kafka 4.3",
    },
    Term {
        name: "executor",
        also: &["serial", "steps"],
        meaning: "What carries a plan out. `steps` can stop several workers at one step and one worker twice; `serial` is a play \
                  with serial: 1, which takes each worker once, one at a time, and can end a delay only as its last step.",
        see: &["succession", "leader-again"],
        source: "rollgate's own word; serial is Ansible's",
    },
    Term {
        name: "flush",
        also: &[],
        meaning: "To end a pending delay at once by restarting the leader: the next leader knows nothing of it and \
                  hands out all that has no owner in its first round.",
        see: &["leader-again", "delayed-rebalance"],
        source: "IncrementalCooperativeAssignor of Kafka 4.3: a new leader's memory is empty",
    },
    Term {
        name: "follower",
        also: &[],
        meaning: "A worker that does not lead. When it is restarted, its tasks wait for the delay; when the leader is \
                  restarted, its tasks are handed out at once.",
        see: &["leader", "delayed-rebalance"],
        source: "the classic group protocol",
    },
    Term {
        name: "generation",
        also: &["round"],
        meaning: "One completed round of the group: all members have joined, the leader has assigned, and all have \
                  the answer. The broker numbers them.",
        see: &["rebalance", "leader"],
        source: "ClassicGroup of Kafka 4.3",
    },
    Term {
        name: "graceful-stop",
        also: &["graceful", "kill"],
        meaning: "SIGTERM: the worker stops its tasks and leaves the group as its last act, so the others learn of it at \
                  once. After a kill the group waits until the session has run out.",
        see: &["session", "task.shutdown.graceful.timeout.ms"],
        source: "DistributedHerder.halt, WorkerGroupMember of Kafka 4.3",
    },
    Term {
        name: "hand-over",
        also: &["handover"],
        meaning: "A task's way from one worker to another: two heartbeat intervals and its start. Shorter than that \
                  no task changes its worker, and less is not counted as an outage.",
        see: &["unassigned-time", "held"],
        source: "rollgate's own measure",
    },
    Term {
        name: "held",
        also: &["peak-held"],
        meaning: "The largest share of the tasks that is without an owner at one moment for longer than a hand-over. \
                  `max_share` of a policy limits it.",
        see: &["peak", "hand-over"],
        source: "rollgate's own measure",
    },
    Term {
        name: "incremental-cooperative",
        also: &["cooperative", "incremental", "compatible", "sessioned"],
        meaning: "The protocol of Connect since 2.3: at a rebalance only what moves stops. What is to move is revoked \
                  in one round and handed out in the next; what a lost worker had waits for the delay. `compatible` \
                  and `sessioned` rebalance alike; `sessioned` signs the workers' internal requests, too.",
        see: &["eager", "delayed-rebalance"],
        source: "KIP-415, KIP-507",
    },
    Term {
        name: "leader",
        also: &["group-leader"],
        meaning: "The worker whose assignor decides who gets what. The first member of a group leads until it is \
                  gone; then the broker takes the next in the order of its member map, which follows hashes of the \
                  member ids and is as good as drawn. A leader's memory, and with it a pending delay, is not handed \
                  on. Each worker says who leads in JMX: leader-name of connect-worker-rebalance-metrics.",
        see: &["follower", "flush", "delayed-rebalance"],
        source: "ClassicGroup, IncrementalCooperativeAssignor of Kafka 4.3",
    },
    Term {
        name: "leader-after",
        also: &["leader-after-1"],
        meaning: "An order: the worker that leads at the beginning goes after so many others.",
        see: &["leader-last", "succession"],
        source: "rollgate's own word",
    },
    Term {
        name: "leader-again",
        also: &["leader-once-more"],
        meaning: "The leader is restarted once more in the same roll, for nothing but to end a pending delay. A \
                  policy can forbid it: `leader_again: false`.",
        see: &["flush"],
        source: "rollgate's own word",
    },
    Term {
        name: "leader-first",
        also: &[],
        meaning: "An order: the worker that leads at the beginning goes first, then the others as listed.",
        see: &["leader-last", "leader-next"],
        source: "rollgate's own word",
    },
    Term {
        name: "leader-last",
        also: &[],
        meaning: "An order: the followers as listed, then the worker that led at the beginning. It is common practice, and each \
                  follower's tasks sit out the delay.",
        see: &["settled", "succession", "delayed-rebalance"],
        source: "rollgate's own word",
    },
    Term {
        name: "leader-next",
        also: &[],
        meaning: "An order: whoever leads at the moment goes next, while it is still to do; else the next follower. A leader that \
                  goes takes the pending delay with it. Who leads at a moment, each worker says in JMX.",
        see: &["leader", "succession", "flush"],
        source: "rollgate's own word",
    },
    Term {
        name: "listed",
        also: &[],
        meaning: "An order: the workers as the description lists them, whoever leads.",
        see: &["leader-last", "succession"],
        source: "rollgate's own word",
    },
    Term {
        name: "member-id",
        also: &["member"],
        meaning: "What the broker calls a worker process: its client id, a dash and a random UUID. A restarted worker \
                  is a new member, whatever its name.",
        see: &["leader"],
        source: "KIP-394; GroupMetadataManager of Kafka 4.3",
    },
    Term {
        name: "one-worker",
        also: &[],
        meaning: "The largest share of the tasks that one worker has: what is away whenever a worker is. It is what max_share \
                  allows where a policy does not say anything else.",
        see: &["held", "peak", "max_share"],
        source: "rollgate's own word",
    },
    Term {
        name: "peak",
        also: &["peak-share"],
        meaning: "The largest share of the tasks that is not running at one instant, hand-overs included.",
        see: &["held", "unassigned-time"],
        source: "rollgate's own measure",
    },
    Term {
        name: "rebalance",
        also: &[],
        meaning: "The group agrees anew on who does what, because a member came or went, connectors changed, a delay \
                  ran out or revoked work has to be handed out. A follower learns of it by its next heartbeat.",
        see: &["generation", "incremental-cooperative"],
        source: "the classic group protocol; KIP-415",
    },
    Term {
        name: "roll",
        also: &["rolling-restart"],
        meaning: "The restart of all workers of a cluster, one or a few at a time.",
        see: &["back", "settled"],
        source: "rollgate's own word",
    },
    Term {
        name: "second-wave",
        also: &[],
        meaning: "A connector whose instance starts anew may compute other task configs than before; then all its \
                  tasks on all workers stop once more, seconds after the restart that caused it.",
        see: &["connectors-reconfigured-during-roll"],
        source: "AbstractHerder.taskConfigsChanged of Kafka 4.3",
    },
    Term {
        name: "session",
        also: &["session-timeout"],
        meaning: "How long the broker waits for a heartbeat before it takes a member for dead. A worker that leaves \
                  in order does not need it; one that is killed is noticed only by it, and only then its delay begins.",
        see: &["session.timeout.ms", "long-session-timeout"],
        source: "the classic group protocol",
    },
    Term {
        name: "settled",
        also: &[],
        meaning: "Every task runs, no delay is pending and nothing more will move. As a wait between restarts it is \
                  the most careful, and with a long delay the dearest.",
        see: &["back", "calm", "long-delay-with-quick-restarts"],
        source: "rollgate's own word",
    },
    Term {
        name: "succession",
        also: &["successor"],
        meaning: "An order: whoever leads at the moment goes next, while it and its successor are still to do; else a follower that \
                  will not succeed it. So each delay that a follower leaves behind ends with the leader's next restart, and \
                  hands over to a worker that is still to do. The successor is the first other member in the order in which \
                  DescribeGroups lists them.",
        see: &["leader", "leader-next", "flush"],
        source: "rollgate's own word; ClassicGroup of Kafka 4.3",
    },
    Term {
        name: "task-seconds",
        also: &[],
        meaning: "Unassigned time summed over tasks: four tasks without an owner for 30 s are 120 task-seconds.",
        see: &["unassigned-time"],
        source: "rollgate's own measure",
    },
    Term {
        name: "unassigned-time",
        also: &["unassigned"],
        meaning: "How long a task has no owner able to run it: from the moment it stops until it runs again, its \
                  start included. A status of RUNNING does not prove the opposite: during the delay it can be that \
                  of a worker that is gone.",
        see: &["task-seconds", "hand-over"],
        source: "rollgate's own measure",
    },
    Term {
        name: "with-leader",
        also: &[],
        meaning: "An order: two at a time, whoever leads at the moment and with it a follower. Both have left before the new \
                  leader's first round, which knows of no loss and starts no delay. Not with exactly-once sources, whose \
                  tasks may start just then.",
        see: &["leader", "succession", "exactly-once-source-without-room"],
        source: "rollgate's own word; IncrementalCooperativeAssignor of Kafka 4.3",
    },
];
