"""What each operation does where its response is lost: it is repeated, or looked for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from calls import CALLS, ID, OTHER, TOKEN, Call, operation_of
from server import Response, Server
from social_publishing import (
    AsyncSocialPublishing,
    OutcomeUnknown,
    Reconciled,
    SocialPublishing,
)
from social_publishing.models import Post, PostStatus

from tests.support.both import awaited, now, run

pytestmark = pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete")
CLIENTS = {"sync": SocialPublishing, "asyncio": AsyncSocialPublishing}
both = pytest.mark.parametrize("backend", CLIENTS)
CUT = Response(200, body=b"{", headers={"Content-Length": "1000"})
BUSY = Response(503, {"message": "Later."}, headers={"Retry-After": "0"})


def on(backend: str, server: Server, use: Callable[[Any, Any], Awaitable[Any]]) -> Any:
    """Return what is awaited of a client, once as it is and once with what awaits."""

    async def main() -> Any:
        client = CLIENTS[backend](
            api_token=TOKEN, base_url=server.base_url, media_url=server.media_url,
            retries=1, pacing="off",
        )  # fmt: skip
        async with awaited(client) as opened:
            return await use(client, opened)

    return run(backend, main)


def is_repeatable(call: Call) -> bool:
    """Whether a document lets an operation be repeated: by its method, or by a word."""
    node, method = operation_of(call.method).node, operation_of(call.method).method.upper()
    usual = "idempotent" if method in ("GET", "HEAD", "PUT", "DELETE") else "unsafe"
    return bool(node.get("x-retry-safety", usual) != "unsafe")


def test_some_are_repeated_and_some_are_not() -> None:
    assert {is_repeatable(call) for call in CALLS} == {True, False}


@both
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_what_may_be_repeated_is(server: Server, backend: str, call: Call) -> None:
    """And nothing else: a write that may have been carried out is sent once."""
    server.answers.append(BUSY)
    if is_repeatable(call):
        on(backend, server, lambda client, _: now(call.of(client)))
        assert len({(each.method, each.target, each.body) for each in server.requests}) == 1
    else:
        with pytest.raises(OutcomeUnknown) as caught:
            on(backend, server, lambda client, _: now(call.of(client)))
        assert caught.value.request.operation == call.method
    assert len(server.requests) == 1 + is_repeatable(call)


UPDATE = Call("posts.update", (ID,), {"content": "new"})
DRAFT = Call("posts.set_draft", (), {"is_draft": True, "post_ids": [ID, OTHER]})
EARLY, LATER = PostStatus.DRAFT, PostStatus.SCHEDULED
BEFORE = [Post(id=each, content="old", status=LATER) for each in (ID, OTHER)]


def posts(content: str, *statuses: PostStatus) -> Response:
    """Return how two posts are, the other one first."""
    found = zip((OTHER, ID), reversed(statuses), strict=True)
    return Response(200, [{"id": i, "content": content, "status": s.value} for i, s in found])


GONE = Response(200, [{"id": OTHER, "content": "new", "status": 5}])


@both
@pytest.mark.parametrize(
    ("call", "there", "done", "each"),
    [
        (UPDATE, posts("new", LATER, LATER), True, {}),
        (UPDATE, posts("old", LATER, LATER), False, {}),
        (UPDATE, GONE, False, {}),
        (DRAFT, posts("old", EARLY, EARLY), True, {ID: True, OTHER: True}),
        (DRAFT, posts("new", LATER, LATER), False, {ID: False, OTHER: False}),
        (DRAFT, posts("new", EARLY, LATER), False, {ID: True, OTHER: False}),
    ],
)
def test_a_lost_write_is_looked_for(
    server: Server, backend: str, call: Call, there: Response, done: bool, each: dict[str, bool]
) -> None:
    async def use(client: Any, _: Any) -> Reconciled:
        server.answers.extend([CUT, there])
        with pytest.raises(OutcomeUnknown) as caught:
            await now(call.of(client))
        error = caught.value
        assert error.request.operation == call.method
        before = BEFORE[:1] if call is UPDATE else BEFORE
        found: Reconciled = await now(
            error.reconcile(before) if backend == "sync" else error.reconcile_async(before)
        )
        return found

    found = on(backend, server, use)
    assert found.done is done, found
    assert {key: one.done for key, one in found.each.items()} == each
    assert [each.method for each in server.requests][-1] == "GET" and len(server.requests) == 2


@both
def test_what_any_list_of_a_result_has_is_not_unmentioned(server: Server, backend: str) -> None:
    sent = [str(number) for number in range(1, 5)]
    lists = dict(zip(("post_ids", "skipped_no_assignee", "skipped_published"), sent, strict=False))
    server.answers.append(Response(200, {name: [each] for name, each in lists.items()}))
    call = Call("posts.set_draft", (), {"is_draft": True, "post_ids": sent})
    found = on(backend, server, lambda client, _: now(call.of(client)))
    assert {name: getattr(found, name) for name in lists} == {n: [i] for n, i in lists.items()}
    assert found.unmentioned == (sent[3],)


@both
def test_a_lost_write_of_several_has_the_result_that_its_response_would_have(
    server: Server, backend: str
) -> None:
    async def use(client: Any, _: Any) -> Any:
        server.answers.extend([posts("old", LATER, LATER), CUT, posts("old", EARLY, EARLY)])
        return await now(DRAFT.of(client.with_options(lost_writes="reconcile")))

    found = on(backend, server, use)
    lists = found.post_ids, found.skipped_no_assignee, found.skipped_published, found.unmentioned
    assert lists == ([ID, OTHER], None, None, ())
