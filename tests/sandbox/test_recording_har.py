"""Recordings from HAR files."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from social_publishing_sandbox.recording import RecordingError, Replayer, import_har, load
from social_publishing_sandbox.recording.model import (
    Binary,
    Json,
    Multipart,
    Part,
    Response,
    Text,
)

BASE, MEDIA = "https://api.example.org/v1", "https://media.example.org/api/v1"
TOKEN, MAIL = "tok-Ann-0123456789abcdef", "ann.lee@mail.example.org"
PICTURE = bytes(range(256))


def entry(
    method: str = "GET",
    url: str = f"{BASE}/posts",
    *,
    status: int = 200,
    content: Any = None,
    post: Any = None,
    headers: Any = (),
) -> dict[str, Any]:
    """An entry as browsers write it, with what they write besides."""
    return {
        "_initiator": {"type": "script", "url": f"https://app.example.org/?t={TOKEN}"},
        "startedDateTime": "2026-11-21T10:00:00.000Z",
        "time": 12.5,
        "serverIPAddress": "192.0.2.1",
        "request": {
            "method": method,
            "url": url,
            "httpVersion": "h2",
            "headers": [
                {"name": ":authority", "value": "api.example.org"},
                {"name": "Authorization", "value": f"Bearer {TOKEN}"},
                {"name": "Cookie", "value": f"session={TOKEN}"},
                *headers,
            ],
            "cookies": [{"name": "session", "value": TOKEN}],
            "queryString": [],
            **({"postData": post} if post is not None else {}),
        },
        "response": {
            "status": status,
            "statusText": "",
            "headers": [{"name": "Content-Type", "value": "application/json"}],
            "cookies": [{"name": "session", "value": TOKEN}],
            "content": content or {"size": 2, "mimeType": "application/json", "text": "{}"},
            "redirectURL": "",
        },
    }


def written(folder: Path, *entries: dict[str, Any]) -> Path:
    path = folder / "browser.har"
    log = {"version": "1.2", "pages": [{"title": MAIL}], "entries": list(entries)}
    path.write_text(json.dumps({"log": log}), encoding="utf-8-sig")
    return path


def test_a_har_becomes_a_recording_that_replays(tmp_path: Path) -> None:
    response = {"next_page_url": f"{BASE}/posts?page=2", "by": MAIL, "id": 2**64 - 1}
    path = written(
        tmp_path,
        entry(
            url=f"{BASE}/posts?groupId=1&q={MAIL}#part",
            content={"size": 9, "mimeType": "application/json", "text": json.dumps(response)},
        ),
        entry(
            "PATCH",
            f"{BASE}/posts/1",
            post={"mimeType": "application/json", "text": '{"content": "a"}'},
            headers=[{"name": "content-type", "value": "application/json"}],
        ),
        entry("DELETE", f"{BASE}/labels/1", status=204, content={"size": 0, "mimeType": ""}),
    )
    imported = import_har(path, BASE, MEDIA, tmp_path / "out")
    assert (imported.path, imported.taken, imported.skipped) == (
        tmp_path / "out/browser.yaml",
        3,
        (),
    )
    text = imported.path.read_text()
    assert TOKEN not in text and MAIL not in text and "example.org" not in text
    first, second, third = load(imported.path).interactions
    assert first.request.target == "/v1/posts?groupId=1&q=email-1@example.invalid"
    assert first.request.headers == {"authorization": "Bearer <token-1>"}
    assert first.response.body == Json(
        {
            "next_page_url": "{base}/v1/posts?page=2",
            "by": "email-1@example.invalid",
            "id": 2**64 - 1,
        }
    )
    assert second.request.body == Json({"content": "a"})
    assert third.response == Response(204, {"content-type": "application/json"}, None)
    with Replayer(imported.path) as there:
        assert there.base_url.endswith("/v1") and there.media_url.endswith("/api/v1")


def test_what_did_not_go_to_the_service_is_left_out(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        entry(url="https://app.example.org/main.js"),
        entry(url="https://api.example.org/v11/posts"),
        entry(url="https://api.example.org.evil.net/v1/posts"),
        entry(status=0),
        entry(content={"size": 70000, "mimeType": "application/json"}),
        entry(url="https://API.example.org:443/v1/posts"),
    )
    imported = import_har(path, BASE, MEDIA, tmp_path, name="a")
    assert imported.taken == 1
    assert imported.skipped == (
        "entry 0: it went elsewhere",
        "entry 1: it went elsewhere",
        "entry 2: it went elsewhere",
        "entry 3: GET /v1/posts got no response",
        "entry 4: the HAR does not hold the content of its response",
    )


@pytest.mark.parametrize("as_text", [True, False])
def test_uploads_are_as_far_known_as_the_har_tells(tmp_path: Path, as_text: bool) -> None:
    kind = "multipart/form-data; boundary=b"
    text = (
        f'--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nfor {MAIL}\r\n'
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n'
        "Content-Type: image/png\r\n\r\n\ufffdPNG\r\n--b--\r\n"
    )
    params = [
        {"name": "note", "value": f"for {MAIL}"},
        {"name": "file", "fileName": "a.png", "contentType": "image/png"},
    ]
    post = {"mimeType": kind, "text": text} if as_text else {"mimeType": kind, "params": params}
    path = written(tmp_path, entry("POST", f"{MEDIA}/upload", post=post))
    (interaction,) = load(import_har(path, BASE, MEDIA, tmp_path / "out").path).interactions
    assert interaction.request.api == "media"
    assert interaction.request.body == Multipart(
        (
            Part("note", None, None, Text("for email-1@example.invalid")),
            Part("file", "a.png", "image/png", None),
        )
    )


def test_contents_in_base64_and_in_other_encodings(tmp_path: Path) -> None:
    picture = {"mimeType": "image/png", "text": base64.b64encode(PICTURE).decode()}
    hidden = base64.b64encode(PICTURE + TOKEN.encode()).decode()
    secret = {"mimeType": "image/png", "text": hidden}
    latin = {"mimeType": "text/plain; charset=iso-8859-1", "text": "caf\u00e9"}
    path = written(
        tmp_path,
        entry(content={"size": 1, "encoding": "base64", **picture}),
        entry(content={"size": 1, **latin}),
        entry(content={"size": 1, "encoding": "base64", **secret}),
        entry(
            post={
                "mimeType": "application/x-www-form-urlencoded",
                "params": [{"name": "password", "value": "hunter2"}, {"name": "a", "value": "b"}],
            }
        ),
    )
    imported = import_har(path, BASE, MEDIA, tmp_path / "out")
    first, second, hiding, third = load(imported.path).interactions
    assert isinstance(first.response.body, Binary)
    assert (imported.path.parent / "blobs" / first.response.body.sha256).read_bytes() == PICTURE
    assert second.response.body == Text("caf\u00e9", "iso-8859-1")
    assert isinstance(hiding.response.body, Binary) and not hiding.response.body.kept
    assert len(list((imported.path.parent / "blobs").iterdir())) == 1
    assert third.request.body == Text("password=<password-1>&a=b")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: "{", ":1: not JSON: "),
        (lambda text: "[]", ": not a HAR file: expected an object with `log`"),
        (lambda text: "{}", ": not a HAR file: `log` is missing"),
        (lambda text: '{"log": []}', ": log: expected an object"),
        (lambda text: '{"log": {}}', ": log: `entries` is missing"),
        (lambda text: '{"log": {"entries": {}}}', ": log.entries: expected a list"),
        (lambda text: '{"log": {"entries": [1]}}', ": log.entries[0]: expected an object"),
        (
            lambda text: text.replace('"url": "https://api', '"uri": "'),
            ".request: `url` is missing",
        ),
        (lambda text: text.replace('"GET"', "1"), ".request.method: expected a text"),
        (lambda text: text.replace('"status": 200', '"status": true'), ".status: expected a whole"),
        (lambda text: text.replace('"{}"', '"{}", "encoding": "base64"'), ".text: not base64"),
    ],
)
def test_bad_hars_are_reported_with_their_place(tmp_path: Path, change: Any, reason: str) -> None:
    path = written(tmp_path, entry())
    path.write_text(change(path.read_text(encoding="utf-8-sig")))
    with pytest.raises(RecordingError) as caught:
        import_har(path, BASE, MEDIA, tmp_path / "out")
    assert str(caught.value).startswith(f"{path}:")
    assert reason in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_other_reasons_not_to_import(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="No such file"):
        import_har(tmp_path / "none.har", BASE, MEDIA, tmp_path)
    path = written(tmp_path, entry())
    with pytest.raises(RecordingError, match="not a base address"):
        import_har(path, "api.example.org", MEDIA, tmp_path)
    import_har(path, BASE, MEDIA, tmp_path)
    with pytest.raises(RecordingError, match="exists already"):
        import_har(path, BASE, MEDIA, tmp_path)
