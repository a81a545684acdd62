"""The configuration: everything wrong with it is named, with its line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from generate_support import configuration

from pipeline.config import load_config
from pipeline.openapi.problems import PipelineError

GOOD = configuration("shop", "shop").replace("document.yaml", "shop.yaml")
GOOD = GOOD.replace('"generated"', '"out"')


def load(folder: Path, text: str) -> str:
    (folder / "c.toml").write_text(text)
    try:
        load_config(folder / "c.toml")
    except PipelineError as error:
        return str(error).replace(f"{folder}/", "")
    return ""


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(GOOD)
    config = load_config(tmp_path / "c.toml")
    assert config.output == tmp_path / "out"
    assert config.sources[0].path == tmp_path / "shop.yaml"
    assert (config.gaps, config.sources[0].confirmed, config.copies) == (None, None, ())
    assert config.client.title == "Shop"  # that of the class where none is said
    assert config.license_file is None
    (tmp_path / "c.toml").write_text(GOOD.replace("output", 'copies = ["a"]\noutput', 1))
    assert load_config(tmp_path / "c.toml").copies == (tmp_path / "a",)


def test_the_version_may_be_that_of_the_project(tmp_path: Path) -> None:
    without = GOOD.replace('version = "1.0"\n', "")
    (tmp_path / "c.toml").write_text(f'[project]\nversion = "2.5"\n{without}')
    assert load_config(tmp_path / "c.toml").client.version == "2.5"
    (tmp_path / "c.toml").write_text(f'[project]\nversion = "2.5"\n{GOOD}')
    assert load_config(tmp_path / "c.toml").client.version == "1.0"  # the nearer word counts
    assert "project.version: is missing" in load(tmp_path, without)
    for value, reason in (
        ('"2 5"', "'2 5' is not a version"),
        ('"v2.5"', "'v2.5' is written '2.5'"),
        ("2.5", "2.5 is not a version"),
    ):
        said = load(tmp_path, f"[project]\nversion = {value}\n{without}")
        assert said == f"c.toml:2:1: project.version: {reason} [config]"


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ('output = "out"', "output = 3", "c.toml:2:1", "output: must be a path, is 3"),
        ('output = "out"', "", "c.toml:1:1", "tool.pipeline: lacks output"),
        ('output = "out"', 'output = "o\\u0000"', "c.toml:2:1", "output: must be a path"),
        (
            'output = "out"',
            'output = "out"\nouput = "x"',
            "c.toml:3:1",
            "ouput: is not a member here; did you mean output",
        ),
        ('output = "out"', 'output = "out"\ncopies = "x"', "c.toml:3:1", "copies: must be a list"),
        ('path = "shop.yaml"', "", "c.toml:4:1", "documents.shop: lacks path"),
        ('path = "shop.yaml"', 'path = "x"\noverlays = [1]', "c.toml:6:1", "overlays[0]: must be"),
        (
            'package = "shop"',
            'package = "my shop"',
            "c.toml:9:1",
            'Python name of at most 100 characters, is "my shop"',
        ),
        ('class_name = "Shop"', 'class_name = "class"', "c.toml:10:1", "must be a Python name"),
        ('version = "1.0"', 'version = "1\\"0"', "c.toml:11:1", "is not a version"),
        ('environment = "SHOP"', 'environment = "A-B"', "c.toml:14:1", "the prefix of a variable"),
        ("documents.shop]", 'documents."a b"]', "c.toml:", "a name of letters"),
    ],
)
def test_a_wrong_member(tmp_path: Path, old: str, new: str, place: str, message: str) -> None:
    said = load(tmp_path, GOOD.replace(old, new))
    assert said.startswith(place) and message in said
    assert len(said.splitlines()) == 1


def test_what_ends_no_line_of_toml_counts_as_none(tmp_path: Path) -> None:
    text = GOOD.replace('class_name = "Shop"', 'class_name = "class"')
    said = load(tmp_path, f"# One\u2028line\x85only.\n{text}")
    assert said.startswith("c.toml:11:1") and "must be a Python name" in said


@pytest.mark.parametrize(
    ("member", "most"),
    [
        *((each, 100) for each in ("distribution", "package", "class_name", "environment")),
        *((each, 300) for each in ("summary", "license", "title", "errors")),
        ("sandbox", 100),
    ],
)
def test_how_long_a_name_or_a_line_may_be(tmp_path: Path, member: str, most: int) -> None:
    text = re.sub(rf"\n{member} = .*", "", GOOD)
    assert load(tmp_path, f'{text}{member} = "{"x" * most}"\n') == ""
    assert f"at most {most} characters" in load(tmp_path, f'{text}{member} = "{"x" * (most + 1)}"')


def test_everything_is_said_at_once(tmp_path: Path) -> None:
    said = load(tmp_path, "[tool.pipeline]\noutput = 1\nmore = 2\n")
    assert sorted(line.split(": ", 1)[1] for line in said.splitlines()) == [
        "tool.pipeline.more: is not a member here [config]",
        "tool.pipeline.output: must be a path, is 1 [config]",
        "tool.pipeline: lacks client [config]",
        "tool.pipeline: lacks documents [config]",
    ]


SOURCES = "must be a separate folder without source files"
APART = "must not overlap another output folder"


@pytest.mark.parametrize(
    ("copies", "message"),
    [
        ('["a", "b/c"]', ""),
        ('["."]', f"'.' {SOURCES}"),
        ('["sub/.."]', f"'.' {SOURCES}"),
        ('["known"]', f"'known' {SOURCES}"),
        *(
            (f'["{name}"]', f"'{name}' {SOURCES}")
            for name in ("holes", "lay", "kept", "words", "law")
        ),
        ('["out"]', f"'out' {APART}"),
        ('["out/docs"]', f"'out/docs' {APART}"),
        ('["b", "a", "./a"]', f"'a' {APART}"),
        ('["a/b", "a"]', f"'a' {APART}"),
    ],
)
def test_copies_lie_apart(tmp_path: Path, copies: str, message: str) -> None:
    inputs = 'confirmed = "known/shop"\noverlays = ["lay/o.yaml"]\nnames = "kept/n.yaml"'
    text = GOOD.replace('path = "shop.yaml"', f'path = "shop.yaml"\n{inputs}')
    inputs = 'gaps = "holes/g.yaml"\nassume = "words/a.yaml"\nlicense_file = "law/MIT"'
    text = text.replace('output = "out"', f'output = "out"\ncopies = {copies}\n{inputs}')
    said = load(tmp_path, text)
    assert said == (message and f"c.toml:3:1: tool.pipeline.copies: {message} [config]")


def test_bad_toml_has_its_line(tmp_path: Path) -> None:
    assert load(tmp_path, "[tool.pipeline]\noutput = = 1\n").startswith("c.toml:2:10: ")


def test_two_documents_need_two_addresses(tmp_path: Path) -> None:
    more = '\n[tool.pipeline.documents.depot]\npath = "depot.yaml"\n'
    assert "its own `address`" in load(tmp_path, GOOD + more)
    assert load(tmp_path, GOOD + more + 'address = "depot_url"\n') == ""


def test_overlays_of_a_folder_come_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "overlays"
    folder.mkdir()
    for name in ("b.yaml", "d.yaml", "a.json", "c.yml", "e.txt", "f.md", ".g.yaml"):
        (folder / name).write_text("")
    line = 'path = "shop.yaml"'
    (tmp_path / "c.toml").write_text(
        GOOD.replace(line, f'{line}\noverlays = ["z.yaml", "overlays"]')
    )
    files = load_config(tmp_path / "c.toml").sources[0].overlay_files()
    assert [file.name for file in files] == ["z.yaml", "a.json", "b.yaml", "c.yml", "d.yaml"]


OVERLAY = "overlay: 1.1.0\ninfo: {title: A, version: '1'}\nactions: []\n"


@pytest.mark.parametrize(
    "stray",
    [
        *("own/confirmed/a.yaml", "own/confirmed/shop.yml", "own/confirmed/shpo/a.json"),
        *("own/b.yaml", "own/client/c.yaml", "own/deeper/still/d.yml"),
    ],
)
def test_an_overlay_that_nothing_reads_is_named(tmp_path: Path, stray: str) -> None:
    """It would change nothing, and the register would not say so."""
    line = 'path = "shop.yaml"'
    config = f'{line}\noverlays = ["own/shop", "own/client/shop.yaml"]\n'
    config = GOOD.replace(line, f'{config}confirmed = "own/confirmed/shop"')
    read = ("own/shop/a.yaml", "own/client/shop.yaml", "own/confirmed/shop/known.yaml")
    for name in read:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(OVERLAY)
    (tmp_path / "own" / "assume.schema.yaml").write_text("type: object\n")  # no overlay
    (tmp_path / "own" / "README.md").write_text(OVERLAY)
    assert load(tmp_path, config) == ""
    (tmp_path / stray).parent.mkdir(parents=True, exist_ok=True)
    content = '{"overlay": "1.1.0", "actions": []}' if stray.endswith(".json") else OVERLAY
    content = content if stray.endswith(".json") else f"# {'What it is for. ' * 20}\n{content}"
    (tmp_path / stray).write_text(content)
    said = load(tmp_path, config)
    assert said.startswith(f"{stray}:1:1: no document reads this overlay: move it to ")
    assert "own/confirmed/shop, or name it in `overlays` of a document [config]" in said


def test_other_overlays_may_lie_in_the_project_and_around_a_folder_of_overlays(
    tmp_path: Path,
) -> None:
    line = 'path = "shop.yaml"'
    config = GOOD.replace(line, f'{line}\noverlays = ["a.yaml", "deep/own/b.yaml"]')
    (tmp_path / "project/deep/own").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "project")
    for name in ("a.yaml", "other.yaml", "deep/own/b.yaml", "deep/other.yaml"):
        (tmp_path / "project" / name).write_text(OVERLAY)
    for folder in ("project", "link"):
        assert load(tmp_path / folder, config) == ""


URLS = "\n[tool.pipeline.client.urls]\n"


@pytest.mark.parametrize(
    ("member", "message"),
    [
        ('Documentation = "https://docs.invalid/shop"', ""),
        ('"Source code" = "http://code.invalid/a?b=c"', ""),
        (
            'Documentation = "docs/shop"',
            "must be an address that begins with https:// or http://; in braces, it has {version} "
            'alone, is "docs/shop"',
        ),
        ('Documentation = "https://docs.invalid/{version}/"', ""),
        ('Documentation = "https://{version}.docs.invalid"', "must be an address"),
        ('Documentation = "https://docs.invalid/{release}"', "must be an address"),
        ('Documentation = "https://docs.invalid/{version"', "must be an address"),
        ('Documentation = "https://docs.invalid/a b"', "must be an address"),
        ('Documentation = "https://"', "must be an address"),
        ("Documentation = 3", "must be an address"),
        (f'{"x" * 32} = "https://docs.invalid"', ""),
        (f'{"x" * 33} = "https://docs.invalid"', "a name of 1 to 32 characters"),
        ('" " = "https://docs.invalid"', "a name of 1 to 32 characters"),
        ('"a/b" = 3', "must be an address"),
        ('"a.b" = 3', "must be an address"),
    ],
)
def test_addresses_of_the_client(tmp_path: Path, member: str, message: str) -> None:
    said = load(tmp_path, f"{GOOD}{URLS}{member}\n")
    assert message in said and bool(said) == bool(message)
    assert len(said.splitlines()) == bool(message)
    if message and not member.startswith('" "'):
        assert said.startswith("c.toml:17:1: tool.pipeline.client.urls.")


def test_addresses_are_a_table_and_a_sandbox_is_a_distribution(tmp_path: Path) -> None:
    assert 'client.urls: must be a table, is "x"' in load(tmp_path, f'{GOOD}urls = "x"\n')
    said = load(tmp_path, f'{GOOD}sandbox = "shop sandbox"\n')
    assert said.startswith("c.toml:15:1: ") and 'is "shop sandbox"' in said
    assert load(tmp_path, f'{GOOD}sandbox = "shop-sandbox"\n') == ""


@pytest.mark.parametrize(
    ("urls", "reference"),
    [
        ({}, ""),
        ({"Source": "https://code.invalid"}, ""),
        ({"Documentation": "https://docs.invalid/"}, "https://docs.invalid/api.md"),
        (
            {"Documentation": "https://docs.invalid", "Reference": "https://docs.invalid/r.html"},
            "https://docs.invalid/r.html",
        ),
    ],
)
def test_where_the_methods_are_shown(tmp_path: Path, urls: dict[str, str], reference: str) -> None:
    (tmp_path / "c.toml").write_text(GOOD)
    client = load_config(tmp_path / "c.toml").client
    assert replace(client, urls=urls).reference == reference


def test_addresses_name_the_version_of_the_release(tmp_path: Path) -> None:
    """What a message of 1.0 leads to is what 1.0 is, also when there is a 2.0."""
    urls = 'Documentation = "https://docs.invalid/{version}/"\nSource = "https://code.invalid"\n'
    errors = 'errors = "docs/errors.md"\n'
    (tmp_path / "c.toml").write_text(f"{GOOD}{errors}{URLS}{urls}")
    client = load_config(tmp_path / "c.toml").client
    assert client.urls == {
        "Documentation": "https://docs.invalid/1.0/",
        "Source": "https://code.invalid",
    }
    assert client.explains == "https://docs.invalid/1.0/errors.html#"
    assert client.reference == "https://docs.invalid/1.0/api.md"
    errors = 'errors = "https://docs.invalid/v{version}/e.html"\n'
    (tmp_path / "c.toml").write_text(f"{GOOD}{errors}")
    assert load_config(tmp_path / "c.toml").client.explains == "https://docs.invalid/v1.0/e.html#"


@pytest.mark.parametrize(
    "deep",
    ["odd = " + "[" * n + "]" * n for n in (300, 30_000)]
    + ["odd = " + "{a = " * 300 + "1" + "}" * 300, ".".join("a" * 300) + " = 1"],
    ids=["lists", "many lists", "tables", "dotted"],
)
def test_what_is_nested_too_deep_is_named_with_its_line(tmp_path: Path, deep: str) -> None:
    text = GOOD.replace('output = "out"', f'output = "out"\n{deep}', 1)
    assert load(tmp_path, text) == "c.toml:3:1: nested more than 250 levels deep [config]"
