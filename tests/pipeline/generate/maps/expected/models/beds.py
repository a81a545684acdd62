class Season(TextCode):
    """A part of the year."""

    SPRING = "spring"
    AUTUMN = "autumn"

class Plan(RequestModel, kw_only=True):
    """What is to grow."""

    seasons: Mapping[Season, Mapping[str, Annotated[int, Meta(ge=1)]]]
    """Numbers of plants."""

    notes: Mapping[Annotated[str, Meta(max_length=5)], str] | UnsetType = UNSET
    """Anything."""

    loose: Mapping[str, Any] | UnsetType = UNSET
    """No shape at all."""

class Plant(ExtensibleModel, kw_only=True):
    """A plant."""

    height: float | None = MISSING
    """In metres."""

    additional_properties: dict[str, str] | None = field(default=MISSING, name="")
    """The members that the documents allow and do not name."""

class Grown(ResponseModel, kw_only=True):
    """What has grown."""

    seasons: dict[Season, OneOf[Plant]] = MISSING
    """Plants."""
