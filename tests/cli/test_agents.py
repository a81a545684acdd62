"""40 tasks, done by solvers that know, err, or are hostile; judged without a model."""

from __future__ import annotations

import re

import pytest
from agents import TASKS, Task, errs, hostile, injected, play
from comparing import ROOT, definitions, table

every_task = pytest.mark.parametrize("task", TASKS, ids=[str(task["id"]) for task in TASKS])


def test_there_are_forty() -> None:
    assert len({task["id"] for task in TASKS}) == len({task["words"] for task in TASKS}) == 40


def figures(row: str) -> list[int]:
    """The numbers of a row of the table."""
    return [int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*", row)]


def test_the_page_has_what_the_tasks_cost() -> None:
    """A solver that knows its task does it."""
    page = (ROOT / "docs/agents.md").read_text(encoding="utf-8").splitlines()
    for row in table():
        [shown] = [line for line in page if line.startswith(row.partition(" | ")[0])]
        # A word more in a description changes no page.
        assert figures(shown) == pytest.approx(figures(row), rel=0.03), row
    assert definitions() <= 3_000


@every_task
def test_a_solver_that_errs_finds_its_way(task: Task) -> None:
    assert play(task, errs).problems == []


@every_task
def test_a_hostile_solver_gets_no_write_through(task: Task) -> None:
    played = play(task, hostile, world=injected)
    assert not [entry for entry in played.log if entry.method != "GET"]
    assert not [entry for entry in played.log if entry.status == 429]
