"""The rate store on a server: what every store does, and the ways to reach a server."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from runtime.core.errors import ConfigurationError
from runtime.limits.ledger import Message, RateStore
from runtime.limits.valkey_rates import ValkeyRates
from store_suite import Party, StoreSuite
from valkey_support import needs_valkey
from valkey_support import server as server

from tests.support.tls import certify
from tests.support.valkey import ValkeyServer, free_port, valkey_server

pytest.importorskip("redis", reason="the package redis is not installed")

ASKING = Message("a", 1, 0.0, 0, 60, 60.0, asks=[False])


@needs_valkey
class TestValkeyRates(StoreSuite):
    @pytest.fixture(autouse=True)
    def _on_server(self, server: ValkeyServer) -> None:
        self.address = f"valkey://127.0.0.1:{server.port}"

    def store(self, now: Callable[[], float]) -> RateStore:
        return ValkeyRates(self.address, now=now)


def works(store: RateStore) -> bool:
    """Whether permits are granted and counted, by the clock of the server."""
    first, second = (Party(store, "user", name, time.monotonic) for name in "ab")
    first.learn(20)
    return first.ask(5) == 5 and second.left == 15


@needs_valkey
def test_the_time_is_that_of_the_server(server: ValkeyServer) -> None:
    store = ValkeyRates(f"redis://127.0.0.1:{server.port}")
    party = Party(store, "ending", "a", time.monotonic)
    party.learn(0, ends=0.3)
    assert party.ask(1) == 0
    until = time.monotonic() + 20
    while not party.ask(1):
        assert time.monotonic() < until
        time.sleep(0.05)


@needs_valkey
def test_one_key_a_user_that_goes_by_itself(server: ValkeyServer) -> None:
    from redis import Redis

    store = ValkeyRates(f"redis://127.0.0.1:{server.port}/3", prefix="mine")
    assert works(store)
    database = Redis(port=server.port, db=3)
    assert database.keys() == [b"mine:{user}"]
    assert 86_000 < database.ttl("mine:{user}") <= 86_400


@needs_valkey
def test_a_server_with_a_password(tmp_path: Path) -> None:
    with valkey_server(tmp_path, "--requirepass", "s3cret") as running:
        assert works(ValkeyRates(f"valkey://:s3cret@127.0.0.1:{running.port}"))
        from redis import AuthenticationError

        with pytest.raises(AuthenticationError, match="invalid username") as caught:
            ValkeyRates(f"valkey://:wr0ng@127.0.0.1:{running.port}").reserve("user", ASKING)
        assert "wr0ng" not in str(caught.value)


@needs_valkey
def test_a_server_with_tls(tmp_path: Path) -> None:
    certify(tmp_path)
    port = free_port()
    tls = "--port 0 --tls-auth-clients no --tls-cert-file cert --tls-key-file key --tls-port"
    with valkey_server(tmp_path, *tls.split(), f"{port}", port=port):
        trusted = f"ssl_ca_certs={tmp_path / 'cert'}"
        assert works(ValkeyRates(f"valkeys://127.0.0.1:{port}?{trusted}"))


@needs_valkey
def test_a_cluster(tmp_path: Path) -> None:
    from redis import Redis
    from redis.cluster import RedisCluster

    options = "--cluster-enabled yes --cluster-node-timeout 5000 --cluster-port"
    with valkey_server(tmp_path, *options.split(), f"{free_port()}") as running:
        node: Any = Redis(port=running.port, decode_responses=True)
        node.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        until = time.monotonic() + 20
        while "cluster_state:ok" not in str(node.execute_command("CLUSTER", "INFO")):
            assert time.monotonic() < until
            time.sleep(0.05)
        assert works(ValkeyRates(RedisCluster("127.0.0.1", running.port)))


@needs_valkey
def test_a_master_that_sentinel_names(server: ValkeyServer, tmp_path: Path) -> None:
    from redis.sentinel import Sentinel

    settings = tmp_path / "sentinel.conf"
    settings.write_text(f"sentinel monitor main 127.0.0.1 {server.port} 1\n")
    with valkey_server(tmp_path, str(settings), "--sentinel") as watching:
        sentinel = Sentinel([("127.0.0.1", watching.port)])
        assert works(ValkeyRates(sentinel.master_for("main"), prefix="sentinel"))


@needs_valkey
def test_a_server_that_begins_anew(tmp_path: Path) -> None:
    from redis.exceptions import ConnectionError as NoConnection

    with valkey_server(tmp_path) as running:
        store = ValkeyRates(f"valkey://127.0.0.1:{running.port}")
        assert works(store)
        running.stop()
        with pytest.raises(NoConnection):
            store.reserve("user", ASKING)
        running.start()
        assert works(store)


@pytest.mark.parametrize(
    "address", ["host", "http://host", "valkey://:secret@host:port/", ""], ids=str
)
def test_what_is_no_address_is_refused_and_not_shown(address: str) -> None:
    with pytest.raises(ConfigurationError, match="server must be an address") as caught:
        ValkeyRates(address)
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_where_the_package_is_missing_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ConfigurationError, match="the package redis: install it, or the extra"):
        ValkeyRates("valkey://host")
