"""A large page that is not exactly as documented, and one that is looked at for that."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from benchmarks import samples
from benchmarks.figures import Figure
from benchmarks.measuring import loops

TITLE = "Answers that drift"

ROUNDS = 15
CALLS = 2
POSTS = 200


def measure() -> list[Figure]:
    """What it costs to be tolerant, against decoding a page of 200 posts and nothing more."""
    import msgspec
    from social_publishing._runtime.core.drift import DriftWatch
    from social_publishing._runtime.core.errors import Exchange
    from social_publishing._runtime.request.request import prepare
    from social_publishing._runtime.response.decode import decode
    from social_publishing._runtime.response.redaction import Concealment
    from social_publishing.models.posts import PostPage

    request = prepare(
        operation="posts.list",
        server="main",
        method="GET",
        path="/posts",
        returns=PostPage,
        retry_safety="safe",
    )
    body = samples.page(POSTS)
    as_documented = Exchange("posts.list", "GET", "/posts", 200, {}, body)
    one_number = as_documented._replace(body=body.replace(b'"id":"1100"', b'"id":1100', 1))
    conceal = Concealment("0123456789")

    def read(
        exchange: Exchange, mode: Literal["ignore", "raise"] = "ignore"
    ) -> Callable[[], object]:
        return lambda: decode(request, exchange, conceal, DriftWatch(mode))

    times = loops(
        {
            "decoder": partial(msgspec.json.Decoder(PostPage).decode, body),
            "ignore": read(as_documented),
            "odd": read(one_number),
            "raise": read(as_documented, "raise"),
        },
        ROUNDS,
        CALLS,
    )
    against = "the decoder alone"
    return [
        Figure(f"page of {POSTS} posts, drift ignored", times["ignore"], against, times["decoder"]),
        Figure("the same, one id as a number", times["odd"], against, times["decoder"]),
        Figure('the same as documented, drift="raise"', times["raise"], against, times["decoder"]),
    ]
