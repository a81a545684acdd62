"""Views of requests: the arguments of a method, and how they become a request."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pipeline.codegen import code as py
from pipeline.codegen import names, prose
from pipeline.codegen.code import Code, joined, literal, mapping, model, sequence
from pipeline.codegen.ir import Body, Field, Node, Operation, Parameter, Type
from pipeline.codegen.type_writer import checks, nullable, sent_by_itself, without_null
from pipeline.codegen.views import descriptions
from pipeline.codegen.views.catalog import Catalog, fields
from pipeline.codegen.views.values import value_of
from pipeline.codegen.views.view_models import ArgumentView
from pipeline.openapi.media_types import FORMS, bare, is_json, listed
from pipeline.openapi.objects import as_dict

_KEYWORDS: dict[Literal["path", "query", "header", "cookie"], str] = {
    "path": "path_parameters",
    "query": "query",
    "header": "headers",
    "cookie": "cookies",
}
# Media types that the runtime gives a request by itself.
_USUAL = (
    "application/json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
)
# What a body is called where its range of media types allows that, and the caller says nothing.
_OF_RANGES = {
    "*/*": "application/octet-stream",
    "application/*": "application/octet-stream",
    "text/*": "text/plain; charset=utf-8",
}

_MADE_KEY = "Default: a new UUID for each call, which its retries have, too."
_SEVERAL = {"list": lambda file: py.SEQUENCE[file], "map": lambda file: py.MAPPING[py.STR, file]}
_BRACKETS = "x-array-brackets"
_PROGRESS = ArgumentView(
    name="progress",
    type=py.PROGRESS | py.NONE,
    doc=("Called during the upload with the bytes sent so far and the total (None if unknown)."),
    default=py.NONE,
)


@dataclass
class RequestView:
    """The arguments of a method, and keyword arguments of `prepare`."""

    arguments: list[ArgumentView] = field(default_factory=list)
    prepare: list[tuple[str, Code]] = field(default_factory=list)
    any_of: tuple[str, ...] = ()
    sends_files: bool = False


def request(catalog: Catalog, operation: Operation) -> RequestView:
    """Work out the request of an operation."""
    result = RequestView()
    _add_parameters(result, catalog, operation)
    _add_any_of(result, operation)
    _add_window(result, operation)
    _add_cautions(result, catalog, operation)
    _add_bodies(result, catalog, operation)
    result.arguments = by_position(result.arguments)
    return result


def by_position(arguments: Iterable[ArgumentView]) -> list[ArgumentView]:
    """Return arguments with those that go by position first: a single required one does."""
    every = list(arguments)
    needed = [each for each in every if each.required and not each.positional]
    if len(needed) == 1:  # nobody can mistake it for another
        every[every.index(needed[0])] = replace(needed[0], positional=True)
    return sorted(every, key=lambda each: not each.positional)


def described(parameter: Parameter) -> Mapping[str, Any]:
    """Return all words about a parameter, those of its schema included."""
    return {**as_dict(parameter.raw.get("schema")), **parameter.raw}


def body_argument(catalog: Catalog, operation: Operation) -> str:
    """Return the name of the argument that is a body: `body`, or what no other one has."""
    taken = {each.name for each in operation.parameters} | _members(catalog, operation)
    return names.numbered("request_body", taken) if "body" in taken else "body"


def body_fields(catalog: Catalog, body: Body | None) -> list[Field] | None:
    """Return the fields of a body that become arguments; None if the body itself is one."""
    if body is None or body.type.kind != "class" or body.type.node.component in catalog.codes:
        return None
    sent = fields(catalog.models[body.type.node.component], "sent")
    return sorted(sent, key=lambda each: not each.required)


def window_ends(operation: Operation) -> tuple[Parameter, Parameter]:
    """Return the two parameters that `x-window-under-days` is about."""
    ends = {each.words.window: each for each in operation.parameters}
    return ends["start"], ends["end"]


# Parameters


def _add_parameters(result: RequestView, catalog: Catalog, operation: Operation) -> None:
    for place, keyword in _KEYWORDS.items():
        parameters = [each for each in operation.parameters if each.place == place]
        key = operation.words.idempotency_key
        if place == "header" and key is not None:
            result.prepare.append(("idempotency_key", Code(literal(key))))
        if place == "path":
            parameters.sort(key=lambda each: operation.path.index("{" + each.wire + "}"))
        result.arguments += [
            _parameter_argument(catalog, each, bool(key) and each.wire.lower() == str(key).lower())
            for each in parameters
        ]
        if parameters:
            code = sequence(_parameter_code(catalog, each) for each in parameters)
            result.prepare.append((keyword, code))


def _parameter_argument(catalog: Catalog, parameter: Parameter, is_key: bool) -> ArgumentView:
    """Return the argument of a parameter; with `is_key`, of one that is made if none is given."""
    also = _MADE_KEY if is_key else _warned(parameter)
    is_needed = parameter.required and not is_key
    value = None
    if is_needed and parameter.place != "path":
        value = sent_by_itself(parameter.type, required=True)
    return ArgumentView(
        name=parameter.name,
        type=_argument_type(catalog, parameter.type),
        required=is_needed and value is None,
        default=value or py.UNSET,
        positional=parameter.place == "path",
        doc=_doc(catalog, described(parameter), parameter.type, also),
        value=value_of(catalog, parameter.type),
    )


def _doc(
    catalog: Catalog,
    schema: Mapping[str, Any],
    type_: Type,
    also: str = "",
    *,
    in_bytes: bool = False,
) -> str:
    """Return what an argument means."""
    if without_null(type_).kind == "datetime":
        also = f"Needs a time zone. {also}".strip()
    return descriptions.of_value(schema, type_, also=also, in_bytes=in_bytes)


def _warned(parameter: Parameter) -> str:
    words = [prose.sentence(f"Warns: {parameter.words.warning}")] if parameter.words.warning else []
    if _assumed_name(parameter):
        words.append("Warns while its name is assumed.")
    return " ".join(words)


def _parameter_code(catalog: Catalog, parameter: Parameter) -> Code:
    name = parameter.name
    options = {}
    usual = "form" if parameter.place in ("query", "cookie") else "simple"
    style = parameter.raw.get("style", usual)
    if parameter.place == "cookie":
        style = usual  # the style `cookie` of OpenAPI 3.2 is what `form` has always meant there
    if "content" in parameter.raw:
        style = "json" if all(is_json(bare(name)) for name in parameter.raw["content"]) else usual
    exploded = parameter.raw.get("explode", style in ("form", "deepObject"))
    kinds = {_shape(catalog, member) for member in parameter.type.walk()}
    # A list in a path or a header is written alike either way, if its style is the usual one.
    matters = {"object"} if usual == style == "simple" else {"list", "object"}
    if style != "json" and not exploded and kinds & matters:
        options["explode"] = "False"
    if parameter.words.array_brackets and parameter.place == "query":
        style += "[]"
    if style != usual:
        options["style"] = literal(style)
    if parameter.raw.get("allowReserved") is True and parameter.place in ("path", "query"):
        options["reserved"] = "True"
    checked = catalog.writer.as_value(catalog.writer.checked, parameter.type)
    return py.PARAMETER(literal(parameter.wire), name, checked, literal(name), **options)


def _shape(catalog: Catalog, type_: Type) -> str:
    """Return whether something is a list or an object; empty if it is neither."""
    if type_.kind == "map" or type_.node.component in catalog.models:
        return "object"
    return "list" if type_.kind == "list" else ""


def _argument_type(catalog: Catalog, type_: Type) -> Code:
    """Return the type of an argument as a caller sees it."""
    code = catalog.writer.signature(without_null(type_))
    return code | py.NONE if nullable(type_) and code not in (py.ANY, py.NONE) else code


# Rules over several parameters


def _add_any_of(result: RequestView, operation: Operation) -> None:
    arguments = {each.wire: each.name for each in operation.parameters}
    wires = operation.words.required_any or ()
    needed = [arguments[wire] for wire in wires if wire in arguments]
    if wires:
        code = mapping((literal(name), name) for name in needed)
        result.prepare.append(("any_of", code))
        result.any_of = tuple(needed)
    if operation.words.refuse_empty:
        result.prepare.append(("refuse_empty", Code("True")))


def _add_window(result: RequestView, operation: Operation) -> None:
    days = operation.words.window_under_days
    if days is None:
        return
    start, end = (f"({literal(e.name)}, {e.name})" for e in window_ends(operation))
    result.prepare.append(("window", py.WINDOW(start=start, end=end, under_days=str(days))))


def _add_cautions(result: RequestView, catalog: Catalog, operation: Operation) -> None:
    cautions: list[Code] = []
    members = body_fields(catalog, operation.body) or ()
    deprecated = [each.name for each in operation.parameters if each.raw.get("deprecated")]
    for member in members:
        if member.node.schema.get("deprecated") is True:
            deprecated.append(member.name)
    for name in dict.fromkeys(deprecated):
        is_given = joined("", [name, " is not ", py.UNSET])
        text = f"the service has deprecated {name}"
        cautions.append(_caution(is_given, Code("DeprecationWarning"), text))
    for parameter in operation.parameters:
        name = parameter.name
        if parameter.words.warning:
            cautions.append(_caution(name, py.LIMITATION_WARNING, parameter.words.warning))
        gaps = _assumed_name(parameter)
        if gaps:
            text = (
                f"{name} is sent as {parameter.wire}, and that name is assumed ({', '.join(gaps)})."
                " A service that does not know it may report success without doing it: check the "
                "result. An overlay in overlays/confirmed that confirms the name ends this "
                "warning."
            )
            cautions.append(_caution(name, py.ASSUMED_NAME_WARNING, text))
    if cautions:
        result.prepare.append(("cautions", sequence(cautions)))


def _caution(argument: Code | str, category: Code, text: str) -> Code:
    caution = py.CAUTION(category, literal(text))
    return joined("", ["(", argument, ", ", caution, ")"])


def _assumed_name(parameter: Parameter) -> list[str]:
    """Return the gaps for which the name of what cannot be undone is assumed."""
    words = parameter.words
    open_gaps = {*(words.assumed or ())} - {*(words.confirmed or ())}
    return sorted(open_gaps) if words.destructive else []


# Bodies


def _add_bodies(result: RequestView, catalog: Catalog, operation: Operation) -> None:
    """Add the body that is offered; of several, the arguments of each, and one that chooses."""
    name, bodies = body_argument(catalog, operation), operation.bodies
    if len(bodies) == 1:
        _add_body(result, catalog, bodies[0], name)
        if bodies[0].required:
            _add_constants(result, body_fields(catalog, bodies[0]) or ())
    if len(bodies) < 2:
        return
    given: dict[str, list[tuple[str, ArgumentView]]] = {}
    options = []
    for body in _files_first(catalog, bodies):
        view = RequestView([*result.arguments])
        _add_content(view, catalog, body, name, _members(catalog, operation))
        arguments = view.arguments[len(result.arguments) :]
        for argument in arguments:
            given.setdefault(argument.name, []).append((body.media_type, argument))
        carried = [each for each in arguments if each.doc != _PROGRESS.doc]
        options.append(_option(catalog, body, carried, view.prepare))
        result.sends_files |= view.sends_files
    result.arguments += [_merged(views, bodies) for views in given.values()]
    chosen = _content_type_argument(result, bodies)
    result.arguments.append(chosen)
    result.prepare += [("content_type", Code(chosen.name)), ("bodies", sequence(options))]


def _add_constants(result: RequestView, members: Iterable[Field]) -> None:
    """Let constants be sent though nobody gives them; not to choose a body, or to be all of one."""
    constants = {
        each.name: (each, value)
        for each in members
        if (value := sent_by_itself(each.type, each.required)) is not None
    }
    for index, argument in enumerate(result.arguments):
        if argument.name in constants:
            member, value = constants[argument.name]
            type_ = argument.type if member.required else argument.type | py.UNSET_TYPE
            result.arguments[index] = replace(argument, type=type_, required=False, default=value)


def _members(catalog: Catalog, operation: Operation) -> set[str]:
    """Return the arguments that are fields of a body."""
    fields_of = (body_fields(catalog, body) or () for body in operation.bodies)
    return {each.name for own in fields_of for each in own}


def _files_first(catalog: Catalog, bodies: Sequence[Body]) -> list[Body]:
    """Return JSON after the form to which it would send files as texts."""
    files = {
        member.wire
        for body in bodies
        if body.media_type.startswith("multipart/")
        for member in body_fields(catalog, body) or ()
        if member.type.is_files
    }
    return sorted(
        bodies,
        key=lambda body: (
            body.form == "json"
            and any(e.wire in files and e.type.is_files for e in body_fields(catalog, body) or ())
        ),
    )


def _option(
    catalog: Catalog,
    body: Body,
    arguments: Sequence[ArgumentView],
    prepare: Iterable[tuple[str, Code]],
) -> Code:
    """Return one of several bodies, with the arguments that it carries."""
    options = dict(prepare)
    if body.form in options and body_fields(catalog, body) is not None:
        options[body.form] = model(catalog.writer.sent[body.type.node.component])
    sent = _sent_type(body)
    if sent and sent != body.media_type:
        options["sent"] = Code(literal(sent))
    required = " ".join(each.name for each in arguments if each.required)
    if required:
        options["required"] = Code(literal(required))
    if not body.required:
        options["body_required"] = Code("False")
    if body.form == "text":
        options["kind"] = py.STR
    carried = mapping((literal(each.name), each.name) for each in arguments)
    return py.BODY_OPTION(literal(body.media_type), arguments=carried, **options)


def _merged(views: Sequence[tuple[str, ArgumentView]], bodies: Sequence[Body]) -> ArgumentView:
    """Return an argument that several bodies have, each perhaps with a type of its own."""
    first, doc = views[0][1], views[0][1].doc
    if len(views) < len(bodies):
        doc = f"{doc} Only as {prose.listed([f'`{name}`' for name, _ in views])}.".strip()
    return replace(
        first,
        type=py.union(dict.fromkeys(view.type for _, view in views)),
        required=len(views) == len(bodies) and all(view.required for _, view in views),
        doc=doc,
    )


def _content_type_argument(result: RequestView, bodies: Sequence[Body]) -> ArgumentView:
    """Return the argument that chooses one of several bodies."""
    types = [body.media_type for body in bodies]
    is_open = any("*" in name for name in types)
    listed = prose.listed([f"`{name}`" for name in types])
    return ArgumentView(
        names.numbered("content_type", {each.name for each in result.arguments}),
        py.STR if is_open else py.LITERAL[tuple(Code(literal(name)) for name in types)],
        doc=f"Media type to send: {listed}. Default: the first that can carry the arguments.",
    )


def _sent_type(body: Body) -> str:
    """Return the media type that leaves; empty for a range without a usual one."""
    media_type = bare(body.media_type)
    if "*" in media_type:
        return _OF_RANGES.get(media_type, "")
    unsaid = media_type.startswith("text/") and "charset=" not in body.media_type.lower()
    return body.media_type + "; charset=utf-8" * unsaid


def _add_body(result: RequestView, catalog: Catalog, body: Body, name: str) -> None:
    _add_content(result, catalog, body, name)
    media_type = bare(body.media_type)
    if media_type.endswith("/*"):
        _add_content_type(result, body, media_type)
    elif media_type.startswith("multipart/") and not (
        media_type == FORMS[0] and result.sends_files
    ):
        result.prepare.append(("content_type", Code(literal(media_type))))
    elif media_type not in _USUAL:
        result.prepare.append(("content_type", Code(literal(_sent_type(body)))))


def _add_content(
    result: RequestView, catalog: Catalog, body: Body, name: str, taken: Collection[str] = ()
) -> None:
    """Add the fields of a body, or the body itself under a name."""
    members = body_fields(catalog, body)
    if bare(body.media_type) == FORMS[0] and body.type.kind == "map" and body.type.is_files:
        node = Node(body.type.node.pointer, {"x-python-name": name, "description": "The files."})
        members = [Field("", body.type, body.required, node)]
    if members is None:
        _add_whole_body(result, catalog, body, name)
    else:
        _add_fields(result, catalog, body, members, taken)


def _add_content_type(result: RequestView, body: Body, media_range: str) -> None:
    """Let a caller say which of the media types that a range allows a body has."""
    usual = _OF_RANGES.get(media_range)
    name = names.numbered("content_type", {each.name for each in result.arguments})
    is_watched = result.arguments[-1].doc == _PROGRESS.doc
    result.arguments.insert(
        len(result.arguments) - is_watched,
        ArgumentView(
            name,
            py.STR,
            required=body.required and usual is None,
            doc=f"The media type of the body: one of `{media_range}`.",
            default=Code(literal(usual)) if usual else py.UNSET,
        ),
    )
    chosen = py.PARAMETER(literal(media_range), name, py.STR, literal(name))
    result.prepare.append(("content_type", chosen))


def _add_whole_body(result: RequestView, catalog: Catalog, body: Body, name: str) -> None:
    as_it_is = {"text": py.STR, "bytes": py.CONTENT_INPUT}.get(body.form)
    doc = prose.sentence(body.raw.get("description", "The body."))
    if body.form == "bytes":
        doc += " Bytes, or a path, an open file or an iterator of bytes, read while it is sent."
    free = body.type.items[0] if body.type.kind == "map" else body.type
    has_files = bare(body.media_type) == FORMS[0] and free.kind == "any"
    if has_files:
        doc += " What is bytes, a `Path`, an open file or a `File` in it is sent as a file."
    result.arguments.append(
        ArgumentView(
            name,
            as_it_is or catalog.writer.signature(body.type),
            body.required,
            False,
            doc,
            value=value_of(catalog, body.type),
        )
    )
    if body.form == "bytes" or has_files:
        progress = names.numbered(_PROGRESS.name, {each.name for each in result.arguments})
        result.arguments.append(replace(_PROGRESS, name=progress))
    if body.form == "bytes":
        options = {"progress": progress, "whole": "True"}
        content = py.FILE_PART(literal(""), name, literal(name), **options)
        result.prepare.append(("content", content))
    elif as_it_is:
        result.prepare.append(("content", Code(name)))
    else:
        checked = catalog.writer.as_value(catalog.writer.checked, body.type)
        given = py.FIELDS_IN(name) if has_files else name
        code = py.PARAMETER(literal(name), given, checked, literal(name))
        result.prepare.append((body.form, code))
    if has_files:
        options = {"progress": progress, "keyed": "True"}
        files = py.FILE_PART(literal(""), py.FILES_IN(name), literal(name), **options)
        result.prepare.append(("files", sequence([files])))
        result.sends_files = True


def _add_fields(
    result: RequestView,
    catalog: Catalog,
    body: Body,
    members: list[Field],
    others: Collection[str],
) -> None:
    """Make an argument of each field; files of a form are sent beside its other fields."""
    taken = {each.name for each in members}
    taken |= {each.name for each in result.arguments} | {*others}
    progress = names.numbered(_PROGRESS.name, taken)
    files = []
    values: dict[str, Code | str] = {}
    encodings = []
    for member in members:
        name = member.name
        type_ = _argument_type(catalog, member.type)
        is_file = member.type.is_files and body.media_type.startswith("multipart/")
        if is_file:
            files.append(_file_part(member, name, progress, body))
            is_named = bool(_file_words(member).get("x-file-extensions"))
            type_ = py.NAMED_FILE_INPUT if is_named else py.FILE_INPUT
            several = _SEVERAL.get(without_null(member.type).kind)
            type_ = several(type_) if several else type_
            type_ = type_ | py.NONE if nullable(member.type) else type_
        else:
            values[name] = name
            if py.MAPPING[py.STR, py.ANY].text in type_.text:  # a dict in the place of a model
                values[name] = py.AS_FIELD(name)
            if encoding := _encoding(catalog, member, body):
                encodings.append((literal(member.wire), encoding))
        doc = _doc(catalog, member.node.schema, member.type, in_bytes=is_file)
        value = value_of(catalog, member.type)
        result.arguments.append(ArgumentView(name, type_, member.required, False, doc, value=value))
    if values or not files:
        made = model(catalog.writer.sent[body.type.node.component])(**values)
        result.prepare.append((body.form, made))
    if not body.required and not any(each.required for each in members):
        result.prepare.append(("body_required", Code("False")))
    if encodings:
        result.prepare.append(("encoding", mapping(encodings)))
    if files:
        result.prepare.append(("files", sequence(files)))
        result.arguments.append(replace(_PROGRESS, name=progress))
        result.sends_files = True


def _encoding(catalog: Catalog, member: Field, body: Body) -> Code | None:
    """Return how a field of a form is written; None where it is the usual way."""
    if body.form != "form":
        return None
    said = _said(member, body)
    objects = any(e.kind == "map" or e.node.component in catalog.models for e in member.type.walk())
    types = [each for each in listed(said.get("contentType")) if "*" not in each]
    if objects:  # which leave as JSON
        types.sort(key=lambda each: not is_json(bare(each)))
    as_json = bool(types) and is_json(bare(types[0]))
    if body.media_type.startswith("multipart/"):
        if as_json:
            return py.FIELD_ENCODING(literal("json"), content_type=literal(types[0]))
        types += ["application/json"] * objects
        return py.FIELD_ENCODING(content_type=literal(types[0])) if types else None
    if as_json and said.keys().isdisjoint({"style", "explode"}):
        return py.FIELD_ENCODING(literal("json"))
    if said.keys().isdisjoint({"style", "explode", _BRACKETS}):
        return None
    style = said.get("style", "form")
    exploded = str(said.get("explode", style == "form"))
    return py.FIELD_ENCODING(literal(style + "[]" * (_BRACKETS in said)), exploded)


def _said(member: Field, body: Body) -> dict[str, Any]:
    """Return what the document says of how a field of a body is written."""
    encoding: dict[str, Any] = body.raw["media"].get("encoding", {}).get(member.wire, {})
    return encoding


def _file_words(member: Field) -> dict[str, Any]:
    """Return what the document says of a file, or of each of several, and of the field."""
    type_ = without_null(member.type)
    words = {**type_.node.schema, **member.node.schema}
    if type_.kind in _SEVERAL:
        words = {**without_null(type_.items[0]).node.schema, **words}
    return words


def _file_part(member: Field, name: str, progress: str, body: Body) -> Code:
    options = {"progress": progress}
    said = _said(member, body).get("contentType")
    holders = (member.node.schema, as_dict(member.node.schema.get("items")))
    of_schema = next((e["contentMediaType"] for e in holders if "contentMediaType" in e), None)
    types = listed(said or of_schema)
    if len(types) == 1 and "*" not in types[0]:
        options["content_type"] = literal(types[0])
    type_, words = without_null(member.type), _file_words(member)
    if type_.kind in _SEVERAL:
        options["many" if type_.kind == "list" else "keyed"] = "True"
        options |= {limit: str(value) for limit, value in checks(type_.kind, words)[0].items()}
    if nullable(member.type):
        options["nullable"] = "True"
    if extensions := words.get("x-file-extensions"):
        options["extensions"] = f"{literal(' '.join(extensions))}.split()"
    if words.get("x-file-extension-case") == "exact":
        options["exact"] = "True"
    sizes = checks("file", words)[0]
    if least := sizes.get("min_length"):
        options["min_bytes"] = f"{least:_}"
    if most := [n for n in (words.get("x-max-bytes"), sizes.get("max_length")) if n is not None]:
        options["max_bytes"] = f"{min(most):_}"
    return py.FILE_PART(literal(member.wire), name, literal(name), **options)
