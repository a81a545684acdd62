"""What becomes of a response, held to the documents: what is read, what is reported or raised.

`response_reader` says what a reader makes of a success; what an exception has to say stands here.
Of any response at all, `one_of_ours` holds what the client promises: a result, or an error of ours.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from enum import Enum
from functools import lru_cache
from keyword import iskeyword
from typing import Any, cast

import msgspec
import social_publishing
from msgspec import UNSET
from social_publishing import (
    AuthenticationError,
    BadRequestError,
    ConflictError,
    DecodeError,
    Drift,
    DriftError,
    NotFoundError,
    OutcomeUnknown,
    PayloadTooLargeError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    SocialPublishingError,
    StatusError,
    UnprocessableEntityError,
    UnsupportedMediaTypeError,
)
from social_publishing._runtime.core.models import ResponseModel, stored

from harness.calls import Call, call_of
from harness.edge_cases import plain_request
from harness.failures import failure, shown
from harness.response_reader import (
    Reading,
    Shape,
    disagreements,
    instant,
    key,
    read,
    shapes,
    step,
    without_items,
)
from harness.service import SIDES, Exchange, Reply, captured, reply
from tests.support.documents import Document, Json, Operation, Response, Schema, documents, snake
from tests.support.wire import TOKEN, same, short

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


# Other ways to make a call


class Raw(Call):
    """The same call, for everything that came."""

    @property
    def method(self) -> str:
        return f"{self.operation.resource}.with_raw_response.{self.operation.name}"

    def on(self, client: Any) -> Any:
        resource = getattr(client, self.operation.resource).with_raw_response
        return getattr(resource, self.operation.name)(*self.positional, **self.keywords)


class Streamed(Call):
    """The same call, its response read piece by piece: status, header fields and bytes."""

    def on(self, client: Any) -> Any:
        stream = client.stream(self.request())
        if isinstance(stream, AbstractAsyncContextManager):
            return self._awaited(stream)
        with stream as served:
            return served.status, served.headers, b"".join(served.iter_bytes())

    async def _awaited(self, stream: Any) -> Any:
        async with stream as served:
            body = b"".join([piece async for piece in served.iter_bytes()])
            return served.status, served.headers, body


def plain_call(operation: Operation) -> Call:
    """Return a call of an operation that is one request."""
    return call_of(operation, plain_request(operation))


def variant(kind: type[Call], call: Call) -> Call:
    """Return a call made in another way."""
    return kind(call.operation, call.positional, call.keywords)


_FIELD = re.compile(r"[\w-]+", re.ASCII)


def reply_of(status: int, case: Json) -> Reply:
    """Return the response that a case stands for: JSON, or a body of bytes as it is."""
    if isinstance(case, bytes):
        return Reply(status, {"Content-Type": "application/json"}, case)
    if not isinstance(case, dict) or not set(case) <= {"headers", "body"}:
        return reply(status, case)
    fields = case.get("headers")
    headers = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in (fields.items() if isinstance(fields, dict) else ())
        if _FIELD.fullmatch(name) and str(value).isascii()
    }
    if "body" not in case:
        return Reply(status, headers)
    return reply(status, case["body"], headers)


# The outcome of any response


def outcome(exchange: Exchange) -> str:
    """Return what came of a call, to be compared."""
    if exchange.error is not None:
        return f"{type(exchange.error).__name__}: {exchange.error}"
    return repr(exchange.result)


def secrets(error: BaseException) -> list[str]:
    """Return where the token is, in an exception and all that has led to it."""
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
    served: Reply,
    case: Json = None,
    also: Callable[[Exchange], Iterator[str]] = lambda _: iter(()),
    **options: Any,
) -> Exchange:
    """Hold the outcome to what is promised of any response: a response or an error of ours.

    Args:
        also: further problems of what comes.

    Returns:
        What came; the same of both clients.
    """
    exchanges = {side: captured(call, side, served, **options) for side in SIDES}
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
            title="A response does not come to what is promised of any response.",
            case=_shown_reply(served) if case is None else case,
            call=call,
            expected="a response, or a SocialPublishingError without the token; of both clients",
            came=problems,
        )
    return exchanges["sync"]


def _shown_reply(served: Reply) -> Json:
    return {
        "status": served.status,
        "headers": dict(served.headers),
        "body": served.body.decode("latin-1"),
    }


def came(exchange: Exchange) -> str:
    """Return what came of a call, for people."""
    return shown(exchange.result if exchange.error is None else exchange.error)


# What a call returns, as JSON


class AsJson:
    """A response of the client.

    Attributes:
        value: it as JSON, in the form of `reading`.
        problems: where it is not of the type that the client has for it.
    """

    def __init__(self, document: Document, schema: Schema, served: Any) -> None:
        self._document = document
        self.problems: list[str] = []
        self.value = self._value(schema, served, "$")

    def _value(self, node: Schema, value: Any, path: str) -> Json:
        if isinstance(value, datetime):
            return instant(value.isoformat())
        shape = self._shape(node, value)
        schema = shape.node
        if isinstance(value, msgspec.Struct):
            return self._model(shape, value, path)
        if isinstance(value, dict):
            self._expect(shape.properties is None, path, "is no model")
            names, inner = schema.get("propertyNames", {}), schema.get("additionalProperties", {})
            return {
                self._key(names, name): self._value(inner, item, path + key(name))
                for name, item in value.items()
            }
        if isinstance(value, list):
            items = schema.get("items", {})
            return [self._value(items, each, path + key(at)) for at, each in enumerate(value)]
        if shape.codes is not None and value is not None:
            return self._code(shape, value, path)
        self._expect(schema.get("format") != "date-time" or value is None, path, "is no datetime")
        return value

    def _shape(self, node: Schema, value: Any) -> Shape:
        """Return the alternative that a value belongs to."""
        like = value.value if isinstance(value, Enum) else value
        if isinstance(value, msgspec.Struct | list):  # a list may be of a class of its own
            like = [] if isinstance(value, list) else {}
        choices = shapes(self._document, node) if node else []
        return next((each for each in choices if each.fits(like)), _ANY)

    def _model(self, shape: Shape, model: Any, path: str) -> Json:
        names = {name: (_attribute(name, p[1]), *p) for name, p in (shape.properties or {}).items()}
        self._expect(
            sorted(each[0] for each in names.values()) == sorted(_documented(type(model))),
            path,
            f"is a {type(model).__name__} with the attributes {', '.join(model.__struct_fields__)}",
        )
        return {
            name: self._value(inner, found, path + way)
            for name, (attribute, way, inner, _) in names.items()
            if (found := stored(model, attribute)) is not UNSET
        }

    def _key(self, node: Schema, value: Any) -> Json:
        is_code = node and self._shape(node, value).codes is not None
        self._expect(not is_code or isinstance(value, Enum), "$", f"has the plain key {value!r}")
        return value.value if isinstance(value, Enum) else value

    def _code(self, shape: Shape, value: Any, path: str) -> Json:
        if not isinstance(value, Enum):
            self._expect(False, path, f"is the {type(value).__name__} {value!r}, no code")
            return value
        known = getattr(value, "known", None)
        named = value.value in (shape.codes or [])
        self._expect(known is named, path, f"is {value!r}, whose `known` is {known}")
        return value.value

    def _expect(self, holds: bool, path: str, what: str) -> None:
        if not holds:
            self.problems.append(f"{path} {what}")


_ANY = Shape.of({})


def _documented(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the fields of a model without those that the client adds in a class of its own."""
    base = next(each for each in kind.__mro__ if each.__base__ is ResponseModel)
    return base.__struct_fields__


def _attribute(name: str, node: Schema) -> str:
    """Return what an attribute is called in Python."""
    return node.get("x-python-name") or f"{snake(name)}{'_' * iskeyword(name)}"


# Drift

noted: list[Drift] = []


def note(drift: Drift) -> None:
    """Keep what is told; the one function of this kind, for clients are kept by their options."""
    noted.append(drift)


# A response with success


def check_response(operation: Operation, response: Response, case: Json) -> None:
    """Hold what becomes of a response with success to the documents."""
    served = reply_of(response.status, case)
    if response.schema is None:
        return _check_without_body(operation, response, served, case)
    call, reading = plain_call(operation), read(operation, response, case["body"])
    problems = _problems(call, response, served, reading)
    if found := list(problems):
        raise failure(
            operation,
            title="A response is not read as the documents say.",
            case=case,
            call=call,
            expected=_told_of(reading),
            came=found,
            place=response.place,
        )


def _told_of(reading: Reading) -> Iterator[str]:
    yield short(reading.value)
    for mismatch in reading.mismatches:
        yield f"{mismatch.path}: {mismatch.kind}{', cannot be read' if mismatch.fatal else ''}"


def _problems(call: Call, response: Response, served: Reply, reading: Reading) -> Iterator[str]:
    plain = captured(call, "sync", served)
    yield from _plain_problems(call, response, plain, reading)
    expected = outcome(plain)
    if expected != outcome(other := captured(call, "async", served)):
        yield f"of the async client it is {came(other)}, of the other {came(plain)}"
    # The two clients take turns at what else there is: in hundreds of cases both have had all.
    one, another = SIDES if zlib.crc32(served.body) % 2 else reversed(SIDES)
    noted.clear()
    watched = captured(call, one, served, drift="raise", on_drift=note)
    yield from (f"{one}: {each}" for each in _watched_problems(call, expected, watched, reading))
    yield from (f"{one}: {each}" for each in _header_problems(served))
    if reading.mismatches:
        noted.clear()
        reported = captured(call, another, served, on_drift=note)
        if outcome(reported) != expected:
            yield f"{another}: with on_drift it is {came(reported)}, without it {came(plain)}"
        if not reading.fatal and _places(_of_body()) != reading.drifts:
            yield f"{another}: on_drift is told of {_places(noted)} and not of {reading.drifts}"
    raw_exchange = captured(variant(Raw, call), another, served)
    if not without_items(call.operation, reading):  # a list demands them; the response does not
        found = _raw_problems(call.operation, expected, raw_exchange, served)
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
    reported = AsJson(call.operation.document, response.schema or {}, plain.result)
    yield from (f"the attributes say {each}" for each in apart(expected, reported.value))
    if reading.is_typed:
        yield from reported.problems
    back = _as_it_came(plain.result)
    again = read(call.operation, response, back)
    yield from (f"as JSON {each}" for each in apart(expected, again.value))


def _as_it_came(result: Any) -> Json:
    """Return what a call returned as the JSON that it was read from."""
    if isinstance(result, ResponseModel):
        return result.to_dict(wire=True)
    if isinstance(result, dict):
        return {str(getattr(k, "value", k)): _as_it_came(item) for k, item in result.items()}
    if isinstance(result, list):
        return [_as_it_came(item) for item in result]
    return msgspec.to_builtins(result)


def _watched_problems(
    call: Call, expected: str, watched: Exchange, reading: Reading
) -> Iterator[str]:
    error, places = watched.error, _places(_of_body())
    if reading.fatal:
        if type(error) is not DecodeError or places:
            yield f'drift="raise": {came(watched)} and not DecodeError; told of {places}'
    elif noted or reading.drifts:
        if places != reading.drifts:
            yield f'drift="raise": told of {places} and not of {reading.drifts}'
        elif not isinstance(error, DriftError):
            yield f'drift="raise": {came(watched)}, no DriftError'
        elif list(error.drifts) != noted or error.path != noted[0].path:
            yield f'drift="raise": the error has {error.drifts}, told was {noted}'
        elif wrong := {each.operation for each in noted} - {call.method}:
            yield f"a drift names the operation {wrong}"
    elif outcome(watched) != expected:
        yield f'drift="raise": {came(watched)}, though it is as documented'


def _of_body() -> list[Drift]:
    return [drift for drift in noted if not drift.path.startswith("header ")]


def _header_problems(served: Reply) -> Iterator[str]:
    """Report what is told wrongly of the headers that the client reads; how, its own tests say."""
    told = {drift.path.removeprefix("header ") for drift in noted} - {d.path for d in _of_body()}
    texts = {name.lower(): text.strip(" \t") for name, text in served.headers.items()}
    read = {name for name in texts if name.startswith("x-ratelimit-") or name == "retry-after"}
    if wrong := {name for name in told if name not in read or re.fullmatch(r"\d+", texts[name])}:
        yield f"told of the headers {wrong}"
    if missed := {name for name in read - told if not re.search(r"\d", texts[name])}:
        yield f"not told of the headers {missed}"


def _raw_problems(
    operation: Operation, expected: str, raw_exchange: Exchange, served: Reply
) -> Iterator[str]:
    raw = raw_exchange.result
    if raw_exchange.error is not None:
        yield f"with_raw_response: {shown(raw_exchange.error)}"
        return
    if raw.status != served.status or raw.body != served.body:
        yield f"with_raw_response: status {raw.status}, body {raw.body!r}"
    yield from lost_headers(raw.headers, served)
    parsed = Exchange()
    try:
        parsed.result = raw.parse()
    except SocialPublishingError as error:
        parsed.error = error
    # A call that may be of several requests puts their responses together.
    if not {"x-batch", "x-split-window"} & set(operation.node) and outcome(parsed) != expected:
        yield f"with_raw_response: parse() gives {came(parsed)}, not {expected}"


def as_called(call: Call, value: Json) -> Json:
    """What a call responses whose one request responses this: as asked for, and each thing once."""
    node = call.operation.node
    by = node.get("x-batch", node.get("x-split-window", {})).get("key")
    if by is None or not isinstance(value, list):
        return value
    if "x-split-window" in node:
        return [
            item
            for at, item in enumerate(value)
            if not isinstance(item.get(by), str) or item[by] not in _ids(value[:at], by)
        ]
    given = [*call.positional, *call.keywords.values()]
    [asked] = [each for each in given if isinstance(each, list)]
    found = {item[by]: item for item in value if isinstance(item.get(by), str)}
    return [
        *(found[each] for each in asked if each in found),
        *(item for item in value if item.get(by) not in asked),
    ]


def _ids(items: list[Json], by: str) -> list[Json]:
    return [item.get(by) for item in items]


def _check_without_body(
    operation: Operation, response: Response, served: Reply, case: Json
) -> None:
    call = plain_call(operation)
    for side in SIDES:
        exchange = captured(call, side, served, drift="raise", on_drift=note)
        problems = [came(exchange)] if exchange.error or exchange.result is not None else []
        problems += _raw_problems(
            operation, outcome(Exchange()), captured(variant(Raw, call), side, served), served
        )
        if problems:
            raise failure(
                operation,
                title=f"The {side} client makes something of a response that says nothing.",
                case=case,
                call=call,
                expected="None",
                came=problems,
                place=response.place,
            )


def _places(drifts: list[Drift]) -> list[tuple[str, str]]:
    return sorted((each.path, each.kind) for each in drifts)


def apart(expected: Json, found: Json, path: str = "$") -> Iterator[str]:
    """Report in what two JSON values differ, by their places."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in {**expected, **found}:
            place = path + step(name)
            if name not in found:
                yield f"{place}: is absent in place of {short(expected[name])}"
            elif name not in expected:
                yield f"{place}: is {short(found[name])}, and was absent"
            else:
                yield from apart(expected[name], found[name], place)
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, pair in enumerate(zip(expected, found, strict=True)):
            yield from apart(*pair, path + key(index))
    elif not same(expected, found):
        yield f"{path}: is {short(found)} in place of {short(expected)}"


# A response without success


@lru_cache(maxsize=8)
def error_fields(document: Document) -> Mapping[str, list[tuple[str, Shape]]]:
    """The attributes of the exceptions, which are those of all documents, this one among them.

    Each with the properties that fill it, and of which type they are.
    """
    fields: dict[str, list[tuple[str, Shape]]] = {}
    known = {**documents(), document.name: document}
    for operation in (each for one in known.values() for each in one.operations.values()):
        for response in operation.responses.values():
            if response.status < 400 or response.schema is None:
                continue
            for shape in shapes(operation.document, response.schema):
                for name, (_, inner, _) in (shape.properties or {}).items():
                    pairs = fields.setdefault(inner.get("x-error-field") or snake(name), [])
                    for each in shapes(operation.document, inner):
                        pair = name, Shape.of({"type": each.types})
                        pairs += [] if pair in pairs else [pair]
    return fields


def check_error(operation: Operation, response: Response, case: Json) -> None:
    """Hold what becomes of a response without success to the documents."""
    served, call = reply_of(response.status, case), plain_call(operation)
    for side in SIDES:
        exchange = captured(call, side, served)
        problems = list(exception_problems(call, exchange, served))
        if problems:
            raise failure(
                operation,
                title=f"The {side} client does not raise what the documents say.",
                case=case,
                call=call,
                expected=[f"{class_of(response.status).__name__} with all that the response says"],
                came=problems,
                place=response.place,
            )


def class_of(status: int) -> type[StatusError]:
    """Return the exception of a status; one that few documents have is there where they do."""
    if status == 410:
        return cast(type[StatusError], getattr(social_publishing, "GoneError", StatusError))
    return CLASSES.get(status, ServerError if status // 100 == 5 else StatusError)


def exception_problems(call: Call, exchange: Exchange, served: Reply) -> Iterator[str]:
    """Report what an exception does not say that the response has said."""
    error = exchange.error
    data = _object(served.body)
    yield from error_problems(call.operation.document, served.status, data, error, came(exchange))
    if not isinstance(error, StatusError):
        return
    if error.exchange.body != served.body:
        yield f"body {error.exchange.body!r}"
    yield from lost_headers(error.headers, served)
    sent, reported = exchange.sent[0], error.exchange
    if (reported.operation, reported.method, reported.url) != (call.method, sent.method, sent.url):
        yield f"its exchange is {reported.operation}: {reported.method} {reported.url}"
    if secrets(error):
        yield f"the token is in {secrets(error)}"


def error_problems(
    document: Document, status: int, data: Json, error: BaseException | None, otherwise: str
) -> Iterator[str]:
    """Report what an exception does not say that the body of its response has said.

    Args:
        otherwise: what came where it is no exception of this status.
    """
    if not isinstance(error, StatusError) or type(error) is not class_of(status):
        yield f"{error!r} in place of {class_of(status).__name__}" if error else otherwise
        return
    data = data if isinstance(data, dict) else {}
    if error.status != status:
        yield f"status {error.status}"
    if not same(dict(error.data), data):
        yield f"data is {error.data!r}"
    for attribute, properties in error_fields(document).items():
        documented = [data[n] for n, shape in properties if n in data and shape.fits(data[n])]
        found = getattr(error, attribute, "(no such attribute)")
        if (
            found is not None
            if not documented
            else not any(same(found, each) for each in documented)
        ):
            yield f"{attribute} is {found!r}, not {documented or None}"
    if error.message and " ".join(str(error.message).split())[:60] not in str(error):
        yield f"its text is without the message: {error}"


def lost_headers(headers: Mapping[str, str], served: Reply) -> Iterator[str]:
    """Report what of the header fields is lost or changed."""
    for name, value in served.headers.items():
        if headers.get(name.lower()) != value:
            yield f"header {name.lower()}: {headers.get(name.lower())!r}, not {value!r}"


def _object(body: bytes) -> dict[str, Json]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


# What was recorded, or came from the service itself


def misread(
    operation: Operation, status: int, headers: Mapping[str, str], body: bytes, exchange: Exchange
) -> list[str]:
    """Report in what a call came to something else than its response says."""
    if disagreements(operation, status, headers, body):
        return []  # that is reported elsewhere, and a client may refuse to read it
    value = json.loads(body) if body else None
    if status in range(200, 300):
        return list(_misread_success(operation, status, value, exchange))
    error = exchange.error
    error = error.__cause__ if isinstance(error, OutcomeUnknown) else error
    return list(error_problems(operation.document, status, value, error, came(exchange)))


def _misread_success(
    operation: Operation, status: int, value: Json, exchange: Exchange
) -> Iterator[str]:
    if exchange.error is not None:
        yield repr(exchange.error)
        return
    response = operation.response(status)
    if response is None or response.schema is None:
        yield from apart(None, exchange.result)
        return
    reading = read(operation, response, value)
    expected = _in_order(operation, reading.value)
    attributes = AsJson(operation.document, response.schema, exchange.result)
    for each in apart(expected, _in_order(operation, attributes.value)):
        yield f"the attributes say {each}"
    if reading.is_typed:
        yield from attributes.problems
    back = read(operation, response, _as_it_came(exchange.result))
    for each in apart(expected, _in_order(operation, back.value)):
        yield f"as JSON {each}"


def _in_order(operation: Operation, value: Json) -> Json:
    """A list that the client puts into an order of its own, by what tells its items apart."""
    words = operation.node.get("x-batch") or operation.node.get("x-split-window") or {}
    if isinstance(value, list) and "key" in words:
        return sorted(value, key=lambda each: str(each.get(words["key"])))
    return value
