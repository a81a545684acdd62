"""Whole answers, streams, retries and options, through the generated clients."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import pickle
from typing import Any

import msgspec
import pytest
from calls import CALLS, ID, TOKEN, VIDEO, Call
from server import Answer, Server
from social_publishing import (
    AsyncSocialPublishing,
    Attempt,
    ConfigurationError,
    Exchange,
    OutcomeUnknown,
    ResponseTooLarge,
    Retries,
    ServerError,
    SocialPublishing,
)
from social_publishing.resources.groups import build_get
from social_publishing.resources.posts import build_list

# What cannot be taken down is warned of, and has tests of its own.
pytestmark = pytest.mark.filterwarnings("ignore:posts.delete_many")

each = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
REAL = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])
FAST = Retries(attempts=3, first_pause=0)
# What must not be done twice, as the documents and their overlays have it.
UNSAFE = {"labels.create", "media.upload", "media.upload_from_url", "posts.update"}


def use(asynchronous: bool, server: Server, act: Any, **options: Any) -> Any:
    """What `act(client)` gives, awaited where it has to be."""
    given: dict[str, Any] = {
        "api_token": TOKEN,
        "base_url": server.base_url,
        "media_url": server.media_url,
        "pacing": "off",
        "retries": FAST,
        **options,
    }
    if not asynchronous:
        with SocialPublishing(**given) as client:
            return act(client)

    async def run() -> Any:
        async with AsyncSocialPublishing(**given) as client:
            return await act(client)

    return asyncio.run(run())


def raw(call: Call) -> Any:
    return lambda client: call.raw(getattr(client, call.method.partition(".")[0]).with_raw_response)


def plain(call: Call) -> Any:
    return lambda client: call.of(client)


@REAL
@each
def test_the_whole_answer_of_every_operation(
    asynchronous: bool, server: Server, call: Call
) -> None:
    """Status, header fields, bytes, the service's name for the request, and what it all means."""
    expected = use(asynchronous, server, plain(call))
    documented = server.answered[-1]
    content = documented.body or json.dumps(documented.json).encode()
    if documented.status == 204:
        content = b""
    fields = {**documented.headers, "X-Request-Id": "r-7"}
    busy = Answer(429, {"message": "slow down", "error": "slow down"})
    server.answers += [busy, Answer(documented.status, documented.json, headers=fields)]
    found = use(asynchronous, server, raw(call))
    assert (found.status, found.attempts, found.request_id) == (documented.status, 2, "r-7")
    assert found.headers["x-ratelimit-remaining"] == "59"
    assert found.body == (content if documented.json is not None else b"")
    parsed = found.parse()
    if call.method == "posts.get_many":
        expected = list(expected)
    assert msgspec.to_builtins(parsed) == msgspec.to_builtins(expected)
    assert TOKEN not in repr(found) + repr(vars(found))


@REAL
@each
def test_what_is_repeated_and_what_is_not(asynchronous: bool, server: Server, call: Call) -> None:
    """A read and a write that leaves the same are sent again after a 503; another write never is,
    but after a 429, which says that nothing was done."""
    server.requests.clear()
    server.answers += [Answer(503, {"message": "x", "error": "x"})] * 3
    kind = OutcomeUnknown if call.method in UNSAFE else ServerError
    with pytest.raises(kind) as caught:
        use(asynchronous, server, plain(call))
    assert len(server.requests) == (1 if call.method in UNSAFE else 3)
    if isinstance(caught.value, OutcomeUnknown):
        assert caught.value.request.operation == call.method
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), type(again.probe)) == (str(caught.value), type(caught.value.probe))
        assert (again.probe is not None) is (call.method == "posts.update")
    assert len({(each.method, each.target) for each in server.requests}) == 1
    server.requests.clear()
    server.answers.clear()
    server.answers += [Answer(429, {"message": "x", "error": "x"})] * 2
    use(asynchronous, server, plain(call))
    assert len(server.requests) == 3


@REAL
def test_an_upload_is_sent_again_whole(asynchronous: bool, server: Server) -> None:
    server.answers += [Answer(429, {"error": "x"})] * 2
    call = next(call for call in CALLS if call.method == "media.upload")
    use(asynchronous, server, plain(call))
    assert [each.parts[0].size for each in server.requests] == [len(VIDEO)] * 3
    assert len({each.parts[0].sha256 for each in server.requests}) == 1


@REAL
def test_a_list_piece_by_piece(asynchronous: bool, server: Server) -> None:
    """`client.stream` gives the bytes as they come, of any length, decompressed."""
    page = json.dumps({"data": [{"id": str(n)} for n in range(5000)]}).encode()
    packed = gzip.compress(page)

    def sync(client: SocialPublishing) -> bytes:
        with client.stream(build_list(group_id=ID)) as response:
            assert (response.status, response.attempts) == (200, 1)
            return b"".join(response.iter_bytes(1000))

    async def awaited(client: AsyncSocialPublishing) -> bytes:
        async with client.stream(build_list(group_id=ID)) as response:
            return b"".join([piece async for piece in response.iter_bytes(1000)])

    for body, fields in ((page, {}), (packed, {"Content-Encoding": "gzip"})):
        server.answers.append(
            Answer(200, body=body, headers={"Content-Length": str(len(body)), **fields})
        )
        act = awaited if asynchronous else sync
        assert use(asynchronous, server, act, max_response_bytes=10) == page


@REAL
def test_an_answer_is_read_up_to_a_length(asynchronous: bool, server: Server) -> None:
    server.answers.append(Answer(200, {"id": "1", "name": "x" * 1000}))
    with pytest.raises(ResponseTooLarge, match="raise max_response_bytes"):
        use(asynchronous, server, lambda c: c.groups.get(ID), max_response_bytes=500)
    assert len(server.requests) == 1


@REAL
def test_options_for_one_call(asynchronous: bool, server: Server) -> None:
    server.answers += [Answer(503, {"message": "x"})] * 2
    with pytest.raises(ServerError):
        use(asynchronous, server, lambda c: c.with_options(retries=1).groups.get(ID))
    assert len(server.requests) == 2
    use(
        asynchronous,
        server,
        lambda c: c.with_options(headers={"X-Trace": "7"}).groups.get(ID),
        headers={"X-Team": "a"},
    )
    sent = server.requests[-1].headers
    assert (sent["x-trace"], sent["x-team"]) == ("7", "a")


def test_options_that_cannot_be_used(server: Server) -> None:
    where: dict[str, Any] = {"api_token": TOKEN, "base_url": "http://a", "media_url": "http://b"}
    for kind in (SocialPublishing, AsyncSocialPublishing):
        with pytest.raises(ConfigurationError) as caught:
            kind(**where, timeout=0, retries=-1, headers={"Authorization": f"Bearer {TOKEN}x"})
        assert str(caught.value).count(";") == 2 and TOKEN not in str(caught.value)


@REAL
def test_middleware(asynchronous: bool, server: Server) -> None:
    """It sees every attempt, may change it, and may answer by itself."""
    seen: list[int] = []

    def sync(attempt: Attempt, way: Any) -> Any:
        seen.append(attempt.number)
        return way(attempt._replace(headers={**attempt.headers, "X-Trace": str(attempt.number)}))

    server.answers.append(Answer(503, {"message": "x"}))
    use(asynchronous, server, lambda c: c.groups.get(ID), middleware=[sync])
    assert seen == [1, 2]
    assert [each.headers["x-trace"] for each in server.requests] == ["1", "2"]

    async def stub_async(attempt: Attempt, way: Any) -> Exchange:
        return stub(attempt, way)

    def stub(attempt: Attempt, way: Any) -> Exchange:
        where = Exchange(attempt.operation, attempt.method, attempt.url)
        return where._replace(status=200, body=b'{"id": "5"}')

    server.requests.clear()
    chosen = stub_async if asynchronous else stub
    group = use(asynchronous, server, lambda c: c.groups.get(ID), middleware=[chosen])
    assert (group.id, server.requests) == ("5", [])


@REAL
def test_the_log_has_no_query_no_body_and_no_token(
    asynchronous: bool, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """With DEBUG on: what was called and what came, and nothing that is nobody's business."""
    caplog.set_level(logging.DEBUG, "social_publishing")
    for call in CALLS:
        server.answers.append(Answer(429, {"message": "s3cret-body", "error": "s3cret-body"}))
        use(asynchronous, server, plain(call), headers={"X-Own": "s3cret-field"})
    ours = [record for record in caplog.records if record.name == "social_publishing"]
    assert len(ours) == 3 * len(CALLS)
    text = "\n".join(f"{record.getMessage()} {record.args!r}" for record in ours)
    for hidden in (TOKEN, "s3cret", "?", "ids=", "groupId", "Grüße", "Opening", "files.invalid"):
        assert hidden not in text
    assert "posts.list, attempt 1, GET /v1/posts: answered 429" in text


@REAL
def test_a_request_of_ones_own(asynchronous: bool, server: Server) -> None:
    found = use(asynchronous, server, lambda c: c.send(build_get(ID).raw))
    assert (found.status, found.parse().id) == (200, json.loads(found.body)["id"])
