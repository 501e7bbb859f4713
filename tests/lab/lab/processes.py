"""Brokers and Connect workers as child processes that never outlive this one."""

import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent.parent
BUILD = HERE.parent.parent / ".build"
LOG_FORMAT = [
    "-Duser.timezone=UTC",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSS",
    "-Dorg.slf4j.simpleLogger.showThreadName=false",
]
SMALL = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xlog:disable"]
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>lab</groupId><artifactId>lab</artifactId><version>1</version><dependencies>%s</dependencies></project>
"""
ARTIFACTS = ["kafka_2.13", "connect-runtime", "connect-json"]


def class_path(version):
    """The jars of one Kafka version, fetched once, with the connector of this laboratory at the end."""
    home = BUILD / f"kafka-{version}"
    jar = home / "lab-source.jar"
    source = HERE / "connector/src/lab/LabSource.java"
    if not (home / "complete").exists():
        home.mkdir(parents=True, exist_ok=True)
        wanted = [("org.apache.kafka", name, version) for name in ARTIFACTS] + [("org.slf4j", "slf4j-simple", "1.7.36")]
        one = "<dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency>"
        (home / "pom.xml").write_text(POM % "".join(one % each for each in wanted))
        command = ["mvn", "-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=libs", "-DincludeScope=runtime"]
        subprocess.run(command, cwd=home, check=True, stdin=subprocess.DEVNULL)
        for other in home.glob("libs/slf4j-*4j-*.jar"):  # a second binding beside slf4j-simple
            other.unlink()
        (home / "complete").touch()
    jars = sorted(str(path) for path in home.glob("libs/*.jar"))
    if not jar.exists() or jar.stat().st_mtime < source.stat().st_mtime:
        classes = home / "classes"
        shutil.rmtree(classes, ignore_errors=True)
        services = classes / "META-INF/services"
        services.mkdir(parents=True)
        (services / "org.apache.kafka.connect.source.SourceConnector").write_text("lab.LabSource\n")
        subprocess.run(["javac", "--release", "11", "-cp", ":".join(jars), "-d", classes, source], check=True)
        subprocess.run(["jar", "cf", jar, "-C", classes, "."], check=True)
        for archive in home.glob("*.jsa"):
            archive.unlink()
    return ":".join(jars + [str(jar)])


def free_ports(count):
    """Ports of the loopback interface that nobody listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def die_with_parent():
    """Runs in the child: the kernel kills it when this process ends, however that comes about."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    os.setpgid(0, 0)  # Ctrl-C is for the recorder, which stops its children itself


class Jvm:
    """One Java process with its log file, which later processes of the same name append to."""

    def __init__(self, name, directory, version, main, settings, archive, options=()):
        self.name, self.version, self.main = name, version, main
        self.directory, self.settings, self.options = directory, settings, list(options)
        self.archive = archive
        self.log = directory / f"{name}.log"
        self.process = None

    def command(self, main, arguments, archive=None):
        home = BUILD / f"kafka-{self.version}"
        cds = []
        if archive and (home / archive).exists():
            cds = [f"-XX:SharedArchiveFile={home / archive}"]
        elif archive:
            cds = [f"-XX:ArchiveClassesAtExit={home / archive}"]
        return ["java", *SMALL, *cds, *LOG_FORMAT, *self.options, "-cp", class_path(self.version), main, *arguments]

    def write_settings(self):
        path = self.directory / f"{self.name}.properties"
        path.write_text("".join(f"{key}={value}\n" for key, value in self.settings.items()))
        return str(path)

    def start(self):
        command = self.command(self.main, [self.write_settings()], self.archive)
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.directory, preexec_fn=die_with_parent
            )

    def signal(self, number):
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)

    def wait_exit(self, seconds=60):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            # A Connect worker may hang in its shutdown hook for ever (Jetty's stop).
            self.signal(signal.SIGKILL)
            self.process.wait()
            raise


class Cluster:
    """A broker and its Connect workers in a directory of their own; a context manager."""

    def __init__(self, broker="4.4.0", broker_settings=None):
        BUILD.mkdir(exist_ok=True)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="lab-", dir=BUILD))
        # Waits for the end of this process, even a violent one, and removes the directory.
        read, self.alive = os.pipe()
        self.sweeper = subprocess.Popen(
            ["sh", "-c", 'cat; sleep 1; rm -rf "$0"', str(self.directory)], stdin=read, start_new_session=True, close_fds=True
        )
        os.close(read)
        port, controller = free_ports(2)
        self.bootstrap = f"127.0.0.1:{port}"
        settings = {
            "process.roles": "broker,controller",
            "node.id": 1,
            "controller.quorum.voters": f"1@127.0.0.1:{controller}",
            "listeners": f"PLAINTEXT://{self.bootstrap},CONTROLLER://127.0.0.1:{controller}",
            "advertised.listeners": f"PLAINTEXT://{self.bootstrap}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": self.directory / "data",
            "offsets.topic.num.partitions": 1,
            "offsets.topic.replication.factor": 1,
            "transaction.state.log.num.partitions": 1,
            "transaction.state.log.replication.factor": 1,
            "transaction.state.log.min.isr": 1,
            "group.initial.rebalance.delay.ms": 8000,
            "log.cleaner.dedupe.buffer.size": 4000000,
            **(broker_settings or {}),
        }
        if broker.startswith("4."):
            settings["share.coordinator.state.topic.replication.factor"] = 1
            settings["share.coordinator.state.topic.min.isr"] = 1
        options = ["-Dorg.slf4j.simpleLogger.log.kafka.request.logger=debug"]
        self.broker = Jvm("broker", self.directory, broker, "kafka.Kafka", settings, "broker.jsa", options)
        self.ports = sorted(free_ports(12))  # member ids, which begin with the port, sort as the workers' names do
        self.workers = {}
        self.marks = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        everything = [*self.workers.values(), self.broker]
        archiving = [each for each in everything if not (BUILD / f"kafka-{each.version}" / each.archive).exists()]
        for each in everything:
            each.signal(signal.SIGCONT)
            each.signal(signal.SIGTERM if each in archiving else signal.SIGKILL)
        for each in everything:
            if each.process:
                try:
                    each.process.wait(30)
                except subprocess.TimeoutExpired:
                    each.signal(signal.SIGKILL)
                    each.process.wait()
        os.close(self.alive)
        self.sweeper.wait()

    def start_broker(self):
        """Formats the storage and starts the broker."""
        path = self.broker.write_settings()
        format_it = self.broker.command(
            "kafka.tools.StorageTool", ["format", "-t", "AAAAAAAAAAAAAAAAAAAAAQ", "-c", path], "format.jsa"
        )
        subprocess.run(format_it, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.broker.start()
        self.wait_port(int(self.bootstrap.rsplit(":", 1)[1]), self.broker)

    def wait_port(self, port, jvm, seconds=90):
        end = time.time() + seconds
        while time.time() < end:
            if jvm.process.poll() is not None:
                raise RuntimeError(f"{jvm.name} ended while starting:\n{jvm.log.read_text()[-3000:]}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"{jvm.name} did not open port {port} within {seconds} s")

    def add_worker(self, name, kafka="4.4.0", settings=None):
        """Describes a worker; `start` starts it."""
        port = self.ports.pop(0)
        all_settings = {
            "bootstrap.servers": self.bootstrap,
            "group.id": "connect",
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
            "listeners": f"http://127.0.0.1:{port}",
            "rest.advertised.host.name": "127.0.0.1",
            "rest.advertised.port": port,
            **(settings or {}),
        }
        if kafka.startswith("4.") or kafka >= "3.6":
            all_settings["plugin.discovery"] = "service_load"
        assignor = "org.apache.kafka.connect.runtime.distributed.IncrementalCooperativeAssignor"
        options = [f"-Dorg.slf4j.simpleLogger.log.{assignor}=debug"]
        worker = Jvm(
            name, self.directory, kafka, "org.apache.kafka.connect.cli.ConnectDistributed", all_settings, "worker.jsa", options
        )
        worker.port = port
        self.workers[name] = worker
        return worker

    def mark(self, kind, **what):
        """Notes an act of the experiment with its time."""
        self.marks.append({"t": time.time() * 1000, "kind": kind, **what})

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

    def thaw(self, name):
        self.mark("thaw", worker=name)
        self.workers[name].signal(signal.SIGCONT)

    def rest(self, worker, method, path, body=None, seconds=30):
        """One REST call to one worker; 409 and 500 (rebalancing) are tried again."""
        url = f"http://127.0.0.1:{self.workers[worker].port}{path}"
        data = None if body is None else json.dumps(body).encode()
        end = time.time() + seconds
        while True:
            request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
            try:
                with urllib.request.urlopen(request, timeout=seconds) as answer:
                    text = answer.read()
                    return json.loads(text) if text else None
            except (urllib.error.URLError, ConnectionError) as error:
                if time.time() > end:
                    raise RuntimeError(f"{method} {url}: {error}") from error
                time.sleep(0.1)
