"""Arguments on their way out: checked against what the documents allow, and turned into JSON.

The types of the generated code are the rules: `Annotated[str, Meta(max_length=50)]` is both what
a reader sees and what is checked here, by way of `msgspec.inspect`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache, lru_cache, partial
from sys import float_info
from types import NoneType, SimpleNamespace
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import UNSET, inspect

from ..core.errors import ArgumentProblem
from ..core.models import Alternatives
from ..core.times import elapsed, is_zone, wire_datetime
from ..core.type_guards import (
    is_count,
    is_items,
    is_list,
    is_mapping,
    is_number,
    is_object,
    type_name,
)
from .patterns import search_of
from .styles import SEPARATORS, escaped, in_cookie, in_path, in_query, listed, plain_text

_NO_WORDS: Final[Mapping[str, Any]] = {}

# The integers of each format of the registry, as numbers or as texts; any where none is said.
_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "int32": (-(2**31), 2**31 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "uint64": (0, 2**64 - 1),
}
_NO_LIMITS: Final = dict.fromkeys(("ge", "gt", "le", "lt", "multiple_of"))
_MOST_DIGITS: Final = 400  # of a decimal number before or after its point
_BYTES: Final = (bytes, bytearray, memoryview)
_DIGITS: Final = "must be digits only"
_IN_WORDS: Final[Mapping[str, str]] = dict.fromkeys(
    ("^[0-9]+$", r"^\d+$", "^[0-9]*$", r"^\d*$"), _DIGITS
)
_COOKIE = re.compile(r"[!#-+\--:<-\[\]-~]*")  # the characters of a value, by RFC 6265
_JSON_TEXTS: Final[Mapping[type, re.Pattern[str]]] = {
    datetime: re.compile(r"\d{4}-\d\d-\d\d[Tt ][0-9:.]+([Zz]|[+-]\d\d:\d\d)?", re.ASCII),
    date: re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
    UUID: re.compile("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
    Decimal: re.compile(r"-?\d+(\.\d+)?([Ee][+-]?\d+)?", re.ASCII),
}
_INTEGER_TEXT = re.compile(r"0|-?[1-9][0-9]{0,19}")

# Reserved characters that change neither where a path or a query ends nor what it is cut into.
_KEPT_IN_PATH: Final = "!$&'()*+,;=:@/"
_KEPT_IN_QUERY: Final = "!$'()*,;=:@/?"
_type_info = lru_cache(maxsize=None)(inspect.type_info)


@cache
def _alternatives(type_: Alternatives) -> list[inspect.Type]:
    return [_type_info(each) for each in type_.types]


class Parameter(msgspec.Struct, frozen=True):
    """A value for a place in the request line or the headers.

    Attributes:
        name: the name that the service knows it by.
        value: what the caller gave; UNSET leaves it out.
        type: the type that says what is allowed.
        argument: the name that the caller knows it by.
        explode: whether each item of a list is written as a parameter of its own, and each member
            of an object under its own name.
        style: how a list or an object is written, by the words of OpenAPI; of a text of its own,
            `json`; with `[]` at its end, names of lists have brackets. The usual one of its place
            where it is empty.
        reserved: whether reserved characters stay as they are (`allowReserved`).
    """

    name: str
    value: Any
    type: Any
    argument: str
    explode: bool = True
    style: str = ""
    reserved: bool = False


def is_media_type(text: Any) -> bool:
    """Return whether a value can be the media type of a body or of a part."""
    return isinstance(text, str) and bool(re.fullmatch(r"[!-.0-~]+/[!-.0-~][ -~]*", text))


def is_in_range(value: Any, media_range: str) -> bool:
    """Return whether a value is a media type of a range, such as `image/*`."""
    start = media_range.removesuffix("*").removeprefix("*/")
    return is_media_type(value) and value.lower().startswith(start) and value[-2:] != "/*"


def _escape(parameter: Parameter, value: Any, kept: str) -> Callable[[str], str]:
    """Return what escapes the texts of a value; the commas between items stand for themselves."""
    if not parameter.reserved:
        return escaped
    several = is_list(value) or is_object(value)
    return partial(escaped, kept=kept.replace(",", "") if several else kept)


class Window(msgspec.Struct, frozen=True):
    """Two instants that may not lie too far apart: less than this many days."""

    start: tuple[str, Any]
    end: tuple[str, Any]
    under_days: float


class Checker:
    """Turns arguments into JSON values and collects every problem on the way.

    Args:
        in_dict: whether what it checks stands in a dict in the place of a model: there, a text that
            JSON has for a moment, a day, a UUID or a decimal number is taken, too.
    """

    def __init__(self, in_dict: bool = False) -> None:
        self.problems: list[ArgumentProblem] = []
        self._in_dict = in_dict
        self._expected_at: dict[str, tuple[tuple[str, ...], str]] = {}

    def refuse(self, argument: str, reason: str) -> None:
        """Record that an argument is refused."""
        self.problems.append(ArgumentProblem(argument, reason))

    def length(self, length: int, node: Any, argument: str, unit: str) -> None:
        """Refuse a number of characters, items or members that is outside of its limits."""
        if node.max_length is not None and length > node.max_length:
            self.refuse(argument, f"at most {_count(node.max_length, unit)}, got {length}")
        if node.min_length is not None and length < node.min_length:
            self.refuse(argument, f"at least {_count(node.min_length, unit)}, got {length}")

    def wire(self, value: Any, type_: Any, argument: str) -> Any:
        """Return the JSON value of an argument of this type; problems are recorded, not raised."""
        return self._wire(value, _type_info(type_), argument)

    def fields(self, model: msgspec.Struct, beside: Collection[str] = ()) -> dict[str, Any]:
        """Return the JSON object of a model; problems are named by its fields alone.

        Args:
            beside: the names of properties that are sent beside it, in parts of their own.
        """
        node = _type_info(type(model))
        assert isinstance(node, inspect.StructType)
        return self._struct(model, node, "", beside)

    def path(self, template: str, parameters: Iterable[Parameter]) -> str:
        """Return the template with its `{name}` places filled, every value percent-encoded."""
        for parameter in parameters:
            known = len(self.problems)
            value = self.wire(parameter.value, parameter.type, parameter.argument)
            escape = _escape(parameter, value, _KEPT_IN_PATH)
            text = in_path(parameter.name, value, parameter.style, parameter.explode, escape)
            is_dotted = not {".", ".."}.isdisjoint(text.split("/"))
            if (not text or is_dotted) and len(self.problems) == known:
                self.refuse(parameter.argument, f"{text!r} cannot be part of a path")
            template = template.replace("{" + parameter.name + "}", text)
        return template

    def _given(self, parameters: Iterable[Parameter]) -> Iterator[tuple[Parameter, Any]]:
        """Yield each parameter that has a value, and its JSON value."""
        for parameter in parameters:
            if parameter.value is not UNSET:
                yield parameter, self.wire(parameter.value, parameter.type, parameter.argument)

    def query(self, parameters: Iterable[Parameter]) -> str:
        """Return the query string, percent-encoded; the commas of lists stay literal."""
        pairs: list[str] = []
        for parameter, value in self._given(parameters):
            separator = SEPARATORS.get(parameter.style or "form")
            # Of commas, those inside of an item are percent-encoded (RFC 6570 §3.2.1).
            if separator and separator != "," and not parameter.explode:
                self._refuse_separators(value, parameter, separator)
            escape = _escape(parameter, value, _KEPT_IN_QUERY)
            pairs += in_query(parameter.name, value, parameter.style, parameter.explode, escape)
        return "&".join(pairs)

    def headers(self, parameters: Iterable[Parameter]) -> dict[str, str]:
        """Return the header fields."""
        fields: dict[str, str] = {}
        for parameter, value in self._given(parameters):
            if parameter.style != "json":
                self._refuse_separators(value, parameter, ",")
            text = in_path(parameter.name, value, parameter.style, parameter.explode)
            if not (text.isascii() and text.isprintable()):
                self.refuse(
                    parameter.argument, "a header can contain only printable ASCII characters"
                )
            elif text != text.strip():
                self.refuse(parameter.argument, "a header cannot begin or end with white space")
            fields[parameter.name] = text
        return fields

    def cookies(self, parameters: Iterable[Parameter]) -> str:
        """Return the cookies as one header field; their values go out unchanged."""
        pairs: list[str] = []
        for parameter, value in self._given(parameters):
            style, explode = parameter.style, parameter.explode
            for name, items in in_cookie(parameter.name, value, style, explode):
                if not all(map(_COOKIE.fullmatch, (name, *items))):
                    text = "a cookie can contain only printable ASCII characters, and no space"
                    self.refuse(parameter.argument, f'{text} or any of ",;\\')
                pairs.append(f"{name}={','.join(items)}")
        return "; ".join(pairs)

    def media_type(self, given: Parameter) -> str:
        """Return the media type of a body; the name of the parameter is the range around it."""
        value = given.value
        if is_in_range(value, given.name):
            return str(value)
        got = "nothing" if value is UNSET else repr(value)
        self.refuse(given.argument, f"expected a media type of {given.name}, got {got}")
        return ""

    def window(self, window: Window) -> None:
        """Refuse a window that is too long; values of other types are left to their own checks."""
        (_, start), (name, end) = window.start, window.end
        try:
            days = elapsed(start, end) / timedelta(days=1)
        except TypeError:
            return
        if days >= window.under_days:
            self.refuse(
                name,
                f"must be less than {window.under_days:g} days after {window.start[0]}, "
                f"got {days:g} days",
            )

    def any_of(self, arguments: Mapping[str, Any]) -> None:
        """Refuse a call in which none of these arguments is given."""
        if arguments and all(v is UNSET or (is_items(v) and not v) for v in arguments.values()):
            self.refuse(" or ".join(arguments), "at least one must be given")

    def _refuse_separators(self, value: Any, parameter: Parameter, separator: str) -> None:
        """Refuse items that cannot be told apart: nothing escapes what separates them there."""
        for index, item in enumerate(listed(value) if is_list(value) or is_object(value) else ()):
            if separator in (item if isinstance(item, str) else plain_text(item)):
                place = f"[{index}]" if is_list(value) else ""
                self.refuse(
                    f"{parameter.argument}{place}",
                    f"{_shorten(item)} holds {separator!r}; that separates the items",
                )

    def _wire(
        self, value: Any, node: inspect.Type, argument: str, words: Mapping[str, Any] = _NO_WORDS
    ) -> Any:
        """Return the JSON value of one of the types; `words` come from an enclosing `Meta`."""
        match node:
            case inspect.StrType():  # the most frequent first
                return self._str(value, node, argument, words)
            case inspect.Metadata():
                extra: Any = getattr(node, "extra", None)  # typed as a bare `dict`
                return self._wire(value, node.type, argument, extra or _NO_WORDS)
            case inspect.StructType():
                return self._struct(value, node, argument)
            case inspect.UnionType():
                return self._union(value, node.types, argument, words)
            case inspect.CustomType(cls=Alternatives() as cls):
                return self._union(value, _alternatives(cls), argument, words)
            case inspect.ListType():
                return self._list(value, node, argument)
            case inspect.DictType():
                return self._dict(value, node, argument)
            case inspect.EnumType():
                return self._enum(value, node, argument)
            case inspect.LiteralType():
                return self._literal(value, node, argument)
            case inspect.IntType() | inspect.FloatType():
                return self._number(value, node, argument, words)
            case inspect.DecimalType():
                return self._decimal(value, argument, words)
            case inspect.DateTimeType():
                return self._datetime(value, argument, words)
            case inspect.DateType():
                return self._date(value, argument)
            case inspect.BoolType():
                return self._bool(value, argument, words)
            case inspect.UUIDType():
                return plain_text(self._of_kind(value, UUID, "a UUID", argument))
            case inspect.NoneType():
                return self._instance(value, NoneType, "None", argument)
            case inspect.AnyType():
                return self._any(value, argument)
            case _:
                raise TypeError(f"no argument can be of the type {node}")

    def _instance(self, value: Any, kind: type, what: str, argument: str) -> Any:
        if isinstance(value, kind):
            return value
        self._expected(what, value, argument)
        return None

    def _of_kind(self, value: Any, kind: type, what: str, argument: str) -> Any:
        """Return a value of a kind; in a dict also what JSON has in its place, read."""
        if isinstance(value, kind) and not (kind is date and isinstance(value, datetime)):
            return value
        meant = _read(value, kind)
        if meant is not None and self._in_dict:
            return meant
        naive = isinstance(meant, datetime) and meant.tzinfo is None
        near = "" if meant is None else f"; did you mean {meant!r}{', with a tzinfo' * naive}?"
        self._expected(what, value, argument, near)
        return None

    def _expected(self, what: str, value: Any, argument: str, near: str = "") -> None:
        shown = "null (None)" if value is None else f"{type_name(value)} {_shorten(value)}"
        self._expect(argument, (what,), f"got {shown}{near}")

    def _expect(self, argument: str, kinds: tuple[str, ...], got: str) -> None:
        """Refuse an argument, of which each alternative expects another kind."""
        self._expected_at[argument] = (kinds, got)
        shown = [*kinds]
        if len(shown) > 4:
            shown[3:] = [f"{len(shown) - 3} others"]
        last = shown.pop()
        listed = f"{', '.join(shown)} or {last}" if shown else last
        self.refuse(argument, f"expected {listed}, {got}")

    def _any(self, value: Any, argument: str) -> Any:
        try:
            builtins = msgspec.to_builtins(value, builtin_types=_BYTES, enc_hook=_as_builtin)
            msgspec.json.encode(builtins)  # sees more than `to_builtins`: surrogates, keys
        except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
            self.refuse(argument, f"cannot be written as JSON: {error}")
            return None
        return self._json(builtins, argument)

    def _json(self, value: Any, argument: str) -> Any:
        """Return a value of the types of JSON; its numbers may still be too large."""
        if is_object(value):
            return {key: self._json(item, f"{argument}[{key!r}]") for key, item in value.items()}
        if is_list(value):
            return [self._json(item, f"{argument}[{i}]") for i, item in enumerate(value)]
        if isinstance(value, _BYTES):
            self.refuse(argument, "bytes cannot be written as JSON: encode them to a text first")
            return None
        if not is_number(value):
            return value
        node = inspect.IntType() if is_count(value) else inspect.FloatType()
        return self._number(value, node, argument, _NO_WORDS)

    def _number(
        self,
        value: Any,
        node: inspect.IntType | inspect.FloatType,
        argument: str,
        words: Mapping[str, Any],
    ) -> Any:
        is_integer = isinstance(node, inspect.IntType)
        if isinstance(value, Enum):
            value = value.value
        if not (is_count(value) if is_integer else is_number(value)):
            self._expected("an integer" if is_integer else "a number", value, argument)
            return None
        value = _as_builtin(value)
        low, high = _RANGES.get(words.get("format", ""), (value, value))
        if is_integer and not low <= value <= high:
            self.refuse(argument, f"must be from {low} to {high}, got {_shorten(value)}")
            return None
        if not abs(value) <= float_info.max:  # NaN is not, either
            self.refuse(argument, f"{_shorten(value)} cannot be written as JSON")
            return None
        self._in_limits(value, node, argument)
        return value

    def _decimal(self, value: Any, argument: str, words: Mapping[str, Any]) -> Any:
        """Return a decimal number; as a text in plain digits where the words say so."""
        value = Decimal(value) if is_count(value) else value
        value = self._of_kind(value, Decimal, "a Decimal", argument)
        if value is None:
            return None
        if not value.is_finite() or abs(value.adjusted()) > _MOST_DIGITS:
            self.refuse(argument, f"{_shorten(value)} cannot be written as JSON")
        elif words.get("is_text"):
            node = inspect.StrType(**words.get("limits", {}))
            return self._str(plain_text(value), node, argument, _NO_WORDS)
        else:
            limits = {name: Decimal(str(limit)) for name, limit in words.get("limits", {}).items()}
            self._in_limits(value, SimpleNamespace(**_NO_LIMITS | limits), argument)
            return value
        return None

    def _in_limits(self, value: Any, node: Any, argument: str) -> None:
        if node.ge is not None and value < node.ge:
            self.refuse(argument, f"must be at least {node.ge}, got {value}")
        if node.gt is not None and value <= node.gt:
            self.refuse(argument, f"must be more than {node.gt}, got {value}")
        if node.le is not None and value > node.le:
            self.refuse(argument, f"must be at most {node.le}, got {value}")
        if node.lt is not None and value >= node.lt:
            self.refuse(argument, f"must be less than {node.lt}, got {value}")
        if node.multiple_of is not None and not _divides(node.multiple_of, value):
            self.refuse(argument, f"must be a multiple of {node.multiple_of}, got {value}")

    def _str(
        self, value: Any, node: inspect.StrType, argument: str, words: Mapping[str, Any]
    ) -> str | None:
        if not isinstance(value, str):
            self._expected("a text", value, argument)
            return None
        text = str(value.value) if isinstance(value, Enum) else str.__str__(value)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.refuse(argument, "contains half of a surrogate pair, which cannot be sent")
            return None
        self.length(len(text), node, argument, "character")
        low, high = _RANGES.get(words.get("format", ""), (0, 0))
        mismatch = ""
        if high and not (_INTEGER_TEXT.fullmatch(text) and low <= int(text) <= high):
            is_number = re.fullmatch("-?[0-9]+", text) or low < 0
            rule = f"is no integer from {low} to {high}, in plain digits"
            mismatch = f"{_shorten(text)} {rule if is_number else _DIGITS}"
        elif node.pattern is not None and (search := search_of(node.pattern)) and not search(text):
            mismatch = (
                f"{_shorten(text)} {_IN_WORDS.get(node.pattern, f'does not fit {node.pattern}')}"
            )
        elif text and words.get("format") == "iana-timezone" and not is_zone(text):
            mismatch = f"{_shorten(text)} is no time zone that this machine or tzdata knows"
        if mismatch:
            self.refuse(argument, mismatch if text else "must not be empty")
        return text

    def _bool(self, value: Any, argument: str, words: Mapping[str, Any]) -> Any:
        flag = self._instance(value, bool, "a boolean", argument)
        if flag is None or "boolean_format" not in words:
            return flag
        true, false = words["boolean_format"].split("/")
        return true if flag else false

    def _datetime(self, value: Any, argument: str, words: Mapping[str, Any]) -> str | None:
        value = self._of_kind(value, datetime, "a datetime", argument)
        if value is None:
            return None
        try:
            return wire_datetime(value, words.get("datetime_format"), words.get("timezone"))
        except ValueError as error:
            self.refuse(argument, str(error))
            return None

    def _date(self, value: Any, argument: str) -> str | None:
        value = self._of_kind(value, date, "a date", argument)
        return None if value is None else value.isoformat()

    def _enum(self, value: Any, node: inspect.EnumType, argument: str) -> Any:
        foreign = isinstance(value, Enum) and not isinstance(value, node.cls)
        raw = value.value if isinstance(value, Enum) else value
        kind = int if issubclass(node.cls, int) else str
        name = node.cls.__name__
        if foreign or isinstance(raw, bool) or not isinstance(raw, kind):
            self._expected(f"a {name}", value, argument, near=_near(raw, node.cls))
            return None
        raw = _as_builtin(raw)
        if raw not in node.cls._value2member_map_:
            known = _near(raw, node.cls) or f": one of {', '.join(str(e.value) for e in node.cls)}"
            self.refuse(argument, f"{_shorten(raw)} is no {name}{known}")
            return None
        return raw

    def _literal(self, value: Any, node: inspect.LiteralType, argument: str) -> Any:
        if isinstance(value, Enum):
            value = value.value
        if isinstance(value, str):
            value = str.__str__(value)
        if any(type(value) is type(known) and value == known for known in node.values):
            return value
        shown = f"{type_name(value)} {_shorten(value)}"
        self._expect(argument, (*map(repr, node.values),), f"got {shown}")
        return None

    def _list(self, value: Any, node: inspect.ListType, argument: str) -> list[Any] | None:
        if not is_items(value):
            self._expected("a list", value, argument)
            return None
        self.length(len(value), node, argument, "item")
        return [
            self._wire(item, node.item_type, f"{argument}[{index}]")
            for index, item in enumerate(value)
        ]

    def _dict(self, value: Any, node: inspect.DictType, argument: str) -> dict[str, Any] | None:
        if not is_mapping(value):
            self._expected("a mapping", value, argument)
            return None
        self.length(len(value), node, argument, "member")
        result: dict[str, Any] = {}
        for key, item in value.items():
            name = plain_text(self._wire(key, node.key_type, f"{argument}, key"))
            shown = key.value if isinstance(key, Enum) else key
            result[name] = self._wire(item, node.value_type, f"{argument}[{shown!r}]")
        return result

    def _struct(
        self, value: Any, node: inspect.StructType, argument: str, beside: Collection[str] = ()
    ) -> dict[str, Any]:
        around, self._in_dict = self._in_dict, is_mapping(value)
        if is_mapping(value):
            value = self._of_mapping(value, node, argument)
        elif not isinstance(value, node.cls):
            self._expected(f"a {node.cls.__name__}", value, argument)
            self._in_dict = around
            return {}
        prefix = f"{argument}." if argument else ""
        result: dict[str, Any] = {}
        for field in node.fields:
            item = getattr(value, field.name)
            if item is not UNSET:
                wire = self._wire(item, field.type, prefix + field.name)
                if field.encode_name:
                    result[field.encode_name] = wire
                else:  # what no field names; the fields win
                    result = {**(wire or {}), **result}
            elif field.required and field.encode_name not in beside:
                self.refuse(prefix + field.name, "is required")
        self._in_dict = around
        return result

    def _of_mapping(self, given: Mapping[Any, Any], node: inspect.StructType, argument: str) -> Any:
        """Return what a mapping gives for a model, by the names of its fields or those in JSON."""
        values: dict[str, Any] = {
            field.name: UNSET if field.default is msgspec.NODEFAULT else field.default
            for field in node.fields
        }
        known = {field.encode_name: field.name for field in node.fields} | {n: n for n in values}
        others = next((field.name for field in node.fields if not field.encode_name), None)
        more: dict[Any, Any] = {}
        for key, item in given.items():
            if key in known and key:
                values[known[key]] = item
            else:
                more[key] = item
        if others is not None and more:
            values[others] = more
        elif more:
            for key in more:
                near = _nearest(str(key), [each for each in known if each])
                meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
                self.refuse(f"{argument}[{key!r}]", f"is no field of {node.cls.__name__}{meant}")
        return SimpleNamespace(**values)

    def _union(
        self,
        value: Any,
        types: Iterable[inspect.Type],
        argument: str,
        words: Mapping[str, Any],
    ) -> Any:
        if value is None and any(isinstance(kind, inspect.NoneType) for kind in types):
            return None
        kinds = [kind for kind in types if not isinstance(kind, inspect.NoneType)]
        trials: list[Checker] = []
        for in_dict in dict.fromkeys(
            (False, self._in_dict)
        ):  # first as it is, then what it stands for
            trials = []
            for kind in kinds:
                trial = Checker(in_dict)
                result = trial._wire(value, kind, argument, words)
                if not trial.problems:
                    return result
                trials.append(trial)

        # Of those of its kind that came to what is inside, that with the fewest problems was meant.
        def distance(trial: Checker) -> tuple[bool, bool, int]:
            depth = max(len(problem.argument) for problem in trial.problems)
            is_other = argument in trial._expected_at
            return is_other, depth <= len(argument), len(trial.problems)

        nearest = min(trials, key=distance)
        for problem in nearest.problems:
            place = problem.argument
            every = [each for trial in trials if (each := trial._expected_at.get(place))]
            if len(every) == len(trials):  # any of them would do
                wanted = dict.fromkeys(kind for kinds, _ in every for kind in kinds)
                self._expect(place, (*wanted,), nearest._expected_at[place][1])
            else:
                self.problems.append(problem)
        return None


_READ: Final[Mapping[type, Callable[[str], Any]]] = {
    datetime: lambda text: datetime.fromisoformat(text.upper()),
    date: date.fromisoformat,
    UUID: UUID,
    Decimal: Decimal,
}


def _read(value: Any, kind: type) -> Any:
    """Return what a text or a number of JSON stands for, of a kind; None where it is none."""
    if kind is Decimal and isinstance(value, float):
        value = repr(value)
    if not isinstance(value, str) or not _JSON_TEXTS[kind].fullmatch(value):
        return None
    try:
        return _READ[kind](value)
    except (ValueError, ArithmeticError):
        return None


def _nearest(name: str, names: Iterable[str]) -> list[str]:
    """Return which names are like one; several that are so alike."""
    from difflib import SequenceMatcher  # rarely needed, and not free to load

    alike = {each: SequenceMatcher(None, each, name).ratio() for each in names}
    return [each for each in alike if alike[each] == max(0.6, *alike.values())]


def _near(value: object, codes: type[Enum]) -> str:
    """Return which code was probably meant, as the end of a message; empty if none is near."""
    if not isinstance(value, str):
        return ""
    from difflib import get_close_matches  # rarely needed, and not free to load

    known = {text.lower(): each.name for each in codes for text in (str(each.value), each.name)}
    matches = get_close_matches(value.lower().replace(" ", "_"), known, n=1)
    return f"; did you mean {codes.__name__}.{known[matches[0]]}?" if matches else ""


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def _divides(divisor: float, number: float) -> bool:
    """Return whether a number is a multiple of another as they are written: 0.3 is one of 0.1."""
    if isinstance(divisor, int) and isinstance(number, int):
        return number % divisor == 0
    from fractions import Fraction  # rarely needed, and not free to load

    numerator, denominator = (Fraction(str(value)) for value in (number, divisor))
    return (numerator / denominator).denominator == 1


def _as_builtin(value: Any) -> Any:
    """Return a text or a number that is of a class of the caller's own as what it is."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    raise TypeError(f"{type(value).__name__} is not a JSON type")


def _shorten(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:  # an integer of more digits than Python writes, a class with a fault
        return "…"
    return text if len(text) <= 60 else text[:59] + "…"
