"""JSON Schema, draft 2020-12, as jsonschema_rs checks it, in Python.

It has the keywords that the documents and worlds use and their neighbours, and reports problems in
the same order, with the same places and words. A schema with another keyword is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

Json = dict[str, Any]
Step = str | int
Errors = Iterator["ValidationError"]
Check = Callable[[Any], Errors]
Formats = Mapping[str, Callable[[str], bool]]

Draft202012: Final = 202012


class Kind(NamedTuple):
    """What kind of a problem it is: the keyword, and what belongs to it."""

    name: str
    facts: Json

    def as_dict(self) -> Json:
        """Return what belongs to it."""
        return self.facts


class ValidationError(ValueError):
    """A problem of a value, or of a schema.

    Attributes:
        instance: the value that does not fit.
        instance_path: where it is.
        schema_path: where the keyword is, in the document that has it.
        evaluation_path: the way to the keyword, references included.
        absolute_keyword_location: its address, in a document of the registry.
    """

    def __init__(
        self, kind: Kind, message: str, instance: Any = None, at: _Place | None = None
    ) -> None:
        super().__init__(message)
        self.kind, self.message, self.instance = kind, message, instance
        self.instance_path: list[Step] = []
        self.schema_path: list[Step] = list(at.path) if at else []
        self.evaluation_path: list[Step] = []
        self.absolute_keyword_location = (
            f"{at.document}#/{'/'.join(map(str, at.path))}" if at and at.document else None
        )

    def inside(self, *evaluation: Step, instance: Sequence[Step] = ()) -> ValidationError:
        """Say that the problem lies below a keyword, and perhaps below a member of the value."""
        self.evaluation_path[:0] = evaluation
        self.instance_path[:0] = instance
        for branch in self.kind.facts.get("context", ()):
            for error in branch:
                error.inside(*evaluation, instance=instance)
        if inner := self.kind.facts.get("error"):
            inner.inside(*evaluation, instance=instance)
        return self


class _Place(NamedTuple):
    """Where a schema is: in which document, and where there."""

    document: str
    path: tuple[Step, ...]

    def below(self, *steps: Step) -> _Place:
        return _Place(self.document, (*self.path, *steps))


class Registry:
    """Documents to which schemas refer, by their addresses."""

    def __init__(self, resources: Sequence[tuple[str, Json]], draft: int = Draft202012) -> None:
        self.documents = dict(resources)


class Draft202012Validator:
    """A schema that was read.

    Raises:
        ValidationError: it is no schema, or has a keyword that is not known here.
    """

    def __init__(
        self,
        schema: Any,
        *,
        registry: Registry | None = None,
        validate_formats: bool = False,
        formats: Formats | None = None,
    ) -> None:
        own = {**_FORMATS, **(formats or {})} if validate_formats else {}
        documents = {**(registry.documents if registry else {}), "": schema}
        self._check = _Compiler(documents, own).schema(schema, _Place("", ()))

    def is_valid(self, instance: Any) -> bool:
        """Return whether a value fits."""
        return next(self._check(instance), None) is None

    def iter_errors(self, instance: Any) -> Errors:
        """Yield every problem of a value."""
        return self._check(instance)

    def validate(self, instance: Any) -> None:
        """Raise the first problem of a value."""
        for error in self._check(instance):
            raise error


class _Compiler:
    """Makes checks of schemas."""

    def __init__(self, documents: Mapping[str, Any], formats: Formats) -> None:
        self._documents, self._formats = documents, formats
        self._referred: dict[str, Check] = {}

    def schema(self, schema: Any, at: _Place) -> Check:
        """Return the check of a schema: its keywords, in the order in which they are reported."""
        if schema is True:
            return _nothing
        if schema is False:
            return lambda value: iter((_false(value, at),))
        if not isinstance(schema, dict):
            raise _unusable(f"{_json(schema)} is no schema", at)
        if unknown := schema.keys() & _UNKNOWN:
            raise _unusable(f"the keyword {min(unknown)} needs the library jsonschema-rs", at)
        checks = []
        for keyword in ORDER:
            if keyword in schema:
                wanted = _WANTED.get(keyword, (dict, bool))
                if not isinstance(schema[keyword], wanted):
                    raise _unusable(f"{_json(schema[keyword])} is no value of {keyword}", at)
                checks.append(self._keyword(keyword, schema, at.below(keyword)))
        if not checks:
            return _nothing
        if len(checks) == 1:
            return checks[0]

        def check(value: Any) -> Errors:
            for each in checks:
                yield from each(value)

        return check

    def _keyword(self, keyword: str, schema: Json, at: _Place) -> Check:
        if method := getattr(self, f"_{keyword.lstrip('$')}", None):
            made: Check = method(schema[keyword], schema, at)
            return made
        return _assertion(keyword, schema[keyword], at)

    # Of any value

    def _type(self, wanted: str | list[str], schema: Json, at: _Place) -> Check:
        types = [each for each in TYPES if each == wanted or each in _several(wanted)]
        if len(types) != len(set(_several(wanted))):
            raise _unusable(f"{_json(wanted)} is no type", at)
        tests = [TYPES[each] for each in types]
        names = ", ".join(map(_json, types))
        said = f"is not of type{'s' if isinstance(wanted, list) and len(types) > 1 else ''} {names}"

        def check(value: Any) -> Errors:
            if not any(test(value) for test in tests):
                yield _error("type", {"types": types}, said, value, at)

        return check

    def _enum(self, options: list[Any], schema: Json, at: _Place) -> Check:
        keys = {_key(each) for each in options}
        shown = [_json(each) for each in options]
        if len(shown) > 3:
            shown = [*shown[:2], f"{len(options) - 2} other candidates"]
        said = f"is not one of {' or '.join(filter(None, (', '.join(shown[:-1]), *shown[-1:])))}"

        def check(value: Any) -> Errors:
            if _key(value) not in keys:
                yield _error("enum", {"options": options}, said, value, at)

        return check

    def _const(self, wanted: Any, schema: Json, at: _Place) -> Check:
        key = _key(wanted)

        def check(value: Any) -> Errors:
            if _key(value) != key:
                said = f"{_json(wanted)} was expected"
                yield _found(Kind("const", {"expected_value": wanted}), said, value, at)

        return check

    def _format(self, name: str, schema: Json, at: _Place) -> Check:
        fits = self._formats.get(name)

        def check(value: Any) -> Errors:
            if fits and isinstance(value, str) and not fits(value):
                yield _error("format", {"format": name}, f"is not a {_json(name)}", value, at)

        return check

    def _allOf(self, schemas: list[Any], schema: Json, at: _Place) -> Check:
        checks = [self.schema(each, at.below(n)) for n, each in enumerate(schemas)]

        def check(value: Any) -> Errors:
            for n, each in enumerate(checks):
                for error in each(value):
                    yield error.inside("allOf", n)

        return check

    def _anyOf(self, schemas: list[Any], schema: Json, at: _Place) -> Check:
        return self._some("anyOf", schemas, at)

    def _oneOf(self, schemas: list[Any], schema: Json, at: _Place) -> Check:
        return self._some("oneOf", schemas, at)

    def _some(self, keyword: str, schemas: list[Any], at: _Place) -> Check:
        checks = [self.schema(each, at.below(n)) for n, each in enumerate(schemas)]

        def check(value: Any) -> Errors:
            fitting = 0
            for each in checks:
                fitting += next(each(value), None) is None
                if fitting and keyword == "anyOf":
                    return
            if fitting == 1:
                return
            branches = [[error.inside(n) for error in each(value)] for n, each in enumerate(checks)]
            how = "not valid under any" if not fitting else "valid under more than one"
            said = f"is {how} of the schemas listed in the '{keyword}' keyword"
            yield _error(keyword, {"context": branches}, said, value, at)

        return check

    def _not(self, inner: Any, schema: Json, at: _Place) -> Check:
        fits = self.schema(inner, at)

        def check(value: Any) -> Errors:
            if next(fits(value), None) is None:
                said = f"{_json(inner)} is not allowed for {_json(value)}"
                yield _found(Kind("not", {"schema": inner}), said, value, at)

        return check

    def _if(self, inner: Any, schema: Json, at: _Place) -> Check:
        fits = self.schema(inner, at)
        above = _Place(at.document, at.path[:-1])
        then, otherwise = (
            self.schema(schema.get(name, True), above.below(name)) for name in ("then", "else")
        )

        def check(value: Any) -> Errors:
            is_so = next(fits(value), None) is None
            for error in (then if is_so else otherwise)(value):
                yield error.inside("then" if is_so else "else")

        return check

    def _ref(self, reference: str, schema: Json, at: _Place) -> Check:
        document, _, pointer = reference.partition("#")
        address = f"{document or at.document}#{pointer}"

        def check(value: Any) -> Errors:
            for error in self._reached(address)(value):
                yield error.inside("$ref")

        self._point(address, at)
        return check

    def _reached(self, address: str) -> Check:
        """Return the check of what a reference leads to, made when it is first needed."""
        if (known := self._referred.get(address)) is None:
            known = self._referred[address] = self.schema(*self._point(address, _Place("", ())))
        return known

    def _point(self, address: str, at: _Place) -> tuple[Any, _Place]:
        document, _, pointer = address.partition("#")
        path: list[Step] = []
        try:
            node = self._documents[document]
            for step in pointer.split("/")[1:]:
                name = step.replace("~1", "/").replace("~0", "~")
                path.append(int(name) if isinstance(node, list) else name)
                node = node[path[-1]]
        except (LookupError, TypeError, ValueError):
            raise _unusable(f"Pointer '{pointer}' does not exist", at) from None
        return node, _Place(document, tuple(path))

    # Of objects

    def _required(self, names: list[str], schema: Json, at: _Place) -> Check:
        def check(value: Any) -> Errors:
            if isinstance(value, dict):
                for name in names:
                    if name not in value:
                        yield _missing(name, value, at)

        return check

    def _dependentRequired(self, names: Json, schema: Json, at: _Place) -> Check:
        def check(value: Any) -> Errors:
            if isinstance(value, dict):
                for owner, needed in sorted(names.items()):
                    for name in needed if owner in value else ():
                        if name not in value:
                            yield _missing(name, value, at, "dependentRequired")

        return check

    def _properties(self, members: Json, schema: Json, at: _Place) -> Check:
        if "additionalProperties" in schema:
            return _nothing  # which sees to them
        checks = {name: self.schema(members[name], at.below(name)) for name in sorted(members)}

        def check(value: Any) -> Errors:
            if isinstance(value, dict):  # the shorter one is gone through
                for name in value if len(value) <= len(checks) else checks:
                    if name in value and name in checks:
                        for error in checks[name](value[name]):
                            yield error.inside("properties", name, instance=(name,))

        return check

    def _patternProperties(self, patterns: Json, schema: Json, at: _Place) -> Check:
        if "additionalProperties" in schema:
            return _nothing
        checks = [
            (pattern, _pattern(pattern, at), self.schema(patterns[pattern], at.below(pattern)))
            for pattern in sorted(patterns)
        ]

        def check(value: Any) -> Errors:
            if isinstance(value, dict):
                for pattern, compiled, each in checks:
                    for name in filter(compiled.search, value):
                        for error in each(value[name]):
                            yield error.inside("patternProperties", pattern, instance=(name,))

        return check

    def _additionalProperties(self, others: Any, schema: Json, at: _Place) -> Check:
        """Check the members of an object one after the other, whatever says what they are."""
        above = _Place(at.document, at.path[:-1])
        named = {
            name: self.schema(inner, above.below("properties", name))
            for name, inner in schema.get("properties", {}).items()
        }
        by_pattern = above.below("patternProperties")
        patterns = [
            (pattern, _pattern(pattern, at), self.schema(inner, by_pattern.below(pattern)))
            for pattern, inner in sorted(schema.get("patternProperties", {}).items())
        ]
        other = self.schema(others, at)
        is_alone = "properties" not in schema and "patternProperties" not in schema

        def check(value: Any) -> Errors:
            if not isinstance(value, dict):
                return
            unexpected = []
            for name, each in value.items():
                found = [(pattern, inner) for pattern, it, inner in patterns if it.search(name)]
                if name in named:
                    for error in named[name](each):
                        yield error.inside("properties", name, instance=(name,))
                for pattern, inner in found:
                    for error in inner(each):
                        yield error.inside("patternProperties", pattern, instance=(name,))
                if name in named or found:
                    continue
                if others is not False:
                    for error in other(each):
                        yield error.inside("additionalProperties", instance=(name,))
                elif is_alone:
                    yield _false(each, at).inside("additionalProperties")
                    return
                else:
                    unexpected.append(name)
            if unexpected:
                names = ", ".join(f"'{name}'" for name in unexpected)
                verb = "was" if len(unexpected) == 1 else "were"
                said = f"Additional properties are not allowed ({names} {verb} unexpected)"
                kind = Kind("additionalProperties", {"unexpected": unexpected})
                yield _found(kind, said, value, at)

        return check

    def _propertyNames(self, inner: Any, schema: Json, at: _Place) -> Check:
        fits = self.schema(inner, at)

        def check(value: Any) -> Errors:
            if inner is False and value and isinstance(value, dict):
                yield _false(value, at).inside("propertyNames")
                return
            for name in value if isinstance(value, dict) else ():
                for error in fits(name):
                    kind = Kind("propertyNames", {"error": error})
                    outer = ValidationError(kind, error.message, value, at)
                    outer.schema_path = error.schema_path
                    outer.evaluation_path += error.evaluation_path
                    yield outer.inside("propertyNames")

        return check

    # Of lists

    def _items(self, inner: Any, schema: Json, at: _Place) -> Check:
        each, first = self.schema(inner, at), len(schema.get("prefixItems", ()))

        def check(value: Any) -> Errors:
            if isinstance(value, list):
                for n in range(first, len(value)):
                    for error in each(value[n]):
                        yield error.inside("items", instance=(n,))

        return check

    def _prefixItems(self, schemas: list[Any], schema: Json, at: _Place) -> Check:
        checks = [self.schema(each, at.below(n)) for n, each in enumerate(schemas)]

        def check(value: Any) -> Errors:
            if isinstance(value, list):
                for n, (each, item) in enumerate(zip(checks, value, strict=False)):
                    for error in each(item):
                        yield error.inside("prefixItems", n, instance=(n,))

        return check

    def _contains(self, inner: Any, schema: Json, at: _Place) -> Check:
        fits = self.schema(inner, at)

        def check(value: Any) -> Errors:
            if isinstance(value, list) and all(next(fits(each), None) for each in value):
                said = f"None of {_json(value)} are valid under the given schema"
                yield _found(Kind("contains", {}), said, value, at)

        return check


def _nothing(value: Any) -> Errors:
    return iter(())


def _assertion(keyword: str, limit: Any, at: _Place) -> Check:
    """Return the check of a keyword that compares a value of one type with a limit."""
    holds, said = _ASSERTIONS[keyword]
    compiled = _pattern(limit, at) if keyword == "pattern" else None
    key = {"pattern": "pattern", "multipleOf": "multiple_of"}.get(keyword, "limit")
    facts = {} if keyword == "uniqueItems" else {key: limit}
    shown = said.format(_json(limit))
    if keyword in _COUNTED:
        shown = f"{shown} {_COUNTED[keyword][limit != 1]}"

    def check(value: Any) -> Errors:
        if not holds(value, compiled or limit):
            yield _error(keyword, facts, shown, value, at)

    return check


def _error(keyword: str, facts: Json, said: str, value: Any, at: _Place) -> ValidationError:
    return _found(Kind(keyword, facts), f"{_json(value)} {said}", value, at)


def _found(kind: Kind, message: str, value: Any, at: _Place) -> ValidationError:
    return ValidationError(kind, message, value, at).inside(kind.name)


def _false(value: Any, at: _Place) -> ValidationError:
    said = f"False schema does not allow {_json(value)}"
    return ValidationError(Kind("falseSchema", {}), said, value, at)


def _missing(name: str, value: Any, at: _Place, keyword: str = "required") -> ValidationError:
    said = f"{_json(name)} is a required property"
    kind = Kind("required", {"property": name})
    return ValidationError(kind, said, value, at).inside(keyword)


def _unusable(reason: str, at: _Place) -> ValidationError:
    return ValidationError(Kind("schema", {}), reason, None, at)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _key(value: Any) -> object:
    """Return what is equal for values that are equal in JSON: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, dict):
        return frozenset((name, _key(each)) for name, each in value.items())
    if isinstance(value, list):
        return tuple(map(_key, value))
    return (bool, value) if isinstance(value, bool) else value


def _several(names: str | list[str]) -> list[str]:
    return [names] if isinstance(names, str) else names


def _pattern(pattern: str, at: _Place) -> re.Pattern[str]:
    """Return a pattern of ECMAScript as one of Python, whose `$` also stands before a line end."""
    text = re.sub(
        r"\\.|\[(?:\\.|[^\]])*\]|\$",
        lambda found: r"\Z" if found[0] == "$" else found[0],
        pattern,
        flags=re.S,
    )
    try:
        return re.compile(text, re.ASCII)
    except re.error:
        raise _unusable(f"{_json(pattern)} is no regular expression", at) from None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


TYPES: Final[Mapping[str, Callable[[Any], bool]]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and value == value // 1,
    "number": _is_number,
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
_ASSERTIONS: Final[Mapping[str, tuple[Callable[[Any, Any], bool], str]]] = {
    "minLength": (lambda v, n: not isinstance(v, str) or len(v) >= n, "is shorter than {}"),
    "maxLength": (lambda v, n: not isinstance(v, str) or len(v) <= n, "is longer than {}"),
    "pattern": (lambda v, p: not isinstance(v, str) or bool(p.search(v)), "does not match {}"),
    "minimum": (lambda v, n: not _is_number(v) or v >= n, "is less than the minimum of {}"),
    "maximum": (lambda v, n: not _is_number(v) or v <= n, "is greater than the maximum of {}"),
    "exclusiveMinimum": (
        lambda v, n: not _is_number(v) or v > n,
        "is less than or equal to the minimum of {}",
    ),
    "exclusiveMaximum": (
        lambda v, n: not _is_number(v) or v < n,
        "is greater than or equal to the maximum of {}",
    ),
    "multipleOf": (lambda v, n: not _is_number(v) or v % n == 0, "is not a multiple of {}"),
    "minItems": (lambda v, n: not isinstance(v, list) or len(v) >= n, "has less than {}"),
    "maxItems": (lambda v, n: not isinstance(v, list) or len(v) <= n, "has more than {}"),
    "uniqueItems": (
        lambda v, on: not (on and isinstance(v, list)) or len({_key(e) for e in v}) == len(v),
        "has non-unique elements",
    ),
    "minProperties": (lambda v, n: not isinstance(v, dict) or len(v) >= n, "has less than {}"),
    "maxProperties": (lambda v, n: not isinstance(v, dict) or len(v) <= n, "has more than {}"),
}
_COUNTED: Final = {
    **dict.fromkeys(("minLength", "maxLength"), ("character", "characters")),
    **dict.fromkeys(("minItems", "maxItems"), ("item", "items")),
    **dict.fromkeys(("minProperties", "maxProperties"), ("property", "properties")),
}
ORDER: Final = (
    *("type", "const", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
    *("multipleOf", "minLength", "maxLength", "pattern", "format", "minItems", "maxItems"),
    *("uniqueItems", "minProperties", "maxProperties", "required", "dependentRequired"),
    *("properties", "additionalProperties", "patternProperties", "propertyNames", "items"),
    *("prefixItems", "contains", "allOf", "anyOf", "oneOf", "not", "if", "$ref"),
)
"""The keywords, in the order in which their problems are reported."""

_UNKNOWN: Final = {
    *("$dynamicRef", "dependentSchemas", "maxContains", "minContains", "unevaluatedItems"),
    "unevaluatedProperties",
}
_WANTED: Final[Mapping[str, tuple[type, ...]]] = {
    "type": (str, list),
    "const": (object,),
    **dict.fromkeys(("enum", "required", "prefixItems", "allOf", "anyOf", "oneOf"), (list,)),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), (int, float)),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), (int, float)),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), (int,)),
    **dict.fromkeys(("minProperties", "maxProperties"), (int,)),
    **dict.fromkeys(("pattern", "format", "$ref"), (str,)),
    **dict.fromkeys(("properties", "patternProperties", "dependentRequired"), (dict,)),
    "uniqueItems": (bool,),
}


# Formats

_MOMENT: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?"
    r"([Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)


def _is_date(text: str) -> bool:
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    try:  # there is a year 0, with a leap day
        date.fromisoformat(text.replace("0000", "2000", 1) if text[:4] == "0000" else text)
    except ValueError:
        return False
    return True


def _is_moment(text: str) -> bool:
    found = _MOMENT.fullmatch(text)
    if not found or not _is_date(found[1]):
        return False
    hour, minute, second = map(int, found.group(2, 3, 4))
    if second == 60:  # a leap second is the last one of a day of UTC
        sign = -1 if found[7] == "+" else 1
        moved = hour * 60 + minute + sign * (int(found[8] or 0) * 60 + int(found[9] or 0))
        return hour < 24 and minute < 60 and moved % 1440 == 1439
    return hour < 24 and minute < 60 and second < 60


_CHARACTER: Final = r"[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2}"
_AUTHORITY: Final = r"([^/?#@]*@)?(\[[0-9A-Fa-f:.]+\]|[^/?#:@\[\]]*)(:[0-9]*)?(?=[/?#]|\Z)"
_URI: Final = re.compile(
    rf"[A-Za-z][A-Za-z0-9+.-]*:(//(?={_AUTHORITY})|(?!//))({_CHARACTER}|[\[\]])*(#({_CHARACTER})*)?"
)
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_EMAIL: Final = re.compile(rf'({_ATOM}(\.{_ATOM})*|"[^"]*")@([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])')
_FORMATS: Final[Formats] = {
    "date": _is_date,
    "date-time": _is_moment,
    "email": lambda text: _EMAIL.fullmatch(text) is not None,
    "uri": lambda text: text.isascii() and _URI.fullmatch(text) is not None,
}
