"""What is left running for long: clients, a sandbox, and clients against a sandbox that breaks.

`python -m benchmarks.enduring WHAT …` runs one of them as a process that says in JSON, a line each
time, what it holds.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import json
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO
from urllib.parse import urlsplit

from benchmarks import samples
from benchmarks.measuring import TOKEN

if TYPE_CHECKING:
    import httpx2
    from social_publishing import AsyncSocialPublishing, SocialPublishing

    from social_publishing_sandbox import Sandbox

TASKS: Final = 64
THREADS: Final = 8
BASE: Final = "http://service.invalid/v1"


@dataclass(frozen=True)
class Held:
    """What a process holds, once its garbage is collected.

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
    """What this process holds now.

    Raises:
        OSError: the system does not tell.
    """
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Held(
        memory=pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
        blocks=sys.getallocatedblocks(),
        handles=len(os.listdir("/proc/self/fd")),
        threads=len(os.listdir("/proc/self/task")),
    )


# Calls in memory


class Service:
    """Answers in memory: whole ones, lost ones, and whatever else may go wrong."""

    def __init__(self) -> None:
        group, page = samples.group(), samples.page(5)
        self._page = json.loads(page)
        self._odd = json.loads(group)
        self._ready = {"whole": group, "small": samples.small_group(), "garbage": page[:-9]}
        self._label = samples.label()
        self._asked = itertools.count()

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        """The answer to a request; every second one of those that are lost or refused for now.

        Raises:
            httpx2.ConnectError, httpx2.ReadError: there is none.
        """
        import httpx2

        number, name = next(self._asked), request.url.path.rpartition("/")[2]
        if name == "labels":
            return self._labels(number)
        if name == "posts":
            return self._respond(200, self._listed(request))
        if name == "404":
            return self._respond(404, b'{"message": "There is no such group."}')
        if name == "503" and number % 2:
            return self._respond(503, b'{"message": "Later."}', {"Retry-After": "0"})
        if name == "500" and number % 2:
            raise httpx2.ConnectError("refused")
        if name == "200":
            unknown = {**self._odd, "type": 1000 + number, f"new_{number % 1000}": number}
            return self._respond(200, json.dumps(unknown).encode())
        return self._respond(200, self._ready[_NAMES.get(name, "whole")])

    def _labels(self, number: int) -> httpx2.Response:
        import httpx2

        if number % 7 < 2:
            raise httpx2.ReadError("reset")
        if number % 7 < 4:
            return self._respond(422, b'{"message": "No.", "errors": {"name": ["Too long."]}}')
        return self._respond(200, self._label)

    def _listed(self, request: httpx2.Request) -> bytes:
        current = int(request.url.params.get("page", 1))
        after = f"{BASE}/posts?groupId=1&page=2" if current == 1 else None
        meta = {"current_page": current, "last_page": 2, "next_page_url": after}
        return json.dumps({**self._page, "meta": meta}).encode()

    def _respond(
        self, status: int, body: bytes, more: dict[str, str] | None = None
    ) -> httpx2.Response:
        import httpx2

        headers = {"Content-Type": "application/json", **samples.rate_headers(), **(more or {})}
        return httpx2.Response(status, headers=headers, content=body)


_NAMES: Final = {"2": "small", "3": "garbage"}
_GROUPS: Final = ("1", "2", "503", "404", "500", "3", "200", "1")  # and then a list and a label


def begin(client: Any, number: int) -> Any:
    """The call of a number, of either client: what it gives, or what is to be awaited for it."""
    kind = number % (len(_GROUPS) + 2)
    if kind < len(_GROUPS):
        return client.groups.get(_GROUPS[kind])
    if kind == len(_GROUPS):
        return client.posts.list(group_id="1")
    return client.labels.create(name=f"label {number}")


def finish(result: Any) -> None:
    """Go through all that a call gave."""
    if hasattr(result, "pages"):
        for _ in result:
            pass


async def finish_async(result: Any) -> None:
    """Wait for all that a call gives."""
    if hasattr(result, "pages"):
        async for _ in result:
            pass
    else:
        await result


def _in_memory() -> dict[str, Any]:
    from social_publishing import Retries

    retries = Retries(first_pause=0.0)
    return {"api_token": TOKEN, "base_url": BASE, "media_url": BASE, "retries": retries}


def caller() -> tuple[SocialPublishing, Callable[[int], None]]:
    """A client of a service in memory, and what makes its call of a number."""
    import httpx2
    from social_publishing import SocialPublishing, SocialPublishingError

    http = httpx2.Client(transport=httpx2.MockTransport(Service().answer))
    client = SocialPublishing(**_in_memory(), http_client=http)

    def call(number: int) -> None:
        with suppress(SocialPublishingError):
            finish(begin(client, number))

    return client, call


def async_caller() -> tuple[AsyncSocialPublishing, Callable[[int], Awaitable[None]]]:
    """The same for the client whose calls are awaited."""
    import httpx2
    from social_publishing import AsyncSocialPublishing, SocialPublishingError

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(Service().answer))
    client = AsyncSocialPublishing(**_in_memory(), http_client=http)

    async def call(number: int) -> None:
        with suppress(SocialPublishingError):
            await finish_async(begin(client, number))

    return client, call


def called(early: int, late: int) -> Iterator[Held]:
    """What a client holds after so many calls, and after so many more."""
    client, call = caller()
    with client:
        for numbers in (range(early), range(early, late)):
            for number in numbers:
                call(number)
            yield held()


def awaited(early: int, late: int) -> Iterator[Held]:
    """The same, of 64 tasks at a time."""
    with asyncio.Runner() as runner:
        client, call = async_caller()
        for numbers in (range(early), range(early, late)):
            left = iter(numbers)

            async def work(left: Iterator[int] = left) -> None:
                for number in left:
                    await call(number)

            async def all_work() -> None:
                async with asyncio.TaskGroup() as group:
                    for _ in range(TASKS):
                        group.create_task(work())

            runner.run(all_work())
            yield held()
        runner.run(client.close())


# Clients that come and go


def opened(base: str, early: int, late: int) -> Iterator[Held]:
    """What a process holds after so many clients of a server, each closed after one call."""
    from social_publishing import SocialPublishing

    for number in (early, late - early):
        for _ in range(number):
            with SocialPublishing(api_token=TOKEN, base_url=base, media_url=base) as client:
                client.groups.get("2")
        yield held()


def opened_async(base: str, early: int, late: int) -> Iterator[Held]:
    """The same for clients whose calls are awaited, in an event loop of its own for every tenth."""
    from social_publishing import AsyncSocialPublishing

    async def ten() -> None:
        for _ in range(10):
            async with AsyncSocialPublishing(
                api_token=TOKEN, base_url=base, media_url=base
            ) as client:
                await client.groups.get("2")

    for number in (early, late - early):
        for _ in range(0, number, 10):
            asyncio.run(ten())
        yield held()


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
    """Where a sandbox is, with a fresh post for everyone who works with it."""
    posts = [sandbox.create_post(content="", status="DRAFT")["id"] for _ in range(THREADS + TASKS)]
    group = sandbox.find("groups")[0]["id"]
    return There(sandbox.base_url, sandbox.media_url, sandbox.token, posts, group)


def served(carried_out: Path | None) -> None:
    """Serve a sandbox; for every line that comes in, say what it holds, or what it knows.

    Args:
        carried_out: where the writes that were carried out are written, a line each; whatever can
            go wrong then does, now and then.
    """
    from social_publishing_sandbox import Sandbox

    with Sandbox(rate_limit=None) as sandbox:
        place = there(sandbox)
        _say(**asdict(place))
        watch = _Watch(sandbox, carried_out)
        if carried_out:
            sandbox.limit(_BUDGET, window=_WINDOW)
            break_everything(sandbox)
        for line in sys.stdin:
            match line.strip():
                case "held":
                    _say(**asdict(held()))
                case "end":
                    watch.end()
                    contents = {
                        each: sandbox.read_post(each).get("content") for each in place.posts
                    }
                    _say(refused=watch.refused, duplicates=watch.duplicates, contents=contents)


def asked(there: There, kind: str, numbers: range) -> None:
    """Send a sandbox the requests of these numbers, over one connection after the other.

    Args:
        kind: `read` for reads and what is refused, `refused` for the latter alone, `write` for
            changes.

    Raises:
        RuntimeError: one was answered otherwise than it should be.
    """
    ways = _WAYS[kind]
    address = urlsplit(there.base)
    for first in range(numbers.start, numbers.stop, _OF_ONE_CONNECTION):
        connection = HTTPConnection(address.hostname or "", address.port, timeout=60)
        with closing(connection):
            for number in range(first, min(first + _OF_ONE_CONNECTION, numbers.stop)):
                _ask(connection, address.path, there, ways[number % len(ways)], number)


def _ask(connection: HTTPConnection, base: str, there: There, way: _Way, number: int) -> None:
    post = there.posts[number % len(there.posts)]
    target = base + way.target.format(number=number, group=there.group, post=post)
    token = f"nobody-{number}" if way.status == 401 else there.token
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    body = way.body.replace("$", str(number))
    connection.request(way.method, target, body or None, headers)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != way.status:
        raise RuntimeError(f"{way.method} {target}: {answer.status} {content[:200]!r}")


class _Way(NamedTuple):
    """A request, and the status of its answer; `$` in the body is its number."""

    method: str
    target: str
    status: int = 200
    body: str = ""


_OF_ONE_CONNECTION: Final = 500
_READS: Final = (_Way("GET", "/posts-bulk?ids={post}"), _Way("GET", "/groups/{group}"))
_REFUSED: Final = (
    _Way("GET", "/nothing/{number}", 404),
    _Way("GET", "/groups/{number}", 404),
    _Way("GET", "/groups/{group}?{number}=1", 401),
    _Way("GET", "/posts?groupId={number}x", 422),
    _Way("PATCH", "/posts/{post}", 422, '{"content": $}'),
)
_WAYS: Final = {
    "read": (*_READS * 6, _Way("GET", "/posts?groupId={group}"), *_REFUSED),
    "refused": _REFUSED,
    "write": (_Way("PATCH", "/posts/{post}", 200, '{"content": "Change $"}'),),
}

_BUDGET: Final = 800  # requests in a window
_WINDOW: Final = 2  # seconds
_SHARE: Final = 0.01  # of all requests, for each kind of fault
_FAULTS: Final[dict[str, dict[str, Any]]] = {
    "latency": {"ms": 20, "jitter": 200, "probability": 0.05},
    "status": {"status": 503, "retry_after": 0},
    "rate-limited": {"retry_after": 1, "probability": _SHARE / 100},
    "slow-body": {"chunk": 2048, "delay": 10},
}


def break_everything(sandbox: Sandbox) -> None:
    """Switch on every kind of fault that the sandbox has."""
    from social_publishing_sandbox.api.faults import KINDS

    for kind in KINDS:
        sandbox.add_fault(kind, **{"probability": _SHARE, **_FAULTS.get(kind, {})})
    sandbox.add_fault("status", status=500, probability=_SHARE)
    sandbox.add_fault("drop-after", reset=True, probability=_SHARE)


class _Watch:
    """Looks at the request log each second, which forgets what is old.

    Attributes:
        refused: requests beyond the rate, those of the fault aside.
        duplicates: writes that were carried out twice.
    """

    def __init__(self, sandbox: Sandbox, carried_out: Path | None) -> None:
        self.refused = 0
        self.duplicates: list[str] = []
        self._sandbox = sandbox
        self._seen = 0
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        if carried_out:
            self._file = carried_out.open("w", encoding="utf-8")
            self._thread = threading.Thread(target=self._run)
            self._thread.start()

    def end(self) -> None:
        if self._thread:
            self._over.set()
            self._thread.join()
            self._file.close()

    def _run(self) -> None:
        while not self._over.wait(1.0):
            self._look()
        self._look()

    def _look(self) -> None:
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
    """What was written, by the name that its writer has given it."""
    body = entry.request_body
    match entry.operation:
        case "updatePost":
            return f"{json.loads(body)['content']}"
        case "createLabel":
            return f"{json.loads(body)['name']}"
        case "uploadMedia":
            return f"{entry.request_note.split()[5].removesuffix('.png')}"
    return None


# Clients against a sandbox that breaks


def soak(there: There, seconds: float, outcomes: Path) -> Iterator[Held]:
    """Work with a sandbox by both clients at once; what the process holds before, soon, at the end,
    and when all is closed.

    Args:
        outcomes: where what came of each write is written: `done`, `unknown` or `not`, its name.
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
    with outcomes.open("w", encoding="utf-8") as file:
        client = SocialPublishing(**settings)
        workers = [_Worker(there, number, file) for number in range(THREADS + TASKS)]
        threads = [
            threading.Thread(target=_work, args=(client, each, end)) for each in workers[:THREADS]
        ]

        async def tasks() -> None:
            async with AsyncSocialPublishing(**settings) as awaited, asyncio.TaskGroup() as group:
                for each in workers[THREADS:]:
                    group.create_task(_work_async(awaited, each, end))

        loop = threading.Thread(target=lambda: asyncio.run(tasks()))
        for each in (*threads, loop):
            each.start()
        time.sleep(seconds / 5)
        yield held()
        time.sleep(max(0.0, end - time.monotonic()))
        yield held()
        for each in (*threads, loop):
            each.join()
        client.close()
    # Threads that have read files are told to end, and nobody waits for that.
    last = time.monotonic() + 5
    while held().threads > before.threads and time.monotonic() < last:
        time.sleep(0.05)
    yield held()


class _Worker:
    """One of those that work; each has a post of its own."""

    def __init__(self, there: There, number: int, file: TextIO) -> None:
        self._there = there
        self._post = there.posts[number]
        self._file = file
        self._draw = random.Random(number)
        self._who, self._calls = number, 0
        self._kind = self._name = ""

    def choose(self) -> None:
        """Decide what comes next."""
        self._calls += 1
        self._kind = self._draw.choices(tuple(_KINDS), tuple(_KINDS.values()))[0]
        self._name = f"{self._who}-{self._calls}{_CHANGE if self._kind == 'update' else ''}"

    def begin(self, client: Any) -> Any:
        """Do it, with either client: what it gives, or what is to be awaited for it."""
        from social_publishing import File

        match self._kind:
            case "update":
                return client.posts.update(self._post, content=self._name)
            case "label":
                return client.labels.create(name=self._name)
            case "upload":
                return client.media.upload(file=File(PICTURE, name=f"{self._name}.png"))
            case "list":
                return client.posts.list(group_id=self._there.group)
            case "many":
                return client.posts.get_many(ids=self._there.posts[:20])
        return client.groups.get(self._there.group)

    def note(self, error: Exception | None) -> None:
        """Write down what came of it, if it was a write."""
        from social_publishing import DecodeError, OutcomeUnknown

        if self._kind not in _WRITES:
            return
        word = "not"
        if error is None or isinstance(error, DecodeError):  # it was said to be done, badly
            word = "done"
        elif isinstance(error, OutcomeUnknown):
            word = "unknown"
        with _WRITING:
            self._file.write(f"{word} {self._name}\n")


_WRITING: Final = threading.Lock()  # a text file mixes up what several threads write to it
_CHANGE: Final = "-change"  # ends the names of those writes that replace each other
_WRITES: Final = ("update", "label", "upload")
_KINDS: Final = {"group": 30, "many": 30, "update": 25, "label": 12, "list": 2, "upload": 1}
PICTURE: Final = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\b\2\0\0\0\x90wS\xde\0\0\0\fIDATx\x9cc```\0\0\0"
    b"\4\0\1\xf6\x178U\0\0\0\0IEND\xaeB`\x82"
)


def _work(client: SocialPublishing, worker: _Worker, end: float) -> None:
    from social_publishing import SocialPublishingError

    while time.monotonic() < end:
        worker.choose()
        error: Exception | None = None
        try:
            finish(worker.begin(client))
        except SocialPublishingError as raised:
            error = raised
        worker.note(error)


async def _work_async(client: AsyncSocialPublishing, worker: _Worker, end: float) -> None:
    from social_publishing import SocialPublishingError

    while time.monotonic() < end:
        worker.choose()
        error: Exception | None = None
        try:
            await finish_async(worker.begin(client))
        except SocialPublishingError as raised:
            error = raised
        worker.note(error)


def wrong(outcomes: Path, carried_out: Path, contents: Mapping[str, str]) -> Counter[str]:
    """What clients believed of their writes, against what was carried out, and how often.

    `lost`: it was said to be done, and was not. `twice`: it was carried out more than once.
    `denied`: it was said not to be done, and was. `other`: posts that are not as the last change
    left them. `writes`, `unknown`: how many there were.

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


# Processes


def _say(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def main(what: str, *arguments: str) -> None:
    """Run one of them, and say what the process holds as it goes on."""
    if what == "serve":
        served(Path(arguments[0]) if arguments else None)
        return
    if what == "soak":
        there, seconds, outcomes = arguments
        told = soak(There(**json.loads(there)), float(seconds), Path(outcomes))
    elif what in ("opened", "opened_async"):
        base, early, late = arguments
        told = {"opened": opened, "opened_async": opened_async}[what](base, int(early), int(late))
    else:
        early, late = arguments
        told = {"called": called, "awaited": awaited}[what](int(early), int(late))
    for each in told:
        _say(**asdict(each))


if __name__ == "__main__":
    main(*sys.argv[1:])
