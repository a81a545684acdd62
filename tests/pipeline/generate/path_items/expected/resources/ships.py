# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `ships`.

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
from ..models.ships import Ship, SinkShipBody

__all__ = [
    "AsyncShipsResource",
    "ShipsResource",
    "build_get_ship",
    "build_sink_ship",
]


def build_get_ship(ship: int) -> Request[Ship]:
    """Read a ship.

    Reads one.

    Args:
        ship: The ship.

    Returns:
        The ship.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /ships/{ship}.
    """
    return prepare(
        operation="ships.get_ship",
        server="document",
        method="GET",
        path="/ships/{ship}",
        path_parameters=[Parameter("ship", ship, int, "ship")],
        returns=Ship,
        retry_safety="safe",
    )


def build_sink_ship(ship: int, *, why: str) -> Request[None]:
    """Sink a ship.

    Deprecated. Sinks one.

    Args:
        ship: The ship.
        why: The reason.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    DELETE /ships/{ship}.
    """
    return prepare(
        operation="ships.sink_ship",
        server="document",
        method="DELETE",
        path="/ships/{ship}",
        path_parameters=[Parameter("ship", ship, int, "ship")],
        json=SinkShipBody(why=why),
        returns=None,
        retry_safety="idempotent",
    )


class ShipsResource(Resource[M]):
    """Operations of `ships`."""

    @property
    def with_raw_response(self) -> ShipsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return ShipsResource(self._client, raw=True)

    get_ship = Method(build_get_ship)
    """Read a ship."""

    sink_ship = Method(build_sink_ship)
    """Sink a ship."""


class AsyncShipsResource(AsyncResource[M]):
    """Operations of `ships`."""

    @property
    def with_raw_response(self) -> AsyncShipsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncShipsResource(self._client, raw=True)

    get_ship = AsyncMethod(build_get_ship)
    """Read a ship."""

    sink_ship = AsyncMethod(build_sink_ship)
    """Sink a ship."""
