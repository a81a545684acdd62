"""Streams and exit statuses, which all command lines here have in common."""

from __future__ import annotations

import io
import os
import sys
from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from pipeline.openapi.files import put
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.wording import near

_DEBUG = "OPENAPI_PIPELINE_DEBUG"


class Parser(ArgumentParser):
    """Names the choice that was meant, and refuses `--option=--`, which would be an empty list."""

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [*map(str, action.choices)]
            hint = near(str(value), known).removeprefix("; ")
            choose = f"choose {', '.join(known)}"
            raise ArgumentError(action, f"invalid choice: {value!r}; {hint or choose}")

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:
        if action.option_strings and arg_strings == ["--"]:
            raise ArgumentError(action, "expected one argument")
        return super()._get_values(action, arg_strings)


def save(path: Path, text: str, inputs: Iterable[Path] = (), page: bool = False) -> None:
    """Write a file that a person named; a file that is read, or is no page, is not replaced.

    Args:
        inputs: The files that were read.
        page: Whether it is an HTML page, which may only replace one.

    Raises:
        PipelineError: It would replace something else.
    """
    reason = ""
    if path.exists() and any(each.exists() and path.samefile(each) for each in inputs):
        reason = "is read here, and not replaced"
    elif page and path.suffix.lower() not in (".html", ".htm"):
        reason = "is a page: its name ends in .html"
    elif (
        page and path.is_file() and not path.read_bytes()[:15].lower().startswith(b"<!doctype html")
    ):
        reason = "already exists, and is no page"
    if reason:
        raise PipelineError(Finding(f"{path}: {reason}: choose another name"))
    put(path, text.encode())


def steady() -> None:
    """Print UTF-8 on every machine, and never fail on a character.

    A standard stream that the caller has closed is opened as nothing: a file that is opened later
    would get its number, and what is printed.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)


def started(module: str, function: str = "main") -> int:
    """Run the command of a module, and return its exit status; report a library that is missing."""

    def run() -> int:
        result: int = getattr(import_module(module), function)()
        return result

    return status(run)


def chosen(parser: ArgumentParser, arguments: Sequence[str] | None) -> Namespace:
    """Return the options; where there are none at all, show the help and end the process."""
    given = sys.argv[1:] if arguments is None else arguments
    return parser.parse_args([*given] or ["--help"])


def status(run: Callable[[], int], footer: Callable[[], str] | None = None) -> int:
    """Run a command and return its exit status; report errors on standard error.

    0: success. 1: an error. 130: interrupted. The footer goes on after the number of problems, such
    as `; nothing was written`; without one, they are not counted.
    """
    try:
        try:
            return run()
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except PipelineError as error:
        lines = dict.fromkeys(map(str, error.findings))  # an overlay's action may have many targets
        print(*lines, sep="\n", file=sys.stderr)
        if footer:
            print(f"{count(len(lines), 'problem')}{footer()}.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        _abandon()
        return 1
    except OSError as error:
        print(f"{error.filename or 'error'}: {error.strerror or error}", file=sys.stderr)
        _abandon()
        return 1
    except ModuleNotFoundError as error:
        if os.environ.get(_DEBUG):
            raise
        name = (error.name or str(error)).partition(".")[0]
        print(
            f"the library {name} is not installed: run this in an environment of nox "
            "(nox -s pipeline, build, demo and so on), or install it there",
            file=sys.stderr,
        )
        return 1
    except (RecursionError, MemoryError) as error:
        if os.environ.get(_DEBUG):
            raise
        is_deep = isinstance(error, RecursionError)
        what = "nested too deeply to be read" if is_deep else "too large for the memory here"
        print(f"what was given is {what} ({_DEBUG}=1 shows where)", file=sys.stderr)
        if footer:
            print(f"1 problem{footer()}.", file=sys.stderr)
        return 1
    except Exception as error:
        if os.environ.get(_DEBUG):
            raise
        what = f"{type(error).__name__}: {error}"
        print(f"{what} (a bug in this program; {_DEBUG}=1 shows where)", file=sys.stderr)
        return 1


def _abandon() -> None:
    """Let what standard output does not take go nowhere: at exit, Python would try once more."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def count(number: int, what: str) -> str:
    """Return a number of things in words: `1 problem`, `2 problems`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
