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

    id: int | UnsetType = UNSET
    """Given by the service."""

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

    text: str = MISSING
    """What."""

    minutes: int | None = MISSING
    """How long. At least 1."""

class Recipe(ResponseModel, kw_only=True):
    """How to cook."""

    id: int = MISSING
    """Given by the service."""

    name: str = MISSING
    """Its name. At least 1 character."""

    old: str | None = MISSING
    """Deprecated. Not used any more."""

    steps: list[Step] | None = MISSING
    """What to do."""

    course: Course | None = MISSING
    """When it is eaten."""
