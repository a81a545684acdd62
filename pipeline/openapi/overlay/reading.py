"""Read overlay files and check them."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

import jsonschema_rs

from pipeline.openapi.documents import Document, Pointer, loads, read_text
from pipeline.openapi.objects import as_dict, as_list, members
from pipeline.openapi.overlay.model import ASSUMPTION, BASES, CONFIRMED, MISSING, Action, Overlay
from pipeline.openapi.overlay.query import compile_query
from pipeline.openapi.problems import Finding, PipelineError, Position, in_order
from pipeline.openapi.validation import described
from pipeline.openapi.wording import COMMA, field

_REFERENCE: Final = "#/components/actions/"
_VERSION: Final = r"^1\.[012]\.[0-9]+$"
_STRING: Final = {"type": "string"}
_TEXT: Final = {"type": "string", "pattern": r"\S", "description": "a text"}


def load_overlay(path: Path) -> Overlay:
    """Read and check an overlay file, YAML or JSON.

    Raises PipelineError with everything that is wrong in the file.
    """
    return _overlay_of(read_text(path), str(path))


@functools.lru_cache(maxsize=128)
def _overlay_of(text: str, name: str) -> Overlay:
    """Read an overlay once in a run, which asks for all of them several times."""
    return parse_overlay(loads(text, name))


def parse_overlay(document: Document) -> Overlay:
    """Check a loaded overlay. Raises PipelineError with everything that is wrong in it."""
    given = str(as_dict(document.data).get("overlay"))
    version = (1, int(given[2])) if re.match(_VERSION, given) else (1, 2)
    reader = _Reader(document, version)
    reader.check()
    if reader.findings:
        raise PipelineError(*in_order(reader.findings))
    return reader.overlay()


# The grammar


def _object(*required: str, **members: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": members,
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }


# Members of one word that are written in the other one.
_OF_THE_OTHER: Final = {
    (ASSUMPTION, "evidence"): CONFIRMED,
    (CONFIRMED, "basis"): ASSUMPTION,
    (CONFIRMED, "because"): ASSUMPTION,
}


def _word(**members: Any) -> dict[str, Any]:
    return {**_object(*members, **members), "patternProperties": {}}


@functools.cache
def _grammar(version: tuple[int, int]) -> tuple[dict[str, Any], jsonschema_rs.Validator]:
    """Return the schema of overlays of a version, and its validator."""
    uri = {"type": "string", "format": "reference", "description": "a URI reference"}
    info = {"title": _STRING, "version": _STRING}
    fields = {
        "description": _STRING,
        "update": {},
        "remove": {"type": "boolean"},
        ASSUMPTION: _word(gap=_TEXT, basis={"enum": list(BASES)}, because=_TEXT),
        CONFIRMED: _word(gap=_TEXT, evidence=_TEXT),
    }
    action: dict[str, Any] = {"target": _STRING, **fields}
    root: dict[str, Any] = {}
    if version >= (1, 1):
        info["description"] = _STRING
        fields["copy"] = action["copy"] = _STRING
    if version >= (1, 2):
        uri["description"] = "a URI reference of a whole document, without a fragment"
        uri["pattern"] = "^[^#]*$"
        action["$ref"] = _STRING
        reusable = _object(description=_STRING, fields=_object(**fields))
        actions = {"type": "object", "additionalProperties": reusable}
        root = {"$self": uri, "components": _object(actions=actions)}
    root |= {
        "overlay": {
            "type": "string",
            "pattern": _VERSION,
            "description": "a version 1.0, 1.1 or 1.2 in quotes, with its patch",
        },
        "info": _object("title", "version", **info),
        "extends": uri,
        "actions": {"type": "array", "minItems": 1, "items": _object("target", **action)},
    }
    schema = _object("overlay", "info", "actions", **root)
    return schema, jsonschema_rs.validator_for(
        schema, formats={"reference": _is_reference}, validate_formats=True, offline=True
    )


def _is_reference(text: str) -> bool:
    try:
        urlsplit(text)
    except ValueError:
        return False
    return True


class _Reader:
    """Checks one overlay file and builds its actions."""

    def __init__(self, document: Document, version: tuple[int, int]) -> None:
        self.document = document
        self.version = version
        self.findings: list[Finding] = []
        self.listed = as_list(as_dict(document.data).get("actions"))
        components = as_dict(as_dict(document.data).get("components"))
        self.reusable = as_dict(components.get("actions"))

    def at(self, pointer: Pointer) -> Position:
        return self.document.at(pointer) or Position(self.document.name, 1, 1)

    def wrong(self, pointer: Pointer, message: str) -> None:
        self.findings.append(Finding(message, self.at(pointer), "overlay"))

    def check(self) -> None:
        """Take down everything that is wrong."""
        schema, validator = _grammar(self.version)
        said = [*described(schema, validator.iter_errors(self.document.data))]
        split = [path[:-1] for path, problem in said if problem.endswith(COMMA)]
        for path, problem in said:
            if path not in split:  # what an object lacks may stand in the text that is split
                other = _OF_THE_OTHER.get(tuple(path[-2:]), "")
                hint = f": it belongs to {other}" if other else ""
                self.wrong(tuple(path), f"{field(path) or 'the overlay'} {problem}{hint}")
        seen: dict[str, int] = {}
        for index, value in enumerate(self.listed):
            pointer: Pointer = ("actions", index)
            first = seen.setdefault(json.dumps(value, sort_keys=True), index)
            if first != index:
                text = f"actions: the same as the one at {self.at(('actions', first))}"
                self.wrong(pointer, text)
            if isinstance(value, dict):
                self.check_action(value, pointer)
        for name in self.reusable:
            self.check_query(self.inherited(name), ("components", "actions", name, "fields"))

    def check_query(self, value: Mapping[str, Any], pointer: Pointer) -> None:
        for key in ("target", "copy"):
            try:
                if isinstance(value.get(key), str):
                    compile_query(value[key])
            except ValueError as error:
                self.wrong((*pointer, key), f"{key}: not an RFC 9535 JSONPath: {error}")

    def check_action(self, value: Mapping[str, Any], pointer: Pointer) -> None:
        """Check what no schema can: members that exclude each other, and a reference."""
        self.check_query(value, pointer)
        name = self.reference(value)
        if name is not None and not name:
            text = f"$ref: {value['$ref']} is not of the form {_REFERENCE}name"
            self.wrong((*pointer, "$ref"), text)
        elif name is not None and name not in self.reusable:
            self.wrong((*pointer, "$ref"), f"$ref: there is no reusable action {name}")
        action = {**self.inherited(name), **value}
        if "update" in action and "copy" in action and action.get("remove") is not True:
            text = "update and copy in one action; use one of the two"
            self.wrong(pointer, text)
        if ASSUMPTION in action and CONFIRMED in action:
            self.wrong(pointer, f"{ASSUMPTION} and {CONFIRMED} in one action")

    def reference(self, value: Mapping[str, Any]) -> str | None:
        """Return the name of the reusable action; None without one, empty where it has no form."""
        text = value.get("$ref")
        if self.version < (1, 2) or not isinstance(text, str):
            return None
        name = unquote(text.removeprefix(_REFERENCE))
        if not text.startswith(_REFERENCE) or "/" in name or re.search("~(?![01])", name):
            return ""
        return name.replace("~1", "/").replace("~0", "~")

    def inherited(self, name: str | None) -> dict[str, Any]:
        return as_dict(as_dict(self.reusable.get(name or "")).get("fields"))

    def overlay(self) -> Overlay:
        """Return the overlay, of which nothing is wrong."""
        root, name = self.document.data, self.document.name
        uri = urljoin(Path(name).absolute().as_uri(), root.get("$self", ""))
        extends = root.get("extends")
        return Overlay(
            name,
            tuple(self.action(value, ("actions", n)) for n, value in enumerate(self.listed)),
            None if extends is None else urljoin(uri, extends),
            None if extends is None else self.at(("extends",)),
        )

    def action(self, own: Mapping[str, Any], pointer: Pointer) -> Action:
        name = self.reference(own)
        inherited = self.inherited(name)
        value = {**inherited, **own}
        source = "copy" if "copy" in value else "update"
        start: Pointer = pointer
        if source in value:
            home = pointer if source in own else ("components", "actions", name or "", "fields")
            start = (*home, source)
        return Action(
            target=value["target"],
            update=value.get("update", MISSING),
            remove=value.get("remove") is True,
            copy=value.get("copy"),
            description=value.get("description", ""),
            words={key: item for key, item in value.items() if key.startswith("x-")},
            position=self.at(pointer),
            overlay=self.document.name,
            positions=dict(self.places(start, value.get(source))),
            version=self.version,
        )

    def places(
        self, start: Pointer, value: Any, inner: Pointer = ()
    ) -> Iterator[tuple[Pointer, Position]]:
        """Yield the position of every node of a value, by its pointer from that value."""
        yield inner, self.at((*start, *inner))
        for key, member in members(value):
            yield from self.places(start, member, (*inner, key))
