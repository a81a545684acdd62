"""Record the traffic between a client and the service, and replay it.

with Recorder("https://api.example.org/v1", "https://media.example.org/api/v1", "out") as here:
    …  # send requests to here.base_url and here.media_url

with Replayer("out") as there:
    …  # send them again to there.base_url and there.media_url
"""

from __future__ import annotations

from social_publishing_sandbox.recording.model import Interaction, Recording, RecordingError
from social_publishing_sandbox.recording.recorder import Recorder
from social_publishing_sandbox.recording.redaction import Rules
from social_publishing_sandbox.recording.replayer import Replayer
from social_publishing_sandbox.recording.scenario import load

__all__ = [
    "Interaction",
    "Recorder",
    "Recording",
    "RecordingError",
    "Replayer",
    "Rules",
    "load",
]
