"""Reads a world that somebody wrote by hand, or that a sandbox gave."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.worlds import agreement, completion, references, shapes
from social_publishing_sandbox.worlds.problems import BadWorld, Problem, with_lines

_PLAIN: Final = (
    orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


def load(world: str | Path | Mapping[str, Any]) -> Json:
    """A complete world, made of a file or of data; the data itself is left as it is.

    Args:
        world: the path of a JSON file, or what such a file holds.

    Raises:
        BadWorld: there is something wrong with it. All of it is said at once, as far as one
            mistake does not hide another.
    """
    if isinstance(world, Mapping):
        return _load(dict(world), "world", None)
    path = Path(world)
    try:
        content = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadWorld(str(path), [Problem((), f"cannot be read: {error.strerror}")]) from error
    except UnicodeError as error:
        raise BadWorld(str(path), [Problem((), "is no UTF-8 text")]) from error
    try:
        data = json.loads(content, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise BadWorld(str(path), [Problem((), f"no JSON: {error.msg}", error.lineno)]) from error
    except (ValueError, RecursionError) as error:
        raise BadWorld(str(path), [Problem((), str(error))]) from error
    return _load(data, str(path), content)


def _once(members: list[tuple[str, Any]]) -> Json:
    found = dict(members)
    if len(found) < len(members):
        twice = Counter(name for name, _ in members).most_common(1)[0][0]
        raise ValueError(f"an object has the member {twice!r} twice")
    return found


def _load(given: Any, source: str, content: str | None) -> Json:
    def check(problems: Iterable[Problem]) -> None:
        found = list(problems)
        if found:
            raise BadWorld(source, found if content is None else with_lines(found, content))

    try:
        data = orjson.loads(orjson.dumps(given, option=_PLAIN))
    except TypeError as error:
        raise BadWorld(source, [Problem((), f"holds what JSON does not: {error}")]) from error
    data = shapes.without_nulls(data)
    shapes.with_codes(data)
    check(shapes.problems(data))
    world: Json = shapes.in_utc(data)
    check(agreement.own(world))
    identifiers = completion.identify(world)
    check([*references.resolve(world), *agreement.together(world)])
    completion.complete(world, identifiers)
    return world
