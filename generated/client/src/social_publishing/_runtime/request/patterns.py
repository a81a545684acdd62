"""Patterns of JSON Schema, matched in time that grows with the text alone.

Python's `re` tries one way through a pattern after the other, of which some patterns have more than
anyone can wait for. Those go to a matcher that follows all ways at once. This module imports
nothing of the runtime: the generator asks it which patterns a client can check.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final, TypeAlias

# The parser of `re` has no public name.
op: Any = import_module("re._constants")
_parser: Any = import_module("re._parser")

Search: TypeAlias = Callable[[str], object]
"""Returns whether a pattern occurs in a text, as a truth value."""

_MOST_WAYS: Final = 1_000  # from one place of a text through a pattern, for `re` to try
_MOST_STATES: Final = 5_000  # of a matcher
_MOST_STEPS: Final = 20_000  # that a matcher remembers
# What `\s` and `\S` of ECMA-262 hold, within a character class.
_SPACE: Final = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_NO_SPACE: Final = (
    r"\x00-\x08\x0e-\x1f!-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e"
    r"\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff"
)
_ECMA: Final = {
    "$": r"\Z",
    ".": r"[^\n\r\u2028\u2029]",
    r"\s": f"[{_SPACE}]",
    r"\S": f"[{_NO_SPACE}]",
}
_STARTS: Final = (op.AT_BEGINNING, op.AT_BEGINNING_STRING)
_REPEATS: Final = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
_LOOKS: Final = (op.ASSERT, op.ASSERT_NOT)
_SIGNS: Final = (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY)


@cache
def search_of(pattern: str) -> Search | None:
    """Return what looks for a pattern of JSON Schema (ECMA-262) in texts.

    `$` is the very end; `\\d` and `\\w` are ASCII, but `\\s` is the white space of Unicode. None
    stands for a pattern that is none of Python, or that no search has a bound for.
    """
    tokens = r"\\.|\[(?:\\.|[^\]\\])*\]|[$.]"  # in an escape or a class, `$` and `.` are themselves
    text = re.sub(tokens, _translated, pattern, flags=re.DOTALL)
    try:
        compiled = re.compile(text, re.ASCII)
        tree = _parser.parse(text, re.ASCII)
        if _is_quick(list(tree)):
            return compiled.search
        return _Matcher(list(tree)).search if compiled.flags == re.ASCII else None
    except (re.error, OverflowError, RecursionError, _Unsupported):
        return None


def _translated(token: re.Match[str]) -> str:
    if token[0] in _ECMA:
        return _ECMA[token[0]]
    inner = {r"\s": _SPACE, r"\S": _NO_SPACE}
    return re.sub(r"\\.", lambda escape: inner.get(escape[0], escape[0]), token[0], flags=re.DOTALL)


def _is_quick(tree: Sequence[Any]) -> bool:
    """Return whether `re` has few ways through a pattern, in any text, however it ends."""
    starts = bool(tree) and tree[0][0] is op.AT and tree[0][1] in _STARTS
    counts = list(_ways(tree, once=starts))
    endless = counts.count(0)
    few = math.prod(count or 1 for count in counts) <= _MOST_WAYS
    return few and (endless == 0 or (endless == 1 and starts))


def _ways(tree: Sequence[Any], once: bool) -> Iterator[int]:
    """Yield how many ways each part of a pattern has; 0 for as many as a text has characters.

    More than is allowed stands for what may have more: a repeat of what has several by itself.

    Args:
        once: whether the pattern is tried at one place of a text alone.
    """
    for kind, value in tree:
        own: list[int] = []
        if kind is op.SUBPATTERN:
            own += _ways(value[3], once)
        elif kind is op.ATOMIC_GROUP:
            own += _ways(value, once)
        elif kind is op.BRANCH:
            own += [len(value[1]), *(n for branch in value[1] for n in _ways(branch, once))]
        elif kind in _REPEATS:
            least, most, content = value
            inner = [count for count in _ways(content, once and most == 1) if count != 1]
            if inner and most > 1:
                own.append(_MOST_WAYS + 1)
            else:
                own += [0 if most is op.MAXREPEAT else most - least + 1, *inner]
        elif kind in _LOOKS:
            looked = [(op.AT, op.AT_BEGINNING), *value[1]]
            is_forward = value[0] > 0
            if any(count != 1 for count in _ways(value[1], once)) and not (
                once and is_forward and _is_quick(looked)
            ):
                own.append(_MOST_WAYS + 1)
        elif kind in (op.GROUPREF, op.GROUPREF_EXISTS):
            own.append(_MOST_WAYS + 1)
        once = once and all(count == 1 for count in own)
        yield from own


class _Unsupported(Exception):
    """A part of a pattern that only `re` can match."""


class _Matcher:
    """Follows all ways through a pattern at once, and remembers each step that it has taken.

    A state is a list of what one may do there: read a character of some kind, stand at a place of
    the text, or neither, and go on to another state. The last state is the end.
    """

    def __init__(self, tree: Sequence[Any]) -> None:
        self.states: list[list[tuple[Any, Any, int]]] = [[]]
        self.end = self._sequence(tree, 0)
        self.steps: dict[Any, frozenset[int] | None] = {}
        self.start = frozenset((0,))

    def search(self, text: str) -> bool:
        """Return whether the pattern occurs in a text."""
        states, before = self.start, ""
        for sign in (*text, ""):
            key = (states, before and _is_word(before), sign)
            if key not in self.steps:
                if len(self.steps) >= _MOST_STEPS:
                    self.steps.clear()
                self.steps[key] = self._step(states, before, sign)
            following = self.steps[key]
            if following is None:
                return True
            states, before = following, sign
        return False

    def _step(self, states: frozenset[int], before: str, sign: str) -> frozenset[int] | None:
        """Return the states behind a character; None where the pattern has been found before it."""
        reached: set[int] = set()
        following = {0}  # it may begin anywhere
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state in reached:
                continue
            if state == self.end:
                return None
            reached.add(state)
            for kind, value, target in self.states[state]:
                if kind is None or (kind is op.AT and _stands(value, before, sign)):
                    waiting.append(target)
                elif kind is not op.AT and sign and _reads(kind, value, sign):
                    following.add(target)
        return frozenset(following)

    def _new(self) -> int:
        if len(self.states) >= _MOST_STATES:
            raise _Unsupported
        self.states.append([])
        return len(self.states) - 1

    def _sequence(self, tree: Sequence[Any], state: int) -> int:
        """Add the parts of a pattern behind a state; return the state behind them."""
        for kind, value in tree:
            if kind in _SIGNS or kind is op.AT:
                following = self._new()
                self.states[state].append((kind, value, following))
                state = following
            elif kind is op.SUBPATTERN and not (value[1] or value[2]):
                state = self._sequence(value[3], state)
            elif kind is op.BRANCH:
                ends = [self._sequence(branch, self._behind(state)) for branch in value[1]]
                state = self._new()
                for end in ends:
                    self.states[end].append((None, None, state))
            elif kind in (op.MAX_REPEAT, op.MIN_REPEAT):
                least, most, content = value
                state = self._repeat(least, most, content, state)
            else:
                raise _Unsupported
        return state

    def _repeat(self, least: int, most: int, content: Sequence[Any], state: int) -> int:
        for _ in range(least):
            state = self._sequence(content, state)
        if most is op.MAXREPEAT:
            state = self._behind(state)
            end = self._sequence(content, state)
            self.states[end].append((None, None, state))
            return self._behind(state)
        ends = [state]
        for _ in range(least, most):
            state = self._sequence(content, state)
            ends.append(state)
        end = self._new()
        for each in ends:
            self.states[each].append((None, None, end))
        return end

    def _behind(self, state: int) -> int:
        """Return a new state that is reached from another without reading anything."""
        following = self._new()
        self.states[state].append((None, None, following))
        return following


def _stands(value: Any, before: str, sign: str) -> bool:
    """Return whether a place between two characters, each empty at an end, is of a kind."""
    if value in _STARTS:
        return not before
    if value is op.AT_END_STRING:
        return not sign
    edge = _is_word(before) != _is_word(sign)
    if value is op.AT_BOUNDARY:
        return edge
    if value is op.AT_NON_BOUNDARY:
        return not edge
    raise _Unsupported


def _is_word(sign: str) -> bool:
    return sign == "_" or (sign.isascii() and sign.isalnum())


@lru_cache(maxsize=_MOST_STEPS)
def _class_reads(items: tuple[Any, ...], sign: str) -> bool:
    """Return whether a character is in a class."""
    code = ord(sign)
    for kind, value in items:
        if kind is op.LITERAL and code == value:
            return items[0][0] is not op.NEGATE
        if kind is op.RANGE and value[0] <= code <= value[1]:
            return items[0][0] is not op.NEGATE
        if kind is op.CATEGORY and _is_of(value, sign):
            return items[0][0] is not op.NEGATE
    return items[0][0] is op.NEGATE


def _is_of(category: Any, sign: str) -> bool:
    match category:
        case op.CATEGORY_DIGIT:
            return sign.isascii() and sign.isdigit()
        case op.CATEGORY_NOT_DIGIT:
            return not (sign.isascii() and sign.isdigit())
        case op.CATEGORY_WORD:
            return _is_word(sign)
        case op.CATEGORY_NOT_WORD:
            return not _is_word(sign)
        case _:
            raise _Unsupported


def _reads(kind: Any, value: Any, sign: str) -> bool:
    """Return whether a part of a pattern reads a character."""
    if kind is op.IN:
        return _class_reads(tuple(value), sign)
    if kind is op.ANY:
        return sign != "\n"
    return (ord(sign) == value) is (kind is op.LITERAL)
