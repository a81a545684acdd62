"""The changelog: a section for each version, and in it a block that a command writes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from packaging.version import InvalidVersion, Version

from pipeline.openapi.documents import read_text
from pipeline.openapi.problems import Finding, PipelineError, Position

BEGIN: Final = "<!-- changes: begin (`nox -s changes` writes this block anew) -->"
END: Final = "<!-- changes: end -->"

_MARK: Final = re.compile(r"<!--\s*changes:\s*(begin|end)\b")


def block(file: Path, version: str) -> str | None:
    """Return the entry in the section of a version, or None where there is none.

    Raises:
        PipelineError: the changelog does not fit.
    """
    log = _Changelog(file)
    place = log.place(version)
    found = place and log.block(*place)
    if not found:
        return None
    return "".join(log.lines[found[0] + 1 : found[1]]).strip("\n") + "\n"


def above(file: Path, base: Version) -> dict[Version, Position]:
    """Return the sections of versions higher than another, in the order of the file.

    Raises:
        PipelineError: the changelog does not fit.
    """
    found = {}
    for number, name in _Changelog(file).sections:
        version = _version(name)
        if version is not None and version > base:
            found[version] = Position(str(file), number + 1, 1)
    return found


def written(file: Path, version: str, entry: str, leftovers: Iterable[Version] = ()) -> str:
    """Return the changelog with an entry in the section of a version; begin the section if needed.

    A section `Unreleased` becomes that of the version. An entry that stands there is replaced; what
    people wrote around it stays. An empty entry takes the block away. The newlines are the file's.

    Args:
        file: the changelog.
        version: whose section gets the entry.
        entry: in Markdown.
        leftovers: versions that were never released: what people wrote into their sections goes to
            the section of the version, what the command wrote there is dropped.

    Raises:
        PipelineError: there is no section in the file, a section has two blocks, or a block does
            not end; the line is named.
    """
    log = _Changelog(file)
    text = _lines(f"{BEGIN}\n\n{entry}\n{END}\n") if entry else []
    log.merge(Version(version), {*leftovers})
    place = log.place(version)
    if place is None and not entry:
        return log.text()
    if place is None:
        place = log.begin(version)
    found = log.block(*place)
    if found:
        first, last = found
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
        self.lines = _lines(text.replace("\r\n", "\n"))
        self._read()
        if not self.sections:
            self._wrong(0, "there is no section: begin one with `## ` and the version")
        names = [name for _, name in self.sections]
        for number, name in self.sections:
            if names.count(name) > 1:
                self._wrong(number, f"there are {names.count(name)} sections {name}")

    def text(self) -> str:
        """Return the changelog, with the newlines of the file."""
        return ("".join(self.lines).rstrip("\n") + "\n").replace("\n", self.newline)

    def place(self, version: str) -> tuple[int, int] | None:
        """Return the lines of a version's section: its heading, and the next one or the end."""
        for number, name in self.sections:
            if _word(name) == version:
                return self._bounds(number)
        return None

    def begin(self, version: str) -> tuple[int, int]:
        """Begin the section of a version: the unreleased one's, or a new one, the first of all."""
        for number, name in self.sections:
            if _is_unreleased(name):
                self._name(number, version)
                break
        else:
            number = self.sections[0][0]
            self.lines[number:number] = [f"## {version}\n", "\n"]
        self._read()
        place = self.place(version)
        assert place is not None
        return place

    def merge(self, version: Version, leftovers: set[Version]) -> None:
        """Make one section, that of a version, of those that were never released."""
        known = [(number, name, _version(name)) for number, name in self.sections]
        if not any(each in leftovers for _, _, each in known):
            return
        begun = any(each == version for _, _, each in known)
        (first, name), *others = (
            (number, name)
            for number, name, each in known
            if each == version or each in leftovers or (_is_unreleased(name) and not begun)
        )
        moved: list[str] = []
        for number, _ in reversed(others):
            moved[:0] = self._taken(number)
        if _version(name) != version:
            self._name(first, str(version))
        self._read()
        _, last = self._bounds(first)
        if moved:
            end = last
            while not self.lines[end - 1].strip():
                end -= 1
            self.lines[end:last] = [*moved, "\n"]
            self._read()

    def _taken(self, number: int) -> list[str]:
        """Take a section out, and give what people wrote into it, with an empty line before."""
        first, last = self._bounds(number)
        begun, ended = self.block(first, last) or (last, last)
        pieces = (self.lines[first + 1 : begun], self.lines[ended + 1 : last])
        del self.lines[first:last]
        texts = ("".join(piece).strip("\n") for piece in pieces)
        return _lines("".join(f"\n{text}\n" for text in texts if text))

    def block(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the lines of the two comments around a section's entry."""
        begun: int | None = None
        found: tuple[int, int] | None = None
        for number, word in self.marks:
            if not first <= number < last:
                continue
            if word == "begin":
                if found or begun is not None:
                    self._wrong(number, "this section has a second block of changes: leave one")
                begun = number
            else:
                if begun is None:
                    self._wrong(number, "a block of changes ends here that does not begin")
                else:
                    found, begun = (begun, number), None
        if begun is not None:
            self._wrong(begun, f"this block of changes does not end: put `{END}` behind it")
        return found

    def _name(self, number: int, version: str) -> None:
        self.lines[number] = f"## {version}\n"

    def _read(self) -> None:
        """Find the headings of sections and the marks of blocks, with their lines."""
        self.sections: list[tuple[int, str]] = []
        self.marks: list[tuple[int, str]] = []
        tokens = MarkdownIt("commonmark").parse("".join(self.lines))
        for at, token in enumerate(tokens):
            line = token.map[0] if token.map else 0
            if token.type == "heading_open" and token.tag == "h2" and not token.level:
                self.sections.append((line, tokens[at + 1].content))
            elif token.type == "html_block" and (mark := _MARK.match(token.content)):
                self.marks.append((line, mark[1]))

    def _bounds(self, number: int) -> tuple[int, int]:
        """Return the lines of the section with a heading: that, and the next one or the end."""
        later = (other for other, _ in self.sections if other > number)
        return number, next(later, len(self.lines))

    def _wrong(self, number: int, message: str) -> None:
        place = Position(str(self.file), number + 1, 1)
        raise PipelineError(Finding(message, place, "changelog"))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _word(name: str) -> str:
    """Return the first word of a heading: the version, mostly."""
    return name.split()[0].strip("[]")


def _version(name: str) -> Version | None:
    word = _word(name)
    try:
        return Version(word) if "." in word else None
    except InvalidVersion:
        return None


def _is_unreleased(name: str) -> bool:
    return name.strip("[]").lower() == "unreleased"
