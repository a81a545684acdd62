"""Social accounts, as a client sees them (§4.3)."""

from __future__ import annotations

import pytest
from wire import Wire

from social_publishing_sandbox import Sandbox


def test_an_account_is_what_was_stored(sandbox: Sandbox, wire: Wire, known: dict[str, str]) -> None:
    expired = "2026-12-31T00:00:00Z"
    made = sandbox.create_account(
        group_id=known["Bakery"],
        socialNetwork="pinterest",
        pi_boards=[{"id": "b-1", "name": "Rolls"}],
        connection_expired_at=expired,
    )
    found = wire.get(f"/social-accounts/{made['id']}")
    user = found.pop("user")
    assert found == made
    assert (user["id"], user["name"]) == (known["Ada"], "Ada")
    assert (found["socialNetwork"], found["connection_expired_at"]) == ("pinterest", expired)
    assert found["pi_boards"] == [{"id": "b-1", "name": "Rolls"}]
    assert wire.get(f"/social-accounts/{known['threads:bread']}")["connection_expired_at"] is None


def test_an_account_moves_with_its_posts(
    sandbox: Sandbox, wire: Wire, known: dict[str, str]
) -> None:
    account = known["facebook:wheels"]
    post = sandbox.create_post(selectedAccountIds=[account])["id"]
    response = wire("PATCH", f"/social-accounts/{account}/group", {"group_id": known["Bakery"]})
    assert (response.status_code, response.content) == (204, b"")
    assert wire.get(f"/social-accounts/{account}")["group_id"] == known["Bakery"]
    counts = [
        wire.get(f"/groups/{known[each]}")["socialAccountsCount"] for each in ("Bakery", "Garage")
    ]
    assert counts == [4, 1]
    listed = [
        [each["id"] for each in wire.get(f"/posts?groupId={known[name]}")["data"]]
        for name in ("Bakery", "Garage")
    ]
    assert listed == [[post], []]


def test_a_full_group_takes_no_more(sandbox: Sandbox, wire: Wire, known: dict[str, str]) -> None:
    before = sandbox.world()
    body = {"group_id": known["Garage"]}
    refused = wire.patch(f"/social-accounts/{known['threads:bread']}/group", body, 422)
    assert (set(refused), list(refused["errors"])) == ({"message", "errors"}, ["group_id"])
    assert sandbox.world() == before
    wire.patch(f"/social-accounts/{known['facebook:wheels']}/group", body, 204)  # it is there
    assert sandbox.world() == before
    wire.patch(
        f"/social-accounts/{known['facebook:wheels']}/group", {"group_id": known["Bakery"]}, 204
    )
    wire.patch(f"/social-accounts/{known['threads:bread']}/group", body, 204)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"group_id": None},
        {"group_id": 5},
        {"group_id": "x"},
        {"group_id": "1"},
        {"group_id": "18446744073709551616"},
    ],
    ids=str,
)
def test_a_wrong_group_is_named(
    sandbox: Sandbox, wire: Wire, known: dict[str, str], body: dict[str, object]
) -> None:
    before = sandbox.world()
    refused = wire.patch(f"/social-accounts/{known['threads:bread']}/group", body, 422)
    assert list(refused["errors"]) == ["group_id"]
    assert sandbox.world() == before


def test_who_may_see_and_move_an_account(
    sandbox: Sandbox, wire: Wire, known: dict[str, str]
) -> None:
    account, before = known["threads:bread"], sandbox.world()
    for token, status in (("tom", 200), ("cleo", 200), ("max", 403), ("nobody", 401)):
        wire.of(token).get(f"/social-accounts/{account}", status)
    body = {"group_id": known["Garage"]}
    # Tom sees the account and not the group, Max the group and not the account.
    for token, status in (("cleo", 403), ("tom", 403), ("max", 403), ("nobody", 401)):
        response = wire.of(token).patch(f"/social-accounts/{account}/group", body, status)
        assert list(response) == ["message"]
    assert sandbox.world() == before


@pytest.mark.parametrize("account", ["0", "x", "18446744073709551615", "9" * 20])
def test_an_unknown_account(wire: Wire, known: dict[str, str], account: str) -> None:
    assert list(wire.get(f"/social-accounts/{account}", 404)) == ["message"]
    body = {"group_id": known["Bakery"]}
    assert list(wire.patch(f"/social-accounts/{account}/group", body, 404)) == ["message"]
