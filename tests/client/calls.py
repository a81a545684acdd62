"""One call of every operation, as a user writes it.

What is worth a look at the wire is written by hand. Every other operation of the documents is
called with what it needs, made of its document: a new one needs nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from social_publishing import File
from social_publishing.models import (
    Color,
    GroupInclude,
    GroupType,
    Network,
    PinterestTarget,
    PostInclude,
    PostUpdateCustomization,
    PostUpdateFirstComments,
    PostUpdateFirstCommentsCustomization,
    PostUpdateTwitterPoll,
    Weekday,
)

from tests.support.documents import Argument, Operation, operations
from tests.support.examples import example

CLIENT = Path(__file__).parents[2] / "generated" / "client"
ADDRESSES = {"base_url": "http://a.test/v1", "media_url": "http://b.test/api/v1"}
TOKEN = "s3cret-T0KEN-of-the-tests"
ID, OTHER = "18446744073709551615", "9223372036854775809"  # both past a signed 64-bit integer
BERLIN = timezone(timedelta(hours=1))
VIDEO = bytes(range(256)) * 4
GROUP: dict[str, Any] = {
    "name": "Bakeries",
    "timezone": "Europe/Berlin",
    "type": GroupType.BRAND,
    "week_start_day": Weekday.SUNDAY,
    "note": "",
    "max_social_accounts": None,
    "default_everyone_must_approve": False,
    "default_assignee_ids": [],
}
"""All arguments of `groups.replace`."""
NOTE: dict[str, Any] = {
    "title": "Opening",
    "start_date": datetime(2026, 12, 1, 9, tzinfo=UTC),
    "end_date": datetime(2026, 12, 1, 18, tzinfo=BERLIN),
    "group_id": None,
    "content": "",
    "color": Color.SKY,
    "is_private": False,
    "visible_for_client": True,
}
"""All arguments of `calendar_notes.replace`."""


@dataclass(frozen=True)
class Call:
    """A method of a client with its arguments."""

    method: str
    args: tuple[str, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    @property
    def build(self) -> Any:
        """The pure function that makes its request."""
        resource, name = self.method.split(".")
        return getattr(import_module(f"social_publishing.resources.{resource}"), f"build_{name}")

    def request(self) -> Any:
        """The request of this call, as a value."""
        return self.build(*self.args, **self.kwargs)

    def of(self, client: Any) -> Any:
        """Call it: the answer, or what is to be awaited for it. Of a list it is the first page."""
        found = self.raw(getattr(client, self.method.partition(".")[0]))
        return found.first_page() if hasattr(found, "first_page") else found

    def raw(self, resource: Any) -> Any:
        """Call it on a resource: what the method itself gives."""
        return getattr(resource, self.method.partition(".")[2])(*self.args, **self.kwargs)


_BY_HAND = [
    Call(
        "posts.list",
        kwargs={
            "group_id": ID,
            "social_account_ids": [ID, OTHER],
            "include": [PostInclude.MEDIA, "tasks"],
            "page": 2,
        },
    ),
    Call(
        "posts.update",
        (ID,),
        {
            "content": "Grüße & 👋",
            "name": None,
            "selected_account_ids": [ID, OTHER],
            "publication_date": datetime(2026, 12, 1, 10, 30, tzinfo=BERLIN),
            "gb_start_date": datetime(2026, 12, 1, 10, 30, 15, tzinfo=BERLIN),
            "is_draft": False,
            "publication_delay_between": 0,
            "pi_boards": {OTHER: PinterestTarget(id="board/7")},
            "yt_categories": {OTHER: "22"},
            "label_ids": [],
            "tw_poll": PostUpdateTwitterPoll(option_1="yes", duration_minutes=60),
            "customized": {Network.LINKEDIN_PAGE: PostUpdateCustomization(content="Hello")},
            "first_comments": PostUpdateFirstComments(
                enabled=True,
                social_account_ids=[OTHER],
                customized=[PostUpdateFirstCommentsCustomization(condition_value=3)],
            ),
        },
    ),
    Call("posts.get_many", kwargs={"ids": [ID, OTHER]}),
    Call("posts.delete_many", kwargs={"ids": [ID, OTHER], "from_networks": True}),
    Call("posts.set_draft", kwargs={"is_draft": False, "post_ids": [ID]}),
    Call("posts.metrics", (ID,)),
    Call("posts.activities", (ID,), {"page": 3}),
    Call("groups.get", (ID,), {"include": [GroupInclude.SOCIAL_ACCOUNTS]}),
    Call("groups.replace", (ID,), GROUP),
    Call("social_accounts.get", (ID,)),
    Call("social_accounts.move_to_group", (ID,), {"group_id": OTHER}),
    Call(
        "calendar_notes.list",
        kwargs={
            "start": datetime(2026, 12, 1, tzinfo=UTC),
            "end": datetime(2027, 1, 1, tzinfo=BERLIN),
            "group_id": OTHER,
        },
    ),
    Call("calendar_notes.replace", (ID,), NOTE),
    Call(
        "calendar_notes.reschedule",
        (ID,),
        {
            "start_date": datetime(2026, 12, 8, 9, tzinfo=UTC),
            "end_date": datetime(2026, 12, 8, 10, tzinfo=UTC),
        },
    ),
    Call("calendar_notes.delete", (ID,), {"related_notes": True}),
    Call("labels.create", kwargs={"name": "summer"}),
    Call("labels.delete", (ID,)),
    Call("widgets.posts_overview", (ID,)),
    Call("media.upload", kwargs={"file": File(VIDEO, name="launch.MP4")}),
    Call("media.upload_from_url", kwargs={"file_url": "https://files.invalid/a.png?x=1&y=ü"}),
    Call("media.status", (ID,)),
]


def _others() -> Iterator[Call]:
    """A call of every other operation of the documents, with what has to be given."""
    for operation in operations().values():
        method = f"{operation.resource}.{operation.name}"
        if any(call.method == method for call in _BY_HAND):
            continue
        values = {
            _key(each.python): _value(operation, each) for each in operation.arguments.values()
        }
        given = {
            name: values[_key(name)]
            for name, parameter in signature(Call(method).build).parameters.items()
            if parameter.default is Parameter.empty and parameter.kind is Parameter.KEYWORD_ONLY
        }
        yield Call(method, (ID,) * len(places(operation)), given)


def operation_of(name: str) -> Operation:
    """Return the documented operation of a method, by `resource.method`."""
    found = (each for each in operations().values() if f"{each.resource}.{each.name}" == name)
    return next(found)


def places(operation: Operation) -> list[str]:
    """The names of the path parameters of an operation."""
    return re.findall(r"\{(\w+)\}", operation.path)


def _value(operation: Operation, argument: Argument) -> Any:
    """An example of what an argument takes."""
    if operation.document.resolve(argument.schema).get("format") == "binary":
        return File(VIDEO, name="a.mp4")
    return example(operation.document, argument.schema, argument.name)


def _key(name: str) -> str:
    return name.replace("_", "").lower()


CALLS = [*_BY_HAND, *_others()]
