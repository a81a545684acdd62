"""The one module that knows openapi-python-client, which decides what a single value is.

It is asked about one schema of `type`, `format` and `const` at a time, and reads it as text, a
number, a moment, a file, a constant … To load it takes more than to read most documents, so what
one version decides is recorded here, and another version is asked anew. References, classes,
unions, lists, names and limits are read by `schemas`: the parser drops or misreads what a client
of ours needs of them.

The package calls programmatic use internal, so its version is pinned, and tests hold on to what is
used here: https://github.com/openapi-generators/openapi-python-client
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from pipeline.codegen.ir import Kind
from pipeline.openapi.problems import Finding, PipelineError

_KINDS: Mapping[str, Kind] = {
    "AnyProperty": "any",
    "NoneProperty": "null",
    "BooleanProperty": "bool",
    "IntProperty": "int",
    "FloatProperty": "float",
    "StringProperty": "str",
    "DateTimeProperty": "datetime",
    "DateProperty": "date",
    "UuidProperty": "uuid",
    "FileProperty": "file",
    "ConstProperty": "const",
}


# What this version reads values of each type as, and texts by their formats; a test compares.
_RECORDED: Final = "0.29.1"
_OF_TYPES: Final[Mapping[Any, Kind]] = {
    None: "any",
    "null": "null",
    "boolean": "bool",
    "integer": "int",
    "number": "float",
    "string": "str",
}
_OF_FORMATS: Final[Mapping[Any, Kind]] = {
    "date-time": "datetime",
    "date": "date",
    "uuid": "uuid",
    "binary": "file",
}


def kind_of(words: Mapping[str, Any]) -> Kind:
    """Return what a single value is, by the `type`, `format` and `const` of its schema.

    Raises:
        PipelineError: the parser refuses the schema, or reads it as something else than one value.
    """
    values = [words.get(word) for word in ("type", "format", "const")]
    type_, format_, const = values
    if _version() != _RECORDED:
        return _kind_of(*values)
    if const is None and isinstance(type_, str | None) and type_ in _OF_TYPES:
        by_format = _OF_FORMATS.get(format_) if type_ == "string" else None
        return by_format or _OF_TYPES[type_]
    if isinstance(const, str | int | float) and type_ is format_ is None:
        return "const"
    return _kind_of(*values)


@cache
def _version() -> str:
    return version("openapi-python-client")


@cache
def _kind_of(*values: Any) -> Kind:
    from openapi_python_client.config import Config, ConfigFile, MetaType
    from openapi_python_client.parser.properties import Schemas, property_from_data
    from openapi_python_client.schema import Schema
    from openapi_python_client.schema.untrusted_string import UntrustedString

    words = dict(zip(("type", "format", "const"), values, strict=True))
    words = {word: value for word, value in words.items() if value is not None}
    config = Config.from_sources(
        ConfigFile(post_hooks=[]), MetaType.NONE, Path(), "utf-8", overwrite=False, output_path=None
    )
    read, _ = property_from_data(
        UntrustedString("value"), True, Schema.model_validate(words), Schemas(), "", config
    )
    name = type(read).__name__
    if name not in _KINDS:
        raise PipelineError(Finding(f"the parser reads {words} as {name}", None, "parser"))
    return _KINDS[name]
