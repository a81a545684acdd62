"""Calls that take several requests, with both clients, against the sandbox."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
import re
import struct
import threading
import warnings
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from server import Answer, Server
from social_publishing import (
    UNSET,
    ArgumentError,
    AsyncSocialPublishing,
    DeadlineExceeded,
    DecodeError,
    File,
    LimitationWarning,
    NotFoundError,
    OutcomeUnknown,
    PartialFailure,
    ProcessingFailed,
    SocialPublishing,
    StatusError,
)
from social_publishing._runtime.core.clock import Clock
from social_publishing.models import GroupType, Weekday

from social_publishing_sandbox import Sandbox

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


class Side:
    """One of the two clients; `ask` carries out a call and gives its answer."""

    def __init__(self, sandbox: Sandbox, kind: str, clock: Clock | None = None) -> None:
        self.sandbox = sandbox
        self.kind = kind
        self.clock = clock

    def ask(self, call: Callable[[Any], Any], **options: Any) -> Any:
        given = {
            "api_token": self.sandbox.token,
            "base_url": self.sandbox.base_url,
            "media_url": self.sandbox.media_url,
            **options,
        }
        if self.kind == "async":
            return asyncio.run(self._awaited(call, given))
        with SocialPublishing(**given) as client:
            found = call(self._timed(client))
            return list(found) if hasattr(found, "first_page") else found

    async def _awaited(self, call: Callable[[Any], Any], given: Any) -> Any:
        async with AsyncSocialPublishing(**given) as client:
            found = call(self._timed(client))
            if hasattr(found, "first_page"):
                return [item async for item in found]
            return await found if inspect.isawaitable(found) else found

    def _timed(self, client: Any) -> Any:
        return client if self.clock is None else client.with_clock(self.clock)


class SandboxClock(Clock):
    """Waiting moves the clock of the sandbox, and takes no time."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.pauses: list[float] = []
        self.began = self.wall()

    def now(self) -> float:
        return self.wall()

    def wall(self) -> float:
        return self.sandbox.now.timestamp()

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.sandbox.advance(seconds=seconds)

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


@pytest.fixture(params=["sync", "async"])
def side(request: pytest.FixtureRequest, sandbox: Sandbox) -> Side:
    return Side(sandbox, request.param)


def group_of(sandbox: Sandbox) -> dict[str, Any]:
    found: dict[str, Any] = sandbox.find("groups", name="Kornblume Bakery")[0]
    return found


def made_posts(sandbox: Sandbox, count: int, **fields: Any) -> list[str]:
    made = [
        sandbox.create_post(
            content=f"Bread of the day {number}",
            selectedAccountIds=["threads:kornblume.bakery"],
            **fields,
        )
        for number in range(count)
    ]
    return [post["id"] for post in made]


def texts(first: int, count: int) -> list[str]:
    return [str(number) for number in range(first, first + count)]


def ids_of(target: str) -> list[str]:
    return parse_qs(urlsplit(target).query)["ids"][0].split(",")


# Lists.


def test_a_list_gives_all_pages(side: Side) -> None:
    group = group_of(side.sandbox)
    made = made_posts(side.sandbox, 60)
    found = side.ask(lambda client: client.posts.list(group_id=group["id"], include=["labels"]))
    posts = [post.id for post in found]
    assert set(made) <= set(posts) and len(posts) == len(set(posts))
    seen = side.sandbox.requests(operation="listPosts")
    assert len(seen) == -(-len(posts) // 25)
    for number, each in enumerate(seen, 1):
        query = parse_qs(urlsplit(each.target).query)
        assert query.pop("page", ["1"]) == [str(number)]
        assert query == {"groupId": [group["id"]], "include": ["labels"]}


def test_a_list_can_be_resumed_where_it_failed(sandbox: Sandbox) -> None:
    group = group_of(sandbox)
    made_posts(sandbox, 60)
    with SocialPublishing(
        api_token=sandbox.token, base_url=sandbox.base_url, media_url=sandbox.media_url, retries=0
    ) as client:
        every = [post.id for post in client.posts.list(group_id=group["id"])]
        pager, seen = client.posts.list(group_id=group["id"]), []
        sandbox.add_fault("status", status=500, operations="listPosts", after=1, times=1)
        with pytest.raises(StatusError):
            for post in pager:
                seen.append(post.id)
        assert pager.next_page == 2
        rest = client.posts.list(group_id=group["id"], page=pager.next_page)
        assert seen + [post.id for post in rest] == every


# Many identifiers.


def test_any_number_of_posts_is_read(side: Side) -> None:
    made = made_posts(side.sandbox, 5)
    asked = [made[3], *texts(1, 450), made[0], made[3], "7", made[1]]
    found = side.ask(lambda client: client.posts.get_many(ids=asked))
    assert [post.id for post in found] == [made[3], made[0], made[1]]
    assert list(found.missing) == texts(1, 450)
    sent = [ids_of(each.target) for each in side.sandbox.requests(operation="getPosts")]
    assert sorted(map(len, sent)) == [53, 200, 200]
    assert sorted(chain.from_iterable(sent)) == sorted({*asked})


def test_no_posts_are_read_without_asking(side: Side) -> None:
    found = side.ask(lambda client: client.posts.get_many(ids=[]))
    assert found == [] and found.missing == ()
    assert side.ask(lambda client: client.posts.delete_many(ids=iter([]))) is None
    assert side.sandbox.requests() == []
    moved = side.ask(lambda client: client.posts.set_draft(is_draft=True, post_ids=[]))
    assert not moved.post_ids and not moved.partial
    assert len(side.sandbox.requests()) == 1


def test_bad_identifiers_are_named_before_anything_is_sent(side: Side) -> None:
    asked: list[Any] = ["1", "1", "1", *texts(1, 300)]
    asked[203], asked[250] = "two", 7
    for name, argument in [("get_many", "ids"), ("delete_many", "ids"), ("set_draft", "post_ids")]:
        more = {"is_draft": True} if name == "set_draft" else {}
        with pytest.raises(ArgumentError) as caught:
            side.ask(lambda client: getattr(client.posts, name)(**{argument: asked}, **more))  # noqa: B023
        places = [each.argument for each in caught.value.problems]
        assert places == [f"{argument}[203]", f"{argument}[250]"]
        assert caught.value.operation == f"posts.{name}"
    assert side.sandbox.requests() == []


def test_any_number_of_posts_is_deleted_once(side: Side) -> None:
    made = made_posts(side.sandbox, 4)
    asked = [made[0], *texts(1, 250), *made]
    assert side.ask(lambda client: client.posts.delete_many(ids=asked)) is None
    assert [side.sandbox.read_post(each)["status"] for each in made] == [50] * 4
    assert len(side.sandbox.requests(operation="deletePosts")) == 2
    assert not side.sandbox.duplicates()


def test_drafts_of_several_requests_are_told_together(side: Side) -> None:
    made = made_posts(side.sandbox, 3, status="SCHEDULED", publication_date="2026-12-07T08:00:00Z")
    side.sandbox.advance(days=30)
    draft = made_posts(side.sandbox, 1)
    asked = [made[0], *texts(1, 220), made[1], made[2], *draft]
    answer = side.ask(lambda client: client.posts.set_draft(is_draft=True, post_ids=asked))
    assert answer.partial is True
    assert answer.skipped_published == made
    assert answer.post_ids == draft
    assert len(side.sandbox.requests(operation="setPostsDraft")) == 2


def test_what_failed_and_what_was_not_sent_is_said(side: Side) -> None:
    side.sandbox.add_fault("status", status=403, operations="deletePosts", after=2, times=1)
    asked = texts(1, 1800)
    with pytest.raises(PartialFailure) as caught:
        side.ask(lambda client: client.posts.delete_many(ids=asked))
    error = caught.value
    parts = [*error.succeeded, *error.failed, *error.not_sent]
    assert sorted((each for part in parts for each in part.values), key=int) == asked
    assert len(error.failed) == 1 and error.not_sent
    assert error.__cause__ is error.failed[0].error
    sent = side.sandbox.requests(operation="deletePosts", status="2xx")
    assert {tuple(ids_of(each.target)) for each in sent} == {
        tuple(part.values) for part in error.succeeded
    }


def test_chunks_keep_to_the_rate_limit(side: Side) -> None:
    side.sandbox.limit(3, window=1)
    side.ask(lambda client: client.posts.get_many(ids=texts(1, 1100)))
    assert [each.status for each in side.sandbox.requests()] == [200] * 6


def test_a_caution_is_given_once_where_the_call_stands(sandbox: Sandbox) -> None:
    given = {
        "api_token": sandbox.token,
        "base_url": sandbox.base_url,
        "media_url": sandbox.media_url,
    }

    async def awaited() -> int:
        async with AsyncSocialPublishing(**given) as client:
            await client.posts.delete_many(ids=texts(1, 500), from_networks=True)
            return inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]

    with warnings.catch_warnings(record=True) as caught, SocialPublishing(**given) as client:
        warnings.simplefilter("always")
        client.posts.delete_many(ids=texts(1, 500))
        client.posts.delete_many(ids=texts(1, 500), from_networks=True)
        here = inspect.currentframe().f_lineno - 1  # type: ignore[union-attr]
        there = asyncio.run(awaited())
        client.posts.delete_many(ids=[], from_networks=True)
    ours = [each for each in caught if each.category is LimitationWarning]
    assert len(ours) == 2
    for word in ("instagram", "tiktok", "threads", "twitter", "stays online"):
        assert all(word in str(each.message) for each in ours)
    assert [(each.filename, each.lineno) for each in ours] == [(__file__, here), (__file__, there)]


# Long windows.


def test_notes_of_a_long_time_come_once(side: Side) -> None:
    begin = datetime(2027, 1, 1, tzinfo=UTC)
    made = [
        side.sandbox.create_note(
            title=f"Fair {number}",
            start_date=(begin + timedelta(days=11 * number)).isoformat(),
            end_date=(begin + timedelta(days=11 * number + 12)).isoformat(),
        )["id"]
        for number in range(40)
    ]
    end = begin + timedelta(days=450)
    found = side.ask(lambda client: client.calendar_notes.list(start=begin, end=end))
    notes = [note.id for note in found]
    assert len(notes) == len(set(notes)) and set(made) <= set(notes)
    sent = side.sandbox.requests(operation="listCalendarNotes")
    assert [each.status for each in sent] == [200] * 8


@pytest.mark.parametrize(("span", "requests"), [(60 * DAY - SECOND, 1), (60 * DAY, 2)])
def test_sixty_days_are_one_request_too_long(side: Side, span: timedelta, requests: int) -> None:
    begin = datetime(2027, 1, 1, tzinfo=UTC)
    side.ask(lambda client: client.calendar_notes.list(start=begin, end=begin + span))
    assert [each.status for each in side.sandbox.requests()] == [200] * requests


def test_an_end_before_the_start_is_refused(side: Side) -> None:
    now = datetime(2027, 1, 1, tzinfo=UTC)
    with pytest.raises(ArgumentError, match="end: must not be before start"):
        side.ask(lambda client: client.calendar_notes.list(start=now, end=now - timedelta(days=1)))
    assert side.sandbox.requests() == []
    assert side.ask(lambda client: client.calendar_notes.list(start=now, end=now)) is not None


# Changing a group.

WRITTEN = (
    "name",
    "timezone",
    "type",
    "week_start_day",
    "note",
    "max_social_accounts",
    "default_everyone_must_approve",
    "default_assignee_ids",
)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Bakeries"},
        {"timezone": "Asia/Tokyo"},
        {"type": GroupType.AGENCY},
        {"week_start_day": Weekday.SUNDAY},
        {"note": "Closed on Mondays."},
        {"note": None},
        {"max_social_accounts": 40},
        {"max_social_accounts": None},
        {"name": "Bakeries", "note": None, "week_start_day": Weekday.FRIDAY},
    ],
)
def test_a_group_keeps_what_is_not_changed(side: Side, change: dict[str, Any]) -> None:
    group = group_of(side.sandbox)
    before = side.ask(lambda client: client.groups.get(group["id"]))
    answer = side.ask(lambda client: client.groups.update(group["id"], **change))
    after = side.ask(lambda client: client.groups.get(group["id"]))
    assert answer.id == group["id"]
    for name in WRITTEN:
        kept, found = (
            None if each is UNSET else each
            for each in (getattr(before, name), getattr(after, name))
        )
        assert found == change.get(name, kept)
    for name in ("approval_workflow", "color", "country", "is_default"):
        assert getattr(after, name) == getattr(before, name)
    sent = [each.operation for each in side.sandbox.requests()]
    assert sent == ["getGroup", "getGroup", "replaceGroup", "getGroup"]


def test_a_group_that_cannot_be_sent_back_is_not_touched(side: Side) -> None:
    group = group_of(side.sandbox)
    with side.sandbox.fault("unknown-values", operations="getGroup"):
        with pytest.raises(ArgumentError) as caught:
            side.ask(lambda client: client.groups.update(group["id"], name="New"))
        assert caught.value.operation == "groups.update"
        refused = {each.argument for each in caught.value.problems}
        assert "type" in refused
        assert all("cannot be sent back" in each.reason for each in caught.value.problems)
        assert side.sandbox.requests(operation="replaceGroup") == []
        known = {"type": GroupType.BRAND, "week_start_day": Weekday.MONDAY}
        assert refused <= set(known)
        side.ask(lambda client: client.groups.update(group["id"], **known))
    assert len(side.sandbox.requests(operation="replaceGroup")) == 1


@pytest.mark.parametrize(
    ("change", "arguments"),
    [
        ({}, None),
        ({"name": "x" * 51, "note": "y" * 501}, ["name", "note"]),
        ({"max_social_accounts": 0}, ["max_social_accounts"]),
        ({"timezone": None}, ["timezone"]),
        ({"group_id": "x"}, None),
        ({"group_id": "x", "name": "y"}, ["group_id"]),
        ({"group_id": "x", "name": "y" * 51, "note": 5}, ["group_id", "name", "note"]),
    ],
)
def test_a_bad_change_of_a_group_is_refused_at_once(
    side: Side, change: dict[str, Any], arguments: list[str] | None
) -> None:
    group = group_of(side.sandbox)
    with pytest.raises(ArgumentError) as caught:
        side.ask(lambda client: client.groups.update(**{"group_id": group["id"], **change}))
    assert caught.value.operation == "groups.update"
    if arguments is not None:
        assert [each.argument for each in caught.value.problems] == arguments
    assert side.sandbox.requests() == []


def test_a_null_of_a_group_that_cannot_be_sent_is_left_out(
    client: SocialPublishing, server: Server
) -> None:
    there = {"id": "1", "name": "Bakeries", "timezone": "UTC", "type": None, "note": None}
    server.answers.extend([Answer(200, there), Answer(200, there)])
    client.groups.update("1", name="Bakers")
    sent = json.loads(server.requests[-1].body)
    assert sent == {"name": "Bakers", "timezone": "UTC", "note": None}


# Answers on which all hangs.


def test_a_page_whose_items_are_no_list_is_no_empty_page(
    client: SocialPublishing, server: Server
) -> None:
    for odd in ({"a": 1}, "x", 5):
        server.answers.append(Answer(200, {"data": odd, "meta": {}}))
        with pytest.raises(DecodeError, match=r"\$\.data: Expected `list`, got") as caught:
            list(client.posts.list(group_id="1"))
        assert caught.value.exchange.operation == "posts.list"


def test_what_is_no_file_is_not_given_as_one(client: SocialPublishing, server: Server) -> None:
    for odd in (5, "x", []):
        server.answers.append(Answer(200, {"media_id": "1", "status": "done", "data": odd}))
        with pytest.raises(DecodeError, match=r"\$\.data: Expected `Media`, got"):
            client.media.wait_until_ready("1")


# Waiting for files.


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\x80\x00")
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


@pytest.fixture
def slow(side: Side) -> SandboxClock:
    """The side's clock: files take a minute, and waiting moves the time."""
    side.sandbox.configure(processing=60)
    side.clock = SandboxClock(side.sandbox)
    return side.clock


def test_a_file_is_waited_for(side: Side, slow: SandboxClock) -> None:
    made = side.ask(lambda client: client.media.upload(file=File(png(), name="a.png")))
    assert made.is_processing is True and slow.pauses == []
    ready = side.ask(lambda client: client.media.wait_until_ready(made.id))
    assert ready.id == made.id and not ready.is_processing
    assert slow.pauses == sorted(slow.pauses) and 60 <= sum(slow.pauses) < 75
    count = len(side.sandbox.requests(operation="getMediaStatus"))
    assert count == len(slow.pauses) + 1 <= 15


def test_an_upload_can_wait_itself(side: Side, slow: SandboxClock) -> None:
    ready = side.ask(lambda client: client.media.upload(file=File(png(), name="a.png"), wait=True))
    assert not ready.is_processing
    assert len(side.sandbox.requests(operation="uploadMedia")) == 1


def test_a_file_that_cannot_be_processed_says_why(side: Side, slow: SandboxClock) -> None:
    broken = png()[:40]
    with pytest.raises(ProcessingFailed) as caught:
        side.ask(lambda client: client.media.upload(file=File(broken, name="a.png"), wait=True))
    assert caught.value.reason and caught.value.reason in str(caught.value)
    assert caught.value.last.error == caught.value.reason
    [note] = caught.value.__notes__
    assert note.startswith("media.upload itself has succeeded: Media(id='")


def test_a_file_that_is_not_ready_in_time(side: Side, slow: SandboxClock) -> None:
    with pytest.raises(DeadlineExceeded) as caught:
        side.ask(
            lambda client: client.media.upload(file=File(png(), name="a.png"), wait=True),
            deadline=20,
        )
    assert caught.value.last.data.is_processing is True
    assert "Media(id='" in caught.value.__notes__[0]
    assert sum(slow.pauses) < 20
    ready = side.ask(lambda client: client.media.wait_until_ready(caught.value.last.data.id))
    assert not ready.is_processing


@pytest.mark.parametrize(
    ("status", "data"),
    [
        ("processing", {"is_processing": False}),
        ("processing", {}),
        ("done", {"is_processing": True}),
    ],
)
def test_either_word_says_that_a_file_is_not_ready(
    status: str, data: dict[str, Any], client: SocialPublishing, server: Server
) -> None:
    """§3: `is_processing` and the status of the file need not change at one time."""

    class Quick(Clock):
        def sleep(self, seconds: float) -> None:
            """No time passes."""

    ready = {"id": "1", "is_processing": False}
    for said, file in ((status, {**ready, **data}), (status, {"id": "1", **data}), ("done", ready)):
        server.answers.append(Answer(json={"status": said, "data": file}))
    found = client.with_clock(Quick()).media.wait_until_ready("1")
    assert (found.is_processing, len(server.requests)) == (False, 3)


def test_without_a_deadline_15_minutes_are_waited(side: Side, slow: SandboxClock) -> None:
    side.sandbox.configure(processing=3600)
    with pytest.raises(DeadlineExceeded) as caught:
        side.ask(lambda client: client.media.upload(file=File(png(), name="a.png"), wait=True))
    assert caught.value.deadline == 900 and 890 < sum(slow.pauses) < 900
    assert len(side.sandbox.requests(operation="getMediaStatus")) < 100


def test_a_file_that_vanishes_meanwhile(side: Side, slow: SandboxClock) -> None:
    script = ["pass", "pass", {"status": 404}]
    side.sandbox.add_fault(script=script, operations="getMediaStatus")
    with pytest.raises(NotFoundError) as caught:
        side.ask(lambda client: client.media.upload(file=File(png(), name="a.png"), wait=True))
    assert "Media(id='" in caught.value.__notes__[0]
    assert len(slow.pauses) == 2


def test_an_upload_by_address_waits_only_where_it_has_to(side: Side, slow: SandboxClock) -> None:
    class Files(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(png())))
            self.end_headers()
            self.wfile.write(png())

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    side.sandbox.configure(fetch_hosts=["127.0.0.1"], fetch_private=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), Files) as files:
        threading.Thread(target=files.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{files.server_port}/a.png"
        made = side.ask(lambda client: client.media.upload_from_url(file_url=url, wait=True))
        files.shutdown()
    assert not made.is_processing
    assert slow.pauses == []


def test_whether_to_wait_is_yes_or_no(side: Side) -> None:
    with pytest.raises(ArgumentError, match="wait: must be True or False, got 'no'"):
        side.ask(lambda client: client.media.upload(file=File(png(), name="a.png"), wait="no"))
    with pytest.raises(ArgumentError, match=r"^media\.upload: file: .*; wait: must be True"):
        side.ask(lambda client: client.media.upload(file=File(b"", name="a.exe"), wait="no"))
    with pytest.raises(ArgumentError, match=r"^media\.wait_until_ready: media_id: "):
        side.ask(lambda client: client.media.wait_until_ready("x"))
    assert side.sandbox.requests() == []


# Writes whose answer was lost.


def lost(side: Side, kind: str, operation: str, call: Callable[[Any], Any]) -> Any:
    """What the error of a write says that was lost, and what reconciling it says."""

    def reconciled(error: OutcomeUnknown) -> Any:
        return error.reconcile() if side.kind == "sync" else error.reconcile_async()

    async def awaited(client: Any) -> Any:
        with pytest.raises(OutcomeUnknown) as caught:
            await call(client)
        return caught.value, await reconciled(caught.value)

    def waited(client: Any) -> Any:
        with pytest.raises(OutcomeUnknown) as caught:
            call(client)
        return caught.value, reconciled(caught.value)

    with side.sandbox.fault(kind, operations=operation, times=1):
        return side.ask(waited if side.kind == "sync" else awaited)


@pytest.mark.parametrize(("kind", "done"), [("drop-after", True), ("drop-before", False)])
def test_whether_a_post_was_changed_can_be_looked_up(side: Side, kind: str, done: bool) -> None:
    [post] = made_posts(side.sandbox, 1)
    error, found = lost(
        side,
        kind,
        "updatePost",
        lambda client: client.posts.update(
            post, content="New", name="Rolls", notify_assignee=True, label_ids=[]
        ),
    )
    assert "posts.get_many" in str(error)
    assert found.done is done
    assert found.found.id == post
    told = found.same if done else found.different
    assert {"content", "name"} <= set(told)
    assert "notify_assignee" in found.unknown
    assert len(side.sandbox.requests(operation="updatePost")) == 1
    assert not side.sandbox.duplicates()


def test_a_post_that_is_gone_was_not_changed(side: Side) -> None:
    error, found = lost(
        side, "drop-before", "updatePost", lambda client: client.posts.update("17", content="New")
    )
    assert found.done is False and found.found is None
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.client is None


def test_no_read_shows_a_label(side: Side) -> None:
    def call(client: Any) -> Any:
        return client.labels.create(name="Summer")

    side.sandbox.add_fault("drop-after", operations="createLabel", times=1)
    with pytest.raises(OutcomeUnknown, match="no documented read shows it") as caught:
        side.ask(call)
    assert caught.value.probe is None
    assert re.search("may have been carried out", str(caught.value))
    assert len(side.sandbox.requests(operation="createLabel")) == 1
