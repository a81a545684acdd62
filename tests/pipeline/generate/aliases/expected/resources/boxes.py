def build_set_key(body: Metal | int) -> Request[None]:
    return prepare(
        operation="boxes.set_key",
        server="document",
        method="PUT",
        path="/boxes",
        json=Parameter("body", body, Key, "body"),
        returns=None,
        retry_safety="idempotent",
    )

def build_add_box(
    label: str,
    *,
    files: Sequence[str] | UnsetType = UNSET,
    key: Metal | int | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="boxes.add_box",
        server="document",
        method="POST",
        path="/boxes",
        json=Box(label=label, files=files, key=key),
        returns=None,
        retry_safety="unsafe",
    )
