"""Results as people read them: on a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from benchmarks.figures import SECONDS, Quartiles
from benchmarks.results import Line, Result, Side

_HEAD: Final = ("what", "ours", "against", "theirs", "ratio", "target", "", "on the clock")
HEADLINES: Final = {
    "importing": ("import and client", "import httpx2"),
    "first_response": ("groups.get, both load TLS", "by hand"),
    "calling": ("a call, 20 posts", "httpx2 and msgspec"),
    "concurrency": ("a call, 16 tasks", "httpx2 and msgspec"),
    "coding": ("decode 200 posts, every field", "orjson"),
    "uploading": ("2 GiB, the client that waits", "curl"),
    "generating": ("generate", "openapi-python-client"),
    "overlaying": ("", "oas-patch"),
    "sandbox": ("GET one post", "a Starlette app"),
    "commanding": ("help", "httpie"),
}
"""The line of a benchmark that stands for it: how its `what` and its `against` begin."""

_SCALES: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))


def terminal(result: Result) -> str:
    """Return a table with a line for each figure, with notes on missed targets below."""
    rows = [_HEAD, *map(_cells, result.lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    rows.insert(1, tuple("-" * width for width in widths))
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([result.title, "", *lines, *_below(result), ""])


def markdown(result: Result) -> str:
    """Return the same as Markdown, without a heading."""
    rows = [_row(_HEAD), "|---" * len(_HEAD) + "|", *(_row(_cells(line)) for line in result.lines)]
    below = [f"- {each}" for each in _below(result)]
    return "\n".join([*rows, "", *below, *([""] if below else []), f"On {result.machine}.", ""])


def headline(name: str, result: Result) -> Line | None:
    """Return the line that stands for a benchmark; None where it has no such line."""
    what, against = HEADLINES.get(name, ("", "?"))
    fitting = (
        line
        for line in result.lines
        if line.other and line.what.startswith(what) and line.against.startswith(against)
    )
    return next(fitting, None)


def summary(results: Mapping[str, Result]) -> str:
    """Return one line a benchmark, as Markdown: a ratio, and how many targets are met."""
    return "".join(f"- {each}\n" for each in map(_sentence, results, results.values()))


def _sentence(name: str, result: Result) -> str:
    judged = [line.met for line in result.lines if line.target is not None]
    met = f"{sum(map(bool, judged))} of {len(judged)} targets met"
    line = headline(name, result)
    ratio = f"{line.what} / {line.against} **{_number(line.value.middle)}**; " if line else ""
    return f"[{result.title}](#bench-{name}): {ratio}{met}."


def targets(results: Mapping[str, Result]) -> str:
    """Return one row a benchmark, as Markdown: its targets, and which of them it misses."""
    rows = ["| benchmark | targets | met | missed |", "|---|---|---|---|"]
    for name, result in results.items():
        judged = [line for line in result.lines if line.target is not None]
        missed = [_name(line) for line in judged if not line.met]
        count = len(judged) - len(missed)
        link = f"[{result.title}](#bench-{name})"
        rows.append(_row((link, str(len(judged)), str(count), "; ".join(missed))))
    return "\n".join([*rows, ""])


def cost(side: Side) -> str:
    """Return the median with its unit, and half the distance between the quartiles."""
    found, unit, size = side.cost, side.unit, 1.0
    if side.unit == SECONDS:
        size, unit = _scale(found.middle)
    half = (found.high - found.low) / 2 / size
    spread = f" ±{half:.2g}" if half else ""
    return f"{_number(found.middle / size)} {unit}{spread}"


def _cells(line: Line) -> tuple[str, ...]:
    return (
        line.what,
        cost(line.ours),
        line.against,
        cost(line.other) if line.other else "",
        _ratio(line.value) if line.other else "",
        "" if line.target is None else f"≤ {line.target:g}",
        {True: "met", False: "MISSED", None: ""}[line.met],
        f"{line.wall:.2f}" if line.wall is not None else "",
    )


def _below(result: Result) -> Iterator[str]:
    for line in result.lines:
        if line.met is False:
            yield f"{_name(line)}: {line.why or 'missed, and not explained.'}"
    for each in result.left_out:
        yield f"{each.what} was left out: {each.reason}."


def _name(line: Line) -> str:
    return f"{line.what}, against {line.against}" if line.other else line.what


def _ratio(found: Quartiles) -> str:
    low, middle, high = (_number(each) for each in (found.low, found.middle, found.high))
    return middle if low == high else f"{middle} ({low}–{high})"


def _number(value: float) -> str:
    """Three digits, and no exponent."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{float(f'{value:.3g}'):g}"


def _scale(seconds: float) -> tuple[float, str]:
    return next((each for each in _SCALES if abs(seconds) >= each[0]), _SCALES[-1])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
