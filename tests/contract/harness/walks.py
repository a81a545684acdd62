"""A walk along the links of the documents, through both clients, against the sandbox.

A link that carries a value leads to the next call, with or without a fault of the service. What is
stored is looked at before and after each: what a call returns, or says of a write, must be true,
and nothing may change that has nothing to do with it. What the service should have done is tested
in tests/sandbox.

Schemathesis' own machine (`as_state_machine`) follows one link a call and makes up all other
arguments: one that gives a label to an update would never meet a post that exists. So the walk is
our own, what it sends is made by schemathesis (`drawing`), and test_stateful.py has
schemathesis read the same links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

import schemathesis
from social_publishing import (
    ArgumentError,
    DecodeError,
    OutcomeUnknown,
    SocialPublishingError,
    StatusError,
)

from harness import links
from harness.calls import call_of
from harness.drawing import OPERATIONS, Drawing, Step, filled, instant, unique
from harness.failures import ContractFailure
from harness.links import Link
from harness.options import Plan
from harness.service import SIDES
from harness.stage import LISTS, Outcome, Stage
from social_publishing_sandbox import ControlError
from tests.support.documents import Document, Json
from tests.support.wire import forbidden

STEPS = 30
WHAT_HAPPENS = {
    "follow_a_link": 24,
    "begin_anew": 3,
    "let_time_pass": 2,
    "make_a_post": 2,
    "review": 2,
}
"""What may happen next, and how often it does."""
BEGINNINGS = ("createLabel", "listCalendarNotes", "uploadMedia", "uploadMediaFromUrl")
"""The operations that need no identifier."""
STATES = ("DRAFT", "SCHEDULED", "SCHEDULED", "IN_REVIEW")
"""Those in which a post is made."""

KINDS = ("posts", "groups", "social_accounts", "calendar_notes", "labels", "media")
MADE = {"createLabel", "uploadMedia", "uploadMediaFromUrl"}
"""The operations that make something of which nobody knows the name before."""
SPREADING = {"deleteLabel", "moveSocialAccount"}
"""The operations that change what only mentions what they name."""
FOLLOWING = {
    "updated_at", "content_weighted_length", "has_customized_content", "published_at", "status",
    "approved_at", "customized_publication_date", "publication_timestamp", "publication_date",
    "should_skip", "details", "approvals", "media", "socialAccounts", "comments", "labels", "tasks",
    "user", "socialAccountsCount", "end_date_extra_day",
}  # fmt: skip
"""What follows from other fields, from the state, or from what stands around an object."""
ATTEMPTS = 4
LOSING = ("drop-before", "drop-after", "truncated", "status")
"""Faults after which nobody can tell whether a write was carried out."""
PASSING = (*LOSING, "rate-limited")
"""Faults after which a call may be made again, if it may be made again at all."""
HARMLESS = ("unknown-fields", "unknown-values", "latency")
DRAFT, IN_REVIEW, DELETED = 5, 10, 50

Stored = Mapping[str, Mapping[str, Any]]
"""All objects, by their kinds and identifiers."""

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


class Walk:
    """One walk, from the same world as any other.

    Attributes:
        carried: the values that each link has carried.
        outcome: what the newest call did.
        before: what was stored after the newest event.
        lines: what was done, as a program that does it again.
    """

    def __init__(self, stage: Stage, random: Random, *, with_faults: bool = False) -> None:
        self.stage, self.random, self.with_faults = stage, random, with_faults
        self.sandbox = stage.sandbox
        self.carried: dict[Link, list[Json]] = {}
        self.outcome = Outcome()
        self.lines = list(HEAD)
        stage.begin()
        self.before = self.stored()
        for identifier in self.before["groups"]:
            self.perform(Step(OPERATIONS["getGroup"], {"path.group": identifier}))
            listed = {"query.groupId": identifier, "query.include": ["labels"]}
            self.perform(Step(OPERATIONS["listPosts"], listed))

    def stored(self) -> Stored:
        """Return everything that there is."""
        return {
            kind: {each["id"]: dict(each) for each in self.sandbox.find(kind)} for kind in KINDS
        }

    def check(self, title: str, problems: Iterable[str]) -> None:
        if found := [*problems]:
            text = "\n".join(f"  {each}" for each in [*self.lines, *(f"    # {e}" for e in found)])
            raise ContractFailure(f"{title}\n\n{text}\n")

    # What may happen

    def go_on(self) -> None:
        """Follow a link, begin something new, or let something happen beside the service."""
        (kind,) = self.random.choices(list(WHAT_HAPPENS), list(WHAT_HAPPENS.values()))
        getattr(self, kind)()

    def follow_a_link(self) -> None:
        link = self.drawing().link()
        self.call(link.target, link)

    def begin_anew(self) -> None:
        self.call(self.random.choice(BEGINNINGS))

    def call(self, name: str, link: Link | None = None) -> None:
        self.perform(self.drawing().step(OPERATIONS[name], link, with_faults=self.with_faults))

    def drawing(self) -> Drawing:
        return Drawing(self.carried, self.sandbox.now, self.random)

    def let_time_pass(self) -> None:
        """For a while, or until the next post goes out: at its first account, or between two."""
        step = timedelta(minutes=self.random.choice((1, 30, 60 * 24, 60 * 24 * 12)))
        dates = [instant(each.get("publication_date")) for each in self.sandbox.find("posts")]
        due = min((each for each in dates if each and each > self.sandbox.now), default=None)
        if due is not None and self.random.random() < 0.6:
            step = due - self.sandbox.now + timedelta(minutes=self.random.choice((0, 5)))
        self.lines.append(f"sandbox.advance(seconds={step.total_seconds():g})")
        self.sandbox.advance(seconds=step.total_seconds())
        self.before = self.stored()

    def make_a_post(self) -> None:
        """One that can be waited for, reviewed, moved and deleted."""
        random, there = self.random, self.before
        minutes = random.choice((None, 1, 60, 60, 60 * 24))
        fields: dict[str, Json] = {
            **filled(OPERATIONS["updatePost"]),
            "content": "We open on Monday.",
            "visible_for_client": True,
            "labelIds": random.sample(sorted(there["labels"]), min(2, len(there["labels"]))),
            "status": random.choice(STATES if minutes else ("DRAFT",)),
            "selectedAccountIds": random.sample(
                sorted(there["social_accounts"]), random.choice((0, 1, 2, 3))
            ),
            "publication_delay_between": random.choice((0, 10, 10)),
            "assigneesIds": [self.stage.user_ids[each] for each in ("owner", "client")],
        }
        if minutes is not None:
            moment = self.sandbox.now + timedelta(minutes=minutes)
            fields["publication_date"] = moment.strftime("%Y-%m-%dT%H:%M:00Z")
        self.lines.append(f"sandbox.create_post(**{fields!r})")
        made = self.sandbox.create_post(**fields)
        self.before = self.stored()
        self.perform(Step(OPERATIONS["getPosts"], {"query.ids": [made["id"]]}))

    def review(self) -> None:
        """A post that is in review is approved or rejected, where somebody may."""
        waiting = [each["id"] for each in self.sandbox.find("posts") if each["status"] == IN_REVIEW]
        if waiting:
            verb, post = self.random.choice(("approve", "reject")), self.random.choice(waiting)
            self.lines.append(f"sandbox.{verb}({post!r})")
            with suppress(ControlError):
                getattr(self.sandbox, verb)(post)
            self.before = self.stored()

    # What a call does

    def perform(self, step: Step) -> None:
        """Make a call, and hold what it says against what is stored."""
        before = self.before
        self.lines.append(step.python())
        outcome = self.stage.play(step.call, self.stage.client(step.user, step.side), step.fault)
        self.lines.append(f"    # {step.side}: {outcome.brief}")
        self.outcome = outcome
        name, after = step.operation.id, self.stored()
        self.before = after
        if reasons := forbidden(step.operation, step.values):
            if outcome.entries or not isinstance(outcome.error, ArgumentError):
                self.check("The client sends what the documents forbid.", reasons)
            return
        self.check(f"{name}: it is not sent as it must be.", _sending_problems(step, outcome))
        self.check(f"{name}: what it says is not true.", _truth_problems(step, outcome))
        self.check(f"{name}: something else has changed.", _frame(step, outcome, before, after))
        if outcome.carried:
            self.check(f"{name}: what is read is not what was written.", _written(step, after))
        if outcome.error is None and step.kind not in HARMLESS:
            problems = _read_problems(step, outcome.result, before if step.is_delete else after)
            self.check(f"{name}: the response is not what is stored.", problems)
            self._follow(step, outcome)
        if isinstance(outcome.error, OutcomeUnknown) and outcome.error.probe is not None:
            self._reconcile(step, outcome.error, after)

    def _reconcile(self, step: Step, error: OutcomeUnknown, after: Stored) -> None:
        """What the client says of a write whose response was lost is true.

        It was given nothing that was read before, so that it can never say that it was done.
        """
        is_sync = step.side == "sync"
        reported = self.stage.run(error.reconcile() if is_sync else error.reconcile_async())
        self.lines.append(f"    # reconcile() reports {reported._replace(found=None)}")
        found = ["done is True, and nothing shows that it was this write"] * (reported.done is True)
        if "path.post" in step.values:
            if reported.done is False and self.outcome.carried:
                found.append("done is False, and it was carried out")
            if reported.done is False and reported.found is not None and not reported.different:
                found.append("nothing is different, and done is False")
        else:
            for post, part in reported.each.items():
                is_draft = after["posts"].get(post, {}).get("status") == DRAFT
                done = None if is_draft is step.values["body.is_draft"] else False
                if part.found is not None and part.done is not done:
                    found.append(f"post {post}: done must be {done}, is {part.done}")
        self.check("reconcile() does not say the truth.", found)

    def _follow(self, step: Step, outcome: Outcome) -> None:
        """Know from now on what the links of a response carry."""
        for link in links.every():
            if link.source == step.operation.id:
                values = [*self.carried.get(link, ())]
                for value in link.values(outcome.result):
                    values += value if isinstance(value, list) else [value]
                self.carried[link] = unique(values)

    def end(self) -> None:
        """List all posts with either client, and search all that was kept."""
        there = self.before
        accounts = sorted(there["social_accounts"])
        wanted = [
            each
            for each, post in there["posts"].items()
            if set(accounts) & set(post["selectedAccountIds"]) and post["status"] != DELETED
        ]
        call = call_of(OPERATIONS["listPosts"], {"query.socialAccountIds": accounts})
        for side in SIDES:
            listed = self.stage.play(call, self.stage.client("owner", side))
            read = [each["id"] for each in (listed.result or {}).get("data", ())]
            if read != sorted(wanted, key=int, reverse=True):
                self.check("Not all posts are listed.", [f"{side}: {read}, not {wanted}"])
        self.check("Something shows that must not.", self.stage.leaks()[:5])
        self.check("An exchange is not as it must be.", self.stage.broken_rules()[:5])


def _sending_problems(step: Step, outcome: Outcome) -> Iterator[str]:
    """Yield what is wrong with how often a call was sent."""
    attempts = [each for each in outcome.entries if each.status != 429]
    if step.is_unsafe and len(attempts) > 1:
        yield f"a write that is unsafe was sent {len(attempts)} times"
    if step.operation.id in LISTS:
        return
    if len(outcome.entries) > (ATTEMPTS if step.kind in PASSING else 1):
        yield f"it was sent {len(outcome.entries)} times"


def _truth_problems(step: Step, outcome: Outcome) -> Iterator[str]:
    """Yield what a call says of itself, and is not so."""
    error, carried = outcome.error, bool(outcome.carried)
    is_refused = isinstance(error, StatusError) and error.status < 500 and error.status != 429
    if step.is_write:
        # What was gone before is as good as deleted, where an attempt was lost in between.
        if error is None and not carried and not (step.is_delete and step.fault):
            yield "it is reported as done, and was not"
        if is_refused and carried:
            yield "it is reported as refused, and was done"
        if isinstance(error, SocialPublishingError) and carried and not error.may_be_done:
            yield "it was done, and may_be_done is False"
        if isinstance(error, DecodeError) and not carried:
            yield "a response of success was not understood, and nothing was done"
        hit = [each for each in outcome.entries if each.fault == step.kind]
        # A refusal is told by its status, even when its body breaks off.
        is_told = step.kind == "truncated" and hit and hit[-1].status in range(400, 500)
        is_lost = step.kind in LOSING and hit and not is_told
        if step.is_unsafe and is_lost and not isinstance(error, OutcomeUnknown):
            yield f"its response was lost, and it is no OutcomeUnknown: {outcome}"
    passes = step.kind in PASSING and not step.is_unsafe and step.fault["times"] < ATTEMPTS
    if error is not None and not is_refused and (passes or step.kind in (None, *HARMLESS)):
        yield f"nothing stood against it: {outcome}"


def _frame(step: Step, outcome: Outcome, before: Stored, after: Stored) -> Iterator[str]:
    """Yield what has changed that a call has nothing to do with."""
    named = set(_texts(step.values))
    titles = {each["title"] for i, each in before["calendar_notes"].items() if i in named}
    for kind in KINDS:
        old, new = before[kind], after[kind]
        made = new.keys() - old.keys()
        if made and (len(made) > 1 or step.operation.id not in MADE or not outcome.carried):
            yield f"{kind} {sorted(made)} were not there before"
        for identifier in old.keys() - made:
            was, now = old[identifier], new.get(identifier)
            fields = {key for key in {**was, **(now or {})} if was.get(key) != (now or {}).get(key)}
            if now is not None and not outcome.carried:
                fields -= FOLLOWING  # what is due happens when somebody looks
            if not fields:
                continue
            is_meant = identifier in named or was.get("title") in titles
            is_meant |= step.operation.id in SPREADING and bool(named & set(_texts(was)))
            if not (outcome.carried and step.is_write and is_meant):
                yield f"{kind} {identifier}: {sorted(fields)}"
            elif step.operation.method == "PATCH" and now is not None:
                sent = {step.operation.arguments[key].name for key in step.values}
                if others := fields - sent - FOLLOWING:
                    yield f"{kind} {identifier}: {sorted(others)}, which were not sent"


def _written(step: Step, after: Stored) -> Iterator[str]:
    """Yield what an update has sent and is not there now, of what is read as it is written."""
    post = after["posts"].get(step.values.get("path.post", ""))
    for key, value in step.values.items() if post else ():
        name = step.operation.arguments[key].name
        if name not in post or name in FOLLOWING or isinstance(value, dict) or instant(post[name]):
            continue
        is_list = isinstance(value, list)
        if (unique(value) != unique(post[name] or ())) if is_list else (value != post[name]):
            yield f"{name} must be {value!r}, is {post[name]!r}"


def _read_problems(step: Step, result: Json, stored: Stored) -> Iterator[str]:
    """Yield where objects of a response differ from those that are stored."""
    known = stored.get(step.operation.resource, {})
    items = result.get("data", [result]) if isinstance(result, dict) else result or []
    for item in items if isinstance(items, list) else [items]:
        kept = known.get(item.get("id"), {}) if isinstance(item, dict) else {}
        for name in (item.keys() & kept.keys()) - FOLLOWING if kept else ():
            if (instant(item[name]) or item[name]) != (instant(kept[name]) or kept[name]):
                yield f"{item['id']}: {name} is {item[name]!r}, stored is {kept[name]!r}"


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from _texts(each)


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
        for operation in transitions.operations.values()
        for link in operation.outgoing
    }


def explore(stage: Stage, plan: Plan, *, with_faults: bool) -> None:
    """Walk along the links, as often as there are examples.

    Raises:
        ContractFailure: something is not as it must be; its text is the program that led there.
    """
    for number in range(plan.examples):
        walk = Walk(stage, Random(f"{plan.seed} {number}"), with_faults=with_faults)
        for _ in range(STEPS):
            walk.go_on()
        walk.end()
