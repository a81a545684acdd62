class GetVotesSort(TextCode):
    """Without a description."""

    CREATED = "created"
    MINUS_CREATED = "-created"
    TYPE = "type"
    TYPE_2 = "@type"

class VoteInput2(RequestModel, kw_only=True):
    """A vote as it is cast."""

    type: VoteType | UnsetType = UNSET
    """Its type."""

    type_2: VoteType2 | UnsetType = field(default=UNSET, name="@type")
    """Its other type."""

    weight: VoteWeight | UnsetType = UNSET
    """Its weight."""

    way: VoteWay | UnsetType = field(default=UNSET, name="mode")
    """Its mode."""
