"""What may be given to a sandbox: one rule for each argument, by its name.

Python, the routes of control, the console and the command line all come past `checked`.
"""

from __future__ import annotations

import functools
import inspect
import json as stdlib_json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path
from types import FunctionType
from typing import Any, Final, ParamSpec, TypeAlias, TypedDict, TypeVar

from social_publishing_sandbox.compiled import orjson
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.clock import Clock
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.wording import nearest, shown

P = ParamSpec("P")
T = TypeVar("T")

Rule: TypeAlias = Callable[[Any], str | None]
"""Gives what a value must be; None for one that fits."""


class Changes(TypedDict, total=False):
    """Settings and their values; see `Sandbox`."""

    rate_limit: int | None
    nulls: bool
    processing: float | None
    fetch_hosts: Sequence[str]
    fetch_private: bool


class Filters(TypedDict, total=False):
    """Filters of requests; None for no filter.

    Attributes:
        operation: the `operationId`.
        status: a status, such as 422 or `"422"`, or a class, such as `"4xx"`.
        user: the user's name or id.
        api: `main` or `media`.
        fault: the id or the kind of a fault; `"*"` for any.
        problems: whether the response breaks the contract.
        violations: whether the request breaks a "must" of the specification.
        since: entries after this number.
    """

    operation: str | None
    status: int | str | None
    user: str | None
    method: str | None
    api: str | None
    fault: str | None
    problems: bool | None
    violations: bool | None
    since: int | None


def checked(function: Callable[P, T]) -> Callable[P, T]:
    """Hold the arguments of a method against their rules, each time before it is called.

    The default of a parameter fits in any case. The names and values of `**changes` and `**filters`
    are checked like arguments; other named ones are left to the method.

    Raises:
        KeyError: an argument has no rule.
    """
    _, *parameters = inspect.signature(function).parameters.values()
    in_order = [each.name for each in parameters if each.kind == each.POSITIONAL_OR_KEYWORD]
    groups = {each.name for each in parameters if each.kind == each.VAR_KEYWORD}
    defaults = {each.name: each.default for each in parameters if each.name not in groups}
    rules = {name: RULES[name] for name in defaults}

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        # What is missing, or one too many, Python says itself.
        for name, value in (*zip(in_order, args[1:], strict=False), *kwargs.items()):
            if name in rules and not _is_same(value, defaults[name]):
                check(name, value)
        for group in groups & _GROUPS.keys():
            check_group(group, {name: kwargs[name] for name in kwargs if name not in rules})
        return function(*args, **kwargs)

    return call


def _is_same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


def all_checked(cls: type[T]) -> type[T]:
    """Hold the arguments of every public method of a class against their rules."""
    for name, method in [*vars(cls).items()]:
        if isinstance(method, FunctionType) and not name.startswith("_"):
            setattr(cls, name, checked(method))
    return cls


def check(name: str, value: Any, rule: Rule | None = None) -> None:
    """Refuse a value that an argument cannot have.

    Args:
        rule: its rule; None for that of its name.

    Raises:
        ControlError: the value does not fit; the error names the argument.
    """
    if wanted := (rule or RULES[name])(value):
        raise ControlError(f"{name} must be {wanted}, not {shown(value)}", name)


def check_group(group: str, given: Mapping[str, Any]) -> None:
    """Refuse names that `**changes` or `**filters` do not have, and values that do not fit.

    Raises:
        ControlError: a name is unknown, or its value does not fit.
    """
    noun, known, optional = _GROUPS[group]
    for name, value in given.items():
        if name not in known:
            hint = nearest(name, known) or f"; there are {', '.join(known)}"
            raise ControlError(f"there is no {noun} {name!r}{hint}", name)
        if not (optional and value is None):
            check(name, value)


def read(name: str, text: str) -> Any:
    """Return what a text gives to an argument, as in an address: the text where it fits, else the
    number, true or false that it spells.

    Raises:
        ControlError: neither fits.
    """
    rule, value = RULES[name], text
    if rule(text):
        with suppress(ValueError):
            value = orjson.loads(text)
    if rule(value):
        check(name, text)
    return value


# The rules


def moment(value: Any) -> str | None:
    """Return what a moment must be, unless this is one."""
    if isinstance(value, datetime) and value.utcoffset() is None:
        return "a datetime with a time zone: datetime(…, tzinfo=UTC)"
    if not isinstance(value, datetime | str):
        return "a datetime or a text"
    try:
        times.text(times.milliseconds(value))
    except (ValueError, OverflowError):
        return "a date-time such as 2026-12-01T09:00:00Z"
    return None


def _text(value: Any) -> str | None:
    if not isinstance(value, str):
        return "a text"
    return json(value) and "a text of whole characters"


def json(value: Any) -> str | None:
    """Return what a value must be, unless JSON can hold this one."""
    try:
        stdlib_json.dumps(value, allow_nan=False)  # no NaN, and no datetime somewhere inside
        orjson.dumps(value)  # no half of a character, no name but texts, at most 64 bits
    except (ValueError, TypeError, RecursionError):
        return "a value that JSON can hold"
    return None


def _rule(fits: Callable[[Any], bool], wanted: str) -> Rule:
    return lambda value: None if fits(value) else wanted


def _whole(least: int, most: float = float("inf"), wanted: str = "") -> Rule:
    wanted = wanted or f"a whole number, at least {least}"
    return _rule(lambda value: _is_whole(value) and least <= value <= most, wanted)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and value == value)


def _is_path(value: Any) -> bool:
    if not isinstance(value, str | Path):
        return False
    try:
        return b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        return False


def _is_status(value: Any) -> bool:
    if isinstance(value, str):
        return bool(re.fullmatch("[1-5]([0-9]{2}|[xX]{2})", value))
    return _is_whole(value) and 100 <= value < 600


def _is_mode(value: Any) -> bool:
    try:
        Clock(value if isinstance(value, str) else "", 0)
    except ValueError:
        return False
    return True


def _is_host(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        ip_address(value)
    except ValueError:
        return value == "*" or bool(_NAME.fullmatch(value.removeprefix("*.")))
    return True


def _is_origin(value: Any) -> bool:
    return value == "*" or bool(
        isinstance(value, str) and re.fullmatch(r"https?://[^/?#\s]+", value)
    )


def _list_of(fits: Callable[[Any], bool], wanted: str) -> Rule:
    return _rule(lambda value: isinstance(value, list | tuple) and all(map(fits, value)), wanted)


_NAME: Final = re.compile(r"[\w-]+(\.[\w-]+)*\.?")
_YEAR: Final = 366 * 24 * 3600

_flag: Final = _rule(lambda value: isinstance(value, bool), "true or false")
_number: Final = _rule(_is_number, "a number")
_path: Final = _rule(_is_path, "a path")
_requests: Final = _rule(
    lambda value: value is None or (_is_whole(value) and value > 0),
    "a whole number, at least 1, or null for no limit",
)
_mode: Final = _rule(_is_mode, "real, frozen, or x and a number such as x60")
_port: Final = _whole(0, 65_535, "a number from 0 to 65535")

RULES: Final[Mapping[str, Rule]] = {
    **dict.fromkeys(("days", "hours", "minutes", "seconds"), _number),
    **dict.fromkeys(("now", "at", "publication_date", "to"), moment),
    **dict.fromkeys(("clock", "mode"), _mode),
    **dict.fromkeys(("rate_limit", "requests"), _requests),
    **dict.fromkeys(("port", "media_port"), _port),
    **dict.fromkeys(("since", "limit", "number"), _whole(0)),
    **dict.fromkeys(("db", "documents"), _path),
    **dict.fromkeys(
        (
            *("post_id", "account_id", "fault_id", "user", "role", "reason", "name", "kind"),
            *("text", "operation", "method", "fault"),
        ),
        _text,
    ),
    **dict.fromkeys(
        (
            *("nulls", "fetch_private", "check", "on"),
            *("newest_first", "problems", "violations", "bodies"),
        ),
        _flag,
    ),
    "host": _rule(
        lambda value: isinstance(value, str) and "\0" not in value, "a name or an address"
    ),
    "world": _rule(
        lambda value: isinstance(value, str | Path | Mapping), "a name, a path or the world itself"
    ),
    "seed": _whole(-(2**63), 2**63 - 1, "a whole number of at most 63 bits"),
    "window": _whole(1, _YEAR, "a whole number of seconds, from 1 to a year"),
    "within": _rule(lambda value: _is_number(value) and value >= 0, "seconds, at least 0"),
    "processing": _rule(
        lambda value: value is None or (_is_number(value) and 0 <= value <= _YEAR),
        "seconds, from 0 to a year",
    ),
    "status": _rule(_is_status, "like 422 or 4xx"),
    "api": _rule(lambda value: value in ("main", "media"), "main or media"),
    "fields": _rule(
        lambda value: isinstance(value, Mapping) and all(isinstance(each, str) for each in value),
        "values by the names of fields",
    ),
    "fetch_hosts": _list_of(_is_host, "a list of hosts: names, IP addresses, *.example.com or *"),
    "cors": _list_of(_is_origin, "a list of origins: http://host:port or *"),
    "control_token": _rule(
        lambda value: isinstance(value, str) and bool(re.fullmatch("[!-~]+", value)),
        "at least one character, printable ASCII without spaces",
    ),
}
"""The rule of each argument."""

SETTINGS: Final = tuple(Changes.__annotations__)
"""What `configure` changes."""

_GROUPS: Final = {
    "changes": ("setting", SETTINGS, False),
    "filters": ("filter", tuple(Filters.__annotations__), True),
}
"""Of `**changes` and `**filters`: what one is called, their names, and whether None is none."""
