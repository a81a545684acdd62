# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Connected accounts.

Each `build_…` function checks the arguments of an operation and makes its request, without sending
it; the methods of both clients send what it makes.
"""

from __future__ import annotations

from functools import cached_property

from .._runtime.engine.resource import AsyncResource, Resource
from .._runtime.request.request import Request, prepare
from .._runtime.request.validation import Parameter
from .._runtime.response.raw import RawResponse
from ..models.shared import Id, SocialAccount
from ..models.social_accounts import SocialAccountMove

__all__ = [
    "AsyncSocialAccountsResource",
    "SocialAccountsResource",
    "build_get",
    "build_move_to_group",
]


def build_get(social_account_id: str) -> Request[SocialAccount]:
    """Build a request of `social_accounts.get`."""
    return prepare(
        operation="social_accounts.get",
        server="main",
        method="GET",
        path="/social-accounts/{socialAccount}",
        path_parameters=[Parameter("socialAccount", social_account_id, Id, "social_account_id")],
        returns=SocialAccount,
        retry_safety="safe",
    )


def build_move_to_group(social_account_id: str, group_id: str) -> Request[None]:
    """Build a request of `social_accounts.move_to_group`."""
    return prepare(
        operation="social_accounts.move_to_group",
        server="main",
        method="PATCH",
        path="/social-accounts/{socialAccount}/group",
        path_parameters=[Parameter("socialAccount", social_account_id, Id, "social_account_id")],
        json=SocialAccountMove(group_id=group_id),
        returns=None,
        retry_safety="idempotent",
    )


class SocialAccountsResource(Resource):
    """Connected accounts."""

    _name = "social_accounts"

    @cached_property
    def with_raw_response(self) -> SocialAccountsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return SocialAccountsResourceWithRawResponse(self._client)

    def get(self, social_account_id: str) -> SocialAccount:
        """Read a social account.

        Gives the account with the state of its connection and, for Pinterest and YouTube, its
        boards, categories and playlists.

        Args:
            social_account_id: Identifier of the social account.

        Returns:
            The social account.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.social_accounts.get("9032915132417572868")

        GET /social-accounts/{socialAccount} (§4.3). Partly assumed: see `api.md`.
        """
        return self._client.send(build_get(social_account_id))

    def move_to_group(self, social_account_id: str, group_id: str) -> None:
        """Move a social account to another group.

        An account is in one group at a time: it leaves the group that it is in. What repeating it
        does is assumed (moveSocialAccount.repeat).

        Args:
            social_account_id: Identifier of the social account.
            group_id: Identifier of the group that takes the account. That it is required is assumed
                (moveSocialAccount.required).

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.social_accounts.move_to_group(
            ...     "9032915132417572868",
            ...     "9032915132417572867",
            ... )

        PATCH /social-accounts/{socialAccount}/group (§4.3). Partly assumed: see `api.md`.
        """
        self._client.send(build_move_to_group(social_account_id, group_id))


class AsyncSocialAccountsResource(AsyncResource):
    """Connected accounts."""

    _name = "social_accounts"

    @cached_property
    def with_raw_response(self) -> AsyncSocialAccountsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncSocialAccountsResourceWithRawResponse(self._client)

    async def get(self, social_account_id: str) -> SocialAccount:
        """Read a social account.

        Gives the account with the state of its connection and, for Pinterest and YouTube, its
        boards, categories and playlists.

        Args:
            social_account_id: Identifier of the social account.

        Returns:
            The social account.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.social_accounts.get("9032915132417572868")

        GET /social-accounts/{socialAccount} (§4.3). Partly assumed: see `api.md`.
        """
        return await self._client.send(build_get(social_account_id))

    async def move_to_group(self, social_account_id: str, group_id: str) -> None:
        """Move a social account to another group.

        An account is in one group at a time: it leaves the group that it is in. What repeating it
        does is assumed (moveSocialAccount.repeat).

        Args:
            social_account_id: Identifier of the social account.
            group_id: Identifier of the group that takes the account. That it is required is assumed
                (moveSocialAccount.required).

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.social_accounts.move_to_group(
            ...     "9032915132417572868",
            ...     "9032915132417572867",
            ... )

        PATCH /social-accounts/{socialAccount}/group (§4.3). Partly assumed: see `api.md`.
        """
        await self._client.send(build_move_to_group(social_account_id, group_id))


class SocialAccountsResourceWithRawResponse(Resource):
    """Connected accounts. Each method returns the whole response."""

    _name = "social_accounts"

    def get(self, social_account_id: str) -> RawResponse[SocialAccount]:
        """Read a social account."""
        return self._client.send(build_get(social_account_id).raw)

    def move_to_group(self, social_account_id: str, group_id: str) -> RawResponse[None]:
        """Move a social account to another group."""
        return self._client.send(build_move_to_group(social_account_id, group_id).raw)


class AsyncSocialAccountsResourceWithRawResponse(AsyncResource):
    """Connected accounts. Each method returns the whole response."""

    _name = "social_accounts"

    async def get(self, social_account_id: str) -> RawResponse[SocialAccount]:
        """Read a social account."""
        return await self._client.send(build_get(social_account_id).raw)

    async def move_to_group(self, social_account_id: str, group_id: str) -> RawResponse[None]:
        """Move a social account to another group."""
        return await self._client.send(build_move_to_group(social_account_id, group_id).raw)
