# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `social_accounts`."""

from .._runtime.core.models import RequestModel
from .shared import Id

__all__ = [
    "SocialAccountMove",
]


class SocialAccountMove(RequestModel, kw_only=True):
    """Where an account goes."""

    group_id: Id
    """Identifier of the group that takes the account. That it is required is assumed
    (moveSocialAccount.required).
    """
