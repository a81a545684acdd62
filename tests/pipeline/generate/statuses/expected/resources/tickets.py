# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `tickets`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from typing import Any

from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Request, prepare

__all__ = [
    "AsyncTicketsResource",
    "TicketsResource",
    "build_list_tickets",
    "build_buy_ticket",
]


def build_list_tickets() -> Request[list[int]]:
    """List the tickets.

    Lists them.

    Returns:
        Tickets.

    Raises:
        StatusError: any other status outside 200 to 299.

    GET /tickets.
    """
    return prepare(
        operation="tickets.list_tickets",
        server="document",
        method="GET",
        path="/tickets",
        returns=list[int],
        retry_safety="safe",
    )


def build_buy_ticket() -> Request[Any]:
    """Buy a ticket.

    Buys one.

    Returns:
        The number.

    Raises:
        BadRequestError: status 400. Not understood.
        PaymentRequiredError: status 402. Pay first.
        ServerError: status 503. Closed.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /tickets.
    """
    return prepare(
        operation="tickets.buy_ticket",
        server="document",
        method="POST",
        path="/tickets",
        returns=Any,
        retry_safety="unsafe",
    )


class TicketsResource(Resource[M]):
    """Operations of `tickets`."""

    @property
    def with_raw_response(self) -> TicketsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return TicketsResource(self._client, raw=True)

    list_tickets = Method(build_list_tickets)
    """List the tickets."""

    buy_ticket = Method(build_buy_ticket)
    """Buy a ticket."""


class AsyncTicketsResource(AsyncResource[M]):
    """Operations of `tickets`."""

    @property
    def with_raw_response(self) -> AsyncTicketsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncTicketsResource(self._client, raw=True)

    list_tickets = AsyncMethod(build_list_tickets)
    """List the tickets."""

    buy_ticket = AsyncMethod(build_buy_ticket)
    """Buy a ticket."""
