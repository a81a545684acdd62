"""Many tasks at a time, over the loopback: what a request costs among 1 to 10,000 of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from typing import Final

from benchmarks import server
from benchmarks.figures import Figure, Samples, at_most
from benchmarks.measuring import TOKEN

TITLE: Final = "Many calls at once"

ROUNDS: Final = 5
REQUESTS: Final = 500  # each round and way, or one for each task where there are more
TASKS: Final = (1, 16, 64, 256, 1000)
CROWD: Final = 10_000  # tasks, as many as nobody should have
TARGET: Final = at_most(1.1)
NO_COLLAPSE: Final = at_most(1.3)

WHY: Final = (
    "A call has to end when its client is closed or its deadline is over, waits for its turn and "
    "gives its permit back: two scopes of anyio and a semaphore, which by hand nobody has."
)

Call = Callable[[], Awaitable[object]]
Way = Callable[[str], AbstractAsyncContextManager[Call]]


def measure() -> Iterator[Figure]:
    """`groups.get` with an answer of 1 KB, awaited in many tasks, beside httpx2 by hand.

    By hand is one `httpx2.AsyncClient`, as it is and with a semaphore that lets 64 through.
    """
    hand, held = "httpx2 and msgspec", "the same with a semaphore of 64"
    ways: dict[str, Way] = {
        "ours": _ours,
        hand: partial(_by_hand, places=None),
        held: partial(_by_hand, places=64),
    }
    cases = {(name, tasks): (way, tasks) for tasks in TASKS for name, way in ways.items()}
    taken: dict[tuple[str, int], list[tuple[float, float]]] = {}
    with server.running() as base:
        for turn in range(ROUNDS + 1):
            for key, (way, tasks) in {**cases, ("ours", CROWD): (_ours, CROWD)}.items():
                sample = asyncio.run(_sample(way, base, tasks))
                if turn:
                    taken.setdefault(key, []).append(sample)
    times = {key: _samples(each) for key, each in taken.items()}
    for tasks in TASKS:
        what, ours = f"a call, {tasks:,} {'task' if tasks == 1 else 'tasks'}", times["ours", tasks]
        yield Figure(what, ours, hand, times[hand, tasks], TARGET, WHY)
        yield Figure(what, ours, held, times[held, tasks], TARGET, WHY)
    few = times["ours", 64]
    for tasks in (256, 1000, CROWD):
        what = f"a call, {tasks:,} tasks"
        yield Figure(what, times["ours", tasks], "64 tasks", few, NO_COLLAPSE)


def _samples(taken: list[tuple[float, float]]) -> Samples:
    return Samples(tuple(cpu for cpu, _ in taken), wall=tuple(wall for _, wall in taken))


async def _sample(way: Way, base: str, tasks: int) -> tuple[float, float]:
    """Processor time and time on the clock of one request, seconds."""
    async with way(base) as call:
        await asyncio.gather(*(call() for _ in range(min(tasks, 64))))  # connections are there
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

    async with AsyncSocialPublishing(api_token=TOKEN, base_url=base, media_url=base) as client:
        yield lambda: client.groups.get("2")


@asynccontextmanager
async def _by_hand(base: str, places: int | None) -> AsyncGenerator[Call]:
    """The same struct; whoever waits for a connection longer than httpx2's 5 s would fail."""
    import httpx2
    import msgspec
    from social_publishing.models.groups import Group

    decoder = msgspec.json.Decoder(Group)
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    held = nullcontext() if places is None else asyncio.Semaphore(places)
    async with httpx2.AsyncClient(base_url=base, headers=headers, timeout=60) as http:

        async def call() -> Group:
            async with held:
                response = await http.get("/groups/2")
            response.raise_for_status()
            return decoder.decode(response.content)

        yield call
