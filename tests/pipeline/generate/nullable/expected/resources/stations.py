# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `stations`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.stations import Station

__all__ = [
    "AsyncStationsResource",
    "StationsResource",
    "build_read_station",
]


def build_read_station(station: str) -> Request[Station]:
    """Read a station.

    Reads one.

    Args:
        station: Its code.

    Returns:
        The station.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /stations/{station}.
    """
    return prepare(
        operation="stations.read_station",
        server="document",
        method="GET",
        path="/stations/{station}",
        path_parameters=[Parameter("station", station, str, "station")],
        returns=Station,
        retry_safety="safe",
    )


class StationsResource(Resource[M]):
    """Operations of `stations`."""

    @property
    def with_raw_response(self) -> StationsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return StationsResource(self._client, raw=True)

    read_station = Method(build_read_station)
    """Read a station."""


class AsyncStationsResource(AsyncResource[M]):
    """Operations of `stations`."""

    @property
    def with_raw_response(self) -> AsyncStationsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncStationsResource(self._client, raw=True)

    read_station = AsyncMethod(build_read_station)
    """Read a station."""
