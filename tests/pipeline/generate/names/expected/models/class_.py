class AnyVote(TextCode):
    """For or against."""

    PLUS_1 = "+1"
    MINUS_1 = "-1"

class AnyState(TextCode):
    """Where it is."""

    IN_REVIEW = "in-review"
    SECOND = "2nd"
    MRO = "mro"
    DONE = "済"

class Model2NdThing(RequestModel, kw_only=True):
    """Names that Python does not take."""

    field_2_x: int = field(name="2x")
    """Begins with a digit."""

    a_b: str | UnsetType = field(default=UNSET, name="a-b")
    """With a dash."""

    groe: float | UnsetType = field(default=UNSET, name="Größe")
    """Not ASCII."""

    field_: bool | UnsetType = field(default=UNSET, name="日")
    """No letter that is left."""

    none: str | UnsetType = field(default=UNSET, name="None")
    """A constant."""

class AnyModel(ResponseModel, kw_only=True):
    """Names that the code itself uses."""

    list_: list[str] = field(default=MISSING, name="list")
    """A type."""

    date: dt.date = MISSING
    """A module."""

    dt_: AwareDatetime | None = field(default=MISSING, name="dt")
    """An import."""

    field_: str | None = field(default=MISSING, name="field")
    """A function."""

    to_dict_: str | None = field(default=MISSING, name="to_dict")
    """A method."""

    self_: str | None = field(default=MISSING, name="self")
    """The instance."""

    str_: list[str] | None = field(default=MISSING, name="str")
    """Another type."""

    vote: AnyVote | None = MISSING
    """For or against."""

    state: AnyState | None = MISSING
    """Where it is."""

class ClassResourceModel(ResponseModel, kw_only=True):
    """A name that the module has already."""

    uuid: UUID = MISSING
    """An import."""
