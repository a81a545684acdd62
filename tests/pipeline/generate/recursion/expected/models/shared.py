class Office(ResponseModel, kw_only=True, gc=True):
    """A room."""

    people: "list[Person]"
    """Who is in it."""

class Person(ResponseModel, kw_only=True, gc=True):
    """Somebody."""

    office: Office
    """A room."""

    boss: "Maybe[Person]" = UNSET
    """Who is above."""
