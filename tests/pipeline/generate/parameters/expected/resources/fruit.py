def build_list_fruit(
    id: int,
    page: int,
    *,
    kinds: Sequence[str] | UnsetType = UNSET,
    sizes: Sequence[int] | UnsetType = UNSET,
    colours: Sequence[str] | UnsetType = UNSET,
    farms: Sequence[str] | UnsetType = UNSET,
    fruit_id: int | None | UnsetType = UNSET,
    ripe: bool | UnsetType = UNSET,
    filter: Any | UnsetType = UNSET,
    x_trace: int | UnsetType = UNSET,
    x_tags: Sequence[str] | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="fruit.list_fruit",
        server="document",
        method="GET",
        path="/stalls/{id}",
        path_parameters=[Parameter("id", id, Annotated[int, Meta(ge=1)], "id")],
        query=[
            Parameter("kinds", kinds, Sequence[str], "kinds"),
            Parameter(
                "sizes", sizes, Annotated[Sequence[int], Meta(max_length=3)], "sizes", explode=False
            ),
            Parameter(
                "colours", colours, Sequence[str], "colours", explode=False, style="pipeDelimited"
            ),
            Parameter(
                "farms", farms, Sequence[str], "farms", explode=False, style="spaceDelimited"
            ),
            Parameter("id", fruit_id, int | None, "fruit_id"),
            Parameter("ripe", ripe, bool, "ripe"),
            Parameter("filter", filter, Any, "filter"),
            Parameter("page", page, Annotated[int, Meta(gt=0)], "page"),
        ],
        headers=[
            Parameter("X-Trace", x_trace, int, "x_trace"),
            Parameter("X-Tags", x_tags, Sequence[str], "x_tags"),
        ],
        returns=None,
        retry_safety="safe",
    )
