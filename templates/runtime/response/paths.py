"""Places in responses, named by the attributes that lead there: `meta.next`."""

from __future__ import annotations

from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from msgspec import UNSET, UnsetType

from ..core.drift import Place, path_text
from ..core.models import stored

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
    on a field, that will not do. What is absent or null does, and what is inside is not looked at.

    Raises:
        DecodeError: something is of another kind.
    """
    place: Place = None
    for name in path.split("."):
        model: Any = response.__class__
        response = stored(response, name)
        wire_names = dict(zip(model.__struct_fields__, model.__struct_encode_fields__, strict=True))
        place = (place, wire_names[name], True)
        kinds = _kinds(model)[name]
        if response is None or response is UNSET:
            return
        if not isinstance(response, kinds):
            raise _mismatch(place, kinds, response, raw)


def _mismatch(
    place: Place,
    kinds: tuple[type, ...],
    value: object,
    raw: RawResponse[Any],
) -> Exception:
    from ..core.errors import DecodeError

    names = " | ".join(each.__name__ for each in kinds if each not in (NoneType, UnsetType))
    reason = f"Expected `{names}`, got `{type(value).__name__}`"
    return DecodeError(path_text(place), reason, raw.redact(raw.exchange))


@cache
def _kinds(model: Any) -> dict[str, tuple[type, ...]]:
    """Return the classes that the values of each field may have, whatever they hold."""
    return {name: _classes(type_) for name, type_ in get_type_hints(model).items()}


def _classes(type_: Any) -> tuple[type, ...]:
    if get_origin(type_) in (Union, UnionType):
        return tuple(kind for each in get_args(type_) for kind in _classes(each))
    return (object if type_ is Any else get_origin(type_) or type_,)
