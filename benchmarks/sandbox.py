"""The sandbox as a server: what a request costs it, beside a bare server and another mock."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figure, Samples, at_most
from benchmarks.measuring import ROOT

SOURCES = ROOT / "sandbox" / "src"
DOCUMENT = SOURCES / "social_publishing_sandbox" / "documents" / "main.json"
PRISM = "@stoplight/prism-cli@5.14.2"

TITLE = "The sandbox"

ROUNDS = 9
REQUESTS = 400  # of one sample
SECONDS = 60.0  # until a server has to answer

# A constant answer of the given size, from the smallest Starlette application.
CONSTANT = """
import socket, sys
import uvicorn
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

body = sys.stdin.buffer.read()

async def constant(request):
    await request.body()
    return Response(body, media_type="application/json")

app = Starlette(routes=[Route("/{path:path}", constant, methods=["GET", "PATCH"])])
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
config = uvicorn.Config(app, access_log=False, log_config=None, ws="none", lifespan="off")
uvicorn.Server(config).run(sockets=[listener])
"""

OURS = """
import signal, sys
from social_publishing_sandbox import Sandbox

with Sandbox(sys.argv[1], clock="frozen", rate_limit=None, check=False) as sandbox:
    world = sandbox.world()
    scheduled = next(each for each in world["posts"] if each["status"] == 25)
    print(sandbox.service.origins["main"].rpartition(":")[2], sandbox.token, scheduled["id"],
          flush=True)
    del world
    signal.sigwait([signal.SIGTERM, signal.SIGINT])
"""


@dataclass(frozen=True)
class Server:
    """A process that serves: its port, and what it said beside that."""

    process: subprocess.Popen[bytes]
    port: int
    said: tuple[str, ...] = ()

    def cpu(self) -> float:
        """User and system time of the process so far, seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure() -> list[Figure]:
    """Processor time of the server for one request, of one connection that is kept alive."""
    if not Path("/proc/self/stat").exists():
        raise RuntimeError("the processor time of another process is read from /proc")
    rows: list[Figure] = []
    for world in ("small", "agency"):
        with ExitStack() as stack:
            ours = stack.enter_context(_python(OURS, [world]))
            token, post = ours.said
            read = _Request("GET", f"/v1/posts-bulk?ids={post}", token)
            write = _Request("PATCH", f"/v1/posts/{post}", token, _CHANGE)
            servers = {"ours": ours}
            answers = {each: each.send(ours.port) for each in (read, write)}
            for request in (read, write):
                name = f"constant {request.method}"
                servers[name] = stack.enter_context(_python(CONSTANT, [], answers[request]))
            prism = stack.enter_context(_prism()) if world == "small" else None
            rows += _rows(world, (read, write), servers, prism)
    return rows


_CHANGE: dict[str, object] = {
    "content": "We open on Monday at nine, with free coffee until noon.",
    "name": "Opening",
    "visible_for_client": True,
}
_TARGETS = {"GET": 1 / 0.4, "PATCH": 1 / 0.25}  # requests a second: at least 0.4 and 0.25 times


def _rows(
    world: str,
    requests: tuple[_Request, ...],
    servers: Mapping[str, Server],
    prism: Server | None,
) -> Iterator[Figure]:
    for request in requests:
        cases = {"ours": servers["ours"], "constant": servers[f"constant {request.method}"]}
        if prism:
            cases["prism"] = prism
        times = _sample(request, cases)
        what = f"sandbox, {world} world: {request.method} of one post"
        against = "constant Starlette app"
        yield Figure(
            what, times["ours"], against, times["constant"], at_most(_TARGETS[request.method])
        )
        if prism:
            yield Figure(what, times["ours"], "Prism", times["prism"], at_most(1))


@dataclass(frozen=True)
class _Request:
    method: str
    target: str
    token: str
    change: dict[str, object] | None = None

    def __hash__(self) -> int:
        return hash(self.method)

    def send(self, port: int) -> bytes:
        """Send it once.

        Raises:
            RuntimeError: it was refused.
        """
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        body = json.dumps(self.change) if self.change else None
        target = self.target
        connection.request(self.method, target, body, self._headers())
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status >= 400:
            raise RuntimeError(f"{self.method} {target}: {answer.status} {content[:200]!r}")
        return content

    def _headers(self) -> dict[str, str]:
        kind = {"Content-Type": "application/json"} if self.change else {}
        return {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **kind}

    def run(self, port: int, number: int, base: str = "/v1") -> None:
        """Send it so many times over one connection, one after the other."""
        body = json.dumps(self.change).encode() if self.change else b""
        target = base + self.target.removeprefix("/v1")
        lines = [f"{self.method} {target} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"{name}: {value}" for name, value in self._headers().items()]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        message = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
        with socket.create_connection(("127.0.0.1", port), SECONDS) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            stream = connection.makefile("rb")
            for _ in range(number):
                connection.sendall(message)
                length = 0
                status = stream.readline()
                while (line := stream.readline()) != b"\r\n":
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                content = stream.read(length)
                if not status.startswith(b"HTTP/1.1 200"):
                    raise RuntimeError(f"{message[:60]!r}: {status!r} {content[:200]!r}")


def _sample(request: _Request, servers: Mapping[str, Server]) -> dict[str, Samples]:
    samples: dict[str, list[tuple[float, float]]] = {name: [] for name in servers}
    for turn in range(ROUNDS + 1):
        for name, server in servers.items():
            base = "" if name == "prism" else "/v1"
            # The kernel counts in hundredths of a second: enough requests for many of them.
            number = REQUESTS if name == "prism" else REQUESTS * 5
            cpu, wall = server.cpu(), time.perf_counter()
            request.run(server.port, number, base)
            cpu, wall = server.cpu() - cpu, time.perf_counter() - wall
            if turn:
                samples[name].append((cpu / number, wall / number))
    return {
        name: Samples(tuple(cpu for cpu, _ in taken), tuple(wall for _, wall in taken))
        for name, taken in samples.items()
    }


@contextmanager
def _python(code: str, arguments: list[str], stdin: bytes = b"") -> Iterator[Server]:
    """A process of this interpreter that says its port on its first line."""
    variables = {**os.environ, "PYTHONPATH": str(SOURCES)}
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=variables,
    )
    try:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(stdin)
        process.stdin.close()
        port, *said = process.stdout.readline().decode().split()
        yield Server(process, int(port), tuple(said))
    finally:
        _stop(process)


@contextmanager
def _prism() -> Iterator[Server | None]:
    """Prism on the same document, where npm can bring it; else None."""
    npm = shutil.which("npm")
    if npm is None:
        print("without Prism: npm is not on the PATH", file=sys.stderr)
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "install", "--no-audit", "--no-fund", "--prefix", folder, PRISM]
        brought = subprocess.run(command, capture_output=True, check=False)
        if brought.returncode:
            print(f"without Prism: npm cannot bring {PRISM}", file=sys.stderr)
            yield None
            return
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        prism = Path(folder, "node_modules", ".bin", "prism")
        arguments = [prism, "mock", "-h", "127.0.0.1", "-p", str(port), "-m", "false", DOCUMENT]
        process = subprocess.Popen(
            arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            _wait(port)
            yield Server(process, port)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(SECONDS)


def _wait(port: int) -> None:
    last = time.monotonic() + SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if time.monotonic() > last:
                raise
            time.sleep(0.1)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout):
        if stream:
            stream.close()
