"""JSONPath of RFC 9535, in which targets are written."""

from __future__ import annotations

import functools
from typing import Any, Final

import jsonpath
from jsonpath.lex import Lexer

from pipeline.openapi.documents import Pointer


class _Rfc9535Lexer(Lexer):
    # The library lets a hyphen into `$.x-name` even when strict; RFC 9535 wants `$['x-name']`.
    # Everything beyond ASCII is written as what is not in it, which compiles ten times as fast.
    key_pattern = r"(?:[a-zA-Z_]|[^\x00-\x7f])(?:[a-zA-Z0-9_]|[^\x00-\x7f])*"


class _Rfc9535(jsonpath.JSONPathEnvironment):
    lexer_class = _Rfc9535Lexer


_ENVIRONMENT: Final = _Rfc9535(strict=True)


@functools.lru_cache(maxsize=4096)
def compile_query(query: str) -> jsonpath.JSONPath | jsonpath.CompoundJSONPath:
    """Compile an RFC 9535 query. Raises ValueError with the reason."""
    try:
        return _ENVIRONMENT.compile(query)
    except jsonpath.JSONPathError as error:
        reason = str(error.args[0]) if error.args else "not a query"
        if error.token is not None and error.token.index >= 0:
            reason += f" (character {error.token.index + 1})"
        raise ValueError(reason) from None


def select(query: str, data: Any) -> list[Pointer]:
    """Return the pointers of the selected nodes, each once."""
    return list(dict.fromkeys(tuple(match.parts) for match in compile_query(query).finditer(data)))
