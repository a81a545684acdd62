"""A version is pinned in one place, and one command carries it to every other."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from release import pins

ROOT = Path(__file__).parents[2]
# Those of other worlds, and what a command or a person has written about a version.
_NOT_PINS = ("release/requirements.txt", "CHANGELOG.md", "docs/", "benchmarks/", "tests/")


def test_every_file_has_the_versions_of_the_constraints() -> None:
    known = pins.versions()
    for name in pins.FILES:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert pins.carried(text, known) == text, f"{name}: run `nox -s pin`"


@pytest.mark.parametrize("package", ["ruff", "openapi-python-client", "jinja2", "hatchling"])
def test_a_pin_is_moved_in_one_place(package: str, tmp_path: Path) -> None:
    for name in ("constraints.txt", *pins.FILES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    old = pins.versions()[package]
    constraints = tmp_path / "constraints.txt"
    text = constraints.read_text(encoding="utf-8")
    constraints.write_text(
        re.sub(rf"(?mi)^{package}=={re.escape(old)}$", f"{package}==99.1", text), encoding="utf-8"
    )
    assert "pyproject.toml" in pins.carry(tmp_path)
    for name in pins.FILES:
        before, after = ((each / name).read_text(encoding="utf-8") for each in (ROOT, tmp_path))
        pinned = re.compile(rf"(?i)\b{package}==[\d.]+")
        assert set(map(str.lower, pinned.findall(after))) <= {f"{package}==99.1"}
        assert pinned.sub("", before) == pinned.sub("", after)
    assert pins.carry(tmp_path) == []


def test_no_other_file_pins_one_of_them() -> None:
    exact = re.compile(r"\b(ruff|openapi-python-client|jinja2|hatchling)(==|[\"': ]+)\d+\.\d+\.\d+")
    known = {"constraints.txt", "generated/MANIFEST.json", *pins.FILES}
    asked = 0
    for path in ROOT.rglob("*"):
        name = path.relative_to(ROOT).as_posix()
        if name in known or name.startswith((".git/", ".nox", ".venv", ".bench", *_NOT_PINS)):
            continue
        if path.suffix in (".py", ".toml", ".yaml", ".yml", ".txt", ".cfg", ".json", ".md"):
            assert not exact.search(path.read_text(encoding="utf-8").lower()), name
            asked += 1
    assert asked > 500
