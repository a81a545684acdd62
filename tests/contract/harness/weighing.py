"""What was asked and came, held against the register of gaps, as `gaps --evidence` does it.

A failure leads on from here: to the place in `spec/`, the gap, and the overlay that would confirm
what came.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from pipeline.config import Config, load_config
from pipeline.evidence import Report, weigh, weigh_exchanges
from pipeline.evidence.exchanges import Exchange
from pipeline.evidence.report import against, entry
from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import Document
from pipeline.steps import Effective, effective
from tests.support.documents import Operation

ROOT = Path(__file__).parents[3]


@lru_cache(maxsize=1)
def project() -> tuple[Config, Effective]:
    """Return this project, and its documents; files are called as they are from here."""
    config = load_config(Path(os.path.relpath(ROOT / "pyproject.toml")))
    return config, effective(config)


def weighed(exchanges: Sequence[Exchange], addresses: Mapping[str, str]) -> Report:
    """Compare what the client of these documents sent, and what came, with the register."""
    passed = Counter[str]()
    return weigh_exchanges(*project(), exchanges, passed, addresses=addresses, client="own")


def recorded(files: Sequence[Path]) -> Report:
    """Compare recordings with the register."""
    return weigh(*project(), files, addresses={})


@lru_cache(maxsize=1)
def _sources() -> dict[str, Document]:
    return {each.name: bundle(each.path) for each in project()[0].sources}


def written(operation: Operation, status: int) -> str:
    """Return where a response stands: in the effective document, and in what the service says."""
    at = ("paths", operation.path, operation.method.lower(), "responses", str(status))
    known = f".{status}" if str(status) in operation.responses else ""
    source = _sources()[operation.document.name].at(at)
    return f"{operation.place}.responses{known}\nwritten in {source}"


def leads(report: Report, operation: str = "", shown: dict[str, str] | None = None) -> str:
    """Return what is against the documents or an assumption, and where each leads; or of one.

    An overlay that was shown for another operation is not shown again; `shown` keeps which.
    """
    shown = {} if shown is None else shown
    lines: list[str] = []
    found = [
        one
        for one in against(report)
        if not operation or any(operation in seen.operations for seen in one.seen if seen.against)
    ]
    for one in found:
        own = [*entry(report, one, 110)]
        overlay = next((at for at, line in enumerate(own) if line.startswith("  confirm")), None)
        if overlay is not None:
            first = shown.setdefault("\n".join(own[overlay:]), operation)
            if first != operation:
                own[overlay:] = [f"  confirm  the overlay that is shown for {first}"]
        lines += [*own, ""]
    return "\n".join(lines)
