"""Many requests at a time, event loops that come and go, forks, closing: nothing is left behind.

The programs here run in processes of their own, where anything that is not closed is an error.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier

import pytest
from runtime.transport.connections import IN_FLIGHT

from tests.support.both import BACKENDS
from tests.support.server import Request, Response, Script, Server, hold, reset, serve

HERE = Path(__file__).parent
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")

PRELUDE = """
import asyncio, gc, logging, os, sys, threading, time
import anyio
from functools import partial
from runtime_support import Counted, at, options, request
from runtime.engine.client import AsyncClient, Client
from runtime.core.errors import *
from runtime.limits.budget import InProcessRates
from runtime.limits.rates import RateRule
from runtime.transport.connections import IN_FLIGHT

URL, BACKEND, WAY = sys.argv[1:]
RULE = RateRule(requests=10**9, seconds=60, limit="l", remaining="r", reset="s")
# A busy machine is no failure.
logging.getLogger("asyncio").addFilter(lambda record: "Executing" not in record.msg)

def make(kind=AsyncClient, http=None, url=None, **changes):
    changes = {"pacing": "wait", "timeout": 20, **changes}
    permits = Counted()
    client = kind(at(url or URL, rate=RULE, rates=permits), options(**changes), http)
    client.permits = permits
    return client

def ask(what, method="GET", **parts):
    return request(method, f"/pets/{what}", returns=int, **parts)

def run(main, *args):
    return anyio.run(main, *args, backend=BACKEND)

async def several(call, number, errors=()):
    results = {}
    async def one(n):
        try:
            results[n] = await call(n)
        except errors as error:
            results[n] = error
    async with anyio.create_task_group() as group:
        for n in range(number):
            group.start_soon(one, n)
    return results

def check_permits(client):
    permits = client.permits
    settled = len(permits.settled) + len(permits.given_back)
    assert settled == len(permits.taken), "a permit is lost"

async def check_idle(client):
    "Whatever was taken is back: permits, and places among the requests under way."
    check_permits(client)
    copy = client.with_options(timeout=5, retries=0)
    found = await several(lambda n: copy.send(ask("together")), IN_FLIGHT)
    assert set(found.values()) == {0}, "a place is lost"

def in_child(work):
    "Run a function in a forked process, which must end well, and in time."
    if WAY == "multiprocessing":
        import multiprocessing
        process = multiprocessing.get_context("fork").Process(target=work)
        process.start()
        process.join(600)
        assert process.exitcode == 0, process.exitcode
        process.close()
        return
    pid = os.fork()
    if not pid:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    for _ in range(1000):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(pid, 9)
    assert status == 0 and done, status
"""


@pytest.fixture
def server() -> Iterator[Server]:
    """Responds to `/…/12` with the number 12, to `/…/reset` with a reset, to `/…/hold` never.

    `/…/together` is answered as soon as so many requests are under way as there may be, and
    `/…/count` with how many are under way, itself included.
    """
    everybody = Barrier(IN_FLIGHT)

    def respond(request: Request) -> Response | Script:
        what = request.path.rpartition("/")[2]
        if what == "together":
            everybody.wait(5)
            what = "0"
        if what == "count":
            what = str(server.under_way)
        scripts: dict[str, Script] = {"hold": hold, "reset": reset}
        return scripts.get(what) or Response(body=what.encode())

    with serve(respond, delay=0.005) as server:
        yield server


def program(
    server: Server, code: str, backend: str = "asyncio", way: str = "fork", debug: bool = True
) -> None:
    """Run a program; it must come to its end without a word, and leave no connection open."""
    path = os.pathsep.join([str(HERE), str(HERE.parents[1] / "templates")])
    environment = {**os.environ, "PYTHONPATH": path}
    environment.pop("PYTHONASYNCIODEBUG", None)
    if debug:
        environment["PYTHONASYNCIODEBUG"] = "1"
    strict = ["-W", "error::ResourceWarning", "-W", "error::RuntimeWarning"]
    # Since 3.12, Python warns of what is tried here: a fork beside other threads.
    strict += ["-W", "ignore:This process:DeprecationWarning"]
    done = subprocess.run(
        [
            sys.executable,
            *strict,
            "-c",
            PRELUDE + textwrap.dedent(code),
            server.url("/v1"),
            backend,
            way,
        ],
        env=environment,
        capture_output=True,
        text=True,
        timeout=40,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr[-3000:]
    server.wait_for(lambda it: it.open == 0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_many_tasks(server: Server, backend: str) -> None:
    """All of 1,000 tasks are answered, 16 at a time, those that came first before the others."""
    program(
        server,
        """
        async def main():
            begun, ended = [], []
            async with make(pacing="off") as client:
                async def call(n):
                    begun.append(n)
                    answer = await client.send(ask(n))
                    ended.append(n)
                    return answer
                found = await several(call, 1000)
                assert found == {n: n for n in range(1000)}
                await check_idle(client)
            place = {n: place for place, n in enumerate(begun)}
            # The server may be slow with any of them: only that none was let in too early is sure.
            assert max(place[n] - now for now, n in enumerate(ended)) < IN_FLIGHT
        run(main)
        """,
        backend,
        debug=False,
    )
    assert len(server.requests) >= 1000
    assert server.most <= IN_FLIGHT
    assert server.opened <= IN_FLIGHT
    assert server.broken == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_half_of_them_cancelled_and_some_broken(server: Server, backend: str) -> None:
    """Half of the tasks are cancelled in the middle, a tenth lose their connection."""
    program(
        server,
        """
        async def main():
            client = make()
            scopes = {}
            async def call(n):
                what = "reset" if n % 10 == 1 else n
                with anyio.CancelScope() as scopes[n]:
                    return await client.send(ask(what))
            async def cancel():
                for n in range(0, 300, 2):
                    scopes[n].cancel()
                    await anyio.sleep(0)
            async with anyio.create_task_group() as group:
                async def all_of_them():
                    found.update(await several(call, 300, ConnectionFailed))
                found = {}
                group.start_soon(all_of_them)
                await anyio.sleep(0.02)
                group.start_soon(cancel)
            for n in range(1, 300, 2):
                assert found[n] == n if n % 10 != 1 else isinstance(found[n], ConnectionFailed)
            await check_idle(client)
            assert await client.send(ask(7)) == 7
            await client.close()
        run(main)
        """,
        backend,
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_two_event_loops_one_after_the_other(server: Server, backend: str) -> None:
    """A client that nobody closes serves each of them, and leaves nothing open in any."""
    program(
        server,
        """
        client = make()
        async def main():
            found = await several(lambda n: client.send(ask(n)), 80)
            assert found == {n: n for n in range(80)}
        run(main)
        run(main)
        """,
        backend,
    )
    assert server.broken == 0


def test_two_event_loops_at_once(server: Server) -> None:
    """In two threads; one client, and each loop has its own connections."""
    program(
        server,
        """
        client = make()
        failures = []
        async def main():
            for _ in range(3):
                found = await several(lambda n: client.send(ask(n)), 50)
                assert found == {n: n for n in range(50)}
        def act():
            try:
                run(main)
            except BaseException as error:
                failures.append(error)
        threads = [threading.Thread(target=act) for _ in range(2)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert not failures, failures
        run(check_idle, client)
        """,
    )
    assert server.broken == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_closed_while_tasks_are_under_way(server: Server, backend: str) -> None:
    """All fail at once with our error, those that are not sent yet as well."""
    program(
        server,
        """
        async def main():
            client = make(retries=2, pacing="off")
            found = {}
            async def all_of_them():
                def call(n):
                    method, safety = ("POST", "unsafe") if n % 2 else ("GET", "safe")
                    return client.send(ask("hold", method, retry_safety=safety))
                found.update(await several(call, 200, ClientError))
            with anyio.fail_after(20):
                async with anyio.create_task_group() as group:
                    group.start_soon(all_of_them)
                    async with make() as other:
                        while await other.send(ask("count")) <= IN_FLIGHT:
                            await anyio.sleep(0.01)
                    began = time.monotonic()
                    await client.close()
            assert time.monotonic() - began < 10
            kinds = {}
            for n in range(200):
                key = (n % 2, type(found[n]).__name__)
                kinds[key] = kinds.get(key, 0) + 1
            # The 16 that had been sent; a write may have been carried out.
            assert kinds[1, "OutcomeUnknown"] == IN_FLIGHT // 2, kinds
            others = {(0, "ClientError"), (1, "ClientError"), (1, "ConnectionFailed")}
            assert set(kinds) - {(1, "OutcomeUnknown")} <= others, kinds
            texts = set(map(str, found.values()))
            assert all("closed" in text for text in texts), texts
            check_permits(client)
        run(main)
        """,
        backend,
    )
    sent = [each for each in server.requests if not each.path.endswith("count")]
    assert len(sent) <= IN_FLIGHT


@pytest.mark.parametrize("backend", BACKENDS)
def test_closed_while_tasks_wait(server: Server, backend: str) -> None:
    """For room in the rate limit, for the next attempt, for a token."""
    program(
        server,
        """
        class Full(InProcessRates):
            def budget(self, key, rule):
                rule = RateRule(requests=1, seconds=600, limit="l", remaining="r", reset="s")
                return super().budget(key, rule)
        async def late():
            await anyio.sleep(600)
        async def main():
            from runtime.limits.retries import Retries
            slow = Retries(attempts=2, first_pause=500, longest_wait=500, longest_pause=500)
            rated = AsyncClient(at(URL, rate=RULE, rates=Full()), options(pacing="wait"), None)
            pausing = make(retries=slow)
            asking = AsyncClient(at(URL, token=(late, "api_token", "T_TOKEN")), options(), None)
            await rated.send(ask(1))
            calls = [(rated, 1), (pausing, "reset"), (asking, 1)]
            found = {}
            async def all_of_them():
                def call(n):
                    client, what = calls[n]
                    return client.send(ask(what))
                found.update(await several(call, 3, ClientError))
            with anyio.fail_after(10):
                async with anyio.create_task_group() as group:
                    group.start_soon(all_of_them)
                    await anyio.sleep(0.5)
                    assert not found, found
                    for client, _ in calls:
                        await client.close()
            assert all("clos" in str(error) for error in found.values()), found
            assert len(found) == 3
        run(main)
        """,
        backend,
    )


@pytest.mark.parametrize("backend", BACKENDS)
def test_closed_twice_and_used_afterwards(server: Server, backend: str) -> None:
    program(
        server,
        """
        async def main():
            client = make()
            await client.close()
            await client.close()
            client = make()
            assert await client.send(ask(3)) == 3
            streamed = client.stream(ask(4))
            async with streamed as answer:
                await client.close()
                try:
                    assert [piece async for piece in answer.iter_bytes()] == [b"4"]
                except ClientError:
                    pass
            await client.close()
            streamed = client.stream(ask(3))
            for use in (lambda: client.send(ask(3)), streamed.__aenter__, client.__aenter__):
                try:
                    await use()
                except ClientError as error:
                    assert str(error) == "the client is closed"
                else:
                    raise AssertionError
        run(main)
        """,
        backend,
    )


def test_a_client_that_is_dropped_closes_its_connections(server: Server) -> None:
    """All of them, even while the event loop goes on."""
    program(
        server,
        """
        async def main():
            client = make()
            client.itself = client
            await several(lambda n: client.send(ask(n)), 50)
            del client
            gc.collect()
            def are_closing():
                made = [each for each in gc.get_objects() if isinstance(each, asyncio.Transport)]
                return all(each.is_closing() for each in made)
            async with asyncio.timeout(10):
                while not are_closing():
                    await asyncio.sleep(0.05)
        asyncio.run(main())
        """,
    )


def test_answers_that_are_still_read_keep_their_connection(server: Server) -> None:
    """Streams stay open beside any number of calls, whatever the calls do to idle connections."""
    program(
        server,
        """
        from contextlib import AsyncExitStack
        async def main():
            client = make()
            async with AsyncExitStack() as stack:
                open_ = [await stack.enter_async_context(client.stream(ask(n))) for n in range(100)]
                await several(lambda n: client.send(ask(n)), 100)
                await client.send(ask(1))
                for n, answer in enumerate(open_):
                    pieces = [piece async for piece in answer.iter_bytes()]
                    assert b"".join(pieces) == str(n).encode()
            await check_idle(client)
            await client.close()
        run(main)
        """,
    )


@needs_fork
@pytest.mark.parametrize("way", ["fork", "multiprocessing"])
def test_a_fork_of_a_client_that_waits(server: Server, way: str) -> None:
    """Threads are under way meanwhile; parent and child work on, each with its own connections."""
    program(
        server,
        """
        client = make(Client)
        client.send(ask(1))  # in the middle of an import no program can be forked
        stop = threading.Event()
        failures = []
        def work():
            while not stop.is_set():
                try:
                    assert client.send(ask(5)) == 5
                except BaseException as error:
                    failures.append(error)
        threads = [threading.Thread(target=work, daemon=True) for _ in range(8)]
        for thread in threads: thread.start()
        time.sleep(0.1)
        def child():
            assert all(client.send(ask(n)) == n for n in range(20))
            client.close()
        for _ in range(4):
            in_child(child)
        stop.set()
        for thread in threads: thread.join()
        assert client.send(ask(6)) == 6
        assert not failures, failures
        client.close()
        """,
        way=way,
    )
    assert server.broken == 0


@needs_fork
@pytest.mark.parametrize(
    ("backend", "way"), [*zip(BACKENDS, ["fork", "multiprocessing"], strict=False)]
)
def test_a_fork_of_a_client_to_be_awaited(server: Server, backend: str, way: str) -> None:
    """While its connections are open, and requests wait for their answer."""
    program(
        server,
        """
        client = make()
        async def use(number):
            found = await several(lambda n: client.send(ask(n)), number)
            assert found == {n: n for n in range(number)}
        def child():
            # The event loop of the parent is none of this process; a thread has none at all.
            failures = []
            def act():
                try:
                    run(use, 20)
                    run(use, 20)
                except BaseException as error:
                    failures.append(error)
            thread = threading.Thread(target=act)
            thread.start()
            thread.join()
            assert not failures, failures
        async def main():
            await use(20)
            in_child(child)
            async with anyio.create_task_group() as group:
                group.start_soon(use, 100)
                await anyio.sleep(0.01)
                in_child(child)
            await use(20)
            await client.close()
        run(main)
        """,
        backend,
        way,
        debug=False,
    )
    assert server.broken == 0


@needs_fork
@pytest.mark.parametrize("kind", ["Client", "AsyncClient"])
def test_a_fork_while_another_thread_makes_the_connections(server: Server, kind: str) -> None:
    """The child does not wait for that thread, which it does not have."""
    program(
        server,
        f"""
        kind = {kind}
        """
        """
        from runtime.transport import connections
        parent, tls = os.getpid(), connections._tls
        opening, going_on = threading.Event(), threading.Event()
        def slowly(needed):
            if os.getpid() == parent:
                opening.set()
                going_on.wait(15)
            return tls(needed)
        connections._tls = slowly
        client = make(kind)
        found = []
        def use():
            found.append(client.send(ask(1)) if kind is Client else run(client.send, ask(1)))
        def child():
            thread = threading.Thread(target=use)
            thread.start()
            thread.join()
            assert found == [1]
        thread = threading.Thread(target=use)
        thread.start()
        assert opening.wait(600)
        in_child(child)
        going_on.set()
        thread.join()
        assert found == [1]
        if kind is Client:
            client.close()
        """,
        debug=False,
    )


@needs_fork
def test_a_fork_does_not_share_a_handed_in_client(server: Server) -> None:
    """It is refused where it was used before; else it may be used."""
    program(
        server,
        """
        import httpx2
        with httpx2.Client() as used, httpx2.Client() as fresh:
            one, other = make(Client, used), make(Client, fresh)
            one.send(ask(1))
            def child():
                assert other.send(ask(2)) == 2
                fresh.close()
                try:
                    one.send(ask(1))
                except ClientError as error:
                    assert "forked" in str(error)
                else:
                    raise AssertionError
            in_child(child)
            assert one.send(ask(3)) == 3
        """,
    )
    assert server.broken == 0


def test_callers_meet_while_the_connections_are_made(server: Server) -> None:
    """No lock is held meanwhile: where threads are patched, whoever waits for it waits for ever."""
    program(
        server,
        """
        from runtime.transport import connections
        tls, found, opened, closed = connections._tls, [], [], []
        made = connections._opened
        def noting(make):
            way = made(make)
            return way._replace(close=lambda: (closed.append(way), way.close()))
        connections._opened = noting
        def slowly(needed):
            opened.append(needed)
            if len(opened) == 1:  # as if another one ran while this one waits for its disk
                other = threading.Thread(target=lambda: found.append(client.send(ask(2))))
                other.start()
                other.join(600)
                assert found == [2], "the other one waits"
            return tls(needed)
        connections._tls = slowly
        with make(Client) as client:
            assert client.send(ask(1)) == 1
            assert client.send(ask(3)) == 3
            assert len(closed) == 1, "the one that came too late"
        assert len(opened) == len(closed) == 2
        """,
        debug=False,
    )
