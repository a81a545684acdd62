"""Run the blocks of a page where a package is installed: `python runner.py PAGE FOLDER`.

It knows the standard library only, since nothing else of this project is there. It reads the blocks
from `FOLDER/blocks`. The output of each goes to `FOLDER/LINE.txt`, and when it has ended, what went
wrong to `FOLDER/LINE.end`.
"""

from __future__ import annotations

import base64
import json
import os
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

_PICTURE = base64.b64decode(  # a PNG file of one grey point
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)
_SHELLS_OWN = {"_", "SHLVL", "PWD", "OLDPWD"}


def main(page: str, folder: Path) -> None:
    """Run the blocks of a page."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    sys.path[0] = ""
    for block in json.loads((folder / "blocks").read_text(encoding="utf-8")):
        with _output_in(folder / f"{block['line']}.txt"):
            failure = run(block, page, module.__dict__)
        (folder / f"{block['line']}.end").write_text(failure, encoding="utf-8", newline="\n")


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


def run(block: dict[str, Any], page: str, names: dict[str, Any]) -> str:
    """Do what a block is for; return what came instead, or nothing."""
    code = block["code"]
    for name, size in block["files"]:
        Path(name).write_bytes(_PICTURE if name.endswith(".png") else bytes(size))
    if block["save"]:
        saved = Path(block["save"])
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_text(code, encoding="utf-8", newline="\n")
    elif block["insert"][0]:
        return _insert(code, *block["insert"])
    elif block["language"] == "python":
        return _python(block, page, names)
    elif block["language"] == "console":
        return _console(block, page)
    return ""


def _insert(code: str, name: str, text: str) -> str:
    """Put lines into a file, below the one line that has a text, and indented as that one is."""
    try:
        with Path(name).open(encoding="utf-8") as file:
            lines = [*file]
    except OSError as error:
        return f"{name}: {error.strerror}"
    places = [at for at, line in enumerate(lines) if text in line]
    if len(places) != 1:
        return f"{len(places)} lines of {name} have the text {text!r}; it must be exactly one"
    before = lines[places[0]]
    indent = before[: len(before) - len(before.lstrip())]
    lines.insert(places[0] + 1, textwrap.indent(code, indent))
    Path(name).write_text("".join(lines), encoding="utf-8", newline="\n")
    return ""


def _python(block: dict[str, Any], page: str, names: dict[str, Any]) -> str:
    """Run code with the names of the earlier blocks, and with the line numbers of the page."""
    code = "\n" * (block["line"] - 1) + block["code"]
    try:
        exec(compile(code, page, "exec", dont_inherit=True), names)
    except BaseException as error:
        if type(error).__name__ == block["raises"] or (
            isinstance(error, SystemExit) and not (error.code or block["raises"])
        ):
            return ""
        own = error.__traceback__
        while own and own.tb_frame.f_code.co_filename != page:
            own = own.tb_next
        return "".join(traceback.format_exception(type(error), error, own)).strip()
    return f"{block['raises']} was expected, but nothing was raised" if block["raises"] else ""


def _console(block: dict[str, Any], page: str) -> str:
    """Run commands in bash; what they export, and the folder they go to, stay for the next ones."""
    with tempfile.TemporaryDirectory() as home:
        exported, folder = Path(home, "exported"), Path(home, "folder")
        code = "\n" * (block["line"] - 1) + block["typed"]
        keep = f"env -0 > {shlex.quote(str(exported))}; pwd > {shlex.quote(str(folder))}"
        try:
            done = subprocess.run(
                ["bash", "-e", "-c", f"{code}\n{keep}", page], stdin=subprocess.DEVNULL
            )
        except FileNotFoundError:
            return "bash is required to run this"
        if done.returncode:
            return f"exit status {done.returncode}"
        if not folder.exists():
            return ""  # the commands have ended the shell
        for variable in exported.read_bytes().decode().split("\0"):
            name, equals, value = variable.partition("=")
            if equals and name not in _SHELLS_OWN:
                os.environ[name] = value
        os.chdir(folder.read_text(encoding="utf-8").removesuffix("\n"))
    return ""


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
