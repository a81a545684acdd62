"""What a call costs, in calls of Python functions.

Both sides send the same request over the loopback, once the connection is there. No clock decides.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

import httpx2
import msgspec
import pytest
import social_publishing
from social_publishing import AsyncSocialPublishing, SocialPublishing
from social_publishing.models.groups import Group
from social_publishing.models.posts import PostPage

from benchmarks import server

TOKEN = "costs"
MEDIA = "http://media.invalid/api/v1"
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
OURS = str(social_publishing.__file__).removesuffix("__init__.py")
WARM = 16  # calls after which everything is there that stays
GUARD = 1.25  # the figures of today, and a quarter: less is a matter of taste
MANY = [str(each) for each in range(1000, 1200)]


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with server.running() as address:
        yield address


@contextmanager
def counting() -> Iterator[list[CodeType]]:
    """The functions that are called in this thread, generators also each time they go on."""
    called: list[CodeType] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            called.append(frame.f_code)

    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)


def counted(call: Callable[[], object]) -> tuple[int, int]:
    """Calls of Python functions, and of those of the client among them: the fewest of several."""
    for _ in range(WARM):
        call()
    found = []
    for _ in range(5):
        with counting() as called:
            call()
        own = sum(code.co_filename.startswith(OURS) for code in called)
        found.append((len(called), own))
    return min(found)


@contextmanager
def ours(base: str) -> Iterator[SocialPublishing]:
    with SocialPublishing(api_token=TOKEN, base_url=base, media_url=MEDIA) as client:
        yield client


CASES = {
    "1 KB": (lambda it: it.groups.get("2"), "/groups/2", {}, Group),
    "a page": (
        lambda it: it.posts.list(group_id="1", page=1).first_page(),
        "/posts", {"groupId": "1", "page": 1}, PostPage,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_call_costs_no_more_than_httpx2_by_hand(case: str, base: str) -> None:
    call, path, query, type_ = CASES[case]
    decode = msgspec.json.Decoder(type_).decode
    with ours(base) as client, httpx2.Client(base_url=base, headers=HEADERS) as http:

        def by_hand() -> Any:
            response = http.get(path, params=query or None)
            response.raise_for_status()
            return decode(response.content)

        whole, own = counted(lambda: call(client))
        hand, _ = counted(by_hand)
    assert whole <= hand, (whole, hand, own)


@pytest.mark.parametrize("case", CASES)
def test_an_awaited_call_costs_no_more_than_httpx2_by_hand(case: str, base: str) -> None:
    call, path, query, type_ = CASES[case]
    decode = msgspec.json.Decoder(type_).decode
    client = AsyncSocialPublishing(api_token=TOKEN, base_url=base, media_url=MEDIA)
    http = httpx2.AsyncClient(base_url=base, headers=HEADERS)

    # Neither gives its result to the runner, which would look at its text.
    async def by_hand() -> None:
        response = await http.get(path, params=query or None)
        response.raise_for_status()
        decode(response.content)

    async def ended() -> None:
        await client.close()
        await http.aclose()

    with asyncio.Runner() as runner:

        async def ours() -> None:
            await call(client)

        whole, own = counted(lambda: runner.run(ours()))
        hand, _ = counted(lambda: runner.run(by_hand()))
        runner.run(ended())
    assert whole <= hand, (whole, hand, own)


def test_identifiers_cost_a_few_function_calls_each(base: str) -> None:
    with ours(base) as client:
        _, one = counted(lambda: client.posts.get_many(ids=MANY[:1]))
        _, many = counted(lambda: client.posts.get_many(ids=MANY))
    each = (many - one) / (len(MANY) - 1)
    assert each <= GUARD * 6, each


@pytest.mark.parametrize("case", CASES)
def test_a_call_leaves_no_circles(case: str, base: str) -> None:
    """What a call held goes with its result: a page that waited for the collector fills memory."""
    call, *_ = CASES[case]
    client = AsyncSocialPublishing(api_token=TOKEN, base_url=base, media_url=MEDIA)

    async def awaited() -> None:
        await call(client)

    with ours(base) as waiting, asyncio.Runner() as runner:
        left = _left_to_collect(lambda: call(waiting))
        left_awaited = _left_to_collect(lambda: runner.run(awaited()))
        runner.run(client.close())
    assert (left, left_awaited) == (0, 0)


def _left_to_collect(call: Callable[[], object]) -> int:
    """How many objects only the garbage collector frees, once a call is over that is not the first.

    Args:
        call: makes a call, and keeps nothing of it.
    """
    call()
    gc.collect()
    gc.disable()  # whatever it found meanwhile would not be counted
    try:
        call()
        return gc.collect()
    finally:
        gc.enable()
