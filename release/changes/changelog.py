"""The changelog: a section for each version, and in it a block that a command writes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NoReturn

from markdown_it import MarkdownIt
from packaging.version import InvalidVersion, Version

from pipeline.openapi.documents import lines_of, read_text
from pipeline.openapi.problems import Finding, PipelineError, Position

BEGIN: Final = "<!-- changes: begin (`nox -s changes` writes this block anew) -->"
END: Final = "<!-- changes: end -->"

_MARK: Final = re.compile(r"<!--\s*changes:\s*(begin|end)\b")


def block(file: Path, version: str) -> str | None:
    """Return the entry in the section of a version, or None where there is none."""
    log = _Changelog(file)
    place = log.place(version)
    span = place and log.block(*place)
    if not span:
        return None
    return "".join(log.lines[span[0] + 1 : span[1]]).strip("\n") + "\n"


def above(file: Path, base: Version) -> dict[Version, Position]:
    """Return the sections of versions higher than another, in the order of the file."""
    positions = {}
    for number, name in _Changelog(file).sections:
        version = _version(name)
        if version is not None and version > base:
            positions[version] = Position(str(file), number + 1, 1)
    return positions


def written(file: Path, version: str, entry: str, leftovers: Iterable[Version] = ()) -> str:
    """Return the changelog with an entry in the section of a version; begin the section if needed.

    A section `Unreleased` becomes that of the version. An entry that stands there is replaced; what
    people wrote around it stays. An empty entry takes the block away. The newlines are the file's.

    Args:
        version: whose section gets the entry.
        entry: in Markdown.
        leftovers: versions never released; the section of one becomes that of the version.
    """
    log = _Changelog(file)
    text = lines_of(f"{BEGIN}\n\n{entry}\n{END}\n") if entry else []
    log.rename(Version(version), {*leftovers})
    place = log.place(version) or (log.begin(version) if entry else None)
    if place is None:
        return log.text()
    span = log.block(*place)
    if span:
        first, last = span
        rest = log.lines[last + 1 :]
        if not text and rest and not rest[0].strip():
            rest = rest[1:]
        log.lines[first:] = [*text, *rest]
    elif text:
        at = place[0] + 1
        while at < place[1] and not log.lines[at].strip():
            at += 1
        log.lines[place[0] + 1 : at] = ["\n", *text, "\n"]
    return log.text()


class _Changelog:
    def __init__(self, file: Path) -> None:
        self.file = file
        text = read_text(file)
        self.newline = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
        self.lines = lines_of(text.replace("\r\n", "\n"))
        self._read()
        if not self.sections:
            self._wrong(0, "there is no section: add one with `## ` and the version")
        names = [_named(name) for _, name in self.sections]
        for (number, _), name in zip(self.sections, names, strict=True):
            if names.count(name) > 1:
                self._wrong(number, f"there are {names.count(name)} sections {name}")

    def text(self) -> str:
        """Return the changelog, with the newlines of the file."""
        return ("".join(self.lines).rstrip("\n") + "\n").replace("\n", self.newline)

    def place(self, version: str) -> tuple[int, int] | None:
        """Return the lines of a version's section: its heading, and the next one or the end."""
        starts = [number for number, _ in self.sections]
        ends = [*starts[1:], len(self.lines)]
        own = (e for e, (_, name) in enumerate(self.sections) if _named(name) == _named(version))
        return next(((starts[each], ends[each]) for each in own), None)

    def begin(self, version: str) -> tuple[int, int] | None:
        """Begin the section of a version: the unreleased one's, or a new one, the first of all."""
        unreleased = [number for number, name in self.sections if _is_unreleased(name)]
        if unreleased:
            self.lines[unreleased[0]] = f"## {version}\n"
        else:
            number = self.sections[0][0]
            self.lines[number:number] = [f"## {version}\n", "\n"]
        self._read()
        return self.place(version)

    def rename(self, version: Version, leftovers: set[Version]) -> None:
        """Give the section of a version that was never released the name of another version."""
        if not leftovers:
            return
        first, *others = (
            number
            for number, name in self.sections
            if _version(name) in {version, *leftovers} or _is_unreleased(name)
        )
        if others:
            self._wrong(
                others[0],
                f"this section, as that of line {first + 1}, was never released: merge both",
            )
        self.lines[first] = f"## {version}\n"
        self._read()

    def block(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the lines of the two comments around a section's entry."""
        match [mark for mark in self.marks if first <= mark[0] < last]:
            case [(begun, "begin"), (ended, "end")]:
                return begun, ended
            case [(number, _), *_]:
                reason = f"a section has one block of changes, from `{BEGIN}` to `{END}`, or none"
                self._wrong(number, reason)
        return None

    def _read(self) -> None:
        """Find the headings of sections and the marks of blocks, with their lines."""
        self.sections: list[tuple[int, str]] = []
        self.marks: list[tuple[int, str]] = []
        tokens = MarkdownIt("commonmark").parse("".join(self.lines))
        for at, token in enumerate(tokens):
            line = token.map[0] if token.map else 0
            if token.level:
                continue  # inside of something else, such as a quotation
            if token.type == "heading_open" and token.tag == "h2":
                self.sections.append((line, tokens[at + 1].content))
            elif token.type == "html_block" and (mark := _MARK.match(token.content)):
                self.marks.append((line, mark[1]))

    def _wrong(self, number: int, message: str) -> NoReturn:
        place = Position(str(self.file), number + 1, 1)
        raise PipelineError(Finding(message, place, "changelog"))


def _named(name: str) -> Version | str:
    """Return what a section is called, however that is written."""
    return _version(name) or name.strip("[]").lower()


def _version(name: str) -> Version | None:
    """Return the version that a heading begins with."""
    word = "".join(name.split()[:1]).strip("[]")
    try:
        return Version(word) if "." in word else None
    except InvalidVersion:
        return None


def _is_unreleased(name: str) -> bool:
    return _named(name) == "unreleased"
