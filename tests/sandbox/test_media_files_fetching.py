"""Downloads: only from where it is allowed, whatever names, redirects and servers say."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from social_publishing_sandbox.api.media import fetching
from social_publishing_sandbox.api.media.addresses import is_allowed, is_public
from social_publishing_sandbox.api.media.fetching import FetchFailed, fetch
from social_publishing_sandbox.api.media.storing import Upload
from social_publishing_sandbox.state.refusals import Reason
from tests.support.server import Peer, Request, Script, Server, serve

PRIVATE = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.1.2.3
    169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
    198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1
    64:ff9b::808:808 64:ff9b:1::a00:1 100::1 2001::1 2001:db8::1 2002:7f00:1:: 2002:808:808::1
    3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fe80::1%1 2606:4700::1%eth0 fec0::1
    ff02::1 localhost 127.1 0x7f000001 2130706433 1.2.3.4.5 nonsense
"""
PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 128.0.0.1 169.253.255.255
    172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 198.17.255.255 198.20.0.0 223.255.255.255
    2001:200::1 2001:4860:4860::8888 2003::1 2606:4700:4700::1111 2a00:1450:4001::5
"""


@pytest.mark.parametrize("address", ["", *PRIVATE.split()])
def test_what_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC.split())
def test_what_is_public(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_in_disguise_is_never_public(address: Any) -> None:
    number = int(address)
    disguised = [
        f"::ffff:{address}",
        f"::{address}",
        f"64:ff9b::{address}",
        f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1",
    ]
    assert not any(map(is_public, disguised))


@pytest.fixture
def server() -> Iterator[Server]:
    """A server on this machine, with a file wherever it is asked."""
    with serve(lambda request: reply(), at="head") as made:
        yield made


def answering(responses: dict[str, bytes]) -> Callable[[Request], bytes]:
    """What is sent for each path; PORT stands for that of the server."""

    def respond(request: Request) -> bytes:
        port = request.headers["host"].rpartition(":")[2]
        return responses[request.target].replace(b"PORT", port.encode())

    return respond


def reply(content: bytes = b"meow", status: str = "200 OK", **headers: str) -> bytes:
    lines = {"Content-Length": str(len(content)), **headers}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + content


def redirect(target: str, status: int = 302) -> bytes:
    return reply(b"", f"{status} Found", Location=target)


async def loopback(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.1"]


def get(path: str, server: Server, into: Path, host: str = "127.0.0.1", **more: Any) -> Upload:
    """Fetch a path from such a server, which may be reached unless something else is said."""
    settings = {"allowed_hosts": ["*"], "allow_private": True, "timeout": 5, **more}
    url = f"http://{host}:{server.port}{path}"
    return asyncio.run(asyncio.wait_for(fetch(url, into, **settings), 10))


def refused(server: Server, into: Path, reason: Reason = Reason.UNREACHABLE, **more: Any) -> str:
    """The sentence that a download fails with; no file is left."""
    with pytest.raises(FetchFailed) as caught:
        get("/a.png", server, into, **more)
    assert list(into.iterdir()) == []
    assert caught.value.message == str(caught.value)
    assert caught.value.reason is reason
    return caught.value.message


@pytest.mark.parametrize(
    ("path", "headers", "filename"),
    [
        ("/cat.png", {"Content_Disposition": 'attachment; filename="dog.gif"'}, "dog.gif"),
        ("/cat.png", {"Content_Disposition": "attachment; filename*=UTF-8''%C3%A4.gif"}, "cat.png"),
        ("/cat.png", {"Content_Disposition": 'attachment; filename="../../dog.gif"'}, "dog.gif"),
        ("/cat.png", {"Content_Disposition": "attachment"}, "cat.png"),
        ("/b%C3%A4r%20.png", {}, "bär .png"),
        ("/..%2F..%2Fpasswd.png", {}, "passwd.png"),
        ("/200/300", {"Content_Type": "image/jpeg; q=1"}, "300.jpg"),
        ("/photo.php", {"Content_Type": "image/webp"}, "photo.php.webp"),
        ("/", {"Content_Type": "video/mp4"}, "file.mp4"),
        ("/", {}, "file"),
        ("/%00", {}, "file"),
    ],
)
def test_what_a_downloaded_file_is_called(
    path: str, headers: dict[str, str], filename: str, server: Server, tmp_path: Path
) -> None:
    server.respond = lambda request: reply(**headers)
    assert get(path, server, tmp_path).filename == filename


def test_redirects_are_followed_and_name_the_file(server: Server, tmp_path: Path) -> None:
    responses = {
        "/1": redirect("http://127.0.0.1:PORT/2", 301),
        "/2": redirect("/3", 302),
        "/3": redirect("4/", 303),
        "/4/": redirect("//127.0.0.1:PORT/5", 307),
        "/5": redirect("cat.png", 308),
        "/cat.png": reply(),
    }
    server.respond = answering(responses)
    assert get("/1", server, tmp_path).filename == "cat.png"
    assert [request.target for request in server.requests] == list(responses)


def test_a_connection_serves_one_host_alone(server: Server, tmp_path: Path) -> None:
    """Two hosts may have the same address, as all behind one provider do."""
    responses = {"/": redirect("http://b.example:PORT/cat.png"), "/cat.png": reply()}
    server.respond = answering(responses)
    get("/", server, tmp_path, host="a.example", resolve=loopback)
    assert server.opened == 2


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("ftp://example.com/a.png", "it must begin with http:// or https://."),
        ("file:///etc/passwd", "it must begin with http:// or https://."),
        ("/etc/passwd", "it must begin with http:// or https://."),
        ("", "it must begin with http:// or https://."),
        ("http://", "it is not a valid URL."),
        ("http:///a.png", "it is not a valid URL."),
        ("http://example.com:0/", "it is not a valid URL."),
        ("http://example.com:65536/", "it is not a valid URL."),
        ("http://example.com:port/", "it is not a valid URL."),
        ("http://exa\0mple.com/", "it is not a valid URL."),
        ("http://[::1/", "it is not a valid URL."),
        ("http://me:secret@example.com/", "it must not contain a user name or password."),
        ("http://me@example.com/", "it must not contain a user name or password."),
        ("http://allowed.com\\@example.com/", "it must not contain a user name or password."),
        ("http://" + "a" * 70 + "/", "its host has no IP address."),
    ],
)
def test_addresses_that_are_none(url: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(FetchFailed) as caught:
        asyncio.run(fetch(url, tmp_path, allowed_hosts=["*"]))
    assert str(caught.value) == "The address does not work: " + sentence


shreds = st.sampled_from(
    [
        "http:",
        "//",
        "/",
        "\\",
        "@",
        ":",
        "[",
        "]",
        "::1",
        "%",
        "%00",
        "xn--",
        ".",
        "..",
        "ä",
        "１",
        "?",
        "#",
    ]
)
texts = st.lists(st.one_of(shreds, st.text(max_size=3)), max_size=8).map("".join)


@given(texts)
@example("[xn--")
@example("xn--a-ecp.ru")
def test_nonsense_is_no_address(text: str) -> None:
    async def unknown(host: str, port: int) -> Sequence[str]:
        raise OSError

    for url in (text, f"http://{text}"):
        with pytest.raises(FetchFailed, match=r"^The address does not work: "):
            asyncio.run(fetch(url, Path(), allowed_hosts=["*"], resolve=unknown))


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0"],
)
def test_this_machine_is_reached_only_when_that_is_allowed(
    host: str, server: Server, tmp_path: Path
) -> None:
    with pytest.raises(FetchFailed) as caught:
        get("/", server, tmp_path, host, allow_private=False)
    assert str(caught.value).startswith("The address does not work: it")
    assert server.opened == 0


@pytest.mark.parametrize("allowed", ["bücher.example", "xn--bcher-kva.example"])
def test_an_international_name_is_allowed_in_either_spelling(
    allowed: str, server: Server, tmp_path: Path
) -> None:
    get("/", server, tmp_path, "bücher.example", allowed_hosts=[allowed], resolve=loopback)
    assert server.requests[0].headers["host"] == f"xn--bcher-kva.example:{server.port}"


def test_a_name_with_one_private_address_is_refused(server: Server, tmp_path: Path) -> None:
    async def two(host: str, port: int) -> Sequence[str]:
        return ["93.184.216.34", "192.168.0.9"]

    sentence = refused(server, tmp_path, allow_private=False, resolve=two)
    assert sentence == (
        "The address does not work: it leads into the local network. The sandbox's option "
        "--allow-private (fetch_private in Python) permits that."
    )


def test_a_name_is_resolved_once_for_check_and_connection(server: Server, tmp_path: Path) -> None:
    asked = []

    async def rebinding(host: str, port: int) -> Sequence[str]:
        asked.append((host, port))
        return ["127.0.0.1"] if len(asked) == 1 else ["192.0.2.1"]

    get("/cat.png", server, tmp_path, "no-such-host.invalid", resolve=rebinding)
    assert asked == [("no-such-host.invalid", server.port)]
    assert server.requests[0].headers["host"] == f"no-such-host.invalid:{server.port}"


def test_the_next_address_is_tried_when_one_does_not_respond(
    server: Server, tmp_path: Path
) -> None:
    async def two(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.2", "127.0.0.1"]

    assert get("/", server, tmp_path, "two.test", resolve=two).size == 4


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("http://10.0.0.1/secret.png", "it leads into the local network."),
        ("http://internal.corp/secret.png", "it leads into the local network."),
        ("http://169.254.169.254/latest/meta-data", "it leads into the local network."),
        ("http://[::ffff:7f00:1]:PORT/secret.png", "it leads into the local network."),
        ("file:///etc/passwd", "it must begin with http:// or https://."),
        ("http://a:b@start.test:PORT/", "it must not contain a user name or password."),
        ("http://elsewhere.test/", "files are fetched only from these hosts: "),
        ("", "more than 5 times"),
        ("http://start.test:65536/", "it is not a valid URL."),
    ],
)
def test_every_hop_is_checked_and_its_target_stays_unsaid(
    target: str, reason: str, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def resolve(host: str, port: int) -> Sequence[str]:
        return {"start.test": ["127.0.0.1"], "internal.corp": ["10.1.2.3"]}.get(host, [host])

    # The first hop has to be reached: here, this machine alone counts as public.
    monkeypatch.setattr(fetching, "is_public", lambda address: address == "127.0.0.1")
    allowed = ["start.test", "10.0.0.1", "internal.corp", "169.254.169.254", "::ffff:7f00:1"]
    server.respond = answering({"/": redirect(target)})
    with pytest.raises(FetchFailed) as caught:
        get(
            *("/", server, tmp_path, "start.test"),
            allowed_hosts=allowed,
            allow_private=False,
            resolve=resolve,
        )
    assert reason in str(caught.value)
    assert str(caught.value).startswith("The address redirects ")
    assert "secret" not in str(caught.value) and "10.1.2.3" not in str(caught.value)
    assert {request.target for request in server.requests} == {"/"}


def endless(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        peer.send(bytes(1000))


def silent(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\n\r\nmeow")
    peer.wait()


def announced(peer: Peer) -> None:
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
    peer.wait()


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        (reply(status="404 Not Found"), "The server responded with the status 404."),
        (reply(status="206 Partial Content"), "The server responded with the status 206."),
        (reply(b""), "The server sent an empty file."),
        (reply(b"x" * 1001), "The file is larger than 1000 bytes."),
        (announced, "The file is larger than 1000 bytes."),
        (endless, "The file is larger than 1000 bytes."),
        (silent, "The file did not arrive within 0.3 seconds."),
        (
            reply(gzip.compress(bytes(9999)), Content_Encoding="gzip"),
            "The server sent the file compressed (gzip), although this was not requested.",
        ),
        (reply()[:-1], "The connection to the server failed before the file was complete."),
        (b"", "The connection to the server failed before the file was complete."),
        (
            b"220 ftp.example.com",
            "The connection to the server failed before the file was complete.",
        ),
        (
            reply(X="y" * 200_000),
            "The connection to the server failed before the file was complete.",
        ),
    ],
)
def test_what_servers_do(
    response: bytes | Script, sentence: str, server: Server, tmp_path: Path
) -> None:
    def hang_up(peer: Peer) -> None:
        peer.send(response)
        peer.gone = True

    reason = {
        "The file is larger than 1000 bytes.": Reason.TOO_LARGE,
        "The server sent an empty file.": Reason.INVALID,
    }.get(sentence, Reason.UNREACHABLE)
    timeout = 0.3 if response is silent else 5
    server.respond = lambda request: reply(b"x" * 1000)
    assert get("/a.png", server, tmp_path, max_bytes=1000).path.unlink() is None
    server.respond = lambda request: hang_up if isinstance(response, bytes) else response
    assert refused(server, tmp_path, reason, max_bytes=1000, timeout=timeout) == sentence


def test_memory_stays_the_same_for_16_megabytes(server: Server, tmp_path: Path) -> None:
    content = reply(bytes(16 << 20))
    server.respond = lambda request: content
    tracemalloc.start()
    try:
        upload = get("/cat.mp4", server, tmp_path, timeout=60)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert upload.size == upload.path.stat().st_size == 16 << 20
    assert peak < 8 << 20


def test_tls_is_checked_against_the_name(server: Server, tmp_path: Path) -> None:
    hellos = []
    server.play(lambda peer: hellos.append(peer.receive(4096)), at="accept")
    url = f"https://files.example.test:{server.port}/"
    settings: Any = {"allowed_hosts": ["*"], "allow_private": True, "resolve": loopback}
    with pytest.raises(FetchFailed, match=r"^The connection to the server failed"):
        asyncio.run(fetch(url, tmp_path, **settings))
    assert b"files.example.test" in hellos[0]


def test_proxies_of_the_environment_are_not_used(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert get("/", server, tmp_path).size == 4


@pytest.mark.parametrize(
    ("host", "allowed", "response"),
    [
        ("files.example.com", ["files.example.com"], True),
        ("FILES.example.com.", ["files.EXAMPLE.com"], True),
        ("files.example.com", ["*.example.com"], True),
        ("a.b.example.com", ["x", "*.example.com"], True),
        ("example.com", ["*.example.com"], False),
        (".example.com", ["*.example.com"], False),
        ("badexample.com", ["*.example.com"], False),
        ("example.com.evil.net", ["*.example.com", "example.com"], False),
        ("anything", ["*"], True),
        ("::1", ["::1"], True),
        ("anything", [], False),
    ],
)
def test_which_hosts_a_pattern_allows(host: str, allowed: list[str], response: bool) -> None:
    assert is_allowed(host, allowed) is response
