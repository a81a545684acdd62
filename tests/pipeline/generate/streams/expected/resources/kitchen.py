def build_watch() -> Request[str]:
    return prepare(
        operation="kitchen.watch",
        server="document",
        method="GET",
        path="/kitchen",
        accept="text/event-stream",
        returns=str,
        retry_safety="safe",
    )

def plan_watch() -> StreamedEvents[OneOf[Order | Step]]:
    return StreamedEvents(build_watch(), one_of[Order | Step])

def build_read_log() -> Request[str]:
    return prepare(
        operation="kitchen.read_log",
        server="document",
        method="GET",
        path="/kitchen/log",
        accept="text/event-stream",
        returns=str,
        retry_safety="safe",
    )

def plan_read_log() -> StreamedEvents[str]:
    return StreamedEvents(build_read_log(), str)

def build_list_temperatures() -> Request[list[float]]:
    return prepare(
        operation="kitchen.list_temperatures",
        server="document",
        method="GET",
        path="/kitchen/temperatures",
        returns=list[float],
        retry_safety="safe",
    )

def plan_list_temperatures_stream() -> StreamedItems[float]:
    return StreamedItems(build_list_temperatures(), float, "application/json-seq")

class KitchenResource(Resource):
    """Operations of `kitchen`."""

    @cached_property
    def with_raw_response(self) -> KitchenResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return KitchenResourceWithRawResponse(self._client)

    def watch(self) -> EventStream[OneOf[Order | Step]]:
        """Watch the kitchen.

        Comes as events of two kinds, each with its own data.

        Returns:
            The events, each with its `data`. They are read while you go through them, once. Use a
            `with` block where you may stop before the end.

        Raises:
            StatusError: Another status outside 200 to 299.
            TransportError: The stream broke off, and cannot go on where it was.
            DecodeError: An event is not what the documents say; the next one can be read all the
                same.

        Example:
            >>> for event in client.kitchen.watch():
            ...     print(event.data)

        GET /kitchen.
        """
        return EventStream(self._client, plan_watch())

    def read_log(self) -> EventStream[str]:
        """Read the log.

        Comes as events of text.

        Returns:
            The events, each with its `data`. They are read while you go through them, once. Use a
            `with` block where you may stop before the end.

        Raises:
            StatusError: Another status outside 200 to 299.
            TransportError: The stream broke off, and cannot go on where it was.
            DecodeError: An event is not what the documents say; the next one can be read all the
                same.

        Example:
            >>> for event in client.kitchen.read_log():
            ...     print(event.data)

        GET /kitchen/log.
        """
        return EventStream(self._client, plan_read_log())

    def list_temperatures(self) -> list[float]:
        """List temperatures.

        Comes as one array, or one after the other.

        `kitchen.list_temperatures_stream` gives it as single items while it comes.

        Returns:
            In degrees Celsius.

        Raises:
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.kitchen.list_temperatures()

        GET /kitchen/temperatures.
        """
        return self._client.send(build_list_temperatures())

    def list_temperatures_stream(self) -> ItemStream[float]:
        """List temperatures (as single items).

        Comes as one array, or one after the other.

        Returns:
            The items. They are read while you go through them, once. Use a `with` block where you
            may stop before the end.

        Raises:
            StatusError: Another status outside 200 to 299.
            TransportError: The stream broke off, and cannot go on where it was.
            DecodeError: An item is not what the documents say; the next one can be read all the
                same.

        Example:
            >>> for item in client.kitchen.list_temperatures_stream():
            ...     print(item)

        GET /kitchen/temperatures.
        """
        return ItemStream(self._client, plan_list_temperatures_stream())
