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

    crumbs: LoafCrumbsInput | None | UnsetType = UNSET

    slices: Sequence[LoafSlicesItemInput] | UnsetType = UNSET

class LoafCrumbs(ResponseModel, kw_only=True):
    """Without a description."""

    size: int | None = MISSING

class LoafSlicesItem(ResponseModel, kw_only=True):
    """Without a description."""

    thick: bool | None = MISSING

class Loaf(ResponseModel, kw_only=True):
    """Without a description."""

    flour: str = MISSING
    """What it is of."""

    baked: AwareDatetime = MISSING
    """When."""

    crumbs: LoafCrumbs | None = MISSING

    slices: list[LoafSlicesItem] | None = MISSING
