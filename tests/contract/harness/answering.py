"""What becomes of an answer, held to the documents: what is read, what is told, what is raised.

`reading` says what a reader makes of a success; what an exception has to say stands here.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec
from social_publishing import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    DecodeError,
    Drift,
    DriftError,
    NotFoundError,
    PayloadTooLargeError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    SocialPublishingError,
    StatusError,
    UnprocessableEntityError,
    UnsupportedMediaTypeError,
)

from harness.answers import Told
from harness.calls import Call
from harness.capture import SIDES, Answer, Exchange, captured
from harness.documents import Document, Json, Operation, Response, documents, snake
from harness.failing import failure, shown
from harness.reading import Reading, Shape, read, shapes, without_items
from harness.serving import Whole, answer_of, came, outcome, plain_call, secrets, variant
from harness.wire import same, short

CLASSES: Mapping[int, type[StatusError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: PayloadTooLargeError,
    415: UnsupportedMediaTypeError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}
"""The tree in the client's README: the exception of each status."""


# Drift that is told

noted: list[Drift] = []


def note(drift: Drift) -> None:
    """Keep what is told; the one function of this kind, for clients are kept by their options."""
    noted.append(drift)


# An answer with success


def check_answer(operation: Operation, response: Response, case: Json) -> None:
    """Hold what becomes of an answer with success to the documents."""
    answer = answer_of(response.status, case)
    if response.schema is None:
        return _check_nothing(operation, response, answer, case)
    call, reading = plain_call(operation), read(operation, response, case["body"])
    problems = _problems(call, response, answer, reading)
    if found := list(problems):
        raise failure(
            operation,
            title="An answer is not read as the documents say.",
            case=case,
            call=call,
            expected=_told_of(reading),
            came=found,
            place=response.place,
        )


def _told_of(reading: Reading) -> Iterator[str]:
    yield short(reading.value)
    for misfit in reading.misfits:
        yield f"{misfit.path}: {misfit.kind}{', cannot be read' if misfit.fatal else ''}"


def _problems(call: Call, response: Response, answer: Answer, reading: Reading) -> Iterator[str]:
    plain = captured(call, "sync", answer)
    yield from _plain_problems(call, response, plain, reading)
    expected = outcome(plain)
    if expected != outcome(other := captured(call, "async", answer)):
        yield f"of the async client it is {came(other)}, of the other {came(plain)}"
    # The two clients take turns at what else there is: in hundreds of cases both have had all.
    one, another = SIDES if zlib.crc32(answer.body) % 2 else reversed(SIDES)
    noted.clear()
    watched = captured(call, one, answer, drift="raise", on_drift=note)
    yield from (f"{one}: {each}" for each in _watched_problems(call, expected, watched, reading))
    if reading.misfits:
        noted.clear()
        told = captured(call, another, answer, on_drift=note)
        if outcome(told) != expected:
            yield f"{another}: with on_drift it is {came(told)}, without it {came(plain)}"
        if not reading.fatal and _places(noted) != reading.drifts:
            yield f"{another}: on_drift is told of {_places(noted)} and not of {reading.drifts}"
    whole = captured(variant(Whole, call), another, answer)
    if not without_items(call.operation, reading):  # a list demands them; the answer does not
        found = _whole_problems(call.operation, expected, whole, answer)
        yield from (f"{another}: {each}" for each in found)


def _plain_problems(
    call: Call, response: Response, plain: Exchange, reading: Reading
) -> Iterator[str]:
    no_list = without_items(call.operation, reading)
    if reading.fatal or no_list:
        paths = [*reading.fatal, *filter(None, [no_list])]
        if type(plain.error) is not DecodeError or plain.error.path not in paths:
            yield f"{came(plain)}, not a DecodeError at {' or '.join(paths)}"
        return
    if plain.error is not None:
        yield f"{shown(plain.error)}, but it can be read"
        return
    expected = as_called(call, reading.value)
    told = Told(call.operation.document, response.schema or {}, plain.result)
    if not same(told.value, expected):
        yield f"the attributes say {_where(expected, told.value)}"
    if reading.is_typed:
        yield from told.problems
    back = msgspec.to_builtins(plain.result)
    again = read(call.operation, response, back)
    if not same(again.value, expected):
        yield f"as JSON it is {_where(expected, again.value)}"


def _watched_problems(
    call: Call, expected: str, watched: Exchange, reading: Reading
) -> Iterator[str]:
    error, places = watched.error, _places(noted)
    if reading.fatal:
        if type(error) is not DecodeError or places:
            yield f'drift="raise": {came(watched)} and not DecodeError; told of {places}'
    elif reading.drifts:
        if places != reading.drifts:
            yield f'drift="raise": told of {places} and not of {reading.drifts}'
        elif not isinstance(error, DriftError):
            yield f'drift="raise": {came(watched)}, no DriftError'
        elif list(error.drifts) != noted or error.path != noted[0].path:
            yield f'drift="raise": the error has {error.drifts}, told was {noted}'
        elif wrong := {each.operation for each in noted} - {call.method}:
            yield f"a drift names the operation {wrong}"
    elif places or outcome(watched) != expected:
        yield f'drift="raise": {came(watched)}, though it is as documented; told of {places}'


def _whole_problems(
    operation: Operation, expected: str, whole: Exchange, answer: Answer
) -> Iterator[str]:
    raw = whole.result
    if whole.error is not None:
        yield f"with_raw_response: {shown(whole.error)}"
        return
    if raw.status != answer.status or raw.body != answer.body:
        yield f"with_raw_response: status {raw.status}, body {raw.body!r}"
    yield from lost_headers(raw.headers, answer)
    parsed = Exchange()
    try:
        parsed.result = raw.parse()
    except SocialPublishingError as error:
        parsed.error = error
    # A call that may be of several requests puts their answers together.
    if not {"x-batch", "x-split-window"} & set(operation.node) and outcome(parsed) != expected:
        yield f"with_raw_response: parse() gives {came(parsed)}, not {expected}"


def as_called(call: Call, value: Json) -> Json:
    """What a call answers whose one request answers this: as asked for, and each thing once."""
    node = call.operation.node
    by = node.get("x-batch", node.get("x-split-window", {})).get("key")
    if by is None or not isinstance(value, list):
        return value
    if "x-split-window" in node:
        return [item for at, item in enumerate(value) if item[by] not in _ids(value[:at], by)]
    [asked] = [v for k, v in call.keywords.items() if isinstance(v, list)]
    found = {item[by]: item for item in value}
    return [
        *(found[each] for each in asked if each in found),
        *(item for item in value if item[by] not in asked),
    ]


def _ids(items: list[Json], by: str) -> list[Json]:
    return [item[by] for item in items]


def _check_nothing(operation: Operation, response: Response, answer: Answer, case: Json) -> None:
    call = plain_call(operation)
    for side in SIDES:
        exchange = captured(call, side, answer, drift="raise", on_drift=note)
        problems = [came(exchange)] if exchange.error or exchange.result is not None else []
        problems += _whole_problems(
            operation, outcome(Exchange()), captured(variant(Whole, call), side, answer), answer
        )
        if problems:
            raise failure(
                operation,
                title=f"The {side} client makes something of an answer that says nothing.",
                case=case,
                call=call,
                expected="None",
                came=problems,
                place=response.place,
            )


def _places(drifts: list[Drift]) -> list[tuple[str, str]]:
    return sorted((each.path, each.kind) for each in drifts)


def _where(expected: Json, found: Json, path: str = "$") -> str:
    """The first place where two values differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in [*expected, *found]:
            one, other = expected.get(name, "(absent)"), found.get(name, "(absent)")
            if not same(one, other):
                return _where(one, other, f"{path}.{name}")
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, (one, other) in enumerate(zip(expected, found, strict=True)):
            if not same(one, other):
                return _where(one, other, f"{path}[{index}]")
    return f"{path}: {short(found)} and not {short(expected)}"


# An answer without success


@lru_cache(maxsize=8)
def error_fields(document: Document) -> Mapping[str, list[tuple[str, Shape]]]:
    """The attributes of the exceptions, which are those of all documents, this one among them.

    Each with the properties that fill it, and of which type they are.
    """
    found: dict[str, list[tuple[str, Shape]]] = {}
    known = {**documents(), document.name: document}
    for operation in (each for one in known.values() for each in one.operations.values()):
        for response in operation.responses.values():
            if response.status < 400 or response.schema is None:
                continue
            for shape in shapes(operation.document, response.schema):
                for name, (_, inner, _) in (shape.properties or {}).items():
                    pairs = found.setdefault(inner.get("x-error-field") or snake(name), [])
                    for each in shapes(operation.document, inner):
                        pair = name, Shape.of({"type": each.types})
                        pairs += [] if pair in pairs else [pair]
    return found


def check_refusal(operation: Operation, response: Response, case: Json) -> None:
    """Hold what becomes of an answer without success to the documents."""
    answer, call = answer_of(response.status, case), plain_call(operation)
    for side in SIDES:
        exchange = captured(call, side, answer)
        problems = list(refusal_problems(call, exchange, answer))
        if problems:
            raise failure(
                operation,
                title=f"The {side} client does not raise what the documents say.",
                case=case,
                call=call,
                expected=[f"{class_of(response.status).__name__} with all that the answer says"],
                came=problems,
                place=response.place,
            )


def class_of(status: int) -> type[StatusError]:
    """The exception of a status."""
    return CLASSES.get(status, ServerError if status // 100 == 5 else StatusError)


def refusal_problems(call: Call, exchange: Exchange, answer: Answer) -> Iterator[str]:
    """What an exception does not say that the answer has said."""
    error = exchange.error
    if not isinstance(error, StatusError) or type(error) is not class_of(answer.status):
        yield came(exchange)
        return
    if error.status != answer.status or error.body != answer.body:
        yield f"status {error.status}, body {error.body!r}"
    yield from lost_headers(error.headers, answer)
    data = _object(answer.body)
    if not same(dict(error.data), data):
        yield f"data is {error.data!r}"
    for attribute, properties in error_fields(call.operation.document).items():
        said = [data[n] for n, shape in properties if n in data and shape.fits(data[n])]
        found = getattr(error, attribute, "(no such attribute)")
        if found is not None if not said else not any(same(found, each) for each in said):
            yield f"{attribute} is {found!r}, not {said or None}"
    if error.message and " ".join(str(error.message).split())[:60] not in str(error):
        yield f"its text is without the message: {error}"
    sent, told = exchange.sent[0], error.exchange
    if (told.operation, told.method, told.url) != (call.method, sent.method, sent.url):
        yield f"its exchange is {told.operation}: {told.method} {told.url}"
    if secrets(error):
        yield f"the token is in {secrets(error)}"


def lost_headers(headers: Mapping[str, str], answer: Answer) -> Iterator[str]:
    """What of the header fields is lost or changed."""
    for name, value in answer.headers.items():
        if headers.get(name.lower()) != value:
            yield f"header {name.lower()}: {headers.get(name.lower())!r}, not {value!r}"


def _object(body: bytes) -> dict[str, Json]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
