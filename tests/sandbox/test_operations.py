"""Groups, accounts, labels and the dashboard, as a client sees them (§4.2, §4.3, §4.5, §4.6)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire import GROUP, Ids, Wire, ids, without, world

from social_publishing_sandbox import Sandbox

# Groups, §4.2

RELATIONS = {"socialAccounts", "socialAccountsCount"}


def test_a_group_comes_with_its_accounts_unless_asked_otherwise(wire: Wire, known: Ids) -> None:
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


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        ({"role": "owner", "can_access_all_groups": False}, [200, 200]),
        ({"role": "editor", "can_access_all_groups": True}, [200, 200]),
        ({"role": "admin", "can_access_all_groups": False, "groupIds": ["A"]}, [200, 403]),
        ({"role": "admin", "can_access_all_groups": False}, [403, 403]),
    ],
)
def test_an_owner_and_who_may_see_all_groups_need_be_in_none(user: Any, expected: Any) -> None:
    users = [{"name": "Ada", "token": "ada", **user}, {"name": "Bob", "token": "bob"}]
    there = Sandbox({"format": 1, "groups": [{"name": "A"}, {"name": "B"}], "users": users})
    groups = [each["id"] for each in there.find("groups")]
    for id, status in zip(groups, expected, strict=True):
        Wire(there, "ada").get(f"/groups/{id}", status)


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
    Wire(sandbox).put(path, {**GROUP, **body})
    found = Wire(sandbox).get(path)
    assert {key: found[key] for key in body} == body
    sandbox.close()


def test_a_limit_below_what_is_there_is_a_general_error(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    before = sandbox.world()
    body = {**GROUP, "max_social_accounts": 2}
    refused = wire.put(f"/groups/{known['Bakery']}", body, 400)
    assert set(refused) == {"title", "message", "e_code"}
    assert (refused["e_code"], all(refused.values())) == ("GENERAL", True)
    assert sandbox.world() == before
    assert wire.put(f"/groups/{known['Bakery']}", {**body, "max_social_accounts": 3})


# Social accounts, §4.3


def test_an_account_is_what_was_stored(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
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


def test_an_account_moves_with_its_posts(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    account = known["facebook:wheels"]
    post = sandbox.create_post(selectedAccountIds=[account])["id"]
    response = wire("PATCH", f"/social-accounts/{account}/group", {"group_id": known["Bakery"]})
    wire.answered(response)
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


# Labels, §4.5


@pytest.mark.parametrize("name", ["New", "🥖", "a\0b", " x ", "x" * 100_000, "</script>"])
def test_a_new_label_is_for_all_groups(sandbox: Sandbox, wire: Wire, name: str) -> None:
    label = wire.post("/labels", {"name": name})
    assert (label["name"], label["group_id"]) == (name, None)
    assert label["color"] in range(1, 10)
    assert len(label["id"]) == 20
    newest = max(int(each["id"]) for each in sandbox.world()["labels"])
    assert int(label["id"]) == newest


# The dashboard, §4.6

SCHEDULED = ("scheduledPosts", "scheduledPostDetails")
STATES = {
    "needsApproval": "IN_REVIEW",
    "notRequestedYet": "DRAFT",
    "rejected": "REVIEW_REJECTED",
    "missedReview": "REVIEW_MISSED",
}


def test_only_scheduled_is_counted_in_the_group(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    bakery = [known["threads:bread"], known["bluesky:bread"]]
    garage = [known["facebook:wheels"]]
    scheduled = {"status": "SCHEDULED", "publication_date": "2026-12-09T00:00:00Z"}
    for accounts in (bakery, bakery[:1], [*bakery, *garage], garage):
        sandbox.create_post(selectedAccountIds=accounts, **scheduled)
    for number, name in enumerate(STATES.values(), 1):
        for _ in range(number):
            sandbox.create_post(status=name, selectedAccountIds=garage)
    gone = sandbox.create_post(status="DRAFT")["id"]
    wire.delete(f"/posts-bulk?ids={gone}")
    everywhere = {name: number for number, name in enumerate(STATES, 1)}
    for group, posts, details in (("Bakery", 3, 5), ("Garage", 2, 2)):
        assert wire.get(f"/widgets/dashboard/todos-posts/{known[group]}") == {
            "scheduledPosts": posts,
            "scheduledPostDetails": details,
            **everywhere,
        }
    sandbox.advance(days=30)
    counted = wire.get(f"/widgets/dashboard/todos-posts/{known['Bakery']}")
    assert [counted[name] for name in SCHEDULED] == [0, 0]


def test_only_drafts_that_need_an_approval_wait_for_the_request(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    for accounts in (["threads:bread"], ["threads:bread", "facebook:wheels"], []):
        sandbox.create_post(status="DRAFT", selectedAccountIds=[known[each] for each in accounts])
    path = f"/widgets/dashboard/todos-posts/{known['Bakery']}"
    assert wire.get(path)["notRequestedYet"] == 1
