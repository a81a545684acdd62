def build_list_offices() -> Request[list[Office]]:
    return prepare(
        operation="offices.list_offices",
        server="document",
        method="GET",
        path="/offices",
        returns=list[Office],
        retry_safety="safe",
    )
