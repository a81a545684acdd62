"""Reads times as spreadsheet programs write them, and finds out in which form a column has them.

A form is an order of day, month and year with what stands between them, such as "d/m/y". What it
is follows from the times that an export remembers, or from all cells of a column; what stays open
is ambiguous, and never guessed.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Mapping
from datetime import datetime

CERTAIN = ("y.m.d", "y/m/d", "y-m-d")
"""Forms that cannot be taken for others: a year of four digits comes first."""

_USUAL = ("d.m.y", "d/m/y", "m/d/y", "d-m-y", "m-d-y")
_RARE = ("m.d.y", "yy.m.d", "yy/m/d", "yy-m-d")  # taken only where the export proves them
_ANY = "*"  # between day, month and year where the month has a name

_HALVES = {
    **dict.fromkeys(("am", "a.m.", "a. m.", "de.", "fm", "f.m.", "vorm.", "πμ", "π.μ.", "sa"), 0),
    **dict.fromkeys(("pm", "p.m.", "p. m.", "du.", "em", "e.m.", "nachm.", "μμ", "μ.μ.", "ch"), 12),
    **dict.fromkeys(("午前", "上午", "오전", "ص"), 0),
    **dict.fromkeys(("午後", "下午", "오후", "م"), 12),
}
"""What stands for the halves of a day, with the hours to add."""

_HALF = "|".join(re.escape(each) for each in sorted(_HALVES, key=len, reverse=True))
_CLOCK = re.compile(
    r"(?P<day>.*?(?:[ T,]|(?<=[日.]))) *(?:(?:um|om|at|à|às|alle|klo|kl\.?) )?"
    rf"(?:(?P<before>{_HALF}) ?)?"
    r"(?P<hour>[0-9]{1,2})[:.h](?P<minute>[0-9]{2}|[0-9](?=:[0-9]))(?:[:.](?P<second>[0-9]{2}|(?<=[0-9]:)[0-9](?![0-9]))(?:[.,]0+)?)?"
    rf"(?: ?(?P<after>{_HALF}))?(?: uhr)?",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"([0-9]{1,4}) ?([./年-]) ?([0-9]{1,2}) ?([./月-]) ?([0-9]{1,4})[.日]?")
_WITH_NAME = re.compile(
    r"(?P<first>[0-9]{1,4})?(?:st|nd|rd|th)?[ .,-]*(?:de )?"
    r"(?P<month>[^\W\d_]{3,12})[ .,-]*(?:de )?(?P<second>[0-9]{1,4})"
    r"(?:st|nd|rd|th)?(?:[ .,-]*(?P<third>[0-9]{1,4}))?\.?",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(r"[^\W\d_]+[.,]{0,2} (?=\w)")  # what a workbook's format shows
# The weekdays, from Monday, in languages whose programs write them.
_DAYS = [
    each.split()
    for each in (
        "monday montag lundi lunes lunedì maandag mandag måndag maanantai segunda poniedziałek",
        "tuesday dienstag mardi martes martedì dinsdag tirsdag tisdag tiistai terça wtorek",
        "wednesday mittwoch mercredi miércoles mercoledì woensdag onsdag keskiviikko quarta środa",
        "thursday donnerstag jeudi jueves giovedì donderdag torsdag torstai quinta czwartek",
        "friday freitag vendredi viernes venerdì vrijdag fredag perjantai sexta piątek",
        "saturday samstag sonnabend samedi sábado sabato zaterdag lørdag lördag lauantai sobota",
        "sunday sonntag dimanche domingo domenica zondag søndag söndag sunnuntai niedziela",
    )
]
_OFFSET = re.compile(r"(?<=[0-9])(?:Z|[+-][0-9]{2}:?[0-9]{2})$")  # of a time of ISO 8601
_WEEKDAY_AFTER = re.compile(r"[(（][^\W\d_]{1,3}[)）]")

# The beginnings of months' names in languages whose programs write them.
_MONTHS = [
    *("jan ene gen tam", "feb fév fev hel", "mar mär mrz mrt már maa", "apr avr abr ápr huh"),
    *(
        "may mai mei maj mag máj tou",
        "jun jui jún giu kes",
        "jul juil júl lug hei",
        "aug aoû ago elo",
    ),
    *("sep set sze syy", "oct okt ott out lok", "nov marr", "dec dez déc dic des jou"),
]
_MONTH = {name: at for at, names in enumerate(_MONTHS, 1) for name in names.split()}


def written(cell: str, forms: Iterable[str]) -> dict[datetime, str]:
    """Return the times that a cell may mean in these forms, each with one form."""
    found: dict[datetime, str] = {}
    for text in _without_weekday(_plain(cell)):
        match = _CLOCK.fullmatch(text)
        if not match or (clock := _clock(match)) is None:
            continue
        for (day, month, year), form in _dates(match["day"].rstrip(" ,T").lstrip(), forms):
            try:
                found.setdefault(datetime(year, month, day, *clock), form)
            except ValueError:
                continue
    return found


def why_none(cell: str, forms: Iterable[str] = ()) -> str:
    """Return why there is no time that is written like a cell; empty where that is not known."""
    cell = _OFFSET.sub("", _plain(cell))
    for text in (each for one in (cell, f"{cell} 00:00") for each in _without_weekday(one)):
        if match := _CLOCK.fullmatch(text):
            dates = [*_dates(match["day"].rstrip(" ,T").lstrip(), (*CERTAIN, *forms))]
            reasons = [_wrong_day(*numbers) for numbers, _ in dates]
            if reasons and all(reasons):
                return min(reasons)  # a month that has fewer days, before one that is none
            if reasons:
                return _wrong_clock(match)
    return ""


def _wrong_day(day: int, month: int, year: int) -> str:
    """Return why there is no such day; empty where there is."""
    if not 1 <= month <= 12:
        return f"there is no month {month}"
    days = calendar.monthrange(year, month)[1]
    return "" if 1 <= day <= days else f"{calendar.month_name[month]} {year} has {days} days"


def _wrong_clock(match: re.Match[str]) -> str:
    half = match["before"] or match["after"]
    for unit, last in (("hour", 12 if half else 23), ("minute", 59), ("second", 59)):
        if int(match[unit] or 0) > last:
            return f"{unit}s go to {last}" + f" beside {half}" * (bool(half) and unit == "hour")
    return ""


def is_day(cell: str, forms: Iterable[str]) -> bool:
    """Return whether a cell is a date without a time of day."""
    return bool(written(f"{cell} 00:00", (*CERTAIN, *forms)))


def forms_of(cells: Iterable[tuple[str, datetime | None]]) -> tuple[str, ...]:
    """Return the forms that fit every time of a column.

    Args:
        cells: Each cell as it is written, with the time that it had when it was exported, if that
            is known. Cells that still have their time prove the form of all.
    """
    fitting: dict[str, set[str]] = {}
    proved: dict[str, set[str]] = {}
    for cell, was in cells:
        by_form = _by_form(cell)
        if not by_form:
            continue
        between = next(iter(by_form))[-2]
        known = fitting.setdefault(between, {*_USUAL})
        fitting[between] = known & by_form.keys() or known
        exported = {was, was.replace(second=0)} if was else {*()}  # a cell may leave out seconds
        right = {form for form, read in by_form.items() if read in exported}
        if right:
            before = proved.get(between, right)
            proved[between] = before & right or before | right  # it contradicts itself: all of them
    settled = (
        form
        for form in (*_USUAL, *_RARE)
        if form in _settled(proved.get(form[-2]), fitting.get(form[-2], {*_USUAL}))
    )
    return (*CERTAIN, *settled)


def _settled(proved: set[str] | None, fitting: set[str]) -> set[str]:
    if not proved:
        return fitting
    return proved & fitting or proved & {*_USUAL} or proved


def _by_form(cell: str) -> Mapping[str, datetime]:
    """Return what a cell means in each form; only cells for which forms matter have any."""
    found = {}
    for form in (*_USUAL, *_RARE):
        for moment, used in written(cell, (form,)).items():
            if used != _ANY:
                found[form] = moment
    return found


def _plain(cell: str) -> str:
    return " ".join(cell.split())


def _without_weekday(cell: str) -> tuple[str, ...]:
    """Return a time without the day of the week, in whatever language that is; and as it is."""
    cell = " ".join(_WEEKDAY_AFTER.sub(" ", cell).split())
    weekday = _WEEKDAY.match(cell)
    return (cell, cell[weekday.end() :]) if weekday else (cell,)


def names_other_day(cell: str, read: datetime) -> bool:
    """Return whether a time has a weekday before it that is not that of its date."""
    match = _WEEKDAY.match(_plain(cell))
    days = weekdays(match[0]) if match else ()
    return bool(days) and read.weekday() not in days


def weekdays(text: str) -> list[int]:
    """Return the weekdays, Monday being 0, whose name in some language a text begins or is."""
    word = text.strip(" .,").lower()
    if not word or (len(word) <= 3 and word in _MONTH):  # mar 3 is in March
        return []
    return [at for at, names in enumerate(_DAYS) if any(day.startswith(word) for day in names)]


def _clock(match: re.Match[str]) -> tuple[int, int, int] | None:
    hour = int(match["hour"])
    half = (match["before"] or match["after"] or "").lower()
    if half:
        if hour > 12 or (match["before"] and match["after"]):
            return None
        hour = hour % 12 + _HALVES[half]
    return hour, int(match["minute"]), int(match["second"] or 0)


def _dates(text: str, forms: Iterable[str]) -> Iterable[tuple[tuple[int, int, int], str]]:
    """Yield day, month and year of a date in each form that fits it."""
    if match := _NUMBERS.fullmatch(text):
        between = (match[2], match[4])
        sign = "/" if between == ("年", "月") else match[2] if match[2] == match[4] else ""
        parts = match[1], match[3], match[5]
        for form in forms if sign else ():
            order = form.split(form[-2]) if form[-2:-1] == sign else []
            named = dict(zip(order, parts, strict=False))
            year = _year(named.get("y", ""), is_first=order[:1] == ["y"])
            if len(named.get("yy", "")) == 2:
                year = 2000 + int(named["yy"])
            if year and len(named["d"]) <= 2 and len(named["m"]) <= 2:
                yield (int(named["d"]), int(named["m"]), year), form
    elif (match := _WITH_NAME.fullmatch(text)) and (month := _month(match["month"])):
        first, second, third = match["first"], match["second"], match["third"]
        if first and len(first) == 4 and not third:
            day, year = second, _year(first, is_first=True)
        else:
            day, last = (first, second) if first and not third else (second, third)
            year = _year(last or "", is_first=False) if not (first and third) else 0
        if year and day and len(day) <= 2:
            yield (int(day), month, year), _ANY


def _year(text: str, *, is_first: bool) -> int:
    """Return a year, 0 where it is none; one of two digits is of this century, and never first."""
    if len(text) == 4:
        return int(text)
    return 2000 + int(text) if len(text) == 2 and not is_first else 0


def _month(name: str) -> int:
    name = name.lower()
    return _MONTH.get(name[:4]) or _MONTH.get(name[:3], 0)


_CLOCK_END = re.compile(rf"(?:{_HALF})$", re.IGNORECASE)
_AS_DATE = re.compile(
    r"(?:[0-9]{1,4}|[^\W\d_]{3,12})(?:[\s./,-]+(?:[0-9]{1,4}|[^\W\d_]{3,12})\.?){1,2}"
    rf"(?:,? [0-9]{{1,2}}[:.][0-9]{{2}}(?:[:.][0-9]{{2}})?(?: ?(?:{_HALF}))?)?",
    re.IGNORECASE,
)


def became_date(was: str, now: str) -> bool:
    """Return whether a text that looks like a date is now written as another one, or as a number.

    Spreadsheet programs turn `Dec 24` into `24-Dec`, `1-2` into `2-Jan`, and `3/4` into `04.Mrz`.
    """
    was, now = was.strip(), now.strip()
    return (
        _shape(was) != _shape(now)
        and _looks_like_date(now)
        and (_looks_like_date(was) or _is_range(was))
    )


def _shape(text: str) -> str:
    return re.sub("[^0\\W]", "a", re.sub("[0-9]", "0", text))


def _is_range(text: str) -> bool:
    return bool(re.fullmatch(r"[0-9]{1,4}([./:-][0-9]{1,4}){1,2}", text))


def _looks_like_date(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", _CLOCK_END.sub("", text))
    are_months = all(_month(each) for each in words) and len(words) <= 1
    return are_months and len(text) <= 30 and bool(_AS_DATE.fullmatch(text))
