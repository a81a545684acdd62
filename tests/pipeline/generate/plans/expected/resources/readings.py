# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `readings`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
Each `plan_…` function puts several requests together; the method of that name carries them out.
"""

from __future__ import annotations

import datetime as dt

from .._runtime.core.models import UNSET, UnsetType
from .._runtime.engine.effects import Call
from .._runtime.engine.methods import (
    AsyncPagedMethod,
    AsyncPlannedMethod,
    AsyncResource,
    M,
    PagedMethod,
    PlannedMethod,
    Raw,
    Resource,
)
from .._runtime.plans.batching import Windows
from .._runtime.plans.paging import Pages
from .._runtime.request.request import Parameter, Request, Window, prepare
from ..models.readings import LoanPage, LoanPageItemsItem, Reading

__all__ = [
    "AsyncReadingsResource",
    "ReadingsResource",
    "build_list",
    "build_list_loans",
    "plan_list",
    "plan_list_loans",
]


def build_list(
    *,
    since: dt.datetime,
    until: dt.datetime,
    room: str | UnsetType = UNSET,
) -> Request[list[Reading]]:
    """List readings.

    Gives the readings of less than 31 days.

    Args:
        since: First moment.
        until: Last moment.
        room: The room.

    Returns:
        The readings.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /readings.
    """
    return prepare(
        operation="readings.list",
        server="document",
        method="GET",
        path="/readings",
        query=[
            Parameter("from", since, dt.datetime, "since"),
            Parameter("to", until, dt.datetime, "until"),
            Parameter("room", room, str, "room"),
        ],
        window=Window(start=("since", since), end=("until", until), under_days=31),
        returns=list[Reading],
        retry_safety="safe",
    )


def plan_list(
    *,
    since: dt.datetime,
    until: dt.datetime,
    room: str | UnsetType = UNSET,
) -> Call[list[Reading]]:
    """List readings.

    Gives the readings of less than 31 days.

    Less than 31 days is the limit of one request; the range may have any length. A longer one is
    read in several requests, up to 4 at a time, and what is found in two of them is given once.

    Args:
        since: First moment.
        until: Last moment.
        room: The room.

    Returns:
        The readings.

    Raises:
        ArgumentError: an argument is not what the documents allow, or `until` lies before `since`;
            nothing was sent.
        StatusError: any other status outside 200 to 299.
        PartialFailure: some of the requests failed; it holds the answers of the others.

    GET /readings.
    """
    return Windows(
        "readings.list",
        lambda since, until: build_list(since=since, until=until, room=room),
        start=("since", since),
        end=("until", until),
        under_days=31,
        key="reading_id",
    )


def build_list_loans() -> Request[LoanPage]:
    """List loans.

    Goes on by address alone.

    Returns:
        A page of loans.

    Raises:
        StatusError: any other status outside 200 to 299.

    GET /loans.
    """
    return prepare(
        operation="readings.list_loans",
        server="document",
        method="GET",
        path="/loans",
        returns=LoanPage,
        retry_safety="safe",
    )


def plan_list_loans() -> Pages[LoanPageItemsItem, LoanPage]:
    """List loans.

    Goes on by address alone.

    The next page is read when the items of the one before are used up. A list whose pages go round
    in a circle ends with a `PagingWarning`.

    Returns:
        An iterable of the items of all pages; its `.pages()` gives whole pages.

    Raises:
        StatusError: any other status outside 200 to 299.
        PagingError: the next page cannot be followed.

    GET /loans.
    """
    return Pages(build_list_loans(), items="items", next="next")


class ReadingsResource(Resource[M]):
    """Operations of `readings`."""

    @property
    def with_raw_response(self) -> ReadingsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return ReadingsResource(self._client, raw=True)

    list = PlannedMethod(build_list, plan_list)
    """List readings."""

    list_loans = PagedMethod(build_list_loans, plan_list_loans)
    """List loans."""


class AsyncReadingsResource(AsyncResource[M]):
    """Operations of `readings`."""

    @property
    def with_raw_response(self) -> AsyncReadingsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncReadingsResource(self._client, raw=True)

    list = AsyncPlannedMethod(build_list, plan_list)
    """List readings."""

    list_loans = AsyncPagedMethod(build_list_loans, plan_list_loans)
    """List loans."""
