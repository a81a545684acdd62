"""Requests that left a client, read by the documents: operation, values, and what is not allowed.

An independent reading: nothing of the client, the pipeline or the sandbox is used here.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, unquote

from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.formparser import parse_form_data

from tests.support.documents import Argument, Document, Json, Operation, Schema, Values, documents


def forbidden(operation: Operation, values: Values) -> list[str]:
    """Return why the documents do not allow this request; empty where they do."""
    found = [f"{key}: is not documented" for key in values if key not in operation.arguments]
    for key, argument in operation.arguments.items():
        if not given(argument, values):
            found += [f"{key}: is missing"] if argument.required else []
        elif argument.location == "form":
            found += _file_problems(argument, values[key])
        else:
            found += operation.document.problems(argument.schema, values[key], key)
            found += _no_dates(operation.document, argument.schema, values[key], key)
            if argument.location == "header":
                found += _no_header(values[key], key)
    return found or [*_none_of(operation, values), *_too_long(operation, values)]


def given(argument: Argument, values: Values) -> bool:
    """Return whether a request has an argument: an empty list in a query is written as nothing."""
    if argument.key not in values:
        return False
    is_list = "items" in argument.schema
    return not (argument.location == "query" and is_list and values[argument.key] == [])


def moment(text: Any) -> datetime | None:
    """The instant of a date-time, in UTC; None where Python has none: 60 seconds, the year 0."""
    try:
        read = datetime.fromisoformat(text.upper().replace("Z", "+00:00"))
        return read.astimezone(UTC)
    except (AttributeError, ValueError, OverflowError):
        return None


def _none_of(operation: Operation, values: Values) -> Iterator[str]:
    names = operation.node.get("x-required-any", [])
    arguments = [operation.arguments[f"query.{name}"] for name in names]
    if arguments and not any(given(each, values) for each in arguments):
        yield f"{' or '.join(names)}: at least one must be given"
    if operation.changes and not any(key in values for key in operation.changes):
        yield f"{operation.changes[0]}: nothing is to change"


def _too_long(operation: Operation, values: Values) -> Iterator[str]:
    days = operation.node.get("x-window-under-days")
    if days is None:
        return
    ends = {
        argument.node["x-window"]: values[argument.key]
        for argument in operation.arguments.values()
        if "x-window" in argument.node
    }
    start, end = moment(ends["start"]), moment(ends["end"])
    if start and end and end - start >= timedelta(days=days):
        yield f"the range is not shorter than {days} days"


def _file_problems(argument: Argument, file: Json) -> list[str]:
    texts = [file.get("name"), file.get("content")] if isinstance(file, dict) else [None]
    if not all(isinstance(each, str) for each in texts):
        return [f"{argument.key}: {file!r} is no file"]
    stem, dot, ending = file["name"].lower().rpartition(".")
    known = argument.schema["x-file-extensions"]
    problems = (
        []
        if stem.strip(".") and dot and ending in known  # ".png" is a hidden file without an ending
        else [f"{argument.key}: {ending!r} is none of {known}"]
    )
    if len(file["content"]) > argument.schema["x-max-bytes"]:
        problems.append(f"{argument.key}: is too large")
    return problems


def _no_header(value: Json, place: str) -> Iterator[str]:
    """Texts that no header field can carry as they are (RFC 9110, 5.5)."""
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and not re.fullmatch(r"([!-~]([ -~]*[!-~])?)?", text):
            yield f"{place}: {text!r} cannot be a header field"


def _no_dates(document: Document, schema: Schema, value: Json, place: str) -> Iterator[str]:
    """Texts that have the form of a date, and are none."""
    schema = document.resolve(schema)
    form = schema.get("x-datetime-format")
    if not isinstance(value, str) or not (form or schema.get("format") == "date-time"):
        return
    if form:
        try:
            datetime.strptime(value, form)
        except ValueError:
            yield f"{place}: {value!r} is no date"
    elif moment(value) is None:
        yield f"{place}: {value!r} is no date that Python has"


TOKEN = "s3cret-T0KEN/of+the=contract"
ADDRESSES = {"main": "https://main.invalid/v1", "media": "https://media.invalid/api/v1"}
EXPECTED_HEADERS = frozenset(
    (
        "host",
        "accept",
        "authorization",
        "user-agent",
        "content-type",
        "content-length",
        "transfer-encoding",
        "accept-encoding",
        "connection",
    )
)
"""What every request may carry; an operation may document header fields besides."""


@dataclass(frozen=True)
class Sent:
    """A request as it left, its header names in lower case; `at` is the time of the clock."""

    method: str
    url: str
    headers: Sequence[tuple[str, str]]
    body: bytes = field(repr=False)
    at: float = 0.0

    @property
    def path(self) -> str:
        """The address without its query."""
        return self.url.partition("?")[0]

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the query."""
        return dict(parse_qsl(self.url.partition("?")[2], keep_blank_values=True))

    @property
    def json(self) -> Json:
        """The JSON of the body."""
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        """Return a header's value; None where it is not there."""
        return next((value for key, value in self.headers if key == name), None)

    def __str__(self) -> str:
        shown = [f"{self.method} {self.url}"]
        shown += [f"{name}: {value}" for name, value in self.headers if name != "authorization"]
        body = self.body[:2000].decode("utf-8", "replace")
        return "\n".join([*shown, "", body] if body else shown)


@dataclass(frozen=True)
class Seen:
    """What a request turns out to be; `problems` says what the documents do not know."""

    operation: Operation | None
    values: Values
    problems: list[str]


def read(
    sent: Sent,
    known: Mapping[str, Document] | None = None,
    addresses: Mapping[str, str] = ADDRESSES,
    token: str | None = TOKEN,
) -> Seen:
    """Read a request by the documents.

    Args:
        known: the documents; those of this project when they are not given.
        addresses: the base address of each API.
        token: what the request must be authorised with; None for anything.
    """
    known = known or documents()
    for name, address in addresses.items():
        if sent.url.startswith(f"{address}/"):
            return _read(sent, known[name], sent.url.removeprefix(address), token)
    return Seen(None, {}, [f"address: {sent.url} is at neither of {list(addresses.values())}"])


def _read(sent: Sent, document: Document, target: str, token: str | None) -> Seen:
    path, _, query = target.partition("?")
    found = find(document, sent.method, path)
    if found is None:
        return Seen(None, {}, [f"no operation is {sent.method} {path}"])
    operation, values = found
    problems = list(_header_problems(sent, operation, token))
    for argument in operation.arguments.values():
        if argument.location == "header" and (text := sent.header(argument.name.lower())):
            values[argument.key] = _from_header(document, argument, text)
    for name, texts in _pairs(query).items():
        argument = operation.arguments.get(f"query.{name}")
        if argument is None:
            problems.append(f"query.{name}: is not documented")
        else:
            values[argument.key] = _from_query(document, argument, texts, problems)
    try:
        values |= _from_body(sent, operation)
    except ValueError as error:
        problems.append(f"body: {error}")
    return Seen(operation, values, [*problems, *forbidden(operation, values)])


def find(document: Document, method: str, path: str) -> tuple[Operation, Values] | None:
    """Return the operation of a path below the base address, and its path parameters."""
    for pattern, operation in _patterns(document):
        if operation.method == method and (match := pattern.fullmatch(path)):
            names = re.findall(r"\{(\w+)\}", operation.path)
            texts = map(unquote, match.groups())
            return operation, {f"path.{n}": t for n, t in zip(names, texts, strict=True)}
    return None


@lru_cache(maxsize=8)
def _patterns(document: Document) -> list[tuple[re.Pattern[str], Operation]]:
    ordered = sorted(document.operations.values(), key=lambda each: each.path.count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "([^/]*)", each.path)), each) for each in ordered]


def _header_problems(sent: Sent, operation: Operation, token: str | None) -> Iterator[str]:
    names = [name for name, _ in sent.headers]
    own = {a.name.lower() for a in operation.arguments.values() if a.location == "header"}
    for name in sorted(set(names)):
        if names.count(name) > 1:
            yield f"header {name}: is there {names.count(name)} times"
        if name not in EXPECTED_HEADERS | own:
            yield f"header {name}: is not documented"
    if sent.header("accept") != "application/json":
        yield f"header accept: {sent.header('accept')!r} is not 'application/json'"
    if token is not None and sent.header("authorization") != f"Bearer {token}":
        yield "header authorization: is not the token, unchanged"
    content_type = sent.header("content-type")
    if operation.media_type is None:
        if sent.body or content_type is not None:
            yield f"body: none is documented ({content_type}, {len(sent.body)} bytes)"
    elif operation.media_type == "multipart/form-data":
        if not re.fullmatch(r"multipart/form-data; *boundary=[\w'()+,./:=?-]+", content_type or ""):
            yield f"header content-type: {content_type!r} is no form with a boundary"
    elif content_type != operation.media_type:
        yield f"header content-type: {content_type!r} is not {operation.media_type!r}"
    length = sent.header("content-length")
    if length is not None and int(length) != len(sent.body):
        yield f"header content-length: {length} is not {len(sent.body)}"


def _pairs(query: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for pair in filter(None, query.split("&")):
        name, _, text = pair.partition("=")
        found.setdefault(unquote(name), []).append(text)
    return found


def _from_query(
    document: Document, argument: Argument, texts: list[str], problems: list[str]
) -> Json:
    schema = document.resolve(argument.schema)
    if schema.get("type") == "array":
        items = document.resolve(schema["items"])
        if not argument.explode:
            if len(texts) > 1:
                problems.append(f"{argument.key}: is there {len(texts)} times, not one list")
            texts = texts[0].split(",")
        return [_plain(items, unquote(text)) for text in texts]
    if len(texts) > 1:
        problems.append(f"{argument.key}: is there {len(texts)} times")
    return _plain(schema, unquote(texts[0]))


def _from_header(document: Document, argument: Argument, text: str) -> Json:
    schema = document.resolve(argument.schema)
    if schema.get("type") == "array":
        items = document.resolve(schema["items"])
        return [_plain(items, each) for each in text.split(",")]
    return _plain(schema, text)


def _plain(schema: Schema, text: str) -> Json:
    """Return the JSON value of a text; a text that is no such value stays one, and will not fit."""
    if schema.get("type") == "boolean":
        true, false = schema.get("x-boolean-format", "true/false").split("/")
        return {true: True, false: False}.get(text, text)
    if schema.get("type") in ("integer", "number") and re.fullmatch(r"-?\d+(\.\d+)?", text):
        return json.loads(text) if not re.match(r"-?0\d", text) else text
    return text


def _from_body(sent: Sent, operation: Operation) -> Values:
    if operation.media_type == "application/json":
        found = json.loads(sent.body, object_pairs_hook=_once, parse_constant=_no_constant)
        if not isinstance(found, dict):
            raise ValueError(f"{found!r} is no object")
        json.dumps(found, ensure_ascii=False).encode()  # half of a surrogate pair is no text
        return {f"body.{name}": value for name, value in found.items()}
    if operation.media_type == "multipart/form-data":
        return {f"form.{name}": value for name, value in form(sent).items()}
    return {}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a name is there twice: {[name for name, _ in pairs]}")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def parts(sent: Sent) -> tuple[MultiDict[str, str], MultiDict[str, FileStorage]]:
    """Return the parts of a multipart body: fields and files."""
    _, fields, files = parse_form_data(
        {
            "REQUEST_METHOD": sent.method,
            "CONTENT_TYPE": sent.header("content-type") or "",
            "CONTENT_LENGTH": str(len(sent.body)),
            "wsgi.input": io.BytesIO(sent.body),
        },
        silent=False,
    )
    return fields, files


def form(sent: Sent) -> dict[str, Json]:
    """Return the parts of a multipart body by name: files as name and content, fields as text."""
    fields, files = parts(sent)
    found: dict[str, Json] = dict(fields)
    for name, file in files.items(multi=True):
        if name in found:
            raise ValueError(f"the part {name!r} is there twice")
        found[name] = {"name": file.filename, "content": file.read().decode("latin-1")}
    return found


def comparable(operation: Operation, values: Values) -> Values:
    """Return values in the one form in which two requests that mean the same are the same."""
    return {
        key: _comparable(operation.document, operation.arguments[key].schema, values[key])
        for key in operation.arguments
        if given(operation.arguments[key], values)
    }


def _comparable(document: Document, node: Schema, value: Json) -> Json:
    schema = document.resolve(node)
    for choice in schema.get("anyOf", ()):
        if document.fits(choice, value):
            return _comparable(document, choice, value)
    if isinstance(value, dict):
        properties, others = schema.get("properties", {}), schema.get("additionalProperties")
        others = others if isinstance(others, dict) else {}
        return {
            name: _comparable(document, properties.get(name, others), item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_comparable(document, schema.get("items", {}), item) for item in value]
    if schema.get("format") == "date-time" and (instant := moment(value)):
        return instant.isoformat()
    return value


def difference(expected: Values, seen: Values) -> list[str]:
    """Return what two requests do not share, in words."""
    found = []
    for key in sorted({*expected, *seen}):
        if key not in seen:
            found.append(f"{key}: did not leave")
        elif key not in expected:
            found.append(f"{key}: {short(seen[key])}, where nothing was given")
        elif not same(expected[key], seen[key]):
            found.append(f"{key}: {short(seen[key])}")
    return found


def same(one: Json, other: Json) -> bool:
    """Return whether two JSON values are the same; Python takes 1 for True."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:300]}… ({len(text)} characters)"
