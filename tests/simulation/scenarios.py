"""Scenarios: made by a seed, run, and made smaller while they fail in the same way."""

from __future__ import annotations

import hashlib
import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from social_publishing_cli.plans import applying, journal
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.state.rate_limit import RateLimit
from tests.support.clock import EPOCH, VirtualClock

from .network import Network
from .nodes import KINDS, Actions, Setting
from .promises import Broken, Promises, hold
from .scheduler import Scheduler

__all__ = ["Result", "Scenario", "run", "scenario", "shrunk"]

POSTS, LABELS = 4, 40
_MOST_TRIED = 200  # smaller scenarios
MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Scenario:
    """What happens in a run.

    Attributes:
        nodes: the kind, the person and the actions of each node, by its name.
        trouble: the share of requests to which something happens.
        spared: requests to which nothing happens all the same.
    """

    seed: int
    nodes: dict[str, tuple[str, str, Actions]]
    trouble: float
    spared: frozenset[str] = frozenset()


@dataclass
class Result:
    """How a run ended.

    Attributes:
        failure: what was wrong.
        lines: what happened.
    """

    steps: int
    failure: BaseException | None
    lines: list[str]
    troubled: list[str] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """What happened, in short: the same for the same scenario."""
        return hashlib.sha256("\n".join(self.lines).encode()).hexdigest()[:16]

    @property
    def promise(self) -> str:
        """What was broken; empty where nothing was."""
        if isinstance(self.failure, Broken):
            return self.failure.promise
        return "" if self.failure is None else type(self.failure).__name__


def scenario(seed: int) -> Scenario:
    """Return the scenario of a seed: two people, and what runs beside them for one or the other."""
    draw = random.Random(seed)
    kinds = ["person", "person", *draw.choices([*KINDS], k=draw.randint(1, 3))]
    people = ["owner", "admin", *draw.choices(["owner", "admin"], k=3)]
    nodes = {}
    for number, (kind, who) in enumerate(zip(kinds, people, strict=False)):
        actions = range(draw.randint(1, 3) if kind == "person" else draw.randint(4, 24))
        nodes[f"n{number}"] = (kind, who, tuple(actions))
    return Scenario(seed, nodes, draw.choice([0.0, 0.1, 0.25, 0.5]))


@cache
def _service() -> tuple[Sandbox, str, list[str], list[str]]:
    """One sandbox for all runs, as it is before each."""
    sandbox = Sandbox(clock="frozen", check=False)
    account = sandbox.find("social_accounts")[0]["id"]
    posts = [
        sandbox.create_post(name="a", content="b", note="c", selectedAccountIds=[account])["id"]
        for _ in range(POSTS)
    ]
    labels = [sandbox.create_label(name=f"label {n}")["id"] for n in range(LABELS)]
    return sandbox, sandbox.snapshot(), posts, labels


def run(given: Scenario) -> Result:
    """Let it happen."""
    sandbox, start, posts, labels = _service()
    sandbox.restore(start)
    sandbox.request_log.clear()
    seed = str(given.seed)
    world = Scheduler(seed)
    sandbox.service.limits = RateLimit(60, real=lambda: EPOCH + world.time)
    promises = Promises(world, sandbox, posts)
    network = Network(world, sandbox, promises, seed, given.trouble, given.spared)
    drawn = random.getstate()
    failure: BaseException | None = None
    with ExitStack() as stack:
        parent = MEMORY if MEMORY.is_dir() else None
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=parent)))
        origin = sandbox.base_url.removesuffix("/v1")
        more = dict(sandbox.tokens), [*labels], origin
        setting = Setting(seed, world, network, promises, folder, *more)
        for change in _on_virtual_time(world):
            stack.enter_context(change)
        random.seed(seed)  # the client draws its pauses from it
        try:
            world.run(
                *(
                    partial(KINDS[kind], setting, name, who, actions)
                    for name, (kind, who, actions) in given.nodes.items()
                )
            )
            promises.check()
            hold("nothing is left open", not network.open, f"{network.open} responses")
        except Exception as error:
            failure = error
        finally:
            random.setstate(drawn)
    return Result(world.steps, failure, network.lines, network.troubled)


def _on_virtual_time(world: Scheduler) -> Iterator[Any]:
    """Yield what lets `apply` and its journal live by the world's time."""

    class Moment(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(EPOCH + world.time, tz)

    yield patch.object(applying, "datetime", Moment)
    yield patch.object(journal, "datetime", Moment)
    clock = SimpleNamespace(sleep=VirtualClock(world).sleep, monotonic=lambda: world.time)
    yield patch.object(applying, "time", clock)


def shrunk(given: Scenario) -> tuple[Scenario, Result]:
    """Return a smaller scenario that breaks the same promise, and how it ends."""
    result, tried = run(given), 0
    goes_on = True
    while goes_on and tried < _MOST_TRIED:
        goes_on = False
        for smaller in _smaller(given, result):
            tried += 1
            ended = run(smaller)
            if ended.promise == result.promise:
                given, result, goes_on = smaller, ended, True
                break
            if tried >= _MOST_TRIED:
                break
    return given, result


def _smaller(given: Scenario, result: Result) -> Iterator[Scenario]:
    """Yield scenarios with less in them, the smallest first."""
    for name in given.nodes:
        yield replace(given, nodes={n: node for n, node in given.nodes.items() if n != name})
    for size in (8, 4, 2, 1):
        for name, (kind, who, actions) in given.nodes.items():
            for at in range(0, len(actions), size):
                left = actions[:at] + actions[at + size :]
                if len(left) < len(actions):
                    yield replace(given, nodes={**given.nodes, name: (kind, who, left)})
        for at in range(0, len(result.troubled), size):
            more = given.spared.union(result.troubled[at : at + size])
            yield replace(given, spared=more)
