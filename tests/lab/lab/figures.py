"""What a disturbance cost: computed from the tasks' own starts and stops and from what was done to the workers.

A task runs from the return of its start() to the call of its stop(), or to the end, or the freezing, of its worker's process.
"""

HELD = 5000


class Course:
    """When each task ran nowhere, or in more than one place; times in ms.

    `tasks` are the observed starts and stops (`t`, `worker`, `task`, `what`), `acts` what happened to processes (`t`,
    `kind`, `worker`).
    """

    def __init__(self, tasks, acts):
        changes = [(each["t"], each["worker"], each["task"], each["what"]) for each in tasks if each["what"] in ("start returned", "stop called")]
        changes += [(act["t"], act["worker"], None, act["kind"]) for act in acts if act["kind"] in ("kill", "exited", "freeze", "thaw", "start")]
        self.running, self.frozen = {}, {}
        self.down, self.twice = {}, {}  # task -> [(from, to)], to is None while it lasts
        self.starts, self.moves = [], []
        self.last = {}
        for at, worker, task, what in sorted(changes, key=lambda each: each[0]):
            if what == "start returned":
                self.started(at, worker, task)
            elif what == "stop called":
                self.frozen.get(worker, set()).discard(task)
                self.ended(at, worker, task)
            elif what == "thaw":
                for each in self.frozen.pop(worker, set()):
                    self.counted(at, each, self.running[each] | {worker})
            else:  # what still ran when a process ended, ended with it
                here = {each for each, where in self.running.items() if worker in where}
                if what == "freeze":
                    self.frozen[worker] = here
                else:
                    self.frozen.pop(worker, None)
                for each in here:
                    self.ended(at, worker, each)

    def started(self, at, worker, task):
        self.starts.append((at, task))
        if self.last.get(task, worker) != worker:
            self.moves.append((at, task))
        self.last[task] = worker
        if task in self.running:
            self.counted(at, task, self.running[task] | {worker})
        else:
            self.running[task] = {worker}

    def ended(self, at, worker, task):
        if worker in self.running.get(task, ()):
            self.counted(at, task, self.running[task] - {worker})

    def counted(self, at, task, now):
        """Opens and closes spans as a task goes from so many places to so many."""
        before, self.running[task] = self.running[task], now
        for spans, was, is_now in ((self.down, not before, not now), (self.twice, len(before) > 1, len(now) > 1)):
            if is_now and not was:
                spans.setdefault(task, []).append((at, None))
            elif was and not is_now:
                spans[task].append((spans[task].pop()[0], at))

    def down_now(self):
        """Tasks that ran before and run nowhere."""
        return sorted((task for task, where in self.running.items() if not where), key=natural)

    def figures(self, since, until, hold=HELD):
        """The cost between two moments."""
        down = clipped(self.down, since, until)
        lost = {task: sum(to - begin for begin, to in spans) for task, spans in down.items()}
        spans = [each for those in down.values() for each in those]
        twice = {task: sum(to - begin for begin, to in those) for task, those in clipped(self.twice, since, until).items()}
        starts = [at for at, _ in self.starts if since <= at <= until]
        still = self.down_now()
        return {
            "since_ms": round(since),
            "until_ms": round(until),
            "tasks": len(self.running),
            "task_seconds": round(sum(lost.values()) / 1000, 1),
            "longest_s": round(max((to - begin for begin, to in spans), default=0) / 1000, 1),
            "at_once": {"peak": at_once(spans, 0), "held_5s": at_once(spans, hold)},
            # From the first stop to the last start, if everything runs again.
            "duration_s": None if still or not starts else round((max(starts) - since) / 1000, 1),
            "starts": len(starts),
            "moves": sum(1 for at, _ in self.moves if since <= at <= until),
            "twice_seconds": round(sum(twice.values()) / 1000, 1),
            "down_now": still,
        }


def clipped(spans_of, since, until):
    """The parts of each task's spans that lie between two moments."""
    found = {}
    for task, spans in spans_of.items():
        inside = [(max(begin, since), min(until, to if to is not None else until)) for begin, to in spans]
        inside = [(begin, to) for begin, to in inside if begin < to]
        if inside:
            found[task] = inside
    return found


def at_once(spans, hold):
    """The most spans that lie over one moment; with `hold`, the most that are there without a break for that long: the
    largest, over all stretches of that length, of the fewest spans within the stretch."""
    changes = sorted([(begin, 1) for begin, _ in spans] + [(to, -1) for _, to in spans])
    steps, count = [], 0  # (moment, how many from then on)
    for at, change in changes:
        count += change
        if steps and steps[-1][0] == at:
            steps[-1] = (at, count)
        else:
            steps.append((at, count))
    most = 0
    for place, (begin, fewest) in enumerate(steps):
        for after in range(place, len(steps) - 1):
            fewest = min(fewest, steps[after][1])
            if fewest <= most:
                break
            if steps[after + 1][0] - begin >= hold:
                most = fewest
                break
    return most


def natural(item):
    """Tasks in the order of their numbers, then connectors."""
    name, dash, number = item.rpartition("-")
    return (0, name, int(number)) if dash and number.isdigit() else (1, item, 0)
