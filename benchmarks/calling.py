"""One call of a program that is warm: what the client adds to httpx2 and msgspec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from benchmarks import peers, server
from benchmarks.figures import Figure
from benchmarks.measuring import TOKEN, Worker, workers

ROUNDS: Final = 41
TARGET: Final = 1.25
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
    "Checking the arguments, pacing, deadlines and what errors have to report are many small "
    "steps; a list also checks where it leads, and remembers where each item was read."
)


def measure() -> Iterator[Figure | str]:
    """Measure a warm call and its decoded response over the loopback: 1 KB, and a full page."""
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


def _worker(program: str, values: Mapping[str, str], peer: peers.Peer | None = None) -> Worker:
    text = program.format(**values) + _PROOFS[values["case"]]
    return Worker(text, peer.python, peer.paths) if peer else Worker(text)
