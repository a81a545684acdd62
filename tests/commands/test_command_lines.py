"""No command line ends in a traceback: an exit status and one message, whatever was typed.

The lines are drawn over the command trees as they are. Those of one process are cheap, so there are
thousands; what only a process of its own has (closed streams, bytes that are no UTF-8, no HOME) is
tried with fewer.
"""

from __future__ import annotations

import io
import itertools
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "generated" / "client" / "src"))

from command_lines import Line, Node, drawn, of_argparse, of_click, parser_of, systematic

import demo.cli as demo_command
import pipeline.cli
import release.cli
import social_publishing_sandbox.cli
from social_publishing_cli.command import app
from social_publishing_cli.command import main as command_main
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.running import client_variables
from social_publishing_sandbox.serving import Interrupt

ROOT = Path(__file__).parents[2]
DRAWN = [60, pytest.param(300, marks=pytest.mark.nightly)]
"""Lines of each tree that are drawn, besides those that are not left to chance; more by night."""

NO_TRACEBACK = re.compile(r"Traceback|a bug in this program|Exception ignored|^  File ", re.M)


@dataclass(frozen=True)
class Program:
    """A command tree.

    Attributes:
        main: runs it in this process.
        words: run it in a process of its own.
        statuses: the documented ones.
    """

    main: Callable[[Sequence[str]], Any]
    words: Line
    statuses: frozenset[int]

    def nodes(self, monkeypatch: pytest.MonkeyPatch) -> list[Node]:
        if self.main is command_main:
            return [*of_click(app)]
        return [*of_argparse(parser_of(self.main, monkeypatch))]


USUAL = frozenset({0, 1, 2, 130})
PROGRAMS = {
    "social-publishing": Program(
        command_main, ("-m", "social_publishing_cli"), frozenset({*range(10), 130})
    ),
    "social-publishing-sandbox": Program(
        social_publishing_sandbox.cli.main,
        ("-m", "social_publishing_sandbox"),
        USUAL | {126, 127},
    ),
    "openapi-pipeline": Program(pipeline.cli.main, ("-m", "pipeline"), USUAL),
    "python -m release": Program(release.cli.main, ("-m", "release"), USUAL),
    "python -m demo": Program(demo_command.main, ("-m", "demo"), USUAL),
}


@dataclass(frozen=True)
class Ended:
    """How a line ended."""

    line: Line
    status: Any
    out: str
    err: str

    def wrong(self, program: Program) -> str:
        """Return what is wrong with it, or nothing."""
        said = self.out + self.err
        if NO_TRACEBACK.search(said):
            return "a traceback, or a bug in the program"
        if self.status not in program.statuses:
            return f"the status {self.status!r} is not documented"
        if self.status and not said.strip():
            return f"the status {self.status}, and no word why"
        if len(re.findall(r"^error: ", self.err, re.M)) > 1:
            return "more than one message"
        return ""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files of some kinds, and nothing of the user's own around it."""
    here = tmp_path / "here"
    (here / "folder").mkdir(parents=True)
    (here / "empty").touch()
    (here / "bytes.csv").write_bytes(b"id,content\n\xff\xfe\x00,\xe4\n")
    (here / "sheet.csv").write_text(
        "id,content,publication_date,timezone\n1,a,2026-12-24 09:00,UTC\n"
    )
    (here / "sheet.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    (here / "plan.json").write_text('{"format": 1}')
    (here / "data.yaml").write_text("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n")
    monkeypatch.chdir(here)
    for name in [each for each in os.environ if each.startswith("SOCIAL_PUBLISHING_")]:
        monkeypatch.delenv(name)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "TMPDIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(tempfile, "tempdir", None)  # which keeps TMPDIR
    return here


@pytest.fixture
def bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """End at once what runs until it is ended; the course of the demo has tests of its own."""
    monkeypatch.setattr(Interrupt, "wait", lambda self: None)
    monkeypatch.setattr(demo_command.story, "play", lambda *_: None)

    class Interrupted:
        def wait(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(demo_command, "threading", SimpleNamespace(Event=Interrupted))


def run(program: Program, line: Line, monkeypatch: pytest.MonkeyPatch) -> Ended:
    """Run a line in this process, with streams as a process has them, and nothing to read."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="strict") for _ in range(2))
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(), "utf-8"))
        patched.setattr(sys, "stdout", out)
        patched.setattr(sys, "stderr", err)
        try:
            status = program.main(line)
        except SystemExit as end:
            status = 0 if end.code is None else end.code
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode("utf-8", "replace"))  # type: ignore[attr-defined]
    return Ended(line, status, *texts)


@pytest.mark.parametrize("number", DRAWN)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_command_line_ends_in_a_traceback(
    name: str, number: int, folder: Path, bounded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = PROGRAMS[name]
    nodes = program.nodes(monkeypatch)
    # A world of 20,000 posts is made in many seconds, and its command lines are as all others.
    quick = (line for line in drawn(nodes, Random(name)) if "agency" not in line)
    lines = itertools.islice(quick, number)
    tried(name, itertools.chain(systematic(nodes), lines), monkeypatch)


def test_nor_does_one_that_calls_the_service(
    folder: Path, bounded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "social-publishing"
    nodes = PROGRAMS[name].nodes(monkeypatch)
    with Sandbox(now="2026-12-01T09:00:00Z", rate_limit=1_000_000) as sandbox:
        for variable, value in client_variables(sandbox).items():
            monkeypatch.setenv(variable, value)
        tried(name, itertools.islice(drawn(nodes, Random(7)), 600), monkeypatch)
        assert len(sandbox.requests()) > 50


# What only a process of its own has


def start(words: Line, **how: Any) -> Ended:
    """Run a line as a shell does; `how` are further arguments of `subprocess.run`."""
    variables = {"PATH": os.defpath, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    how["env"] = {**variables, **how.get("env", {})}
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    done = subprocess.run([sys.executable, *words], timeout=60, **{**given, **how})
    texts = ((each or b"").decode("utf-8", "replace") for each in (done.stdout, done.stderr))
    return Ended(words, done.returncode, *texts)


CLOSED = "closed"
AROUND: dict[str, dict[str, Any]] = {
    "standard input is closed": {"preexec_fn": lambda: os.close(0)},
    "standard output is closed": {"preexec_fn": lambda: os.close(1)},
    "standard error is closed": {"preexec_fn": lambda: os.close(2)},
    "all are closed": {"preexec_fn": lambda: os.closerange(0, 3)},
    "nobody reads": {"stdout": CLOSED},
    "the disk is full": {"stdout": "/dev/full"},
    "a terminal of ten columns": {"env": {"COLUMNS": "10", "LINES": "1"}},
    "columns that are none": {"env": {"COLUMNS": "-5", "LINES": "wide"}},
    "colours": {"env": {"FORCE_COLOR": "1", "TERM": "xterm-256color"}},
    "no colours": {"env": {"NO_COLOR": "1", "TERM": "dumb"}},
    "ASCII": {"env": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}},
    "another encoding": {"env": {"PYTHONIOENCODING": "cp1252"}},
    "a folder that is no more": {"preexec_fn": lambda: os.rmdir(os.getcwd())},
    "a home that cannot be written": {"env": {"HOME": "/proc/none"}},
}
LINES: dict[str, tuple[Line, ...]] = {
    "social-publishing": (
        *((), ("--help",), ("auth", "login"), ("posts", "list", "--group-id", "\udcff\udcfe")),
        *(("--sandbox", "groups", "get", "9032915132417572866"), ("doctor", "--offline")),
    ),
    "social-publishing-sandbox": ((), ("world", "small"), ("serve", "--host", "\udcff")),
    "openapi-pipeline": ((), ("overlay", "\udcff", "é"), ("gaps", "--help")),
    "python -m release": ((), ("build",)),
    "python -m demo": (("--help",), ("--seed", "\udcff")),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nor_does_one_where_little_is_as_usual(name: str, tmp_path: Path) -> None:
    """Each line, and the next way in which a process can be badly off.

    Every way for every program; but the last two begin and end by what the pipeline's do.
    """
    program, wrong = PROGRAMS[name], []
    lines = itertools.cycle(LINES[name])
    step = 4 if name in ("python -m release", "python -m demo") else 1
    for at, (around, how) in enumerate([*AROUND.items()][::step]):
        line, folder = next(lines), tmp_path / str(at)
        folder.mkdir()
        how = {"cwd": folder, **how}
        pipe = None
        if how.get("stdout") == CLOSED:
            read, pipe = os.pipe()
            os.close(read)
            how["stdout"] = pipe
        elif how.get("stdout"):
            pipe = how["stdout"] = os.open(how["stdout"], os.O_WRONLY)
        ended = start((*program.words, *line), **how)
        if pipe:
            os.close(pipe)
        mute = any(word in around for word in ("error is closed", "all are", "nobody reads"))
        if (reason := ended.wrong(program)) and not (mute and "no word" in reason):
            wrong.append(f"{line}, {around}: {reason}\n{ended.out[-300:]}{ended.err[-1500:]}")
    assert not wrong, "\n\n".join(wrong)


def tried(name: str, lines: Iterable[Line], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run lines of a program, and see that each ends as it should."""
    program = PROGRAMS[name]
    count, wrong = 0, []
    for line in lines:
        if line == ("world", "agency"):
            continue
        ended = run(program, line, monkeypatch)
        count += 1
        if reason := ended.wrong(program):
            wrong.append(f"{line}: {reason}\n{ended.out[-300:]}{ended.err[-1500:]}")
    print(f"{name}: {count:,} command lines")
    assert not wrong, f"{len(wrong)} of {count}\n" + "\n\n".join(wrong[:10])
