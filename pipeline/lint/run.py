"""One run of the lint: a document, the questions that rules ask of it, and what they found."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple
from urllib.parse import unquote

from pipeline.codegen.normalize import METHODS
from pipeline.lint.nodes import Node, as_dict, as_list, walk
from pipeline.openapi.documents import Document, Pointer
from pipeline.openapi.problems import Finding

Severity = Literal["error", "note"]


class Operation(NamedTuple):
    """An operation of a path; `parameters` are its own and its path's, references followed."""

    path: str
    path_pointer: Pointer
    method: str
    pointer: Pointer
    value: dict[str, Any]
    parameters: list[Node]

    @property
    def route(self) -> str:
        """Its method and path: `GET /books`."""
        return f"{self.method.upper()} {self.path}"

    @property
    def title(self) -> str:
        """Its id, or what else to call it."""
        name = self.value.get("operationId")
        return name if isinstance(name, str) else self.route


class Run:
    """A document, its nodes, and what has been found in it.

    Attributes:
        nodes: all objects of the document, those around others first.
        kinds: the kind of the node at each pointer.
        house: how severe it is to go against this project's manner.
        findings: what was said, each thing once, in no order.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.data = document.data
        self.nodes = list(walk("document", (), document.data))
        self.kinds = {node.pointer: node.kind for node in self.nodes}
        self.house: Severity = "error" if "x-sections" in as_dict(self.data) else "note"
        self.findings: list[Finding] = []
        self._said: set[tuple[Pointer, str]] = set()

    def say(self, pointer: Pointer, message: str, rule: str, severity: Severity = "error") -> None:
        """Take down a finding, once."""
        if (pointer, message) not in self._said:
            self._said.add((pointer, message))
            place = self.document.at(pointer)
            self.findings.append(Finding(message, place, rule, severity))

    def of(self, *kinds: str) -> Iterator[Node]:
        """Yield the objects of these kinds, references among them; booleans are none."""
        for node in self.nodes:
            if node.kind in kinds and isinstance(node.value, dict):
                yield node

    def get(self, pointer: Pointer) -> Any:
        """Return the value at a pointer that leads to one."""
        node = self.data
        for key in pointer:
            node = node[key]
        return node

    def title(self, pointer: Pointer) -> str:
        """Return what to call a node in a sentence: its kind and name, or the member it is."""
        if not pointer:
            return "the document"
        kind = self.kinds.get(pointer)
        name = pointer[-1]
        if kind == "parameter" and isinstance(self.get(pointer).get("name"), str):
            return f"parameter {self.get(pointer)['name']}"
        if kind == "operation":
            return f"{str(name).upper()} {pointer[-2]}"
        if isinstance(name, int):
            return f"{pointer[-2]}[{name}]"
        return f"{kind} {name}" if kind and kind != name else name

    # References

    def target(self, reference: Any) -> Pointer | None:
        """Return the pointer that a local reference means; None if it leads nowhere."""
        if not isinstance(reference, str) or not re.match(r"#(/|$)", reference):
            return None
        node = self.data
        pointer: Pointer = ()
        for part in unquote(reference).split("/")[1:]:
            key: str | int = part.replace("~1", "/").replace("~0", "~")
            if isinstance(node, list) and re.fullmatch("0|[1-9][0-9]{0,8}", str(key)):
                key = int(key)
            try:
                node = node[key]
            except (KeyError, IndexError, TypeError):
                return None
            pointer = (*pointer, key)
        return pointer

    def follow(self, pointer: Pointer, value: Any) -> tuple[Pointer, Any]:
        """Follow references to what they mean; an empty object stands for what they miss."""
        seen = set()
        while isinstance(value, dict) and "$ref" in value:
            found = self.target(value["$ref"])
            if found is None or found in seen:
                return pointer, {}
            seen.add(found)
            pointer, value = found, self.get(found)
        return pointer, value

    # Schemas

    def applied(
        self, pointer: Pointer, schema: Any, *through: Literal["anyOf", "oneOf"]
    ) -> Iterator[tuple[Pointer, dict[str, Any]]]:
        """Yield a schema and all that hold with it, by way of `$ref` and `allOf`, each once.

        Keywords in `through` add what holds in one of several cases only.
        """
        seen = set()
        waiting = [(pointer, schema)]
        while waiting:
            at, value = waiting.pop()
            if at in seen or not isinstance(value, dict):
                continue
            seen.add(at)
            yield at, value
            inner = [
                ((*at, key, index), item)
                for key in ("allOf", *through)
                for index, item in enumerate(as_list(value.get(key)))
            ]
            if "$ref" in value and (found := self.target(value["$ref"])) is not None:
                inner.append((found, self.get(found)))
            waiting += reversed(inner)

    def types(self, pointer: Pointer, schema: Any) -> set[str]:
        """Return the JSON types that a schema speaks of; empty if it says nothing of types."""
        found: set[str] = set()
        for _, part in self.applied(pointer, schema, "anyOf", "oneOf"):
            named = part.get("type")
            found |= {name for name in as_list(named) if isinstance(name, str)}
            if isinstance(named, str):
                found.add(named)
            elif named is None and ("properties" in part or "additionalProperties" in part):
                found.add("object")
        return found

    def properties(self, pointer: Pointer, schema: Any) -> dict[str, tuple[Pointer, Any]]:
        """Return the properties of a schema, those through `$ref` and `allOf` among them."""
        return {
            name: ((*at, "properties", name), value)
            for at, part in self.applied(pointer, schema)
            for name, value in as_dict(part.get("properties")).items()
        }

    # Operations

    @functools.cached_property
    def operations(self) -> list[Operation]:
        """The operations of all paths."""
        found = []
        for path, item in as_dict(as_dict(self.data).get("paths")).items():
            if path.startswith("x-"):
                continue
            at, value = self.follow(("paths", path), item)
            for method in METHODS:
                operation = as_dict(value).get(method)
                if isinstance(operation, dict):
                    pointer = (*at, method)
                    listed = [*self._parameters(at, value), *self._parameters(pointer, operation)]
                    # One of the operation takes the place of the path's with its name.
                    parameters = {
                        (str(node.value.get("name")), str(node.value.get("in"))): node
                        for node in listed
                    }
                    entry = list(parameters.values())
                    found.append(
                        Operation(path, ("paths", path), method, pointer, operation, entry)
                    )
        return found

    def _parameters(self, pointer: Pointer, value: Any) -> Iterator[Node]:
        """Yield the parameters listed by an operation or a path item, references followed."""
        for index, item in enumerate(as_list(as_dict(value).get("parameters"))):
            at, parameter = self.follow((*pointer, "parameters", index), item)
            if isinstance(parameter, dict) and parameter:
                yield Node("parameter", at, parameter)


Rule = Callable[[Run], None]
"""Looks at a document, and says what is wrong with it."""
