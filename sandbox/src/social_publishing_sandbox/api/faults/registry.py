"""The registry of faults, and the choice of the fault for a request."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final

from social_publishing_sandbox.api.faults.fault import PASS, Fault, Step
from social_publishing_sandbox.api.faults.kinds import BadFault, Value
from social_publishing_sandbox.state.errors import ControlError

_NOTHING: Final[Mapping[str, Value]] = {}


@dataclass(frozen=True, slots=True)
class Action:
    """The effects of all faults on one request.

    Attributes:
        faults: the ids of the faults involved.
        kind: what happens besides waiting, one of `KINDS`; None for nothing.
        wait_before: seconds to wait before the operation is carried out.
        wait_after: seconds to wait afterwards.
    """

    faults: tuple[str, ...]
    kind: str | None = None
    parameters: Mapping[str, Value] = field(default_factory=dict)
    wait_before: float = 0.0
    wait_after: float = 0.0

    @property
    def refuses(self) -> bool:
        """A refusal takes the operation's place."""
        return self.kind in ("status", "rate-limited")


class Standing:
    """A fault in the registry, with its counters and its randomness.

    Attributes:
        enabled: it is switched on.
        matched: how many requests matched it.
        applied: how many of them failed.
    """

    __slots__ = ("applied", "enabled", "fault", "matched", "random")

    def __init__(self, fault: Fault, seed: int) -> None:
        self.fault = fault
        self.enabled = True
        self.matched = 0
        self.applied = 0
        self.random = Random(f"{seed}/{fault.id}")

    def to_json(self) -> dict[str, Any]:
        """Return the fault as JSON, with its state and counters."""
        names = ("enabled", "ended", "matched", "applied")
        return {**self.fault.to_json(), **{name: getattr(self, name) for name in names}}

    @property
    def ended(self) -> bool:
        """Whether it has reached `times`, or its script is finished."""
        fault = self.fault
        if fault.scripted:
            return not fault.repeat and self.matched >= fault.after + len(fault.steps)
        return fault.times is not None and self.applied >= fault.times

    def matches(self, operation: str | None, user: tuple[str, ...]) -> bool:
        """Return whether the fault applies to a request."""
        fault = self.fault
        if fault.operations and operation not in fault.operations:
            return False
        return fault.user is None or fault.user in user

    def next(self) -> Step | None:
        """Return the step for the next matching request."""
        fault = self.fault
        self.matched += 1
        number = self.matched - fault.after - 1
        if number < 0:
            return None
        step = fault.steps[number % len(fault.steps)]
        if step.kind == PASS:
            return None
        if fault.probability < 1 and self.random.random() >= fault.probability:
            return None
        self.applied += 1
        return step


class Faults:
    """The faults that are set.

    Thread-safe. Each request goes through the faults in the order in which they were added.
    Latencies add up. The first other fault that applies ends the search, and later faults do not
    count the request.

    Args:
        seed: gives what decides, with the id of a fault, which requests it happens to: the same
            requests in the same order meet the same faults.
    """

    def __init__(self, seed: Callable[[], int] = int) -> None:
        self._seed = seed
        self._lock = threading.Lock()
        self._faults: dict[str, Standing] = {}
        self._active: tuple[Standing, ...] = ()
        self._named = 0

    def pick(self, operation: str | None, *user: str) -> Action | None:
        """Return the effects on this request; None if no fault applies."""
        if not self._active:
            return None
        with self._lock:
            return self._pick(operation, user)

    def add(self, fault: Fault) -> Fault:
        """Set a fault, and return it with its id."""
        with self._lock:
            if fault.id in self._faults:
                raise BadFault("id", f"there is already a fault {fault.id!r}")
            while not fault.id or fault.id in self._faults:
                self._named += 1
                if (id := f"fault-{self._named}") not in self._faults:
                    fault = replace(fault, id=id)
            self._faults[fault.id] = Standing(fault, self._seed())
            self._refresh()
            return fault

    def get(self, id: str) -> Standing:
        """Return the state of one fault."""
        with self._lock:
            return self._known(id)

    def all(self) -> list[Standing]:
        """Return the state of every fault, in the order in which they are tried."""
        with self._lock:
            return list(self._faults.values())

    def active(self) -> list[Standing]:
        """Return the state of those that are on and have not ended."""
        return list(self._active)

    def remove(self, id: str) -> None:
        """Remove a fault."""
        with self._lock:
            self._known(id)
            del self._faults[id]
            self._refresh()

    def clear(self) -> None:
        """Remove all faults, and number new ones from 1 again."""
        with self._lock:
            self._faults.clear()
            self._named = 0
            self._refresh()

    def switch(self, id: str, on: bool) -> None:
        """Switch a fault on or off; it keeps its counters."""
        with self._lock:
            self._known(id).enabled = on
            self._refresh()

    def _known(self, id: str) -> Standing:
        if id not in self._faults:
            raise ControlError(f"there is no fault {id!r}", "id", missing=True)
        return self._faults[id]

    def _refresh(self) -> None:
        self._active = tuple(s for s in self._faults.values() if s.enabled and not s.ended)

    def _pick(self, operation: str | None, user: tuple[str, ...]) -> Action | None:
        asked: list[str] = []
        waits = {"before": 0.0, "after": 0.0}
        kind, parameters = None, _NOTHING
        for standing in self._active:
            if not standing.matches(operation, user):
                continue
            step = standing.next()
            if standing.ended:
                self._refresh()
            if step is None:
                continue
            asked.append(standing.fault.id)
            if step.kind != "latency":
                kind, parameters = step.kind, step.parameters
                break
            given: Mapping[str, Any] = step.parameters
            waits[given["when"]] += given["ms"] / 1_000
        if not asked:
            return None
        return Action(tuple(asked), kind, parameters, waits["before"], waits["after"])
