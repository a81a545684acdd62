"""Load YAML 1.2 and JSON documents with the position of every node.

Values follow the YAML 1.2 core schema: `no`, `on`, `12:30` and `2026-01-01` are strings. What
makes a document ambiguous (two equal keys, tags) is refused; so are anchors, aliases and merge
keys, unless the caller lets a document have them. JSON is read by the same loader.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NoReturn

import yaml

from pipeline.openapi.problems import Finding, PipelineError, Position, in_order
from pipeline.openapi.wording import visible

Pointer = tuple[str | int, ...]
"""The keys and indices that lead from the root to a node; `()` is the root."""

MAX_BYTES: Final = 32 << 20
"""How large a file that is read may be."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PLAIN: tuple[tuple[re.Pattern[str], Callable[[str], Any]], ...] = (
    (re.compile(r"|~|null|Null|NULL"), lambda text: None),
    (re.compile(r"true|True|TRUE"), lambda text: True),
    (re.compile(r"false|False|FALSE"), lambda text: False),
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0o[0-7]+"), lambda text: int(text[2:], 8)),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text[2:], 16)),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
)
# The tags that YAML itself has, and what they may stand before.
_TAGS: dict[str | None, Any] = {
    f"tag:yaml.org,2002:{name}": type_
    for name, type_ in (
        ("str", str), ("int", int), ("float", (int, float)), ("bool", bool),
        ("null", type(None)), ("timestamp", str), ("map", dict), ("seq", list),
    )
}  # fmt: skip
_NOT_JSON = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_MOST_COPIED = 1_000_000
DEEPEST = 250
_LOST: Final = object()  # an alias inside of what it stands for
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7})(?= |$)", re.MULTILINE)
# A comment in what should be JSON; texts are passed over.
_COMMENT = re.compile(r""""(?:\\.|[^"\\])*"|'[^'\n]*'|(?<![^\s,{}\[\]"])(//|/\*)""")
_COMMA = re.compile(r",\s*[}\]]")
_UNQUOTED = re.compile(r"\$ref['\"]?:\s+#")
# What YAML forbids, or takes for a break of lines, and JSON for a character.
_UNSEEN = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_INDEX = re.compile("0|[1-9][0-9]{0,8}")
_ESCAPE = re.compile(r"\\(?:u([dD][89abAB]..)\\u([dD][c-fC-F]..)|.)")


@dataclass(frozen=True)
class Document:
    """A loaded document: its name, its values, and where each of them was written.

    `anchors` are the anchors, aliases and merge keys that were read as what they stand for, numbers
    that JSON cannot hold, and what is no JSON in a file that says so; `files`, those that a bundled
    document was read from, its own first.
    """

    name: str
    data: Any
    positions: Mapping[Pointer, Position]
    anchors: tuple[Finding, ...] = ()
    files: tuple[Path, ...] = ()

    @property
    def is_native(self) -> bool:
        """Whether it has `x-sections`: it is linted strictly, and never mended."""
        return isinstance(self.data, dict) and "x-sections" in self.data

    def at(self, pointer: Pointer) -> Position | None:
        """Return the node's position, or that of its nearest known ancestor."""
        for length in range(len(pointer), -1, -1):
            position = self.positions.get(pointer[:length])
            if position is not None:
                return position
        return None


def files_in(place: Path) -> Iterator[Path]:
    """Yield a file, or the files of a folder in order, without what was installed or is hidden."""
    for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
        within = path.relative_to(place).parts
        if path.is_file() and not any(n == "node_modules" or n.startswith(".") for n in within):
            yield path


def read_text(path: Path) -> str:
    """Return the text of a file in UTF-8.

    Raises PipelineError, with the position, for a file that cannot be read, is too large, is a
    device or a pipe, or is not UTF-8.
    """
    file = str(path)
    try:
        data = _read_bytes(path)
    except (OSError, ValueError) as error:  # a ValueError where the name has a null character
        reason = getattr(error, "strerror", None) or error
        finding = Finding(f"cannot read the file: {reason}", Position(file, 1, 1), "file")
        raise PipelineError(finding) from None
    return decoded(data, file)


def lines_of(text: str) -> list[str]:
    """Return the lines of a text with their ends, as editors and Markdown count them: a form feed
    or U+2028 ends none.
    """
    return [*io.StringIO(text, newline="")]


def decoded(data: bytes, file: str) -> str:
    """Return bytes as text in UTF-8; raises PipelineError, with the position, if they are none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8-sig")) + 1
        finding = Finding("the file is not UTF-8", Position(file, line, column), "encoding")
    raise PipelineError(finding)


def _read_bytes(path: Path) -> bytes:
    """Return the bytes of a file that has an end; what may have none is not opened."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError("it is a device or a pipe, not a file")
    with path.open("rb") as opened:
        data = opened.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(f"it is larger than {MAX_BYTES:,} bytes")
    return data


def real_path(path: Path | str) -> Path:
    """Return the absolute path of a file without links; those that lead in a circle stay."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:  # no file has a name with a null character
        return Path(path)


def seen_from(folder: Path, path: Path | str) -> str:
    """Return the path of a file relative to a folder, with slashes; on another drive as it is."""
    resolved = real_path(path)
    try:
        return Path(os.path.relpath(resolved, real_path(folder))).as_posix()
    except ValueError:
        return resolved.as_posix()


def load(path: Path) -> Document:
    """Read a YAML or JSON file; the path, as it is given, stands in its positions.

    Raises PipelineError, with the position, for a file that cannot be read, is not UTF-8, is not
    well-formed or is empty, and for each duplicate key, anchor, alias, merge key, tag and number
    that JSON cannot hold; for a JSON file also where it is no JSON.
    """
    return loads(read_text(path), str(path))


def loads(text: str, name: str, *, anchors: bool = False) -> Document:
    """Read a YAML or JSON text; `name` stands in its positions. Raises as `load` does.

    The position of a member of a mapping is that of its key. With `anchors`, an alias, a merge key
    and a tag of YAML's own, such as `!!str`, are read as what they stand for, and a number that
    JSON cannot hold as the nearest one; an alias inside of what it stands for is left out.
    """
    builder = _Builder(name)
    if name.endswith(".json"):
        builder.require_json(text)
    data = builder.document(_as_yaml(text))
    findings = [*builder.findings, *([] if anchors else builder.anchors)]
    if findings:
        raise PipelineError(*in_order(findings))
    return Document(name, data, builder.positions, tuple(builder.anchors))


class _Builder:
    """Builds values from the parser's events and collects what is wrong with them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.positions: dict[Pointer, Position] = {}
        self.findings: list[Finding] = []
        self.anchors: list[Finding] = []
        self._anchored: dict[str, Any] = {}
        self._around: list[str] = []  # anchors of what is being read
        self._copied = 0
        self._events: Any = None

    def require_json(self, text: str) -> None:
        """Say where a text is no JSON, though YAML may read it; comments it would misread."""
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            comment = next(filter(lambda found: found[1], _COMMENT.finditer(text)), None)
            if comment:
                at = _position_of(comment.start(1), text, self.name)
                message = f"JSON has no comments: take out what begins with {comment[1]}"
                raise PipelineError(Finding(message, at, "syntax")) from None
            comma = next((e for e in _COMMA.finditer(text) if e.end() > error.pos), None)
            is_comma = comma is not None and comma.start() <= error.pos
            at = _position_of(comma.start() if comma and is_comma else error.pos, text, self.name)
            message = "a comma with nothing behind it" if is_comma else f"not JSON: {error.msg}"
            self.anchors.append(Finding(message, at, "json"))
        except RecursionError:
            pass  # how deep it may be is found out below

    def document(self, text: str) -> Any:
        """Return the value of the only document in the text."""
        try:
            loader = _Loader(text)
        except yaml.reader.ReaderError as error:
            self._reader_error(text, error)
        try:
            self._events = loader
            loader.get_event()
            event = loader.get_event()
            if isinstance(event, yaml.StreamEndEvent):
                raise PipelineError(
                    Finding("the file is empty", Position(self.name, 1, 1), "syntax")
                )
            data = self._node(loader.get_event(), ())
            loader.get_event()
            event = loader.get_event()
            if not isinstance(event, yaml.StreamEndEvent):
                self._found(event, "a second document in one file", "syntax")
        except yaml.reader.ReaderError as error:
            self._reader_error(text, error)
        except yaml.MarkedYAMLError as error:
            if known := slip(text, self.name):
                raise PipelineError(*self.findings, replace(known, rule="syntax")) from None
            mark = error.problem_mark or error.context_mark
            at = self._position(mark) if mark else Position(self.name, 1, 1)
            message = error.problem or "not well-formed"
            line = text.splitlines()[at.line - 1 : at.line]
            sign = line[0][at.column - 1 : at.column] if line else ""
            if sign == "\t":
                message = "a tab stands here; YAML is indented with spaces"
            elif sign == ":" and self._position(error.context_mark or mark).line == at.line:
                message = "a colon ends a name here: put quotes around a text that has one"
            elif error.context:
                message = f"{message} ({error.context})"
            raise PipelineError(*self.findings, Finding(message, at, "syntax")) from None
        finally:
            loader.dispose()
        return data

    def _reader_error(self, text: str, error: yaml.reader.ReaderError) -> NoReturn:
        # The parser written in C counts bytes, the other one characters: look for it ourselves.
        bad = yaml.reader.Reader.NON_PRINTABLE.search(text)
        index = bad.start() if bad else 0
        position = _position_of(index, text, self.name)
        message = f"a character that YAML does not allow: {text[index : index + 1]!r}"
        raise PipelineError(Finding(message if bad else error.reason, position, "syntax")) from None

    def _position(self, mark: Any) -> Position:
        return Position(self.name, mark.line + 1, mark.column + 1)

    def _found(self, event: Any, message: str, rule: str) -> None:
        self.findings.append(Finding(message, self._position(event.start_mark), rule))

    def _shared(self, event: Any, message: str, rule: str) -> None:
        self.anchors.append(Finding(message, self._position(event.start_mark), rule))

    def _node(self, event: Any, pointer: Pointer) -> Any:
        if pointer not in self.positions:
            self.positions[pointer] = self._position(event.start_mark)
        self._require_shallow(event, len(pointer))
        if isinstance(event, yaml.AliasEvent):
            self._shared(
                event, f"alias *{event.anchor}: not allowed; write the value itself", "alias"
            )
            if event.anchor in self._anchored:
                return self._copy(event, self._anchored[event.anchor], len(pointer))
            if event.anchor in self._around:
                text = f"alias *{event.anchor}: it is inside of what it stands for"
                self._shared(event, text, "circle")
                return _LOST
            self._found(event, f"alias *{event.anchor}: unknown anchor", "alias")
            return None
        if event.anchor is None:
            return self._value(event, pointer)
        self._shared(event, f"anchor &{event.anchor}: anchors are not allowed", "anchor")
        self._around.append(event.anchor)
        value = self._anchored[event.anchor] = self._value(event, pointer)
        self._around.pop()
        return value

    def _require_shallow(self, event: Any, depth: int) -> None:
        if depth > DEEPEST:  # far more than a document has, and less than Python's limit
            text = f"nested more than {DEEPEST} levels deep"
            raise PipelineError(Finding(text, self._position(event.start_mark), "syntax"))

    def _copy(self, event: Any, value: Any, depth: int) -> Any:
        """Return a copy of what an alias stands for; aliases of aliases may not grow for ever."""
        self._require_shallow(event, depth)
        self._copied += 1
        if self._copied == _MOST_COPIED:
            self._found(event, f"aliases stand for more than {_MOST_COPIED:,} values", "alias")
        if self._copied >= _MOST_COPIED:
            return None
        if isinstance(value, dict):
            return {key: self._copy(event, item, depth + 1) for key, item in value.items()}
        if isinstance(value, list):
            return [self._copy(event, item, depth + 1) for item in value]
        return value

    def _value(self, event: Any, pointer: Pointer) -> Any:
        if event.tag is not None:
            report = self._shared if event.tag in _TAGS else self._found
            report(event, f"tag {event.tag}: tags are not allowed", "tag")
        if isinstance(event, yaml.MappingStartEvent):
            value: Any = self._mapping(pointer)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = self._sequence(pointer)
        else:
            value = self._scalar(event)
        if not isinstance(value, _TAGS.get(event.tag, object)):
            self._found(event, f"the tag {event.tag} is that of another value", "tag")
        return value

    def _mapping(self, pointer: Pointer) -> dict[str, Any]:
        value: dict[str, Any] = {}
        merged: list[tuple[Any, Any]] = []
        get = self._events.get_event
        while not isinstance(event := get(), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                self._found(event, "a key must be a string", "key")
                self._skip(event)
                self._skip(get())
                continue
            key = event.value
            if event.anchor is not None or (
                event.tag is not None and _TAGS.get(event.tag) is not str
            ):
                self._found(event, f"key {key!r} has an anchor or a tag", "anchor")
            if key == "<<" and not event.style:
                self._shared(
                    event, "merge key <<: not allowed; write the members themselves", "merge-key"
                )
                merged.append((event, self._node(get(), (*pointer, key))))
                continue
            if key in value:
                first = self.positions[(*pointer, key)]
                self._found(
                    event,
                    f"key {key!r} again; first at {first.line}:{first.column}: keep one of them",
                    "duplicate-key",
                )
                self._skip(get())
                continue
            self.positions[(*pointer, key)] = self._position(event.start_mark)
            if (member := self._node(get(), (*pointer, key))) is not _LOST:
                value[key] = member
        for event, source in merged:  # what stands there itself counts, then the first
            for members in source if isinstance(source, list) else [source]:
                if members is _LOST:
                    continue
                if not isinstance(members, dict):
                    self._found(event, "merge key <<: must name a mapping", "merge-key")
                    continue
                value.update({key: item for key, item in members.items() if key not in value})
        return value

    def _sequence(self, pointer: Pointer) -> list[Any]:
        value: list[Any] = []
        get = self._events.get_event
        while not isinstance(event := get(), yaml.SequenceEndEvent):
            if (item := self._node(event, (*pointer, len(value)))) is not _LOST:
                value.append(item)
        return value

    def _skip(self, event: Any) -> None:
        """Read past a node."""
        depth = 0
        while True:
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth == 0:
                return
            event = self._events.get_event()

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if _SURROGATE.search(text):
            self._found(event, "an unpaired surrogate", "syntax")
        if _TAGS.get(event.tag) is str or (event.style and event.tag not in _TAGS):
            return text
        for pattern, convert in _PLAIN:
            if pattern.fullmatch(text):
                return self._number(event, convert, text)
        if _NOT_JSON.fullmatch(text):
            return self._without(event, f"{text} cannot be written in JSON", text)
        return text

    def _number(self, event: Any, convert: Callable[[str], Any], text: str) -> Any:
        try:
            value = convert(text)
        except ValueError:  # Python's limit of digits
            value = math.inf
        if isinstance(value, float) and not math.isfinite(value):
            return self._without(event, f"the number {text[:20]} is out of range", text)
        return value

    def _without(self, event: Any, message: str, text: str) -> float | None:
        """Return the nearest number that JSON can hold; None for what is no number."""
        is_number = "n" not in text.lower().replace("inf", "")
        self._shared(event, message, "number")
        largest = math.copysign(sys.float_info.max, -1 if text[0] == "-" else 1)
        return largest if is_number else None


def slip(text: str, file: str) -> Finding | None:
    """Return what often makes a text unreadable, and where it is; None where nothing does."""
    if conflict := _CONFLICT.search(text):
        message = (
            "a merge conflict that is not resolved: keep one of the versions, without its marks"
        )
        return Finding(message, _position_of(conflict.start(), text, file))
    if reference := _UNQUOTED.search(text):
        message = "a # begins a comment: write the reference in quotes, as in $ref: '#/…'"
        return Finding(message, _position_of(reference.end() - 1, text, file))
    return None


def _position_of(index: int, text: str, file: str) -> Position:
    """Return where a character of a text is."""
    return Position(file, text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _as_yaml(text: str) -> str:
    """Return JSON without that in which it is no YAML: tabs, surrogate pairs, unseen characters."""
    if "\t" not in text and "\\ud" not in text.lower() and not _UNSEEN.search(text):
        return text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text

    def one_escape(escape: re.Match[str]) -> str:
        if escape[1] is None:
            return escape[0]
        code = 0x10000 + ((int(escape[1], 16) & 0x3FF) << 10) + (int(escape[2], 16) & 0x3FF)
        return f"\\U{code:08x}"

    text = _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text.replace("\t", " "))
    return _ESCAPE.sub(one_escape, text)


def pointer_text(pointer: Pointer) -> str:
    """Return a pointer as a JSON pointer fragment, such as `#/paths/~1labels/post`."""
    parts = (str(part).replace("~", "~0").replace("/", "~1") for part in pointer)
    return "#" + "".join(f"/{part}" for part in parts)


def lookup(data: Any, pointer: Pointer) -> Any:
    """Return the value at a pointer; raises LookupError, TypeError or ValueError if it is none."""
    for part in pointer:
        data = data[index_of(part)] if isinstance(data, list) else data[part]
    return data


def index_of(part: str | int) -> int:
    """Return the index of an entry by its part of a pointer; raises ValueError if it is none."""
    if isinstance(part, str) and not _INDEX.fullmatch(part):
        raise ValueError(part)
    return int(part)


def found(data: Any, pointer: Pointer) -> Any:
    """Return the value at a pointer, or None where there is none."""
    try:
        return lookup(data, pointer)
    except (LookupError, TypeError, ValueError):
        return None


def copied(value: Any) -> Any:
    """Return a copy of a JSON value; this is the quickest way."""
    return json.loads(json.dumps(value))


def dumps(data: Any) -> str:
    """Return deterministic JSON: two spaces of indent, order kept, a newline at the end.

    Unseen characters are escaped.
    """
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return visible(text, lambda sign: json.dumps(sign)[1:-1])
