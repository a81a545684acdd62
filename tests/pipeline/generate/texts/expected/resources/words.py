# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""A \"\"\"triple\"\"\", a \\ and {{ braces }} {% if %}.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from typing import Annotated

from .._runtime.core.models import UNSET, Meta, UnsetType
from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.words import SayHow, Word, WordInput

__all__ = [
    "AsyncWordsResource",
    "WordsResource",
    "build_say",
]


def build_say(
    *,
    how: SayHow | UnsetType = UNSET,
    which: str | UnsetType = UNSET,
    text: str,
    a_b: str | UnsetType = UNSET,
) -> Request[Word]:
    """Say "it".

    First \"\"\"quoted\"\"\" and \\n kept; {{ not }} {% evaluated %} # no comment.

    Second – with ünïcode, and a `|` bar. Ends with "quotes"

    Args:
        how: Line one line two \\.
        which: Ends in a backslash \\.
        text: \"\"\".
        a_b: A \\" escaped one and \\u0041 that stays.

    Returns:
        The "word".

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        IMATeapotError: status 418. Says \"\"\"no\"\"\" and \\.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no answer came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /words.
    """
    return prepare(
        operation="words.say",
        server="document",
        method="POST",
        path="/words",
        query=[
            Parameter("how", how, SayHow, "how"),
            Parameter("which", which, Annotated[str, Meta(pattern="^[\"'\\\\\\d]+$")], "which"),
        ],
        json=WordInput(text=text, a_b=a_b),
        returns=Word,
        retry_safety="unsafe",
    )


class WordsResource(Resource[M]):
    """A \"\"\"triple\"\"\", a \\ and {{ braces }} {% if %}."""

    @property
    def with_raw_response(self) -> WordsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return WordsResource(self._client, raw=True)

    say = Method(build_say)
    """Say "it"."""


class AsyncWordsResource(AsyncResource[M]):
    """A \"\"\"triple\"\"\", a \\ and {{ braces }} {% if %}."""

    @property
    def with_raw_response(self) -> AsyncWordsResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncWordsResource(self._client, raw=True)

    say = AsyncMethod(build_say)
    """Say "it"."""
