"""Views of successful responses: the type, and how the body becomes it."""

from __future__ import annotations

from pipeline.codegen import code as py
from pipeline.codegen import prose
from pipeline.codegen.code import Code, literal, mapping
from pipeline.codegen.ir import Content, Failure, Operation, Success, Type
from pipeline.codegen.views.catalog import Catalog
from pipeline.openapi.media_types import successes

# What the runtime asks for by itself.
_USUAL = ("", "application/json")


def response(catalog: Catalog, operation: Operation) -> tuple[Code, list[tuple[str, Code]]]:
    """Return the type of the success of an operation, and keyword arguments of `prepare`.

    It is None where no body is documented.
    """
    success = operation.success
    prepare = [("accept", Code(literal(success.accept)))] if success.accept not in _USUAL else []
    if success.type is None:
        return py.NONE, [*prepare, ("returns", py.NONE)]
    returns = py.union(decoded(catalog, each) for each in success.contents)
    prepare.append(("returns", decoded_value(catalog, success)))
    if success.others:
        prepare.append(("by_status", _by_status(catalog, success)))
    wire = success.type.node.words.keyed_by
    if wire is None:
        return returns, prepare
    returns, key = _keyed(catalog, success.type, wire)
    return returns, [*prepare, ("keyed_by", Code(literal(key)))]


def response_doc(operation: Operation) -> str:
    """Return what the document says of the success of an operation; of several, of each."""
    texts: dict[str, list[str]] = {}
    several = len(operation.success.contents) > 1
    by_content = [status for each in operation.success.contents for status in each.statuses]
    for status in by_content if several else [*successes(operation.responses)][:1]:
        text = " ".join(operation.responses[status].get("description", "").split())
        shown = "other 2XX" if status == "2XX" else status
        texts.setdefault(text.rstrip("."), []).append(shown)
    if not several:
        return prose.sentence(*texts) if texts else ""
    return " ".join(f"{text} ({', '.join(statuses)})." for text, statuses in texts.items()).strip()


def decoded(catalog: Catalog, content: Content | Failure) -> Code:
    """Return the type that the body is decoded to."""
    if content.form == "json" and content.type:
        return catalog.writer.decoded(content.type)
    return {"text": py.STR, "none": py.NONE}.get(content.form, py.BYTES)


def decoded_value(catalog: Catalog, content: Content | Failure) -> Code:
    """Return the same where a value is wanted."""
    if content.form == "json" and content.type:
        code = catalog.writer.as_value(catalog.writer.decoded, content.type)
        return py.PRESENT[code] if code == py.STR else code  # `str` alone: the body is no JSON
    return decoded(catalog, content)


def _by_status(catalog: Catalog, success: Success) -> Code:
    """Return the types of the statuses that have another one; `2` stands for all of 2xx."""
    ranged = any("2XX" in each.statuses for each in success.others)
    return mapping(
        (str(2 if status == "2XX" else int(status)), decoded_value(catalog, content))
        for content in (success.contents if ranged else success.others)
        for status in content.statuses
    )


def _keyed(catalog: Catalog, type_: Type, wire: str) -> tuple[Code, str]:
    """Return the mapping that a list or a map becomes, and the field that is its key."""
    items = {item.kind: item for item in type_.items}
    item = items["list"].items[0]
    (field,) = (each for each in catalog.models[item.node.component].fields if each.wire == wire)
    return py.KEYED[catalog.writer.decoded(item)], field.name
