class AnimalsFlagsOption2(TextCode):
    """Without a description."""

    UNKNOWN = "unknown"

class CatInput(RequestModel, kw_only=True):
    """A cat.

    Attributes:
        kind: Its kind.
        lives: Always nine.
        tame: So they say.
    """

    kind: Literal["cat"]
    lives: Literal[9]
    tame: Literal[True] | UnsetType = UNSET

class DogInput(RequestModel, kw_only=True):
    """A dog.

    Attributes:
        kind: Its kind.
    """

    kind: Literal["dog"]

class Cat(ResponseModel, kw_only=True):
    """A cat.

    Attributes:
        kind: Its kind.
        lives: Always nine.
        tame: So they say.
    """

    kind: str
    lives: int
    tame: Maybe[bool] = UNSET

class Animals(ResponseModel, kw_only=True):
    """What there is.

    Attributes:
        id: A word or a number.
        count: How many.
        all: All of them.
        flags: Mixed.
        either: Two texts.
        one: A union of one.
    """

    id: str | int
    count: Maybe[int | float] = UNSET
    all: list[Cat] | dict[str, int]
    flags: bool | AnimalsFlagsOption2
    either: Maybe[str] = UNSET
    one: Maybe[Cat] = UNSET

class Dog(ResponseModel, kw_only=True):
    """A dog.

    Attributes:
        kind: Its kind.
    """

    kind: str

class Named(ResponseModel, kw_only=True):
    """An animal with a name.

    Attributes:
        name: Its name.
    """

    name: str
