"""What the documents have of each resource, for the error of who looks for more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

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
    elsewhere = _elsewhere(catalog, groups)
    views = [
        (group.name, _view(group, elsewhere.get(group.name, ()), missing.get(group.name, ())))
        for group in groups
    ]
    known = {group.name for group in groups}
    return [*views, *((name, DocumentedView()) for name in missing if name not in known)], section


def _view(
    group: ResourceView, elsewhere: Collection[str], missing: Sequence[str]
) -> DocumentedView:
    methods = {
        method.name: _does(each.http) for each in group.operations for method in each.methods
    }
    return DocumentedView(
        section=next((each.section for each in group.operations if each.section), ""),
        methods=methods,
        elsewhere=tuple(elsewhere),
        not_shown=tuple(each for each in missing if each not in methods),
    )


def _does(http: str) -> str:
    """Return what a method does with an object: a POST below one changes it."""
    method, path = http.split()[:2]
    return _KINDS.get(method, "update" if "{" in path else "create")


def _elsewhere(
    catalog: Catalog, groups: Sequence[ResourceView]
) -> Mapping[str, Mapping[str, None]]:
    """Return, for each resource, the methods of others whose objects hold those of this one."""
    methods = {
        (each.server, each.http): [method.path for method in each.methods]
        for group in groups
        for each in group.operations
    }
    fields = {
        name: {held for field in model.fields for held in field.type.classes}
        for name, model in catalog.models.items()
    }
    returned = [
        (each, resource_name(each.raw), {name for e in each.success.types for name in e.classes})
        for each in catalog.operations
    ]
    owners: dict[str, set[str]] = {}
    for _, resource, components in returned:
        for component in components:
            owners.setdefault(component, set()).add(resource)
    own = {component: next(iter(names)) for component, names in owners.items() if len(names) == 1}
    found: dict[str, dict[str, None]] = {}
    for operation, resource, components in returned:
        if operation.method == "GET":
            pages = components.union(*(fields.get(each, ()) for each in components))
            held = {own.get(inner, "") for page in pages for inner in fields.get(page, ())}
            for owner in held - {"", resource}:
                at = (operation.source, f"{operation.method} {operation.path}")
                found.setdefault(owner, {}).update(dict.fromkeys(methods[at]))
    return found
