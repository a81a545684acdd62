"""The sandbox as a server: what a request costs it, and how long it takes to start."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.figures import Figure, LeftOut, Samples
from benchmarks.measuring import ROOT, Worker, samples, turns, workers

TITLE: Final = "The sandbox"

SOURCES: Final = ROOT / "sandbox" / "src"
DOCUMENT: Final = SOURCES / "social_publishing_sandbox" / "documents" / "main.json"
PRISM: Final = "@stoplight/prism-cli@5.14.2"

ROUNDS: Final = 11
STARTS: Final = 7
REQUESTS: Final = 2000  # of one sample: after other processes have run, the first ones are dear
TIMEOUT: Final = 60.0  # seconds until a server has to respond

# A constant response of the given size, from the smallest Starlette application.
CONSTANT: Final = """
import socket, sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

body = sys.stdin.buffer.read()

async def constant(request):
    await request.body()
    return Response(body, media_type="application/json")

app = Starlette(routes=[Route("/{path:path}", constant, methods=["GET", "PATCH", "POST"])])
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
print(listener.getsockname()[1], flush=True)
config = uvicorn.Config(app, access_log=False, log_config=None, ws="none", lifespan="off")
uvicorn.Server(config).run(sockets=[listener])
"""

OURS: Final = """
import signal, sys
from social_publishing_sandbox import Sandbox

with Sandbox(sys.argv[1], clock="frozen", rate_limit=None, check=False) as sandbox:
    world = sandbox.world()
    post = next(each for each in world["posts"] if each["status"] == 25)
    print(sandbox.service.origins["main"].rpartition(":")[2], sandbox.token, post["id"],
          world["groups"][0]["id"], flush=True)
    del world
    signal.sigwait([signal.SIGTERM, signal.SIGINT])
"""

# One start: from the process to its first response, of any status; then the process is ended.
START: Final = """
import http.client, os, signal, socket, subprocess, time

def sample(number):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    began = time.perf_counter()
    command = [each.replace("PORT", str(port)) for each in COMMAND]
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while not responds(port) and child.poll() is None:
        time.sleep(0.005)
    wall = time.perf_counter() - began
    child.send_signal(signal.SIGTERM)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime, wall

def responds(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/v1/groups/1", headers={"Authorization": "Bearer nobody"})
        connection.getresponse().read()
    except OSError:
        return False
    finally:
        connection.close()
    return True
"""


def measure() -> Iterator[Figure | LeftOut]:
    """Measure processor time of the server: one request, and its process until it responds.

    All requests go over one connection that is kept alive.
    """
    if not Path("/proc/self/stat").exists():
        yield LeftOut("the sandbox", "the processor time of another process is read from /proc")
        return
    try:
        prism: Path | None = peers.npm(PRISM, "prism")
    except peers.Missing as reason:
        yield LeftOut(*str(reason).split(": ", 1))
        prism = None
    yield from _requests(prism)
    if prism:
        yield from _starts(prism)


# Requests

_TARGETS: Final = {"GET": 1 / 0.4, "PATCH": 1 / 0.25}  # requests a second: 0.4 and 0.25 times
_AGAINST: Final = "a Starlette app, a constant"
_WHY: Final = (
    "What the HTTP server does is a third of it; the rest finds out who asks, what is asked for, "
    "what of it may be shown or changed, and writes down the exchange."
)


def _requests(prism: Path | None) -> Iterator[Figure]:
    with ExitStack() as stack:
        ours = stack.enter_context(_python(OURS, ["small"]))
        mock = stack.enter_context(_mock(prism)) if prism else None
        for request in _asked(*ours.printed):
            content = request.run(ours.port, 1)
            # Its socket is the only one that listens while it is needed: a server for each request.
            with _python(CONSTANT, ["0"], content) as constant:
                servers = {"ours": ours, "constant": constant, **({"prism": mock} if mock else {})}
                costs = _sample(request, servers)
            what = f"{request.what}, small world"
            target = _TARGETS[request.method] if request.main else None
            yield Figure(what, costs["ours"], _AGAINST, costs["constant"], target, _WHY)
            if mock:
                yield Figure(what, costs["ours"], "Prism", costs["prism"], 1)


@dataclass(frozen=True)
class _Request:
    """A request that can be sent again and again, with a target for its cost or without."""

    what: str
    method: str
    target: str
    token: str
    change: Mapping[str, object] | None = None
    main: bool = False

    def run(self, port: int, number: int, base: str = "/v1") -> bytes:
        """Send it so many times over one connection, one after the other; return the last body.

        Raises:
            RuntimeError: its response had another status than 200.
        """
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        body = json.dumps(self.change).encode() if self.change else None
        if body:
            headers["Content-Type"] = "application/json"
        content = b""
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)) as connection:
            for _ in range(number):
                connection.request(self.method, base + self.target, body, headers)
                response = connection.getresponse()
                content = response.read()
                if response.status != 200:
                    text = f"{self.method} {self.target}: {response.status} {content[:200]!r}"
                    raise RuntimeError(text)
        return content


def _asked(token: str, post: str, group: str) -> tuple[_Request, ...]:
    """Return what is asked for, the two with targets first."""
    change = {
        "content": "We open on Monday at nine, with free coffee until noon.",
        "name": "Opening",
        "visible_for_client": True,
    }
    return (
        _Request("GET one post", "GET", f"/posts-bulk?ids={post}", token, main=True),
        _Request("PATCH a post", "PATCH", f"/posts/{post}", token, change, main=True),
        _Request("GET a page of posts", "GET", f"/posts?groupId={group}", token),
    )


def _sample(request: _Request, servers: Mapping[str, _Server]) -> dict[str, Samples]:
    cases = {name: partial(_cost, request, name, server) for name, server in servers.items()}
    return {name: samples(taken) for name, taken in turns(cases, ROUNDS).items()}


def _cost(request: _Request, name: str, server: _Server) -> tuple[float, float]:
    base = "" if name == "prism" else "/v1"
    number = REQUESTS // 40 if name == "prism" else REQUESTS
    cpu, wall = server.cpu(), time.perf_counter()
    request.run(server.port, number, base)
    return (server.cpu() - cpu) / number, (time.perf_counter() - wall) / number


# Starts


def _starts(prism: Path) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "kept.sqlite")
        cases = {
            "start with the small world": _serve(),
            "start from a file with the agency's world, 20,000 posts": _serve("--db", str(kept)),
            "start with the agency's world made anew": _serve("--world", "agency"),
            "Prism": [str(prism), *_mocking("PORT")],
        }
        program = "import sys; from social_publishing_sandbox import Sandbox\n"
        program += "Sandbox('agency', clock='frozen', db=sys.argv[1]).close()"
        subprocess.run([sys.executable, "-c", program, kept], env=_variables(), check=True)
        times = workers({name: _started(command) for name, command in cases.items()}, STARTS, 1)
    other = times.pop("Prism")
    for what, ours in times.items():
        yield Figure(what, ours, "Prism", other, None if what.endswith("anew") else 1)


def _serve(*options: str) -> list[str]:
    module = [sys.executable, "-m", "social_publishing_sandbox", "serve"]
    return [*module, "--port", "PORT", "--media-port", "0", "--clock", "frozen", *options]


def _started(command: Sequence[str]) -> Worker:
    return Worker(f"COMMAND = {list(command)!r}\n{START}", paths=(SOURCES,))


# Servers


@dataclass(frozen=True)
class _Server:
    """A process that serves: its port, and what it printed after that."""

    process: subprocess.Popen[bytes]
    port: int
    printed: tuple[str, ...] = ()

    def cpu(self) -> float:
        """Return the processor time of the process so far, seconds."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        try:  # to the nanosecond, where the kernel counts that
            spent = [(each / "schedstat").read_text().split()[0] for each in tasks.iterdir()]
            return sum(map(int, spent)) / 1e9
        except FileNotFoundError:
            fields = (tasks.parent / "stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _python(code: str, arguments: list[str], stdin: bytes = b"") -> Iterator[_Server]:
    """Run a process of this interpreter that prints its port on its first line."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=_variables(),
    ) as process:  # fmt: skip
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(stdin)
            process.stdin.close()
            port, *printed = process.stdout.readline().decode().split()
            yield _Server(process, int(port), tuple(printed))
        finally:
            _stop(process)


@contextmanager
def _mock(prism: Path) -> Iterator[_Server]:
    """Run Prism on the same document."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(
        [prism, *_mocking(str(port))], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            _wait(port)
            yield _Server(process, port)
        finally:
            _stop(process)


def _mocking(port: str) -> list[str]:
    return ["mock", "-h", "127.0.0.1", "-p", port, "-m", "false", str(DOCUMENT)]


def _wait(port: int) -> None:
    last = time.monotonic() + TIMEOUT
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > last:
                raise
            time.sleep(0.1)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()


def _variables() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCES)}
