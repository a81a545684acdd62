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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.figures import SECONDS, Figure, LeftOut, Samples, at_most
from benchmarks.measuring import ROOT, Worker, workers

TITLE: Final = "The sandbox"

SOURCES: Final = ROOT / "sandbox" / "src"
DOCUMENT: Final = SOURCES / "social_publishing_sandbox" / "documents" / "main.json"
PRISM: Final = "@stoplight/prism-cli@5.14.2"

ROUNDS: Final = 11
STARTS: Final = 7
REQUESTS: Final = 2000  # of one sample: after other processes have run, the first ones are dear
PATIENCE: Final = 60.0  # seconds until a server has to answer

# A constant answer of the given size, from the smallest Starlette application.
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
    note = next(each for each in world["calendar_notes"] if not each.get("is_private"))
    print(sandbox.service.origins["main"].rpartition(":")[2], sandbox.token, post["id"],
          note["id"], world["groups"][0]["id"], flush=True)
    del world
    signal.sigwait([signal.SIGTERM, signal.SIGINT])
"""

# One start: from the process to its first answer, whatever that says; then the process is ended.
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
    while not answers(port) and child.poll() is None:
        time.sleep(0.005)
    wall = time.perf_counter() - began
    child.send_signal(signal.SIGTERM)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime, wall

def answers(port):
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
    """Processor time of the server for one request, of one connection that is kept alive; and of
    its process from the start to the first answer.
    """
    if not Path("/proc/self/stat").exists():
        yield LeftOut("the sandbox", "the processor time of another process is read from /proc")
        return
    try:
        prism: Path | None = peers.npm(PRISM, "prism")
    except peers.Missing as reason:
        yield LeftOut(*str(reason).split(": ", 1))
        prism = None
    yield from _requests("small", prism)
    yield from _requests("agency", None)
    yield from _starts(prism)


# Requests

_TARGETS: Final = {"GET": 1 / 0.4, "PATCH": 1 / 0.25}  # requests a second: 0.4 and 0.25 times
_AGAINST: Final = "a Starlette app, a constant"
_WHY: Final = {
    "GET": "What the HTTP server does is a third of it; the rest finds out who asks, what is asked "
    "for and what of it may be shown, and writes down the exchange: some 60 calls in Python.",
    "PATCH": "A change is checked, stored as a whole with its activity, its text for each network "
    "is worked out, and the post is shown again: nine statements of sqlite, a sixth of the cost, "
    "and some 150 calls in Python. Rewriting rows without their indexes, the collector of garbage "
    "and secure deletion were tried: nothing came of it that can be told from noise.",
}


def _requests(world: str, prism: Path | None) -> Iterator[Figure]:
    with ExitStack() as stack:
        ours = stack.enter_context(_python(OURS, [world]))
        mock = stack.enter_context(_mock(prism)) if prism else None
        for request in _asked(*ours.said)[: None if world == "small" else 2]:
            content = request.send(ours.port)
            # Its socket is the only one that listens while it is needed: a server for each request.
            with _python(CONSTANT, ["0"], content) as constant:
                cases = {"ours": ours, "constant": constant, **({"prism": mock} if mock else {})}
                costs = _sample(request, cases)
            what = f"{request.what}, {world} world"
            target = at_most(_TARGETS[request.method]) if request.main else None
            why = _WHY.get(request.method, "")
            yield Figure(what, costs["ours"], _AGAINST, costs["constant"], target, why)
            if mock:
                yield Figure(what, costs["ours"], "Prism", costs["prism"], at_most(1))


@dataclass(frozen=True)
class _Request:
    """A request that can be sent again and again, with a target for its cost or without."""

    what: str
    method: str
    target: str
    token: str
    change: Mapping[str, object] | None = None
    main: bool = False

    def send(self, port: int) -> bytes:
        """Send it once.

        Raises:
            RuntimeError: it was refused.
        """
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        body = json.dumps(self.change) if self.change else None
        connection.request(self.method, f"/v1{self.target}", body, self._headers())
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status >= 400:
            raise RuntimeError(f"{self.method} {self.target}: {answer.status} {content[:200]!r}")
        return content

    def _headers(self) -> dict[str, str]:
        kind = {"Content-Type": "application/json"} if self.change else {}
        return {"Authorization": f"Bearer {self.token}", "Accept": "application/json", **kind}

    def run(self, port: int, number: int, base: str = "/v1") -> None:
        """Send it so many times over one connection, one after the other.

        Raises:
            RuntimeError: it was not answered with 200.
        """
        body = json.dumps(self.change).encode() if self.change else b""
        lines = [f"{self.method} {base}{self.target} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"{name}: {value}" for name, value in self._headers().items()]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        message = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
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


def _asked(token: str, post: str, note: str, group: str) -> tuple[_Request, ...]:
    """What is asked for, the two with targets first."""
    change = {
        "content": "We open on Monday at nine, with free coffee until noon.",
        "name": "Opening",
        "visible_for_client": True,
    }
    dates = {"start_date": "2026-12-10T08:00:00Z", "end_date": "2026-12-11T08:00:00Z"}
    moved = f"/calendar-notes/{note}/reschedule"
    return (
        _Request("GET one post", "GET", f"/posts-bulk?ids={post}", token, main=True),
        _Request("PATCH a post", "PATCH", f"/posts/{post}", token, change, main=True),
        _Request("POST other dates of a note", "POST", moved, token, dates),
        _Request("GET a page of posts", "GET", f"/posts?groupId={group}", token),
    )


def _sample(request: _Request, servers: Mapping[str, _Server]) -> dict[str, Samples]:
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in servers}
    for _ in range(ROUNDS + 1):
        for name, server in servers.items():
            base = "" if name == "prism" else "/v1"
            number = REQUESTS // 40 if name == "prism" else REQUESTS
            cpu, wall = server.cpu(), time.perf_counter()
            request.run(server.port, number, base)
            cpu, wall = server.cpu() - cpu, time.perf_counter() - wall
            taken[name].append((cpu / number, wall / number))
    return {
        name: Samples(
            tuple(cpu for cpu, _ in each[1:]), SECONDS, tuple(wall for _, wall in each[1:])
        )
        for name, each in taken.items()
    }


# Starts


def _starts(prism: Path | None) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, "kept.sqlite")
        options: dict[str, list[str]] = {
            "small": [],
            "agency": ["--world", "agency"],
            "kept": ["--db", str(kept)],
        }
        cases = {name: _started(_serve(*more)) for name, more in options.items()}
        cases["constant"] = _started([sys.executable, "-c", CONSTANT, "PORT"])
        if prism:
            cases["prism"] = _started([str(prism), *_mocking("PORT")])
        _keep_agency(kept)
        times = workers(cases, STARTS, 1)
    for name, what in (
        ("small", "start with the small world"),
        ("kept", "start from a file with the agency's world, 20,000 posts"),
        ("agency", "start with the agency's world made anew"),
    ):
        if prism:
            target = None if name == "agency" else at_most(1)
            yield Figure(what, times[name], "Prism", times["prism"], target)
        yield Figure(what, times[name], _AGAINST, times["constant"])


def _serve(*options: str) -> list[str]:
    module = [sys.executable, "-m", "social_publishing_sandbox", "serve"]
    return [*module, "--port", "PORT", "--media-port", "0", "--clock", "frozen", *options]


def _started(command: Sequence[str]) -> Worker:
    return Worker(f"COMMAND = {list(command)!r}\n{START}", paths=(SOURCES,))


def _keep_agency(file: Path) -> None:
    """Make a file with the state of the agency's world."""
    program = "import sys; from social_publishing_sandbox import Sandbox\n"
    program += "Sandbox('agency', clock='frozen', db=sys.argv[1]).close()"
    subprocess.run([sys.executable, "-c", program, file], env=_variables(), check=True)


# Servers


@dataclass(frozen=True)
class _Server:
    """A process that serves: its port, and what it said beside that."""

    process: subprocess.Popen[bytes]
    port: int
    said: tuple[str, ...] = ()

    def cpu(self) -> float:
        """Processor time of the process so far, seconds."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        try:  # to the nanosecond, where the kernel counts that
            spent = [(each / "schedstat").read_text().split()[0] for each in tasks.iterdir()]
            return sum(map(int, spent)) / 1e9
        except FileNotFoundError:
            fields = (tasks.parent / "stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _python(code: str, arguments: list[str], stdin: bytes = b"") -> Iterator[_Server]:
    """A process of this interpreter that says its port on its first line."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=_variables(),
    ) as process:  # fmt: skip
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(stdin)
            process.stdin.close()
            port, *said = process.stdout.readline().decode().split()
            yield _Server(process, int(port), tuple(said))
        finally:
            _stop(process)


@contextmanager
def _mock(prism: Path) -> Iterator[_Server]:
    """Prism on the same document."""
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
    last = time.monotonic() + PATIENCE
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
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


def _variables() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCES)}
