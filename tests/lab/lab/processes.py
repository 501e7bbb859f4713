"""Java processes that never outlive this one."""

import concurrent.futures
import ctypes
import os
import queue
import random
import signal
import socket
import subprocess
import threading

from .jars import class_path, home

LOG_FORMAT = [
    "-Duser.timezone=UTC",
    "-Dorg.slf4j.simpleLogger.showDateTime=true",
    "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSS",
    "-Dorg.slf4j.simpleLogger.showThreadName=false",
]
SMALL = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xlog:disable"]
# What outlives us is ended by its id, then the directory goes. Processes may still write for a moment.
SWEEP = """cat
for each in "$0"/*.pid; do [ -e "$each" ] && kill -9 "$(cat "$each")" 2>/dev/null; done
tries=0
while [ -e "$0" ] && [ $tries -lt 100 ]; do rm -rf "$0" 2>/dev/null; tries=$((tries + 1)); sleep 0.1; done
"""
LIBC = ctypes.CDLL(None)
LAUNCHES = queue.Queue()


def free_ports(count):
    """Ports of the loopback interface that nobody listens on, in ascending order.

    They lie below those that the kernel gives to outgoing connections, one of which could otherwise hold a worker's port
    while the worker is down.
    """
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as limits:
            top = int(limits.read().split()[0])
    except OSError:
        top = 32768
    top = top if top > 12000 else 65536
    found = []
    while len(found) < count:
        port = random.randrange(10000, top)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in found:
            found.append(port)
    return sorted(found)


def spawn(command, **how):
    """Starts a process that the kernel kills when this one ends, however that comes about.

    The kernel takes the end of the starting thread for the end of the parent: only the main thread starts processes.
    """
    if threading.current_thread() is threading.main_thread():
        parent = os.getpid()
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=lambda: die_with(parent), **how)
    promise = concurrent.futures.Future()
    LAUNCHES.put((promise, command, how))
    return promise.result()


def launch(seconds):
    """In the main thread: starts what other threads ask for within this time."""
    try:
        promise, command, how = LAUNCHES.get(timeout=seconds)
    except queue.Empty:
        return
    try:
        promise.set_result(spawn(command, **how))
    except OSError as error:
        promise.set_exception(error)


def die_with(parent):
    """Runs in the child."""
    os.setpgid(0, 0)  # Ctrl-C is for the parent, which stops its children itself
    if hasattr(LIBC, "prctl"):
        LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)


class Directory:
    """A directory that is gone soon after this process is, with the processes whose ids stand in it."""

    def __init__(self, path):
        self.path = path
        read, self.alive = os.pipe()
        self.sweeper = subprocess.Popen(["sh", "-c", SWEEP, str(path)], stdin=read, stdout=subprocess.DEVNULL, start_new_session=True, close_fds=True)
        os.close(read)

    def remove(self):
        os.close(self.alive)
        self.sweeper.wait()


class Jvm:
    """One Java process with its log file, which later processes of the same name append to."""

    def __init__(self, name, directory, version, main, settings, archive, options=()):
        self.name, self.version, self.main = name, version, main
        self.directory, self.settings, self.options = directory, settings, list(options)
        self.archive = archive
        self.log = directory / f"{name}.log"
        self.pid_file = directory / f"{name}.pid"
        self.process = None
        self.frozen = False

    def command(self, main, arguments):
        archive = home(self.version) / self.archive
        cds = f"-XX:SharedArchiveFile={archive}" if archive.exists() else "-XX:+RecordDynamicDumpInfo"
        return ["java", *SMALL, cds, *LOG_FORMAT, *self.options, "-cp", class_path(self.version), main, *arguments]

    def write_settings(self):
        path = self.directory / f"{self.name}.properties"
        path.write_text("".join(f"{key}={value}\n" for key, value in self.settings.items()))
        return str(path)

    def start(self):
        command = self.command(self.main, [self.write_settings()])
        with open(self.log, "ab") as log:
            self.process = spawn(command, stdout=log, stderr=log, cwd=self.directory)
        self.frozen = False
        self.pid_file.write_text(str(self.process.pid))

    def runs(self):
        """Whether the process is there."""
        if self.process is None or self.process.poll() is not None:
            self.pid_file.unlink(missing_ok=True)  # the id may become another's
            return False
        return True

    def signal(self, number):
        if self.runs():
            self.process.send_signal(number)

    def wait_exit(self, seconds=60):
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            # A Connect worker may hang in its shutdown hook for ever (Jetty's stop).
            self.signal(signal.SIGKILL)
            self.process.wait()
            raise

    def lacks_class_data(self):
        return self.runs() and not (home(self.version) / self.archive).exists()

    def keep_class_data(self):
        """Writes the classes it has loaded to an archive from which later processes start in a third of the time.

        The process stands still for some seconds. Without `jcmd`, or with a JDK that cannot, later starts are slow too.
        """
        archive = home(self.version) / self.archive
        new = self.directory / f"{self.archive}.new"
        try:
            subprocess.run(
                ["jcmd", str(self.process.pid), "VM.cds", "dynamic_dump", str(new)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60,
            )
        except (OSError, subprocess.TimeoutExpired):
            return
        if new.exists():
            new.replace(archive)
