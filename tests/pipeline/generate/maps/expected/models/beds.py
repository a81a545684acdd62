class Season(TextCode):
    """A part of the year."""

    SPRING = "spring"
    AUTUMN = "autumn"

class Plan(RequestModel, kw_only=True):
    """What is to grow.

    Attributes:
        seasons: Numbers of plants.
        notes: Anything.
        loose: No shape at all.
    """

    seasons: Mapping[Season, Mapping[str, Annotated[int, Meta(ge=1)]]]
    notes: Mapping[Annotated[str, Meta(max_length=5)], str] | UnsetType = UNSET
    loose: Mapping[str, Any] | UnsetType = UNSET

class Plant(ResponseModel, kw_only=True):
    """A plant.

    Attributes:
        height: In metres.
    """

    height: Maybe[float] = UNSET

class Grown(ResponseModel, kw_only=True):
    """What has grown.

    Attributes:
        seasons: Plants.
    """

    seasons: dict[Season, Plant]
