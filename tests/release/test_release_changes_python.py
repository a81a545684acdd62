"""The public Python of a package: what a user writes is what is compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from release.changes import python
from release.changes.change import Change, merged

Golden = Callable[[Path, str], None]
HERE = Path(__file__).parent / "changes" / "python"
PROJECT = Path(__file__).parents[2]
PLUGINS = ["library.plugin"]


def differences(before: str, after: str) -> list[Change]:
    return python.compare(
        python.surface("library", HERE / before, PLUGINS),
        python.surface("library", HERE / after, PLUGINS),
    )


def reported(changes: list[Change]) -> str:
    return "".join(
        f"  {each.level:<8}  {each}  [{', '.join(sorted(each.about))}]\n"
        for each in merged(changes)
    )


def test_every_sort_of_change_is_reported_as_it_was(golden: Golden) -> None:
    there, back = differences("before", "after"), differences("after", "before")
    golden(HERE.parent / "python.txt", f"→\n{reported(there)}\n←\n{reported(back)}")


def test_a_package_does_not_differ_from_itself() -> None:
    assert differences("before", "before") == differences("after", "after") == []


def test_names_are_those_that_users_write() -> None:
    shown = python.surface("library", HERE / "before", PLUGINS)
    assert {"Library", "Library.close", "books.list", "books.add_arguments", "sort_key"} <= {
        *shown.functions
    }
    arguments = [each.name for each in shown.functions["books.list"].parameters]
    assert arguments == ["self", "shelf", "page"]
    assert "Library.books" not in shown.values
    assert not [name for name in {*shown.functions, *shown.values} if "_hidden" in name]
    assert "the fixture library" in shown.values
    assert "the fixture helper" not in shown.values


def test_every_method_of_the_generated_client_is_seen() -> None:
    folder = PROJECT / "generated" / "client"
    (package,) = [path.parent.name for path in (folder / "src").glob("*/__init__.py")]
    shown = python.surface(package, folder / "src")
    page = (folder / "api.md").read_text(encoding="utf-8")
    named = re.findall(r"^### (\w+\.\w+)$", page, re.MULTILINE)
    assert len(named) > 10
    assert sorted({*named} - {*shown.functions}) == []
    assert python.compare(shown, shown) == []
