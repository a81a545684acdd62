"""How posts move from state to state: by requests, by control, and by the clock (§3)."""

from __future__ import annotations

import functools
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire import Ids, Json, Wire, at_fault, ids, world

from social_publishing_sandbox import ControlError, Sandbox
from social_publishing_sandbox.console import clock
from social_publishing_sandbox.worlds.statuses import Status

CODES = {each.name: each.value for each in Status if each.name != "DELETED"}
NAMES = {code: name for name, code in CODES.items()}
START = datetime(2026, 12, 1, 9, tzinfo=UTC)
FUTURE = "2026-12-05T12:00:00Z"


def state(sandbox: Sandbox, post: str) -> str:
    return NAMES[sandbox.read_post(post)["status"]]


def details(sandbox: Sandbox, post: str) -> list[tuple[str, str | None]]:
    """The state of each detail, and when it went out."""
    found = sandbox.read_post(post)["details"]
    return [(NAMES[each["status"]], each.get("published_at")) for each in found]


def events(wire: Wire, post: str) -> list[str]:
    """The activities of a post, the oldest first, with the state that a change led to."""
    found = []
    for each in reversed(wire.get(f"/posts/{post}/activities")["data"]):
        data = json.loads(each["data"])
        found.append(f"{each['event']} {data['to']}" if "to" in data else each["event"])
    return found


# By requests

KEPT = dict.fromkeys(CODES, "")
OPEN = {name: "" for name in CODES if name != "PUBLISHED"}
RELEASED = ("DRAFT", "NOT_SCHEDULE", "SKIPPED", "REVIEW_REJECTED")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"should_skip": True}, dict.fromkeys(OPEN, "SKIPPED")),
        ({"isDraft": True}, dict.fromkeys(OPEN, "DRAFT")),
        ({"isPublishNow": True}, dict.fromkeys(OPEN, "IN_PROGRESS") | {"PUBLISHED": ""}),
        # What `make` gives a failed post, or one whose review was missed, is a date in the past.
        ({"isDraft": False}, KEPT | dict.fromkeys(RELEASED, "SCHEDULED")),
        ({"should_skip": False}, KEPT | {"SKIPPED": "SCHEDULED"}),
        ({"isPublishNow": False}, KEPT),
        ({"publication_date": "2027-01-01T00:00"}, OPEN),
        ({"content": "Other"}, OPEN),
        # What names a state wins over what lets a post go on; the strongest of several wins.
        ({"should_skip": True, "isDraft": True, "isPublishNow": True}, {"DRAFT": "SKIPPED"}),
        ({"isDraft": True, "isPublishNow": True}, {"SCHEDULED": "DRAFT"}),
        ({"should_skip": False, "isDraft": True}, {"SKIPPED": "DRAFT", "SCHEDULED": "DRAFT"}),
        ({"isDraft": False, "isPublishNow": True}, {"DRAFT": "IN_PROGRESS"}),
        ({"should_skip": False, "isDraft": False}, {"SKIPPED": "SCHEDULED", "DRAFT": "SCHEDULED"}),
        ({"should_skip": True, "publication_date": "2027-01-01T00:00"}, {"SCHEDULED": "SKIPPED"}),
    ],
    ids=str,
)
def test_an_update_moves_a_post(
    sandbox: Sandbox,
    wire: Wire,
    known: Ids,
    body: Json,
    expected: dict[str, str],
) -> None:
    for name, after in expected.items():
        post = make(sandbox, known, name)
        response = wire.patch(f"/posts/{post}", body)
        assert NAMES[response["status"]] == (after or name), name
        assert response["should_skip"] is (NAMES[response["status"]] == "SKIPPED")
        if after and after != name:
            moved = sandbox.read_post(post)["details"]
            assert {NAMES[each["status"]] for each in moved} == {after}
            assert events(wire, post)[-1] == f"changedStatus {after}"
        else:
            assert not any(each.startswith("changedStatus") for each in events(wire, post))


def test_a_past_date_shows_in_the_response_at_once(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    """At a clock that stands still, the response and the next read have one status."""
    post = make(sandbox, known, "SCHEDULED")
    response = wire.patch(f"/posts/{post}", {"publication_date": "2026-12-01T08:00"})
    assert NAMES[response["status"]] == "IN_PROGRESS"
    assert wire.get(f"/posts-bulk?ids={post}")[0] == response


def make(sandbox: Sandbox, known: Ids, name: str) -> str:
    """A post in a state; those that wait for their time wait for it."""
    begun = name in ("IN_PROGRESS", "FAILED", "PUBLISHED", "REVIEW_MISSED")
    date = "2026-12-01T08:59:59Z" if begun else FUTURE
    made = sandbox.create_post(
        content="Hello",
        status=name,
        publication_date=date,
        selectedAccountIds=[known["threads:bread"]],
    )
    return str(made["id"])


def test_publishing_now_is_now(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    post = sandbox.create_post(content="Hi", selectedAccountIds=[known["threads:bread"]])["id"]
    sandbox.advance(hours=1)
    body = {"isPublishNow": True, "publication_date": "2027-06-01T00:00"}
    response = wire.patch(f"/posts/{post}", body)
    assert (NAMES[response["status"]], response["publication_date"]) == (
        "IN_PROGRESS",
        "2026-12-01T10:00:00Z",
    )
    sandbox.advance(seconds=2)
    assert state(sandbox, post) == "PUBLISHED"
    assert details(sandbox, post) == [("PUBLISHED", "2026-12-01T10:00:00Z")]


@pytest.mark.parametrize(
    "change",
    [
        {"content": "Other"},
        {"selectedAccountIds": []},
        {"selectedAccountIds": ["bluesky:bread", "threads:bread"]},
        {"publication_date": "2027-01-01T00:00"},
        {"customized": {"threads": {"content": "Other"}}},
        {"first_comments": {"enabled": True, "content": "Other"}},
        {"li_poll": {"question": "Other?"}},
        {"isDraft": True},
        {"should_skip": True},
    ],
    ids=str,
)
def test_of_a_published_post_what_went_out_stays(
    sandbox: Sandbox, wire: Wire, known: Ids, change: Json
) -> None:
    post = make(sandbox, known, "PUBLISHED")
    before = sandbox.world()
    ((field, value),) = change.items()
    if field == "selectedAccountIds":
        value = [known[each] for each in value]
    refused = wire.patch(f"/posts/{post}", {field: value, "name": "New"}, 422)
    assert at_fault(refused) == [field]
    assert sandbox.requests()[-1].cites == ("updatePost.published",)
    assert sandbox.world() == before


def test_errors_come_in_the_order_of_the_body(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    """The same requests have the same responses, in every process."""
    post = make(sandbox, known, "PUBLISHED")
    body = {"isDraft": True, "should_skip": True, "pi_pin_title": "x", "yt_video_title": "x"}
    for sent in (body, dict(reversed(body.items()))):
        refused = wire.patch(f"/posts/{post}", {**sent, "content": "Other"}, 422)
        assert at_fault(refused) == [*sent, "content"]


def test_of_a_published_post_some_fields_may_change(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    post = make(sandbox, known, "PUBLISHED")
    details_before = sandbox.read_post(post)["details"]
    shown = wire.get(f"/posts-bulk?ids={post}")[0]
    same = ("content", "selectedAccountIds", "publication_delay_between", "ig_collaborators")
    body = {name: shown[name] for name in same} | {
        "publication_date": shown["publication_date"][:16],
        "isDraft": False,
        "isPublishNow": True,
        "should_skip": False,
    }
    if shown["publication_date"][17:19] != "00":  # a date in whole minutes is another one
        del body["publication_date"]
    change = {"name": "A", "note": "B", "labelIds": [known["News"]], "visible_for_client": True}
    changed = wire.patch(f"/posts/{post}", body | change)
    assert NAMES[changed["status"]] == "PUBLISHED"
    assert {name: changed[name] for name in change if name in changed} == {
        "name": "A",
        "note": "B",
        "visible_for_client": True,
    }
    assert sandbox.read_post(post)["details"] == details_before


# How a post gets out of each state


@pytest.mark.parametrize("way", ["bulk", "update"])
@pytest.mark.parametrize("account", ["threads:bread", "facebook:wheels"])
@pytest.mark.parametrize("dated", ["future", "past", "never"])
@pytest.mark.parametrize("name", CODES)
def test_out_of_each_state(
    sandbox: Sandbox,
    wire: Wire,
    known: Ids,
    name: str,
    dated: str,
    account: str,
    way: str,
) -> None:
    """`is_draft` false takes a post out of each state in which it waits for somebody."""
    date = {"future": FUTURE, "past": "2026-12-01T08:00:00Z", "never": None}[dated]
    strict = account == "facebook:wheels"
    if (name in ("SCHEDULED", "IN_PROGRESS", "PUBLISHED") and dated == "never") or (
        name == "PUBLISHED" and dated == "future"
    ):
        return
    fields = {"publication_date": date} if date else {}
    post = sandbox.create_post(
        content="Hello",
        status=name,
        selectedAccountIds=[known[account]],
        assigneesIds=[known["Tom"]],
        **fields,
    )["id"]
    before = state(sandbox, post)
    if before != name:  # its date had come
        return
    moves = name == "DRAFT" or (name in LEAVING and dated == "future")
    to = "IN_REVIEW" if strict else "SCHEDULED" if dated != "never" else "NOT_SCHEDULE"
    if dated == "past":  # the clock goes on at once
        to = {"IN_REVIEW": "REVIEW_MISSED", "SCHEDULED": "IN_PROGRESS"}[to]
    if way == "update":
        wire.patch(f"/posts/{post}", {"isDraft": False})
    else:
        found = wire.post("/posts-bulk/draft", {"is_draft": False, "post_ids": [post]})
        assert found == {
            "post_ids": [post] if moves else [],
            "partial": name == "PUBLISHED",
            "skipped_no_assignee": [],
            "skipped_published": [post] if name == "PUBLISHED" else [],
        }
    assert state(sandbox, post) == (to if moves else name)


LEAVING = ("NOT_SCHEDULE", "FAILED", "REVIEW_MISSED", "REVIEW_REJECTED", "SKIPPED")


@pytest.mark.parametrize("name", LEAVING)
def test_without_an_approver_a_strict_workflow_lets_nothing_out(
    sandbox: Sandbox, wire: Wire, known: Ids, name: str
) -> None:
    post = sandbox.create_post(
        status=name, publication_date=FUTURE, selectedAccountIds=[known["facebook:wheels"]]
    )["id"]
    found = wire.post("/posts-bulk/draft", {"is_draft": False, "post_ids": [post]})
    assert (found["skipped_no_assignee"], found["partial"]) == ([post], True)
    refused = wire.patch(f"/posts/{post}", {"isDraft": False}, 422)
    assert at_fault(refused) == ["assigneesIds"]
    assert state(sandbox, post) == name


def test_a_strict_workflow_publishes_only_what_is_approved(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    fields = {"content": "Hello", "selectedAccountIds": [known["facebook:wheels"]]}
    post = sandbox.create_post(**fields)["id"]
    at_once = {"isPublishNow": True}
    refused = wire.patch(f"/posts/{post}", at_once, 422)
    assert refused == wire.patch(f"/posts/{post}", {"isDraft": False}, 422)
    for body in ({"assigneesIds": [known["Tom"]]}, {"isDraft": False}, {}):
        wire.patch(f"/posts/{post}", body)
        refused = wire.patch(f"/posts/{post}", at_once | {"assigneesIds": [known["Tom"]]}, 422)
        assert at_fault(refused) == ["isPublishNow"]
        assert sandbox.requests()[-1].cites == ("§3", "updatePost.isPublishNow")
    wire.patch(f"/posts/{post}", {"isDraft": True, "publication_date": FUTURE[:16]})
    wire.patch(f"/posts/{post}", {"isDraft": False})
    sandbox.approve(post)
    for body in ({}, {"should_skip": True}, {"isDraft": True}):  # what was approved stays so
        before = sandbox.snapshot()
        wire.patch(f"/posts/{post}", body)
        assert NAMES[wire.patch(f"/posts/{post}", at_once)["status"]] == "IN_PROGRESS"
        sandbox.restore(before)
    fields |= {"publication_date": FUTURE, "assigneesIds": [known["Tom"]]}
    for name in OPEN.keys() - {"IN_PROGRESS", "DELETED"}:
        post = sandbox.create_post(**fields, status=name)["id"]
        status = 200 if name == "SCHEDULED" else 422
        wire.patch(f"/posts/{post}", at_once, status)
        assert state(sandbox, post) == ("IN_PROGRESS" if status == 200 else name)


# By the clock


def test_a_change_on_the_way_moves_what_is_not_out_yet(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    chosen = [known["bluesky:bread"], known["threads:bread"]]
    post = sandbox.create_post(
        content="Hello",
        selectedAccountIds=chosen,
        status="SCHEDULED",
        publication_date="2026-12-01T10:00:00Z",
        publication_delay_between=60,
    )["id"]
    sandbox.advance(minutes=90)
    wire.patch(f"/posts/{post}", {"selectedAccountIds": chosen[1:]}, 422)
    wire.patch(f"/posts/{post}", {"publication_delay_between": 120, "content": "Later"})
    wire.patch(f"/posts/{post}", {"selectedAccountIds": [*chosen, known["linkedin:bread"]]})
    sandbox.advance(hours=4)
    first, second, third = sandbox.read_post(post)["details"]
    assert third["published_at"] == "2026-12-01T14:00:00Z"
    assert (first["content"], first["published_at"]) == ("Hello", "2026-12-01T10:00:00Z")
    assert (second["content"], second["published_at"]) == ("Later", "2026-12-01T12:00:00Z")
    assert state(sandbox, post) == "PUBLISHED"


def test_what_a_world_has_on_its_way_goes_out_at_its_time() -> None:
    late = {
        "status": "IN_PROGRESS",
        "content": "Hello",
        "publication_date": "2026-12-01T08:30:00Z",
        "publication_delay_between": 20,
        "selectedAccountIds": ["threads:bread", "bluesky:bread", "linkedin:bread"],
    }
    sandbox = Sandbox(world(posts=[late]), clock="frozen", rate_limit=None)
    (post,) = (each["id"] for each in sandbox.world()["posts"])
    assert details(sandbox, post) == [
        ("PUBLISHED", "2026-12-01T08:30:00Z"),
        ("PUBLISHED", "2026-12-01T08:50:00Z"),
        ("IN_PROGRESS", None),
    ]
    sandbox.advance(minutes=11)
    assert details(sandbox, post)[2] == ("PUBLISHED", "2026-12-01T09:10:00Z")
    assert state(sandbox, post) == "PUBLISHED"
    sandbox.close()


@pytest.mark.parametrize("date", ["2026-11-30T00:00", "2026-12-01T09:00"])
def test_what_is_on_its_way_goes_on_in_another_sandbox(
    sandbox: Sandbox, wire: Wire, known: Ids, date: str
) -> None:
    chosen = [known["threads:bread"], known["bluesky:bread"]]
    post = sandbox.create_post(
        content="Hello", selectedAccountIds=chosen, publication_delay_between=10
    )["id"]
    wire.patch(f"/posts/{post}", {"publication_date": date, "isDraft": False})
    for seconds in (0, 1, 1, 598, 1, 1):
        sandbox.advance(seconds=seconds)
        again = Sandbox(sandbox.world(), clock="frozen", rate_limit=None)
        assert again.next_event() == sandbox.next_event()
        assert again.read_post(post) == sandbox.read_post(post)
        again.close()


def test_what_cannot_go_out_fails_and_may_be_tried_again() -> None:
    held = world()
    held["social_accounts"][0]["connection_expired_at"] = "2027-12-01T11:00:00Z"
    sandbox = Sandbox(held, clock="frozen", rate_limit=None)
    wire, known = Wire(sandbox), ids(sandbox)
    chosen = [known["bluesky:bread"], known["threads:bread"]]
    fields: Json = {"content": "Hello", "selectedAccountIds": chosen, "status": "SCHEDULED"}
    late = sandbox.create_post(**fields, publication_date="2026-12-01T11:00:00Z")["id"]
    sandbox.advance(hours=3)
    assert state(sandbox, late) == "FAILED"
    out, failed = sandbox.read_post(late)["details"]
    assert (NAMES[out["status"]], NAMES[failed["status"]]) == ("PUBLISHED", "FAILED")
    assert "must be renewed" in failed["user_error_message"]
    assert "post_link" not in failed
    assert "published_at" not in sandbox.read_post(late)
    assert list(wire.get(f"/posts/{late}/metrics")) == [out["id"]]
    assert events(wire, late)[-2:] == ["failedOnNetwork", "changedStatus FAILED"]
    wire.patch(f"/posts/{late}", {"isPublishNow": True})
    again = sandbox.read_post(late)["details"]
    assert again[0] == out
    assert "user_error_message" not in again[1]
    sandbox.advance(minutes=1)
    assert state(sandbox, late) == "FAILED"
    sandbox.close()


def test_trying_again_waits_only_for_what_is_missing() -> None:
    held = world()
    held["groups"][1]["approval_workflow"] = 0
    sandbox = Sandbox(held, clock="frozen", rate_limit=None)
    wire, known = Wire(sandbox), ids(sandbox)
    chosen = [known["facebook:wheels"], known["pinterest:wheels"]]  # a pin needs a picture
    post = sandbox.create_post(
        content="Hello", selectedAccountIds=chosen[::-1], publication_delay_between=60
    )["id"]
    wire.patch(f"/posts/{post}", {"isPublishNow": True})
    sandbox.advance(hours=2)
    assert [each for each, _ in details(sandbox, post)] == ["FAILED", "PUBLISHED"]
    picture = {"id": known["loaf.png"]}
    boards = {"pi_boards": {known["pinterest:wheels"]: {"id": "b"}}}
    body = {"selected_media_ids": [picture["id"]], "isPublishNow": True, **boards}
    wire.patch(f"/posts/{post}", body)
    sandbox.advance(seconds=2)
    assert details(sandbox, post) == [
        ("PUBLISHED", "2026-12-01T11:00:00Z"),
        ("PUBLISHED", "2026-12-01T10:00:00Z"),
    ]
    assert state(sandbox, post) == "PUBLISHED"


def test_what_falls_on_one_moment_happens_in_the_order_that_the_clock_shows(
    sandbox: Sandbox, known: Ids
) -> None:
    """A post that goes out, one whose time comes, and one that is through, all at 10 o'clock."""
    for seconds in (-1, 0, -2):
        sandbox.create_post(
            content="Hello",
            status="SCHEDULED",
            publication_date=START + timedelta(hours=1, seconds=seconds),
            selectedAccountIds=[known["threads:bread"]],
        )
    sandbox.set_clock(START + timedelta(minutes=59, seconds=59))
    shown = [each["row"].post["id"] for each in clock.coming(sandbox.service, 3)]
    happened: list[str] = []
    sandbox.service.listeners.append(lambda _, facts: happened.append(facts.get("id", "")))
    sandbox.advance(seconds=1)
    assert [*dict.fromkeys(filter(None, happened))] == shown == sorted(shown, key=int)


def test_a_post_for_no_account_fails(sandbox: Sandbox) -> None:
    post = sandbox.create_post(status="SCHEDULED", publication_date="2026-12-01T10:00:00Z")["id"]
    sandbox.advance(hours=2)
    assert state(sandbox, post) == "FAILED"


def test_first_comments_go_under_what_is_out(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    chosen = [known["threads:bread"], known["bluesky:bread"], known["linkedin:bread"]]
    post = sandbox.create_post(content="Hello", selectedAccountIds=chosen)["id"]
    first = {
        "enabled": True,
        "socialAccountIds": chosen[:2],
        "conditionValue": 3,
        "content": "First",
        "customized": [
            {"enabled": True, "socialAccountIds": chosen[:1], "conditionValue": 7, "content": "T"}
        ],
    }
    wire.patch(f"/posts/{post}", {"first_comments": first, "isPublishNow": True})
    sandbox.advance(minutes=1)
    threads, bluesky, linkedin = sandbox.read_post(post)["details"]
    assert threads["firstComment"]["condition_value"] == 7
    assert bluesky["firstComment"]["condition_value"] == 3
    assert bluesky["firstComment"]["publishing_failed"] is False
    assert bluesky["firstComment"]["published_at"] == bluesky["published_at"]
    assert "firstComment" not in linkedin


def test_a_customized_first_comment_is_for_the_accounts_that_it_names() -> None:
    """Of one network, too: another account has the general one."""
    accounts = [
        {"socialNetwork": "threads", "username": name, "group_id": "Bakery"}
        for name in ("bread", "rolls")
    ]
    with Sandbox(world(social_accounts=accounts), clock="frozen", rate_limit=None) as sandbox:
        chosen = [ids(sandbox)[f"threads:{name}"] for name in ("bread", "rolls")]
        own = {"enabled": True, "socialAccountIds": chosen[:1], "conditionValue": 7}
        general = {"enabled": True, "socialAccountIds": chosen, "conditionValue": 3}
        post = sandbox.create_post(
            content="Hello",
            selectedAccountIds=chosen,
            first_comments={**general, "customized": {"threads": own}},
        )["id"]
        Wire(sandbox).patch(f"/posts/{post}", {"isPublishNow": True})
        sandbox.advance(minutes=1)
        details = sandbox.read_post(post)["details"]
    for account, value in zip(chosen, (7, 3), strict=True):
        [detail] = [each for each in details if each["social_account_id"] == account]
        assert detail["firstComment"]["condition_value"] == value


def test_where_no_first_comment_can_be_written_it_fails_alone() -> None:
    accounts = [{"socialNetwork": "tumblr", "username": "bread", "group_id": "Bakery"}]
    with Sandbox(world(social_accounts=accounts), clock="frozen", rate_limit=None) as sandbox:
        chosen = [ids(sandbox)["tumblr:bread"]]
        first = {"enabled": True, "socialAccountIds": chosen, "content": "First"}
        post = sandbox.create_post(
            content="Hello", selectedAccountIds=chosen, first_comments=first
        )["id"]
        Wire(sandbox).patch(f"/posts/{post}", {"isPublishNow": True})
        sandbox.advance(minutes=1)
        assert state(sandbox, post) == "PUBLISHED"
        (detail,) = sandbox.read_post(post)["details"]
    comment = detail["firstComment"]
    assert (comment["publishing_failed"], "published_at" in comment) == (True, False)
    assert comment["user_error_message"] == "Tumblr takes no first comments."


# By control


def in_review(sandbox: Sandbox, wire: Wire, known: Ids, **fields: Any) -> str:
    post = sandbox.create_post(
        content="Hello",
        selectedAccountIds=[known["facebook:wheels"]],
        publication_date=FUTURE,
        **{"assigneesIds": [known["Tom"]], **fields},
    )["id"]
    wire.patch(f"/posts/{post}", {"isDraft": False})
    assert state(sandbox, post) == "IN_REVIEW"
    return str(post)


def test_what_is_approved_is_published_in_time(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    post = in_review(sandbox, wire, known)
    sandbox.advance(hours=1)
    approved = sandbox.approve(post)
    assert (NAMES[approved["status"]], approved["approved_at"]) == (
        "SCHEDULED",
        "2026-12-01T10:00:00Z",
    )
    path = f"/posts?groupId={known['Garage']}"
    (shown,) = wire.get(path)["data"][0]["approvals"]
    assert (shown["user_id"], shown["status"]) == (known["Tom"], "approved")
    sandbox.advance(days=5)
    assert details(sandbox, post) == [("PUBLISHED", FUTURE)]
    assert events(wire, post) == [
        *("createdPost", "editedPost", "changedStatus IN_REVIEW", "approvedPost"),
        *("changedStatus SCHEDULED", "changedStatus IN_PROGRESS", "publishedOnNetwork"),
        "changedStatus PUBLISHED",
    ]


@pytest.mark.parametrize("delay", [0, 10])
def test_a_post_is_out_when_the_last_of_its_accounts_is(
    sandbox: Sandbox, known: Ids, delay: int
) -> None:
    """Whether the clock goes there, or the post is made as one that was published."""
    given = {
        "selectedAccountIds": [known["threads:bread"], known["bluesky:bread"]],
        "publication_delay_between": delay,
    }
    hours = [timedelta(hours=each) for each in (1, -1)]
    planned, made = (
        sandbox.create_post(content="x", status=name, publication_date=sandbox.now + by, **given).id
        for name, by in zip(("SCHEDULED", "PUBLISHED"), hours, strict=True)
    )
    begin = sandbox.now
    sandbox.advance(hours=2)
    for post, by in zip((planned, made), hours, strict=True):
        first, last = (datetime.fromisoformat(str(at)) for _, at in details(sandbox, post))
        assert first - (begin + by) < timedelta(minutes=1)
        assert abs(last - first - timedelta(minutes=delay)) < timedelta(minutes=1)
        assert datetime.fromisoformat(sandbox.read_post(post)["published_at"]) == max(first, last)


@pytest.mark.parametrize(
    ("name", "way_out"),
    [
        ("FAILED", "IN_REVIEW with strict workflow and future date, else to SCHEDULED with future"),
        ("DRAFT", "IN_REVIEW with strict workflow, else to SCHEDULED with dated, else to NOT_SCH"),
        ("PUBLISHED", None),
    ],
)
def test_a_review_of_another_state_is_refused_with_the_way(
    sandbox: Sandbox, known: Ids, name: str, way_out: str | None
) -> None:
    with pytest.raises(ControlError) as caught:
        sandbox.approve(make(sandbox, known, name))
    said = f"the post is {name}: it cannot be approved"
    assert str(caught.value).startswith(said)
    expected = f"is_draft false leads to {way_out}" if way_out else ""
    assert expected in str(caught.value) and (bool(way_out) == ("leads" in str(caught.value)))


def test_a_rejected_post_can_be_reviewed_anew(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    post = in_review(sandbox, wire, known)
    assert NAMES[sandbox.reject(post, reason="Too long")["status"]] == "REVIEW_REJECTED"
    log = wire.get(f"/posts/{post}/activities")["data"]
    assert any(each["event"] == "rejectedPost" and "Too long" in each["data"] for each in log)
    assert wire.get(f"/widgets/dashboard/todos-posts/{known['Garage']}")["rejected"] == 1
    sandbox.advance(days=1)
    wire.patch(f"/posts/{post}", {"isDraft": True})
    wire.patch(f"/posts/{post}", {"isDraft": False})
    assert sandbox.read_post(post)["approvals"] == []
    assert NAMES[sandbox.approve(post)["status"]] == "SCHEDULED"


def test_everyone_must_approve_where_that_is_wanted(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    everyone = {"assigneesIds": [known["Ada"], known["Tom"], known["Max"]]}
    post = in_review(sandbox, wire, known, everyone_must_approve=True, **everyone)
    sandbox.approve(post, user=known["Tom"])
    assert state(sandbox, post) == "IN_REVIEW"
    wire.patch(f"/posts/{post}", {"isDraft": True})
    wire.patch(f"/posts/{post}", {"isDraft": False})
    for _ in range(2):  # the same one does not count twice
        sandbox.approve(post, user=known["Ada"])
    assert state(sandbox, post) == "IN_REVIEW"  # what Tom said was about another review
    assert "approved_at" not in sandbox.read_post(post)
    sandbox.approve(post)
    assert state(sandbox, post) == "SCHEDULED"
    said = [{"user_id": known[each], "status": "rejected"} for each in ("Tom", "Max")]
    rejected = sandbox.create_post(
        status="IN_REVIEW", everyone_must_approve=True, approvals=said, publication_date=FUTURE,
        **everyone,
    ).id  # fmt: skip
    sandbox.approve(rejected, user=known["Ada"])
    assert state(sandbox, rejected) == "IN_REVIEW"  # to reject is not to approve
    one = in_review(sandbox, wire, known, **everyone)
    sandbox.approve(one)
    assert state(sandbox, one) == "SCHEDULED"


def test_a_post_fails_when_it_is_told_to_and_once(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    for name in ("SCHEDULED", "IN_PROGRESS"):
        post = make(sandbox, known, name)
        sandbox.fail(post, "The network is down.")
        sandbox.set_clock(max(sandbox.now, datetime.fromisoformat(FUTURE)) + timedelta(seconds=9))
        (detail,) = sandbox.read_post(post)["details"]
        assert (state(sandbox, post), detail["user_error_message"]) == (
            "FAILED",
            "The network is down.",
        )
        with pytest.raises(ControlError, match="the post is FAILED: it cannot fail any more"):
            sandbox.fail(post)
        wire.post("/posts-bulk/draft", {"is_draft": True, "post_ids": [post]})
        wire.post("/posts-bulk/draft", {"is_draft": False, "post_ids": [post]})
        sandbox.advance(seconds=9)
        assert state(sandbox, post) == "PUBLISHED"
        assert "user_error_message" not in sandbox.read_post(post)["details"][0]


# However time passes


@functools.cache
def small(seed: int) -> Json:
    held = Sandbox("small", seed=seed, clock="frozen", rate_limit=None)
    return held.world()


STEPS = st.lists(st.integers(1, 400_000), min_size=1, max_size=12)


@settings(max_examples=15)
@given(st.integers(0, 2), STEPS)
def test_a_month_in_pieces_is_a_month(seed: int, steps: list[int]) -> None:
    total = 31 * 24 * 3600
    pieces = [piece * total // sum(steps) for piece in steps]
    pieces.append(total - sum(pieces))
    one = Sandbox(small(seed), seed=seed, clock="frozen", rate_limit=None)
    other = Sandbox(small(seed), seed=seed, clock="frozen", rate_limit=None)
    one.advance(seconds=total)
    for piece in pieces:
        other.advance(seconds=piece)
    assert one.world() == other.world()
    assert one.now == START + timedelta(days=31)
    one.close()
    other.close()


@settings(max_examples=40)
@given(
    st.integers(1, 5),
    st.integers(0, 10_080),
    st.datetimes(datetime(2026, 12, 1, 9), datetime(2027, 6, 1)),
    STEPS,
)
def test_every_account_is_served_at_its_time(
    count: int, delay: int, date: datetime, steps: list[int]
) -> None:
    sandbox, chosen = five_accounts()
    sandbox.restore("begin")
    chosen = chosen[:count]
    date = date.replace(second=0, microsecond=0, tzinfo=UTC)
    post = sandbox.create_post(
        content="Hello", selectedAccountIds=chosen, publication_delay_between=delay
    )["id"]
    body = {"isDraft": False, "publication_date": date.strftime("%Y-%m-%dT%H:%M")}
    Wire(sandbox).patch(f"/posts/{post}", body)
    for step in steps:
        sandbox.advance(seconds=step)
    now, moments = sandbox.now, []
    for position, (status, at) in enumerate(details(sandbox, post)):
        due = date + timedelta(minutes=position * delay)
        moments.append(due)
        out = due + timedelta(seconds=1) <= now
        assert (status == "PUBLISHED") is out
        assert at == (due.strftime("%Y-%m-%dT%H:%M:%SZ") if out else None)
    done = max(moments) + timedelta(seconds=2) <= now
    begun = min(moments) <= now
    assert state(sandbox, post) == (
        "PUBLISHED" if done else "IN_PROGRESS" if begun else "SCHEDULED"
    )


@functools.cache
def five_accounts() -> tuple[Sandbox, list[str]]:
    """A sandbox with five accounts in a group without a workflow, and a snapshot of it."""
    names = ("threads", "bluesky", "linkedin", "facebook", "tumblr")
    accounts = [{"socialNetwork": name, "group_id": "Bakery"} for name in names]
    sandbox = Sandbox(world(social_accounts=accounts), clock="frozen", rate_limit=None)
    sandbox.snapshot("begin")
    return sandbox, [each["id"] for each in sandbox.world()["social_accounts"]]
