"""Documented responses, changed in named ways, and what the decoder makes of them.

A change of a value is judged by `harness.response_checks`: it reads the response by the documents
alone, and wants everything that is as documented to be read and everything else to be reported. A
change of bytes must end in a result or in an error of ours, the same of both clients.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from social_publishing import DecodeError

from harness.failures import ContractFailure
from harness.generation import covering_responses
from harness.response_checks import check_response, one_of_ours, plain_call, reply_of
from harness.response_reader import read
from harness.service import Reply
from tests.support.documents import Json, Operation, Response, operations

__all__ = ["BYTES", "VALUES", "Tally", "tallies"]

Replace = Callable[[Json], Json]
_GONE: Final = object()
_DEEP: Final = 5_000


def _if(kind: type | tuple[type, ...], change: Replace) -> Replace:
    """Return a change of values of one kind; it leaves the others alone."""
    return lambda value: change(value) if type(value) in _kinds(kind) else value


def _kinds(kind: type | tuple[type, ...]) -> tuple[type, ...]:
    return kind if isinstance(kind, tuple) else (kind,)


def _digits(value: str) -> Json:
    return int(value) if value.isdecimal() else value


VALUES: Final[Mapping[str, Replace]] = {
    "a member is missing": lambda _: _GONE,
    "null": lambda _: None,
    "a text is a number": _if(str, lambda _: 7),
    "an identifier is a number": _if(str, _digits),
    "a text is true": _if(str, lambda _: True),
    "a text is a list": _if(str, lambda value: [value]),
    "a text is an object": _if(str, lambda value: {"value": value}),
    "a text is empty": _if(str, lambda _: ""),
    "a date without a zone": _if(str, lambda v: v.removesuffix("Z") if "T" in v else v),
    "a date that does not exist": _if(str, lambda v: "2026-02-30T25:61:00Z" if "T" in v else v),
    "a number is a text": _if((int, float), str),
    "a number is words": _if((int, float), lambda _: "many"),
    "a number has a fraction": _if(int, lambda value: value + 0.5),
    "a whole number is written as 1.0": _if(int, float),
    "a number is negative": _if((int, float), lambda value: -value - 1),
    "a number is too large": _if(int, lambda _: 2**70),
    "a number is a flag": _if(int, lambda value: bool(value % 2)),
    "a flag is a number": _if(bool, int),
    "a flag is a text": _if(bool, lambda value: str(value).lower()),
    "a list is an object": _if(
        list, lambda value: {str(at): each for at, each in enumerate(value)}
    ),
    "a list is its first entry": _if(list, lambda value: value[0] if value else 0),
    "a list in a list": _if(list, lambda value: [value]),
    "a list with null in it": _if(list, lambda value: [*value, None]),
    "a list is empty": _if(list, lambda _: []),
    "an object is a list": _if(dict, lambda value: [value]),
    "an object is a text": _if(dict, json.dumps),
    "an object is empty": _if(dict, lambda _: {}),
    "an object has a new member": _if(dict, lambda value: {**value, "brand_new": {"x": [1]}}),
}
"""Changes of one value, anywhere in a body."""

BYTES: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "the end is missing": lambda body: body[: len(body) // 2],
    "nothing": lambda _: b"",
    "a page in HTML": lambda _: b"<!DOCTYPE html><title>502 Bad Gateway</title>",
    "a comma too many": lambda body: body[:-1] + b"," + body[-1:],
    "two values": lambda body: body + body,
    "NUL behind it": lambda body: body + b"\x00",
    "a byte order mark": lambda body: b"\xef\xbb\xbf" + body,
    "UTF-16": lambda body: body.decode().encode("utf-16"),
    "not UTF-8": lambda body: body.replace(b'"', b'"\xff', 1),
    "single quotes": lambda body: body.replace(b'"', b"'"),
    "not a number": lambda body: body.replace(b":", b": NaN, " + b'"x":', 1),
    "lists without an end": lambda body: b"[" * _DEEP + body,
}
"""Changes of the bytes of a body."""


class Tally(NamedTuple):
    """What became of all changes of one kind.

    Attributes:
        responses: how many were made.
        read: how many were read, all the rest of them as documented.
        refused: how many ended in an error of ours.
        wrong: how many were read as something else, unreported, or ended in another error; the
            first lines of each.
    """

    kind: str
    responses: int
    read: int
    refused: int
    wrong: tuple[str, ...]


def tallies(chosen: Iterable[str] = (), most: int = 40) -> Iterator[Tally]:
    """Make every kind of change in the fullest documented success of operations.

    Args:
        chosen: operations by their ids; all of them if empty.
        most: places in each response at most, spread evenly.
    """
    known = operations()
    asked = [known[name] for name in chosen] or list(known.values())
    for kind, change in VALUES.items():
        yield _tally(kind, (_of_value(each, change, most) for each in asked))
    for kind, alter in BYTES.items():
        yield _tally(kind, (_of_bytes(each, alter) for each in asked))


def _tally(kind: str, outcomes: Iterable[Iterator[str]]) -> Tally:
    found = [outcome for each in outcomes for outcome in each]
    wrong = tuple(each for each in found if each not in ("read", "refused"))
    return Tally(kind, len(found), found.count("read"), found.count("refused"), wrong)


def _success(operation: Operation) -> tuple[Response, Json] | None:
    """Return the documented success that says most; None of an operation that says nothing."""
    response = next(each for each in operation.responses.values() if each.status < 300)
    if response.schema is None:
        return None
    return response, covering_responses(operation, response)[-1]


def _of_value(operation: Operation, change: Replace, most: int) -> Iterator[str]:
    """Yield what became of each response with one value changed."""
    if (success := _success(operation)) is None:
        return
    response, case = success
    changed = [*_changed(case["body"], change)]
    for body in changed[:: max(1, len(changed) // most)]:
        try:
            check_response(operation, response, {**case, "body": body})
        except ContractFailure as failure:
            yield f"{operation.id}: {str(failure).splitlines()[0]}"
        else:
            yield "refused" if read(operation, response, body).fatal else "read"


def _changed(body: Json, change: Replace) -> Iterator[Json]:
    """Yield the body with one value changed, for each value that the change makes another."""
    for way in _ways(body, ()):
        altered = copy.deepcopy(body)
        holder = altered
        for step in way[:-1]:
            holder = holder[step]
        value = change(holder[way[-1]])
        if value is _GONE:
            if isinstance(holder, dict):
                del holder[way[-1]]
                yield altered
        elif type(value) is not type(holder[way[-1]]) or value != holder[way[-1]]:
            holder[way[-1]] = value
            yield altered


def _ways(value: Json, way: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else ()
    for step, each in enumerate(value) if isinstance(value, list) else inner:
        yield (*way, step)
        yield from _ways(each, (*way, step))


def _of_bytes(operation: Operation, alter: Callable[[bytes], bytes]) -> Iterator[str]:
    """Yield what became of a response whose bytes were changed."""
    if (success := _success(operation)) is None:
        return
    response, case = success
    body = alter(reply_of(response.status, case).body)
    call = plain_call(operation)
    try:
        came = one_of_ours(
            operation, call, Reply(response.status, {"Content-Type": "application/json"}, body)
        )
    except ContractFailure as failure:
        yield f"{operation.id}: {str(failure).splitlines()[0]}"
        return
    if _is_json(body) or isinstance(came.error, DecodeError):
        yield "read" if came.error is None else "refused"
    else:
        yield f"{operation.id}: what is no JSON is read"


def _is_json(body: bytes) -> bool:
    """Return whether it is JSON, though some of its bytes may be no characters."""
    try:
        json.loads(body.decode(json.detect_encoding(body), "replace"))
    except (ValueError, RecursionError):
        return False
    return True
