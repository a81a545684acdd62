"""What the targets `replay` and `live` tell, each in a process of its own, as people run them.

Recordings that disagree with the documents are made of our own; a sandbox plays the real service.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import httpx2
import pytest
from social_publishing import SocialPublishing, SocialPublishingError

import test_live
import test_recordings
from harness import weighing
from harness.deviating import DEVIATIONS, deviating
from harness.failures import ContractFailure
from harness.live import VARIABLES, NotAllowed, Unusable, guarded
from harness.options import Options
from harness.response_reader import disagreements
from harness.weighing import project
from pipeline.evidence import weigh
from pipeline.evidence.exchanges import Body, Exchange
from pipeline.evidence.facts import Fact
from pipeline.evidence.report import against
from pipeline.steps import effective
from recording import FOLDER
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.recording import RecordingError
from test_live import surveyed

HERE = Path(__file__).parent

LONGEST = 600
"""Seconds for what hangs; on a busy machine, what takes ten takes minutes."""


def run(*arguments: str, environment: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Return the exit status of the contract tests of a target, and what they say."""
    outside = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    module = {"replay": "recordings", "live": "live"}[arguments[0]]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += [str(HERE / f"test_{module}.py"), "--target", *arguments]
    done = subprocess.run(
        command,
        cwd=HERE.parents[1],
        # Its other plugins take seconds to import.
        env={**outside, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **(environment or {})},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    return done.returncode, done.stdout + done.stderr


def pipeline(*arguments: str) -> tuple[int, str]:
    """Return the exit status of a command of the pipeline, and what it says."""
    command = [sys.executable, "-m", "pipeline", *arguments]
    done = subprocess.run(
        command, cwd=HERE.parents[1], capture_output=True, text=True, timeout=LONGEST
    )
    return done.returncode, done.stdout + done.stderr


# Recordings

LABELS = (FOLDER / "labels.yaml").read_text(encoding="utf-8")
NOTES = (FOLDER / "notes.yaml").read_text(encoding="utf-8")
POSTS = (FOLDER / "posts.yaml").read_text(encoding="utf-8")
UNKNOWN = (FOLDER / "unknown.yaml").read_text(encoding="utf-8")
ASKED = re.findall("    method: (.*)\n    target: (.*)\n", LABELS)
CREATED = ASKED.index(("POST", "/v1/labels")) + 1

AGREEING = {
    "other-base": LABELS.replace("base_path: /v1", "base_path: /service/v1").replace(
        "target: /v1", "target: /service/v1"
    ),
    "other-escapes": POSTS.replace(
        "?socialAccountIds=9911350868379172875,9911350868379172874&include=media,labels&page=2",
        "?page=2&include=media%2Clabels&socialAccountIds=9911350868379172875%2C9911350868379172874",
    ),
    "other-zone": NOTES.replace(
        'end_date: "2027-02-08T15:00:00Z"', 'end_date: "2027-02-08T16:00:00+01:00"', 1
    ),
    "more-than-documented": LABELS.replace("color: 3", "color: 3\n        shade: dark"),
    "refused": LABELS.replace("target: /v1/labels\n", "target: /v1/labels?lang=de\n")
    .replace("status: 200", "status: 422")
    .replace('id: "', 'message: "'),
    "default": UNKNOWN.replace("status: 404", "status: 500"),
}
"""Recordings that are written in another way than ours, or say more, and agree all the same."""

PLANTED = {
    "damaged": (LABELS[:700] + "\n ]", "This recording is damaged."),
    "empty": (LABELS.partition("interactions:")[0] + "interactions: []\n", "nothing was recorded"),
    "type": (
        LABELS.replace("color: 3", "color: blue"),
        'expected:  $.color: integer\n  came:      $.color: "blue"\n  documents: generated/openapi/'
        "main.json: paths./labels.post.responses.200",
    ),
    "default-type": (
        UNKNOWN.replace("status: 404", "status: 500").replace(
            'message: "There is no such post."', "message: 7"
        ),
        "$.message: string\n  came:      $.message: 7\n  documents: generated/openapi/main.json: "
        "paths./posts/{post}.patch.responses.default\n             written in spec/main.yaml:",
    ),
    "rate": (
        LABELS.replace('      x-ratelimit-limit: "60"\n', ""),
        "header x-ratelimit-limit: it comes with every response (§8)",
    ),
    "body": (
        f"{LABELS}    body:\n      json: {{}}\n",
        f"body.yaml, number {len(ASKED)}: {' '.join(ASKED[-1])} answered 204",
    ),
    "parameter": (
        LABELS.replace("target: /v1/labels\n", 'target: "/v1/labels?lang=de"\n'),
        f"parameter.yaml, number {CREATED}: POST /v1/labels?lang=de answered 200\n"
        "      query.lang: is not documented",
    ),
    "elsewhere": (
        LABELS.replace("target: /v1/labels\n", "target: /files/1.png\n"),
        "it is not below /v1",
    ),
    "nobody": (
        LABELS.replace("      authorization: Bearer <token-1>\n", "", 1),
        "header authorization: is no bearer token",
    ),
}
"""Recordings that disagree, by their names, with what must be said of them."""


def test_a_replay_reports_what_disagrees_alone(tmp_path: Path) -> None:
    for name, (text, _) in PLANTED.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    for name, text in AGREEING.items():
        assert text not in (LABELS, NOTES, POSTS), f"{name} is no other than ours"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    status, said = run("replay", str(tmp_path))
    assert status == 1
    missing = {name: told for name, (_, told) in PLANTED.items() if told not in said}
    assert not missing, said
    failed = set(re.findall(r"^FAILED .*\[([a-z0-9-]+?)(?:-a?sync)?\]", said, re.MULTILINE))
    assert failed == set(PLANTED), said
    assert '$.shade: came "dark"; the documents say nothing of it' in said
    assert "Traceback" not in said


WITHOUT = """
import importlib.util as util, sys
find = util.find_spec
util.find_spec = lambda name, *more: None if name == "schemathesis" else find(name, *more)
sys.modules["schemathesis"] = None
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "tests/contract", *sys.argv[1:]]))
"""


def test_without_schemathesis_one_line_says_so() -> None:
    def said(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, "-c", WITHOUT, *arguments]
        outside = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(
            command,
            cwd=HERE.parents[1],
            env=outside,
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
        return done.returncode, (done.stdout + done.stderr).strip()

    status, text = said()
    assert status == 4 and text.count("\n") == 0 and "run `nox -s contract`" in text
    status, text = said("--target", "replay", str(FOLDER / "labels.yaml"))
    assert status == 0, text


def test_a_folder_without_a_recording_is_reported(tmp_path: Path) -> None:
    empty = Options("replay", tmp_path, 0, 0, False, None)
    with pytest.raises(ContractFailure, match="contains no recording"):
        test_recordings.test_there_is_something_to_replay(empty)


# The service


READ_ONLY = Options("live", None, 0, 0, False, None)
WRITING = replace(READ_ONLY, allow_writes=True)


@pytest.fixture
def service() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=10_000, check=False) as sandbox:
        yield sandbox


def environment(service: Sandbox, **changes: str) -> dict[str, str]:
    (group,) = service.find("groups", name="Kornblume Bakery")
    given = (service.token, service.base_url, service.media_url, group["id"])
    return {**dict(zip(VARIABLES, given, strict=True)), **changes}


NOTHING = (None, False)
"""What is written where there was no value."""


def written(service: Sandbox) -> Any:
    """All that is kept, but the log, moments of the last change, and values that say nothing."""

    def without(value: Any) -> Any:
        if isinstance(value, dict):
            members = {name: without(each) for name, each in value.items() if name != "updated_at"}
            return {name: each for name, each in members.items() if each not in NOTHING}
        return [without(each) for each in value] if isinstance(value, list) else value

    return without({**service.world(), "activities": []})


def test_the_service_is_read_and_nothing_else(service: Sandbox) -> None:
    before = service.world()
    survey = surveyed(*environment(service).values(), READ_ONLY)
    assert {each.method for each in service.requests()} == {"GET"}
    assert service.world() == before
    reads = {name for name, each in test_live.OPERATIONS.items() if each.method == "GET"}
    asked = {each.operation.id for each in survey.received}
    assert asked <= reads
    assert len(asked) >= 9
    assert all(survey.missing[each] for each in set(test_live.OPERATIONS) - asked)


def test_what_is_written_leaves_everything_as_it_was(service: Sandbox, tmp_path: Path) -> None:
    before = written(service)
    survey = surveyed(*environment(service).values(), replace(WRITING, record=tmp_path))
    assert not survey.changed
    assert {each.method for each in service.requests()} == {"GET", "POST", "PUT", "PATCH"}
    assert written(service) == before
    came = Counter((each.operation.id, each.status) for each in survey.received)
    assert came["replaceCalendarNote", 200] == 1
    assert (came["getMediaStatus", 200], came["getMediaStatus", 404]) == (5, 1)
    assert survey.missing["deleteLabel"] == "it deletes"
    status, said = run("replay", str(tmp_path))
    assert status == 0, said


def test_a_service_that_disagrees_is_reported(service: Sandbox) -> None:
    service.add_fault("unknown-values", operations="getSocialAccount")
    service.add_fault("unknown-fields", operations="getPostsOverview")
    status, said = run("live", environment=environment(service))
    assert status == 1
    assert "1 failed" in said
    assert "operation: getSocialAccount (GET /social-accounts/{socialAccount})" in said
    assert "expected:  $.socialNetwork: one of " in said
    assert "came:      $.socialNetwork: " in said
    assert '$.undocumented_1: came "text"; the documents say nothing of it' in said


@pytest.mark.parametrize("again", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_deviations_are_found(service: Sandbox, tmp_path: Path, again: bool) -> None:
    """Of a service that differs in many ways, live, and by `gaps --evidence`; by night replayed."""
    seen, kept = str(tmp_path / "seen"), tmp_path / "report"
    with deviating(service, DEVIATIONS.values()) as (base_url, media_url):
        where = environment(service) | dict(zip(VARIABLES[1:3], (base_url, media_url), strict=True))
        live = run("live", "--record", seen, "--report", str(kept), environment=where)
    replayed = [run("replay", seen)] if again else []
    weighed = pipeline("gaps", "--evidence", seen, "--strict", "-o", str(tmp_path / "proposed"))
    for status, said in (live, *replayed, weighed):
        words = " ".join(said.split())
        assert status == 1
        assert not [each for each in DEVIATIONS if each not in words], said
        assert "Traceback" not in said
        for lead in ("spec/main.yaml:", "ask the provider", "notes.range.end"):
            assert lead in said
    assert "listCalendarNotes 422 × 2; it never succeeded" in " ".join(live[1].split())
    assert "deleteLabel" in (kept / "contract.html").read_text(encoding="utf-8")
    _nothing_proposed_is_against_it(tmp_path / "proposed", Path(seen))
    failures = ElementTree.parse(kept / "junit.xml").getroot().iter("failure")
    assert len([*failures]) == live[1].count("FAILED ")


def _nothing_proposed_is_against_it(proposed: Path, seen: Path) -> None:
    """Whoever follows what is proposed has nothing of it against the documents any more."""
    config, made = project()
    was = weigh(config, made, [seen], addresses={}, checks=False)
    sources = (replace(each, confirmed=proposed / each.name) for each in config.sources)
    followed = replace(config, sources=tuple(sources))
    report = weigh(followed, effective(followed), [seen], addresses={}, checks=False)
    gaps = {verdict.gap.id for verdict in report.verdicts if verdict in [*against(report)]}
    text = "".join(file.read_text(encoding="utf-8") for file in proposed.rglob("*.yaml"))
    known = {*re.findall(r"gap: (\S+)", text)}
    assert known and not gaps & known
    # What a gap says of the members of an object is no remedy where none came.
    assert not [one for one in was.facts if one.name == "PostActivityPage.meta" and one.gaps]
    facts, before = ({(one.name, one.documented) for one in each.facts} for each in (report, was))
    assert facts <= before
    assert "GET /calendar-notes" not in {name for name, _ in facts}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"SOCIAL_PUBLISHING_API_TOKEN": "nobody"}, "responded with 401"),
        (
            {"SOCIAL_PUBLISHING_GROUP_ID": "7"},
            "responded with 404.*the group 7 of SOCIAL_PUBLISHING_GROUP_ID",
        ),
        ({"SOCIAL_PUBLISHING_GROUP_ID": "Bakery"}, "GROUP_ID: 'Bakery' is no list"),
        ({"SOCIAL_PUBLISHING_GROUP_ID": " , "}, "GROUP_ID: .* is no list"),
        ({"SOCIAL_PUBLISHING_BASE_URL": "http://127.0.0.1:9/v1"}, "127.0.0.1:9"),
        ({"SOCIAL_PUBLISHING_MEDIA_URL": "media.example"}, "media_url must begin with http"),
    ],
)
def test_a_service_that_cannot_be_asked_is_one_sentence(
    changes: dict[str, str], told: str, service: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = environment(service, **changes)
    with pytest.raises((Unusable, SocialPublishingError), match=told) as raised:
        surveyed(*given.values(), READ_ONLY)
    assert given["SOCIAL_PUBLISHING_API_TOKEN"] not in str(raised.value)


def test_a_service_that_is_not_there_is_no_recording(service: Sandbox, tmp_path: Path) -> None:
    """The recorder is there, and responds with 502: nothing of it is the service's."""
    given = environment(service, SOCIAL_PUBLISHING_BASE_URL="http://127.0.0.1:9/v1")
    with pytest.raises(Unusable, match=r"502: the service at http://127.0.0.1:9 did not respond"):
        surveyed(*given.values(), replace(READ_ONLY, record=tmp_path))
    assert not [*tmp_path.iterdir()]
    (tmp_path / "taken").touch()
    with pytest.raises(RecordingError, match="taken is a file; name a folder"):
        surveyed(*given.values(), replace(READ_ONLY, record=tmp_path / "taken"))
    status, said = run("live", "--record", str(tmp_path / "taken"))
    assert status == 4 and said.count("\n") == 2 and "taken is a file; name a folder" in said


def test_what_the_environment_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SOCIAL_PUBLISHING_API_TOKEN", "any")
    with pytest.raises(Unusable) as raised:
        test_live.environment()
    assert str(raised.value) == (
        "--target live needs these in the environment: SOCIAL_PUBLISHING_BASE_URL, "
        "SOCIAL_PUBLISHING_MEDIA_URL, SOCIAL_PUBLISHING_GROUP_ID."
    )


@pytest.mark.parametrize("allow_writes", [False, True])
def test_a_delete_never_leaves_and_a_write_only_when_it_may(allow_writes: bool) -> None:
    came: list[str] = []

    def received_(request: httpx2.Request) -> httpx2.Response:
        came.append(request.method)
        return httpx2.Response(204)

    with guarded(allow_writes, transport=httpx2.MockTransport(received_)) as guard:
        client = SocialPublishing(
            api_token="any",
            base_url="https://main.invalid/v1",
            media_url="https://media.invalid/api/v1",
            http_client=guard,
        )
        for call in (
            lambda: client.posts.delete_many(ids=["1"]),
            lambda: client.labels.delete("1"),
            lambda: client.calendar_notes.delete("1"),
        ):
            with pytest.raises(NotAllowed, match=r"DELETE .* was not sent"):
                call()
        for method in ("POST", "PUT", "PATCH", "DELETE", "PURGE"):
            may = allow_writes and method not in ("DELETE", "PURGE")
            if may:
                guard.request(method, "https://main.invalid/v1/labels")
            else:
                with pytest.raises(NotAllowed):
                    guard.request(method, "https://main.invalid/v1/labels")
        guard.get("https://main.invalid/v1/labels")
    assert came == (["POST", "PUT", "PATCH", "GET"] if allow_writes else ["GET"])


def test_an_overlay_is_shown_for_the_first_operation_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each operation that shows the same names what is assumed, and where its overlay stands."""
    seen = SimpleNamespace(against=True, operations=["a", "b"])
    lines = ["unit", "  seen     two", "  confirm  unit.yaml:", "    overlay: 1.1.0"]
    monkeypatch.setattr(weighing, "against", lambda _: [SimpleNamespace(seen=[seen], sightings=())])
    monkeypatch.setattr(weighing, "entry", lambda *_: lines)
    shown: dict[str, str] = {}
    report: Any = None
    first, second = (weighing.leads(report, each, shown).splitlines() for each in ("a", "b"))
    assert first == lines
    assert second == [*lines[:2], "  confirm  the overlay that is shown for a"]
    assert weighing.leads(report, "a", shown).splitlines() == lines


@pytest.mark.parametrize(("content", "fits"), [({"message": "Server error"}, True), ([1], False)])
def test_both_judges_hold_what_only_default_documents_to_default(content: Any, fits: bool) -> None:
    kept = {"content-type": "application/json", "x-ratelimit-limit": "60"}
    kept |= {"x-ratelimit-remaining": "9", "x-ratelimit-reset": "1796115660"}
    origin, data = "https://api.example", json.dumps(content).encode()
    asked = [each for each in test_live.OPERATIONS.values() if "default" in each.node["responses"]]
    assert len(asked) > 10
    made = []
    for number, (each, status) in enumerate(itertools.product(asked, (500, 503)), 1):
        assert bool(disagreements(each, status, kept, data)) is not fits
        path = each.document.base + re.sub("{.*?}", "1", each.path)
        nothing, body = Body("none"), Body("json", "application/json", content)
        found = Exchange("made", number, each.method, origin, path, (), nothing, status, kept, body)
        made.append(found)
    bases = {each.document.name: f"{origin}{each.document.base}" for each in asked}
    said = {one.name for one in against(weighing.weighed(made, bases)) if isinstance(one, Fact)}
    places = {f"{each.method} {each.path} responses default" for each in asked}
    assert said & places == (set() if fits else places)


def test_what_is_wrong_of_the_whole_service_is_one_failure() -> None:
    """The unit of a header that comes with every response is no fault of each operation."""
    reads = {"getGroup": "/groups/1", "getSocialAccount": "/social-accounts/1"}
    later = {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "9"}
    later["x-ratelimit-reset"] = "1798000000000"
    body = Body("json", "application/json", {"message": "There is none."})
    kept = {"content-type": "application/json", **later}
    origin, nothing = "https://api.example", Body("none")
    made = [
        Exchange("made", number, "GET", origin, f"/v1{path}", (), nothing, 404, kept, body)
        for number, path in enumerate(reads.values(), 1)
    ]
    report = weighing.weighed(made, {"main": f"{origin}/v1"})
    assert "rateLimit.resetUnit" in weighing.general(report)
    assert weighing.leads(report).count("rateLimit.resetUnit\n") == 1
    for each in reads:
        assert "rateLimit.resetUnit" not in weighing.leads(report, each)
