"""From the logs of one experiment to a replay file and to what really happened."""

import json
import pathlib

from . import figures, logs
from .figures import natural

PROTOCOLS = {"default": "eager", "compatible": "compatible", "sessioned": "sessioned"}


class Recording:
    """One experiment: its directory of logs and `experiment.json`, read and put in order."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.about = json.loads((self.directory / "experiment.json").read_text())
        self.acts, self.requests = logs.broker(self.directory / "broker.log")
        self.wire, urls = logs.rounds(self.requests)
        ports = {f"http://127.0.0.1:{each['port']}/": name for name, each in self.about["workers"].items()}
        self.worker_of = {member: ports[url] for member, url in urls.items()}
        self.logs = {name: logs.worker(self.directory / f"{name}.log") for name in self.about["workers"] if (self.directory / f"{name}.log").exists()}
        self.marks = self.about["marks"]
        self.zero = next(each["t"] for each in self.marks if each["kind"] == "zero")
        self.rounds = self.read_rounds()

    def ms(self, at):
        return round(at - self.zero)

    def read_rounds(self):
        """All completed rounds in order, with what each member holds afterwards."""
        holds, found = {}, []
        for act in self.acts:
            if act["kind"] != "stabilized":
                continue
            generation = int(act["generation"])
            over = self.wire.get(generation)
            if not over or not over["leader"]:
                continue
            eager = over["protocol"] == "default"
            one = {
                "generation": generation,
                "t": act["t"],
                "leader": self.worker_of[over["leader"]],
                "protocol": PROTOCOLS[over["protocol"]],
                "delay": max((each["delay"] for each in over["assignments"].values() if each), default=0),
                "members": [member for member, _ in over["members"]],
                "owned_before": dict(over["members"]),
                "joins": over["joins"],
                "syncs": over["syncs"],
                "assignments": over["assignments"],
                "owns": {},
                "revoked": {},
                "synced": [],
            }
            # A worker has two members when its new process joins before the old one's LeaveGroup, parked behind a pending
            # JoinGroup, is read: the new process counts.
            for member in sorted(one["members"] or over["joins"], key=lambda member: over["joins"].get(member, 0)):
                name = self.worker_of[member]
                before = {} if eager else holds.get(name, {})
                if member not in over["syncs"] or over["syncs"][member]["error"]:
                    # It never saw this round, so it holds what it held (nothing, if its process is new).
                    one["owns"][name] = before.get("owns", []) if self.same_process(name, before, over["joins"].get(member, act["t"])) else []
                    one["revoked"][name] = []
                    continue
                one["synced"].append(name)
                log = next((j for j in self.logs[name]["joined"] if j["generation"] == generation and j["t"] >= act["t"] - 5), None)
                part = over["assignments"].get(member)
                one["revoked"][name] = part["revoked"] if part else []
                one["owns"][name] = log["owns"] if log else None
                if log:
                    holds[name] = {"owns": log["owns"], "t": log["t"]}
            found.append(one)
        return found

    def same_process(self, name, before, at):
        """Whether the worker has not been started anew since it last got an assignment."""
        return bool(before) and not any(
            each["kind"] == "start" and each["worker"] == name and before["t"] < each["t"] < at for each in self.marks
        )

    def last_round(self):
        return max((each for each in self.rounds if each["t"] <= self.zero), key=lambda each: each["t"])

    def replayed(self):
        """The rounds after time 0."""
        return [each for each in self.rounds if each["t"] > self.zero]

    def events(self):
        """What happened to the group, as a replay file's events: (ms, text)."""
        found = []
        for act in self.acts:
            if act["t"] <= self.zero:
                continue
            if act["kind"] in ("leave", "expire"):
                found.append((act["t"], f'{act["kind"]}: "{act["member"]}"'))
            elif act["kind"] == "join":
                member, name = act["member"], self.worker_of[act["member"]]
                extra = self.zombie(member, name, act["t"]) + self.changed(name, act["t"])
                found.append((act["t"], f'join: "{member}", worker: {name}{extra}'))
        for mark in self.marks:
            if mark["t"] <= self.zero:
                continue
            if mark["kind"] == "freeze" and not self.expired(mark):
                found += self.late_join(mark)
            elif mark["kind"] in ("kill", "freeze"):
                found.append((mark["t"], f"kill: {mark['worker']}"))
            elif mark["kind"] == "broker down":
                found.append((mark["t"], "coordinator: away"))
                found.append((self.loaded(mark["t"]), "coordinator: back"))
            elif mark["kind"] == "config":
                seen = [r["t"] for log in self.logs.values() for r in log["records"] if r["t"] >= mark["t"] - 2 and mark["record"] in r["what"]]
                found.append((min(seen, default=mark["t"]), f"config: {{connectors: {{{mark['change']}}}}}"))
        return [(self.ms(at), text) for at, text in sorted(found, key=lambda each: each[0])]

    def loaded(self, down):
        """When the group could be reached again; the broker may load it more than once before that."""
        back = next((each["t"] for each in self.rounds if each["t"] > down), float("inf"))
        return max(act["t"] for act in self.acts if act["kind"] == "loaded" and down < act["t"] < back)

    def thaw(self, freeze):
        return next(m["t"] for m in self.marks if m["kind"] == "thaw" and m["worker"] == freeze["worker"] and m["t"] > freeze["t"])

    def expired(self, freeze):
        """Whether a frozen worker's session ended before it went on."""
        until = self.thaw(freeze)
        return any(
            a["kind"] == "expire" and self.worker_of[a["member"]] == freeze["worker"] and freeze["t"] < a["t"] < until + 500 for a in self.acts
        )

    def late_join(self, freeze):
        """The JoinGroup a frozen worker sent when it went on, as the event that overrides its clock."""
        for each in self.rounds:
            for member, came in each["joins"].items():
                if self.worker_of[member] == freeze["worker"] and came > self.thaw(freeze) - 100:
                    return [(came, f'rejoin: "{member}"')]
        return []

    def zombie(self, member, name, at):
        """`owns` of a process that lived on under a new member id."""
        first = min((r for r in self.rounds if member in r["members"]), key=lambda r: r["t"], default=None)
        owned = first["owned_before"].get(member) if first else None
        if not owned:
            return ""
        own = max((j for j in self.logs[name]["joined"] if j["t"] < at), key=lambda j: j["t"])
        return f", owns: [{', '.join(own['owns'])}]"

    def changed(self, name, at):
        """What the restart changed in the worker: its Kafka version or its settings."""
        started = max((m for m in self.marks if m["kind"] == "start" and m["worker"] == name and m["t"] < at), key=lambda m: m["t"])
        changes = started.get("changes") or {}
        text = f", kafka: {changes['kafka']}" if "kafka" in changes else ""
        for key in ("protocol", "settings"):
            if key in changes:
                value = changes[key]
                shown = "{" + ", ".join(f"{k}: {v}" for k, v in value.items()) + "}" if isinstance(value, dict) else value
                text += f", {key}: {shown}"
        return text

    def memory(self):
        """What the leader still has to hand out at time 0, if anything; a line of the replay file."""
        last = self.last_round()
        if not last["delay"]:
            return None
        everything = {item for r in self.rounds if r["t"] <= self.zero for owned in r["owns"].values() for item in owned or []}
        lost = sorted(everything - {item for owned in last["owns"].values() for item in owned}, key=natural)
        sync = min(each["came"] for each in last["syncs"].values() if not each["error"])
        due = self.ms(sync + last["delay"])
        candidates = [f'"{member}"' for member in last["members"] if not last["owns"][self.worker_of[member]]]
        return f"  memory: {{lost: [{', '.join(lost)}], due: {due}ms, candidates: [{', '.join(candidates)}], revoked: [], revoked_last: false}}\n"

    def replay(self, observed=False):
        """The replay file; `observed` adds the rounds really seen."""
        about, last = self.about, self.last_round()
        out = [f"# {line}\n" for line in about["what"]]
        out += ["version: 1\nreplay:\n"]
        out += [f"  kafka: {about['kafka']}\n  broker: {about['broker']}\n  protocol: {about['protocol']}\n"]
        settings = ", ".join(f"{key}: {value}" for key, value in about["settings"].items())
        out += [f"  settings: {{{settings}}}\n"]
        if about.get("own_settings"):
            out += [f"  workers: {{{', '.join(about['own_settings'])}}}\n"]
        out += [f"  connectors: {{{', '.join(about['connectors'])}}}\n", f"  last_round: {self.ms(last['t'])}ms\n"]
        out += [f"  generation: {last['generation']}\n"]
        out += [self.memory() or ""]
        out += ["  members:\n"]
        for member in last["members"]:
            name = self.worker_of[member]
            leader = "leader: true, " if name == last["leader"] else ""
            out += [f'    - {{id: "{member}", worker: {name}, {leader}owns: [{", ".join(last["owns"][name])}]}}\n']
        out += ["  events:\n"]
        out += [f"    - {{at: {at}ms, {text}}}\n" for at, text in self.events()]
        if observed:
            out += ["  observed:\n"]
            for each in self.replayed():
                synced = "" if len(each["synced"]) == len(each["joins"]) else f", synced: [{', '.join(sorted(each['synced']))}]"
                out += [f"    - {{at: {self.ms(each['t'])}ms, generation: {each['generation']}{synced}}}\n"]
        return "".join(out)

    def needs_anchors(self):
        """Whether the rounds' times or what members saw of them cannot be told from the events alone."""
        lost = any(len(each["synced"]) != len(each["joins"]) for each in self.replayed())
        acts = {mark["kind"] for mark in self.marks if mark["t"] > self.zero}
        return lost or bool(acts & {"config", "freeze", "broker down"}) or self.zero - self.last_round()["t"] > 60000

    def expected(self):
        """What really happened."""
        rounds = []
        for each in self.replayed():
            by_worker = {self.worker_of[member]: at for member, at in sorted(each["joins"].items(), key=lambda join: join[1])}
            one = {
                "generation": each["generation"],
                "at_ms": self.ms(each["t"]),
                "leader": each["leader"],
                "delay_ms": each["delay"],
                "protocol": each["protocol"],
                "owns": dict(sorted(each["owns"].items())),
                "revoked": {name: items for name, items in sorted(each["revoked"].items()) if items},
                "joined_ms": {name: self.ms(min(at, each["t"])) for name, at in sorted(by_worker.items())},
            }
            if len(each["synced"]) != len(each["joins"]):
                one["synced"] = sorted(each["synced"])
            if len(by_worker) != len(each["joins"]):
                one["members"] = len(each["joins"])
            rounds.append(one)
        down, double, still = self.task_times()
        records = sorted({(r["t"], r["what"]) for log in self.logs.values() for r in log["records"] if r["t"] > self.zero})
        first = {}
        for at, what in records:
            first.setdefault((what, next((t for (w, t) in first if w == what and at - t < 2000), at)), at)
        return {
            "rounds": rounds,
            "task_seconds": round(sum(down.values()) / 1000, 1),
            "worst_task_seconds": round(max(down.values(), default=0) / 1000, 1),
            "twice_seconds": {task: round(ms / 1000, 1) for task, ms in sorted(double.items(), key=lambda e: natural(e[0])) if ms},
            "never_again": still,
            "failed": [
                {"at_ms": self.ms(each["t"]), "worker": name, "task": each["task"]}
                for name, log in sorted(self.logs.items())
                for each in log["failed"]
                if each["t"] > self.zero
            ],
            "config_records": [{"at_ms": self.ms(at), "what": what} for (what, _), at in sorted(first.items(), key=lambda e: e[1])],
            "acts": [{"at_ms": self.ms(m["t"]), **{k: v for k, v in m.items() if k != "t"}} for m in self.marks if m["t"] > self.zero],
        }

    def task_times(self):
        """Per task: ms without a running instance, ms with more than one; and the tasks that never came back."""
        tasks = [{"t": each["t"], "worker": name, "task": each["task"], "what": each["act"]} for name, log in self.logs.items() for each in log["tasks"]]
        course = figures.Course(tasks, self.marks)

        def over(spans_of):
            ended = {task: [span for span in spans if span[1] is not None] for task, spans in spans_of.items()}
            return {task: sum(to - begin for begin, to in spans) for task, spans in figures.clipped(ended, self.zero, float("inf")).items()}

        return over(course.down), over(course.twice), course.down_now()


def pack(value, indent=0, width=150):
    """JSON with one short thing a line."""
    flat = json.dumps(value)
    if len(flat) + indent <= width or not isinstance(value, (dict, list)) or not value:
        return flat
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        inner = [f"{pad}{json.dumps(key)}: {pack(each, indent + 2, width)}" for key, each in value.items()]
        return "{\n" + ",\n".join(inner) + "\n" + " " * indent + "}"
    inner = [pad + pack(each, indent + 2, width) for each in value]
    return "[\n" + ",\n".join(inner) + "\n" + " " * indent + "]"
