"""Answers, served to both clients, and what is promised of any: an answer or an error of ours."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from social_publishing import SocialPublishingError

from harness.calls import Call, call_of
from harness.capture import SIDES, Answer, Exchange, captured
from harness.documents import Json, Operation
from harness.edges import plain_request
from harness.failing import failure, shown
from harness.wire import TOKEN


class Whole(Call):
    """The same call, for everything that came."""

    @property
    def method(self) -> str:
        return f"{self.operation.resource}.with_raw_response.{self.operation.name}"

    def on(self, client: Any) -> Any:
        resource = getattr(client, self.operation.resource).with_raw_response
        return getattr(resource, self.operation.name)(*self.positional, **self.keywords)


class Streamed(Call):
    """The same call, its answer read piece by piece: status, header fields and bytes."""

    def on(self, client: Any) -> Any:
        stream = client.stream(self.request())
        if isinstance(stream, AbstractAsyncContextManager):
            return self._awaited(stream)
        with stream as answer:
            return answer.status, answer.headers, b"".join(answer.iter_bytes())

    async def _awaited(self, stream: Any) -> Any:
        async with stream as answer:
            body = b"".join([piece async for piece in answer.iter_bytes()])
            return answer.status, answer.headers, body


def plain_call(operation: Operation) -> Call:
    """A call of an operation that is one request."""
    return call_of(operation, plain_request(operation))


def variant(kind: type[Call], call: Call) -> Call:
    """A call made in another way."""
    return kind(call.operation, call.positional, call.keywords)


_FIELD = re.compile(r"[\w-]+", re.ASCII)


def answer_of(status: int, case: Json) -> Answer:
    """The answer that a case stands for: JSON, or a body of bytes as it is."""
    if isinstance(case, bytes):
        return Answer(status, {"Content-Type": "application/json"}, case)
    if not isinstance(case, dict) or not set(case) <= {"headers", "body"}:
        return Answer.of(status, case)
    fields = case.get("headers")
    headers = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in (fields.items() if isinstance(fields, dict) else ())
        if _FIELD.fullmatch(name) and str(value).isascii()
    }
    if "body" not in case:
        return Answer(status, headers)
    return Answer.of(status, case["body"], headers)


def outcome(exchange: Exchange) -> str:
    """What came of a call, to be compared."""
    if exchange.error is not None:
        return f"{type(exchange.error).__name__}: {exchange.error}"
    return repr(exchange.result)


def secrets(error: BaseException) -> list[str]:
    """Where the token is, in an exception and all that has led to it."""
    found = []
    each: BaseException | None = error
    while each is not None:
        name = type(each).__name__
        texts = {f"str of {name}": str(each), f"repr of {name}": repr(each)}
        texts[f"args of {name}"] = repr(each.args)
        for attribute, value in vars(each).items():
            texts[f"{name}.{attribute}"] = f"{value!r} {getattr(value, 'headers', '')!s}"
        found += [place for place, text in texts.items() if TOKEN in text]
        each = each.__cause__ or each.__context__
    return found


def one_of_ours(
    operation: Operation,
    call: Call,
    answer: Answer,
    case: Json = None,
    also: Callable[[Exchange], Iterator[str]] = lambda _: iter(()),
    **options: Any,
) -> Exchange:
    """Hold the outcome to what is promised of any answer: an answer or an error of ours.

    Args:
        also: further problems of what comes.

    Returns:
        What came; the same of both clients.
    """
    exchanges = {side: captured(call, side, answer, **options) for side in SIDES}
    problems: list[str] = []
    for side, exchange in exchanges.items():
        error = exchange.error
        if error is not None and not isinstance(error, SocialPublishingError):
            problems.append(f"{side}: {type(error).__module__}.{shown(error)}")
        elif error is not None and secrets(error):
            problems.append(f"{side}: the token is in {secrets(error)}")
        problems += [f"{side}: {each}" for each in also(exchange)]
    if not problems and outcome(exchanges["sync"]) != outcome(exchanges["async"]):
        problems = [f"{side}: {outcome(exchange)}" for side, exchange in exchanges.items()]
    if problems:
        raise failure(
            operation,
            title="An answer does not come to what is promised of any answer.",
            case=_told_answer(answer) if case is None else case,
            call=call,
            expected="an answer, or a SocialPublishingError without the token; of both clients",
            came=problems,
        )
    return exchanges["sync"]


def _told_answer(answer: Answer) -> Json:
    return {
        "status": answer.status,
        "headers": dict(answer.headers),
        "body": answer.body.decode("latin-1"),
        **({"broken": True} if answer.broken else {}),
    }


def came(exchange: Exchange) -> str:
    """What came of a call, for people."""
    return shown(exchange.result if exchange.error is None else exchange.error)
