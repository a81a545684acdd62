def build_list_events() -> Request[list[OneOf[Born | Moved | Sold]]]:
    return prepare(
        operation="events.list_events",
        server="document",
        method="GET",
        path="/events",
        returns=list[OneOf[Born | Moved | Sold]],
        retry_safety="safe",
    )
