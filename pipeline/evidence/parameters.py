"""Claims about parameters: what they are called, and how their values are written.

A server may ignore a parameter that it does not know, and a client made from the documents always
sends the names that they assume. So a name that was sent with success is no proof by itself. It
is one where the service shows that it knows the name: it refuses a value by it, it writes it into
an address of its own, or the response shows the effect. A client that has its names from
elsewhere, such as a web application, is one, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.evidence.claims import Observation, OfParameters, Outcome, Sources, Update, Use
from pipeline.evidence.routes import Call, Operation, Parameter, shown_name
from pipeline.evidence.schemas import described_shape
from pipeline.evidence.traffic import (
    Traffic,
    at_path,
    links,
    named_in_refusal,
    names,
    names_in_body,
    number_or_text,
    sent,
)
from pipeline.evidence.values import a, fits_alone, form_of, is_code, whole
from pipeline.openapi.documents import Pointer
from pipeline.openapi.overlay import Action
from pipeline.openapi.wording import either

_LEAST: Final = 6  # characters of a value that does not stand in a response by chance
_LIMITS: Final = frozenset(
    f"{end}{what}" for end in ("min", "max") for what in ("Items", "Length", "Properties", "imum")
)


class Name(OfParameters):
    """A parameter has this name."""

    def __init__(
        self, sources: Sources, action: Action, uses: Sequence[Use], others: Iterable[str]
    ) -> None:
        super().__init__(sources, action, either(parameter.name for _, parameter in uses), uses)
        self.others = frozenset(others)  # names that are themselves assumed

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation, parameter in self.uses:
            calls = traffic.of(operation)
            effects = {*_filtered(calls, parameter), *_echoed(operation, calls, parameter.name)}
            instead = self._instead(operation, parameter, calls)
            for call in calls:
                if call in instead:
                    name = instead[call]
                    yield Observation("against", name, call, operation.id, name)
                sign = _sign(call, parameter.name, call in effects)
                if sign is None and call not in instead and call.ok and _is_needed(parameter):
                    sign = "against", _without(call, parameter.name)
                if sign is not None:
                    yield Observation(*sign, call, operation.id)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        found = {each.data if each.outcome == "against" else None for each in seen}
        name = found.pop() if len(found) == 1 else None
        return None if name is None else self.instead(self.renamed(name))

    def renamed(self, name: str) -> Any:
        """Return what the action writes, with another name."""
        return {**self.action.update, "name": name}

    def _instead(
        self, operation: Operation, parameter: Parameter, calls: Sequence[Call]
    ) -> dict[Call, str]:
        """Return the other name that calls have for the parameter.

        It is what is sent in place of a required one, or what the service writes itself, where it
        can only be this one.
        """
        known = {each.name for each in operation.parameters}
        paging = operation.words.paging
        pages = paging is not None and paging.page == parameter.name
        demanded = [each for each in operation.parameters if _is_needed(each)]
        found: dict[Call, str] = {}
        for call in calls:
            asked = names(call)
            if pages and (page := _page_of_links(call, parameter.name, known)):
                found[call] = page
            if parameter.name in asked:
                continue
            strange = [name for name in asked if name not in known and is_code(name)]
            if call.ok and _is_needed(parameter):
                lacking = [
                    each for each in demanded if each.name not in asked and each.name in self.others
                ]
                name = _assigned(parameter, lacking, strange, dict(call.exchange.query))
                if name is not None:
                    found[call] = name
        return found


class Added(Name):
    """An operation has a parameter of this name, which the document itself does not mention."""

    def renamed(self, name: str) -> Any:
        old = {parameter.name for _, parameter in self.uses}
        return [
            {**node, "name": name} if node.get("name") in old else node
            for node in self.action.update
        ]


def _is_needed(parameter: Parameter) -> bool:
    return parameter.node.get("required") is True


def _sign(call: Call, name: str, has_effect: bool) -> tuple[Outcome, str] | None:
    """Return what an exchange shows of a name; None where the name is not in it."""
    if name in named_in_refusal(call) - names_in_body(call):
        return "shows", f"{call.exchange.status} names {name}"
    if any(linked == name for linked, _ in links(call)):
        return "shows", f"the service writes {name} itself"
    if has_effect:
        return "shows", f"{name}, and the response follows it"
    if not call.ok or name not in names(call):
        return None
    if call.foreign:
        return "shows", f"another client sends {name}: {call.exchange.status}"
    return "fits", f"{name} was accepted, as any name might be"


def _without(call: Call, name: str) -> str:
    known = {each.name for each in call.operation.parameters}
    strange = [shown_name(each) for each in names(call) if each not in known]
    return f"accepted without {name}" + (f", with {', '.join(strange)}" if strange else "")


def _page_of_links(call: Call, page: str, known: set[str]) -> str | None:
    """Return the one unknown name that has numbers in addresses of pages."""
    linked = dict(links(call))
    if page in linked:
        return None  # the other name is something else, such as the length of a page
    strange = [name for name, value in linked.items() if name not in known and value.isdecimal()]
    return strange[0] if len(strange) == 1 and is_code(strange[0]) else None


class Style(OfParameters):
    """Several values of a parameter are written in one, with commas, or each with the name."""

    unseen = "never with several values"

    def __init__(self, sources: Sources, action: Action, uses: Sequence[Use]) -> None:
        explode = action.update.get("explode", uses[0][1].explode)
        self.form = "repeated" if explode else "commas"
        super().__init__(sources, action, _WORDS[self.form], uses)

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation, parameter in self.uses:
            calls = traffic.of(operation)
            effects = set(_filtered(calls, parameter))
            for call in calls:
                form = _form(call, parameter.name)
                if form is None or not call.ok:
                    continue
                text = _WORDS[form]
                outcome: Outcome = "shows" if call.foreign else "fits"
                if form != self.form:
                    outcome = "against"
                elif call in effects:
                    text, outcome = f"{text}, and the response follows all of them", "shows"
                yield Observation(outcome, text, call, operation.id, form)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        forms = {each.data for each in seen}
        if len(forms) != 1:
            return None
        update: dict[str, Any] = {"style": "form", "explode": forms != {"commas"}}
        if forms == {"brackets"}:
            update["name"] = f"{self.uses[0][1].name}[]"
        return self.instead(update)


_WORDS: Final = {
    "commas": "one value with commas",
    "repeated": "the name again for each value",
    "brackets": "the name with [] for each value",
}


def _form(call: Call, name: str) -> str | None:
    """Return how several values are written in a request; None if there are not several."""
    query = call.exchange.query
    own = [value for key, value in query if key == name]
    if len(own) > 1:
        return "repeated"
    if own:
        pieces = own[0].split(",")
        # What has empty pieces, or spaces, is a text of its own.
        is_list = len(pieces) > 1 and all(piece and " " not in piece for piece in pieces)
        return "commas" if is_list else None
    bracketed = {key for key, _ in query if key.partition("[")[0] == name}
    return "brackets" if bracketed == {f"{name}[]"} else None


def _filtered(calls: Sequence[Call], parameter: Parameter) -> Iterator[Call]:
    """Yield the calls whose responses follow a parameter.

    Some member of every item has one of the values that were asked for, or none at all; each of
    the values stands in some item; and the response to a request that differs in nothing else has
    an item with another value there. A service that ignores the parameter would have given that
    one here, too.
    """
    alike: dict[Any, list[Call]] = {}
    for call in calls:
        if call.ok:
            exchange = call.exchange
            rest = tuple(sorted(pair for pair in exchange.query if pair[0] != parameter.name))
            alike.setdefault((exchange.path, exchange.user, rest), []).append(call)
    for group in alike.values():
        asked = {call: frozenset(sent(call, parameter)) for call in group}
        if len(set(asked.values())) > 1:
            yield from _followed(asked)


def _followed(asked: Mapping[Call, frozenset[str]]) -> Iterator[Call]:
    """Yield the calls whose responses follow what was asked for, where others do not."""
    items = {call: [_members(item) for item in _items(call)] for call in asked}
    there: dict[Pointer, set[frozenset[str]]] = {}  # what stands at a path in any response
    for found in items.values():
        for item in found:
            for path, held in item.items():
                there.setdefault(path, set()).add(held)
    for call, values in asked.items():
        if not values or any(len(value) < _LEAST for value in values):
            continue
        for path in {path for item in items[call] for path in item}:
            own = [item[path] for item in items[call] if path in item]
            follows = all(each & values for each in own) and values <= frozenset().union(*own)
            if follows and any(not each & values for each in there[path]):
                yield call
                break


def _echoed(operation: Operation, calls: Sequence[Call], name: str) -> Iterator[Call]:
    """Yield the calls for a later page of a list whose responses have its number."""
    paging = operation.words.paging
    if paging is None or paging.page != name:
        return
    for call in calls:
        number = whole(dict(call.exchange.query).get(name, ""))
        current = at_path(call.exchange.response.value, paging.current)
        if call.ok and number is not None and number > 1 and current == number:
            yield call


def _items(call: Call) -> list[Any]:
    """Return the items of a list in a response."""
    value = call.exchange.response.value
    paging = call.operation.words.paging
    if paging is not None and paging.items is not None:
        value = at_path(value, paging.items)
    if isinstance(value, dict):
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        value = lists[0] if len(lists) == 1 else []
    return value if isinstance(value, list) else []


def _members(item: Any) -> dict[Pointer, frozenset[str]]:
    """Return the texts in an item by the keys that lead to them."""
    found: dict[Pointer, set[str]] = {}
    waiting: list[tuple[Pointer, Any]] = [((), item)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict) and len(path) < 4:
            waiting += [((*path, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(path, inner) for inner in value]
        elif isinstance(value, str):
            found.setdefault(path, set()).add(value)
    return {path: frozenset(texts) for path, texts in found.items()}


def _assigned(
    parameter: Parameter,
    lacking: Sequence[Parameter],
    strange: Sequence[str],
    query: Mapping[str, str],
) -> str | None:
    """Return the strange name that stands for a parameter, where only one can.

    The two ends of a window are recognised by their order.
    """
    fitting = [name for name in strange if _fits(parameter, query[name])]
    if len(lacking) == 1:
        return fitting[0] if len(fitting) == 1 else None
    ends = {each.node.get("x-window"): each for each in lacking}
    if len(lacking) == 2 and set(ends) == {"start", "end"} and len(fitting) == 2:
        first, last = sorted(fitting, key=lambda name: query[name])
        if len(query[first]) == len(query[last]) and query[first] < query[last]:
            return first if parameter.node.get("x-window") == "start" else last
    return None


def _fits(parameter: Parameter, text: str) -> bool:
    schema = parameter.node.get("schema", {})
    plain = {key: value for key, value in schema.items() if key in ("type", "pattern")}
    form = schema.get("format")
    if form in ("date-time", "date"):
        # An assumed form must not stand in the way of a name.
        return any(fits_alone({"format": each}, text) for each in ("date-time", "date"))
    return fits_alone(plain, text) if plain.get("type") == "string" else True


class Sent(OfParameters):
    """The value of a parameter is written in this form, or keeps this limit."""

    def __init__(self, sources: Sources, action: Action, uses: Sequence[Use]) -> None:
        super().__init__(sources, action, described_shape(action.update), uses)
        self.update: Mapping[str, Any] = action.update
        self.is_limit = any(key in _LIMITS for key in action.update)
        if self.is_limit:
            self.unseen = "no request went beyond it"
        self.parts = tuple(dict.fromkeys(f"{each.name} of {op.id}" for op, each in uses))

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation, parameter in self.uses:
            part = f"{parameter.name} of {operation.id}"
            for call in traffic.of(operation):
                if parameter.name not in dict(call.exchange.query):
                    continue
                texts = [text for text in sent(call, parameter) if text]
                if self.is_limit:
                    yield from self._limit(call, parameter, part, texts)
                elif call.ok:
                    for text in texts:
                        yield self._form(call, parameter, part, text)

    def _limit(
        self, call: Call, parameter: Parameter, part: str, texts: list[str]
    ) -> Iterator[Observation]:
        value = texts if parameter.is_array else number_or_text(texts[0] if texts else "")
        if fits_alone(self.update, value):
            return
        count = f"{len(texts)} values" if parameter.is_array else "such a value"
        refused = f"{count} refused: {call.exchange.status}"
        if call.ok:
            yield Observation("against", f"{count} accepted", call, part)
        elif parameter.name in named_in_refusal(call):
            yield Observation("shows", refused, call, part)
        elif call.exchange.status in (400, 413, 414, 422):
            yield Observation("fits", f"{refused}, for whatever reason", call, part)

    def _form(self, call: Call, parameter: Parameter, part: str, text: str) -> Observation:
        form = form_of(text)
        seen = f"{a(form) if form != 'string' else 'another text'} as {parameter.name}"
        fitting: Outcome = "shows" if call.foreign else "fits"
        outcome = fitting if fits_alone(self.update, text) else "against"
        return Observation(outcome, seen, call, part, form)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        forms = {each.data for each in seen}
        parts = {each.part for each in seen if each.outcome == "against"}
        if set(self.update) != {"format"} or len(forms) != 1 or parts != set(self.parts):
            return None
        form = forms.pop()
        return self.instead({"format": form}) if form in ("date", "date-time") else None
