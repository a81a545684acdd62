"""Runs the examples of a page in a browser, against a sandbox in the same process."""

from __future__ import annotations

import ast
import linecache
import os
import sys
import traceback
from typing import Any, Final

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.running import client_variables

NOW: Final = "2026-12-01T09:00:00Z"  # the morning around which the examples have their dates

sandbox = Sandbox(now=NOW)
sandbox.start()
os.environ.update(client_variables(sandbox))
names: dict[str, Any] = {"__name__": "__main__"}


def run(number: int, code: str) -> str:
    """Run an example after those that ran before; return the error that ended it, or nothing."""
    file = f"example-{number}.py"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    try:
        exec(compile(ast.parse(code, file), file, "exec"), names)
    except BaseException as error:
        here = error.__traceback__.tb_next if error.__traceback__ else None
        return "".join(traceback.format_exception(type(error), error, here))
    finally:  # a line without its end is this example's, too
        sys.stdout.flush()
        sys.stderr.flush()
    return ""
