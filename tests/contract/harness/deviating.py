"""A service that differs: a proxy in front of the sandbox, and the ways in which it does.

Each deviation alters what one operation responds with. Requests pass as they came, but for names
that the service calls otherwise.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2

from pipeline.openapi.objects import members
from social_publishing_sandbox import Sandbox
from tests.support.documents import sent_as

Json = Any


@dataclass
class Reply:
    """What the sandbox responded, to be altered."""

    status: int
    headers: dict[str, str]
    json: Json


@dataclass(frozen=True)
class Deviation:
    """One way in which a service differs.

    Attributes:
        route: what method and path of the requests match that it is about.
        alter: changes the reply in place; of several, all.
        renamed: query parameters, by the name that the service has for them, with the assumed one.
    """

    route: str
    alter: Callable[[Reply], object] = lambda reply: None
    renamed: Mapping[str, str] = field(default_factory=dict)


def _objects(value: Json) -> Iterator[dict[str, Any]]:
    """Yield all objects in a value."""
    if isinstance(value, dict):
        yield value
    for _, inner in members(value):
        yield from _objects(inner)


def each(change: Callable[[dict[str, Any]], object], having: str = "id") -> Callable[[Reply], None]:
    """Return what changes every object of a success that has a member of this name."""

    def alter(reply: Reply) -> None:
        for found in _objects(reply.json) if reply.status < 300 else ():
            if having in found:
                change(found)

    return alter


def whole(change: Callable[[Json], Json], refused: bool = False) -> Callable[[Reply], None]:
    """Return what puts another body in the place of that of a success, or of a refusal."""

    def alter(reply: Reply) -> None:
        if (reply.status >= 400) == refused:
            reply.json = change(reply.json)

    return alter


def refused(name: str) -> Callable[[Reply], None]:
    """Return what refuses a parameter, whatever it has."""

    def alter(reply: Reply) -> None:
        reply.status = 422
        reply.json = {"message": "Not valid.", "errors": {name: [f"{name} is not allowed."]}}

    return alter


def _status(reply: Reply) -> None:
    reply.status = 203 if reply.status == 200 else reply.status


def _rename(old: str, new: str) -> Callable[[dict[str, Any]], None]:
    def rename(found: dict[str, Any]) -> None:
        renamed = {new if name == old else name: value for name, value in found.items()}
        found.clear()
        found.update(renamed)

    return rename


def _in_seconds(post: dict[str, Any]) -> None:
    moment = post["publication_timestamp"]
    post["publication_timestamp"] = moment and moment // 1000


def _cursors(meta: dict[str, Any]) -> None:
    address = f"{meta['path']}?groupId=1&cursor=bmV4dA"
    meta.update(last_page=2, next_page_url=address)


ACTIVITIES, ACCOUNTS = "GET /v1/posts/[0-9]+/activities", "GET /v1/social-accounts/"
POSTS, METRICS = "GET /v1/posts\\?", "GET /v1/posts/[0-9]+/metrics"
RANGE = [sent_as("listCalendarNotes", end) for end in ("start", "end")]
OTHER = ("since", "until") if RANGE[0] == "from" else ("from", "to")
NOT_FOUND = {"code": "NOT_FOUND", "detail": "No such file."}
DEVIATIONS: dict[str, Deviation] = {
    f"422 asks for {OTHER[0]}, not {RANGE[0]}": Deviation(
        "GET /v1/calendar-notes", renamed=dict(zip(OTHER, RANGE, strict=True))
    ),
    "203 of getPostsOverview": Deviation("GET /v1/widgets/", _status),
    "404 with another body, an object": Deviation(
        "GET /api/v1/status/1$", whole(lambda body: NOT_FOUND, refused=True)
    ),
    "approved_at": Deviation(POSTS, each(lambda post: post.update(approved_at=None), "public_id")),
    "an object without timezone at Group": Deviation(
        "GET /v1/groups/", each(lambda group: group.pop("timezone"), "timezone")
    ),
    "a text of the form 30.11.2026 08:15 at PostActivity.created_at": Deviation(
        ACTIVITIES, each(lambda one: one.update(created_at="30.11.2026 09:00"), "event")
    ),
    "mastodon at SocialAccount.socialNetwork": Deviation(
        ACCOUNTS, each(lambda one: one.update(socialNetwork="mastodon"), "socialNetwork")
    ),
    "an integer, not a string at Post.id": Deviation(
        "GET /v1/posts-bulk", each(lambda post: post.update(id=int(post["id"])), "public_id")
    ),
    "getPostMetrics 200 without X-RateLimit-Reset": Deviation(
        METRICS, lambda reply: reply.headers.pop("x-ratelimit-reset", "")
    ),
    "an array, not an object at MediaStatus.data": Deviation(
        "GET /api/v1/status/", each(lambda one: one.update(data=[]), "media_id")
    ),
    "handle came each time, username": Deviation(
        ACCOUNTS, each(_rename("username", "handle"), "username")
    ),
    "lacks page, with cursor": Deviation(POSTS, each(_cursors, "next_page_url")),
    "422 with include=socialAccountsCount, which never succeeded": Deviation(
        "GET /v1/groups/.*socialAccountsCount", refused("include")
    ),
    "422 with include=labels, which never succeeded": Deviation(
        f"{POSTS}.*include=.*labels", refused("include")
    ),
    "include=media, and media never came": Deviation(
        POSTS, each(lambda post: post.pop("media", None), "public_id")
    ),
    "an array, not an object at PostActivityPage.meta": Deviation(
        ACTIVITIES, each(lambda page: page.update(meta=[]), "meta")
    ),
    "X-RateLimit-Reset in milliseconds, not seconds": Deviation(
        "GET /v1/groups/", lambda reply: reply.headers.update(_MS)
    ),
    "seconds, not milliseconds at Post.publication_timestamp": Deviation(
        POSTS, each(_in_seconds, "publication_timestamp")
    ),
    "85 at PostMetric.score": Deviation(
        METRICS, each(lambda metric: metric.update(score=85), "score")
    ),
}
"""By what is said of each, whoever looks; they are about several places, so that all can be there
at once."""


@contextmanager
def deviating(sandbox: Sandbox, deviations: Collection[Deviation]) -> Iterator[tuple[str, str]]:
    """Yield the base addresses of a service that differs so from a sandbox."""
    upstream = {"/v1": sandbox.base_url, "/api/v1": sandbox.media_url}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            line = f"{self.command} {self.path}"
            mine = [one for one in deviations if re.match(one.route, line)]
            base = "/api/v1" if self.path.startswith("/api/") else "/v1"
            reply = self.missing(mine) or self.passed(upstream[base], base, mine)
            for one in mine:
                one.alter(reply)
            body = b"" if reply.json is None else json.dumps(reply.json).encode()
            for theirs in upstream.values():
                body = body.replace(_origin(theirs).encode(), own.encode())
            self.send_response_only(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 204:
                self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def missing(self, mine: list[Deviation]) -> Reply | None:
            """Refuse a request without the names that the service has for what it demands."""
            sent = re.findall(r"[?&](\w+)=", self.path)
            lacking = [name for one in mine for name in one.renamed if name not in sent]
            if not lacking:
                return None
            errors = {name: [f"The {name} field is required."] for name in lacking}
            return Reply(422, {**_JSON, **_RATE}, {"message": "Not valid.", "errors": errors})

        def passed(self, address: str, base: str, mine: list[Deviation]) -> Reply:
            path = self.path.removeprefix(base)
            for new, old in (pair for one in mine for pair in one.renamed.items()):
                path = re.sub(rf"([?&]){new}=", rf"\1{old}=", path)
            length = int(self.headers.get("content-length", 0))
            kept = ("authorization", "accept", "content-type")
            came = http.request(
                self.command,
                address + path,
                headers={name: self.headers[name] for name in kept if name in self.headers},
                content=self.rfile.read(length),
            )
            ours = ("content-type", "x-ratelimit-", "retry-after")
            headers = {name: value for name, value in came.headers.items() if name.startswith(ours)}
            return Reply(came.status_code, headers, came.json() if came.content else None)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    own = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    with httpx2.Client(timeout=20) as http:
        thread.start()
        try:
            yield f"{own}/v1", f"{own}/api/v1"
        finally:
            server.shutdown()
            server.server_close()


_JSON = {"content-type": "application/json"}
_MS: dict[str, str] = {"x-ratelimit-reset": "1796115660000"}
_RATE = {
    "x-ratelimit-limit": "60",
    "x-ratelimit-remaining": "59",
    "x-ratelimit-reset": "1796115660",
}


def _origin(address: str) -> str:
    return "/".join(address.split("/")[:3])
