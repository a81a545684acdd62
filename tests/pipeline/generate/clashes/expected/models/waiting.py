class PutVotesByNameByTypeBody(RequestModel, kw_only=True):
    """Without a description."""

    name: str | UnsetType = UNSET

    type: str | UnsetType = UNSET

class RequestModel2(ResponseModel, kw_only=True):
    """A request."""

    async_: bool | None = field(default=MISSING, name="Async")
