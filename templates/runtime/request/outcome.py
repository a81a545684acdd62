"""Writes whose response was lost: the error, and finding out whether the write was carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.errors import ClientError, Exchange, ExchangeError, StatusError
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_list
from ..limits.retries import GONE

if TYPE_CHECKING:
    from .request import Probe, Request

__all__ = ["OutcomeUnknown", "Reconciled"]


class Reconciled(NamedTuple):
    """The current state, compared with what was sent.

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


class OutcomeUnknown(ExchangeError):
    """A write was sent, and whether the service carried it out is not known.

    It is not repeated, because a second time may do it a second time. Look first: `reconcile()`
    does it, if the documents have a read that shows what was written. The cause is what went
    wrong: a `TransportError`, a `StatusError` of 5xx, or a `DeadlineExceeded`.

    Attributes:
        request: what was sent; `client.send(error.request)` sends it again.
        client: the client that sent it; None after a pickle.
    """

    may_be_done = True

    def __init__(self, reason: str, exchange: Exchange, request: Request[Any]) -> None:
        probe = request.probe
        how = (
            f"look with {probe.read.operation} before you repeat it, or call reconcile()"
            if probe
            else "no documented read shows it: look in the service before you repeat it"
        )
        super().__init__(
            f"{exchange}: {request.operation} may have been carried out ({reason}); {how}",
            exchange,
        )
        self.reason = reason
        self.request = request
        self.client: Any = None

    def __str__(self) -> str:
        return self._message()

    @property
    def probe(self) -> Probe | None:
        """The read that shows whether it was carried out; None if there is none."""
        return self.request.probe

    def reconcile(self) -> Reconciled:
        """Look whether the write was carried out. For errors of the client that waits.

        Raises:
            ClientError: there is no read that shows it, or the read failed.
        """
        probe = self._checked(awaited=False)
        try:
            return self._compared(self.client.send(probe.read))
        except StatusError as error:
            return _gone(error)

    async def reconcile_async(self) -> Reconciled:
        """Look whether the write was carried out. For errors of the asynchronous client.

        Raises:
            ClientError: there is no read that shows it, or the read failed.
        """
        probe = self._checked(awaited=True)
        try:
            return self._compared(await self.client.send(probe.read))
        except StatusError as error:
            return _gone(error)

    def _checked(self, awaited: bool) -> Probe:
        """Return the probe, if this client can send it.

        Raises:
            ClientError: there is none, or another client is needed.
        """
        from inspect import iscoroutinefunction

        operation = self.request.operation
        if self.probe is None:
            raise ClientError(f"{operation}: no documented read shows whether it was carried out")
        if self.client is None:
            raise ClientError(
                f"{operation}: this error has lost its client: "
                "send error.probe.read with another one"
            )
        if iscoroutinefunction(self.client.send) is not awaited:
            other = "reconcile" if awaited else "reconcile_async"
            raise ClientError(f"{operation}: for errors of this client there is {other}()")
        return self.probe

    def _compared(self, found: Any) -> Reconciled:
        """Compare what is there with what was sent; of a list, the one item counts."""
        from .write_back import compare

        if is_list(found):
            found = found[0] if found else None
        if found is None or self.probe is None:
            return Reconciled(False, None)
        body = self.request.body if isinstance(self.request.body, bytes) else b"{}"
        seen = compare(self.probe.back, found, body)
        done = not seen.different if seen.same or seen.different else None
        return Reconciled(done, found, seen.same, seen.different, seen.unknown)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.exchange, self.request)


def _gone(error: StatusError) -> Reconciled:
    """Return the outcome of a write whose object is not there; any other error is raised."""
    if error.status not in GONE:
        raise error
    return Reconciled(False, None)
