Minute = Annotated[dt.datetime, written_as("%Y-%m-%d %H:%M", "Europe/Berlin")]

"""A minute."""

class TrainInput(RequestModel, kw_only=True):
    """A train."""

    leaves: dt.datetime
    """When."""

    sold: Minute | UnsetType = UNSET
    """A minute. Sent to the minute, in Europe/Berlin."""

    day: dt.date | None | UnsetType = UNSET
    """The day."""

class Train(ResponseModel, kw_only=True):
    """A train."""

    leaves: AwareDatetime = MISSING
    """When."""

    sold: str | None = MISSING
    """A minute. Sent to the minute, in Europe/Berlin."""

    day: dt.date | None = MISSING
    """The day."""
