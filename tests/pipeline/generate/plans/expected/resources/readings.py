def build_list(
    *,
    since: dt.datetime,
    until: dt.datetime,
    room: str | UnsetType = UNSET,
) -> Request[list[Reading]]:
    """List readings.

    Gives the readings of less than 31 days.

    Args:
        since: First moment.
        until: Last moment.
        room: The room.

    Returns:
        The readings.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /readings.
    """
    return prepare(
        operation="readings.list",
        server="document",
        method="GET",
        path="/readings",
        query=[
            Parameter("from", since, dt.datetime, "since"),
            Parameter("to", until, dt.datetime, "until"),
            Parameter("room", room, str, "room"),
        ],
        window=Window(start=("since", since), end=("until", until), under_days=31),
        returns=list[Reading],
        retry_safety="safe",
    )

def plan_list(
    *,
    since: dt.datetime,
    until: dt.datetime,
    room: str | UnsetType = UNSET,
) -> Call[list[Reading]]:
    """List readings.

    Gives the readings of less than 31 days.

    Less than 31 days is the limit of one request; the range may have any length. A longer one is
    read in several requests, up to 4 at a time, and what is found in two of them is given once.

    Args:
        since: First moment.
        until: Last moment.
        room: The room.

    Returns:
        The readings.

    Raises:
        ArgumentError: an argument is not what the documents allow, or `until` lies before `since`;
            nothing was sent.
        StatusError: any other status outside 200 to 299.
        PartialFailure: some of the requests failed; it holds the responses of the others.

    GET /readings.
    """
    return Windows(
        "readings.list",
        lambda since, until: build_list(since=since, until=until, room=room),
        start=("since", since),
        end=("until", until),
        under_days=31,
        key="reading_id",
    )

def build_list_loans() -> Request[LoanPage]:
    """List loans.

    Goes on by address alone.

    Returns:
        A page of loans.

    Raises:
        StatusError: any other status outside 200 to 299.

    GET /loans.
    """
    return prepare(
        operation="readings.list_loans",
        server="document",
        method="GET",
        path="/loans",
        returns=LoanPage,
        retry_safety="safe",
    )

def plan_list_loans() -> Pages[LoanPageItemsItem, LoanPage]:
    """List loans.

    Goes on by address alone.

    The next page is read when the items of the one before are used up.

    Returns:
        An iterable of the items of all pages; its `.pages()` gives whole pages.

    Raises:
        StatusError: any other status outside 200 to 299.
        PagingError: the next page leads elsewhere, or to one that was read; `items` has what was
            read.

    GET /loans.
    """
    return Pages(build_list_loans(), items="items", next="next")

class ReadingsResource(Resource[M]):
    """Operations of `readings`."""

    @property
    def with_raw_response(self) -> ReadingsResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return ReadingsResource(self._client, raw=True)

    list = PlannedMethod(build_list, plan_list)
    """List readings."""

    list_loans = PagedMethod(build_list_loans, plan_list_loans)
    """List loans."""

class AsyncReadingsResource(AsyncResource[M]):
    """Operations of `readings`."""

    @property
    def with_raw_response(self) -> AsyncReadingsResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return AsyncReadingsResource(self._client, raw=True)

    list = AsyncPlannedMethod(build_list, plan_list)
    """List readings."""

    list_loans = AsyncPagedMethod(build_list_loans, plan_list_loans)
    """List loans."""
