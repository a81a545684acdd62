"""Types as Python code: what is read is open and tolerant, what is written is exact."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.codegen import names
from pipeline.codegen.ir import Codes, Type

_PLAIN = {
    "any": "Any",
    "null": "None",
    "bool": "bool",
    "int": "int",
    "float": "float",
    "str": "str",
    "datetime": "dt.datetime",
    "date": "dt.date",
    "uuid": "UUID",
    "file": "str",  # but in a form, where it is a file
}
_TEXTS = {"str", "datetime", "date", "uuid", "file"}
_LIMITS = {
    "minLength": "min_length",
    "maxLength": "max_length",
    "pattern": "pattern",
    "minimum": "ge",
    "exclusiveMinimum": "gt",
    "maximum": "le",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "minItems": "min_length",
    "maxItems": "max_length",
    "minProperties": "min_length",
    "maxProperties": "max_length",
}
_LIMITS_OF = {
    "str": {"minLength", "maxLength", "pattern"},
    "int": {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"},
    "float": {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"},
    "list": {"minItems", "maxItems"},
    "map": {"minProperties", "maxProperties"},
}


@dataclass
class Imports:
    """What the code of one module needs: modules and their names."""

    names: dict[str, set[str]] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)

    def need(self, module: str, *found: str) -> None:
        """Note names that the code uses."""
        self.names.setdefault(module, set()).update(found)

    def note(self, code: str) -> None:
        """Note what the names in a piece of code need of Python's own library."""
        found = words(code)
        for name in sorted(found & _HOMES.keys()):
            self.need(_HOMES[name], name)
        if "dt" in found:
            self.modules.add("datetime as dt")

    def lines(self) -> list[str]:
        """Import statements; sorting them is left to the formatter."""
        plain = [f"import {module}" for module in sorted(self.modules)]
        return plain + [
            f"from {module} import {', '.join(sorted(found))}"
            for module, found in sorted(self.names.items())
        ]


_HOMES = {
    "Any": "typing",
    "Annotated": "typing",
    "Literal": "typing",
    "Iterable": "collections.abc",
    "Mapping": "collections.abc",
    "Sequence": "collections.abc",
    "UUID": "uuid",
}
_TEXT = re.compile(r""" "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' """, re.VERBOSE | re.DOTALL)


def words(code: str) -> set[str]:
    """The names in a piece of code; what stands between quotes is none."""
    return set(re.findall(r"\w+", _TEXT.sub(" ", code)))


@dataclass(frozen=True)
class Writer:
    """Turns types into code.

    Attributes:
        read: the Python name of the class that answers are decoded to, by component.
        sent: the Python name of the class that arguments are made of, by component.
        codes: the components that are enumerations.
        taken: the names that no alias may have.
    """

    read: Mapping[str, str]
    sent: Mapping[str, str]
    codes: Mapping[str, Codes]
    taken: frozenset[str]

    def answer(self, type_: Type) -> str:
        """The type of something that is read."""
        if type_.kind == "class":
            return self.read[type_.node.component]
        if type_.kind == "list":
            return f"list[{self.answer(type_.items[0])}]"
        if type_.kind == "map":
            name = "str" if type_.key is None else self.answer(type_.key)
            return f"dict[{name}, {self.answer(type_.items[0])}]"
        if type_.kind == "union":
            return self._union(type_, self.answer, "list[Any]", "dict[str, Any]")
        if type_.kind == "const":
            return _constant_base(type_.value)
        if type_.kind == "file" or "x-datetime-format" in type_.node.schema:
            return "str"  # a date-time of another format is read as it is written
        return _PLAIN[type_.kind]

    def signature(self, type_: Type) -> str:
        """The type of an argument as a caller sees it."""
        if type_.kind == "class":
            name = type_.node.component
            code = self.sent[name]
            return f"{code} | {self._base(name)}" if self._is_open(name) else code
        if type_.kind == "list":
            return f"Sequence[{self.signature(type_.items[0])}]"
        if type_.kind == "map":
            name = "str" if type_.key is None else self.signature(type_.key)
            return f"Mapping[{name}, {self.signature(type_.items[0])}]"
        if type_.kind == "union":
            members = dict.fromkeys(map(self.signature, type_.items))
            return "Any" if "Any" in members else " | ".join(members)
        if type_.kind == "const":
            return _constant(type_.value)
        return _PLAIN[type_.kind]

    def checked(self, type_: Type) -> str:
        """The type of an argument with everything that is checked before it is sent."""
        return self.alias(type_) or self.limited(type_)

    def alias(self, type_: Type) -> str | None:
        """The name of a component that is no class, where one is kept for its limits: `Id`."""
        pointer = type_.node.pointer
        if type_.kind == "class" or len(pointer) != 3 or pointer[:2] != ("components", "schemas"):
            return None
        name = names.pascal(str(pointer[2]))
        return name if name not in self.taken and "Annotated[" in self.limited(type_) else None

    def limited(self, type_: Type) -> str:
        """Like `checked`, spelt out where an alias would stand."""
        schema = type_.node.schema
        code = self._checked_base(type_)
        if type_.kind == "datetime" and "x-datetime-format" in schema:
            arguments = [repr(schema["x-datetime-format"])]
            if "x-timezone" in schema:
                arguments.append(repr(schema["x-timezone"]))
            return f"Annotated[{code}, written_as({', '.join(arguments)})]"
        limits, _ = checks(type_.kind, schema)
        if not limits:
            return code
        meta = ", ".join(f"{word}={_text(value)}" for word, value in limits.items())
        return f"Annotated[{code}, Meta({meta})]"

    def _checked_base(self, type_: Type) -> str:
        if type_.kind == "class":
            name = type_.node.component
            return self._base(name) if self._is_open(name) else self.sent[name]
        if type_.kind == "list":
            return f"Sequence[{self.checked(type_.items[0])}]"
        if type_.kind == "map":
            name = "str" if type_.key is None else self.checked(type_.key)
            return f"Mapping[{name}, {self.checked(type_.items[0])}]"
        if type_.kind == "union":
            return self._union(type_, self.checked, "Sequence[Any]", "Any")
        if type_.kind == "const":
            return _constant(type_.value)
        return _PLAIN[type_.kind]

    def _union(self, type_: Type, write: Callable[[Type], str], lists: str, objects: str) -> str:
        """A union that msgspec can tell apart by the JSON type alone; else something wider."""
        groups: dict[str, list[Type]] = {}
        for member in type_.items:
            groups.setdefault(self._group(member), []).append(member)
        if "any" in groups:
            return "Any"
        wide = {"text": "str", "int": "int", "list": lists, "object": objects, "float": "float"}
        members = []
        for group, types in groups.items():
            codes = dict.fromkeys(map(write, types))
            members.append(next(iter(codes)) if len(codes) == 1 else wide.get(group, "Any"))
        if "Any" in members:
            return "Any"
        return " | ".join(dict.fromkeys(members))

    def _group(self, type_: Type) -> str:
        """What msgspec can tell apart in a union."""
        if type_.kind in _TEXTS:
            return "text"
        if type_.kind == "class":
            name = type_.node.component
            base = self._base(name) if name in self.codes else "object"
        else:
            base = _constant_base(type_.value) if type_.kind == "const" else type_.kind
        return {"str": "text", "map": "object"}.get(base, base)

    def _is_open(self, name: str) -> bool:
        return name in self.codes and self.codes[name].open

    def _base(self, name: str) -> str:
        return "int" if self.codes[name].of_integers else "str"


def checks(kind: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The limits of a schema as msgspec checks them, and the words that it cannot check."""
    limits: dict[str, Any] = {}
    unchecked = []
    for word, name in _LIMITS.items():
        if word not in _LIMITS_OF.get(kind, ()) or word not in schema:
            continue
        value = schema[word]
        if kind == "int":
            name, value = _whole(name, value)
        elif kind in ("str", "list", "map") and isinstance(value, float):
            value = int(value)
        if not _checkable(kind, name, value):
            unchecked.append(word)
        elif name in limits:  # `minimum: 0.5` and `exclusiveMinimum: 0` of an integer
            limits[name] = (max if name in ("ge", "gt") else min)(limits[name], value)
        else:
            limits[name] = value
    if "ge" in limits and "gt" in limits:  # the stricter one says both
        del limits["ge" if limits["gt"] >= limits["ge"] else "gt"]
    if "le" in limits and "lt" in limits:
        del limits["le" if limits["lt"] <= limits["le"] else "lt"]
    return limits, unchecked


def _whole(name: str, value: float) -> tuple[str, float]:
    """A limit of an integer as a whole number: more than 0.5 is at least 1."""
    if isinstance(value, int) or not math.isfinite(value):
        return name, value
    if name == "multiple_of" or value.is_integer():
        return name, int(value) if value.is_integer() else value
    return ("ge", math.ceil(value)) if name in ("ge", "gt") else ("le", math.floor(value))


def _checkable(kind: str, name: str, value: Any) -> bool:
    """Whether msgspec takes a limit: integers of 64 bits, patterns that Python understands."""
    if name == "pattern":
        try:
            re.compile(value)
        except (re.error, OverflowError, RecursionError):
            return False
        return True
    if kind == "float":
        try:
            return math.isfinite(float(value))
        except OverflowError:
            return False
    room = 1 if name in ("gt", "lt") else 0
    return isinstance(value, int) and -(2**63) + room <= value < 2**63 - room


def nullable(type_: Type) -> bool:
    """Whether null is one of the values."""
    return type_.kind in ("null", "any") or (
        type_.kind == "union" and any(nullable(member) for member in type_.items)
    )


def without_null(type_: Type) -> Type:
    """The type without null; a union of one member that is left is that member."""
    if type_.kind != "union":
        return type_
    members = tuple(member for member in type_.items if member.kind != "null")
    if len(members) <= 1:
        return (members or type_.items)[0]
    return Type("union", type_.node, members)


def _constant_base(value: Any) -> str:
    return type(value).__name__


def _constant(value: Any) -> str:
    if isinstance(value, float) or (type(value) is int and not -(2**63) <= value < 2**63):
        return type(value).__name__
    return f"Literal[{_text(value)}]"


def literal(value: Any) -> str:
    """A JSON value as code, texts in double quotes."""
    if isinstance(value, str) and value.isprintable():
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def _text(value: Any) -> str:
    """A literal as code; patterns are raw strings where that reads better."""
    raw = isinstance(value, str) and "\\" in value and value.isprintable()
    if raw and '"' not in value and not value.endswith("\\"):
        return f'r"{value}"'
    return repr(value)
