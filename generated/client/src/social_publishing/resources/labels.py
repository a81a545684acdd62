# Generated from spec/main.yaml by `python -m pipeline generate`. Do not edit.
"""Tags for posts.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service returns.
"""

from __future__ import annotations

from .._runtime.methods import AsyncMethod, AsyncResource, M, Method, Raw, Resource
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
        OutcomeUnknown: no response came, or one of 5xx, and it may have been done; look before you
            repeat it.

    §4.5 of the specification: POST /labels.

    Assumed: createLabel.names, createLabel.required, errors.createLabel, rateLimit.status,
        success.createLabel.

    Not known: createLabel.defaults.
    """
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
    return prepare(
        operation="labels.delete",
        server="main",
        method="DELETE",
        path="/labels/{label}",
        path_parameters=[Parameter("label", label_id, Id, "label_id")],
        returns=None,
        retry_safety="idempotent",
    )


class LabelsResource(Resource[M]):
    """Tags for posts."""

    @property
    def with_raw_response(self) -> LabelsResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return LabelsResource(self._client, raw=True)

    create = Method(build_create)
    """Create a label."""

    delete = Method(build_delete)
    """Delete a label."""


class AsyncLabelsResource(AsyncResource[M]):
    """Tags for posts."""

    @property
    def with_raw_response(self) -> AsyncLabelsResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return AsyncLabelsResource(self._client, raw=True)

    create = AsyncMethod(build_create)
    """Create a label."""

    delete = AsyncMethod(build_delete)
    """Delete a label."""
