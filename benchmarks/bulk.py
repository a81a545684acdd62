"""Many identifiers in one call: ten thousand posts through `get_many`, and by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from benchmarks import server
from benchmarks.figures import Figure
from benchmarks.measuring import TOKEN, Worker, workers

TITLE: Final = "Ten thousand identifiers"

ROUNDS: Final = 7

_OURS: Final = """
from social_publishing import SocialPublishing
client = SocialPublishing(api_token={token!r}, base_url={base!r}, media_url={base!r})
def run(): return client.posts.get_many(ids=ids)
"""

_OURS_ASYNC: Final = """
from social_publishing import AsyncSocialPublishing
client = AsyncSocialPublishing(api_token={token!r}, base_url={base!r}, media_url={base!r})
async def ask(): return await client.posts.get_many(ids=ids)
"""

# The same structs, in the order in which they were asked for.
_BY_HAND: Final = """
import httpx2, msgspec
from social_publishing.models.posts import Post
decode = msgspec.json.Decoder(list[Post]).decode
headers = {{"Authorization": "Bearer " + {token!r}, "Accept": "application/json"}}
def chunks():
    return (",".join(ids[start : start + 200]) for start in range(0, len(ids), 200))
def ordered(found):
    return [found[each] for each in ids if each in found]
"""

_BY_HAND_WAITING: Final = (
    _BY_HAND
    + """
http = httpx2.Client(base_url={base!r}, headers=headers)
def run():
    found = {{}}
    for chunk in chunks():
        response = http.get("/posts-bulk", params={{"ids": chunk}})
        response.raise_for_status()
        found |= {{post.id: post for post in decode(response.content)}}
    return ordered(found)
"""
)

_BY_HAND_ASYNC: Final = (
    _BY_HAND
    + """
http = httpx2.AsyncClient(base_url={base!r}, headers=headers)
async def ask():
    places, found = asyncio.Semaphore(4), {{}}
    async def one(chunk):
        async with places:
            response = await http.get("/posts-bulk", params={{"ids": chunk}})
        response.raise_for_status()
        found.update((post.id, post) for post in decode(response.content))
    await asyncio.gather(*(one(chunk) for chunk in chunks()))
    return ordered(found)
"""
)

_IDS: Final = "ids = [str(each) for each in range(10_000, 20_000)]\n"

# All calls in one event loop, so that connections are kept.
_LOOP: Final = """
import asyncio
loop = asyncio.new_event_loop()
def run(): return loop.run_until_complete(ask())
"""

_PROOF: Final = "assert [post.id for post in run()] == ids\n"


def measure() -> Iterator[Figure]:
    """10,000 posts by their identifiers, 200 a request, against a loop over the chunks by hand.

    The client has four requests under way at a time, and so has the asynchronous one by hand; the
    other one by hand asks for one chunk after the other, as long as nobody gives it threads.
    """
    with server.running() as base:
        programs = {
            "ours": _OURS,
            "hand": _BY_HAND_WAITING,
            "ours, async": _LOOP + _OURS_ASYNC,
            "hand, async": _LOOP + _BY_HAND_ASYNC,
        }
        cases = {
            name: Worker(_IDS + program.format(token=TOKEN, base=base) + _PROOF)
            for name, program in programs.items()
        }
        times = workers(cases, ROUNDS, 1)
    for way in ("", ", async"):
        ours, hand = times[f"ours{way}"], times[f"hand{way}"]
        yield Figure(f"10,000 identifiers{way}", ours, "httpx2 and msgspec", hand)
