"""Work that takes longer than a host waits: it goes on, as a task where the client has them."""

from __future__ import annotations

import itertools
import re
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import anyio
import pytest
from cli_support import GROUP, Command, writes
from mcp.client.extension import ClientExtension, ResultClaim
from mcp.shared.exceptions import MCPError
from mcp_support import Answer, Assistant, Desk, Person, read
from mcp_types import Request, RequestParams, Result
from pydantic import ConfigDict, Field
from test_mcp import MODES, planned, renamed

from social_publishing_cli import plans
from social_publishing_cli.mcp import calls, server, tasks, work
from social_publishing_sandbox import Sandbox

SLOW = 150  # milliseconds of each write


@pytest.fixture
def desk(command: Command, tmp_path: Path) -> Desk:
    """Assistants that are signed in to the sandbox."""
    return Desk(tmp_path / "journals")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return what lets calls end, and hosts hear of work, so soon that tests are quick."""

    def hurry() -> None:
        monkeypatch.setattr(server, "LONGEST", 0.25)
        monkeypatch.setattr(tasks, "SOON", 0.05)
        monkeypatch.setattr(work, "BEAT", 0.05)

    return hurry


async def ended(it: Assistant, plan: str, answer: Answer) -> Answer:
    """Wait for the end of what applies a plan."""
    while "Still at work" in answer.words:
        answer = await it.call("apply_plan", plan_id=plan)
    return answer


@MODES
def test_a_plan_goes_on_after_the_call_and_the_next_call_waits_for_it(
    mode: str, desk: Desk, sandbox: Sandbox, impatient: Callable[[], None]
) -> None:
    sandbox.add_fault("latency", ms=SLOW, operations="updatePost")
    person = Person()

    async def run(it: Assistant) -> None:
        plan = await planned(it, sandbox, 6)
        impatient()
        answer = await it.call("apply_plan", plan_id=plan)
        assert not answer.failed and re.search(r"Still at work: [0-5] of 6 done", answer.words)
        now = (await it.call("was_it_done", plan_id=plan)).words
        assert "being applied right now" in now and "lost" not in now and "unknown" not in now
        seen = []
        while "Still at work" in answer.words:
            seen.append(answer.words)
            answer = await it.call("apply_plan", plan_id=plan)
        assert len(seen) > 1 and "6 done of 6" in answer.words

    desk.run(run, mode=mode, person=person, allow_writes=True)
    assert (len(person.asked), writes(sandbox), renamed(sandbox)) == (1, 6, 6)


@MODES
def test_a_plan_that_goes_on_can_be_stopped_and_continued(
    mode: str, desk: Desk, sandbox: Sandbox, impatient: Callable[[], None]
) -> None:
    sandbox.add_fault("latency", ms=SLOW, operations="updatePost")
    person = Person()

    async def run(it: Assistant) -> None:
        plan = await planned(it, sandbox, 6)
        impatient()
        await it.call("apply_plan", plan_id=plan)
        stopped = await it.call("apply_plan", plan_id=plan, stop="true")
        stopped = await ended(it, plan, stopped)
        assert "Stopped" in stopped.words and "not done" in stopped.words
        count = writes(sandbox)
        await anyio.sleep(3 * SLOW / 1000)
        assert writes(sandbox) == count < 6
        again = await it.call("apply_plan", plan_id=plan)
        again = await ended(it, plan, again)
        assert "6 done of 6" in again.words

    desk.run(run, mode=mode, person=person, allow_writes=True)
    assert (len(person.asked), writes(sandbox), renamed(sandbox)) == (2, 6, 6)


class Hesitant(Person):
    """Is asked twice before she answers: yes, and a moment later yes again."""

    async def __call__(self, context: object, params: Any) -> Any:
        answer = await super().__call__(context, params)
        number = len(self.asked)
        while len(self.asked) < 2:
            await anyio.sleep(0.01)
        await anyio.sleep(0.2 * number)
        return answer


def test_the_yes_to_a_second_question_finds_the_work_of_the_first(
    desk: Desk, sandbox: Sandbox, impatient: Callable[[], None]
) -> None:
    """So that it can be stopped, and is not said to be done by another process."""
    sandbox.add_fault("latency", ms=SLOW, operations="updatePost")
    person, told = Hesitant(), []

    async def run(it: Assistant) -> None:
        plan = await planned(it, sandbox, 8)
        impatient()

        async def apply() -> None:
            told.append((await it.call("apply_plan", plan_id=plan)).words)

        async with anyio.create_task_group() as group:
            group.start_soon(apply)
            group.start_soon(apply)
        assert len(told) == 2 and all("Still at work" in words for words in told), told
        stopped = await it.call("apply_plan", plan_id=plan, stop=True)
        stopped = await ended(it, plan, stopped)
        assert "Stopped" in stopped.words
        count = writes(sandbox)
        await anyio.sleep(3 * SLOW / 1000)
        assert writes(sandbox) == count < 8

    desk.run(run, mode="legacy", person=person, allow_writes=True)


@MODES
def test_long_reads_end_with_a_cursor_that_waits(
    mode: str, desk: Desk, sandbox: Sandbox, impatient: Callable[[], None]
) -> None:
    sandbox.add_fault("latency", ms=400, operations="listPosts")
    impatient()
    beats: list[float] = []

    async def run(it: Assistant) -> Answer:
        async def heard(done: float, total: float | None, text: str | None) -> None:
            beats.append(done)

        result = await it.client.call_tool(
            "find_posts", {"group_id": GROUP}, progress_callback=heard
        )
        answer = read(getattr(result.content[0], "text", ""))
        assert "Still at work" in answer.words and answer.cursor
        requests = len(sandbox.requests())
        while "Still at work" in answer.words:
            answer = await it.call("find_posts", cursor=answer.cursor)
        assert len(sandbox.requests()) <= requests + 1, "nothing is read twice"
        return answer

    assert len(desk.run(run, mode=mode).rows) == 19
    assert len(beats) > 1 and beats == sorted(set(beats)), "progress has to grow"


def test_a_host_hears_something_every_ten_seconds_and_calls_end_in_time() -> None:
    assert work.BEAT <= 10 and work.LONGEST <= 45


def test_a_host_hears_that_a_person_is_still_asked(
    desk: Desk, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "BEAT", 0.05)
    heard: list[str | None] = []
    person = Person()

    class Slow(Person):
        async def __call__(self, context: object, params: Any) -> Any:
            await anyio.sleep(0.4)
            return await super().__call__(context, params)

    async def run(it: Assistant) -> None:
        async def progress(done: float, total: float | None, text: str | None) -> None:
            heard.append(text)

        plan = await planned(it, sandbox, 1)
        await it.client.call_tool("apply_plan", {"plan_id": plan}, progress_callback=progress)

    person = Slow()
    desk.run(run, mode="legacy", person=person, allow_writes=True)
    assert heard.count("waiting for the person's answer") > 2 and renamed(sandbox) == 1


class Created(Result):
    """The result of a call that became a task."""

    model_config = ConfigDict(extra="allow")
    result_type: Literal["task"] = Field("task", alias="resultType")
    task_id: str = Field(alias="taskId")
    status: str
    ttl_ms: int | None = Field(alias="ttlMs")
    created_at: str = Field(alias="createdAt")


class Named(RequestParams):
    task_id: str = Field(alias="taskId")


class Task(Result):
    model_config = ConfigDict(extra="allow")


async def unfinished(claimed: Created, context: Any) -> Any:
    raise AssertionError("the test reads tasks itself")


class HasTasks(ClientExtension):
    """A client that knows tasks, and leaves them to the test."""

    identifier = tasks.EXTENSION

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Created, resolve=unfinished)]


async def task(it: Assistant, method: str, task_id: str) -> dict[str, Any]:
    """Call a method of the extension."""
    request = Request[Named, str](method=method, params=Named(taskId=task_id))
    found: Task = await it.client.session.send_request(request, Task)  # type: ignore[arg-type]
    return found.model_dump(by_alias=True)


async def begun(it: Assistant, plan: str) -> Created:
    """Apply a plan, after the person's yes, by a call that becomes a task."""
    session = it.client.session
    asked: Any = await session.call_tool(
        "apply_plan", {"plan_id": plan}, allow_input_required=True, allow_claimed=True
    )
    if isinstance(asked, Created):
        return asked
    yes: Any = {"yes": {"action": "accept", "content": {"yes": True}}}
    made: Any = await session.call_tool(
        "apply_plan",
        {"plan_id": plan},
        input_responses=yes,
        request_state=asked.request_state,
        allow_claimed=True,
    )
    assert isinstance(made, Created), made
    return made


def test_a_plan_is_a_task_where_the_client_has_them(
    desk: Desk, sandbox: Sandbox, impatient: Callable[[], None]
) -> None:
    sandbox.add_fault("latency", ms=SLOW, operations="updatePost")
    known: list[str] = []

    async def run(it: Assistant) -> None:
        plan = await planned(it, sandbox, 4)
        impatient()
        made = await begun(it, plan)
        assert made.status == "working" and made.ttl_ms is None
        found = await task(it, "tasks/get", made.task_id)
        assert found["status"] == "working" and "of 4 done" in found["statusMessage"]
        assert await task(it, "tasks/update", made.task_id)
        while found["status"] == "working":
            await anyio.sleep(0.05)
            found = await task(it, "tasks/get", made.task_id)
        assert found["status"] == "completed"
        assert "4 done of 4" in found["result"]["content"][0]["text"]
        assert found["result"]["isError"] is False
        known.append(made.task_id)
        for method in ("tasks/get", "tasks/update", "tasks/cancel"):
            with pytest.raises(MCPError, match="no such task"):
                await task(it, method, made.task_id[:-1] + "x")

    async def again(it: Assistant) -> None:  # another process, which has the journal
        found = await task(it, "tasks/get", known[0])
        assert found["status"] == "completed"
        assert "4 done of 4" in found["result"]["content"][0]["text"]

    async def without(it: Assistant) -> None:
        for method in ("tasks/get", "tasks/update", "tasks/cancel"):
            with pytest.raises(MCPError, match="Missing required client capability") as raised:
                await task(it, method, known[0])
            assert raised.value.error.code == -32021

    person = Person()
    desk.run(run, person=person, allow_writes=True, extensions=[HasTasks()])
    desk.run(again, person=person, allow_writes=True, extensions=[HasTasks()])
    desk.run(without, person=person, allow_writes=True)
    assert (writes(sandbox), renamed(sandbox)) == (4, 4)


def test_a_task_is_cancelled_and_found_interrupted_after_a_restart(
    desk: Desk, sandbox: Sandbox, impatient: Callable[[], None]
) -> None:
    sandbox.add_fault("latency", ms=SLOW, operations="updatePost")
    known: list[str] = []

    async def run(it: Assistant) -> None:
        plan = await planned(it, sandbox, 6)
        impatient()
        made = await begun(it, plan)
        known.append(made.task_id)
        assert await task(it, "tasks/cancel", made.task_id)
        found = await task(it, "tasks/get", made.task_id)
        while found["status"] == "working":
            await anyio.sleep(0.05)
            found = await task(it, "tasks/get", made.task_id)
        assert found["status"] == "cancelled" and "not done" in found["statusMessage"]

    async def again(it: Assistant) -> None:
        found = await task(it, "tasks/get", known[0])
        assert "not done" in found["result"]["content"][0]["text"]

    desk.run(run, person=Person(), allow_writes=True, extensions=[HasTasks()])
    count = writes(sandbox)
    assert count < 6
    desk.run(again, person=Person(), allow_writes=True, extensions=[HasTasks()])
    assert writes(sandbox) == count


def test_long_reads_are_tasks_too(
    desk: Desk, sandbox: Sandbox, impatient: Callable[[], None]
) -> None:
    sandbox.add_fault("latency", ms=300, operations="listPosts")
    impatient()

    async def run(it: Assistant) -> None:
        made: Any = await it.client.session.call_tool(
            "find_posts", {"group_id": GROUP}, allow_claimed=True
        )
        assert isinstance(made, Created)
        found: dict[str, Any] = {"status": "working"}
        while found["status"] == "working":
            await anyio.sleep(0.05)
            found = await task(it, "tasks/get", made.task_id)
        assert len(found["result"]["structuredContent"]["data"]) == 19

    desk.run(run, extensions=[HasTasks()])


def test_all_work_ends_with_the_server(
    desk: Desk, sandbox: Sandbox, impatient: Callable[[], None]
) -> None:
    sandbox.add_fault("latency", ms=SLOW, operations="updatePost")

    async def run(it: Assistant) -> None:
        plan = await planned(it, sandbox, 6)
        impatient()
        await it.call("apply_plan", plan_id=plan)

    desk.run(run, person=Person(), allow_writes=True)
    count = writes(sandbox)
    time.sleep(4 * SLOW / 1000)
    assert writes(sandbox) == count < 6
    [report] = plans.reports(desk.journals)
    assert report.count("waiting") == 6 - report.count("done")


def test_a_host_hears_now_and_then_that_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at each look, also where it has been at work for long."""
    clock, ended, told = itertools.count(), threading.Event(), list[float]()

    async def noted(*values: Any) -> None:
        told.extend(values[:1] * (len(values) > 1))  # a look has one: how long it waits

    monkeypatch.setattr(work, "anyio", SimpleNamespace(sleep=noted))
    monkeypatch.setattr(work, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    it = work.Work("1", calls.Call(), ended.wait)
    assert not anyio.run(it.wait, 60, noted)
    ended.set()
    assert len(told) == 10 and told == sorted({*told})
