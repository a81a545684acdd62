"""What calls, clients, requests and faults leave behind: counted, and not timed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from social_publishing import FileRates, ValkeyRates

from benchmarks import server
from social_publishing_sandbox import Sandbox
from tests.costs import programs
from tests.costs.programs import Held, held, there
from tests.support.valkey import PROGRAM, valkey_server

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="what a process holds is read from /proc"
)


def kept(early: Held, late: Held, few: int) -> dict[str, int]:
    """What there is more of.

    Args:
        few: pieces of memory that do not count: the caches of libraries go on filling for a while.
            It is less than one for each call.
    """
    found = {name: getattr(late, name) - getattr(early, name) for name in ("handles", "threads")}
    found["blocks"] = max(0, late.blocks - early.blocks - few)
    return {name: more for name, more in found.items() if more > 0}


def kept_at_last(early: Held) -> dict[str, int]:
    """What there is more of, once the server has noticed that connections are closed."""
    until = time.monotonic() + 5
    while (more := kept(early, held(), few=200)) and time.monotonic() < until:
        time.sleep(0.05)
    return more


@pytest.mark.parametrize("program", [programs.called, programs.awaited])
def test_a_client_keeps_nothing_of_its_calls(
    program: Callable[[int, int], Iterator[Held]],
) -> None:
    early, late = program(500, 1000)
    assert not kept(early, late, few=400)


def test_rates_in_a_file_keep_nothing_of_calls(tmp_path: Path) -> None:
    early, late = programs.shared(lambda now: FileRates(tmp_path / "rates", now=now), 800, 1600)
    assert not kept(early, late, few=200)


@pytest.mark.skipif(PROGRAM is None, reason="no server: install valkey-server or redis-server")
def test_rates_on_a_server_keep_nothing_of_calls(tmp_path: Path) -> None:
    with valkey_server(tmp_path) as server:
        address = f"valkey://127.0.0.1:{server.port}"
        early, late = programs.shared(lambda now: ValkeyRates(address, now=now), 800, 1600)
    assert not kept(early, late, few=200)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with server.running() as base:
        yield base


@pytest.mark.parametrize("program", [programs.opened, programs.opened_async])
def test_a_client_that_is_closed_leaves_nothing(
    address: str, program: Callable[[str, int, int], Iterator[Held]]
) -> None:
    early, late = program(address, 200, 440)
    assert not kept(early, late, few=200)


@pytest.mark.parametrize("kind", ["read", "refused", "write"])
def test_a_sandbox_keeps_only_its_log_and_its_state(kind: str) -> None:
    with Sandbox(rate_limit=None, clock="frozen") as sandbox:
        place = there(sandbox)
        first = 1200 if kind == "write" else 400  # the last 1,000 changes are kept, too
        programs.send(place, kind, range(first))
        sandbox.request_log.clear()
        early = held()
        programs.send(place, kind, range(first, first + 400))
        sandbox.request_log.clear()
        more = kept_at_last(early)
    assert not more


def test_a_request_log_holds_the_same_once_it_is_full() -> None:
    from social_publishing_sandbox.api.request_log.ring import RequestLog

    with Sandbox(rate_limit=None, clock="frozen") as sandbox:
        place = there(sandbox)
        request_log = RequestLog(limit=100)
        for api in sandbox._apis:
            api._request_log = request_log
        programs.send(place, "read", range(340))
        early = held()
        programs.send(place, "read", range(340, 680))
        more = kept_at_last(early)
    assert len(request_log) == 100
    assert not more
