# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `shelves`."""

from .._runtime.core.models import UNSET, Maybe, RequestModel, ResponseModel, UnsetType

__all__ = [
    "Shelf",
    "ShelfReplacement",
]


class ShelfReplacement(RequestModel, kw_only=True):
    """A shelf as it shall be.

    Attributes:
        label: Its label.
        height: Its height.
    """

    label: str
    height: int | None | UnsetType = UNSET


class Shelf(ResponseModel, kw_only=True):
    """A shelf.

    Attributes:
        label: Its label.
        height: Its height.
    """

    label: Maybe[str] = UNSET
    height: Maybe[int] = UNSET
