class TreeInput(RequestModel, kw_only=True):
    """A tree.

    Attributes:
        name: Its name. At most 9 characters.
        children: What hangs below.
    """

    name: Annotated[str, Meta(max_length=9)]
    children: "Sequence[TreeInput] | UnsetType" = UNSET

class Tree(ResponseModel, kw_only=True, gc=True):
    """A tree.

    Attributes:
        name: Its name. At most 9 characters.
        children: What hangs below.
    """

    name: str
    children: "Maybe[list[Tree]]" = UNSET
