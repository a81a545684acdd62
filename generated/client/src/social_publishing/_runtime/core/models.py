"""Base classes of the models, and the words that their fields are written with."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

__all__ = [
    "UNSET",
    "AwareDatetime",
    "Maybe",
    "Meta",
    "RequestModel",
    "ResponseModel",
    "UnsetType",
    "written_as",
]

_T = TypeVar("_T")

# What a field of a response may be: absent (UNSET), null (None), or a value.
# UNSET is falsy, so `book.note or ""` reads any of the three.
Maybe: TypeAlias = _T | UnsetType | None

# A date-time of a response. One that comes without a zone is taken as UTC, and is drift.
AwareDatetime: TypeAlias = Annotated[datetime, Meta(tz=True)]


# What a response holds is a tree: no object of it leads back to itself. The garbage collector looks
# for circles alone, and going through a large page time and again costs it more than decoding does.
# Where the documents allow a class in itself, the class says `gc=True`.
class ResponseModel(msgspec.Struct, kw_only=True, repr_omit_defaults=True, gc=False):
    """Something that the service returns. Absent, null and a value are three different things."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object as Python values, under the service's names; no absent fields.

        Date-times are texts again (ISO 8601), codes are their numbers or texts.
        """
        result: dict[str, Any] = msgspec.to_builtins(self)
        return result

    def to_json(self) -> bytes:
        """Return the same object as JSON in UTF-8, several times as fast as `to_dict()`."""
        return msgspec.json.encode(self)


class RequestModel(msgspec.Struct, kw_only=True, repr_omit_defaults=True):
    """Something that is sent to the service. UNSET fields are left out; None is sent as null.

    A model may be built with any values: they are checked when a request is made of them.
    """


def written_as(datetime_format: str, timezone: str | None = None) -> Meta:
    """Mark a date-time field that is sent as a text of its own format.

    Args:
        datetime_format: the format in the language of `strftime`.
        timezone: the name of the zone in which the text is written; UTC when it is not said.
    """
    return Meta(extra={"datetime_format": datetime_format, "timezone": timezone})
