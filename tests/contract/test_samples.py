"""The code samples for other tools: each does what it is for, in both languages."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from social_publishing import SocialPublishingError

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


def problem(language: str, source: str) -> str:
    """Run a sample, and return how it fails; empty where it does not."""
    if language == "Shell":
        ended = subprocess.run(["bash", "-c", source], capture_output=True, text=True, timeout=60)
        return f"{ended.returncode}: {ended.stderr}" if ended.returncode else ""
    try:
        exec(source, {"__name__": "__main__"})
    except SocialPublishingError as error:
        return str(error)
    return ""


def test_every_operation_has_both_samples() -> None:
    for operation, node in OPERATIONS.items():
        assert [each["lang"] for each in node["x-codeSamples"]] == ["Shell", "Python"], operation


@pytest.mark.skipif(shutil.which("curl") is None, reason="the samples are for curl")
@pytest.mark.parametrize("language", ["Shell", "Python"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_sample_does_what_it_is_for(
    operation: str,
    language: str,
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sandbox.reset()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOCIAL_PUBLISHING_API_TOKEN", sandbox.token)
    monkeypatch.setenv("SOCIAL_PUBLISHING_BASE_URL", sandbox.base_url)
    monkeypatch.setenv("SOCIAL_PUBLISHING_MEDIA_URL", sandbox.media_url)
    (tmp_path / "launch.mp4").write_bytes(b"\0" * 1000)
    (tmp_path / "clip.mp4").write_bytes(b"\0" * 1000)
    samples = {each["lang"]: each["source"] for each in OPERATIONS[operation]["x-codeSamples"]}
    failed = problem(language, samples[language])
    [entry, *_] = sandbox.requests()
    assert entry.operation == operation, failed
    assert not entry.violations
    if operation in NOT_HERE:
        assert entry.status in (NOT_HERE[operation], 200), failed
        return
    assert (200 <= entry.status <= 299, failed) == (True, "")
