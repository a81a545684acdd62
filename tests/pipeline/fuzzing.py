"""Mutated documents against `lint` and `generate`: `python tests/pipeline/fuzzing.py [FILE …]`.

A seed is a document of `generate/` or `lint/`, or a FILE, with a few changes: members that are
gone, doubled, renamed, exchanged, of another type, or words of OpenAPI that were not there. None
may end in a traceback, or lose an operation without a word; what is made of it is Python. A failure
prints its seed; `--show` prints the documents.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from generate_support import CASES, config_of, write_package

from pipeline.carrying import select_supported
from pipeline.codegen import TEMPLATES
from pipeline.codegen.render import render
from pipeline.codegen.views import build
from pipeline.lint import lint
from pipeline.openapi.documents import Document, dumps, load
from pipeline.openapi.extensions import vocabulary
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import SHAPES
from pipeline.openapi.plain import plain
from pipeline.openapi.problems import PipelineError
from pipeline.preparing import prepare

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 10**30, 0.5, "", " ", "a", "a b", "日本", "self", "class", "body",
    "#", "#/", "#/components/schemas/A", "#/paths", "%zz", "{", "/{a}/{a}", "\\", '"""', "\n",
    "string", "object", "array", "null", "integer", "date-time", "binary", "2026-02-30", "[", "a/b",
    [], {}, [{}], [None], ["a", "a"], {"a": {}}, {"": 1}, [[]], {"type": "object"}, {"$ref": "#"},
    {"type": ["string", "null"]}, {"type": "array"}, {"enum": [None]}, {"enum": [1, "a"]},
    {"enum": ["", " ", "-"]}, {"const": {}}, {"anyOf": []}, {"allOf": [{}]}, {"not": {}},
    {"oneOf": [{"type": "null"}]}, {"properties": {"a": True, "A": False}}, {"required": ["a"]},
    {"type": "string", "format": "uuid", "default": 1}, {"nullable": True}, {"minimum": "a"},
    10**400, {"$ref": 5}, 'a "quote"', '"""; import os; """', "{{ x }} {% y %}", "ends \\", "`|`",
    "\u2028", {"pattern": 'a"b\\d'}, {"enum": [0, 2**63]}, {"enum": ["a", "A", "a-b", "mro"]},
)  # fmt: skip
# Names that stand for something in the code around them.
_NAMES = (
    "id", "date", "list", "self", "to_dict", "field", "class", "None", "2x", "a-b", "+1", "UNSET",
    "MISSING", "it's", "dt", "UUID", "body", "prepare", "client", "Mapping", "__init__", "né",
)  # fmt: skip
_WORDS = sorted(
    {name for members in SHAPES.values() for name in members}
    | {"$ref", "type", "enum", "const", "format", "required", "nullable", "default", "example",
       "minimum", "exclusiveMinimum", "maxLength", "pattern", "in", "name", "style", "explode",
       "deprecated", "readOnly", "writeOnly", "security", "description", "summary", "title",
       "operationId", "itemSchema", "$id", "$anchor", "$defs", "multipleOf", "minItems"}
    | set(vocabulary())
)  # fmt: skip
# Findings of these rules say that a later step met what an earlier one should have.
_INTERNAL = {"template", "format", "names"}


@cache
def documents(files: tuple[Path, ...]) -> list[Any]:
    """The documents that are mutated."""
    own = sorted([*CASES.glob("*/document.yaml"), *CASES.parent.glob("lint/*/document.yaml")])
    return [load(file).data for file in files or own]


def mutant(seed: int, files: tuple[Path, ...] = ()) -> Any:
    """Return the document of a seed."""
    dice = random.Random(seed)
    data = _copy(dice.choice(documents(files)))
    for _ in range(dice.choice((1, 1, 2, 3, 5))):
        _mutate(dice, data)
    return data


def _mutate(dice: random.Random, data: Any) -> None:
    """Change one member of a document in place."""
    if not data:
        return
    holder, key = _chosen(dice, data)
    others = _chosen(dice, data)
    match dice.randrange(9):
        case 0:
            del holder[key]
        case 1 | 2:
            holder[key] = _copy(dice.choice(_VALUES))
        case 3:
            holder[key] = _copy(others[0][others[1]])
        case 4 if isinstance(holder, dict):
            holder[dice.choice((f"{key}_", key.upper(), f"{key}2", "a"))] = _copy(holder[key])
        case 5 if isinstance(holder, dict):
            holder[dice.choice((*_WORDS, *_NAMES, f"{key}s"))] = holder.pop(key)
        case 6 if isinstance(holder[key], dict):
            holder[key][dice.choice(_WORDS)] = _copy(dice.choice(_VALUES))
        case 7 if isinstance(holder[key], dict):
            holder[key][dice.choice(_WORDS)] = _copy(others[0][others[1]])
        case _:
            holder[key] = dice.choice(([_copy(holder[key])], {"a": _copy(holder[key])}))


def _chosen(dice: random.Random, data: Any) -> tuple[Any, Any]:
    """Return a place in a document, each depth as likely as any: what holds it, and its key."""
    # A document of no version is refused at once, so `openapi` is seldom what changes.
    names = [name for name in data if name != "openapi" or dice.random() < 0.1]
    holder, key = data, dice.choice(names or list(data))
    for _ in range(dice.randrange(10)):
        inner = holder[key]
        if not isinstance(inner, dict | list) or not inner:
            break
        holder, key = (
            inner,
            dice.choice(list(inner) if isinstance(inner, dict) else range(len(inner))),
        )
    return holder, key


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def check(data: Any, *, generated: bool = True, loaded: bool = False) -> str:
    """Return what is wrong with what comes of a document; empty where nothing is.

    Args:
        generated: whether a client is made of it, too.
        loaded: whether the client is imported, which takes a process.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return "; ".join(_wrong(data, generated, loaded))
    except PipelineError as error:
        internal = [str(each) for each in error.findings if each.rule in _INTERNAL]
        return "; ".join(internal)
    except Exception:  # a traceback is what this looks for
        return traceback.format_exc()


def _wrong(data: Any, generated: bool, loaded: bool) -> Iterator[str]:
    lint(Document("mutant.yaml", data, {}))  # as it stands, too
    document, notes = prepare(Document("mutant.yaml", data, {}))
    findings = [*notes, *lint(document)]
    if not generated:
        return
    config = replace(config_of(CASES / "names", "sample"), on_uncarried="skip")
    carried = select_supported(config, config.sources[0], document, findings)
    documents = {"document": carried.document}
    package = build(config, [carried.api], documents, carried.left_out)
    files = render(package, TEMPLATES)
    for path, text in files.items():
        if path.endswith(".py") and "/_runtime/" not in path:
            compile(text, path, "exec")
    dumps(document.data)
    dumps(plain(document.data))
    model = DocumentModel(document)
    sent = {each.route: f"{each.method} {each.sent_path}".upper() for each in model.operations}
    made = [f"{each.method} {each.path}".upper() for each in carried.api.operations]
    # A webhook, and a path whose operations cannot be read, are left out, too.
    left = [sent[each.route] for each in carried.left_out if each.route in sent]
    routes = [sent[each.route] for each in model.operations]
    if sorted(routes) != sorted([*made, *left]):
        yield f"{routes} became {made}, and {left} were left out"
    if loaded:
        yield from _not_loaded(files)


# Every module, and whatever msgspec asks of a model before it decodes one.
_LOAD = """
import sys
from importlib import import_module
from pkgutil import walk_packages
import msgspec, sample, sample.models
for module in walk_packages(sample.__path__, "sample."):
    if "_runtime." not in module.name:
        import_module(module.name)
for name in sample.models.__all__:
    model = getattr(sample.models, name)
    if isinstance(model, type) and issubclass(model, msgspec.Struct):
        msgspec.json.Decoder(model)
"""


def _not_loaded(files: dict[str, str]) -> Iterator[str]:
    """Yield why a client cannot be imported."""
    with tempfile.TemporaryDirectory() as folder:
        write_package({f"client/{path}": text for path, text in files.items()}, Path(folder))
        done = subprocess.run(
            [sys.executable, "-c", _LOAD], cwd=folder, capture_output=True, text=True
        )
        if done.returncode:
            yield done.stderr


def _checked(given: tuple[int, tuple[Path, ...], bool, bool]) -> tuple[int, str]:
    seed, files, generated, loaded = given
    return seed, check(mutant(seed, files), generated=generated, loaded=loaded)


def main(arguments: list[str] | None = None) -> int:
    """Try seeds; the exit status is 1 where anything goes wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", type=Path, nargs="*", help="documents (default: those of tests)")
    parser.add_argument("--seeds", type=int, default=2000, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="the first one (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--lint", action="store_true", help="lint only, which is quicker")
    parser.add_argument("--load", action="store_true", help="also import each client")
    parser.add_argument("--show", action="store_true", help="print each document")
    options = parser.parse_args(arguments)
    files = tuple(options.files)
    seeds = range(options.first, options.first + options.seeds)
    if options.show:
        for seed in seeds:
            print(dumps(mutant(seed, files)))
    failed = 0
    with multiprocessing.Pool(options.jobs) as pool:
        given = ((seed, files, not options.lint, options.load) for seed in seeds)
        for seed, found in pool.imap_unordered(_checked, given, chunksize=20):
            failed += bool(found)
            if found:
                print(f"seed {seed}: {found}", flush=True)
    print(f"{len(seeds)} seeds, {failed} of them fail")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
