"""The view of the whole package, from the parsed documents and the configuration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pipeline.config import Config
from pipeline.documents import Document
from pipeline.ir import Api
from pipeline.problems import Finding, PipelineError
from pipeline.views.catalog import make_catalog
from pipeline.views.errors import ERRORS, attributes, status_errors
from pipeline.views.models import modules
from pipeline.views.operations import resources
from pipeline.views.shapes import (
    ModuleView,
    OperationView,
    PackageView,
    ResourceView,
    ServerView,
    StatusErrorView,
)

# Members of an error's body that hold its message, where no documented one does.
_MESSAGES = ("message", "error", "detail", "title")


def build(config: Config, apis: Sequence[Api], documents: Mapping[str, Document]) -> PackageView:
    """Work out the view of the package.

    Raises:
        PipelineError: two documents define one class differently, names clash, or a word of an
            operation does not fit.
    """
    catalog = make_catalog(apis, documents)
    groups = resources(catalog, f"{config.client.package}.models", lambda name: _path(config, name))
    models = modules(catalog)
    errors = status_errors(catalog.operations)
    fields = attributes(catalog.apis)
    findings = [*_clashes(groups, models), *_class_name_clash(config, errors)]
    if findings:
        raise PipelineError(*findings)
    parts: dict[str, str] = {}
    gaps: dict[str, Mapping[str, Any]] = {}
    for api in apis:
        gaps |= api.raw.get("x-gaps", {})
        parts |= {str(key): str(value) for key, value in api.raw.get("x-parts", {}).items()}
    operations = [each for group in groups for each in group.operations]
    return PackageView(
        client=config.client,
        sources=tuple(_path(config, source.name) for source in config.sources),
        servers=tuple(_server(config, api) for api in apis),
        resources=groups,
        modules=models,
        status_errors=errors,
        attributes=fields,
        message_fields=next((each.wires for each in fields if each.name == "message"), _MESSAGES),
        parts=tuple(parts.items()),
        gaps=tuple(gaps.items()),
        exports=tuple(_exports(config.client.class_name, errors, operations)),
        class_homes=tuple(
            sorted((each.name, module.name) for module in models for each in module.classes)
        ),
        shown=_shown(operations),
    )


def _clashes(groups: Iterable[ResourceView], models: Iterable[ModuleView]) -> Iterator[Finding]:
    """Two names that are one in Python."""
    for group in groups:
        yield from _twice(f"the resource {group.name}", (each.name for each in group.operations))
        for operation in group.operations:
            yield from _twice(operation.path, (each.name for each in operation.arguments))
    for module in models:
        for view in module.classes:
            yield from _twice(view.name, (each.name for each in view.fields))


def _twice(owner: str, found: Iterable[str]) -> Iterator[Finding]:
    for name, count in Counter(found).items():
        if count > 1:
            text = f"{owner} has two of the name {name}: say `x-python-name`"
            yield Finding(text, rule="names")


def _class_name_clash(config: Config, errors: Iterable[StatusErrorView]) -> Iterator[Finding]:
    root = f"{config.client.class_name}Error"
    if root in {*ERRORS, *(each.name for each in errors)}:
        text = f"tool.pipeline.client.class_name: {root} is another error"
        yield Finding(text, rule="names")


def _exports(
    class_name: str, errors: Iterable[StatusErrorView], operations: Iterable[OperationView]
) -> list[tuple[str, str]]:
    """Each public name of the package itself with its module, sorted."""
    homes = dict.fromkeys((class_name, f"Async{class_name}"), "client")
    homes |= dict.fromkeys((f"{class_name}Error", *ERRORS, *(e.name for e in errors)), "errors")
    homes |= {"UNSET": "_runtime.models", "UnsetType": "_runtime.models"}
    homes |= {"Request": "_runtime.request", "id_key": "_runtime.ids"}
    if any("FileInput" in a.annotation for each in operations for a in each.arguments):
        homes |= {"File": "_runtime.files", "FileInput": "_runtime.files"}
    return sorted(homes.items())


def _shown(operations: Iterable[OperationView]) -> OperationView | None:
    """The operation that the README shows: with an example of few arguments, best a read."""
    return min(
        (each for each in operations if each.example),
        key=lambda each: (each.retry_safety != "safe", len(each.example or ())),
        default=None,
    )


def _path(config: Config, name: str) -> str:
    """The path of a document as its banner shows it: below the configuration, or its name."""
    path = next(each.path for each in config.sources if each.name == name)
    root = config.file.parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _server(config: Config, api: Api) -> ServerView:
    argument = next(each.address for each in config.sources if each.name == api.source)
    servers = api.raw.get("servers") or [{"url": "/"}]
    path = servers[0].get("url", "/").partition("://")[2].partition("/")[2]
    return ServerView(
        key=api.source,
        argument=argument,
        variable=f"{config.client.environment}_{argument.upper()}",
        ends=f"/{path}".rstrip("/"),
        title=" ".join(api.raw.get("info", {}).get("title", api.source).split()),
    )
