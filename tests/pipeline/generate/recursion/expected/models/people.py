class TreeInput(RequestModel, kw_only=True):
    """A tree."""

    name: Annotated[str, Meta(max_length=9)]
    """Its name. At most 9 characters."""

    children: "Sequence[TreeInput] | UnsetType" = UNSET
    """What hangs below."""

class Tree(ResponseModel, kw_only=True, gc=True):
    """A tree."""

    name: str = MISSING
    """Its name. At most 9 characters."""

    children: "list[Tree] | None" = MISSING
    """What hangs below."""
