"""What is read, as the arguments of a write: nothing is refused, and nothing is lost in silence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import UNSET, field
from runtime.core.drift import DriftWatch
from runtime.core.enums import IntCode, TextCode
from runtime.core.errors import ArgumentError, Exchange
from runtime.core.models import MISSING, Meta, RequestModel, ResponseModel, UnsetType, written_as
from runtime.request.request import prepare
from runtime.request.validation import Checker
from runtime.request.write_back import (
    From,
    Unmappable,
    WriteBack,
    arguments,
    compare,
)
from runtime.response.decode import decode
from runtime.response.redaction import Redaction
from runtime_support import request

Id = Annotated[str, Meta(pattern="^[0-9]{1,20}$")]


class Shelf(TextCode):
    FRONT = "front"
    BACK = "back"


class Size(IntCode):
    SMALL = 1
    LARGE = 5


class ReadSize(IntCode):
    SMALL = 1


class Tag(ResponseModel):
    id: str | None = MISSING
    name: str | None = MISSING


class Remark(ResponseModel):
    text: str | None = MISSING
    page: int | None = MISSING
    hue: str | None = MISSING


class Notes(ResponseModel):
    open: bool | None = MISSING
    by_shelf: dict[Shelf, Remark] | None = field(default=MISSING, name="byShelf")
    score: int | None = MISSING


class Book(ResponseModel):
    id: str = MISSING
    title: str | None = MISSING
    blurb: str | None = MISSING
    size: Size | None = MISSING
    weight: ReadSize | None = MISSING
    reader_ids: list[str] | None = field(default=MISSING, name="readerIds")
    tags: list[Tag] | None = MISSING
    due_at: datetime | None = MISSING
    made_at: datetime | None = MISSING
    remarks: dict[Shelf, Remark] | None = MISSING
    notes: Notes | None = MISSING
    homes: list[str | None] | None = MISSING
    extra: dict[str, Any] | None = MISSING
    stock: int | None = MISSING
    lent: bool | None = MISSING
    read_alone: str | None = MISSING


class RemarkUpdate(RequestModel):
    text: Annotated[str, Meta(max_length=9)] | UnsetType = UNSET
    page: int | UnsetType = UNSET


class NotesUpdate(RequestModel):
    open: bool | UnsetType = UNSET
    by_shelf: Sequence[RemarkUpdate] | UnsetType = field(default=UNSET, name="shelfRemarks")


class Home(RequestModel):
    id: str


class BookUpdate(RequestModel):
    title: Annotated[str, Meta(max_length=5)] | UnsetType = UNSET
    blurb: str | UnsetType | None = UNSET
    size: Size | UnsetType = UNSET
    weight: Size | UnsetType = UNSET
    reader_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="readers")
    tag_ids: Sequence[Id] | UnsetType = field(default=UNSET, name="tagIds")
    due_at: (
        Annotated[datetime, written_as("%Y-%m-%dT%H:%M", "Europe/Berlin")] | UnsetType | None
    ) = UNSET
    made_at: datetime | UnsetType | None = UNSET
    remarks: Mapping[Shelf, RemarkUpdate] | UnsetType = UNSET
    notes: NotesUpdate | UnsetType = UNSET
    homes: Mapping[Id, Home] | UnsetType = UNSET
    extra: Mapping[str, Any] | UnsetType = UNSET
    publish: bool | UnsetType = UNSET
    lent: bool | UnsetType = UNSET


class BookReplacement(RequestModel):
    title: Annotated[str, Meta(max_length=5)]
    blurb: str | UnsetType | None = UNSET


class Anything(ResponseModel):
    title: Any = UNSET
    notes: Any = UNSET
    lent: Any = UNSET
    reader_ids: Any = UNSET
    extra: Any = UNSET
    tags: Any = UNSET


BOOK = WriteBack(
    BookUpdate,
    {
        "tag_ids": From("tags", pick="id"),
        "notes.by_shelf": From("by_shelf", values=True, loses="the shelves"),
        "homes": Unmappable("the readers are not said", field="homes"),
    },
    frozenset({"id", "stock", "remarks.hue"}),
)


def made(back: WriteBack = BOOK, **read: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """The arguments, which must be accepted, and what is lost."""
    found = arguments(back, Book(id="1", **read))
    checker = Checker()
    checker.fields(back.written(**found))
    assert checker.problems == []
    return dict(found), {lost.field: lost.reason for lost in found.lost}


def same(
    sent: dict[str, Any], back: WriteBack = BOOK, **read: Any
) -> tuple[list[str], list[str], list[str]]:
    """Which arguments are the same, different, unknown."""
    found = compare(back, Book(id="1", **read), msgspec.json.encode(sent))
    return [*found.same], [*found.different], [*found.unknown]


NINE = datetime(2026, 12, 1, 9, tzinfo=UTC)


def test_a_field_of_the_same_name_is_its_argument() -> None:
    assert made(blurb="b", size=Size.LARGE, reader_ids=["1", "20"], lent=False, extra={"a": 1}) == (
        {
            "blurb": "b",
            "size": Size.LARGE,
            "reader_ids": ["1", "20"],
            "lent": False,
            "extra": {"a": 1},
        },
        {},
    )


def test_absent_stays_absent_and_null_goes_where_it_may() -> None:
    assert made() == ({}, {})
    assert made(blurb=None, made_at=None) == ({"blurb": None, "made_at": None}, {})
    assert made(title=None, notes=None, tags=None) == (
        {},
        dict.fromkeys(["title", "notes", "tag_ids"], "null cannot be sent here"),
    )
    assert made(remarks={Shelf.FRONT: Remark(text=None, page=3)}) == (
        {"remarks": {Shelf.FRONT: RemarkUpdate(page=3)}},
        {"remarks['front'].text": "null cannot be sent here"},
    )


def test_what_is_refused_is_left_out_and_named() -> None:
    given, lost = made(
        title="too long", size=Size(77), reader_ids=["1", "x"], due_at=NINE.replace(second=30)
    )
    assert given == {}
    assert lost == {
        "title": "at most 5 characters, got 8",
        "size": "77 is no Size: one of 1, 5",
        "reader_ids": "reader_ids[1]: 'x' does not fit ^[0-9]{1,20}$",
        "due_at": "2026-12-01T09:00:30+00:00 would lose its seconds, since only "
        "'2026-12-01T10:00' can be sent: use .replace(second=0, microsecond=0)",
    }
    naive = {"made_at": datetime(2026, 12, 1, 9)}
    assert "naive" in made(**naive)[1]["made_at"]


def test_models_inside_are_made_member_by_member() -> None:
    read = {Shelf.BACK: Remark(text="t", hue="red"), Shelf.FRONT: Remark(text="longer than nine")}
    assert made(remarks=read, notes=Notes(open=False, score=3)) == (
        {
            "remarks": {Shelf.BACK: RemarkUpdate(text="t"), Shelf.FRONT: RemarkUpdate()},
            "notes": NotesUpdate(open=False),
        },
        {
            "remarks['front'].text": "at most 9 characters, got 16",
            "notes.score": "no argument takes it",
        },
    )


def test_what_came_in_the_place_of_an_object_is_no_empty_one() -> None:
    body = b'{"id":"1","remarks":{"front":5,"back":{"text":"t"}}}'
    came = Exchange("books.get", "GET", "http://a.test", 200, {}, body)
    book = decode(request(returns=Book), came, Redaction(""), DriftWatch())
    found = arguments(BOOK, book)
    assert found == {"remarks": {Shelf.BACK: RemarkUpdate(text="t")}}
    assert [lost.field for lost in found.lost] == ["remarks['front']"]
    assert [each.additional_properties for each in book.remarks.values()] == [{}, {}]


def test_a_required_argument_that_is_not_there_is_named() -> None:
    back = WriteBack(BookReplacement, ignored=frozenset({"id"}))
    found = arguments(back, Book(id="1", blurb=None))
    assert found == {"blurb": None}
    assert [*map(str, found.lost)] == ["title: is required, and was not read"]
    assert [*map(str, arguments(back, Book(id="1", title=None)).lost)] == [
        "title: null cannot be sent here"
    ]


def test_values_of_another_shape_are_refused_by_name() -> None:
    back = WriteBack(BookUpdate, {"tag_ids": From("tags", pick="id")})
    found = arguments(back, Anything(title=3, notes={"opened": True}, reader_ids="1", tags=["a"]))
    assert found == {}
    assert [lost.field for lost in found.lost] == ["tag_ids", "title", "reader_ids", "notes"]


@pytest.mark.parametrize("empty", [0, "", False, [], {}])
def test_what_is_empty_is_picked_as_anything_else(empty: Any) -> None:
    class AnyTags(RequestModel):
        tag_ids: list[Any] | UnsetType = UNSET

    back = WriteBack(AnyTags, {"tag_ids": From("tags", pick="title")})
    tags = [Anything(title=empty), Anything(title="a")]
    found = arguments(back, Anything(tags=tags))
    assert (found["tag_ids"], found.lost) == ([empty, "a"], ())
    for nothing in (None, UNSET):
        found = arguments(back, Anything(tags=[*tags, Anything(title=nothing)]))
        assert [str(each) for each in found.lost] == [
            "tag_ids: item 2 of what is read has no title"
        ]


def test_only_what_was_read_can_be_written_back() -> None:
    with pytest.raises(ArgumentError, match="model: expected what was read, got dict"):
        arguments(BOOK, {"id": "1"})  # type: ignore[arg-type]


# Every argument is compared as it would be written.


@pytest.mark.parametrize(
    ("sent", "read", "outcome"),
    [
        ({"title": "t"}, {"title": "t"}, True),
        ({"title": "t"}, {"title": "u"}, False),
        ({"title": "t"}, {}, None),
        ({"blurb": None}, {"blurb": None}, True),
        ({"blurb": None}, {"blurb": "b"}, False),
        ({"blurb": None}, {}, None),
        ({"blurb": None}, {"blurb": ""}, None),
        ({"lent": False}, {"lent": False}, True),
        ({"lent": False}, {"lent": True}, False),
        ({"size": 5}, {"size": Size.LARGE}, True),
        ({"size": 5}, {"size": Size(77)}, False),
        ({"readers": ["1", "2"]}, {"reader_ids": ["1", "2"]}, True),
        ({"readers": ["1", "2"]}, {"reader_ids": ["2", "1"]}, False),
        ({"readers": ["1", "2"]}, {"reader_ids": ["1"]}, False),
        ({"readers": []}, {"reader_ids": []}, True),
        ({"readers": []}, {"reader_ids": None}, None),
        ({"tagIds": ["1", "2"]}, {"tags": [Tag(id="2"), Tag(id="1")]}, True),
        ({"tagIds": ["1"]}, {"tags": [Tag(id="1"), Tag(id="2")]}, False),
        ({"tagIds": []}, {"tags": [Tag(id="1")]}, False),
        ({"tagIds": []}, {"tags": []}, True),
        ({"tagIds": ["1"]}, {"tags": [Tag(name="a")]}, None),
        ({"tagIds": ["1"]}, {}, None),
        ({"due_at": "2026-12-01T10:00"}, {"due_at": NINE}, True),
        (
            {"due_at": "2026-12-01T10:00"},
            {"due_at": NINE.astimezone(timezone(timedelta(hours=7)))},
            True,
        ),
        ({"due_at": "2026-12-01T10:00"}, {"due_at": NINE + timedelta(minutes=1)}, False),
        ({"due_at": "2026-12-01T10:00"}, {"due_at": NINE.replace(second=30)}, False),
        ({"due_at": "2026-12-01T10:00"}, {"due_at": NINE.replace(tzinfo=None)}, None),
        ({"due_at": "2026-12-01T10:00"}, {"due_at": None}, False),
        ({"made_at": "2026-12-01T09:00:00Z"}, {"made_at": NINE}, True),
        ({"remarks": {"back": {"page": 1}}}, {"remarks": {Shelf.BACK: Remark(page=1)}}, True),
        ({"remarks": {"back": {"page": 1}}}, {"remarks": {Shelf.BACK: Remark(text="a")}}, None),
        ({"remarks": {"back": {"page": 1}}}, {"remarks": {Shelf.FRONT: Remark(page=1)}}, False),
        ({"remarks": {}}, {"remarks": {Shelf.FRONT: Remark()}}, True),
        ({"remarks": {}}, {"remarks": {Shelf.FRONT: Remark(page=1)}}, None),
        ({"remarks": {}}, {"remarks": {}}, True),
        (  # one more than was sent: kept by a service that merges, or never written
            {"remarks": {"back": {"page": 1}}},
            {"remarks": {Shelf.BACK: Remark(page=1), Shelf("attic"): Remark(page=1)}},
            None,
        ),
        (  # members that were not sent may be filled by the service
            {"remarks": {"back": {"page": 1}}},
            {"remarks": {Shelf.BACK: Remark(page=1, text="too long to be sent", hue="red")}},
            True,
        ),
        ({"remarks": {"back": {"hue": "red"}}}, {"remarks": {Shelf.BACK: Remark(hue="red")}}, None),
        (
            {"notes": {"shelfRemarks": [{"page": 1}, {"page": 2}]}},
            {
                "notes": Notes(
                    by_shelf={Shelf.FRONT: Remark(page=2), Shelf.BACK: Remark(page=1, text="a")}
                )
            },
            True,
        ),
        (
            {"notes": {"shelfRemarks": [{"page": 1}, {"text": "a"}]}},
            {"notes": Notes(by_shelf={Shelf.FRONT: Remark(text="a"), Shelf.BACK: Remark(page=1)})},
            True,
        ),
        (
            {"notes": {"shelfRemarks": [{"page": 1}]}},
            {"notes": Notes(by_shelf={Shelf.FRONT: Remark(), Shelf.BACK: Remark(page=1)})},
            None,
        ),
        (
            {"notes": {"shelfRemarks": [{"page": 1}, {"page": 2}]}},
            {"notes": Notes(by_shelf={Shelf.FRONT: Remark(page=2)})},
            False,
        ),
        ({"notes": {"open": True}}, {"notes": Notes(open=True, score=3)}, True),
        ({"notes": {}}, {"notes": None}, None),
        ({"notes": {}}, {"notes": Notes()}, True),
        ({"homes": {"1": {"id": "a"}}}, {"homes": ["a"]}, None),
        ({"extra": {"a": [1]}}, {"extra": {"a": [1]}}, True),
        ({"extra": {"a": 1.0}}, {"extra": {"a": 1}}, True),
        ({"publish": True}, {}, None),
        ({"nobody knows it": 1}, {}, None),
    ],
)
def test_compare(sent: dict[str, Any], read: dict[str, Any], outcome: bool | None) -> None:
    (wire_name,) = sent
    python = {"readers": "reader_ids", "tagIds": "tag_ids"}.get(wire_name, wire_name)
    expected = tuple([python] if outcome is which else [] for which in (True, False, None))
    assert same(sent, **read) == expected


# Whatever can be read: the arguments are accepted, and what was written back is read as the same.

TEXT = st.text(max_size=12, alphabet=st.characters(exclude_categories=["Cs"]))
SHELVES = st.one_of(st.sampled_from([*Shelf]), TEXT.map(Shelf))
REMARKS = st.builds(
    Remark, text=st.none() | TEXT, page=st.none() | st.integers(), hue=st.just(UNSET) | TEXT
)
TIMES = st.datetimes(timezones=st.none() | st.sampled_from([UTC, timezone(timedelta(hours=5.5))]))
READ: dict[str, st.SearchStrategy[Any]] = {
    "title": TEXT,
    "blurb": TEXT,
    "size": st.integers(0, 9).map(Size),
    "weight": st.integers(0, 9).map(ReadSize),
    "reader_ids": st.lists(TEXT | st.just("12"), max_size=3),
    "tags": st.lists(st.builds(Tag, id=st.sampled_from(["1", "22", "x", None, UNSET]))),
    "due_at": TIMES,
    "made_at": TIMES,
    "remarks": st.dictionaries(SHELVES, REMARKS, max_size=3),
    "notes": st.builds(
        Notes,
        open=st.booleans(),
        by_shelf=st.none() | st.dictionaries(SHELVES, REMARKS, max_size=3),
    ),
    "homes": st.lists(TEXT, max_size=2),
    "extra": st.dictionaries(TEXT, TEXT | st.lists(st.integers()), max_size=2),
    "lent": st.booleans(),
    "read_alone": TEXT,
}
BOOKS = st.fixed_dictionaries(
    {}, optional={name: st.none() | values for name, values in READ.items()}
).map(lambda read: Book(id="1", **read))


@given(BOOKS)
def test_the_arguments_of_any_book_are_accepted_and_read_back(book: Book) -> None:
    found = arguments(BOOK, book)
    assume(found)
    request = prepare(
        operation="books.update",
        server="main",
        method="PATCH",
        path="/books/1",
        returns=None,
        retry_safety="unsafe",
        json=BookUpdate(**found),
    )
    assert isinstance(request.body, bytes)
    outcome = compare(BOOK, book, request.body)
    assert outcome.different == ()
    lost = {lost.field.replace("[", ".").split(".")[0] for lost in found.lost}
    assert {*outcome.unknown} <= lost
    assert {*outcome.same, *outcome.unknown} == {*found}


class Scores(ResponseModel):
    value: Any = MISSING
    inner: Any = MISSING


@pytest.mark.parametrize(
    ("value", "is_something"),
    [
        (0, True), (False, True), (0.0, True), ("0", True), ([None], True), ({"a": None}, True),
        (Remark(page=0), True), (Notes(open=False), True),
        (None, False), ("", False), ([], False), ({}, False), (UNSET, False), (Remark(), False),
        (Remark(text=None), False),
    ],
)  # fmt: skip
def test_false_and_zero_are_something_that_can_be_lost(value: Any, is_something: bool) -> None:
    """Nothing is not: a warning about each field that is empty would hide those that count."""
    rule = Unmappable("it is not said", field="inner")
    back = WriteBack(BookReplacement, {"blurb": rule, "title": Unmappable("it is never said")})
    found = arguments(back, Scores(value=value, inner=value))
    named = {lost.field: lost.reason for lost in found.lost}
    wanted = {"value": "no argument takes it", "blurb": "it is not said"} if is_something else {}
    assert "title" in named
    assert {name: reason for name, reason in named.items() if name != "title"} == wanted
    half = WriteBack(BookReplacement, {"blurb": From("value", loses="a half")})
    lost = [str(each) for each in arguments(half, Scores(value=value)).lost]
    assert ("blurb: loses a half" in lost) is is_something


@pytest.mark.parametrize("title", [UNSET, None, "", "t"])
def test_what_nothing_that_is_read_makes_is_always_lost(title: Any) -> None:
    back = WriteBack(BookUpdate, {"publish": Unmappable("it is never read")}, frozenset({"id"}))
    found = arguments(back, Book(id="1", title=title))
    assert ("publish", "it is never read") in found.lost


@given(BOOKS)
def test_nothing_is_lost_in_silence(book: Book) -> None:
    found = arguments(BOOK, book)
    lost = {lost.field.replace("[", ".").split(".")[0] for lost in found.lost}
    renamed = {"tags": "tag_ids"}
    for name in READ:
        value = getattr(book, name)
        empty = value is UNSET or value is None or value in ("", [])
        assert empty or renamed.get(name, name) in found.keys() | lost
