"""A second judge: Prism, a mock server that validates requests by their document.

    https://github.com/stoplightio/prism

It gets the very requests that the first judge has seen, one of each operation.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx2
import msgspec

from benchmarks.peers import Missing, npm
from generality.described import Json, Operation
from generality.results import Second
from generality.trials import Trials
from tests.support.wire import Sent

PRISM: Final = "@stoplight/prism-cli@5.14.2"
_START: Final = 180.0  # seconds in which it has read a document
# What it says of a request; everything else is about the response that it makes up.
_OF_REQUESTS: Final = {
    "UNPROCESSABLE_ENTITY", "UNAUTHORIZED", "INVALID_CONTENT_TYPE", "NO_PATH_MATCHED_ERROR",
    "NO_METHOD_MATCHED_ERROR", "NO_SERVER_MATCHED_ERROR", "METHOD_NOT_ALLOWED",
}  # fmt: skip


class Said(msgspec.Struct):
    """What Prism said: to how many requests it responded, and why it refused which."""

    asked: int = 0
    refused: dict[str, str] = {}


def asked(file: Path, home: Path, seed: int) -> Second:
    """Ask Prism about a request of each operation; the calls are made in another process."""
    try:
        program = npm(PRISM, "prism")
    except Missing as reason:
        return Second(why=str(reason))
    command = [sys.executable, Path(__file__).parent, "--prism-calls", program, file, home]
    done = subprocess.run(
        [*map(str, command), "--seed", str(seed)], capture_output=True, timeout=1800
    )
    if done.returncode:
        return Second(why=f"failed: {' '.join(done.stderr.decode()[-120:].split())}")
    said = msgspec.json.decode(done.stdout, type=Said)
    return Second(
        said.asked,
        said.asked - len(said.refused),
        notes=tuple(f"{operation}: {reason}" for operation, reason in said.refused.items()),
    )


def said(program: Path, trials: Trials) -> Said:
    """Send Prism what a client has sent, and return what it says of it."""
    result = Said()
    with (
        tempfile.TemporaryDirectory() as folder,
        _serving(program, _alone(trials.document.data, Path(folder))) as port,
        httpx2.Client(timeout=60) as client,
    ):
        for operation, seen in trials.requests.values():
            try:
                response = client.request(
                    seen.method,
                    f"http://127.0.0.1:{port}{_target(operation, seen)}",
                    headers=[e for e in seen.headers if e[0] not in ("host", "connection")],
                    content=seen.body,
                )
            except httpx2.RemoteProtocolError:
                # It makes up documented headers, such as a Transfer-Encoding that is none.
                continue
            result.asked += 1
            if reason := _refusal(response):
                result.refused[str(operation)] = reason
    return result


def _alone(data: Json, folder: Path) -> Path:
    """Return a copy of a document without references to other files: Prism wants all of them."""

    def copied(node: Json) -> Json:
        if isinstance(node, list):
            return [copied(each) for each in node]
        if not isinstance(node, dict):
            return node
        if isinstance(node.get("$ref"), str) and not node["$ref"].startswith("#"):
            return {}
        # It also follows what looks like references in words that mean nothing to it.
        return {name: copied(each) for name, each in node.items() if name[:2] != "x-"}

    file = folder / "document.json"
    file.write_bytes(msgspec.json.encode(copied(data)))
    return file


def _target(operation: Operation, seen: Sent) -> str:
    """Return the target of a request below its server: Prism serves paths alone."""
    url = urlsplit(seen.url)
    base = next((each for each in operation.addresses if seen.url.startswith(each)), "")
    path = url.path.removeprefix(urlsplit(base).path.rstrip("/"))
    return f"{path}?{url.query}" if url.query else path


def _refusal(response: httpx2.Response) -> str:
    """Return why Prism refuses a request; empty where it does not."""
    if response.status_code < 400 or "json" not in response.headers.get("content-type", ""):
        return ""
    problem = response.json()
    kind = str(problem.get("type", "")) if isinstance(problem, dict) else ""
    name = kind.rpartition("#")[2]
    if "stoplight.io/prism" not in kind or name not in _OF_REQUESTS:
        return ""
    found = problem.get("validation") or [{"message": problem.get("detail", "")}]
    reasons = (f"{'.'.join(map(str, e.get('location', [])))} {e['message']}" for e in found)
    return f"{name}: {'; '.join(reasons)}"


@contextmanager
def _serving(program: Path, file: Path) -> Iterator[int]:
    """Run Prism on a free port.

    Raises:
        OSError: it does not start.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    command = [program, "mock", file, "-h", "127.0.0.1", "-p", port, "--errors", "-v", "silent"]
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip
    try:
        end = time.monotonic() + _START
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError as error:
                if time.monotonic() > end or process.poll() is not None:
                    raise OSError(f"Prism did not start: {error}") from None
                time.sleep(0.2)
        yield port
    finally:
        process.kill()
        process.wait()
