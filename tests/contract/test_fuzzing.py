"""Hostile servers by seed; and that the fuzzer notices what must not be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from social_publishing import (
    Batch,
    ConnectionFailed,
    Exchange,
    PartialFailure,
    StatusError,
)

from harness.hostile_runs import Happened, problems
from harness.hostile_scenarios import CORE, Play, Scenario, scenario
from tests.support.documents import operations

FUZZING = Path(__file__).with_name("fuzzing.py")
ELSEWHERE = "http://127.0.0.1:9"


def test_hostile_servers() -> None:
    done = subprocess.run(
        [sys.executable, str(FUZZING), "--seeds", "500"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_seed_is_a_scenario_and_all_operations_are_met() -> None:
    met = [scenario(seed, ELSEWHERE) for seed in range(500)]
    assert met[:50] == [scenario(seed, ELSEWHERE) for seed in range(50)]
    assert {each.operation.id for each in met} == set(operations())
    assert {each.side for each in met} == {"sync", "asyncio", "trio"}
    assert {each.scheme for each in met} == {"http", "https"}


# What it has to notice: an unsafe write that the server was asked for once or twice.

LINE = ("POST", "/v1/labels", b"{}")
EXCHANGE = Exchange("labels.create", "POST", "http://x/v1/labels")
REFUSED = StatusError(EXCHANGE._replace(status=409), {})
NOT_SENT = ConnectionFailed("refused", EXCHANGE, sent=False)
PERHAPS = StatusError(EXCHANGE._replace(status=409), {})
PERHAPS.may_be_done = True
DONE, REFUSAL = Play(b"", 200, carries_out=True), Play(b"", 409, is_refusal=True)


def a_write(*plays: Play) -> Scenario:
    options = {"deadline": 0.1}
    return Scenario(
        1, operations()["createLabel"], {}, "sync", "body", "http", False, plays, options
    )


def happened(*plays: Play, done: int = 0, **members: Any) -> Happened:
    given = {"requests": [LINE] * len(plays), "before": [0] * len(plays), "carried_out": done}
    return Happened(**{**given, "played": list(plays), **members})


BAD = {
    "none of our errors": happened(error=KeyError("x")),
    "late": happened(DONE, done=1, seconds=9.0),
    "the token is shown": happened(DONE, done=1, shown=[f"Bearer {CORE}"]),
    "a response to another request": happened(DONE, done=1, result="not asked for"),
    "asyncio reports": happened(DONE, done=1, asyncio_errors=["never retrieved"]),
    "other requests than one": happened(DONE, done=1, requests=[LINE, ("GET", "/", b"")]),
    "sent again": happened(DONE, DONE, done=2, before=[0, 1]),
    "said to be done": happened(REFUSAL),
    "done, and the error does not say": happened(DONE, done=1, error=REFUSED),
    "sent, and the error says that it was not": happened(REFUSAL, error=NOT_SENT),
    "refused, and the error says": happened(REFUSAL, error=PERHAPS),
    "reconcile() says that it is done": happened(REFUSAL, error=REFUSED, reconciled=True),
    "more was done than the error says": happened(
        DONE, done=1, error=PartialFailure("x", [], [Batch([], error=REFUSED)], [])
    ),
}


@pytest.mark.parametrize("problem", BAD)
def test_what_must_not_be_is_noticed(problem: str) -> None:
    found = list(problems(a_write(DONE), BAD[problem]))
    assert [each for each in found if problem in each] == found != []


def test_what_may_be_is_no_problem() -> None:
    for good in (
        happened(DONE, done=1),
        happened(REFUSAL, error=REFUSED),
        happened(error=NOT_SENT),
        happened(DONE, done=1, error=PERHAPS),
    ):
        assert list(problems(a_write(DONE), good)) == []


def test_what_was_never_sent_cannot_be_done() -> None:
    found = list(problems(a_write(), happened(error=PERHAPS)))
    assert ["nothing was sent" in each for each in found] == [True]
