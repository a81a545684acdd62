"""Two effective documents, compared operation by operation.

What each kind of change means for callers, and why, is the table in `kinds.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pipeline.codegen.names import python_name, resource_name
from pipeline.openapi.retry_safety import retry_safety
from release.changes.change import Change
from release.changes.schemas import (
    Schemas,
    Where,
    pointed,
    renames,
    stamps,
    value_text,
    values_text,
)

_METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
# Words of an operation that are there or not, and what their kinds are called.
_WORDS: Final[Mapping[str, str]] = {
    "x-paging": "paging",
    "x-batch": "chunks",
    "x-split-window": "split",
    "x-wait-with": "waiting",
    "x-reconcile": "reconcile",
}
_FURTHER: Final = ("x-read-modify-write", "x-wait", "x-arguments-of")
_TOLD: Final = frozenset(
    {"deprecated", "operationId", "parameters", "requestBody", "responses", "security"}
    | {"x-python-name", "x-python-resource", "x-required-any", "x-retry-safety"}
    | {"x-window-under-days", "x-gap", "x-assumed", "x-confirmed", *_WORDS, *_FURTHER}
)
_ROOT_TEXTS: Final = ("info", "tags", "externalDocs", "webhooks")


@dataclass(frozen=True)
class Operation:
    """An operation with what its path says for it, too.

    Attributes:
        method, path: where it is.
        raw: what the document says.
        parameters: its own and those of its path, without references.
        calls: the methods of the client that make it: `books.list`, the one of its own first.
    """

    method: str
    path: str
    raw: Mapping[str, Any]
    parameters: tuple[Mapping[str, Any], ...]
    calls: tuple[str, ...]

    @property
    def id(self) -> str:
        """What tells it from the others of its document, from one revision to the next."""
        found: str = self.raw.get("operationId", self.place)
        return found

    @property
    def place(self) -> str:
        """Method and path, as one writes them."""
        return f"{self.method.upper()} {self.path}"

    @property
    def shape(self) -> str:
        """Method and path, whatever the parameters in it are called."""
        return f"{self.method} {re.sub(r'{[^}]*}', '{}', self.path)}"

    @property
    def where(self) -> Where:
        """The place of the operation as a whole."""
        return Where(
            place=self.place,
            direction="sent",
            spoken=f"`{self.calls[0]}`",
            about=frozenset(self.calls),
            holders=self.calls,
        )


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """What differs between documents of two revisions.

    Args:
        before, after: effective documents by their names.

    Returns:
        Changes, each at one place.
    """
    found: list[Change] = []
    for name in sorted(before.keys() | after.keys()):
        found += _Comparison(name, before.get(name), after.get(name)).run()
    return found


def operations(document: Mapping[str, Any]) -> list[Operation]:
    """All operations of a document, in its order."""
    return list(_operations(document))


def _operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    for path, item in document.get("paths", {}).items():
        if not isinstance(item, dict):
            continue
        for method in _METHODS:
            raw = item.get(method)
            if isinstance(raw, dict):
                given = [*item.get("parameters", ()), *raw.get("parameters", ())]
                plain = [pointed(document, each)[0] for each in given]
                last = {(each.get("in"), each.get("name")): each for each in plain}
                yield Operation(method, path, raw, tuple(last.values()), _calls(raw, path))


def _calls(raw: Mapping[str, Any], path: str) -> tuple[str, ...]:
    resource = resource_name(raw)
    own = python_name(raw, raw.get("operationId", path))
    further = [raw[word]["name"] for word in _FURTHER if isinstance(raw.get(word), dict)]
    return tuple(f"{resource}.{name}" for name in [own, *further])


class _Comparison:
    """One document before and after."""

    def __init__(self, name: str, before: Any, after: Any) -> None:
        self.before, self.after = before or {}, after or {}
        self.there = before is not None, after is not None
        self.root = Where(place=f"the {name} API", direction="sent")
        self.schemas = Schemas(self.before, self.after, _bodies(self.after))
        self.say = self.schemas.say

    def run(self) -> list[Change]:
        if self.there != (True, True):
            self.say("document-added" if self.there[1] else "document-removed", self.root)
        else:
            self._root()
        for old, new in _pairs(operations(self.before), operations(self.after)):
            if old is None and new is not None:
                self.say("operation-added", new.where)
            elif new is None and old is not None:
                self.say("operation-removed", old.where)
            elif old is not None and new is not None:
                self._operation(old, new)
        return self.schemas.found

    # The document as a whole

    def _root(self) -> None:
        old, new = self.before, self.after
        if _addresses(old) != _addresses(new):
            now, was = (
                values_text(each) if each else "none" for each in (_addresses(new), _addresses(old))
            )
            self.say("servers-changed", self.root, now=now, was=was)
        if _rate(old) != _rate(new):
            self.say("rate-changed", self.root, now=_rate(new), was=_rate(old))
        elif old.get("x-rate-limit") != new.get("x-rate-limit"):
            self.say("text-changed", self.root)
        schemes = [each.get("components", {}).get("securitySchemes", {}) for each in (old, new)]
        if any(
            _named(schemes[0][name]) != _named(schemes[1][name])
            for name in schemes[0].keys() & schemes[1].keys()
        ):
            self.say("security-changed", self.root)
        if any(old.get(word) != new.get(word) for word in _ROOT_TEXTS):
            self.say("text-changed", self.root)
        assumed, assumes = old.get("x-assume", {}), new.get("x-assume", {})
        for word in sorted(assumed.keys() | assumes.keys()):
            if assumed.get(word) != assumes.get(word):
                where = replace(self.root, gaps=_redecided(old, new))
                self.say("assumed-behaviour", where, what=word)

    # Operations

    def _operation(self, old: Operation, new: Operation) -> None:
        where = replace(new.where, gaps=_stamped_otherwise(old.raw, new.raw))
        if old.shape != new.shape:
            self.say("operation-moved", replace(where, place=old.place), now=new.place)
        if old.raw.get("operationId") != new.raw.get("operationId"):
            self.say("operation-renamed", where, now=new.id, was=old.id)
        if old.calls[0] != new.calls[0]:
            both = frozenset({*old.calls, *new.calls})
            at = replace(where, about=both, spoken=f"`{old.calls[0]}`")
            self.say("operation-called", at, now=new.calls[0])
        self._deprecation(old.raw, new.raw, where)
        self._parameters(old, new)
        self._any_of(old, new)
        self._body(old, new)
        self._answers(old, new)
        self._security(old, new)
        self._words(old, new)
        rest = (old.raw.keys() | new.raw.keys()) - _TOLD
        if any(old.raw.get(key) != new.raw.get(key) for key in rest):
            self.say("text-changed", where)

    def _deprecation(self, old: Mapping[str, Any], new: Mapping[str, Any], where: Where) -> None:
        if bool(old.get("deprecated")) != bool(new.get("deprecated")):
            self.say("deprecated" if new.get("deprecated") else "deprecated-no-more", where)

    def _parameters(self, old: Operation, new: Operation) -> None:
        for kind in ("path", "query", "header", "cookie"):
            before, after = _of_kind(old, kind), _of_kind(new, kind)
            if kind == "path":
                by_order = list(zip(_in_path(old), _in_path(new), strict=False))
                same = {was: now for was, now in by_order if was != now}
                same = {was: now for was, now in same.items() if was in before and now in after}
            else:
                same = renames(before, after)
            for name in sorted(after.keys() - before.keys() - set(same.values())):
                required = after[name].get("required") is True
                ending = "added-required" if required else "added"
                self._argument(f"argument-{ending}", new, after[name])
            for name in sorted(before.keys() - after.keys() - same.keys()):
                self._argument("argument-removed", new, before[name])
            for name in sorted(before.keys() & after.keys() | same.keys()):
                self._parameter(new, before[name], after[same.get(name, name)])

    def _argument(
        self,
        kind: str,
        operation: Operation,
        parameter: Mapping[str, Any],
        was: Mapping[str, Any] | None = None,
    ) -> None:
        """Say something of an operation and one of its parameters."""
        about = {
            f"{call}({_python(each)})"
            for call in operation.calls
            for each in (parameter, was)
            if each
        }
        where = replace(operation.where, about=frozenset(about), gaps=stamps(parameter))
        old_name = f"`{was['name']}`" if was else ""
        self.say(kind, where, what=_named_parameter(parameter), was=old_name)
        if was:
            self.schemas.in_python(what=_python(parameter), was=_python(was))

    def _parameter(
        self, operation: Operation, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> None:
        if old["name"] != new["name"] and (new["in"] != "path" or _python(old) != _python(new)):
            outside = _python(old) == _python(new)
            self._argument(
                "argument-renamed-outside" if outside else "argument-renamed", operation, new, old
            )
        if bool(old.get("required")) != bool(new.get("required")):
            ending = "required" if new.get("required") else "optional"
            self._argument(f"argument-{ending}", operation, new)
        if _encoding(old) != _encoding(new):
            self._argument("argument-encoded", operation, new)
        python = _python(new)
        where = Where(
            place=f"{operation.place}, `{new['name']}`",
            direction="sent",
            spoken=f"`{operation.calls[0]}({python})`",
            gaps=stamps(new),
            about=frozenset(f"{call}({python})" for call in operation.calls),
        )
        self._deprecation(old, new, where)
        if old.get("x-warning") != new.get("x-warning"):
            self.say("warning-changed", where)
        texts = ("description", "example", "examples", "x-section", "x-window")
        if any(old.get(word) != new.get(word) for word in texts):
            self.say("text-changed", where)
        self.schemas.compare(_schema(old), _schema(new), where)

    def _any_of(self, old: Operation, new: Operation) -> None:
        same = renames(_of_kind(old, "query"), _of_kind(new, "query"))
        was, now = (each.raw.get("x-required-any") or [] for each in (old, new))
        was = [same.get(name, name) for name in was]
        if set(was) == set(now):
            return
        wider = not now or (bool(was) and set(was) < set(now))
        if wider:
            self.say("any-of-wider", new.where, now=_one_of(now), was=_one_of(was))
        else:
            self.say("any-of-narrower", new.where, now=_one_of(now))

    def _body(self, old: Operation, new: Operation) -> None:
        before, _ = pointed(self.before, old.raw.get("requestBody"))
        after, _ = pointed(self.after, new.raw.get("requestBody"))
        where = new.where
        if before is None and after is None:
            return
        if before is None or after is None:
            required = after is not None and after.get("required") is True
            kind = "body-removed" if after is None else f"body-added{'-required' * required}"
            self.say(kind, where, after or before)
            return
        if bool(before.get("required")) != bool(after.get("required")):
            self.say("body-required" if after.get("required") else "body-optional", where)
        if before.get("description") != after.get("description"):
            self.say("text-changed", where)
        was, now = before.get("content", {}), after.get("content", {})
        for media in sorted(now.keys() - was.keys()):
            self.say("body-media-added", where, what=value_text(media))
        for media in sorted(was.keys() - now.keys()):
            self.say("body-media-removed", where, what=value_text(media))
        at = replace(where, place=f"{new.place}, body", spoken="", gaps=())
        for media in sorted(was.keys() & now.keys()):
            if _around(was[media]) != _around(now[media]):
                self.say("text-changed", where)
            self.schemas.compare(_schema(was[media]), _schema(now[media]), at)

    def _security(self, old: Operation, new: Operation) -> None:
        was = _needs(old.raw.get("security", self.before.get("security", [])))
        now = _needs(new.raw.get("security", self.after.get("security", [])))
        if was == now:
            return
        if not was or not now:
            kind = "security-added" if now else "security-removed"
            self.say(kind, new.where, what=" or ".join(now or was))
        elif set(was) < set(now):
            more = " or ".join(sorted(set(now) - set(was)))
            self.say("security-wider", new.where, what=more)
        else:
            self.say("security-changed", new.where)

    def _words(self, old: Operation, new: Operation) -> None:
        where = new.where
        for word, kind in _WORDS.items():
            was, now = old.raw.get(word), new.raw.get(word)
            if was != now:
                ending = "added" if was is None else "removed" if now is None else "changed"
                of = now.get("of") if isinstance(now, dict) else ""
                self.say(f"{kind}-{ending}", where, what=f"`{of}`")
        for word in _FURTHER:
            was, now = (each.raw.get(word) or {} for each in (old, new))
            if was.get("name") != now.get("name"):
                for kind, each, calls in (("removed", was, old), ("added", now, new)):
                    if each:
                        method = f"{calls.calls[0].split('.')[0]}.{each['name']}"
                        at = replace(where, about=frozenset({method}))
                        self.say(f"method-{kind}", at, what=method)
            elif was != now:
                method = f"{new.calls[0].split('.')[0]}.{now['name']}"
                self.say("method-changed", where, what=method)
        safety = [_again(each) for each in (old, new)]
        if safety[0] != safety[1]:
            self.say("retries-changed", where, now=safety[1], was=safety[0])
        elif old.raw.get("x-retry-safety") != new.raw.get("x-retry-safety"):
            self.say("text-changed", where)
        self._window(old, new)

    def _window(self, old: Operation, new: Operation) -> None:
        word = "x-window-under-days"
        was, now = old.raw.get(word), new.raw.get(word)
        if was != now:
            wider = now is None or (was is not None and was < now)
            kind = (
                "window-cut"
                if "x-split-window" in new.raw
                else f"window-{'wider' if wider else 'narrower'}"
            )
            told = [f"{each} days" if each else "any number of days" for each in (was, now)]
            self.say(kind, new.where, now=told[1], was=told[0])

    # Answers

    def _answers(self, old: Operation, new: Operation) -> None:
        before, after = _answers(old.raw), _answers(new.raw)
        stamped = _stamped_otherwise(old.raw.get("responses", {}), new.raw.get("responses", {}))
        where = replace(new.where, gaps=stamped)
        gone = sorted(before.keys() - after.keys())
        come = sorted(after.keys() - before.keys())
        moved = {}
        if (
            len(good := [each for each in gone if each[0] == "2"]) == 1
            and len(better := [each for each in come if each[0] == "2"]) == 1
        ):
            moved = {good[0]: better[0]}
            self.say("status-moved", where, now=better[0], was=good[0])
        for status in come:
            if status not in moved.values():
                self.say("status-added", where, after[status], what=status)
        for status in gone:
            if status not in moved:
                self.say("status-removed", where, before[status], what=status)
        for status in sorted(before.keys() & after.keys() | moved.keys()):
            later = moved.get(status, status)
            self._answer(before[status], after[later], later, new)

    def _answer(self, old: Any, new: Any, status: str, operation: Operation) -> None:
        old, new = pointed(self.before, old)[0], pointed(self.after, new)[0]
        where = operation.where
        if old.get("description") != new.get("description"):
            self.say("text-changed", where)
        headers = [each.get("headers", {}) for each in (old, new)]
        for name in sorted(headers[1].keys() - headers[0].keys()):
            self.say(
                "header-added", replace(where, gaps=stamps(headers[1][name])), what=f"`{name}`"
            )
        for name in sorted(headers[0].keys() - headers[1].keys()):
            self.say(
                "header-removed", replace(where, gaps=stamps(headers[0][name])), what=f"`{name}`"
            )
        for name in sorted(headers[0].keys() & headers[1].keys()):
            was, now = (
                pointed(self.before, headers[0][name])[0],
                pointed(self.after, headers[1][name])[0],
            )
            at = Where(place=f"the header `{name}`", direction="read")
            if was.get("description") != now.get("description"):
                self.say("text-changed", at)
            self.schemas.compare(_schema(was), _schema(now), at)
        contents = [each.get("content", {}) for each in (old, new)]
        if bool(contents[0]) != bool(contents[1]):
            self.say("answer-added" if contents[1] else "answer-removed", where, what=status)
            return
        for media in sorted(contents[1].keys() - contents[0].keys()):
            self.say("answer-media-added", where, what=value_text(media))
        for media in sorted(contents[0].keys() - contents[1].keys()):
            self.say("answer-media-removed", where, what=value_text(media))
        at = Where(place=f"{operation.place}, answer {status}", direction="read")
        for media in sorted(contents[0].keys() & contents[1].keys()):
            if _around(contents[0][media]) != _around(contents[1][media]):
                self.say("text-changed", where)
            self.schemas.compare(_schema(contents[0][media]), _schema(contents[1][media]), at)


def _one_of(names: list[str]) -> str:
    """Arguments of which at least one has to be given."""
    if len(names) < 2:
        return values_text(names) if names else "none of its arguments"
    return f"at least one of {values_text(names)}"


def _pairs(
    before: list[Operation], after: list[Operation]
) -> list[tuple[Operation | None, Operation | None]]:
    """Operations that are the same: by their identifiers, else by where they are."""
    old, new = {each.id: each for each in before}, {each.id: each for each in after}
    found: list[tuple[Operation | None, Operation | None]] = []
    found += [(old.pop(each), new.pop(each)) for each in sorted(old.keys() & new.keys())]
    shapes = {each.shape: each for each in new.values()}
    for each in list(old.values()):
        if each.shape in shapes:
            other = shapes.pop(each.shape)
            found.append((old.pop(each.id), new.pop(other.id)))
    return [
        *found,
        *((each, None) for each in old.values()),
        *((None, each) for each in new.values()),
    ]


def _bodies(document: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """For each component that is a body: the methods whose arguments its properties are."""
    found: dict[str, tuple[str, ...]] = {}
    for operation in operations(document):
        body, _ = pointed(document, operation.raw.get("requestBody"))
        for media in (body or {}).get("content", {}).values():
            _, name = pointed(document, _schema(media))
            if name:
                found[name] = (*found.get(name, ()), *operation.calls)
    return found


def _schema(holder: Mapping[str, Any]) -> Any:
    """The schema of a parameter, a header or a media type; one by a media type, too."""
    if "content" in holder and "schema" not in holder:
        return next((_schema(media) for media in holder["content"].values()), {})
    return holder.get("schema", {})


def _around(media: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in media.items() if key != "schema"}


def _of_kind(operation: Operation, kind: str) -> dict[str, Any]:
    return {each["name"]: each for each in operation.parameters if each.get("in") == kind}


def _in_path(operation: Operation) -> list[str]:
    return re.findall(r"{([^}]*)}", operation.path)


def _python(parameter: Mapping[str, Any]) -> str:
    return python_name(parameter, parameter["name"])


def _named_parameter(parameter: Mapping[str, Any]) -> str:
    return (
        f"`{parameter['name']}`"
        if parameter["in"] == "query"
        else f"`{parameter['name']}` ({parameter['in']})"
    )


def _encoding(parameter: Mapping[str, Any]) -> tuple[Any, ...]:
    style = parameter.get("style", "form" if parameter["in"] in ("query", "cookie") else "simple")
    explode = parameter.get("explode", style == "form")
    return style, explode, bool(parameter.get("allowReserved"))


def _answers(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {
        str(status): answer
        for status, answer in raw.get("responses", {}).items()
        if not str(status).startswith("x-")
    }


def _stamped_otherwise(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The gaps whose stamps differ: many rest on the answers of an operation, and few change."""
    marks = [
        {(word, gap) for word in ("x-assumed", "x-confirmed") for gap in each.get(word, ())}
        for each in (old, new)
    ]
    return tuple(sorted({gap for _, gap in marks[0] ^ marks[1]}))


def _redecided(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """The gaps at the root of a document that are decided otherwise."""
    before, after = old.get("x-gaps", {}), new.get("x-gaps", {})
    own = {*stamps(old), *stamps(new)}
    return tuple(sorted(gap for gap in own if before.get(gap) != after.get(gap)))


def _addresses(document: Mapping[str, Any]) -> list[str]:
    return [server.get("url", "") for server in document.get("servers", ())]


def _rate(document: Mapping[str, Any]) -> str:
    rate = document.get("x-rate-limit")
    return (
        f"{rate['requests']} requests in {rate['seconds']} seconds"
        if rate
        else "any number of requests"
    )


def _needs(security: Any) -> list[str]:
    """What each way of showing who calls needs; none where nothing is needed."""
    ways = [" and ".join(f"`{name}`" for name in sorted(way)) for way in security]
    return [] if "" in ways else sorted(ways)


def _named(scheme: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in scheme.items() if key != "description"}


def _again(operation: Operation) -> str:
    if retry_safety(operation.raw, operation.method) == "unsafe":
        return "only where the service cannot have carried it out"
    return "whenever no answer came"
