"""Claims about parameters: what they are called, and how several values are written.

A server may ignore a parameter that it does not know, and a client made from the documents always
sends the names that they assume. So a name that was sent and answered is no proof by itself. It
is one where the service shows that it knows the name: it refuses a value by it, it writes it into
an address of its own, or the answer shows the effect. A client that has its names from elsewhere,
such as a web application, is one, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pipeline.documents import Pointer
from pipeline.evidence.claims import Claim, Observation, Sources, Update
from pipeline.evidence.index import Traffic, at_path, links, named_in_refusal, names, sent
from pipeline.evidence.matching import Call, Operation, Parameter, shown_name
from pipeline.evidence.shapes import fits_alone, is_code
from pipeline.lint.wording import either
from pipeline.overlay import Action

_LEAST: Final = 6  # characters of a value that does not stand in an answer by chance


class Name(Claim):
    """A parameter is called so."""

    def __init__(
        self,
        sources: Sources,
        action: Action,
        uses: Sequence[tuple[Operation, Parameter]],
        others: Iterable[str],
    ) -> None:
        super().__init__(action, either(parameter.name for _, parameter in uses))
        self.sources = sources
        self.uses = uses
        self.concerned = tuple(dict.fromkeys(operation for operation, _ in uses))
        self.parts = tuple(operation.id for operation, _ in uses)
        self.others = frozenset(others)  # names that are themselves assumed

    @property
    def unseen(self) -> str:
        return "never sent"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation, parameter in self.uses:
            name, part = parameter.name, operation.id
            calls = traffic.of(operation)
            known = {each.name for each in operation.parameters}
            effects = set(filtered(calls, parameter)) | set(echoed(operation, calls, name))
            instead = self._instead(operation, parameter, calls)
            for call in calls:
                refused = named_in_refusal(call, _in_body(call))
                linked = {link for link, _ in links(call)}
                asked = names(call)
                if call in instead:
                    yield Observation("against", instead[call], call, part, instead[call])
                if name in refused:
                    text = f"{call.exchange.status} names {name}"
                    yield Observation("shows", text, call, part)
                elif name in linked:
                    yield Observation("shows", f"the service writes {name} itself", call, part)
                elif call in effects:
                    yield Observation("shows", f"{name}, and the answer follows it", call, part)
                elif name in asked and call.ok:
                    if call.foreign:
                        text = f"another client sends {name}: {call.exchange.status}"
                        yield Observation("shows", text, call, part)
                    else:
                        text = f"{name} was accepted, as any name might be"
                        yield Observation("fits", text, call, part)
                elif self._is_needed(parameter) and call.ok and call not in instead:
                    strange = [shown_name(each) for each in asked if each not in known]
                    text = f"answered without {name}"
                    text += f", with {', '.join(strange)}" if strange else ""
                    yield Observation("against", text, call, part)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        assert self.action is not None
        against = {each.data for each in seen if each.outcome == "against"}
        if len(against) != 1 or any(each.outcome != "against" for each in seen):
            return None
        (name,) = against
        if not isinstance(name, str) or not isinstance(self.action.update, Mapping):
            return None
        return [Update(self.action.target, {**self.action.update, "name": name})]

    def _is_needed(self, parameter: Parameter) -> bool:
        return parameter.node.get("required") is True

    def _instead(
        self, operation: Operation, parameter: Parameter, calls: Sequence[Call]
    ) -> dict[Call, str]:
        """The calls that have another name for the parameter.

        What is sent in its stead is another name for what is demanded. So is what the service
        names itself, where it can only be this one.
        """
        known = {each.name for each in operation.parameters}
        paging = operation.node.get("x-paging")
        pages = isinstance(paging, Mapping) and paging.get("page") == parameter.name
        demanded = [each for each in operation.parameters if self._is_needed(each)]
        found: dict[Call, str] = {}
        for call in calls:
            asked = names(call)
            if pages and (name := _page_of_links(call, known)):
                found[call] = name
            if parameter.name in asked:
                continue
            strange = [name for name in asked if name not in known and is_code(name)]
            if call.ok and self._is_needed(parameter):
                lacking = [
                    each for each in demanded if each.name not in asked and each.name in self.others
                ]
                name = _assigned(parameter, lacking, strange, dict(call.exchange.query))
                if name is not None:
                    found[call] = name
        return found


class Added(Name):
    """An operation has a parameter of this name, which the document itself does not mention."""

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        assert self.action is not None
        against = {each.data for each in seen if each.outcome == "against"}
        if len(against) != 1 or any(each.outcome != "against" for each in seen):
            return None
        old = {parameter.name for _, parameter in self.uses}
        (new,) = against
        update = [
            {**node, "name": new} if node.get("name") in old else node
            for node in self.action.update
        ]
        return [Update(self.action.target, update)]


def _in_body(call: Call) -> list[str]:
    """The members of a request's body: a refusal may be about them."""
    body = call.exchange.asked
    return [*(body.value if isinstance(body.value, dict) else ()), *(f.name for f in body.fields)]


def _page_of_links(call: Call, known: set[str]) -> str | None:
    """The one unknown name that the service gives numbers in addresses of pages."""
    linked = dict(links(call))
    strange = [name for name, value in linked.items() if name not in known and value.isdecimal()]
    return strange[0] if len(strange) == 1 and is_code(strange[0]) else None


class Style(Claim):
    """Several values of a parameter are written so: in one, with commas, or each with the name."""

    def __init__(
        self, sources: Sources, action: Action, uses: Sequence[tuple[Operation, Parameter]]
    ) -> None:
        self.explode = bool(action.update.get("explode", uses[0][1].explode))
        super().__init__(action, _WORDS["repeated" if self.explode else "commas"])
        self.uses = uses
        self.concerned = tuple(dict.fromkeys(operation for operation, _ in uses))
        self.parts = tuple(operation.id for operation, _ in uses)

    @property
    def unseen(self) -> str:
        return "never with several values"

    def observe(self, traffic: Traffic) -> Iterator[Observation]:
        for operation, parameter in self.uses:
            calls = traffic.of(operation)
            effects = set(filtered(calls, parameter))
            for call in calls:
                form = _form(call, parameter.name)
                if form is None or not call.ok:
                    continue
                said = _WORDS[form]
                if form != ("repeated" if self.explode else "commas"):
                    yield Observation("against", said, call, operation.id, form)
                elif call in effects:
                    text = f"{said}, and the answer follows all of them"
                    yield Observation("shows", text, call, operation.id, form)
                else:
                    outcome: Any = "shows" if call.foreign else "fits"
                    yield Observation(outcome, said, call, operation.id, form)

    def truth(self, seen: Sequence[Observation]) -> list[Update] | None:
        assert self.action is not None
        forms = {each.data for each in seen}
        if len(forms) != 1:
            return None
        update = {"style": "form", "explode": forms != {"commas"}}
        if forms == {"brackets"}:
            return [Update(self.action.target, {**update, "name": f"{self.uses[0][1].name}[]"})]
        return [Update(self.action.target, update)]


_WORDS: Final = {
    "commas": "one value with commas",
    "repeated": "the name again for each value",
    "brackets": "the name with [] for each value",
}


def _form(call: Call, name: str) -> str | None:
    """How several values are written in a request; None if there are not several."""
    query = call.exchange.query
    own = [value for key, value in query if key == name]
    if len(own) > 1:
        return "repeated"
    if own and "," in own[0]:
        return "commas"
    with_brackets = [key for key, _ in query if key.partition("[")[0] == name and key != name]
    return (
        "brackets" if with_brackets and all(key == f"{name}[]" for key in with_brackets) else None
    )


def filtered(calls: Sequence[Call], parameter: Parameter) -> Iterator[Call]:
    """The calls whose answers follow a parameter.

    Some member of every item has one of the values that were asked for, or none at all; each of
    the values stands in some item; and another answer of the operation has an item with another
    value there. A service that ignores the parameter would have given that one here, too.
    """
    asked = {
        call: set(sent(call, parameter)) for call in calls if call.ok and sent(call, parameter)
    }
    asked = {
        call: values
        for call, values in asked.items()
        if all(len(value) >= _LEAST for value in values)
    }
    if not asked:
        return
    found = {call: [_members(item) for item in _items(call)] for call in calls if call.ok}
    for call, values in asked.items():
        items = found[call]
        if not items:
            continue
        for path in {path for item in items for path in item}:
            held = [item.get(path, frozenset()) for item in items]
            if not all(not each or each & values for each in held):
                continue
            if not values <= frozenset().union(*held):
                continue
            elsewhere = (
                item.get(path, frozenset())
                for other, others in found.items()
                if asked.get(other) != values
                for item in others
            )
            if any(each and not each & values for each in elsewhere):
                yield call
                break


def echoed(operation: Operation, calls: Sequence[Call], name: str) -> Iterator[Call]:
    """The calls for a page of a list, another one than the first, whose answers have its number."""
    paging = operation.node.get("x-paging")
    if not isinstance(paging, Mapping) or paging.get("page") != name:
        return
    for call in calls:
        value = dict(call.exchange.query).get(name, "")
        came = at_path(call.exchange.answered.value, str(paging.get("current")))
        if call.ok and value.isdecimal() and int(value) > 1 and came == int(value):
            yield call


def _items(call: Call) -> list[Any]:
    """The items of a list in an answer."""
    value = call.exchange.answered.value
    paging = call.operation.node.get("x-paging")
    if isinstance(paging, Mapping):
        value = at_path(value, str(paging.get("items")))
    if isinstance(value, dict):
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        value = lists[0] if len(lists) == 1 else []
    return value if isinstance(value, list) else []


def _members(item: Any) -> dict[Pointer, frozenset[str]]:
    """The texts in an item by the keys that lead to them."""
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
    """The strange name that stands for a parameter, where only one can.

    The two ends of a window are told by their order.
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
