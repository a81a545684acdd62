class Numbers(RequestModel, kw_only=True):
    """Limits that the checks cannot take as they are.

    Attributes:
        half: A half for a whole number. At least 0.5; at most 9.5.
        big: More than 64 bits. At most 9223372036854775808.
        both: Two at each end. At least 1; more than 1; at most 5; less than 6.
        even: Twos. A multiple of 2.0.
        tenth: Tenths. A multiple of 0.1.
        letters: A pattern of another language. At most 3.0 characters.
        lines: A pattern with a line feed.
        flags: A code of more than 64 bits.
        small: 32 bits.
        counted: 64 bits without a sign. At least 5.
        usual: 64 bits.
        number: An integer as text.
        combined: Both. At least 1 character; at most 5 characters.
        wide: A constant of more than 64 bits.
        share: A constant.
    """

    half: Annotated[int, Meta(ge=1, le=9)] | UnsetType = UNSET
    big: int | UnsetType = UNSET
    both: Annotated[float, Meta(gt=1, le=5)] | UnsetType = UNSET
    even: Annotated[int, Meta(multiple_of=2)] | UnsetType = UNSET
    tenth: Annotated[float, Meta(multiple_of=0.1)] | UnsetType = UNSET
    letters: Annotated[str, Meta(max_length=3)] | UnsetType = UNSET
    lines: Annotated[str, Meta(pattern="^a\\d\n$")] | UnsetType = UNSET
    flags: int | UnsetType = UNSET
    small: Annotated[int, Meta(extra={"format": "int32"})] | UnsetType = UNSET
    counted: Annotated[int, Meta(ge=5, extra={"format": "uint64"})] | UnsetType = UNSET
    usual: int | UnsetType = UNSET
    number: Annotated[str, Meta(pattern="^[1-9]", extra={"format": "uint64"})] | UnsetType = UNSET
    combined: Annotated[str, Meta(min_length=1, max_length=5)] | UnsetType = UNSET
    wide: int | UnsetType = UNSET
    share: float | UnsetType = UNSET
