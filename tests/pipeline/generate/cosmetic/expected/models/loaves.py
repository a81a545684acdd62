class LoafCrumbsInput(RequestModel, kw_only=True):
    """Without a description."""

    size: int | UnsetType = UNSET

class LoafSlicesItemInput(RequestModel, kw_only=True):
    """Without a description."""

    thick: bool | UnsetType = UNSET

class LoafInput(RequestModel, kw_only=True):
    """Without a description."""

    flour: str
    """What it is of."""

    baked: dt.datetime
    """When."""

    crumbs: LoafCrumbsInput | UnsetType = UNSET

    slices: Sequence[LoafSlicesItemInput] | UnsetType = UNSET

class LoafCrumbs(ResponseModel, kw_only=True):
    """Without a description."""

    size: Maybe[int] = UNSET

class LoafSlicesItem(ResponseModel, kw_only=True):
    """Without a description."""

    thick: Maybe[bool] = UNSET

class Loaf(ResponseModel, kw_only=True):
    """Without a description."""

    flour: str
    """What it is of."""

    baked: AwareDatetime
    """When."""

    crumbs: Maybe[LoafCrumbs] = UNSET

    slices: Maybe[list[LoafSlicesItem]] = UNSET
