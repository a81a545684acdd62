class SearchPapersBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        words: What is sought.
    """

    words: str
