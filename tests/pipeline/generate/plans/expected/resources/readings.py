def build_list(
    *,
    since: dt.datetime,
    until: dt.datetime,
    room: str | UnsetType = UNSET,
) -> Request[list[Reading]]:
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
    return Windows(
        "readings.list",
        lambda since, until: build_list(since=since, until=until, room=room),
        start=("since", since),
        end=("until", until),
        under_days=31,
        key="reading_id",
    )

def build_list_loans() -> Request[LoanPage]:
    return prepare(
        operation="readings.list_loans",
        server="document",
        method="GET",
        path="/loans",
        returns=LoanPage,
        retry_safety="safe",
    )

def plan_list_loans() -> Pages[LoanPageItemsItem, LoanPage]:
    return Pages(build_list_loans(), items="items", next="next")

class ReadingsResource(Resource):
    """Operations of `readings`."""

    @cached_property
    def with_raw_response(self) -> ReadingsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return ReadingsResourceWithRawResponse(self._client)

    def list(
        self,
        *,
        since: dt.datetime,
        until: dt.datetime,
        room: str | UnsetType = UNSET,
    ) -> builtins.list[Reading]:
        """List readings.

        Gives the readings of less than 31 days.

        This method takes a range of any length: 31 days or more are read in several requests, up to
        4 at a time, and what is found in two of them is given once.

        Args:
            since: First moment. Needs a time zone.
            until: Last moment. Needs a time zone.
            room: The room.

        Returns:
            The readings.

        Raises:
            ArgumentError: An argument is not valid, or `until` lies before `since`; nothing was
                sent.
            StatusError: Another status outside 200 to 299.
            PartialFailure: Some of the requests failed; it holds the responses of the others.

        Example:
            >>> from datetime import datetime, timezone
            >>> client.readings.list(
            ...     since=datetime(2026, 1, 1, 0, 0, tzinfo=timezone.utc),
            ...     until=datetime(2026, 1, 3, 0, 0, tzinfo=timezone.utc),
            ... )

        GET /readings.
        """
        return self._client.send(plan_list(since=since, until=until, room=room))

    def list_loans(self) -> Pager[LoanPageItemsItem, LoanPage]:
        """List loans.

        Goes on by address alone.

        The next page is read when the items of the one before are used up.

        Returns:
            An iterable of the items of all pages; its `.pages()` gives whole pages.

        Raises:
            StatusError: Another status outside 200 to 299.
            PagingError: The next page leads elsewhere, or to one that was read; `items` has what
                was read.

        Example:
            >>> for loan_page_items_item in client.readings.list_loans():
            ...     print(loan_page_items_item)

        GET /loans.
        """
        return Pager(self._client, plan_list_loans())
