"""Read recorded traffic: recordings (YAML), HAR files (JSON), and folders of either."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

from pipeline.evidence.exchanges import (
    Body,
    Exchange,
    body_of,
    caller_of,
    headers_of,
    media_type_of,
    origin_of,
    query_of,
)  # fmt: skip
from pipeline.openapi.documents import Pointer, load, read_text
from pipeline.openapi.problems import Finding, PipelineError, Position, made_of_each
from pipeline.openapi.wording import field

_RECORDINGS: Final = (".yaml", ".yml")
_HARS: Final = (".har", ".json")
_FORMAT: Final = 1
_SEARCHED: Final = 4_000_000  # bytes of a file in which a place is looked for: it takes seconds


def read(places: Sequence[Path], bases: Mapping[str, str]) -> tuple[list[Exchange], Counter[str]]:
    """Read the exchanges in files and folders; count what is passed over, by the reason.

    Args:
        bases: for each document, the member of a recording's head that has the path of its
            base address.

    Raises:
        PipelineError: files cannot be read or are neither recordings nor HAR files; all of them
            are named, with file and line.
    """
    passed: Counter[str] = Counter()

    def exchanges(file: Path) -> list[Exchange]:
        is_recording = file.suffix.lower() in _RECORDINGS
        return [*(_recording(file, bases) if is_recording else _har(file, passed))]

    return [*chain(*made_of_each(_files(places), exchanges))], passed


def _files(places: Sequence[Path]) -> list[Path]:
    """Return the files, each once; those of a folder in the order of their names."""
    files: list[Path] = []
    problems = []
    for place in places:
        inside = [place]
        if place.is_dir():
            wanted = (*_RECORDINGS, ".har")
            inside = sorted(path for path in place.iterdir() if path.suffix.lower() in wanted)
        if not inside:
            problems.append(
                _finding("the folder contains no recording and no HAR file", str(place))
            )
        elif place.is_file() and place.suffix.lower() not in _RECORDINGS + _HARS:
            text = "neither a recording (.yaml) nor a HAR file (.har)"
            problems.append(_finding(text, str(place)))
        files += inside
    if problems:
        raise PipelineError(*problems)
    return list(dict.fromkeys(files))


def _finding(message: str, file: str, line: int = 1, column: int = 1) -> Finding:
    return Finding(message, Position(file, line, column), "evidence")


@dataclass(frozen=True)
class _Node:
    """A value in a file, and where it stands; what is null, or not there, is false."""

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

    def __bool__(self) -> bool:
        return self.value is not None

    def get(self, key: str) -> _Node:
        if self and not isinstance(self.value, dict):
            self.fail("must be an object")
        return _Node(self.file, (self.value or {}).get(key), (*self.pointer, key))

    def need(self, key: str) -> _Node:
        return self.get(key) or self.fail(f"`{key}` is missing; is the file incomplete?")

    def text(self) -> str:
        if self and not isinstance(self.value, str):
            self.fail("must be a text")
        return self.value or ""

    def number(self) -> int:
        # Some programs write every number with a point.
        is_whole = isinstance(self.value, float) and self.value.is_integer()
        if isinstance(self.value, bool) or not (isinstance(self.value, int) or is_whole):
            self.fail("must be a whole number")
        return int(self.value)

    def items(self) -> list[_Node]:
        if self and not isinstance(self.value, list):
            self.fail("must be an array")
        items = enumerate(self.value or ())
        return [_Node(self.file, item, (*self.pointer, index)) for index, item in items]


# Recordings


def _recording(file: Path, bases: Mapping[str, str]) -> Iterator[Exchange]:
    root = _Node(file, load(file).data)
    if not isinstance(root.value, dict) or "interactions" not in root.value:
        root.fail("not a recording: `interactions` is missing")
    if (form := root.need("format")).number() != _FORMAT:
        form.fail(f"format {form.value} is not known; this version reads {_FORMAT}")
    paths = {name: root.need(member).text().rstrip("/") for name, member in bases.items()}
    for number, item in enumerate(root.need("interactions").items(), 1):
        yield _interaction(item, number, paths)


def _interaction(item: _Node, number: int, paths: Mapping[str, str]) -> Exchange:
    request = item.need("request")
    api = request.need("api")
    if api.text() not in paths:
        api.fail(f"there is no document {api.value}; known are {', '.join(paths)}")
    path, _, query = request.need("target").text().partition("?")
    exchange = _exchange(item, number, path, query, _body)
    base = paths[api.text()]
    if path != base and not path.startswith(f"{base}/"):
        return exchange
    return replace(exchange, document=api.text(), route=path[len(base) :] or "/")


def _exchange(
    item: _Node,
    number: int,
    path: str,
    query: str,
    body: Callable[[_Node, Mapping[str, str]], Body],
    origin: str = "",
) -> Exchange:
    request, response = item.need("request"), item.need("response")
    sent, received = headers_of(_pairs(request)), headers_of(_pairs(response))
    return Exchange(
        file=str(item.file),
        number=number,
        method=request.need("method").text().upper(),
        origin=origin,
        path=path,
        query=query_of(query),
        request=body(request, sent),
        status=response.need("status").number(),
        headers=received,
        response=body(response, received),
        agent=sent.get("user-agent", ""),
        caller=caller_of(_pairs(request)),
    )


def _pairs(message: _Node) -> list[tuple[str, str]]:
    """Return headers: those of a HAR are an array of names and values."""
    headers = message.get("headers")
    if isinstance(headers.value, dict):
        return [(name, headers.need(name).text()) for name in headers.value]
    return [(item.need("name").text(), item.get("value").text()) for item in headers.items()]


def _body(message: _Node, headers: Mapping[str, str]) -> Body:
    body, content_type = message.get("body"), headers.get("content-type", "")
    media_type = media_type_of(content_type)
    if not body:
        return Body("none", media_type)
    if isinstance(body.value, dict) and "json" in body.value:
        return Body("json", media_type or "application/json", body.value["json"])
    if text := body.get("text"):
        return body_of(text.text(), content_type or "text/plain")
    if not (body.get("file") or body.get("parts")):
        body.fail("must be one of json, text, file and parts")
    return Body("unknown", media_type)


# HAR


def _har(file: Path, passed: Counter[str]) -> Iterator[Exchange]:
    root = _Node(file, _json(file))
    if not isinstance(root.value, dict) or "log" not in root.value:
        root.fail("not a HAR file: it must be an object with `log`")
    for number, entry in enumerate(root.need("log").need("entries").items(), 1):
        exchange = _entry(entry, number, passed)
        if exchange is not None:
            yield exchange


def _json(file: Path) -> Any:
    # By the JSON reader of Python: the one that knows positions takes a hundred times as long.
    place = (1, 1)
    try:
        return json.loads(read_text(file))
    except json.JSONDecodeError as error:
        text = f"not JSON: {error.msg}; is the file incomplete?"
        place = error.lineno, error.colno
    except ValueError:
        text = "a number has too many digits"
    except RecursionError:
        text = "nested too deeply"
    raise PipelineError(_finding(text, str(file), *place))


def _entry(entry: _Node, number: int, passed: Counter[str]) -> Exchange | None:
    request, response = entry.need("request"), entry.need("response")
    status = response.need("status").number()
    method = request.need("method").text().upper()
    try:
        parts = urlsplit(request.need("url").text())
        origin = origin_of(parts)
    except ValueError:
        passed["without a usable address"] += 1
        return None
    reason = (
        "not HTTP" if parts.scheme not in ("http", "https")
        else "without a response" if status < 100
        else "of OPTIONS" if method == "OPTIONS"
        else ""
    )  # fmt: skip
    if reason:
        passed[reason] += 1
        return None
    return _exchange(entry, number, parts.path or "/", parts.query, _har_body, origin)


def _har_body(message: _Node, headers: Mapping[str, str]) -> Body:
    data = message.get("postData") or message.get("content")
    content_type = headers.get("content-type") or data.get("mimeType").text()
    media_type = media_type_of(content_type)
    text = data.get("text").text()
    if not text and data.get("params").items():
        return Body("other", media_type)  # the fields of a form
    if status := message.value.get("status"):
        if status in (204, 304):
            return Body("none", media_type)
        if not text:
            return Body("none" if _is_empty(message, headers) else "unknown", media_type)
    if data.get("encoding").text() == "base64":
        try:
            text = base64.b64decode("".join(text.split()), validate=True).decode()
        except UnicodeDecodeError:
            return Body("unknown", media_type)
        except ValueError:
            data.need("text").fail("is not base64")
    return body_of(text, content_type)


def _is_empty(response: _Node, headers: Mapping[str, str]) -> bool:
    """Return whether a response without text in the file is known to have had none.

    Browsers leave out what they do not keep, and some write a size of 0, or -1.
    """
    length = headers.get("content-length", "").strip()
    if length.isdecimal():
        return not length.strip("0")
    content, sent = response.get("content"), response.get("bodySize")
    return content.get("size").value == 0 and not (sent and sent.value > 0)
