"""The `x-` words of documents as typed values; the types of a word are its schema.

To add a word, write its type here (a class where it has members) and name it in the class of the
kind of object on which it stands: `x-wait-with` is the field `wait_with`. What the word names
(properties, operations, arguments) is looked up by a rule in `pipeline/lint/calls.py`.
"""

from __future__ import annotations

import functools
import keyword
import re
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar

import jsonschema_rs

from pipeline.openapi.documents import Pointer
from pipeline.openapi.typed import Must, present, schema_of, value_of
from pipeline.openapi.validation import described, keys

# What a type describes ends the sentence "must be …".
Text = Annotated[str, Must("a text", pattern=r"\S")]
PythonName = Annotated[
    str,
    Must("a Python name", pattern=r"^[^\W\d]\w*$", **{"not": {"enum": keyword.kwlist}}),
]
PropertyPath = Annotated[
    str, Must("a path of properties, such as `meta.next`", pattern=r"^[^.\s]+(\.[^.\s]+)*$")
]
Header = Annotated[str, Must("the name of a header", pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")]
GapId = Annotated[
    str, Must("the id of a gap, such as a.bC", pattern=r"^[A-Za-z][A-Za-z0-9]*([.-][A-Za-z0-9]+)*$")
]
_GapEntry = Annotated[
    Any,
    Must(
        "an entry of the register of gaps",
        type="object",
        required=["section", "missing", "decision"],
        additionalProperties={"type": "string"},
    ),
]
Gaps = Annotated[tuple[GapId, ...], Must("an array of ids of gaps", minItems=1)]
Scalar = str | bool | int | None
Count = Annotated[int, Must("a whole number from 1", minimum=1)]
Codes = Annotated[
    tuple[str | int, ...],
    Must(
        "an array of strings, or of integers, each once",
        minItems=1,
        uniqueItems=True,
        anyOf=[{"items": {"type": "string"}}, {"items": {"type": "integer"}}],
    ),
]
DateTimeFormat = Annotated[
    str,
    Must(
        "a date and time in the directives %Y %m %d %H %M %S %f %z",
        pattern=r"^(?=.*%Y)(?=.*%m)(?=.*%d)([^%]|%[YmdHMSfz%])+$",
    ),
]
Flag = Annotated[bool, Must(const=True)]
Names = Annotated[tuple[Text, ...], Must("an array of names", minItems=1)]
Paths = Annotated[tuple[PropertyPath, ...], Must("an array of names", minItems=1)]
Zone = Annotated[
    str,
    Must(
        "UTC or a zone such as Europe/Paris",
        pattern=r"^(UTC|[A-Z][A-Za-z_+-]*(/[A-Za-z0-9_+-]+)+)$",
    ),
]
BooleanFormat = Annotated[
    str, Must("the texts of true and of false, such as 1/0", pattern=r"^([^/]+)/(?!\1$)[^/]+$")
]
Unit = Literal[
    "bytes", "kilobytes", "kibibytes", "megabytes", "mebibytes",
    "milliseconds", "seconds", "minutes",
]  # fmt: skip
Extension = Annotated[str, Must("an extension in lower case, without a dot", pattern="^[a-z0-9]+$")]
Section = Annotated[
    str, Must('the number of a section in quotes, such as "4.1"', pattern=r"^[0-9]+(\.[0-9]+)*$")
]


@dataclass(frozen=True)
class _Word:
    """A word with members; `rules` are the keywords of its schema beside its members."""

    rules: ClassVar[Mapping[str, Any]] = {}


@dataclass(frozen=True)
class Paging(_Word):
    """`x-paging`: a list in pages, and the way from one to the next.

    `next` holds the address of the next page, or, with `cursor`, what that parameter takes. Without
    `items` the response is the array.
    """

    rules: ClassVar[Mapping[str, Any]] = {
        "anyOf": [{"required": [each]} for each in ("next", "page", "offset", "link")],
        "dependentRequired": {"current": ["page"], "last": ["page"], "cursor": ["next"]},
    }

    items: PropertyPath | None = None
    next: PropertyPath | None = None
    cursor: Text | None = None
    offset: Text | None = None
    total: PropertyPath | None = None
    more: PropertyPath | None = None
    link: Flag | None = None
    current: PropertyPath | None = None
    last: PropertyPath | None = None
    page: Text | None = None


@dataclass(frozen=True)
class Batch(_Word):
    """`x-batch`: an array that may be longer than one request takes.

    `result` is the class of what all requests give together, with what was sent and stands in none
    of the `mentioned` lists of a response.
    """

    rules: ClassVar[Mapping[str, Any]] = {
        "dependentRequired": {"result": ["mentioned"], "mentioned": ["result"]}
    }

    of: Text
    size: Count | None = None
    key: Text | None = None
    result: PythonName | None = None
    mentioned: Names | None = None


@dataclass(frozen=True)
class Single(_Word):
    """`x-single`: a method that reads one object with an operation that reads several.

    `argument` takes the place of the array that `x-batch` is about.
    """

    name: PythonName
    argument: PythonName
    summary: Text | None = None


@dataclass(frozen=True)
class Filter(_Word):
    """One of `x-filters`: an argument that the client compares with a property of each item."""

    name: PythonName
    property: Text
    keeps: Literal["equal", "from", "before"]


@dataclass(frozen=True)
class SplitWindow(_Word):
    """`x-split-window`: a range of time that may be longer than one request takes."""

    key: Text
    by: Text | None = None


@dataclass(frozen=True)
class ReadModifyWrite(_Word):
    """`x-read-modify-write`: a method that changes some of what was read, and sends the rest along.

    It reads with an operation; or it is given a `model` that was read, of whose properties it makes
    `arguments`. On PATCH, what is sent along are the other parts of the objects that are given.
    `where` are the values of `x-assume` without which there is no such method.
    """

    rules: ClassVar[Mapping[str, Any]] = {
        "oneOf": [{"required": ["read"]}, {"required": ["model"]}],
        "dependentRequired": {"model": ["arguments"], "arguments": ["model"]},
    }

    name: PythonName
    read: Text | None = None
    model: Text | None = None
    arguments: Annotated[dict[PythonName, Text], Must(minProperties=1)] | None = None
    where: Annotated[dict[str, Any], Must(minProperties=1)] | None = None


@dataclass(frozen=True)
class Wait(_Word):
    """`x-wait`: a method that asks until something is ready."""

    name: PythonName
    result: PropertyPath
    busy: Annotated[dict[PropertyPath, Scalar], Must(minProperties=1)]
    failed: PropertyPath | None = None
    summary: Text | None = None


@dataclass(frozen=True)
class WaitWith(_Word):
    """`x-wait-with`: the result of a write can be waited for with another operation.

    `where` are the values of `x-assume` without which it cannot.
    """

    operation: Text
    arguments: Annotated[dict[PythonName, Text], Must(minProperties=1)]
    busy: PropertyPath
    where: Annotated[dict[str, Any], Must(minProperties=1)] | None = None


@dataclass(frozen=True)
class Stream(_Word):
    """`x-stream`: how a response comes piece by piece, and what its method is called.

    `sets` are parameters or properties of the body, each with the value that asks for it; `end` is
    the data of the event that ends it.
    """

    rules: ClassVar[Mapping[str, Any]] = {"minProperties": 1}

    name: PythonName | None = None
    sets: Annotated[dict[Text, Scalar], Must(minProperties=1)] | None = None
    end: Text | None = None


@dataclass(frozen=True)
class Shown(_Word):
    """One of `parts`: properties of a body that a read shows, with these values of `x-assume`."""

    fields: Names
    where: Annotated[dict[str, Any], Must(minProperties=1)]


@dataclass(frozen=True)
class Reconcile(_Word):
    """`x-reconcile`: the read that shows what was written; `[name]` is a list of one.

    `key` is the property of what is read that is its identifier. `done` is the property of a
    batch's response that lists the identifiers of what was written. `where` are the values of
    `x-assume` without which a read does not show it, and `parts` those for some of the properties;
    it does not show the `unread` ones.
    """

    operation: Text
    key: Text
    arguments: Annotated[
        dict[
            PythonName,
            Annotated[
                PythonName | tuple[PythonName],
                Must("the name of an argument, or a list of one"),
            ],
        ],
        Must(minProperties=1),
    ]
    done: Text | None = None
    where: Annotated[dict[str, Any], Must(minProperties=1)] | None = None
    parts: Annotated[tuple[Shown, ...], Must(minItems=1)] | None = None
    unread: Names | None = None


@dataclass(frozen=True)
class ArgumentsOf(_Word):
    """`x-arguments-of`: a method that makes arguments of what was read."""

    name: PythonName
    model: Text


@dataclass(frozen=True)
class ReadFrom(_Word):
    """`x-read-from`: how an argument is made of what was read, or that it is lost."""

    rules: ClassVar[Mapping[str, Any]] = {
        "anyOf": [{"required": ["field"]}, {"required": ["lost"]}],
        "dependentSchemas": {
            "lost": {"properties": dict.fromkeys(("pick", "values", "loses", "equals"), False)}
        },
        "dependentRequired": {"equals": ["field"]},
    }

    field: Text | None = None
    pick: Text | None = None
    values: Flag | None = None
    loses: Text | None = None
    equals: Scalar = None
    lost: Text | None = None


@dataclass(frozen=True)
class RateLimit(_Word):
    """`x-rate-limit`: so many requests in so many seconds, and the headers that report on it.

    Over it the service responds with `status`, and its header `wait` has the seconds to wait, or a
    date, as Retry-After does. `counts` says whose requests are counted together:
    those of a `user` to all documents, or to each `server`; a window `begins` with the first
    `request` after the last one, or with each turn of the `clock`.
    """

    requests: Count
    seconds: Annotated[
        int | float,
        Must("a number of seconds above 0", exclusiveMinimum=0, exclusiveMaximum=10**9),
    ]
    limit: Header
    remaining: Header
    reset: Header
    wait: Header = "Retry-After"
    format: Literal["seconds", "milliseconds", "duration"] = "seconds"
    status: Annotated[int, Must("a status from 400 to 599", minimum=400, maximum=599)] = 429
    counts: Literal["user", "server"] = "user"
    begins: Literal["request", "clock"] = "request"


@dataclass(frozen=True)
class Tool(_Word):
    """One of `x-tools`: what it does for an assistant, and the operations that it uses.

    `arguments` describes those that no operation has, or has in other words.
    """

    does: Text
    operations: tuple[Text, ...] = ()
    arguments: dict[PythonName, Text] | None = None


@dataclass(frozen=True)
class NotShown(_Word):
    """`x-not-shown`: methods that people look for, and that the specification says it lacks.

    They stand by resource; one without any has no operations at all. `gap` says it in the register.
    """

    gap: GapId
    resources: Annotated[dict[PythonName, tuple[PythonName, ...]], Must(minProperties=1)]


@dataclass(frozen=True)
class Words:
    """The words of an object of any kind; what is absent, or not of its shape, is None."""

    gap: Annotated[GapId | Gaps, Must("the id of a gap or an array of them")] | None = None
    assumed: Gaps | None = None
    confirmed: Gaps | None = None


@dataclass(frozen=True)
class CitedWords(Words):
    """The words of an object that names its section of the specification."""

    section: Section | None = None


@dataclass(frozen=True)
class DocumentWords(Words):
    """The words of a document."""

    sections: dict[Section, Text] | None = None
    gaps: dict[GapId, _GapEntry] | None = None
    assume: dict[str, Any] | None = None
    rate_limit: RateLimit | None = None
    tools: dict[PythonName, Tool] | None = None
    not_shown: NotShown | None = None
    timezone: Zone | None = None


@dataclass(frozen=True)
class CliStays(_Word):
    """What a flag cannot do: `says` so before the question, for those `values` that are there."""

    argument: PythonName
    values: Annotated[tuple[Text, ...], Must("an array of texts", minItems=1)]
    says: Text


@dataclass(frozen=True)
class CliRelated(_Word):
    """A column of what `ids` of an object lead to: read one by one with `operation`."""

    operation: Text
    ids: PropertyPath
    column: PropertyPath
    stays: CliStays | None = None


@dataclass(frozen=True)
class CliShows(_Word):
    """What is shown before a question: `columns` of what `operation` reads of the same argument."""

    operation: Text
    columns: Paths
    related: CliRelated | None = None


@dataclass(frozen=True)
class Cli(_Word):
    """`x-cli`: how a command line shows an operation.

    `columns` are those of a table, `confirm` is asked before it is done, after what `shows` reads
    was shown, and a `hidden` command stands in no list. Where a member of the result that `partly`
    names is true or has entries, not all was done.
    """

    columns: Paths | None = None
    partly: Names | None = None
    confirm: Text | None = None
    shows: CliShows | None = None
    hidden: Flag | None = None


@dataclass(frozen=True)
class OperationWords(CitedWords):
    """The words of an operation."""

    python_name: PythonName | None = None
    python_resource: PythonName | None = None
    retry_safety: Literal["safe", "idempotent", "unsafe"] | None = None
    idempotency_key: Text | None = None
    required_any: Annotated[tuple[Text, ...], Must(minItems=1)] | None = None
    refuse_empty: Flag | None = None
    window_under_days: Count | None = None
    paging: Paging | None = None
    filters: Annotated[tuple[Filter, ...], Must(minItems=1)] | None = None
    batch: Batch | None = None
    single: Single | None = None
    split_window: SplitWindow | None = None
    wait_with: WaitWith | None = None
    read_modify_write: ReadModifyWrite | None = None
    wait: Wait | None = None
    reconcile: Reconcile | None = None
    stream: Stream | None = None
    arguments_of: ArgumentsOf | None = None
    cli: Cli | None = None

    @property
    def read_back(self) -> ArgumentsOf | ReadModifyWrite | Reconcile | None:
        """The word that names what is read before, or after, it is written."""
        return self.arguments_of or self.read_modify_write or self.reconcile


@dataclass(frozen=True)
class ParameterWords(CitedWords):
    """The words of a parameter."""

    python_name: PythonName | None = None
    window: Literal["start", "end"] | None = None
    warning: Text | None = None
    destructive: Flag | None = None
    array_brackets: Flag | None = None


@dataclass(frozen=True)
class EncodingWords(Words):
    """The words of how a field of a form is written."""

    array_brackets: Flag | None = None


@dataclass(frozen=True)
class SchemaWords(CitedWords):
    """The words of a schema."""

    python_name: PythonName | None = None
    extensible_enum: Codes | None = None
    enum_varnames: tuple[Annotated[str, Must("a string")], ...] | None = None
    datetime_format: DateTimeFormat | None = None
    timezone: Zone | None = None
    boolean_format: BooleanFormat | None = None
    file_extensions: Annotated[tuple[Extension, ...], Must(minItems=1)] | None = None
    max_size: Annotated[str, Must("a text such as 20 MB", pattern=r"\S")] | None = None
    file_extension_case: Literal["ignored", "exact"] = "ignored"
    max_bytes: Count | None = None
    unit: Unit | None = None
    keyed_by: Text | None = None
    error_field: PythonName | None = None
    read_from: ReadFrom | None = None
    written_ignores: Annotated[tuple[Text, ...], Must(minItems=1)] | None = None


KINDS: Final[Mapping[str, type[Words]]] = {
    "document": DocumentWords,
    "operation": OperationWords,
    "parameter": ParameterWords,
    "encoding": EncodingWords,
    "schema": SchemaWords,
    **dict.fromkeys(("header", "response", "security scheme"), CitedWords),
}
"""The words of each kind of object; every other kind has those of `Words`."""

CLAIMS: Final = frozenset(
    {
        "x-sections", "x-section", "x-gap", "x-enum-varnames", "x-datetime-format",
        "x-required-any", "x-window", "x-window-under-days", "x-file-extensions", "x-max-size",
        "x-file-extension-case", "x-unit", "x-boolean-format",
        "x-rate-limit", "x-timezone", "x-extensible-enum", "x-max-bytes", "x-assume",
        "x-retry-safety", "x-idempotency-key",
    }
)  # fmt: skip
"""The words that say what a service does; the others say how a client is generated."""

_W = TypeVar("_W", bound=Words)
_T = TypeVar("_T")


def read(kind: type[_W], value: Mapping[str, Any]) -> _W:
    """Return the words of an object; a word that is not of its shape is left out."""
    words = {}
    for field in fields(kind):
        word = _spelt(field.name)
        if word in value and not any(problems(word, value[word])):
            words[field.name] = value_of(_TYPES[kind][word], value[word])
    return kind(**words)


def problems(word: str, value: Any) -> Iterator[tuple[Pointer, str]]:
    """Yield what is wrong with the shape of a word, each with its place inside of the value."""
    schema, validator = _validator(word)
    if not validator.is_valid(value):
        for path, problem in described(schema, validator.iter_errors(value)):
            yield keys(value, path), problem


@functools.cache
def vocabulary() -> Mapping[str, frozenset[str]]:
    """Return every word with the kinds of object on which it stands; none where any will do."""
    kinds: dict[str, frozenset[str]] = {}
    for kind, words in KINDS.items():
        for word in _TYPES[words]:
            kinds[word] = kinds.get(word, frozenset()) | {kind}
    return kinds | dict.fromkeys(_TYPES[Words], frozenset())


def member(words: Words, kind: type[_T]) -> _T | None:
    """Return the one of these words that is of a type."""
    return next((each for each in vars(words).values() if isinstance(each, kind)), None)


def spelling(word: type[Any]) -> str:
    """Return how a word with members is written: that of `WaitWith` is `x-wait-with`."""
    return "x" + re.sub("[A-Z]", lambda capital: f"-{capital[0].lower()}", word.__name__)


def _spelt(field: str) -> str:
    return f"x-{field.replace('_', '-')}"


def _types(kind: type[Words]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return {_spelt(field.name): hints[field.name] for field in fields(kind)}


_ALL: Final[tuple[type[Words], ...]] = (Words, *KINDS.values())
_TYPES: Final = {kind: _types(kind) for kind in _ALL}
"""The type of each word that may stand on a kind of object."""


@functools.cache
def _validator(word: str) -> tuple[dict[str, Any], jsonschema_rs.Validator]:
    """Return the schema of a word, and its validator."""
    schema = schema_of(present(next(each[word] for each in _TYPES.values() if word in each)))
    return schema, jsonschema_rs.validator_for(schema, offline=True)
