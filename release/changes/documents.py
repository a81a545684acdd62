"""Two effective documents, compared operation by operation.

What each kind of change means for callers is the table in `kinds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pipeline.codegen.names import python_name, resource_name
from pipeline.openapi.documents import Document
from pipeline.openapi.model import PATH_NAME, DocumentModel, Operation
from pipeline.openapi.retry_safety import retry_safety
from release.changes.change import Change
from release.changes.schemas import Schemas, Where, pointed, renames, stamps, values_text

# What an operation can do by a word of its own; by a word with a name, a further method.
_ABILITIES: Final[Mapping[str, str]] = {
    "x-paging": "an iterator over its pages",
    "x-batch": "batches of what does not fit in one request",
    "x-split-window": "ranges of any length",
    "x-wait-with": "`wait`",
    "x-reconcile": "`reconcile()` for a lost write",
}
_METHODS: Final = ("x-single", "x-read-modify-write", "x-wait", "x-arguments-of")


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return what differs between the documents of two revisions.

    Returns:
        Changes, each at one place.
    """
    changes: list[Change] = []
    for name in sorted(before.keys() | after.keys()):
        changes += _Comparison(name, before.get(name), after.get(name)).run()
    return changes


def _operations(document: Mapping[str, Any]) -> list[Operation]:
    return DocumentModel(Document("", document, {})).operations


def _calls(operation: Operation) -> tuple[str, ...]:
    """Return the methods of the client that make an operation: the one of its own first."""
    raw = operation.value
    further = [raw[word]["name"] for word in _METHODS if isinstance(raw.get(word), dict)]
    own = python_name(raw, raw.get("operationId", operation.path))
    return tuple(f"{resource_name(raw)}.{name}" for name in [own, *further])


def _shape(operation: Operation) -> str:
    """Return method and path without the names of the parameters in it."""
    return f"{operation.method} {PATH_NAME.sub('{}', operation.path)}"


def _where(operation: Operation) -> Where:
    """Return the place of an operation as a whole."""
    calls = _calls(operation)
    return Where(operation.route, "sent", f"`{calls[0]}`", about=frozenset(calls), holders=calls)


class _Comparison(Schemas):
    """One document before and after."""

    def __init__(self, name: str, before: Any, after: Any) -> None:
        super().__init__(before or {}, after or {}, _bodies(after or {}))
        self.there = before is not None, after is not None
        self.root = Where(f"the {name} API", "sent")

    def run(self) -> list[Change]:
        if self.there != (True, True):
            self.note("document-added" if self.there[1] else "document-removed", self.root)
        else:
            self._root()
        for old, new in _pairs(_operations(self.before), _operations(self.after)):
            if new is None:
                self.note("operation-removed", _where(old)) if old else None
            elif old is None:
                self.note("operation-added", _where(new))
            else:
                was, now = ([e.value, *(n.value for n in e.parameters)] for e in (old, new))
                with self.texts(was, now, _where(new)):
                    self._operation(old, new)
        return self.found

    def _root(self) -> None:
        elsewhere = ("paths", "components", "x-gaps", "x-sections")
        old, new = (
            {key: value for key, value in document.items() if key not in elsewhere}
            for document in (self.before, self.after)
        )
        with self.texts(old, new, self.root):
            for kind, words in (("servers-changed", _addresses), ("rate-changed", _rate)):
                if words(old) != words(new):
                    self.note(kind, self.root, now=words(new), was=words(old))
            before, after = _schemes(self.before), _schemes(self.after)
            if any(before[name] != after[name] for name in before.keys() & after.keys()):
                self.note("security-changed", self.root)
            assumed, assumes = old.get("x-assume", {}), new.get("x-assume", {})
            for word in sorted(assumed.keys() | assumes.keys()):
                if assumed.get(word) != assumes.get(word):
                    where = replace(self.root, gaps=_redecided(self.before, self.after))
                    self.note("assumed-behaviour", where, what=word)

    # Operations

    def _operation(self, old: Operation, new: Operation) -> None:
        where = replace(_where(new), gaps=_stamped_otherwise(old.value, new.value))
        if _shape(old) != _shape(new):
            self.note("operation-moved", replace(where, place=old.route), now=new.route)
        if old.title != new.title and "operationId" in new.value:
            self.note("operation-renamed", where, now=new.title, was=old.title)
        if _calls(old)[0] != _calls(new)[0]:
            about = frozenset({*_calls(old), *_calls(new)})
            at = replace(where, about=about, python=f"`{_calls(old)[0]}`")
            self.note("operation-called", at, now=_calls(new)[0])
        self.deprecation(old.value, new.value, where)
        self._parameters(old, new)
        self._any_of(old, new)
        self._body(old, new)
        self._responses(old, new)
        was, now = (
            {*map(frozenset, side.value.get("security", document.get("security", [])))}
            or {frozenset()}  # a way that needs nothing, where there is none
            for side, document in ((old, self.before), (new, self.after))
        )
        if was != now:
            wider = frozenset() in now or was < now
            self.note("security-wider" if wider else "security-changed", where)
        self._abilities(old, new)

    def _parameters(self, old: Operation, new: Operation) -> None:
        for kind in ("path", "query", "header", "cookie"):
            before, after = _of_kind(old, kind), _of_kind(new, kind)
            if kind == "path":
                by_order = zip(*(PATH_NAME.findall(each.path) for each in (old, new)), strict=False)
                same = {a: b for a, b in by_order if a != b and a in before and b in after}
            else:
                same = renames(before, after)
            for name in sorted(after.keys() - before.keys() - set(same.values())):
                ending = "added-required" if after[name].get("required") is True else "added"
                self._argument(ending, new, after[name])
            for name in sorted(before.keys() - after.keys() - same.keys()):
                self._argument("removed", new, before[name])
            for name in sorted(before.keys() & after.keys() | same.keys()):
                self._parameter(new, before[name], after[same.get(name, name)])

    def _argument(
        self,
        event: str,
        operation: Operation,
        parameter: Mapping[str, Any],
        was: Mapping[str, Any] | None = None,
    ) -> None:
        """Note a change of an operation and one of its parameters."""
        names = {_python(each) for each in (parameter, was) if each}
        about = frozenset(f"{call}({name})" for call in _calls(operation) for name in names)
        where = replace(_where(operation), about=about, gaps=stamps(parameter))
        python = {"what": f"`{_python(parameter)}`", "was": f"`{_python(was)}`"} if was else {}
        kind = "" if parameter["in"] == "query" else f" ({parameter['in']})"
        what, old_name = f"`{parameter['name']}`{kind}", f"`{was['name']}`" if was else ""
        self.note(f"argument-{event}", where, python=python, what=what, was=old_name)

    def _parameter(
        self, operation: Operation, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> None:
        python, same = _python(new), _python(old) == _python(new)
        where = Where(
            place=f"{operation.route}, `{new['name']}`",
            direction="sent",
            python=f"`{_calls(operation)[0]}({python})`",
            gaps=stamps(new),
            about=frozenset(f"{call}({python})" for call in _calls(operation)),
        )
        with self.texts(old, new, where):
            if old["name"] != new["name"] and (new["in"] != "path" or not same):
                self._argument("renamed-outside" if same else "renamed", operation, new, old)
            if bool(old.get("required")) != bool(new.get("required")):
                self._argument("required" if new.get("required") else "optional", operation, new)
            if _encoding(old) != _encoding(new):
                self.note("made-otherwise", where)
            self.deprecation(old, new, where)
            self.compare(_schema(old), _schema(new), where)

    def _any_of(self, old: Operation, new: Operation) -> None:
        same = renames(_of_kind(old, "query"), _of_kind(new, "query"))
        was, now = (each.value.get("x-required-any") or [] for each in (old, new))
        was = [same.get(name, name) for name in was]
        if set(was) != set(now):
            wider = not now or (bool(was) and set(was) < set(now))
            kind = "any-of-wider" if wider else "any-of-narrower"
            self.note(kind, _where(new), now=_one_of(now), was=_one_of(was))

    def _body(self, old: Operation, new: Operation) -> None:
        before, after = (
            pointed(document, side.value.get("requestBody"))[0] or {}
            for side, document in ((old, self.before), (new, self.after))
        )
        was, now = before.get("required") is True, after.get("required") is True
        if was != now:
            kind = "argument-required" if now else "argument-optional"
            self.note(kind, _where(new), what="a body")
        at = replace(_where(new), place=f"{new.route}, body", python="", gaps=())
        self._content("body", before, after, _where(new), at)

    def _content(self, kind: str, old: Any, new: Any, where: Where, at: Where) -> None:
        """Compare what a body or a response holds, by its media types."""
        was, now = old.get("content", {}), new.get("content", {})
        self.named(f"{kind}-media", was, now, where)
        for media in sorted(was.keys() & now.keys()):
            self.compare(_schema(was[media]), _schema(now[media]), at)

    def _abilities(self, old: Operation, new: Operation) -> None:
        resource = _calls(new)[0].partition(".")[0]
        for word in (*_ABILITIES, *_METHODS):
            was, now = old.value.get(word), new.value.get(word)
            same = was and now and (word in _ABILITIES or was["name"] == now["name"])
            events = [("changed", now)] if same else [("removed", was), ("added", now)]
            for event, value in events if was != now else ():
                if value and word in _METHODS:
                    method = f"{resource}.{value['name']}"
                    where = replace(_where(new), about=frozenset({method}))
                    self.note(f"ability-{event}", where, what=f"the method `{method}`")
                elif value:
                    self.note(f"ability-{event}", _where(new), what=_ABILITIES[word])
        again = [retry_safety(each.value, each.method) == "unsafe" for each in (old, new)]
        if again[0] != again[1]:
            self.note("retries-changed", _where(new))
        before, after = (each.value.get("x-window-under-days") for each in (old, new))
        if before != after and "x-split-window" not in new.value:
            wider = after is None or (before is not None and before < after)
            was, now = (
                f"ranges under {days} days" if days else "any range" for days in (before, after)
            )
            kind = f"sent-limit-{'wider' if wider else 'narrower'}"
            self.note(kind, _where(new), now=f"takes {now}", was=was)

    def _responses(self, old: Operation, new: Operation) -> None:
        before, after = (
            {
                str(status): pointed(document, response)[0]
                for status, response in side.value.get("responses", {}).items()
                if not str(status).startswith("x-")
            }
            for side, document in ((old, self.before), (new, self.after))
        )
        stamped = _stamped_otherwise(old.value.get("responses", {}), new.value.get("responses", {}))
        self.named("status", before, after, replace(_where(new), gaps=stamped), "{}")
        for status in sorted(before.keys() & after.keys()):
            was, now = before[status], after[status]
            headers = was.get("headers", {}), now.get("headers", {})
            self.named("header", *headers, _where(new))
            for name in sorted(headers[0].keys() & headers[1].keys()):
                one = pointed(self.before, headers[0][name])[0]
                other = pointed(self.after, headers[1][name])[0]
                at = Where(f"the header `{name}`", "read")
                self.compare(_schema(one), _schema(other), at)
            at = Where(f"{new.route}, response {status}", "read")
            self._content("response", was, now, _where(new), at)


def _one_of(names: list[str]) -> str:
    """Return the words for arguments of which at least one has to be given."""
    if len(names) < 2:
        return values_text(names) if names else "none of its arguments"
    return f"at least one of {values_text(names)}"


def _pairs(
    before: list[Operation], after: list[Operation]
) -> list[tuple[Operation | None, Operation | None]]:
    """Pair operations that are the same: by identifier, else by place."""
    new = {each.title: each for each in after}
    pairs: list[tuple[Operation | None, Operation | None]] = []
    lost = []
    for old in sorted(before, key=lambda each: each.title):
        if old.title in new:
            pairs.append((old, new.pop(old.title)))
        else:
            lost.append(old)
    for old in lost:
        same = next((each for each in new.values() if _shape(each) == _shape(old)), None)
        pairs.append((old, new.pop(same.title) if same else None))
    return [*pairs, *((None, each) for each in new.values())]


def _bodies(document: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Map each component that is a body to the methods that take its properties as arguments."""
    bodies: dict[str, tuple[str, ...]] = {}
    for operation in _operations(document):
        body, _ = pointed(document, operation.value.get("requestBody"))
        for media in (body or {}).get("content", {}).values():
            _, name = pointed(document, _schema(media))
            if name:
                bodies[name] = (*bodies.get(name, ()), *_calls(operation))
    return bodies


def _schema(holder: Mapping[str, Any]) -> Any:
    """Return the schema of a parameter, a header or a media type."""
    if "content" in holder and "schema" not in holder:
        return next((_schema(media) for media in holder["content"].values()), {})
    return holder.get("schema", {})


def _of_kind(operation: Operation, kind: str) -> dict[str, Any]:
    values = (node.value for node in operation.parameters)
    return {each["name"]: each for each in values if each.get("in") == kind}


def _python(parameter: Mapping[str, Any]) -> str:
    return python_name(parameter, parameter["name"])


def _encoding(parameter: Mapping[str, Any]) -> tuple[Any, ...]:
    style = parameter.get("style", "form" if parameter["in"] in ("query", "cookie") else "simple")
    explode = parameter.get("explode", style == "form")
    return style, explode, bool(parameter.get("allowReserved"))


def _stamped_otherwise(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the gaps whose stamps differ: many are stamped on an operation, and few change."""
    marks = [
        {(word, gap) for word in ("x-assumed", "x-confirmed") for gap in side.get(word, ())}
        for side in (old, new)
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
    if not rate:
        return "any number of requests"
    return f"{rate['requests']} requests in {rate['seconds']} seconds"


def _schemes(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    schemes = document.get("components", {}).get("securitySchemes", {})
    return {name: {**scheme, "description": ""} for name, scheme in schemes.items()}
