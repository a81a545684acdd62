"""What the documents have of each resource, for the error of who looks for more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.codegen.ir import Operation
from pipeline.codegen.names import resource_name
from pipeline.codegen.views.catalog import Catalog
from pipeline.codegen.views.view_models import DocumentedView, ResourceView

_KINDS = {"GET": "read", "HEAD": "read", "PUT": "update", "PATCH": "update", "DELETE": "delete"}


def documented(
    catalog: Catalog, groups: Sequence[ResourceView]
) -> tuple[list[tuple[str, DocumentedView]], str]:
    """Return what is documented of each resource, and the section of what is not shown."""
    words = [(word, api.words.gaps or {}) for api in catalog.apis if (word := api.words.not_shown)]
    section = next((str(gaps.get(word.gap, {}).get("section", "")) for word, gaps in words), "")
    missing = {name: each for word, _ in words for name, each in word.resources.items()}
    views = [(group.name, _view(catalog, group, groups, missing)) for group in groups]
    others = missing.keys() - dict(views)
    return [*views, *((name, DocumentedView()) for name in missing if name in others)], section


def _view(
    catalog: Catalog,
    group: ResourceView,
    groups: Sequence[ResourceView],
    missing: dict[str, tuple[str, ...]],
) -> DocumentedView:
    methods = {
        method.name: _does(each.http) for each in group.operations for method in each.methods
    }
    return DocumentedView(
        section=next((each.section for each in group.operations if each.section), ""),
        methods=methods,
        elsewhere=tuple(_elsewhere(catalog, group.name, groups)),
        not_shown=tuple(each for each in missing.get(group.name, ()) if each not in methods),
    )


def _does(http: str) -> str:
    """Return what a method does with an object: a POST below one changes it."""
    method, path = http.split()[:2]
    return _KINDS.get(method, "update" if "{" in path else "create")


def _elsewhere(catalog: Catalog, name: str, groups: Sequence[ResourceView]) -> Iterator[str]:
    """Yield the methods of other resources whose objects hold those of this one."""
    own = {
        component
        for operation in catalog.operations
        if resource_name(operation.raw) == name
        for component in _returned(operation)
    }
    holders = {
        f"{operation.method} {operation.path}"
        for operation in catalog.operations
        if resource_name(operation.raw) != name and operation.method == "GET"
        for component in _returned(operation)
        for page in (component, *_fields(catalog, component))
        if page not in own and own & {*_fields(catalog, page)}
    }
    for group in groups:
        for operation in group.operations:
            if operation.http in holders:
                yield from (each.path for each in operation.methods)


def _returned(operation: Operation) -> set[str]:
    return {each for type_ in operation.success.types for each in type_.classes}


def _fields(catalog: Catalog, component: str) -> Iterator[str]:
    if component in catalog.models:
        for field in catalog.models[component].fields:
            yield from field.type.classes
