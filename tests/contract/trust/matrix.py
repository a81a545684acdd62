"""Each operation under each fault of the sandbox, called through both clients."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from social_publishing import OutcomeUnknown, Retries, SocialPublishingError

from recording import identifiers
from scenarios import EVERY, WORLD
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.request_log.ring import WRITES
from tests.support.both import awaited, now, run
from tests.support.clock import SkippingClock
from tests.support.documents import Operation, operations

__all__ = ["FAULTS", "Cell", "cells", "legend", "mark", "served", "table"]

FAULTS: Final[dict[str, dict[str, Any]]] = {
    **{str(status): {"kind": "status", "status": status} for status in (401, 404, 422, 500, 503)},
    "429": {"kind": "rate-limited", "retry_after": 30},
    "lost before": {"kind": "drop-before"},
    "lost after": {"kind": "drop-after"},
    "late": {"kind": "latency", "ms": 600, "when": "after"},
    "cut off": {"kind": "truncated"},
    "half JSON": {"kind": "malformed-json"},
    "a page": {"kind": "wrong-content-type"},
    "empty": {"kind": "empty-body"},
    "slow": {"kind": "slow-body", "chunk": 4096, "delay": 1},
    "new codes": {"kind": "unknown-values"},
    "new fields": {"kind": "unknown-fields"},
}
"""The faults by the heads of their columns, as the sandbox takes them."""

_ATTEMPTS: Final = 3
_TIMEOUT: Final = 15.0
_OPTIONS: Final = {
    "retries": Retries(attempts=_ATTEMPTS, first_pause=0),
    "pacing": "off",
}


class Cell(NamedTuple):
    """What becomes of one call.

    Attributes:
        operation: the method of the client.
        lasting: whether the fault stays; otherwise it happens to the first request alone.
        gets: `result`, or the class of the error; with the class of its cause in brackets.
        may_be_done: what the error says of it; False for a result.
        requests: how many the service got.
        done: how often the service carried it out.
        writes: whether the operation changes something.
        twice: writes that were carried out twice though they may not be.
        differs: what the other client does instead; empty where it does the same.
    """

    operation: str
    fault: str
    lasting: bool
    gets: str
    may_be_done: bool
    requests: int
    done: int
    writes: bool
    twice: int
    differs: str

    @property
    def is_wrong(self) -> bool:
        """Whether the caller is told what is not so."""
        if self.differs or self.twice:
            return True
        if self.gets == "result":
            return self.done == 0
        return self.writes and self.done > 0 and not self.may_be_done


_LEGEND: Final = {
    "✓": ("the result", "yes", "nothing"),
    "↻": ("the result, of a later attempt", "yes", "nothing"),
    "R": ("the error of the status: `NotFoundError`, …", "no", "correct the call"),
    "L": ("`RateLimitError`", "no", "call again later"),
    "F": ("`ServerError`, `ConnectionFailed`, `RequestTimedOut`", "no", "call again later"),
    "F!": ("the same, with `may_be_done`", "perhaps", "call again: a second time does no harm"),
    "U": ("`OutcomeUnknown`", "perhaps", "look before you call again: `error.reconcile()`"),
    "D": ("`DecodeError` of a read", "nothing to do", "report it: `error.body` has what came"),
    "D!": ("`DecodeError`, with `may_be_done`", "most likely", "look, and report it"),
}
"""Of each mark: what the caller gets, whether it may have been done, and what to do."""


def mark(cell: Cell) -> str:
    """Return the mark of a cell; `_LEGEND` says what it means."""
    if cell.gets == "result":
        return "✓" if cell.requests == 1 else "↻"
    if cell.gets.startswith("OutcomeUnknown"):
        return "U"
    if cell.gets == "RateLimitError":
        return "L"
    letter = "F" if cell.gets in ("ServerError", "ConnectionFailed", "RequestTimedOut") else "R"
    return ("D" if cell.gets == "DecodeError" else letter) + "!" * cell.may_be_done


def table(found: Iterable[Cell]) -> str:
    """Return the matrix: a mark for the fault that happens once, and for the one that stays."""
    marks: dict[str, dict[str, list[str]]] = {}
    for cell in found:
        row = marks.setdefault(cell.operation, {fault: [] for fault in FAULTS})
        row[cell.fault].append(mark(cell))
    lines = [" | ".join(["| operation", *FAULTS]) + " |", "|---" * (len(FAULTS) + 1) + "|"]
    for operation, row in marks.items():
        shown = (one if one == stays else f"{one} {stays}" for one, stays in row.values())
        lines.append(" | ".join([f"| `{operation}`", *shown]) + " |")
    return "\n".join(lines) + "\n"


def legend() -> str:
    """Return what the marks mean."""
    lines = ["| mark | the caller gets | done | what to do |", "|---|---|---|---|"]
    lines += [f"| {sign} | {' | '.join(texts)} |" for sign, texts in _LEGEND.items()]
    return "\n".join(lines) + "\n"


def served() -> Sandbox:
    """Return the sandbox that the calls are made to."""
    return Sandbox(
        WORLD, clock="frozen", rate_limit=None, fetch_hosts=["127.0.0.1"], fetch_private=True
    )


def cells(sandbox: Sandbox, chosen: Iterable[str] = tuple(EVERY)) -> Iterator[Cell]:
    """Call each operation under each fault, once and lasting."""
    for name in chosen:
        for fault in FAULTS:
            for lasting in (False, True):
                yield _cell(sandbox, name, fault, lasting)


def _cell(sandbox: Sandbox, name: str, fault: str, lasting: bool) -> Cell:
    one, other = (_called(sandbox, name, fault, lasting, side) for side in ("sync", "async"))
    return one._replace(differs="" if one == other else f"{other.gets} {other.done}")


def _called(sandbox: Sandbox, name: str, fault: str, lasting: bool, side: str) -> Cell:
    sandbox.reset()
    operation = operations()[name]
    times = {} if lasting else {"times": 1}
    with sandbox.fault(**FAULTS[fault], operations=name, **times):
        timeout = 0.3 if fault == "late" else _TIMEOUT
        clock = SkippingClock(_TIMEOUT) if fault == "429" else None
        made = sandbox.client if side == "sync" else sandbox.async_client
        client = made(**_OPTIONS, timeout=timeout)
        found = run("sync" if side == "sync" else "asyncio", _call, sandbox, client, name, clock)
    began = time.monotonic()
    # What a client has given up, the service may still be at.
    while not (log := sandbox.requests(operation=name)) and time.monotonic() - began < _TIMEOUT:
        time.sleep(0.01)
    is_error = isinstance(found, SocialPublishingError)
    gets = type(found).__name__ if is_error else "result"
    if isinstance(found, OutcomeUnknown):
        gets += f" ({type(found.__cause__).__name__})"
    writes = operation.method in WRITES
    return Cell(
        f"{operation.resource}.{operation.name}",
        fault,
        lasting,
        gets,
        is_error and found.may_be_done,
        len(log),
        sum(each.succeeded for each in log),
        writes,
        0 if _is_repeatable(operation) else len(sandbox.duplicates()),
        "",
    )


def _is_repeatable(operation: Operation) -> bool:
    """Return whether to do it twice leaves the same as to do it once."""
    return operation.method not in ("POST", "PATCH") or "x-retry-safety" in operation.node


def _made(sandbox: Sandbox, client: Any, name: str) -> Any:
    ids = identifiers(sandbox)
    if name == "uploadMediaFromUrl":  # the scenario's address is one that nobody has
        return client.media.upload_from_url(file_url=sandbox.find("media")[0]["url"])
    if name == "deleteLabel":  # a post has the same name
        return client.labels.delete(ids["News"])
    return EVERY[name](client, ids)


async def _call(sandbox: Sandbox, client: Any, name: str, clock: SkippingClock | None) -> Any:
    async with awaited(client):
        try:
            return await now(_made(sandbox, client.with_clock(clock) if clock else client, name))
        except SocialPublishingError as error:
            return error
