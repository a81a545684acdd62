"""All operations: their methods and functions, and what lists do by themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cached_property
from importlib import import_module
from inspect import signature
from typing import Any

import httpx2
import pytest
from calls import ADDRESSES, CALLS, ID, OTHER, Call, operation_of, safety_of
from server import Response, Server
from social_publishing import (
    ArgumentError,
    AsyncSocialPublishing,
    File,
    SocialPublishing,
)
from social_publishing.models import CalendarNote, Post, PostStatus
from social_publishing.resources.calendar_notes import CALENDAR_NOTE_REPLACEMENT
from social_publishing.resources.groups import GROUP_REPLACEMENT
from social_publishing.resources.media import build_upload
from social_publishing.resources.posts import (
    POST_UPDATE,
    build_set_draft,
    plan_activities,
    plan_list,
)

from tests.support.documents import operations, snake

# What cannot be taken down is warned of, and has tests of its own.
pytestmark = pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete")

# Methods that are no operation: made of several, or of what one has answered.
COMPOSED = {
    *("calendar_notes.update", "groups.update", "media.wait_until_ready"),
    *("posts.amend", "posts.get", "posts.update_arguments"),
}


each = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)


def test_every_documented_operation_and_no_other(client: SocialPublishing, server: Server) -> None:
    """§4.8: no create, single read, list of accounts, groups or labels is made up: the methods
    of both clients are the operations of the documents."""
    documented = {f"{operation.resource}.{operation.name}" for operation in operations().values()}
    for kind in (SocialPublishing, AsyncSocialPublishing):
        there = {
            f"{resource}.{name}"
            for resource in _resources(kind)
            for name in _methods(kind, resource)
        }
        assert there == documented | COMPOSED
    assert {name.rpartition(".")[2] for name in documented}.isdisjoint({"approve", "get_one"})


def _resources(kind: type) -> list[str]:
    return [name for name, value in vars(kind).items() if isinstance(value, cached_property)]


def _methods(kind: type, resource: str) -> list[str]:
    client = kind(api_token="t", **ADDRESSES)
    owner = getattr(client, resource)
    return [n for n in dir(owner) if not n.startswith("_") and callable(getattr(owner, n))]


@pytest.mark.parametrize(
    ("method", "args"),
    [
        ("posts.get", ()),
        ("posts.amend", (Post(id=ID, customized={}),)),
        ("groups.update", (ID,)),
        ("calendar_notes.update", (CalendarNote(id=ID),)),
        ("media.wait_until_ready", ()),
    ],
)
def test_composed_methods_name_themselves_and_each_argument(
    client: SocialPublishing, server: Server, method: str, args: tuple[Any, ...]
) -> None:
    resource, _, name = method.partition(".")
    call = getattr(getattr(client, resource), name)
    names = [*signature(call).parameters]
    for argument in names:
        given = dict(zip(names, args, strict=False)) | {argument: object()}
        with pytest.raises(ArgumentError) as caught:
            call(**given)
        assert caught.value.operation == method
        assert argument in [each.argument for each in caught.value.problems]
    assert names and server.requests == []


@each
def test_pure_functions_build_what_the_methods_send(
    client: SocialPublishing, server: Server, call: Call
) -> None:
    """One pure function for each operation makes the request, usable alone."""
    request = call.request()
    assert server.requests == []
    answer = client.send(request)
    call.of(client)
    built, sent = server.requests
    assert (built.method, built.target, request.operation) == (
        sent.method,
        sent.target,
        call.method,
    )
    assert built.body == sent.body or built.parts == sent.parts != ()
    assert (answer is None) is (request.returns is None)
    operation = operation_of(call.method)
    assert (request.server, request.retry_safety) == (operation.document.name, safety_of(operation))


@each
def test_every_function_beside_a_method_has_its_name_and_is_public(call: Call) -> None:
    resource, _, method = call.method.partition(".")
    module = import_module(f"social_publishing.resources.{resource}")
    for name in {f"build_{method}", f"plan_{method}"} & {*vars(module)}:
        assert getattr(module, name)(*call.args, **call.kwargs).operation == call.method
    own = {
        name
        for name, each in vars(module).items()
        if getattr(each, "__module__", "") == module.__name__ and name[0] != "_"
    }
    assert {*module.__all__} == {name for name in own if not name.endswith("WithRawResponse")}


def test_an_upload_takes_each_documented_kind_of_file_up_to_two_gibibytes() -> None:
    kinds = "heic avif webp jpeg png jpg gif pdf srt mp4 mov mpeg webm avi mp3"
    for kind in kinds.split():
        build_upload(File(b"x", f"a.{kind}"))
    build_upload(File(iter([b"x"]), "a.mp4", size=2 << 30))
    with pytest.raises(ArgumentError, match=f"allowed are {kinds.replace(' ', ', ')}$"):
        build_upload(File(b"x", "a.exe"))
    with pytest.raises(ArgumentError, match="at most 2147483648 bytes"):
        build_upload(File(iter([b"x"]), "a.mp4", size=(2 << 30) + 1))


def test_of_no_posts_nothing_is_asked_unless_the_service_alone_can_say_it(
    client: SocialPublishing, server: Server
) -> None:
    assert client.posts.get_many([]) == [] and client.posts.delete_many([]) is None
    assert server.requests == []
    server.answers.append(Response(200, {"partial": False}))
    assert client.posts.set_draft(is_draft=True, post_ids=[]).partial is False
    assert [each.method for each in server.requests] == ["POST"]


@pytest.mark.parametrize("more", [0, 1])
def test_as_many_as_are_allowed_go_into_one_request(
    client: SocialPublishing, server: Server, more: int
) -> None:
    ids = [str(number) for number in range(200 + more)]
    for method, answer in (
        ("get_many", []),
        ("delete_many", None),
        ("set_draft", {"partial": False}),
    ):
        given = {"is_draft": True, "post_ids": ids} if method == "set_draft" else {"ids": ids}
        server.answers += [Response(200, answer)] * (1 + more)
        getattr(client.posts, method)(**given)
        assert len(server.requests) == 1 + more, method
        server.requests.clear()
    probe = build_set_draft(is_draft=True, post_ids=ids[:200]).probe
    assert probe is not None and len(probe.reads) == 1


@pytest.mark.parametrize("days", [1, 59, 60, 61, 119, 120])
def test_notes_of_a_range_are_read_in_as_few_requests_as_are_allowed(days: int) -> None:
    """Each of less than 60 days; they follow one another."""
    ranges: list[list[str]] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        ranges.append([request.url.params[name] for name in ("start_date", "end_date")])
        return httpx2.Response(200, json=[])

    http = httpx2.Client(transport=httpx2.MockTransport(respond))
    start = datetime(2026, 1, 1, tzinfo=UTC)
    with SocialPublishing(api_token="t", **ADDRESSES, http_client=http) as client:
        assert client.calendar_notes.list(start=start, end=start + timedelta(days=days)) == []
        with pytest.raises(ArgumentError, match=r"\bend: must not be before start, 2026-01-01T"):
            client.calendar_notes.list(start=start, end=start - timedelta(days=days))
    assert len(ranges) == days // 60 + 1


def test_what_is_written_back_and_how_lists_go_on_is_what_the_documents_say() -> None:
    document = operation_of("posts.update").document
    for back in (POST_UPDATE, GROUP_REPLACEMENT, CALENDAR_NOTE_REPLACEMENT):
        schema = document.data["components"]["schemas"][back.written.__name__]
        ignored = {name for name in back.ignored if "." not in name}
        assert ignored == {*map(snake, schema.get("x-written-ignores", ()))}
    for plan in (plan_list(group_id=ID), plan_activities(ID)):
        words = operation_of(plan.operation).node["x-paging"]
        assert {word: getattr(plan, word) for word in words} == words and len(words) == 6


def test_a_list_keeps_what_is_asked_for(client: SocialPublishing, server: Server) -> None:
    """GET /posts has no such parameters: they are compared here, and nothing of them is sent."""
    posts = [
        {"id": ID, "status": 25, "publication_date": "2026-12-01T09:00:00Z"},
        {"id": OTHER, "status": 5, "publication_date": None},
        {"id": "3", "status": 40, "publication_date": "2026-12-02T09:00:00Z"},
        {"id": "4", "status": 77},
    ]
    day = datetime(2026, 12, 2, tzinfo=UTC)
    for given, kept in (
        ({"status": 25}, [ID]),
        ({"status": [PostStatus.DRAFT, 40]}, [OTHER, "3"]),
        ({"status": PostStatus(77)}, ["4"]),
        ({"since": day}, ["3"]),
        ({"until": day, "status": [25, 40]}, [ID]),
    ):
        server.answers.append(Response(200, {"data": posts, "meta": {"next_page_url": None}}))
        found = client.posts.list(group_id=ID, **given)
        assert [post.id for post in found] == kept
        assert server.requests[-1].target == f"/v1/posts?groupId={ID}"
    with pytest.raises(ArgumentError, match=r"status: .*did you mean PostStatus\.SCHEDULED\?"):
        client.posts.list(group_id=ID, status="sheduled")


@pytest.mark.parametrize("latest_first", [False, True])
def test_notes_of_a_long_range_come_in_the_order_in_which_they_start(
    latest_first: bool,
) -> None:
    """As the service lists those of a short one, whatever the order of their ends."""
    starts = [datetime(2026, month, day, tzinfo=UTC) for month in (1, 3) for day in (5, 6)]
    end = "2026-05-01T00:00:00Z"
    notes = [
        {"id": f"{number}", "start_date": f"{start:%Y-%m-%dT%H:%M:%SZ}", "end_date": end}
        for number, start in enumerate(starts)
    ]

    def respond(request: httpx2.Request) -> httpx2.Response:
        first, last = (request.url.params[name][:10] for name in ("start_date", "end_date"))
        found = [each for each in notes if first <= each["start_date"][:10] < last]
        return httpx2.Response(200, json=found[::-1] if latest_first else found)

    http = httpx2.Client(transport=httpx2.MockTransport(respond))
    with SocialPublishing(api_token="t", **ADDRESSES, http_client=http) as client:
        found = client.calendar_notes.list(
            start=datetime(2026, 1, 1, tzinfo=UTC), end=datetime(2026, 4, 20, tzinfo=UTC)
        )
    order = [each["id"] for each in notes]
    assert [each.id for each in found] == (order[::-1] if latest_first else order)
