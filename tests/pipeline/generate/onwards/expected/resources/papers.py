def build_list_papers(*, skip: int | UnsetType = UNSET) -> Request[ListPapersResponse]:
    return prepare(
        operation="papers.list_papers",
        server="document",
        method="GET",
        path="/papers",
        query=[Parameter("skip", skip, int, "skip")],
        returns=ListPapersResponse,
        retry_safety="safe",
    )

def plan_list_papers(*, skip: int | UnsetType = UNSET) -> Pages[str, ListPapersResponse]:
    return Pages(build_list_papers(skip=skip), items="results", total="info.count", offset="skip")
