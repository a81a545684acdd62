"""Two effective documents, compared operation by operation.

What each kind of change means for callers, and why, is the table in `kinds.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pipeline.codegen.names import python_name, resource_name
from pipeline.openapi.documents import Document
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.retry_safety import retry_safety
from release.changes.change import Change
from release.changes.schemas import (
    Schemas,
    Where,
    pointed,
    renames,
    stamps,
    values_text,
)

# Words of an operation that are there or not, and what their kinds are called.
_WORDS: Final[Mapping[str, str]] = {
    "x-paging": "paging",
    "x-batch": "batch",
    "x-split-window": "split",
    "x-wait-with": "waiting",
    "x-reconcile": "reconcile",
}
_FURTHER: Final = ("x-single", "x-read-modify-write", "x-wait", "x-arguments-of")
_HANDLED: Final = frozenset(
    {"deprecated", "operationId", "parameters", "requestBody", "responses", "security"}
    | {"x-python-name", "x-python-resource", "x-required-any", "x-retry-safety"}
    | {"x-window-under-days", "x-gap", "x-assumed", "x-confirmed", *_WORDS, *_FURTHER}
)
_ROOT_TEXTS: Final = ("info", "tags", "externalDocs", "webhooks")


@dataclass(frozen=True)
class Operation:
    """An operation, with what its path declares for it.

    Attributes:
        method, path: where it is.
        raw: its object in the document.
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
        """Return its identity in the document, from one revision to the next."""
        found: str = self.raw.get("operationId", self.place)
        return found

    @property
    def place(self) -> str:
        """Return method and path."""
        return f"{self.method.upper()} {self.path}"

    @property
    def shape(self) -> str:
        """Return method and path without the names of the parameters in it."""
        return f"{self.method} {re.sub(r'{[^}]*}', '{}', self.path)}"

    @property
    def where(self) -> Where:
        """Return the place of the operation as a whole."""
        return Where(
            place=self.place,
            direction="sent",
            python=f"`{self.calls[0]}`",
            about=frozenset(self.calls),
            holders=self.calls,
        )


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return what differs between the documents of two revisions.

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
    """Return all operations of a document, in its order."""
    return [
        Operation(
            method=each.method,
            path=each.path,
            raw=each.value,
            parameters=tuple(node.value for node in each.parameters),
            calls=_calls(each.value, each.path),
        )
        for each in DocumentModel(Document("", document, {})).operations
    ]


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
        self.note = self.schemas.note
        self.texts = self.schemas.texts
        self.named = self.schemas.named

    def run(self) -> list[Change]:
        if self.there != (True, True):
            self.note("document-added" if self.there[1] else "document-removed", self.root)
        else:
            self._root()
        for old, new in _pairs(operations(self.before), operations(self.after)):
            if old is None and new is not None:
                self.note("operation-added", new.where)
            elif new is None and old is not None:
                self.note("operation-removed", old.where)
            elif old is not None and new is not None:
                self._operation(old, new)
        return self.schemas.found

    # The document as a whole

    def _root(self) -> None:
        old, new = self.before, self.after
        was, now = _addresses(old), _addresses(new)
        if was != now:
            self.note("servers-changed", self.root, now=now, was=was)
        if _rate(old) != _rate(new):
            self.note("rate-changed", self.root, now=_rate(new), was=_rate(old))
        elif old.get("x-rate-limit") != new.get("x-rate-limit"):
            self.note("text-changed", self.root)
        before, after = _schemes(old), _schemes(new)
        if any(before[name] != after[name] for name in before.keys() & after.keys()):
            self.note("security-changed", self.root)
        self.texts(old, new, _ROOT_TEXTS, self.root)
        assumed, assumes = old.get("x-assume", {}), new.get("x-assume", {})
        for word in sorted(assumed.keys() | assumes.keys()):
            if assumed.get(word) != assumes.get(word):
                where = replace(self.root, gaps=_redecided(old, new))
                self.note("assumed-behaviour", where, what=word)

    # Operations

    def _operation(self, old: Operation, new: Operation) -> None:
        where = replace(new.where, gaps=_stamped_otherwise(old.raw, new.raw))
        if old.shape != new.shape:
            self.note("operation-moved", replace(where, place=old.place), now=new.place)
        if old.raw.get("operationId") != new.raw.get("operationId"):
            self.note("operation-renamed", where, now=new.id, was=old.id)
        if old.calls[0] != new.calls[0]:
            both = frozenset({*old.calls, *new.calls})
            at = replace(where, about=both, python=f"`{old.calls[0]}`")
            self.note("operation-called", at, now=new.calls[0])
        self.schemas.deprecation(old.raw, new.raw, where)
        self._parameters(old, new)
        self._any_of(old, new)
        self._body(old, new)
        self._responses(old, new)
        self._security(old, new)
        self._words(old, new)
        self.texts(old.raw, new.raw, (old.raw.keys() | new.raw.keys()) - _HANDLED, where)

    def _parameters(self, old: Operation, new: Operation) -> None:
        for kind in ("path", "query", "header", "cookie"):
            before, after = _of_kind(old, kind), _of_kind(new, kind)
            if kind == "path":
                by_order = zip(_in_path(old), _in_path(new), strict=False)
                same = {a: b for a, b in by_order if a != b and a in before and b in after}
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
        """Note a change of an operation and one of its parameters."""
        about = {
            f"{call}({_python(each)})"
            for call in operation.calls
            for each in (parameter, was)
            if each
        }
        where = replace(operation.where, about=frozenset(about), gaps=stamps(parameter))
        old_name = f"`{was['name']}`" if was else ""
        python = {"what": f"`{_python(parameter)}`", "was": f"`{_python(was)}`"} if was else {}
        self.note(kind, where, python=python, what=_named_parameter(parameter), was=old_name)

    def _parameter(
        self, operation: Operation, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> None:
        same = _python(old) == _python(new)
        if old["name"] != new["name"] and (new["in"] != "path" or not same):
            kind = "argument-renamed-outside" if same else "argument-renamed"
            self._argument(kind, operation, new, old)
        if bool(old.get("required")) != bool(new.get("required")):
            ending = "required" if new.get("required") else "optional"
            self._argument(f"argument-{ending}", operation, new)
        if _encoding(old) != _encoding(new):
            self._argument("argument-encoded", operation, new)
        python = _python(new)
        where = Where(
            place=f"{operation.place}, `{new['name']}`",
            direction="sent",
            python=f"`{operation.calls[0]}({python})`",
            gaps=stamps(new),
            about=frozenset(f"{call}({python})" for call in operation.calls),
        )
        self.schemas.deprecation(old, new, where)
        if any(old.get(word) != new.get(word) for word in ("x-warning", "x-destructive")):
            self.note("warning-changed", where)
        texts = ("description", "example", "examples", "x-section", "x-window")
        self.texts(old, new, texts, where)
        self.schemas.compare(_schema(old), _schema(new), where)

    def _any_of(self, old: Operation, new: Operation) -> None:
        same = renames(_of_kind(old, "query"), _of_kind(new, "query"))
        was, now = (each.raw.get("x-required-any") or [] for each in (old, new))
        was = [same.get(name, name) for name in was]
        if set(was) == set(now):
            return
        wider = not now or (bool(was) and set(was) < set(now))
        kind = "any-of-wider" if wider else "any-of-narrower"
        self.note(kind, new.where, now=_one_of(now), was=_one_of(was))

    def _body(self, old: Operation, new: Operation) -> None:
        before, _ = pointed(self.before, old.raw.get("requestBody"))
        after, _ = pointed(self.after, new.raw.get("requestBody"))
        where = new.where
        if before is None and after is None:
            return
        if before is None or after is None:
            required = after is not None and after.get("required") is True
            kind = "body-removed" if after is None else f"body-added{'-required' * required}"
            self.note(kind, where, after or before)
            return
        if bool(before.get("required")) != bool(after.get("required")):
            self.note("body-required" if after.get("required") else "body-optional", where)
        self.texts(before, after, ("description",), where)
        at = replace(where, place=f"{new.place}, body", python="", gaps=())
        self._content("body", before, after, where, at)

    def _content(self, kind: str, old: Any, new: Any, where: Where, at: Where) -> None:
        """Compare what a body or a response holds, by its media types."""
        was, now = old.get("content", {}), new.get("content", {})
        self.named(f"{kind}-media", was, now, where)
        for media in sorted(was.keys() & now.keys()):
            around = {*was[media], *now[media]} - {"schema"}
            self.texts(was[media], now[media], around, where)
            self.schemas.compare(_schema(was[media]), _schema(now[media]), at)

    def _security(self, old: Operation, new: Operation) -> None:
        was = _needs(old.raw.get("security", self.before.get("security", [])))
        now = _needs(new.raw.get("security", self.after.get("security", [])))
        if was == now:
            return
        if not was or not now:
            kind = "security-added" if now else "security-removed"
            self.note(kind, new.where, what=" or ".join(now or was))
        elif set(was) < set(now):
            more = " or ".join(sorted(set(now) - set(was)))
            self.note("security-wider", new.where, what=more)
        else:
            self.note("security-changed", new.where)

    def _words(self, old: Operation, new: Operation) -> None:
        where = new.where
        for word, kind in _WORDS.items():
            was, now = old.raw.get(word), new.raw.get(word)
            if was != now:
                ending = "added" if was is None else "removed" if now is None else "changed"
                of = now.get("of") if isinstance(now, dict) else ""
                self.note(f"{kind}-{ending}", where, what=f"`{of}`")
        for word in _FURTHER:
            was, now = (each.raw.get(word) or {} for each in (old, new))
            if was.get("name") != now.get("name"):
                for kind, each, calls in (("removed", was, old), ("added", now, new)):
                    if each:
                        method = f"{calls.calls[0].split('.')[0]}.{each['name']}"
                        at = replace(where, about=frozenset({method}))
                        self.note(f"method-{kind}", at, what=method)
            elif was != now:
                method = f"{new.calls[0].split('.')[0]}.{now['name']}"
                self.note("method-changed", where, what=method)
        safety = [_again(each) for each in (old, new)]
        if safety[0] != safety[1]:
            self.note("retries-changed", where, now=safety[1], was=safety[0])
        elif old.raw.get("x-retry-safety") != new.raw.get("x-retry-safety"):
            self.note("text-changed", where)
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
            days = [f"{each} days" if each else "any number of days" for each in (was, now)]
            self.note(kind, new.where, now=days[1], was=days[0])

    # Responses

    def _responses(self, old: Operation, new: Operation) -> None:
        before, after = _responses(old.raw), _responses(new.raw)
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
            self.note("status-moved", where, now=better[0], was=good[0])
        for status in come:
            if status not in moved.values():
                self.note("status-added", where, after[status], what=status)
        for status in gone:
            if status not in moved:
                self.note("status-removed", where, before[status], what=status)
        for status in sorted(before.keys() & after.keys() | moved.keys()):
            later = moved.get(status, status)
            self._response(before[status], after[later], later, new)

    def _response(self, old: Any, new: Any, status: str, operation: Operation) -> None:
        old, new = pointed(self.before, old)[0], pointed(self.after, new)[0]
        where = operation.where
        self.texts(old, new, ("description",), where)
        before, after = old.get("headers", {}), new.get("headers", {})
        self.named("header", before, after, where)
        for name in sorted(before.keys() & after.keys()):
            was, now = pointed(self.before, before[name])[0], pointed(self.after, after[name])[0]
            at = Where(place=f"the header `{name}`", direction="read")
            self.texts(was, now, ("description",), at)
            self.schemas.compare(_schema(was), _schema(now), at)
        if bool(old.get("content")) != bool(new.get("content")):
            kind = "response-added" if new.get("content") else "response-removed"
            self.note(kind, where, what=status)
            return
        at = Where(place=f"{operation.place}, response {status}", direction="read")
        self._content("response", old, new, where, at)


def _one_of(names: list[str]) -> str:
    """Return the words for arguments of which at least one has to be given."""
    if len(names) < 2:
        return values_text(names) if names else "none of its arguments"
    return f"at least one of {values_text(names)}"


def _pairs(
    before: list[Operation], after: list[Operation]
) -> list[tuple[Operation | None, Operation | None]]:
    """Pair operations that are the same: by identifier, else by place."""
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
    """Map each component that is a body to the methods that take its properties as arguments."""
    found: dict[str, tuple[str, ...]] = {}
    for operation in operations(document):
        body, _ = pointed(document, operation.raw.get("requestBody"))
        for media in (body or {}).get("content", {}).values():
            _, name = pointed(document, _schema(media))
            if name:
                found[name] = (*found.get(name, ()), *operation.calls)
    return found


def _schema(holder: Mapping[str, Any]) -> Any:
    """Return the schema of a parameter, a header or a media type."""
    if "content" in holder and "schema" not in holder:
        return next((_schema(media) for media in holder["content"].values()), {})
    return holder.get("schema", {})


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


def _responses(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {
        str(status): response
        for status, response in raw.get("responses", {}).items()
        if not str(status).startswith("x-")
    }


def _stamped_otherwise(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the gaps whose stamps differ: many are stamped on an operation, and few change."""
    marks = [
        {(word, gap) for word in ("x-assumed", "x-confirmed") for gap in each.get(word, ())}
        for each in (old, new)
    ]
    return tuple(sorted({gap for _, gap in marks[0] ^ marks[1]}))


def _redecided(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the gaps at the root of a document that are decided otherwise."""
    before, after = old.get("x-gaps", {}), new.get("x-gaps", {})
    own = {*stamps(old), *stamps(new)}
    return tuple(sorted(gap for gap in own if before.get(gap) != after.get(gap)))


def _addresses(document: Mapping[str, Any]) -> str:
    addresses = [server.get("url", "") for server in document.get("servers", ())]
    return values_text(addresses) if addresses else "none"


def _rate(document: Mapping[str, Any]) -> str:
    rate = document.get("x-rate-limit")
    return (
        f"{rate['requests']} requests in {rate['seconds']} seconds"
        if rate
        else "any number of requests"
    )


def _needs(security: Any) -> list[str]:
    """Return what each way to authenticate needs; none where nothing is needed."""
    ways = [" and ".join(f"`{name}`" for name in sorted(way)) for way in security]
    return [] if "" in ways else sorted(ways)


def _schemes(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    schemes = document.get("components", {}).get("securitySchemes", {})
    return {name: {**scheme, "description": ""} for name, scheme in schemes.items()}


def _again(operation: Operation) -> str:
    if retry_safety(operation.raw, operation.method) == "unsafe":
        return "only where the service cannot have carried it out"
    return "whenever no response came"
