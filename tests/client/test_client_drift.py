"""Answers that differ from the documents, for every model and every operation of the client."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
import social_publishing.models as models
from calls import CALLS, TOKEN, Call
from msgspec import inspect
from server import Answer, Server
from social_publishing import DecodeError, Drift, DriftError, DriftWarning, SocialPublishing
from social_publishing._runtime.core.drift import DriftMode, DriftWatch
from social_publishing._runtime.core.errors import Exchange
from social_publishing._runtime.request.request import prepare
from social_publishing._runtime.response.decode import decode
from social_publishing._runtime.response.redaction import Redaction
from test_client_models import RESPONSES, example

# What an answer may hold where something else is documented.
SURPRISES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2**70, 1.0, 2.5, 1e300, "", "5", "1.50", "true", "text"),
    *("2026-12-01T09:00:00", "2026-12-01", [], [None], [{}], ["a", 1], {}, {"a": None}),
    *({"id": "1"}, {"id": 1}, {"twitter": {}}, [{"id": 1}], [[["a"]]]),
]


def read(kind: Any, body: Any, watch: DriftWatch) -> Any:
    request: Any = prepare(
        operation="books.list",
        server="main",
        method="GET",
        path="/",
        returns=kind,
        retry_safety="safe",
    )
    exchange = Exchange("books.list", "GET", "/", 200, {}, json.dumps(body).encode())
    return decode(request, exchange, Redaction(""), watch)


def look(kind: Any, body: Any) -> tuple[Any, list[Drift]]:
    drifts: list[Drift] = []
    return read(kind, body, DriftWatch("ignore", drifts.append)), drifts


@pytest.mark.parametrize("name", RESPONSES)
def test_what_is_documented_is_no_drift(name: str) -> None:
    """§2.1, "Nullable": null and absence are no drift, with or without a value around them."""
    kind = RESPONSES[name]
    node = inspect.type_info(kind)
    assert isinstance(node, inspect.StructType)
    required = {field.encode_name: example(field.type) for field in node.fields if field.required}
    nulls = {field.encode_name: None for field in node.fields}
    for body in (example(node), required, {**nulls, **required}):
        model = read(kind, body, DriftWatch("raise"))
        assert model == msgspec.json.decode(json.dumps(body), type=kind)
        assert model.to_dict() == body


@pytest.mark.parametrize("name", RESPONSES)
def test_every_field_with_every_surprise(name: str) -> None:
    """§2: whatever one field holds, the others are read, and it is not lost or is an error."""
    kind = RESPONSES[name]
    node = inspect.type_info(kind)
    assert isinstance(node, inspect.StructType)
    body = example(node)
    for field in node.fields:
        for surprise in SURPRISES:
            odd = {**body, field.encode_name: surprise}
            try:
                model, drifts = look(kind, odd)
            except DecodeError as error:
                # Something that is required is missing, in this field or within it.
                assert error.path.startswith(f"$.{field.encode_name}")
                assert field.required or "required field" in error.reason
                continue
            found = model.to_dict()
            kept = found.pop(field.encode_name)
            assert {**found, field.encode_name: surprise} == odd
            assert all(drift.path.startswith(f"$.{field.encode_name}") for drift in drifts)
            if not drifts:
                assert kept == surprise
            try:
                strict = msgspec.json.decode(json.dumps(odd), type=kind)
            except msgspec.ValidationError:
                assert drifts
            else:
                assert model == strict


@pytest.mark.parametrize("name", RESPONSES)
def test_an_unknown_field_is_named(name: str) -> None:
    """§2: a service that grows does not break its clients, and tells who wants to know."""
    body = {**example(inspect.type_info(RESPONSES[name])), "tomorrow": {"x": [1]}}
    _, drifts = look(RESPONSES[name], body)
    assert [(drift.path, drift.kind, drift.found) for drift in drifts] == [
        ("$.tomorrow", "unknown field", '{"x":[1]}')
    ]


# Through the client


def connect(server: Server, mode: DriftMode = "ignore", **more: Any) -> SocialPublishing:
    return SocialPublishing(
        api_token=TOKEN,
        base_url=server.base_url,
        media_url=server.media_url,
        timeout=10,
        drift=mode,
        **more,
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_documented_answers_have_no_drift(server: Server, call: Call) -> None:
    """§4: what the documents show as an answer of each operation is what the client expects."""
    with connect(server, "raise") as client:
        call.of(client)


def posts(count: int) -> list[Any]:
    return [{"id": str(10**19 + number), "status": 25, "content": "a"} for number in range(count)]


def test_one_odd_field_does_not_cost_a_page(server: Server) -> None:
    """§4.1: of 200 posts all but one are as documented."""
    data = posts(200)
    data[7] = {**data[7], "id": 10**19 + 7, "status": "25", "publication_date": "soon"}
    with connect(server) as client:
        server.answers.append(Answer(200, data))
        found = client.posts.get_many(ids=[post["id"] for post in posts(200)])
    assert [post.id for post in found] == [post["id"] for post in posts(200)]
    assert found[7].status is models.PostStatus.SCHEDULED
    assert found[7].to_dict()["publication_date"] == "soon"


METRICS = [{"id": 1, "post_detail_id": 5, "views": "12"}, {"id": "2", "post_detail_id": "6"}]


@pytest.mark.parametrize("body", [METRICS, {"5": METRICS[0], "6": METRICS[1]}])
def test_metrics_by_post_detail_with_drift(server: Server, body: Any) -> None:
    """§4.1: "array, keyed by post detail id", with a number where a text is documented."""
    with connect(server) as client:
        server.answers.append(Answer(200, body))
        found = client.posts.metrics("1")
        assert {key: metric.id for key, metric in found.items()} == {"5": "1", "6": "2"}
        assert found["5"].views == 12
        server.answers.append(Answer(200, []))
        assert client.posts.metrics("1") == {}


def test_who_wants_to_know_is_told(server: Server) -> None:
    """§2.13: codes that are not documented are told, and read all the same."""
    body = {"id": "1", "name": "a", "color": 12}
    told: list[Drift] = []
    with connect(server, on_drift=told.append) as client:
        server.answers.append(Answer(200, body))
        label = client.labels.create(name="a")
        assert label.color == 12
    assert [(drift.operation, drift.path, drift.kind) for drift in told] == [
        ("labels.create", "$.color", "unknown value")
    ]
    with connect(server, "warn") as client, pytest.warns(DriftWarning, match=r"\$\.color") as seen:
        server.answers.append(Answer(200, body))
        client.labels.create(name="a")
    assert seen[0].filename == __file__
    with connect(server, "raise") as client, pytest.raises(DriftError) as caught:
        server.answers.append(Answer(200, body))
        client.labels.create(name="a")
    assert caught.value.path == "$.color"
    assert TOKEN not in repr(vars(caught.value))
