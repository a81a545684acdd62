# ruff: noqa: F821
from dataclasses import dataclass

LIMIT = 60
Sort = str | int


@dataclass(frozen=True)
class Retries:
    times: int = 3
    pause: float = 1.0


def sort_key(book: str, reverse: bool = False) -> int: ...
def pick(ids: Sequence[str], weights: Mapping[str, int]) -> Sequence[str]: ...
def keep(ids: list[str], note: str) -> Iterable[int]: ...
