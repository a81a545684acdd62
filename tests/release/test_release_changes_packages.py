"""Packages, compared: what installs with them, and what they install."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from packaging.version import Version
from small_project import Project, git

from pipeline.codegen.write import MANIFEST
from release.changes.change import merged
from release.changes.packages import compare, differences
from release.changes.sides import Package, revision, working_tree
from release.config import load_release


def reported(
    old: dict[str, Any], new: dict[str, Any], before: dict[str, str], after: dict[str, str]
) -> list[str]:
    """Return what differs between two projects, of versions 0.1.0 and 0.2.0, with these files."""
    sides = [
        package({"name": "library", **project}, files)
        for project, files in ((old, before), (new, after))
    ]
    found = differences(*sides, Version("0.1.0"), Version("0.2.0"))
    return [" ".join(filter(None, (e.level, e.kind, str(e)))) for e in merged(found)]


def package(project: dict[str, Any], files: dict[str, str]) -> Package:
    made = Package("library", Path("nowhere"), (), (), {"project": project})
    made.__dict__["files"] = {name: text.encode() for name, text in files.items()}
    return made


def test_a_version_alone_is_no_change() -> None:
    files = [
        {
            "src/library/__init__.py": f'__version__ = "{version}"\n',
            f"src/library/{MANIFEST}": f"hash of {version[2:]}",
        }
        for version in ("0.1.0", "0.2.0")
    ]
    assert reported({}, {}, *files) == []


def test_everything_else_is_reported() -> None:
    before = {
        "requires-python": ">=3.11",
        "dependencies": ["one>=1", "two"],
        "optional-dependencies": {"bar": ["tqdm"]},
        "scripts": {"library": "library:main", "old": "library:old"},
        "gui-scripts": {"window": "library:main"},
        "entry-points": {"plugins": {"was": "library:old", "same": "library:old"}},
    }
    after = {
        "requires-python": ">=3.12",
        "dependencies": ["one>=2", "three"],
        "optional-dependencies": {"show": ["rich"]},
        "scripts": {"library": "library:other", "new": "library:new"},
        "gui-scripts": {"picture": "library:main"},
        "entry-points": {"plugins": {"same": "library:new", "is": "library:old"}},
    }
    source = "src/library/"
    old = {"README.md": "A page", f"{source}a.py": "1", f"{source}b.py": "2"}
    new = {"README.md": "Another", f"{source}a.py": "1", f"{source}b.py": "3", f"{source}c.py": "5"}
    assert reported(before, after, {**old, f"{source}d.py": "4\n" * 1000}, new) == [
        "breaking `library` has no entry point `console_scripts: old` any more",
        "breaking `library` has no entry point `gui_scripts: window` any more",
        "breaking `library` has no entry point `plugins: was` any more",
        "breaking `library` has no extra `bar` any more",
        "breaking `library` needs Python >=3.12 (was >=3.11)",
        "feature `library` has the entry point `console_scripts: new`",
        "feature `library` has the entry point `gui_scripts: picture`",
        "feature `library` has the entry point `plugins: is`",
        "feature `library` has the extra `show`",
        'patch `library` does not need `tqdm; extra == "bar"` any more',
        "patch `library` does not need `two` any more",
        "patch inside `library` has another description",
        "patch inside `library` has other contents in `library/b.py`, `library/c.py` and"
        " `library/d.py`",
        "patch `library` needs `one>=2` (was `one>=1`)",
        'patch `library` needs `rich; extra == "show"`',
        "patch `library` needs `three`",
    ]


def test_a_requirement_is_known_by_its_name_and_where_it_holds() -> None:
    marked = ["Tool>=1; python_version < '3.12'", "tool>=2; python_version >= '3.12'"]
    rich = "rich; os_name == 'nt' or os_name == 'os2'"
    before = {"dependencies": marked, "optional-dependencies": {"more": [rich]}}
    after = {"dependencies": ["tool>=1; python_version < '3.12'"], "requires-python": ">=3.11"}
    assert reported(before, after, {}, {}) == [
        "breaking `library` has no extra `more` any more",
        "breaking `library` needs Python >=3.11 (was of any version)",
        'patch `library` does not need `rich; (os_name == "nt" or os_name == "os2") and extra == '
        '"more"` any more',
        'patch `library` does not need `tool>=2; python_version >= "3.12"` any more',
        "patch `library` needs "
        '`tool>=1; python_version < "3.12"` (was `Tool>=1; python_version < "3.12"`)',
    ]


def test_more_pythons_are_a_feature_and_fewer_break() -> None:
    found = reported({"requires-python": ">=3.12,<3.14"}, {"requires-python": ">=3.11"}, {}, {})
    assert found == ["feature `library` needs Python >=3.11 (was >=3.12,<3.14)"]
    found = reported({"requires-python": ">=3.11"}, {"requires-python": ">=3.11,<3.20"}, {}, {})
    assert found == ["breaking `library` needs Python >=3.11,<3.20 (was >=3.11)"]
    found = reported({"requires-python": ">=3.11.2"}, {"requires-python": ">=3.11.4"}, {}, {})
    assert found == ["breaking `library` needs Python >=3.11.4 (was >=3.11.2)"]
    found = reported({"requires-python": ">=3.11.4"}, {"requires-python": ">=3.11.2"}, {}, {})
    assert found == ["feature `library` needs Python >=3.11.2 (was >=3.11.4)"]


def test_another_spelling_of_a_name_is_no_other_requirement() -> None:
    before, after = (
        {"dependencies": [f"{name}>=4"]} for name in ("typing_Extensions", "typing-extensions")
    )
    found = reported(before, after, {}, {})
    said = "`library` needs `typing-extensions>=4` (was `typing_Extensions>=4`)"
    assert found == [f"patch {said}"]


def test_packages_of_revisions(project: Project, tmp_path: Path) -> None:
    project.edit("tool/src/small_tool/__init__.py", "Twice", "Two times")
    with (project.root / "tool" / "pyproject.toml").open("a") as file:
        file.write('\n[project.entry-points.pytest11]\nsmall = "small_tool.plugin"\n')
    project.commit()
    release = load_release(project.root / "pyproject.toml")
    before = revision(release, "HEAD~1", tmp_path / "before")
    after = working_tree(release)
    assert [str(each) for each in compare(before, after)] == [
        "`small-tool` has the entry point `pytest11: small`",
        "`small-tool` has other contents in `small_tool/__init__.py`",
    ]
    plugins = {name: package.plugins for name, package in after.packages.items()}
    assert plugins["small-tool"] == ("small_tool.plugin",)
    assert git(project.root, "status", "--porcelain") == ""
