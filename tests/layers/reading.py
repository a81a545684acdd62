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
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")
_RELATIVE = re.compile(r"\.+[A-Za-z_]\w*(\.\w+)*")
_BLOCK = re.compile(r"(?<=<!-- layers: `python tests/layers` -->\n```\n).*?(?=```\n)", re.DOTALL)


@dataclass(frozen=True)
class Package:
    """A package of the repository, and its layers, the highest first.

    `needs` has rooms that stand on a few others, with those, and know nothing else.
    """

    title: str
    folder: str
    layers: list[str]
    name: str = ""
    imports: list[str] = field(default_factory=list)
    needs: dict[str, list[str]] = field(default_factory=dict)

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


def graph(package: Package, sources: Mapping[str, str]) -> dict[str, set[str]]:
    """The modules of a package, each with those that it imports, wherever an import stands.

    They go by their names below the package, which itself is none of them.
    """
    own = package.imported_as.split(".")
    names = {".".join(_steps(path)): path for path in sources if _steps(path)}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        around = [*own, *path.split("/")[:-1]]
        imported: set[str] = set()
        for node in ast.walk(ast.parse(sources[path])):
            if isinstance(node, ast.Import):
                of = [each.name.split(".") for each in node.names]
            elif isinstance(node, ast.ImportFrom):
                of = [_absolute(node.module or "", node.level, around, each) for each in node.names]
            else:
                continue
            below = [_below(package, each) or [] for each in of]
            both = [{".".join(each), ".".join(each[:-1])} & names.keys() for each in below]
            imported |= {max(each, key=len) for each in both if each}
        found[name] = imported - {name}
    return found


def _below(package: Package, name: list[str]) -> list[str] | None:
    """The name of a module below its package; tests import their neighbours by that alone."""
    own = package.imported_as.split(".")
    if name[: len(own)] == own:
        return name[len(own) :]
    is_neighbour = package.folder.startswith("tests/") and _is_room(package, name[0])
    return name if is_neighbour else None


def _steps(path: str) -> list[str]:
    steps = path.removesuffix(".py").split("/")
    return steps[:-1] if steps[-1] == "__init__" else steps


def _imported(package: Package, path: str, text: str) -> Iterator[tuple[int, str | Package]]:
    """Yield the rooms and the other packages that a module imports, each with its line."""
    around = [*package.imported_as.split("."), *path.split("/")[:-1]]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [each.name.split(".") for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [_absolute(node.module or "", node.level, around, each) for each in node.names]
        elif isinstance(node, ast.Call):
            names = [*_named(node, around)]
        elif isinstance(node, ast.Constant) and _is_module(package, str(node.value)):
            # Whatever is done with it: `import_module` by another name, or `sys.modules`.
            names = [str(node.value).split(".")]
        else:
            continue
        for name in names:
            other = _package_of(name)
            below = _below(package, name)
            if below is not None:
                room = below[0] if below else "__init__"
                yield node.lineno, room if _is_room(package, room) else "__init__"
            elif other is not None:
                yield node.lineno, other


def _absolute(module: str, level: int, around: list[str], each: ast.alias) -> list[str]:
    """The full name of what `from module import each` imports."""
    base = around[: len(around) - level + 1] if level else []
    return [*base, *(module.split(".") if module else []), each.name]


def _named(call: ast.Call, around: list[str]) -> Iterator[list[str]]:
    """Yield the modules that a call names from where it stands, or from a package that it names.

    Those are `.room` or, for `__import__`, the name of a room and a level.
    """
    given = [*call.args, *(each.value for each in call.keywords)]
    texts = [e.value for e in given if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    levels = [e.value for e in given if isinstance(e, ast.Constant) and type(e.value) is int]
    for text in filter(_RELATIVE.fullmatch, texts):
        name = text.lstrip(".")
        packages = [each.split(".") for each in texts if each != text and "." not in each[:1]]
        base = [*packages, around][0]
        yield [*base[: len(base) - (len(text) - len(name)) + 1], *name.split(".")]
    if ast.unparse(call.func).endswith("__import__") and texts:
        (level,) = levels[:1] or [0]
        yield [*(around[: len(around) - level + 1] if level else []), *texts[0].split(".")]


def _is_module(package: Package, text: str) -> bool:
    """Whether a text is the full name of a room of a package, or of what is in another one."""
    own = f"{package.imported_as}."
    if not _MODULE.fullmatch(text):
        return False
    if text.startswith(own):
        return _is_room(package, text.removeprefix(own).partition(".")[0])
    return _package_of(text.split(".")) is not None


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
