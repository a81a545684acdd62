"""A small package, as generated clients are laid out; the `after` beside it is its next version."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import models as models
    from .client import AsyncLibrary as AsyncLibrary
    from .client import Library as Library
    from .errors import LibraryError as LibraryError
    from .errors import Lost as Lost
    from .helpers import LIMIT as LIMIT
    from .helpers import Retries as Retries
    from .helpers import Sort as Sort
    from .helpers import keep as keep
    from .helpers import pick as pick
    from .helpers import sort_key as sort_key

__version__ = "1.0.0"
__all__ = [
    "LIMIT", "AsyncLibrary", "Library", "LibraryError", "Lost", "Retries", "Sort", "models",
    "__version__", "keep", "pick", "sort_key",
]  # fmt: skip
