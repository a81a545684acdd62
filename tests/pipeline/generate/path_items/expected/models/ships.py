# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Models of `ships`."""

from .._runtime.core.models import RequestModel, ResponseModel

__all__ = [
    "Ship",
    "SinkShipBody",
]


class SinkShipBody(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        why: The reason.
    """

    why: str


class Ship(ResponseModel, kw_only=True):
    """A ship.

    Attributes:
        name: On the hull.
    """

    name: str
