def build_list_dogs(*, heavier: float | UnsetType = UNSET) -> Request[list[Dog]]:
    return prepare(
        operation="dogs.list_dogs",
        server="document",
        method="GET",
        path="/dogs",
        query=[Parameter("heavier", heavier, Annotated[float, Meta(gt=0, le=90)], "heavier")],
        returns=list[Dog],
        retry_safety="safe",
    )

def build_add_dog(
    name: str,
    *,
    nick: str | None | UnsetType = UNSET,
    size: DogSize | None | UnsetType = UNSET,
    tag: TagInput | None | UnsetType = UNSET,
    owner: OwnerInput | None | UnsetType = UNSET,
    vet: OwnerInput | None | UnsetType = UNSET,
    free: Any | UnsetType = UNSET,
    kept: str | UnsetType = UNSET,
) -> Request[None]:
    return prepare(
        operation="dogs.add_dog",
        server="document",
        method="POST",
        path="/dogs",
        json=DogInput(
            name=name, nick=nick, size=size, tag=tag, owner=owner, vet=vet, free=free, kept=kept
        ),
        returns=None,
        retry_safety="unsafe",
    )
