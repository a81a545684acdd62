"""An upload of 1 GiB over the loopback: the two clients beside curl, and the memory that they take.

The file is sparse, so that no disk is measured, and the other end throws everything away.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from threading import Thread

from benchmarks import server
from benchmarks.figures import Figure, at_most
from benchmarks.measuring import CLIENT, ROOT, TOKEN, Process, processes

TITLE = "Uploads"

ROUNDS = 9
SIZE = 1 << 30  # bytes

_IMPORTS = """
import asyncio, re
from pathlib import Path
from social_publishing import AsyncSocialPublishing, SocialPublishing

def memory():
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])

places = {{"api_token": {token!r}, "base_url": {base!r}, "media_url": {base!r}}}
"""

# Each uploads a small file and then the file; the highest memory before and after is printed.
_SYNC = """
with SocialPublishing(**places) as client:
    client.media.upload(file={small!r})
    before = memory()
    client.media.upload(file={file!r})
    print(memory() - before)
"""

_ASYNC = """
async def main():
    async with AsyncSocialPublishing(**places) as client:
        await client.media.upload(file={small!r})
        before = memory()
        await client.media.upload(file={file!r})
        print(memory() - before)
asyncio.run(main())
"""

_CURL = """
import subprocess
for name in ({small!r}, {file!r}):
    subprocess.run(
        ["curl", "-sS", "--fail", "-H", "Expect:", "-F", "file=@" + name, {base!r} + "/upload"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
"""

_ANSWER = (
    b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"id":"1"}'
)


def measure() -> list[Figure]:
    """Both clients against curl, each less what the same program costs with a small file alone."""
    if shutil.which("curl") is None:
        raise RuntimeError("curl is not on the PATH")
    if not Path("/proc/self/status").exists():
        raise RuntimeError("the memory of a process is read from /proc")
    programs = {"sync": _IMPORTS + _SYNC, "async": _IMPORTS + _ASYNC, "curl": _CURL}
    with tempfile.TemporaryDirectory() as folder, server.running("benchmarks.uploading") as base:
        small, large = Path(folder, "small.mp4"), Path(folder, "large.mp4")
        small.write_bytes(b"\0")
        with large.open("wb") as file:
            file.truncate(SIZE)
        cases = {
            f"{name} {path.stem}": program.format(
                token=TOKEN, base=base, small=str(small), file=str(path)
            )
            for name, program in programs.items()
            for path in (small, large)
        }
        times = processes(
            {name: Process([["-c", program]]) for name, program in cases.items()}, ROUNDS
        )
        grown = {name: _kilobytes(cases[f"{name} large"]) for name in ("sync", "async")}
    above = {name: times[f"{name} large"].above(times[f"{name} small"]) for name in programs}
    return [
        Figure(
            f"1 GiB, +{grown['sync'] / 1000:.1f} MB",
            above["sync"],
            "curl",
            above["curl"],
            at_most(1.15),
        ),
        Figure(
            f"1 GiB, asynchronous, +{grown['async'] / 1000:.1f} MB",
            above["async"],
            "curl",
            above["curl"],
        ),
    ]


def _kilobytes(program: str) -> int:
    """By how much the memory of a program grew, as it says itself."""
    said = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PYTHONPATH": str(CLIENT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    return int(said.stdout)


def serve() -> None:
    """Print the port, then take what comes until the process is ended."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            Thread(target=_take, args=(connection,), daemon=True).start()


def _take(connection: socket.socket) -> None:
    buffer = memoryview(bytearray(1 << 20))
    with connection:
        while head := _head(connection):
            fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:-2])
            left = int(fields[b"content-length"])
            while left:
                left -= connection.recv_into(buffer, min(left, len(buffer))) or left
            connection.sendall(_ANSWER)


def _head(connection: socket.socket) -> bytes:
    """The request line and the header fields; empty at the end of the connection."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)
        if not byte:
            return b""
        head += byte
    return head


if __name__ == "__main__":
    serve()
