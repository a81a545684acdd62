"""A sandbox and clients on real ports, in a time that a test lets pass, and a record of it all."""

from __future__ import annotations

import asyncio
import inspect
import logging
import pickle
import traceback
import warnings
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from social_publishing import AsyncSocialPublishing, SocialPublishing

from harness.calls import Call
from harness.service import SIDES, Side
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.request_log.entry import Entry
from social_publishing_sandbox.state.rate_limit import RateLimit
from tests.support.both import now
from tests.support.clock import StillClock
from tests.support.documents import Json, operations

USERS = ("owner", "admin", "member", "client")
LISTS = ("listPosts", "listPostActivities")
LOGGERS = ("social_publishing", "httpx2", "httpcore2.http11", "httpcore2.connection", "asyncio")
HEADERS = frozenset(
    [
        "host",
        "accept",
        "accept-encoding",
        "connection",
        "user-agent",
        "authorization",
        "content-type",
        "content-length",
        "transfer-encoding",
    ]
)
"""What a request may carry: nothing but the token tells who it is from."""


@dataclass
class Outcome:
    """What a call did.

    Attributes:
        response: what it returned, as JSON.
        error: what it raised.
        entries: the requests that came of it.
    """

    result: Json = None
    error: Exception | None = None
    entries: list[Entry] = field(default_factory=list)

    @property
    def carried(self) -> list[Entry]:
        """The requests that were carried out."""
        return [each for each in self.entries if each.succeeded]

    def __str__(self) -> str:
        if self.error is not None:
            return f"{type(self.error).__name__}: {self.error}"
        text = repr(self.result)
        return text if len(text) <= 2000 else f"{text[:2000]}…"

    @property
    def brief(self) -> str:
        """The same in a few words."""
        text = str(self)
        if isinstance(self.result, dict) and isinstance(self.result.get("data"), list):
            return f"{len(self.result['data'])} items"
        return text if len(text) <= 90 else f"{text[:90]}…"


class _Kept(logging.Filter):
    """Keeps all that is logged as text; from the report of a failure, where it is no help."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def filter(self, record: logging.LogRecord) -> bool:
        self.texts.append(_FORMAT.format(record))
        return False


_FORMAT = logging.Formatter("%(name)s %(message)s")


class Stage:
    """One sandbox for many runs; each begins with the same world."""

    def __init__(self) -> None:
        self.clock = StillClock()
        self.sandbox = Sandbox(clock="frozen")
        # The limit runs on real time, whatever the sandbox's clock shows; here it has the client's.
        self.sandbox.service.limits = RateLimit(60, 60, 60, real=self.clock.wall)
        self.secrets = dict(self.sandbox.tokens)
        self.user_ids = {
            role: next(e["id"] for e in self.sandbox.find("users") if e["token"] == token)
            for role, token in self.secrets.items()
        }
        self.texts: list[str] = []
        self._log = _Kept()
        self._before: dict[str, int] = {}
        self._clients: dict[tuple[str, Side], Any] = {}

    def __enter__(self) -> Stage:
        self.sandbox.start()
        self._runner = asyncio.Runner()
        for name in LOGGERS:
            logger = logging.getLogger(name)
            self._before[name] = logger.level
            logger.setLevel(logging.DEBUG)
            logger.addFilter(self._log)
        for role, token in self.secrets.items():
            for side in SIDES:
                kind: Any = SocialPublishing if side == "sync" else AsyncSocialPublishing
                client = kind(
                    api_token=token,
                    base_url=self.sandbox.base_url,
                    media_url=self.sandbox.media_url,
                    timeout=10,
                )
                self._clients[role, side] = client.with_clock(self.clock)
        return self

    def __exit__(self, *_: object) -> None:
        for name, level in self._before.items():
            logger = logging.getLogger(name)
            logger.setLevel(level)
            logger.removeFilter(self._log)
        for (_, side), client in self._clients.items():
            if side == "sync":
                client.close()
            else:
                self._runner.run(client.close())
        self._runner.close()
        self.sandbox.close()

    def begin(self) -> None:
        """The world as it was at first, and a fresh minute for everybody."""
        self.sandbox.reset()
        self.fresh_minute(60)
        self.texts = [repr(each) for each in self._clients.values()]
        self._log.texts.clear()

    def fresh_minute(self, limit: int) -> None:
        """Let every budget be full again, with a limit of so many requests."""
        self.clock.time += 61
        self.sandbox.limit(limit)

    def client(self, role: str = "owner", side: Side = "sync") -> Any:
        """Return the client of one of the users."""
        return self._clients[role, side]

    def play(self, call: Call, client: Any, fault: Json = None) -> Outcome:
        """Make a call, with a fault of the service for as long as it takes."""
        before = self.sandbox.request_log.last_number
        outcome = Outcome()
        block = self.sandbox.fault(**fault) if fault else nullcontext()
        with block, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                outcome.result = self._result(call, client)
            except Exception as error:
                outcome.error = error
                self.keep(error)
        outcome.entries = self.since(before)
        return outcome

    def _result(self, call: Call, client: Any) -> Json:
        resource = getattr(client, call.operation.resource)
        found = getattr(resource, call.operation.name)(*call.positional, **call.keywords)
        if call.operation.id in LISTS:
            pages = found.pages()
            if hasattr(pages, "__aiter__"):
                pages = self._runner.run(_listed(pages))
            return {"data": [item for page in pages for item in as_json(page)["data"]]}
        return as_json(self.run(found))

    def run(self, found: Any) -> Any:
        """Return what was returned, or what is to be awaited for it."""
        return self._runner.run(now(found)) if inspect.isawaitable(found) else found

    def since(self, number: int) -> list[Entry]:
        """Return the requests after this one."""
        return [each for each in self.sandbox.request_log if each.number > number]

    def keep(self, error: BaseException) -> None:
        """Everything that a program could show of an error."""
        self.texts += [repr(error), repr(vars(error)), *traceback.format_exception(error)]
        self.texts.append(pickle.dumps(error).decode("latin-1"))

    def leaks(self) -> list[str]:
        """Return where a token shows that must not."""
        found = [
            f"a token shows: {text.replace(token, '<TOKEN>')[:600]}"
            for text in [*self.texts, *self._log.texts]
            for token in self.secrets.values()
            if token in text
        ]
        for entry in self.sandbox.request_log:
            shown = b"\n".join([entry.target.encode(), *_bodies(entry), *_headers(entry)])
            if any(token.encode() in shown for token in self.secrets.values()):
                found.append(f"a token shows in {_named(entry)}")
        return found

    def broken_rules(self) -> list[str]:
        """Which exchanges carry what they must not, lack what they must have, or do not fit."""
        rules = []
        for entry in self.sandbox.request_log:
            problems = [*_wrong_headers(entry, self.secrets.values()), *entry.problems]
            rules += [f"{_named(entry)}: {each}" for each in problems]
        return rules


def _named(entry: Entry) -> str:
    return f"request {entry.number}, {entry.method} {entry.path}"


def _bodies(entry: Entry) -> list[bytes]:
    return [entry.request_body or b"", entry.response_body or b""]


def _headers(entry: Entry) -> list[bytes]:
    """Return all that headers say, but for the one that is there for the token."""
    kept = [value for name, value in entry.request_headers if name.lower() != b"authorization"]
    return kept + [value for _, value in entry.response_headers]


def _wrong_headers(entry: Entry, tokens: Iterable[str]) -> Iterator[str]:
    headers = {name.decode().lower(): value.decode() for name, value in entry.request_headers}
    if len(headers) != len(entry.request_headers):
        yield "a header is there twice"
    for name in headers.keys() - HEADERS:
        yield f"it has the header {name}"
    if headers.get("accept") != "application/json":
        yield f"Accept is {headers.get('accept')}"
    if headers.get("authorization") not in [f"Bearer {each}" for each in tokens]:
        yield "there is no token, or it is no user's"
    wanted = operations()[entry.operation].media_type if entry.operation else None
    if headers.get("content-type", "none").partition(";")[0] != (wanted or "none"):
        yield f"Content-Type is {headers.get('content-type')}"


async def _listed(pages: Any) -> list[Any]:
    return [page async for page in pages]


def as_json(result: Any) -> Json:
    """What a call returned, as JSON: what the client makes of the response, not what came."""
    if isinstance(result, list):
        return [as_json(each) for each in result]
    if isinstance(result, dict):
        return {key: as_json(each) for key, each in result.items()}
    return result.to_dict(wire=True) if hasattr(result, "to_dict") else result
