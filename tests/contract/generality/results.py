"""What was found out about each document: kept as JSON, shown as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from pipeline.codegen.specified import MISREAD

FILE: Final = "results.json"
ROOT: Final = Path(__file__).parents[3]


@dataclass(frozen=True)
class Second:
    """What another judge said, or another generator did.

    Attributes:
        of: how many requests it saw, or operations there are.
        fine: how many were right, or carried.
        why: why it could not be asked; empty where it could.
        notes: what was not fine, one line each.
    """

    of: int = 0
    fine: int = 0
    why: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """One document.

    Attributes:
        missing: why it could not be had; empty where it could.
        failed: the step that failed, with its last words; empty where none did.
        left_out: the operations that the client does not carry, each with the reason.
        seconds: the processor time that `generate` took.
        mypy, pyright: errors in the package, both strict; None where they were not asked.
        calls, right: how many were made, and how many of them were right.
        wrong: what was wrong, one line each.
        undrawn: schemas of which no value could be made.
        prism: what Prism said of a request of each operation.
        peers: what other generators carry, by their names.
        readers: at how many places the two readers of the pipeline agree, differ (unexplained
            or not), and one is silent; empty where they were not counted.
    """

    title: str
    version: str = ""
    missing: str = ""
    failed: str = ""
    operations: int = 0
    left_out: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    mypy: int | None = None
    pyright: int | None = None
    calls: int = 0
    right: int = 0
    wrong: tuple[str, ...] = ()
    undrawn: tuple[str, ...] = ()
    prism: Second | None = None
    peers: Mapping[str, Second] = field(default_factory=dict)
    readers: Mapping[str, int] = field(default_factory=dict)

    @property
    def carried(self) -> int:
        return 0 if self.missing or self.failed else self.operations - len(self.left_out)

    @property
    def is_fine(self) -> bool:
        """Whether everything that was carried works; what is left out is no fault."""
        return not (self.missing or self.failed or self.wrong or self.mypy or self.pyright)


def load(folder: Path) -> dict[str, Result]:
    """Return the results in a folder; none if there are none."""
    file = folder / FILE
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Result]) if file.exists() else {}


def pages(found: Mapping[str, Result]) -> dict[str, str]:
    """Return the files that show results: JSON, and the tables that the page includes."""
    data = msgspec.json.format(msgspec.json.encode(found), indent=1)
    return {
        FILE: data.decode() + "\n",
        "table.md": table(found.values()),
        "peers.md": peers(found.values()),
        "left-out.md": left_out(found.values()),
        "readers.md": readers(found.values()),
        "misread.md": "".join(f"- {each[0].upper()}{each[1:]}.\n" for each in MISREAD.values()),
    }


def readers(found: Iterable[Result]) -> str:
    """Return a row for each document: our own, which `generate` has counted, then the others."""
    manifest = msgspec.json.decode((ROOT / "generated/MANIFEST.json").read_bytes())
    some = list(found)
    total = Counter[str]()
    for each in some:
        total.update(each.readers)
    rows = [
        ["document", "agree", "differ", "without a known reason", "one is silent"],
        *(
            _agreement(f"{name} (our own)", each, "all")
            for name, each in manifest["readers"].items()
        ),
        *(_agreement(each.title, each.readers) for each in some),
        _agreement("**together, without our own**", total),
    ]
    return _markdown(rows)


def _agreement(title: str, counts: Mapping[str, int], all_of_them: str = "") -> list[str]:
    """Return a row; with `all_of_them`, no number of places that changes with the document."""
    if not counts:
        return [title, "not counted", "", "", ""]
    agree = _count(counts.get("agree", 0))
    if counts.get("differ", 0) == counts.get("silent", 0) == 0:
        agree = all_of_them or agree
    rest = (_count(counts.get(word, 0)) for word in ("differ", "unexplained", "silent"))
    return [title, agree, *rest]


def table(found: Iterable[Result]) -> str:
    """Return a row for each document, and one for all of them."""
    some = list(found)
    rows = [
        ["document", "operations", "carried", "generated in", "mypy", "pyright", "calls", "right",
         "Prism"],
        *map(_row, some),
        _total([each for each in some if not each.missing]),
    ]  # fmt: skip
    return _markdown(rows)


def _row(each: Result) -> list[str]:
    name = f"{each.title} {each.version}".strip()
    if each.missing or each.failed:
        return [name, each.missing or each.failed, *[""] * 7]
    return [
        name,
        _count(each.operations),
        _count(each.carried),
        f"{each.seconds:.1f} s",
        _errors(each.mypy),
        _errors(each.pyright),
        _count(each.calls),
        "all" if each.calls == each.right else _count(each.right),
        _second(each.prism),
    ]


def _total(some: list[Result]) -> list[str]:
    calls, right = sum(each.calls for each in some), sum(each.right for each in some)
    asked = [each.prism for each in some if each.prism]
    prism = Second(sum(each.of for each in asked), sum(each.fine for each in asked))
    return [
        "**together**",
        _count(sum(each.operations for each in some)),
        _count(sum(each.carried for each in some)),
        f"{sum(each.seconds for each in some):.0f} s",
        _asked(_errors(_sum(each.mypy for each in some)), [each.mypy for each in some]),
        _asked(_errors(_sum(each.pyright for each in some)), [each.pyright for each in some]),
        _count(calls),
        "all" if calls == right else _count(right),
        _asked(_second(prism if asked else None), [each.prism for each in some]),
    ]


def _asked(text: str, found: list[object]) -> str:
    """Return a cell about all documents; where some were not asked, it says how many were."""
    count = sum(each is not None for each in found)
    return text if count in (0, len(found)) else f"{text} ({count} of {len(found)} documents)"


def peers(found: Iterable[Result]) -> str:
    """Return how many operations other generators carry; empty where none was asked."""
    some = [each for each in found if each.peers]
    names = list(dict.fromkeys(name for each in some for name in each.peers))
    if not some:
        return "Not measured.\n"
    rows = [["document", "operations", "this generator", *names]]
    for each in some:
        others = [_peer(each.peers.get(name)) for name in names]
        rows.append([each.title, _count(each.operations), _count(each.carried), *others])
    return _markdown(rows)


def left_out(found: Iterable[Result]) -> str:
    """Return what is left out, each with its reason."""
    rows = [["document", "operation", "why"]]
    for each in found:
        for route, reason in each.left_out.items():
            rows.append([each.title, f"`{route}`", reason.replace("|", "\\|")])
    return _markdown(rows) if len(rows) > 1 else "Nothing.\n"


def terminal(name: str, each: Result) -> str:
    """Return a result in lines for people."""
    if each.missing or each.failed:
        return f"{name}: {each.missing or each.failed}"
    row = dict(zip(("mypy", "pyright"), (each.mypy, each.pyright), strict=True))
    lines = [
        f"{name}: {each.carried} of {each.operations} operations in {each.seconds:.1f} s; "
        + "".join(f"{tool}: {_errors(count)}; " for tool, count in row.items())
        + f"{each.right:,} of {each.calls:,} calls right"
        + (f"; Prism: {_second(each.prism)}" if each.prism else "")
    ]
    kinds = Counter(line.split(" | ")[-1][:30] for line in each.wrong)
    shown: Counter[str] = Counter()
    for line in each.wrong:
        kind = line.split(" | ")[-1][:30]
        shown[kind] += 1
        if shown[kind] <= 3:
            lines.append(f"  wrong: {line}")
    lines += [f"  … {count - 3} more: {kind}" for kind, count in kinds.items() if count > 3]
    lines += [f"  Prism refuses {line}" for line in (each.prism.notes if each.prism else ())]
    lines += [f"  no value: {line}" for line in each.undrawn]
    lines += [f"  {name}: {_peer(other)}" for name, other in each.peers.items()]
    return "\n".join(lines)


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [each for each in counts if each is not None]
    return sum(known) if known else None


def _errors(count: int | None) -> str:
    return "not asked" if count is None else "no error" if not count else _count(count)


def _second(found: Second | None) -> str:
    if found is None:
        return "not asked"
    if found.why:
        return found.why
    return "all" if found.of == found.fine else f"{_count(found.fine)} of {_count(found.of)}"


def _peer(found: Second | None) -> str:
    if found is None:
        return "not asked"
    return found.why or _count(found.fine)


def _count(number: int) -> str:
    return f"{number:,}"


def _markdown(rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.insert(1, f"|{'---|' * len(rows[0])}")
    return "\n".join(lines) + "\n"
