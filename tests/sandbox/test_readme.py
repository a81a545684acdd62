"""What the sandbox's README shows, where running its examples does not tell.

That they run is tested in `tests/release/test_release_docs.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from release.page import load_page
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.faults.kinds import KINDS
from social_publishing_sandbox.cli import main

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "sandbox/README.md"
README = PAGE.read_text(encoding="utf-8")


def test_the_example_of_a_test_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "generated/client/src"))
    (block,) = [each for each in load_page(PAGE).blocks if each.save]
    names: dict[str, object] = {}
    exec(compile(block.code, block.save, "exec"), names)
    with Sandbox(clock="frozen") as sandbox, sandbox.client() as client:
        names["test_a_label_is_not_created_twice"](sandbox, client)  # type: ignore[operator]


def test_the_tokens_are_those_of_the_small_world() -> None:
    sandbox = Sandbox(clock="frozen")
    assert sandbox.tokens
    for role, token in sandbox.tokens.items():
        assert re.search(rf"{role} +{token}", README)
    sandbox.close()


def test_every_fault_is_in_the_table() -> None:
    table = README.partition("| fault |")[2].partition("\n\n")[0]
    changed = set(KINDS) ^ set(re.findall(r"`([a-z0-9-]+)`", table))
    assert not changed, f"add or remove rows of sandbox/README.md: {sorted(changed)}"


def test_every_command_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    commands = re.findall(r"^    ([a-z0-9-]+)(?: {2,}|$)", capsys.readouterr().out, re.MULTILINE)
    assert len(commands) >= 5
    for command in commands:
        assert re.search(rf"`?{command}\b", README)
