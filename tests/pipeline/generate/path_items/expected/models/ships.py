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
