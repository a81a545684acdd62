"""Finding out whether a write was carried out whose answer was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ..core.errors import ClientError, StatusError
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_list
from ..limits.retries import GONE
from ..request.write_back import WriteBack, compare

if TYPE_CHECKING:
    from ..core.errors import OutcomeUnknown
    from ..engine.client import AsyncClient, Client
    from ..engine.effects import Deadline, Steps
    from ..request.request import Request

__all__ = ["Probe", "Reconciled", "reconcile", "reconcile_async"]


class Probe(msgspec.Struct, frozen=True):
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
    from ..engine.client import Client

    reconciliation, client = _Reconciliation(error), error.client
    if not isinstance(client, Client):
        raise _no_client(error, "reconcile_async")
    return client.send(reconciliation)


async def reconcile_async(error: OutcomeUnknown) -> Reconciled:
    """The same, to be awaited."""
    from ..engine.client import AsyncClient

    reconciliation, client = _Reconciliation(error), error.client
    if not isinstance(client, AsyncClient):
        raise _no_client(error, "reconcile")
    return await client.send(reconciliation)


def _no_client(error: OutcomeUnknown, other: str) -> ClientError:
    operation = error.request.operation
    if error.client is None:
        return ClientError(
            f"{operation}: this error has lost its client: send error.probe.read with another one"
        )
    return ClientError(f"{operation}: for errors of this client there is {other}()")


class _Reconciliation:
    """The call that looks whether a write was carried out.

    Raises:
        ClientError: there is no read that shows it.
    """

    caution = None

    def __init__(self, error: OutcomeUnknown) -> None:
        self.operation = error.request.operation
        if error.probe is None:
            raise ClientError(
                f"{self.operation}: no documented read shows whether it was carried out"
            )
        self._probe = error.probe
        self._body = error.request.body

    def steps(self, client: Client | AsyncClient, deadline: Deadline) -> Steps[Reconciled]:
        """Read, and hold what is found against what was sent."""
        try:
            found = yield from self._probe.read.steps(client, deadline)
        except StatusError as refusal:
            if refusal.status not in GONE:
                raise
            return Reconciled(False, None)
        if is_list(found):
            found = found[0] if found else None
        if found is None:
            return Reconciled(False, None)
        body = self._body if isinstance(self._body, bytes) else b"{}"
        seen = compare(self._probe.back, found, body)
        done = not seen.different if seen.same or seen.different else None
        return Reconciled(done, found, seen.same, seen.different, seen.unknown)
