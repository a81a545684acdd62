# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `people`."""

from collections.abc import Sequence
from typing import Annotated

from .._runtime.core.models import (
    UNSET,
    Maybe,
    Meta,
    RequestModel,
    ResponseModel,
    UnsetType,
)

__all__ = [
    "Tree",
    "TreeInput",
]


class TreeInput(RequestModel, kw_only=True):
    """A tree.

    Attributes:
        name: Its name. At most 9 characters.
        children: What hangs below.
    """

    name: Annotated[str, Meta(max_length=9)]
    children: "Sequence[TreeInput] | UnsetType" = UNSET


class Tree(ResponseModel, kw_only=True, gc=True):
    """A tree.

    Attributes:
        name: Its name. At most 9 characters.
        children: What hangs below.
    """

    name: str
    children: "Maybe[list[Tree]]" = UNSET
