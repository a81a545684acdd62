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
    """What a group stands for."""

    GROUP = 1
    BRAND = 2
    CLIENT = 3
    AGENCY = 4
    CAMPAIGN = 5
    PROJECT = 6


class ApprovalWorkflow(IntCode):
    """How strictly posts of a group need approval."""

    NONE = 0
    LOOSE = 1
    STRICT = 2


class GroupInclude(TextCode):
    """Name of a relation of a group.

    Assumed: include.values.

    The known values of an open set.
    """

    SOCIAL_ACCOUNTS = "socialAccounts"
    SOCIAL_ACCOUNTS_COUNT = "socialAccountsCount"


class GroupReplacement(RequestModel, kw_only=True):
    """All values of a group that can be set; all of them must be sent.

    Not known: replaceGroup.required.

    Attributes:
        name: Name of the group. At most 50 characters.
        timezone: Name of its time zone, such as `Europe/Berlin`.
        type: What the group stands for.
        week_start_day: First day of its week; 0 is Sunday.
        note: Note for the team. At most 500 characters. Assumed: replaceGroup.note.
        max_social_accounts: How many social accounts the group may hold. At least 1. Assumed:
            replaceGroup.maximumHeld, replaceGroup.unlimited.
        default_everyone_must_approve: Of no effect through the API.
        default_assignee_ids: Of no effect through the API.
    """

    name: Annotated[str, Meta(max_length=50)]
    timezone: str
    type: GroupType
    week_start_day: Weekday
    note: Annotated[str, Meta(max_length=500)] | None
    max_social_accounts: Annotated[int, Meta(ge=1)] | None
    default_everyone_must_approve: bool
    default_assignee_ids: Sequence[Id]


class Group(ResponseModel, kw_only=True):
    """A set of social accounts that are managed together.

    Assumed: presence.group.

    Attributes:
        id: Identifier of the group.
        organization_id: Organization that owns the group.
        author_id: User who created the group.
        name: Name of the group.
        timezone: Name of its time zone, such as `Europe/Berlin`.
        approval_workflow: Approval workflow of its posts. Null takes the organization's default; 0
            means that there is none.
        week_start_day: First day of its week; 0 is Sunday.
        note: Note for the team.
        country: Country of the group.
        color: Colour of the group.
        type: What the group stands for.
        avatar: URL of its picture.
        default_assignee_ids: Users assigned to new posts; of no effect through the API.
        default_everyone_must_approve: Whether new posts need the approval of every assignee; of no
            effect through the API.
        post_task_templates_enabled: False keeps post task templates away from posts created in the
            group.
        max_social_accounts: How many social accounts it may hold; null means no limit.
        is_default: True for the default group.
        created_at: When the group was created.
        updated_at: When the group was last changed.
        social_accounts: Its social accounts, where the response includes them. Assumed:
            getGroup.include.
        social_accounts_count: How many social accounts it has, where the response includes that.
            Assumed: getGroup.include.
    """

    id: str = MISSING
    organization_id: str = MISSING
    author_id: str | None = MISSING
    name: str = MISSING
    timezone: str = MISSING
    approval_workflow: Present[ApprovalWorkflow | None] = MISSING
    week_start_day: Weekday = MISSING
    note: Present[str | None] = MISSING
    country: str | None = MISSING
    color: Color = MISSING
    type: GroupType = MISSING
    avatar: str | None = MISSING
    default_assignee_ids: list[str] = MISSING
    default_everyone_must_approve: bool = MISSING
    post_task_templates_enabled: bool = MISSING
    max_social_accounts: Present[int | None] = MISSING
    is_default: bool = MISSING
    created_at: AwareDatetime = MISSING
    updated_at: AwareDatetime = MISSING
    social_accounts: list[SocialAccount] | None = field(default=MISSING, name="socialAccounts")
    social_accounts_count: int | None = field(default=MISSING, name="socialAccountsCount")
