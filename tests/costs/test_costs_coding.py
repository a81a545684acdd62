"""What reading a page costs, counted and not timed: memory, the collector's work, instructions."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from social_publishing import models
from social_publishing._runtime.core.enums import TextCode
from social_publishing._runtime.core.models import ResponseModel
from social_publishing.models import Post, PostMetric, PostPage

from benchmarks import samples
from benchmarks.measuring import CLIENT, ROOT
from benchmarks.plain import struct_for

POSTS = 50

CLASSES = [
    found
    for name in models.__all__
    if isinstance(found := getattr(models, name), type) and issubclass(found, ResponseModel)
]


def _holds(type_: msgspec.inspect.Type) -> Iterator[type]:
    """The models that a value of a type holds, without what these hold."""
    match type_:
        case msgspec.inspect.StructType():
            yield type_.cls
        case msgspec.inspect.UnionType():
            for each in type_.types:
                yield from _holds(each)
        case msgspec.inspect.ListType():
            yield from _holds(type_.item_type)
        case msgspec.inspect.DictType():
            yield from _holds(type_.value_type)
        case _:
            pass


def _reached(model: type) -> set[type]:
    seen: set[type] = set()
    pending = [model]
    while pending:
        node = msgspec.inspect.type_info(pending.pop())
        assert isinstance(node, msgspec.inspect.StructType)
        new = {each for field in node.fields for each in _holds(field.type)} - seen
        seen |= new
        pending += new
    return seen


@pytest.mark.parametrize("model", CLASSES, ids=lambda model: str(model.__name__))
def test_only_models_in_circles_are_collected(model: Any) -> None:
    """The garbage collector looks at a class where its objects may lead back to themselves."""
    assert model.__struct_config__.gc == (model in _reached(model))


def test_a_circle_of_models_is_collected() -> None:
    """What a program ties into a circle, as the types allow, is given back."""

    class Seen(PostMetric, weakref=True):
        pass

    assert PostMetric in _reached(PostMetric), "another class is in a circle now"
    metric = msgspec.convert(dict.fromkeys(_required(PostMetric), "1"), Seen)
    metric.items = [metric]
    watched = weakref.ref(metric)
    del metric
    gc.collect()
    assert watched() is None


def test_blocks_of_a_page() -> None:
    """A page takes no more blocks of memory than with structs that are made for it alone.

    It takes fewer, as all that have a code of texts share one object.
    """
    body, example = samples.page(POSTS), json.loads(samples.page(1))
    ours = msgspec.json.Decoder(PostPage)
    plain = msgspec.json.Decoder(struct_for([example]))
    shared = sum(
        isinstance(getattr(each, name), TextCode)
        for post in ours.decode(body).data or ()
        for each in _inside(post)
        for name in each.__struct_fields__
    )
    assert _blocks(lambda: ours.decode(body)) <= _blocks(lambda: plain.decode(body)) - shared


def test_what_the_collector_goes_through() -> None:
    """Of a decoded page, the garbage collector goes through its lists and maps alone."""
    page = msgspec.json.decode(samples.page(POSTS), type=PostPage)
    assert not gc.is_tracked(page)
    assert not any(isinstance(each, Post) for each in gc.get_objects())
    assert not any(gc.is_tracked(each) for post in page.data or [] for each in _inside(post))


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not on the path")
def test_instructions_of_a_page(tmp_path: Path) -> None:
    """Reading a page takes little more than with structs that are made for it alone."""
    (tmp_path / "page").write_bytes(samples.page(POSTS))
    (tmp_path / "one").write_bytes(samples.page(1))
    _run(tmp_path, "")
    start, ours, plain = (_instructions(tmp_path, what) for what in ("", "ours", "plain"))
    assert ours - start < 1.12 * (plain - start)


PROGRAM = """
import gc, json, sys
import msgspec
from benchmarks.plain import struct_for
from social_publishing.models import PostPage
folder, what = sys.argv[1:]
body, one = (open(f"{folder}/{name}", "rb").read() for name in ("page", "one"))
ours = msgspec.json.Decoder(PostPage)
plain = msgspec.json.Decoder(struct_for([json.loads(one)]))
ours.decode(body), plain.decode(body)
gc.disable()
for _ in range(5 if what else 0):
    {"ours": ours, "plain": plain}[what].decode(body)
"""


def _instructions(folder: Path, what: str) -> int:
    """The instructions of a process that reads the page five times with one of the decoders."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    found = re.search(r"Collected : (\d+)", _run(folder, what, *valgrind))
    assert found
    return int(found[1])


def _run(folder: Path, what: str, *under: str) -> str:
    variables = {
        "PYTHONPATH": f"{CLIENT}{os.pathsep}{ROOT}",
        "PYTHONHASHSEED": "0",
        "PYTHONPYCACHEPREFIX": str(folder),  # nothing is compiled while it is counted
    }
    return subprocess.run(
        [*under, sys.executable, "-c", PROGRAM, folder, what],
        env={**{k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}, **variables},
        capture_output=True, text=True, check=True,
    ).stderr  # fmt: skip


def _required(model: type[msgspec.Struct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(model) if field.required]


def _inside(value: Any) -> Iterator[msgspec.Struct]:
    """The models in a model, at every depth, and itself."""
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _inside(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from _inside(item)


def _blocks(make: Callable[[], object]) -> int:
    """How many blocks of memory something takes."""
    make()
    before = sys.getallocatedblocks()
    made = make()
    taken = sys.getallocatedblocks() - before
    del made
    return taken
