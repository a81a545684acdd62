"""This project's own documents, held against traffic of the sandbox, which follows what is assumed.

Nothing is refuted by it. Then the recording is altered, as a service that differs would have
answered: the differences are found, and what is proposed generates.
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

import httpx2
import pytest
import yaml

from pipeline.config import load_config
from pipeline.evidence import Report, data, weigh, write
from pipeline.steps import Effective, effective
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.recording import Recorder

ROOT = Path(__file__).parents[2]
CONFIG = load_config(ROOT / "pyproject.toml")
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)
AGAINST = ("refuted", "contradictory")
Recording = dict[str, Any]
Alter = Callable[[Recording], None]


@pytest.fixture(scope="module")
def made() -> Effective:
    return effective(CONFIG)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """What passes between a client and the sandbox, through every part of it."""
    folder = tmp_path_factory.mktemp("seen")
    with (
        Sandbox(clock="frozen", rate_limit=60) as sandbox,
        Recorder(sandbox.base_url, sandbox.media_url, folder) as recorder,
        httpx2.Client(trust_env=False, timeout=30) as http,
    ):
        http.headers.update(
            {"Authorization": f"Bearer {sandbox.token}", "Accept": "application/json"}
        )
        _ask(sandbox, http, recorder.base_url, recorder.media_url)
    loaded: Recording = yaml.safe_load(recorder.path.read_text(encoding="utf-8"))
    return loaded


def _ask(sandbox: Sandbox, http: httpx2.Client, base: str, media: str) -> None:
    groups = [group["id"] for group in sandbox.find("groups")]
    posts = http.get(f"{base}/posts?groupId={groups[0]}&include=media,labels").json()["data"]
    ids = [post["id"] for post in posts]
    accounts = sorted({each for post in posts for each in post["selectedAccountIds"]})
    http.get(f"{base}/posts?groupId={groups[1]}")
    http.get(f"{base}/posts?groupId={groups[0]}&page=2")
    http.get(f"{base}/posts?socialAccountIds={accounts[0]},{accounts[1]}")
    http.get(f"{base}/posts?socialAccountIds={accounts[2]}")
    http.get(f"{base}/posts")
    http.get(f"{base}/posts-bulk?ids={ids[2]},{ids[0]},{ids[1]}")
    http.patch(
        f"{base}/posts/{ids[0]}",
        json={"publication_date": "2026-12-24T09:00", "note": None, "content": "For ann@x.example"},
    )
    for post in sandbox.find("posts", status="PUBLISHED")[:2]:
        http.get(f"{base}/posts/{post['id']}/metrics")
        http.get(f"{base}/posts/{post['id']}/activities")
    label = http.post(f"{base}/labels", json={"name": "Spring"}).json()
    http.post(f"{base}/labels", json={})
    http.delete(f"{base}/labels/{label['id']}")
    window = "start_date=2026-11-20T00:00:00Z&end_date=2026-12-30T00:00:00Z"
    for group in groups[:3]:
        http.get(f"{base}/calendar-notes?{window}&groupId={group}")
    http.get(f"{base}/calendar-notes?end_date=2026-12-30T00:00:00Z")
    http.get(f"{base}/groups/{groups[0]}")
    http.put(f"{base}/groups/{groups[0]}", json={"name": "A", "timezone": "UTC", "note": None})
    file = {"file": ("a.png", PICTURE, "image/png")}
    stored = http.post(f"{media}/upload", files=file).json()
    http.get(f"{media}/status/{stored['id']}")
    http.get(f"{media}/status/1")


Held = Callable[..., Report]


@pytest.fixture
def held(made: Effective, tmp_path: Path) -> Held:
    """Hold a recording against the register, altered or not."""

    def hold(recording: Recording, *alterations: Alter, **options: Any) -> Report:
        altered = copy.deepcopy(recording)
        for alter in alterations:
            alter(altered)
        file = tmp_path / "seen.yaml"
        file.write_text(json.dumps(altered), encoding="utf-8")
        return weigh(CONFIG, made, [file], addresses={}, **options)

    return hold


def states(report: Report) -> dict[str, str]:
    return {verdict.gap.id: verdict.state for verdict in report.verdicts}


def seen(report: Report, gap: str) -> list[str]:
    """What speaks against what is assumed, or answers what is open."""
    (verdict,) = (each for each in report.verdicts if each.gap.id == gap)
    return [each.text for each in verdict.seen if each.against or verdict.state == "answered"]


def asked(recording: Recording, method: str, path: str) -> Iterator[Recording]:
    """The interactions whose target begins so."""
    for interaction in recording["interactions"]:
        request = interaction["request"]
        if request["method"] == method and request["target"].startswith(path):
            yield interaction


def test_the_sandbox_does_what_is_assumed(held: Held, recording: Recording) -> None:
    report = held(recording)
    found = states(report)
    assert not report.speaks_against
    confirmed = {gap for gap, state in found.items() if state == "confirmed"}
    assert confirmed >= {
        "post.labels", "post.details", "metrics.shape", "page.nulls", "paging.parameters",
        "listPosts.socialAccountIds", "getPosts.order", "notes.group", "notes.extraDay",
        "success.createLabel", "success.deleteLabel", "success.uploadMedia", "error.fields",
        "rateLimit.resetUnit", "rateLimit.shared", "media.size", "replaceGroup.note",
    }  # fmt: skip
    # The service named one end of the window when it was missing, and never the other.
    assert found["notes.range.start"] == "confirmed"
    assert found["notes.range.end"] == "consistent"
    assert found["errors.createLabel"] == "consistent"
    assert found["updatePost.null"] == "consistent"
    assert found["transitions.clock"] == found["success.replaceCalendarNote"] == "not seen"
    assert {each.kind for each in report.undocumented} <= {"value"}


def test_the_recordings_of_the_contract_tests_fit(made: Effective) -> None:
    """They have every operation, and every refusal that an operation knows."""
    report = weigh(CONFIG, made, [ROOT / "tests/contract/recordings"], addresses={})
    assert not [gap for gap, state in states(report).items() if state in AGAINST]
    # They were asked for in the order of their numbers, in which any service might list them.
    assert states(report)["getPosts.order"] == "consistent"
    assert {each.kind for each in report.undocumented} <= {"value"}


def test_nothing_personal_is_told(held: Held, recording: Recording, tmp_path: Path) -> None:
    report = held(recording)
    write(report, tmp_path / "proposed")
    told = json.dumps(data(report))
    told += "".join(file.read_text() for file in (tmp_path / "proposed").rglob("*.yaml"))
    for secret in ("ann@x.example", "For ann", "token-1", "Bearer", "Spring", "@example.invalid"):
        assert secret not in told
    ids = {word for word in json.dumps(recording).split('"') if word.isdecimal() and len(word) > 9}
    assert not [each for each in ids if each in told]


# What a service that differs would have answered


def another_status(recording: Recording) -> None:
    for interaction in asked(recording, "POST", "/v1/labels"):
        if interaction["response"]["status"] == 200:
            interaction["response"]["status"] = 201


def another_refusal(recording: Recording) -> None:
    for interaction in asked(recording, "POST", "/v1/labels"):
        if interaction["response"]["status"] == 422:
            interaction["response"]["status"] = 400


def another_name(recording: Recording) -> None:
    for interaction in list(asked(recording, "GET", "/v1/calendar-notes")):
        request, response = interaction["request"], interaction["response"]
        request["target"] = request["target"].replace("start_date", "from")
        text = json.dumps(response).replace('"start_date": ["', '"from": ["')
        interaction["response"] = json.loads(text.replace("start_date is", "from is"))


def another_unit(recording: Recording) -> None:
    for interaction in recording["interactions"]:
        headers = interaction["response"]["headers"]
        if "x-ratelimit-reset" in headers:
            headers["x-ratelimit-reset"] += "000"


def another_shape(recording: Recording) -> None:
    for interaction in asked(recording, "GET", "/v1/posts?"):
        for post in interaction["response"].get("body", {}).get("json", {}).get("data", []):
            for label in post.get("labels", []):
                tag = {"id": label["id"], "tag": label["name"], "tint": label["color"]}
                label.clear()
                label.update(tag)


def another_code(recording: Recording) -> None:
    refusal = {"title": "No", "message": "Not today.", "e_code": "PLAN_LIMIT"}
    for interaction in asked(recording, "GET", "/v1/groups/"):
        interaction["response"].update(status=400, body={"json": refusal})


def an_array(recording: Recording) -> None:
    for interaction in recording["interactions"]:
        if interaction["request"]["target"].endswith("/metrics"):
            body = interaction["response"]["body"]
            body["json"] = list(body["json"].values())


def two_budgets(recording: Recording) -> None:
    """Both hosts count for themselves: a number that is left comes on both."""
    counts = {"main": itertools.count(900, -1), "media": itertools.count(900, -1)}
    for interaction in recording["interactions"]:
        left = next(counts[interaction["request"]["api"]])
        interaction["response"]["headers"]["x-ratelimit-remaining"] = str(left)


def standing_still(recording: Recording) -> None:
    """Nothing is counted."""
    for interaction in recording["interactions"]:
        interaction["response"]["headers"]["x-ratelimit-remaining"] = "60"


ALTERED: dict[str, tuple[Alter, str, list[str]]] = {
    "success.createLabel": (another_status, "refuted", ["201"]),
    "errors.createLabel": (another_refusal, "refuted", ["400 with the body ValidationError"]),
    "notes.range.start": (another_name, "refuted", ["from"]),
    "rateLimit.resetUnit": (
        another_unit, "refuted", ["milliseconds: X-RateLimit-Reset has 13 digits"]
    ),
    "post.labels": (
        another_shape, "refuted", ["an object without group_id at data[].labels[]"]
    ),
    "error.code": (another_code, "answered", ["PLAN_LIMIT"]),
    "rateLimit.shared": (two_budgets, "refuted", ["a number left twice in one window"]),
    "metrics.shape": (an_array, "refuted", ["an array"]),
}  # fmt: skip


@pytest.mark.parametrize("gap", ALTERED)
def test_what_differs_is_found(gap: str, held: Held, recording: Recording) -> None:
    alter, state, values = ALTERED[gap]
    report = held(recording, alter)
    assert states(report)[gap] == state
    assert seen(report, gap) == values
    worse = {each for each, found in states(report).items() if found in AGAINST}
    assert worse <= {gap}


def test_one_host_says_nothing_about_two(held: Held, recording: Recording) -> None:
    def only_one(altered: Recording) -> None:
        altered["interactions"] = [
            each for each in altered["interactions"] if each["request"]["api"] == "main"
        ]

    assert states(held(recording, only_one))["rateLimit.shared"] == "not seen"


def test_what_is_not_counted_down_says_nothing_of_two_hosts(
    held: Held, recording: Recording
) -> None:
    assert states(held(recording, standing_still))["rateLimit.shared"] == "not seen"


def test_two_counts_that_stand_far_apart_are_not_taken_for_one(
    held: Held, recording: Recording
) -> None:
    def far_apart(altered: Recording) -> None:
        for each in altered["interactions"]:
            if each["request"]["api"] == "media":
                headers = each["response"]["headers"]
                left = int(headers["x-ratelimit-remaining"])
                headers["x-ratelimit-remaining"] = str(left + 1000)

    assert states(held(recording))["rateLimit.shared"] == "confirmed"
    assert states(held(recording, far_apart))["rateLimit.shared"] == "consistent"


def test_the_order_of_exchanges_does_not_matter(held: Held, recording: Recording) -> None:
    alterations = [alter for alter, _, _ in ALTERED.values()]

    def told(report: Report) -> dict[str, Any]:
        return {
            each.gap.id: (
                each.state,
                each.why,
                each.lacking,
                [(one.text, one.count, one.against) for one in each.seen],
            )
            for each in report.verdicts
        }

    altered = copy.deepcopy(recording)
    for alter in alterations:
        alter(altered)
    before = told(held(altered))
    for seed in range(3):
        random.Random(seed).shuffle(altered["interactions"])
        assert told(held(altered)) == before


def test_what_is_proposed_generates(held: Held, recording: Recording, tmp_path: Path) -> None:
    """In a copy of the repository: the client and the register follow, and the lint is silent."""
    report = held(recording, *(alter for alter, _, _ in ALTERED.values()))
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
    notes = (
        root / "generated/client/src/social_publishing/resources/calendar_notes.py"
    ).read_text()
    for gap in ALTERED:
        (row,) = (line for line in page.splitlines() if line.startswith(f"| `{gap}`"))
        assert "**confirmed:** In recorded traffic: " in row
    assert 'Parameter("from", start' in notes
    responses = document["paths"]["/labels"]["post"]["responses"]
    assert {"201", "400"} <= set(responses) and not {"200", "422"} & set(responses)
    label = document["components"]["schemas"]["Post"]["properties"]["labels"]["items"]
    assert set(label["properties"]) == {"id", "tag", "tint"}
    assert document["x-assume"]["metricsShape"] == "array"
    assert document["x-assume"]["rateLimit"]["resetUnit"] == "milliseconds"
    codes = document["components"]["schemas"]["GeneralError"]["properties"]["e_code"]
    assert codes["x-extensible-enum"] == ["GENERAL", "PLAN_LIMIT"]
