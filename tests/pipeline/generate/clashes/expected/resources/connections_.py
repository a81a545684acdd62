def build_get_votes(
    *,
    sort: GetVotesSort | UnsetType = UNSET,
    x_sort: str | UnsetType = UNSET,
    header_x_sort: str | UnsetType = UNSET,
) -> Request[list[Vote]]:
    return prepare(
        operation="connections_.get_votes",
        server="document",
        method="GET",
        path="/votes",
        query=[Parameter("sort", sort, GetVotesSort, "sort")],
        headers=[
            Parameter("X-Sort", x_sort, str, "x_sort"),
            Parameter("x-sort", header_x_sort, str, "header_x_sort"),
        ],
        returns=list[Vote],
        retry_safety="safe",
    )

def build_cast(
    *,
    type: VoteType | UnsetType = UNSET,
    type_2: VoteType2 | UnsetType = UNSET,
    weight: VoteWeight | UnsetType = UNSET,
    way: VoteWay | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="connections_.cast",
        server="document",
        method="POST",
        path="/votes",
        json=Vote2Input(type=type, type_2=type_2, weight=weight, way=way),
        returns=None,
        retry_safety="unsafe",
    )
