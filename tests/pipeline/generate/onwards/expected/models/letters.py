class LetterPerson(ResponseModel, kw_only=True, gc=True):
    """Somebody."""

    name: str | None = MISSING
    """The name."""

    friend: "LetterPerson | None" = MISSING
    """A friend."""

class Letter(ResponseModel, kw_only=True):
    """A letter."""

    id: str = MISSING
    """Its name."""

    writer: LetterPerson | None = MISSING
    """Who wrote it."""

    map: LetterMap | None = MISSING
    """Where it was written."""

class ListLettersResponse(ResponseModel, kw_only=True):
    """A page of letters."""

    data: list[Letter] = MISSING
    """The letters."""

    last_id: str | None = MISSING
    """The last one of them."""

    has_more: bool = MISSING
    """True where another page follows."""
