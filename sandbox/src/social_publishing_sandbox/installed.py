"""What is said where a library is missing."""

from __future__ import annotations


def missing(error: ModuleNotFoundError) -> str:
    """Return which library is not installed, and how to install all of them."""
    name = (error.name or str(error)).partition(".")[0]
    return (
        f"the library {name} is not installed: install social-publishing-sandbox again (in a "
        "clone of the repository: pip install ./sandbox)"
    )
