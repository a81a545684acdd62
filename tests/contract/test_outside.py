"""The schemathesis command against a running sandbox, as the documentation has it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.options import Options
from scenarios import HANDLED
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.faults.fault import Fault
from social_publishing_sandbox.state import access
from tests.support.documents import documents

ROOT = Path(__file__).parents[2]
COMMAND = "schemathesis --config-file tests/contract/outside.toml run"
STRANGERS = Path("tests/contract/strangers")
APART = f"schemathesis --config-file {STRANGERS}/schemathesis.toml run"
READING = "--checks object_level_authorization --phases stateful --include-method GET"


@pytest.fixture
def service() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None, check=False) as sandbox:
        yield sandbox


def run(
    service: Sandbox, folder: Path, api: str, *options: str, command: str = "run", by: str = COMMAND
) -> tuple[int, str]:
    """The exit status of the command, and what it says; what it leaves stays in the folder."""
    address = {"main": service.base_url, "media": service.media_url}[api]
    origin = address.partition("/v1")[0].removesuffix("/api")
    _, *words, _ = by.replace("tests/", f"{ROOT}/tests/").split()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", *words, command),
            *([] if command == "replay" else [f"{origin}/openapi.json"]),
            *options,
        ],
        cwd=folder,
        env={**os.environ, "SOCIAL_PUBLISHING_API_TOKEN": service.token},
        capture_output=True,
        text=True,
        timeout=600,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("api", ["main", "media"])
def test_it_passes_with_every_check(
    api: str, service: Sandbox, tmp_path: Path, options: Options
) -> None:
    words = ["--phases", "examples,fuzzing", "--max-examples", "1", "--seed", "1"]
    words += [*left_out(api), *reports(options, f"schemathesis-{api}")]
    status, said = run(service, tmp_path, api, *words)
    assert status == 0, said
    ours = documents()[api].operations.keys() & set(HANDLED)
    assert {each.operation for each in service.requests()} >= ours


def left_out(api: str) -> list[str]:
    """The options for operations that the sandbox has no handler for; it says so itself."""
    ours = documents()[api].operations.keys()
    return [word for each in ours - set(HANDLED) for word in ("--exclude-operation-id", each)]


def reports(options: Options, name: str) -> list[str]:
    """The options for reports, where they are asked for."""
    if options.report is None:
        return []
    return ["--report", "junit,html", "--report-dir", str(options.report.resolve() / name)]


@pytest.mark.nightly
@pytest.mark.parametrize("phase", ["coverage", "stateful"])
@pytest.mark.parametrize("api", ["main", "media"])
def test_it_passes_in_other_phases(
    api: str, phase: str, service: Sandbox, tmp_path: Path, options: Options
) -> None:
    """Each boundary of each schema, and operations one after the other along links."""
    seed = ["--seed", str(options.seed), "--max-examples", str(min(options.examples, 10))]
    words = [*seed, *left_out(api), *reports(options, f"schemathesis-{api}-{phase}")]
    status, said = run(service, tmp_path, api, "--phases", phase, *words)
    assert status == 0, said
    assert {each.operation for each in service.requests()} & documents()[api].operations.keys()


@pytest.mark.nightly
def test_a_failure_is_stored_and_replayed(service: Sandbox, tmp_path: Path) -> None:
    """`fuzz` keeps what failed, and `replay` sends it again until it passes."""
    given = {"kind": "status", "status": 500, "operations": ["createLabel"]}
    service.faults.add(Fault.from_json(given, {"createLabel": "createLabel"}))
    words = ["--max-time", "20", "--include-operation-id", "createLabel"]
    status, said = run(service, tmp_path, "main", *words, command="fuzz")
    assert status == 1 and "st replay" in said, said
    status, said = run(service, tmp_path, "main", command="replay")
    assert status == 1 and "FAILED POST /labels" in said, said
    service.faults.clear()
    status, said = run(service, tmp_path, "main", command="replay")
    assert status == 0 and "Replaying 1 case" in said, said


@pytest.fixture
def strangers() -> Iterator[Sandbox]:
    """A service of two users, each of whom has a group of its own."""
    with Sandbox(str(ROOT / STRANGERS / "world.yaml"), clock="frozen", rate_limit=None) as sandbox:
        yield sandbox


@pytest.mark.nightly
def test_nobody_reads_what_a_stranger_owns(
    strangers: Sandbox, tmp_path: Path, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists leave it out, and an identifier is no key. A service that forgets is found."""
    shutil.copytree(ROOT / STRANGERS, tmp_path / STRANGERS)
    words = [*READING.split(), "--max-examples", "20", "--seed", "1"]
    kept = reports(options, "schemathesis-strangers")
    status, said = run(strangers, tmp_path, "main", *words, *kept, by=APART)
    assert status == 0, said
    read = {each.operation for each in strangers.requests() if each.status == 200}
    assert read >= {"listPosts", "getSocialAccount", "listPostActivities"}
    monkeypatch.setattr(
        access, "account", lambda service, *rest: service.store.accounts.get(rest[1])
    )
    status, said = run(strangers, tmp_path, "main", *words, by=APART)
    assert status == 1 and "Object-level authorization bypass" in said, said
    assert "received the `SocialAccount` that `" in said and "st replay" in said, said


def test_the_documentation_has_the_commands() -> None:
    page = (ROOT / "docs/contract-tests.md").read_text(encoding="utf-8")
    for each in (COMMAND, APART, READING, f"--world {STRANGERS}/world.yaml"):
        assert each in page, each
