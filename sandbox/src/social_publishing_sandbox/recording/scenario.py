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

import functools
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Final, TypeAlias

from social_publishing_sandbox.compiled import jsonschema_rs
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
from social_publishing_sandbox.state import reading, yamls
from social_publishing_sandbox.state.reading import ReadingError
from social_publishing_sandbox.state.shape import Shape

_Schema: TypeAlias = dict[str, Any]

FORMAT: Final = 1
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


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
        reason = (
            (f"contains several recordings; name one: {names}")
            if files
            else "contains no recording"
        )
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
        found = yamls.read(path)
        for where, reason in _shape().problems(found.data):
            raise ReadingError(str(path), reason, found.line(where), where)
    except ReadingError as error:
        raise RecordingError(str(error)) from None
    data = found.data
    interactions = tuple(map(_interaction, data["interactions"]))
    paths = data["base_path"], data["media_path"]
    return Recording(data["name"], *paths, interactions, path.parent)


def _object(required: _Schema, **optional: _Schema) -> _Schema:
    properties = required | optional
    return {
        **{"type": "object", "required": list(required), "properties": properties},
        "additionalProperties": False,
    }


_SHA256: Final = "^[0-9a-f]{64}$"
_TOKEN: Final = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
_ADDRESS: Final = "^(/[!-~]*)?$"
_LATIN: Final = r"^[ -~\t\x80-\xff]*$"
_REASONS: Final = {
    _SHA256: "must be a SHA-256 in 64 hexadecimal digits",
    _TOKEN: "must be a name as HTTP has them, such as GET or accept",
    _ADDRESS: "must be the path of an address, such as /v1",
    _LATIN: "must be one line of Latin-1",
    "oneOf": "must have one of json, text, and file with size",
}
_TEXT: Final[_Schema] = {"type": "string"}
_KINDS: Final = [{"required": ["json"]}, {"required": ["text"]}, {"required": ["file", "size"]}]
_CONTENTS: Final[_Schema] = {
    **{"json": {}, "text": _TEXT, "file": {"type": "string", "pattern": _SHA256}},
    "size": {"type": "integer"},
}
_CONTENT: Final = {**_object({}, **_CONTENTS), "oneOf": _KINDS}
_PART: Final = {
    **_object({"name": _TEXT}, filename=_TEXT, type=_TEXT, **_CONTENTS),
    "oneOf": _KINDS,
}
_HEADERS: Final[_Schema] = {
    "type": "object",
    "propertyNames": {"pattern": _TOKEN},
    "additionalProperties": {"type": "string", "pattern": _LATIN},
}
_REQUEST: Final = _object(
    {
        "api": {"enum": ["main", "media"]},
        "method": {"type": "string", "pattern": _TOKEN},
        "target": {"type": "string", "pattern": "^[!-~]+$"},
    },
    headers=_HEADERS,
    body={
        "if": {"required": ["parts"]},
        "then": _object({"parts": {"type": "array", "items": _PART}}),
        "else": _CONTENT,
    },
)
_STATUS: Final[_Schema] = {"type": "integer", "minimum": 200, "maximum": 599}
_RESPONSE: Final = _object({"status": _STATUS}, headers=_HEADERS, body=_CONTENT)
_PATH: Final[_Schema] = {"type": "string", "pattern": _ADDRESS}
_INTERACTION: Final = _object({"request": _REQUEST, "response": _RESPONSE})
_RECORDING: Final = _object(
    {
        "format": {"const": FORMAT},
        **{"name": _TEXT, "base_path": _PATH, "media_path": _PATH},
        "interactions": {"type": "array", "items": _INTERACTION},
    }
)


@functools.cache
def _shape() -> Shape:
    return Shape(_RECORDING, _reason)


def _reason(error: jsonschema_rs.ValidationError, where: reading.Path) -> str | None:
    return _REASONS.get(error.kind.as_dict().get("pattern", error.kind.name))


def _interaction(data: Any) -> Interaction:
    asked, given = data["request"], data["response"]
    return Interaction(
        Request(
            asked["api"],
            asked["method"],
            asked["target"],
            _headers(asked),
            _body(asked["body"]) if "body" in asked else None,
        ),
        Response(
            int(given["status"]),  # 200.0 is a whole number, too
            _headers(given),
            _content(given["body"]) if "body" in given else None,
        ),
    )


def _headers(data: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in data.get("headers", {}).items()}


def _body(data: Any) -> Body:
    if "parts" not in data:
        return _content(data)
    return Multipart(
        tuple(
            Part(each["name"], each.get("filename"), each.get("type"), _content(each))
            for each in data["parts"]
        )
    )


def _content(data: Any) -> Content:
    if "json" in data:
        return Json(data["json"])
    return Text(data["text"]) if "text" in data else Binary(data["file"], int(data["size"]))


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
