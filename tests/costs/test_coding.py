"""What reading a page costs, counted and not timed: memory, the collector's work, calls."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from social_publishing import models
from social_publishing._runtime.core.drift import DriftWatch
from social_publishing._runtime.core.enums import TextCode
from social_publishing._runtime.core.errors import Exchange
from social_publishing._runtime.core.models import ResponseModel
from social_publishing._runtime.request.request import prepare
from social_publishing._runtime.response.decode import decode
from social_publishing._runtime.response.redaction import Redaction
from social_publishing.models import PostPage, PostStatus

from benchmarks import samples
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


def test_a_page_is_read_without_a_function_in_python() -> None:
    """Reading it is left to msgspec: no hook is called for a model, a code or a date."""
    decode, body = msgspec.json.Decoder(PostPage).decode, samples.page(POSTS)
    called: list[str] = []
    gc.disable()  # others may have a function called whenever it runs
    try:
        sys.setprofile(lambda *seen: called.append(str(seen[1:])))
        decode(body)
        sys.setprofile(None)
    finally:
        gc.enable()
    assert len(called) == 3, called  # decode, its return, and the end of counting


def test_a_page_is_written_with_few_calls() -> None:
    """One for each page that nobody has looked into, and some for each model that somebody has."""
    request = prepare(
        operation="posts.list",
        server="main",
        method="GET",
        path="/posts",
        returns=PostPage,
        retry_safety="safe",
    )
    body = samples.page(POSTS)
    exchange = Exchange("posts.list", "GET", "/posts", 200, {}, body)
    page = decode(request, exchange, Redaction(), DriftWatch())
    assert page.to_json() == body
    assert _calls(page.to_json) <= 1.25 * 9
    models = [*_inside(page)]
    assert page.to_json() == body
    assert _calls(page.to_json) <= 1.25 * 13 * len(models)
    assert page.data
    for post in page.data:  # each of which is not read again
        post.name, post.status = "another", PostStatus.DRAFT
    assert _calls(page.to_json) <= 1.25 * 198 * POSTS


def _calls(call: Callable[[], object]) -> int:
    """How many functions of Python are called."""
    called: list[str] = []
    gc.disable()
    try:
        sys.setprofile(lambda _, event, __: called.append(event) if event == "call" else None)
        call()
        sys.setprofile(None)
    finally:
        gc.enable()
    return len(called)


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
