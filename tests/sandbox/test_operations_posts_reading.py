"""Reading posts, their metrics and their activities, as a client sees it (§4.1)."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from wire import Ids, Wire, at_fault, ids, world

from social_publishing_sandbox import Sandbox
from tests.support.documents import limit_of

RELATIONS = {
    "user",
    "socialAccounts",
    "comments",
    "tasks",
    "details",
    "media",
    "labels",
    "approvals",
}
ALWAYS = {"details", "socialAccounts", "approvals", "user"}


def posts(sandbox: Sandbox, count: int, **fields: Any) -> list[str]:
    """Make posts, a second apart, and give their identifiers, the oldest first."""
    made = []
    for number in range(count):
        made.append(sandbox.create_post(content=f"Post {number}", **fields)["id"])
        sandbox.advance(seconds=1)
    return made


# Which posts


def test_a_group_lists_the_posts_of_its_accounts_newest_first(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    here = posts(sandbox, 3, selectedAccountIds=[known["threads:bread"]])
    both = posts(sandbox, 1, selectedAccountIds=[known["bluesky:bread"], known["facebook:wheels"]])
    there = posts(sandbox, 2, selectedAccountIds=[known["facebook:wheels"]])
    nowhere = posts(sandbox, 1)
    bakery = wire.get(f"/posts?groupId={known['Bakery']}")["data"]
    assert [each["id"] for each in bakery] == [*both, *here[::-1]]
    garage = wire.get(f"/posts?groupId={known['Garage']}")["data"]
    assert [each["id"] for each in garage] == [*there[::-1], *both]
    assert [each["id"] for each in wire.get(f"/posts-bulk?ids={nowhere[0]}")] == nowhere


def test_a_group_and_accounts_together_want_both(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    posts(sandbox, 1, selectedAccountIds=[known["threads:bread"]])
    wanted = posts(sandbox, 1, selectedAccountIds=[known["bluesky:bread"]])
    asked = f"groupId={known['Bakery']}&socialAccountIds={known['bluesky:bread']}"
    assert [each["id"] for each in wire.get(f"/posts?{asked}")["data"]] == wanted
    for group in (known["Garage"], sandbox.create_group(name="Without accounts")["id"]):
        asked = f"groupId={group}&socialAccountIds={known['bluesky:bread']}"
        assert wire.get(f"/posts?{asked}")["data"] == []


@pytest.mark.parametrize("query", ["", "?include=media", "?groupId=", "?socialAccountIds="])
def test_one_of_both_is_demanded(wire: Wire, query: str) -> None:
    refused = wire.get(f"/posts{query}", 422)
    assert set(refused) == {"message", "errors"}
    assert {*at_fault(refused)} & {"groupId", "socialAccountIds"}


# What is in a post


def test_some_relations_are_always_listed_and_others_on_request(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    sandbox.create_post(
        selectedAccountIds=[known["threads:bread"]],
        selected_media_ids=[known["oven.png"], known["loaf.png"]],
        labelIds=[known["Rolls"], known["News"]],
        comments=[{"content": "Nice."}],
    )
    path = f"/posts?groupId={known['Bakery']}"
    assert wire.get(path)["data"][0].keys() & RELATIONS == ALWAYS
    asked = wire.get(f"{path}&include=media,labels,postComments")["data"][0]
    assert asked.keys() & RELATIONS == ALWAYS | {"media", "labels", "comments"}
    assert [each["client_name"] for each in asked["media"]] == ["oven.png", "loaf.png"]
    assert [each["name"] for each in asked["labels"]] == ["Rolls", "News"]
    assert asked["comments"] == [{"content": "Nice."}]
    assert [each["username"] for each in asked["socialAccounts"]] == ["bread"]
    one = wire.get(f"{path}&include=labels")["data"][0]
    assert one.keys() & RELATIONS == ALWAYS | {"labels"}
    for nothing in ("horoscope", "", ",,", "tasks", "comments", "user", "socialAccountsCount"):
        assert wire.get(f"{path}&include={nothing}")["data"] == wire.get(path)["data"]


def test_what_has_no_value_is_left_out_or_null() -> None:
    for nulls in (False, True):
        sandbox = Sandbox(world(), clock="frozen", rate_limit=None, nulls=nulls)
        (post,) = posts(sandbox, 1)
        (found,) = Wire(sandbox).get(f"/posts-bulk?ids={post}")
        assert ("published_at" in found) is ("approved_at" in found) is nulls
        assert found.get("published_at") is None
        assert (found["first_comments"], found["ig_collaborators"]) == (None, [])
        assert (found["yt_embeddable"], found["publication_delay_between"]) == (False, 0)
        sandbox.close()


# Pages


@pytest.mark.parametrize(("total", "last"), [(25, 1), (50, 2)])
def test_no_empty_page_follows_a_full_one(
    sandbox: Sandbox, wire: Wire, total: int, last: int, known: Ids
) -> None:
    posts(sandbox, total, selectedAccountIds=[known["threads:bread"]])
    page = wire.get(f"/posts?groupId={known['Bakery']}&page={last}")
    assert (len(page["data"]), page["meta"]["last_page"]) == (25, last)
    assert page["meta"]["next_page_url"] is None


def test_links_of_pages_keep_the_whole_question(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    posts(sandbox, 51, selectedAccountIds=[known["threads:bread"]])
    asked = {"groupId": known["Bakery"], "include": "", "extra": "a b"}
    meta = wire.get(f"/posts?{urlencode(asked)}&page=2")["meta"]
    for name, number in (("next_page_url", "3"), ("prev_page_url", "1")):
        query = parse_qsl(urlsplit(meta[name]).query, keep_blank_values=True)
        assert dict(query) == {**asked, "page": number} and len(query) == 4


def test_an_empty_page_says_so(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    empty = wire.get(f"/posts?groupId={known['Bakery']}")
    meta = empty["meta"]
    assert empty["data"] == []
    assert (meta["from"], meta["to"], meta["total"], meta["last_page"]) == (None, None, 0, 1)
    assert (meta["next_page_url"], meta["prev_page_url"]) == (None, None)
    posts(sandbox, 1, selectedAccountIds=[known["threads:bread"]])
    path, most = f"/posts?groupId={known['Bakery']}&page=", (1 << 63) - 1
    beyond = wire.get(f"{path}{most}")
    assert (beyond["data"], beyond["meta"]["total"]) == ([], 1)
    for wrong in (most + 1, -1, -most - 1, -most - 2, "9" * 20, "1.0", "+1"):
        assert at_fault(wire.get(f"{path}{wrong}", 422)) == ["page"]


# By identifier


def test_posts_by_identifier_come_in_the_order_of_the_question(
    sandbox: Sandbox, wire: Wire
) -> None:
    one, two, three = posts(sandbox, 3)
    found = wire.get(f"/posts-bulk?ids={two},{three},{one},{two}")
    assert [each["id"] for each in found] == [two, three, one]
    assert all(len(each["id"]) == 20 for each in found)


def test_no_more_identifiers_than_documented(sandbox: Sandbox, wire: Wire) -> None:
    made = posts(sandbox, 2)
    most = limit_of("getPosts", "ids", "maxItems")
    fillers = [str(10**19 + number) for number in range(most - 2)]
    found = wire.get(f"/posts-bulk?ids={','.join([*made, *fillers])}")
    assert [each["id"] for each in found] == made
    for method in ("GET", "DELETE"):
        response = wire(method, f"/posts-bulk?ids={','.join([*made, *fillers, '1'])}")
        assert at_fault(wire.answered(response, 422)) == ["ids"]
    assert len(wire.get(f"/posts-bulk?ids={','.join(made)}")) == 2


# Who may see what


def test_who_sees_which_posts(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    bakery = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
    shown = sandbox.create_post(
        selectedAccountIds=[known["threads:bread"]], visible_for_client=True
    )["id"]
    garage = sandbox.create_post(
        selectedAccountIds=[known["facebook:wheels"]], visible_for_client=True
    )["id"]
    both = sandbox.create_post(
        selectedAccountIds=[known["threads:bread"], known["facebook:wheels"]]
    )["id"]
    loose = sandbox.create_post(user_id=known["Max"])["id"]
    everything = ",".join([bakery, shown, garage, both, loose])
    for name, expected in {
        "ada": [bakery, shown, garage, both, loose],
        "tom": [bakery, shown, both],
        "cleo": [shown],
        "max": [garage, both, loose],
    }.items():
        found = wire.of(name).get(f"/posts-bulk?ids={everything}")
        assert [each["id"] for each in found] == expected, name
        for post in everything.split(","):
            status = 200 if post in expected else 403
            wire.of(name).get(f"/posts/{post}/activities", status)
            # The metrics document no 403.
            wire.of(name).get(f"/posts/{post}/metrics", 200 if post in expected else 404)
    listed = wire.of("cleo").get(f"/posts?groupId={known['Bakery']}")
    assert ([each["id"] for each in listed["data"]], listed["meta"]["total"]) == ([shown], 1)
    seen, unseen = known["threads:bread"], known["facebook:wheels"]
    for query in (
        f"groupId={known['Garage']}",
        *(f"socialAccountIds={each}" for each in (unseen, f"{seen},{unseen}", f"{unseen},{seen}")),
    ):
        assert set(wire.of("tom").get(f"/posts?{query}", 403)) == {"message"}


def test_what_is_not_there_is_no_group_to_list(wire: Wire) -> None:
    for name in ("groupId", "socialAccountIds"):
        refused = wire.get(f"/posts?{name}=18446744073709551615", 422)
        assert at_fault(refused) == [name]


# Metrics


def test_metrics_are_keyed_by_detail_and_belong_to_what_is_out(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    accounts = [known["threads:bread"], known["bluesky:bread"]]
    made = sandbox.create_post(
        content="Hello",
        selectedAccountIds=accounts,
        status="SCHEDULED",
        publication_date="2026-12-01T10:00:00Z",
        publication_delay_between=60,
    )
    path = f"/posts/{made['id']}/metrics"
    assert wire.get(path) == {}
    details = [each["id"] for each in made["details"]]
    sandbox.advance(hours=1, seconds=1)
    assert list(wire.get(path)) == details[:1]
    sandbox.advance(hours=5)
    later = wire.get(path)
    assert list(later) == details
    assert [each["social_account_id"] for each in later.values()] == accounts
    for unknown in ("1", "x", str(2**64)):
        assert set(wire.get(f"/posts/{unknown}/metrics", 404)) == {"message"}


# Activities


def test_each_change_is_written_down_newest_first(sandbox: Sandbox, wire: Wire) -> None:
    (post,) = posts(sandbox, 1)
    wire.patch(f"/posts/{post}", {"name": "One", "note": "Two"})
    wire.patch(f"/posts/{post}", {})
    sandbox.advance(minutes=5)
    wire.post("/posts-bulk/draft", {"is_draft": False, "post_ids": [post]})
    found = wire.get(f"/posts/{post}/activities")["data"]
    assert [each["event"] for each in found] == ["changedStatus", "editedPost", "createdPost"]
    assert [int(each["id"]) for each in found] == sorted(
        (int(each["id"]) for each in found), reverse=True
    )
    assert found[1]["data"] == '{"fields":["name","note"]}'
    assert found[0]["data"] == '{"from":"DRAFT","to":"NOT_SCHEDULE"}'
    assert found[0]["created_at"] == "2026-12-01T09:05:01Z"
    assert all(each["post_id"] == post for each in found)
    assert found[0]["user_id"] == ids(sandbox)["Ada"]
