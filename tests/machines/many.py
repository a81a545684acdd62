"""Moves the posts of many users by workers that are killed at random, and counts what was written.

    python tests/machines/many.py [--users 200] [--groups 5000] [--posts 30] [--workers 8]
        [--process-groups 4] [--heavy 0] [--limit 60] [--window 60] [--kills 20] [--silence 30]
        [--seconds 1800] [--seed 1]

The workers are those of `demo/machines`; a process group stands for a machine. A kill ends a worker
or a whole group with SIGKILL, and others take its place. The exit status is 0 if every post is
where the plan says, and no request was refused because of the rate.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT, ROOT / "generated/client/src", ROOT / "sandbox/src"]
if __name__ == "__main__":
    sys.path[:0] = map(str, FOLDERS)

from social_publishing_sandbox import Sandbox  # noqa: E402
from tests.support.postgres import postgres_server  # noqa: E402
from tests.support.valkey import PROGRAM, valkey_server  # noqa: E402

START = datetime(2026, 12, 1, 9, tzinfo=UTC)
LATER = timedelta(days=35)
FAULTS = (
    {"kind": "drop-before", "probability": 0.005, "operations": "updatePost"},
    {"kind": "drop-after", "probability": 0.005, "operations": "updatePost"},
    {"kind": "status", "status": 503, "probability": 0.005, "operations": "updatePost"},
)


@dataclass(frozen=True)
class Size:
    """How much there is to do, by whom.

    Attributes:
        heavy: groups of the first user; as many as everybody else has, if 0.
        limit: requests that a user may send in a window.
        window: seconds of it.
        kills: how often a worker or a process group is killed.
        silence: seconds after which a worker counts as dead.
        seconds: after which it is given up.
    """

    users: int = 200
    groups: int = 5000
    posts: int = 30
    workers: int = 8
    process_groups: int = 4
    limit: int = 60
    window: int = 60
    heavy: int = 0
    kills: int = 20
    silence: int = 30
    seconds: int = 1800
    seed: int = 1


@dataclass
class Result:
    """What became of it.

    Attributes:
        wrong: posts that are not where the plan says.
        again: writes that were carried out a second time, with the same date: a worker counted as
            dead that was only slow, or a request of a dead one arrived late.
        refused: requests that met a 429.
        jobs_left: jobs that are not done.
        requests: that the sandbox responded to.
        kills: processes that were killed.
        seconds: from the first worker to the last job.
        finished: seconds after which all posts of a user were written, by user.
    """

    wrong: list[str] = field(default_factory=list)
    again: int = 0
    refused: int = 0
    jobs_left: int = 0
    requests: int = 0
    kills: int = 0
    seconds: float = 0.0
    finished: dict[str, float] = field(default_factory=dict)

    @property
    def is_right(self) -> bool:
        """Whether everything was done, and within the rate limit."""
        return not (self.wrong or self.refused or self.jobs_left)


def run(size: Size) -> Result:
    """Carry out a plan with workers that are killed at random."""
    world, plan = _world(size)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sandbox = stack.enter_context(Sandbox(world, clock="frozen"))
        sandbox.limit(size.limit, window=size.window)
        variables = {
            **os.environ,
            **stack.enter_context(postgres_server()),
            "PYTHONPATH": os.pathsep.join(map(str, FOLDERS)),
            "SOCIAL_PUBLISHING_BASE_URL": sandbox.base_url,
            "SOCIAL_PUBLISHING_MEDIA_URL": sandbox.media_url,
            "TOKENS": str(folder / "tokens.json"),
            "RATES": str(folder / "rates.db"),
            "SILENCE": f"{size.silence}",
        }
        if PROGRAM is not None:
            server = stack.enter_context(valkey_server(folder))
            variables["RATES"] = f"valkey://127.0.0.1:{server.port}"
        tokens = {each["name"]: each["token"] for each in world["users"]}
        (folder / "tokens.json").write_text(json.dumps(tokens))
        (folder / "plan.jsonl").write_text("".join(json.dumps(each) + "\n" for each in plan))
        for command in (["prepare"], ["add", str(folder / "plan.jsonl")]):
            program = [sys.executable, "-m", "demo.machines", *command]
            subprocess.run(program, env=variables, check=True, stdout=subprocess.PIPE, cwd=folder)
        for fault in FAULTS:
            sandbox.add_fault(**fault)
        return _watch(size, plan, sandbox, variables, folder)


PROCRASTINATE = [sys.executable, "-m", "procrastinate", "--app", "demo.machines.jobs.app"]


def _watch(
    size: Size,
    plan: list[Any],
    sandbox: Sandbox,
    variables: Mapping[str, str],
    folder: Path,
) -> Result:
    """Let workers work, and kill them now and then, until nothing is left to do."""
    result, rng = Result(), random.Random(size.seed)
    owners = {post: line["user"] for line in plan for post in line["dates"]}
    left = Counter(owners.values())
    writes: Counter[str] = Counter()
    number = 0
    began = time.monotonic()
    with _machines(size, variables, folder) as machines:
        kills = sorted(rng.choices(range(len(owners)), k=size.kills))  # after so many writes
        while time.monotonic() < began + size.seconds:
            time.sleep(0.2)
            for entry in sandbox.request_log.search(since=number, newest_first=False):
                number = entry.number
                result.refused += entry.status == 429 and entry.fault is None
                if entry.operation == "updatePost" and entry.status == 200:
                    post = entry.path.rpartition("/")[2]
                    writes[post] += 1
                    left[owners[post]] -= writes[post] == 1
                    if not left[owners[post]]:
                        result.finished.setdefault(owners[post], time.monotonic() - began)
            result.jobs_left = _jobs_left(variables)
            if not result.jobs_left:
                break
            if kills and kills[0] <= sum(writes.values()):
                kills.pop(0)
                result.kills += machines.kill(rng)
    result.seconds, result.requests = time.monotonic() - began, number
    for user in left:  # a write whose response was lost is not counted above
        result.finished.setdefault(user, result.seconds)
    found = {post.id: post.publication_date for post in sandbox.find("posts")}
    for line in plan:
        for post, date in line["dates"].items():
            if found[post] != datetime.fromisoformat(date):
                result.wrong.append(f"post {post}: {found[post]}, written {writes[post]} times")
    result.again = sum(writes.values()) - len(writes)
    return result


class _Machines:
    """Process groups of workers."""

    def __init__(self, size: Size, variables: Mapping[str, str], log: Any) -> None:
        self._variables, self._log = variables, log
        each = size.workers // size.process_groups
        self._groups: list[list[subprocess.Popen[bytes]]] = []
        for _ in range(size.process_groups):
            first = self._start(0)
            self._groups.append([first, *(self._start(first.pid) for _ in range(each - 1))])

    def kill(self, rng: random.Random) -> int:
        """Kill a worker or a whole group, and start others; return how many were killed."""
        position = rng.randrange(len(self._groups))
        group = self._groups[position]
        if rng.random() < 0.3:
            os.killpg(os.getpgid(group[0].pid), signal.SIGKILL)
            self.wait(group)
            first = self._start(0)
            self._groups[position] = [first, *(self._start(first.pid) for _ in group[1:])]
            return len(group)
        victim = rng.randrange(len(group))
        process_group = os.getpgid(group[victim].pid)
        group[victim].kill()
        with suppress(PermissionError):  # it was the only one of its group
            group[victim : victim + 1] = [group[victim], self._start(process_group)]
        self.wait([group.pop(victim)])
        return 1

    def end(self) -> None:
        """Kill all."""
        for group in self._groups:
            for each in group:
                each.kill()
            self.wait(group)

    def wait(self, group: list[subprocess.Popen[bytes]]) -> None:
        """Wait until these have ended."""
        for each in group:
            each.wait(20)

    def _start(self, process_group: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*PROCRASTINATE, "worker"], env=self._variables, stdout=self._log, stderr=self._log,
            process_group=process_group,
        )  # fmt: skip


@contextmanager
def _machines(size: Size, variables: Mapping[str, str], folder: Path) -> Iterator[_Machines]:
    with (folder / "log").open("w") as log:
        machines = _Machines(size, variables, log)
        try:
            yield machines
        finally:
            machines.end()


def _jobs_left(variables: Mapping[str, str]) -> int:
    import psycopg

    there = f"host={variables['PGHOST']} port={variables['PGPORT']} user={variables['PGUSER']}"
    asked = "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'move'"
    with psycopg.connect(there) as connection:
        row = connection.execute(asked).fetchone()
    assert row is not None
    number: int = row[0]
    return number


def _world(size: Size) -> tuple[dict[str, Any], list[Any]]:
    """Return a world and a plan."""
    users: list[Any] = [{"id": "1", "name": "owner", "token": "owner", "role": "owner"}]
    users += [
        {"id": f"{n}", "name": f"user {n}", "token": f"token-of-{n}", "role": "member",
         "groupIds": []}
        for n in range(2, size.users + 2)
    ]  # fmt: skip
    lists: dict[str, Any] = {"users": users, "groups": [], "social_accounts": [], "posts": []}
    plan: list[Any] = []
    number = 10**15
    others = [*users[2:], *([] if size.heavy else users[1:2])]
    for position in range(size.groups):
        at = position - size.heavy
        user = users[1] if at < 0 else others[at % len(others)]
        group, account = f"{number + 1}", f"{number + 2}"
        user["groupIds"].append(group)
        lists["groups"].append({"id": group, "name": f"group {position}"})
        lists["social_accounts"].append(
            {"id": account, "group_id": group, "socialNetwork": "threads", "username": group}
        )
        dates: dict[str, str] = {}
        for day in range(size.posts):
            date = START + timedelta(days=day % 30, hours=3)
            post = f"{number + 3 + day}"
            lists["posts"].append(
                {"id": post, "content": "Bread!", "status": "SCHEDULED", "user_id": user["id"],
                 "publication_date": _text(date), "selectedAccountIds": [account]}
            )  # fmt: skip
            dates[post] = _text(date + LATER)
        plan.append({"user": user["name"], "dates": dates})
        number += size.posts + 2
    return {"format": 1, "now": _text(START), **lists}, plan


def _text(date: datetime) -> str:
    return date.strftime("%Y-%m-%dT%H:%M:%SZ")


def main() -> int:
    """Run it, print the figures, and return 0 where nothing went wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default in vars(Size()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default)
    size = Size(**vars(parser.parse_args()))
    result = run(size)
    finished = sorted(result.finished.values())
    print(f"{result.requests} requests in {result.seconds:.0f} s, {result.kills} workers killed")
    print(f"{result.refused} refused, {result.jobs_left} jobs left")
    print(f"{len(result.wrong)} posts wrong, {result.again} writes carried out again")
    if finished:
        print(f"users done after {finished[0]:.0f} to {finished[-1]:.0f} s")
    print(*result.wrong[:10], sep="\n")
    return 0 if result.is_right else 1


if __name__ == "__main__":
    sys.exit(main())
