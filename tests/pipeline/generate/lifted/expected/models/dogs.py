class DogSize(TextCode):
    """Its size."""

    SMALL = "small"
    LARGE = "large"

class OwnerInput(RequestModel, kw_only=True):
    """An owner.

    Attributes:
        name: Their name.
    """

    name: str | UnsetType = UNSET

class TagInput(RequestModel, kw_only=True):
    """A tag.

    Attributes:
        number: What is on it.
    """

    number: int | UnsetType = UNSET

class DogInput(RequestModel, kw_only=True):
    """A dog.

    Attributes:
        name: Its name.
        nick: What it listens to.
        size: Its size.
        tag: Its tag.
        owner: Its owner.
        vet: Its vet.
        free: Anything at all.
        kept: Where it is.
    """

    name: str
    nick: str | None | UnsetType = UNSET
    size: DogSize | None | UnsetType = UNSET
    tag: TagInput | None | UnsetType = UNSET
    owner: OwnerInput | None | UnsetType = UNSET
    vet: OwnerInput | None | UnsetType = UNSET
    free: Any = UNSET
    kept: str | UnsetType = UNSET

class Owner(ResponseModel, kw_only=True):
    """An owner.

    Attributes:
        name: Their name.
    """

    name: Maybe[str] = UNSET

class Tag(ResponseModel, kw_only=True):
    """A tag.

    Attributes:
        number: What is on it.
    """

    number: Maybe[int] = UNSET

class Dog(ResponseModel, kw_only=True):
    """A dog.

    Attributes:
        name: Its name.
        nick: What it listens to.
        size: Its size.
        tag: Its tag.
        owner: Its owner.
        vet: Its vet.
        free: Anything at all.
        kept: Where it is.
    """

    name: str
    nick: Maybe[str] = UNSET
    size: Maybe[DogSize] = UNSET
    tag: Maybe[Tag] = UNSET
    owner: Maybe[Owner] = UNSET
    vet: Maybe[Owner] = UNSET
    free: Any = UNSET
    kept: Maybe[str] = UNSET
