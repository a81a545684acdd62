"""A large page, from bytes to objects and back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from benchmarks import peers, samples
from benchmarks.figures import Figure, LeftOut, Samples, at_most
from benchmarks.measuring import CLIENT, ROOT, Worker, workers

TITLE = "Decoding and encoding"

ROUNDS: Final = 41
CALLS: Final = 3
POSTS: Final = 200
KEPT: Final = 10  # pages that a program holds while it reads them

ORJSON: Final = "orjson==3.13.0"
FULL: Final = "every field"
BEST: Final = "bare msgspec on the best struct"

_PLAIN: Final = (
    "The client's fields are dates, codes, or missing; those of the struct are texts and numbers "
    "that must be there. In instructions that is 4 % of a page."
)
WHY_SHAPE: Final = {
    "every field": _PLAIN,
    "half of the fields": "A field that is missing is still set, to UNSET, and passed by when "
    "names are looked for. The struct has none of the other half.",
    "20 unknown fields": _PLAIN,
    "fields shuffled": "No order is best where each object has one of its own.",
    "one other order": "msgspec looks for a name from behind the last one that it found: the "
    "order of the document costs nothing, any other a walk over half of the fields for each name. "
    "Classes in the order that a service shows could be made while the program runs; then every "
    "object has to be turned into one of the documented class, and a page has to be read twice to "
    "learn the order. That is better mended in the documents.",
}
WHY_DICTS: Final = (
    "Names are no cost here, but dates and codes are: orjson leaves both as they came."
)
WHY_ENCODE: Final = (
    "msgspec looks through a text for what has to be escaped one character at a time, orjson "
    "through many at once: texts of 14 characters cost it twice as much, those of 100 more than "
    "four times. A buffer that is used again brings nothing, since the bytes have to be copied out "
    "of it."
)

# How a peer reads a page, and writes it. Ours is what a method of the client does with an answer.
OURS: Final = """
from social_publishing._runtime.response.redaction import Concealment
from social_publishing._runtime.response.decode import decode
from social_publishing._runtime.core.drift import DriftWatch
from social_publishing._runtime.core.errors import Exchange
from social_publishing._runtime.request.request import prepare
from social_publishing.models.posts import PostPage
request = prepare(operation="posts.list", server="main", method="GET", path="/posts",
                  returns=PostPage, retry_safety="safe")
exchange = Exchange("posts.list", "GET", "/posts", 200, {}, body)
conceal, watch = Concealment("0123456789"), DriftWatch()
read = lambda: decode(request, exchange, conceal, watch)
write = PostPage.to_json
to_dict = PostPage.to_dict
"""
BY_HAND: Final = """
import json, msgspec
from benchmarks.plain import struct_for
struct = struct_for([json.loads(one)], [json.loads(known)])
decoder = msgspec.json.Decoder(struct)
read = lambda: decoder.decode(body)
"""
DICTS: Final = """
import orjson
read = lambda: orjson.loads(body)
write = orjson.dumps
"""
STOCK: Final = """
import json
from stock_main.models import PostPage
read = lambda: PostPage.from_dict(json.loads(body))
write = lambda page: json.dumps(page.to_dict()).encode()
to_dict = PostPage.to_dict
"""
PYDANTIC: Final = """
from pydantic_main import PostPage
read = lambda: PostPage.model_validate_json(body)
write = lambda page: page.model_dump_json(by_alias=True, exclude_unset=True).encode()
to_dict = lambda page: page.model_dump(mode="json", by_alias=True, exclude_unset=True)
"""
GENERATED: Final = """
from generated_main.models.post_page import PostPage
text = body.decode()
read = lambda: PostPage.from_json(text)
write = lambda page: page.to_json().encode()
to_dict = PostPage.to_dict
"""
MAKERS: Final = {
    STOCK: peers.stock,
    PYDANTIC: peers.pydantic,
    GENERATED: peers.openapi_generator,
}

_READ: Final = "def run():\n    read()\n"
_WRITE: Final = "page = read()\ndef run():\n    write(page)\n"
_TO_DICT: Final = "page = read()\ndef run():\n    to_dict(page)\n"
_KEEP: Final = f"""
def sample(number):
    import gc, time
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    pages = [read() for _ in range({KEPT})]
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    return cpu / {KEPT}, wall / {KEPT}
"""

Ways = Mapping[str, tuple[str, peers.Peer]]


def measure() -> Iterator[Figure | LeftOut]:
    """A page of 200 posts, from bytes to objects and back, each side in a process of its own.

    Beside structs made for that page alone, orjson, which knows only dictionaries, and what other
    generators make of the same document.
    """
    ways, missing = found()
    yield from missing
    with tempfile.TemporaryDirectory() as folder:
        shapes = {shape: bodies(Path(folder), shape) for shape in samples.SHAPES}
        for shape, body in shapes.items():
            yield from _decoding(shape, body, ways)
        yield from _keeping(shapes[FULL], ways)
        yield from _encoding(shapes[FULL], ways)


def found() -> tuple[Ways, list[LeftOut]]:
    """The programs of all peers that can be had, by the peer's name, and what is missing."""
    ways: dict[str, tuple[str, peers.Peer]] = {}
    missing: list[LeftOut] = []
    for program, maker in {DICTS: lambda: peers.installed(ORJSON), **MAKERS}.items():
        there, not_there = peers.present(maker)
        ways |= {peer.name: (program, peer) for peer in there}
        missing += not_there
    return ways, missing


def _decoding(shape: str, body: str, ways: Ways) -> Iterator[Figure]:
    full = shape == FULL
    others = {
        name: worker(body, program, peer, _READ)
        for name, (program, peer) in ways.items()
        if full or program == DICTS
    }
    by_hand = Worker(body + BY_HAND + _READ, paths=(CLIENT, ROOT))
    times = workers({"": ours(body, _READ), BEST: by_hand, **others}, ROUNDS, CALLS)
    what = f"decode {POSTS} posts, {shape}"
    yield Figure(what, times[""], BEST, times[BEST], at_most(1.1), WHY_SHAPE[shape])
    limits = {DICTS: 0.8, STOCK: 0.2} if full else {}
    yield from _beside(what, times, ways, limits, WHY_DICTS)


def _keeping(body: str, ways: Ways) -> Iterator[Figure]:
    cases = {name: worker(body, *way, _KEEP) for name, way in ways.items()}
    times = workers({"": ours(body, _KEEP), **cases}, ROUNDS // 2, 1)
    what = f"the same, {KEPT} pages kept, with garbage collection"
    yield from _beside(what, times, ways, {})


def _encoding(body: str, ways: Ways) -> Iterator[Figure]:
    for what, how, limits in (
        (f"encode {POSTS} posts to bytes", _WRITE, {DICTS: 1.05}),
        (f"{POSTS} posts to dictionaries", _TO_DICT, {}),
    ):
        able = {name: way for name, way in ways.items() if how != _TO_DICT or way[0] != DICTS}
        cases = {name: worker(body, *way, how) for name, way in able.items()}
        times = workers({"": ours(body, how), **cases}, ROUNDS, CALLS)
        yield from _beside(what, times, able, limits, WHY_ENCODE)


def _beside(
    what: str,
    times: Mapping[str, Samples],
    ways: Ways,
    limits: Mapping[str, float],
    why: str = "",
) -> Iterator[Figure]:
    for name, (program, _) in ways.items():
        if name in times:
            limit = limits.get(program)
            target = None if limit is None else at_most(limit)
            yield Figure(what, times[""], name, times[name], target, why if target else "")


def bodies(folder: Path, shape: str) -> str:
    """Python that reads a page of a shape, and the same of one post, without and with the shape."""
    known = samples.shaped(FULL, 1)
    lines = []
    for name, content in {
        "body": samples.shaped(shape, POSTS),
        "one": samples.shaped(shape, 1),
        "known": known,
    }.items():
        path = folder / f"{shape} {name}"
        path.write_bytes(content)
        lines.append(f"{name} = open({str(path)!r}, 'rb').read()\n")
    return "".join(lines)


def ours(body: str, what: str) -> Worker:
    """The client."""
    return Worker(body + OURS + what)


def worker(body: str, program: str, peer: peers.Peer, what: str) -> Worker:
    """A peer."""
    return Worker(body + program + what, python=peer.python, paths=peer.paths)
