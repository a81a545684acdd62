"""`NamedTuple` as of `typing`, without its look at the types of the fields.

That compiles each annotation, and the first compilation of a process costs as much as a tenth of
all that a client takes to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Maker(type):
        def __new__(cls, name, _, body):
            types = body["__annotations__"]
            defaults = [body.pop(field) for field in types if field in body]
            made = namedtuple(name, types, defaults=defaults)
            for attribute, value in body.items():
                setattr(made, attribute, value)
            return made

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
