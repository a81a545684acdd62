"""A rate store on a Valkey or Redis server: for processes on any number of machines.

The server keeps the ledger of each user under one key, in braces, so that a cluster keeps and finds
it on one node. Processes decide; a change counts only where nobody else was quicker.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..core.errors import ConfigurationError
from .ledger import RateStore

if TYPE_CHECKING:
    from .ledger import OnLost

KEPT_SECONDS = 86_400  # after which a user who sent nothing is forgotten
ANSWER_SECONDS = 2.0  # how long the server may take
LONGEST_PAUSE = 0.01  # seconds before the next try, where somebody else was quicker

_READ = "return {redis.call('GET', KEYS[1]), redis.call('TIME')}"
_REPLACE = """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1
"""


class ValkeyRates(RateStore):
    """One rate limit for processes on any number of machines, kept by a Valkey or Redis server.

    The time is that of the server. Needs the package `redis`, which speaks with both; the extra
    `valkey` brings it.

    Args:
        server: the address: `valkey://`, or `valkeys://` for TLS, then `user:password@host:port`;
            `redis://`, `rediss://` and `unix://` are understood, too. Or a client of the package
            `redis` for anything else, such as a cluster, or a master that Sentinel names.
        on_lost: what a process may send while the server cannot be reached; see `RateStore`.
        prefix: what the keys begin with.
        now: another clock in seconds, for tests; the same everywhere.

    Raises:
        ConfigurationError: the package `redis` is missing, `server` cannot be used, or `on_lost`
            is no such value.
    """

    def __init__(
        self,
        server: Any,
        *,
        on_lost: OnLost = "small",
        prefix: str = "rates",
        now: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(on_lost, now or self._time_of_server)
        self._client = _client(server) if isinstance(server, str) else server
        if not callable(getattr(self._client, "eval", None)):
            given = type(server).__name__
            raise ConfigurationError(f"server must be an address or a client, got {given}")
        self._prefix = prefix
        self._read = threading.local()

    def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
        """Change what is kept of a user; see `RateStore.change`."""
        name = f"{self._prefix}:{{{key}}}"
        while True:
            kept, (seconds, microseconds) = self._client.eval(_READ, 1, name)
            self._read.at = int(seconds) + int(microseconds) / 1e6
            given = (kept or b"", change(kept), KEPT_SECONDS)
            if self._client.eval(_REPLACE, 1, name, *given):
                return
            time.sleep(random.uniform(0, LONGEST_PAUSE))

    def _time_of_server(self) -> float:
        """Return the time at which this thread has read last."""
        at: float = self._read.at
        return at


def _client(address: str) -> Any:
    """Return a client that gives up soon: who waits for a store waits for a count only."""
    try:
        redis: Any = import_module("redis")
        once = redis.retry.Retry(redis.backoff.NoBackoff(), 1)
    except ImportError as error:
        raise ConfigurationError(
            "ValkeyRates needs the package redis: install it, or the extra valkey"
        ) from error
    scheme, separator, rest = address.partition("://")
    scheme = {"valkey": "redis", "valkeys": "rediss"}.get(scheme, scheme)
    try:
        return redis.Redis.from_url(
            f"{scheme}{separator}{rest}",
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            # Once: a connection may be old. To say the same again does no harm.
            retry=once,
        )
    except (ValueError, TypeError):
        # Not shown: it may hold a password.
        raise ConfigurationError(
            "server must be an address such as valkey://host:6379/0, and this one cannot be read"
        ) from None
