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
    """A vote as it is cast.

    Attributes:
        type: Its type.
        type_2: Its other type.
        weight: Its weight.
        way: Its mode.
    """

    type: Maybe[VoteType] = UNSET
    type_2: Maybe[VoteType2] = field(default=UNSET, name="@type")
    weight: Maybe[VoteWeight] = UNSET
    way: Maybe[VoteWay] = field(default=UNSET, name="mode")

class Vote(ResponseModel, kw_only=True):
    """A vote as it is read.

    Attributes:
        cast: A vote as it is cast.
    """

    cast: Maybe[Vote2] = UNSET
