"""Frozen cases: what was given, and what the client made of it. They replay without schemathesis.

`corpus/<operation>.jsonl` has a case a line: a request in flat form with what left, or with why it
was refused; a response with the object or the error that it became. The cases depend on what the
documents say of that one operation, so another operation adds a file and changes none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET
from social_publishing import ArgumentError, ExchangeError, StatusError
from social_publishing._runtime.core.models import ResponseModel

from harness.calls import Call, Unsayable, call_of
from harness.service import SIDES, Exchange, Reply, captured, reply
from tests.support.documents import Json, Operation, Values
from tests.support.wire import Sent, form, moment

FOLDER = Path(__file__).parents[1] / "corpus"
UPDATE = "nox -s freeze"

SAME = "the body"
"""Stands for a result that is the body, value for value and in its order."""

_BOUNDARY = re.compile(r"boundary=\S+")


def load(operation: str) -> list[Json]:
    """Return the cases of one operation; none where nothing was frozen."""
    path = FOLDER / f"{operation}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def save(operation: str, cases: Iterable[Json]) -> None:
    """Write the file of one operation, a case a line."""
    FOLDER.mkdir(exist_ok=True)
    text = "".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in cases)
    (FOLDER / f"{operation}.jsonl").write_text(text, encoding="utf-8", newline="\n")


def frozen() -> set[str]:
    """Return the operations that have a file."""
    return {path.stem for path in FOLDER.glob("*.jsonl")}


def request_case(operation: Operation, values: Values) -> Json:
    """Return a request with what the client makes of it now.

    Raises:
        Unsayable: Python has no words for it.
        AssertionError: the two clients differ.
    """
    call = call_of(operation, values)
    try:
        call.request()
    except ArgumentError as error:
        return {"given": values, "refused": str(error)}
    # A batch that fails keeps others from being sent: each gets what the bulk operations return.
    done = reply(200, {"post_ids": [], "partial": False})
    return {"given": values, "sent": _agreed(_sent, call, done)}


def response_case(operation: Operation, values: Values, status: int, served: Json) -> Json:
    """Return a response, `{"headers": …, "body": …}`, with what the client makes of it now."""
    headers = {name: str(value) for name, value in served.get("headers", {}).items()}
    has_body = "body" in served
    given = reply(status, served["body"], headers) if has_body else Reply(status, headers)
    case = {"given": values, "status": status, "response": served}
    became = _agreed(_became, call_of(operation, values), given)
    if has_body:
        for name in {"result", "data"} & set(became):
            if json.dumps(became[name]) == json.dumps(served["body"]):
                became[name] = SAME
    return {**case, "becomes": became}


def again(operation: Operation, case: Json) -> Json:
    """Return the same case with what the client makes of it now."""
    if "response" in case:
        return response_case(operation, case["given"], case["status"], case["response"])
    return request_case(operation, case["given"])


def _agreed(read: Any, call: Call, served: Reply) -> Json:
    found = {side: read(captured(call, side, served)) for side in SIDES}
    assert found["sync"] == found["async"], f"{call.python()}: {found}"
    return found["sync"]


def _sent(exchange: Exchange) -> list[Json]:
    if not exchange.sent and exchange.error:
        return [{"error": str(exchange.error)}]
    return [_written(each) for each in exchange.sent]


def _written(sent: Sent) -> Json:
    found: Json = {"line": f"{sent.method} {sent.url}"}
    dropped = ("host", "user-agent", "accept-encoding", "content-length", "connection")
    found["headers"] = {
        name: _BOUNDARY.sub("boundary=…", value)
        for name, value in sent.headers
        if name not in dropped
    }
    if "multipart" in found["headers"].get("content-type", ""):
        found["form"] = form(sent)
    elif sent.body:
        found["body"] = sent.body.decode()
    return found


def _attributes(value: Any) -> Json:
    """Return what the attributes of models say, by the names in JSON."""
    if isinstance(value, ResponseModel):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        fields = {wire_name: value.stored(name) for wire_name, name in names}
        return {name: _attributes(item) for name, item in fields.items() if item not in (UNSET, ())}
    if isinstance(value, list):
        return [_attributes(item) for item in value]
    if isinstance(value, dict):
        return {str(getattr(key, "value", key)): _attributes(item) for key, item in value.items()}
    return json.loads(msgspec.json.encode(value))


def _became(exchange: Exchange) -> Json:
    error = exchange.error
    if error is None:
        return {"result": _attributes(exchange.result)}
    found = {"error": type(error).__name__, "text": str(error)}
    if isinstance(error, ExchangeError):
        found["headers"] = dict(error.exchange.headers)
    if isinstance(error, StatusError):
        fields = ("status", "message", "title", "e_code", "errors", "data")
        found |= {name: getattr(error, name) for name in fields}
    return found


class Novelty:
    """Tells which cases have something that none had before: a kind of value at some place.

    Args:
        pruned: whether members in which nothing is new are left out.
    """

    def __init__(self, *, pruned: bool) -> None:
        self._seen: set[tuple[str, ...]] = set()
        self._prune = pruned

    def of(self, cases: Iterable[Json]) -> list[Json]:
        """Return the new ones. Those that have most come first, so that few are enough."""
        found = [(value, set(_features(value, ("",)))) for value in cases]
        kept = []
        for value, features in sorted(found, key=lambda case: -len(case[1])):
            if features - self._seen:
                kept.append(self._pruned(value, ("",)) if self._prune else value)
                self._seen |= features
        return kept

    def _pruned(self, value: Json, place: tuple[str, ...]) -> Json:
        """Return the value without the members in which nothing is new; its outermost ones stay."""
        if isinstance(value, list):
            return [self._pruned(item, (*place, "*")) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            name: self._pruned(item, (*place, _step(name)))
            for name, item in value.items()
            if len(place) == 1 or set(_features(item, (*place, _step(name)))) - self._seen
        }


def _features(value: Json, place: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the last two steps to each place in a value, and what kind of value is there."""
    yield *place[-2:], _kind(value)
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _features(item, (*place, _step(name)))
    elif isinstance(value, list):
        for item in value:
            yield from _features(item, (*place, "*"))


def _step(name: str) -> str:
    """Return the name of a member, where it is no key that was made up."""
    named = name.isascii() and len(name) > 1 and name.replace("_", "").isalnum()
    return name if named or "." in name else "*"


def _kind(value: Json) -> str:
    """Return what kind of value it is, without its digits and letters."""
    match value:
        case dict():
            return f"object {bool(value)}"
        case list():
            return f"array {_size(len(value))}"
        case str():
            kind = "date" if moment(value) else "digits" if value.isdigit() else "text"
            return f"{kind} {value.isascii()} {_size(len(value))}"
        case bool() | None:
            return str(value)
        case int() | float():
            return str(value) if abs(value) < 12 else f"{type(value).__name__} {value < 0}"
    return repr(value)


def _size(length: int) -> int:
    """Return the length where it is near a limit; long ones are alike."""
    return length if length in (0, 1, 20, 21, 50, 51, 100, 101, 500, 501) else 2


__all__ = [
    "UPDATE",
    "Novelty",
    "Unsayable",
    "again",
    "frozen",
    "load",
    "request_case",
    "response_case",
    "save",
]
