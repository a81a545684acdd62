"""The sandbox beside the documents: what a test shows, what is assumed, what is unknown.

The tests of the sandbox run with `trust.evidence`, which notes each operation that a passed test
had the sandbox carry out or refuse, and what the refusal rests on.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.documents import Document, Operation, documents, operations

__all__ = ["TESTS", "Noted", "Row", "noted", "rows", "sections"]

ROOT = Path(__file__).parents[3]
TESTS = (
    "tests/sandbox/test_citations.py",
    *sorted(
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "tests/sandbox").glob("test_operations*.py")
    ),
    "tests/sandbox/test_refusals.py",
    "tests/sandbox/test_states.py",
    "tests/contract/test_recordings.py",
    "tests/contract/test_service.py",
)
"""The tests that are asked."""

_OPTIONS = ("-q", "-p", "no:cacheprovider", "-p", "trust.evidence")


class Noted(NamedTuple):
    """What a passed test had the sandbox do.

    Attributes:
        operation: its `operationId`.
        status: of the response.
        cites: the sections and gaps that a refusal rests on.
    """

    test: str
    operation: str
    status: int
    cites: tuple[str, ...]


class Row(NamedTuple):
    """One operation of the sandbox.

    Attributes:
        section: where it stands in the service's specification.
        shown: the documented statuses that a test has seen.
        documented: all documented statuses.
        tests: how many tests had it carried out.
        cited: the sections that refusals rested on in a test.
        assumed: gaps that an assumption fills.
        unknown: gaps that are left open.
    """

    operation: str
    section: str
    shown: tuple[int, ...]
    documented: tuple[int, ...]
    tests: int
    cited: tuple[str, ...]
    assumed: tuple[str, ...]
    unknown: tuple[str, ...]


def noted(tests: Iterable[str] = TESTS) -> list[Noted]:
    """Run tests of the sandbox, and return what they had it do.

    Raises:
        RuntimeError: a test fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes.json"
        paths = [ROOT / "tests/contract", *filter(None, [os.environ.get("PYTHONPATH")])]
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *_OPTIONS, *tests],
            cwd=ROOT,
            env={
                **os.environ,
                "CI": "1",
                "PYTHONPATH": os.pathsep.join(map(str, paths)),
                "TRUST_NOTES": str(notes),
            },
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise RuntimeError(f"tests of the sandbox fail:\n{done.stdout[-3000:]}{done.stderr}")
        return [Noted(*each[:3], tuple(each[3])) for each in json.loads(notes.read_text())]


def rows(evidence: Iterable[Noted]) -> Iterator[Row]:
    """Yield each operation, with what the evidence shows of it."""
    by_operation: dict[str, list[Noted]] = defaultdict(list)
    for each in evidence:
        by_operation[each.operation].append(each)
    for name, operation in operations().items():
        seen = by_operation[name]
        states = _gaps(operation)
        documented = tuple(each.status for each in operation.responses.values())
        yield Row(
            f"{operation.resource}.{operation.name}",
            operation.node["x-section"],
            tuple(each for each in documented if each in {one.status for one in seen}),
            documented,
            len({each.test for each in seen if 200 <= each.status < 300}),
            tuple(sorted({cite for each in seen for cite in each.cites if cite[0] == "§"})),
            tuple(sorted(gap for gap, assumed in states.items() if assumed)),
            tuple(sorted(gap for gap, assumed in states.items() if not assumed)),
        )


def _gaps(operation: Operation) -> dict[str, bool]:
    """Return the gaps of an operation, and whether an assumption fills them."""
    known = operation.document.data["x-gaps"]
    found = dict.fromkeys(_named(operation.document, operation.node, set()))
    return {
        gap: bool(known[gap].get("basis"))
        for gap in found
        if gap in known and "evidence" not in known[gap]
    }


def _named(document: Document, node: Any, seen: set[str]) -> Iterator[str]:
    """Yield the gaps that a node and all that it refers to name."""
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            yield from _named(document, document.resolve(node), seen)
        for word in ("x-gap", "x-assumed"):
            gaps = node.get(word, [])
            yield from [gaps] if isinstance(gaps, str) else gaps
        for name, inner in node.items():
            if name != "links":
                yield from _named(document, inner, seen)
    elif isinstance(node, list):
        for inner in node:
            yield from _named(document, inner, seen)


def sections(evidence: Iterable[Noted]) -> dict[str, Mapping[str, int]]:
    """Return of each section of the specification how many tests and gaps it has.

    `tests` had the sandbox refuse something that rests on it, or carry out an operation of it.
    """
    found: dict[str, dict[str, Any]] = {}
    for document in documents().values():
        for name in document.data["x-sections"]:
            found.setdefault(name, {"tests": set(), "assumed": set(), "unknown": set()})
        for gap, entry in document.data["x-gaps"].items():
            if "evidence" not in entry:
                found[entry["section"]]["assumed" if entry.get("basis") else "unknown"].add(gap)
    for each in evidence:
        for cite in each.cites:
            if cite.removeprefix("§") in found:
                found[cite.removeprefix("§")]["tests"].add(each.test)
        if 200 <= each.status < 300:
            found[operations()[each.operation].node["x-section"]]["tests"].add(each.test)
    return {
        name: {kind: len(entries) for kind, entries in counts.items()}
        for name, counts in found.items()
    }
