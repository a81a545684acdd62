"""Models and codes: what was read is kept, known or not."""

from __future__ import annotations

import copy
import json
import pickle
from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from runtime.core.enums import IntCode, TextCode
from runtime.core.ids import id_key
from runtime.core.models import (
    MISSING,
    DecimalText,
    RequestModel,
    ResponseModel,
    UnsetType,
    stored,
)


class Size(IntCode):
    SMALL = 1
    LARGE = 5


class Colour(TextCode):
    RED = "red"


class Animal(ResponseModel):
    name: str | None = MISSING
    size: Size | None = MISSING
    colours: dict[Colour, int] | None = MISSING
    born_at: datetime | None = msgspec.field(name="bornAt", default=MISSING)
    child: Animal | None = MISSING
    active: bool | None = MISSING


TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
CODES = st.one_of(
    st.integers(-(2**63), 2**64 - 1).map(Size),
    st.sampled_from([*Size]),
    TEXT.map(Colour),
    st.just(Colour.RED),
)


class Cost(ResponseModel):
    number: Decimal | None = MISSING
    text: DecimalText | None = MISSING
    texts: list[DecimalText] | None = MISSING


def test_a_decimal_number_is_written_as_the_documents_have_it() -> None:
    cost = msgspec.json.decode(b'{"number":1,"text":"2"}', type=Cost)
    cost.number, cost.text, cost.texts = Decimal("1.50"), Decimal("2.50"), [Decimal("3.50")]
    assert cost.to_json() == b'{"number":1.50,"text":"2.50","texts":["3.50"]}'


@given(CODES)
def test_any_code_is_kept_and_written_again(code: Any) -> None:
    kind, raw = type(code), code.value
    encoded = msgspec.json.encode(code)
    assert encoded == msgspec.json.encode(raw)
    read = msgspec.json.decode(encoded, type=kind)
    assert read == code == raw
    assert hash(read) == hash(code) == hash(raw)
    assert {code: 1}[raw] == 1 and {raw: 1}[code] == 1
    for again in (
        copy.copy(code),
        copy.deepcopy(code),
        *(pickle.loads(pickle.dumps(code, protocol)) for protocol in range(6)),
    ):
        assert again == code and type(again) is kind and again.value == raw
        assert again.known == code.known
        assert again.name == code.name


@pytest.mark.parametrize("text", [b'"5"', b"1.5", b"true", b"null", b"[]"])
def test_a_code_of_another_json_type_is_refused(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError, match="Expected `int`, got"):
        msgspec.json.decode(text, type=Size)


@pytest.mark.parametrize(
    "text",
    [
        b"{}",
        b'{"name":null,"size":null,"colours":null,"bornAt":null,"child":null,"active":null}',
        b'{"name":"","size":77,"colours":{"red":0,"new":1},"child":{"active":false}}',
        b'{"size":5,"bornAt":"2026-12-01T09:00:00Z","active":true}',
    ],
)
def test_absent_null_and_value_survive(text: bytes) -> None:
    animal = msgspec.json.decode(text, type=Animal)
    assert msgspec.json.encode(animal) == text
    assert animal.to_dict(wire=True) == msgspec.json.decode(text)
    assert msgspec.json.decode(animal.to_json()) == animal.to_dict(wire=True)


class Dog(Animal):
    breed: str = MISSING


def test_absent_and_null_read_as_none_and_can_be_told_apart() -> None:
    for absent, null in (
        (Animal(), Animal(name=None)),
        (Dog(breed="x"), Dog(breed="x", name=None)),
    ):
        assert absent.name is null.name is None
        assert (absent.stored("name"), null.stored("name")) == (UNSET, None)
        assert (stored(absent, "name"), stored(null, "name")) == (UNSET, None)
        assert absent != null
        for copied in (
            copy.copy(absent),
            copy.deepcopy(absent),
            pickle.loads(pickle.dumps(absent)),
        ):
            assert copied == absent and copied.stored("name") is UNSET
        null.name = "Rex"
        assert (null.name, null.stored("name")) == ("Rex", "Rex")
    assert isinstance(UNSET, UnsetType)
    with pytest.raises(AttributeError, match="'Animal' has no attribute 'nothing of the kind'"):
        Animal().stored("nothing of the kind")


@given(st.data())
def test_a_dictionary_has_what_the_attributes_have_as_json(data: st.DataObject) -> None:
    animals = st.deferred(lambda: st.builds(Animal, **fields))
    moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 1, 1), timezones=st.just(UTC))
    fields: dict[str, Any] = {
        "name": st.sampled_from([UNSET, None, "Rex"]),
        "size": st.sampled_from([UNSET, None, Size.LARGE, Size(77)]),
        "colours": st.just(UNSET)
        | st.dictionaries(TEXT.map(Colour), st.integers(0, 9), max_size=2),
        "born_at": st.just(UNSET) | moments,
        "child": st.just(UNSET) | animals,
    }
    animal = data.draw(animals)
    found = animal.to_dict()
    assert json.loads(json.dumps(found)) == found, "nothing but JSON, and texts for keys"
    while True:
        assert [*found] == [*Animal.__struct_fields__], "all of them, in their order"
        assert (found["name"], found["size"]) == (animal.name, animal.size)
        assert type(found["size"]) in (int, type(None))
        assert found["colours"] == animal.colours
        born = found["born_at"]
        assert (born and datetime.fromisoformat(born)) == animal.born_at
        if animal.child is None:
            assert found["child"] is None
            return
        animal, found = animal.child, found["child"]


def test_a_date_time_is_one_beside_another_client_in_the_process() -> None:
    assert len({Annotated[str, number] for number in range(200)}) == 200  # `typing` forgets ours
    others = Annotated[str, msgspec.Meta(extra={"is_datetime": True})]
    model = type("Model", (ResponseModel,), {"__annotations__": {"at": others}})
    found = msgspec.json.decode(b'{"at": "2026-12-01T00:00:00Z"}', type=model)
    assert found.at == datetime(2026, 12, 1, tzinfo=UTC)


def test_models_are_built_with_keywords_alone_and_checked_later() -> None:
    class Wish(RequestModel, kw_only=True):  # msgspec does not inherit it
        note: str | None = MISSING
        text: str

    with pytest.raises(TypeError, match="Extra positional arguments"):
        Wish("a")  # type: ignore[call-arg]
    wrong: Any = 1
    assert Wish(text=wrong).text == wrong


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_identifiers_are_ordered_as_integers(numbers: list[int]) -> None:
    assert sorted(map(str, numbers), key=id_key) == [*map(str, sorted(numbers))]


@pytest.mark.parametrize("text", ["", "-1", "1.0", "٣", " 1", "1\n", "1_0", "+1", "x"])
def test_what_is_no_identifier_has_no_order(text: str) -> None:
    with pytest.raises(ValueError, match="not an identifier"):
        id_key(text)
