def build_list_maps(*, page: int | UnsetType = UNSET) -> Request[list[LetterMap]]:
    return prepare(
        operation="maps.list_maps",
        server="document",
        method="GET",
        path="/maps",
        query=[Parameter("page", page, int, "page")],
        returns=list[LetterMap],
        retry_safety="safe",
    )

def plan_list_maps(*, page: int | UnsetType = UNSET) -> Pages[LetterMap, list[LetterMap]]:
    return Pages(build_list_maps(page=page), link=True)
