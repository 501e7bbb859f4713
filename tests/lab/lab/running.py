"""A cluster at work: brought to rest, then stopped, killed, frozen and started again as asked."""

import collections
import dataclasses
import signal
import threading
import time

from . import jars
from .cluster import Cluster
from .observer import Observer

DELAY = "scheduled.rebalance.max.delay.ms"
BROKER = "broker"
CALM = 3.5  # seconds without a change: longer than a heartbeat interval, after which the second round of a balance comes


class Refused(Exception):
    """What was asked cannot be done; the text says why."""


@dataclasses.dataclass
class Options:
    """What kind of cluster is wanted."""

    workers: int = 3
    kafka: str = jars.NEWEST
    broker: str = None
    protocol: str = "sessioned"
    settings: dict = dataclasses.field(default_factory=dict)
    broker_settings: dict = dataclasses.field(default_factory=dict)
    connectors: dict = dataclasses.field(default_factory=lambda: {"alpha": 8, "beta": 4})
    sinks: dict = dataclasses.field(default_factory=dict)  # name -> (tasks, partitions)
    leader: str = None
    requests: bool = False
    secure: bool = False
    https: bool = False

    def versions(self):
        """Of the workers and of the broker. Brokers before 3.9 are not run: newer ones serve older workers."""
        broker = self.broker or (self.kafka if jars.at_least(self.kafka, "3.9") else jars.NEWEST)
        return self.kafka, broker


class Running:
    """A cluster with its connectors and its observer; a context manager. `say` is told what has come up."""

    def __init__(self, options, say=lambda what, text: None):
        self.options, self.say = options, say
        self.began = time.time()
        self.names = [f"w{number + 1}" for number in range(options.workers)]
        self.lock = threading.Lock()
        self.cluster = self.observer = None
        self.ended, self.sinks, self.ready = {}, {}, False

    def __enter__(self):
        kafka, broker = self.options.versions()
        for version in sorted({kafka, broker}):
            jars.need(version)
            if not jars.fetched(version):
                self.say("jars", f"fetching the jars of Kafka {version} with Maven, once")
            jars.class_path(version)
        settings = {"group.initial.rebalance.delay.ms": 0, **self.options.broker_settings}
        self.cluster = Cluster(broker, settings, self.options.requests, self.options.workers, self.options.secure, self.options.https)
        self.observer = Observer(self.cluster)
        try:
            self.prepare(kafka, broker)
        except BaseException:
            self.cluster.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.cluster.__exit__()

    def prepare(self, kafka, broker):
        """Starts everything, creates the connectors and waits until nothing moves."""
        cluster, options = self.cluster, self.options
        cluster.start_broker()
        self.say(BROKER, f"Kafka {broker} listens on {cluster.bootstrap}")
        protocol = {} if options.protocol == "sessioned" else {"connect.protocol": options.protocol}
        for name in self.names:
            cluster.add_worker(name, kafka, {**protocol, **options.settings})
        if options.leader:
            self.worker(options.leader)
            self.begin([options.leader])  # the member that joins first leads
        self.begin([name for name in self.names if name != options.leader])
        for name, tasks in options.connectors.items():
            self.create(name, tasks)
        for name, (tasks, partitions) in options.sinks.items():
            self.sink(name, tasks, partitions)
        self.await_settled(180, 0.5)
        if cluster.keep_class_data():
            self.say("class data", "kept for later starts of this version")
            self.await_settled(60)
        self.ready = True

    def begin(self, names):
        """Starts workers together and waits until each is a member."""
        self.cluster.start(*names)
        waiting, end = list(names), time.time() + 120
        while waiting:
            for name in list(waiting):
                jvm = self.cluster.workers[name]
                if self.cluster.opens(jvm.port, jvm) and self.member(name):
                    self.say(name, f"REST on {jvm.url}, member of the group")
                    waiting.remove(name)
            if time.time() > end:
                raise RuntimeError(f"no member of the group after 120 s: {', '.join(waiting)}")
            time.sleep(0.05)

    # --- what can be done ------------------------------------------------------------

    def worker(self, name):
        """The process of that name."""
        if name == BROKER:
            return self.cluster.broker
        if name not in self.cluster.workers:
            raise Refused(f"there is no '{name}' here: one of {', '.join([*self.names, BROKER])}")
        return self.cluster.workers[name]

    def stop(self, name, seconds=60):
        """SIGTERM, and the wait for the end of the process. A process that does not end is left as it is."""
        jvm = self.needs(name, frozen=False)
        at = self.cluster.mark("term", worker=name)
        jvm.signal(signal.SIGTERM)
        return {"at_ms": round(at), **self.gone(name, at, seconds)}

    def gone(self, name, at, seconds):
        """Waits for the end of a process."""
        while time.time() * 1000 < at + seconds * 1000:
            self.note_ends()
            end = self.ended.get(name)
            if end:
                return {"exited_ms": round(end["t"]), "code": end["code"], "took_ms": round(end["t"] - at)}
            time.sleep(0.01)
        raise Refused(f"{name} still runs {seconds:g} s after SIGTERM: `kill {name}` ends it")

    def start(self, name):
        """Starts the process; it is a member some seconds later."""
        jvm = self.worker(name)
        self.note_ends()
        if jvm.runs():
            raise Refused(f"{name} runs already (process {jvm.process.pid})")
        at = self.cluster.mark("start", worker=name)
        with self.lock:
            jvm.start()
            self.ended.pop(name, None)
        return {"at_ms": round(at), "pid": jvm.process.pid}

    def restart(self, name, down=0.0):
        """`stop`, a pause of so many seconds, `start`."""
        stopped = self.stop(name)
        time.sleep(down)
        started = self.start(name)
        return {**stopped, "started_ms": started["at_ms"], "pid": started["pid"]}

    def kill(self, name):
        """SIGKILL."""
        jvm = self.needs(name)
        at = self.cluster.mark("kill", worker=name)
        jvm.signal(signal.SIGKILL)
        return {"at_ms": round(at), **self.gone(name, at, 30)}

    def freeze(self, name):
        """SIGSTOP: the process stands still, its connections stay open."""
        jvm = self.needs(name, frozen=False)
        at = self.cluster.mark("freeze", worker=name)
        jvm.signal(signal.SIGSTOP)
        jvm.frozen = True
        return {"at_ms": round(at)}

    def thaw(self, name):
        """SIGCONT."""
        jvm = self.needs(name, frozen=True)
        at = self.cluster.mark("thaw", worker=name)
        jvm.signal(signal.SIGCONT)
        jvm.frozen = False
        return {"at_ms": round(at)}

    def needs(self, name, frozen=None):
        """The process of that name, if it runs (and is or is not frozen)."""
        jvm = self.worker(name)
        if not jvm.runs():
            raise Refused(f"{name} does not run")
        if frozen is False and jvm.frozen:
            raise Refused(f"{name} is frozen: thaw it, or kill it")
        if frozen and not jvm.frozen:
            raise Refused(f"{name} is not frozen")
        return jvm

    def note_ends(self):
        """Notes each process that has ended since the last time; returns those."""
        found = []
        with self.lock:
            for name, jvm in [*self.cluster.workers.items(), (BROKER, self.cluster.broker)]:
                if jvm.process is not None and name not in self.ended and not jvm.runs():
                    jvm.frozen = False
                    code = jvm.process.returncode
                    self.ended[name] = {"t": self.cluster.mark("exited", worker=name, code=code), "code": code, "worker": name}
                    found.append(self.ended[name])
        return found

    def alive(self):
        """Workers that run and are not frozen."""
        return [name for name, jvm in self.cluster.workers.items() if jvm.runs() and not jvm.frozen]

    def create(self, name, tasks, settings=None, connector="lab.LabSource"):
        """Creates or changes a connector."""
        config = {"connector.class": connector, "tasks.max": str(tasks), **{key: str(value) for key, value in (settings or {}).items()}}
        at = self.cluster.mark("config", connector=name)
        self.cluster.rest(self.some(), "PUT", f"/connectors/{name}/config", config)
        return {"at_ms": round(at)}

    def sink(self, name, tasks, partitions, settings=None):
        """Creates a sink and, before it, its topic: by a source of one task, NAME-feed, that writes into it."""
        feed = {
            "topic": name,
            "partitions": partitions,
            "record.ms": 100,
            "topic.creation.default.partitions": partitions,
            "topic.creation.default.replication.factor": 1,
        }
        answer = self.create(f"{name}-feed", 1, feed)
        end = time.time() + 60
        while name not in (self.cluster.ask(self.some(), "GET", f"/connectors/{name}-feed/topics").get("body") or {}).get(f"{name}-feed", {}).get("topics", []):
            if time.time() > end:
                raise Refused(f"{name}-feed has written nothing within 60 s")
            time.sleep(0.2)
        self.create(name, tasks, {"topics": name, **(settings or {})}, "lab.LabSink")
        self.sinks[name] = partitions
        return answer

    def delete(self, name):
        """Deletes a connector."""
        at = self.cluster.mark("config", connector=name)
        self.cluster.rest(self.some(), "DELETE", f"/connectors/{name}")
        return {"at_ms": round(at)}

    def rest(self, name, method, path, body=None, seconds=30):
        """One REST call, tried once."""
        if name == BROKER:
            raise Refused("the broker has no REST port")
        self.worker(name)
        began = time.time()
        answer = self.cluster.ask(name, method, path, body, seconds)
        return {"at_ms": round(began * 1000), "took_ms": round((time.time() - began) * 1000), **answer}

    def some(self):
        """A worker that runs."""
        alive = self.alive()
        if not alive:
            raise Refused("no worker runs")
        return alive[0]

    # --- what it waits for -----------------------------------------------------------

    def member(self, name):
        """The first round of which the worker's present process got an assignment, if there is one."""
        self.observer.read()
        started = max((mark["t"] for mark in list(self.cluster.marks) if mark["kind"] == "start" and mark["worker"] == name), default=0)
        return next((each for each in self.observer.joined(name) if each["t"] >= started), None)

    def await_member(self, name, seconds=90):
        """Waits until the worker is a member of a completed round again."""
        self.worker(name)
        end = time.time() + seconds
        while not self.member(name):
            if name in self.ended or not self.worker(name).runs():
                raise Refused(f"{name} does not run")
            if time.time() > end:
                raise Refused(f"{name} is no member after {seconds:g} s")
            time.sleep(0.05)
        joined = self.member(name)
        return {"at_ms": joined["t"], "generation": joined["generation"], "owns": joined["owns"], "delay_ms": joined["delay"]}

    def await_settled(self, seconds=180, calm=CALM):
        """Waits until all workers that run are in one generation without a delay, all runs once and nothing moves."""
        end = time.time() + seconds
        while True:
            why = self.unsettled(calm)
            if not why:
                last = self.observer.rounds()[-1]
                return {"at_ms": round(time.time() * 1000), "generation": last["generation"], "leader": last["leader"]}
            if time.time() > end:
                raise Refused(f"not settled after {seconds:g} s: {why}")
            time.sleep(0.1)

    def unsettled(self, calm=0):
        """What is not settled, as a sentence; nothing if all is."""
        self.observer.read()
        if not self.cluster.broker.runs() or self.last_act(BROKER) == "term":
            return "the broker does not run"
        acts = self.observer.broker.acts()
        begun, rounds = ([act for act in acts if act["kind"] == kind] for kind in ("prepare", "stabilized"))
        if not rounds or begun and begun[-1]["t"] > rounds[-1]["t"]:
            return "a rebalance is under way"
        generation, changed = int(rounds[-1]["generation"]), rounds[-1]["t"]
        owned = collections.Counter()
        for name in self.alive():
            if self.last_act(name) == "term":
                return f"{name} is stopping"
            if not self.member(name):
                return f"{name} is not a member yet"
            last = self.observer.joined(name)[-1]
            if last["generation"] != generation:
                return f"{name} has not got its part of generation {generation}"
            if last["delay"]:
                return "a rebalance delay runs"
            if last["revoked"]:
                return "tasks are handed over"
            owned.update(last["owns"])
        if not owned and not self.alive():
            return "no worker runs"
        twice = [item for item, count in owned.items() if count > 1]
        if twice:
            return f"owned twice: {', '.join(sorted(twice))}"
        why = self.missing(owned)
        changed = max([changed, *(each["t"] for each in self.observer.tasks())])
        return why or ("something changed a moment ago" if time.time() * 1000 - changed < calm * 1000 else None)

    def last_act(self, name):
        """What was done last to a process, or became of it."""
        return next((mark["kind"] for mark in reversed(list(self.cluster.marks)) if mark.get("worker") == name), None)

    def missing(self, owned):
        """Which of the configured connectors and tasks nobody owns, or do not run although they should."""
        answer = self.cluster.ask(self.some(), "GET", "/connectors?expand=info&expand=status", seconds=5)
        if answer["status"] != 200:
            return f"REST answers {answer['status'] or answer['error']}"
        running = self.observer.course().running
        for name, connector in answer["body"].items():
            tasks = [f"{each['connector']}-{each['task']}" for each in connector["info"]["tasks"]]
            nobody = [item for item in [name, *tasks] if item not in owned]
            if nobody:
                return f"without an owner: {', '.join(nobody)}"
            status = connector.get("status") or {"connector": {"state": "UNASSIGNED"}, "tasks": []}
            state = status["connector"]["state"]
            if state not in ("RUNNING", "PAUSED", "STOPPED", "FAILED"):
                return f"{name} is {state}"
            # A connector without tasks has not made them yet, or never will.
            if state == "RUNNING" and not tasks and connector["info"]["config"].get("tasks.max") != "0":
                return f"{name} has no tasks yet"
            failed = {f"{name}-{each['id']}" for each in status["tasks"] if each["state"] == "FAILED"}
            idle = [task for task in tasks if not running.get(task) and task not in failed]
            if state == "RUNNING" and idle:
                return f"not started yet: {', '.join(idle)}"
            if state == "RUNNING" and name in self.sinks and not failed:
                opened = self.observer.partitions()
                count = sum(len(opened.get(task, [])) for task in tasks)
                if count != self.sinks[name] or self.sinks[name] >= len(tasks) and not all(task in opened for task in tasks):
                    return f"{name} has not shared out its {self.sinks[name]} partitions"
        return None

    # --- what it tells ---------------------------------------------------------------

    def about(self):
        """The cluster's addresses and processes."""
        kafka, broker = self.options.versions()
        return {
            "bootstrap": self.cluster.bootstrap,
            "workers": [{"name": name, "url": jvm.url, "pid": jvm.process.pid if jvm.runs() else None} for name, jvm in self.cluster.workers.items()],
            "broker_pid": self.cluster.broker.process.pid if self.cluster.broker.runs() else None,
            "directory": str(self.cluster.directory),
            "group": "connect",
            "kafka": kafka,
            "broker": broker,
            **({"security": self.cluster.secrets.about(self.cluster.listeners)} if self.cluster.secrets else {}),
        }

    def status(self):
        """Who runs, who leads, who owns how much."""
        self.observer.read()
        rounds = self.observer.rounds()
        last = rounds[-1] if rounds else {"generation": 0, "leader": None, "owns": {}, "delay": 0, "t": 0}
        course = self.observer.course()
        workers = []
        for name, jvm in self.cluster.workers.items():
            state = "stopped" if not jvm.runs() else "frozen" if jvm.frozen else "runs" if self.member(name) else "starts"
            running = sum(name in where for where in course.running.values())
            workers.append({"name": name, "url": jvm.url, "pid": jvm.process.pid if jvm.runs() else None, "state": state,
                            "leads": name == last["leader"], "running_tasks": running})
        return {
            "workers": workers,
            "generation": last["generation"],
            "leader": last["leader"],
            "delay_ms": last["delay"],
            "tasks": len(course.running),
            "down": course.down_now(),
            "broker_runs": self.cluster.broker.runs(),
        }

    def events(self, since=0):
        """Everything observed from that moment on."""
        self.observer.read()
        self.note_ends()
        return {
            "tasks": [each for each in self.observer.tasks() if each["t"] >= since],
            "rounds": [each for each in self.observer.rounds() if each["t"] >= since],
            "group": [each for each in self.observer.group() if each["t"] >= since],
            "acts": [each for each in self.observer.acts() if each["t"] >= since],
        }

    def figures(self, since=None):
        """What it cost since then; without a moment, since the first stop, kill or freeze."""
        self.observer.read()
        if since is None:
            since = next((act["t"] for act in self.observer.acts() if act["kind"] in ("term", "kill", "freeze")), None)
        if since is None:
            raise Refused("nothing has been stopped, killed or frozen yet")
        found = self.observer.course().figures(since, time.time() * 1000)
        found["rounds"] = sum(1 for each in self.observer.broker.acts() if each["kind"] == "stabilized" and each["t"] >= since)
        return found
