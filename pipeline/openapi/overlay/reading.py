"""Read overlay files and check them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urljoin, urlsplit

from pipeline.openapi.documents import Document, Pointer, load
from pipeline.openapi.overlay.model import (
    ASSUMPTION,
    BASES,
    CONFIRMED,
    MISSING,
    Action,
    Overlay,
    kind_of,
    members,
)
from pipeline.openapi.overlay.query import compile_query
from pipeline.openapi.problems import Finding, PipelineError, Position

_VERSION: Final = re.compile(r"(1)\.([012])\.[0-9]+")
_REFERENCE: Final = "#/components/actions/"


def load_overlay(path: Path) -> Overlay:
    """Read and check an overlay file, YAML or JSON.

    Raises PipelineError with everything that is wrong in the file.
    """
    return parse_overlay(load(path))


def parse_overlay(document: Document) -> Overlay:
    """Check a loaded overlay. Raises PipelineError with everything that is wrong in it."""
    reader = _Reader(document)
    overlay = reader.overlay()
    if reader.findings:
        ordered = sorted(reader.findings, key=lambda found: found.position or reader.at(()))
        raise PipelineError(*ordered)
    return overlay


class _Reader:
    """Checks one overlay file and builds its actions."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.findings: list[Finding] = []
        self.version = (1, 2)

    def overlay(self) -> Overlay:
        name = self.document.name
        root = self.document.data
        nothing = Overlay(name, "", (), self.version, "")
        if not isinstance(root, dict):
            self.wrong((), "an overlay must be an object")
            return nothing
        version = self.text(root, (), "overlay", required=True)
        if version is not None:
            match = _VERSION.fullmatch(version)
            if not match:
                self.wrong(("overlay",), f"overlay: {version} is not a version 1.0, 1.1 or 1.2")
                return nothing
            self.version = (int(match[1]), int(match[2]))
        known = ["overlay", "info", "extends", "actions"]
        self.members(root, (), known + (["$self", "components"] if self.version >= (1, 2) else []))
        title = self.info(root)
        uri = urljoin(Path(name).absolute().as_uri(), self.uri(root, "$self") or "")
        extends = self.uri(root, "extends")
        reusable = self.components(root)
        actions = tuple(self.actions(root, reusable))
        return Overlay(
            name,
            title,
            actions,
            self.version,
            uri,
            None if extends is None else urljoin(uri, extends),
            None if extends is None else self.at(("extends",)),
        )

    def at(self, pointer: Pointer) -> Position:
        return self.document.at(pointer) or Position(self.document.name, 1, 1)

    def wrong(self, pointer: Pointer, message: str) -> None:
        self.findings.append(Finding(message, self.at(pointer), "overlay"))

    def members(self, value: Mapping[str, Any], pointer: Pointer, known: Sequence[str]) -> None:
        for key in value:
            if key not in known and not key.startswith("x-"):
                self.wrong((*pointer, key), f"{key}: not a member of {_where(pointer)}")

    def text(
        self, value: Mapping[str, Any], pointer: Pointer, key: str, *, required: bool = False
    ) -> str | None:
        """Return a member that must be a string."""
        if key not in value:
            if required:
                self.wrong(pointer, f"{key}: missing in {_where(pointer)}")
            return None
        found = value[key]
        if isinstance(found, str):
            return found
        self.wrong((*pointer, key), f"{key}: must be a string, is {kind_of(found)}")
        return None

    def mapping(self, value: Mapping[str, Any], pointer: Pointer, key: str) -> dict[str, Any]:
        """Return a member that must be an object, an empty one if it is not."""
        found = value.get(key, {})
        if isinstance(found, dict):
            return found
        self.wrong((*pointer, key), f"{key}: must be an object, is {kind_of(found)}")
        return {}

    def uri(self, root: Mapping[str, Any], key: str) -> str | None:
        if key not in root or (key == "$self" and self.version < (1, 2)):
            return None
        text = self.text(root, (), key)
        if text is None:
            return None
        try:
            urlsplit(text)
        except ValueError as error:
            self.wrong((key,), f"{key}: not a URI reference: {error}")
            return None
        if "#" in text and self.version >= (1, 2):
            self.wrong((key,), f"{key}: must name a whole document, without a fragment")
        return text

    def info(self, root: Mapping[str, Any]) -> str:
        """Check what an overlay says of itself, and return its title."""
        if "info" not in root:
            self.wrong((), "info: missing in the overlay")
            return ""
        info = self.mapping(root, (), "info")
        if not isinstance(root["info"], dict):
            return ""
        known = ["title", "version"]
        title = self.text(info, ("info",), "title", required=True)
        self.text(info, ("info",), "version", required=True)
        if self.version >= (1, 1):
            known.append("description")
            self.text(info, ("info",), "description")
        self.members(info, ("info",), known)
        return title or ""

    def components(self, root: Mapping[str, Any]) -> dict[str, Any]:
        """Return the checked reusable actions: by name, their `fields`."""
        if self.version < (1, 2):
            return {}
        components = self.mapping(root, (), "components")
        self.members(components, ("components",), ["actions"])
        reusable = {}
        named = self.mapping(components, ("components",), "actions")
        for name in named:
            pointer: Pointer = ("components", "actions", name)
            action = self.mapping(named, pointer[:-1], name)
            self.members(action, pointer, ["description", "fields"])
            self.text(action, pointer, "description")
            fields = self.mapping(action, pointer, "fields")
            if "target" in fields:
                self.wrong((*pointer, "fields", "target"), "target: a reusable action has none")
            self.fields(
                {key: value for key, value in fields.items() if key != "target"},
                (*pointer, "fields"),
            )
            reusable[name] = fields
        return reusable

    def actions(self, root: Mapping[str, Any], reusable: Mapping[str, Any]) -> Iterator[Action]:
        if "actions" not in root:
            self.wrong((), "actions: missing in the overlay")
            return
        actions = root["actions"]
        if not isinstance(actions, list):
            self.wrong(("actions",), f"actions: must be an array, is {kind_of(actions)}")
            return
        if not actions:
            self.wrong(("actions",), "actions: must hold at least one action")
        seen: dict[str, int] = {}
        for index, value in enumerate(actions):
            pointer: Pointer = ("actions", index)
            if not isinstance(value, dict):
                self.wrong(pointer, f"actions: an action must be an object, is {kind_of(value)}")
                continue
            first = seen.setdefault(json.dumps(value, sort_keys=True), index)
            if first != index:
                self.wrong(
                    pointer, f"actions: the same as the one at {self.at(('actions', first))}"
                )
                continue
            found = len(self.findings)
            action = self.action(value, pointer, reusable)
            if action is not None and len(self.findings) == found:
                yield action

    def action(
        self, value: dict[str, Any], pointer: Pointer, reusable: Mapping[str, Any]
    ) -> Action | None:
        target = self.text(value, pointer, "target", required=True)
        self.query(target, (*pointer, "target"))
        origin = dict.fromkeys(value, pointer)
        own = value
        if "$ref" in value and self.version >= (1, 2):
            own = {key: item for key, item in value.items() if key != "$ref"}
        self.fields(own, pointer, target=True)
        if own is not value:
            name = self.reference(value, pointer, reusable)
            if name is None:
                return None
            inherited = reusable[name]
            origin = dict.fromkeys(inherited, ("components", "actions", name, "fields")) | origin
            value = {**inherited, **own}
        if "update" in value and "copy" in value and value.get("remove") is not True:
            self.wrong(
                pointer, "update and copy in one action: each is to be ignored for the other"
            )
        if ASSUMPTION in value and CONFIRMED in value:
            self.wrong(pointer, f"{ASSUMPTION} and {CONFIRMED} in one action")
        source = "copy" if "copy" in value else "update"
        start = (*origin[source], source) if source in origin else pointer
        return Action(
            target=target or "",
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

    def reference(
        self, value: dict[str, Any], pointer: Pointer, reusable: Mapping[str, Any]
    ) -> str | None:
        """Return the name of the reusable action that an action refers to."""
        text = self.text(value, pointer, "$ref")
        if text is None:
            return None
        name = unquote(text.removeprefix(_REFERENCE))
        if not text.startswith(_REFERENCE) or "/" in name or re.search("~(?![01])", name):
            self.wrong((*pointer, "$ref"), f"$ref: {text} is not of the form {_REFERENCE}name")
            return None
        name = name.replace("~1", "/").replace("~0", "~")
        if name not in reusable:
            self.wrong((*pointer, "$ref"), f"$ref: there is no reusable action {name}")
            return None
        return name

    def fields(self, value: dict[str, Any], pointer: Pointer, *, target: bool = False) -> None:
        """Check the members that an action and a reusable action have in common."""
        known = ["description", "update", "remove"] + (["target"] if target else [])
        if self.version >= (1, 1):
            known.append("copy")
            self.query(self.text(value, pointer, "copy"), (*pointer, "copy"))
        self.members(value, pointer, known)
        self.text(value, pointer, "description")
        if not isinstance(value.get("remove", False), bool):
            self.wrong((*pointer, "remove"), "remove: must be true or false")
        self.word(value, pointer, ASSUMPTION, ("gap", "basis", "because"))
        self.word(value, pointer, CONFIRMED, ("gap", "evidence"))

    def word(self, value: dict[str, Any], pointer: Pointer, key: str, known: Sequence[str]) -> None:
        word = self.mapping(value, pointer, key)
        if not isinstance(value.get(key), dict):
            return
        pointer = (*pointer, key)
        for member in known:
            text = self.text(word, pointer, member, required=True)
            if text is not None and not text.strip():
                self.wrong((*pointer, member), f"{member}: must not be empty")
            elif member == "basis" and text is not None and text not in BASES:
                self.wrong((*pointer, member), f"basis: must be one of {', '.join(BASES)}")
        for member in word:
            if member not in known:
                self.wrong((*pointer, member), f"{member}: not a member of {key}")

    def query(self, text: str | None, pointer: Pointer) -> None:
        if text is not None:
            try:
                compile_query(text)
            except ValueError as error:
                self.wrong(pointer, f"{pointer[-1]}: not an RFC 9535 JSONPath: {error}")

    def places(
        self, start: Pointer, value: Any, inner: Pointer = ()
    ) -> Iterator[tuple[Pointer, Position]]:
        """Yield the position of every node of a value, by its pointer from that value."""
        yield inner, self.at((*start, *inner))
        for key, member in members(value):
            yield from self.places(start, member, (*inner, key))


def _where(pointer: Pointer) -> str:
    match pointer:
        case ():
            return "the overlay"
        case ("actions", int()):
            return "the action"
        case ("components", "actions", name):
            return f"the reusable action {name}"
        case ("components", "actions", name, "fields"):
            return f"the fields of the reusable action {name}"
        case _:
            return str(pointer[-1])
