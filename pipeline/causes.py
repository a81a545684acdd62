"""Group findings by cause: how many, where, and an overlay action that would fix each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from pipeline.openapi.documents import Pointer
from pipeline.openapi.objects import METHODS, NAMED
from pipeline.openapi.problems import MALFORMED, Finding, Uses
from pipeline.openapi.wording import on_one_line
from pipeline.openapi.yamls import dump

_EACH: Final = 3  # so many findings of one cause are shown one by one
# What differs between findings of one cause: quoted texts, references, routes, places, numbers.
_VARYING: Final = re.compile(
    r"(?P<quoted>'[^']*'|\"[^\"]*\")"
    r"|#/\S*\w"
    rf"|\b(?:{'|'.join(METHODS).upper()}) /\S*"
    r"|(?<=\s)/\S+"
    r"|\S+:\d+:\d+"
    r"|(?<=\bcalled )\S+"
    r"|(?<=: )\w+$"
    r"|\b\d+\b"
)

_NOT_DEFINED: Final = " does not define "
# The components that can be added without knowing what was meant, each as one that allows anything.
_ADDED: Final[dict[str, Any]] = {
    "schemas": {},
    "responses": {"description": "Not documented."},
    "requestBodies": {"content": {"application/json": {}}},
}
_MISSING: Final = re.compile(rf"\$ref: #/components/({'|'.join(_ADDED)})/([^/\s]+) leads nowhere")

_MEANT: Final = re.compile(r"\$ref: (#/\S+)/\S+ leads nowhere; did you mean (\S+)\?")

# What is corrected where it stands: to remove it would take something true away.
_CORRECTED: Final = ("documented", "contradiction", "twice", "label", "example", "required", "word")

# What an overlay adds for findings of a rule: the word, and what may stand there.
_NAMING: Final[dict[str, tuple[str, Any]]] = {
    "description": ("description", "What it is."),
    "operation-id": ("operationId", "aNameOfItsOwn"),
    "python-name": ("x-python-name", "a_name_of_its_own"),
    "enum-names": ("x-enum-varnames", []),
}


@dataclass(frozen=True)
class Cause:
    """Findings, in their order, and the `text` that they share: `…` stands for what differs."""

    text: str
    findings: tuple[Finding, ...]

    @property
    def action(self) -> dict[str, Any] | None:
        """The action of an overlay that mends the first of them, or all where one can."""
        return remedy(*self.findings)

    def lines(self, every: bool = False) -> Iterator[str]:
        """Yield a few findings as they are, or `every` one; of many the first places on a line."""
        first = self.findings[0]
        if every or len(self.findings) <= _EACH:
            for text, each in {f"{each.severity}: {each}": each for each in self.findings}.items():
                yield text
                if every:
                    yield from (f"  follows: {other}" for other in each.follows)
        else:
            places = ", ".join(str(each.position) for each in self.findings[:_EACH])
            rule = f" [{first.rule}]" if first.rule else ""
            text = f"{len(self.findings):,} × {self.text}{rule}: {places}, …"
            yield f"{first.severity}: {on_one_line(text)}"
        if first.uses:
            yield "  look at:"
            yield from (f"    {on_one_line(line)}" for line in first.uses.lines(every))
        if action := self.action:
            yield "  an overlay can fix it:"
            yield from (f"    {line}" for line in dump([action]).splitlines())


def causes(findings: Iterable[Finding]) -> list[Cause]:
    """Return findings by their causes: errors first, of them roots, then what is most frequent."""
    by_cause: dict[tuple[Uses | None, str, str, str], list[Finding]] = {}
    for finding in findings:
        key = (finding.uses, finding.severity, finding.rule, _general(finding))
        by_cause.setdefault(key, []).append(finding)
    every = [Cause(_named(key[-1], group), tuple(group)) for key, group in by_cause.items()]
    order = ("error", "left out", "note")

    def rank(cause: Cause) -> tuple[int, bool, int]:
        first = cause.findings[0]
        is_root = first.rule in MALFORMED or bool(first.follows)
        return order.index(first.severity), not is_root, -len(cause.findings)

    return sorted(every, key=rank)


def remedy(finding: Finding, *more: Finding) -> dict[str, Any] | None:
    """Return an action of an overlay that mends a finding, and others of its cause where it can.

    None where there is none to propose.
    """
    pointer = finding.pointer
    if not pointer:
        return None
    if finding.update is not None:
        label = {"x-assumption": finding.label} if finding.label else {}
        return {"target": json_path(pointer), "update": finding.update, **label}
    word, value = _NAMING.get(finding.rule, ("", ""))
    if word in pointer and not isinstance(value, str):
        action = {"target": json_path(pointer[: pointer.index(word) + 1]), "remove": True}
        return None if finding.own else action
    if word:
        is_word = pointer[-1] == word and pointer[-2] not in NAMED
        if is_word and finding.own:
            return None  # it is corrected there
        holder = pointer[:-1] if is_word else pointer
        return {"target": json_path(holder), "update": {word: value}}
    if finding.rule == "read-only":
        return {"target": json_path(pointer), "update": {"readOnly": False}}
    if finding.severity == "note" or finding.rule in _CORRECTED:
        return None
    if finding.rule == "security":
        scheme = {"type": "http", "scheme": "bearer"}
        schemes = dict.fromkeys(_undefined([finding, *more]), scheme)
        return {"target": "$", "update": {"components": {"securitySchemes": schemes}}}
    if meant := _MEANT.search(finding.message):
        right = meant[2] if meant[2].startswith("#") else f"{meant[1]}/{meant[2]}"
        return {"target": json_path(pointer[:-1]), "update": {"$ref": right}}
    if finding.own:
        return None  # it is corrected there; what follows takes away, or makes up
    if missing := [name for each in (finding, *more) for name in _MISSING.findall(each.message)]:
        added: dict[str, Any] = {}
        for kind, name in missing:
            name = name.replace("~1", "/").replace("~0", "~")
            added.setdefault(kind, {})[name] = _ADDED[kind]
        return {"target": "$", "update": {"components": added}}
    member = pointer[-1]
    if finding.rule in ("bundle", "ref") and member == "$ref":
        is_known = "; did you mean " in finding.message  # in another file
        update = {"$ref": "#/components/…"}
        return None if is_known else {"target": json_path(pointer[:-1]), "update": update}
    if "parameters" in pointer[:-1]:
        pointer = pointer[: pointer.index("parameters") + 2]
    elif len(pointer) < 2 or member in METHODS or pointer[-2] in NAMED:
        return None
    return {"target": json_path(pointer), "remove": True}


def json_path(pointer: Pointer) -> str:
    """Return the JSONPath of a pointer: `$.paths['/books'].get`."""
    text = "$"
    for part in pointer:
        if isinstance(part, int):
            text += f"[{part}]"
        elif re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", part):
            text += f".{part}"
        else:
            escaped = json.dumps(part, ensure_ascii=False)[1:-1].replace('\\"', '"')
            text += "['" + escaped.replace("'", "\\'") + "']"
    return text


def _undefined(findings: Iterable[Finding]) -> list[str]:
    """Return the security schemes that are not defined."""
    said = (each.message.partition(_NOT_DEFINED)[2] for each in findings)
    return sorted({name for text in said for name in text.split(" or ") if name})


def _named(text: str, findings: Iterable[Finding]) -> str:
    """Return the text of a cause with the security schemes that it is about."""
    head, sign, _ = text.partition(_NOT_DEFINED)
    return f"{head}{sign}{' or '.join(_undefined(findings))}" if sign else text


def _general(finding: Finding) -> str:
    """Return the message of a finding without what is its alone."""
    if finding.rule == "description":
        return "no description"
    if finding.rule == "security" and _NOT_DEFINED in finding.message:
        return f"security: components.securitySchemes{_NOT_DEFINED}…"
    if finding.rule == "example":
        return f"{re.split('[: ]', finding.message)[0]} does not fit its schema"
    prefix = r"^[A-Za-z]+ /.*?: " if finding.severity == "left out" else r"^#\S*: "
    text = re.sub(prefix, "", finding.message)
    around = ("", *(finding.pointer or ()))
    own = {
        str(key)
        for holder, key in zip(around, finding.pointer or (), strict=False)
        if holder in NAMED and key != ""
    }
    text = re.sub(r"\b((?:parameter|property|schema|operation|header|response) )\S+", r"\1…", text)
    if own:
        names = "|".join(re.escape(name) for name in sorted(own, key=len, reverse=True))
        text = re.sub(rf"(?<!\w)(?:{names})(?!\w)", "…", text)
    return _VARYING.sub("…", text)
