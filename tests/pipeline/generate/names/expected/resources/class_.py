def build_import_(
    field_2_x: int,
    *,
    self_: str | UnsetType = UNSET,
    prepare_: str | UnsetType = UNSET,
    from_: int | UnsetType = UNSET,
    filter_name: str | UnsetType = UNSET,
    size: str | UnsetType = UNSET,
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

class ClassResource(Resource):
    """Things with odd names."""

    @cached_property
    def with_raw_response(self) -> ClassResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return ClassResourceWithRawResponse(self._client)

    def import_(
        self,
        field_2_x: int,
        *,
        self_: str | UnsetType = UNSET,
        prepare_: str | UnsetType = UNSET,
        from_: int | UnsetType = UNSET,
        filter_name: str | UnsetType = UNSET,
        size: str | UnsetType = UNSET,
        a_b: str | UnsetType = UNSET,
        groe: float | UnsetType = UNSET,
        field_: bool | UnsetType = UNSET,
        none: str | UnsetType = UNSET,
    ) -> AnyModel:
        """Name things.

        Names them.

        Args:
            field_2_x: Begins with a digit.
            self_: Like the instance.
            prepare_: Like a function.
            from_: A keyword.
            filter_name: With brackets.
            size: Not ASCII.
            a_b: With a dash.
            groe: Not ASCII.
            field_: No letter that is left.
            none: A constant.

        Returns:
            A thing.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: look before you
                repeat it.

        Example:
            >>> client.class_.import_(1)

        POST /things.
        """
        return self._client.send(
            build_import_(
                field_2_x,
                self_=self_,
                prepare_=prepare_,
                from_=from_,
                filter_name=filter_name,
                size=size,
                a_b=a_b,
                groe=groe,
                field_=field_,
                none=none,
            )
        )

    def with_raw_response_(self) -> ClassResourceModel:
        """Clash with an attribute.

        Every resource has it.

        Returns:
            A thing.

        Raises:
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.class_.with_raw_response_()

        GET /raw.
        """
        return self._client.send(build_with_raw_response_())
