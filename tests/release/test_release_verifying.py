"""The page about verifying a release: its commands, run on a rehearsal as they stand there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from release.building import build_package

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/verify-a-release.md").read_text(encoding="utf-8")
WORKFLOW = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
SECTION = re.compile(r"^## (.+)\n([\s\S]*?)(?=^## |\Z)", re.MULTILINE)
BLOCK = re.compile(r"```console\n([\s\S]*?)```")


def commands(section: str) -> str:
    """The commands of a section, one a line."""
    (block,) = BLOCK.findall(dict(SECTION.findall(PAGE))[section])
    return "\n".join(line.removeprefix("$ ") for line in block.splitlines())


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the archives of the client and their sums, as the workflow writes those."""
    folder = tmp_path_factory.mktemp("release")
    dist = folder / "dist"
    build_package(ROOT / "generated" / "client", dist)
    for other in re.findall(r"cd \.\./(\w+) ", WORKFLOW):
        (folder / other).mkdir()
        (folder / other / "other.zip").touch()
    (sums,) = re.findall(r"^ *(\(cd dist && sha256sum .*SHA256SUMS)$", WORKFLOW, re.MULTILINE)
    assert bash(sums, folder).returncode == 0
    return folder


def bash(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    if not (tools / "python").exists():
        (tools / "python").symlink_to(sys.executable)
    path = os.pathsep.join([str(tools), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder, capture_output=True, text=True, timeout=120,
        env={"PATH": path, "HOME": str(folder), "PIP_DISABLE_PIP_VERSION_CHECK": "1", **variables},
    )  # fmt: skip


def test_the_files_are_compared_and_read(release: Path, tmp_path: Path) -> None:
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(release / "dist")}
    done = bash(commands("Get the files"), tmp_path, **index)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tmp_path / "files").glob("*.whl")
    assert wheel.name.startswith("social_publishing-")

    sums = (release / "SHA256SUMS").read_text(encoding="utf-8")
    (tmp_path / "files" / "SHA256SUMS").write_text(sums, encoding="utf-8")
    compare = commands("Compare the sums")
    done = bash(compare, tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{wheel.name}: OK\n"), done.stderr
    hashed = bash(f"python -m pip hash files/{wheel.name}", tmp_path).stdout
    assert hashed.partition("sha256:")[2].strip() in sums

    # A reader stays in one terminal: what one block leaves, the next one finds.
    bill = bash(f"{compare} >&2\n{commands('Read the bill of materials')}", tmp_path)
    assert bill.returncode == 0, bill.stderr
    found = json.loads(bill.stdout)
    assert (found["bomFormat"], found["specVersion"]) == ("CycloneDX", "1.6")
    assert {"anyio", "httpx2", "msgspec"} <= {each["name"] for each in found["components"]}

    wheel.write_bytes(wheel.read_bytes() + b" ")
    done = bash(compare, tmp_path)
    assert done.returncode == 1 and f"{wheel.name}: FAILED" in done.stdout


def test_the_signature_is_asked_for_as_it_was_made(release: Path, tmp_path: Path) -> None:
    """Nothing is signed in a rehearsal: what is run is compared with what the workflow signs."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "social_publishing-0.1.0-py3-none-any.whl").touch()
    (tmp_path / ".tools").mkdir()
    gh = tmp_path / ".tools" / "gh"
    gh.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    gh.chmod(0o755)
    (tmp_path / "files" / "SHA256SUMS").touch()
    compare = commands("Compare the sums").replace("sha256sum", "true")
    done = bash(f"{compare}\n{commands('Check the signature')}", tmp_path)
    wheel = "files/social_publishing-0.1.0-py3-none-any.whl"
    assert done.stdout == f"attestation verify {wheel} --repo OWNER/REPOSITORY\n"
    assert re.search(r"actions/attest@.*\n +with:\n +subject-path: dist/\*\n", WORKFLOW)
    upload = WORKFLOW.partition("gh-action-pypi-publish@")[2].partition("\n\n")[0]
    assert "attestations: true" in upload


def test_building_is_what_the_workflow_does() -> None:
    steps = commands("Build the files yourself")
    assert "pip install -q --require-hashes -r release/requirements.txt" in steps
    assert "pip install --require-hashes -r release/requirements.txt" in WORKFLOW
    assert "nox -s build" in steps and "nox -s check build" in WORKFLOW
