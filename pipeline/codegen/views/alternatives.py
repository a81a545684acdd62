"""Operations that respond with one of several media types, which a caller may choose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pipeline.codegen import code as py
from pipeline.codegen import prose
from pipeline.codegen.code import Code, joined, literal, mapping
from pipeline.codegen.views.lookup import Lookup, Made
from pipeline.codegen.views.responses import decoded, decoded_value
from pipeline.codegen.views.view_models import ArgumentView, OperationView


def with_alternatives(lookup: Lookup, made: Made) -> OperationView:
    """Return the view of an operation with an argument that chooses one of its media types."""
    view, success, catalog = made.view, made.operation.success, lookup.catalog
    if not success.alternatives or (success.type and success.type.node.words.keyed_by):
        return view
    contents = (success, *success.alternatives)
    types = {each.media_type: decoded(catalog, each) for each in contents}
    nothing = [py.NONE] * any(each.type is None for each in success.others)
    name = "accept" + "_" * ("accept" in {each.name for each in view.arguments})

    def returned(codes: Iterable[Code]) -> Code:
        return joined(" | ", dict.fromkeys([*codes, *nothing]))

    distinct = {code: [each for each in types if types[each] == code] for code in types.values()}
    given = [
        f"{prose.listed([f'`{each}`' for each in names])} gives `{returned([code])}`"
        for code, names in distinct.items()
    ]
    doc = "Media type to accept" + (f": {'; '.join(given)}." if len(given) > 1 else ".")

    def argument(*media_types: str, required: bool = False) -> ArgumentView:
        choice = py.LITERAL[tuple(Code(literal(each)) for each in media_types)]
        return ArgumentView(name, choice, required, False, doc, Code(literal(success.media_type)))

    overloads = [
        (argument(*names, required=success.media_type not in names), returned([code]))
        for code, names in distinct.items()
    ]
    # Where the caller does not know beforehand which of them it is.
    overloads.append((argument(*types, required=True), returned(types.values())))
    errors = [each for each in success.accept.split(", ") if each not in types]
    chosen = {
        "accept": Code(name),
        "offers": mapping(
            (literal(content.media_type), decoded_value(catalog, content)) for content in contents
        ),
        **({"accept_errors": Code(literal(", ".join(errors)))} if errors else {}),
    }
    prepare = [each for each in view.prepare if each[0] not in ("accept", "returns")]
    at = next(i for i, each in enumerate(view.prepare) if each[0] in ("accept", "returns"))
    return replace(
        view,
        arguments=(*view.arguments, argument(*types)),
        returns=returned(types.values()),
        overloads=tuple(overloads) if len(distinct) > 1 else (),
        prepare=(*prepare[:at], *chosen.items(), *prepare[at:]),
    )
