"""Runs examples as a browser does: without sockets and threads, with what a site brings along."""

from __future__ import annotations

import asyncio.subprocess
import importlib.abc
import io
import json
import socket
import sys
import sysconfig
import threading
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NoReturn

import httpx2

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / each) for each in (".", "docs", "docs/browser", "sandbox/src")]
sys.path.insert(0, str(ROOT / "generated/client/src"))
MISSING = (
    *("PIL", "httptools", "jinja2", "jsonschema_rs", "orjson", "pypdf", "python_multipart"),
    *("starlette", "uvicorn", "uvloop"),
)


class Missing(importlib.abc.MetaPathFinder):
    """Keeps away what the site does not bring along."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> None:
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def no_sockets(*_: object) -> NoReturn:
    raise OSError("a browser has no sockets")


def no_threads(*_: object) -> NoReturn:
    raise RuntimeError("can't start new thread")


def run(codes: list[str]) -> None:
    """Print what each example printed, and the error that ended it, as JSON."""
    sys.meta_path.insert(0, Missing())
    sys.platform = "emscripten"
    import examples

    socket.socket.connect = no_sockets  # type: ignore[method-assign]
    threading.Thread.start = no_threads  # type: ignore[method-assign]
    outcomes = []
    for number, code in enumerate(codes):
        shown = io.BytesIO()
        with redirect_stdout(io.TextIOWrapper(shown, encoding="utf-8")):
            error = examples.run(number, code)
            outcomes.append((shown.getvalue().decode(), error))
    print(json.dumps(outcomes))


if __name__ == "__main__":
    # These ask for the system when they are imported, and only those of this one are there.
    assert asyncio.subprocess
    assert sysconfig.get_config_vars()
    assert httpx2.HTTPTransport
    run(json.loads(sys.stdin.read()))
