"""The dashboard's counts, as a client sees them (§4.6)."""

from __future__ import annotations

from wire import Wire, ids

from social_publishing_sandbox import Sandbox

SCHEDULED = ("scheduledPosts", "scheduledPostDetails")
STATES = {
    "needsApproval": "IN_REVIEW",
    "notRequestedYet": "DRAFT",
    "rejected": "REVIEW_REJECTED",
    "missedReview": "REVIEW_MISSED",
}


def test_scheduled_is_counted_in_the_group_and_the_rest_everywhere(
    sandbox: Sandbox, wire: Wire
) -> None:
    known = ids(sandbox)
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
    sandbox: Sandbox, wire: Wire
) -> None:
    known = ids(sandbox)
    for accounts in (["threads:bread"], ["threads:bread", "facebook:wheels"], []):
        sandbox.create_post(status="DRAFT", selectedAccountIds=[known[each] for each in accounts])
    path = f"/widgets/dashboard/todos-posts/{known['Bakery']}"
    assert wire.get(path)["notRequestedYet"] == 1


def test_a_group_that_is_not_there_or_not_yours(sandbox: Sandbox, wire: Wire) -> None:
    known = ids(sandbox)
    sandbox.create_post(
        selectedAccountIds=[known["facebook:wheels"]],
        status="SCHEDULED",
        publication_date="2026-12-09T00:00:00Z",
    )
    sandbox.create_post()
    counted = wire.get(f"/widgets/dashboard/todos-posts/{known['Garage']}")
    assert [counted[name] for name in (*SCHEDULED, "notRequestedYet")] == [1, 1, 0]
    for token, group, status in (
        ("nobody", known["Garage"], 401),
        ("tom", known["Garage"], 403),
        ("ada", "18446744073709551615", 404),
        ("ada", "9" * 20, 404),
        ("ada", f"0{known['Garage']}", 404),
        ("ada", "x", 404),
    ):
        refused = wire.of(token).get(f"/widgets/dashboard/todos-posts/{group}", status)
        assert list(refused) == ["message"]
