"""Projects of any size: documents as people write them, overlays, a register of gaps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pipeline.openapi.yamls import dump

_OPERATIONS: Final = 5  # of one resource
_TOGETHER: Final = 5  # resources of one tag
_WORDS: Final = (
    "account", "address", "amount", "area", "balance", "branch", "carrier", "category", "city",
    "colour", "comment", "contact", "currency", "customer", "deadline", "delivery", "department",
    "discount", "district", "grade", "language", "margin", "method", "origin", "owner", "priority",
    "quantity", "reason", "region", "remark", "season", "source", "stage", "supplier", "weight",
)  # fmt: skip
_NOUNS: Final = (
    "Article", "Batch", "Claim", "Depot", "Employee", "Fee", "Gauge", "Holding", "Invoice",
    "Journey", "Kit", "Lease", "Meter", "Notice", "Order", "Parcel", "Quote", "Route", "Shipment",
    "Ticket", "Unit", "Vehicle", "Warehouse", "Yield", "Zone",
)  # fmt: skip

Data = dict[str, Any]


def write_project(folder: Path, operations: int) -> Path:
    """Write a project with so many operations, five a resource, and return its configuration.

    A resource has a model of 10 to 24 properties with references to others, a kind as an
    enumeration, bodies to create and to change it, a page of it, five actions in the overlays and
    two gaps; all of this grows in step. One action more goes to every operation. Every 25
    operations have a tag of their own.
    """
    resources = range(operations // _OPERATIONS)
    assumed, names, gaps = [_everywhere()], [], [_gap("limit", 1, "What too many requests get.")]
    for number in resources:
        assumed += _assumed(number)
        names += _names(number)
        gaps += _gaps(number)
    files = {
        "spec/main.yaml": _document(len(resources)),
        "spec/gaps.yaml": {"gaps": gaps},
        "overlays/main/assumed.yaml": _overlay("What is assumed", assumed),
        "overlays/client.yaml": _overlay("How the client is made", names),
    }
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dump(data), encoding="utf-8")
    configuration = folder / "pyproject.toml"
    configuration.write_text(_CONFIGURATION, encoding="utf-8")
    return configuration


_CONFIGURATION: Final = """\
[tool.pipeline]
gaps = "spec/gaps.yaml"
output = "generated"

[tool.pipeline.documents.main]
path = "spec/main.yaml"
overlays = ["overlays/main", "overlays/client.yaml"]

[tool.pipeline.client]
distribution = "growing"
package = "growing"
class_name = "Growing"
version = "1.0.0"
title = "Growing Service"
summary = "A service of many operations."
license = "MIT"
environment = "GROWING"
"""


def _name(number: int) -> str:
    """Return the name of a resource: `Article`, and after all nouns `Article2`."""
    again, noun = divmod(number, len(_NOUNS))
    return _NOUNS[noun] + (str(again + 1) if again else "")


def _document(resources: int) -> Data:
    schemas: Data = {
        "Problem": _object({"title": _text("What is wrong."), "detail": _text("More of it.")})
    }
    paths: Data = {}
    for number in range(resources):
        schemas.update(_schemas(number, resources))
        paths.update(_paths(number))
    tags = sorted({_tag(number) for number in range(resources)})
    return {
        "openapi": "3.1.0",
        "info": {"title": "Growing Service", "version": "1", "description": "Many operations."},
        "servers": [{"url": "https://growing.example/api"}],
        "security": [{"Bearer": []}],
        "tags": [{"name": tag, "description": f"All about {tag}."} for tag in tags],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {
                "Problem": {
                    "description": "It was refused.",
                    "content": _json({"$ref": "#/components/schemas/Problem"}),
                }
            },
            "securitySchemes": {"Bearer": {"type": "http", "scheme": "bearer"}},
        },
    }


def _tag(number: int) -> str:
    return f"area {number // _TOGETHER + 1}"


def _schemas(number: int, resources: int) -> Data:
    name = _name(number)
    others = [_name((number + step) % resources) for step in (1, 2, 7)]
    fields = dict(_fields(number, name, others))
    given = {key: value for key, value in fields.items() if key not in ("id", "createdAt")}
    sent = {key: value for key, value in given.items() if "$ref" not in str(value) or key == "kind"}
    return {
        name: _object(fields, "id", "kind"),
        f"{name}Kind": {
            "type": "string",
            "description": f"Of what kind a {name.lower()} is.",
            "enum": [f"{word}-{number}" for word in ("basic", "large", "special", "other")],
        },
        f"{name}Creation": _object(sent, "kind"),
        f"{name}Change": _object(dict(list(sent.items())[: len(sent) // 2 + 1])),
        f"{name}Page": _object(
            {
                "items": {**_list(name), "description": "What was found."},
                "next": {"type": ["string", "null"], "description": "Where it goes on."},
            },
            "items",
        ),
    }


def _fields(number: int, name: str, others: list[str]) -> Iterator[tuple[str, Data]]:
    """Yield the properties of a model, between 10 and 30 of them."""
    yield "id", {"type": "string", "description": "Its id.", "examples": [f"{number}"]}
    yield "kind", {"$ref": f"#/components/schemas/{name}Kind"}
    yield (
        "createdAt",
        {
            "type": ["string"],
            "format": "date-time",
            "description": "When it was made.",
            "x-gap": f"{name}.createdAt",
        },
    )
    for place, other in enumerate(others):
        key = f"{other[0].lower()}{other[1:]}"
        if place == 0:
            yield key, {"$ref": f"#/components/schemas/{other}"}
        else:
            yield f"{key}s", {**_list(other), "description": f"Each {key} of it."}
    for step in range(4 + (number * 7) % 21):
        word = _WORDS[(number + step) % len(_WORDS)]
        said = f"The {word}, as it is known."
        yield (
            word,
            (
                _text(said),
                {"type": "integer", "minimum": 0, "maximum": 1000, "description": said},
                {"type": ["number", "null"], "description": said},
                {"type": "boolean", "default": False, "description": said},
                {"type": "string", "format": "date", "description": said},
                {"type": "array", "items": {"type": "string"}, "description": said},
                {
                    "type": "object", "description": said,
                    "additionalProperties": {"type": "integer"},
                },
            )[step % 7],
        )  # fmt: skip


def _paths(number: int) -> Data:
    name = _name(number)
    plural = f"{name.lower()}s"
    key = f"{name[0].lower()}{name[1:]}Id"
    id_given = {
        "name": key, "in": "path", "required": True, "description": "Its id.",
        "schema": {"type": "string"},
    }  # fmt: skip

    def operation(id: str, words: str, schema: str, sent: str = "", *given: Data) -> Data:
        made: Data = {
            "operationId": id, "tags": [_tag(number)], "summary": words,
            "description": f"{words} Whoever asks needs the right to.",
        }  # fmt: skip
        if given:
            made["parameters"] = list(given)
        if sent:
            made["requestBody"] = {
                "required": True, "content": _json({"$ref": f"#/components/schemas/{sent}"}),
            }  # fmt: skip
        good: Data = {"description": "Done."}
        if schema:
            good["content"] = _json({"$ref": f"#/components/schemas/{schema}"})
        made["responses"] = {
            ("200" if schema else "204"): good,
            "4XX": {"$ref": "#/components/responses/Problem"},
        }
        return made

    found = operation(
        f"list{name}s", f"Find all {plural}.", f"{name}Page", "",
        _query("search", {"type": "string", "maxLength": 100}),
        _query("limit", {"type": "integer", "minimum": 1, "maximum": 100}),
        _query("kind", {"$ref": f"#/components/schemas/{name}Kind"}),
        _query("ids", {"type": "array", "items": {"type": "string"}}),
    )  # fmt: skip
    return {
        f"/{plural}": {
            "get": found,
            "post": operation(f"create{name}", f"Make a {name}.", name, f"{name}Creation"),
        },
        f"/{plural}/{{{key}}}": {
            "get": operation(f"get{name}", f"Get a {name}.", name, "", id_given),
            "patch": operation(
                f"update{name}", f"Change a {name}.", name, f"{name}Change", id_given
            ),
            "delete": operation(f"delete{name}", f"Remove a {name}.", "", "", id_given),
        },
    }


def _everywhere() -> Data:
    return {
        "target": "$.paths.*.*.responses",
        "update": {"429": {"$ref": "#/components/responses/Problem"}},
        "x-assumption": {"gap": "limit", "basis": "convention", "because": "Its usual code."},
    }


def _assumed(number: int) -> list[Data]:
    name = _name(number)
    return [
        {
            "target": f"$.components.schemas.{name}.properties.createdAt",
            "update": {"type": ["null"]},
            "x-assumption": {
                "gap": f"{name}.createdAt", "basis": "seen", "because": "One example has none.",
            },
        },
        {
            "target": f"$.paths['/{name.lower()}s'].get.parameters[?@.name == 'ids'].schema",
            "update": {"maxItems": 50},
            "x-assumption": {
                "gap": f"{name}.ids", "basis": "analogy", "because": "Other lists have this limit.",
            },
        },
    ]  # fmt: skip


def _names(number: int) -> list[Data]:
    name = _name(number)
    place = f"$.paths['/{name.lower()}s']"
    return [
        {"target": f"{place}.get", "update": {"x-python-name": f"find_{name.lower()}s"}},
        {"target": f"{place}.post", "update": {"x-retry-safety": "idempotent"}},
        {
            "target": f"$.components.schemas.{name}Kind",
            "update": {"x-enum-varnames": ["BASIC", "LARGE", "SPECIAL", "OTHER"]},
        },
    ]


def _gaps(number: int) -> list[Data]:
    name, section = _name(number), number // _TOGETHER + 1
    members = ("createdAt", "ids")
    return [_gap(f"{name}.{each}", section, f"What is true of `{each}`.") for each in members]


def _gap(id: str, section: int, missing: str) -> Data:
    return {"id": id, "section": str(section), "missing": missing, "decision": "overlay"}


def _overlay(title: str, actions: list[Data]) -> Data:
    return {"overlay": "1.1.0", "info": {"title": title, "version": "1"}, "actions": actions}


def _object(properties: Data, *required: str) -> Data:
    made = {"type": "object", "properties": properties, "description": "As the service has it."}
    return {**made, "required": list(required)} if required else made


def _list(of: str) -> Data:
    return {"type": "array", "items": {"$ref": f"#/components/schemas/{of}"}}


def _text(description: str) -> Data:
    return {"type": "string", "description": description}


def _query(name: str, schema: Data) -> Data:
    return {"name": name, "in": "query", "description": "What to look for.", "schema": schema}


def _json(schema: Data) -> Data:
    return {"application/json": {"schema": schema}}
