"""Errors: one tree, whose errors show what came and can be pickled."""

from __future__ import annotations

import inspect
import pickle
import re
from typing import Any

import pytest
import social_publishing
from calls import ID, TOKEN
from server import Response, Server
from social_publishing import (
    ArgumentError,
    ConfigurationError,
    DecodeError,
    NotFoundError,
    RateLimitError,
    SocialPublishing,
    SocialPublishingError,
    TransportError,
    errors,
)

# What cannot be taken down is warned of, and has tests of its own.
pytestmark = pytest.mark.filterwarnings(r"ignore:(posts|calendar_notes)\.delete")


STATUSES = (302, 304, 400, 401, 402, 403, 404, 409, 413, 415, 418, 422, 429, 500, 503, 599)


def test_rate_limit(client: SocialPublishing, server: Server) -> None:
    """§8: the limit is not always 60 and Reset is Unix time: the headers of an error can be
    read; on either host, in that host's own body."""
    headers = {"X-RateLimit-Limit": "120", "X-RateLimit-Remaining": "0", "Retry-After": "7"}
    server.answers += [
        Response(429, {"message": "slow down"}, headers=headers),
        Response(429, {"error": "slow down"}, headers=headers),
    ]
    for call in (client.groups.get, client.media.status):
        with pytest.raises(RateLimitError) as caught:
            call(ID)
        error = caught.value
        assert error.headers["x-ratelimit-limit"] == "120"
        assert error.headers["x-ratelimit-reset"] == "1796115660"
        assert error.headers["retry-after"] == "7"
        assert error.message == "slow down"
    with pytest.raises(DecodeError) as broken:
        server.answers.append(Response(200, []))
        client.groups.get(ID)
    assert broken.value.headers["x-ratelimit-remaining"] == "59"


def test_status_error_of_a_file_is_no_error_of_the_request(
    client: SocialPublishing, server: Server
) -> None:
    """§7: the status answer carries `error` in a success, too: the HTTP status tells."""
    server.answers += [
        Response(200, {"media_id": "1", "status": "failed", "error": "codec", "data": None}),
        Response(404, {"error": "unknown"}),
    ]
    status = client.media.status("1")
    assert (status.error, status.data) == ("codec", None)
    with pytest.raises(NotFoundError) as caught:
        client.media.status("1")
    assert caught.value.message == "unknown"


def _everything(client: SocialPublishing, server: Server) -> list[SocialPublishingError]:
    """One error of each kind."""
    found: list[SocialPublishingError] = []

    def catch(call: Any) -> None:
        with pytest.raises(SocialPublishingError) as caught:
            call()
        found.append(caught.value)

    once = client.with_options(retries=0)
    for status in STATUSES:
        server.answers.append(Response(status, {"message": "no", "errors": {"a": ["b"]}}))
        catch(lambda: once.groups.get(ID))
    server.answers.append(Response(200, []))
    catch(lambda: client.groups.get(ID))
    catch(lambda: client.groups.get(""))
    catch(lambda: SocialPublishing(api_token=""))
    gone = SocialPublishing(
        api_token=TOKEN, base_url="http://127.0.0.1:9/v1", media_url="http://a/api/v1", retries=0
    )
    catch(lambda: gone.groups.get(ID))
    server.answers.append(Response(500, {"message": "no"}))
    catch(lambda: client.labels.create(name="x"))
    server.answers.append(Response(200, {"id": "1"}))
    catch(lambda: client.with_options(max_response_bytes=1).groups.get(ID))
    server.answers.append(Response(503, {}, headers={"Retry-After": "9"}))
    catch(lambda: client.with_options(deadline=5, retries=1).groups.get(ID))
    gone.close()
    catch(lambda: gone.groups.get(ID))
    return found


def test_errors_survive_pickling(client: SocialPublishing, server: Server) -> None:
    """Errors cross processes: text, class and facts stay."""
    for error in _everything(client, server):
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error)
        assert str(copy) == str(error)
        for name in ("status", "message", "errors", "path", "reason", "problems", "body", "url"):
            assert getattr(copy, name, None) == getattr(error, name, None)


def test_nothing_of_the_libraries_escapes(client: SocialPublishing, server: Server) -> None:
    """All errors have the one base; an ArgumentError is a ValueError, too."""
    for error in _everything(client, server):
        assert isinstance(error, SocialPublishingError)
        assert type(error).__module__ == "social_publishing.errors"
    assert issubclass(ArgumentError, ValueError)
    assert issubclass(ConfigurationError, SocialPublishingError)
    assert issubclass(TransportError, SocialPublishingError)


def test_the_tree_at_the_top_of_the_file_is_the_tree_of_classes() -> None:
    """errors.py draws its tree; so does the README. Both are the classes that exist."""
    drawn = re.findall(r"^([│ ├└─]*)(\w+)", inspect.getdoc(errors) or "", re.MULTILINE)
    drawn = [(len(lines) // 4, name) for lines, name in drawn if name in errors.__all__]
    assert drawn[0] == (0, "SocialPublishingError")
    path: list[str] = []
    parents = {}
    for depth, name in drawn:
        path[depth:] = [name]
        parents[name] = path[depth - 1] if depth else "Exception"
    public = {
        name
        for name in errors.__all__
        if isinstance(getattr(errors, name), type)
        and issubclass(getattr(errors, name), SocialPublishingError)
    }
    assert set(parents) == public
    for name, parent in parents.items():
        kind = getattr(errors, name)
        nearest = next(
            base.__name__
            for base in kind.__mro__[1:]
            if base.__name__ in {*public, "Exception"} and base.__name__ != name
        )
        assert nearest == parent
        assert getattr(social_publishing, name) is kind
    with open(social_publishing.__path__[0] + "/../../README.md", encoding="utf-8") as file:
        block = re.search(r"```\n(SocialPublishingError\n.*?)```", file.read(), re.DOTALL)
    assert block is not None
    there = [
        (len(lines) // 4, name)
        for lines, name in re.findall(r"^([│ ├└─]*)(\w+)", block[1], re.MULTILINE)
    ]
    assert there == drawn
