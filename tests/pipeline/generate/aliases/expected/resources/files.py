def build_get_file(id: str, *, with_: Sequence[str] | UnsetType = UNSET) -> Request[str]:
    return prepare(
        operation="files.get_file",
        server="document",
        method="GET",
        path="/files/{id}",
        path_parameters=[Parameter("id", id, Id, "id")],
        query=[Parameter("with", with_, Ids, "with_", explode=False)],
        returns=Present[str],
        retry_safety="safe",
    )
