"""Scenario files: one readable YAML file a recording.

    format: 1
    name: notes
    base_path: /v1
    media_path: /api/v1
    interactions:
    - request:
        api: main
        method: GET
        target: /v1/posts?groupId=9876543210987654321
        headers: {accept: application/json, authorization: Bearer <token-1>}
      response:
        status: 200
        headers: {content-type: application/json}
        body:
          json: {…}

A body is one of `json: <value>`, `text: <text>`, `file: <sha256>` with `size` for what is no text,
and `parts: [{name, filename, type, …}]`, each part with one of the first three.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any

from social_publishing_sandbox.recording.model import (
    Binary,
    Body,
    Content,
    Interaction,
    Json,
    Multipart,
    Part,
    Recording,
    RecordingError,
    Request,
    Response,
    Text,
)
from social_publishing_sandbox.state import yamls
from social_publishing_sandbox.state.reading import ReadingError, Value

FORMAT = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TARGET = re.compile(r"[!-~]+")
_PATH = re.compile(r"(?:/[!-~]*)?")
_HEADER = re.compile(r"[ -~\t\x80-\xff]*")


def path_of(folder: Path, name: str) -> Path:
    """Return the scenario file of this name."""
    if not _NAME.fullmatch(name):
        raise RecordingError(
            f"not a name for a recording: {name!r}; use letters, digits, dots, dashes and _"
        )
    return folder / f"{name}.yaml"


def find(place: Path) -> Path:
    """Return the scenario file at `place`: the file itself, or the only one in the folder."""
    if not place.is_dir():
        return place
    files = sorted(place.glob("*.y*ml"))
    if len(files) != 1:
        names = ", ".join(file.name for file in files)
        reason = f"holds several recordings, name one: {names}" if files else "holds no recording"
        raise RecordingError(f"{place}: {reason}")
    return files[0]


def head(recording: Recording) -> str:
    """Return the text of a scenario file up to its interactions."""
    return yamls.dump(
        {
            "format": FORMAT,
            "name": recording.name,
            "base_path": recording.base_path,
            "media_path": recording.media_path,
        }
    )


def entry(interaction: Interaction) -> str:
    """Return the text of one interaction in a scenario file."""
    request, response = interaction.request, interaction.response
    sent = {
        "api": request.api,
        "method": request.method,
        "target": request.target,
        "headers": dict(request.headers),
    }
    received = {"status": response.status, "headers": dict(response.headers)}
    if request.body is not None:
        sent["body"] = _body_data(request.body)
    if response.body is not None:
        received["body"] = _body_data(response.body)
    return yamls.dump([{"request": sent, "response": received}])


def text(head: str, entries: list[str]) -> str:
    """Return a whole scenario file from its head and its entries."""
    return head + ("interactions:\n" + "".join(entries) if entries else "interactions: []\n")


def write(path: Path, content: str) -> None:
    """Put a text in place of a file at once: a reader sees the old one or the new one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(content)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from None


def save(recording: Recording) -> Path:
    """Write a recording to its folder and return the path of the scenario file."""
    path = path_of(recording.folder, recording.name)
    write(path, text(head(recording), [entry(item) for item in recording.interactions]))
    return path


def load(place: Path | str) -> Recording:
    """Read a recording from its file, or from a folder that holds one recording.

    Raises:
        RecordingError: the file cannot be read or does not have the format; the text names the
            file, the line and the field.
    """
    path = find(Path(place))
    try:
        return _recording(yamls.read(path), path.parent)
    except ReadingError as error:
        raise RecordingError(str(error)) from None


def _recording(root: Value, folder: Path) -> Recording:
    form = root.fields("format")["format"]  # another one may have other members
    if (version := form.integer()) != FORMAT:
        form.fail(f"format {version} is not known; this version reads {FORMAT}")
    fields = root.fields("format name base_path media_path interactions", "")
    for name in ("base_path", "media_path"):
        if not _PATH.fullmatch(fields[name].text()):
            fields[name].fail("not the path of an address")
    return Recording(
        name=fields["name"].text(),
        base_path=fields["base_path"].text(),
        media_path=fields["media_path"].text(),
        interactions=tuple(map(_interaction, fields["interactions"].items())),
        folder=folder,
    )


def _interaction(node: Value) -> Interaction:
    fields = node.fields("request response", "")
    return Interaction(_request(fields["request"]), _response(fields["response"]))


def _request(node: Value) -> Request:
    fields = node.fields("api method target", "headers body")
    api, method, target = (fields[name].text() for name in ("api", "method", "target"))
    if api not in ("main", "media"):
        fields["api"].fail("expected main or media")
    if not _TOKEN.fullmatch(method):
        fields["method"].fail("not an HTTP method")
    if not _TARGET.fullmatch(target):
        fields["target"].fail("not a request target; spaces and other letters are percent-encoded")
    return Request(
        "main" if api == "main" else "media",
        method,
        target,
        _headers(fields.get("headers")),
        _body(fields["body"]) if "body" in fields else None,
    )


def _response(node: Value) -> Response:
    fields = node.fields("status", "headers body")
    status = fields["status"].integer()
    if not 200 <= status <= 599:
        fields["status"].fail("expected a status from 200 to 599")
    body = _body(fields["body"]) if "body" in fields else None
    if isinstance(body, Multipart):
        fields["body"].fail("a response has no parts")
    return Response(status, _headers(fields.get("headers")), body)


def _headers(node: Value | None) -> dict[str, str]:
    headers: dict[str, str] = {}
    for name, value in (node.fields() if node else {}).items():
        if not _TOKEN.fullmatch(name):
            value.fail("not a header name")
        headers[name.lower()] = value.text()
        if not _HEADER.fullmatch(headers[name.lower()]):
            value.fail("not a header value: one line of Latin-1")
    return headers


def _body(node: Value) -> Body:
    fields = node.fields()
    if "parts" not in fields:
        return _content(node)
    node.fields("parts", "")
    return Multipart(tuple(map(_part, fields["parts"].items())))


def _part(node: Value) -> Part:
    own = "name filename type"
    content, fields = _content(node, own), node.fields("name")
    filename, kind = (fields[each].text() if each in fields else None for each in own.split()[1:])
    return Part(fields["name"].text(), filename, kind, content)


def _content(node: Value, besides: str = "") -> Content:
    fields = node.fields("", f"{besides} json text file size")
    match [name for name in ("json", "text", "file") if name in fields]:
        case ["json"]:
            return Json(fields["json"].data)
        case ["text"]:
            return Text(fields["text"].text())
        case ["file"]:
            sha256 = fields["file"].text()
            if not re.fullmatch(r"[0-9a-f]{64}", sha256):
                fields["file"].fail("expected a SHA-256 in 64 hexadecimal digits")
            return Binary(sha256, node.fields("size")["size"].integer())
        case [one, other, *_]:
            node.fail(f"has both {one} and {other}")
    node.fail("expected one of json, text, file and parts")


def _body_data(body: Body) -> dict[str, Any]:
    match body:
        case Json(value):
            return {"json": value}
        case Text(text):
            return {"text": text}
        case Binary(sha256, size):
            return {"file": sha256, "size": size}
        case Multipart(parts):
            return {"parts": list(map(_part_data, parts))}


def _part_data(part: Part) -> dict[str, Any]:
    own = {"name": part.name, "filename": part.filename, "type": part.content_type}
    return {name: text for name, text in own.items() if text is not None} | _body_data(part.content)
