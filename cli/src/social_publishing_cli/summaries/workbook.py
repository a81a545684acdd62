"""What published posts did, as a sheet of tables and charts in a workbook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ..sheets.writing import new_cell
from .summing import Number, Summary, figures

_LINE = 0.5  # centimetres, the height of a row
_PAGE = 40  # rows that are printed on one page
_COLUMNS = (26, 16, 16)  # characters; the charts stand to the right of them
_BARS = (("■", "1F5C99"), ("□", "FFFFFF"))  # of a period and the one before: mark, colour


def add_summary(book: Any, summary: Summary) -> None:
    """Add a sheet with the totals, and a chart beside each table; the workbook opens there."""
    from openpyxl.worksheet.pagebreak import Break
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet = book.create_sheet("summary")
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToHeight = 0  # as many pages as it takes
    for letter, width in zip("ABC", _COLUMNS, strict=True):
        sheet.column_dimensions[letter].width = width
    periods = [summary.period, *filter(None, [summary.previous])]
    lines: list[list[Any]] = [[summary.title], *([note] for note in summary.notes), []]
    lines.append(["total", *periods])
    page = 0  # the row that the last page ends with
    for name, now, before in figures(summary.total):
        lines.append([name, *map(_rounded, (now, before)[: len(periods)])])
    for name in summary.charted:
        bars = summary.bars(name)
        lines += [[], [summary.heading(name)], [name, *periods]]
        first = len(lines)
        for part, *both in bars:
            lines.append([part.title, *map(_rounded, both[: len(periods)])])
        height = max(14, 2 * len(bars) + 8)  # rows that a chart takes
        if first + height - page > _PAGE:  # no chart is cut in two
            page = first - 3  # before the empty row: at its end, the chart's edge would stay behind
            sheet.row_breaks.append(Break(id=page))
        chart = _chart(sheet, summary.heading(name), periods, first, len(bars))
        chart.height = height * _LINE
        sheet.add_chart(chart, f"E{first - 1}")
        lines += [[]] * (height - len(bars) - 2)
    heads = {each for each, line in enumerate(lines) if len(line) == 1 or line[:1] == ["total"]}
    for at, line in enumerate(lines):
        sheet.append([_cell(sheet, value, at in heads, bool(n)) for n, value in enumerate(line)])
    book.active = len(book.worksheets) - 1


def _chart(sheet: Any, title: str, periods: Sequence[str], head: int, rows: int) -> Any:
    """Return bars of a table whose head is in this row.

    The title says which bars are of which period: LibreOffice turns the order of a legend round.
    """
    from openpyxl.chart import BarChart, Reference
    from openpyxl.chart.title import title_maker
    from openpyxl.drawing.text import CharacterProperties, ParagraphProperties

    key = "   ".join(f"{mark} {each}" for (mark, _), each in zip(_BARS, periods, strict=False))
    chart = BarChart()
    chart.type, chart.style, chart.legend = "bar", 10, None
    chart.title = made = cast(Any, title_maker("\n".join([title, *[key] * (len(periods) > 1)])))
    made.overlay = False
    for paragraph, size in zip(made.tx.rich.p, (1200, 1000), strict=False):
        paragraph.pPr = ParagraphProperties(defRPr=CharacterProperties(sz=size, b=size > 1000))
    chart.add_data(
        Reference(sheet, min_col=2, max_col=1 + len(periods), min_row=head, max_row=head + rows),
        titles_from_data=True,
    )
    chart.set_categories(Reference(sheet, min_col=1, min_row=head + 1, max_row=head + rows))
    chart.x_axis.scaling.orientation = "maxMin"  # as in the table, from above
    chart.x_axis.delete = chart.y_axis.delete = False
    chart.y_axis.scaling.min = 0
    chart.y_axis.crosses = "max"
    chart.x_axis.tickLblSkip = 1
    chart.gapWidth, chart.width = 60, 18  # centimetres
    for series, (_, color) in zip(chart.series, _BARS, strict=False):
        series.graphicalProperties.solidFill = color
        series.graphicalProperties.line.solidFill = "3B4149"
    return chart


def _cell(sheet: Any, value: Any, is_head: bool, is_right: bool) -> Any:
    from openpyxl.styles import Alignment, Font

    cell = new_cell(sheet, value)
    cell.font = Font("Calibri", 11, bold=is_head)
    cell.alignment = Alignment("right" if is_right else None)
    if not isinstance(value, str):
        cell.number_format = "#,##0.##" if isinstance(value, float) else "#,##0"
    return cell


def _rounded(value: Number) -> Number:
    return value if value is None or isinstance(value, int) else round(value, 2)
