"""Webhooks of a document: models, and functions that read deliveries and let a check see them."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from generate_support import CASES, config_of, on_path, project, write_package

from pipeline.steps import generate

ORDER = {"id": "1", "placed_at": "2026-01-01T00:00:00Z"}
PAID = {"kind": "paid", "order": ORDER, "amount": 3}
HEADERS = {"X-Signature": "abc"}


@pytest.fixture(scope="module")
def webhooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("webhooks")
    files, notes = generate(config_of(CASES / "webhooks", "hooked"))
    assert any("webhook delivers no JSON" in note.message and note.position for note in notes)
    write_package(files, folder)
    with on_path(folder, "hooked"):
        yield importlib.import_module("hooked.webhooks")


def body(data: object) -> bytes:
    return json.dumps(data).encode()


def test_a_delivery_is_the_model_of_its_webhook(webhooks: Any) -> None:
    models = importlib.import_module("hooked.models")
    created = {"kind": "created", "order": ORDER, "new": True}
    zen = {"kind": "ping", "zen": "All is one."}
    for data, kind in ((created, models.OrderCreated), (PAID, models.OrderPaid), (zen, None)):
        delivery = webhooks.parse(body(data), HEADERS, verify=None)
        assert delivery.kind == data["kind"] and (kind is None or type(delivery) is kind)
    paid = webhooks.parse_order_paid(json.dumps(PAID), {}, verify=None)
    assert (paid.amount, paid.order.placed_at.year) == (3, 2026)
    assert webhooks.PARSERS["order.paid"](body(PAID), {}, verify=None) == paid
    assert sorted(webhooks.PARSERS) == ["order.created", "order.paid", "ping"]


def test_the_check_sees_what_came_and_decides(webhooks: Any) -> None:
    seen: list[tuple[bytes, Mapping[str, str]]] = []

    def verify(data: bytes, headers: Mapping[str, str]) -> bool:
        seen.append((data, headers))
        return headers["X-Signature"] == "abc"

    raw = b" " + body(PAID)
    assert webhooks.parse(raw, HEADERS, verify=verify).amount == 3
    assert seen == [(raw, HEADERS)]
    with pytest.raises(webhooks.DeliveryError, match="signature"):
        webhooks.parse_order_paid(raw, {"X-Signature": "x"}, verify=verify)
    with pytest.raises(KeyError, match="X-Signature"):  # what the check itself raises
        webhooks.parse(b"no JSON", {}, verify=verify)
    assert webhooks.parse(raw, HEADERS, verify=lambda *_: None).amount == 3
    with pytest.raises(TypeError, match="required keyword-only argument: 'verify'"):
        webhooks.parse(raw, HEADERS)


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "not JSON"), (b"{", "not JSON"), (b"\xff", "not JSON"), (b"[" * 5000, "order.paid: "),
     (b"[]", "order.paid: "), (b"{}", "without any documented field")],
)  # fmt: skip
def test_what_is_no_delivery_is_one_error(webhooks: Any, data: bytes, reason: str) -> None:
    with pytest.raises(webhooks.DeliveryError) as caught:
        webhooks.parse_order_paid(data, {}, verify=None)
    assert reason in str(caught.value) and caught.value.webhook == "order.paid"
    client = importlib.import_module("hooked")
    assert isinstance(caught.value, client.HookedError)


def test_each_method_of_a_webhook_is_read(tmp_path: Path) -> None:
    def hook(kind: str) -> dict[str, Any]:
        schema = {"type": "object", "required": ["k"], "properties": {"k": {"const": kind}}}
        body = {"content": {"application/json": {"schema": schema}}}
        return {"summary": kind, "requestBody": body, "responses": {"200": {"description": "Ok."}}}

    document = {
        "openapi": "3.2.0",
        "info": {"title": "Several", "version": "1"},
        "webhooks": {
            "thing": {
                "summary": "Of a thing.",
                "post": hook("made"),
                "delete": hook("gone"),
                "get": {"responses": {"200": {"description": "Ok."}}},
                "additionalOperations": {"MOVE": hook("moved")},
            },
            "other": {"post": hook("other"), "put": hook("other")},
        },
    }
    files, notes = generate(project(tmp_path, document, package="several"))
    (note,) = [each.message for each in notes if "no JSON" in each.message]
    assert "GET of the webhook delivers no JSON" in note
    write_package(files, tmp_path)
    with on_path(tmp_path, "several"):
        module = importlib.import_module("several.webhooks")
        names = {"made": "ThingPostDelivery", "gone": "ThingDeleteDelivery"}
        names |= {"moved": "ThingMOVEDelivery", "other": "OtherPutDelivery"}
        for kind, name in names.items():
            function = module.parse_other if kind == "other" else module.parse_thing
            for each in (function, module.parse):
                delivery = each(body({"k": kind}), {}, verify=None)
                assert delivery.k == kind and type(delivery).__name__ == name
        with pytest.raises(module.DeliveryError):
            module.parse_thing(body({"k": "other"}), {}, verify=None)
        assert "of `thing`. Of a thing." in module.parse_thing.__doc__


def test_a_client_without_webhooks_has_nothing_of_them() -> None:
    files, _ = generate(config_of(CASES / "codes", "codes"))
    names = [Path(path).name for path in files]
    assert "webhooks.py" not in names and "delivery.py" not in names


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Deliveries that are told apart by constants, of which one has parts of several kinds."""
    folder = tmp_path_factory.mktemp("strict")

    def hook(kind: str, required: list[str], **members: Any) -> dict[str, Any]:
        properties = {"type": {"const": kind}, **members}
        schema = {"type": "object", "required": ["type", *required], "properties": properties}
        return {
            "post": {
                "requestBody": {"content": {"application/json": {"schema": schema}}},
                "responses": {"200": {"description": "Taken."}},
            }
        }

    branches = [
        {"type": "object", "required": ["k"], "properties": {"k": {"const": each}, each: {}}}
        for each in ("a", "b")
    ]
    parts = {"type": "array", "items": {"type": "object", "required": ["n"]}}
    parts["items"]["properties"] = {"n": {"type": "integer"}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Strict", "version": "1"},
        "paths": {},
        "webhooks": {
            "one.failed": hook("one.failed", ["why"], why={"type": "string"}),
            "two.done": hook("two.done", [], part={"oneOf": branches}, parts=parts),
        },
    }
    write_package(generate(project(folder, document, package="strict"))[0], folder)
    with on_path(folder, "strict"):
        yield importlib.import_module("strict.webhooks")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"type": "three", "why": "x"}, "not one that is documented"),
        ({"type": "two.failed"}, "$.type: unknown value"),
        ({"type": "one.failed"}, "$.why: missing field"),
        ({"why": "x"}, "$.type: missing field"),
    ],
)
def test_an_unknown_delivery_is_not_taken_for_a_known_one(
    strict: Any, data: dict[str, Any], reason: str
) -> None:
    with pytest.raises(strict.DeliveryError) as caught:
        strict.parse(body(data), {}, verify=None)
    assert reason in str(caught.value)
    for kind in ("one.failed", "two.done"):
        with pytest.raises(strict.DeliveryError, match=r"\$") as caught:
            getattr(strict, f"parse_{kind.replace('.', '_')}")(body(data), {}, verify=None)
        is_another = data.get("type", kind) != kind  # which may well lack members of this one
        assert ("$.type: unknown value" in str(caught.value)) is is_another


def test_a_known_delivery_may_have_new_members_and_parts(strict: Any) -> None:
    new = {"type": "two.done", "new": 1, "part": {"k": "c"}, "parts": [{"n": 1}, {}]}
    for function in (strict.parse, strict.parse_two_done):
        delivery = function(body(new), {}, verify=None)
        assert delivery.type == "two.done" and delivery.parts[0].n == 1


def test_codes_that_only_one_webhook_has_tell_deliveries_apart(tmp_path: Path) -> None:
    """A new value of them is none of the deliveries; one of another member is kept."""

    def kind(*values: str) -> dict[str, Any]:
        members = {"event": {"enum": [*values]}, "color": {"enum": ["red", "blue"]}}
        return {"type": "object", "required": ["event"], "properties": members}

    def hook(schema: dict[str, Any]) -> dict[str, Any]:
        body = {"content": {"application/json": {"schema": schema}}}
        return {"post": {"requestBody": body, "responses": {"200": {"description": "Ok."}}}}

    document = {
        "openapi": "3.1.0",
        "info": {"title": "Coded", "version": "1"},
        "webhooks": {
            "gone": hook(kind("gone", "removed")),
            "made": hook(kind("made")),
            "other": hook({"oneOf": [kind("a"), kind("b", "c")]}),
        },
    }
    write_package(generate(project(tmp_path, document, package="coded"))[0], tmp_path)
    known = {"gone": ("gone", "removed"), "made": ("made",), "other": ("a", "b", "c")}
    with on_path(tmp_path, "coded"):
        module = importlib.import_module("coded.webhooks")
        for name, events in known.items():
            own = getattr(module, f"parse_{name}")
            others = [each for each in sum(known.values(), ()) if each not in events]
            for event in events:
                data = body({"event": event, "color": "green"})
                read = own(data, {}, verify=None)
                assert read == module.parse(data, {}, verify=None)
                assert (read.event, read.color) == (event, "green")
            for event in (*others, "new"):
                with pytest.raises(module.DeliveryError, match="event: unknown value"):
                    own(body({"event": event}), {}, verify=None)
        with pytest.raises(module.DeliveryError, match="not one that is documented"):
            module.parse(body({"event": "new"}), {}, verify=None)
