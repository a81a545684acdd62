"""What a list keeps of its items, where the service itself cannot be asked for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from enum import EnumType
from typing import Any, Literal

from msgspec import UNSET

from ..core.errors import ArgumentError, ArgumentProblem
from ..core.named_tuples import NamedTuple
from ..core.type_guards import is_items
from ..request.validation import Checker


class Keep(NamedTuple):
    """A condition for the items of a list.

    Attributes:
        value: what the caller gave: for `equal` one value or several; UNSET asks for nothing.
        attribute: the attribute of an item that it is compared with. An item without it is left
            out.
        how: `equal`: it is the value, or one of them; `from`: it is the moment or later;
            `before`: it is earlier.
    """

    argument: str
    value: Any
    attribute: str
    how: Literal["equal", "from", "before"]
    type: Any = datetime


def keeping(operation: str, *conditions: Keep) -> Callable[[Any], bool] | None:
    """Return whether an item fulfils all conditions, as a function; None where none is asked for.

    Raises:
        ArgumentError: a value is not of its type, a moment has no time zone, or a range ends
            before it starts.
    """
    given = [condition for condition in conditions if condition.value is not UNSET]
    if not given:
        return None
    checker = Checker()
    tests: list[tuple[str, Callable[[Any], bool]]] = []
    for condition in given:
        values = list(condition.value) if is_items(condition.value) else [condition.value]
        several = condition.how == "equal" and is_items(condition.value)
        for at, value in enumerate(values):
            name = f"{condition.argument}[{at}]" if several else condition.argument
            if not (isinstance(condition.type, EnumType) and isinstance(value, condition.type)):
                checker.wire(value, condition.type, name)
        tests.append((condition.attribute, _test(condition.how, values)))
    problems = tuple(checker.problems) or tuple(_reversed(given))
    if problems:
        raise ArgumentError(operation, problems)

    def keeps(item: Any) -> bool:
        for attribute, test in tests:
            actual = getattr(item, attribute, None)
            if actual is None or actual is UNSET or not test(actual):
                return False
        return True

    return keeps


def _reversed(given: Sequence[Keep]) -> Iterator[ArgumentProblem]:
    """Yield what is wrong with a range whose end is before its start."""
    for start in (each for each in given if each.how == "from"):
        for end in given:
            if (end.how, end.attribute) == ("before", start.attribute) and end.value < start.value:
                reason = f"must not be before {start.argument}, {start.value.isoformat()}"
                yield ArgumentProblem(end.argument, reason)


def _test(how: str, values: Sequence[Any]) -> Callable[[Any], bool]:
    if how == "equal":
        return lambda found: found in values
    if how == "from":
        return lambda found: bool(found >= values[0])
    return lambda found: bool(found < values[0])
