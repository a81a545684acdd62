"""Schemathesis against a running sandbox: what it sends, valid or not, and what it may be told.

The documents are served as they are; what is tested against is a copy without `default` and `2XX`,
for with these every status would count as documented.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from zoneinfo import available_timezones

import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis.engine import events, from_schema
from schemathesis.specs.openapi.checks import RejectedPositiveData
from schemathesis.transport.serialization import Binary

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api import http, media
from social_publishing_sandbox.state import documents as contract
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.refusals import Reason, Refusal, invalid
from social_publishing_sandbox.state.service import Call, Service
from social_publishing_sandbox.state.store import Store, Table
from tests.support.server import Response, serve

EXAMPLES = int(os.environ.get("SANDBOX_OUTSIDE_EXAMPLES", "8"))
"""Requests for each operation and kind; thousands of them find more, and take their time."""

# A pattern cannot say where 64 bits end.
schemathesis.openapi.format("uint64", st.integers(0, 2**64 - 1).map(str))

PICTURE: Final = Response(
    body=media.draw(seed=3, width=40, height=30, title="A"), headers={"Content-Type": "image/png"}
)


# What may be refused although it fits its schema


@dataclass(frozen=True)
class Asked:
    """A request, as the rules below see it."""

    path: Json
    query: Json
    body: Any
    service: Service

    @property
    def store(self) -> Store:
        return self.service.store

    def texts(self, *names: str) -> list[str]:
        """The values of these fields of the body that are texts."""
        return [self.body[each] for each in names if isinstance(self.body.get(each), str)]

    def entries(self, name: str) -> list[str]:
        """A list of the body."""
        return list(self.body.get(name) or ())

    @property
    def post(self) -> Json:
        return self.store.posts.get(self.path["post"]) or {}

    @property
    def chosen(self) -> list[str]:
        """The accounts that the post goes to once it is updated."""
        fallback = self.post.get("selectedAccountIds", [])
        return list(self.body.get("selectedAccountIds", fallback))

    def comments(self) -> Iterator[Json]:
        """The first comments of an update: the one for all, and those for some."""
        comments = self.body.get("first_comments") or {}
        yield comments
        yield from comments.get("customized", ())


class Rule(NamedTuple):
    """Requests of an operation that are refused although they fit its schema."""

    operation: str
    why: str
    applies: Callable[[Asked], bool]


def unknown(table: Table, identifiers: list[str]) -> bool:
    return len(table.many(identifiers)) < len(set(identifiers))


def listed(value: Any) -> list[str]:
    """A list of the query, as the wire has it."""
    texts = value if isinstance(value, list) else [value]
    joined = ",".join(map(str, texts))
    return joined.split(",") if joined else []


def never(text: str) -> bool:
    """Whether there is no such moment that the sandbox can keep, whatever the format."""
    try:
        moment = datetime.fromisoformat(text.upper().replace("Z", "+00:00"))
    except ValueError:
        return True
    return not 1970 <= moment.year < 2080


def moments(asked: Asked) -> list[int]:
    """The dates that a note is asked for or given, in milliseconds."""
    given = asked.query if "start_date" in asked.query else asked.body
    return [times.parse(given[name]) for name in ("start_date", "end_date")]


def ends_early(asked: Asked) -> bool:
    start, end = moments(asked)
    return end < start


def leap(asked: Asked) -> bool:
    given = asked.query if "start_date" in asked.query else asked.body
    return any(not times.is_moment(given[name]) for name in ("start_date", "end_date"))


def too_long(asked: Asked) -> bool:
    start, end = moments(asked)
    return end - start >= 60 * times.DAY


def group_is_full(asked: Asked) -> bool:
    group = asked.store.groups.get(asked.body["group_id"]) or {}
    held = [each for each in asked.store.accounts.where() if each["group_id"] == group.get("id")]
    limit = group.get("max_social_accounts")
    return limit is not None and len(held) >= limit


def holds_more(asked: Asked) -> bool:
    limit = asked.body.get("max_social_accounts")
    group = asked.path["group"]
    held = [each for each in asked.store.accounts.where() if each["group_id"] == group]
    return limit is not None and limit < len(held)


def leaves_published(asked: Asked) -> bool:
    out = [
        each["social_account_id"]
        for each in asked.store.details.where()
        if each["status"] == asked.service.codes["PUBLISHED"]
        and each.get("post_id") in (None, asked.path["post"])
    ]
    return not set(out) <= set(asked.chosen)


def is_published(asked: Asked) -> bool:
    """That a field may be sent as it is, is tested elsewhere."""
    kept = asked.body.keys() - {"name", "note", "labelIds", "visible_for_client"}
    return bool(kept) and asked.post.get("status") == asked.service.codes["PUBLISHED"]


def label_of_another_group(asked: Asked) -> bool:
    accounts = asked.store.accounts.many(asked.chosen).values()
    groups = {None, *(each["group_id"] for each in accounts)}
    named = asked.store.labels.many(asked.entries("labelIds")).values()
    return any(each.get("group_id") not in groups for each in named)


def unknown_account(asked: Asked) -> bool:
    named = [
        each
        for field in ("pi_boards", "pi_sections", "yt_categories", "yt_playlists")
        for each in asked.body.get(field) or ()
    ]
    for comment in asked.comments():
        named += comment.get("socialAccountIds", ())
    return unknown(asked.store.accounts, named)


def comments_for_networks(asked: Asked) -> bool:
    """Each entry of `first_comments.customized` is for the accounts of one network, once."""
    _, *entries = asked.comments()
    networks = []
    for entry in entries:
        accounts = asked.store.accounts.many(entry.get("socialAccountIds", ())).values()
        networks.append({each["socialNetwork"] for each in accounts})
    allowed = {"linkedin", "instagram", "facebook", "youtube", "threads", "bluesky", "twitter"}
    flat = [each for found in networks for each in found]
    return (
        any(len(found) != 1 for found in networks)
        or len(flat) > len(set(flat))
        or not set(flat) <= allowed
    )


def unknown_file(asked: Asked) -> bool:
    named = asked.entries("selected_media_ids")
    for entry in (asked.body.get("customized") or {}).values():
        named += entry.get("media_ids", ())
    return unknown(asked.store.media, named)


def is_empty(asked: Asked) -> bool:
    content = asked.body["file"]
    return not (content.data if isinstance(content, Binary) else content)


def not_fetchable(asked: Asked) -> bool:
    host = asked.service.settings.fetch_hosts[0]
    return not asked.body["file_url"].startswith(f"http://{host}:")


RULES: Final = (
    Rule(
        "listPosts",
        "§4.1: a group or accounts must be named",
        lambda a: not a.query.get("groupId") and not listed(a.query.get("socialAccountIds", [])),
    ),
    Rule(
        "listPosts",
        "there is no such group",
        lambda a: "groupId" in a.query and unknown(a.store.groups, [a.query["groupId"]]),
    ),
    Rule(
        "listPosts",
        "there is no such account",
        lambda a: unknown(a.store.accounts, listed(a.query.get("socialAccountIds", []))),
    ),
    *(
        Rule(name, "an integer has 64 bits", lambda a: int(a.query["page"]) >= 2**63)
        for name in ("listPosts", "listPostActivities")
    ),
    Rule(
        "listCalendarNotes",
        "there is no such group",
        lambda a: "groupId" in a.query and unknown(a.store.groups, [a.query["groupId"]]),
    ),
    Rule("listCalendarNotes", "§4.4: less than 60 days", too_long),
    *(
        Rule(name, why, applies)
        for name in ("listCalendarNotes", "replaceCalendarNote", "rescheduleCalendarNote")
        for why, applies in (
            ("a leap second is no moment that can be kept", leap),
            ("the end lies before the start", ends_early),
        )
    ),
    *(
        Rule(
            name,
            "dates are kept from 1970 to 2079",
            lambda a: any(map(never, a.texts("start_date", "end_date"))),
        )
        for name in ("replaceCalendarNote", "rescheduleCalendarNote")
    ),
    *(
        Rule(
            name,
            "there is no such group",
            lambda a: unknown(a.store.groups, a.texts("group_id")),
        )
        for name in ("replaceCalendarNote", "moveSocialAccount")
    ),
    Rule("moveSocialAccount", "§2.6: the group holds as many as it may", group_is_full),
    Rule(
        "replaceGroup",
        "§4.2: there is no such time zone",
        lambda a: a.body["timezone"] not in available_timezones() - {"Factory", "localtime"},
    ),
    Rule(
        "replaceGroup",
        "an integer has 64 bits",
        lambda a: abs(a.body["max_social_accounts"] or 0) >= 2**63,
    ),
    Rule("replaceGroup", "§2.6: the group holds more accounts already", holds_more),
    Rule("createLabel", "a name has letters", lambda a: not a.body["name"].strip()),
    Rule(
        "createLabel",
        "there is a label of this name",
        lambda a: any(each["name"] == a.body["name"] for each in a.store.labels.where()),
    ),
    *(
        Rule("updatePost", why, applies)
        for why, applies in (
            (
                "there is no such account",
                lambda a: unknown(a.store.accounts, a.entries("selectedAccountIds")),
            ),
            ("there is no such file", unknown_file),
            (
                "there is no such user",
                lambda a: unknown(a.store.users, a.entries("assigneesIds")),
            ),
            (
                "there is no such label",
                lambda a: unknown(a.store.labels, a.entries("labelIds")),
            ),
            ("a label belongs to another group", label_of_another_group),
            ("the post is out on an account that is left out", leaves_published),
            ("the post is published, and keeps what went out", is_published),
            ("there is no such account inside of something", unknown_account),
            ("a first comment is not for one network", comments_for_networks),
            (
                "dates are kept from 1970 to 2079",
                lambda a: any(
                    map(never, a.texts("publication_date", "gb_start_date", "gb_end_date"))
                ),
            ),
            (
                "a delay is 0 minutes to a week",
                lambda a: not 0 <= a.body.get("publication_delay_between", 0) <= 10_080,
            ),
        )
    ),
    Rule("uploadMedia", "there is nothing in the file", is_empty),
    Rule(
        "uploadMedia",
        "a name that ends with a backslash does not end, for requests does not escape it",
        lambda a: any(name.endswith("\\") for name in a.body),
    ),
    Rule("uploadMediaFromUrl", "files are fetched from allowed hosts", not_fetchable),
)
"""Every other refusal of a request that fits its schema is a failure."""


# The runs


def document(name: str, url: str) -> Json:
    """A document of the sandbox in which only single statuses count as documented."""
    found: Json = json.loads((contract.FOLDER / f"{name}.json").read_bytes())
    found["servers"] = [{"url": url}]
    for item in found["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "responses" in operation:
                name_file(operation)
                responses = operation["responses"]
                operation["responses"] = {
                    each: responses[each] for each in responses if each.isdigit()
                }
    return found


def name_file(operation: Json) -> None:
    """Say how a file is called, which schemathesis would else call by the name of its field."""
    form = operation.get("requestBody", {}).get("content", {}).get("multipart/form-data")
    if form:
        named = {"example": 'form-data; name="file"; filename="launch.mp4"'}
        form["encoding"] = {"file": {"headers": {"Content-Disposition": named}}}


_KNOWN: Final = {
    "posts": ("path.post", "path.postId", "body.post_ids[*]"),
    "groups": ("path.group", "path.groupId", "query.groupId", "body.group_id"),
    "social_accounts": ("path.socialAccount", "body.selectedAccountIds[*]"),
    "calendar_notes": ("path.calendarNote", "path.calendarNoteId"),
    "labels": ("path.label", "body.labelIds[*]"),
    "media": ("path.mediaId", "body.selected_media_ids[*]"),
    "users": ("body.assigneesIds[*]",),
}
"""Where the identifiers of the world's objects are mixed in, so that requests get past the door."""


def configuration(sandbox: Sandbox, examples: int, address: str) -> schemathesis.Config:
    world = sandbox.world()
    known = {name: [each["id"] for each in world[name]] for name in _KNOWN}
    known["addresses"] = [address]
    places = {**_KNOWN, "addresses": ("body.file_url",)}
    return schemathesis.Config.from_dict(
        {
            "headers": {"Authorization": f"Bearer {sandbox.token}"},
            "continue-on-failure": True,
            "generation": {
                "max-examples": examples,
                "deterministic": bool(os.environ.get("CI")),
                "database": "none",
                "no-shrink": True,
            },
            "dictionaries": {name: {"values": known[name]} for name in known},
            "parameters": {
                place: {"dictionary": name, "probability": 0.8}
                for name in known
                for place in places[name]
            },
        }
    )


@dataclass
class Result:
    """What a run has found.

    Attributes:
        failures: a text for people for each.
        responses: how often an operation received with a status, by both.
        rules: how often each rule was what explained a refusal.
    """

    failures: list[str]
    responses: Counter[tuple[str, int]]
    rules: Counter[str]


@contextmanager
def running(**settings: Any) -> Iterator[Sandbox]:
    with Sandbox(
        clock="frozen",
        rate_limit=None,
        fetch_hosts=["127.0.0.1"],
        fetch_private=True,
        **settings,
    ) as sandbox:
        yield sandbox


def run(sandbox: Sandbox, name: str, examples: int, only: str | None = None) -> Result:
    """Let schemathesis send everything that it can think of to one API."""
    with serve(lambda _: PICTURE) as shop:
        config = configuration(sandbox, examples, shop.url("/picture.png"))
        return _run(sandbox, name, config, only)


def _run(sandbox: Sandbox, name: str, config: schemathesis.Config, only: str | None) -> Result:
    url = {"main": sandbox.base_url, "media": sandbox.media_url}[name]
    data = document(name, url)
    schema = schemathesis.openapi.from_dict(data, config=config)
    schema.config.update(base_url=url)
    result = Result([], Counter(), Counter())

    @schema.hook
    def filter_failure(context: Any, failure: Any, case: Any, response: Any) -> bool:
        identifier = identifier_of(case)
        if not isinstance(failure, RejectedPositiveData):
            return True
        asked = Asked(case.path_parameters or {}, case.query or {}, case.body, sandbox.service)
        with sandbox.service.store.lock:
            rule = next(
                (each for each in RULES if each.operation == identifier and each.applies(asked)),
                None,
            )
        if rule:
            result.rules[f"{rule.operation}: {rule.why}"] += 1
        return rule is None

    if only:
        schema = schema.include(operation_id=only)
    for event in from_schema(schema).execute():
        match event:
            case events.NonFatalError() | events.FatalError():
                result.failures.append(f"schemathesis itself: {event}")
            case events.ScenarioFinished():
                _note(event.recorder, result)
    return result


def identifier_of(case: Any) -> str:
    return str(case.operation.definition.raw["operationId"])


def _note(recorder: Any, result: Result) -> None:
    for identifier, checks in recorder.checks.items():
        case = recorder.cases[identifier].value
        response = recorder.interactions[identifier].response
        operation = identifier_of(case)
        result.responses[operation, response.status_code] += 1
        for check in checks:
            if check.failure_info:
                result.failures.append(
                    f"{check.name}: {operation} {case.path_parameters} {case.query} {case.body!r}\n"
                    f"  {response.status_code} {response.text[:500]}\n"
                    f"  {check.failure_info.failure.message}"
                )


@pytest.mark.parametrize("name", ["main", "media"])
def test_nothing_it_sends_gets_a_response_that_is_not_documented(name: str) -> None:
    with running() as sandbox:
        result = run(sandbox, name, EXAMPLES)
        operations = sandbox.service.contract.operations.values()
    print(*sorted(result.rules.items()), sep="\n")
    assert not result.failures, "\n".join(result.failures[:10])
    reached = {identifier for identifier, status in result.responses if status < 300}
    wanted = {each.id for each in operations if each.api == name}
    assert reached >= wanted, f"never carried out: {sorted(wanted - reached)}"


def _undocumented(service: Service, call: Call) -> Json:
    raise Refusal(Reason.TOO_LARGE, "Planted.", cites="§4")


def _wrong(service: Service, call: Call) -> Json:
    return {"id": 5, "name": "Planted"}


def _broken(service: Service, call: Call) -> Json:
    raise RuntimeError("Planted.")


def _strict(service: Service, call: Call) -> Json:
    raise invalid({"name": ["Planted."]}, cites="§4")


@pytest.mark.parametrize(
    ("operation", "handler", "check"),
    [
        ("getPostsOverview", _undocumented, "status_code_conformance"),
        ("createLabel", _wrong, "response_schema_conformance"),
        ("createLabel", _broken, "not_a_server_error"),
        ("createLabel", _strict, "positive_data_acceptance"),
    ],
)
def test_it_sees_what_is_planted(
    operation: str,
    handler: Callable[[Service, Call], Json],
    check: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "HANDLERS", {**http.HANDLERS, operation: handler})
    with running(check=False) as sandbox:
        result = run(sandbox, "main", 1, only=operation)
    assert any(each.startswith(f"{check}: {operation}") for each in result.failures)
