"""The table of layers, the imports of each package, and the drawing of both for CONTRIBUTING.md."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
TABLE = "tests/layers/table.toml"
_BLOCK = re.compile(r"(?<=<!-- layers: `python tests/layers` -->\n```\n).*?(?=```\n)", re.DOTALL)


@dataclass(frozen=True)
class Package:
    """A package of the repository, and its layers, the highest first."""

    title: str
    folder: str
    layers: list[str]
    name: str = ""
    imports: list[str] = field(default_factory=list)

    @property
    def imported_as(self) -> str:
        return self.name or self.folder.replace("/", ".")

    def sources(self) -> dict[str, str]:
        """Its modules by their paths, each with its text."""
        root = ROOT / self.folder
        return {
            path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(root.rglob("*.py"))
        }

    def layer(self, room: str) -> int | None:
        """The layer of a room, the highest first; None where the table has none.

        What stands in `__init__` is what the package offers, above all of it.
        """
        for number, rooms in enumerate(self.layers):
            if any(fnmatchcase(room, each) for each in rooms.split(", ")):
                return number
        return -1 if room == "__init__" else None


@cache
def table() -> dict[str, Package]:
    text = (ROOT / TABLE).read_text(encoding="utf-8")
    return {title: Package(title, **given) for title, given in tomllib.loads(text).items()}


def drawing() -> str:
    """The table for people: each package, its layers, and what else it imports."""
    width = max(map(len, table())) + 3
    lines = []
    for title, package in table().items():
        text = " → ".join(package.layers)
        text += f"; imports {', '.join(package.imports)}" if package.imports else ""
        indent = " " * width
        lines += textwrap.wrap(f"{title + ':':{width}}{text}", 116, subsequent_indent=indent)
    return "\n".join(lines) + "\n"


def drawn() -> str:
    """The drawing as CONTRIBUTING.md has it."""
    found = _BLOCK.search(CONTRIBUTING.read_text(encoding="utf-8"))
    assert found, "CONTRIBUTING.md has no block of layers"
    return found[0]


def draw() -> None:
    """Write the drawing into CONTRIBUTING.md."""
    text = CONTRIBUTING.read_text(encoding="utf-8")
    CONTRIBUTING.write_text(_BLOCK.sub(lambda _: drawing(), text, count=1), encoding="utf-8")


def mistakes(package: Package, sources: Mapping[str, str]) -> list[str]:
    """Everything that the imports of a package do against the table, wherever an import stands."""
    found = []
    for path, text in sources.items():
        room = path.removesuffix(".py").split("/")[0]
        layer = package.layer(room)
        if layer is None:
            found.append(f"{package.folder}/{path}: {room} is in no layer of {TABLE}")
            continue
        for line, other in _imported(package, path, text):
            if isinstance(other, Package):
                if other.title not in package.imports:
                    found.append(f"{package.folder}/{path}:{line}: imports {other.title}")
                continue
            below = package.layer(other)
            if other != room and below is not None and -1 < below <= layer:
                found.append(f"{package.folder}/{path}:{line}: {room} imports {other}")
    return found


def _imported(package: Package, path: str, text: str) -> Iterator[tuple[int, str | Package]]:
    """Yield the rooms and the other packages that a module imports, each with its line."""
    own = package.imported_as.split(".")
    around = [*own, *path.split("/")[:-1]]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [each.name.split(".") for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = around[: len(around) - node.level + 1] if node.level else []
            base = [*base, *(node.module or "").split(".")] if node.module else base
            names = [[*base, each.name] for each in node.names]
        elif isinstance(node, ast.Call) and (named := _named(node)):
            names = [named.split(".")]
        else:
            continue
        for name in names:
            other = _package_of(name)
            if name[: len(own)] == own:
                room = name[len(own)] if len(name) > len(own) else "__init__"
                yield node.lineno, room if _is_room(package, room) else "__init__"
            elif _is_room(package, name[0]) and package.folder.startswith("tests/"):
                yield node.lineno, name[0]  # tests import their neighbours by their names alone
            elif other is not None:
                yield node.lineno, other


def _named(call: ast.Call) -> str:
    """The module that a call of `import_module` or `__import__` names; empty for other calls."""
    is_import = ast.unparse(call.func).rpartition(".")[2] in ("import_module", "__import__")
    given = call.args[0] if is_import and call.args else None
    is_text = isinstance(given, ast.Constant) and isinstance(given.value, str)
    return given.value if is_text else ""


def _is_room(package: Package, name: str) -> bool:
    place = ROOT / package.folder / name
    return place.is_dir() or place.with_suffix(".py").is_file()


def _package_of(name: list[str]) -> Package | None:
    """The package of the repository that a name is of, the innermost one."""
    of = [
        each
        for each in table().values()
        if name[: len(own := each.imported_as.split("."))] == own and each.title != "runtime"
    ]
    return max(of, key=lambda each: len(each.imported_as), default=None)
