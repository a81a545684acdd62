"""What holds of the rate whatever happens: no refusal that could be known, and little waste."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from runtime.core.errors import RateLimitReached
from runtime.limits.budget import Pacing
from runtime.limits.ledger import RateStore
from runtime.limits.rates import RateRule
from runtime.limits.shared import SharedRates

from tests.support.clock import StillClock
from tests.support.rate_service import HEADERS, Service

SECONDS = 60.0
RAISE = Pacing(mode="raise")
KINDS = ["wipe", "lose", "back", "forward", "die", "leave"]


@dataclass
class Script:
    """What happens: `troubles` are moments, kinds, and how much of it."""

    holders: int
    limit: int
    seed: int
    troubles: list[tuple[float, str, float]] = field(default_factory=list)
    windows: int = 4
    reset: str = "floor"
    lossy: bool = False


class Kept(RateStore):
    """Bytes in memory, which can be lost, or cut off, by a clock that can be set."""

    def __init__(self, clock: StillClock) -> None:
        super().__init__("small", lambda: 10_000 + clock.time + self.ahead)
        self.ahead = 0.0
        self.kept: dict[str, bytes] = {}
        self.lost_until = -math.inf
        self._clock = clock

    def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
        if self._clock.time < self.lost_until:
            raise OSError("lost")
        self.kept[key] = change(self.kept.get(key))


class PlayClock(StillClock):
    """Time in which others act while somebody waits.

    Attributes:
        due: what is to happen: when, in what order, and what.
    """

    def __init__(self) -> None:
        super().__init__(1000.0)
        self.due: list[tuple[float, int, Callable[[], None]]] = []

    def go_on(self) -> None:
        """Let happen what comes next."""
        moment, _, act = heapq.heappop(self.due)
        self.time = max(self.time, moment)
        act()

    def wait(self, event: Any, seconds: float | None) -> None:
        assert seconds is not None, "somebody waits for ever"
        until = self.time + seconds
        while not event.is_set() and self.due and self.due[0][0] <= until:
            self.go_on()
        if not event.is_set():
            self.time = max(self.time, until)


class Play:
    """Holders that send as fast as they may, from one thread: the first that can goes on."""

    def __init__(self, script: Script, store: Any, rates: Callable[[Any], Any]) -> None:
        self.script = script
        self.clock = PlayClock()
        self.service = Service(self.clock, script.limit, SECONDS, phase=17.0, reset=script.reset)  # type: ignore[arg-type]
        self.store = store(self.clock)
        self.refusals: list[float] = []
        self._rates = rates
        self._rule = RateRule(script.limit, SECONDS, *HEADERS)
        self._draw = random.Random(script.seed)
        self._made = 0
        self._budgets = [self._budget() for _ in range(script.holders)]
        self._left = script.limit * script.windows

    def run(self) -> float:
        """Send it all; how many seconds that took."""
        for number in range(self.script.holders):
            for _ in range(self._draw.randint(1, 3)):
                self._at(0, lambda n=number: self._send(n))  # type: ignore[misc]
        for moment, kind, size in self.script.troubles:
            self._at(moment, lambda k=kind, s=size: self._trouble(k, s))  # type: ignore[misc]
        while self.clock.due and self._left > 0:
            self.clock.go_on()
        return self.clock.time - 1000.0

    def _budget(self) -> Any:
        return self._rates(self.store).budget("user", self._rule)

    def _at(self, seconds: float, act: Callable[[], None]) -> None:
        self._made += 1
        heapq.heappush(self.clock.due, (self.clock.time + seconds, self._made, act))

    def _send(self, number: int) -> None:
        budget, again = self._budgets[number], lambda: self._send(number)
        if budget is None:
            return
        try:
            permit = budget.take("books.list", RAISE, None, self.clock)
        except RateLimitReached as reached:
            self._at(max(reached.wait, 0.01), again)
            return
        fate = self._draw.random() if self.script.lossy else 1.0
        if fate < 0.05:
            budget.give_back(permit, self.clock)
            self._at(0.01, again)
            return
        self._at(self._draw.uniform(0.01, 0.4), lambda: self._arrive(number, permit, fate < 0.1))

    def _arrive(self, number: int, permit: Any, is_lost: bool) -> None:
        status, headers = self.service.answer()
        if status == 429:
            self.refusals.append(self.clock.time)
        else:
            self._left -= 1
        given = (None, None) if is_lost else (headers, status)
        self._at(self._draw.uniform(0.01, 0.4), lambda: self._settle(number, permit, *given))

    def _settle(self, number: int, permit: Any, headers: Any, status: Any) -> None:
        budget = self._budgets[number]
        if budget is None:
            return
        budget.settle(permit, headers, status, self.clock)
        if status == 429:
            budget.report(self.clock)
        self._at(self._draw.choice([0.0, 0.0, 0.5, 3.0]), lambda: self._send(number))

    def _trouble(self, kind: str, size: float) -> None:
        number = self._draw.randrange(len(self._budgets))
        if kind == "wipe":
            self.store.kept.clear()
        elif kind == "lose":
            self.store.lost_until = self.clock.time + 90 * size
        elif kind in ("back", "forward"):
            self.store.ahead += (7200 if kind == "forward" else -7200) * size
        elif kind == "leave":
            if self._budgets[number] is not None:
                self._budgets[number].report(self.clock, leaving=True)
        elif sum(each is not None for each in self._budgets) > 1:
            self._budgets[number] = None


def judge(play: Play) -> None:
    """Run it, and hold what came of it against what is promised."""
    script = play.script
    took = play.run()
    windows = took / SECONDS
    lost = sum(90 * size for _, kind, size in script.troubles if kind == "lose") / SECONDS
    # A store that forgets costs each process one refusal at most; one that cannot be reached, or
    # whose clock leaps into another window, each caller: there are three a process.
    costs = {"wipe": 1, "back": 1, "forward": 3, "lose": 3}
    costly = sum(costs.get(kind, 0) for _, kind, _ in script.troubles)
    assert len(play.refusals) <= script.holders * costly
    # Whole windows are used, but for one, those that trouble cost, and what the idle kept.
    assert windows <= script.windows + 2 + lost + 2 * len(script.troubles)


TROUBLES = st.lists(
    st.tuples(st.floats(0, 240), st.sampled_from(KINDS), st.floats(0.01, 1)), max_size=3
)
SCRIPTS = st.builds(
    Script,
    holders=st.integers(1, 8),
    limit=st.integers(8, 40),
    seed=st.integers(0, 2**32),
    troubles=TROUBLES,
    lossy=st.booleans(),
)


@settings(max_examples=25)
@given(SCRIPTS)
def test_processes_keep_to_the_rate_and_use_it(script: Script) -> None:
    judge(Play(script, Kept, SharedRates))
