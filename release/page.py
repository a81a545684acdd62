"""Read the code blocks of a Markdown page with sybil, and run them where a package is installed.

`python page.py PAGE FOLDER` runs a page: by path, with the Python of any environment. Of that, it
needs the standard library alone: sybil has no dependencies, and a copy of it lies beside this file.
For each block, it appends to `FOLDER/journal` when it begins and what became of it, and keeps the
output in `FOLDER/LINE.txt`.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import textwrap
import traceback
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sybil import Document, Example, Region
from sybil.evaluators.python import PythonEvaluator
from sybil.example import SybilFailure
from sybil.parsers.markdown.lexers import DirectiveInHTMLCommentLexer, FencedCodeBlockLexer

DATA = {"yaml", "toml", "json"}
_TEXT = {"", "text"}
# The words of marks: how each is written, and what its value is.
_MARKS = {
    "file": ("file=NAME or file=NAME:BYTES", r"([^:]+)(?::(\d+))?"),
    "insert": ("insert=NAME after TEXT", r"(.+?) after (.+)"),
    "output": ("output", ""),
    "project": ("project", ""),
    "raises": ("raises=NAME", r"\w+"),
    "save": ("save=NAME", ".+"),
    "skip": ("skip=REASON", ".+"),
}
_SIZE = 100_000
_PICTURE = base64.b64decode(  # a PNG file of one grey point
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)
_SHELLS_OWN = {"_", "SHLVL", "PWD", "OLDPWD"}

_fences = FencedCodeBlockLexer(language=".*")
_comments = DirectiveInHTMLCommentLexer(directive="example")
_execute = PythonEvaluator()


Mark = tuple[int, str, re.Match[str]]  # its line, its word, its value


class Block(Region):
    """A fenced block of a page; `parsed` is its code, without the indentation of its fence.

    Attributes:
        line: of its first line of code, counted from one.
        language: as the fence names it.
        files: files that it needs, each with its size in bytes.
        save: the file that it is written into, or nothing.
        insert: the file that it is put into, and the text of the line before; or nothing.
        raises: the name of the exception that is to leave it, or nothing.
        output: it shows the output of the block before it.
        skip: why it is left out, or nothing.
    """

    def __init__(self, fence: Region, line: int) -> None:
        code = fence.lexemes["source"]
        super().__init__(fence.start, fence.end, parsed=code, lexemes=fence.lexemes)
        self.line, self.language = line, fence.lexemes["language"].strip()
        self.files: list[tuple[str, int]] = []
        self.save = self.raises = self.skip = ""
        self.insert = ("", "")
        self.output = False


class Page(Document):
    """A Markdown page.

    Attributes:
        blocks: its blocks of code, data and output.
        project: it is for somebody in a checkout of the project.
        mistakes: what is wrong with its marks and blocks, each with its line.
    """

    def __init__(self, text: str, path: str) -> None:
        super().__init__(text, path)
        self.blocks: list[Block] = []
        self.project = False
        self.mistakes: list[tuple[int, str]] = []


def read(path: Path) -> Page:
    """Read a page; its blocks that do something are examples of the document."""
    page = Page.parse(str(path), _blocks)
    assert isinstance(page, Page)
    return page


def _blocks(document: Document) -> Iterator[Region]:
    """Join fences with the marks right before them."""
    assert isinstance(document, Page)
    regions = [(each.start, each) for each in (*_comments(document), *_fences(document))]
    marks: list[Mark] = []
    end = 0
    for start, region in sorted(regions, key=lambda each: each[0]):
        line = document.text.count("\n", 0, start) + 1
        if start < end or region.lexemes.get("language", "").startswith("{"):
            continue  # within a block, or a word of the page's markup
        if marks and document.text[end:start].strip(" \n->"):
            document.mistakes.append((marks[0][0], "the mark stands before no block"))
            marks = []
        end = region.end
        if "directive" in region.lexemes:
            marks += _mark(document, line, region.lexemes["arguments"].strip())
            continue
        if set(document.text[start:end].splitlines()[-1].strip()) not in ({"`"}, {"~"}):
            document.mistakes.append((line, "the block has no end"))
        block = Block(region, line + 1)
        _apply(block, marks)
        document.mistakes += _misfits(block)
        document.blocks.append(block)
        marks = []
        does = block.language in _EVALUATORS or block.save or block.insert[0] or block.files
        if does and not block.skip:
            block.evaluator = evaluate
            yield block
    if marks:
        document.mistakes.append((marks[0][0], "the mark stands before no block"))


def _mark(page: Page, line: int, text: str) -> list[Mark]:
    word, _, value = text.partition("=")
    usage, pattern = _MARKS.get(word, ("", ""))
    if not usage:
        page.mistakes.append((line, f"{word!r} is not a mark; known are {', '.join(_MARKS)}"))
    elif not (match := re.fullmatch(pattern, value)):
        page.mistakes.append((line, f"the mark {word!r} is written: {usage}"))
    elif word == "project":
        page.project = True
    else:
        return [(line, word, match)]
    return []


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


def _misfits(block: Block) -> Iterator[tuple[int, str]]:
    """Yield what does not go together in a block."""
    fence = block.line - 1
    if block.language not in {*_EVALUATORS, *DATA, *_TEXT}:
        known = ", ".join(sorted({*_EVALUATORS, *DATA, "text"}))
        yield fence, f"{block.language!r} is not a language of a block; known: {known}"
    if block.raises and block.language != "python":
        yield fence, "only a python block raises an exception"
    if block.output and block.language not in _TEXT:
        yield fence, "only a text block shows output"
    if block.language == "console" and not (block.skip or block.save or block.insert[0]):
        for number, line in enumerate(_typed(block.parsed).splitlines()):
            if "…" in line:
                yield block.line + number, "… stands for something, and cannot be run"


def _typed(code: str) -> str:
    """Return the commands of a console, in their lines; all of it, where none has a `$`."""
    lines = code.splitlines()
    if not any(line.startswith("$ ") for line in lines):
        return code
    typed = []
    goes_on = False
    for line in lines:
        is_typed = goes_on or line.startswith("$ ")
        typed.append(line.removeprefix("> " if goes_on else "$ ") if is_typed else "")
        goes_on = is_typed and line.endswith("\\")
    return "\n".join(typed) + "\n"


# Running


def main(path: Path, folder: Path) -> int:
    """Run the blocks of a page; 0 whatever became of them, which is in the journal."""
    page = read(path)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    sys.path[0] = ""
    page.namespace = module.__dict__
    with (folder / "journal").open("a", encoding="utf-8") as journal:
        for example in page:
            line = example.line + 1
            _note(journal, line, None)
            failure = ""
            with _output_in(folder / f"{line}.txt"):
                try:
                    example.evaluate()
                except SybilFailure as failed:
                    failure = failed.result
            _note(journal, line, failure)
    return 0


def _note(journal: Any, line: int, failure: str | None) -> None:
    """Note that a block begins (None), or what became of it (nothing, if all is well)."""
    journal.write(json.dumps([line, failure]) + "\n")
    journal.flush()


@contextmanager
def _output_in(file: Path) -> Iterator[None]:
    """Lead all output into a file, also that of the commands that a block runs."""
    kept = [os.dup(number) for number in (1, 2)]
    with file.open("wb") as target:
        for number in (1, 2):
            os.dup2(target.fileno(), number)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        for number, before in zip((1, 2), kept, strict=True):
            os.dup2(before, number)
            os.close(before)


def evaluate(example: Example) -> str:
    """Do what a block is for; return what came instead, or nothing."""
    block = example.region
    assert isinstance(block, Block)
    for name, size in block.files:
        Path(name).write_bytes(_PICTURE if name.endswith(".png") else bytes(size))
    if block.save:
        saved = Path(block.save)
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_text(block.parsed, encoding="utf-8", newline="\n")
        return ""
    if block.insert[0]:
        return _insert(block.parsed, *block.insert)
    run = _EVALUATORS.get(block.language)
    return run(example, block) if run else ""


def _insert(code: str, name: str, text: str) -> str:
    """Put lines into a file, below the one line that has a text, and indented as that one is."""
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines(keepends=True)
    except OSError as error:
        return f"{name}: {error.strerror}"
    places = [at for at, line in enumerate(lines) if text in line]
    if len(places) != 1:
        return f"{len(places)} lines of {name} have the text {text!r}, and it should be one"
    before = lines[places[0]]
    indent = before[: len(before) - len(before.lstrip())]
    lines.insert(places[0] + 1, textwrap.indent(code, indent))
    Path(name).write_text("".join(lines), encoding="utf-8", newline="\n")
    return ""


def _python(example: Example, block: Block) -> str:
    """Run code with the names of the earlier blocks, and with the line numbers of the page."""
    try:
        _execute(example)
    except BaseException as error:
        if type(error).__name__ == block.raises or (
            isinstance(error, SystemExit) and not error.code
        ):
            return ""
        own = error.__traceback__
        while own and own.tb_frame.f_code.co_filename != example.path:
            own = own.tb_next
        return "".join(traceback.format_exception(type(error), error, own)).strip()
    return f"{block.raises} was to be raised, and nothing was" if block.raises else ""


def _console(example: Example, block: Block) -> str:
    """Run commands in bash; what they export, and the folder they go to, stay for the next ones."""
    with tempfile.TemporaryDirectory() as home:
        exported, folder = Path(home, "exported"), Path(home, "folder")
        code = "\n" * (block.line - 1) + _typed(block.parsed)
        keep = f"env -0 > {shlex.quote(str(exported))}; pwd > {shlex.quote(str(folder))}"
        command = ["bash", "-e", "-c", f"{code}\n{keep}", example.path]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL)
        except FileNotFoundError:
            return "there is no bash to run this with"
        if done.returncode:
            return f"exit status {done.returncode}"
        for variable in exported.read_bytes().decode().split("\0"):
            name, equals, value = variable.partition("=")
            if equals and name not in _SHELLS_OWN:
                os.environ[name] = value
        os.chdir(folder.read_text(encoding="utf-8").removesuffix("\n"))
    return ""


_EVALUATORS = {"python": _python, "console": _console}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
