"""This project's own documents, compared with the recordings of the contract tests.

The sandbox, which follows what is assumed, made them: nothing is refuted. Then they are altered, as
a service that differs would have responded: the differences are found, and what is proposed
generates.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.config import load_config
from pipeline.evidence import Report, text, weigh, write
from pipeline.openapi.documents import load
from pipeline.openapi.overlay.model import CONFIRMED
from pipeline.steps import Effective, effective, generate
from tests.support.documents import sent_as

ROOT = Path(__file__).parents[2]
CONFIG = load_config(ROOT / "pyproject.toml")
AGAINST = ("refuted", "contradictory")
START, END = (sent_as("listCalendarNotes", end) for end in ("start", "end"))
OTHER = ("since", "until") if START == "from" else ("from", "to")
Recordings = dict[str, Any]
Alter = Callable[[Recordings], None]
Weigh = Callable[..., Report]


@pytest.fixture(scope="module")
def made() -> Effective:
    return effective(CONFIG)


@pytest.fixture(scope="module")
def recordings() -> Recordings:
    """Every operation, and every refusal that an operation knows; by the names of files."""
    files = sorted((ROOT / "tests/contract/recordings").glob("*.yaml"))
    return {file.name: load(file).data for file in files}


@pytest.fixture
def weighed(made: Effective, recordings: Recordings, tmp_path: Path) -> Weigh:
    """Compare the recordings with the register, altered or not."""

    def compare(*alterations: Alter, checks: bool = False, **options: Any) -> Report:
        altered = copy.deepcopy(recordings)
        for alter in alterations:
            alter(altered)
        for name, recording in altered.items():
            (tmp_path / name).write_text(json.dumps(recording), encoding="utf-8")
        return weigh(CONFIG, made, [tmp_path], addresses={}, checks=checks, **options)

    return compare


def states(report: Report) -> dict[str, str]:
    return {verdict.gap.id: verdict.state for verdict in report.verdicts}


def seen(report: Report, gap: str) -> set[str]:
    """What is against what is assumed, or answers what is open."""
    (verdict,) = (each for each in report.verdicts if each.gap.id == gap)
    return {each.text for each in verdict.seen if each.against or verdict.state == "answered"}


def every(recordings: Recordings) -> Iterator[dict[str, Any]]:
    for recording in recordings.values():
        yield from recording["interactions"]


def responses(recordings: Recordings, method: str, path: str) -> Iterator[dict[str, Any]]:
    """The responses to requests whose target begins so."""
    for interaction in every(recordings):
        request = interaction["request"]
        if request["method"] == method and request["target"].startswith(path):
            yield interaction["response"]


def test_the_sandbox_does_what_is_assumed(weighed: Weigh) -> None:
    report = weighed()
    found = states(report)
    assert not report.speaks_against
    confirmed = {gap for gap, state in found.items() if state == "confirmed"}
    assert confirmed >= {
        "post.details", "page.nulls", "notes.group", "success.createLabel", "success.deleteLabel",
        "success.uploadMedia", "errors.createLabel", "error.fields", "presence.post",
        "presence.page",
    }  # fmt: skip
    assert found["updatePost.null"] == found["paging.parameters"] == "consistent"
    assert found["transitions.clock"] == found["post.labels"] == "not seen"


def test_nothing_personal_is_shown(weighed: Weigh, recordings: Recordings, tmp_path: Path) -> None:
    report = weighed()
    write(report, tmp_path / "proposed")
    shown = text(report, 140)
    shown += "".join(file.read_text() for file in (tmp_path / "proposed").rglob("*.yaml"))
    for secret in ("token-1", "Bearer", "Café", "@example.invalid"):
        assert secret not in shown
    ids = {word for word in json.dumps(recordings).split('"') if word.isdecimal() and len(word) > 9}
    assert ids and not [each for each in ids if each in shown]


# What a service that differs would have responded


def another_status(recordings: Recordings) -> None:
    for response in responses(recordings, "POST", "/v1/labels"):
        if response["status"] == 200:
            response["status"] = 201


def another_refusal(recordings: Recordings) -> None:
    for response in responses(recordings, "PUT", "/v1/groups"):
        if response["status"] == 422:
            response["status"] = 409


def another_name(recordings: Recordings) -> None:
    for interaction in every(recordings):
        request = interaction["request"]
        if "/calendar-notes?" in request["target"]:
            request["target"] = request["target"].replace(START, "beginning")
            text = json.dumps(interaction["response"])
            text = text.replace(f'"{START}": ["', '"beginning": ["')
            interaction["response"] = json.loads(text)


def another_shape(recordings: Recordings) -> None:
    for response in responses(recordings, "GET", "/v1/posts?"):
        for post in response.get("body", {}).get("json", {}).get("data", []):
            post["labels"] = [{"id": "1", "tag": "Spring", "tint": 3}]


def another_code(recordings: Recordings) -> None:
    refusal = {"title": "No", "message": "Not today.", "e_code": "PLAN_LIMIT"}
    for response in responses(recordings, "GET", "/v1/groups/"):
        response.update(status=400, body={"json": refusal})


def without_zone(recordings: Recordings) -> None:
    """A group has no time zone."""
    for response in responses(recordings, "GET", "/v1/groups/"):
        response.get("body", {}).get("json", {}).pop("timezone", None)


def another_end(recordings: Recordings) -> None:
    """The end of a window comes as the seconds until then, and not as a time."""
    for interaction in every(recordings):
        headers = interaction["response"].get("headers", {})
        for name in [each for each in headers if each.lower() == "x-ratelimit-reset"]:
            headers[name] = type(headers[name])(60)


ALTERED: dict[str, tuple[Alter, str, set[str]]] = {
    "success.createLabel": (another_status, "refuted", {"201 of createLabel"}),
    "errors.replaceGroup": (another_refusal, "contradictory", {"409 of replaceGroup"}),
    "notes.range.start": (
        another_name, "refuted", {f"accepted without {START}, with beginning"}
    ),
    "post.labels": (another_shape, "refuted", {"an object with id, tag, tint at Post.labels"}),
    "rateLimit.resetUnit": (
        another_end, "refuted", {"X-RateLimit-Reset in seconds from the response on, not seconds"}
    ),
    "presence.group": (without_zone, "contradictory", {"an object without timezone at Group"}),
    "error.code": (
        another_code, "answered",
        {f"{code} at GeneralError.e_code" for code in ("GENERAL", "PLAN_LIMIT")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("gap", ALTERED)
def test_what_differs_is_found(gap: str, weighed: Weigh) -> None:
    alter, state, texts = ALTERED[gap]
    report = weighed(alter)
    assert states(report)[gap] == state
    assert seen(report, gap) == texts
    assert {each for each, found in states(report).items() if found in AGAINST} <= {gap}


def test_the_order_of_exchanges_does_not_matter(weighed: Weigh) -> None:
    alterations = [alter for alter, _, _ in ALTERED.values()]

    def shuffled(recordings: Recordings) -> None:
        for recording in recordings.values():
            random.Random(1).shuffle(recording["interactions"])

    def shown(report: Report) -> list[Any]:
        return [
            (
                verdict.state,
                verdict.lacking,
                [(one.text, one.count, one.against) for one in verdict.seen],
            )
            for verdict in report.verdicts
        ]

    assert shown(weighed(*alterations, shuffled)) == shown(weighed(*alterations))


# What is proposed instead


def another_client(recordings: Recordings) -> None:
    """Its traffic has other names for the range, the later end first."""
    for interaction in every(recordings):
        request = interaction["request"]
        ends = rf"\b{START}=([^&]*)&{END}=([^&]*)"
        request["target"] = re.sub(ends, rf"{OTHER[1]}=\2&{OTHER[0]}=\1", request["target"])


def another_body(recordings: Recordings) -> None:
    for response in responses(recordings, "GET", "/v1/social-accounts/"):
        if response["status"] == 404:
            response["body"] = {"json": {"error": "No such account.", "code": "NOT_FOUND"}}


def nulls(recordings: Recordings) -> None:
    for response in responses(recordings, "GET", "/v1/groups/"):
        if response["status"] == 200:
            response["body"]["json"] |= {"country": None, "type": None}


def sizes(recordings: Recordings) -> None:
    """Texts in the place of numbers whose unit is open, in one of the documents that share them."""
    for response in responses(recordings, "POST", "/api/v1/upload"):
        if response["status"] == 200:
            response["body"]["json"]["size"] = "12 kB"


def accounts(value: Any) -> Iterator[dict[str, Any]]:
    """Every social account of a response, wherever it stands."""
    if isinstance(value, dict) and {"socialNetwork", "group_id"} <= value.keys():
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from accounts(each)


@pytest.mark.parametrize("always", [True, False])
def test_another_form_of_one_identifier_is_proposed_for_it_alone(
    weighed: Weigh, always: bool
) -> None:
    """The schema that all identifiers share, and so every argument, stays as it is."""

    def numbers(recordings: Recordings) -> None:
        found = [*accounts(recordings)]
        for account in found if always else found[::2]:
            account["group_id"] = int(account["group_id"])

    report = weighed(numbers, checks=True)
    assert "ids.form" not in report.lacking
    for name in ("main", "media"):
        actions = report.proposals.get(name, {}).get("ids.form", [])
        targets = {action["target"].removesuffix("['$ref']") for action in actions}
        assert targets <= {"$.components.schemas.SocialAccount.properties.group_id"}
    *_, last = report.proposals["main"]["ids.form"]
    kinds = last["update"]["type"]
    assert kinds == "integer" if always else {*kinds} == {"integer", "string"}


def test_what_is_refuted_is_proposed_as_it_was_seen(
    weighed: Weigh, made: Effective, tmp_path: Path
) -> None:
    """Overlays that lint and generate cleanly, and each end of a range has its own name."""
    report = weighed(
        another_client, another_status, another_body, another_shape, without_zone, nulls, sizes,
        checks=True, client="other",
    )  # fmt: skip
    assert not report.lacking.keys() & {"success.createLabel", "presence.group", "nulls.unmarked"}
    updates = {
        gap: [action.get("update") for action in actions]
        for gap, actions in report.proposals["main"].items()
    }
    known = {c.action.gap for c in made.changes["main"] if CONFIRMED in c.action.words}
    for gap, name in zip(("notes.range.start", "notes.range.end"), OTHER, strict=True):
        if gap in known:  # what traffic contradicts is not replaced by what it shows
            assert "is wrong: correct it" in report.lacking[gap]
        else:
            assert updates[gap] == [{"name": name}]
    assert [*updates["success.createLabel"][0]] == ["201"]
    assert "timezone" not in updates["presence.group"][0]["required"]
    body = updates["errors.getSocialAccount"][0]["404"]["content"]["application/json"]["schema"]
    assert body["required"] == ["error", "code"]
    assert {"anyOf": [{"$ref": "#/components/schemas/GroupType"}, {"type": "null"}]} in updates[
        "nulls.unmarked"
    ]
    (fact,) = report.facts
    assert (fact.name, [each.gap.id for each in fact.gaps]) == ("Media.size", ["media.size"])
    assert "string" in updates["media.size"][-1]["type"]
    assert report.proposals["media"]["media.size"] == report.proposals["main"]["media.size"]
    (seen,) = (each.seen for each in report.verdicts if each.gap.id == "nulls.unmarked")
    assert {(each.text, each.count) for each in seen} == {("Group.country", 5), ("Group.type", 5)}
    write(report, tmp_path / "confirmed")
    sources = tuple(
        replace(each, confirmed=tmp_path / "confirmed" / each.name) for each in CONFIG.sources
    )
    files, notes = generate(replace(CONFIG, sources=sources))
    assert not [each for each in notes if each.severity == "error"]
    written = files["client/src/social_publishing/resources/calendar_notes.py"]
    assert "notes.range.start" in known or f'"{OTHER[0]}"' in written
