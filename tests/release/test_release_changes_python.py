"""The public Python of a package: what a user writes is what is compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from release.changes import python
from release.changes.change import Change, merged
from release.changes.python_types import fits, union

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


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("Sequence[str]", "Iterable[str]"),
        ("list[str]", "Sequence[str]"),
        ("list[str]", "collections.abc.Iterable[object]"),
        ("list[str]", "list"),
        ("Sequence[str]", "Sequence[str | int]"),
        ("Sequence[list[str]]", "Collection[Sequence[str]]"),
        ("tuple[str, int]", "tuple[str, float]"),
        ("tuple[str, str]", "tuple[str, ...]"),
        ("tuple[str, int | None]", "Sequence[str | int | None]"),
        ("tuple[str, ...]", "Iterable[str]"),
        ("set[str]", "Collection[str]"),
        ("frozenset[str]", "Iterable[str]"),
        ("dict[str, int]", "Mapping[str, float]"),
        ("dict[str, int]", "Iterable[str]"),
        ("Generator[str, None, None]", "Iterator[str]"),
        ("bool", "int"),
        ("int", "float"),
        ("bool", "float | None"),
        ("str | int", "int | str | None"),
        ("list[str] | None", "Sequence[str] | None"),
        ("Literal['a', 'b']", "Literal['b', 'c', 'a']"),
        ("Book", "object"),
        ("Book", "typing.Any"),
        ("Book", ""),
        ("Callable[[str], None]", "Callable[[str], None] | None"),
    ],
)
def test_a_narrow_type_fits_a_wide_one_but_not_vice_versa(narrow: str, wide: str) -> None:
    assert fits(union(narrow), union(wide))
    assert not fits(union(wide), union(narrow))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("str", "int"),
        ("str", "Sequence[str]"),
        ("Sequence[str]", "Iterable[int]"),
        ("list[str]", "list[str | int]"),
        ("list[str]", "set[str]"),
        ("dict[str, int]", "dict[str, float]"),
        ("Mapping[str, int]", "Mapping[str | int, int]"),
        ("tuple[str, int]", "tuple[str]"),
        ("tuple[str, int]", "Iterable[str]"),
        ("Callable[[str], None]", "Callable[[object], None]"),
        ("Literal['a']", "Literal['b']"),
        ("str | None", "int | None"),
    ],
)
def test_types_of_which_neither_fits_into_the_other(one: str, other: str) -> None:
    assert not fits(union(one), union(other))
    assert not fits(union(other), union(one))


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
