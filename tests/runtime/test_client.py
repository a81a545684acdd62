"""The clients: what goes over the wire, what comes back, and what never shows."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, cast

import anyio
import both_clients
import httpcore2
import httpx2
import pytest
import runtime.transport.connections as connections
import runtime.transport.sending as sending
from hypothesis import example
from hypothesis import given as drawn
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType
from runtime.core.errors import (
    ArgumentError,
    ArgumentProblem,
    ClientError,
    ConfigurationError,
    ConnectionFailed,
    RequestTimedOut,
    StatusError,
    TransportError,
)
from runtime.core.models import RequestModel
from runtime.engine.client import AsyncClient, Client
from runtime.engine.settings import _unfit
from runtime.limits.budget import Pacing, Room
from runtime.limits.ledger import RateStore
from runtime.limits.rates import RateRule
from runtime_support import (
    BASE,
    SENDERS,
    TOKEN,
    Counted,
    Wire,
    answer,
    at,
    on_both,
    options,
    recording,
    request,
    sent_by,
    settings,
)

from tests.support.both import BACKENDS, Stream, awaited, now, run
from tests.support.clock import StillClock
from tests.support.server import Response, serve

BOTH = pytest.mark.parametrize("send", SENDERS, ids=["sync", "async"])


@pytest.mark.parametrize("counts", ["user", "server"])
def test_budgets_of_the_newest_token_are_kept_alone(counts: Any) -> None:
    """Tokens that are renewed do not pile up; each server that counts by itself has its own."""
    rule = RateRule(60, 60.0, "limit", "remaining", "reset", counts=counts)
    client = settings(rate=rule)
    many = 2 if counts == "server" else 1
    for token in ("first", "second", "third"):
        found = [client.budget(token, server) for server in ("main", "media", "main", "media")]
        assert found[:2] == found[2:] and len({*map(id, found)}) == many
        assert [*client.budgets()] == found[:many]


def test_of_a_token_that_may_change_the_rate_needs_a_key() -> None:
    rule = RateRule(60, 60.0, "limit", "remaining", "reset")
    asked = settings(rate=rule, token=(lambda: TOKEN, "api_token", "T_TOKEN"))
    with pytest.raises(ClientError, match="pass a rate_key that names the user"):
        print(Client(asked, options(), None).rate_limit)
    asked.rate_key = "test_of_a_token_that_may_change"
    assert Client(asked, options(), None).rate_limit == Room(60, 60, None, 0)


# What goes out.


@BOTH
def test_nothing_of_a_handed_in_client_leaks_in(send: Any) -> None:
    sent = sent_by(
        send,
        request(),
        None,
        base_url="https://evil.test/base",
        auth=("user", "password"),
        cookies={"session": "1"},
        headers={"X-Default": "1", "Accept": "text/html", "Authorization": "other"},
        params={"page": "2"},
        timeout=None,
    )
    assert str(sent.url) == f"{BASE}/pets"
    assert "cookie" not in sent.headers and "x-default" not in sent.headers
    assert sent.headers.get_list("Authorization") == [f"Bearer {TOKEN}"]
    assert sent.headers.get_list("Accept") == ["application/json"]
    assert sent.headers["Accept-Encoding"] == "gzip, deflate", "all that can be read"
    assert set(sent.extensions["timeout"].values()) == {5.0}


# What comes back when it goes wrong.


def leaves(kind: type) -> Iterator[type]:
    yield kind
    child: type
    for child in kind.__subclasses__():
        yield from leaves(child)


HTTP_ERRORS = [kind for kind in leaves(httpx2.HTTPError) if kind is not httpx2.HTTPStatusError]


def raising(error: Exception) -> Any:
    def handler(_: httpx2.Request) -> httpx2.Response:
        raise error

    return handler


@BOTH
@pytest.mark.parametrize("kind", dict.fromkeys(HTTP_ERRORS), ids=lambda kind: kind.__name__)
def test_errors_of_the_http_library_become_ours(send: Any, kind: Any) -> None:
    with pytest.raises(TransportError) as caught:
        send(raising(kind("it broke")), request(), settings(), options(timeout=2.5))
    slow = issubclass(kind, httpx2.TimeoutException)
    assert type(caught.value) is (RequestTimedOut if slow else ConnectionFailed)
    assert f"GET {BASE}/pets: " in str(caught.value)
    said = f"no data for 2.5 s ({kind.__name__})" if slow else "it broke"
    assert str(caught.value).endswith(f"GET {BASE}/pets: {said}")


@BOTH
@pytest.mark.parametrize(
    "error",
    [
        httpx2.HTTPStatusError("x", request=httpx2.Request("GET", BASE), response=None),  # type: ignore
        httpx2.InvalidURL("bad"),
        httpx2.StreamConsumed(),
        httpx2.ResponseNotRead(),
        httpx2.ReadError(""),
        OSError(24, "Too many open files"),
        ConnectionResetError(),
        TimeoutError("slow"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_other_errors_on_the_way_become_ours(send: Any, error: Exception) -> None:
    with pytest.raises(ConnectionFailed) as caught:
        send(raising(error), request())
    assert not str(caught.value).endswith(": ")


# Configuration.

NOTHING: dict[str, Any] = {
    "token": (None, "api_token", "T_TOKEN"),
    "addresses": {
        "main": (None, "base_url", "T_BASE", "/v1"),
        "media": (None, "media_url", "T_MEDIA", "/api/v1"),
    },
}


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("T_TOKEN", "T_BASE", "T_MEDIA", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def test_everything_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(ConfigurationError) as caught:
        settings(**NOTHING, rate_key="", rate_store={})
    assert str(caught.value) == (
        "api_token is missing: pass it, or set T_TOKEN; "
        "base_url is missing: pass it, or set T_BASE; "
        "media_url is missing: pass it, or set T_MEDIA; "
        "rate_key must be a non-empty string; "
        "rate_store must be a RateStore, got dict"
    )


def test_the_environment_fills_what_was_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("T_TOKEN", "from-env")
    monkeypatch.setenv("T_BASE", "http://env.test/v1/")
    monkeypatch.setenv("T_MEDIA", "http://env.test/api/v1")
    found = settings(**NOTHING)
    assert found.addresses == {"main": "http://env.test/v1", "media": "http://env.test/api/v1"}
    assert (found.user, settings().user) == ("from-env", TOKEN)
    assert settings().addresses["main"] == BASE
    with pytest.raises(ConfigurationError, match="api_token is missing"):
        settings(token=("", "api_token", "T_TOKEN"))


@pytest.mark.parametrize("token", ["a b", "a\n", "\ta", "tökén", "a\r\nX: y", "a\0"])
def test_a_token_that_cannot_be_sent_is_refused_and_not_shown(token: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        settings(token=(token, "api_token", "T_TOKEN"))
    assert "api_token holds white space or characters" in str(caught.value)
    assert token not in str(caught.value).replace("api_token holds white space or", "")


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("main.test/v1", "must begin with http"),
        ("ftp://main.test", "must begin with http"),
        ("http://", "must begin with http"),
        ("http://user:pw@main.test", "user name or a password"),
        ("http://main.test/v1?a=b", "query"),
        ("http://main.test/v1#a", "fragment"),
        ("http://main.test:99999", "is not a valid address"),
        ("http://main.test:port", "is not a valid address"),
        (" http://main.test", "white space"),
        ("http://a..b/v1", "is not a valid address: the host"),
        (f"http://{'a' * 64}.test/v1", "is not a valid address: the host"),
        ("http://mäin.test", "characters that an address cannot carry"),
    ],
)
def test_addresses_that_cannot_be_used(address: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        at(address)


@pytest.mark.parametrize(
    ("base", "media", "reasons"),
    [
        ("http://a.test/v1", "http://a.test/api/v1", []),
        ("http://a.test/v1///", "http://a.test/api/v1/", []),
        ("http://a.test:80/some/where/v1", "http://a.test/else/where/api/v1", []),
        (
            "http://a.test",
            "http://a.test/",
            [
                "base_url must end with /v1, but its path is /",
                "media_url must end with /api/v1, but its path is /",
            ],
        ),
        (
            "http://a.test/v2",
            "http://a.test/v1",
            [
                "base_url must end with /v1, but its path is /v2",
                "media_url must end with /api/v1, but its path is /v1, which belongs to base_url",
            ],
        ),
        (
            "http://a.test/api/v1",
            "http://a.test/api/v1",
            ["base_url must end with /v1, but its path is /api/v1, which belongs to media_url"],
        ),
        (
            "http://a.test/V1",
            "http://a.test/apiv1/xapi/v1",
            [
                "base_url must end with /v1, but its path is /V1",
                "media_url must end with /api/v1, but its path is /apiv1/xapi/v1, which belongs to "
                "base_url",
            ],
        ),
    ],
)
@pytest.mark.parametrize("environment", [False, True])
def test_an_address_ends_with_the_path_of_its_server(
    base: str,
    media: str,
    reasons: list[str],
    environment: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """§1, §9: the longest path that fits says whose address it is."""
    monkeypatch.setenv("T_TOKEN", TOKEN)
    given = {"T_BASE": base, "T_MEDIA": media} if environment else {}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    addresses = {
        "main": (None if environment else base, "base_url", "T_BASE", "/v1"),
        "media": (None if environment else media, "media_url", "T_MEDIA", "/api/v1"),
    }
    if not reasons:
        settings(addresses=addresses)
        return
    with pytest.raises(ConfigurationError) as caught:
        settings(addresses=addresses)
    assert str(caught.value).split("; ") == reasons


@drawn(st.from_regex(r"https?://[a-z:@.\[\]?#/%0-9-]{0,30}", fullmatch=True))
@example("http://main.test:65535/v1")
@example("http://a..b")
@example(f"http://{'a' * 64}")
@example("http://a.")
@example("http://main.test:59999")
@example("http://main.test:65536")
@example("https://main.test:0")
def test_a_plain_address_can_be_split_without_fault(address: str) -> None:
    """Most addresses are known to be good without the library that takes them apart."""
    quick = _unfit(address)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runtime.engine.settings._USUAL", r"(?!)")
        assert _unfit(address) == quick


# Opening and closing.


@both_clients.BOTH
def test_a_closed_client_says_so(asynchronous: bool) -> None:
    async def main() -> None:
        client = awaited((AsyncClient if asynchronous else Client)(settings(), options(), None))
        await client.close()
        await client.close()
        with pytest.raises(ClientError, match="the client is closed"):
            await client.send(request())
        with pytest.raises(ClientError, match="the client is closed"):
            async with client:
                pass

    run("asyncio" if asynchronous else "sync", main)


@both_clients.BOTH
def test_a_handed_in_client_is_left_open(asynchronous: bool) -> None:
    async def main() -> None:
        http: Any = (httpx2.AsyncClient if asynchronous else httpx2.Client)(
            transport=httpx2.MockTransport(answer(204))
        )
        kind: Any = AsyncClient if asynchronous else Client
        async with awaited(kind(settings(), options(), http)) as client:
            await client.send(request())
        assert not http.is_closed
        await (http.aclose if asynchronous else awaited(http).close)()
        with pytest.raises(ClientError, match="http_client is closed"):
            await awaited(kind(settings(), options(), http)).send(request())

    run("asyncio" if asynchronous else "sync", main)


def test_our_own_connections_are_closed() -> None:
    with serve(lambda _: Response(204)) as server:
        with Client(at(server.url("/v1")), options(), None) as client:
            client.send(request())
            assert server.open == 1
        server.wait_for(lambda it: it.open == 0)


def test_event_loops_of_several_threads_are_opened_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever opens one looks through all others, which must not become more meanwhile."""
    client, held = AsyncClient(at(BASE), options(), None), []

    def open_(tls: bool) -> Any:
        held.append(client.connections._opening.locked())
        return connections.Transport(cast(Any, None), lambda: asyncio.sleep(0))

    async def here() -> bool:
        return client.connections.here() is client.connections.here()

    monkeypatch.setattr(connections, "_async_transport", open_)
    assert [run("asyncio", here) for _ in range(2)] == held == [True, True]


@pytest.mark.parametrize("schemes", [*product(("http", "https"), repeat=2)])
def test_authorities_are_loaded_where_one_of_two_needs_them(
    schemes: tuple[str, str],
) -> None:
    addresses = {
        name: (f"{scheme}://{name}.test/v1", f"{name}_url", "", "")
        for name, scheme in zip(("main", "media"), schemes, strict=True)
    }
    assert settings(addresses=addresses).needs_tls is ("https" in schemes)


@pytest.mark.parametrize(
    ("url", "loads"),
    [("http://main.test", False), ("https://main.test", True), ("HTTPS://main.test", True)],
)
def test_authorities_are_loaded_for_https_alone_and_once(
    url: str, loads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    real = httpcore2.default_ssl_context

    def making() -> Any:
        made.append(real())
        return made[-1]

    monkeypatch.setattr(httpcore2, "default_ssl_context", making)
    connections._tls_of.cache_clear()
    try:
        using = at(url)
        assert using.needs_tls is loads
        for _ in range(3):
            connections.Connections(None, at(url).needs_tls).transport()
        assert len(made) == int(loads)
    finally:
        connections._tls_of.cache_clear()


# What is given to a client, and where it is taken.


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_client_cannot_be_taken_into_another_process(kind: Any) -> None:
    made = kind(settings(), options(), None)
    for taken in (made, made.send, [made.with_options(deadline=1)]):
        with pytest.raises(ClientError, match="create one in each process"):
            pickle.dumps(taken)


@pytest.mark.parametrize("send", SENDERS)
def test_only_the_media_types_of_the_operation_are_asked_for(send: Any) -> None:
    sent = sent_by(send, request(accept="text/csv, application/json"))
    assert sent.headers.get_list("Accept") == ["text/csv, application/json"]
    with pytest.raises(ConfigurationError, match="headers: accept is set by the client"):
        options(headers={"accept": "text/tab-separated-values"})


@pytest.mark.parametrize("send", SENDERS)
def test_an_address_is_asked_for_by_what_goes_there(send: Any) -> None:
    """Two clients of one user share a budget, whether or not both know all addresses."""
    addresses = {**NOTHING["addresses"], "main": (BASE, "base_url", "T_BASE", "/v1")}
    rates = Counted()
    using = settings(addresses=addresses, rate=RateRule(60, 60.0, "L", "R", "E"), rates=rates)
    seen: list[httpx2.Request] = []
    send(recording(seen), request(), using)
    with pytest.raises(ConfigurationError) as caught:
        send(recording(seen), request(server="media", operation="pets.paint"), using)
    assert str(caught.value) == "pets.paint: media_url is missing: pass it, or set T_MEDIA"
    assert (len(seen), len(rates.taken)) == (1, 1)
    assert repr(using) == f"main={BASE!r}, api_token=***"
    settings(rate=RateRule(60, 60.0, "L", "R", "E"), rates=rates).budget(TOKEN)
    assert len({*rates.keys}) == 1


class Changes(RequestModel):
    name: str | UnsetType = UNSET
    age: int | UnsetType = UNSET


def test_an_update_without_a_field_is_refused() -> None:
    """`{}` would be sent, and change nothing but perhaps the date of the last change."""
    with pytest.raises(ArgumentError, match=r"pets\.list: name: nothing is to change"):
        request("PATCH", json=Changes(), refuse_empty=True)
    assert request("PATCH", json=Changes(age=3), refuse_empty=True).body == b'{"age":3}'
    assert request("PATCH", json=Changes(), body_required=False).body is None
    assert request("PATCH", json=Changes()).body == b"{}"


@BOTH
def test_a_redirect_says_where_it_leads(send: Any) -> None:
    moved = answer(301, headers={"Location": "https://main.test/v1/pets"})
    with pytest.raises(
        StatusError, match=r"responded with 301: it redirects to https://main.test/v1/pe"
    ):
        send(moved, request())


@BOTH
@pytest.mark.parametrize("wrong", [None, 5, "pets.list", request, [request()]])
def test_what_is_no_call_is_refused(send: Any, wrong: Any) -> None:
    with pytest.raises(ClientError, match=r"send takes a request, .* got ") as caught:
        send(answer(200), wrong)
    assert type(wrong).__name__ in str(caught.value)


def test_an_empty_rate_store_is_used() -> None:
    class Store(RateStore):
        def __len__(self) -> int:
            return 0

        def change(self, key: str, change: Callable[[bytes | None], bytes]) -> None:
            keys.append(key)
            change(None)

    keys: list[str] = []
    rule = RateRule(60, 60.0, "X-Limit", "X-Left", "X-Reset")
    budget = settings(rate=rule, rate_store=Store()).budget("token")
    assert budget is not None
    budget.take("pets.list", Pacing(), None, StillClock())
    assert len(keys) == 1 and "token" not in keys[0]


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("is_read", [False, True])
def test_what_a_hook_raises_of_a_response_is_the_error_of_its_status(
    asynchronous: bool, is_read: bool
) -> None:
    """As of a client of your own that raises for each status: it is no failed connection."""

    def hook(response: httpx2.Response) -> None:
        if is_read:
            response.read()
        response.raise_for_status()

    async def hook_async(response: httpx2.Response) -> None:
        if is_read:
            await response.aread()
        response.raise_for_status()

    wire = Wire(lambda _: httpx2.Response(404, stream=Stream(b'{"message": "no such pet"}')))

    async def main() -> None:
        made: Any = httpx2.AsyncClient if asynchronous else httpx2.Client
        hooks = {"response": [hook_async if asynchronous else hook]}
        client: Any = AsyncClient if asynchronous else Client
        given = client(settings(), options(), made(transport=wire, event_hooks=hooks))
        for call in (request(), request("POST", retry_safety="unsafe")):
            with pytest.raises(StatusError) as caught:
                await now(given.send(call))
            assert (caught.value.status, caught.value.may_be_done) == (404, False)
            assert caught.value.data == ({"message": "no such pet"} if is_read else {})

    run("asyncio" if asynchronous else "sync", main)
    assert len(wire.seen) == 2


def test_closed_while_a_thread_waits_for_a_response() -> None:
    """As while tasks do: the error says it, and not what has become of the socket."""

    def respond(_: httpx2.Request) -> httpx2.Response:
        client.close()
        raise httpx2.ReadError("[Errno 9] Bad file descriptor")

    client = Client(settings(), options(retries=0), httpx2.Client(transport=Wire(respond)))
    with pytest.raises(ConnectionFailed, match=r": the client was closed$"):
        client.send(request())


def test_many_problems_are_counted_and_not_all_shown() -> None:
    problems = tuple(ArgumentProblem(f"ids[{n}]", "must be digits only") for n in range(50_000))
    text = str(ArgumentError("pets.list", problems))
    assert text.endswith("; ids[19]: must be digits only; and 49980 more, see problems")
    assert "more" not in str(ArgumentError("pets.list", problems[:20]))


def test_a_client_of_the_wrong_kind_is_refused() -> None:
    async def use(given: Any) -> None:
        await AsyncClient(settings(), options(), given).send(request())

    for given in (3, "client", httpx2.AsyncClient(), httpx2.Client):
        with pytest.raises(ConfigurationError, match=r"http_client must be an httpx2\.Client"):
            Client(settings(), options(), given).send(request())
    named: Any = type("Client", (), {"__module__": "httpx._client"})()
    with pytest.raises(ConfigurationError, match=r"httpx2\.Client, got httpx\.Client$"):
        Client(settings(), options(), named).send(request())
    with httpx2.Client() as other:
        for wrong in (3, other, httpx2.AsyncClient):
            with pytest.raises(ConfigurationError, match=r"must be an httpx2\.AsyncClient"):
                asyncio.run(use(wrong))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("said", ["Event loop is closed", "a lock of another event loop"])
def test_a_given_client_of_another_event_loop_is_named_as_the_reason(
    backend: str, said: str
) -> None:
    """The library names a lock, or a loop that is closed, and not what to do about it."""
    broken: list[str] = []

    def handler(sent: httpx2.Request) -> httpx2.Response:
        if broken:
            raise RuntimeError(broken[0])
        return httpx2.Response(204)

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(handler))
    client = AsyncClient(settings(), options(), http)

    async def send() -> None:
        await client.send(request())

    anyio.run(send, backend=backend)
    broken.append("something else")
    with pytest.raises(RuntimeError, match="something else"):
        anyio.run(send, backend=backend)
    broken[0] = said
    reason = "connections of another event loop: hand in one for each, or none"
    with pytest.raises(ClientError, match=reason) as caught:
        anyio.run(send, backend=backend)
    assert str(caught.value.__cause__) == said
    fresh = AsyncClient(settings(), options(), http)  # whose first event loop this is

    async def send_first() -> None:
        await fresh.send(request())

    with pytest.raises(RuntimeError, match=said):
        anyio.run(send_first, backend=backend)


@both_clients.BOTH
def test_a_response_of_another_request_gives_its_connection_up(
    asynchronous: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows it on that connection could be taken for the next response."""

    def refuse(response: object) -> None:
        raise httpx2.RemoteProtocolError("a response came before the request was sent")

    monkeypatch.setattr(sending, "check_fresh", refuse)
    body = Stream(b"of another request")
    wire = Wire(lambda _: httpx2.Response(200, stream=body))
    with pytest.raises(TransportError, match="came before the request"):
        on_both(asynchronous, wire, lambda client: client.send(request()))
    assert (body.closed, len(wire.seen)) == (1, 1)
