# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Sets of social accounts.

Each `build_…` function checks the arguments of an operation and makes its request, without sending
it; the methods of both clients send what it makes.
Each `plan_…` function puts several requests together, or makes one of what was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from .._runtime.core.models import UNSET, UnsetType
from .._runtime.engine.effects import Call
from .._runtime.engine.resource import AsyncResource, Resource
from .._runtime.plans.read_modify_write import ReadModifyWrite
from .._runtime.request.request import Request, prepare
from .._runtime.request.validation import Parameter
from .._runtime.request.write_back import WriteBack
from .._runtime.response.raw import RawResponse
from ..models.groups import Group, GroupInclude, GroupReplacement, GroupType
from ..models.shared import Id, Weekday

__all__ = [
    "AsyncGroupsResource",
    "GroupsResource",
    "build_get",
    "build_replace",
    "plan_update",
]

GROUP_REPLACEMENT = WriteBack(
    GroupReplacement,
    ignored=frozenset(
        {
            "id",
            "organization_id",
            "author_id",
            "is_default",
            "created_at",
            "updated_at",
            "social_accounts",
            "social_accounts_count",
        }
    ),
)


def build_get(
    group_id: str, *, include: Sequence[GroupInclude | str] | UnsetType = UNSET
) -> Request[Group]:
    """Build a request of `groups.get`."""
    return prepare(
        operation="groups.get",
        server="main",
        method="GET",
        path="/groups/{group}",
        path_parameters=[Parameter("group", group_id, Id, "group_id")],
        query=[Parameter("include", include, Sequence[str], "include", explode=False)],
        returns=Group,
        retry_safety="safe",
    )


def build_replace(
    group_id: str,
    *,
    name: str,
    timezone: str,
    type: GroupType,
    week_start_day: Weekday,
    note: str | None,
    max_social_accounts: int | None,
    default_everyone_must_approve: bool,
    default_assignee_ids: Sequence[str],
) -> Request[Group]:
    """Build a request of `groups.replace`."""
    return prepare(
        operation="groups.replace",
        server="main",
        method="PUT",
        path="/groups/{group}",
        path_parameters=[Parameter("group", group_id, Id, "group_id")],
        json=GroupReplacement(
            name=name,
            timezone=timezone,
            type=type,
            week_start_day=week_start_day,
            note=note,
            max_social_accounts=max_social_accounts,
            default_everyone_must_approve=default_everyone_must_approve,
            default_assignee_ids=default_assignee_ids,
        ),
        returns=Group,
        retry_safety="idempotent",
    )


def plan_update(
    group_id: str,
    *,
    name: str | UnsetType = UNSET,
    timezone: str | UnsetType = UNSET,
    type: GroupType | UnsetType = UNSET,
    week_start_day: Weekday | UnsetType = UNSET,
    note: str | None | UnsetType = UNSET,
    max_social_accounts: int | None | UnsetType = UNSET,
    default_everyone_must_approve: bool | UnsetType = UNSET,
    default_assignee_ids: Sequence[str] | UnsetType = UNSET,
) -> Call[Group]:
    """Plan the requests of `groups.update`."""
    return ReadModifyWrite(
        "groups.update",
        lambda: build_get(group_id),
        lambda changed: build_replace(group_id, **changed),
        {
            "name": name,
            "timezone": timezone,
            "type": type,
            "week_start_day": week_start_day,
            "note": note,
            "max_social_accounts": max_social_accounts,
            "default_everyone_must_approve": default_everyone_must_approve,
            "default_assignee_ids": default_assignee_ids,
        },
        GROUP_REPLACEMENT,
    )


class GroupsResource(Resource):
    """Sets of social accounts."""

    _name = "groups"

    @cached_property
    def with_raw_response(self) -> GroupsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return GroupsResourceWithRawResponse(self._client)

    def get(
        self,
        group_id: str,
        *,
        include: Sequence[GroupInclude | str] | UnsetType = UNSET,
    ) -> Group:
        """Read a group.

        Its social accounts and their number come with it by default. This is assumed
        (getGroup.include).

        Args:
            group_id: Identifier of the group.
            include: Relations to give with the group. Its social accounts and their number come by
                default. This is assumed (getGroup.include).

        Returns:
            The group.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> from social_publishing.models import GroupInclude
            >>> client.groups.get(
            ...     "9032915132417572866",
            ...     include=[GroupInclude.SOCIAL_ACCOUNTS],
            ... )

        GET /groups/{group} (§4.2). Partly assumed: see `api.md`.
        """
        return self._client.send(build_get(group_id, include=include))

    def replace(
        self,
        group_id: str,
        *,
        name: str,
        timezone: str,
        type: GroupType,
        week_start_day: Weekday,
        note: str | None,
        max_social_accounts: int | None,
        default_everyone_must_approve: bool,
        default_assignee_ids: Sequence[str],
    ) -> Group:
        """Replace the values of a group.

        Sets all values of a group at once: all fields must be sent. Values that it cannot set, such
        as `color`, stay. This is assumed (replaceGroup.others).

        Args:
            group_id: Identifier of the group.
            name: Name of the group. At most 50 characters.
            timezone: Valid timezone name. "A name of the IANA time zone database" is assumed
                (replaceGroup.timezone). At least 1 character; a name of the IANA time zone
                database.
            type: Type of the group.
            week_start_day: First day of its week; 0 is Sunday.
            note: Internal note. Null is assumed (replaceGroup.note). At most 500 characters.
            max_social_accounts: How many social accounts the group may hold. Null is assumed
                (replaceGroup.unlimited). At least 1.
            default_everyone_must_approve: Does not apply for API.
            default_assignee_ids: Does not apply for API.

        Returns:
            The group.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> from social_publishing.models import GroupType, Weekday
            >>> client.groups.replace(
            ...     "9032915132417572866",
            ...     name="Bakeries",
            ...     timezone="Europe/Berlin",
            ...     type=GroupType.BRAND,
            ...     week_start_day=Weekday.MONDAY,
            ...     note="Three shops.",
            ...     max_social_accounts=20,
            ...     default_everyone_must_approve=False,
            ...     default_assignee_ids=["9032915132417572865"],
            ... )

        PUT /groups/{group} (§4.2). Partly assumed: see `api.md`.
        """
        return self._client.send(
            build_replace(
                group_id,
                name=name,
                timezone=timezone,
                type=type,
                week_start_day=week_start_day,
                note=note,
                max_social_accounts=max_social_accounts,
                default_everyone_must_approve=default_everyone_must_approve,
                default_assignee_ids=default_assignee_ids,
            )
        )

    def update(
        self,
        group_id: str,
        *,
        name: str | UnsetType = UNSET,
        timezone: str | UnsetType = UNSET,
        type: GroupType | UnsetType = UNSET,
        week_start_day: Weekday | UnsetType = UNSET,
        note: str | None | UnsetType = UNSET,
        max_social_accounts: int | None | UnsetType = UNSET,
        default_everyone_must_approve: bool | UnsetType = UNSET,
        default_assignee_ids: Sequence[str] | UnsetType = UNSET,
    ) -> Group:
        """Change some values, and keep the others.

        Reads with `groups.get`, applies your changes, and sends everything with `groups.replace`.
        Arguments that you leave out keep the values that were read; None is sent as null, where
        null is allowed. `approval_workflow`, `country`, `color`, `avatar` and
        `post_task_templates_enabled` cannot be sent: a `LimitationWarning` names those that the
        response lacks or shows with another value.

        Not atomic: a change that somebody else makes between the two requests is overwritten.

        Args:
            group_id: Identifier of the group.
            name: Name of the group. At most 50 characters.
            timezone: Valid timezone name. "A name of the IANA time zone database" is assumed
                (replaceGroup.timezone). At least 1 character; a name of the IANA time zone
                database.
            type: Type of the group.
            week_start_day: First day of its week; 0 is Sunday.
            note: Internal note. Null is assumed (replaceGroup.note). At most 500 characters.
            max_social_accounts: How many social accounts the group may hold. Null is assumed
                (replaceGroup.unlimited). At least 1.
            default_everyone_must_approve: Does not apply for API.
            default_assignee_ids: Does not apply for API.

        Returns:
            The group.

        Raises:
            ArgumentError: An argument is not valid, or there is none; nothing was sent. Or a value
                that was read cannot be sent back; nothing was changed.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.groups.update("9032915132417572866", name="Bakeries")

        GET /groups/{group}, then PUT /groups/{group} (§4.2). Partly assumed: see `api.md`.
        """
        return self._client.send(
            plan_update(
                group_id,
                name=name,
                timezone=timezone,
                type=type,
                week_start_day=week_start_day,
                note=note,
                max_social_accounts=max_social_accounts,
                default_everyone_must_approve=default_everyone_must_approve,
                default_assignee_ids=default_assignee_ids,
            )
        )


class AsyncGroupsResource(AsyncResource):
    """Sets of social accounts."""

    _name = "groups"

    @cached_property
    def with_raw_response(self) -> AsyncGroupsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncGroupsResourceWithRawResponse(self._client)

    async def get(
        self,
        group_id: str,
        *,
        include: Sequence[GroupInclude | str] | UnsetType = UNSET,
    ) -> Group:
        """Read a group.

        Its social accounts and their number come with it by default. This is assumed
        (getGroup.include).

        Args:
            group_id: Identifier of the group.
            include: Relations to give with the group. Its social accounts and their number come by
                default. This is assumed (getGroup.include).

        Returns:
            The group.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> from social_publishing.models import GroupInclude
            >>> await client.groups.get(
            ...     "9032915132417572866",
            ...     include=[GroupInclude.SOCIAL_ACCOUNTS],
            ... )

        GET /groups/{group} (§4.2). Partly assumed: see `api.md`.
        """
        return await self._client.send(build_get(group_id, include=include))

    async def replace(
        self,
        group_id: str,
        *,
        name: str,
        timezone: str,
        type: GroupType,
        week_start_day: Weekday,
        note: str | None,
        max_social_accounts: int | None,
        default_everyone_must_approve: bool,
        default_assignee_ids: Sequence[str],
    ) -> Group:
        """Replace the values of a group.

        Sets all values of a group at once: all fields must be sent. Values that it cannot set, such
        as `color`, stay. This is assumed (replaceGroup.others).

        Args:
            group_id: Identifier of the group.
            name: Name of the group. At most 50 characters.
            timezone: Valid timezone name. "A name of the IANA time zone database" is assumed
                (replaceGroup.timezone). At least 1 character; a name of the IANA time zone
                database.
            type: Type of the group.
            week_start_day: First day of its week; 0 is Sunday.
            note: Internal note. Null is assumed (replaceGroup.note). At most 500 characters.
            max_social_accounts: How many social accounts the group may hold. Null is assumed
                (replaceGroup.unlimited). At least 1.
            default_everyone_must_approve: Does not apply for API.
            default_assignee_ids: Does not apply for API.

        Returns:
            The group.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> from social_publishing.models import GroupType, Weekday
            >>> await client.groups.replace(
            ...     "9032915132417572866",
            ...     name="Bakeries",
            ...     timezone="Europe/Berlin",
            ...     type=GroupType.BRAND,
            ...     week_start_day=Weekday.MONDAY,
            ...     note="Three shops.",
            ...     max_social_accounts=20,
            ...     default_everyone_must_approve=False,
            ...     default_assignee_ids=["9032915132417572865"],
            ... )

        PUT /groups/{group} (§4.2). Partly assumed: see `api.md`.
        """
        return await self._client.send(
            build_replace(
                group_id,
                name=name,
                timezone=timezone,
                type=type,
                week_start_day=week_start_day,
                note=note,
                max_social_accounts=max_social_accounts,
                default_everyone_must_approve=default_everyone_must_approve,
                default_assignee_ids=default_assignee_ids,
            )
        )

    async def update(
        self,
        group_id: str,
        *,
        name: str | UnsetType = UNSET,
        timezone: str | UnsetType = UNSET,
        type: GroupType | UnsetType = UNSET,
        week_start_day: Weekday | UnsetType = UNSET,
        note: str | None | UnsetType = UNSET,
        max_social_accounts: int | None | UnsetType = UNSET,
        default_everyone_must_approve: bool | UnsetType = UNSET,
        default_assignee_ids: Sequence[str] | UnsetType = UNSET,
    ) -> Group:
        """Change some values, and keep the others.

        Reads with `groups.get`, applies your changes, and sends everything with `groups.replace`.
        Arguments that you leave out keep the values that were read; None is sent as null, where
        null is allowed. `approval_workflow`, `country`, `color`, `avatar` and
        `post_task_templates_enabled` cannot be sent: a `LimitationWarning` names those that the
        response lacks or shows with another value.

        Not atomic: a change that somebody else makes between the two requests is overwritten.

        Args:
            group_id: Identifier of the group.
            name: Name of the group. At most 50 characters.
            timezone: Valid timezone name. "A name of the IANA time zone database" is assumed
                (replaceGroup.timezone). At least 1 character; a name of the IANA time zone
                database.
            type: Type of the group.
            week_start_day: First day of its week; 0 is Sunday.
            note: Internal note. Null is assumed (replaceGroup.note). At most 500 characters.
            max_social_accounts: How many social accounts the group may hold. Null is assumed
                (replaceGroup.unlimited). At least 1.
            default_everyone_must_approve: Does not apply for API.
            default_assignee_ids: Does not apply for API.

        Returns:
            The group.

        Raises:
            ArgumentError: An argument is not valid, or there is none; nothing was sent. Or a value
                that was read cannot be sent back; nothing was changed.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.groups.update("9032915132417572866", name="Bakeries")

        GET /groups/{group}, then PUT /groups/{group} (§4.2). Partly assumed: see `api.md`.
        """
        return await self._client.send(
            plan_update(
                group_id,
                name=name,
                timezone=timezone,
                type=type,
                week_start_day=week_start_day,
                note=note,
                max_social_accounts=max_social_accounts,
                default_everyone_must_approve=default_everyone_must_approve,
                default_assignee_ids=default_assignee_ids,
            )
        )


class GroupsResourceWithRawResponse(Resource):
    """Sets of social accounts. Each method returns the whole response."""

    _name = "groups"

    def get(
        self,
        group_id: str,
        *,
        include: Sequence[GroupInclude | str] | UnsetType = UNSET,
    ) -> RawResponse[Group]:
        """Read a group."""
        return self._client.send(build_get(group_id, include=include).raw)

    def replace(
        self,
        group_id: str,
        *,
        name: str,
        timezone: str,
        type: GroupType,
        week_start_day: Weekday,
        note: str | None,
        max_social_accounts: int | None,
        default_everyone_must_approve: bool,
        default_assignee_ids: Sequence[str],
    ) -> RawResponse[Group]:
        """Replace the values of a group."""
        return self._client.send(
            build_replace(
                group_id,
                name=name,
                timezone=timezone,
                type=type,
                week_start_day=week_start_day,
                note=note,
                max_social_accounts=max_social_accounts,
                default_everyone_must_approve=default_everyone_must_approve,
                default_assignee_ids=default_assignee_ids,
            ).raw
        )


class AsyncGroupsResourceWithRawResponse(AsyncResource):
    """Sets of social accounts. Each method returns the whole response."""

    _name = "groups"

    async def get(
        self,
        group_id: str,
        *,
        include: Sequence[GroupInclude | str] | UnsetType = UNSET,
    ) -> RawResponse[Group]:
        """Read a group."""
        return await self._client.send(build_get(group_id, include=include).raw)

    async def replace(
        self,
        group_id: str,
        *,
        name: str,
        timezone: str,
        type: GroupType,
        week_start_day: Weekday,
        note: str | None,
        max_social_accounts: int | None,
        default_everyone_must_approve: bool,
        default_assignee_ids: Sequence[str],
    ) -> RawResponse[Group]:
        """Replace the values of a group."""
        return await self._client.send(
            build_replace(
                group_id,
                name=name,
                timezone=timezone,
                type=type,
                week_start_day=week_start_day,
                note=note,
                max_social_accounts=max_social_accounts,
                default_everyone_must_approve=default_everyone_must_approve,
                default_assignee_ids=default_assignee_ids,
            ).raw
        )
