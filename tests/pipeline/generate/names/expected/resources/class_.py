def build_import_(
    *,
    self_: str | UnsetType = UNSET,
    prepare_: str | UnsetType = UNSET,
    from_: int | UnsetType = UNSET,
    filter_name: str | UnsetType = UNSET,
    size: str | UnsetType = UNSET,
    field_2_x: int,
    a_b: str | UnsetType = UNSET,
    groe: float | UnsetType = UNSET,
    field_: bool | UnsetType = UNSET,
    none: str | UnsetType = UNSET,
) -> Request[AnyModel]:
    return prepare(
        operation="class_.import_",
        server="document",
        method="POST",
        path="/things",
        query=[
            Parameter("self", self_, str, "self_"),
            Parameter("prepare", prepare_, str, "prepare_"),
            Parameter("from", from_, int, "from_"),
            Parameter("filter[name]", filter_name, str, "filter_name"),
        ],
        headers=[Parameter("X-Größe", size, str, "size")],
        json=Model2NdThing(field_2_x=field_2_x, a_b=a_b, groe=groe, field_=field_, none=none),
        returns=AnyModel,
        retry_safety="unsafe",
    )

def build_with_raw_response_() -> Request[ClassResourceModel]:
    return prepare(
        operation="class_.with_raw_response_",
        server="document",
        method="GET",
        path="/raw",
        returns=ClassResourceModel,
        retry_safety="safe",
    )

class ClassResource(Resource[M]):
    """Things with odd names."""

    @property
    def with_raw_response(self) -> ClassResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return ClassResource(self._client, raw=True)

    import_ = Method(build_import_)
    """Name things."""

    with_raw_response_ = Method(build_with_raw_response_)
    """Clash with an attribute."""

class AsyncClassResource(AsyncResource[M]):
    """Things with odd names."""

    @property
    def with_raw_response(self) -> AsyncClassResource[Raw]:
        """The same operations, each as one request that gives the whole response."""
        return AsyncClassResource(self._client, raw=True)

    import_ = AsyncMethod(build_import_)
    """Name things."""

    with_raw_response_ = AsyncMethod(build_with_raw_response_)
    """Clash with an attribute."""
