"""The kinds of fault, as a table: checking, the console and the documentation are made from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.wording import nearest, shown

Value = str | int | float | bool | None
"""The value of a parameter of a fault."""

_TYPES: Final[Mapping[str, tuple[Any, str]]] = {
    "integer": (int, "a whole number"),
    "number": (int | float, "a number"),
    "boolean": (bool, "true or false"),
    "text": (str, "a text"),
}


class BadFault(ControlError):
    """An invalid fault: which member is wrong, and why.

    Attributes:
        field: the member, such as `probability` or `script[2].status`; None for the whole fault.
        reason: a clause for people.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}" if field else reason, field or None)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Parameter:
    """A member of a fault.

    Attributes:
        meaning: a clause for people.
        default: its value if it is left out; None is a valid value then.
        choices: the texts that are allowed; empty for any.
    """

    name: str
    type: Literal["integer", "number", "boolean", "text"]
    meaning: str
    default: Value = None
    unit: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: Any, field: str) -> Value:
        """Return the value if it is valid for this parameter.

        Raises:
            BadFault: the value is invalid; the error names `field`.
        """
        if value is None and self.default is None:
            return None
        # To Python, true and false are numbers as well.
        fits = isinstance(value, bool) == (self.type == "boolean")
        if not (fits and isinstance(value, _TYPES[self.type][0]) and self._holds(value)):
            raise BadFault(field, f"must be {self.allowed}, not {shown(value)}")
        checked: Value = value
        return checked

    def _holds(self, value: Any) -> bool:
        if self.minimum is not None and self.maximum is not None:
            return bool(self.minimum <= value <= self.maximum)
        return not self.choices or value in self.choices

    @property
    def allowed(self) -> str:
        """The allowed values, as a phrase."""
        if self.choices:
            return " or ".join(map(repr, self.choices))
        phrase = _TYPES[self.type][1]
        if self.minimum is not None and self.maximum is not None:
            phrase += f" from {self.minimum} to {self.maximum}"
        return f"{phrase} ({self.unit})" if self.unit else phrase


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault.

    Attributes:
        does: what a client sees, a sentence for people.
        carried_out: whether the operation is carried out anyway.
        parameters: its own members; in a script, a bare value is the first of them.
        sends: how much of the response reaches the client.
    """

    name: str
    does: str
    carried_out: bool
    parameters: tuple[Parameter, ...] = ()
    sends: Literal["all", "part", "nothing"] = "all"

    def complete(self, given: Mapping[str, object], prefix: str = "") -> dict[str, Value]:
        """Return all parameters, with the defaults for those that are not given.

        Raises:
            BadFault: a parameter is unknown or has an invalid value; `prefix` comes before its
                name.
        """
        known = {each.name: each for each in self.parameters}
        for name in given:
            if name not in known:
                raise BadFault(prefix + name, unknown(f"member of {self.name!r}", name, known))
        return {
            name: member.check(given[name], prefix + name) if name in given else member.default
            for name, member in known.items()
        }


def unknown(what: str, name: str, known: Collection[str]) -> str:
    """Return a clause that says a name is unknown, and suggests a known one."""
    others = f"; there are {', '.join(sorted(known))}" if known else ""
    return f"there is no such {what}{nearest(name, known) or others}"


_RESET: Final = Parameter(
    "reset", "boolean", "close the connection with a reset (RST) instead of FIN", False
)
_RETRY_AFTER: Final = Parameter(
    "retry_after", "integer", "the header Retry-After", None, "seconds", 0, 86_400
)

_KINDS: Final = (
    Kind(
        "latency",
        "The response takes longer. It combines with any other fault; several delays add up.",
        True,
        (
            Parameter("ms", "integer", "the delay", 500, "milliseconds", 0, 600_000),
            Parameter(
                "when",
                "text",
                "wait before or after the operation is carried out; after, a client that gives up "
                "has still changed something",
                "before",
                choices=("before", "after"),
            ),
        ),
    ),
    Kind(
        "status",
        "The request is refused with this status and the error body that the operation documents.",
        False,
        (
            Parameter("status", "integer", "the HTTP status", 500, None, 400, 599),
            _RETRY_AFTER,
            Parameter("message", "text", "the message in the body; empty: a default message"),
        ),
    ),
    Kind(
        "rate-limited",
        "The request is refused as if the user's budget were spent.",
        False,
        (
            Parameter(
                "retry_after",
                "integer",
                "the header Retry-After; empty: until the window ends",
                None,
                "seconds",
                0,
                86_400,
            ),
        ),
    ),
    Kind(
        "drop-before",
        "The connection closes without a response; nothing was carried out.",
        False,
        (_RESET,),
        sends="nothing",
    ),
    Kind(
        "drop-after",
        "The operation is carried out, but the connection closes without a response.",
        True,
        (_RESET,),
        sends="nothing",
    ),
    Kind(
        "truncated",
        "The body stops half-way and the connection closes; Content-Length promised all of it.",
        True,
        (Parameter("keep", "number", "the share of the body that is sent", 0.5, None, 0, 1),),
        sends="part",
    ),
    Kind(
        "malformed-json",
        "A complete response whose body is half a JSON document.",
        True,
    ),
    Kind(
        "wrong-content-type",
        "An HTML page, as a proxy might send it, with the status of the response.",
        True,
    ),
    Kind(
        "slow-body",
        "The body arrives in small pieces.",
        True,
        (
            Parameter("chunk", "integer", "the size of a piece", 64, "bytes", 1, 1_048_576),
            Parameter("delay", "integer", "between two pieces", 100, "milliseconds", 0, 60_000),
        ),
    ),
    Kind(
        "empty-body",
        "The status and headers of the response, without a body.",
        True,
    ),
    Kind(
        "unknown-values",
        "Every enumeration code is replaced by an undocumented one.",
        True,
        (Parameter("field", "text", "only in fields of this name; empty: everywhere"),),
    ),
    Kind(
        "unknown-fields",
        "Every object in the body has additional, undocumented fields.",
        True,
        (Parameter("count", "integer", "how many", 1, None, 1, 100),),
    ),
)

KINDS: Final[Mapping[str, Kind]] = {each.name: each for each in _KINDS}
"""Every kind of fault by its name."""

_MANY: Final = 1_000_000_000

COMMON: Final = (
    Parameter("id", "text", "its name (letters, digits, '.', '_', '-'); none: 'fault-1', …"),
    Parameter("user", "text", "only requests of the user with this name or id; empty: everybody's"),
    Parameter("after", "integer", "let this many requests pass first", 0, "requests", 0, _MANY),
    Parameter(
        "times",
        "integer",
        "stop after this many requests; empty: never",
        None,
        "requests",
        1,
        _MANY,
    ),
    Parameter(
        "probability",
        "number",
        "the share of requests that it affects (seeded)",
        1.0,
        None,
        0,
        1,
    ),
    Parameter("repeat", "boolean", "repeat the script when it ends", False),
)
"""The members that every fault can have, beside `operations`, `kind` and `script`."""
