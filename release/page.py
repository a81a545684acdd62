"""Read the code blocks of a Markdown page, with the marks in the comments before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

from pipeline.openapi.documents import lines_of, read_text
from pipeline.openapi.problems import Finding, PipelineError, Position

RUN: Final = frozenset({"python", "console"})
DATA: Final = frozenset({"yaml", "toml", "json"})
_TEXT: Final = frozenset({"", "text"})
# The words of marks: how each is written, and what its value is.
_MARKS: Final = {
    "file": ("file=NAME or file=NAME:BYTES", r"([^:]+)(?::(\d+))?"),
    "insert": ("insert=NAME after TEXT", r"(.+?) after (.+)"),
    "output": ("output", ""),
    "project": ("project", ""),
    "raises": ("raises=NAME", r"\w+"),
    "save": ("save=NAME", ".+"),
    "skip": ("skip=REASON", ".+"),
}
_COMMENT: Final = re.compile(r"<!--\s*example:\s*(.*?)\s*-->")
_SIZE: Final = 100_000

Mark = tuple[int, str, re.Match[str]]  # its line, its word, its value
Mistake = tuple[int, str]


@dataclass
class Block:
    """A fenced block of a page.

    Attributes:
        line: of its first line of code, counted from one.
        language: as the fence names it.
        code: without the indentation of its fence.
        files: files that it needs, each with its size in bytes.
        save: the file that it is written into, or nothing.
        insert: the file that it is put into, and the text of the line before; or nothing.
        raises: the name of the exception that is to leave it, or nothing.
        output: it shows the output of the block before it.
        skip: why it is left out, or nothing.
    """

    line: int
    language: str
    code: str
    files: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    save: str = ""
    insert: tuple[str, str] = ("", "")
    raises: str = ""
    output: bool = False
    skip: str = ""

    @property
    def acts(self) -> bool:
        """Return whether it does something, where others are only read."""
        does = self.language in RUN or self.save or self.insert[0] or self.files
        return bool(does) and not self.skip

    @property
    def typed(self) -> str:
        """Return the commands of a console, in their lines; all of it, where none has a `$`."""
        shown = self.code.removesuffix("\n").split("\n")
        if not any(line.startswith("$ ") for line in shown):
            return self.code
        commands = []
        goes_on = False
        for line in shown:
            is_typed = goes_on or line.startswith("$ ")
            commands.append(line.removeprefix("> " if goes_on else "$ ") if is_typed else "")
            goes_on = is_typed and line.endswith("\\")
        return "\n".join(commands) + "\n"


@dataclass
class Page:
    """A Markdown page.

    Attributes:
        blocks: its blocks of code, data and output.
        project: it is for somebody in a checkout of the project.
    """

    path: Path
    blocks: list[Block] = field(default_factory=list[Block])
    project: bool = False


def load_page(path: Path) -> Page:
    """Read the blocks of a page; what is wrong with them and their marks is a finding each."""
    page, text = Page(path), read_text(path)
    fences = lines_of(text)
    mistakes: list[Mistake] = []
    marks: list[Mark] = []
    stray: list[Mark] = []
    for token in MarkdownIt("commonmark").parse(text):
        if not token.map or token.nesting:
            continue  # what is around a block, such as a list
        line = token.map[0] + 1
        comment = _COMMENT.fullmatch(token.content.strip()) if token.type == "html_block" else None
        if comment and comment[1] == "project":
            page.project = True
        elif comment:
            marks += _mark(line, comment[1], mistakes)
        elif token.type == "fence" and not token.info.startswith("{"):
            if set(fences[token.map[1] - 1].strip(" >\r\n")) not in ({"`"}, {"~"}):
                mistakes.append((line, "the code block is not closed"))
            block = Block(line + 1, token.info.strip(), token.content)
            _apply(block, marks)
            mistakes += _misfits(block)
            page.blocks.append(block)
            marks = []
        else:
            stray += marks
            marks = []
    mistakes += [(line, "no code block follows the mark") for line, *_ in (*stray, *marks)]
    if mistakes:
        places = ((Position(str(path), line, 1), words) for line, words in sorted(mistakes))
        raise PipelineError(*(Finding(words, place) for place, words in places))
    return page


def _mark(line: int, text: str, mistakes: list[Mistake]) -> Iterator[Mark]:
    word, equals, value = text.partition("=")
    usage, pattern = _MARKS.get(word, ("", ""))
    if not usage:
        mistakes.append((line, f"{word!r} is an unknown mark; known are {', '.join(_MARKS)}"))
    elif bool(equals) == bool(pattern) and (match := re.fullmatch(pattern, value)):
        yield line, word, match
    else:
        mistakes.append((line, f"the mark {word!r} must be written as {usage}"))


def _apply(block: Block, marks: list[Mark]) -> None:
    for _, word, match in marks:
        if word == "file":
            block.files.append((match[1], int(match[2] or _SIZE)))
        elif word == "insert":
            block.insert = (match[1], match[2])
        elif word == "output":
            block.output = True
        else:
            setattr(block, word, match[0])


def _misfits(block: Block) -> Iterator[Mistake]:
    """Yield what does not go together in a block."""
    fence = block.line - 1
    if block.language not in RUN | DATA | _TEXT:
        known = ", ".join(sorted({*RUN, *DATA, "text"}))
        yield fence, f"{block.language!r} is an unknown language; known: {known}"
    if block.raises and block.language != "python":
        yield fence, "only a python block raises an exception"
    if block.output and block.language not in _TEXT:
        yield fence, "only a text block shows output"
    if block.language == "console" and not (block.skip or block.save or block.insert[0]):
        for number, line in enumerate(block.typed.split("\n")):
            if "…" in line:
                yield block.line + number, "… is a placeholder, and cannot be run"
