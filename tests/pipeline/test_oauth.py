"""OAuth 2: a client gets its tokens, renews them for all its calls, and shows no secret."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
import urllib.parse
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from threading import Event
from typing import Any

import httpx2
import pytest
from generate_support import operation, operations, project, sample

from pipeline.openapi.security import token_urls

SECRET = "a-long: secret/&"
FLOWS = {
    "clientCredentials": {"tokenUrl": "/oauth/token", "scopes": {}},
    "authorizationCode": {
        "authorizationUrl": "https://login.dev/ask",
        "tokenUrl": "https://login.dev/token",
        "refreshUrl": "https://login.dev/refresh",
        "scopes": {},
    },
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("oauth")
    file = {"file": {"type": "string", "format": "binary"}}
    form = {"schema": {"type": "object", "required": ["file"], "properties": file}}
    upload = operation("upload") | {"requestBody": {"content": {"multipart/form-data": form}}}
    upload["requestBody"]["required"] = True
    document = operations({
        "/a": {"get": operation("read"), "post": operation("write"), "put": upload},
    }) | {"servers": [{"url": "https://api.dev/v1"}], "security": [{"login": []}]}  # fmt: skip
    document["components"]["securitySchemes"] = {"login": {"type": "oauth2", "flows": FLOWS}}
    with sample(project(folder, document)) as made:
        yield made


class Once:
    """A file that can be read only once."""

    left = b"abc"

    def read(self, size: int = -1) -> bytes:
        found, self.left = self.left, b""
        return found


class Service:
    """A service that takes the newest token alone, and answers slowly when it gives one."""

    def __init__(self, **more: Any) -> None:
        self.more: dict[str, Any] = {"expires_in": 3600, **more}
        self.tokens: list[str] = []
        self.asked: list[tuple[str, dict[str, str], str]] = []
        self.calls: list[int] = []
        self.refusals: list[httpx2.Response] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        headers = request.headers
        if request.url.path != "/v1/a":
            form = dict(urllib.parse.parse_qsl(request.read().decode()))
            self.asked.append((str(request.url), form, headers.get("authorization", "")))
            time.sleep(0.25 if self.refusals else 0.05)  # one that is late would ask once more
            if self.refusals:
                return self.refusals.pop(0)
            self.tokens.append(f"token-number-{len(self.tokens)}")
            return httpx2.Response(200, json={"access_token": self.tokens[-1], **self.more})
        is_good = self.tokens[-1:] == [headers["authorization"].removeprefix("Bearer ")]
        self.calls.append(200 if is_good else 401)
        shown = {"message": f"refused {headers['authorization']}"}
        return httpx2.Response(self.calls[-1], json=shown)

    def client(self, package: Any, token: Any, **more: Any) -> Any:
        sender = httpx2.Client(transport=httpx2.MockTransport(self))
        return package.Sample(api_token=token, http_client=sender, **more)

    def awaited(self, package: Any, token: Any, **more: Any) -> Any:
        sender = httpx2.AsyncClient(transport=httpx2.MockTransport(self))
        return package.AsyncSample(api_token=token, http_client=sender, **more)


def many(package: Any, service: Service, token: Any, awaited: bool) -> None:
    """Make eight calls at once, in threads or in tasks."""
    if not awaited:
        client = service.client(package, token)
        started = threading.Barrier(8)

        def read(_: int) -> None:
            started.wait()
            client.things.read()

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(read, range(8)))
        return

    async def run() -> None:
        async with service.awaited(package, token) as client:
            await asyncio.gather(*(client.things.read() for _ in range(8)))

    asyncio.run(run())


def test_a_token_of_two_schemes_comes_from_where_the_first_one_says(tmp_path: Path) -> None:
    document = operations({"/a": {"get": operation("read")}}) | {
        "servers": [{"url": "https://a.dev"}]
    }
    document["security"] = [{"one": []}, {"two": []}]
    document["components"]["securitySchemes"] = {
        name: {
            "type": "oauth2",
            "flows": {"clientCredentials": {"tokenUrl": f"https://{name}.dev/token", "scopes": {}}},
        }
        for name in ("one", "two")
    }
    service = Service()
    with sample(project(tmp_path, document)) as package:
        service.client(package, package.ClientCredentials("an-id", "a-secret")).things.read()
    assert service.asked[0][0] == "https://one.dev/token"


@pytest.mark.parametrize("first", ["one", "two"])
def test_a_token_of_two_documents_comes_from_where_the_first_one_says(
    first: str, tmp_path: Path
) -> None:
    documents: dict[str, Any] = {}
    for name in ("one", "two"):
        made = operations({f"/{name}": {"get": operation(f"read_{name}")}})
        flows = {"clientCredentials": {"tokenUrl": f"https://{name}.dev/token", "scopes": {}}}
        made["components"]["securitySchemes"] = {"login": {"type": "oauth2", "flows": flows}}
        more = {"servers": [{"url": f"https://{name}.dev/v1"}], "security": [{"login": []}]}
        documents[name] = made | more
    asked: list[str] = []

    def handle(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url))
        return httpx2.Response(200, json={"access_token": "a-token", "expires_in": 3600})

    with sample(project(tmp_path, documents.pop(first), second=documents.popitem()[1])) as package:
        sender = httpx2.Client(transport=httpx2.MockTransport(handle))
        token = package.ClientCredentials("an-id", "a-secret")
        client = package.Sample(api_token=token, http_client=sender)
        client.things.read_two()
        client.things.read_one()
    assert asked == [
        f"https://{first}.dev/token",
        "https://two.dev/v1/two",
        "https://one.dev/v1/one",
    ]


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize(
    "url",
    [
        *("https://own.dev/t?a=1", "http://localhost:81/t", "http://127.0.0.1:82/t"),
        *("http://[::1]:83/t", "http://[::1]/t", None),
    ],
)
def test_the_request_for_a_token_is_whole(package: Any, url: str | None, awaited: bool) -> None:
    """As RFC 6749 asks for it: a form, by POST, to one address, and nothing of the call in it."""
    service, seen = Service(), list[tuple[str, str, dict[str, str]]]()

    def handle(request: httpx2.Request) -> httpx2.Response:
        seen.append((request.method, str(request.url), dict(request.headers)))
        return service(request)

    for kind, home in (("ClientCredentials", "https://api.dev/oauth/token"),
                       ("RefreshToken", "https://login.dev/refresh")):  # fmt: skip
        token = getattr(package, kind)("an-id", "a-secret", token_url=url)
        transport = httpx2.MockTransport(handle)
        if awaited:
            other = package.AsyncSample(
                api_token=token, http_client=httpx2.AsyncClient(transport=transport)
            )
            asyncio.run(other.things.read())
        else:
            sender = httpx2.Client(transport=transport)
            package.Sample(api_token=token, http_client=sender).things.read()
        method, address, headers = seen[0]
        assert (method, address) == ("POST", url or home)
        assert headers["content-type"] == "application/x-www-form-urlencoded"
        assert (headers["accept"], headers["accept-encoding"]) == ("application/json", "identity")
        assert headers["user-agent"] == seen[1][2]["user-agent"]
        assert ("authorization" in headers) is (kind == "ClientCredentials")
        assert [each[0] for each in seen] == ["POST", "GET"]
        seen.clear()


@pytest.mark.parametrize("awaited", [False, True])
def test_one_renewal_is_for_all_threads_and_tasks(package: Any, awaited: bool) -> None:
    service = Service(refresh_token="second-refresh-token")
    saved: list[str] = []
    token = package.RefreshToken("first-refresh-token", "me", on_refresh=saved.append)
    many(package, service, token, awaited)
    form = {"grant_type": "refresh_token", "refresh_token": "first-refresh-token"}
    assert service.asked == [("https://login.dev/refresh", {**form, "client_id": "me"}, "")]
    assert service.calls == [200] * 8 and saved == ["second-refresh-token"]
    for again in ("second-refresh-token", "", None):
        service.more["refresh_token"] = again
        token.renewal.refused(token())
        service.client(package, token).things.read()
        assert saved == ["second-refresh-token"]
        service.asked.pop()
    service.tokens.append("which nobody has")  # all calls are refused, and one of them renews
    many(package, service, token, awaited)
    assert [form["refresh_token"] for _, form, _ in service.asked[1:]] == ["second-refresh-token"]
    assert service.calls.count(200) == 19


def test_a_new_refresh_token_is_used_also_where_it_could_not_be_kept(package: Any) -> None:
    """The one before is used up."""

    def full(_: str) -> None:
        raise OSError("no space left")

    service = Service(refresh_token="second", expires_in=0)
    token = package.RefreshToken("first", "me", on_refresh=full)
    with service.client(package, token) as client:
        with pytest.raises(OSError, match="no space left"):
            client.things.read()
        client.things.read()
    assert [form["refresh_token"] for _, form, _ in service.asked] == ["first", "second"]


@pytest.mark.parametrize("in_body", [False, True])
def test_the_credentials_of_a_program_get_a_token(package: Any, in_body: bool) -> None:
    service = Service(expires_in=0, refresh_token="nothing-for-a-program")
    token = package.ClientCredentials("m:e", SECRET, scopes=["read", "write"], in_body=in_body)
    with service.client(package, token) as client:
        client.things.read()
        client.things.read()
    form = {"grant_type": "client_credentials", "scope": "read write"}
    basic = httpx2.BasicAuth(*map(urllib.parse.quote_plus, ("m:e", SECRET)))
    header = next(basic.auth_flow(httpx2.Request("GET", "https://a.dev"))).headers["authorization"]
    more = {"client_id": "m:e", "client_secret": SECRET} if in_body else {}
    given = ("https://api.dev/oauth/token", form | more, "" if in_body else header)
    assert service.asked == [given] * 2
    assert token() == "token-number-1"


@pytest.mark.parametrize("in_body", [False, True])
def test_a_program_without_a_secret_names_itself_alone(package: Any, in_body: bool) -> None:
    service = Service()
    token = package.RefreshToken("a-refresh-token", "me", in_body=in_body)
    with service.client(package, token) as client:
        client.things.read()
    form = {"grant_type": "refresh_token", "refresh_token": "a-refresh-token", "client_id": "me"}
    assert service.asked == [("https://login.dev/refresh", form, "")]


@pytest.mark.parametrize("renews", [False, True])
@pytest.mark.parametrize("awaited", [False, True])
def test_the_deadline_of_one_call_ends_no_other(
    package: Any, awaited: bool, renews: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call that renews the token runs out of time, or the one that waits for it does."""
    monkeypatch.setattr(f"{package.__name__}._runtime.engine.oauth._PATIENCE", 1e4)
    token, service = package.ClientCredentials("me", SECRET), Service()
    begun, over = Event(), Event()

    def is_first(request: httpx2.Request) -> bool:
        found = not begun.is_set() and request.url.path != "/v1/a"
        begun.set()
        return found

    def slow_at_first(request: httpx2.Request) -> httpx2.Response:
        if is_first(request):
            over.wait(0.3 if renews else 600)
        return service(request)

    async def slow_at_first_async(request: httpx2.Request) -> httpx2.Response:
        first = is_first(request)
        while first and not over.is_set():
            await asyncio.sleep(0.01)
        return service(request)

    def hurried(client: Any) -> Any:
        return client.with_options(deadline=0.1).things.read()

    async def run() -> Any:
        sender = httpx2.AsyncClient(transport=httpx2.MockTransport(slow_at_first_async))
        client = package.AsyncSample(api_token=token, http_client=sender)
        calls = [hurried(client), client.things.read()]
        late, other = map(asyncio.ensure_future, calls if renews else reversed(calls))
        late, other = (late, other) if renews else (other, late)
        await asyncio.wait([late])
        over.set()
        await asyncio.wait([other])
        return late.exception(), other.exception()

    if awaited:
        late, other = asyncio.run(run())
    else:
        sender = httpx2.Client(transport=httpx2.MockTransport(slow_at_first))
        client = package.Sample(api_token=token, http_client=sender)
        calls = [lambda: hurried(client), client.things.read]
        with ThreadPoolExecutor(2) as pool:
            first = pool.submit(calls[not renews])
            assert begun.wait(600)
            second = pool.submit(calls[renews])
            late = (first if renews else second).exception(600)
            over.set()
            other = (second if renews else first).exception(600)
    assert isinstance(late, package.DeadlineExceeded) and "waiting for the token" in str(late)
    assert other is None
    assert service.calls == [200]


def test_a_token_is_renewed_before_its_end(package: Any) -> None:
    class Clock(package.Clock):  # type: ignore[misc,name-defined]
        at = 0.0

        def now(self) -> float:
            return self.at

    for seconds, good, over in ((3600, 3539, 3540), (100, 89, 90), ("100", 89, 90)):
        service, clock = Service(expires_in=seconds), Clock()
        client = service.client(package, package.ClientCredentials("me", SECRET)).with_clock(clock)
        for clock.at, asked in ((0, 1), (good, 1), (over, 2)):
            client.things.read()
            assert len(service.asked) == asked, (seconds, clock.at)
        assert service.calls == [200] * 3


@pytest.mark.parametrize(
    ("lasts", "asked"),
    [
        (None, 1), ("", 1), ("soon", 1), ("²", 1), ("-5", 1), ([], 1), ({"seconds": 5}, 1),
        (False, 1), (True, 1), (10**400, 1), ("9" * 400, 1), (3600, 1), ("3600", 1), (3600.5, 1),
        (0, 3), ("0", 3), (-5, 3), (0.0, 3),
    ],
    ids=lambda value: repr(value)[:9],
)  # fmt: skip
def test_a_token_whose_end_is_not_said_is_used_until_it_is_refused(
    package: Any, lasts: Any, asked: int
) -> None:
    """One that has no time left serves the call that has got it, and no other."""
    service = Service(expires_in=lasts)
    client = service.client(package, package.ClientCredentials("me", SECRET))
    for _ in range(3):
        client.things.read()
    assert len(service.asked) == asked
    assert service.calls == [200] * 3


def test_a_refusal_is_followed_by_one_renewal_and_no_second(package: Any) -> None:
    service = Service()
    client = service.client(package, package.ClientCredentials("me", SECRET), retries=0)
    client.things.read()
    service.tokens.append("another")
    client.things.write()  # a write, too: it was refused
    assert service.calls == [200, 401, 200] and len(service.asked) == 2
    service.more["access_token"] = "never-good"
    service.tokens.append("another")
    with pytest.raises(package.AuthenticationError) as caught:
        client.things.read()
    assert service.calls[3:] == [401, 401] and len(service.asked) == 3
    assert "never-good" not in f"{caught.value!r} {caught.value.exchange!r}"
    given = Service()
    with pytest.raises(package.AuthenticationError):
        given.client(package, "nobody-renews-it").things.read()
    assert given.calls == [401]


def test_what_can_be_read_only_once_is_not_sent_again(package: Any) -> None:
    """The refusal is what the caller hears of, with a token that renews itself, too."""
    service = Service()
    client = service.client(package, package.ClientCredentials("me", SECRET), retries=0)
    client.things.read()
    for content, calls in ((Once(), [401]), (b"abc", [401, 200])):
        service.tokens.append("another")
        before = len(service.calls)
        raises = pytest.raises(package.AuthenticationError) if calls == [401] else nullcontext()
        with raises:
            client.things.upload(package.File(content, "a.bin"))
        assert service.calls[before:] == calls


def test_a_lost_answer_of_the_tokens_address_is_asked_for_again(package: Any) -> None:
    service = Service()
    service.refusals = [httpx2.Response(503), httpx2.Response(503)]
    waits: list[Any] = []
    token = package.ClientCredentials("me", SECRET)
    service.client(package, token, on_wait=waits.append).things.read()
    assert len(service.asked) == 3 and len(waits) == 2
    service.refusals = [httpx2.Response(503) for _ in range(9)]
    with pytest.raises(package.ServerError):
        service.client(package, package.ClientCredentials("me", SECRET), retries=2).things.read()
    assert len(service.asked) == 3 + 3


@pytest.mark.parametrize(
    ("response", "words"),
    [
        (httpx2.Response(401, json={"error": "invalid_client"}), "401: invalid_client"),
        (httpx2.Response(200, json={"token": "x"}), "has no access_token"),
        (httpx2.Response(200, text="<html>"), "has no access_token"),
        (httpx2.Response(200, json={"access_token": "a\nb"}), "white space"),
    ],
)
def test_what_the_tokens_address_refuses_is_an_error_without_a_secret(
    package: Any, response: httpx2.Response, words: str
) -> None:
    service = Service()
    for token, secrets in (
        (package.ClientCredentials("me", SECRET, in_body=True), SECRET),
        (package.RefreshToken("long-refresh-token", "me", SECRET), f"{SECRET} long-refresh-token"),
    ):
        if response.status_code == 401:
            reflected = {"error": "invalid_client", "message": f"invalid_client {secrets}"}
            response = httpx2.Response(401, json=reflected)
        service.refusals = [response] * 8
        with pytest.raises(package.SampleError) as caught:
            many(package, service, token, awaited=False)
        shown = f"{caught.value} {caught.value!r} {vars(caught.value)} {token!r}"
        assert words in str(caught.value)
        assert SECRET not in shown and "long-refresh-token" not in shown
        with pytest.raises(package.SampleError):
            pickle.dumps(token)
    assert not service.calls and len(service.asked) == 2  # all calls have the error of one
    service.refusals.clear()
    if words != "white space":
        service.client(package, token).things.read()
        assert service.calls == [200], "a later one has not"


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize("in_body", [False, True])
def test_an_error_shows_what_is_public_of_what_was_sent_for_a_token_and_nothing_else(
    package: Any, in_body: bool, awaited: bool
) -> None:
    """The service repeats the whole request, as it came and as it read it."""

    def repeat(sent: httpx2.Request) -> httpx2.Response:
        body, said = sent.read().decode(), sent.headers.get("authorization", "")
        text = f"{body} {urllib.parse.parse_qs(body)} {said} {said[6:]}"
        return httpx2.Response(400, json={"message": text}, headers={"x-said": text})

    basic = f"client-of-mine:{urllib.parse.quote_plus(SECRET)}"
    hidden = [SECRET, urllib.parse.quote_plus(SECRET)[-12:]]
    hidden += [b64encode(basic.encode()).decode(), "a-refresh-token"]
    for kind, given in (
        ("ClientCredentials", ("client-of-mine", SECRET)),
        ("RefreshToken", ("a-refresh-token", "client-of-mine", SECRET)),
    ):
        token = getattr(package, kind)(*given, in_body=in_body, scopes="reading-of-all")
        transport = httpx2.MockTransport(repeat)
        with pytest.raises(package.StatusError) as caught:
            if awaited:
                sender: Any = httpx2.AsyncClient(transport=transport)
                asyncio.run(package.AsyncSample(api_token=token, http_client=sender).things.read())
            else:
                sender = httpx2.Client(transport=transport)
                package.Sample(api_token=token, http_client=sender).things.read()
        error = caught.value
        shown = f"{error} {error.exchange.body.decode()} {dict(error.exchange.headers)}"
        assert not [each for each in hidden if each in shown]
        public = [token.renewal._form["grant_type"], "reading-of-all"]
        assert all(each in shown for each in [*public, *["client-of-mine"] * in_body])


@pytest.mark.parametrize(
    "url",
    ["http://login.dev/token", "https://me@login.dev/token", "http://localhost.dev/t", "login"],
)
def test_a_secret_goes_to_no_address_that_is_not_safe(package: Any, url: str) -> None:
    service = Service()
    token = package.ClientCredentials("me", SECRET, token_url=url)
    with pytest.raises(package.ConfigurationError, match="must begin with https://"):
        service.client(package, token).things.read()
    assert not service.asked


def test_what_is_missing_is_named_when_it_is_given(package: Any) -> None:
    for given, words in (
        (lambda: package.ClientCredentials("me", None), "client_secret must be a text, got None"),
        (lambda: package.ClientCredentials("", SECRET), "client_id must be a text, got an empty"),
        (lambda: package.RefreshToken(None, "me"), "refresh_token must be a text, got None"),
        (lambda: package.RefreshToken("a", "me", on_refresh=asyncio.sleep), "a plain function"),
    ):
        with pytest.raises(package.ConfigurationError, match=words):
            given()


@pytest.mark.parametrize(
    ("url", "found"),
    [("token", "token"), ("/a:b", "/a:b"), ("https://a.dev/t", "https://a.dev/t"),
     ("mailto:a@b.dev", ""), ("file:///etc", ""), (7, "")],
)  # fmt: skip
def test_addresses_of_tokens(url: Any, found: str) -> None:
    assert token_urls({"flows": {"clientCredentials": {"tokenUrl": url}}}) == (found, found)
    assert token_urls({"flows": {"implicit": {"authorizationUrl": url}}}) == ("", "")
    assert token_urls({"type": "openIdConnect"}) == ("", "")


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize("how", ["argument", "variable"])
def test_an_address_without_a_host_is_of_the_server_in_use(
    package: Any, monkeypatch: pytest.MonkeyPatch, how: str, awaited: bool
) -> None:
    """A secret goes to no other host than the calls do."""
    service, token = Service(), package.ClientCredentials("me", SECRET)
    given = {"base_url": "https://try.dev/v1"} if how == "argument" else {}
    if how == "variable":
        monkeypatch.setenv("SAMPLE_BASE_URL", "https://try.dev/v1")
    if awaited:
        asyncio.run(service.awaited(package, token, **given).things.read())
    else:
        service.client(package, token, **given).things.read()
    assert [url for url, _, _ in service.asked] == ["https://try.dev/oauth/token"]


def test_a_late_refusal_of_an_old_token_renews_nothing(package: Any) -> None:
    service, token = Service(), package.ClientCredentials("me", SECRET)
    client = service.client(package, token)
    for refused, asked in (("an-older-one", 1), ("token-number-0", 2)):
        client.things.read()
        token.renewal.refused(refused)
        client.things.read()
        assert len(service.asked) == asked
