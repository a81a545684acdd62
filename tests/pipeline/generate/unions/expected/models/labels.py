class MarkInput(RequestModel, kw_only=True):
    """A mark."""

    size: Annotated[int, Meta(ge=1)]
    """How large. At least 1."""

class LabelInput(RequestModel, kw_only=True):
    """A label, with members of any name beside its text."""

    text: str
    """What it says."""

    inner: "LabelInput | UnsetType" = UNSET
    """A label on it."""

    additional_properties: Mapping[str, MarkInput] | UnsetType = field(default=UNSET, name="")
    """The members that the documents allow and do not name."""

class Mark(ResponseModel, kw_only=True):
    """A mark."""

    size: int = MISSING
    """How large. At least 1."""

class Label(ExtensibleModel, kw_only=True, gc=True):
    """A label, with members of any name beside its text."""

    text: str = MISSING
    """What it says."""

    inner: "OneOf[Label] | None" = MISSING
    """A label on it."""

    additional_properties: dict[str, Mark] | None = field(default=MISSING, name="")
    """The members that the documents allow and do not name."""
