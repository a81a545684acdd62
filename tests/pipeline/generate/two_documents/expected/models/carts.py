class PriceInput(RequestModel, kw_only=True):
    """An amount of money.

    Attributes:
        amount: How much. At least 0.
        currency: Of what.
    """

    amount: Annotated[float, Meta(ge=0)]
    currency: Currency

class AddCartBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        price: An amount of money.
    """

    price: PriceInput
