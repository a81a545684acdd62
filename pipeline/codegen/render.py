"""Templates and views become the files of the package. Nothing is read or written elsewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import jinja2
from ruff import find_ruff_bin

from pipeline.codegen.code import Code, literal
from pipeline.codegen.prose import docstring, inside, linked, with_linked_gaps, wrap
from pipeline.codegen.runtime_index import OF_OAUTH, OF_SERVERS, OF_STREAMS, OF_WEBHOOKS
from pipeline.codegen.views import PackageView, reference
from pipeline.codegen.views.descriptions import of_method
from pipeline.openapi.files import naming
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.wording import as_toml, on_one_line, visible

COMMAND = "python -m pipeline generate"
_LINE_LENGTH = "100"
# Unseen characters are escaped as the kind of file has it; those of Python stand in docstrings.
_FORMS: Final[dict[str, Callable[[str], str]]] = {
    "py": lambda sign: "\\" + ascii(sign)[1:-1],
    "toml": as_toml,
}


def render(package: PackageView, templates: Path) -> dict[str, str]:
    """Return all files of the client, by their path below `generated/client`."""
    environment = _environment(templates)
    home = f"src/{package.client.package}"
    sources = ", ".join(package.sources)

    def page(template: str, banner: str = sources, **view: Any) -> str:
        return _page(environment, f"client/{template}", package=package, source=banner, **view)

    files = {
        "pyproject.toml": page("pyproject.toml.jinja"),
        "README.md": page("README.md.jinja"),
        "llms.txt": page("llms.txt.jinja"),
        f"{home}/__init__.py": page("init.py.jinja"),
        f"{home}/client.py": page("client.py.jinja"),
        f"{home}/errors.py": page("errors.py.jinja"),
        f"{home}/models/__init__.py": page("models_init.py.jinja"),
        f"{home}/undocumented.py": page("undocumented.py.jinja"),
        f"{home}/resources/__init__.py": page("resources_init.py.jinja"),
        f"{home}/py.typed": "",
    }
    if package.webhooks:
        files[f"{home}/webhooks.py"] = page("webhooks.py.jinja")
    for module in package.modules:
        files[f"{home}/models/{module.name}.py"] = page("models.py.jinja", module=module)
    for resource in package.resources:
        files[f"{home}/resources/{resource.name}.py"] = page(
            "resource.py.jinja", resource.source, resource=resource
        )
    unused = (
        *(() if package.has_streams else OF_STREAMS),
        *(() if package.webhooks else OF_WEBHOOKS),
        *(() if any(each.choice for each in package.servers) else OF_SERVERS),
        *(() if any(each.renews for each in package.credentials) else OF_OAUTH),
    )
    files |= {
        f"{home}/_runtime/{path}": text
        for path, text in _runtime(templates / "runtime", unused).items()
    }
    modules = {
        path.removeprefix(f"{home}/").removesuffix(".py").replace("/", "."): text
        for path, text in files.items()
        if path in (f"{home}/client.py", f"{home}/errors.py") or "/_runtime/" in path
    }
    files["api.md"] = page("api.md.jinja", reference=reference(package, modules))
    return files


def _runtime(folder: Path, unused: Iterable[str]) -> dict[str, str]:
    """Return the modules of the runtime by their paths, without those that are not used."""
    texts = {**_modules(folder)}
    for module in unused:
        del texts[f"{module.replace('.', '/')}.py"]
        texts["__init__.py"] = re.sub(
            rf" +from \.{re.escape(module)} import .*\n", "", texts["__init__.py"]
        )
    return texts


@cache
def _modules(folder: Path) -> dict[str, str]:
    """Return all modules of the runtime, which a process reads once."""
    return {
        file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8")
        for file in sorted(folder.rglob("*.py"))
    }


def render_objects(package: PackageView, templates: Path) -> str:
    """Return the module with the classes of JSON objects, for a package that has the documents."""
    sources = ", ".join(package.sources)
    environment = _environment(templates)
    return _page(environment, "client/objects.py.jinja", package=package, source=sources)


def format_python(files: Mapping[str, str], package: str) -> dict[str, str]:
    """Sort the imports of Python files and lay them out, with the pinned ruff.

    The runtime is copied as it is: it is laid out where it stands.

    Args:
        package: the name of the package, whose imports are in a group of their own.
    """
    python = {
        path: text
        for path, text in files.items()
        if path.endswith(".py") and "/_runtime/" not in path
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in python.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with naming(target):
                target.write_text(text, encoding="utf-8", newline="\n")
        options = ["--isolated", "--no-cache", "--quiet"]
        _ruff(["check", *options, "--fix", "--select", "I", "--config",
               f'lint.isort.known-first-party = ["{package}"]', "."], root)  # fmt: skip
        _ruff(["format", *options, "--line-length", _LINE_LENGTH, "."], root)
        laid_out = {path: (root / path).read_text(encoding="utf-8") for path in python}
    return {**files, **laid_out}


@cache  # it keeps the templates compiled
def _environment(folder: Path) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        bytecode_cache=_compiled(folder / "client/__pycache__"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # it is Python and Markdown; the views escape for the exact place
        finalize=_text_only,
    )
    environment.filters["literal"] = literal
    environment.filters["toml"] = lambda text: json.dumps(text, ensure_ascii=False)
    environment.filters["inside"] = inside
    environment.filters["on_one_line"] = on_one_line
    environment.filters["with_linked_gaps"] = with_linked_gaps
    environment.filters["lines"] = _lines
    environment.filters["described"] = of_method
    environment.filters["docstring"] = lambda text, indent=0: docstring(
        [wrap(text, indent)], indent
    )
    environment.filters["argument"] = lambda text, indent: textwrap.indent(
        "\n".join(wrap(inside(text), indent, hanging=4)), " " * indent
    )
    environment.filters["linked"] = lambda code, *more, **named: linked(str(code), *more, **named)
    environment.filters["cell"] = lambda text: " ".join(str(text).split()).replace("|", "\\|")
    environment.globals["command"] = COMMAND
    return environment


def _compiled(folder: Path) -> jinja2.BytecodeCache | None:
    """Return where compiled templates are kept, as Python keeps modules: by their content."""
    if sys.dont_write_bytecode or not os.access(folder.parent, os.W_OK):
        return None
    folder.mkdir(exist_ok=True)
    return jinja2.FileSystemBytecodeCache(str(folder))


def _lines(items: Iterable[Any], form: str = "{}") -> str:
    """Return a line for each item, in this form; an item may be several values."""
    values = (item if isinstance(item, tuple) else (item,) for item in items)
    return "".join(f"{form.format(*each)}\n" for each in values)


def _text_only(value: Any) -> Any:
    if isinstance(value, jinja2.Undefined):
        return str(value)  # raises, and names what is missing
    if isinstance(value, Code):
        return value.text
    if isinstance(value, (str, int)) and type(value).__module__ in ("builtins", "jinja2.runtime"):
        return value
    if type(value).__module__ == "markupsafe":
        return value
    raise jinja2.TemplateRuntimeError(f"a template shows a {type(value).__name__}, not a text")


def _page(environment: jinja2.Environment, template: str, **view: Any) -> str:
    try:
        text = environment.get_template(template).render(**view)
    except jinja2.TemplateError as error:
        line = getattr(error, "lineno", None)
        place = f"templates/{template}" + (f":{line}" if line else "")
        raise PipelineError(Finding(f"{place}: {error}", rule="template")) from error
    if " object at 0x" in text:
        raise PipelineError(Finding(f"templates/{template} shows a Python object", rule="template"))
    return visible(text, _FORMS.get(template.split(".")[-2], lambda sign: ascii(sign)[1:-1]))


def _ruff(arguments: list[str], folder: Path) -> None:
    try:
        # The program itself: `python -m ruff` would start an interpreter only to find it.
        command = [find_ruff_bin(), *arguments]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise PipelineError(Finding(f"cannot run ruff: {error}", rule="format")) from error
    if done.returncode:
        output = (done.stdout + done.stderr).strip()
        raise PipelineError(Finding(f"ruff cannot lay out the package: {output}", rule="format"))
