def build_list_tickets() -> Request[list[int]]:
    return prepare(
        operation="tickets.list_tickets",
        server="document",
        method="GET",
        path="/tickets",
        returns=list[int],
        retry_safety="safe",
    )

def build_buy_ticket() -> Request[int | str]:
    return prepare(
        operation="tickets.buy_ticket",
        server="document",
        method="POST",
        path="/tickets",
        accept="application/json, application/problem+json",
        returns=int,
        by_status={200: int, 2: Present[str]},
        retry_safety="unsafe",
    )
