"""What every operation refuses: who may not, what is not there, what is missing or wrong (§7)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from wire import GROUP, NOTE, Ids, Json, Wire, at_fault, without

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.state import documents as contract
from tests.support.documents import operations

OPERATIONS = contract.load().main.operations
EXAMPLES = {
    name: each.node["requestBody"]["content"]["application/json"]["example"]
    for name, each in operations().items()
    if each.media_type == "application/json"
}
"""A body that is valid, by operation; its identifiers are those of nothing in these worlds."""


@pytest.fixture
def bodies(sandbox: Sandbox, known: Ids) -> dict[str, Json]:
    """A body for each operation that takes one; and posts and notes that there are."""
    known["post"] = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
    for name, group in (("note", known["Bakery"]), ("hidden", known["Garage"])):
        note = {**NOTE, "title": name, "group_id": group, "visible_for_client": True}
        known[name] = sandbox.create_note(**note)["id"]
    return EXAMPLES | {
        "updatePost": {},
        "setPostsDraft": {"is_draft": False, "post_ids": [known["post"]]},
        "replaceGroup": GROUP,
        "moveSocialAccount": {"group_id": known["Garage"]},
        "createLabel": {"name": "New"},
        "replaceCalendarNote": NOTE,
        "rescheduleCalendarNote": {name: NOTE[name] for name in ("start_date", "end_date")},
    }


def ask(wire: Wire, operation: str, at: str, body: Any) -> Any:
    known = OPERATIONS[operation]
    return wire(known.method, re.sub("{.*?}", at, known.path), body)


@pytest.mark.parametrize(
    ("operation", "at", "statuses"),
    [
        # Tom sees the account and not the group that it would go to, Max the other way round.
        ("getSocialAccount", "threads:bread", {"tom": 200, "cleo": 200, "max": 403, "?": 401}),
        ("moveSocialAccount", "threads:bread", {"tom": 403, "cleo": 403, "max": 403, "?": 401}),
        ("getGroup", "Bakery", {"tom": 200, "cleo": 200, "max": 403, "?": 401}),
        ("replaceGroup", "Bakery", {"tom": 200, "cleo": 403, "max": 403, "?": 401}),
        ("createLabel", "", {"tom": 200, "cleo": 403, "?": 401}),
        ("deleteLabel", "News", {"cleo": 403, "?": 401, "tom": 204}),
        ("deleteLabel", "Tyres", {"tom": 403}),
        ("deleteLabel", "Rolls", {"max": 403, "tom": 204}),
        ("getPostsOverview", "Garage", {"tom": 403, "max": 200, "?": 401}),
        ("updatePost", "post", {"max": 403, "cleo": 403, "?": 401, "tom": 200}),
        ("listPostActivities", "post", {"max": 403, "?": 401, "tom": 200}),
        ("replaceCalendarNote", "note", {"cleo": 403, "?": 401, "max": 403, "tom": 200}),
        ("rescheduleCalendarNote", "note", {"cleo": 403, "?": 401, "max": 403, "tom": 200}),
        ("deleteCalendarNote", "hidden", {"cleo": 403, "tom": 403, "?": 401}),
    ],
)
def test_who_may(
    sandbox: Sandbox,
    wire: Wire,
    known: Ids,
    bodies: dict[str, Json],
    operation: str,
    at: str,
    statuses: dict[str, int],
) -> None:
    for token, status in statuses.items():
        before = sandbox.world()
        response = ask(wire.of(token), operation, known.get(at, ""), bodies.get(operation))
        body = wire.answered(response, status)
        assert (body is not None and list(body) == ["message"]) is (status >= 400)
        assert status < 400 or sandbox.world() == before


@pytest.mark.parametrize("at", ["0", "1", "x", "007", f"{2**64 - 1}", f"{2**64}", "9" * 21, "%2F"])
def test_what_is_not_there_is_a_404(wire: Wire, bodies: dict[str, Json], at: str) -> None:
    assert OPERATIONS
    for name, operation in OPERATIONS.items():
        if "{" in operation.path:
            response = ask(wire, name, at, bodies.get(name))
            assert list(wire.answered(response, 404)) == ["message"], name


def test_each_field_that_is_demanded_is_named(
    sandbox: Sandbox, wire: Wire, known: Ids, bodies: dict[str, Json]
) -> None:
    before = sandbox.world()
    for name, at in HERE.items():
        required = contract.load().main.resolve(OPERATIONS[name].body or {}).get("required", [])
        for missing in required:
            response = ask(wire, name, known.get(at, ""), without(bodies[name], missing))
            assert at_fault(wire.answered(response, 422)) == [missing]
        if required:
            refused = ask(wire, name, known.get(at, ""), {}).json()
            assert set(at_fault(refused)) == set(required)
    assert sandbox.world() == before


HERE = {
    **{"updatePost": "post", "setPostsDraft": "", "replaceGroup": "Bakery", "createLabel": ""},
    **{"moveSocialAccount": "threads:bread", "replaceCalendarNote": "note"},
    "rescheduleCalendarNote": "note",
}
"""An object for each operation that has a body."""

DATES: list[tuple[Any, str]] = [
    ({"start_date": "2026-12-05"}, "start_date"),
    ({"start_date": "0001-01-01T00:00:00+14:00"}, "start_date"),
    ({"start_date": "1969-12-31T23:59:59Z"}, "start_date"),
    ({"end_date": "9999-12-31T23:59:59Z"}, "end_date"),
    ({"end_date": "2026-12-05T08:59:59Z"}, "end_date"),
]
WRONG: dict[str, list[tuple[Any, str]]] = {
    "updatePost": [
        ({"content": 5}, "content"),
        ({"visible_for_client": None}, "visible_for_client"),
        ({"selectedAccountIds": "1"}, "selectedAccountIds"),
        ({"selectedAccountIds": ["x", "1"]}, "selectedAccountIds.0"),
        ({"selectedAccountIds": ["1", "2"]}, "selectedAccountIds.0 selectedAccountIds.1"),
        ({"selected_media_ids": ["18446744073709551615"]}, "selected_media_ids.0"),
        ({"assigneesIds": ["99999999999999999999"]}, "assigneesIds.0"),
        ({"labelIds": ["0"], "assigneesIds": ["0"]}, "assigneesIds.0 labelIds.0"),
        ({"publication_date": "2026-12-01T09:00:00Z"}, "publication_date"),
        ({"publication_date": "2026-02-30T09:00"}, "publication_date"),
        ({"publication_date": "2026-12-01T24:00"}, "publication_date"),
        ({"publication_date": "1969-12-31T23:59"}, "publication_date"),
        ({"publication_date": "0000-01-01T00:00"}, "publication_date"),
        ({"publication_date": "9999-12-31T23:59"}, "publication_date"),
        ({"publication_date": None}, "publication_date"),
        ({"gb_start_date": "2026-12-01T09:00"}, "gb_start_date"),
        ({"gb_end_date": "2026-12-01 09:00:60"}, "gb_end_date"),
        ({"publication_delay_between": -1}, "publication_delay_between"),
        ({"publication_delay_between": 10_081}, "publication_delay_between"),
        ({"customized": {"myspace": {}}}, "customized"),
        ({"customized": {"threads": {"media_ids": ["1"]}}}, "customized.threads.media_ids.0"),
        ({"pi_boards": {"1": {"id": "b"}}}, "pi_boards.1"),
        ({"yt_playlists": {"x": "p"}}, "yt_playlists"),
        ({"isPublishNow": True, "selectedAccountIds": []}, "selectedAccountIds"),
        ({"first_comments": {"socialAccountIds": ["1"]}}, "first_comments.socialAccountIds.0"),
        ({"first_comments": {"customized": [{}]}}, "first_comments.customized.0.socialAccountIds"),
        ([], "body"),
        ("text", "body"),
    ],
    "setPostsDraft": [
        ({"is_draft": 1}, "is_draft"),
        ({"post_ids": ["1", 2]}, "post_ids.1"),
        ({"post_ids": None}, "post_ids"),
    ],
    "replaceGroup": [
        ({"name": None}, "name"),
        ({"name": "𝔸" * 51}, "name"),
        ({"timezone": "Berlin"}, "timezone"),
        ({"timezone": "../UTC"}, "timezone"),
        ({"timezone": "europe/berlin"}, "timezone"),
        ({"timezone": "UTC\0"}, "timezone"),
        ({"timezone": "Factory"}, "timezone"),
        ({"timezone": "localtime"}, "timezone"),
        ({"timezone": "posixrules"}, "timezone"),
        ({"max_social_accounts": 2**63}, "max_social_accounts"),
        ({"type": 7}, "type"),
        ({"week_start_day": 7}, "week_start_day"),
        ({"week_start_day": -1}, "week_start_day"),
        ({"note": "x" * 501}, "note"),
        ({"max_social_accounts": 0}, "max_social_accounts"),
        ({"max_social_accounts": "5"}, "max_social_accounts"),
    ],
    "moveSocialAccount": [
        ({"group_id": None}, "group_id"),
        ({"group_id": 5}, "group_id"),
        ({"group_id": "x"}, "group_id"),
        ({"group_id": "1"}, "group_id"),
    ],
    "createLabel": [({"name": each}, "name") for each in (None, "", "\t", 5)],
    "replaceCalendarNote": [
        ({"title": None}, "title"),
        ({"title": "🥖" * 101}, "title"),
        ({"content": "🥖" * 501}, "content"),
        ({"content": None}, "content"),
        ({"color": 0}, "color"),
        ({"color": 10}, "color"),
        ({"group_id": "1"}, "group_id"),
        ({"group_id": "x"}, "group_id"),
        ({"is_private": 1}, "is_private"),
        *DATES,
    ],
    "rescheduleCalendarNote": DATES,
}
"""Changes to a body that is right, and the fields that are then at fault."""


@pytest.mark.parametrize("operation", WRONG)
def test_a_wrong_value_is_named(
    sandbox: Sandbox, wire: Wire, known: Ids, bodies: dict[str, Json], operation: str
) -> None:
    before = sandbox.world()
    for change, fields in WRONG[operation]:
        body = {**bodies[operation], **change} if isinstance(change, dict) else change
        response = ask(wire, operation, known.get(HERE[operation], ""), body)
        refused = wire.answered(response, 422)
        assert set(refused) == {"message", "errors"}, change
        assert sorted(at_fault(refused)) == fields.split(), change
    assert sandbox.world() == before
