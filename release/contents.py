"""Check that the archives of a release contain every file that belongs there, and no other.

What the build backend writes by itself (RECORD, WHEEL, entry points, modes, times) is its business:
`install-check` installs the wheels, and two builds have to give the same bytes.
"""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from packaging.metadata import InvalidMetadata, Metadata
from packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename
from packaging.version import Version
from pathspec import GitIgnoreSpec

from pipeline.openapi.problems import Finding
from pipeline.tables import load_toml
from release import sbom

_SOMEBODYS: Final = rb"/home/|/Users/|[A-Z]:\\Users\\"


@dataclass(frozen=True)
class Expected:
    """Expected contents of a project's archives.

    Attributes:
        files: those of the project, by their paths.
        modules: the paths of those that a wheel has to hold, by their paths in it.
        folders: paths of this machine, which no text may name.
    """

    name: str
    version: Version
    files: Mapping[str, bytes]
    modules: Mapping[str, str]
    folders: tuple[bytes, ...]

    @property
    def stem(self) -> str:
        """Return what names of files and folders begin with: `name-version`."""
        return f"{canonicalize_name(self.name).replace('-', '_')}-{self.version}"


Problems = Iterator[tuple[str, str]]
"""Paths of members, each with what is wrong."""


def expect(name: str, folder: Path, files: list[Path], version: Version, root: Path) -> Expected:
    """Collect what the archives of a project must hold."""
    data = load_toml(folder / "pyproject.toml")
    contents = {path.as_posix(): (folder / path).read_bytes() for path in files}
    home = (str(Path.home()),) if len(Path.home().parts) > 2 else ()
    return Expected(
        name=name,
        version=version,
        files=contents,
        modules=modules_of(name, data, contents),
        folders=tuple(str(each).encode() for each in (root.resolve(), *home)),
    )


def modules_of(name: str, data: Mapping[str, Any], files: Iterable[str]) -> dict[str, str]:
    """Return the paths of the files that a wheel has to hold, by their paths in it."""
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


def inspect(file: Path, expected: Expected) -> list[Finding]:
    """Return what is wrong with an archive; each finding names it and the member.

    Where the archive has another name or version, that is the only finding: every member would
    repeat it.
    """
    wheel = file.suffix == ".whl"
    if wrong := list(_wrong_names(file, wheel, expected)):
        return [Finding(f"{file.name}: {text}") for text in wrong]
    members = read(file)
    if not wheel:
        members = {path.removeprefix(f"{expected.stem}/"): each for path, each in members.items()}
    info = f"{expected.stem}.dist-info/" if wheel else ""
    problems = list(_wrong_paths(members, expected))
    problems += _metadata(f"{info}METADATA" if wheel else "PKG-INFO", members, expected)
    problems += _files(info, members, expected)
    return [Finding(f"{file.name}: {member}: {text}") for member, text in dict.fromkeys(problems)]


def read(file: Path) -> dict[str, bytes]:
    """Return the files of an archive, by their paths in it."""
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(file) as source:
        readers = {info.name: source.extractfile(info) for info in source}
        return {name: reader.read() if reader else b"" for name, reader in readers.items()}


def _wrong_names(file: Path, wheel: bool, expected: Expected) -> Iterator[str]:
    """Yield how the file name differs from the distribution and the version of the release."""
    try:
        name, version = (parse_wheel_filename if wheel else parse_sdist_filename)(file.name)[:2]
    except ValueError as error:
        yield str(error)
        return
    if name != canonicalize_name(expected.name):
        yield f"is named {name}, and the distribution {expected.name}"
    if version != expected.version:
        yield f"has version {version}, and the release {expected.version}"
    if wheel and not file.stem.endswith("-py3-none-any"):
        yield "is for one platform, not `py3-none-any`"


def _wrong_paths(members: Mapping[str, bytes], expected: Expected) -> Problems:
    """Yield texts that name a folder of one machine."""
    own = b"|".join(re.escape(folder) + rb"(?![\w.-])" for folder in expected.folders)
    machine = re.compile(rb"(?<![\w.-])(?:" + own + rb"|(?:" + _SOMEBODYS + rb")\w[\w.-]*[/\\])")
    for path, data in members.items():
        if b"\0" not in data and (match := machine.search(data)):
            line = data[: match.start()].count(b"\n") + 1
            yield f"{path}:{line}", f"contains a local path: {match[0].decode()}"


def _metadata(path: str, members: Mapping[str, bytes], expected: Expected) -> Problems:
    if path not in members:
        return  # which is reported as a file that is missing
    try:
        fields = Metadata.from_email(members[path])
    except (ExceptionGroup, InvalidMetadata) as error:
        for reason in error.exceptions if isinstance(error, ExceptionGroup) else [error]:
            yield path, str(reason)
        return
    bill = sbom.place(path.removesuffix("METADATA"))
    if bill in members and members[bill] != sbom.bill(members[path]):
        yield bill, f"is not the bill of materials of {path}"
    readme = expected.files.get("README.md", b"").decode()
    if not readme or (fields.description or "").strip() != readme.strip():
        yield path, "its long description is not README.md"
    for target in _relative_links(fields.description or ""):
        yield path, f"its long description links to {target}, which does not work on an index"


def _relative_links(text: str) -> Iterator[str]:
    """Yield the relative targets of the links and pictures of a Markdown page."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        for inline in token.children or ():
            target = str(inline.attrGet("href") or inline.attrGet("src") or "")
            if target and not target.startswith("#") and not urlsplit(target).scheme:
                yield target


def _files(info: str, members: Mapping[str, bytes], expected: Expected) -> Problems:
    """Yield files that are missing, other than the project's, or none of it."""
    if info:
        written = {f"{info}{name}" for name in ("METADATA", "WHEEL", "RECORD")} | {sbom.place(info)}
        allowed = {f"{info}entry_points.txt"}
        known: Mapping[str, str] = {**expected.modules, f"{info}licenses/LICENSE": "LICENSE"}
        needed = {
            *known,
            *(f"{path.partition('/')[0]}/py.typed" for path in expected.modules if "/" in path),
        }
    else:
        written, allowed = {"PKG-INFO"}, set()
        known = {path: path for path in expected.files}
        needed = {"pyproject.toml", "README.md", "LICENSE", *expected.modules.values()}
    for path in sorted((needed | written) - members.keys()):
        yield path, "is missing"
    for path in sorted(members.keys() - known.keys() - written - allowed):
        yield path, "does not belong here"
    for path in sorted(members.keys() & known.keys()):
        if members[path] != expected.files.get(known[path]):
            yield path, f"differs from {known[path]} in the project"
