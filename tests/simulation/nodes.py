"""What goes on at the same time: threads and tasks that call, and people who apply their plans."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
from social_publishing import (
    AsyncSocialPublishing,
    FileRates,
    OutcomeUnknown,
    RateStore,
    Retries,
    SocialPublishing,
    SocialPublishingError,
)

from social_publishing_cli import plans
from tests.support.clock import EPOCH, Killed, VirtualClock
from tests.support.rate_stores import watched

from .network import Network
from .promises import CALL, FIELDS, Application, Call, Promises
from .scheduler import LIFE, Life, Scheduler

__all__ = ["KINDS", "Actions", "Setting"]

TIMEOUT = 10.0  # seconds; what arrives late was given up before
Actions = tuple[int, ...]
"""What a node does: numbers, each of which decides an action."""


@dataclass
class Setting:
    """What nodes share.

    Attributes:
        folder: where the rate stores and the journals are.
        tokens: of the people.
        labels: labels to delete.
    """

    seed: str
    world: Scheduler
    network: Network
    promises: Promises
    folder: Path
    tokens: Mapping[str, str]
    labels: list[str]
    origin: str

    def moment(self) -> datetime:
        """Return the time."""
        return datetime.fromtimestamp(EPOCH + self.world.time, UTC)

    @contextmanager
    def client(self, person: str) -> Iterator[SocialPublishing]:
        """Yield a client of a process of its own. Killed, it gives nothing back."""
        with closing(self.network.client()) as http:
            client = SocialPublishing(**self.options(person, http))
            client = client.with_clock(VirtualClock(self.world))
            yield client
            client.close()

    def options(self, person: str, http: Any) -> dict[str, Any]:
        """Return the arguments of a client in a process of its own."""
        world, clock = self.world, VirtualClock(self.world)
        store = FileRates(self.folder / f"{person}.rates", now=lambda: world.time + 1.0)
        return {
            "api_token": self.tokens[person],
            "base_url": f"{self.origin}/v1",
            "media_url": f"{self.origin}/api/v1",
            "timeout": TIMEOUT,
            "on_wait": None,
            "http_client": http,
            "rate_store": watched(RateStore, store, lambda: clock.sleep(0.005)),
        }


def threads(setting: Setting, name: str, person: str, actions: Actions) -> None:
    """Call from one thread of a process; there is one for each node."""
    with setting.client(person) as client:
        for number, action in enumerate(actions):
            call = _Worker(setting, f"{name}.{number}", action)
            token = CALL.set(call.call)
            try:
                call.note(client)
            finally:
                CALL.reset(token)


def tasks(setting: Setting, name: str, person: str, actions: Actions) -> None:
    """Call from the tasks of an event loop, three at a time; some are cancelled."""
    left = list(enumerate(actions))

    async def work(client: AsyncSocialPublishing) -> None:
        while left:
            number, action = left.pop(0)
            call = _Worker(setting, f"{name}.{number}", action)
            CALL.set(call.call)
            await call.note_async(client)

    async def main() -> None:
        wrong: list[Mapping[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, what: wrong.append(what))
        http = setting.network.async_client()
        async with http, AsyncSocialPublishing(**setting.options(person, http)) as client:
            timed = client.with_clock(VirtualClock(setting.world))
            async with anyio.create_task_group() as group:
                for _ in range(3):
                    group.start_soon(work, timed)
        left_over = asyncio.all_tasks() - {asyncio.current_task()}
        assert not wrong and not left_over, (wrong, left_over)

    setting.world.run_tasks(main)


class _Worker:
    """One call: which, how it is made, and what becomes of it."""

    def __init__(self, setting: Setting, name: str, action: int) -> None:
        self.setting = setting
        self.draw = draw = random.Random(f"{setting.seed} {name} {action}")
        self.kind = draw.choice(["label", "update", "update", "settled update", "read", "delete"])
        self.deadline: float | None = draw.choice([None, None, 3.0, 15.0, 90.0])
        self.retries = draw.choice([0, 1, 3])
        self.field = draw.choice(FIELDS)
        self.post = draw.choice(setting.promises.posts)
        self.label = setting.labels.pop() if self.kind == "delete" else ""
        self.text = f"{name} {action}"
        self.before: Any = ()
        self.call = Call(name, is_repeatable=self.kind == "delete", is_read=self.kind == "read")
        # No read shows what is carried out only later: the documentation says so.
        self.call.may_be_late = self.kind != "settled update"
        setting.network.say(f"{name} {self.kind}, deadline {self.deadline}")

    def prepared(self, client: Any) -> Any:
        """Return the client as the call wants it."""
        return client.with_options(
            deadline=self.deadline,
            retries=Retries(attempts=self.retries + 1),
            lost_writes="reconcile" if self.kind == "settled update" else "raise",
        )

    def act(self, client: Any) -> Any:
        """Make the call."""
        match self.kind:
            case "label":
                return client.labels.create(name=self.text)
            case "update" | "settled update":
                return client.posts.update(self.post, **{self.field: self.text})
            case "delete":
                return client.labels.delete(self.label)
            case _:
                return client.posts.get_many(ids=self.setting.promises.posts)

    def note(self, client: SocialPublishing) -> None:
        """Make the call, and hold how it ended against what was done."""
        client = self.prepared(client)
        began = self.setting.world.time
        outcome: object
        try:
            if self.kind == "update":
                self.before = client.posts.get_many(ids=[self.post])
                began = self.setting.world.time
            self.act(client)
            outcome = True
        except Exception as error:
            outcome = error
        self._ended(outcome, began)
        if isinstance(outcome, OutcomeUnknown):
            self.call.may_be_late = False
            with suppress(SocialPublishingError):
                self.setting.promises.reconciled(self.call, outcome.reconcile(self.before).done)

    async def note_async(self, client: AsyncSocialPublishing) -> None:
        """Do the same, awaited; now and then it is cancelled."""
        began, outcome = self.setting.world.time, None
        patience = self.draw.choice([math.inf, math.inf, self.draw.uniform(0, 12)])
        with anyio.move_on_after(patience):
            try:
                await self.act(self.prepared(client))
                outcome = True
            except Exception as error:
                outcome = error  # type: ignore[assignment]
        self._ended(outcome, began)

    def _ended(self, outcome: object, began: float) -> None:
        self.setting.network.say(f"{self.call.name} ended: {outcome!r}"[:160])
        self.setting.promises.ended(self.call, outcome, began, self.deadline)


class _Book(plans.Journal):
    """A journal that counts what it is told."""

    application: Application

    def sending(self, post: str, *how: Any) -> bool:
        leaves = super().sending(post, *how)
        self.application.sends[post] += leaves
        return leaves


def person(setting: Setting, name: str, person: str, actions: Actions) -> None:
    """Make plans of the month, and apply each by processes, of which some are killed."""
    undone: Application | None = None
    for number, action in enumerate(actions):
        draw = random.Random(f"{setting.seed} {name} {action}")
        call = Application(f"{name}.{number}", _EMPTY, setting.folder)
        plan = _undo(setting, undone) if undone and draw.random() < 0.3 else None
        if plan is None:
            plan = _plan(setting, f"{name}.{number}", person, draw)
        if plan is None:
            continue
        call = Application(call.name, plan, setting.folder / person)
        setting.promises.applications.append(call)
        choice = draw.choice(["skip", "skip", "ours", "abort"])
        call.forced = choice == "ours"
        lives = [draw.randint(1, 60) for _ in range(draw.randint(0, 3))]
        for left in (*lives, None, None, None):
            if _applied(setting, call, person, Life(left), choice):
                break
        setting.promises.calls.append(call)
        undone = None if plan.undoes else call


def _plan(setting: Setting, name: str, person: str, draw: random.Random) -> plans.Plan | None:
    """Read the month, wish for other texts, and plan that."""
    token = CALL.set(Call(f"{name} plan", is_read=True))
    try:
        with setting.client(person) as client:
            posts = client.posts.get_many(ids=setting.promises.posts)
    except SocialPublishingError:
        return None
    finally:
        CALL.reset(token)
    changes = [
        plans.Change(
            row,
            post.id or "",
            "",
            "",
            int(post.status or 0),
            {
                field: plans.Step(getattr(post, field), f"{name} {post.id} {field}")
                for field in draw.sample(FIELDS, draw.randint(1, 2))
            },
        )
        for row, post in enumerate(draw.sample(posts, draw.randint(1, len(posts))))
    ]
    made = setting.moment()
    account = {"organization_id": posts[0].organization_id or ""}
    return plans.Plan(made, made + timedelta(days=9), account, name, 9, tuple(changes))


def _undo(setting: Setting, done: Application) -> plans.Plan | None:
    reports = plans.reports(done.folder, plan_id=done.plan.id)
    plan = plans.reversed_plan(next(reports), setting.moment())
    return plan if plan.changes else None


def _applied(setting: Setting, call: Application, person: str, life: Life, choice: Any) -> bool:
    """Apply a plan in a process of its own; whether it came to its end."""
    setting.network.say(f"{call.name} applies, {choice}, lives {life.left}")
    tokens = LIFE.set(life), CALL.set(call)
    try:
        path = plans.journal_path(call.plan, call.folder)
        with setting.client(person) as client, _Book(path, call.plan) as book:
            book.application = call
            report = plans.apply(client, call.plan, book, on_conflict=choice)
            return report.count("sending", "unknown", "waiting") == 0
    except Killed:
        setting.network.say(f"{call.name} is killed")
        return False
    except SocialPublishingError as error:
        setting.network.say(f"{call.name} ended: {error!r}"[:160])
        return False
    finally:
        LIFE.reset(tokens[0])
        CALL.reset(tokens[1])


_EMPTY = plans.Plan(datetime.now(UTC), datetime.now(UTC), {}, "", 0, ())

KINDS: Mapping[str, Callable[[Setting, str, str, Actions], None]] = {
    "threads": threads,
    "tasks": tasks,
    "person": person,
}
