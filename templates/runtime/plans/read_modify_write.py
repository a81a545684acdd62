"""Changing a part of what can only be replaced as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from msgspec import UNSET

from ..core.errors import ArgumentError, ArgumentProblem
from ..core.type_guards import is_list, is_object
from ..engine.effects import Steps
from ..engine.execute import execute
from ..request.write_back import Arguments, LostField, WriteBack, arguments

if TYPE_CHECKING:
    from ..core.deadline import Deadline
    from ..core.models import ResponseModel
    from ..engine.context import Context
    from ..request.request import Request

__all__ = ["ReadModifyWrite"]

T = TypeVar("T")


class ReadModifyWrite(Generic[T]):
    """Reads what is there, changes some of it, and sends all of it back.

    What somebody else changes between the two requests is overwritten: the service has no word
    against it.

    Args:
        operation: the method that it stands for.
        read: makes the request that reads what is there.
        write: makes the request that replaces it, of the arguments by their names.
        changes: the arguments that are to change; UNSET ones stay as they are.
        back: how arguments are made of what is read.

    Raises:
        ArgumentError: nothing is to change, or an argument is not what the documents allow; nothing
            was sent.
    """

    def __init__(
        self,
        operation: str,
        read: Callable[[], Request[Any]],
        write: Callable[[Mapping[str, Any]], Request[T]],
        changes: Mapping[str, Any],
        back: WriteBack,
    ) -> None:
        self._changes = {k: v for k, v in changes.items() if v is not UNSET}
        self._write = write
        self._back = back
        problems: dict[ArgumentProblem, None] = {}
        request: Request[Any] | None = None
        try:
            request = read()
        except ArgumentError as error:
            problems |= dict.fromkeys(error.problems)
        problems |= dict.fromkeys(self._refused(changes))
        if not self._changes:
            problems[ArgumentProblem(" or ".join(changes), "at least one must be given")] = None
        if request is None or problems:
            raise ArgumentError(operation, tuple(problems))
        self.operation = operation
        self.cautions = request.cautions
        self._read = request

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[T]:
        """Read, change, and replace.

        Raises:
            ArgumentError: something that is there cannot be sent back, and would be lost. Nothing
                was changed.
        """
        found = yield from execute(self._read, context, deadline)
        there = arguments(self._back, found)
        kept = set(self._back.written.__struct_fields__) - set(self._changes)
        lost = tuple(
            ArgumentProblem(each.field, f"is not changed, and cannot be sent back: {each.reason}")
            for each in _losses(there, self._back, found)
            if _outermost(each.field) in kept
        )
        if lost:
            raise ArgumentError(self.operation, lost)
        try:
            request = self._write({**there, **self._changes})
        except ArgumentError as error:
            raise ArgumentError(self.operation, error.problems) from None
        return (yield from execute(request, context, deadline))

    def _refused(self, changes: Mapping[str, Any]) -> Iterator[ArgumentProblem]:
        """Find what is wrong with the arguments themselves, before anything is read."""
        try:
            self._write(changes)
        except ArgumentError as error:
            for each in error.problems:
                name = _outermost(each.argument)
                # What stays as it is has no value yet.
                if name not in changes or name in self._changes:
                    yield each


def _losses(there: Arguments, back: WriteBack, found: ResponseModel) -> Iterable[LostField]:
    """Return what would be lost. A null that cannot be sent is no loss: it is left out."""
    if not there.lost:
        return ()
    anyway = {each.field for each in arguments(back, _without_nulls(found)).lost}
    return (each for each in there.lost if each.field in anyway)


def _without_nulls(value: Any) -> Any:
    """Return what was read, with the fields absent that are null in it."""
    if isinstance(value, msgspec.Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        there = {k: UNSET if v is None else _without_nulls(v) for k, v in fields.items()}
        return msgspec.structs.replace(value, **there)
    if is_list(value):
        return [_without_nulls(item) for item in value]
    if is_object(value):
        return {key: _without_nulls(item) for key, item in value.items()}
    return value


def _outermost(argument: str) -> str:
    """Return the argument that a path begins with."""
    return re.split(r"[.\[]", argument, maxsplit=1)[0]
