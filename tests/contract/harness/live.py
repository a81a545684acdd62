"""The real service, read by the client: what there is, and what it responds.

Nothing but reads leaves unless writes are allowed, and then only such as leave everything as it
was. Nothing is ever deleted. `guarded` sees to that below the client.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx2
from social_publishing import (
    UNSET,
    ArgumentError,
    Attempt,
    Exchange,
    SocialPublishing,
    SocialPublishingError,
)
from social_publishing.models import (
    CalendarNote,
    Group,
    GroupInclude,
    Post,
    PostInclude,
    PostStatus,
)

from harness.calls import python
from harness.response_checks import misread
from harness.response_reader import Finding, additions, disagreements
from harness.service import Exchange as Made
from pipeline.evidence.exchanges import Exchange as Recorded
from pipeline.evidence.exchanges import body_of, headers_of, origin_of, query_of
from tests.support.documents import Operation, operations
from tests.support.wire import same, short

GROUPS = "SOCIAL_PUBLISHING_GROUP_ID"
VARIABLES = (
    "SOCIAL_PUBLISHING_API_TOKEN",
    "SOCIAL_PUBLISHING_BASE_URL",
    "SOCIAL_PUBLISHING_MEDIA_URL",
    GROUPS,
)
UNKNOWN = "1"
"""An identifier that is nobody's: they count milliseconds since long ago."""
MOST = 5
"""How many posts, accounts and files of a group are looked at one by one."""
NEVER = {
    "deletePosts": "it deletes",
    "deleteCalendarNote": "it deletes",
    "deleteLabel": "it deletes",
    "createLabel": "it leaves a label behind",
    "uploadMedia": "it leaves a file behind",
    "uploadMediaFromUrl": "it leaves a file behind",
    "moveSocialAccount": "it moves an account",
}
"""Operations that are not tried on the real service, and why."""

WRITES = (
    *("updatePost", "setPostsDraft", "replaceGroup"),
    *("replaceCalendarNote", "rescheduleCalendarNote"),
)
"""Operations that can write what was read, and so leave everything as it was."""


class Unusable(Exception):
    """The service cannot be asked with what the environment says; the text says why."""


class NotAllowed(Exception):
    """A request was stopped before it left, for it might change something."""


def guarded(allow_writes: bool, **given: Any) -> httpx2.Client:
    """Return an HTTP client that lets nothing through but reads, and never a DELETE.

    Args:
        allow_writes: whether POST, PUT and PATCH may leave.
        given: what else the HTTP client takes.
    """
    allowed = {"GET", "POST", "PUT", "PATCH"} if allow_writes else {"GET"}

    def check(request: httpx2.Request) -> None:
        if request.method not in allowed:
            raise NotAllowed(f"{request.method} {request.url.path} was not sent")

    return httpx2.Client(event_hooks={"request": [check]}, **given)


@dataclass(frozen=True)
class Received:
    """One response of the service, and its problems.

    Attributes:
        call: the call in Python.
        request: method and path.
        problems: what the documents do not allow.
        news: what it says beyond them.
        misread: what the client makes of it that it does not say.
        refusal: what a refusal says.
    """

    operation: Operation
    call: str
    request: str
    status: int
    problems: list[Finding]
    news: list[Finding]
    misread: list[str]
    refusal: str = ""


@dataclass
class Survey:
    """Asks the service, and keeps what it answered.

    Attributes:
        responses: every response, in the order in which they came.
        missing: why an operation could not be asked, by its identifier.
        silent: the calls to which no response came, and why, by the identifier of the operation.
        changed: what is not as it was, though nothing else was written than what was read.
        addresses: the base address of each document, as it is asked.
        exchanges: requests and responses, as evidence.
    """

    received: list[Received] = field(default_factory=list)
    missing: dict[str, str] = field(
        default_factory=lambda: {**dict.fromkeys(operations(), "nothing here asks for it"), **NEVER}
    )
    silent: dict[str, list[str]] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    client: SocialPublishing | None = None
    addresses: dict[str, str] = field(default_factory=dict)
    exchanges: list[Recorded] = field(default_factory=list)
    _came: list[Exchange] = field(default_factory=list)

    def watch(self, attempt: Attempt, send: Callable[[Attempt], Exchange]) -> Exchange:
        """Return the middleware of the client, which keeps what comes."""
        exchange = send(attempt)
        self._came.append(exchange)
        self.exchanges.append(_evidence(attempt, exchange, len(self.exchanges) + 1))
        return exchange

    def ask(self, method: str, *positional: Any, **keywords: Any) -> Any:
        """Make a call; its response, or None for a refusal, which is a response, too."""
        resource, name = method.split(".")
        arguments = [python(each) for each in positional]
        arguments += [f"{key}={python(value)}" for key, value in keywords.items()]
        call = f"client.{method}({', '.join(arguments)})"
        self._came.clear()
        try:
            found = getattr(getattr(self.client, resource), name)(*positional, **keywords)
            made = Made(result=found.first_page() if hasattr(found, "first_page") else found)
        except SocialPublishingError as error:
            if not self.received and not self._came:
                raise  # there is no service to ask
            identifier = _operation(method).id
            if isinstance(error, ArgumentError):
                self.missing[identifier] = str(error)
                return None
            if not self._came:
                self.missing[identifier] = "no response came"
                self.silent.setdefault(identifier, []).append(f"{call}\n    {error}")
                return None
            made = Made(error=error)
        for exchange in self._came:
            last = exchange is self._came[-1]
            self.received.append(_received(call, exchange, made if last else None))
        return made.result


def _evidence(attempt: Attempt, came: Exchange, number: int) -> Recorded:
    """Return an exchange as evidence: what left, as it left, and what came."""
    address, content = urlsplit(attempt.url), attempt.body
    types = {name.lower(): value for name, value in attempt.headers.items()}
    sent = body_of(
        content.decode() if isinstance(content, bytes) else "", types.get("content-type", "")
    )
    received = body_of(came.body.decode("utf-8", "replace"), came.headers.get("content-type", ""))
    return Recorded(
        "live", number, attempt.method, origin_of(address), address.path, query_of(address.query),
        sent, came.status or 0, headers_of(came.headers.items()), received, caller="live",
    )  # fmt: skip


def _received(call: str, exchange: Exchange, made: Made | None) -> Received:
    operation = _operation(exchange.operation)
    status, headers, body = exchange.status or 0, exchange.headers, exchange.body
    return Received(
        operation,
        call,
        f"{exchange.method} {exchange.url}",
        status,
        disagreements(operation, status, headers, body),
        additions(operation, status, body),
        misread(operation, status, headers, body, made) if made else [],
        str(made.error) if made and made.error else "",
    )


def _operation(method: str) -> Operation:
    """Return the operation of a method, or the one in which it ends."""
    wanted = {"groups.update": "groups.replace"}.get(method, method)
    return next(each for each in operations().values() if f"{each.resource}.{each.name}" == wanted)


# What is asked


def read(survey: Survey, group_id: str) -> tuple[Group | None, list[Post], list[CalendarNote]]:
    """Read a group and what is in it: what is found leads to what is asked next.

    Raises:
        Unusable: the token or the group is not accepted, or the service does not work.
    """
    group = survey.ask("groups.get", group_id)
    first = survey.received[-1]
    if first.status in (401, 403, 404):
        raise Unusable(f"{first.refusal} (the group {group_id} of {GROUPS})")
    if first.status >= 500:  # also where a recorder stands before a service that is not there
        raise Unusable(first.refusal)
    _with_relations(survey, "groups.get", GroupInclude, group_id)
    survey.ask("widgets.posts_overview", group_id)
    posts = _read_posts(survey, group_id)
    accounts = {account.id: None for account in (group and group.social_accounts) or ()}
    accounts |= {account: None for post in posts for account in post.selected_account_ids or ()}
    _each(survey, "social_accounts.get", accounts, "there is no social account")
    files = {file: None for post in posts for file in post.selected_media_ids or ()}
    _each(survey, "media.status", files, "no post has a file")
    if accounts:
        survey.ask("posts.list", social_account_ids=list(accounts)[:2])
    return group, posts, _read_notes(survey, group_id)


def _read_posts(survey: Survey, group_id: str) -> list[Post]:
    page = survey.ask("posts.list", group_id=group_id)
    if page is not None and page.meta and (page.meta.last_page or 1) > 1:
        survey.ask("posts.list", group_id=group_id, page=2)
    _with_relations(survey, "posts.list", PostInclude, group_id=group_id)
    posts: list[Post] = list((page and page.data) or ())
    if posts:
        survey.ask("posts.get_many", ids=[each.id for each in posts])
    else:
        survey.missing["getPosts"] = "there is no post"
    by_status = {each.status: each for each in reversed(posts)}
    chosen = [each.id for each in by_status.values()]
    _each(survey, "posts.metrics", chosen, "there is no post")
    _each(survey, "posts.activities", chosen, "there is no post")
    return posts


def _with_relations(
    survey: Survey, method: str, names: Iterable[str], *positional: Any, **keywords: Any
) -> None:
    """Ask with all relations; where that is refused, with each alone, to see which it is."""
    every = list(names)
    if survey.ask(method, *positional, include=every, **keywords) is None:
        for name in every:
            survey.ask(method, *positional, include=[name], **keywords)


def _read_notes(survey: Survey, group_id: str) -> list[CalendarNote]:
    today = datetime.now(UTC).replace(microsecond=0)
    window = {"start": today - timedelta(days=29), "end": today + timedelta(days=30)}
    survey.ask("calendar_notes.list", **window)
    return survey.ask("calendar_notes.list", **window, group_id=group_id) or []


def _each(survey: Survey, method: str, wanted: Iterable[str], otherwise: str) -> None:
    chosen = list(wanted)[:MOST]
    for identifier in chosen:
        survey.ask(method, identifier)
    if not chosen:
        survey.missing[_operation(method).id] = otherwise


def read_nothing(survey: Survey) -> None:
    """Ask for what is not there: refusals are documented, too."""
    for method in ("groups.get", "social_accounts.get", "posts.metrics", "posts.activities"):
        survey.ask(method, UNKNOWN)
    survey.ask("media.status", UNKNOWN)
    survey.ask("posts.list", group_id=UNKNOWN)


def write_back(
    survey: Survey, group: Group | None, posts: list[Post], notes: list[CalendarNote]
) -> None:
    """Write what was read, so that everything stays as it is."""
    if group is not None and group.name:
        _same(survey, group, survey.ask("groups.update", group.id, name=group.name))
    else:
        survey.missing["replaceGroup"] = "there is no group with a name"
    drafts = [each for each in posts if each.status == PostStatus.DRAFT]
    if drafts:
        survey.ask("posts.set_draft", is_draft=True, post_ids=[drafts[0].id])
    else:
        survey.missing["setPostsDraft"] = "there is no draft"
    named = [each for each in drafts if each.name]
    if named:
        _same(survey, named[0], survey.ask("posts.update", named[0].id, name=named[0].name))
    else:
        survey.missing["updatePost"] = "there is no draft with a name"
    known = [(each, values) for each in notes if (values := _values(each))]
    if known:
        note, values = known[0]
        _same(survey, note, survey.ask("calendar_notes.replace", note.id, **values))
        dates = {name: values[name] for name in ("start_date", "end_date")}
        _same(survey, note, survey.ask("calendar_notes.reschedule", note.id, **dates))
    else:
        for each in ("replaceCalendarNote", "rescheduleCalendarNote"):
            survey.missing[each] = "there is no note all of whose values are known"


def _values(note: CalendarNote) -> dict[str, Any]:
    """All values of a note, as a replacement takes them; none where one of them is not known."""
    names = ("title", "start_date", "end_date", "content", "color", "is_private")
    found = {name: getattr(note, name) for name in (*names, "visible_for_client")}
    if None in found.values() or note.stored("group_id") is UNSET:
        return {}
    return {**found, "group_id": note.group_id}


def _same(survey: Survey, before: Any, after: Any) -> None:
    """Note what a write has changed, besides the moment of the last change."""
    if after is None:
        return  # it was refused
    then, now = before.to_dict(wire=True), after.to_dict(wire=True)
    call = survey.received[-1].call
    survey.changed += [
        f"{call}\n    {name} was {short(then[name])}, and is {short(now[name])}"
        for name in then
        if name in now and name != "updated_at" and not same(then[name], now[name])
    ]
