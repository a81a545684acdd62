"""One API over HTTP: what is matched, how it is refused, and what every response tells."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import json
import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock
from urllib.parse import unquote

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wire import FROM, TO, Wire

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api import http
from social_publishing_sandbox.api.space import NoSpace
from social_publishing_sandbox.state.rate_limit import RateLimit

Headers = list[tuple[bytes, bytes]]
RATE = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")


@dataclasses.dataclass
class Response:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return orjson.loads(self.body)

    @property
    def message(self) -> str:
        """What it tells people, whichever API it comes from."""
        known = self.json.get("message", self.json.get("error"))
        return next((text for text in texts(known or self.json) if " " in text), "")


def texts(value: Any) -> Iterator[str]:
    """Yield the texts of a body in its order, whatever form was confirmed for it."""
    if isinstance(value, str):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from texts(each)


def call(
    app: Any,
    method: str,
    target: str,
    headers: Headers,
    body: bytes = b"",
    pieces: int = 1,
) -> Response:
    """One request through ASGI, with exactly these headers, the body cut into pieces.

    Only what says how long the body is is added, where it is missing.
    """
    if body and not {b"content-length", b"transfer-encoding"} & dict(headers).keys():
        headers = [*headers, (b"content-length", str(len(body)).encode())]
    path, _, query = target.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("latin-1"),
        "query_string": query.encode("latin-1"),
        "headers": headers,
    }
    size = -(-len(body) // pieces) or 1
    cut = [body[n : n + size] for n in range(0, len(body), size)] or [b""]
    coming = [
        {"type": "http.request", "body": piece, "more_body": number < len(cut)}
        for number, piece in enumerate(cut, 1)
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return coming.pop(0) if coming else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(asyncio.wait_for(app(scope, receive, send), 3))
    return Response(
        sent[0]["status"],
        {name.decode(): value.decode() for name, value in sent[0]["headers"]},
        b"".join(each.get("body", b"") for each in sent[1:]),
    )


def usual(sandbox: Sandbox, *more: tuple[bytes, bytes]) -> Headers:
    token = b"Bearer " + sandbox.token.encode()
    return [(b"host", b"sandbox.test"), (b"authorization", token), *more]


JSON = (b"content-type", b"application/json")


def ask(sandbox: Sandbox, method: str, target: str, body: object = None) -> Response:
    """A request as a client would send it; the path says which API it is for."""
    app = sandbox.media_app if target.startswith("/api/") else sandbox.app
    if body is None:
        return call(app, method, target, usual(sandbox))
    content = body if isinstance(body, bytes) else orjson.dumps(body)
    length = (b"content-length", str(len(content)).encode())
    return call(app, method, target, usual(sandbox, JSON, length), content)


def group_of(sandbox: Sandbox) -> str:
    return str(sandbox.world()["groups"][0]["id"])


# Which operation is meant


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/groups/{group}", 200),
        ("/v1/%67roups/{group}", 200),
        ("/%76%31/groups/{group}", 200),
        ("/v1/groups/{group}/", 404),
        ("/v1/groups", 404),
        ("/v1/groups/", 404),
        ("/v1", 404),
        ("/v1/", 404),
        ("/v1//groups/{group}", 404),
        ("/v1/./groups/{group}", 404),
        ("/v1/labels/../groups/{group}", 404),
        ("/v1/groups%2F{group}", 404),
        ("/v1%2Fgroups/{group}", 404),
        ("/v1%2Fgroups/posts-bulk?ids=1", 404),
        ("/v1/groups/%00", 404),
        ("/v1/groups/%zz", 404),
        ("/v1/groups/%ff", 404),
        ("/v1/groups/" + "9" * 5000, 404),
        ("/v1/GROUPS/{group}", 404),
    ],
)
def test_paths(shared: Sandbox, path: str, status: int) -> None:
    response = ask(shared, "GET", path.format(group=group_of(shared)))
    assert response.status == status
    assert status == 200 or response.message.startswith(("There is no ", "The identifier "))


def test_what_is_not_there_is_named_as_it_was_asked_for(shared: Sandbox) -> None:
    response = ask(shared, "GET", "/v1/groups%2F1?a=b")
    assert response.message == "There is no operation GET /v1/groups%2F1."


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "TRACE", "PUT", "QUERY", "get"])
def test_another_method_is_told_which_there_are(shared: Sandbox, method: str) -> None:
    response = ask(shared, method, "/v1/posts-bulk?ids=1")
    assert (response.status, response.headers["allow"]) == (405, "DELETE, GET")


# What every response tells


def test_every_response_tells_the_rate(own: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = {
        "createLabel": RuntimeError("planted"),
        "deleteLabel": MemoryError(),
        "getGroup": NoSpace("planted"),
    }
    failing = {name: Mock(side_effect=error) for name, error in errors.items()}
    monkeypatch.setattr(http, "HANDLERS", {**http.HANDLERS, **failing})
    nobody = [(b"host", b"sandbox.test")]
    responses = {
        200: ask(own, "GET", "/v1/posts-bulk?ids=1"),
        204: ask(own, "DELETE", "/v1/posts-bulk?ids=1"),
        400: call(own.app, "GET", "/v1/posts-bulk?ids=1", []),
        401: call(own.media_app, "GET", "/api/v1/status/1", nobody),
        404: ask(own, "GET", "/api/v1/nothing"),
        405: ask(own, "PUT", "/v1/labels"),
        413: call(
            own.media_app,
            "POST",
            "/api/v1/upload",
            usual(
                own,
                (b"content-type", b"multipart/form-data; boundary=b"),
                (b"content-length", b"9999999999"),
                (b"expect", b"100-continue"),
            ),
        ),
        422: ask(own, "GET", "/v1/posts-bulk"),
        500: ask(own, "POST", "/v1/labels", {"name": "a"}),
        507: ask(own, "GET", "/v1/groups/1"),
    }
    memory = ask(own, "DELETE", "/v1/labels/1")
    own.limit(1)
    ask(own, "GET", "/v1/posts-bulk?ids=1")
    responses[429] = ask(own, "GET", "/api/v1/status/1")
    assert {status: each.status for status, each in responses.items()} == {
        response: response for response in responses
    }
    assert memory.status == 500
    for each in [*responses.values(), memory]:
        assert all(each.headers[name].isdigit() for name in RATE), each
        assert int(each.headers["sandbox-request"]) > 0


def test_one_budget_over_both_apis_in_real_time(own: Sandbox) -> None:
    real = 1_000.5
    own.service.limits = RateLimit(3, 60, real=lambda: real)
    main, media = "/v1/posts-bulk?ids=1", "/api/v1/status/1"
    assert [ask(own, "GET", each).headers[RATE[1]] for each in (main, media, main)] == [*"210"]
    for target in (main, media):
        refused = ask(own, "GET", target)
        assert refused.status == 429
        assert ask(own, "GET", "/v1/nothing").status == 429, "all requests (§8)"
        assert refused.headers["retry-after"] == "60"
        assert [refused.headers[name] for name in RATE] == ["3", "0", "1060"]
        assert "Too many requests" in refused.message
    own.advance(days=1)
    assert ask(own, "GET", main).status == 429, "the sandbox's clock plays no part"
    real = 1_060
    assert ask(own, "GET", main).headers[RATE[1]] == "2"


@pytest.mark.parametrize("kind", ["status", "rate-limited"])
@pytest.mark.parametrize("seconds", [0, 1, 86_400, None])
def test_a_refusal_says_when_to_come_back_as_its_fault_does(
    own: Sandbox, kind: str, seconds: int | None
) -> None:
    own.service.limits = RateLimit(3, 60, real=time.time)
    own.fault(kind, retry_after=seconds)
    told = ask(own, "GET", "/v1/posts-bulk?ids=1").headers.get("retry-after")
    if seconds is None and kind == "rate-limited":
        assert told and 0 < int(told) <= 60, "until the window ends"
    else:
        assert told == (None if seconds is None else str(seconds))


@pytest.mark.parametrize("by_clock", [False, True])
@pytest.mark.parametrize("window", [1, 7, 60, 3600])
def test_a_window_ends_when_the_header_says(window: int, by_clock: bool) -> None:
    now = [1_000_003.9]
    limits = RateLimit(1, window, by_clock=by_clock, real=lambda: now[-1])
    first = limits.take("Tom")
    assert 0 < first.reset - int(now[0]) <= window
    assert first.reset % window == 0 if by_clock else first.reset - int(now[0]) == window
    for moment, left in ((first.reset - 0.1, 0), (first.reset, 1)):
        now.append(moment)
        assert limits.look("Tom").remaining == left
        assert limits.look("Ann").remaining == 1
    budget = limits.take("Tom")
    assert (budget.wait, budget.reset) == (0, first.reset + window)
    assert limits.take("Tom").wait == window


@pytest.mark.parametrize("limit", [5, 3, 2, 1, 0, None])
def test_a_lower_limit_leaves_no_room_and_no_debt(limit: int | None) -> None:
    limits = RateLimit(4, 60, 4, real=lambda: 1_000)
    for _ in range(2):
        limits.take("Tom")
    limits.limit = limit
    look = limits.look("Tom")
    assert look.remaining == (4 if limit is None else max(limit - 2, 0))
    assert limits.look("Ann").remaining == (4 if limit is None else limit)
    assert limits.take("Tom").remaining == (4 if limit is None else max(limit - 3, 0))


# Who asks


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (None, "The request has no token: send the header Authorization: Bearer <API_TOKEN>."),
        (b"", "The request has no token: send the header Authorization: Bearer <API_TOKEN>."),
        (b"Bearer", "The header Authorization must be Bearer and a token."),
        (b"Basic YTpi", "The header Authorization must be Bearer and a token."),
        (b"Bearer ", "The token is not valid."),
        (b"Bearer no", "The token is not valid."),
        (b"Bearer \xff\xfe", "The token is not valid."),
        (b"Bearer %b trailing", "The token is not valid."),
    ],
)
def test_what_is_wrong_with_a_token(shared: Sandbox, value: bytes | None, sentence: str) -> None:
    headers = [(b"host", b"a")]
    if value is not None:
        headers.append((b"authorization", value.replace(b"%b", shared.token.encode())))
    main = call(shared.app, "GET", "/v1/posts", headers)
    media = call(shared.media_app, "GET", "/api/v1/status/1", headers)
    assert (main.status, main.json) == (401, {"message": sentence})
    assert (media.status, media.json) == (401, {"message": sentence})


def test_the_scheme_may_be_written_in_any_case(shared: Sandbox) -> None:
    headers = [(b"host", b"a"), (b"authorization", f"bEARER {shared.token}".encode())]
    assert call(shared.app, "GET", "/v1/posts-bulk?ids=1", headers).status == 200


# What cannot be certain


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ((b"host", b"other"), "Host"),
        ((b"authorization", b"Bearer other"), "Authorization"),
        ((b"content-type", b"text/plain"), "Content-Type"),
        ((b"content-length", b"3"), "Content-Length"),
    ],
)
def test_what_is_sent_twice_is_not_chosen_from(
    shared: Sandbox, more: tuple[bytes, bytes], name: str
) -> None:
    headers = usual(shared, JSON, (b"content-length", b"2"), more)
    response = call(shared.app, "POST", "/v1/labels", headers, b"{}")
    assert response.status == 400
    assert response.message == f"The request has the header {name} more than once."


def test_http_1_1_wants_a_host_and_http_1_0_does_not(shared: Sandbox) -> None:
    response = call(shared.app, "GET", "/v1/posts-bulk?ids=1", usual(shared)[1:])
    assert (response.status, response.message) == (400, "The request has no header Host.")


def test_a_host_that_is_none_does_not_get_into_links(shared: Sandbox) -> None:
    token = usual(shared)[1]
    for host, expected in ((b"good:1", "http://good:1/v1"), (b'"><script>', shared.base_url)):
        target = f"/v1/posts?groupId={group_of(shared)}"
        response = call(shared.app, "GET", target, [(b"host", host), token])
        assert response.json["meta"]["path"] == f"{expected}/posts"


# Bodies


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (b"application/json", 200),
        (b"APPLICATION/JSON", 200),
        (b"application/json; charset=utf-8", 200),
        (b'application/json;charset="UTF-8"', 200),
        (b"application/json; profile=x", 200),
        (b"application/json; charset=latin-1", 422),
        (b"application/jsonp", 422),
        (b"application/vnd.api+json", 422),
        (b"text/json", 422),
        (b"application/x-www-form-urlencoded", 422),
        (b"", 422),
    ],
)
def test_content_types(own: Sandbox, kind: bytes, status: int) -> None:
    headers = usual(own, (b"content-type", kind))
    response = call(own.app, "POST", "/v1/labels", headers, b'{"name": "new"}')
    assert response.status == status
    assert status == 200 or "body" in response.json["errors"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (b"content-encoding", b"gzip"),
        (b"content-encoding", b"GZIP, identity"),
        (b"transfer-encoding", b"gzip, chunked"),
    ],
)
@pytest.mark.parametrize("api", ["main", "media"])
def test_compressed_bodies_are_refused(
    shared: Sandbox, name: bytes, value: bytes, api: str
) -> None:
    body = gzip.compress(b'{"name": "new"}')
    if api == "main":
        response = call(shared.app, "POST", "/v1/labels", usual(shared, JSON, (name, value)), body)
    else:
        form = (b"content-type", b"multipart/form-data; boundary=b")
        headers = usual(shared, form, (name, value))
        response = call(shared.media_app, "POST", "/api/v1/upload", headers, body)
    said = f"{name.decode().title()}: {value.decode().lower()}"
    assert response.status == 422
    assert response.message == f"The body must be sent uncompressed, not as {said}."


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_body_that_no_operation_asks_for_is_passed_over(own: Sandbox, method: str) -> None:
    headers = usual(own, (b"content-encoding", b"gzip"))
    response = call(own.app, method, "/v1/posts-bulk?ids=1", headers, b"whatever" * 100, pieces=3)
    assert response.status in (200, 204)


def test_no_response_waits_for_a_body_that_was_already_read(own: Sandbox) -> None:
    """The form has come to its end when it turns out that there is no file in it."""
    body = b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--b--\r\n'
    headers = usual(own, (b"content-type", b"multipart/form-data; boundary=b"))
    response = call(own.media_app, "POST", "/api/v1/upload", headers, body)
    assert (response.status, response.message) == (422, "The form has no part named file.")


# Whatever is sent


_BYTES = st.binary(max_size=200)
_TEXT = st.text(st.characters(codec="latin-1", exclude_characters="?"), max_size=30)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=60)
@given(
    target=st.sampled_from(
        [
            "/v1/{}",
            "/v1/posts?{}",
            "/v1/posts-bulk?ids={}",
            "/v1/groups/{}",
            f"/v1/calendar-notes?{FROM}={{}}&{TO}={{}}",
            "/v1/posts/{}/activities?page={}",
            "/api/v1/status/{}",
        ]
    ),
    piece=_TEXT,
)
def test_no_target_breaks_it(shared: Sandbox, target: str, piece: str) -> None:
    response = ask(shared, "GET", target.replace("{}", piece))
    assert response.status < 500, response.body


@settings(max_examples=60)
@given(body=_BYTES | st.builds(lambda value: json.dumps(value).encode(), _VALUES))
def test_no_body_breaks_it(shared: Sandbox, body: bytes) -> None:
    for method, target in (
        ("PUT", f"/v1/groups/{group_of(shared)}"),
        ("POST", "/v1/posts-bulk/draft"),
        ("POST", "/api/v1/upload/url/sync"),
    ):
        response = ask(shared, method, target, body)
        assert response.status < 500, response.body
        assert response.status != 422 or response.message.endswith((".", ")"))


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(
                [
                    b"host",
                    b"authorization",
                    b"content-type",
                    b"content-length",
                    b"content-encoding",
                    b"transfer-encoding",
                    b"expect",
                    b"accept",
                ]
            ),
            st.binary(max_size=20),
        ),
        max_size=5,
    )
)
def test_no_header_breaks_it(shared: Sandbox, headers: Headers) -> None:
    response = call(shared.app, "POST", "/v1/labels", headers, b'{"name": ""}')
    assert response.status in (400, 401, 422)


# The check of responses


ACCEPT, TYPE, TOKEN_HEADER = "Accept: application/json", "Content-Type", "Authorization: Bearer"


@pytest.mark.parametrize(
    ("method", "path", "sent", "expected"),
    [
        ("GET", "/social-accounts/1", {}, []),
        ("GET", "/social-accounts/1", {"Accept": "*/*"}, [ACCEPT]),
        ("GET", "/social-accounts/1", {"Accept": "application/jsonp"}, [ACCEPT]),
        ("GET", "/social-accounts/1", {"Accept": "text/html, Application/JSON;q=0.9"}, []),
        ("GET", "/no-such-operation", {"Accept": "*/*"}, [ACCEPT]),
        ("GET", "/social-accounts/1", {"Authorization": ""}, [TOKEN_HEADER]),
        ("GET", "/social-accounts/1", {"Authorization": "Basic YTpi"}, [TOKEN_HEADER]),
        ("GET", "/social-accounts/1", {"Authorization": "Bearer unknown"}, []),
        ("GET", "/social-accounts/1", {"Content-Type": "text/plain"}, []),
        ("POST", "/labels", {"Content-Type": "application/json; charset=utf-8"}, []),
        ("POST", "/labels", {"Content-Type": "text/plain"}, [TYPE]),
        ("POST", "/labels", {"Content-Type": "", "Accept": ""}, [ACCEPT, TYPE]),
        ("POST", "/upload", {"Content-Type": "application/json"}, [TYPE]),
        ("POST", "/upload", {"Content-Type": "multipart/form-data; boundary=a"}, []),
    ],
)
def test_requests_that_break_a_must_are_marked(
    sandbox: Sandbox, wire: Wire, method: str, path: str, sent: dict[str, str], expected: list[str]
) -> None:
    content = b'{"name": "Strict"}' if method == "POST" else None
    wire(method, path, media=path == "/upload", content=content, headers=sent)
    (entry,) = sandbox.requests()
    assert len(entry.violations) == len(expected)
    for sentence, part in zip(entry.violations, expected, strict=True):
        assert part in sentence and sentence.endswith((" (§1, §5).", " (§5)."))
    assert sandbox.requests(violations=True) == ([entry] if expected else [])
