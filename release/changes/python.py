"""The public Python of a package, before and now, as its users write it.

What is public is what `__all__` names: classes with their members, functions, values; the methods
of a client under the names of its resources (`books.update`); and the fixtures of a pytest plugin.
The code is read, never run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import griffe

from release.changes.change import Change, Level

_UNSET: Final = "UnsetType"
_SENT: Final = "RequestModel"
_READ: Final = "ResponseModel"
_RESOURCES: Final = frozenset({"Resource", "AsyncResource"})
_CODES: Final = frozenset({"IntCode", "TextCode"})

_BREAKAGES: Final[Mapping[str, str]] = {
    "parameter-removed": "no longer takes `{}`",
    "parameter-changed-required": "now needs `{}`",
    "parameter-added-required": "now needs `{}`",
    "parameter-moved": "takes `{}` at another place",
    "parameter-changed-default": "takes `{}` with the default `{new.default}` (was "
    "`{old.default}`)",
    "parameter-changed-kind": "takes `{}` as {new.kind.value} (was {old.kind.value})",
}


@dataclass
class Surface:
    """Public API of a package, by the names that its users write.

    Attributes:
        functions: functions and methods: `books.update`, `id_key`; a class by its own name stands
            for its construction.
        classes: with the names of their bases.
        values: attributes and constants: `Book.name`.
    """

    functions: dict[str, griffe.Function] = field(default_factory=dict)
    classes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)

    def names(self) -> set[tuple[str, str]]:
        """Return everything that is shown, by what it is and its name."""
        return {
            *(("class", name) for name in self.classes),
            *(("function", name) for name in self.functions if name not in self.classes),
            *(("value", name) for name in self.values),
        }


@dataclass(frozen=True)
class Value:
    """An attribute: the members of its type, and its value as it is written."""

    type: frozenset[str]
    value: str


def surface(package: str, folder: Path, plugins: Iterable[str] = ()) -> Surface:
    """Read what a package shows."""
    module = griffe.load(package, search_paths=[folder], allow_inspection=False)
    shown = Surface()
    assert isinstance(module, griffe.Module)
    _add_custom(module, folder / package / "custom")
    for name in _exported(module):
        definition = _target(module.members.get(name))
        if isinstance(definition, griffe.Module):
            for inner in _exported(definition):
                _add(shown, package, inner, _target(definition.members.get(inner)))
        else:
            _add(shown, package, name, definition)
    for plugin in plugins:
        if not plugin.startswith(f"{package}."):
            continue
        for name, definition in module[plugin.removeprefix(f"{package}.")].members.items():
            if isinstance(definition, griffe.Function) and any(
                "fixture" in str(decorator.value) for decorator in definition.decorators
            ):
                shown.values[f"the fixture {name}"] = Value(union(definition.returns), "")
    return shown


def compare(before: Surface, after: Surface) -> list[Change]:
    """Return what differs for users of the package."""
    names = before.values.keys() & after.values.keys()
    return [
        *_presence(before, after),
        *(
            _change("breaking", name, f"is no `{base}` any more")
            for name in before.classes.keys() & after.classes.keys()
            for base in sorted({*before.classes[name]} - {*after.classes[name]})
        ),
        *_calls(before, after),
        *(change for name in names for change in _changed_value(name, before, after)),
    ]


# Reading


def _exported(module: griffe.Module) -> list[str]:
    names = [str(name) for name in module.exports or ()]
    # Of a method of both clients, the one that is not awaited comes first, and counts.
    return sorted(
        (name for name in names if name != "__version__"),
        key=lambda name: (name.startswith("Async"), name),
    )


def _add_custom(module: griffe.Module, folder: Path) -> None:
    """Add the modules of a folder of own code, which griffe passes over: it is no package."""
    files = sorted(folder.glob("*.py"))
    if not files or folder.name in module.members:
        return
    own = griffe.Module(folder.name, filepath=folder / "__init__.py")
    module.set_member(folder.name, own)
    for file in files:
        code = file.read_text(encoding="utf-8")
        visited = griffe.visit(
            file.stem, file, code, parent=own,
            modules_collection=module.modules_collection, lines_collection=module.lines_collection,
        )  # fmt: skip
        own.set_member(file.stem, visited)


def _target(definition: Any) -> Any:
    """Return what a name stands for; None where that is outside of the package or missing."""
    try:
        return definition.final_target if isinstance(definition, griffe.Alias) else definition
    except griffe.AliasResolutionError:
        return None


def _add(shown: Surface, package: str, name: str, definition: Any) -> None:
    if isinstance(definition, griffe.Class):
        shown.classes[name] = tuple(_bases(definition))
        members = {member: _target(value) for member, value in definition.all_members.items()}
        if _SENT in shown.classes[name]:
            shown.functions[name] = _construction(members)
            members = {key: each for key, each in members.items() if not _is_field(each)}
        for member, value in members.items():
            _add_member(shown, package, name, member, value)
    elif isinstance(definition, griffe.Function):
        shown.functions[name] = definition
    elif isinstance(definition, griffe.Attribute):
        shown.values[name] = _value(definition)


def _add_member(shown: Surface, package: str, owner: str, name: str, definition: Any) -> None:
    if name in ("__init__", "__new__") and isinstance(definition, griffe.Function):
        shown.functions[owner] = definition
    elif name.startswith("_") or definition is None:
        return
    elif isinstance(definition, griffe.Function):
        shown.functions[f"{owner}.{name}"] = definition
    elif isinstance(definition, griffe.Attribute):
        resource = _resource(definition)
        for method, function in _methods(resource):
            shown.functions.setdefault(f"{name}.{method}", function)
        if resource is None:
            shown.values[f"{owner}.{name}"] = _value(definition)


def _whole(definition: griffe.Class) -> Iterator[griffe.Class]:
    """Yield a class, and the generated ones of its name whose place it takes."""
    yield definition
    yield from (each for each in definition.mro() if each.name == definition.name)


def _bases(definition: griffe.Class) -> Iterator[str]:
    return (_last(base) for each in _whole(definition) for base in each.bases)


def _is_field(member: Any) -> bool:
    return isinstance(member, griffe.Attribute) and not member.name.startswith("_")


def _construction(members: Mapping[str, Any]) -> griffe.Function:
    """Return how a model that is sent is made: of its fields, by their names."""
    fields = (
        griffe.Parameter(
            name,
            annotation=member.annotation,
            kind=griffe.ParameterKind.keyword_only,
            default=None if member.value is None else "…",
        )
        for name, member in members.items()
        if _is_field(member)
    )
    return griffe.Function("__init__", parameters=griffe.Parameters(*fields))


def _resource(attribute: griffe.Attribute) -> griffe.Class | None:
    """Return the class of an attribute, if it is a resource of the package."""
    annotation = attribute.annotation
    if not isinstance(annotation, griffe.ExprName):
        return None
    try:
        named = attribute.package[annotation.canonical_path.partition(".")[2]]
    except (KeyError, ValueError):
        return None
    target = _target(named)
    is_resource = isinstance(target, griffe.Class) and _RESOURCES & {*_bases(target)}
    return target if is_resource else None


def _methods(resource: griffe.Class | None) -> Iterator[tuple[str, griffe.Function]]:
    """Yield the methods of a resource."""
    for each in _whole(resource) if resource else ():
        for name, member in each.members.items():
            if isinstance(member, griffe.Function) and not name.startswith("_"):
                yield name, member


def _value(member: griffe.Attribute) -> Value:
    return Value(union(member.annotation), "" if member.value is None else str(member.value))


def _last(name: Any) -> str:
    return str(name).partition("[")[0].rpartition(".")[2]


# Types


class _Bare(ast.NodeTransformer):
    """Takes the limits of `Annotated` away, and `Present`, which says that a value is there."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match ast.unparse(node.value), node.slice:
            case "Annotated", ast.Tuple(elts=[inner, *_]):
                return inner
            case "Present", inner:
                return inner
        return node


def union(annotation: object) -> frozenset[str]:
    """Return the members of a union, without limits; of no annotation: none."""
    text = " ".join(str(annotation or "").split())
    type_: ast.expr = _Bare().visit(ast.parse(text or _UNSET, mode="eval").body)
    return frozenset(ast.unparse(each) for each in _members(type_)) - {_UNSET}


def _members(type_: ast.expr) -> Iterator[ast.expr]:
    if isinstance(type_, ast.BinOp):
        yield from _members(type_.left)
        yield from _members(type_.right)
    elif isinstance(type_, ast.Subscript) and ast.unparse(type_.value).endswith("Literal"):
        values = type_.slice.elts if isinstance(type_.slice, ast.Tuple) else [type_.slice]
        yield from (ast.Subscript(type_.value, each) for each in values)
    else:
        yield type_


def _listed(types: Iterable[str]) -> str:
    """Return the members of a union, in words."""
    ordered = sorted(types, key=lambda each: (each == "None", each))
    return " or ".join(f"`{each}`" for each in ordered) or "anything"


def _fits(narrow: frozenset[str], wide: frozenset[str]) -> bool:
    """Return whether one union has all members of another; without a type, it allows anything.

    That a type such as `Sequence` is wider than `list` is not known here.
    """
    return not wide or (bool(narrow) and narrow <= wide)


# Comparing


def _change(level: Level, name: str, sentence: str, *about: str) -> Change:
    words, _, last = name.rpartition(" ")
    place = f"{words} `{last}`" if words else f"`{name}`"
    return Change(level, (place,), sentence, about=frozenset(about or (name,)))


def _presence(before: Surface, after: Surface) -> Iterator[Change]:
    """Yield names on one side alone, unless their class or argument is reported."""
    for here, there in ((after, before), (before, after)):
        for kind, name in here.names() - there.names():
            owner, inside, _ = name.partition(".")
            with_class = inside and owner in here.classes and owner not in there.classes
            taken = kind == "value" and _taken(name, here) and not _taken(name, there)
            if with_class or taken:
                continue
            if here is after:
                yield _change("feature", name, "is new", *_names(here, name))
            else:
                yield _change("breaking", name, "is gone", *_names(here, name))


def _calls(before: Surface, after: Surface) -> Iterator[Change]:
    both = sorted(before.functions.keys() & after.functions.keys())
    yield from _breakages({name: (before.functions[name], after.functions[name]) for name in both})
    for name in both:
        yield from _signature(name, before.functions[name], after.functions[name])


def _breakages(
    functions: Mapping[str, tuple[griffe.Function, griffe.Function]],
) -> Iterator[Change]:
    """Yield what breaks calls, by griffe's rules."""
    before, after = griffe.Module("before"), griffe.Module("after")
    for name, pair in functions.items():
        for module, function in zip((before, after), pair, strict=True):
            copy = griffe.Function(name, parameters=function.parameters, returns=function.returns)
            copy.public = True
            copy.parent = module
            module.members[name] = copy
    for breakage in griffe.find_breaking_changes(before, after):
        yield _breakage(breakage)


def _breakage(breakage: griffe.Breakage) -> Change:
    name, old, new = breakage.obj.name, breakage.old_value, breakage.new_value
    parameter = getattr(old or new, "name", "")
    kind = breakage.kind.name.lower().replace("_", "-")
    sentence = _BREAKAGES[kind].format(parameter, old=old, new=new)
    return _change("breaking", name, sentence, _argument(name, parameter))


def _signature(name: str, old: griffe.Function, new: griffe.Function) -> Iterator[Change]:
    """Yield what griffe has no rule for: new arguments, optional ones, other types."""
    before = {each.name: each for each in old.parameters}
    for parameter in new.parameters:
        about = _argument(name, parameter.name)
        was = before.get(parameter.name)
        if was is None:
            if not parameter.required:
                yield _change("feature", name, f"takes `{parameter.name}`", about)
            continue
        if was.required and not parameter.required:
            sentence = f"does not need `{parameter.name}` any more"
            yield _change("feature", name, sentence, about)
        types = union(was.annotation), union(parameter.annotation)
        yield from _argument_type(name, parameter.name, *types, about)
    gave, gives = union(old.returns), union(new.returns)
    if gave != gives:
        level: Level = "patch" if _fits(gives, gave) else "breaking"
        sentence = f"gives {_listed(gives)} (was {_listed(gave)})"
        yield _change(level, name, sentence)


def _argument(name: str, parameter: str) -> str:
    """Return what an argument is called: `books.list(page)`, or `Book.pages` of a class."""
    is_class = "." not in name and name[0].isupper()
    return f"{name}.{parameter}" if is_class else f"{name}({parameter})"


def _argument_type(
    place: str, argument: str, before: frozenset[str], after: frozenset[str], about: str
) -> Iterator[Change]:
    if before == after:
        return
    level: Level = "breaking"
    if _fits(before, after):
        level = "patch" if _fits(after, before) else "feature"
    if before and before < after:
        sentence = f"takes `{argument}` as {_listed(after - before)}, too"
    else:
        sentence = f"takes `{argument}` as {_listed(after)} (was {_listed(before)})"
    yield _change(level, place, sentence, about)


def _taken(name: str, shown: Surface) -> bool:
    """Return whether an attribute is an argument of its class, too, and is reported as that."""
    owner, _, last = name.rpartition(".")
    function = shown.functions.get(owner)
    return function is not None and last in function.parameters


def _changed_value(name: str, before: Surface, after: Surface) -> Iterator[Change]:
    owner = name.rpartition(".")[0]
    was, now = before.values[name], after.values[name]
    if was.type != now.type:
        sentence = f"is {_listed(now.type)} now (was {_listed(was.type)})"
        level: Level = "patch" if _fits(now.type, was.type) else "breaking"
        yield _change(level, name, sentence)
    elif was.value != now.value and not _taken(name, after) and not _is(after, owner, {_READ}):
        sentence = f"is `{now.value}` now (was `{was.value}`)"
        yield _change("breaking", name, sentence, *_names(after, name))


def _names(shown: Surface, name: str) -> tuple[str, ...]:
    """Return what a name is about: for a member of a code, the code's values, too."""
    owner = name.rpartition(".")[0]
    return (name, f"{owner}.*") if _is(shown, owner, _CODES) else (name,)


def _is(shown: Surface, owner: str, bases: Iterable[str]) -> bool:
    return bool({*shown.classes.get(owner, ())} & {*bases})
