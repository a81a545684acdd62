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
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from openapi import Answer, Document, Part, Recorded

__all__ = ["Answer", "Part", "Recorded", "Server", "serve"]

OPENAPI = Path(__file__).parents[2] / "generated" / "openapi"


class Server:
    """Both origins of the service, as long as `serve` lasts."""

    def __init__(self, folder: Path) -> None:
        self.documents = {p.stem: Document(p) for p in sorted(folder.glob("*.json"))}
        self.requests: list[Recorded] = []
        self.answers: deque[Answer] = deque()
        """What the next requests get, one each; where there is none, the documented example."""
        self.answered: list[Answer] = []
        self.addresses: dict[str, str] = {}

    @property
    def base_url(self) -> str:
        return self.addresses["main"]

    @property
    def media_url(self) -> str:
        return self.addresses["media"]

    def respond(self, document: Document, method: str, target: str, *rest: Any) -> Answer:
        """Record a request and what it gets."""
        answer = self._answer(document, method, target, *rest)
        self.answered.append(answer)
        return answer

    def _answer(self, document: Document, method: str, target: str, *rest: Any) -> Answer:
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
        digest, body = hashlib.sha256(), bytearray()
        parts: tuple[Part, ...] = ()
        boundary = re.search(
            r"^multipart/form-data;.*boundary=(\w+)", headers.get("content-type", "")
        )
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

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

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
        yield Part(found["name"], found.get("filename"), kind and kind[1], size, digest.hexdigest())
