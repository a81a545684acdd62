class Order(ResponseModel, kw_only=True):
    """An order."""

    id: str = MISSING
    """Its name."""

class Step(ResponseModel, kw_only=True):
    """A step of an order."""

    done: float = MISSING
    """Which part of the order is done."""
