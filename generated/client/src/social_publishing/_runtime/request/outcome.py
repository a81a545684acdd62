"""Writes whose response was lost: the error, and finding out whether the write was carried out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import (
    ArgumentError,
    ArgumentProblem,
    ClientError,
    Exchange,
    ExchangeError,
    StatusError,
)
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_list
from ..limits.retries import GONE

if TYPE_CHECKING:
    from ..core.models import ResponseModel
    from .request import Probe, Request

__all__ = ["OutcomeUnknown", "Reconciled"]


class Reconciled(NamedTuple):
    """The current state, compared with what was sent.

    Attributes:
        done: None while it cannot be told: something that was sent does not show in what is read,
            or everything is as it was sent and may have been so before. True if everything is as
            it was sent, and something was not so before. False if something is not as it was sent,
            or if nothing is there.
        found: what is there; None if nothing is. For a write about several objects, a list.
        same, different: the arguments that are as they were sent, and those that are not.
        unknown: the arguments that do not show in what is read.
        each: for a write about several objects, the same of each by its identifier.
    """

    done: bool | None
    found: Any
    same: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    each: Mapping[str, Reconciled] = {}


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
            f"look with {probe.reads[0].operation} before you repeat it, or call reconcile()"
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
        """The reads that show whether it was carried out; None if there are none."""
        return self.request.probe

    def reconcile(
        self, before: ResponseModel | Iterable[ResponseModel] | None = None
    ) -> Reconciled:
        """Look whether the write was carried out. For errors of the client that waits.

        Args:
            before: what was read before the write: the object, or several. Only what differed then
                and is now as it was sent shows that the write was carried out; without it, `done`
                is never True.

        Raises:
            ArgumentError: `before` is nothing that was read.
            ClientError: there is no read that shows it, or the read failed.
        """
        probe = self._checked(awaited=False)
        known = self._known(before, probe.key)
        found: list[Any] = []
        for read in probe.reads:
            try:
                found += _items(self.client.send(read))
            except StatusError as error:
                _check_gone(error)
        return self._compared(probe, found, known)

    async def reconcile_async(
        self, before: ResponseModel | Iterable[ResponseModel] | None = None
    ) -> Reconciled:
        """Look whether the write was carried out. For errors of the asynchronous client.

        Args:
            before: what was read before the write, as for `reconcile`.

        Raises:
            ArgumentError: `before` is nothing that was read.
            ClientError: there is no read that shows it, or the read failed.
        """
        probe = self._checked(awaited=True)
        known = self._known(before, probe.key)
        found: list[Any] = []
        for read in probe.reads:
            try:
                found += _items(await self.client.send(read))
            except StatusError as error:
                _check_gone(error)
        return self._compared(probe, found, known)

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
                "send each of error.probe.reads with another one"
            )
        if iscoroutinefunction(self.client.send) is not awaited:
            other = "reconcile" if awaited else "reconcile_async"
            raise ClientError(f"{operation}: for errors of this client there is {other}()")
        return self.probe

    def _known(self, before: Any, key: str) -> dict[Any, ResponseModel]:
        """Return what was read before, by identifier."""
        from ..core.models import ResponseModel  # loads msgspec

        if before is None:
            return {}
        models: list[Any] = [*before] if isinstance(before, Iterable) else [before]
        for model in models:
            if not isinstance(model, ResponseModel):
                reason = f"expected what was read, got {type(model).__name__}"
                problem = ArgumentProblem("before", reason)
                raise ArgumentError(f"{self.request.operation}: reconcile", (problem,))
        return _by_key(models, key)

    def _compared(
        self, probe: Probe, found: Sequence[Any], known: Mapping[Any, ResponseModel]
    ) -> Reconciled:
        """Compare what is there with what was sent, and with what was there before."""
        there = _by_key(found, probe.key)
        if probe.of is None:
            [identifier, item] = next(iter(there.items()), (None, None))
            return self._compared_one(probe, item, known.get(identifier))
        each = {
            identifier: self._compared_one(probe, there.get(identifier), known.get(identifier))
            for identifier in probe.of[1]
        }
        return _together(each, found)

    def _compared_one(self, probe: Probe, found: Any, before: Any) -> Reconciled:
        from .write_back import compare

        if found is None:
            return Reconciled(False, None)
        body = self.request.body if isinstance(self.request.body, bytes) else b"{}"
        seen = compare(probe.back, found, body).without(probe.of[0] if probe.of else None)
        done: bool | None = None
        if seen.different and not seen.unknown:
            done = False
        elif before is not None and not seen.unknown:
            changed = {*compare(probe.back, before, body).different} & {*seen.same}
            done = True if changed else None
        return Reconciled(done, found, *seen)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.exchange, self.request)


def _by_key(models: Iterable[Any], key: str) -> dict[Any, Any]:
    """Return models by their identifier; what has none is left out."""
    named = ((getattr(model, key, None), model) for model in models)
    return {identifier: model for identifier, model in named if isinstance(identifier, str | int)}


def _items(found: Any) -> list[Any]:
    return found if is_list(found) else [] if found is None else [found]


def _check_gone(error: StatusError) -> None:
    """Let pass that nothing is there; any other error is raised."""
    if error.status not in GONE:
        raise error


def _together(each: Mapping[str, Reconciled], found: Sequence[Any]) -> Reconciled:
    """Return what is known of several objects as one."""
    parts = [*each.values()]
    outcomes = {part.done for part in parts}
    different = {name: None for part in parts for name in part.different}
    unknown = {name: None for part in parts for name in part.unknown if name not in different}
    same = {name: None for part in parts for name in part.same}
    return Reconciled(
        None if None in outcomes or not parts else outcomes == {True},
        [*found],
        tuple(name for name in same if name not in different and name not in unknown),
        tuple(different),
        tuple(unknown),
        each,
    )
