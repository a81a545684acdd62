# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Typed Python client of the Social Publishing Service: posts, groups, notes, labels, metrics and media.

Start with `SocialPublishing`, or `AsyncSocialPublishing` to await; models are in `social_publishing.models`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import models as models
    from ._runtime.files import File as File
    from ._runtime.files import FileInput as FileInput
    from ._runtime.ids import id_key as id_key
    from ._runtime.models import UNSET as UNSET
    from ._runtime.models import UnsetType as UnsetType
    from ._runtime.request import Request as Request
    from .client import AsyncSocialPublishing as AsyncSocialPublishing
    from .client import SocialPublishing as SocialPublishing
    from .errors import ArgumentError as ArgumentError
    from .errors import ArgumentProblem as ArgumentProblem
    from .errors import AuthenticationError as AuthenticationError
    from .errors import BadRequestError as BadRequestError
    from .errors import ConfigurationError as ConfigurationError
    from .errors import ConflictError as ConflictError
    from .errors import ConnectionFailed as ConnectionFailed
    from .errors import DecodeError as DecodeError
    from .errors import Exchange as Exchange
    from .errors import NotFoundError as NotFoundError
    from .errors import PayloadTooLargeError as PayloadTooLargeError
    from .errors import PermissionDeniedError as PermissionDeniedError
    from .errors import RateLimitError as RateLimitError
    from .errors import RequestTimedOut as RequestTimedOut
    from .errors import ServerError as ServerError
    from .errors import SocialPublishingError as SocialPublishingError
    from .errors import StatusError as StatusError
    from .errors import TransportError as TransportError
    from .errors import UnprocessableEntityError as UnprocessableEntityError
    from .errors import UnsupportedMediaTypeError as UnsupportedMediaTypeError

__version__ = "0.1.0"

_HOMES = {
    "ArgumentError": ".errors",
    "ArgumentProblem": ".errors",
    "AsyncSocialPublishing": ".client",
    "AuthenticationError": ".errors",
    "BadRequestError": ".errors",
    "ConfigurationError": ".errors",
    "ConflictError": ".errors",
    "ConnectionFailed": ".errors",
    "DecodeError": ".errors",
    "Exchange": ".errors",
    "File": "._runtime.files",
    "FileInput": "._runtime.files",
    "NotFoundError": ".errors",
    "PayloadTooLargeError": ".errors",
    "PermissionDeniedError": ".errors",
    "RateLimitError": ".errors",
    "Request": "._runtime.request",
    "RequestTimedOut": ".errors",
    "ServerError": ".errors",
    "SocialPublishing": ".client",
    "SocialPublishingError": ".errors",
    "StatusError": ".errors",
    "TransportError": ".errors",
    "UNSET": "._runtime.models",
    "UnprocessableEntityError": ".errors",
    "UnsetType": "._runtime.models",
    "UnsupportedMediaTypeError": ".errors",
    "id_key": "._runtime.ids",
}

__all__ = [
    "ArgumentError",
    "ArgumentProblem",
    "AsyncSocialPublishing",
    "AuthenticationError",
    "BadRequestError",
    "ConfigurationError",
    "ConflictError",
    "ConnectionFailed",
    "DecodeError",
    "Exchange",
    "File",
    "FileInput",
    "NotFoundError",
    "PayloadTooLargeError",
    "PermissionDeniedError",
    "RateLimitError",
    "Request",
    "RequestTimedOut",
    "ServerError",
    "SocialPublishing",
    "SocialPublishingError",
    "StatusError",
    "TransportError",
    "UNSET",
    "UnprocessableEntityError",
    "UnsetType",
    "UnsupportedMediaTypeError",
    "id_key",
    "models",
]


def __getattr__(name: str) -> Any:
    # Loaded when asked for: a program pays for what it uses.
    if name == "models":
        return import_module(".models", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name], __name__), name)
    globals()[name] = value  # the next look finds it without coming here
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
