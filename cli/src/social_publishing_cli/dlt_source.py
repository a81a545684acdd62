"""A dlt source: posts, their metrics and their activities, as tables of a warehouse.

It comes with the extra `dlt`. docs/warehouse.md shows it with DuckDB.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import inspect
from social_publishing import NotFoundError, SocialPublishing
from social_publishing.models import (
    Post,
    PostActivity,
    PostDetail,
    PostMetric,
    PostStatus,
    SocialAccount,
)

from .installed import extra, how_to_add

try:
    import dlt
except ModuleNotFoundError as error:
    if error.name != "dlt":
        raise
    text = f"dlt is not installed: {how_to_add(*extra('dlt'))}"
    raise ModuleNotFoundError(text, name="dlt") from None

if TYPE_CHECKING:
    from dlt.extract import DltResource, DltSource
    from social_publishing import Pager

Rows = list[dict[str, Any]]

TIMES = {
    *("approved_at", "connection_expired_at", "created_at", "gb_end_date", "gb_start_date"),
    *("publication_date", "published_at", "updated_at"),
}
"""The fields that are date-times. All have a zone."""

_PEOPLE = "user"
"""A person, with address and phone, stays out of a warehouse; the identifier does not."""

_APART = {"details", "social_accounts"}
"""What is in a post, and has a table of its own."""

_OF_POST = {"of_post": {"data_type": "text", "nullable": False}}
"""The post that was read. What `post_id` is on a metric or an activity, no document says."""

_RATES = {"engagement_rate_impressions", "engagement_rate_reach"}
"""Documented as integers (§2.4); a service that sends fractions of them loses none here."""

_MOST_DAYS = 36_500

_TYPES: Mapping[type[inspect.Type], str] = {
    inspect.BoolType: "bool",
    inspect.IntType: "bigint",
    inspect.FloatType: "double",
    inspect.StrType: "text",
}


def social_publishing(
    client: SocialPublishing,
    *,
    group_id: str | Sequence[str],
    metrics_days: float = 30,
    most_requests: int | None = None,
) -> DltSource:
    """Return a source of `posts`, `post_details`, `social_accounts`, `metrics` and `activities`.

    A run lists all posts, one request a page. Beyond that it asks only for what can have changed:
    the metrics of published posts, one request a post, until they have been read when the post was
    `metrics_days` old; and the activities of posts whose `updated_at` has moved, one request a
    page. Whether every change moves it is not documented (post.updatedAt). All requests are on the
    client's budget, sixty a minute (§8).

    Args:
        client: Sends the requests. Close it after the run.
        group_id: The group, or groups, whose posts are read.
        metrics_days: For how many days after its publication a post's metrics are read again, up
            to 36,500. With 0, they are read once.
        most_requests: After so many requests for metrics and activities, a run leaves the rest to
            the next one. None: it reads all.

    Raises:
        ValueError: an argument cannot be used; nothing is sent. Of `client`, `metrics_days` and
            `most_requests`, all problems are named at once. For an identifier that is none, it is
            an `ArgumentError`.
    """
    problems = [*_problems(client, metrics_days, most_requests)]
    groups = [group_id] if isinstance(group_id, str) else group_id
    if not isinstance(groups, Sequence | Set) or isinstance(groups, bytes):
        problems.append(f"group_id must be an identifier or a list of them, got {group_id!r}")
    elif not groups:
        problems.append("group_id names no group")
    if problems:
        raise ValueError("; ".join(problems))
    lists = [client.posts.list(group_id=each) for each in groups]  # which checks identifiers
    reading = _Reading(client, lists, timedelta(days=metrics_days), most_requests)

    @dlt.source(name="social_publishing", max_table_nesting=0)
    def source() -> Iterable[DltResource]:
        listed = dlt.resource(reading.listed(), name="listed", selected=False)

        def table(
            name: str, rows: Callable[[list[Post]], Iterator[Rows]], key: str, columns: Any
        ) -> DltResource:
            def transform(posts: list[Post]) -> Iterator[Rows]:
                if not posts:  # of a group: its tables are there, and the load tells that it is
                    yield dlt.mark.materialize_table_schema()
                yield from rows(posts)

            way: Any = {"merge_key": key} if key in _OF_POST else {"primary_key": key}
            return dlt.transformer(
                transform,
                data_from=listed,
                name=name,
                write_disposition="merge",
                columns=columns,
                **way,
            )

        status = {"status_name": {"data_type": "text"}}
        read = {"read_at": {"data_type": "timestamp"}}
        posts = {name: c for name, c in _columns(Post).items() if name not in _APART}
        yield table("posts", reading.posts, "id", posts | status)
        yield table("post_details", reading.details, "of_post", _columns(PostDetail) | _OF_POST)
        yield table("social_accounts", reading.accounts, "id", _columns(SocialAccount))
        yield table("metrics", reading.metrics, "of_post", _columns(PostMetric) | _OF_POST | read)
        yield table("activities", reading.activities, "id", _columns(PostActivity) | _OF_POST)

    return source()


def _problems(client: object, metrics_days: object, most_requests: object) -> Iterator[str]:
    """Yield why these arguments cannot be used."""
    if not isinstance(client, SocialPublishing):
        what = f"the class {client.__name__}" if isinstance(client, type) else type(client).__name__
        yield f"client must be what SocialPublishing() returns, got {what}"
    if isinstance(metrics_days, bool) or not (
        isinstance(metrics_days, int | float) and 0 <= metrics_days <= _MOST_DAYS
    ):  # nan is in no range
        yield f"metrics_days must be a number from 0 to {_MOST_DAYS:,}, got {metrics_days!r}"
    if isinstance(most_requests, bool) or not (
        most_requests is None or (isinstance(most_requests, int) and most_requests >= 1)
    ):
        yield f"most_requests must be None or an integer of at least 1, got {most_requests!r}"


class _Reading:
    """What one run reads, and what it still may ask for."""

    def __init__(
        self,
        client: SocialPublishing,
        lists: Iterable[Pager[Post, Any]],
        age: timedelta,
        most: int | None,
    ) -> None:
        self.client = client
        self.lists = lists
        self.age = age
        self.left = most
        self.began = ""

    def listed(self) -> Iterator[list[Post]]:
        """Yield the posts of each page of each group; one of several groups comes once."""
        seen: set[str] = set()
        for pages in self.lists:
            for page in pages.pages():
                posts = {each.id: each for each in page.data or () if each.id not in seen}
                seen.update(posts)
                yield [*posts.values()]

    def posts(self, posts: list[Post]) -> Iterator[Rows]:
        """Yield a row for each post; its details and accounts have tables of their own."""
        yield [
            {
                **{name: value for name, value in _row(each).items() if name not in _APART},
                "status_name": _name(each.status),
            }
            for each in posts
        ]

    def details(self, posts: list[Post]) -> Iterator[Rows]:
        """Yield a row for each post and account."""
        yield [{**_row(each), "of_post": post.id} for post in posts for each in post.details or ()]

    def accounts(self, posts: list[Post]) -> Iterator[Rows]:
        """Yield a row for each account that comes with these posts."""
        found = {each.id: each for post in posts for each in post.social_accounts or ()}
        yield [_row(each) for each in found.values()]

    def metrics(self, posts: list[Post]) -> Iterator[Rows]:
        """Yield the metrics of each published post that may have new ones."""
        state = dlt.current.resource_state()
        known = state.setdefault("read", {})
        # Where a run ends early, the next one goes on there before it reads anything again.
        self.began = self.began or state.pop("began", None) or _now()
        for post in posts:
            since = post.published_at or post.publication_date
            last = known.get(post.id)
            is_final = since and last and datetime.fromisoformat(last) >= since + self.age
            is_read = last and last >= self.began
            if post.status != PostStatus.PUBLISHED or is_final or is_read:
                continue
            if not self._may_ask():
                state["began"] = self.began
                continue
            now = _now()
            try:
                found = self.client.posts.metrics(post.id)
            except NotFoundError:  # deleted since it was listed
                continue
            metrics = (*(found or {}).values(), *getattr(found, "others", ()))
            yield [{**_row(each), "of_post": post.id, "read_at": now} for each in metrics]
            known[post.id] = now

    def activities(self, posts: list[Post]) -> Iterator[Rows]:
        """Yield the activities of each post that has changed."""
        known = dlt.current.resource_state().setdefault("updated", {})
        for post in posts:
            moved = post.updated_at.isoformat() if post.updated_at else None
            if (moved and known.get(post.id) == moved) or not self._may_ask():
                continue
            rows: Rows = []
            try:
                for number, page in enumerate(self.client.posts.activities(post.id).pages()):
                    if number and self.left is not None:
                        self.left -= 1  # a log is read to its end
                    rows += [{**_row(each), "of_post": post.id} for each in page.data or ()]
            except NotFoundError:
                continue
            yield rows
            known[post.id] = moved

    def _may_ask(self) -> bool:
        if self.left is None:
            return True
        self.left -= 1
        return self.left >= 0


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _name(status: object) -> str | None:
    """Return the name of a post's status; None for a number that is not documented (§3)."""
    return status.name.lower() if isinstance(status, PostStatus) else None


def _row(model: Any) -> dict[str, Any]:
    """Return a row: identifiers are texts, codes are their numbers; what is no object is JSON."""
    if not hasattr(model, "to_dict"):
        return {"value": json.dumps(model)}
    row: dict[str, Any] = model.to_dict()
    row.pop(_PEOPLE, None)
    return row


def _columns(model: type[msgspec.Struct]) -> dict[str, Any]:
    """Return all columns of a table, also of those that have no value yet. Other types are JSON."""
    shape = inspect.type_info(model)
    assert isinstance(shape, inspect.StructType)
    known = {**dict.fromkeys(TIMES, "timestamp"), **dict.fromkeys(_RATES, "double")}
    return {
        each.name: {"data_type": known.get(each.name) or _type(each.type)}
        for each in shape.fields
        if each.name != _PEOPLE
    }


def _type(shape: inspect.Type) -> str:
    if isinstance(shape, inspect.Metadata):
        return _type(shape.type)
    if isinstance(shape, inspect.EnumType):
        return "bigint" if issubclass(shape.cls, int) else "text"
    if isinstance(shape, inspect.UnionType):
        kinds = {_type(each) for each in shape.types if not isinstance(each, inspect.NoneType)}
        if kinds == {"bigint", "double"}:
            return "double"
        return kinds.pop() if len(kinds) == 1 else "json"
    return _TYPES.get(type(shape), "json")
