class State(TextCode, open_set=True):
    """Where it is.

    The known values of an open set.
    """

    SENT = "sent"
    LOST = "lost"

class Size(IntCode):
    """How large."""

    SMALL = 1
    LARGE = 2

class Priority(IntCode):
    """Without names of its own."""

    VALUE_1 = 1
    VALUE_3 = 3

class ListParcelsSortItem(TextCode, open_set=True):
    """Without a description.

    The known values of an open set.
    """

    DATE = "date"
    DATE_DOWN = "-date"

class Parcel(ResponseModel, kw_only=True):
    """A parcel."""

    state: State = MISSING
    """Where it is."""

    size: Size | None = MISSING
    """How large."""

    priority: Priority | None = MISSING
    """Without names of its own."""
