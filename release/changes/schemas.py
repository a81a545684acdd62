"""Schemas, compared: what may be sent, and what is read, before and now.

Components are compared once in each direction, under their own name; everything else where it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from pipeline.codegen.names import pascal, python_name
from pipeline.openapi.documents import resolved
from pipeline.openapi.objects import as_dict
from release.changes.change import Change, listed
from release.changes.kinds import KINDS

Direction = Literal["sent", "read"]

# Reported by the register of gaps, or by the Python level.
_STAMPS: Final = ("x-gap", "x-assumed", "x-confirmed")
_IGNORED: Final = frozenset({*_STAMPS, "x-gaps", "x-sections", "x-python-name"})
_TEXTS: Final = frozenset(
    {"$comment", "description", "example", "examples", "externalDocs", "summary", "tags", "title"}
)
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
    "pattern": ("of the form {}", None),
}
_SHAPES: Final = frozenset(
    {"allOf", "not", "if", "then", "else", "prefixItems", "contains", "patternProperties"}
    | {"dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems"}
)
_PYTHON_FORMATS: Final = frozenset({"binary", "byte", "date", "date-time", "duration", "time"})
# How the client writes a value or makes it of another one.
_MADE: Final = (
    *("x-datetime-format", "x-timezone", "x-read-from", "x-written-ignores", "x-keyed-by"),
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
    gaps: set[str] = set()
    for node in nodes:
        for word in _STAMPS if isinstance(node, dict) else ():
            value = node.get(word, ())
            gaps.update([value] if isinstance(value, str) else value)
    return tuple(sorted(gaps))


def value_text(value: Any) -> str:
    """Return a value of a document as a sentence shows it."""
    return f"`{value}`" if isinstance(value, str) else f"`{json.dumps(value)}`"


def values_text(values: Iterable[Any]) -> str:
    """Return values of a document as a sentence lists them."""
    return listed([value_text(value) for value in values], most=None)


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
        level, sentence = KINDS[kind]
        renamed = python and kind.endswith("-renamed")
        self.found.append(
            Change(
                level=level,
                kind=kind,
                places=(where.place,),
                sentence=sentence.format(**values),
                python_places=(where.python,) if where.python else (),
                gaps=stamps(node) or where.gaps,
                about=where.about,
                python_sentence=sentence.format(**python) if renamed else "",
            )
        )

    def named(
        self,
        kind: str,
        old: Mapping[str, Any],
        new: Mapping[str, Any],
        at: Where,
        shown: str = "`{}`",
    ) -> None:
        """Note names that are on one side alone, as added or removed."""
        for name in sorted(new.keys() - old.keys()):
            self.note(f"{kind}-added", at, new[name], what=shown.format(name))
        for name in sorted(old.keys() - new.keys()):
            self.note(f"{kind}-removed", at, old[name], what=shown.format(name))

    @contextmanager
    def texts(self, old: Any, new: Any, where: Where) -> Iterator[None]:
        """Note that two nodes are described in other words, where the block notes nothing else."""
        before = len(self.found)
        yield
        if len(self.found) == before and _clean(old, _IGNORED) != _clean(new, _IGNORED):
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
            one, other = ({**node, "$ref": ""} for node in local)
            with self.texts(one, other, where):
                self._annotations(*local, where)
            key = (old_name, new_name, where.direction)
            if key not in self._seen:
                self._seen.add(key)
                nodes = _target(self.before, before), _target(self.after, after)
                self._nodes(*nodes, self._component(new_name, where))
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
        with self.texts(old, new, where):
            (before, was_null, was_beside), (after, is_null, beside) = (
                _variants(old),
                _variants(new),
            )
            if was_null != is_null:
                self.note(f"{where.direction}-null-{'added' if is_null else 'removed'}", where)
            if len(before) == len(after) == 1:
                if "$ref" in before[0] or "$ref" in after[0]:
                    self.compare(before[0], after[0], where)
                else:
                    self._one(before[0], after[0], where)
            else:
                self._several(before, after, where)
            self._annotations(was_beside, beside, where)

    def _one(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        same_type = self._types(old, new, where)
        self._values(old, new, where)
        self._limits(old, new, where)
        self._form(old, new, where)
        self._annotations(old, new, where)
        if any(_clean(old.get(word)) != _clean(new.get(word)) for word in _SHAPES):
            self.note("shape-changed", where)
        if not same_type:
            return
        self._properties(old, new, where)
        for word, suffix in (
            ("items", "[]"),
            ("additionalProperties", "{}"),
            ("propertyNames", " (names)"),
        ):
            before, after = old.get(word, True), new.get(word, True)
            if isinstance(before, dict) and isinstance(after, dict):
                self.compare(before, after, where.inside(suffix))
            elif before != after and where.direction == "sent":
                ending = "wider" if after is True or before is False else "narrower"
                now, was = (
                    node if isinstance(node, dict) else {"type": [] if node else "nothing"}
                    for node in (after, before)
                )
                texts = [_type_text(_types(each)) for each in (now, was)]
                self.note(f"sent-type-{ending}", where.inside(suffix), now=texts[0], was=texts[1])

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

    def _several(self, old: list[Any], new: list[Any], where: Where) -> None:
        """Compare unions: what both sides have drops out; one that is left is compared."""
        before = [each for each in old if not _among(each, new)]
        after = [each for each in new if not _among(each, old)]
        if len(before) == len(after) == 1:
            self.compare(before[0], after[0], where)
            return
        was, now = (
            " or ".join(sorted(map(_type_name, schemas))) or "anything" for schemas in (old, new)
        )
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
            kind = "sent-values-added" if is_open else "sent-values-closed"
            self.note(kind, where, what=values_text(after))
            return
        added = [value for value in after or () if value not in (before or ())]
        gone = [value for value in before or () if value not in (after or ())]
        if added and (before is not None or not sent):
            self.note(f"{where.direction}-values-added", where, what=values_text(added))
        if gone and after is not None:
            forgotten = sent and was_open and is_open
            kind = "values-forgotten" if forgotten else f"{where.direction}-values-removed"
            self.note(kind, where, what=values_text(gone))

    def _limits(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        for word, (text, upward) in _LIMITS.items():
            before, after = old.get(word), new.get(word)
            if before == after or (word == "pattern" and _written(old) != _written(new)):
                continue
            if upward is None:
                wider = _holds(before, after)
            else:
                wider = after is None or (before is not None and _less(before, after) is upward)
            kind = f"sent-limit-{'wider' if wider else 'narrower'}"
            was, now = (
                "not limited" if limit is None else text.format(_number(limit))
                for limit in (before, after)
            )
            sent = where.direction == "sent"
            self.note(kind if sent else "read-limit-changed", where, now=f"is {now}", was=was)

    def _form(self, old: dict[str, Any], new: dict[str, Any], where: Where) -> None:
        """Compare formats and defaults."""
        before, after = old.get("format"), new.get("format")
        if before != after and _types(old) & _types(new):
            now, was = (
                f"in the format `{side}`" if side else "in no certain format"
                for side in (after, before)
            )
            python = {before, after} & _PYTHON_FORMATS
            self.note("format-type" if python else "format-changed", where, now=now, was=was)
        if old.get("default") != new.get("default") or ("default" in old) != ("default" in new):
            both = "default" in old and "default" in new and where.direction == "sent"
            now, was = (
                value_text(side["default"]) if "default" in side else "not known"
                for side in (new, old)
            )
            self.note("sent-default-changed" if both else "default-known", where, now=now, was=was)

    def _annotations(self, old: Mapping[str, Any], new: Mapping[str, Any], where: Where) -> None:
        self.deprecation(old, new, where)
        if any(old.get(word) != new.get(word) for word in _MADE):
            self.note("made-otherwise", where)

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

    They are known by their name in Python or by their gap, where no other member has that.
    """
    renamed: dict[str, str] = {}
    for identity in (python_name, _gap):
        was, now = (
            [identity(as_dict(node), name) for name, node in side.items()]
            for side in (before, after)
        )
        gone = {
            identity(as_dict(before[name]), name): name for name in before.keys() - after.keys()
        }
        come = {identity(as_dict(after[name]), name): name for name in after.keys() - before.keys()}
        for same in gone.keys() & come.keys() - {None}:
            once = was.count(same) == now.count(same) == 1
            if once and gone[same] not in renamed and come[same] not in renamed.values():
                renamed[gone[same]] = come[same]
    return renamed


def _gap(node: Mapping[str, Any], wire: str) -> str | None:
    return " ".join(stamps({"x-gap": node["x-gap"]})) if "x-gap" in node else None


def _called(holder: str, name: str) -> str:
    """Return the name of a field of a class, or of an argument of a method."""
    return f"{holder}({name})" if "." in holder else f"{holder}.{name}"


_Variants = tuple[list[dict[str, Any]], bool, dict[str, Any]]


def _variants(schema: dict[str, Any]) -> _Variants:
    """Return the schemas that a value may fit, whether null fits, and what stands beside them."""
    for word in ("anyOf", "oneOf"):
        if isinstance(schema.get(word), list):
            beside = {key: value for key, value in schema.items() if key != word}
            kept = [each for each in schema[word] if each.get("type") != "null"]
            nullable = len(kept) < len(schema[word])
            if len(kept) == 1 and "$ref" not in kept[0]:
                schemas, inner, _ = _variants({**kept[0], **beside})
                return schemas, nullable or inner, {}
            return kept, nullable, beside
    types = schema.get("type")
    if isinstance(types, list) and "null" in types:
        rest = {**schema, "type": [each for each in types if each != "null"]}
        if isinstance(schema.get("enum"), list):
            rest["enum"] = [each for each in schema["enum"] if each is not None]
        return [rest], True, {}
    return [schema], False, {}


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


def _written(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    return schema.get("x-datetime-format"), schema.get("x-timezone")


def _type_text(types: set[str]) -> str:
    return " or ".join(sorted(types)) or "anything"


def _type_name(schema: Any) -> str:
    reference = schema.get("$ref", "") if isinstance(schema, dict) else ""
    name = reference.rpartition("/")[2]
    return f"`{name}`" if name else _type_text(_types(as_dict(schema)))


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


def _clean(node: Any, ignored: frozenset[str] = _TEXTS | set(_STAMPS)) -> Any:
    """Return a node without texts and stamps."""
    if isinstance(node, dict):
        return {key: _clean(value, ignored) for key, value in node.items() if key not in ignored}
    return [_clean(each, ignored) for each in node] if isinstance(node, list | tuple) else node


def _refers(node: Any) -> bool:
    """Return whether a schema refers to a component, which may have changed."""
    if isinstance(node, dict):
        return "$ref" in node or any(map(_refers, node.values()))
    return isinstance(node, list) and any(map(_refers, node))


def _target(document: Any, node: Any) -> dict[str, Any]:
    """Return the component itself, without what stands beside the reference."""
    return as_dict(pointed(document, {"$ref": node["$ref"]})[0])
