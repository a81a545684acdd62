class Course(TextCode):
    """When it is eaten."""

    STARTER = "starter"
    MAIN = "main"

class StepInput(RequestModel, kw_only=True):
    """One thing to do.

    Attributes:
        text: What.
        minutes: How long. At least 1.
    """

    text: str
    minutes: Annotated[int, Meta(ge=1)] | None | UnsetType = UNSET

class RecipeInput(RequestModel, kw_only=True):
    """How to cook.

    Attributes:
        name: Its name. At least 1 character.
        secret: Never shown.
        old: Deprecated. Not used any more.
        steps: What to do.
        course: When it is eaten.
    """

    name: Annotated[str, Meta(min_length=1)]
    secret: str | UnsetType = UNSET
    old: str | UnsetType = UNSET
    steps: Sequence[StepInput] | UnsetType = UNSET
    course: Course | UnsetType = UNSET

class Step(ResponseModel, kw_only=True):
    """One thing to do.

    Attributes:
        text: What.
        minutes: How long. At least 1.
    """

    text: str
    minutes: Maybe[int] = UNSET

class Recipe(ResponseModel, kw_only=True):
    """How to cook.

    Attributes:
        id: Given by the service.
        name: Its name. At least 1 character.
        old: Deprecated. Not used any more.
        steps: What to do.
        course: When it is eaten.
    """

    id: int
    name: str
    old: Maybe[str] = UNSET
    steps: Maybe[list[Step]] = UNSET
    course: Maybe[Course] = UNSET
