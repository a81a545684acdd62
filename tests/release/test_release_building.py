"""Archives: the same bytes wherever they are built, and each rule of what is in them, broken."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packaging.version import Version
from small_project import PACKAGE, Project, git

from pipeline.openapi.problems import PipelineError
from release import building, contents
from release.building import build_all, build_package, current, sources
from release.config import Release, load_release
from release.contents import Expected, expect, inspect, read

INFO = "small_tool-0.1.0.dist-info"
HERE = Path(__file__).resolve().parents[2]


Files = dict[str, bytes]
Edit = Callable[[Files], Files]


@dataclass(frozen=True)
class Sound:
    """The archives of the small tool as they should be, and what they are held against."""

    sdist: Path
    wheel: Path
    expected: Expected


@pytest.fixture(scope="module")
def sound(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Sound:
    tool = made / "tool"
    sdist, wheel = build_package(tool, tmp_path_factory.mktemp("sound"))
    expected = expect("small-tool", tool, sources(tool), Version("0.1.0"), made)
    return Sound(sdist, wheel, expected)


def write(file: Path, files: Files) -> Path:
    if file.suffix == ".whl":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return file
    with tarfile.open(file, "w:gz") as target:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            target.addfile(info, io.BytesIO(data))
    return file


def problems(file: Path, expected: Expected) -> list[str]:
    return [finding.message for finding in inspect(file, expected)]


def with_(name: str, data: str = "x") -> Edit:
    return lambda files: {**files, name: data.encode()}


def without(name: str) -> Edit:
    return lambda files: {path: data for path, data in files.items() if path != name}


def edited(name: str, old: str, new: str) -> Edit:
    def change(files: Files) -> Files:
        assert old.encode() in files[name]
        return {**files, name: files[name].replace(old.encode(), new.encode())}

    return change


def test_what_was_built_is_sound(sound: Sound, tmp_path: Path) -> None:
    for file in (sound.sdist, sound.wheel):
        assert problems(file, sound.expected) == []
        again = write(tmp_path / file.name, read(file))
        assert problems(again, sound.expected) == []


TOP = "small_tool-0.1.0"
PY = "small_tool/__init__.py"
METADATA = f"{INFO}/METADATA"
LICENCE = f"{INFO}/licenses/LICENSE"
BILL = f"{INFO}/sboms/small_tool.cdx.json"
STRANGER = "does not belong here"
# What is done to an archive, and a line of what is found.
WHEEL: dict[str, tuple[Edit, str]] = {
    "a module": (without(PY), f"{PY}: is missing"),
    "another module": (with_("small_tool/more.py"), f"small_tool/more.py: {STRANGER}"),
    "other bytes": (edited(PY, "Twice", "Thrice"), f"{PY}: differs from src/{PY} in the project"),
    "another package": (with_("other/__init__.py"), f"other/__init__.py: {STRANGER}"),
    "the licence": (without(LICENCE), "licenses/LICENSE: is missing"),
    "another licence": (edited(LICENCE, "MIT", "Other"), "LICENSE: differs from LICENSE in the pr"),
    "the description": (edited(METADATA, "# small-tool", "# big"), "description is not README.md"),
    "no metadata": (without(METADATA), "METADATA: is missing"),
    "no bill": (without(BILL), f"{BILL}: is missing"),
    "another bill": (
        edited(BILL, '"0.1.0"', '"0.2.0"'),
        f"{BILL}: is not the bill of materials of",
    ),
    "more bills": (with_(f"{INFO}/sboms/other.spdx.json"), f"other.spdx.json: {STRANGER}"),
    "no record": (without(f"{INFO}/RECORD"), "RECORD: is missing"),
    "metadata": (edited(METADATA, "Version: 0.1.0", "Version: one"), "METADATA: "),
    "a link": (
        edited(METADATA, "# small-tool", "# small-tool\n\n[More](more.md#there)"),
        "METADATA: its long description links to more.md#there, which does not work on an index",
    ),
    "a picture": (
        edited(METADATA, "# small-tool", "# small-tool\n\n| a |\n|-|\n| ![](a.png) |"),
        "its long description links to a.png",
    ),
    "more metadata": (with_(f"{INFO}/direct_url.json"), f"direct_url.json: {STRANGER}"),
}
SDIST: dict[str, tuple[Edit, str]] = {
    "a module": (without(f"{TOP}/src/{PY}"), f"src/{PY}: is missing"),
    "how to build": (without(f"{TOP}/pyproject.toml"), "pyproject.toml: is missing"),
    "the licence": (without(f"{TOP}/LICENSE"), "LICENSE: is missing"),
    "metadata": (without(f"{TOP}/PKG-INFO"), "PKG-INFO: is missing"),
    "more": (with_(f"{TOP}/notes.txt"), f"notes.txt: {STRANGER}"),
    "elsewhere": (with_("notes.txt"), f"notes.txt: {STRANGER}"),
}
TEXTS = {
    "a home": ('"""In /home/ann/work."""\n', "odd.py:1: contains a local path: /home/ann/"),
    "a mac": ("\n\n# /Users/ann/work\n", "odd.py:3: contains a local path: /Users/ann/"),
    "windows": ("\nC:\\Users\\ann\\work\n", "odd.py:2: contains a local path"),
}
EDITS = [
    *(("wheel", case, *rest) for case, rest in WHEEL.items()),
    *(("sdist", case, *rest) for case, rest in SDIST.items()),
    *(("wheel", case, with_("small_tool/odd.py", text), found)
      for case, (text, found) in TEXTS.items()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "edit", "message"),
    [pytest.param(kind, edit, found, id=f"{kind}-{case}") for kind, case, edit, found in EDITS],
)
def test_an_archive_that_is_not_sound(
    kind: str, edit: Edit, message: str, sound: Sound, tmp_path: Path
) -> None:
    file = sound.wheel if kind == "wheel" else sound.sdist
    found = problems(write(tmp_path / file.name, edit(read(file))), sound.expected)
    assert any(message in each for each in found), found
    assert all(each.startswith(f"{file.name}: ") for each in found)


def test_the_project_s_own_path_in_a_text(sound: Sound, made: Path, tmp_path: Path) -> None:
    files = with_("small_tool/where.py", f"#\nROOT = '{made}/tool'\n")(read(sound.wheel))
    found = problems(write(tmp_path / sound.wheel.name, files), sound.expected)
    assert any(f"where.py:2: contains a local path: {made}" in each for each in found)


def test_names_and_versions_of_the_files_themselves(sound: Sound, tmp_path: Path) -> None:
    other = Path(shutil.copy(sound.wheel, tmp_path / "other-0.3.0-py3-none-any.whl"))
    found = problems(other, sound.expected)
    assert f"{other.name}: is named other, and the distribution small-tool" in found
    assert f"{other.name}: has version 0.3.0, and the release 0.1.0" in found
    tied = Path(shutil.copy(sound.wheel, tmp_path / "small_tool-0.1.0-cp311-abi3-any.whl"))
    assert problems(tied, sound.expected) == [
        f"{tied.name}: is for one platform, not `py3-none-any`"
    ]
    odd = Path(shutil.copy(sound.wheel, tmp_path / "small_tool.whl"))
    assert any("Invalid wheel filename" in each for each in problems(odd, sound.expected))


def test_the_same_bytes_wherever_and_however(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = load_release(made / "pyproject.toml")
    first = {file.name: file.read_bytes() for file in build_all(release, tmp_path / "one")}
    elsewhere = tmp_path / "a folder with another name" / "project"
    shutil.copytree(made, elsewhere)
    for path in elsewhere.rglob("*"):
        if path.is_file():
            path.chmod(0o600)
            os.utime(path, (86400, 86400))
    leftovers = elsewhere / "tool" / "src" / "small_tool" / "__pycache__"
    leftovers.mkdir()
    (leftovers / "stray.pyc").write_bytes(b"stray")
    (elsewhere / "tool" / "dist").mkdir()
    (elsewhere / "tool" / "dist" / "stray.txt").write_bytes(b"stray")
    for name, value in (
        ("TZ", "Asia/Tokyo"), ("LC_ALL", "C"), ("SOURCE_DATE_EPOCH", "1"),
        ("PYTHONHASHSEED", "7"),
    ):  # fmt: skip
        monkeypatch.setenv(name, value)
    before = os.umask(0o077)
    try:
        again = build_all(load_release(elsewhere / "pyproject.toml"), tmp_path / "two")
    finally:
        os.umask(before)
    assert {file.name: file.read_bytes() for file in again} == first
    git_free = tmp_path / "exported"
    shutil.copytree(made / "tool", git_free)
    assert build_package(git_free, tmp_path / "three")[1].read_bytes() == again[3].read_bytes()


def test_the_bill_of_materials(sound: Sound, tmp_path: Path) -> None:
    """CycloneDX's own schema accepts it, it names what is required, and pip installs the wheel."""
    tool = tmp_path / "tool"
    with tarfile.open(sound.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (tmp_path / TOP).rename(tool)
    project = tool / "pyproject.toml"
    wanted = 'dependencies = ["anyio>=4.5", "Zoned_Things; sys_platform == \\"win32\\""]\n'
    extras = '[project.optional-dependencies]\nmore = ["anyio>=4.6", "rich"]\n'
    text = project.read_text(encoding="utf-8")
    text = text.replace('license = "MIT"\n', f'license = "MIT"\n{wanted}')
    project.write_text(text + extras, encoding="utf-8")
    wheel = build_package(tool, tmp_path / "built")[1]
    with zipfile.ZipFile(wheel) as archive:
        assert archive.namelist()[-1] == f"{INFO}/RECORD"
        found = archive.read(BILL)
        bill, described = (archive.getinfo(each) for each in (BILL, f"{INFO}/METADATA"))
        assert bill.external_attr == described.external_attr  # some programs unpack modes
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(found.decode()) is None
    said = json.loads(found)
    purl = "pkg:pypi/small-tool@0.1.0"
    assert said["metadata"]["component"] == {
        "type": "library", "bom-ref": purl, "name": "small-tool", "version": "0.1.0",
        "purl": purl, "description": "The tool of small things.",
        "licenses": [{"expression": "MIT"}],
    }  # fmt: skip
    assert {each["purl"]: each["scope"] for each in said["components"]} == {
        "pkg:pypi/anyio": "required", "pkg:pypi/rich": "optional",
        "pkg:pypi/zoned-things": "required",
    }  # fmt: skip
    ranges = [each["value"] for each in said["components"][0]["properties"]]
    assert ranges == ["anyio>=4.5", 'anyio>=4.6; extra == "more"']
    command = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "--target"]
    subprocess.run([*command, tmp_path / "there", wheel], check=True, capture_output=True)
    assert (tmp_path / "there" / BILL).read_bytes() == found
    record = (tmp_path / "there" / INFO / "RECORD").read_text(encoding="utf-8")
    digest = base64.urlsafe_b64encode(hashlib.sha256(found).digest()).rstrip(b"=").decode()
    assert f"{BILL},sha256={digest},{len(found)}" in record.splitlines()


def test_dist_is_filled_and_what_is_not_ours_stays(project: Project) -> None:
    dist = project.root / "dist"
    dist.mkdir()
    old, foreign, note = "small_tool-0.0.9.tar.gz", "other-1.0-py3-none-any.whl", "note.txt"
    for name in (old, foreign, note):
        (dist / name).write_bytes(b"")
    status, output = project.run("build")
    assert status == 0, output
    assert f"removed dist/{old} from an earlier build" in output
    assert f"left alone dist/{foreign}" in output and f"left alone dist/{note}" in output
    release = load_release(project.root / "pyproject.toml")
    files = current(release)
    assert {path.name for path in dist.iterdir()} == {foreign, note, *(f.name for f in files)}
    for file, number in zip(files, (6, 7, 6, 8), strict=True):
        data = file.read_bytes()
        size, digest = f"{len(data) / 1000:.1f}", hashlib.sha256(data).hexdigest()
        assert [file.name, size, str(number), digest] in map(str.split, output.splitlines())
    digests = re.finditer(r"^.*(?=SHA-256$|\b[0-9a-f]{64}$)", output, re.MULTILINE)
    assert len({len(before[0]) for before in digests}) == 1  # they stand below each other

    for one, another in (files[:2], files[2:]):
        one.write_bytes(b"other")
        another.unlink()
    with pytest.raises(PipelineError) as refusal:
        current(release)
    old, missing = (", ".join(file.name for file in files[first::2]) for first in (0, 1))
    reason = f"dist/: {missing} missing; {old} out of date: run `nox -s build`"
    assert str(refusal.value) == reason


def filled(project: Project) -> dict[str, bytes]:
    """Put archives of an earlier build into dist/."""
    dist = project.root / "dist"
    dist.mkdir()
    (dist / "small_tool-0.0.9.tar.gz").write_bytes(b"earlier")
    (dist / "small_tool-0.1.0.tar.gz").write_bytes(b"the same name")
    return kept(project)


def kept(project: Project) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (project.root / "dist").iterdir()}


SERVER = """
[tool.release.server]
name = "io.example/tool"
title = "Tool"
description = "Small things."
author = "Ada"
license = "MIT"
package = "small-tool"
entry_point = "small_tool:say"
"""


def test_a_server_that_no_registry_takes_leaves_dist_as_it_was(project: Project) -> None:
    with (project.root / "pyproject.toml").open("a") as file:
        file.write(SERVER)
    before, readme = filled(project), project.root / "tool/README.md"
    text = readme.read_text()
    for wrong, why in ((text, "only if this file has the text"), (None, "cannot read the file")):
        readme.unlink() if wrong is None else readme.write_text(wrong)
        status, output = project.run("build")
        assert status == 1 and f"{readme}:" in output and why in output
        assert kept(project) == before
    bundle = project.root / "bundle"
    for number in ("0.1.0", "0.2.0"):
        readme.write_text(f"{text}\nmcp-name: io.example/tool\n")
        assert project.run("build")[0] == 0
        assert {each.name for each in bundle.iterdir()} == {f"tool-{number}.mcpb", "server.json"}
        if number == "0.1.0":
            project.version("0.2.0")


def test_what_is_wrong_leaves_dist_as_it_was(project: Project) -> None:
    before = filled(project)
    (project.root / "tool" / "LICENSE").unlink()
    (project.root / "tool" / "src" / "small_tool" / "py.typed").unlink()
    project.edit("core/pyproject.toml", 'version = "0.1.0"', 'version = "0.1.1"')
    status, output = project.run("build")
    assert status == 1
    licence = "small_tool-0.1.0.dist-info/licenses/LICENSE"
    assert f"small_tool-0.1.0-py3-none-any.whl: {licence}: is missing" in output
    assert "small_tool-0.1.0-py3-none-any.whl: small_tool/py.typed: is missing" in output
    assert "small_core-0.1.1.tar.gz: has version 0.1.1, and the release 0.1.0" in output
    assert kept(project) == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'version = "0.1.0"',
            'version = "one"',
            "expected version to start with a number",
        ),
        (
            "hatchling.build",
            "nothing.build",
            "cannot be built: ModuleNotFoundError: No module named 'nothing'",
        ),
        ("[build-system]", "[build-system", "/pyproject.toml:1:14: Expected ']'"),
    ],
)
def test_a_package_that_does_not_build(old: str, new: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(PACKAGE.format(name="core").replace(old, new))
    with pytest.raises(PipelineError) as refusal:
        build_package(tmp_path, tmp_path / "out")
    (line,) = str(refusal.value).splitlines()
    assert line.startswith(str(tmp_path)) and message in line


@pytest.mark.parametrize(
    ("requires", "reason"),
    [
        ([], ""),
        (["hatchling", "Packaging>=1"], ""),
        (["hatchling; python_version >= '3'"], ""),
        (["absent; python_version < '3'", "hatchling"], ""),
        (
            ["hatchling", "no-such-backend"],
            "no-such-backend, and this environment does not have it",
        ),
        (["hatchling<1"], f"hatchling<1, and this environment has {version('hatchling')}"),
    ],
)
def test_what_a_build_needs_is_here(requires: list[str], reason: str, tmp_path: Path) -> None:
    text = f"[build-system]\nrequires = {json.dumps(requires)}\n"
    (tmp_path / "pyproject.toml").write_text(text)
    if not reason:
        building._check_backend(tmp_path)
        return
    with pytest.raises(PipelineError, match=f": cannot be built: needs {reason}$"):
        building._check_backend(tmp_path)


def test_a_build_tool_may_be_a_candidate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A build tool that is installed as a pre-release is one that can build."""
    monkeypatch.setattr(building, "distributions", lambda name: [SimpleNamespace(version="2.0rc1")])
    for requires, fits in (("tool>=1", True), ("tool>=2.0rc1", True), ("tool>=2", False)):
        text = f"[build-system]\nrequires = [{requires!r}]\n"
        (tmp_path / "pyproject.toml").write_text(text)
        with nullcontext() if fits else pytest.raises(PipelineError, match=r"has 2\.0rc1$"):
            building._check_backend(tmp_path)


def test_the_last_error_of_a_backend_is_the_reason(tmp_path: Path) -> None:
    """What it was doing when that came, and what came after it, is no reason."""
    (tmp_path / "pyproject.toml").write_text(
        PACKAGE.format(name="core")
        .replace("hatchling.build", "own")
        .replace('build-backend = "own"', 'build-backend = "own"\nbackend-path = ["."]')
    )
    (tmp_path / "own.py").write_text(
        "def build_sdist(*_):\n"
        "    try:\n"
        "        raise KeyError('first')\n"
        "    except KeyError as error:\n"
        "        raise ValueError('no colour is named') from error\n"
    )
    with pytest.raises(PipelineError, match=r": cannot be built: ValueError: no colour is named$"):
        build_package(tmp_path, tmp_path / "out")


@pytest.mark.parametrize(
    ("wheel", "inside"),
    [
        ({}, ["a_b/c.py", "a_b/d/e.py"]),
        ({"packages": ["src/other", "lib/more"]}, ["more/f.py", "other/a.py"]),
        ({"exclude": ["d", "/src/other"]}, ["a_b/c.py"]),
        ({"exclude": ["*.py", "!c.py"]}, ["a_b/c.py"]),
    ],
)
def test_which_files_a_wheel_has(wheel: dict[str, list[str]], inside: list[str]) -> None:
    data = {"tool": {"hatch": {"build": {"targets": {"wheel": wheel}}}}}
    files = ["src/a_b/c.py", "src/a_b/d/e.py", "src/other/a.py", "lib/more/f.py", "src/a_bc/g.py"]
    found = contents.modules_of("A.b", data, files)
    assert sorted(found) == inside
    assert all(path.endswith(f"/{name}") for name, path in found.items())


def test_pip_builds_the_client_too(made: Path, tmp_path: Path) -> None:
    """A wheel of the folder, and one of its source archive, are the one that is released.

    All but the bill of materials: what is built elsewhere has a bill of its own, or none.
    """
    client = made / "generated" / "client"
    sdist, wheel = build_package(client, tmp_path)
    for number, source in enumerate((client, sdist)):
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps",
             "--no-build-isolation", "--wheel-dir", tmp_path / str(number), source],
            check=True,
        )  # fmt: skip
        (found,) = (tmp_path / str(number)).iterdir()
        info = "small_client-0.1.0.dist-info"
        bill = f"{info}/sboms/small_client.cdx.json"
        released = without(bill)(read(wheel))
        lines = [each for each in released[f"{info}/RECORD"].splitlines(keepends=True)
                 if not each.startswith(bill.encode())]  # fmt: skip
        assert read(found) == {**released, f"{info}/RECORD": b"".join(lines)}


def test_files_of_a_project(project: Project) -> None:
    tool = project.root / "tool"
    before = sources(tool)
    assert Path("src/small_tool/py.typed") in before and before == sorted(before)
    (tool / "new.txt").write_text("")
    (tool / "dist").mkdir()
    (tool / "dist" / "ignored.txt").write_text("")
    (tool / "README.md").unlink()
    assert set(sources(tool)) == {*before, Path("new.txt")} - {Path("README.md")}
    git(project.root, "add", "--all")
    assert Path("README.md") not in sources(tool)


@pytest.mark.parametrize(
    "text",
    [
        "[a](https://a.test/b)",
        "[a](#there)",
        "<mailto:a@a.test>",
        "`[a](b.md)`",
        "```\n[a](b.md)\n```",
    ],
)
def test_links_that_lead_somewhere_from_an_index(text: str) -> None:
    assert list(contents._relative_links(f"# A\n\n{text}\n")) == []


def test_two_builds_that_differ(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def other_bytes(release: Release, folder: Path) -> list[Path]:
        files = build_all(release, folder)
        files[1].write_bytes(files[1].read_bytes() + b"later")
        return files

    monkeypatch.setattr(building, "build_all", other_bytes)
    status, output = project.run("build")
    assert status == 1
    name = "small_core-0.1.0-py3-none-any.whl"
    assert output.endswith(f" …\n{name}: two builds of the same files differ\n")
    assert not (project.root / "dist").exists()
