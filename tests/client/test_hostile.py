"""Whatever a server does, a call ends in time, with the right answer or one of our errors; a write
that may have been done is not sent again; and the token goes nowhere else."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import pickle
import time
import traceback
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from secrets import token_hex
from threading import Timer
from typing import Any, Literal

import pytest
from calls import GROUP, ID, TOKEN
from social_publishing import (
    AsyncSocialPublishing,
    ConnectionFailed,
    DeadlineExceeded,
    DecodeError,
    File,
    OutcomeUnknown,
    PayloadTooLargeError,
    RequestTimedOut,
    ResponseTooLarge,
    Retries,
    ServerError,
    SocialPublishing,
    SocialPublishingError,
    StatusError,
    errors,
)
from social_publishing.resources.groups import build_get

from tests.support import both
from tests.support.both import now
from tests.support.server import Peer, Script, Server, serve

LONGEST = 20.0  # seconds that a test may take, on a machine that does ten other things
BOTH: Any = pytest.mark.parametrize("kind", [SocialPublishing, AsyncSocialPublishing])

# What is asked for: a read, a write that may be repeated, and one that must not be.
OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "safe": lambda client: client.groups.get(ID),
    "idempotent": lambda client: client.groups.replace(ID, **GROUP),
    "unsafe": lambda client: client.labels.create(name="summer"),
}
POST = {"id": "1", "status": 10}
GOOD = b'{"id": "7", "name": "Bakers"}'


# How a call may end: the class of its error, or None for the right answer, and how often the
# request was sent, for each kind of operation. Two attempts are allowed.

Ending = Mapping[str, "tuple[type[SocialPublishingError] | None, int]"]


def each(error: type[SocialPublishingError] | None, times: int = 1) -> Ending:
    return {kind: (error, times) for kind in OPERATIONS}


def lost(error: type[SocialPublishingError], times: int = 2) -> Ending:
    """No answer, or none that says that nothing was done."""
    return {**each(error, times), "unsafe": (OutcomeUnknown, 1)}


RIGHT = each(None)
BROKEN = lost(ConnectionFailed)
SILENT = lost(RequestTimedOut)
LATE = lost(DeadlineExceeded, 1)
UNREADABLE = each(DecodeError)
TOO_LARGE = each(ResponseTooLarge)
REFUSED = each(StatusError)
CUT = each(ConnectionFailed)


# What a server does.


def answer(
    body: bytes = GOOD,
    *fields: str | bytes,
    status: str = "200 OK",
    length: int | None = None,
    version: str = "HTTP/1.1",
) -> bytes:
    """An answer; its length is the right one where no other is given."""
    said = len(body) if length is None else length
    lines = [f"{version} {status}", "Content-Type: application/json", f"Content-Length: {said}"]
    return head(*lines, *fields) + body


def head(*lines: str | bytes) -> bytes:
    ended = (line if isinstance(line, bytes) else line.encode() for line in (*lines, "", ""))
    return b"\r\n".join(ended)


def chunked(body: bytes, *fields: str) -> bytes:
    """An answer in chunks, from its first chunk as it is given here."""
    return head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", *fields) + body


def chunk(data: bytes = GOOD) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


WITHOUT_LENGTH = head("HTTP/1.1 200 OK") + GOOD


def coded(coding: str, body: bytes) -> bytes:
    return answer(body, f"Content-Encoding: {coding}")


def nothing(_: object) -> bytes:
    return b""


def then_close(data: bytes = b"") -> Script:
    def script(peer: Peer) -> None:
        peer.send(data)
        peer.close()

    return script


def then_reset(data: bytes = b"") -> Script:
    def script(peer: Peer) -> None:
        peer.send(data)
        time.sleep(0.01)  # until it is connected, and what was sent has come in
        peer.reset()

    return script


def dripping(data: bytes, before: bytes = b"") -> Script:
    def script(peer: Peer) -> None:
        peer.send(before)
        peer.drip(data)

    return script


def late(data: bytes, seconds: float) -> Script:
    def script(peer: Peer) -> None:
        peer.wait(seconds)
        peer.send(data)

    return script


@cache
def bomb(size: int, times: int = 1) -> bytes:
    """So many zeros, compressed so many times."""
    coder = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = bytes(1 << 20)
    data = b"".join(coder.compress(piece) for _ in range(size >> 20)) + coder.flush()
    for _ in range(times - 1):
        data = gzip.compress(data, 9)
    return data


def endless(data: bytes, before: bytes = b"") -> Script:
    def script(peer: Peer) -> None:
        peer.send(before)
        while True:
            peer.send(data)

    return script


def half_late(peer: Peer) -> None:
    """Half of a body just before the deadline, and no more."""
    peer.send(answer(length=999))
    peer.wait(1.2)
    peer.send(GOOD)


@dataclass
class Case:
    name: str
    does: Script | bytes
    ends: Ending
    at: Literal["accept", "head", "body"] = "body"
    options: dict[str, Any] = field(default_factory=dict)


SMALL = {"max_response_bytes": 1 << 20}

CONNECTIONS = [
    Case("reset when it is made", then_reset(), BROKEN, "accept"),
    Case("closed when it is made", then_close(), BROKEN, "accept"),
    Case("reset after the head", then_reset(), BROKEN, "head"),
    Case("closed after the head", then_close(), BROKEN, "head"),
    Case("reset after the body", then_reset(), BROKEN),
    Case("closed after the body", then_close(), BROKEN),
    Case("a slow first byte", late(answer(), 0.05), RIGHT),
    Case("an answer before the request is read", then_close(answer()), RIGHT, "head"),
    Case("an answer to nothing", then_close(answer()), RIGHT, "accept"),
]
STATUS_LINES = [
    Case("half a status line, closed", then_close(b"HTTP/1.1 20"), BROKEN),
    Case("HTTP/1.0", then_close(answer(version="HTTP/1.0")), RIGHT),
    Case("HTTP/2 frames", then_close(b"\0\0\x12\4\0\0\0\0\0" + bytes(18)), BROKEN),
    Case("an endless status line", endless(b"x" * 4096), BROKEN),
    Case("a status of letters", answer(status="abc Ok"), BROKEN),
    Case("status 600", answer(status="600 More"), lost(StatusError)),
    Case("a token as the status", answer(status=TOKEN), BROKEN),
    Case("100 and then the answer", b"HTTP/1.1 100 Continue\r\n\r\n" * 50 + answer(), RIGHT),
    Case("100 and no more", then_close(b"HTTP/1.1 100 Continue\r\n\r\n"), BROKEN),
    Case("101", head("HTTP/1.1 101 Switching", "Upgrade: x", "Connection: upgrade"), BROKEN),
    Case("204 with a body", answer(status="204 No Content"), UNREADABLE),
    Case(
        "304 with a body",
        answer(status="304 Not Modified"),
        {**REFUSED, "unsafe": (OutcomeUnknown, 1)},
    ),
]
HEADERS = [
    Case("half of the headers, closed", then_close(b"HTTP/1.1 200 OK\r\nA: b\r\n"), BROKEN),
    Case("no colon", answer(GOOD, "nonsense"), BROKEN),
    Case("Latin-1", answer(GOOD, b"A: \xe4\xff"), RIGHT),
    Case("2,000 headers", answer(GOOD, *(f"X-{n}: {n}" for n in range(2000))), RIGHT),
    Case("endless headers", endless(b"A: b\r\n" * 999, b"HTTP/1.1 200 OK\r\n"), BROKEN),
    Case("two lengths", answer(GOOD, "Content-Length: 3"), BROKEN),
    Case("a length and chunks", chunked(chunk() + b"0\r\n\r\n", "Content-Length: 3"), RIGHT),
    Case("a length of 18 digits", answer(length=10**17), TOO_LARGE),
    Case(
        "a length of 5,000 digits",
        head("HTTP/1.1 200 OK", "Content-Length: " + "9" * 5000) + GOOD,
        BROKEN,
    ),
]
BODIES = [
    Case("a length too long, closed", then_close(answer(length=99)), BROKEN),
    Case("a length too long, reset", then_reset(answer(length=99)), BROKEN),
    Case("a length too short", answer(length=9), UNREADABLE),
    Case("no length, closed", then_close(WITHOUT_LENGTH), RIGHT),
    Case("no length, reset", then_reset(WITHOUT_LENGTH), BROKEN),
    Case("half a chunk, closed", then_close(chunked(chunk()[:9])), BROKEN),
    Case("no last chunk, closed", then_close(chunked(chunk())), BROKEN),
    Case("the size of a chunk is none", chunked(b"zz\r\n"), BROKEN),
    Case("an endless chunk extension", chunked(b"5;" + b"x" * (1 << 18)), BROKEN),
    Case("trailers", chunked(chunk() + b"0\r\nA: b\r\n\r\n"), RIGHT),
    Case("gzip", coded("gzip", gzip.compress(GOOD)), RIGHT),
    Case("gzip that is none", coded("gzip", GOOD), BROKEN),
    Case("half of a gzip", coded("gzip", gzip.compress(GOOD * 99)[:40]), UNREADABLE),
    Case("an empty gzip", coded("gzip", b""), UNREADABLE),
    Case("a gzip and more", coded("gzip", gzip.compress(GOOD) + b"more"), RIGHT),
    Case("deflate", coded("deflate", zlib.compress(GOOD)), RIGHT),
    Case("raw deflate", coded("deflate", zlib.compress(GOOD)[2:-4]), RIGHT),
    Case("a coding that is unknown", coded("rot13", GOOD), RIGHT),
    Case("1,000 codings", coded(", ".join(["gzip"] * 1000), GOOD), BROKEN),
    Case("a gzip bomb", coded("gzip", bomb(16 << 20)), TOO_LARGE, options=SMALL),
    Case("a bomb of bombs", coded("gzip, gzip, gzip", bomb(16 << 20, 3)), TOO_LARGE, options=SMALL),
    Case("an answer too long", answer(b" " * (1 << 20) + GOOD), TOO_LARGE, options=SMALL),
    Case("too many chunks", chunked(chunk(b" " * 9999) * 200), TOO_LARGE, options=SMALL),
    Case(
        "a failure too long",
        answer(b" " * (1 << 20) + GOOD, status="502 Bad"),
        TOO_LARGE,
        options=SMALL,
    ),
]
ECHO = f"X-Echo: Bearer {TOKEN}"
SILENCES = [
    Case("silence", b"", SILENT),
    Case("silence when it is made", Peer.wait, SILENT, "accept"),
    Case("a first byte that is too slow", late(answer(), 6), SILENT),
    Case("half a status line, silence", b"HTTP/1.1 20", SILENT),
    Case("100 and then silence", b"HTTP/1.1 100 Continue\r\n\r\n" * 50, SILENT),
    Case("half of the headers, silence", b"HTTP/1.1 200 OK\r\nA: b\r\n", SILENT),
    Case("a length too long, silence", answer(length=99), SILENT),
    Case("no length, silence", WITHOUT_LENGTH, SILENT),
    Case("half a chunk, silence", chunked(chunk()[:9]), SILENT),
    Case("no last chunk, silence", chunked(chunk()), SILENT),
]
DEADLINES = [
    Case("a dripping status line", dripping(b"HTTP/1.1 200 OK" * 99), LATE),
    Case("dripping headers", dripping(b"A: b\r\n" * 99, b"HTTP/1.1 200 OK\r\n"), LATE),
    Case("dripping hints", dripping(b"HTTP/1.1 103 A\r\n\r\n" * 9), LATE),
    Case("a dripping body", dripping(b" " * 99, answer(length=999)), LATE),
    Case("dripping chunks", dripping(chunk(b" ") * 9, chunked(b"")), LATE),
    Case("a first byte past the deadline", late(answer(), 5), LATE),
    Case("silence past the deadline", b"", LATE),
    Case("silence in a body", answer(length=999), LATE),
    Case("more of a body, and silence", half_late, LATE),
]
FLOODS = [
    Case("hints", endless(b"HTTP/1.1 103 A\r\n\r\n"), LATE),
    Case("hints by the thousand", endless(b"HTTP/1.1 103 A\r\n\r\n" * 999), LATE),
    Case("a body", endless(chunk(b" " * 9999), chunked(b"")), LATE),
]


# An answer that repeats the token, in all the places that errors are made of.
ECHOES = [
    Case("in a header of a failure", answer(b"{}", ECHO, status="403 No"), REFUSED),
    Case("in a failure", answer(b'{"message": "%s"}' % TOKEN.encode(), status="401 No"), REFUSED),
    Case("in HTML", answer(b"<p>%s" % TOKEN.encode(), status="502 No"), lost(ServerError)),
    Case("in a header of a wrong answer", answer(b"[]", ECHO), UNREADABLE),
    Case("as a key", answer(b'{"%s": 1}' % TOKEN.encode()), UNREADABLE),
    Case(
        "in a header of a long answer",
        answer(GOOD, ECHO),
        TOO_LARGE,
        options={"max_response_bytes": 9},
    ),
    Case("in half an answer", then_close(answer(TOKEN.encode(), length=99)), BROKEN),
    Case(
        "in a header, then past the deadline",
        answer(GOOD, ECHO, length=99),
        LATE,
        options={"deadline": 0.2},
    ),
    Case("in a broken status line", answer(version=TOKEN), BROKEN),
    Case("in the reason of a failure", answer(b"", status=f"500 {TOKEN}"), lost(ServerError)),
    Case("in a broken header", answer(GOOD, f"{TOKEN} x"), BROKEN),
    Case("in a length", head("HTTP/1.1 200 OK", f"Content-Length: {TOKEN}"), BROKEN),
]

# The tests.


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < LONGEST


@pytest.fixture
def server() -> Iterator[Server]:
    with serve(nothing) as server:
        watch = Timer(LONGEST, server.stop)  # who waits for ever fails, and goes on
        watch.start()
        yield server
        watch.cancel()


@pytest.fixture
def elsewhere() -> Iterator[Server]:
    """Another origin, which must not be talked to."""
    with serve(nothing) as server:
        yield server
        assert server.opened == 0


@pytest.fixture(autouse=True)
def no_token_in_logs(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Of ours; those of the library underneath show header fields of answers, if they are asked."""
    caplog.set_level(logging.DEBUG, "social_publishing")
    yield
    for record in caplog.get_records("call"):
        assert TOKEN not in record.getMessage() and TOKEN not in repr(record.__dict__)


def calls(
    kind: type,
    server: Server,
    todo: list[Callable[[Any], Any]],
    between: float = 0,
    **options: Any,
) -> list[Any]:
    """What each of several calls of one client gives: its error, or its answer.

    Args:
        between: seconds between them.
    """
    settings: dict[str, Any] = {
        "api_token": TOKEN,
        "base_url": f"{server.origin}/v1",
        "media_url": f"{server.origin}/api/v1",
        "timeout": 1.5,
        "retries": Retries(attempts=2, first_pause=0.002),
        "pacing": "off",
        "rate_key": token_hex(8),  # a budget of its own
        **options,
    }
    given: list[Any] = []

    async def main() -> None:
        async with both.awaited(kind(**settings)) as client:
            for do in todo:
                try:
                    given.append(await now(do(client)))
                except Exception as error:
                    given.append(error)
                if kind is SocialPublishing:
                    time.sleep(between)
                else:
                    await asyncio.sleep(between)

    both.run("sync" if kind is SocialPublishing else "asyncio", main)
    return given


def check_error(
    error: Any, kind: type[SocialPublishingError] | tuple[type[SocialPublishingError], ...]
) -> None:
    """It is one of ours, can be pickled, and shows no token, nor does anything that it holds."""
    if not isinstance(error, kind):
        raise AssertionError(f"{kind} expected, got {error!r}") from (
            error if isinstance(error, BaseException) else None
        )
    assert type(error).__module__ == errors.__name__
    shown = [repr(error), str(error), "".join(traceback.format_exception(error))]
    chain: BaseException | None = error
    while chain is not None:
        shown += [repr(chain.args), repr(vars(chain))]
        request = vars(chain).get("_request")  # of the library underneath
        shown += [repr(request and request.headers.raw)]
        chain = chain.__cause__ or chain.__context__
    copy = pickle.loads(pickled := pickle.dumps(error))
    assert (type(copy), str(copy)) == (type(error), str(error))
    assert TOKEN not in "".join(shown) and TOKEN.encode() not in pickled
    assert len(str(error)) < 1000 and "\n" not in str(error)


def check_ending(given: Any, expected: type[SocialPublishingError] | None) -> None:
    if expected is not None:
        check_error(given, expected)
    elif isinstance(given, BaseException):
        raise given
    else:
        assert given.id == "7" and given.name == "Bakers"


def check(case: Case, kind: type, operation: str, server: Server, **options: Any) -> None:
    server.play(case.does, at=case.at)
    [given] = calls(kind, server, [OPERATIONS[operation]], **{**options, **case.options})
    error, times = case.ends[operation]
    check_ending(given, error)
    # What finds its connection broken before anything was sent may be tried again.
    most = max(times for _, times in case.ends.values()) if case.at == "accept" else times
    check_times(server, times, most)


def check_times(server: Server, times: int, most: int = 0) -> None:
    """So many requests came in, if need be a moment after the client has gone."""
    until = time.monotonic() + 10
    while len(server.requests) < times and time.monotonic() < until:
        time.sleep(0.005)
    assert times <= len(server.requests) <= (most or times)


def table(cases: list[Case]) -> Callable[[Any], Any]:
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


every = pytest.mark.parametrize("operation", OPERATIONS)
two = pytest.mark.parametrize("operation", ["safe", "unsafe"])  # where the third is as the first


@BOTH
@two
@table([*CONNECTIONS, *STATUS_LINES, *HEADERS, *BODIES, *ECHOES])
def test_a_server(case: Case, operation: str, kind: type, server: Server) -> None:
    check(case, kind, operation, server)


@BOTH
@pytest.mark.parametrize(
    ("cases", "options"),
    [(SILENCES, {"timeout": 1.5}), (DEADLINES, {"deadline": 2.0, "timeout": 60})],
    ids=["silences", "deadlines"],
)
def test_waits(cases: list[Case], options: dict[str, Any], kind: type) -> None:
    """A server that does nothing, or as good as nothing. All at a time: it takes its time."""

    def one(case: Case, operation: str) -> None:
        with serve(nothing) as server:
            check(case, kind, operation, server, **options)

    with ThreadPoolExecutor(len(cases) * len(OPERATIONS)) as workers:
        work = {
            f"{case.name}, {operation}": workers.submit(one, case, operation)
            for case in cases
            for operation in OPERATIONS
        }
    assert {name: done.exception() for name, done in work.items() if done.exception()} == {}


@BOTH
@two
@table(FLOODS)
def test_a_server_that_floods_meets_the_deadline(
    case: Case, operation: str, kind: type, server: Server
) -> None:
    """A server that is busy with doing nothing."""
    check(case, kind, operation, server, deadline=0.4)


# Connections that are used again.


@BOTH
@every
@pytest.mark.parametrize(
    "more",
    [
        answer(b'{"id": "8", "name": "of another request"}'),
        answer(b""),
        b"garbage\r\n\r\n",
        answer(status="500 No"),
        b"0\r\n\r\n",
        b"HTTP/1.1 202 Accepted\r\nX-Before: ",
    ],
    ids=["an answer", "an empty one", "garbage", "a failure", "a chunk", "a beginning"],
)
def test_more_than_was_asked_for(more: bytes, operation: str, kind: type, server: Server) -> None:
    """What comes beside an answer is not taken for the answer to the next request."""
    server.play(answer() + more, answer())
    first, second = calls(kind, server, [OPERATIONS["safe"], OPERATIONS[operation]])
    check_ending(first, None)
    check_ending(second, OutcomeUnknown if operation == "unsafe" else None)
    check_times(server, 2 if operation == "unsafe" else 3)


@BOTH
@every
def test_a_connection_that_ends_as_it_is_used_again(
    operation: str, kind: type, server: Server
) -> None:
    """Nobody can tell whether the request came in before: only what may be repeated is."""
    for end in (then_close(), then_reset()):
        server.play(answer(), end, answer())
        first, second = calls(kind, server, [OPERATIONS["safe"], OPERATIONS[operation]])
        check_ending(first, None)
        check_ending(second, OutcomeUnknown if operation == "unsafe" else None)
        check_times(server, 2 if operation == "unsafe" else 3)


@BOTH
@every
def test_a_connection_that_has_ended(operation: str, kind: type, server: Server) -> None:
    """Another one is made, for a write too: nothing was sent over the old one."""

    def wait(peer: Peer) -> None:
        peer.send(answer())
        peer.close()

    server.play(wait)
    settled = OPERATIONS["safe"], OPERATIONS[operation]
    given = calls(kind, server, list(settled), between=0.1)
    for got in given:
        check_ending(got, None)
    check_times(server, 2)
    assert server.opened == 2


@BOTH
@every
def test_a_connection_that_is_left_open(operation: str, kind: type, server: Server) -> None:
    """`Connection: close` ends it on our side at once, whatever the server does."""
    server.play(answer(GOOD, "Connection: close"))
    for got in calls(kind, server, [OPERATIONS[operation]] * 3):
        check_ending(got, None)
    check_times(server, 3)
    assert server.opened == 3


@BOTH
def test_cookies(kind: type, server: Server, elsewhere: Server) -> None:
    """None is ever sent, not to who set it either: a call depends on its arguments alone."""
    host = f"Set-Cookie: a=b; Path=/; Domain=127.0.0.1\r\nSet-Cookie: {'c' * 9000}=d"
    server.play(answer(GOOD, host))
    for got in calls(kind, server, list(OPERATIONS.values()) * 2):
        check_ending(got, None)
    assert not any(b"cookie" in each.head.lower() for each in server.requests)


# Uploads.

FILE = bytes(1 << 26)  # more than any socket takes unread


def upload(client: Any) -> Any:
    return client.media.upload(file=File(FILE, name="a.mp4"))


@BOTH
@pytest.mark.parametrize(
    ("script", "options"),
    [
        (then_reset(answer(b"", status="413 No")), {}),
        (then_reset(), {}),
        (then_close(), {}),
        (Peer.rest, {"timeout": 0.25}),
        (Peer.rest, {"deadline": 0.5}),
        (Peer.sip, {"deadline": 0.5}),
    ],
    ids=["reset after 413", "reset", "closed", "not read", "not read in time", "read too slowly"],
)
def test_an_upload_that_breaks_off(
    script: Script, options: dict[str, Any], kind: type, server: Server
) -> None:
    """It is sent once. Where a refusal came through, that is what is raised."""
    server.play(script, at="head")
    [error] = calls(kind, server, [upload], **options)
    check_error(error, (OutcomeUnknown, PayloadTooLargeError))
    if "deadline" in options:
        check_error(error.__cause__, DeadlineExceeded)
    check_times(server, 1)


# Pages.


@BOTH
def test_a_next_page_that_repeats_the_token(kind: type, server: Server) -> None:
    """It is followed without: addresses are shown in errors and in the log."""
    next_page = f"{server.origin}/v1/posts?token={TOKEN}&page=2&left=1"
    first = json.dumps({"data": [POST], "meta": {"next_page_url": next_page}}).encode()
    server.play(answer(first), answer(b"{}", status="500 No"))

    async def read(client: Any) -> None:
        async for _ in both.each(client.with_options(retries=0).posts.list(group_id=ID)):
            pass

    [error] = calls(kind, server, [read])
    check_error(error, ServerError)
    assert error.url.endswith("&page=2&left=1")


# Answers that are read piece by piece.


OVERDUE, SOON = each(DeadlineExceeded), {"deadline": 0.2}
STREAMS = [
    Case("right", answer(), RIGHT),
    Case("closed", then_close(answer(length=99)), CUT),
    Case("reset", then_reset(answer(length=99)), CUT),
    Case("reset, with the token", then_reset(answer(GOOD, ECHO, length=99)), CUT),
    Case("silence", answer(length=99), each(RequestTimedOut), options={"timeout": 0.2}),
    Case("silence past the deadline", answer(length=99), OVERDUE, options=SOON),
    Case("dripping", dripping(b" " * 999, answer(length=9999)), OVERDUE, options=SOON),
    Case("flood", endless(chunk(b" " * 9999), chunked(b"")), OVERDUE, options=SOON),
    Case("no byte of the body", dripping(b"x" * 999, chunked(b"5;")), OVERDUE, options=SOON),
    Case("broken chunk", chunked(b"zz\r\n"), CUT),
    Case("broken gzip", coded("gzip", GOOD), CUT),
    Case("bomb", coded("gzip", bomb(16 << 20)), TOO_LARGE, options={"limit": 1 << 20}),
    Case("404", answer(b"no", status="404 No"), REFUSED),
]


@BOTH
@table(STREAMS)
def test_streams(case: Case, kind: type, server: Server) -> None:
    """Once its head has come, an answer is not asked for again."""
    server.play(case.does)
    options = dict(case.options)
    limit = options.pop("limit", None)

    async def read(client: Any) -> bytes:
        async with client.stream(build_get(ID)) as answer:
            return b"".join([chunk async for chunk in both.each(answer.iter_bytes(limit=limit))])

    [given] = calls(kind, server, [read], **options)
    error, times = case.ends["safe"]
    if error is None:
        assert given == GOOD
    else:
        check_error(given, error)
    check_times(server, times)
