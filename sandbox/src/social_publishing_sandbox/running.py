"""Run another command with a sandbox that it finds through its environment."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from social_publishing_sandbox.state.errors import SandboxError

if TYPE_CHECKING:
    from social_publishing_sandbox.sandbox import Sandbox

CLIENT: Final = "SOCIAL_PUBLISHING"
CONTROL: Final = f"{CLIENT}_SANDBOX"

NOT_FOUND: Final = 127
NOT_EXECUTABLE: Final = 126

_PASSED: Final = frozenset(
    getattr(signal, f"SIG{name}")
    for name in ("ALRM", "BREAK", "HUP", "INT", "QUIT", "TERM", "USR1", "USR2")
    if hasattr(signal, f"SIG{name}")
)
"""The signals that may be meant for the command; not every system has all of them."""
# What keys of a terminal give to every process in its foreground. There is no SIGQUIT on Windows,
# and no SIGBREAK elsewhere.
_TYPED: Final = frozenset(
    getattr(signal, name) for name in ("SIGBREAK", "SIGINT", "SIGQUIT") if hasattr(signal, name)
)


class NotRunnable(SandboxError):
    """A command cannot be started.

    Attributes:
        status: the exit status that shells give for it: 126 or 127.
    """

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


def client_variables(sandbox: Sandbox) -> dict[str, str]:
    """Return what a client needs: the token of the owner and both base addresses."""
    return {
        f"{CLIENT}_API_TOKEN": sandbox.token,
        f"{CLIENT}_BASE_URL": sandbox.base_url,
        f"{CLIENT}_MEDIA_URL": sandbox.media_url,
    }


def environment(sandbox: Sandbox, before: Mapping[str, str]) -> dict[str, str]:
    """Return an environment with what a client needs, and with what shows and controls the sandbox.

    No proxy stands between a command and a sandbox on the same machine.
    """
    direct = sandbox.service.origins["main"].partition("://")[2].rpartition(":")[0].strip("[]")
    proxies = {
        name: ",".join(filter(None, (before.get(name), direct)))
        for name in ("no_proxy", "NO_PROXY")
    }
    return {
        **before,
        **proxies,
        **client_variables(sandbox),
        f"{CONTROL}_CONTROL_URL": sandbox.control_url,
        f"{CONTROL}_CONTROL_TOKEN": sandbox.control_token,
        f"{CONTROL}_CONSOLE_URL": sandbox.console_url,
    }


def check(command: Sequence[str]) -> None:
    """See whether a command is there, before anything is made ready for it."""
    name = command[0]
    if shutil.which(name):
        return
    if os.path.dirname(name) and os.path.isdir(name):
        raise NotRunnable(f"{name}: is a directory", NOT_EXECUTABLE)
    if os.path.dirname(name) and os.path.exists(name):
        raise NotRunnable(f"{name}: is not executable", NOT_EXECUTABLE)
    raise NotRunnable(f"{name}: command not found", NOT_FOUND)


def run(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Run a command to its end, with this process's input and output, and pass signals on to it.

    It is in this process's group, so that it can read from the terminal and Ctrl-Z stops both. So
    its end, as under a shell, is not that of what it has left running in the background.

    Returns:
        Its exit status; negative with the number of the signal that ended it.
    """
    with _Passing() as passing:
        try:
            process = subprocess.Popen(command, env=variables)
        except OSError as error:
            raise NotRunnable(f"{command[0]}: {error.strerror}", NOT_EXECUTABLE) from None
        passing.to(process)
        return process.wait()


def name_of(number: int) -> str:
    """Return the name of a signal; those of real time have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class _Passing:
    """Passes signals on to the command; early ones, as soon as it can."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []
        self._before: dict[int, Any] = {}

    def __enter__(self) -> _Passing:
        # Under nohup it has to stay; the command ignores the same signals.
        always = (signal.SIGINT, signal.SIGTERM)
        for number in _PASSED:
            before = signal.getsignal(number)
            if number in always or before is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def to(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        for number in self._early:
            process.send_signal(number)

    def _take(self, number: int, frame: FrameType | None) -> None:
        if number in _TYPED and _is_in_the_foreground():
            return  # the terminal gives it to the command, too, and twice means "at once"
        if self._process is None:
            self._early.append(number)
        else:
            self._process.send_signal(number)


def _is_in_the_foreground() -> bool:
    """Return whether a Ctrl-C in the terminal reaches this process, and with it those it began."""
    if sys.platform == "win32":  # there it does
        return True
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
