class Course(TextCode):
    """When it is eaten."""

    STARTER = "starter"
    MAIN = "main"

class StepInput(RequestModel, kw_only=True):
    """One thing to do."""

    text: str
    """What."""

    minutes: Annotated[int, Meta(ge=1)] | None | UnsetType = UNSET
    """How long. At least 1."""

class RecipeInput(RequestModel, kw_only=True):
    """How to cook."""

    name: Annotated[str, Meta(min_length=1)]
    """Its name. At least 1 character."""

    secret: str | UnsetType = UNSET
    """Never shown."""

    old: str | UnsetType = UNSET
    """Deprecated. Not used any more."""

    steps: Sequence[StepInput] | UnsetType = UNSET
    """What to do."""

    course: Course | UnsetType = UNSET
    """When it is eaten."""

class Step(ResponseModel, kw_only=True):
    """One thing to do."""

    text: str
    """What."""

    minutes: Maybe[int] = UNSET
    """How long. At least 1."""

class Recipe(ResponseModel, kw_only=True):
    """How to cook."""

    id: int
    """Given by the service."""

    name: str
    """Its name. At least 1 character."""

    old: Maybe[str] = UNSET
    """Deprecated. Not used any more."""

    steps: Maybe[list[Step]] = UNSET
    """What to do."""

    course: Maybe[Course] = UNSET
    """When it is eaten."""
