"""What calls, clients, requests and faults leave behind: counted, and not timed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks import enduring, server, soaking
from benchmarks.enduring import Held
from social_publishing_sandbox import Sandbox
from tests.costs import programs, sharing

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


@pytest.mark.parametrize("program", [programs.called, programs.awaited])
def test_a_client_keeps_nothing_of_its_calls(
    program: Callable[[int, int], Iterator[Held]],
) -> None:
    early, late = program(800, 1600)
    assert not kept(early, late, few=400)


@pytest.mark.parametrize("kind", ["file", "valkey"])
def test_processes_that_share_a_rate_limit_keep_nothing_of_their_calls(
    kind: str, tmp_path: Path
) -> None:
    """`python tests/costs/sharing.py` makes a million of them."""
    with sharing.stores(kind, tmp_path) as stores:
        if stores is None:
            pytest.skip("no server: install valkey-server or redis-server")
        early, late = programs.shared(stores, 800, 1600)
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
def test_a_sandbox_keeps_nothing_of_requests_but_its_request_log_and_its_state(kind: str) -> None:
    with Sandbox(rate_limit=None, clock="frozen") as sandbox:
        there = enduring.there(sandbox)
        programs.send(there, kind, range(1200))  # the last 1,000 changes are kept, too
        sandbox.request_log.clear()
        early = enduring.held()
        programs.send(there, kind, range(1200, 1800))
        sandbox.request_log.clear()
        until = (
            time.monotonic() + 5
        )  # the server notices a moment later that a connection is closed
        while (more := kept(early, enduring.held(), few=200)) and time.monotonic() < until:
            time.sleep(0.05)
    assert not more


def test_a_request_log_holds_the_same_once_it_is_full() -> None:
    from social_publishing_sandbox.api.request_log import RequestLog

    with Sandbox(rate_limit=None, clock="frozen") as sandbox:
        there = enduring.there(sandbox)
        request_log = RequestLog(limit=100)
        for api in sandbox._apis:
            api._request_log = request_log
        held = []
        for numbers in (range(340), range(340, 680)):
            programs.send(there, "read", numbers)
            held.append(enduring.held())
    assert len(request_log) == 100
    assert not kept(*held, few=200)


def test_under_all_faults_no_write_is_lost_or_done_twice_and_all_is_given_back() -> None:
    found = list(soaking.soak(3.0))
    assert len(found) == 10
    missed = [each.what for each in found if each.met is False and each.ours.unit != "MB"]
    assert not missed
    writes = next(each for each in found if each.what.endswith(": writes"))
    assert writes.value > 20
