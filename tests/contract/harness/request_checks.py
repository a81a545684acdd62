"""What the contract wants of one request: the checks, to be used by any test."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, urlsplit

from social_publishing import ArgumentError

from harness.calls import Call, Unsayable, call_of
from harness.edge_cases import plain_reply, window
from harness.failures import failure, shown
from harness.generation import rendered
from harness.service import SIDES, captured
from tests.support.documents import Operation, Values
from tests.support.wire import (
    ADDRESSES,
    Sent,
    comparable,
    difference,
    forbidden,
    moment,
    read,
    short,
)


def check_request(operation: Operation, values: Values) -> None:
    """The client refuses a request if, and only if, the documents forbid it."""
    try:
        call = call_of(operation, values)
    except Unsayable:
        return
    reasons = forbidden(operation, values)
    if not reasons:
        return check_allowed(operation, values)
    try:
        call.request()
    except ArgumentError as error:
        _names_the_argument(operation, call, values, reasons, error)
    else:
        raise failure(
            operation,
            title="The client sends what the documents forbid.",
            case=values,
            call=call,
            expected=["ArgumentError, because", *reasons],
            came=f"a request: {call.request().method} {call.request().target}",
        )
    for side in SIDES:
        exchange = captured(call, side, plain_reply(call.operation))
        left = [each for sent in exchange.sent if (each := read(sent).problems)]
        if left or (exchange.sent and not _is_cut(operation)):
            raise failure(
                operation,
                title=f"The {side} client sends what its build function refuses.",
                case=values,
                call=call,
                expected="ArgumentError, and nothing sent",
                came=[shown(exchange.error), *map(str, exchange.sent)],
            )


def _is_cut(operation: Operation) -> bool:
    """Return whether the client makes several allowed requests of one that is too long."""
    return bool({"x-batch", "x-split-window"} & set(operation.node))


def _names_the_argument(
    operation: Operation, call: Call, values: Values, reasons: list[str], error: ArgumentError
) -> None:
    wrong = concerned(operation, reasons)
    names = {operation.arguments[key].python for key in wrong}
    named = {
        problem.argument.split("[")[0].split(".")[0].split(",")[0] for problem in error.problems
    }
    if names - named:
        raise failure(
            operation,
            title="An error does not name the argument that is wrong.",
            case=values,
            call=call,
            expected=["ArgumentError that names", *reasons],
            came=str(error),
            place="\n".join(map(operation.place_of, wrong)),
        )


def concerned(operation: Operation, problems: Iterable[str]) -> list[str]:
    """Return the arguments that these problems are about: each begins with its place."""
    places = [re.split(r"[:\s]", each)[0] for each in problems]
    return [
        key for key in operation.arguments if any(f"{at}.".startswith(f"{key}.") for at in places)
    ]


def check_allowed(operation: Operation, values: Values) -> None:
    """What leaves either client is allowed, and is what was given."""
    try:
        call = call_of(operation, values)
    except Unsayable:
        return
    if forbidden(operation, values):
        return check_request(operation, values)
    planned = _planned(operation, values)
    for side in SIDES:
        exchange = captured(call, side, plain_reply(call.operation))
        if len(exchange.sent) != len(planned):
            raise failure(
                operation,
                title=f"The {side} client does not send what the documents allow, once.",
                case=values,
                call=call,
                expected=f"{len(planned)} requests",
                came=[shown(exchange.error), *map(str, exchange.sent)],
            )
        for sent, given in zip(exchange.sent, planned, strict=True):
            if problems := _differences(operation, call, values, given, sent):
                wrong = concerned(operation, problems)
                raise failure(
                    operation,
                    title=f"What leaves the {side} client is not what the call means.",
                    case=values,
                    call=call,
                    expected=[f"{key}: {short(given.get(key))}" for key in wrong]
                    or "a request that the documents allow",
                    came=[*problems, "", str(sent)],
                    place="\n".join(map(operation.place_of, wrong)),
                )


def _planned(operation: Operation, values: Values) -> list[Values]:
    """What the client makes of a request by plan: identifiers once each, no range backwards."""
    if chunks := operation.node.get("x-batch"):
        [argument] = [a for a in operation.arguments.values() if a.name == chunks["of"]]
        items = list(dict.fromkeys(values[argument.key]))
        most = max(len(items), 1)
        size = chunks.get("size", argument.schema.get("maxItems", most))
        starts = range(0, most, size)
        return [{**values, argument.key: items[start : start + size]} for start in starts]
    if "x-split-window" in operation.node:
        ends = {name: moment(values[key]) for name, key in window(operation).items()}
        return [values] if ends["start"] <= ends["end"] else []
    return [values]


def _differences(
    operation: Operation, call: Call, values: Values, planned: Values, sent: Sent
) -> list[str]:
    seen = read(sent, {operation.document.name: operation.document})
    problems = list(seen.problems)
    if seen.operation is None or seen.operation.id != operation.id:
        return [*problems, f"it is {seen.operation}"]
    problems += difference(comparable(operation, planned), comparable(operation, seen.values))
    problems += _second_opinion(operation, planned, sent.url)
    try:
        request = call.request()
    except ArgumentError as error:
        raise failure(
            operation,
            title="The client refuses what the documents allow.",
            case=values,
            call=call,
            expected="a request",
            came=str(error),
        ) from None
    target = f"{ADDRESSES[request.server]}{request.target}"
    if planned == values and target != sent.url:
        problems.append(f"the build function makes {target}")
    return problems


def _second_opinion(operation: Operation, values: Values, url: str) -> list[str]:
    """Return where schemathesis would write another query; an instant has many texts."""
    values = {key: values[key] for key in comparable(operation, values)}
    dates = {operation.arguments[key].name for key in window(operation).values()}
    theirs = {k: v for k, v in rendered(operation, values).items() if k not in dates}
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    mine = {name: text for name, text in pairs if name not in dates}
    return [] if mine == theirs else [f"schemathesis writes {theirs}"]
