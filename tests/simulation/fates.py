"""What can happen to a request on its way."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["FATES", "LATE", "PASSES", "REFUSED", "Fate"]

SLOW = (5.0, 45.0)  # seconds; longer than a client waits, shorter than `apply` does


class Fate(NamedTuple):
    """What happens to a request.

    Attributes:
        name: what it is called.
        fault: the kind of the sandbox's fault, with its members; empty for none.
        there, back: the shortest and the longest way there and back, in seconds.
    """

    name: str
    fault: dict[str, Any]
    there: tuple[float, float] = (0.01, 0.2)
    back: tuple[float, float] = (0.01, 0.2)


PASSES = Fate("passes", {})
REFUSED = Fate("refused", {})
LATE = Fate("arrives late", {}, there=SLOW)
FATES = (
    REFUSED,
    LATE,
    Fate("response late", {}, back=SLOW),
    Fate("lost before", {"kind": "drop-before"}),
    Fate("lost after", {"kind": "drop-after"}),
    Fate("reset after", {"kind": "drop-after", "reset": True}),
    Fate("500", {"kind": "status", "status": 500}),
    Fate("503", {"kind": "status", "status": 503}),
    Fate("503, wait", {"kind": "status", "status": 503, "retry_after": 7}),
    Fate("429", {"kind": "rate-limited", "retry_after": 5}),
    Fate("cut", {"kind": "truncated"}),
    Fate("a page", {"kind": "wrong-content-type"}),
    Fate("no body", {"kind": "empty-body"}),
)
