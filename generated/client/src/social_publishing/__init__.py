# Generated from spec/main.yaml, spec/media.yaml by `python -m pipeline generate`. Do not edit.
"""Typed Python client of the Social Publishing Service: posts, groups, notes, labels, metrics and media.

Start with `SocialPublishing`, or `AsyncSocialPublishing` to await; models are in `social_publishing.models`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import models as models
    from ._runtime.core.clock import Clock as Clock
    from ._runtime.core.drift import Drift as Drift
    from ._runtime.core.drift import DriftWarning as DriftWarning
    from ._runtime.core.ids import id_key as id_key
    from ._runtime.core.models import UNSET as UNSET
    from ._runtime.core.models import Keyed as Keyed
    from ._runtime.core.models import UnsetType as UnsetType
    from ._runtime.core.waits import Wait as Wait
    from ._runtime.limits.budget import Pacing as Pacing
    from ._runtime.limits.budget import Room as Room
    from ._runtime.limits.file_rates import FileRates as FileRates
    from ._runtime.limits.ledger import RateStore as RateStore
    from ._runtime.limits.retries import Retries as Retries
    from ._runtime.limits.valkey_rates import ValkeyRates as ValkeyRates
    from ._runtime.plans.batching import Found as Found
    from ._runtime.plans.paging import AsyncPager as AsyncPager
    from ._runtime.plans.paging import Pager as Pager
    from ._runtime.request.multipart import File as File
    from ._runtime.request.multipart import FileInput as FileInput
    from ._runtime.request.multipart import NamedFileInput as NamedFileInput
    from ._runtime.request.outcome import Reconcile as Reconcile
    from ._runtime.request.outcome import Reconciled as Reconciled
    from ._runtime.request.progress import Progress as Progress
    from ._runtime.request.progress import ProgressBar as ProgressBar
    from ._runtime.request.progress import ProgressReport as ProgressReport
    from ._runtime.request.progress import progress_bar as progress_bar
    from ._runtime.request.request import Request as Request
    from ._runtime.request.write_back import Arguments as Arguments
    from ._runtime.request.write_back import LostField as LostField
    from ._runtime.response.raw import RawResponse as RawResponse
    from ._runtime.transport.middleware import AsyncMiddleware as AsyncMiddleware
    from ._runtime.transport.middleware import Attempt as Attempt
    from ._runtime.transport.middleware import Middleware as Middleware
    from ._runtime.transport.streaming import (
        AsyncStreamedResponse as AsyncStreamedResponse,
    )
    from ._runtime.transport.streaming import StreamedResponse as StreamedResponse
    from ._runtime.transport.telemetry import tracing as tracing
    from ._runtime.transport.telemetry import tracing_async as tracing_async
    from .client import AsyncSocialPublishing as AsyncSocialPublishing
    from .client import SocialPublishing as SocialPublishing
    from .errors import ArgumentError as ArgumentError
    from .errors import ArgumentProblem as ArgumentProblem
    from .errors import AssumedNameWarning as AssumedNameWarning
    from .errors import AuthenticationError as AuthenticationError
    from .errors import BadRequestError as BadRequestError
    from .errors import Batch as Batch
    from .errors import ConfigurationError as ConfigurationError
    from .errors import ConflictError as ConflictError
    from .errors import ConnectionFailed as ConnectionFailed
    from .errors import DeadlineExceeded as DeadlineExceeded
    from .errors import DecodeError as DecodeError
    from .errors import DriftError as DriftError
    from .errors import Exchange as Exchange
    from .errors import ExchangeError as ExchangeError
    from .errors import LimitationWarning as LimitationWarning
    from .errors import NotFoundError as NotFoundError
    from .errors import OutcomeUnknown as OutcomeUnknown
    from .errors import PagingError as PagingError
    from .errors import PartialFailure as PartialFailure
    from .errors import PayloadTooLargeError as PayloadTooLargeError
    from .errors import PermissionDeniedError as PermissionDeniedError
    from .errors import ProcessingFailed as ProcessingFailed
    from .errors import RateLimitError as RateLimitError
    from .errors import RateLimitReached as RateLimitReached
    from .errors import RequestTimedOut as RequestTimedOut
    from .errors import ResponseTooLarge as ResponseTooLarge
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
    "Arguments": "._runtime.request.write_back",
    "AssumedNameWarning": ".errors",
    "AsyncMiddleware": "._runtime.transport.middleware",
    "AsyncPager": "._runtime.plans.paging",
    "AsyncSocialPublishing": ".client",
    "AsyncStreamedResponse": "._runtime.transport.streaming",
    "Attempt": "._runtime.transport.middleware",
    "AuthenticationError": ".errors",
    "BadRequestError": ".errors",
    "Batch": ".errors",
    "Clock": "._runtime.core.clock",
    "ConfigurationError": ".errors",
    "ConflictError": ".errors",
    "ConnectionFailed": ".errors",
    "DeadlineExceeded": ".errors",
    "DecodeError": ".errors",
    "Drift": "._runtime.core.drift",
    "DriftError": ".errors",
    "DriftWarning": "._runtime.core.drift",
    "Exchange": ".errors",
    "ExchangeError": ".errors",
    "File": "._runtime.request.multipart",
    "FileInput": "._runtime.request.multipart",
    "FileRates": "._runtime.limits.file_rates",
    "Found": "._runtime.plans.batching",
    "Keyed": "._runtime.core.models",
    "LimitationWarning": ".errors",
    "LostField": "._runtime.request.write_back",
    "Middleware": "._runtime.transport.middleware",
    "NamedFileInput": "._runtime.request.multipart",
    "NotFoundError": ".errors",
    "OutcomeUnknown": ".errors",
    "Pacing": "._runtime.limits.budget",
    "Pager": "._runtime.plans.paging",
    "PagingError": ".errors",
    "PartialFailure": ".errors",
    "PayloadTooLargeError": ".errors",
    "PermissionDeniedError": ".errors",
    "ProcessingFailed": ".errors",
    "Progress": "._runtime.request.progress",
    "ProgressBar": "._runtime.request.progress",
    "ProgressReport": "._runtime.request.progress",
    "RateLimitError": ".errors",
    "RateLimitReached": ".errors",
    "RateStore": "._runtime.limits.ledger",
    "RawResponse": "._runtime.response.raw",
    "Reconcile": "._runtime.request.outcome",
    "Reconciled": "._runtime.request.outcome",
    "Request": "._runtime.request.request",
    "RequestTimedOut": ".errors",
    "ResponseTooLarge": ".errors",
    "Retries": "._runtime.limits.retries",
    "Room": "._runtime.limits.budget",
    "ServerError": ".errors",
    "SocialPublishing": ".client",
    "SocialPublishingError": ".errors",
    "StatusError": ".errors",
    "StreamedResponse": "._runtime.transport.streaming",
    "TransportError": ".errors",
    "UNSET": "._runtime.core.models",
    "UnprocessableEntityError": ".errors",
    "UnsetType": "._runtime.core.models",
    "UnsupportedMediaTypeError": ".errors",
    "ValkeyRates": "._runtime.limits.valkey_rates",
    "Wait": "._runtime.core.waits",
    "id_key": "._runtime.core.ids",
    "progress_bar": "._runtime.request.progress",
    "tracing": "._runtime.transport.telemetry",
    "tracing_async": "._runtime.transport.telemetry",
}

__all__ = [
    "ArgumentError",
    "ArgumentProblem",
    "Arguments",
    "AssumedNameWarning",
    "AsyncMiddleware",
    "AsyncPager",
    "AsyncSocialPublishing",
    "AsyncStreamedResponse",
    "Attempt",
    "AuthenticationError",
    "BadRequestError",
    "Batch",
    "Clock",
    "ConfigurationError",
    "ConflictError",
    "ConnectionFailed",
    "DeadlineExceeded",
    "DecodeError",
    "Drift",
    "DriftError",
    "DriftWarning",
    "Exchange",
    "ExchangeError",
    "File",
    "FileInput",
    "FileRates",
    "Found",
    "Keyed",
    "LimitationWarning",
    "LostField",
    "Middleware",
    "NamedFileInput",
    "NotFoundError",
    "OutcomeUnknown",
    "Pacing",
    "Pager",
    "PagingError",
    "PartialFailure",
    "PayloadTooLargeError",
    "PermissionDeniedError",
    "ProcessingFailed",
    "Progress",
    "ProgressBar",
    "ProgressReport",
    "RateLimitError",
    "RateLimitReached",
    "RateStore",
    "RawResponse",
    "Reconcile",
    "Reconciled",
    "Request",
    "RequestTimedOut",
    "ResponseTooLarge",
    "Retries",
    "Room",
    "ServerError",
    "SocialPublishing",
    "SocialPublishingError",
    "StatusError",
    "StreamedResponse",
    "TransportError",
    "UNSET",
    "UnprocessableEntityError",
    "UnsetType",
    "UnsupportedMediaTypeError",
    "ValkeyRates",
    "Wait",
    "id_key",
    "progress_bar",
    "tracing",
    "tracing_async",
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
