def build_list_boxes(
    ids: Sequence[int],
    size: int,
    *,
    filter: Filter | UnsetType = UNSET,
    where: Mapping[str, str] | UnsetType = UNSET,
    point: Mapping[str, int] | UnsetType = UNSET,
    fields: str | Sequence[str] | UnsetType = UNSET,
    x_flags: Mapping[str, bool] | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="boxes.list_boxes",
        server="document",
        method="GET",
        path="/boxes/{ids}/{size}",
        path_parameters=[
            Parameter("ids", ids, Sequence[int], "ids"),
            Parameter("size", size, int, "size", style="matrix"),
        ],
        query=[
            Parameter("filter", filter, Filter, "filter", style="deepObject"),
            Parameter("where", where, Mapping[str, str], "where", style="json"),
            Parameter("point", point, Mapping[str, int], "point", explode=False),
            Parameter("fields", fields, str | Sequence[str], "fields", explode=False),
        ],
        headers=[Parameter("X-Flags", x_flags, Mapping[str, bool], "x_flags")],
        returns=None,
        retry_safety="safe",
    )
