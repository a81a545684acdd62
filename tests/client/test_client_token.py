"""The token: sent unchanged to the two bases, and seen nowhere else."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import pickle
import traceback
from typing import Any

import pytest
from calls import CALLS, ID, TOKEN
from server import Answer, Server, serve
from social_publishing import (
    AsyncSocialPublishing,
    ConfigurationError,
    DecodeError,
    OutcomeUnknown,
    SocialPublishing,
    SocialPublishingError,
    StatusError,
)

# What cannot be taken down is warned of, and has tests of its own.
pytestmark = pytest.mark.filterwarnings("ignore:posts.delete_many")


def _texts(error: BaseException) -> str:
    """All that a log or a pickle could show of an error."""
    shown = [repr(error), str(error), "".join(traceback.format_exception(error))]
    chain: BaseException | None = error
    while chain is not None:
        shown += [repr(chain.args), repr(vars(chain))]
        request = getattr(chain, "__dict__", {}).get("_request")
        if request is not None:
            shown.append(repr(getattr(request, "headers", "")))
            shown.append(repr(list(getattr(getattr(request, "headers", None), "raw", []))))
        chain = chain.__cause__ or chain.__context__
    if isinstance(error, SocialPublishingError):
        shown.append(repr(pickle.dumps(error)))
    return "\n".join(shown)


def test_sent_unchanged(server: Server) -> None:
    """§5: the token goes out as it is, whatever its characters."""
    token = "abc|DEF==.~+/!#$%&'\"{}0"
    where: dict[str, Any] = {"base_url": server.base_url, "media_url": server.media_url}
    with SocialPublishing(api_token=token, **where) as client:
        client.groups.get(ID)
        client.media.status(ID)
    assert [r.headers["authorization"] for r in server.requests] == [f"Bearer {token}"] * 2


def test_not_in_texts_of_a_client(client: SocialPublishing) -> None:
    """§5: no repr, str, vars or pickle of what a user can reach shows it."""
    from social_publishing.resources.groups import build_get

    for thing in (client, client.posts, client.posts.list, build_get(ID)):
        assert TOKEN not in repr(thing) and TOKEN not in str(thing)
    assert "***" in repr(client)
    asynchronous = AsyncSocialPublishing(api_token=TOKEN, base_url="http://a", media_url="http://b")
    assert TOKEN not in repr(asynchronous)
    for copied in (pickle.dumps, copy.deepcopy):
        try:
            shown = copied(client)
        except Exception as error:
            assert TOKEN not in _texts(error)
        else:
            assert TOKEN.encode() not in (shown if isinstance(shown, bytes) else b"")


def test_not_in_logs(
    client: SocialPublishing, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """§5: with every logger at DEBUG, no record has it, of any call or any failure."""
    caplog.set_level(logging.DEBUG)
    for call in CALLS:
        call.of(client)
        server.answers.append(Answer(500, {"message": "broken"}))
        with pytest.raises((StatusError, OutcomeUnknown)):
            call.of(client)
    assert len(caplog.records) > 40, "the libraries underneath do log"
    for record in caplog.records:
        assert TOKEN not in record.getMessage()
        assert TOKEN not in repr(record.__dict__)


def test_not_in_errors(client: SocialPublishing, server: Server) -> None:
    """§5: no exception shows it, with what it holds and what caused it, even where the service
    repeats it."""
    gone = SocialPublishing(
        api_token=TOKEN, base_url="http://127.0.0.1:9", media_url="http://a", retries=0
    )
    cases: list[tuple[Any, list[Answer]]] = [
        (client, [Answer(401, {"message": f"Bad token {TOKEN}"})]),
        (client, [Answer(500, body=f"<pre>Authorization: Bearer {TOKEN}</pre>".encode())]),
        (client, [Answer(403, {"message": "no"}, headers={"X-Echo": f"Bearer {TOKEN}"})]),
        (client, [Answer(200, {"id": [1]})]),
        (client, [Answer(200, body=b"{", headers={"Content-Length": "50"})]),
        (gone, []),
    ]
    for which, answers in cases:
        server.answers.extend(answers)
        with pytest.raises(SocialPublishingError) as caught:
            which.groups.get(ID)
        assert TOKEN not in _texts(caught.value)
    with pytest.raises(SocialPublishingError) as refused:
        client.groups.get("")
    assert TOKEN not in _texts(refused.value)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(200, {"id": [1], "name": f"Bearer {TOKEN}"}),
        Answer(200, {"id": [1]}, headers={"X-Echo": f"Bearer {TOKEN}"}),
    ],
    ids=["body", "header"],
)
def test_not_in_errors_of_a_success(
    client: SocialPublishing, server: Server, answer: Answer
) -> None:
    """§5: an answer that repeats the token and does not fit its model keeps it to itself."""
    server.answers.append(answer)
    with pytest.raises(DecodeError) as caught:
        client.groups.get(ID)
    assert TOKEN not in _texts(caught.value)


@pytest.mark.parametrize("token", [f"{TOKEN}\n", f" {TOKEN}", f"{TOKEN}é", f"{TOKEN}\x00", ""])
def test_a_token_that_cannot_be_sent(token: str) -> None:
    """§5: white space and what a header cannot carry is refused, without saying it."""
    with pytest.raises(ConfigurationError) as caught:
        SocialPublishing(api_token=token, base_url="http://a", media_url="http://b")
    assert "api_token" in str(caught.value)
    assert TOKEN not in _texts(caught.value)


def test_a_token_in_the_place_of_an_address() -> None:
    """§5: somebody who mixes the arguments up does not find the token in the error."""
    for wrong in (TOKEN, f"https://{TOKEN}@a.invalid/v1", f"https://a.invalid/v1?token={TOKEN}"):
        with pytest.raises(ConfigurationError) as caught:
            SocialPublishing(api_token="x", base_url=wrong, media_url="http://b")
        assert TOKEN not in _texts(caught.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(client: SocialPublishing, server: Server, status: int) -> None:
    """§5: the token does not go across a redirect, to another host or to the other base."""
    with serve() as stranger:
        for target in (f"{stranger.base_url}/groups/1", f"{server.media_url}/status/1", "/v1/x"):
            for method in (client.groups.get, client.labels.delete):
                server.requests.clear()
                server.answers.append(Answer(status, {}, headers={"Location": target}))
                with pytest.raises(StatusError) as caught:
                    method("1")
                assert caught.value.status == status
                assert caught.value.headers["location"] == target
                assert len(server.requests) == 1
        assert stranger.requests == []


def test_addresses_in_bodies_are_not_visited(client: SocialPublishing, server: Server) -> None:
    """§5: neither a `file_url`, nor the `url` of a file, nor a `next_page_url` is fetched."""
    with serve() as stranger:
        url = f"{stranger.base_url}/groups/1"
        server.answers += [
            Answer(200, {"id": "1", "url": url, "thumbnail": url, "preview": url}),
            Answer(200, {"data": [], "links": [{"url": url}], "meta": {"next_page_url": url}}),
        ]
        assert client.media.upload_from_url(file_url=url).url == url
        page = client.posts.list(group_id=ID).first_page()
        assert page.meta and page.meta.next_page_url == url
        assert stranger.requests == []
    assert len(server.requests) == 2
    assert json.loads(server.requests[0].body) == {"file_url": url}


def test_a_foreign_http_client_adds_nothing(server: Server) -> None:
    """§5: an HTTP client that was handed in, with its own redirects, credentials and cookies,
    neither follows a redirect nor changes the token; it is not closed with ours."""
    import httpx2

    with serve() as stranger:
        target = {"Location": f"{stranger.base_url}/groups/1"}
        server.answers.append(Answer(302, {}, headers=target))
        where: dict[str, Any] = {"base_url": server.base_url, "media_url": server.media_url}
        with httpx2.Client(follow_redirects=True, auth=("user", "secret")) as http:
            with (
                SocialPublishing(api_token=TOKEN, http_client=http, **where) as client,
                pytest.raises(StatusError),
            ):
                client.groups.get(ID)
            assert not http.is_closed
        assert stranger.requests == []
    assert server.requests[-1].headers["authorization"] == f"Bearer {TOKEN}"


def test_asynchronous_redirect(server: Server) -> None:
    """§5: the same for the client that is awaited."""

    async def run(where: dict[str, Any]) -> None:
        async with AsyncSocialPublishing(api_token=TOKEN, **where) as client:
            await client.groups.get(ID)

    with serve() as stranger:
        target = {"Location": f"{stranger.base_url}/groups/1"}
        server.answers.append(Answer(307, {}, headers=target))
        with pytest.raises(StatusError):
            asyncio.run(run({"base_url": server.base_url, "media_url": server.media_url}))
        assert stranger.requests == []
