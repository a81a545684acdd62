class Office(ResponseModel, kw_only=True, gc=True):
    """A room."""

    people: "list[Person]" = MISSING
    """Who is in it."""

class Person(ResponseModel, kw_only=True, gc=True):
    """Somebody."""

    office: Office = MISSING
    """A room."""

    boss: "Person | None" = MISSING
    """Who is above."""
