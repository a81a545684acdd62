"""Check the archives of a release: everything that belongs there, and nothing else."""

from __future__ import annotations

import base64
import calendar
import configparser
import csv
import hashlib
import re
import stat
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from packaging.metadata import InvalidMetadata, Metadata
from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version
from pathspec import GitIgnoreSpec

from pipeline.openapi.problems import Finding, PipelineError
from pipeline.tables import load_toml

LARGEST_ARCHIVE: Final = 5_000_000  # bytes
LARGEST_MEMBER: Final = 1_000_000  # bytes

_STRAY: Final = re.compile(
    r"(^|/)(\.[^/]*|__pycache__|build|dist|node_modules)(/|$)|(\.(py[co]|orig|rej|bak|log)|~)$"
)
_TEST: Final = re.compile(r"(^|/)(tests?/|conftest\.py$|test_[^/]*\.py$|[^/]*_test\.py$)")
_SOMEBODYS: Final = re.compile(rb"(?<![\w.-])(/home/|/Users/|[A-Z]:\\Users\\)[A-Za-z][\w.-]*[/\\]")


@dataclass(frozen=True)
class Member:
    """A file in an archive; in a source archive, its path begins below the folder at the top."""

    path: str
    data: bytes
    mode: int
    regular: bool
    moment: int


@dataclass(frozen=True)
class Archive:
    """An archive that was read: a source archive (`sdist`) or a wheel."""

    file: Path
    wheel: bool
    members: tuple[Member, ...]

    def member(self, path: str) -> Member | None:
        """Return the member at a path, or None."""
        return next((each for each in self.members if each.path == path), None)


@dataclass(frozen=True)
class Expected:
    """Expected contents of a project's archives.

    Attributes:
        name: of the distribution.
        version: of the release.
        moment: the time of every file, in seconds since 1970.
        files: those of the project, by their paths.
        modules: the paths of those that a wheel has to hold, by their paths in it.
        project: `[project]` of its `pyproject.toml`.
        folders: paths of this machine, which no text may name.
    """

    name: str
    version: Version
    moment: int
    files: Mapping[str, bytes]
    modules: Mapping[str, str]
    project: Mapping[str, Any]
    folders: tuple[bytes, ...]

    @property
    def stem(self) -> str:
        """Return what names of files and folders begin with: `name-version`."""
        return f"{canonicalize_name(self.name).replace('-', '_')}-{self.version}"


Problems = Iterator[tuple[str, str]]
"""Paths of members, each with what is wrong; the empty path stands for the archive."""


def expect(
    name: str, folder: Path, files: list[Path], version: Version, moment: int, root: Path
) -> Expected:
    """Collect what the archives of a project must hold.

    Args:
        name: of the distribution.
        folder: of the project.
        files: those of it that are released, below that folder.
        version: of the release.
        moment: the time of every file, in seconds since 1970.
        root: the folder of the whole release, whose path no file may name.
    """
    data = load_toml(folder / "pyproject.toml")
    contents = {path.as_posix(): (folder / path).read_bytes() for path in files}
    home = (str(Path.home()),) if len(Path.home().parts) > 2 else ()
    return Expected(
        name=name,
        version=version,
        moment=moment,
        files=contents,
        modules=modules_of(name, data, contents),
        project=data.get("project", {}),
        folders=tuple(str(each).encode() for each in (root.resolve(), *home)),
    )


def modules_of(name: str, data: Mapping[str, Any], files: Iterable[str]) -> dict[str, str]:
    """Return the paths of the files that a wheel has to hold, by their paths in it.

    Args:
        name: of the distribution.
        data: its `pyproject.toml`.
        files: the paths of the project's files.
    """
    target = data.get("tool", {}).get("hatch", {}).get("build", {}).get("targets", {})
    wheel = target.get("wheel", {})
    packages = wheel.get("packages", [f"src/{canonicalize_name(name).replace('-', '_')}"])
    left_out = GitIgnoreSpec.from_lines(wheel.get("exclude", []))
    return {
        path.relative_to(PurePosixPath(package).parent).as_posix(): path.as_posix()
        for package in packages
        for path in map(PurePosixPath, files)
        if path.is_relative_to(package) and not left_out.match_file(path)
    }


def entry_points_of(project: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the entry points that `[project]` of a `pyproject.toml` declares, by their groups."""
    groups = {
        "console_scripts": project.get("scripts", {}),
        "gui_scripts": project.get("gui-scripts", {}),
        **project.get("entry-points", {}),
    }
    return {group: dict(entries) for group, entries in groups.items() if entries}


def inspect(file: Path, expected: Expected) -> list[Finding]:
    """Return what is wrong with an archive; each finding names it and the member.

    Where the archive has another name or version, that is the only finding: every member would
    repeat it.
    """
    if wrong := list(_names(file, expected)):
        return [Finding(f"{file.name}: {text}") for text in wrong]
    try:
        archive = _read(file, expected)
    except PipelineError as error:
        return list(error.findings)
    rules = [*_RULES, *(_WHEEL if archive.wheel else ())]
    found = [problem for rule in rules for problem in rule(archive, expected)]
    return [
        Finding(f"{file.name}: {member}: {text}" if member else f"{file.name}: {text}")
        for member, text in dict.fromkeys(found)
    ]


def count(file: Path) -> int:
    """Return how many members an archive has."""
    return len(_read_wheel(file) if file.suffix == ".whl" else _read_sdist(file))


def _read(file: Path, expected: Expected) -> Archive:
    wheel = file.suffix == ".whl"
    try:
        members = _read_wheel(file) if wheel else _read_sdist(file)
    except (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError) as error:
        raise PipelineError(Finding(f"{file.name}: cannot be read: {error}")) from None
    if not wheel:
        top = f"{expected.stem}/"
        outside = [each.path for each in members if not each.path.startswith(top)]
        if outside:
            reasons = (f"{file.name}: {path}: lies outside of {top}" for path in outside)
            raise PipelineError(*map(Finding, reasons))
        members = [
            Member(each.path.removeprefix(top), each.data, each.mode, each.regular, each.moment)
            for each in members
        ]
    return Archive(file, wheel, tuple(members))


def _read_wheel(file: Path) -> list[Member]:
    with zipfile.ZipFile(file) as archive:
        return [
            Member(
                path=info.filename,
                data=b"" if info.is_dir() else archive.read(info),
                mode=stat.S_IMODE(info.external_attr >> 16),
                regular=stat.S_IFMT(info.external_attr >> 16) in (0, stat.S_IFREG)
                and not info.is_dir(),
                moment=calendar.timegm((*info.date_time, 0, 0, 0)),
            )
            for info in archive.infolist()
        ]


def _read_sdist(file: Path) -> list[Member]:
    found = []
    with tarfile.open(file) as archive:
        for info in archive:
            reader = archive.extractfile(info) if info.isreg() else None
            data = reader.read() if reader else b""
            found.append(Member(info.name, data, info.mode, info.isreg(), int(info.mtime)))
    return found


def _names(file: Path, expected: Expected) -> Iterator[str]:
    """Yield how the file name differs from the distribution and the version of the release."""
    try:
        parse = parse_wheel_filename if file.suffix == ".whl" else parse_sdist_filename
        name, version = parse(file.name)[:2]
    except ValueError as error:
        yield str(error)
        return
    if name != canonicalize_name(expected.name):
        yield f"is named {name}, and the distribution {expected.name}"
    if version != expected.version:
        yield f"has version {version}, and the release {expected.version}"


def _sizes(archive: Archive, expected: Expected) -> Problems:
    size = archive.file.stat().st_size
    if size > LARGEST_ARCHIVE:
        yield "", f"has {size} bytes; at most {LARGEST_ARCHIVE} are sound"
    for each in archive.members:
        if len(each.data) > LARGEST_MEMBER:
            yield each.path, f"has {len(each.data)} bytes; at most {LARGEST_MEMBER} are sound"


def _kinds(archive: Archive, expected: Expected) -> Problems:
    """Yield what is not a plain file, leads out, or is there twice on some file system."""
    for each in archive.members:
        path = PurePosixPath(each.path)
        if path.is_absolute() or ".." in path.parts or "\\" in each.path or ":" in each.path:
            yield each.path, "leads out of the archive"
        if not each.regular:
            yield each.path, "is not a plain file, but a link, a folder or a device"
        if each.mode not in (0o644, 0o755) and each.regular:
            yield each.path, f"has the mode {each.mode:o}; 644 and 755 are sound"
        if each.moment != expected.moment:
            yield each.path, "has a time of its own, which changes the bytes from build to build"
    for folded, count in Counter(each.path.casefold() for each in archive.members).items():
        if count > 1:
            yield folded, f"is there {count} times, for file systems that fold upper and lower case"


def _strays(archive: Archive, expected: Expected) -> Problems:
    for each in archive.members:
        if _STRAY.search(each.path):
            yield each.path, "is a leftover of building or running, and nothing for users"
        if _TEST.search(each.path):
            yield each.path, "is a test, and nothing for users"


def _machine(archive: Archive, expected: Expected) -> Problems:
    """Yield texts that name a folder of one machine."""
    for each in archive.members:
        if b"\0" in each.data:
            continue
        found = [folder for folder in expected.folders if _names_folder(folder, each.data)]
        if match := _SOMEBODYS.search(each.data):
            found.append(match[0])
        for folder in found[:1]:
            line = each.data[: each.data.index(folder)].count(b"\n") + 1
            yield f"{each.path}:{line}", f"names a folder of one machine: {folder.decode()}"


def _names_folder(folder: bytes, data: bytes) -> bool:
    return re.search(rb"(?<![\w.-])" + re.escape(folder) + rb"(?![\w.-])", data) is not None


def _metadata(archive: Archive, expected: Expected) -> Problems:
    path = f"{expected.stem}.dist-info/METADATA" if archive.wheel else "PKG-INFO"
    member = archive.member(path)
    if member is None:
        yield path, "is missing"
        return
    try:
        found = Metadata.from_email(member.data)
    except (ExceptionGroup, InvalidMetadata) as error:
        wrong = error.exceptions if isinstance(error, ExceptionGroup) else [error]
        for each in wrong:
            yield path, str(each)
        return
    for field, value, wanted in (
        ("name", canonicalize_name(found.name), canonicalize_name(expected.name)),
        ("version", found.version, expected.version),
        ("Requires-Python", str(found.requires_python), expected.project.get("requires-python")),
    ):
        if value != wanted:
            yield path, f"gives the {field} {value}, not {wanted}"
    readme = expected.files.get("README.md", b"").decode()
    if not readme or (found.description or "").strip() != readme.strip():
        yield path, "its long description is not README.md"
    if not (found.description_content_type or "").startswith("text/markdown"):
        yield path, f"its long description is {found.description_content_type}, not text/markdown"
    for target in _relative_links(found.description or ""):
        yield path, f"its long description links to {target}: on an index, that leads nowhere"
    if not found.summary:
        yield path, "has no summary"
    if not found.license_expression:
        yield path, "names no license"


def _relative_links(text: str) -> Iterator[str]:
    """Yield the relative targets of the links and pictures of a Markdown page."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        for each in token.children or ():
            target = str(each.attrGet("href") or each.attrGet("src") or "")
            if target and not target.startswith("#") and not urlsplit(target).scheme:
                yield target


def _files(archive: Archive, expected: Expected) -> Problems:
    """Yield files that are missing, other than the project's, or none of it."""
    if archive.wheel:
        info = f"{expected.stem}.dist-info"
        licence = f"{info}/licenses/LICENSE"
        made = {f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")}
        known: Mapping[str, str] = {**expected.modules, licence: "LICENSE"}
        needed = {
            *known,
            *(f"{path.partition('/')[0]}/py.typed" for path in expected.modules if "/" in path),
        }
        stranger = "is no file of a package of the project, nor metadata that is expected"
    else:
        made = {"PKG-INFO"}
        known = {path: path for path in expected.files}
        needed = {"pyproject.toml", "README.md", "LICENSE", *expected.modules.values()}
        stranger = "is not a file of the project"
    found = {each.path: each.data for each in archive.members}
    for path in sorted(needed - found.keys()):
        yield path, "is missing"
    for path in sorted(found.keys() - known.keys() - made):
        yield path, stranger
    for path in sorted(found.keys() & known.keys()):
        if found[path] != expected.files.get(known[path]):
            yield path, f"differs from {known[path]} in the project"


def _entry_points(archive: Archive, expected: Expected) -> Problems:
    path = f"{expected.stem}.dist-info/entry_points.txt"
    member = archive.member(path)
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(member.data.decode() if member else "")
    except configparser.Error as error:
        yield path, f"cannot be read: {error.message}"
        return
    found = {section: dict(parser[section]) for section in parser.sections()}
    if found != entry_points_of(expected.project):
        yield path, f"declares {found or 'nothing'}, unlike pyproject.toml"


def _wheel(archive: Archive, expected: Expected) -> Problems:
    path = f"{expected.stem}.dist-info/WHEEL"
    member = archive.member(path)
    lines = member.data.decode().splitlines() if member else []
    for line in ("Root-Is-Purelib: true", "Tag: py3-none-any"):
        if line not in lines:
            yield path, f"has no line `{line}`"


def _record(archive: Archive, expected: Expected) -> Problems:
    """Hold RECORD to each member with its hash and its size; it lists itself without."""
    path = f"{expected.stem}.dist-info/RECORD"
    member = archive.member(path)
    if member is None:
        yield path, "is missing"
        return
    read = csv.reader(member.data.decode().splitlines())
    rows: Counter[tuple[str, ...]] = Counter(map(tuple, read))
    right: Counter[tuple[str, ...]] = Counter({(path, "", ""): 1})
    for each in archive.members:
        if each != member:
            digest = base64.urlsafe_b64encode(hashlib.sha256(each.data).digest()).decode()
            right[each.path, f"sha256={digest.rstrip('=')}", str(len(each.data))] = 1
    for row in sorted(rows - right):
        yield path, f"has a line that fits no member: {','.join(row)}"
    for row in sorted(right - rows):
        yield path, f"does not list {row[0]} as it is"


_Rule = Callable[[Archive, Expected], Problems]
_RULES: Final[tuple[_Rule, ...]] = (_sizes, _kinds, _strays, _machine, _metadata, _files)
_WHEEL: Final[tuple[_Rule, ...]] = (_entry_points, _wheel, _record)
