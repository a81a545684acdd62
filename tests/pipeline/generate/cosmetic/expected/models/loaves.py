class LoafCrumbsInput(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        size
    """

    size: int | UnsetType = UNSET

class LoafSlicesItemInput(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        thick
    """

    thick: bool | UnsetType = UNSET

class LoafInput(RequestModel, kw_only=True):
    """Without a description.

    Attributes:
        flour: What it is of.
        baked: When.
        crumbs
        slices
    """

    flour: str
    baked: dt.datetime
    crumbs: LoafCrumbsInput | UnsetType = UNSET
    slices: Sequence[LoafSlicesItemInput] | UnsetType = UNSET

class LoafCrumbs(ResponseModel, kw_only=True):
    """Without a description.

    Attributes:
        size
    """

    size: Maybe[int] = UNSET

class LoafSlicesItem(ResponseModel, kw_only=True):
    """Without a description.

    Attributes:
        thick
    """

    thick: Maybe[bool] = UNSET

class Loaf(ResponseModel, kw_only=True):
    """Without a description.

    Attributes:
        flour: What it is of.
        baked: When.
        crumbs
        slices
    """

    flour: str
    baked: AwareDatetime
    crumbs: Maybe[LoafCrumbs] = UNSET
    slices: Maybe[list[LoafSlicesItem]] = UNSET
