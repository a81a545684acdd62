"""Models: absent, null and a value; open codes; shapes that differ between reading and writing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from inspect import getsource
from pathlib import Path
from typing import Any

import msgspec
import pytest
import social_publishing.models as models
from calls import CALLS, Call, operation_of
from social_publishing import DecodeError, Drift
from social_publishing._runtime.core.drift import DriftWatch
from social_publishing._runtime.core.errors import Exchange
from social_publishing._runtime.response.decode import decode
from social_publishing._runtime.response.redaction import Redaction

from tests.support.documents import Document
from tests.support.examples import success

DOCUMENT = Path(__file__).parents[2] / "generated/openapi/main.json"
SCHEMAS = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]["schemas"]
ALL = {name: getattr(models, name) for name in models.__all__}
STRUCTS = {n: c for n, c in ALL.items() if isinstance(c, type) and issubclass(c, msgspec.Struct)}
RECEIVED = {n: c for n, c in STRUCTS.items() if hasattr(c, "to_dict")}
RESPONSES = {
    n: c for n, c in RECEIVED.items() if c.__base__ not in RECEIVED.values()
}  # of the service


def test_codes_of_the_specification() -> None:
    """§2 and §3: codes have holes; 0 is Sunday (neither `weekday()` nor `isoweekday()` of
    Python); 35, 37 and 50 are no published posts."""
    codes = {s.name: s.value for s in models.PostStatus}
    document = SCHEMAS["PostStatus"]  # which may know more than the specification by now
    assert codes == dict(zip(document["x-enum-varnames"], document["enum"], strict=True))
    assert (
        codes.items()
        >= {
            "NOT_SCHEDULE": 1,
            "DRAFT": 5,
            "IN_REVIEW": 10,
            "REVIEW_REJECTED": 15,
            "REVIEW_MISSED": 20,
            "SCHEDULED": 25,
            "IN_PROGRESS": 30,
            "FAILED": 35,
            "SKIPPED": 37,
            "PUBLISHED": 40,
            "DELETED": 50,
        }.items()
    )
    assert [day.value for day in models.Weekday] == list(range(7))
    assert models.Weekday(0) is models.Weekday.SUNDAY
    assert not models.PostStatus(41).known
    assert [c.name for c in models.Color][::8] == ["RED", "GRAY"]
    assert models.ApprovalWorkflow(0) is models.ApprovalWorkflow.NONE
    assert [each.value for each in models.Network] == SCHEMAS["Network"]["enum"]
    assert len(list(models.Network)) >= 14
    assert models.YouTubeLicense(2) is models.YouTubeLicense.CREATIVE_COMMONS
    assert models.MediaOrigin(7) is models.MediaOrigin.API


def read(kind: type, **body: Any) -> Any:
    return msgspec.json.decode(json.dumps({"id": "1", **body}), type=kind)


# Values that a careless model would refuse: (model, field, values on the wire).
WIDE: list[tuple[str, type, str, list[Any]]] = [
    ("2.1 ids pass 2^63 and 2^53", models.Label, "id", ["18446744073709551615"]),
    ("2 ids of networks are no digits", models.SocialAccount, "social_id", ["urn:li:person:x"]),
    ("2 public ids are no digits", models.Post, "public_id", ["aZ-9"]),
    ("2 ids of posts on networks", models.PostMetric, "social_post_id", ["17_9"]),
    ("2 ids of places", models.Location, "id", ["ChIJ"]),
    ("2.2 nullable array or array of nulls", models.Post, "tw_poll", [None, [None, "a"], []]),
    ("2.2 nullable array or array of nulls", models.Post, "pi_boards", [None, [None], ["1"]]),
    ("2.2 nullable dates", models.Post, "customized_publication_date", [None, [None, "2026"]]),
    ("2.11 sizes pass 2^31", models.Media, "size", [2**31 + 1, 2**53 + 1]),
    ("2.5 data is a text, not parsed", models.PostActivity, "data", ["{broken", '{"a": 1}']),
    ("2.3 status of a detail is any integer", models.PostDetail, "status", [0, 3, 999]),
    ("2.3 post type of a detail is a text", models.PostDetail, "post_type", ["feed", "x"]),
    ("2.2 milliseconds", models.Post, "publication_timestamp", [1796115600000]),
    ("2.2 14th network", models.Post, "customized", [{"linkedin_page": {"content": "a"}}]),
    ("2.2 a network to come", models.Post, "customized", [{"mastodon": {"content": "a"}}]),
    ("2.2.1 object by network", models.FirstComments, "customized", [{"x": {"conditionType": 1}}]),
    ("2.2 duration of a poll", models.Post, "li_poll", [{"duration": "THREE_DAYS"}]),
    ("2.2 open relations", models.Post, "comments", [[{"a": {"b": 1}}], None]),
    ("2.7 boards are objects", models.SocialAccount, "pi_boards", [[{"id": "x", "sections": []}]]),
    ("2.12 edge of a page", models.PageMeta, "next_page_url", [None]),
    ("2.12 empty page", models.PageMeta, "from", [None]),
    ("2.12 empty page", models.PageMeta, "to", [None]),
    ("2.12 a button to nowhere", models.PageLink, "url", [None]),
    ("2.4 stories nest", models.PostMetric, "items", [[{"id": "2", "items": [{"id": "3"}]}]]),
]


@pytest.mark.parametrize(
    ("kind", "field", "values"), [w[1:] for w in WIDE], ids=[f"{w[0]}-{w[2]}" for w in WIDE]
)
def test_wide_enough(kind: Any, field: str, values: list[Any]) -> None:
    """§2: see the ids."""
    for value in values:
        body = {"id": "1", field: value}
        known = {f.encode_name for f in msgspec.structs.fields(kind)}
        assert field in known
        model = msgspec.json.decode(json.dumps(body), type=kind)
        assert model.to_dict(wire=True)[field] == value


def test_expired_connection_in_the_future_is_seen() -> None:
    """§2.7: any value asks for a renewal, even one to come; it is an aware moment."""
    account = read(models.SocialAccount, connection_expired_at="2999-01-01T00:00:00Z")
    assert account.connection_expired_at == datetime(2999, 1, 1, tzinfo=UTC)
    source = getsource(models.SocialAccount)
    text = source.partition("    connection_expired_at:")[2].split('"""')[1]
    assert re.search(r"not null.*refreshed", text)


READ = {f.encode_name for f in msgspec.structs.fields(models.Post)}


def test_names_of_one_thing_in_several_places() -> None:
    """§2: `socialNetwork`, `social_network`, `network`; `conditionType`, `condition_type`:
    Python has one manner of names, the wire keeps each place's own."""
    account = read(models.SocialAccount, socialNetwork="tiktok")
    detail = read(models.PostDetail, social_network="tiktok", firstComment={"condition_type": 2})
    tag = read(models.ImageTag, network="tiktok")
    assert account.social_network is detail.social_network is tag.network is models.Network.TIKTOK
    assert detail.first_comment.condition_type == 2
    assert read(models.FirstComments, conditionType=3).condition_type == 3
    for kind in RESPONSES.values():
        assert all(f.name == f.name.lower() for f in msgspec.structs.fields(kind))


def test_a_post_has_details_and_no_group() -> None:
    """§2: a "post group" is a post with several details, not a group: no `group_id`. Post,
    detail, metric and activity have a `post_id` each, with a description of its own."""
    assert "group_id" not in READ
    for kind in (models.Post, models.PostDetail, models.PostMetric, models.PostActivity):
        assert "post_id" in {f.name for f in msgspec.structs.fields(kind)}
    assert {"details", "comments", "socialAccounts", "approvals"} <= READ


Members = Iterator[tuple[str, Any, str, bool]]


def members(document: Document, schema: Any, value: Any, path: str = "$") -> Members:
    """Yield each member of a value: its path, what has it, its name, whether it always comes."""
    schema = document.resolve(schema)
    schema = document.resolve(schema.get("anyOf", [schema])[0])  # of which the example is
    if isinstance(value, list) and value:
        yield from members(document, schema["items"], value[0], f"{path}[0]")
    if not isinstance(value, dict):
        return
    for name, inner in schema.get("properties", {}).items():
        if name in value:
            yield f"{path}.{name}", value, name, name in schema.get("required", ())
            yield from members(document, inner, value[name], f"{path}.{name}")


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_what_always_comes_is_missed_where_it_does_not(call: Call) -> None:
    """And nothing else is: as the document of each operation says of each member."""
    operation = operation_of(call.method)
    response = success(operation)
    body, schema, asked = response.json, operation.success.schema, call.request()

    def missed() -> list[str]:
        found: list[Drift] = []
        exchange = Exchange("", "GET", "", response.status, {}, json.dumps(body).encode())
        decode(asked, exchange, Redaction(""), DriftWatch("ignore", found.append))
        return [each.path for each in found if each.kind == "missing field"]

    if schema is None:
        return
    assert missed() == []
    for path, around, name, always in [*members(operation.document, schema, body)]:
        came = around.pop(name)
        try:
            found = missed()
        except DecodeError:  # an object without any of its members is another response
            assert not around
        else:
            assert found == [path] * (always and bool(around)), path
        around[name] = came
