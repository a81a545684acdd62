"""A large page, from bytes to models and back."""

from __future__ import annotations

from importlib import import_module

from benchmarks import samples
from benchmarks.figures import Figure
from benchmarks.measuring import loops

TITLE = "Decoding and encoding"

ROUNDS = 31
CALLS = 3
POSTS = 200


def measure() -> list[Figure]:
    """A page of 200 posts with every field against orjson, which makes and takes dictionaries."""
    try:
        orjson = import_module("orjson")
    except ImportError:
        raise RuntimeError("orjson is not installed; it is no dependency of the project") from None
    import msgspec
    from social_publishing.models.posts import PostPage

    body = samples.page(POSTS)
    decoder, encoder = msgspec.json.Decoder(PostPage), msgspec.json.Encoder()
    page, plain = decoder.decode(body), orjson.loads(body)
    times = loops(
        {
            "decode": lambda: decoder.decode(body),
            "loads": lambda: orjson.loads(body),
            "encode": lambda: encoder.encode(page),
            "dumps": lambda: orjson.dumps(plain),
        },
        ROUNDS,
        CALLS,
    )
    size = f"{POSTS} posts, {len(body) / 1000:.0f} KB"
    return [
        Figure(f"decode {size}", times["decode"], "orjson.loads", times["loads"]),
        Figure(f"encode {size}", times["encode"], "orjson.dumps", times["dumps"]),
    ]
