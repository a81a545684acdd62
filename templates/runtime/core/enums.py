"""Open enumerations: unknown values are kept, not refused."""

from __future__ import annotations

from enum import Enum, IntEnum, StrEnum
from typing import Any, ClassVar


class _Open(Enum):
    """Common base of open enumerations.

    Args:
        open_set: the documents say that there are other values, so that one is no drift.
    """

    _open_set: ClassVar[bool]

    def __init_subclass__(cls, *, open_set: bool = False) -> None:
        super().__init_subclass__()
        cls._open_set = open_set

    @property
    def known(self) -> bool:
        """True if the documents name this value."""
        return self._value_ in type(self)._value2member_map_

    def __reduce_ex__(self, protocol: object) -> tuple[Any, ...]:
        # By its value: Python before 3.11.4 asks for the name, which no member may have.
        return type(self), (self._value_,)


class IntCode(_Open, IntEnum):
    """An integer code. `Code(77)` works for any integer; `known` is True if it has a name. `str()`
    gives the name, or `unknown code 77`; `code.value` and `int(code)` are the number.
    """

    def __str__(self) -> str:
        return self._name_ if self.known else f"unknown code {self._value_}"

    def __format__(self, spec: str) -> str:
        # `{code:03d}` asks for a number, `{code:>12}` for a text.
        return format(self._value_ if spec[-1:].isalpha() and spec[-1] != "s" else str(self), spec)

    @classmethod
    def _missing_(cls, value: object) -> IntCode | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        code = int.__new__(cls, value)
        code._name_, code._value_ = f"UNKNOWN_{value}", value
        return code


class TextCode(_Open, StrEnum):
    """A text code. `Code("new")` works for any text; `known` is True if it has a name."""

    @classmethod
    def _missing_(cls, value: object) -> TextCode | None:
        if not isinstance(value, str):
            return None
        code = str.__new__(cls, value)
        code._name_, code._value_ = f"UNKNOWN_{value}", value
        return code
