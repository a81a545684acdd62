"""Worlds as databases, made apart from the sandbox that they are for.

Nobody waits for a world while it is made, and one with faults changes nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from social_publishing_sandbox import worlds
from social_publishing_sandbox.control import stocking
from social_publishing_sandbox.state import ids, times
from social_publishing_sandbox.state.clock import Clock
from social_publishing_sandbox.state.documents import Contract, Json
from social_publishing_sandbox.state.rate_limit import RateLimit
from social_publishing_sandbox.state.service import Service, Settings
from social_publishing_sandbox.state.store import Store

World = str | Path | Mapping[str, Any]
"""The name of a seeded world, the path of a world's JSON or YAML file, or what it holds."""

LAST: Final = ids.made_at(str(2**64 - 1)) - times.DAY
"""The last moment that a clock may show: identifiers of 64 bits know no later one (§2.1)."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """A world, ready to be loaded."""

    state: bytes
    now: int


def seeded(contract: Contract, world: World, seed: int, start: int, *, exact: bool) -> Seeded:
    """Make a world.

    Args:
        start: the moment at which a seeded world should stand; others bring their own.
        exact: it stands at just this moment; else at the full hour before, so that it is made only
            once in an hour.
    """
    if isinstance(world, str) and world in worlds.NAMES:
        anchor = start if exact else start - start % times.HOUR
        return Seeded(_by_name(contract, world, seed, anchor), start)
    if isinstance(world, str | Path) and not (str(world) and Path(world).exists()):
        known = ", ".join(worlds.NAMES)
        reason = f"there is no such world, and no such file; the worlds are {known}"
        raise worlds.BadWorld(str(world) or "''", [worlds.Problem((), reason)])
    made = worlds.load(world)
    now = times.parse(made["now"])
    return Seeded(_state(contract, made, seed, now), now)


def _by_name(contract: Contract, name: str, seed: int, anchor: int) -> bytes:
    """Return a seeded world; made once in a process."""
    key = (name, seed, anchor, contract.digest)
    if key not in _MADE:
        world = worlds.make(name, seed=seed, now=anchor)
        while sum(map(len, _MADE.values())) > _KEPT:
            del _MADE[next(iter(_MADE))]
        _MADE[key] = _state(contract, world, seed, anchor)
        del world
        gc.collect()  # what making a large world leaves behind must not slow a later request down
    return _MADE[key]


def _state(contract: Contract, world: Json, seed: int, now: int) -> bytes:
    with _scratch_service(contract, seed, now) as service:
        stocking.stock(service, world)
        return service.store.dump()


def world_of(contract: Contract, state: bytes, seed: int, now: int) -> Json:
    """Return the world that a database holds, in the world format."""
    with _scratch_service(contract, seed, now) as service:
        service.store.load(state)
        service.reload()
        return stocking.world(service)


@contextmanager
def _scratch_service(contract: Contract, seed: int, now: int) -> Iterator[Service]:
    """A service of nobody."""
    store = Store()
    try:
        clock, limits = Clock("frozen", now), RateLimit(None)
        yield Service(contract, store, clock, limits, Path(), Settings(seed=seed))
    finally:
        store.close()


_MADE: Final[dict[tuple[str, int, int, str], bytes]] = {}
_KEPT: Final = 256 << 20  # bytes
