"""Folders that are generated whole: written, or compared."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pipeline.codegen.write import MANIFEST, digests
from pipeline.codegen.write import compare as compare_with
from pipeline.codegen.write import write as write_all
from pipeline.openapi.files import staging
from pipeline.openapi.problems import PipelineError


def made(**files: str) -> dict[str, str]:
    """Files with the manifest that lists them; `__` in a name stands for a slash."""
    named = {name if "/" in name else name.replace("__", "/"): text for name, text in files.items()}
    return {**named, MANIFEST: json.dumps({"outputs": digests(named)}, indent=1)}


def write(files: Mapping[str, str], folder: Path) -> list[str]:
    """Write one folder; what is said of it names the files below it."""
    changed, left_alone = write_all({folder: files})[folder]
    return [line.replace(f"{folder}/", "", 1) for line in (*changed, *left_alone)]


def compare(files: Mapping[str, str], folder: Path) -> list[str]:
    return [line.replace(f"{folder}/", "", 1) for line in compare_with(files, folder)]


FILES = made(a="one\n", deep__er__b="zwei – 2\n")


def test_a_first_run_writes_all(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert write(FILES, folder) == ["added a", "added deep/er/b", f"added {MANIFEST}"]
    assert (folder / "deep/er/b").read_bytes() == FILES["deep/er/b"].encode()
    assert compare(FILES, folder) == []
    assert [path.name for path in tmp_path.iterdir()] == ["out"]  # nothing is left beside it


def test_what_a_killed_run_left_goes_and_that_of_a_running_one_stays(tmp_path: Path) -> None:
    for name in ("killed", "running"):
        (tmp_path / f".generate-{name}").mkdir()
        (tmp_path / f".generate-{name}/0").write_text("half")
    os.utime(tmp_path / ".generate-killed", (0, 0))
    write(FILES, tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".generate-running", "out"]
    with staging(tmp_path) as folder:
        assert folder.parent == tmp_path and (folder / ".gitignore").read_text() == "*\n"


def test_stale_files_and_their_folders_go(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(FILES, folder)
    assert write(made(a="one\n"), folder) == [f"changed {MANIFEST}", "removed deep/er/b"]
    assert sorted(path.name for path in folder.iterdir()) == [MANIFEST, "a"]


def test_what_no_run_made_is_left_alone_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(FILES, folder)
    (folder / "diary.txt").write_text("mine")
    assert write(made(a="one\n"), folder)[-2:] == [
        "removed deep/er/b",
        "left alone diary.txt: not written by `generate`",
    ]
    assert (folder / "diary.txt").read_text() == "mine"
    assert compare(made(a="one\n"), folder) == ["left over diary.txt"]


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(PipelineError, match=r"is not empty, and contains no MANIFEST\.json"):
        write(FILES, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_a_file_a_folder_and_a_link_in_the_way_are_refused(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(PipelineError, match="file: is not a folder"):
        write(FILES, tmp_path / "file")
    assert compare(FILES, tmp_path / "file") == [f"{tmp_path / 'file'} is not a folder"]
    write(made(b="1"), folder)
    (folder / "a").mkdir()
    (folder / "deep").symlink_to(elsewhere)
    with pytest.raises(PipelineError) as caught:
        write(FILES, folder)
    assert [finding.message for finding in caught.value.findings] == [
        f"{folder}: a is a folder",
        f"{folder}: deep is a link",
    ]
    assert not any(elsewhere.iterdir()) and (folder / "b").read_text() == "1"


@pytest.mark.parametrize("place", ["file/out", "nowhere", "nowhere/out"])
def test_a_place_where_no_folder_can_be_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    with pytest.raises(PipelineError, match=f"{place}: is not a folder"):
        write(FILES, tmp_path / place)
    assert not (tmp_path / "gone").exists()


def test_what_is_said_can_be_found(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert write_all({folder: made(a="1")})[folder][0][0] == f"added {folder / 'a'}"
    (folder / "extra").write_text("")
    assert compare_with(made(b="1"), folder)[0] == f"missing {folder / 'b'}"
    assert compare_with(made(a="1"), folder) == [f"left over {folder / 'extra'}"]


@pytest.mark.parametrize("first", [True, False])
def test_nothing_is_written_when_one_of_the_folders_is_refused(tmp_path: Path, first: bool) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    write(made(a="one\n", old="old\n"), good)
    bad.mkdir()
    (bad / "diary.txt").write_text("mine")
    both = [good, bad] if first else [bad, good]
    with pytest.raises(PipelineError, match=f"^{bad}: is not empty"):
        write_all(dict.fromkeys(both, made(a="two\n")))
    assert (good / "a").read_text() == "one\n" and (good / "old").exists()
    assert [path.name for path in bad.iterdir()] == ["diary.txt"]


def test_a_manifest_cannot_name_files_outside_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    folder = tmp_path / "out"
    write({MANIFEST: json.dumps({"outputs": ["../diary.txt"]})}, folder)
    write(FILES, folder)
    assert (tmp_path / "diary.txt").exists()


def test_what_running_the_package_leaves_stays(tmp_path: Path) -> None:
    write(FILES, tmp_path / "out")
    left = ("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", "build", "dist")
    caches = [tmp_path / "out" / name / "cached" for name in left]
    for cache in caches:
        cache.parent.mkdir(parents=True)
        cache.write_text("")
    assert write(FILES, tmp_path / "out") == []
    assert all(cache.exists() for cache in caches) and compare(FILES, tmp_path / "out") == []


def test_compare_tells_everything_and_writes_nothing(tmp_path: Path) -> None:
    write(FILES, tmp_path / "out")
    (tmp_path / "out/extra").write_text("")
    (tmp_path / "out/gone").symlink_to("nowhere")
    said = compare({"a": "two\n", "new": ""}, tmp_path / "out")
    assert said == [
        "differs a", "--- is", "+++ would be", "@@ -1 +1 @@", "-one", "+two",
        "missing new", f"left over {MANIFEST}", "left over deep/er/b", "left over extra",
        "left over gone",
    ]  # fmt: skip
    assert (tmp_path / "out/a").read_text() == "one\n"


def test_a_difference_is_cut_after_forty_lines(tmp_path: Path) -> None:
    write(made(a=""), tmp_path / "out")
    for number, more in ((37, []), (38, ["… 1 more lines"]), (50, ["… 13 more lines"])):
        said = compare(made(a="x\n" * number), tmp_path / "out")
        shown = said[1 : next(n for n, each in enumerate(said) if MANIFEST in each)]
        assert shown[3:] == ["+x"] * min(number, 37) + more


def test_a_failure_leaves_every_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(FILES, tmp_path / "out")
    real = os.replace

    def fails(source: str, target: Path) -> None:
        if target.name == "b":
            raise OSError("the disk is full")
        real(source, target)

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="full"):
        write({"a": "two\n", "deep/er/b": "drei\n"}, tmp_path / "out")
    assert (tmp_path / "out/deep/er/b").read_text() == FILES["deep/er/b"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def refused(files: Mapping[str, str], folder: Path) -> list[str]:
    """What is said of files that somebody edited; nothing may have changed."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(PipelineError) as caught:
        write(files, folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    *found, going_on = (each.message for each in caught.value.findings)
    assert "custom/" in going_on and "generate --force" in going_on
    return [text.replace(f"{folder}/", "", 1) for text in found]


def test_what_somebody_edited_is_neither_replaced_nor_removed(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(made(a="one\n", b="two\n", c="three\n", gone="four\n"), folder)
    for name in ("a", "b", "gone"):
        (folder / name).write_text(f"mine: {name}")
    (folder / "new").write_text("mine, too")
    (folder / "c").unlink()  # nothing of anybody's is in it
    after = made(a="mine: a", b="two\n", c="three\n", new="new\n")
    assert refused(after, folder) == [
        "b: was edited after `generate` wrote it, which would replace it",
        "new: was not written by `generate`, which would replace it",
        "gone: was edited after `generate` wrote it, which would remove it",
    ]
    changed, _ = write_all({folder: after}, force=True)[folder]
    assert [line.split()[0] for line in changed] == [
        "changed", "added", "changed", "changed", "removed"
    ]  # fmt: skip
    assert compare(after, folder) == [] and write(after, folder) == []


def test_other_line_ends_are_no_edit(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write(FILES, folder)
    for path in (folder / "a", folder / MANIFEST):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert write(made(a="two\n"), folder) == [
        "changed a", f"changed {MANIFEST}", "removed deep/er/b"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("manifest", "note"),
    [
        (json.dumps({"outputs": ["a", "deep/er/b"]}), "had no hashes"),
        ("{", "could not be read"),
        ('{"outputs": 1}', "could not be read"),
        ("[" * 100_000, "could not be read"),
    ],
)
def test_a_manifest_that_tells_nothing_stops_nothing(
    tmp_path: Path, manifest: str, note: str
) -> None:
    folder = tmp_path / "out"
    write(FILES, folder)
    (folder / MANIFEST).write_text(manifest)
    (folder / "a").write_text("mine")
    said = write(FILES, folder)
    assert said[:2] == ["changed a", f"changed {MANIFEST}"]
    assert [line for line in said[2:] if note in line] == said[2:] and len(said) == 3
    assert write(FILES, folder) == []


def test_custom_modules_of_a_package_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    custom = "client/src/{}/custom/orders.py"
    for package in ("shop", "other"):
        path = folder / custom.format(package)
        path.parent.mkdir(parents=True)
        path.write_text("mine")
        if package == "shop":  # it may be there before anything else is
            files = made(**{"client/src/shop/__init__.py": "", "client/api.md": "one\n"})
            assert write(files, folder)[0] == "added client/src/shop/__init__.py"
    other = custom.format("other")
    assert write(files, folder) == [f"left alone {other}: not written by `generate`"]
    assert compare(files, folder) == [f"left over {other}"]


def git(folder: Path, *arguments: str, status: int = 0) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", "-C", str(folder), *who, *arguments], capture_output=True)
    assert done.returncode == status, done.stderr


@pytest.fixture
def branches(tmp_path: Path) -> Callable[[str, str], Path]:
    """Make a repository with two branches, of which each has made a text of the same file anew."""

    def make(ours: str, theirs: str) -> Path:
        folder = tmp_path / "out"
        git(tmp_path, "init", "-q", "-b", "main", str(tmp_path))
        for checkout, text in (((), LINES), (("-b", "theirs"), theirs), (("main",), ours)):
            if checkout:
                git(tmp_path, "checkout", "-q", *checkout)
            write(made(a=text, z="last\n"), folder)
            git(tmp_path, "add", "-A")
            git(tmp_path, "commit", "-q", "--allow-empty", "-m", text[:9])
        return folder

    return make


LINES = "".join(f"{number}\n" for number in range(20))
OURS, THEIRS = f"ours\n{LINES}", f"{LINES}theirs\n"


def test_what_git_merged_is_no_edit(branches: Callable[[str, str], Path]) -> None:
    """Whether the merge is committed or has conflicts; an edit on a branch is still found."""
    folder = branches(OURS, THEIRS)
    both = made(a=f"ours\n{LINES}theirs\n!\n", z="last\n")
    git(folder, "merge", "-q", "theirs", status=1)  # the hashes are in conflict
    assert b"<<<<<<<" in (folder / MANIFEST).read_bytes()
    assert write(both, folder) == ["changed a", f"changed {MANIFEST}"]
    git(folder, "checkout", "-q", "--theirs", MANIFEST)
    (folder / "a").write_text(f"ours\n{LINES}theirs\n")
    git(folder, "commit", "-qam", "merged")
    assert write(both, folder) == ["changed a", f"changed {MANIFEST}"]
    git(folder, "checkout", "-q", ".")
    (folder / "z").write_text("mine\n")
    git(folder, "commit", "-qam", "by hand")
    edited = ["z: was edited after `generate` wrote it, which would replace it"]
    assert refused(both, folder) == edited
    (folder / "a").write_text("mine\n")
    assert [each[0] for each in refused(both, folder)] == ["a", "z"]


def test_what_somebody_edited_on_one_branch_is_found_after_a_merge(
    branches: Callable[[str, str], Path],
) -> None:
    folder = branches(OURS, LINES)
    git(folder, "checkout", "-q", "theirs")
    (folder / "a").write_text(f"{LINES}mine\n")
    git(folder, "commit", "-qam", "by hand")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "theirs", "-m", "both")
    text = "a: was edited after `generate` wrote it, which would replace it"
    assert refused(made(a=OURS, z="last\n"), folder) == [text]


def test_a_conflict_outside_of_a_merge_is_called_one(tmp_path: Path) -> None:
    """As a rebase leaves it: only a person can say whose it is."""
    folder = tmp_path / "out"
    write(FILES, folder)
    (folder / "a").write_text("<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> theirs\n")
    assert refused(FILES, folder) == ["a: has the marks of a conflict that a merge left"]
