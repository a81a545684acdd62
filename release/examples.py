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
import sys
import tempfile
import textwrap
import time
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import yaml

from release.page import DATA, Block, Page, load_page

_GRACE: Final = 10.0  # seconds for what a page has begun to end in order
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
    with tempfile.TemporaryDirectory(prefix="page-") as name:
        home = Path(name)
        acting = [asdict(each) | {"typed": each.typed} for each in page.blocks if each.acts]
        (home / "blocks").write_text(json.dumps(acting), encoding="utf-8", newline="\n")
        runner = str(shutil.copy(Path(__file__).with_name("runner.py"), home))
        command = [*around, str(python), runner, str(path.resolve()), name]
        variables = _variables(python, environment)
        ended = _run(command, folder, variables, home / "output", timeout) if acting else ""
        return _outcome(page, home, ended)


def _run(
    command: list[str], folder: Path, variables: Mapping[str, str], shown: Path, timeout: float
) -> str:
    """Run a command; return what ended it before its time, or nothing."""
    with shown.open("wb") as output:
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=output,
                stderr=output, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            return f"{command[0]}: {error.strerror}"
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            return f"it had not ended after {timeout:g} seconds"
        finally:
            _end(process)
    said = f"the process ended with status {status}\n{_text(shown).strip()}"
    return said.strip() if status else ""


def _variables(python: Path, environment: Mapping[str, str]) -> dict[str, str]:
    outer = {name: value for name, value in os.environ.items() if name not in _OUTER}
    path = os.pathsep.join((str(python.parent), environment.get("PATH", outer.get("PATH", ""))))
    settings = {"COLUMNS": "120", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    return {**outer, **settings, **environment, "PATH": path}


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a session: in order what does so in time."""
    if sys.platform == "win32":  # which has no sessions to end: it is the process alone
        process.kill()
        process.wait()
        return
    until = time.monotonic() + _GRACE
    with suppress(ProcessLookupError, PermissionError):  # as soon as nothing is left
        os.killpg(process.pid, signal.SIGTERM)
        while time.monotonic() < until:
            process.poll()  # one that has ended is left until then
            os.killpg(process.pid, 0)
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)


def _outcome(page: Page, home: Path, ended: str) -> Outcome:
    """Compare what a run left in its folder with what the page shows."""
    failures, count, before, written = [], 0, "", ""
    for block in page.blocks:
        shown, end = (home / f"{block.line}.{suffix}" for suffix in ("txt", "end"))
        if shown.exists():
            before = _text(shown)
            written += before
        elif block.skip or not (block.output or block.language in DATA):
            continue
        count += 1
        failure = ended if shown.exists() and not end.exists() else _text(end)
        if reason := _reason(block, before, failure):
            code = textwrap.indent(block.code.rstrip("\n"), "    ")
            head = f"{page.path}:{block.line}: {block.language or 'text'}"
            failures.append(f"{head}\n{code}\n{reason}")
    if ended and not any(home.glob("*.txt")):
        failures.append(f"{page.path}: no block was run: {ended}")
    return Outcome(count, tuple(failures), written)


def _reason(block: Block, output: str, failure: str) -> str:
    """Return why a block is not as the page shows it, or nothing."""
    if block.language in DATA and (wrong := _unreadable(block)):
        return wrong
    if block.output and not shows(block.code, output):
        return f"is not what came:\n{output.rstrip()}"
    return f"{output}{failure}" if failure else ""


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""


def _unreadable(block: Block) -> str:
    """Return why data cannot be read, or nothing."""
    readers: dict[str, Any] = {"yaml": yaml.safe_load, "toml": tomllib.loads, "json": json.loads}
    try:
        readers[block.language]("\n" * (block.line - 1) + block.code)
    except (ValueError, yaml.YAMLError) as error:
        return f"cannot be read: {error}"
    return ""


def shows(shown: str, output: str) -> bool:
    """Return whether an output has these lines; `…` stands for anything, alone for any lines."""
    lines = [
        "(?:.*\n)*?"
        if line.strip() == "…"
        else re.escape(line.rstrip()).replace("…", ".*?") + r"\s*?\n"
        for line in shown.strip("\n").splitlines()
    ]
    return re.search(f"^{''.join(lines)}", output.rstrip("\n") + "\n", re.MULTILINE) is not None
