"""A folder that is generated whole: written, or compared."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipeline.write import compare, write

FILES = {"a.py": "one\n", "deep/er/b.md": "zwei – 2\n"}


def test_a_first_run_writes_all(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert write(FILES, folder) == ["added a.py", "added deep/er/b.md"]
    assert (folder / "deep/er/b.md").read_bytes() == FILES["deep/er/b.md"].encode()
    assert compare(FILES, folder) == []
    assert [path.name for path in tmp_path.iterdir()] == ["out"]  # nothing is left beside it


def test_what_is_current_is_not_touched(tmp_path: Path) -> None:
    write(FILES, tmp_path / "out")
    file = tmp_path / "out/a.py"
    os.utime(file, (1, 1))
    before = file.stat()
    assert write({**FILES, "deep/er/b.md": "new\n"}, tmp_path / "out") == ["changed deep/er/b.md"]
    assert (file.stat().st_mtime, file.stat().st_ino) == (1, before.st_ino)


def test_stale_files_and_their_folders_go(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(FILES, folder)
    assert write({"a.py": "one\n"}, folder) == ["removed deep/er/b.md"]
    assert [path.name for path in folder.iterdir()] == ["a.py"]


def test_what_running_the_package_leaves_stays(tmp_path: Path) -> None:
    cache = tmp_path / "out/__pycache__/a.pyc"
    cache.parent.mkdir(parents=True)
    cache.write_text("")
    write(FILES, tmp_path / "out")
    assert cache.exists() and compare(FILES, tmp_path / "out") == []


def test_line_ends_are_those_of_the_text(tmp_path: Path) -> None:
    write({"a": "x\ny\n"}, tmp_path)
    assert (tmp_path / "a").read_bytes() == b"x\ny\n"
    (tmp_path / "a").write_bytes(b"x\r\ny\r\n")
    assert compare({"a": "x\ny\n"}, tmp_path) != []


def test_compare_tells_everything_and_writes_nothing(tmp_path: Path) -> None:
    write(FILES, tmp_path / "out")
    (tmp_path / "out/extra").write_text("")
    said = compare({"a.py": "two\n", "new": ""}, tmp_path / "out")
    assert said == [
        "differs a.py", "--- is", "+++ would be", "@@ -1 +1 @@", "-one", "+two",
        "missing new", "left over deep/er/b.md", "left over extra",
    ]  # fmt: skip
    assert (tmp_path / "out/a.py").read_text() == "one\n"


def test_a_long_difference_is_cut(tmp_path: Path) -> None:
    write({"a": "".join(f"{n}\n" for n in range(200))}, tmp_path)
    said = compare({"a": "".join(f"{n}!\n" for n in range(200))}, tmp_path)
    assert len(said) == 42 and said[-1] == "… 363 more lines"


def test_a_failure_leaves_every_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(FILES, tmp_path / "out")
    real = os.replace

    def fails(source: str, target: Path) -> None:
        if target.name == "b.md":
            raise OSError("the disk is full")
        real(source, target)

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="full"):
        write({"a.py": "two\n", "deep/er/b.md": "drei\n"}, tmp_path / "out")
    assert (tmp_path / "out/deep/er/b.md").read_text() == FILES["deep/er/b.md"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
