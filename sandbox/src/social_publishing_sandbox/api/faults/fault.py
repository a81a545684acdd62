"""A fault as a value, and as JSON."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict

from social_publishing_sandbox.api.faults.kinds import COMMON, KINDS, BadFault, Kind, Value, unknown
from social_publishing_sandbox.state.wording import shown

SCRIPT: Final = "script"
PASS: Final = "pass"
EVERY: Final = "*"

_COMMON: Final = {each.name: each for each in COMMON}
_ID: Final = re.compile(r"[A-Za-z0-9._-]{0,64}")
_OF_SHARES: Final = ("times", "probability")


class Members(TypedDict, total=False):
    """Members of a fault besides its kind; `KINDS` lists the parameters of each kind."""

    operations: str | Sequence[str]
    script: Sequence[object]
    id: str | None
    user: str | None
    after: int
    times: int | None
    probability: float
    repeat: bool
    ms: int
    when: Literal["before", "after"]
    status: int
    retry_after: int | None
    message: str | None
    reset: bool
    keep: float
    chunk: int
    delay: int
    field: str | None
    count: int


@dataclass(frozen=True, slots=True)
class Step:
    """The treatment of one request."""

    kind: str
    parameters: Mapping[str, Value]

    @classmethod
    def from_json(cls, value: object, field: str) -> Step:
        """Read a step of a script: `"drop-after"`, `{"status": 503}` or
        `{"latency": {"ms": 200, "when": "after"}}`.

        Raises:
            BadFault: it is no step; the error names the field.
        """
        if isinstance(value, str):
            return cls._of(value, {}, field, "")
        if not isinstance(value, dict) or len(value) != 1:
            raise BadFault(field, "must be 'pass', the name of a kind or {kind: parameters}")
        ((name, given),) = value.items()
        kind = KINDS.get(name)
        if kind is not None and not isinstance(given, dict):
            if not kind.parameters:
                raise BadFault(f"{field}.{name}", "this kind has no parameters")
            main = kind.parameters[0]
            return cls(name, kind.complete({main.name: main.check(given, f"{field}.{name}")}))
        return cls._of(name, given, field, f"{field}.{name}.")

    def to_json(self) -> Any:
        """Return the step as a script has it."""
        given = {name: value for name, value in self.parameters.items() if value is not None}
        return {self.kind: given} if given else self.kind

    @classmethod
    def _of(cls, name: str, given: Mapping[str, object], field: str, prefix: str) -> Step:
        if name == PASS and not given:
            return cls(PASS, {})
        return cls(name, _kind(name, field, (*KINDS, PASS)).complete(given, prefix))


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: which requests fail, and how.

    Attributes:
        steps: what happens: one step for all requests or, with `scripted`, one step per request.
        id: its name in the registry; empty to let the registry choose one.
        operations: the `operationId`s that it applies to; empty for all.
        user: the name or id of the user whose requests fail; None for all users.
        after: let this many requests pass first.
        times: stop after this many requests; None for never.
        probability: the share of matching requests that fail, from 0 to 1.
        repeat: start a finished script again; otherwise all later requests pass.
    """

    steps: tuple[Step, ...]
    scripted: bool = False
    id: str = ""
    operations: tuple[str, ...] = ()
    user: str | None = None
    after: int = 0
    times: int | None = None
    probability: float = 1.0
    repeat: bool = False

    @property
    def kind(self) -> str:
        """The kind, or `script`."""
        return SCRIPT if self.scripted else self.steps[0].kind

    @classmethod
    def from_json(cls, value: object, operations: Mapping[str, str] | None = None) -> Fault:
        """Read a fault, such as `{"kind": "status", "status": 503, "operations": "getPosts",
        "times": 2}` or `{"script": ["pass", {"status": 503}, "drop-after"]}`.

        Args:
            value: decoded JSON. Its members are those of `COMMON`; `operations`, which is `"*"`,
                the name of an operation or an array of them; and either `kind` with the parameters
                of the kind, or `script`.
            operations: the `operationId` of every name of an operation; None to allow any.

        Raises:
            BadFault: it is no fault; the error names the field.
        """
        if not isinstance(value, dict):
            raise BadFault("", "a fault must be a JSON object")
        members = dict(value)
        common: dict[str, Any] = {
            name: parameter.check(members.pop(name), name)
            for name, parameter in _COMMON.items()
            if name in members
        }
        common["id"] = common.get("id") or ""
        if not _ID.fullmatch(common["id"]):
            raise BadFault("id", "must be at most 64 letters, digits, '.', '_' or '-'")
        common["operations"] = _operations(members.pop("operations", EVERY), operations)
        if SCRIPT in members:
            return cls(_script(members, common), scripted=True, **common)
        if "kind" not in members:
            raise BadFault("kind", "is missing; a fault needs a kind or a script")
        if "repeat" in common:
            raise BadFault("repeat", "is allowed only with a script")
        name = members.pop("kind")
        if not isinstance(name, str):
            raise BadFault("kind", f"must be a text, not {shown(name)}")
        kind = _kind(name, "kind", KINDS)
        own = [each.name for each in kind.parameters]
        for member in members:
            if member not in own:
                known = (*_COMMON, "operations", *own)
                raise BadFault(member, unknown(f"member of a fault {name!r}", member, known))
        return cls((Step(name, kind.complete(members)),), **common)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON that `from_json` reads; members with their default are left out."""
        written: dict[str, Any] = {"id": self.id} if self.id else {}
        if self.scripted:
            written["script"] = [each.to_json() for each in self.steps]
        else:
            (step,) = self.steps
            written["kind"] = step.kind
            written |= {name: each for name, each in step.parameters.items() if each is not None}
        written["operations"] = list(self.operations) or EVERY
        for name, parameter in _COMMON.items():
            if name != "id" and getattr(self, name) != parameter.default:
                written[name] = getattr(self, name)
        return written


def _script(members: dict[str, Any], common: Mapping[str, Any]) -> tuple[Step, ...]:
    script = members.pop(SCRIPT)
    if members:
        raise BadFault(min(members), "a script cannot have a kind or parameters of its own")
    for name in _OF_SHARES:
        if name in common:
            raise BadFault(
                name, "cannot be used with a script, which lists itself which requests fail"
            )
    if not isinstance(script, list | tuple) or not script:
        raise BadFault(SCRIPT, f"must be an array of at least one step, not {shown(script)}")
    return tuple(Step.from_json(each, f"{SCRIPT}[{n}]") for n, each in enumerate(script))


def _kind(name: str, field: str, known: Collection[str]) -> Kind:
    kind = KINDS.get(name)
    if kind is None:
        raise BadFault(field, f"{name!r}: {unknown('kind of fault', name, known)}")
    return kind


def _operations(value: object, known: Mapping[str, str] | None) -> tuple[str, ...]:
    if value == EVERY:
        return ()
    names = [value] if isinstance(value, str) else value
    if not (isinstance(names, list | tuple) and names and all(isinstance(n, str) for n in names)):
        wanted = "'*', an operationId, a method of the client, or an array of these"
        raise BadFault("operations", f"must be {wanted}, not {shown(value)}")
    if known is None:
        return tuple(dict.fromkeys(names))
    for name in names:
        if name not in known:
            raise BadFault("operations", f"{name!r}: {unknown('operation', name, known)}")
    return tuple(dict.fromkeys(known[name] for name in names))
