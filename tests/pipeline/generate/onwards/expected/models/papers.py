class ListPapersResponseInfo(ResponseModel, kw_only=True):
    """About the list."""

    count: int | None = MISSING
    """How many there are."""

class ListPapersResponse(ResponseModel, kw_only=True):
    """A page of papers."""

    results: list[str] = MISSING
    """The papers."""

    info: ListPapersResponseInfo = MISSING
    """About the list."""
