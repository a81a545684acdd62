class Reading(ResponseModel, kw_only=True):
    """A reading."""

    reading_id: str | None = field(default=MISSING, name="readingId")
    """Its id."""

class LoanPageItemsItem(ResponseModel, kw_only=True):
    """Without a description."""

    until: str | None = MISSING
    """How long."""

class LoanPage(ResponseModel, kw_only=True):
    """A page of loans."""

    items: list[LoanPageItemsItem] = MISSING
    """The loans."""

    next: str | None = MISSING
    """The next page."""
