# Generated from document.yaml by `python -m pipeline generate`. Do not edit.
"""Operations of `books`.

Each `build_…` function checks the arguments of one operation and makes its request, without
sending it. The method of that name sends it, and returns what the service answers.
"""

from __future__ import annotations

from .._runtime.engine.methods import (
    AsyncMethod,
    AsyncResource,
    M,
    Method,
    Raw,
    Resource,
)
from .._runtime.request.request import Parameter, Request, prepare
from ..models.books import AudioBook

__all__ = [
    "AsyncBooksResource",
    "BooksResource",
    "build_get_book",
]


def build_get_book(isbn: str) -> Request[AudioBook]:
    """Read a book.

    Reads one.

    Args:
        isbn: Its number.

    Returns:
        The book.

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        StatusError: any other status outside 200 to 299.

    GET /books/{isbn}.
    """
    return prepare(
        operation="books.get_book",
        server="document",
        method="GET",
        path="/books/{isbn}",
        path_parameters=[Parameter("isbn", isbn, str, "isbn")],
        returns=AudioBook,
        retry_safety="safe",
    )


class BooksResource(Resource[M]):
    """Operations of `books`."""

    @property
    def with_raw_response(self) -> BooksResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return BooksResource(self._client, raw=True)

    get_book = Method(build_get_book)
    """Read a book."""


class AsyncBooksResource(AsyncResource[M]):
    """Operations of `books`."""

    @property
    def with_raw_response(self) -> AsyncBooksResource[Raw]:
        """The same operations, each as one request that gives the whole answer."""
        return AsyncBooksResource(self._client, raw=True)

    get_book = AsyncMethod(build_get_book)
    """Read a book."""
