"""Cost of the command line: its help, and one call, as processes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from benchmarks import peers, server
from benchmarks.figures import Figure
from benchmarks.measuring import CLIENT, ROOT, TOKEN, Process, processes

ROUNDS: Final = 25
PEER_ROUNDS: Final = 11

_PATHS: Final = (ROOT / "cli" / "src", CLIENT)
_PEERS: Final = {
    "httpie==3.2.4": ["-m", "httpie", "--help"],
    "huggingface-hub==2.4.0": ["-m", "huggingface_hub.cli.hf", "--help"],
}
_MEDIA: Final = "http://b.invalid/api/v1"
_NOTHING: Final = ["-c", "pass"]
_COMMAND: Final = """
import os, sys
sys.argv[1:] = ["groups", "get", "1"]
os.environ |= {{
    "SOCIAL_PUBLISHING_API_TOKEN": {token!r},
    "SOCIAL_PUBLISHING_BASE_URL": {base!r},
    "SOCIAL_PUBLISHING_MEDIA_URL": {media!r},
}}
from social_publishing_cli.__main__ import run
run()
"""
_CLIENT: Final = """
import json
from social_publishing import SocialPublishing
with SocialPublishing(api_token={token!r}, base_url={base!r}, media_url={media!r}) as client:
    print(json.dumps(client.groups.get("1").to_dict(wire=True)))
"""


def measure() -> Iterator[Figure | str]:
    """Measure help above an empty process, beside other commands; and a call beside a program."""
    ours = Process([["-m", "social_publishing_cli", "--help"]], paths=_PATHS)
    library, nothing = Process([["-c", "import click"]]), Process([_NOTHING])
    times = processes({"nothing": nothing, "library": library, "help": ours}, ROUNDS)
    above = {name: each.above(times["nothing"]) for name, each in times.items()}
    yield Figure("help", above["help"], "import click", above["library"], 2)

    wanted: dict[Callable[[], peers.Peer], str] = {
        partial(peers.installed, pinned): pinned for pinned in _PEERS
    }
    others, missing = peers.present(wanted)
    yield from missing
    for peer, pinned in others.items():
        cases = {
            "nothing": nothing,
            "ours": ours,
            "nothing there": Process([_NOTHING], python=peer.python),
            "theirs": Process([_PEERS[pinned]], python=peer.python),
        }
        times = processes(cases, PEER_ROUNDS)
        theirs = times["theirs"].above(times["nothing there"])
        yield Figure("help", times["ours"].above(times["nothing"]), peer.name, theirs, 1)

    with server.running() as base:
        values = {"token": TOKEN, "base": base, "media": _MEDIA}
        command = Process([["-c", _COMMAND.format(**values)]], paths=_PATHS)
        program = Process([["-c", _CLIENT.format(**values)]])
        times = processes({"ours": command, "client": program}, ROUNDS)
    yield Figure("groups get", times["ours"], "the client, in a program", times["client"], 1.2)
