"""Templates show texts of their views, and nothing else; what they make is laid out by ruff."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import jinja2
import pytest
from generate_support import documented, project, view_of
from ruff import find_ruff_bin

from pipeline.codegen import TEMPLATES
from pipeline.codegen.prose import docstring, inside
from pipeline.codegen.render import _environment, format_python, render
from pipeline.codegen.runtime_index import OF_OAUTH, OF_SERVERS, OF_STREAMS, OF_WEBHOOKS
from pipeline.codegen.views import PackageView
from pipeline.openapi.problems import PipelineError


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> PackageView:
    folder = tmp_path_factory.mktemp("project")
    return view_of(project(folder, documented(a={"type": "string"})))


@pytest.fixture
def spoilt(tmp_path: Path, package: PackageView) -> Callable[[str], str]:
    """Render with a line of this text at the end of a template; return what is said."""

    def run(text: str) -> str:
        templates = tmp_path / "templates"
        shutil.copytree(TEMPLATES, templates)
        page = templates / "client/models.py.jinja"
        page.write_text(page.read_text() + text)
        with pytest.raises(PipelineError) as caught:
            render(package, templates)
        return str(caught.value)

    return run


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ module.nothing }}", "has no attribute 'nothing'"),
        ("{{ nothing }}", "'nothing' is undefined"),
        ("{{ module }}", "a template shows a ModuleView, not a text"),
        ("{{ module.classes }}", "a template shows a tuple, not a text"),
        ("{{ none }}", "a template shows a NoneType, not a text"),
        ("{{ module | string }}x object at 0x7", "shows a Python object"),
        ("{% if %}", "Expected an expression"),
        ("{% include 'other' %}", "other"),
    ],
)
def test_a_wrong_template_is_named(spoilt: Callable[[str], str], text: str, message: str) -> None:
    said = spoilt(text)
    assert "templates/client/models.py.jinja" in said and message in said


def test_each_template_names_its_view() -> None:
    found = [*(TEMPLATES / "client").glob("*.jinja")]
    assert found
    for file in found:
        assert file.read_text().startswith("{#- view: "), file.name


def test_the_runtime_is_copied_as_it_is(package: PackageView) -> None:
    begin = "src/sample/_runtime/"
    files = {n.removeprefix(begin): t for n, t in render(package, TEMPLATES).items() if begin in n}
    assert len(files) > 50
    for name, text in files.items():
        unused = (".streams import", ".events import", ".items import", ".oauth import")
        lines = (TEMPLATES / "runtime" / name).read_text().splitlines()
        kept = [line for line in lines if not any(each in line for each in unused)]
        assert text.splitlines() == kept, name
    all_of_it = (TEMPLATES / "runtime").rglob("*.py")
    left_out = {each.relative_to(TEMPLATES / "runtime").as_posix() for each in all_of_it} - set(
        files
    )
    names = {each.removesuffix(".py").replace("/", ".") for each in left_out}
    assert names == {*OF_STREAMS, *OF_WEBHOOKS, *OF_SERVERS, *OF_OAUTH}


def test_python_is_laid_out_and_other_files_are_not() -> None:
    kept = {"README.md": "import  b\n", "src/p/_runtime/a.py": "x = 'y'\n"}
    laid_out = {"src/p/a.py": 'import a\nimport b\n\nx = "y"\n'}
    assert format_python({"src/p/a.py": "import  b\nimport a\nx = 'y'\n", **kept}, "p") == {
        **laid_out,
        **kept,
    }


def test_the_runtime_needs_no_laying_out(package: PackageView, tmp_path: Path) -> None:
    """Also where a client goes without parts of it, whose imports are taken away."""
    for path, text in render(package, TEMPLATES).items():
        if "/_runtime/" in path:
            (file := tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    assert len([*tmp_path.rglob("*.py")]) > 50
    for command in (["check", "--select", "I"], ["format", "--check"]):
        options = ["--isolated", "--no-cache", "--line-length", "100"]
        done = subprocess.run(
            [find_ruff_bin(), *command, *options, "."], cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_no_python_is_an_error() -> None:
    with pytest.raises(PipelineError, match="ruff cannot lay out the package"):
        format_python({"src/p/a.py": "def :\n"}, "p")


def test_without_ruff(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("pipeline.codegen.render.find_ruff_bin", lambda: str(tmp_path / "ruff"))
    with pytest.raises(PipelineError, match="cannot run ruff"):
        format_python({"src/p/a.py": "a = 1\n"}, "p")


@pytest.mark.parametrize("text", ['"', '""', '"""', '""""', "\\", 'a\\"', '\\"""', "a\\\\", '"a'])
def test_any_text_in_a_docstring_reads_as_itself(text: str) -> None:
    assert eval(docstring([[text]], 0)) == text
    assert eval(f'"""a {inside(text)} b"""') == f"a {text} b"


def test_templates_are_compiled_once_and_follow_their_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "client/some.jinja"
    file.parent.mkdir()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)

    def shown() -> str:
        _environment.cache_clear()
        return _environment(tmp_path).get_template("client/some.jinja").render()

    file.write_text("one", encoding="utf-8")
    assert shown() == "one"
    with monkeypatch.context() as patch:
        patch.delattr(jinja2.Environment, "compile")
        assert shown() == "one"
    file.write_text("two", encoding="utf-8")
    assert shown() == "two"
    _environment.cache_clear()
