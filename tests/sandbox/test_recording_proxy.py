"""A recording made against a small service of the tests' own, and replayed."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import socket
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    JSONResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from social_publishing_sandbox.recording import (
    Recorder,
    RecordingError,
    Replayer,
    load,
)
from social_publishing_sandbox.recording.model import Binary, Json, Multipart
from social_publishing_sandbox.recording.serving import Servers
from tests.support.disk import files_of_at_most
from tests.support.server import Peer, hold, serve

TOKEN, OTHER = "tok-Ann-0123456789abcdef", "tok-Bob-fedcba9876543210"
MAIL, PHONE = "ann.lee@mail.example.org", "+49 170 1234567"
LARGEST = 2**64 - 1
PICTURE = bytes(range(256)) * 40


LONG = json.dumps({"mail": MAIL, "long": "x" * 5000}).encode()
USER = {
    "id": "9876543210987654321",
    "email": MAIL,
    "phone": "01701234567",
    "name": f"Ann <{MAIL}>",
    "api_token": OTHER,
    "avatar": f"https://files.example/a.png?X-Amz-Signature=5ecre7&for={MAIL}",
}


def fixed(body: bytes, status: int = 200, **headers: str) -> Any:
    """What always responds the same; `_` in the names of header fields stands for a dash."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda request: Response(body, status, named)


FIXED = {
    "gzip": fixed(gzip.compress(LONG), content_type="application/json", content_encoding="gzip"),
    "brotli": fixed(zlib.compress(MAIL.encode()), content_type="text/plain", content_encoding="br"),
    "text": fixed(f"caf\u00e9 {MAIL}".encode(), content_type="text/plain"),
    "latin": fixed(
        f"caf\u00e9 {MAIL}".encode("latin-1"), content_type="text/plain; charset=iso-8859-1"
    ),
    "user": fixed(json.dumps(USER).encode(), content_type="application/json"),
    "deflate": fixed(
        zlib.compress(LONG[:60] + b'"}'),
        content_type="application/json",
        content_encoding="deflate",
    ),
    "zipped": fixed(
        gzip.compress(MAIL.encode(), mtime=0), content_type="text/plain", content_encoding="GZIP"
    ),
    "twice": fixed(b"\x00", content_type="text/plain", content_encoding="gzip, br"),
    "parts": fixed(
        b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--b--\r\n',
        content_type="multipart/form-data; boundary=b",
    ),
    "unchanged": fixed(b"", 304, etag='"1"', content_type="application/json"),
    "error": fixed(f"no such token: {TOKEN}".encode(), 500, content_type="text/plain"),
}


class Service:
    """Both interfaces of a service that knows little, and remembers what it was asked."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.base = self.media = ""

    def app(self, api: str) -> Any:
        routes = [
            Route("/v1/posts", self.posts),
            Route("/v1/echo/{rest:path}", self.echo, methods=["GET", "POST", "PATCH", "PURGE"]),
            Route("/v1/labels/{label}", self.gone, methods=["DELETE"]),
            Route("/v1/redirect", self.redirect),
            *(Route(f"/v1/{name}", respond) for name, respond in FIXED.items()),
            Route("/v1/picture", self.picture),
            Route("/api/v1/upload", self.upload, methods=["POST"]),
        ]
        inner = Starlette(routes=routes)

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            headers = {name.decode(): value.decode() for name, value in scope["headers"]}
            query = scope["query_string"].decode()
            target = scope["raw_path"].decode() + (f"?{query}" if query else "")
            self.seen.append((scope["method"], target, headers, b""))
            await inner(scope, receive, send)

        return app

    async def posts(self, request: Request) -> Response:
        page = int(request.query_params.get("page", "1"))
        following = f"{self.base}/v1/posts?groupId=1&page={page + 1}" if page < 3 else None
        return JSONResponse(
            {
                "data": [{"id": str(LARGEST - page), "size": LARGEST, "score": 1.0, "note": None}],
                "links": [{"url": f"{self.base}/v1/posts?page=1", "label": "1", "active": True}],
                "meta": {"next_page_url": following, "path": f"{self.base}/v1/posts"},
            },
            headers={
                "X-RateLimit-Limit": "60",
                "X-RateLimit-Remaining": "59",
                "X-RateLimit-Reset": "1764579600",
                "Set-Cookie": "session=very-secret-cookie",
                "X-Debug": f"{TOKEN} {MAIL}",
            },
        )

    async def echo(self, request: Request) -> Response:
        body = await request.body()
        self.seen[-1] = (*self.seen[-1][:3], body)
        kind = request.headers.get("content-type", "text/plain")
        return Response(body, headers={"content-type": kind})

    async def gone(self, request: Request) -> Response:
        return Response(status_code=204)

    async def redirect(self, request: Request) -> Response:
        return RedirectResponse(f"{self.media}/api/v1/file?for={MAIL}", status_code=302)

    async def picture(self, request: Request) -> Response:
        async def pieces() -> Any:
            for start in range(0, len(PICTURE), 1000):
                yield PICTURE[start : start + 1000]

        return StreamingResponse(pieces(), media_type="image/png")

    async def upload(self, request: Request) -> Response:
        digest, size = hashlib.sha256(), 0
        async for data in request.stream():
            digest.update(data)
            size += len(data)
        return JSONResponse({"id": "1", "size": size, "sha256": digest.hexdigest()})


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = Service()
    with Servers(service.app, ("", "")) as servers:
        service.base, service.media = servers.base_url, servers.media_url
        yield service


Recording = Callable[..., Recorder]


@pytest.fixture
def recorder(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Recorder]:
    service.seen.clear()
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # which is for what is elsewhere
    with Recorder(f"{service.base}/v1", f"{service.media}/api/v1", tmp_path) as recorder:
        yield recorder


def test_what_a_full_disk_refuses_is_neither_counted_nor_written_later(
    recorder: Recorder, tmp_path: Path
) -> None:
    with client() as http:
        http.get(f"{recorder.base_url}/posts")
        with files_of_at_most(recorder.path.stat().st_size + 10):
            assert http.get(f"{recorder.base_url}/text").status_code == 200
        assert recorder.recorded == 1 and "/text: not recorded: " in recorder.notes[-1]
        http.get(f"{recorder.base_url}/latin")
    assert recorder.recorded == 2
    targets = [each.request.target for each in load(tmp_path).interactions]
    assert targets == ["/v1/posts", "/v1/latin"]


def client(token: str = TOKEN) -> httpx2.Client:
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
    return httpx2.Client(headers=headers, trust_env=False, verify=False, timeout=20)


def on_disk(folder: Path) -> bytes:
    return b"\n".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def assert_no_secrets(folder: Path) -> None:
    text = on_disk(folder).decode("latin-1")
    for secret in (TOKEN, OTHER, MAIL, "ann.lee", "1234567", "very-secret", "5ecre7", "hunter2"):
        assert secret not in text
    assert "127.0.0.1" not in text


# Recording


def test_what_passes_is_what_the_service_gets_and_gives(
    service: Service, recorder: Recorder
) -> None:
    body = b'{"b": 1.0,  "a":[18446744073709551615, null], "u":"\\u00e9"}'
    with client() as http:
        response = http.patch(
            f"{recorder.base_url}/echo/a%2Fb%20c,d?x=1,2&y=%C3%A9&z",
            content=body,
            headers=[
                *http.headers.raw,
                *((b"Content-Type", b"application/json"), (b"X-Own", b"1")),
                *((b"Connection", b"X-Own"), (b"Accept", b"text/plain")),
                *((b"Expect", b"100-continue"), (b"Accept-Encoding", b"br")),
            ],
        )
    method, target, headers, got = service.seen[-1]
    assert (method, target, got) == ("PATCH", "/v1/echo/a%2Fb%20c,d?x=1,2&y=%C3%A9&z", body)
    assert response.content == body
    assert headers["authorization"] == f"Bearer {TOKEN}"
    assert headers["host"] == service.base.removeprefix("http://")
    assert "x-own" not in headers and "expect" not in headers
    assert headers["accept-encoding"] == "gzip, deflate"
    (interaction,) = load(recorder.path).interactions
    assert interaction.request.target == target
    assert interaction.request.headers == {
        "accept": "application/json, text/plain",
        "authorization": "Bearer <token-1>",
        "content-type": "application/json",
    }
    assert interaction.request.body == Json({"b": 1.0, "a": [LARGEST, None], "u": "é"})


def test_pages_are_followed_through_the_proxy_and_the_replay(
    recorder: Recorder, tmp_path: Path
) -> None:
    def walk(base: str) -> list[str]:
        url, ids = f"{base}/posts?groupId=1", []
        with client() as http:
            while url:
                assert url.startswith(base)
                response = http.get(url)
                assert response.headers["x-ratelimit-reset"] == "1764579600"
                ids += [post["id"] for post in response.json()["data"]]
                url = response.json()["meta"]["next_page_url"]
        return ids

    ids = walk(recorder.base_url)
    assert ids == [str(LARGEST - page) for page in (1, 2, 3)]
    assert walk(recorder.base_url.replace("127.0.0.1", "localhost")) == ids
    assert_no_secrets(tmp_path)
    assert "{base}/v1/posts?groupId=1&page=2" in recorder.path.read_text()
    for strict in (True, False):
        with Replayer(tmp_path, strict) as there:
            assert walk(there.base_url) == ids
            assert walk(there.base_url.replace("127.0.0.1", "localhost")) == ids
            assert there.left == []
            with client() as http:
                after = http.get(f"{there.base_url}/posts?groupId=1")
            assert ("served to its end" in after.text) is strict


def test_an_address_of_the_proxy_reaches_the_service_as_its_own(
    service: Service, recorder: Recorder, tmp_path: Path
) -> None:
    def ask(base: str, media: str) -> Any:
        with client() as http:
            return http.post(f"{base}/echo/", json={"file_url": f"{media}/file/1.png"}).json()

    assert ask(recorder.base_url, recorder.media_url) == {
        "file_url": f"{recorder.media_url}/file/1.png"
    }
    assert json.loads(service.seen[-1][3]) == {"file_url": f"{service.media}/api/v1/file/1.png"}
    (interaction,) = load(tmp_path).interactions
    assert interaction.request.body == Json({"file_url": "{media}/api/v1/file/1.png"})
    with Replayer(tmp_path) as there:
        response = ask(there.base_url, there.media_url)
        assert response == {"file_url": f"{there.media_url}/file/1.png"}


def test_secrets_are_nowhere_in_the_folder(recorder: Recorder, tmp_path: Path) -> None:
    base, media = recorder.base_url, recorder.media_url
    encoded = "".join(f"\\u{ord(character):04x}" for character in f"{MAIL} {OTHER}")
    with client() as http:
        http.get(f"{base}/user")
        http.get(f"{base}/error")
        http.get(f"{base}/gzip")
        http.get(f"{base}/latin")
        http.get(f"{base}/redirect")
        http.get(f"{base}/brotli")
        http.get(f"{base}/posts", params={"q": f"{MAIL} {TOKEN}", "tel": PHONE, "token": "hunter2"})
        http.get(f"{base}/echo/{MAIL}", headers={"Cookie": "very-secret", "X-Api-Key": "hunter2"})
        http.post(
            f"{base}/echo/", content=f'{{"{encoded}": "{encoded}", "a": "b"}}', headers=JSON_TYPE
        )
        http.post(f"{base}/echo/", content=f'{{"broken": "{encoded}" {TOKEN}', headers=JSON_TYPE)
        http.post(f"{base}/echo/", data={"who": MAIL, "password": "hunter2", "tel": PHONE})
        http.post(
            f"{base}/echo/",
            content=gzip.compress(MAIL.encode()),
            headers={"Content-Encoding": "gzip"},
        )
        http.post(f"{base}/echo/", content=PICTURE + TOKEN.encode())
        http.post(
            f"{media}/upload",
            data={"note": f"for {MAIL}", "token": "hunter2"},
            files={
                "file": (f"{MAIL} {PHONE}.srt", f"1\n{MAIL}\n".encode(), "text/plain"),
                "bin": ("a.png", PICTURE + MAIL.encode(), "image/png"),
            },
        )
        http.get(base.replace("http://", f"http://{OTHER}:hunter2@") + "/posts")
    with client(OTHER) as http:
        http.get(f"{base}/posts")
    assert recorder.recorded == 15
    latin, brotli, *withheld = recorder.notes
    assert latin.startswith("GET /v1/latin: recorded without the response's content")
    assert "/brotli: not recorded: the response is in the encoding br" in brotli
    assert len(withheld) == 2 and all("without the response's content" in each for each in withheld)
    assert_no_secrets(tmp_path)
    assert all(TOKEN not in note for note in recorder.notes)


JSON_TYPE = {"Content-Type": "application/json"}


def test_a_token_known_later_is_removed_from_what_was_written(
    recorder: Recorder, tmp_path: Path
) -> None:
    with client() as http:
        http.post(f"{recorder.base_url}/echo/", json={"note": f"use {OTHER}"})
    assert OTHER.encode() in on_disk(tmp_path)
    with client(OTHER) as http:
        http.get(f"{recorder.base_url}/posts")
    assert OTHER.encode() not in on_disk(tmp_path)
    first, second = load(tmp_path).interactions
    assert first.request.body == Json({"note": "use <token-2>"})
    assert second.request.headers["authorization"] == "Bearer <token-2>"


def test_responses_of_every_kind_come_back(
    service: Service, recorder: Recorder, tmp_path: Path
) -> None:
    def ask(base: str) -> list[httpx2.Response]:
        with client() as http:
            return [
                http.delete(f"{base}/labels/1"),
                http.head(f"{base}/posts"),
                http.get(f"{base}/gzip"),
                http.get(f"{base}/text"),
                http.get(f"{base}/redirect"),
                http.get(f"{base}/nothing"),
                http.request("PURGE", f"{base}/echo/"),
                http.request("BREW", f"{base}/posts"),
                http.post(f"{base}/echo/", content=b"null", headers=JSON_TYPE),
                http.post(f"{base}/echo/", content=b"{no", headers=JSON_TYPE),
            ]

    there = ask(service.base + "/v1")
    here = ask(recorder.base_url)
    with Replayer(tmp_path) as replayer:
        again = ask(replayer.base_url)
    assert recorder.notes == [] and replayer.left == [] and replayer.refused == []
    statuses = [response.status_code for response in there]
    assert statuses == [204, 200, 200, 200, 302, 404, 200, 405, 200, 200]
    for direct, passed, replayed in zip(there, here, again, strict=True):
        assert direct.status_code == passed.status_code == replayed.status_code
        assert direct.headers.get("content-type") == passed.headers.get("content-type")
        assert direct.headers.get("content-type") == replayed.headers.get("content-type")
        assert direct.content == passed.content
    assert here[1].headers["content-length"] == there[1].headers["content-length"]
    assert "content-encoding" not in here[2].headers
    assert here[4].headers["location"].startswith(recorder.media_url)
    assert again[4].headers["location"].startswith(replayer.media_url)
    assert again[2].json() == {"mail": "email-1@example.invalid", "long": "x" * 5000}
    assert again[3].text == "caf\u00e9 email-1@example.invalid"
    assert [response.content for response in again[7:]] == [here[7].content, b"null", b"{no"]


@pytest.mark.parametrize("name", ["b.png", "\u2018krümel\u2019 🥐.png", "a b;c.png"])
def test_uploads_are_recorded_by_digest(recorder: Recorder, tmp_path: Path, name: str) -> None:
    def ask(media: str, name: str = name, data: bytes = PICTURE) -> httpx2.Response:
        with client() as http:
            return http.post(f"{media}/upload", files={"file": (name, data, "image/png")})

    assert ask(recorder.media_url).status_code == 200
    (interaction,) = load(tmp_path).interactions
    digest = hashlib.sha256(PICTURE).hexdigest()
    assert isinstance(interaction.request.body, Multipart)
    (part,) = interaction.request.body.parts
    assert (part.name, part.filename, part.content_type) == ("file", name, "image/png")
    assert part.content == Binary(digest, len(PICTURE))
    with Replayer(tmp_path, strict=False) as there:
        assert ask(there.media_url).json()["id"] == "1"
        refused = ask(there.media_url, name="a.png")
        assert refused.status_code == 501
        assert f'filename is "a.png", recorded is "{name}"' in refused.json()["error"]
        assert "bytes, " in ask(there.media_url, data=PICTURE[1:]).json()["error"]


def test_a_large_upload_is_not_held_in_memory(recorder: Recorder, tmp_path: Path) -> None:
    block, blocks = random.Random(1).randbytes(1024 * 1024), 64
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n'

    def pieces() -> Iterator[bytes]:
        yield head
        for _ in range(blocks):
            yield block
        yield b"\r\n--b--\r\n"

    tracemalloc.start()
    with client() as http:
        response = http.post(
            f"{recorder.media_url}/upload",
            content=pieces(),
            headers={"Content-Type": "multipart/form-data; boundary=b"},
        )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * 1024 * 1024
    assert response.json()["size"] == blocks * len(block) + len(head) + len(b"\r\n--b--\r\n")
    (interaction,) = load(tmp_path).interactions
    assert isinstance(interaction.request.body, Multipart)
    digest = hashlib.sha256(block * blocks).hexdigest()
    assert interaction.request.body.parts[0].content == Binary(digest, blocks * len(block))


# What goes wrong


@contextmanager
def saying(response: bytes) -> Iterator[str]:
    """A service that says these bytes after the head of any request, and hangs up."""

    def say(peer: Peer) -> None:
        peer.send(response)
        peer.gone = True

    with serve(lambda _: say, at="head") as server:
        yield server.origin


@pytest.mark.parametrize(
    "response",
    [
        b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a":',
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n"
        b"\r\n2\r\n{}",
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n"
        b"content-length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\n",
        b"no http",
        b"",
    ],
    ids=["length", "chunked", "gzip", "head", "words", "nothing"],
)
def test_json_that_breaks_off_is_a_502_and_not_recorded(tmp_path: Path, response: bytes) -> None:
    with saying(response) as base:
        with Recorder(f"{base}/v1", f"{base}/api/v1", tmp_path) as recorder, client() as http:
            got = http.get(f"{recorder.base_url}/posts?token=hunter2")
        assert got.status_code == 502
        assert got.json()["message"].startswith(f"the service at {base} ")
        (note,) = recorder.notes
        assert note.startswith("GET /v1/posts?token=%3Ctoken-2%3E: not recorded: the service at")
        assert load(tmp_path).interactions == ()


def test_bytes_that_break_off_break_off_at_the_client(tmp_path: Path) -> None:
    response = b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 50\r\n\r\n\x00\x01"
    with saying(response) as base:
        recorder = Recorder(f"{base}/v1", f"{base}/api/v1", tmp_path)
        with recorder, client() as http, pytest.raises(httpx2.RemoteProtocolError):
            http.get(f"{recorder.base_url}/picture")
        (note,) = recorder.notes
        assert "the response broke off" in note
        assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["recording.yaml"]


def test_a_service_that_is_down_is_a_502(tmp_path: Path) -> None:
    with saying(b"") as down:
        pass
    said: list[str] = []
    recorder = Recorder(f"{down}/v1", f"{down}/api/v1", tmp_path, say=said.append)
    with recorder, client() as http:
        main = http.get(f"{recorder.base_url}/posts")
        media = http.post(f"{recorder.media_url}/upload", content=b"a" * 2_000_000)
    assert (main.status_code, media.status_code) == (502, 502)
    assert down in main.json()["message"] and down in media.json()["error"]
    assert said == recorder.notes and len(said) == 2
    assert load(tmp_path).interactions == ()


class Early(httpx2.AsyncBaseTransport):
    """A service that reads no body."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(413, text="No.")


def test_what_is_not_recorded_has_its_reason(tmp_path: Path) -> None:
    with serve(lambda _: hold) as service:
        recorder = Recorder(service.origin, service.origin, tmp_path / "one", timeout=0.1)
        with recorder, client() as http:
            assert http.get(f"{recorder.base_url}/posts").status_code == 502
            recorder._client = httpx2.AsyncClient(transport=Early())
            assert http.post(f"{recorder.base_url}/x", content=b"a").status_code == 413
    assert recorder.notes == [
        f"GET /posts: not recorded: the service at {service.origin} did not respond: ReadTimeout",
        "POST /x: not recorded: the service responded before the end of the request",
    ]
    (tmp_path / "file").touch()
    with pytest.raises(RecordingError, match="file is a file; name a folder for the recording"):
        Recorder(service.origin, service.origin, tmp_path / "file")


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\x00a",
        b"Content-Type: multipart/form-data; boundary=cut\r\n\r\n--cut\r\n"
        b'Content-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
        + PICTURE
        + b"\r\n--cut\r\nContent-Disposition: form-data",
    ],
    ids=["bytes", "form"],
)
def test_a_client_that_leaves_is_not_recorded(
    recorder: Recorder, tmp_path: Path, sent: bytes
) -> None:
    parts = httpx2.URL(recorder.media_url)
    assert parts.port is not None
    with socket.create_connection((parts.host, parts.port)) as sock:
        sock.sendall(b"POST /api/v1/upload HTTP/1.1\r\nHost: h\r\nContent-Length: 99999\r\n" + sent)
    with client() as http:
        for _ in range(100):
            http.get(f"{recorder.base_url}/labels/1")
            if recorder.notes:
                break
    (note,) = recorder.notes
    assert "the client left" in note
    assert all(item.request.method == "GET" for item in load(tmp_path).interactions)
    assert not list((tmp_path / "blobs").glob("*"))


def test_a_target_passes_unchanged(service: Service, recorder: Recorder) -> None:
    odd = b"/v1/echo//../a;b/%zz?&&=&a=%2C,&a[]=\x7b\x7d|"
    parts = httpx2.URL(recorder.base_url)
    assert parts.port is not None
    with socket.create_connection((parts.host, parts.port), timeout=10) as sock:
        sock.sendall(b"GET " + odd + b" HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        while sock.recv(65536):
            pass
    assert service.seen[-1][1] == odd.decode()
    assert load(recorder.path).interactions[-1].request.target == odd.decode()


def test_a_recording_is_not_overwritten(
    service: Service, recorder: Recorder, tmp_path: Path
) -> None:
    with pytest.raises(RecordingError, match="already exists"):
        Recorder(service.base, service.media, tmp_path)


# Replaying


@pytest.fixture(scope="module")
def scenario(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ann reads, writes and writes again; Bob reads; somebody without a token tries to."""
    tmp_path = tmp_path_factory.mktemp("scenario")
    with Recorder(f"{service.base}/v1", f"{service.media}/api/v1", tmp_path) as recorder:
        base = recorder.base_url
        with (
            client() as ann,
            client(OTHER) as bob,
            httpx2.Client(trust_env=False, verify=False) as nobody,
        ):
            ann.get(f"{base}/posts?groupId=1")
            ann.patch(f"{base}/echo/1", json={"content": "a", "labelIds": ["1", "2"], "note": None})
            ann.patch(f"{base}/echo/1", json={"content": "b"})
            ann.patch(f"{base}/echo/2", json={"flag": True, "n": 1})
            bob.get(f"{base}/posts?groupId=2")
            nobody.get(f"{base}/posts?groupId=2")
    return tmp_path


def test_strict_replay_wants_the_recorded_order(scenario: Path) -> None:
    with Replayer(scenario) as there, client("x") as http:
        later = http.patch(f"{there.base_url}/echo/1", json={"content": "b"})
        assert later.status_code == 501
        assert (
            "number 1 is next, and number 3, which is this one, comes later"
            in later.json()["message"]
        )
        assert http.get(f"{there.base_url}/posts?groupId=1").status_code == 200
        again = http.get(f"{there.base_url}/posts?groupId=1").json()
        assert (
            "number 2 is next, and number 1, which is this one, was served already"
            in again["message"]
        )
        assert "no response to GET /v1/posts?groupId=1: " in again["message"]
        assert "nearest is number 2, PATCH /v1/echo/1: " in again["message"]
        assert len(there.left) == 5 and len(there.refused) == 2


@pytest.mark.parametrize(
    ("method", "path", "body", "difference"),
    [
        ("GET", "/posts?groupId=3", None, 'query.groupId is ["3"], recorded is ["1"]'),
        ("GET", "/post?groupId=1", None, 'path is "/v1/post", recorded is "/v1/posts"'),
        ("PUT", "/echo/1", {"content": "b"}, 'method is "PUT", recorded is "PATCH"'),
        ("PATCH", "/echo/1", {"content": "c"}, 'body.json.content is "c", recorded is "b"'),
        (
            "PATCH",
            "/echo/1",
            {"content": "b", "x": None},
            "body.json.x is null, recorded is absent",
        ),
        (
            "PATCH",
            "/echo/1",
            {"content": "a", "labelIds": ["1", "2"]},
            "body.json.note is absent, recorded is null",
        ),
        (
            "PATCH",
            "/echo/1",
            {"content": "a", "labelIds": ["2", "1"], "note": None},
            'labelIds[0] is "2", recorded is "1"; body.json.labelIds[1] is "1", recorded is "2"',
        ),
        ("PATCH", "/echo/2", {"flag": 1}, "body.json.flag is 1, recorded is true"),
        ("PATCH", "/echo/1", None, 'body.json.content is absent, recorded is "b"'),
    ],
)
def test_a_refusal_says_what_differs_from_the_nearest(
    scenario: Path, method: str, path: str, body: Any, difference: str
) -> None:
    with Replayer(scenario, strict=False) as there, client() as http:
        response = http.request(method, there.base_url + path, json=body)
        assert response.status_code == 501
        assert difference in response.json()["message"]
        assert there.refused == [response.json()["message"]]


def test_each_token_plays_one_of_the_recorded(scenario: Path) -> None:
    with Replayer(scenario, strict=False) as there, client("one") as one, client("two") as two:
        base = there.base_url
        assert one.get(f"{base}/posts?groupId=1").status_code == 200  # one is Ann now
        same = b'{"n": 1.0, "flag": true}'  # in another order, and a number written otherwise
        assert one.patch(f"{base}/echo/2", content=same, headers=JSON_TYPE).status_code == 200
        ann, bob = "the one of Bearer <token-1>", "the one of Bearer <token-2>"

        def refused(whose: httpx2.Client, group: int, asked: str, recorded: str) -> None:
            response = whose.get(f"{base}/posts?groupId={group}")
            assert response.status_code == 501
            reason = f'authorization is "{asked}", recorded is "{recorded}"'
            assert reason in response.json()["message"]

        refused(one, 2, ann, bob)
        assert two.get(f"{base}/posts?groupId=2").status_code == 200  # and two is Bob
        refused(two, 1, bob, ann)
        with client("three") as three:
            refused(three, 1, "a token not seen before", ann)
        with client("<token-1>") as again:
            assert again.get(f"{base}/posts?groupId=1").status_code == 200
        with httpx2.Client(trust_env=False, verify=False) as nobody:
            assert nobody.get(f"{base}/posts?groupId=2").status_code == 200
            refused(nobody, 1, "absent", "present")


def test_free_replay_serves_equal_requests_in_turn(service: Service, tmp_path: Path) -> None:
    with Recorder(service.base, service.media, tmp_path) as recorder, client() as http:
        for _ in range(2):
            http.get(f"{recorder.base_url}/v1/posts")
    file = recorder.path
    head, first, second = re.split(r"(?m)^(?=- request)", file.read_text())
    file.write_text(head + first + second.replace("status: 200", "status: 503"))
    with Replayer(tmp_path, strict=False) as there, client() as http:
        codes = [http.get(f"{there.base_url}/v1/posts").status_code for _ in range(4)]
    assert codes == [200, 503, 503, 503]


def test_a_response_without_its_content_is_reported_as_such(
    recorder: Recorder, tmp_path: Path
) -> None:
    with client() as http:
        assert http.get(f"{recorder.base_url}/picture").content == PICTURE
    with Replayer(tmp_path) as there, client() as http:
        response = http.get(f"{there.base_url}/picture")
    assert response.status_code == 501
    assert "recorded without its content" in response.json()["message"]


# A session


SPOKEN: list[tuple[str, str, dict[str, str], bytes]] = [
    ("GET", "/v1/user?token=hunter2", {"Accept": "text/*", "accept": "*/*"}, b""),
    ("GET", "/v1/deflate", {"Connection": "close, X-Own", "X-Own": "1", "Via": "me"}, b""),
    ("GET", "/v1/zipped", {"Proxy-Authorization": "Basic abcd", "Keep-Alive": "9", "TE": "x"}, b""),
    ("GET", "/v1/brotli", {}, b""),
    ("GET", "/v1/twice", {}, b""),
    ("GET", "/v1/parts", {}, b""),
    ("GET", "/v1/unchanged", {"If-None-Match": '"1"'}, b""),
    ("HEAD", "/v1/unchanged", {}, b""),
    (
        "POST",
        "/v1/echo/a%2Fb",
        {"Content-Type": "Application/Vnd.x+JSON; v=1"},
        b'{"b":1, "a":"x"}',
    ),
    ("POST", "/v1/echo/", {"Content-Type": "text/json"}, b'{"url": "MEDIA\\/a", "phone": 491701}'),
    ("POST", "/v1/echo/", {"Content-Type": "text/csv"}, b"mail,ann.lee@mail.example.org\x01\n"),
    ("POST", "/v1/echo/", {"Content-Type": "image/png"}, b"ann.lee@mail.example.org\x01\n"),
    (
        *("POST", "/v1/echo/", {"Content-Type": "application/x-www-form-urlencoded"}),
        b"who=ann.lee%40mail.example.org&password=hunter2\x01",
    ),
    (
        *("POST", "/v1/echo/", {"Content-Type": "application/json", "Content-Encoding": "GZIP"}),
        b'{"no": "gzip"}',
    ),
    ("POST", "/api/v1/upload", {"Content-Type": "multipart/form-data; boundary=b"}, b"--b\r\nno"),
    (
        *("POST", "/api/v1/upload", {"Content-Type": "multipart/form-data; boundary=b"}),
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="ann.lee@mail.example.org"'
        b"\r\nContent-Type: application/json\r\n\r\n[1.0]\r\n"
        b'--b\r\nContent-Disposition: form-data; name="secret"\r\nContent-Type: text/json'
        b"\r\n\r\n12345678\r\n--b--\r\n",
    ),
]
"""What is asked of the service through a recorder: method, target, headers and body."""

AGAIN: list[tuple[str, str, dict[str, str], bytes]] = [
    *SPOKEN[:3],
    *SPOKEN[6:],
    ("POST", "/v1/echo/a%2Fb", {"Content-Type": "a/vnd+json"}, b'{"a": "x", "b": 1.0}'),
    ("POST", "/v1/echo/", {"Content-Type": "text/json"}, b'{"phone": 5, "url": "MEDIA/a"}'),
    ("POST", "/v1/echo/a%2Fb", {"Content-Type": "text/json"}, b'{"a": 1, "b": "x"}'),
    (
        *("POST", "/v1/echo/a%2Fb", {"Content-Type": "text/json"}),
        b'{"c": 1, "d": [2, {"e": null}], "f": {}, "g": "' + b"x" * 58 + b'", "h": "' + b"x" * 59
        + b'"}',
    ),
    ("GET", "/v1/user?token=x", {"Authorization": "Bearer other"}, b""),
    ("GET", "/v1/user?token=", {}, b""),
    ("GET", "/v1/user?token=x&token=y", {}, b""),
    ("GET", "/v1/users?token=x", {}, b""),
    (
        *("POST", "/api/v1/upload", {"Content-Type": "multipart/form-data; boundary=c"}),
        b'--c\r\nContent-Disposition: form-data; name="fil"; filename="b"\r\n\r\n[1]\r\n--c--\r\n',
    ),
]  # fmt: skip
"""What is asked of a replay of it."""


def test_a_session_of_a_recorder_and_of_a_replay(
    service: Service, tmp_path: Path, golden: Any
) -> None:
    """All that the service gets, a client gets and a folder keeps, byte by byte."""
    said: list[str] = []

    def ask(to: Servers, method: str, target: str, headers: dict[str, str], body: bytes) -> None:
        api = httpx2.URL(to.media_url if target.startswith("/api") else to.base_url)
        names = {to.base_url[: -len("/v1")]: "BASE", to.media_url[: -len("/api/v1")]: "MEDIA"}
        for origin, name in names.items():
            for slash in ("\\/", "/"):
                written = origin.replace("/", slash) + slash
                body = body.replace(f"{name}{slash}".encode(), written.encode())
        names |= {service.base: "SERVICE", service.media: "FILES"}
        names |= {origin.replace("/", "\\/"): f"{name}\\" for origin, name in names.items()}

        def show(what: str, data: bytes) -> None:
            text = data.decode("latin-1")
            for origin, name in names.items():
                text = text.replace(origin, name)
            lines = filter(None, text.encode("unicode_escape").decode().split("\\r\\n"))
            said.extend(f"{what}{line}\n" for line in lines)

        fields = {"Host": "h", "Connection": "close", "Authorization": "Bearer mine"} | headers
        fields |= {"Content-Length": str(len(body))} if body else {}
        head = [f"{method} {target} HTTP/1.1", *map(": ".join, fields.items())]
        service.seen.clear()
        with socket.create_connection((api.host, api.port or 0)) as sock:
            sock.sendall("\r\n".join([*head, "", ""]).encode() + body)
            received = b"".join(iter(lambda: sock.recv(65536), b""))
        said.append(f"$ {method} {target}\n")
        for *_, sent, passed in service.seen:
            lines = [f"{name}: {value}" for name, value in sent.items() if name != "host"]
            show("  to the service: ", "\r\n".join(lines).encode() + b"\r\n" + passed)
        show("  ", received)

    recorder = Recorder(f"{service.base}/v1", f"{service.media}/api/v1", tmp_path / "kept")
    with recorder:
        for number, each in enumerate(SPOKEN, 1):
            ask(recorder, *each)
            said.append(f"  recorded: {recorder.recorded} of {number}\n")
        kept = recorder.path.read_text(encoding="utf-8")
        recorder.path.unlink()
        recorder.path.mkdir()
        ask(recorder, "GET", "/v1/redirect", {}, b"")
    said += [f"note: {each}\n".replace(str(recorder.path.parent), "…") for each in recorder.notes]
    said.append(kept)
    recorder.path.rmdir()
    assert [*recorder.path.parent.iterdir()] == []
    file = recorder.path.with_name("once.more.yml")
    file.write_text(kept, encoding="utf-8")
    with Replayer(file.parent, strict=False) as replayer:
        for each in AGAIN:
            ask(replayer, *each)
    file.write_text(f"{kept.partition('interactions')[0]}interactions: []\n", encoding="utf-8")
    for strict in (True, False):
        with Replayer(file, strict) as replayer:
            ask(replayer, *AGAIN[0])
    golden(Path(__file__).parent / "sessions" / "recording.lines", "".join(said))


def test_bad_arguments_are_reported(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="not a base address"):
        Recorder("here", "there", tmp_path)
    with pytest.raises(RecordingError, match="contains no recording"):
        Replayer(tmp_path)


def first_of_two() -> int:
    """A free port with a free one after it."""
    while True:
        with socket.socket() as one, socket.socket() as other, suppress(OSError, OverflowError):
            one.bind(("127.0.0.1", 0))
            port: int = one.getsockname()[1]
            other.bind(("127.0.0.1", port + 1))
            return port


def test_each_interface_has_the_port_that_was_asked_for(tmp_path: Path) -> None:
    service = ("http://127.0.0.1:9/v1", "http://127.0.0.1:9/api/v1")
    with Recorder(*service, tmp_path / "one", port=0, media_port=0) as recorder:
        taken = int(recorder.media_url.split(":")[2].partition("/")[0])
        with pytest.raises(RecordingError, match=f"cannot listen on 127.0.0.1:{taken}: Address al"):
            Recorder(*service, tmp_path / "two", media_port=taken)
        with pytest.raises(RecordingError, match=f"cannot listen on 127.0.0.1:{taken}: Address al"):
            Replayer(recorder.path, media_port=taken)
    with Replayer(recorder.path, media_port=taken) as replayer:
        assert replayer.media_url == f"http://127.0.0.1:{taken}/api/v1"
        assert replayer.base_url != f"http://127.0.0.1:{taken - 1}/v1"
    for given, is_next in ((None, True), (0, False)):
        port = first_of_two()
        with Replayer(recorder.path, port=port, media_port=given) as replayer:
            assert replayer.base_url == f"http://127.0.0.1:{port}/v1"
            assert (f":{port + 1}/" in replayer.media_url) is is_next
    with pytest.raises(RecordingError, match=r"cannot listen on a\.\.b:0: "):
        Recorder(*service, tmp_path / "three", host="a..b")
