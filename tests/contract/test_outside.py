"""The schemathesis command against a running sandbox, as the documentation has it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.options import Options
from scenarios import HANDLED
from social_publishing_sandbox import Sandbox
from tests.support.documents import documents

ROOT = Path(__file__).parents[2]
COMMAND = "schemathesis --config-file tests/contract/outside.toml run"


@pytest.fixture
def service() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None, check=False) as sandbox:
        yield sandbox


def run(service: Sandbox, folder: Path, api: str, *options: str) -> tuple[int, str]:
    """The exit status of the command, and what it says; what it leaves stays in the folder."""
    address = {"main": service.base_url, "media": service.media_url}[api]
    origin = address.partition("/v1")[0].removesuffix("/api")
    _, *words = COMMAND.replace("tests/", f"{ROOT}/tests/").split()
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", *words, f"{origin}/openapi.json", *options],
        cwd=folder,
        env={**os.environ, "SOCIAL_PUBLISHING_API_TOKEN": service.token},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("api", ["main", "media"])
def test_it_passes_with_every_check(
    api: str, service: Sandbox, tmp_path: Path, options: Options
) -> None:
    words = ["--phases", "examples,fuzzing", "--max-examples", "1", "--seed", "1"]
    ours = documents()[api].operations.keys()
    for operation in ours - set(HANDLED):  # the sandbox has no handler for it, and says so
        words += ["--exclude-operation-id", operation]
    if options.report is not None:
        place = options.report.resolve() / f"schemathesis-{api}"
        words += ["--report", "junit,html", "--report-dir", str(place)]
    status, said = run(service, tmp_path, api, *words)
    assert status == 0, said
    assert {each.operation for each in service.requests()} >= ours & set(HANDLED)


def test_the_documentation_has_the_command() -> None:
    assert COMMAND in (ROOT / "docs/contract-tests.md").read_text(encoding="utf-8")
