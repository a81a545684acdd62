class VoteType(TextCode):
    """Its type."""

    UP = "up"
    DOWN = "down"

class VoteType2(TextCode):
    """Its other type."""

    UP = "up"
    DOWN = "down"

class VoteWeight(IntCode):
    """Its weight."""

    VALUE_1 = 1
    MINUS_1 = -1

class VoteWay(TextCode):
    """Its mode."""

    NAME_2 = "a"
    NAME = "A"
    VALUE_1_ST = "a_2"

class Vote(ResponseModel, kw_only=True):
    """A vote as it is cast."""

    type: VoteType | None = MISSING
    """Its type."""

    type_2: VoteType2 | None = field(default=MISSING, name="@type")
    """Its other type."""

    weight: VoteWeight | None = MISSING
    """Its weight."""

    way: VoteWay | None = field(default=MISSING, name="mode")
    """Its mode."""

class Vote2(ResponseModel, kw_only=True):
    """A vote as it is read."""

    cast: Vote | None = MISSING
    """A vote as it is cast."""
