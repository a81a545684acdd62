"""The token: sent unchanged to the two bases, and seen nowhere else."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import traceback

import pytest
from calls import ADDRESSES, CALLS, ID, TOKEN
from server import Response, Server, serve
from social_publishing import (
    AsyncSocialPublishing,
    OutcomeUnknown,
    SocialPublishing,
    SocialPublishingError,
    StatusError,
)

# What cannot be taken down is warned of, and has tests of its own.
pytestmark = pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete")


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


def test_not_in_texts_of_a_client(client: SocialPublishing) -> None:
    """§5: no repr, str, vars or pickle of what a user can reach shows it."""
    from social_publishing.resources.groups import build_get

    for thing in (client, client.posts, client.posts.list, build_get(ID)):
        assert TOKEN not in repr(thing) and TOKEN not in str(thing)
    assert "***" in repr(client)
    asynchronous = AsyncSocialPublishing(api_token=TOKEN, **ADDRESSES)
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
        server.answers.append(Response(500, {"message": "broken"}))
        with pytest.raises((StatusError, OutcomeUnknown)):
            call.of(client)
    assert len(caplog.records) > 40, "the libraries underneath do log"
    for record in caplog.records:
        assert TOKEN not in record.getMessage()
        assert TOKEN not in repr(record.__dict__)


def test_addresses_in_bodies_are_not_visited(client: SocialPublishing, server: Server) -> None:
    """§5: neither a `file_url`, nor the `url` of a file, nor a `next_page_url` is fetched."""
    with serve() as stranger:
        url = f"{stranger.base_url}/groups/1"
        server.answers += [
            Response(200, {"id": "1", "url": url, "thumbnail": url, "preview": url}),
            Response(200, {"data": [], "links": [{"url": url}], "meta": {"next_page_url": url}}),
        ]
        assert client.media.upload_from_url(file_url=url).url == url
        page = client.posts.list(group_id=ID).first_page()
        assert page.meta and page.meta.next_page_url == url
        assert stranger.requests == []
    assert len(server.requests) == 2
    assert json.loads(server.requests[0].body) == {"file_url": url}
