"""The next version of the package."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import models as models
    from .client import AsyncLibrary as AsyncLibrary
    from .client import Library as Library
    from .errors import Gone as Gone
    from .errors import LibraryError as LibraryError
    from .errors import Lost as Lost
    from .helpers import LIMIT as LIMIT
    from .helpers import Retries as Retries
    from .helpers import Sort as Sort
    from .helpers import keep as keep
    from .helpers import pick as pick
    from .helpers import sort_key as sort_key

__version__ = "2.0.0"
__all__ = [
    "LIMIT", "AsyncLibrary", "Gone", "Library", "LibraryError", "Lost", "Retries", "Sort", "models",
    "__version__", "keep", "pick", "sort_key",
]  # fmt: skip
