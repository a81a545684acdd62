def build_poll_stream() -> Request[None]:
    return prepare(
        operation="polls.poll_stream",
        server="document",
        method="GET",
        path="/polls",
        returns=None,
        retry_safety="safe",
    )

def build_poll() -> Request[str]:
    return prepare(
        operation="polls.poll",
        server="document",
        method="POST",
        path="/polls",
        returns=Present[str],
        retry_safety="unsafe",
    )

def plan_poll_stream_2() -> StreamedEvents[str]:
    return StreamedEvents(build_poll(), str)
