class PlanConcertBodyPiecesItemKey(TextCode):
    """Its key."""

    C = "C"
    D = "D"

class PlanConcertBodyHallSeats(RequestModel, kw_only=True):
    """How many."""

    rows: int | UnsetType = UNSET
    """Rows."""

class PlanConcertBodyHall(RequestModel, kw_only=True):
    """Where."""

    name: str
    """Its name."""

    seats: PlanConcertBodyHallSeats | UnsetType = UNSET
    """How many."""

class PlanConcertBodyPiecesItem(RequestModel, kw_only=True):
    """Without a description."""

    title: str | UnsetType = UNSET
    """Its title."""

    key: PlanConcertBodyPiecesItemKey | UnsetType = UNSET
    """Its key."""

class PlanConcertBody(RequestModel, kw_only=True):
    """Without a description."""

    hall: PlanConcertBodyHall
    """Where."""

    pieces: Sequence[PlanConcertBodyPiecesItem] | UnsetType = UNSET
    """What is played."""

class PlanConcertResponseNext(ResponseModel, kw_only=True):
    """The one after."""

    id: int | None = MISSING
    """Its number."""

class PlanConcertResponse(ResponseModel, kw_only=True):
    """Without a description."""

    id: int = MISSING
    """Its number."""

    next: Present[PlanConcertResponseNext | None] = MISSING
    """The one after."""
