"""What must be true after each step of the state machine: of the call, and of what is read then."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from social_publishing import DecodeError, OutcomeUnknown, RateLimitError, StatusError

from harness import model
from harness.calls import call_of
from harness.drawing import OPERATIONS, Step
from harness.model import Expected, Fields, Model, instant
from harness.service import SIDES
from harness.stage import LISTS, Outcome, Stage
from tests.support.documents import Json

UNSHOWN = ("isDraft", "isPublishNow", "notify_assignee", "labelIds")
"""What is written and no read shows, or only one with relations."""
DRAFT = 5
IDS = ("selectedAccountIds", "assigneesIds", "selected_media_ids")


class StateReader:
    """Reads, and learns what was open. All texts that it returns say what is wrong."""

    def __init__(self, stage: Stage, known: Model) -> None:
        self._stage, self._sandbox, self._model = stage, stage.sandbox, known
        self._sides = SIDES

    def at(self, expected: Expected) -> list[str]:
        """Read what a write was about, and what stands beside it."""
        found, client = self.beside(), self._stage.client()
        if expected.posts:
            read = self._posts(expected.posts)
            for each in expected.posts:
                if (each in read) != (each in self._model.posts):
                    there = "must not be there" if each in read else "is not there any more"
                    found.append(f"post {each} {there}")
                elif each in read:
                    found += self._post(read[each])
        for each in expected.groups:
            found += self._model.group_problems(each, client.groups.get(each).to_dict(wire=True))
        for each in expected.notes:
            found += self._notes_around(each)
        return found

    def _posts(self, identifiers: list[str]) -> dict[str, Json]:
        """Return posts as the owner's client reads them."""
        read = self._stage.client().posts.get_many(ids=identifiers)
        return {each.id: each.to_dict(wire=True) for each in read}

    def _post(self, read: Json) -> list[str]:
        """Hold a post against the model, with its labels, which no read has without a list."""
        labels = self._sandbox.read_post(read["id"])["labels"]
        fields = model.post_fields({**read, "labels": labels})
        return self._model.learn("posts", read["id"], fields) + model.stamps(read)

    def _notes_around(self, identifier: str) -> list[str]:
        note = self._model.notes.get(identifier)
        middle = instant(note["start_date"]) if note else self._sandbox.now
        assert middle is not None
        return self._notes(middle - timedelta(days=1), middle + timedelta(days=1))

    def _notes(self, start: datetime, end: datetime) -> list[str]:
        read = self._stage.client().calendar_notes.list(start=start, end=end)
        values = {"query.start": start.isoformat(), "query.end": end.isoformat()}
        return self._expected("listCalendarNotes", values).check(
            [e.to_dict(wire=True) for e in read]
        )

    def _expected(self, operation: str, values: Json) -> Expected:
        return self._model.expected(operation, values, self._stage.user_ids["owner"])

    def beside(self) -> list[str]:
        """Hold all but the posts against the model: what was not written has stayed."""
        self._find_lost_notes()
        found: list[str] = []
        for kind, stored in (("notes", "calendar_notes"), ("labels", "labels"), ("media", "media")):
            there, known = self._sandbox.find(stored), getattr(self._model, kind)
            found += [f"{kind} {e['id']} must not be there" for e in there if e["id"] not in known]
            gone = set(known) - {each["id"] for each in there}
            found += [f"{kind} {each} is not there any more" for each in sorted(gone)]
            if kind == "notes" and not found:
                for each in there:
                    found += self._model.learn("notes", each["id"], model.note_fields(each))
        for each in self._sandbox.find("social_accounts"):
            wanted = {"group_id": self._model.accounts[each["id"]]["group_id"]}
            found += model.differences(wanted, each, f"account {each['id']}")
        for each in self._sandbox.find("groups"):
            found += self._model.group_problems(each["id"], each)
        return found

    def _find_lost_notes(self) -> None:
        """Find out about the notes that may have gone with another one."""
        there = {each["id"] for each in self._sandbox.find("calendar_notes")}
        for each in self._model.perhaps_gone - there:
            self._model.notes.pop(each, None)
        self._model.perhaps_gone.clear()

    def everything(self) -> list[str]:
        """Read all posts, page by page, through either client in turn, and look at all the rest."""
        values = {"query.socialAccountIds": sorted(self._model.accounts)}
        call = call_of(OPERATIONS["listPosts"], {**values, "query.include": ["labels"]})
        self._sides = self._sides[::-1]
        read = self._stage.play(call, self._stage.client("owner", self._sides[0]))
        if read.error is not None:
            return [f"the posts cannot be listed: {read}"]
        found = self._expected("listPosts", values).check(read.result)
        now = self._sandbox.now
        found += self._notes(now - timedelta(days=29), now + timedelta(days=30))
        apart = [i for i, each in self._model.posts.items() if not each["selectedAccountIds"]]
        return found + (self.at(Expected(posts=apart)) if apart else self.beside())

    # After a write of which not all is known

    def new(self, kind: str) -> list[Json]:
        """Return what a write has made of which no response came."""
        known = getattr(self._model, kind)
        return [each for each in self._sandbox.find(kind) if each["id"] not in known]

    def leave_unseen(self, before: Mapping[str, Fields]) -> None:
        """Of many posts, those that the user does not see stay as they were."""
        read = self._posts(list(before))
        for each, was in before.items():
            now = self._model.posts.get(each, {"status": None})["status"]
            if each in read and was and read[each]["status"] == was["status"] != now:
                self._model.posts[each] = dict(was)

    def reconciled(
        self, step: Step, outcome: Outcome, reported: Any, before: Mapping[str, Fields]
    ) -> list[str]:
        """Return what is not true in what the client says of a write whose response was lost.

        What it says is held against what was carried out, as the sandbox knows it. It was given
        nothing that was read before, so that it can never say that it was done.
        """
        if reported.done is True:
            return ["done is True, and nothing shows that it was this write"]
        if "path.post" not in step.values:
            return self._each_reconciled(step.values["body.is_draft"], reported.each)
        identifier = step.values["path.post"]
        if identifier not in self._model.posts:
            return []
        if reported.found is None:  # the user does not see it, and could not have changed it
            return ["done is False, and it was carried out"] if outcome.carried else []
        arguments = step.operation.arguments
        sent = {arguments[k].name: v for k, v in step.values.items() if k != "path.post"}
        wanted = {name: model.read_as(name, value) for name, value in sent.items()}
        shown = {  # what can be held against one another without a doubt
            arguments[f"body.{name}"].python: (name, value)
            for name, value in wanted.items()
            if name not in UNSHOWN
            and (name in IDS or not isinstance(value, model.Like))
            and not isinstance(self._model.posts[identifier].get(name), model.OneOf)
            and not (is_empty(sent[name]) and is_empty(before[identifier].get(name)))
        }
        differing = set()
        if not outcome.carried:
            old = before[identifier]
            differing = {
                python
                for python, (name, value) in shown.items()
                if model.differences({name: value}, old, "")
            }
        found = []
        if set(reported.different) & set(shown) != differing:
            found.append(f"different must be {sorted(differing)}, is {list(reported.different)}")
        if reported.done is False and not reported.different:
            found.append("nothing is different, and done is False")
        if differing and not reported.unknown and reported.done is not False:
            found.append(f"it was not carried out, and done is {reported.done}")
        if outcome.carried and not set(shown) <= set(reported.same):
            found.append(f"it was carried out, and only {list(reported.same)} are the same")
        return found

    def _each_reconciled(self, is_draft: bool, reported: Mapping[str, Any]) -> list[str]:
        """Return what is not true of posts that were moved into or out of draft."""
        status = {each["id"]: each["status"] for each in self._sandbox.find("posts")}
        wanted = {
            each: None if (status[each] == DRAFT) is is_draft else False
            for each, part in reported.items()
            if part.found is not None
        }
        return [
            f"post {each} has the status {status[each]}, and done is {reported[each].done}"
            for each, done in wanted.items()
            if reported[each].done is not done
        ]


def is_empty(value: Json) -> bool:
    """Null, or nothing of its kind: a service may read one as the other, and no client can tell."""
    return value is None or value in ("", [], {})


ATTEMPTS = 4
LOSING = ("drop-before", "drop-after", "truncated", "status")
"""Faults after which nobody can tell whether a write was carried out."""
PASSING = (*LOSING, "rate-limited")
"""Faults after which a call may be made again, if it may be made again at all."""
HARMLESS = ("unknown-fields", "unknown-values", "latency")


def call_problems(step: Step, outcome: Outcome) -> list[str]:
    """Return what is wrong with how a call was sent, and with what was made of a lost response."""
    found = [*_attempts(step, outcome)]
    error = outcome.error
    refused = isinstance(error, StatusError) and error.status < 500 and error.status != 429
    if step.kind in LOSING and step.is_unsafe and not isinstance(error, OutcomeUnknown):
        hit = any(each.fault == step.kind for each in outcome.entries)
        # A refusal is told by its status, even when its body breaks off.
        if hit and not (step.kind == "truncated" and outcome.entries[-1].status in range(400, 500)):
            found.append(f"its response was lost, and it is no OutcomeUnknown: {outcome}")
    passes = step.kind in PASSING and not step.is_unsafe and step.fault["times"] < ATTEMPTS
    if passes and error is not None and not refused:
        found.append(f"it would have passed at another attempt: {outcome}")
    if isinstance(error, DecodeError) and step.is_write and not outcome.carried:
        found.append("a response of success was not understood, and nothing was done")
    if step.kind is None and isinstance(error, RateLimitError):
        found.append(f"the limit was met: {outcome}")
    return found


def _attempts(step: Step, outcome: Outcome) -> list[str]:
    attempts = [each for each in outcome.entries if each.status != 429]
    found = []
    if step.is_unsafe and len(attempts) > 1:
        found.append(f"a write that is unsafe was sent {len(attempts)} times")
    if len(outcome.entries) > ATTEMPTS and step.operation.id not in LISTS:
        found.append(f"it was sent {len(outcome.entries)} times")
    if len(outcome.entries) > 1 and step.kind not in PASSING and step.operation.id not in LISTS:
        found.append(f"it was sent {len(outcome.entries)} times, and nothing stood against it")
    return found


def unexplained(step: Step, expected: Expected, outcome: Outcome) -> list[str]:
    """Return why a call should not have failed."""
    if expected.refusals or (step.kind is not None and step.kind not in HARMLESS):
        return []
    return [f"expected was success, came {outcome}"]


def over_the_limit(outcome: Outcome, limit: int) -> list[str]:
    """Return what is wrong with the error of a request that is too many (§8)."""
    error = outcome.error
    if not isinstance(error, RateLimitError):
        return [f"expected was RateLimitError, came {outcome}"]
    told = {name: error.headers.get(f"x-ratelimit-{name}") for name in ("limit", "remaining")}
    wanted = {"limit": str(limit), "remaining": "0"}
    found = [] if told == wanted else [f"the headers must be {wanted}, are {told}"]
    if not str(error.headers.get("retry-after", "")).isdigit() or error.status != 429:
        found.append(f"Retry-After is {error.headers.get('retry-after')}, status {error.status}")
    return found if error.message else [*found, "it has no message"]
