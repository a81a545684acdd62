"""Changing, deleting and drafting posts, as a client sees it (§4.1, §4.1.1)."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire import NETWORKS, TASKS, Ids, Json, Wire, at_fault, ids, without, world

from social_publishing_sandbox import ControlError, Sandbox
from social_publishing_sandbox.state import documents as contract

SCHEMA = contract.load().main.schema("PostUpdate")["properties"]
NEVER_READ = ("isDraft", "isPublishNow", "notify_assignee", "labelIds")


@functools.cache
def shared() -> tuple[Sandbox, dict[str, str]]:
    """A sandbox for many examples, each of which begins with what it needs."""
    sandbox = Sandbox(world(), clock="frozen", rate_limit=None)
    return sandbox, ids(sandbox)


def read(wire: Wire, post: str) -> Json:
    (found,) = wire.get(f"/posts-bulk?ids={post}")
    assert isinstance(found, dict)
    return found


# What is written, and what is read of it

TEXT = st.text(max_size=40) | st.sampled_from(["\0", "🥖 & <b>", "‮", "\r\n", "𝔘𝔫𝔦", "a" * 300])
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1)
FIRST, LAST = datetime(1970, 1, 1), datetime(2079, 12, 31, 23, 59, 59)


def dates(form: str) -> st.SearchStrategy[str]:
    return st.datetimes(FIRST, LAST).map(lambda moment: moment.strftime(form))


def comment(known: Ids, accounts: list[str]) -> st.SearchStrategy[Json]:
    fields: dict[str, st.SearchStrategy[Any]] = {
        "enabled": st.booleans(),
        "conditionValue": NUMBERS,
        "content": TEXT,
    }
    names = st.just([known[each] for each in accounts])
    return st.fixed_dictionaries({"socialAccountIds": names}, optional=fields)


def bodies(known: Ids) -> st.SearchStrategy[Json]:
    """Updates with any of the documented fields, made from their schemas."""
    accounts = [known[each] for each in ("threads:bread", "bluesky:bread", "linkedin:bread")]
    media = st.lists(st.sampled_from([known["loaf.png"], known["oven.png"]]), max_size=4)
    some = st.sampled_from(accounts)
    options = {f"option_{number}": TEXT for number in range(1, 5)}
    targets = st.dictionaries(some, st.fixed_dictionaries({}, optional={"id": TEXT}), max_size=3)
    entry = st.fixed_dictionaries({}, optional={"content": TEXT, "media_ids": media})
    special: dict[str, st.SearchStrategy[Any]] = {
        "selectedAccountIds": st.permutations(accounts),
        "selected_media_ids": media,
        "assigneesIds": st.lists(st.sampled_from([known["Ada"], known["Tom"]]), max_size=2),
        "labelIds": st.lists(st.sampled_from([known["News"], known["Rolls"]]), unique=True),
        "publication_date": dates("%Y-%m-%dT%H:%M"),
        "gb_start_date": dates("%Y-%m-%d %H:%M:%S"),
        "gb_end_date": dates("%Y-%m-%d %H:%M:%S"),
        "publication_delay_between": st.integers(0, 10_080),
        "pi_boards": targets,
        "pi_sections": targets,
        "yt_categories": st.dictionaries(some, TEXT, max_size=3),
        "yt_playlists": st.dictionaries(some, TEXT, max_size=3),
        "li_poll": st.fixed_dictionaries({}, optional={"question": TEXT, **options}),
        "tw_poll": st.fixed_dictionaries({}, optional={"duration_minutes": NUMBERS, **options}),
        "th_poll": st.fixed_dictionaries({}, optional=options),
        "customized": st.dictionaries(
            st.sampled_from(contract.load().main.schema("Network")["enum"]), entry, max_size=4
        ),
        "first_comments": st.builds(
            lambda whole, parts: {**whole, "customized": parts},
            comment(known, ["threads:bread", "bluesky:bread"]),
            st.lists(
                st.sampled_from([["threads:bread"], ["bluesky:bread"], ["linkedin:bread"]]),
                unique_by=tuple,
                max_size=3,
            ).flatmap(lambda each: st.tuples(*(comment(known, one) for one in each)).map(list)),
        ),
    }
    fields = {name: special[name] if name in special else plain(name) for name in SCHEMA}
    return st.fixed_dictionaries({}, optional=fields)


def plain(name: str) -> st.SearchStrategy[Any]:
    match SCHEMA[name]:
        case {"type": ["string", "null"]}:
            return TEXT | st.none()
        case {"type": "string"}:
            return TEXT
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "array", "items": {"type": "string"}}:
            return st.lists(TEXT, max_size=3)
    raise AssertionError(f"nothing is known of {name}")


def moment(text: str) -> str:
    return datetime.fromisoformat(text).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_comment(written: Json) -> Json:
    defaults = {"enabled": False, "conditionType": 0, "conditionValue": 0, "content": ""}
    return {**defaults, **written}


def by_network(entries: list[Json]) -> Json:
    names = {identifier: name for name, identifier in shared()[1].items()}
    return {
        names[entry["socialAccountIds"][0]].partition(":")[0]: read_comment(entry)
        for entry in entries
    }


def options(value: Json) -> list[str]:
    return [value[f"option_{n}"] for n in range(1, 5) if f"option_{n}" in value]


AS_READ: dict[str, Callable[[Any], Any]] = {
    "publication_date": moment,
    "gb_start_date": moment,
    "gb_end_date": moment,
    "pi_boards": lambda value: [each.get("id") for each in value.values()],
    "pi_sections": lambda value: [each.get("id") for each in value.values()],
    "yt_categories": lambda value: list(value.values()),
    "yt_playlists": lambda value: list(value.values()),
    "li_poll": lambda value: {**value, "duration": "ONE_DAY"},
    "tw_poll": options,
    "th_poll": options,
    "first_comments": lambda value: {
        **read_comment(without(value, "customized")),
        "customized": by_network(value["customized"]),
    },
}


@settings(max_examples=80)
@given(st.data())
def test_what_is_written_is_read_in_its_own_form(data: st.DataObject) -> None:
    sandbox, known = shared()
    wire = Wire(sandbox)
    accounts = [known[each] for each in ("threads:bread", "bluesky:bread", "linkedin:bread")]
    post = sandbox.create_post(selectedAccountIds=accounts)["id"]
    before = read(wire, post)
    body = data.draw(bodies(known))
    flags = {"should_skip", "isDraft", "isPublishNow"} & body.keys()
    response = wire.patch(f"/posts/{post}", body)
    due = response["status"] == 25 and response["publication_timestamp"] <= 1_796_115_600_000
    later = {"status": 30} if due else {}  # its time has come: the clock goes on with it
    assert {**response, **later} == read(wire, post)
    follows = {"status", "updated_at"} if flags else {"updated_at"}
    if body.get("isPublishNow") and not body.get("isDraft") and not body.get("should_skip"):
        follows |= {"publication_date", "publication_timestamp"}
    for name, value in body.items():
        if name in NEVER_READ:
            assert name not in response
        elif name == "customized":
            shown = {key: without(each, "content_json") for key, each in response[name].items()}
            assert shown == value
            assert response["has_customized_content"] == any(value.values())
        elif name not in follows:
            assert response[name] == AS_READ.get(name, lambda same: same)(value), name
    if "content" in body:
        follows |= {"content_weighted_length"}
        assert bool(response["content_weighted_length"]) is bool(body["content"])
    if "customized" in body:
        follows |= {"has_customized_content"}
    if "publication_date" in body:
        follows |= {"publication_timestamp"}
    untouched = before.keys() - body.keys() - follows
    assert {key: response[key] for key in untouched} == {key: before[key] for key in untouched}
    if response["publication_date"]:
        at = datetime.fromisoformat(response["publication_date"])
        assert response["publication_timestamp"] == int(at.astimezone(UTC).timestamp()) * 1000


def test_unknown_fields_do_nothing(sandbox: Sandbox, wire: Wire) -> None:
    post = sandbox.create_post(name="Rolls", source=1)["id"]
    before = read(wire, post)
    response = wire.patch(f"/posts/{post}", {"status": 40, "source": 3, "id": "5", "x": {}})
    assert without(response, "updated_at") == without(before, "updated_at")


def test_first_comments_keep_the_condition_that_nobody_writes(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    account = known["threads:bread"]
    post = sandbox.create_post(
        selectedAccountIds=[account], first_comments={"enabled": True, "conditionType": 2}
    )["id"]
    written = {"enabled": True, "content": "First!", "socialAccountIds": [account]}
    response = wire.patch(
        f"/posts/{post}", {"first_comments": {**written, "customized": [written]}}
    )
    one = {**written, "conditionType": 2, "conditionValue": 0}
    assert response["first_comments"] == {**one, "customized": {"threads": one}}


def test_a_poll_keeps_the_duration_that_nobody_writes(sandbox: Sandbox, wire: Wire) -> None:
    for duration in ("ONE_DAY", "SEVEN_DAYS"):
        post = sandbox.create_post(li_poll={"question": "Rye?", "duration": duration})["id"]
        for question in ("Oats?", "Spelt?"):
            response = wire.patch(f"/posts/{post}", {"li_poll": {"question": question}})
            assert response["li_poll"] == {"question": question, "duration": duration}


def test_details_follow_the_post(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    threads, bluesky = known["threads:bread"], known["bluesky:bread"]
    post = sandbox.create_post(selectedAccountIds=[threads], content="Old")["id"]
    (first,) = sandbox.read_post(post)["details"]
    wire.patch(
        f"/posts/{post}",
        {
            "content": "New https://shop.example/rolls",
            "selectedAccountIds": [bluesky, threads, bluesky],
            "customized": {"bluesky": {"content": "Sky"}},
        },
    )
    sky, there = sandbox.read_post(post)["details"]
    assert (there["id"], there["social_account_id"]) == (first["id"], threads)
    assert (sky["social_account_id"], sky["social_network"]) == (bluesky, "bluesky")
    assert (sky["content"], sky["is_customized"]) == ("Sky", True)
    assert (there["content"], there["is_customized"]) == ("New https://shop.example/rolls", False)
    assert there["link_preview"]["host"] == "shop.example"
    assert "link_preview" not in sky
    wire.patch(f"/posts/{post}", {"selectedAccountIds": [bluesky]})
    assert [each["id"] for each in sandbox.read_post(post)["details"]] == [sky["id"]]
    assert wire.get(f"/posts?socialAccountIds={threads}")["data"] == []
    assert len(wire.get(f"/posts?socialAccountIds={bluesky}")["data"]) == 1
    wire.patch(f"/posts/{post}", {"selectedAccountIds": [threads], "content": "https://a.example"})
    wire.patch(f"/posts/{post}", {"content": "No link"})
    assert "link_preview" not in sandbox.read_post(post)["details"][0]


def test_labels_are_written_by_identifier(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
    wire.patch(f"/posts/{post}", {"labelIds": [known["Rolls"], known["News"], known["Rolls"]]})
    path = f"/posts?groupId={known['Bakery']}&include=labels"
    assert [each["name"] for each in wire.get(path)["data"][0]["labels"]] == ["Rolls", "News"]
    refused = wire.patch(f"/posts/{post}", {"labelIds": [known["Tyres"]]}, 422)
    assert at_fault(refused) == ["labelIds.0"]
    moved = {"selectedAccountIds": [known["facebook:wheels"]], "labelIds": [known["Tyres"]]}
    wire.patch(f"/posts/{post}", moved)
    wire.patch(f"/posts/{post}", {"selectedAccountIds": [known["threads:bread"]], "labelIds": []})
    assert wire.get(path)["data"][0]["labels"] == []


@pytest.mark.parametrize("sent", [{}, {"notify_assignee": False}, {"notify_assignee": True}])
def test_assignees_are_notified_on_request(
    sandbox: Sandbox, wire: Wire, known: Ids, sent: dict[str, bool]
) -> None:
    post = sandbox.create_post()["id"]
    wire.patch(f"/posts/{post}", {"assigneesIds": [known["Tom"]], **sent})
    found = wire.get(f"/posts/{post}/activities")["data"]
    told = [each["data"] for each in found if each["event"] == "notifiedAssignees"]
    assert len(told) == sum(sent.values()) and all(known["Tom"] in each for each in told)
    assert len(found) - len(told) == 2, "it was made and changed"


# What is refused


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"selectedAccountIds": ["threads:bread", "1"]}, "selectedAccountIds.1"),
        ({"selected_media_ids": ["loaf.png", "1"]}, "selected_media_ids.1"),
        ({"assigneesIds": ["Tom", "1"]}, "assigneesIds.1"),
        ({"labelIds": ["News", "1"]}, "labelIds.1"),
        ({"customized": {"threads": {"media_ids": ["1"]}}}, "customized.threads.media_ids.0"),
        ({"pi_boards": {"1": {}}}, "pi_boards.1"),
        ({"pi_sections": {"1": {}}}, "pi_sections.1"),
        ({"yt_categories": {"1": "x"}}, "yt_categories.1"),
        ({"yt_playlists": {"1": "x"}}, "yt_playlists.1"),
        ({"first_comments": {"socialAccountIds": ["1"]}}, "first_comments.socialAccountIds.0"),
        (
            {"first_comments": {"customized": [{"socialAccountIds": ["1"]}]}},
            "first_comments.customized.0.socialAccountIds.0",
        ),
        ({"publication_date": "2026-02-30T00:00"}, "publication_date"),
        ({"gb_start_date": "2026-02-30 00:00:00"}, "gb_start_date"),
        ({"gb_end_date": "2080-01-01 00:00:00"}, "gb_end_date"),
    ],
)
def test_what_is_not_there_is_named_where_it_stands(
    sandbox: Sandbox, wire: Wire, known: Ids, body: Json, field: str
) -> None:
    post = sandbox.create_post()["id"]
    before = sandbox.world()
    sent = {
        name: [known.get(each, each) for each in value] if isinstance(value, list) else value
        for name, value in body.items()
    }
    assert at_fault(wire.patch(f"/posts/{post}", {"name": "New", **sent}, 422)) == [field]
    assert sandbox.world() == before


def test_first_comments_are_for_accounts_of_one_network_each(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    chosen = [known["threads:bread"], known["bluesky:bread"], known["pinterest:wheels"]]
    post = sandbox.create_post(selectedAccountIds=chosen)["id"]
    where = "first_comments.customized"
    for entries, field in (
        ([chosen[:2]], f"{where}.0.socialAccountIds"),
        ([chosen[:1], chosen[:1]], f"{where}.1.socialAccountIds"),
        ([chosen[2:]], f"{where}.0.socialAccountIds"),
        ([chosen[:1], ["1"]], f"{where}.1.socialAccountIds.0"),
        ([[]], f"{where}.0.socialAccountIds"),
    ):
        customized = [{"socialAccountIds": each} for each in entries]
        refused = wire.patch(f"/posts/{post}", {"first_comments": {"customized": customized}}, 422)
        assert at_fault(refused) == [field]


@settings(max_examples=30)
@given(
    st.data(),
    st.sampled_from(
        [
            {"labelIds": ["1"]},
            {"publication_date": "2026-02-30T00:00"},
            {"publication_delay_between": -5},
            {"first_comments": {"customized": [{}]}},
            {"yt_categories": {"1": "x"}},
        ]
    ),
)
def test_a_refused_update_changes_nothing(data: st.DataObject, wrong: Json) -> None:
    sandbox, known = shared()
    if "Atomic" not in known:
        known["Atomic"] = sandbox.create_post(
            name="Atomic", selectedAccountIds=[known["threads:bread"]]
        )["id"]
    before = sandbox.world()
    body = {**data.draw(bodies(known)), **wrong}
    wire = Wire(sandbox)
    assert wire("PATCH", f"/posts/{known['Atomic']}", body).status_code == 422
    assert sandbox.world() == before


# Who may change what


def test_nobody_changes_what_is_in_another_group(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
    before = sandbox.world()
    other = wire.of("max")
    assert list(other.patch(f"/posts/{post}", {}, 403)) == ["message"]
    moved = other.post("/posts-bulk/draft", {"is_draft": False, "post_ids": [post]})
    assert moved["post_ids"] == []
    other.delete(f"/posts-bulk?ids={post}")
    assert sandbox.world() == before
    tom, wheels = wire.of("tom"), known["facebook:wheels"]
    tom.patch(f"/posts/{post}", {"selectedAccountIds": [wheels]}, 403)
    for chosen in ([known["bluesky:bread"], wheels], [wheels, known["bluesky:bread"]]):
        tom.patch(f"/posts/{post}", {"selectedAccountIds": chosen}, 403)
    assert sandbox.world() == before
    wire.patch(f"/posts/{post}", {"selectedAccountIds": [known["threads:bread"], wheels]})
    tom.patch(f"/posts/{post}", {"selectedAccountIds": [wheels, known["threads:bread"]]})


# Deleting


def test_deleting_takes_posts_off_the_networks_that_allow_it(
    sandbox: Sandbox, wire: Wire, known: Ids
) -> None:
    chosen = [known["threads:bread"], known["bluesky:bread"], known["linkedin:bread"]]

    def published() -> str:
        return str(sandbox.create_post(selectedAccountIds=chosen, status="PUBLISHED")["id"])

    kept, taken = published(), published()
    wire.delete(f"/posts-bulk?ids={kept}")
    wire.delete(f"/posts-bulk?ids={kept},{taken}&{NETWORKS}=true")
    again = Sandbox(sandbox.world(), clock="frozen", rate_limit=None)
    for post, live in ((kept, {"threads", "bluesky", "linkedin"}), (taken, {"threads"})):
        for found in (sandbox.read_post(post), again.read_post(post)):
            assert found["status"] == 50
            links = {each["social_network"] for each in found["details"] if "post_link" in each}
            assert links == live


@pytest.mark.parametrize("integrated", [True, False])
def test_deleting_takes_tasks_along_on_request(integrated: bool) -> None:
    """Without the integration there is nothing that could remove them."""
    post = {"cu_task_id": "86a", "tasks": [{"name": "Bake"}]}
    held = world(organization={"task_integration": integrated}, posts=[post, post])
    with contextlib.closing(Sandbox(held, clock="frozen", rate_limit=None)) as sandbox:
        one, two = (each["id"] for each in sandbox.world()["posts"])
        Wire(sandbox).delete(f"/posts-bulk?ids={one}&{TASKS}=false")
        Wire(sandbox).delete(f"/posts-bulk?ids={two}&{TASKS}=true")
        kept, asked = sandbox.world()["posts"]
        assert (kept["cu_task_id"], len(kept["tasks"])) == ("86a", 1)
        assert ("cu_task_id" in asked, "tasks" in asked) == (not integrated, not integrated)
        assert ("cu_task_id" in sandbox.read_post(one)) is integrated


@pytest.mark.parametrize("flag", ["yes", "1", "", "True", f"true&{NETWORKS}=true"])
def test_a_flag_is_true_or_false(sandbox: Sandbox, wire: Wire, flag: str) -> None:
    post = sandbox.create_post()["id"]
    refused = wire.delete(f"/posts-bulk?ids={post}&{NETWORKS}={flag}", 422)
    assert at_fault(refused) == [NETWORKS]
    assert read(wire, post)["status"] == 5


# Drafts


def test_a_bulk_draft_says_what_it_did_not_do(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    strict, loose = [known["facebook:wheels"]], [known["threads:bread"]]
    published = sandbox.create_post(selectedAccountIds=loose, status="PUBLISHED")["id"]
    lonely = sandbox.create_post(selectedAccountIds=strict)["id"]
    wrong = sandbox.create_post(selectedAccountIds=strict, assigneesIds=[known["Max"]])["id"]
    approved = sandbox.create_post(selectedAccountIds=strict, assigneesIds=[known["Tom"]])["id"]
    plain = sandbox.create_post(selectedAccountIds=loose)["id"]
    dated = sandbox.create_post(publication_date="2026-12-24T09:00:00Z")["id"]
    failed = sandbox.create_post(selectedAccountIds=loose, status="FAILED")["id"]
    everything = [published, lonely, wrong, approved, "1", plain, plain, dated, failed]
    response = wire.post("/posts-bulk/draft", {"is_draft": False, "post_ids": everything})
    assert response == {
        "post_ids": [approved, plain, dated],
        "partial": True,
        "skipped_no_assignee": [lonely, wrong],
        "skipped_published": [published],
    }
    states = {each["id"]: each["status"] for each in sandbox.world()["posts"]}
    assert [states[each] for each in (published, lonely, wrong)] == [40, 5, 5]
    assert [states[each] for each in (approved, plain, dated, failed)] == [10, 1, 25, 35]
    response = wire.post("/posts-bulk/draft", {"is_draft": True, "post_ids": everything})
    assert response["post_ids"] == [lonely, wrong, approved, plain, dated, failed]
    assert response["skipped_published"] == [published]
    assert response["partial"] is True
    states = {each["id"]: each["status"] for each in sandbox.world()["posts"]}
    assert set(states.values()) == {5, 40}


def test_a_group_without_workflow_has_the_organizations() -> None:
    held = world(organization={"approval_workflow": 2})
    sandbox = Sandbox(held, clock="frozen", rate_limit=None)
    account = ids(sandbox)["threads:bread"]
    post = sandbox.create_post(selectedAccountIds=[account])["id"]
    response = Wire(sandbox).post("/posts-bulk/draft", {"is_draft": False, "post_ids": [post]})
    assert (response["partial"], response["skipped_no_assignee"]) == (True, [post])
    sandbox.close()


# Whatever is done


@settings(max_examples=12)
@given(st.data())
def test_whatever_is_done_the_world_can_be_taken_out_and_put_in(data: st.DataObject) -> None:
    sandbox = Sandbox(world(), clock="frozen", rate_limit=None)
    wire, known = Wire(sandbox), ids(sandbox)
    accounts = [known[each] for each in ("threads:bread", "bluesky:bread", "linkedin:bread")]
    posts = [
        sandbox.create_post(selectedAccountIds=accounts, assigneesIds=[known["Tom"]])["id"]
        for _ in range(3)
    ]
    for _ in range(data.draw(st.integers(1, 12))):
        post = data.draw(st.sampled_from(posts))
        match data.draw(
            st.sampled_from(["", "", "", "draft", "delete", "time", "control", "label"])
        ):
            case "draft":
                body = {"is_draft": data.draw(st.booleans()), "post_ids": posts}
                wire.post("/posts-bulk/draft", body)
            case "delete":
                wire.delete(f"/posts-bulk?ids={post}&{NETWORKS}=true")
            case "time":
                sandbox.advance(seconds=data.draw(st.integers(0, 300_000)))
            case "control":
                with contextlib.suppress(ControlError):
                    getattr(sandbox, data.draw(st.sampled_from(["approve", "reject", "fail"])))(
                        post
                    )
            case "label":
                wire("DELETE", f"/labels/{known[data.draw(st.sampled_from(['News', 'Rolls']))]}")
            case _:
                changed = wire("PATCH", f"/posts/{post}", data.draw(bodies(known)))
                assert changed.status_code in (200, 404, 422), changed.text
    again = Sandbox(sandbox.world(), clock="frozen", rate_limit=None)
    assert [again.read_post(each) for each in posts] == [sandbox.read_post(each) for each in posts]
    assert again.next_event() == sandbox.next_event()
    sandbox.close()
    again.close()
