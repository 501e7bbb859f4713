"""How long the steps of a rebalance took, over all kept recordings."""

HEARTBEAT = 3000
IN_PROGRESS = 27


def collect(recordings):
    """Step -> list of ms; without recordings of other heartbeat intervals, frozen workers and lost brokers."""
    found = {}

    def add(step, value):
        found.setdefault(step, []).append(value)

    for seen in recordings:
        if "heartbeat.interval.ms" in seen.about["settings"] or any(mark["kind"] in ("freeze", "broker down") for mark in seen.marks):
            continue
        rounds = seen.rounds
        beats = [each for each in seen.requests if each["api"] == "HEARTBEAT"]
        joins = [each for each in seen.requests if each["api"] == "JOIN_GROUP"]
        for before, after in zip([None, *rounds], rounds):
            rejoined(seen, before, after, beats, add)
            synced(seen, after, add)
        periods(seen, beats, joins, add)
        processes(seen, joins, add)
        for mark in seen.marks:
            if mark["kind"] == "config":
                asked = [r["t"] for log in seen.logs.values() for r in log["records"] if r["t"] >= mark["t"] and mark["record"] in r["what"]]
                if asked:
                    add("config: REST call to the first worker that reads the record", min(asked) - mark["t"])
                    add("config: first to last worker that reads the record", max(t for t in asked if t < min(asked) + 2000) - min(asked))
    return found


def rejoined(seen, before, after, beats, add):
    """What made each member join again, and how long that took."""
    last = max(after["joins"].values())
    if not before or after["t"] < seen.zero:
        return
    ghost = after["t"] - last > 300
    if not ghost:
        add("last JoinGroup received to 'Stabilized'", after["t"] - last)
    kinds = {}
    for member, came in after["joins"].items():
        if member not in before["members"]:
            continue
        told = [b for b in beats if b["request"]["memberId"] == member and b["response"]["errorCode"] == IN_PROGRESS and before["t"] < b["went"] <= came + 5]
        name = seen.worker_of[member]
        own = next((j for j in seen.logs[name]["joined"] if j["generation"] == before["generation"]), None)
        record = [r["t"] for r in seen.logs[name]["records"] if before["t"] < r["t"] <= came + 2]
        if told:
            kinds[member] = "tick"
            add("heartbeat answered 'rebalance in progress' to that member's JoinGroup received", came - told[-1]["went"])
        elif own and own["revoked"]:
            kinds[member] = "revoked"
            stops = [t["t"] for t in seen.logs[name]["tasks"] if t["act"] == "stop returned" and own["t"] - 50 <= t["t"] <= came]
            if stops:
                add("last stop() returned to the member's next JoinGroup", came - max(stops))
        elif record and record[0] > came - 1500:
            kinds[member] = "record"
            add("config record read to that member's JoinGroup received", came - record[-1])
        elif own and own["delay"] and abs(came - own["t"] - own["delay"]) < 1500:
            kinds[member] = "deadline"
            add("deadline (assignment logged + delay) to that member's JoinGroup received", came - own["t"] - own["delay"])
    slowest = max(after["joins"], key=lambda member: after["joins"][member])
    if kinds.get(slowest) == "tick" and not ghost and after["t"] - before["t"] < 60000:
        since = after["t"] - before["t"]
        late = since - HEARTBEAT * max(1, round(since / HEARTBEAT))
        add("round at a tick: S - (S0 + k*3000)" + (", eager before it" if before["protocol"] == "eager" else ""), late)
    if kinds and all(kind == "deadline" for kind in kinds.values()):
        leader = seen.logs[before["leader"]]["joined"]
        base = next((j["t"] for j in leader if j["generation"] == before["generation"]), None)
        if base:
            add("deadline of the leader to 'Stabilized'", after["t"] - base - before["delay"])
            add("round that set the delay + delay to the deadline's round", after["t"] - before["t"] - before["delay"])
    if kinds and all(kind == "record" for kind in kinds.values()):
        read = [r["t"] for log in seen.logs.values() for r in log["records"] if before["t"] < r["t"] <= after["t"] + 2]
        add("config record read by the first worker to a round nobody else had to be told of", after["t"] - min(t for t in read if t > after["t"] - 1500))


def synced(seen, one, add):
    """From the complete join phase to the assignment."""
    leader = next((m for m in one["syncs"] if seen.worker_of[m] == one["leader"]), None)
    if not leader:
        return
    add("'Stabilized' to the leader's SyncGroup received", one["syncs"][leader]["came"] - one["t"])
    given = next((a["t"] for a in seen.acts if a["kind"] == "assigned" and int(a["generation"]) == one["generation"]), None)
    if given:
        add("leader's SyncGroup received to group Stable", given - one["syncs"][leader]["came"])
        add("'Stabilized' to group Stable", given - one["t"])
        for member, sync in one["syncs"].items():
            if not sync["error"]:
                name = seen.worker_of[member]
                log = next((j["t"] for j in seen.logs[name]["joined"] if j["generation"] == one["generation"]), None)
                if log:
                    if not one["revoked"][name]:
                        add("group Stable to the worker's 'Joined group' line (no revocation)", log - given)
                    starts = [t["t"] for t in seen.logs[name]["tasks"] if t["act"] == "start called" and 0 <= t["t"] - log < 1000]
                    if starts:
                        add("'Joined group' line to the first start() of a task", min(starts) - log)
                        add("'Joined group' line to the last start() of a task within 1 s", max(starts) - log)
                    stops = [t["t"] for t in seen.logs[name]["tasks"] if t["act"] == "stop called" and given - 5 <= t["t"] <= log + 50]
                    if stops and one["revoked"][name]:
                        add("group Stable to the first stop() of a revoked task", min(stops) - given)


def periods(seen, beats, joins, add):
    """The heartbeats of each member while nothing happens."""
    by_member = {}
    for each in sorted(beats, key=lambda b: b["came"]):
        by_member.setdefault((each["request"]["memberId"], each["request"]["generationId"]), []).append(each)
    for (member, generation), those in by_member.items():
        answer = next((j["went"] for j in joins if j["response"]["errorCode"] == 0 and j["response"]["generationId"] == generation and j["response"]["memberId"] == member), None)
        if answer:
            add("JoinGroup answered to the first heartbeat received, less 3000", those[0]["came"] - answer - HEARTBEAT)
        for a, b in zip(those, those[1:]):
            if 2500 < b["came"] - a["came"] < 4000:
                add("heartbeat to heartbeat of one member, less 3000", b["came"] - a["came"] - HEARTBEAT)
        if len(those) >= 10:
            add("heartbeat period less 3000, mean of a member over 10 and more", (those[-1]["came"] - those[0]["came"]) / (len(those) - 1) - HEARTBEAT)


def processes(seen, joins, add):
    """Stops and starts of workers."""
    starts = sorted((m for m in seen.marks if m["kind"] == "start"), key=lambda m: m["t"])
    for mark in seen.marks:
        if mark["kind"] != "term":
            continue
        name = mark["worker"]
        stops = [t["t"] for t in seen.logs[name]["tasks"] if t["act"] == "stop called" and mark["t"] <= t["t"] < mark["t"] + 10000]
        leave = [a["t"] for a in seen.acts if a["kind"] == "leave" and seen.worker_of[a["member"]] == name and a["t"] >= mark["t"]]
        stops = [each for each in stops if not leave or each <= leave[0]]
        if stops:
            add("SIGTERM to the first stop()", min(stops) - mark["t"])
            add("SIGTERM to the last stop()", max(stops) - mark["t"])
        if leave:
            add("SIGTERM to LeaveGroup processed", leave[0] - mark["t"])
            again = [m["t"] for m in starts if m["worker"] == name and m["t"] > leave[0] - 50]
            if again and again[0] - leave[0] < 500:
                add("LeaveGroup processed to the process's exit", again[0] - leave[0])
    for mark in starts:
        if mark["t"] < seen.zero:
            continue
        name = mark["worker"]
        urls = [j for j in joins if j["came"] > mark["t"] and seen.worker_of.get(j["response"]["memberId"]) == name]
        if urls:
            first = min(urls, key=lambda j: j["came"])
            second = next((a["t"] for a in seen.acts if a["kind"] == "join" and a["member"] == first["response"]["memberId"]), None)
            add("start of the process to its first JoinGroup received", first["came"] - mark["t"])
            if second:
                add("first JoinGroup received to the second processed", second - first["came"])


def table(found):
    """Min, median, max and n of each step, as Markdown."""
    out = ["| step (ms) | n | min | median | max |", "|---|---|---|---|---|"]
    for step, values in sorted(found.items()):
        values = sorted(values)
        show = [f"{v:.1f}" if any(isinstance(x, float) and x % 1 for x in values) else f"{v:.0f}" for v in (values[0], values[len(values) // 2], values[-1])]
        out.append(f"| {step} | {len(values)} | {show[0]} | {show[1]} | {show[2]} |")
    return out
