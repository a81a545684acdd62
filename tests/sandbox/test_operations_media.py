"""Files and their processing, as a client sees them (§4.7)."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from PIL import Image
from wire import Ids, Wire, ids, world

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.media import drawing, facts
from social_publishing_sandbox.api.operations import media as media_operations
from social_publishing_sandbox.state.file_types import MediaType
from tests.support.server import Request, Response, serve

PICTURE = drawing.draw(3, 64, 48, "Rolls")


def upload(wire: Wire, name: str, content: bytes) -> httpx2.Response:
    files = {"file": (name, content, "application/octet-stream")}
    return wire("POST", "/upload", media=True, files=files)


def status(wire: Wire, identifier: str, code: int = 200) -> Any:
    return wire.get(f"/status/{identifier}", code, media=True)


def test_a_file_is_processed_for_a_while(sandbox: Sandbox, wire: Wire) -> None:
    made = wire.answered(upload(wire, "Rolls & Co.PNG", PICTURE))
    assert (made["client_name"], made["extension"], made["type"]) == ("Rolls & Co.PNG", "png", 1)
    assert (made["width"], made["height"], made["size"]) == (64, 48, len(PICTURE))
    assert (made["origin"], made["is_processing"], made["mime_type"]) == (7, True, "image/png")
    assert made["user_id"] == ids(sandbox)["Ada"]
    assert "thumbnail" not in made
    assert status(wire, made["id"]) == {
        "media_id": made["id"],
        "status": "processing",
        "data": made,
    }
    sandbox.advance(minutes=1)
    ready = status(wire, made["id"])
    assert (ready["status"], ready["data"]["is_processing"]) == ("ready", False)
    assert ready["data"]["thumbnail"].endswith(f"/files/{made['id']}/thumbnail.jpg")
    assert ready["data"]["updated_at"] > made["updated_at"]
    for name, kind in ((f"{made['id']}.png", "image/png"), ("thumbnail.jpg", "image/jpeg")):
        served = wire("GET", f"/../../files/{made['id']}/{name}", media=True)
        assert (served.status_code, served.headers["content-type"]) == (200, kind)
    assert "error" not in ready


@pytest.mark.parametrize(("seconds", "state"), [(0, "ready"), (90, "processing")])
def test_processing_takes_what_it_is_told_to(
    sandbox: Sandbox, wire: Wire, seconds: int, state: str
) -> None:
    sandbox.configure(processing=seconds)
    made = wire.answered(upload(wire, "rolls.png", PICTURE))
    assert status(wire, made["id"])["status"] == state
    sandbox.advance(seconds=seconds)
    assert status(wire, made["id"])["status"] == "ready"


def test_a_drawn_picture_is_served_in_its_own_shape() -> None:
    shapes = set()
    with Sandbox(clock="frozen") as sandbox:
        for media in sandbox.find("media"):
            known = sandbox.service.store.media.get(media.id)
            if known["type"] == MediaType.IMAGE and known.get("width"):
                with Image.open(io.BytesIO(httpx2.get(media.url).content)) as image:
                    shapes.add((known["width"] > known["height"], image.width > image.height))
    assert shapes == {(True, True), (False, False)}


@pytest.mark.parametrize(
    ("name", "kind", "start"),
    [
        ("a-b.srt", "application/x-subrip", b"1\n00:00:00,000 --> 00:00:02,000\na b\n"),
        ("a.pdf", "application/pdf", b"%PDF-"),
        ("a.mp4", "video/x-msvideo", b"RIFF"),
        ("a.png", "image/png", b"\x89PNG"),
    ],
)
def test_a_file_that_nobody_uploaded_is_one_of_its_kind(name: str, kind: str, start: bytes) -> None:
    held = world(media=[{"client_name": name}])
    sandbox = Sandbox(held, clock="frozen", rate_limit=None)
    media = sandbox.find("media")[0]
    served = Wire(sandbox)("GET", f"/../../files/{media.id}/{media.file_name}", media=True)
    assert served.headers["content-type"].partition(";")[0] == kind
    assert served.content.startswith(start)
    sandbox.close()


def test_a_large_file_takes_longer(sandbox: Sandbox) -> None:
    small, large = (
        media_operations._duration(sandbox.service, {"type": 2, "size": size})
        for size in (0, 2**31)
    )
    assert small == 1_000 and large > 10_000, "milliseconds"


def test_a_broken_file_fails_when_it_is_processed(sandbox: Sandbox, wire: Wire) -> None:
    made = wire.answered(upload(wire, "broken.png", b"no picture"))
    assert status(wire, made["id"])["status"] == "processing"
    sandbox.advance(minutes=1)
    failed = status(wire, made["id"])
    assert failed["status"] == "failed"
    assert failed["error"]
    assert "data" not in failed


def test_one_picture_is_decoded_at_a_time(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_work: list[int] = []
    most = 0

    def inspect(path: Path, extension: str) -> dict[str, Any]:
        nonlocal most
        at_work.append(1)
        most = max(most, len(at_work))
        time.sleep(0.02)
        at_work.pop()
        return {"type": 1, "mime_type": "image/png"}

    monkeypatch.setattr(facts, "inspect", inspect)

    async def several() -> list[httpx2.Response]:
        transport = httpx2.ASGITransport(sandbox.media_app)
        headers = {"Authorization": f"Bearer {sandbox.token}", "Accept": "application/json"}
        async with httpx2.AsyncClient(transport=transport, headers=headers) as client:
            sent = [
                client.post(f"{sandbox.media_url}/upload", files={"file": ("a.png", PICTURE)})
                for _ in range(8)
            ]
            return await asyncio.gather(*sent)

    for response in asyncio.run(several()):
        Wire(sandbox).answered(response)
    assert most == 1


def test_no_file_can_act_as_a_page_of_this_host(sandbox: Sandbox, wire: Wire) -> None:
    made = wire.answered(upload(wire, "page.srt", b"<script>alert(1)</script>"), 200)
    sandbox.advance(minutes=1)
    for url in (
        status(wire, made["id"])["data"]["url"],
        status(wire, ids(sandbox)["loaf.png"])["data"]["url"],
        f"{sandbox.media_url.removesuffix('/api/v1')}/files/{made['id']}/gone",
    ):
        path = httpx2.URL(url).path
        response = wire("GET", f"/../..{path}", media=True)
        assert response.url.path == path
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["content-security-policy"] == "default-src 'none'; sandbox"
        assert response.headers["cache-control"] == "private, max-age=300"


def test_an_uploaded_file_goes_with_a_post(sandbox: Sandbox, wire: Wire, known: Ids) -> None:
    made = wire.answered(upload(wire, "rolls.png", PICTURE))
    sandbox.advance(minutes=1)
    body = {"selected_media_ids": [made["id"], known["loaf.png"]]}
    post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
    assert wire.patch(f"/posts/{post}", body)["selected_media_ids"] == body["selected_media_ids"]
    path = f"/posts?groupId={known['Bakery']}&include=media"
    found = wire.get(path)["data"][0]["media"]
    assert found[0] == status(wire, made["id"])["data"]
    assert [each["id"] for each in found] == body["selected_media_ids"]


@pytest.mark.parametrize("name", ["a.exe", "png", "a.png.txt", "a.", ".png\0"])
def test_a_file_of_another_kind_is_refused(sandbox: Sandbox, wire: Wire, name: str) -> None:
    before = sandbox.world()
    refused = upload(wire, name, PICTURE)
    assert (refused.status_code, list(refused.json())) == (422, ["error"])
    assert sandbox.world() == before
    assert list(sandbox.service.files.iterdir()) == []


def test_files_are_refused_in_the_form_of_this_host(sandbox: Sandbox, wire: Wire) -> None:
    refused = upload(wire.of("nobody"), "a.png", PICTURE)
    assert (refused.status_code, list(refused.json())) == (401, ["message"])
    for identifier in ("0", "x", "18446744073709551615", "9" * 20):
        assert list(status(wire, identifier, 404)) == ["error"]


def test_what_is_processed_goes_on_in_another_sandbox(sandbox: Sandbox, wire: Wire) -> None:
    sandbox.configure(processing=90)
    good = wire.answered(upload(wire, "good.png", PICTURE))["id"]
    bad = wire.answered(upload(wire, "bad.png", b"no picture"))["id"]
    sandbox.advance(seconds=30)
    again = Sandbox(sandbox.world(), clock="frozen", rate_limit=None)
    other = Wire(again)
    for seconds in (0, 30, 29, 1, 60):
        sandbox.advance(seconds=seconds)
        again.advance(seconds=seconds)
        assert status(wire, good) == status(other, good)
        assert status(wire, bad) == status(other, bad)
    again.close()


def test_a_file_stays_on_disk_as_long_as_a_state_has_it(sandbox: Sandbox, wire: Wire) -> None:
    kept = wire.answered(upload(wire, "kept.png", PICTURE))["id"]
    name = sandbox.snapshot()
    wire.answered(upload(wire, "gone.png", PICTURE))
    for uploads in (1, 0):
        sandbox.reset()
        assert len(list(sandbox.service.files.iterdir())) == uploads
        if uploads:
            sandbox.restore(name)
            assert wire("GET", f"/../../files/{kept}/{kept}.png", media=True).content == PICTURE
            sandbox.forget_snapshot(name)


def test_what_a_world_says_is_processed_is_processed_to_the_end() -> None:
    held = world(media=[{"client_name": "loaf.png", "is_processing": True}])
    sandbox = Sandbox(held, clock="frozen", rate_limit=None)
    wire, known = Wire(sandbox), ids(sandbox)
    assert status(wire, known["loaf.png"])["status"] == "processing"
    sandbox.advance(minutes=1)
    assert status(wire, known["loaf.png"])["status"] == "ready"
    sandbox.close()


def test_a_client_uploads_nothing(sandbox: Sandbox, wire: Wire) -> None:
    cleo, before = wire.of("cleo"), sandbox.world()
    refused = [
        upload(cleo, "rolls.png", PICTURE),
        cleo("POST", "/upload/url/sync", {"file_url": "http://127.0.0.1/a.png"}, media=True),
    ]
    for response in refused:
        assert response.status_code == 403
        assert response.json() == {"error": "A user with the role client may not change this."}
    assert sandbox.world() == before
    assert list(sandbox.service.files.iterdir()) == []


# By address


@pytest.fixture
def files() -> Iterator[str]:
    def respond(request: Request) -> Response:
        found = request.path.startswith("/rolls")
        return Response(200 if found else 404, body=PICTURE if found else b"")

    with serve(respond) as server:
        yield server.origin


def test_a_file_comes_from_an_allowed_host_and_is_processed(files: str) -> None:
    sandbox = Sandbox(
        world(), clock="frozen", rate_limit=None, fetch_hosts=["127.0.0.1"], fetch_private=True
    )
    wire = Wire(sandbox)
    made = wire.post("/upload/url/sync", {"file_url": f"{files}/rolls.png?x=1"}, media=True)
    assert (made["client_name"], made["is_processing"]) == ("rolls.png", True)
    assert (made["width"], made["size"]) == (64, len(PICTURE))
    assert status(wire, made["id"])["data"] == made
    same = wire.answered(upload(wire, "rolls.png", PICTURE))["id"]
    for seconds, expected in ((0, "processing"), (1, "ready")):
        sandbox.advance(seconds=seconds)
        assert status(wire, made["id"])["status"] == status(wire, same)["status"] == expected
    before = sandbox.world()
    for url, code in (
        (f"{files}/gone.png", 400),
        ("http://127.0.0.2/rolls.png", 400),
        (f"{files}/rolls.exe", 422),
    ):
        refused = wire("POST", "/upload/url/sync", {"file_url": url}, media=True)
        assert (refused.status_code, list(refused.json())) == (code, ["error"])
    assert sandbox.world() == before
    sandbox.close()


def test_the_local_network_is_not_reached_unless_that_is_allowed(files: str) -> None:
    sandbox = Sandbox(world(), clock="frozen", rate_limit=None, fetch_hosts=["*"])
    body = {"file_url": f"{files}/rolls.png"}
    refused = Wire(sandbox)("POST", "/upload/url/sync", body, media=True)
    assert refused.status_code == 400
    assert "local network" in refused.json()["error"]
    sandbox.close()


@pytest.mark.parametrize("body", [{}, {"file_url": None}, {"file_url": 5}, []])
def test_a_wrong_address_is_refused(wire: Wire, body: Any) -> None:
    refused = wire("POST", "/upload/url/sync", body, media=True)
    assert (refused.status_code, list(refused.json())) == (422, ["error"])


def test_without_an_allowed_host_nothing_is_fetched(wire: Wire, files: str) -> None:
    body = {"file_url": f"{files}/rolls.png"}
    refused = wire("POST", "/upload/url/sync", body, media=True)
    assert (refused.status_code, list(refused.json())) == (400, ["error"])
    assert "--allow-fetch" in refused.json()["error"]
