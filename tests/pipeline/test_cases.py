"""Small documents, each a kind of defect: what was expected, and was not so, is in their heads."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import on_path, project, write_package

from pipeline.steps import generate

CASES = Path(__file__).parent / "cases"
Sent = list[httpx2.Request]


def arguments(method: Any) -> set[str]:
    return set(inspect.signature(method).parameters)


def package_file(client: Any, content: bytes) -> Any:
    """Return bytes with a name, as a client sends them."""
    return import_module(type(client).__module__.partition(".")[0]).File(content, name="a.png")


def ignored_header_parameters(client: Any, sent: Sent) -> None:
    assert arguments(client.shelves.get_shelf) == {"id"}


def lowercase_status_range(client: Any, sent: Sent) -> None:
    assert arguments(client.boxes.list_boxes) == set()


def nanoseconds(client: Any, sent: Sent) -> None:
    clock = client.clock_.get()
    assert clock.to_dict(wire=True)["at"] == "2026-01-02T03:04:59.9999999Z"
    assert clock.at.second == 59


def other_request_media_types(client: Any, sent: Sent) -> None:
    client.imports.add_import(rows=["a"])
    client.imports.add_import(file=package_file(client, b"bytes"))
    client.imports.add_import(body="a,b", content_type="text/csv")
    kinds = [each.headers["content-type"].partition(";")[0] for each in sent]
    assert kinds == ["application/json", "multipart/form-data", "text/csv"]


def patch_types(client: Any, sent: Sent) -> None:
    client.jobs.patch_job("a", body={"n": 1})
    client.jobs.patch_job("a", body=[{"op": "remove", "path": "/n"}])
    kinds = [each.headers["content-type"] for each in sent]
    assert kinds == ["application/merge-patch+json", "application/json-patch+json"]


def pattern_without_unicode_flag(client: Any, sent: Sent) -> None:
    client.letters.send_letter(to="meab]")
    assert sent[0].content == b'{"to":"meab]"}'


def query_and_body_same_name(client: Any, sent: Sent) -> None:
    client.parcels.drop_parcel("1", query_dry_run="yes", dry_run=["a"])
    assert sent[0].url.query == b"dryRun=yes" and sent[0].content == b'{"dryRun":["a"]}'


def typeless_binary_part(client: Any, sent: Sent) -> None:
    client.photos.add_photo(package_file(client, b"abc"))
    assert b"\r\n\r\nabc\r\n" in sent[0].content and b"filename=" in sent[0].content


def undeclared_members(client: Any, sent: Sent) -> None:
    assert client.crates.get().to_dict(wire=True) == {"n": "5", "extra": 1}


BODIES = {
    "nanoseconds": '{"at": "2026-01-02T03:04:59.9999999Z"}',
    "undeclared_members": '{"n": "5", "extra": 1}',
}
CHECKS: dict[str, Callable[[Any, Sent], None]] = {
    each.__name__: each
    for each in (
        ignored_header_parameters, lowercase_status_range, nanoseconds, other_request_media_types,
        patch_types, pattern_without_unicode_flag, query_and_body_same_name, typeless_binary_part,
        undeclared_members,
    )
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(path.stem for path in CASES.glob("*.yaml")))
def test_the_client_of_a_document_sends_what_it_says(name: str, tmp_path: Path) -> None:
    document = (CASES / f"{name}.yaml").read_text(encoding="utf-8")
    config = replace(project(tmp_path, document), on_uncarried="skip")
    files, notes = generate(config)
    assert not [each for each in notes if each.severity == "left out"]
    write_package(files, tmp_path)
    sent: Sent = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        request.read()
        sent.append(request)
        return httpx2.Response(200, text=BODIES.get(name, "{}"))

    sender = httpx2.Client(transport=httpx2.MockTransport(respond))
    with on_path(tmp_path, "sample"):
        package = import_module("sample")
        with package.Sample(base_url="https://a.invalid", http_client=sender) as client:
            CHECKS[name](client, sent)
