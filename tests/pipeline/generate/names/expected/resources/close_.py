def build_shut() -> Request[None]:
    return prepare(
        operation="close_.shut",
        server="document",
        method="GET",
        path="/close",
        returns=None,
        retry_safety="safe",
    )

class CloseResource(Resource):
    """Operations of `close_`."""

    @cached_property
    def with_raw_response(self) -> CloseResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return CloseResourceWithRawResponse(self._client)

    def shut(self) -> None:
        """Clash with a method.

        The client has it.

        Raises:
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.close_.shut()

        GET /close.
        """
        self._client.send(build_shut())

class AsyncCloseResource(AsyncResource):
    """Operations of `close_`."""

    @cached_property
    def with_raw_response(self) -> AsyncCloseResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return AsyncCloseResourceWithRawResponse(self._client)

    async def shut(self) -> None:
        """Clash with a method.

        The client has it.

        Raises:
            StatusError: Another status outside 200 to 299.

        Example:
            >>> await client.close_.shut()

        GET /close.
        """
        await self._client.send(build_shut())

class CloseResourceWithRawResponse:
    """Operations of `close_`. Each method returns the whole response."""

    def __init__(self, client: Client) -> None:
        self.shut = whole(client, build_shut)
        """Clash with a method."""

class AsyncCloseResourceWithRawResponse:
    """Operations of `close_`. Each method returns the whole response."""

    def __init__(self, client: AsyncClient) -> None:
        self.shut = whole_async(client, build_shut)
        """Clash with a method."""
