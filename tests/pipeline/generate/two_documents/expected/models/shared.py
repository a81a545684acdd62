class Currency(TextCode):
    """Of what."""

    EUR = "EUR"
    USD = "USD"

class Price(ResponseModel, kw_only=True):
    """An amount of money."""

    amount: float = MISSING
    """How much. At least 0."""

    currency: Currency = MISSING
    """Of what."""
