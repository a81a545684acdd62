def build_list_parcels(
    *,
    state: State | str | UnsetType = UNSET,
    size: Size | UnsetType = UNSET,
    sort: Sequence[ListParcelsSortItem | str] | UnsetType = UNSET,
) -> Request[list[Parcel]]:
    return prepare(
        operation="parcels.list_parcels",
        server="document",
        method="GET",
        path="/parcels",
        query=[
            Parameter("state", state, str, "state"),
            Parameter("size", size, Size, "size"),
            Parameter("sort", sort, Sequence[str], "sort", explode=False),
        ],
        returns=list[Parcel],
        retry_safety="safe",
    )
