"""The code samples for other tools: each does what it is for, in both languages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from social_publishing_sandbox import Sandbox

ROOT = Path(__file__).parents[2]
PLAIN = ROOT / "generated/openapi/plain"
METHODS = ("get", "put", "post", "patch", "delete")


def _operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("main", "media"):
        document = json.loads((PLAIN / f"{name}.json").read_text(encoding="utf-8"))
        for item in document["paths"].values():
            for method in METHODS:
                if method in item:
                    yield item[method]["operationId"], item[method]


OPERATIONS = dict(_operations())
# What no sandbox can do: it has no network to download from, and no upload of an earlier process.
NOT_HERE = {"uploadMediaFromUrl": 400, "getMediaStatus": 404}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(now="2026-12-01T09:00:00Z", clock="frozen", rate_limit=None) as made:
        yield made


def environment(sandbox: Sandbox) -> dict[str, str]:
    """The variables that the samples read."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(
            [str(ROOT / "generated/client/src"), *filter(None, sys.path)]
        ),
        "SOCIAL_PUBLISHING_API_TOKEN": sandbox.token,
        "SOCIAL_PUBLISHING_BASE_URL": sandbox.base_url,
        "SOCIAL_PUBLISHING_MEDIA_URL": sandbox.media_url,
    }


def test_every_operation_has_both_samples() -> None:
    for operation, node in OPERATIONS.items():
        assert [each["lang"] for each in node["x-codeSamples"]] == ["Shell", "Python"], operation


@pytest.mark.skipif(shutil.which("curl") is None, reason="the samples are for curl")
@pytest.mark.parametrize("language", ["Shell", "Python"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_sample_does_what_it_is_for(
    operation: str, language: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    sandbox.reset()
    (tmp_path / "launch.mp4").write_bytes(b"\0" * 1000)
    (tmp_path / "clip.mp4").write_bytes(b"\0" * 1000)
    samples = {each["lang"]: each["source"] for each in OPERATIONS[operation]["x-codeSamples"]}
    program = ["bash", "-c"] if language == "Shell" else [sys.executable, "-c"]
    ended = subprocess.run(
        [*program, samples[language]],
        cwd=tmp_path,
        env=environment(sandbox),
        capture_output=True,
        text=True,
        timeout=60,
    )
    [entry, *_] = sandbox.requests()
    assert entry.operation == operation, ended.stderr
    assert not entry.violations
    if operation in NOT_HERE:
        assert entry.status in (NOT_HERE[operation], 200), ended
        return
    assert 200 <= entry.status <= 299, ended
    assert ended.returncode == 0, ended.stderr
