"""Views of webhooks: what the service delivers by itself, and the functions that read it."""

from __future__ import annotations

from pipeline.codegen import names, prose
from pipeline.codegen.code import import_lines, joined
from pipeline.codegen.ir import Node, Type
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
    parsers: list[ParserView] = []
    for hook in hooks:
        wanted = f"parse_{names.python_name(hook.raw, hook.name)}"
        about = hook.raw.get("summary") or hook.raw.get("description") or ""
        text = f"Return a delivery of `{hook.name}`. {prose.first_sentence(about)}".strip()
        parsers.append(
            ParserView(
                hook.name,
                names.numbered(wanted, [parser.function for parser in parsers]),
                writer.decoded(hook.type),
                writer.as_value(writer.decoded, hook.type),
                prose.docstring([prose.wrap(text, 4), _RAISES], 4),
            )
        )
    types = [each for hook in hooks for each in hook.type.alternatives]
    every = types[0] if len(types) == 1 else Type("union", Node(("webhooks",), {}), tuple(types))
    type_, value = writer.decoded(every), writer.as_value(writer.decoded, every)
    code = [type_, value, *(part for each in parsers for part in (each.type, each.value))]
    lines = import_lines(joined("", code).imports, lambda name: f"..models.{catalog.homes[name]}")
    return WebhooksView(
        tuple(line.replace("from ..", "from .") for line in lines), tuple(parsers), type_, value
    )
