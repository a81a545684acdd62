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
from .._runtime.engine.client import AsyncClient, Client
from .._runtime.engine.effects import Call
from .._runtime.engine.resource import AsyncResource, Resource, whole, whole_async
from .._runtime.plans.read_modify_write import ReadModifyWrite
from .._runtime.request.request import Request, prepare
from .._runtime.request.validation import Parameter
from .._runtime.request.write_back import WriteBack
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

        Its social accounts and their number come with it by default (§4.2).

        Args:
            group_id: Identifier of the group.
            include: Relations to give with the group. Its social accounts and their number come by
                default. Assumed: include.values.

        Returns:
            The group.

        Raises:
            ArgumentError: an argument is not what the documents allow; nothing was sent.
            BadRequestError: status 400. The request is refused.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.

        §4.2 of the specification: GET /groups/{group}.

        Assumed: errors.getGroup, getGroup.include, include.values, rateLimit.status,
            success.getGroup.
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

        Sets all values of a group at once: all fields must be sent (§4.2).

        Args:
            group_id: Identifier of the group.
            name: Name of the group. At most 50 characters.
            timezone: Name of its time zone, such as `Europe/Berlin`.
            type: What the group stands for.
            week_start_day: First day of its week; 0 is Sunday.
            note: Note for the team. At most 500 characters. Assumed: replaceGroup.note.
            max_social_accounts: How many social accounts the group may hold. At least 1. Assumed:
                replaceGroup.maximumHeld, replaceGroup.unlimited.
            default_everyone_must_approve: Of no effect through the API.
            default_assignee_ids: Of no effect through the API.

        Returns:
            The group.

        Raises:
            ArgumentError: an argument is not what the documents allow; nothing was sent.
            BadRequestError: status 400. The request is refused.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            UnprocessableEntityError: status 422. A value is not valid.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.

        §4.2 of the specification: PUT /groups/{group}.

        Assumed: errors.replaceGroup, rateLimit.status, replaceGroup.maximumHeld, replaceGroup.note,
            replaceGroup.unlimited, success.replaceGroup.

        Not known: replaceGroup.required.
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
        """Change some values and keep the others.

        Reads with `groups.get`, changes what is given, and sends the whole with `groups.replace`.
        What is left out stays as it was read; None is sent as null, where null is allowed.

        This is not atomic: what somebody else changes between the two requests is overwritten.

        Args:
            group_id: Identifier of the group.
            name: Name of the group. At most 50 characters.
            timezone: Name of its time zone, such as `Europe/Berlin`.
            type: What the group stands for.
            week_start_day: First day of its week; 0 is Sunday.
            note: Note for the team. At most 500 characters. Assumed: replaceGroup.note.
            max_social_accounts: How many social accounts the group may hold. At least 1. Assumed:
                replaceGroup.maximumHeld, replaceGroup.unlimited.
            default_everyone_must_approve: Of no effect through the API.
            default_assignee_ids: Of no effect through the API.

        Returns:
            The group.

        Raises:
            ArgumentError: an argument is not what the documents allow, or none is to change;
                nothing was sent. Or something that was read, and is not to change, cannot be sent
                back; nothing was changed.
            BadRequestError: status 400. The request is refused.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            UnprocessableEntityError: status 422. A value is not valid.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.

        §4.2 of the specification: GET /groups/{group}, then PUT /groups/{group}.

        Assumed: errors.getGroup, errors.replaceGroup, getGroup.include, include.values,
            rateLimit.status, replaceGroup.maximumHeld, replaceGroup.note, replaceGroup.unlimited,
            success.getGroup, success.replaceGroup.

        Not known: replaceGroup.required.
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

        Its social accounts and their number come with it by default (§4.2).

        Args:
            group_id: Identifier of the group.
            include: Relations to give with the group. Its social accounts and their number come by
                default. Assumed: include.values.

        Returns:
            The group.

        Raises:
            ArgumentError: an argument is not what the documents allow; nothing was sent.
            BadRequestError: status 400. The request is refused.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.

        §4.2 of the specification: GET /groups/{group}.

        Assumed: errors.getGroup, getGroup.include, include.values, rateLimit.status,
            success.getGroup.
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

        Sets all values of a group at once: all fields must be sent (§4.2).

        Args:
            group_id: Identifier of the group.
            name: Name of the group. At most 50 characters.
            timezone: Name of its time zone, such as `Europe/Berlin`.
            type: What the group stands for.
            week_start_day: First day of its week; 0 is Sunday.
            note: Note for the team. At most 500 characters. Assumed: replaceGroup.note.
            max_social_accounts: How many social accounts the group may hold. At least 1. Assumed:
                replaceGroup.maximumHeld, replaceGroup.unlimited.
            default_everyone_must_approve: Of no effect through the API.
            default_assignee_ids: Of no effect through the API.

        Returns:
            The group.

        Raises:
            ArgumentError: an argument is not what the documents allow; nothing was sent.
            BadRequestError: status 400. The request is refused.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            UnprocessableEntityError: status 422. A value is not valid.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.

        §4.2 of the specification: PUT /groups/{group}.

        Assumed: errors.replaceGroup, rateLimit.status, replaceGroup.maximumHeld, replaceGroup.note,
            replaceGroup.unlimited, success.replaceGroup.

        Not known: replaceGroup.required.
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
        """Change some values and keep the others.

        Reads with `groups.get`, changes what is given, and sends the whole with `groups.replace`.
        What is left out stays as it was read; None is sent as null, where null is allowed.

        This is not atomic: what somebody else changes between the two requests is overwritten.

        Args:
            group_id: Identifier of the group.
            name: Name of the group. At most 50 characters.
            timezone: Name of its time zone, such as `Europe/Berlin`.
            type: What the group stands for.
            week_start_day: First day of its week; 0 is Sunday.
            note: Note for the team. At most 500 characters. Assumed: replaceGroup.note.
            max_social_accounts: How many social accounts the group may hold. At least 1. Assumed:
                replaceGroup.maximumHeld, replaceGroup.unlimited.
            default_everyone_must_approve: Of no effect through the API.
            default_assignee_ids: Of no effect through the API.

        Returns:
            The group.

        Raises:
            ArgumentError: an argument is not what the documents allow, or none is to change;
                nothing was sent. Or something that was read, and is not to change, cannot be sent
                back; nothing was changed.
            BadRequestError: status 400. The request is refused.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            UnprocessableEntityError: status 422. A value is not valid.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.

        §4.2 of the specification: GET /groups/{group}, then PUT /groups/{group}.

        Assumed: errors.getGroup, errors.replaceGroup, getGroup.include, include.values,
            rateLimit.status, replaceGroup.maximumHeld, replaceGroup.note, replaceGroup.unlimited,
            success.getGroup, success.replaceGroup.

        Not known: replaceGroup.required.
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


class GroupsResourceWithRawResponse:
    """Sets of social accounts. Each method returns the whole response."""

    def __init__(self, client: Client) -> None:
        self.get = whole(client, build_get)
        """Read a group."""

        self.replace = whole(client, build_replace)
        """Replace the values of a group."""


class AsyncGroupsResourceWithRawResponse:
    """Sets of social accounts. Each method returns the whole response."""

    def __init__(self, client: AsyncClient) -> None:
        self.get = whole_async(client, build_get)
        """Read a group."""

        self.replace = whole_async(client, build_replace)
        """Replace the values of a group."""
