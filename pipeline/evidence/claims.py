"""What traffic can hold a gap against: claims, and what is observed about them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from pipeline.evidence.documented import Documented
from pipeline.evidence.index import Traffic
from pipeline.evidence.matching import Call, Operation, Parameter
from pipeline.openapi.documents import Pointer
from pipeline.openapi.overlay import Action

Outcome: TypeAlias = Literal["shows", "fits", "against", "silent"]
Place: TypeAlias = tuple[str, Pointer]
"""The name of a document, and a node in it."""
Use: TypeAlias = tuple[Operation, Parameter]
"""A parameter, and an operation that has it."""

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, eq=False)
class Observation:
    """What one exchange says about a claim.

    Attributes:
        outcome: `shows` it to be true; `fits` it, and would fit something else as well; is
            `against` it; or is `silent`, although it stands where the claim is.
        said: what was seen, in a few words that hold nothing personal.
        part: the part of the claim that it is about.
        data: what the truth is made of.
    """

    outcome: Outcome
    said: str
    call: Call
    part: str = ""
    data: Any = None


@dataclass(frozen=True)
class Update:
    """What an action of an overlay would say; in every document of the gap if none is named."""

    target: str
    update: Any
    document: str | None = None


@dataclass(frozen=True)
class Sources:
    """The documents: as they are in effect, and as they stand without any overlay."""

    effective: Mapping[str, Documented]
    bare: Mapping[str, Documented]
    operations: Sequence[Operation]

    @property
    def parameters(self) -> list[Use]:
        """Each parameter with each operation that has it."""
        return [(operation, each) for operation in self.operations for each in operation.parameters]

    def parameters_around(self, places: Collection[Place]) -> list[Use]:
        """The parameters that nodes lie in."""
        return [
            (operation, parameter)
            for operation, parameter in self.parameters
            if any(
                document == operation.document and lies_in(pointer, parameter.pointer)
                for document, pointer in places
            )
        ]

    def operations_around(self, places: Collection[Place]) -> tuple[Operation, ...]:
        """The operations that nodes lie in."""
        return tuple(
            operation
            for operation in self.operations
            if any(
                document == operation.document and lies_in(pointer, operation.pointer)
                for document, pointer in places
            )
        )


class Claim:
    """One thing that a gap's assumption says, or an open gap asks, and how traffic tells.

    Attributes:
        assumed: what is assumed, in a few words; empty for a question.
        action: the action that says it; None for an open gap.
        parts: what has to be shown for the whole to be shown.
        nodes: the nodes whose values are looked at.
        concerned: the operations without which nothing can be seen.
        is_question: whether nothing is assumed, so that what is seen is the answer.
        is_open_set: whether new values say nothing against those that are known.
        documents: the documents that it is about.
    """

    is_question = False
    is_open_set = False

    def __init__(self, action: Action | None, assumed: str, nodes: Iterable[Place] = ()) -> None:
        self.action = action
        self.assumed = assumed
        self.nodes: tuple[Place, ...] = tuple(dict.fromkeys(nodes))
        self.parts: tuple[str, ...] = ("",)
        self.concerned: tuple[Operation, ...] = ()
        self.documents: tuple[str, ...] = ()

    @property
    def unseen(self) -> str:
        """Why nothing is seen, although the operations were called."""
        return "nothing stood at that place"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        """What each exchange says."""
        raise NotImplementedError

    def instead(self, update: Any) -> list[Update]:
        """The claim's action with another update."""
        assert self.action is not None
        return [Update(self.action.target, update)]

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        """Actions that say what was seen, or None if that cannot be read from traffic."""
        return None


class OfParameters(Claim):
    """A claim about parameters, each use of one by an operation a part of it."""

    action: Action

    def __init__(self, action: Action, assumed: str, uses: Sequence[Use]) -> None:
        super().__init__(action, assumed)
        self.uses = uses
        self.concerned = tuple(dict.fromkeys(operation for operation, _ in uses))
        self.parts = tuple(operation.id for operation, _ in uses)


class Unshown(Claim):
    """What traffic cannot show, and why."""

    def __init__(self, action: Action | None, why: str) -> None:
        super().__init__(action, "")
        self.why = why

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        return iter(())


def lies_in(pointer: Pointer, around: Pointer) -> bool:
    """Whether a node is another one, or lies in it."""
    return pointer[: len(around)] == around


def path_of(pointer: Pointer) -> str:
    """The JSONPath of a node."""
    text = "$"
    for part in pointer:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _PLAIN.fullmatch(part):
            text += f".{part}"
        else:
            quoted = part.replace("\\", "\\\\").replace("'", "\\'")
            text += f"['{quoted}']"
    return text


def brief_path(pointer: Pointer) -> str:
    """A node as people call it: `Book.shelf`, `GET /books responses`."""
    match pointer:
        case ("components", "schemas" | "headers" | "responses", name, *rest):
            return ".".join([str(name), *_names_in(rest)])
        case ("paths", path, method, *rest):
            steps = [str(part) for part in rest if not isinstance(part, int)]
            return " ".join([f"{str(method).upper()} {path}", *steps])
    return path_of(pointer)


def _names_in(steps: Sequence[str | int]) -> Iterator[str]:
    """The names on the way into a schema; a property may be called as a keyword is."""
    is_name = False
    for step in steps:
        if is_name or step not in ("properties", "items"):
            yield str(step)
        is_name = not is_name and step == "properties"


def reached(sources: Sources, places: Iterable[Place]) -> tuple[Operation, ...]:
    """The operations in whose messages nodes can have values."""
    wanted: dict[str, set[Pointer]] = {}
    for document, pointer in places:
        # A component is reached as a whole; anything else lies in its operation.
        short = pointer[:3] if pointer[:1] == ("components",) else pointer
        wanted.setdefault(document, set()).add(short)
    found = []
    for operation in sources.operations:
        nodes = wanted.get(operation.document)
        if nodes and any(
            lies_in(node, operation.pointer)
            or node in sources.effective[operation.document].components(operation.node)
            for node in nodes
        ):
            found.append(operation)
    return tuple(found)
