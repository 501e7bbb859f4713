"""What happens in a running cluster, said as it happens."""

import time

from .running import Refused

ACTS = {"term": "is told to stop", "start": "is started", "kill": "is killed", "freeze": "stands still", "thaw": "goes on"}


class Feed:
    """Tells of processes that end unasked, members that come and go, rounds, and tasks that run again."""

    def __init__(self, running, tell):
        self.running, self.tell = running, tell
        running.observer.read()
        self.acts, self.rounds = len(running.observer.broker.acts()), len(running.observer.rounds())
        self.disturbed = None
        self.asked = len(running.cluster.marks)

    def run(self):
        while True:
            time.sleep(0.2)
            try:
                self.look()
            except Refused:  # nothing runs: what there is to say has been said
                continue

    def look(self):
        running, observer = self.running, self.running.observer
        running.note_ends()
        marks = list(running.cluster.marks)
        for place in range(self.asked, len(marks)):
            mark = marks[place]
            if mark["kind"] in ("term", "kill", "freeze", "exited", "start") and self.disturbed is None:
                self.disturbed = mark["t"]
            if mark["kind"] in ACTS:
                self.say(mark["kind"], f"{mark['worker']} {ACTS[mark['kind']]}", worker=mark["worker"])
            if mark["kind"] == "exited" and not wanted(marks[:place], mark["worker"]):
                self.say("exited", f"{mark['worker']} has ended by itself, with code {mark['code']}", worker=mark["worker"], code=mark["code"])
        self.asked = len(marks)
        observer.read()
        self.group(observer)
        self.round(observer)
        if self.disturbed is not None and not running.unsettled(1):
            cost = observer.course().figures(self.disturbed, time.time() * 1000)
            self.say("settled", f"settled: all {cost['tasks']} tasks run; {cost['task_seconds']} task-seconds without an owner since "
                     + time.strftime("%H:%M:%S", time.localtime(self.disturbed / 1000)))
            self.disturbed = None

    def group(self, observer):
        """Members that come and go."""
        acts = observer.group()
        texts = {"join": "joins", "leave": "has left the group", "expire": "is out of the group: its session ended"}
        for act in acts[self.acts :]:
            if act["kind"] in texts and "worker" in act:
                self.say(act["kind"], f"{act['worker']} {texts[act['kind']]}", worker=act["worker"])
        self.acts = len(acts)

    def round(self, observer):
        """Rounds, as soon as every worker has its part of them."""
        rounds = observer.rounds()
        for one in rounds[self.rounds :]:
            if len(one["synced"]) < len(self.running.alive()) and time.time() * 1000 - one["t"] < 3000:
                return
            self.rounds += 1
            text = f"generation {one['generation']}" + (f", led by {one['leader']}" if one["leader"] else "; nobody got its assignment")
            owned = sum(len(items) for items in one["owns"].values())
            if one["delay"]:
                text += f": lost tasks wait for {one['delay'] / 1000:.1f} s"
            elif one["revoked"]:
                text += f": {sum(len(items) for items in one['revoked'].values())} connectors and tasks are handed over"
            else:
                text += f": {owned} connectors and tasks have an owner"
            self.say("round", text)

    def say(self, what, text, **about):
        self.tell({"what": what, "text": text, **about})


def wanted(marks, worker):
    """Whether the last thing that was done to a process was to end it."""
    last = next((mark["kind"] for mark in reversed(marks) if mark.get("worker") == worker), None)
    return last in ("term", "kill")
