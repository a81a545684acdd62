# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `boxes`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._runtime.core.models import UNSET, UnsetType
from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.boxes import Box, Key, Metal

__all__ = [
    "AsyncBoxesResource",
    "BoxesResource",
    "build_set_key",
    "build_add_box",
]


def build_set_key(*, body: Metal | int) -> Request[None]:
    """Set the key.

    Sets it.

    Args:
        body: The body.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    PUT /boxes.
    """
    return prepare(
        operation="boxes.set_key",
        server="document",
        method="PUT",
        path="/boxes",
        json=Parameter("body", body, Key, "body"),
        returns=None,
        retry_safety="idempotent",
    )


def build_add_box(
    *,
    label: str,
    files: Sequence[str] | UnsetType = UNSET,
    key: Metal | int | UnsetType = UNSET,
) -> Request[None]:
    """Add a box.

    Adds one.

    Args:
        label: Words without quotes. At least 1 character.
        files: Several. At most 2 items.
        key: Metal or a number.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /boxes.
    """
    return prepare(
        operation="boxes.add_box",
        server="document",
        method="POST",
        path="/boxes",
        json=Box(label=label, files=files, key=key),
        returns=None,
        retry_safety="unsafe",
    )


class BoxesResource(Resource[M]):
    """Operations of `boxes`."""

    @property
    def with_raw_response(self) -> BoxesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return BoxesResource(self._client, raw=True)

    set_key = Method(build_set_key)
    """Set the key."""

    add_box = Method(build_add_box)
    """Add a box."""


class AsyncBoxesResource(AsyncResource[M]):
    """Operations of `boxes`."""

    @property
    def with_raw_response(self) -> AsyncBoxesResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncBoxesResource(self._client, raw=True)

    set_key = AsyncMethod(build_set_key)
    """Set the key."""

    add_box = AsyncMethod(build_add_box)
    """Add a box."""
