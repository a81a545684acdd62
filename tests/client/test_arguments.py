"""Arguments: checked before anything is sent, and named."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from inspect import signature
from itertools import product
from typing import Any

import pytest
from calls import CALLS, ID, OTHER, Call
from server import Server
from social_publishing import ArgumentError, SocialPublishing

Use = Callable[[Any], Any]


class Text(str):
    """As those of template engines and of numpy."""


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


def test_a_text_of_a_class_of_the_callers_own_is_sent_as_text(
    client: SocialPublishing, server: Server
) -> None:
    client.posts.update(Text(ID), content=Text("a"), label_ids=[Text(OTHER)])
    assert server.requests[0].target.endswith(f"/posts/{ID}")
    assert server.requests[0].json == {"content": "a", "labelIds": [OTHER]}


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


@pytest.mark.parametrize(
    ("use", "target"),
    [
        (lambda c: c.posts.delete_many(ids=["1"]), "/v1/posts-bulk?ids=1"),
        (lambda c: c.calendar_notes.delete("1"), "/v1/calendar-notes/1"),
        (lambda c: c.groups.get("1"), "/v1/groups/1"),
        (lambda c: c.posts.list(group_id="1").first_page(), "/v1/posts?groupId=1"),
        (lambda c: c.posts.activities("1").first_page(), "/v1/posts/1/activities"),
        (
            lambda c: c.posts.delete_many(ids=["1"], from_networks=False, delete_tasks=False),
            "/v1/posts-bulk?ids=1&deleteFromNetworks=false&deleteTask=false",
        ),
    ],
    ids=["networks and tasks", "grouped notes", "include", "page", "activities", "false is said"],
)
def test_options_are_left_out_unless_asked_for(
    client: SocialPublishing, server: Server, use: Use, target: str
) -> None:
    """§4.8: names of the delete flags are placeholders, and what they do cannot be undone:
    nothing of them goes out by itself; includes and pages neither."""
    use(client)
    assert server.requests[-1].target == target


def test_media_order_is_kept(client: SocialPublishing, server: Server) -> None:
    """§2.2: the order of `selected_media_ids` is the order of publishing; repeats stay."""
    client.posts.update(ID, selected_media_ids=("3", "1", "2", "1"))
    assert server.requests[-1].json == {"selected_media_ids": ["3", "1", "2", "1"]}
    client.posts.get_many(ids=(OTHER, ID))
    assert server.requests[-1].target.endswith(f"?ids={OTHER},{ID}")


def test_only_media_uploads_check_files(client: SocialPublishing, server: Server) -> None:
    """§4.7: the limits are stated for `/upload`: any address is left to the service."""
    client.media.upload_from_url(file_url="https://x.invalid/a.exe")
    assert server.requests[-1].json == {"file_url": "https://x.invalid/a.exe"}
