"""Which members the objects of a world have: those of the documents, and a few of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, Final

from social_publishing_sandbox.compiled import jsonschema_rs
from social_publishing_sandbox.state import documents as contract
from social_publishing_sandbox.state.documents import Json
from social_publishing_sandbox.state.reading import Path
from social_publishing_sandbox.state.shape import Shape
from social_publishing_sandbox.worlds import moments
from social_publishing_sandbox.worlds.problems import Problem

FORMAT: Final = 1
"""The version of the world format; see `worlds`."""

KINDS: Final = {
    "users": "User",
    "groups": "Group",
    "social_accounts": "SocialAccount",
    "labels": "Label",
    "media": "Media",
    "posts": "Post",
    "calendar_notes": "CalendarNote",
    "activities": "PostActivity",
}
"""The lists of a world, and the documents' schema of what is in each."""

_RELATIONS: Final = {
    "Group": ("socialAccounts", "socialAccountsCount"),
    "SocialAccount": ("user",),
    "Post": ("user", "socialAccounts", "media", "labels"),
}
"""Members of the documents that show other objects, so that no world holds them."""

_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_ID: Final = {"$ref": "#/components/schemas/Id"}
_MOMENT: Final = {"type": "string", "format": "date-time"}


def _object(**properties: Json) -> Json:
    return {"type": "object", "properties": properties, "additionalProperties": False}


TOKEN: Final = "^[!-~]+$"
"""Pattern of a token: printable ASCII characters without spaces, as a header carries them."""

_OWN: Final[dict[str, Json]] = {
    "User": {"token": {"type": "string", "pattern": TOKEN}},
    "Media": {"sandbox": {"type": "object"}},
    "CalendarNote": {"series": _TEXT},
    "PostDetail": {"status": {"type": "integer"}},  # a state of a post, whatever is sent
    "Post": {
        "sandbox": {"type": "object"},
        "labelIds": _TEXTS,
        "comments": {
            "type": "array",
            "items": _object(id=_ID, user_id=_TEXT, content=_TEXT, created_at=_MOMENT),
        },
        "tasks": {
            "type": "array",
            "items": _object(
                id=_ID,
                user_id=_TEXT,
                name=_TEXT,
                is_done={"type": "boolean"},
                due_date=_MOMENT,
                created_at=_MOMENT,
            ),
        },
        "approvals": {
            "type": "array",
            "items": _object(
                user_id=_TEXT,
                status={"enum": ["approved", "rejected"]},
                created_at=_MOMENT,
            ),
        },
    },
}
"""Members that a world has beside the documented ones, or in another form."""

_WORLD: Final = {
    "type": "object",
    "required": ["format"],
    "properties": {
        "format": {"const": FORMAT},
        "now": _MOMENT,
        "organization": _object(
            id=_ID,
            name=_TEXT,
            approval_workflow={"$ref": "#/components/schemas/ApprovalWorkflow"},
            task_integration={"type": "boolean"},
        ),
        **{name: {"type": "array", "items": {"type": "object"}} for name in KINDS},
    },
    "additionalProperties": False,
}


def objects(world: Json) -> Iterator[tuple[Path, Json]]:
    """Yield the objects of a world with their paths, the details of posts among them."""
    yield ("organization",), world.get("organization", {})
    for kind in KINDS:
        for position, item in enumerate(world.get(kind, ())):
            yield (kind, position), item
            for number, detail in enumerate(item.get("details", ())):
                yield (kind, position, "details", number), detail


def problems(world: Any) -> Iterator[Problem]:
    """Yield what is wrong with the members of a world and of its objects."""
    own = list(_shapes()["world"].problems(world))
    yield from (Problem(*each) for each in own)
    if own:
        return
    for name in KINDS:
        for position, item in enumerate(world.get(name, ())):
            yield from (Problem(*each) for each in _shapes()[name].problems(item, (name, position)))


def with_codes(world: Any) -> None:
    """Put codes in the place of their names: `SCHEDULED` becomes 25."""
    for item, known in _coded(world):
        for key in known.keys() & item.keys():
            if isinstance(item[key], str):
                item[key] = known[key].get(item[key].upper(), item[key])


def _coded(world: Any) -> Iterator[tuple[Json, dict[str, dict[str, int]]]]:
    """Yield the objects of a world, whatever it is, with the codes of their members."""
    codes = _codes()
    for owner in _objects([world]):
        for object_ in _objects([owner.get("organization")]):
            yield object_, codes["organization"]
        for name in KINDS:
            for object_ in _objects(owner.get(name)):
                yield object_, codes[name]
                for detail in _objects(object_.get("details")):
                    yield detail, codes[name]


def _objects(value: Any) -> list[Json]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


@functools.cache
def _codes() -> dict[str, dict[str, dict[str, int]]]:
    """Return the codes by their names, by member, by list; the details have those of their post."""
    by_list: dict[str, dict[str, dict[str, int]]] = {name: {} for name in KINDS}
    for document in contract.load().documents:
        for name, schema in KINDS.items():
            if schema not in document.data["components"]["schemas"]:
                continue
            for key, node in document.schema(schema)["properties"].items():
                if codes := document.codes_of(node):
                    by_list[name][key] = codes
    return {**by_list, "organization": by_list["groups"]}


def without_nulls(value: Any) -> Any:
    """Return the same value without the members that are null: null stands for what is left out."""
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [without_nulls(each) for each in value]
    return value


def with_moments(value: Any, change: Callable[[str], str]) -> Any:
    """Return the same value with every date-time changed."""
    if isinstance(value, list):
        return [with_moments(each, change) for each in value]
    if not isinstance(value, dict):
        return value
    dated = _moments()
    return {
        key: change(item) if key in dated and isinstance(item, str) else with_moments(item, change)
        for key, item in value.items()
    }


@functools.cache
def _moments() -> frozenset[str]:
    """Return the members that hold a date-time, whatever object they are in."""
    documented = [each.data["components"]["schemas"] for each in contract.load().documents]
    return frozenset(_dated("", [*documented, _OWN, _WORLD]))


def _dated(name: str, node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for inner in node:
            yield from _dated(name, inner)
    elif isinstance(node, dict):
        if node.get("format") == "date-time":
            yield name
        for key, inner in node.items():
            yield from _dated(key, inner)


@functools.cache
def _shapes() -> dict[str, Shape]:
    components = {
        "schemas": {
            name: _closed(name, schema)
            for document in contract.load().documents
            for name, schema in document.data["components"]["schemas"].items()
        }
    }
    lists: dict[str, Json] = {
        name: {"$ref": f"#/components/schemas/{schema_name}"} for name, schema_name in KINDS.items()
    }
    return {
        name: Shape({**schema, "components": components}, _reason, {"date-time": moments.is_kept})
        for name, schema in {**lists, "world": _WORLD}.items()
    }


def _closed(name: str, schema: Json) -> Json:
    """Return a schema that requires nothing, and takes names where identifiers stand."""
    if "properties" not in schema:
        return schema
    derived = _RELATIONS.get(name, ())
    properties = {
        key: value if key == "id" else _loose(value)
        for key, value in schema["properties"].items()
        if key not in derived
    }
    return {
        "type": "object",
        "properties": {**properties, **_OWN.get(name, {})},
        "additionalProperties": False,
    }


def _loose(schema: Json) -> Json:
    """Return what a member may be: not null, and any text where an identifier stands."""
    if schema.get("$ref", "").endswith("/Id"):
        return _TEXT
    if "anyOf" in schema:
        some = [each for each in schema["anyOf"] if each.get("type") != "null"]
        return _loose(some[0]) if len(some) == 1 else {**schema, "anyOf": some}
    if "items" in schema:
        return {**schema, "items": _loose(schema["items"])}
    return schema


def _reason(error: jsonschema_rs.ValidationError, where: Path) -> str | None:
    facts = error.kind.as_dict()
    if facts.get("format") == "date-time":
        return "must be a date-time between 1970 and 2080, such as 2026-12-01T09:00:00Z"
    if error.kind.name == "enum":
        codes = _codes().get(str(where[0]), {}).get(str(where[-1]), {})
        names = {code: f"{name} ({code})" for name, code in codes.items()}
        return f"must be one of {', '.join(names.get(e, str(e)) for e in facts['options'])}"
    return None
