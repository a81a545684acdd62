"""One exchange, as the request log keeps it, and as people and programs are shown it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import times

Headers = Sequence[tuple[bytes, bytes]]


@dataclass(slots=True, eq=False)
class Entry:
    """One exchange.

    Attributes:
        at_real: when the request came, in seconds since 1970.
        at: the same in the sandbox's time, in milliseconds since 1970.
        api: the API that was asked.
        target: path and query, exactly as they were sent.
        path: the path, decoded.
        operation: its `operationId`; none where there is no such operation.
        status: of the response, also when the connection was dropped instead; none where nothing
            was carried out.
        duration_us: how long that took, in microseconds.
        user: the name of the user, by the token.
        user_id: the identifier of the user.
        request_headers: as they came. They may hold a token: only an allow-list of them is shown.
        request_body: the body, `b""` for none; none for one that is not kept.
        request_note: describes a body that is not kept, such as an upload.
        response_headers: as they were sent.
        response_body: the body; none for one that is not kept.
        faults: the ids of the faults that happened to it.
        fault: the kind of fault that happened to it, other than latency.
        problems: how the response breaks the contract, as sentences.
        violations: each "must" of the specification that the request breaks, as a sentence with its
            §.
        cites: the reasons for a refusal: sections of the specification such as `§4.2`, and gaps
            such as `createLabel.names`, if it is assumed; empty if nothing was refused.
        number: counts the exchanges from 1; given by the request log.
        request_cut: the body was longer than what is kept of it.
        response_cut: the body was longer than what is kept of it.
        forgotten: the bodies were dropped in favour of newer ones.
    """

    at_real: float
    at: int
    api: Literal["main", "media"]
    method: str
    target: str
    path: str
    operation: str | None
    status: int | None
    duration_us: int
    user: str | None
    user_id: str | None
    request_headers: Headers = field(repr=False)
    request_body: bytes | None = field(repr=False)
    response_headers: Headers = field(repr=False)
    response_body: bytes | None = field(repr=False)
    request_note: str | None = None
    faults: Sequence[str] = ()
    fault: str | None = None
    problems: Sequence[str] = ()
    cites: Sequence[str] = ()
    violations: Sequence[str] = ()
    number: int = 0
    request_cut: bool = False
    response_cut: bool = False
    forgotten: bool = False

    @property
    def replayable(self) -> bool:
        """All of the request is there, so that it can be sent once more."""
        return self.request_body is not None and not self.request_cut

    @property
    def request_json(self) -> Any:
        """The JSON of the request's body; None where there is none, or not all of it was kept."""
        return None if self.request_cut else _json(self.request_body)

    @property
    def response_json(self) -> Any:
        """The JSON of the response's body; None where there is none, or not all of it was kept."""
        return None if self.response_cut else _json(self.response_body)

    @property
    def succeeded(self) -> bool:
        """The operation was carried out, whether or not the client heard of it."""
        return self.status is not None and 200 <= self.status < 300


def _json(body: bytes | None) -> Any:
    try:
        return orjson.loads(body or b"null")
    except orjson.JSONDecodeError:
        return None


_SHOWN_HEADERS: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "accept-language",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "idempotency-key",
        "if-match",
        "if-none-match",
        "origin",
        "prefer",
        "transfer-encoding",
        "user-agent",
        "x-request-id",
    }
)


_SHOWN_AS_IT_IS: Final = (
    *("api", "method", "target", "path", "operation", "status", "user", "user_id", "fault"),
    "replayable",
)
_LISTS: Final = ("faults", "problems", "cites", "violations")


def to_dict(entry: Entry, bodies: bool = True) -> dict[str, Any]:
    """Return an entry as JSON, with decoded bodies; without headers that may hold a token."""
    shown: dict[str, Any] = {
        "number": entry.number,
        "at_real": _real(entry.at_real),
        "at": times.text(entry.at),
        **{name: getattr(entry, name) for name in _SHOWN_AS_IT_IS},
        "duration_ms": entry.duration_us / 1_000,
        **{name: list(getattr(entry, name)) for name in _LISTS},
    }
    if bodies:
        shown["forgotten"] = entry.forgotten
        shown["request"] = {
            "headers": _headers(entry.request_headers, _SHOWN_HEADERS),
            "body": _body(entry.request_body, entry.request_cut),
            "cut": entry.request_cut,
            "note": entry.request_note,
        }
        shown["response"] = {
            "headers": _headers(entry.response_headers, None),
            "body": _body(entry.response_body, entry.response_cut),
            "cut": entry.response_cut,
        }
    return shown


def _real(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _headers(headers: Headers, allowed: frozenset[str] | None) -> list[list[str]]:
    named = ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in headers)
    return [[name, value] for name, value in named if allowed is None or name in allowed]


def _body(body: bytes | None, cut: bool) -> Any:
    """Return JSON as it is, other text as text, and of anything else how long it is."""
    if not body:
        return None
    if not cut:
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError:
            pass
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        if cut and len(body) - error.start < 4:  # a character was cut in two
            return body[: error.start].decode()
        return f"({len(body):,} bytes of binary data)"
