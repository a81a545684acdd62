"""JSONPath of RFC 9535, in which targets are written."""

from __future__ import annotations

import functools
import re
from typing import Any, Final

import jsonpath
from jsonpath.exceptions import JSONPathSyntaxError
from jsonpath.filter import BaseExpression, FloatLiteral
from jsonpath.lex import Lexer
from jsonpath.parse import Parser
from jsonpath.stream import TokenStream
from jsonpath.token import TOKEN_NOT, TOKEN_WHITESPACE, Token

from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import members
from pipeline.openapi.wording import near


class _Rfc9535Lexer(Lexer):
    # The library lets a hyphen into `$.x-name` even when strict; RFC 9535 wants `$['x-name']`.
    # Everything beyond ASCII is written as what is not in it, which compiles ten times as fast.
    key_pattern = r"(?:[a-zA-Z_]|[^\x00-\x7f])(?:[a-zA-Z0-9_]|[^\x00-\x7f])*"


class _Rfc9535Parser(Parser):
    # The library refuses `\\u0000` and other escaped control characters, which RFC 9535 allows.
    def _decode_string_literal(self, token: Token) -> str:
        held = _CONTROL.sub(
            lambda escape: chr(_HOLDER + int(escape[1], 16)) if escape[1] else escape[0],
            token.value,
        )
        text = super()._decode_string_literal(Token(token.kind, held, token.index, token.path))
        return "".join(
            chr(ord(s) - _HOLDER) if _HOLDER <= ord(s) < _HOLDER + 32 else s for s in text
        )

    def parse_integer_literal(self, stream: TokenStream) -> BaseExpression:
        token = stream.current()
        try:
            return super().parse_integer_literal(stream)
        except OverflowError:  # `1e400`, which the library reads as a float first
            return FloatLiteral(value=float(token.value))

    # The library takes `!!@.a`, and RFC 9535 one `!`.
    def parse_prefix_expression(self, stream: TokenStream) -> BaseExpression:
        token = stream.peek(1 + (stream.peek().kind == TOKEN_WHITESPACE))
        if token.kind == TOKEN_NOT:
            raise JSONPathSyntaxError(f"unexpected token {token.value!r}", token=token)
        return super().parse_prefix_expression(stream)


_CONTROL: Final = re.compile(r"\\(?:u00([01][0-9A-Fa-f])|.)", re.DOTALL)
_HOLDER: Final = 0xD800  # no text of a document has half of a surrogate pair


class _Rfc9535(jsonpath.JSONPathEnvironment):
    lexer_class = _Rfc9535Lexer
    parser_class = _Rfc9535Parser


_ESCAPED: Final = re.compile(r"\\.", re.DOTALL)
_ENVIRONMENT: Final = _Rfc9535(strict=True)


@functools.lru_cache(maxsize=4096)
def compile_query(query: str) -> jsonpath.JSONPath | jsonpath.CompoundJSONPath:
    """Compile an RFC 9535 query. Raises ValueError with the reason."""
    try:
        return _ENVIRONMENT.compile(query)
    except jsonpath.JSONPathError as error:
        reason = str(error.args[0]) if error.args else "not a query"
        at = len(query) if error.token is None or error.token.index < 0 else error.token.index
        if "TOKEN_ROOT" in reason:
            reason = "must begin with $"
        elif missing := _missing(query, at, reason):
            before = f" before `{query[at]}`" if at < len(query) else " at its end"
            reason = f"{missing} is missing{before}"
        elif "TOKEN_" in reason:
            reason = f"unexpected token {query[at : at + 1]!r}"
        if at < len(query):
            reason += f" (character {at + 1})"
        raise ValueError(reason) from None


def _missing(query: str, at: int, reason: str) -> str:
    """Return what a query lacks: the end of a quoted text, or of a bracket that is open there."""
    open_: list[str] = []
    quote = ""
    for sign in _ESCAPED.sub("__", query[:at]):
        if quote or sign in "'\"":
            quote = "" if quote == sign else quote or sign
        elif sign in "[(":
            open_.append("]" if sign == "[" else ")")
        elif open_ and sign == open_[-1]:
            open_.pop()
    if query[at : at + 1] in ("'", '"') and query.count(query[at]) % 2:
        return f"a second `{query[at]}`"
    is_open = re.search("TOKEN_COMMA|end of (?:segment|query)", reason)
    return f"a `{open_[-1]}`" if is_open and open_ else ""


def select(query: str, data: Any) -> list[Pointer]:
    """Return the pointers of the selected nodes, each once."""
    return list(dict.fromkeys(tuple(match.parts) for match in compile_query(query).finditer(data)))


# A step to one member or item; what else a query may have is not followed.
_STEP: Final = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\['((?:[^'\\]|\\.)*)'\]|\[([0-9]+)\]")

_TEXT: Final = re.compile(r"== *['\"]([^'\"\\]+)")


def nearest(query: str, data: Any) -> str:
    """Return where a query that selects nothing ends, as the rest of a sentence."""
    at = 1
    while step := _STEP.match(query, at):
        name = step[1] or step[2] or int(step[3])
        inner = dict(members(data))
        if name not in inner:
            hint = near(str(name), map(str, inner))
            return f": {query[:at]} has no {name}{hint}"
        data, at = inner[name], step.end()
    inner = dict(members(data))
    said = {text for each in inner.values() for _, text in members(each) if isinstance(text, str)}
    wanted = (near(text, said) for text in _TEXT.findall(query, at) if text not in said)
    hint = next(filter(None, wanted), "")
    return f": none of the {len(inner)} members of {query[:at]} matches{hint}"
