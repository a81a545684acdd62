"""Cost of the command line: its help, and one call, as processes of their own.

Help is measured above an empty process, beside the import of the library that reads the arguments,
and beside the help of other commands that speak HTTP. A call is measured beside the same call in a
program.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks import peers, server
from benchmarks.figures import Figure, LeftOut
from benchmarks.measuring import CLIENT, ROOT, TOKEN, Process, processes

TITLE: Final = "The command line"

ROUNDS: Final = 25
PEER_ROUNDS: Final = 11

_PATHS: Final = (ROOT / "cli" / "src", CLIENT)
_PEERS: Final = {
    "httpie==3.2.4": ["-m", "httpie", "--help"],
    "huggingface-hub==2.4.0": ["-m", "huggingface_hub.cli.hf", "--help"],
}
_MEDIA: Final = "http://b.invalid/api/v1"
_START: Final = "import os, sys; sys.argv[1:] = {words!r}; os.environ |= {environment!r}; "
_RUN: Final = "from social_publishing_cli.__main__ import run; run()"
_CALL: Final = """
import json
from social_publishing import SocialPublishing
with SocialPublishing(api_token={token!r}, base_url={base!r}, media_url={media!r}) as client:
    print(json.dumps(client.groups.get("1").to_dict(wire=True)))
"""


def measure() -> Iterator[Figure | LeftOut]:
    """Measure help and a call, beside the client in a program and beside other commands."""
    python = Path(sys.executable)
    help_ = {
        "nothing": Process([["-c", "pass"]]),
        "library": Process([["-c", "import click"]]),
        "help": Process([["-m", "social_publishing_cli", "--help"]], paths=_PATHS),
    }
    times = processes(help_, ROUNDS)
    above = {name: each.above(times["nothing"]) for name, each in times.items()}
    yield Figure("help", above["help"], "import click", above["library"], 2)

    for pinned, words in _PEERS.items():
        try:
            peer = peers.installed(pinned)
        except peers.Missing as reason:
            yield LeftOut(pinned, str(reason))
            continue
        cases = {
            "nothing": Process([["-c", "pass"]], python=python),
            "ours": help_["help"],
            "nothing there": Process([["-c", "pass"]], python=peer.python),
            "theirs": Process([words], python=peer.python),
        }
        found = processes(cases, PEER_ROUNDS)
        ours = found["ours"].above(found["nothing"])
        yield Figure("help", ours, peer.name, found["theirs"].above(found["nothing there"]), 1)

    with server.running() as base:
        environment = {
            "SOCIAL_PUBLISHING_API_TOKEN": TOKEN,
            "SOCIAL_PUBLISHING_BASE_URL": base,
            "SOCIAL_PUBLISHING_MEDIA_URL": _MEDIA,
        }
        words = ["groups", "get", "1"]
        start = _START.format(words=words, environment=environment)
        called = processes(
            {
                "ours": Process([["-c", start + _RUN]], paths=_PATHS),
                "client": Process([["-c", _CALL.format(token=TOKEN, base=base, media=_MEDIA)]]),
            },
            ROUNDS,
        )
    yield Figure("groups get", called["ours"], "the client, in a program", called["client"], 1.2)
