"""What a call costs, in calls of Python functions.

Both sides send the same request over the loopback, once the connection is there. No clock decides.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

import httpx2
import msgspec
import pytest
import social_publishing
from social_publishing import SocialPublishing
from social_publishing.models.groups import Group

from benchmarks import server

TOKEN = "costs"
MEDIA = "http://media.invalid/api/v1"
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
OURS = str(social_publishing.__file__).removesuffix("__init__.py")
WARM = 16  # calls after which everything is there that stays
GUARD = 1.25  # the figures of today, and a quarter: less is a matter of taste
DECODE = msgspec.json.Decoder(Group).decode
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


def test_a_call_costs_little_more_than_httpx2_by_hand(base: str) -> None:
    with ours(base) as client, httpx2.Client(base_url=base, headers=HEADERS) as http:

        def by_hand() -> Group:
            response = http.get("/groups/2")
            response.raise_for_status()
            return DECODE(response.content)

        whole, own = counted(lambda: client.groups.get("2"))
        hand, _ = counted(by_hand)
    assert whole <= GUARD * hand, (whole, hand, own)


def test_identifiers_cost_a_few_function_calls_each(base: str) -> None:
    with ours(base) as client:
        _, one = counted(lambda: client.posts.get_many(ids=MANY[:1]))
        _, many = counted(lambda: client.posts.get_many(ids=MANY))
    each = (many - one) / (len(MANY) - 1)
    assert each <= GUARD * 6, each
