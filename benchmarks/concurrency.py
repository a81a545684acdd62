"""Many tasks at a time, over the loopback: what a request costs among 1 to 1,000 of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Final

from benchmarks import server
from benchmarks.figures import Figure
from benchmarks.measuring import TOKEN, samples, turns

TITLE: Final = "Many calls at once"

ROUNDS: Final = 5
REQUESTS: Final = 500  # each round, or one for each task where there are more
TASKS: Final = (1, 16, 1000)
TARGET: Final = 1.25
NO_COLLAPSE: Final = 1.05  # no slower; runs of the same code differ by as much
BY_HAND: Final = "httpx2 and msgspec"

WHY: Final = (
    "A call has to end when its client is closed or its deadline is over, waits for its turn and "
    "gives its permit back: two scopes of anyio and a semaphore, which by hand nobody has."
)
WHY_MANY: Final = (
    "At most 16 requests are under way; each of the other tasks has to be made and to wait for its "
    "turn. httpx2 by hand takes a third more for a call among 1,000 tasks than among 16."
)

Call = Callable[[], Awaitable[object]]
Side = Callable[[str], AbstractAsyncContextManager[Call]]


def measure() -> Iterator[Figure]:
    """Measure `groups.get` with a response of 1 KB in many tasks, and one `httpx2.AsyncClient`."""
    sides: dict[str, Side] = {"ours": _ours, BY_HAND: _by_hand}
    with server.running() as base:
        cases = {
            (name, tasks): partial(_run, side, base, tasks)
            for tasks in TASKS
            for name, side in sides.items()
        }
        times = {key: samples(taken) for key, taken in turns(cases, ROUNDS).items()}
    for tasks in TASKS:
        what, ours = f"a call, {tasks:,} {'task' if tasks == 1 else 'tasks'}", times["ours", tasks]
        yield Figure(what, ours, BY_HAND, times[BY_HAND, tasks], TARGET, WHY)
    many, few = times["ours", 1000], times["ours", 16]
    yield Figure("a call, 1,000 tasks", many, "16 tasks", few, NO_COLLAPSE, WHY_MANY)


def _run(side: Side, base: str, tasks: int) -> tuple[float, float]:
    return asyncio.run(_sample(side, base, tasks))


async def _sample(side: Side, base: str, tasks: int) -> tuple[float, float]:
    """Return processor time and time on the clock of one request, seconds."""
    async with side(base) as call:
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

    async with AsyncSocialPublishing(
        api_token=TOKEN, base_url=base, media_url="http://b.invalid/api/v1"
    ) as client:
        yield lambda: client.groups.get("2")


@asynccontextmanager
async def _by_hand(base: str) -> AsyncGenerator[Call]:
    """Use httpx2 with the same struct, and a timeout that no waiting task reaches."""
    import httpx2
    import msgspec
    from social_publishing.models.groups import Group

    decoder = msgspec.json.Decoder(Group)
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    async with httpx2.AsyncClient(base_url=base, headers=headers, timeout=60) as http:

        async def call() -> Group:
            response = await http.get("/groups/2")
            response.raise_for_status()
            return decoder.decode(response.content)

        yield call
