"""A rate store between a test and a real one: it counts, takes its time, and can be cut off.

Knows the runtime only by what it is given, as `rate_service` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def watched(base: type[Any], store: Any, sleep: Callable[[], object] | None = None) -> Any:
    """Return a store that passes everything on to another one.

    It has `trips`, how often it was asked; `fails`, an error that it raises instead, or None; and
    `messages`, what it was told. Its asynchronous form needs no thread: time can be virtual.

    Args:
        base: the class RateStore of the client.
        store: where everything goes.
        sleep: what a trip waits for.
    """

    class Watched(base):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(store.on_lost)
            self.trips = 0
            self.fails: BaseException | None = None
            self.messages: list[Any] = []

        def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
            store.change(key, change)

        def reserve(self, key: str, message: Any) -> Any:
            self.trips += 1
            self.messages.append(message)
            if sleep is not None:
                sleep()
            if self.fails is not None:
                raise self.fails
            return store.reserve(key, message)

        async def reserve_async(self, key: str, message: Any) -> Any:
            return self.reserve(key, message)

    return Watched()
