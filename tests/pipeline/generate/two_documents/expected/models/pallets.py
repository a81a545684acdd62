class Pallet(ResponseModel, kw_only=True):
    """A pallet.

    Attributes:
        worth: An amount of money.
    """

    worth: Price
