"""What reads requests for the contract tests: were it blind, the others would prove nothing.

Whatever is wrong with a request is told.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from types import new_class
from typing import Any, get_type_hints

import msgspec
import pytest
from msgspec import structs
from social_publishing._runtime.core.models import MISSING, ResponseModel
from social_publishing.models import Label

from harness import edge_cases
from harness.calls import Call, call_of
from harness.generation import Mirror, response_mirror
from harness.options import Plan
from harness.response_checks import misread
from harness.service import SIDES, Side, captured, reply
from tests.support.documents import Json, Operation, Schema, Values, documents, operations
from tests.support.wire import TOKEN, Sent, forbidden, read

OPERATIONS = operations()


def sent(operation: Operation, values: Values) -> Sent:
    """Return the request that the client makes of these values."""
    [found] = captured(call_of(operation, values), response=edge_cases.plain_reply(operation)).sent
    return found


LIST = OPERATIONS["listPosts"]
UPDATE = OPERATIONS["updatePost"]
UPLOAD = OPERATIONS["uploadMedia"]
GOOD = {
    "list": sent(LIST, {"query.groupId": "1", "query.include": ["media", "labels"]}),
    "update": sent(UPDATE, {"path.post": "1", "body.content": "Hi", "body.isDraft": False}),
    "upload": sent(UPLOAD, edge_cases.plain_request(UPLOAD)),
}


def _url(old: str, new: str) -> Callable[[Sent], Sent]:
    return lambda sent: replace(sent, url=sent.url.replace(old, new))


def _body(old: str, new: str) -> Callable[[Sent], Sent]:
    def change(sent: Sent) -> Sent:
        body = sent.body.replace(old.encode(), new.encode())
        assert body != sent.body
        return _header("content-length", str(len(body)))(replace(sent, body=body))

    return change


def _header(name: str, value: str | None) -> Callable[[Sent], Sent]:
    def change(sent: Sent) -> Sent:
        kept = [pair for pair in sent.headers if pair[0] != name]
        return replace(sent, headers=[*kept, *([(name, value)] if value is not None else [])])

    return change


BROKEN: list[tuple[str, Callable[[Sent], Sent], str]] = [
    ("list", lambda sent: replace(sent, method="POST"), "no operation is POST /posts"),
    ("list", _url("/posts?", "//posts?"), "no operation is GET //posts"),
    ("list", _url("groupId=1", "groupId=1&groupId=2"), "query.groupId: is there 2 times"),
    ("list", _url("groupId", "groupid"), "query.groupid: is not documented"),
    ("list", _url("groupId=1&", ""), "groupId or socialAccountIds: at least one must be given"),
    ("list", lambda sent: replace(sent, body=b"{}"), "body: none is documented"),
    ("list", _header("accept", None), "header accept"),
    ("list", _header("authorization", None), "header authorization"),
    ("list", _header("authorization", f"bearer {TOKEN}"), "header authorization"),
    (
        "list",
        lambda sent: replace(sent, headers=[*sent.headers, ("accept", "application/json")]),
        "header accept: is there 2 times",
    ),
    ("update", _url("/posts/1", "/posts/%31%2F"), "path.post"),
    ("update", _header("content-type", "application/json; charset=utf-8"), "header content-type"),
    ("update", _body('"Hi"', "7"), "body.content"),
    ("update", _body('"Hi"', "NaN"), "NaN is no JSON"),
    ("update", _body("false", '"false"'), "body.isDraft"),
    ("update", _body("}", ""), "body: "),
    ("upload", _header("content-type", "multipart/form-data"), "no form with a boundary"),
    ("upload", _body(".heic", ".exe"), "form.file: 'exe' is none of"),
]


@pytest.mark.parametrize(("name", "change", "told"), BROKEN)
def test_whatever_is_wrong_with_a_request_is_reported(
    name: str, change: Callable[[Sent], Sent], told: str
) -> None:
    assert read(GOOD[name]).problems == []
    broken = change(GOOD[name])
    assert broken != GOOD[name]
    assert any(told in each for each in read(broken).problems), read(broken).problems


LABEL = {"id": "1", "organization_id": "2", "group_id": "3", "name": "Spring", "color": 3}


@pytest.mark.parametrize("field", ["", *LABEL])
@pytest.mark.parametrize("side", SIDES)
def test_a_field_that_a_client_reads_by_another_name_is_reported(side: Side, field: str) -> None:
    """It is among what nobody documents then, so the JSON that it came as is whole."""
    hints = get_type_hints(Label, include_extras=True)
    content = {"__annotations__": {name: hints[name] for name in LABEL}}
    content |= {name: MISSING for name in LABEL if name != field}
    if field:
        content[field] = msgspec.field(default=MISSING, name="another")
    label = new_class("Label", (ResponseModel,), {"kw_only": True}, lambda it: it.update(content))

    class Misreading(Call):
        def on(self, client: Any) -> Any:
            return client.send(structs.replace(self.request(), returns=label))

    operation = OPERATIONS["createLabel"]
    call = Misreading(operation, (), {"name": "Spring"})
    headers = {f"x-ratelimit-{each}": "1" for each in ("limit", "remaining", "reset")}
    headers["content-type"] = "application/json"
    served = reply(200, LABEL)
    found = misread(operation, 200, headers, served.body, captured(call, side, served))
    assert len(found) == bool(field) and all(f"$.{field}: is absent" in each for each in found)


@pytest.mark.parametrize(
    ("schema", "text", "value", "told"),
    [
        ({"type": "string", "minLength": 2}, "en", "en", ""),
        ({"type": "string", "minLength": 2}, "e", "e", "header.X-Way"),
        ({"type": "integer"}, "12", 12, ""),
        ({"type": "integer"}, "12.5", 12.5, "header.X-Way"),
        ({"type": "array", "items": {"type": "integer"}}, "1,2", [1, 2], ""),
        ({"type": "array", "items": {"type": "integer"}}, "1,b", [1, "b"], "header.X-Way"),
    ],
)
def test_a_documented_header_is_read_and_held(
    schema: Schema, text: str, value: Json, told: str
) -> None:
    data = copy.deepcopy(LIST.document.data)
    data["paths"]["/posts"]["get"]["parameters"].append(
        {"name": "X-Way", "in": "header", "required": True, "schema": schema}
    )
    known = documents({"main": data})
    missing = read(GOOD["list"], known)
    assert missing.problems == ["header.X-Way: is missing"]
    seen = read(_header("x-way", text)(GOOD["list"]), known)
    assert seen.values["header.X-Way"] == value
    assert any(told in each for each in seen.problems) if told else not seen.problems
    assert read(_header("x-other", text)(GOOD["list"]), known).problems[0].endswith("documented")
    assert known["main"].operations["listPosts"].arguments["header.X-Way"].python == "x_way"


@pytest.mark.parametrize("text", [" a", "a ", "ü", "a\nb", "\x7f"])
def test_what_no_header_can_carry_is_forbidden(text: str) -> None:
    data = copy.deepcopy(LIST.document.data)
    data["paths"]["/posts"]["get"]["parameters"].append(
        {"name": "X-Way", "in": "header", "schema": {"type": "string"}}
    )
    operation = documents({"main": data})["main"].operations["listPosts"]
    assert forbidden(operation, {"query.groupId": "1", "header.X-Way": "a b"}) == []
    (problem,) = forbidden(operation, {"query.groupId": "1", "header.X-Way": text})
    assert "cannot be a header field" in problem


def test_random_bodies_of_one_schema_are_drawn_once_and_fail_for_the_smallest() -> None:
    """They are the same for each operation, and as they are where it is the only one."""
    chosen = [OPERATIONS[name] for name in ("createLabel", "deleteLabel")]
    pairs = [(operation, operation.responses["401"]) for operation in chosen]
    first, second = (f"{operation.id}/401" for operation in chosen)
    both, alone = Mirror(response_mirror(pairs)), Mirror(response_mirror(pairs))
    plan = Plan(8, 1)
    bodies: list[list[Json]] = [[], [], []]
    for mirror, path, found in zip(
        (both, both, alone), (first, second, second), bodies, strict=True
    ):
        mirror.at_random(path, "positive", plan, found.append)
    assert bodies[0] == bodies[1] == bodies[2] and len(bodies[0]) == plan.examples
    simplest = min(len(str(body)) for body in bodies[0])

    def refuse(body: Json) -> None:
        assert len(str(body)) < simplest + 10, body

    said = []
    for mirror, path in ((both, second), (Mirror(response_mirror(pairs)), second)):
        with pytest.raises(AssertionError) as caught:
            mirror.at_random(path, "positive", plan, refuse)
        said.append(str(caught.value))
    assert said[0] == said[1]
