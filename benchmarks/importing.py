"""Cost of a client before its first call: processor time, and modules loaded.

Everything is measured above an empty process: `import httpx2`, the import of this client and the
making of one, and the same of what else one could take: what other generators make of the same
documents, and well-known clients of other services.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import peers
from benchmarks.figures import Figure, LeftOut, Samples
from benchmarks.measuring import CLIENT, TOKEN, Process, processes, reported
from benchmarks.peers import Peer

TITLE: Final = "Import"

ROUNDS: Final = 25
PEER_ROUNDS: Final = 7

_CLIENT = f"""
import social_publishing
social_publishing.SocialPublishing(
    api_token={TOKEN!r}, base_url="https://a.invalid/v1", media_url="https://b.invalid/api/v1"
)
"""

_STOCK = f"""
import stock_main, stock_media
stock_main.AuthenticatedClient(base_url="https://a.invalid/v1", token={TOKEN!r})
stock_media.AuthenticatedClient(base_url="https://b.invalid/api/v1", token={TOKEN!r})
"""

_OPENAPI_GENERATOR = f"""
import generated_main, generated_media
for module, address in (
    (generated_main, "https://a.invalid/v1"), (generated_media, "https://b.invalid/api/v1")
):
    module.ApiClient(module.Configuration(host=address, access_token={TOKEN!r}))
"""

_PYDANTIC = f"""
import httpx2, pydantic_main
httpx2.Client(
    base_url="https://a.invalid/v1", headers={{"Authorization": "Bearer " + {TOKEN!r}}}
)
"""

_COUNT = "\nimport sys; print(len(sys.modules))"

Programs = Mapping[str, tuple[str, Peer]]


def measure() -> Iterator[Figure | LeftOut]:
    """Measure import and client above an empty process, beside `import httpx2` and beside peers."""
    try:
        here = peers.bare()
    except peers.Missing as reason:
        yield LeftOut("a place with nothing else", str(reason))
        here = Peer("", Path(sys.executable), (CLIENT,))
    own = {
        "ours": (_CLIENT, here),
        "module": ("import social_publishing", here),
        "httpx2": ("import httpx2", here),
    }
    against = "import httpx2"
    times, modules = _cpu(own), _modules(own)
    yield Figure("import and client", times["ours"], against, times["httpx2"], 0.3)
    yield Figure("import alone", times["module"], against, times["httpx2"])
    yield Figure("import and client, modules", modules["ours"], against, modules["httpx2"])

    programs: dict[str, tuple[str, Peer]] = {}
    for maker, program in _PEERS.items():
        found, missing = peers.present(maker)
        yield from missing
        programs |= {peer.name: (program, peer) for peer in found}
    times = _cpu({"ours": (_CLIENT, here), **programs}, PEER_ROUNDS)
    for name in programs:
        yield Figure("import and client", times["ours"], name, times[name], 1)


_PEERS: Mapping[Callable[[], Peer], str] = {
    peers.stock: _STOCK,
    peers.openapi_generator: _OPENAPI_GENERATOR,
    peers.pydantic: _PYDANTIC,
    **{partial(peers.installed, pinned): program for pinned, program in peers.SDKS.items()},
}


def _cpu(programs: Programs, rounds: int = ROUNDS) -> dict[str, Samples]:
    """Return the processor time above that of an empty process of the same environment."""
    taken = processes(_cases(programs, ""), rounds)
    return {name: taken[name].above(taken[_empty(name)]) for name in programs}


def _modules(programs: Programs) -> dict[str, Samples]:
    """Return the number of modules loaded, above that of an empty process."""
    taken = reported(_cases(programs, _COUNT), 1, "modules")
    return {name: taken[name].above(taken[_empty(name)]) for name in programs}


def _cases(programs: Programs, end: str) -> dict[str, Process]:
    """Return each program, and an empty one of its environment before it."""
    cases = {}
    for name, (program, peer) in programs.items():
        for key, text in ((_empty(name), "pass"), (name, program)):
            cases[key] = Process([["-c", text + end]], python=peer.python, paths=peer.paths)
    return cases


def _empty(name: str) -> str:
    return f"nothing before {name}"
