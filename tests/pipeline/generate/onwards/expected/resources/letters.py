def build_list_letters(*, after: str | UnsetType = UNSET) -> Request[ListLettersResponse]:
    return prepare(
        operation="letters.list_letters",
        server="document",
        method="GET",
        path="/letters",
        query=[Parameter("after", after, str, "after")],
        returns=ListLettersResponse,
        retry_safety="safe",
    )

def plan_list_letters(*, after: str | UnsetType = UNSET) -> Pages[Letter, ListLettersResponse]:
    return Pages(
        build_list_letters(after=after),
        items="data",
        next="last_id",
        more="has_more",
        cursor="after",
    )
