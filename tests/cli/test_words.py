"""Words that programs write in other languages: each of them is read, and nothing like it."""

from __future__ import annotations

from datetime import datetime

import pytest

from social_publishing_cli.sheets.cells import READERS, guarded, text, unguarded
from social_publishing_cli.sheets.times import CERTAIN, names_other_day, weekdays, written

MONTHS = """
January February March April May June July August September October November December
Januar Februar März April Mai Juni Juli August September Oktober November Dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
januari februari maart april mei juni juli augustus september oktober november december
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts april maj juni juli august september oktober november december
januar februar mars april mai juni juli august september oktober november desember
tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu
január február március április május június július augusztus szeptember október november december
jan feb mrt apr mei jun jul aug sep okt nov dec
Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez
ene feb mar abr may jun jul ago sept oct nov dic
jan fév mars avr mai juin juil août sept oct nov déc
gen feb mar apr mag giu lug ago set ott nov dic
jan feb már ápr máj jún júl aug szept okt nov dec
"""
DAYS = """
Monday Tuesday Wednesday Thursday Friday Saturday Sunday
Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag
Montag Dienstag Mittwoch Donnerstag Freitag Sonnabend Sonntag
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo
lunedì martedì mercoledì giovedì venerdì sabato domenica
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
segunda terça quarta quinta sexta sábado domingo
måndag tisdag onsdag torsdag fredag lördag söndag
mandag tirsdag onsdag torsdag fredag lørdag søndag
maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
poniedziałek wtorek środa czwartek piątek sobota niedziela
"""
MORNINGS = "am|a.m.|a. m.|de.|fm|f.m.|vorm.|πμ|π.μ.|sa|午前|上午|오전|ص"
AFTERNOONS = "pm|p.m.|p. m.|du.|em|e.m.|nachm.|μμ|μ.μ.|ch|午後|下午|오후|م"
YES = """
yes true 1 x y wahr vrai verdadero vero waar verdadeiro sant igaz prawda tosi sand pravda истина
"""
NO = "no false 0 n falsch faux falso onwaar falskt hamis fałsz epätosi falsk nepravda ложь"
ERRORS = "#NAME? #REF! #VALUE! #DIV/0! #N/A #NULL! #NUM! #SPILL! #CALC!"


@pytest.mark.parametrize("names", MONTHS.strip().splitlines())
def test_months_by_their_names(names: str) -> None:
    for month, name in enumerate(names.split(), 1):
        for word in (name, name.upper(), f"{name}."):
            for cell in (f"4. {word} 2026 14:05", f"{word} 4, 2026, 14:05", f"2026 {word} 4 14:05"):
                [read] = written(cell, CERTAIN)
                assert read == datetime(2026, month, 4, 14, 5), cell
                assert not names_other_day(cell, read), cell  # as if mar 4 were a Tuesday
    assert not written("3. Brumaire 2026 14:05", CERTAIN)


@pytest.mark.parametrize("names", DAYS.strip().splitlines())
def test_weekdays_by_their_names(names: str) -> None:
    for day, name in enumerate(names.split()):
        assert weekdays(name) == weekdays(f"{name.upper()}.") == [day]
        assert day in weekdays(name[:4])
        for date in range(7, 14):  # the 7th of December 2026 is a Monday
            moment = datetime(2026, 12, date)
            is_other = date - 7 != day
            assert names_other_day(f"{name}, {date}.12.2026", moment) is is_other, (name, date)


@pytest.mark.parametrize(("words", "hours"), [(MORNINGS, 0), (AFTERNOONS, 12)])
def test_halves_of_a_day(words: str, hours: int) -> None:
    for word in words.split("|"):
        for clock, hour in (("12:30", 0), ("1:30", 1), ("11:30", 11)):
            moment = datetime(2026, 12, 3, hour + hours, 30)
            for said in (word, word.upper()):
                for cell in (f"2026-12-03 {clock} {said}", f"2026-12-03 {said} {clock}"):
                    assert {*written(cell, CERTAIN)} == {moment}, cell
        assert not written(f"2026-12-03 13:30 {word}", CERTAIN)
        assert not written(f"2026-12-03 {word} 1:30 {word}", CERTAIN)


def test_yes_and_no() -> None:
    for words, value in ((YES, True), (NO, False)):
        for word in words.split():
            assert READERS["flag"](word) is READERS["flag"](word.upper()) is value
            with pytest.raises(ValueError, match="is neither yes nor no"):
                READERS["flag"](f"{word}y")
    assert READERS["flag"]("") is None


@pytest.mark.parametrize("error", ERRORS.split())
def test_errors_of_a_spreadsheet_are_no_text(error: str) -> None:
    for cell in (error, f" {error} "):
        with pytest.raises(ValueError, match="is the error #"):
            text(cell)
    assert guarded(error) == f"'{error}" and text(guarded(error)) == error
    assert text(f"{error}x") == f"{error}x"


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r"])
def test_what_a_spreadsheet_takes_for_a_formula_is_guarded(sign: str) -> None:
    for said in (f"{sign}1", f"{sign}SUM(A1)"):
        assert guarded(said) == f"'{said}"
        assert guarded(guarded(said)) == f"''{said}"
        assert unguarded(guarded(said)) == text(guarded(said)) == said
        assert unguarded(guarded(guarded(said))) == guarded(said)
    assert guarded(f"1{sign}") == f"1{sign}"
