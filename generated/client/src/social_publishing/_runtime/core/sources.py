"""The JSON text that a model was read from, beside the model: found only when somebody asks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any

import msgspec

from .type_guards import is_list, is_object

BOM = b"\xef\xbb\xbf"

_NUMBERS = count()
_PIECES = msgspec.json.Decoder(dict[str, msgspec.Raw] | list[msgspec.Raw])


class Kept(msgspec.Struct, frozen=True):
    """A value that does not fit its field, in the place of one that does.

    The attribute reads as None, so that nothing computes with a value of another type.
    """

    value: Any


class Source:
    """The text of a JSON value: that of a response, or a piece of the text of what is around it.

    Args:
        origin: the text of a response, or the source of what is around.
        key: what reads a text as a type; or the name or the index in what is around.

    Attributes:
        number: another one for each source.
        place: the number of what is around, and the place in it; None of the text of a response.
        given: the names of the fields that gave out what can be changed, and what it was: where
            models were read, of anything else the JSON; None of a field that was set. It has no
            model itself, since that would lead back here: a circle, which nothing would free.
    """

    __slots__ = ("_key", "_parent", "_pieces", "_read", "_text", "given", "number", "place")

    def __init__(
        self,
        origin: bytes | Source,
        key: Callable[[Any, bytes], Any] | str | int,
    ) -> None:
        self._parent = origin if isinstance(origin, Source) else None
        self._text = b"" if isinstance(origin, Source) else origin.removeprefix(BOM)
        self._read: Any = origin._read if isinstance(origin, Source) else key
        self._key: Any = key
        self._pieces: Any = None
        self.number = next(_NUMBERS)
        self.place = (origin.number, key) if isinstance(origin, Source) else None
        self.given: dict[str, Any] = {}

    def read(self, type_: Any) -> Any:
        """Return once more what the text says, as a type."""
        return self._read(type_, self.text)

    @property
    def text(self) -> bytes:
        """The text as it came; empty where there is none."""
        if self._parent is not None:
            try:
                self._text = bytes(self._parent.pieces[self._key])
            except (LookupError, TypeError):
                self._text = b""
            self._parent = None
        return self._text

    @property
    def pieces(self) -> Any:
        """The texts of the members or the items, by name or in order; None of anything else."""
        if self._pieces is None:
            text = self.text
            try:
                self._pieces = _PIECES.decode(text)
            except msgspec.ValidationError:  # a text, a number, or nothing
                pass
            except (msgspec.DecodeError, UnicodeDecodeError):
                self._pieces = _pieces(text)
        return self._pieces

    @property
    def members(self) -> dict[str, bytes]:
        """The texts of the members; none where it is no object."""
        pieces = self.pieces
        return {k: bytes(v) for k, v in pieces.items()} if is_object(pieces) else {}


class Sourced:
    """Base of what has a source beside its fields."""

    __slots__ = ("_source",)

    _source: Source | tuple[Any, Any]


set_source: Callable[[Any, Source | tuple[Any, Any]], None] = Sourced.__dict__["_source"].__set__


def place(value: Any) -> tuple[int, Any] | None:
    """Return where something inside a response was read; None of anything else."""
    source: Any = getattr(value, "_source", None)
    if source.__class__ is tuple:
        origin, key = source
        return (origin.number, key) if isinstance(origin, Source) else None
    return source.place if isinstance(source, Source) else None


def load_json(text: bytes, **hooks: Any) -> Any:
    """Return JSON as Python values, whatever msgspec does not take: NaN, half an emoji, UTF-16.

    An integer of more digits than Python reads is the text of its digits.

    Raises:
        ValueError: it is not JSON.
    """
    if not hooks:
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(text)
    import json  # rarely needed, and not free to load

    encoding = json.detect_encoding(text)
    read: dict[str, Any] = {"parse_int": _integer, **hooks}
    return json.loads(text.decode(encoding, "surrogateescape"), strict=False, **read)


def _integer(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def _pieces(text: bytes) -> Any:
    try:
        value = load_json(text, parse_int=int)
    except (ValueError, RecursionError):
        return None
    if is_object(value):
        return {name: msgspec.Raw(_text(item)) for name, item in value.items()}
    return [msgspec.Raw(_text(item)) for item in value] if is_list(value) else None


def _text(value: Any) -> bytes:
    import json

    return json.dumps(value, separators=(",", ":")).encode()
