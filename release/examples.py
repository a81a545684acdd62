"""The code of a Markdown page, run as a reader runs it: block after block, in their order.

`python` blocks share one process and its names. `console` blocks run in bash; where lines begin
with `$ `, only those are commands, and the others show what comes. `yaml`, `toml` and `json` are
read. Blocks of `text`, and those without a language, are not run.

What a reader need not see is in a comment before the block, `<!-- example: WORD=VALUE -->`:

- `file=NAME` puts a file there for the block, `file=NAME:BYTES` one of that size;
- `save=NAME` writes the block into a file instead of running it;
- `insert=NAME after TEXT` puts it into a file, below the one line that has the text;
- `raises=NAME` expects the exception of that name to leave a `python` block;
- `output` expects a `text` block in the output of the block before it, `…` standing for anything;
- `skip=REASON` leaves the block out.

`<!-- example: project -->`, anywhere, marks a page for somebody in a checkout: it is to be run in a
copy of the project.
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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import sybil
import yaml

from pipeline.openapi.problems import Finding, PipelineError, Position
from release import page as pages
from release.page import Block, Page

_GRACE: Final = 10.0  # seconds for what is around a page to end in order
_OUTER: Final = {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONSAFEPATH", "VIRTUAL_ENV"}


@dataclass(frozen=True)
class Outcome:
    """Results of the examples of a page.

    Attributes:
        blocks: how many blocks were run, read or compared.
        failures: each with page and line, the block, and what came.
        output: all that the blocks wrote, in their order.
    """

    blocks: int
    failures: tuple[str, ...]
    output: str


def load_page(path: Path) -> Page:
    """Read the blocks of a page, and the marks before them."""
    page = pages.read(path)
    if page.mistakes:
        places = ((Position(str(path), line, 1), text) for line, text in page.mistakes)
        raise PipelineError(*(Finding(text, place) for place, text in places))
    return page


def run_page(
    path: Path,
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
    """
    page = load_page(path)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="page-") as home:
        ended = ""
        if page.regions:
            ended = _run(path, Path(home), python, around, folder, environment, timeout)
        return _outcome(page, Path(home), ended)


def _run(
    page: Path,
    home: Path,
    python: Path,
    around: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    timeout: float,
) -> str:
    """Run a page; return what ended it before its time, or nothing."""
    runner = shutil.copy(pages.__file__, home)
    shutil.copytree(Path(sybil.__file__).parent, home / "sybil")
    command = [*around, str(python), runner, str(page.resolve()), str(home)]
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
    shown = _text(home / "output").strip()
    return f"the process ended with status {status}\n{shown}".strip() if status else ""


def _variables(python: Path, environment: Mapping[str, str]) -> dict[str, str]:
    outer = {name: value for name, value in os.environ.items() if name not in _OUTER}
    path = os.pathsep.join((str(python.parent), environment.get("PATH", outer.get("PATH", ""))))
    settings = {"COLUMNS": "120", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    return {**outer, **settings, **environment, "PATH": path}


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


def _outcome(page: Page, home: Path, ended: str) -> Outcome:
    """Compare what a run left in its folder with what the page shows."""
    begun: dict[int, str | None] = dict(map(json.loads, _text(home / "journal").splitlines()))
    failures, count, before, written = [], 0, "", ""
    for block in page.blocks:
        if block.skip:
            continue
        if block.line in begun:
            before = _text(home / f"{block.line}.txt")
            written += before
        elif not block.output and block.language not in pages.DATA:
            continue
        count += 1
        failure = begun.get(block.line, "")
        if reason := _reason(block, before, ended if failure is None else failure):
            code = textwrap.indent(block.parsed.rstrip("\n"), "    ")
            head = f"{page.path}:{block.line}: {block.language or 'text'}"
            failures.append(f"{head}\n{code}\n{reason}")
    if ended and not begun:
        failures.append(f"{page.path}: no block was run: {ended}")
    return Outcome(count, tuple(failures), written)


def _reason(block: Block, output: str, failure: str) -> str:
    """Return why a block is not as the page shows it, or nothing."""
    if block.language in pages.DATA and (wrong := _unreadable(block)):
        return wrong
    if block.output and not _shows(block.parsed, output):
        return f"is not what came:\n{output.rstrip()}"
    return f"{output}{failure}" if failure else ""


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


def _unreadable(block: Block) -> str:
    """Return why data cannot be read, or nothing."""
    readers: dict[str, Any] = {"yaml": yaml.safe_load, "toml": tomllib.loads, "json": json.loads}
    try:
        readers[block.language]("\n" * (block.line - 1) + block.parsed)
    except (ValueError, yaml.YAMLError) as error:
        return f"cannot be read: {error}"
    return ""


def _shows(shown: str, output: str) -> bool:
    """Return whether an output has these lines; `…` stands for anything, alone for any lines."""
    lines = [
        "(?:.*\n)*?"
        if line.strip() == "…"
        else re.escape(line.rstrip()).replace("…", ".*?") + r"\s*?\n"
        for line in shown.strip("\n").splitlines()
    ]
    return re.search(f"^{''.join(lines)}", output.rstrip("\n") + "\n", re.MULTILINE) is not None
