class PriceInput(RequestModel, kw_only=True):
    """An amount of money."""

    amount: Annotated[float, Meta(ge=0)]
    """How much. At least 0."""

    currency: Currency
    """Of what."""

class AddCartBody(RequestModel, kw_only=True):
    """Without a description."""

    price: PriceInput
    """An amount of money."""
