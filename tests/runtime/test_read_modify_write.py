"""Changing a part of what can only be replaced as a whole."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from typing import Annotated, Any

import httpx2
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans_support import BOTH, Side
from runtime.core.errors import ArgumentError, DeadlineExceeded, LimitationWarning
from runtime.core.models import MISSING, UNSET, Meta, RequestModel, ResponseModel, UnsetType
from runtime.plans.read_modify_write import ReadModifyWrite, amended, replaced
from runtime.request.request import Parameter, Request, prepare
from runtime.request.write_back import From, Unmappable, WriteBack

from tests.support.clock import StillClock

Number = Annotated[str, Meta(pattern="^[0-9]+$")]


class Binding(ResponseModel):
    kind: str | None = MISSING
    threads: int | None = MISSING


class Shelf(ResponseModel):
    id: str = MISSING
    name: str | None = MISSING
    note: str | None = MISSING
    room: int | None = MISSING
    tags: list[str] | None = MISSING
    binding: Binding | None = MISSING
    colour: str | None = MISSING
    maps: list[str] | None = MISSING
    shade: dict[str, str | None] | None = MISSING
    bindings: list[Binding] | None = MISSING


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
    {"maps": Unmappable("maps are read without their scale", field="maps"), "tags": From("tags")},
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
        self.reset: dict[str, Any] = {}
        self.hidden: set[str] = set()

    def __call__(self, sent: httpx2.Request) -> httpx2.Response:
        if sent.method == "PUT":
            self.written.append(json.loads(sent.content))
            kept = {name: each for name, each in self.values.items() if name not in self.hidden}
            return httpx2.Response(200, json={**kept, **self.written[-1], **self.reset})
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


@pytest.mark.parametrize(
    ("changes", "arguments"),
    [
        ({"name": 5}, ["name"]),
        ({"name": None}, ["name"]),
        ({"binding": BindingInput(kind="leather")}, ["binding.kind"]),
        ({"tags": ["a", 1]}, ["tags[1]"]),
        ({"shelf_id": "one", "note": "a"}, ["shelf_id"]),
        ({"loud": "yes", "note": "a"}, ["loud"]),
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


@BOTH
@pytest.mark.parametrize(
    ("reset", "named"),
    [
        ({}, None),
        ({"new": {"a": 1.0}, "colour": "red"}, None),
        ({"colour": "blue"}, "colour"),
        ({"colour": None, "new": 5, "more": 1}, "colour, new"),
    ],
)
def test_what_cannot_be_sent_is_looked_for_in_the_response(
    side: type[Side], reset: dict[str, Any], named: str | None
) -> None:
    """What no argument takes, and what no document names, is not sent."""
    shelf = There(name="a", new={"a": 1.0}, colour="red")
    shelf.reset = reset
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        side(shelf).send(change(room=4))
    assert shelf.written == [{"name": "a", "room": 4}]
    text = f"shelves.update: the service has not kept {named}, which cannot be sent"
    assert [str(each.message) for each in caught] == ([text] if named else [])
    assert all(each.category is LimitationWarning for each in caught)


@BOTH
@pytest.mark.parametrize(("there", "named"), [({"colour": "red"}, True), ({"colour": None}, False)])
def test_what_the_response_lacks_is_named(
    side: type[Side], there: dict[str, Any], named: bool
) -> None:
    """A value that is gone may be lost; a null that is gone is the same."""
    shelf = There(name="a", new={"a": 1.0}, **there)
    shelf.hidden = {"colour", "new"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        side(shelf).send(change(room=4))
    text = "shelves.update: the response lacks colour, which cannot be sent: read it again"
    assert [str(each.message) for each in caught] == ([text] if named else [])
    shelf.hidden, shelf.reset = {"colour"}, {"new": 5}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        side(shelf).send(change(room=4))
    other = "shelves.update: the service has not kept new, which cannot be sent"
    assert [str(each.message) for each in caught] == [other, *[text] * named]


@BOTH
@pytest.mark.parametrize("odd", [5, "x", None])
@pytest.mark.parametrize("name", ["bindings", "room"])
def test_a_value_of_another_type_is_not_dropped(side: type[Side], name: str, odd: Any) -> None:
    values = {"bindings": [{"kind": "b"}, odd], "room": {"number": odd}}
    shelf = There(name="a", **{name: values[name]})
    with pytest.raises(ArgumentError, match=rf"{name}.*cannot be sent back"):
        side(shelf).send(change(note="a"))
    assert shelf.written == []


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


# What the caller has read.


def of_shelf(make: Any, shelf: Any, **changes: Any) -> Request[Shelf]:
    every = {name: changes.get(name, UNSET) for name in FIELDS}
    call = ("shelves.change", ("shelf", shelf, Shelf), lambda them: replace(them, shelf.id))
    made: Request[Shelf] = make(*call, every, BACK)
    return made


def sent_by(made: Request[Any]) -> Any:
    assert isinstance(made.body, bytes)
    return json.loads(made.body)


@given(VALUES, st.data())
def test_the_whole_is_made_of_what_the_caller_has_read(there: dict[str, Any], data: Any) -> None:
    changes = data.draw(VALUES.filter(bool))
    given_ = {k: BindingInput(**v) if k == "binding" else v for k, v in changes.items()}
    shelf = msgspec.convert({"id": "7", **there}, Shelf)
    made = of_shelf(replaced, shelf, **given_)
    assert (made.path, sent_by(made)) == ("/shelves/7", {**there, **changes})


class Face(ResponseModel):
    text: str | None = MISSING
    marks: list[str] | None = MISSING
    drawn: str | None = MISSING


class Cover(ResponseModel):
    id: str = MISSING
    faces: dict[str, Face] | None = MISSING
    spine: Face | None = MISSING
    edge: Face | None = MISSING
    plates: list[str] | None = MISSING
    title: str | None = MISSING


class FaceInput(RequestModel):
    text: str | UnsetType | None = UNSET
    marks: list[str] | UnsetType = UNSET


class CoverUpdate(RequestModel):
    faces: dict[str, FaceInput] | UnsetType = UNSET
    spine: FaceInput | UnsetType = UNSET
    rim: FaceInput | UnsetType = UNSET
    plates: dict[str, str] | UnsetType = UNSET
    title: str | UnsetType = UNSET


COVER = WriteBack(
    CoverUpdate,
    {
        "plates": Unmappable("plates are read without their places", field="plates"),
        "rim": From("edge"),
    },
    ignored=frozenset({"faces.drawn"}),
)


def amend(cover: Any, **changes: Any) -> Any:
    def write(values: Mapping[str, Any]) -> Request[Any]:
        json = CoverUpdate(**values)
        return prepare(
            operation="covers.update",
            server="main",
            method="PATCH",
            path="/covers/1",
            json=json,
            returns=None,
            retry_safety="unsafe",
        )

    every = {name: changes.get(name, UNSET) for name in CoverUpdate.__struct_fields__}
    return sent_by(amended("covers.amend", ("cover", cover, Cover), write, every, COVER))


FRONT, BACK_FACE = Face(text="front", marks=["a"], drawn="x"), Face(text="back")


@pytest.mark.parametrize(
    ("changes", "sent"),
    [
        (
            {"faces": {"front": FaceInput(text="new")}},
            {"faces": {"front": {"text": "new", "marks": ["a"]}, "back": {"text": "back"}}},
        ),
        (
            {"faces": {"side": FaceInput(text="s"), "back": FaceInput(marks=[], text=None)}},
            {
                "faces": {
                    "front": {"text": "front", "marks": ["a"]},
                    "back": {"text": None, "marks": []},
                    "side": {"text": "s"},
                }
            },
        ),
        ({"title": "t"}, {"title": "t"}),
        ({"spine": FaceInput(text="s")}, {"spine": {"text": "s"}}),
        ({"rim": FaceInput(text="r")}, {"rim": {"text": "r", "marks": ["a"]}}),
    ],
)
def test_parts_that_are_not_given_stay(changes: dict[str, Any], sent: Any) -> None:
    cover = Cover(
        id="1",
        title="old",
        spine=None,
        edge=Face(text="front", marks=["a"]),
        faces={"front": FRONT, "back": BACK_FACE},
        plates=["p"],
    )
    assert amend(cover, **changes) == sent
    assert cover.faces == {"front": FRONT, "back": BACK_FACE}


@pytest.mark.parametrize(
    ("cover", "changes", "problems"),
    [
        (
            Cover(id="1", title="old"),
            {"faces": {"front": FaceInput(text="new")}},
            {"faces": "was not read: its other parts are not known"},
        ),
        (
            Cover(id="1"),
            {"rim": FaceInput(text="r")},
            {"rim": "was not read: its other parts are not known"},
        ),
        (
            Cover(id="1", plates=["p"]),
            {"plates": {"here": "q"}},
            {"plates": "cannot be sent back: plates are read without their places"},
        ),
        (
            Cover(id="1", spine=Face(text="s", drawn="by hand")),
            {"spine": FaceInput(text="new")},
            {"spine.drawn": "cannot be sent back: no argument takes it"},
        ),
    ],
)
def test_a_part_that_would_be_lost_is_refused(
    cover: Cover, changes: dict[str, Any], problems: dict[str, str]
) -> None:
    with pytest.raises(ArgumentError) as caught:
        amend(cover, **changes)
    assert (caught.value.operation, dict(caught.value.problems)) == ("covers.amend", problems)


def test_without_a_change_only_arguments_of_the_method_are_named() -> None:
    """The write that it sends has others, and one of them is the first."""

    def write(values: Mapping[str, Any]) -> Request[Any]:
        given: Any = {"server": "main", "method": "PATCH", "path": "/covers/1", "returns": None}
        json = CoverUpdate(**values)
        return prepare("covers.update", **given, json=json, refuse_empty=True)

    changes = dict.fromkeys(("spine", "rim"), UNSET)
    with pytest.raises(ArgumentError) as caught:
        amended("covers.amend", ("cover", Cover(id="1"), Cover), write, changes, COVER)
    assert dict(caught.value.problems) == {"spine or rim": "at least one must be given"}


def test_what_is_lost_anyway_is_no_loss_where_it_is_given_anew() -> None:
    odd: Any = [5]
    cover = Cover(id="1", title=odd, spine=Face(text="s", marks=odd), faces={"a": Face(marks=odd)})
    anew: Any = FaceInput(marks=["b"])
    assert amend(cover, title="t") == {"title": "t"}
    assert amend(cover, spine=anew) == {"spine": {"text": "s", "marks": ["b"]}}
    assert amend(cover, faces={"a": anew}) == {"faces": {"a": {"marks": ["b"]}}}
    for changes in ({"spine": FaceInput(text="x")}, {"faces": {"b": anew}}):
        with pytest.raises(ArgumentError, match=r"marks.*cannot be sent back"):
            amend(cover, **changes)


@pytest.mark.parametrize(
    ("title", "changes", "sent"),
    [
        ("t", {"spine": FaceInput(text="s")}, {"title": "t", "spine": {"text": "s"}}),
        ("", {"spine": FaceInput(text="s")}, {"title": "", "spine": {"text": "s"}}),
        ("t", {"spine": FaceInput(text="s"), "title": "u"}, {"title": "u", "spine": {"text": "s"}}),
        (MISSING, {"spine": FaceInput(text="s")}, None),
        (MISSING, {"title": "u"}, {"title": "u"}),
    ],
)
def test_what_a_write_demands_is_sent_as_it_was_read(title: Any, changes: Any, sent: Any) -> None:
    def build(*, title: str, **others: Any) -> Request[Any]:
        return prepare(
            operation="covers.update",
            server="main",
            method="PATCH",
            path="/covers/1",
            json=CoverUpdate(title=title, **others),
            returns=None,
            retry_safety="unsafe",
        )

    cover = Cover(id="1", title=title, spine=Face(text="old"))
    given = ("covers.amend", ("cover", cover, Cover), lambda values: build(**values))
    if sent is None:
        with pytest.raises(ArgumentError, match="title: was not read, and has to be sent"):
            amended(*given, changes, COVER, ["title"])
    else:
        assert sent_by(amended(*given, changes, COVER, ["title"])) == sent
