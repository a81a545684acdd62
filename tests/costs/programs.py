"""Clients and requests whose traces in a process are counted: many calls, then as many more."""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import httpx2
from social_publishing import (
    AsyncSocialPublishing,
    Pacing,
    RateStore,
    Retries,
    SocialPublishing,
    SocialPublishingError,
)
from social_publishing._runtime.limits.rates import RateRule
from social_publishing._runtime.limits.shared import SharedRates

from benchmarks import samples
from benchmarks.measuring import TOKEN
from social_publishing_sandbox import Sandbox
from tests.support import rate_service
from tests.support.clock import StillClock

BASE: Final = "http://service.invalid/v1"
MEDIA: Final = "http://service.invalid/api/v1"
SETTINGS: Final[dict[str, Any]] = {
    "api_token": TOKEN,
    "base_url": BASE,
    "media_url": MEDIA,
    "retries": Retries(first_pause=0.0),
}
TASKS: Final = 64


class Held(NamedTuple):
    """What a process holds: blocks of memory of Python's, open files and sockets, threads."""

    blocks: int
    handles: int
    threads: int


def held() -> Held:
    """Return what this process holds after a garbage collection; OSError without /proc."""
    gc.collect()
    return Held(
        sys.getallocatedblocks(),
        len(os.listdir("/proc/self/fd")),
        len(os.listdir("/proc/self/task")),
    )


# Calls in memory


class Service:
    """Responds in memory: whole responses, broken ones, refusals, lost connections."""

    def __init__(self) -> None:
        group, page = samples.group(), samples.page(5)
        self._page, self._group = json.loads(page), json.loads(group)
        self._ready = {"1": group, "2": samples.small_group(), "3": page[:-9]}
        self._label = samples.label()
        self._asked = itertools.count()

    def respond(self, request: httpx2.Request) -> httpx2.Response:
        """Respond to a request; every second one that is to be lost or put off is.

        Raises:
            httpx2.ConnectError, httpx2.ReadError: there is no response.
        """
        number, name = next(self._asked), request.url.path.rpartition("/")[2]
        match name:
            case "labels" if number % 7 < 2:
                raise httpx2.ReadError("reset")
            case "labels" if number % 7 < 4:
                errors = b'{"message": "No.", "errors": {"name": ["Too long."]}}'
                return self._response(422, errors)
            case "labels":
                return self._response(200, self._label)
            case "posts":
                return self._response(200, self._listed(request))
            case "404":
                return self._response(404, b'{"message": "There is no such group."}')
            case "503" if number % 2:
                return self._response(503, b'{"message": "Later."}', {"Retry-After": "0"})
            case "500" if number % 2:
                raise httpx2.ConnectError("refused")
            case "200":
                unknown = {**self._group, "type": 1000 + number, f"new_{number % 1000}": number}
                return self._response(200, json.dumps(unknown).encode())
        return self._response(200, self._ready.get(name, self._ready["1"]))

    def _listed(self, request: httpx2.Request) -> bytes:
        current = int(request.url.params.get("page", 1))
        after = f"{BASE}/posts?groupId=1&page=2" if current == 1 else None
        meta = {"current_page": current, "last_page": 2, "next_page_url": after}
        return json.dumps({**self._page, "meta": meta}).encode()

    def _response(
        self, status: int, body: bytes, more: dict[str, str] | None = None
    ) -> httpx2.Response:
        headers = {"Content-Type": "application/json", **samples.rate_headers(), **(more or {})}
        return httpx2.Response(status, headers=headers, content=body)


_GROUPS: Final = ("1", "2", "503", "404", "500", "3", "200", "1")  # and then a list and a label


def _begin(client: Any, number: int) -> Any:
    """Begin the call of a number, of either client."""
    kind = number % (len(_GROUPS) + 2)
    if kind < len(_GROUPS):
        return client.groups.get(_GROUPS[kind])
    if kind == len(_GROUPS):
        return client.posts.list(group_id="1")
    return client.labels.create(name=f"label {number}")


def called(early: int, late: int) -> Iterator[Held]:
    """Yield what a client holds after so many calls, and after so many in all."""
    http = httpx2.Client(transport=httpx2.MockTransport(Service().respond))
    with SocialPublishing(**SETTINGS, http_client=http) as client:
        for numbers in (range(early), range(early, late)):
            for number in numbers:
                with suppress(SocialPublishingError):
                    result = _begin(client, number)
                    if hasattr(result, "pages"):
                        for _ in result:
                            pass
            yield held()


def awaited(early: int, late: int) -> Iterator[Held]:
    """Yield the same for the asynchronous client, with 64 tasks at a time."""
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(Service().respond))
    client = AsyncSocialPublishing(**SETTINGS, http_client=http)

    async def work(left: Iterator[int]) -> None:
        for number in left:
            with suppress(SocialPublishingError):
                result = _begin(client, number)
                if hasattr(result, "pages"):
                    async for _ in result:
                        pass
                else:
                    await result

    async def all_work(numbers: range) -> None:
        left = iter(numbers)
        async with asyncio.TaskGroup() as group:
            for _ in range(TASKS):
                group.create_task(work(left))

    with asyncio.Runner() as runner:
        for numbers in (range(early), range(early, late)):
            runner.run(all_work(numbers))
            yield held()
        runner.run(client.close())


# Processes that share a rate limit


def shared(
    stores: Callable[[Callable[[], float]], RateStore], early: int, late: int
) -> Iterator[Held]:
    """Yield what four processes of a user hold after so many calls, and after so many in all.

    Each is a budget of this process, and their time is simulated; the stores are real.

    Args:
        stores: makes a store by a clock.
    """
    clock = StillClock()
    service = rate_service.Service(clock)
    rates = [SharedRates(stores(lambda: 1e6 + clock.time)) for _ in range(4)]
    rule = RateRule(60, 60.0, *rate_service.HEADERS)
    budgets = [each.budget("user", rule) for each in rates]
    for numbers in (range(early), range(early, late)):
        for number in numbers:
            budget = budgets[number // 31 % 4]
            permit = budget.take("books.list", Pacing(), None, clock)
            clock.sleep(0.1)
            status, headers = service.answer()
            budget.settle(permit, headers, status, clock)
            if number % 31 == 30:
                budget.report(clock, leaving=True)
        assert not service.refused
        service.accepted.clear()
        clock.pauses.clear()
        yield held()


# Clients that come and go


def opened(base: str, early: int, late: int) -> Iterator[Held]:
    """Yield what a process holds after so many clients of a server, each closed after one call."""
    for number in (early, late - early):
        for _ in range(number):
            with SocialPublishing(api_token=TOKEN, base_url=base, media_url=MEDIA) as client:
                client.groups.get("2")
        yield held()


def opened_async(base: str, early: int, late: int) -> Iterator[Held]:
    """Yield the same for asynchronous clients, each tenth in an event loop of its own."""

    async def ten() -> None:
        for _ in range(10):
            async with AsyncSocialPublishing(
                api_token=TOKEN, base_url=base, media_url=MEDIA
            ) as client:
                await client.groups.get("2")

    for number in (early, late - early):
        for _ in range(0, number, 10):
            asyncio.run(ten())
        yield held()


# Requests to a sandbox


class There(NamedTuple):
    """A sandbox as its clients know it: where it is, and what is in it."""

    base: str
    token: str
    posts: list[str]
    group: str


def there(sandbox: Sandbox) -> There:
    """Return where a sandbox is, with 72 fresh posts."""
    posts = [sandbox.create_post(content="", status="DRAFT")["id"] for _ in range(72)]
    return There(sandbox.base_url, sandbox.token, posts, sandbox.find("groups")[0]["id"])


class _Request(NamedTuple):
    """A request, and the status of its response; `$` in the body is its number."""

    method: str
    target: str
    status: int = 200
    body: str = ""


_OF_ONE_CONNECTION: Final = 500
_READS: Final = (_Request("GET", "/posts-bulk?ids={post}"), _Request("GET", "/groups/{group}"))
_REFUSED: Final = (
    _Request("GET", "/nothing/{number}", 404),
    _Request("GET", "/groups/{number}", 404),
    _Request("GET", "/groups/{group}?{number}=1", 401),
    _Request("GET", "/posts?groupId={number}x", 422),
    _Request("PATCH", "/posts/{post}", 422, '{"content": $}'),
)
_KINDS: Final = {
    "read": (*_READS * 6, _Request("GET", "/posts?groupId={group}"), *_REFUSED),
    "refused": _REFUSED,
    "write": (_Request("PATCH", "/posts/{post}", 200, '{"content": "Change $"}'),),
}


def send(there: There, kind: str, numbers: range) -> None:
    """Send a sandbox the requests of these numbers, over one connection after the other.

    Args:
        kind: `read` for reads and refusals, `refused` for refusals alone, `write` for changes.
    """
    address = urlsplit(there.base)
    for first in range(numbers.start, numbers.stop, _OF_ONE_CONNECTION):
        connection = HTTPConnection(address.hostname or "", address.port, timeout=60)
        with closing(connection):
            for number in range(first, min(first + _OF_ONE_CONNECTION, numbers.stop)):
                request = _KINDS[kind][number % len(_KINDS[kind])]
                post = there.posts[number % len(there.posts)]
                target = request.target.format(number=number, group=there.group, post=post)
                token = f"nobody-{number}" if request.status == 401 else there.token
                headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
                body = request.body.replace("$", str(number)) or None
                connection.request(request.method, address.path + target, body, headers)
                response = connection.getresponse()
                content = response.read()
                assert response.status == request.status, (target, content)
