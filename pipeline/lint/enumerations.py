"""The names of the members of enumerations."""

from __future__ import annotations

import keyword
import re
from typing import Any, Final

from pipeline.codegen.names import constant
from pipeline.lint.run import Rule, Run
from pipeline.openapi.documents import Pointer
from pipeline.openapi.extensions import problems
from pipeline.openapi.objects import as_list
from pipeline.openapi.wording import brief

_WORD: Final = "x-enum-varnames"


def _given_names(run: Run) -> None:
    """`x-enum-varnames` has a name for each value."""
    for node in run.of("schema"):
        if node.value.get(_WORD) is None:
            continue
        names, at = node.value[_WORD], (*node.pointer, _WORD)
        values = node.value.get("enum", node.value.get("x-extensible-enum"))
        if any(problems(_WORD, names)):
            continue
        if not isinstance(values, list):
            run.report(at, f"{_WORD}: needs enum or x-extensible-enum beside it", "enum-names")
        elif len(names) != len(values):
            text = f"{_WORD}: must be as many as the values, {len(values)}, not {len(names)}"
            run.report(at, text, "enum-names")
        for index, name in enumerate(names):
            _given_name(run, (*at, index), name)
            if name in names[:index]:
                run.report((*at, index), f"{_WORD}: {name} stands twice", "enum-names")


def _given_name(run: Run, at: Pointer, name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        text = f"{_WORD}: {name} cannot be the name of an enumeration member"
        run.report(at, text, "enum-names")
    elif run.house == "error" and not re.fullmatch("[A-Z][A-Z0-9_]*", name):
        text = f"{_WORD}: {name} must be in capitals, such as {constant(name)}"
        run.report(at, text, "enum-names")


def _automatic_names(run: Run) -> None:
    """No two values have the same name in Python, where the document gives none."""
    for node in run.of("schema"):
        if node.value.get(_WORD) is not None:
            continue
        seen: dict[str, Any] = {}
        for value in as_list(node.value.get("enum", node.value.get("x-extensible-enum"))):
            if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
                name = constant(str(value))
                other = seen.setdefault(name, value)
                if other != value:
                    text = (
                        f"enum: {brief(other)} and {brief(value)} both become {name};"
                        f" name the members by {_WORD}"
                    )
                    run.report(node.pointer, text, "enum-names")


RULES: Final[tuple[Rule, ...]] = (_given_names, _automatic_names)
