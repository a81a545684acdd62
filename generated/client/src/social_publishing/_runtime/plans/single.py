"""Calls about one object, by a request that gives several."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import UNSET

from ..core.errors import ArgumentError
from ..engine.effects import Steps
from ..engine.execute import execute

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.deadline import Deadline
    from ..engine.context import Context
    from ..request.request import Request

T = TypeVar("T")


class Single(Generic[T]):
    """Reads one object, and raises the error of 404 where the response does not have it.

    Args:
        several: the name of the argument of `build` that has them.
        given: the name of the argument that the caller gives, and the identifier.
        key: the attribute that is the identifier.
    """

    def __init__(
        self,
        operation: str,
        build: Callable[[list[str]], Request[list[T]]],
        several: str,
        given: tuple[str, str],
        *,
        key: str,
    ) -> None:
        name, self._identifier = given
        try:
            self._request = build([self._identifier])
        except ArgumentError as error:
            problems = (
                problem._replace(argument=problem.argument.replace(f"{several}[0]", name, 1))
                for problem in error.problems
            )
            raise ArgumentError(operation, tuple(problems)) from None
        self.operation = operation
        self.cautions = self._request.cautions
        self._key = key

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[T]:
        """Read it."""
        raw = yield from execute(self._request.raw, context, deadline)
        for item in raw.parse():
            if getattr(item, self._key, UNSET) == self._identifier:
                return item
        status = int(HTTPStatus.NOT_FOUND)
        errors = context.settings.status_errors
        kind = errors.get(status) or errors.get(4) or errors[0]
        exchange = raw.exchange._replace(operation=self.operation, status=status)
        said = f"nothing with {self._key} {self._identifier} was found"
        names = kind._message_fields  # pyright: ignore[reportPrivateUsage]
        raise kind(exchange, dict.fromkeys(names, said), f"{exchange}: {said}")
