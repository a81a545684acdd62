"""Many tasks at a time, over the loopback: what a request costs among 32, 1,000 and 10,000."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from benchmarks import server
from benchmarks.figures import Figure, Samples, at_most
from benchmarks.measuring import TOKEN

TITLE = "Many calls at once"

ROUNDS = 7
REQUESTS = 1000  # each round and way, or one for each task where there are more

Call = Callable[[], Awaitable[object]]
Way = Callable[[str], AbstractAsyncContextManager[Call]]


def measure() -> list[Figure]:
    """`groups.get` with an answer of 1 KB: many tasks against few, and against httpx2 by hand."""
    cases: dict[str, tuple[Way, int]] = {
        "32": (_ours, 32),
        "1,000": (_ours, 1000),
        "10,000": (_ours, 10_000),
        "by hand": (_by_hand, 1000),
    }
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    with server.running() as base:
        for turn in range(ROUNDS + 1):
            for name, (way, tasks) in cases.items():
                sample = asyncio.run(_sample(way, base, tasks))
                if turn:
                    samples[name].append(sample)
    times = {
        name: Samples(tuple(cpu for cpu, _ in taken), tuple(wall for _, wall in taken))
        for name, taken in samples.items()
    }
    few = times["32"]
    return [
        Figure("a call, 1,000 tasks", times["1,000"], "32 tasks", few, target=at_most(1.3)),
        Figure("a call, 10,000 tasks", times["10,000"], "32 tasks", few, target=at_most(1.3)),
        Figure("a call, 1,000 tasks", times["1,000"], "httpx2 and msgspec", times["by hand"]),
    ]


async def _sample(way: Way, base: str, tasks: int) -> tuple[float, float]:
    """Processor time and time on the clock of one request, seconds."""
    async with way(base) as call:
        await asyncio.gather(*(call() for _ in range(64)))  # connections are there
        number = max(REQUESTS, tasks)
        left = iter(range(number))

        async def work() -> None:
            for _ in left:
                await call()

        cpu, wall = time.process_time(), time.perf_counter()
        await asyncio.gather(*(work() for _ in range(tasks)))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return cpu / number, wall / number


@asynccontextmanager
async def _ours(base: str) -> AsyncGenerator[Call]:
    from social_publishing import AsyncSocialPublishing

    places = {"api_token": TOKEN, "base_url": base, "media_url": base}
    async with AsyncSocialPublishing(**places, pacing="off") as client:
        yield lambda: client.groups.get("2")


@asynccontextmanager
async def _by_hand(base: str) -> AsyncGenerator[Call]:
    """The same struct, and no more requests at a time than with ours."""
    import httpx2
    import msgspec
    from social_publishing.models.groups import Group

    decoder = msgspec.json.Decoder(Group)
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    places = asyncio.Semaphore(64)
    async with httpx2.AsyncClient(base_url=base, headers=headers) as http:

        async def call() -> Group:
            async with places:
                response = await http.get("/groups/2")
            response.raise_for_status()
            return decoder.decode(response.content)

        yield call
