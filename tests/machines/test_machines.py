"""Many machines: jobs of many users, by workers that are killed, and plans that cannot be used."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from many import FOLDERS, ROOT, Size, run

sys.path.insert(0, str(ROOT / "generated/client/src"))

from social_publishing import RateLimitReached

from social_publishing_sandbox import Sandbox
from tests.support.postgres import missing

pytest.importorskip("procrastinate", reason="the package procrastinate is not installed")

from procrastinate.jobs import Job

from demo.machines import jobs

SMALL = Size(
    users=8, groups=20, posts=4, workers=2, process_groups=1,
    heavy=13, limit=25, window=3, kills=2, silence=4, seconds=240,
)  # fmt: skip


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_killed_workers_move_every_post() -> None:
    result = run(SMALL)
    assert result.kills >= SMALL.kills
    assert (result.wrong, result.jobs_left, result.refused) == ([], 0, 0)
    heavy = result.finished.pop("user 2")  # it has to wait for two windows, the others for none
    assert sum(each < heavy for each in result.finished.values()) > len(result.finished) / 2


def job(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Return what gives posts new dates, as a worker does it."""
    tokens = tmp_path / "tokens.json"
    tokens.write_text(json.dumps({"ada": sandbox.token}))
    for name, value in {
        "TOKENS": str(tokens),
        "RATES": str(tmp_path / "rates.db"),
        "SOCIAL_PUBLISHING_BASE_URL": sandbox.base_url,
        "SOCIAL_PUBLISHING_MEDIA_URL": sandbox.media_url,
    }.items():
        monkeypatch.setenv(name, value)
    jobs.tokens.cache_clear()
    jobs.rates.cache_clear()
    return lambda dates: asyncio.run(jobs.move.func("ada", dates))


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


@pytest.fixture
def posts(sandbox: Sandbox) -> list[str]:
    return [post.id for post in sandbox.find("posts", status="SCHEDULED")][:3]


def written(sandbox: Sandbox) -> int:
    return len(sandbox.requests(operation="posts.update", status=200))


def test_a_job_that_is_carried_out_again_writes_nothing(
    sandbox: Sandbox, posts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    move = job(sandbox, monkeypatch, tmp_path)
    dates = dict.fromkeys(posts, "2027-01-04T09:00:00+01:00")
    with sandbox.fault("drop-after", operations="posts.update", times=1):
        move(dates)
    move(dates)
    assert written(sandbox) == len(posts)
    for post in posts:
        assert sandbox.read_post(post).publication_date == datetime(2027, 1, 4, 8, tzinfo=UTC)


def test_a_job_without_room_ends_and_goes_on_where_it_stopped(
    sandbox: Sandbox, posts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    move = job(sandbox, monkeypatch, tmp_path)
    sandbox.limit(3)
    dates = dict.fromkeys(posts, "2027-01-04T08:00:00Z")
    with pytest.raises(RateLimitReached) as caught:
        move(dates)
    assert written(sandbox) == 2
    assert not sandbox.requests(status=429)
    assert again(caught.value) == pytest.approx(caught.value.wait, abs=2)
    sandbox.limit(None)
    jobs.rates.cache_clear()
    monkeypatch.setenv("RATES", str(tmp_path / "others.db"))
    move(dates)
    assert written(sandbox) == 3


def test_a_post_that_is_gone_is_named_and_the_others_are_moved(
    sandbox: Sandbox, posts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    move = job(sandbox, monkeypatch, tmp_path)
    with pytest.raises(LookupError, match="ada: there are no such posts: 17") as caught:
        move(dict.fromkeys([*posts, "17"], "2027-01-04T08:00:00Z"))
    assert written(sandbox) == len(posts)
    assert again(caught.value) is None


def again(error: Exception) -> float | None:
    """Return the seconds after which a job is tried again that ended in an error."""
    one = Job(id=1, queue="posts", lock="ada", queueing_lock=None, task_name="move")
    decision = jobs.Later().get_retry_decision(exception=error, job=one)
    if decision is None:
        return None
    assert decision.retry_at is not None
    return (decision.retry_at - datetime.now(UTC)).total_seconds()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "no job: JSONDecodeError"),
        ("[]", "no job: TypeError"),
        ('{"user": "ada"}', "no job: KeyError"),
        ('{"user": "ada", "dates": {"1": "soon"}}', "no job: ValueError"),
        ('{"user": "ada", "dates": {"1": "2027-01-04T08:00:00"}}', "dates: at most 200, each"),
        ('{"user": "tom", "dates": {"1": "2027-01-04T08:00:00Z"}}', "user: no token of 'tom'"),
    ],
)
def test_a_plan_that_cannot_be_used_adds_no_job(
    line: str, reason: str, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    job(sandbox, monkeypatch, tmp_path)
    plan = tmp_path / "plan.jsonl"
    plan.write_text('{"user": "ada", "dates": {"1": "2027-01-04T08:00:00Z"}}\n' + line)
    with pytest.raises(ValueError, match=f"plan.jsonl:2: {reason}"):
        asyncio.run(jobs.add(plan))  # it reads the whole plan before it needs a database


def test_the_command_says_what_it_cannot_reach(tmp_path: Path) -> None:
    variables = {"PYTHONPATH": os.pathsep.join(map(str, FOLDERS)), "PGHOST": "127.0.0.1"}
    ended = subprocess.run(
        [sys.executable, "-m", "demo.machines", "status"],
        env={**os.environ, **variables, "PGPORT": "1", "PGCONNECT_TIMEOUT": "1"},
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "127.0.0.1" in ended.stderr
    assert "Traceback" not in ended.stderr
