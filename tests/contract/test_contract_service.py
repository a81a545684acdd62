"""What the specification says that the service does, seen through the client: part by part.

The state machine finds what nobody thought of. Here stands, in a second, what somebody wrote down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import httpx2
import pytest
from social_publishing import (
    AuthenticationError,
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
    PostStatus,
    PostUpdateCustomization,
    PostUpdateLinkedInPoll,
    PostUpdateThreadsPoll,
)

from social_publishing_sandbox import Sandbox

BAKERY, PINE = "18014398509481987", "18014398509481988"
FACEBOOK, INSTAGRAM, THREADS = (
    "18014398509481990",
    "18014398509481989",
    "9899754456679972881",
)
PINE_TWITTER = "9385163687527972886"
OWNER, NOOR, KENJI = "18014398509481991", "9511999440487972868", "9700441130599972869"
NOBODY = "1"


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


def test_a_list_has_what_meets_every_filter(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    ours, both = post(), post(selectedAccountIds=[THREADS, PINE_TWITTER])
    theirs = post(selectedAccountIds=[PINE_TWITTER])
    made = {ours, both, theirs}

    def listed(**filters: Any) -> set[str]:
        return {each.id for each in client.posts.list(**filters)} & made

    assert listed(group_id=BAKERY) == {ours, both}
    assert listed(social_account_ids=[PINE_TWITTER]) == {both, theirs}
    assert listed(social_account_ids=[THREADS, PINE_TWITTER]) == made
    assert listed(group_id=BAKERY, social_account_ids=[PINE_TWITTER]) == set()
    assert listed(group_id=BAKERY, social_account_ids=[THREADS, FACEBOOK]) == {ours, both}


def test_details_accounts_and_approvals_always_come_and_the_rest_on_request(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    wanted = post(labelIds=["9911713256244772902"], selected_media_ids=["18014398509481992"])
    relations = ("details", "social_accounts", "approvals", "labels", "media")

    def came(**options: Any) -> list[str]:
        page = next(iter(client.posts.list(group_id=BAKERY, **options).pages()))
        [found] = [each for each in page.data if each.id == wanted]
        return [name for name in relations if isinstance(getattr(found, name), list)]

    assert came() == ["details", "social_accounts", "approvals"]
    assert came(include=["labels", "media"]) == [*relations]


def test_a_list_needs_a_group_or_an_account(sandbox: Sandbox, client: SocialPublishing) -> None:
    """The client would not even ask: its bare connection does."""
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    for query in ("", "?page=1", "?include=media", "?socialAccountIds="):
        answer = httpx2.get(f"{sandbox.base_url}/posts{query}", headers=headers)
        assert answer.status_code == 422
        assert set(answer.json()["errors"]) == {"groupId", "socialAccountIds"}


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
        assert (meta.to_dict()["from"], meta.to) == (first, last)
        assert (meta.next_page_url is None) == (number == len(pages))
        assert (meta.prev_page_url is None) == (number == 1)
        if meta.next_page_url:
            assert f"socialAccountIds={FACEBOOK}" in meta.next_page_url
            assert "include=labels" in meta.next_page_url
            assert len(page.data) == meta.per_page
        first = last + 1


def test_the_number_of_pages_is_not_one_too_many(
    sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    account = sandbox.create_account(socialNetwork="threads", name="Mill", group_id=BAKERY)["id"]
    per_page = next(iter(client.posts.list(group_id=BAKERY).pages())).meta.per_page
    for _ in range(2 * per_page):
        post(selectedAccountIds=[account])
    pages = list(client.posts.list(social_account_ids=[account]).pages())
    assert [len(page.data) for page in pages] == [per_page] * 2


def test_posts_by_identifier_come_in_the_order_of_the_question(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    first, second, third = post(), post(), post()
    found = client.posts.get_many(ids=[second, NOBODY, third, first])
    assert [each.id for each in found] == [second, third, first]
    assert found.missing == (NOBODY,)
    assert int(first) < int(second) < int(third)


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
    return {name: value for name, value in post.to_dict().items() if name not in names}


def test_the_length_is_that_of_the_text(client: SocialPublishing, post: Callable[..., str]) -> None:
    changed = post(content="Bread")
    assert client.posts.update(changed, content="Bread 🥐").content_weighted_length == 8


def test_a_date_is_read_in_utc(client: SocialPublishing, post: Callable[..., str]) -> None:
    date = datetime(2027, 7, 1, 9, 30, tzinfo=UTC)
    found = client.posts.update(post(), publication_date=date, gb_start_date=date)
    assert (found.publication_date, found.gb_start_date) == (date, date)
    assert found.publication_timestamp == date.timestamp() * 1000


def test_what_is_chosen_keeps_its_order(client: SocialPublishing, post: Callable[..., str]) -> None:
    changed = post()
    media = ["10013181858612772913", "18014398509481992", "10013000664679972912"]
    labels = ["9911713256244772902", "18014398509481993", "9911713256244772901"]
    accounts = [THREADS, INSTAGRAM, FACEBOOK]
    client.posts.update(
        changed,
        selected_media_ids=media,
        label_ids=labels,
        selected_account_ids=accounts,
        th_poll=PostUpdateThreadsPoll(option_1="Rye", option_2="Wheat", option_3="Oat"),
        publication_date=datetime(2026, 12, 2, tzinfo=UTC),
    )
    [found] = [
        each
        for each in client.posts.list(group_id=BAKERY, include=["media", "labels"])
        if each.id == changed
    ]
    assert found.selected_media_ids == [each.id for each in found.media] == media
    assert [each.id for each in found.labels] == labels
    assert found.selected_account_ids == [each.id for each in found.social_accounts] == accounts
    assert [each.social_account_id for each in found.details] == accounts
    assert found.th_poll == ["Rye", "Wheat", "Oat"]
    client.posts.update(changed, label_ids=labels[:1], selected_account_ids=accounts[:1])
    [found] = [
        each
        for each in client.posts.list(group_id=BAKERY, include=["labels"])
        if each.id == changed
    ]
    assert [each.id for each in found.labels] == labels[:1]
    assert [each.social_account_id for each in found.details] == accounts[:1]


@pytest.mark.parametrize(
    "field", ["selected_account_ids", "selected_media_ids", "label_ids", "assignee_ids"]
)
def test_what_is_not_there_cannot_be_chosen(
    field: str, client: SocialPublishing, post: Callable[..., str]
) -> None:
    changed = post()
    before = read(client, changed).to_dict()
    with pytest.raises(UnprocessableEntityError) as caught:
        client.posts.update(changed, **{field: [NOBODY]})
    assert caught.value.errors
    assert read(client, changed).to_dict() == before


def test_the_text_of_every_network_is_kept(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    changed, own = post(), {"content": "Bread!"}

    given = {each: PostUpdateCustomization(**own) for each in ("threads", "linkedin_page")}
    found = client.posts.update(changed, customized=given)
    assert {key: each.content for key, each in found.customized.items()} == dict.fromkeys(
        given, "Bread!"
    )


def test_a_poll_keeps_its_duration(client: SocialPublishing, post: Callable[..., str]) -> None:
    poll = PostUpdateLinkedInPoll(question="Which?", option_1="Rye", option_2="Wheat")
    found = client.posts.update(post(), li_poll=poll)
    assert (found.li_poll.question, found.li_poll.duration) == ("Which?", "ONE_DAY")


def test_who_did_what_stands_in_the_activities(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    changed = post()
    client.posts.update(changed, content="Rolls")
    newest = next(iter(client.posts.activities(changed)))
    assert (newest.event, newest.user_id, newest.post_id) == ("editedPost", OWNER, changed)


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
        selected_media_ids=["18014398509481992"],
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


def test_there_are_no_metrics_before_a_post_is_out(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    assert client.posts.metrics(post()) == {}


def test_a_new_date_is_the_date(
    sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    made = post(status="SCHEDULED", publication_date=sandbox.now + timedelta(hours=1))
    later = sandbox.now + timedelta(days=2)
    client.posts.update(made, publication_date=later)
    sandbox.advance(days=1)
    assert read(client, made).status is PostStatus.SCHEDULED
    sandbox.advance(days=2)
    assert read(client, made).status is PostStatus.PUBLISHED
    assert read(client, made).published_at == later


def test_a_post_that_is_skipped_does_not_go_out(
    sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    made = post(status="SCHEDULED", publication_date=sandbox.now + timedelta(hours=1))
    found = client.posts.update(made, should_skip=True)
    assert (found.status, found.should_skip) == (PostStatus.SKIPPED, True)
    sandbox.advance(days=1)
    assert read(client, made).status is PostStatus.SKIPPED


@pytest.mark.parametrize(
    "change", [{"should_skip": True}, {"is_draft": True}, {"is_publish_now": True}]
)
def test_a_post_that_is_out_stays_out(
    change: dict[str, bool], sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    made = _published(sandbox, post)
    assert client.posts.update(made, **change).status is PostStatus.PUBLISHED


def test_a_post_goes_out_at_once(
    sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    made = post()
    assert client.posts.update(made, is_publish_now=True).status is PostStatus.IN_PROGRESS
    sandbox.advance(minutes=1)
    assert read(client, made).status is PostStatus.PUBLISHED


def test_drafts_are_made_and_what_cannot_be_moved_is_named(
    sandbox: Sandbox, client: SocialPublishing, post: Callable[..., str]
) -> None:
    out, waiting = _published(sandbox, post), post(status="SCHEDULED", publication_date=_later())
    result = client.posts.set_draft(is_draft=True, post_ids=[out, waiting, NOBODY])
    assert (result.post_ids, result.partial) == ([waiting], True)
    assert (result.skipped_published, result.skipped_no_assignee) == ([out], [])
    assert read(client, out).status is PostStatus.PUBLISHED
    assert read(client, waiting).status is PostStatus.DRAFT


def _later() -> datetime:
    return datetime(2027, 3, 1, 9, 0, tzinfo=UTC)


def test_drafts_are_released_as_their_workflow_wants(
    client: SocialPublishing, post: Callable[..., str]
) -> None:
    dated, undated = post(publication_date=_later()), post()
    strict = partial(post, selectedAccountIds=[PINE_TWITTER], publication_date=_later())
    without, with_other, with_approver = (
        strict(),
        strict(assigneesIds=[KENJI]),
        strict(assigneesIds=[NOOR]),
    )
    every = [dated, undated, without, with_other, with_approver]
    result = client.posts.set_draft(is_draft=False, post_ids=every)
    assert result.post_ids == [dated, undated, with_approver]
    assert (result.skipped_no_assignee, result.skipped_published) == ([without, with_other], [])
    assert result.partial is True
    assert [each.status for each in client.posts.get_many(ids=every)] == [
        PostStatus.SCHEDULED,
        PostStatus.NOT_SCHEDULE,
        PostStatus.DRAFT,
        PostStatus.DRAFT,
        PostStatus.IN_REVIEW,
    ]


def test_a_post_that_is_deleted_is_gone(client: SocialPublishing, post: Callable[..., str]) -> None:
    made = post()
    client.posts.delete_many(ids=[made])
    assert client.posts.get_many(ids=[made]).missing == (made,)
    assert made not in {each.id for each in client.posts.list(group_id=BAKERY)}
    with pytest.raises(NotFoundError):
        next(iter(client.posts.activities(made)), None)


# Groups and accounts, §4.2 and §4.3


def test_the_accounts_of_a_group_come_by_themselves(
    sandbox: Sandbox, client: SocialPublishing
) -> None:
    accounts = {each["id"] for each in sandbox.find("social_accounts", group_id=BAKERY)}
    group = client.groups.get(BAKERY)
    assert {each.id for each in group.social_accounts} == accounts
    assert group.social_accounts_count == len(accounts)
    only = client.groups.get(BAKERY, include=["socialAccountsCount"]).to_dict()
    assert "socialAccounts" not in only


def test_a_replacement_takes_back_what_it_leaves_out(client: SocialPublishing) -> None:
    client.groups.update(BAKERY, note="Note", max_social_accounts=50, type=2, week_start_day=1)
    before = client.groups.get(BAKERY)
    client.groups.replace(BAKERY, name="Shop", timezone="UTC", default_assignee_ids=[NOOR])
    now = client.groups.get(BAKERY)
    assert (now.name, now.timezone, now.note, now.max_social_accounts) == (
        "Shop",
        "UTC",
        None,
        None,
    )
    assert (int(now.type), int(now.week_start_day)) == (1, 0)
    assert now.default_assignee_ids == before.default_assignee_ids  # does not apply for the API


@pytest.mark.parametrize("change", [{"timezone": "Mars/Base"}, {"max_social_accounts": 1}])
def test_a_group_that_cannot_be_is_not_made(change: Any, client: SocialPublishing) -> None:
    before = client.groups.get(BAKERY).to_dict()
    with pytest.raises((UnprocessableEntityError, BadRequestError)):
        client.groups.update(BAKERY, **change)
    assert client.groups.get(BAKERY).to_dict() == before


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


def test_a_range_has_every_note_that_touches_it(sandbox: Sandbox, client: SocialPublishing) -> None:
    def day(number: int) -> datetime:
        return datetime(2028, 5, number, tzinfo=UTC)

    def make(start: int, end: int, **fields: Any) -> str:
        fields = {"title": "Note", "start_date": day(start), "end_date": day(end), **fields}
        return str(sandbox.create_note(**fields)["id"])

    before, at_start, around, inside, at_end, after = (
        make(1, 9),
        make(1, 10),
        make(1, 30),
        make(12, 13),
        make(20, 25),
        make(21, 22),
    )
    ours, theirs = make(12, 12, group_id=BAKERY), make(12, 12, group_id=PINE)
    found = _notes(client, day(10), day(20))
    assert found == {at_start, around, inside, at_end, ours, theirs}
    assert _notes(client, day(10), day(20), group_id=BAKERY) == found - {theirs}
    assert not found & {before, after}


def test_a_range_of_60_days_is_too_long(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    for end, status in (("2026-03-01T23:59:59Z", 200), ("2026-03-02T00:00:00Z", 422)):
        query = {"start_date": "2026-01-01T00:00:00Z", "end_date": end}
        answer = httpx2.get(f"{sandbox.base_url}/calendar-notes", params=query, headers=headers)
        assert answer.status_code == status


def test_a_note_is_replaced_moved_and_deleted(sandbox: Sandbox, client: SocialPublishing) -> None:
    start, end = _later(), _later() + timedelta(days=2)
    dates = {"start_date": start, "end_date": end}
    series = {"series": "market", "content": "Long", "color": 7, "group_id": BAKERY}
    one, other, third = (
        str(sandbox.create_note(title="Market", **dates, **series)["id"]) for _ in range(3)
    )
    found = client.calendar_notes.replace(one, title="Fair", **dates)
    assert (found.title, found.content, int(found.color), found.group_id) == ("Fair", "", 3, None)
    moved = client.calendar_notes.reschedule(one, start_date=end, end_date=end)
    assert (moved.start_date, moved.end_date, moved.title) == (end, end, "Fair")
    assert moved.end_date_extra_day == end + timedelta(days=1)
    with pytest.raises(UnprocessableEntityError):
        client.calendar_notes.reschedule(one, start_date=end, end_date=start)
    client.calendar_notes.delete(one)
    assert {other, third} <= _notes(client, start, end)
    client.calendar_notes.delete(other, related_notes=True)
    assert not {other, third} & _notes(client, start, end)


def test_a_private_note_is_its_author_s(
    sandbox: Sandbox, client: SocialPublishing, log_in: Callable[..., SocialPublishing]
) -> None:
    admin, dates = log_in("admin"), {"start_date": _later(), "end_date": _later()}
    note = str(sandbox.create_note(title="Mine", user_id=OWNER, **dates)["id"])
    with pytest.raises(PermissionDeniedError):
        admin.calendar_notes.replace(note, title="Mine", is_private=True, **dates)
    client.calendar_notes.replace(note, title="Mine", is_private=True, **dates)
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


def test_the_dashboard_counts(client: SocialPublishing, post: Callable[..., str]) -> None:
    before, theirs = client.widgets.posts_overview(BAKERY), client.widgets.posts_overview(PINE)
    post(status="SCHEDULED", publication_date=_later(), selectedAccountIds=[THREADS, FACEBOOK])
    for status in ("REVIEW_MISSED", "REVIEW_MISSED", "REVIEW_REJECTED"):
        post(status=status, publication_date=_later())
    now = client.widgets.posts_overview(BAKERY)
    names = ("scheduled_posts", "scheduled_post_details", "missed_review", "rejected")
    assert [getattr(now, n) - getattr(before, n) for n in names] == [1, 2, 2, 1]
    assert client.widgets.posts_overview(PINE).scheduled_posts == theirs.scheduled_posts


# Who may see and do what, §2.8 and §5


def test_everybody_sees_what_is_his(
    log_in: Callable[..., SocialPublishing], post: Callable[..., str]
) -> None:
    member, guest = log_in("member"), log_in("client")
    hidden = post(selectedAccountIds=[PINE_TWITTER], visible_for_client=False)
    shown = post(selectedAccountIds=[PINE_TWITTER], visible_for_client=True)
    with pytest.raises(PermissionDeniedError):
        member.groups.get("9801909732967972875")
    with pytest.raises(PermissionDeniedError):
        guest.posts.update(shown, content="Mine")
    assert [each.id for each in guest.posts.get_many(ids=[hidden, shown])] == [shown]
    assert hidden not in {each.id for each in guest.posts.list(group_id=PINE)}


@pytest.mark.parametrize("token", ["nobody-s-token", "x"])
def test_a_token_that_nobody_has_is_not_accepted(
    token: str, log_in: Callable[..., SocialPublishing]
) -> None:
    stranger = log_in(token)
    for call in (
        lambda: stranger.groups.get(BAKERY),
        lambda: stranger.posts.get_many(ids=[NOBODY]),
        lambda: stranger.media.status(NOBODY),
    ):
        with pytest.raises(AuthenticationError):
            call()


def test_without_a_token_nothing_is_answered(sandbox: Sandbox) -> None:
    answer = httpx2.get(f"{sandbox.base_url}/groups/{BAKERY}")
    assert (answer.status_code, set(answer.json())) == (401, {"message"})


# Errors and rates, §7 and §8


def test_what_is_not_there_is_not_found(client: SocialPublishing) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: client.groups.get(NOBODY),
        lambda: client.social_accounts.get(NOBODY),
        lambda: client.posts.update(NOBODY, content="x"),
        lambda: client.posts.metrics(NOBODY),
        lambda: client.labels.delete(NOBODY),
        lambda: client.calendar_notes.delete(NOBODY),
        lambda: client.media.status(NOBODY),
    ]
    for call in calls:
        with pytest.raises(NotFoundError) as caught:
            call()
        assert caught.value.message
        assert caught.value.headers["x-ratelimit-limit"]


def test_errors_have_the_members_that_are_documented(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    wrong = {"name": "x" * 51, "timezone": "UTC"}
    answer = httpx2.put(f"{sandbox.base_url}/groups/{BAKERY}", json=wrong, headers=headers)
    assert (answer.status_code, set(answer.json())) == (422, {"message", "errors"})
    assert set(answer.json()["errors"]) == {"name"}
    answer = httpx2.get(f"{sandbox.media_url}/status/{NOBODY}", headers=headers)
    assert (answer.status_code, set(answer.json())) == (404, {"error"})


def test_every_answer_tells_what_is_left(
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


def test_what_answers_nothing_says_so(client: SocialPublishing, post: Callable[..., str]) -> None:
    deleted = client.posts.with_raw_response.delete_many(ids=[post()])
    assert (deleted.status, deleted.body) == (204, b"")


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


def test_a_file_that_is_none_is_told(sandbox: Sandbox, client: SocialPublishing) -> None:
    made = client.media.upload(file=File(b"no picture", "a.png"))
    sandbox.advance(minutes=1)
    assert client.media.status(made.id).error


def test_a_file_of_another_kind_is_not_taken(sandbox: Sandbox) -> None:
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    files = {"file": ("a.txt", b"text")}
    answer = httpx2.post(f"{sandbox.media_url}/upload", files=files, headers=headers)
    assert (answer.status_code, set(answer.json())) == (422, {"error"})
