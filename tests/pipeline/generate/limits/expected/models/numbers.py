class Numbers(RequestModel, kw_only=True):
    """Limits that the checks cannot take as they are."""

    half: Annotated[int, Meta(ge=1, le=9)] | UnsetType = UNSET
    """A half for a whole number. At least 0.5; at most 9.5."""

    big: int | UnsetType = UNSET
    """More than 64 bits. At most 9223372036854775808."""

    both: Annotated[float, Meta(gt=1, le=5)] | UnsetType = UNSET
    """Two at each end. At least 1; more than 1; at most 5; less than 6."""

    even: Annotated[int, Meta(multiple_of=2)] | UnsetType = UNSET
    """Twos. A multiple of 2.0."""

    tenth: Annotated[float, Meta(multiple_of=0.1)] | UnsetType = UNSET
    """Tenths. A multiple of 0.1."""

    letters: Annotated[str, Meta(max_length=3)] | UnsetType = UNSET
    """A pattern of another language. At most 3.0 characters."""

    lines: Annotated[str, Meta(pattern="^a\\d\n$")] | UnsetType = UNSET
    """A pattern with a line feed."""

    flags: int | UnsetType = UNSET
    """A code of more than 64 bits."""

    small: Annotated[int, Meta(extra={"format": "int32"})] | UnsetType = UNSET
    """32 bits."""

    counted: Annotated[int, Meta(ge=5, extra={"format": "uint64"})] | UnsetType = UNSET
    """64 bits without a sign. At least 5."""

    usual: int | UnsetType = UNSET
    """64 bits."""

    number: Annotated[str, Meta(pattern="^[1-9]", extra={"format": "uint64"})] | UnsetType = UNSET
    """An integer as text."""

    combined: Annotated[str, Meta(min_length=1, max_length=5)] | UnsetType = UNSET
    """Both. At least 1 character; at most 5 characters."""

    wide: int | UnsetType = UNSET
    """A constant of more than 64 bits."""

    share: float | UnsetType = UNSET
    """A constant."""
