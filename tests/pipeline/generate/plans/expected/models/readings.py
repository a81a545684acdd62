class Reading(ResponseModel, kw_only=True):
    """A reading."""

    reading_id: Maybe[str] = field(default=UNSET, name="readingId")
    """Its id."""

class LoanPageItemsItem(ResponseModel, kw_only=True):
    """Without a description."""

    until: Maybe[str] = UNSET
    """How long."""

class LoanPage(ResponseModel, kw_only=True):
    """A page of loans."""

    items: list[LoanPageItemsItem]
    """The loans."""

    next: Maybe[str] = UNSET
    """The next page."""
