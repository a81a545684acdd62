"""Both clients against a sandbox that breaks, for long; each side is a process of its own.

`python -m benchmarks.enduring serve FILE` is the sandbox, `… soak THERE SECONDS FILE` the clients.
They print JSON, a line each time.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from social_publishing import AsyncSocialPublishing, SocialPublishing

    from social_publishing_sandbox import Sandbox

TASKS: Final = 64
THREADS: Final = 8


@dataclass(frozen=True)
class Held:
    """Resources of a process after a garbage collection.

    Attributes:
        memory: resident, MB.
        blocks: pieces of memory that Python has given out.
        handles: open files, sockets and the like.
        threads: that the system knows of.
    """

    memory: float
    blocks: int
    handles: int
    threads: int


def held() -> Held:
    """Return what this process holds now.

    Raises:
        OSError: the system has no /proc.
    """
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Held(
        memory=pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        blocks=sys.getallocatedblocks(),
        handles=len(os.listdir("/proc/self/fd")),
        threads=len(os.listdir("/proc/self/task")),
    )


# A sandbox


@dataclass(frozen=True)
class There:
    """A sandbox as its clients know it: where it is, and what is in it."""

    base: str
    media: str
    token: str
    posts: list[str]
    group: str


def there(sandbox: Sandbox) -> There:
    """Return where a sandbox is, with a fresh post for each worker."""
    posts = [sandbox.create_post(content="", status="DRAFT")["id"] for _ in range(THREADS + TASKS)]
    group = sandbox.find("groups")[0]["id"]
    return There(sandbox.base_url, sandbox.media_url, sandbox.token, posts, group)


def serve(carried_out: Path) -> None:
    """Serve a sandbox with every kind of fault until a line comes in; then print what it knows.

    Args:
        carried_out: where the writes that were carried out are written, a line each.
    """
    from social_publishing_sandbox import Sandbox

    with Sandbox(rate_limit=None) as sandbox:
        place = there(sandbox)
        _print(**asdict(place))
        watch = _Watch(sandbox, carried_out)
        sandbox.limit(_BUDGET, window=_WINDOW)
        _break_everything(sandbox)
        sys.stdin.readline()
        watch.end()
        contents = {each: sandbox.read_post(each).get("content") for each in place.posts}
        _print(refused=watch.refused, duplicates=watch.duplicates, contents=contents)


_BUDGET: Final = 800  # requests in a window
_WINDOW: Final = 2  # seconds
_SHARE: Final = 0.01  # of all requests, for each kind of fault
_FAULTS: Final[dict[str, dict[str, Any]]] = {
    "latency": {"ms": 20, "jitter": 200, "probability": 0.05},
    "status": {"status": 503, "retry_after": 0},
    "rate-limited": {"retry_after": 1, "probability": _SHARE / 100},
    "slow-body": {"chunk": 2048, "delay": 10},
}


def _break_everything(sandbox: Sandbox) -> None:
    from social_publishing_sandbox.api.faults import KINDS

    for kind in KINDS:
        sandbox.add_fault(kind, **{"probability": _SHARE, **_FAULTS.get(kind, {})})
    sandbox.add_fault("status", status=500, probability=_SHARE)
    sandbox.add_fault("drop-after", reset=True, probability=_SHARE)


class _Watch:
    """Reads the request log each second, since old entries are dropped from it.

    Attributes:
        refused: requests beyond the rate, without those of the fault.
        duplicates: writes that were carried out twice.
    """

    def __init__(self, sandbox: Sandbox, carried_out: Path) -> None:
        self.refused = 0
        self.duplicates: list[str] = []
        self._sandbox = sandbox
        self._seen = 0
        self._over = threading.Event()
        self._file = carried_out.open("w", encoding="utf-8")
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()
        self._file.close()

    def _run(self) -> None:
        while not self._over.wait(1.0):
            self._read()
        self._read()

    def _read(self) -> None:
        since = self._seen
        for entry in self._sandbox.requests(since=since):
            self._seen = entry.number
            self.refused += entry.status == 429 and entry.fault != "rate-limited"
            if entry.succeeded and (write := _write_of(entry)):
                self._file.write(f"{write}\n")
        self.duplicates += [
            str(each) for each in self._sandbox.duplicates() if each.second.number > since
        ]


def _write_of(entry: Any) -> str | None:
    """Return the name that its writer has given to a write; None for other requests."""
    body = entry.request_body
    match entry.operation:
        case "updatePost":
            return f"{json.loads(body)['content']}"
        case "createLabel":
            return f"{json.loads(body)['name']}"
        case "uploadMedia":
            return f"{entry.request_note.split()[5].removesuffix('.png')}"
    return None


# Clients


def soak(there: There, seconds: float, outcomes: Path) -> Iterator[Held]:
    """Work with a sandbox by both clients at once.

    Yields what the process holds before, after a fifth of the time, at the end, and when all is
    closed.

    Args:
        outcomes: where the outcome of each write is written: `done`, `unknown` or `not`, its name.
    """
    from social_publishing import AsyncSocialPublishing, Retries, SocialPublishing

    settings: dict[str, Any] = {
        "api_token": there.token,
        "base_url": there.base,
        "media_url": there.media,
        "timeout": 20.0,
        "retries": Retries(first_pause=0.05, longest_pause=0.5),
    }
    before = held()
    yield before
    end = time.monotonic() + seconds
    with outcomes.open("w", encoding="utf-8") as file, SocialPublishing(**settings) as client:
        workers = [_Worker(there, number, file) for number in range(THREADS + TASKS)]

        async def tasks() -> None:
            async with AsyncSocialPublishing(**settings) as awaited, asyncio.TaskGroup() as group:
                for each in workers[THREADS:]:
                    group.create_task(each.work_async(awaited, end))

        threads = [
            *(threading.Thread(target=each.work, args=(client, end)) for each in workers[:THREADS]),
            threading.Thread(target=lambda: asyncio.run(tasks())),
        ]
        for each in threads:
            each.start()
        time.sleep(seconds / 5)
        yield held()
        time.sleep(max(0.0, end - time.monotonic()))
        yield held()
        for each in threads:
            each.join()
    # Threads that have read files are asked to end, and nobody waits for that.
    last = time.monotonic() + 5
    while held().threads > before.threads and time.monotonic() < last:
        time.sleep(0.05)
    yield held()


class _Worker:
    """Makes one random call after the other; each worker has a post of its own."""

    def __init__(self, there: There, number: int, file: TextIO) -> None:
        self._there = there
        self._number = number
        self._file = file
        self._random = random.Random(number)
        self._calls = 0

    def work(self, client: SocialPublishing, end: float) -> None:
        from social_publishing import SocialPublishingError

        while time.monotonic() < end:
            kind, name = self._choose()
            error: Exception | None = None
            try:
                result = self._begin(client, kind, name)
                if kind == "list":
                    for _ in result:
                        pass
            except SocialPublishingError as raised:
                error = raised
            self._note(kind, name, error)

    async def work_async(self, client: AsyncSocialPublishing, end: float) -> None:
        from social_publishing import SocialPublishingError

        while time.monotonic() < end:
            kind, name = self._choose()
            error: Exception | None = None
            try:
                result = self._begin(client, kind, name)
                if kind == "list":
                    async for _ in result:
                        pass
                else:
                    await result
            except SocialPublishingError as raised:
                error = raised
            self._note(kind, name, error)

    def _choose(self) -> tuple[str, str]:
        """Decide what comes next, and give it a name."""
        self._calls += 1
        kind = self._random.choices(tuple(_KINDS), tuple(_KINDS.values()))[0]
        return kind, f"{self._number}-{self._calls}{_CHANGE if kind == 'update' else ''}"

    def _begin(self, client: Any, kind: str, name: str) -> Any:
        """Begin a call of either client: return its result, or what is to be awaited for it."""
        from social_publishing import File

        match kind:
            case "update":
                return client.posts.update(self._there.posts[self._number], content=name)
            case "label":
                return client.labels.create(name=name)
            case "upload":
                return client.media.upload(file=File(PICTURE, name=f"{name}.png"))
            case "list":
                return client.posts.list(group_id=self._there.group)
            case "many":
                return client.posts.get_many(ids=self._there.posts[:20])
        return client.groups.get(self._there.group)

    def _note(self, kind: str, name: str, error: Exception | None) -> None:
        """Write down the outcome of a write."""
        from social_publishing import DecodeError, OutcomeUnknown

        if kind not in _WRITES:
            return
        word = "not"
        if error is None or isinstance(error, DecodeError):  # done, with a response that is broken
            word = "done"
        elif isinstance(error, OutcomeUnknown):
            word = "unknown"
        with _WRITING:
            self._file.write(f"{word} {name}\n")


_WRITING: Final = threading.Lock()  # a text file mixes up what several threads write to it
_CHANGE: Final = "-change"  # ends the names of those writes that replace each other
_WRITES: Final = ("update", "label", "upload")
_KINDS: Final = {"group": 30, "many": 30, "update": 25, "label": 12, "list": 2, "upload": 1}
PICTURE: Final = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\b\2\0\0\0\x90wS\xde\0\0\0\fIDATx\x9cc```\0\0\0"
    b"\4\0\1\xf6\x178U\0\0\0\0IEND\xaeB`\x82"
)


def judge(outcomes: Path, carried_out: Path, contents: Mapping[str, str]) -> Counter[str]:
    """Compare what clients believed of their writes with what was carried out, and count.

    `lost`: reported as done, and was not. `twice`: carried out more than once. `denied`: reported
    as not done, and was. `other`: posts that are not as the last change left them. `writes`,
    `unknown`: how many there were.

    Args:
        contents: of the posts at the end.
    """
    names = carried_out.read_text(encoding="utf-8").split()
    times, found = Counter(names), Counter[str]()
    last = {name.partition("-")[0]: name for name in names if name.endswith(_CHANGE)}
    found["other"] = len(set(last.values()) - set(contents.values()))
    for line in outcomes.read_text(encoding="utf-8").splitlines():
        word, name = line.split()
        found["writes"] += 1
        found["unknown"] += word == "unknown"
        found["lost"] += word == "done" and not times[name]
        found["denied"] += word == "not" and bool(times[name])
        found["twice"] += times[name] > 1
    return found


def _print(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def main(command: str, *arguments: str) -> None:
    """Run one side."""
    if command == "serve":
        (carried_out,) = arguments
        serve(Path(carried_out))
    else:
        place, seconds, outcomes = arguments
        for each in soak(There(**json.loads(place)), float(seconds), Path(outcomes)):
            _print(**asdict(each))


if __name__ == "__main__":
    main(*sys.argv[1:])
