"""What the specification says that the service does, seen through the client: part by part.

The state machine finds what nobody thought of. Here stands, in a second, what somebody wrote down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
import pytest
from social_publishing import (
    BadRequestError,
    File,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    SocialPublishing,
    StatusError,
    UnprocessableEntityError,
)
from social_publishing.models import (
    Color,
    PostStatus,
)

from social_publishing_sandbox import Sandbox

BAKERY, PINE = "9032915132417572866", "9032915132417572867"
FACEBOOK, INSTAGRAM, THREADS = (
    "9032915132417572869",
    "9032915132417572868",
    "9899754456679972876",
)
PINE_TWITTER = "9385163687527972881"
OWNER, NOOR, KENJI = "9032915132417572865", "9511999440487972867", "9700441130599972868"
NOBODY = "1"
NOTE: dict[str, Any] = {
    "title": "Fair",
    "group_id": None,
    "content": "",
    "color": Color.BLUE,
    "is_private": False,
    "visible_for_client": False,
}


@pytest.fixture(scope="module")
def _sandbox() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


@pytest.fixture
def sandbox(_sandbox: Sandbox) -> Sandbox:
    """A world that nobody has touched."""
    _sandbox.reset()
    _sandbox.limit(None)
    return _sandbox


@pytest.fixture
def log_in(sandbox: Sandbox) -> Iterator[Callable[..., SocialPublishing]]:
    """Makes a client for a user, who sends everything once, at once."""
    made: list[SocialPublishing] = []

    def make(user: str = "owner", **options: Any) -> SocialPublishing:
        token = sandbox.tokens.get(user, user)
        given = {"retries": 0, "pacing": "off", **options}
        addresses = {"base_url": sandbox.base_url, "media_url": sandbox.media_url}
        made.append(SocialPublishing(api_token=token, **addresses, **given))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def client(log_in: Callable[..., SocialPublishing]) -> SocialPublishing:
    """The owner's client."""
    return log_in()


@pytest.fixture
def post(sandbox: Sandbox) -> Callable[..., str]:
    """Makes a post of the bakery, and gives its identifier."""

    def make(**fields: Any) -> str:
        fields = {"content": "Bread", "selectedAccountIds": [THREADS], **fields}
        return str(sandbox.create_post(**fields)["id"])

    return make


def read(client: SocialPublishing, post_id: str) -> Any:
    [found] = client.posts.get_many(ids=[post_id])
    return found


# Posts are listed, §4.1


def test_pages_are_whole_and_lead_on(client: SocialPublishing, post: Callable[..., str]) -> None:
    made = [post(selectedAccountIds=[FACEBOOK]) for _ in range(60)]
    pages = list(client.posts.list(social_account_ids=[FACEBOOK], include=["labels"]).pages())
    found = [each.id for page in pages for each in page.data]
    total = len(found)
    assert found == sorted(set(found), key=int, reverse=True)
    assert set(made) <= set(found)
    first = 1
    for number, page in enumerate(pages, 1):
        meta, last = page.meta, first + len(page.data) - 1
        assert (meta.current_page, meta.last_page, meta.total) == (number, len(pages), total)
        assert (meta.to_dict(wire=True)["from"], meta.to) == (first, last)
        assert (meta.next_page_url is None) == (number == len(pages))
        assert (meta.prev_page_url is None) == (number == 1)
        if meta.next_page_url:
            assert f"socialAccountIds={FACEBOOK}" in meta.next_page_url
            assert "include=labels" in meta.next_page_url
            assert len(page.data) == meta.per_page
        first = last + 1


# A post is changed, §4.1.1


def test_an_update_changes_what_it_names_and_nothing_else(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    changed = post(name="Name", note="Note", content="Bread", visible_for_client=True)
    before = read(client, changed)
    for change, value in (
        ("yt_embeddable", True),
        ("yt_embeddable", False),
        ("content", "Rolls"),
        ("content", None),
        ("visible_for_client", False),
        ("ig_collaborators", ["them"]),
        ("ig_collaborators", []),
        ("publication_delay_between", 7),
        ("publication_delay_between", 0),
        ("name", None),
        ("note", ""),
    ):
        client.posts.update(changed, **{change: value})
        now = read(client, changed)
        assert getattr(now, change) == value
        mine = {change, "updated_at", "content_weighted_length"}
        assert _without(now, mine) == _without(before, mine)
        before = now


def _without(post: Any, names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in post.to_dict(wire=True).items() if name not in names}


# The states of posts, §3


def _published(sandbox: Sandbox, make: Callable[..., str], **fields: Any) -> str:
    made = make(status="SCHEDULED", publication_date=sandbox.now + timedelta(hours=1), **fields)
    sandbox.advance(days=1)
    return made


def test_a_post_goes_out_on_each_account_at_its_time(
    sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    start = sandbox.now + timedelta(hours=1)
    made = _published(
        sandbox,
        post,
        selectedAccountIds=[THREADS, FACEBOOK, INSTAGRAM],
        publication_delay_between=10,
        selected_media_ids=["9032915132417572871"],
    )
    [found] = [each for each in client.posts.list(group_id=BAKERY) if each.id == made]
    assert found.status is PostStatus.PUBLISHED
    at = [(each.social_account_id, each.published_at) for each in found.details]
    minutes = [timedelta(minutes=n) for n in (0, 10, 20)]
    assert at == [
        (account, start + delay)
        for account, delay in zip([THREADS, FACEBOOK, INSTAGRAM], minutes, strict=True)
    ]
    assert found.published_at == start + minutes[-1]
    metrics = client.posts.metrics(made)
    assert set(metrics) == {each.id for each in found.details}
    assert all(key == each.post_detail_id for key, each in metrics.items())


def _later() -> datetime:
    return datetime(2027, 3, 1, 9, 0, tzinfo=UTC)


def test_a_date_is_read_in_utc(client: SocialPublishing, post: Callable[..., str]) -> None:
    date = datetime(2027, 7, 1, 9, 30, tzinfo=UTC)
    found = client.posts.update(post(), publication_date=date, gb_start_date=date)
    assert (found.publication_date, found.gb_start_date) == (date, date)
    assert found.publication_timestamp == date.timestamp() * 1000


def test_a_post_that_is_skipped_does_not_go_out(
    sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    made = post(status="SCHEDULED", publication_date=sandbox.now + timedelta(hours=1))
    found = client.posts.update(made, should_skip=True)
    assert (found.status, found.should_skip) == (PostStatus.SKIPPED, True)
    sandbox.advance(days=1)
    assert read(client, made).status is PostStatus.SKIPPED


def test_drafts_are_made_and_what_cannot_be_moved_is_named(
    sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    out, waiting = _published(sandbox, post), post(status="SCHEDULED", publication_date=_later())
    result = client.posts.set_draft(is_draft=True, post_ids=[out, waiting, NOBODY])
    assert (result.post_ids, result.partial) == ([waiting], True)
    assert (result.skipped_published, result.skipped_no_assignee) == ([out], [])
    assert read(client, out).status is PostStatus.PUBLISHED
    assert read(client, waiting).status is PostStatus.DRAFT


def test_a_post_that_is_deleted_is_gone(client: SocialPublishing, post: Callable[..., str]) -> None:
    made = post()
    client.posts.delete_many(ids=[made])
    assert client.posts.get_many(ids=[made]).missing == (made,)
    assert made not in {each.id for each in client.posts.list(group_id=BAKERY)}
    with pytest.raises(NotFoundError):
        next(iter(client.posts.activities(made)), None)


# Groups and accounts, §4.2 and §4.3


def test_an_account_moves_as_far_as_its_group_has_room(client: SocialPublishing) -> None:
    held = client.groups.get(PINE).social_accounts_count
    client.groups.update(PINE, max_social_accounts=held + 1)
    client.social_accounts.move_to_group(FACEBOOK, group_id=PINE)
    assert client.social_accounts.get(FACEBOOK).group_id == PINE
    with pytest.raises(UnprocessableEntityError):
        client.social_accounts.move_to_group(THREADS, group_id=PINE)
    assert client.social_accounts.get(THREADS).group_id == BAKERY


# Notes, §4.4


def _notes(client: SocialPublishing, start: datetime, end: datetime, **more: Any) -> set[str]:
    return {each.id for each in client.calendar_notes.list(start=start, end=end, **more)}


def test_a_private_note_is_its_author_s(
    sandbox: Sandbox, client: SocialPublishing, log_in: Callable[..., SocialPublishing]
) -> None:
    admin, dates = log_in("admin"), {"start_date": _later(), "end_date": _later()}
    note = str(sandbox.create_note(title="Mine", user_id=OWNER, **dates)["id"])
    with pytest.raises(PermissionDeniedError):
        admin.calendar_notes.replace(note, **{**NOTE, **dates, "is_private": True})
    client.calendar_notes.replace(note, **{**NOTE, **dates, "is_private": True})
    assert note in _notes(client, _later(), _later())
    assert note not in _notes(admin, _later(), _later())
    with pytest.raises(NotFoundError):
        admin.calendar_notes.delete(note)


# Labels and the dashboard, §4.5 and §4.6


def test_a_label_is_made_once_and_deleted_everywhere(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    label = client.labels.create(name="Spring").id
    with pytest.raises(BadRequestError):
        client.labels.create(name="Spring")
    made = post(labelIds=[label])
    client.labels.delete(label)
    [found] = [
        each for each in client.posts.list(group_id=BAKERY, include=["labels"]) if each.id == made
    ]
    assert found.labels == []
    with pytest.raises(NotFoundError):
        client.labels.delete(label)
    assert int(client.labels.create(name="Spring").id) > int(label)


# Who may see and do what, §2.8 and §5


def test_everybody_sees_what_is_his(
    log_in: Callable[..., SocialPublishing], post: Callable[..., str]
) -> None:
    member, guest = log_in("member"), log_in("client")
    hidden = post(selectedAccountIds=[PINE_TWITTER], visible_for_client=False)
    shown = post(selectedAccountIds=[PINE_TWITTER], visible_for_client=True)
    with pytest.raises(PermissionDeniedError):
        member.groups.get("9801909732967972872")
    with pytest.raises(PermissionDeniedError):
        guest.posts.update(shown, content="Mine")
    assert [each.id for each in guest.posts.get_many(ids=[hidden, shown])] == [shown]
    assert hidden not in {each.id for each in guest.posts.list(group_id=PINE)}


def test_without_a_token_nothing_is_answered(sandbox: Sandbox) -> None:
    response = httpx2.get(f"{sandbox.base_url}/groups/{BAKERY}")
    assert (response.status_code, set(response.json())) == (401, {"message"})


# Errors and rates, §7 and §8


def test_every_response_tells_what_is_left(
    sandbox: Sandbox, log_in: Callable[..., SocialPublishing]
) -> None:
    sandbox.limit(3)
    client, other = log_in(), log_in("admin")
    told = []
    for call in (lambda: client.groups.with_raw_response.get(BAKERY), _not_found(client)):
        told.append(_headers(call))
    told.append(_headers(_not_found(client)))
    assert [(each["x-ratelimit-limit"], each["x-ratelimit-remaining"]) for each in told] == [
        ("3", "2"),
        ("3", "1"),
        ("3", "0"),
    ]
    with pytest.raises(RateLimitError) as caught:
        client.labels.create(name="Too many")
    headers = caught.value.headers
    wait, reset = int(headers["retry-after"]), int(headers["x-ratelimit-reset"])
    assert 0 < wait <= 60
    assert headers["x-ratelimit-remaining"] == "0"
    assert abs(reset - wait - datetime.now(UTC).timestamp()) < 5
    assert other.groups.get(BAKERY).id == BAKERY  # another user has a rate of his own
    assert not sandbox.find("labels", name="Too many")


def _not_found(client: SocialPublishing) -> Callable[[], Any]:
    return lambda: client.groups.get(NOBODY)


def _headers(call: Callable[[], Any]) -> Any:
    try:
        return call().headers
    except StatusError as error:
        return error.headers


# Media, §4.7


def test_a_file_is_kept_processed_and_ready(sandbox: Sandbox, client: SocialPublishing) -> None:
    data = b"1\n00:00:00,000 --> 00:00:01,000\nBread\n"
    made = client.media.upload(file=File(data, "subtitles.SRT"))
    assert (made.is_processing, made.client_name, made.size) == (True, "subtitles.SRT", len(data))
    assert (made.user_id, made.extension, int(made.type)) == (OWNER, "srt", 5)
    assert client.media.status(made.id).status == "processing"
    sandbox.advance(minutes=1)
    found = client.media.status(made.id)
    assert (found.data.is_processing, found.data.id) == (False, made.id)
    assert not found.error
