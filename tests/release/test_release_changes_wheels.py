"""Wheels, compared: what installs with them, and what they install."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

from packaging.version import Version

from release.changes.change import merged
from release.changes.wheels import differences, read


def wheel(
    folder: Path, version: str, files: Mapping[str, str], about: str = "", points: str = ""
) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"library-{version}-py3-none-any.whl"
    top = f"library-{version}.dist-info"
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
        metadata = f"Metadata-Version: 2.4\nName: library\nVersion: {version}\n{about}"
        archive.writestr(f"{top}/METADATA", metadata)
        if points:
            archive.writestr(f"{top}/entry_points.txt", points)
    return file


def reported(before: Path, after: Path) -> list[str]:
    versions = [Version(file.name.split("-")[1]) for file in (before, after)]
    found = differences("library", read(before, versions[0]), read(after, versions[1]))
    return [f"{each.level} {each}" for each in merged(found)]


def test_a_version_alone_is_no_change(tmp_path: Path) -> None:
    before = wheel(tmp_path, "0.1.0", {"library/__init__.py": '__version__ = "0.1.0"\n'})
    after = wheel(tmp_path, "0.2.0", {"library/__init__.py": '__version__ = "0.2.0"\n'})
    assert reported(before, after) == []


def test_everything_else_is_reported(tmp_path: Path) -> None:
    before = wheel(
        tmp_path, "0.1.0",
        {"library/a.py": "1\n", "library/b.py": "2\n", "library/d.py": "4\n" * 400},
        "Requires-Python: >=3.11\nRequires-Dist: one>=1\nRequires-Dist: two\n"
        "Requires-Dist: tqdm; extra == 'bar'\nProvides-Extra: bar\n\nA page.\n",
        "[console_scripts]\nlibrary = library:main\nold = library:old\n",
    )  # fmt: skip
    after = wheel(
        tmp_path, "0.2.0",
        {"library/a.py": "1\n", "library/b.py": "3\n", "library/c.py": "5\n"},
        "Requires-Python: >=3.12\nRequires-Dist: one>=2\nRequires-Dist: three\n"
        "Requires-Dist: rich; extra == 'show'\nProvides-Extra: show\n\nAnother page.\n",
        "[console_scripts]\nlibrary = library:other\nnew = library:new\n",
    )  # fmt: skip
    assert reported(before, after) == [
        "breaking `library` has no entry point `console_scripts: old` any more",
        "breaking `library` has no extra `bar` any more",
        "breaking `library` needs Python >=3.12 (was >=3.11)",
        "feature `library` has the entry point `console_scripts: new`",
        "feature `library` has the extra `show`",
        'patch `library` does not need `tqdm; extra == "bar"` any more',
        "patch `library` does not need `two` any more",
        "patch `library` has no files `library/d.py` any more",
        "patch `library` has other contents in `library/b.py`",
        "patch `library` has the new files `library/c.py`",
        "patch `library` is described in other words",
        "patch `library` needs `one>=2` (was `one>=1`)",
        'patch `library` needs `rich; extra == "show"`',
        "patch `library` needs `three`",
        "none `library` has 1 KB (was 2 KB)",
    ]


def test_more_pythons_are_a_feature(tmp_path: Path) -> None:
    before = wheel(tmp_path, "0.1.0", {}, "Requires-Python: >=3.12,<3.14\n")
    after = wheel(tmp_path, "0.2.0", {}, "Requires-Python: >=3.11\n")
    assert reported(before, after) == ["feature `library` needs Python >=3.11 (was >=3.12,<3.14)"]
