"""Read overlay files and check them."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import jsonschema_rs

from pipeline.openapi.documents import Document, Pointer, load
from pipeline.openapi.objects import as_dict, as_list, members
from pipeline.openapi.overlay.model import ASSUMPTION, BASES, CONFIRMED, MISSING, Action, Overlay
from pipeline.openapi.overlay.query import compile_query
from pipeline.openapi.problems import Finding, PipelineError, Position, in_order
from pipeline.openapi.validation import described
from pipeline.openapi.wording import field

_STRING: Final = {"type": "string"}
_TEXT: Final = {"type": "string", "pattern": r"\S", "description": "a text"}


def load_overlay(path: Path) -> Overlay:
    """Read and check an overlay file, YAML or JSON.

    Raises PipelineError with everything that is wrong in the file.
    """
    return parse_overlay(load(path))


def parse_overlay(document: Document) -> Overlay:
    """Check a loaded overlay. Raises PipelineError with everything that is wrong in it."""
    reader = _Reader(document)
    reader.check()
    if reader.findings:
        raise PipelineError(*in_order(reader.findings))
    actions = (reader.action(value, ("actions", n)) for n, value in enumerate(reader.listed))
    return Overlay(document.name, tuple(actions))


# The grammar


def _object(*required: str, **members: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(required),
        "properties": members,
        "patternProperties": {"^x-": {}},
        "additionalProperties": False,
    }


def _word(**members: Any) -> dict[str, Any]:
    return {**_object(*members, **members), "patternProperties": {}}


_ACTION: Final = _object(
    "target",
    target=_STRING,
    description=_STRING,
    update={},
    remove={"type": "boolean"},
    copy=_STRING,
    **{
        ASSUMPTION: _word(gap=_TEXT, basis={"enum": list(BASES)}, because=_TEXT),
        CONFIRMED: _word(gap=_TEXT, evidence=_TEXT),
    },
)
_SCHEMA: Final = _object(
    "overlay",
    "info",
    "actions",
    overlay={
        "type": "string",
        "pattern": r"^1\.[01]\.[0-9]+$",
        "description": "a version 1.0 or 1.1 in quotes, with its patch",
    },
    info=_object("title", "version", title=_STRING, version=_STRING, description=_STRING),
    extends=_STRING,
    actions={"type": "array", "minItems": 1, "items": _ACTION},
)


@functools.cache
def _validator() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(_SCHEMA, offline=True)


class _Reader:
    """Checks one overlay file and builds its actions."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.findings: list[Finding] = []
        self.listed = as_list(as_dict(document.data).get("actions"))

    def at(self, pointer: Pointer) -> Position:
        return self.document.at(pointer) or Position(self.document.name, 1, 1)

    def wrong(self, pointer: Pointer, message: str) -> None:
        self.findings.append(Finding(message, self.at(pointer), "overlay"))

    def check(self) -> None:
        """Take down everything that is wrong."""
        for path, problem in described(_SCHEMA, _validator().iter_errors(self.document.data)):
            self.wrong(tuple(path), f"{field(path) or 'the overlay'} {problem}")
        seen: dict[str, int] = {}
        for index, value in enumerate(self.listed):
            pointer: Pointer = ("actions", index)
            first = seen.setdefault(json.dumps(value, sort_keys=True), index)
            if first != index:
                text = f"actions: the same as the one at {self.at(('actions', first))}"
                self.wrong(pointer, text)
            if isinstance(value, dict):
                self.check_action(value, pointer)

    def check_action(self, value: Mapping[str, Any], pointer: Pointer) -> None:
        """Check what no schema can: queries, and members that exclude each other."""
        for key in ("target", "copy"):
            try:
                if isinstance(value.get(key), str):
                    compile_query(value[key])
            except ValueError as error:
                self.wrong((*pointer, key), f"{key}: not an RFC 9535 JSONPath: {error}")
        if "update" in value and "copy" in value and value.get("remove") is not True:
            text = "update and copy in one action: each is to be ignored for the other"
            self.wrong(pointer, text)
        if ASSUMPTION in value and CONFIRMED in value:
            self.wrong(pointer, f"{ASSUMPTION} and {CONFIRMED} in one action")

    def action(self, value: Mapping[str, Any], pointer: Pointer) -> Action:
        """Return an action, of which nothing is wrong."""
        source = "copy" if "copy" in value else "update"
        start = (*pointer, source) if source in value else pointer
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
        )

    def places(
        self, start: Pointer, value: Any, inner: Pointer = ()
    ) -> Iterator[tuple[Pointer, Position]]:
        """Yield the position of every node of a value, by its pointer from that value."""
        yield inner, self.at((*start, *inner))
        for key, member in members(value):
            yield from self.places(start, member, (*inner, key))
