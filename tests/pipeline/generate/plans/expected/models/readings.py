class Reading(ResponseModel, kw_only=True):
    """A reading.

    Attributes:
        reading_id: Its id.
    """

    reading_id: Maybe[str] = field(default=UNSET, name="readingId")

class LoanPageItemsItem(ResponseModel, kw_only=True):
    """Without a description.

    Attributes:
        until: How long.
    """

    until: Maybe[str] = UNSET

class LoanPage(ResponseModel, kw_only=True):
    """A page of loans.

    Attributes:
        items: The loans.
        next: The next page.
    """

    items: list[LoanPageItemsItem]
    next: Maybe[str] = UNSET
