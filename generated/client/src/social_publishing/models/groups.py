# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `groups`."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import field

from .._runtime.core.enums import IntCode, TextCode
from .._runtime.core.models import (
    MISSING,
    AwareDatetime,
    Meta,
    Present,
    RequestModel,
    ResponseModel,
)
from .shared import Color, Id, SocialAccount, Weekday

__all__ = [
    "ApprovalWorkflow",
    "Group",
    "GroupInclude",
    "GroupReplacement",
    "GroupType",
]


class GroupType(IntCode):
    """Type of a group."""

    GROUP = 1
    BRAND = 2
    CLIENT = 3
    AGENCY = 4
    CAMPAIGN = 5
    PROJECT = 6


class ApprovalWorkflow(IntCode):
    """Approval workflow of a group."""

    NONE = 0
    LOOSE = 1
    STRICT = 2


class GroupInclude(TextCode, open_set=True):
    """Name of a relation of a group. Which values there are is assumed (include.values).

    The known values of an open set.
    """

    SOCIAL_ACCOUNTS = "socialAccounts"
    SOCIAL_ACCOUNTS_COUNT = "socialAccountsCount"


class GroupReplacement(RequestModel, kw_only=True):
    """All values of a group that can be set; all of them must be sent."""

    name: Annotated[str, Meta(max_length=50)]
    """Name of the group. At most 50 characters."""

    timezone: Annotated[str, Meta(min_length=1, extra={"format": "iana-timezone"})]
    """Valid timezone name. "A name of the IANA time zone database" is assumed
    (replaceGroup.timezone). At least 1 character; a name of the IANA time zone database.
    """

    type: GroupType
    """Type of the group."""

    week_start_day: Weekday
    """First day of its week; 0 is Sunday."""

    note: Annotated[str, Meta(max_length=500)] | None
    """Internal note. Null is assumed (replaceGroup.note). At most 500 characters."""

    max_social_accounts: Annotated[int, Meta(ge=1)] | None
    """How many social accounts the group may hold. Null is assumed (replaceGroup.unlimited). At
    least 1.
    """

    default_everyone_must_approve: bool
    """Does not apply for API."""

    default_assignee_ids: Sequence[Id]
    """Does not apply for API."""


class Group(ResponseModel, kw_only=True):
    """A group of social accounts. Which fields always have a value is assumed (presence.group)."""

    id: str = MISSING
    """Identifier of the group."""

    organization_id: str = MISSING
    """Organization of the group."""

    author_id: str | None = MISSING
    """User who created the group."""

    name: str = MISSING
    """Name of the group."""

    timezone: str = MISSING
    """Valid timezone name."""

    approval_workflow: Present[ApprovalWorkflow | None] = MISSING
    """Approval workflow of its posts. Null takes the organization's default; 0 means that there is
    none.
    """

    week_start_day: Weekday = MISSING
    """First day of its week; 0 is Sunday."""

    note: Present[str | None] = MISSING
    """Internal note."""

    country: str | None = MISSING
    """Country of the group."""

    color: Color = MISSING
    """Colour of the group."""

    type: GroupType = MISSING
    """Type of the group."""

    avatar: str | None = MISSING
    """URL of the group image."""

    default_assignee_ids: list[str] = MISSING
    """Does not apply for API."""

    default_everyone_must_approve: bool = MISSING
    """Does not apply for API."""

    post_task_templates_enabled: bool = MISSING
    """False keeps post task templates away from posts created in the group."""

    max_social_accounts: Present[int | None] = MISSING
    """How many social accounts it may hold; null means no limit."""

    is_default: bool = MISSING
    """True for the default group."""

    created_at: AwareDatetime = MISSING
    """When the group was created."""

    updated_at: AwareDatetime = MISSING
    """When the group was last updated."""

    social_accounts: list[SocialAccount] | None = field(default=MISSING, name="socialAccounts")
    """Its social accounts, where the response includes them."""

    social_accounts_count: int | None = field(default=MISSING, name="socialAccountsCount")
    """How many social accounts it has, where the response includes that."""
