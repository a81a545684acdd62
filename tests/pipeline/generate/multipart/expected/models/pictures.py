# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `pictures`."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from .._runtime.core.models import UNSET, Meta, RequestModel, ResponseModel, UnsetType

__all__ = [
    "AddPictureBody",
    "Picture",
]


class AddPictureBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        title: Its name. At most 20 characters.
        year: When it was made.
        tags: Words for it.
    """

    title: Annotated[str, Meta(max_length=20)]
    year: int | UnsetType = UNSET
    tags: Sequence[str] | UnsetType = UNSET


class Picture(ResponseModel, kw_only=True):
    """A picture.

    Attributes:
        id: Its id.
    """

    id: UUID
