"""Read classes that are no models from their source, for the pages that describe them."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pipeline.codegen.runtime_index import parsed

_SECTION = re.compile(r"(Args|Attributes|Raises|Returns):")
_ENTRY = re.compile(r"    (\w[\w, ]*): (.*)")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class MemberView:
    """An argument or an attribute. Type and default are code, empty where there is none."""

    name: str
    annotation: str
    default: str
    doc: str


@dataclass(frozen=True)
class CallView:
    """A method, `name(arguments)`, or a property, its name alone; and what it does."""

    call: str
    doc: str


@dataclass(frozen=True)
class SignatureView:
    """A class as its users see it."""

    name: str
    doc: str
    members: tuple[MemberView, ...]
    methods: tuple[CallView, ...]


class Sources:
    """The modules of a package that pages describe, by their names."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._modules = {name: parsed(text) for name, text in texts.items()}
        self._constants: dict[str, str] = {}
        for module in self._modules.values():
            self._constants |= _constants(module)

    def aliases(self, module: str) -> dict[str, str]:
        """Return the types that a module names, each with what it stands for, as code."""
        return {
            node.target.id: _type(node.value)
            for node in self._modules[module].body
            if isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(node.annotation, ast.Name)
            and node.annotation.id == "TypeAlias"
        }

    def signature(self, module: str, name: str) -> SignatureView | None:
        """Return a class with what it inherits in its own module; None if it is no class."""
        classes = list(self._lineage(self._home(module, name), name))
        if not classes:
            return None
        documented: dict[str, str] = {}
        known: dict[str, MemberView] = {}
        for class_ in reversed(classes):
            _, sections = _read(class_)
            documented |= sections.get("Attributes") or sections.get("Args", {})
            made = ("__new__",) if "Attributes" in sections else ("__new__", "__init__")
            known |= {member.name: member for member in self._own(class_, made)}
        return SignatureView(
            name=name,
            doc=_read(classes[0])[0],
            members=tuple(
                MemberView(heading, *_types(known.get(heading.partition(",")[0])), doc)
                for heading, doc in documented.items()
            ),
            methods=tuple(_methods(classes, documented)),
        )

    def _home(self, module: str, name: str) -> str:
        """Return the module that a name comes from, where this one has it from one beside it."""
        parents = module.split(".")
        sources = (
            ".".join([*parents[: -node.level], node.module or ""])
            for node in self._modules[module].body
            if isinstance(node, ast.ImportFrom) and node.level
            for alias in node.names
            if alias.name == name
        )
        return next((each for each in sources if each in self._modules), module)

    def _lineage(self, module: str, name: str) -> Iterator[ast.ClassDef]:
        """Yield a class, and those of its module that it inherits from."""
        classes = {
            node.name: node for node in self._modules[module].body if isinstance(node, ast.ClassDef)
        }
        pending = [name]
        while pending:
            class_ = classes.get(pending.pop(0))
            if class_:
                yield class_
                bases = (b.value if isinstance(b, ast.Subscript) else b for b in class_.bases)
                pending += [base.id for base in bases if isinstance(base, ast.Name)]

    def _code(self, node: ast.expr | None) -> str:
        """Return a default as code; a constant is spelt out."""
        code = ast.unparse(node) if node else ""
        return self._constants.get(code, code).replace("'", '"')

    def _own(self, node: ast.ClassDef, made: Collection[str]) -> Iterator[MemberView]:
        """Yield the fields of a class, and the arguments of the methods that make it."""
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                yield MemberView(part.target.id, _type(part.annotation), self._code(part.value), "")
            elif isinstance(part, ast.FunctionDef) and part.name in made:
                yield from self._arguments(part)

    def _arguments(self, function: ast.FunctionDef) -> Iterator[MemberView]:
        given = function.args
        named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
        arguments = [*given.posonlyargs, *given.args]
        without = [None] * (len(arguments) - len(given.defaults))
        placed = zip(arguments, [*without, *given.defaults], strict=True)
        for argument, default in [*placed, *named]:
            if argument.annotation:
                code = self._code(default)
                yield MemberView(argument.arg, _type(argument.annotation), code, "")


@lru_cache(maxsize=256)
def _constants(module: ast.Module) -> dict[str, str]:
    """Return the constants of a module, each with its value as code."""
    return {
        target.id: ast.unparse(node.value)
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.isupper()
    }


def _types(member: MemberView | None) -> tuple[str, str]:
    return (member.annotation, member.default) if member else ("", "")


def _type(node: ast.expr | None) -> str:
    """Return a type as code, also where the source has it as a text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ast.unparse(node).replace("'", '"') if node else ""


def _methods(classes: Iterable[ast.ClassDef], documented: Iterable[str]) -> Iterator[CallView]:
    seen = set(documented)
    for node in classes:
        for part in node.body:
            if not isinstance(part, _Function) or part.name.startswith("_") or part.name in seen:
                continue
            seen.add(part.name)
            arguments = [f"{each.arg}=…" for each in part.args.kwonlyargs]
            arguments = [*(argument.arg for argument in part.args.args[1:]), *arguments]
            is_property = any("property" in ast.unparse(word) for word in part.decorator_list)
            call = part.name if is_property else f"{part.name}({', '.join(arguments)})"
            yield CallView(call, " ".join(_read(part)[0].split()))


@lru_cache(maxsize=4096)
def _read(node: ast.ClassDef | _Function) -> tuple[str, dict[str, dict[str, str]]]:
    """Return the text of a docstring, and the entries of its sections."""
    text: list[str] = []
    sections: dict[str, dict[str, str]] = {}
    entries: dict[str, str] | None = None
    name = ""
    for line in inspect.cleandoc(ast.get_docstring(node) or "").splitlines():
        if head := _SECTION.fullmatch(line):
            entries, name = sections.setdefault(head[1], {}), ""
        elif entries is None or (line and not line.startswith(" ")):
            entries = None
            text.append(line)
        elif entry := _ENTRY.match(line):
            name = entry[1]
            entries[name] = entry[2]
        elif name and line.strip():
            entries[name] += f" {line.strip()}"
    return "\n".join(text).strip(), sections
