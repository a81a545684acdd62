"""Names and places of which there are many: each is known, whatever stands beside it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from http import HTTPStatus
from typing import Any
from uuid import UUID

import pytest

from social_publishing_sandbox.json_objects import Object
from social_publishing_sandbox.recording.matching import differences, facts
from social_publishing_sandbox.recording.model import Json, Multipart, Part, Request, Text
from social_publishing_sandbox.recording.recorder import _end_to_end
from social_publishing_sandbox.state.documents import DocumentedResponse, load
from social_publishing_sandbox.state.error_bodies import error_body
from social_publishing_sandbox.state.refusals import Reason

NO, ERRORS = "No such thing.", {"name": ["Not so."], "ids.0": ["Nor so."]}
MESSAGES = "message error detail description reason msg text errorMessage error_description"
CODES = "code eCode error_code type kind"
STATUSES = "status statusCode http_status"
LISTS = "errors details violations problems fields fieldErrors"
PLACES = "field name path attribute property key pointer"
TEXT, OPEN = {"type": "string"}, {"type": "string", "x-extensible-enum": ["GENERAL", "NOT_FOUND"]}


def body(
    name: str,
    schema: dict[str, Any],
    status: int = 404,
    errors: dict[str, list[str]] = ERRORS,
) -> Any:
    """Return what an error has in a member, which the schema of its body names beside another."""
    members = {"properties": {"other": {"type": "boolean"}, name: schema}, "required": [name]}
    documented = DocumentedResponse(status, {"type": "object", **members})
    return error_body(load().main, documented, NO, errors)[name]


@pytest.mark.parametrize("name", MESSAGES.split())
def test_names_of_a_message(name: str) -> None:
    assert body(name, {**TEXT, "default": "else"}) == NO
    assert body(name, {**TEXT, "default": "else", "maxLength": 7}) == NO[:7]
    assert body(f"{name}Id", {**TEXT, "default": "else"}) == "else"


@pytest.mark.parametrize("name", CODES.split())
def test_names_of_a_code(name: str) -> None:
    assert body(name, OPEN) == "NOT_FOUND" and body(name, OPEN, 422) == "GENERAL"
    assert body(name, {**TEXT, "default": "else"}) == HTTPStatus(404).name
    assert body(f"{name}Id", {**TEXT, "default": "else"}) == "else"


@pytest.mark.parametrize("name", [*STATUSES.split(), "code"])
@pytest.mark.parametrize("status", [404, 422])
def test_names_of_a_status(name: str, status: int) -> None:
    assert body(name, {"type": "integer", "default": 7}, status) == status
    if name != "code":
        assert body(name, {**TEXT, "default": "7"}, status) == str(status)
    assert body(f"{name}Id", {"type": "integer", "default": 7}, status) == 7


@pytest.mark.parametrize("name", LISTS.split())
@pytest.mark.parametrize("place", PLACES.split())
def test_names_of_what_is_at_fault(name: str, place: str) -> None:
    item = {"type": "object", "properties": {"message": TEXT, place: TEXT}, "required": [place]}
    found = body(name, {"type": "array", "items": item, "minItems": 2})
    assert [each[place] for each in found] == [*ERRORS], found
    assert [each["message"] for each in found] == ["Not so.", "Nor so."]


def entry(*required: str, **members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": [*required]}


@pytest.mark.parametrize(
    ("item", "place", "said"),
    [
        (TEXT, None, None),
        ({**TEXT, "maxLength": 7}, None, None),
        (entry("code", "detail", code=TEXT, detail=TEXT), None, "detail"),
        (entry(code={"type": "integer"}, message=TEXT), None, "message"),
        (entry("rule", "why", rule={"type": "boolean"}, why=TEXT), None, "why"),
        (entry(why=TEXT), None, "why"),
        (entry("detail", "source", detail=TEXT, source=entry(pointer=TEXT)), "source", "detail"),
        ({"anyOf": [entry("code", "msg", code=OPEN, msg=TEXT), {"type": "integer"}]}, None, "msg"),
        ({"allOf": [entry("code", code=TEXT), entry("reason", reason=TEXT)]}, None, "reason"),
    ],
)
def test_each_field_has_what_is_wrong_with_it(
    item: dict[str, Any], place: str | None, said: str | None
) -> None:
    """Whatever the entries for a field are, one or a list of them, each speaks of its own field."""

    def speaks(found: Any, field: str, text: str) -> bool:
        if place and found[place] != {"pointer": field}:
            return False
        return bool(found[said] == text if said else found == text[: item.get("maxLength")])

    both = {"name": ["Not so.", "It is."], "ids.0": ["Nor so."]}
    one = body("errors", {"type": "object", "additionalProperties": item}, errors=both)
    many = {"type": "object", "additionalProperties": {"type": "array", "items": item}}
    lists = body("errors", many, errors=both)
    assert one.keys() == lists.keys() == both.keys()
    for field, texts in both.items():
        assert speaks(one[field], field, " ".join(texts)), one
        assert len(lists[field]) == len(texts)
        assert all(map(speaks, lists[field], [field] * len(texts), texts)), lists


def test_entries_of_one_list_name_their_fields() -> None:
    for place in ("where", "field"):
        item = entry(place, "code", "detail", **{place: TEXT}, code=TEXT, detail=TEXT)
        found = body("errors", {"type": "array", "items": item})
        assert [each[place] for each in found] == [*ERRORS], found
        assert [each["detail"] for each in found] == ["Not so.", "Nor so."]
        assert {each["code"] for each in found} == {"NOT_FOUND"}


WORDS = {
    Reason.FORBIDDEN: "may not|not allowed|permission|forbidden|no access",
    Reason.NOT_FOUND: "no such|not found|does not exist|unknown|gone|not there",
    Reason.INVALID: "valid|not accepted|does not fit",
    Reason.CONFLICT: "conflict|the request is refused|already",
    Reason.TOO_LARGE: "too large|too big",
    Reason.UNREACHABLE: "does not work|cannot be fetched|unreachable|cannot be reached",
}


@pytest.mark.parametrize("reason", Reason)
def test_a_description_says_why(reason: Reason) -> None:
    for other, words in WORDS.items():
        for word in words.split("|"):
            assert reason.is_said(f"It {word.capitalize()} here.") is (reason is other), word
    assert not reason.is_said("Whatever.")


@pytest.mark.parametrize(
    ("reason", "responses", "status"),
    [
        # The usual one, whatever others say; one that says so; any other that can express it; one
        # that says what another reason is; at last the usual one, though nothing documents it.
        (Reason.NOT_FOUND, {404: "No.", 409: "Not found."}, 404),
        (Reason.NOT_FOUND, {422: "No.", 409: "Not found."}, 409),
        (Reason.NOT_FOUND, {403: "No.", 400: "No.", 422: "No.", 410: "No."}, 410),
        (Reason.NOT_FOUND, {403: "No.", 400: "No."}, 400),
        (Reason.NOT_FOUND, {403: "No."}, 403),
        (Reason.NOT_FOUND, {409: "It is not valid."}, 409),
        (Reason.NOT_FOUND, {418: "No access."}, 418),
        (Reason.NOT_FOUND, {409: "Too large."}, 404),
        (Reason.UNAUTHORIZED, {403: "No."}, 403),
        (Reason.UNAUTHORIZED, {400: "Forbidden."}, 400),
        (Reason.UNAUTHORIZED, {400: "No.", 404: "No.", 422: "No."}, 401),
        (Reason.FORBIDDEN, {400: "No.", 422: "No."}, 422),
        (Reason.INVALID, {400: "No.", 404: "No."}, 400),
        (Reason.INVALID, {403: "No."}, 422),
        (Reason.CONFLICT, {409: "No.", 422: "No."}, 409),
        (Reason.TOO_LARGE, {400: "No.", 422: "No."}, 422),
        (Reason.UNREACHABLE, {413: "No.", 422: "No."}, 422),
    ],
)
def test_a_reason_has_the_status_that_fits_it_best(
    reason: Reason, responses: dict[int, str], status: int
) -> None:
    documented = {
        each: DocumentedResponse(each, None, said=said) for each, said in responses.items()
    }
    operation = replace(load().operations["getGroup"], responses=documented)
    assert operation.refusal(reason).status == status
    said = any(reason.is_said(each) for each in responses.values())
    assert operation.can_refuse(reason) is (said or bool({*reason.value} & {*responses}))


HIDDEN = {"email": ("email-1@example.invalid", "a@b.example"), "token": ("<token-1>", "anything")}


def asked(target: str, *, json: Any = None, parts: tuple[str, str] | None = None) -> Request:
    sent: Any = None if json is None else Json(json)
    if parts is not None:
        sent = Multipart([Part(f"p{n}", None, None, Text(each)) for n, each in enumerate(parts)])
    return Request("main", "POST", target, {}, sent)


@pytest.mark.parametrize("kind", HIDDEN)
def test_a_placeholder_stands_for_any_text_wherever_it_is(kind: str) -> None:
    """In one of two values, the other of which has to be the same."""
    recorded, now = HIDDEN[kind]
    in_target = recorded.replace("<", "%3C").replace(">", "%3E")
    pairs = [
        (asked(f"/a/{in_target}/b/1"), asked(f"/a/{now}/b/1"), asked(f"/a/{now}/b/2")),
        (asked(f"/a?x={in_target}&y=1"), asked(f"/a?x={now}&y=1"), asked(f"/a?x={now}&y=2")),
        (asked(f"/a?x=1&x={in_target}"), asked(f"/a?x=1&x={now}"), asked(f"/a?x=2&x={now}")),
    ]
    for name in ("one", "path", "query"):  # a member may be called as a place is
        pairs.append((
            asked("/a", json={name: recorded, "other": 1}),
            asked("/a", json={name: f"{now}/&?#", "other": 1}),
            asked("/a", json={name: now, "other": 2}),
        ))  # fmt: skip
    parts = [(recorded, "1"), (f"{now}\n/", "1"), (now, "2")]
    pairs.append(tuple(asked("/a", parts=each) for each in parts))  # type: ignore[arg-type]
    for there, same, other in pairs:
        assert not [*differences(facts(same), facts(there))], there
        assert len([*differences(facts(other), facts(there))]) == 1, there
    for wrong in (f"/a?x={now}/&y=1", "/a?y=1", f"/a?x={now}&x={now}&y=1"):
        assert [*differences(facts(asked(wrong)), facts(asked(f"/a?x={in_target}&y=1")))]


def test_how_far_apart_two_requests_are_and_how_that_is_said() -> None:
    recorded = facts(asked("/a?x=1", json={"text": "a"}))
    for other, weight in (
        (replace(asked("/a?x=1", json={"text": "a"}), api="media"), 40),
        (replace(asked("/a?x=1", json={"text": "a"}), method="PUT"), 20),
        (asked("/b?x=1", json={"text": "a"}), 20),
        (asked("/a?x=2", json={"text": "a"}), 3),
        (asked("/a?x=1&y=1", json={"text": "a"}), 3),
        (asked("/a?x=1", json={"text": "b"}), 1),
    ):
        assert [each.weight for each in differences(facts(other), recorded)] == [weight]
    for length, shown in ((58, f'"{"b" * 58}"'), (59, f'"{"b" * 58}…')):
        far = asked("/a?x=1", json={"text": "b" * length})
        (said,) = map(str, differences(facts(far), recorded))
        assert said == f'body.json.text is {shown}, recorded is "a"'
    (said,) = map(str, differences(facts(asked("/a", json={"text": "a"})), recorded))
    assert said == 'query.x is absent, recorded is ["1"]'


HOPS = "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer"


def test_what_is_for_the_next_hop_stays_there() -> None:
    kept = [(b"accept", b"*/*"), (b"closed", b"yes")]
    for name in (*HOPS.split(), "transfer-encoding", "upgrade"):
        sent = [(b"Accept", b"*/*"), (name.title().encode(), b"x"), (b"closed", b"yes")]
        assert _end_to_end(sent) == kept, name
    named = [(b"X-One", b"1"), (b"Connection", b"Close, X-ONE"), (b"x-two", b"2"), *kept]
    assert _end_to_end([*named, (b"connection", b"x-two")]) == kept


class Inner(Object):
    at: dt.datetime | None


class Outer(Object):
    at: dt.datetime
    day: dt.date
    id: UUID
    inner: Inner
    listed: list[Inner]
    days: list[dt.date]
    by_name: dict[str, Inner]
    times: dict[str, dt.datetime] | None
    either: Inner | int
    text: str | None


def test_objects_are_read_by_their_types_at_every_depth() -> None:
    at, later = "2026-12-01T09:00:00+00:00", "2026-12-02T10:30:00+01:00"
    two, moments = {"a": {"at": at}, "b": {"at": later}}, {"a": at, "b": later}
    number = "12345678-1234-4678-9234-567812345678"
    read = Outer({
        "at": at, "day": "2026-12-01", "id": number, "inner": {"at": later},
        "listed": [{"at": at}, {"at": later}], "days": ["2026-12-01", "2026-12-02"],
        "by_name": two, "times": moments, "either": {"at": at},
    })  # fmt: skip
    first, second = (dt.datetime.fromisoformat(each) for each in (at, later))
    assert (read.at, read.day, read.id) == (first, dt.date(2026, 12, 1), UUID(number))
    assert [each.at for each in read.listed] == [first, second] and read.inner.at == second
    assert read.days == [dt.date(2026, 12, 1), dt.date(2026, 12, 2)]
    assert {name: each.at for name, each in read.by_name.items()} == {"a": first, "b": second}
    assert read.times == {"a": first, "b": second} and read["times"] == moments
    assert isinstance(read.either, Inner) and Outer({"either": 5}).either == 5
    assert read.text is None and Outer({"inner": {"at": None}}).inner.at is None
