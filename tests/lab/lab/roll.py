"""Rolls real clusters by the procedures of today, and says what that costs their tasks.

Each roll has a cluster of its own, in which the same worker leads at the beginning (with several runs, each in turn).
A restart is SIGTERM, the wait for the exit, and the start at once.
"""

import argparse
import dataclasses
import json
import statistics
import sys
import time

from . import commands, jars
from .running import DELAY, Options, Refused, Running
from .up import count, duration

GIVE_UP = 1800


@dataclasses.dataclass
class Procedure:
    """How to choose the next worker, and what to wait for after its restart."""

    about: str
    wait: object
    pick: object = lambda running, to_do: to_do[0]
    together: bool = False


def rest_200(running, name):
    """cp-ansible: a wait of 30 s, then GET /connectors every 10 s."""
    time.sleep(30)
    until(lambda: running.rest(name, "GET", "/connectors", seconds=5)["status"] == 200, 10)


def health(running, name):
    """Strimzi's readiness probe, each second."""
    until(lambda: running.rest(name, "GET", "/health", seconds=5)["status"] == 200, 1)


def all_running(running, name):
    """The usual script: the status of everything, until all that is configured is RUNNING once."""

    def good():
        answer = running.rest(name, "GET", "/connectors?expand=status", seconds=5)
        if answer["status"] != 200:
            return False
        states = [each["connector"]["state"] for each in answer["body"].values()]
        tasks = [task["state"] for each in answer["body"].values() for task in each["tasks"]]
        wanted = running.options.connectors
        return len(states) == len(wanted) and len(tasks) == sum(wanted.values()) and set(states + tasks) == {"RUNNING"}

    until(good, 1)


def leader_last(running, to_do):
    """Whoever leads comes last."""
    leader = running.status()["leader"]
    return next((name for name in to_do if name != leader), to_do[0])


ALL = {
    "rest-200": Procedure("30 s, then GET /connectors of the restarted worker every 10 s until 200", rest_200),
    "health": Procedure("GET /health of the restarted worker every second until 200", health),
    "running": Procedure("the status of everything, asked of the restarted worker every second, until all is RUNNING", all_running),
    "settled": Procedure("until no delay runs, every task runs and nothing moves", lambda running, name: running.await_settled(GIVE_UP, 0.5)),
    "leader-last": Procedure("until the worker is a member again; whoever leads comes last", lambda running, name: running.await_member(name), leader_last),
    "at-once": Procedure("all workers together", lambda running, name: running.await_member(name), together=True),
}


def until(condition, every):
    end = time.time() + GIVE_UP
    while not condition():
        if time.time() > end:
            raise Refused(f"the procedure does not end within {GIVE_UP} s")
        time.sleep(every)


def roll(name, options, say):
    """One roll of one new cluster: its row."""
    procedure = ALL[name]
    with Running(options) as running:
        running.await_settled(60)
        say(f"{name}: {options.workers} workers run, {running.status()['leader']} leads")
        began, to_do, order = time.time() * 1000, list(running.names), []
        if procedure.together:
            for each in to_do:
                running.cluster.term(each)
            for each in to_do:
                running.gone(each, began, 60)
                running.start(each)
            for each in to_do:
                procedure.wait(running, each)
            order = ["all"]
        while to_do and not procedure.together:
            each = procedure.pick(running, to_do)
            to_do.remove(each)
            order.append(each + ("*" if running.status()["leader"] == each else ""))
            running.restart(each)
            procedure.wait(running, each)
            say(f"{name}: {each} is done after {time.time() - began / 1000:.0f} s")
        rolled = time.time() * 1000
        running.await_settled(GIVE_UP, 5)
        found = running.figures(began)
        return {
            "procedure": name,
            "order": " ".join(order),
            "tasks": found["tasks"],
            "task_seconds": found["task_seconds"],
            "at_once": found["at_once"],
            "longest_s": found["longest_s"],
            "rolled_s": round((rolled - began) / 1000, 1),
            "all_run_s": found["duration_s"],
            "rounds": found["rounds"],
            "starts": found["starts"],
            "restart_s": restart_time(running, began),
        }


def restart_time(running, began):
    """The median time from the start of a process to its first round."""
    times = []
    for mark in running.cluster.marks:
        if mark["kind"] == "start" and mark["t"] >= began:
            joined = next((each["t"] for each in running.observer.joined(mark["worker"]) if each["t"] >= mark["t"]), None)
            times += [joined - mark["t"]] if joined else []
    return round(statistics.median(times) / 1000, 1) if times else None


def headline(options):
    """What was rolled, when."""
    kafka, broker = options.versions()
    delay = f"{int(options.settings[DELAY]) / 1000:g} s" if DELAY in options.settings else "300 s (the default)"
    on = kafka if kafka == broker else f"{kafka} (broker {broker})"
    return f"{time.strftime('%Y-%m-%d')}, Kafka {on}, {options.workers} workers, {sum(options.connectors.values())} tasks, delay {delay}"


def shown(rows):
    """The rows as cells."""
    yield ("procedure", "order", "task-seconds", "at once", "≥ 5 s", "longest", "roll", "all run")
    for row in rows:
        if "error" in row:
            yield (row["procedure"], row["error"], "", "", "", "", "", "")
            continue
        again = "never" if row["all_run_s"] is None else f"{row['all_run_s']} s"
        yield (row["procedure"], row["order"], f"{row['task_seconds']:.0f}", str(row["at_once"]["peak"]), str(row["at_once"]["held_5s"]),
               f"{row['longest_s']} s", f"{row['rolled_s']} s", again)


def main():
    parser = argparse.ArgumentParser(prog="tests/lab/roll", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n".join(["procedures:", *(f"  {name:12} {each.about}" for name, each in ALL.items())]))
    parser.add_argument("--by", action="append", choices=ALL, metavar="NAME", help="a procedure (all of them, one after the other)")
    parser.add_argument("--short", action="store_true", help="3 workers, 12 tasks, a delay of 30 s instead of 5 workers, 30 tasks, the default delay")
    parser.add_argument("--workers", type=count, metavar="N", help="how many workers")
    parser.add_argument("--delay", type=duration, metavar="TIME", help=f"{DELAY}, such as 30s")
    parser.add_argument("--kafka", default=jars.NEWEST, metavar="VERSION", help=f"version of the workers ({jars.NEWEST})")
    parser.add_argument("--broker", metavar="VERSION", help="version of the broker")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="rolls of each procedure (1)")
    parser.add_argument("-o", choices=["text", "md", "json"], default="text", help="how to print the rows")
    options = parser.parse_args()
    rows = []
    delay = options.delay if options.delay is not None else 30000 if options.short else None
    workers = options.workers or (3 if options.short else 5)
    # Whoever starts anew after all have ended meets the broker's own default.
    settings = {"group.initial.rebalance.delay.ms": 3000}
    wanted = Options(workers=workers, kafka=options.kafka, broker=options.broker, settings={} if delay is None else {DELAY: delay},
                     connectors={"alpha": 8, "beta": 4} if options.short else {"alpha": 20, "beta": 10}, broker_settings=settings)
    for name in options.by or ALL:
        for place in range(options.runs):
            try:
                rows.append(roll(name, dataclasses.replace(wanted, leader=f"w{place % workers + 1}"), lambda text: print(text, file=sys.stderr, flush=True)))
            except (Refused, RuntimeError) as error:
                rows.append({"procedure": name, "error": str(error)})
            except jars.Missing as error:
                print(f"tests/lab/roll: {error}", file=sys.stderr)
                return 1
            except KeyboardInterrupt:
                return 130
    if options.o == "json":
        print(json.dumps({"about": headline(wanted), "rows": rows}, indent=1))
    elif options.o == "md":
        cells = list(shown(rows))
        print(f"{headline(wanted)}; * led when it was stopped\n")
        print("\n".join(f"| {' | '.join(row)} |" for row in [cells[0], ["---"] * len(cells[0]), *cells[1:]]))
    else:
        print(f"{headline(wanted)}; * led when it was stopped\n\n{commands.table(list(shown(rows)))}")
    return 1 if any("error" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
