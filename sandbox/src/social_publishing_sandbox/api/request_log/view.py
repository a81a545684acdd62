"""An exchange, as people and programs are shown it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import orjson

from social_publishing_sandbox.api.request_log.entry import Entry, Headers
from social_publishing_sandbox.state import times

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


def to_dict(entry: Entry, bodies: bool = True) -> dict[str, Any]:
    """Return an entry as JSON, with decoded bodies; without headers that may hold a token."""
    shown: dict[str, Any] = {
        "number": entry.number,
        "at_real": _real(entry.at_real),
        "at": times.text(entry.at),
        "api": entry.api,
        "method": entry.method,
        "target": entry.target,
        "path": entry.path,
        "operation": entry.operation,
        "status": entry.status,
        "duration_ms": entry.duration_us / 1_000,
        "user": entry.user,
        "user_id": entry.user_id,
        "faults": list(entry.faults),
        "fault": entry.fault,
        "problems": list(entry.problems),
        "cites": list(entry.cites),
        "violations": list(entry.violations),
        "replayable": entry.replayable,
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
    """JSON as it is, other text as text, and of anything else how long it is."""
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
        return f"({len(body):,} bytes that are no text)"
