"""What the tests of the command share."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

GROUP = "9032915132417572866"
NOW = "2026-12-01T09:00:00Z"


class Ended(NamedTuple):
    """How a run of the command ended."""

    status: int
    out: str
    err: str


Command = Callable[..., Ended]


def rows_of(path: Path) -> list[dict[str, str]]:
    """Return the rows of a sheet."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [*csv.DictReader(file)]


def write(path: Path, rows: list[dict[str, str]]) -> None:
    """Write a sheet anew."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
