class StationSky(TextCode):
    """What is above."""

    CLEAR = "clear"
    OVERCAST = "overcast"

class Direction(TextCode):
    """Where the wind comes from."""

    NORTH = "north"
    SOUTH = "south"

class StationBeaufort(IntCode):
    """Force."""

    CALM = 0
    LIGHT_AIR = 1
    LIGHT_BREEZE = 2

class Trend(TextCode):
    """Tendency."""

    UP = "+1"
    DOWN = "-1"
    FLAT = "0"

class Spot(ResponseModel, kw_only=True):
    """A spot, or none."""

    name: str = MISSING
    """Its name."""

class Place(ResponseModel, kw_only=True):
    """A point."""

    lat: float = MISSING
    """Degrees north. At least -90; at most 90."""

class Station(ResponseModel, kw_only=True):
    """A place where weather is measured."""

    sky: Present[StationSky | None] = MISSING
    """What is above."""

    wind: Present[Direction | None] = MISSING
    """Where the wind comes from."""

    trend: Present[Trend | None] = MISSING
    """Where it goes."""

    place: Present[Place | None] = MISSING
    """Where it stands."""

    beaufort: StationBeaufort = MISSING
    """Force."""

    near: Present[Spot | None] = MISSING
    """A spot, or none."""

    far: Present[Spot | None] = MISSING
    """A spot, or none."""

    frost: bool | None = MISSING
    """Whether it freezes."""

    shade: Any = MISSING
