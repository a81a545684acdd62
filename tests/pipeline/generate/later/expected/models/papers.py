class SearchPapersBody(RequestModel, kw_only=True):
    """Without a description."""

    words: str
    """What is sought."""
