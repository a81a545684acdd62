"""Models: absent, null and a value; open codes; shapes that differ between reading and writing."""

from __future__ import annotations

import json
import re
import typing
import warnings
from datetime import UTC, datetime
from enum import Enum
from inspect import getsource
from typing import Any, Literal, NamedTuple

import msgspec
import pytest
import social_publishing.models as models
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect
from server import Response, Server
from social_publishing import UNSET, Drift, DriftWarning, SocialPublishing, id_key
from social_publishing._runtime.core.drift import DriftWatch
from social_publishing._runtime.core.errors import Exchange
from social_publishing._runtime.response.decode import decode
from social_publishing._runtime.response.redaction import Redaction

ALL = {name: getattr(models, name) for name in models.__all__}
STRUCTS = {n: c for n, c in ALL.items() if isinstance(c, type) and issubclass(c, msgspec.Struct)}
CODES = {n: c for n, c in ALL.items() if isinstance(c, type) and issubclass(c, Enum)}
RECEIVED = {n: c for n, c in STRUCTS.items() if hasattr(c, "to_dict")}
RESPONSES = {
    n: c for n, c in RECEIVED.items() if c.__base__ not in RECEIVED.values()
}  # of the service


class Asked(NamedTuple):
    """What decoding has to know of a request."""

    returns: Any
    operation: str = "models.read"
    keyed_by: str | None = None
    by_status: dict[int, Any] = {}  # noqa: RUF012


def in_response(body: Any, kind: Any) -> Any:
    """Return a model as a response of the service has it."""
    exchange = Exchange("models.read", "GET", "", 200, {}, json.dumps(body).encode())
    return decode(Asked(kind), exchange, Redaction(""), DriftWatch())


def example(node: inspect.Type, depth: int = 0) -> Any:
    """A JSON value of a type."""
    match node:
        case inspect.Metadata():
            return example(node.type, depth)
        case inspect.UnionType():
            rest = (inspect.NoneType, inspect.CustomType, inspect.UnionType)
            kinds = [t for t in node.types if not isinstance(t, rest) and "Unset" not in repr(t)]
            return example(kinds[0], depth)
        case inspect.ListType():
            return [] if depth > 3 else [example(node.item_type, depth + 1)]
        case inspect.DictType():
            return {example(node.key_type): example(node.value_type, depth + 1)}
        case inspect.StructType():
            fields = [f for f in node.fields if f.required or depth <= 3]
            return {f.encode_name: example(f.type, depth + 1) for f in fields}
        case inspect.EnumType():
            return next(iter(node.cls)).value
        case inspect.DateTimeType():
            return "2026-12-01T09:00:00Z"
        case inspect.StrType():
            return "10000000000000000001"
        case inspect.BoolType():
            return False
        case inspect.IntType():
            return 2**31
        case inspect.FloatType():
            return 1.5
        case inspect.AnyType():
            return {"any": [1, None]}
    raise AssertionError(node)


@pytest.mark.parametrize("name", RESPONSES)
def test_absent_null_and_value_of_every_field(name: str) -> None:
    """§2.1, "Nullable": reading accepts null and absence everywhere. Both read as None, and the
    three stay apart in a round trip."""
    kind = RESPONSES[name]
    node = inspect.type_info(kind)
    assert isinstance(node, inspect.StructType)
    for field in node.fields:
        absent = kind()
        assert (getattr(absent, field.name), absent.stored(field.name)) == (None, UNSET)
        for value in (None, example(field.type)):
            body = {field.encode_name: value}
            model = in_response(body, kind)
            assert (getattr(model, field.name) is None) is (value is None)
            assert (model.stored(field.name) is None) is (value is None)
            assert json.loads(msgspec.json.encode(model)) == body
            assert model.to_dict(wire=True) == json.loads(model.to_json()) == body
    full = example(node)
    whole = msgspec.json.decode(json.dumps(full), type=kind)
    assert list(whole.to_dict(wire=True)) == [f.encode_name for f in node.fields], "wire order"
    assert whole.to_dict(wire=True) == full


@pytest.mark.parametrize("name", RESPONSES)
def test_unknown_fields_are_no_error(name: str) -> None:
    """§2: a service that grows does not break its clients."""
    kind = RESPONSES[name]
    body = {"id": "1", "a field of tomorrow": {"x": [1]}}
    assert "a field of tomorrow" not in msgspec.json.decode(json.dumps(body), type=kind).to_dict(
        wire=True
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_mixture_survives_a_round_trip(data: st.DataObject) -> None:
    """§2.2: any subset of the fields of a post, absent, null or with a value, comes back."""
    node = inspect.type_info(models.Post)
    assert isinstance(node, inspect.StructType)
    body: dict[str, Any] = {"id": "1"}
    for field in node.fields[1:]:
        state = data.draw(st.sampled_from(["absent", "null", "value"]))
        if state != "absent":
            body[field.encode_name] = None if state == "null" else example(field.type)
    assert in_response(body, models.Post).to_dict(wire=True) == body


@pytest.mark.parametrize("name", CODES)
def test_codes_are_open(name: str) -> None:
    """§2: enumerations have holes and the "seen" lists are open: an unknown value decodes,
    keeps its value and encodes again."""
    kind: Any = CODES[name]
    new: Any = 77 if issubclass(kind, int) else "somethingNew"
    (read,) = msgspec.json.decode(json.dumps([new]), type=list[kind])
    assert read == new and isinstance(read, kind) and not read.known
    assert msgspec.json.encode([read]) == json.dumps([new]).encode()
    assert kind(new) == read
    for member in kind:
        assert member.known
        assert msgspec.json.decode(msgspec.json.encode(member), type=kind) is member
    wrong: Any = "x" if issubclass(kind, int) else 5
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(wrong), type=kind)
    assert len(list(kind)) < 20, "asking for unknown values adds no members"


def test_codes_of_the_specification() -> None:
    """§2 and §3: codes have holes; 0 is Sunday (neither `weekday()` nor `isoweekday()` of
    Python); 35, 37 and 50 are no published posts."""
    assert {s.name: s.value for s in models.PostStatus} == {
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
    }
    assert [day.value for day in models.Weekday] == list(range(7))
    assert models.Weekday(0) is models.Weekday.SUNDAY
    assert not models.PostStatus(41).known
    assert [c.name for c in models.Color][::8] == ["RED", "GRAY"]
    assert models.ApprovalWorkflow(0) is models.ApprovalWorkflow.NONE
    assert len(list(models.Network)) == 14
    assert models.YouTubeLicense(2) is models.YouTubeLicense.CREATIVE_COMMONS
    assert models.MediaOrigin(7) is models.MediaOrigin.API


def read(kind: type, **body: Any) -> Any:
    return msgspec.json.decode(json.dumps({"id": "1", **body}), type=kind)


def test_falsy_is_meaningful() -> None:
    """§2.6: Sunday, workflow None and false are values; null leaves the workflow to the
    organization."""
    group = read(
        models.Group, week_start_day=0, approval_workflow=0, is_default=False, max_social_accounts=0
    )
    assert group.week_start_day is models.Weekday.SUNDAY
    assert group.approval_workflow is models.ApprovalWorkflow.NONE
    assert (group.is_default, group.max_social_accounts) == (False, 0)
    assert read(models.Group, approval_workflow=None).approval_workflow is None
    assert group.to_dict(wire=True)["week_start_day"] == 0


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


def test_page_urls_are_in_meta() -> None:
    """§2.12: `links` is an array; the addresses of pages are inside `meta`."""
    page = msgspec.json.decode(
        b'{"data": [], "links": [{"url": null, "label": "1", "active": true}],'
        b' "meta": {"current_page": 1, "from": null, "to": null, "next_page_url": null}}',
        type=models.PostPage,
    )
    assert page.links[0].url is None
    assert isinstance(page.meta, models.PageMeta)
    assert (page.meta.from_, page.meta.to, page.meta.next_page_url) == (None, None, None)


WRITTEN = {f.encode_name for f in msgspec.structs.fields(models.PostUpdate)}
READ = {f.encode_name for f in msgspec.structs.fields(models.Post)}


@pytest.mark.parametrize("name", [name for name in STRUCTS if name not in RECEIVED])
def test_what_is_not_given_is_not_sent(name: str) -> None:
    """§4.1.1: every field of a request that need not be given is absent by default, never null
    or a value of the client's own."""
    for field in msgspec.structs.fields(STRUCTS[name]):
        assert field.required or field.default is UNSET


def test_what_is_read_is_not_what_is_written() -> None:
    """§4.1.1 against §2.2: read `labels`, write `labelIds`; some fields are only written; types
    and levels of networks cannot be written by PATCH."""
    assert {"labelIds", "isDraft", "isPublishNow", "notify_assignee"} == WRITTEN - READ
    unwritable = {name for name in READ if name.endswith("_post_type")} | {
        "tt_privacy_level",
        "yt_privacy_level",
        "yt_license",
        "gb_action_type",
        "tw_reply_settings",
        "pi_is_standard_pin",
        "image_tags",
        "locations",
        "source",
        "status",
        "labels",
    }
    assert len(unwritable) == 19
    assert unwritable <= READ
    assert not unwritable & WRITTEN


@pytest.mark.parametrize(
    ("part", "written", "read_", "only_written", "only_read"),
    [
        ("customized", "PostUpdateCustomization", "PostCustomization", set(), {"content_json"}),
        ("li_poll", "PostUpdateLinkedInPoll", "LinkedInPoll", set(), {"duration"}),
        (
            "tw_poll",
            "PostUpdateTwitterPoll",
            "PostUpdateThreadsPoll",
            {"duration_minutes"},
            set(),
        ),
        ("first_comments", "PostUpdateFirstComments", "FirstComments", set(), {"conditionType"}),
        (
            "first_comments.customized",
            "PostUpdateFirstCommentsCustomization",
            "FirstCommentsCustomization",
            set(),
            {"conditionType"},
        ),
    ],
)
def test_two_shapes_of_one_thing(
    part: str, written: str, read_: str, only_written: set[str], only_read: set[str]
) -> None:
    """§4.1.1: what differs between the shape that is sent and the one that is read."""
    one, two = (
        {f.encode_name for f in msgspec.structs.fields(STRUCTS[name])} for name in (written, read_)
    )
    assert (one - two, two - one) == (only_written, only_read)


def test_containers_differ_between_reading_and_writing() -> None:
    """§4.1.1: boards and playlists are maps by account out and arrays in; `customized` of first
    comments an array out, an object by network in; polls objects out, arrays in."""
    sent = {f.encode_name: f.type for f in msgspec.structs.fields(models.PostUpdate)}
    got = {f.encode_name: f.type for f in msgspec.structs.fields(models.Post)}
    for name in ("pi_boards", "pi_sections", "yt_categories", "yt_playlists"):
        assert "Mapping" in str(sent[name]) and "list[" in str(got[name])
    for name in ("tw_poll", "th_poll"):
        assert "Poll" in str(sent[name]) and "list[" in str(got[name])
    comments = typing.get_type_hints(models.PostUpdateFirstComments, include_extras=True)
    assert "Sequence" in str(comments["customized"])
    assert "dict[" in str(typing.get_type_hints(models.FirstComments)["customized"])


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


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        ({"7": {"id": "1", "post_detail_id": "7"}, "8": {"id": "2"}}, ["7", "8"]),
        ([{"id": "1", "post_detail_id": "7"}, {"id": "2", "post_detail_id": "8"}], ["7", "8"]),
        ([], []),
        ({}, []),
    ],
    ids=["map", "array", "empty array", "empty map"],
)
def test_metrics_come_in_three_shapes(
    client: SocialPublishing, server: Server, body: Any, keys: list[str]
) -> None:
    """§4.1: "array, keyed by post detail id": a map, a plain array, and the `[]` that some back
    ends send for an empty map: always a mapping here."""
    server.answers.append(Response(200, body))
    metrics = client.posts.metrics("1")
    assert isinstance(metrics, dict)
    assert list(metrics) == keys
    assert all(isinstance(metric, models.PostMetric) for metric in metrics.values())


def test_a_rate_with_a_fraction_is_drift_and_not_lost(
    client: SocialPublishing, server: Server
) -> None:
    """§2.4: rates are integers; one that is none is kept as it came, and told."""
    found: list[Drift] = []
    body = [{"id": "1", "post_detail_id": "7", "engagement_rate_reach": 2.61, "views": 3.0}]
    server.answers.append(Response(200, body))
    metric = client.with_options(on_drift=found.append).posts.metrics("1")["7"]
    assert (metric.engagement_rate_reach, metric.views) == (2.61, 3)
    assert isinstance(metric.views, int)
    odd = [each for each in found if each.kind != "missing field"]
    assert [(each.path, each.kind, each.found) for each in odd] == [
        ("$[0].engagement_rate_reach", "type", "2.61"),
        ("$[0].views", "type", "3.0"),
    ]


@pytest.mark.parametrize("mode", ["ignore", "warn"])
def test_a_date_time_without_a_zone_is_utc_and_drift(
    client: SocialPublishing, server: Server, mode: Literal["ignore", "warn"]
) -> None:
    """§2.1: `.astimezone()` of a naive date-time would take the zone of the machine."""
    found: list[Drift] = []
    body = {"id": "1", "status": 25, "publication_date": "2026-12-01T09:00:00"}
    server.answers += [Response(200, [body]), Response(200, [body])]
    [post] = client.posts.get_many(ids=["1"])
    assert post.publication_date == datetime(2026, 12, 1, 9, tzinfo=UTC)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DriftWarning)
        client.with_options(drift=mode, on_drift=found.append).posts.get_many(ids=["1"])
    assert [each.path for each in found if each.kind == "type"] == ["$[0].publication_date"]


def test_metrics_without_their_key(client: SocialPublishing, server: Server) -> None:
    """§4.1: an array entry that does not say its detail has no place in the mapping."""
    from social_publishing import DecodeError

    server.answers.append(Response(200, [{"id": "1"}]))
    with pytest.raises(DecodeError) as caught:
        client.posts.metrics("1")
    assert caught.value.path == "$[0].post_detail_id"


def test_ids_compare_as_integers() -> None:
    """§2.1: as texts, ids of different lengths misorder; past 2^53 floats would, too."""
    ids = ["9", "10", "9007199254740993", "9007199254740992", "18446744073709551615"]
    assert sorted(ids, key=id_key) == ["9", "10", "9007199254740992", "9007199254740993", ids[-1]]
    assert sorted(ids) != sorted(ids, key=id_key)
    for wrong in ("", "-1", "1.0", "٣", "0x1", " 1"):
        with pytest.raises(ValueError, match="identifier"):
            id_key(wrong)


def test_a_dictionary_has_the_names_of_the_attributes_at_every_depth() -> None:
    post = models.Post(id="1", details=[models.PostDetail(first_comment=models.FirstComment())])
    found = json.loads(json.dumps(post.to_dict()))
    assert {*found} == {*models.Post.__struct_fields__}
    assert (found["details"][0]["first_comment"]["condition_type"], found["name"]) == (None, None)


def test_to_dict_of_the_wire_is_plain_json() -> None:
    """`to_dict(wire=True)` gives names, texts and numbers of the service, dates as ISO 8601."""
    body = {
        "id": "1",
        "status": 40,
        "publication_date": "2026-12-01T09:00:00Z",
        "selectedAccountIds": ["2"],
        "customized": {"tiktok": {"content": "a"}},
        "details": [{"id": "3", "firstComment": None}],
    }
    post = msgspec.json.decode(json.dumps(body), type=models.Post)
    plain = post.to_dict(wire=True)
    assert plain == {**body}
    assert json.loads(json.dumps(plain)) == body
    assert type(plain["status"]) is int
    assert type(next(iter(plain["customized"]))) is str
    assert post.selected_account_ids == ["2"]
    assert post.publication_date == datetime(2026, 12, 1, 9, tzinfo=UTC)
