"""Proxies and certificates that the environment names, and failures that last."""

from __future__ import annotations

import select
import socket
import socketserver
import ssl
import sys
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from runtime.core.errors import ClientError, ConfigurationError, ConnectionFailed
from runtime.engine.client import AsyncClient, Client
from runtime.engine.options import Options
from runtime.engine.settings import Settings
from runtime.transport import connections
from runtime.transport.middleware import Attempt
from runtime_support import at, options, request

from tests.support import tls
from tests.support.both import awaited, run
from tests.support.clock import StillClock
from tests.support.server import Response, serve


def attempts(send: Any, made: Settings) -> tuple[int, ClientError]:
    """How often a call is sent that may be sent four times, and the error in the end."""
    tries: list[int] = []

    def count(attempt: Attempt, go_on: Any) -> Any:
        tries.append(attempt.number)
        return go_on(attempt)

    with pytest.raises(ClientError) as caught:
        send(made, options(retries=3, middleware=[count]))
    return len(tries), caught.value


def send_here(using: Settings, made: Options, kind: Any = Client, **parts: Any) -> None:
    async def main() -> None:
        async with awaited(kind(using, made, None)) as client:
            await client.send(request(**parts))

    run("sync" if kind is Client else "asyncio", main)


send_awaited = partial(send_here, kind=AsyncClient)
both = pytest.mark.parametrize("send", [send_here, send_awaited], ids=["send_here", "send_awaited"])


@pytest.fixture
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    proxies = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
    for name in (*proxies, "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return monkeypatch


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """A certificate that nobody has signed, and a context that shows it."""
    folder = tmp_path_factory.mktemp("tls")
    tls.certify(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert", folder / "key")
    return folder / "cert", context


@both
def test_an_untrusted_certificate_is_tried_once_for_each_client(
    send: Any, no_proxies: pytest.MonkeyPatch, certificate: tuple[Path, ssl.SSLContext]
) -> None:
    path, context = certificate
    with serve(lambda _: Response(json=1), tls=context) as server:
        tries, error = attempts(send, at(server.url("/v1")))
        assert (tries, isinstance(error, ConnectionFailed)) == (1, True)
        assert isinstance(error, ConnectionFailed)
        assert not (error.transient or error.sent or error.may_be_done)
        assert "CERTIFICATE_VERIFY_FAILED" in str(error)
        no_proxies.setenv("SSL_CERT_FILE", str(path))
        send(at(server.url("/v1")), options())
        assert len(server.requests) == 1


@both
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_is_not_there_is_named_and_tried_once(
    send: Any, scheme: str, no_proxies: pytest.MonkeyPatch
) -> None:
    made = at(f"{scheme}://main.test/v1")
    for host in ("127.0.0.1:9", "nowhere.invalid:9"):
        no_proxies.setenv(f"{scheme}_PROXY".upper(), f"http://user:passw0rd@{host}")
        tries, error = attempts(send, made)
        assert tries == 1
        assert f"main.test/v1/pets: the proxy {host}: " in str(error)
        assert "passw0rd" not in str(error) + repr(error)


@both
@pytest.mark.parametrize(
    ("status", "tries"), [(407, 1), (403, 1), (408, 4), (425, 4), (429, 4), (503, 4)]
)
def test_a_proxy_that_lets_nothing_through_is_named(
    send: Any, status: int, tries: int, no_proxies: pytest.MonkeyPatch
) -> None:
    with serve(lambda _: Response(status)) as proxy:
        no_proxies.setenv("HTTPS_PROXY", proxy.origin)
        made = at("https://main.test/v1", clock=StillClock())
        count, error = attempts(send, made)
        assert f"the proxy 127.0.0.1:{proxy.port}: {status}" in str(error)
    assert count == tries == len(proxy.requests)


@both
@pytest.mark.parametrize(
    "origin", ["http://127.0.0.1:9", "http://nowhere.invalid", "https://nowhere.invalid"]
)
def test_a_service_that_is_away_is_tried_again(
    send: Any, origin: str, no_proxies: pytest.MonkeyPatch
) -> None:
    tries, error = attempts(send, at(f"{origin}/v1", clock=StillClock()))
    assert (tries, "proxy" in str(error)) == (4, False)


@both
@pytest.mark.parametrize("in_capitals", [False, True])
@pytest.mark.parametrize("name", ["http_proxy", "https_proxy", "all_proxy"])
def test_each_variable_names_a_proxy(
    send: Any, name: str, in_capitals: bool, no_proxies: pytest.MonkeyPatch
) -> None:
    with serve(lambda _: Response(403)) as proxy:
        no_proxies.setenv(name.upper() if in_capitals else name, proxy.origin)
        scheme = "https" if name == "https_proxy" else "http"
        attempts(send, at(f"{scheme}://main.test/v1", clock=StillClock()))
        assert len(proxy.requests) == 1


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_authorities_are_those_that_the_environment_names_now(
    name: str,
    no_proxies: pytest.MonkeyPatch,
    certificate: tuple[Path, ssl.SSLContext],
) -> None:
    loaded = connections._tls(True)
    assert loaded is not None and connections._tls(True) is loaded
    path, _ = certificate
    no_proxies.setenv(name, str(path if name == "SSL_CERT_FILE" else path.parent))
    assert connections._tls(True) is not loaded


@both
@pytest.mark.parametrize(
    ("proxy", "words"),
    [
        ("http://[::1", "cannot create an HTTP client.*HTTP_PROXY"),
        ("http://127.0.0.1:x", "cannot create an HTTP client.*HTTP_PROXY"),
        ("http://127.0.0.1:65536", "cannot create an HTTP client: Port out of range.*HTTP_PROXY"),
        ("127.0.0.1:65536", "cannot create an HTTP client: Port out of range.*HTTP_PROXY"),
        ("socks5://127.0.0.1:9", r"pip install 'httpx2\[socks\]'"),
    ],
)
def test_an_unreadable_proxy_is_an_error_of_configuration(
    send: Any, proxy: str, words: str, no_proxies: pytest.MonkeyPatch
) -> None:
    no_proxies.setitem(sys.modules, "socksio", None)
    no_proxies.setenv("HTTP_PROXY", proxy)
    with pytest.raises(ConfigurationError, match=words):
        send(at("http://main.test/v1"), options())


@both
def test_whatever_goes_by_https_trusts_the_same(
    send: Any, no_proxies: pytest.MonkeyPatch, certificate: tuple[Path, ssl.SSLContext]
) -> None:
    """A scheme in capitals, and what a middleware sends there where no base address is https."""
    path, context = certificate
    no_proxies.setenv("SSL_CERT_FILE", str(path))
    with serve(lambda _: Response(json=1), tls=context) as server:

        def elsewhere(attempt: Attempt, go_on: Any) -> Any:
            return go_on(attempt._replace(url=server.url("/other")))

        send(at(server.url("/v1").replace("https:", "HTTPS:")), options())
        send(at("http://main.test/v1"), options(middleware=[elsewhere]))
        assert [each.target for each in server.requests] == ["/v1/pets", "/other"]


@both
@pytest.mark.parametrize(
    ("name", "value"), [("SSL_CERT_FILE", "/no/such.crt"), ("HTTPS_PROXY", "http://127.0.0.1:x")]
)
def test_what_could_never_be_sent_was_not_carried_out(
    send: Any, name: str, value: str, no_proxies: pytest.MonkeyPatch
) -> None:
    no_proxies.setenv(name, value)
    write = {"method": "POST", "retry_safety": "unsafe"}
    with pytest.raises(ConfigurationError, match="cannot create an HTTP client") as caught:
        send(at("https://main.test/v1"), options(), **write)
    assert not caught.value.may_be_done
    assert "may have been carried out" not in str(caught.value)


class Socks(socketserver.StreamRequestHandler):
    """A proxy that speaks SOCKS 5: it connects to what it is asked for, whoever asks (RFC 1928)."""

    def handle(self) -> None:
        self.rfile.read(self.rfile.read(2)[1])
        self.wfile.write(b"\5\0")
        kind = self.rfile.read(4)[3]
        host = self.rfile.read(self.rfile.read(1)[0] if kind == 3 else 4)
        port = int.from_bytes(self.rfile.read(2), "big")
        name = host.decode() if kind == 3 else socket.inet_ntoa(host)
        with socket.create_connection((name, port)) as there:
            self.wfile.write(b"\5\0\0\1\0\0\0\0\0\0")
            pipes = [self.connection, there]
            while pipes:
                ready, _, _ = select.select(pipes, [], [], 5)
                for each in ready:
                    data = each.recv(65_536)
                    if not data:
                        return
                    (there if each is self.connection else self.connection).sendall(data)


@both
@pytest.mark.parametrize("secured", [False, True])
def test_a_proxy_that_speaks_socks_lets_calls_through(
    send: Any,
    secured: bool,
    no_proxies: pytest.MonkeyPatch,
    certificate: tuple[Path, ssl.SSLContext],
) -> None:
    path, context = certificate
    no_proxies.setenv("SSL_CERT_FILE", str(path))
    with (
        serve(lambda _: Response(json=1), tls=context if secured else None) as server,
        socketserver.ThreadingTCPServer(("127.0.0.1", 0), Socks) as proxy,
    ):
        Thread(target=proxy.serve_forever, args=(0.01,), daemon=True).start()
        no_proxies.setenv("ALL_PROXY", f"socks5://127.0.0.1:{proxy.server_address[1]}")
        send(at(server.url("/v1")), options())
        send(at(server.url("/v1")), options(), method="POST", retry_safety="unsafe")
        proxy.shutdown()
        assert [each.method for each in server.requests] == ["GET", "POST"]


@both
def test_a_proxy_counts_for_the_next_client(send: Any, no_proxies: pytest.MonkeyPatch) -> None:
    with serve(lambda _: Response(204)) as server:
        send(at(server.url("/v1")), options())
        no_proxies.setenv("HTTP_PROXY", server.origin)
        send(at("http://main.test/v1"), options())
    assert [each.target for each in server.requests] == ["/v1/pets", "http://main.test/v1/pets"]
