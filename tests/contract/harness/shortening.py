"""The shortest way to a failure: what was done is done again, without what does not matter.

Hypothesis would draw each run anew, and take minutes; what was drawn is known here, and can be done
again as it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from harness.drawing import Step
from harness.failing import ContractFailure

SECONDS = 20.0
"""How long a shorter way is looked for."""

Deed = tuple[Any, ...]
"""A method of a machine, and what it is given."""
END: Deed = ("end",)


class Broken(Exception):
    """Something is not as it must be.

    Attributes:
        title: what; the same title is the same failure.
        failure: what people are told.
        done: what led to it.
    """

    def __init__(self, title: str, failure: ContractFailure, done: Sequence[Deed]) -> None:
        super().__init__(title)
        self.title, self.failure, self.done = title, failure, list(done)


class Doing(Protocol):
    """A machine, as this module sees it."""

    def do(self, deed: Deed) -> None: ...


def shortened(begin: Callable[[], Doing], found: Broken) -> Broken:
    """The shortest way to a failure that is found in some seconds.

    Args:
        begin: makes a machine that has done nothing yet.
    """
    until = time.monotonic() + SECONDS
    done = [each for each in found.done if each != END]
    size = len(done)
    while size:
        end = len(done)
        while end > 0:
            start = max(end - size, 0)
            shorter = done[:start] + done[end:]
            again = _again(begin, shorter, found.title, until)
            if again:
                found, done = again, shorter
            end = start
        size //= 2
    for index, deed in enumerate(done):
        for change in _simplifications(deed):
            simpler = ("perform", replace(done[index][1], **change(done[index][1])))
            again = _again(begin, [*done[:index], simpler, *done[index + 1 :]], found.title, until)
            if again:
                found, done[index] = again, simpler
    return found


def _again(
    begin: Callable[[], Doing], done: Sequence[Deed], title: str, until: float
) -> Broken | None:
    """The same failure, if doing these things leads to it."""
    if time.monotonic() > until:
        return None
    made = begin()
    try:
        for each in [*done, END]:
            made.do(each)
    except Broken as found:
        return found if found.title == title else None
    return None


def _simplifications(deed: Deed) -> Iterator[Callable[[Step], dict[str, Any]]]:
    """What may be taken out of a call."""
    if deed[0] == "perform":
        yield lambda step: {"user": "owner"}
        yield lambda step: {"side": "sync"}
        yield lambda step: {"fault": None}
        step: Step = deed[1]
        for key, value in step.values.items():
            if not step.operation.arguments[key].required:
                yield partial(_without, key)
            if isinstance(value, list):
                yield partial(_with, key, value[:1])


def _without(key: str, step: Step) -> dict[str, Any]:
    return {"values": {name: value for name, value in step.values.items() if name != key}}


def _with(key: str, value: Any, step: Step) -> dict[str, Any]:
    return {"values": {**step.values, key: value}} if key in step.values else {}
