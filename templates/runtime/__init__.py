"""Runtime of every generated client: requests, responses, errors, files and times.

Plain Python that knows no API. The generated modules import from here, never the other way.
What is imported below is public: each package offers it to its users under the same name.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .core.clock import Clock as Clock
    from .core.drift import Drift as Drift
    from .core.drift import DriftWarning as DriftWarning
    from .core.ids import id_key as id_key
    from .core.models import UNSET as UNSET
    from .core.models import Keyed as Keyed
    from .core.models import UnsetType as UnsetType
    from .core.waits import Wait as Wait
    from .engine.oauth import ClientCredentials as ClientCredentials
    from .engine.oauth import RefreshToken as RefreshToken
    from .limits.budget import Pacing as Pacing
    from .limits.budget import Room as Room
    from .limits.file_rates import FileRates as FileRates
    from .limits.ledger import RateStore as RateStore
    from .limits.retries import Retries as Retries
    from .limits.valkey_rates import ValkeyRates as ValkeyRates
    from .plans.batching import Found as Found
    from .plans.paging import AsyncPager as AsyncPager
    from .plans.paging import Pager as Pager
    from .plans.streams import AsyncEventStream as AsyncEventStream
    from .plans.streams import AsyncItemStream as AsyncItemStream
    from .plans.streams import EventStream as EventStream
    from .plans.streams import ItemStream as ItemStream
    from .request.multipart import File as File
    from .request.multipart import FileInput as FileInput
    from .request.multipart import NamedFileInput as NamedFileInput
    from .request.outcome import Reconcile as Reconcile
    from .request.outcome import Reconciled as Reconciled
    from .request.progress import Progress as Progress
    from .request.progress import ProgressBar as ProgressBar
    from .request.progress import ProgressReport as ProgressReport
    from .request.progress import progress_bar as progress_bar
    from .request.request import Request as Request
    from .request.write_back import Arguments as Arguments
    from .request.write_back import LostField as LostField
    from .response.events import ServerEvent as ServerEvent
    from .response.raw import RawResponse as RawResponse
    from .transport.middleware import AsyncMiddleware as AsyncMiddleware
    from .transport.middleware import Attempt as Attempt
    from .transport.middleware import Middleware as Middleware
    from .transport.streaming import AsyncStreamedResponse as AsyncStreamedResponse
    from .transport.streaming import StreamedResponse as StreamedResponse
    from .transport.telemetry import tracing as tracing
    from .transport.telemetry import tracing_async as tracing_async
