"""What the logs of a broker and its workers say, as plain data; all times in ms since 1970."""

import calendar
import json
import re
import time

from . import wire

STAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3}) (\w+) (\S+) - (.*)")
SAID = [
    ("stabilized", re.compile(r"Stabilized group connect generation (?P<generation>\d+)")),
    ("join", re.compile(r"Pending dynamic member with id (?P<member>\S+) joins group connect ")),
    ("leave", re.compile(r"[Mm]ember (?:MemberMetadata\(memberId=)?(?P<member>[^\s,]+).* has left group.* through explicit")),
    ("expire", re.compile(r"Member (?P<member>\S+) in group connect has failed, removing it")),
    ("lapse", re.compile(r"Pending member (?P<member>\S+) in group connect has been removed after session timeout")),
    ("prepare", re.compile(r"Preparing to rebalance group connect .*\(reason: (?P<reason>.*)\)")),
    ("loaded", re.compile(r"Loaded (?:classic )?group connect with|Loading group metadata for connect with generation")),
    ("assigned", re.compile(r"Assignment received from leader (?P<member>\S+) for group connect for generation (?P<generation>\d+)")),
]
JOINED = re.compile(r"Joined group at generation (\d+) with protocol version (\d+) and got assignment: Assignment\{(.*)\} with rebalance delay: (\d+)")
FIELD = re.compile(r"(\w+)=(?:\[(.*?)\]|'(.*?)'|([^,\[']*))(?:, |$)")
CONFIG = re.compile(r"(Connector \S+ config (?:updated|removed)|Tasks \[.*\] configs updated|Connector \S+ target state change)")
FAILED = re.compile(r"(?:Couldn't instantiate task|Task) (\S+-\d+)(?: because it has an invalid| threw an uncaught)")
TASK = re.compile(r"(\S+-\d+) (?:(start|stop) (called|returned)|(opened|closed) (.*))")
MEMBER = re.compile(r"Successfully joined group with generation Generation\{generationId=(\d+), memberId='([^']+)'")
GROUP_REQUESTS = [f'"requestApiKeyName":"{api}"' for api in ("JOIN_GROUP", "SYNC_GROUP", "HEARTBEAT", "LEAVE_GROUP")]


class Follower:
    """Reads a log that still grows: each time what has come since."""

    def __init__(self, path):
        self.path, self.at = path, 0

    def lines(self):
        """Each new stamped line: time, logger, text."""
        try:
            with open(self.path, "rb") as log:
                log.seek(self.at)
                data = log.read()
        except FileNotFoundError:
            return
        whole = data.rfind(b"\n") + 1
        self.at += whole
        yield from stamped(data[:whole].decode(errors="replace").split("\n"))


def lines(path):
    """Each stamped line of a log: time, logger, text."""
    with open(path, encoding="utf-8", errors="replace") as log:
        yield from stamped(log)


def stamped(texts):
    """Those of the lines that begin with a time."""
    day = {}
    for line in texts:
        match = STAMP.match(line)
        if match:
            second, milli, _level, logger, text = match.groups()
            if second not in day:
                day[second] = calendar.timegm(time.strptime(second, "%Y-%m-%dT%H:%M:%S")) * 1000
            yield day[second] + int(milli), logger, text


class BrokerLog:
    """The group coordinator's acts, and the group requests with when they came and went."""

    def __init__(self):
        self.said, self.requests = [], []

    def take(self, at, logger, text):
        if logger == "kafka.request.logger":
            if not any(api in text for api in GROUP_REQUESTS):
                return
            seen = json.loads(text[text.index("{") :])
            if seen["request"].get("groupId") == "connect":
                self.requests.append(
                    {
                        "api": seen["requestHeader"]["requestApiKeyName"],
                        "came": round(at - seen["totalTimeMs"]),
                        "went": at,
                        "request": seen["request"],
                        "response": seen["response"],
                    }
                )
            return
        for kind, pattern in SAID:
            match = pattern.search(text)
            if match:
                self.said.append({"t": at, "kind": kind, **match.groupdict()})
                break
        if "GroupCoordinator" in logger and "startup" in text.lower() or "Kafka Server started" in text:
            self.said.append({"t": at, "kind": "up"})

    def acts(self):
        """What the coordinator said, in order, with the joins that the coordinator in Scala does not log."""
        acts = list(self.said)
        known = {act["member"] for act in acts if act["kind"] == "join"}
        for each in sorted((r for r in self.requests if r["api"] == "JOIN_GROUP"), key=lambda r: r["came"]):
            member = each["request"]["memberId"]
            if member and member not in known:
                known.add(member)
                acts.append({"t": each["came"], "kind": "join", "member": member})
        return sorted(acts, key=lambda act: act["t"])


def broker(path):
    """All of a broker's log: acts and requests."""
    log = BrokerLog()
    for each in lines(path):
        log.take(*each)
    return log.acts(), log.requests


def split(text):
    return [each for each in (text or "").split(", ") if each]


class WorkerLog:
    """What a worker joined, its tasks' starts and stops, the config records it read, the tasks that failed."""

    def __init__(self):
        self.joined, self.tasks, self.records, self.failed, self.members = [], [], [], [], []

    def take(self, at, logger, text):
        match = JOINED.search(text)
        if match:
            generation, version, body, delay = match.groups()
            fields = {each[1]: each[2] or each[3] or each[4] or "" for each in FIELD.finditer(body)}
            self.joined.append(
                {
                    "t": at,
                    "generation": int(generation),
                    "version": int(version),
                    "leader": fields.get("leader"),
                    "owns": split(fields.get("taskIds")) + split(fields.get("connectorIds")),
                    "revoked": split(fields.get("revokedTaskIds")) + split(fields.get("revokedConnectorIds")),
                    "delay": int(delay),
                }
            )
            return
        match = TASK.match(text) if logger == "lab.task" else None
        if match:
            task, act, end, sink, partitions = match.groups()
            if act:
                self.tasks.append({"t": at, "task": task, "act": f"{act} {end}"})
            else:
                self.tasks.append({"t": at, "task": task, "act": sink, "partitions": partitions.split()})
            return
        match = MEMBER.search(text)
        if match:
            self.members.append({"t": at, "generation": int(match[1]), "member": match[2]})
            return
        match = FAILED.search(text)
        if match:
            self.failed.append({"t": at, "task": match[1]})
            return
        match = CONFIG.search(text)
        if match:
            self.records.append({"t": at, "what": match[1]})


def worker(path):
    """All of a worker's log, as a dictionary."""
    log = WorkerLog()
    for each in lines(path):
        log.take(*each)
    return vars(log)


def rounds(requests):
    """Per generation what went over the wire: members in the coordinator's order, their joins, the assignment."""
    found, names = {}, {}
    for each in requests:
        request, response = each["request"], each["response"]
        if each["api"] == "JOIN_GROUP":
            url = wire.metadata(request["protocols"][0]["metadata"])["url"]
            names[response["memberId"] or request["memberId"]] = url
            if response["errorCode"] == 0:
                one = found.setdefault(response["generationId"], {"joins": {}, "members": [], "leader": None, "syncs": {}, "assignments": {}})
                one["joins"][response["memberId"]] = each["came"]
                one["protocol"], one["leader"] = response["protocolName"], response["leader"]
                if response["members"]:
                    one["members"] = [(m["memberId"], wire.metadata(m["metadata"])["owns"]) for m in response["members"]]
        elif each["api"] == "SYNC_GROUP":
            one = found.setdefault(request["generationId"], {"joins": {}, "members": [], "leader": None, "syncs": {}, "assignments": {}})
            one["syncs"][request["memberId"]] = {"came": each["came"], "went": each["went"], "error": response["errorCode"]}
            for part in request["assignments"]:
                one["assignments"][part["memberId"]] = wire.assignment(part["assignment"])
    return found, names
