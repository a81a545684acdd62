"""Every operation of a generated client, called with what its document allows.

A server on this machine records each request and responds with a value that the document allows; a
`Judge` reads the request, and what the client returns has to be what was sent.
"""

from __future__ import annotations

import inspect
import json
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from generality.calling import Method, Methods, Unsayable, effective_names, plain, typed
from generality.described import Content, Described, Json, Operation, Parameter, bare, is_json
from generality.drawing import Drawer, Level, Undrawable
from generality.judging import FileGiven, Given, Judge, difference, same
from tests.support.server import Request, Response, Server, serve
from tests.support.wire import Sent

TEXT = "Some text: ü, 日本, 🚂\n"
DATA = bytes(range(256))
_OTHERS = "additional_properties"  # the argument for members that a schema does not name
_STREAMS = (
    "text/event-stream",
    "application/jsonl",
    "application/x-ndjson",
    "application/json-seq",
)
_EVENT = {"data", "event", "id", "retry"}
# How bodies are preferred where a document offers several; docs/regenerating.md says so.
_SENT = ("application/json", "+json", "multipart/form-data", "application/x-www-form-urlencoded")
_READ = ("application/json", "+json", "text/")


@dataclass(frozen=True)
class Wrong:
    """Something that a client did otherwise than its document says."""

    operation: str
    trial: str
    problem: str


@dataclass
class Outcome:
    """What came of all calls of a client.

    Attributes:
        operations: how many were called.
        calls: how many calls were made.
        right: those in which nothing was wrong.
        wrong: everything that was, of each call.
        undrawn: places for which no value could be made, by reason.
    """

    operations: int = 0
    calls: int = 0
    right: int = 0
    wrong: list[Wrong] = field(default_factory=list)
    undrawn: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Reply:
    """What the server responds with, and what the client has to return for it."""

    status: int
    content: Content | None
    value: Json

    def response(self) -> Response:
        if self.content is None:
            return Response(self.status, headers={} if self.status == 204 else {"Content-Type": ""})
        media_type = _concrete(self.content)
        body = self.value
        if isinstance(body, Items):
            body = body.encoded
        elif isinstance(body, bytes):
            media_type = "application/octet-stream" if is_json(media_type) else media_type
        elif is_json(media_type):
            body = json.dumps(body).encode()
        elif isinstance(body, str):
            body = body.encode()
            if "charset" not in media_type:
                media_type += "; charset=utf-8"
        return Response(self.status, body=body, headers={"Content-Type": media_type})


@dataclass(frozen=True)
class Items:
    """What comes piece by piece, and how it is written."""

    values: tuple[Json, ...]
    encoded: bytes


def _concrete(content: Content) -> str:
    name = bare(content.media_type)
    if "*" not in name:
        return content.media_type
    usual = {"text/*": "text/plain", "*/*": "application/json", "application/*": "application/json"}
    return usual.get(name, name.replace("*", "x-judged"))


def preferred(contents: tuple[Content, ...], order: tuple[str, ...]) -> Content | None:
    """Return the body that comes first in an order of preference, else the first; streams last."""
    whole = tuple(each for each in contents if bare(each.media_type) not in _STREAMS)
    contents = whole or contents
    for wanted in order:
        for content in contents:
            name = bare(content.media_type)
            if name == wanted or (wanted[0] == "+" and name.endswith(wanted)):
                return content
            if wanted[-1] == "/" and name.startswith(wanted):
                return content
    return contents[0] if contents else None


class Trials:
    """The calls of a client.

    Args:
        document: what was published.
        package: the name of the generated package; it can be imported.
        effective: the effective documents that the pipeline wrote, for names in Python alone.
        random: how many calls of an operation have values at random.

    Attributes:
        requests: a request of each operation, the fullest, with what it was made by.
    """

    def __init__(
        self,
        document: Described,
        package: str,
        effective: tuple[Path, ...] = (),
        random: int = 3,
        seed: int = 1,
    ) -> None:
        self.document = document
        self.random = random
        self.sent = Drawer(document.request, seed)
        self.read = Drawer(document.response, seed)
        self.package = package
        names: dict[str, dict[str, str]] = {}
        for file in effective:
            names |= effective_names(file)
        self.methods = Methods(package, names)
        self.secrets = {
            **{name: f"key-of-{re.sub('[^A-Za-z0-9]', '-', name)}" for name in document.schemes},
            "bearer": "s3cret-T0KEN/of+a=bearer",
            "basic": "reader:pass wörd",
        }
        self.judge = Judge(document, self.secrets)
        self.outcome = Outcome()
        self.requests: dict[str, tuple[Operation, Sent]] = {}
        self._reply: Reply | None = None

    def run(self, only: str = "") -> Outcome:
        """Make all calls; `only` those of routes that hold a text."""
        with serve(self._respond) as server, self._client(server) as client:
            for operation in self.document.operations:
                method = self.methods.of(str(operation), operation.id)
                if method is None or only not in str(operation):
                    continue
                self.outcome.operations += 1
                for trial, level, number, reply in self._plan(operation):
                    self._one(server, client, operation, method, trial, level, number, reply)
        return self.outcome

    # What is called

    def _plan(self, operation: Operation) -> Iterator[tuple[str, Level, int, Reply | None]]:
        """Yield the calls of an operation: its name, what it is given, what it gets."""
        levels: list[tuple[Level, int]] = [("least", 0), ("full", 0)]
        levels += [("random", number) for number in range(self.random)]
        statuses = operation.successes or [""]
        replies = [
            reply
            for level, number in levels
            for status in statuses
            if (reply := self._success(operation, status, level, number)) is not None
        ]
        for index in range(max(len(levels), len(replies))):
            level, number = levels[index % len(levels)]
            reply = replies[index % len(replies)] if replies else None
            yield f"{level} {number}", level, number, reply
        for status in operation.responses:
            if status[:1] == "4" or (status == "default" and status not in operation.successes):
                reply = self._failure(operation, status)
                if reply is not None:
                    yield f"error {status}", "least", 0, reply

    def _success(
        self, operation: Operation, status: str, level: Level, number: int
    ) -> Reply | None:
        content = preferred(operation.responses.get(status, ()), _READ)
        code = _code(status, operation, (200, 202, 207))
        if content is None or operation.method == "HEAD":
            return Reply(code, None, None)
        return self._filled(code, content, level, number)

    def _failure(self, operation: Operation, status: str) -> Reply | None:
        content = preferred(operation.responses[status], _READ)
        code = _code(status, operation, (418, 422, 499))
        if content is None or operation.method == "HEAD":
            return Reply(code, None, None)
        return self._filled(code, content, "full", 0)

    def _filled(self, code: int, content: Content, level: Level, number: int) -> Reply | None:
        if is_json(_concrete(content)) and not self._is_text(content):
            if content.schema is None:
                return Reply(code, content, {"any": ["thing", 1]})
            value = self._drawn(self.read, content.schema, level, number)
            return None if value is _NONE else Reply(code, content, value)
        name = bare(content.media_type)
        if name in _STREAMS:
            return self._stream(code, content, level, number)
        is_text = name.startswith("text/") or name.endswith("xml")
        return Reply(code, content, TEXT if is_text else DATA)

    def _stream(self, code: int, content: Content, level: Level, number: int) -> Reply | None:
        """Return a stream of two values: events, or lines of JSON."""
        whole = "itemSchema" not in content.node
        pointer = content.schema if whole else (*content.pointer, "itemSchema")
        is_events = bare(content.media_type) == "text/event-stream"
        values: list[Json] = []
        lines = []
        for each in (number, number + 1):
            value = self._drawn(self.read, pointer, level, each) if pointer else "text"
            if value is _NONE:
                return None
            members = self.read.members(pointer) if pointer else []
            event = value if is_events and members and _EVENT.issuperset(members) else None
            if event is not None and "data" not in event:  # without data it is no event
                event = self._drawn(self.read, pointer, "full", each)
            data = value if event is None else event.get("data", "text")
            is_text = isinstance(data, str) and (
                pointer is None or event is not None or self.read.is_text(pointer)
            )
            written = data if is_text else json.dumps(data)
            lines.append(f"data: {written}\n\n" if is_events else f"{written}\n")
            values.append(data)
        return Reply(code, content, Items(tuple(values), "".join(lines).encode()))

    def _is_text(self, content: Content) -> bool:
        """Return whether a range of media types has a schema of a text: then it is no JSON."""
        if "*" not in content.media_type or content.schema is None:
            return False
        _, schema = self.document.follow(content.schema, self.document.at(content.schema))
        return schema.get("type") == "string"

    def _drawn(self, drawer: Drawer, pointer: Any, level: Level, number: int, **how: Any) -> Json:
        try:
            return drawer.value(pointer, level, number, **how)
        except Undrawable as reason:
            place = f"{'/'.join(map(str, pointer))}: {reason}"[:200]
            self.outcome.undrawn[place] = self.outcome.undrawn.get(place, 0) + 1
            return _NONE

    # What it is given

    def given(self, operation: Operation, level: Level, number: int) -> Given | None:
        """Return arguments; None where one that is needed could not be made."""
        values = {}
        for parameter in operation.parameters:
            if not parameter.required and level == "least":
                continue
            value = self._parameter(parameter, level, number)
            if value is not _NONE:
                values[parameter.key] = value
            elif parameter.required:
                return None
        content = preferred(operation.body, _SENT)
        if content is None or (level == "least" and not self._needs(operation, content)):
            return Given(values)
        body = self._body(content, level, number)
        return None if body is _NONE else Given(values, body, content)

    def _needs(self, operation: Operation, content: Content) -> bool:
        """Return whether a body is given even if it is the least.

        An optional body with required members is taken for one whose author forgot to require it.
        """
        schema = content.schema
        return operation.body_required or (schema is not None and self.sent.needs_members(schema))

    def _parameter(self, each: Parameter, level: Level, number: int) -> Json:
        if each.schema is None:
            return f"text-{number}"
        is_joined = not each.explode or each.style not in ("form", "deepObject")
        is_single = each.place in ("path", "query") and not self._is_structured(each)
        how = each.place in ("header", "cookie") or (is_joined and not is_single)
        plain = how and not each.as_json
        value = self._drawn(self.sent, each.schema, level, number, plain=plain)
        if each.place == "path" and value in _NO_PATH:
            value = self._drawn(self.sent, each.schema, "full", number, plain=plain)
            return _NONE if value in _NO_PATH else value
        return _NONE if value is None else value  # of null in a URL OpenAPI says nothing

    def _is_structured(self, each: Parameter) -> bool:
        assert each.schema is not None
        text = json.dumps(self._flat(each.schema))
        return '"array"' in text or '"object"' in text or '"items"' in text

    def _flat(self, pointer: Any) -> Json:
        return self.document.follow(pointer, self.document.at(pointer))[1]

    def _body(self, content: Content, level: Level, number: int) -> Any:
        name = bare(content.media_type)
        if is_json(name) or name in _SENT:
            if content.schema is None:
                return {"any": 1} if is_json(name) else _NONE
            value = self._drawn(self.sent, content.schema, level, number)
            if name == "multipart/form-data" and isinstance(value, dict):
                schema = self.document.request.at(content.schema)
                return {key: self._part(schema, key, each) for key, each in value.items()}
            return value
        if name.startswith("text/") or name.endswith(("xml", "yaml", "jsonl", "x-ndjson")):
            return TEXT
        return DATA

    def _part(self, schema: Json, name: str, value: Json) -> Any:
        """Return a field of a form: a file, if it is one."""
        rule = self._property(schema, name)
        if _is_binary(rule):
            return FileGiven("a file ü.bin", DATA)
        if isinstance(value, list) and _is_binary(self._followed(rule.get("items", {}))):
            return [FileGiven(f"{index}.png", DATA[index:]) for index in range(len(value))]
        return value

    def _property(self, schema: Json, name: str) -> Json:
        schema = self._followed(schema)
        for part in (schema, *map(self._followed, schema.get("allOf", []))):
            if name in part.get("properties", {}):
                return self._followed(part["properties"][name])
        return {}

    def _followed(self, schema: Json) -> Json:
        found = self.document.follow((), schema)[1]
        choices = [each for each in found.get("anyOf", []) if each.get("type") != "null"]
        return self._followed(choices[0]) if len(choices) == 1 else found

    # A call

    def _one(
        self,
        server: Server,
        client: Any,
        operation: Operation,
        method: Method,
        trial: str,
        level: Level,
        number: int,
        reply: Reply | None,
    ) -> None:
        given = self.given(operation, level, number)
        if given is None or reply is None:
            return
        self.outcome.calls += 1
        problems = list(self._problems(server, client, operation, method, given, reply))
        self.outcome.right += not problems
        self.outcome.wrong += [Wrong(str(operation), trial, each) for each in problems]

    def _problems(
        self,
        server: Server,
        client: Any,
        operation: Operation,
        method: Method,
        given: Given,
        reply: Reply,
    ) -> Iterator[str]:
        """Make a call, and yield what is wrong with it."""
        try:
            values = self._arguments(method, given)
        except Unsayable as reason:
            yield f"no call says it: {reason}"
            return
        self._reply = reply
        self._drifts.clear()
        server.requests.clear()
        error: BaseException | None = None
        returned = None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                returned = method.call(client, values)
                if type(returned).__name__ in (
                    "EventStream",
                    "ItemStream",
                ):  # sends when it is read
                    returned = [getattr(each, "data", each) for each in returned]
        except Exception as raised:
            error = raised
        if not server.requests:
            yield f"nothing was sent: {type(error).__name__}: {error}"
            return
        if len(server.requests) > 1:
            yield f"{len(server.requests)} requests were sent"
        seen = self._seen(server.requests[0])
        if reply.status < 400:
            known = self.requests.get(str(operation))
            if known is None or len(_text(known[1])) < len(_text(seen)):
                self.requests[str(operation)] = operation, seen
        yield from self.judge.problems(operation, given, seen)
        if reply.status >= 400:
            yield from _failed(reply, error)
        elif error is not None:
            yield f"the response was refused: {type(error).__name__}: {error}"
        else:
            yield from _returned(reply, returned)
            yield from (f"drift: {each}" for each in self._drifts)

    def _arguments(self, method: Method, given: Given) -> dict[str, Any]:
        """Return the arguments of a call, by their names in Python.

        Raises:
            Unsayable: the method has no argument for a value, or its type has no such value.
        """
        found = {}
        for key, value in given.parameters.items():
            place, _, wire = key.partition(".")
            name = method.argument(place, wire)
            found[name] = typed(value, method.hints[name])
        if given.content is None:
            return found
        schema = given.content.schema
        members = self.sent.members(schema) if schema is not None else ()
        if (
            "content_type" in method.parameters.keys() - members
            and "*" not in given.content.media_type
        ):
            found["content_type"] = given.content.media_type
        if "body" in method.parameters and not (members and method.has("body", members)):
            found["body"] = typed(given.body, method.hints["body"])
            if given.content.media_type.endswith("/*"):
                found["content_type"] = given.content.media_type.replace("*", "x-judged")
            return found
        if not isinstance(given.body, dict):
            raise Unsayable(f"{method} takes the members of an object, not {given.body!r:.60}")
        others = {}
        for wire, value in given.body.items():
            if wire not in members and _OTHERS in method.parameters:
                others[wire] = value
                continue
            name = method.argument("body", wire)
            found[name] = typed(value, method.hints[name])
        if others:
            found[_OTHERS] = typed(others, method.hints[_OTHERS])
        return found

    def _seen(self, request: Request) -> Sent:
        headers = [(name, value) for name, value in request.fields if name != "x-trial-scheme"]
        scheme = request.headers["x-trial-scheme"]
        url = f"{scheme}://{request.headers['host']}{request.target}"
        return Sent(request.method, url, headers, request.body)

    def _respond(self, request: Request) -> Response:
        assert self._reply is not None
        return self._reply.response()

    # The client

    @contextmanager
    def _client(self, server: Server) -> Iterator[Any]:
        module = import_module(f"{self.package}.client")
        name = next(each for each in module.__all__ if not each.startswith("Async"))
        kind = getattr(module, name)
        self._drifts: list[Any] = []
        port = urlsplit(server.url("")).port
        assert port is not None
        with httpx2.Client(transport=_Rerouted(port), timeout=20) as http:
            options = {
                **self._credentials(kind),
                "retries": 0,
                "pacing": "off",
                "on_wait": None,
                "on_drift": self._drifts.append,
                "http_client": http,
            }
            with kind(**options, **self._addresses(kind, options)) as client:
                yield client

    def _credentials(self, kind: Any) -> dict[str, Any]:
        schemes = {re.sub("[^a-z0-9]", "", name.lower()): name for name in self.document.schemes}
        found: dict[str, Any] = {}
        for name, parameter in inspect.signature(kind.__init__).parameters.items():
            said = str(parameter.annotation)
            if "Login" in said:
                found[name] = tuple(self.secrets["basic"].split(":"))
            elif name == "api_token":
                found[name] = self.secrets["bearer"]
            elif "Token" in said:
                found[name] = self.secrets[schemes[re.sub("[^a-z0-9]", "", name)]]
        return found

    def _addresses(self, kind: Any, options: Mapping[str, Any]) -> dict[str, str]:
        """Return the addresses that a client has to be given: those that it has no default for."""
        try:
            kind(**options).close()
            said = r"(\w+_url): .*\n *Default: the environment variable `\w+`\.$"
            missing = re.findall(said, inspect.getdoc(kind) or "", re.MULTILINE)
        except Exception as error:
            missing = re.findall(r"(\w+_url) is missing", str(error))
        known = [each for o in self.document.operations for each in o.addresses]
        servers = self.document.data.get("servers") or [{}]
        path = urlsplit(servers[0].get("url", "")).path.rstrip("/")
        own = next(iter(known), f"https://api.invalid{path}")
        return {
            name: own
            if name == "base_url"
            else next((a for a in known if f"//{name.removesuffix('_url')}." in a), own)
            for name in missing
        }


_NONE: Any = object()
_NO_PATH = ("", ".", "..", [], {})  # with one of these, a path is another one


def _text(seen: Sent) -> str:
    return f"{seen.url}{seen.headers}{len(seen.body)}"


def _code(status: str, operation: Operation, some: tuple[int, ...]) -> int:
    """Return a status; of a range or `default` one that has no words of its own."""
    if status.isdigit():
        return int(status)
    return next(each for each in some if str(each) not in operation.responses)


def _is_binary(rule: Json) -> bool:
    if "string" not in str(rule.get("type", "string")):
        return False
    media_type = str(rule.get("contentMediaType", ""))
    is_text = media_type.startswith("text/") or is_json(media_type)
    encoded = "contentEncoding" in rule
    return rule.get("format") == "binary" or bool(media_type and not is_text and not encoded)


class _Rerouted(httpx2.BaseTransport):
    """Sends every request to a port of this machine; all else of it stays as it is."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._inner = httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["x-trial-scheme"] = request.url.scheme
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port)
        return self._inner.handle_request(request)

    def close(self) -> None:
        self._inner.close()


def _returned(reply: Reply, returned: Any) -> Iterator[str]:
    if reply.content is None:
        if returned is not None:
            yield f"nothing came, and {returned!r:.80} was returned"
        return
    wanted = reply.value
    if isinstance(wanted, Items):
        found = plain(returned)
        if not same(list(wanted.values), found):
            yield f"came one by one: {difference(list(wanted.values), found)}"
        return
    found = plain(returned)
    if isinstance(wanted, bytes) and isinstance(found, str):
        wanted = wanted.decode("utf-8", "replace")
    is_text = isinstance(wanted, str) and not is_json(_concrete(reply.content))
    if isinstance(wanted, bytes) or is_text:
        if isinstance(wanted, str) and isinstance(found, bytes):
            wanted = wanted.encode()
        if wanted != found:
            yield f"{wanted!r:.60} came, and {found!r:.60} was returned"
    elif not same(wanted, found):
        yield f"returned: {difference(wanted, found)}"


def _failed(reply: Reply, error: BaseException | None) -> Iterator[str]:
    exchange = getattr(error, "exchange", None)
    if exchange is None or exchange.status != reply.status:
        yield f"{reply.status} came, and the call ended with {error!r:.120}"
        return
    data = getattr(error, "data", None)
    is_object = reply.content and is_json(reply.content.media_type)
    if is_object and isinstance(reply.value, dict) and not same(reply.value, dict(data or {})):
        yield f"error: {difference(reply.value, dict(data or {}))}"
