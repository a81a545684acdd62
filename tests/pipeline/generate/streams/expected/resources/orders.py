def build_watch_order(order: str) -> Request[str]:
    return prepare(
        operation="orders.watch_order",
        server="document",
        method="GET",
        path="/orders/{order}/progress",
        path_parameters=[Parameter("order", order, str, "order")],
        accept="text/event-stream, application/problem+json",
        returns=str,
        retry_safety="safe",
    )

def plan_watch_order(order: str) -> StreamedEvents[Step]:
    return StreamedEvents(build_watch_order(order), Step)

def build_export_orders() -> Request[str]:
    return prepare(
        operation="orders.export_orders",
        server="document",
        method="GET",
        path="/orders",
        accept="application/jsonl",
        returns=str,
        retry_safety="safe",
    )

def plan_export_orders() -> StreamedItems[Order]:
    return StreamedItems(build_export_orders(), Order, "application/jsonl")

def build_order(
    dish: str,
    *,
    stream: bool | UnsetType = UNSET,
    detail: OrderBodyDetail | UnsetType = UNSET,
) -> Request[Order]:
    return prepare(
        operation="orders.order",
        server="document",
        method="POST",
        path="/orders",
        json=OrderBody(dish=dish, stream=stream, detail=detail),
        returns=Order,
        retry_safety="unsafe",
    )

def plan_order_stream(dish: str) -> StreamedEvents[Step]:
    return StreamedEvents(
        build_order(dish, stream=True, detail=OrderBodyDetail.FULL), Step, end="end of order"
    )

class OrdersResource(Resource):
    """Operations of `orders`."""

    @cached_property
    def with_raw_response(self) -> OrdersResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return OrdersResourceWithRawResponse(self._client)

    def watch_order(self, order: str) -> EventStream[Step]:
        """Watch an order.

        Comes as events, whose data is documented.

        Args:
            order: Which.

        Returns:
            The events, each with its `data`. They are read while you go through them, once. Use a
            `with` block where you may stop before the end.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            TransportError: The stream broke off, and cannot go on where it was.
            DecodeError: An event is not what the documents say; the next one can be read all the
                same.

        Example:
            >>> for event in client.orders.watch_order("o1"):
            ...     print(event.data)

        GET /orders/{order}/progress.
        """
        return EventStream(self._client, plan_watch_order(order))

    def export_orders(self) -> ItemStream[Order]:
        """Export all orders.

        Comes as lines of JSON.

        Returns:
            The items. They are read while you go through them, once. Use a `with` block where you
            may stop before the end.

        Raises:
            StatusError: Another status outside 200 to 299.
            TransportError: The stream broke off, and cannot go on where it was.
            DecodeError: An item is not what the documents say; the next one can be read all the
                same.

        Example:
            >>> for item in client.orders.export_orders():
            ...     print(item)

        GET /orders.
        """
        return ItemStream(self._client, plan_export_orders())

    def order(
        self,
        dish: str,
        *,
        stream: bool | UnsetType = UNSET,
        detail: OrderBodyDetail | UnsetType = UNSET,
    ) -> Order:
        """Order a dish.

        Comes at once, or as events.

        `orders.order_stream` gives it as events while it comes.

        Args:
            dish: What to cook.
            stream: Whether to report each step. Left out, it is False. Leave it out here:
                `orders.order_stream` sends it.
            detail: How much to report. Leave it out here: `orders.order_stream` sends it.

        Returns:
            The order.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: look before you
                repeat it.

        Example:
            >>> client.orders.order("soup")

        POST /orders.
        """
        return self._client.send(build_order(dish, stream=stream, detail=detail))

    def order_stream(self, dish: str) -> EventStream[Step]:
        """Order a dish (as events).

        Comes at once, or as events.

        Args:
            dish: What to cook.

        Returns:
            The events, each with its `data`. They are read while you go through them, once. Use a
            `with` block where you may stop before the end.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            TransportError: The stream broke off, and cannot go on where it was.
            DecodeError: An event is not what the documents say; the next one can be read all the
                same.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: look before you
                repeat it.

        Example:
            >>> for event in client.orders.order_stream("soup"):
            ...     print(event.data)

        POST /orders.
        """
        return EventStream(self._client, plan_order_stream(dish))
