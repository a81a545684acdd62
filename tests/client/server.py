"""The service as its documents describe it: requests are checked, and answered with examples.

    with serve() as server:
        client = SocialPublishing(
            api_token="any", base_url=server.base_url, media_url=server.media_url
        )

It keeps no state: a response is an example made from its schema, or what the test put into
`server.answers`. A request that does not fit its document gets 422 and the reason. Each document
has an origin of its own. What came in is in `server.requests`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256

from tests.support import server as http
from tests.support.documents import Document, documents
from tests.support.examples import success
from tests.support.server import Response
from tests.support.wire import Seen, Sent, read

__all__ = ["Part", "Recorded", "Response", "Server", "serve"]


@dataclass(frozen=True)
class Part:
    """A part of a multipart body, of which only size and digest are kept."""

    name: str
    filename: str | None
    content_type: str | None
    size: int
    sha256: str


@dataclass(frozen=True)
class Recorded(http.Request):
    """A request as it came, the operation that it calls, and the parts of a multipart body."""

    document: str = ""
    operation: str | None = None
    parts: tuple[Part, ...] = ()


class Server:
    """All origins of the service, as long as `serve` lasts."""

    def __init__(self) -> None:
        self.requests: list[Recorded] = []
        self.answers: deque[Response] = deque()
        """What the next requests get, one each; where there is none, the documented example."""
        self.answered: list[Response] = []
        self.addresses: dict[str, str] = {}

    @property
    def base_url(self) -> str:
        return self.addresses["main"]

    @property
    def media_url(self) -> str:
        return self.addresses["media"]

    def respond(self, document: Document, came: http.Request) -> bytes | http.Script:
        """Record a request and what it gets."""
        address = self.addresses[document.name]
        url = address.removesuffix(document.base) + came.target
        sent = Sent(came.method, url, came.fields, came.body)
        seen = read(sent, addresses={document.name: address}, token=None)
        operation = seen.operation and seen.operation.id
        parts = tuple(_parts(came))
        self.requests.append(Recorded(came.head, came.body, document.name, operation, parts))
        answer = self._answer(document, came, seen)
        self.answered.append(answer)
        rates = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59"}
        headers = {**rates, "X-RateLimit-Reset": "1796115660", **answer.headers}
        response = bytes(Response(answer.status, answer.json, answer.body, headers))
        if "Content-Length" not in answer.headers:
            return response

        def script(peer: http.Peer) -> None:  # it may promise too much
            peer.send(response)
            peer.close()

        return script

    def _answer(self, document: Document, came: http.Request, seen: Seen) -> Response:
        text = "error" if document.name == "media" else "message"
        if self.answers:
            return self.answers.popleft()
        if seen.operation is None:
            return Response(404, {text: f"no operation is {came.method} {came.target}"})
        if not came.headers.get("authorization", "").startswith("Bearer "):
            return Response(401, {text: "Unauthenticated."})
        if seen.problems:
            errors = {"request": seen.problems}
            return Response(422, {text: "; ".join(seen.problems), "errors": errors})
        return success(seen.operation)


@contextmanager
def serve() -> Iterator[Server]:
    """Serve both documents on free ports of 127.0.0.1."""
    server = Server()
    with ExitStack() as stack:
        for document in documents().values():
            there = stack.enter_context(
                http.serve(lambda came, document=document: server.respond(document, came))
            )
            server.addresses[document.name] = there.url(document.base)
        yield server


def _parts(came: http.Request) -> Iterator[Part]:
    """The parts of a multipart body."""
    media_type = came.headers.get("content-type", "")
    boundary = re.search(r"^multipart/form-data;.*boundary=(\w+)", media_type)
    if boundary is None:
        return
    for part in (b"\r\n" + came.body).split(f"\r\n--{boundary[1]}".encode())[1:-1]:
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        found = dict(re.findall(r'(filename|name)="([^"]*)"', head.decode()))
        kind = re.search(r"(?im)^content-type: *(\S+)", head.decode())
        digest = sha256(content).hexdigest()
        yield Part(found["name"], found.get("filename"), kind and kind[1], len(content), digest)
