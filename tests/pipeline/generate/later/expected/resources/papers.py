def build_search_papers(words: str) -> Request[list[str]]:
    return prepare(
        operation="papers.search_papers",
        server="document",
        method="QUERY",
        path="/papers",
        json=SearchPapersBody(words=words),
        returns=list[str],
        retry_safety="unsafe",
    )

def build_copy_papers() -> Request[list[str]]:
    return prepare(
        operation="papers.copy_papers",
        server="document",
        method="COPY",
        path="/papers",
        returns=list[str],
        retry_safety="unsafe",
    )
