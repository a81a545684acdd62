"""The asynchronous client as a whole: thousands of tasks, and event loops of both kinds."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import anyio
import pytest
from social_publishing import (
    AsyncSocialPublishing,
    DeadlineExceeded,
    NotFoundError,
    PartialFailure,
)

from social_publishing_sandbox import Sandbox
from tests.support.server import Request, Response, serve

BACKENDS = ["asyncio", *(["trio"] if find_spec("trio") else [])]
CLIENT = Path(__file__).parents[2] / "generated" / "client" / "src"

# Each task waits for its turn; the growth of the memory in bytes is printed.
MANY = """
import asyncio, resource, sys
from social_publishing import AsyncSocialPublishing

def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

async def main():
    url, tasks = sys.argv[1], int(sys.argv[2])
    places = dict(api_token="a-token-of-many", base_url=f"{url}/v1", media_url=f"{url}/api/v1")
    async with AsyncSocialPublishing(**places, pacing="off") as client:
        async def one(n):
            assert (await client.groups.get(str(n))).id == str(n)
        await asyncio.gather(*map(one, range(1, 200)))
        before = memory()
        await asyncio.gather(*map(one, range(1, tasks + 1)))
        print(memory() - before)

asyncio.run(main())
"""


def group(request: Request) -> Response:
    return Response(json={"id": request.path.rpartition("/")[2], "name": "a"})


def test_thousands_of_tasks_in_little_memory() -> None:
    """Every task gets its own answer; a waiting one takes less than 32 KB."""
    tasks = 2000
    with serve(group) as server:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", MANY, server.origin, str(tasks)],
            env={**os.environ, "PYTHONPATH": str(CLIENT)},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert server.most <= 64
        server.wait_for(lambda it: it.open == 0)
        assert server.broken == 0
    assert int(done.stdout) < tasks * 32_000


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


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_group_of_tasks_sees_the_error_of_one_part(backend: str) -> None:
    """Chunks are sent in tasks; what goes wrong there arrives as it is, never as a group."""

    async def main(sandbox: Sandbox) -> None:
        ids = [str(10**17 + number) for number in range(1000)]
        async with sandboxed(sandbox, retries=0) as client:
            sandbox.fault("status", status=500, operations="getPosts", times=1)
            with pytest.raises(PartialFailure) as caught:
                await client.posts.get_many(ids=ids)
            assert len(caught.value.failed) == 1

        def refusing(attempt: Any, send: Any) -> Any:
            raise KeyError("mine")

        async with sandboxed(sandbox, middleware=[refusing]) as client:
            with pytest.raises(KeyError, match="mine"):
                await client.posts.get_many(ids=ids)

    with Sandbox(rate_limit=None) as sandbox:
        anyio.run(main, sandbox, backend=backend)
