"""Finding out whether a write was carried out whose answer was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from .errors import ClientError, StatusError
from .shapes import is_list
from .writeback import WriteBack, compare

if TYPE_CHECKING:
    from .errors import OutcomeUnknown
    from .request import Request

__all__ = ["Look", "Reconciled", "reconcile", "reconcile_async"]

GONE = (404, 410)  # statuses of a read that say that nothing is there


class Look(msgspec.Struct, frozen=True):
    """The read that shows what a write has written.

    Attributes:
        read: the request; of a list that it answers, the one item counts.
        back: how the arguments of the write are made of what is read.
    """

    read: Request[Any]
    back: WriteBack


class Reconciled(NamedTuple):
    """What is there now, held against what was sent.

    Attributes:
        done: True if everything that can be compared is as it was sent, False if something is not,
            or if nothing is there. None if nothing can be compared.
        found: what is there; None if nothing is.
        same, different: the arguments that are as they were sent, and those that are not.
        unknown: the arguments that do not show in what is read.
    """

    done: bool | None
    found: Any
    same: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def reconcile(error: OutcomeUnknown) -> Reconciled:
    """Look whether a write was carried out.

    Raises:
        ClientError: there is no read that shows it, or the read failed.
    """
    look = _look(error, "reconcile_async" if hasattr(error.client, "__aenter__") else "")
    try:
        found = error.client.send(look.read)
    except StatusError as refusal:
        if refusal.status not in GONE:
            raise
        found = None
    return _held(error, look, found)


async def reconcile_async(error: OutcomeUnknown) -> Reconciled:
    """The same, to be awaited."""
    look = _look(error, "reconcile" if hasattr(error.client, "__enter__") else "")
    try:
        found = await error.client.send(look.read)
    except StatusError as refusal:
        if refusal.status not in GONE:
            raise
        found = None
    return _held(error, look, found)


def _look(error: OutcomeUnknown, other: str) -> Look:
    operation = error.request.operation
    if error.look is None:
        raise ClientError(f"{operation}: no documented read shows whether it was carried out")
    if error.client is None:
        raise ClientError(
            f"{operation}: this error has lost its client: send error.look.read with another one"
        )
    if other:
        raise ClientError(f"{operation}: for errors of this client there is {other}()")
    return error.look


def _held(error: OutcomeUnknown, look: Look, found: Any) -> Reconciled:
    """What is found, held against what was sent."""
    if is_list(found):
        found = found[0] if found else None
    if found is None:
        return Reconciled(False, None)
    body = error.request.body
    seen = compare(look.back, found, body if isinstance(body, bytes) else b"{}")
    done = not seen.different if seen.same or seen.different else None
    return Reconciled(done, found, seen.same, seen.different, seen.unknown)
