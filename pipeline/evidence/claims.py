"""Claims that traffic can confirm or refute, and observations about them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from pipeline.evidence.documented import Documented
from pipeline.evidence.routes import Call, Operation, Parameter
from pipeline.evidence.traffic import Traffic, Value
from pipeline.openapi.documents import Pointer
from pipeline.openapi.overlay import Action

MOST_CODES: Final = 40  # a set with more values is no set of codes

Outcome: TypeAlias = Literal["shows", "fits", "against"]
Place: TypeAlias = tuple[str, Pointer]
"""The name of a document, and a node in it."""
Use: TypeAlias = tuple[Operation, Parameter]
"""A parameter, and an operation that has it."""

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, eq=False)
class Observation:
    """Evidence of one exchange for or against a claim.

    Attributes:
        outcome: `shows` it to be true; `fits` it, and would fit something else as well; or is
            `against` it.
        text: what was seen, in a few words that hold nothing personal.
        part: the part of the claim that it is about.
        data: what the truth is made of.
    """

    outcome: Outcome
    text: str
    call: Call
    part: str = ""
    data: Any = None


@dataclass(frozen=True)
class Update:
    """The update of an overlay action; in every document of the gap if none is named."""

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
        """Return the parameters that nodes lie in."""
        return [
            (operation, parameter)
            for operation, parameter in self.parameters
            if any(lie_in(place, (operation.document, parameter.pointer)) for place in places)
        ]

    def operations_around(self, places: Collection[Place]) -> tuple[Operation, ...]:
        """Return the operations that nodes lie in."""
        return tuple(
            operation
            for operation in self.operations
            if any(lie_in(place, (operation.document, operation.pointer)) for place in places)
        )

    def operations_with(self, places: Collection[Place]) -> tuple[Operation, ...]:
        """Return the operations in whose messages nodes can have values."""
        # A component is reached as a whole; anything else lies in its operation.
        wanted = {(document, pointer[:3]) for document, pointer in places}
        around = self.operations_around(places)
        return tuple(
            operation
            for operation in self.operations
            if operation in around
            or any(
                (operation.document, node) in wanted
                for node in self.effective[operation.document].components(operation.pointer)
            )
        )


class Claim:
    """One thing that a gap's assumption claims, or an open gap asks, and how traffic shows it.

    Attributes:
        assumed: what is assumed, in a few words; empty for a question.
        action: the action that writes it; None for an open gap.
        parts: what has to be shown for the whole to be shown.
        nodes: the nodes whose values are compared.
        concerned: the operations without which nothing can be seen.
        unseen: why nothing is seen, although the operations were called.
        is_question: whether nothing is assumed, so that what is seen is the answer.
        is_open_set: whether new values are no argument against those that are known.
        documents: the documents that it is about.
    """

    is_question = False
    is_open_set = False
    unseen = "nothing stood at that place"

    def __init__(
        self, sources: Sources, action: Action | None, assumed: str, nodes: Iterable[Place] = ()
    ) -> None:
        self.sources = sources
        self.action = action
        self.assumed = assumed
        self.nodes: tuple[Place, ...] = tuple(dict.fromkeys(nodes))
        self.parts: tuple[str, ...] = ("",)
        self.concerned = sources.operations_with(self.nodes)
        self.documents: tuple[str, ...] = ()

    def says(self, call: Call) -> Documented:
        """Return the effective document of a call."""
        return self.sources.effective[call.operation.document]

    def values(self, traffic: Traffic) -> Iterator[Value]:
        """Yield what stood at the nodes."""
        for document, pointer in self.nodes:
            yield from traffic.at(document, pointer)

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        """Yield what each exchange shows."""
        raise NotImplementedError

    def instead(self, update: Any) -> list[Update]:
        """Return the claim's action with another update."""
        assert self.action is not None
        return [Update(self.action.target, update)]

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        """Return actions that write what was seen, or None if that cannot be read from traffic."""
        return None


class OfParameters(Claim):
    """A claim about parameters, each use of one by an operation a part of it."""

    action: Action
    unseen = "never sent"

    def __init__(self, sources: Sources, action: Action, assumed: str, uses: Sequence[Use]) -> None:
        super().__init__(sources, action, assumed)
        self.uses = uses
        self.concerned = tuple(dict.fromkeys(operation for operation, _ in uses))
        self.parts = tuple(operation.id for operation, _ in uses)


class Unshown(Claim):
    """A claim that traffic cannot show, and why."""

    def __init__(self, sources: Sources, action: Action | None, why: str) -> None:
        super().__init__(sources, action, "")
        self.why = why

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        return iter(())


def lie_in(place: Place, around: Place) -> bool:
    """Return whether a node is another one, or lies in it."""
    return place[0] == around[0] and place[1][: len(around[1])] == around[1]


def path_of(pointer: Pointer) -> str:
    """Return the JSONPath of a node."""
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
    """Return a node as people call it: `Book.shelf`, `GET /books responses`."""
    match pointer:
        case ("components", "schemas" | "headers" | "responses", name, *rest):
            return ".".join([str(name), *_names_in(rest)])
        case ("paths", path, method, *rest):
            steps = [str(part) for part in rest if not isinstance(part, int)]
            return " ".join([f"{str(method).upper()} {path}", *steps])
    return path_of(pointer)


def _names_in(steps: Sequence[str | int]) -> Iterator[str]:
    """Yield the names on the way into a schema; a property may be called as a keyword is."""
    is_name = False
    for step in steps:
        if is_name or step not in ("properties", "items"):
            yield str(step)
        is_name = not is_name and step == "properties"
