def build_log_in(user: str, *, stay: bool | UnsetType = UNSET) -> Request[str]:
    return prepare(
        operation="prints.log_in",
        server="document",
        method="POST",
        path="/logins",
        form=LogInBody(user=user, stay=stay),
        accept="text/plain",
        returns=str,
        retry_safety="unsafe",
    )

def build_send_print(body: bytes) -> Request[bytes]:
    return prepare(
        operation="prints.send_print",
        server="document",
        method="PUT",
        path="/prints",
        content=body,
        accept="application/pdf",
        returns=bytes,
        retry_safety="idempotent",
    )

def build_rename(*, body: Sequence[str] | UnsetType = UNSET) -> Request[list[str | None]]:
    return prepare(
        operation="prints.rename",
        server="document",
        method="PATCH",
        path="/names",
        json=Parameter("body", body, Annotated[Sequence[str], Meta(max_length=2)], "body"),
        content_type="application/vnd.shop+json",
        returns=list[str | None],
        retry_safety="unsafe",
    )

def build_drop_sheets() -> Request[None]:
    return prepare(
        operation="prints.drop_sheets",
        server="document",
        method="DELETE",
        path="/sheets",
        returns=None,
        retry_safety="idempotent",
    )
