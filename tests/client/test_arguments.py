"""Arguments: checked before anything is sent, and named."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from inspect import signature
from itertools import product
from typing import Any

import pytest
from calls import CALLS, ID, Call
from server import Server
from social_publishing import ArgumentError, SocialPublishing

Use = Callable[[Any], Any]


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
    given = {**dict(zip(names, call.args, strict=False)), **call.kwargs}
    for name, value in product(names, HOSTILE):
        try:
            call.build(**{**given, name: value})
        except ArgumentError as error:
            assert str(error)


def test_unset_fields_are_left_out(client: SocialPublishing, server: Server) -> None:
    """§4.1.1: null in a PATCH is not documented: it is sent only when asked for; false,
    zero and empty are values."""
    client.posts.update(ID, should_skip=False, publication_delay_between=0, label_ids=[], note=None)
    assert server.requests[-1].body == (
        b'{"name":null}'.replace(b"name", b"note")[:-1]
        + b',"publication_delay_between":0,"should_skip":false,"labelIds":[]}'
    )
    with pytest.raises(ArgumentError, match="content: nothing is to change"):
        client.posts.update(ID)
