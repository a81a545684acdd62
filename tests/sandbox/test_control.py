"""What tests do to a sandbox from Python: clock, objects, reviews, faults, snapshots, settings."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire import Wire, everything

from social_publishing_sandbox import ControlError, Sandbox, worlds
from social_publishing_sandbox.api.faults.kinds import BadFault
from social_publishing_sandbox.api.media.drawing import draw
from social_publishing_sandbox.control.control import milliseconds
from social_publishing_sandbox.control.objects import MADE, create
from social_publishing_sandbox.state import ids
from social_publishing_sandbox.state.file_types import file_type

START = datetime(2026, 12, 1, 9, tzinfo=UTC)


@pytest.fixture
def sandbox(anew: Sandbox) -> Sandbox:
    return anew


def review_post(sandbox: Sandbox, **fields: Any) -> str:
    """A post in review, due in a day."""
    given = {"status": "IN_REVIEW", "publication_date": sandbox.now + timedelta(days=1), **fields}
    identifier: str = sandbox.create_post(content="Please look", **given)["id"]
    return identifier


def refused(wanted: str, use: Callable[[], Any]) -> ControlError:
    with pytest.raises(ControlError) as caught:
        use()
    assert wanted in str(caught.value)
    return caught.value


# The clock


def test_the_clock_moves_forward(sandbox: Sandbox) -> None:
    assert sandbox.now == START
    assert sandbox.advance(days=1, hours=2, minutes=3, seconds=4.5) == START + timedelta(
        days=1, hours=2, minutes=3, seconds=4.5
    )
    moment = datetime(2026, 12, 24, 17, tzinfo=UTC)
    for _ in range(2):  # where it stands already it may be set to
        assert sandbox.set_clock("2026-12-24T18:00:00+01:00") == moment
    assert sandbox.advance() == moment


def test_the_clock_goes_up_to_its_last_moment(sandbox: Sandbox) -> None:
    last = datetime.fromtimestamp(ids.LAST / 1_000, UTC)
    assert sandbox.set_clock(last) == last
    refused("the clock ends at", lambda: sandbox.advance(seconds=0.001))
    assert int(sandbox.create_label(name="Last")["id"]) < 1 << 64


def test_whatever_changes_the_clock_is_announced(sandbox: Sandbox) -> None:
    """A page that shows the clock follows it."""
    told: list[str] = []

    def hear(event: str, facts: Any) -> None:
        if event == "clock":
            told.append(facts["now"])

    sandbox.service.listeners.append(hear)
    sandbox.advance(hours=1)
    sandbox.set_clock("2026-12-02T09:00:00Z")
    sandbox.set_clock(mode="x60")
    sandbox.service.listeners.remove(hear)
    assert told[:2] == ["2026-12-01T10:00:00Z", "2026-12-02T09:00:00Z"]
    assert len(told) == 3 and told[2] >= told[1]


@pytest.mark.parametrize(
    ("use", "reason", "field"),
    [
        (lambda each: each.advance(seconds=-1), "seconds: the clock only moves forward", "seconds"),
        (lambda each: each.advance(days=1e12), "the step is too long", "days"),
        (lambda each: each.advance(days=float("nan")), "days must be a number", "days"),
        (lambda each: each.advance(days="1"), "days must be a number", "days"),
        (lambda each: each.advance(days=365 * 200), "the clock ends at 20", "days"),
        # Of several amounts, the one that is to blame.
        (lambda each: each.advance(days=1, hours=-30), "hours: the clock only moves", "hours"),
        (lambda each: each.advance(days=-2, hours=30), "days: the clock only moves", "days"),
        (lambda each: each.advance(days=1, hours=24 * 365 * 200), "the clock ends at 20", "hours"),
        (lambda each: each.advance(days=1, seconds=1e18), "the step is too long", "seconds"),
        (lambda each: each.set_clock("2026-12-01T08:59:59Z"), "only moves forward", "now"),
        (lambda each: each.set_clock("9999-01-01"), "the clock ends at 20", "now"),
        (lambda each: each.set_clock("tomorrow"), "now must be a date-time such as", "now"),
        (
            lambda each: each.set_clock(datetime(2027, 1, 1)),
            "now must be a datetime with a time zone",
            "now",
        ),
        (lambda each: each.set_clock(1_800_000_000), "now must be a datetime or a text", "now"),
        (lambda each: each.set_clock(mode="x0"), "mode must be real, frozen, or x", "mode"),
        (lambda each: each.set_clock("2027-01-01T00:00:00Z", mode="slow"), "mode must", "mode"),
        (lambda each: each.set_clock("2020-01-01T00:00:00Z", mode="x60"), "only moves", "now"),
    ],
)
def test_steps_that_cannot_be(
    sandbox: Sandbox, use: Callable[[Sandbox], Any], reason: str, field: str | None
) -> None:
    before = everything(sandbox)
    assert refused(reason, lambda: use(sandbox)).field == field
    assert (sandbox.now, sandbox.clock_mode) == (START, "frozen")
    assert everything(sandbox) == before


@given(
    moment=st.datetimes(timezones=st.just(UTC))
    | st.datetimes(datetime(2026, 12, 2), datetime(2085, 1, 1), timezones=st.just(UTC)),
    as_text=st.booleans(),
)
def test_any_moment_is_taken_exactly_or_refused(
    shared: Sandbox, moment: datetime, as_text: bool
) -> None:
    shared.reset({"format": 1, "users": [{"token": "t"}], "now": "2026-12-01T09:00:00Z"})
    moment = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    try:
        got = shared.set_clock(moment.isoformat() if as_text else moment)
    except ControlError:
        assert moment < START or moment.year > 2085
        assert shared.now == START
    else:
        assert got == shared.now == moment
        identifier = shared.create_label(name="still")["id"]
        assert int(identifier) < 1 << 64


def test_the_next_event_happens_when_the_clock_gets_there(sandbox: Sandbox) -> None:
    post = sandbox.create_post(
        status="SCHEDULED", content="Soon", publication_date=START + timedelta(milliseconds=1500)
    )
    at = sandbox.next_event()
    assert at is not None
    sandbox.set_clock(at)
    following = sandbox.next_event()
    assert following is None or following > at
    assert sandbox.read_post(post["id"])["status"] != 25 or at < START + timedelta(seconds=1)


def test_a_long_way_lets_others_have_their_turn(sandbox: Sandbox) -> None:
    """A year takes a while where there are many posts; nobody has to wait for all of it."""
    taken: list[datetime] = []
    lock, ended = sandbox.service.store.lock, threading.Event()

    def look() -> None:
        while not ended.is_set():
            with lock:
                taken.append(sandbox.now)
            time.sleep(0.001)  # a lock that is taken again at once is never given to anybody else

    looking = threading.Thread(target=look)
    looking.start()
    end = sandbox.advance(days=2000)
    ended.set()
    looking.join()
    assert any(START < each < end for each in taken)


# Objects


OBJECTS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "posts": (
        "post",
        (),
        (
            *("user", "socialAccounts", "details", "media", "labels", "should_skip"),
            *("publication_timestamp", "published_at", "approved_at"),
            *("content_weighted_length", "has_customized_content"),
        ),
    ),
    "groups": ("group", ("name",), ("socialAccounts", "socialAccountsCount")),
    "social_accounts": ("social account", ("group_id", "socialNetwork"), ("user",)),
    "users": ("user", ("name",), ()),
    "labels": ("label", ("name",), ()),
    "calendar_notes": (
        "calendar note",
        ("title", "start_date", "end_date"),
        ("end_date_extra_day",),
    ),
}
"""What one of a kind is called, what has to be given, and what cannot be."""


@pytest.mark.parametrize("kind", OBJECTS)
def test_what_has_to_be_given_and_what_cannot_be(anew: Sandbox, kind: str) -> None:
    one, needs, made = OBJECTS[kind]
    dates = {"start_date": "2026-12-05T09:00:00Z", "end_date": "2026-12-05T09:00:00Z"}
    group = anew.find("groups")[0].id
    known = {"name": "x", "title": "x", "group_id": group, "socialNetwork": "threads", **dates}
    given = {name: known[name] for name in needs}
    before = anew.world()
    for name in needs:
        rest = {key: value for key, value in given.items() if key != name}
        with pytest.raises(ControlError, match=f"^a {one} needs the field {name}$"):
            anew.create(kind, rest)
    for name in ("id", "organization_id", "created_at", "updated_at", *made):
        with pytest.raises(ControlError, match=f"^the field {name} of a {one} cannot be set$"):
            anew.create(kind, {**given, name: None})
    assert anew.world() == before
    anew.create(kind, given)
    assert anew.world() != before


@pytest.mark.parametrize(
    ("use", "reason"),
    [
        (lambda each: each.find("post"), "there are no 'post'; there are posts, groups"),
        (lambda each: each.create("media", {}), "there are no 'media'; there are posts"),
        (lambda each: each.create_post(contnt="x"), "a post has no field 'contnt'"),
        (
            lambda each: each.create_post(publication_date=datetime(2027, 1, 1)),
            "publication_date must be a datetime with a time zone",
        ),
        (lambda each: each.create_post(status="SCHEDULED"), "needs the field publication_date"),
        (lambda each: each.create_post(selectedAccountIds=["1"]), "there is no social account '1'"),
        (
            lambda each: each.create_post(selectedAccountIds=["kornblume.bakery"]),
            "the name of 3 social accounts",
        ),
        (lambda each: each.create_post(labelIds=5), "labelIds must be a list"),
        (lambda each: each.create_post(labelIds=[5]), "labelIds: must be a text"),
        (lambda each: each.create_label(name=7), "the field name must be text"),
        (lambda each: each.create_group(name="x", max_social_accounts=-3), "must be at least 1"),
        (
            lambda each: each.create_post(publication_date="soon"),
            "the field publication_date must be a date-time with its offset",
        ),
        (lambda each: each.find("posts", status="SHEDULED"), "there is no 'SHEDULED'; there are N"),
        (lambda each: each.find("posts", status=26), "the field status must be one of 1, 5, 10"),
        (
            lambda each: each.find("posts", user_id="me"),
            "must be an identifier: a whole",
        ),
        (
            lambda each: each.create_post(content="x", publication_delay_between=-1),
            "publication_delay_between must be 0 to 10,080 minutes",
        ),
        (lambda each: each.create_user(name="x", token=each.token), "another user has this token"),
        (lambda each: each.read_post("x"), "there is no post x"),
        (lambda each: each.fail("1"), "there is no post 1"),
        (lambda each: each.expire_connection("1"), "there is no social account 1"),
        (lambda each: each.refresh_connection("1"), "there is no social account 1"),
        (lambda each: each.forget_snapshot("x"), "there is no snapshot 'x'"),
        (lambda each: each.restore("x"), "there is no snapshot 'x'"),
        (lambda each: each.snapshot(7), "name must be a text"),
        (lambda each: each.reset("agency", seed=2**63), "at most 63 bits"),
        (lambda each: each.limit(5, window=0), "window must be"),
        (lambda each: each.limit(0, window=5), "requests must be"),
        (lambda each: each.configure(rate_limit=5, nulls=True, processing=-1), "processing must"),
        (lambda each: each.configure(nulls=True, nils=True), "there is no setting 'nils'"),
        (lambda each: each.add_fault("status", user="Zz"), "user: 'Zz': there is no such user"),
        (lambda each: each.switch_fault("x", on=False), "there is no fault 'x'"),
        (lambda each: each.remove_fault("x"), "there is no fault 'x'"),
        (lambda each: each.reject("1", reason="x"), "there is no post 1"),
        (lambda each: each.reschedule("1", "2027-01-01"), "there is no post 1"),
        (lambda each: each.reschedule("1", "soon"), "publication_date must be a date-time"),
        (lambda each: each.expire_connection("1", "soon"), "at must be a date-time"),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    sandbox: Sandbox, use: Callable[[Sandbox], Any], reason: str
) -> None:
    before = sandbox.world()
    refused(reason, lambda: use(sandbox))
    assert sandbox.world() == before


@pytest.mark.parametrize("old", ["9", "9" * 19])
def test_what_is_new_comes_after_all_there_is(sandbox: Sandbox, old: str) -> None:
    """Whichever identifier has the most digits, or would be the last as a text."""
    young = ids.at(milliseconds(START, "now"), 3)
    labels = [{"id": young, "name": "young"}, {"id": old, "name": "old"}]
    world = {"format": 1, "now": START.isoformat(), "users": [{"token": "t"}], "labels": labels}
    sandbox.reset(world)
    made = [int(sandbox.create_label(name=name)["id"]) for name in "abc"]
    assert made == [int(young) + 1, int(young) + 2, int(young) + 3]
    assert [each.name for each in sandbox.find("labels")] == ["old", "young", "a", "b", "c"]


def test_a_world_keeps_the_order_of_its_lists(sandbox: Sandbox) -> None:
    def lists(world: dict[str, Any]) -> list[Any]:
        fields = ("labelIds", "selectedAccountIds", "selected_media_ids", "details")
        posts = (each for each in world["posts"] if each["status"] != 30)  # that changes by itself
        return [[each.get(field, []) for field in fields] for each in posts]

    for _ in range(2):
        held = sandbox.world()
        for each in itertools.chain(*lists(held)):
            each.reverse()
        sandbox.reset(held)
        assert lists(sandbox.world()) == lists(held)


def test_who_is_meant_where_nobody_is_named() -> None:
    """The owner, though others are older; and of several with one role, the oldest."""
    roles = {"Early": "member", "Ada": "owner", "Bo": "owner", "Late": "member"}
    users = [{"name": name, "token": name, "role": roles[name]} for name in roles]
    groups = [{"name": "First", "author_id": "Bo"}, {"name": "Second", "author_id": "Bo"}]
    world = {"format": 1, "now": START.isoformat(), "users": users, "groups": groups}
    sandbox = Sandbox(world, clock="frozen")
    known = {each.name: each.id for each in sandbox.find("users")}
    assert [*known] == [*roles]
    assert [*sandbox.tokens.items()] == [("owner", "Ada"), ("member", "Early")]
    assert sandbox.token == "Ada"
    account = sandbox.create_account(group_id="Second", social_network="bluesky")
    assert account["group_id"] == sandbox.find("groups", name="Second")[0].id
    made = [
        sandbox.create_post(content="x")["user_id"],
        sandbox.create_note(title="x", start_date=START, end_date=START)["user_id"],
        sandbox.create_group(name="Third")["author_id"],
        account["user_id"],
    ]
    assert made == [known["Ada"]] * 4
    sandbox.close()


# Reviews


def test_who_may_not_approve(sandbox: Sandbox) -> None:
    post = review_post(sandbox)
    other = sandbox.create_user(name="Tom", can_approve=False)["id"]
    assert refused("Tom may not approve", lambda: sandbox.approve(post, user=other)).field == "user"
    assert refused("no user 1", lambda: sandbox.approve(post, user="1")).missing
    undated = review_post(sandbox, publication_date=None)
    refused("has no publication_date", lambda: sandbox.approve(undated))
    sandbox.approve(post)
    refused("the post is SCHEDULED: it cannot be approved", lambda: sandbox.approve(post))
    refused("the post is SCHEDULED: it cannot be rejected", lambda: sandbox.reject(post))


# Requests and faults


def test_faults_end_with_their_block_or_by_themselves(sandbox: Sandbox) -> None:
    def create(name: str) -> int:
        return Wire(sandbox)("POST", "/labels", {"name": name}).status_code

    with sandbox.fault("status", status=503, operations=["createLabel"]) as fault:
        assert create("x") == 503
        sandbox.switch_fault(fault.id, on=False)
        assert create("x") == 200
        sandbox.switch_fault(fault.id, on=True)
        assert create("y") == 503
    assert not sandbox.faults.all()
    with sandbox.fault("status", status=503) as fault:
        sandbox.remove_fault(fault.id)  # and the end of the block has nothing left to do
    sandbox.add_fault(script=["pass", {"status": 500}])
    assert [create(str(n)) for n in range(3)] == [200, 500, 200]


def test_a_fault_is_for_a_user_whom_there_is(sandbox: Sandbox) -> None:
    (owner,) = sandbox.find("users", role="owner")
    for user in (owner["name"], owner["id"]):
        sandbox.add_fault("status", user=user)
    with pytest.raises(BadFault, match=f"user: .*did you mean '{owner['name']}'"):
        sandbox.add_fault("status", user=owner["name"].upper().title() + "x")
    with pytest.raises(BadFault, match=r"user: 'Zz Top': there is no such user; there are"):
        sandbox.add_fault("status", user="Zz Top")
    assert len(sandbox.faults.all()) == 2


# The whole


def test_reset_begins_again(sandbox: Sandbox) -> None:
    before = sandbox.world()
    sandbox.create_post(content="gone")
    sandbox.advance(days=40)
    sandbox.add_fault("status", status=503)
    Wire(sandbox)("GET", "/posts")
    sandbox.reset()
    assert sandbox.world() == before
    assert (sandbox.now, sandbox.requests(), sandbox.faults.all()) == (START, [], [])


@pytest.mark.parametrize("seed", [0, 1, None])
def test_a_reset_has_the_seed_that_is_given_or_the_one_before(seed: int | None) -> None:
    sandbox = Sandbox(clock="frozen", seed=3)
    sandbox.reset(seed=seed)
    kept = 3 if seed is None else seed
    assert sandbox.service.settings.seed == kept
    assert sandbox.world() == Sandbox(clock="frozen", seed=kept).world()


def test_faults_happen_by_the_seed_that_there_is(sandbox: Sandbox) -> None:
    def picked(seed: int) -> list[bool]:
        assert sandbox.service.settings.seed == seed
        with sandbox.fault("status", id="half", probability=0.5):
            return [sandbox.faults.pick("listPosts") is not None for _ in range(60)]

    sandbox.reset(seed=1)
    one, name = picked(1), sandbox.snapshot()
    sandbox.reset(seed=2)
    two = picked(2)
    sandbox.restore(name)
    assert picked(1) == one != two
    with Sandbox(clock="frozen", seed=2) as sandbox:
        assert picked(2) == two


def test_snapshots_are_listed_by_when_they_were_made(sandbox: Sandbox) -> None:
    for name in ("a", "b", "a"):
        sandbox.snapshot(name)
    assert sandbox.snapshots() == ["b", "a"]


def test_a_reset_renews_every_budget(sandbox: Sandbox) -> None:
    sandbox.limit(2)
    for _ in range(3):
        Wire(sandbox)("GET", "/posts")
    assert {each["remaining"] for each in sandbox.budgets()} == {0, 2}
    sandbox.reset()
    assert {each["remaining"] for each in sandbox.budgets()} == {2}


CUSTOMIZED: list[dict[str, Any]] = [
    *({}, {"pinterest": {}}, {"threads": {"content": ""}}, {"threads": {"media_ids": []}}),
    {"pinterest": {}, "bluesky": {"content": "Own"}},
]


@pytest.mark.parametrize("customized", CUSTOMIZED, ids=str)
def test_content_is_customized_wherever_it_came_from(
    sandbox: Sandbox, customized: dict[str, Any]
) -> None:
    made = sandbox.create_post(content="Rye", customized=customized)
    other = sandbox.create_post(content="Rye")
    Wire(sandbox)("PATCH", f"/posts/{other.id}", {"customized": customized})
    users = [{"token": "t"}]
    sandbox_of = {"format": 1, "users": users, "posts": [{"customized": customized}]}
    found = [made.has_customized_content, sandbox.read_post(other.id).has_customized_content]
    sandbox.reset(sandbox_of)
    found.append(bool(sandbox.find("posts")[0].has_customized_content))
    assert found == [any(customized.values())] * 3


@pytest.mark.parametrize("name", ["a.xyz", "a", "a.JPG", "a.srt"])
def test_a_file_of_a_world_has_the_type_of_one_that_is_uploaded(
    sandbox: Sandbox, name: str
) -> None:
    kind, mime = file_type(name.rpartition(".")[2].lower())
    sandbox.reset({"format": 1, "users": [{"token": "t"}], "media": [{"client_name": name}]})
    (medium,) = sandbox.find("media")
    assert (medium.type, medium.mime_type) == (kind, mime)


CHANGES: list[Callable[[Sandbox], object]] = [
    lambda each: each.advance(days=3),
    lambda each: each.create_label(name="another"),
    lambda each: each.create_post(content="another", status="IN_PROGRESS"),
    lambda each: each.reset(seed=8),
    lambda each: each.create_user(name="another"),
    lambda each: each.snapshot(),
]


@given(steps=st.lists(st.sampled_from(CHANGES), max_size=5))
def test_going_back_to_a_snapshot_is_exact(
    shared: Sandbox, steps: list[Callable[[Sandbox], object]]
) -> None:
    shared.reset("small", seed=7)
    shared.advance(hours=7)
    before, name = shared.world(), shared.snapshot()
    for step in steps:
        step(shared)
    shared.restore(name)
    assert (shared.world(), shared.now) == (before, START + timedelta(hours=7))
    assert shared.service.settings.seed == 7
    # What comes next is what would have come.
    after = shared.create_label(name="next")
    shared.restore(name)
    assert shared.create_label(name="next") == after
    for snapshot in shared.snapshots():
        shared.forget_snapshot(snapshot)


def test_a_snapshot_while_files_come_in(sandbox: Sandbox) -> None:
    async def work() -> list[int]:
        transport = httpx2.ASGITransport(sandbox.media_app)
        headers = {"authorization": f"Bearer {sandbox.token}"}
        async with httpx2.AsyncClient(transport=transport, headers=headers) as api:

            async def upload(number: int) -> int:
                files = {"file": (f"{number}.png", draw(number, 64, 64, "x"), "image/png")}
                response = await api.post(f"{sandbox.media_url}/upload", files=files)
                return response.status_code

            async def go_back() -> int:
                for _ in range(5):
                    name = await asyncio.to_thread(sandbox.snapshot)
                    await asyncio.to_thread(sandbox.restore, name)
                return 200

            return await asyncio.gather(*(upload(n) for n in range(5)), go_back())

    assert set(asyncio.run(work())) == {200}
    sandbox.advance(minutes=1)
    sandbox.world()


# Settings


@pytest.mark.parametrize(
    "host", ["*", "*.example.com", "example.com.", "10.0.0.1", "::1", "bücher.de"]
)
def test_hosts_to_fetch_from(sandbox: Sandbox, host: str) -> None:
    sandbox.configure(fetch_hosts=[host])
    assert sandbox.settings()["fetch_hosts"] == [host]


@pytest.mark.parametrize("host", ["http://x/", "x:80", "x/y", "", "*.*", "a b", "*x", "[::1]", 7])
def test_what_is_no_host_to_fetch_from(sandbox: Sandbox, host: Any) -> None:
    refused("fetch_hosts must be a list of hosts", lambda: sandbox.configure(fetch_hosts=[host]))
    assert sandbox.settings()["fetch_hosts"] == []


@given(
    name=st.sampled_from(
        ["rate_limit", "nulls", "processing", "fetch_hosts", "fetch_private", "?"]
    ),
    value=st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.lists(st.text() | st.none(), max_size=2),
)
def test_settings_are_taken_or_refused(shared: Sandbox, name: str, value: Any) -> None:
    before = shared.settings()
    try:
        shared.configure(**{name: value})  # type: ignore[misc]
    except ControlError as error:
        assert error.field == name
        assert shared.settings() == before
    else:
        assert shared.settings() == {**before, name: value}


def test_a_window_is_a_minute_unless_another_is_named(own: Sandbox) -> None:
    for window, seconds in ((2, 2), (None, 60)):
        own.limit(5, window=window)
        reset = own.budgets()[0]["reset"]
        assert seconds - 2 <= reset - time.time() <= seconds


def test_what_is_wrong_is_noticed_whatever_is_switched(sandbox: Sandbox) -> None:
    """Every response is held against the documents, unless the sandbox is told not to."""
    account = sandbox.find("social_accounts")[0]["id"]

    def spoilt(sandbox: Sandbox) -> httpx2.Response:
        store = sandbox.service.store
        doc = store.accounts.get(account)
        assert doc is not None
        store.accounts.put({**doc, "name": 7}, store.key(doc["group_id"]))
        return Wire(sandbox)("GET", f"/social-accounts/{account}")

    assert spoilt(sandbox).status_code == 500
    sandbox.configure(nulls=True)
    assert "name" in spoilt(sandbox).json()["message"]
    with Sandbox(clock="frozen", check=False) as careless:
        assert spoilt(careless).json()["name"] == 7


# Changes


_NEEDED: dict[str, dict[str, Any]] = {
    "posts": {},
    "social_accounts": {"group_id": "Kornblume Bakery", "socialNetwork": "bluesky"},
    "calendar_notes": {
        "title": "Market", "start_date": "2026-12-05T09:00:00Z", "end_date": "2026-12-06T09:00:00Z",
    },
}  # fmt: skip
_TARGETS = {
    **dict.fromkeys(["user_id", "author_id", "inviter_id"], "users"),
    **dict.fromkeys(["assigneesIds", "default_assignee_ids"], "users"),
    **dict.fromkeys(["group_id", "groupIds"], "groups"),
    "selectedAccountIds": "social_accounts",
    "selected_media_ids": "media",
}


def named(sandbox: Sandbox, kind: str) -> tuple[str, str]:
    """The identifier of an object of a kind, and a name for it."""
    one = sandbox.find(kind)[0]
    if kind == "social_accounts":
        return one["id"], f"{one['socialNetwork']}:{one['username']}"
    return one["id"], one["client_name" if kind == "media" else "name"]


@pytest.mark.parametrize("kind", MADE)
def test_every_field_that_refers_takes_a_name_and_nothing_that_is_not_there(
    own: Sandbox, kind: str
) -> None:
    fields = own.service.contract.main.schema(MADE[kind].schema)["properties"]
    refers = {name for name, schema in fields.items() if "/Id" in str(schema)}
    given = _NEEDED.get(kind, {"name": "Rye"})
    for field in refers - {"id", "organization_id"}:
        identifier, name = named(own, _TARGETS[field])
        is_many = field.lower().endswith("ids")
        found = create(own.service, kind, {**given, field: [name] if is_many else name})
        assert found[field] == ([identifier] if is_many else identifier)
        for other in ("7", "Nobody"):
            with pytest.raises(ControlError, match=field):
                create(own.service, kind, {**given, field: [other] if is_many else other})
    assert worlds.load(dict(own.world()))


def test_what_is_inside_of_a_post_refers_to_what_is_there(own: Sandbox) -> None:
    (file, title), (account, name) = named(own, "media"), named(own, "social_accounts")

    def inside(file: str, account: str) -> list[tuple[str, Any]]:
        tag = {"x": 0.1, "y": 0.1, "username": "ada"}
        return [
            ("image_tags", [{**tag, "media_id": file}]),
            ("image_tags", [{**tag, "social_account_id": account}]),
            ("customized", {"threads": {"media_ids": [file]}}),
            ("first_comments", {"content": "Rye", "socialAccountIds": [account]}),
            ("first_comments", {"customized": {"threads": {"socialAccountIds": [account]}}}),
        ]

    for (field, value), (_, meant) in zip(inside(title, name), inside(file, account), strict=True):
        made = own.create_post(**{field: value})
        held = next(each for each in own.world()["posts"] if each["id"] == made["id"])
        assert str(meant)[1:-1] in str(held[field])
    assert worlds.load(dict(own.world()))
    for field, value in inside("7", "7"):
        with pytest.raises(ControlError, match=f"{field}: there is no .* '7'"):
            own.create_post(**{field: value})


def test_names_do_where_identifiers_are_expected(sandbox: Sandbox) -> None:
    wanted = sandbox.find("social_accounts", socialNetwork="threads", username="kornblume.bakery")
    label, owner = sandbox.find("labels")[0], sandbox.find("users", role="owner")[0]
    post = sandbox.create_post(
        selectedAccountIds=["threads:kornblume.bakery"],
        labelIds=[label["name"]],
        user_id=owner["name"],
    )
    assert post["selectedAccountIds"] == [each["id"] for each in wanted]
    assert [each["id"] for each in post["labels"]] == [label["id"]]
    assert post["user_id"] == owner["id"]
