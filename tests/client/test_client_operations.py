"""All operations: what goes over the wire, and what comes back, from both clients."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import json
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import msgspec
import pytest
import social_publishing.models as models
from calls import ADDRESSES, CALLS, GROUP, ID, OTHER, TOKEN, VIDEO, Call, operation_of, places
from server import Recorded, Response, Server
from social_publishing import (
    ArgumentError,
    AsyncSocialPublishing,
    NotFoundError,
    SocialPublishing,
)
from social_publishing.models import PostStatus

from tests.support.documents import Operation, documents, operations
from tests.support.examples import example, success

# What cannot be taken down is warned of, and has tests of its own.
pytestmark = pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete")

# What methods put on the wire: HTTP method, raw target, JSON body. Whether a request fits its
# document is checked of every operation, by the server.
WIRE: dict[str, tuple[str, str, Any]] = {
    "posts.list": (
        "GET",
        f"/v1/posts?groupId={ID}&socialAccountIds={ID},{OTHER}&include=media,tasks&page=2",
        None,
    ),
    "posts.update": (
        "PATCH",
        f"/v1/posts/{ID}",
        {
            "content": "Grüße & 👋",
            "selectedAccountIds": [ID, OTHER],
            "publication_date": "2026-12-01T09:30",
            "isDraft": False,
            "name": None,
            "publication_delay_between": 0,
            "pi_boards": {OTHER: {"id": "board/7"}},
            "gb_start_date": "2026-12-01 09:30:15",
            "yt_categories": {OTHER: "22"},
            "labelIds": [],
            "tw_poll": {"option_1": "yes", "duration_minutes": 60},
            "customized": {"linkedin_page": {"content": "Hello"}},
            "first_comments": {
                "enabled": True,
                "socialAccountIds": [OTHER],
                "customized": [{"conditionValue": 3}],
            },
        },
    ),
    "posts.get_many": ("GET", f"/v1/posts-bulk?ids={ID},{OTHER}", None),
    "posts.delete_many": (
        "DELETE",
        f"/v1/posts-bulk?ids={ID},{OTHER}&deleteFromNetworks=true",
        None,
    ),
    "posts.set_draft": ("POST", "/v1/posts-bulk/draft", {"is_draft": False, "post_ids": [ID]}),
    "posts.metrics": ("GET", f"/v1/posts/{ID}/metrics", None),
    "posts.activities": ("GET", f"/v1/posts/{ID}/activities?page=3", None),
    "groups.get": ("GET", f"/v1/groups/{ID}?include=socialAccounts", None),
    "groups.replace": (
        "PUT",
        f"/v1/groups/{ID}",
        {
            "name": "Bakeries",
            "timezone": "Europe/Berlin",
            "type": 2,
            "week_start_day": 0,
            "note": "",
            "max_social_accounts": None,
            "default_everyone_must_approve": False,
            "default_assignee_ids": [],
        },
    ),
    "social_accounts.get": ("GET", f"/v1/social-accounts/{ID}", None),
    "social_accounts.move_to_group": (
        "PATCH",
        f"/v1/social-accounts/{ID}/group",
        {"group_id": OTHER},
    ),
    "calendar_notes.list": (
        "GET",
        "/v1/calendar-notes?start_date=2026-12-01T00%3A00%3A00Z&end_date=2026-12-31T23%3A00%3A00Z"
        f"&groupId={OTHER}",
        None,
    ),
    "calendar_notes.replace": (
        "PUT",
        f"/v1/calendar-notes/{ID}",
        {
            "title": "Opening",
            "start_date": "2026-12-01T09:00:00Z",
            "end_date": "2026-12-01T17:00:00Z",
            "group_id": None,
            "content": "",
            "color": 8,
            "is_private": False,
            "visible_for_client": True,
        },
    ),
    "calendar_notes.reschedule": (
        "POST",
        f"/v1/calendar-notes/{ID}/reschedule",
        {"start_date": "2026-12-08T09:00:00Z", "end_date": "2026-12-08T10:00:00Z"},
    ),
    "calendar_notes.delete": ("DELETE", f"/v1/calendar-notes/{ID}?deleteGroupedNotes=true", None),
    "labels.create": ("POST", "/v1/labels", {"name": "summer"}),
    "labels.delete": ("DELETE", f"/v1/labels/{ID}", None),
    "widgets.posts_overview": ("GET", f"/v1/widgets/dashboard/todos-posts/{ID}", None),
    "media.upload": ("POST", "/api/v1/upload", None),
    "media.upload_from_url": (
        "POST",
        "/api/v1/upload/url/sync",
        {"file_url": "https://files.invalid/a.png?x=1&y=ü"},
    ),
    "media.status": ("GET", f"/api/v1/status/{ID}", None),
}
ANSWERS: dict[str, Any] = {
    "posts.list": models.PostPage,
    "posts.update": models.Post,
    "posts.get_many": list[models.Post],
    "posts.delete_many": None,
    "posts.set_draft": models.BulkDraftOutcome,
    "posts.metrics": dict[str, models.PostMetric],
    "posts.activities": models.PostActivityPage,
    "groups.get": models.Group,
    "groups.replace": models.Group,
    "social_accounts.get": models.SocialAccount,
    "social_accounts.move_to_group": None,
    "calendar_notes.list": list[models.CalendarNote],
    "calendar_notes.replace": models.CalendarNote,
    "calendar_notes.reschedule": models.CalendarNote,
    "calendar_notes.delete": None,
    "labels.create": models.Label,
    "labels.delete": None,
    "widgets.posts_overview": models.PostsOverview,
    "media.upload": models.Media,
    "media.upload_from_url": models.Media,
    "media.status": models.MediaStatus,
}
# Methods that are no operation: made of several, or of what one has answered.
COMPOSED = {
    *("calendar_notes.update", "groups.update", "media.wait_until_ready"),
    *("posts.amend", "posts.get", "posts.update_arguments"),
}


def returned(call: Call) -> Any:
    """The type of the response: as written above, or as the function of a new operation says."""
    return ANSWERS[call.method] if call.method in ANSWERS else call.request().returns


each = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
nothing = pytest.mark.parametrize(
    "call", [c for c in CALLS if returned(c) is None], ids=lambda call: call.method
)
something = pytest.mark.parametrize(
    "call", [c for c in CALLS if returned(c) is not None], ids=lambda call: call.method
)


def sent_async(server: Server, call: Call) -> tuple[Recorded, Any]:
    """The request of the asynchronous client, and its answer."""

    async def run() -> Any:
        async with AsyncSocialPublishing(
            api_token=TOKEN, base_url=server.base_url, media_url=server.media_url, retries=0
        ) as client:
            return await call.of(client)

    answer = asyncio.run(run())
    return server.requests[-1], answer


def check(server: Server, call: Call, request: Recorded, answer: Any) -> None:
    assert request.headers["accept"] == "application/json"
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    if call.method == "media.upload":
        (part,) = request.parts
        assert (part.name, part.filename, part.size) == ("file", "launch.MP4", len(VIDEO))
        assert part.sha256 == hashlib.sha256(VIDEO).hexdigest()
        assert part.content_type == "video/mp4"
    elif not request.body:
        assert "content-type" not in request.headers
    else:
        assert request.headers["content-type"] == "application/json"
    if call.method in WIRE:
        method, target, body = WIRE[call.method]
        assert (request.method, request.target) == (method, target)
        if body is not None:
            assert request.json == body
            assert list(request.json) == list(body), "fields go out in the order of the document"
        else:
            assert request.body == b"" or request.parts
    if returned(call) is None:
        assert answer is None
    else:
        assert msgspec.convert(answer, returned(call)) == answer
        expected = server.answered[-1].json
        plain = msgspec.to_builtins(answer)
        if isinstance(answer, models.BulkDraftOutcome):  # what the client adds of its own
            named = {
                each for value in expected.values() if isinstance(value, list) for each in value
            }
            left = [each for each in call.kwargs["post_ids"] if each not in named]
            assert plain.pop("unmentioned", ()) == (*left,)
        assert plain == (
            {i["post_detail_id"]: i for i in expected} if "metric" in call.method else expected
        )


@each
def test_on_the_wire_and_back(client: SocialPublishing, server: Server, call: Call) -> None:
    """§4.1 to §4.7: method, raw target, headers and body of every operation. `Content-Type`
    only goes with a body, `Accept` with every request; both bases keep their path."""
    answer = call.of(client)
    check(server, call, server.requests[-1], answer)


@each
def test_on_the_wire_and_back_asynchronously(server: Server, call: Call) -> None:
    """The same bytes and the same answers from the client that is awaited."""
    request, answer = sent_async(server, call)
    check(server, call, request, answer)


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


@each
def test_what_is_given_by_position_and_all_else_by_name(
    client: SocialPublishing, server: Server, call: Call
) -> None:
    """§4.1: `{post}` and `{postId}`, `{calendarNote}` and `{calendarNoteId}`, `{group}` and
    `{groupId}` are one thing each, under one Python name; ids of the path come by position, too,
    and so does the one other argument that has to be given."""
    resource, name = call.method.split(".")
    method = getattr(getattr(client, resource), name)
    parameters = list(inspect.signature(method).parameters.values())
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    in_path = places(operation_of(call.method))
    singular = {
        "posts": "post_id",
        "groups": "group_id",
        "widgets": "group_id",
        "social_accounts": "social_account_id",
        "calendar_notes": "calendar_note_id",
        "labels": "label_id",
        "media": "media_id",
    }
    needed = [p.name for p in parameters if p.default is p.empty and p.name not in positional]
    others = positional[len(in_path) :]
    assert len(others) <= 1 and len(needed) != 1 and not (needed and others)
    assert not in_path or positional[0] == singular[resource]
    assert all(p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in parameters)
    assert all(p.name.islower() for p in parameters)
    with pytest.raises(TypeError, match=f"{name}\\(\\)"):
        method(*call.args, "more", "and more", **call.kwargs)
    if call.args:
        method(**{positional[0]: call.args[0]}, **call.kwargs)  # by name, it is the same


@nothing
@pytest.mark.parametrize(
    "answer",
    [
        Response(204),
        Response(200),
        Response(200, {"message": "done"}),
        Response(202, [1]),
        Response(205),
    ],
    ids=["204", "200 empty", "200 with a body", "202 with a list", "205"],
)
def test_a_write_without_a_documented_answer_takes_any(
    client: SocialPublishing, server: Server, call: Call, answer: Response
) -> None:
    """§4.3 to §4.5: where only error bodies are listed, 200 with a body, 200 empty and 204 are
    all success."""
    server.answers.append(answer)
    assert call.of(client) is None


@something
@pytest.mark.parametrize("status", [200, 201, 202, 299])
def test_any_success_code_is_taken(
    client: SocialPublishing, server: Server, call: Call, status: int
) -> None:
    """§4.8: success codes are not shown; a client takes any of 2xx."""
    server.answers.append(Response(status, success(operation_of(call.method)).json))
    assert call.of(client) is not None


def test_each_operation_goes_to_its_own_origin(client: SocialPublishing, server: Server) -> None:
    """§4.7: the three media operations go to the other base."""
    for call in CALLS:
        call.of(client)
    assert {(r.document, r.operation) for r in server.requests if r.document == "media"} == {
        ("media", "uploadMedia"),
        ("media", "uploadMediaFromUrl"),
        ("media", "getMediaStatus"),
    }
    assert len({r.operation for r in server.requests}) == len(CALLS)
    hosts = {request.headers["host"] for request in server.requests}
    assert hosts == {server.base_url.split("/")[2], server.media_url.split("/")[2]}


def test_two_hundred_long_identifiers_in_one_query(
    client: SocialPublishing, server: Server
) -> None:
    """§4.1: the ids of DELETE /posts-bulk are in the query, and there is no body: 200 ids of 20
    digits make a value of 4,199 characters, in which commas stay commas."""
    ids = [str(2**64 - 1 - n) for n in range(200)]
    client.posts.delete_many(ids=ids)
    request = server.requests[-1]
    value = request.target.partition("?ids=")[2]
    assert (len(value), value.split(",")) == (4199, ids)
    assert (request.body, "content-type" in request.headers) == (b"", False)
    assert "content-length" not in request.headers


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
    assert (answer is None) is (returned(call) is None)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({**GROUP, "name": "x" * 51}, "name"),
        ({each: value for each, value in GROUP.items() if each != "name"}, "name"),
        ({**GROUP, "type": 9}, "type"),
    ],
)
def test_the_server_refuses_what_a_document_forbids(
    client: SocialPublishing, server: Server, body: dict[str, Any], reason: str
) -> None:
    """The tests' own server is no yes-man: a body that does not fit is answered with 422."""
    from social_publishing import UnprocessableEntityError
    from social_publishing.resources.groups import build_replace

    request = build_replace(ID, **GROUP)
    changed = msgspec.structs.replace(request, body=json.dumps(body).encode())
    with pytest.raises(UnprocessableEntityError, match=reason):
        client.send(changed)
    for query in ("ids=", "ids=1&x=2", "ids=1,a", "", f"ids={'1,' * 200}1"):
        ask = msgspec.structs.replace(
            request, method="DELETE", path="/posts-bulk", query=query, body=None, content_type=None
        )
        with pytest.raises(UnprocessableEntityError, match="query"):
            client.send(ask)


def test_examples_of_the_server_fit_their_documents() -> None:
    """What the server answers is valid by the documents."""
    for operation in operations().values():
        content = _content(operation)
        if content is not None:
            body = success(operation).json
            assert operation.document.problems(content, body, operation.id) == []
    for document in documents().values():
        assert example(document, {"type": "string", "format": "date-time"}).endswith("Z")


def _content(operation: Operation) -> Any:
    responses = operation.node["responses"]
    response = operation.document.resolve(responses.get("200") or responses["2XX"])
    return response.get("content", {}).get("application/json", {}).get("schema")


def test_upload_as_a_stream_of_unknown_length(client: SocialPublishing, server: Server) -> None:
    """§4.7: a file that cannot tell its size goes out in chunks, complete; the boundary of the
    multipart body is its own."""
    import io

    from social_publishing import File

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.left = 3

        def read(self, size: int = -1) -> bytes:
            if not size:
                return b""
            self.left -= 1
            return b"\r\n--x" * 1000 if self.left >= 0 else b""

        def seekable(self) -> bool:
            return False

    client.media.upload(file=File(Pipe(), name='a "b"\r\n.png'))  # type: ignore[arg-type]
    (part,) = server.requests[-1].parts
    assert part.size == 15000
    assert part.filename == "a %22b%22%0D%0A.png"
    assert part.sha256 == hashlib.sha256(b"\r\n--x" * 3000).hexdigest()
    client.media.upload(file=File(b"1", name="a.png"))
    first, second = (r.headers["content-type"] for r in server.requests)
    assert first.startswith("multipart/form-data; boundary=") and first != second


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


def test_one_post_by_the_read_of_several(client: SocialPublishing, server: Server) -> None:
    server.answers += [Response(200, [{"id": ID}]), Response(200, [])]
    assert client.posts.get(ID).id == ID
    with pytest.raises(NotFoundError, match=f"the response has no id {ID}") as caught:
        client.posts.get(ID)
    assert caught.value.status == 404
    assert [each.target for each in server.requests] == [f"/v1/posts-bulk?ids={ID}"] * 2
