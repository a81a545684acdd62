class AnimalsFlagsOption2(TextCode):
    """Without a description."""

    UNKNOWN = "unknown"

class CatInput(RequestModel, kw_only=True):
    """A cat."""

    kind: Literal["cat"]
    """Its kind."""

    lives: Literal[9]
    """Always nine."""

    tame: Literal[True] | UnsetType = UNSET
    """So they say."""

class DogInput(RequestModel, kw_only=True):
    """A dog."""

    kind: Literal["dog"]
    """Its kind."""

class Cat(ResponseModel, kw_only=True):
    """A cat."""

    kind: str
    """Its kind."""

    lives: int
    """Always nine."""

    tame: Maybe[bool] = UNSET
    """So they say."""

class Animals(ResponseModel, kw_only=True):
    """What there is."""

    id: str | int
    """A word or a number."""

    count: Maybe[int | float] = UNSET
    """How many."""

    all: list[Cat] | dict[str, int]
    """All of them."""

    flags: bool | AnimalsFlagsOption2
    """Mixed."""

    either: Maybe[str] = UNSET
    """Two texts."""

    one: Maybe[Cat] = UNSET
    """A union of one."""

class Dog(ResponseModel, kw_only=True):
    """A dog."""

    kind: str
    """Its kind."""

class Named(ResponseModel, kw_only=True):
    """An animal with a name."""

    name: str
    """Its name."""
