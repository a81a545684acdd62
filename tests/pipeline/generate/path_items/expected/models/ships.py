class SinkShipBody(RequestModel, kw_only=True):
    """Without a description."""

    why: str
    """The reason."""

class Ship(ResponseModel, kw_only=True):
    """A ship."""

    name: str = MISSING
    """On the hull."""
