"""Values of a schema: the least that it allows, everything that it names, and others at random.

Every value is held against its schema by a validator before it is used, so a value that is wrong
is never taken for a fault of a client.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any, Literal

from hypothesis import strategies as st

from generality.described import Json, Pointer, Side, pointer_of
from harness.generation import at_random
from harness.options import Plan

Level = Literal["least", "full", "random"]

_DEEPEST = 6  # objects within objects; below, only what is required
_MOST = 300  # values in one; from there on, only what is required
_TRIES = 12
_TEXTS = ("text", "Ünïcödé 日本", "a b&c=d/e?f#g+h%20i", 'quote " \\ back', "<x> 🚂", "null", "0")
# Where a separator, a slash or a letter outside of ASCII cannot be written.
_PLAIN_TEXTS = ("text", "two-words", "Text_3", "v4.2")
_FORMATS = {
    "date-time": ("2026-01-02T03:04:05Z", "2026-11-23T15:04:05.120000+01:00"),
    "date": ("2026-01-02", "2024-02-29"),
    "time": ("03:04:05Z",),
    "duration": ("P1DT2H",),
    "uuid": ("6f1f3a5e-3f4c-4b6e-9d38-0d5f0f3c2b1a", "00000000-0000-4000-8000-00000000000a"),
    "email": ("reader@example.org",),
    "hostname": ("www.example.org",),
    "ipv4": ("192.0.2.7",),
    "ipv6": ("2001:db8::7",),
    "uri": ("https://example.org/a?b=c&d=%C3%BC#e", "urn:isbn:3"),
    "uri-reference": ("/a/b",),
    "byte": ("aGVsbG8=",),
    "int32": ("7",),  # of a text: the number in digits
    "int64": ("9007199254740993",),
    "uint64": ("18446744073709551615",),
    "json-pointer": ("/a/0",),
    "regex": ("^a+$",),
}


class Undrawable(Exception):
    """No value of a schema was found."""


class Drawer:
    """Draws values of the schemas of one direction.

    Args:
        side: the schemas.
        seed: the same seed gives the same values.
    """

    def __init__(self, side: Side, seed: int = 1) -> None:
        self.side = side
        self.seed = seed

    def value(
        self, pointer: Pointer, level: Level, number: int = 0, *, plain: bool = False
    ) -> Json:
        """Return a value that fits the schema at a pointer.

        Args:
            number: tells values of one level apart.
            plain: of texts that stand anywhere, such as in a header or between commas.

        Raises:
            Undrawable: none was found.
        """
        reasons: list[str] = []
        for attempt in range(_TRIES):
            dice = Random(f"{self.seed} {pointer} {level} {number} {attempt}")
            chosen: Level = "random" if attempt > _TRIES // 2 else level
            drawing = _Drawing(self.side, chosen, dice, plain, strict=attempt > 0)
            try:
                value = drawing.draw(self.side.at(pointer), 0)
            except (Undrawable, RecursionError) as error:
                reasons = [str(error)]
                continue
            reasons = self.side.problems(pointer, value)
            if not reasons:
                return value
        raise Undrawable(reasons[0])

    def needs_members(self, pointer: Pointer) -> bool:
        """Return whether the schema at a pointer is that of an object with required members."""
        return bool(self._flat(pointer).get("required"))

    def members(self, pointer: Pointer) -> list[str]:
        """Return the names of the properties of the schema at a pointer."""
        return list(self._flat(pointer).get("properties", {}))

    def is_text(self, pointer: Pointer) -> bool:
        """Return whether the schema at a pointer is that of a text."""
        return bool(self._flat(pointer).get("type") == "string")

    def _flat(self, pointer: Pointer) -> dict[str, Json]:
        schema = self.side.at(pointer)
        return _flat(self.side, schema) if isinstance(schema, dict) else {}


class _Drawing:
    """One value."""

    def __init__(self, side: Side, level: Level, dice: Random, plain: bool, strict: bool) -> None:
        self.side, self.level, self.dice, self.plain, self.strict = side, level, dice, plain, strict
        self.count = 0

    def draw(self, schema: Json, depth: int) -> Json:
        self.count += 1
        if depth > 40:
            raise Undrawable("it has no end")
        if isinstance(schema, bool):
            return self._anything()
        schema = _flat(self.side, schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._one_of([v for v in schema["enum"] if v is not None] or schema["enum"])
        for kind in ("oneOf", "anyOf"):
            if schema.get(kind):
                return self._choice(schema, kind, depth)
        return self._typed(schema, depth)

    # Schemas

    def _choice(self, schema: dict[str, Json], kind: str, depth: int) -> Json:
        rest = {name: each for name, each in schema.items() if name not in (kind, "discriminator")}
        branches = [each for each in schema[kind] if each is not False]
        some = (
            [each for each in branches if each.get("type") != "null"] if self._filled else branches
        )
        branch = self._one_of(some or branches)
        made = {"allOf": [branch, rest]} if rest else branch
        word = schema.get("discriminator", {}).get("propertyName")
        if word and isinstance(branch, dict) and "$ref" in branch:
            known = {target: key for key, target in _mapping(schema["discriminator"]).items()}
            name = branch["$ref"].rpartition("/")[2]
            tag = known.get(branch["$ref"], known.get(name, name))
            own = _flat(self.side, made).get("properties", {}).get(word, {})
            said = _flat(self.side, own)
            if "const" not in said and tag in said.get("enum", [tag]):
                made = {"allOf": [made, {"properties": {word: {"const": tag}}, "required": [word]}]}
        return self.draw(made, depth + 1)

    # Values

    def _typed(self, schema: dict[str, Json], depth: int) -> Json:
        types = schema.get("type")
        if isinstance(types, list):
            some = [each for each in types if each != "null"] if self._filled else types
            types = self._one_of(some or types)
        if types is None:
            if "properties" in schema or "additionalProperties" in schema or "required" in schema:
                types = "object"
            elif "items" in schema:
                types = "array"
            elif {"minimum", "maximum", "multipleOf"} & set(schema):
                types = "number"
            elif {"pattern", "format", "minLength", "maxLength"} & set(schema):
                types = "string"
            else:
                return self._anything()
        match types:
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, depth)
            case "string":
                return self._text(schema)
            case "integer" | "number":
                return self._number(schema, whole=types == "integer")
            case "boolean":
                return self.level != "least" if self.level != "random" else self.dice.random() < 0.5
            case "null":
                return None
        raise Undrawable(f"type {types!r}")

    def _object(self, schema: dict[str, Json], depth: int) -> Json:
        properties = schema.get("properties", {})
        required = schema.get("required", [])
        made: dict[str, Json] = {}
        small = self._small(depth)
        for name, each in properties.items():
            wanted = name in required or (not small and self._wants())
            if wanted and each is not False:
                made[name] = self.draw(each, depth + 1)
        others = schema.get("additionalProperties")
        for name in required:
            if name not in properties:
                made[name] = self.draw(others if others is not None else True, depth + 1)
        few = schema.get("minProperties", 0) - len(made)
        for name in [each for each in properties if each not in made][: max(few, 0)]:
            made[name] = self.draw(properties[name], depth + 1)
        explicit = isinstance(others, dict) or (others is True and not properties)
        few = max(schema.get("minProperties", 0) - len(made), 0)
        if explicit and (few or not (small or self.level == "least")):
            for number in range(max(few, 1)):
                name = self._key(schema.get("propertyNames", {}), number)
                if name not in properties and len(made) < schema.get("maxProperties", 99):
                    made[name] = self.draw(others, depth + 1)
        return made

    def _key(self, names: Json, number: int) -> str:
        found = self.draw(names, 0) if names else None
        return found if isinstance(found, str) else f"key-{number + 1}"

    def _array(self, schema: dict[str, Json], depth: int) -> Json:
        low, high = schema.get("minItems", 0), schema.get("maxItems", 99)
        wanted = 0 if self.level == "least" or self._small(depth) else self.dice.choice((1, 2))
        prefix = schema.get("prefixItems", [])
        if prefix:
            return [self.draw(each, depth + 1) for each in prefix]
        size = min(max(low, wanted), high)
        made: list[Json] = []
        for _ in range(4 * size):
            if len(made) == size:
                break
            item = self.draw(schema.get("items", True), depth + 1)
            if not schema.get("uniqueItems") or item not in made:
                made.append(item)
        return made

    def _text(self, schema: dict[str, Json]) -> str:
        low, high = schema.get("minLength", 0), schema.get("maxLength", 10**6)
        known = [each for each in _examples(schema) if isinstance(each, str) and each]
        if "pattern" in schema:
            return str(self._one_of(_of_pattern(schema["pattern"], low, high, self.plain)))
        if schema.get("format") in _FORMATS:
            return str(self._one_of(_FORMATS[schema["format"]]))
        if known and not self.plain and not self.strict and self.level != "least":
            return str(self._one_of(known))
        text = str(self._one_of(_PLAIN_TEXTS if self.plain else _TEXTS))
        return (text + "x" * max(low - len(text), 0))[:high]

    def _number(self, schema: dict[str, Json], *, whole: bool) -> Json:
        step = schema.get("multipleOf") or (1 if whole else 0.5)
        low = schema.get("minimum", schema.get("exclusiveMinimum"))
        high = schema.get("maximum", schema.get("exclusiveMaximum"))
        if low is None:
            low = min(0, high) if high is not None else 0
        most = 2**31 - 1 if schema.get("format") == "int32" else 10**9
        high = min(most, low + 10**6) if high is None else min(high, most)
        first = -(-low // step)
        if "exclusiveMinimum" in schema and first * step <= low:
            first += 1
        last = max(high // step, first)
        if "exclusiveMaximum" in schema and last * step >= high:
            last = max(last - 1, first)
        found = (
            first if self.level == "least" else self.dice.randint(int(first), int(last))
        ) * step
        return int(found) if whole or float(found).is_integer() else float(found)

    def _anything(self) -> Json:
        if self.plain:
            return "text"
        return (
            "text"
            if self.level == "least"
            else self.dice.choice(("text", 7, True, {"any": ["thing", 1]}, [1, "two"]))
        )

    # Choices

    @property
    def _filled(self) -> bool:
        """Whether null is left to values at random."""
        return self.level != "random" or self.dice.random() < 0.7

    def _wants(self) -> bool:
        return self.level == "full" or (self.level == "random" and self.dice.random() < 0.6)

    def _small(self, depth: int) -> bool:
        return depth > _DEEPEST or self.count > _MOST

    def _one_of(self, found: Any) -> Any:
        if not found:
            raise Undrawable("there is nothing to choose from")
        return found[0] if self.level == "least" and not self.strict else self.dice.choice(found)


def _flat(side: Side, schema: dict[str, Json], depth: int = 0) -> dict[str, Json]:
    """Return a schema with its references and `allOf` as one."""
    if depth > 40:
        raise Undrawable("it refers to itself")
    parts = []
    if isinstance(schema.get("$ref"), str):
        parts.append(side.at(pointer_of(schema["$ref"])))
    parts += schema.get("allOf", [])
    made = {name: each for name, each in schema.items() if name not in ("$ref", "allOf")}
    for part in parts:
        if isinstance(part, dict):
            made = _both(_flat(side, part, depth + 1), made)
    return made


def _mapping(discriminator: dict[str, Json]) -> dict[str, str]:
    return dict(discriminator.get("mapping", {}))


def _both(one: dict[str, Json], other: dict[str, Json]) -> dict[str, Json]:
    """Return a schema for what fits both."""
    made = {**one, **other}
    for name in one.keys() & other.keys():
        a, b = one[name], other[name]
        if a == b:
            continue
        if name == "properties":
            shared = {key: {"allOf": [a[key], b[key]]} for key in a.keys() & b.keys()}
            made[name] = {**a, **b, **shared}
        elif name == "required":
            made[name] = list(dict.fromkeys([*a, *b]))
        elif name == "enum":
            made[name] = [each for each in a if each in b]
        elif name == "type":
            types = [t for t in _listed(a) if t in _listed(b)]
            types = types or ["integer"] * ({*_listed(a), *_listed(b)} >= {"integer", "number"})
            made[name] = types[0] if len(types) == 1 else types
        elif name in ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"):
            made[name] = max(a, b)
        elif name in ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"):
            made[name] = min(a, b)
        elif name in ("items", "additionalProperties"):
            made[name] = {"allOf": [a, b]}
        elif name in ("oneOf", "anyOf"):
            pairs = ({"allOf": [x, y]} for x in a for y in b)
            made[name] = list(pairs)
    return made


def _listed(types: Json) -> list[str]:
    return types if isinstance(types, list) else [types]


def _examples(schema: dict[str, Json]) -> Iterator[Json]:
    if "example" in schema:
        yield schema["example"]
    if isinstance(schema.get("examples"), list):
        yield from schema["examples"]


@lru_cache(maxsize=2000)
def _of_pattern(pattern: str, low: int, high: int, plain: bool) -> tuple[str, ...]:
    """Return some texts of a pattern of ECMA-262.

    Raises:
        Undrawable: there are none, or Python cannot read it.
    """
    tokens = r"\\.|\[(?:\\.|[^\]\\])*\]|\$"
    anchored = re.sub(tokens, lambda found: r"\Z" if found[0] == "$" else found[0], pattern)
    found: list[str] = []
    try:
        compiled = re.compile(anchored, re.ASCII)
        letters = st.characters(codec="ascii", exclude_categories=("Cc",)) if plain else None
        texts = st.from_regex(compiled, **({"alphabet": letters} if letters else {}))
        texts = texts.filter(lambda text: low <= len(text) <= high and text.strip() == text != "")
        at_random(texts, Plan(6, 1), found.append)
    except Exception as error:  # hypothesis has many ways to say so
        if not found:
            raise Undrawable(f"pattern {pattern}: {error}") from None
    if not found:
        raise Undrawable(f"pattern {pattern}")
    return tuple(dict.fromkeys(found))
