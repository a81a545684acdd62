"""Apply OpenAPI Overlays (1.0, 1.1 and 1.2) and keep account of what rests on an assumption.

The engine follows the Overlay Specification and is stricter in one point: a target that selects
nothing, and an action with nothing to do, are errors unless `strict=False`. Actions may carry two
words of ours:

- `x-assumption: {gap, basis: seen | analogy | convention, because}`: what the action writes is
  assumed; the nearest object that may carry an extension is stamped `x-assumed: [gap, …]`.
- `x-confirmed: {gap, evidence}`: what it writes is known. Confirmed actions come in overlays of
  their own, take the place of every assumption of the same gap, and stamp
  `x-confirmed: [gap, …]`.
"""

from __future__ import annotations

import enum
import functools
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import unquote, urljoin, urlsplit

import jsonpath
from jsonpath.lex import Lexer

from pipeline.documents import Document, Pointer, load, pointer_text
from pipeline.problems import Finding, PipelineError, Position

Kind = Literal["update", "remove", "copy"]
BASES: Final = ("seen", "analogy", "convention")
ASSUMPTION: Final = "x-assumption"
CONFIRMED: Final = "x-confirmed"
STAMPS: Final = {ASSUMPTION: "x-assumed", CONFIRMED: "x-confirmed"}


class _Missing(enum.Enum):
    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing.MISSING
"""The `update` of an action that has none; an `update` of null is None."""


@dataclass(frozen=True)
class Action:
    """One change; a reference to a reusable action is already resolved.

    `words` are its `x-` members. `positions` says where the value of `update` (of `copy`) and the
    nodes inside it are written, by their pointers from that value.
    """

    target: str
    update: Any
    remove: bool
    copy: str | None
    description: str
    words: Mapping[str, Any]
    position: Position
    overlay: str
    positions: Mapping[Pointer, Position]
    version: tuple[int, int]

    @property
    def kind(self) -> Kind | None:
        """What the action does; None if it does nothing."""
        if self.remove:
            return "remove"
        if self.copy is not None:
            return "copy"
        return None if self.update is MISSING else "update"

    @property
    def gap(self) -> str | None:
        """The gap that the action fills, by assumption or by knowledge."""
        word = self.words.get(ASSUMPTION) or self.words.get(CONFIRMED)
        return word["gap"] if word else None


@dataclass(frozen=True)
class Overlay:
    """A checked overlay file; `version` is that of the Overlay Specification, without the patch.

    `extends` is the URI of the document that the overlay is for, resolved against `$self` or the
    file's own place.
    """

    name: str
    title: str
    actions: tuple[Action, ...]
    version: tuple[int, int]
    uri: str
    extends: str | None = None
    extends_position: Position | None = None


@dataclass(frozen=True)
class Change:
    """One node changed by one action; `pointer` is where the node stood before the action."""

    action: Action
    pointer: Pointer
    kind: Kind


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
        raise PipelineError(*sorted(reader.findings, key=lambda f: f.position or _NOWHERE))
    return overlay


def apply(
    document: Document,
    overlays: Sequence[Overlay],
    *,
    confirmed: Sequence[Overlay] = (),
    strict: bool = True,
    notes: list[Finding] | None = None,
) -> tuple[Document, list[Change]]:
    """Apply overlays in order and return the new document with every change made.

    Every action sees the result of those before it. The confirmed actions of a gap stand where
    the first of the assumptions that they replace stood, or at the end. Neither the document nor
    the overlays are touched, and the result shares nothing with them. Nodes written by an action
    have their position in the overlay's file.

    With `strict=False`, targets that select nothing and the like are no errors; they are added to
    `notes`. Raises PipelineError with the errors of all actions.
    """
    run = _Run(document, strict)
    for overlay in (*overlays, *confirmed):
        run.check_extends(overlay)
    for action in run.plan(overlays, confirmed):
        run.act(action)
    if run.findings:
        raise PipelineError(*run.findings)
    if notes is not None:
        notes.extend(run.notes)
    return run.result(), run.changes


def log_lines(changes: Iterable[Change]) -> list[str]:
    """Return one line a change: the action's place, kind and target, and the changed node."""
    return [
        f"{change.action.position} {change.kind} {change.action.target}"
        f" → {pointer_text(change.pointer)}"
        for change in changes
    ]


# --- JSONPath -----------------------------------------------------------------------------------


class _Rfc9535Lexer(Lexer):
    # The library lets a hyphen into `$.x-name` even when strict; RFC 9535 wants `$['x-name']`.
    key_pattern = "[\u0080-\U0010ffffa-zA-Z_][\u0080-\U0010ffffa-zA-Z0-9_]*"


class _Rfc9535(jsonpath.JSONPathEnvironment):
    lexer_class = _Rfc9535Lexer


_ENVIRONMENT: Final = _Rfc9535(strict=True)


@functools.lru_cache(maxsize=4096)
def _compile(query: str) -> jsonpath.JSONPath | jsonpath.CompoundJSONPath:
    """Compile an RFC 9535 query. Raises ValueError with the reason."""
    try:
        return _ENVIRONMENT.compile(query)
    except jsonpath.JSONPathError as error:
        reason = str(error.args[0]) if error.args else "not a query"
        if error.token is not None and error.token.index >= 0:
            reason += f" (character {error.token.index + 1})"
        raise ValueError(reason) from None


def _select(query: str, data: Any) -> list[Pointer]:
    """Return the pointers of the selected nodes, each once."""
    return list(dict.fromkeys(tuple(match.parts) for match in _compile(query).finditer(data)))


# --- Reading ------------------------------------------------------------------------------------

_NOWHERE: Final = Position("", 0, 0)
_VERSION: Final = re.compile(r"(1)\.([012])\.[0-9]+")
_REFERENCE: Final = "#/components/actions/"


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
        self.wrong((*pointer, key), f"{key}: must be a string, is {_kind_of(found)}")
        return None

    def mapping(self, value: Mapping[str, Any], pointer: Pointer, key: str) -> dict[str, Any]:
        """Return a member that must be an object, an empty one if it is not."""
        found = value.get(key, {})
        if isinstance(found, dict):
            return found
        self.wrong((*pointer, key), f"{key}: must be an object, is {_kind_of(found)}")
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
        if "info" not in root:
            self.wrong((), "info: missing in the overlay")
            return ""
        info = self.mapping(root, (), "info")
        if isinstance(root["info"], dict):
            title = self.text(info, ("info",), "title", required=True)
            self.text(info, ("info",), "version", required=True)
            known = ["title", "version"]
            if self.version >= (1, 1):
                known.append("description")
                self.text(info, ("info",), "description")
            self.members(info, ("info",), known)
            return title or ""
        return ""

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
            self.wrong(("actions",), f"actions: must be an array, is {_kind_of(actions)}")
            return
        if not actions:
            self.wrong(("actions",), "actions: must hold at least one action")
        seen: dict[str, int] = {}
        for index, value in enumerate(actions):
            pointer: Pointer = ("actions", index)
            if not isinstance(value, dict):
                self.wrong(pointer, f"actions: an action must be an object, is {_kind_of(value)}")
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
                _compile(text)
            except ValueError as error:
                self.wrong(pointer, f"{pointer[-1]}: not an RFC 9535 JSONPath: {error}")

    def places(
        self, start: Pointer, value: Any, inner: Pointer = ()
    ) -> Iterator[tuple[Pointer, Position]]:
        """Yield the position of every node of a value, by its pointer from that value."""
        yield inner, self.at((*start, *inner))
        for key, member in _members(value):
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


def _kind_of(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case dict():
            return "an object"
        case list():
            return "an array"
        case _:
            return "a number"


def _members(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


# --- Applying -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Mark:
    """The position of a node and, keyed as its value is, the marks of what it holds."""

    position: Position | None
    inner: Any = field(default=None)


def _fresh(value: Any, positions: Mapping[Pointer, Position], at: Pointer = ()) -> Any:
    """Return a copy of a value, with its mark."""
    mark = _Mark(positions.get(at))
    if isinstance(value, dict):
        data: Any = {}
        mark.inner = {}
        for key, member in value.items():
            data[key], mark.inner[key] = _fresh(member, positions, (*at, key))
        return data, mark
    if isinstance(value, list):
        pairs = [_fresh(member, positions, (*at, index)) for index, member in enumerate(value)]
        mark.inner = [inner for _, inner in pairs]
        return [member for member, _ in pairs], mark
    return value, mark


class _Refused(Exception):
    """What is wrong with an action, at a place in its overlay."""

    def __init__(self, message: str, position: Position | None) -> None:
        super().__init__(message)
        self.position = position


class _Run:
    """One working copy of the document, the actions applied to it so far, and their errors."""

    def __init__(self, document: Document, strict: bool) -> None:
        self.document = document
        self.strict = strict
        self.data, self.mark = _fresh(document.data, document.positions)
        self.changes: list[Change] = []
        self.findings: list[Finding] = []
        self.notes: list[Finding] = []

    def result(self) -> Document:
        positions: dict[Pointer, Position] = {}

        def flatten(mark: _Mark, at: Pointer) -> None:
            if mark.position is not None:
                positions[at] = mark.position
            for key, inner in _members(mark.inner):
                flatten(inner, (*at, key))

        flatten(self.mark, ())
        return Document(self.document.name, self.data, positions)

    def wrong(self, message: str, position: Position | None, rule: str = "overlay") -> None:
        self.findings.append(Finding(message, position, rule))

    def odd(self, message: str, position: Position | None, rule: str) -> None:
        """Note what the specification allows; an error when strict."""
        if self.strict:
            self.wrong(message, position, rule)
        else:
            self.notes.append(Finding(message, position, rule, "note"))

    def check_extends(self, overlay: Overlay) -> None:
        if overlay.extends is None:
            return
        own = {Path(self.document.name).absolute().as_uri()}
        data = self.document.data
        if isinstance(data, dict) and isinstance(data.get("$self"), str):
            own.add(urljoin(next(iter(own)), data["$self"]))
        elif urlsplit(overlay.extends).scheme != "file":
            return  # a name that says nothing about where the document is kept
        if overlay.extends.partition("#")[0] not in own:
            message = f"extends: the overlay is for another document than {self.document.name}"
            self.odd(message, overlay.extends_position, "overlay-extends")

    def plan(self, overlays: Sequence[Overlay], confirmed: Sequence[Overlay]) -> list[Action]:
        """Return the actions in their order, assumptions replaced by what is confirmed."""
        known = self.confirmed_actions(confirmed)
        waiting = dict(known)
        actions: list[Action] = []
        for action in (action for overlay in overlays for action in overlay.actions):
            if CONFIRMED in action.words:
                self.wrong(f"{CONFIRMED} belongs in a confirmed overlay", action.position)
            if ASSUMPTION in action.words and action.gap in known:
                actions += waiting.pop(action.gap, [])
            else:
                actions.append(action)
        return actions + [action for rest in waiting.values() for action in rest]

    def confirmed_actions(self, confirmed: Sequence[Overlay]) -> dict[str | None, list[Action]]:
        """Return the confirmed actions by gap; two files must not confirm the same one."""
        known: dict[str | None, list[Action]] = {}
        for overlay in confirmed:
            before = dict(known)
            told = set()
            for action in overlay.actions:
                gap = action.gap
                if CONFIRMED not in action.words:
                    self.wrong(
                        f"{CONFIRMED} is missing: every action of a confirmed overlay carries it",
                        action.position,
                    )
                elif gap in before:
                    if gap not in told:
                        other = before[gap][0].overlay
                        self.wrong(
                            f"gap {gap} is confirmed by two files: {other} and {overlay.name}",
                            action.position,
                        )
                    told.add(gap)
                else:
                    known.setdefault(gap, []).append(action)
        return known

    def act(self, action: Action) -> None:
        """Apply an action, or take down why it cannot be."""
        kind = action.kind
        if kind is None:
            self.odd(
                "the action does nothing: no update, copy or remove: true",
                action.position,
                "overlay-empty",
            )
            return
        pointers = _select(action.target, self.data)
        if not pointers:
            self.odd(f"target {action.target} selects nothing", action.position, "overlay-no-match")
            return
        try:
            if kind == "remove":
                carriers = self.remove(pointers, action)
            else:
                carriers = self.write(pointers, action)
        except _Refused as refusal:
            self.wrong(str(refusal), refusal.position)
            return
        self.changes += [Change(action, pointer, kind) for pointer in pointers]
        self.stamp(carriers, action)

    def node(self, pointer: Pointer) -> tuple[Any, _Mark]:
        data, mark = self.data, self.mark
        for key in pointer:
            data, mark = data[key], mark.inner[key]
        return data, mark

    def remove(self, pointers: Sequence[Pointer], action: Action) -> list[Pointer]:
        """Remove nodes and return their parents."""
        for pointer in pointers:
            if not pointer:
                raise _Refused("the root of a document cannot be removed", action.position)
            data, _ = self.node(pointer)
            if action.version < (1, 1) and not isinstance(data, dict | list):
                # The text says so; its authors' own set of examples removes strings.
                self.odd(
                    f"{pointer_text(pointer)} is {_kind_of(data)}: Overlay 1.0 removes only"
                    " objects and arrays",
                    action.position,
                    "overlay-1.0",
                )
        # Inner nodes before those around them, later items before earlier ones.
        for pointer in sorted(
            pointers,
            key=lambda path: (len(path), path[-1] if isinstance(path[-1], int) else 0),
            reverse=True,
        ):
            data, mark = self.node(pointer[:-1])
            del data[pointer[-1]], mark.inner[pointer[-1]]
        return self.standing(pointer[:-1] for pointer in pointers)

    def standing(self, pointers: Iterable[Pointer]) -> list[Pointer]:
        """Return the pointers, each once, that still lead to a node."""
        found = []
        for pointer in dict.fromkeys(pointers):
            try:
                self.node(pointer)
            except (KeyError, IndexError, TypeError):
                continue
            found.append(pointer)
        return found

    def write(self, pointers: Sequence[Pointer], action: Action) -> list[Pointer]:
        """Update nodes with the action's value, or a copied one; return what to stamp."""
        value = action.update if action.copy is None else self.source(action)
        positions = action.positions
        if action.copy is not None:
            positions = dict.fromkeys(_pointers(value), positions[()])
        kinds = sorted({_target_kind(self.node(pointer)[0]) for pointer in pointers})
        if len(kinds) > 1 and action.version >= (1, 1):
            raise _Refused(
                f"target {action.target} selects nodes of several kinds: {', '.join(kinds)}",
                action.position,
            )
        carriers: list[Pointer] = []
        for pointer in pointers:
            if not self.standing([pointer]):
                continue  # replaced with the object around it, as only Overlay 1.0 can
            data, mark = self.node(pointer)
            fresh, fresh_mark = _fresh(value, positions)
            if isinstance(data, dict):
                if not isinstance(fresh, dict):
                    raise self.mismatch(pointer, data, fresh, fresh_mark, action)
                self.merge(pointer, (data, mark), (fresh, fresh_mark), action)
                carriers.append(pointer)
            elif isinstance(data, list):
                length = len(data)
                if not isinstance(fresh, list) or action.version < (1, 1):
                    fresh, fresh_mark = [fresh], _Mark(None, [fresh_mark])
                data += fresh
                mark.inner += fresh_mark.inner
                carriers += [
                    (*pointer, length + index) if isinstance(item, dict) else pointer
                    for index, item in enumerate(fresh)
                ]
            else:
                if action.version < (1, 1):
                    raise _Refused(
                        f"{pointer_text(pointer)} is {_kind_of(data)}: Overlay 1.0 updates only"
                        " objects and arrays",
                        action.position,
                    )
                if isinstance(fresh, dict | list):
                    raise self.mismatch(pointer, data, fresh, fresh_mark, action)
                around, around_mark = self.node(pointer[:-1])
                around[pointer[-1]], around_mark.inner[pointer[-1]] = fresh, fresh_mark
                carriers.append(pointer[:-1])
        return carriers

    def source(self, action: Action) -> Any:
        """Return the one value that a copy action selects."""
        query = action.copy or ""
        pointers = _select(query, self.data)
        if len(pointers) != 1:
            raise _Refused(
                f"copy {query} must select exactly one node, selects {len(pointers)}",
                action.positions[()],
            )
        value, _ = _fresh(self.node(pointers[0])[0], {})
        return value

    def merge(
        self,
        pointer: Pointer,
        target: tuple[dict[str, Any], _Mark],
        value: tuple[dict[str, Any], _Mark],
        action: Action,
    ) -> None:
        """Merge an object, which is used up, into another."""
        data, mark = target
        fresh, fresh_mark = value
        for key, new in fresh.items():
            new_mark = fresh_mark.inner[key]
            old = data.get(key)
            if isinstance(old, dict) and isinstance(new, dict):
                inner = mark.inner[key]
                self.merge((*pointer, key), (old, inner), (new, new_mark), action)
            elif key not in data or action.version < (1, 1):
                data[key], mark.inner[key] = new, new_mark
            elif isinstance(old, list) and isinstance(new, list):
                old += new
                mark.inner[key].inner += new_mark.inner
                if key in STAMPS.values():
                    self.settle(old, mark.inner[key])
            elif isinstance(old, dict | list) or isinstance(new, dict | list):
                raise self.mismatch((*pointer, key), old, new, new_mark, action)
            else:
                data[key], mark.inner[key] = new, new_mark

    def settle(self, stamp: list[Any], mark: _Mark) -> None:
        """Keep a stamp sorted, each gap once, when a copied one is added to it."""
        places = dict(zip(stamp, mark.inner, strict=True))
        stamp[:] = sorted(places)
        mark.inner[:] = [places[gap] for gap in stamp]

    def mismatch(
        self, pointer: Pointer, old: Any, new: Any, mark: _Mark, action: Action
    ) -> _Refused:
        return _Refused(
            f"{_kind_of(new)} cannot be merged into {_kind_of(old)} at {pointer_text(pointer)}",
            mark.position or action.position,
        )

    def stamp(self, pointers: Iterable[Pointer], action: Action) -> None:
        """Write the action's gap on the nearest objects that may carry it."""
        for word, key in STAMPS.items():
            if word not in action.words:
                continue
            gap = action.words[word]["gap"]
            for pointer in dict.fromkeys(carrier(self.data, pointer) for pointer in pointers):
                data, mark = self.node(pointer)
                before = data.get(key)
                gaps = sorted({*(before if isinstance(before, list) else ()), gap})
                data[key] = gaps
                mark.inner[key] = _Mark(action.position, [_Mark(action.position) for _ in gaps])


def _pointers(value: Any, at: Pointer = ()) -> Iterator[Pointer]:
    yield at
    for key, member in _members(value):
        yield from _pointers(member, (*at, key))


def _target_kind(value: Any) -> str:
    if isinstance(value, dict):
        return "objects"
    return "arrays" if isinstance(value, list) else "primitives"


# --- Stamps -------------------------------------------------------------------------------------

# fmt: off
_MAPS: Final = frozenset((
    "$defs", "callbacks", "content", "definitions", "dependentRequired", "dependentSchemas",
    "encoding", "examples", "headers", "links", "mapping", "paths", "patternProperties",
    "properties", "scopes", "securitySchemes", "variables", "webhooks",
))
_DATA: Final = frozenset(
    ("const", "default", "enum", "example", "examples", "security", "value")
)
# fmt: on


class _Place(enum.Enum):
    """What the members of an object are, which decides whether it may be stamped."""

    OBJECT = enum.auto()  # an object of the specification: keywords
    NAMES = enum.auto()  # a map from names to objects
    RESPONSES = enum.auto()  # a map from status codes to responses, which may carry extensions
    COMPONENTS = enum.auto()  # an object whose members are maps of names
    DATA = enum.auto()  # a value: neither it nor anything in it may be stamped


def carrier(data: Any, pointer: Pointer) -> Pointer:
    """Return the nearest object, from a node of an OpenAPI document upwards, that may be stamped.

    Maps of names, objects with `$ref` and plain values (examples, defaults, extensions) may not.
    """
    best: Pointer = ()
    node, place = data, _Place.OBJECT
    for index, key in enumerate(pointer):
        node, place = node[key], _inner(place, key, node[key])
        if place is _Place.DATA:
            break
        if isinstance(node, dict) and place is not _Place.NAMES and "$ref" not in node:
            best = pointer[: index + 1]
    return best


def _inner(place: _Place, key: str | int, node: Any) -> _Place:
    if place is _Place.NAMES:
        return _Place.OBJECT
    if isinstance(key, int):
        return _Place.OBJECT
    if key.startswith("x-"):
        return _Place.DATA
    if place is _Place.COMPONENTS:
        return _Place.NAMES
    if place is _Place.RESPONSES:
        return _Place.OBJECT
    if key == "components":
        return _Place.COMPONENTS
    if key == "responses":
        return _Place.RESPONSES
    if key in _MAPS and isinstance(node, dict):
        return _Place.NAMES
    if key in _DATA or (key == "parameters" and isinstance(node, dict)):
        return _Place.DATA
    return _Place.OBJECT
