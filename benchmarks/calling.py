"""One call of a program that is warm: what the client adds to httpx2 and msgspec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks import peers, server
from benchmarks.figures import Figure, LeftOut, Samples, at_most
from benchmarks.measuring import CLIENT, TOKEN, Worker, workers

TITLE: Final = "A call"

ROUNDS: Final = 41
TARGET: Final = at_most(1.1)
BARE: Final = "httpx2 and msgspec"

# What is asked for, and how many calls a sample has.
_CASES: Final = {
    "1 KB": ("group", 150),
    "20 posts": ("page", 20),
    "200 posts": ("many", 3),
}

_IDS: Final = "ids = [str(each) for each in range(1000, 1200)]\n"

_OURS: Final = """
from social_publishing import SocialPublishing
client = SocialPublishing(api_token={token!r}, base_url={base!r}, media_url={base!r}{more})
def group(): return client.groups.get("2")
def page(): return client.posts.list(group_id="1", page=1).first_page()
def many(): return client.posts.get_many(ids=ids)
run = {case}
"""

# The same structs: this is about the call alone.
_BY_HAND: Final = """
import httpx2, msgspec
from social_publishing.models.groups import Group
from social_publishing.models.posts import Post, PostPage
from msgspec.json import Decoder
headers = {{"Authorization": "Bearer " + {token!r}, "Accept": "application/json"}}
http = httpx2.Client(base_url={base!r}, headers=headers{more})
def asking(type):
    decode = Decoder(type).decode
    def ask(path, **params):
        response = http.get(path, params=params or None)
        response.raise_for_status()
        return decode(response.content)
    return ask
ask = asking({{"group": Group, "page": PostPage, "many": list[Post]}}[{case!r}])
def group(): return ask("/groups/2")
def page(): return ask("/posts", groupId="1", page=1)
def many(): return ask("/posts-bulk", ids=",".join(ids))
run = {case}
"""

_PYDANTIC: Final = """
import httpx2
from pydantic import TypeAdapter
from pydantic_main import Group, Post, PostPage
headers = {{"Authorization": "Bearer " + {token!r}, "Accept": "application/json"}}
http = httpx2.Client(base_url={base!r}, headers=headers)
adapter = TypeAdapter({{"group": Group, "page": PostPage, "many": list[Post]}}[{case!r}])
def ask(path, **params):
    response = http.get(path, params=params or None)
    response.raise_for_status()
    return adapter.validate_json(response.content)
def group(): return ask("/groups/2")
def page(): return ask("/posts", groupId="1", page=1)
def many(): return ask("/posts-bulk", ids=",".join(ids))
run = {case}
"""

_STOCK: Final = """
from stock_main import AuthenticatedClient
from stock_main.api.groups import get_group
from stock_main.api.posts import get_posts, list_posts
client = AuthenticatedClient(base_url={base!r}, token={token!r})
def group(): return get_group.sync("2", client=client)
def page(): return list_posts.sync(client=client, group_id="1", page=1)
def many(): return get_posts.sync(client=client, ids=ids)
run = {case}
"""

_OPENAPI_GENERATOR: Final = """
import generated_main
made = generated_main.ApiClient(generated_main.Configuration(host={base!r}, access_token={token!r}))
groups, posts = generated_main.GroupsApi(made), generated_main.PostsApi(made)
def group(): return groups.get_group("2")
def page(): return posts.list_posts(group_id="1", page=1)
def many(): return posts.get_posts(ids)
run = {case}
"""

# Every program has to have what it asked for before it is measured.
_PROOFS: Final = {
    "group": "assert run().name",
    "page": "assert len(run().data) == 20 and run().data[19].content",
    "many": "assert len(run()) == 200",
}

_IN_MEMORY: Final = """
import httpx2
from benchmarks import samples
fields = {"Content-Type": "application/json", **samples.rate_headers()}
body = samples.small_group()
memory = httpx2.MockTransport(lambda _: httpx2.Response(200, headers=fields, content=body))
"""

_WHY: Final = (
    "Checking the arguments, pacing, deadlines and what errors would have to tell is a tenth of a "
    "small call, and each identifier of a long list is checked before anything is sent; the rest "
    "is the HTTP library, on both sides."
)


def measure() -> Iterator[Figure | LeftOut]:
    """A call and its decoded answer over the loopback, warm, beside httpx2 and msgspec by hand.

    Answers of 1 KB, of a full page, and of 200 posts asked for by identifier.
    """
    found: dict[peers.Peer, str] = {}
    for maker, program in {
        peers.pydantic: _PYDANTIC,
        peers.stock: _STOCK,
        peers.openapi_generator: _OPENAPI_GENERATOR,
    }.items():
        present, missing = peers.present(maker)
        yield from missing
        found |= {peer: program for peer in present}
    with server.running() as base:
        for what, (case, number) in _CASES.items():
            values = {"token": TOKEN, "base": base, "case": case}
            ours = _worker(_OURS, {**values, "more": ""})
            cases = {"ours": ours, BARE: _worker(_BY_HAND, {**values, "more": ""})}
            for peer, program in found.items():
                cases[peer.name] = _worker(program, values, peer)
            times = workers(cases, ROUNDS, number)
            yield from _beside(f"a call, {what}", times)
    yield _in_memory()


def _beside(what: str, times: Mapping[str, Samples]) -> Iterator[Figure]:
    ours = times["ours"]
    for name, other in times.items():
        if other is not ours:
            yield Figure(what, ours, name, other, TARGET if name == BARE else None, _WHY)


def _worker(
    program: str, values: Mapping[str, str], peer: peers.Peer | None = None, before: str = ""
) -> Worker:
    whole = before + _IDS + program.format(**values) + _PROOFS[values["case"]]
    if peer is None:
        return Worker(whole, paths=(CLIENT, CLIENT.parents[2]))
    return Worker(whole, peer.python, peer.paths)


def _in_memory() -> Figure:
    """Nothing but the work of the client: the answer is there, and no connection."""
    values = {"token": TOKEN, "base": "http://a.invalid/v1", "case": "group"}
    ours = {**values, "more": ", http_client=httpx2.Client(transport=memory)"}
    hand = {**values, "more": ", transport=memory"}
    times = workers(
        {
            "ours": _worker(_OURS, ours, before=_IN_MEMORY),
            "hand": _worker(_BY_HAND, hand, before=_IN_MEMORY),
        },
        ROUNDS,
        400,
    )
    what = "a call, 1 KB, in memory, http_client handed in"
    return Figure(what, times["ours"], BARE, times["hand"])
