"""Carries out the blocks of a page, in an environment of which it needs nothing.

It is run by path, by the Python of that environment: the standard library is all that it imports.
`python page.py PLAN` reads the plan that `release.examples` wrote, keeps the output of each block
in a file beside it, and adds a line to its journal before and after each.
"""

from __future__ import annotations

import json
import os
import shlex
import struct
import subprocess
import sys
import textwrap
import traceback
import types
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_SHELLS_OWN = {"_", "SHLVL", "PWD", "OLDPWD"}


class Failed(Exception):
    """A block did not do what the page says; the text is what came instead."""


def main(plan: Path) -> int:
    """Carry out the blocks of a plan; 0 whatever became of them, as the journal tells that."""
    page, blocks = json.loads(plan.read_text(encoding="utf-8")).values()
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    sys.path.insert(0, "")
    with (plan.parent / "journal").open("a", encoding="utf-8") as journal:
        for number, block in enumerate(blocks):
            _note(journal, number, None)
            failure = ""
            with _output_in(plan.parent / f"{number}.txt"):
                try:
                    _carry_out(block, page, module, plan.parent)
                except Failed as failed:
                    failure = str(failed)
            _note(journal, number, failure)
    return 0


def _note(journal: Any, number: int, failure: str | None) -> None:
    """Note that a block begins (None), or what became of it (nothing, if all is well)."""
    journal.write(json.dumps([number, failure]) + "\n")
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


def _carry_out(block: dict[str, Any], page: str, module: types.ModuleType, home: Path) -> None:
    for name, size in block["files"]:
        Path(name).write_bytes(_picture() if name.endswith(".png") else bytes(size))
    if block["save"]:
        saved = Path(block["save"])
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_text(block["code"], encoding="utf-8", newline="\n")
    elif block["insert"]:
        _insert(block["code"], *block["insert"])
    elif block["language"] == "python":
        _run_python(block, page, module)
    elif block["language"] == "console":
        _run_console(block, page, home)


def _insert(code: str, name: str, text: str) -> None:
    """Put lines into a file, below the one line that has a text, and indented as that one is.

    Raises:
        Failed: no line has it, or more than one.
    """
    lines = Path(name).read_text(encoding="utf-8").splitlines(keepends=True)
    found = [at for at, line in enumerate(lines) if text in line]
    if len(found) != 1:
        raise Failed(f"{len(found)} lines of {name} have the text {text!r}, and it should be one")
    before = lines[found[0]]
    indent = before[: len(before) - len(before.lstrip())]
    lines.insert(found[0] + 1, textwrap.indent(code, indent))
    Path(name).write_text("".join(lines), encoding="utf-8", newline="\n")


def _run_python(block: dict[str, Any], page: str, module: types.ModuleType) -> None:
    """Run code with the names of the page's earlier blocks, and with the line numbers of the page.

    Raises:
        Failed: it ends with an exception, with another one than is wanted, or with none.
    """
    wanted = block["raises"]
    try:
        exec(compile("\n" * (block["line"] - 1) + block["code"], page, "exec"), module.__dict__)
    except BaseException as error:
        if type(error).__name__ == wanted or (isinstance(error, SystemExit) and not error.code):
            return
        own = error.__traceback__.tb_next if error.__traceback__ else None
        lines = traceback.format_exception(type(error), error, own)
        raise Failed("".join(lines).strip()) from None
    if wanted:
        raise Failed(f"{wanted} was to be raised, and nothing was")


def _run_console(block: dict[str, Any], page: str, home: Path) -> None:
    """Run commands in bash; what they export, and the folder they go to, stay for the next ones.

    Raises:
        Failed: one of them ends with another status than 0, or there is no bash.
    """
    exported, folder = home / "exported", home / "folder"
    code = "\n" * (block["line"] - 1) + block["code"]
    keep = f"env -0 > {shlex.quote(str(exported))}; pwd > {shlex.quote(str(folder))}"
    try:
        done = subprocess.run(
            ["bash", "-e", "-c", f"{code}\n{keep}", page], stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        raise Failed("there is no bash to run this with") from None
    if done.returncode:
        raise Failed(f"exit status {done.returncode}")
    for each in exported.read_bytes().decode().split("\0"):
        name, equals, value = each.partition("=")
        if equals and name not in _SHELLS_OWN:
            os.environ[name] = value
    os.chdir(folder.read_text(encoding="utf-8").removesuffix("\n"))


def _picture(width: int = 640, height: int = 400) -> bytes:
    """A PNG file, all of one grey."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
