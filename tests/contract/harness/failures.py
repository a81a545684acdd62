"""A failure as people read it, and how to see it again."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from typing import Any

from harness.calls import Call
from tests.support.documents import Json, Operation

_repeat = "python -m pytest tests/contract -k {}"


class ContractFailure(AssertionError):
    """Client and documents do not agree; the text says everything that is needed to see it."""


def repeat_with(command: str) -> None:
    """What the texts name as the command that shows a failure again; {} is the operation."""
    global _repeat
    _repeat = command


def failure(
    operation: Operation,
    *,
    title: str,
    case: Json = None,
    call: Call | str | None = None,
    expected: Iterable[str] | str,
    came: Iterable[str] | str,
    place: str | None = None,
) -> ContractFailure:
    """Return the failure to raise.

    Args:
        title: what is not as it should be, in one sentence.
        case: the values that were generated.
        call: the call of the client that shows it.
        expected: what the documents, or the client's promise, want.
        came: what happened instead.
        place: where in the documents it stands; the operation when it is not said.
    """
    code = call.python() if isinstance(call, Call) else call
    sections = [
        ("operation", str(operation)),
        ("case", None if case is None else json.dumps(case, ensure_ascii=False, default=repr)),
        ("in Python", code),
        ("expected", _lines(expected)),
        ("came", _lines(came)),
        ("documents", place or operation.place),
        ("again", _repeat.replace("{}", operation.id)),
    ]
    body = "\n".join(
        f"{name + ':':<11}{textwrap.indent(text, ' ' * 11).lstrip()}"
        for name, text in sections
        if text is not None
    )
    return ContractFailure(f"{title}\n\n{textwrap.indent(body, '  ')}\n")


def _lines(text: Iterable[str] | str) -> str:
    return text if isinstance(text, str) else "\n".join(text)


def shown(value: Any) -> str:
    """Return a value, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 1000 else f"{text[:1000]}… ({len(text)} characters)"
