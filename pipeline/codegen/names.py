"""Python names for the names of a document."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import Any, Final

from pipeline.codegen.code import FIELD_NAMES
from pipeline.codegen.runtime_index import runtime_index
from pipeline.openapi.objects import as_dict

WHOLE: Final = "WithRawResponse"
"""Ends the name of a resource whose methods return whole responses."""

# No file on Windows has one of these names, whatever its extension is.
NO_FILE: Final = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
)

_LONGEST_FILE: Final = 100  # a tag can be longer than the name of a file

# Names whose capitals do not begin words; several of a thing in capitals: `URLs`; `M2M`; the rest.
_WORDS = re.compile(
    r"[Oo]Auth[0-9]*(?![a-z])|IPv[46]|[A-Z]{2,}s(?![a-z])|[A-Z]2[A-Z](?![a-z0-9])"
    r"|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+"
)
_SIGN = re.compile(r"^[+-](?=[A-Za-z0-9])")  # it tells `-created` from `created`
# What a class of a resource has or reads besides its methods: by its template, and by its bases.
_OF_RESOURCES: Final = frozenset({"with_raw_response", "staticmethod", "builtins", "dt"})


def stream_name(method: str) -> str:
    """Return the name of the method that reads what another one returns piece by piece."""
    return f"{method.rstrip('_')}_stream"


def python_name(node: Any, wire: str) -> str:
    """Return the name of a property, a parameter or an operation, or that made of `wire`."""
    name = as_dict(node).get("x-python-name")
    return name if name and isinstance(name, str) else snake(wire)


def method_name(given: str | None, title: str) -> str:
    """Return the name of a method: the given one, or that made of the title of an operation."""
    name = given or snake(title, hidden=())
    return f"{name}_" if name in _OF_RESOURCES | runtime_index().resource else name


def resource_name(operation: Mapping[str, Any]) -> str:
    """Return the attribute of the client that has an operation: by a word, or by its first tag."""
    tags = operation.get("tags") or ["default"]
    name: str = operation.get("x-python-resource") or snake(tags[0][:_LONGEST_FILE])
    taken = runtime_index().client | {"cached_property"} | NO_FILE
    return f"{name}_" if name in taken else name


def dotted_name(operation: Mapping[str, Any], title: str) -> str:
    """Return an operation as the client has it: `pets.create`."""
    name = method_name(operation.get("x-python-name"), title)
    return f"{resource_name(operation)}.{name}"


def resource_class(name: str) -> str:
    """Return the class of a resource; that of the asynchronous client has `Async` before it."""
    made = pascal(name) + "Resource"
    return f"{made}_" if made in runtime_index().homes else made


def resource_classes(name: str) -> tuple[str, ...]:
    """Return all classes of a resource: those of both clients, and those of whole responses."""
    made = resource_class(name)
    return tuple(f"{prefix}{made}{end}" for end in ("", WHOLE) for prefix in ("", "Async"))


def words(name: str) -> list[str]:
    """Return the words of a name: `shelfBookIds` and `shelf-book_ids` have the same three."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    signed = _SIGN.sub(lambda sign: "plus " if sign[0] == "+" else "minus ", ascii_name)
    return _WORDS.findall(signed)


def snake(name: str, hidden: Collection[str] = FIELD_NAMES) -> str:
    """Return a name for a field or an argument: `shelfNumber` becomes `shelf_number`."""
    text = "_".join(word.lower() for word in words(name))
    if re.fullmatch(r"[a-z_][a-z0-9_]*", name):
        text = name.strip("_") or text  # `option_1` keeps its underscores as they are
    return _valid(text, "field_", hidden)


@lru_cache(maxsize=65_536)  # of a class, once for all that it is a part of
def pascal(name: str) -> str:
    """Return a name for a class: `book_shelf` becomes `BookShelf`; capitals inside are kept."""
    text = "".join(word[0].upper() + word[1:] for word in words(name))
    return _valid(text, "Model")


def constant(name: str) -> str:
    """Return a name for a member of an enumeration: `in-review` becomes `IN_REVIEW`."""
    return _valid("_".join(word.upper() for word in words(name)), "VALUE_")


def candidates(wanted: str, join: str = "_") -> Iterator[str]:
    """Yield a name, then the name with numbers from 2 on."""
    yield wanted
    yield from (f"{wanted}{join}{number}" for number in count(2))


def numbered(wanted: str, taken: Collection[str], join: str = "_") -> str:
    """Return a name that is not taken: the wanted one, or it with the first number from 2."""
    return next(each for each in candidates(wanted, join) if each not in taken)


def _valid(text: str, prefix: str, hidden: Collection[str] = FIELD_NAMES) -> str:
    if not text or text[0].isdigit():
        text = prefix + text
    if keyword.iskeyword(text) or text in hidden:
        text += "_"
    return text
