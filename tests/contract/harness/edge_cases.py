"""Cases at every edge that the documents have, without chance.

Schemathesis covers a schema by its keywords. It has no eye for how long a text of a pattern may be,
for names in maps, for dates, for what was never limited, and for `x-` words; these cases have.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from re import _constants, _parser
from typing import Any

from harness.service import Reply, reply
from tests.support.documents import Document, Json, Operation, Response, Schema, Values

NOON = datetime(2028, 2, 29, 12, 30, 59, tzinfo=UTC)
FAR = {"array": 300, "string": 6000, "days": 1000}
"""More than any limit that a document is likely to have: it must pass where there is none."""
WRONG: dict[str, Json] = {
    "string": 7,
    "integer": "7",
    "number": "7.5",
    "boolean": "true",
    "array": {"0": "7"},
    "object": ["7"],
}


def requests(operation: Operation, only: str = "") -> Iterator[Values]:
    """Requests of which each has one argument at an edge, or a rule of the whole; valid or not.

    Args:
        only: the key of the one argument that is of interest.
    """
    basic = plain_request(operation)
    yield basic
    for key, argument in operation.arguments.items():
        if only not in ("", key):
            continue
        if argument.location == "form":
            yield from (basic | {key: file} for file in _files(argument.schema))
        else:
            found = edges(operation.document, argument.schema)
            yield from (basic | {key: value} for value in found)
    yield from _rules(operation, basic)


def plain_request(operation: Operation) -> Values:
    """Return the smallest request that is allowed."""
    any_of = operation.node.get("x-required-any", [])[:1]
    return {
        key: _file(argument.schema["x-file-extensions"][0])
        if argument.location == "form"
        else plain(operation.document, argument.schema)
        for key, argument in operation.arguments.items()
        if argument.required or argument.name in any_of or key in operation.changes[:1]
    }


def plain_reply(operation: Operation) -> Reply:
    """Return a response with success that says as little as it may."""
    return _plain_reply(operation.document, json.dumps(operation.success.schema))


@lru_cache(maxsize=256)
def _plain_reply(document: Document, written: str) -> Reply:
    schema = json.loads(written)
    return reply(200, plain(document, schema) if schema else {})


def responses(operation: Operation) -> Iterator[Response]:
    """Yield its documented responses, also those of a status that has none of its own."""
    yield from operation.responses.values()
    for word, status in (("2XX", 299), ("default", 418)):
        if word in operation.node["responses"] and (found := operation.response(status)):
            yield found


def response_cases(operation: Operation, response: Response) -> Iterator[Json]:
    """Responses as they are documented, `{"headers": …, "body": …}`, few and full of edges."""
    headers = {name: plain(operation.document, node) for name, node in response.headers.items()}
    if response.schema is None:
        yield {"headers": headers}
        return
    for body in rows(operation.document, response.schema):
        yield {"headers": headers, "body": body}


def rows(document: Document, node: Schema, inside: tuple[str, ...] = ()) -> list[Json]:
    """Values that fit, as they are read: so many that every edge of every property is in one.

    The last is as small as any: what is long is there once.
    """
    schema, name = document.resolve(node), document.named(node)
    if name and name in inside:
        return [plain(document, node)]
    inside = (*inside, name) if name else inside
    if "anyOf" in schema:
        return [row for choice in schema["anyOf"] for row in rows(document, choice, inside)]
    found: list[Json] = []
    for kind in _types(schema):
        found += _rows_of_type(document, {**schema, "type": kind}, inside)
    return found


def _rows_of_type(document: Document, schema: Schema, inside: tuple[str, ...]) -> list[Json]:
    known = schema.get("enum", schema.get("x-extensible-enum"))
    match schema["type"]:
        case _ if known is not None:
            unknown = max(known) + 1 if isinstance(known[0], int) else "neverHeardOf"
            return [*known, unknown, known[0]]
        case "boolean":
            return [False, True]
        case "integer":
            return [0, -1, 2**53 + 1, 1]
        case "number":
            return [0, -0.25, 1.5]
        case "string":
            return list(_dates(schema)) or ["", "é日🙂", '\u0000"/\\', "0" * 20, "7"]
        case "array":
            items = rows(document, schema.get("items", {}), inside)
            return [[], items if len(items) > 1 else items * 2, items[-1:]]
        case "object":
            return _object_rows(document, schema, inside)
    return [None]


def _object_rows(document: Document, schema: Schema, inside: tuple[str, ...]) -> list[Json]:
    if "properties" not in schema:
        return _map_rows(document, schema, inside)
    required = schema.get("required", [])
    columns = {
        name: ([] if name in required else [None]) + rows(document, node, inside)
        for name, node in schema["properties"].items()
    }
    smallest = {name: columns[name][-1] for name in required}
    height = max(map(len, columns.values()), default=0)
    full = [
        {name: column[min(row, len(column) - 1)] for name, column in columns.items()}
        for row in range(height)
    ]
    return [*full, smallest]


def _map_rows(document: Document, schema: Schema, inside: tuple[str, ...]) -> list[Json]:
    others = schema.get("additionalProperties")
    if not isinstance(others, dict):
        return [{}, {"anything": [1, {"of": None}]}]
    values = rows(document, others, inside)
    names = list(dict.fromkeys(rows(document, schema.get("propertyNames", {"type": "string"}))))
    most = max(len(values), len(names))
    full = {
        str(names[at] if at < len(names) else f"{names[-1]}{at}"): values[min(at, len(values) - 1)]
        for at in range(most)
    }
    return [{}, full, {}]


def _rules(operation: Operation, basic: Values) -> Iterator[Values]:
    for change in operation.changes[1:2]:  # alone, without the one that all others have
        value = plain(operation.document, operation.arguments[change].schema)
        rest = {key: basic[key] for key in basic.keys() - {operation.changes[0]}}
        yield rest | {change: value}
    names = operation.node.get("x-required-any", [])
    without = {key: value for key, value in basic.items() if key.partition(".")[2] not in names}
    if names:
        yield without
        for key, argument in operation.arguments.items():
            if argument.location == "query" and not argument.required:
                yield {**without, key: plain(operation.document, argument.schema)}
    if ends := window(operation):
        days = operation.node.get("x-window-under-days", 0)
        for length in (FAR["days"], days):
            for least in (-1, 0, 1):
                end = NOON + timedelta(days=length, milliseconds=least)
                yield {**basic, ends["start"]: _written(NOON), ends["end"]: _written(end)}


def _files(schema: Schema) -> Iterator[Json]:
    known = schema["x-file-extensions"]
    for ending in (*known, known[0].upper(), f"{known[0]}x", ""):
        yield _file(ending)


def _file(ending: str) -> Json:
    return {"name": f"a.b.{ending}" if ending else "none", "content": "\x00\r\n--\xff"}


def plain(document: Document, node: Schema) -> Json:
    """Return a value that fits."""
    schema = document.resolve(node)
    if "anyOf" in schema:
        return plain(document, schema["anyOf"][0])
    for word in ("enum", "x-extensible-enum"):
        if word in schema:
            return schema[word][0]
    match _types(schema)[0]:
        case "object":
            required = schema.get("required", [])
            properties = schema.get("properties", {})
            return {name: plain(document, properties[name]) for name in required}
        case "array":
            return [plain(document, schema["items"])] * max(schema.get("minItems", 0), 1)
        case "string" if schema.get("format") == "iana-timezone":
            return "UTC"
        case "string":
            return next(_dates(schema), _text(schema, size_of(schema)[0] or 1))
        case "boolean":
            return True
        case "null":
            return None
    return max(schema.get("minimum", 1), min(schema.get("maximum", 1), 1))


def edges(document: Document, node: Schema, inside: tuple[str, ...] = ()) -> Iterator[Json]:
    """Yield values at each edge of a schema, of which some fit and some do not.

    Args:
        inside: the components that the place is in, so that there is an end to it.
    """
    schema = document.resolve(node)
    name = document.named(node)
    if name in inside:
        return
    inside = (*inside, name) if name else inside
    if "anyOf" in schema:
        for choice in schema["anyOf"]:
            yield from edges(document, choice, inside)
        return
    types = _types(schema)
    yield None
    for kind in types:
        if kind != "null":
            yield WRONG[kind]
            yield from _of_type(document, {**schema, "type": kind}, inside)


def _types(schema: Schema) -> list[str]:
    types = schema.get("type", [])
    return types if isinstance(types, list) else [types]


def _of_type(document: Document, schema: Schema, inside: tuple[str, ...]) -> Iterator[Json]:
    known = schema.get("enum", schema.get("x-extensible-enum"))
    match schema["type"]:
        case _ if known is not None:
            yield from known
            yield from _beside(known)
        case "boolean":
            yield from (True, False)
        case "integer" | "number" as kind:
            ends = [schema[word] for word in ("minimum", "maximum") if word in schema]
            yield from (end + step for end in ends or [0] for step in (-1, 0, 1))
            yield from (-(2**63), 2**63) if "minimum" not in schema else (2**63,)
            yield from (1.5, -0.25) if kind == "number" else (1.5,)
        case "string":
            yield from _texts(schema)
        case "array":
            yield from _arrays(document, schema, inside)
        case "object":
            yield from _objects(document, schema, inside)


def _beside(known: list[Json]) -> Iterator[Json]:
    """Yield values near those of a set that are none of it."""
    if all(isinstance(each, int) for each in known):
        yield from sorted(set(range(min(known) - 1, max(known) + 2)) - set(known))
    else:
        yield from (f"{known[0]}x", str(known[0]).upper(), "")


def _texts(schema: Schema) -> Iterator[str]:
    yield from _dates(schema)
    if schema.get("format") == "date-time":
        yield from ("2028-02-29T14:30:59.125+02:00", "2027-02-29T12:00:00Z")
        yield from ("2028-02-29T12:30:59", "2028-02-29", "noon", "")
        return
    least, most, _ = size_of(schema)
    lengths = {least - 1, least, least + 1, least + 2}
    lengths |= {FAR["string"]} if most is None else {most, most + 1}
    for length in sorted(lengths):
        if length >= 0:
            yield _text(schema, length)
    if schema.get("format") == "uint64":
        yield from (str(2**64 - 1), str(2**64), "007")
    if "pattern" in schema:
        text = _text(schema, least)
        yield from _beside_pattern(schema["pattern"])
        yield from (f"{text}\n", f" {text[1:]}", f"é{text[1:]}", f"٣{text[1:]}")
    elif most is None or most > 4:
        yield from ("é日🙂", ' "\\/', "&=?#", "%2F+")


def _beside_pattern(pattern: str) -> Iterator[str]:
    """Texts with the last characters that a pattern takes, and with those next to its ranges."""
    parsed = _parsed(pattern)
    for choose in (_last, lambda low, high: low - 1, lambda low, high: high + 1):
        yield "".join(map(chr, _characters(parsed, choose)))


def _dates(schema: Schema) -> Iterator[str]:
    if form := schema.get("x-datetime-format"):
        yield NOON.strftime(form)
    elif schema.get("format") == "date-time":
        yield _written(NOON)


def _text(schema: Schema, length: int) -> str:
    """Return a text of this length: of the pattern as far as the pattern goes."""
    text = shortest(schema["pattern"]) if "pattern" in schema else ""
    return (text + (text[-1:] or "a") * length)[:length]


@cache
def shortest(pattern: str) -> str:
    """Return the shortest text of a pattern, made of the first characters that it takes."""
    return "".join(map(chr, _characters(_parsed(pattern), _first)))


@cache
def _parsed(pattern: str) -> Any:
    return _parser.parse(pattern)


def _first(low: int, high: int) -> int:
    return low


def _last(low: int, high: int) -> int:
    return high


def _characters(parsed: Any, choose: Callable[[int, int], int]) -> Iterator[int]:
    """Yield a text of a pattern that was taken apart; of each range one character is chosen."""
    for word, detail in parsed:
        if word is _constants.LITERAL:
            yield detail
        elif word is _constants.IN:
            found = list(_characters(detail, choose))
            yield found[0] if choose is _first else found[-1]
        elif word is _constants.RANGE:
            yield choose(*detail)
        elif word in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            least, _, inner = detail
            yield from [*_characters(inner, choose)] * least
        elif word is _constants.SUBPATTERN:
            yield from _characters(detail[-1], choose)
        elif word is _constants.BRANCH:
            yield from _characters(detail[1][0], choose)
        elif word is not _constants.AT:
            raise NotImplementedError(f"patterns with {word}")


def _written(instant: datetime) -> str:
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _arrays(document: Document, schema: Schema, inside: tuple[str, ...]) -> Iterator[Json]:
    least, most, _ = size_of(schema)
    lengths = {least - 1, least, least + 2}
    lengths |= {FAR["array"]} if most is None else {most, most + 1}
    for length in sorted(lengths):
        if length >= 0:
            yield _several(document, schema["items"], length)
    yield from ([each] for each in edges(document, schema["items"], inside))


def _several(document: Document, node: Schema, count: int) -> list[Json]:
    """Items that differ, where numbers and texts of digits fit: equal ones might be sent once."""
    usual = plain(document, node)
    made = [str(n) if isinstance(usual, str) else n for n in range(1, count + 1)]
    return [each if document.fits(node, each) else usual for each in made]


def _objects(document: Document, schema: Schema, inside: tuple[str, ...]) -> Iterator[Json]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties")
    basic = {name: plain(document, properties[name]) for name in schema.get("required", [])}
    yield basic
    for name, node in properties.items():
        yield from (basic | {name: value} for value in edges(document, node, inside))
    if isinstance(others, dict):
        name = plain(document, schema.get("propertyNames", {"type": "string"}))
        for value in edges(document, others, inside):
            yield {name: value}
        for other in edges(document, schema.get("propertyNames", {"type": "string"}), inside):
            if isinstance(other, str):
                yield {other: plain(document, others)}


def size_of(schema: Schema) -> tuple[int, int | None, str]:
    """Return the fewest and the most items or characters, and which of the two."""
    if schema["type"] == "array":
        return schema.get("minItems", 0), schema.get("maxItems"), "items"
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if "pattern" in schema:
        shortest, longest = _parsed(schema["pattern"]).getwidth()
        least = max(least, shortest)
        if longest < _parser.MAXREPEAT:
            most = longest if most is None else min(most, longest)
    return least, most, "characters"


def window(operation: Operation) -> dict[str, str]:
    """Return the arguments that are the `start` and the `end` of a range."""
    arguments = operation.arguments.values()
    return {each.node["x-window"]: each.key for each in arguments if "x-window" in each.node}
