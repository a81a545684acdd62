"""What nobody should send: broken, endless, slow and sudden, over real sockets."""

from __future__ import annotations

import http.client
import os
import socket
import sqlite3
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from social_publishing_sandbox import Sandbox, serving
from social_publishing_sandbox.api.media.drawing import draw
from social_publishing_sandbox.api.operations import media as media_operations
from social_publishing_sandbox.api.space import NoSpace
from tests.support.disk import files_of_at_most

PICTURE = draw(seed=3, width=40, height=30, title="A")
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


@contextmanager
def connection(url: str, timeout: float = 10) -> Iterator[socket.socket]:
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout) as opened:
        yield opened


def exchange(url: str, *pieces: bytes, timeout: float = 10) -> bytes:
    """All that comes back until the server closes; the last piece must make it do so."""
    with connection(url, timeout) as opened:
        for piece in pieces:
            opened.sendall(piece)
        return read(opened)


def read(opened: socket.socket) -> bytes:
    response = bytearray()
    while piece := opened.recv(65536):
        response += piece
    return bytes(response)


def head(sandbox: Sandbox, line: str, *headers: str) -> bytes:
    token = f"Authorization: Bearer {sandbox.token}"
    return "\r\n".join([f"{line} HTTP/1.1", "Host: sandbox.test", token, *headers, "", ""]).encode()


def upload(sandbox: Sandbox, *headers: str) -> bytes:
    form = "Content-Type: multipart/form-data; boundary=b"
    return head(sandbox, "POST /api/v1/upload", form, *headers)


def files(sandbox: Sandbox) -> set[str]:
    """What lies in the folder of uploaded files."""
    return {str(each.relative_to(sandbox.service.files)) for each in _all(sandbox.service.files)}


def _all(folder: Path) -> Iterator[Path]:
    return (each for each in folder.rglob("*") if each.is_file())


def is_well(sandbox: Sandbox) -> bool:
    """Whether both APIs still do what they should."""
    headers = {"Authorization": f"Bearer {sandbox.token}"}
    group = sandbox.world()["groups"][0]["id"]
    with httpx2.Client(headers=headers, timeout=10) as client:
        read = client.get(f"{sandbox.base_url}/groups/{group}")
        form = {"file": ("a.png", PICTURE, "image/png")}
        written = client.post(f"{sandbox.media_url}/upload", files=form)
    return read.status_code == written.status_code == 200


# Unusual, and right


def test_requests_may_follow_each_other_whatever_becomes_of_them(sandbox: Sandbox) -> None:
    json = ("Content-Type: application/json", "Content-Length: 12")
    body = b'{"name": ""}'
    nobody = b"POST /v1/labels HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n" + body
    form = ("Content-Type: multipart/form-data; boundary=b", "Content-Length: 12")
    pipeline = [
        nobody,
        head(sandbox, "POST /v1/nothing", *json) + body,
        head(sandbox, "POST /v1/labels", *json) + body,
        head(sandbox, "DELETE /v1/labels/1", *json) + body,
        head(sandbox, "PUT /v1/labels", *json, "Content-Encoding: gzip") + body,
        head(sandbox, "POST /api/v1/upload", *form) + body,
        head(sandbox, "GET /v1/posts-bulk?ids=1", "Connection: close"),
    ]
    responses = exchange(sandbox.base_url, b"".join(pipeline))
    statuses = [int(each[:3]) for each in responses.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [401, 404, 422, 404, 405, 404, 200]


def test_an_offer_of_another_protocol_is_passed_over(sandbox: Sandbox) -> None:
    for offer in ("websocket", "h2c"):
        offered = ("Connection: Upgrade, HTTP2-Settings", f"Upgrade: {offer}")
        with connection(sandbox.base_url) as opened:
            for more in (offered, offered, ()):
                opened.sendall(head(sandbox, "GET /v1/posts-bulk?ids=1", *more))
                assert opened.recv(65536).startswith(b"HTTP/1.1 200 "), (offer, more)


def test_a_body_is_asked_for_only_when_it_is_wanted(sandbox: Sandbox) -> None:
    json = ("Content-Type: application/json", "Content-Length: 12", "Expect: 100-continue")
    with connection(sandbox.base_url) as opened:
        opened.sendall(head(sandbox, "POST /v1/labels", *json))
        assert opened.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        opened.sendall(b'{"name": ""}')
        assert opened.recv(65536).startswith(b"HTTP/1.1 422 ")
    refused = head(sandbox, "POST /v1/labels", *json).replace(b"Bearer ", b"Bearer no")
    assert exchange(sandbox.base_url, refused).startswith(b"HTTP/1.1 401 ")


@pytest.mark.parametrize(
    "request_",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /v1/posts HTTP/1.2\r\n\r\n",
        b"FOO /v1/posts HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET v1/posts HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /v1/a b HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /v1/posts HTTP/1.1\r\nHost: a\r\nX: \x00\r\n\r\n",
        b"GET /v1/posts HTTP/1.1\r\nHost: a\r\n : b\r\n\r\n",
        b"POST /v1/labels HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /v1/labels HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /v1/labels HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"POST /v1/labels HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ],
    ids=range(12),
)
def test_what_is_no_request_is_told_so(sandbox: Sandbox, request_: bytes) -> None:
    response = exchange(sandbox.base_url, request_)
    assert response.startswith(b"HTTP/1.1 400 "), response
    assert b"connection: close" in response


# Bodies that are too large


@contextmanager
def at_most(size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(media_operations, "_max_bytes", lambda service: size)
        yield


def test_a_body_of_three_gigabytes_is_refused_unsent(sandbox: Sandbox) -> None:
    announced = upload(sandbox, f"Content-Length: {3 << 30}", "Expect: 100-continue")
    began = time.perf_counter()
    response = exchange(sandbox.media_url, announced)
    assert time.perf_counter() - began < 2, "nothing is waited for that will not come"
    assert response.startswith(b"HTTP/1.1 413 "), response
    assert b"connection: close" in response
    assert response.endswith(b'{"error":"The file is larger than 2048 MB."}')
    assert is_well(sandbox)


@pytest.mark.parametrize("announced", [True, False])
def test_who_sends_it_all_anyway_gets_the_response(sandbox: Sandbox, announced: bool) -> None:
    before = files(sandbox)
    boundary = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
    sent = 0

    def body() -> Iterator[bytes]:
        nonlocal sent
        yield boundary
        for _ in range(3 << 10):
            sent += MEGABYTE
            yield bytes(MEGABYTE)

    headers = {
        "Authorization": f"Bearer {sandbox.token}",
        "Content-Type": "multipart/form-data; boundary=b",
    }
    if announced:
        headers["Content-Length"] = str(len(boundary) + (3 << 30))
    memory = resident()
    with at_most(8 * MEGABYTE), httpx2.Client(timeout=20) as client:
        response = client.post(f"{sandbox.media_url}/upload", headers=headers, content=body())
    assert (response.status_code, response.json()) == (
        413,
        {"error": "The file is larger than 8 MB."},
    )
    assert response.headers["x-ratelimit-limit"]
    assert sent < 1 << 30, "it was given up long before it was all sent"
    assert resident() - memory < 64 * MEGABYTE
    assert files(sandbox) == before
    assert is_well(sandbox)


def test_nobody_is_cut_off_while_still_sending(sandbox: Sandbox) -> None:
    """A reset would reach the client before it looks for the response."""
    with connection(sandbox.media_url) as opened:
        opened.sendall(upload(sandbox, f"Content-Length: {3 << 30}"))
        for _ in range(10):
            opened.sendall(bytes(MEGABYTE))
            time.sleep(0.02)
        assert opened.recv(65536).startswith(b"HTTP/1.1 413 ")


def resident() -> int:
    """Bytes of memory that this process holds, the sandbox in it; 0 where nobody tells."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return 0
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_a_json_body_without_end_is_refused(sandbox: Sandbox) -> None:
    begin = head(
        sandbox,
        "POST /v1/labels",
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
    )
    chunk = b"100000\r\n" + b" " * MEGABYTE + b"\r\n"
    response = exchange(sandbox.base_url, begin, *[chunk] * 12, b"0\r\n\r\n")
    assert b"HTTP/1.1 422 " in response
    assert b"more than 10,485,760 bytes" in response


def test_a_head_without_end_is_refused(sandbox: Sandbox) -> None:
    with connection(sandbox.base_url) as opened:
        opened.sendall(b"GET /v1/groups/1 HTTP/1.1\r\nX-Long: ")
        opened.sendall(b"a" * (2 * MEGABYTE))
        assert b"HTTP/1.1 431 " in opened.recv(65536)
    assert is_well(sandbox)


def test_a_long_query_is_no_reason_to_refuse(sandbox: Sandbox) -> None:
    many = "&".join(f"a{number % 10}=" for number in range(10_000))
    request = head(sandbox, f"GET /v1/posts-bulk?ids=1&{many}", "Connection: close")
    assert exchange(sandbox.base_url, request).startswith(b"HTTP/1.1 200 ")
    request = head(sandbox, f"GET /v1/posts-bulk?ids={',' * 60_000}", "Connection: close")
    response = exchange(sandbox.base_url, request)
    assert response.startswith(b"HTTP/1.1 422 ")
    assert len(response) < 100_000, "not everything that is wrong is said"
    request = head(sandbox, f"GET /v1/posts-bulk?ids={',' * 100_000}")
    assert exchange(sandbox.base_url, request).startswith(b"HTTP/1.1 414 ")


_PART = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'


# Slow and sudden clients


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    monkeypatch.setattr(serving, "SILENCE", 0.3)
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


def _halves(sandbox: Sandbox) -> dict[str, bytes]:
    json = ("Content-Type: application/json", "Content-Length: 10")
    return {
        "nothing": b"",
        "half a head": b"GET /v1/posts HTTP/1.1\r\nHost: ",
        "half a body": head(sandbox, "POST /v1/labels", *json) + b'{"na',
        "half a body that is not wanted": head(sandbox, "POST /v1/nothing", *json) + b"{",
        "half a file": upload(sandbox, "Content-Length: 1000") + _PART + b"x",
    }


@pytest.mark.parametrize("half", range(5))
def test_a_request_that_is_not_gone_on_with_is_given_up(impatient: Sandbox, half: int) -> None:
    sent = list(_halves(impatient).values())[half]
    before = files(impatient)
    url = impatient.media_url if b"/upload" in sent else impatient.base_url
    began = time.perf_counter()
    exchange(url, sent)
    assert 0.2 < time.perf_counter() - began < 3
    assert eventually(lambda: files(impatient) == before)


def test_patience_is_for_those_who_wait_for_the_server(impatient: Sandbox) -> None:
    request = head(impatient, "GET /v1/posts-bulk?ids=1")
    with connection(impatient.base_url) as opened:
        for wait in (0.0, 0.8):  # between requests
            time.sleep(wait)
            opened.sendall(request)
            assert status(opened) == 200
        with impatient.fault("latency", ms=900):
            opened.sendall(request)
            assert status(opened) == 200
        opened.sendall(request[:10])
        assert read(opened) == b"", "and it ends for the next request that is not gone on with"


def test_who_leaves_in_the_middle_leaves_nothing_behind(sandbox: Sandbox) -> None:
    before = files(sandbox)
    for sent in (
        upload(sandbox, "Content-Length: 100000000") + _PART + bytes(3 * MEGABYTE),
        upload(sandbox, "Transfer-Encoding: chunked") + b"fffff\r\n" + _PART,
        head(sandbox, "GET /v1/groups/1"),
        head(sandbox, "POST /v1/labels", "Content-Length: 50") + b'{"name": "half',
    ):
        with connection(sandbox.media_url if b"upload" in sent else sandbox.base_url) as opened:
            opened.sendall(sent)
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert eventually(lambda: files(sandbox) == before)
    assert "half" not in {each["name"] for each in sandbox.world()["labels"]}
    assert is_well(sandbox)


def status(opened: socket.socket) -> int:
    """Read one response whole, in however many pieces it comes, and return its status."""
    with http.client.HTTPResponse(opened) as response:
        response.begin()
        response.read()
        return response.status


def eventually(condition: Callable[[], bool], seconds: float = 5) -> bool:
    last = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > last:
            return False
        time.sleep(0.01)
    return True


# A full disk


def test_a_full_database_refuses_and_goes_on_when_there_is_space(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    with Sandbox(clock="frozen", rate_limit=None, db=file) as sandbox:
        headers = {"Authorization": f"Bearer {sandbox.token}"}
        execute = sandbox.service.store.execute
        with httpx2.Client(headers=headers, base_url=sandbox.base_url, timeout=20) as client:
            pages = execute("PRAGMA page_count").fetchone()[0]
            execute(f"PRAGMA max_page_count = {pages + 4}")
            responses = _fill(client)
            assert responses[-1].status_code == 507
            assert responses[-1].json() == {
                "message": "The sandbox has no space left: database or disk is full."
            }
            assert responses[-1].headers["x-ratelimit-limit"]
            before = files(sandbox)
            form = {"file": ("a.png", PICTURE)}
            uploads = [client.post(f"{sandbox.media_url}/upload", files=form) for _ in range(30)]
            taken = [each for each in uploads if each.status_code == 200]
            assert uploads[-1].status_code == 507 and len(taken) < 30
            assert len(files(sandbox) - before) == 2 * len(taken), "a picture and its thumbnail"
            kept = {each["name"] for each in sandbox.world()["labels"]}
            made = {each.json()["name"] for each in responses[:-1]}
            assert made <= kept and len(kept & _names()) == len(made)
            group = sandbox.world()["groups"][0]["id"]
            assert client.get(f"/groups/{group}").status_code == 200
            execute("PRAGMA max_page_count = 1073741823")
            assert client.post("/labels", json={"name": "again"}).status_code == 200
    with sqlite3.connect(file) as kept_file:
        assert kept_file.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def _names() -> set[str]:
    return {f"{number:04} {'x' * 3000}" for number in range(200)}


def _fill(client: httpx2.Client) -> list[httpx2.Response]:
    responses = []
    for name in sorted(_names()):
        responses.append(client.post("/labels", json={"name": name}))
        if responses[-1].status_code != 200:
            return responses
    raise AssertionError("there was always space")


def test_control_on_a_full_disk_says_so(tmp_path: Path) -> None:
    file = tmp_path / "state.db"
    sandbox = Sandbox(clock="frozen", db=file).__enter__()
    headers = {"Authorization": f"Bearer {sandbox.control_token}"}
    with httpx2.Client(headers=headers, base_url=sandbox.control_url, timeout=20) as client:
        before = len(sandbox.find("labels"))
        with files_of_at_most(4096):
            responses = [
                client.post("/labels", json={"name": "x"}),
                client.post("/clock/advance", json={"days": 1}),
                client.post("/reset"),
            ]
            for response in responses:
                assert response.status_code == 507, response.text
                assert response.json()["message"].startswith("The sandbox has no space left: ")
            with pytest.raises(NoSpace, match="the sandbox has no space left: disk I/O error"):
                sandbox.advance(hours=1)
            with pytest.raises(NoSpace, match="the sandbox has no space left"):
                sandbox.close()
        assert sandbox.closed
    with Sandbox(clock="frozen", db=file) as again:
        assert len(again.find("labels")) == before


CHANGES: dict[str, Callable[[Sandbox, str], object]] = {
    "an object": lambda sandbox, _: sandbox.create_label(name="x"),
    "a step": lambda sandbox, _: sandbox.advance(seconds=0.5),
    "a clock's mode": lambda sandbox, _: sandbox.set_clock(mode="x60"),
    "a reset": lambda sandbox, _: sandbox.reset("odd", seed=99),
    "a snapshot": lambda sandbox, name: sandbox.restore(name),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_a_full_disk_refuses_has_changed_nothing(
    tmp_path: Path, change: Callable[[Sandbox, str], object]
) -> None:
    """Wherever the space ends; sqlite writes pages of 4 KiB, each with a header."""
    sandbox = Sandbox(clock="frozen", db=tmp_path / "state.db")
    name = sandbox.snapshot()
    sandbox.create_label(name="later")
    sandbox.add_fault("drop-after", times=1)
    refused = 0
    for pages in range(1_000):
        before = _all_of(sandbox)
        sandbox.service.store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with files_of_at_most(pages * (4096 + 24) + 32):
            try:
                change(sandbox, name)
            except NoSpace:
                refused += 1
            else:
                break
        assert _all_of(sandbox) == before, pages
    assert 0 < refused < 1_000 and _all_of(sandbox) != before
    sandbox.close()


def _all_of(sandbox: Sandbox) -> tuple[object, ...]:
    kept = sandbox.service.store.meta("state"), sandbox.service.store.meta("origin")
    return sandbox.world(), sandbox.clock_mode, sandbox.faults.all(), kept


def test_the_console_on_a_full_disk_says_so(tmp_path: Path) -> None:
    sandbox = Sandbox(clock="frozen", db=tmp_path / "state.db").__enter__()
    sandbox.create_post(status="SCHEDULED", publication_date=sandbox.now + timedelta(hours=1))
    with httpx2.Client(follow_redirects=True, timeout=20) as client:
        page = client.get(sandbox.console_url)
        assert page.status_code == 200
        form = {"mode": "x60"}
        sandbox.service.clock.reach(sandbox.service.clock.now() + 7_200_000)  # nothing happened yet
        with files_of_at_most(4096):
            for response in (
                client.get(f"{sandbox.control_url}/"),
                client.get(f"{sandbox.control_url}/console/budgets"),
                client.post(f"{sandbox.control_url}/console/clock/mode", data=form),
            ):
                assert response.status_code == 507, response.text
                assert "The sandbox has no space left: " in response.text
        assert client.get(f"{sandbox.control_url}/").status_code == 200
    sandbox.close()
