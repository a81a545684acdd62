"""The changelog's sections and blocks."""

from __future__ import annotations

from pathlib import Path

import pytest
from packaging.version import Version

from pipeline.openapi.problems import PipelineError
from release.changes.changelog import BEGIN, END, above, block, written

ENTRY = "### New\n\n- `posts.list` takes `sort`.\n"
OTHER = "### Breaking\n\n- `Post` is gone.\n"
HEAD = "# Changelog\n\nAll of it.\n\n"


def log(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "CHANGELOG.md"
    file.write_text(text, encoding="utf-8")
    return file


def put(file: Path, version: str, entry: str) -> str:
    text = written(file, version, entry)
    file.write_text(text, encoding="utf-8")
    return text


def test_a_section_is_begun_before_all_others(tmp_path: Path) -> None:
    others = "## 0.1.0\n\n- Second.\n\n## 0.0.9\n\n- First.\n"
    file = log(tmp_path, HEAD + others)
    expected = f"{HEAD}## 0.2.0\n\n{BEGIN}\n\n{ENTRY}\n{END}\n\n{others}"
    assert put(file, "0.2.0", ENTRY) == expected
    assert block(file, "0.2.0") == ENTRY


@pytest.mark.parametrize("name", ["Unreleased", "[Unreleased]", "unreleased"])
def test_what_is_unreleased_becomes_the_section_of_the_version(tmp_path: Path, name: str) -> None:
    file = log(tmp_path, HEAD + f"## {name}\n\n- By hand.\n\n## 0.1.0\n")
    expected = f"{HEAD}## 0.2.0\n\n{BEGIN}\n\n{ENTRY}\n{END}\n\n- By hand.\n\n## 0.1.0\n"
    assert put(file, "0.2.0", ENTRY) == expected


@pytest.mark.parametrize("sign", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "\r"])
def test_what_ends_no_line_of_markdown_moves_nothing(tmp_path: Path, sign: str) -> None:
    head = HEAD.replace("All of", f"All{sign}of{sign}")
    file = tmp_path / "CHANGELOG.md"
    file.write_bytes(f"{head}## Unreleased\n\n- By{sign}hand.\n\n## 0.1.0\n".encode())
    expected = f"{head}## 0.2.0\n\n{made(ENTRY)}\n- By{sign}hand.\n\n## 0.1.0\n"
    assert written(file, "0.2.0", ENTRY) == expected


@pytest.mark.parametrize("name", ["v0.2.0", "[v0.2.0] - soon", "0.2"])
def test_a_version_is_one_however_it_is_written(tmp_path: Path, name: str) -> None:
    file = log(tmp_path, f"{HEAD}##\n\n## {name}\n\nBy hand.\n\n## v0.1.0\n")
    assert [*map(str, above(file, Version("0.1.0")))] == [str(Version(name.split()[0].strip("[]")))]
    put(file, "0.2.0", ENTRY)
    assert block(file, "0.2.0") == block(file, "v0.2") == ENTRY
    assert [*map(str, above(file, Version("0")))][1:] == ["0.1.0"]
    twice = log(tmp_path, f"{HEAD}## {name}\n\n## 0.2.0\n")
    with pytest.raises(PipelineError, match=r":5:1: there are 2 sections 0\.2"):
        block(twice, "0.2.0")


def test_again_is_the_same(tmp_path: Path) -> None:
    file = log(tmp_path, HEAD + "## Unreleased\n\n- By hand.\n")
    assert put(file, "0.2.0", ENTRY) == put(file, "0.2.0", ENTRY)


@pytest.mark.parametrize("name", ["0.2.0", "[0.2.0]", "0.2.0 (2026-11-03)", "[0.2.0] - soon"])
def test_the_block_is_replaced_and_what_people_wrote_stays(tmp_path: Path, name: str) -> None:
    around = f"## {name}" + "\n\nBefore.\n\n{}\n\nBehind.\n\n## 0.1.0\n\n{}\n"
    old = f"{BEGIN}\n\n{ENTRY}\n{END}"
    file = log(tmp_path, HEAD + around.format(old, old))
    new = f"{BEGIN}\n\n{OTHER}\n{END}"
    assert put(file, "0.2.0", OTHER) == HEAD + around.format(new, old)
    assert (block(file, "0.2.0"), block(file, "0.1.0")) == (OTHER, ENTRY)


def test_an_empty_entry_takes_the_block_away(tmp_path: Path) -> None:
    text = HEAD + "## 0.2.0\n\n- By hand.\n"
    file = log(tmp_path, text)
    put(file, "0.2.0", ENTRY)
    assert put(file, "0.2.0", "") == text
    assert put(file, "0.3.0", "") == text


def made(entry: str) -> str:
    return f"{BEGIN}\n\n{entry}\n{END}\n"


def test_an_unreleased_section_takes_the_new_version(tmp_path: Path) -> None:
    around = "## {}\n\nBefore.\n\n{}\nBehind.\n\n## 0.1.0\n\n{}"
    file = log(tmp_path, HEAD + around.format("0.1.1", made(ENTRY), made(ENTRY)))
    leftovers = above(file, Version("0.1.0"))
    assert {str(each): str(place) for each, place in leftovers.items()} == {"0.1.1": f"{file}:5:1"}
    found = written(file, "0.2.0", OTHER, leftovers)
    assert found == HEAD + around.format("0.2.0", made(OTHER), made(ENTRY))


@pytest.mark.parametrize("own", ["0.3.0", "Unreleased", "0.1.3"])
def test_several_that_were_never_released_are_refused(tmp_path: Path, own: str) -> None:
    file = log(tmp_path, f"{HEAD}## {own}\n\nOwn.\n\n## [0.2.0]\n\nA.\n\n## 0.1.0\n")
    leftovers = {*above(file, Version("0.1.0"))} - {Version("0.3.0")}
    with pytest.raises(PipelineError, match=r":9:1: this section, as that of line 5, was never"):
        written(file, "0.3.0", OTHER, leftovers)


@pytest.mark.parametrize("entry", [ENTRY, OTHER, ""])
@pytest.mark.parametrize(
    ("first", "version"), [("Unreleased", "0.2.0"), ("0.2.0", "0.2.0"), ("0.1.3", "0.2.0")]
)
def test_the_newlines_of_the_file_stay(
    tmp_path: Path, first: str, version: str, entry: str
) -> None:
    text = f"{HEAD}## {first}\n\n- By hand.\n\n{made(ENTRY)}\n## 0.1.0\n\nB.\n"
    file = log(tmp_path, text)
    leftovers = {*above(file, Version("0.1.0"))} - {Version(version)}
    expected = written(file, version, entry, leftovers)
    file.write_bytes(text.replace("\n", "\r\n").encode())
    found = written(file, version, entry, leftovers)
    assert found == expected.replace("\n", "\r\n")
    file.write_bytes(found.encode())
    assert (block(file, version) or "") == entry
    assert above(file, Version("0.1.0")).keys() <= {Version(version)}


def test_code_is_no_heading_and_no_block(tmp_path: Path) -> None:
    """Nor is what somebody else said a section, or a number one of a version."""
    code = f"```markdown\n## 0.2.0\n{BEGIN}\n```\n\n> ## 0.2.0\n> {BEGIN}\n\n## 3 wishes\n"
    file = log(tmp_path, f"{HEAD}{code.replace('3', '4')}\n## 0.1.0\n\n{code}")
    put(file, "0.1.0", ENTRY)
    assert block(file, "0.1.0") == ENTRY
    assert block(file, "0.2.0") is None
    assert [*map(str, above(file, Version("0")))] == ["0.1.0"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# Changelog\n", r":1:1: there is no section"),
        (f"## 0.1.0\n\n{BEGIN}\n", r":3:1: a section has one block of changes"),
        (f"## 0.1.0\n{END}\n", r":2:1: a section has one block of changes"),
        (f"## 0.1.0\n{BEGIN}\n{END}\n\n{BEGIN}\n{END}\n", r":2:1: a section has one block"),
        (f"## 0.1.0\n{BEGIN}\n{BEGIN}\n{END}\n", r":2:1: a section has one block"),
        (f"## 0.1.0\n{BEGIN}\n## 0.0.9\n{END}\n", r":2:1: a section has one block of changes"),
        ("## 0.1.0\n\n## 0.1.0\n", r":1:1: there are 2 sections 0\.1\.0"),
    ],
)
def test_a_changelog_that_does_not_fit_is_refused(tmp_path: Path, text: str, message: str) -> None:
    file = log(tmp_path, text)
    with pytest.raises(PipelineError, match=message):
        written(file, "0.1.0", ENTRY)
    with pytest.raises(PipelineError, match=message):
        block(file, "0.1.0")
    assert file.read_text(encoding="utf-8") == text


def test_there_must_be_a_changelog(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"CHANGELOG\.md:1:1: cannot read the file"):
        written(tmp_path / "CHANGELOG.md", "0.1.0", ENTRY)
