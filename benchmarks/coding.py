"""A page of 200 posts with every field: from bytes to objects, back, and what it takes in memory.

Each side has a process of its own. The others are a struct made for that page alone, orjson, which
knows only dictionaries, and what other generators make of the same document.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers, samples
from benchmarks.figures import Figure
from benchmarks.measuring import CLIENT, ROOT, Process, Worker, reported, workers

ROUNDS: Final = 41
CALLS: Final = 3
POSTS: Final = 200
KEPT: Final = 10_000  # posts that a program reads and keeps
MEMORY_ROUNDS: Final = 2  # memory hardly differs between them
BEST: Final = "bare msgspec on the best struct"

_STATM: Final = Path("/proc/self/statm")
_WHY_BEST: Final = (
    "The client's fields are dates, codes, or missing; those of the struct are texts and numbers "
    "that must be there. In instructions that is 4 % of a page."
)
_WHY_ENCODE: Final = (
    "`to_json` gives the text that came, once it has seen that nothing was changed since."
)
_WHY_MEMORY: Final = "A model keeps the text that it was read from, so that nothing of it is lost."

# How each side reads a page, and writes it. Ours is what a method of the client does.
_OURS: Final = """
from social_publishing._runtime.response.redaction import Redaction
from social_publishing._runtime.response.decode import decode
from social_publishing._runtime.core.drift import DriftWatch
from social_publishing._runtime.core.errors import Exchange
from social_publishing._runtime.request.request import prepare
from social_publishing.models.posts import PostPage
request = prepare(operation="posts.list", server="main", method="GET", path="/posts",
                  returns=PostPage, retry_safety="safe")
redaction, watch = Redaction("0123456789"), DriftWatch()
exchange = lambda: Exchange("posts.list", "GET", "/posts", 200, {}, body)
read = lambda: decode(request, exchange(), redaction, watch)
write = PostPage.to_json
"""
_BY_HAND: Final = """
import json, msgspec
from benchmarks.plain import struct_for
page = json.loads(body)
page["data"] = page["data"][:1]
decoder = msgspec.json.Decoder(struct_for([page]))
read = lambda: decoder.decode(body)
"""
_DICTS: Final = """
import orjson
read = lambda: orjson.loads(body)
write = orjson.dumps
"""
_STOCK: Final = """
import json
from stock_main.models import PostPage
read = lambda: PostPage.from_dict(json.loads(body))
write = lambda page: json.dumps(page.to_dict()).encode()
"""
_PYDANTIC: Final = """
from pydantic_main import PostPage
read = lambda: PostPage.model_validate_json(body)
write = lambda page: page.model_dump_json(by_alias=True, exclude_unset=True).encode()
"""
_GENERATED: Final = """
from generated_main.models.post_page import PostPage
text = body.decode()
read = lambda: PostPage.from_json(text)
write = lambda page: page.to_json().encode()
"""
_PEERS: Final[Mapping[Callable[[], peers.Peer], str]] = {
    partial(peers.installed, "orjson==3.13.0"): _DICTS,
    peers.stock: _STOCK,
    peers.pydantic: _PYDANTIC,
    peers.openapi_generator: _GENERATED,
}
# What each process does then; the last one prints by how much its memory grows, in MB.
_READ: Final = "def run():\n    read()\n"
_WRITE: Final = "page = read()\ndef run():\n    write(page)\n"
_HOLD: Final = f"""
import os
def resident():
    with open({str(_STATM)!r}) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
read()
before = resident()
pages = []
for _ in range({KEPT // POSTS}):
    body = bytes(bytearray(body))  # each response has one of its own
    pages.append(read())
print(resident() - before)
"""


def measure() -> Iterator[Figure | str]:
    """Measure reading a page, writing it, and 10,000 posts that are kept."""
    others, missing = peers.present(_PEERS)
    yield from missing
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page")
        page.write_bytes(samples.page(POSTS))
        body = f"body = open({str(page)!r}, 'rb').read()\n"

        def sides(task: str) -> dict[str, Worker]:
            made = {
                peer.name: Worker(body + program + task, peer.python, peer.paths)
                for peer, program in others.items()
            }
            return {"ours": Worker(body + _OURS + task), **made}

        by_hand = Worker(body + _BY_HAND + _READ, paths=(CLIENT, ROOT))
        times = workers({BEST: by_hand, **sides(_READ)}, ROUNDS, CALLS)
        what = f"decode {POSTS} posts, every field"
        yield Figure(what, times["ours"], BEST, times[BEST], 1.1, _WHY_BEST)
        for peer, program in others.items():
            target = {_DICTS: 0.8, _STOCK: 0.2}.get(program)
            yield Figure(what, times["ours"], peer.name, times[peer.name], target)
        times = workers(sides(_WRITE), ROUNDS, CALLS)
        for peer in others:
            what = f"encode {POSTS} posts to bytes"
            yield Figure(what, times["ours"], peer.name, times[peer.name], why=_WHY_ENCODE)
        if not _STATM.exists():
            yield f"memory was left out: it is read from {_STATM}"
            return
        cases = {
            name: Process([["-c", side.program]], python=side.python, paths=side.paths)
            for name, side in sides(_HOLD).items()
        }
        grown = reported(cases, MEMORY_ROUNDS, "MB")
        for peer, program in others.items():
            target = 0.9 if program == _DICTS else None
            what = f"{KEPT:,} posts, every field"
            yield Figure(what, grown["ours"], peer.name, grown[peer.name], target, _WHY_MEMORY)
