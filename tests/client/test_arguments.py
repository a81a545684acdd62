"""Arguments: checked before anything is sent, and named."""

from __future__ import annotations

import math
from datetime import datetime
from inspect import signature
from itertools import product
from typing import Any

import pytest
from calls import CALLS, ID, Call
from social_publishing import ArgumentError
from social_publishing.resources.posts import build_update


class Faulty:
    def __repr__(self) -> str:
        raise RuntimeError


HOSTILE: list[Any] = [
    *(object(), Faulty(), b"x", {1}, 10**5000, math.nan, math.inf, "\ud800", int, ..., None, True),
    *([object()], [[1]], [{}], {(1, 2): 1}, {None: Faulty()}, iter([1]), datetime.max, 2**70),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
def test_no_argument_raises_an_error_of_another_kind(call: Call) -> None:
    names = list(signature(call.build).parameters)
    assert names
    given = {**dict(zip(names, call.args, strict=False)), **call.kwargs}
    for name, value in product(names, HOSTILE):
        try:
            call.build(**{**given, name: value})
        except ArgumentError as error:
            assert str(error)


def test_an_update_that_changes_nothing_is_refused() -> None:
    with pytest.raises(ArgumentError, match="content: nothing is to change"):
        build_update(ID)
