"""The settings of a sandbox, and the values that they may have."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from typing import Any, Final, TypedDict

from social_publishing_sandbox.state.errors import ControlError


class Changes(TypedDict, total=False):
    """Settings and their values; see `Sandbox`."""

    rate_limit: int | None
    nulls: bool
    processing: float | None
    fetch_hosts: Sequence[str]
    fetch_private: bool


def check(changes: Mapping[str, Any]) -> None:
    """Refuse unknown settings and invalid values."""
    for name, value in changes.items():
        if name not in _RULES:
            raise ControlError(f"there is no setting {name!r}; there are {', '.join(NAMES)}", name)
        fits, wanted = _RULES[name]
        if not fits(value):
            raise ControlError(f"{name} must be {wanted}, not {value!r}", name)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_host(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        ip_address(value)
    except ValueError:
        return value == "*" or bool(_NAME.fullmatch(value.removeprefix("*.")))
    return True


_NAME: Final = re.compile(r"[\w-]+(\.[\w-]+)*\.?")
_LONGEST: Final = 366 * 24 * 3600
_RULES: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "rate_limit": (
        lambda value: value is None or (type(value) is int and value > 0),
        "a whole number, at least 1, or null for no limit",
    ),
    "nulls": (_is_flag, "true or false"),
    "processing": (
        lambda value: value is None or (_is_number(value) and 0 <= value <= _LONGEST),
        "seconds, from 0 to a year",
    ),
    "fetch_hosts": (
        lambda value: isinstance(value, list | tuple) and all(map(_is_host, value)),
        "a list of hosts: names, IP addresses, *.example.com or *",
    ),
    "fetch_private": (_is_flag, "true or false"),
}
NAMES: Final = tuple(_RULES)
"""The settings."""
