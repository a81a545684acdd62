"""Changing a part of what can only be replaced as a whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import httpx2
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans_support import SIDES, Side, counted
from runtime.core.errors import ArgumentError, DeadlineExceeded
from runtime.core.models import UNSET, Maybe, Meta, RequestModel, ResponseModel, UnsetType
from runtime.plans.read_modify_write import ReadModifyWrite
from runtime.request.request import Parameter, Request, prepare
from runtime.request.write_back import From, Lost, WriteBack
from runtime_support import Refused

from tests.support.clock import StillClock

BOTH = pytest.mark.parametrize("side", SIDES, ids=["sync", "async"])


Number = Annotated[str, Meta(pattern="^[0-9]+$")]


class Binding(ResponseModel):
    kind: Maybe[str] = UNSET
    threads: Maybe[int] = UNSET


class Shelf(ResponseModel):
    id: str
    name: Maybe[str] = UNSET
    note: Maybe[str] = UNSET
    room: Maybe[int] = UNSET
    tags: Maybe[list[str]] = UNSET
    binding: Maybe[Binding] = UNSET
    colour: Maybe[str] = UNSET
    maps: Maybe[list[str]] = UNSET
    shade: Maybe[dict[str, str | None]] = UNSET
    bindings: Maybe[list[Binding]] = UNSET


class BindingInput(RequestModel):
    kind: Annotated[str, Meta(max_length=5)] | UnsetType = UNSET


class ShelfReplacement(RequestModel, kw_only=True):
    name: Annotated[str, Meta(max_length=20)]
    note: str | UnsetType | None = UNSET
    room: Annotated[int, Meta(ge=1)] | UnsetType | None = UNSET
    tags: list[str] | UnsetType = UNSET
    binding: BindingInput | UnsetType = UNSET
    maps: list[str] | UnsetType = UNSET
    shade: dict[str, str] | UnsetType = UNSET
    bindings: list[BindingInput] | UnsetType = UNSET


BACK = WriteBack(
    ShelfReplacement,
    {"maps": Lost("maps are read without their scale", field="maps"), "tags": From("tags")},
    ignored=frozenset({"id"}),
)

FIELDS = tuple(ShelfReplacement.__struct_fields__)


def read(shelf_id: str = "1") -> Request[Shelf]:
    return prepare(
        operation="shelves.get",
        server="main",
        method="GET",
        path="/shelves/{shelf}",
        path_parameters=[Parameter("shelf", shelf_id, Number, "shelf_id")],
        returns=Shelf,
        retry_safety="safe",
    )


def replace(
    values: Mapping[str, Any], shelf_id: str = "1", loud: bool | UnsetType = UNSET
) -> Request[Shelf]:
    return prepare(
        operation="shelves.replace",
        server="main",
        method="PUT",
        path="/shelves/{shelf}",
        path_parameters=[Parameter("shelf", shelf_id, Number, "shelf_id")],
        query=[Parameter("loud", loud, bool, "loud")],
        json=ShelfReplacement(**values),
        returns=Shelf,
        retry_safety="idempotent",
    )


def change(shelf_id: str = "1", loud: Any = UNSET, **changes: Any) -> ReadModifyWrite[Shelf]:
    every = {name: changes.get(name, UNSET) for name in FIELDS}
    return ReadModifyWrite(
        "shelves.update",
        lambda: read(shelf_id),
        lambda changed: replace(changed, shelf_id, loud),
        every,
        BACK,
    )


class There:
    """One shelf, which is read and replaced."""

    def __init__(self, **values: Any) -> None:
        self.values = {"id": "1", **values}
        self.written: list[Any] = []

    def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        if sent.method == "PUT":
            self.written.append(json.loads(sent.content))
            return httpx2.Response(200, json={"id": "1", **self.written[-1]})
        return httpx2.Response(200, json=self.values)


WORDS = st.text("abc ", max_size=5)
VALUES = st.fixed_dictionaries(
    {"name": WORDS},
    optional={
        "note": st.none() | WORDS,
        "room": st.none() | st.integers(1, 9),
        "tags": st.lists(WORDS, max_size=3),
        "binding": st.fixed_dictionaries({"kind": WORDS}),
    },
)


@BOTH
@given(there=VALUES, data=st.data())
def test_what_is_given_changes_and_all_else_stays(
    side: type[Side], there: dict[str, Any], data: Any
) -> None:
    changes = data.draw(VALUES.filter(bool))
    names = data.draw(st.lists(st.sampled_from(sorted(changes)), min_size=1, unique=True))
    changes = {name: changes[name] for name in names}
    shelf = There(**there, colour="red")
    given_ = {k: BindingInput(**v) if k == "binding" else v for k, v in changes.items()}
    found = side(shelf).send(change(**given_))
    assert shelf.written == [{**there, **changes}]
    assert found.id == "1"


@BOTH
def test_it_takes_one_read_and_one_write(side: type[Side]) -> None:
    seen, handler = counted(There(name="a", note=None, room=3))
    side(handler).send(change(room=None))
    assert [each.method for each in seen] == ["GET", "PUT"]
    assert json.loads(seen[1].content) == {"name": "a", "note": None, "room": None}


def test_without_a_change_nothing_is_sent() -> None:
    with pytest.raises(ArgumentError) as caught:
        change()
    assert caught.value.operation == "shelves.update"
    assert "at least one must be given" in str(caught.value)
    assert "name or note or room" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "arguments"),
    [
        ({"name": 5}, ["name"]),
        ({"name": None}, ["name"]),
        ({"name": "x" * 21, "room": 0}, ["name", "room"]),
        ({"binding": BindingInput(kind="leather")}, ["binding.kind"]),
        ({"tags": ["a", 1]}, ["tags[1]"]),
        ({"shelf_id": "one", "note": "a"}, ["shelf_id"]),
        ({"shelf_id": "one", "loud": 1, "room": 0}, ["shelf_id", "loud", "room"]),
        ({"shelf_id": "one"}, ["shelf_id", " or ".join(FIELDS)]),
    ],
)
def test_a_bad_change_is_refused_before_anything_is_sent(
    changes: dict[str, Any], arguments: list[str]
) -> None:
    with pytest.raises(ArgumentError) as caught:
        change(**changes)
    assert caught.value.operation == "shelves.update"
    assert [each.argument for each in caught.value.problems] == arguments


@BOTH
@pytest.mark.parametrize(
    ("there", "changes", "arguments"),
    [
        ({"name": "x" * 21}, {"room": 1}, ["name"]),
        ({}, {"room": 1}, ["name"]),
        ({"name": None}, {"room": 1}, ["name"]),
        ({"name": "a", "room": 0}, {"note": "b"}, ["room"]),
        ({"name": "a", "maps": ["north"]}, {"note": "b"}, ["maps"]),
        ({"name": "a", "shade": {"a": None, "b": "c"}}, {"note": "b"}, ["shade['a']"]),
        ({"name": "a", "binding": {"kind": "cloth", "threads": 3}}, {"note": "b"}, None),
        ({"name": "a", "binding": {"kind": "leather"}}, {"note": "b"}, None),
    ],
)
def test_what_would_be_lost_is_named_and_nothing_is_changed(
    side: type[Side], there: dict[str, Any], changes: dict[str, Any], arguments: list[str] | None
) -> None:
    shelf = There(**there)
    with pytest.raises(ArgumentError) as caught:
        side(shelf).send(change(**changes))
    assert caught.value.operation == "shelves.update"
    found = [each.argument for each in caught.value.problems]
    assert found == arguments or (arguments is None and found[0].startswith("binding."))
    assert "cannot be sent back" in str(caught.value)
    assert shelf.written == []


@BOTH
def test_what_is_changed_need_not_be_sent_back(side: type[Side]) -> None:
    shelf = There(name="x" * 21, room=0, maps=["north"], binding={"threads": 3})
    side(shelf).send(change(name="a", room=1, maps=[], binding=BindingInput(kind="cloth")))
    assert shelf.written == [{"name": "a", "room": 1, "maps": [], "binding": {"kind": "cloth"}}]


@BOTH
@pytest.mark.parametrize(
    ("there", "written"),
    [
        ({"tags": None}, {}),
        ({"tags": None, "note": None}, {"note": None}),
        ({"binding": None, "maps": None}, {}),
        ({"binding": {"kind": None, "threads": None}}, {"binding": {}}),
        ({"bindings": [{"kind": None}, {"kind": "b"}]}, {"bindings": [{}, {"kind": "b"}]}),
    ],
)
def test_a_null_that_cannot_be_sent_is_left_out(
    side: type[Side], there: dict[str, Any], written: dict[str, Any]
) -> None:
    shelf = There(name="a", **there)
    side(shelf).send(change(room=4))
    assert shelf.written == [{"name": "a", "room": 4, **written}]


class Tag(ResponseModel):
    owner: Maybe[str] = UNSET
    colour: Maybe[str] = UNSET


class TagReplacement(RequestModel, kw_only=True):
    owner: str | None
    colour: str | UnsetType = UNSET


@BOTH
def test_a_null_that_must_be_sent_is_sent(side: type[Side]) -> None:
    def write(values: Mapping[str, Any]) -> Request[Tag]:
        body = TagReplacement(**values)
        return msgspec.structs.replace(
            replace({"name": "a"}), body=msgspec.json.encode(body), returns=Tag
        )

    shelf = There(owner=None, colour=None, maps=["north"])
    reading = msgspec.structs.replace(read(), returns=Tag)
    changes = {"owner": UNSET, "colour": "red"}
    back = WriteBack(TagReplacement, ignored=frozenset({"maps"}))
    side(shelf).send(ReadModifyWrite("tags.update", lambda: reading, write, changes, back))
    assert shelf.written == [{"owner": None, "colour": "red"}]
    changes = {"owner": "me", "colour": UNSET}
    side(shelf).send(ReadModifyWrite("tags.update", lambda: reading, write, changes, back))
    assert shelf.written[1:] == [{"owner": "me"}]


@BOTH
@pytest.mark.parametrize(("deadline", "in_time"), [(8.0, False), (10.0, True)])
def test_one_deadline_counts_for_both_requests(
    side: type[Side], deadline: float, in_time: bool
) -> None:
    """The read takes 3 seconds, the write 2, and 4 more pass before it may be tried again."""
    clock, there = StillClock(), There(name="a")
    left = [3.0, 2.0]

    def slow(sent: httpx2.Request) -> httpx2.Response:
        if not left:
            return there(sent)
        clock.time += left.pop(0)
        answer = there(sent)
        return answer if left else httpx2.Response(503, headers={"Retry-After": "4"})

    call = side(slow, clock, deadline=deadline, retries=1).send
    if in_time:
        call(change(name="b"))
    else:
        with pytest.raises(DeadlineExceeded):
            call(change(name="b"))
    assert clock.pauses == [4.0] * in_time


@BOTH
def test_what_cannot_be_read_is_not_written(side: type[Side]) -> None:
    seen, handler = counted(lambda _: httpx2.Response(404, json={}))
    with pytest.raises(Refused):
        side(handler).send(change(note="a"))
    assert len(seen) == 1
