"""Stored objects as the documents show them: every documented field, in the documented order.

What is stored is sparse. A field without a value is null where the documents allow null, empty or
false where it is a list or a flag, and otherwise its default or example. What has neither is left
out, or null where the sandbox is set to send nulls (`nulls.unmarked` in the register of gaps); what
is required gets a value that fits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.documents import Document, Json
from social_publishing_sandbox.state.samples import samples

STORED_RELATIONS: Final = ("comments", "tasks", "approvals")
"""The relations of a post that are kept with it; the world format has them in the post, too."""

POST_RELATIONS: Final = ("user", "socialAccounts", "details", "media", "labels", *STORED_RELATIONS)
"""The relations of a post (§2.2)."""

_RELATIONS: Final = {
    "Post": POST_RELATIONS,
    "Group": ("socialAccounts", "socialAccountsCount"),
    "SocialAccount": ("user",),
    "PostDetail": ("firstComment", "link_preview"),
}
"""The members of a schema that are there only when they are given."""

_GIVEN_AS: Final = {
    **{"socialAccounts": "SocialAccount", "details": "PostDetail"},
    **{"media": "Media", "labels": "Label"},
}
"""The schemas in whose form the entries of relations are given."""

_STATES: Final = {"PostDetail": ("status",)}
"""The members of a schema that are stored as the state of a post (§3), whatever is sent."""

_ZEROS: Final = {"Post": ("publication_delay_between", "content_weighted_length")}
"""The whole numbers of a schema that are 0 without a value; others are then unset."""

ABSENT: Final = object()
"""Stands for a member that is not there at all."""

_UNITS: Final = {
    **{"bytes": Fraction(1), "kilobytes": Fraction(1_000), "megabytes": Fraction(1_000_000)},
    **{"kibibytes": Fraction(1 << 10), "mebibytes": Fraction(1 << 20)},
    **{"seconds": Fraction(1), "milliseconds": Fraction(1, 1_000), "minutes": Fraction(60)},
}
"""How many of what is stored, bytes and seconds, each unit has (`x-unit`)."""

_STORED: Final = {"publication_timestamp": "milliseconds"}
"""What is stored in another unit than bytes and seconds."""

_UNSET: Final = object()  # a field that has no value


class View:
    """How one kind of object is shown.

    Attributes:
        needs: the relations that every object must have.
        formed: the relations whose entries the documents have in a form of their own, each with its
            schema.
    """

    def __init__(self, document: Document, schema: str, *, nulls: bool = False) -> None:
        relations, zeros = _RELATIONS.get(schema, ()), _ZEROS.get(schema, ())
        required = document.schema(schema).get("required", ())
        self.needs = tuple(each for each in relations if each in required)
        self._document = document
        self.formed: Json = {}
        self._template: Json = {}
        self._units: list[tuple[str, Fraction, bool]] = []
        self._codes: dict[str, dict[int, Any]] = {}
        for name, node in document.schema(schema)["properties"].items():
            kind = document.resolve(node)
            if name in _STATES.get(schema, ()) and (codes := _sent_states(document, kind)):
                self._codes[name] = codes
            stored = _STORED.get(name, "seconds")
            unit = _UNITS[kind.get("x-unit", stored)] / _UNITS[stored]
            if unit != 1:
                self._units.append((name, unit, "integer" in kind.get("type", ())))
            if name in relations:
                value: Any = ABSENT
                entry = kind.get("items", {})
                usual = f"#/components/schemas/{_GIVEN_AS.get(name)}"
                if entry.get("$ref") != usual and not _is_any_object(document, entry):
                    self.formed[name] = entry
            elif _nullable(document, kind):
                value = None
            elif kind.get("type") == "array":
                value = []
            elif kind.get("type") == "boolean":
                value = False
            elif name in zeros:
                value = 0
            else:
                value = _fitting(document, kind, name in required)
                value = None if nulls and value is _UNSET else value
            self._template[name] = value
        self._optional = tuple(
            name for name, value in self._template.items() if value is _UNSET or value is ABSENT
        )

    def __call__(self, doc: Json, relations: Json | None = None) -> Json:
        """Return the object with these relations, in the documented order.

        Args:
            relations: `ABSENT` takes a member away.
        """
        template = self._template
        if relations and self.formed:
            relations = {**relations, **self._formed(relations)}
        shown = {**template, **doc, **relations} if relations else {**template, **doc}
        if len(shown) > len(template):  # with members that only the sandbox knows
            for name in doc:
                if name not in template:
                    del shown[name]
        for name, unit, is_whole in self._units:
            if isinstance(value := shown[name], int | float):
                scaled = Fraction(value) / unit
                shown[name] = math.ceil(scaled) if is_whole else round(float(scaled), 6)
        for name, codes in self._codes.items():
            shown[name] = codes.get(shown[name], shown[name])
        for name in self._optional:
            if shown[name] is _UNSET or shown[name] is ABSENT:
                del shown[name]
        for name, value in (relations or {}).items():
            if value is ABSENT:
                shown.pop(name, None)
        return shown

    def _formed(self, relations: Json) -> Json:
        """Return the relations that the documents have in a form of their own, in that form."""
        return {
            name: [formed(self._document, schema, each) for each in relations[name]]
            for name, schema in self.formed.items()
            if isinstance(relations.get(name), list)
        }

    def each(self, docs: Sequence[Json]) -> list[Json]:
        """Return these objects without relations."""
        return [self(doc) for doc in docs]


def _sent_states(document: Document, kind: Json) -> dict[int, Any]:
    """Return what is sent for each state of a post, where the document has other codes for it.

    The names of the codes decide, or the texts that are the codes. A state without a name is sent
    as one that is no state's. Without any names, codes are those of a post if `PUBLISHED` is among
    them; otherwise the first is of what is not out, the second of what is out, the third of what
    has failed.
    """
    sent = list(kind.get("enum", ()))
    states = document.codes("PostStatus")
    if not sent or set(states.values()) <= set(sent):
        return {}
    texts = {each.upper(): each for each in sent if isinstance(each, str)}
    named: Json = dict(zip(kind.get("x-enum-varnames", ()), sent, strict=False)) or texts
    if not states.keys() & named.keys() and states["PUBLISHED"] in sent:
        named = {name: code for name, code in states.items() if code in sent}
    elif not states.keys() & named.keys():
        named = dict(zip(("", "PUBLISHED", "FAILED"), sent, strict=False))
    other = next((code for name, code in named.items() if name not in states), sent[0])
    return {code: named.get(name, other) for name, code in states.items()}


def _fitting(document: Document, kind: Json, required: bool) -> Any:
    """Return the value of a field that nothing gives one: its default, example, or any that fits.

    An example of an open set (`x-extensible-enum`) is a value that was seen, and nobody's default.
    """
    seen = kind.get("x-extensible-enum", [])
    candidates = [kind["default"]] if "default" in kind else []
    candidates += [] if seen else kind.get("examples", [])
    if required:
        candidates += [kind.get("const"), *kind.get("enum", ()), *seen, *ANY, *samples(kind)]
    valid = document.validator(kind).is_valid
    return next((each for each in candidates if valid(each)), _UNSET)


def formed(document: Document, schema: Json, known: Json) -> Any:
    """Return an entry of a relation in the form of its schema: the object of that name in it, such
    as its `user`, or its members that the schema has; of the rest what is required.
    """
    node = _branch(document, schema, known)
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    inner = known.get(name[:1].lower() + name[1:])
    if isinstance(inner, dict):
        known = inner
    elif "properties" in node and "additionalProperties" not in node:
        known = {key: value for key, value in known.items() if key in node["properties"]}
    return fitted(document, schema, known or None)  # {} would be made a member


def _is_any_object(document: Document, schema: Json) -> bool:
    """Return whether a schema takes an object and names no member of it, or says nothing."""
    return "properties" not in (node := document.resolve(schema)) and (
        node.get("type", "object") == "object" and "anyOf" not in node
    )


def fitted(document: Document, schema: Json, known: Any) -> Any:
    """Return what a body has by its schema, made of what is known: that itself where it fits, also
    in another form, or its members where they are asked for; of the rest what is required.
    """
    valid = document.validator(schema).is_valid
    for each in _forms(document.resolve(schema), known):
        if valid(each):
            return each
    members = known if isinstance(known, dict) else {}
    texts = (each for each in members.values() if isinstance(each, str))
    if (text := next(texts, None)) is not None and valid(text):
        return text
    node = _branch(document, schema, known)
    if "properties" in node:
        made: Json = {}
        is_around = not members.keys() & node["properties"].keys()
        for name, inner in node["properties"].items():
            fits = document.validator(inner).is_valid
            if name in members:
                value = members[name]
                made[name] = value if fits(value) else fitted(document, inner, value)
            elif is_around and known is not None and fits(known):
                made[name] = known
            elif name in node.get("required", ()):
                made[name] = fitted(document, inner, None)
        return made
    if isinstance(known, dict) and isinstance(inner := node.get("additionalProperties"), dict):
        fits = document.validator(inner).is_valid
        return {
            name: value if fits(value) else fitted(document, inner, value)
            for name, value in known.items()
        }
    if isinstance(known, list) and "items" in node:
        return [fitted(document, node["items"], each) for each in known]
    if valid([]):
        return []
    made = _fitting(document, node, True)
    return known if made is _UNSET or not valid(made) else made


def _branch(document: Document, schema: Json, known: Any) -> Json:
    """Return the alternative of a schema that takes what is known: an object or a list as it is."""
    node = document.resolve(schema)
    name = "object" if isinstance(known, dict) else "array" if isinstance(known, list) else ""
    while "anyOf" in node:
        some = [document.resolve(each) for each in node["anyOf"]]
        node = next((each for each in some if name and name in _types(each)), some[0])
    return node


def _forms(node: Json, known: Any) -> Iterator[Any]:
    """Yield a value as it is, then as a number, a text or a flag that says the same; in a list."""
    if known is None:
        return
    yield known
    if isinstance(known, str):
        if known.isdecimal():
            yield int(known)
        if times.is_moment(known):  # of numbers, milliseconds are documented (§2.2)
            unit = _UNITS[node.get("x-unit", "milliseconds")]
            yield math.floor(Fraction(times.parse(known), 1_000) / unit)
            yield known[:10]
    elif isinstance(known, bool):
        yield from (int(known), str(int(known)), str(known).lower())
    elif isinstance(known, int | float):
        yield str(known)
        yield bool(known)
    yield [known]


ANY: Final[tuple[Any, ...]] = (
    *("", "0", "1970-01-01T00:00:00Z", "1970-01-01", "https://example.com", "a@example.com"),
    *(0, 1, False, {}),
)
"""Values of every type, for a field that must have one."""


def _types(schema: Json) -> Sequence[str]:
    types = schema.get("type", ())
    return (types,) if isinstance(types, str) else types


def _nullable(document: Document, kind: Json) -> bool:
    if isinstance(kind.get("type"), list):
        return "null" in _types(kind)
    return any(document.resolve(each).get("type") == "null" for each in kind.get("anyOf", ()))
