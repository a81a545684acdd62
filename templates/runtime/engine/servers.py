"""The servers that a document offers: one is chosen by its name, and its variables are filled."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..core.named_tuples import NamedTuple

_SCHEME = "[A-Za-z][A-Za-z0-9+.-]*"
_HOST = "[A-Za-z0-9._-]+"  # nothing that would end a host: what follows it would name another one
_PATH = "[A-Za-z0-9._~:/-]*"


class ServerVariable(NamedTuple):
    """A part of an address that is given by itself: its argument, and what may stand there.

    It may be shared: a part of other addresses, too. Where only its own values may stand, another
    one leaves it as it is by default.
    """

    argument: str
    given: Any
    default: str
    allowed: Sequence[str] = ()
    shared: bool = False
    own: Sequence[str] = ()


class ServerChoice(NamedTuple):
    """What chooses the address of a document's server.

    Attributes:
        argument: the name of the argument for the name of a server.
        given: what the caller gave for it; None for the first.
        addresses: the addresses by their names, with variables in braces.
        variables: these, by their names in braces.
        base: the argument for a whole address, which nothing may be given beside.
        follows: the name that the caller gave for the document's server: it counts for those of an
            operation that have it, too.
    """

    argument: str
    given: Any
    addresses: Mapping[str, str]
    variables: Mapping[str, ServerVariable]
    base: str
    follows: Any = None

    def address(self, base: object, problems: list[str]) -> str | None:
        """Return the address that the caller has chosen; None where nothing was given."""
        given = [each for each in self.variables.values() if each.given is not None]
        own = [self.argument] * (self.given is not None)
        own += [each.argument for each in given if not each.shared]
        if base is not None:
            if own:
                problems.append(f"{self.base} is a whole address: leave out {' and '.join(own)}")
            return None
        name = self.given
        if name is None and isinstance(self.follows, str) and self.follows in self.addresses:
            name = self.follows
        if name is None and not given:
            return None
        is_chosen = name is not None
        name = name if is_chosen else next(iter(self.addresses))
        if not isinstance(name, str) or name not in self.addresses:
            problems.append(f"{self.argument} must be {_either(self.addresses)}, got {name!r}")
            return None
        address = self.addresses[name]
        for wire, variable in self.variables.items():
            if f"{{{wire}}}" not in address:
                if variable.given is not None and not variable.shared:
                    problems.append(f"{variable.argument} is no part of the server {name!r}")
                continue
            is_chosen = is_chosen or variable.given is not None
            value = variable.default if variable.given is None else variable.given
            if variable.allowed and value not in (*variable.allowed, variable.default):
                problems.append(
                    f"{variable.argument} must be {_either(variable.allowed)}, got {value!r}"
                )
                continue
            if variable.own and value not in variable.own:
                value = variable.default
            if not self._fits(value, wire, address):
                problems.append(f"{variable.argument} must be a part of an address, got {value!r}")
                continue
            address = address.replace(f"{{{wire}}}", value)
        return address.rstrip("/") if is_chosen else None

    def _fits(self, value: object, wire: str, address: str) -> bool:
        """Return whether a value stays in its part of an address: it cannot name another host."""
        default = self.variables[wire].default
        if not isinstance(value, str) or value == default:
            return value == default
        places = address.split(f"{{{wire}}}")
        for name, variable in self.variables.items():
            places = [each.replace(f"{{{name}}}", variable.default) for each in places]
        return all(_stays(value, default, *around) for around in pairwise(places))


def _stays(value: str, default: str, before: str, after: str) -> bool:
    """Return whether what a variable may be, between what stands around it, has a value."""
    if "://" in after:
        return re.fullmatch(_SCHEME, value) is not None
    _, is_known, host = before.partition("://")
    if is_known and "/" not in host and not default.startswith("/"):
        port = "(:[0-9]+)?" if not after or after.startswith("/") else ""
        return re.fullmatch(_HOST + port, value) is not None
    if is_known and "/" not in host and not value.startswith("/"):
        return not value
    is_relative = not is_known and "://" not in default
    return not (is_relative and "//" in before + value) and re.fullmatch(_PATH, value) is not None


def _either(names: Mapping[str, str] | Sequence[str]) -> str:
    return " or ".join(map(repr, names))
