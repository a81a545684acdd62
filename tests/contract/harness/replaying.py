"""Recorded requests, made again by both clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, replace
from typing import Any

from social_publishing import (
    AsyncSocialPublishing,
    OutcomeUnknown,
    SocialPublishing,
    SocialPublishingError,
    StatusError,
)

from harness import reading
from harness.calls import Call
from harness.capture import Answer, Side, captured
from harness.documents import Json, Operation
from harness.drift import disagreements, path, told
from harness.recordings import PLACES, Recorded
from harness.wire import ADDRESSES, comparable, difference, read, same, short
from social_publishing_sandbox.recording import Interaction, Replayer
from social_publishing_sandbox.recording.addresses import placed
from social_publishing_sandbox.recording.model import Json as JsonBody

ERRORS = {
    400: "BadRequestError",
    401: "AuthenticationError",
    403: "PermissionDeniedError",
    404: "NotFoundError",
    409: "ConflictError",
    413: "PayloadTooLargeError",
    415: "UnsupportedMediaTypeError",
    422: "UnprocessableEntityError",
    429: "RateLimitError",
}
"""The exceptions that the README of the client promises."""


@dataclass(frozen=True)
class Outcome:
    """What a call came to."""

    result: Any = None
    error: SocialPublishingError | None = None


def leaving(found: Recorded, call: Call, side: Side) -> tuple[Interaction | None, list[str]]:
    """What a client sends for a recorded request, and in what it differs in meaning.

    Returns:
        The interaction with the request as the client writes it: it may choose other escapes,
        another order of parameters, another zone; and the differences.
    """
    exchange = captured(call, side, Answer.of(200, {}))
    if len(exchange.sent) != 1:
        return None, [f"{len(exchange.sent)} requests: {exchange.error or exchange.result!r}"]
    (sent,) = exchange.sent
    seen = read(sent)
    operation = call.operation
    if seen.operation is None or seen.operation.id != operation.id:
        return None, [f"{sent.method} {sent.url}, which is {seen.operation}"]
    problems = difference(
        comparable(operation, found.seen.values), comparable(operation, seen.values)
    )
    if problems or seen.problems:
        return None, [*problems, *seen.problems]
    asked = found.interaction.request
    ours = replace(asked, target=found.base + sent.url.removeprefix(ADDRESSES[asked.api]))
    if isinstance(asked.body, JsonBody):
        ours = placed(replace(ours, body=JsonBody(json.loads(sent.body))), PLACES)
    return replace(found.interaction, request=ours), []


def play(there: Replayer, found: list[Recorded], side: Side) -> list[Outcome]:
    """Make the recorded calls, in their order, each by whom it was made."""
    return _play(there, found) if side == "sync" else asyncio.run(_play_async(there, found))


def _play(there: Replayer, found: list[Recorded]) -> list[Outcome]:
    outcomes, clients = [], {}
    with ExitStack() as stack:
        for each in found:
            token = _token(each)
            if token not in clients:
                clients[token] = stack.enter_context(SocialPublishing(**_options(there, token)))
            try:
                outcomes.append(Outcome(_call(each).on(clients[token])))
            except SocialPublishingError as error:
                outcomes.append(Outcome(error=error))
    return outcomes


async def _play_async(there: Replayer, found: list[Recorded]) -> list[Outcome]:
    outcomes, clients = [], {}
    async with AsyncExitStack() as stack:
        for each in found:
            token = _token(each)
            if token not in clients:
                client = AsyncSocialPublishing(**_options(there, token))
                clients[token] = await stack.enter_async_context(client)
            try:
                outcomes.append(Outcome(await _call(each).on(clients[token])))
            except SocialPublishingError as error:
                outcomes.append(Outcome(error=error))
    return outcomes


def _options(there: Replayer, token: str) -> dict[str, Any]:
    return {
        "api_token": token,
        "base_url": there.base_url,
        "media_url": there.media_url,
        "retries": 0,  # each request that was recorded is one call
        "pacing": "off",
    }


def _token(found: Recorded) -> str:
    return found.interaction.request.headers["authorization"].partition(" ")[2]


def _call(found: Recorded) -> Call:
    assert found.call is not None
    return found.call


def misread(
    operation: Operation, status: int, headers: Mapping[str, str], body: bytes, outcome: Outcome
) -> list[str]:
    """In what a call came to something else than its answer says."""
    if disagreements(operation, status, headers, body):
        return []  # it is told elsewhere, and a client may refuse to read it
    value = json.loads(body) if body else None
    if status in range(200, 300):
        return list(_misread_answer(operation, status, value, outcome))
    return list(_misread_error(operation, status, value, outcome))


def _misread_answer(
    operation: Operation, status: int, value: Json, outcome: Outcome
) -> Iterator[str]:
    if outcome.error is not None:
        yield repr(outcome.error)
        return
    response = operation.responses[str(status)]
    if response.schema is None:
        yield from _apart(None, outcome.result)
        return
    expected = reading.read(operation, response, value).value
    came = reading.read(operation, response, _encoded(outcome.result)).value
    yield from _apart(_in_order(operation, expected), _in_order(operation, came))


def _encoded(result: Any) -> Json:
    """What a call gave, as the JSON that the client makes of it again."""
    if isinstance(result, list):
        return [_encoded(each) for each in result]
    if isinstance(result, dict):
        return {key: _encoded(each) for key, each in result.items()}
    return result.to_dict() if hasattr(result, "to_dict") else result


def _in_order(operation: Operation, value: Json) -> Json:
    """A list that the client puts into an order of its own, by what tells its items apart."""
    words = operation.node.get("x-batch") or operation.node.get("x-split-window") or {}
    if isinstance(value, list) and "key" in words:
        return sorted(value, key=lambda each: str(each.get(words["key"])))
    return value


def _misread_error(
    operation: Operation, status: int, value: Json, outcome: Outcome
) -> Iterator[str]:
    error = outcome.error
    if isinstance(error, OutcomeUnknown):
        error = error.__cause__
    wanted = ERRORS.get(status, "ServerError" if status >= 500 else "StatusError")
    if not isinstance(error, StatusError) or type(error).__name__ != wanted:
        yield f"{outcome.error or outcome.result!r} in place of {wanted}"
        return
    if error.status != status:
        yield f"error.status is {error.status}"
    for name, expected in told(operation, status, value).items():
        if not same(getattr(error, name), expected):
            yield f"error.{name} is {getattr(error, name)!r} in place of {expected!r}"


def _apart(expected: Json, came: Json, way: tuple[str | int, ...] = ()) -> Iterator[str]:
    """In what two JSON values differ, by their places."""
    if isinstance(expected, dict) and isinstance(came, dict):
        for name in {**expected, **came}:
            if name not in came:
                yield f"{path((*way, name))}: is absent in place of {short(expected[name])}"
            elif name not in expected:
                yield f"{path((*way, name))}: is {short(came[name])}, and was absent"
            else:
                yield from _apart(expected[name], came[name], (*way, name))
    elif isinstance(expected, list) and isinstance(came, list) and len(expected) == len(came):
        for index, pair in enumerate(zip(expected, came, strict=True)):
            yield from _apart(*pair, (*way, index))
    elif not same(expected, came):
        yield f"{path(way)}: is {short(came)} in place of {short(expected)}"
