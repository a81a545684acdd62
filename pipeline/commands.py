"""Streams and exit statuses, which all command lines here have in common."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

from pipeline.openapi.problems import PipelineError


def steady() -> None:
    """Make what is printed UTF-8 on every machine, and nothing that is printed an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None where the caller has closed it
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", line_buffering=True)


def status(run: Callable[[], int], footer: str = "") -> int:
    """Run a command and return its exit status; report what is wrong on standard error.

    0: done. 1: something is wrong, or refused. 130: interrupted. The footer says what a number of
    problems means, such as `nothing was written`.
    """
    try:
        return run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except PipelineError as error:
        print(error, file=sys.stderr)
        if footer:
            print(f"{count(len(error.findings), 'problem')}; {footer}.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 1
    except OSError as error:
        print(f"{error.filename or 'error'}: {error.strerror or error}", file=sys.stderr)
        return 1


def count(number: int, what: str) -> str:
    """Return a number of things in words: `1 problem`, `2 problems`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
