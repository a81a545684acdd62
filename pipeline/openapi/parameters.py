"""How the values of a query parameter are written: the styles of OpenAPI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

SEPARATORS: Final = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}
"""What stands between the values of a query parameter that is not exploded."""


def is_repeated(parameter: Mapping[str, Any]) -> bool:
    """Return whether each value of a list comes with the parameter's name."""
    style = parameter.get("style", "form")
    return style == "deepObject" or bool(parameter.get("explode", style == "form"))


def values_in(
    parameter: Mapping[str, Any], query: Sequence[tuple[str, str]], *, is_array: bool
) -> list[str]:
    """Return the values that a query, decoded, has for a parameter that is no object."""
    values = [value for name, value in query if name == parameter.get("name")]
    if not is_array or is_repeated(parameter):
        return values
    separator = SEPARATORS.get(parameter.get("style", "form"), ",")
    return [item for value in values if value for item in value.split(separator)]
