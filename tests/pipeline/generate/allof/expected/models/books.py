class RecordingVoice(ResponseModel, kw_only=True):
    """Who reads."""

    name: Maybe[str] = UNSET
    """First and last."""

class AudioBook(ResponseModel, kw_only=True):
    """Both at once, and something of its own."""

    kind: str
    """Always the same."""

    shelf: Maybe[int] = UNSET
    """Where it stands."""

    size: float
    """Its height in metres."""

    title: str
    """On the cover."""

    seconds: int
    """How long it is."""

    voice: Maybe[RecordingVoice] = UNSET
    """Who reads."""

    format: Maybe[str] = UNSET
    """Of the file."""
