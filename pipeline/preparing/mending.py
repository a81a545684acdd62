"""Mend what is wrong with a document but says nothing about its calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from jsonschema_rs import is_valid

from pipeline.lint import examples, references, standard, words
from pipeline.lint.carried import fieldless
from pipeline.lint.python_names import listed_again
from pipeline.lint.references import problem_of
from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer, copied, lookup
from pipeline.openapi.media_types import FORMS, bare, is_binary, small
from pipeline.openapi.model import branches
from pipeline.openapi.objects import ANNOTATIONS, METHODS, SHAPES, Node, as_dict, as_list, members
from pipeline.openapi.servers import why_no_address
from pipeline.openapi.validation import problems
from pipeline.openapi.wording import brief, either, field
from pipeline.preparing.corners import (
    leave_out_all,
    leave_out_optional,
    may_be_missing,
    mend_members,
    mend_parts,
)
from pipeline.preparing.credentials import mend_schemes
from pipeline.preparing.error_responses import is_error, needed, of_errors
from pipeline.preparing.revision import Revision

_LONGEST_TITLE: Final = 200
_TEXT: Final = {"type": "string"}
_OF_TEXTS: Final = ("type", "enum", "const", "minLength", "maxLength", "pattern")
_MOST_ALTERNATIVES: Final = 500
_OF_URIS: Final = "/#%:?&=+,;@!$'()*~"
_KEY: Final = re.compile("(x-)?idempotency-key", re.IGNORECASE)
_STATUS: Final = re.compile("[1-5]([0-9]{2}|XX)|default|x-.*")

_BODIES: Final = (("components", "schemas"), ("components", "responses"))
_BODILESS: Final = ("204", "205", "304")  # RFC 9110 §15.3.5, §15.3.6, §15.4.5

# Members that describe, by the kind of object; "*" stands for all of them.
_DESCRIBING: Final = {
    "document": {"info", "tags", "externalDocs", "servers"},
    "components": {"examples", "links", "callbacks", "headers"},
    "path item": {"summary", "description"},
    "operation": {"summary", "description", "externalDocs", "deprecated", "tags", "callbacks"},
    "parameter": {"description", "deprecated", "allowEmptyValue", "example", "examples"},
    "header": {"description", "deprecated", "example", "examples"},
    "request body": {"description"},
    "security scheme": {"description"},
    "media type": {"example", "examples"},
    "encoding": {"headers"},
    "response": {"description", "headers", "links"},
    "schema": {"$comment", "$recursiveAnchor", "title", "description", "default", "deprecated",
               "readOnly", "writeOnly", "examples", "example", "externalDocs", "xml",
               # What only limits values costs its check.
               "format", "minLength", "maxLength", "minItems", "maxItems", "minProperties",
               "maxProperties", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
               "multipleOf", "uniqueItems", "dependentRequired", "enum", "required", "pattern",
               "patternProperties", "unevaluatedProperties", "unevaluatedItems"},
    **{kind: {"*"} for kind in ("info", "contact", "license", "link to documentation")},
}  # fmt: skip

_PLACES: Final = ("query", "header", "path", "cookie", "querystring", "body", "formData")
_WRITES: Final = ("post", "put", "patch")

_WITH_EXAMPLES: Final = ("schema", "parameter", "header", "media type")
_VALUES: Final = ("value", "dataValue", "serializedValue", "externalValue")  # of an example

# Of a parameter in Swagger 2, all other words are those of its schema.
_OF_PARAMETER: Final = frozenset({"name", "in", "required", "collectionFormat", "allowEmptyValue"})


def mend(revision: Revision, overlays: Collection[str]) -> None:
    """Mend lists and flags that can only mean one thing, and remove what describes wrongly."""
    _containers(revision)
    mend_members(revision)
    _no_schemas(revision)
    _alternatives(revision)
    _references(revision)
    _discriminators(revision)
    _dangling(revision)
    _servers(revision)
    _security(revision)
    _title(revision)
    _path_items(revision)
    _statuses(revision)
    _media_types(revision)
    _files(revision)
    _words(revision, overlays)
    _places(revision)
    _query_strings(revision)
    _forms(revision)
    _bodies_of_paths(revision)
    _bodies(revision)
    run = revision.run
    _parameters(revision, run)
    _idempotency_keys(revision, run)
    for node in run.of("parameter"):
        if node.value.keys().isdisjoint(("$ref", "schema", "content")):
            text = f"parameter {node.value.get('name')} has no schema; typed as any value"
            revision.note(node.pointer, text, "parameter")
            node.value["schema"] = {}
    for node in run.of("schema"):
        _of_other_types(revision, node.pointer, node.value)
        _required(revision, node.pointer, node.value)
        _values(revision, node.pointer, node.value)
        _others_by_pattern(revision, node.value)
    _describing_wrongly(revision, standard.RULES)
    run = revision.run
    wrong = [
        (example.pointer, f"{run.title(example.pointer)} {next(problems(errors))[1]}", "example")
        for example, errors in examples.wrong(run)
        # One that lacks something can still be shown: of a request, what only responses have.
        if any(error.kind.name != "required" for error in errors)
    ]
    _left_out(revision, run, wrong)
    _describing_wrongly(revision, references.RULES)  # also to what is left out by now


def _containers(revision: Revision) -> None:
    """Remove what should hold others and cannot, so that everything else can be read."""
    components = as_dict(revision.data.get("components"))
    wanted: list[Pointer] = [("webhooks",), ("components",)]
    wanted += [("components", each) for each in components if each in SHAPES["components"]]
    for pointer in wanted:
        holder = lookup(revision.data, pointer[:-1])
        if pointer[-1] in holder and not isinstance(value := holder[pointer[-1]], dict):
            text = f"{field(pointer)} must be an object, is {brief(value)}"
            revision.leave_out(pointer, text, "openapi")


def _no_schemas(revision: Revision) -> None:
    """Let what stands among schemas and is none cost no more than itself."""
    for node in revision.run.of("schema"):
        for word, (kind, holds) in SHAPES["schema"].items():
            held = node.value.get(word)
            wanted = list if holds == "list" else dict
            if kind != "schema" or holds == "one" or not isinstance(held, wanted):
                continue
            for key, value in reversed([*members(held)]):
                at = (*node.pointer, word, key)
                which = f"{word}[{key}]" if isinstance(key, int) else f"{word}: {key}"
                text = f"{which} must be a boolean or an object, is {brief(value)}"
                if isinstance(value, dict | bool):
                    continue
                if word in ("properties", "prefixItems"):
                    revision.note(at, f"{text}; read as any value", "schema")
                    held[key] = {}
                elif isinstance(held, dict) or len(held) > 1:
                    revision.leave_out(at, text, "schema")


def _alternatives(revision: Revision) -> None:
    """Let the innermost of very many alternatives be any value, where they stand in one another.

    Each level multiplies them, and with them the classes: a dozen levels are ten thousand.
    """
    groups: list[list[Node]] = []
    for node in revision.run.of("schema"):
        if any(branches(node.pointer, node.value)):
            outer = groups[-1][0].pointer if groups else None
            if outer is not None and node.pointer[: len(outer)] == outer:
                groups[-1].append(node)
            else:
                groups.append([node])
    for outermost, *others in groups:
        count = len([*branches((), outermost.value)])
        inner = sorted(others, key=lambda each: len(each.pointer))
        for index, node in enumerate(inner):
            count += len([*branches((), node.value)])
            if count > _MOST_ALTERNATIVES:
                text = f"more than {_MOST_ALTERNATIVES} alternatives stand in one another here; "
                text += f"{len(inner) - index:,} of the innermost schemas are read as any value"
                revision.note(outermost.pointer, text, "schema")
                for each in inner[index:]:
                    for word in each.value.keys() - ANNOTATIONS:
                        del each.value[word]
                break


def _references(revision: Revision) -> None:
    """Write references as URIs: names of generics have blanks, brackets and quotes."""
    for node in revision.run.nodes:
        reference = as_dict(node.value).get("$ref")
        if not isinstance(reference, str):
            continue
        file, sign, place = reference.partition("#")
        place = re.sub("%(?![0-9A-Fa-f]{2})", "%25", place.replace("#", "%23"))
        escaped = quote(f"{file}{sign}{place}", _OF_URIS)
        if escaped != reference:
            text = f"$ref: {brief(reference)} is not a URI; read as {escaped}"
            revision.note((*node.pointer, "$ref"), text, "schema")
            node.value["$ref"] = escaped


def _dangling(revision: Revision) -> None:
    """Let what only errors need be any value where a reference leads nowhere.

    What a request or a success needs is left to the lint: its operation cannot be carried.
    """
    run, used = revision.run, needed(revision.run)
    for node in run.of("schema"):
        at, reference = node.pointer, node.value.get("$ref")
        of_error = at[:2] in _BODIES and at[:3] not in used
        of_error = of_error or (at[0] == "paths" and "responses" in at[3:4] and is_error(at[4]))
        if not of_error or not isinstance(reference, str) or run.target(reference) is not None:
            continue
        text = f"$ref: {reference} {problem_of(run, node, reference)}; read as any value"
        revision.note((*at, "$ref"), text, "ref")
        del node.value["$ref"]
    for node in run.of("schema"):
        mapping = as_dict(as_dict(node.value.get("discriminator")).get("mapping"))
        for name, value in list(mapping.items()):
            if isinstance(value, str) and "/" in value and run.target(value) is None:
                at = (*node.pointer, "discriminator", "mapping", name)
                revision.leave_out(at, f"mapping: {value} leads nowhere", "ref")


def _discriminators(revision: Revision) -> None:
    """Leave out discriminators that name no property, and what maps no value to a schema."""
    for node in revision.run.of("schema"):
        word, at = node.value.get("discriminator"), (*node.pointer, "discriminator")
        if "discriminator" not in node.value:
            continue
        if not isinstance(word, dict):
            text = f"discriminator must be an object, is {brief(word)}"
            revision.leave_out(at, text, "schema")
        elif not isinstance(name := word.get("propertyName"), str):
            text = f"discriminator: propertyName must be a text, is {brief(name)}"
            revision.leave_out(at, text, "schema")
        elif not isinstance(mapping := word.get("mapping", {}), dict):
            text = f"discriminator: mapping must be an object, is {brief(mapping)}"
            revision.leave_out((*at, "mapping"), text, "schema")
        else:
            for name, value in [*mapping.items()]:
                if not isinstance(value, str):
                    text = f"mapping: {name} must be a text, is {brief(value)}"
                    revision.leave_out((*at, "mapping", name), text, "schema")


def _servers(revision: Revision) -> None:
    """Leave out servers without an address; without quotes, the port of one is a number."""
    for node in revision.run.of("server variable"):
        listed = node.value.get("enum")
        for holder, at in ((node.value, node.pointer), (listed, (*node.pointer, "enum"))):
            for key, value in [*members(holder)]:
                if isinstance(value, int | float):
                    which = f"enum[{key}]" if isinstance(key, int) else key
                    text = f"{which}: {brief(value)} is no text; read as one"
                    revision.note((*at, key), text, "openapi")
                    holder[key] = brief(value)
    for index, server in reversed([*enumerate(as_list(revision.data.get("servers")))]):
        if isinstance(server, dict) and (why := why_no_address(server)):
            text = f"servers[{index}]: url {brief(server.get('url'))} {why}"
            revision.leave_out(("servers", index), text, "openapi")


def _security(revision: Revision) -> None:
    """Leave out alternatives of `security` that are none; without any, nothing is said."""
    holders = [(each.pointer, each.value) for each in revision.run.operations]
    for at, holder in [((), revision.data), *holders]:
        place, said = (*at, "security"), holder.get("security", [])
        if isinstance(said, dict):
            revision.note(place, "security must be an array; read as its only item", "openapi")
            said = holder["security"] = [said]
        if not isinstance(said, list):
            revision.leave_out(place, f"security must be an array, is {brief(said)}", "openapi")
            continue
        for index, each in reversed([*enumerate(said)]):
            if not isinstance(each, dict):
                text = f"security[{index}] must be an object, is {brief(each)}"
                revision.leave_out((*place, index), text, "openapi")
                if not said:
                    revision.remove(place)
            for name, scopes in [*as_dict(each).items()]:
                if not isinstance(scopes, list) or not all(isinstance(e, str) for e in scopes):
                    text = f"{name} must be an array of texts; read as an empty one"
                    revision.note((*place, index, name), text, "openapi")
                    each[name] = []


def _title(revision: Revision) -> None:
    """Let the title be a line that can stand anywhere, and be a name."""
    info = as_dict(revision.data.get("info"))
    title = info.get("title")
    if isinstance(title, str) and (len(title) > _LONGEST_TITLE or not title.isprintable()):
        text = "".join(sign if sign.isprintable() else " " for sign in title)
        info["title"] = " ".join(text.split())[:_LONGEST_TITLE]
        wrong = f"has {len(title)} characters" if title.isprintable() else "is not a line of text"
        revision.note(("info", "title"), f"title {wrong}; read as {info['title'][:60]!r}", "title")


def _path_items(revision: Revision) -> None:
    """Give each path operations of its own where several share a path item; they are objects."""
    seen: set[Pointer] = set()
    for path, item in as_dict(revision.data.get("paths")).items():
        at, operations = revision.run.follow(("paths", path), item)
        # In a place that OpenAPI does not know, nothing else looks at them.
        is_elsewhere = at[:1] == ("components",) and at[1] not in SHAPES["components"]
        if (at in seen or is_elsewhere) and operations and isinstance(operations, dict):
            revision.data["paths"][path] = copied(operations)
            revision.changed()
        seen.add(at)
        for method in METHODS:
            if isinstance(operations, dict) and not isinstance(operations.get(method, {}), dict):
                text = f"{method} of {path} must be an object, is {brief(operations[method])}"
                revision.leave_out((*at, method), text, "openapi")


def _statuses(revision: Revision) -> None:
    """Read `4xx` as the range `4XX`, `'200'` as `200`, and leave out what is no status."""
    for node in revision.run.of("operation"):
        responses = as_dict(node.value.get("responses"))
        for status in [each for each in responses if not _STATUS.fullmatch(str(each))]:
            at = (*node.pointer, "responses", status)
            meant = status.strip(" '\"")
            meant = meant.lower() if meant.lower() == "default" else meant.upper()
            if _STATUS.fullmatch(meant):
                end = f"read as {meant}" if meant not in responses else "left out"
                is_range = meant == status.upper()
                why = "a range of statuses has capitals" if is_range else "not a status"
                revision.note(at, f"{status}: {why}; {end}", "openapi")
                responses.setdefault(meant, responses.pop(status))
            else:
                text = f"{status}: not a status such as 200, 2XX or default"
                revision.leave_out(at, text, "openapi")
        for status, response in as_dict(node.value.get("responses")).items():
            at, answer = revision.run.follow((*node.pointer, "responses", status), response)
            is_bodiless = node.pointer[-1] == "head" or status in _BODILESS
            if is_bodiless and as_dict(as_dict(answer).get("content")):
                name = "HEAD" if node.pointer[-1] == "head" else status
                revision.note((*at, "content"), f"{name} has no body; content is left out", "body")
                responses[status] = {key: answer[key] for key in answer if key != "content"}
        if node.value.get("responses") == {}:
            revision.leave_out((*node.pointer, "responses"), "responses: has none", "openapi")


def _media_types(revision: Revision) -> None:
    """Write media types in small letters; any parts that have names are a form."""
    run = revision.run
    for node in run.of("request body", "response", "parameter", "header"):
        content = as_dict(node.value.get("content"))
        for name, media in [*content.items()]:
            if media is None:
                text = f"content: {name} says nothing; read as any value"
                revision.note((*node.pointer, "content", name), text, "openapi")
                content[name] = {}
            elif not isinstance(media, dict) and len(content) > 1:
                text = f"content: {name} must be an object, is {brief(media)}"
                revision.leave_out((*node.pointer, "content", name), text, "openapi")
            elif node.kind == "response" and not (name.isascii() and name.isprintable()):
                text = f"content: no header holds {brief(name)}; read as */*"
                revision.note((*node.pointer, "content", name), text, "openapi")
                content.setdefault("*/*", content.pop(name))
        made: dict[str, Any] = {}
        for name, media in content.items():
            at = (*node.pointer, "content", name)
            meant = small(name)
            if meant == "multipart/*" and run.has_fields(at):
                meant = FORMS[0]
            if meant != name:
                is_there = meant in content or meant in made
                end = "which is there, too; left out" if is_there else "read as this"
                revision.note(at, f"content: {name} means {meant}; {end}", "openapi")
            if meant == name or meant not in content:
                made.setdefault(meant, media)
        if made.keys() != content.keys():
            node.value["content"] = made


def _files(revision: Revision) -> None:
    """Let parts of a form that say nothing of their type be files, as OpenAPI 3.1 has it."""
    run = revision.run
    uses = Counter(str(node.value["$ref"]) for node in run.nodes if "$ref" in as_dict(node.value))
    for node in run.of("media type"):
        of_parts = bare(str(node.pointer[-1])).startswith("multipart/")
        if not of_parts or not run.has_fields(node.pointer):
            continue
        encoding, schema = as_dict(node.value.get("encoding")), as_dict(node.value.get("schema"))
        if uses[str(schema.get("$ref"))] > 1:
            continue  # elsewhere it may be anything
        at, branches = run.follow((*node.pointer, "schema"), schema)
        branches = as_dict(branches)
        word = next((each for each in ("oneOf", "anyOf") if branches.get(each)), "")
        if word and not branches.keys() & {"properties", "allOf"}:
            text = f"{word}: the branches of a form are merged; every field is optional"
            revision.note((*at, word), text, "schema")
            parts = [(at, each) for each in branches[word]]
            schema = node.value["schema"] = {"type": "object", "properties": {
                name: copied(value)
                for at, branch in parts for name, (_, value) in run.properties(at, branch).items()
            }}  # fmt: skip
        for name, (at, part) in run.properties((*node.pointer, "schema"), schema).items():
            value = part
            if isinstance(part, dict) and part.get("type") == "array":
                at, value = (*at, "items"), part.setdefault("items", {})
            said = as_dict(encoding.get(name)).get("contentType", "application/octet-stream")
            is_untyped = isinstance(value, dict) and not value.keys() - _DESCRIBING["schema"]
            if is_untyped and is_binary(said, None):
                revision.note(at, f"part {name} has no type; read as a file", "schema")
                value["contentMediaType"] = said


def _places(revision: Revision) -> None:
    """Let parameters stand where they can; one that may be missing costs no more than itself."""
    run = revision.run
    for node in run.of("parameter"):
        given, name = node.value.get("in"), node.value.get("name")
        if given is None and node.pointer[0] == "paths" and f"{{{name}}}" in str(node.pointer[1]):
            given = "path"
        meant = next((each for each in _PLACES if each.lower() == str(given).lower()), given)
        if "$ref" not in node.value and meant != node.value.get("in"):
            text = f"parameter {name}: in is {brief(node.value.get('in'))}; read as {meant}"
            revision.note(node.pointer, text, "parameter")
            node.value["in"] = meant
    needed: set[Pointer] = set()
    for holder in run.of("path item", "operation"):
        listed = as_list(holder.value.get("parameters"))
        gone = []
        for index, parameter in enumerate(listed):
            at = (*holder.pointer, "parameters", index)
            where, meant = run.follow(at, parameter)
            said, why = as_dict(meant), _why_unsent(as_dict(meant))
            is_body = said.get("in") == "body"  # which needs no name
            if meant == {} or not why or is_body or said.get("required") is True:
                needed.add(where)
                continue
            gone.append(index)
            if isinstance(meant, dict):
                is_placed = said.get("in") in _PLACES
                which = f"parameters[{index}]" if is_placed else f"parameter {said.get('name')}"
                revision.note(at, f"{which}: {why}; left out", "parameter", loses=True)
            else:
                text = f"parameters[{index}] must be an object, is {brief(meant)}; left out"
                revision.note(at, text, "parameter", loses=True)
        for index in reversed(gone):
            revision.remove((*holder.pointer, "parameters", index))
    for node in run.of("parameter"):
        is_unused = node.pointer[:2] == ("components", "parameters") and node.pointer not in needed
        if is_unused and "$ref" not in node.value and (why := _why_unsent(node.value)):
            revision.leave_out(node.pointer, why, "parameter")


def _why_unsent(parameter: Mapping[str, Any]) -> str:
    """Return why no request can carry a parameter; empty where one can."""
    place, name = parameter.get("in"), parameter.get("name")
    if place not in _PLACES:
        return f"in must be {either(_PLACES[:4])}, is {brief(place)}"
    if not isinstance(name, str) or not name:
        return f"name must be a text, is {brief(name)}"
    return ""


def _query_strings(revision: Revision) -> None:
    """Read the parameter of a whole query string, a form, as a parameter for each of its fields."""
    run = revision.run
    read: set[Pointer] = set()
    for holder in [*run.of("path item", "operation")]:
        made = []
        for index, parameter in enumerate(as_list(holder.value.get("parameters"))):
            at, meant = run.follow((*holder.pointer, "parameters", index), parameter)
            content = as_dict(as_dict(meant).get("content"))
            form = next((name for name in content if bare(name) == FORMS[1]), "")
            place, media = (*at, "content", form, "schema"), as_dict(content.get(form))
            properties = run.properties(place, media.get("schema"))
            if as_dict(meant).get("in") != "querystring" or not properties:
                made.append(parameter)
                continue
            read.add(at)
            text = f"parameter {meant.get('name')}: read as parameters {', '.join(properties)}"
            revision.note((*holder.pointer, "parameters", index), text, "parameter")
            always = meant.get("required") is True
            required = run.required(place, media.get("schema")) if always else set()
            for name, (where, value) in properties.items():
                said = as_dict(as_dict(media.get("encoding")).get(name))
                schema: dict[str, Any] = {"schema": copied(value)}
                if "object" in run.types(where, value) and "style" not in said:
                    schema = {"content": {"application/json": schema}}
                schema |= {word: said[word] for word in ("style", "explode") if word in said}
                if "description" in as_dict(value):
                    schema["description"] = value["description"]
                made.append({"name": name, "in": "query", "required": name in required, **schema})
        if made != as_list(holder.value.get("parameters")):
            holder.value["parameters"] = made
    for at in read:
        if at[0] == "components":
            revision.remove(at)


def _forms(revision: Revision) -> None:
    """Leave out a form whose schema has no fields, where the body may be something else."""
    run = revision.run
    for node in run.of("request body"):
        content = as_dict(node.value.get("content"))
        for name in [name for name in content if bare(name) in FORMS]:
            at = (*node.pointer, "content", name)
            if len(content) > 1 and (kinds := fieldless(run, at, content[name])):
                revision.leave_out(at, f"content: a form has fields, {either(kinds)} none", "carry")


def _words(revision: Revision, overlays: Collection[str]) -> None:
    """Remove words that mean something else than ours do, unless an overlay has them."""
    run = revision.run
    before = len(run.findings)
    for rule in words.RULES:
        rule(run)
    for finding in run.findings[before:]:
        pointer = finding.pointer or ()
        at = next((index for index, key in enumerate(pointer) if str(key)[:2] == "x-"), None)
        file = finding.position.file if finding.position else ""
        if finding.severity == "error" and at is not None and file not in overlays:
            revision.leave_out(pointer, finding.message, finding.rule, pointer[: at + 1])


def _describing_wrongly(revision: Revision, rules: Iterable[Rule]) -> None:
    """Remove what costs only itself and goes against one of these rules, and what needs it."""
    is_changed = True
    while is_changed:
        run = revision.run
        before = len(run.findings)
        for rule in rules:
            rule(run)
        errors = [each for each in run.findings[before:] if each.severity == "error"]
        wrong = [(each.pointer or (), each.message, each.rule) for each in errors]
        is_changed = bool(errors) and (
            _left_out(revision, run, wrong)
            or mend_schemes(revision, run, errors)
            or mend_parts(revision, run, errors, of_errors(run))
            or leave_out_optional(revision, run, errors)
        )


def _left_out(revision: Revision, run: Run, wrong: Iterable[tuple[Pointer, str, str]]) -> bool:
    """Remove what is wrong, with a message and a rule, if it only describes; say whether any is."""
    every = [*wrong]
    errors = of_errors(run) if every else set()
    describing = [(at, each) for each in every if (at := _describing(run, each[0], errors))]
    for place, (pointer, message, rule) in describing:
        is_whole = run.kinds.get(place) == "parameter" and place != pointer
        what = f"{run.title(place)} is left out" if is_whole else "left out"
        revision.note(pointer, f"{message}; {what}", rule)
    return leave_out_all(revision, run, {place for place, _ in describing})


def _describing(run: Run, pointer: Pointer, errors: Collection[Pointer]) -> Pointer:
    """Return the place of what only describes at a pointer: as little as can be left out."""
    missing: Pointer = ()
    for length, key in enumerate(pointer):
        holder = run.kinds.get(pointer[:length], "")
        known = _DESCRIBING.get(holder, ())
        if key == "info" and len(pointer) > 1:
            continue  # one of its members is wrong
        if key in known or "*" in known or pointer[: length + 1] in errors:
            break
        # Without the only address of its own, an operation would go elsewhere.
        has_others = len(as_list(run.get(pointer[: length + 1]))) > 1
        is_of_server = key == "servers" and holder in ("path item", "operation")
        if is_of_server and (has_others or pointer[-1] == "description"):
            break
        if may_be_missing(run, pointer[:length]):
            missing = pointer[:length]
    else:
        return missing or (pointer if may_be_missing(run, pointer) else ())
    for index in range(length, len(pointer)):
        kind, word = run.kinds.get(pointer[:index]), pointer[index]
        if kind == "example" and word in _VALUES:
            return pointer[:index]
        if kind in _WITH_EXAMPLES and word in ("example", "default"):
            return pointer[: index + 1]
        if kind == "schema" and word == "examples":
            return pointer[: index + 2]
    is_whole = run.kinds.get(pointer[:-2]) == "header"  # which needs a schema
    return pointer[:-1] if pointer[-1] == "$ref" and not is_whole else pointer


def _of_other_types(revision: Revision, pointer: Pointer, schema: dict[str, Any]) -> None:
    """Remove what says nothing: empty lists, members and items of values of other types."""
    for word in ("allOf", "anyOf", "oneOf", "enum"):
        if schema.get(word) == []:
            revision.note((*pointer, word), f"{word}: is empty; left out", "schema")
            del schema[word]
    if schema.get("const", ...) is None:  # the same in other words, which every reader knows
        schema["type"] = "null"
        del schema["const"]
    kind = schema.get("type")
    if kind == "file":
        revision.note((*pointer, "type"), "type: file is a word of Swagger 2: a file", "schema")
        kind = schema["type"] = "string"
        schema["format"] = "binary"
    kinds: list[Any] = kind if isinstance(kind, list) else [kind]
    if not all(isinstance(each, str) for each in kinds):
        return
    literal = re.fullmatch(r"/(\^.*\$)/([dgimsuvy]*)", str(schema.get("pattern")))
    if literal:  # with its slashes it matches nothing
        is_plain = not set(literal[2]) - set("gu")
        end = f"read as {literal[1]}" if is_plain else "not checked"
        text = f"pattern: {literal[0]} is a literal of JavaScript; {end}"
        revision.note((*pointer, "pattern"), text, "schema")
        schema.pop("pattern")
        schema.update({"pattern": literal[1]} if is_plain else {})
    if isinstance(schema.get("items"), list) and "prefixItems" not in schema:
        text = "items: a list of schemas is of older versions of JSON Schema; read as prefixItems"
        revision.note((*pointer, "items"), text, "schema")
        schema["prefixItems"] = schema.pop("items")
        if "additionalItems" in schema:
            schema["items"] = schema.pop("additionalItems")
    for type_, word in (("object", "properties"), ("array", "items")):
        if type_ not in kinds and word in schema:
            text = f"{word}: means nothing beside type: {', '.join(kinds)}"
            revision.leave_out((*pointer, word), text, "schema")


def _values(revision: Revision, pointer: Pointer, schema: dict[str, Any]) -> None:
    """Let each value of an enumeration stand once, with the words that name them."""
    values, again = as_list(schema.get("enum")), dict(listed_again(schema))
    for index, text in again.items():
        revision.note((*pointer, "enum", index), f"{text}; read as one", "schema")
    for word in ("enum", "x-enum-varnames") if again else ():
        if len(listed := as_list(schema.get(word))) == len(values):
            schema[word] = [one for index, one in enumerate(listed) if index not in again]


def _others_by_pattern(revision: Revision, schema: dict[str, Any]) -> None:
    """Let an object have members whose names match a pattern, beside those that it names."""
    patterns = [*as_dict(schema.get("patternProperties")).values()]
    if patterns and schema.get("additionalProperties", not schema.get("properties")) is False:
        is_closed = len(patterns) == 1 and "additionalProperties" in schema
        schema["additionalProperties"] = copied(patterns[0]) if is_closed else True
        revision.changed()


def _required(revision: Revision, pointer: Pointer, schema: dict[str, Any]) -> None:
    """Mend `required` of a schema."""
    required = schema.get("required")
    if isinstance(required, bool):
        text = "required: must be a list on the enclosing object"
        revision.leave_out((*pointer, "required"), text, "schema")
    elif isinstance(required, list):
        # In YAML, a name without quotes may be a number.
        names = [each for each in required if isinstance(each, str | int)]
        once = list(dict.fromkeys(n if isinstance(n, str) else brief(n) for n in names))
        if once != required:
            text = "required has a duplicate name, or one that is not a text"
            revision.note((*pointer, "required"), text, "schema")
            schema["required"] = once


def _idempotency_keys(revision: Revision, run: Run) -> None:
    """Let the word of a write name the header that tells a repetition of it from a second one."""
    for operation in run.operations:
        raw = operation.value
        headers = operation.sent_in("header")
        named = raw.get("x-idempotency-key")
        declared = [name for name in headers if name.lower() == str(named).lower()]
        if declared:
            raw["x-idempotency-key"] = declared[0]
        elif isinstance(named, str):
            about = "Tells a repetition from a second request."
            made = {"name": named, "in": "header", "description": about, "schema": dict(_TEXT)}
            raw["parameters"] = [*as_list(raw.get("parameters")), made]
            revision.changed()
        elif named is None and operation.method.lower() in ("post", "patch"):
            for name, node in headers.items():
                if not _KEY.fullmatch(name):
                    continue
                if _takes_uuids(run, node):
                    text = f"parameter {name} is made for each call, and kept over its retries"
                    raw["x-idempotency-key"] = name
                else:
                    text = f"parameter {name} takes no UUID, so each call has to give it"
                revision.note(node.pointer, text, "parameter")


def _takes_uuids(run: Run, node: Node) -> bool:
    """Return whether the values of a parameter may be UUIDs, as texts."""
    schema = as_dict(run.follow((*node.pointer, "schema"), node.value.get("schema"))[1])
    limits = {word: value for word, value in schema.items() if word in _OF_TEXTS}
    try:
        return is_valid(limits, "9b2f6c0e-7d41-4a8e-b3c5-1f0a2d4e6b78")
    except ValueError:  # a pattern that is none
        return False


def _is_of_body(parameter: Any) -> bool:
    """Return whether a parameter is a body, or a field of one, as in Swagger 2."""
    return as_dict(parameter).get("in") in ("body", "formData")


def _bodies_of_paths(revision: Revision) -> None:
    """Let the body that a path declares among its parameters be that of each of its writes."""
    run = revision.run
    for item in run.of("path item"):
        at, listed = (*item.pointer, "parameters"), as_list(item.value.get("parameters"))
        meant = [run.follow((*at, index), each)[1] for index, each in enumerate(listed)]
        shared = [one for one, each in zip(listed, meant, strict=True) if _is_of_body(each)]
        if not shared:
            continue
        revision.note(at, f"the body of a path is that of its {either(_WRITES)}", "parameter")
        item.value["parameters"] = [each for each in listed if each not in shared]
        for method in _WRITES:
            operation = as_dict(item.value.get(method))
            own = as_list(operation.get("parameters"))
            places = ((*item.pointer, method, "parameters", index) for index in range(len(own)))
            followed = (run.follow(*each)[1] for each in zip(places, own, strict=True))
            if operation and "requestBody" not in operation and not any(map(_is_of_body, followed)):
                operation["parameters"] = [*own, *shared]


def _bodies(revision: Revision) -> None:
    """Read parameters that are the body, or fields of a form, as in Swagger 2, as that body."""
    run = revision.run
    for operation in run.operations:
        raw = operation.value
        given = as_list(raw.get("parameters"))
        places = [(*operation.pointer, "parameters", index) for index in range(len(given))]
        meant = [as_dict(run.follow(*each)[1]) for each in zip(places, given, strict=True)]
        parts = [each for each in meant if _is_of_body(each)]
        kinds = [each["in"] for each in parts]
        if "requestBody" in raw or (kinds != ["body"] and {*kinds} != {"formData"}):
            continue  # it has none, or one of several is meant
        for place, each in zip(places, meant, strict=True):
            if _is_of_body(each):
                text = f"in: {each['in']} is a word of Swagger 2; read as requestBody"
                revision.note(place, f"parameter {each.get('name')}: {text}", "parameter")
        raw["parameters"] = [
            one for one, each in zip(given, meant, strict=True) if not _is_of_body(each)
        ]
        if kinds == ["body"]:
            schema, usual = parts[0].get("schema", {}), "application/json"
        else:
            schema = {
                "type": "object",
                "properties": {str(each.get("name")): _in_full(each) for each in parts},
                "required": [str(e.get("name")) for e in parts if e.get("required") is True],
            }
            is_file = any(each.get("type") == "file" for each in parts)
            usual = FORMS[0] if is_file else FORMS[1]
        consumes = as_list(raw.get("consumes")) or as_list(run.data.get("consumes"))
        media = [each for each in consumes if isinstance(each, str) and "/" in each] or [usual]
        raw["requestBody"] = {
            "required": any(each.get("required") is True for each in parts),
            "content": {each: {"schema": schema} for each in media},
        }


def _in_full(parameter: dict[str, Any]) -> Any:
    """Return the schema of a parameter, of which Swagger 2 writes the words beside its name."""
    own = {key: each for key, each in parameter.items() if key not in _OF_PARAMETER}
    return parameter.get("schema", own)


def _parameters(revision: Revision, run: Run) -> None:
    """Let operations have exactly the parameters that their paths name."""
    for operation in run.operations:
        declared = operation.sent_in("path")
        for name, node in declared.items():
            if node.value.get("required") is not True:
                text = f"parameter {name} is in the path, so it is required"
                revision.note(node.pointer, text, "parameter")
                node.value["required"] = True
        for name in operation.path_names:
            if name not in declared:
                text = f"{operation.route} declares no path parameter {name}; added as text"
                revision.note(operation.pointer, text, "path")
                made = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                operation.value["parameters"] = [
                    *as_list(operation.value.get("parameters")), made
                ]  # fmt: skip
