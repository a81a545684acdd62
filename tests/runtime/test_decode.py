"""Answers: decoded, or turned into the one error that says what is wrong."""

from __future__ import annotations

import copy
import json
import pickle
import traceback
import warnings
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta
from runtime.core.drift import Drift, DriftWatch
from runtime.core.enums import IntCode
from runtime.core.errors import (
    ArgumentError,
    ArgumentProblem,
    ClientError,
    ConfigurationError,
    ConnectionFailed,
    DecodeError,
    DriftError,
    Exchange,
    RequestTimedOut,
    StatusError,
)
from runtime.core.models import MISSING, AlwaysTrue, ResponseModel, one_of
from runtime.response.decode import decode, status_error
from runtime.response.error_bodies import error_body
from runtime.response.redaction import Redaction
from runtime_support import STATUS_ERRORS, Broken, NotFound, Refused, request

URL = "https://main.test/v1/pets"


class Size(IntCode):
    SMALL = 1


class Item(ResponseModel):
    id: str = MISSING


class Pet(ResponseModel):
    id: str = MISSING
    age: int | None = MISSING
    sizes: dict[Size, int] | None = MISSING
    tags: list[str] | None = MISSING
    mother: Pet | None = MISSING


def exchange(body: bytes, status: int = 200) -> Exchange:
    return Exchange("pets.list", "GET", URL, status, {"x-a": "b"}, body)


def exchange_of(content_type: str, body: bytes) -> Exchange:
    return exchange(body)._replace(headers={"content-type": content_type})


def read(body: bytes, returns: Any, status: int = 200, **parts: Any) -> Any:
    """What an answer says, of whatever status."""
    came = exchange(body, status)
    if not 200 <= status <= 299:
        raise status_error(came, STATUS_ERRORS)
    return decode(request(returns=returns, **parts), came, Redaction(""), DriftWatch())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_json_is_read_in_any_of_its_encodings_and_with_bare_line_breaks(encoding: str) -> None:
    assert read('{"id": "é\n\t"}'.encode(encoding), Pet).id == "é\n\t"


@pytest.mark.parametrize("body", [b"", b"{}", b"<html>", b"\xff", b"[" * 10])
def test_where_no_body_is_documented_any_is_ignored(body: bytes) -> None:
    assert read(body, None) is None


@pytest.mark.parametrize("said", ["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml"])
@pytest.mark.parametrize("body", [b"<html>", b" \r\n<!doctype html>", b"\xef\xbb\xbf<html>"])
def test_the_page_of_a_login_is_no_success(said: str, body: bytes) -> None:
    came, watch = exchange_of(said, body), DriftWatch()
    with pytest.raises(DecodeError, match=r"but \$: a web page came, expected no body"):
        decode(request(returns=None), came, Redaction(""), watch)
    for accept, kind, other in (
        ("text/html", said, body),  # one was asked for
        ("application/json", "application/xml", body),
        ("application/json", said, b"OK"),  # what some services say of any text
        ("application/json", said, b" "),
    ):
        asked = request(returns=None, accept=accept)
        assert decode(asked, exchange_of(kind, other), Redaction(""), watch) is None


KEYED = dict[str, Pet] | list[Pet]


def test_an_answer_that_is_a_map_or_a_list_becomes_a_map() -> None:
    pets = {"1": Pet(id="1"), "2": Pet(id="2")}
    assert read(b'{"1":{"id":"1"},"2":{"id":"2"}}', KEYED, keyed_by="id") == pets
    assert read(b'[{"id":"1"},{"id":"2"}]', KEYED, keyed_by="id") == pets
    assert read(b"[]", KEYED, keyed_by="id") == {}
    assert read(b"{}", KEYED, keyed_by="id") == {}
    twice = read(b'[{"id":"1"},{"id":"2"},{"id":"1"}]', KEYED, keyed_by="id")
    assert (twice, twice.others) == (pets, [Pet(id="1")])
    assert copy.deepcopy(twice).others == pickle.loads(pickle.dumps(twice)).others == twice.others
    assert repr(twice).endswith(" and others: [Pet(id='1')]") and repr(pets) == repr(dict(twice))


@pytest.mark.parametrize(
    ("body", "path", "reason"),
    [
        (b"{}", "$", "without any documented field"),
        (b'{"error":"none"}', "$", "without any documented field"),
        (b"[]", "$", "Expected `object`, got `array`"),
        (b"null", "$", "Expected `object`, got `null`"),
        (b"", "$", "the body is empty, expected Pet"),
        (b" \r\n", "$", "the body is empty"),
        (b"<html>", "$", "not JSON"),
        (b'{"id":"1"', "$", "not JSON"),
        (b'{"id":"1"} x', "$", "not JSON"),
    ],
)
def test_a_wrong_answer_is_told_with_its_place(body: bytes, path: str, reason: str) -> None:
    with pytest.raises(DecodeError) as caught:
        read(body, Pet)
    error = caught.value
    assert error.path == path
    assert reason in error.reason
    assert (error.body, error.status, error.headers) == (body, 200, {"x-a": "b"})
    assert str(error) == f"GET {URL}: responded with 200, but {path}: {error.reason}"


def test_a_page_of_a_proxy_is_named() -> None:
    def reason(content_type: str) -> str:
        came = exchange(b"<html>")._replace(headers={"content-type": content_type})
        with pytest.raises(DecodeError) as caught:
            decode(request(returns=Pet), came, Redaction("very-s3cret"), DriftWatch())
        return caught.value.reason

    assert reason("Text/HTML; charset=utf-8").startswith("not JSON but Text/HTML: ")
    for media_type in ("application/json", "application/problem+JSON;a=b", "", ";"):
        assert reason(media_type).startswith("not JSON: ")
    assert "very-s3cret" not in reason("very-s3cret/html")


SECRET = "very-s3cret-token"
PLACES = [
    '{"id":"1","%s":1}', '{"age":"%s"}', '{"id":"%s","age":[]}', '{"sizes":{"%s":"a"}}',
    '{"sizes":{"1":"%s"}}', '{"tags":["%s",5]}', '{"mother":"%s"}', '{"mother":{"age":"%s"}}',
    '["%s"]', '"%s"', '{"%s":"1"}', '{"id":"%s', "%s", "",
]  # fmt: skip


@pytest.mark.parametrize("mode", ["ignore", "warn", "raise"])
@pytest.mark.parametrize("place", PLACES)
def test_what_is_said_of_a_response_does_not_show_the_token(place: str, mode: Any) -> None:
    """In no place of it, and in nothing that is said: errors, warnings and reports."""
    body = (place.replace("%s", SECRET)).encode()
    came = exchange_of(f"text/{SECRET}", body)
    reports: list[Drift] = []
    shown: list[object] = []
    asked = request(operation=f"pets.{place}", returns=Pet)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            decode(asked, came, Redaction(SECRET), DriftWatch(mode, reports.append))
        except DecodeError as error:
            shown += [*traceback.format_exception(error), error.args, vars(error)]
            shown += [error.exchange.headers, error.exchange.body]
    shown += [*(str(each.message) for each in warned), *reports]
    assert shown and not [each for each in shown if SECRET in f"{each}"]


def test_a_long_address_does_not_drown_what_is_said() -> None:
    long = Exchange("pets.list", "GET", URL + "?ids=" + "1,2," * 1000, 404)
    error = status_error(long._replace(body=b'{"message":"No such pets."}'), STATUS_ERRORS)
    assert len(str(error)) < 300
    assert str(error).startswith(f"GET {URL}?ids=1,2,")
    assert str(error).endswith("…: responded with 404: No such pets.")
    assert error.url == long.url


class Cat(ResponseModel):
    kind: Literal["cat"] | None = MISSING
    lives: int | None = MISSING


class Dog(ResponseModel):
    kind: Literal["dog", "wolf"] | None = MISSING
    lives: int | None = MISSING
    tricks: list[str] | None = MISSING


class Animal(ResponseModel):
    kind: Literal["animal"] | int | None = MISSING
    lives: str | None = MISSING


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"kind":"cat","lives":"nine","tricks":[]}', Cat),
        (b'{"kind":"wolf"}', Dog),
        (b'{"kind":"wolf","lives":"one"}', Dog),
        (b'{"kind":null,"lives":"nine"}', Cat),
        (b'{"kind":"dragon","lives":9}', Animal),
        (b'{"kind":7,"lives":"nine"}', Animal),
        (b'{"lives":9}', Cat),
        (b'{"lives":"nine"}', Animal),
        (b'{"tricks":["sit"]}', Dog),
    ],
)
def test_an_object_is_of_the_model_that_its_constants_name(body: bytes, expected: Any) -> None:
    """Of those that they allow, or of all, it is of the one from which it differs least."""
    assert type(read(body, one_of[Cat | Dog | Animal])) is expected


class One(ResponseModel):
    kind: Literal[1] = MISSING
    own: int | None = MISSING


class Two(ResponseModel):
    kind: Literal[2] = MISSING
    new: int | None = MISSING


class Yes(ResponseModel):
    kind: AlwaysTrue = MISSING


@pytest.mark.parametrize(("kind", "expected"), [("1", One), ("true", Yes)])
def test_true_is_not_the_number_one(kind: str, expected: Any) -> None:
    for union in (one_of[One | Yes], one_of[Yes | One]):
        for own in ("", ',"own":1', ',"own":[],"new":2'):
            assert type(read(f'{{"kind":{kind}{own}}}'.encode(), union)) is expected


@pytest.mark.parametrize("number", ["1", "1.0", "10e-1"])
@pytest.mark.parametrize("report", [None, lambda _: None])
def test_a_whole_number_is_one_however_it_is_written(number: str, report: Any) -> None:
    """Whether differences are looked for or not, and whatever else is odd."""
    for union in (One, one_of[One | Two], one_of[Two | One]):
        for more in ("", f',"own":{number}', ',"own":[],"new":2'):
            body = exchange(f'{{"kind":{number}{more}}}'.encode())
            watch = DriftWatch("ignore", report)
            found = decode(request(returns=union), body, Redaction(""), watch)
            assert (type(found), type(found.kind), found.kind) == (One, int, 1)
            assert type(found.own) is (int if number in more else type(None))


def test_what_a_model_of_several_names_is_no_unknown_field_of_another() -> None:
    reports: list[Drift] = []
    body = exchange(b'{"own":[1],"new":2,"kind":null}')
    asked = request(returns=one_of[Yes | One])
    decode(asked, body, Redaction(""), DriftWatch("ignore", reports.append))
    assert [each.path for each in reports if each.kind == "unknown field"] == ["$.new"]


@pytest.mark.parametrize("more", ["", ',"own":1', ',"own":"x"'])
def test_a_kind_that_no_model_has_is_told_once(more: str) -> None:
    reports: list[Drift] = []
    body = exchange(f'{{"kind":9{more}}}'.encode())
    one, two = (
        Annotated[each, Meta(extra={"tag": ["kind", value]})]
        for value, each in ((1, One), (2, Two))
    )
    for union in (one_of[one | two], one_of[two | one]):
        decode(request(returns=union), body, Redaction(""), DriftWatch("ignore", reports.append))
        told = [each for each in reports if each.path == "$.kind"]
        assert [(each.kind, each.found, each.expected[:7]) for each in told] == [
            ("unknown value", "9", "one of ")
        ]
        reports.clear()


@pytest.mark.parametrize("body", [b"null", b"true", b"5", b"2.5", b'"text"', b"[]", b"[{}]"])
def test_what_is_none_of_several_models_is_no_result(body: bytes) -> None:
    """Alone it cannot be read; in a field it is kept, and is none of them."""
    with pytest.raises(DecodeError, match="Expected `object"):
        read(body, one_of[Cat | Dog | Animal])
    found = read(b'{"one":' + body + b',"id":"1"}', Holder)
    assert (found.one, found.id) == (None, "1")
    assert json.loads(found.to_json()) == {"one": json.loads(body), "id": "1"}
    assert read(b'[{"kind":"cat"},' + body + b"]", list[one_of[Cat | Dog]])[0] == Cat(kind="cat")


class Holder(ResponseModel):
    id: str = MISSING
    one: one_of[Cat | Dog | Animal] | None = MISSING


def test_an_item_without_its_key_costs_no_other() -> None:
    class Keyless(ResponseModel):
        id: str | None = MISSING

    for odd in (b"{}", b'{"id":null}', b"5"):
        body = b"[" + odd + b',{"id":"1"}]'
        drifts: list[Drift] = []
        watch = DriftWatch("ignore", drifts.append)
        asked = request(returns=list[Keyless], keyed_by="id")
        assert decode(asked, exchange(body), Redaction(""), watch) == {"1": Keyless(id="1")}
        assert read(body, list[Keyless], keyed_by="id") == {"1": Keyless(id="1")}
        assert drifts[-1].path == "$[0].id"
        assert len(read(body, list[Keyless], keyed_by="id").others) == 1
        with pytest.raises(DecodeError) as caught:
            read(b"[" + odd + b"]", list[Keyless], keyed_by="id")
        assert caught.value.path == "$[0].id"


def test_items_of_which_none_has_the_key_are_not_lost() -> None:
    class Named(ResponseModel):
        id: str | None = MISSING
        name: str | None = MISSING

    found = read(b'[{"name":"a"},{"name":"b"}]', list[Named], keyed_by="id")
    assert (found, [each.name for each in found.others]) == ({}, ["a", "b"])


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (404, NotFound),
        *[(status, Refused) for status in (400, 401, 403, 405, 422, 429, 499)],
        *[(status, Broken) for status in (500, 502, 503, 504, 599)],
        *[(status, StatusError) for status in (301, 302, 304, 307, 308, 399, 600, 999, 199, 100)],
    ],
)
def test_every_other_status_has_its_class(status: int, kind: type) -> None:
    with pytest.raises(StatusError) as caught:
        read(b'{"message":"no"}', Pet, status)
    assert type(caught.value) is kind
    assert caught.value.status == status


@pytest.mark.parametrize(
    ("body", "data", "shown"),
    [
        (b'{"message":"no"}', {"message": "no"}, ": no"),
        (b'{"message":"a\\n  b"}', {"message": "a\n  b"}, ": a b"),
        (b'{"message":5}', {"message": 5}, ': {"message":5}'),
        (b'\xef\xbb\xbf{"message":"no"}', {"message": "no"}, ": no"),
        (b'{"message":"no","a":NaN}', {"message": "no", "a": "NaN"}, ": no"),
        (b'{"message":""}', {"message": ""}, ': {"message":""}'),
        (b'["no"]', {}, ': ["no"]'),
        (b'"no"', {}, ': "no"'),
        (b"<html>\n <b>Bad</b></html>", {}, ": <html> <b>Bad</b></html>"),
        (b"", {}, " with an empty body"),
        (b" \n", {}, " with an empty body"),
        (b'{"message":"n', {}, ': {"message":"n'),
        (b"\xff", {}, ": \ufffd"),
    ],
)
def test_any_body_of_an_error_is_read(body: bytes, data: Any, shown: str) -> None:
    with pytest.raises(NotFound) as caught:
        read(body, Pet, 404)
    error = caught.value
    assert (error.data, error.exchange.body, error.method, error.url) == (data, body, "GET", URL)
    assert str(error) == f"GET {URL}: responded with 404{shown}"


HUGE = b"x" * 1_000_000


@pytest.mark.parametrize(
    "body", [HUGE, b'{"message":"' + HUGE + b'"}', b"[" * 100_000, "ü".encode() * 100_000]
)
def test_messages_stay_short(body: bytes) -> None:
    with pytest.raises(StatusError) as caught:
        read(body, Pet, 500)
    assert len(str(caught.value)) < 300
    assert caught.value.exchange.body == body


def test_reasons_stay_short() -> None:
    with pytest.raises(DecodeError) as caught:
        read(b'{"' + HUGE + b'":5', KEYED, keyed_by="id")
    assert len(str(caught.value)) < 350


ERRORS = [
    ClientError("a"),
    ConfigurationError("a; b"),
    ArgumentError("pets.list", (ArgumentProblem("a", "b"),)),
    ArgumentError("pets.list", (ArgumentProblem("a", "b"),) * 50_000),
    ConnectionFailed("a", exchange(b"")),
    ConnectionFailed("a", exchange(b""), sent=False),
    RequestTimedOut("a", Exchange("pets.list", "GET", URL)),
    DecodeError("$.a", "no", exchange(b"{}")),
    DriftError("$.a", "no", exchange(b"{}"), (Drift("pets.list", "$.a", "type", "5", "str"),)),
    StatusError(exchange(b'{"a":1}', 302), {"a": 1}),
    NotFound(exchange(b'{"message":"no"}', 404), {"message": "no"}),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_travel_between_processes(error: ClientError) -> None:
    again = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(6)]
    for other in [*again, copy.copy(error), copy.deepcopy(error)]:
        assert type(other) is type(error)
        assert (str(other), vars(other)) == (str(error), vars(error))


def test_each_status_has_its_own_type() -> None:
    by_status = {202: int, 204: None}
    assert read(b'{"id": "a"}', Pet, 200, by_status=by_status).id == "a"
    assert read(b"7", Pet, 202, by_status=by_status) == 7
    assert read(b"", Pet, 204, by_status=by_status) is None
    with pytest.raises(DecodeError, match="empty"):
        read(b"", Pet, 200, by_status=by_status)
    ranged = {200: Pet, 2: str}
    assert read(b'{"id": "a"}', Pet, 200, by_status=ranged).id == "a"
    assert read(b"waits", Pet, 203, by_status=ranged) == "waits"


@pytest.mark.parametrize(
    ("status", "wanted"), [(404, Item(id="1")), (410, Pet(id="1")), (500, {"id": "1"}), (302, None)]
)
def test_the_body_of_an_error_has_the_type_of_its_status(status: int, wanted: Any) -> None:
    """That of the status itself, of its hundred, or of every other one."""
    types: dict[int, Any] = {404: Item, 4: Pet, 5: dict[str, str]}
    found = error_body(exchange(b'{"id":"1"}', status), types)
    assert found == wanted and type(found) is type(wanted)
    found = error_body(exchange(b'{"id":"1"}', status), {**types, 0: Any})
    assert type(found) is (dict if wanted is None else type(wanted))


@pytest.mark.parametrize(
    ("said", "body", "wanted"),
    [
        ("Application/Problem+JSON; a=b", b'{"id":"1"}', Item(id="1")),
        ("text/html", b'{"id":"1"}', '{"id":"1"}'),
        ("", b'{"id":"1"}', Pet(id="1")),
        *(("in/json", each, each.strip(b'"').decode()) for each in (b"ok", b'"ok"', b"true", b"1")),
        *(("in/json", body, None) for body in (b"null", b"[1]", b"{}", b" ")),
    ],
)  # fmt: skip
def test_the_body_of_an_error_is_read_by_its_media_type(
    said: str, body: bytes, wanted: Any
) -> None:
    """A text that has no quotes is one in JSON, too."""
    types = {4: {"application/problem+json": Item, "text/*": str, "in/json": str | None, "": Pet}}
    assert error_body(exchange_of(said, body)._replace(status=400), types) == wanted


@pytest.mark.parametrize(
    ("said", "body"),
    [
        ("text/plain", "é".encode()),
        ("text/csv; charset=ISO-8859-1", "é".encode("latin-1")),
        ('text/plain; Charset="utf-16"; header=present', "é".encode("utf-16")),
        ("text/plain; charset=none-such", "é".encode()),
    ],
)
def test_text_is_read_in_its_character_set(said: str, body: bytes) -> None:
    came = exchange_of(said, body)
    assert decode(request(returns=str), came, Redaction(""), DriftWatch()) == "é"


class Box(ResponseModel):
    items: list[Item] = MISSING
    others: dict[str, Item] = MISSING
    first: Item = MISSING


def test_items_that_are_equal_as_documented_are_told_apart() -> None:
    """What the documents do not name goes with each of them, wherever it is put."""
    texts = tuple(b'{"id":"1","own":%d}' % n for n in range(4))
    box = read(b'{"items":[%s,%s],"others":{"a":%s},"first":%s}' % texts, Box)
    assert box.items[0] == box.items[1] == box.others["a"] == box.first
    box.items.reverse()
    box.first, box.others["a"] = box.others["a"], box.first
    again = json.loads(box.to_json())
    assert [each["own"] for each in again["items"]] == [1, 0]
    assert (again["others"]["a"]["own"], again["first"]["own"]) == (3, 2)
