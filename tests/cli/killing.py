"""Kills an apply of many rows at random moments, with every fault on, and counts what was written.

    python tests/cli/killing.py [KILLS] [--rows N] [--seed S]

Each run of `apply` is a process of its own that is killed with SIGKILL after a random number of
requests; the last one is left to finish, without faults. Afterwards every post must be as the plan
says, and must have been written once.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
for folder in ("generated/client/src", "sandbox/src", "cli/src"):
    sys.path.insert(0, str(ROOT / folder))

from social_publishing import SocialPublishing  # noqa: E402

from social_publishing_cli import plans  # noqa: E402
from social_publishing_sandbox import Sandbox  # noqa: E402

GROUP = "9032915132417572866"
FAULTS = (
    {"kind": "drop-before", "probability": 0.05, "operations": "updatePost"},
    {"kind": "drop-after", "probability": 0.05, "operations": "updatePost"},
    {"kind": "status", "status": 503, "probability": 0.03, "operations": "updatePost"},
    {"kind": "latency", "ms": 5, "probability": 0.3},
)
QUIET = 0.2


def main() -> int:
    """Run it, and return 0 where nothing was written twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=50)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    done = wrong = plan_number = 0
    with tempfile.TemporaryDirectory() as name, Sandbox(rate_limit=10**6) as sandbox:
        folder = Path(name)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "SOCIAL_PUBLISHING_API_TOKEN": sandbox.token,
            "SOCIAL_PUBLISHING_BASE_URL": sandbox.base_url,
            "SOCIAL_PUBLISHING_MEDIA_URL": sandbox.media_url,
            "SOCIAL_PUBLISHING_JOURNALS": str(folder / "journals"),
        }
        client = SocialPublishing(
            api_token=sandbox.token, base_url=sandbox.base_url, media_url=sandbox.media_url
        )
        accounts = [each.id for each in client.groups.get(GROUP).social_accounts or ()][:1]
        made = [
            sandbox.create_post(content=f"post {n}", selectedAccountIds=accounts)
            for n in range(arguments.rows)
        ]
        ids = [each["id"] for each in made]
        while done < arguments.kills:
            plan_number += 1
            path = folder / f"{plan_number}.plan"
            _sheet(folder / "sheet.csv", ids, f"run {plan_number}")
            sheet = plans.read_sheet(folder / "sheet.csv")
            plans.make(client, sheet, against_now=True).save(path)
            before = _written(client, ids)
            faults = [sandbox.add_fault(**fault) for fault in FAULTS]
            command = [sys.executable, "-m", "social_publishing_cli", "apply", str(path)]
            command += ["--settle-after", str(QUIET), "--quiet"]
            while done < arguments.kills:
                if not _killed(command, environment, sandbox, rng):
                    break
                done += 1
            for fault in faults:
                sandbox.remove_fault(getattr(fault, "id", None) or fault["id"])
            time.sleep(QUIET)
            ended = subprocess.run(command, env=environment, capture_output=True, text=True)
            written = _written(client, ids)
            found = {post.id: post.name for post in client.posts.get_many(ids=ids)}
            for post in ids:
                times = written[post] - before[post]
                if times != 1 or found[post] != f"run {plan_number}":
                    wrong += 1
                    print(f"post {post}: written {times} times, is {found[post]!r}")
            wrong += ended.returncode != 0
            print(
                f"plan {plan_number}: {done} kills, exit {ended.returncode}, {wrong} wrong",
                flush=True,
            )
    return 1 if wrong else 0


def _sheet(path: Path, ids: list[str], name: str) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "name"])
        writer.writerows([each, name] for each in ids)


def _written(client: SocialPublishing, ids: list[str]) -> Counter[str]:
    """How often each post was changed, as its log has it."""
    return Counter({post: len([*client.posts.activities(post)]) for post in ids})


def _count(sandbox: Sandbox) -> int:
    """How many requests came; the log forgets the oldest."""
    return sandbox.requests(newest_first=True, limit=1)[0].number


def _killed(
    command: list[str], environment: dict[str, str], sandbox: Sandbox, rng: random.Random
) -> bool:
    """Start an apply, kill it after some requests, and return whether it was still at work."""
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    count = _count(sandbox) + rng.randint(0, 25)
    end = time.monotonic() + 60
    while _count(sandbox) < count and process.poll() is None and time.monotonic() < end:
        time.sleep(rng.random() / 200)
    at_work = process.poll() is None
    process.kill()
    process.wait()
    return at_work


if __name__ == "__main__":
    sys.exit(main())
