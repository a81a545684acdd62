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

def build_send_layout(body: str) -> Request[None]:
    return prepare(
        operation="prints.send_layout",
        server="document",
        method="PUT",
        path="/notes",
        content=body,
        content_type="application/xml",
        returns=None,
        retry_safety="idempotent",
    )

def build_send_note(body: str) -> Request[None]:
    return prepare(
        operation="prints.send_note",
        server="document",
        method="POST",
        path="/notes",
        content=body,
        content_type="text/plain; charset=utf-8",
        returns=None,
        retry_safety="unsafe",
    )

def build_send_picture(
    *, body: bytes | UnsetType = UNSET, content_type: str | UnsetType = UNSET
) -> Request[None]:
    return prepare(
        operation="prints.send_picture",
        server="document",
        method="PATCH",
        path="/notes",
        content=body,
        content_type=Parameter("image/*", content_type, str, "content_type"),
        returns=None,
        retry_safety="unsafe",
    )

def build_put_words(body: Mapping[str, str]) -> Request[None]:
    return prepare(
        operation="prints.put_words",
        server="document",
        method="PUT",
        path="/orders",
        form=Parameter("body", body, Mapping[str, str], "body"),
        returns=None,
        retry_safety="idempotent",
    )

def build_order(
    *,
    sheets: Sequence[str],
    size: Size,
    marks: Mapping[str, str],
    colours: Sequence[str] | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="prints.order",
        server="document",
        method="POST",
        path="/orders",
        form=OrderBody(sheets=sheets, size=size, marks=marks, colours=colours),
        encoding={
            "marks": FieldEncoding("deepObject", True),
            "colours": FieldEncoding("form", False),
        },
        returns=None,
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
