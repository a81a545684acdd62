"""What tests of single operations talk to: a small world, in which time stands still."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from wire import Ids, Wire, ids, world

from social_publishing_sandbox import Sandbox


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
