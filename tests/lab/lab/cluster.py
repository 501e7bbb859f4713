"""A broker and its Connect workers."""

import json
import pathlib
import signal
import socket
import ssl
import tempfile
import time
import urllib.error
import urllib.request

from .jars import BUILD, NEWEST, at_least
from .processes import Directory, Jvm, free_ports, spawn
from .security import PROTOCOLS, Secrets

GROUP = "connect"
ASSIGNOR = "org.apache.kafka.connect.runtime.distributed.IncrementalCooperativeAssignor"
WORKER = "org.apache.kafka.connect.cli.ConnectDistributed"


class Cluster:
    """A broker and its Connect workers in a directory of their own; a context manager."""

    def __init__(self, broker=NEWEST, broker_settings=None, requests=True, workers=12, secure=False, https=False):
        BUILD.mkdir(exist_ok=True)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="lab-", dir=BUILD))
        self.swept = Directory(self.directory)
        port, controller, *more = free_ports(2 + len(PROTOCOLS))
        self.bootstrap = f"127.0.0.1:{port}"
        self.secrets = Secrets(self.directory) if secure or https else None
        self.listeners, secured = self.secrets.of_broker(more) if secure else ({}, {})
        self.https = https
        if https:
            self.secrets.stores()
        settings = {
            "process.roles": "broker,controller",
            "node.id": 1,
            "controller.quorum.voters": f"1@127.0.0.1:{controller}",
            "listeners": self.listed({"CONTROLLER": f"127.0.0.1:{controller}"}),
            "advertised.listeners": self.listed({}),
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": ",".join(f"{name}:{how}" for name, how in {"PLAINTEXT": "PLAINTEXT", "CONTROLLER": "PLAINTEXT", **PROTOCOLS}.items()),
            "log.dirs": self.directory / "data",
            "offsets.topic.num.partitions": 1,
            "offsets.topic.replication.factor": 1,
            "transaction.state.log.num.partitions": 1,
            "transaction.state.log.replication.factor": 1,
            "transaction.state.log.min.isr": 1,
            "log.cleaner.dedupe.buffer.size": 4000000,
            **secured,
            **(broker_settings or {}),
        }
        if broker.startswith("4."):
            settings["share.coordinator.state.topic.replication.factor"] = 1
            settings["share.coordinator.state.topic.min.isr"] = 1
        # Each group request with its answer: some 100 MB an hour.
        options = ["-Dorg.slf4j.simpleLogger.log.kafka.request.logger=debug"] if requests else []
        self.broker = Jvm("broker", self.directory, broker, "kafka.Kafka", settings, "broker.jsa", options)
        self.ports = free_ports(workers)  # member ids, which begin with the port, sort as the workers' names do
        self.workers = {}
        self.marks = []

    def listed(self, more):
        """The broker's listeners as Kafka writes them."""
        return ",".join(f"{name}://{at}" for name, at in {"PLAINTEXT": self.bootstrap, **self.listeners, **more}.items())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        everything = [*self.workers.values(), self.broker]
        for each in everything:
            each.signal(signal.SIGKILL)
        for each in everything:
            if each.process:
                each.process.wait()
        self.swept.remove()

    def start_broker(self):
        """Formats the storage, unless that has been done, and starts the broker."""
        if not (self.directory / "data").exists():
            path = self.broker.write_settings()
            formatter = Jvm("format", self.directory, self.broker.version, "", {}, "format.jsa")
            with open(self.directory / "format.log", "wb") as log:
                done = spawn(formatter.command("kafka.tools.StorageTool", self.format(path)), stdout=log, stderr=log).wait()
            if done:
                raise RuntimeError(f"the broker's storage cannot be formatted:\n{last_words(self.directory / 'format.log')}")
        self.broker.start()
        self.wait_port(int(self.bootstrap.rsplit(":", 1)[1]), self.broker)

    def format(self, path):
        """The arguments of the storage tool."""
        return ["format", "-t", "AAAAAAAAAAAAAAAAAAAAAQ", "-c", path, *(self.secrets.of_format() if self.listeners else [])]

    def opens(self, port, jvm):
        """Whether a process listens by now; an error if it has ended."""
        if not jvm.runs():
            raise RuntimeError(f"{jvm.name} ended while starting:\n{last_words(jvm.log)}")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def wait_port(self, port, jvm, seconds=90):
        end = time.time() + seconds
        while not self.opens(port, jvm):
            if time.time() > end:
                raise RuntimeError(f"{jvm.name} did not open port {port} within {seconds} s")
            time.sleep(0.05)

    def add_worker(self, name, kafka=NEWEST, settings=None):
        """Describes a worker; `start` starts it."""
        port, scheme = self.ports.pop(0), "https" if self.https else "http"
        all_settings = {
            "bootstrap.servers": self.bootstrap,
            "group.id": GROUP,
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "config.storage.topic": "connect-configs",
            "offset.storage.topic": "connect-offsets",
            "status.storage.topic": "connect-status",
            "config.storage.replication.factor": 1,
            "offset.storage.replication.factor": 1,
            "status.storage.replication.factor": 1,
            "offset.storage.partitions": 1,
            "status.storage.partitions": 1,
            "listeners": f"{scheme}://127.0.0.1:{port}",
            "rest.advertised.host.name": "127.0.0.1",
            "rest.advertised.port": port,
            **(self.secrets.of_rest() if self.https else {}),
            **(settings or {}),
        }
        if at_least(kafka, "3.6"):
            all_settings["plugin.discovery"] = "service_load"
        options = [f"-Dorg.slf4j.simpleLogger.log.{ASSIGNOR}=debug"]
        worker = Jvm(name, self.directory, kafka, WORKER, all_settings, "worker.jsa", options)
        worker.port = port
        worker.url = f"{scheme}://127.0.0.1:{port}"
        self.workers[name] = worker
        return worker

    def keep_class_data(self):
        """On the first run of a version: makes later starts fast. Returns whether there was anything to do."""
        lacking = {(each.version, each.archive): each for each in [*self.workers.values(), self.broker] if each.lacks_class_data()}
        for each in lacking.values():
            each.keep_class_data()
        return bool(lacking)

    def mark(self, kind, **what):
        """Notes an act with its time, and returns that time."""
        at = time.time() * 1000
        self.marks.append({"t": at, "kind": kind, **what})
        return at

    def start(self, *names, changes=None):
        for name in names:
            self.mark("start", worker=name, **({"changes": changes} if changes else {}))
            self.workers[name].start()

    def term(self, *names):
        for name in names:
            self.mark("term", worker=name)
            self.workers[name].signal(signal.SIGTERM)

    def kill(self, name):
        self.mark("kill", worker=name)
        self.workers[name].signal(signal.SIGKILL)
        self.workers[name].process.wait()

    def freeze(self, name):
        self.mark("freeze", worker=name)
        self.workers[name].signal(signal.SIGSTOP)
        self.workers[name].frozen = True

    def thaw(self, name):
        self.mark("thaw", worker=name)
        self.workers[name].signal(signal.SIGCONT)
        self.workers[name].frozen = False

    def ask(self, worker, method, path, body=None, seconds=30):
        """One REST call to one worker: status and body, or what went wrong instead of an answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.workers[worker].url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            trust = ssl.create_default_context(cafile=self.secrets.at / "ca.pem") if self.https else None
            with urllib.request.urlopen(request, timeout=seconds, context=trust) as answer:
                return {"status": answer.status, "body": decoded(answer.read())}
        except urllib.error.HTTPError as error:
            return {"status": error.code, "body": decoded(error.read())}
        except (OSError, ValueError) as error:  # refused, reset, timed out, no HTTP
            return {"status": None, "error": str(getattr(error, "reason", error))}

    def rest(self, worker, method, path, body=None, seconds=30):
        """One REST call to one worker, tried again until it succeeds (409 and 500: rebalancing)."""
        end = time.time() + seconds
        while True:
            answer = self.ask(worker, method, path, body, seconds)
            if answer["status"] and answer["status"] < 300:
                return answer["body"]
            if time.time() > end:
                raise RuntimeError(f"{method} {path} of {worker}: {answer}")
            time.sleep(0.1)


def decoded(data):
    """The body of an answer: JSON, else text, else nothing."""
    try:
        return json.loads(data) if data else None
    except ValueError:
        return data.decode(errors="replace")


def last_words(log):
    """The end of a log from its last error on, without the stack."""
    lines = log.read_text(errors="replace").splitlines()
    place = max((place for place, line in enumerate(lines) if " ERROR " in line), default=max(0, len(lines) - 10))
    return "\n".join([line for line in lines[place:] if not line.startswith("\tat ")][:10])
