"""Starts a real Kafka Connect cluster on this machine and keeps it until it is told to end.

It ends with Ctrl-C, with `quit` or the end of its input, and with its process, however that ends; nothing of it stays.
Needed: Linux, Python 3.9, a JDK (17 for Kafka 4) and Maven, which fetches Kafka's jars once.
"""

import argparse
import json
import os
import re
import shutil
import signal
import sys
import threading
import time

from . import commands, jars, processes
from .feed import Feed
from .remote import Server
from .running import DELAY, Options, Refused, Running


def main():
    options = arguments()
    signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # in the background reading fails instead of stopping us
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, ended)
    front = Control() if options.control else Terminal()
    wanted = Options(
        workers=options.workers,
        kafka=options.kafka,
        broker=options.broker,
        protocol=options.protocol,
        settings={**dict(options.setting), **({DELAY: options.delay} if options.delay is not None else {})},
        broker_settings=dict(options.broker_setting),
        connectors=dict(options.connector) if options.connector else {"alpha": 8, "beta": 4},
        sinks=dict(options.sink),
        leader=options.leader,
        requests=options.requests or options.control,
        secure=options.secure,
        https=options.https,
    )
    threading.Thread(target=front.read, daemon=True).start()
    try:
        with Running(wanted, front.came_up) as running:
            try:
                serve(running, front)
            finally:
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                    signal.signal(number, signal.SIG_IGN)  # the rest is short, and must be whole
                front.ends()
                if options.keep_logs:
                    os.makedirs(options.keep_logs, exist_ok=True)
                    for log in running.cluster.directory.glob("*.log"):
                        shutil.copy(log, options.keep_logs)
    except Ended:
        return 0
    except (jars.Missing, Refused, RuntimeError) as error:
        front.failed(str(error))
        return 1
    return 0


def serve(running, front):
    """Carries out what is asked until the end."""
    with Server(running.cluster.directory, lambda line: front.other(running, line)):
        front.is_ready(running)
        feed = Feed(running, front.happened)
        threading.Thread(target=feed.run, daemon=True).start()
        while True:
            processes.launch(0.1)


class Ended(BaseException):
    """The end was asked for."""


def ended(*_):
    raise Ended


def end():
    """Ends from any thread: the main thread takes the signal."""
    os.kill(os.getpid(), signal.SIGTERM)


class Front:
    """What reads commands and shows answers and events."""

    def __init__(self):
        self.running, self.lock, self.began, self.over = None, threading.Lock(), time.time(), False

    def write(self, text):
        with self.lock:
            try:
                print(text, flush=True)
            except BrokenPipeError:
                end()

    def read(self):
        """Takes lines until there are no more; each is carried out in a thread of its own, so that one that waits can be
        helped by another."""
        try:
            for line in sys.stdin:
                if line.strip():
                    if line.strip() in ("q", "quit", "exit"):
                        break
                    threading.Thread(target=self.take, args=(line.strip(),), daemon=True).start()
        except OSError:  # a terminal that is not ours
            return
        end()

    def ends(self):
        """The end begins: what ends now, ends as it should."""
        self.over = True

    def other(self, running, line):
        """A line from another terminal: whether it was carried out, and the answer."""
        if line in ("q", "quit", "exit"):
            end()
            return True, "the cluster ends"
        try:
            return True, commands.in_words(running, line)
        except (Refused, RuntimeError) as error:
            return False, str(error)


class Terminal(Front):
    """For people."""

    def came_up(self, what, text):
        self.write(f"{time.time() - self.began:6.1f} s  {what}: {text}")

    def is_ready(self, running):
        self.running = running
        about, status = running.about(), running.status()
        rows = [("worker", "REST", "process", "tasks")]
        rows += [(each["name"], each["url"], str(each["pid"]), str(each["running_tasks"])) for each in status["workers"]]
        rows.append(("Kafka", about["bootstrap"], str(about["broker_pid"]), ""))
        self.write(f"{time.time() - self.began:6.1f} s  settled: {status['tasks']} tasks run, {status['leader']} leads\n")
        self.write(f"{commands.table(rows)}\n\n{commands.next_steps(about)}\n\nquit, Ctrl-C or the end of this process end the cluster; its files go with it.\n")

    def take(self, line):
        if not self.running:
            self.write("the cluster is not there yet")
            return
        self.write(self.other(self.running, line)[1])

    def happened(self, event):
        if not self.over:
            self.write(f"{time.strftime('%H:%M:%S')}  {event['text']}")

    def ends(self):
        super().ends()
        self.write("\nending all processes")

    def failed(self, text):
        print(f"tests/lab/up: {text}", file=sys.stderr)


class Control(Front):
    """For programs: a line of JSON for each command, answer and event."""

    def came_up(self, what, text):
        self.event("up", what=what, text=text, seconds=round(time.time() - self.began, 1))

    def event(self, name, **about):
        self.write(json.dumps({"event": name, "at_ms": round(time.time() * 1000), **about}))

    def is_ready(self, running):
        self.running = running
        self.event("ready", seconds=round(time.time() - self.began, 1), **running.about())

    def take(self, line):
        asked, answer = {}, {}
        try:
            asked = json.loads(line)
            arguments = {key: value for key, value in asked.items() if key not in ("do", "id")}
            if not self.running:
                raise Refused("the cluster is not there yet")
            if asked.get("do") == "quit":
                end()
                return
            answer = {"ok": True, **commands.carry_out(self.running, asked.get("do"), arguments)}
        except (Refused, RuntimeError, ValueError, TypeError, AttributeError) as error:
            answer = {"ok": False, "error": str(error)}
        about = {key: asked[key] for key in ("id", "do") if isinstance(asked, dict) and key in asked}
        self.write(json.dumps({**about, **answer}))

    def happened(self, event):
        if event["what"] == "exited" and not self.over:
            self.event("exited", worker=event["worker"], code=event["code"])

    def failed(self, text):
        self.event("failed", error=text)


def arguments():
    parser = argparse.ArgumentParser(prog="tests/lab/up", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="Commands while it runs: `help` lists them; from another terminal: tests/lab/do COMMAND.")
    parser.add_argument("--workers", type=count, default=3, metavar="N", help="how many workers (3)")
    parser.add_argument("--kafka", default=jars.NEWEST, metavar="VERSION", help=f"version of the workers ({jars.NEWEST})")
    parser.add_argument("--broker", metavar="VERSION", help=f"version of the broker (the workers' from 3.9 on, else {jars.NEWEST})")
    parser.add_argument("--delay", type=duration, metavar="TIME", help=f"{DELAY}, such as 30s, 5m, 0 (Kafka's default, 5m)")
    parser.add_argument("--setting", type=pair, action="append", default=[], metavar="KEY=VALUE", help="a setting of every worker")
    parser.add_argument("--broker-setting", type=pair, action="append", default=[], metavar="KEY=VALUE", help="a setting of the broker")
    parser.add_argument("--protocol", choices=["sessioned", "compatible", "eager"], default="sessioned", help="connect.protocol (sessioned)")
    parser.add_argument("--connector", type=tasks, action="append", default=[], metavar="NAME=TASKS", help="a source (alpha=8 and beta=4)")
    parser.add_argument("--sink", type=sink, action="append", default=[], metavar="NAME=TASKS/PARTITIONS", help="a sink on a topic of its own")
    parser.add_argument("--leader", metavar="WORKER", help="start this one first, so that it leads")
    parser.add_argument("--secure", action="store_true", help="Kafka also over SASL, TLS, both, and client certificates; `about` says where and with what")
    parser.add_argument("--https", action="store_true", help="REST over https")
    parser.add_argument("--requests", action="store_true", help="let the broker log each request: members in the group's order, 100 MB an hour")
    parser.add_argument("--control", action="store_true", help="for programs: commands and answers as lines of JSON")
    parser.add_argument("--keep-logs", metavar="DIR", help="copy the logs there at the end")
    return parser.parse_args()


def count(text):
    if not text.isdigit() or not 1 <= int(text) <= 50:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of workers from 1 to 50")
    return int(text)


def duration(text):
    """Milliseconds."""
    found = re.fullmatch(r"(\d+)(ms|s|m|min|)", text)
    if not found or not found[2] and found[1] != "0":
        raise argparse.ArgumentTypeError(f"'{text}' is no time such as 30s, 5m, 500ms or 0")
    return int(found[1]) * {"ms": 1, "s": 1000, "m": 60000, "min": 60000, "": 1}[found[2]]


def pair(text):
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError(f"'{text}' is no KEY=VALUE")
    return key, value


def tasks(text):
    name, value = pair(text)
    if not value.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is no NAME=TASKS")
    return name, int(value)


def sink(text):
    name, value = pair(text)
    found = re.fullmatch(r"(\d+)(?:/(\d+))?", value)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is no NAME=TASKS or NAME=TASKS/PARTITIONS")
    return name, (int(found[1]), int(found[2] or 2 * int(found[1])))


if __name__ == "__main__":
    sys.exit(main())
