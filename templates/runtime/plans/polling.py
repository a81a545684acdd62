"""Waiting for what the service does on its own time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import UNSET, UnsetType

from ..core.errors import (
    ArgumentError,
    ArgumentProblem,
    DeadlineExceeded,
    ProcessingFailed,
    shortened,
)
from ..engine.effects import Call, Pause, Steps
from ..engine.execute import execute
from ..response.paths import attribute, check_kind

if TYPE_CHECKING:
    from ..core.deadline import Deadline
    from ..engine.context import Context
    from ..request.request import Request

T = TypeVar("T")

FIRST_PAUSE = 0.5  # seconds
LONGEST_PAUSE = 10.0  # seconds
GROWTH = 1.6
LONGEST_WAIT = 900.0  # seconds; for calls without a deadline of their own
LAST_RESPONSE = 1.0  # seconds that the last request before the deadline has to get a response


class Polling(Generic[T]):
    """Asks again and again, with growing pauses, until something is ready.

    Args:
        result: the attribute of the response that has what is waited for; a path with dots, as all.
        busy: attributes, and the values that say that it is not ready yet.
        failed: the attribute that says why it will never be ready.
    """

    def __init__(
        self,
        operation: str,
        build: Callable[[], Request[Any]],
        *,
        result: str,
        busy: Mapping[str, Any],
        failed: str | None = None,
    ) -> None:
        try:
            request = build()
        except ArgumentError as error:
            raise ArgumentError(operation, error.problems) from None
        self.operation = operation
        self.cautions = request.cautions
        self._request = request
        self._result = result
        self._busy = busy
        self._failed = failed

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[T]:
        """Ask until it is ready.

        Raises:
            ProcessingFailed: it will never be ready.
            DeadlineExceeded: it was not ready in time; `last` has the newest response. Without a
                deadline the time is 15 minutes.
            DecodeError: what is there is not of the kind that is documented.
        """
        deadline = deadline.or_else(LONGEST_WAIT)
        pause = FIRST_PAUSE
        response: Any = None
        while True:
            try:
                raw = yield from execute(self._request.raw, context, deadline)
            except DeadlineExceeded as error:
                error.operation, error.last = self.operation, response
                raise
            response = raw.parse()
            reason = UNSET if self._failed is None else attribute(response, self._failed)
            if reason:
                raise ProcessingFailed(self.operation, str(reason), response)
            if not self._is_busy(response):
                check_kind(response, self._result, raw)
                ready: T | UnsetType | None = attribute(response, self._result)
                if ready is not UNSET and ready is not None:
                    return ready
            if not deadline.allows(pause):
                pause = (deadline.left or 0.0) - LAST_RESPONSE
                if pause < FIRST_PAUSE:
                    raise deadline.exceeded(self.operation, "it was not ready", response)
            yield Pause(pause, self.operation, "not ready")
            pause = min(LONGEST_PAUSE, pause * GROWTH)

    def _is_busy(self, response: Any) -> bool:
        return any(attribute(response, path) == value for path, value in self._busy.items())


class Awaited(Generic[T]):
    """A request, and on request the wait until what it made is ready.

    Args:
        wait: whether to wait.
        waiting: makes the call that waits for what the response names.
        busy: the attribute of the response that is true as long as it is not ready.
    """

    def __init__(
        self,
        operation: str,
        build: Callable[[], Request[T]],
        wait: bool,
        waiting: Callable[[Any], Call[T]],
        *,
        busy: str,
    ) -> None:
        problems: list[ArgumentProblem] = []
        request: Request[T] | None = None
        try:
            request = build()
        except ArgumentError as error:
            problems += error.problems
        if not isinstance(wait, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            problems.append(ArgumentProblem("wait", f"must be True or False, got {wait!r}"))
        if request is None or problems:
            raise ArgumentError(operation, tuple(problems))
        self.operation = operation
        self.cautions = request.cautions
        self._request = request
        self._wait = wait
        self._waiting = waiting
        self._busy = busy

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[T]:
        """Send the request, then wait.

        To whatever ends the wait, an interruption too, a note is added that says what the request
        itself has made.
        """
        made = yield from execute(self._request, context, deadline)
        if not self._wait or not attribute(made, self._busy):
            return made
        try:
            return (yield from execute(self._waiting(made), context, deadline))
        except BaseException as error:
            error.add_note(f"{self.operation} itself has succeeded: {shortened(repr(made))}")
            if isinstance(error, DeadlineExceeded) and error.last is None:
                error.last = made
            raise
