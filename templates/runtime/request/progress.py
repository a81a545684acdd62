"""How far an upload is: what is called meanwhile, and bars that are ready to be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from ..core.errors import ArgumentError, ArgumentProblem, ConfigurationError

if TYPE_CHECKING:
    from typing import Self

# Called with the bytes of the files that were sent so far, and with their number in all, or None
# while that is not known: once with 0, after each chunk, and in the end with both the same.
# An upload that is tried again begins at 0 again. An error raised in it ends the upload.
Progress: TypeAlias = Callable[[int, int | None], object]

# What calls a callback elsewhere and waits for it, where a thread sends for a task; else None.
reporting: ContextVar[Callable[[Progress, int, int | None], None] | None] = ContextVar(
    "reporting", default=None
)

BarKind: TypeAlias = Literal["auto", "tqdm", "rich"]


class _Bar(Protocol):
    """A bar that is on the screen."""

    def show(self, sent: int, total: int | None) -> None: ...
    def close(self) -> None: ...


class ProgressBar:
    """A bar for one upload at a time, and for any number in a row; made by `progress_bar`.

    Each upload, and each time that one is tried again, begins at 0. The end of a `with` block ends
    the bar, whatever happened; without one, the last byte does.
    """

    def __init__(self, make: Callable[[int | None], _Bar]) -> None:
        self._make = make
        self._bar: _Bar | None = None
        self._entered = False

    def __call__(self, sent: int, total: int | None) -> None:
        """Show that so many bytes were sent, of so many."""
        if self._bar is None:
            self._bar = self._make(total)
        self._bar.show(sent, total)
        if sent == total and not self._entered:
            self.close()

    def close(self) -> None:
        """End the bar, as far as it is. Another upload makes a new one."""
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.close()

    def __enter__(self) -> Self:
        self._entered = True
        return self

    def __exit__(self, *_: object) -> None:
        self._entered = False
        self.close()


def progress_bar(description: str | None = None, *, kind: BarKind = "auto") -> ProgressBar:
    """Return a progress bar on the standard error, for the `progress` argument of an upload.

        with progress_bar("cover.png") as bar:
            client.books.add_cover("cover.png", progress=bar)

    Args:
        description: what stands beside the bar.
        kind: the library that draws it; "auto" takes tqdm if it is there, else rich.

    Raises:
        ConfigurationError: the library is not installed.
        ArgumentError: there is no such kind.
    """
    if kind not in ("auto", *_BARS):
        problem = ArgumentProblem("kind", f"must be 'auto', 'tqdm' or 'rich', got {kind!r}")
        raise ArgumentError("progress_bar", (problem,))
    for bar in _BARS.values() if kind == "auto" else (_BARS[kind],):
        try:
            library = import_module(bar.module)
        except ImportError:
            continue
        return ProgressBar(partial(bar, library, description or ""))
    needed = " or ".join(_BARS) if kind == "auto" else kind
    raise ConfigurationError(
        f"a progress bar needs {needed}: install it, or this package with its extra 'progress'"
    )


class _TqdmBar:
    module = "tqdm.auto"

    def __init__(self, tqdm: Any, description: str, total: int | None) -> None:
        self._bar = tqdm.tqdm(
            desc=description or None, total=total, unit="B", unit_scale=True, unit_divisor=1024
        )

    def show(self, sent: int, total: int | None) -> None:
        if sent == 0:
            self._bar.reset(total)
        self._bar.total = total
        self._bar.update(sent - self._bar.n)
        if sent == total:  # it draws ten times a second, and the next upload may come before that
            self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


class _RichBar:
    module = "rich.progress"

    def __init__(self, rich: Any, description: str, total: int | None) -> None:
        self._progress = rich.Progress(
            rich.TextColumn("{task.description}"),
            rich.BarColumn(),
            rich.DownloadColumn(binary_units=True),
            rich.TransferSpeedColumn(),
            rich.TimeRemainingColumn(),
            console=import_module("rich.console").Console(stderr=True),
        )
        self._task = self._progress.add_task(description, total=total)
        self._progress.start()

    def show(self, sent: int, total: int | None) -> None:
        if sent == 0:
            self._progress.reset(self._task, total=total)
        self._progress.update(self._task, completed=sent, total=total)

    def close(self) -> None:
        self._progress.stop()


_BARS: Final[Mapping[str, type[_TqdmBar | _RichBar]]] = {"tqdm": _TqdmBar, "rich": _RichBar}
