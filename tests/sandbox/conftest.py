"""What tests talk to: a world of a few objects, or the small one, in which time stands still."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import httpcore2
import pytest
from wire import Ids, Wire, ids, world

import social_publishing_sandbox
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.state.store import Store


@pytest.fixture(scope="session", autouse=True)
def tls_once() -> Iterator[None]:
    """Read the certificates of the system once: each client of a test reads them all again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture(scope="module", autouse=True)
def locked() -> Iterator[None]:
    """Whoever is asked for something holds the lock of the state; tests need not, nor who makes it.

    One that is not taken would be missed once in a thousand requests.
    """
    made = Store.__init__

    def make(self: Store, file: Path | None = None) -> None:
        made(self, file)
        execute = self.execute

        def watched(*given: Any) -> Any:
            assert self.lock._is_owned() or _may_do_without(), "the lock is not held"  # type: ignore[attr-defined]
            return execute(*given)

        self.execute = watched  # type: ignore[method-assign, assignment]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "__init__", make)
        yield


def _may_do_without() -> bool:
    """A sandbox is being made, or a test asks a part of it that is not for everybody."""
    frame, around = sys._getframe(2), Path(contextlib.__file__)
    while (place := Path(frame.f_code.co_filename)).is_relative_to(PACKAGE) or place == around:
        if frame.f_code.co_name == "__init__" or place.name == "seeding.py":
            return True
        if place.name in ("control.py", "sandbox.py"):
            return False
        assert frame.f_back
        frame = frame.f_back
    return place.parent.name in ("sandbox", "simulation")


PACKAGE = Path(social_publishing_sandbox.__path__[0])


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = Sandbox(world(), clock="frozen", rate_limit=None)
    yield made
    refused = (each for each in made.requests() if 400 <= (each.status or 0) < 500)
    assert all(each.cites or each.fault for each in refused), "a refusal that cites nothing"
    made.close()


@pytest.fixture
def wire(sandbox: Sandbox) -> Wire:
    """Asks the sandbox over HTTP, without sockets."""
    return Wire(sandbox)


@pytest.fixture
def known(sandbox: Sandbox) -> Ids:
    """The identifiers of the world's objects by their names."""
    return ids(sandbox)


@pytest.fixture(scope="module")
def shared() -> Iterator[Sandbox]:
    """The small world, served: one for all tests of a module."""
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


@pytest.fixture
def anew(shared: Sandbox) -> Sandbox:
    """That world as it was at first, whatever was done to it."""
    shared.set_clock(mode="frozen")
    shared.configure(rate_limit=None, nulls=False, processing=None, fetch_hosts=[])
    shared.reset("small", seed=7)
    for name in shared.snapshots():
        shared.forget_snapshot(name)
    return shared


@pytest.fixture
def own() -> Iterator[Sandbox]:
    """The small world, for one test, without sockets unless it is started."""
    sandbox = Sandbox(clock="frozen", rate_limit=None)
    yield sandbox
    sandbox.close()
