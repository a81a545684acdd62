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
