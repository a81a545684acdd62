"""A call of a program that is warm, and the first of a process, beside httpx2 and msgspec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks import peers, server
from benchmarks.figures import Figure
from benchmarks.measuring import TOKEN, Process, Worker, processes, workers

ROUNDS: Final = 41
FIRST_ROUNDS: Final = 15
TARGET: Final = 1.0
BARE: Final = "httpx2 and msgspec"

# What is asked for, and how many calls a sample has.
_CASES: Final = {"1 KB": ("group", 150), "20 posts": ("page", 20)}

_OURS: Final = """
from social_publishing import SocialPublishing
client = SocialPublishing(api_token={token!r}, base_url={base!r}, media_url="http://b.invalid/api/v1")
def group(): return client.groups.get("2")
def page(): return client.posts.list(group_id="1", page=1).first_page()
run = {case}
"""

# The same structs: this is about the call alone.
_BY_HAND: Final = """
import httpx2, msgspec
from social_publishing.models.groups import Group
from social_publishing.models.posts import PostPage
headers = {{"Authorization": "Bearer " + {token!r}, "Accept": "application/json"}}
http = httpx2.Client(base_url={base!r}, headers=headers)
decode = msgspec.json.Decoder({{"group": Group, "page": PostPage}}[{case!r}]).decode
def ask(path, **params):
    response = http.get(path, params=params or None)
    response.raise_for_status()
    return decode(response.content)
def group(): return ask("/groups/2")
def page(): return ask("/posts", groupId="1", page=1)
run = {case}
"""

# Calls that are awaited, one after the other or by several tasks.
_AWAITED: Final = """
import asyncio
from social_publishing import AsyncSocialPublishing
client = AsyncSocialPublishing(
    api_token={token!r}, base_url={base!r}, media_url="http://b.invalid/api/v1", pacing={pacing!r}
)
async def group(): return await client.groups.get("2")
async def page(): return await client.posts.list(group_id="1", page=1).first_page()
call = {case}
"""
_AWAITED_BY_HAND: Final = """
import asyncio, httpx2, msgspec
from social_publishing.models.groups import Group
from social_publishing.models.posts import PostPage
headers = {{"Authorization": "Bearer " + {token!r}, "Accept": "application/json"}}
http = httpx2.AsyncClient(base_url={base!r}, headers=headers)
decode = msgspec.json.Decoder({{"group": Group, "page": PostPage}}[{case!r}]).decode
async def ask(path, **params):
    response = await http.get(path, params=params or None)
    response.raise_for_status()
    return decode(response.content)
async def group(): return await ask("/groups/2")
async def page(): return await ask("/posts", groupId="1", page=1)
call = {case}
"""
_TASKS: Final = """
loop = asyncio.new_event_loop()
def run(): return loop.run_until_complete(call())
def sample(number):
    import gc, time
    async def some():
        for _ in range(number // {tasks}):
            await call()
    async def all():
        await asyncio.gather(*(some() for _ in range({tasks})))
    gc.collect()
    gc.disable()
    cpu, wall = time.process_time(), time.perf_counter()
    loop.run_until_complete(all())
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    gc.enable()
    return cpu / number, wall / number
"""

_FIRST: Final = """
from social_publishing import SocialPublishing
client = SocialPublishing(api_token={token!r}, base_url={base!r}, media_url="http://b.invalid/api/v1")
assert client.groups.get("2").name
"""
_FIRST_BY_HAND: Final = """
import httpx2, msgspec
class Group(msgspec.Struct):
    id: str
    name: str
headers = {{"Authorization": "Bearer " + {token!r}, "Accept": "application/json"}}
with httpx2.Client(base_url={base!r}, headers=headers) as http:
    response = http.get("/groups/2")
    response.raise_for_status()
    assert msgspec.json.decode(response.content, type=Group).name
"""

_STOCK: Final = """
from stock_main import AuthenticatedClient
from stock_main.api.groups import get_group
from stock_main.api.posts import list_posts
client = AuthenticatedClient(base_url={base!r}, token={token!r})
def group(): return get_group.sync("2", client=client)
def page(): return list_posts.sync(client=client, group_id="1", page=1)
run = {case}
"""

_OPENAPI_GENERATOR: Final = """
import generated_main
made = generated_main.ApiClient(generated_main.Configuration(host={base!r}, access_token={token!r}))
groups, posts = generated_main.GroupsApi(made), generated_main.PostsApi(made)
def group(): return groups.get_group("2")
def page(): return posts.list_posts(group_id="1", page=1)
run = {case}
"""

# Every program must have what it asked for before it is measured.
_PROOFS: Final = {
    "group": "assert run().name",
    "page": "assert len(run().data) == 20 and run().data[19].content",
}

_WHY: Final = (
    "Most of a call is the pool that both sides send by; checking the arguments, pacing, deadlines "
    "and what errors have to report are many small steps."
)

_WHY_FIRST: Final = (
    "Both load the pool, h11, anyio and ssl, which is most of it; instead of httpx2, ours has "
    "modules of its own and models with all fields."
)


def measure() -> Iterator[Figure | str]:
    """Measure a warm call and its decoded response over the loopback: 1 KB, and a full page.

    Then calls that are awaited, and the first of a process.
    """
    others, missing = peers.present(
        {peers.stock: _STOCK, peers.openapi_generator: _OPENAPI_GENERATOR}
    )
    yield from missing
    with server.running() as base:
        for what, (case, number) in _CASES.items():
            values = {"token": TOKEN, "base": base, "case": case}
            cases = {"ours": _worker(_OURS, values), BARE: _worker(_BY_HAND, values)}
            for peer, program in others.items():
                cases[peer.name] = _worker(program, values, peer)
            times = workers(cases, ROUNDS, number)
            ours = times.pop("ours")
            for name, other in times.items():
                target = TARGET if name == BARE else None
                yield Figure(f"a call, {what}", ours, name, other, target, _WHY)
        for what, tasks, target in (
            ("1 KB", 1, TARGET), ("20 posts", 1, TARGET), ("1 KB", 16, 1.05)
        ):  # fmt: skip
            yield _awaited(what, tasks, target, base)
        yield _first(base)


def _awaited(what: str, tasks: int, target: float, base: str) -> Figure:
    case, number = _CASES[what]
    # Many tasks at once would only measure how they are paced.
    pacing = "wait" if tasks == 1 else "off"
    values = {"token": TOKEN, "base": base, "case": case, "tasks": tasks, "pacing": pacing}
    cases = {"ours": _worker(_AWAITED + _TASKS, values)}
    cases[BARE] = _worker(_AWAITED_BY_HAND + _TASKS, values)
    times = workers(cases, ROUNDS, number - number % tasks)
    by = f", by {tasks} tasks" if tasks > 1 else ""
    return Figure(f"an awaited call, {what}{by}", times["ours"], BARE, times[BARE], target, _WHY)


def _first(base: str) -> Figure:
    """Measure a process that makes one call, and nothing else."""
    here = peers.alone()
    values = {"token": TOKEN, "base": base}
    times = processes(
        {
            name: Process([["-c", program.format(**values)]], python=here.python, paths=here.paths)
            for name, program in (("ours", _FIRST), (BARE, _FIRST_BY_HAND))
        },
        FIRST_ROUNDS,
    )
    return Figure(
        "a process with one call, 1 KB", times["ours"], BARE, times[BARE], 0.8, _WHY_FIRST
    )


def _worker(program: str, values: Mapping[str, object], peer: peers.Peer | None = None) -> Worker:
    text = program.format(**values) + _PROOFS[str(values["case"])]
    return Worker(text, peer.python, peer.paths) if peer else Worker(text)
