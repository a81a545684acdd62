"""Tell which schemas are objects, and of which of several cases each of them is one.

An object that extends what has alternatives is itself one of several: each with what it has, and
what one of the alternatives has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pipeline.codegen import names
from pipeline.openapi.documents import Pointer
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict, as_list, constrains, reached

MOST_CASES = 500
MOST_READINGS = 8  # of a recursive schema inside others; then its type is kept as it is
TYPE_WORDS = frozenset(
    {"type", "$ref", "properties", "items", "enum", "const", "allOf", "anyOf", "oneOf"}
    | {"additionalProperties", "x-extensible-enum", "format"}
)
_CHOICE = ("anyOf", "oneOf", "discriminator")
_LONGEST_TITLE = 40  # characters of what becomes part of the name of a class


class Case(NamedTuple):
    """One of several that an object may be.

    Attributes:
        at: its place, below that of the object.
        schema: all that holds in this case.
        name: what it adds to the name of the class.
        branch: what this case alone has.
        holder: the schema of which it is an alternative.
    """

    at: Pointer
    schema: Any
    name: str
    branch: Any
    holder: Mapping[str, Any]


class _Member(NamedTuple):
    """What an object extends, after its place below the object."""

    at: Pointer
    schema: Any


class Objects:
    """The objects among the schemas of a document, by the names of its components.

    Args:
        components: every schema that something refers to, by its name.
        named: returns the name for a reference; empty where there is none.
    """

    def __init__(
        self, model: DocumentModel, components: Mapping[str, Any], named: Callable[[str], str]
    ) -> None:
        self._model = model
        self._components = components
        self._named = named
        # By identity, since schemas that are made up here have no places.
        self._extending = {id(model.get(at)) for at in model.circles.extending}
        self._holders = {id(model.get(at)) for at in model.circles.holders}
        self._beside: dict[int, tuple[Any, dict[str, Any]]] = {}
        self._models = self._reached(self._models_of)
        self._others = self._reached(self._others_of)
        self._extending_some = self._reached(self._alternatives_of)
        self._counts: dict[str, int] = {}

    def _reached(self, leads: Callable[[Any], Iterator[str | None]]) -> Collection[str]:
        """Return the components that lead to what is looked for, by way of others or not.

        `leads` yields None for what is looked for, and the names on which it depends.
        """
        found: list[str] = []
        leading: dict[str, list[str]] = {}
        for name, raw in self._components.items():
            for other in leads(raw):
                if other is None:
                    found.append(name)
                else:
                    leading.setdefault(other, []).append(name)
        return reached(found, leading.get)

    def followed(self, raw: Any) -> tuple[str, Mapping[str, Any]]:
        """Return a schema, or the component that it refers to, after the name of this."""
        name, seen = "", set[str]()
        while isinstance(raw, dict) and raw.keys() == {"$ref"}:
            name = self._named(raw["$ref"])
            if not name or name in seen:
                return "", {}
            seen.add(name)
            raw = self._components[name]
        return name, as_dict(raw)

    # What is an object

    def is_model(self, raw: Any) -> bool:
        """Return whether a schema is an object with properties, of its own or by its `allOf`."""
        return any(name is None or name in self._models for name in self._models_of(raw))

    def _models_of(self, raw: Any) -> Iterator[str | None]:
        """Yield None for an object with properties; the components that else decide about it."""
        if not isinstance(raw, dict) or needs_invalid_name(raw) or _has_other_types(raw):
            return
        if raw.get("properties") or (
            raw.get("type") == "object" and "properties" in raw and not has_additional(raw)
        ):
            yield None
        elif "$ref" in raw:
            yield self._named(raw["$ref"])
        else:
            members = [part for part in as_list(raw.get("allOf")) if constrains(part)]
            alone = len(members) == 1 and isinstance(members[0], dict) and "$ref" in members[0]
            if alone and not constrains({key: raw[key] for key in raw if key != "allOf"}):
                return  # a reference in other words
            for member in members:
                yield from self._models_of(member)

    def is_object(self, raw: Any) -> bool:
        """Return whether a branch is an object, or one of several."""
        return not any(name is None or name in self._others for name in self._others_of(raw))

    def _others_of(self, raw: Any) -> Iterator[str | None]:
        """Yield None for what is no object; the components that else decide about it."""
        if isinstance(raw, dict) and raw.keys() == {"$ref"}:
            if name := self._named(raw["$ref"]):
                yield name
            return
        schema = as_dict(raw)
        branches = as_list(schema.get("anyOf") or schema.get("oneOf"))
        for branch in branches:
            yield from self._others_of(branch)
        if not branches and not self.is_model(raw) and schema.get("type", "object") != "object":
            yield None

    def property_names(self, raw: Any) -> set[str]:
        """Return the names of the properties of an object, those of its `allOf` among them."""
        return set(self._model.properties((), raw))

    def case_names(self, branches: Sequence[Any]) -> list[str]:
        """Return what each branch adds to a name: its title, a property of it alone, a number."""
        own = [self.property_names(each) for each in branches]
        counts = Counter(name for each in own for name in each)
        made = []
        for number, (raw, each) in enumerate(zip(branches, own, strict=True), 1):
            title = as_dict(raw).get("title") or self._named(as_dict(raw).get("$ref", ""))
            single = min((name for name in each if counts[name] == 1), default="")
            if isinstance(title, str) and 0 < len(title) <= _LONGEST_TITLE:
                made.append(names.pascal(title))
            elif single and len(single) <= _LONGEST_TITLE:
                made.append(names.pascal(single))
            else:
                made.append(f"Option{number}")
        return made

    # What is one of several

    def varies(self, raw: Mapping[str, Any]) -> bool:
        """Return whether an object with properties is one of several cases."""
        return next(self._sources(raw), None) is not None

    def has_too_many(self, raw: Mapping[str, Any]) -> bool:
        """Return whether an object is one of more cases than classes are made of."""
        return self._count(raw, frozenset()) > MOST_CASES

    def cases(self, raw: Mapping[str, Any]) -> list[Case]:
        """Return the cases of an object that has properties beside `anyOf` or `oneOf`."""
        for at, around, holder in self._sources(raw):
            word = "anyOf" if holder.get("anyOf") else "oneOf"
            branches = holder[word]
            known = self.property_names(around)
            return [
                Case(
                    (*at, word, index),
                    branch if known <= self.property_names(branch) else {"allOf": [around, branch]},
                    name,
                    branch,
                    holder,
                )
                for index, (branch, name) in enumerate(
                    zip(branches, self.case_names(branches), strict=True)
                )
            ]
        return []

    def beside_reference(self, raw: dict[str, Any], rest: dict[str, Any]) -> dict[str, Any]:
        """Return a reference and the words beside it as one schema, the same one each time."""
        known = self._beside.get(id(raw))
        if known is None:
            reference = {"$ref": raw["$ref"]}
            if id(raw) in self._extending:
                self._extending.add(id(reference))
            words = ("anyOf", "oneOf", "discriminator")
            choices: dict[str, Any] = {word: rest[word] for word in words if word in rest}
            others = {key: value for key, value in rest.items() if key not in choices}
            parts = [reference, others] if others else [reference]
            known = self._beside[id(raw)] = raw, {"allOf": parts, **choices}
        return known[1]

    def _sources(
        self, raw: Mapping[str, Any]
    ) -> Iterator[tuple[Pointer, dict[str, Any], Mapping[str, Any]]]:
        """Yield each `anyOf` or `oneOf` of an object: its place, what is around, its holder."""
        if self._alternatives(raw):
            word = "anyOf" if raw.get("anyOf") else "oneOf"
            without = (word, "discriminator", "title", "description")
            around = {key: value for key, value in raw.items() if key not in without}
            if self._has_members(around):
                yield (), around, raw
        flat = self._members(raw)
        for index, member in enumerate(flat):
            holder = self._holder(member)
            if holder is None or not self._alternatives(holder):
                continue
            members = [each.schema for each in flat]
            members[index] = _without_choice(holder)
            around = {**_without_choice(raw), "allOf": members}
            if self._has_members(around):
                yield member.at, around, holder

    def _has_members(self, around: Mapping[str, Any]) -> bool:
        """Return whether what holds in all cases is an object, if only one that is referred to."""
        return self.is_model(around) or bool(self.property_names(around))

    def _alternatives(self, holder: Mapping[str, Any]) -> list[Any]:
        """Return the alternatives of a schema that are objects; none where not all of them are."""
        branches = as_list(holder.get("anyOf") or holder.get("oneOf"))
        said = [each for each in branches if not is_null(each)]
        if all(isinstance(each, dict) and not has_type(each) for each in said):
            return []  # they only say which members may come together
        return branches if all(map(self.is_object, said)) else []

    def _members(self, raw: Mapping[str, Any]) -> list[_Member]:
        """Return what an object extends, each once; of what has alternatives, its parts."""
        flat: list[_Member] = []
        seen: dict[int, Mapping[str, Any]] = {}

        def add(at: Pointer, schema: Mapping[str, Any]) -> None:
            for index, member in enumerate(as_list(schema.get("allOf"))):
                place = (*at, "allOf", index)
                _, inner = self.followed(member)
                if id(inner) in seen:
                    continue
                seen[id(inner)] = inner
                if not self._extends_alternatives(inner):
                    flat.append(_Member(place, member))
                    continue
                add(place, inner)
                rest = _without_choice(inner) if self._leads_back(member, inner) else inner
                if rest := {key: value for key, value in rest.items() if key != "allOf"}:
                    flat.append(_Member(place, rest))

        add((), raw)
        return flat

    def _holder(self, member: _Member) -> Mapping[str, Any] | None:
        """Return what a member of an object is, if it has alternatives that do not lead back."""
        _, inner = self.followed(member.schema)
        has_some = inner.get("anyOf") or inner.get("oneOf")
        return inner if has_some and not self._leads_back(member.schema, inner) else None

    def _leads_back(self, member: Any, inner: Mapping[str, Any]) -> bool:
        """Return whether alternatives of what an object extends are this object itself."""
        return id(member) in self._extending and id(inner) in self._holders

    def _extends_alternatives(self, raw: Mapping[str, Any]) -> bool:
        """Return whether what an object extends has alternatives, at any depth."""
        return any(
            name is None or name in self._extending_some for name in self._alternatives_of(raw)
        )

    def _alternatives_of(self, raw: Any) -> Iterator[str | None]:
        """Yield None for alternatives of what an object extends; else the components of it."""
        for member in as_list(as_dict(raw).get("allOf")):
            name, inner = self.followed(member)
            if self._holder(_Member((), member)) is not None:
                yield None
            elif name:
                yield name
            else:
                yield from self._alternatives_of(inner)

    def _count(self, raw: Any, around: frozenset[str]) -> int:
        """Return the number of cases; one more than the most where it is larger, or has no end."""
        name, schema = self.followed(raw)
        if name in self._counts:
            return self._counts[name]
        if name in around:
            return MOST_CASES + 1
        count = 1
        for holder in (schema, *filter(None, map(self._holder, self._members(schema)))):
            alternatives = self._alternatives(holder)
            if branches := {self.followed(each)[0] or id(each): each for each in alternatives}:
                within = around | {name} if name else around
                count *= sum(self._count(each, within) for each in branches.values())
                count = min(count, MOST_CASES + 1)
        if name:
            self._counts[name] = count
        return count


def _without_choice(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if key not in _CHOICE}


def is_null(raw: Any) -> bool:
    """Return whether a schema is of nothing but null."""
    return isinstance(raw, dict) and raw.get("type") == "null"


def has_type(raw: Mapping[str, Any]) -> bool:
    """Return whether a schema limits the type of a value."""
    return not TYPE_WORDS.isdisjoint(raw)


def has_additional(raw: Mapping[str, Any]) -> bool:
    """Return whether a schema says something of members that it does not name."""
    return raw.get("additionalProperties", False) is not False


def is_invalid_name(wire: str) -> bool:
    """Return whether no field can have a name in JSON."""
    return not wire or any(char in '"\\' or ord(char) < 32 for char in wire)


def _has_other_types(raw: Mapping[str, Any]) -> bool:
    """Return whether a schema is no object, or of another type, too, except null."""
    kinds = raw.get("type")
    said = [kinds] if isinstance(kinds, str) else as_list(kinds)
    return bool(said) and ("object" not in said or any(e not in ("object", "null") for e in said))


def needs_invalid_name(raw: Mapping[str, Any]) -> bool:
    """Return whether an object requires a property whose name no field can have."""
    required = set(map(str, as_list(raw.get("required"))))
    return any(map(is_invalid_name, required & as_dict(raw.get("properties")).keys()))
