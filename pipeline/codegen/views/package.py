"""The view of the whole package, from the parsed documents and the configuration."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pipeline.codegen import code as py
from pipeline.codegen import names, prose
from pipeline.codegen.custom import custom_classes
from pipeline.codegen.ir import Api, Operation
from pipeline.codegen.pins import Pins
from pipeline.codegen.runtime_index import OF_OAUTH, OF_STREAMS, runtime_index
from pipeline.codegen.views.catalog import Catalog, make_catalog
from pipeline.codegen.views.documented import documented
from pipeline.codegen.views.errors import (
    ERRORS,
    RUNTIME_ERRORS,
    attributes,
    status_errors,
    unexplained,
    with_bodies,
)
from pipeline.codegen.views.models import modules
from pipeline.codegen.views.objects import objects
from pipeline.codegen.views.operations import resources
from pipeline.codegen.views.security import Security
from pipeline.codegen.views.servers import server_choice
from pipeline.codegen.views.view_models import (
    ClassView,
    Manner,
    ModuleView,
    OperationView,
    PackageView,
    PlanView,
    ResourceView,
    ServerChoiceView,
    ServerView,
    StartView,
    StatusErrorView,
    VariableView,
    in_short,
)
from pipeline.codegen.views.webhooks import webhooks
from pipeline.config import Config
from pipeline.openapi.documents import Document, Pointer, seen_from
from pipeline.openapi.leaving_out import LeftOut
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.servers import ANYWHERE, address, default_address, filled

# Members of an error's body that hold its message, where no documented one does.
_MESSAGES = ("message", "error", "detail", "title")


def build(
    config: Config,
    apis: Sequence[Api],
    documents: Mapping[str, Document],
    left_out: Sequence[LeftOut] = (),
    pins: Mapping[str, Pins] | None = None,
) -> PackageView:
    """Work out the view of the package."""
    catalog = make_catalog(apis, documents, pins)
    security = Security(catalog.apis, config.client.environment)
    groups = resources(
        catalog, security, f"{config.client.package}.models", lambda name: _path(config, name)
    )
    models = modules(catalog)
    errors, error_bodies = with_bodies(
        catalog, status_errors(catalog.operations, catalog.over_rate)
    )
    fields = attributes(catalog.apis)
    known, not_shown = documented(catalog, groups)
    package = config.output / "client/src" / config.client.package
    custom, of_custom = custom_classes(package, _extensible(config.client.class_name, groups))
    findings = [
        *_clashes(groups, models, catalog, documents),
        *_class_name_clash(config, errors),
    ]
    if findings:
        raise PipelineError(*findings)
    sections: dict[str, str] = {}
    gaps: dict[str, Mapping[str, Any]] = {}
    for api in apis:
        gaps |= api.words.gaps or {}
        sections |= api.words.sections or {}
    return PackageView(
        client=config.client,
        sources=tuple(_path(config, source.name) for source in config.sources),
        servers=tuple(_servers(config, apis, security)),
        credentials=security.credentials,
        security=security.unusual,
        resources=groups,
        modules=models,
        runtime_errors=RUNTIME_ERRORS,
        status_errors=errors,
        unexplained=unexplained(config, errors),
        error_bodies=error_bodies,
        attributes=fields,
        message_fields=next((each.wires for each in fields if each.name == "message"), _MESSAGES),
        sections=tuple(sections.items()),
        gaps=tuple(gaps.items()),
        left_out=tuple(
            (lost.route, tuple(reason.message for reason in lost.reasons)) for lost in left_out
        ),
        exports=tuple(_exports(config.client.class_name, errors, groups, custom, security.renews)),
        custom=custom,
        class_homes=tuple(
            sorted((each.name, module.name) for module in models for each in module.classes)
        ),
        rate=next(filter(None, (api.words.rate_limit for api in apis)), None),
        shown=_shown(groups, models),
        objects=objects(catalog),
        notes=(*security.notes, *_never_sent(catalog, documents), *of_custom),
        webhooks=webhooks(catalog),
        documented=known,
        not_shown=not_shown,
    )


def _never_sent(catalog: Catalog, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Report what is required and only read: requests have it where it is given."""
    for api in catalog.apis:
        for name in sorted(catalog.users["sent"].keys() & api.models.keys()):
            for field in api.models[name].fields:
                if field.required and field.node.schema.get("readOnly") is True:
                    text = f"property {field.wire} of {name} is required and readOnly: "
                    text += "sent where it is given"
                    at = field.node.pointer
                    yield Finding(text, documents[api.source].at(at), "read-only", "note", at)


def _clashes(
    groups: Iterable[ResourceView],
    models: Iterable[ModuleView],
    catalog: Catalog,
    documents: Mapping[str, Document],
) -> Iterator[Finding]:
    """Find names that are one in Python, each with the place of what is left out for it."""
    operations = {(each.source, f"{each.method} {each.path}"): each for each in catalog.operations}
    named = (*catalog.writer.read.items(), *catalog.writer.sent.items())
    components = {name: component for component, name in named}
    homes = {name: api.source for api in catalog.apis for name in api.models}
    classes = (name for group in groups for name in names.resource_classes(group.name))
    yield from _twice("the client", classes, word="x-python-resource")

    def placed(findings: Iterable[Finding], source: str, pointer: Pointer) -> Iterator[Finding]:
        at = documents[source].at(pointer)
        return (replace(each, position=at, pointer=pointer) for each in findings)

    for group in groups:
        own = [*group.methods, *group.arguments_of]
        yield from _twice(f"the resource {group.name}", (each.name for each in own))
        for view in group.operations:
            operation = operations[view.server, view.http]
            for method in view.methods:
                clashes = _twice(method.path, (each.name for each in method.arguments))
                yield from placed(clashes, operation.source, operation.pointer)
    for module in models:
        for made in module.classes:
            clashes = _twice(made.name, (each.name for each in made.fields))
            component = components.get(made.name, "")
            if component in catalog.models:
                node = catalog.models[component].node
                clashes = placed(clashes, homes[component], node.pointer)
            yield from clashes


def _twice(owner: str, called: Iterable[str], word: str = "x-python-name") -> Iterator[Finding]:
    for name, count in Counter(called).items():
        if count > 1:
            text = f"{owner} has two of the name {name}: say `{word}`"
            yield Finding(text, rule="names")


def _class_name_clash(config: Config, errors: Iterable[StatusErrorView]) -> Iterator[Finding]:
    root = f"{config.client.class_name}Error"
    if root in {*ERRORS, *(each.name for each in errors)}:
        text = f"tool.pipeline.client.class_name: {root} is another error"
        yield Finding(text, rule="names")


def _extensible(class_name: str, groups: Iterable[ResourceView]) -> dict[str, str]:
    """Return the classes that `custom/` may extend, each with its module."""
    homes = {each.class_name: f"resources.{each.name}" for each in groups} | {class_name: "client"}
    return {prefix + name: home for name, home in homes.items() for prefix in ("", "Async")}


def _exports(
    class_name: str,
    errors: Iterable[StatusErrorView],
    groups: Iterable[ResourceView],
    custom: Mapping[str, str],
    renews: bool,
) -> list[tuple[str, str]]:
    """Return each public name of the package itself with its module, sorted."""
    has_streams = any(each.manner == "stream" for group in groups for each in group.methods)
    unused = (*(() if has_streams else OF_STREAMS), *(() if renews else OF_OAUTH))
    clients = (class_name, f"Async{class_name}")
    homes = {name: custom.get(name, "client") for name in clients}
    homes |= dict.fromkeys((f"{class_name}Error", *ERRORS, *(e.name for e in errors)), "errors")
    homes |= {
        name: f"_runtime.{module}"
        for name, module in runtime_index().public.items()
        if module not in unused
    }
    return sorted(homes.items())


def _shown(groups: Sequence[ResourceView], models: Iterable[ModuleView]) -> dict[str, Any]:
    """Return what the README shows: the first of each kind that has an example.

    `first` is for short examples: the operation with the fewest arguments, best a read. `modified`
    are all plans that change a part of what the caller has read.
    """
    operations = [each for group in groups for each in group.operations]
    plans = [plan for each in operations for plan in each.plans]
    single = [each for each in operations if each.plan is None]
    streams = [each for each in plans if each.manner == "stream"]

    def of(manner: Manner) -> PlanView | None:
        fitting = (each for each in plans if each.manner == manner and each.example)
        return next(map(in_short, fitting), None)

    found_out = (each for each in operations if each.supports_reconcile and each.example)
    pages = of("pages")
    manners: tuple[Manner, ...] = (
        "stream", "batches", "windows", "read_modify_write", "waited", "wait"
    )  # fmt: skip
    return {
        "start": _start(pages, models) if pages else None,
        "first": _best(single) or _best(each for each in operations if each.plan not in streams),
        "pages": pages,
        **{manner: of(manner) for manner in manners},
        "modified": [each for each in plans if each.manner == "modified"],
        "upload": next((each for each in operations if each.sends_files and each.example), None),
        "supports_reconcile": next(map(in_short, found_out), None),
        "arguments_of": next((each for group in groups for each in group.arguments_of), None),
    }


def _start(pages: PlanView, models: Iterable[ModuleView]) -> StartView:
    """Return the first example, with names of values that show what they are."""
    classes = {each.name: each for module in models for each in module.classes}
    item = names.snake(pages.item)
    docs = {each.name: prose.first_sentence(each.doc).rstrip(".") for each in pages.arguments}
    positional = (each.name for each in pages.arguments if each.positional)
    values, arguments = [], []
    for given in pages.example or ():
        name = given.name or next(positional)
        doc = docs[name][:1].lower() + docs[name][1:]
        values.append(f"{name} = {given.code}" + (f"  # {doc}" * bool(doc)))
        arguments.append(f"{name}={name}" if given.name else name)
    printed = [f"{item}.{name}" for name in _telling(classes.get(pages.item), classes)]
    return StartView(
        path=pages.path,
        imports=tuple(pages.example_imports),
        values=tuple(values),
        call=f"client.{pages.path}({', '.join(arguments)})",
        item=item,
        printed=", ".join(printed) or item,
    )


def _telling(item: ClassView | None, classes: Mapping[str, ClassView]) -> Iterator[str]:
    """Yield the fields that describe an item: its first moment, its first code, its first text."""
    codes = {each.name for each in classes.values() if each.kind == "codes"}
    for kinds in ({py.DATETIME.text, py.DATE.text}, codes, {py.STR.text}):
        telling = (
            field.name
            for field in (item.fields if item else ())
            if field.bare.text in kinds
            and field.name.rpartition("_")[2] not in ("id", "ids", "uuid")
        )
        yield from islice(telling, 1)


def _best(operations: Iterable[OperationView]) -> OperationView | None:
    return min(
        (each for each in operations if each.example),
        key=lambda each: (each.retry_safety != "safe", len(each.example or ())),
        default=None,
    )


def _path(config: Config, name: str) -> str:
    """Return the path of a document as its banner shows it."""
    path = next(each.path for each in config.sources if each.name == name)
    seen = seen_from(config.file.parent, path)
    return path.name if seen.startswith("../") or Path(seen).is_absolute() else seen


def _servers(config: Config, apis: Sequence[Api], security: Security) -> Iterator[ServerView]:
    """Yield the servers of the documents and of operations, each with what chooses its address."""
    taken = {*(each.argument for each in security.credentials)}
    taken |= {each.address for each in config.sources}
    own = list(_own_servers(config, apis))
    taken |= {view.argument for view, _ in own}
    choices: dict[str, list[ServerChoiceView | None]] = {}
    views: list[ServerView] = []
    documents = [_server(config, api, is_alone=len(apis) == 1) for api in apis]
    for view, servers in [*zip(documents, (e.raw.get("servers") for e in apis), strict=True), *own]:
        source = view.source or view.key
        index = next(at for at, api in enumerate(apis) if api.source == source)
        prefix = documents[index].argument.removesuffix("url") if index else ""
        base, name = (ANYWHERE, view.argument.removesuffix("url")) if view.source else ("", "")
        others = choices.setdefault(source, [])
        choice = server_choice(servers, prefix, taken, base=base, name=name, others=others)
        others.append(choice)
        taken |= {argument for argument, *_ in choice.arguments} if choice else set()
        views.append(replace(view, choice=choice))
    sharing: dict[str, list[VariableView]] = {}
    for each in (each for view in views if view.choice for each in view.choice.variables):
        sharing.setdefault(each.argument, []).append(each)
    for view in views:
        if view.choice:
            variables = tuple(_shared(each, sharing) for each in view.choice.variables)
            view = replace(view, choice=replace(view.choice, variables=variables))
        yield view


def _shared(variable: VariableView, sharing: Mapping[str, list[VariableView]]) -> VariableView:
    """Return a variable of several addresses: where the first is closed, what any of them allows
    may be given.
    """
    first, *others = all_ = sharing[variable.argument]
    if not others:
        return variable
    allowed = dict.fromkeys(value for each in all_ for value in each.allowed if first.allowed)
    own = () if variable.allowed == (*allowed,) else variable.allowed
    return replace(variable, allowed=(*allowed,), own=own, doc=first.doc, shared=True)


def _server(config: Config, api: Api, *, is_alone: bool) -> ServerView:
    argument = next(each.address for each in config.sources if each.name == api.source)
    servers = api.raw.get("servers") or [{"url": "/"}]
    path = servers[0].get("url", "/").partition("://")[2].partition("/")[2]
    default = default_address(servers)
    return ServerView(
        key=api.source,
        argument=argument,
        variable=f"{config.client.environment}_{argument.upper()}",
        # It tells addresses apart that have to be given. Any value may stand for a variable.
        ends="" if default or is_alone else f"/{path}".rstrip("/").rpartition("}")[2],
        title=" ".join(api.raw.get("info", {}).get("title", api.source).split()),
        default=default,
    )


def _label(host: str) -> str:
    """Return what tells a host from others: its first label, or all of an address of numbers."""
    first = host.partition(".")[0]
    return first if re.search("[A-Za-z]", first) else f"host {host}"


def _own_servers(
    config: Config, apis: Sequence[Api]
) -> Iterator[tuple[ServerView, list[dict[str, Any]]]]:
    """Yield the servers that single operations have, named by their hosts or paths."""
    groups: dict[tuple[str, str], list[Operation]] = {}
    for api in apis:
        for operation in api.operations:
            if operation.servers:
                groups.setdefault((operation.server, api.source), []).append(operation)
    urls = {key: filled(made[0].servers[0]) for key, made in groups.items()}
    hosts = {key: urlsplit(url).hostname or url for key, url in urls.items()}
    short = {key: names.snake(_label(host)) for key, host in hosts.items()}
    taken = Counter([*short.values(), *(e.address.removesuffix("_url") for e in config.sources)])
    used = {each.address for each in config.sources}
    for key, made in sorted(groups.items()):
        url = urls[key]
        name = short[key] if taken[short[key]] == 1 else names.snake(url.rpartition("://")[2])
        argument = names.numbered(f"{name}_url", used)
        used.add(argument)
        is_whole = address([{"url": url}]) is not None
        others = f" and {len(made) - 1} more" if made[1:] else ""
        yield (
            ServerView(
                key=key[0],
                argument=argument,
                variable=f"{config.client.environment}_{argument.upper()}",
                ends="",
                title=f"`{made[0].method} {made[0].path}`{others}",
                default=default_address([{"url": url}]) if is_whole else url,
                source=key[1],
            ),
            list(made[0].servers),
        )
