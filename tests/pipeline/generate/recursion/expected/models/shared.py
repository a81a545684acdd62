# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Models that several resources use."""

from .._runtime.core.models import UNSET, Maybe, ResponseModel

__all__ = [
    "Office",
    "Person",
]


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
