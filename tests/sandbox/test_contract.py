"""What the sandbox takes from its documents, and from others with the same operations."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from social_publishing_sandbox import contract
from social_publishing_sandbox.contract import Document
from social_publishing_sandbox.refusals import Reason

DATA = json.loads((contract.FOLDER / "main.json").read_text("utf-8"))


def document(change: Any) -> Document:
    data = copy.deepcopy(DATA)
    change(data)
    return Document("main", data)


def test_both_documents_are_read_once() -> None:
    found = contract.load()
    assert found is contract.load()
    assert (found.main.base, found.media.base) == ("/v1", "/api/v1")
    assert len(found.operations) == 21
    assert len(found.digest) == 64


def test_a_name_is_found_by_its_gap() -> None:
    operation = contract.load().operations["listCalendarNotes"]
    assert operation.parameter("notes.group") == "groupId"
    assert operation.parameter("no.such.gap") is None


def test_another_name_for_a_gap_is_followed() -> None:
    def rename(data: Any) -> None:
        for each in data["paths"]["/calendar-notes"]["get"]["parameters"]:
            if each["name"] == "groupId":
                each["name"] = "of_group"

    operation = document(rename).operations["listCalendarNotes"]
    assert operation.parameter("notes.group") == "of_group"


@pytest.mark.parametrize(
    ("operation", "reason", "status"),
    [
        ("getPosts", Reason.UNAUTHORIZED, 401),
        ("getPosts", Reason.INVALID, 422),
        ("getPosts", Reason.FORBIDDEN, 422),
        ("getGroup", Reason.NOT_FOUND, 404),
        ("getGroup", Reason.CONFLICT, 400),
        ("uploadMedia", Reason.TOO_LARGE, 413),
        ("createLabel", Reason.TOO_LARGE, 422),
    ],
)
def test_a_refusal_has_a_status_that_is_documented(
    operation: str, reason: Reason, status: int
) -> None:
    found = contract.load().operations[operation]
    assert found.can_refuse(reason)
    assert found.refusal(reason).status == status


def test_a_refusal_that_cannot_be_said_has_its_own_status() -> None:
    operation = contract.load().operations["getPostsOverview"]
    assert not operation.can_refuse(Reason.TOO_LARGE)
    assert operation.refusal(Reason.TOO_LARGE).status == 413


def test_a_success_without_a_status_of_its_own_is_200_or_204() -> None:
    def forget(data: Any) -> None:
        del data["paths"]["/labels"]["post"]["responses"]["200"]
        responses = data["paths"]["/labels/{label}"]["delete"]["responses"]
        del responses["204"]

    found = document(forget)
    assert found.operations["createLabel"].success == 200
    assert found.operations["deleteLabel"].success == 204


def test_a_reference_keeps_what_stands_beside_it() -> None:
    data = {"servers": [{"url": "https://a/v1"}], "paths": {}, "a/b": {"type": "x", "title": "y"}}
    found = Document("main", data)
    assert found.resolve({"$ref": "#/a~1b", "title": "z"}) == {"type": "x", "title": "z"}


def test_the_members_of_an_error_body_are_the_documents() -> None:
    main = contract.load().main
    answers = main.operations["getGroup"].answers
    assert answers[400].members(main) == ("title", "message", "e_code")
    assert answers[404].members(main) == ("message",)


def test_a_folder_without_documents_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"main\.json"):
        contract.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", r"main\.json: is no JSON: .*line 1"),
        ("[]", r"main\.json: is no OpenAPI document: it must have servers and paths"),
        ('{"paths": {}}', r"main\.json: is no OpenAPI document: it must have servers and paths"),
        (
            '{"servers": [{"url": "https://a/v1"}], "paths": {"/a": {"get": {}}}}',
            r"main\.json: GET /a: it has no operationId",
        ),
        (
            '{"servers": [{"url": "https://a"}], "paths": {"/a": {"get": {"operationId": "a"}}}}',
            r"main\.json: GET /a: it has no responses",
        ),
        (
            '{"servers": [{"url": "https://a"}], "paths": {"/a": {"get": {"operationId": "a", '
            '"responses": {}, "parameters": [{"$ref": "#/none"}]}}}}',
            r"main\.json: there is nothing at #/none",
        ),
    ],
)
def test_what_is_no_document_is_named(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "main.json").write_text(text, "utf-8")
    (tmp_path / "media.json").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=reason):
        contract.load(tmp_path)
