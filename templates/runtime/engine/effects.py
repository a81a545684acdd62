"""Effects of a call: written once, as a generator of steps, and walked by either client.

A generator yields a `Step` wherever something has to be waited for. A client carries the step out
in its own manner and gives the result back, or throws the error in; so all decisions are made in
one place, and only what waits is there twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from ..core.browser import IN_BROWSER
from ..core.clock import Clock
from ..core.errors import ClientError
from ..core.named_tuples import NamedTuple

if TYPE_CHECKING:
    from threading import Event

    from ..core.deadline import Deadline
    from ..core.waits import WaitReason
    from ..request.request import Caution
    from ..transport.connections import AsyncConnections, Connections
    from .context import Context

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

LAST_MOMENT = 1.5  # seconds that requests under way have to get a response after an interruption


class Step(Protocol):
    """Something that has to be waited for."""

    def run(self, context: Context[Connections]) -> Any:
        """Do it, and wait."""
        ...

    async def run_async(self, context: Context[AsyncConnections]) -> Any:
        """Do it without holding up the event loop."""
        ...


Steps: TypeAlias = Generator[Step, Any, T]


class Call(Protocol[T_co]):
    """A call as a value: one request, or a plan of several. A client's `send` carries it out."""

    @property
    def operation(self) -> str:
        """The method that it stands for, such as `books.lend`."""
        ...

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """Warnings for the caller before it is carried out."""
        ...

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[T_co]:
        """Return the steps, one after the other."""
        ...


def walk(steps: Steps[T], context: Context[Connections]) -> T:
    """Carry out steps, waiting for each."""
    try:
        step = next(steps)
        while True:
            try:
                result = step.run(context)
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(result)
    except StopIteration as done:
        value: T = done.value
        return value


async def walk_async(steps: Steps[T], context: Context[AsyncConnections]) -> T:
    """Carry out steps, awaiting each."""
    try:
        step = next(steps)
        while True:
            try:
                result = await step.run_async(context)
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(result)
    except StopIteration as done:
        value: T = done.value
        return value


class Pause(NamedTuple):
    """Let so many seconds pass, and report it."""

    seconds: float
    operation: str
    reason: WaitReason

    def run(self, context: Context[Connections]) -> None:
        context.watched(self.operation, self.reason).sleep(self.seconds)

    async def run_async(self, context: Context[AsyncConnections]) -> None:
        with context.connections.waiting():
            await context.watched(self.operation, self.reason).sleep_async(self.seconds)


class Outcome(NamedTuple):
    """Outcome of one of several calls."""

    begun: bool = False
    ended: bool = False
    result: Any = None
    error: ClientError | None = None


class ConcurrentCalls:
    """Carry out several calls, a few at a time. What became of each is in `outcomes`, at any time.

    After the first failure no other is begun; those that are under way come to their end. An
    interruption ends their pauses, and waits a moment for what has been sent.
    """

    def __init__(self, calls: Sequence[Steps[Any]], at_once: int) -> None:
        self.outcomes = [Outcome()] * len(calls)
        self._calls = calls
        self._workers = min(at_once, len(calls))

    def run(self, context: Context[Connections]) -> None:
        """Do it in threads, which have the context variables of this one; in a browser, in turn."""
        from contextvars import copy_context
        from threading import Event, Thread

        work = _Work(self._calls, self.outcomes)
        clock = _Interruptible(context.clock)
        inner = context._replace(clock=clock)

        def run_worker(end: Event) -> None:
            try:
                for index, steps in work:
                    try:
                        work.done(index, walk(steps, inner))
                    except ClientError as error:
                        work.failed(index, error)
            except BaseException as error:
                work.broken(error)
            finally:
                end.set()

        if IN_BROWSER:
            run_worker(Event())
            return work.check()
        ends = [Event() for _ in range(self._workers)]
        threads = [
            Thread(target=copy_context().run, args=(run_worker, end), daemon=True) for end in ends
        ]
        try:
            for thread in threads:
                thread.start()
            # Not `join`: interrupted, it takes a thread for ended that is not (Python 3.11).
            for end in ends:
                end.wait()
        except BaseException:
            work.stop()
            clock.interrupt()
            _wait_for([end for end, thread in zip(ends, threads, strict=True) if thread.ident])
            raise
        for thread in threads:
            thread.join()
        work.check()

    async def run_async(self, context: Context[AsyncConnections]) -> None:
        """Do it in tasks."""
        from anyio import create_task_group

        work = _Work(self._calls, self.outcomes)

        async def run_worker() -> None:
            for index, steps in work:
                try:
                    work.done(index, await walk_async(steps, context))
                except ClientError as error:
                    work.failed(index, error)
                except Exception as error:
                    work.broken(error)
                except (KeyboardInterrupt, SystemExit) as error:
                    # Raised here, it would reach the caller inside of an exception group.
                    work.broken(error)
                    group.cancel_scope.cancel()
                except BaseException as error:
                    # Where this task alone is cancelled, the group would not let anybody know.
                    work.broken(error)
                    raise

        async with create_task_group() as group:
            for _ in range(self._workers):
                group.start_soon(run_worker)
        work.check()


def _wait_for(ends: Sequence[Event]) -> None:
    """Wait for what has been sent, but no longer than the last moment."""
    import time

    until = time.monotonic() + LAST_MOMENT
    for end in ends:
        end.wait(max(0.0, until - time.monotonic()))


class _Work:
    """Calls that several workers take one after the other, until one fails."""

    def __init__(self, calls: Sequence[Steps[Any]], outcomes: list[Outcome]) -> None:
        self._outcomes = outcomes
        # Not an iterator: without the lock of the interpreter, two threads might get the same one.
        self._left = deque(enumerate(calls))
        self._stopped = False
        self._error: BaseException | None = None

    def __iter__(self) -> Iterator[tuple[int, Steps[Any]]]:
        while not self._stopped:
            try:
                index, steps = self._left.popleft()
            except IndexError:
                return
            self._outcomes[index] = Outcome(begun=True)
            yield index, steps

    def stop(self) -> None:
        """Begin no other."""
        self._stopped = True

    def done(self, index: int, result: Any) -> None:
        """One has succeeded."""
        self._outcomes[index] = Outcome(True, True, result)

    def failed(self, index: int, error: ClientError) -> None:
        """One has failed."""
        self._outcomes[index] = Outcome(True, True, error=error)
        self.stop()

    def broken(self, error: BaseException) -> None:
        """Something else than the service or the network is wrong: the caller has to see it."""
        self._error = self._error or error
        self.stop()

    def check(self) -> None:
        """Let the caller see it."""
        if self._error is not None:
            raise self._error


class _Interrupted(BaseException):
    """Ends a call whose caller has been interrupted."""


class _Interruptible(Clock):
    """A clock whose pauses all end when the caller is interrupted."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._waited_for: set[Event] = set()
        self._stopped = False

    def now(self) -> float:
        return self._clock.now()

    def wall(self) -> float:
        return self._clock.wall()

    def sleep(self, seconds: float) -> None:
        from threading import Event

        self.wait(Event(), seconds)

    def wait(self, event: Event, seconds: float | None) -> None:
        self._waited_for.add(event)
        try:
            if not self._stopped:
                self._clock.wait(event, seconds)
            if self._stopped:
                raise _Interrupted
        finally:
            self._waited_for.discard(event)

    def interrupt(self) -> None:
        """End all pauses, those to come as well."""
        self._stopped = True
        for event in list(self._waited_for):
            event.set()
