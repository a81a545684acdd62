"""A server for the tests of rate stores; where there is none, they skip and say so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.valkey import PROGRAM, ValkeyServer, valkey_server

needs_valkey = pytest.mark.skipif(
    PROGRAM is None, reason="no server: install valkey-server or redis-server"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyServer]:
    """Run a server for the tests of a module."""
    with valkey_server(tmp_path_factory.mktemp("valkey")) as running:
        yield running
