def build_shut() -> Request[None]:
    return prepare(
        operation="close_.shut",
        server="document",
        method="GET",
        path="/close",
        returns=None,
        retry_safety="safe",
    )

class CloseResource(Resource[M]):
    """Operations of `close_`."""

    @property
    def with_raw_response(self) -> CloseResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return CloseResource(self._client, raw=True)

    shut = Method(build_shut)
    """Clash with a method."""

class AsyncCloseResource(AsyncResource[M]):
    """Operations of `close_`."""

    @property
    def with_raw_response(self) -> AsyncCloseResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return AsyncCloseResource(self._client, raw=True)

    shut = AsyncMethod(build_shut)
    """Clash with a method."""
