def build_list_crates() -> Request[None]:
    return prepare(
        operation="crates.list_crates",
        server="document",
        method="GET",
        path="/crates",
        returns=None,
        retry_safety="safe",
    )

def build_put_crate() -> Request[None]:
    return prepare(
        operation="crates.put_crate",
        server="https://eu.depot.dev/v3",
        method="PUT",
        path="/crates",
        returns=None,
        retry_safety="idempotent",
    )

def build_add_crate() -> Request[None]:
    return prepare(
        operation="crates.add_crate",
        server="https://upload.depot.dev",
        method="POST",
        path="/crates",
        returns=None,
        retry_safety="unsafe",
    )

def build_list_labels() -> Request[None]:
    return prepare(
        operation="crates.list_labels",
        server="https://upload.depot.dev",
        method="GET",
        path="/labels",
        returns=None,
        retry_safety="safe",
    )

def build_put_labels() -> Request[None]:
    return prepare(
        operation="crates.put_labels",
        server="document",
        method="PUT",
        path="/labels",
        returns=None,
        retry_safety="idempotent",
    )

def build_add_label() -> Request[None]:
    return prepare(
        operation="crates.add_label",
        server="https://labels.invalid/x",
        method="POST",
        path="/labels",
        returns=None,
        retry_safety="unsafe",
    )
