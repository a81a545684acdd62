"""A whole run: the same bytes anywhere, nothing written when a step fails, no word of one API."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from generate_support import CASES, operation, operations, project, write_package
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pipeline.codegen.render
import pipeline.steps
from pipeline.lint import lint
from pipeline.openapi.problems import PipelineError
from pipeline.steps import generate

ROOT = Path(__file__).parents[2]
CLIENT = """
[tool.pipeline]
output = "generated"

[tool.pipeline.documents.document]
path = "document.yaml"

[tool.pipeline.client]
distribution = "sample"
package = "sample"
class_name = "Sample"
version = "1.0"
summary = "A client."
license = "MIT"
environment = "SAMPLE"
"""


def run(folder: Path, *arguments: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pipeline", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "TZ": f"UTC+{seed}"},
    )


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_same_bytes_in_any_folder(tmp_path: Path) -> None:
    found = []
    for seed in ("1", "2"):
        folder = tmp_path / f"in {seed}"
        folder.mkdir()
        (folder / "pyproject.toml").write_text(CLIENT)
        shutil.copy(CASES / "names/document.yaml", folder)
        done = run(folder, "generate", seed=seed)
        assert done.returncode == 0, done.stderr
        found.append(tree(folder / "generated"))
    assert found[0] == found[1]
    assert str(tmp_path).encode() not in b"".join(found[0].values())


def test_check_and_generate(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(CLIENT)
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    first = run(tmp_path, "check")
    assert first.returncode == 1 and "missing generated/client/README.md" in first.stderr
    assert not (tmp_path / "generated").exists()
    written = run(tmp_path, "generate").stdout  # of a first run, a line says it all
    assert re.fullmatch(r"generated: (\d+) files, \1 changed; --verbose lists them\.\n", written)
    assert run(tmp_path, "check").returncode == 0
    file = tmp_path / "document.yaml"
    file.write_text(file.read_text().replace("On the hull.", "On the bow."))
    second = run(tmp_path, "check")
    assert second.returncode == 1
    assert '-    """On the hull."""' in second.stderr
    assert '+    """On the bow."""' in second.stderr
    assert "run `python -m pipeline generate`" in second.stderr
    said = run(tmp_path, "generate").stdout.splitlines()
    assert len(said) == 7 and said[-1].endswith("6 changed.")


def test_copies_of_the_documents(tmp_path: Path) -> None:
    config = tmp_path / "pyproject.toml"
    config.write_text(
        CLIENT.replace("[tool.pipeline]", '[tool.pipeline]\ncopies = ["a/b", "c"]', 1)
    )
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    assert run(tmp_path, "generate").stdout.splitlines()[-5:] == [
        "added c/objects.py",
        "added c/document.json",
        "added c/VERSION",
        "added c/MANIFEST.json",
        "c: 4 files, 4 changed.",
    ]
    document = (tmp_path / "generated/openapi/document.json").read_bytes()
    for folder in ("a/b", "c"):
        found = tree(tmp_path / folder)
        assert found.pop("document.json") == document
        assert found.pop("VERSION") == b"1.0\n"
        assert b"class Ship(Object):" in found.pop("objects.py")
        made = json.loads(found.pop("MANIFEST.json"))
        assert made == {"outputs": ["VERSION", "document.json", "objects.py"]}
        assert not found
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["b"]  # nothing beside it
    current = run(tmp_path, "check")
    assert (current.returncode, current.stderr) == (0, "")
    assert current.stdout.splitlines()[1:] == [
        "a/b: 4 files, all current.",
        "c: 4 files, all current.",
    ]

    (tmp_path / "c/document.json").write_bytes(document.replace(b"A ship.", b"A boat."))
    stale = run(tmp_path, "check")
    assert stale.returncode == 1 and "all current" in stale.stdout
    said = stale.stderr.splitlines()
    assert said[0] == "differs c/document.json"
    assert said[-1] == "c is not current: run `python -m pipeline generate`."
    assert not any("a/b" in line or "generated is" in line for line in said)

    config.write_text(config.read_text().replace("documents.document]", "documents.ships]"))
    (tmp_path / "c/diary.txt").write_text("mine")
    said = run(tmp_path, "generate").stdout.splitlines()
    assert said[-5:-1] == [
        "added c/ships.json",
        "changed c/MANIFEST.json",
        "removed c/document.json",
        "left alone c/diary.txt: no run made it",
    ]
    held = ["MANIFEST.json", "VERSION", "diary.txt", "objects.py", "ships.json"]
    assert sorted(tree(tmp_path / "c")) == held


def test_every_file_that_was_read_is_in_the_manifest(tmp_path: Path) -> None:
    """Whatever their names and folders are; and no file that lies beside them."""
    (tmp_path / "pyproject.toml").write_text(CLIENT)
    ship = {"type": "object", "description": "A ship.", "properties": {}}
    answer = {"$ref": "parts/ships.json#/definitions/Ship"}
    data = operations({"/ships": {"get": operation(answer=answer)}})
    (tmp_path / "document.yaml").write_text(json.dumps(data))
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/ships.json").write_text('{"definitions": {"Ship": {"$ref": "hull"}}}')
    (tmp_path / "parts/hull").write_text(json.dumps(ship))
    (tmp_path / "another.yaml").write_text("openapi: 3.1.0")
    assert run(tmp_path, "generate").returncode == 0
    inputs = json.loads((tmp_path / "generated/MANIFEST.json").read_text())["inputs"]
    own = [name for name in inputs if not name.startswith(("pipeline/", "templates/"))]
    assert own == ["document.yaml", "parts/hull", "parts/ships.json"]
    for name in own:  # a change that changes nothing else is noticed, too
        file = tmp_path / name
        file.write_text(file.read_text() + "\n")
        stale = run(tmp_path, "check")
        assert stale.returncode == 1
        assert stale.stderr.startswith("differs generated/MANIFEST.json\n"), stale.stderr
        assert run(tmp_path, "generate").stdout.splitlines()[0] == "changed generated/MANIFEST.json"


def test_the_licence_goes_into_the_package(tmp_path: Path) -> None:
    config = CLIENT.replace("[tool.pipeline]", '[tool.pipeline]\nlicense_file = "COPYING"', 1)
    (tmp_path / "pyproject.toml").write_text(config)
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    missing = run(tmp_path, "generate")
    assert missing.returncode == 1
    assert "COPYING:1:1: cannot read the file: No such file or directory" in missing.stderr
    (tmp_path / "COPYING").write_text("Do what you like.\n")
    assert run(tmp_path, "generate").returncode == 0
    assert (tmp_path / "generated/client/LICENSE").read_text() == "Do what you like.\n"
    assert "COPYING" in (tmp_path / "generated/MANIFEST.json").read_text()


def test_nothing_is_written_when_a_copy_is_refused(tmp_path: Path) -> None:
    config = CLIENT.replace("[tool.pipeline]", '[tool.pipeline]\ncopies = ["package/docs"]', 1)
    (tmp_path / "pyproject.toml").write_text(config)
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    (tmp_path / "package/docs").mkdir(parents=True)
    (tmp_path / "package/docs/code.py").write_text("mine")
    done = run(tmp_path, "generate")
    assert done.returncode == 1 and "changed" not in done.stdout
    assert done.stderr.splitlines()[-2].startswith("package/docs: is not empty, and holds no")
    assert not (tmp_path / "generated").exists()
    assert sorted(tree(tmp_path / "package")) == ["docs/code.py"]


def test_nothing_is_written_when_a_template_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pipeline.cli import main

    (tmp_path / "pyproject.toml").write_text(CLIENT)
    shutil.copy(CASES / "path_items/document.yaml", tmp_path)
    config = ["--config", str(tmp_path / "pyproject.toml")]
    assert main(["generate", *config]) == 0
    before = tree(tmp_path)
    templates = tmp_path.parent / f"{tmp_path.name}-templates"
    shutil.copytree(pipeline.steps.TEMPLATES, templates)
    (templates / "client/resources_init.py.jinja").write_text("{{ package.nothing }}")
    monkeypatch.setattr(pipeline.steps, "TEMPLATES", templates)
    (tmp_path / "document.yaml").write_text(
        (tmp_path / "document.yaml").read_text().replace("A ship.", "A boat.")
    )
    assert main(["generate", *config]) == 1
    assert "nothing was written" in capsys.readouterr().err
    after = tree(tmp_path)
    assert {k: v for k, v in after.items() if k != "document.yaml"} == {
        k: v for k, v in before.items() if k != "document.yaml"
    }


def test_errors_of_all_documents_come_together(tmp_path: Path) -> None:
    good = operations({"/a": {"get": operation()}})
    bad = json.loads(json.dumps(good))
    bad["paths"]["/a"]["get"]["responses"] = {"200": {"$ref": "#/components/responses/Nowhere"}}
    config = project(tmp_path, bad, depot=bad)
    with pytest.raises(PipelineError) as caught:
        generate(config)
    files = {finding.position.file for finding in caught.value.findings if finding.position}
    assert {Path(file).name for file in files} == {"document.yaml", "depot.yaml"}


# Anything that may stand in a document

NAMES = ["id", "date", "list", "self", "to_dict", "field", "class", "None", "2x", "a-b", "a_b",
         "+1", "né", "日", "UNSET", "MISSING", "type", "str", "x y", "it's", "dt", "UUID", "body",
         "prepare", "client", "Mapping", "__init__"]  # fmt: skip
TEXTS = ["plain", 'a "quote"', '"""; import os; """', "back\\slash", "{{ x }} {% y %}",
         "two\nlines",
         'ends with "', "ends \\", "é 日 \u2028", "`|`", "#"]  # fmt: skip


def _schema(r: random.Random, depth: int, components: list[str]) -> Any:
    def inner() -> Any:
        return _schema(r, depth - 1, components)

    def properties() -> dict[str, Any]:
        found = {name: inner() for name in r.sample(NAMES, r.randint(0, 4))}
        return {"type": "object", "properties": found, "required": list(found)[::2]}

    makers: list[Any] = [
        lambda: {"type": r.choice(["string", "integer", "number", "boolean", "null"])},
        lambda: {"$ref": f"#/components/schemas/{r.choice(components)}"},
        lambda: {"type": "string", "enum": r.sample(["a", "b", "A", "a-b", "", "mro"], 2)},
        lambda: {"type": ["string", "null"], "enum": ["x", None]},
        lambda: {"type": "integer", "enum": r.sample([0, 1, 2, 2**63], 2)},
        lambda: {"type": "string", "format": r.choice(["date", "date-time", "uuid", "binary"])},
        lambda: {"type": "integer", "minimum": 0.5, "maximum": 10 ** r.randint(1, 30)},
        lambda: {"type": "string", "pattern": r.choice(["\\p{L}", "\\d\n", 'a"b\\d', "[", "'"])},
        lambda: {"const": r.choice(["a", 1, True, 1.5, None, 'q"', "\n"])},
        lambda: r.choice([True, {}]),
    ]
    if depth > 0:
        makers += [
            properties,
            properties,
            lambda: {"type": "array", "items": inner()},
            lambda: {"type": "object", "additionalProperties": inner()},
            lambda: {r.choice(["anyOf", "oneOf"]): [inner() for _ in range(r.randint(1, 3))]},
            lambda: {"allOf": [inner() for _ in range(r.randint(1, 3))]},
            lambda: {"allOf": [inner()], **properties()},
            lambda: {"type": r.sample(["string", "integer", "null", "array", "object"], 2)},
        ]
    schema = r.choice(makers)()
    if isinstance(schema, dict) and r.random() < 0.2:
        word = r.choice(["readOnly", "writeOnly", "nullable", "deprecated"])
        schema = {**schema, "description": r.choice(TEXTS), word: True}
    return schema


def _document(seed: int) -> dict[str, Any]:
    r = random.Random(seed)
    components = ["A", "b_c", "Self", "Any", "UUIDs", "ClassResource"][: r.randint(1, 6)]
    media = ["application/json", "application/json", "multipart/form-data", "text/plain",
             "application/x-www-form-urlencoded", "application/octet-stream"]  # fmt: skip
    paths: dict[str, Any] = {}
    for number in range(r.randint(1, 3)):
        places = {(r.choice(NAMES), r.choice(["query", "header"])) for _ in range(r.randint(0, 3))}
        one = operation(f"op{number}", tags=[r.choice(["class", "a b", "2", "send"])])
        one["summary"] = one["description"] = r.choice(TEXTS)
        one["parameters"] = [
            {"name": name, "in": place, "schema": _schema(r, 1, components),
             "required": r.random() < 0.5, "description": r.choice(TEXTS)}
            for name, place in sorted(places)
        ]  # fmt: skip
        one["responses"]["200"]["content"] = {
            r.choice(media): {"schema": _schema(r, 2, components)}
        }
        if r.random() < 0.7:
            body = {"schema": _schema(r, 2, components)}
            one["requestBody"] = {"content": {r.choice(media[:3] + media[4:]): body}}
        paths[f"/p{number}"] = {r.choice(["get", "post", "put"]): one}
    data = operations(paths, **{name: _schema(r, 3, components) for name in components})
    data["info"]["title"] = r.choice(TEXTS)
    return data


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
def test_any_document_is_generated_or_refused(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What comes out is Python whose models msgspec takes; without the lint, which refuses most."""
    folder = tmp_path_factory.mktemp("any")
    package = f"any_{seed}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline.steps, "lint", lambda document: [])
        patch.setattr(pipeline.codegen.render, "format_python", lambda files: files)
        config = project(folder, _document(seed))
        try:
            files, _ = generate(config)
        except PipelineError as error:
            rules = {finding.rule for finding in error.findings}
            assert rules <= {"carry", "names"}, error
            return
    for path, text in files.items():
        if path.endswith(".py") and "_runtime" not in path:
            compile(text, path, "exec")
    write_package({k.replace("/sample/", f"/{package}/"): v for k, v in files.items()}, folder)
    _import_all(folder, package)


def _import_all(folder: Path, package: str) -> None:
    import importlib
    import pkgutil

    import msgspec
    from generate_support import structs

    sys.path.insert(0, str(folder))
    try:
        for struct in structs(importlib.import_module(f"{package}.models")):
            msgspec.json.Decoder(struct)
            msgspec.inspect.type_info(struct)
        resources = importlib.import_module(f"{package}.resources")
        for module in pkgutil.iter_modules(resources.__path__):
            importlib.import_module(f"{package}.resources.{module.name}")
        importlib.import_module(f"{package}.client")
    finally:
        sys.path.remove(str(folder))
        for module_name in [m for m in sys.modules if m.partition(".")[0] == package]:
            del sys.modules[module_name]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6))
def test_any_document_is_linted(seed: int) -> None:
    from pipeline.openapi.documents import Document

    assert all(str(finding) for finding in lint(Document("d", _document(seed), {})))


# Not made for one API

TELLTALE = re.compile(
    r"social|instagram|facebook|tiktok|linkedin|youtube|pinterest|hashtag|caption|followers?\b"
    r"|\bposts\b|\bpost(s?_id|\.)|calendar_?note|\blabels?[._]|publish(?!ed|es)|workspace"
    r"|\bdrafts?\b(?!/)|accounts\b|timeline|engagement|media\.(upload|status)"
    r"|\bgroups?\.(get|replace)",
    re.IGNORECASE,
)


@pytest.mark.parametrize("folder", ["pipeline", "templates"])
def test_no_word_of_one_api(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".jinja")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if TELLTALE.search(line)
    ]
    assert not found, "\n".join(found)
