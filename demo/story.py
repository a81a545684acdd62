"""The acts of the demo, which build on each other, and the checks at the end."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from social_publishing import (
    ArgumentError,
    Clock,
    OutcomeUnknown,
    Reconciled,
    SocialPublishing,
    Wait,
)
from social_publishing.models import (
    Media,
    Network,
    Post,
    PostActivityEvent,
    PostMetric,
    PostUpdateCustomization,
)

from demo.month import BLUESKY, FACEBOOK, PLAN, TIKTOK, plan
from social_publishing_cli.months.reading import read_month
from social_publishing_cli.months.terminal import write_month
from social_publishing_cli.names import Names
from social_publishing_cli.progress import Progress
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.media.drawing import VIDEO, draw

BRAND: Final = "Harbour Lane Coffee"
ZONE: Final = ZoneInfo("Europe/Amsterdam")
STRICT: Final = 2  # `ApprovalWorkflow` (§2.6): every post needs somebody who approves it

REJECTED, IGNORED, SKIPPED = "Guest roaster", "Holiday hours", "Ask us anything"
REFUSED, UNASSIGNED = "Open until noon", "Latte art"
TOO_LONG, EXPIRED = "How we weigh", "Slow Sunday"
ENDS: Final = {
    **{REJECTED: "review rejected", SKIPPED: "skipped", IGNORED: "review missed"},
    **{EXPIRED: "failed", REFUSED: "failed"},
}
"""How the posts end that are not published."""

REFUSAL: Final = "The network took no posts for an hour."
SHORTER: Final = "250 grams, weighed three times: for the roaster, for the label, for you."

_BEFORE_THE_LOSS: Final = 4  # updates that succeed before the one whose response is lost
_STOPS: Final = ("07T10:00", "14T10:00", "19T23:00", "21T10:00", "31T23:00")
_BUDGET: Final = 5  # requests
_WINDOW: Final = 2  # seconds

T = TypeVar("T")


class DemoFailed(Exception):
    """A check of the demo failed. The text is a sentence."""


class SandboxClock(Clock):
    """A clock by which a pause moves the sandbox's time, and takes none of ours."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def sleep(self, seconds: float) -> None:
        self._sandbox.advance(seconds=seconds)


@dataclass
class Scene:
    """What the acts pass on to each other.

    Attributes:
        sandbox: the service, for what only control can do.
        client: the client, for everything else.
        reader_token: the token of a user who has asked for nothing yet.
        accounts: the identifiers of the brand's accounts by network.
        posts: the identifiers of the planned posts by name.
        expected: when each target of a post is due, by the post's name and the network.
        checks: the claims, and whether they hold.
    """

    sandbox: Sandbox
    client: SocialPublishing
    seed: int
    group_id: str
    reader_token: str
    approver_id: str
    writer_id: str
    accounts: dict[Network, str]
    files: dict[str, Media] = field(default_factory=dict[str, Media])
    posts: dict[str, str] = field(default_factory=dict[str, str])
    expected: dict[tuple[str, Network], datetime] = field(
        default_factory=dict[tuple[str, Network], datetime]
    )
    checks: dict[str, bool] = field(default_factory=dict[str, bool])

    def heading(self, title: str) -> None:
        """Begin an act."""
        print(f"\n  {title:<60}{self.sandbox.now.astimezone(ZONE):%a %d %b %H:%M}")

    def planned_posts(self) -> dict[str, Post]:
        """Return the planned posts by name, as they are now, with their details (§4.1)."""
        by_name = {
            given(post.name): post for post in self.client.posts.list(group_id=self.group_id)
        }
        return {name: by_name[name] for name in self.posts}


def fact(name: str, text: str) -> None:
    """Print a fact under its name."""
    print(f"    {name:<12}{text}")


def given(value: T | None) -> T:
    """Return a field that must be there.

    Raises:
        DemoFailed: the service left it out.
    """
    if value is None:
        raise DemoFailed("A response of the service lacks a field that the demo needs.")
    return value


def state(post: Post) -> str:
    """Return the state of a post for people, such as `in review` (§3)."""
    return post.status.name.lower().replace("_", " ")


def new_sandbox(seed: int) -> Sandbox:
    """Return a sandbox at nine on 30 November, whose time passes only on request."""
    now = "2026-11-30T09:00:00Z"
    return Sandbox("small", seed=seed, clock="frozen", now=now, rate_limit=None)


def prepare(sandbox: Sandbox, client: SocialPublishing, seed: int) -> Scene:
    """Make by control what the service has no operation for: a brand, people, drafts."""
    group = sandbox.create_group(name=BRAND, timezone=str(ZONE), approval_workflow=STRICT)
    accounts = {
        network: sandbox.create_account(
            group_id=group.id, social_network=network.value, name=BRAND
        ).id
        for network in dict.fromkeys(network for planned in PLAN for network in planned.networks)
    }
    approver = sandbox.create_user(name="Ines Duarte", can_approve=True, group_ids=[group.id])
    writer = sandbox.create_user(name="Sam Okafor", group_ids=[group.id])
    for planned in PLAN:
        sandbox.create_post(
            name=planned.name,
            selected_account_ids=[accounts[FACEBOOK]],
            user_id=writer.id,
        )
    return Scene(sandbox, client, seed, group.id, approver.token, approver.id, writer.id, accounts)


def files(scene: Scene) -> None:
    """Upload the pictures and the film, and wait until they are ready."""
    scene.heading("The files")
    # The sandbox's time passes only on request; with the service, no other clock is needed.
    client = scene.client.with_clock(SandboxClock(scene.sandbox))
    contents = {
        "menu.png": draw(scene.seed, 1600, 1200, "December menu"),
        "shop.png": draw(scene.seed, 1600, 1200, "The shop"),
        "roaster.avi": VIDEO.read_bytes(),
    }
    with tempfile.TemporaryDirectory(prefix="demo-") as folder:
        for name, content in contents.items():
            path = Path(folder, name)
            path.write_bytes(content)
            scene.files[name] = client.media.upload(file=path, wait=True)
    for name, media in scene.files.items():
        size = f"{given(media.width)} × {given(media.height)}, {given(media.size) / 1024:,.0f} KB"
        fact("uploaded", f"{name:<12}{size}{f', {media.duration:g} s' if media.duration else ''}")


def planning(scene: Scene) -> None:
    """Change every draft into a post of the plan, though one response is lost on the way."""
    client, sandbox = scene.client, scene.sandbox
    scene.heading("The plan")
    drafts = {given(post.name): post for post in client.posts.list(group_id=scene.group_id)}
    try:
        client.posts.update(drafts[REFUSED].id, publication_date=datetime(2026, 12, 1, 9, 0))
    except ArgumentError as error:
        fact("not sent", f"{type(error).__name__}: {error.problems[0]}")
    else:
        raise DemoFailed("The client sent a date without a time zone.")
    december = client.labels.create(name="December")
    sandbox.add_fault("drop-after", operations="updatePost", after=_BEFORE_THE_LOSS, times=1)
    sandbox.add_fault("status", status=503, operations="getPosts", times=1)
    for planned in PLAN:
        post = plan(
            client,
            planned,
            drafts[planned.name],
            zone=ZONE,
            accounts=scene.accounts,
            files=scene.files,
            label_ids=[december.id],
            assignee_ids=[scene.writer_id if planned.name == UNASSIGNED else scene.approver_id],
            report=_report,
        )
        scene.posts[planned.name] = post.id
        for network, moment in planned.moments(ZONE).items():
            scene.expected[planned.name, network] = moment
    lost = scene.posts[PLAN[_BEFORE_THE_LOSS].name]
    updates = sandbox.request_log.search(operation="updatePost")
    sent = [update.fault for update in updates if update.path.endswith(lost)]
    scene.checks["lost response: the update was sent once"] = sent == ["drop-after"]
    posts = scene.planned_posts()
    fact("planned", f"{len(posts)} posts")
    scene.checks["every post stored as planned"] = all(
        posts[planned.name].content == planned.content
        and posts[planned.name].publication_date == planned.moment(ZONE)
        for planned in PLAN
    )


def _report(error: OutcomeUnknown, seen: Reconciled) -> None:
    known = f"{len(seen.same)} of {len(seen.same) + len(seen.different)} values are there"
    again = "sent again" if seen.different else "not sent again"
    fact("survived", f"{type(error).__name__}: {error.reason}")
    fact("", f"looked at the post: {known}, {again}")


def reviewing(scene: Scene) -> None:
    """Send the posts to review; the service holds back the one that nobody may approve."""
    client, sandbox, posts = scene.client, scene.sandbox, scene.posts
    scene.heading("The review")
    result = client.posts.set_draft(is_draft=False, post_ids=list(posts.values()))
    held_back = [name for name in posts if posts[name] in result.skipped_no_assignee]
    scene.checks["without approver: held back"] = held_back == [UNASSIGNED]
    client.posts.update(posts[UNASSIGNED], assignee_ids=[scene.approver_id])
    client.posts.set_draft(is_draft=False, post_ids=[posts[UNASSIGNED]])
    client.posts.update(posts[SKIPPED], should_skip=True)
    sandbox.reject(posts[REJECTED], reason="We do not praise others above ourselves.")
    for name, post_id in posts.items():
        if name not in (REJECTED, IGNORED, SKIPPED):
            sandbox.approve(post_id)
    sandbox.fail(posts[REFUSED], REFUSAL)
    counts = Counter(state(post) for post in client.posts.get_many(ids=list(posts.values())))
    fact("now", " · ".join(f"{number} {name}" for name, number in counts.items()))


def passing(scene: Scene) -> None:
    """Run the clock through December; look now and then, and repair what can be repaired."""
    scene.heading("The month")
    for stop in _STOPS:
        moment = datetime.fromisoformat(f"2026-12-{stop}").replace(tzinfo=ZONE)
        scene.sandbox.set_clock(moment)
        if moment.day == 19:
            scene.sandbox.expire_connection(scene.accounts[TIKTOK])
        posts = scene.planned_posts()
        counts = Counter(state(post) for post in posts.values())
        shown = "   ".join(f"{counts[name]} {name}" for name in ("published", "failed"))
        fact(f"{moment:%a %d %b}", shown)
        if stop == _STOPS[1]:
            _repair(scene, posts[TOO_LONG])


def _repair(scene: Scene, post: Post) -> None:
    """Shorten what was too long for one network, and send it there again."""
    details = given(post.details)
    fact("", f"“{TOO_LONG}” failed. {next(filter(None, (d.user_error_message for d in details)))}")
    shorter = {BLUESKY: PostUpdateCustomization(content=SHORTER)}
    scene.client.posts.update(post.id, customized=shorter, is_publish_now=True)
    scene.expected[TOO_LONG, BLUESKY] = scene.sandbox.now
    scene.sandbox.advance(minutes=1)
    events = [activity.event for activity in scene.client.posts.activities(post.id)]
    sent = events.count(PostActivityEvent("publishedOnNetwork"))
    [again] = scene.client.posts.get_many(ids=[post.id])
    fact("", f"shortened for Bluesky and sent there again: {state(again)}")
    once = state(again) == "published" and sent == len(details)
    scene.checks["repaired: out once on each network"] = once


def results(scene: Scene) -> None:
    """Show every post with its targets, and the reason where one was not published."""
    scene.heading("Results")
    on_time: list[bool] = []
    posts = scene.planned_posts()
    for name, post in posts.items():
        details = given(post.details)
        marks = [
            f"{detail.social_network} "
            f"{'✓' if detail.published_at else '✗' if detail.user_error_message else '–'}"
            for detail in details
        ]
        print(f"    {name:<18}{state(post):<17}{'  '.join(marks)}")
        for reason in {detail.user_error_message for detail in details} - {None}:
            print(f"{'':<22}{reason}")
        on_time += [
            detail.published_at == scene.expected[name, detail.social_network]
            for detail in details
            if detail.published_at
        ]
    claim = f"{on_time.count(True)} of {len(on_time)} targets out at their minute"
    scene.checks[claim] = bool(on_time) and all(on_time)
    scene.checks["every post ended in the expected state"] = all(
        state(post) == ENDS.get(name, "published") for name, post in posts.items()
    )
    reasons = {detail.user_error_message for detail in given(posts[REFUSED].details)}
    scene.checks["failed for the expected reason"] = reasons == {REFUSAL}


def calendar(scene: Scene) -> None:
    """Show the month as a calendar, as `social-publishing calendar` does."""
    scene.heading("The calendar")
    moment = PLAN[0].moment(ZONE)
    write_month(read_month(scene.client, scene.group_id, moment, Names()), sys.stdout)


def numbers(scene: Scene) -> None:
    """Read the metrics of all posts at once, with a small budget of requests."""
    scene.heading("The numbers")
    published = [name for name, post in scene.planned_posts().items() if state(post) == "published"]
    fact("limit", f"{_BUDGET} requests in {_WINDOW} s; {len(published)} are sent at once")
    began = time.monotonic()
    scene.sandbox.limit(_BUDGET, window=_WINDOW)
    try:
        metrics = asyncio.run(_metrics(scene, published))
    finally:
        scene.sandbox.limit(None)
    took = time.monotonic() - began
    refused = scene.sandbox.request_log.search(status=429)
    scene.checks["rate limit: waited, no 429"] = not refused and took >= _WINDOW
    fact("", f"all arrived in {took:.1f} s; refused: {len(refused) or 'none'}")
    best = max(published, key=lambda name: _sum(metrics[name], "engagements"))
    fact("best post", f"“{best}”: {_sum(metrics[best], 'views'):,} views")


async def _metrics(scene: Scene, names: Sequence[str]) -> dict[str, list[PostMetric]]:
    progress = Progress()
    read: dict[str, list[PostMetric]] = {}

    def waits(wait: Wait) -> None:
        progress.wait(wait.seconds, wait.reason)

    reader = scene.sandbox.async_client(api_token=scene.reader_token, on_wait=waits)
    async with reader as client:

        async def read_one(name: str) -> None:
            read[name] = [*(await client.posts.metrics(scene.posts[name])).values()]
            progress.step("Reading metrics", len(read), len(names))

        try:
            await asyncio.gather(*map(read_one, names))
        finally:
            progress.clear()
    return read


def _sum(metrics: Sequence[PostMetric], name: str) -> int:
    """Return the sum over all networks; not every network counts everything."""
    return sum(getattr(metric, name) or 0 for metric in metrics)


ACTS = (files, planning, reviewing, passing, results, calendar, numbers)


def play(sandbox: Sandbox, seed: int) -> Scene:
    """Play the month in a sandbox of `new_sandbox`; return the scene at its end.

    Raises:
        DemoFailed: a check failed.
        SocialPublishingError: a call failed that should not.
    """
    with sandbox.client() as client:
        scene = prepare(sandbox, client, seed)
        print(f"  A month of {BRAND}, planned and published: {sandbox.base_url}, seed {seed}")
        for act in ACTS:
            act(scene)
    log = sandbox.request_log
    duplicates = log.duplicates()
    claims = {
        f"duplicates: {len(duplicates) or 'none'}": not duplicates,
        "every response fits the documents": not log.search(problems=True),
        **scene.checks,
    }
    scene.heading("What was checked")
    for claim, holds in claims.items():
        print(f"    {'✓' if holds else '✗'} {claim}")
    print(f"\n    {len(log)} requests over HTTP.")
    if wrong := [claim for claim, holds in claims.items() if not holds]:
        raise DemoFailed(f"These checks failed: {'; '.join(wrong)}.")
    return scene
