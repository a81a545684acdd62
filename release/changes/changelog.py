"""The changelog: a section for each version, and in it a block that a command writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pipeline.documents import read_text
from pipeline.problems import Finding, PipelineError, Position

BEGIN: Final = "<!-- changes: begin (`nox -s changes` writes this block anew) -->"
END: Final = "<!-- changes: end -->"

_BEGIN: Final = re.compile(r"<!--\s*changes:\s*begin\b")
_END: Final = re.compile(r"<!--\s*changes:\s*end\b")
_SECTION: Final = re.compile(r"##\s+(.+?)\s*#*\s*$")
_FENCE: Final = re.compile(r"\s{0,3}(```+|~~~+)")


def block(file: Path, version: str) -> str | None:
    """The entry that stands in the section of a version, or None where there is none.

    Raises:
        PipelineError: the changelog does not fit.
    """
    log = _Changelog(file)
    place = log.place(version)
    found = place and log.block(*place)
    return "".join(log.lines[found[0] + 1 : found[1]]).strip("\n") + "\n" if found else None


def written(file: Path, version: str, entry: str) -> str:
    """The changelog with an entry in the section of a version, which is begun where it is missing.

    A section `Unreleased` becomes that of the version. An entry that stands there is replaced; what
    people wrote around it stays. An empty entry takes the block away.

    Raises:
        PipelineError: there is no section in the file, a section has two blocks, or a block does
            not end; the line is named.
    """
    log = _Changelog(file)
    text = f"{BEGIN}\n\n{entry}\n{END}\n".splitlines(keepends=True) if entry else []
    place = log.place(version)
    if place is None and not entry:
        return "".join(log.lines)
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
    joined = "".join(log.lines)
    return joined.rstrip("\n") + "\n"


class _Changelog:
    def __init__(self, file: Path) -> None:
        self.file = file
        text = read_text(file)
        self.lines = (text if text.endswith("\n") else text + "\n").splitlines(keepends=True)
        self.sections = [
            (number, match[1]) for number, line in self._plain() if (match := _SECTION.match(line))
        ]
        if not self.sections:
            self._wrong(0, "there is no section: begin one with `## ` and the version")
        names = [name for _, name in self.sections]
        for number, name in self.sections:
            if names.count(name) > 1:
                self._wrong(number, f"there are {names.count(name)} sections {name}")

    def place(self, version: str) -> tuple[int, int] | None:
        """The lines of a version's section: its heading, and the next one's or the end."""
        for index, (number, name) in enumerate(self.sections):
            if name.split()[0].strip("[]") == version:
                following = self.sections[index + 1 :]
                return number, following[0][0] if following else len(self.lines)
        return None

    def begin(self, version: str) -> tuple[int, int]:
        """Begin the section of a version: the unreleased one's, or a new one, the first of all."""
        for number, name in self.sections:
            if name.strip("[]").lower() == "unreleased":
                self.lines[number] = f"## {version}\n"
                break
        else:
            number = self.sections[0][0]
            self.lines[number:number] = [f"## {version}\n", "\n"]
        self.sections = [
            (number, match[1]) for number, line in self._plain() if (match := _SECTION.match(line))
        ]
        place = self.place(version)
        assert place is not None
        return place

    def block(self, first: int, last: int) -> tuple[int, int] | None:
        """The lines of the two comments around a section's entry."""
        begun: int | None = None
        found: tuple[int, int] | None = None
        for number, line in self._plain():
            if not first <= number < last:
                continue
            if _BEGIN.match(line):
                if found or begun is not None:
                    self._wrong(number, "this section has a second block of changes: leave one")
                begun = number
            elif _END.match(line):
                if begun is None:
                    self._wrong(number, "a block of changes ends here that does not begin")
                else:
                    found, begun = (begun, number), None
        if begun is not None:
            self._wrong(begun, f"this block of changes does not end: put `{END}` behind it")
        return found

    def _plain(self) -> Iterator[tuple[int, str]]:
        """Lines outside of code, with their numbers."""
        fence = ""
        for number, line in enumerate(self.lines):
            match = _FENCE.match(line)
            if match and not fence:
                fence = match[1]
            elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            elif not fence:
                yield number, line

    def _wrong(self, number: int, message: str) -> None:
        place = Position(str(self.file), number + 1, 1)
        raise PipelineError(Finding(message, place, "changelog"))
