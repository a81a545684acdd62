"""Answers that are not as documented: what is read of them, and who is told."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import inspect
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


class Author(ResponseModel):
    id: str = MISSING
    name: str | None = MISSING
    born: date | None = MISSING


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


def told(value: Any, returns: Any = Book) -> list[tuple[str, str, str]]:
    return [(drift.path, drift.kind, drift.found) for drift in drifts(value, returns)]


# What becomes of a value of another type


@pytest.mark.parametrize(
    ("field", "text", "meant"),
    [
        ("id", "5", "5"),
        ("id", "12345678901234567890", "12345678901234567890"),
        ("id", "-1", "-1"),
        ("id", "9" * 60, "9" * 60),
        ("id", "18446744073709551615.0", "18446744073709551615.0"),
        ("title", "1.50", "1.50"),
        ("pages", "1.0", 1),
        ("pages", "-0.0", 0),
        ("pages", "1e2", 100),
        ("pages", "1.5E+1", 15),
        ("pages", "1200e-2", 12),
        ("pages", "9007199254740993.0", 9007199254740993),
        ("pages", '"5"', 5),
        ("pages", '"-5"', -5),
        ("pages", '"5.0"', 5),
        ("pages", '"12345678901234567890123"', 12345678901234567890123),
        ("price", '"1.50"', 1.5),
        ("price", '"5"', 5.0),
        ("lent", "0", False),
        ("lent", "1", True),
        ("lent", '"0"', False),
        ("lent", '"1"', True),
        ("lent", '"true"', True),
        ("lent", '"false"', False),
        ("genre", "5", Genre("5")),
        ("size", '"5"', Size.LARGE),
        ("size", "5.0", Size.LARGE),
        ("stock", "[]", {}),
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
        assert book.to_dict(wire=True) == body
        assert json.loads(msgspec.json.encode(book)) == body


@pytest.mark.parametrize("text", ["1e400", "-1.5e999999999999999999", "1" * 400])
def test_a_number_that_no_float_can_hold(text: str) -> None:
    """It costs nothing else of the answer, and its digits are kept."""
    body = f'{{"id":"1","price":{text},"pages":"5","loose":[{text}],"new":{text}}}'.encode()
    book = read(body)
    assert str(book.price) == str(book.loose[0]) == text
    assert book.pages == 5
    assert ("$.price", "type", text[:200] + "…" * (len(text) > 200)) in told(body)


def test_one_odd_field_does_not_cost_a_page() -> None:
    page: Any = {"data": [{"id": str(number), "pages": number} for number in range(200)]}
    page["data"][100]["pages"] = {"of": 1}
    page["data"][101]["id"] = 10**19
    found = read(page, Page)
    assert [book.id for book in found.data] == [str(item["id"]) for item in page["data"]]
    assert found.data[100].pages == {"of": 1}
    assert [book.pages for book in found.data[101:]] == [*range(101, 200)]


@pytest.mark.parametrize(
    ("value", "returns", "path", "reason"),
    [
        ({}, Book, "$", "Object without any documented field, such as `id`"),
        ({"message": "not here"}, Book, "$", "Object without any documented field"),
        ([], Book, "$", "Expected `object`, got `array`"),
        (5, Book | None, "$", "Expected `object | null`, got `int`"),
        ([{"id": "1"}, None], list[Book], "$[1]", "Expected `object`, got `null`"),
        ({"id": "1"}, list[Book], "$", "Expected `array`, got `object`"),
        ({"a": []}, dict[str, Book], '$["a"]', "Expected `object`, got `array`"),
        ({"x": 1}, dict[Size, int], '$["x"]', "Expected `int`, got `str`"),
        (["x"], list[datetime], "$[0]", "Expected `datetime`, got `str`"),
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
def test_what_does_not_come_reads_as_none_and_costs_no_other_field(mode: DriftMode) -> None:
    loan = read({"book": {"title": "t"}}, Loan, mode)
    assert loan == Loan(book=Book(title="t"))
    assert (loan.reader, loan.days, loan.note, loan.book.id) == (None, None, None, None)
    assert (loan.fine, loan.kind, loan.book.title) == (None, "loan", "t")
    with pytest.raises(DriftError, match=r"\$\.book\.id: missing field: expected str"):
        read({"book": {"title": "t"}}, Loan, "raise")


def test_what_always_comes_is_missed_and_nothing_else() -> None:
    everything = {"reader": "1", "days": None, "book": {"id": "2"}, "form": None}
    assert told(everything, Loan) == []
    for name in everything:
        body = {key: value for key, value in everything.items() if key != name}
        assert told(body, Loan) == [(f"$.{name}", "missing field", "")]
    assert told({**everything, "reader": None}, Loan) == [("$.reader", "type", "null")]


KEYED = dict[str, Author] | list[Author]


@pytest.mark.parametrize(
    "value",
    [
        [{"id": 1, "new": 2}, {"id": "2", "name": 5}],
        {"1": {"id": 1, "new": 2}, "2": {"id": "2", "name": 5}},
    ],
)
@pytest.mark.parametrize("mode", ["ignore", "warn"])
@pytest.mark.filterwarnings("ignore::runtime.core.drift.DriftWarning")
def test_an_answer_by_key_with_drift(value: Any, mode: DriftMode) -> None:
    found = read(value, KEYED, mode, keyed_by="id")
    assert found == {"1": Author(id="1"), "2": Author(id="2", name="5")}
    assert read([], KEYED, mode, keyed_by="id") == {}


# What is told


@pytest.mark.parametrize(
    ("value", "expected"),
    [
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
        ({"price": 5, "code": 5, "key": str(UUID(int=5))}, []),
        ({"dueAt": "2026-12-01T09:00:00+01:00", "author": {"id": "1", "born": "1900-01-01"}}, []),
    ],
)
def test_what_is_told(value: dict[str, Any], expected: list[Any]) -> None:
    assert told({"id": "1", **value}) == expected


def test_a_drift_says_what_was_expected() -> None:
    body = {"id": 1, "genre": "saga", "dueAt": "2026-12-01T09:00:00", "pages": "x", "new": 1}
    found = {drift.path: drift.expected for drift in drifts(body)}
    assert found == {
        "$.id": "str",
        "$.genre": "one of crime, verse",
        "$.dueAt": "datetime with a time zone",
        "$.pages": "int | null",
        "$.new": "no such field",
    }
    assert {drift.operation for drift in drifts(body)} == {"books.list"}


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


def test_an_error_names_the_first_and_has_all() -> None:
    body = {"id": 7, "sequels": [{"id": "2", "new": SECRET}]}
    with pytest.raises(DriftError) as caught:
        read(body, mode="raise")
    error = caught.value
    assert isinstance(error, DecodeError)
    assert (error.path, error.reason) == ("$.id", "type: expected str, found 7")
    assert [drift.path for drift in error.drifts] == ["$.id", "$.sequels[0].new"]
    assert SECRET not in repr(error.drifts) + str(error) + repr(vars(error))
    for again in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert type(again) is DriftError
        assert (str(again), vars(again)) == (str(error), vars(error))


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


@pytest.mark.usefixtures("fresh")
def test_names_of_the_services_own_making_do_not_fill_the_memory() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(3):
            read({"id": "1"} | {f"x{number}_{each}": 1 for each in range(600)}, mode="warn")
    assert len(drift_module._warned) == drift_module._MOST_WARNINGS


def test_a_path_with_odd_names_has_a_place() -> None:
    body = {"id": "1", "stock": {'a]"[0].b': "1"}, "open": [[], {}]}
    found = drifts(body)
    assert [drift.place for drift in found] == ["$.stock[]", "$.open[]"]
    assert found[0].path == '$.stock["a]\\"[0].b"]'


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


def test_what_a_report_raises_reaches_the_caller() -> None:
    class Mine(Exception):
        pass

    def report(_: Drift) -> None:
        raise Mine

    for mode in ("ignore", "warn", "raise"):
        with pytest.raises(Mine):
            decode(asked(Book), answered(b'{"id":1}'), CONCEAL, DriftWatch(mode, report))


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
    with pytest.raises(DecodeError) as caught:
        read([{"id": SECRET}, {"id": SECRET}], KEYED, keyed_by="id")
    assert SECRET not in str(caught.value) + repr(vars(caught.value))


# Bodies that are no JSON, and worse

BROKEN: dict[str, bytes] = {
    "cut": b'{"id":1,"title":"a',
    "mark": b'\xef\xbb\xbf{"id":1}',
    "utf-16": '{"id":1}'.encode("utf-16"),
    "no utf-8": b'{"id":1,"title":"\xff"}',
    "nan": b'{"id":1,"price":NaN}',
    "infinity": b'{"id":1,"price":-Infinity}',
    "digits": b'{"id":' + b"1" * 5000 + b"}",
    "digits elsewhere": b'{"id":1,"loose":' + b"1" * 5000 + b"}",
    "surrogate": b'{"id":1,"title":"\\ud83d"}',
    "surrogates": b'{"id":1,"title":"\\ude00\\ud83d"}',
    "tail": b'{"id":1} {"id":2}',
    "empty": b"",
    "white": b" \n",
    "deep": b"[" * 10_000_000,
    "deep objects": b'{"loose":' * 100_000,
    "deep models": b'{"id":1,"sequels":[' * 100_000,
    "closed models": b'{"id":1,"sequels":[' * 600 + b"]}" * 600,
    "closed": b'{"id":1,"loose":' + b"[" * 3000 + b"]" * 3000 + b"}",
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("mode", ["ignore", "warn", "raise"])
@pytest.mark.parametrize("returns", [Book, list[Book]])
def test_what_cannot_be_read_at_all(name: str, mode: DriftMode, returns: Any) -> None:
    with pytest.raises(DecodeError) as caught:
        read(BROKEN[name], returns, mode)
    assert len(str(caught.value)) < 350


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

    shallow, deep = 1, 1_000_000
    assert (outcome(shallow), outcome(deep)) == (readable, DecodeError)
    while deep - shallow > 1:
        middle = (shallow + deep) // 2
        shallow, deep = (middle, deep) if outcome(middle) is readable else (shallow, middle)
    for depth in range(shallow - 20, shallow + 20):
        assert outcome(depth) in (readable, DecodeError)


def test_models_in_models_may_be_deep() -> None:
    for depth in (50, 100):
        body = b'{"id":1,"sequels":[' * depth + b"]}" * depth
        assert len(drifts(body)) == depth


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("digits", "Integer value out of range"),
        ("nan", "not JSON"),
        ("empty", "the body is empty"),
        ("deep", "nested too deeply"),
    ],
)
def test_what_is_wrong_with_a_body_is_said(name: str, reason: str) -> None:
    with pytest.raises(DecodeError) as caught:
        read(BROKEN[name])
    assert caught.value.reason.startswith(reason)


def test_of_two_members_of_one_name_the_last_counts() -> None:
    assert read(b'{"id":1,"id":"2","pages":"x","pages":3}') == Book(id="2", pages=3)


# Properties


def documents(node: inspect.Type, depth: int = 0) -> st.SearchStrategy[Any]:
    """JSON values that are exactly what a type says."""
    match node:
        case inspect.UnionType():
            return st.one_of([documents(each, depth) for each in node.types])
        case inspect.NoneType():
            return st.none()
        case inspect.ListType():
            if depth > 3:
                return st.just([])
            return st.lists(documents(node.item_type, depth + 1), max_size=2)
        case inspect.DictType():
            keys = documents(node.key_type, depth).map(str)
            return st.dictionaries(keys, documents(node.value_type, depth + 1), max_size=2)
        case inspect.StructType():
            optional = {
                field.encode_name: documents(field.type, depth + 1)
                for field in node.fields
                if field.name != "id" and depth < 3
            }
            return st.fixed_dictionaries({"id": TEXT}, optional=optional)
        case inspect.EnumType():
            return st.sampled_from([member.value for member in node.cls])
        case inspect.DateTimeType():
            return st.datetimes(timezones=st.just(UTC)).map(
                lambda value: value.isoformat().replace("+00:00", "Z")
            )
        case inspect.DateType():
            return st.dates().map(date.isoformat)
        case inspect.UUIDType():
            return st.uuids().map(str)
        case inspect.StrType():
            return TEXT
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            return st.integers(-(2**70), 2**70)
        case inspect.FloatType():
            return FLOATS | st.integers(-(2**70), 2**70)
        case inspect.AnyType():
            return ANYTHING
    raise AssertionError(node)


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | FLOATS | TEXT
NUMERALS = (st.integers() | FLOATS).map(str)
ANYTHING = st.recursive(
    SCALARS | NUMERALS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
BOOKS = documents(inspect.type_info(Book))


class Spot(NamedTuple):
    """A place in a value: the steps to it, the path that names it, and its type."""

    steps: tuple[str | int, ...]
    path: str
    node: inspect.Type
    loose: bool


def spots(node: inspect.Type, value: Any, spot: Spot) -> Iterator[Spot]:
    """All places at and below one, down to where anything is allowed."""
    yield spot
    nodes = node.types if isinstance(node, inspect.UnionType) else (node,)
    for each in nodes:
        inner: list[tuple[str | int, str, inspect.Type, bool]] = []
        if isinstance(each, inspect.StructType) and isinstance(value, dict):
            inner = [
                (field.encode_name, f".{field.encode_name}", field.type, True)
                for field in each.fields
                if field.encode_name in value
            ]
        elif isinstance(each, inspect.ListType) and isinstance(value, list):
            inner = [(i, f"[{i}]", each.item_type, spot.loose) for i in range(len(value))]
        elif isinstance(each, inspect.DictType) and isinstance(value, dict):
            inner = [
                (key, f"[{json.dumps(key, ensure_ascii=False)}]", each.value_type, spot.loose)
                for key in value
            ]
        for step, text, type_, loose in inner:
            below = Spot((*spot.steps, step), spot.path + text, type_, loose)
            yield from spots(type_, value[step], below)


def replaced(value: Any, steps: tuple[str | int, ...], new: Any) -> Any:
    if not steps:
        return new
    result = copy.copy(value)
    result[steps[0]] = replaced(value[steps[0]], steps[1:], new)
    return result


def written(book: Any) -> Any:
    return json.loads(msgspec.json.encode(book))


def at(value: Any, steps: tuple[str | int, ...]) -> Any:
    for step in steps:
        value = value[step]
    return value


def stands_for(found: Any, sent: Any) -> bool:
    """Whether a value is what was sent, or says the same with nothing lost."""
    if type(found) is type(sent) and not isinstance(found, (dict, list)):
        return bool(found == sent) or _instant(found) == _instant(sent) is not None
    if isinstance(found, dict) and isinstance(sent, dict):
        return found.keys() <= sent.keys() and all(
            stands_for(found[key], sent[key]) for key in found
        )
    if isinstance(found, list) and isinstance(sent, list):
        return len(found) == len(sent) and all(map(stands_for, found, sent))
    if isinstance(found, list) and isinstance(sent, dict):
        return stands_for(found, [sent[str(index)] for index in range(len(sent))])
    if isinstance(found, bool):
        return sent in (int(found), str(int(found)), str(found).lower())
    if isinstance(found, float):
        return found == float(sent)
    if isinstance(found, int):
        return found == Decimal(str(sent))  # by its digits, not by the float nearest to them
    if isinstance(found, str) and isinstance(sent, (int, float)):
        return found == json.dumps(sent)
    return bool(found == {} and sent == [])


def _instant(text: Any) -> Any:
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError):
        try:
            return UUID(text)
        except (TypeError, ValueError, AttributeError):
            return None


@given(BOOKS)
def test_without_drift_nothing_is_told_and_all_is_read(body: Any) -> None:
    """What is looked at is read as exactly as what is not."""
    expected = msgspec.json.decode(json.dumps(body), type=Book)
    for mode in ("ignore", "raise"):
        found = read(body, mode=mode)
        assert found == expected
        assert repr(found) == repr(expected)  # 5 and 5.0 are equal


def test_who_does_not_want_to_know_pays_nothing() -> None:
    """An answer that can be read is read once; what looks at answers is not even loaded."""
    code = (
        "import sys\n"
        "from runtime.response.redaction import Redaction\n"
        "from runtime.response.decode import decode\n"
        "from runtime.core.drift import DriftWatch\n"
        "from runtime.core.errors import Exchange\n"
        "from runtime.request.request import prepare\n"
        "asked = prepare(operation='a.b', server='m', method='GET', path='/a',\n"
        "    returns=dict[str, int], retry_safety='safe')\n"
        "for watch, body in ((DriftWatch(), b'{\"a\": 5}'), (DriftWatch('warn'), b'{}')):\n"
        "    decode(asked, Exchange('a.b', 'GET', 'u', 200, {}, body), Redaction(''), watch)\n"
        "    print('runtime.response.lenient' in sys.modules)\n"
    )
    folder = Path(drift_module.__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-B", "-c", code], cwd=folder, capture_output=True, text=True, timeout=30
    )
    assert (found.stdout, found.stderr) == ("False\nTrue\n", "")


@given(st.data(), BOOKS, ANYTHING)
def test_one_value_of_any_type_at_any_place(data: st.DataObject, body: Any, new: Any) -> None:
    node = inspect.type_info(Book)
    spot = data.draw(st.sampled_from([*spots(node, body, Spot((), "$", node, False))]))
    odd = replaced(body, spot.steps, new)
    try:
        book = read(odd)
    except DecodeError:
        with pytest.raises(DecodeError):
            read(odd, mode="raise")
        assert not spot.loose or isinstance(new, dict | list)
        return
    result = written(book)
    assert stands_for(at(result, spot.steps), new)
    if spot.steps:
        old = written(read(body))
        assert replaced(result, spot.steps, 0) == replaced(old, spot.steps, 0)
    found = drifts(odd)
    assert all(drift.path.startswith(spot.path) for drift in found if drift.kind != "missing field")
    try:
        assert msgspec.json.decode(json.dumps(odd), type=Book) == book
    except msgspec.ValidationError:
        assert [drift for drift in found if drift.kind == "type"]


def misfit(node: inspect.Type) -> Any:
    """What does not fit a type, and can be turned into nothing that does; None if all fits."""
    nodes = node.types if isinstance(node, inspect.UnionType) else (node,)
    objects = (inspect.StructType, inspect.DictType)
    if any(isinstance(each, inspect.AnyType) for each in nodes):
        return None
    if not any(isinstance(each, objects) for each in nodes):
        return {"odd": 1.25}
    return "odd"


@given(st.data(), BOOKS)
def test_every_odd_place_is_named(data: st.DataObject, body: Any) -> None:
    node = inspect.type_info(Book)
    everywhere = [
        spot
        for spot in spots(node, body, Spot((), "$", node, False))
        if spot.loose and misfit(spot.node) is not None
    ]
    if not everywhere:
        return
    chosen = data.draw(st.lists(st.sampled_from(everywhere), min_size=1, max_size=4))
    # Of two places, one of which is inside the other, the outer one counts.
    outer = {
        spot.path: spot
        for spot in chosen
        if not any(spot.steps[: len(o.steps)] == o.steps and spot.steps != o.steps for o in chosen)
    }
    odd = body
    for spot in outer.values():
        odd = replaced(odd, spot.steps, misfit(spot.node))
    with pytest.raises(DriftError) as caught:
        read(odd, mode="raise")
    assert {drift.path for drift in caught.value.drifts} == set(outer)
    assert {drift.kind for drift in caught.value.drifts} == {"type"}
    result = written(read(odd))
    for spot in outer.values():
        assert at(result, spot.steps) == misfit(spot.node)


@given(st.data(), BOOKS, ANYTHING)
def test_every_unknown_field_is_named(data: st.DataObject, body: Any, new: Any) -> None:
    node = inspect.type_info(Book)
    models = [
        spot
        for spot in spots(node, body, Spot((), "$", node, False))
        if isinstance(at(body, spot.steps), dict) and "StructType" in repr(spot.node)[:40]
    ]
    spot = data.draw(st.sampled_from(models))
    odd = replaced(body, spot.steps, {**at(body, spot.steps), "tomorrow": new})
    assert [(drift.path, drift.kind) for drift in drifts(odd)] == [
        (f"{spot.path}.tomorrow", "unknown field")
    ]
    assert read(odd) == read(body)


@given(st.binary(max_size=50) | ANYTHING.map(lambda value: json.dumps(value).encode()))
@pytest.mark.filterwarnings("ignore::runtime.core.drift.DriftWarning")
def test_any_body_at_all(body: bytes) -> None:
    for returns in (Book, Page, KEYED, list[int], dict[Size, Genre], float, Any):
        for mode in ("ignore", "warn", "raise"):
            try:
                read(body, returns, mode)
            except DecodeError as error:
                assert str(error)
