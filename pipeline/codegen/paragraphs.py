"""Prose that was written by hand: paragraphs of pages, docstrings, and messages of code."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pipeline.openapi.documents import files_in, lines_of, read_text
from pipeline.openapi.problems import Finding, PipelineError, Position

_READ: Final = (".md", ".py", ".html")


class Paragraph(NamedTuple):
    """A paragraph of a page, a sentence of a docstring, or a message of a module or a template.

    Of what is no Python module, why not.
    """

    file: Path
    line: int
    text: str
    kind: Literal["page", "docstring", "message", "unread"]


def paragraphs(pages: Iterable[Path], words: Collection[str]) -> Iterator[Paragraph]:
    """Yield the paragraphs of pages, and what modules and templates say that have one of the words.

    Tests are left to themselves: those of a message fail with it.

    Args:
        pages: files, and folders of them; a copy may have no documentation.
    """
    for path in pages:
        for file in files_in(path):
            if file.suffix not in _READ or (file.suffix == ".py" and file.name.startswith("test_")):
                continue
            text = read_text(file)
            if file.suffix == ".md":
                for line, each in _split(r"(\n\s*\n)", text, 1):
                    yield Paragraph(file, line, each, "page")
            elif any(word in text for word in words):
                yield from _of_code(file, text)


def _of_code(file: Path, text: str) -> Iterator[Paragraph]:
    if file.suffix == ".html":
        for line, each in enumerate(lines_of(text), 1):
            yield Paragraph(file, line, each, "message")
        return
    try:
        tree = parsed(file)
    except PipelineError as error:
        [found] = error.findings
        yield Paragraph(file, found.position.line if found.position else 1, found.message, "unread")
        return
    prose = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in prose:
                yield Paragraph(file, node.lineno, node.value, "message")
                continue
            for line, each in _split(r"((?<=[.!?]|:$)\s+|\n\s*\n)", node.value, node.lineno):
                yield Paragraph(file, line, each, "docstring")


def parsed(file: Path) -> ast.Module:
    """Return what a Python module holds; raises PipelineError where a file is none."""
    try:
        return ast.parse(file.read_bytes(), str(file))
    except (SyntaxError, ValueError) as error:
        why = getattr(error, "msg", None) or error
        place = Position(str(file), getattr(error, "lineno", None) or 1, 1)
        raise PipelineError(Finding(f"is no Python module: {why}", place, "custom")) from None


def _split(pattern: str, text: str, line: int) -> Iterator[tuple[int, str]]:
    """Yield the pieces of a text, each with its line; what separates them is a piece, too."""
    for each in re.split(pattern, text):
        yield line, each
        line += each.count("\n")
