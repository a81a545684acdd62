"""Places in responses, named by the attributes that lead there: `meta.next`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from ..core.drift import Place, path_text
from ..core.models import slotted, stored
from ..core.sources import Kept

if TYPE_CHECKING:
    from .raw import RawResponse


def attribute(value: Any, path: str) -> Any:
    """Return the attribute of a path with dots; UNSET where something on the way is absent."""
    for name in path.split("."):
        value = stored(value, name)
    return value


def check_kind(response: Any, path: str, raw: RawResponse[Any]) -> None:
    """See to it that what a path leads to, and all on the way, is of the kind that is documented.

    Models keep what does not fit as it came, so that one odd field costs no other. Where all hangs
    on a field, that will not do. What is absent or null does, as an empty response; and what is
    inside is not looked at.

    Raises:
        DecodeError: something is of another kind.
    """
    if response is None:
        return
    place: Place = None
    for name in path.split("."):
        model: Any = response.__class__
        value = slotted(response, name)
        wire_name = model.__struct_encode_fields__[model.__struct_fields__.index(name)]
        place = (place, wire_name, True)
        if value.__class__ is Kept:
            from ..core.errors import DecodeError
            from .lenient import mismatch

            reason = mismatch(model, wire_name, value.value)
            raise DecodeError(path_text(place), reason, raw.redact(raw.exchange))
        if value is None or value is UNSET:
            return
        response = value
