# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Tags for posts.

Each `build_…` function checks the arguments of an operation and makes its request, without sending
it; the methods of both clients send what it makes.
"""

from __future__ import annotations

from functools import cached_property

from .._runtime.engine.resource import AsyncResource, Resource
from .._runtime.request.request import Request, prepare
from .._runtime.request.validation import Parameter
from .._runtime.response.raw import RawResponse
from ..models.labels import LabelCreation
from ..models.shared import Id, Label

__all__ = [
    "AsyncLabelsResource",
    "LabelsResource",
    "build_create",
    "build_delete",
]


def build_create(name: str) -> Request[Label]:
    """Build a request of `labels.create`."""
    return prepare(
        operation="labels.create",
        server="main",
        method="POST",
        path="/labels",
        json=LabelCreation(name=name),
        returns=Label,
        retry_safety="unsafe",
    )


def build_delete(label_id: str) -> Request[None]:
    """Build a request of `labels.delete`."""
    return prepare(
        operation="labels.delete",
        server="main",
        method="DELETE",
        path="/labels/{label}",
        path_parameters=[Parameter("label", label_id, Id, "label_id")],
        returns=None,
        retry_safety="idempotent",
    )


class LabelsResource(Resource):
    """Tags for posts."""

    _name = "labels"

    @cached_property
    def with_raw_response(self) -> LabelsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return LabelsResourceWithRawResponse(self._client)

    def create(self, name: str) -> Label:
        """Create a label.

        Creates a label.

        Args:
            name: Name of the label. That it is required is assumed (createLabel.required).

        Returns:
            The label.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: The write may have been carried out, but no response says so: check
                before you repeat it.

        Example:
            >>> client.labels.create("Opening")

        POST /labels (§4.5). Partly assumed: see `api.md`.
        """
        return self._client.send(build_create(name))

    def delete(self, label_id: str) -> None:
        """Delete a label.

        Also takes the label off every post that has it.

        Args:
            label_id: Identifier of the label.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.labels.delete("9032915132417572870")

        DELETE /labels/{label} (§4.5). Partly assumed: see `api.md`.
        """
        self._client.send(build_delete(label_id))


class AsyncLabelsResource(AsyncResource):
    """Tags for posts."""

    _name = "labels"

    @cached_property
    def with_raw_response(self) -> AsyncLabelsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncLabelsResourceWithRawResponse(self._client)

    async def create(self, name: str) -> Label:
        """Create a label.

        Creates a label.

        Args:
            name: Name of the label. That it is required is assumed (createLabel.required).

        Returns:
            The label.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            BadRequestError: The request is refused (400).
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            UnprocessableEntityError: A value is not valid (422).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: The write may have been carried out, but no response says so: check
                before you repeat it.

        Example:
            >>> await client.labels.create("Opening")

        POST /labels (§4.5). Partly assumed: see `api.md`.
        """
        return await self._client.send(build_create(name))

    async def delete(self, label_id: str) -> None:
        """Delete a label.

        Also takes the label off every post that has it.

        Args:
            label_id: Identifier of the label.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            AuthenticationError: The token is not accepted (401).
            PermissionDeniedError: The user may not do this (403).
            NotFoundError: There is no such object (404).
            RateLimitError: The user has sent too many requests in this minute (429).
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.labels.delete("9032915132417572870")

        DELETE /labels/{label} (§4.5). Partly assumed: see `api.md`.
        """
        await self._client.send(build_delete(label_id))


class LabelsResourceWithRawResponse(Resource):
    """Tags for posts. Each method returns the whole response."""

    _name = "labels"

    def create(self, name: str) -> RawResponse[Label]:
        """Create a label."""
        return self._client.send(build_create(name).raw)

    def delete(self, label_id: str) -> RawResponse[None]:
        """Delete a label."""
        return self._client.send(build_delete(label_id).raw)


class AsyncLabelsResourceWithRawResponse(AsyncResource):
    """Tags for posts. Each method returns the whole response."""

    _name = "labels"

    async def create(self, name: str) -> RawResponse[Label]:
        """Create a label."""
        return await self._client.send(build_create(name).raw)

    async def delete(self, label_id: str) -> RawResponse[None]:
        """Delete a label."""
        return await self._client.send(build_delete(label_id).raw)
