"""Record what passes between a client and the service, and serve it again.

with Recorder("https://api.example.org/v1", "https://media.example.org/api/v1", "out") as here:
    …  # send requests to here.base_url and here.media_url

with Replayer("out") as there:
    …  # send them again to there.base_url and there.media_url
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from social_publishing_sandbox.recording import serving
from social_publishing_sandbox.recording.har import Imported, export_har, import_har
from social_publishing_sandbox.recording.model import Interaction, Recording, RecordingError
from social_publishing_sandbox.recording.provenance import shipped
from social_publishing_sandbox.recording.recorder import Recorder
from social_publishing_sandbox.recording.redaction import Rules
from social_publishing_sandbox.recording.replayer import Replayer
from social_publishing_sandbox.recording.rules import load as load_rules
from social_publishing_sandbox.recording.scenario import load
from social_publishing_sandbox.state.wording import counted

__all__ = [
    "Imported",
    "Interaction",
    "Recorder",
    "Recording",
    "RecordingError",
    "Replayer",
    "Rules",
    "export_har",
    "import_har",
    "load",
    "load_rules",
    "record",
    "replay",
]

_Say = Callable[[str], None]


def record(
    upstream_base: str,
    upstream_media: str,
    out: Path | str,
    *,
    name: str = "recording",
    host: str = "127.0.0.1",
    port: int = 0,
    media_port: int | None = None,
    redact: Path | str | None = None,
    say: _Say = print,
) -> int:
    """Record until the process is asked to end, and return how many interactions were recorded.

    Args:
        upstream_base: base address of the main API at the service.
        upstream_media: base address of the media API at the service.
        out: folder of the recording.
        name: name of the recording.
        host: address to listen on.
        port: port of the main API; 0 for a free one.
        media_port: port of the media API; 0 for a free one, None for the one after `port`.
        redact: file with rules of one's own for redaction.
        say: takes each line that is meant for a person.

    Raises:
        RecordingError: an argument or the rules file cannot be used.
    """
    own = load_rules(Path(redact)) if redact is not None else None
    recorder = Recorder(
        upstream_base,
        upstream_media,
        out,
        name=name,
        host=host,
        port=port,
        media_port=media_port,
        rules=own,
        say=say,
    )
    with serving.interruptible() as wait, recorder:
        say(f"main API:  {recorder.base_url}")
        say(f"media API: {recorder.media_url}")
        say(f"recording to {recorder.path}; Ctrl-C ends it")
        wait()
    say(f"{counted(recorder.recorded, 'interaction')} in {recorder.path}")
    return recorder.recorded


def replay(
    place: Path | str,
    *,
    strict: bool = True,
    host: str = "127.0.0.1",
    port: int = 0,
    media_port: int | None = None,
    say: _Say = print,
) -> int:
    """Replay until the process is asked to end; return how many interactions were not asked for.

    Args:
        place: the scenario file, or a folder that holds one.
        strict: whether the requests must come in the recorded order, each once.
        host: address to listen on.
        port: port of the main API; 0 for a free one.
        media_port: port of the media API; 0 for a free one, None for the one after `port`.
        say: takes each line that is meant for a person.

    Raises:
        RecordingError: the recording cannot be read, or the port is taken.
    """
    replayer = Replayer(place, strict, host=host, port=port, media_port=media_port)
    if others := shipped().changed(replayer.recording):
        say(f"since it was recorded, the documents have changed in {', '.join(others)}")
    with serving.interruptible() as wait, replayer:
        say(f"main API:  {replayer.base_url}")
        say(f"media API: {replayer.media_url}")
        say(f"replaying {counted(len(replayer.recording.interactions), 'interaction')}")
        wait()
    for sentence in replayer.refused:
        say(sentence)
    left = replayer.left
    for interaction in left:
        say(f"not asked for: {interaction.request}")
    return len(left)
