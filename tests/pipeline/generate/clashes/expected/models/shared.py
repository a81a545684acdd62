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
    VALUE_1_2 = -1

class VoteWay(TextCode):
    """Its mode."""

    NAME = "a"
    NAME_2 = "A"
    VALUE_1_ST = "a_2"

class Vote2(ResponseModel, kw_only=True):
    """A vote as it is cast."""

    type: Maybe[VoteType] = UNSET
    """Its type."""

    type_2: Maybe[VoteType2] = field(default=UNSET, name="@type")
    """Its other type."""

    weight: Maybe[VoteWeight] = UNSET
    """Its weight."""

    way: Maybe[VoteWay] = field(default=UNSET, name="mode")
    """Its mode."""

class Vote(ResponseModel, kw_only=True):
    """A vote as it is read."""

    cast: Maybe[Vote2] = UNSET
    """A vote as it is cast."""
