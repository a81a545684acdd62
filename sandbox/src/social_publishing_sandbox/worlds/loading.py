"""Read a world, handwritten or saved from a sandbox, and fill in what it leaves out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import reading, times, yamls
from social_publishing_sandbox.state.clock import FROZEN_AT
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.reading import Line, ReadingError, strict_json
from social_publishing_sandbox.worlds import agreement, moments, references, shapes
from social_publishing_sandbox.worlds.completion import Completion
from social_publishing_sandbox.worlds.problems import BadWorld, Problem

_YAML: Final = (".yaml", ".yml")
_WITH_LINES: Final = 10_000_000  # characters; of a longer JSON, lines would take minutes
_Lines = Callable[[reading.Path], int | None]


def load(world: str | Path | Mapping[str, Any]) -> Json:
    """Return a complete world from a file or from data; the data is not changed.

    Args:
        world: the path of a JSON or YAML file, or its content as a dict.

    Raises:
        BadWorld: the world is invalid. All problems are reported at once, unless one hides another.
    """
    if isinstance(world, Mapping):
        return complete(normal(dict(world), "world"), "world")
    path = Path(world)
    try:
        content = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadWorld(str(path), [Problem((), f"cannot be read: {error.strerror}")]) from error
    except UnicodeError as error:
        raise BadWorld(str(path), [Problem((), "is not UTF-8 text")]) from error
    read = _from_yaml if path.suffix.lower() in _YAML else _from_json
    data, line = read(path, content)
    return complete(normal(data, str(path), line), str(path), line)


def _from_json(path: Path, content: str) -> tuple[Any, _Lines]:
    try:
        data = strict_json(content)
    except json.JSONDecodeError as error:
        raise BadWorld(str(path), [Problem((), f"not JSON: {error.msg}", error.lineno)]) from error
    except ValueError as error:
        raise BadWorld(str(path), [Problem((), str(error))]) from error
    return data, partial(_line_in_json, content)


def _line_in_json(content: str, path: reading.Path) -> int | None:
    lines = _lines(content)
    return lines and lines(path)


@lru_cache(maxsize=1)
def _lines(content: str) -> Line | None:
    """Return what gives the lines of a JSON text, which is YAML but for halves of characters."""
    if len(content) > _WITH_LINES:
        return None
    try:
        return yamls.parse(re.sub(r"\\u[0-9A-Fa-f]{4}", "?", content), "").line
    except ReadingError:
        return None


def _from_yaml(path: Path, content: str) -> tuple[Any, _Lines | None]:
    try:
        root = yamls.parse(content, str(path))
        return root.data, root.line
    except ReadingError as error:
        raise BadWorld(str(path), [Problem((), f"not YAML: {error.reason}", error.line)]) from error


def normal(given: Any, source: str, line: _Lines | None = None, *, now: int | None = None) -> Json:
    """Return a copy of a world without nulls, with codes for their names, and moments in UTC."""
    try:
        data = orjson.loads(orjson.dumps(given))
    except TypeError as error:
        raise BadWorld(
            source, [Problem((), f"contains a value that JSON cannot represent: {error}")]
        ) from error
    data = shapes.without_nulls(data)
    shapes.with_codes(data)
    start = _start(data) if now is None else now
    world: Json = shapes.with_moments(data, partial(moments.absolute, now=start))
    if now is None:
        _check(shapes.problems(world), source, line)
    return world


def _start(data: Any) -> int:
    """Return the moment of a world, which may be anything."""
    now = data.get("now") if isinstance(data, dict) else None
    return times.parse(now) if isinstance(now, str) and moments.is_kept(now) else FROZEN_AT


def complete(
    world: Json,
    source: str,
    line: _Lines | None = None,
    *,
    chance: Random | None = None,
    seed: int = 0,
) -> Json:
    """Fill in a world that is `normal`, in place, and return it."""
    _check(agreement.own(world), source, line)
    completion = Completion(world, chance, seed)
    completion.identify()
    _check([*references.resolve(world), *agreement.together(world)], source, line)
    completion.complete()
    return world


def _check(wrong: Iterable[Problem], source: str, line: _Lines | None) -> None:
    if known := list(wrong):
        placed = [Problem(each.path, each.reason, line and line(each.path)) for each in known]
        raise BadWorld(source, placed)
