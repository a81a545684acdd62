"""Arguments: what is accepted, what is refused, and with which words."""

from __future__ import annotations

import math
from contextlib import nullcontext
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, unquote
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, UnsetType
from runtime.core.enums import IntCode, TextCode
from runtime.core.errors import ArgumentError
from runtime.core.models import OneOf, RequestModel, written_as
from runtime.request.request import Caution, Probe
from runtime.request.validation import Checker, Parameter, Window
from runtime.request.write_back import WriteBack
from runtime_support import (
    SENDERS,
    Wire,
    on_both,
    options,
    refused,
    request,
    sent_by,
    settings,
    wired,
)

from tests.support.both import awaited
from tests.support.clock import StillClock

ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
HUGE = 10**5000  # more digits than Python writes unless it is told to


def label(value: Any) -> str | None:
    return "huge" if isinstance(value, int) and value == HUGE else None


class Size(IntCode):
    SMALL = 1
    LARGE = 5


class Colour(TextCode):
    RED = "red"
    BLUE = "blue"


class Foreign(Enum):
    RED = "red"
    TWO = 2


class Faulty:
    def __repr__(self) -> str:
        raise RuntimeError


Short = Annotated[str, Meta(max_length=5)]
Key = Annotated[str, Meta(extra={"format": "uint64"})]
SignedKey = Annotated[str, Meta(extra={"format": "int64"})]
Flag = Annotated[bool, Meta(extra={"boolean_format": "on/off"})]
Tenth = Annotated[Decimal, Meta(extra={"limits": {"ge": 0.1, "le": 0.1}})]
Minute = Annotated[datetime, written_as("%Y-%m-%dT%H:%M", "UTC")]


class Tag(RequestModel):
    text: Short
    weight: Annotated[int, Meta(ge=1)] | UnsetType = UNSET


class Poll(RequestModel):
    question: str | UnsetType = UNSET
    option_1: str | UnsetType = UNSET
    option_2: str | UnsetType = UNSET


class Open(RequestModel):
    kind: str
    others: dict[str, str] = msgspec.field(name="")


class Pet(RequestModel):
    name: Short
    note: str | UnsetType | None = UNSET
    tags: list[Tag] | UnsetType = UNSET
    born_at: Minute | UnsetType | None = msgspec.field(name="bornAt", default=UNSET)
    by_colour: dict[Colour, Tag] | UnsetType = UNSET


NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
SOME_ID = UUID(int=7)


@pytest.mark.parametrize(
    ("value", "type_", "expected"),
    [
        ("a", str, "a"),
        (Colour.RED, str, "red"),
        (Colour.BLUE, Colour, "blue"),
        (Size.LARGE, Size, 5),
        (0, int, 0),
        (-(2**70), int, -(2**70)),
        (10**300, float, 10**300),
        ("0", Key, "0"),
        ("-7", SignedKey, "-7"),
        ({str(2**64 - 1): ["7"]}, dict[Key, list[Key]], {str(2**64 - 1): ["7"]}),
        (1, float, 1),
        (True, bool, True),
        (None, type(None), None),
        (date(2026, 1, 2), date, "2026-01-02"),
        (NOON, datetime, "2026-12-01T12:00:00Z"),
        (NOON, Minute, "2026-12-01T12:00"),
        (SOME_ID, UUID, str(SOME_ID)),
        ("a", Literal["a", "b"], "a"),
        (2, Literal[1, 2], 2),
        (["a"], list[str], ["a"]),
        ({"a": 1}, dict[str, int], {"a": 1}),
        ({Colour.RED: 1}, dict[Colour, int], {"red": 1}),
        ({Size.LARGE: "x"}, dict[Size, str], {"5": "x"}),
        ([1], list[int] | dict[str, int], [1]),
        (None, list[int] | dict[str, int] | None, None),
        ({"a": [1, None, NOON]}, Any, {"a": [1, None, "2026-12-01T12:00:00Z"]}),
        (0.3, Annotated[float, Meta(multiple_of=0.1)], 0.3),
        (6, Annotated[int, Meta(multiple_of=3)], 6),
        (Tag(text="a"), Tag, {"text": "a"}),
        (True, Flag, "on"),
        (False, Flag, "off"),
        (Open(kind="b", others={"kind": "c", "d": "e"}), Open, {"kind": "b", "d": "e"}),
        ({"kind": "b", "": "e"}, Open, {"kind": "b", "": "e"}),
        (Decimal("1E-400"), Decimal, Decimal("1E-400")),
        (Decimal("0.1"), Tenth, Decimal("0.1")),
    ],
)
def test_accepts(value: Any, type_: Any, expected: Any) -> None:
    assert wired(value, type_) == expected


@pytest.mark.parametrize(
    ("value", "type_", "words"),
    [
        (1, str, "expected a text, got int 1"),
        (None, str, "expected a text, got null (None)"),
        (Foreign.RED, Colour, "expected a Colour"),
        ("\ud800", str, "surrogate"),
        ("1", int, "expected an integer, got str '1'"),
        (True, int, "expected an integer, got bool True"),
        (None, int, "null"),
        (math.nan, float, "nan cannot be written as JSON"),
        (math.inf, float, "inf cannot be written as JSON"),
        (HUGE, int, "cannot be written as JSON"),
        ({"a": [math.nan]}, Any, "a['a'][0]: nan cannot be written as JSON"),
        (HUGE, float, "cannot be written as JSON"),
        ("007", Key, "'007' is no integer"),
        ("1.0", Key, "'1.0' must be digits only"),
        ("\u0661", Key, "must be digits only"),
        ("bleu", Colour, "'bleu' is no Colour; did you mean Colour.BLUE?"),
        ("LARG", Size, "expected a Size, got str 'LARG'; did you mean Size.LARGE?"),
        ("", Key, "must not be empty"),
        ([str(2**64)], list[Key], "a[0]: '18446744073709551616' is no integer"),
        ({"00": 1}, dict[Key, int], "a, key: '00' is no integer"),
        (Faulty(), int, "expected an integer, got Faulty …"),
        (HUGE, Size, "is no Size"),
        (0, bool, "expected a boolean"),
        ("true", bool, "expected a boolean"),
        (0, type(None), "expected None"),
        (NOON, date, "expected a date, got datetime"),
        ("2026-01-01T00:00:00Z", datetime, "expected a datetime"),
        ("2026-01-01T09:00", datetime, "2026, 1, 1, 9, 0), with a tzinfo?"),
        (datetime(2026, 1, 1), datetime, "naive"),
        (NOON.replace(second=1), Minute, "would lose its seconds"),
        (str(SOME_ID), UUID, "expected a UUID"),
        ("c", Literal["a", "b"], "expected 'a' or 'b', got str 'c'"),
        (True, Literal[1, 2], "expected 1 or 2, got bool True"),
        ("green", Colour, "'green' is no Colour: one of red, blue"),
        ("abc", list[str], "expected a list, got str 'abc'"),
        (bytearray(b"a"), list[int], "expected a list, got bytearray"),
        ({"a": 1}, list[str], "expected a list"),
        ([1], dict[str, int], "expected a mapping, got list"),
        ({"txt": "a", "text": "b"}, Tag, "a['txt']: is no field of Tag; did you mean 'text'?"),
        ({1: "a", "text": "b"}, Tag, "a[1]: is no field of Tag"),
        ({"options": "a"}, Poll, "Poll; did you mean 'option_1' or 'option_2'?"),
        (type("bool", (), {"__module__": "numpy.core"})(), bool, "a boolean, got numpy.bool <"),
        ("x" * 300, Key, f"'{'x' * 58}… must be digits only"),
        (True, Size, "expected a Size, got bool True"),
        ({"text": "too long"}, Tag, "a.text: at most 5 characters"),
        ({}, Tag, "a.text: is required"),
        ([("text", "a")], Tag, "expected a Tag, got list"),
        (3, list[int] | dict[str, int], "expected a list"),
        (0.35, Annotated[float, Meta(multiple_of=0.1)], "multiple of 0.1"),
        (7, Annotated[int, Meta(multiple_of=3)], "multiple of 3"),
        (object(), Any, "cannot be written as JSON: object is not a JSON type"),
        ({"a": [b"abc"]}, Any, "a['a'][0]: bytes cannot be written as JSON: encode them"),
        ({"a": UNSET}, Any, "cannot be written as JSON"),
        (ENDLESS, Any, "cannot be written as JSON"),
        *((Decimal(f"1E{n}"), Decimal, f"{n}') cannot be written as JSON") for n in (-401, "+401")),
    ],
    ids=label,
)
def test_refuses(value: Any, type_: Any, words: str) -> None:
    (problem,) = refused(value, type_)
    assert problem.startswith("a")
    assert words in problem
    assert len(problem) < 200


class Order(RequestModel):
    unit_price: float = msgspec.field(name="unitPrice", default=0.0)
    tags: list[Tag] | UnsetType = UNSET
    gift: Tag | UnsetType | None = UNSET


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"unit_price": 2.5}, {"unitPrice": 2.5}),
        ({"unitPrice": 2.5, "gift": None}, {"unitPrice": 2.5, "gift": None}),
        ({"tags": [{"text": "a"}, Tag(text="b")]}, {"tags": [{"text": "a"}, {"text": "b"}]}),
        ({"gift": {"text": "c"}}, {"gift": {"text": "c"}}),
    ],
)
def test_a_mapping_is_taken_as_the_model_that_it_could_be(given: Any, sent: Any) -> None:
    assert (
        wired(given, Order) == {"unitPrice": 0.0, **sent} == wired(MappingProxyType(given), Order)
    )


Price = Annotated[Decimal, Meta(extra={"is_text": True})]


class Parcel(RequestModel):
    sent_at: datetime | UnsetType = UNSET
    due: date | UnsetType | None = UNSET
    id: UUID | UnsetType = UNSET
    weight: Decimal | UnsetType = UNSET
    price: Price | UnsetType = UNSET
    days: list[date] | UnsetType = UNSET
    note: OneOf[datetime | str] | UnsetType = UNSET
    inner: OneOf[Parcel | dict[str, UUID]] | UnsetType = UNSET


NUMBERS = st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-9999)
FORMS: dict[str, st.SearchStrategy[Any]] = {
    "sent_at": st.datetimes(timezones=st.just(UTC), min_value=datetime(1000, 1, 1)),
    "due": st.dates(),
    "id": st.uuids(),
    "weight": NUMBERS,
    "price": NUMBERS,
    "days": st.lists(st.dates()),
}


@given(st.fixed_dictionaries({}, optional=FORMS))
def test_a_dict_may_have_what_json_has_for_each_format(values: dict[str, Any]) -> None:
    """What a model sends is taken in its place, at any depth; a model itself takes no such text."""
    sent = wired(Parcel(**values), Parcel)
    assert wired(sent, Parcel) == wired(values, Parcel) == sent
    assert wired({"inner": {"inner": sent}}, Parcel) == {"inner": {"inner": sent}}
    texts = {name for name, each in sent.items() if isinstance(each, str)}
    for place in (Parcel(**sent), {"inner": Parcel(**sent)}) if texts else ():
        found = refused(place, Parcel)
        assert {each.partition(":")[0].rpartition(".")[2] for each in found} >= texts
        assert all("did you mean" in each for each in found)


@pytest.mark.parametrize(
    "given",
    [
        {"sent_at": "2026-12-01T09:00:00"},
        {"sent_at": "2026-12-01"},
        {"sent_at": "soon"},
        {"due": "2026-13-01"},
        {"due": "20261201"},
        {"due": "2026-12-01T09:00:00Z"},
        {"id": f"{{{SOME_ID}}}"},
        {"id": "7"},
        {"weight": "NaN"},
        {"weight": "1_0"},
        {"price": math.inf},
    ],
)
def test_a_text_of_another_form_is_refused_in_a_dict(given: dict[str, Any]) -> None:
    (problem,) = refused(given, Parcel)
    assert problem.startswith(f"a.{next(iter(given))}: ") and "did you mean" not in problem


def test_what_may_be_a_text_stays_as_it_is() -> None:
    note = {"note": "2026-12-01T09:00:00+01:00"}
    assert wired(note, Parcel) == note


class Cat(RequestModel):
    kind: Literal["cat"]
    lives: int


class Dog(RequestModel):
    kind: Literal["dog"]


@pytest.mark.parametrize(
    ("value", "type_", "words"),
    [
        ({"kind": "fish"}, OneOf[Cat | Dog], "a.kind: expected 'cat' or 'dog', got str 'fish'"),
        ([{"kind": 1}], list[OneOf[Cat | Dog]], "a[0].kind: expected 'cat' or 'dog', got int 1"),
        (1, OneOf[Cat | Dog] | None, "a: expected a Cat or a Dog, got int 1"),
        (None, OneOf[Cat | str | date], "a: expected a Cat, a text or a date, got null (None)"),
        ("x" * 9, int | Short, "a: at most 5 characters, got 9"),
    ],
)
def test_what_is_none_of_several_is_told_all_that_it_may_be(
    value: Any, type_: Any, words: str
) -> None:
    assert refused(value, type_) == [words]


@pytest.mark.parametrize(
    ("limit", "good", "bad", "words"),
    [
        ({"ge": 1}, 1, 0, "must be at least 1, got 0"),
        ({"gt": 1}, 2, 1, "must be more than 1, got 1"),
        ({"le": 9}, 9, 10, "must be at most 9, got 10"),
        ({"lt": 9}, 8, 9, "must be less than 9, got 9"),
    ],
)
def test_number_limits(limit: dict[str, Any], good: int, bad: int, words: str) -> None:
    for kind in (int, float):
        assert wired(good, Annotated[kind, Meta(**limit)]) == good
        assert words in refused(bad, Annotated[kind, Meta(**limit)])[0]


RANGES = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1)}


@pytest.mark.parametrize("name", RANGES)
def test_each_format_of_an_integer_has_its_limits(name: str) -> None:
    """As a number and as a text; of any other format, or of none, it is any integer."""
    low, high = RANGES[name]
    for value in (low - 1, low, low + 1, high - 1, high, high + 1):
        for form in (int, str):
            type_ = Annotated[form, Meta(extra={"format": name})]
            if low <= value <= high:
                assert wired(form(value), type_) == form(value)
            else:
                [problem] = refused(form(value), type_)
                assert f"from {low} to {high}" in problem or value == -1
            assert wired(form(value), Annotated[form, Meta(extra={"format": "of"})]) == form(value)


@pytest.mark.parametrize(
    ("kind", "unit"), [(str, "character"), (list[str], "item"), (dict[str, str], "member")]
)
def test_each_length_has_its_limits(kind: Any, unit: str) -> None:
    def sized(length: int) -> Any:
        text = "é日😀\0f"[:length]
        return text if kind is str else [*text] if unit == "item" else dict.fromkeys(text, "")

    for least, most in ((0, 1), (1, 2), (2, 2)):
        type_ = Annotated[kind, Meta(min_length=least, max_length=most)]
        for length in range(5):
            if least <= length <= most:
                assert wired(sized(length), type_) == sized(length)
                continue
            which, limit = ("at most", most) if length > most else ("at least", least)
            units = unit if limit == 1 else f"{unit}s"
            assert refused(sized(length), type_) == [f"a: {which} {limit} {units}, got {length}"]


ZONE = Annotated[str, Meta(min_length=1, extra={"format": "iana-timezone"})]
NO_ZONES = [
    *("Mars/Olympus", "", "Europe", "../etc/passwd", "/etc/passwd", "a\0", "x" * 5000),
    *("localtime", "posixrules"),  # another zone on each machine
]


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "America/Argentina/Ushuaia"])
def test_the_name_of_a_time_zone(name: str) -> None:
    assert wired(name, ZONE) == name


@pytest.mark.parametrize("name", NO_ZONES, ids=label)
def test_what_names_no_time_zone_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (problem,) = refused(name, ZONE)
    assert ("is no time zone" if name else "at least 1 character") in problem
    monkeypatch.setattr("zoneinfo.ZoneInfo", {}.__getitem__)
    if name:
        assert wired(name, ZONE) == name, "on a machine without a database, nobody can tell"


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"^[0-9]+$", ["0", "12345678901234567890"], ["1\n", "", "٣", "1a", "\n1"]),
        (r"^\d+$", ["12"], ["٣", "१", "1\n"]),
        (r"^\w+$", ["a_1"], ["é", "a\n"]),
        (r"^(a|b$)", ["a", "b"], ["b\n", "c"]),
        (r"^a$|^b$", ["a", "b"], ["a\n", "b\n"]),
        (r"^[$)|]+$", ["$", "|$)"], ["a", "$\n"]),
        (r"^a\$$", ["a$"], ["a", "a$\n"]),
        (r"^a\\$", ["a\\"], ["a\\\n"]),
        (r"b", ["abc"], ["ac"]),
        (r"^\s$", [*" \t\n\v\f\r\xa0\u1680\u2007\u2028\u3000\ufeff"], [*"a\x1c\x85\u200b"]),
        (r"^[\s-]$", ["\u3000", "-"], ["s", "\\"]),
        (r"^\S$", [*"a\x1c\x85\u200b😀"], [*" \t\xa0\u2029\u3000\ufeff"]),
        (r"^[\S ]+$", ["a b", "\x1c"], ["a\u3000b", "a\tb"]),
        (r"^[^\S]$", ["\u3000"], ["a"]),
        (r"^a.b$", ["a b", "a.b", "a😀b"], ["a\nb", "a\rb", "a\u2028b"]),
        (r"^[.]$", ["."], ["a"]),
    ],
)  # fmt: skip
def test_patterns_mean_what_json_schema_says(pattern: str, good: list[str], bad: list[str]) -> None:
    type_ = Annotated[str, Meta(pattern=pattern)]
    for text in good:
        assert wired(text, type_) == text
    for text in bad:
        assert len(refused(text, type_)) == 1


def test_absent_null_and_value_are_three_things() -> None:
    def fields(pet: Pet) -> dict[str, Any]:
        checker = Checker()
        found = checker.fields(pet)
        assert checker.problems == []
        return found

    assert fields(Pet(name="a")) == {"name": "a"}
    assert fields(Pet(name="a", note=None)) == {"name": "a", "note": None}
    assert fields(Pet(name="a", note="")) == {"name": "a", "note": ""}
    assert fields(Pet(name="a", born_at=NOON)) == {"name": "a", "bornAt": "2026-12-01T12:00"}


def test_all_problems_are_reported_together_with_their_paths() -> None:
    pet = Pet(
        name="too long",
        note=3,  # type: ignore[arg-type]
        tags=[Tag(text="fine"), Tag(text="too long", weight=0)],
        born_at=datetime(2026, 1, 1),
        by_colour={"green": Tag(text="abcdef"), Colour.RED: Tag(text=1)},  # type: ignore
    )
    with pytest.raises(ArgumentError) as caught:
        request(
            "POST",
            "/pets/{id}",
            path_parameters=[Parameter("id", "", str, "pet_id")],
            query=[Parameter("q", 1, str, "q")],
            headers=[Parameter("X-H", "a\nb", str, "h")],
            json=pet,
        )
    assert [problem.argument for problem in caught.value.problems] == [
        "pet_id",
        "q",
        "h",
        "name",
        "note",
        "tags[1].text",
        "tags[1].weight",
        "born_at",
        "by_colour, key",
        "by_colour['green'].text",
        "by_colour['red'].text",
    ]
    assert str(caught.value).startswith("pets.list: pet_id: ")
    assert isinstance(caught.value, ValueError)


def test_a_union_tells_about_the_alternative_that_came_furthest() -> None:
    assert refused(["a", 1], list[str] | dict[str, str]) == ["a[1]: expected a text, got int 1"]
    assert refused({"k": 1}, list[str] | dict[str, str]) == ["a['k']: expected a text, got int 1"]
    # Of classes it is the one with the least to say.
    assert refused({"text": 1}, OneOf[Pet | Tag]) == ["a.text: expected a text, got int 1"]


# The path.


def path(value: Any, type_: Any = str) -> tuple[str, list[str]]:
    checker = Checker()
    filled = checker.path("/pets/{id}/x", [Parameter("id", value, type_, "pet_id")])
    return filled, [str(problem) for problem in checker.problems]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1))
@example("..")
def test_a_path_argument_stays_one_segment_and_arrives_whole(text: str) -> None:
    filled, problems = path(text)
    if text in (".", ".."):
        assert problems
        return
    assert problems == []
    before, segment, after = filled[1:].split("/")
    assert (before, after) == ("pets", "x")
    assert not set("?#% {}") & set(segment.replace("%", "")) and segment.isascii()
    assert unquote(segment) == text


@pytest.mark.parametrize("value", ["", ".", "..", None, UNSET, 5, "\ud800"])
def test_a_path_argument_that_would_change_the_path_is_one_problem(value: Any) -> None:
    [problem] = path(value)[1]
    assert problem.endswith("cannot be part of a path") is (value in ("", ".", ".."))


AWKWARD = ["a/b", "a?b", "a#b", "a%2Fb", "a b", "ü/日本"]
AWKWARD += ["...", ".a", "a'b", "a|b^`{}", "~-_.", "a\\b"]


@pytest.mark.parametrize("send", SENDERS)
@pytest.mark.parametrize("text", AWKWARD)
def test_exactly_the_target_that_was_built_is_sent(send: Any, text: str) -> None:
    made = request(
        path="/pets/{id}",
        path_parameters=[Parameter("id", text, str, "id")],
        query=[
            Parameter("q", text, str, "q"),
            Parameter("ids", [text, "2"], list[str], "ids", explode=False),
        ],
    )
    assert sent_by(send, made).url.raw_path.decode() == "/v1" + made.target


@pytest.mark.parametrize("send", SENDERS)
@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (False, "false"), (0, "0"), (-7, "-7"), (0.5, "0.5"), (Decimal("1E2"), "100"),
     (Colour.RED, "red"), (Size.LARGE, "5"), (date(2026, 1, 2), "2026-01-02"), ("False", "False")],
)  # fmt: skip
def test_a_value_has_one_text_wherever_it_stands(send: Any, value: Any, text: str) -> None:
    given = [Parameter("a", value, type(value), "a")]
    sent = sent_by(
        send, request(path="/{a}", path_parameters=given, query=given, headers=given, cookies=given)
    )
    assert sent.url.raw_path.decode() == f"/v1/{text}?a={text}"
    assert (sent.headers["a"], sent.headers["cookie"]) == (text, f"a={text}")


@pytest.mark.parametrize("given", ["my-own-key", UNSET])
@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_call_has_one_idempotency_key_and_that_of_the_caller_counts(
    asynchronous: bool, given: Any
) -> None:
    async def use(client: Any) -> None:
        for _ in range(2):
            key = [Parameter("Key", given, str, "key")]
            call = request("POST", headers=key, idempotency_key="Key", retry_safety="idempotent")
            await awaited(client).send(call)

    wire = Wire(503, 204, 503, 204)
    on_both(asynchronous, wire, use, settings(clock=StillClock()), options(retries=1))
    first, again, other, once_more = [each.headers["key"] for each in wire.seen]
    assert (first, other) == (again, once_more)
    assert (first == other == given) is (given is not UNSET)


# The query.


def query(*parameters: Parameter) -> str:
    checker = Checker()
    found = checker.query(parameters)
    assert checker.problems == []
    return found


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1)))
def test_an_exploded_list_is_read_back_as_it_was(items: list[str]) -> None:
    text = query(Parameter("a b", items, list[str], "a"))
    assert parse_qsl(text, keep_blank_values=True) == [("a b", item) for item in items]


@given(st.lists(st.text(alphabet=st.sampled_from("1, &")), min_size=1), st.booleans())
def test_commas_of_an_item_are_not_those_between_items(items: list[str], reserved: bool) -> None:
    text = query(Parameter("a", items, list[str], "a", explode=False, reserved=reserved))
    assert [unquote(each) for each in text.removeprefix("a=").split(",")] == items


@pytest.mark.parametrize(
    ("place", "style", "explode", "item"),
    [
        ("query", "spaceDelimited", False, "2 3"),
        ("query", "pipeDelimited", False, "2|3"),
        ("headers", "", True, "2,3"),
        ("headers", "", False, "2,3"),
    ],
)
def test_an_item_that_holds_what_separates_items_is_refused(
    place: str, style: str, explode: bool, item: str
) -> None:
    checker = Checker()
    parameter = Parameter("ids", ["1", item], list[str], "post_ids", explode, style)
    getattr(checker, place)([parameter])
    assert [str(problem) for problem in checker.problems] == [
        f"post_ids[1]: {item!r} holds {item[1]!r}; that separates the items"
    ]
    assert query(msgspec.structs.replace(parameter, explode=True)).count("ids=") == 2


RESERVED = ":/?#[]@!$&'()*+,;= ü%4A%4a%"


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("path", "/:/%3F%23%5B%5D@!$&'()*+,;=%20%C3%BC%4A%4a%25"),
        ("query", "a=:/?%23%5B%5D@!$%26'()*%2B,;=%20%C3%BC%4A%4a%25"),
    ],
)
def test_reserved_characters_stay_where_the_document_allows_it(place: str, expected: str) -> None:
    """`allowReserved`: but for those that would end a path or a query, or part it elsewhere."""
    parameter = Parameter("a", RESERVED, str, "a", reserved=True)
    assert (query(parameter) if place == "query" else in_path(parameter)) == expected
    items = Parameter("a", ["a/b", "c"], list[str], "a", explode=False, reserved=True)
    assert (query(items) if place == "query" else in_path(items)).endswith("a/b,c")


@pytest.mark.parametrize(
    ("value", "style", "explode", "expected"),
    [
        (["a/b", "c:d"], "", True, "a=a/b&a=c:d"),
        ({"k": "a/b", "l": "c:d"}, "", True, "k=a/b&l=c:d"),
        ({"k": "a/b", "l": "c:d"}, "", False, "a=k,a/b,l,c:d"),
        ({"k": "a/b", "l": ["c:d"]}, "deepObject", True, "a%5Bk%5D=a/b&a%5Bl%5D=c:d"),
        ({"k": {"l": ["a/b"]}}, "deepObject[]", True, "a%5Bk%5D%5Bl%5D%5B%5D=a/b"),
        (["a/b", "c:d"], "pipeDelimited", False, "a=a/b%7Cc:d"),
    ],
)
def test_reserved_characters_stay_in_every_style(
    value: Any, style: str, explode: bool, expected: str
) -> None:
    escaped = expected.replace("/", "%2F").replace(":", "%3A")
    for reserved, wanted in ((True, expected), (False, escaped)):
        assert query(Parameter("a", value, Any, "a", explode, style, reserved=reserved)) == wanted


@pytest.mark.parametrize("text", ["", ".", "..", "a/../b", "./a", "a/.."])
def test_no_reserved_character_leads_out_of_a_path(text: str) -> None:
    checker = Checker()
    checker.path("/x/{a}", [Parameter("a", text, str, "a", reserved=True)])
    assert len(checker.problems) == 1


def in_path(parameter: Parameter) -> str:
    return Checker().path("/{a}", [parameter])


COLOURS = ["blue", "black"]
RGB = {"R": 100, "G": 200}
C_1 = "%7B%22c%22%3A1%7D"


@pytest.mark.parametrize(
    ("style", "explode", "array", "object_"),
    [
        ("form", False, "color=blue,black", "color=R,100,G,200"),
        ("form", True, "color=blue&color=black", "R=100&G=200"),
        ("form[]", True, "color%5B%5D=blue&color%5B%5D=black", "R=100&G=200"),
        ("spaceDelimited", False, "color=blue%20black", "color=R%20100%20G%20200"),
        ("pipeDelimited", False, "color=blue%7Cblack", "color=R%7C100%7CG%7C200"),
        ("deepObject", True, "color=blue&color=black", "color%5BR%5D=100&color%5BG%5D=200"),
        ("deepObject[]", True, "color%5B%5D=blue&color%5B%5D=black",
         "color%5BR%5D=100&color%5BG%5D=200"),
        ("json", True, "color=%5B%22blue%22%2C%22black%22%5D",
         "color=%7B%22R%22%3A100%2C%22G%22%3A200%7D"),
    ],
)  # fmt: skip
def test_styles_of_a_query(style: str, explode: bool, array: str, object_: str) -> None:
    for value, type_, expected in ((COLOURS, list[str], array), (RGB, dict[str, int], object_)):
        parameter = Parameter("color", value, type_, "color", explode, style)
        assert query(parameter) == expected


@pytest.mark.parametrize(
    ("style", "explode", "text", "array", "object_"),
    [
        ("simple", False, "blue", "blue,black", "R,100,G,200"),
        ("simple", True, "blue", "blue,black", "R=100,G=200"),
        ("label", False, ".blue", ".blue,black", ".R,100,G,200"),
        ("label", True, ".blue", ".blue.black", ".R=100.G=200"),
        ("matrix", False, ";color=blue", ";color=blue,black", ";color=R,100,G,200"),
        ("matrix", True, ";color=blue", ";color=blue;color=black", ";R=100;G=200"),
        ("json", True, "%22blue%22", "%5B%22blue%22%2C%22black%22%5D",
         "%7B%22R%22%3A100%2C%22G%22%3A200%7D"),
    ],
)  # fmt: skip
def test_styles_of_a_path(style: str, explode: bool, text: str, array: str, object_: str) -> None:
    cases = (("blue", str, text), (COLOURS, list[str], array), (RGB, dict[str, int], object_))
    for value, type_, expected in cases:
        parameter = Parameter("color", value, type_, "color", explode, style)
        assert Checker().path("/{color}", [parameter]) == f"/{expected}"
        if style in ("simple", "json"):
            assert Checker().headers([parameter]) == {"color": unquote(expected)}
    checker, nothing = Checker(), Parameter("color", [], list[str], "color", explode, style)
    assert checker.path("/{color}", [nothing]) == ("/%5B%5D" if style == "json" else "/")
    said = [] if style == "json" else ["color: '' cannot be part of a path"]
    assert [str(each) for each in checker.problems] == said


@pytest.mark.parametrize("explode", [False, True])
def test_an_empty_value_in_a_matrix_has_no_equals_sign(explode: bool) -> None:
    """RFC 6570, 3.2.7."""

    def path(value: Any, type_: Any) -> str:
        parameter = Parameter("color", value, type_, "color", explode, "matrix")
        return Checker().path("/{color}", [parameter])

    assert path("", str) == "/;color"
    assert path(["", "b"], list[str]) == ("/;color;color=b" if explode else "/;color=,b")
    assert path({"R": "", "G": "1"}, dict[str, str]) == ("/;R;G=1" if explode else "/;color=R,,G,1")


@pytest.mark.parametrize(
    ("value", "type_", "exploded", "whole"),
    [
        (None, type(None), "a=", "a="),
        ([], list[str], "", ""),
        ({}, dict[str, str], "", ""),
        (["ü", None], list[str | None], "a=%C3%BC&a=", "a=%C3%BC,"),
        ({"b": {"c": 1}}, dict[str, dict[str, int]], f"b={C_1}", f"a=b,{C_1}"),
    ],
)
def test_what_is_empty_foreign_or_inside(value: Any, type_: Any, exploded: str, whole: str) -> None:
    assert query(Parameter("a", value, type_, "a")) == exploded
    assert query(Parameter("a", value, type_, "a", False)) == whole
    if not value:
        assert cookies(value, type_, explode=False)[0] == (f"{whole}; " if whole else "")


# Headers.


def headers(value: Any, type_: Any = str) -> tuple[dict[str, str], list[str]]:
    checker = Checker()
    found = checker.headers([Parameter("X-A", value, type_, "a")])
    return found, [str(problem) for problem in checker.problems]


@pytest.mark.parametrize("text", ["a\r\nX: y", "a\n", "\0", "ü", "\x7f", " a", "a "])
def test_header_values_that_cannot_be_sent(text: str) -> None:
    assert len(headers(text)[1]) == 1


# Cookies.


def cookies(value: Any, type_: Any = str, **words: Any) -> tuple[str, list[str]]:
    checker = Checker()
    crumb = Parameter("crumb", "1", str, "crumb")
    found = checker.cookies([Parameter("a", value, type_, "a", **words), crumb])
    return found.removesuffix("crumb=1"), [str(problem) for problem in checker.problems]


@pytest.mark.parametrize("text", ["a; b=c", "a,b", "a b", 'a"', "a\\b", "a\r\nX: y", "ü", "\0"])
def test_cookies_that_cannot_be_sent(text: str) -> None:
    assert len(cookies(text)[1]) == len(cookies([text], list[str], explode=False)[1]) == 1
    assert len(cookies({text: "b"}, dict[str, str])[1]) == 1


def test_each_item_of_an_exploded_list_is_a_cookie() -> None:
    assert cookies(["b", "c"], list[str]) == ("a=b; a=c; ", [])
    assert cookies(["b", "c"], list[str], explode=False) == ("a=b,c; ", [])


def test_a_query_inside_a_path_goes_with_that_of_arguments() -> None:
    def sent(path: str, value: Any) -> str:
        return request(path=path, query=[Parameter("a", value, str, "a")]).target

    assert sent("/pets?a=1&b=2", UNSET) == "/pets?a=1&b=2"
    assert sent("/pets?a=1&b=2", "3 4") == "/pets?b=2&a=3%204"
    assert sent("/pets?a=1", "2") == "/pets?a=2"
    assert sent("/pets", "2") == "/pets?a=2"


# Windows.


def window(start: Any, end: Any) -> list[str]:
    checker = Checker()
    checker.window(Window(("start_date", start), ("end_date", end), 60))
    return [str(problem) for problem in checker.problems]


@pytest.mark.parametrize(("seconds", "fits"), [(-1, True), (0, False), (1, False)])
def test_a_window_is_shorter_than_its_limit(seconds: int, fits: bool) -> None:
    checker = Checker()
    end = NOON + timedelta(days=60, seconds=seconds)
    window = Window(start=("from", NOON), end=("to", end), under_days=60)
    checker.window(window)
    assert [str(each)[:46] for each in checker.problems] == (
        [] if fits else ["to: must be less than 60 days after from, got "]
    )
    with nullcontext() if fits else pytest.raises(ArgumentError, match="60 days after from"):
        request(window=window)


def test_a_window_counts_hours_that_the_clock_repeats() -> None:
    paris = ZoneInfo("Europe/Paris")
    start = datetime(2026, 9, 1, 12, 0, tzinfo=paris)
    reason = "must be less than 60 days after start_date, got 60.0208 days"  # half an hour more
    assert window(start, datetime(2026, 10, 31, 11, 30, tzinfo=paris)) == [f"end_date: {reason}"]
    start = datetime(2026, 3, 1, 12, 0, tzinfo=paris)
    assert window(start, datetime(2026, 4, 30, 12, 30, tzinfo=paris)) == []


# One of several.


@pytest.mark.parametrize(
    ("given_", "complaints"),
    [
        ({"a": UNSET, "b": UNSET}, ["a or b: at least one must be given"]),
        ({"a": UNSET, "b": None}, []),
        ({"a": [], "b": UNSET}, ["a or b: at least one must be given"]),
        ({"a": 0, "b": False}, []),
        ({}, []),
    ],
)
def test_at_least_one_of_several(given_: dict[str, Any], complaints: list[str]) -> None:
    checker = Checker()
    checker.any_of(given_)
    assert [str(problem) for problem in checker.problems] == complaints
    if complaints:
        with pytest.raises(ArgumentError, match="at least one must be given"):
            request(any_of=given_)


# The whole request.


def test_a_flag_that_is_true_warns_and_without_reads_there_is_no_probe() -> None:
    warned, other = (Caution(UserWarning, each) for each in "ab")
    cautions = [(True, warned), (False, other), (UNSET, other), (1, other)]
    made = request(cautions=cautions, probe=lambda: Probe((), WriteBack(Tag), "id"))
    assert (made.cautions, made.probe) == ((warned,), None)


TYPES = [Any, str, int, float, bool, UUID, Key, Colour, Literal["a"], list[str], Tag]
TYPES += [dict[str, int]]


@pytest.mark.parametrize("value", ["\ud800", HUGE, math.nan, object(), Faulty()], ids=label)
@pytest.mark.parametrize("type_", TYPES)
def test_what_cannot_be_written_is_named_with_all_other_problems(value: Any, type_: Any) -> None:
    other = Parameter("other", 1, str, "other")
    for place in (
        {"json": Parameter("b", value, type_, "b"), "query": [other]},
        {"query": [other, Parameter("b", value, type_, "b")]},
        {"headers": [Parameter("b", value, type_, "b")], "query": [other]},
    ):
        with pytest.raises(ArgumentError) as caught:
            request(**place)
        assert [each.argument for each in caught.value.problems] == ["other", "b"]


class Text(str):
    """As those of template engines and of numpy."""


class Whole(int):
    pass


class Real(float):
    pass


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (Text("5"), str),
        (Text("5"), Key),
        (Text("red"), Colour),
        (Text("red"), Literal["red"]),
        ([Text("a")], list[str]),
        ({Text("5"): Text("b")}, dict[Key, str]),
        ({"a": [Text("b"), Whole(5), Real(1.5)]}, Any),
        (Whole(5), int),
        (Whole(5), Size),
        (Real(1.5), float),
    ],
)
def test_a_class_of_the_callers_own_is_sent_as_what_it_is(value: Any, type_: Any) -> None:
    sent = request("POST", json=Parameter("b", value, type_, "b")).body
    assert msgspec.json.decode(sent) == value
