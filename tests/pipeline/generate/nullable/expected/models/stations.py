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

class Place(ResponseModel, kw_only=True):
    """A point.

    Attributes:
        lat: Degrees north. At least -90; at most 90.
    """

    lat: float

class Station(ResponseModel, kw_only=True):
    """A place where weather is measured.

    Attributes:
        sky: What is above.
        wind: Where the wind comes from.
        trend: Where it goes.
        place: Where it stands.
        beaufort: Force.
        frost: Whether it freezes.
    """

    sky: Maybe[StationSky] = UNSET
    wind: Maybe[Direction] = UNSET
    trend: Maybe[Trend] = UNSET
    place: Maybe[Place] = UNSET
    beaufort: StationBeaufort
    frost: Maybe[bool] = UNSET
