"""Drift: where a response is not exactly what the documents say, and who hears of it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from .named_tuples import NamedTuple

DriftMode = Literal["ignore", "warn", "raise"]
DriftKind = Literal["missing field", "unknown field", "unknown value", "type"]

_MOST_WARNINGS = 1000  # a service with names of its own making must not fill the memory

_warned: set[tuple[str, str, DriftKind]] = set()


# A way into the body: the way to what is around it, then the name, the key or the index of it,
# then whether it is a name that the documents could know. None is the body itself.
Place: TypeAlias = "tuple[Place, str | int, bool] | None"


class Difference(NamedTuple):
    """Something that is not as documented; `is_constant` where it has only a few values."""

    place: Place
    kind: DriftKind
    value: Any
    expected: str
    is_constant: bool = False


class Unreadable(Exception):
    """Something that is not as documented, where nothing else will do."""

    def __init__(self, place: Place, reason: str) -> None:
        super().__init__(place, reason)
        self.place = place
        self.reason = reason


def path_text(place: Place) -> str:
    """Return the JSON path of a place: `$.data[3].status`."""
    import msgspec  # responses are being read: it is there already

    parts: list[str] = []
    while place is not None:
        place, part, named = place
        if named and re.fullmatch(r"\w+", str(part)):
            parts.append(f".{part}")
        else:
            name = part.encode("utf-8", "replace").decode() if isinstance(part, str) else part
            parts.append(f"[{msgspec.json.encode(name).decode()}]")
    return "".join(["$", *reversed(parts)])


class DriftWarning(UserWarning):
    """A response differs from the documents (`drift="warn"`). It was read anyway."""


class Drift(NamedTuple):
    """A difference between a response and the documents.

    Attributes:
        operation: the method that was called, such as `books.lend`.
        path: the place in the body, as a JSON path such as `$.data[3].status`; or a header, such as
            `header retry-after`.
        kind: `missing field`, `unknown field`, `unknown value` of a set of codes, or `type`.
        found: the JSON text that was found, shortened; empty for a missing field.
        expected: what the documents say.
    """

    operation: str
    path: str
    kind: DriftKind
    found: str
    expected: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"

    @property
    def reason(self) -> str:
        """The found and the expected value, as one phrase."""
        if self.kind == "missing field":
            return f"{self.kind}: expected {self.expected}"
        if self.kind == "unknown field":
            return f"{self.kind}: found {self.found}"
        return f"{self.kind}: expected {self.expected}, found {self.found}"

    @property
    def place(self) -> str:
        """The path without indexes and keys: `$.data[].status`."""
        return re.sub(r'\[(?:\d+|"(?:[^"\\]|\\.)*")\]', "[]", self.path)


class DriftWatch(NamedTuple):
    """Policy for drift: `ignore` it, `warn` of each kind at each place once, or `raise` an error.

    Every drift is reported, in any mode; what that raises reaches the caller.
    """

    mode: DriftMode = "ignore"
    report: Callable[[Drift], object] | None = None

    @property
    def looks(self) -> bool:
        """Whether responses that can be read are looked at, too."""
        return self.mode != "ignore" or self.report is not None


def report_drift(drifts: Sequence[Drift], watch: DriftWatch) -> None:
    """Report drifts, and warn of those that are new; raising is up to the caller."""
    if watch.report is not None:
        for drift in drifts:
            watch.report(drift)
    if watch.mode == "warn":
        for drift in drifts:
            _warn(drift)


def _warn(drift: Drift) -> None:
    key = (drift.operation, drift.place, drift.kind)
    if key in _warned or len(_warned) >= _MOST_WARNINGS:
        return
    from .callers import stack_level  # rarely needed, and not free to load

    text = f"{drift.operation}: {drift.place}: {drift.reason}"
    warnings.warn(text, DriftWarning, stacklevel=stack_level())
    _warned.add(key)  # last: where warnings are errors, each call says it again
