"""What the tests of the command share."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from social_publishing import SocialPublishing

from social_publishing_cli.plans import journal
from social_publishing_sandbox import Sandbox, worlds
from tests.support import AS_INSTALLED

GROUP = "9032915132417572866"
NOW = "2026-12-01T09:00:00Z"
_START = int(datetime.fromisoformat(NOW).timestamp() * 1000)  # in milliseconds


class Ended(NamedTuple):
    """How a run of the command ended."""

    status: int
    out: str
    err: str


Command = Callable[..., Ended]
PROGRAM = [sys.executable, "-m", "social_publishing_cli"]


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process that finds the packages of this one, without trio."""
    path = [str(AS_INSTALLED), *filter(None, sys.path)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path), **more}


def run_apart(*words: str, **more: str) -> Ended:
    """Run the command in a process of its own, with more variables."""
    ended = subprocess.run(
        [*PROGRAM, *words], env=environment(**more), capture_output=True, encoding="utf-8"
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def agency(posts: int) -> dict[str, Any]:
    """Return the world of an agency with fewer posts: its 20,000 take seconds to make."""
    return cast(dict[str, Any], worlds.make("agency", seed=7, now=_START, posts=posts))


def signed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what the environment says of an account."""
    for name in ("API_TOKEN", "BASE_URL", "MEDIA_URL"):
        monkeypatch.delenv(f"SOCIAL_PUBLISHING_{name}")


def noted(path: Path, statement: str, *values: object) -> None:
    """Change a journal as the command would have written it."""
    with closing(journal._Base(path)) as base:
        base.change(statement, *values)


def writes(sandbox: Sandbox) -> int:
    """Count the requests that were to change something."""
    return sum(entry.method != "GET" for entry in sandbox.requests())


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a sheet."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [*csv.DictReader(file)]


def logged(client: SocialPublishing, sheet: Path) -> dict[str, int]:
    """Return how often each post of a sheet was changed, as its log has it."""
    return {row["id"]: len([*client.posts.activities(row["id"])]) for row in rows_of(sheet)}


def with_one_text(client: SocialPublishing, rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the rows of scheduled posts that say the same on every network."""
    alike = {post.id for post in client.posts.list(group_id=GROUP) if not post.customized}
    return [row for row in rows if row["status"] == "scheduled" and row["id"] in alike]


def account_on(sandbox: Sandbox, network: str) -> str:
    """Return the first account on a network."""
    accounts = sandbox.find("social_accounts")
    return next(str(each["id"]) for each in accounts if each["socialNetwork"] == network)


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """Write a sheet anew."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
