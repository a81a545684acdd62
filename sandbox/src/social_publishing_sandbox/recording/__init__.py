"""Record what passes between a client and the service, and serve it again.

with Recorder("https://api.example.org/v1", "https://media.example.org/api/v1", "out") as here:
    …  # send requests to here.base_url and here.media_url

with Replayer("out") as there:
    …  # send them again to there.base_url and there.media_url
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from social_publishing_sandbox.recording.model import Interaction, Recording, RecordingError
from social_publishing_sandbox.recording.recorder import Recorder
from social_publishing_sandbox.recording.redaction import Rules
from social_publishing_sandbox.recording.replayer import Replayer
from social_publishing_sandbox.recording.scenario import load
from social_publishing_sandbox.recording.serving import Servers
from social_publishing_sandbox.serving import Interrupt
from social_publishing_sandbox.state.wording import counted

__all__ = [
    "Interaction",
    "Recorder",
    "Recording",
    "RecordingError",
    "Replayer",
    "Rules",
    "load",
    "record",
    "replay",
]

_Say = Callable[[str], None]


def record(
    upstream_base: str,
    upstream_media: str,
    out: Path | str,
    *,
    say: _Say = print,
    **options: Any,
) -> int:
    """Record until the process is asked to end, and return how many interactions were recorded.

    Args:
        say: takes each line that is meant for a person.
        options: the other arguments of `Recorder`: `name`, `rules`, `host`, `port`, `media_port`.

    Raises:
        RecordingError: an argument cannot be used.
    """
    recorder = Recorder(upstream_base, upstream_media, out, say=say, **options)
    _serve(recorder, f"recording to {recorder.path}; Ctrl-C ends it", say)
    say(f"{counted(recorder.recorded, 'interaction')} in {recorder.path}")
    return recorder.recorded


def replay(place: Path | str, *, strict: bool = True, say: _Say = print, **options: Any) -> int:
    """Replay until the process is asked to end; return how many interactions were not asked for.

    Args:
        place: the scenario file, or a folder that holds one.
        strict: whether the requests must come in the recorded order, each once.
        say: takes each line that is meant for a person.
        options: the other arguments of `Replayer`: `host`, `port`, `media_port`.

    Raises:
        RecordingError: the recording cannot be read, or the port is taken.
    """
    replayer = Replayer(place, strict, **options)
    interactions = replayer.recording.interactions
    _serve(replayer, f"replaying {counted(len(interactions), 'interaction')}", say)
    for sentence in replayer.refused:
        say(sentence)
    for interaction in replayer.left:
        say(f"not asked for: {interaction.request}")
    return len(replayer.left)


def _serve(servers: Servers, what: str, say: _Say) -> None:
    with Interrupt() as interrupt, servers:
        interrupt.waits = True
        say(f"main API:  {servers.base_url}")
        say(f"media API: {servers.media_url}")
        say(what)
        interrupt.wait()
