"""The catalogue: what is planted, where, and what goes wrong for a user.

One YAML file a subject, beside this module:

    first: [test_contract_requests.py]     the modules of tests that are tried first
    faults:
      - id: dropped-null
        what: Null that was asked for is left out, so that a text can never be taken away.
        file: templates/runtime/request/validation.py
        find: if item is not UNSET
        replace: if item is not UNSET and item is not None

`find` stands in the file exactly once. Where it has several lines they are whole lines, written
without the indentation that they have in common there, and `replace` gets it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.openapi.documents import Document, load
from pipeline.openapi.problems import Finding, PipelineError

__all__ = ["FOLDER", "PROJECT", "Fault", "Misplaced", "faults", "planted"]

FOLDER = Path(__file__).parent
PROJECT = FOLDER.parents[2]

_WORDS = ("id", "what", "file", "find", "replace")
_ALSO = ("by_timeout",)
_ROOMS = ("templates/", "pipeline/", "overlays/client/", "sandbox/src/")


class Misplaced(Exception):
    """A fault cannot be planted: what is looked for is not there, or there more than once."""


class Fault(NamedTuple):
    """A mistake that can be planted.

    Attributes:
        id: its name.
        subject: the catalogue file that it stands in, without its ending.
        what: what goes wrong for a user, in one sentence.
        file: where it is planted, from the root of the project.
        find: what stands there.
        replace: what takes its place.
        first: the modules of tests that are tried first.
        by_timeout: whether to hang counts as being caught: what it breaks is that a call ends.
        place: where the catalogue has it.
    """

    id: str
    subject: str
    what: str
    file: str
    find: str
    replace: str
    first: tuple[str, ...]
    by_timeout: bool
    place: str


def faults(folder: Path = FOLDER) -> dict[str, Fault]:
    """All faults by their names, in the order of the catalogue.

    Raises:
        PipelineError: an entry is not written as it should be; all of them are named.
    """
    found: dict[str, Fault] = {}
    problems: list[Finding] = []
    for path in sorted(folder.glob("*.yaml")):
        document = load(path, name=_shown(path))
        problems += _misfits(document)
        if problems:
            continue
        for index, entry in enumerate(document.data["faults"]):
            place = document.at(("faults", index))
            if entry["id"] in found:
                said = f"{entry['id']} is the name of another fault: {found[entry['id']].place}"
                problems.append(Finding(said, place, "fault"))
            found[entry["id"]] = Fault(
                **{word: entry[word] for word in _WORDS},
                subject=path.stem,
                first=tuple(document.data.get("first", ())),
                by_timeout=entry.get("by_timeout", False),
                place=str(place),
            )
    if problems:
        raise PipelineError(*problems)
    return found


def planted(fault: Fault, text: str) -> str:
    """The text of the file with the fault in it.

    Raises:
        Misplaced: what is looked for is not there, or there more than once.
    """
    found = [*_pattern(fault.find).finditer(text)]
    if len(found) != 1:
        raise Misplaced(
            f"{fault.place}: {fault.id} cannot be planted: what it looks for stands "
            f"{len(found) or 'no'} times in {fault.file}"
        )
    [match] = found
    indent = match.groupdict().get("indent") or ""
    lines = fault.replace.splitlines()
    put = "\n".join(indent + line if line else line for line in lines) if indent else fault.replace
    changed = text[: match.start()] + put + text[match.end() :]
    if changed == text:
        raise Misplaced(f"{fault.place}: {fault.id} changes nothing")
    return changed


def _pattern(find: str) -> re.Pattern[str]:
    """What a text is looked for with; several lines are whole ones of one indentation more."""
    first, *others = find.splitlines()
    if not others:
        return re.compile(re.escape(first))
    lines = ["(?P=indent)" + re.escape(line) if line else "" for line in others]
    return re.compile("\n".join([f"^(?P<indent> *){re.escape(first)}", *lines]) + "$", re.MULTILINE)


def _shown(path: Path) -> str:
    return str(path.relative_to(PROJECT)) if path.is_relative_to(PROJECT) else str(path)


def _misfits(document: Document) -> Iterator[Finding]:
    """What is wrong with a catalogue file."""
    data: Any = document.data
    if not isinstance(data, dict) or not isinstance(data.get("faults"), list):
        yield Finding("a catalogue is an object with a list `faults`", document.at(()), "fault")
        return
    for index, entry in enumerate(data["faults"]):
        for said in _misfits_of(entry):
            yield Finding(said, document.at(("faults", index)), "fault")


def _misfits_of(entry: Any) -> Iterable[str]:
    if not isinstance(entry, dict):
        return ["a fault is an object"]
    name = entry.get("id", "a fault")
    missing = [word for word in _WORDS if not isinstance(entry.get(word), str)]
    unknown = [word for word in entry if word not in (*_WORDS, *_ALSO)]
    said = [f"{name} needs the text `{word}`" for word in missing]
    said += [f"{name} has `{word}`, which no fault has" for word in unknown]
    if not missing and not entry["find"].strip():
        said.append(f"{name} looks for nothing")
    if not missing and not entry["file"].startswith(_ROOMS):
        said.append(f"{name}: {entry['file']} lies in none of {', '.join(_ROOMS)}")
    return said
