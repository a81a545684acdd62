def build_cast(name: str, type: str) -> Request[RequestModel2]:
    return prepare(
        operation="waiting.cast",
        server="document",
        method="GET",
        path="/votes/{name}/{type}",
        path_parameters=[
            Parameter("name", name, str, "name"),
            Parameter("type", type, str, "type"),
        ],
        returns=RequestModel2,
        retry_safety="safe",
    )

def build_put_votes_by_name_by_type(
    path_name: str,
    path_type: str,
    *,
    name: str | UnsetType = UNSET,
    type: str | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="waiting.put_votes_by_name_by_type",
        server="document",
        method="PUT",
        path="/votes/{name}/{type}",
        path_parameters=[
            Parameter("name", path_name, str, "path_name"),
            Parameter("type", path_type, str, "path_type"),
        ],
        json=PutVotesByNameByTypeBody(name=name, type=type),
        returns=None,
        retry_safety="idempotent",
    )
