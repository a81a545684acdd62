"""The tools: what they are called, what they take, and what they may do.

What a tool is for, what an argument means, which values it takes, and whether something is changed
or deleted is in the catalogue, and so in the documents and overlays.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import Parameter, signature
from typing import Any

from ..operations import catalogue
from ..sheets.columns import EDITABLE
from . import reading, writing
from .results import Result

_TYPES = {"flag": "boolean", "integer": "integer", "number": "number"}
_ID = {"type": "string", "pattern": "^[0-9]{1,20}$"}
_OWN: Mapping[str, Mapping[str, Any]] = {
    "history": {"type": "boolean"},
    "plan_id": {"type": "string", "pattern": "^[0-9a-f]{12}$"},
    "post_ids": {"type": "array", "items": _ID, "maxItems": writing.MOST_CHANGES},
    "shift_days": {"type": "integer"},
    "shift_minutes": {"type": "integer"},
    "shift_posts": {"type": "array", "items": _ID, "maxItems": writing.MOST_CHANGES},
}
_CURSOR = {"type": "string", "description": "Goes on with the result that named it."}

_RUN: Mapping[str, Callable[..., Result]] = {
    "find_posts": reading.find_posts,
    "read_posts": reading.read_posts,
    "calendar": reading.calendar,
    "metrics": reading.metrics,
    "account_health": reading.account_health,
    "budget": reading.budget,
    "plan_changes": writing.plan_changes,
    "was_it_done": writing.was_it_done,
    "apply_plan": writing.apply_plan,
}


@dataclass(frozen=True)
class Tool:
    """One tool.

    Attributes:
        known: What the catalogue says of it: what it `does`, its `methods`, its `arguments`.
        run: What it does; `apply_plan` alone changes something, after a person's yes.
    """

    name: str
    known: Mapping[str, Any]
    run: Callable[..., Result]

    @property
    def commands(self) -> list[Mapping[str, Any]]:
        """What the catalogue says of the methods that it uses."""
        return [*map(_command, self.known.get("methods", ()))]

    @property
    def writes(self) -> bool:
        """Whether it changes something, by what the documents say of its operations."""
        return any(command.get("changes") for command in self.commands)

    @property
    def hints(self) -> dict[str, bool]:
        """Whether it only reads, deletes or overwrites, and may be repeated."""
        commands = self.commands
        methods = [each["http"].split()[0] for each in commands if each.get("changes")]
        return {
            "readOnlyHint": not methods,
            "destructiveHint": any(method != "POST" for method in methods),
            "idempotentHint": "POST" not in methods,
            "openWorldHint": bool(commands),
        }

    @property
    def schema(self) -> dict[str, Any]:
        """What it takes: an object of JSON Schema, of the arguments of what it runs."""
        taken = [
            argument
            for name, argument in signature(self.run).parameters.items()
            if name not in ("service", "agreed")
        ]
        arguments = {each.name: self._argument(each.name) for each in taken}
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {**arguments, **({} if self.name == "budget" else {"cursor": _CURSOR})},
            "additionalProperties": False,
        }
        required = [each.name for each in taken if each.default is Parameter.empty]
        return {**schema, "required": required} if required else schema

    def _argument(self, name: str) -> dict[str, Any]:
        own = self.known.get("arguments", {})
        schema = dict(_OWN.get(name) or next(_documented(self.commands, name), {"type": "string"}))
        if name == "changes":
            schema = {"type": "array", "items": _change(own), "maxItems": writing.MOST_CHANGES}
        if self.name == "read_posts" and name == "post_ids":
            schema["maxItems"] = reading.MOST_POSTS
        return {**schema, **({"description": own[name]} if name in own else {})}


def _command(method: str) -> Mapping[str, Any]:
    resource, _, name = method.partition(".")
    command: Mapping[str, Any] = catalogue()[resource]["commands"][name]
    return command


def _documented(commands: list[Mapping[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    """Yield an argument as JSON Schema, in the words of the documents, for each that has it."""
    for known in (arg for each in commands for arg in each.get("arguments", ())):
        if known["name"] == name:
            schema: dict[str, Any] = {"type": _TYPES.get(known["kind"], "string")}
            if known["kind"] == "id":
                schema = dict(_ID)
            if choices := known.get("choices"):
                schema = {"enum": [*choices]}
            if known.get("many") or name == "status":
                schema = {"type": "array", "items": schema}
            yield {**schema, "description": _in_short(known["doc"])}


def _in_short(text: str) -> str:
    """Return the first sentence of an argument's text, with the labels of what is assumed of it."""
    first, *others = re.split(r"(?<=\.) ", text)
    labels = [
        each
        for before, each in itertools.pairwise([first, *others])
        if re.search(r"assumed \([\w.-]+\)\.$", each)
        and (before == first or not each.startswith("This "))
    ]
    return " ".join([first.removesuffix(".") + ".", *labels])


def _change(own: Mapping[str, str]) -> dict[str, Any]:
    """Return what changes of one post: fields of the update, and a time on the group's clocks."""
    update = [_command("posts.update")]
    fields = {name: next(_documented(update, name)) for name in ("post_id", *EDITABLE)}
    fields["publication_date"] = {"type": "string", "description": own["publication_date"]}
    return {
        "type": "object",
        "properties": fields,
        "required": ["post_id"],
        "minProperties": 2,
        "additionalProperties": False,
    }


@cache
def tools() -> Mapping[str, Tool]:
    """Return all tools by name: those that the catalogue has."""
    known = catalogue("tools")
    return {name: Tool(name, known[name], run) for name, run in _RUN.items() if name in known}
