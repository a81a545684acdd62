"""What the committed recordings tell: a small shop on the high street, asked and changed.

Each scenario is played by the client against a sandbox of its own, see `recording.py`. Together
they reach every operation with every response that its document gives a status of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from social_publishing import File, SocialPublishing, StatusError
from social_publishing.models import (
    Color,
    GroupInclude,
    GroupType,
    Network,
    PinterestTarget,
    PostInclude,
    PostUpdateCustomization,
    PostUpdateFirstComments,
    PostUpdateLinkedInPoll,
    PostUpdateThreadsPoll,
    PostUpdateTwitterPoll,
    Weekday,
)

from harness.replay import NO_PICTURE, PICTURE
from harness.response_checks import plain_call
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.operations import HANDLERS
from social_publishing_sandbox.api.operations.media import STREAMING
from tests.support.documents import operations

UNKNOWN = "18014398509481984"
"""An identifier of nothing in the world; it lies past what a float can hold."""

SUBTITLES = b"1\n00:00:00,000 --> 00:00:02,000\nBread!\n"

WORLD: dict[str, Any] = {
    "format": 1,
    "now": "2026-12-01T09:00:00Z",
    "organization": {"name": "High Street"},
    "users": [
        {"token": "token-of-ada", "name": "Ada", "email": "ada@example.org"},
        {"token": "token-of-tom", "name": "Tom", "groupIds": ["Bakery"], "can_approve": True},
        {"token": "token-of-cleo", "name": "Cleo", "is_client": True, "groupIds": ["Bakery"]},
    ],
    "groups": [
        {"name": "Bakery", "timezone": "Europe/Berlin", "note": "Bread.", "week_start_day": 1},
        {"name": "Garage", "approval_workflow": 2, "max_social_accounts": 3, "type": 3},
    ],
    "social_accounts": [
        {"socialNetwork": "instagram", "username": "bread", "group_id": "Bakery"},
        {"socialNetwork": "threads", "username": "bread", "group_id": "Bakery"},
        {"socialNetwork": "linkedin", "username": "bread", "group_id": "Bakery"},
        {
            "socialNetwork": "pinterest",
            "username": "wheels",
            "group_id": "Garage",
            "pi_boards": [{"id": "board-1", "name": "Cars", "sections": []}],
            "pi_default_board_id": "board-1",
        },
        {"socialNetwork": "twitter", "username": "wheels", "group_id": "Garage"},
        {"socialNetwork": "threads", "username": "wheels", "group_id": "Garage"},
    ],
    "labels": [{"name": "News"}, {"name": "Rolls", "group_id": "Bakery"}],
    "media": [{"client_name": "loaf.png"}, {"client_name": "oven.png"}],
    "posts": [
        {
            "name": "Stories",
            "content": "A morning in two pictures.",
            "status": "PUBLISHED",
            "publication_date": "2026-11-30T07:00:00Z",
            "ig_post_type": "STORY",
            "selectedAccountIds": ["instagram:bread"],
            "selected_media_ids": ["loaf.png", "oven.png"],
            "labelIds": ["News"],
        },
        {
            "name": "Rolls",
            "content": "Rolls at seven. 🥐",
            "status": "SCHEDULED",
            "publication_date": "2026-12-02T07:00:00Z",
            "selectedAccountIds": ["threads:bread", "linkedin:bread"],
        },
        {
            "name": "Tyres",
            "content": "Winter tyres.",
            "selectedAccountIds": ["twitter:wheels", "threads:wheels", "pinterest:wheels"],
        },
    ],
    "calendar_notes": [
        {
            "title": "Market",
            "start_date": "2026-12-05T07:00:00Z",
            "end_date": "2026-12-05T15:00:00Z",
            "series": "market",
        },
        {
            "title": "Market",
            "start_date": "2026-12-12T07:00:00Z",
            "end_date": "2026-12-12T15:00:00Z",
            "series": "market",
        },
        {
            "title": "Stocktaking",
            "start_date": "2027-02-01T07:00:00Z",
            "end_date": "2027-02-02T15:00:00Z",
            "group_id": "Garage",
            "color": "RED",
        },
    ],
    "activities": [
        {
            "post_id": "Stories",
            "user_id": "Ada",
            "event": "editedPost",
            "created_at": f"2026-11-29T09:{minute:02}:00Z",
        }
        for minute in range(28)
    ],
}


@dataclass(frozen=True)
class Stage:
    """Where a scenario is played.

    Attributes:
        sandbox: what the service cannot be asked for, such as time that passes.
        client_of: the client of a token.
        ids: identifiers of the world's objects by name, of accounts by `network:username`.
    """

    sandbox: Sandbox
    client_of: Callable[[str], SocialPublishing]
    ids: Mapping[str, str]

    @property
    def ada(self) -> SocialPublishing:
        """The client of the owner."""
        return self.client_of("token-of-ada")

    @property
    def cleo(self) -> SocialPublishing:
        """The client of somebody who may only look."""
        return self.client_of("token-of-cleo")


@contextmanager
def refused(status: int) -> Iterator[None]:
    """What is done here must be refused with this status; else the scenario tells another story."""
    try:
        yield
    except StatusError as error:
        if error.status != status:
            raise
    else:
        raise AssertionError(f"this was to be refused with {status}, and was not")


def at(text: str) -> datetime:
    """Return a moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def posts(stage: Stage) -> None:
    """Posts: read, changed in every way that the documents know, moved, published, deleted."""
    client, ids = stage.ada, stage.ids
    client.posts.list(group_id=ids["Bakery"]).first_page()
    client.posts.list(
        social_account_ids=[ids["twitter:wheels"], ids["pinterest:wheels"]],
        include=[PostInclude.MEDIA, PostInclude.LABELS],
        page=2,
    ).first_page()
    client.posts.get_many(ids=[ids["Stories"], ids["Tyres"], UNKNOWN])
    client.posts.update(
        ids["Rolls"],
        content="Rolls at six: “warm” & 50 % off. 🥐",
        publication_date=at("2026-12-02T06:00"),
        selected_account_ids=[ids["linkedin:bread"], ids["threads:bread"]],
        selected_media_ids=[ids["oven.png"], ids["loaf.png"]],
        publication_delay_between=10,
        label_ids=[],
        note=None,
        visible_for_client=True,
        li_poll=PostUpdateLinkedInPoll(question="Which?", option_1="Rye", option_2="Wheat"),
        customized={Network.LINKEDIN: PostUpdateCustomization(content="Six.", media_ids=[])},
        first_comments=PostUpdateFirstComments(
            enabled=True, social_account_ids=[ids["linkedin:bread"]], content="Come early."
        ),
    )
    client.posts.update(
        ids["Tyres"],
        name="Winter tyres",
        pi_boards={ids["pinterest:wheels"]: PinterestTarget(id="board-1")},
        tw_poll=PostUpdateTwitterPoll(option_1="Now", option_2="Later", duration_minutes=1440),
        th_poll=PostUpdateThreadsPoll(option_1="Now", option_2="Later"),
        gb_start_date=at("2026-12-01T09:30:15"),
    )
    client.posts.metrics(ids["Stories"])
    client.posts.metrics(ids["Tyres"])
    for _ in client.posts.activities(ids["Stories"]):
        pass
    client.posts.set_draft(is_draft=True, post_ids=[ids["Rolls"], ids["Stories"]])
    client.posts.set_draft(is_draft=False, post_ids=[ids["Rolls"], ids["Tyres"]])
    stage.sandbox.advance(days=2)
    client.posts.metrics(ids["Rolls"])
    client.widgets.posts_overview(ids["Bakery"])
    client.posts.delete_many(ids=[ids["Tyres"]])
    client.posts.delete_many(ids=[ids["Rolls"], ids["Stories"]], delete_tasks=True)
    client.posts.get_many(ids=[ids["Tyres"]])


def groups(stage: Stage) -> None:
    """Groups and the accounts in them."""
    client, ids = stage.ada, stage.ids
    client.groups.get(ids["Bakery"])
    client.groups.get(ids["Garage"], include=[GroupInclude.SOCIAL_ACCOUNTS_COUNT])
    client.groups.update(ids["Bakery"], name="Bäckerei", note=None)
    client.groups.replace(
        ids["Garage"],
        name="Garage",
        timezone="America/New_York",
        type=GroupType.CLIENT,
        week_start_day=Weekday.SUNDAY,
        note=None,
        max_social_accounts=None,
        default_everyone_must_approve=False,
        default_assignee_ids=[],
    )
    client.social_accounts.get(ids["pinterest:wheels"])
    client.social_accounts.move_to_group(ids["threads:bread"], group_id=ids["Garage"])
    client.social_accounts.get(ids["threads:bread"])


def notes(stage: Stage) -> None:
    """Calendar notes, in windows that lie side by side."""
    client, ids = stage.ada, stage.ids
    client.calendar_notes.list(start=at("2026-12-01T00:00"), end=at("2027-01-29T23:59:59"))
    client.calendar_notes.list(
        start=at("2027-01-30T00:00"), end=at("2027-02-28T00:00"), group_id=ids["Garage"]
    )
    client.calendar_notes.list(start=at("2028-01-01T00:00"), end=at("2028-01-01T00:00"))
    client.calendar_notes.replace(
        ids["Stocktaking"],
        title="Stocktaking, all of it",
        start_date=at("2027-02-01T07:00"),
        end_date=at("2027-02-03T15:00"),
        group_id=None,
        content="Bring a pencil.",
        color=Color.GRAY,
        is_private=True,
        visible_for_client=False,
    )
    client.calendar_notes.reschedule(
        ids["Stocktaking"], start_date=at("2027-02-08T07:00"), end_date=at("2027-02-08T15:00")
    )
    client.calendar_notes.delete(ids["Stocktaking"])
    client.calendar_notes.delete(ids["Market"], related_notes=True)


def labels(stage: Stage) -> None:
    """Labels."""
    label = stage.ada.labels.create(name="Café ☕")
    stage.ada.labels.delete(label.id)


def media(stage: Stage) -> None:
    """Files: taken, processed or not, fetched by their address."""
    client = stage.ada
    picture = client.media.upload(file=File(PICTURE, name="krümel 🥐 1.PNG"))
    client.media.status(picture.id)
    broken = client.media.upload(file=File(NO_PICTURE, name="broken.jpg"))
    client.media.upload(file=File(SUBTITLES, name="bread.srt"))
    stage.sandbox.advance(minutes=1)
    client.media.status(picture.id)
    client.media.status(broken.id)
    client.media.upload_from_url(file_url=picture.url or "")


def not_valid(stage: Stage) -> None:
    """Requests that fit the documents, and that the service refuses all the same."""
    client, ids = stage.ada, stage.ids
    with refused(422):
        client.posts.list(group_id=UNKNOWN).first_page()
    with refused(422):
        client.posts.update(ids["Rolls"], label_ids=[UNKNOWN], assignee_ids=[UNKNOWN])
    with refused(422):
        client.calendar_notes.list(
            start=at("2026-12-01T00:00"), end=at("2026-12-02T00:00"), group_id=UNKNOWN
        )
    with refused(422):  # a name of the database that says that no zone is set
        client.groups.update(ids["Bakery"], timezone="Factory")
    with refused(400):
        client.groups.update(ids["Garage"], max_social_accounts=1)
    with refused(422):
        client.social_accounts.move_to_group(ids["threads:bread"], group_id=ids["Garage"])
    with refused(422):
        client.calendar_notes.replace(
            ids["Market"],
            title="Market",
            start_date=at("2026-12-05T07:00"),
            end_date=at("2026-12-04T07:00"),
            group_id=None,
            content="",
            color=Color.GREEN,
            is_private=False,
            visible_for_client=False,
        )
    with refused(422):
        client.calendar_notes.reschedule(
            ids["Market"], start_date=at("2026-12-05T07:00"), end_date=at("2026-12-04T07:00")
        )
    with refused(400):
        client.labels.create(name="News")
    with refused(422):
        client.labels.create(name=" ")
    with refused(422):
        client.media.upload(file=File(b"", name="nothing.png"))
    with refused(400):
        client.media.upload_from_url(file_url="https://pictures.invalid/loaf.png")


def unknown(stage: Stage) -> None:
    """Identifiers of nothing."""
    for operation in _documenting(404):
        if operation == "createLabel":
            continue  # it documents this, and takes no identifier: see `set_as_faults`
        with refused(404):
            _call(operation, stage.ada, dict.fromkeys(stage.ids, UNKNOWN))


def forbidden(stage: Stage) -> None:
    """Somebody who may only look, and who sees one group alone."""
    for operation in _documenting(403):
        with refused(403):
            _call(operation, stage.cleo, stage.ids)


def limited(stage: Stage) -> None:
    """The rate is used up."""
    stage.sandbox.limit(1)
    _call("getPostsOverview", stage.ada, stage.ids)
    for operation in HANDLED:
        with refused(429):
            _call(operation, stage.ada, stage.ids)


def set_as_faults(stage: Stage) -> None:
    """Refusals that are documented, and that nothing in this world leads to."""
    for operation, status in SET_AS_FAULTS:
        with stage.sandbox.fault("status", status=status, operations=operation), refused(status):
            _call(operation, stage.ada, stage.ids)


def unauthorized(stage: Stage) -> None:
    """A token that the service does not know."""
    for operation in HANDLED:
        with refused(401):
            _call(operation, stage.client_of("token-of-nobody"), stage.ids)


def others(stage: Stage) -> None:
    """Operations that no other scenario knows by name."""
    for operation in UNNAMED:
        try:
            _call(operation, stage.ada, stage.ids)
        except StatusError as error:
            wanted = f"a line in EVERY of tests/contract/scenarios.py that calls {operation} for"
            raise AssertionError(f"{error}\nIt wants {wanted} an object of this world.") from error


EVERY: dict[str, Callable[[SocialPublishing, Mapping[str, str]], object]] = {
    "listPosts": lambda client, ids: client.posts.list(group_id=ids["Garage"]).first_page(),
    "updatePost": lambda client, ids: client.posts.update(ids["Tyres"], content="Summer tyres."),
    "getPosts": lambda client, ids: client.posts.get_many(ids=[ids["Tyres"]]),
    "deletePosts": lambda client, ids: client.posts.delete_many(ids=[ids["Tyres"]]),
    "setPostsDraft": lambda client, ids: client.posts.set_draft(
        is_draft=True, post_ids=[ids["Tyres"]]
    ),
    "getPostMetrics": lambda client, ids: client.posts.metrics(ids["Tyres"]),
    "listPostActivities": lambda client, ids: client.posts.activities(ids["Tyres"]).first_page(),
    "getGroup": lambda client, ids: client.groups.get(ids["Garage"]),
    "replaceGroup": lambda client, ids: client.groups.replace(
        ids["Garage"],
        name="Garage",
        timezone="UTC",
        type=GroupType.GROUP,
        week_start_day=Weekday.SUNDAY,
        note=None,
        max_social_accounts=None,
        default_everyone_must_approve=False,
        default_assignee_ids=[],
    ),
    "getSocialAccount": lambda client, ids: client.social_accounts.get(ids["pinterest:wheels"]),
    "moveSocialAccount": lambda client, ids: client.social_accounts.move_to_group(
        ids["pinterest:wheels"], group_id=ids["Bakery"]
    ),
    "listCalendarNotes": lambda client, ids: client.calendar_notes.list(
        start=at("2026-12-01T00:00"), end=at("2026-12-02T00:00"), group_id=ids["Garage"]
    ),
    "replaceCalendarNote": lambda client, ids: client.calendar_notes.replace(
        ids["Stocktaking"],
        title="Stocktaking",
        start_date=at("2027-02-01T07:00"),
        end_date=at("2027-02-02T15:00"),
        group_id=None,
        content="",
        color=Color.GRAY,
        is_private=True,
        visible_for_client=False,
    ),
    "deleteCalendarNote": lambda client, ids: client.calendar_notes.delete(ids["Stocktaking"]),
    "rescheduleCalendarNote": lambda client, ids: client.calendar_notes.reschedule(
        ids["Stocktaking"], start_date=at("2027-02-01T07:00"), end_date=at("2027-02-02T15:00")
    ),
    "createLabel": lambda client, ids: client.labels.create(name="Sale"),
    "deleteLabel": lambda client, ids: client.labels.delete(ids["Rolls"]),
    "getPostsOverview": lambda client, ids: client.widgets.posts_overview(ids["Garage"]),
    "uploadMedia": lambda client, ids: client.media.upload(file=File(SUBTITLES, name="bread.srt")),
    "uploadMediaFromUrl": lambda client, ids: client.media.upload_from_url(
        file_url="https://pictures.invalid/loaf.png"
    ),
    "getMediaStatus": lambda client, ids: client.media.status(ids["loaf.png"]),
}
"""A call of each operation in this world; of one that is not here, the smallest that is allowed."""

SET_AS_FAULTS = (
    *(("getPosts", 422), ("deletePosts", 422), ("setPostsDraft", 422)),
    *(("deleteCalendarNote", 422), ("uploadMediaFromUrl", 422), ("uploadMedia", 413)),
    *(("getGroup", 400), ("replaceCalendarNote", 400), ("createLabel", 404)),
)

HANDLED = [name for name in operations() if name in HANDLERS or name in STREAMING]
"""The operations that the sandbox carries out."""
UNNAMED = [name for name in HANDLED if name not in EVERY]

SCENARIOS = (
    *(posts, groups, notes, labels, media),
    *(not_valid, unknown, forbidden, unauthorized, limited, set_as_faults),
    *((others,) if UNNAMED else ()),
)
"""Each becomes a recording of its name."""


def _call(operation: str, client: SocialPublishing, ids: Mapping[str, str]) -> None:
    if operation in EVERY:
        EVERY[operation](client, ids)
    else:
        plain_call(operations()[operation]).on(client)


def _documenting(status: int) -> list[str]:
    """Return the operations that document this status."""
    return [name for name in HANDLED if str(status) in operations()[name].responses]
