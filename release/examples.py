"""The code of a Markdown page, run as a reader runs it: block after block, in their order.

`python` blocks share one process and its names. `console` blocks run in bash; where lines begin
with `$ `, only those are commands, and the others show what comes. `yaml`, `toml` and `json` are
read. Blocks of `text`, and those without a language, are not run.

What a reader need not see is said in a comment before the block, `<!-- example: WORD=VALUE -->`:

- `file=NAME` puts a file there for the block, `file=NAME:BYTES` one of that size;
- `save=NAME` writes the block into a file instead of running it;
- `insert=NAME after TEXT` puts it into a file, below the one line that has the text;
- `raises=NAME` expects the exception of that name to leave a `python` block;
- `output` expects a `text` block in the output of the block before it, `…` standing for anything;
- `skip=REASON` leaves the block out.

`<!-- example: project -->`, anywhere, says that the page is for somebody in a checkout: it is to be
run in a copy of the project.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import yaml

from pipeline.openapi.problems import Finding, PipelineError, Position

_MARK: Final = re.compile(r"\s*<!--\s*example:\s*([\w-]*)(?:=(.*?))?\s*-->\s*")
_FENCE: Final = re.compile(r"(?P<indent> *)(?P<fence>`{3,}|~{3,})\s*(?P<language>[^\s`]*)[^`]*")
_RUN: Final = {"python", "console"}
_READ: Final = {"yaml", "toml", "json"}
_SHOWN: Final = {"", "text"}
_LANGUAGES: Final = sorted({*_RUN, *_READ, "text"})
_MARKS: Final = ("file", "insert", "output", "project", "raises", "save", "skip")
_SIZE: Final = 100_000
_GRACE: Final = 10.0  # seconds for what is around a page to end in order


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Attributes:
        line: of its first line of code, counted from one.
        language: as the fence names it.
        code: its text, without the indentation of its fence.
        files: files that it needs, each with its size in bytes.
        save: the file that it is written into, or nothing.
        insert: the file that it is put into, and the text of the line before; or nothing.
        raises: the name of the exception that is to leave it, or nothing.
        output: it shows what comes of the block before it.
        skip: why it is left out, or nothing.
    """

    line: int
    language: str
    code: str
    files: tuple[tuple[str, int], ...] = ()
    save: str = ""
    insert: tuple[str, str] | None = None
    raises: str = ""
    output: bool = False
    skip: str = ""

    @property
    def is_run(self) -> bool:
        """It is code that is run, and not text that goes into a file."""
        return self.language in _RUN and not self.save and not self.insert


@dataclass(frozen=True)
class Page:
    """The blocks of a Markdown page, and whether it is for a checkout of the project."""

    path: Path
    blocks: tuple[Block, ...]
    project: bool


@dataclass(frozen=True)
class Outcome:
    """What became of a page.

    Attributes:
        blocks: how many blocks were run, read or compared.
        failures: each with page and line, the block, and what came.
        output: all that the blocks wrote, in their order.
        skipped: each block that was left out, with page, line and reason.
    """

    blocks: int
    failures: tuple[str, ...]
    output: str
    skipped: tuple[str, ...] = ()


def run_page(
    page: Path,
    *,
    python: Path,
    around: Sequence[str] = (),
    folder: Path,
    environment: Mapping[str, str] = {},
    timeout: float = 300,
) -> Outcome:
    """Run every code block of a page.

    Args:
        python: the interpreter; its folder comes first on the PATH.
        around: a command that runs another one, such as one that serves what the page talks to.
        folder: the current folder of the page; it is made if it is not there.
        environment: variables besides those of this process, without its `PYTHONPATH`.
        timeout: seconds for the whole page; then all that it has begun is ended.

    Raises:
        PipelineError: a mark or a language is unknown, or a mark does not fit.
    """
    found = load_page(page)
    folder.mkdir(parents=True, exist_ok=True)
    running = [
        each
        for each in found.blocks
        if not each.skip and (each.is_run or each.save or each.insert or each.files)
    ]
    with tempfile.TemporaryDirectory(prefix="page-") as home:
        ended = _run(found.path, running, Path(home), python, around, folder, environment, timeout)
        results = _results(Path(home), len(running))
    return _judge(found, dict(zip((each.line for each in running), results, strict=True)), ended)


def load_page(path: Path) -> Page:
    """Read the blocks of a page, and what is said about them.

    Raises:
        PipelineError: a mark or a language is unknown, or a mark does not fit; all are named.
    """
    reader = _Reader(path)
    blocks = tuple(reader.blocks(path.read_text(encoding="utf-8").splitlines()))
    if reader.findings:
        raise PipelineError(*reader.findings)
    return Page(path, blocks, reader.project)


class _Reader:
    """Goes through the lines of a page, and keeps all that is wrong with it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.findings: list[Finding] = []
        self.project = False

    def blocks(self, lines: Sequence[str]) -> Iterator[Block]:
        marks: list[tuple[int, str, str]] = []
        at = 0
        while at < len(lines):
            line = lines[at]
            at += 1
            if mark := _MARK.fullmatch(line):
                self._take(marks, at, mark[1], mark[2] or "")
            elif fence := _FENCE.fullmatch(line):
                end = self._end(lines, at, fence["fence"])
                code = textwrap.dedent("\n".join(lines[at:end]) + "\n")
                block = Block(at + 1, fence["language"], code)
                if not block.language.startswith("{"):  # not code, but a word of the page's markup
                    yield self._marked(block, marks)
                    marks = []
                at = end + 1
            elif line.strip() and marks:
                self._say(marks[0][0], "the mark stands before no block")
                marks = []
        for number, _, _ in marks[:1]:
            self._say(number, "the mark stands before no block")

    def _end(self, lines: Sequence[str], start: int, fence: str) -> int:
        """The index of the line that closes a block."""
        closing = re.compile(rf" *{fence[0]}{{{len(fence)},}}\s*")
        for at in range(start, len(lines)):
            if closing.fullmatch(lines[at]):
                return at
        self._say(start, "the block has no end")
        return len(lines)

    def _take(self, marks: list[tuple[int, str, str]], line: int, word: str, value: str) -> None:
        if word not in _MARKS:
            self._say(line, f"{word!r} is no mark; known are {', '.join(_MARKS)}")
        elif (word in ("project", "output")) == bool(value):
            wanted = "no value" if value else "a value"
            self._say(line, f"the mark {word!r} takes {wanted}")
        elif word == "project":
            self.project = True
        else:
            marks.append((line, word, value))

    def _marked(self, block: Block, marks: Sequence[tuple[int, str, str]]) -> Block:
        for line, word, value in marks:
            if word == "file":
                name, _, size = value.partition(":")
                if size and not size.isdecimal():
                    self._say(line, f"a number of bytes stands after the colon, not {size!r}")
                    size = ""
                block = replace(block, files=(*block.files, (name, int(size or _SIZE))))
            elif word == "output":
                block = replace(block, output=True)
            elif word == "save":
                block = replace(block, save=value)
            elif word == "insert":
                name, after, text = value.partition(" after ")
                if not after:
                    self._say(line, "the mark 'insert' is written: insert=NAME after TEXT")
                block = replace(block, insert=(name, text))
            elif word == "raises":
                block = replace(block, raises=value)
            else:
                block = replace(block, skip=value)
        if block.language not in _RUN | _READ | _SHOWN:
            known = ", ".join(_LANGUAGES)
            self._say(
                block.line - 1, f"{block.language!r} is no language of a block; known: {known}"
            )
        if block.raises and block.language != "python":
            self._say(block.line - 1, "only a python block raises an exception")
        if block.output and block.language not in _SHOWN:
            self._say(block.line - 1, "only a text block shows output")
        return self._typed(block)

    def _typed(self, block: Block) -> Block:
        """A block with only what a reader types."""
        if block.language != "console" or block.skip or not block.is_run:
            return block
        code = _typed(block.code)
        for number, line in enumerate(code.splitlines()):
            if "…" in line:
                self._say(block.line + number, "… stands for something, and cannot be run")
        return replace(block, code=code)

    def _say(self, line: int, message: str) -> None:
        self.findings.append(Finding(message, Position(str(self.path), line, 1)))


def _typed(code: str) -> str:
    """The commands of a console, in the lines where they stand; all of it, where none has a `$`."""
    lines = code.splitlines()
    if not any(line.startswith("$ ") for line in lines):
        return code
    typed = []
    goes_on = False
    for line in lines:
        mine = goes_on or line.startswith("$ ")
        typed.append(line.removeprefix("> " if goes_on else "$ ") if mine else "")
        goes_on = mine and line.endswith("\\")
    return "\n".join(typed) + "\n"


@dataclass(frozen=True)
class _Result:
    """What became of a block that was run; `failure` is None while nobody knows."""

    begun: bool = False
    failure: str | None = None
    output: str = ""


def _run(
    page: Path,
    blocks: Sequence[Block],
    home: Path,
    python: Path,
    around: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    timeout: float,
) -> str:
    """Run blocks; gives what ended them before their time, or nothing."""
    if not blocks:
        return ""
    plan = home / "plan"
    members = ("line", "language", "code", "files", "save", "insert", "raises")
    given = [{name: getattr(each, name) for name in members} for each in blocks]
    plan.write_text(json.dumps({"page": str(page.resolve()), "blocks": given}), encoding="utf-8")
    runner = shutil.copy(Path(__file__).with_name("page.py"), home / "page.py")
    command = [*around, str(python), "-P", str(runner), str(plan)]
    with (home / "output").open("wb") as output:
        try:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=_variables(python, environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        except OSError as error:
            return f"{command[0]}: {error.strerror}"
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            return f"it had not ended after {timeout:g} seconds"
        finally:
            _end(process)
    said = (home / "output").read_text(encoding="utf-8", errors="replace").strip()
    return f"the process ended with status {status}\n{said}".strip() if status else ""


def _variables(python: Path, environment: Mapping[str, str]) -> dict[str, str]:
    outer = {name: value for name, value in os.environ.items() if name not in _OUTER}
    path = os.pathsep.join((str(python.parent), environment.get("PATH", outer.get("PATH", ""))))
    plain = {"COLUMNS": "120", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    return {**outer, **plain, **environment, "PATH": path}


_OUTER: Final = {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONSAFEPATH", "VIRTUAL_ENV"}


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a session; in order, if it does so in time."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except (ProcessLookupError, PermissionError):
            break
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            continue


def _results(home: Path, count: int) -> list[_Result]:
    journal = home / "journal"
    noted: dict[int, str | None] = {}
    if journal.exists():
        for line in journal.read_text(encoding="utf-8").splitlines():
            number, failure = json.loads(line)
            noted[number] = failure
    results = []
    for number in range(count):
        file = home / f"{number}.txt"
        said = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
        results.append(_Result(number in noted, noted.get(number), said))
    return results


def _judge(page: Page, results: Mapping[int, _Result], ended: str) -> Outcome:
    failures: list[str] = []
    skipped: list[str] = []
    count = 0
    before = ""

    def fail(block: Block, reason: str) -> None:
        code = textwrap.indent(block.code.rstrip("\n"), "    ")
        failures.append(f"{page.path}:{block.line}: {block.language or 'text'}\n{code}\n{reason}")

    for block in page.blocks:
        if block.skip:
            skipped.append(f"{page.path}:{block.line}: {block.skip}")
            continue
        if block.language in _READ:
            count += 1
            if wrong := _unreadable(block):
                fail(block, wrong)
        if block.output:
            count += 1
            if not _shows(block.code, before):
                fail(block, f"is not what came:\n{before.rstrip()}")
        if result := results.get(block.line):
            before = result.output
            count += result.begun and block.language not in _READ
            if result.failure:
                fail(block, f"{result.output}{result.failure}")
            elif result.begun and result.failure is None:
                fail(block, f"{result.output}{ended}")
    if ended and not any(each.begun for each in results.values()):
        failures.append(f"{page.path}: no block was run: {ended}")
    output = "".join(each.output for each in results.values())
    return Outcome(count, tuple(failures), output, tuple(skipped))


def _unreadable(block: Block) -> str:
    """Why data cannot be read, or nothing."""
    readers: dict[str, Any] = {"yaml": yaml.safe_load, "toml": tomllib.loads, "json": json.loads}
    try:
        readers[block.language]("\n" * (block.line - 1) + block.code)
    except (ValueError, yaml.YAMLError) as error:
        return f"cannot be read: {error}"
    return ""


def _shows(shown: str, output: str) -> bool:
    """Whether an output has these lines, `…` standing for anything; a line of it, for any lines."""
    lines = [
        "(?:.*\n)*?"
        if line.strip() == "…"
        else re.escape(line.rstrip()).replace("…", ".*?") + r"\s*?\n"
        for line in shown.strip("\n").splitlines()
    ]
    return re.search(f"^{''.join(lines)}", output.rstrip("\n") + "\n", re.MULTILINE) is not None
