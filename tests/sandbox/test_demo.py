"""The demo: its claims are held against the sandbox, and what one may copy is tried out."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "generated" / "client" / "src"))


from demo import cli as command
from demo import story
from demo.month import BLUESKY, TIKTOK, Planned, plan
from demo.story import ENDS, EXPIRED, REFUSAL, REFUSED, SHORTER, TOO_LONG, ZONE, Scene

PUBLISHED = 40


# What is shown


@dataclass(frozen=True)
class Played:
    """A demo that has been played, with the sandbox in which it happened."""

    scene: Scene
    text: str

    def post(self, name: str) -> Any:
        return self.scene.sandbox.read_post(self.scene.posts[name])

    def details(self, name: str) -> dict[str, Any]:
        return {each["social_network"]: each for each in self.post(name)["details"]}


@pytest.fixture(scope="module")
def played() -> Iterator[Played]:
    out = io.StringIO()
    with story.new_sandbox(7) as sandbox:
        with contextlib.redirect_stdout(out):
            scene = story.play(sandbox, 7)
        yield Played(scene, out.getvalue())


def test_what_is_claimed_is_true_and_shown(played: Played) -> None:
    checked = played.text.partition("What was checked")[2]
    assert all(played.scene.checks.values()) and "✗" not in checked
    for claim in (
        "duplicates: none",
        "18 of 18 targets out at their minute",
        *played.scene.checks,
    ):
        assert f"✓ {claim}" in checked


@pytest.mark.parametrize("name", ENDS)
def test_what_stayed_in_stayed_in_for_its_reason(played: Played, name: str) -> None:
    problems = {n: d.get("user_error_message") for n, d in played.details(name).items()}
    if name == REFUSED:
        assert set(problems.values()) == {REFUSAL} and REFUSAL in played.text
    elif name == EXPIRED:
        assert "must be renewed" in problems.pop(TIKTOK) and not any(problems.values())
    else:
        assert not any(problems.values())


def test_the_repaired_post_has_its_own_text_on_one_network(played: Played) -> None:
    post, details = played.post(TOO_LONG), played.details(TOO_LONG)
    assert post["status"] == PUBLISHED
    assert details[BLUESKY]["content"] == SHORTER
    assert details["linkedin_page"]["content"] == post["content"] != SHORTER
    assert details["linkedin_page"]["published_at"] < details[BLUESKY]["published_at"]


def test_faults_and_limit_really_happened(played: Played) -> None:
    request_log = played.scene.sandbox.request_log
    [lost] = request_log.search(fault="drop-after")
    assert lost.succeeded and lost.operation == "updatePost"
    assert [each.operation for each in request_log.search(status=503)] == ["getPosts"]
    successful = [each for each in request_log.search(operation="getPostMetrics") if each.succeeded]
    assert not request_log.search(status=429) and "refused: none" in " ".join(played.text.split())
    assert successful[0].at_real - successful[5].at_real >= 1  # newest first
    assert "survived    OutcomeUnknown" in played.text and "values are there" in played.text


def test_it_fits_a_terminal(played: Played) -> None:
    lines = played.text.splitlines()
    assert len(lines) <= 135 and max(map(len, lines)) <= 170
    calendar = played.text.partition("The calendar")[2].partition("The numbers")[0]
    assert "Harbour Lane Coffee, December 2026" in calendar and "11 posts" in calendar


# What is there to be copied


@pytest.mark.parametrize(("kind", "sent"), [("drop-after", 1), ("drop-before", 2)])
def test_a_lost_update_is_carried_out_once(kind: str, sent: int) -> None:
    with story.new_sandbox(7) as sandbox, sandbox.client() as client:
        account = sandbox.world()["social_accounts"][0]["id"]
        post_id = sandbox.create_post(content="Before", selectedAccountIds=[account])["id"]
        [draft] = client.posts.get_many(ids=[post_id])
        reports: list[tuple[str, ...]] = []
        sandbox.add_fault(kind, operations="updatePost", times=1)
        post = plan(
            client,
            Planned("Changed", "2026-12-24T08:00", [], "After"),
            draft,
            zone=ZONE,
            accounts={},
            files={},
            label_ids=[],
            assignee_ids=[],
            report=lambda error, seen: reports.append(seen.different),
        )
        assert post.content == "After"
        assert len(sandbox.request_log.search(operation="updatePost")) == sent
        assert sandbox.request_log.duplicates() == []
    assert ["content" in different for different in reports] == [sent == 2]


# The command


def test_an_error_of_the_service_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(scene: Scene) -> None:
        scene.client.groups.get("1")

    monkeypatch.setattr(story, "ACTS", (fail,))
    assert command.main([]) == 1
    error = capsys.readouterr().err
    assert error.startswith("The demo failed. GET http://127.0.0.1:") and error.count("\n") == 1
