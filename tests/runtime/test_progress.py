"""Progress bars: what they show, when they begin again, and that they always end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from runtime.core.errors import ConfigurationError
from runtime.request.multipart import File, FilePart, Multipart
from runtime.request.progress import ProgressBar, progress_bar
from runtime.request.validation import Checker

MIB = 1 << 20
KINDS = ("tqdm", "rich")


def body(size: int, callback: Any) -> Multipart:
    part = FilePart("file", File(bytes(size), "a.bin"), "file", progress=callback)
    return Multipart({}, [part.checked(Checker())])


class Drawn:
    """A bar that keeps what it was told."""

    def __init__(self, log: list[Any]) -> None:
        self._log = log

    def show(self, sent: int, total: int | None) -> None:
        self._log.append((sent, total))

    def close(self) -> None:
        self._log.append("closed")


def keeping(log: list[Any]) -> ProgressBar:
    def make(total: int | None) -> Drawn:
        log.append(f"made for {total}")
        return Drawn(log)

    return ProgressBar(make)


def test_one_bar_serves_all_uploads() -> None:
    log: list[Any] = []
    with keeping(log) as bar:
        assert log == []
        for size in (3, 4):
            list(body(size, bar))
    assert log == ["made for 3", (0, 3), (3, 3), (0, 4), (4, 4), "closed"]


def test_an_error_ends_the_bar() -> None:
    log: list[Any] = []
    with pytest.raises(KeyError), keeping(log) as bar:
        bar(0, 3)
        raise KeyError
    assert log == ["made for 3", (0, 3), "closed"]


def drawn(kind: Any, use: Callable[[ProgressBar], object], capsys: Any) -> str:
    with progress_bar("cover.png", kind=kind) as bar:
        use(bar)
    written = capsys.readouterr()
    assert written.out == ""
    return str(written.err)


@pytest.mark.parametrize("kind", KINDS)
def test_the_libraries_show_the_size_and_the_end(kind: str, capsys: Any) -> None:
    shown = drawn(kind, lambda bar: list(body(3 * MIB, bar)), capsys)
    assert "cover.png" in shown
    assert {"tqdm": "3.00M/3.00M", "rich": "3.0/3.0 MiB"}[kind] in shown


@pytest.mark.parametrize("kind", KINDS)
def test_the_libraries_begin_again(kind: str, capsys: Any) -> None:
    def use(bar: ProgressBar) -> None:
        list(body(3 * MIB, bar))
        bar(0, MIB)
        bar(MIB // 2, MIB)

    shown = drawn(kind, use, capsys)
    assert {"tqdm": "512k/1.00M", "rich": "0.5/1.0 MiB"}[kind] in shown.splitlines()[-1]


def test_the_end_of_an_upload_is_shown_before_the_next_begins(capsys: Any) -> None:
    def use(bar: ProgressBar) -> None:
        list(body(3 * MIB, bar))
        list(body(MIB, bar))

    assert "3.00M/3.00M" in drawn("tqdm", use, capsys)


@pytest.mark.parametrize("kind", KINDS)
def test_the_libraries_end_cleanly_on_an_error(kind: Any, capsys: Any) -> None:
    bar = progress_bar(kind=kind)
    with pytest.raises(OSError, match="mine"), bar:
        bar(0, MIB)
        bar(MIB // 2, MIB)
        raise OSError("mine")
    assert capsys.readouterr().err.endswith("\n")
    with bar:  # and can be used again
        list(body(MIB, bar))


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def hide(*names: str) -> None:
        for name in names:
            for module in [name, *(m for m in sys.modules if m.startswith(name + "."))]:
                monkeypatch.setitem(sys.modules, module, None)
            for module in ("tqdm.auto", "rich.progress"):
                if module.startswith(name):
                    monkeypatch.setitem(sys.modules, module, None)

    return hide


def test_the_first_that_is_installed_is_taken(missing: Any, capsys: Any) -> None:
    assert "3.00M/3.00M" in drawn("auto", lambda bar: bar(3 * MIB, 3 * MIB), capsys)
    missing("tqdm")
    assert "3.0/3.0 MiB" in drawn("auto", lambda bar: bar(3 * MIB, 3 * MIB), capsys)


@pytest.mark.parametrize(("kind", "words"), [("auto", "tqdm or rich"), ("rich", "rich")])
def test_what_is_missing_is_said_when_the_bar_is_asked_for(
    kind: Any, words: str, missing: Any
) -> None:
    missing("tqdm", "rich")
    with pytest.raises(ConfigurationError) as caught:
        progress_bar(kind=kind)
    assert str(caught.value) == (
        f"a progress bar needs {words}: install it, or this package with its extra 'progress'"
    )
