"""The asynchronous client as a whole: thousands of tasks, and event loops of both kinds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from social_publishing import (
    AsyncSocialPublishing,
    DeadlineExceeded,
    NotFoundError,
)
from social_publishing.models import GroupType, Weekday

from social_publishing_sandbox import Sandbox
from tests.support.both import BACKENDS


def sandboxed(sandbox: Sandbox, **options: Any) -> AsyncSocialPublishing:
    return AsyncSocialPublishing(
        api_token=sandbox.token, base_url=sandbox.base_url, media_url=sandbox.media_url, **options
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_both_kinds_of_event_loops(backend: str, tmp_path: Path) -> None:
    """Lists, chunks at once, an upload that is waited for, errors, deadlines, cancellation."""
    subtitles = tmp_path / "a.srt"
    subtitles.write_text("1\n00:00:00,000 --> 00:00:01,000\nBread\n", encoding="utf-8")

    async def main(sandbox: Sandbox) -> None:
        group = sandbox.find("groups", name="Kornblume Bakery")[0]["id"]
        async with sandboxed(sandbox) as client:
            assert (await client.groups.get(group)).id == group
            ids = [post.id async for post in client.posts.list(group_id=group)]
            unknown = [str(10**17 + number) for number in range(450)]
            found = await client.posts.get_many(ids=[*ids, *unknown])
            assert [post.id for post in found] == ids
            assert list(found.missing) == unknown
            media = await client.media.upload(file=subtitles, wait=True)
            assert media.is_processing is False
            with pytest.raises(NotFoundError):
                await client.groups.get("1")
            sandbox.fault("latency", ms=5000)
            with pytest.raises(DeadlineExceeded):
                await client.with_options(deadline=0.2).groups.get(group)
            with anyio.move_on_after(0.2) as scope:
                await client.posts.get_many(ids=[*ids, *unknown])
            assert scope.cancelled_caught

    with Sandbox(processing=0.2, rate_limit=None) as sandbox:
        anyio.run(main, sandbox, backend=backend)


class Awaiting(httpx2.AsyncBaseTransport):
    """Responds with what is documented, and lets others have their turn before and afterwards.

    Attributes:
        written: whether a write has come.
        under_way: requests that got no response yet.
    """

    written = False
    under_way = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.under_way += 1
        self.written |= request.method == "PUT"
        try:
            await anyio.sleep(0)
            await anyio.sleep(0)
        finally:
            self.under_way -= 1
        rate = {"X-RateLimit-Limit": "1000000", "X-RateLimit-Remaining": "999999"}
        notes = "calendar-notes" in request.url.path
        found: Any = [] if notes else {"id": "1", "name": "a", "timezone": "UTC"}
        return httpx2.Response(200, json=found, headers=rate)


CANCELLED: dict[str, Callable[[AsyncSocialPublishing], Coroutine[Any, Any, Any]]] = {
    "calendar_notes.list": lambda client: client.calendar_notes.list(
        start=datetime(2026, 1, 1, tzinfo=UTC), end=datetime(2026, 12, 1, tzinfo=UTC)
    ),
    "groups.update": lambda client: client.groups.update(
        "1", name="b", type=GroupType.GROUP, week_start_day=Weekday.MONDAY, note="n",
        max_social_accounts=3, default_everyone_must_approve=True, default_assignee_ids=[],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CANCELLED)
def test_a_call_of_several_requests_is_cancelled_at_every_await(name: str) -> None:
    """No task, request or wait is left; and a write that left is reported as perhaps done."""

    async def main() -> int:
        way = Awaiting()
        http = httpx2.AsyncClient(transport=way)
        places = dict(base_url="http://a.test/v1", api_token=name)
        async with http, AsyncSocialPublishing(**places, http_client=http) as client:
            points = 0
            while True:
                way.written = False
                task = asyncio.create_task(CANCELLED[name](client))
                for _ in range(points):
                    await asyncio.sleep(0)
                if task.done():
                    await task
                    return points
                task.cancel()
                with pytest.raises(asyncio.CancelledError) as caught:
                    await task
                noted = any("was sent: it may" in n for n in getattr(caught.value, "__notes__", ()))
                assert noted is way.written
                await asyncio.sleep(0)
                assert asyncio.all_tasks() == {asyncio.current_task()}
                room = client.rate_limit
                assert (way.under_way, room and room.waiting) == (0, 0)
                points += 1

    assert asyncio.run(main()) >= 5
