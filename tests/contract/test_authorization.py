"""Two users who share nothing: what one does with an object of theirs, the other may not do.

Every scenario is played by its owner, and each request is first sent by a stranger, byte for byte.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from social_publishing import Attempt, Exchange, SocialPublishing, StatusError

from recording import identifiers
from scenarios import HANDLED, SCENARIOS, WORLD, Stage
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.state import access
from tests.support.documents import operations

STRANGER = "token-of-sam"
KINDS = ("groups", "social_accounts", "labels", "media", "posts", "calendar_notes")
SHARED = {"createLabel", "uploadMedia", "uploadMediaFromUrl", "getMediaStatus"}
"""Operations that name nobody's object, or a file: the library is the organization's (§2.11)."""


def world() -> dict[str, Any]:
    """The world of the scenarios, without anything that is for all groups, and with a stranger."""
    made = copy.deepcopy(WORLD)
    for each in (*made["labels"], *made["calendar_notes"]):
        each.setdefault("group_id", "Bakery")
    made["groups"].append({"name": "Elsewhere"})
    made["users"].append({"token": STRANGER, "name": "Sam", "groupIds": ["Elsewhere"]})
    return made


class Seen:
    """What the stranger asked for, and what was wrong with what came."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.known = {each["id"] for kind in KINDS for each in sandbox.find(kind)}
        self.known -= {each["id"] for each in sandbox.find("groups") if each["name"] == "Elsewhere"}
        self.refused: set[str] = set()
        self.asked: set[str] = set()
        self.wrong: list[str] = []

    def state(self) -> str:
        return json.dumps([sorted(map(str, self.sandbox.find(kind))) for kind in KINDS])

    def __call__(self, attempt: Attempt, send: Callable[[Attempt], Exchange]) -> Exchange:
        text = f"{attempt.url} {attempt.body!r}"
        named = self.known & set(re.findall(r"\d{15,}", text))
        if named or attempt.method == "GET":
            before = self.state()
            headers = {**attempt.headers, "Authorization": f"Bearer {STRANGER}"}
            exchange = send(attempt._replace(headers=headers))
            entry = [*self.sandbox.requests()][-1]
            operation = entry.operation or ""
            self.asked.add(operation)
            if exchange.status in (403, 404):
                self.refused.add(operation)
            came = set(re.findall(r"\d{15,}", exchange.body.decode())) & self.known
            if operation not in SHARED and came - named | (
                came if exchange.status < 300 else set()
            ):
                self.wrong.append(f"{operation} shows {came}")
            if self.state() != before:
                self.wrong.append(f"{operation} changes something: {text}")
        return send(attempt)


def play(scenario: Callable[[Stage], None]) -> Seen:
    with ExitStack() as stack:
        sandbox = stack.enter_context(
            Sandbox(
                world(), clock="frozen", rate_limit=None, fetch_hosts=["127.0.0.1"],
                fetch_private=True,
            )
        )  # fmt: skip
        seen = Seen(sandbox)

        def client_of(token: str) -> SocialPublishing:
            client = SocialPublishing(
                api_token=token,
                base_url=sandbox.base_url,
                media_url=sandbox.media_url,
                retries=0,
                middleware=[seen] if token == "token-of-ada" else [],
            )
            return stack.enter_context(client)

        ids = identifiers(sandbox)
        ids["Rolls label"] = next(e["id"] for e in sandbox.find("labels") if e["name"] == "Rolls")
        with suppress(StatusError):  # of what the stranger has deleted: that is in `wrong`
            scenario(Stage(sandbox, client_of, ids))
        return seen


def named_label(stage: Stage) -> None:
    """A label of a group; the scenario of labels makes its own, which is for all groups."""
    stage.ada.labels.delete(stage.ids["Rolls label"])


pytestmark = pytest.mark.filterwarnings("ignore:.*assumed")

PLAYED = [
    *(each for each in SCENARIOS if each.__name__ in ("posts", "groups", "notes", "media")),
    named_label,
]
"""Those that succeed; the others are of requests that are refused anyway."""


@pytest.fixture(scope="module")
def played() -> list[Seen]:
    return [play(scenario) for scenario in PLAYED]


def test_a_stranger_sees_and_changes_nothing(played: list[Seen]) -> None:
    assert [each.wrong for each in played] == [[]] * len(PLAYED)
    assert all(each.asked for each in played)


def test_every_operation_that_names_an_object_is_refused(played: list[Seen]) -> None:
    """One that is new has to be in `PLAYED`, with an object of one group."""
    paths = {name for name, each in operations().items() if "{" in each.path and name in HANDLED}
    refused = {operation for each in played for operation in each.refused}
    assert len(paths) > 10
    missing = sorted(paths - SHARED - refused)
    assert not missing, (
        f"add a scenario to PLAYED that calls these for an object of a group: {missing}"
    )


@pytest.mark.parametrize(
    ("forgotten", "number", "found"),
    [
        ("sees_posts", 0, {"getPosts", "updatePost", "deletePosts", "getPostMetrics"}),
        ("sees_group", 1, {"getGroup", "getSocialAccount", "moveSocialAccount", "replaceGroup"}),
        ("sees_note", 2, {"listCalendarNotes", "rescheduleCalendarNote", "deleteCalendarNote"}),
    ],
)
def test_a_service_that_forgets_to_ask_is_found(
    forgotten: str, number: int, found: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = {"sees_posts": lambda service, user, posts: [True] * len(posts)}
    monkeypatch.setattr(access, forgotten, everything.get(forgotten, lambda *_: True))
    assert {each.partition(" ")[0] for each in play(PLAYED[number]).wrong} >= found
