"""Requests and responses, read by a document alone, against what was given.

This is OpenAPI's own rules of how values are written, read backwards: it shares no code with the
client, and nothing of what the generator makes of a document.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import quote, unquote, unquote_plus, urlsplit
from uuid import UUID

from generality.described import Content, Described, Json, Operation, Parameter, bare, is_json
from tests.support.wire import Sent, parts

_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
_SEPARATORS = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}
# Where a document has one of these, a client makes a key for a call that gives none.
_MADE_HEADERS = frozenset({"idempotency-key", "x-idempotency-key"})
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_USUAL_HEADERS = frozenset(
    {"host", "accept", "accept-encoding", "user-agent", "content-type", "content-length"}
    | {"transfer-encoding", "connection", "authorization", "cookie"}
)


@dataclass(frozen=True)
class Given:
    """What a call is given.

    Attributes:
        parameters: JSON values by `place.name`.
        body: the JSON value of the body, its text or its bytes; a file in a form is a `FileGiven`.
        content: the body that was chosen; None without one.
    """

    parameters: Mapping[str, Json] = field(default_factory=dict)
    body: Any = None
    content: Content | None = None


@dataclass(frozen=True)
class FileGiven:
    """A file in a form."""

    name: str
    content: bytes


# Values


def same(one: Json, other: Json) -> bool:
    """Return whether two JSON values mean the same: 1 is 1.0, and an instant has many texts."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, str) and isinstance(other, str) and one != other:
        return _parsed(one) is not None and _parsed(one) == _parsed(other)
    return bool(one == other) and (one is None) == (other is None)


def _parsed(text: str) -> Any:
    for read in (_instant, UUID):
        try:
            return read(text)
        except ValueError:
            continue
    return None


def _instant(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def same_text(text: str, value: Json) -> bool:
    """Return whether a text in a URL, a header or a form stands for a value."""
    if isinstance(value, str):
        return same(text, value)
    if value is None:
        return text in ("", "null")
    try:
        return same(json.loads(text), value)
    except ValueError:
        return False


def difference(wanted: Json, found: Json, place: str = "$") -> str:
    """Return where two values begin to differ, in words."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name in wanted.keys() | found.keys():
            if name not in found:
                return f"{place}.{name}: {_short(wanted[name])} is lost"
            if name not in wanted:
                return f"{place}.{name}: {_short(found[name])} was not given"
            if not same(wanted[name], found[name]):
                return difference(wanted[name], found[name], f"{place}.{name}")
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for index, pair in enumerate(zip(wanted, found, strict=True)):
            if not same(*pair):
                return difference(*pair, f"{place}[{index}]")
    return f"{place}: {_short(wanted)} became {_short(found)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:119]}…"


# Requests


class Judge:
    """Holds requests against a document."""

    def __init__(self, document: Described, secrets: Mapping[str, str]) -> None:
        self.document = document
        self.secrets = secrets

    def problems(self, operation: Operation, given: Given, seen: Sent) -> list[str]:
        """Return what a request is not that it has to be."""
        return [
            *self._line(operation, given, seen),
            *self._query(operation, given, seen),
            *self._headers(operation, given, seen),
            *self._security(operation, seen),
            *self._body(operation, given, seen),
        ]

    # The line of a request

    def _line(self, operation: Operation, given: Given, seen: Sent) -> Iterator[str]:
        if seen.method != operation.method:
            yield f"method: {seen.method} is not {operation.method}"
        url = seen.url.partition("?")[0]
        bases = operation.addresses or (re.sub(r"^(https?://[^/]+).*", r"\1", url),)
        rest = next((url.removeprefix(base) for base in bases if url.startswith(base)), None)
        if rest is None:
            yield f"address: {url} is at none of {', '.join(bases)}"
            return
        pieces = re.split(r"\{([^{}]+)\}", _path_and_query(operation)[0])
        pattern = "".join(
            "([^/?]*)" if index % 2 else re.escape(quote(piece, "/!$&'()*+,;=:@%-._~"))
            for index, piece in enumerate(pieces)
        )
        found = re.search(f"{pattern}$" if not operation.addresses else f"^{pattern}$", rest)
        if found is None:
            yield f"path: {rest} is not {operation.path}"
            return
        parameters = {each.name: each for each in operation.parameters if each.place == "path"}
        for name, text in zip(pieces[1::2], found.groups(), strict=True):
            value = given.parameters.get(f"path.{name}")
            if not _in_path(text, parameters[name], value):
                yield f"path {name}: {text!r} is not {_short(value)}"

    def _query(self, operation: Operation, given: Given, seen: Sent) -> Iterator[str]:
        pairs = _pairs(urlsplit(seen.url).query)
        for fixed in _pairs(_path_and_query(operation)[1]):
            if fixed not in pairs:
                yield f"query {fixed[0]}: {fixed[1]!r} of the path is lost"
            else:
                pairs.remove(fixed)
        for parameter in operation.parameters:
            if parameter.place != "query":
                continue
            value = given.parameters.get(parameter.key, _NOTHING)
            if value is not _NOTHING and not _in_query(pairs, parameter, value):
                query = urlsplit(seen.url).query
                yield f"query {parameter.name}: {_short(value)} is not in {query!r}"
        keys = {each.get("name") for each in self.document.schemes.values()}
        for name, text in pairs:
            if unquote_plus(name) not in keys:
                yield f"query {unquote_plus(name)}: {text!r} was not given"

    # Header fields

    def _headers(self, operation: Operation, given: Given, seen: Sent) -> Iterator[str]:
        known = {each.name.lower(): each for each in operation.parameters if each.place == "header"}
        keys = {str(each.get("name", "")).lower() for each in self.document.schemes.values()}
        names = [name for name, _ in seen.headers]
        for name in sorted(set(names)):
            if names.count(name) > 1:
                yield f"header {name}: is there {names.count(name)} times"
            if name not in known and name not in _USUAL_HEADERS | keys:
                yield f"header {name}: is not documented"
        for name, each in known.items():
            value = given.parameters.get(each.key, _NOTHING)
            text = seen.header(name)
            if value is _NOTHING:
                is_made = name in _MADE_HEADERS and _UUID.fullmatch(text or "")
                if text is not None and not is_made and name not in _USUAL_HEADERS | keys:
                    yield f"header {name}: {text!r} was not given"
            elif text is None or not _simple(text, each, value, str):
                yield f"header {name}: {text!r} is not {_short(value)}"
        said = seen.header("cookie") or ""
        cookies = _pairs(said.replace("; ", "&"))
        for each in operation.parameters:
            if each.place == "cookie" and each.key in given.parameters:
                value = given.parameters[each.key]
                if not _in_query(cookies, each, value):
                    yield f"cookie {each.name}: {_short(value)} is not in {said!r}"
        yield from self._accept(operation, seen)

    def _accept(self, operation: Operation, seen: Sent) -> Iterator[str]:
        asked = {bare(each) for each in (seen.header("accept") or "").split(",")}
        documented = {
            bare(each.media_type) for found in operation.responses.values() for each in found
        }
        wanted = {
            bare(response.media_type)
            for status in operation.successes
            for response in operation.responses[status]
        }
        for name in sorted(asked - documented - {"*/*", "application/json"}):
            if not any("*" in each for each in documented):
                yield f"accept: {name!r} is not documented"
        if wanted and not any(_matches(a, w) for a in asked for w in wanted):
            yield f"accept: {seen.header('accept')!r} has none of {sorted(wanted)}"

    def _security(self, operation: Operation, seen: Sent) -> Iterator[str]:
        shown = set(self._shown(seen))
        wrong = [each for each in shown if each.startswith("?")]
        if wrong:
            yield f"security: {', '.join(wrong)} is not what was given"
        elif operation.security is not None:
            allowed = [{*filter(None, map(self._place, each))} for each in operation.security]
            if shown not in allowed:
                yield f"security: {sorted(shown)} is none of {[sorted(each) for each in allowed]}"

    def _place(self, name: str) -> str:
        """Return where a scheme shows its secret; empty for the certificate of a connection."""
        scheme = self.document.schemes.get(name, {})
        if scheme.get("type") == "mutualTLS":
            return ""
        if scheme.get("type") == "apiKey":
            return f"{scheme['in']} {scheme['name']}".lower()
        return f"{str(scheme.get('scheme', 'bearer')).lower()}"

    def _shown(self, seen: Sent) -> Iterator[str]:
        """Yield where a request shows a secret; `?` where it is not the one that was given."""
        keys = {
            self._place(name): (name, scheme)
            for name, scheme in self.document.schemes.items()
            if scheme.get("type") == "apiKey"
        }
        query = {
            unquote_plus(name): unquote(text) for name, text in _pairs(urlsplit(seen.url).query)
        }
        cookies = SimpleCookie(seen.header("cookie") or "")
        for place, (name, scheme) in keys.items():
            text = {
                "header": seen.header(scheme["name"].lower()),
                "query": query.get(scheme["name"]),
                "cookie": cookies[scheme["name"]].value if scheme["name"] in cookies else None,
            }[scheme["in"]]
            if text is not None and not (
                text.startswith(("Bearer ", "Basic ")) and place == "header authorization"
            ):
                yield place if text == self.secrets.get(name) else f"?{place}"
        kind, _, text = (seen.header("authorization") or "").partition(" ")
        if kind == "Bearer":
            yield "bearer" if text == self.secrets["bearer"] else "?bearer"
        elif kind == "Basic":
            yield "basic" if b64decode(text).decode() == self.secrets["basic"] else "?basic"
        elif kind and "header authorization" not in keys:
            yield f"?{kind}"

    # Bodies

    def _body(self, operation: Operation, given: Given, seen: Sent) -> Iterator[str]:
        said = seen.header("content-type")
        length = seen.header("content-length")
        if length is not None and int(length) != len(seen.body):
            yield f"content-length: {length} is not {len(seen.body)}"
        if given.content is None:
            if seen.body or said is not None:
                yield f"body: none was given, but there are {len(seen.body)} bytes of {said}"
            return
        media_type = given.content.media_type
        may_be_none = bare(media_type) in _FORMS or not operation.body_required
        if may_be_none and given.body == {} and said is None and not seen.body:
            return  # of an object without members nobody can tell whether it was given
        if said is None or not _matches(bare(said), bare(media_type)):
            yield f"content-type: {said!r} is not {media_type!r}"
            return
        name = bare(said)
        if is_json(name):
            yield from self._json(operation, given, seen)
        elif name == "application/x-www-form-urlencoded":
            yield from _urlencoded(given, seen)
        elif name == "multipart/form-data":
            yield from _multipart(given, seen)
        else:
            wanted = given.body.encode() if isinstance(given.body, str) else given.body
            if seen.body != wanted:
                yield f"body: {_short(seen.body)} is not {_short(wanted)}"

    def _json(self, operation: Operation, given: Given, seen: Sent) -> Iterator[str]:
        try:
            found = json.loads(seen.body)
        except ValueError as error:
            yield f"body: no JSON, {error}"
            return
        if not same(given.body, found):
            yield f"body: {difference(given.body, found)}"
        assert given.content is not None
        if given.content.schema is not None:
            for problem in self.document.request.problems(given.content.schema, found):
                yield f"body: does not fit its schema: {problem}"


def _path_and_query(operation: Operation) -> tuple[str, str]:
    """Return a path, and the query that it may have; a fragment only tells two paths apart."""
    path, _, query = operation.path.partition("#")[0].partition("?")
    return path, query


class _Nothing:
    pass


_NOTHING: Any = _Nothing()


def _matches(one: str, other: str) -> bool:
    pattern = re.escape(other).replace(r"\*", ".*")
    back = re.escape(one).replace(r"\*", ".*")
    return bool(re.fullmatch(pattern, one) or re.fullmatch(back, other))


def _pairs(query: str) -> list[tuple[str, str]]:
    found = (pair.partition("=") for pair in query.split("&") if pair)
    return [(name, text) for name, _, text in found]


def _items(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return [each for pair in value.items() for each in pair]
    return value if isinstance(value, list) else [value]


def _texts_fit(texts: Sequence[str], values: Sequence[Json]) -> bool:
    return len(texts) == len(values) and all(map(same_text, texts, values))


def _in_path(text: str, rule: Parameter, value: Json) -> bool:
    if rule.as_json:
        return same_text(unquote(text), value)
    if rule.style == "label":
        if not text.startswith("."):
            return False
        text = text[1:].replace(".", ",") if rule.explode else text[1:]
    elif rule.style == "matrix":
        named = [each.partition("=") for each in text.removeprefix(";").split(";")]
        if not text.startswith(";"):
            return False
        if isinstance(value, dict) and rule.explode:
            text = ",".join(f"{name}={item}" for name, _, item in named)
        elif any(unquote(name) != rule.name for name, _, _ in named):
            return False
        else:
            text = ",".join(item for _, _, item in named)
    return _simple(text, rule, value, unquote)


def _simple(text: str, rule: Parameter, value: Json, decode: Any) -> bool:
    """Return whether a text is a value in the style `simple`."""
    if rule.as_json:
        return same_text(decode(text), value)
    if isinstance(value, dict) and rule.explode:
        pairs = [pair.partition("=") for pair in text.split(",") if pair]
        return _texts_fit(
            [decode(each) for name, _, item in pairs for each in (name, item)], _items(value)
        )
    if isinstance(value, list | dict):
        texts = [decode(each) for each in text.split(",")] if text else []
        return _texts_fit(texts, _items(value))
    return same_text(decode(text), value)


def _in_query(pairs: list[tuple[str, str]], rule: Parameter, value: Json) -> bool:
    """Take a parameter out of a query; return whether it was there, as it has to be."""
    own = [pair for pair in pairs if unquote_plus(pair[0]) == rule.name]
    if rule.reserved:
        value = (
            [unquote(v) if isinstance(v, str) else v for v in value]
            if isinstance(value, list)
            else value
        )
        value = unquote(value) if isinstance(value, str) else value
    if rule.as_json:
        _take(pairs, own)
        return len(own) == 1 and same_text(unquote_plus(own[0][1]), value)
    if rule.style == "deepObject" and isinstance(value, dict):
        return all(_deep(pairs, f"{rule.name}[{name}]", item) for name, item in value.items())
    if isinstance(value, dict) and rule.explode:
        found = True
        for name, item in value.items():
            each = [pair for pair in pairs if unquote_plus(pair[0]) == name]
            _take(pairs, each)
            texts = [unquote_plus(text) for _, text in each]
            found &= _texts_fit(texts, item if isinstance(item, list) else [item])
        return found
    _take(pairs, own)
    if isinstance(value, list | dict) and not value:
        return not own or own[0][1] == ""
    if isinstance(value, list) and rule.explode:
        return _texts_fit([unquote_plus(text) for _, text in own], value)
    if len(own) != 1:
        return False
    if isinstance(value, list | dict):
        separator = _SEPARATORS.get(rule.style, ",")
        raw = own[0][1]
        if separator != ",":
            raw = unquote_plus(raw)
        return _texts_fit([unquote_plus(each) for each in raw.split(separator)], _items(value))
    return same_text(unquote_plus(own[0][1]), value)


def _deep(pairs: list[tuple[str, str]], name: str, value: Json) -> bool:
    """The same of `deepObject`; what is nested goes on in brackets, as OpenAPI leaves open."""
    if isinstance(value, dict):
        return all(_deep(pairs, f"{name}[{key}]", item) for key, item in value.items())
    own = [p for p in pairs if unquote_plus(p[0]) in (name, f"{name}[]")]
    _take(pairs, own)
    return _texts_fit([unquote_plus(text) for _, text in own], _items(value))


def _take(pairs: list[tuple[str, str]], own: list[tuple[str, str]]) -> None:
    for pair in own:
        pairs.remove(pair)


def _urlencoded(given: Given, seen: Sent) -> Iterator[str]:
    assert given.content is not None
    encoding = given.content.node.get("encoding", {})
    pairs = _pairs(seen.body.decode())
    for name, value in given.body.items():
        said = encoding.get(name, {})
        if set(said) & {"style", "explode"}:
            style = said.get("style", "form")
            rule = Parameter(name, "query", True, style, said.get("explode", style == "form"), None)
            fits = _in_query(pairs, rule, value)
        else:
            own = [pair for pair in pairs if unquote_plus(pair[0]) == name]
            _take(pairs, own)
            texts = [unquote_plus(text) for _, text in own]
            fits = _texts_fit(texts, value if isinstance(value, list) else [value])
        if not fits:
            yield f"form {name}: {_short(value)} is not in {_short(seen.body)}"
    for name, text in pairs:
        yield f"form {unquote_plus(name)}: {text!r} was not given"


def _multipart(given: Given, seen: Sent) -> Iterator[str]:
    fields, files = parts(seen)
    for name, value in given.body.items():
        values = value if isinstance(value, list) else [value]
        if all(isinstance(each, FileGiven) for each in values) and values:
            found = [FileGiven(f.filename or "", f.read()) for f in files.poplist(name)]
            if found != values:
                yield f"part {name}: {_short(found)} is not {_short(values)}"
        elif not _texts_fit(fields.poplist(name), values):
            yield f"part {name}: {_short(values)} did not arrive"
    for name in [*fields, *files]:
        yield f"part {name}: was not given"
