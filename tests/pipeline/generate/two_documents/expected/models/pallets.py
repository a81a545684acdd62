class Pallet(ResponseModel, kw_only=True):
    """A pallet."""

    worth: Price
    """An amount of money."""
