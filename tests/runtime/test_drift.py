"""Answers that are not as documented: what is read of them, and who is told."""

from __future__ import annotations

import copy
import gc
import json
import math
import pickle
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from runtime.core import drift as drift_module
from runtime.core.drift import Drift, DriftMode, DriftWarning, DriftWatch
from runtime.core.enums import IntCode, TextCode
from runtime.core.errors import DecodeError, DriftError, Exchange
from runtime.core.models import MISSING, AwareDatetime, Present, ResponseModel
from runtime.request.request import Request, prepare
from runtime.response.decode import decode
from runtime.response.redaction import Redaction

SECRET = "s3cr3t-T0KEN-value"


class Size(IntCode):
    SMALL = 1
    LARGE = 5


class Genre(TextCode):
    CRIME = "crime"
    VERSE = "verse"


class Role(TextCode, open_set=True):
    OWNER = "owner"


class Author(ResponseModel):
    id: str = MISSING
    name: str | None = MISSING
    born: date | None = MISSING
    role: Role | None = MISSING


class Book(ResponseModel):
    id: str = MISSING
    title: str | None = MISSING
    pages: int | None = MISSING
    price: float | None = MISSING
    lent: bool | None = MISSING
    due_at: AwareDatetime | None = msgspec.field(name="dueAt", default=MISSING)
    genre: Genre | None = MISSING
    size: Size | None = MISSING
    tags: list[str] | None = MISSING
    marks: list[int | None] | None = MISSING
    stock: dict[str, int] | None = MISSING
    shelves: dict[Genre, Author] | None = MISSING
    by_size: dict[Size, float] | None = MISSING
    loose: Any = MISSING
    open: list[dict[str, Any]] | None = MISSING
    author: Author | None = MISSING
    sequels: list[Book] | None = MISSING
    key: UUID | None = MISSING
    either: list[str] | dict[str, str] | None = MISSING
    code: int | str | None = MISSING
    amount: float | int | None = MISSING


class Page(ResponseModel):
    data: list[Book] | None = MISSING


class Tally(ResponseModel):
    """A model whose members beside the named ones have a type of their own."""

    id: str = MISSING
    due_at: AwareDatetime | None = msgspec.field(name="dueAt", default=MISSING)
    additional_properties: dict[str, int] = msgspec.field(name="", default=MISSING)


def asked(returns: Any, keyed_by: str | None = None) -> Request[Any]:
    return prepare(
        operation="books.list",
        server="main",
        method="GET",
        path="/books",
        returns=returns,
        retry_safety="safe",
        keyed_by=keyed_by,
    )


def answered(body: bytes, status: int = 200) -> Exchange:
    return Exchange("books.list", "GET", "https://main.test/books", status, {}, body)


CONCEAL = Redaction(SECRET)


def read(
    value: Any, returns: Any = Book, mode: DriftMode = "ignore", keyed_by: str | None = None
) -> Any:
    """The answer to a JSON value, or to bytes as they are."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    watch = DriftWatch(mode)
    return decode(asked(returns, keyed_by), answered(body), CONCEAL, watch)


def drifts(value: Any, returns: Any = Book) -> list[Drift]:
    """Everything that is told of an answer that can be read."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    found: list[Drift] = []
    decode(asked(returns), answered(body), CONCEAL, DriftWatch("ignore", found.append))
    return found


def told(value: Any) -> list[tuple[str, str, str]]:
    return [(drift.path, drift.kind, drift.found) for drift in drifts(value, Book)]


# What becomes of a value of another type


@pytest.mark.parametrize(
    ("field", "text", "meant"),
    [
        ("id", "12345678901234567890", "12345678901234567890"),
        ("id", "18446744073709551615.0", "18446744073709551615.0"),
        ("title", "1.50", "1.50"),
        ("pages", "1.0", 1),
        ("pages", "1e2", 100),
        ("pages", "1.5E+1", 15),
        ("pages", "9007199254740993.0", 9007199254740993),
        ("pages", '"-5"', -5),
        ("pages", '"5.0"', 5),
        ("price", '"1.50"', 1.5),
        ("lent", "0", False),
        ("lent", "1", True),
        ("lent", '"0"', False),
        ("lent", '"1"', True),
        ("lent", '"false"', False),
        ("lent", '"true"', True),
        ("genre", "5", Genre("5")),
        ("size", '"5"', Size.LARGE),
        ("size", "5.0", Size.LARGE),
        ("tags", '["a",2]', ["a", "2"]),
        ("tags", "{}", []),
        ("tags", '{"0":"b","1":2}', ["b", "2"]),
        ("stock", '{"a":"3"}', {"a": 3}),
        ("code", "2.5", "2.5"),
        ("amount", '"2.5"', 2.5),
        ("amount", '"5"', 5),
    ],
)
def test_what_loses_nothing_is_converted(field: str, text: str, meant: Any) -> None:
    body = json.dumps({"id": "1"})[:-1] + f',"{field}":{text}}}'
    found = getattr(read(body.encode()), field)
    assert found == meant and type(found) is type(meant)
    with pytest.raises(DriftError) as caught:
        read(body.encode(), mode="raise")
    assert {drift.kind for drift in caught.value.drifts} <= {"type", "unknown value"}
    assert caught.value.path.startswith(f"$.{field}")


CONTAINERS: dict[str, Any] = {
    **dict.fromkeys(("tags", "marks", "sequels"), list),
    **dict.fromkeys(("stock", "shelves", "by_size", "author"), dict),
    "either": (list, dict),
}


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("id", [True, {"a": 1}, ["a"], None]),
        ("title", [True, {"a": 1}, ["a"]]),
        ("pages", [1.5, "", "x", " 5", "05", "+5", "5 ", "٣", "0x5", True, [1], {"a": None}]),
        ("pages", ["1" * 500, "1e401", "1e-401"]),
        ("price", ["", "NaN", "Infinity", "1e400", "1_0", False, {"a": 1.5}, [1.5, [2.5]]]),
        ("lent", [2, -1, "", "yes", "True", 1.0, []]),
        ("dueAt", ["", "now", "2026-12-01", 1796115600, {"date": "2026"}, False]),
        ("genre", [True, {}, ["crime"], 1.5e300 * 0 == 0]),
        ("size", ["x", 1.5, True, None, {}]),
        (
            "tags",
            ["a", {"1": "a"}, {"1": "a", "0": "b"}, {"00": "a"}, 5, [None, {"a": 1.5}, ["b"]]],
        ),
        ("marks", [[None, "x", 1.5]]),
        ("stock", [["a"], {"a": None, "b": "x", "c": 1}, 5]),
        ("shelves", [[], [{"id": "1"}], {"crime": 5}][1:]),
        ("by_size", [{"x": 1.5, "05": 2.5, "5.0": 3.5}]),
        ("author", ["Anna", [], 5, True]),
        ("sequels", [{"7": {"id": "2"}}, "none", [None, 5, "x"]]),
        ("key", ["x", 5]),
        ("either", ["x", 5, [{"a": 1}], {"a": [1.25]}]),
        ("code", [True, [1.5]]),
    ],
)
def test_what_else_does_not_fit_is_kept_as_it_came(field: str, values: list[Any]) -> None:
    for value in values:
        body = {"id": "1", "title": "t", field: value}
        book = read(body)
        assert type(book) is Book
        assert book.to_dict(wire=True) == json.loads(book.to_json()) == body
        name = dict(zip(Book.__struct_encode_fields__, Book.__struct_fields__, strict=True))[field]
        if not isinstance(value, CONTAINERS.get(name, ())):
            is_number = isinstance(value, float) and field in ("pages", "size")
            assert book.stored(name) == value
            assert getattr(book, name) == (value if is_number else None)


@pytest.mark.parametrize("mode", ["ignore", "warn"])
def test_two_keys_of_a_map_never_become_one(mode: DriftMode) -> None:
    """However a number is written: the value of each key stays."""
    keys = ["5", "1", "05", "5.0", "1e0", "+1", "x", ""]
    values = {key: float(number) for number, key in enumerate(keys)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = read({"id": "1", "by_size": values}, mode=mode).by_size
    assert found == {Size.LARGE: 0.0, Size.SMALL: 1.0, **dict([*values.items()][2:])}


@pytest.mark.parametrize("name", ["stock", "shelves", "by_size"])
@pytest.mark.parametrize("value", [[], "", 0, False, 0.0, ["a"], "{}"])
@pytest.mark.parametrize("mode", ["ignore", "warn"])
def test_of_other_values_only_an_empty_list_is_an_empty_map(
    mode: DriftMode, name: str, value: Any
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = read({"id": "1", name: value}, mode=mode)
    assert getattr(book, name) == ({} if value == [] else None)
    assert book.to_dict(wire=True)[name] == value


@pytest.mark.parametrize(
    ("value", "returns", "path", "reason"),
    [
        ({}, Book, "$", "Object without any documented field, such as `id`"),
        ({"message": "not here"}, Book, "$", "Object without any documented field"),
        ([], Book, "$", "Expected `object`, got `array`"),
        (5, Book | None, "$", "Expected `object | null`, got `int`"),
        ({"id": "1"}, list[Book], "$", "Expected `array`, got `object`"),
        (1.5, int, "$", "Expected `int`, got `float`"),
    ],
)
@pytest.mark.parametrize("mode", ["ignore", "warn", "raise"])
def test_what_nothing_can_stand_for_is_an_error(
    value: Any, returns: Any, path: str, reason: str, mode: DriftMode
) -> None:
    with pytest.raises(DecodeError) as caught:
        read(value, returns, mode)
    assert type(caught.value) is DecodeError
    assert caught.value.path == path
    assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize(
    ("value", "returns", "result", "path"),
    [
        ([{"id": "1"}, None, 5], list[Book], [Book(id="1"), Book(), Book()], "$[1]"),
        ({"a": [], "b": {"id": "1"}}, dict[str, Book], {"a": Book(), "b": Book(id="1")}, '$["a"]'),
        ({"x": 1, "5": 2}, dict[Size, int], {"x": 1, Size.LARGE: 2}, '$["x"]'),
        ([5, "x"], list[datetime], [5, "x"], "$[0]"),
    ],
)
def test_one_odd_item_costs_no_other(value: Any, returns: Any, result: Any, path: str) -> None:
    assert read(value, returns) == result
    assert drifts(value, returns)[0].path == path


class Loan(ResponseModel):
    reader: str = MISSING
    days: Present[int | None] = MISSING
    note: str | None = MISSING
    book: Book = MISSING
    form: Present[Any] = MISSING
    fine: Any = MISSING
    kind: str = "loan"


@pytest.mark.parametrize("mode", ["ignore", "warn"])
@pytest.mark.filterwarnings("ignore::runtime.core.drift.DriftWarning")
def test_an_absent_field_reads_as_none(mode: DriftMode) -> None:
    loan = read({"book": {"title": "t"}}, Loan, mode)
    assert loan == Loan(book=Book(title="t"))
    assert (loan.reader, loan.days, loan.note, loan.book.id) == (None, None, None, None)
    assert (loan.fine, loan.kind, loan.book.title) == (None, "loan", "t")
    with pytest.raises(DriftError, match=r"\$\.book\.id: missing field: expected str"):
        read({"book": {"title": "t"}}, Loan, "raise")


KEYED = dict[str, Author] | list[Author]


# What is told


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"id": ""}, []),
        ({"new": [1, {"a": 2.50}]}, [("$.new", "unknown field", '[1,{"a":2.5}]')]),
        ({"a b": 1}, [('$["a b"]', "unknown field", "1")]),
        ({"genre": "saga"}, [("$.genre", "unknown value", '"saga"')]),
        ({"size": 7}, [("$.size", "unknown value", "7")]),
        ({"size": "7"}, [("$.size", "unknown value", "7"), ("$.size", "type", '"7"')]),
        (
            {"shelves": {"saga": {"id": "1"}}},
            [('$.shelves["saga"]', "unknown value", '"saga"')],
        ),
        ({"by_size": {"7": 1}}, [('$.by_size["7"]', "unknown value", "7")]),
        ({"dueAt": "2026-12-01T09:00:00"}, [("$.dueAt", "type", '"2026-12-01T09:00:00"')]),
        ({"dueAt": "soon"}, [("$.dueAt", "type", '"soon"')]),
        ({"sequels": [{"id": "2"}, {"id": 3}]}, [("$.sequels[1].id", "type", "3")]),
        ({"stock": {"x y": True}}, [('$.stock["x y"]', "type", "true")]),
        ({"tags": None, "loose": {"any": 1.5}, "marks": [None]}, []),
        ({"author": {"id": "1", "role": "guest"}}, []),
        ({"price": 5, "code": 5, "key": str(UUID(int=5))}, []),
        ({"dueAt": "2026-12-01T09:00:00+01:00", "author": {"id": "1", "born": "1900-01-01"}}, []),
    ],
)
def test_what_is_told(value: dict[str, Any], expected: list[Any]) -> None:
    assert told({"id": "1", **value}) == expected


@pytest.mark.parametrize("text", ["2026-12-01T09:00:00", "2026-12-01T09:00:00Z"])
@pytest.mark.parametrize("identifier", ["1", 1])
def test_a_date_time_without_a_zone_is_utc_in_any_mode(text: str, identifier: Any) -> None:
    body = {"id": identifier, "dueAt": text}
    for mode in ("ignore", "warn"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DriftWarning)
            due = read(body, mode=mode).due_at
        assert due == datetime(2026, 12, 1, 9, tzinfo=UTC)
        assert due.tzinfo is UTC


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has not warned of anything."""
    monkeypatch.setattr(drift_module, "_warned", set())


@pytest.mark.usefixtures("fresh")
def test_a_warning_comes_once_for_each_kind_and_place() -> None:
    body = {
        "id": "1",
        "stock": {"a": "1", "b": "2"},
        "sequels": [{"id": 2, "new": 1}, {"id": 3, "genre": "saga"}, {"id": "4", "genre": 5}],
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            assert read(body, mode="warn") == read(body)
    assert [str(warning.message) for warning in caught] == [
        'books.list: $.stock[]: type: expected int, found "1"',
        "books.list: $.sequels[].id: type: expected str, found 2",
        "books.list: $.sequels[].new: unknown field: found 1",
        'books.list: $.sequels[].genre: unknown value: expected one of crime, verse, found "saga"',
        "books.list: $.sequels[].genre: type: expected str | null, found 5",
    ]
    assert {warning.category for warning in caught} == {DriftWarning}


@pytest.mark.usefixtures("fresh")
def test_a_warning_that_is_an_error_comes_every_time() -> None:
    for _ in range(2):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(DriftWarning):
                read({"id": 1}, mode="warn")


@pytest.mark.usefixtures("fresh")
def test_a_warning_points_at_the_line_outside_of_the_package() -> None:
    with pytest.warns(DriftWarning) as caught:
        read({"id": 1}, mode="warn")
    assert caught[0].filename == __file__


@pytest.mark.parametrize("mode", ["ignore", "warn", "raise"])
@pytest.mark.filterwarnings("ignore::runtime.core.drift.DriftWarning")
def test_every_drift_is_reported_in_any_mode(mode: DriftMode) -> None:
    body = json.dumps({"id": 1, "new": 2, "genre": "saga"}).encode()
    found: list[Drift] = []
    try:
        decode(asked(Book), answered(body), CONCEAL, DriftWatch(mode, found.append))
    except DriftError as error:
        assert mode == "raise" and list(error.drifts) == found
    assert [(drift.path, drift.kind) for drift in found] == [
        ("$.id", "type"),
        ("$.new", "unknown field"),
        ("$.genre", "unknown value"),
    ]


def test_a_mark_before_json_is_no_drift() -> None:
    """Some services write the one of the order of bytes before UTF-8 (RFC 8259 §8.1)."""
    found: list[list[Drift]] = []
    for mark in (b"", b"\xef\xbb\xbf"):
        found.append([])
        body, watch = mark + b'{"id":"1","new":5}', DriftWatch("ignore", found[-1].append)
        assert decode(asked(Book), answered(body), Redaction(""), watch).id == "1"
    assert found[0] == found[1] != []


def test_what_is_long_is_cut_and_what_is_secret_is_not_told() -> None:
    body = {
        "id": "1",
        "new": "x" * 1000,
        "more": [SECRET] * 1000,
        SECRET: 1,
        "tags": ["y" * 195 + SECRET, "z" * 195 + SECRET, {"a": SECRET}],
        "n" * 1000: 1,
        "stock": {SECRET: None},
        "shelves": {SECRET: {}},
    }
    found = drifts(body)
    assert len(found) == 8
    text = repr(found)
    assert "***" in text and SECRET[:5] not in text
    assert all(len(part) <= 201 for drift in found for part in drift)
    cut = [part for drift in found for part in drift if len(part) >= 200]
    assert len(cut) >= 3 and all((len(part), part[-1]) == (201, "…") for part in cut)
    with pytest.raises(DriftError) as caught:
        read([{"id": SECRET}, {"id": SECRET}], KEYED, "raise", keyed_by="id")
    assert SECRET not in str(caught.value) + repr(vars(caught.value))


# Bodies with values that no JSON has, and with more than msgspec takes

ODD: dict[str, tuple[bytes, dict[str, Any], Any, list[str]]] = {
    # the members beside the identifier; what is read; the wire; the places that are reported
    "mark": (b'"title":"a"', {"title": "a"}, {"title": "a"}, []),
    "no utf-8": (b'"title":"a\xff"', {"title": "a\ufffd"}, {"title": "a\udcff"}, ["title"]),
    "nan": (b'"price":NaN', {"price": None}, {"price": math.nan}, ["price"]),
    "infinity": (b'"price":-Infinity', {"price": None}, {"price": -math.inf}, ["price"]),
    "half": (b'"title":"a\\ud83d"', {"title": "a\ufffd"}, {"title": "a\ud83d"}, ["title"]),
    "emoji": (b'"title":"\\ud83d\\ude00"', {"title": "😀"}, {"title": "😀"}, []),
    "digits": (b'"price":' + b"1" * 4000, {"price": None}, {"price": int("1" * 4000)}, ["price"]),
    "all": (
        b'"title":"\\ud83d \xff","price":NaN,"loose":[NaN,Infinity]',
        {"title": "\ufffd \ufffd", "price": None},
        {"title": "\ud83d \udcff", "price": math.nan, "loose": [math.nan, math.inf]},
        ["title", "price"],
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_one_broken_value_costs_no_other(name: str) -> None:
    member, values, wire, places = ODD[name]
    others = b'{"id":1,"pages":5}'
    body = b'{"data":[' + others + b',{"id":2,' + member + b"}, " + others + b"]}"
    body = b"\xef\xbb\xbf" * (name == "mark") + body
    before, book, after = read(body, Page).data
    assert before == after == Book(id="1", pages=5)
    assert {field: getattr(book, field) for field in values} == values
    assert repr(book.to_dict(wire=True)) == repr({"id": 2, **wire})
    odd = {drift.path for drift in drifts(body, Page) if not drift.path.endswith(".id")}
    assert odd == {f"$.data[1].{place}" for place in places}
    json.dumps(book.to_dict(), allow_nan=False).encode()


def test_a_body_of_many_broken_values_is_read() -> None:
    body = json.dumps([{"id": "1", "price": math.nan}] * 100).encode()
    with pytest.warns(DriftWarning):
        warned = read(body, list[Book], "warn")
    assert read(body, list[Book]) == warned
    assert len(read(body, list[Book])) == 100


# What came, beside what was read

FRACTIONS = {
    "2026-12-31T23:59:59.9999999Z": datetime(2026, 12, 31, 23, 59, 59, 999999, UTC),
    "2026-12-01T09:00Z": datetime(2026, 12, 1, 9, tzinfo=UTC),
    "2026-12-01T09:00+01": datetime(2026, 12, 1, 8, tzinfo=UTC),
    "2026-12-01t09:00:00,5z": datetime(2026, 12, 1, 9, 0, 0, 500000, UTC),
    "2026-W49-2T09:00:00Z": datetime(2026, 12, 1, 9, tzinfo=UTC),
    "": None,
    "2026-12-01": None,
    "23:59:59.9999999": None,
}


@pytest.mark.parametrize("text", FRACTIONS)
@pytest.mark.parametrize("mode", ["ignore", "warn"])
def test_a_moment_is_read_or_hidden_and_its_text_stays(text: str, mode: DriftMode) -> None:
    value = {"id": text, "dueAt": text, "title": f'said "dueAt": "{text}', "tags": [text]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for book in (read(value, mode=mode), *read({"data": [value, value]}, Page, mode).data):
            assert book.due_at == FRACTIONS[text]
            assert book.stored("due_at") == (FRACTIONS[text] or text)
            assert (book.id, book.title, book.tags) == (text, value["title"], [text])
            assert book.to_dict(wire=True) == value


def test_what_was_read_keeps_its_text_and_what_was_set_does_not() -> None:
    text = (
        '{"new":{"a":1.0},"pages":"5","data":[{"z":null,"title":"é","id":"1","key":"'
        '00000000-0000-0000-0000-00000000ABCD"},5,{"id":"2"}],"price":1.50}'
    )
    page = read(text.replace(",", ",\n ").encode(), Page)
    assert page.to_json() == text.encode()
    assert list(page.to_dict(wire=True)) == ["new", "pages", "data", "price"]
    assert page.additional_properties == {"new": {"a": 1.0}, "pages": "5", "price": 1.5}
    first, odd, second = page.data
    assert odd == Book() and odd.to_json() == b"5"
    assert (first.additional_properties, second.additional_properties) == ({"z": None}, {})
    first.title, second.tags = "new", ["a"]
    assert (
        first.to_json() == text[text.index('{"z"') : text.index(",5,")].replace("é", "new").encode()
    )
    second.tags.append("b")
    assert second.to_json() == b'{"id":"2","tags":["a","b"]}'
    first.title = UNSET
    page.data.reverse()
    assert page.to_dict(wire=True)["data"] == [
        {"id": "2", "tags": ["a", "b"]},
        5,
        {"z": None, "id": "1", "key": "00000000-0000-0000-0000-00000000ABCD"},
    ]
    both = read(b'{"id":"1","dueAt":"2026-12-01T09:00:00Z","due_at":5}')
    assert both.additional_properties == {"due_at": 5}, "of two names, the one in JSON is known"
    page.data = [Book(id="3")]
    assert page.data[0].additional_properties == {}
    assert page.to_json() == b'{"new":{"a":1.0},"pages":"5","data":[{"id":"3"}],"price":1.50}'


def test_members_beside_the_named_ones_have_a_type_of_their_own() -> None:
    value = {"a": 5, "id": "1", "dueAt": "2026-12-01T09:00:00Z", "": 6, "due_at": 7}
    for odd in ({}, {"b": "8"}, {"dueAt": "soon"}):
        tally = read(value | odd, Tally)
        assert tally.additional_properties == {"a": 5, "": 6, "due_at": 7} | (
            {"b": 8} if "b" in odd else {}
        )
        moment = None if "dueAt" in odd else datetime(2026, 12, 1, 9, tzinfo=UTC)
        assert (tally.id, tally.due_at) == ("1", moment)
        assert tally.to_dict(wire=True) == value | odd


@pytest.mark.parametrize("digits", ["9" * 4300, "9" * 4301, f"-{'9' * 4301}", "9" * 100_000])
def test_a_number_of_any_length_is_shown(digits: str) -> None:
    """With more digits than Python reads, it is their text."""
    book = read(f'{{"id":"1","stock":{digits},"new":[{digits}]}}'.encode())
    whole: Any = int(digits) if len(digits) == 4300 else digits
    assert book.additional_properties == {"new": [whole]} and repr(book)
    assert book.to_dict(wire=True) == {"id": "1", "stock": whole, "new": [whole]}
    assert book.to_json() == f'{{"id":"1","stock":{digits},"new":[{digits}]}}'.encode()


GIVEN_OUT = (
    b'{"new":1.0,"title":{"en":1.0},"tags":["a"],"stock":{"x":1},"loose":{"a":[1.0]},'
    b'"due":["2026-12-01t09:00Z"],"author":{"name":"Anna","z":1.0},'
    b'"sequels":[{"id":2,"tags":["b"],"z":1.0},{"id":"3"}],"shelves":{"crime":{"id":4,"z":1.0}}}'
)


class Lent(Book):
    due: list[AwareDatetime] | None = MISSING


# What is done to a book that came, and what is another in its text then.
CHANGES: list[tuple[Callable[[Any], object], bytes, bytes]] = [
    (lambda book: book.tags.append("c"), b'["a"]', b'["a","c"]'),
    (lambda book: book.stock.update(x=2), b'"x":1', b'"x":2'),
    (lambda book: book.loose["a"].append(5), b'"a":[1.0]', b'"a":[1.0,5]'),
    (lambda book: book.stored("title").clear(), b'"en":1.0', b""),
    (lambda book: book.due.clear(), b'"2026-12-01t09:00Z"', b""),
    (lambda book: setattr(book.author, "name", "Bo"), b"Anna", b"Bo"),
    (lambda book: setattr(book, "author", Author(id="5")), b'"name":"Anna","z":1.0', b'"id":"5"'),
    (lambda book: book.sequels[0].tags.remove("b"), b'["b"]', b"[]"),
    (lambda book: book.sequels.pop(), b',{"id":"3"}', b""),
    (lambda book: book.sequels.append(Book()), b'{"id":"3"}', b'{"id":"3"},{}'),
    (lambda book: book.shelves.update(verse=Author()), b"}}}", b'},"verse":{}}}'),
    (lambda book: setattr(book.shelves[Genre.CRIME], "id", "5"), b'"id":4', b'"id":"5"'),
    (lambda book: setattr(copy.copy(book).author, "name", "Bo"), b"Anna", b"Bo"),
]


@pytest.mark.parametrize(("change", "was", "becomes"), CHANGES)
@pytest.mark.parametrize("look", [id, repr, Lent.to_dict, Lent.to_json])
def test_text_is_as_it_came_but_for_changes(
    change: Callable[[Any], object], was: bytes, becomes: bytes, look: Callable[[Any], object]
) -> None:
    book = read(GIVEN_OUT, Lent)
    look(book)
    assert book.to_json() == GIVEN_OUT
    change(book)
    assert GIVEN_OUT.count(was) == 1
    found, wanted = book.to_json(), GIVEN_OUT.replace(was, becomes)
    if b'"loose":{"a":[1.0]}' in wanted:
        assert found == wanted
    assert json.loads(found) == json.loads(wanted)


def test_models_in_lists_of_maps_know_their_text() -> None:
    text = b'{"id":1,"z":1.0}'
    [first, second] = read(b'[{"a":%s},{"a":%s}]' % (text, text), list[dict[str, Book]])
    assert first["a"].to_json() == second["a"].to_json() == text
    assert read(b'{"a":%s}' % text, dict[str, Book])["a"].to_json() == text


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_has_the_values_alone(again: Callable[[Any], Any]) -> None:
    book = read({"new": 1, "id": 5, "pages": []})
    copied = again(book)
    assert copied == book and copied.stored("pages") == []
    assert copied.to_dict(wire=True) == {"id": "5", "pages": []}
    due = {"dueAt": "2026-12-31T23:59:59.9999999Z"}
    assert again(read(due)).to_dict(wire=True) == due


# Bodies that are no JSON, and worse

BROKEN: dict[str, bytes] = {
    "cut": b'{"id":1,"title":"a',
    "nan cut": b'{"id":1,"price":NaN',
    "surrogate cut": b'{"id":1,"title":"\\ud83d',
    "tail": b'{"id":1} {"id":2}',
    "empty": b"",
    "white": b" \n",
    "deep": b"[" * 10_000_000,
    "deep objects": b'{"loose":' * 100_000,
    "deep models": b'{"id":1,"sequels":[' * 100_000,
    "closed models": b'{"id":1,"sequels":[' * 600 + b"]}" * 600,
    "closed": b'{"id":1,"loose":' + b"[" * 3000 + b"]" * 3000 + b"}",
}


@pytest.fixture
def no_finalizer_runs() -> Iterator[None]:
    """Keep what other tests left from being finalised where the stack has no room for it."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_finalizer_runs")
@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("mode", ["ignore", "warn", "raise"])
@pytest.mark.parametrize("returns", [Book, list[Book]])
def test_what_cannot_be_read_at_all(name: str, mode: DriftMode, returns: Any) -> None:
    with pytest.raises(DecodeError) as caught:
        read(BROKEN[name], returns, mode)
    assert len(str(caught.value)) < 350


@pytest.mark.usefixtures("no_finalizer_runs")
@pytest.mark.parametrize("bracket", [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("mode", ["ignore", "raise"])
def test_any_depth_is_read_or_an_error_of_ours(bracket: tuple[str, str], mode: DriftMode) -> None:
    opening, closing = bracket
    readable = {"ignore": Book, "raise": DriftError}[mode]

    def outcome(depth: int) -> type:
        inner = opening * depth + "1" + closing * depth
        body = f'{{"id":1,"new":{inner},"pages":{inner},"loose":{inner}}}'.encode()
        try:
            return type(read(body, mode=mode))
        except DecodeError as error:
            return type(error)

    shallow, deep = 1, 100_000
    assert (outcome(shallow), outcome(deep)) == (readable, DecodeError)
    while deep - shallow > 1:
        middle = (shallow + deep) // 2
        shallow, deep = (middle, deep) if outcome(middle) is readable else (shallow, middle)
    for depth in range(shallow - 20, shallow + 20):
        assert outcome(depth) in (readable, DecodeError)


# Whatever comes

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | FLOATS | TEXT
NUMERALS = (st.integers() | FLOATS).map(str)
ANYTHING = st.recursive(
    SCALARS | NUMERALS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)


@given(st.binary(max_size=50) | ANYTHING.map(lambda value: json.dumps(value).encode()))
@pytest.mark.filterwarnings("ignore::runtime.core.drift.DriftWarning")
def test_any_body_at_all(body: bytes) -> None:
    def outcome(mode: DriftMode, returns: Any) -> str:
        try:
            return repr(read(body, returns, mode))
        except DecodeError as error:
            assert str(error)
            return str(error)

    for returns in (Book, Page, KEYED, list[int], dict[Size, Genre], float, Any):
        assert outcome("ignore", returns) == outcome("warn", returns)
        assert outcome("raise", returns)
