"""What can be asked of a running cluster: in words on a terminal, or as JSON."""

import json
import time

from .running import Refused


class Command:
    """A command: its words, its meaning, what it does, and its answer in words."""

    def __init__(self, name, words, meaning, act, say, optional=()):
        self.name, self.words, self.meaning, self.act, self.say = name, words, meaning, act, say
        self.optional = set(optional)


ALL = {}


def command(name, words, meaning, say=None, optional=()):
    """Registers a function of a running cluster and named arguments."""

    def register(act):
        ALL[name] = Command(name, words.split(), meaning, act, say or (lambda answer, **_: json.dumps(answer)), optional)
        return act

    return register


def carry_out(running, name, arguments):
    """The answer to one command. Raises `Refused`."""
    one = ALL.get(name)
    if not one:
        raise Refused(f"there is no command '{name}': {', '.join(ALL)}")
    lacking = [word for word in one.words if word not in arguments and word not in one.optional]
    if lacking:
        raise Refused(f"{name} needs {' and '.join(word.upper() for word in lacking)}")
    unknown = sorted(set(arguments) - set(one.words) - one.optional)
    if unknown:
        raise Refused(f"{name} knows no {', '.join(unknown)}")
    return one.act(running, **arguments)


def in_words(running, line):
    """The answer to a line that a person typed, as text. Raises `Refused`."""
    name, *words = line.split()
    name = {"q": "quit", "exit": "quit", "?": "help"}.get(name, name)
    one = ALL.get(name)
    if one and len(words) > len(one.words):
        # The last argument may hold blanks.
        words = [*words[: len(one.words) - 1], " ".join(words[len(one.words) - 1 :])] if one.words else words
        if not one.words:
            raise Refused(f"{name} takes nothing more")
    arguments = dict(zip(one.words, words)) if one else {}
    return one.say(carry_out(running, name, arguments), **arguments) if one else carry_out(running, name, arguments)


# --- acts ---------------------------------------------------------------------------------


def seconds(ms):
    return f"{ms / 1000:.1f} s"


def number(text, what):
    try:
        return float(text)
    except (TypeError, ValueError):
        raise Refused(f"{what} is a number, not '{text}'") from None


@command("stop", "worker", "SIGTERM, as a service manager does, and wait for the end (broker too)", optional=["seconds"],
         say=lambda answer, worker: f"{worker} has ended after {seconds(answer['took_ms'])}")
def _(running, worker, seconds=60):
    return running.stop(worker, number(seconds, "seconds"))


@command("start", "worker", "start it again", say=lambda answer, worker: f"{worker} is started: process {answer['pid']}")
def _(running, worker):
    return running.start(worker)


@command("restart", "worker down", "stop, wait for DOWN seconds (0), start", optional=["down"],
         say=lambda answer, worker, down=0: f"{worker} has ended after {seconds(answer['took_ms'])} and is started: process {answer['pid']}")
def _(running, worker, down=0):
    return running.restart(worker, number(down, "down"))


@command("kill", "worker", "SIGKILL", say=lambda answer, worker: f"{worker} has ended, killed")
def _(running, worker):
    return running.kill(worker)


@command("freeze", "worker", "SIGSTOP: it stands still, its connections stay open", say=lambda answer, worker: "done")
def _(running, worker):
    return running.freeze(worker)


@command("thaw", "worker", "SIGCONT: it goes on", say=lambda answer, worker: "done")
def _(running, worker):
    return running.thaw(worker)


@command("create", "connector tasks", "create or change a source connector", optional=["settings"],
         say=lambda answer, connector, tasks: f"{connector} is configured with {tasks} tasks")
def _(running, connector, tasks, settings=None):
    return running.create(connector, int(number(tasks, "tasks")), settings)


@command("sink", "connector tasks partitions", "create a sink, its topic and a source that writes into that", optional=["settings"],
         say=lambda answer, connector, tasks, partitions: f"{connector} is configured with {tasks} tasks on {partitions} partitions")
def _(running, connector, tasks, partitions, settings=None):
    return running.sink(connector, int(number(tasks, "tasks")), int(number(partitions, "partitions")), settings)


@command("delete", "connector", "delete a connector", say=lambda answer, connector: f"{connector} is deleted")
def _(running, connector):
    return running.delete(connector)


@command("rest", "worker method path body", "one REST call, tried once", optional=["body", "seconds"],
         say=lambda answer, **_: json.dumps({key: answer.get(key) for key in ("status", "body", "error") if key in answer}))
def _(running, worker, method, path, body=None, seconds=30):
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError as error:
            raise Refused(f"the body is no JSON: {error}") from None
    return running.rest(worker, method.upper(), path, body, number(seconds, "seconds"))


# --- waits --------------------------------------------------------------------------------


@command("member", "worker seconds", "wait until the worker is a member of the group", optional=["seconds"],
         say=lambda answer, worker, **_: f"{worker} is a member, in generation {answer['generation']}")
def _(running, worker, seconds=90):
    return running.await_member(worker, number(seconds, "seconds"))


@command("settled", "seconds", "wait until no delay runs, every task runs once and nothing moves", optional=["seconds", "calm"],
         say=lambda answer, **_: f"settled in generation {answer['generation']}, led by {answer['leader']}")
def _(running, seconds=180, calm=3.5):
    return running.await_settled(number(seconds, "seconds"), number(calm, "calm"))


# --- questions ----------------------------------------------------------------------------


def status_in_words(answer):
    rows = [("worker", "REST", "process", "state", "running tasks")]
    for each in answer["workers"]:
        state = each["state"] + (", leads" if each["leads"] else "")
        rows.append((each["name"], each["url"], str(each["pid"] or "–"), state, str(each["running_tasks"])))
    text = table(rows)
    down = f"{len(answer['down'])} of {answer['tasks']} tasks run nowhere: {', '.join(answer['down'])}" if answer["down"] else f"all {answer['tasks']} tasks run"
    delay = f", which announced a delay of {seconds(answer['delay_ms'])}" if answer["delay_ms"] else ""
    return f"{text}\ngeneration {answer['generation']}{delay}; {down}" + ("" if answer["broker_runs"] else "\nthe broker does not run")


@command("status", "", "who runs, who leads, who owns how much", say=status_in_words)
def _(running):
    return running.status()


@command("about", "", "addresses and processes")
def _(running):
    return running.about()


@command("events", "since", "all starts and stops of tasks, rounds, acts of the group and of ours, as JSON", optional=["since"])
def _(running, since=0):
    return running.events(number(since, "since"))


def figures_in_words(answer):
    since = time.strftime("%H:%M:%S", time.localtime(answer["since_ms"] / 1000))
    once = answer["at_once"]
    text = (f"since {since}: {answer['task_seconds']} task-seconds without an owner; at once {once['peak']} of {answer['tasks']} tasks, "
            f"{once['held_5s']} for 5 s or more; the longest {answer['longest_s']} s; {answer['rounds']} rounds, {answer['starts']} task starts")
    return text + (f"; down now: {', '.join(answer['down_now'])}" if answer["down_now"] else f"; all ran again after {answer['duration_s']} s")


@command("figures", "since", "what it cost since the first stop (or since a time in ms)", say=lambda answer, **_: figures_in_words(answer), optional=["since"])
def _(running, since=None):
    return running.figures(None if since is None else number(since, "since"))


@command("next", "", "what to try with rollgate", say=lambda answer: answer["text"])
def _(running):
    return {"text": next_steps(running.about())}


@command("help", "", "this list", say=lambda answer: answer["text"])
def _(running):
    rows = [(" ".join([each.name, *(f"[{word.upper()}]" if word in each.optional else word.upper() for word in each.words)]), each.meaning) for each in ALL.values()]
    return {"text": table([*rows, ("quit", "end the cluster (also q, Ctrl-C)")])}


def next_steps(about):
    """The commands with which to go on, ready to paste."""
    connect = ",".join(each["url"] for each in about["workers"])
    second = about["workers"][min(1, len(about["workers"]) - 1)]["name"]
    return f"""What is there now, by the group's own account, and a plan for it:

  CONNECT={connect}
  KAFKA={about['bootstrap']}
  rollgate observe --connect $CONNECT --bootstrap $KAFKA
  rollgate discover --connect $CONNECT --bootstrap $KAFKA > cluster.yaml
  rollgate plan cluster.yaml

Restart a worker here (`help` lists what else there is):

  restart {second}

or from another terminal:

  tests/lab/do restart {second}"""


def table(rows):
    """Columns of text."""
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
