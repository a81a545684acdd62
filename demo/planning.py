"""The plan, and the review that it goes through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from social_publishing import ArgumentError
from social_publishing.models import Network, PostInclude

from demo import stage
from demo.month import ACCOUNTS, PLAN, Planned, plan
from demo.scene import DemoFailed, Scene, given, quoted, state
from demo.terminal import amount

REJECTED: Final = "Guest roaster"
IGNORED: Final = "Holiday hours"
SKIPPED: Final = "Ask us anything"
REFUSED: Final = "Open until noon"
DROPPED: Final = "Last of the year"
UNASSIGNED: Final = "Latte art morning"

REFUSAL: Final = "The network took no posts for an hour."
KEPT: Final[Sequence[Planned]] = [each for each in PLAN if each.name != DROPPED]

_BEFORE_THE_LOSS: Final = 4  # updates that succeed before the one whose response is lost


def planning(scene: Scene) -> None:
    """Change every draft into a post of the plan, though one response is lost on the way."""
    client, out, group_id = scene.client, scene.out, scene.stage.group_id
    out.heading("The plan", scene.now)
    every = client.posts.list(group_id=group_id, include=[PostInclude.LABELS])
    drafts = {given(post.name): post for post in every}
    _mistake(scene, drafts[PLAN[0].name].id)
    ideas = given(drafts[PLAN[0].name].labels)[0]
    december = client.labels.create(name="December")
    stage.break_the_planning(scene.sandbox, after=_BEFORE_THE_LOSS)
    for planned in PLAN:
        assignee = scene.stage.writer_id if planned.name == UNASSIGNED else scene.stage.approver_id
        post = plan(
            client,
            planned,
            drafts[planned.name],
            zone=scene.zone,
            accounts=scene.accounts,
            files=scene.files,
            label_ids=[december.id],
            assignee_ids=[assignee],
            report=scene.report,
        )
        scene.posts[planned.name] = post.id
        for network, moment in planned.moments(scene.zone).items():
            scene.expected[planned.name, network] = moment
    _check_lost_update(scene, PLAN[_BEFORE_THE_LOSS].name)
    client.labels.delete(ideas.id)
    client.posts.delete_many(ids=[scene.posts.pop(DROPPED)])
    targets = sum(len(each.networks) for each in KEPT)
    out.fact(
        "planned",
        f"{amount(len(KEPT), 'post')} for {targets} targets; {quoted([DROPPED])} and the label "
        f"{ideas.name} deleted",
    )
    out.month(2026, 12, {each.moment(scene.zone).day: _codes(each.networks) for each in KEPT})
    _check_plan(scene)


def _mistake(scene: Scene, post_id: str) -> None:
    """Try a date without a time zone: it could mean anything, and the client does not send it."""
    try:
        scene.client.posts.update(post_id, publication_date=datetime(2026, 12, 1, 9, 0))
    except ArgumentError as error:
        [problem] = error.problems
        text = f"{type(error).__name__}: {problem.argument} without a time zone"
        scene.out.fact("not sent", text, "note")
    else:
        raise DemoFailed("The client sent a date without a time zone.")


def _check_lost_update(scene: Scene, name: str) -> None:
    sent = [
        each
        for each in scene.sandbox.request_log.search(operation="updatePost")
        if each.path.endswith(scene.posts[name])
    ]
    once = len(sent) == 1 and sent[0].fault == "drop-after"
    scene.checks["lost response: the update sent once"] = once


def _check_plan(scene: Scene) -> None:
    posts = scene.planned_posts()
    scene.checks["every post stored as planned"] = all(
        post.content == planned.content
        and post.publication_date == planned.moment(scene.zone)
        and post.selected_account_ids == [scene.accounts[each] for each in planned.networks]
        for planned in KEPT
        for post in [posts[planned.name]]
    )


def _codes(networks: Sequence[Network]) -> str:
    """Return the networks in short; a day of the calendar has room for three."""
    if len(networks) <= 3:
        return " ".join(ACCOUNTS[each].short for each in networks)
    return f"{ACCOUNTS[networks[0]].short} {ACCOUNTS[networks[1]].short} +{len(networks) - 2}"


def reviewing(scene: Scene) -> None:
    """Send the posts to review; the service holds back the one that nobody may approve."""
    client, out, posts = scene.client, scene.out, scene.posts
    out.heading("The review", scene.now)
    result = client.posts.set_draft(is_draft=False, post_ids=list(posts.values()))
    held_back = [name for name in posts if posts[name] in result.skipped_no_assignee]
    scene.checks["without approver: held back"] = held_back == [UNASSIGNED]
    moved = len(result.post_ids)
    out.fact("sent", f"{moved} of {len(posts)}; nobody may approve {quoted(held_back)}")
    client.posts.update(posts[UNASSIGNED], assignee_ids=[scene.stage.approver_id])
    client.posts.set_draft(is_draft=False, post_ids=[posts[UNASSIGNED]])
    client.posts.update(posts[SKIPPED], should_skip=True)
    waiting = {name: post_id for name, post_id in posts.items() if name != SKIPPED}
    stage.review(scene.sandbox, waiting, reject=REJECTED, ignore=IGNORED)
    scene.sandbox.fail(posts[REFUSED], REFUSAL)
    found = client.posts.get_many(ids=list(posts.values()))
    counts = Counter(state(post) for post in found)
    out.fact("now", " · ".join(f"{number} {name}" for name, number in counts.items()))
    todo = client.widgets.posts_overview(scene.stage.group_id)
    out.fact(
        "to do",
        f"{todo.scheduled_posts} posts scheduled for {todo.scheduled_post_details} targets; "
        f"{todo.needs_approval} in review over all groups",
    )
