"""The catalogue: what is planted, where, and what goes wrong for a user.

One YAML file a subject, beside this module:

    package: templates/runtime                   where its places are looked for
    first: [test_requests.py]           the modules of tests that are tried first; those
                                                 beside tests/contract by their paths
    also: [tests/runtime]                        tests beside tests/contract that are tried last
    faults:
      - id: dropped-null
        what: Null that was asked for is left out, so that a text can never be taken away.
        in: Request.body                         a function, a class or a constant of any module
        find: item is not UNSET                  an expression, or statements, in it
        replace: item is not UNSET and item is not None

`places` says how a place is found. It has no file and no line: code may move as it likes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from faults.places import Misplaced, planted
from pipeline.openapi.documents import Document, loads
from pipeline.openapi.problems import Finding, PipelineError

__all__ = ["FOLDER", "PROJECT", "Fault", "Misplaced", "faults", "place_of"]

FOLDER = Path(__file__).parent
PROJECT = FOLDER.parents[2]

_WORDS = ("id", "what", "in", "find", "replace")
_OPTIONAL = ("by_timeout",)


class Fault(NamedTuple):
    """A mistake that can be planted.

    Attributes:
        id: its name.
        subject: the catalogue file that it stands in, without its ending.
        what: what goes wrong for a user, in one sentence.
        package: the folder that its place is looked for in, from the root of the project.
        within: the name of what it is in: `Class.method`, a function, a constant, a target.
        find: what stands there.
        replace: what takes its place.
        first: the modules of tests that are tried first.
        also: tests beside the contract tests that are tried last.
        by_timeout: whether to hang counts as being caught: what it breaks is that a call ends.
        place: where the catalogue has it.
    """

    id: str
    subject: str
    what: str
    package: str
    within: str
    find: str
    replace: str
    first: tuple[str, ...]
    also: tuple[str, ...]
    by_timeout: bool
    place: str


def faults() -> dict[str, Fault]:
    """Return all faults by their names, in the order of the catalogue.

    Raises:
        PipelineError: an entry is not written as it should be; all of them are named.
    """
    found: dict[str, Fault] = {}
    problems: list[Finding] = []
    for path in sorted(FOLDER.glob("*.yaml")):
        document = loads(path.read_text(encoding="utf-8"), str(path.relative_to(PROJECT)))
        problems += _problems(document)
        if problems:
            continue
        for index, entry in enumerate(document.data["faults"]):
            place = document.at(("faults", index))
            if entry["id"] in found:
                text = f"{entry['id']} is the name of another fault: {found[entry['id']].place}"
                problems.append(Finding(text, place, "fault"))
            found[entry["id"]] = Fault(
                entry["id"],
                path.stem,
                entry["what"],
                document.data["package"],
                entry["in"],
                entry["find"],
                entry["replace"],
                tuple(document.data.get("first", ())),
                tuple(document.data.get("also", ())),
                entry.get("by_timeout", False),
                str(place),
            )
    if problems:
        raise PipelineError(*problems)
    return found


def place_of(fault: Fault, project: Path = PROJECT) -> tuple[str, str]:
    """Return the one file that a fault can be planted in, and its text with the fault in it.

    Raises:
        Misplaced: there is no such place, or there are several.
    """
    found = []
    name = fault.within.rpartition(".")[2]
    for path in sorted((project / fault.package).rglob("*")):
        if path.suffix in (".py", ".yaml"):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".py" and name not in text:
                continue  # to parse it takes a hundred times as long
            changed = planted(path.suffix, text, fault.within, fault.find, fault.replace)
            found += [(path.relative_to(project).as_posix(), each) for each in changed]
    if len(found) != 1:
        where = ", ".join(file for file, _ in found) or "nowhere"
        raise Misplaced(
            f"{fault.place}: {fault.id} has {len(found) or 'no'} places: {fault.find!r} in "
            f"{fault.within} of {fault.package} ({where})"
        )
    return found[0]


def _problems(document: Document) -> Iterator[Finding]:
    """Report what is wrong with a catalogue file."""
    data: Any = document.data
    if not isinstance(data, dict) or not isinstance(data.get("faults"), list):
        yield Finding("a catalogue is an object with a list `faults`", document.at(()), "fault")
        return
    if not isinstance(data.get("package"), str):
        yield Finding("a catalogue names its `package`", document.at(()), "fault")
    for index, entry in enumerate(data["faults"]):
        for text in _problems_of(entry):
            yield Finding(text, document.at(("faults", index)), "fault")


def _problems_of(entry: Any) -> Iterable[str]:
    if not isinstance(entry, dict):
        return ["a fault is an object"]
    name = entry.get("id", "a fault")
    missing = [word for word in _WORDS if not isinstance(entry.get(word), str)]
    unknown = [word for word in entry if word not in (*_WORDS, *_OPTIONAL)]
    found = [f"{name} needs the text `{word}`" for word in missing]
    return found + [f"{name} has `{word}`, which no fault has" for word in unknown]
