"""Deprecated methods: type checkers strike them through, and each call warns (PEP 702)."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from typing_extensions import deprecated as deprecated  # of the checkers themselves
else:
    Function = TypeVar("Function", bound=Callable[..., object])

    def deprecated(message: str, /) -> Callable[[Function], Function]:
        """Mark a function as deprecated; a call warns with the message at the caller's line.

        Python shows a DeprecationWarning once for each line, in programs and in tests.
        """

        def decorate(function: Function) -> Function:
            @functools.wraps(function)
            def warned(*given: object, **named: object) -> object:
                warnings.warn(message, DeprecationWarning, stacklevel=2)
                return function(*given, **named)

            if inspect.iscoroutinefunction(function) and hasattr(inspect, "markcoroutinefunction"):
                inspect.markcoroutinefunction(warned)  # since Python 3.12
            warned.__deprecated__ = message
            return warned

        return decorate
