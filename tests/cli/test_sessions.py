"""What each command says: a file of `sessions/` for what one person types, with what is printed.

Each command stands after `$`, as `social-publishing` without its own name, and without `--sandbox`;
`yes|` or `no|` before it is typed where it asks, NAME=VALUE is a variable of it. Lines of standard
error begin with `!`. Beside commands a session knows `edit SHEET ROW COLUMN TEXT…` (the header is
row 1), `keep SHEET ROWS`, `open FILE`, `fault KIND NAME=VALUE…` for the next command, and `ask TOOL
NAME=JSON…` of the server for assistants, whose person says yes to what stands after `?`; `tools`
lists what it offers, without the words of the documents.
"""

from __future__ import annotations

import html
import io
import json
import re
import shlex
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from cli_support import Command, rows_of, write
from mcp_support import Desk, Person

from social_publishing_cli import plans, session
from social_publishing_cli.mcp.tools import Tool, tools
from social_publishing_cli.plans.writers import writer
from social_publishing_sandbox import Sandbox

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.txt"))
LATER = "2037-12-01T09:00:00Z"
"""Far from the day of the test, which plans have beside it."""
_MOMENT = re.compile(
    r"((Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?(?!2026-12-24)"  # which stands in advice
    r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d)(:\d\d)?Z?(; times are in (?P<zone>\S+)\.)?"
)


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_session(
    file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run_command: Command,
    golden: Callable[[Path, str], None],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"CONFIG": "config", "JOURNALS": "journals"}.items():
        monkeypatch.setenv(f"SOCIAL_PUBLISHING_{name}", str(tmp_path / value))
    monkeypatch.setenv("COLUMNS", "100")
    with Sandbox(now=LATER, rate_limit=100_000, clock="frozen") as sandbox:
        monkeypatch.setattr(session, "_sandbox", lambda *_: _kept(sandbox))
        typed = Typed(sandbox, tmp_path, run_command, monkeypatch)
        lines = [e for e in file.read_text("utf-8").splitlines() if e.startswith(("$ ", "# "))]
        assert lines
        golden(file, "".join(f"{e}\n{typed.said(e[2:]) if e[0] == '$' else ''}" for e in lines))


@contextmanager
def _kept(sandbox: Sandbox) -> Iterator[Sandbox]:
    yield sandbox


class Typed:
    """What one person types, one line after the other."""

    def __init__(
        self, sandbox: Sandbox, folder: Path, command: Command, patch: pytest.MonkeyPatch
    ) -> None:
        self.sandbox, self.folder, self.command, self.patch = sandbox, folder, command, patch
        self.plans: dict[str, str] = {}
        self.fault: AbstractContextManager[Any] = ExitStack()

    def said(self, line: str) -> str:
        """Do what a line says, and return what is printed."""
        for name, plan in self.plans.items():
            line = line.replace(name, plan)
        match shlex.split(line):
            case ["edit", sheet, *cells]:
                rows = rows_of(self.folder / sheet)
                for row, column, text in zip(cells[::3], cells[1::3], cells[2::3], strict=True):
                    rows[int(row) - 2][column] = text
                write(self.folder / sheet, rows)
                return ""
            case ["keep", sheet, *numbers]:
                rows = rows_of(self.folder / sheet)
                write(self.folder / sheet, [rows[int(each) - 2] for each in numbers])
                return ""
            case ["open", file]:
                return self._same(_opened(self.folder / file))
            case ["fault", kind, *how]:
                given = {n: int(v) if v.isdecimal() else v for n, v in (e.split("=") for e in how)}
                self.fault = self.sandbox.fault(kind, **given)
                return ""
            case ["ask", tool, *given]:
                arguments = {n: json.loads(v) for n, _, v in (e.partition("=") for e in given)}
                return self._same(self._asked(tool, arguments))
            case ["tools"]:
                return "".join(f"{name}: {_offered(each)}\n" for name, each in tools().items())
            case words:
                return self._same(self._run(words))

    def _run(self, words: list[str]) -> str:
        with self.patch.context() as patched, self.fault:
            while "=" in words[0]:
                patched.setenv(*words.pop(0).split("="))
            if words[0].endswith("|"):
                terminal = io.StringIO(f"{words.pop(0)[:-1]}\n")
                patched.setattr(terminal, "isatty", lambda: True, raising=False)
                patched.setattr(sys, "stdin", terminal)
            ended = self.command("--sandbox", *words)
        self.fault = ExitStack()
        told = "".join(f"! {each}\n" for each in ended.err.splitlines())
        return ended.out + told + f"exit status {ended.status}\n" * bool(ended.status)

    def _asked(self, tool: str, arguments: dict[str, Any]) -> str:
        person = Person()

        async def work(assistant: Any) -> str:
            return str((await assistant.call(tool, **arguments)).text)

        with self.fault:
            text: str = Desk(self.folder / "journals").run(
                work, person=person, sandbox=True, allow_writes=True
            )
        self.fault = ExitStack()
        asked = "".join(f"? {each}\n" for each in "\n".join(person.asked).splitlines())
        return f"{asked}{re.sub('data-[0-9a-f]{8}', 'data-', text)}\n"

    def _same(self, text: str) -> str:
        """Return a text as it is on each day, on each machine, and for each user."""
        known = {each.plan.id for each in plans.reports(self.folder / "journals")}
        known |= {plans.Plan.load(each).id for each in self.folder.rglob("*.plan")}
        new = {each[7:19] for each in known} - {*self.plans.values()}
        for plan in sorted((each for each in new if each in text), key=text.index):
            self.plans[f"PLAN{len(self.plans) + 1}"] = plan
        for name, plan in self.plans.items():
            text = text.replace(plan, name)
        text = re.sub(r"(?<=127.0.0.1):\d+", "", text.replace("\r\n", "\n"))
        text = text.replace(str(self.folder), "/here").replace(writer().split()[0], "me@here")
        return _MOMENT.sub(_from_now, text)


def _offered(tool: Tool) -> str:
    """Return what a tool says that it may do, and how it is called."""
    schema = json.dumps(tool.schema, sort_keys=True)
    schema = re.sub(r'"(description|enum)": ("([^"\\]|\\.)*"|\[[^]]*\])(, )?|"type": ', "", schema)
    return f"{', '.join(each for each, is_so in tool.hints.items() if is_so)}; {schema}"


def _from_now(match: re.Match[str]) -> str:
    """Return a moment near to the present as what it is from now, in hours."""
    moment = datetime.fromisoformat(match[3]).replace(tzinfo=ZoneInfo(match["zone"] or "UTC"))
    hours = round((moment - datetime.now(UTC)).total_seconds() / 3600)
    return match[0] if abs(hours) > 100 else f"{{now + {hours} h}}{match[5] or ''}"


def _opened(file: Path) -> str:
    """Return what a file shows, as lines; of a workbook each sheet, with where its charts are."""
    if file.suffix == ".xlsx":
        book = openpyxl.load_workbook(file)
        heads = {each: f"[{each.title}{', in sight' * (each is book.active)}]" for each in book}
        return "".join(
            "\n".join([head, *_rows(each), *_looks(each), ""]) for each, head in heads.items()
        )
    text = file.read_text("utf-8-sig")
    return _read(text) if file.suffix == ".html" else re.sub("DTSTAMP.*\n", "", text)


def _rows(sheet: Any) -> Iterator[str]:
    def shown(cell: Any) -> str:
        form = f" ({cell.number_format})" * isinstance(cell.value, float)
        return "" if cell.value is None else f"{cell.value}{form}"

    lines = (" | ".join(map(shown, row)).rstrip(" |") for row in sheet.iter_rows())
    yield from filter(None, lines)
    for chart in sheet._charts:
        where = f"{chart.height:g} cm high at row {chart.anchor._from.row + 1}"
        parts = [ref for each in chart.series for ref in (each.tx.strRef.f, each.val.numRef.f)]
        refs = ", ".join([chart.series[0].cat.numRef.f, *parts]).replace("'summary'!", "")
        axes = f"{chart.x_axis.scaling.orientation} from {chart.y_axis.scaling.min:g}"
        yield f"chart, {axes}, {where}: {refs.replace('$', '')}"
    yield from (f"a page ends with row {each.id}" for each in sheet.row_breaks.brk)


def _looks(sheet: Any) -> Iterator[str]:
    """Yield how a sheet looks on a screen and on paper: each column, and rows of one height."""
    page, heights = sheet.page_setup, sheet.row_dimensions
    yield (
        f"rows below {sheet.freeze_panes} move, filter {sheet.auto_filter.ref}; printed"
        f" {page.orientation}, {page.fitToWidth} x {page.fitToHeight},"
        f" with {sheet.print_title_rows} and {sheet.print_title_cols}"
    )
    yield f"heights {', '.join(f'{heights[row].height}' for row in heights)}"
    offered = {}
    for each in sheet.data_validations.dataValidation:
        kind = f"{each.formula1}, else {each.error} " * bool(each.showErrorMessage)
        assert len(each.prompt or "") <= 255  # Excel opens no file with a longer one
        hint = textwrap.shorten(f"{kind}{each.prompt or ''}", 80, placeholder="…")
        offered[min(cells.min_col for cells in each.sqref.ranges)] = f"; {each.sqref}: {hint}"
    for column in sheet.iter_cols():
        size = sheet.column_dimensions[column[0].column_letter]
        hidden = ", hidden" * size.hidden
        looks = dict.fromkeys(_style(cell) for cell in column[1:])
        hint = offered.get(column[0].column, "")
        yield f"{size.width:g} wide{hidden}: {_style(column[0])}, {' or '.join(looks)}{hint}"


def _style(cell: Any) -> str:
    font, how = cell.font, cell.alignment
    fill = cell.fill.fgColor.rgb[2:] if cell.fill.fill_type else "plain"
    color = font.color.rgb[2:] if font.color and isinstance(font.color.rgb, str) else "black"
    lines = "-".join(filter(None, (cell.border.bottom.style, cell.border.right.style)))
    face = f"{font.name} {font.sz:g}".removesuffix("Calibri 11")
    parts = [
        f"{color} on {fill}",
        face,
        how.horizontal,
        how.vertical,
        "wrapped" * bool(how.wrap_text),
    ]
    return " ".join(filter(None, [*parts, "bold" * font.bold, lines, cell.number_format]))


def _read(page: str) -> str:
    """Return what a browser shows of a page: a line for each part, its rows between strokes."""
    page = re.sub(r"(?s)<(style|script|title).*?</\1>", "", page)
    page = re.sub(r"<h[12]\b[^>]*>", "\0", " ".join(page.split()))
    page = re.sub(r"</?(?:p|tr|li|h\d)\b[^>]*>", "\1", page)
    lines = html.unescape(re.sub("<[^>]*>", " ", page)).split("\0")
    parts = ([" ".join(row.split()) for row in line.split("\1")] for line in lines)
    return "".join(f"{' | '.join(filter(None, rows))}\n" for rows in parts if any(rows))
