class PlanConcertBodyPiecesItemKey(TextCode):
    """Its key."""

    C = "C"
    D = "D"

class PlanConcertBodyHallSeats(RequestModel, kw_only=True):
    """How many.

    Attributes:
        rows: Rows.
    """

    rows: int | UnsetType = UNSET

class PlanConcertBodyHall(RequestModel, kw_only=True):
    """Where.

    Attributes:
        name: Its name.
        seats: How many.
    """

    name: str
    seats: PlanConcertBodyHallSeats | UnsetType = UNSET

class PlanConcertBodyPiecesItem(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        title: Its title.
        key: Its key.
    """

    title: str | UnsetType = UNSET
    key: PlanConcertBodyPiecesItemKey | UnsetType = UNSET

class PlanConcertBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        hall: Where.
        pieces: What is played.
    """

    hall: PlanConcertBodyHall
    pieces: Sequence[PlanConcertBodyPiecesItem] | UnsetType = UNSET

class PlanConcertResponseNext(ResponseModel, kw_only=True):
    """The one after.

    Attributes:
        id: Its number.
    """

    id: Maybe[int] = UNSET

class PlanConcertResponse(ResponseModel, kw_only=True):
    """Without a description.

    Attributes:
        id: Its number.
        next: The one after.
    """

    id: int
    next: Maybe[PlanConcertResponseNext] = UNSET
