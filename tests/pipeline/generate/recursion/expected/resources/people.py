def build_get_person(id: str) -> Request[Person]:
    return prepare(
        operation="people.get_person",
        server="document",
        method="GET",
        path="/people/{id}",
        path_parameters=[Parameter("id", id, str, "id")],
        returns=Person,
        retry_safety="safe",
    )

def build_set_tree(
    id: str,
    name: str,
    *,
    children: Sequence[TreeInput] | UnsetType = UNSET,
) -> Request[Tree]:
    return prepare(
        operation="people.set_tree",
        server="document",
        method="PUT",
        path="/people/{id}",
        path_parameters=[Parameter("id", id, str, "id")],
        json=TreeInput(name=name, children=children),
        returns=Tree,
        retry_safety="idempotent",
    )
