class Pallet(ResponseModel, kw_only=True):
    """A pallet."""

    worth: Price = MISSING
    """An amount of money."""
