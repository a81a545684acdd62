"""Context of a call: what its steps need of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..core.named_tuples import NamedTuple
from ..core.waits import WatchedClock

if TYPE_CHECKING:
    from ..core.clock import Clock
    from ..core.waits import WaitReason
    from .options import Options
    from .settings import Settings

C = TypeVar("C")


class Context(NamedTuple, Generic[C]):
    """Context of a call; its client is to be kept in an error that needs it later."""

    settings: Settings
    options: Options
    clock: Clock
    connections: C
    client: Any

    def watched(self, operation: str, reason: WaitReason) -> Clock:
        """Return the clock for a wait that is to be reported as the options say."""
        on_wait = self.options.on_wait
        return WatchedClock(self.clock, on_wait, operation, reason) if on_wait else self.clock
