def build_list_boxes() -> Request[None]:
    return prepare(
        operation="boxes.list_boxes",
        server="document",
        method="GET",
        path="/boxes",
        returns=None,
        security=(("api_token",), ("bot_token",)),
        retry_safety="safe",
    )

def build_clean_boxes() -> Request[None]:
    return prepare(
        operation="boxes.clean_boxes",
        server="document",
        method="PUT",
        path="/boxes",
        returns=None,
        security=((),),
        retry_safety="idempotent",
    )

def build_add_box() -> Request[None]:
    return prepare(
        operation="boxes.add_box",
        server="document",
        method="POST",
        path="/boxes",
        returns=None,
        security=(("query_key", "cookie_key"),),
        retry_safety="unsafe",
    )

def build_drop_boxes() -> Request[None]:
    return prepare(
        operation="boxes.drop_boxes",
        server="document",
        method="DELETE",
        path="/boxes",
        returns=None,
        security=(("login",),),
        retry_safety="idempotent",
    )

def build_move_boxes() -> Request[None]:
    return prepare(
        operation="boxes.move_boxes",
        server="document",
        method="PATCH",
        path="/boxes",
        returns=None,
        security=((), ("query_key",)),
        retry_safety="unsafe",
    )

def build_look(seen: str, *, theme: str | UnsetType = UNSET) -> Request[None]:
    return prepare(
        operation="boxes.look",
        server="document",
        method="GET",
        path="/looks",
        cookies=[Parameter("seen", seen, str, "seen"), Parameter("theme", theme, str, "theme")],
        returns=None,
        security=(("cookie_key",),),
        retry_safety="safe",
    )
