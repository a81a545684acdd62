"""A state machine whose transitions are the links of the documents.

A link that carries a value leads to the next call. Each call goes through one of the clients, with
or without a fault of the service, and is held against the model.

Schemathesis' own machine (`as_state_machine`) follows one link a call and makes up all other
arguments: one that gives a label to an update would never meet a post that exists. It knows no call
without a response, and it makes parameters as wire text. So the machine is hypothesis' own, what it
sends is made by schemathesis (`drawing`), and test_contract_stateful.py has schemathesis read the
same links.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, Protocol

import hypothesis
import schemathesis
from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from social_publishing import ArgumentError, OutcomeUnknown, SocialPublishingError, StatusError

from harness import links, model
from harness.calls import call_of
from harness.drawing import OPERATIONS, Drawing, Step, filled
from harness.failures import ContractFailure
from harness.generation import Plan
from harness.links import Link
from harness.model import Expected, Fields, Model, instant
from harness.service import SIDES, Side
from harness.stage import Outcome, Stage
from harness.stateful_checks import (
    HARMLESS,
    StateReader,
    call_problems,
    over_the_limit,
    unexplained,
)
from social_publishing_sandbox import ControlError
from tests.support.documents import Document, Json
from tests.support.wire import forbidden

SECONDS = 20.0
"""How long a shorter way is looked for."""

Action = tuple[Any, ...]
"""A method of a machine, and what it is given."""
END: Action = ("end",)


class Broken(Exception):
    """Something is not as it must be.

    Attributes:
        title: what; the same title is the same failure.
        failure: what people are told.
        done: what led to it.
    """

    def __init__(self, title: str, failure: ContractFailure, done: Sequence[Action]) -> None:
        super().__init__(title)
        self.title, self.failure, self.done = title, failure, list(done)


class Runnable(Protocol):
    """A machine, as this module sees it."""

    def do(self, action: Action) -> None: ...


def shrink(begin: Callable[[], Runnable], found: Broken) -> Broken:
    """Return the shortest way to a failure that is found in some seconds.

    Args:
        begin: makes a machine that has done nothing yet.
    """
    until = time.monotonic() + SECONDS
    done = [each for each in found.done if each != END]
    size = len(done)
    while size:
        end = len(done)
        while end > 0:
            start = max(end - size, 0)
            shorter = done[:start] + done[end:]
            again = _again(begin, shorter, found.title, until)
            if again:
                found, done = again, shorter
            end = start
        size //= 2
    for index, action in enumerate(done):
        for change in _simplifications(action):
            simpler = ("perform", replace(done[index][1], **change(done[index][1])))
            again = _again(begin, [*done[:index], simpler, *done[index + 1 :]], found.title, until)
            if again:
                found, done[index] = again, simpler
    return found


def _again(
    begin: Callable[[], Runnable], done: Sequence[Action], title: str, until: float
) -> Broken | None:
    """Return the same failure, if doing these things leads to it."""
    if time.monotonic() > until:
        return None
    made = begin()
    try:
        for each in [*done, END]:
            made.do(each)
    except Broken as found:
        return found if found.title == title else None
    return None


def _simplifications(action: Action) -> Iterator[Callable[[Step], dict[str, Any]]]:
    """Yield what may be taken out of a call."""
    if action[0] == "perform":
        yield lambda step: {"user": "owner"}
        yield lambda step: {"side": "sync"}
        yield lambda step: {"fault": None}
        step: Step = action[1]
        for key, value in step.values.items():
            if not step.operation.arguments[key].required:
                yield partial(_without, key)
            if isinstance(value, list):
                yield partial(_with, key, value[:1])


def _without(key: str, step: Step) -> dict[str, Any]:
    return {"values": {name: value for name, value in step.values.items() if name != key}}


def _with(key: str, value: Any, step: Step) -> dict[str, Any]:
    return {"values": {**step.values, key: value}} if key in step.values else {}


KINDS = {
    "follow_a_link": 24,
    "begin_anew": 3,
    "let_time_pass": 2,
    "make_a_post": 2,
    "review": 2,
    "meet_the_limit": 1,
}
"""What may happen next, and how often it does."""
BEGINNINGS = ("createLabel", "listCalendarNotes", "uploadMedia", "uploadMediaFromUrl")
"""The operations that need no identifier."""
STATES = ("DRAFT", "SCHEDULED", "SCHEDULED", "IN_REVIEW")
"""Those in which a post is made."""
BULK = ("deletePosts", "setPostsDraft")
MAKING = {"createLabel": "labels", "uploadMedia": "media"}
"""What some operations make."""

HEAD = """\
from datetime import *
from social_publishing import *
from social_publishing.models import *
from social_publishing_sandbox import Sandbox
sandbox = Sandbox(clock="frozen", rate_limit=None)
sandbox.start()
at = {"base_url": sandbox.base_url, "media_url": sandbox.media_url}
client, admin, member, guest = (
    SocialPublishing(api_token=token, **at) for token in sandbox.tokens.values()
)""".splitlines()


@dataclass
class Program:
    """What was done, as a program that does it again; `again` is the command that finds it."""

    again: str
    lines: list[str] = field(default_factory=lambda: list(HEAD))

    def say(self, *lines: str) -> None:
        self.lines += lines

    def note(self, text: str) -> None:
        self.lines.append(f"    # {text}")

    def failure(self, title: str, problems: Sequence[str]) -> ContractFailure:
        check_read = [*self.lines, *(f"    # {each}" for each in problems)]
        text = "\n".join(f"  {each}" for each in check_read)
        return ContractFailure(f"{title}\n\n{text}\n\n  again:  {self.again}\n")


class Machine(RuleBasedStateMachine):
    """The service through the client, against the model.

    Whatever is done, is done by `do`, so that it can be done again without hypothesis.

    Attributes:
        carried: the values that each link has carried.
        outcome: what the newest call did.
    """

    stage: Stage
    again = ""
    with_faults = False

    def __init__(self) -> None:
        super().__init__()
        self.stage.begin()
        self.sandbox = self.stage.sandbox
        self.model = Model(self.sandbox.find, self.sandbox.now)
        self.reader = StateReader(self.stage, self.model)
        self.carried: dict[Link, list[Json]] = {}
        self.program = Program(self.again)
        self.done: list[Action] = []
        self.outcome = Outcome()
        self.failed = False

    def do(self, action: Action) -> None:
        """Do one thing, and know that it was done."""
        self.done.append(action)
        name, *arguments = action
        try:
            getattr(self, name)(*arguments)
        except Broken:
            raise
        except Exception as error:
            trace = traceback.format_exc().splitlines()
            self.fail(f"Nothing can be said any more: {type(error).__name__}", trace[-12:])

    def check(self, title: str, problems: Sequence[str]) -> None:
        if problems:
            self.fail(title, problems)

    def fail(self, title: str, problems: Sequence[str]) -> None:
        self.failed = True
        raise Broken(title, self.program.failure(title, problems), self.done)

    # What is drawn

    @initialize()
    def arrive(self) -> None:
        """A user knows the groups; everything else is found from there."""
        for identifier in self.model.groups:
            self.do(("perform", Step(OPERATIONS["getGroup"], {"path.group": identifier})))
            listed = {"query.groupId": identifier, "query.include": ["labels"]}
            self.do(("perform", Step(OPERATIONS["listPosts"], listed)))

    @rule(random=st.randoms(use_true_random=True))
    def go_on(self, random: Random) -> None:
        """Follow a link, begin something new, or let something happen beside the service."""
        (kind,) = random.choices(list(KINDS), list(KINDS.values()))
        getattr(self, kind)(random)

    def follow_a_link(self, random: Random) -> None:
        link = self.drawing(random).link()
        self.call(link.target, link, random)

    def begin_anew(self, random: Random) -> None:
        self.call(random.choice(BEGINNINGS), None, random)

    def call(self, name: str, link: Link | None, random: Random) -> None:
        drawing = self.drawing(random)
        step = drawing.step(OPERATIONS[name], link, with_faults=self.with_faults)
        self.do(("perform", step))

    def drawing(self, random: Random) -> Drawing:
        return Drawing(self.carried, self.sandbox.now, random)

    def let_time_pass(self, random: Random) -> None:
        """For a while, or until the next post goes out: at its first account, or between two."""
        step = timedelta(minutes=random.choice((1, 30, 60 * 24, 60 * 24 * 12)))
        dates = [instant(each.get("publication_date")) for each in self.model.posts.values()]
        due = min((each for each in dates if each and each > self.sandbox.now), default=None)
        if due is not None and random.random() < 0.6:
            step = due - self.sandbox.now + timedelta(minutes=random.choice((0, 5)))
        self.do(("advance", step.total_seconds()))

    def make_a_post(self, random: Random) -> None:
        """One that can be waited for, reviewed, moved and deleted."""
        minutes = random.choice((None, 1, 60, 60, 60 * 24))
        accounts = sorted(self.model.accounts)
        fields: dict[str, Json] = {
            **filled(OPERATIONS["updatePost"]),
            "content": "We open on Monday.",
            "visible_for_client": True,
            "labelIds": random.sample(sorted(self.model.labels), 2),
            "status": random.choice(STATES if minutes else ("DRAFT",)),
            "selectedAccountIds": random.sample(accounts, random.choice((0, 1, 2, 3))),
            "publication_delay_between": random.choice((0, 10, 10)),
            "assigneesIds": [self.stage.user_ids[each] for each in ("owner", "client")],
        }
        if minutes is not None:
            moment = self.sandbox.now + timedelta(minutes=minutes)
            fields["publication_date"] = moment.strftime("%Y-%m-%dT%H:%M:00Z")
        self.do(("create", fields))

    def review(self, random: Random) -> None:
        """A post that is in review is approved or rejected."""
        waiting = [i for i, e in self.model.posts.items() if e["status"] == model.IN_REVIEW]
        if waiting:
            self.do(("decide", random.choice(("approve", "reject")), random.choice(waiting)))

    def meet_the_limit(self, random: Random) -> None:
        self.do(("overrun", random.choice((1, 2, 3, 4)), random.choice(SIDES)))

    def teardown(self) -> None:
        if not self.failed:
            self.do(END)

    # What is done

    def perform(self, step: Step) -> None:
        """Make a call, and hold it against the model."""
        name = step.operation.id
        expected = self.model.expected(name, step.values, self.stage.user_ids[step.user])
        self.program.say(step.python())
        outcome = self.stage.play(step.call, self.stage.client(step.user, step.side), step.fault)
        self.program.note(f"{step.side}: {outcome.brief}")
        self.outcome = outcome
        reasons = forbidden(step.operation, step.values)
        if reasons:
            if outcome.entries or not isinstance(outcome.error, ArgumentError):
                self.fail("The client sends what the documents forbid.", reasons)
            return
        self.check(f"{name}: it is not sent as it must be.", call_problems(step, outcome))
        if step.is_write:
            self.written(step, expected, outcome)
        elif outcome.error is None:
            self.check_read(step, expected, outcome)
        else:
            self.check(f"{name}: a read fails.", unexplained(step, expected, outcome))
        if outcome.error is None and step.kind not in HARMLESS:
            self.follow(step, outcome)

    def check_read(self, step: Step, expected: Expected, outcome: Outcome) -> None:
        """A response of success is what the model says."""
        name = step.operation.id
        if expected.must_refuse:
            self.fail(f"{name}: it must be refused.", expected.refusals)
        if step.kind != "unknown-values":
            problems = expected.check(outcome.result)
            self.check(f"{name}: the response is not what it must be.", problems)

    def written(self, step: Step, expected: Expected, outcome: Outcome) -> None:
        """A write did what it says, and nothing else."""
        name, carried, error = step.operation.id, bool(outcome.carried), outcome.error
        if carried and expected.must_refuse:
            self.fail(f"{name}: it must be refused.", expected.refusals)
        # What was gone before is as good as deleted, where an attempt was lost in between.
        gone = step.operation.method == "DELETE" and expected.must_refuse and step.fault
        if error is None and not carried and not gone:
            self.fail(f"{name}: it is reported as done, and was not.", [])
        if isinstance(error, StatusError) and error.status < 500 and carried:
            self.fail(f"{name}: it is reported as refused, and was done.", [])
        if isinstance(error, SocialPublishingError) and carried and not error.may_be_done:
            self.fail(f"{name}: it was done, and may_be_done is False.", [])
        if not carried:
            problems = unexplained(step, expected, outcome)
            self.check(f"{name}: it is refused without a reason.", problems)
        before = {each: dict(self.model.posts.get(each, {})) for each in expected.posts}
        if carried and expected.write is not None:
            expected.write(outcome.result if error is None else self.made(name))
        if carried and name in BULK and self.model.is_limited(self.stage.user_ids[step.user]):
            self.reader.leave_unseen(before)
        if isinstance(error, OutcomeUnknown) and error.probe is not None:
            self.reconcile(step, outcome, error, before)
        if error is None and outcome.result is not None:
            self.check_read(step, expected, outcome)
        problems = self.reader.at(expected)
        self.check(f"{name}: what is read is not what was written.", problems)

    def made(self, name: str) -> Json:
        """Return what a write has made of which no response came."""
        if name not in MAKING:
            return None
        new = self.reader.new(MAKING[name])
        if len(new) != 1:
            self.fail(f"{name}: carried out once, and {len(new)} are new.", [])
        return new[0]

    def reconcile(
        self, step: Step, outcome: Outcome, error: OutcomeUnknown, before: dict[str, Fields]
    ) -> None:
        """What the client says of a write whose response was lost is true."""
        call = "error.reconcile()" if step.side == "sync" else "await error.reconcile_async()"
        self.program.note(f"except OutcomeUnknown as error: {call}")
        is_sync = step.side == "sync"
        reported = self.stage.run(error.reconcile() if is_sync else error.reconcile_async())
        self.program.note(f"reports {reported._replace(found=None)}")
        problems = self.reader.reconciled(step, outcome, reported, before)
        self.check("reconcile() does not say the truth.", problems)

    def follow(self, step: Step, outcome: Outcome) -> None:
        """Know from now on what the links of a response carry."""
        for link in links.every():
            if link.source == step.operation.id:
                values = [*self.carried.get(link, ())]
                for each in link.values(outcome.result):
                    values += each if isinstance(each, list) else [each]
                self.carried[link] = model.unique(values)

    def advance(self, seconds: float) -> None:
        self.program.say(f"sandbox.advance(seconds={seconds:g})")
        self.sandbox.advance(seconds=seconds)
        self.model.advance(self.sandbox.now)
        self.check("Time has passed, and not all is as it must be.", self.reader.everything())

    def create(self, fields: Json) -> None:
        self.program.say(f"sandbox.create_post(**{fields!r})")
        made = self.sandbox.create_post(**fields)
        self.model.posts[made["id"]] = model.post_fields(made)
        self.perform(Step(OPERATIONS["getPosts"], {"query.ids": [made["id"]]}))

    def decide(self, verb: str, identifier: str) -> None:
        self.program.say(f"sandbox.{verb}({identifier!r})")
        try:
            getattr(self.sandbox, verb)(identifier)
        except ControlError as error:  # nobody is there who may
            return self.program.note(str(error))
        self.model.reviewed(identifier, verb == "approve")
        problems = self.reader.at(Expected(posts=[identifier]))
        self.check(f"{verb}: the post is not as it must be.", problems)

    def overrun(self, few: int, side: Side) -> None:
        """Without pacing, the request that is too many is refused; with it, none is too many."""
        paced = self.stage.client("owner", side)
        hasty = paced.with_options(pacing="off", retries=0)
        group = next(iter(self.model.groups))
        call = call_of(OPERATIONS["getGroup"], {"path.group": group})
        self.program.say(f"sandbox.limit({few})", f"for _ in range({few + 1}): {call.python()}")
        self.stage.fresh_minute(few)
        *within, beyond = [self.stage.play(call, hasty) for _ in range(few + 1)]
        self.program.note(f"{side}, without pacing: {beyond}")
        problems = [f"request {i + 1} of {few}: {e}" for i, e in enumerate(within) if e.error]
        self.check("The limit comes early.", problems)
        self.check("The limit is not told as it must be.", over_the_limit(beyond, few))
        self.stage.fresh_minute(few)
        outcomes = [self.stage.play(call, paced) for _ in range(few + 2)]
        problems = [str(each) for each in outcomes if each.error or len(each.entries) > 1]
        self.check("With pacing, a limit is met.", problems)
        self.stage.fresh_minute(60)

    def end(self) -> None:
        """Hold everything against the model, and search all that was kept."""
        self.check("In the end, not all is as it must be.", self.reader.everything())
        self.check("Something shows that must not.", self.stage.leaks()[:5])
        self.check("An exchange is not as it must be.", self.stage.broken_rules()[:5])


def on(stage: Stage, **attributes: object) -> type[Machine]:
    """Return the machine of a stage."""
    return type("Service", (Machine,), {"stage": stage, **attributes})


def seen_by_schemathesis(document: Document) -> set[tuple[str, str, str]]:
    """Return the links as schemathesis reads them: where from, their names, where to.

    There is no public way to them; `as_state_machine` raises where it cannot follow one.
    """
    no_guesses = {"phases": {"stateful": {"inference": {"algorithms": []}}}}
    config = schemathesis.Config.from_dict(no_guesses)
    loaded = schemathesis.openapi.from_dict(document.data, config=config)
    transitions = loaded.as_state_machine()._transitions
    return {
        (link.source.label, link.name, link.target.label)
        for each in transitions.operations.values()
        for link in each.outgoing
    }


def explore(stage: Stage, plan: Plan, again: str, *, with_faults: bool) -> None:
    """Walk along the links.

    Args:
        again: the command that does the same.

    Raises:
        ContractFailure: the shortest way to something that is not as it must be.
    """
    made = hypothesis.seed(plan.seed)(on(stage, again=again, with_faults=with_faults))
    try:
        run_state_machine_as_test(
            made,
            settings=settings(
                max_examples=plan.examples,
                stateful_step_count=30,
                database=None,
                deadline=None,
                print_blob=False,
                report_multiple_bugs=False,
                verbosity=Verbosity.quiet,
                suppress_health_check=list(HealthCheck),
                phases=[Phase.generate],
            ),
        )
    except Broken as found:
        raise shrink(made, found).failure from None
