"""The client, which the sandbox hands out, and nothing else of it (tests/layers has the rest)."""

from __future__ import annotations

import re
from pathlib import Path

import social_publishing_sandbox

ROOT = Path(social_publishing_sandbox.__file__).parent


def test_the_client_is_imported_where_one_is_made_alone() -> None:
    """That it waits until one is made is shown in `tests/contract/test_sandbox_client.py`."""
    imported = re.compile(r"^ *(from|import) social_publishing\b", re.MULTILINE)
    paths = [path for path in ROOT.rglob("*.py") if imported.search(path.read_text("utf-8"))]
    assert {*paths} == {ROOT / "sandbox.py", ROOT / "pytest_plugin.py"}
