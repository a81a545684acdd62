"""Recordings from and to HAR 1.2, the format in which browsers save what they sent and received."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import orjson

from social_publishing_sandbox import __version__
from social_publishing_sandbox.recording import scenario
from social_publishing_sandbox.recording.addresses import (
    Address,
    Addresses,
    map_strings,
    placed,
    response_placed,
)
from social_publishing_sandbox.recording.intake import Blobs, Intake, declared_charset, intake_for
from social_publishing_sandbox.recording.model import (
    Api,
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
    joined,
)
from social_publishing_sandbox.recording.redaction import Redactor, Rules
from social_publishing_sandbox.recording.writing import Writer
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.reading import ReadingError, Value


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of a HAR import: the scenario file, its number of entries, and what was left out."""

    path: Path
    taken: int
    skipped: tuple[str, ...]


def import_har(
    path: Path | str,
    base_url: str,
    media_url: str,
    out: Path | str,
    *,
    name: str | None = None,
    rules: Rules | None = None,
) -> Imported:
    """Make a recording of the entries of a HAR that went to the service.

    Args:
        path: the HAR file.
        base_url: base address of the main API in it.
        media_url: base address of the media API in it.
        out: folder of the recording; made when missing.
        name: name of the recording; that of the HAR file unless given.
        rules: what is redacted besides the built-in rules.

    Raises:
        RecordingError: the file cannot be read or is no HAR, with its name and the field; an
            address cannot be used; or the recording exists already.
    """
    path = Path(path)
    service = Addresses(Address.parse(base_url), Address.parse(media_url))
    skipped = []
    try:
        entries = list(_entries(path))
        writer = Writer(Path(out), path.stem if name is None else name, service, Redactor(rules))
        for number, entry in enumerate(entries):
            try:
                writer.take(number, _interaction(entry, service, writer))
            except _Skipped as reason:
                skipped.append(f"entry {number}: {reason}")
    except ReadingError as error:
        raise RecordingError(str(error)) from None
    writer.write()
    return Imported(writer.path, len(writer), tuple(skipped))


def export_har(
    recording: Recording | Path | str,
    *,
    base_url: str = "https://main.invalid",
    media_url: str = "https://media.invalid",
) -> dict[str, Any]:
    """Return a recording as a HAR.

    A recording has no dates: its interactions are a second apart, from 1970 on. The content of an
    uploaded file is named by its digest, in `_sha256`, and is not in the HAR.

    Args:
        recording: the recording, or where it is.
        base_url: origin that stands for the main API, the paths being those of the recording.
        media_url: origin that stands for the media API.

    Raises:
        RecordingError: the recording cannot be read, or an address cannot be used.
    """
    if not isinstance(recording, Recording):
        recording = scenario.load(recording)
    service = Addresses(Address.parse(base_url), Address.parse(media_url))
    blobs = Blobs(recording.folder / "blobs")
    creator = {"name": "social-publishing-sandbox", "version": __version__}
    entries = [
        _exported(number, interaction, service, blobs)
        for number, interaction in enumerate(recording.interactions)
    ]
    return {"log": {"version": "1.2", "creator": creator, "entries": entries}}


class _Skipped(Exception):
    """An entry that does not become part of a recording, and why."""


def _entries(path: Path) -> Iterator[Value]:
    try:
        data = orjson.loads(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from None
    except orjson.JSONDecodeError as error:
        raise RecordingError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    if not isinstance(data, dict):
        raise RecordingError(f"{path}: not a HAR file: expected an object with `log`")
    if "log" not in data:
        raise RecordingError(f"{path}: not a HAR file: `log` is missing")
    yield from Value(data, str(path))["log"]["entries"].items()


def _interaction(entry: Value, service: Addresses, writer: Writer) -> Interaction:
    sent, received = entry["request"], entry["response"]
    api, target = _destination(sent["url"].text(), service)
    method, status = sent["method"].text(), received["status"].integer()
    if not 200 <= status <= 599:
        raise _Skipped(f"{method} {target.partition('?')[0]} got no response")
    request = Request(api, method, target, _headers(sent), _request_body(sent))
    content = _response_body(method, status, received, writer)
    response = Response(status, _headers(received), content)
    return Interaction(placed(request, service), response_placed(response, service))


def _destination(url: str, service: Addresses) -> tuple[Api, str]:
    found = service.api_of(url)
    if found is not None:
        api, target = found
        path = service.of(api).path
        if re.match(rf"{re.escape(path)}(?:[/?]|\Z)", target):
            return api, re.sub(r"[^!-~]", lambda match: _percent(match[0]), target)
    raise _Skipped("it went elsewhere")


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def _headers(message: Value) -> dict[str, str]:
    return joined(
        (item["name"].text(), item["value"].text()) for item in message["headers"].items()
    )


def _request_body(sent: Value) -> Body | None:
    if "postData" not in sent:
        return None
    data = sent["postData"]
    kind = data.get("mimeType", "")
    if "_sha256" in data:
        return Binary(data["_sha256"].text(), data["_size"].integer(), kept=False)
    if text := data.get("text", ""):
        intake = intake_for(kind)
        intake.feed(_encoded(text, kind))
        return _without_mangled(intake.finish())
    if "params" not in data:
        return None
    if kind.startswith("multipart/"):
        return Multipart(tuple(map(_param_part, data["params"].items())))
    pairs = (f"{item['name'].text()}={item.get('value', '')}" for item in data["params"].items())
    return Text("&".join(pairs))


def _param_part(param: Value) -> Part:
    kind = param.get("contentType", "") or None
    content: Content | None = None
    if "_sha256" in param:
        content = Binary(param["_sha256"].text(), param["_size"].integer(), kept=False)
    elif "value" in param:
        intake = Intake(kind or "text/plain")
        intake.feed(param["value"].text().encode())
        content = intake.finish() or Text("")
    filename = param["fileName"].text() if "fileName" in param else None
    return Part(param["name"].text(), filename, kind, content)


def _without_mangled(body: Body | None) -> Body | None:
    """Return a body without the contents of files, which browsers do not save as they were."""
    if not isinstance(body, Multipart):
        return body
    return Multipart(
        tuple(
            replace(part, content=None)
            if isinstance(part.content, Binary)
            or (
                isinstance(part.content, Text) and part.filename and not part.content.text.isascii()
            )
            else part
            for part in body.parts
        )
    )


def _response_body(method: str, status: int, received: Value, writer: Writer) -> Content | None:
    content = received["content"]
    if method == "HEAD" or status in (204, 304):
        return None
    if "text" not in content:
        if "size" in content and content["size"].integer() > 0 and not 300 <= status < 400:
            raise _Skipped("the HAR does not hold the content of its response")
        return None
    kind = content.get("mimeType", "")
    text = content["text"].text()
    if content.get("encoding", "") == "base64":
        try:
            data = base64.b64decode(text, validate=True)
        except binascii.Error:
            content["text"].fail("not base64")
    else:
        data = _encoded(text, kind)
    intake = Intake(kind, writer.blobs, writer.redactor.found_in)
    intake.feed(data)
    return intake.finish()


def _encoded(text: str, content_type: str) -> bytes:
    try:
        return text.encode(declared_charset(content_type) or "utf-8")
    except (LookupError, UnicodeError):
        return text.encode("utf-8", "replace")


def _exported(
    number: int, interaction: Interaction, service: Addresses, blobs: Blobs
) -> dict[str, Any]:
    return {
        "startedDateTime": times.text(number * times.SECOND),
        "time": 0,
        "request": _exported_request(interaction.request, service),
        "response": _exported_response(interaction.response, service, blobs),
        "cache": {},
        "timings": {"send": 0, "wait": 0, "receive": 0},
    }


def _exported_request(request: Request, service: Addresses) -> dict[str, Any]:
    query = request.target.partition("?")[2]
    pairs = (item.partition("=") for item in query.split("&") if item)
    exported: dict[str, Any] = {
        "method": request.method,
        "url": service.of(request.api).origin + request.target,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _exported_headers(request.headers, service),
        "queryString": [
            {"name": unquote_plus(name), "value": unquote_plus(value)} for name, _, value in pairs
        ],
        "headersSize": -1,
        "bodySize": -1,
    }
    kind = request.headers.get("content-type", "")
    match request.body:
        case None:
            pass
        case Multipart(parts):
            params = [_exported_part(part, service) for part in parts]
            exported["postData"] = {"mimeType": kind or "multipart/form-data", "params": params}
        case Binary(sha256, size):
            exported["postData"] = {"mimeType": kind, "_sha256": sha256, "_size": size}
        case body:
            exported["postData"] = {"mimeType": kind, "text": _text_of(body, service)}
    return exported


def _exported_part(part: Part, service: Addresses) -> dict[str, Any]:
    param: dict[str, Any] = {"name": part.name}
    if part.filename is not None:
        param["fileName"] = part.filename
    if part.content_type is not None:
        param["contentType"] = part.content_type
    match part.content:
        case None:
            pass
        case Binary(sha256, size):
            param |= {"_sha256": sha256, "_size": size}
        case content:
            param["value"] = _text_of(content, service)
    return param


def _exported_response(response: Response, service: Addresses, blobs: Blobs) -> dict[str, Any]:
    kind = response.headers.get("content-type", "")
    content: dict[str, Any] = {"size": 0, "mimeType": kind}
    match response.body:
        case None:
            pass
        case Binary(sha256, size, kept):
            content["size"] = size
            if kept:
                content["text"] = base64.b64encode(blobs.path(sha256).read_bytes()).decode()
                content["encoding"] = "base64"
        case body:
            content["text"] = text = _text_of(body, service)
            content["size"] = len(text.encode())
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = ""
    headers = _exported_headers(response.headers, service)
    return {
        "status": response.status,
        "statusText": phrase,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": headers,
        "content": content,
        "redirectURL": next((item["value"] for item in headers if item["name"] == "location"), ""),
        "headersSize": -1,
        "bodySize": -1,
    }


def _exported_headers(headers: Any, service: Addresses) -> list[dict[str, str]]:
    return [
        {"name": name, "value": service.from_placeholders(value)} for name, value in headers.items()
    ]


def _text_of(content: Json | Text, service: Addresses) -> str:
    if isinstance(content, Text):
        return content.text
    return orjson.dumps(map_strings(content.value, service.from_placeholders)).decode()
