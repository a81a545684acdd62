"""Schemas, compared: what may be sent, and what is read, before and now.

Components are compared once in each direction, under their own name; everything else where it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from pipeline.codegen.names import pascal, python_name
from pipeline.openapi.documents import resolved
from pipeline.openapi.objects import as_dict
from release.changes.change import Change
from release.changes.kinds import KINDS

Direction = Literal["sent", "read"]

_TEXTS: Final = frozenset(
    {"$comment", "description", "example", "examples", "externalDocs", "summary", "tags", "title"}
)
_STAMPS: Final = ("x-gap", "x-assumed", "x-confirmed")
# Reported by the register, by the Python level, or by another word beside them.
_IGNORED: Final = frozenset({*_STAMPS, "$ref", "x-gaps", "x-sections", "x-python-name"})
# A limit: its words in a message, and whether a greater number lets more through; None where it may
# only be there or not, and another value is another rule.
_LIMITS: Final[Mapping[str, tuple[str, bool | None]]] = {
    "minimum": ("at least {}", False),
    "exclusiveMinimum": ("more than {}", False),
    "maximum": ("at most {}", True),
    "exclusiveMaximum": ("less than {}", True),
    "minLength": ("at least {} characters long", False),
    "maxLength": ("at most {} characters long", True),
    "minItems": ("at least {} entries long", False),
    "maxItems": ("at most {} entries long", True),
    "minProperties": ("at least {} members large", False),
    "maxProperties": ("at most {} members large", True),
    "x-max-bytes": ("at most {} bytes large", True),
    "x-max-size": ("at most {} large", True),
    "multipleOf": ("a multiple of {}", None),
    "uniqueItems": ("without repetitions", None),
    "x-file-extensions": ("a file of {}", None),
}
_SHAPES: Final = frozenset(
    {"allOf", "not", "if", "then", "else", "prefixItems", "contains", "patternProperties"}
    | {"dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"}
)
_PYTHON_FORMATS: Final = frozenset({"binary", "byte", "date", "date-time", "duration", "time"})
_WRITTEN: Final = ("x-datetime-format", "x-timezone")
_MADE: Final = ("x-read-from", "x-written-ignores")
_HANDLED: Final = frozenset(
    {"additionalProperties", "anyOf", "const", "default", "deprecated", "enum", "format", "items"}
    | {"oneOf", "pattern", "properties", "propertyNames", "required", "type"}
    | {"x-enum-varnames", "x-extensible-enum", "x-keyed-by"}
    | {*_LIMITS, *_SHAPES, *_WRITTEN, *_MADE, *_IGNORED}
)


@dataclass(frozen=True)
class Where:
    """A place in a document, as messages name it.

    Attributes:
        place: of the document: ``GET /books, `page` ``.
        python: the same in Python, if it is known.
        direction: whether its values are sent or read.
        gaps: what is stamped there or right above.
        about: its names in Python.
        holders: what has the members of an object: names like `books.update` or `BookUpdate`, and
            how a member of theirs is called.
    """

    place: str
    direction: Direction
    python: str = ""
    gaps: tuple[str, ...] = ()
    about: frozenset[str] = frozenset()
    holders: tuple[str, ...] = ()

    def inside(self, suffix: str) -> Where:
        """Return a place within: `[]`, `{}` or `.name`."""
        return replace(
            self,
            place=f"{self.place[:-1]}{suffix}`" if self.place[-1] == "`" else self.place + suffix,
            python=f"{self.python[:-1]}{suffix}`" if self.python[-1:] == "`" else "",
            holders=(),
        )


def stamps(*nodes: Any) -> tuple[str, ...]:
    """Return the gaps that nodes are marked with or rest on."""
    found: set[str] = set()
    for node in nodes:
        for word in _STAMPS if isinstance(node, dict) else ():
            value = node.get(word, ())
            found.update([value] if isinstance(value, str) else value)
    return tuple(sorted(found))


def value_text(value: Any) -> str:
    """Return a value of a document as a sentence shows it."""
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"


def values_text(values: Iterable[Any]) -> str:
    """Return values of a document as a sentence lists them."""
    texts = [value_text(value) for value in values]
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def pointed(document: Any, node: Any) -> tuple[Any, str]:
    """Return a node behind its references, and the name of the component that it is, or ""."""
    reference = node.get("$ref") if isinstance(node, dict) else None
    if not isinstance(reference, str):
        return node, ""
    beside = {key: value for key, value in node.items() if key != "$ref"}
    rules = set(beside) - _TEXTS - _IGNORED - {"default", "deprecated"}
    kind, _, name = reference.removeprefix("#/components/").partition("/")
    target = resolved(document, {"$ref": reference})
    if "enum" in beside:
        target.pop("x-enum-varnames", None)
    return {**target, **beside}, name if kind == "schemas" and not rules else ""


@dataclass
class Schemas:
    """Compares schemas of two documents, and collects what differs.

    Attributes:
        methods: for a component that is a request's body, the methods that take its properties.
    """

    before: Any
    after: Any
    methods: Mapping[str, tuple[str, ...]]
    found: list[Change] = field(default_factory=list)
    _seen: set[tuple[str, str, Direction]] = field(default_factory=set)
    _within: list[tuple[str, str]] = field(default_factory=list)

    def note(
        self,
        kind: str,
        where: Where,
        node: Mapping[str, Any] | None = None,
        /,
        *,
        python: Mapping[str, str] = {},
        **values: object,
    ) -> None:
        """Note a change of a kind at a place; the gaps of a node come before those of the place.

        `python` has the values in Python's names, where a name has changed there, too.
        """
        known = KINDS[kind]
        renamed = python and kind.endswith("-renamed")
        self.found.append(
            Change(
                level=known.level,
                kind=kind,
                places=(where.place,),
                sentence=known.sentence.format(**values),
                python_places=(where.python,) if where.python else (),
                gaps=stamps(node) or where.gaps,
                about=where.about,
                python_sentence=known.sentence.format(**python) if renamed else "",
            )
        )

    def named(self, kind: str, old: Mapping[str, Any], new: Mapping[str, Any], at: Where) -> None:
        """Note names that are on one side alone, as added or removed."""
        for name in sorted(new.keys() - old.keys()):
            self.note(f"{kind}-added", at, new[name], what=f"`{name}`")
        for name in sorted(old.keys() - new.keys()):
            self.note(f"{kind}-removed", at, old[name], what=f"`{name}`")

    def texts(
        self, old: Mapping[str, Any], new: Mapping[str, Any], words: Iterable[str], where: Where
    ) -> None:
        """Note that one of these words has another value, which changes no call."""
        if any(old.get(word) != new.get(word) for word in words):
            self.note("text-changed", where)

    def deprecation(self, old: Mapping[str, Any], new: Mapping[str, Any], where: Where) -> None:
        """Note what is deprecated now, or is not any more."""
        if bool(old.get("deprecated")) != bool(new.get("deprecated")):
            self.note("deprecated" if new.get("deprecated") else "deprecated-no-more", where)

    def compare(self, before: Any, after: Any, where: Where) -> None:
        """Compare two schemas; what they refer to is compared too, once."""
        old, old_name = pointed(self.before, before)
        new, new_name = pointed(self.after, after)
        old, new = as_dict(old), as_dict(new)
        local = (as_dict(before), as_dict(after))
        where = replace(where, gaps=stamps(*local) or where.gaps)
        if old_name and old_name == new_name:
            self._annotations(*local, where)
            key = (old_name, new_name, where.direction)
            if key not in self._seen:
                self._seen.add(key)
                self._nodes(
                    _target(self.before, before),
                    _target(self.after, after),
                    self._component(new_name, where),
                )
            return
        pair = (old_name, new_name)
        if any(pair) and pair in self._within:
            return
        self._within.append(pair)
        where = replace(where, gaps=stamps(old, new) or where.gaps)
        self._nodes(old, new, where)
        self._within.pop()

    def _component(self, name: str, where: Where) -> Where:
        python = pascal(name)
        methods = self.methods.get(name, ()) if where.direction == "sent" else ()
        return Where(
            place=f"`{name}`",
            direction=where.direction,
            python=f"`{(*methods, python)[0]}`",
            about=frozenset({python}),
            holders=(*methods, python),
        )

    def _nodes(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        if old == new and not _refers(old):
            return
        where = replace(where, gaps=stamps(old, new) or where.gaps)
        before, after = _variants(self.before, old), _variants(self.after, new)
        self._null(before.nullable, after.nullable, where)
        if len(before.schemas) == len(after.schemas) == 1:
            (one, other) = before.schemas[0], after.schemas[0]
            if "$ref" in one or "$ref" in other:
                self.compare(one, other, where)
            else:
                self._one(one, other, where)
        else:
            self._several(before.schemas, after.schemas, where)
        self._annotations(before.beside, after.beside, where)

    def _one(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        same_type = self._types(old, new, where)
        self._values(old, new, where)
        self._limits(old, new, where)
        self._form(old, new, where)
        self._annotations(old, new, where)
        if any(_clean(old.get(word)) != _clean(new.get(word)) for word in _SHAPES):
            self.note("shape-changed", where)
        if old.get("x-keyed-by") != new.get("x-keyed-by"):
            self.note("read-map", where, now=_keyed(new), was=_keyed(old))
        if not same_type:
            return
        self._properties(old, new, where)
        for word, suffix in (
            ("items", "[]"),
            ("additionalProperties", "{}"),
            ("propertyNames", " (names)"),
        ):
            self._inner(word, old, new, where, suffix)

    def _inner(
        self, word: str, old: dict[str, Any], new: dict[str, Any], where: Where, suffix: str
    ) -> None:
        before, after = old.get(word, True), new.get(word, True)
        if isinstance(before, dict) and isinstance(after, dict):
            self.compare(before, after, where.inside(suffix))
        elif before != after and word == "additionalProperties":
            kind = "shape-changed"
            if isinstance(after, bool):
                kind = "members-opened" if after else "members-closed"
            self.note("text-changed" if where.direction == "read" else kind, where)
        elif before != after:
            narrower = isinstance(after, dict)
            kind = "sent-type-narrower" if narrower else "sent-type-wider"
            if where.direction == "read":
                kind = "read-type-narrower" if narrower else "read-type-wider"
            self.note(kind, where.inside(suffix), now=_members(after), was=_members(before))

    def _types(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> bool:
        before, after = _types(old), _types(new)
        if before == after:
            return True
        wider = not after or (bool(before) and before <= _implied(after))
        narrower = not before or (bool(after) and after <= _implied(before))
        if where.direction == "sent":
            kind = "sent-type-wider" if wider else "sent-type-narrower"
        else:
            kind = "read-type-narrower" if narrower else "read-type-wider"
            kind = kind if before & after or not (before and after) else "read-type-other"
        self.note(kind, where, now=_type_text(after), was=_type_text(before))
        return bool(before & after)

    def _null(self, before: bool, after: bool, where: Where) -> None:
        if before != after:
            self.note(f"{where.direction}-null-{'added' if after else 'removed'}", where)

    def _several(self, old: list[Any], new: list[Any], where: Where) -> None:
        """Compare unions: what both sides have drops out; one that is left is compared."""
        before = [each for each in old if not _among(each, new)]
        after = [each for each in new if not _among(each, old)]
        if len(before) == len(after) == 1:
            self.compare(before[0], after[0], where)
            return
        was, now = _union(self.before, old), _union(self.after, new)
        sent = where.direction == "sent"
        if after and not (sent and before):
            self.note("sent-type-wider" if sent else "read-type-wider", where, now=now, was=was)
        elif before or after:
            self.note(f"{where.direction}-type-narrower", where, now=now, was=was)

    def _values(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        before, was_open = _known(old)
        after, is_open = _known(new)
        where = replace(where, about=where.about | {f"{each}.*" for each in where.about})
        sent = where.direction == "sent"
        if sent and before is not None and (after is None or (is_open and not was_open)):
            self.note("sent-values-opened", where, what=values_text(before))
        elif sent and after is not None and (before is None or (was_open and not is_open)):
            if is_open:
                self.note("sent-values-added", where, what=values_text(after))
            else:
                self.note("sent-values-closed", where, what=values_text(after))
            return
        added = [value for value in after or () if value not in (before or ())]
        gone = [value for value in before or () if value not in (after or ())]
        if added and (before is not None or not sent):
            self.note(f"{where.direction}-values-added", where, what=values_text(added))
        if gone and after is not None:
            forgotten = sent and was_open and is_open
            kind = "values-forgotten" if forgotten else f"{where.direction}-values-removed"
            self.note(kind, where, what=values_text(gone))
        if before == after and old.get("x-enum-varnames") != new.get("x-enum-varnames"):
            self.note("text-changed", where)

    def _limits(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        for word, (text, upward) in _LIMITS.items():
            before, after = old.get(word), new.get(word)
            if before == after:
                continue
            if upward is None:
                wider = _holds(before, after)
            else:
                wider = after is None or (before is not None and _less(before, after) is upward)
            kind = f"sent-limit-{'wider' if wider else 'narrower'}"
            was, now = (
                "not limited" if each is None else text.format(_number(each))
                for each in (before, after)
            )
            sent = where.direction == "sent"
            self.note(kind if sent else "read-limit-changed", where, now=f"is {now}", was=was)

    def _form(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        """Compare formats, patterns, defaults, and how date-times are written."""
        before, after = old.get("format"), new.get("format")
        if before != after and _types(old) & _types(new):
            python = {before, after} & _PYTHON_FORMATS
            now, was = (
                f"in the format `{each}`" if each else "in no certain format"
                for each in (after, before)
            )
            self.note("format-type" if python else "format-changed", where, now=now, was=was)
        written = [tuple(each.get(word) for word in _WRITTEN) for each in (old, new)]
        if written[0] != written[1]:
            was, now = (
                " in ".join(map(value_text, filter(None, each))) or "it is" for each in written
            )
            self.note("written-otherwise", where, now=now, was=was)
        elif old.get("pattern") != new.get("pattern"):
            if where.direction == "read":
                self.note("read-pattern-changed", where)
            elif "pattern" in new:
                self.note("sent-pattern-narrower", where, now=value_text(new["pattern"]))
            else:
                self.note("sent-pattern-gone", where)
        self._default(old, new, where)

    def _default(self, old: Mapping[str, Any], new: Mapping[str, Any], where: Where) -> None:
        nothing = object()
        before, after = old.get("default", nothing), new.get("default", nothing)
        if before == after:
            return
        if where.direction == "read":
            self.note("read-default-changed", where)
        elif after is nothing:
            self.note("sent-default-gone", where, was=value_text(before))
        elif before is nothing:
            self.note("sent-default-added", where, now=value_text(after))
        else:
            self.note("sent-default-changed", where, now=value_text(after), was=value_text(before))

    def _annotations(self, old: Mapping[str, Any], new: Mapping[str, Any], where: Where) -> None:
        self.deprecation(old, new, where)
        if any(old.get(word) != new.get(word) for word in _MADE):
            self.note("words-changed", where)
        self.texts(old, new, (old.keys() | new.keys()) - _HANDLED, where)

    # Objects

    def _properties(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        before, after = as_dict(old.get("properties")), as_dict(new.get("properties"))
        was, now = set(old.get("required", ())), set(new.get("required", ()))
        renamed = renames(before, after)
        for name in sorted(after.keys() - before.keys() - set(renamed.values())):
            needed = name in now and where.direction == "sent"
            self._member("added-required" if needed else "added", after[name], name, where)
        for name in sorted(before.keys() - after.keys() - renamed.keys()):
            self._member("removed", before[name], name, where)
        for name in sorted(before.keys() & after.keys() | renamed.keys()):
            later = renamed.get(name, name)
            old_node, node = before[name], after[later]
            if later != name:
                same = python_name(as_dict(old_node), name) == python_name(as_dict(node), later)
                event = "renamed-outside" if same else "renamed"
                self._member(event, node, later, where, old_node, name)
            self.compare(old_node, node, self._field(node, later, where))
            if (name in was) != (later in now):
                self._member("required" if later in now else "optional", node, later, where)

    def _member(
        self, event: str, node: Any, name: str, where: Where, old: Any = None, was: str = ""
    ) -> None:
        """Note what happens to a property: where it is read, or of what takes it as an argument."""
        at = self._field(node, name, where)
        python = {}
        if was:
            at = replace(at, about=at.about | self._field(old, was, where).about)
            new_name, old_name = python_name(as_dict(node), name), python_name(as_dict(old), was)
            python = {"what": f"`{new_name}`", "was": f"`{old_name}`"}
        if where.direction == "sent":
            at = replace(where, about=at.about, gaps=at.gaps)
        kind = f"{'argument' if where.direction == 'sent' else 'field'}-{event}"
        self.note(kind, at, as_dict(node), python=python, what=f"`{name}`", was=f"`{was}`")

    def _field(self, node: Any, name: str, where: Where) -> Where:
        python = python_name(as_dict(node), name)
        holders = where.holders
        about = {_called(holder, python) for holder in holders}
        inner = where.inside(f".{name}")
        python = f"`{_called(holders[0], python)}`" if holders else ""
        return replace(inner, python=python, about=frozenset(about), gaps=stamps(as_dict(node)))


def renames(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, str]:
    """Return members that have another name now: old to new.

    They are known by their name in Python, by their gap, or by saying the very same of themselves,
    as far as no other member has that.
    """
    found: dict[str, str] = {}
    for identity in (python_name, _gap, _words):
        was, now = (
            [identity(as_dict(node), name) for name, node in each.items()]
            for each in (before, after)
        )
        gone = {
            identity(as_dict(before[name]), name): name for name in before.keys() - after.keys()
        }
        come = {identity(as_dict(after[name]), name): name for name in after.keys() - before.keys()}
        for same in gone.keys() & come.keys() - {None}:
            once = was.count(same) == now.count(same) == 1
            if once and gone[same] not in found and come[same] not in found.values():
                found[gone[same]] = come[same]
    return found


def _gap(node: Mapping[str, Any], wire: str) -> str | None:
    return " ".join(stamps({"x-gap": node["x-gap"]})) if "x-gap" in node else None


def _words(node: Mapping[str, Any], wire: str) -> str | None:
    """Return everything about a member but its name, if it is described at all."""
    rest = {key: value for key, value in node.items() if key not in ("name", "x-python-name")}
    return json.dumps(rest, sort_keys=True) if node.get("description") else None


def _called(holder: str, name: str) -> str:
    """Return the name of a field of a class, or of an argument of a method."""
    return f"{holder}({name})" if "." in holder else f"{holder}.{name}"


@dataclass(frozen=True)
class _Variants:
    schemas: list[dict[str, Any]]
    nullable: bool
    beside: dict[str, Any]


def _variants(document: Any, schema: dict[str, Any]) -> _Variants:
    """Return the schemas that a value may fit, without null, and what stands beside them."""
    for word in ("anyOf", "oneOf"):
        if isinstance(schema.get(word), list):
            beside = {key: value for key, value in schema.items() if key != word}
            kept = [each for each in schema[word] if each.get("type") != "null"]
            nullable = len(kept) < len(schema[word])
            if len(kept) == 1 and "$ref" not in kept[0]:
                inner = _variants(document, {**kept[0], **beside})
                return _Variants(inner.schemas, nullable or inner.nullable, {})
            return _Variants(kept, nullable, beside)
    types = schema.get("type")
    if isinstance(types, list) and "null" in types:
        rest = [each for each in types if each != "null"]
        plain = {**schema, "type": rest}
        if isinstance(schema.get("enum"), list):
            plain["enum"] = [each for each in schema["enum"] if each is not None]
        return _Variants([plain], True, {})
    return _Variants([schema], False, {})


def _types(schema: Mapping[str, Any]) -> set[str]:
    given = schema.get("type")
    if given is None and "properties" in schema:
        return {"object"}
    return set([given] if isinstance(given, str) else given or ())


def _implied(types: set[str]) -> set[str]:
    return types | ({"integer"} if "number" in types else set())


def _known(schema: Mapping[str, Any]) -> tuple[list[Any] | None, bool]:
    """Return the values of a code, and whether the set is open."""
    if "x-extensible-enum" in schema:
        return list(schema["x-extensible-enum"]), True
    if "enum" in schema:
        return list(schema["enum"]), False
    return ([schema["const"]], False) if "const" in schema else (None, False)


def _type_text(types: set[str]) -> str:
    return " or ".join(sorted(types)) or "anything"


def _union(document: Any, schemas: Iterable[Any]) -> str:
    texts = []
    for each in schemas:
        schema, name = pointed(document, each)
        texts.append(f"`{name}`" if name else _type_text(_types(as_dict(schema))))
    return " or ".join(sorted(set(texts))) or "anything"


def _members(value: Any) -> str:
    return "anything" if value is True else _type_text(_types(value))


def _keyed(schema: Mapping[str, Any]) -> str:
    key = schema.get("x-keyed-by")
    return f"a map by `{key}`" if key else _type_text(_types(schema))


def _number(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return values_text(value) if isinstance(value, list) and value else str(value)


def _less(before: Any, after: Any) -> bool:
    try:
        return bool(before < after)
    except TypeError:
        return False


def _holds(before: Any, after: Any) -> bool:
    """Return whether everything that was accepted before is accepted now."""
    if isinstance(before, list) and isinstance(after, list):
        return set(before) <= set(after)
    return not after


def _among(schema: Any, others: Iterable[Any]) -> bool:
    return any(_clean(schema) == _clean(other) for other in others)


def _clean(node: Any) -> Any:
    """Return a node without texts and stamps."""
    if isinstance(node, dict):
        return {
            key: _clean(value) for key, value in node.items() if key not in _TEXTS | set(_STAMPS)
        }
    return [_clean(each) for each in node] if isinstance(node, list) else node


def _refers(node: Any) -> bool:
    """Return whether a schema refers to a component, which may have changed."""
    if isinstance(node, dict):
        return "$ref" in node or any(map(_refers, node.values()))
    return isinstance(node, list) and any(map(_refers, node))


def _target(document: Any, node: Any) -> dict[str, Any]:
    """Return the component itself, without what stands beside the reference."""
    return as_dict(pointed(document, {"$ref": node["$ref"]})[0])
