"""Views of webhooks: what the service delivers by itself, and the functions that read it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipeline.codegen import names, prose
from pipeline.codegen.code import import_lines, joined
from pipeline.codegen.ir import Node, Type, Webhook
from pipeline.codegen.views.catalog import Catalog
from pipeline.codegen.views.view_models import ParserView, WebhooksView

_RAISES = (
    "Raises:",
    "    DeliveryError: `verify` returns False, or the body does not match the documents.",
)


def webhooks(catalog: Catalog) -> WebhooksView | None:
    """Return the view of all webhooks; None where there are none."""
    hooks = catalog.webhooks
    if not hooks:
        return None
    writer = catalog.writer
    tagged = _told_apart(catalog, hooks)
    parsers: list[ParserView] = []
    for hook, type_ in zip(hooks, tagged, strict=True):
        wanted = f"parse_{names.python_name(hook.raw, hook.name)}"
        about = hook.raw.get("summary") or hook.raw.get("description") or ""
        text = f"Return a delivery of `{hook.name}`. {prose.first_sentence(about)}".strip()
        parsers.append(
            ParserView(
                hook.name,
                names.numbered(wanted, [parser.function for parser in parsers]),
                writer.decoded(hook.type),
                writer.as_value(writer.decoded, type_)
                if type_ == hook.type
                else writer.tagged(type_),
                prose.docstring([prose.wrap(text, 4), _RAISES], 4),
            )
        )
    delivery = writer.decoded(_any_of(hook.type for hook in hooks))
    value = writer.as_value(writer.decoded, _any_of(tagged))
    code = [delivery, value, *(part for each in parsers for part in (each.type, each.value))]
    lines = import_lines(joined("", code).imports, lambda name: f"..models.{catalog.homes[name]}")
    return WebhooksView(
        tuple(line.replace("from ..", "from .") for line in lines), tuple(parsers), delivery, value
    )


def _any_of(types: Iterable[Type]) -> Type:
    """Return what is any of several types."""
    items = tuple(item for each in types for item in each.alternatives)
    return items[0] if len(items) == 1 else Type("union", Node(("webhooks",), {}), items)


def _told_apart(catalog: Catalog, hooks: Sequence[Webhook]) -> list[Type]:
    """Return what webhooks deliver, with the values of the member by which all are told apart.

    Each demands it with values that no other one has: another value is none of these deliveries.
    Constants say so by themselves.
    """
    each_has = [[_values(catalog, each) for each in hook.type.alternatives] for hook in hooks]
    every = [values for own in each_has for values in own]
    for wire in every[0] if len(hooks) > 1 else ():
        sets = [{value for values in own for value in values.get(wire, ())} for own in each_has]
        is_known = all(wire in values for values in every)
        is_needed = any(len(values.get(wire, ())) > 1 for values in every)
        if is_known and is_needed and sum(map(len, sets)) == len(set().union(*sets)):
            return [
                _with_tag(hook.type, [(wire, values[wire]) for values in own])
                for hook, own in zip(hooks, each_has, strict=True)
            ]
    return [hook.type for hook in hooks]


def _values(catalog: Catalog, type_: Type) -> dict[str, tuple[str, ...]]:
    """Return the texts that required members of an object may be, where these are all."""
    found: dict[str, tuple[str, ...]] = {}
    model = catalog.models.get(type_.node.component) if type_.kind == "class" else None
    for each in model.fields if model else ():
        codes = catalog.codes.get(each.type.node.component) if each.type.kind == "class" else None
        values = codes.values if codes and not codes.open else ()
        if each.type.kind == "const":
            values = (each.type.value,)
        texts = tuple(value for value in values if isinstance(value, str))
        if each.required and texts and len(texts) == len(values):
            found[each.wire] = texts
    return found


def _with_tag(type_: Type, tags: Sequence[tuple[str, tuple[str, ...]]]) -> Type:
    """Return a type whose alternatives have these tags."""
    if type_.kind != "union":
        return replace(type_, tag=tags[0])
    items = [replace(each, tag=tag) for each, tag in zip(type_.items, tags, strict=True)]
    return replace(type_, items=tuple(items))
