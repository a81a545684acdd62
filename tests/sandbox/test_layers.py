"""What each package of the sandbox knows of the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import social_publishing_sandbox

PACKAGE = social_publishing_sandbox.__name__
ROOT = Path(social_publishing_sandbox.__file__).parent

LAYERS = {
    "behaviour": {"filetypes", "times"},
    "faults": {"contract", "transport"},
    "request_log": {"times"},
    "media": {"filetypes", "wording"},
    "recording": {"__version__", "serving", "times", "transport", "wording"},
    "worlds": {"behaviour", "clock", "contract", "filetypes", "ids", "times", "wording"},
}


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, names taken from a package with the package before them."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            yield from (f"{node.module}.{each.name}" for each in node.names)


@pytest.mark.parametrize("name", LAYERS)
def test_a_package_knows_what_it_needs_and_nothing_else(name: str) -> None:
    known = {
        each.split(".")[1]
        for path in (ROOT / name).rglob("*.py")
        for each in imported(path)
        if each.startswith(f"{PACKAGE}.")
    }
    assert known - {name} == LAYERS[name]


CORE = (
    *(
        "refusals",
        "times",
        "wording",
        "filetypes",
        "dropped",
        "transport",
        "ids",
        "clock",
        "limits",
    ),
    *("demands", "contract", "views", "transitions", "store", "behaviour", "service"),
    *("access", "paging", "posting", "publishing", "media", "validation", "faults", "request_log"),
    *("space", "request", "operations", "http", "origin"),
)
"""What a request goes through, the lowest first."""


@pytest.mark.parametrize("name", CORE)
def test_what_answers_a_request_knows_what_lies_below_it(name: str) -> None:
    """Control, console and command may be left out, and the service answers all the same."""
    files = (ROOT / name).rglob("*.py") if (ROOT / name).is_dir() else [ROOT / f"{name}.py"]
    below = {*CORE[: CORE.index(name)], name}
    for path in files:
        known = {each.split(".")[1] for each in imported(path) if each.startswith(f"{PACKAGE}.")}
        assert known <= below, path
