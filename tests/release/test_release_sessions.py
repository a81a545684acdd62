"""All that commands print, and all that they ask of uv, Python and pages, in its order."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from packaging.version import Version
from small_project import Project, git

from pipeline.openapi.problems import Finding, PipelineError
from release import building, environments, indexes, installing, publishing
from release.environments import Environment, Python
from release.examples import Outcome

CONFIGURATION = """
[tool.release.packages.small-core.extras]
shade = "import shade"

[tool.release.packages.small-tool.extras]
more = "import more"

[tool.release.repositories.office]
upload = "http://clerk:word@office.test/up"
index = "http://office.test/simple/"
"""
CORE = """\
Provides-Extra: shade
Requires-Dist: idna>=2.9
Requires-Dist: tzdata; extra == 'shade'
"""
TOOL = """\
Requires-Dist: small-core
Requires-Dist: windows; sys_platform == 'none'
Provides-Extra: more
Requires-Dist: rich; extra == 'more'
"""
COMMANDS = (
    "publish --repository office --dry-run",
    "publish --repository local --dry-run",
    "publish --repository office --dry-run",
    "publish --repository office",
    "publish --repository office --verify-only",
    "publish --repository local",
    "publish --repository local --verify-only",
)


def wheel(file: Path, metadata: str, entries: str) -> Path:
    name, version, _ = file.name.split("-", 2)
    head = f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\nRequires-Python: >=3.11\n"
    with zipfile.ZipFile(file, "w") as archive:
        for path, text in (("METADATA", head + metadata), ("entry_points.txt", entries)):
            archive.writestr(zipfile.ZipInfo(f"{name}-{version}.dist-info/{path}"), text)
    return file


class Outside:
    """What is outside of this project: it says what it is asked, and has what it was given."""

    def __init__(self) -> None:
        self.there: dict[str, set[str]] = {}
        self.installed: dict[Path, str] = {}
        self.fails = False

    def uv(
        self, *words: str, text: str | None = None, index: str | None = None,
        variables: Mapping[str, str | None] = {},
    ) -> CompletedProcess[str]:  # fmt: skip
        named = {"from": index, "with": variables, "of": text}
        print("> uv", *words, *(f"{name} {each!r}" for name, each in named.items() if each))
        if text is not None:
            python = Path(words[words.index("--python") + 1])
            self.installed[python] = self.installed.get(python, "") + text
        said = ""
        if words[0] == "publish":
            at = words.index("--publish-url")
            place = words[at + 1].rpartition(":")[0]  # without a port
            there = self.there.setdefault(place, set())
            names = {Path(file).name for file in words[at + 4 :]}
            said = "".join(f"File {name} already exists, skipping\n" for name in names & there)
            if "--dry-run" not in words and "office" in words[at + 1]:
                text = f"uv publish: error: Failed at {words[at + 1]}: <b>403</b>\n Forbidden"
                raise PipelineError(Finding(text))
            there |= names if "--dry-run" not in words else set()
        return CompletedProcess(words, 0, "", said)

    def python(self, environment: Environment, *words: str, folder: Path) -> CompletedProcess[str]:
        print("> python", *words, f"in {folder}")
        extra = words[-1].removeprefix("import ")
        lacks = words[-1] != extra and f"{extra}]" not in self.installed[environment.python]
        return CompletedProcess(words, int(lacks), f"No module named {extra}" if lacks else "")

    def page(self, page: Path, *, python: Path, around: list[str], folder: Path) -> Outcome:
        print(f"> {page} with {python} in {folder} within {around}")
        return Outcome(2, ("README.md:4: python\nNo",) if self.fails else (), "")


@pytest.fixture
def outside(project: Project, monkeypatch: pytest.MonkeyPatch) -> Outside:
    project.edit("pyproject.toml", "[tool.release]", '[tool.release]\naround = ["serve", "--now"]')
    with (project.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(CONFIGURATION)
    project.commit()
    (project.root / "dist").mkdir()
    files: list[Path] = []
    for name, metadata, entries in (
        ("core", CORE, "[pytest11]\nsmall = small_core\n"),
        ("tool", TOOL, "[console_scripts]\nsmall-tool = small_tool:say\n"),
    ):
        files.append(project.root / f"dist/small_{name}-0.1.0.tar.gz")
        files[-1].write_bytes(b"%d" % len(files) * 2600)
        files.append(
            wheel(files[-1].with_name(f"small_{name}-0.1.0-py3-none-any.whl"), metadata, entries)
        )
    outer = Outside()
    for name in (*indexes._LOGIN, *filter(indexes._FOUND.fullmatch, os.environ), indexes._RETRIES):
        monkeypatch.delenv(name, raising=False)
    for module, attribute, value in (
        (building, "current", lambda _: files),
        (publishing, "compare", lambda _: None),
        (publishing, "problems", lambda *_: []),
        (environments, "uv", outer.uv),
        (indexes, "uv", outer.uv),
        (indexes, "application", lambda folder: print(f"> serves {folder}")),
        (installing, "run_page", outer.page),
        (installing, "pythons", lambda given: [Python(Path(sys.executable), Version("3.12.1"))]),
        (Environment, "run", lambda *words, folder: outer.python(*words, folder=folder)),
    ):
        monkeypatch.setattr(module, attribute, value)
    return outer


def test_commands_print_and_ask_for_what_they_did(
    project: Project, outside: Outside, golden: Callable[[Path, str], None]
) -> None:
    """Of two packages with extras, where one needs the other and one is a plugin of pytest."""
    outside.there["http://clerk"] = {"small_core-0.1.0.tar.gz"}
    lines = []
    for number, command in enumerate(COMMANDS):
        outside.fails = number in (0, len(COMMANDS) - 1)
        status, output = project.run(*command.split())
        lines += [f"$ {command}", *output.splitlines(), f"[{status}]", ""]
    text = "\n".join(lines)
    for found, shown in (
        (re.escape(str(project.root)), "ROOT"),
        (re.escape(str(installing._PROBE)), "PROBE"),
        (re.escape(sys.executable), "PYTHON"),
        (r"http://127\.0\.0\.1:\d+", "LOCAL"),
        (r"/[^\s']*/(examples|install|published)-\w+", r"\1"),
        (r"/[^\s']*/tmp\w+", "TEMPORARY"),
        ("ROOT/dist/", "dist/"),
    ):
        text = re.sub(found, shown, text)
    golden(Path(__file__).parent / "changes" / "sessions.txt", text)
    assert git(project.root, "status", "--porcelain") == ""
