"""What the tests of the command share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

GROUP = "9032915132417572866"
NOW = "2026-12-01T09:00:00Z"


class Ended(NamedTuple):
    """How a run of the command ended."""

    status: int
    out: str
    err: str


Command = Callable[..., Ended]
