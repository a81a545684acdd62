def build_list_animals() -> Request[Animals]:
    return prepare(
        operation="animals.list_animals",
        server="document",
        method="GET",
        path="/animals",
        returns=Animals,
        retry_safety="safe",
    )

def build_add_animal(body: CatInput | DogInput) -> Request[OneOf[Cat | Dog]]:
    return prepare(
        operation="animals.add_animal",
        server="document",
        method="POST",
        path="/animals",
        json=Parameter("body", body, one_of[CatInput | DogInput], "body"),
        returns=one_of[Cat | Dog],
        retry_safety="unsafe",
    )

def build_list_names() -> Request[dict[str, Named]]:
    return prepare(
        operation="animals.list_names",
        server="document",
        method="GET",
        path="/names",
        returns=list[Named] | dict[str, Named],
        keyed_by="name",
        retry_safety="safe",
    )
