"""Worlds written by hand: what is filled in, and what is reported about mistakes."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from social_publishing_sandbox import worlds
from social_publishing_sandbox.state import ids, times, yamls
from social_publishing_sandbox.state.reading import written
from social_publishing_sandbox.worlds.shapes import KINDS
from social_publishing_sandbox.worlds.statuses import Status

Json = dict[str, Any]

NOW = times.parse("2026-12-01T09:00:00Z")
BARE: Json = {"format": 1, "users": [{"token": "t"}]}


def example() -> str:
    """The example of the documentation."""
    text = worlds.__doc__ or ""
    found = re.search(r"^    \{.*?\}$", text, re.MULTILINE | re.DOTALL)
    assert found
    return found[0]


def elsewhere(value: Any) -> Any:
    """A value in which each date-time is one of another zone, within the same second."""
    if isinstance(value, dict):
        return {name: elsewhere(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [elsewhere(inner) for inner in value]
    if not re.match(r"\d{4}-\d\d-\d\dT", str(value)):
        return value
    moment = datetime.fromisoformat(value).astimezone(timezone(timedelta(hours=2)))
    return moment.replace(microsecond=250_000).isoformat()


def rich() -> Json:
    """A world with something in every list."""
    return {
        "format": 1,
        "now": "2026-12-01T09:00:00Z",
        "organization": {"name": "Two", "approval_workflow": 1, "task_integration": True},
        "users": [{"token": "ada", "name": "Ada"}, {"token": "tom", "name": "Tom"}],
        "groups": [
            {"name": "Bakery", "max_social_accounts": 2},
            {"name": "Shop", "author_id": "Tom", "approval_workflow": "STRICT"},
        ],
        "social_accounts": [
            {"socialNetwork": "threads", "username": "bread"},
            {"socialNetwork": "bluesky", "username": "bread"},
            {"socialNetwork": "youtube", "username": "shop", "group_id": "Shop"},
        ],
        "labels": [{"name": "Hot", "color": "RED"}],
        "media": [{"client_name": "loaf.jpg"}, {"client_name": "film.mp4", "type": "VIDEO"}],
        "posts": [
            {
                "name": "First",
                "content": "Bread https://example.com/bread",
                "publication_date": "2026-11-30T07:00:00Z",
                "publication_delay_between": 10,
                "selectedAccountIds": ["threads:bread", "bluesky:bread"],
                "customized": {"bluesky": {"content": "Bread!"}},
                "labelIds": ["Hot"],
                "selected_media_ids": ["loaf.jpg"],
                "assigneesIds": ["Tom"],
                "comments": [{"user_id": "Tom", "content": "Yes"}],
                "first_comments": {"enabled": True, "socialAccountIds": ["threads:bread"]},
            },
            {"content": "Film", "selectedAccountIds": ["shop"], "selected_media_ids": ["film.mp4"]},
            {"status": "SCHEDULED", "publication_date": "2026-12-24T17:00:00Z", "user_id": "Tom"},
        ],
        "calendar_notes": [
            {"title": "Market", "start_date": "2026-12-05T07:00:00Z", "group_id": "Bakery"}
        ],
        "activities": [{"post_id": "First", "user_id": "Ada"}],
    }


def problems(world: Any) -> list[str]:
    with pytest.raises(worlds.BadWorld) as raised:
        worlds.load(world)
    return [str(each) for each in raised.value.problems]


def changed(place: str, value: Any) -> Json:
    """The rich world with the value at a place, such as `users.0.id`, replaced or added."""
    world = rich()
    *path, last = (int(step) if step.isdigit() else step for step in place.split("."))
    owner: Any = world
    for step in path:
        owner = owner[step]
    if isinstance(owner, list) and last == len(owner):
        owner.append(value)
    else:
        owner[last] = value
    return world


def test_the_documented_example_loads() -> None:
    world = worlds.load(json.loads(example()))
    assert len(example().splitlines()) <= 12
    post = world["posts"][0]
    assert post["status"] == 25
    assert [each["social_network"] for each in post["details"]] == ["threads", "bluesky"]
    assert {each["group_id"] for each in world["social_accounts"]} == {world["groups"][0]["id"]}
    assert world["users"][1]["groupIds"] == [world["groups"][0]["id"]]


def test_what_is_left_out_is_filled_in(golden: Any) -> None:
    """In each kind of object, and in posts of every fate."""
    world = rich()
    world["users"][0]["email"] = "ada@x.org"
    world["users"][1] |= {"is_client": True, "groupIds": ["Bakery"]}
    world["users"].append({"token": "max", "created_at": "-500d"})
    world["groups"].append({"name": "New", "created_at": "-10d", "week_start_day": 1})
    pictures = {"socialNetwork": "instagram", "name": "Pictures", "group_id": "Shop"}
    world["social_accounts"] += [{"socialNetwork": "pinterest", "group_id": "New"}, pictures]
    world["labels"] += [{}, {"group_id": "Shop"}]
    world["media"] += [
        {"client_name": "Scan.PDF", "sandbox": {}},
        {"client_name": "none", "user_id": "ada@x.org", "created_at": "-5m"},
        {"width": 640, "height": 470},
        {"client_name": "seen.gif", "sandbox": {}},
    ]
    two, story = ["threads:bread", "bluesky:bread"], ["loaf.jpg", "film.mp4"]
    past = {"publication_date": "-2d", "publication_delay_between": 60}
    world["posts"] += [
        {"content": "Now", "publication_date": "+0d", "selectedAccountIds": ["bluesky:bread"]},
        {"status": "SKIPPED", "selectedAccountIds": ["Pictures"], "customized": {}},
        {"status": "DELETED", "selectedAccountIds": two[:1], "details": [{"status": 40}], **past},
        {
            "status": 35,
            "selectedAccountIds": two,
            "details": [{"status": 35}, {"status": 40}],
            **past,
        },
        {
            "selectedAccountIds": ["Pictures"],
            "selected_media_ids": story,
            "ig_post_type": 3,
            **past,
        },
        {"selectedAccountIds": ["Pictures"], "selected_media_ids": story[1:], **past},
    ]
    world["calendar_notes"].append({"start_date": "+1d 08:00 Europe/Berlin", "series": "s"})
    world["activities"].append({"post_id": "First", "source": 3, "event": "seen", "data": "[]"})
    loaded = worlds.load(world)
    lines = [json.dumps(loaded["organization"])]
    lines += [f"{kind} {json.dumps(each)}" for kind in KINDS for each in loaded[kind]]
    file = Path(__file__).parent / "sessions" / "loaded.lines"
    golden(file, "\n".join([*lines, ""]))


@pytest.mark.parametrize(
    ("place", "value", "what"),
    [
        ("users.1.inviter_id", "nobody", "user"),
        ("users.1.groupIds", ["Bakery", "nobody"], "group"),
        ("users.1.organization_id", "nobody", "organization"),
        ("groups.0.author_id", "nobody", "user"),
        ("groups.0.default_assignee_ids", ["nobody"], "user"),
        ("social_accounts.0.user_id", "nobody", "user"),
        ("social_accounts.0.group_id", "nobody", "group"),
        ("labels.0.group_id", "nobody", "group"),
        ("media.0.user_id", "nobody", "user"),
        ("posts.0.user_id", "nobody", "user"),
        ("posts.0.assigneesIds", ["Tom", "nobody"], "user"),
        ("posts.0.labelIds.0", "nobody", "label"),
        ("posts.0.selected_media_ids.0", "nobody", "file"),
        ("posts.0.customized.bluesky.media_ids", ["nobody"], "file"),
        ("posts.0.image_tags", [{"media_id": "nobody"}], "file"),
        ("posts.0.image_tags", [{"social_account_id": "nobody"}], "social account"),
        ("posts.0.first_comments.socialAccountIds.0", "nobody", "social account"),
        (
            "posts.0.first_comments.customized",
            {"threads": {"socialAccountIds": ["nobody"]}},
            "social account",
        ),
        ("posts.0.details", [{"social_account_id": "nobody"}, {}], "social account"),
        ("posts.0.comments.0.user_id", "nobody", "user"),
        ("posts.0.tasks", [{"user_id": "nobody"}], "user"),
        ("posts.0.approvals", [{"user_id": "nobody"}], "user"),
        ("calendar_notes.0.user_id", "nobody", "user"),
        ("calendar_notes.0.group_id", "nobody", "group"),
        ("activities.0.post_id", "nobody", "post"),
        ("activities.0.user_id", "nobody", "user"),
    ],
)
def test_a_name_that_nobody_has_is_refused(place: str, value: Any, what: str) -> None:
    found = problems(changed(place, value))
    assert any(each.endswith(f": there is no {what} 'nobody'") for each in found), found


@pytest.mark.parametrize("state", Status)
def test_which_states_need_a_date(state: Status) -> None:
    needs = {"REVIEW_MISSED", "SCHEDULED", "IN_PROGRESS", "FAILED", "PUBLISHED"}
    world = changed("posts.1.status", state.value)
    if state.name in needs:
        expected = f"posts[1].publication_date: is missing: the post is {state.name}"
        assert problems(world) == [expected]
    else:
        assert worlds.load(world)["posts"][1]["status"] == state


def test_names_become_identifiers() -> None:
    world = worlds.load(rich())
    ada, tom = (each["id"] for each in world["users"])
    threads, bluesky, youtube = (each["id"] for each in world["social_accounts"])
    first, film, _ = world["posts"]
    assert world["groups"][1]["author_id"] == tom
    assert first["selectedAccountIds"] == [threads, bluesky]
    assert first["first_comments"]["socialAccountIds"] == [threads]
    assert first["comments"][0]["user_id"] == tom
    assert film["selectedAccountIds"] == [youtube]
    assert world["activities"][0]["post_id"] == first["id"]
    assert world["activities"][0]["user_id"] == ada


def test_an_identifier_stands_for_itself_also_where_it_is_the_name_of_another() -> None:
    groups = [{"name": "9032915132417572870"}, {"id": "9032915132417572870", "name": "Rye"}]
    account = {"socialNetwork": "threads", "group_id": "9032915132417572870"}
    for order in (groups, groups[::-1]):
        held = {"format": 1, "users": [{"token": "a"}], "groups": order}
        loaded = worlds.load({**held, "social_accounts": [account]})
        assert loaded["social_accounts"][0]["group_id"] == account["group_id"]


def test_what_names_nobody_belongs_to_the_first_of_several() -> None:
    """Of two users and two groups: also where others are named beside it."""
    world = worlds.load(rich())
    ada, tom = (each["id"] for each in world["users"])
    bakery, shop = (each["id"] for each in world["groups"])
    threads, bluesky, youtube = world["social_accounts"]
    assert [each["group_id"] for each in (threads, bluesky, youtube)] == [bakery, bakery, shop]
    assert [each["author_id"] for each in world["groups"]] == [ada, tom]
    assert [each["user_id"] for each in world["posts"]] == [ada, ada, tom]
    for kind in ("social_accounts", "media", "calendar_notes"):
        assert {each["user_id"] for each in world[kind]} == {ada}, kind
    assert [each["role"] for each in world["users"]] == ["owner", "member"]


def test_given_identifiers_are_kept_and_never_made_again() -> None:
    world = rich()
    taken = worlds.load(rich())["posts"][0]["id"]
    world["users"][0]["id"] = taken
    loaded = worlds.load(world)
    assert loaded["users"][0]["id"] == taken
    found = [each["id"] for kind in KINDS for each in loaded[kind]]
    assert len(set(found)) == len(found)
    assert ids.made_at(loaded["posts"][1]["id"]) == times.parse(loaded["posts"][1]["created_at"])


@pytest.mark.parametrize(
    ("world", "reason"),
    [
        ([], "must be an object"),
        ({}, "format: is missing"),
        ({"format": 2, "users": []}, "format: must be 1"),
        ({"format": 1}, "users: must have at least one user with a token"),
        ({"format": 1, "users": [{}]}, "users[0].token: is missing"),
        ({"format": 1, "users": {}}, "users: must be a list"),
        ({"format": 1, "users": [3]}, "users[0]: must be an object"),
        ({**BARE, "post": []}, "post: is not known here; did you mean 'posts'?"),
        ({**BARE, "now": "today"}, "now: must be a date-time between 1970 and 2080, such as"),
    ],
)
def test_a_mistake_is_named(world: Any, reason: str) -> None:
    if isinstance(world, list):
        with pytest.raises(worlds.BadWorld, match=reason):
            worlds.load(_file(world))
        return
    found = problems(world)
    assert len(found) == 1, found
    assert reason in found[0]


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("users.1.token", "ada", "is the same as that of users[0]"),
        ("users.0.token", "a b", "must be text of printable ASCII"),
        ("users.0.id", "x", "must be an identifier: a whole number of 64 bits"),
        ("users.0.id", "9" * 20, "must be a whole number of 64 bits"),
        ("groups.0.timezone", "Mars/Base", "there is no time zone 'Mars/Base'"),
        ("groups.0.max_social_accounts", 1, "is 1, but the group has 2 accounts"),
        ("groups.0.max_social_accounts", 0, "is 0, but the group has 2 accounts"),
        ("groups.0.titel", "x", "is not known here"),
        ("social_accounts.0", {}, "social_accounts[0].socialNetwork: is missing"),
        ("calendar_notes.0", {}, "calendar_notes[0].start_date: is missing"),
        ("activities.0", {}, "activities[0].post_id: is missing"),
        ("posts.1.id", "18446744073709551616", "must be a whole number of 64 bits"),
        ("labels.0.color", 12, "must be one of RED (1), GREEN (2)"),
        ("posts.0.selectedAccountIds.0", "bred", "there is no social account 'bred'"),
        (
            "posts.0.selectedAccountIds.0",
            "bread",
            "'bread' is ambiguous, it is the name of 2 social accounts",
        ),
        ("posts.0.status", 26, "must be one of NOT_SCHEDULE (1), DRAFT (5)"),
        ("posts.0.status", "SHEDULED", "must be one of NOT_SCHEDULE (1), DRAFT (5)"),
        (
            "posts.1.status",
            "SCHEDULED",
            "posts[1].publication_date: is missing: the post is SCHEDULED",
        ),
        (
            "posts.2.status",
            "PUBLISHED",
            "posts[2].publication_date: is in the future, but the post is PUBLISHED",
        ),
        ("posts.0.publication_timestamp", 5, "is not publication_date in milliseconds"),
        ("posts.0.publication_delay_between", -1, "must be 0 to 10080 minutes"),
        ("posts.0.publication_delay_between", 10_081, "must be 0 to 10080 minutes"),
        (
            "posts.1.publication_timestamp",
            5,
            "posts[1].publication_date: is missing: publication_timestamp is given",
        ),
        (
            "posts.0.selectedAccountIds.1",
            "threads:bread",
            "posts[0].selectedAccountIds: contains an account twice",
        ),
        ("posts.0.labelIds.1", "Hot", "posts[0].labelIds: contains a label twice"),
        ("labels.0.id", str(2**64 - 1), "labels[0].id: must be at most 184"),
        ("posts.0.id", ids.at(ids.LAST + 1, 0), "posts[0].id: must be at most 184"),
        (
            "posts.0.details",
            [{}],
            "must have one entry for each of the 2 selected accounts, or left out",
        ),
        (
            "posts.0.details",
            [{"social_account_id": "bluesky:bread"}, {}],
            "posts[0].details[0].social_account_id: must be in the order of selectedAccountIds",
        ),
        (
            "posts.0.customized",
            {"twiter": {}},
            "posts[0].customized.twiter: is not known here; did you mean 'twitter'?",
        ),
        ("calendar_notes.0.end_date", "2026-12-05T06:59:59Z", "is before start_date"),
        ("users.0.name", "\ud800", "contains a value that JSON cannot"),
        ("users.0.name", {"Ada"}, "contains a value that JSON cannot"),
    ],
)
def test_a_wrong_member_is_named(place: str, value: Any, reason: str) -> None:
    """Its place stands before the reason, unless the reason has another one."""
    (problem,) = problems(changed(place, value))
    where = written(tuple(int(step) if step.isdigit() else step for step in place.split(".")))
    assert problem.startswith((f"{where}: {reason}", reason))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _file(world: Any, text: str | None = None) -> Path:
    path = Path("world.json")
    path.write_text(json.dumps(world, indent=1) if text is None else text, encoding="utf-8")
    return path


def test_all_mistakes_are_reported_at_once() -> None:
    world = rich()
    world["posts"][0]["labelIds"] = ["Cold", "Hot"]
    world["posts"][1]["selectedAccountIds"] = ["nobody"]
    world["groups"][0]["max_social_accounts"] = 1
    assert problems(world) == [
        "posts[0].labelIds[0]: there is no label 'Cold'",
        "posts[1].selectedAccountIds[0]: there is no social account 'nobody'",
        "groups[0].max_social_accounts: is 1, but the group has 2 accounts",
    ]


def test_a_mistake_in_a_file_has_its_line() -> None:
    text = example().replace('"threads:bakery"', '"threads:bakry"').replace('"title"', '"titel"')
    with pytest.raises(worlds.BadWorld) as raised:
        worlds.load(_file(None, text))
    assert str(raised.value) == (
        "world.json: line 10, calendar_notes[0].titel: is not known here; did you mean 'title'?"
    )
    with pytest.raises(worlds.BadWorld) as raised:
        worlds.load(_file(None, text.replace("titel", "title")))
    assert str(raised.value) == (
        "world.json: line 9, posts[0].selectedAccountIds[0]: "
        "there is no social account 'threads:bakry'"
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "world.json: line 1: not JSON"),
        (b'{"format": 1,\n"users": [}', "world.json: line 2: not JSON"),
        (b"\xff\xfe", "world.json: is not UTF-8 text"),
        (
            b'{"format": 1, "users": [{"token": "\\ud83d\\ude00"}],\n\t"labls": []}',
            "world.json: line 2, labls: is not known here",
        ),
        (b'{"format": 1, "users": [], "users": []}', "an object contains the member 'users' twice"),
        (b"[" * 100_000, "world.json: "),
        (b'{"format": NaN}', "world.json: "),
    ],
)
def test_a_file_that_is_no_json_is_refused(content: bytes, reason: str) -> None:
    Path("world.json").write_bytes(content)
    with pytest.raises(worlds.BadWorld, match=re.escape(reason)):
        worlds.load("world.json")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(["2026-12-01T09:00:00Z", "1", "Ada", "bread", "PUBLISHED", "UTC"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container and key of a value."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@given(data=st.data())
@settings(max_examples=100)
def test_whatever_is_wrong_is_a_bad_world_and_nothing_else(data: st.DataObject) -> None:
    world = rich()
    for _ in range(data.draw(st.integers(1, 3))):
        owner, key = data.draw(st.sampled_from(places(world)))
        owner[key] = data.draw(JSON)
    try:
        loaded = worlds.load(world)
    except worlds.BadWorld as error:
        assert error.problems
        assert all(each.reason for each in error.problems)
    else:
        assert worlds.load(loaded) == loaded


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("suffix", ["yaml", "yml", "YAML", "json", "Json"])
def test_a_world_may_be_yaml_or_json(suffix: str, encoding: str) -> None:
    text = json.dumps(rich()) if suffix.lower() == "json" else yamls.dump(rich())
    Path(f"world.{suffix}").write_text(text, encoding=encoding)
    assert worlds.load(f"world.{suffix}") == worlds.load(rich())


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("format: 1\nusers:\n- token: a\n- nam: b\n", "line 4, users[1].nam: is not known here"),
        ("format: 1\nusers:\n- {token: a}\n- {name: b}\n", "line 4, users[1].token: is missing"),
        ("format: 1\nformat: 1\n", "line 2: not YAML: the key appears twice"),
        ("format: 1\nusers: [\n", "line 3: not YAML: "),
        ("", "line 1: not YAML: the file is empty"),
    ],
)
def test_a_mistake_in_yaml_has_its_line(content: str, reason: str) -> None:
    Path("world.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(worlds.BadWorld, match=re.escape(f"world.yaml: {reason}")):
        worlds.load("world.yaml")


def test_the_file_of_a_seeded_world_is_a_world_like_others() -> None:
    world = worlds.load(Path(worlds.__file__).with_name("small.yaml"))
    made = worlds.make("small", seed=1, now=NOW)
    assert {each["id"] for each in world["groups"]} == {each["id"] for each in made["groups"]}


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("-1d", "2026-11-30T09:00:30Z"),
        ("+0.5d", "2026-12-01T21:00:30Z"),
        ("-12m", "2026-12-01T08:48:00Z"),
        ("+1d 08:00", "2026-12-02T08:00:00Z"),
        ("+0d 00:30 Asia/Kolkata", "2026-11-30T19:00:00Z"),
        ("+0d 06:30 Pacific/Honolulu", "2026-11-30T16:30:00Z"),  # where it is still yesterday
        ("-270d 08:00 Europe/Berlin", "2026-03-06T07:00:00Z"),
        ("-240d 08:00 Europe/Berlin", "2026-04-05T06:00:00Z"),
        ("-99999d", "1970-01-01T00:00:00Z"),
    ],
)
def test_a_moment_may_count_from_now(written: str, moment: str) -> None:
    groups = [{"created_at": written}]
    world = worlds.load({**BARE, "now": "2026-12-01T09:00:30Z", "groups": groups})
    assert world["groups"][0]["created_at"] == moment


def test_every_moment_is_in_utc() -> None:
    world = worlds.make("small", seed=1, now=NOW)
    assert elsewhere(world) != world
    assert worlds.load(elsewhere(world)) == world


@pytest.mark.parametrize("written", ["1d", "-1", "+1d 25:00", "+1d 08:00 Mars/Base", "+99999d"])
def test_what_counts_from_now_wrongly_is_no_moment(written: str) -> None:
    with pytest.raises(worlds.BadWorld, match=r"created_at: must be a date-time"):
        worlds.load({**BARE, "groups": [{"created_at": written}]})


def test_a_file_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(worlds.BadWorld, match=r"none\.json: cannot be read: No such file"):
        worlds.load("none.json")
    with pytest.raises(worlds.BadWorld, match="cannot be read: Is a directory"):
        worlds.load(Path("."))


def test_a_missing_member_is_on_the_line_of_its_owner() -> None:
    with pytest.raises(worlds.BadWorld, match=re.escape("line 3, users[1].token: is missing")):
        worlds.load(_file(None, '{"format": 1, "users": [\n {"token": "a"},\n {"name": "b"}]}'))
