"""Small projects for the tests of the generator: a folder, its configuration, what comes of it."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode
from py_compile import compile as compile_module
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import httpx2
import msgspec
import pytest
from msgspec import inspect

from pipeline.carrying import first_reading
from pipeline.cli import main
from pipeline.codegen.ir import Api
from pipeline.codegen.reader import read
from pipeline.codegen.views import PackageView, build
from pipeline.config import ClientConfig, Config, Source, load_config
from pipeline.openapi.documents import Document
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.steps import effective, generate

CASES = Path(__file__).parent / "generate"
ROOT = Path(__file__).parents[2]
NAMES = sorted(path.name for path in CASES.iterdir() if path.is_dir())


def copy_project(folder: Path) -> None:
    """Copy what this project's client is generated from, but for the templates."""
    for name in ("spec", "overlays"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder)


def confirming(folder: Path, **overlays: str) -> Config:
    """The project's configuration, in which overlays confirm something of documents, by name."""
    config = load_config(ROOT / "pyproject.toml")
    for source in config.sources:
        (folder / source.name).mkdir()
    for name, text in overlays.items():
        (folder / name / "support.yaml").write_text(text, encoding="utf-8")
    sources = tuple(replace(each, confirmed=folder / each.name) for each in config.sources)
    return replace(config, sources=sources, prose=())


def config_of(folder: Path, package: str = "sample") -> Config:
    """The configuration of a folder: every document in it that is not a part of another one."""
    files = [path for path in sorted(folder.glob("*.yaml")) if path.stem != "common"]
    return Config(
        file=folder / "pyproject.toml",
        sources=tuple(
            Source(
                path,
                address="base_url" if index == 0 else f"{path.stem}_url",
                name=path.stem,
            )
            for index, path in enumerate(sorted(files, key=lambda path: path.stem != "document"))
        ),
        documents={},
        output=folder / "generated",
        client=ClientConfig(
            distribution=package.replace("_", "-"),
            package=package,
            class_name="".join(word.capitalize() for word in package.split("_")),
            version="1.0",
            summary=f"Client of the case {package}.",
            license="MIT",
            environment=package.upper(),
            title=package,
        ),
        commands=folder / "catalogue",
        copies=(folder / "copied",),
        on_uncarried="skip" if folder.name.startswith("strange") else "refuse",
    )


def parsed(document: Document, name: str) -> tuple[Api, list[Finding]]:
    """What is read of a document, and what is noted."""
    return read(document, name, first_reading(document)[0])[:2]


def configuration(
    name: str, document: str = "document", pipeline: str = "", source: str = ""
) -> str:
    """The text of a configuration: of one document, with more lines for its first two tables."""
    return f"""\
[tool.pipeline]
output = "generated"
{pipeline}
[tool.pipeline.documents.{document}]
path = "document.yaml"
{source}
[tool.pipeline.client]
distribution = "{name}"
package = "{name}"
class_name = "{name.capitalize()}"
version = "1.0"
summary = "A client."
license = "MIT"
environment = "{name.upper()}"
"""


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command; return its status and what it prints, which is no traceback."""
    status = main([str(each) for each in arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in err and " object at 0x" not in err
    return status, out, err


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path there."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def project(folder: Path, document: object, *, package: str = "sample", **more: object) -> Config:
    """A folder with a document, and other documents by their names."""
    for name, data in {"document": document, **more}.items():
        text = data if isinstance(data, str) else json.dumps(data, indent=1, ensure_ascii=False)
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return config_of(folder, package)


def view_of(config: Config) -> PackageView:
    """The view of the package, as the templates see it."""
    made = effective(config)
    apis = [parsed(document, name)[0] for name, document in made.documents.items()]
    return build(config, apis, made.documents)


def refused(config: Config) -> str:
    """What is said of a project that cannot be generated; empty when it can."""
    try:
        generate(config)
    except PipelineError as error:
        return str(error)
    return ""


@contextmanager
def objects_module(text: str) -> Iterator[Any]:
    """The module with the classes of JSON objects, imported beside the class that they inherit."""
    module = ModuleType("social_publishing_sandbox.made.objects")
    module.__package__ = "social_publishing_sandbox.made"
    sys.modules[module.__name__] = module  # where the names of types are looked up
    try:
        exec(compile(text, "objects.py", "exec"), vars(module))
        yield module
    finally:
        del sys.modules[module.__name__]


def python_of(files: dict[str, str], part: str) -> str:
    """One file of the package."""
    return files[f"client/src/sample/{part}"]


def write_package(files: dict[str, str], target: Path) -> None:
    """Write what a program imports."""
    for path, text in files.items():
        if path.startswith("client/src/"):
            file = target / path.removeprefix("client/src/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            if "/_runtime/" in path:
                kept = Path(cache_from_source(str(file)))
                kept.parent.mkdir(exist_ok=True)
                kept.write_bytes(_compiled(text))


@contextmanager
def sample(config: Config) -> Iterator[Any]:
    """Let the package `sample` be imported that comes of a configuration."""
    files, _ = generate(config)
    folder = config.file.parent / "package"
    write_package(files, folder)
    with on_path(folder, "sample"):
        yield import_module("sample")


@cache
def _compiled(text: str) -> bytes:
    """Return what Python keeps of a module; each package has the same runtime.

    It has a hash of the text: of a file that is changed later, Python compiles the change.
    """
    with TemporaryDirectory() as folder:
        source, kept = Path(folder, "module.py"), Path(folder, "module.pyc")
        source.write_text(text, encoding="utf-8")
        mode = PycInvalidationMode.CHECKED_HASH
        compile_module(str(source), str(kept), doraise=True, invalidation_mode=mode)
        return kept.read_bytes()


@contextmanager
def on_path(folder: Path, *packages: str) -> Iterator[None]:
    """Let packages be imported from a folder; afterwards they are forgotten."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for module in [each for each in sys.modules if each.partition(".")[0] in packages]:
            del sys.modules[module]


def call(
    package: Any, response: httpx2.Response | str, name: str, options: Any = (), **given: Any
) -> tuple[Any, httpx2.Request]:
    """Return what a method of `things` of the package `sample` makes of a response; its request."""
    sent: list[httpx2.Request] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(200, text=response) if isinstance(response, str) else response

    sender = httpx2.Client(transport=httpx2.MockTransport(respond))
    own = {"base_url": "https://a.invalid/v1", "http_client": sender, **dict(options)}
    with package.Sample(**own) as client:
        return getattr(client.things, name)(**given), sent[0]


def documented(**schemas: object) -> dict[str, Any]:
    """A document of one operation whose answer has a property of each of these schemas."""
    properties = {
        name: {"description": "A member.", **schema} if isinstance(schema, dict) else schema
        for name, schema in schemas.items()
    }
    return operations(
        {"/things": {"get": operation(answer={"$ref": "#/components/schemas/Thing"})}},
        Thing={"type": "object", "description": "A thing.", "properties": properties},
    )


def operations(paths: dict[str, Any], **schemas: object) -> dict[str, Any]:
    """A document of these paths and component schemas."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sample", "version": "1"},
        "servers": [{"url": "https://sample.invalid/v1"}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def operation(
    name: str = "listThings", answer: object = None, body: object = None, **more: object
) -> dict[str, Any]:
    """An operation that answers with JSON of a schema."""
    response: dict[str, Any] = {"description": "Things."}
    if answer is not None:
        response["content"] = {"application/json": {"schema": answer}}
    result: dict[str, Any] = {
        "operationId": name,
        "tags": ["things"],
        "summary": "Do it",
        "description": "It is done.",
        "responses": {"200": response},
        **more,
    }
    if body is not None:
        result["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": body}},
        }
    return result


def minimal(node: inspect.Type, depth: int = 0) -> Any:
    """The least JSON value that a type takes."""
    match node:
        case inspect.Metadata(extra={"is_datetime": True}):
            return "2026-01-02T03:04:05Z"
        case inspect.Metadata():
            return minimal(node.type, depth)
        case inspect.StructType():
            return {
                field.encode_name: minimal(field.type, depth + 1)
                for field in node.fields
                if field.required
            }
        case inspect.UnionType():
            return minimal(_simplest(node.types), depth)
        case inspect.ListType():
            return [] if depth > 3 else [minimal(node.item_type, depth + 1)]
        case inspect.DictType():
            return {}
        case inspect.EnumType():
            return next(iter(node.cls)).value
        case inspect.LiteralType():
            return node.values[0]
        case inspect.IntType() | inspect.FloatType():
            return max(1, node.ge or 1)
        case inspect.BoolType():
            return True
        case inspect.NoneType():
            return None
        case inspect.DateTimeType():
            return "2026-01-02T03:04:05Z"
        case inspect.DateType():
            return "2026-01-02"
        case inspect.DecimalType():
            return "1.50"
        case inspect.UUIDType():
            return "6f1f3a5e-3f4c-4b6e-9d38-0d5f0f3c2b1a"
        case _:
            return "text"


def _simplest(types: Iterable[inspect.Type]) -> inspect.Type:
    order: list[type] = [inspect.NoneType, inspect.StrType, inspect.IntType]
    return min(types, key=lambda each: order.index(type(each)) if type(each) in order else 9)


def structs(module: Any) -> Iterator[type[msgspec.Struct]]:
    """All model classes of a package's `models`."""
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, type) and issubclass(value, msgspec.Struct):
            yield value
