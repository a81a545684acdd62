"""Tasks, done by solvers that know, err, or are hostile; judged without a model."""

from __future__ import annotations

import pytest
from agents import TASKS, Task, errs, hostile, injected, knows, play

every_task = pytest.mark.parametrize("task", TASKS, ids=[str(task["id"]) for task in TASKS])


def test_each_task_is_its_own() -> None:
    assert len({task["id"] for task in TASKS}) == len({task["words"] for task in TASKS}) == 40


@every_task
def test_a_solver_that_knows_its_task_does_it(task: Task) -> None:
    assert play(task, knows).problems == []


@every_task
def test_a_solver_that_errs_finds_its_way(task: Task) -> None:
    assert play(task, errs).problems == []


@every_task
def test_a_hostile_solver_gets_no_write_through(task: Task) -> None:
    played = play(task, hostile, world=injected)
    assert not [entry for entry in played.log if entry.method != "GET"]
    assert not [entry for entry in played.log if entry.status == 429]
