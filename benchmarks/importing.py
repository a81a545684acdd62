"""Cost of a client before its first call, above an empty process.

`import httpx2`, the import of this client and the making of one, and the same of what other
generators make of the same documents, and of well-known clients of other services.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final

from benchmarks import peers
from benchmarks.figures import Figure, Samples
from benchmarks.measuring import TOKEN, Process, processes
from benchmarks.peers import Peer

ROUNDS: Final = 25
PEER_ROUNDS: Final = 7

_CLIENT: Final = f"""
import social_publishing
social_publishing.SocialPublishing(
    api_token={TOKEN!r}, base_url="https://a.invalid/v1", media_url="https://b.invalid/api/v1"
)
"""
_STOCK: Final = f"""
import stock_main, stock_media
stock_main.AuthenticatedClient(base_url="https://a.invalid/v1", token={TOKEN!r})
stock_media.AuthenticatedClient(base_url="https://b.invalid/api/v1", token={TOKEN!r})
"""
_OPENAPI_GENERATOR: Final = f"""
import generated_main, generated_media
for module, address in (
    (generated_main, "https://a.invalid/v1"), (generated_media, "https://b.invalid/api/v1")
):
    module.ApiClient(module.Configuration(host=address, access_token={TOKEN!r}))
"""
# Clients of one service each, with JSON over HTTP, known among Python developers, each with a
# token that opens nothing.
_SDKS: Final = {
    "openai==3.51.0": 'import openai; openai.OpenAI(api_key="x")',
    "slack-sdk==3.47.0": 'import slack_sdk; slack_sdk.WebClient(token="x")',
    "stripe==16.1.0": 'import stripe; stripe.StripeClient("sk_test_x")',
    "tweepy==4.17.0": 'import tweepy; tweepy.Client(bearer_token="x")',
}
_PEERS: Final[Mapping[Callable[[], Peer], str]] = {
    peers.stock: _STOCK,
    peers.openapi_generator: _OPENAPI_GENERATOR,
    **{partial(peers.installed, pinned): program for pinned, program in _SDKS.items()},
}


def measure() -> Iterator[Figure | str]:
    """Measure import and client above an empty process, beside `import httpx2` and beside peers."""
    here = peers.alone()
    own = {
        "import and client": (_CLIENT, here),
        "import alone": ("import social_publishing", here),
        "httpx2": ("import httpx2", here),
    }
    times = _above(own, ROUNDS)
    for what, target in (("import and client", 0.3), ("import alone", None)):
        yield Figure(what, times[what], "import httpx2", times["httpx2"], target)

    others, missing = peers.present(_PEERS)
    yield from missing
    theirs = {peer.name: (program, peer) for peer, program in others.items()}
    times = _above({"ours": (_CLIENT, here), **theirs}, PEER_ROUNDS)
    for name in theirs:
        yield Figure("import and client", times["ours"], name, times[name], 1)


def _above(programs: Mapping[str, tuple[str, Peer]], rounds: int) -> dict[str, Samples]:
    """Return the processor time above that of an empty process of the same environment."""
    cases = {}
    for name, (program, peer) in programs.items():
        for key, text in ((f"nothing before {name}", "pass"), (name, program)):
            cases[key] = Process([["-c", text]], python=peer.python, paths=peer.paths)
    times = processes(cases, rounds)
    return {name: times[name].above(times[f"nothing before {name}"]) for name in programs}
