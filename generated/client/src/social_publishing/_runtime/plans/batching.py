"""Calls that are cut into several requests: many identifiers, long windows of time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import msgspec

from ..core.errors import ArgumentError, ArgumentProblem, Batch, PartialFailure
from ..core.models import stored
from ..core.times import elapsed, is_aware
from ..core.type_guards import is_list
from ..engine.effects import ConcurrentCalls, Outcome, Steps
from ..engine.execute import execute
from ..request.progress import ProgressReport

if TYPE_CHECKING:
    from ..core.deadline import Deadline
    from ..engine.context import Context
    from ..request.progress import OnProgress
    from ..request.request import Request

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE = 4  # requests of one call under way at a time
_NAMES = (str, int)  # what names an item; a value of another kind, kept as it came, does not


class Items(list[T]):
    """A list that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        from ..core.notebooks import items_as_html

        return items_as_html(self)


class Found(Items[T]):
    """The objects that were found, in the order of the request.

    Attributes:
        missing: the identifiers that the response left out, in the order of the request.
    """

    def __init__(self, items: Iterable[T] = (), missing: Iterable[str] = ()) -> None:
        super().__init__(items)
        self.missing: tuple[str, ...] = tuple(missing)


Merge = Callable[[Sequence[Batch]], T]
"""Makes one result of those of all batches."""


def found_by(key: str) -> Merge[Found[Any]]:
    """Put items in the order in which they were asked for.

    Args:
        key: the attribute that is the identifier. Items that nobody asked for come last.
    """

    def merge(batches: Sequence[Batch]) -> Found[Any]:
        asked = [identifier for batch in batches for identifier in batch.values]
        items = [item for batch in batches for item in batch.result or ()]
        named = [
            (value if isinstance(value := getattr(item, key), _NAMES) else None, item)
            for item in items
        ]
        by_identifier = dict(named)
        known = set(asked)
        ordered = [by_identifier[identifier] for identifier in asked if identifier in by_identifier]
        others = [item for identifier, item in named if identifier not in known]
        return Found([*ordered, *others], [each for each in asked if each not in by_identifier])

    return merge


def nothing(batches: Sequence[Batch]) -> None:
    """Return nothing, for calls without a result."""


def merged(batches: Sequence[Batch]) -> Any:
    """Put results with the same members together: lists one after the other, true if any is true.

    Whole numbers count what was done, and are added. Of all other members, the first one that is
    there counts; and an empty response has none.
    """
    results = [batch.result for batch in batches if batch.result is not None]
    if len(results) <= 1:
        return results[0] if results else None
    first = results[0]
    changes: dict[str, Any] = {}
    for name in first.__struct_fields__:
        values = [getattr(result, name) for result in results]
        there = [value for value in values if value is not None]
        if any(is_list(value) for value in there):
            changes[name] = [item for value in there if is_list(value) for item in value]
        elif there and all(isinstance(value, bool) for value in there):
            changes[name] = any(there)
        elif there and all(isinstance(value, int) for value in there):
            changes[name] = sum(there)
        elif there:
            changes[name] = there[0]
    return msgspec.structs.replace(first, **changes)


def with_unmentioned(kind: Callable[..., T], *lists: str) -> Merge[T]:
    """Put results together, and name what was sent and is in none of their lists.

    Args:
        kind: the class of the result: that of a response, and `unmentioned`.
        lists: the members that are lists of identifiers.
    """

    def merge(batches: Sequence[Batch]) -> T:
        response = merged(batches)
        members: dict[str, Any] = {}
        if response is not None:
            members = {name: stored(response, name) for name in response.__struct_fields__}
        there = [members[name] for name in lists if name in members and is_list(members[name])]
        named = {item for items in there for item in items if isinstance(item, str)}
        sent = [identifier for batch in batches for identifier in batch.values]
        return kind(**members, unmentioned=tuple(each for each in sent if each not in named))

    return merge


class _Counter:
    """Counts what the requests of a call have done, in whichever threads they are sent."""

    def __init__(self, call: _Batched[Any], report: OnProgress | None) -> None:
        self._call, self._report = call, report
        self._total = call.total
        self._done = 0
        self._lock = Lock()
        if self._total:
            self._add(0)

    def counted(self, steps: Steps[R], size: int) -> Steps[R]:
        """Do the steps of a request, and count them as done."""
        result = yield from steps
        self._add(size)
        return result

    def _add(self, size: int) -> None:
        if self._report:
            with self._lock:  # so that no later number comes before an earlier one
                self._done += size
                call = self._call
                self._report(ProgressReport(call.operation, call.unit, self._done, self._total))


class _Batched(Generic[T]):
    """A call that is split into requests, possibly none, whose results are merged.

    Attributes:
        unit: what its progress counts.
    """

    unit: Literal["items", "requests"] = "items"

    def __init__(
        self,
        operation: str,
        requests: Sequence[tuple[Sequence[Any], Request[Any]]],
        merge: Merge[T],
    ) -> None:
        self.operation = operation
        self.cautions = requests[0][1].cautions if requests else ()
        self._requests = requests
        self._merge = merge

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[T]:
        """Send them all, a few at a time, and put the results together.

        To whatever else ends it, such as an interruption, a note is added that says how much was
        done.
        """
        counter = _Counter(self, context.options.on_progress)
        calls = [
            counter.counted(execute(request, context, deadline), self.size(what))
            for what, request in self._requests
        ]
        if len(calls) == 1:
            return self._merge([Batch(self._requests[0][0], (yield from calls[0]))])
        together = ConcurrentCalls(calls, AT_ONCE)
        try:
            yield together
        except BaseException as error:
            error.add_note(self._so_far(together.outcomes))
            raise
        batches = [
            Batch(what, outcome.result, outcome.error)
            for (what, _), outcome in zip(self._requests, together.outcomes, strict=True)
        ]
        failed = [batch for batch in batches if batch.error is not None]
        if failed:
            raise self._failure(batches, together.outcomes, failed) from failed[0].error
        return self._merge(batches)

    @property
    def total(self) -> int:
        """How much there is to do, in `unit`."""
        return sum(self.size(what) for what, _ in self._requests)

    def size(self, what: Sequence[Any]) -> int:
        """Return how much one request does, in `unit`."""
        return len(what)

    def _failure(
        self, batches: Sequence[Batch], outcomes: Sequence[Outcome], failed: Sequence[Batch]
    ) -> PartialFailure:
        begun = [batch for batch, outcome in zip(batches, outcomes, strict=True) if outcome.begun]
        not_sent = batches[len(begun) :]  # they are begun in order
        return PartialFailure(
            self.operation,
            succeeded=[batch for batch in begun if batch.error is None],
            failed=failed,
            not_sent=not_sent,
            left=self._values([each for each in (*failed, *not_sent) if not each.may_be_done]),
            unknown=self._values([each for each in failed if each.may_be_done]),
        )

    def _values(self, batches: Sequence[Batch]) -> list[Any]:
        """Return what batches are about, as a caller gives it."""
        return [value for batch in batches for value in batch.values]

    def _so_far(self, outcomes: Sequence[Outcome]) -> str:
        """Return a note on how much was done before it was interrupted."""
        done = sum(outcome.ended and outcome.error is None for outcome in outcomes)
        errors = [outcome.error for outcome in outcomes if outcome.error is not None]
        failed = sum(not error.may_be_done for error in errors)
        begun = sum(outcome.begun for outcome in outcomes)
        return (
            f"{self.operation}: of {len(outcomes)} requests {done} succeeded, {failed} failed, "
            f"{begun - done - failed} may have been carried out, "
            f"{len(outcomes) - begun} were not sent"
        )


class Batches(_Batched[T]):
    """A call about any number of values, so many to a request.

    Every value is asked for once, in the order in which it is given first. Without any value
    nothing is sent, and the result is empty; but where only the service can make one, a single
    request without values is sent.

    Args:
        build: makes the request for some of the values.
        argument: the name of the argument that has them.
        size: how many a request takes at most.
        merge: makes one result of all.
        sends_none: whether a request is sent where there are no values.
    """

    def __init__(
        self,
        operation: str,
        build: Callable[[Any], Request[Any]],
        argument: str,
        values: Iterable[str],
        *,
        size: int,
        merge: Merge[T],
        sends_none: bool = False,
    ) -> None:
        requests: list[tuple[Sequence[Any], Request[Any]]] = []
        problems: dict[ArgumentProblem, None] = {}
        for places, batch in _cut(values, size):
            is_empty = places is not None and not places
            try:
                request = build(batch)
            except ArgumentError as error:
                placed = (_placed(each, argument, places) for each in error.problems)
                # That there are no values is a reason not to ask, and no mistake.
                passed = argument if is_empty and not sends_none else None
                problems |= {each: None for each in placed if each.argument != passed}
            else:
                if sends_none or not is_empty:
                    requests.append((batch, request))
        if problems:
            raise ArgumentError(operation, tuple(problems))
        super().__init__(operation, requests, merge)


class Windows(_Batched[list[Any]]):
    """A list of what lies in a window of time, which may be longer than one request allows.

    It is cut into windows of equal length that share their ends; what lies in two comes once.

    Args:
        start, end: the name and the value of each argument.
        under_days: a request's window has to be shorter than so many days.
        key: the attribute that is the identifier of an item.
        by: the attribute that lists are ordered by, if any: the windows are joined in that order.

    Raises:
        ArgumentError: an argument is not what the documents allow, or the end lies before the
            start; nothing was sent.
    """

    unit = "requests"

    def __init__(
        self,
        operation: str,
        build: Callable[[Any, Any], Request[Any]],
        *,
        start: tuple[str, date],
        end: tuple[str, date],
        under_days: int,
        key: str,
        by: str | None = None,
    ) -> None:
        moments = _moments(start[1], end[1], under_days)
        requests = [(window, build(*window)) for window in pairwise(moments)]
        ends = start[1], end[1]
        if (all(map(is_aware, ends)) or all(map(_is_day, ends))) and elapsed(*ends) < timedelta():
            reason = f"must not be before {start[0]}, {start[1].isoformat()}"
            raise ArgumentError(operation, (ArgumentProblem(end[0], reason),))
        super().__init__(operation, requests, _once_by(key, by))

    def size(self, what: Sequence[Any]) -> int:
        """Return that a window is one request, whatever lies in it."""
        return 1

    def _values(self, batches: Sequence[Batch]) -> list[Any]:
        return [batch.values for batch in batches]


def _once_by(key: str, by: str | None) -> Merge[list[Any]]:
    def merge(batches: Sequence[Batch]) -> list[Any]:
        seen: set[Any] = set()
        kept: list[list[Any]] = []  # of each window; what lies in several, in the first of them
        for batch in batches:
            kept.append([])
            for item in batch.result or ():
                identifier = getattr(item, key)
                if isinstance(identifier, _NAMES):
                    if identifier in seen:
                        continue
                    seen.add(identifier)
                kept[-1].append(item)
        if by and _falls(batches, by):
            kept.reverse()
        return Items(item for items in kept for item in items)

    return merge


def _falls(batches: Sequence[Batch], by: str) -> bool:
    """Return whether lists are in descending order; whatever cannot be compared says nothing."""
    falls = False
    for batch in batches:
        values: list[Any] = [getattr(item, by, None) for item in batch.result or ()]
        for one, other in pairwise(values):
            try:
                if one < other:
                    return False
                falls = falls or bool(one > other)
            except TypeError:
                continue
    return falls


def _cut(values: Any, size: int) -> list[tuple[list[int] | None, Any]]:
    """Return the values in batches, each text once, and the places that they were given at.

    What has no values in it is left for the request, which refuses it.
    """
    if isinstance(values, (str, bytes, bytearray)) or not hasattr(values, "__iter__"):
        return [(None, values)]
    given = list(values)
    first: dict[str, int] = {}
    places = [
        place
        for place, value in enumerate(given)
        if not isinstance(value, str) or first.setdefault(value, place) == place
    ]
    starts = range(0, len(places), size) or [0]
    cut = [places[at : at + size] for at in starts]
    return [(batch, [given[place] for place in batch]) for batch in cut]


def _placed(
    problem: ArgumentProblem, argument: str, places: Sequence[int] | None
) -> ArgumentProblem:
    """Return the problem with the index that the caller knows."""
    match = re.fullmatch(rf"{re.escape(argument)}\[(\d+)\](.*)", problem.argument, re.DOTALL)
    if match is None or places is None:
        return problem
    return problem._replace(argument=f"{argument}[{places[int(match[1])]}]{match[2]}")


def _is_day(value: Any) -> bool:
    return isinstance(value, date) and not isinstance(value, datetime)


def _moments(start: Any, end: Any, under_days: int) -> list[Any]:
    """Return where windows begin and end. The request refuses what cannot be cut."""
    if _is_day(start) and _is_day(end):
        count = max(1, -(-(end - start).days // (under_days - 1)))
        between = [start + (end - start) * n // count for n in range(1, count)]
        return [start, *between, end]
    if not (is_aware(start) and is_aware(end)):
        return [start, end]
    span, limit = elapsed(start, end), timedelta(days=under_days)
    if span < limit:
        return [start, end]
    # A minute less than allowed, so that whole seconds can be taken.
    count = -(-span // (limit - timedelta(minutes=1)))
    # In a zone without summer time; the start itself may not fit the calendar in UTC.
    first = start.replace(tzinfo=timezone(start.utcoffset() or timedelta()), microsecond=0)
    # In whole numbers: several times the span may be more than a timedelta holds.
    ticks = span // timedelta.resolution
    between = [first + timedelta.resolution * (ticks * n // count) for n in range(1, count)]
    return [start, *(each.astimezone(UTC).replace(microsecond=0) for each in between), end]
