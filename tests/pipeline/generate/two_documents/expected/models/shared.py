# Generated from document.yaml, depot.yaml by `python -m pipeline generate`. Do not edit.
"""Models that several resources use."""

from .._runtime.core.enums import TextCode
from .._runtime.core.models import ResponseModel

__all__ = [
    "Currency",
    "Price",
]


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
