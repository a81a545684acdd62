"""How far a call is: what is called meanwhile, and a bar that shows it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..core.errors import ConfigurationError
from ..core.named_tuples import NamedTuple

if TYPE_CHECKING:
    from typing import Self


class ProgressReport(NamedTuple):
    """How far a call is that takes long.

    Attributes:
        operation: the method, such as `books.list`.
        unit: what is counted: "bytes" of an upload, "items" of a list or a bulk call, or the
            "requests" of a list that is read in several windows.
        done: how many are done; a call that is tried again begins at 0 again.
        total: how many there are; None if that is not known.
    """

    operation: str
    unit: Literal["bytes", "items", "requests"]
    done: int
    total: int | None


OnProgress: TypeAlias = Callable[[ProgressReport], object]

Progress: TypeAlias = Callable[[int, int | None], object]
"""Called with the bytes of the files that were sent so far, and with their number in all, or None
while that is not known: once with 0, after each chunk, and in the end with both the same.

An upload that is tried again begins at 0 again. An error raised in it ends the upload.
"""

# What calls a callback elsewhere and waits for it, where a thread sends for a task; else None.
reporting: ContextVar[Callable[[Progress, int, int | None], None] | None] = ContextVar(
    "reporting", default=None
)


class ProgressBar:
    """A bar for one call at a time, and for any number in a row; made by `progress_bar`.

    The end of a `with` block ends the bar, whatever happened; without one, the end of a call does.
    """

    def __init__(self, tqdm: Any, description: str | None) -> None:
        self._tqdm, self._description = tqdm, description
        self._bar: Any = None
        self._operation = ""

    def __call__(self, report: ProgressReport | int, total: int | None = None) -> None:
        """Show how far a call is, or that so many bytes were sent, of so many."""
        if isinstance(report, int):
            report = ProgressReport("", "bytes", report, total)
        is_new = report.operation != self._operation or report.done < getattr(self._bar, "n", 0)
        bar: Any = self._begun(report) if self._bar is None or is_new else self._bar
        bar.total = report.total
        bar.update(report.done - bar.n)
        if report.done == report.total:
            self.close()

    def close(self) -> None:
        """End the bar, as far as it is. Another call makes a new one."""
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begun(self, report: ProgressReport) -> Any:
        self.close()
        self._operation = report.operation
        scale: dict[str, Any] = {"unit": f" {report.unit}"}
        if report.unit == "bytes":
            scale = {"unit": "B", "unit_scale": True, "unit_divisor": 1024}
        text = self._description or report.operation or None
        self._bar = self._tqdm(desc=text, total=report.total, **scale)
        return self._bar


def progress_bar(description: str | None = None) -> ProgressBar:
    """Return a progress bar for `on_progress` of a client, or `progress` of an upload.

    It is drawn by tqdm, on standard error or in a notebook.

        with progress_bar() as bar:
            books = list(client.with_options(on_progress=bar).books.list())

    Args:
        description: what stands beside the bar. Default: the method.

    Raises:
        ConfigurationError: tqdm is not installed.
    """
    try:
        tqdm = import_module("tqdm.auto")
    except ImportError:
        raise ConfigurationError(
            "a progress bar needs tqdm: install it, or this package with its extra 'progress'"
        ) from None
    return ProgressBar(tqdm.tqdm, description)
