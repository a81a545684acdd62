def build_get_root() -> Request[VoteInput]:
    return prepare(
        operation="async_.get_root",
        server="document",
        method="GET",
        path="/",
        returns=VoteInput,
        retry_safety="safe",
    )

def build_head_root() -> Request[None]:
    return prepare(
        operation="async_.head_root",
        server="document",
        method="HEAD",
        path="/",
        returns=None,
        retry_safety="safe",
    )
