"""Writes whose response was lost: the error, and finding out whether the write was carried out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import (
    ArgumentError,
    ArgumentProblem,
    ClientError,
    ConfigurationError,
    Exchange,
    ExchangeError,
    StatusError,
)
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_list
from ..limits.retries import is_deleted

if TYPE_CHECKING:
    from ..core.models import ResponseModel
    from .request import Probe, Request

_UNREADABLE = "no documented read shows whether it was carried out"


class Reconciled(NamedTuple):
    """The current state, compared with what was sent.

    Attributes:
        done: True if every value is as sent, and at least one was different before. False if a
            value is not as sent, and none has changed since the read; or if the object is gone.
            None if nobody can tell: see `reason`.
        found: the object that was read; None if it is gone. For several objects, a list.
        same, different: the arguments whose values are as sent, and those whose values are not.
        unknown: the arguments that a read does not show.
        each: for several objects, the outcome of each by its identifier.
        reason: why `done` is None; else empty.
    """

    done: bool | None
    found: Any
    same: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    each: Mapping[str, Reconciled] = {}
    reason: str = ""


class Reconcile:
    """Settle lost writes by reading (`lost_writes=`), starting from objects that you have read.

    Args:
        before: objects that you have read. The next write to each is compared with it, and needs no
            read first. Each serves once, because it is out of date afterwards.

    Raises:
        ConfigurationError: `before` is nothing that was read.
    """

    def __init__(self, before: ResponseModel | Iterable[ResponseModel] = ()) -> None:
        models = _listed(before)
        bad = _unread(models)
        if bad is not None:
            raise ConfigurationError(f"Reconcile: before: {bad}")
        self._before = {id(model): model for model in models}

    def take(self, key: str, identifiers: Iterable[str]) -> dict[str, ResponseModel]:
        """Return what was read of these objects, and forget it.

        Args:
            key: the field that is the identifier.
            identifiers: those of the objects.
        """
        wanted = {*identifiers}
        models: dict[str, ResponseModel] = {}
        for mark, model in [*self._before.items()]:
            identifier = getattr(model, key, None)
            # Of several threads, one gets it.
            if identifier in wanted and self._before.pop(mark, None) is not None:
                models[identifier] = model
        return models


class OutcomeUnknown(ExchangeError):
    """A write was sent, and nobody knows whether the service carried it out.

    The client does not repeat it, because that could do it twice. Check first: `reconcile()` does,
    if the documents have a read that shows the write. The cause is what went
    wrong: a `TransportError`, a `StatusError` that does not say, or a `DeadlineExceeded`.

    Attributes:
        request: what was sent; `client.send(error.request)` sends it again.
        client: the client that sent it; None after a pickle.
        reconciled: what the client has found out (`lost_writes="reconcile"`); None if it has not
            looked, or could not.
    """

    may_be_done = True

    def __init__(
        self,
        reason: str,
        exchange: Exchange,
        request: Request[Any],
        reconciled: Reconciled | None = None,
    ) -> None:
        probe = request.probe
        how = (
            f"look with {probe.reads[0].operation} before you repeat it, or call reconcile()"
            if probe
            else "no documented read shows it: look in the service before you repeat it"
        )
        if reconciled is not None:
            how = f"{probe.reads[0].operation if probe else 'a look'}: {reconciled.reason}"
        super().__init__(
            f"{exchange}: {request.operation} may have been carried out ({reason}); {how}",
            exchange,
        )
        self.reason = reason
        self.request = request
        self.reconciled = reconciled
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

        Where no read shows it, nothing is sent, and `done` is None.

        Args:
            before: what was read before the write: the object, or several. Only what differed then
                and is now as it was sent shows that the write was carried out; without it, `done`
                is never True.

        Raises:
            ArgumentError: `before` is nothing that was read.
            ClientError: the read failed, or the error has no such client.
        """
        items: list[Any] = []
        known = self._known(before)
        for read in self._reads(awaited=False):
            try:
                items += items_of(self.client.send(read))
            except StatusError as error:
                check_gone(error, read)
        return reconciled(self.request, items, known)

    async def reconcile_async(
        self, before: ResponseModel | Iterable[ResponseModel] | None = None
    ) -> Reconciled:
        """Do what `reconcile` does. For errors of the asynchronous client."""
        items: list[Any] = []
        known = self._known(before)
        for read in self._reads(awaited=True):
            try:
                items += items_of(await self.client.send(read))
            except StatusError as error:
                check_gone(error, read)
        return reconciled(self.request, items, known)

    def _reads(self, awaited: bool) -> Sequence[Request[Any]]:
        """Return the reads that show it, if this client can send them."""
        from inspect import iscoroutinefunction

        operation = self.request.operation
        if self.probe is None:
            return ()
        if self.client is None:
            raise ClientError(
                f"{operation}: this error has lost its client: "
                "send each of error.probe.reads with another one"
            )
        if iscoroutinefunction(self.client.send) is not awaited:
            other = "reconcile" if awaited else "reconcile_async"
            raise ClientError(f"{operation}: for errors of this client there is {other}()")
        return self.probe.reads

    def _known(self, before: Any) -> dict[Any, ResponseModel]:
        """Return what was read before, by identifier."""
        if before is None:
            return {}
        models = _listed(before)
        bad = _unread(models)
        if bad is not None:
            problem = ArgumentProblem("before", bad)
            raise ArgumentError(f"{self.request.operation}: reconcile", (problem,))
        return by_key(models, self.probe.key) if self.probe else {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.exchange, self.request, self.reconciled)


def reconciled(
    request: Request[Any], items: Sequence[Any], known: Mapping[Any, ResponseModel]
) -> Reconciled:
    """Compare what is there with what was sent."""
    probe = request.probe
    if probe is None:
        return Reconciled(None, None, reason=_UNREADABLE)
    there = by_key(items, probe.key)
    if probe.of is None:
        asked = {*map(str, probe.ids)}  # a read may give others as well
        identifier = next((each for each in there if not asked or str(each) in asked), None)
        return _compared(request, probe, there.get(identifier), known.get(identifier))
    by_identifier = {
        identifier: _compared(request, probe, there.get(identifier), known.get(identifier))
        for identifier in probe.ids
    }
    return _together(by_identifier, items)


def settle(request: Request[Any], seen: Reconciled) -> tuple[bool | None, Any]:
    """Decide whether a lost write was carried out, and build its result: `(done, result)`.

    Several objects of one request are written together: if one of them shows that it was carried
    out, the others that do not have been passed over. `done` is None, too, where it was carried
    out and nothing that was read can stand for its response.
    """
    outcomes = {part.done for part in seen.each.values()} or {seen.done}
    if outcomes == {False}:
        return False, None
    if True not in outcomes:
        return None, None
    if request.returns is None:
        return True, None
    if type(seen.found) is request.returns:
        return True, seen.found
    if request.probe is not None and request.probe.done is not None:
        written = [name for name, part in seen.each.items() if part.same and not part.different]
        return True, request.returns(**{request.probe.done: written})
    return None, None


def _compared(request: Request[Any], probe: Probe, item: Any, before: Any) -> Reconciled:
    from .write_back import changed_fields, compare

    if item is None:
        return Reconciled(False, None)
    body = request.body if isinstance(request.body, bytes) else b"{}"
    seen = compare(probe.back, item, body).without(probe.of).unread(probe.unread)
    if type(before) is not type(item):
        before = None  # of another kind, it shows nothing
    newly = (
        {*compare(probe.back, before, body).different} & {*seen.same} if before is not None else ()
    )
    done: bool | None = None
    if seen.unknown:
        reason = f"{', '.join(seen.unknown)}: does not show in what is read"
    elif not seen.different:
        done = True if newly else None
        reason = "everything is as it was sent, and may have been so before"
    elif newly or (before is not None and changed_fields(probe.back, before, item, seen.different)):
        reason = f"{', '.join(seen.different)}: not as it was sent, but something has changed"
    else:
        done, reason = False, ""
    return Reconciled(done, item, *seen, reason="" if done is not None else reason)


def _unread(models: Iterable[Any]) -> str | None:
    """Return what is wrong with what was read before; None if nothing is."""
    from ..core.models import ResponseModel  # loads msgspec

    bad = [each for each in models if not isinstance(each, ResponseModel)]
    return f"expected what was read, got {type(bad[0]).__name__}" if bad else None


def _listed(value: Any) -> list[Any]:
    return [*value] if isinstance(value, Iterable) else [value]


def by_key(models: Iterable[Any], key: str) -> dict[Any, Any]:
    """Return models by their identifier; what has none is left out."""
    named = ((getattr(model, key, None), model) for model in models)
    return {identifier: model for identifier, model in named if isinstance(identifier, str | int)}


def items_of(result: Any) -> list[Any]:
    """Return what a read returned, of a list each item."""
    return result if is_list(result) else [] if result is None else [result]


def check_gone(error: StatusError, read: Request[Any]) -> None:
    """Let pass that nothing is there; any other error is raised."""
    if not is_deleted(error, read.accept):
        raise error


def _together(by_identifier: Mapping[str, Reconciled], items: Sequence[Any]) -> Reconciled:
    """Return what is known of several objects as one."""
    parts = [*by_identifier.values()]
    outcomes = {part.done for part in parts}
    different = {name: None for part in parts for name in part.different}
    unknown = {name: None for part in parts for name in part.unknown if name not in different}
    same = {name: None for part in parts for name in part.same}
    return Reconciled(
        None if None in outcomes or not parts else outcomes == {True},
        [*items],
        tuple(name for name in same if name not in different and name not in unknown),
        tuple(different),
        tuple(unknown),
        by_identifier,
        next((part.reason for part in parts if part.reason), ""),
    )
