"""Ask one project, as its documents make it, what became of each gap; run in a process of its own.

`python asking.py FOLDER` writes, as JSON, what each probe saw, by gap and way. A probe is carried
out through the client, the awaited client, the command and the tools of assistants alike, against
the sandbox. A gap without a probe is seen in the types that both clients and the sandbox have.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import io
import json
import os
import re
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import shapes

GROUP, STRICT = "9032915132417572866", "9032915132417572867"
INSTAGRAM, FACEBOOK, OTHER = "9032915132417572868", "9032915132417572869", "9385163687527972879"
LABEL, NOTE, FILE = "9032915132417572870", "9032915132417572874", "9032915132417572871"
DRAFT = "9032915132417572872"
SOON = "2026-12-05T09:00:00Z"
Call = Callable[..., Any]
"""Calls a method, `posts.get` and the like, and returns JSON; of an error `{"status": …}`."""
Probe = Callable[[Call, Any], Any]

REPLACEMENT = {
    **{"name": "Mine", "timezone": "Europe/Berlin", "type": 1, "week_start_day": 0, "note": "x"},
    **{"max_social_accounts": 40, "default_assignee_ids": ["9032915132417572865"]},
    "default_everyone_must_approve": False,
}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "listPosts": ("posts.list", {"group_id": GROUP}),
    "updatePost": ("posts.update", {"post_id": DRAFT, "name": "x", "note": "x"}),
    "deletePosts": ("posts.delete_many", {"ids": [DRAFT]}),
    "setPostsDraft": ("posts.set_draft", {"is_draft": True, "post_ids": [DRAFT]}),
    "getPostMetrics": ("posts.metrics", {"post_id": DRAFT}),
    "listPostActivities": ("posts.activities", {"post_id": DRAFT}),
    "getGroup": ("groups.get", {"group_id": GROUP}),
    "replaceGroup": ("groups.replace", {"group_id": GROUP, **REPLACEMENT}),
    "getSocialAccount": ("social_accounts.get", {"social_account_id": INSTAGRAM}),
    "moveSocialAccount": (
        "social_accounts.move_to_group",
        {"social_account_id": INSTAGRAM, "group_id": STRICT},
    ),
    "listCalendarNotes": ("calendar_notes.list", {"start": (2026, 12, 1), "end": (2026, 12, 20)}),
    "replaceCalendarNote": (
        "calendar_notes.replace",
        {
            **{"calendar_note_id": NOTE, "title": "x", "start_date": (2026, 12, 1)},
            **{"end_date": (2026, 12, 2), "group_id": STRICT, "content": "x", "color": 1},
            **{"is_private": False, "visible_for_client": False},
        },
    ),
    "rescheduleCalendarNote": (
        "calendar_notes.reschedule",
        {"calendar_note_id": NOTE, "start_date": (2026, 12, 1), "end_date": (2026, 12, 2)},
    ),
    "deleteCalendarNote": ("calendar_notes.delete", {"calendar_note_id": NOTE}),
    "createLabel": ("labels.create", {"name": "Fresh"}),
    "deleteLabel": ("labels.delete", {"label_id": LABEL}),
    "getPostsOverview": ("widgets.posts_overview", {"group_id": GROUP}),
    "uploadMedia": ("media.upload", {"file": "clip.srt"}),
    "uploadMediaFromUrl": ("media.upload_from_url", {"file_url": "http://127.0.0.1:9/a.png"}),
    "getMediaStatus": ("media.status", {"media_id": FILE}),
}
"""A call of each operation that succeeds, but for the download from an address."""
PROBES: dict[str, Probe] = {}


PARTS: dict[str, int] = {}
"""The gaps that are seen in one part of what a probe returns; others are seen in all of it."""


def probe(*gaps: str, whole: tuple[str, ...] = ()) -> Callable[[Probe], Probe]:
    """Name the gaps that a probe is about.

    It returns a part for each of several, in their order, which does not change with the others;
    and for those in `whole`, what changes everything.
    """

    def keep(made: Probe) -> Probe:
        PROBES.update(dict.fromkeys((*gaps, *whole), made))
        if len(gaps) > 1 or whole:
            PARTS.update({gap: at for at, gap in enumerate(gaps)})
        return made

    return keep


def statuses(sandbox: Any) -> list[int]:
    """Return the statuses of the responses so far."""
    return [entry.status for entry in sandbox.requests()]


def post(sandbox: Any, **given: Any) -> str:
    """Make a post on an account, and return its identifier."""
    given = {"content": "Hello", "selectedAccountIds": [FACEBOOK], **given}
    return str(sandbox.create_post(**given).id)


def success(operation: str) -> Probe:
    def probes(call: Call, sandbox: Any) -> Any:
        method, given = CALLS[operation]
        if operation == "uploadMediaFromUrl":
            return sandbox.service.contract.operations[operation].success
        result = call(method, **given)
        assert not (isinstance(result, dict) and "status" in result and len(result) == 1), result
        return statuses(sandbox)[-1]

    return probes


def errors(operation: str) -> Probe:
    def probes(call: Call, sandbox: Any) -> Any:
        method, given = CALLS[operation]
        given = dict(given)
        first = next(iter(given))
        if first.endswith("_id"):
            given[first] = "1"
        elif operation.startswith("uploadMedia"):
            return sandbox.service.contract.operations[operation].responses.keys() & {418, 406}
        else:
            call.act_as("client")  # type: ignore[attr-defined]
            given |= {"group_id": "1"} if operation == "listCalendarNotes" else {}
        found = call(method, **given)
        assert found == {"status": statuses(sandbox)[-1]}, found
        return found["status"]

    return probes


@probe("createLabel.names")
def _(call: Call, sandbox: Any) -> Any:
    return [call("labels.create", name=each).get("name") for each in ("Urgent", "Urgent", " ")]


@probe("auth.permissions")
def _(call: Call, sandbox: Any) -> Any:
    call.act_as("client")  # type: ignore[attr-defined]
    return call("labels.create", name="Mine").get("name")


@probe("bulk.missing")
def _(call: Call, sandbox: Any) -> Any:
    found = call("posts.get_many", ids=[DRAFT, "1"])
    return found if isinstance(found, dict) else [each["id"] for each in found]


@probe("delete.seen")
def _(call: Call, sandbox: Any) -> Any:
    call("posts.delete_many", ids=[DRAFT])
    return call("posts.activities", post_id=DRAFT) != {"status": 404}


@probe("error.code")
def _(call: Call, sandbox: Any) -> Any:
    sandbox.add_fault("status", status=400, times=1)
    call("groups.get", group_id=GROUP)
    return [re.findall(rb'"e_code":"(.*?)"', each.response_body) for each in sandbox.requests()]


@probe("media.asyncUpload")
def _(call: Call, sandbox: Any) -> Any:
    try:
        return call("media.upload_later", file_url="http://127.0.0.1:9/a.png")
    except (AttributeError, KeyError):
        return "there is no such method"


@probe("getGroup.include")
def _(call: Call, sandbox: Any) -> Any:
    return call("groups.get", group_id=GROUP).get("socialAccountsCount")


@probe("getPosts.order")
def _(call: Call, sandbox: Any) -> Any:
    first, last = post(sandbox), post(sandbox)
    call("posts.get_many", ids=[last, DRAFT, first])  # the client gives them as they were asked for
    body = json.loads(sandbox.requests(operation="getPosts")[-1].response_body)
    return [each["id"] for each in body] == [last, DRAFT, first]


@probe("lists.order", "listPosts.socialAccountIds", "paging.parameters", "paging.perPage")
def _(call: Call, sandbox: Any) -> Any:
    posts = call("posts.list", social_account_ids=[FACEBOOK, INSTAGRAM], page=1)
    ids = [int(each["id"]) for each in posts]
    sent = sandbox.requests()[0].target
    return ids == sorted(ids), sent.count("socialAccountIds"), "&p=" in sent, len(statuses(sandbox))


@probe(whole=("draft.postIds", "draft.repeat"))
def _(call: Call, sandbox: Any) -> Any:
    out = post(sandbox, status="PUBLISHED")
    done = call("posts.set_draft", is_draft=False, post_ids=[out, post(sandbox, status="FAILED")])
    return len(done["post_ids"])


@probe(
    *("transitions.failed", "transitions.notSchedule", "transitions.reviewMissed"),
    *("transitions.reviewRejected", "transitions.skipped", "draft.release"),
)
def _(call: Call, sandbox: Any) -> Any:
    names = ("FAILED", "NOT_SCHEDULE", "REVIEW_MISSED", "REVIEW_REJECTED", "SKIPPED", "DRAFT")
    posts = [post(sandbox, status=each, publication_date=SOON) for each in names]
    call("posts.set_draft", is_draft=False, post_ids=posts)
    return [call("posts.get", post_id=each)["status"] for each in posts]


@probe("publishing.expired", "publishing.failures", whole=("transitions.clock",))
def _(call: Call, sandbox: Any) -> Any:
    sandbox.expire_connection(FACEBOOK)
    posts = [
        post(sandbox, status="SCHEDULED", publication_date=SOON, **given)
        for given in ({}, {"content": "", "selectedAccountIds": [INSTAGRAM]})
    ]
    sandbox.advance(days=9)
    return [call("posts.get", post_id=each)["status"] for each in posts]


@probe("transitions.review")
def _(call: Call, sandbox: Any) -> Any:
    made = post(sandbox, status="IN_REVIEW", selectedAccountIds=[OTHER])
    sandbox.reject(made)
    return call("posts.get", post_id=made)["status"]


@probe(
    *("updatePost.isDraft", "updatePost.isPublishNow"),
    *("updatePost.shouldSkip", "updatePost.precedence"),
)
def _(call: Call, sandbox: Any) -> Any:
    skipped = post(sandbox, status="SKIPPED", publication_date=SOON)
    return [
        call("posts.update", post_id=each, **given)["status"]
        for each, given in (
            (post(sandbox), {"is_draft": True}),
            (post(sandbox), {"is_publish_now": True}),
            (skipped, {"should_skip": False}),
            (post(sandbox), {"should_skip": True, "is_publish_now": True}),
        )
    ]


@probe(
    *("updatePost.labelIds", "updatePost.lists", "updatePost.nested"),
    whole=("updatePost.unsent",),
)
def _(call: Call, sandbox: Any) -> Any:
    made = post(sandbox, labelIds=[LABEL], ig_collaborators=["a"], note="Mine", name="Mine")
    comments = {"first_comments": {"enabled": True, "content": "x"}}
    call("posts.update", post_id=made, **comments)
    call("posts.update", post_id=made, first_comments={"conditionValue": 2})
    call("posts.update", post_id=made, label_ids=["9911713256244772895"], ig_collaborators=["b"])
    found = call("posts.get", post_id=made)
    labels = sandbox.read_post(made)["labels"]
    comment = (found.get("first_comments") or {}).get("content")
    return len(labels), found["ig_collaborators"], bool(comment), found["note"]


@probe("updatePost.published")
def _(call: Call, sandbox: Any) -> Any:
    return call("posts.update", post_id=post(sandbox, status="PUBLISHED"), content="New").get(
        "content"
    )


@probe("updatePost.noAccounts")
def _(call: Call, sandbox: Any) -> Any:
    return call("posts.update", post_id=post(sandbox), selected_account_ids=[]).get("status")


@probe("updatePost.foreignLabels")
def _(call: Call, sandbox: Any) -> Any:
    label = "9911713256244772898"
    made = post(sandbox, labelIds=[label])
    call("social_accounts.move_to_group", social_account_id=FACEBOOK, group_id=STRICT)
    return call("posts.update", post_id=made, label_ids=[label]).get("status")


@probe("updatePost.null")
def _(call: Call, sandbox: Any) -> Any:
    made = post(sandbox, publication_date=SOON, status="SCHEDULED")
    call("posts.update", post_id=made, publication_date=None)
    return sandbox.read_post(made).get("publication_date")


@probe("updatePost.firstComments.network")
def _(call: Call, sandbox: Any) -> Any:
    entry = {"enabled": True, "socialAccountIds": [], "content": "x"}
    given = {"enabled": True, "customized": [entry]}
    return call("posts.update", post_id=post(sandbox), first_comments=given).get("id") is not None


@probe("updatePost.timezone")
def _(call: Call, sandbox: Any) -> Any:
    given = datetime(2026, 12, 5, 9, tzinfo=UTC)
    call("posts.update", post_id=(made := post(sandbox)), publication_date=given)
    return re.findall(rb"T\d\d", sandbox.requests()[-1].request_body), sandbox.read_post(made)[
        "publication_date"
    ]


@probe("limits.dates", "limits.delay")
def _(call: Call, sandbox: Any) -> Any:
    far = datetime(2040, 1, 1, tzinfo=UTC)
    given = ({"publication_date": far}, {"publication_delay_between": 90})
    asked = [call("posts.update", post_id=post(sandbox), **each).get("id") for each in given]
    return [*map(bool, asked)]


@probe("limits.integers")
def _(call: Call, sandbox: Any) -> Any:
    large = {**REPLACEMENT, "max_social_accounts": 2**40}
    return call("groups.replace", group_id=GROUP, **large).get("id")


@probe("replaceGroup.maximumHeld", "replaceGroup.others")
def _(call: Call, sandbox: Any) -> Any:
    given = {**REPLACEMENT, "max_social_accounts": 1}
    call("groups.replace", group_id=GROUP, **REPLACEMENT)
    return call("groups.replace", group_id=GROUP, **given).get("id"), call(
        "groups.get", group_id=GROUP
    ).get("country")


@probe("replaceGroup.timezone")
def _(call: Call, sandbox: Any) -> Any:
    return call("groups.replace", group_id=GROUP, **REPLACEMENT | {"timezone": "Asia/Tokyo"}).get(
        "id"
    )


@probe("notes.range.start", "notes.range.end", "notes.group", "notes.range.format")
def _(call: Call, sandbox: Any) -> Any:
    call("calendar_notes.list", start=(2026, 12, 1), end=(2027, 3, 20), group_id=GROUP)
    sent = (each.target for each in sandbox.requests() if "/calendar-notes" in each.target)
    query = next(sent).partition("?")[2]
    assert max(statuses(sandbox)) < 300, sandbox.requests()[-1].response_body
    return [*(part.partition("=")[0] for part in query.split("&")), "T" in query]


@probe("notes.range.match", "notes.order", "notes.withoutGroup", "notes.extraDay")
def _(call: Call, sandbox: Any) -> Any:
    days = (
        ("a", "07-30", GROUP),
        ("b", "08-01", GROUP),
        ("c", "08-02", None),
        ("d", "08-03", GROUP),
    )
    for name, day, group in days:
        dates = {"start_date": f"2026-{day}T09:00:00Z", "end_date": "2026-08-09T09:00:00Z"}
        sandbox.create_note(title=name, group_id=group, **dates)
    notes = call("calendar_notes.list", start=(2026, 8, 1), end=(2026, 8, 20), group_id=GROUP)
    shown = {each["title"]: each["end_date_extra_day"] for each in notes}
    return ["a" in shown, [*shown].index("b") < [*shown].index("d"), "c" in shown, shown["b"]]


@probe("deletePosts.fromNetworks", "deletePosts.task", "deletePosts.keptNetworks")
def _(call: Call, sandbox: Any) -> Any:
    made = post(sandbox, status="PUBLISHED", selectedAccountIds=[INSTAGRAM])
    call("posts.delete_many", ids=[made], from_networks=True, delete_tasks=True)
    return [*sandbox.requests()[0].target.split("&")[1:], statuses(sandbox)[0] < 300]


@probe("deleteCalendarNote.group")
def _(call: Call, sandbox: Any) -> Any:
    call("calendar_notes.delete", calendar_note_id=NOTE, related_notes=True)
    return sandbox.requests()[0].target.partition("?")[2]


@probe("query.booleans")
def _(call: Call, sandbox: Any) -> Any:
    call("calendar_notes.delete", calendar_note_id=NOTE, related_notes=False)
    return sandbox.requests()[-1].target.rpartition("=")[2], statuses(sandbox)


@probe("deletePosts.required")
def _(call: Call, sandbox: Any) -> Any:
    return sent(sandbox, "/posts-bulk", "application/json", "DELETE")


@probe(whole=("include.values", "include.fields"))
def _(call: Call, sandbox: Any) -> Any:
    found = call("posts.list", group_id=GROUP, include=["media", "postComments"], page=1)[0]
    return "comments" in found and found["comments"] is not None


@probe("metrics.shape")
def _(call: Call, sandbox: Any) -> Any:
    made = post(sandbox, status="PUBLISHED", publication_date="2026-11-01T09:00:00Z")
    call("posts.metrics", post_id=made)
    return sandbox.requests()[-1].response_body[:1]


@probe("overview.counts")
def _(call: Call, sandbox: Any) -> Any:
    found = call("widgets.posts_overview", group_id=GROUP)
    return [found[each] for each in ("needsApproval", "notRequestedYet", "rejected")]


@probe(whole=("post.weightedLength", "text.emoji"))
def _(call: Call, sandbox: Any) -> Any:
    family = "\U0001f469\u200d\U0001f467"
    return call("posts.update", post_id=DRAFT, content=f"Ω🎉{family}")["content_weighted_length"]


@probe(
    *("networks.titles", "publishing.reasons", "networks.text", "networks.needs"),
    *("networks.pictures", "networks.videos"),
)
def _(call: Call, sandbox: Any) -> Any:
    accounts = sandbox.find("social_accounts")
    threads = next(each.id for each in accounts if each.social_network == "threads")
    media = sandbox.find("media")
    pictures = [each.id for each in media if each.type == 1 and not each.is_processing]
    video = max(media, key=lambda each: each.duration or 0).id
    given = [
        {"content": "r" * 501},
        {"content": "r" * 101, "selected_media_ids": pictures[:1]},
        {"content": "r"},
        *({"selected_media_ids": files} for files in (pictures[:3], [video])),
    ]
    due = {"status": "SCHEDULED", "publication_date": SOON, "selectedAccountIds": [threads]}
    made = [post(sandbox, **{**due, **each}) for each in given]
    sandbox.advance(days=9)
    shown = call("posts.list", social_account_ids=[threads])
    details = {each["id"]: each["details"][0] for each in shown if each["details"]}
    why, *others = (details[each].get("user_error_message") or "" for each in made)
    title = re.compile("threads", re.IGNORECASE)
    return [title.findall(why), title.sub("", why), *map(bool, others)]


@probe("post.contentJson")
def _(call: Call, sandbox: Any) -> Any:
    how: str = call.how  # type: ignore[attr-defined]
    if how not in ("client", "awaited"):
        raise NotAsked("only programs write back what they read")
    customized = {
        each: {"content": "x", "content_json": "{}"} for each in ("facebook", "instagram")
    }
    made = post(sandbox, selectedAccountIds=[FACEBOOK, INSTAGRAM], customized=customized)

    async def awaited() -> None:
        async with sandbox.async_client() as client:
            await client.posts.amend(await client.posts.get(made), customized=changed)

    changed = {"facebook": {"content": "y"}}
    try:
        if how == "awaited":
            asyncio.run(awaited())
        else:
            with sandbox.client() as client:
                client.posts.amend(client.posts.get(made), customized=changed)
    except ValueError as error:  # what cannot be sent back is refused
        return type(error).__name__
    return statuses(sandbox)


@probe("post.customized.linkedinPage")
def _(call: Call, sandbox: Any) -> Any:
    given = {"linkedin_page": {"content": "x"}}
    return [*call("posts.update", post_id=DRAFT, customized=given)["customized"]]


@probe("post.taskPresence")
def _(call: Call, sandbox: Any) -> Any:
    sandbox.service.organization["task_integration"] = False
    call("posts.get", post_id=DRAFT)
    return b"cu_task_id" in sandbox.requests(operation="getPosts")[-1].response_body


@probe("publishing.order")
def _(call: Call, sandbox: Any) -> Any:
    made = post(sandbox, selectedAccountIds=[FACEBOOK])
    call("posts.update", post_id=made, selected_account_ids=[FACEBOOK, INSTAGRAM])
    return [each["social_account_id"] for each in sandbox.read_post(made)["details"]]


@probe("user.presence")
def _(call: Call, sandbox: Any) -> Any:
    found = call("posts.get", post_id=DRAFT)
    account = call("social_accounts.get", social_account_id=INSTAGRAM)
    return bool(found.get("user")), bool(account.get("user"))


@probe("workflow.severalGroups", "workflow.approver")
def _(call: Call, sandbox: Any) -> Any:
    several = post(sandbox, selectedAccountIds=[FACEBOOK, OTHER], publication_date=SOON)
    users = sandbox.service.store.users.where("1")
    assigned = next(each["id"] for each in users if not each.get("can_approve"))
    alone = post(sandbox, selectedAccountIds=[OTHER], assigneesIds=[assigned])
    done = call("posts.set_draft", is_draft=False, post_ids=[several, alone])
    return [each in done["skipped_no_assignee"] for each in (several, alone)]


@probe(whole=("rateLimit.resetUnit", "rateLimit.shared", "rateLimit.window", "rateLimit.status"))
def _(call: Call, sandbox: Any) -> Any:
    if call.how == "command":  # type: ignore[attr-defined]
        raise NotAsked("the command waits for room")
    month = 30 * 24 * 3600  # of which none ends while this runs
    sandbox.limit(3, window=month)
    call("posts.get_many", ids=[DRAFT])
    call("media.status", media_id=FILE)
    last = dict(sandbox.requests()[-1].response_headers)
    for _ in range(3):
        found = call("posts.get_many", ids=[DRAFT], pacing="off")
    reset, left = last[b"x-ratelimit-reset"], last[b"x-ratelimit-remaining"]
    asleep = int(reset[:10]) % month == 0
    over = dict(sandbox.requests()[-1].response_headers)
    refused = found["status"] if isinstance(found, dict) else 0
    assert call.raised == "RateLimitError", call.raised  # type: ignore[attr-defined]
    sandbox.limit(None)
    return len(reset), left, asleep, (refused, b"retry-after" in over)


@probe("rateLimit.withoutUser")
def _(call: Call, sandbox: Any) -> Any:
    call.act_as(None)  # type: ignore[attr-defined]
    sandbox.limit(3)
    for _ in range(2):
        call("groups.get", group_id=GROUP)
    return dict(sandbox.requests()[-1].response_headers)[b"x-ratelimit-remaining"]


def sent(sandbox: Any, path: str, accept: str, method: str = "GET") -> Any:
    """Send what no client sends, and return the status of the response."""
    import httpx2

    headers = {"Authorization": f"Bearer {sandbox.token}", "Accept": accept}
    return httpx2.request(method, f"{sandbox.base_url}{path}", headers=headers).status_code


@probe("requests.accept")
def _(call: Call, sandbox: Any) -> Any:
    return sent(sandbox, f"/groups/{GROUP}", "text/html")


@probe("bulk.empty")
def _(call: Call, sandbox: Any) -> Any:
    return sent(sandbox, "/posts-bulk?ids=", "application/json")


@probe(
    *("media.transitions", "upload.extensionCase", "upload.bytes"), whole=("media.statusOfUpload",)
)
def _(call: Call, sandbox: Any) -> Any:
    made = [call("media.upload", file=name) for name in ("clip.srt", "clip.SRT")]
    sandbox.advance(hours=1)
    return [
        call("media.status", media_id=made[0]["id"]).get("status"),
        "id" in made[1],
        "id" in call("media.upload", file="long.srt"),
    ]


@probe("uploadFromUrl.limits")
def _(call: Call, sandbox: Any) -> Any:
    sandbox.configure(fetch_hosts=["127.0.0.1"], fetch_private=True)
    from http.server import HTTPServer, SimpleHTTPRequestHandler

    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(call.folder))  # type: ignore[attr-defined]
    handler.func.log_message = lambda *_: None  # type: ignore[attr-defined]
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/notes.odd"
        found = call("media.upload_from_url", file_url=url)
        server.shutdown()
    return statuses(sandbox)[-1], "id" in found


@probe("media.size", "media.times")
def _(call: Call, sandbox: Any) -> Any:
    video = max(sandbox.find("media"), key=lambda each: each.duration or 0)
    file = call("media.status", media_id=video.id)["data"]
    return file["size"], file["duration"]


@probe("account.expiry")
def _(call: Call, sandbox: Any) -> Any:
    sandbox.expire_connection(FACEBOOK, at=SOON.replace("05", "25"))
    call("groups.get", group_id=GROUP)
    made = post(sandbox, status="SCHEDULED", publication_date=SOON)
    sandbox.advance(days=9)
    return call("posts.get", post_id=made)["status"]


@probe("media.unauthorizedBody")
def _(call: Call, sandbox: Any) -> Any:
    call.act_as(None)  # type: ignore[attr-defined]
    found = call("media.status", media_id=FILE)
    return found["status"], json.loads(sandbox.requests()[-1].response_body).keys()


@probe("error.fields")
def _(call: Call, sandbox: Any) -> Any:
    found = call("posts.update", post_id=DRAFT, selected_account_ids=["1"])
    body = json.loads(sandbox.requests()[-1].response_body)
    return found["status"], type(body["errors"]).__name__


def repeat(operation: str) -> Probe:
    def probes(call: Call, sandbox: Any) -> Any:
        method, given = CALLS[operation]
        sandbox.add_fault("status", status=503, times=1, retry_after=0)
        call(method, **given)
        return statuses(sandbox)

    return probes


class NotAsked(Exception):
    """A probe that cannot be carried out in this way; the reason."""


class Driver:
    """Calls methods in one way: the client, the awaited client, or the command."""

    def __init__(self, sandbox: Any, folder: Path, how: str) -> None:
        self.sandbox, self.folder, self.how = sandbox, folder, how
        self.token: str | None = sandbox.token
        self.shown: list[str] = []
        self.raised = ""

    def act_as(self, role: str | None) -> None:
        self.token = self.sandbox.tokens[role] if role else "nobody"

    def __call__(self, method: str, /, pacing: str = "wait", **given: Any) -> Any:
        given = {name: self._value(method, name, each) for name, each in given.items()}
        with warnings.catch_warnings(action="ignore"):
            if self.how == "command":
                return self._command(method, pacing, given)
            if self.how == "assistant":
                return self._tool(method, given)
            from social_publishing import SocialPublishingError, StatusError

            from social_publishing_cli.operations import to_json

            try:
                return json.loads(
                    json.dumps(to_json(self._called(method, pacing, given)), default=str)
                )
            except StatusError as error:
                self.raised = type(error).__name__
                return {"status": error.status}
            except SocialPublishingError as error:
                return {"status": getattr(error.__cause__, "status", None) or 0}

    def _value(self, method: str, name: str, value: Any) -> Any:
        if isinstance(value, tuple):  # a day, as the method takes it
            return date(*value) if self._takes_days(method, name) else datetime(*value, tzinfo=UTC)
        return str(self.folder / value) if name == "file" else value

    def _takes_days(self, method: str, name: str) -> bool:
        from social_publishing_cli.catalogues import catalogue

        resource, _, own = method.partition(".")
        known = catalogue()[resource]["commands"][own]["arguments"]
        return any(each["name"] == name and each["kind"] == "date" for each in known)

    def _called(self, method: str, pacing: str, given: dict[str, Any]) -> Any:
        import social_publishing

        kind = social_publishing.SocialPublishing
        if self.how == "awaited":
            kind = social_publishing.AsyncSocialPublishing
        options: Any = {
            "retries": 1,
            "pacing": pacing,
            "api_token": self.token,
            "rate_key": str(id(self.sandbox)) + pacing,
        }
        client = kind(base_url=self.sandbox.base_url, media_url=self.sandbox.media_url, **options)
        resource, _, own = method.partition(".")
        if self.how == "client":
            with client:
                result = getattr(getattr(client, resource), own)(**given)
                return list(result) if own in ("list", "activities") else result

        async def awaited() -> Any:
            async with client:
                result = getattr(getattr(client, resource), own)(**given)
                if hasattr(result, "__aiter__"):
                    return [each async for each in result]
                return await result if inspect.isawaitable(result) else result

        return asyncio.run(awaited())

    def _command(self, method: str, pacing: str, given: dict[str, Any]) -> Any:
        from social_publishing_cli.catalogues import catalogue
        from social_publishing_cli.command import main

        resource, _, own = method.partition(".")
        known = {each["name"]: each for each in catalogue()[resource]["commands"][own]["arguments"]}
        words, tail = [], []
        for name, value in given.items():
            option, argument = name.replace("_", "-"), known[name]
            values = value if argument.get("many") else [value]
            if values == []:
                raise NotAsked("the command cannot send an empty list")
            texts = [
                each
                if isinstance(each, str)
                else each.isoformat()
                if isinstance(each, date)
                else json.dumps(each)
                for each in values
            ]
            if value is None:
                words += ["--empty", option]
            elif argument.get("positional"):
                tail += texts
            elif argument["kind"] in ("flag", "switch"):
                words += [f"--{option}" if value else f"--no-{option}"]
            else:
                words += [word for text in texts for word in (f"--{option}", text)]
        sure = ["--yes"] if "confirm" in catalogue()[resource]["commands"][own] else []
        os.environ["SOCIAL_PUBLISHING_API_TOKEN"] = self.token or "nobody"
        out, err = io.StringIO(), io.StringIO()
        line = [
            resource.replace("_", "-"),
            own.replace("_", "-"),
            "--output",
            "jsonl",
            *sure,
            *words,
            "--",
            *tail,
        ]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(line)
        if status and not (status in (3, 8) and out.getvalue()):  # some were not found, or not done
            found = re.search(r"\b([45]\d\d)\b", err.getvalue())
            return {
                "status": int(found[1]) if found else 0,
                **({} if found else {"said": err.getvalue()}),
            }
        lines = [json.loads(each) for each in out.getvalue().splitlines()]
        many = own in ("list", "activities", "get_many", "metrics")
        return lines if many else lines[0] if lines else None

    def _tool(self, method: str, given: dict[str, Any]) -> Any:
        """Carry out a method by the tools that do the like, and keep what they show."""
        from mcp_support import Desk, Person

        os.environ["SOCIAL_PUBLISHING_API_TOKEN"] = self.token or "nobody"
        group = {"group_id": given.get("group_id", GROUP)}
        days = {key: f"{each:%Y-%m-%d %H:%M}" for key, each in given.items() if _is_day(each)}
        changes = [given | days]
        reads: dict[str, Callable[[], list[tuple[str, dict[str, Any]]]]] = {
            "posts.get": lambda: [("read_posts", {"post_ids": [given["post_id"]]})],
            "posts.get_many": lambda: [("read_posts", {"post_ids": given["ids"]})],
            "posts.activities": lambda: [
                ("read_posts", {"post_ids": [given["post_id"]], "history": True})
            ],
            "posts.list": lambda: [("find_posts", group)],
            "posts.metrics": lambda: [("metrics", {**group, "post_ids": [given["post_id"]]})],
            "calendar_notes.list": lambda: [
                ("calendar", {**group, "month": f"{given['start']:%Y-%m}"})
            ],
            "groups.get": lambda: [("account_health", group)],
            "social_accounts.get": lambda: [("account_health", group)],
            "widgets.posts_overview": lambda: [("account_health", group)],
            "posts.update": lambda: [("plan_changes", {**group, "changes": changes})],
        }
        if method not in reads:
            raise NotAsked(f"no tool does {method}")

        async def work(assistant: Any) -> list[Any]:
            answers = [await assistant.call(name, **own) for name, own in reads[method]()]
            plans = re.findall("plan_id: ([0-9a-f]{12})", answers[0].words)
            for plan in plans:
                answers.append(await assistant.call("apply_plan", plan_id=plan))
                answers.append(await assistant.call("was_it_done", plan_id=plan))
            return answers

        desk = Desk(Path(tempfile.mkdtemp(dir=self.folder)))
        answers = desk.run(work, person=Person(), allow_writes=True)
        for each in answers:
            if each.failed and "arguments do not fit" in each.text:
                own = ", ".join(f"`{name}`" for name in given if name != "post_id")
                raise NotAsked(f"no tool changes {own}")
            self.shown.append(_steady(each.text))
        rows = [row for each in answers for row in each.rows]
        many = method in ("posts.get_many", "posts.list", "posts.activities", "posts.metrics")
        return rows if many or not rows else rows[0]


def _is_day(value: Any) -> bool:
    return isinstance(value, date)


def _steady(text: str) -> str:
    """Return a text without what differs from run to run: marks of data, plans, the clock."""
    text = re.sub(r"data-[0-9a-f]{8}|[0-9a-f]{12}\b|until \d[\d :-]+", "…", text)
    return re.sub(r"\b\d{17,20}\b", "ID", text)


def probe_of(gap: str) -> Probe | None:
    """Return the probe that is about a gap; None: it is seen in the types."""
    family, _, operation = gap.partition(".")
    if family in ("success", "errors"):
        return {"success": success, "errors": errors}[family](operation)
    if operation == "repeat" and family in CALLS:
        return repeat(family)
    return PROBES.get(gap)


def main(folder: Path, gaps: Mapping[str, Any], codes: list[str]) -> dict[str, dict[str, str]]:
    """Return what each probe saw, in each way: of `gaps`, each with the places that it is about."""
    from social_publishing_cli import catalogues
    from social_publishing_sandbox import Sandbox

    sys.path[:0] = [str(Path(__file__).parents[1] / "cli"), str(Path(__file__).parents[2])]
    catalogues._folder = lambda: folder / "catalogue"  # type: ignore[assignment]
    (folder / "notes.odd").write_text("x")
    (folder / "long.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nHello, hello\n")
    for name in ("clip.srt", "clip.SRT"):
        (folder / name).write_text("1\n00:00:00,000 --> 00:00:01,000\nHi\n")
    seen: dict[str, dict[str, str]] = {}
    with Sandbox(
        now="2026-12-01T09:00:00Z", clock="frozen", rate_limit=None, documents=folder / "documents"
    ) as sandbox:
        os.environ["SOCIAL_PUBLISHING_BASE_URL"] = sandbox.base_url
        os.environ["SOCIAL_PUBLISHING_MEDIA_URL"] = sandbox.media_url
        os.environ["SOCIAL_PUBLISHING_CONFIG"] = tempfile.mkdtemp(dir=folder)
        done: dict[Any, dict[str, Seen]] = {}
        types = Types(folder, sandbox, codes)
        for gap, places in gaps.items():
            made = probe_of(gap)
            if made is None:
                seen[gap] = types.of(places)
                continue
            key = made if made in PROBES.values() else gap
            if key not in done:
                ways = ("client", "awaited", "command", "assistant")
                done[key] = {how: probed(made, Driver(sandbox, folder, how)) for how in ways}
            seen[gap] = {how: each.of(PARTS.get(gap)) for how, each in done[key].items()}
        seen["tools"] = {"listed": listed(folder)}
    return seen


def listed(folder: Path) -> str:
    """Return what assistants read of all tools."""
    from mcp_support import Desk

    async def work(assistant: Any) -> str:
        tools = (await assistant.client.list_tools()).tools
        return "\n".join(each.model_dump_json(by_alias=True, exclude_none=True) for each in tools)

    return str(Desk(folder / "journals").run(work))


class Seen(NamedTuple):
    """What a probe sees in one way: a result, or the words for none; and what tools show."""

    result: Any
    shown: str = ""

    def of(self, part: int | None) -> str:
        """Return all that is seen, or a part of the result, which may be missing."""
        is_whole = part is None or isinstance(self.result, str)
        own = self.result if is_whole else [*self.result[part : part + 1]]
        return f"{own if isinstance(own, str) else repr(own)}{self.shown}"


def probed(made: Probe, call: Driver) -> Seen:
    """Return what a probe sees in one way; of an assistant, all that its tools show, too."""
    call.sandbox.limit(None)
    call.sandbox.reset()
    try:
        result = made(call, call.sandbox)
        result = repr(result) if isinstance(result, str) else result
        broken = [each.response_body for each in call.sandbox.requests(status=500)]
        assert not broken, broken
    except NotAsked as reason:
        result = f"not asked: {reason}"
    except Exception as error:
        result = f"failed: {type(error).__name__}: {error!r}"
        if call.shown and not isinstance(error, ExceptionGroup):
            result = "shown"
    if call.how != "assistant":
        return Seen(result)
    sent = [_steady(f"{e.method} {e.target} {e.request_body}") for e in call.sandbox.requests()]
    return Seen(result, "\n".join(("", *call.shown, *sent)))


class Types:
    """What each way makes of the types and words at the places of a gap."""

    def __init__(self, folder: Path, sandbox: Any, codes: list[str]) -> None:
        self.sandbox, self.known = sandbox, shapes.Shapes(folder, CALLS, codes)

    @functools.cached_property
    def seen(self) -> dict[str, dict[str, str]]:
        self.sandbox.limit(None)
        made = {how: self.known.seen(how) for how in ("client", "awaited")}
        return {**made, "sandbox": self.known.asked(self.sandbox)}

    def of(self, places: Mapping[str, list[str]]) -> dict[str, str]:
        """Return what is at the places of a gap: schemas, their properties, and operations."""
        bodies = self.known.bodies()
        names = {each.partition(".")[0] for each in places["schemas"]}
        operations = {*places["operations"], *(o for each in names for o in bodies.get(each, ()))}

        def is_of(key: str) -> bool:
            own, _, rest = key.replace(" :", "").partition("(")
            if rest or ": fits" in key:
                return own.partition(":")[0] in operations
            return any(own == each or own.startswith(f"{each}.") for each in places["schemas"])

        shown = {
            how: json.dumps({key: each for key, each in every.items() if is_of(key)})
            for how, every in self.seen.items()
        }
        return {**shown, "command": "".join(map(self.help, sorted(operations)))}

    def help(self, operation: str) -> str:
        """Return the help of a command."""
        from social_publishing_cli.command import main

        words = CALLS[operation][0].replace("_", "-").split(".") if operation in CALLS else ()
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
            main([*words, "--help"])
        return out.getvalue()


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    print(json.dumps(main(Path(sys.argv[1]), asked["gaps"], asked["codes"])))
