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
from pipeline.evidence.facts import Fact
from pipeline.evidence.report import against, entry
from pipeline.evidence.verdicts import Verdict
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
    response = operation.response(status)
    place = response.place if response else f"{operation.place}.responses"
    key = place.rpartition(".")[2]
    at = ("paths", operation.path, operation.method.lower(), "responses", key)
    return f"{place}\nwritten in {_sources()[operation.document.name].at(at)}"


def is_general(one: Verdict | Fact) -> bool:
    """Return whether what is wrong belongs to the whole service, such as how it counts a limit."""
    sightings = (
        [each.sighting for each in one.observed if each.outcome in ("against", "new")]
        if isinstance(one, Verdict)
        else one.sightings
    )
    return bool(sightings) and all(
        str(node[0]).startswith("x-") for each in sightings for node in each.nodes
    )


def general(report: Report) -> str:
    """Return what is wrong of the whole service, once, whichever operations showed it."""
    found = [one for one in against(report) if is_general(one)]
    return "\n".join(line for one in found for line in (*entry(report, one, 110), ""))


def leads(report: Report, operation: str = "", shown: dict[str, str] | None = None) -> str:
    """Return what is against the documents or an assumption, and where each leads; or of one.

    What is wrong of the whole service is none of one operation: see `general`. An overlay that was
    shown for another operation is not shown again; `shown` keeps which.
    """
    shown = {} if shown is None else shown
    lines: list[str] = []
    found = [
        one
        for one in against(report)
        if not operation
        or (
            not is_general(one)
            and any(operation in seen.operations for seen in one.seen if seen.against)
        )
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
