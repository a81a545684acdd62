"""A first configuration and a first overlay for a document, to be read and changed by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path
from shutil import rmtree

from pipeline.carrying import require_first_reader
from pipeline.causes import causes
from pipeline.codegen import names
from pipeline.codegen.views.errors import ERRORS
from pipeline.codegen.write import write_file
from pipeline.config import load_config
from pipeline.following import still_unresolved
from pipeline.lint import lint
from pipeline.openapi.bundle import bundle
from pipeline.openapi.documents import Document, seen_from
from pipeline.openapi.files import put
from pipeline.openapi.model import DocumentModel
from pipeline.openapi.objects import as_dict
from pipeline.openapi.problems import Finding, PipelineError
from pipeline.openapi.wording import as_toml, on_one_line, visible
from pipeline.openapi.yamls import dump
from pipeline.preparing import prepare
from pipeline.proposing import streams
from pipeline.stages import deep, stage
from pipeline.steps import Built, build_package, effective

CONFIG = "pyproject.toml"
OVERLAY = "overlays/client.yaml"
_KEPT = frozenset({CONFIG, "overlays", "names", "custom", "generated"})
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Started:
    """What `init` has made: files, and the client that `generate` will write.

    That is None where it would refuse to, because of the problems.
    """

    files: Sequence[Path]
    built: Built | None
    problems: Sequence[Finding] = ()


@deep()
def start(source: str, folder: Path, allow_files: Sequence[Path] = ()) -> Started:
    """Write a configuration and an overlay for a document, and the document if it comes by address.

    One of many files comes with those beside it and below. The names that had to be decided are
    written, too.

    Args:
        source: an http or https address, or a file.
        folder: where the configuration goes; it is made if it is not there.

    Raises:
        PipelineError: the document cannot be had or read, or a file is there already.
    """
    require_first_reader()  # without it, nothing is written either
    path, data = Path(source), b""
    if "://" in source:
        # This loads the HTTP library, which a document on the disk can do without.
        from pipeline.fetching import fetch, fetch_parts, name_of

        data = fetch(source, folder)
        path = folder / name_of(source, data)
    fetched = [path] if "://" in source else []
    _refuse_existing([*fetched, folder / CONFIG, folder / OVERLAY])
    if lexists(folder) and not folder.is_dir():
        raise PipelineError(Finding(f"{folder} is no folder: choose one with -o"))
    is_new = bool(fetched) and not folder.exists()
    if fetched:
        folder.mkdir(parents=True, exist_ok=True)
        put(path, data)
        fetched += fetch_parts(source, path, _KEPT)
    try:
        findings: list[Finding] = []
        stage(f"reading {path.name}")
        bundled = bundle(path, findings, allow_files)
        stage(f"checking {path.name}")
        document, notes = prepare(bundled)
        findings = [
            *still_unresolved(findings, document), *notes, *lint(document)
        ]  # fmt: skip
    except PipelineError as error:
        if not fetched:
            raise
        for file in fetched:
            file.unlink(missing_ok=True)
        if is_new:
            rmtree(folder)
        raise PipelineError(*(each.seen_as(source) for each in error.findings)) from None
    texts = {
        folder / CONFIG: _config(
            document,
            seen_from(folder, path),
            [seen_from(folder, each) for each in allow_files],
        ),
        folder / OVERLAY: _overlay(bundled, document, findings),
    }
    try:
        for file, text in texts.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            put(file, text.encode())
        config = load_config(folder / CONFIG)
        built = build_package(config, effective(config))
    except PipelineError as error:
        return Started([*fetched, *texts], None, error.findings)
    except BaseException:  # a full disk, a bug in this program, or Ctrl-C: nothing stays of it
        for file in (*fetched, *texts):
            file.unlink(missing_ok=True)
        raise
    kept = {s.names: built.effective.pins[s.name].text for s in config.sources if s.names}
    named = [path for path, text in kept.items() if write_file(path, text)]
    return Started([*fetched, *texts, *named], built)


def _refuse_existing(files: Sequence[Path]) -> None:
    existing = [file for file in files if lexists(file)]  # also a link that leads nowhere
    if existing:
        text = "already exists: choose another folder with -o, or move it away"
        raise PipelineError(*(Finding(f"{file} {text}") for file in existing))


def _config(document: Document, path: str, allow_files: Sequence[str]) -> str:
    info = as_dict(as_dict(document.data).get("info"))
    title = " ".join(str(info.get("title") or "").split()) or "the service"
    name = "_".join(names.words(title)).lower()[:_LONGEST_NAME].rstrip("_")
    name = name.removesuffix("_client") or "service"
    if not name.isidentifier():
        name = f"api_{name}"
    class_name = names.pascal(name)
    # Not the name alone: on an index it is often the vendor's own package.
    package = f"{name}_client"
    distribution = re.sub("[^a-z0-9]+", "-", package).strip("-")
    license_ = as_dict(info.get("license")).get("identifier")
    client = {
        "distribution": distribution,
        "package": package,
        "class_name": f"{class_name}Client" if f"{class_name}Error" in ERRORS else class_name,
        "title": title,
        "summary": f"Python client of {title}.",
        "license": license_ if isinstance(license_, str) else "LicenseRef-Unknown",
        "environment": name.upper().removesuffix("_API"),  # followed by `_API_TOKEN`
    }
    lines = [f"{key} = {_toml(value)}" for key, value in client.items()]
    allowed = f"allow_files = {_toml(allow_files)}\n" if allow_files else ""
    return f"""\
# A client for an OpenAPI document: `generate` writes it, `lint` reports problems of the document.
[project]
name = {_toml(f"{distribution}-pipeline")}
version = "0.1.0"

[tool.pipeline]
output = "generated"
# "skip" leaves out operations that no client can carry; "refuse" makes them errors.
on_uncarried = "skip"

[tool.pipeline.documents.api]
path = {_toml(path)}
overlays = [{_toml(OVERLAY)}]
{allowed}# Choose operations by tags, paths and operationIds; `*` stands for any text:
# include = {{ tags = ["…"], paths = ["/…/*"], operations = ["…"] }}
# exclude = {{ tags = ["…"] }}

# The client's package. Make sure that its name is free on your index: `distribution` is the name
# there, `package` that of its import.
[tool.pipeline.client]
{chr(10).join(lines)}
"""


def _toml(value: str | Sequence[str]) -> str:
    return visible(json.dumps(value, ensure_ascii=False), as_toml)


def _overlay(bundled: Document, document: Document, findings: Sequence[Finding]) -> str:
    """Return an overlay with remedies for what is left out.

    What seems to ask for a stream stands there, too, since no other method of the client would do.
    """
    actions = [*streams(DocumentModel(document))]
    if not actions:
        info = bundled.data.get("info")
        title = as_dict(info).get("title")
        if isinstance(title, str):
            actions.append({"target": "$.info", "update": {"title": title}})
        else:
            actions.append({"target": "$", "update": {"openapi": bundled.data["openapi"]}})
    text = dump(
        {
            "overlay": "1.1.0",
            "info": {"title": "How the client is generated", "version": "1"},
            "actions": actions,
        }
    )
    proposed = [
        (cause, action)
        for cause in causes(finding for finding in findings if finding.severity == "error")
        if (action := cause.action)
    ]
    for cause, action in proposed:
        number = f"{len(cause.findings):,} × " if len(cause.findings) > 1 else ""
        lines = [f"{number}{on_one_line(cause.text)}", *dump([action]).splitlines()]
        text += "".join(f"  # {line}\n" for line in lines)
    return text
