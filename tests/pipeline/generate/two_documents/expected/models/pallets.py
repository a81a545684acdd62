# Generated from document.yaml, depot.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `pallets`."""

from .._runtime.core.models import ResponseModel
from .shared import Price

__all__ = [
    "Pallet",
]


class Pallet(ResponseModel, kw_only=True):
    """A pallet.

    Attributes:
        worth: An amount of money.
    """

    worth: Price
