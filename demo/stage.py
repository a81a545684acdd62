"""Setup that no operation of the service offers, made by control: a brand, its accounts, drafts."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from social_publishing import Clock
from social_publishing.models import Network

from demo.month import ACCOUNTS, BLUESKY, FACEBOOK, TIKTOK, Planned
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.faults import Fault
from social_publishing_sandbox.api.media import draw, sample_video

BRAND: Final = "Harbour Lane Coffee"
ZONE: Final = "Europe/Amsterdam"
START: Final = "2026-11-30T09:00:00Z"
HOST: Final = "127.0.0.1"

STRICT: Final = 2  # `ApprovalWorkflow` (§2.6): every post needs somebody who approves it

ELSEWHERE: Final = BLUESKY  # was connected in another group
EXPIRING: Final = (TIKTOK, "2026-12-19T23:00:00Z")
"""The account whose connection expires, and when."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The prepared objects.

    Attributes:
        group_id: the brand's group.
        stray_account_id: an account of the brand that is in another group.
        other_group: the name of that group.
        analyst_token: the token of somebody who reads the numbers.
        approver_id: a user who may approve.
        writer_id: a user who may not.
    """

    group_id: str
    stray_account_id: str
    other_group: str
    approver_id: str
    writer_id: str
    analyst_token: str


def new_sandbox(seed: int) -> Sandbox:
    """Return a sandbox at nine on 30 November, whose time passes only on request."""
    return Sandbox(
        "small",
        seed=seed,
        clock="frozen",
        now=START,
        rate_limit=None,
        fetch_hosts=[HOST],
        fetch_private=True,
    )


def prepare(sandbox: Sandbox, plan: Sequence[Planned]) -> Stage:
    """Make the brand, its people, accounts and notes, and a draft for everything in the plan."""
    other = sandbox.world()["groups"][0]
    group_id = sandbox.create_group(
        name=BRAND, timezone=ZONE, approval_workflow=STRICT, country="NL", type=2, color=5
    ).id
    accounts = {
        network: _account(sandbox, network, other["id"] if network == ELSEWHERE else group_id)
        for network in ACCOUNTS
    }
    people = {"role": "member", "group_ids": [group_id]}
    approver = sandbox.create_user(name="Ines Duarte", can_approve=True, **people)
    writer = sandbox.create_user(name="Sam Okafor", **people)
    analyst = sandbox.create_user(name="Mika Lund", **people)
    _notes(sandbox, group_id)
    ideas = sandbox.create_label(name="Ideas")
    for each in plan:
        sandbox.create_post(
            name=each.name,
            selected_account_ids=[accounts[FACEBOOK]],
            label_ids=[ideas.id],
            user_id=writer.id,
        )
    return Stage(
        group_id,
        accounts[ELSEWHERE],
        other["name"],
        approver.id,
        writer.id,
        analyst.token,
    )


def _account(sandbox: Sandbox, network: Network, group_id: str) -> str:
    return sandbox.create_account(
        group_id=group_id,
        social_network=network.value,
        name=BRAND,
        followers_count=ACCOUNTS[network].followers,
    ).id


def _notes(sandbox: Sandbox, group_id: str) -> None:
    def note(title: str, start: str, end: str, series: str | None = None) -> None:
        sandbox.create_note(
            title=title, start_date=start, end_date=end, group_id=group_id, series=series
        )

    for day in (5, 12, 19):
        note(
            "Street market", f"2026-12-{day:02}T08:00:00Z", f"2026-12-{day:02}T12:00:00Z", "market"
        )
    note("Photo shoot", "2026-12-09T13:00:00Z", "2026-12-09T15:00:00Z")
    note("Tasting", "2026-12-10T18:30:00Z", "2026-12-10T20:30:00Z")


class StageClock(Clock):
    """A clock by which a pause moves the sandbox's time, and takes none of ours."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def sleep(self, seconds: float) -> None:
        self._sandbox.advance(seconds=seconds)


def draw_files(folder: Path, seed: int) -> dict[str, Path]:
    """Draw the files of the month: two pictures and a video, with nothing taken from elsewhere."""
    contents = {
        "menu.png": draw(seed, 1600, 1200, "December menu"),
        "shop.png": draw(seed + 1, 1080, 1080, BRAND),
        "roaster.avi": sample_video(seed, seconds=4, size=(640, 360)),
    }
    paths: dict[str, Path] = {}
    for name, content in contents.items():
        paths[name] = folder / name
        paths[name].write_bytes(content)
    return paths


def break_the_planning(sandbox: Sandbox, after: int) -> None:
    """Lose the response of one update that is carried out, and fail the read after it with 503."""
    for fault in (
        {"kind": "drop-after", "operations": "updatePost", "after": after, "times": 1},
        {"kind": "status", "status": 503, "operations": "getPosts", "times": 1},
    ):
        sandbox.faults.add(Fault.from_json(fault))


@contextmanager
def small_budget(sandbox: Sandbox, requests: int, seconds: int) -> Generator[None, None, None]:
    """Limit every user to so many requests in so many seconds, where a minute is too long."""
    sandbox.limit(requests, window=seconds)
    try:
        yield
    finally:
        sandbox.limit(None)


def review(sandbox: Sandbox, posts: Mapping[str, str], reject: str, ignore: str) -> None:
    """Approve all of these posts, given by name, but two: reject one, leave one."""
    for name, post_id in posts.items():
        if name == reject:
            sandbox.reject(post_id, reason="We do not praise others above ourselves.")
        elif name != ignore:
            sandbox.approve(post_id)
