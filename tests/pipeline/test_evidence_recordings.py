"""This project's own documents, compared with the recordings of the contract tests.

The sandbox, which follows what is assumed, made them: nothing is refuted. Then they are altered, as
a service that differs would have responded: the differences are found, and what is proposed
generates.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.config import load_config
from pipeline.evidence import Report, data, weigh, write
from pipeline.openapi.documents import load
from pipeline.steps import Effective, effective

ROOT = Path(__file__).parents[2]
CONFIG = load_config(ROOT / "pyproject.toml")
AGAINST = ("refuted", "contradictory")
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

    def compare(*alterations: Alter) -> Report:
        altered = copy.deepcopy(recordings)
        for alter in alterations:
            alter(altered)
        for name, recording in altered.items():
            (tmp_path / name).write_text(json.dumps(recording), encoding="utf-8")
        return weigh(CONFIG, made, [tmp_path], addresses={})

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
        "post.details", "metrics.shape", "page.nulls", "paging.parameters", "notes.group",
        "notes.extraDay", "success.createLabel", "success.deleteLabel", "success.uploadMedia",
        "errors.createLabel", "error.fields", "rateLimit.resetUnit", "rateLimit.shared",
        "media.size", "replaceGroup.note", "presence.post", "presence.page",
    }  # fmt: skip
    assert found["updatePost.null"] == "consistent"
    assert found["transitions.clock"] == found["post.labels"] == "not seen"
    # They were asked for in the order of their numbers, in which any service might list them.
    assert found["getPosts.order"] == "consistent"
    assert {each.kind for each in report.undocumented} <= {"value"}


def test_nothing_personal_is_shown(weighed: Weigh, recordings: Recordings, tmp_path: Path) -> None:
    report = weighed()
    write(report, tmp_path / "proposed")
    shown = json.dumps(data(report))
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
            request["target"] = request["target"].replace("start_date", "from")
            text = json.dumps(interaction["response"]).replace('"start_date": ["', '"from": ["')
            interaction["response"] = json.loads(text)


def another_unit(recordings: Recordings) -> None:
    for interaction in every(recordings):
        headers = interaction["response"]["headers"]
        if "x-ratelimit-reset" in headers:
            headers["x-ratelimit-reset"] += "000"


def another_shape(recordings: Recordings) -> None:
    for response in responses(recordings, "GET", "/v1/posts?"):
        for post in response.get("body", {}).get("json", {}).get("data", []):
            post["labels"] = [{"id": "1", "tag": "Spring", "tint": 3}]


def another_code(recordings: Recordings) -> None:
    refusal = {"title": "No", "message": "Not today.", "e_code": "PLAN_LIMIT"}
    for response in responses(recordings, "GET", "/v1/groups/"):
        response.update(status=400, body={"json": refusal})


def another_order(recordings: Recordings) -> None:
    for response in responses(recordings, "GET", "/v1/posts-bulk"):
        if response["status"] == 200:
            response["body"]["json"].reverse()


def as_asked(recordings: Recordings) -> None:
    """Posts come in the order of their identifiers, which is no order of its own."""
    for interaction in every(recordings):
        posts = interaction["response"].get("body", {}).get("json")
        if "/posts-bulk?ids=" in interaction["request"]["target"] and isinstance(posts, list):
            interaction["request"]["target"] = "/v1/posts-bulk?ids=12,10,11"
            posts[:] = [{"id": id} for id in ("12", "10", "11")]


def an_array(recordings: Recordings) -> None:
    for interaction in every(recordings):
        if interaction["request"]["target"].endswith("/metrics"):
            response = interaction["response"]
            if response["status"] == 200:
                response["body"]["json"] = list(response["body"]["json"].values())


def two_budgets(recordings: Recordings) -> None:
    """Both hosts count for themselves: a number that is left comes on both."""
    for recording in recordings.values():
        counts = {"main": itertools.count(900, -1), "media": itertools.count(900, -1)}
        for interaction in recording["interactions"]:
            left = next(counts[interaction["request"]["api"]])
            interaction["response"]["headers"]["x-ratelimit-remaining"] = str(left)


def standing_still(recordings: Recordings) -> None:
    """Nothing is counted."""
    for interaction in every(recordings):
        interaction["response"]["headers"]["x-ratelimit-remaining"] = "60"


def only_one_host(recordings: Recordings) -> None:
    for recording in recordings.values():
        recording["interactions"] = [
            each for each in recording["interactions"] if each["request"]["api"] == "main"
        ]


def far_apart(recordings: Recordings) -> None:
    """Both hosts count for themselves, from numbers that never meet."""
    for interaction in every(recordings):
        if interaction["request"]["api"] == "media":
            headers = interaction["response"]["headers"]
            headers["x-ratelimit-remaining"] = str(int(headers["x-ratelimit-remaining"]) + 1000)


def without_zone(recordings: Recordings) -> None:
    """A group has no time zone."""
    for response in responses(recordings, "GET", "/v1/groups/"):
        response.get("body", {}).get("json", {}).pop("timezone", None)


ALTERED: dict[str, tuple[Alter, str, set[str]]] = {
    "success.createLabel": (another_status, "refuted", {"201"}),
    "errors.replaceGroup": (
        another_refusal, "contradictory", {"409 with the body ValidationError"}
    ),
    "notes.range.start": (another_name, "refuted", {"from"}),
    "rateLimit.resetUnit": (
        another_unit, "refuted", {"milliseconds: X-RateLimit-Reset has 13 digits"}
    ),
    "post.labels": (
        another_shape,
        "refuted",
        {"an object without group_id, organization_id, name, color at data[].labels[]"},
    ),
    "presence.group": (without_zone, "contradictory", {"no timezone in the body"}),
    "error.code": (another_code, "answered", {"GENERAL", "PLAN_LIMIT"}),
    "rateLimit.shared": (two_budgets, "refuted", {"a number left twice in one window"}),
    "metrics.shape": (an_array, "refuted", {"an array"}),
    "getPosts.order": (another_order, "refuted", {"another order"}),
}  # fmt: skip


@pytest.mark.parametrize("gap", ALTERED)
def test_what_differs_is_found(gap: str, weighed: Weigh) -> None:
    alter, state, texts = ALTERED[gap]
    report = weighed(alter)
    assert states(report)[gap] == state
    assert seen(report, gap) == texts
    assert {each for each, found in states(report).items() if found in AGAINST} <= {gap}


@pytest.mark.parametrize(
    ("alter", "gap", "state"),
    [
        (only_one_host, "rateLimit.shared", "not seen"),
        (standing_still, "rateLimit.shared", "not seen"),
        (far_apart, "rateLimit.shared", "consistent"),
        (as_asked, "getPosts.order", "confirmed"),
    ],
)
def test_a_verdict(alter: Alter, gap: str, state: str, weighed: Weigh) -> None:
    assert states(weighed(alter))[gap] == state


def test_the_order_of_exchanges_does_not_matter(weighed: Weigh) -> None:
    alterations = [alter for alter, _, _ in ALTERED.values()]

    def shuffled(recordings: Recordings) -> None:
        for recording in recordings.values():
            random.Random(1).shuffle(recording["interactions"])

    def shown(report: Report) -> list[Any]:
        return [
            (each.state, each.lacking, [(one.text, one.count, one.against) for one in each.seen])
            for each in report.verdicts
        ]

    assert shown(weighed(*alterations, shuffled)) == shown(weighed(*alterations))


def test_what_is_proposed_generates(weighed: Weigh, tmp_path: Path) -> None:
    """In a copy of the repository: the client and the register follow, and the lint is silent."""
    report = weighed(*(alter for alter, _, _ in ALTERED.values()))
    root = tmp_path / "project"
    for folder in ("spec", "overlays", "templates", "pipeline"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / file, root)
    write(report, root / "overlays" / "confirmed")
    for command in ("generate", "lint"):
        done = subprocess.run(
            [sys.executable, "-m", "pipeline", command], cwd=root, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert command == "generate" or "error:" not in done.stdout
    page = (root / "generated/GAPS.md").read_text()
    document = json.loads((root / "generated/openapi/main.json").read_text())
    package = root / "generated/client/src/social_publishing"
    proposed = set(ALTERED) - {"getPosts.order", "errors.replaceGroup"}
    for gap in proposed:
        (row,) = (line for line in page.splitlines() if line.startswith(f"| `{gap}`"))
        assert "**confirmed:** In recorded traffic: " in row
    assert 'Parameter("from", start' in (package / "resources/calendar_notes.py").read_text()
    documented = document["paths"]["/labels"]["post"]["responses"]
    assert "201" in documented and "200" not in documented
    label = document["components"]["schemas"]["Post"]["properties"]["labels"]["items"]
    assert set(label["properties"]) == {"id", "tag", "tint"}
    assert document["x-assume"]["metricsShape"] == "array"
    assert document["x-assume"]["rateLimit"]["resetUnit"] == "milliseconds"
    codes = document["components"]["schemas"]["GeneralError"]["properties"]["e_code"]
    assert codes["x-extensible-enum"] == ["GENERAL", "PLAN_LIMIT"]
