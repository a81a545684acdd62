"""Python code as values: each piece is a text with the imports that it needs.

Pieces are put together as they read: `SEQUENCE[STR] | UNSET_TYPE`, `META(max_length=literal(3))`.
"""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from pipeline.codegen.runtime_index import runtime_index

MODELS: Final = "models"
"""Stands for the module of a class of the models; which one that is, its users decide."""
HERE: Final = ""
"""Stands for the module in which the code is written."""


_BUILTINS: Final = frozenset(dir(builtins))
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)


class Import(NamedTuple):
    """A name that code needs, with its module; without a name, the module itself."""

    module: str
    name: str


@dataclass(frozen=True)
class Code:
    """A piece of code."""

    text: str
    imports: frozenset[Import] = frozenset()

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(self.text)

    def __getitem__(self, items: Code | tuple[Code, ...]) -> Code:
        arguments = items if isinstance(items, tuple) else (items,)
        return joined("", [self, "[", joined(", ", arguments), "]"])

    def __or__(self, other: Code) -> Code:
        return joined(" | ", [self, other])

    def __call__(self, *arguments: Code | str, **named: Code | str) -> Code:
        given = [*arguments, *(joined("=", each) for each in named.items())]
        return joined("", [self, "(", joined(", ", given), ")"])

    @property
    def names(self) -> frozenset[str]:
        """The names that it takes from elsewhere."""
        return frozenset(each.name for each in self.imports)

    def names_of(self, module: str) -> frozenset[str]:
        """Return the names that it takes from a module."""
        return frozenset(each.name for each in self.imports if each.module == module)


def joined(separator: str, pieces: Iterable[Code | str]) -> Code:
    """Return pieces one after the other; a text needs no imports."""
    texts, imports = list[str](), set[Import]()
    for each in pieces:
        if isinstance(each, Code):
            texts.append(each.text)
            imports |= each.imports
        else:
            texts.append(each)
    return Code(separator.join(texts), frozenset(imports))


def union(types: Iterable[Code]) -> Code:
    """Return a type that is any of several, each of their members once."""
    every = joined(" | ", types)
    return Code(_each_once(every.text), every.imports)


@cache
def _each_once(text: str) -> str:
    members, waiting = dict[str, None](), [ast.parse(text, mode="eval").body]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.BinOp):
            waiting[:0] = [node.left, node.right]
        else:
            members[ast.unparse(node)] = None
    return "Any" if "Any" in members else " | ".join(members)


def sequence(items: Iterable[Code | str]) -> Code:
    """Return a list."""
    return joined("", ["[", joined(", ", items), "]"])


def mapping(items: Iterable[tuple[Code | str, Code | str]]) -> Code:
    """Return a dictionary."""
    return joined("", ["{", joined(", ", (joined(": ", each) for each in items)), "}"])


def function(body: Code, *parameters: str) -> Code:
    """Return a function without a name."""
    head = " ".join(["lambda", ", ".join(parameters)]).rstrip()
    return joined(": ", [head, body])


def literal(value: Any) -> str:
    """Return a JSON value as code, texts in double quotes."""
    if isinstance(value, str) and value.isprintable():
        return _ENCODER.encode(value)
    return repr(value)


def model(name: str) -> Code:
    """Return a class or an alias of the models."""
    return Code(name, frozenset([Import(MODELS, name)]))


def own(name: str) -> Code:
    """Return a function or a constant of the module in which the code is written."""
    return Code(name, frozenset([Import(HERE, name)]))


def in_class(type_: Code, members: Collection[str]) -> Code:
    """Return a type for a class whose members hide names of Python: `builtins.list[Book]`."""
    hiding = [each for each in _BUILTINS.intersection(members) if each in type_.text]
    if not hiding:
        return type_
    tree = ast.parse(type_.text, mode="eval")
    hidden = [e for e in ast.walk(tree) if isinstance(e, ast.Name) and e.id in hiding]
    for node in hidden:
        node.id = f"builtins.{node.id}"
    return Code(ast.unparse(tree), type_.imports | {Import("builtins", "")}) if hidden else type_


def import_lines(imports: Iterable[Import], module_of_model: Callable[[str], str]) -> list[str]:
    """Return import statements, for a module two levels below the package.

    `module_of_model` gives the module of a class of the models; empty where it needs no import.
    """
    of_modules: set[str] = set()
    by_home: dict[str, set[str]] = {}
    for module, name in imports:
        home = module_of_model(name) if module == MODELS else module
        if not name:
            of_modules.add(f"import {home}")
        elif home:
            home = f"..{home}" if home.startswith("_runtime.") else home
            by_home.setdefault(home, set()).add(name)
    listed = {home: ", ".join(sorted(names)) for home, names in sorted(by_home.items())}
    return sorted(of_modules) + [f"from {home} import {names}" for home, names in listed.items()]


def imported(module: str, name: str) -> Code:
    """Return a name of a module."""
    return Code(name, frozenset([Import(module, name)]))


def runtime(name: str) -> Code:
    """Return a name of the runtime, wherever that has it."""
    return imported(f"_runtime.{runtime_index().homes[name]}", name)


# Python's own

BOOL, BYTES, DICT, FLOAT = Code("bool"), Code("bytes"), Code("dict"), Code("float")
INT, LIST, NONE, STR = Code("int"), Code("list"), Code("None"), Code("str")
TUPLE = Code("tuple")
DATETIME_MODULE = Import("datetime as dt", "")
DECIMAL = imported("decimal", "Decimal")
DATE = Code("dt.date", frozenset([DATETIME_MODULE]))
DATETIME = Code("dt.datetime", frozenset([DATETIME_MODULE]))
ANNOTATED, ANY = imported("typing", "Annotated"), imported("typing", "Any")
ITERABLE = imported("collections.abc", "Iterable")
LITERAL = imported("typing", "Literal")
MAPPING = imported("collections.abc", "Mapping")
OPTIONAL = imported("typing", "Optional")
OVERLOAD = imported("typing", "overload")
SEQUENCE = imported("collections.abc", "Sequence")
UUID = imported("uuid", "UUID")

# Of models

FIELD = imported("msgspec", "field")
INT_CODE, TEXT_CODE = runtime("IntCode"), runtime("TextCode")
KEYED = runtime("Keyed")
AWARE_DATETIME, DECIMAL_TEXT = runtime("AwareDatetime"), runtime("DecimalText")
_TRUE, _FALSE = runtime("AlwaysTrue"), runtime("AlwaysFalse")
ALWAYS = {True: _TRUE, False: _FALSE}
META = runtime("Meta")
MISSING, PRESENT = runtime("MISSING"), runtime("Present")
ONE_OF, ONE_OF_AS_VALUE = runtime("OneOf"), runtime("one_of")
REQUEST_MODEL, RESPONSE_MODEL = runtime("RequestModel"), runtime("ResponseModel")
EXTENSIBLE_MODEL = runtime("ExtensibleModel")
UNSET, UNSET_TYPE = runtime("UNSET"), runtime("UnsetType")
WRITTEN_AS, AS_FIELD = runtime("written_as"), runtime("as_field")

# Of resources

ASYNC_RESOURCE, RESOURCE = runtime("AsyncResource"), runtime("Resource")
PAGER, ASYNC_PAGER = runtime("Pager"), runtime("AsyncPager")
STREAMED_EVENTS, STREAMED_ITEMS = runtime("StreamedEvents"), runtime("StreamedItems")
EVENT_STREAM, ASYNC_EVENT_STREAM = runtime("EventStream"), runtime("AsyncEventStream")
ITEM_STREAM, ASYNC_ITEM_STREAM = runtime("ItemStream"), runtime("AsyncItemStream")
RAW_RESPONSE = runtime("RawResponse")
DEPRECATED = runtime("deprecated")
CACHED_PROPERTY = imported("functools", "cached_property")
PREPARE, REQUEST = runtime("prepare"), runtime("Request")
CAUTION = runtime("Caution")
ASSUMED_NAME_WARNING = runtime("AssumedNameWarning")
LIMITATION_WARNING = runtime("LimitationWarning")
CONTENT_INPUT = runtime("ContentInput")
FILE_INPUT, FILE_PART = runtime("FileInput"), runtime("FilePart")
FIELDS_IN, FILES_IN = runtime("fields_in"), runtime("files_in")
NAMED_FILE_INPUT = runtime("NamedFileInput")
BODY_OPTION, FIELD_ENCODING = runtime("BodyOption"), runtime("FieldEncoding")
PARAMETER, PROGRESS = runtime("Parameter"), runtime("Progress")
WINDOW = imported("_runtime.request.validation", "Window")  # that of a rate limit is another one
ARGUMENTS, WRITE_BACK = runtime("Arguments"), runtime("WriteBack")
FROM, UNMAPPABLE, TO_ARGUMENTS = runtime("From"), runtime("Unmappable"), runtime("arguments")
AWAITED, POLLING = runtime("Awaited"), runtime("Polling")
BATCHES, FOUND, WINDOWS = runtime("Batches"), runtime("Found"), runtime("Windows")
FOUND_BY, MERGED, NOTHING = runtime("found_by"), runtime("merged"), runtime("nothing")
WITH_UNMENTIONED = runtime("with_unmentioned")
CALL, PAGES = runtime("Call"), runtime("Pages")
SINGLE, KEEP, KEEPING = runtime("Single"), runtime("Keep"), runtime("keeping")
PROBE, FOR_SLICES = runtime("Probe"), runtime("for_slices")
AMENDED, REPLACED = runtime("amended"), runtime("replaced")
READ_MODIFY_WRITE = runtime("ReadModifyWrite")

_PIECES = [each for each in globals().values() if isinstance(each, Code)]
CLASS_NAMES: Final = frozenset(name for each in _PIECES for name in each.names if name)
"""The names that generated modules import; no class of the models may have one of them."""
FIELD_NAMES: Final = frozenset(
    {"dt", "self", FIELD.text, FOR_SLICES.text, PREPARE.text, WRITTEN_AS.text}
    | {AS_FIELD.text}
    | {each.text for each in (BOOL, BYTES, DICT, FLOAT, INT, LIST, STR)}
    | runtime_index().model
)
"""The names that a class or a function reads where a field or an argument of that name is set."""
