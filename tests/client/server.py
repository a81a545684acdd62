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
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from openapi import Answer, Document, Part, Recorded

from tests.support import server as http

__all__ = ["Answer", "Part", "Recorded", "Server", "serve"]

OPENAPI = Path(__file__).parents[2] / "generated" / "openapi"


class Server:
    """All origins of the service, as long as `serve` lasts."""

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

    def respond(self, document: Document, came: http.Request) -> bytes | http.Script:
        """Record a request and what it gets."""
        identifier, path = document.find(came.method, urlsplit(came.target).path)
        request = Recorded(
            document.name,
            identifier,
            came.method,
            came.target,
            came.headers,
            came.body,
            sha256(came.body).hexdigest(),
            tuple(_parts(came)),
        )
        self.requests.append(request)
        answer = self._answer(document, request, path)
        self.answered.append(answer)
        rates = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59"}
        headers = {**rates, "X-RateLimit-Reset": "1796115660", **answer.headers}
        response = bytes(http.Response(answer.status, answer.json, answer.body, headers))
        if "Content-Length" not in answer.headers:
            return response

        def script(peer: http.Peer) -> None:  # it may promise too much
            peer.send(response)
            peer.close()

        return script

    def _answer(self, document: Document, request: Recorded, path: dict[str, str]) -> Answer:
        text = "error" if document.name == "media" else "message"
        if self.answers:
            return self.answers.popleft()
        if request.operation is None:
            return Answer(404, {text: f"no operation is {request.method} {request.target}"})
        if not request.headers.get("authorization", "").startswith("Bearer "):
            return Answer(401, {text: "Unauthenticated."})
        if problems := document.check(request, path):
            return Answer(422, {text: "; ".join(problems), "errors": {"request": problems}})
        return document.answer(request.operation)


@contextmanager
def serve(folder: Path = OPENAPI) -> Iterator[Server]:
    """The server of the documents in a folder, on ports of 127.0.0.1 that are free."""
    server = Server(folder)
    with ExitStack() as stack:
        for document in server.documents.values():
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
