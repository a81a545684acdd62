class DogSize(TextCode):
    """Its size."""

    SMALL = "small"
    LARGE = "large"

class OwnerInput(RequestModel, kw_only=True):
    """An owner."""

    name: str | UnsetType = UNSET
    """Their name."""

class TagInput(RequestModel, kw_only=True):
    """A tag."""

    number: int | UnsetType = UNSET
    """What is on it."""

class DogInput(RequestModel, kw_only=True):
    """A dog."""

    name: str
    """Its name."""

    nick: str | None | UnsetType = UNSET
    """What it listens to."""

    size: DogSize | None | UnsetType = UNSET
    """Its size."""

    tag: TagInput | None | UnsetType = UNSET
    """Its tag."""

    owner: OwnerInput | None | UnsetType = UNSET
    """Its owner."""

    vet: OwnerInput | None | UnsetType = UNSET
    """Its vet."""

    free: Any = UNSET
    """Anything at all."""

    kept: str | UnsetType = UNSET
    """Where it is."""

class Owner(ResponseModel, kw_only=True):
    """An owner."""

    name: str | None = MISSING
    """Their name."""

class Tag(ResponseModel, kw_only=True):
    """A tag."""

    number: int | None = MISSING
    """What is on it."""

class Dog(ResponseModel, kw_only=True):
    """A dog."""

    name: str = MISSING
    """Its name."""

    nick: str | None = MISSING
    """What it listens to."""

    size: DogSize | None = MISSING
    """Its size."""

    tag: Tag | None = MISSING
    """Its tag."""

    owner: Owner | None = MISSING
    """Its owner."""

    vet: Owner | None = MISSING
    """Its vet."""

    free: Any = MISSING
    """Anything at all."""

    kept: str | None = MISSING
    """Where it is."""
