"""`run`: a command with a sandbox of its own, as a shell and as a person sees it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from wire import PROGRAM, environment

from social_publishing_sandbox import Sandbox, running
from social_publishing_sandbox.api.origin import address

RUN = [*PROGRAM, "run"]
NAME = "social-publishing-sandbox run"


def run(*words: str, given: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """The outcome, without the line that says where the console is."""
    done = subprocess.run(
        [*RUN, *words], input=given, capture_output=True, text=True, timeout=600,
        env=environment(**more),
    )  # fmt: skip
    done.stderr = done.stderr.removeprefix(console_line(done.stderr))
    return done


def console_line(said: str) -> str:
    """The first line of what is said, if it is the address of the console."""
    first, end, _ = said.partition("\n")
    return first + end if first.startswith("Console: http") else ""


def begin(folder: Path, code: str, *options: str) -> subprocess.Popen[str]:
    """Begin a command that is a Python program, and wait until it has made the file `ready`."""
    program = (
        f"import signal, sys, time, pathlib\n{code}\npathlib.Path('ready').touch()\ntime.sleep(60)"
    )
    process = subprocess.Popen(
        [*RUN, *options, "--", sys.executable, "-c", program], cwd=folder, env=environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    last = time.monotonic() + 600
    while not (folder / "ready").exists():
        assert process.poll() is None and time.monotonic() < last, process.communicate(timeout=600)
        time.sleep(0.01)
    return process


def test_a_command_finds_the_sandbox_and_its_control() -> None:
    program = """
import json, os, urllib.request
def ask(url, token):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    return json.load(urllib.request.urlopen(request))
e = {name.removeprefix("SOCIAL_PUBLISHING_"): value for name, value in os.environ.items()}
group = ask(e["BASE_URL"] + "/groups/9032915132417572866", e["API_TOKEN"])
clock = ask(e["SANDBOX_CONTROL_URL"] + "/clock", e["SANDBOX_CONTROL_TOKEN"])
print(json.dumps([group["name"], clock["mode"], e["BASE_URL"], e["MEDIA_URL"]]))
"""
    done = run(
        "--clock", "frozen", "--", sys.executable, "-c", program,
        http_proxy="http://127.0.0.1:9", SOCIAL_PUBLISHING_API_TOKEN="of-something-else",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    name, mode, base, media = json.loads(done.stdout)
    assert (name, mode) == ("Kornblume Bakery", "frozen")
    assert base.endswith("/v1") and media.endswith("/api/v1")
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(base)


def test_a_proxy_is_passed_by_where_it_was_and_at_the_sandbox() -> None:
    with contextlib.closing(Sandbox(clock="frozen")) as sandbox:
        sandbox.service.origins["main"] = "http://[::1]:8000"
        made = running.environment(sandbox, {"no_proxy": "a.example", "HOME": "/h"})
    assert (made["no_proxy"], made["NO_PROXY"], made["HOME"]) == ("a.example,::1", "::1", "/h")


def test_the_address_of_the_console_is_printed() -> None:
    done = subprocess.run(
        [*RUN, "--", "sh", "-c", 'printf %s "$SOCIAL_PUBLISHING_SANDBOX_CONSOLE_URL"'],
        capture_output=True, text=True, timeout=600, env=environment(),
    )  # fmt: skip
    assert done.stderr == f"Console: {done.stdout}\n"


def test_input_output_and_status_are_those_of_the_command() -> None:
    done = run("--", "sh", "-c", "cat; echo told >&2; exit 7", given="what came in\n")
    assert (done.returncode, done.stdout, done.stderr) == (7, "what came in\n", "told\n")
    assert (
        run("sh", "-c", 'test "$1" = -- && test "$2" = --json', "sh", "--", "--json").returncode
        == 0
    )


@pytest.mark.parametrize(
    ("words", "status", "reason"),
    [
        ([], 2, "give the command to run after --, for example: -- pytest"),
        (["--", "no-such-command", "x"], 127, "no-such-command: command not found"),
        (["--", "./no-such-file"], 127, "./no-such-file: command not found"),
        (["--", __file__], 126, f"{__file__}: is not executable"),
        (["--", os.path.dirname(__file__)], 126, f"{os.path.dirname(__file__)}: is a directory"),
        (["--clock", "x", "--", "true"], 2, "--clock must be real, frozen"),
    ],
)
def test_what_cannot_be_run_is_said_in_a_line(words: list[str], status: int, reason: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (status, "")
    assert done.stderr.startswith(f"{NAME}: ") and reason in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_the_system_does_not_begin(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_bytes(b"\x7fELF, and then nothing")
    script.chmod(0o755)
    done = run("--", str(script))
    assert done.returncode == 126
    assert done.stderr == f"{NAME}: {script}: Exec format error\n"


def test_a_server_on_every_address_is_reached_on_this_machine() -> None:
    hosts = ("0.0.0.0", "::", "::1", "localhost")
    reached = [address(host, 7).removeprefix("http://") for host in hosts]
    assert reached == ["127.0.0.1:7", "[::1]:7", "[::1]:7", "localhost:7"]


@pytest.mark.parametrize(("number", "name"), [(9, "SIGKILL"), (40, "signal 40")])
def test_a_command_that_a_signal_ends(number: int, name: str) -> None:
    done = run("--", "sh", "-c", f"kill -{number} $$")
    assert (done.returncode, done.stderr) == (
        128 + number,
        f"{NAME}: sh was terminated by {name}\n",
    )


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1,
        signal.SIGUSR2, signal.SIGALRM,
    ],
)  # fmt: skip
def test_signals_go_to_the_command_which_may_end_in_order(tmp_path: Path, number: int) -> None:
    process = begin(
        tmp_path, f"signal.signal({int(number)}, lambda *_: (print('in order'), sys.exit(5)))"
    )
    process.send_signal(number)
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out, err) == (5, "in order\n", console_line(err))


def test_a_command_that_does_not_mind_is_ended_by_the_signal(tmp_path: Path) -> None:
    process = begin(tmp_path, "")
    process.terminate()
    out, err = process.communicate(timeout=600)
    assert (process.returncode, out, err) == (128 + signal.SIGTERM, "", console_line(err))


def test_a_command_meets_the_ctrl_c_of_a_terminal_once(tmp_path: Path) -> None:
    """The terminal gives it to the whole group; to pass it on would make it two."""
    program = """
import signal, time
from social_publishing_sandbox import Sandbox, running
from social_publishing_sandbox.api.origin import address
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(1))
print("ready", running._is_in_the_foreground(), flush=True)
last = time.monotonic() + 1
while time.monotonic() < last:
    time.sleep(0.05)
print("met", len(seen), flush=True)
"""
    process, terminal = pty.fork()
    if not process:
        os.execve(sys.executable, [*RUN, "--", sys.executable, "-c", program], environment())
    said = b""
    typed = False
    with contextlib.suppress(OSError):  # Linux says the end of a terminal so
        while b"met" not in said.rpartition(b"\n")[0]:
            said += os.read(terminal, 1000)
            if b"ready True" in said and not typed:
                os.write(terminal, b"\x03")
                typed = True
    os.waitpid(process, 0)
    os.close(terminal)
    assert b"ready True" in said and b"met 1" in said


@pytest.mark.parametrize("name", ["SIGWINCH", "SIGTSTP", "SIGCONT", "SIGCHLD", "SIGPIPE"])
def test_what_is_not_meant_for_the_command_stays_as_it_is(name: str) -> None:
    number = getattr(signal, name)
    before = signal.getsignal(number)
    with running._Passing():
        assert signal.getsignal(number) is before
    assert all(number in signal.valid_signals() for number in running._TYPED)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
@pytest.mark.parametrize("foreground", [True, False])
def test_a_ctrl_c_is_passed_on_where_no_terminal_gives_it(
    monkeypatch: pytest.MonkeyPatch, foreground: bool, number: int
) -> None:
    """Two that come at once are one to a process, so that a terminal alone does not show it."""
    passed: list[int] = []
    process: Any = SimpleNamespace(send_signal=passed.append)
    monkeypatch.setattr(running, "_is_in_the_foreground", lambda: foreground)
    with running._Passing() as passing:
        signal.raise_signal(signal.SIGTERM)  # too early: kept
        passing.to(process)
        signal.raise_signal(number)
    assert passed == [signal.SIGTERM] + [number] * (not foreground)


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    assert run("--", "true", TMPDIR=str(tmp_path)).returncode == 0
    assert not list(tmp_path.iterdir())
