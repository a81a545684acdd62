"""Hostile servers, made from a seed: what is called, and what becomes of its requests on the way.

A server may break every rule of HTTP, but it does not lie: what it refuses in so many words it has
not done, and what it says it has done it has.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from random import Random
from typing import Literal, TypeAlias

from social_publishing import ArgumentError

from harness import corpus
from harness.calls import Unsayable, call_of
from tests.support.documents import Json, Operation, Values, operations
from tests.support.examples import success
from tests.support.server import Peer, Response

CORE = "T0KENofTheFuzzer"
TOKEN = f'"{CORE}/+<&=='
"""Looks different in JSON, in an address and in HTML; its core is the same in all of them."""

LONGEST = 4.0  # seconds that a server drips or holds, well past every deadline
LIMIT = 1 << 20  # bytes of a response that the client takes
REFUSED = (408, 425, 429)
LASTING = (501, 505, 511)

Stage: TypeAlias = Literal["accept", "head", "body"]


@dataclass(frozen=True)
class Play:
    """What a server does with one request.

    Attributes:
        response: the bytes that it sends.
        status: the one of its response, as it was before anything was done to it.
        carries_out: whether it does what was asked for.
        is_refusal: whether it says, so that nobody can miss it, that it has not.
        pace: how it sends.
        end: what becomes of the connection.
    """

    response: bytes
    status: int
    carries_out: bool = False
    is_refusal: bool = False
    pace: Literal["at once", "pieces", "drip"] = "at once"
    end: Literal["keep", "close", "reset", "hold"] = "keep"

    def act(self, peer: Peer) -> None:
        """Do it to a connection."""
        if self.pace == "drip":
            peer.send(self.response[:-3])
            peer.drip(self.response[-3:] or b"\0", pause=0.01)
        elif self.pace == "pieces":
            for start in range(0, len(self.response), 1 + len(self.response) // 7):
                peer.send(self.response[start:][: 1 + len(self.response) // 7])
        else:
            peer.send(self.response)
        if self.end == "close":
            peer.close()
        elif self.end == "reset":
            peer.reset()
        elif self.end == "hold":
            peer.wait(LONGEST)
            peer.gone = True


@dataclass(frozen=True)
class Scenario:
    """A call, and the server that it meets.

    Attributes:
        stage: how much of a request the server reads before it plays.
        scheme: of the address that the client has; the server may not speak it.
        plays: one for each request; the last for all that follow. None: nobody is there.
        options: those of the client.
        whole: whether all pages of a list are read.
    """

    seed: int
    operation: Operation
    values: Values
    side: Literal["sync", "asyncio", "trio"]
    stage: Stage
    scheme: Literal["http", "https"]
    is_secure: bool
    plays: tuple[Play, ...]
    options: dict[str, Json] = field(default_factory=dict)
    whole: bool = False

    @property
    def is_reachable(self) -> bool:
        """Whether a request can leave: https does not get to a server that has no TLS."""
        return bool(self.plays) and (self.scheme == "http" or self.is_secure)


def scenario(seed: int, elsewhere: str) -> Scenario:
    """Return the scenario of a seed.

    Args:
        elsewhere: an address that nothing may be sent to.
    """
    draw = Random(seed)
    operation = draw.choice(list(operations().values()))
    scheme: Literal["http", "https"] = draw.choice(("http", "http", "https"))
    stage: Stage = draw.choices(("accept", "head", "body"), (1, 2, 12))[0]
    plays = tuple(_play(draw, operation, stage, elsewhere) for _ in range(draw.randint(1, 3)))
    return Scenario(
        seed,
        operation,
        _enlarged(draw, draw.choice(_requests(operation.id))),
        draw.choices(("sync", "asyncio", "trio"), (5, 4, 1))[0],
        stage,
        scheme,
        (scheme == "https") is (draw.random() > 0.03),
        plays if draw.random() > 0.01 else (),
        {
            "deadline": draw.choice((0.15, 0.3)),
            "timeout": draw.choice((0.05, 5.0)),
            "retries": draw.choice((0, 1, 3)),
            "pacing": draw.choice(("wait", "raise", "off")),
            "drift": draw.choice(("ignore", "warn", "raise")),
        },
        draw.random() < 0.5,
    )


def _enlarged(draw: Random, values: Values) -> Values:
    """Let a file be too large for a server to take before it has to be read."""
    times = draw.choice((1, 1, 50_000))
    return {
        key: {**value, "content": value["content"] * times} if key.startswith("form.") else value
        for key, value in values.items()
    }


@cache
def _requests(operation: str) -> list[Values]:
    """Return the requests of the corpus that the client takes."""
    cases = [case["given"] for case in corpus.load(operation) if "sent" in case]
    taken = [values for values in cases if _is_taken(operation, values)]
    assert taken, f"the client takes no frozen request of {operation} any more: {corpus.UPDATE}"
    return taken


def _is_taken(operation: str, values: Values) -> bool:
    try:
        call_of(operations()[operation], values).request()
    except (Unsayable, ArgumentError):
        return False
    return True


@dataclass
class _Draft:
    """A response that is being spoilt, piece by piece.

    Attributes:
        line: its status line; `before` is what comes before it, `after` what comes behind it.
    """

    status: int
    body: bytes
    line: bytes = b""
    before: bytes = b""
    fields: list[bytes] = field(default_factory=list)
    framing: list[bytes] | None = None
    after: bytes = b""

    def bytes(self) -> bytes:
        line = self.line or b"HTTP/1.1 %d -" % self.status
        framing = self.framing
        if framing is None:
            framing = [b"Content-Length: %d" % len(self.body)]
        head = [line, b"Content-Type: application/json", *framing, *self.fields, b"", b""]
        return self.before + b"\r\n".join(head) + self.body + self.after


def _play(draw: Random, operation: Operation, stage: Stage, elsewhere: str) -> Play:
    good = success(operation)
    kind = draw.choices(("good", "refusal", "failure", "any"), (5, 2, 2, 1))[0]
    draft = _Draft(good.status, b"" if good.json is None else json.dumps(good.json).encode())
    if kind != "good":
        draft.status = {
            "refusal": draw.choice((400, 401, 403, 404, 409, 410, 413, 422, *REFUSED)),
            "failure": draw.choice((500, 502, 503, 504, 520, *LASTING)),
            "any": draw.randint(100, 699),
        }[kind]
        draft.body = json.dumps({"message": draw.choice(("no", TOKEN)), "error": "no"}).encode()
    elif draw.random() < 0.3:
        url = draw.choice((f"{elsewhere}/", "/v1/x?page=2", "?", "\\u0000", "http://[/"))
        draft.body = draft.body.replace(b"https://files.invalid/", url.encode())
    spoilt = [draw.choice(_FAULTS) for _ in range(draw.choices((0, 1, 2, 3), (3, 4, 2, 1))[0])]
    for fault in spoilt:
        fault(draw, draft, elsewhere)
    play = Play(
        draft.bytes(),
        draft.status,
        _is_carried_out(draw, draft.status, stage),
        is_refusal=not spoilt and 400 <= draft.status <= 499 and stage == "body",
    )
    return _on_the_wire(draw, play)


def _is_carried_out(draw: Random, status: int, stage: Stage) -> bool:
    if stage == "accept":  # nothing has been asked for yet
        return False
    if 200 <= status <= 299:
        return True
    if stage == "head" or 300 <= status <= 499 or status in LASTING:
        return False
    return draw.random() < 0.5


def _on_the_wire(draw: Random, play: Play) -> Play:
    """Let the response be cut off, flow slowly, or lose bytes."""
    end = draw.choices(("keep", "close", "reset", "hold"), (8, 2, 1, 1))[0]
    pace = draw.choices(("at once", "pieces", "drip"), (16, 4, 1))[0]
    data = play.response
    if draw.random() < 0.25:
        data = data[: draw.randint(0, len(data))]
        end = draw.choice(("close", "reset", "hold"))
    elif draw.random() < 0.1 and len(data) > 20 and CORE.encode() not in data:
        # Not in the status line: it would be another answer.
        at = draw.randint(len(data) // 2, len(data) - 1)
        data = data[:at] + draw.randbytes(draw.randint(0, 3)) + data[at + 1 :]
    whole = data == play.response and end in ("keep", "close") and pace != "drip"
    return replace(play, response=data, is_refusal=play.is_refusal and whole, pace=pace, end=end)


# What a response may be spoilt with

_Fault: TypeAlias = Callable[[Random, _Draft, str], None]

_TEXTS = (
    b"", b"null", b"true", b"{", b"[]", b"{}", b"[[]]", b"NaN", b'"text"', b"1e999", b"-",
    b"[" * 100_000, b'{"id":' * 5_000, b"9" * 50_000, b"\xef\xbb\xbf{}", b'{"id": "\xff"}',
    b'{"id": "\\ud800"}', b'{"id": 1, "id": 2}', b"<html>502</html>", b"\0" * 100, b"{}{}",
    b'{"data": null, "meta": null, "links": null}', b'{"data": [1, null, {"id": []}]}',
    b'{"errors": {"a": [[[]]], "b": 1}, "message": {"a": 1}}', b" " * 70_000, b"{} trailing",
)  # fmt: skip
_FIELDS = (
    b"no colon", b": no name", b"X-Nul: a\0b", b"X-Long: " + b"a" * 70_000, b" folded",
    b"X-Latin: \xe9\xff", b"X-Cr: a\rb", b"Connection: close", b"Connection: upgrade",
    b"Upgrade: h2c", b"Set-Cookie: a=b; Domain=.", b"Retry-After: 1", b"Retry-After: -1",
    b"Retry-After: 999999999", b"Retry-After: soon", b"Retry-After: Fri, 31 Dec 9999 23:59:59 GMT",
    b"Retry-After: " + b"9" * 5000, b"X-RateLimit-Limit: 0", b"X-RateLimit-Remaining: 0",
    b"X-RateLimit-Limit: 1e9", b"X-RateLimit-Remaining: -5", b"X-RateLimit-Reset: 99999999999999",
    b"X-RateLimit-Reset: 0", b"X-RateLimit-Reset: \xb2", b"Date: never", b"X-Rate\xff: 1",
    b"Date: Mon, 01 Jan 0001 00:00:00 GMT", b"Content-Type: text/html; charset=utf-7",
    b"Content-Type: application/json; charset=nonsense", b"Trailer: X", b"Content-Range: bytes 0-",
    b"X-Echo: " + TOKEN.encode(), b"WWW-Authenticate: Bearer " + TOKEN.encode(),
    *[b"X-Many: 1\r\n" * 500],
)  # fmt: skip
_FRAMINGS = (
    [], [b"Content-Length: -1"], [b"Content-Length: 0x10"], [b"Content-Length: 1" + b"0" * 30],
    [b"Content-Length: 5", b"Content-Length: 6"], [b"Content-Length: 5, 5"], [b"Content-Length:"],
    [b"Content-Length: 0"], [b"Content-Length: 7"], [b"Content-Length: 90000"],
    [b"Transfer-Encoding: chunked", b"Content-Length: 5"], [b"Transfer-Encoding: gzip, chunked"],
    [b"Transfer-Encoding: identity"], [b"Transfer-Encoding: chunked, chunked"],
)  # fmt: skip
_LINES = (
    b"HTTP/1.0 %d -", b"HTTP/2.0 %d -", b"HTTP/1.1 %d", b"HTTP/1.1  %d -", b"http/1.1 %d ok",
    b"ICY %d OK", b"HTTP/1.1 %d \xff\xfe", b"HTTP/1.1 %d " + TOKEN.encode(), b"HTTP/1.1 %d99 -",
    b"HTTP/ %d", b"%d", b"HTTP/1.1 %d " + b"x" * 70_000, b"\r\nHTTP/1.1 %d -", b"HTTP/3 %d -",
)  # fmt: skip
_SETTINGS = b"\0\0\0\x04\0\0\0\0\0"  # the first frame of HTTP/2
_ALERT = b"\x15\x03\x03\0\x02\x02\x28"  # a TLS handshake that has failed


def _text(draw: Random, draft: _Draft, _: str) -> None:
    draft.body = draw.choice(_TEXTS)


def _leaf(draw: Random, draft: _Draft, _: str) -> None:
    """Put something else into one place of the body."""
    try:
        value = json.loads(draft.body)
    except (ValueError, RecursionError):
        return
    node, step = {"": value}, ""
    while isinstance(node[step], dict | list) and node[step] and draw.random() < 0.9:
        node = node[step]
        step = draw.choice(list(node) if isinstance(node, dict) else range(len(node)))
    node[step] = draw.choice((None, 0, -1, 2**70, 0.5, "", "x", True, [], {}, [None], TOKEN))
    if step != "":
        draft.body = json.dumps(value).encode()


def _fields(draw: Random, draft: _Draft, _: str) -> None:
    draft.fields += draw.sample(_FIELDS, draw.randint(1, 4))


def _location(draw: Random, draft: _Draft, elsewhere: str) -> None:
    """Lead elsewhere."""
    if not 200 <= draft.status <= 299:
        draft.status = draw.choice((301, 302, 303, 307, 308))
    draft.fields.append(b"Location: " + draw.choice((elsewhere.encode(), b"/v1/x", b"//", b"\xff")))


def _framing(draw: Random, draft: _Draft, _: str) -> None:
    draft.framing = list(draw.choice(_FRAMINGS))


def _chunked(draw: Random, draft: _Draft, _: str) -> None:
    size = draw.choice((1, 7, 4096))
    pieces = [draft.body[at : at + size] for at in range(0, min(len(draft.body), 20_000), size)]
    chunks = [b"%x%s\r\n%s\r\n" % (len(p), draw.choice((b"", b";a=b")), p) for p in pieces]
    ends = (b"0\r\n\r\n", b"0\r\nX: y\r\n\r\n", b"", b"-1\r\n", b"f" * 40 + b"\r\n", b"zz\r\n")
    draft.framing = [b"Transfer-Encoding: chunked"]
    draft.body = b"".join([*chunks, draw.choice(ends)])


def _packed(draw: Random, draft: _Draft, _: str) -> None:
    pack = draw.choice((partial(gzip.compress, mtime=0), zlib.compress, bytes))
    if draw.random() < 0.2:
        draft.body += bytes(8 * LIMIT)
    draft.body = pack(draft.body) if pack is not bytes else draft.body[: 1 << 16]
    draft.body = draft.body[: draw.choice((len(draft.body), len(draft.body) // 2))]
    names = (b"gzip", b"deflate", b"br", b"gzip, gzip", b"x", b"identity")
    draft.fields.append(b"Content-Encoding: " + draw.choice(names))


def _line(draw: Random, draft: _Draft, _: str) -> None:
    line = draw.choice(_LINES)
    draft.line = line.replace(b"%d", b"%d" % draft.status)


def _before(draw: Random, draft: _Draft, elsewhere: str) -> None:
    """Say something before the response."""
    interim = b"HTTP/1.1 %d -\r\nLink: <%s>\r\n\r\n" % (draw.randint(100, 199), elsewhere.encode())
    draft.before = draw.choice((interim, interim * 300, _SETTINGS, _ALERT, b"\0", b"\n", b"HTTP/"))


def _behind(draw: Random, draft: _Draft, _: str) -> None:
    """Say something behind the response, such as another one that nobody has asked for."""
    another = bytes(Response(json={"id": "666", "name": "not asked for"}))
    draft.after = draw.choice((another, another * 2, b"\r\n", b"\0", _SETTINGS, another[:40]))


_FAULTS: tuple[_Fault, ...] = (
    _text, _leaf, _leaf, _fields, _fields, _location, _framing, _chunked, _packed, _line, _before,
    _behind,
)  # fmt: skip
