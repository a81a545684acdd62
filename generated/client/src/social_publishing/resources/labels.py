# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Tags for posts.

Each `build_…` function checks the arguments of an operation and makes its request, without sending
it; the methods of both clients send what it makes.
"""

from __future__ import annotations

from functools import cached_property

from .._runtime.engine.client import AsyncClient, Client
from .._runtime.engine.resource import AsyncResource, Resource, whole, whole_async
from .._runtime.request.request import Request, prepare
from .._runtime.request.validation import Parameter
from ..models.labels import LabelCreation
from ..models.shared import Id, Label

__all__ = [
    "AsyncLabelsResource",
    "LabelsResource",
    "build_create",
    "build_delete",
]


def build_create(*, name: str) -> Request[Label]:
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

    @cached_property
    def with_raw_response(self) -> LabelsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return LabelsResourceWithRawResponse(self._client)

    def create(self, *, name: str) -> Label:
        """Create a label.

        Only its name can be chosen (§4.5).

        Args:
            name: Name of the label.

        Returns:
            The label.

        Raises:
            ArgumentError: an argument is not what the documents allow; nothing was sent.
            BadRequestError: status 400. The request is refused.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            UnprocessableEntityError: status 422. A value is not valid.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.
            OutcomeUnknown: no response came, or one of 5xx, and it may have been done; look before
                you repeat it.

        §4.5 of the specification: POST /labels.

        Assumed: createLabel.names, createLabel.required, errors.createLabel, rateLimit.status,
            success.createLabel.

        Not known: createLabel.defaults.
        """
        return self._client.send(build_create(name=name))

    def delete(self, label_id: str) -> None:
        """Delete a label.

        Also takes the label off every post that has it (§4.5).

        Args:
            label_id: Identifier of the label.

        Raises:
            ArgumentError: an argument is not what the documents allow; nothing was sent.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.

        §4.5 of the specification: DELETE /labels/{label}.

        Assumed: errors.deleteLabel, rateLimit.status, success.deleteLabel.
        """
        self._client.send(build_delete(label_id))


class AsyncLabelsResource(AsyncResource):
    """Tags for posts."""

    @cached_property
    def with_raw_response(self) -> AsyncLabelsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncLabelsResourceWithRawResponse(self._client)

    async def create(self, *, name: str) -> Label:
        """Create a label.

        Only its name can be chosen (§4.5).

        Args:
            name: Name of the label.

        Returns:
            The label.

        Raises:
            ArgumentError: an argument is not what the documents allow; nothing was sent.
            BadRequestError: status 400. The request is refused.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            UnprocessableEntityError: status 422. A value is not valid.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.
            OutcomeUnknown: no response came, or one of 5xx, and it may have been done; look before
                you repeat it.

        §4.5 of the specification: POST /labels.

        Assumed: createLabel.names, createLabel.required, errors.createLabel, rateLimit.status,
            success.createLabel.

        Not known: createLabel.defaults.
        """
        return await self._client.send(build_create(name=name))

    async def delete(self, label_id: str) -> None:
        """Delete a label.

        Also takes the label off every post that has it (§4.5).

        Args:
            label_id: Identifier of the label.

        Raises:
            ArgumentError: an argument is not what the documents allow; nothing was sent.
            AuthenticationError: status 401. The token is not accepted.
            PermissionDeniedError: status 403. The user may not do this.
            NotFoundError: status 404. There is no such object.
            RateLimitError: status 429. The user has sent too many requests in this minute.
            StatusError: any other status outside 200 to 299.

        §4.5 of the specification: DELETE /labels/{label}.

        Assumed: errors.deleteLabel, rateLimit.status, success.deleteLabel.
        """
        await self._client.send(build_delete(label_id))


class LabelsResourceWithRawResponse:
    """Tags for posts. Each method returns the whole response."""

    def __init__(self, client: Client) -> None:
        self.create = whole(client, build_create)
        """Create a label."""

        self.delete = whole(client, build_delete)
        """Delete a label."""


class AsyncLabelsResourceWithRawResponse:
    """Tags for posts. Each method returns the whole response."""

    def __init__(self, client: AsyncClient) -> None:
        self.create = whole_async(client, build_create)
        """Create a label."""

        self.delete = whole_async(client, build_delete)
        """Delete a label."""
