"""Recordings from HAR 1.2, the format in which browsers save what they sent and received."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

import orjson

from social_publishing_sandbox.recording.addresses import (
    Address,
    Addresses,
    placed,
    response_placed,
)
from social_publishing_sandbox.recording.intake import Intake, content_of, declared_charset
from social_publishing_sandbox.recording.model import (
    Api,
    Binary,
    Body,
    Content,
    Interaction,
    Multipart,
    Part,
    RecordingError,
    Request,
    Response,
    Text,
    joined,
)
from social_publishing_sandbox.recording.redaction import Redactor, Rules
from social_publishing_sandbox.recording.writing import Writer
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
    if known := service.api_of(url):
        api, target = known
        path = service.of(api).path
        if re.match(rf"{re.escape(path)}(?:[/?]|\Z)", target):
            return api, re.sub(r"[^!-~]", lambda match: quote(match[0]), target)
    raise _Skipped("it went elsewhere")


def _headers(message: Value) -> dict[str, str]:
    return joined(
        (item["name"].text(), item["value"].text()) for item in message["headers"].items()
    )


def _request_body(sent: Value) -> Body | None:
    if "postData" not in sent:
        return None
    data = sent["postData"]
    kind = data.get("mimeType", "")
    if text := data.get("text", ""):
        intake = Intake(kind)
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
    if "value" in param:
        content = content_of(param["value"].text().encode(), kind or "text/plain")
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
    return content_of(data, kind, writer.blobs, writer.redactor.found_in) if data else None


def _encoded(text: str, content_type: str) -> bytes:
    try:
        return text.encode(declared_charset(content_type) or "utf-8")
    except (LookupError, UnicodeError):
        return text.encode("utf-8", "replace")
