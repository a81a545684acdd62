# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `prints`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from .._runtime.core.models import UNSET, Meta, UnsetType
from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.prints import LogInBody

__all__ = [
    "AsyncPrintsResource",
    "PrintsResource",
    "build_log_in",
    "build_send_print",
    "build_rename",
    "build_drop_sheets",
]


def build_log_in(*, user: str, stay: bool | UnsetType = UNSET) -> Request[str]:
    """Begin a session.

    Takes a form.

    Args:
        user: Who.
        stay: Whether to stay.

    Returns:
        A word.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /logins.
    """
    return prepare(
        operation="prints.log_in",
        server="document",
        method="POST",
        path="/logins",
        form=LogInBody(user=user, stay=stay),
        returns=str,
        retry_safety="unsafe",
    )


def build_send_print(*, body: bytes) -> Request[bytes]:
    """Send what is to be printed.

    Takes bytes.

    Args:
        body: The body.

    Returns:
        The sheet.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    PUT /prints.
    """
    return prepare(
        operation="prints.send_print",
        server="document",
        method="PUT",
        path="/prints",
        content=body,
        returns=bytes,
        retry_safety="idempotent",
    )


def build_rename(*, body: Sequence[str] | UnsetType = UNSET) -> Request[list[str | None]]:
    """Give names to copies.

    Takes a list, in a type of its own.

    Args:
        body: The body.

    Returns:
        As they are now.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    PATCH /names.
    """
    return prepare(
        operation="prints.rename",
        server="document",
        method="PATCH",
        path="/names",
        json=Parameter("body", body, Annotated[Sequence[str], Meta(max_length=2)], "body"),
        content_type="application/vnd.shop+json",
        returns=list[str | None],
        retry_safety="unsafe",
    )


def build_drop_sheets() -> Request[None]:
    """Throw the sheets away.

    Answers nothing.

    Raises:
        StatusError: any other status outside 200 to 299.

    DELETE /sheets.
    """
    return prepare(
        operation="prints.drop_sheets",
        server="document",
        method="DELETE",
        path="/sheets",
        returns=None,
        retry_safety="idempotent",
    )


class PrintsResource(Resource[M]):
    """Operations of `prints`."""

    @property
    def with_raw_response(self) -> PrintsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return PrintsResource(self._client, raw=True)

    log_in = Method(build_log_in)
    """Begin a session."""

    send_print = Method(build_send_print)
    """Send what is to be printed."""

    rename = Method(build_rename)
    """Give names to copies."""

    drop_sheets = Method(build_drop_sheets)
    """Throw the sheets away."""


class AsyncPrintsResource(AsyncResource[M]):
    """Operations of `prints`."""

    @property
    def with_raw_response(self) -> AsyncPrintsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncPrintsResource(self._client, raw=True)

    log_in = AsyncMethod(build_log_in)
    """Begin a session."""

    send_print = AsyncMethod(build_send_print)
    """Send what is to be printed."""

    rename = AsyncMethod(build_rename)
    """Give names to copies."""

    drop_sheets = AsyncMethod(build_drop_sheets)
    """Throw the sheets away."""
