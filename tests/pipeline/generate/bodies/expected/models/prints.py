# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `prints`."""

from .._runtime.core.models import UNSET, RequestModel, UnsetType

__all__ = [
    "LogInBody",
]


class LogInBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        user: Who.
        stay: Whether to stay.
    """

    user: str
    stay: bool | UnsetType = UNSET
