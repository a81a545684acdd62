"""A process from its start to its first response over the loopback, with the client and by hand.

By hand is what a careful programmer writes who wants little: httpx2 used directly, and one msgspec
struct with the few fields that the program needs. Three questions hide in one: what a program
pays in all, what it pays where both load the TLS authorities, and where neither does. Then the
same by what other generators make of the same document.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from benchmarks import peers, server
from benchmarks.figures import Figure, LeftOut
from benchmarks.measuring import CLIENT, TOKEN, Process, processes
from benchmarks.peers import Peer

TITLE: Final = "The first response of a process"

ROUNDS: Final = 25
PEER_ROUNDS: Final = 11

_OURS = """
from social_publishing import SocialPublishing
with SocialPublishing(api_token={token!r}, base_url={base!r}, media_url={media!r}) as client:
    result = client.{call}
    assert {proof}
"""

_BY_HAND = """
import httpx2, msgspec
class {name}(msgspec.Struct):
    {fields}
{extra}
with httpx2.Client(
    base_url={base!r}, headers={{"Authorization": "Bearer " + {token!r}}}{verify}
) as client:
    response = client.get({send})
    response.raise_for_status()
    result = msgspec.json.decode(response.content, type={type})
    assert {proof}
"""

_STOCK = """
from stock_main import AuthenticatedClient
from stock_main.api.{tag} import {stock}
with AuthenticatedClient(base_url={base!r}, token={token!r}) as client:
    result = {stock}.sync(client=client, {stock_arguments})
    assert {proof}
"""

_OPENAPI_GENERATOR = """
from generated_main import ApiClient, Configuration, {api}
with ApiClient(Configuration(host={base!r}, access_token={token!r})) as client:
    result = {api}(client).{generated}
    assert {proof}
"""

_PYDANTIC = """
import httpx2
from pydantic_main import {model}
with httpx2.Client(base_url={base!r}, headers={{"Authorization": "Bearer " + {token!r}}}) as client:
    response = client.get({send})
    response.raise_for_status()
    result = {model}.model_validate_json(response.content)
    assert {proof}
"""

_NO_AUTHORITIES = ', verify=__import__("ssl").SSLContext(__import__("ssl").PROTOCOL_TLS_CLIENT)'
_WHY = (
    "Loading the authorities costs the same on both sides. The rest of the difference is code that "
    "by hand nobody has, for arguments, pacing, retries and every documented field: a twelfth of "
    "the instructions of the process."
)

_PEERS: Final[Mapping[Callable[[], Peer], str]] = {
    peers.stock: _STOCK,
    peers.openapi_generator: _OPENAPI_GENERATOR,
    peers.pydantic: _PYDANTIC,
}

# the client's call, the same by hand and by others, the struct, and what must come out
_CASES: dict[str, dict[str, str]] = {
    "groups.get": {
        "call": 'groups.get("1")',
        "send": '"/groups/1"',
        "name": "Group",
        "fields": 'id: str; name: str; timezone: str; social_accounts_count: int | None = None',
        "extra": "",
        "type": "Group",
        "model": "Group",
        "tag": "groups",
        "stock": "get_group",
        "stock_arguments": 'group="1"',
        "api": "GroupsApi",
        "generated": 'get_group("1")',
        "proof": "result.name",
    },
    "posts.list": {
        "call": 'posts.list(group_id="1", page=1).first_page()',
        "send": '"/posts", params={"groupId": "1", "page": 1}',
        "name": "Post",
        "fields": "id: str; status: int | None = None; content: str | None = None",
        "extra": "class Page(msgspec.Struct):\n    data: list[Post]",
        "type": "Page",
        "model": "PostPage",
        "tag": "posts",
        "stock": "list_posts",
        "stock_arguments": 'group_id="1", page=1',
        "api": "PostsApi",
        "generated": 'list_posts(group_id="1", page=1)',
        "proof": "len(result.data) == 20 and result.data[19].content",
    },
}  # fmt: skip


def measure() -> Iterator[Figure | LeftOut]:
    """Measure the first response of two operations: as it is, with TLS on both sides, by peers."""
    try:
        here = peers.bare()
    except peers.Missing as reason:
        yield LeftOut("a place with nothing else", str(reason))
        here = Peer("", Path(sys.executable), (CLIENT,))
    others: dict[str, tuple[str, Peer]] = {}
    for maker, program in _PEERS.items():
        found, missing = peers.present(maker)
        yield from missing
        others |= {peer.name: (program, peer) for peer in found}
    with server.running() as base:
        for name, case in _CASES.items():
            values = {**case, "token": TOKEN, "base": base}
            yield from _by_hand(name, values, here)
            yield from _by_others(name, values, here, others)


def _by_hand(name: str, values: Mapping[str, str], here: Peer) -> Iterator[Figure]:
    # A media address by https makes the client load the authorities; the call itself stays
    # on the loopback without encryption, so that nothing else differs.
    programs = {
        "plain": _OURS.format(**values, media="http://b.invalid/api/v1"),
        "hand": _BY_HAND.format(**values, verify=""),
        "secure": _OURS.format(**values, media="https://b.invalid/api/v1"),
        "light": _BY_HAND.format(**values, verify=_NO_AUTHORITIES),
    }
    times = processes({key: _process(each, here) for key, each in programs.items()}, ROUNDS)
    plain, hand = times["plain"], times["hand"]
    yield Figure(f"{name}, http", plain, "by hand", hand, 1.1)
    secure = times["secure"]
    yield Figure(f"{name}, both load TLS", secure, "by hand", hand, 1.1, _WHY)
    yield Figure(f"{name}, neither does", plain, "by hand", times["light"])


def _by_others(
    name: str, values: Mapping[str, str], here: Peer, others: Mapping[str, tuple[str, Peer]]
) -> Iterator[Figure]:
    """Measure beside what other generators make; the client loads the authorities, as they do."""
    ours = _OURS.format(**values, media="https://b.invalid/api/v1")
    programs = {
        "ours": (ours, here),
        **{other: (program.format(**values), peer) for other, (program, peer) in others.items()},
    }
    times = processes({key: _process(*each) for key, each in programs.items()}, PEER_ROUNDS)
    for other in others:
        yield Figure(name, times["ours"], other, times[other], 1)


def _process(program: str, peer: Peer) -> Process:
    return Process([["-c", program]], python=peer.python, paths=peer.paths)
