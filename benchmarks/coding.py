"""A large page: from bytes to objects and back, what it takes in memory, and when it drifts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from benchmarks import peers, samples
from benchmarks.figures import Figure, LeftOut, Samples
from benchmarks.measuring import CLIENT, ROOT, Process, Worker, reported, workers

TITLE: Final = "Decoding, encoding, memory"

ROUNDS: Final = 41
CALLS: Final = 3
POSTS: Final = 200
KEPT: Final = 10_000  # posts that a program reads and keeps
MEMORY_ROUNDS: Final = 2  # memory hardly differs between them
DRIFT_ROUNDS: Final = 15

STATM: Final = Path("/proc/self/statm")

ORJSON: Final = "orjson==3.13.0"
FULL: Final = "every field"
HALF: Final = "half of the fields"
BEST: Final = "bare msgspec on the best struct"

_PLAIN: Final = (
    "The client's fields are dates, codes, or missing; those of the struct are texts and numbers "
    "that must be there. In instructions that is 4 % of a page."
)
WHY_SHAPE: Final = {
    FULL: _PLAIN,
    HALF: "A field that is missing is still set, to UNSET, and passed by when "
    "names are looked for. The struct has none of the other half.",
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

WHY_MEMORY: Final = (
    "The texts take as much on both sides. A dictionary has room for the fields that it has; an "
    "object of the client has a place for every documented field."
)

# How a peer reads a page, and writes it. Ours is what a method of the client does with a response.
OURS: Final = """
from social_publishing._runtime.response.redaction import Redaction
from social_publishing._runtime.response.decode import decode
from social_publishing._runtime.core.drift import DriftWatch
from social_publishing._runtime.core.errors import Exchange
from social_publishing._runtime.request.request import prepare
from social_publishing.models.posts import PostPage
request = prepare(operation="posts.list", server="main", method="GET", path="/posts",
                  returns=PostPage, retry_safety="safe")
exchange = Exchange("posts.list", "GET", "/posts", 200, {}, body)
redaction, watch = Redaction("0123456789"), DriftWatch()
read = lambda: decode(request, exchange, redaction, watch)
write = PostPage.to_json
to_dict = lambda page: page.to_dict(wire=True)
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
_DECODER: Final = """
import msgspec
from social_publishing.models.posts import PostPage
decoder = msgspec.json.Decoder(PostPage)
read = lambda: decoder.decode(body)
"""
_ODD_ID: Final = """
exchange = exchange._replace(body=body.replace(b'"id":"1100"', b'"id":1100', 1))
"""
_RAISE: Final = """
read = lambda: decode(request, exchange, redaction, DriftWatch("raise"))
"""
# How much the memory of the process grows, in MB.
_HOLD: Final = f"""
import os
def resident():
    with open({str(STATM)!r}) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
read()
before = resident()
pages = [read() for _ in range({KEPT // POSTS})]
print(resident() - before)
"""

Programs = Mapping[str, tuple[str, peers.Peer]]


def measure() -> Iterator[Figure | LeftOut]:
    """Measure a page of 200 posts, from bytes to objects and back, and 10,000 posts that are kept.

    Each side has a process of its own. The others are structs made for that page alone, orjson,
    which knows only dictionaries, and what other generators make of the same document.
    """
    programs: dict[str, tuple[str, peers.Peer]] = {}
    for program, maker in {DICTS: lambda: peers.installed(ORJSON), **MAKERS}.items():
        there, missing = peers.present(maker)
        programs |= {peer.name: (program, peer) for peer in there}
        yield from missing
    dicts = {name: side for name, side in programs.items() if side[0] == DICTS}
    objects = {name: side for name, side in programs.items() if side[0] != DICTS}
    with tempfile.TemporaryDirectory() as folder:
        bodies = {shape: _bodies(Path(folder), shape) for shape in samples.SHAPES}
        for shape, body in bodies.items():
            yield from _decoding(shape, body, programs if shape == FULL else dicts)
        yield from _encoding(bodies[FULL], f"encode {POSTS} posts to bytes", _WRITE, programs)
        yield from _encoding(bodies[FULL], f"{POSTS} posts to dictionaries", _TO_DICT, objects)
        yield from _drifting(bodies[FULL])
        if STATM.exists():
            yield from _keeping(FULL, bodies[FULL], programs)
            yield from _keeping(HALF, bodies[HALF], dicts)
        else:
            yield LeftOut("memory", f"it is read from {STATM}")


def _decoding(shape: str, body: str, programs: Programs) -> Iterator[Figure]:
    by_hand = Worker(body + BY_HAND + _READ, paths=(CLIENT, ROOT))
    times = workers({BEST: by_hand, **_sides(body, _READ, programs)}, ROUNDS, CALLS)
    what = f"decode {POSTS} posts, {shape}"
    yield Figure(what, times[""], BEST, times[BEST], 1.1, WHY_SHAPE[shape])
    limits = {DICTS: 0.8, STOCK: 0.2} if shape == FULL else {}
    yield from _beside(what, times, programs, limits, WHY_DICTS)


def _encoding(body: str, what: str, run: str, programs: Programs) -> Iterator[Figure]:
    times = workers(_sides(body, run, programs), ROUNDS, CALLS)
    yield from _beside(what, times, programs, {DICTS: 1.05}, WHY_ENCODE)


def _drifting(body: str) -> Iterator[Figure]:
    """Measure a page that is not exactly as documented, and one that is checked for that."""
    cases = {
        f"page of {POSTS} posts, one id as a number": OURS + _ODD_ID,
        'the same as documented, drift="raise"': OURS + _RAISE,
        "": _DECODER,
    }
    sides = {name: Worker(body + program + _READ) for name, program in cases.items()}
    times = workers(sides, DRIFT_ROUNDS, CALLS)
    decoder = times.pop("")
    for what, ours in times.items():
        yield Figure(what, ours, "the decoder alone", decoder)


def _keeping(shape: str, body: str, programs: Programs) -> Iterator[Figure]:
    cases = {
        name: Process([["-c", side.program]], python=side.python, paths=side.paths)
        for name, side in _sides(body, _HOLD, programs).items()
    }
    taken = reported(cases, MEMORY_ROUNDS, "MB")
    yield from _beside(f"{KEPT:,} posts, {shape}", taken, programs, {DICTS: 0.6}, WHY_MEMORY)


def _beside(
    what: str,
    times: Mapping[str, Samples],
    programs: Programs,
    limits: Mapping[str, float],
    why: str,
) -> Iterator[Figure]:
    for name, (program, _) in programs.items():
        limit = limits.get(program)
        yield Figure(what, times[""], name, times[name], limit, why if limit else "")


def _sides(body: str, run: str, programs: Programs) -> dict[str, Worker]:
    """Return the client, by the name "", and the peers, each with what it is to do."""
    return {
        "": Worker(body + OURS + run),
        **{
            name: Worker(body + program + run, python=peer.python, paths=peer.paths)
            for name, (program, peer) in programs.items()
        },
    }


def _bodies(folder: Path, shape: str) -> str:
    """Return Python that reads a page of a shape, and one post without and with the shape."""
    lines = []
    for name, content in {
        "body": samples.shaped(shape, POSTS),
        "one": samples.shaped(shape, 1),
        "known": samples.shaped(FULL, 1),
    }.items():
        path = folder / f"{shape} {name}"
        path.write_bytes(content)
        lines.append(f"{name} = open({str(path)!r}, 'rb').read()\n")
    return "".join(lines)
