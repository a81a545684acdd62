"""A small server for tests: it reads the documents, checks every request against them, and answers.

    with serve() as server:
        client = SocialPublishing(
            api_token="any", base_url=server.base_url, media_url=server.media_url
        )

It keeps no state: an answer is an example made from the response's schema, or what the test put
into `server.answers`. A request that does not fit its document is answered with 422 and the reason.
Each document has an origin of its own. What came in is in `server.requests`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit
from zlib import crc32

import jsonschema_rs

OPENAPI = Path(__file__).parents[2] / "generated" / "openapi"
Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a test wants to be answered. Without a body, an object or a list may be given as `json`."""

    status: int = 200
    json: Any = None
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """A part of a multipart body, of which only size and digest are kept."""

    name: str
    filename: str | None
    content_type: str | None
    size: int
    sha256: str


@dataclass(frozen=True)
class Recorded:
    """A request as it came. Header names are in lower case; a multipart body is in `parts` alone."""

    document: str
    operation: str | None
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    sha256: str
    parts: tuple[Part, ...] = ()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Document:
    """One effective document: its operations, and the checks and examples of its schemas."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.data: Json = json.loads(path.read_text(encoding="utf-8"))
        self.base = urlsplit(self.data["servers"][0]["url"].replace("{host}", "host")).path
        self.operations: dict[str, tuple[str, str, Json]] = {
            operation["operationId"]: (method.upper(), template, operation)
            for template, item in self.data["paths"].items()
            for method, operation in item.items()
            if method in ("get", "put", "post", "patch", "delete")
        }
        self._valid = cache(self._validator)

    def resolve(self, node: Json) -> Json:
        """The node, or what it refers to."""
        while "$ref" in node:
            target: Any = self.data
            for step in node["$ref"].removeprefix("#/").split("/"):
                target = target[step.replace("~1", "/").replace("~0", "~")]
            node = target
        return node

    def _validator(self, schema: str) -> jsonschema_rs.Validator:
        root = {**json.loads(schema), "components": self.data["components"]}
        return jsonschema_rs.Draft202012Validator(root, validate_formats=True)

    def problems(self, schema: Json, value: Any, place: str) -> list[str]:
        """Why a value does not fit a schema."""
        errors = self._valid(json.dumps(schema)).iter_errors(value)
        return [f"{'.'.join([place, *map(str, e.instance_path)])}: {e.message}" for e in errors]

    def find(self, method: str, path: str) -> tuple[str | None, dict[str, str]]:
        """The operation of a request and its path parameters; templates without places win."""
        for identifier, (verb, template, _) in sorted(
            self.operations.items(), key=lambda entry: "{" in entry[1][1]
        ):
            pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.base + template)
            if verb == method and (found := re.fullmatch(pattern, path)):
                return identifier, {key: unquote(text) for key, text in found.groupdict().items()}
        return None, {}

    def check(self, request: Recorded, path: Mapping[str, str]) -> list[str]:
        """Everything in a request that its operation does not allow."""
        operation = self.operations[request.operation or ""][2]
        query: dict[str, list[str]] = {}
        for pair in filter(None, urlsplit(request.target).query.split("&")):
            name, _, text = pair.partition("=")
            query.setdefault(unquote(name), []).append(text)
        found = []
        for parameter in map(self.resolve, operation.get("parameters", [])):
            name, schema = parameter["name"], parameter["schema"]
            if parameter["in"] == "path":
                found += self.problems(schema, path[name], f"path {name}")
            elif texts := query.pop(name, []):
                if self.resolve(schema)["type"] == "array":
                    texts = texts if parameter.get("explode", True) else texts[0].split(",")
                    value = [_plain(self.resolve(schema)["items"], unquote(text)) for text in texts]
                else:
                    value = _plain(self.resolve(schema), unquote(texts[0]))
                found += self.problems(schema, value, f"query {name}")
            elif parameter.get("required"):
                found.append(f"query {name}: is missing")
        found += [f"query {name}: is not documented" for name in query]
        if request.headers.get("accept") != "application/json":
            found.append("header Accept: must be application/json")
        return found + self._check_body(request, operation.get("requestBody", {}))

    def _check_body(self, request: Recorded, body: Json) -> list[str]:
        media_type = request.headers.get("content-type", "").partition(";")[0]
        if not body:
            return ["a body is not documented"] if request.body or media_type else []
        if media_type not in body["content"]:
            return [f"header Content-Type: {media_type!r} is not one of {[*body['content']]}"]
        schema = body["content"][media_type]["schema"]
        if media_type == "application/json":
            return self.problems(schema, request.json, "body")
        wanted = self.resolve(schema)
        names = {part.name for part in request.parts}
        return [f"part {name}: is missing" for name in {*wanted["required"]} - names] + [
            f"part {name}: is not documented" for name in names - {*wanted["properties"]}
        ]

    def answer(self, identifier: str) -> Answer:
        """The documented success of an operation, with an example as its body."""
        responses = self.operations[identifier][2]["responses"]
        status = min((code for code in responses if re.fullmatch("2[0-9]{2}", code)), default="200")
        response = self.resolve(responses.get(status) or responses["2XX"])
        headers = {
            name: str(example(self, self.resolve(header)["schema"]))
            for name, header in response.get("headers", {}).items()
        }
        content = response.get("content", {}).get("application/json")
        return Answer(
            int(status), None if content is None else example(self, content["schema"]), b"", headers
        )


def _plain(schema: Json, text: str) -> Any:
    """The JSON value of a text in a query."""
    try:
        return json.loads(text) if schema.get("type") in ("integer", "number", "boolean") else text
    except ValueError:
        return text


def example(document: Document, schema: Json, place: str = "$", above: tuple[str, ...] = ()) -> Any:
    """A value that fits the schema: always the same one for the same place, so that tests can expect
    it. Identifiers have 20 digits and pass 2^63; what may be null is null in about every second place.
    """
    if reference := schema.get("$ref"):
        if reference in above:
            return {}
        return example(document, document.resolve(schema), place, (*above, reference))
    name, number = place.rpartition(".")[2], crc32(place.encode())
    if "examples" in schema:
        return schema["examples"][0]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(document, schema["anyOf"][0], place, above)
    kinds = schema.get("type", "object")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if "null" in kinds and number % 2:
        return None
    match kinds[0]:
        case "object":
            inner = schema.get("additionalProperties")
            if isinstance(inner, dict):
                keys = document.resolve(schema.get("propertyNames", {}))
                key = keys.get("enum", [str(10**19 + number)])[0]
                return {key: example(document, inner, f"{place}.{key}", above)}
            return {
                key: example(document, value, f"{place}.{key}", above)
                for key, value in schema.get("properties", {}).items()
            }
        case "array":
            looped = schema["items"].get("$ref") in above
            return [] if looped else [example(document, schema["items"], place, above)]
        case "boolean":
            return number % 3 > 0
        case "integer":
            return max(schema.get("minimum", 0), number % 1000)
        case "number":
            return number % 1000 / 8
    if schema.get("format") == "date-time":
        return f"2026-12-{number % 28 + 1:02}T09:00:00Z"
    if "pattern" in schema or re.search(r"(^|_)ids?$|Ids$", name):
        return str(10**19 + number)
    if re.search(r"url|link|avatar|thumbnail|preview", name):
        return f"https://files.invalid/{name}/{number % 1000}"
    return f"{name} {number % 1000}"


class Server:
    """Both origins of the service, as long as `serve` lasts."""

    def __init__(self, folder: Path) -> None:
        self.documents = {p.stem: Document(p) for p in sorted(folder.glob("*.json"))}
        self.requests: list[Recorded] = []
        self.answers: deque[Answer] = deque()
        """What the next requests get, one each; where there is none, the documented example."""
        self.addresses: dict[str, str] = {}

    @property
    def base_url(self) -> str:
        return self.addresses["main"]

    @property
    def media_url(self) -> str:
        return self.addresses["media"]

    def respond(self, document: Document, method: str, target: str, *rest: Any) -> Answer:
        """Record a request, check it, and say what it gets."""
        identifier, path = document.find(method, urlsplit(target).path)
        request = Recorded(document.name, identifier, method, target, *rest)
        self.requests.append(request)
        text = "error" if document.name == "media" else "message"
        if self.answers:
            return self.answers.popleft()
        if identifier is None:
            return Answer(404, {text: f"no operation is {method} {target}"})
        if not request.headers.get("authorization", "").startswith("Bearer "):
            return Answer(401, {text: "Unauthenticated."})
        if problems := document.check(request, path):
            return Answer(422, {text: "; ".join(problems), "errors": {"request": problems}})
        return document.answer(identifier)


@contextmanager
def serve(folder: Path = OPENAPI) -> Iterator[Server]:
    """The server of the documents in a folder, on ports of 127.0.0.1 that are free."""
    server = Server(folder)
    with ExitStack() as stack:
        for document in server.documents.values():
            kind = type("Handler", (_Handler,), {"server_": server, "document": document})
            http = ThreadingHTTPServer(("127.0.0.1", 0), kind)
            http.daemon_threads, http.block_on_close = True, False
            server.addresses[document.name] = f"http://127.0.0.1:{http.server_port}{document.base}"
            Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
            stack.callback(http.server_close)
            stack.callback(http.shutdown)
        yield server


class _Handler(BaseHTTPRequestHandler):
    server_: Server
    document: Document
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body leave together

    def _handle(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        digest, body, parts = hashlib.sha256(), bytearray(), ()
        boundary = re.search(r"^multipart/form-data;.*boundary=(\w+)", headers.get("content-type", ""))
        chunks = self._chunks(headers, digest)
        if boundary:
            parts = tuple(_parts(chunks, boundary[1].encode()))
        for chunk in chunks:
            body += chunk
        answer = self.server_.respond(
            self.document, self.command, self.path, headers, bytes(body), digest.hexdigest(), parts
        )
        content = answer.body or (b"" if answer.json is None else json.dumps(answer.json).encode())
        self.send_response(answer.status)
        rates = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59"}
        fields = {"Content-Type": "application/json", "Content-Length": str(len(content)), **rates}
        if answer.status == 204:
            fields = rates
        for name, value in {**fields, "X-RateLimit-Reset": "1796115660", **answer.headers}.items():
            self.send_header(name, value)
        self.close_connection = "Content-Length" in answer.headers  # it may promise too much
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle  # noqa: N815

    def _chunks(self, headers: Mapping[str, str], digest: Any) -> Iterator[bytes]:
        """The body as it comes in, by its length or in chunks."""
        chunked = headers.get("transfer-encoding") == "chunked"
        left = int(headers.get("content-length", 0))
        while size := int(self.rfile.readline(), 16) if chunked else min(left, 1 << 20):
            data = self.rfile.read(size)
            digest.update(data)
            yield data
            left -= size
            if chunked:
                self.rfile.readline()
        if chunked:
            self.rfile.readline()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what came in is in `server.requests`."""


def _parts(chunks: Iterator[bytes], boundary: bytes) -> Iterator[Part]:
    """The parts of a multipart body, read as it comes in."""
    mark, buffer = b"\r\n--" + boundary, b"\r\n"

    def until(end: bytes) -> Iterator[bytes]:
        nonlocal buffer
        while (at := buffer.find(end)) < 0:
            keep = max(0, len(buffer) - len(end) + 1)
            yield buffer[:keep]
            buffer = buffer[keep:] + next(chunks)
        yield buffer[:at]
        buffer = buffer[at + len(end) :]

    b"".join(until(mark))
    while b"".join(until(b"\r\n")) != b"--":
        head = b"".join(until(b"\r\n\r\n")).decode()
        digest, size = hashlib.sha256(), 0
        for piece in until(mark):
            digest.update(piece)
            size += len(piece)
        found = dict(re.findall(r'(filename|name)="([^"]*)"', head))
        kind = re.search(r"(?im)^content-type: *(\S+)", head)
        yield Part(
            found["name"], found.get("filename"), kind and kind[1], size, digest.hexdigest()
        )
