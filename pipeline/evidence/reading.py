"""Read recorded traffic: recordings (YAML), HAR files (JSON), and folders of either."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn
from urllib.parse import unquote, urlsplit

from pipeline.documents import Document, Pointer, load
from pipeline.evidence.traffic import (
    Body,
    Exchange,
    Field,
    Passed,
    body_of_bytes,
    body_of_text,
    from_base64,
    headers_of,
    target_of,
)
from pipeline.media_types import bare
from pipeline.problems import Finding, PipelineError, Position

_RECORDINGS: Final = (".yaml", ".yml")
_HARS: Final = (".har", ".json")
_FORMAT: Final = 1


def read(places: Sequence[Path], bases: Mapping[str, str]) -> tuple[list[Exchange], Passed]:
    """Read files and folders.

    Args:
        bases: for each document, the member of a recording's head that has the path of its
            base address.

    Returns:
        All exchanges, those of a recording with their document; and what was passed over.

    Raises:
        PipelineError: files cannot be read or are neither recordings nor HAR files; all of them
            are named, with file and line.
    """
    problems: list[Finding] = []
    found: list[Exchange] = []
    passed = Passed()
    for file in _files(places):
        try:
            if file.suffix.lower() in _RECORDINGS:
                found += _recording(file, bases)
            else:
                found += _har(file, passed)
        except PipelineError as error:
            problems += error.findings
    if problems:
        raise PipelineError(*problems)
    return found, passed


def _files(places: Sequence[Path]) -> list[Path]:
    """The files that are meant, each once, in the order of their names in a folder."""
    found: list[Path] = []
    problems = []
    for place in places:
        if not place.is_dir():
            if place.exists() and place.suffix.lower() not in _RECORDINGS + _HARS:
                text = "neither a recording (.yaml) nor a HAR file (.har)"
                problems.append(_finding(text, str(place)))
            found.append(place)
            continue
        wanted = (*_RECORDINGS, ".har")
        inside = sorted(path for path in place.iterdir() if path.suffix.lower() in wanted)
        if not inside:
            problems.append(_finding("the folder holds no recording and no HAR file", str(place)))
        found += inside
    if problems:
        raise PipelineError(*problems)
    return list(dict.fromkeys(found))


def _finding(message: str, file: str, line: int = 1, column: int = 1) -> Finding:
    return Finding(message, Position(file, line, column), "evidence")


def _address(pointer: Pointer) -> str:
    """A place in a file: `log.entries[3].request`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in pointer)
    return text.removeprefix(".")


# Recordings


@dataclass(frozen=True)
class _Node:
    """A value in a recording, and where it stands."""

    document: Document
    pointer: Pointer
    value: Any

    def fail(self, message: str) -> NoReturn:
        at = self.document.at(self.pointer) or Position(self.document.name, 1, 1)
        place = _address(self.pointer)
        text = f"{place}: {message}" if place else message
        raise PipelineError(Finding(text, at, "evidence"))

    def get(self, key: str) -> _Node | None:
        if not isinstance(self.value, dict):
            self.fail("must be an object")
        return (
            _Node(self.document, (*self.pointer, key), self.value[key])
            if (key in self.value)
            else None
        )

    def need(self, key: str) -> _Node:
        return self.get(key) or self.fail(f"`{key}` is missing; is the file cut off?")

    def text(self) -> str:
        if not isinstance(self.value, str):
            self.fail("must be a text")
        return self.value

    def number(self) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fail("must be a whole number")
        return self.value

    def items(self) -> Iterator[_Node]:
        if not isinstance(self.value, list):
            self.fail("must be an array")
        for index, item in enumerate(self.value):
            yield _Node(self.document, (*self.pointer, index), item)

    def pairs(self) -> list[tuple[str, str]]:
        if not isinstance(self.value, dict):
            self.fail("must be an object")
        return [
            (name, _Node(self.document, (*self.pointer, name), value).text())
            for name, value in self.value.items()
        ]


def _recording(file: Path, bases: Mapping[str, str]) -> Iterator[Exchange]:
    document = load(file)
    root = _Node(document, (), document.data)
    if not isinstance(document.data, dict) or "interactions" not in document.data:
        root.fail("no recording: `interactions` is missing")
    if (form := root.need("format")).number() != _FORMAT:
        form.fail(f"format {form.value} is not known; this version reads {_FORMAT}")
    paths = {name: root.need(member).text().rstrip("/") for name, member in bases.items()}
    for number, item in enumerate(root.need("interactions").items(), 1):
        yield _interaction(item, str(file), number, paths)


def _interaction(item: _Node, file: str, number: int, paths: Mapping[str, str]) -> Exchange:
    request, response = item.need("request"), item.need("response")
    api = request.need("api")
    if api.text() not in paths:
        api.fail(f"there is no document {api.value}; known are {', '.join(paths)}")
    path, query = target_of(request.need("target").text())
    asked, user = headers_of(_pairs(request))
    answered, _ = headers_of(_pairs(response))
    base = paths[api.text()]
    below = path == base or path.startswith(f"{base}/")
    return Exchange(
        file=file,
        number=number,
        method=request.need("method").text().upper(),
        origin="",
        path=path,
        query=query,
        asked=_body(request, asked.get("content-type", "")),
        status=response.need("status").number(),
        headers=answered,
        answered=_body(response, answered.get("content-type", "")),
        user=user,
        agent=asked.get("user-agent", ""),
        document=api.text() if below else None,
        route=path[len(base) :] or "/" if below else "",
    )


def _pairs(message: _Node) -> list[tuple[str, str]]:
    headers = message.get("headers")
    return headers.pairs() if headers else []


def _body(message: _Node, content_type: str) -> Body:
    body = message.get("body")
    if body is None:
        return Body("none", bare(content_type))
    if json_value := body.get("json"):
        return Body("json", bare(content_type) or "application/json", json_value.value)
    if text := body.get("text"):
        return body_of_text(text.text(), content_type or "text/plain")
    if parts := body.get("parts"):
        fields = tuple(map(_part, parts.items()))
        return Body("form", bare(content_type) or "multipart/form-data", fields=fields)
    if body.get("file") is None:
        body.fail("must be one of json, text, file and parts")
    return Body("unknown", bare(content_type))


def _part(part: _Node) -> Field:
    name = part.need("name").text()
    if text := part.get("text"):
        is_file = part.get("filename") is not None
        return Field(name, None if is_file else text.text(), len(text.text().encode()))
    if value := part.get("json"):
        return Field(name, json.dumps(value.value))
    size = part.get("size")
    return Field(name, None, size.number() if size else None)


# HAR


class _Har:
    """A value in a HAR file, and its address there."""

    def __init__(self, value: Any, file: Path, pointer: Pointer) -> None:
        self.value, self.file, self.pointer = value, file, pointer

    def fail(self, message: str) -> NoReturn:
        # Positions take time: they are looked for where there is something to say about one.
        try:
            at = load(self.file).at(self.pointer)
        except PipelineError:
            at = None
        place = _address(self.pointer) or "the file"
        at = at or Position(str(self.file), 1, 1)
        raise PipelineError(Finding(f"{place}: {message}", at, "evidence"))

    def get(self, key: str) -> _Har | None:
        if not isinstance(self.value, dict):
            self.fail("must be an object")
        value = self.value.get(key)
        return None if value is None else _Har(value, self.file, (*self.pointer, key))

    def need(self, key: str) -> _Har:
        return self.get(key) or self.fail(f"`{key}` is missing")

    def text(self, key: str, default: str | None = None) -> str:
        found = self.get(key) if default is not None else self.need(key)
        if found is None:
            return default or ""
        if not isinstance(found.value, str):
            found.fail("must be a text")
        return found.value

    def items(self, key: str) -> list[_Har]:
        found = self.get(key)
        if found is None:
            return []
        if not isinstance(found.value, list):
            found.fail("must be an array")
        return [
            _Har(item, self.file, (*found.pointer, index)) for index, item in enumerate(found.value)
        ]


def _har(file: Path, passed: Passed) -> Iterator[Exchange]:
    root = _Har(_json(file), file, ())
    if not isinstance(root.value, dict) or "log" not in root.value:
        root.fail("is no HAR file, which is an object with `log`")
    log = _Har(root.value["log"], file, ("log",))
    log.need("entries")
    for number, entry in enumerate(log.items("entries"), 1):
        exchange = _entry(entry, str(file), number, passed)
        if exchange is not None:
            yield exchange


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        reason = f"cannot read the file: {error.strerror or error}"
        raise PipelineError(_finding(reason, str(file))) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise PipelineError(_finding("the file is not UTF-8", str(file), line)) from None
    except json.JSONDecodeError as error:
        text = f"not JSON: {error.msg}; is the file cut off?"
        raise PipelineError(_finding(text, str(file), error.lineno, error.colno)) from None
    except RecursionError:
        raise PipelineError(_finding("nested too deeply", str(file))) from None


def _entry(entry: _Har, file: str, number: int, passed: Passed) -> Exchange | None:
    request, response = entry.need("request"), entry.need("response")
    status = response.need("status").value
    if not isinstance(status, int | float):
        response.need("status").fail("must be a number")
    method = request.text("method").upper()
    url = request.text("url")
    try:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.hostname or ''}" + (
            f":{parts.port}" if _odd(parts) else ""
        )
    except ValueError:
        request.need("url").fail("is no address")
    if parts.scheme not in ("http", "https"):
        passed.add("not HTTP")
        return None
    if status < 100:
        passed.add("not answered")
        return None
    if method == "OPTIONS":
        passed.add("of OPTIONS")
        return None
    path, query = target_of(url)
    asked, user = headers_of(_har_headers(request))
    answered, _ = headers_of(_har_headers(response))
    return Exchange(
        file=file,
        number=number,
        method=method,
        origin=origin,
        path=path,
        query=query,
        asked=_asked(request, asked),
        status=int(status),
        headers=answered,
        answered=_answered(response, answered, int(status)),
        user=user,
        agent=asked.get("user-agent", ""),
    )


def _odd(parts: Any) -> bool:
    """Whether an address names a port that is not the usual one."""
    return parts.port not in (None, {"http": 80, "https": 443}.get(parts.scheme))


def _har_headers(message: _Har) -> list[tuple[str, str]]:
    return [(item.text("name"), item.text("value", "")) for item in message.items("headers")]


def _asked(request: _Har, headers: Mapping[str, str]) -> Body:
    data = request.get("postData")
    if data is None:
        return Body("none", bare(headers.get("content-type", "")))
    content_type = headers.get("content-type") or data.text("mimeType", "")
    if text := data.text("text", ""):
        return body_of_text(text, content_type)
    fields = []
    for param in data.items("params"):
        is_file = param.get("fileName") is not None
        value = param.text("value", "")
        escaped = bare(content_type) == "application/x-www-form-urlencoded"
        fields.append(
            Field(unquote(param.text("name")), None if is_file else unquote(value))
            if escaped
            else Field(param.text("name"), None if is_file else value)
        )
    return Body("form" if fields else "none", bare(content_type), fields=tuple(fields))


def _answered(response: _Har, headers: Mapping[str, str], status: int) -> Body:
    content = response.get("content")
    content_type = headers.get("content-type", "")
    if content is None or status in (204, 304):
        return Body("none", bare(content_type))
    content_type = content_type or content.text("mimeType", "")
    text = content.text("text", "")
    if not text:
        size = content.get("size")
        empty = size is None or not isinstance(size.value, int | float) or size.value <= 0
        # Browsers leave contents out: there was one, and it is not known.
        missing = not empty and content.get("text") is None
        return Body("unknown" if missing else "none", bare(content_type))
    if content.text("encoding", "") == "base64":
        try:
            return body_of_bytes(from_base64(text), content_type)
        except ValueError:
            content.need("text").fail("is not base64")
    return body_of_text(text, content_type)
