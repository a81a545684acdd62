class RecordingVoice(ResponseModel, kw_only=True):
    """Who reads.

    Attributes:
        name: First and last.
    """

    name: Maybe[str] = UNSET

class AudioBook(ResponseModel, kw_only=True):
    """Both at once, and something of its own.

    Attributes:
        kind: Always the same.
        shelf: Where it stands.
        size: Its height in metres.
        title: On the cover.
        seconds: How long it is.
        voice: Who reads.
        format: Of the file.
    """

    kind: str
    shelf: Maybe[int] = UNSET
    size: float
    title: str
    seconds: int
    voice: Maybe[RecordingVoice] = UNSET
    format: Maybe[str] = UNSET
