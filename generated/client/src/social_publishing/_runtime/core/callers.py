"""Where the code is that called this package: warnings point there."""

from __future__ import annotations

from collections.abc import Iterable


def warn(operation: str, cautions: Iterable[tuple[type[Warning], str]]) -> None:
    """Warn the caller of this package about an operation."""
    for category, text in cautions:
        import warnings  # rarely needed, and not free to load

        warnings.warn(f"{operation}: {text}", category, stacklevel=stack_level())


def stack_level() -> int:
    """Return how far up the caller's code is, as `warnings.warn` counts."""
    from inspect import currentframe  # rarely needed, and not free to load

    package = __name__.partition(".")[0]
    level, frame = 0, currentframe()
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    return level
