"""What the systems differ in: modules that one lacks, line ends, encodings, and names of its own.

Whether a room uses a function that Windows or macOS lacks, mypy knows: it follows `sys.platform`.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ["benchmarks", "cli/src", "demo", "generated/client/src", "pipeline", "release"]
ROOMS += ["sandbox/src", "templates/runtime"]
LACKED = {
    *("_posixsubprocess", "curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource"),
    *("syslog", "termios", "tty", "uvloop"),  # by Windows
    *("_winapi", "msvcrt", "nt", "winreg", "winsound"),  # by the others
}


@cache
def trees() -> list[tuple[str, ast.Module]]:
    files = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [(path.relative_to(ROOT).as_posix(), ast.parse(path.read_bytes())) for path in files]


def under(tree: ast.AST, branches: tuple[ast.AST, ...] = ()) -> Iterator[tuple[ast.AST, bool]]:
    """Yield each node, and whether it stands under a question about the system."""
    for node in ast.iter_child_nodes(tree):
        asked = branches
        if isinstance(node, ast.If | ast.With | ast.Try):
            text = ast.unparse(node.test if isinstance(node, ast.If) else node)
            words = ("sys.platform", "os.name", "ImportError", "TYPE_CHECKING")
            asked = (*branches, *([node] if any(each in text for each in words) else []))
        yield node, bool(asked)
        yield from under(node, asked)


def lacked(tree: ast.AST) -> list[str]:
    """Return the imports that some system refuses, and that ask for no system."""
    found = []
    for node, asked in under(tree):
        modules = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module or ""]
        if not asked:
            found += [each for each in modules if each.partition(".")[0] in LACKED]
    return found


def left_to_the_system(tree: ast.AST) -> list[int]:
    """Return the lines of calls that write or read text with the system's line ends or encoding."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        named = {each.arg: each.value for each in node.keywords}
        function = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        modes = {each.value for each in node.args if isinstance(each, ast.Constant)}
        writes = function == "write_text" and len(node.args) == 1 and "encoding" in named
        writes |= function == "open" and bool(modes & {"w", "a", "x"})
        reads = isinstance(text := named.get("text"), ast.Constant) and text.value is True
        if (writes and not {"newline", "encoding"} <= named.keys()) or (
            reads and "encoding" not in named
        ):
            found.append(node.lineno)
    return found


def test_what_one_system_lacks_is_imported_under_a_branch() -> None:
    found = {path: names for path, tree in trees() if (names := lacked(tree))}
    assert not found


def test_line_ends_and_encodings_are_ours() -> None:
    """On Windows, texts would end in CRLF and be in the code page of a country."""
    found = {path: lines for path, tree in trees() if (lines := left_to_the_system(tree))}
    assert not found


@pytest.mark.parametrize(
    ("code", "imports", "lines"),
    [
        ("import fcntl", ["fcntl"], []),
        ("if sys.platform != 'win32':\n    import fcntl", [], []),
        ("def f():\n    from pwd import getpwuid", ["pwd"], []),
        ("try:\n    import uvloop\nexcept ImportError:\n    pass", [], []),
        ("if a:\n    import uvloop.loop", ["uvloop.loop"], []),
        ("path.write_text(a, encoding='utf-8')", [], [1]),
        ("path.write_text(a, encoding='utf-8', newline='\\n')", [], []),
        ("path.open('w', encoding='utf-8')", [], [1]),
        ("path.open('wb')", [], []),
        ("run(a, text=True)", [], [1]),
        ("run(a, text=True, encoding='utf-8')", [], []),
    ],
)
def test_what_depends_on_the_system_is_found(
    code: str, imports: list[str], lines: list[int]
) -> None:
    assert lacked(ast.parse(code)) == imports
    assert left_to_the_system(ast.parse(code)) == lines


def typed(system: str, cache: str, *more: str) -> subprocess.CompletedProcess[str]:
    command = ["--platform", system, "--no-warn-unused-ignores", "--no-error-summary", *more]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *command, "--cache-dir", f".mypy_cache/{cache}"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip


def test_no_room_uses_what_windows_lacks() -> None:
    """`os.getuid`, `signal.SIGKILL`, `resource.setrlimit`: each asks for the system before.

    Reading all libraries takes two thirds of the time; without them, what has their types has none.
    """
    done = typed("win32", "alone", "--follow-imports", "skip")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = re.findall(r'.* error: (?:Module|(?:Module )?".+") has no attribute .*', done.stdout)
    assert not found, "\n".join(found)


@pytest.mark.nightly
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_no_room_is_typed_otherwise_elsewhere(system: str) -> None:
    done = typed(system, system)
    assert done.returncode == 0, done.stdout + done.stderr


def test_zones_without_a_database_of_the_system(tmp_path: Path) -> None:
    """As on Windows: the packages that need zones bring tzdata, and the client has a plain path."""
    program = """
        import sys
        from zoneinfo import TZPATH, ZoneInfo
        assert TZPATH == ()
        ZoneInfo("Europe/Paris")
        sys.modules["tzdata"] = None
        ZoneInfo.clear_cache()
        from social_publishing._runtime.core.times import is_zone
        assert is_zone("Europe/Paris"), "refused where nothing is known"
    """
    lines = "\n".join(line.strip() for line in program.splitlines())
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", lines],
        capture_output=True, text=True, cwd=tmp_path,
        env={"PYTHONTZPATH": "", "PYTHONPATH": str(ROOT / "generated/client/src")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
