class VisitSingleInput(RequestModel, kw_only=True):
    """Without a description."""

    on: dt.date
    """The day."""

    ticket: str
    """The number of the ticket."""

class VisitGroupInput(RequestModel, kw_only=True):
    """Without a description."""

    on: dt.date
    """The day."""

    people: Annotated[int, Meta(ge=2)]
    """How many come. At least 2."""

class VisitSingle(ResponseModel, kw_only=True):
    """Without a description."""

    on: dt.date = MISSING
    """The day."""

    ticket: str = MISSING
    """The number of the ticket."""

class VisitGroup(ResponseModel, kw_only=True):
    """Without a description."""

    on: dt.date = MISSING
    """The day."""

    people: int = MISSING
    """How many come. At least 2."""
