class Office(ResponseModel, kw_only=True, gc=True):
    """A room.

    Attributes:
        people: Who is in it.
    """

    people: "list[Person]"

class Person(ResponseModel, kw_only=True, gc=True):
    """Somebody.

    Attributes:
        office: A room.
        boss: Who is above.
    """

    office: Office
    boss: "Maybe[Person]" = UNSET
