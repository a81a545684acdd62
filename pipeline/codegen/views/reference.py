"""The classes on the page of all methods: the client's own, and those of the models."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pipeline.codegen.views.signatures import CallView, MemberView, SignatureView, Sources
from pipeline.codegen.views.view_models import ClassView, PackageView

_RUNTIME = "_runtime."
_BASE = f"{_RUNTIME}engine.client"


@dataclass(frozen=True)
class ReferenceView:
    """The classes that a page describes.

    Attributes:
        arguments: those that the client is made with.
        methods: those of the client itself.
        shared: how each of the two clients may be shared.
        types: other names of types, each with what it stands for.
        anchors: for each name that has a heading, where it is; of two that are one, a model's.
        own_anchors: the same for the client's own classes.
    """

    arguments: tuple[MemberView, ...]
    methods: tuple[CallView, ...]
    shared: tuple[tuple[str, str], ...]
    classes: tuple[SignatureView, ...]
    types: tuple[tuple[str, str], ...]
    models: tuple[ClassView, ...]
    anchors: Mapping[str, str]
    own_anchors: Mapping[str, str]


def reference(package: PackageView, modules: Mapping[str, str]) -> ReferenceView:
    """Work out what the page describes."""
    sources = Sources(modules)
    public = {name: home for name, home in package.exports if home.startswith(_RUNTIME)}
    signatures = (sources.signature(home, name) for name, home in sorted(public.items()))
    classes = [each for each in signatures if each]
    aliases = {name: code for home in modules for name, code in sources.aliases(home).items()}
    models = sorted(
        (each for module in package.modules for each in module.classes),
        key=lambda member: (member.name.lower(), member.name),
    )
    name = package.client.class_name
    client = sources.signature("client", name)
    bases = {prefix + name: sources.signature(_BASE, f"{prefix}Client") for prefix in ("", "Async")}
    own = {each: code for each, code in aliases.items() if each not in public}
    return ReferenceView(
        arguments=tuple(
            replace(member, annotation=_spelt_out(member.annotation, own))
            for member in (client.members if client else ())
        ),
        methods=next((each.methods for each in bases.values() if each), ()),
        shared=tuple((each, " ".join(view.doc.split())) for each, view in bases.items() if view),
        classes=tuple(classes),
        types=tuple((each, aliases[each]) for each in sorted(public.keys() & aliases.keys())),
        models=tuple(models),
        anchors=_anchors([*(each.name for each in classes), *(each.name for each in models)]),
        own_anchors=_anchors(each.name for each in classes),
    )


def _spelt_out(code: str, aliases: Mapping[str, str]) -> str:
    """Return a type with what the names of types in it stand for."""
    spelt = re.sub(r"(?<![\w.])[A-Za-z_]\w*", lambda name: aliases.get(name[0], name[0]), code)
    return spelt.replace("'", '"')


def _anchors(names: Iterable[str]) -> dict[str, str]:
    """Return the anchors of headings `class Name`; of two that are one, the later has a number."""
    seen: Counter[str] = Counter()
    result = {}
    for name in names:
        slug = f"class-{name.lower()}"
        result[name] = f"{slug}-{seen[slug]}" if seen[slug] else slug
        seen[slug] += 1
    return result
