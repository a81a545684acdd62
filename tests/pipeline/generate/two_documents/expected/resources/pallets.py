def build_get_pallet(id: int) -> Request[Pallet]:
    return prepare(
        operation="pallets.get_pallet",
        server="depot",
        method="GET",
        path="/pallets/{id}",
        path_parameters=[Parameter("id", id, int, "id")],
        returns=Pallet,
        retry_safety="safe",
    )
