"""Keep names that were decided in a file, so that none changes its meaning.

A name is made of what a thing is called in the document, wherever it stands there. Where two things
would have one name, the one that had it before keeps it: by the file of names, or else by the
effective document of the last run. Where neither is there, what is spelt so comes first.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pipeline.codegen import names
from pipeline.openapi.documents import Document, Pointer, load, pointer_text
from pipeline.openapi.model import PATH_NAME, DocumentModel, Operation
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import Finding, PipelineError, Position
from pipeline.openapi.yamls import dump

_HEADING: Final = """\
# Names of the client that were not free, or that were shortened, each with what it stands for.
# `generate` keeps this file: commit it, and a name never comes to mean something else when the
# document grows. You may change a name here; an overlay that names the thing comes before it.
"""
_NAMES: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)?")


@dataclass(frozen=True)
class Thing:
    """Something that has a name.

    Attributes:
        key: what it is, wherever it stands in its document.
        title: what messages call it.
        wanted: the name that it has by itself, or the one that it is given.
        wire: what the document calls it.
        is_given: whether a word of the document or of an overlay gives the name.
        second: the name that it has if another has the wanted one; else that is numbered.
    """

    key: str
    title: str
    wanted: str
    wire: str = ""
    is_given: bool = False
    second: str = ""


class Pins:
    """The names of one document that had to be decided.

    Attributes:
        file: where they are kept; None for nowhere.
        kept: those of earlier runs, by what they stand for.
        made: those of this run.
        problems: names that would come to mean something else.
    """

    def __init__(self, file: Path | None = None, last: Path | None = None) -> None:
        """Read the names that are kept; `last` is the effective document of a run before."""
        self.file = file
        self.made: dict[str, str] = {}
        self.problems: list[Finding] = []
        self._last = last
        self._read = load(file) if file and file.exists() else Document("", {}, {})
        wrong = [
            Finding(f"{key}: must be a Python name", self._read.at((key,)), "pins")
            for key, value in as_dict(self._read.data).items()
            if not isinstance(value, str) or not (key[:3] == "id " or _NAMES.fullmatch(value))
        ]
        if not isinstance(self._read.data, dict):
            wrong = [Finding("must be an object of names", self._read.at(()), "pins")]
        if wrong:
            raise PipelineError(*wrong)
        self.kept: Mapping[str, str] = self._read.data

    @cached_property
    def before(self) -> DocumentModel | None:
        """The effective document of the last run."""
        try:
            data = json.loads(self._last.read_bytes()) if self._last else None
        except (OSError, ValueError, RecursionError):
            return None
        return DocumentModel(Document("", data, {})) if isinstance(data, dict) else None

    def concern(self, wires: Iterable[str], wanted: Iterable[str]) -> bool:
        """Return whether a name is kept that one of these things may have, or may not."""
        return not (self._tails.isdisjoint(wires) and self._names.isdisjoint(wanted))

    @cached_property
    def _tails(self) -> frozenset[str]:
        return frozenset(
            key.rpartition("/")[2].replace("~1", "/").replace("~0", "~") for key in self.kept
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.kept.values())

    @cached_property
    def _operations_before(self) -> dict[str, Operation]:
        """The operations of the last run, by their routes."""
        return {each.route: each for each in (self.before.operations if self.before else ())}

    @cached_property
    def routes_before(self) -> dict[str, Operation]:
        """The operations of the last run, by their routes without names of parameters."""
        return {anonymous(each.route): each for each in self._operations_before.values()}

    def had_body(self, route: str) -> bool:
        """Return whether an operation of the last run had a body."""
        before = self._operations_before.get(route)
        return before is not None and "requestBody" in before.value

    def was_there(self, key: str) -> bool:
        """Return whether the document of the last run had what a key stands for."""
        if not key.startswith(("#", "class ")):
            method, path, *inside = key.removeprefix("id ").split(" ", 2)
            known = self._operations_before.get(f"{method} {path}")
            return known is not None and (
                not inside
                or any(
                    inside == [f"{node.value.get('in')} {node.value.get('name')}"]
                    for node in known.parameters
                )
            )
        node = self.before.data if self.before else None
        for part in key.partition("#")[2].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if isinstance(node, list):
                node = next((each for each, label in labelled(node) if label == part), None)
            else:
                node = as_dict(node).get(part)
        return node is not None

    def keep(self, key: str, name: str) -> None:
        """Keep a name from this run on."""
        self.made[key] = name

    def settle(
        self,
        things: Sequence[Thing],
        *,
        taken: Collection[str] = (),
        join: str = "_",
        scope: str | None = None,
    ) -> dict[str, str]:
        """Return names of things, by their keys: no two are the same.

        The keys of all things that could have these names begin with `scope`.
        """
        result = {each.key: each.wanted for each in things if each.is_given}
        used = {*taken, *result.values()}
        for thing in things:
            name = self.kept.get(thing.key)
            if thing.key not in result and name and name not in used:
                result[thing.key] = name
                used.add(name)
                self.keep(thing.key, name)
        rest = [each for each in things if each.key not in result]
        wanted = Counter(each.wanted for each in rest)
        contested = {name for name, count in wanted.items() if count > 1 or name in used}
        if contested:
            rest.sort(
                key=lambda each: (not self.was_there(each.key), each.wanted != each.wire, each.key)
            )
            for name in contested - used:
                keys = [each.key for each in rest if each.wanted == name]
                self.ask(name, keys, line_of(keys[0], name))
        every = used | wanted.keys()
        for thing in rest:
            name = thing.wanted
            if name in used:
                name = names.numbered(thing.second or name, every, join)
            result[thing.key] = name
            used.add(name)
            every.add(name)
            if thing.wanted in contested:
                self.keep(thing.key, name)
        if scope is not None:
            ends = [key.removeprefix(scope) for key in self.kept if key.startswith(scope)]
            direct = (end for end in ends if not (scope.endswith("/") and "/" in end))
            self.refuse_reuse(result, (scope + end for end in direct))
        return result

    def refuse_reuse(self, given: Mapping[str, str], kept: Iterable[str]) -> None:
        """Report names that stood for things which are gone, and now stand for others."""
        gone = {self.kept[key]: key for key in kept if key not in {*given, *self.made}}
        for key, name in given.items() if gone else ():
            if name in gone and key not in self.kept:
                text = (
                    f"{name} means {gone[name]}, which no longer exists, and would now mean {key}; "
                    "to accept"
                )
                text += f" that, put this line in its place: {line_of(key, name)}"
                at = self._read.at((gone[name],))
                self.problems.append(Finding(text, at, "pins"))

    def ask(self, name: str, keys: Sequence[str], line: str) -> None:
        """Report a name that several things would have, where nothing says which had it before.

        With `line` in the file of names, the first has it.
        """
        if self.before is not None or self.file is None or not self.file.exists():
            return
        text = f"{name} can mean {' or '.join(keys)}, and no file says what it meant before"
        at = Position(str(self.file), 1, 1)
        self.problems.append(Finding(f"{text}: add the line {line}", at, "pins"))

    @property
    def text(self) -> str:
        """The file of names; empty where there is nothing to keep."""
        return _HEADING + dump(dict(sorted(self.made.items()))) if self.made else ""


def anonymous(route: str) -> str:
    """Return a route without the names of its parameters."""
    return PATH_NAME.sub("{}", route)


def line_of(key: str, name: str) -> str:
    """Return the line of a file of names that gives a name to what `key` identifies."""
    return dump({key: name}).strip()


def labelled(items: Iterable[Any]) -> list[tuple[Any, str]]:
    """Return the entries of an array, each with what it is, whatever its place is."""
    result, unnamed = [], 0
    for item in items:
        if not isinstance(item, (dict, list)):
            label = str(item)
        else:
            value = as_dict(item)
            words = [f"{value.get('in')} {value.get('name')}"] if "in" in value else []
            said = filter(None, (value.get("$ref"), *words, value.get("title")))
            label = str(next(said, unnamed))
            unnamed += label == str(unnamed)
        result.append((item, label))
    return result


def identity(data: Any, pointer: Pointer) -> str:
    """Return a pointer as text, with entries of arrays by what they are."""
    parts: list[str | int] = []
    for part in pointer:
        if isinstance(data, list):
            data, part = labelled(data)[int(part)]
        else:
            data = as_dict(data).get(str(part))
        parts.append(part)
    return pointer_text(tuple(parts))
