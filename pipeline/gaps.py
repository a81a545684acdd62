"""The register of gaps: what a service does not show, and what was decided about it.

A register is a YAML file with a list `gaps`. Each has an `id`; documents say `x-gap: ID` where
they stand for something that is not shown, and overlays say it in `x-assumption` or
`x-confirmed`. A gap is decided in one of two ways: `overlay`, it is filled by at least one action,
or `open`, it is left as it is, for a reason.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

from pipeline.documents import Document, Pointer, load, pointer_text
from pipeline.overlay import ASSUMPTION, CONFIRMED, Action, Change
from pipeline.problems import Finding, PipelineError, Position

_T = TypeVar("_T")
Decision = Literal["overlay", "open"]
PLACEHOLDER: Final = "gap."
"""What the name of a parameter, property or header begins with until an overlay names it."""


@dataclass(frozen=True)
class Gap:
    """One thing that is not shown.

    Attributes:
        id: its name in documents and overlays.
        part: the number of the part of the service's own description that it belongs to.
        missing: what is not shown.
        decision: filled by an overlay, or left open.
        because: the reason; never empty if open.
        documents: the documents that it concerns; empty for any.
        named: whether the service's description itself says that it is missing.
        position: where it is registered.
    """

    id: str
    part: str
    missing: str
    decision: Decision
    because: str
    documents: tuple[str, ...]
    named: bool
    position: Position


@dataclass(frozen=True)
class Register:
    """All gaps, in the order of the file."""

    gaps: tuple[Gap, ...]
    file: str

    def get(self, id: str) -> Gap | None:
        """Return the gap of an id, or None."""
        return next((gap for gap in self.gaps if gap.id == id), None)


@dataclass(frozen=True)
class Use:
    """What one effective document has to do with gaps, by their ids.

    Attributes:
        filled: the changes that fill each gap, in the order in which they were made.
        marked: the pointers of the nodes that carry `x-gap`, in the document's order.
    """

    filled: Mapping[str, tuple[Change, ...]]
    marked: Mapping[str, tuple[Pointer, ...]]


def use(document: Document, changes: Iterable[Change]) -> Use:
    """Return what a document, to which the changes were made, has to do with gaps."""
    filled: dict[str, tuple[Change, ...]] = {}
    marked: dict[str, tuple[Pointer, ...]] = {}
    for change in changes:
        if change.action.gap is not None:
            filled[change.action.gap] = (*filled.get(change.action.gap, ()), change)
    for pointer, node in _objects(document.data):
        for id in _ids(node.get("x-gap")):
            marked[id] = (*marked.get(id, ()), pointer)
    return Use(filled, marked)


def _ids(word: Any) -> list[str]:
    listed = word if isinstance(word, list) else [word]
    return [id for id in listed if isinstance(id, str)]


def _objects(value: Any, at: Pointer = ()) -> Iterator[tuple[Pointer, dict[str, Any]]]:
    """Yield every object of a document, those inside extensions excepted."""
    if isinstance(value, dict):
        yield at, value
        for key, member in value.items():
            if not key.startswith("x-"):
                yield from _objects(member, (*at, key))
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _objects(member, (*at, index))


# --- Reading ------------------------------------------------------------------------------------

_MEMBERS: Final = ("id", "part", "missing", "decision", "because", "documents", "named")
_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*([.-][A-Za-z0-9]+)*")


def load_register(path: Path) -> Register:
    """Read a register.

    Raises PipelineError with everything that is wrong in the file.
    """
    document = load(path)
    reader = _Reader(document)
    gaps = reader.gaps()
    if reader.findings:
        raise PipelineError(*reader.findings)
    return Register(tuple(gaps), document.name)


class _Reader:
    """Checks one register and builds its gaps."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.findings: list[Finding] = []
        self.seen: dict[str, Position] = {}

    def at(self, pointer: Pointer) -> Position:
        return self.document.at(pointer) or Position(self.document.name, 1, 1)

    def wrong(self, pointer: Pointer, message: str) -> None:
        self.findings.append(Finding(message, self.at(pointer), "gaps"))

    def gaps(self) -> list[Gap]:
        root = self.document.data
        if not isinstance(root, dict) or not isinstance(root.get("gaps"), list):
            self.wrong(("gaps",), "gaps: must be an array of gaps")
            return []
        for key in root:
            if key != "gaps":
                self.wrong((key,), f"{key}: not a member of a register, which has only gaps")
        found = []
        for index, entry in enumerate(root["gaps"]):
            if isinstance(entry, dict):
                found.append(self.gap(entry, ("gaps", index)))
            else:
                self.wrong(("gaps", index), "gaps: a gap must be an object")
        return found

    def gap(self, entry: dict[str, Any], pointer: Pointer) -> Gap:
        for key in entry:
            if key not in _MEMBERS:
                known = ", ".join(_MEMBERS)
                self.wrong((*pointer, key), f"{key}: not a member of a gap, which has {known}")
        id = self.text(entry, pointer, "id")
        if id and not _ID.fullmatch(id):
            self.wrong((*pointer, "id"), f"id: {id} must be words joined by dots, such as a.bC")
        elif id in self.seen:
            self.wrong((*pointer, "id"), f"id: {id} stands twice; first at {self.seen[id]}")
        elif id:
            self.seen[id] = self.at((*pointer, "id"))
        decision = self.text(entry, pointer, "decision")
        if decision and decision not in ("overlay", "open"):
            text = f"decision: must be overlay or open, is {decision}"
            self.wrong((*pointer, "decision"), text)
        documents = entry.get("documents", [])
        if not isinstance(documents, list) or not all(
            isinstance(name, str) and name for name in documents
        ):
            text = "documents: must be an array of names of documents"
            self.wrong((*pointer, "documents"), text)
            documents = []
        if not isinstance(entry.get("named", False), bool):
            self.wrong((*pointer, "named"), "named: must be true or false")
        return Gap(
            id=id,
            part=self.text(entry, pointer, "part"),
            missing=self.text(entry, pointer, "missing"),
            decision="open" if decision == "open" else "overlay",
            because=self.text(entry, pointer, "because", required=decision == "open"),
            documents=tuple(documents),
            named=entry.get("named") is True,
            position=self.at(pointer),
        )

    def text(
        self, entry: dict[str, Any], pointer: Pointer, key: str, *, required: bool = True
    ) -> str:
        """Return a member that must be a string; an empty one if it is not."""
        if key not in entry:
            if required:
                why = " in a gap that is left open" if key == "because" else " in the gap"
                self.wrong(pointer, f"{key}: missing{why}")
            return ""
        value = entry[key]
        if not isinstance(value, str):
            hint = "; put it in quotes" if isinstance(value, int | float) else ""
            self.wrong((*pointer, key), f"{key}: must be a string{hint}")
            return ""
        if required and not value.strip():
            self.wrong((*pointer, key), f"{key}: must not be empty")
        return value.strip()


# --- Checking -----------------------------------------------------------------------------------


def check(
    register: Register,
    documents: Mapping[str, Document],
    changes: Mapping[str, Sequence[Change]],
) -> list[Finding]:
    """Compare the register with the effective documents and the changes that made them so.

    Every id that is used is registered; a gap decided by overlay is filled, in a document that it
    concerns; an open one is not filled by an assumption; no placeholder is left as a name.
    """
    findings: list[Finding] = []

    def say(message: str, position: Position | None) -> None:
        finding = Finding(message, position, "gaps")
        if finding not in findings:
            findings.append(finding)

    uses = _uses(documents, changes)
    known = {gap.id: gap for gap in register.gaps}
    for name, found in uses.items():
        document = documents[name]
        for id, pointers in found.marked.items():
            if id not in known:
                text = f"x-gap: {id} is not registered in {register.file}"
                say(text, document.at((*pointers[0], "x-gap")))
        for id, filling in found.filled.items():
            for action in _actions(filling):
                gap = known.get(id)
                if gap is None:
                    say(f"gap {id} is not registered in {register.file}", action.position)
                elif gap.decision == "open" and ASSUMPTION in action.words:
                    text = f"gap {id} is left open at {gap.position}, and assumed here"
                    say(text, action.position)
                elif gap.documents and name not in gap.documents:
                    text = f"gap {id} concerns {_listed(gap.documents)}, not {name}"
                    say(text, action.position)
        for name_of, pointer in _placeholders(document):
            id = name_of.removeprefix(PLACEHOLDER)
            text = f"{name_of}: a placeholder is left; an overlay must name it for gap {id}"
            say(text, document.at(pointer))
    for gap in register.gaps:
        for name in gap.documents:
            if name not in documents:
                say(f"gap {gap.id}: there is no document {name}", gap.position)
        concerned = gap.documents or tuple(documents)
        if gap.decision == "overlay" and not any(
            gap.id in uses[name].filled for name in concerned if name in uses
        ):
            text = f"gap {gap.id} is to be filled by an overlay, and no action fills it"
            say(text, gap.position)
        if gap.decision == "open" and not gap.because:
            say(f"gap {gap.id} is left open without a reason", gap.position)
    return sorted(findings, key=lambda found: (found.position or _NOWHERE, found.message))


_NOWHERE: Final = Position("", 0, 0)


def _uses(
    documents: Mapping[str, Document], changes: Mapping[str, Sequence[Change]]
) -> dict[str, Use]:
    return {name: use(document, changes.get(name, ())) for name, document in documents.items()}


def _actions(changes: Iterable[Change]) -> list[Action]:
    """Return the actions of changes, each once."""
    found: list[Action] = []
    for change in changes:
        if not any(action is change.action for action in found):
            found.append(change.action)
    return found


def _placeholders(document: Document) -> Iterator[tuple[str, Pointer]]:
    """Yield the names that are placeholders still, and their places."""
    for pointer, node in _objects(document.data):
        name = node.get("name")
        if "in" in node and isinstance(name, str) and name.startswith(PLACEHOLDER):
            yield name, (*pointer, "name")
        for key in ("properties", "headers"):
            members = node.get(key)
            for member in members if isinstance(members, dict) else ():
                if member.startswith(PLACEHOLDER):
                    yield member, (*pointer, key, member)


# --- Telling ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    """A gap as people read it; `places` are names of documents with pointers into them."""

    gap: Gap
    state: Literal["assumed", "confirmed", "open", "undecided"]
    decision: str
    actions: tuple[tuple[str, str], ...]
    places: tuple[str, ...]


def _rows(
    register: Register,
    documents: Mapping[str, Document],
    changes: Mapping[str, Sequence[Change]],
    root: Path,
) -> list[_Row]:
    uses = _uses(documents, changes)
    rows = []
    for gap in register.gaps:
        filling = [change for found in uses.values() for change in found.filled.get(gap.id, ())]
        actions = _actions(filling)
        words = _reasons(gap, actions)
        state: Literal["assumed", "confirmed", "open", "undecided"]
        if "evidence" in words:
            state, decision = "confirmed", f"confirmed: {words['evidence']}"
        elif actions:
            state, decision = "assumed", f"assumed ({words['basis']}): {words['because']}"
        elif gap.decision == "open":
            state, decision = "open", f"open: {gap.because}"
        else:
            state, decision = "undecided", "no action fills it"
        places = [
            f"{name} {pointer_text(pointer)}"
            for name, found in uses.items()
            for pointer in (
                map(_landing, found.filled[gap.id])
                if gap.id in found.filled
                else found.marked.get(gap.id, ())
            )
        ]
        targets = [(_below(action.overlay, root), action.target) for action in actions]
        rows.append(_Row(gap, state, decision, _once(targets), _once(places)))
    return rows


def _below(file: str, root: Path) -> str:
    """A file as it is called from a folder, the same whatever folder the run began in."""
    return Path(os.path.relpath(file, root)).as_posix()


def _reasons(gap: Gap, actions: Sequence[Action]) -> dict[str, str]:
    """Return why a gap is filled as it is: `because` with the `basis`, or the `evidence`."""
    known = [action.words[CONFIRMED] for action in actions if CONFIRMED in action.words]
    if known:
        return {"because": gap.because, "evidence": _joined(known, "evidence")}
    assumed = [action.words[ASSUMPTION] for action in actions if ASSUMPTION in action.words]
    if assumed:
        basis = ", ".join(_once(word["basis"] for word in assumed))
        return {"basis": basis, "because": _joined(assumed, "because")}
    return {"because": gap.because}


def _joined(words: Iterable[Mapping[str, str]], key: str) -> str:
    return " ".join(_once(" ".join(word[key].split()) for word in words))


def _once(items: Iterable[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(items))


def _landing(change: Change) -> Pointer:
    """Return where a change ends up: inside the changed node, as far as one path leads."""
    pointer, value = change.pointer, change.action.update
    while (
        change.kind == "update"
        and isinstance(value, dict)
        and len(value) == 1
        and "$ref" not in value
    ):
        key, value = next(iter(value.items()))
        pointer = (*pointer, key)
    return pointer


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names)


def _summary(rows: Sequence[_Row]) -> str:
    """Return the counts in one sentence."""
    states = [row.state for row in rows]
    counts = [
        f"{states.count('assumed')} filled by an assumption",
        f"{states.count('confirmed')} confirmed",
        f"{states.count('open')} left open",
    ]
    if "undecided" in states:
        counts.append(f"{states.count('undecided')} undecided")
    named = sum(row.gap.named for row in rows)
    return f"{len(rows)} gaps: {', '.join(counts)}. The service itself names {named} of them."


def _parts(rows: Iterable[_Row], documents: Mapping[str, Document]) -> list[tuple[str, list[_Row]]]:
    """Return the rows of each part, with a heading, in the order of the numbers of parts."""
    titles: dict[str, Any] = {}
    for document in reversed(list(documents.values())):
        if isinstance(document.data, dict) and isinstance(document.data.get("x-parts"), dict):
            titles.update(document.data["x-parts"])
    grouped: dict[str, list[_Row]] = {}
    for row in rows:
        grouped.setdefault(row.gap.part, []).append(row)

    def number(part: str) -> list[tuple[int, str]]:
        return [(int(piece) if piece.isdecimal() else -1, piece) for piece in part.split(".")]

    return [
        (f"Part {part}: {titles[part]}" if part in titles else f"Part {part}", grouped[part])
        for part in sorted(grouped, key=number)
    ]


_HEADINGS: Final = ("Gap", "What is not shown", "Decision", "Action", "Where it lands")
_SHOWN: Final = 4  # places of one gap that are listed; of more, all but the first are counted


def _shortened(items: Sequence[str]) -> list[str]:
    if len(items) <= _SHOWN:
        return list(items)
    return [*items[: _SHOWN - 1], f"and {len(items) - _SHOWN + 1} more"]


def markdown(
    register: Register,
    documents: Mapping[str, Document],
    changes: Mapping[str, Sequence[Change]],
    root: Path = Path(),
) -> str:
    """Return the register with its decisions as a page, one table a part.

    Files are shown as they are called from the folder `root`.
    """
    rows = _rows(register, documents, changes, root)
    lines = [
        "# Gaps",
        "",
        "What the service does not show, and what was decided about it. An assumption says what it",
        "rests on: *seen* in an example, by *analogy* with something that is shown, or by",
        "*convention*. A confirmed gap is known, with its evidence. An open one stays as it is.",
        "",
        _summary(rows),
    ]
    for heading, entries in _parts(rows, documents):
        lines += ["", f"## {_cell(heading)}", ""]
        lines += [f"| {' | '.join(_HEADINGS)} |", "|---" * len(_HEADINGS) + "|"]
        for row in entries:
            targets = [f"{_code(file)}: {_code(target)}" for file, target in row.actions]
            name = f"{_code(row.gap.id)}{' (named)' if row.gap.named else ''}"
            decision = _cell(row.decision)
            cells = [
                name,
                _cell(row.gap.missing),
                f"**{decision.replace(':', ':**', 1)}" if row.state == "confirmed" else decision,
                "<br>".join(_shortened(targets)) or "none",
                "<br>".join(_shortened([_place(place) for place in row.places])) or "none",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Return text for a cell of a table: in one line, and without a bar that ends the cell."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _code(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def _place(place: str) -> str:
    name, _, pointer = place.partition(" ")
    return f"{_cell(name)} {_code(pointer)}"


def table(
    register: Register,
    documents: Mapping[str, Document],
    changes: Mapping[str, Sequence[Change]],
    width: int,
) -> str:
    """Return the same as plain text, in lines of at most `width` characters (60 at the least)."""
    rows = _rows(register, documents, changes, Path())
    width = max(width, 60)
    first = min(max([len(row.gap.id) for row in rows] or [3]), width // 5)
    rest = width - first - 2 * (len(_HEADINGS) - 1)
    widths = [first, rest * 3 // 10, rest * 3 // 10, rest // 5]
    widths.append(width - sum(widths) - 2 * len(widths))
    lines = textwrap.wrap(_summary(rows), width)
    for heading, entries in _parts(rows, documents):
        lines += ["", *textwrap.wrap(heading, width), *_columns(_HEADINGS, widths)]
        lines.append("  ".join("-" * size for size in widths))
        for row in entries:
            targets = _shortened([f"{file}: {target}" for file, target in row.actions])
            cells = [
                row.gap.id,
                row.gap.missing,
                row.decision,
                "\n".join(targets),
                "\n".join(_shortened(row.places)),
            ]
            lines += _columns(cells, widths)
    return "\n".join(lines) + "\n"


def _columns(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Yield the lines of one row of a table, each cell wrapped to its width."""
    wrapped = [
        [
            line
            for text in cell.split("\n")
            for line in textwrap.wrap(text, size, break_on_hyphens=False)
        ]
        for cell, size in zip(cells, widths, strict=True)
    ]
    for index in range(max(map(len, wrapped))):
        parts = [lines[index] if index < len(lines) else "" for lines in wrapped]
        padded = [part.ljust(size) for part, size in zip(parts, widths, strict=True)]
        yield "  ".join(padded).rstrip()


def embed(
    register: Register, document: Document, changes: Iterable[Change]
) -> dict[str, dict[str, str]]:
    """Return what goes into an effective document's root as `x-gaps`, in the register's order.

    It holds the gaps that the document is marked with or that were filled in it, and for each
    `part`, `missing`, `decision` and `because`, with the `basis` of an assumption or the
    `evidence` of what is confirmed.
    """
    found = use(document, changes)
    entries = {}
    for gap in register.gaps:
        if gap.id in found.filled or gap.id in found.marked:
            words = _reasons(gap, _actions(found.filled.get(gap.id, ())))
            entries[gap.id] = {
                "part": gap.part,
                "missing": gap.missing,
                "decision": gap.decision,
                **{key: words[key] for key in ("basis", "because", "evidence") if words.get(key)},
            }
    return entries
