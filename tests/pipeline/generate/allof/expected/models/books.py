class RecordingVoice(ResponseModel, kw_only=True):
    """Who reads."""

    name: str | None = MISSING
    """First and last."""

class AudioBook(ResponseModel, kw_only=True):
    """Both at once, and something of its own."""

    kind: Literal["book"] = MISSING
    """Always the same."""

    shelf: Present[int | None] = MISSING
    """Where it stands."""

    size: float = MISSING
    """Its height in metres."""

    title: str = MISSING
    """On the cover."""

    seconds: int = MISSING
    """How long it is."""

    voice: RecordingVoice | None = MISSING
    """Who reads."""

    format: str | None = MISSING
    """Of the file."""
