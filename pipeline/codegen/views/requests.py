"""What an operation takes: the arguments of its method, and how they become a request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pipeline.codegen import prose
from pipeline.codegen.ir import Body, Field, Operation, Parameter, Type
from pipeline.codegen.names import python_name
from pipeline.codegen.type_writer import literal, nullable, without_null
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.catalog import Catalog, fields
from pipeline.codegen.views.shapes import ArgumentView
from pipeline.openapi.media_types import bare

_KEYWORDS: dict[Literal["path", "query", "header"], str] = {
    "path": "path_parameters",
    "query": "query",
    "header": "headers",
}
_SEPARATORS = {"spaceDelimited": " ", "pipeDelimited": "|"}
_BINARY = "application/octet-stream"
# Media types that the runtime gives a request by itself.
_USUAL = ("application/json", "multipart/form-data", "application/x-www-form-urlencoded", _BINARY)


_PROGRESS = ArgumentView(
    name="progress",
    annotation="Progress | None",
    required=False,
    positional=False,
    doc=(
        "Called as the file leaves, with the bytes that were sent so far and the bytes in all "
        "(None where that is not known); `progress_bar()` makes one."
    ),
    default="None",
)


@dataclass
class RequestView:
    """The arguments of a method, and keyword arguments of `prepare`, each with its code."""

    arguments: list[ArgumentView] = field(default_factory=list)
    prepare: list[tuple[str, str]] = field(default_factory=list)
    sends_files: bool = False


def request(catalog: Catalog, operation: Operation) -> RequestView:
    """Work out the request of an operation."""
    result = RequestView()
    _add_parameters(result, catalog, operation)
    _add_any_of(result, operation)
    _add_window(result, operation)
    _add_caution(result, operation)
    if operation.body:
        _add_body(result, catalog, operation.body)
    return result


def argument_name(parameter: Parameter) -> str:
    """The Python name of a parameter."""
    return python_name(parameter.raw, parameter.wire)


def body_fields(catalog: Catalog, body: Body | None) -> list[Field] | None:
    """The fields of a body that become arguments; None where the body is an argument itself."""
    if body is None or body.type.kind != "class" or body.type.node.component in catalog.codes:
        return None
    found = fields(catalog.models[body.type.node.component], "sent")
    return sorted(found, key=lambda each: not each.required)


def window_ends(operation: Operation) -> tuple[Parameter, Parameter]:
    """Return the two parameters that `x-window-under-days` is about."""
    ends = {each.words.window: each for each in operation.parameters}
    return ends["start"], ends["end"]


# Parameters


def _add_parameters(result: RequestView, catalog: Catalog, operation: Operation) -> None:
    for place, keyword in _KEYWORDS.items():
        found = [each for each in operation.parameters if each.place == place]
        if place == "path":
            found.sort(key=lambda each: operation.path.index("{" + each.wire + "}"))
        result.arguments += [_parameter_argument(catalog, each) for each in found]
        if found:
            code = ", ".join(_parameter_code(catalog, each) for each in found)
            result.prepare.append((keyword, f"[{code}]"))


def _parameter_argument(catalog: Catalog, each: Parameter) -> ArgumentView:
    schema = each.raw.get("schema")
    described = {**(schema if isinstance(schema, dict) else {}), **each.raw}
    return ArgumentView(
        name=argument_name(each),
        annotation=_annotation(catalog, each.type, required=each.required),
        required=each.required,
        positional=each.place == "path",
        doc=descriptions.of_value(described, each.type, catalog.decided, also=_warned(each)),
    )


def _warned(each: Parameter) -> str:
    return prose.sentence(f"Warns: {each.words.warning}") if each.words.warning else ""


def _parameter_code(catalog: Catalog, each: Parameter) -> str:
    name = argument_name(each)
    code = [literal(each.wire), name, catalog.writer.checked(each.type), literal(name)]
    style = each.raw.get("style", "form" if each.place == "query" else "simple")
    exploded = each.raw.get("explode", style == "form")
    if each.place == "query" and without_null(each.type).kind == "list" and not exploded:
        code.append("explode=False")
    if style in _SEPARATORS:
        code.append(f"separator={literal(_SEPARATORS[style])}")
    return f"Parameter({', '.join(code)})"


def _annotation(catalog: Catalog, type_: Type, *, required: bool) -> str:
    """The type of an argument as a caller sees it."""
    code = catalog.writer.signature(without_null(type_))
    if nullable(type_) and code not in ("Any", "None"):
        code += " | None"
    return code if required else f"{code} | UnsetType"


# Rules over several parameters


def _add_any_of(result: RequestView, operation: Operation) -> None:
    arguments = {each.wire: argument_name(each) for each in operation.parameters}
    wires = operation.words.required_any or ()
    found = [arguments[wire] for wire in wires if wire in arguments]
    if wires:
        items = ", ".join(f"{literal(name)}: {name}" for name in found)
        result.prepare.append(("any_of", "{" + items + "}"))


def _add_window(result: RequestView, operation: Operation) -> None:
    days = operation.words.window_under_days
    if days is None:
        return
    start, end = (
        f"{word}=({literal(name)}, {name})"
        for word, name in zip(
            ("start", "end"), map(argument_name, window_ends(operation)), strict=True
        )
    )
    result.prepare.append(("window", f"Window({start}, {end}, under_days={days})"))


def _add_caution(result: RequestView, operation: Operation) -> None:
    for each in operation.parameters:
        if each.words.warning:
            code = f"({argument_name(each)}, {literal(each.words.warning)})"
            result.prepare.append(("caution", code))


# Bodies


def _add_body(result: RequestView, catalog: Catalog, body: Body) -> None:
    media_type = bare(body.media_type)
    found = body_fields(catalog, body)
    if found is None:
        _add_whole_body(result, catalog, body, binary=media_type == _BINARY)
    else:
        _add_fields(result, catalog, body, found, media_type)
    if media_type not in _USUAL:
        result.prepare.append(("content_type", literal(body.media_type)))


def _add_whole_body(result: RequestView, catalog: Catalog, body: Body, *, binary: bool) -> None:
    annotation = "bytes" if binary else catalog.writer.signature(body.type)
    if not body.required:
        annotation += " | UnsetType"
    doc = prose.sentence(body.raw.get("description", "The body."))
    result.arguments.append(ArgumentView("body", annotation, body.required, False, doc))
    if binary:
        result.prepare.append(("content", "body"))
    else:
        code = f'Parameter("body", body, {catalog.writer.checked(body.type)}, "body")'
        result.prepare.append(("json", code))


def _add_fields(
    result: RequestView, catalog: Catalog, body: Body, found: list[Field], media_type: str
) -> None:
    """Make an argument of each field; files of a form are sent beside its other fields."""
    files, values = [], []
    for each in found:
        name = python_name(each.node.schema, each.wire)
        annotation = _annotation(catalog, each.type, required=each.required)
        if each.type.kind == "file" and media_type.startswith("multipart/"):
            annotation = "FileInput" if each.required else "FileInput | UnsetType"
            files.append(_file_part(each, name))
        else:
            values.append(f"{name}={name}")
        doc = descriptions.of_value(each.node.schema, each.type, catalog.decided)
        result.arguments.append(ArgumentView(name, annotation, each.required, False, doc))
    if values or not files:
        keyword = "json" if media_type.endswith("json") else "form"
        class_name = catalog.writer.sent[body.type.node.component]
        result.prepare.append((keyword, f"{class_name}({', '.join(values)})"))
    if files:
        result.prepare.append(("files", f"[{', '.join(files)}]"))
        result.arguments.append(_PROGRESS)
        result.sends_files = True


def _file_part(each: Field, name: str) -> str:
    own = each.node.words
    code = [literal(each.wire), name, literal(name), "progress=progress"]
    if own.file_extensions:
        code.append(f"extensions={literal(' '.join(own.file_extensions))}.split()")
    if own.max_bytes:
        code.append(f"max_bytes={own.max_bytes:_}")
    return f"FilePart({', '.join(code)})"
