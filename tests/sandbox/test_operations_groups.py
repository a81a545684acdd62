"""Groups, as a client sees them (§4.2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire import Json, Wire, ids, without, world

from social_publishing_sandbox import Sandbox

RELATIONS = {"socialAccounts", "socialAccountsCount"}
FULL: Json = {
    "name": "Mine",
    "timezone": "UTC",
    "type": 1,
    "week_start_day": 0,
    "note": None,
    "max_social_accounts": None,
    "default_everyone_must_approve": False,
    "default_assignee_ids": [],
}


def test_a_group_comes_with_its_accounts_unless_asked_otherwise(
    wire: Wire, known: dict[str, str]
) -> None:
    path = f"/groups/{known['Bakery']}"
    whole = wire.get(path)
    names = [f"{each['socialNetwork']}:{each['username']}" for each in whole["socialAccounts"]]
    assert names == ["threads:bread", "bluesky:bread", "linkedin:bread"]
    assert whole["socialAccountsCount"] == 3
    assert all("user" not in each for each in whole["socialAccounts"])
    for include, expected in (
        ("socialAccounts", {"socialAccounts"}),
        ("socialAccountsCount", {"socialAccountsCount"}),
        ("socialAccountsCount,socialAccounts", RELATIONS),
        ("", set()),
        ("media", set()),
    ):
        found = wire.get(f"{path}?include={include}")
        assert found.keys() & RELATIONS == expected
        assert without(found, *RELATIONS) == without(whole, *RELATIONS)


def test_null_is_not_none_and_zero_is_not_null(wire: Wire, known: dict[str, str]) -> None:
    bakery, garage = (wire.get(f"/groups/{known[each]}") for each in ("Bakery", "Garage"))
    assert (bakery["approval_workflow"], garage["approval_workflow"]) == (None, 2)
    assert (bakery["max_social_accounts"], garage["max_social_accounts"]) == (None, 2)
    assert (bakery["week_start_day"], garage["week_start_day"]) == (1, 0)
    assert garage["note"] is None


def test_a_replacement_sets_all_that_has_an_effect(
    sandbox: Sandbox, wire: Wire, known: dict[str, str]
) -> None:
    path = f"/groups/{known['Garage']}"
    before = wire.get(path)
    full = {
        "name": "Wheels",
        "timezone": "Asia/Tokyo",
        "type": 6,
        "week_start_day": 6,
        "note": "Tyres.",
        "max_social_accounts": 9,
    }
    ignored = {"default_everyone_must_approve": True, "default_assignee_ids": [known["Tom"]]}
    sandbox.advance(hours=1)
    response = wire.put(path, {**full, **ignored})
    assert not response.keys() & RELATIONS
    assert response == without({**before, **full, "updated_at": "2026-12-01T10:00:00Z"}, *RELATIONS)
    assert response["approval_workflow"] == 2  # no body can name it
    assert response["color"] == before["color"]
    assert wire.get(f"{path}?include=") == response


@settings(max_examples=30)
@given(
    st.text(min_size=1, max_size=50).filter(str.strip),
    st.sampled_from(["UTC", "Europe/Berlin", "America/Argentina/Ushuaia", "Asia/Kathmandu"]),
    st.none() | st.text(max_size=500),
    st.none() | st.integers(2, 2**31),
)
def test_a_replacement_is_read_as_it_was_written(
    name: str, timezone: str, note: str | None, limit: int | None
) -> None:
    sandbox = Sandbox(world(), clock="frozen", rate_limit=None)
    path = f"/groups/{ids(sandbox)['Garage']}"
    body = {"name": name, "timezone": timezone, "note": note, "max_social_accounts": limit}
    Wire(sandbox).put(path, {**FULL, **body})
    found = Wire(sandbox).get(path)
    assert {key: found[key] for key in body} == body
    sandbox.close()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": None}, "name"),
        ({"name": "𝔸" * 51}, "name"),
        ({"timezone": "Berlin"}, "timezone"),
        ({"timezone": "../UTC"}, "timezone"),
        ({"timezone": "europe/berlin"}, "timezone"),
        ({"timezone": "UTC\0"}, "timezone"),
        ({"timezone": "Factory"}, "timezone"),
        ({"timezone": "localtime"}, "timezone"),
        ({"timezone": "posixrules"}, "timezone"),
        ({"max_social_accounts": 10**30}, "max_social_accounts"),
        ({"max_social_accounts": 2**63}, "max_social_accounts"),
        ({"type": 7}, "type"),
        ({"week_start_day": 7}, "week_start_day"),
        ({"week_start_day": -1}, "week_start_day"),
        ({"note": "x" * 501}, "note"),
        ({"max_social_accounts": 0}, "max_social_accounts"),
        ({"max_social_accounts": "5"}, "max_social_accounts"),
    ],
    ids=str,
)
def test_a_wrong_value_is_named(
    sandbox: Sandbox, wire: Wire, known: dict[str, str], change: Json, field: str
) -> None:
    before = sandbox.world()
    body = {**FULL, **change}
    refused = wire.put(f"/groups/{known['Bakery']}", body, 422)
    assert (set(refused), list(refused["errors"])) == ({"message", "errors"}, [field])
    assert sandbox.world() == before


def test_limits_count_characters(wire: Wire, known: dict[str, str]) -> None:
    body = {**FULL, "name": "𝔸" * 50, "note": "🥖" * 500}
    response = wire.put(f"/groups/{known['Bakery']}", body)
    assert (response["name"], response["note"]) == (body["name"], body["note"])


def test_every_field_is_demanded(sandbox: Sandbox, wire: Wire, known: dict[str, str]) -> None:
    path, before = f"/groups/{known['Bakery']}", sandbox.world()
    assert wire.put(path, {}, 422)["errors"].keys() == FULL.keys()
    for missing in FULL:
        refused = wire.put(path, without(FULL, missing), 422)
        assert list(refused["errors"]) == [missing]
    assert sandbox.world() == before


def test_a_limit_below_what_is_there_is_a_general_error(
    sandbox: Sandbox, wire: Wire, known: dict[str, str]
) -> None:
    before = sandbox.world()
    body = {**FULL, "max_social_accounts": 2}
    refused = wire.put(f"/groups/{known['Bakery']}", body, 400)
    assert set(refused) == {"title", "message", "e_code"}
    assert (refused["e_code"], all(refused.values())) == ("GENERAL", True)
    assert sandbox.world() == before
    assert wire.put(f"/groups/{known['Bakery']}", {**body, "max_social_accounts": 3})


def test_who_may_see_and_replace_a_group(
    sandbox: Sandbox, wire: Wire, known: dict[str, str]
) -> None:
    before = sandbox.world()
    for token, status in (("tom", 200), ("cleo", 200), ("max", 403), ("nobody", 401)):
        response = wire.of(token).get(f"/groups/{known['Bakery']}", status)
        assert status == 200 or list(response) == ["message"]
    for token, status in (("cleo", 403), ("max", 403), ("nobody", 401)):
        response = wire.of(token).put(f"/groups/{known['Bakery']}", FULL, status)
        assert list(response) == ["message"]
    assert sandbox.world() == before
    assert wire.of("tom").put(f"/groups/{known['Bakery']}", FULL)["name"] == "Mine"


@pytest.mark.parametrize("group", ["0", "1", "x", "18446744073709551615", "9" * 20, "9" * 21])
def test_an_unknown_group(wire: Wire, group: str) -> None:
    responses: list[Any] = [
        wire.get(f"/groups/{group}", 404),
        wire.put(f"/groups/{group}", FULL, 404),
    ]
    assert all(list(each) == ["message"] for each in responses)
