"""Changing a part of what can only be replaced as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import UNSET

from .arguments import Checker
from .errors import ArgumentError, ArgumentProblem
from .steps import Deadline, Steps
from .writeback import WriteBack, arguments

if TYPE_CHECKING:
    from .client import AsyncClient, Client
    from .request import Request

__all__ = ["Change"]

T = TypeVar("T")


class Change(Generic[T]):
    """Reads what is there, changes some of it, and sends all of it back.

    What somebody else changes between the two requests is overwritten: the service has no word
    against it.

    Args:
        operation: the method that it stands for.
        read: reads what is there.
        write: makes the request that replaces it, of the arguments by their names.
        changes: the arguments that are to change; UNSET ones stay as they are.
        back: how arguments are made of what is read.

    Raises:
        ArgumentError: nothing is to change, or a change is not what the documents allow; nothing
            was sent.
    """

    def __init__(
        self,
        operation: str,
        read: Request[Any],
        write: Callable[[Mapping[str, Any]], Request[T]],
        changes: Mapping[str, Any],
        back: WriteBack,
    ) -> None:
        self.operation = operation
        self.caution = read.caution
        self._read = read
        self._write = write
        self._changes = {k: v for k, v in changes.items() if v is not UNSET}
        self._back = back
        if not self._changes:
            problem = ArgumentProblem(" or ".join(changes), "at least one must be given")
            raise ArgumentError(operation, (problem,))
        if problems := self._refused():
            raise ArgumentError(operation, problems)

    def steps(self, client: Client | AsyncClient, deadline: Deadline) -> Steps[T]:
        """Read, change, and replace.

        Raises:
            ArgumentError: something that is there cannot be sent back, and would be lost. Nothing
                was changed.
        """
        found = yield from self._read.steps(client, deadline)
        there = arguments(self._back, found)
        kept = set(self._back.written.__struct_fields__) - set(self._changes)
        lost = tuple(
            ArgumentProblem(each.field, f"is not changed, and cannot be sent back: {each.reason}")
            for each in there.lost
            if _outermost(each.field) in kept
        )
        if lost:
            raise ArgumentError(self.operation, lost)
        try:
            request = self._write({**there, **self._changes})
        except ArgumentError as error:
            raise ArgumentError(self.operation, error.problems) from None
        return (yield from request.steps(client, deadline))

    def _refused(self) -> tuple[ArgumentProblem, ...]:
        """What is wrong with the changes themselves; it need not be read to be known."""
        kind = self._back.written
        checker = Checker()
        checker.fields(kind(**{**dict.fromkeys(kind.__struct_fields__, UNSET), **self._changes}))
        return tuple(
            each for each in checker.problems if _outermost(each.argument) in self._changes
        )


def _outermost(argument: str) -> str:
    """The argument that a path begins with."""
    return re.split(r"[.\[]", argument, maxsplit=1)[0]
