"""What must hold whatever happens: who wrote what, and what callers were told of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from social_publishing import OutcomeUnknown, SocialPublishingError

from social_publishing_cli import plans
from social_publishing_sandbox import Sandbox

from .fates import LATE

if TYPE_CHECKING:
    from .network import Packet
    from .scheduler import Scheduler

__all__ = ["CALL", "FIELDS", "HELD", "Application", "Broken", "Call", "Promises", "hold"]

FIELDS = ("name", "content", "note")
WINDOW = 60.0  # seconds of the rate limit
SLACK = 0.5  # seconds; the client has some itself, and a trip to a rate store takes its time

Cell = tuple[str, str]
Cells = dict[Cell, Any]


class Broken(AssertionError):
    """A promise was broken.

    Attributes:
        promise: which one.
    """

    def __init__(self, promise: str, details: object) -> None:
        super().__init__(f"{promise}: {details}")
        self.promise = promise


HELD: Counter[str] = Counter()
"""How often each promise was held against what happened, in this process."""


def hold(promise: str, is_kept: bool, details: object) -> None:
    """Count that a promise was looked at.

    Raises:
        Broken: it is not kept.
    """
    HELD[promise] += 1
    if not is_kept:
        raise Broken(promise, details)


class Call:
    """A call of a client.

    Attributes:
        name: of the node, and its number there.
        is_repeatable: whether it may be done twice: the second time changes nothing.
        may_be_late: whether its requests may arrive after the client has given them up.
        requests: how many left for it.
        seen: what the posts had when an application last read them.
        done: how often the service carried it out.
        shows: whether what it wrote was there when the service last served a read for it.
        is_hidden: somebody else had written over it by then. If that was the old value, nothing
            tells it from a write that was never carried out: the documentation says so.
    """

    def __init__(self, name: str, *, is_repeatable: bool = False, is_read: bool = False) -> None:
        self.name = name
        self.is_repeatable = is_repeatable
        self.is_read = is_read
        self.may_be_late = True
        self.requests = 0
        self.seen: Cells = {}
        self.done = 0
        self.shows = self.is_hidden = False
        self.outcome: object = None

    def read(self, promises: Promises) -> None:
        """Note that a read was served."""
        self.shows = self in promises.writer.values()
        self.is_hidden = self.done > 0 and not self.shows

    def wrote(self, cells: Cells, before: Cells, seen: Cells, promises: Promises) -> None:
        """Note that it was carried out."""
        self.done += 1
        is_right = self.done == 1 or self.is_repeatable or self.is_hidden
        hold("no write is done twice", is_right, self.name)


class Application(Call):
    """An application of a plan, by one process after the other.

    Attributes:
        sends: how often the journal was told that a request leaves, by post.
        times: how often each post was written.
        folder: where the journal of the person's machine is.
    """

    def __init__(self, name: str, plan: plans.Plan, folder: Path) -> None:
        super().__init__(name, is_repeatable=True)
        self.plan = plan
        self.folder = folder
        self.forced = False
        self.sends: Counter[str] = Counter()
        self.times: Counter[str] = Counter()
        self._steps = {
            (change.id, name): step
            for change in plan.changes
            for name, step in change.fields.items()
        }

    def read(self, promises: Promises) -> None:
        self.seen = promises.cells

    def wrote(self, cells: Cells, before: Cells, seen: Cells, promises: Promises) -> None:
        [post] = {post for post, _ in cells}
        self.times[post] += 1
        for cell, value in cells.items():
            step = self._steps.get(cell)
            asked_for = step is not None and step.after == value
            hold("nothing is written that nobody asked for", asked_for, (cell, value))
            if step is not None and not self.forced:
                stays = seen[cell] == step.before or self._is_own(cell, seen[cell], promises)
                hold("what somebody else wrote stays", stays, (cell, seen[cell]))
        is_last = promises.writer[post] is self
        is_new = not is_last or any(before[cell] != value for cell, value in cells.items())
        hold("no write is done twice", is_new, (self.name, post))
        state = self.entries()[post].state
        known = state in ("sending", "unknown")
        hold("the journal knows what is on its way", known, (post, state))

    def _is_own(self, cell: Cell, value: object, promises: Promises) -> bool:
        """Whether an earlier plan of the same person wanted a value; an undo does not ask."""
        earlier = (
            call._steps.get(cell)
            for call in promises.applications
            if call.folder == self.folder and call.plan.made < self.plan.made
        )
        return not self.plan.undoes and any(step and step.after == value for step in earlier)

    def entries(self) -> dict[str, plans.Entry]:
        """Return what the journal says, by post."""
        [report] = plans.reports(self.folder, plan_id=self.plan.id)
        return {entry.change.id: entry for entry in report.entries}

    def check(self, promises: Promises) -> None:
        """Compare the journal with what was done."""
        for post, entry in self.entries().items():
            last = promises.writer[post]
            is_over = last is not self  # nobody can see it any more
            # Where something was taken back, two may write the same: nobody can tell them apart.
            undoes = [by.plan.undoes for by in (self, last) if isinstance(by, Application)]
            times = self.times[post]
            counted = entry.sends == self.sends[post]
            hold("the journal counts what is sent", counted, (post, entry.sends, self.sends))
            if entry.wrote:
                is_right = times > 0 or (any(undoes) and self.sends[post] > 0)
            else:
                is_right = not times or is_over or entry.state in ("sending", "unknown")
            details = f"{self.name}: {post}, written {times} times, is {entry.state}"
            hold("no write is reported wrong", is_right, f"{details}: {entry.reason}")


CALL: ContextVar[Call] = ContextVar("call")


class Promises:
    """Holds what the service does against what was asked for, and what callers are told.

    Attributes:
        cells: what the posts have, as it follows from the writes.
        writer: whose write to each post was the last one.
        calls: all calls that have ended.
        applications: all applications of plans.
    """

    def __init__(self, world: Scheduler, sandbox: Sandbox, posts: list[str]) -> None:
        self.world = world
        self.sandbox = sandbox
        self.posts = posts
        self.writer: dict[str, Call | None] = dict.fromkeys(posts)
        self.calls: list[Call] = []
        self.applications: list[Application] = []
        self.cells: Cells = {}
        self._late: dict[str, float] = {}
        for post in posts:
            self.cells |= self._stored(post)

    def call(self) -> Call:
        """Return the call of which this is a part."""
        return CALL.get()

    def served(self, packet: Packet, entry: Any) -> None:
        """Look at what the service did with a request."""
        call = packet.call
        # What was given up is taken to be counted in the next response; what comes later is not.
        if packet.fate is LATE:
            self._late[entry.user_id] = self.world.time
        is_late = self.world.time - self._late.get(entry.user_id, -WINDOW) < WINDOW
        is_refused = entry.status == 429 and entry.fault is None and not is_late
        hold("no request is refused by the rate", not is_refused, call.name)
        if entry.status is None or entry.status >= 300:
            return
        if packet.request.method == "GET":
            if not packet.is_given_up:  # nobody hears of its response
                call.read(self)
            return
        written: Cells = {}
        if entry.operation == "updatePost":
            post = entry.path.rpartition("/")[2]
            body = orjson.loads(b"".join(packet.request.stream))  # type: ignore[arg-type]
            written = {(post, name): value for name, value in body.items()}
        before = self.cells
        self.cells = before | written
        call.wrote(written, before, packet.seen, self)
        for post in {post for post, _ in written}:
            self.writer[post] = call
            self._compare(post)

    def ended(self, call: Call, outcome: object, began: float, deadline: float | None) -> None:
        """Look at how a call ended."""
        call.outcome = outcome
        self.calls.append(call)
        took = self.world.time - began
        if deadline is not None:
            in_time = took <= deadline + SLACK
            hold("every call ends by its deadline", in_time, f"{call.name}: {took} > {deadline}")
        if isinstance(outcome, BaseException):
            is_ours = isinstance(outcome, SocialPublishingError)
            hold("errors are of the client's kind", is_ours, repr(outcome))

    def reconciled(self, call: Call, done: bool | None) -> None:
        """Look at what a read after a lost response showed."""
        is_right = done is None or (call.done > 0 if done else not call.shows)
        hold("no write is reported wrong", is_right, f"{call.name}: reconcile() says {done}")

    def check(self) -> None:
        """Look at everything, once nothing is on its way any more."""
        for call in self.calls:
            if isinstance(call, Application):
                call.check(self)
            if isinstance(call, Application) or call.is_read:
                continue
            error = call.outcome
            if isinstance(error, SocialPublishingError):
                is_done = call.done and not call.is_hidden
                is_right = error.may_be_done or not (is_done or isinstance(error, OutcomeUnknown))
            else:
                is_right = error is not True or call.done > 0
            hold("no write is reported wrong", is_right, f"{call.name}: {error!r}, {call.done}")
        for post in self.posts:
            self._compare(post)

    def _stored(self, post: str) -> Cells:
        stored: Mapping[str, Any] | None = self.sandbox.service.store.posts.get(post)
        assert stored is not None
        return {(post, name): stored.get(name) for name in FIELDS}

    def _compare(self, post: str) -> None:
        for cell, value in self._stored(post).items():
            is_same = value == self.cells[cell]
            hold("no value changes that nobody touched", is_same, (cell, value))
