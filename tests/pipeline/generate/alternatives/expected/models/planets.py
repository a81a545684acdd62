class Planet(ResponseModel, kw_only=True):
    """A planet."""

    name: str = MISSING
    """Its name."""

class Planets(ResponseModel, kw_only=True):
    """A page of planets."""

    data: list[Planet] = MISSING
    """The planets."""
