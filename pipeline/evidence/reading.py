"""Read recorded traffic: recordings (YAML), HAR files (JSON), and folders of either."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

from pipeline.evidence.exchanges import (
    Body,
    Exchange,
    body_of,
    headers_of,
    media_type_of,
    origin_of,
    query_of,
)  # fmt: skip
from pipeline.openapi.documents import Pointer, load, read_text
from pipeline.openapi.problems import Finding, PipelineError, Position
from pipeline.openapi.wording import field

_RECORDINGS: Final = (".yaml", ".yml")
_HARS: Final = (".har", ".json")
_FORMAT: Final = 1
_SEARCHED: Final = 4_000_000  # bytes of a file in which a place is looked for: it takes seconds


def read(places: Sequence[Path], bases: Mapping[str, str]) -> tuple[list[Exchange], Counter[str]]:
    """Read files and folders.

    Args:
        bases: for each document, the member of a recording's head that has the path of its
            base address.

    Returns:
        All exchanges, those of a recording with their document; and how many were passed over,
        by the reason.

    Raises:
        PipelineError: files cannot be read or are neither recordings nor HAR files; all of them
            are named, with file and line.
    """
    problems: list[Finding] = []
    exchanges: list[Exchange] = []
    passed: Counter[str] = Counter()
    for file in _files(places):
        try:
            if file.suffix.lower() in _RECORDINGS:
                exchanges += _recording(file, bases)
            else:
                exchanges += _har(file, passed)
        except PipelineError as error:
            problems += error.findings
    if problems:
        raise PipelineError(*problems)
    return exchanges, passed


def _files(places: Sequence[Path]) -> list[Path]:
    """Return the files, each once; those of a folder in the order of their names."""
    files: list[Path] = []
    problems = []
    for place in places:
        if not place.is_dir():
            if place.exists() and place.suffix.lower() not in _RECORDINGS + _HARS:
                text = "neither a recording (.yaml) nor a HAR file (.har)"
                problems.append(_finding(text, str(place)))
            files.append(place)
            continue
        wanted = (*_RECORDINGS, ".har")
        inside = sorted(path for path in place.iterdir() if path.suffix.lower() in wanted)
        if not inside:
            problems.append(_finding("the folder holds no recording and no HAR file", str(place)))
        files += inside
    if problems:
        raise PipelineError(*problems)
    return list(dict.fromkeys(files))


def _finding(message: str, file: str, line: int = 1, column: int = 1) -> Finding:
    return Finding(message, Position(file, line, column), "evidence")


@dataclass(frozen=True)
class _Node:
    """A value in a file, and where it stands. A member that is null counts as none."""

    file: Path
    value: Any
    pointer: Pointer = ()

    def fail(self, message: str) -> NoReturn:
        place = field(self.pointer)
        position = None
        with suppress(OSError, PipelineError):
            if self.file.stat().st_size <= _SEARCHED:
                position = load(self.file).at(self.pointer)
        text = f"{place}: {message}" if place else message
        position = position or Position(str(self.file), 1, 1)
        raise PipelineError(Finding(text, position, "evidence"))

    def get(self, key: str) -> _Node | None:
        if not isinstance(self.value, dict):
            self.fail("must be an object")
        value = self.value.get(key)
        return None if value is None else _Node(self.file, value, (*self.pointer, key))

    def need(self, key: str) -> _Node:
        return self.get(key) or self.fail(f"`{key}` is missing; is the file cut off?")

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail("must be a text")
        return self.value

    def text_at(self, key: str) -> str:
        """Return the text of a member; empty if there is none."""
        member = self.get(key)
        return member.text() if member else ""

    def number(self) -> int:
        # Some programs write every number with a point.
        is_whole = isinstance(self.value, float) and self.value.is_integer()
        if isinstance(self.value, bool) or not (isinstance(self.value, int) or is_whole):
            self.fail("must be a whole number")
        return int(self.value)

    def items(self) -> list[_Node]:
        if not isinstance(self.value, list):
            self.fail("must be an array")
        return [
            _Node(self.file, item, (*self.pointer, index)) for index, item in enumerate(self.value)
        ]

    def items_at(self, key: str) -> list[_Node]:
        """Return the items of a member; none if it is not there."""
        member = self.get(key)
        return member.items() if member else []


# Recordings


def _recording(file: Path, bases: Mapping[str, str]) -> Iterator[Exchange]:
    root = _Node(file, load(file).data)
    if not isinstance(root.value, dict) or "interactions" not in root.value:
        root.fail("no recording: `interactions` is missing")
    if (form := root.need("format")).number() != _FORMAT:
        form.fail(f"format {form.value} is not known; this version reads {_FORMAT}")
    paths = {name: root.need(member).text().rstrip("/") for name, member in bases.items()}
    for number, item in enumerate(root.need("interactions").items(), 1):
        yield _interaction(item, number, paths)


def _interaction(item: _Node, number: int, paths: Mapping[str, str]) -> Exchange:
    request, response = item.need("request"), item.need("response")
    api = request.need("api")
    if api.text() not in paths:
        api.fail(f"there is no document {api.value}; known are {', '.join(paths)}")
    path, _, query = request.need("target").text().partition("?")
    sent, received = headers_of(_headers(request)), headers_of(_headers(response))
    base = paths[api.text()]
    below = path == base or path.startswith(f"{base}/")
    return Exchange(
        file=str(item.file),
        number=number,
        method=request.need("method").text().upper(),
        origin="",
        path=path,
        query=query_of(query),
        request=_body(request, sent.get("content-type", "")),
        status=response.need("status").number(),
        headers=received,
        response=_body(response, received.get("content-type", "")),
        agent=sent.get("user-agent", ""),
        document=api.text() if below else None,
        route=path[len(base) :] or "/" if below else "",
    )


def _headers(message: _Node) -> list[tuple[str, str]]:
    headers = message.get("headers")
    if headers is None:
        return []
    if not isinstance(headers.value, dict):
        headers.fail("must be an object")
    return [(name, headers.need(name).text()) for name in headers.value]


def _body(message: _Node, content_type: str) -> Body:
    body = message.get("body")
    media_type = media_type_of(content_type)
    if body is None:
        return Body("none", media_type)
    if isinstance(body.value, dict) and "json" in body.value:
        return Body("json", media_type or "application/json", body.value["json"])
    if text := body.get("text"):
        return body_of(text.text(), content_type or "text/plain")
    if body.get("file") is None and body.get("parts") is None:
        body.fail("must be one of json, text, file and parts")
    return Body("unknown", media_type)


# HAR


def _har(file: Path, passed: Counter[str]) -> Iterator[Exchange]:
    root = _Node(file, _json(file))
    if not isinstance(root.value, dict) or "log" not in root.value:
        root.fail("no HAR file, which is an object with `log`")
    for number, entry in enumerate(root.need("log").need("entries").items(), 1):
        exchange = _entry(entry, number, passed)
        if exchange is not None:
            yield exchange


def _json(file: Path) -> Any:
    # By the JSON reader of Python: the one that knows positions takes a hundred times as long.
    try:
        return json.loads(read_text(file))
    except json.JSONDecodeError as error:
        text = f"not JSON: {error.msg}; is the file cut off?"
        raise PipelineError(_finding(text, str(file), error.lineno, error.colno)) from None
    except ValueError:
        raise PipelineError(_finding("a number has too many digits", str(file))) from None
    except RecursionError:
        raise PipelineError(_finding("nested too deeply", str(file))) from None


def _entry(entry: _Node, number: int, passed: Counter[str]) -> Exchange | None:
    request, response = entry.need("request"), entry.need("response")
    status = response.need("status").number()
    method = request.need("method").text().upper()
    try:
        parts = urlsplit(request.need("url").text())
        origin = origin_of(parts)
    except ValueError:
        request.need("url").fail("is no address")
    reason = (
        "not HTTP" if parts.scheme not in ("http", "https")
        else "without a response" if status < 100
        else "of OPTIONS" if method == "OPTIONS"
        else ""
    )  # fmt: skip
    if reason:
        passed[reason] += 1
        return None
    sent, received = headers_of(_pairs(request)), headers_of(_pairs(response))
    return Exchange(
        file=str(entry.file),
        number=number,
        method=method,
        origin=origin,
        path=parts.path or "/",
        query=query_of(parts.query),
        request=_request_body(request, sent),
        status=status,
        headers=received,
        response=_response_body(response, received, status),
        agent=sent.get("user-agent", ""),
    )


def _pairs(message: _Node) -> list[tuple[str, str]]:
    headers = message.items_at("headers")
    return [(item.need("name").text(), item.text_at("value")) for item in headers]


def _request_body(request: _Node, headers: Mapping[str, str]) -> Body:
    data = request.get("postData")
    content_type = headers.get("content-type") or (data.text_at("mimeType") if data else "")
    if data and not data.text_at("text") and data.items_at("params"):
        return Body("other", media_type_of(content_type))  # the fields of a form
    return body_of(data.text_at("text") if data else "", content_type)


def _response_body(response: _Node, headers: Mapping[str, str], status: int) -> Body:
    content = response.get("content")
    content_type = headers.get("content-type") or (content.text_at("mimeType") if content else "")
    if status in (204, 304):
        return Body("none", media_type_of(content_type))
    text = content.text_at("text") if content else ""
    if content is None or not text:
        is_empty = _is_empty(response, headers)
        return Body("none" if is_empty else "unknown", media_type_of(content_type))
    if content.text_at("encoding") == "base64":
        try:
            text = base64.b64decode("".join(text.split()), validate=True).decode()
        except UnicodeDecodeError:
            return Body("unknown", media_type_of(content_type))
        except ValueError:
            content.need("text").fail("is not base64")
    return body_of(text, content_type)


def _is_empty(response: _Node, headers: Mapping[str, str]) -> bool:
    """Return whether a response without text in the file is known to have had none.

    Browsers leave out what they do not keep, and some write a size of 0, or -1.
    """
    length = headers.get("content-length", "").strip()
    if length.isdecimal():
        return not length.strip("0")
    content, sent = response.get("content"), response.get("bodySize")
    return content is not None and content.value.get("size") == 0 and not (sent and sent.value > 0)
