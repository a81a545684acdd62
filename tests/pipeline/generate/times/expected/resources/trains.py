# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `trains`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from .._runtime.core.models import UNSET, UnsetType
from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, Window, prepare
from ..models.trains import Minute, Train, TrainInput

__all__ = [
    "AsyncTrainsResource",
    "TrainsResource",
    "build_list_trains",
    "build_add_train",
]


def build_list_trains(
    *,
    from_: dt.datetime | UnsetType = UNSET,
    to: dt.datetime | UnsetType = UNSET,
    day: dt.date | UnsetType = UNSET,
    since: dt.datetime | UnsetType = UNSET,
    train: UUID | UnsetType = UNSET,
) -> Request[list[Train]]:
    """List the trains.

    Lists them.

    Args:
        from_: The first. Sent as `%Y-%m-%d %H:%M` in Europe/Berlin.
        to: The last. Sent as `%Y-%m-%d %H:%M` in Europe/Berlin.
        day: A day.
        since: An instant.
        train: One.

    Returns:
        Trains.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /trains.
    """
    return prepare(
        operation="trains.list_trains",
        server="document",
        method="GET",
        path="/trains",
        query=[
            Parameter("from", from_, Minute, "from_"),
            Parameter("to", to, Minute, "to"),
            Parameter("day", day, dt.date, "day"),
            Parameter("since", since, dt.datetime, "since"),
            Parameter("train", train, UUID, "train"),
        ],
        any_of={"from_": from_, "day": day},
        window=Window(start=("from_", from_), end=("to", to), under_days=7),
        returns=list[Train],
        retry_safety="safe",
    )


def build_add_train(
    *,
    leaves: dt.datetime,
    sold: dt.datetime | UnsetType = UNSET,
    day: dt.date | None | UnsetType = UNSET,
) -> Request[None]:
    """Add a train.

    Adds one.

    Args:
        leaves: When.
        sold: A minute. Sent as `%Y-%m-%d %H:%M` in Europe/Berlin.
        day: The day.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /trains.
    """
    return prepare(
        operation="trains.add_train",
        server="document",
        method="POST",
        path="/trains",
        json=TrainInput(leaves=leaves, sold=sold, day=day),
        returns=None,
        retry_safety="unsafe",
    )


class TrainsResource(Resource[M]):
    """Operations of `trains`."""

    @property
    def with_raw_response(self) -> TrainsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return TrainsResource(self._client, raw=True)

    list_trains = Method(build_list_trains)
    """List the trains."""

    add_train = Method(build_add_train)
    """Add a train."""


class AsyncTrainsResource(AsyncResource[M]):
    """Operations of `trains`."""

    @property
    def with_raw_response(self) -> AsyncTrainsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncTrainsResource(self._client, raw=True)

    list_trains = AsyncMethod(build_list_trains)
    """List the trains."""

    add_train = AsyncMethod(build_add_train)
    """Add a train."""
