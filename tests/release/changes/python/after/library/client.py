from functools import cached_property

from .resources import AsyncBooksResource, BooksResource


class Library:
    def __init__(
        self, *, token: str | None = None, timeout: float = 20, retries: int = 3
    ) -> None: ...

    @cached_property
    def books(self) -> BooksResource: ...

    def ping(self, pause: float, times: int) -> int: ...

    def _hidden(self, more: int) -> None: ...


class AsyncLibrary:
    def __init__(
        self, *, token: str | None = None, timeout: float = 20, retries: int = 3
    ) -> None: ...

    @cached_property
    def books(self) -> AsyncBooksResource: ...
