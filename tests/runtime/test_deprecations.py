"""Deprecated methods: each call warns where it stands, and nothing else changes (PEP 702)."""

from __future__ import annotations

import asyncio
import inspect
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from runtime.core.deprecations import deprecated


@deprecated("the service has deprecated GET /old")
def old(number: int, *, twice: bool = False) -> int:
    """Return a number."""
    return number * (2 if twice else 1)


@deprecated("the service has deprecated GET /old")
async def old_async(number: int, *, twice: bool = False) -> int:
    """Return a number."""
    return old.__wrapped__(number, twice=twice)  # type: ignore[attr-defined,no-any-return]


CALLS: list[Callable[..., int]] = [
    lambda *given, **named: old(*given, **named),
    lambda *given, **named: asyncio.run(_awaited(*given, **named)),
]


async def _awaited(*given: Any, **named: Any) -> int:
    return await old_async(*given, **named)


@pytest.mark.parametrize("call", CALLS, ids=["sync", "async"])
def test_a_call_warns_at_its_line_and_returns_what_it_did(call: Callable[..., int]) -> None:
    with pytest.warns(DeprecationWarning, match="has deprecated GET /old") as caught:
        assert call(3, twice=True) == 6
    assert [each.filename for each in caught] == [__file__]


@pytest.mark.parametrize("call", CALLS, ids=["sync", "async"])
def test_one_line_warns_once(call: Callable[..., int]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        globals().pop("__warningregistry__", None)
        assert [call(each) for each in range(3)] == [0, 1, 2]
    assert len(caught) == 1


def test_it_is_still_what_it_was() -> None:
    for function in (old, old_async):
        assert function.__doc__ == "Return a number."
        assert list(inspect.signature(function).parameters) == ["number", "twice"]
        assert function.__deprecated__ == "the service has deprecated GET /old"  # type: ignore[attr-defined]
    assert inspect.iscoroutinefunction(old_async) is (sys.version_info >= (3, 12))
