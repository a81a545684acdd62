"""What the sandbox's README says to type, typed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from social_publishing_sandbox import Sandbox, media

ROOT = Path(__file__).parents[2]
README = (ROOT / "sandbox/README.md").read_text(encoding="utf-8")
TOUR = README.partition("## A tour by hand")[2].partition("\n## ")[0]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(text: str, kind: str) -> list[str]:
    return [code for found, code in BLOCK.findall(text) if found == kind]


@contextmanager
def served() -> Iterator[tuple[str, str]]:
    """The tour's sandbox, on free ports; and its two origins."""
    command = next(each for each in blocks(TOUR, "console") if "serve" in each).split()
    assert command[:2] == ["social-publishing-sandbox", "serve"]
    arguments = [each if each not in ("8000", "8001") else "0" for each in command[1:]]
    process = subprocess.Popen(
        [sys.executable, "-m", "social_publishing_sandbox", *arguments, "--json"],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": str(ROOT / "sandbox/src"), "PATH": "/usr/bin:/bin"},
    )
    try:
        assert process.stdout is not None
        facts = json.loads(process.stdout.readline())
        assert facts["tokens"]["owner"] in TOUR
        yield facts["base_url"].removesuffix("/v1"), facts["media_url"].removesuffix("/api/v1")
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.mark.skipif(shutil.which("curl") is None, reason="the tour is made with curl")
def test_the_tour(tmp_path: Path) -> None:
    (tmp_path / "picture.jpg").write_bytes(media.draw(1, 300, 200, "Bread", "JPEG"))
    with served() as (main, files):

        def shell(code: str) -> str:
            code = code.replace("localhost:8000", main).replace("localhost:8001", files)
            # `--json` came with curl 7.82, and the README says what to do with an older one.
            code = re.sub(r"--json\b", '-H "Content-Type: application/json" -d', code)
            code = f"{exports}{identifier}{code}"
            done = subprocess.run(
                ["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60
            )
            return done.stdout + done.stderr

        exports = identifier = ""
        exports, made, read, week, fault, upload = blocks(TOUR, "console")[1:]
        post = json.loads(shell(made))
        identifier = f"export ID={post['id']}\n"
        answer = shell(read.partition("\n")[2])
        assert "HTTP/1.1 200" in answer
        assert "x-ratelimit-remaining: 59" in answer
        assert "publishedOnNetwork" in (later := shell(week))
        assert '"views"' in later
        failed = shell(fault)
        assert "Empty reply" in failed
        assert '"status":200' in failed.replace(" ", "")
        stored, _, rest = shell(upload).partition("}")
        found = re.search(r'"id":\s*"(\d+)"', stored + rest)
        assert found
        status = upload.splitlines()[-1].replace("…", found[1])
        assert '"ready"' in shell(status).replace(" ", "")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnknownMarkWarning")
def test_the_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "generated/client/src"))
    first, second = blocks(README, "python")
    exec(compile(first, "README.md", "exec"), {})
    names: dict[str, object] = {}
    exec(compile(second, "README.md", "exec"), names)
    with Sandbox(clock="frozen", rate_limit=60) as sandbox:
        names["test_a_label_is_not_made_twice"](sandbox)  # type: ignore[operator]
