"""A sandbox without its compiled libraries: a process that responds to requests line by line."""

from __future__ import annotations

import asyncio
import importlib.abc
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from social_publishing_sandbox import Sandbox

MISSING = ("jsonschema_rs", "orjson", "uvloop")


class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> None:
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def made() -> Sandbox:
    from social_publishing_sandbox import Sandbox

    return Sandbox(clock="frozen", rate_limit=None, fetch_hosts=())


def exchanged(sandbox: Sandbox, api: str, method: str, target: str, body: str | None) -> Any:
    """Return the status, the headers and the body of a response to a request of the owner."""
    content = None if body is None else body.encode("latin-1")
    path, _, query = target.partition("?")
    headers = [
        (b"host", b"sandbox.example"),
        (b"accept", b"application/json"),
        (b"authorization", f"Bearer {sandbox.token}".encode()),
    ]
    if content is not None:
        headers += [(b"content-type", b"application/json")]
        headers += [(b"content-length", str(len(content)).encode())]
    scope: dict[str, Any] = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": content or b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    app: Any = sandbox.app if api == "main" else sandbox.media_app
    asyncio.run(app(scope, receive, send))
    got = {name.decode(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    moving = ("x-ratelimit-reset", "content-length")  # a clock, and how numbers are written
    shown = {name: value for name, value in got.items() if name not in moving}
    content = b"".join(each.get("body", b"") for each in sent[1:])
    return [sent[0]["status"], shown, json.loads(content) if content else None]


def serve() -> None:
    sys.meta_path.insert(0, Blocked())
    with closing(made()) as sandbox:
        missing = [name for name in MISSING if name in sys.modules]
        print(json.dumps(missing), flush=True)
        for line in sys.stdin:
            print(json.dumps(exchanged(sandbox, *json.loads(line))), flush=True)


if __name__ == "__main__":
    serve()
