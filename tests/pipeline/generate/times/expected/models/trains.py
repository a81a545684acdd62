Minute = Annotated[dt.datetime, written_as("%Y-%m-%d %H:%M", "Europe/Berlin")]

"""A minute."""

class TrainInput(RequestModel, kw_only=True):
    """A train.

    Attributes:
        leaves: When.
        sold: A minute. Sent as `%Y-%m-%d %H:%M` in Europe/Berlin.
        day: The day.
    """

    leaves: dt.datetime
    sold: Minute | UnsetType = UNSET
    day: dt.date | None | UnsetType = UNSET

class Train(ResponseModel, kw_only=True):
    """A train.

    Attributes:
        leaves: When.
        sold: A minute. Sent as `%Y-%m-%d %H:%M` in Europe/Berlin.
        day: The day.
    """

    leaves: AwareDatetime
    sold: Maybe[str] = UNSET
    day: Maybe[dt.date] = UNSET
