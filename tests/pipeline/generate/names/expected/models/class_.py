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
    """Names that Python does not take.

    Attributes:
        field_2_x: Begins with a digit.
        a_b: With a dash.
        groe: Not ASCII.
        field_: No letter that is left.
        none: A constant.
    """

    field_2_x: int = field(name="2x")
    a_b: str | UnsetType = field(default=UNSET, name="a-b")
    groe: float | UnsetType = field(default=UNSET, name="Größe")
    field_: bool | UnsetType = field(default=UNSET, name="日")
    none: str | UnsetType = field(default=UNSET, name="None")

class AnyModel(ResponseModel, kw_only=True):
    """Names that the code itself uses.

    Attributes:
        list_: A type.
        date: A module.
        dt_: An import.
        field_: A function.
        to_dict_: A method.
        self_: The instance.
        str_: Another type.
        vote: For or against.
        state: Where it is.
    """

    list_: list[str] = field(name="list")
    date: dt.date
    dt_: Maybe[AwareDatetime] = field(default=UNSET, name="dt")
    field_: Maybe[str] = field(default=UNSET, name="field")
    to_dict_: Maybe[str] = field(default=UNSET, name="to_dict")
    self_: Maybe[str] = field(default=UNSET, name="self")
    str_: Maybe[list[str]] = field(default=UNSET, name="str")
    vote: Maybe[AnyVote] = UNSET
    state: Maybe[AnyState] = UNSET

class ClassResourceModel(ResponseModel, kw_only=True):
    """A name that the module has already.

    Attributes:
        uuid: An import.
    """

    uuid: UUID
