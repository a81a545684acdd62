class GetVotesSort(TextCode):
    """Without a description."""

    CREATED = "created"
    CREATED_2 = "-created"
    TYPE = "type"
    TYPE_2 = "@type"

class Vote2Input(RequestModel, kw_only=True):
    """A vote as it is cast.

    Attributes:
        type: Its type.
        type_2: Its other type.
        weight: Its weight.
        way: Its mode.
    """

    type: VoteType | UnsetType = UNSET
    type_2: VoteType2 | UnsetType = field(default=UNSET, name="@type")
    weight: VoteWeight | UnsetType = UNSET
    way: VoteWay | UnsetType = field(default=UNSET, name="mode")
