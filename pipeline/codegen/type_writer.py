"""Types as Python code: what is read is open and lenient, what is sent is exact."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.codegen import code as py
from pipeline.codegen import names
from pipeline.codegen.code import Code, joined, model
from pipeline.codegen.ir import Codes, Type
from pipeline.codegen.runtime_index import search_of

_SINGLE = {
    "any": py.ANY,
    "null": py.NONE,
    "bool": py.BOOL,
    "int": py.INT,
    "float": py.FLOAT,
    "str": py.STR,
    "decimal": py.DECIMAL,
    "datetime": py.DATETIME,
    "date": py.DATE,
    "uuid": py.UUID,
    "file": py.STR,  # but in a form, where it is a file
}
# What a decimal number is read as, by its type in JSON: exactly, and where types are wide.
_DECIMALS = {"number": (py.DECIMAL, py.FLOAT), "string": (py.DECIMAL_TEXT, py.STR)}
_TEXTS = {"str", "decimal", "datetime", "date", "uuid", "file"}
_WIDE = {
    "text": py.STR,
    "int": py.INT,
    "float": py.FLOAT,
    "bool": py.BOOL,
    "list": py.LIST[py.ANY],
    "object": py.DICT[py.STR, py.ANY],
}
_CONSTANTS = {bool: py.BOOL, float: py.FLOAT, int: py.INT, str: py.STR}
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
# Formats that the runtime checks.
_INTEGERS = {"int32", "int64", "uint64"}
_FORMATS = {"str": {*_INTEGERS, "iana-timezone"}, "int": _INTEGERS}
_LIMITS_OF = {
    "str": {"minLength", "maxLength", "pattern"},
    "file": {"minLength", "maxLength", "pattern"},
    "int": {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"},
    "float": {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"},
    "list": {"minItems", "maxItems"},
    "map": {"minProperties", "maxProperties"},
}


@dataclass(frozen=True)
class Writer:
    """Turns types into code.

    Attributes:
        read: the Python name of the class that responses are decoded to, by component.
        sent: the Python name of the class that arguments are made of, by component.
        taken: the names that no alias may have.
        extensible: the components that keep members that they do not name.
        wide: whether members of a union that JSON does not tell apart become one wider type.
    """

    read: Mapping[str, str]
    sent: Mapping[str, str]
    codes: Mapping[str, Codes]
    taken: frozenset[str]
    extensible: frozenset[str] = frozenset()
    wide: bool = False

    def decoded(self, type_: Type) -> Code:
        """Return the type of something that is read."""
        if type_.kind == "class":
            code = model(self.read[type_.node.component])
            return py.ONE_OF[code] if self._is_extensible(type_) else code
        if type_.kind == "list":
            return py.LIST[self.decoded(type_.items[0])]
        if type_.kind == "map":
            key = py.STR if type_.key is None else self.decoded(type_.key)
            return py.DICT[key, self.decoded(type_.items[0])]
        if type_.kind == "union":
            return self._union(type_, self.decoded)
        if type_.kind == "const":
            if self.wide:
                return _CONSTANTS[type(type_.value)]
            is_flag = isinstance(type_.value, bool)
            return py.ALWAYS[type_.value] if is_flag else _constant(type_.value)
        if type_.kind == "decimal":
            return _DECIMALS[type_.node.schema["type"]][self.wide]
        if "x-datetime-format" in type_.node.schema:
            return py.STR  # a date-time of another format is read as it is written
        return py.AWARE_DATETIME if type_.kind == "datetime" else _SINGLE[type_.kind]

    def signature(self, type_: Type, lists: Code = py.SEQUENCE) -> Code:
        """Return the type of an argument as a caller sees it; `lists` is what a list may be."""
        if type_.kind == "class":
            name = type_.node.component
            code = model(self.sent[name])
            if name not in self.codes:
                return code | py.MAPPING[py.STR, py.ANY]
            return code | self._base(name) if self._is_open(name) else code
        if type_.kind == "list":
            return lists[self.signature(type_.items[0])]
        if type_.kind == "map":
            key = py.STR if type_.key is None else self.signature(type_.key)
            return py.MAPPING[key, self.signature(type_.items[0])]
        if type_.kind == "union":
            return py.union(map(self.signature, type_.items))
        return _constant(type_.value) if type_.kind == "const" else _SINGLE[type_.kind]

    def checked(self, type_: Type) -> Code:
        """Return the type of an argument with everything that is checked before it is sent."""
        limited = self.limited(type_)  # once: what is inside of it is as much work again
        alias = self._alias(type_, limited)
        return model(alias) if alias else limited

    def alias(self, type_: Type) -> str | None:
        """Return the name of a component that is no class but has limits: `Id`."""
        return self._alias(type_, self.limited(type_))

    def _alias(self, type_: Type, limited: Code) -> str | None:
        pointer = type_.node.pointer
        if type_.kind == "class" or len(pointer) != 3 or pointer[:2] != ("components", "schemas"):
            return None
        name = names.pascal(str(pointer[2]))
        has_limits = py.ANNOTATED.imports <= limited.imports
        return name if name not in self.taken and has_limits else None

    def limited(self, type_: Type) -> Code:
        """Return the same as `checked`, spelt out where an alias would stand."""
        schema = type_.node.schema
        code = self._checked_base(type_)
        if type_.kind == "datetime" and "x-datetime-format" in schema:
            words = ("x-datetime-format", "x-timezone")
            return py.ANNOTATED[
                code, py.WRITTEN_AS(*(repr(schema[w]) for w in words if w in schema))
            ]
        is_decimal, is_text = type_.kind == "decimal", schema.get("type") == "string"
        kind = ("str" if is_text else "float") if is_decimal else type_.kind
        limits, _ = checks(kind, schema)
        if is_decimal and not limits:
            return self.decoded(type_)
        if is_decimal:
            limits = {"extra": {"is_text": is_text, "limits": limits}}
        is_unsigned = schema.get("minimum", -1) >= 0 and schema.get("maximum", 0) >= 2**63
        form = "uint64" if is_unsigned else schema.get("format")
        if form in _FORMATS.get(type_.kind, ()):
            limits["extra"] = {"format": form}
        if type_.kind == "bool" and "x-boolean-format" in schema:
            limits["extra"] = {"boolean_format": schema["x-boolean-format"]}
        if not limits:
            return code
        return py.ANNOTATED[code, py.META(**{word: _text(value) for word, value in limits.items()})]

    def _checked_base(self, type_: Type) -> Code:
        if type_.kind == "class":
            name = type_.node.component
            return self._base(name) if self._is_open(name) else model(self.sent[name])
        if type_.kind == "list":
            return py.SEQUENCE[self.checked(type_.items[0])]
        if type_.kind == "map":
            key = py.STR if type_.key is None else self.checked(type_.key)
            return py.MAPPING[key, self.checked(type_.items[0])]
        if type_.kind == "union":
            return self._union(type_, self.checked)
        return _constant(type_.value) if type_.kind == "const" else _SINGLE[type_.kind]

    def as_value(self, write: Callable[[Type], Code], type_: Type) -> Code:
        """Return what `decoded` or `checked` writes, to stand where a value is wanted."""
        code = write(type_)
        if write == self.decoded and self._is_extensible(type_):
            return py.ONE_OF_AS_VALUE[model(self.read[type_.node.component])]
        if type_.kind != "union":
            return code
        if not py.ONE_OF.names.isdisjoint(code.names):
            return self._union(type_, write, py.ONE_OF_AS_VALUE)
        rest = without_null(type_)
        members = rest.items if rest.kind == "union" else (rest,)
        limited = any(write(each).text.startswith(f"{py.ANNOTATED}[") for each in members)
        # As values, pyright takes no `Annotated[…] | None`.
        return py.OPTIONAL[write(rest)] if limited and rest != type_ else code

    def tagged(self, type_: Type) -> Code:
        """Return a union, as a value, of types that are told apart by their tags."""
        codes = [_tagged(self.decoded(each), each) for each in type_.alternatives]
        return py.ONE_OF_AS_VALUE[joined(" | ", codes)]

    def _union(self, type_: Type, write: Callable[[Type], Code], one_of: Code = py.ONE_OF) -> Code:
        """Return a union; msgspec takes one by itself if its members differ in their JSON type."""
        groups: dict[str, dict[Code, Type]] = {}
        for member in type_.items:
            groups.setdefault(self._group(member), {}).setdefault(write(member), member)
        written = [code for codes in groups.values() for code in codes]
        if "any" in groups or py.ANY in written:
            return py.ANY
        members: list[Code] = []
        several = len(written) - (py.NONE in written) > 1
        is_decidable = not (
            several and write == self.decoded and any(map(self._is_extensible, type_.items))
        )
        for group, codes in groups.items():
            if len(codes) == 1 or self._is_lossless(group, codes.values()):
                members.append(next(iter(codes)) if len(codes) == 1 else _WIDE[group])
            elif self.wide:
                members.append(_WIDE[group])
            else:
                is_decidable = False
                last = sorted(codes, key=lambda code: code == py.STR)  # a text is anything
                is_read = write == self.decoded
                members += [_tagged(code, codes[code]) if is_read else code for code in last]
        if is_decidable:
            return joined(" | ", members)
        nothing = [member for member in members if member == py.NONE]
        choice = one_of[joined(" | ", (each for each in members if each not in nothing))]
        return joined(" | ", [choice, *nothing])

    def _is_lossless(self, group: str, types: Iterable[Type]) -> bool:
        """Return whether nothing is lost if types of one group are read as texts or numbers."""
        if group == "text":
            return all(each.kind in ("str", "const", "class", "file") for each in types)
        return group in ("int", "float", "bool")

    def _group(self, type_: Type) -> str:
        """Return by what msgspec distinguishes the members of a union."""
        if type_.kind in _TEXTS:
            return "float" if self.wide and type_.node.schema.get("type") == "number" else "text"
        if type_.kind == "class":
            name = type_.node.component
            base = self._base(name).text if name in self.codes else "object"
        else:
            base = type(type_.value).__name__ if type_.kind == "const" else type_.kind
        return {"str": "text", "map": "object"}.get(base, base)

    def _is_extensible(self, type_: Type) -> bool:
        return type_.node.component in self.extensible and not self.wide

    def _is_open(self, name: str) -> bool:
        return name in self.codes and self.codes[name].open

    def _base(self, name: str) -> Code:
        return py.INT if self.codes[name].of_integers else py.STR


def checks(kind: str, schema: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return the limits of a schema as msgspec checks them, and the words that it cannot check."""
    limits: dict[str, Any] = {}
    unchecked = []
    for word, name in _LIMITS.items():
        if word not in _LIMITS_OF.get(kind, ()) or word not in schema:
            continue
        value = schema[word]
        if kind == "int":
            name, value = _integer_limit(name, value)
        elif kind in ("str", "list", "map") and isinstance(value, float):
            value = int(value)
        if not _checkable(kind, name, value):
            unchecked.append(word)
        elif name in limits:  # `minimum: 0.5` and `exclusiveMinimum: 0` of an integer
            limits[name] = (max if name in ("ge", "gt") else min)(limits[name], value)
        else:
            limits[name] = value
    if "ge" in limits and "gt" in limits:  # the stricter one implies the other
        del limits["ge" if limits["gt"] >= limits["ge"] else "gt"]
    if "le" in limits and "lt" in limits:
        del limits["le" if limits["lt"] <= limits["le"] else "lt"]
    return limits, unchecked


def _integer_limit(name: str, value: float) -> tuple[str, float]:
    """Return a limit of an integer as a whole number: more than 0.5 is at least 1."""
    if isinstance(value, int) or not math.isfinite(value):
        return name, value
    if name == "multiple_of" or value.is_integer():
        return name, int(value) if value.is_integer() else value
    return ("ge", math.ceil(value)) if name in ("ge", "gt") else ("le", math.floor(value))


def _checkable(kind: str, name: str, value: Any) -> bool:
    """Return whether a limit is checked: integers of 64 bits, patterns that end in any text."""
    if name == "pattern":
        try:
            re.compile(value)  # as it is: msgspec does, too
        except (re.error, OverflowError, RecursionError):
            return False
        return search_of()(value) is not None
    if kind == "float":
        try:
            return math.isfinite(float(value))
        except OverflowError:
            return False
    room = 1 if name in ("gt", "lt") else 0
    return isinstance(value, int) and -(2**63) + room <= value < 2**63 - room


def sent_by_itself(type_: Type, required: bool) -> Code | None:
    """Return the one value that a type has, where it is sent though nobody gives it.

    That is where it is required, or is its own default; else leaving it out says something.
    """
    bare = without_null(type_)
    if bare.kind != "const" or _constant(bare.value).names_of("typing") != {"Literal"}:
        return None
    default = type_.node.schema.get("default", bare.node.schema.get("default"))
    is_default = type(default) is type(bare.value) and default == bare.value
    return Code(_text(bare.value)) if required or is_default else None


def nullable(type_: Type) -> bool:
    """Return whether null is one of the values."""
    return type_.kind in ("null", "any") or (
        type_.kind == "union" and any(nullable(member) for member in type_.items)
    )


def without_null(type_: Type) -> Type:
    """Return the type without null; a union of one member that is left is that member."""
    if type_.kind != "union":
        return type_
    members = tuple(member for member in type_.items if member.kind != "null")
    if len(members) <= 1:
        return (members or type_.items)[0]
    return type_ if members == type_.items else Type("union", type_.node, members)


def _tagged(code: Code, type_: Type) -> Code:
    """Return the type of a branch of a union with the values that mean it there, if any."""
    if type_.tag is None:
        return code
    wire, values = type_.tag
    return py.ANNOTATED[code, py.META(extra=_text({"tag": [wire, *values]}))]


def _constant(value: Any) -> Code:
    if isinstance(value, float) or (type(value) is int and not -(2**63) <= value < 2**63):
        return _CONSTANTS[type(value)]
    return py.LITERAL[Code(_text(value))]


def _text(value: Any) -> str:
    """Return a literal as code; patterns are raw strings where that reads better."""
    raw = isinstance(value, str) and "\\" in value and value.isprintable()
    if raw and '"' not in value and not value.endswith("\\"):
        return f'r"{value}"'
    return repr(value)
