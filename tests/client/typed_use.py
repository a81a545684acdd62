"""A user's program for the type checkers: what is right passes, what is wrong is refused.

Every line with an ignore must be an error: both checkers complain about an ignore without one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from social_publishing import (
    ArgumentError,
    AsyncMiddleware,
    AsyncSocialPublishing,
    Attempt,
    DeadlineExceeded,
    Exchange,
    File,
    Middleware,
    NotFoundError,
    OutcomeUnknown,
    Pacing,
    Pager,
    RateLimitReached,
    RawResponse,
    Request,
    Retries,
    SocialPublishing,
    StatusError,
    id_key,
)
from social_publishing.models import (
    Color,
    Group,
    GroupType,
    Label,
    Media,
    Network,
    PinterestTarget,
    Post,
    PostInclude,
    PostMetric,
    PostPage,
    PostStatus,
    PostUpdateCustomization,
    Weekday,
)
from social_publishing.resources.labels import build_create

MOMENT = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)


def right(client: SocialPublishing) -> None:
    """Every line is accepted, and every answer has the type that is written."""
    listed: Pager[Post, PostPage] = client.posts.list(
        group_id="1", include=[PostInclude.MEDIA, "tasks"]
    )
    for each in listed:
        listed_post: Post = each
        print(listed_post.id)
    page: PostPage = listed.first_page()
    if page.data:
        first: Post = page.data[0]
        note: str = first.note or ""
        known: bool = first.status.known
        print(note, known)
    post: Post = client.posts.update(
        "1",
        content=None,
        publication_date=MOMENT,
        customized={Network.TIKTOK: PostUpdateCustomization(content="a")},
        pi_boards={"2": PinterestTarget(id="3")},
    )
    posts: list[Post] = client.posts.get_many(("1", "2"))
    one: Post = client.posts.get("1")
    wanted = [PostStatus.DRAFT, PostStatus.SCHEDULED]
    posts = [one, *client.posts.list(group_id="1", status=wanted, since=MOMENT, until=MOMENT)]
    metrics: dict[str, PostMetric] = client.posts.metrics(post_id="1")
    group: Group = client.groups.replace(
        "1",
        name="a",
        timezone="UTC",
        type=GroupType.BRAND,
        week_start_day=Weekday.MONDAY,
        note=None,
        max_social_accounts=None,
        default_everyone_must_approve=False,
        default_assignee_ids=[],
    )
    label: Label = client.labels.create(name="a")
    media: Media = client.media.upload(file=Path("a.png"))
    media = client.media.upload(file=File(b"", name="a.png"))
    client.calendar_notes.replace(
        "1",
        title="a",
        start_date=MOMENT,
        end_date=MOMENT,
        group_id=None,
        content="",
        color=Color.RED,
        is_private=False,
        visible_for_client=True,
    )
    request: Request[Label] = build_create(name="a")
    sent: Label = client.send(request)
    print(sorted([post.id, media.id, label.id, sent.id], key=id_key), posts, metrics)
    print(group.to_dict()["name"])
    try:
        client.labels.delete("1")
    except NotFoundError as error:
        print(error.status + 1, error.headers["retry-after"], (error.message or "").upper())
    except StatusError as error:
        print(error.errors, error.title, error.e_code, error.exchange.body.decode(), error.url)
    except ArgumentError as error:
        print([problem.argument.upper() for problem in error.problems])


def trace(attempt: Attempt, way: Callable[[Attempt], Exchange]) -> Exchange:
    """Middleware: changes a header field, and looks at the answer."""
    exchange = way(attempt._replace(headers={**attempt.headers, "X-Trace": str(attempt.number)}))
    print(exchange.status, exchange.headers["x-request-id"], len(exchange.body))
    return exchange


async def trace_async(attempt: Attempt, way: Callable[[Attempt], Awaitable[Exchange]]) -> Exchange:
    """The same, to be awaited."""
    return await way(attempt._replace(timeout=5.0))


async def token() -> str:
    """A token that has to be awaited."""
    return "a"


def right_around(client: SocialPublishing) -> None:
    """Options, whole responses, streams, errors."""
    middleware: list[Middleware] = [trace]
    other = SocialPublishing(
        api_token=lambda: "a",
        timeout=5,
        deadline=None,
        retries=Retries(attempts=2),
        pacing=Pacing(max_wait=5),
        headers={"X-Team": "a"},
        drift="warn",
        middleware=middleware,
        rate_key="me",
    )
    same: SocialPublishing = other.with_options(deadline=10, retries=0, pacing="raise")
    whole: RawResponse[Label] = client.labels.with_raw_response.create(name="a")
    label: Label = whole.parse()
    pages: RawResponse[PostPage] = client.posts.with_raw_response.list(group_id="1")
    many: RawResponse[list[Post]] = client.posts.with_raw_response.get_many(ids=["1"])
    print(whole.status, whole.headers["a"], whole.request_id, whole.attempts, whole.body, label)
    print(pages.parse().data, many.parse(), same.rate_limit)
    with client.stream(build_create(name="a")) as response:
        for piece in response.iter_bytes(1024, limit=1 << 20):
            data: bytes = piece
            print(data, response.status)
    try:
        client.labels.create(name="a")
    except OutcomeUnknown as error:
        print(error.request.operation, error.probe, error.exchange.url, error.reconcile().done)
    except DeadlineExceeded as error:
        print(error.deadline + 1, error.doing.upper())
    except RateLimitReached as error:
        print(error.wait + 1)


async def right_around_as_well(client: AsyncSocialPublishing) -> None:
    """The same, to be awaited."""
    middleware: list[AsyncMiddleware] = [trace_async]
    other = AsyncSocialPublishing(api_token=token, middleware=middleware)
    same: AsyncSocialPublishing = other.with_options(deadline=10)
    whole: RawResponse[Label] = await client.labels.with_raw_response.create(name="a")
    async for post in client.posts.list(group_id="1"):
        listed: Post = post
        print(listed.id)
    async with client.stream(build_create(name="a")) as response:
        async for piece in response.iter_bytes():
            data: bytes = piece
            print(data)
    print(same, whole.parse().name)


async def right_as_well(client: AsyncSocialPublishing) -> None:
    """The same, to be awaited."""
    async with client:
        label: Label = await client.labels.create(name="a")
        metrics: dict[str, PostMetric] = await client.posts.metrics("1")
        sent: Label = await client.send(build_create(name="a"))
    print(label, metrics, sent)


def wrong(client: SocialPublishing, asynchronous: AsyncSocialPublishing) -> None:
    """No line is accepted."""
    client.labels.create("a", "b")  # type: ignore[call-arg]
    client.labels.create()  # type: ignore[call-arg]
    client.labels.create(name=5)  # type: ignore[arg-type]
    client.labels.create(name="a", color=1)  # type: ignore[call-arg]
    client.labels.no_such_method("1", name="a")  # type: ignore[attr-defined]
    client.posts.create(name="a")  # type: ignore[attr-defined]
    client.posts.with_raw_response.create(name="a")  # type: ignore[attr-defined]
    asynchronous.posts.create(name="a")  # type: ignore[attr-defined]
    client.users.list()  # type: ignore[attr-defined]
    client.posts.update("1", publication_date="2026-12-01T09:00")  # type: ignore[arg-type]
    client.posts.update("1", is_draft=None)  # type: ignore[arg-type]
    client.posts.update("1", status=40)  # type: ignore[call-arg]
    client.posts.update("1", pi_boards=["1"])  # type: ignore[arg-type]
    client.posts.metrics(1)  # type: ignore[arg-type]
    client.posts.metrics(post="1")  # type: ignore[call-arg]
    client.calendar_notes.list(start=MOMENT)  # type: ignore[call-arg]
    client.calendar_notes.replace("1", title="a", start_date=MOMENT)  # type: ignore[call-arg]
    client.groups.replace("1", name="a", timezone="UTC")  # type: ignore[call-arg]
    client.groups.update("1", max_social_accounts="5")  # type: ignore[arg-type]
    client.media.upload(file=5)  # type: ignore[arg-type]
    client.posts.get_many([1])  # type: ignore[list-item]
    number: int = client.posts.get_many(ids=["1"])  # type: ignore[assignment]
    label: Label = asynchronous.labels.create(name="a")  # type: ignore[assignment]
    title: str = client.groups.get("1").note  # type: ignore[assignment]
    SocialPublishing("a token")  # type: ignore[call-arg]
    SocialPublishing(api_token=token)  # type: ignore[arg-type]
    SocialPublishing(middleware=[trace_async])  # type: ignore[list-item]
    SocialPublishing(pacing="fast")  # type: ignore[arg-type]
    client.with_options(retries="3")  # type: ignore[arg-type]
    client.with_options(colour=1)  # type: ignore[call-arg]
    print(client.labels.with_raw_response.create(name="a").name)  # type: ignore[attr-defined]
    print(number, label, title)
