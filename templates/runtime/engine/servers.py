"""The servers that a document offers: one is chosen by its name, and its variables are filled."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.named_tuples import NamedTuple

_FITS = "[A-Za-z0-9._~:/-]+"  # nothing that would end a host, or begin a query


class ServerVariable(NamedTuple):
    """A part of an address that is given by itself: its argument, and what may stand there."""

    argument: str
    given: Any
    default: str
    allowed: Sequence[str] = ()


class ServerChoice(NamedTuple):
    """What chooses the address of a document's server.

    Attributes:
        argument: the name of the argument for the name of a server.
        given: what the caller gave for it; None for the first.
        addresses: the addresses by their names, with variables in braces.
        variables: these, by their names in braces.
        base: the argument for a whole address, which nothing may be given beside.
    """

    argument: str
    given: Any
    addresses: Mapping[str, str]
    variables: Mapping[str, ServerVariable]
    base: str

    def address(self, base: object, problems: list[str]) -> str | None:
        """Return the address that the caller has chosen; None where nothing was given."""
        given = [each.argument for each in self.variables.values() if each.given is not None]
        given = [self.argument] * (self.given is not None) + given
        if not given:
            return None
        if base is not None:
            problems.append(f"{self.base} is a whole address: leave out {' and '.join(given)}")
            return None
        name = next(iter(self.addresses)) if self.given is None else self.given
        if not isinstance(name, str) or name not in self.addresses:
            problems.append(f"{self.argument} must be {_either(self.addresses)}, got {name!r}")
            return None
        address = self.addresses[name]
        for wire, variable in self.variables.items():
            if f"{{{wire}}}" not in address:
                if variable.given is not None:
                    problems.append(f"{variable.argument} is no part of the server {name!r}")
                continue
            value = variable.default if variable.given is None else variable.given
            if variable.allowed and value not in variable.allowed:
                wanted = _either(variable.allowed)
            elif not isinstance(value, str) or not re.fullmatch(_FITS, value):
                wanted = "a part of an address"
            else:
                address = address.replace(f"{{{wire}}}", value)
                continue
            problems.append(f"{variable.argument} must be {wanted}, got {value!r}")
        return address.rstrip("/")


def _either(names: Mapping[str, str] | Sequence[str]) -> str:
    return " or ".join(map(repr, names))
