"""Runs of hostile scenarios, and what must not be in them: whatever a server does.

A call ends with a value or one of our errors, by its deadline; a write is not done twice, what is
said of it is true, and the token is shown nowhere and goes nowhere else.
"""

from __future__ import annotations

import json
import logging
import pickle
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http import HTTPStatus
from itertools import islice
from secrets import token_hex
from ssl import CERT_NONE, PROTOCOL_TLS_CLIENT, PROTOCOL_TLS_SERVER, SSLContext, TLSVersion
from typing import Any
from unittest import mock

import anyio
from social_publishing import (
    AsyncSocialPublishing,
    OutcomeUnknown,
    PagingError,
    PartialFailure,
    Retries,
    SocialPublishing,
    SocialPublishingError,
    StatusError,
    TransportError,
)
from social_publishing._runtime.transport import connections

from harness.calls import Call, call_of
from harness.hostile_scenarios import CORE, LIMIT, TOKEN, Play, Scenario, scenario
from tests.support.documents import documents
from tests.support.examples import success
from tests.support.server import Peer, Request, Response, Script, Server, serve
from tests.support.wire import find

LATE = 1.5  # seconds after the deadline that a busy machine may take
DELETED_STATUSES = (404, 410)
PAGES = 30  # items of a list that are read

_KNOWN = {int(each) for each in HTTPStatus}  # a status that nobody knows refuses nothing


@dataclass
class Happened:
    """What came of a scenario.

    Attributes:
        requests: methods, targets and bodies (as far as they were read) of what came, in order.
        before: how often each had been carried out when it came; `carried_out` are those that
            were in the end.
        result: the value, if `error` is None.
        shown: all texts in which somebody may read.
        reconciled: whether the write was carried out, as far as the client can tell afterwards.
    """

    requests: list[tuple[str, str, bytes]] = field(default_factory=list)
    before: list[int] = field(default_factory=list)
    played: list[Play] = field(default_factory=list)
    carried_out: int = 0
    result: Any = None
    error: BaseException | None = None
    seconds: float = 0.0
    shown: list[str] = field(default_factory=list)
    reconciled: bool | None = None
    asyncio_errors: list[str] = field(default_factory=list)


class _Service:
    """The server's side of a scenario."""

    def __init__(self, given: Scenario, happened: Happened) -> None:
        self._given = given
        self._happened = happened
        self._done: Counter[tuple[str, str, bytes]] = Counter()

    def respond(self, request: Request) -> Script:
        given, happened = self._given, self._happened
        play = given.plays[min(len(happened.played), len(given.plays) - 1)]
        happened.played.append(play)
        if request.head:
            what = (request.method, request.target, request.body)
            happened.requests.append(what)
            happened.before.append(self._done[what])
            self._done[what] += play.carries_out
            happened.carried_out = sum(map(bool, self._done.values()))

        def script(peer: Peer) -> None:
            play.act(peer)
            if given.stage == "head" and not peer.gone:
                peer.read_body(request.head)  # or it would be taken for the next request

        return script


def run(given: Scenario) -> Happened:
    """Let it happen."""
    happened = Happened()
    with (
        _shown(happened),
        serve(
            _Service(given, happened).respond,
            at=given.stage,
            tls=_anonymous(PROTOCOL_TLS_SERVER) if given.is_secure else None,
        ) as server,
    ):
        if not given.plays:
            server.stop()
        began = time.monotonic()
        try:
            happened.result = _call(given, server)
        except BaseException as error:
            happened.error = error
        happened.seconds = time.monotonic() - began
    if happened.error is not None:
        happened.shown += _texts(happened.error)
    if isinstance(happened.error, OutcomeUnknown) and happened.error.probe is not None:
        happened.reconciled = _reconciled(happened.error, bool(happened.carried_out))
    return happened


def _reconciled(error: OutcomeUnknown, is_done: bool) -> bool | None:
    """Let the client look whether a write was carried out, with nothing in its way."""
    assert error.probe is not None
    sent = json.loads(error.request.body) if isinstance(error.request.body, bytes) else {}
    document = documents()[error.request.server]
    is_written = False

    def respond(request: Request) -> Response:
        found = find(document, request.method, request.path.removeprefix(document.base))
        assert found is not None
        shown = success(found[0]).json
        for item in shown if isinstance(shown, list) else [shown]:
            item["id"] = request.query.get("ids", item["id"]).partition(",")[0]
            item |= {name: sent[name] for name in sent if name in item and is_written}
        return Response(json=shown)

    with serve(respond) as server:
        addresses = {"base_url": server.url("/v1"), "media_url": server.url("/api/v1")}
        with SocialPublishing(api_token=TOKEN, pacing="off", **addresses) as client:
            before = client.send(error.probe.reads[0])
            is_written = is_done
            error.client = client
            return error.reconcile(before).done


def _call(given: Scenario, server: Server) -> Any:
    origin = f"{given.scheme}://127.0.0.1:{server.port}"
    options: dict[str, Any] = {
        "api_token": TOKEN,
        "base_url": f"{origin}/v1",
        "media_url": f"{origin}/api/v1",
        "max_response_bytes": LIMIT,
        "rate_key": token_hex(8),  # a budget of its own
        **given.options,
        "retries": Retries(1 + given.options["retries"], 0.01, 0.02),
    }
    call = call_of(given.operation, given.values)
    with mock.patch.object(connections, "_tls", lambda _: _anonymous(PROTOCOL_TLS_CLIENT)):
        if given.side == "sync":
            with SocialPublishing(**options) as client:
                found = call.begun_on(client)
                if not hasattr(found, "first_page"):
                    return found
                return list(islice(found, PAGES)) if given.whole else found.first_page()
        return anyio.run(_call_async, given, options, call, backend=given.side)


async def _call_async(given: Scenario, options: dict[str, Any], call: Call) -> Any:
    async with AsyncSocialPublishing(**options) as client:
        found = call.begun_on(client)
        if not hasattr(found, "first_page"):
            return await found
        if not given.whole:
            return await found.first_page()
        items: list[Any] = []
        async for item in found:
            items.append(item)
            if len(items) == PAGES:
                break
        return items


def problems(given: Scenario, happened: Happened) -> Iterator[str]:
    """Yield what must not be, in words."""
    error = happened.error
    if error is not None and not isinstance(error, SocialPublishingError):
        yield f"{type(error).__name__} is none of our errors: {error}"
    if happened.seconds > given.options["deadline"] + LATE:
        yield f"late: it took {happened.seconds:.2f} s"
    if any(CORE in text for text in happened.shown):
        before, _, after = next(text for text in happened.shown if CORE in text).partition(CORE)
        yield f"the token is shown: {before[-200:]}{CORE}{after[:100]}"
    if "not asked for" in repr(happened.result):
        yield "a response to another request was taken"
    if happened.asyncio_errors:
        yield f"asyncio reports: {happened.asyncio_errors[0]}"
    paths = {target.partition("?")[0] for _, target, _ in happened.requests}
    if len(paths) > 1 and not given.whole:
        yield f"other requests than one: {[what[:2] for what in happened.requests]}"
    if given.operation.method != "GET":
        yield from _problems_of_a_write(given, happened)


def _problems_of_a_write(given: Scenario, happened: Happened) -> Iterator[str]:
    error, carried_out = happened.error, happened.carried_out
    usual = {"POST": "unsafe", "PATCH": "unsafe"}.get(given.operation.method)
    is_unsafe = given.operation.node.get("x-retry-safety", usual) == "unsafe"
    are_known = given.stage == "body" or "x-batch" not in given.operation.node
    if is_unsafe and any(happened.before) and are_known:
        yield f"sent again after it was carried out: {[what[:2] for what in happened.requests]}"
    if error is None:
        is_gone = (
            given.operation.method == "DELETE" and happened.played[-1].status in DELETED_STATUSES
        )
        if not carried_out and not is_gone and given.stage != "accept":
            yield f"said to be done, and is not: {happened.result!r}"
        return
    may_be_done = bool(getattr(error, "may_be_done", False) or isinstance(error, OutcomeUnknown))
    if isinstance(error, PartialFailure):
        carried_out -= len(error.succeeded)
        if carried_out > sum(batch.may_be_done for batch in error.failed):
            yield f"more was done than the error says: {error}"
    elif carried_out and not may_be_done:
        yield f"done, and the error does not say that it may be: {error!r}"
    if isinstance(error, TransportError) and not error.sent and happened.requests:
        yield f"sent, and the error says that it was not: {error!r}"
    if happened.reconciled and not carried_out:
        yield "reconcile() says that it is done, and it is not"
    if isinstance(error, OutcomeUnknown) and not is_unsafe:
        yield f"a write that may be repeated has no unknown outcome: {error!r}"
    if may_be_done and not given.is_reachable:
        yield f"nothing was sent, and the error says that it may be done: {error!r}"
    said = error.__cause__ if isinstance(error, OutcomeUnknown) else error
    is_refused = bool(happened.played) and all(play.is_refusal for play in happened.played)
    if may_be_done and isinstance(said, StatusError) and is_refused and said.status in _KNOWN:
        yield f"refused, and the error says that it may be done: {error!r}"


def check(seed: int) -> list[str]:
    """Return what goes wrong with a seed, in words."""
    given = scenario(seed, elsewhere().origin)
    happened = run(given)
    found = list(problems(given, happened))
    if found and all(each.startswith("late") for each in found):  # once more, for a busy machine
        happened = run(given)
        found = list(problems(given, happened))
    if elsewhere().opened:
        elsewhere().forget()
        found.append("something was sent elsewhere")
    return found


@contextmanager
def _shown(happened: Happened) -> Iterator[None]:
    """Keep what is logged and what is warned of."""

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = self.format(record)
            if not record.name.startswith("httpcore2"):  # it logs the fields of responses
                happened.shown.append(text)
            if record.name == "asyncio" and record.levelno >= logging.WARNING:
                happened.asyncio_errors.append(text)

    handler, root = Keep(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        happened.shown += [str(each.message) for each in caught]
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def _texts(error: BaseException) -> list[str]:
    """Return all that an error shows, whoever asks it."""
    texts = ["".join(traceback.format_exception(error))]
    if isinstance(error, PagingError | PartialFailure):
        return texts  # what came before is in them, unchanged
    cause: BaseException | None = error
    while cause is not None:
        texts += [repr(cause), repr(vars(cause))]
        texts += [repr(getattr(cause, name, "")) for name in ("exchange", "request", "probe")]
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, SocialPublishingError):
        texts.append(pickle.dumps(error).decode("latin-1"))
    return texts


@cache
def _anonymous(protocol: int) -> SSLContext:
    """TLS without certificates."""
    context = SSLContext(protocol)
    context.check_hostname = False
    context.verify_mode = CERT_NONE
    context.maximum_version = TLSVersion.TLSv1_2
    context.set_ciphers("AECDH:@SECLEVEL=0")
    return context


@cache
def elsewhere() -> Server:
    """A server that nothing may be sent to."""
    server = Server(lambda _: b"")
    server.start()
    return server
