"""The independent observer: what a running cluster did, by the logs of its tasks, its workers and its broker."""

import threading

from . import figures, logs

PROTOCOLS = {0: "eager", 1: "compatible", 2: "sessioned"}


class Observer:
    """Reads the logs of a cluster as they grow. All times are in ms since 1970."""

    def __init__(self, cluster):
        self.cluster, self.lock = cluster, threading.RLock()
        self.broker = logs.BrokerLog()
        self.followers = {"broker": (logs.Follower(cluster.broker.log), self.broker)}
        self.workers = {}

    def read(self):
        """Takes what has come since the last time; notes processes that ended unasked."""
        with self.lock:
            for name, jvm in list(self.cluster.workers.items()):
                if name not in self.workers:
                    self.workers[name] = logs.WorkerLog()
                    self.followers[name] = (logs.Follower(jvm.log), self.workers[name])
            for follower, log in self.followers.values():
                for each in follower.lines():
                    log.take(*each)

    def joined(self, worker):
        """The rounds of which this worker got its assignment."""
        return self.workers[worker].joined if worker in self.workers else []

    def tasks(self):
        """What the tasks of all workers logged, in order."""
        found = []
        for worker, log in self.workers.items():
            for each in log.tasks:
                extra = {"partitions": each["partitions"]} if "partitions" in each else {}
                found.append({"t": each["t"], "task": each["task"], "what": each["act"], "worker": worker, **extra})
            found += [{"t": each["t"], "task": each["task"], "what": "failed", "worker": worker} for each in log.failed]
        return sorted(found, key=lambda each: each["t"])

    def acts(self):
        """What was done to processes, and which ended by themselves."""
        return sorted(({**mark, "t": round(mark["t"])} for mark in list(self.cluster.marks)), key=lambda each: each["t"])

    def partitions(self):
        """Which partitions each task of a sink has open now."""
        changes = [(each["t"], each["worker"], each) for each in self.tasks() if "partitions" in each]
        changes += [(act["t"], act["worker"], None) for act in self.acts() if act["kind"] == "exited"]
        found = {}  # (worker, task) -> partitions
        for _, worker, each in sorted(changes, key=lambda change: change[0]):
            if each is None:
                found = {key: partitions for key, partitions in found.items() if key[0] != worker}
            else:
                here = found.setdefault((worker, each["task"]), set())
                here.update(each["partitions"]) if each["what"] == "opened" else here.difference_update(each["partitions"])
        return {task: sorted(partitions) for (_, task), partitions in sorted(found.items()) if partitions}

    def worker_of(self):
        """Member ids and whose they are."""
        return {each["member"]: worker for worker, log in self.workers.items() for each in log.members}

    def group(self):
        """The coordinator's acts: join, leave, expire, prepare, stabilized, assigned, up."""
        worker_of, found = self.worker_of(), []
        for act in self.broker.acts():
            one = dict(act)
            if "generation" in one:
                one["generation"] = int(one["generation"])
            if one.get("member") in worker_of:
                one["worker"] = worker_of[one["member"]]
            found.append(one)
        return found

    def rounds(self):
        """Each completed round: what the coordinator said and what each worker got.

        `members` (in the coordinator's order) and what each said it owned are known only where the broker logs its requests.
        """
        worker_of, found = self.worker_of(), []
        wire = logs.rounds(self.broker.requests)[0] if self.broker.requests else {}
        ends = [act for act in self.broker.acts() if act["kind"] == "stabilized"]
        for place, act in enumerate(ends):
            generation = int(act["generation"])
            until = ends[place + 1]["t"] if place + 1 < len(ends) else float("inf")
            one = {"t": act["t"], "generation": generation, "leader": None, "protocol": None, "delay": 0, "owns": {}, "revoked": {}, "synced": []}
            for worker, log in sorted(self.workers.items()):
                # A worker may log its assignment after the next round has begun, never before its own has ended.
                got = next((j for j in log.joined if j["generation"] == generation and act["t"] - 5 <= j["t"] < until + 60000), None)
                if got:
                    one["synced"].append(worker)
                    one["owns"][worker] = got["owns"]
                    one["leader"] = worker_of.get(got["leader"], got["leader"])
                    one["protocol"] = PROTOCOLS.get(got["version"])
                    one["delay"] = max(one["delay"], got["delay"])
                    if got["revoked"]:
                        one["revoked"][worker] = got["revoked"]
            over = wire.get(generation)
            if over and over["members"]:
                one["members"] = [{"id": member, "worker": worker_of.get(member), "owned": owned} for member, owned in over["members"]]
            found.append(one)
        return found

    def course(self):
        return figures.Course(self.tasks(), self.acts())
