# ruff: noqa: F821
from dataclasses import dataclass

LIMIT = 30
Sort = str


@dataclass(frozen=True)
class Retries:
    times: int = 5
    pause: float = 1.0


def sort_key(book: str, *books: str) -> int: ...
def pick(ids: Iterable[str], weights: Mapping[str, float | None]) -> list[str]: ...
def keep(ids: list[str | int], note) -> Collection[bool]: ...
