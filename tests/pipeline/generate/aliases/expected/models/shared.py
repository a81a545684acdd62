Id = Annotated[str, Meta(pattern=r"^\d+$")]

"""A number in a text."""

Ids = Annotated[Sequence[Id], Meta(max_length=2)]

"""Several."""
