class CatInput(RequestModel, kw_only=True):
    """A cat."""

    kind: Literal["cat"] = "cat"
    """Its kind."""

    lives: Literal[9] = 9
    """Always nine."""

    tame: Literal[True] | UnsetType = UNSET
    """So they say."""

class DogInput(RequestModel, kw_only=True):
    """A dog."""

    kind: Literal["dog"] = "dog"
    """Its kind."""

class Cat(ResponseModel, kw_only=True):
    """A cat."""

    kind: Literal["cat"] = MISSING
    """Its kind."""

    lives: Literal[9] = MISSING
    """Always nine."""

    tame: bool | None = MISSING
    """So they say."""

class Animals(ResponseModel, kw_only=True):
    """What there is."""

    id: str | int = MISSING
    """A word or a number."""

    count: Present[int | float | None] = MISSING
    """How many."""

    all: list[Cat] | dict[str, int] = MISSING
    """All of them."""

    flags: bool | Literal["unknown"] = MISSING
    """Mixed."""

    either: OneOf[dt.date | str] | None = MISSING
    """Two texts."""

    one: Cat | None = MISSING
    """A union of one."""

class Dog(ResponseModel, kw_only=True):
    """A dog."""

    kind: Literal["dog"] = MISSING
    """Its kind."""

class Named(ResponseModel, kw_only=True):
    """An animal with a name."""

    name: str = MISSING
    """Its name."""
