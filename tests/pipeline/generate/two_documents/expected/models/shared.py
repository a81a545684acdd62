class Currency(TextCode):
    """Of what."""

    EUR = "EUR"
    USD = "USD"

class Price(ResponseModel, kw_only=True):
    """An amount of money.

    Attributes:
        amount: How much. At least 0.
        currency: Of what.
    """

    amount: float
    currency: Currency
