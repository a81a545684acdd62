"""What the client promises from one request to the next: retries, rates, deadlines, tokens."""

from __future__ import annotations

import asyncio
import logging
import pickle
import traceback
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from social_publishing import (
    AssumedNameWarning,
    DeadlineExceeded,
    File,
    LimitationWarning,
    OutcomeUnknown,
    RateLimitError,
    ServerError,
    SocialPublishingError,
    StatusError,
    TransportError,
)
from social_publishing.models.posts import PostInclude

from harness.response_checks import plain_call
from harness.service import (
    BASE,
    EPOCH,
    SIDES,
    TOKEN,
    Lost,
    Reply,
    Sent,
    Service,
    Side,
    Unreachable,
    collected,
    in_turn,
    name_of,
    reply,
)
from social_publishing_sandbox import Sandbox
from tests.support.documents import operations

SAFE_TO_REPEAT = {
    "updatePost": False,  # may publish a second time
    "createLabel": False,
    "uploadMedia": False,
    "uploadMediaFromUrl": False,
    "setPostsDraft": False,  # what a second time does is not shown
}
"""Writes that change something each time, or do not; other operations go by their HTTP method."""


def _is_safe_to_repeat(name: str) -> bool:
    operation = operations()[name]
    by_method = operation.method not in ("POST", "PATCH")
    documented = operation.node.get("x-retry-safety")
    return SAFE_TO_REPEAT.get(name, documented != "unsafe" if documented else by_method)


CALLS = {name: plain_call(each) for name, each in operations().items()}

pytestmark = pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete")

both = pytest.mark.parametrize("side", SIDES)
every_operation = pytest.mark.parametrize("name", sorted(operations()))


# Retries

PERHAPS_DONE: list[Any] = [Lost, reply(500), reply(502), reply(503)]
NOT_DONE: list[Any] = [Unreachable, reply(408), reply(425), reply(429)]
FOR_GOOD = (400, 401, 403, 404, 409, 413, 415, 418, 422, 501, 505)


def failed(name: str, response: Any, side: Side = "sync") -> tuple[SocialPublishingError, int]:
    """Return how a call ends that gets nothing else, and how often it was sent."""
    service = Service(in_turn(response))
    with pytest.raises(SocialPublishingError) as caught:
        service.call(CALLS[name].on, side, retries=3)
    return caught.value, len(service.came)


@both
@every_operation
def test_a_lost_call_is_repeated_only_if_it_is_safe(name: str, side: Side) -> None:
    for failure in PERHAPS_DONE:
        error, times = failed(name, failure, side)
        expected = TransportError if failure is Lost else ServerError
        if _is_safe_to_repeat(name):
            assert (type(error) is not OutcomeUnknown, times) == (True, 4), failure
            assert isinstance(error, expected)
        else:
            assert (type(error), times) == (OutcomeUnknown, 1), failure
            assert isinstance(error.__cause__, expected)


@both
@every_operation
def test_what_was_not_done_is_tried_again(name: str, side: Side) -> None:
    for failure in NOT_DONE:
        error, times = failed(name, failure, side)
        assert (isinstance(error, OutcomeUnknown), times) == (False, 4), failure


@every_operation
def test_what_is_refused_for_good_is_not_asked_again(name: str) -> None:
    for status in FOR_GOOD:
        error, times = failed(name, reply(status))
        assert isinstance(error, StatusError)
        assert (error.status, times) == (status, 1)


@both
@pytest.mark.parametrize("failure", [*PERHAPS_DONE, *NOT_DONE], ids=name_of)
def test_the_response_after_a_failure_is_the_response(failure: Any, side: Side) -> None:
    service = Service(in_turn(failure, failure, reply(200, {"id": "7"})))
    group = service.call(lambda client: client.groups.get("7"), side, retries=2)
    assert (group.id, len(service.came)) == ("7", 3)


@both
@pytest.mark.parametrize("failure", [Lost, reply(500)], ids=name_of)
@pytest.mark.parametrize("gone", [404, 410])
@pytest.mark.parametrize("name", [n for n, each in operations().items() if each.method == "DELETE"])
def test_what_an_earlier_attempt_has_deleted_is_deleted(
    name: str, gone: int, failure: Any, side: Side
) -> None:
    service = Service(in_turn(failure, reply(gone)))
    assert service.call(CALLS[name].on, side, retries=1) is None
    assert len(service.came) == 2


@both
@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("date", [False, True], ids=["seconds", "date"])
def test_the_pause_that_the_service_asks_for_is_kept(status: int, date: bool, side: Side) -> None:
    wanted = formatdate(EPOCH + 20, usegmt=True) if date else "20"
    busy = reply(status, headers={"Retry-After": wanted})
    service = Service(in_turn(busy, reply(200, {"id": "7"})))
    service.call(lambda client: client.groups.get("7"), side, retries=1)
    assert sum(service.clock.pauses) == pytest.approx(20)


def test_a_pause_that_is_too_long_is_left_to_the_caller() -> None:
    service = Service(reply(503, headers={"Retry-After": "3600"}))
    with pytest.raises(ServerError) as caught:
        service.call(lambda client: client.groups.get("7"), retries=3)
    assert (len(service.came), service.clock.time) == (1, 0)
    assert caught.value.headers["retry-after"] == "3600"


def test_what_can_be_read_once_is_sent_once() -> None:
    service = Service(reply(429))
    file = File(iter([b"a", b"b"]), "a.png")
    with pytest.raises(RateLimitError):
        service.call(lambda client: client.media.upload(file=file), retries=3)
    assert len(service.came) == 1


# The deadline


@both
@settings(max_examples=25)
@given(seconds=st.floats(0.1, 60), wait=st.integers(0, 30))
def test_no_pause_goes_past_the_deadline(side: Side, seconds: float, wait: int) -> None:
    service = Service(reply(503, headers={"Retry-After": str(wait)}))
    with pytest.raises((DeadlineExceeded, ServerError)) as caught:
        service.call(lambda client: client.groups.get("7"), side, retries=9, deadline=seconds)
    assert service.clock.time < seconds
    if isinstance(caught.value, DeadlineExceeded):
        assert caught.value.deadline == seconds


@both
def test_a_list_has_one_deadline(side: Side) -> None:
    def respond(came: Sent) -> Reply:
        service.clock.sleep(4)
        number = int(came.query.get("page", 1))
        following = f"{BASE}/posts?page={number + 1}" if number < 9 else None
        return reply(200, {"data": [], "meta": {"next_page_url": following}})

    service = Service(respond)
    with pytest.raises(DeadlineExceeded):
        service.call(lambda c: collected(c.posts.list(group_id="7")), side, deadline=10)
    assert len(service.came) <= 3


# The rate


class Counting:
    """Counts requests as the service does: so many in a window, which begins with the first."""

    def __init__(self, limit: int, outcomes: Iterator[str], seconds: int = 60) -> None:
        self.service = Service(self.respond)
        self.refused = 0
        self._limit, self._seconds = limit, seconds
        self._outcomes = outcomes
        self._ends, self._used = -1.0, 0

    def respond(self, came: Sent) -> Reply:
        if came.at >= self._ends:
            self._ends, self._used = int(came.at) + self._seconds, 0
        self._used += 1
        headers = {
            "X-RateLimit-Limit": str(self._limit),
            "X-RateLimit-Remaining": str(max(0, self._limit - self._used)),
            "X-RateLimit-Reset": str(int(EPOCH + self._ends)),
        }
        if self._used > self._limit:
            self.refused += 1
            return reply(429, {"message": "Too many"}, {**headers, "Retry-After": "1"})
        match next(self._outcomes):
            case "lost":
                raise Lost
            case "failed":
                return reply(500, {"message": "Failed"}, headers)
            case _:
                return reply(200, {"id": "7"}, headers)


@both
@settings(max_examples=30)
@given(
    limit=st.integers(1, 5),
    outcomes=st.lists(st.sampled_from(["answered", "lost", "failed"]), min_size=1, max_size=12),
)
def test_a_client_that_waits_for_room_is_never_refused(
    side: Side, limit: int, outcomes: list[str]
) -> None:
    outcomes = ["answered", *outcomes]  # before its first response, nobody knows the limit
    counting = Counting(limit, iter(outcomes))
    service = counting.service
    made: Any = service.client if side == "sync" else service.async_client
    client = made(pacing="wait", retries=0)
    for _ in outcomes:
        try:
            if side == "sync":
                client.groups.get("7")
            else:
                asyncio.run(client.groups.get("7"))
        except (ServerError, TransportError):
            pass
    assert counting.refused == 0
    # A window more for each request that nobody answered: it may count longer than we know.
    windows = -(-len(outcomes) // limit) + outcomes.count("lost")
    assert service.clock.time <= windows * 61


def test_two_clients_of_one_user_share_the_rate() -> None:
    counting = Counting(3, iter(["answered"] * 6))
    service = counting.service
    clients = [service.client(pacing="wait", rate_key="one user") for _ in range(2)]
    for client in clients * 3:
        client.groups.get("7")
    assert counting.refused == 0
    assert service.clock.time == pytest.approx(60, abs=2)


# The token


def _repeating(came: Sent) -> Reply:
    token = str(came.header("authorization")).removeprefix("Bearer ")
    said = {"message": f"No such token: {token}", "errors": {"token": [token]}, "error": token}
    return reply(401, said, {"X-Token": token})


def _unreadable(came: Sent) -> Reply:
    return reply(200, str(came.header("authorization")).encode())


def _page_with_token(came: Sent) -> Reply:
    token = httpx2.QueryParams({"api_token": TOKEN})
    address = f"https://elsewhere.example/v1/posts?{token}"
    return reply(200, {"data": [], "meta": {"next_page_url": address}})


TELLTALES: dict[str, Callable[[Sent], Reply]] = {
    "refused": _repeating,
    "unreadable": _unreadable,
    "lost": in_turn(Lost),
    "unreachable": in_turn(Unreachable),
    "paged": _page_with_token,
}


@both
@pytest.mark.parametrize("telltale", TELLTALES)
def test_the_token_shows_nowhere(
    telltale: str, side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service = Service(TELLTALES[telltale])
    with pytest.raises(SocialPublishingError) as caught:
        service.call(lambda c: collected(c.posts.list(group_id="7")), side, retries=1)
    shown = [*_texts(caught.value), caplog.text]
    assert service.came
    assert [text for text in shown if TOKEN in text or "s3cret" in text] == []


def _texts(error: BaseException | None) -> Iterator[str]:
    """Yield all that an error shows, and all that the errors behind it do."""
    assert error is not None
    # The frames hold it, as they must; what is printed does not.
    yield "".join(traceback.format_exception(error))
    yield repr(pickle.dumps(error))
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield f"{each!r} {each} {each.args!r} {getattr(each, '__notes__', '')}"
        request = getattr(each, "_request", None)
        if request is not None:
            yield f"{request.url} {request.headers.raw!r}"
        yield repr({k: v for k, v in vars(each).items() if k not in ("client", "_request")})
        waiting += [each.__cause__, each.__context__]


def test_nothing_that_a_client_is_made_of_shows_the_token() -> None:
    with Service(reply()).client() as client:
        shown = [
            client,
            client.posts,
            client.settings,
            client.with_options(retries=1),
            client.media,
        ]
        assert "s3cret" not in f"{shown!r} {list(map(str, shown))}"


@both
def test_the_log_tells_of_attempts_and_not_of_secrets(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service = Service(in_turn(reply(503), Lost, reply(200, {"id": "7"})))
    service.call(lambda client: client.groups.get("7"), side, retries=2)
    assert "groups.get, attempt 3, GET /v1/groups/7" in caplog.text
    assert "s3cret" not in caplog.text


# Settings


def test_what_cannot_be_undone_is_warned_of() -> None:
    service = Service(reply(204))
    with pytest.warns(LimitationWarning, match="instagram, tiktok, threads or twitter"):
        service.call(lambda client: client.posts.delete_many(ids=["7"], from_networks=True))
    assert service.came[0].query == {"ids": "7", "deleteFromNetworks": "true"}


@pytest.mark.filterwarnings("error")
def test_what_is_not_asked_for_is_not_warned_of() -> None:
    service = Service(reply(204))
    flags = {"from_networks": False, "delete_tasks": False}
    service.call(lambda client: client.posts.delete_many(ids=["7"], **flags))
    service.call(lambda client: client.calendar_notes.delete("7", related_notes=False))
    assert service.came[0].query == {
        "ids": "7",
        "deleteFromNetworks": "false",
        "deleteTask": "false",
    }


DESTRUCTIVE: list[tuple[str, Callable[[Any], Any], str]] = [
    (
        "deletePosts.fromNetworks",
        lambda client: client.posts.delete_many(
            ids=[str(each) for each in range(401)], from_networks=True
        ),
        "from_networks is sent as deleteFromNetworks",
    ),
    (
        "deletePosts.task",
        lambda client: client.posts.delete_many(ids=["7"], delete_tasks=True),
        "delete_tasks is sent as deleteTask",
    ),
    (
        "deletePosts.task",
        lambda client: client.posts.with_raw_response.delete_many(ids=["7"], delete_tasks=True),
        "delete_tasks is sent as deleteTask",
    ),
    (
        "deleteCalendarNote.group",
        lambda client: client.calendar_notes.delete("7", related_notes=True),
        "related_notes is sent as ",
    ),
]


@both
@pytest.mark.parametrize(("gap", "call", "words"), DESTRUCTIVE)
def test_a_destructive_assumed_name_is_warned_of_once(
    gap: str, call: Callable[[Any], Any], words: str, side: Side
) -> None:
    service = Service(reply(204))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        service.call(call, side)
    [warned] = [str(each.message) for each in caught if each.category is AssumedNameWarning]
    assert words in warned and f"({gap})" in warned and "overlays/confirmed" in warned


# Drift


def _heard(body: Any, side: Side) -> tuple[Any, list[str]]:
    """Return a group that was read, and what its reader was told of."""
    heard: list[str] = []
    group = Service(reply(200, body)).call(
        lambda client: client.groups.get("7"),
        side,
        on_drift=lambda drift: heard.append(f"{drift.kind} {drift.path}"),
    )
    return group, heard


def test_the_default_world_is_as_documented() -> None:
    """Nothing that the sandbox starts with is drift, the roles of its users included."""
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        world = sandbox.world()
        with sandbox.client(drift="raise") as client:
            for group in world["groups"]:
                client.groups.get(group["id"])
                client.widgets.posts_overview(group["id"])
                posts = [*client.posts.list(group_id=group["id"], include=[*PostInclude])]
                client.posts.get_many([post.id for post in posts])
                for post in posts:
                    client.posts.metrics(post.id)
                    list(client.posts.activities(post.id))
            for account in world["social_accounts"]:
                client.social_accounts.get(account["id"])
            day = datetime(2026, 12, 1, tzinfo=UTC)
            client.calendar_notes.list(start=day - timedelta(50), end=day + timedelta(60))
            for file in world["media"]:
                client.media.status(file["id"])


OTHER_KINDS: list[tuple[dict[str, Any], str, Any]] = [
    ({"is_default": "0"}, "is_default", False),
    ({"is_default": "1"}, "is_default", True),
    ({"is_default": 0}, "is_default", False),
    ({"is_default": "false"}, "is_default", False),
    ({"max_social_accounts": "9007199254740993"}, "max_social_accounts", 9007199254740993),
    ({"max_social_accounts": 4.0}, "max_social_accounts", 4),
    ({"max_social_accounts": "many"}, "max_social_accounts", "many"),
    ({"max_social_accounts": 4.5}, "max_social_accounts", 4.5),
    ({"name": 7}, "name", "7"),
    ({"name": ["a", {"b": None}]}, "name", ["a", {"b": None}]),
    ({"socialAccounts": {"a": 1}}, "social_accounts", {"a": 1}),
    ({"created_at": "yesterday"}, "created_at", "yesterday"),
]


@pytest.mark.parametrize(("odd", "name", "value"), OTHER_KINDS, ids=repr)
def test_a_value_of_another_type_is_reported_and_kept(
    odd: dict[str, Any], name: str, value: Any
) -> None:
    group, heard = _heard({"id": "7", "color": 3, **odd}, "sync")
    found = group.stored(name)
    assert (type(found), found) == (type(value), value)
    is_hidden = isinstance(value, list | dict) or value in ("many", "yesterday")
    assert getattr(group, name) == (None if is_hidden else value)
    assert (group.id, group.color) == ("7", 3)
    odd_ones = [each for each in heard if not each.startswith("missing field")]
    assert odd_ones == [f"type $.{next(iter(odd))}"]


def test_an_empty_map_may_come_as_a_list() -> None:
    body = [{"id": "7", "customized": []}]
    [post] = Service(reply(200, body)).call(lambda client: client.posts.get_many(ids=["7"]))
    assert post.customized == {}
