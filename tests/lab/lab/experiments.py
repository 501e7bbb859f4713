"""The experiments: what is done to which cluster. The last word on what happened have the logs."""

import random
import signal
import time

from . import logs

DELAY = "scheduled.rebalance.max.delay.ms"
ALL = {}


class Run:
    """A cluster with its connectors, brought to rest, then put through an experiment."""

    def __init__(self, kafka="4.4.0", broker=None, workers=3, delay=20000, protocol="sessioned", settings=None, own=None, connectors=None, leader="w1", first=None):
        self.kafka, self.broker, self.protocol = kafka, broker or kafka, protocol
        self.settings = {DELAY: delay, **(settings or {})}
        self.own = own or {}
        self.names = workers if isinstance(workers, list) else [f"w{i + 1}" for i in range(workers)]
        self.connectors = connectors or {"alpha": {"tasks": 12}}
        self.leader_first, self.first = leader, first
        self.what, self.cluster = [], None

    def prepare(self, cluster):
        """Starts everything, creates the connectors and waits until nothing moves."""
        self.cluster = cluster
        cluster.start_broker()
        for name in self.names:
            own = self.own.get(name, {})
            cluster.add_worker(name, own.get("kafka", self.kafka), self.worker_settings(own))
        first = self.first or self.names
        # The member that joins first leads.
        cluster.start(self.leader_first)
        self.wait(lambda: self.coordinator_said("Preparing to rebalance group connect in state PreparingRebalance with old generation 0"), 60, "the first member joins")
        cluster.start(*[name for name in first if name != self.leader_first])
        for name in first:
            cluster.wait_port(cluster.workers[name].port, cluster.workers[name])
        for name, about in self.connectors.items():
            self.put(name, first[0], mark=False, **about)
        self.settle(first)
        if cluster.keep_class_data():
            self.settle(first)

    def worker_settings(self, own=None):
        own = own or {}
        protocol = own.get("protocol", self.protocol)
        settings = {**self.settings, **own.get("settings", {})}
        return settings if protocol == "sessioned" else {**settings, "connect.protocol": protocol}

    def put(self, connector, worker, mark=True, tasks=1, state=None, **settings):
        """Creates or changes a connector through the REST interface of one worker."""
        if mark:
            self.cluster.mark("config", change=f"{connector}: {tasks}", record=f"Connector {connector} config updated")
        config = {"connector.class": "lab.LabSource", "tasks.max": str(tasks)}
        config.update({key.replace("_", "."): str(value) for key, value in settings.items()})
        self.cluster.rest(worker, "PUT", f"/connectors/{connector}/config", config)

    def delete(self, connector, worker):
        self.cluster.mark("config", change=f"{connector}: null", record=f"Connector {connector} config removed")
        self.cluster.rest(worker, "DELETE", f"/connectors/{connector}")

    def state(self, connector, worker, verb, tasks):
        state = {"pause": "paused", "resume": "running", "stop": "stopped"}[verb]
        change = f"{connector}: {{tasks: {tasks}, state: {state}}}"
        # Stopping first writes an empty set of task configs, which is what the workers react to.
        record = "Tasks [] configs updated" if verb == "stop" else f"Connector {connector} target state change"
        self.cluster.mark("config", change=change, record=record)
        self.cluster.rest(worker, "PUT", f"/connectors/{connector}/{verb}")

    def alive(self, name):
        process = self.cluster.workers[name].process
        return process is not None and process.poll() is None

    def joined(self, name):
        path = self.cluster.workers[name].log
        return logs.worker(path)["joined"] if path.exists() else []

    def coordinator_said(self, words):
        return any(words in text for _, _, text in logs.lines(self.cluster.broker.log))

    def settle(self, names=None, quiet=4.5, seconds=180):
        """Waits until all these workers are in one generation without a delay and nothing has moved for a while."""
        names, end = names or [name for name in self.names if self.alive(name)], time.time() + seconds
        while time.time() < end:
            last = [(self.joined(name) or [None])[-1] for name in names]
            if all(last) and len({each["generation"] for each in last}) == 1:
                still = all(not each["delay"] and not each["revoked"] for each in last)
                owned = [item for each in last for item in each["owns"]]
                enough = len(owned) > len(self.connectors)
                if still and enough and time.time() * 1000 - max(each["t"] for each in last) > quiet * 1000:
                    return
            time.sleep(0.4)
        raise RuntimeError("the group did not settle")

    def zero(self, at=None):
        """Time 0: a random place of the heartbeat's interval, or so long after the last round's clock."""
        if at is None:
            time.sleep(random.uniform(0, 3))
        else:
            self.tick(at)
        self.cluster.mark("zero")
        time.sleep(0.5)

    def last_round(self):
        acts = [line for line in logs.lines(self.cluster.broker.log) if "Stabilized group connect" in line[2]]
        return acts[-1][0] / 1000

    def tick(self, after):
        """Waits until `after` seconds past one of the common heartbeats."""
        since = time.time() - self.last_round()
        phase = since % 3.002
        time.sleep((after - phase) % 3.002)

    def leader(self):
        """The worker that leads the last round, and the members in the coordinator's order."""
        _, requests = logs.broker(self.cluster.broker.log)
        wire, urls = logs.rounds(requests)
        last = wire[max(g for g in wire if wire[g]["leader"] and wire[g]["members"])]
        ports = {f"http://127.0.0.1:{w.port}/": name for name, w in self.cluster.workers.items()}
        order = [ports[urls[member]] for member, _ in last["members"]]
        return ports[urls[last["leader"]]], order

    def followers(self):
        leader, order = self.leader()
        return sorted(name for name in order if name != leader)

    def back(self, name, seconds=90):
        """Waits until the worker, started anew, is a member of a completed round."""
        started = max(m["t"] for m in self.cluster.marks if m["kind"] == "start" and m["worker"] == name)
        self.wait(lambda: any(j["t"] > started for j in self.joined(name)), seconds, f"{name} is back")

    def generation(self):
        return max((j["generation"] for name in self.names for j in self.joined(name)), default=0)

    def wait(self, condition, seconds, what):
        end = time.time() + seconds
        while not condition():
            if time.time() > end:
                raise RuntimeError(f"waited {seconds} s in vain: {what}")
            time.sleep(0.1)

    def bounce(self, name, down=0.0):
        """A graceful restart: SIGTERM, wait for the exit, start again."""
        self.cluster.term(name)
        self.cluster.workers[name].wait_exit()
        time.sleep(down)
        self.cluster.start(name)

    def upgrade(self, name, kafka):
        """As `bounce`, into another version of Kafka."""
        worker = self.cluster.workers[name]
        self.cluster.term(name)
        worker.wait_exit()
        worker.version = kafka
        self.cluster.start(name, changes={"kafka": kafka})

    def to_come(self, count=1):
        """A wait for this many more rounds than there are now."""
        wanted = self.generation() + count
        self.wait(lambda: self.generation() >= wanted, 60, f"generation {wanted}")

    def holder(self, item):
        """The worker that holds an item by its own account."""
        return next(name for name in self.names if self.alive(name) and item in (self.joined(name) or [{"owns": []}])[-1]["owns"])


def experiment(name, what, **kwargs):
    """Registers a function as the experiment `name`."""

    def register(act):
        ALL[name] = {"name": name, "what": what, "act": act, "kwargs": kwargs}
        return act

    return register


@experiment("follower_bounce", "a follower is stopped gracefully and started again at once", at=1.3)
def _(run):
    run.bounce("w2")
    run.back("w2")
    run.settle()


@experiment("follower_bounce_in_one_round", "a follower is back before the others' next heartbeat: leave and return are one round", at=1.9)
def _(run):
    run.bounce("w2")
    run.back("w2")
    run.settle()


@experiment("follower_away_longer_than_the_delay", "a follower is away for longer than the delay: its tasks are handed out, then balanced back", delay=10000)
def _(run):
    run.bounce("w2", down=15)
    run.back("w2")
    run.settle()


@experiment("short_heartbeats", "heartbeat.interval.ms 1000, session.timeout.ms 6000: the leader away for 4 s, then a follower killed", delay=10000,
            settings={"heartbeat.interval.ms": 1000, "session.timeout.ms": 6000})
def _(run):
    run.bounce("w1", down=4)
    run.back("w1")
    run.settle()
    run.cluster.kill("w3")
    time.sleep(12)
    run.cluster.start("w3")
    run.back("w3")
    run.settle()


@experiment("leader_bounce", "the leader is stopped gracefully and started again 4 s later: out in one round, back in two")
def _(run):
    run.bounce("w1", down=4)
    run.back("w1")
    run.settle()


@experiment("leader_bounce_in_one_round", "the leader is back before the others' next heartbeat: leave and return are one round", at=1.9)
def _(run):
    run.bounce("w1")
    run.back("w1")
    run.settle()


@experiment("follower_killed", "a follower is killed (kill -9) and started again at once: its ghost blocks its return")
def _(run):
    run.cluster.kill("w2")
    run.cluster.start("w2")
    run.back("w2")
    run.settle()


@experiment("leader_killed", "the leader is killed (kill -9) and started again after its session has ended")
def _(run):
    run.cluster.kill("w1")
    time.sleep(14)
    run.cluster.start("w1")
    run.back("w1")
    run.settle()


def roll(run, order, settle=False):
    for name in order:
        run.bounce(name)
        run.back(name)
        if settle:
            run.settle()
    run.settle()


@experiment("roll_leader_last", "a roll of three: followers, then the leader; the next as soon as the last is a member again", delay=30000)
def _(run):
    roll(run, ["w2", "w3", "w1"])


@experiment("roll_leader_first", "a roll of three: the leader, then the others; the next as soon as the last is a member again", delay=30000)
def _(run):
    roll(run, ["w1", "w2", "w3"])


@experiment("roll_leader_last_slow_starts", "a roll of three, leader last, each worker 6 s away", delay=30000)
def _(run):
    for name in ("w2", "w3", "w1"):
        run.bounce(name, down=6)
        run.back(name)
    run.settle()


@experiment("roll_waiting_until_settled", "a roll of three, leader last, the next when all is settled", delay=15000)
def _(run):
    roll(run, ["w2", "w3", "w1"], settle=True)


@experiment("two_followers_out_back_swapped", "two followers are stopped together; the second is back first", delay=25000)
def _(run):
    run.cluster.term("w2", "w3")
    for name in ("w2", "w3"):
        run.cluster.workers[name].wait_exit()
    time.sleep(3)
    run.cluster.start("w3")
    run.back("w3")
    run.cluster.start("w2")
    run.back("w2")
    run.settle()


@experiment("second_worker_out_at_the_deadline", "w2 is back and waits; w3 leaves 3 s before the deadline and is away when it strikes")
def _(run):
    run.cluster.term("w2")
    run.to_come()
    deadline = run.last_round() + 20
    run.cluster.start("w2")
    run.back("w2")
    time.sleep(max(0, deadline - 3.9 - time.time()))
    run.bounce("w3", down=5)
    run.back("w3")
    run.settle()


@experiment("no_delay_follower", "scheduled.rebalance.max.delay.ms is 0: a follower away for 4 s", delay=0)
def _(run):
    run.bounce("w2", down=4)
    run.back("w2")
    run.settle()


@experiment("no_delay_leader", "scheduled.rebalance.max.delay.ms is 0: the leader away for 4 s", delay=0)
def _(run):
    run.bounce("w1", down=4)
    run.back("w1")
    run.settle()


@experiment("eager_follower", "connect.protocol=eager: a follower away for 4 s", protocol="eager")
def _(run):
    run.bounce("w2", down=4)
    run.back("w2")
    run.settle()


@experiment("eager_leader", "connect.protocol=eager: the leader away for 4 s", protocol="eager")
def _(run):
    run.bounce("w1", down=4)
    run.back("w1")
    run.settle()


@experiment("eager_worker_joins_and_leaves", "an eager worker joins two sessioned ones and leaves again: tasks run twice",
            first=["w1", "w2"], own={"w3": {"protocol": "eager"}})
def _(run):
    run.cluster.start("w3")
    run.back("w3")
    run.settle()
    run.cluster.term("w3")
    run.to_come()
    run.settle(["w1", "w2"])


@experiment("follower_bounce_beside_an_eager_worker", "an eager worker joins two sessioned ones, then w2 is restarted: tasks fail",
            first=["w1", "w2"], own={"w3": {"protocol": "eager"}})
def _(run):
    run.cluster.start("w3")
    run.back("w3")
    run.settle()
    run.bounce("w2", down=3)
    run.back("w2")
    run.settle()


@experiment("leader_bounce_beside_an_eager_worker", "an eager worker joins two sessioned ones, then the leader is restarted: tasks fail",
            first=["w1", "w2"], own={"w3": {"protocol": "eager"}})
def _(run):
    run.cluster.start("w3")
    run.back("w3")
    run.settle()
    run.bounce("w1", down=3)
    run.back("w1")
    run.settle()


def away(run, name, down=2.0):
    """Bounces a worker and waits until it is back, with the delay still running."""
    run.bounce(name, down)
    run.back(name)
    time.sleep(1)


@experiment("connector_created_during_delay", "a connector of three tasks is created while lost tasks wait", delay=25000)
def _(run):
    away(run, "w2")
    run.put("beta", "w1", tasks=3)
    run.settle()


@experiment("connector_deleted_during_delay", "a connector is deleted while tasks of it and of another wait", delay=25000,
            connectors={"alpha": {"tasks": 12}, "beta": {"tasks": 6}})
def _(run):
    away(run, "w2")
    run.delete("beta", "w1")
    run.settle()


@experiment("connector_shrunk_during_delay", "tasks.max 12 to 6 while four tasks wait; the connector's instance is alive", delay=25000)
def _(run):
    away(run, "w2")
    run.put("alpha", "w1", tasks=6)
    run.settle()


@experiment("connector_shrunk_without_its_instance", "tasks.max 12 to 3 while the connector's instance is among the lost", delay=25000, leader="w2")
def _(run):
    away(run, run.holder("alpha"))
    run.put("alpha", "w2", tasks=3)
    run.settle()


@experiment("connector_paused_and_resumed_during_delay", "the connector is paused, 4 s later resumed, while four tasks wait", delay=25000)
def _(run):
    away(run, "w2")
    run.state("alpha", "w1", "pause", 12)
    time.sleep(4)
    run.state("alpha", "w1", "resume", 12)
    run.settle()


@experiment("connector_stopped_during_delay", "one of two connectors is stopped (it has no tasks then) while tasks wait", delay=20000,
            connectors={"alpha": {"tasks": 9}, "beta": {"tasks": 6}})
def _(run):
    away(run, "w2")
    run.state("beta", "w1", "stop", 6)
    run.settle()


@experiment("connector_grown", "tasks.max 12 to 15 in a group at rest")
def _(run):
    run.put("alpha", "w1", tasks=15)
    time.sleep(3)
    run.settle()


@experiment("connector_shrunk", "tasks.max 12 to 5 in a group at rest")
def _(run):
    run.put("alpha", "w1", tasks=5)
    time.sleep(3)
    run.settle()


@experiment("connector_grown_during_delay", "tasks.max 12 to 15 while four tasks wait", delay=25000)
def _(run):
    away(run, "w2")
    run.put("alpha", "w1", tasks=15)
    run.settle()


@experiment("connector_created", "a second connector is created in a group at rest")
def _(run):
    run.put("beta", "w1", tasks=4)
    time.sleep(3)
    run.settle()


@experiment("connector_deleted", "one of two connectors is deleted in a group at rest", connectors={"alpha": {"tasks": 12}, "beta": {"tasks": 6}})
def _(run):
    run.delete("beta", "w1")
    time.sleep(3)
    run.settle()


@experiment("follower_frozen", "a follower stands still (SIGSTOP) longer than its session, shorter than the delay")
def _(run):
    run.cluster.freeze("w2")
    time.sleep(16)
    run.cluster.thaw("w2")
    time.sleep(5)
    run.settle()


@experiment("follower_frozen_longer_than_the_delay", "a follower stands still until its work has been handed out: it runs twice", delay=15000)
def _(run):
    run.cluster.freeze("w2")
    time.sleep(34)
    run.cluster.thaw("w2")
    time.sleep(5)
    run.settle()


@experiment("leader_frozen", "the leader stands still longer than its session")
def _(run):
    run.cluster.freeze("w1")
    time.sleep(16)
    run.cluster.thaw("w1")
    time.sleep(5)
    run.settle()


@experiment("follower_frozen_shorter_than_its_session", "a follower stands still for 6 s while another leaves")
def _(run):
    run.cluster.freeze("w2")
    run.cluster.term("w3")
    time.sleep(6)
    run.cluster.thaw("w2")
    run.cluster.workers["w3"].wait_exit()
    run.cluster.start("w3")
    run.back("w3")
    run.settle()


@experiment("slow_tasks_leader_bounce", "tasks start in 5 s and stop in 2 s; the leader is bounced",
            connectors={"alpha": {"tasks": 12, "start_ms": 5000, "stop_ms": 2000}})
def _(run):
    time.sleep(3)
    run.bounce("w1", down=3)
    run.back("w1")
    time.sleep(8)
    run.settle()


@experiment("slow_stops_in_batches", "ten tasks that stop in 2 s are revoked when a second worker joins: eight at once, then two",
            workers=2, first=["w1"], connectors={"alpha": {"tasks": 20, "stop_ms": 2000}})
def _(run):
    run.cluster.start("w2")
    run.back("w2")
    time.sleep(8)
    run.settle()


@experiment("slow_stops_cancelled", "ten tasks that need 8 s to stop are revoked: given up after 5 s, in two batches",
            workers=2, first=["w1"], connectors={"alpha": {"tasks": 20, "stop_ms": 8000}})
def _(run):
    run.cluster.start("w2")
    run.back("w2")
    time.sleep(14)
    run.settle()


@experiment("worker_joins", "a third worker joins two", first=["w1", "w2"])
def _(run):
    run.cluster.start("w3")
    run.back("w3")
    run.settle()


@experiment("worker_leaves_for_good", "a follower leaves and does not return")
def _(run):
    run.cluster.term("w3")
    run.to_come()
    run.settle(["w1", "w2"])


@experiment("two_workers_join_one_after_the_other", "w2 joins w1, w3 joins before w2 got its share: a delay of 40 ms", first=["w1"], at=0.0)
def _(run):
    run.cluster.start("w2")
    time.sleep(2.1)
    run.cluster.start("w3")
    run.back("w2")
    run.back("w3")
    run.settle()


@experiment("two_workers_join_at_once", "two workers join a third in one round", first=["w1"])
def _(run):
    run.cluster.start("w2", "w3")
    run.back("w2")
    run.back("w3")
    run.settle()


@experiment("leave_behind_a_pending_join", "a follower leaves while its JoinGroup waits in a balancing round: that round is lost")
def _(run):
    run.bounce("w1", down=4)
    run.wait(lambda: any(j["revoked"] for j in run.joined("w2")), 60, "a revocation")
    time.sleep(0.5)
    leader, _ = run.leader()
    leaver = next(name for name in ("w2", "w3") if name != leader)
    run.bounce(leaver, down=1)
    run.back(leaver)
    run.settle()


@experiment("leader_leaves_behind_a_pending_join", "the leader leaves while its JoinGroup waits in a balancing round: that round is lost")
def _(run):
    run.bounce("w1", down=4)
    run.wait(lambda: any(j["revoked"] for j in run.joined("w2")), 60, "a revocation")
    time.sleep(0.5)
    leader, _ = run.leader()
    run.bounce(leader, down=1)
    run.back(leader)
    run.settle()


@experiment("broker_restarted", "the broker is killed and is back after some seconds: the workers give up what they run")
def _(run):
    run.cluster.mark("broker down")
    run.cluster.broker.signal(signal.SIGKILL)
    time.sleep(6)
    run.cluster.broker.start()
    run.to_come()
    run.settle()


@experiment("old_workers_follower_bounce", "workers of 3.3.2 on a broker of 4.4.0: a follower is bounced", kafka="3.3.2", broker="4.4.0")
def _(run):
    run.bounce("w2")
    run.back("w2")
    run.settle()


@experiment("old_workers_leader_bounce", "workers of 3.3.2 on a broker of 4.4.0: the leader is bounced", kafka="3.3.2", broker="4.4.0")
def _(run):
    run.bounce("w1", down=4)
    run.back("w1")
    run.settle()


@experiment("old_workers_join_one_after_the_other", "workers of 3.3.2: w2 joins w1, then w3 before w2 got its share",
            kafka="3.3.2", broker="4.4.0", first=["w1"], at=0.0)
def _(run):
    run.cluster.start("w2")
    time.sleep(2.1)
    run.cluster.start("w3")
    run.back("w2")
    run.back("w3")
    run.settle()


@experiment("old_workers_no_delay_follower", "workers of 3.3.2 without a delay: a follower away for 8 s; its tasks wait for its return",
            kafka="3.3.2", broker="4.4.0", delay=0)
def _(run):
    run.bounce("w2", down=8)
    run.back("w2")
    run.settle()


@experiment("upgrade_leader_last", "a roll from 3.3.2 to 4.4.0, leader last, the next as soon as the last is a member again",
            kafka="3.3.2", broker="4.4.0")
def _(run):
    for name in ("w2", "w3", "w1"):
        run.upgrade(name, "4.4.0")
        run.back(name)
    run.settle()


@experiment("upgrade_leader_first", "a roll from 3.3.2 to 4.4.0, leader first, the next when all is settled", kafka="3.3.2", broker="4.4.0", delay=15000)
def _(run):
    for name in ("w1", "w2", "w3"):
        run.upgrade(name, "4.4.0")
        run.back(name)
        run.settle()


@experiment("scala_coordinator_follower_bounce", "workers and broker of 3.9.1: a follower is bounced", kafka="3.9.1")
def _(run):
    run.bounce("w2")
    run.back("w2")
    run.settle()


@experiment("scala_coordinator_roll", "workers and broker of 3.9.1: a roll, the present leader first each time", kafka="3.9.1")
def _(run):
    adaptive(run)


@experiment("scala_coordinator_follower_killed", "workers and broker of 3.9.1: a follower is killed and started again at once", kafka="3.9.1")
def _(run):
    run.cluster.kill("w2")
    run.cluster.start("w2")
    run.back("w2")
    run.settle()


def adaptive(run):
    """Each time the present leader if it is still to do, else a follower; at the end once more the leader if a delay runs."""
    todo = list(run.names)
    while todo:
        leader, _ = run.leader()
        name = leader if leader in todo else todo[0]
        todo.remove(name)
        run.bounce(name)
        run.back(name)
    if max(run.joined(name)[-1]["delay"] for name in run.names):
        leader, _ = run.leader()
        run.bounce(leader)
        run.back(leader)
    run.settle()


@experiment("roll_of_five_adaptive", "five workers, two connectors, the default delay: the present leader first each time, a last bounce ends the delay",
            workers=5, delay=300000, connectors={"alpha": {"tasks": 20}, "beta": {"tasks": 10}})
def _(run):
    adaptive(run)


@experiment("roll_of_five_leader_last", "five workers, two connectors, the default delay: the leader last, the next as soon as the last is back",
            workers=5, delay=300000, connectors={"alpha": {"tasks": 20}, "beta": {"tasks": 10}})
def _(run):
    roll(run, ["w2", "w3", "w4", "w5", "w1"])


@experiment("second_wave", "the worker with the connector's instance is bounced; the instance asks for new task configs when it starts again",
            delay=15000, leader="w2", connectors={"alpha": {"tasks": 12, "reconfigures": "true"}})
def _(run):
    name = run.holder("alpha")
    run.bounce(name)
    run.back(name)
    time.sleep(16)
    run.settle()


@experiment("leader_and_follower_out_together", "a follower, 1 s later the leader: the new leader knows of no loss", workers=5,
            connectors={"alpha": {"tasks": 20}})
def _(run):
    run.cluster.term("w3")
    time.sleep(1)
    run.cluster.term("w1")
    for name in ("w3", "w1"):
        run.cluster.workers[name].wait_exit()
    time.sleep(3)
    run.cluster.start("w3", "w1")
    run.back("w3")
    run.back("w1")
    run.settle()


@experiment("two_followers_back_in_one_round", "two of four followers out together, back in one round: the order of candidates decides", workers=5,
            connectors={"alpha": {"tasks": 20}})
def _(run):
    run.cluster.term("w2", "w4")
    for name in ("w2", "w4"):
        run.cluster.workers[name].wait_exit()
    time.sleep(3)
    run.cluster.start("w2", "w4")
    run.back("w2")
    run.back("w4")
    run.settle()


@experiment("unequal_delays", "the leader's delay is 8 s, the followers' 40 s; a follower is bounced",
            delay=40000, own={"w1": {"settings": {DELAY: 8000}}})
def _(run):
    run.bounce("w2")
    run.back("w2")
    run.settle()


@experiment("compatible_follower_bounce", "connect.protocol=compatible: a follower is bounced", protocol="compatible", delay=15000)
def _(run):
    run.bounce("w2")
    run.back("w2")
    run.settle()


@experiment("follower_bounce_after_quiet", "a follower is bounced after three quiet minutes, in which the heartbeats drift apart", quiet=180)
def _(run):
    run.bounce("w2")
    run.back("w2")
    run.settle()


@experiment("follower_bounce_from_its_delay_on", "the record begins while a delay runs: the leader's memory is given", unsettled=True)
def _(run):
    run.bounce("w2")
    run.back("w2")
    time.sleep(2)
    run.cluster.mark("zero")
    time.sleep(0.5)
    run.bounce("w3", down=2)
    run.back("w3")
    run.settle()
