"""Changing a part of what can only be replaced as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET

from ..core.callers import warn
from ..core.errors import ArgumentError, ArgumentProblem, LimitationWarning
from ..core.models import RequestModel, is_stored, stored
from ..core.type_guards import is_list, is_mapping, is_object
from ..engine.effects import Steps
from ..engine.execute import execute
from ..request.write_back import (
    NO_ARGUMENT,
    Arguments,
    From,
    LostField,
    WriteBack,
    arguments,
    json_key,
)

if TYPE_CHECKING:
    from ..core.deadline import Deadline
    from ..core.models import ResponseModel
    from ..engine.context import Context
    from ..request.request import Request

T = TypeVar("T")

Write: TypeAlias = "Callable[[Mapping[str, Any]], Request[T]]"
"""Makes a request of arguments by their names."""

Read: TypeAlias = "tuple[str, object, type[ResponseModel]]"
"""What the caller has read: the name of the argument, its value, and the class that it must be."""


class ReadModifyWrite(Generic[T]):
    """Reads what is there, changes some of it, and sends all of it back.

    What somebody else changes between the two requests is overwritten.

    Args:
        read: makes the request that reads what is there.
        write: makes the request that replaces it, of the arguments by their names.
        changes: the arguments that are to change; UNSET ones stay as they are.
        back: how arguments are made of what is read.
    """

    def __init__(
        self,
        operation: str,
        read: Callable[[], Request[Any]],
        write: Write[T],
        changes: Mapping[str, Any],
        back: WriteBack,
    ) -> None:
        self._changes = changes
        self._write = write
        self._back = back
        problems: dict[ArgumentProblem, None] = {}
        request: Request[Any] | None = None
        try:
            request = read()
        except ArgumentError as error:
            problems |= dict.fromkeys(error.problems)
        problems |= dict.fromkeys(_refused(write, changes))
        if request is None or problems:
            raise ArgumentError(operation, tuple(problems))
        self.operation = operation
        self.cautions = request.cautions
        self._read = request

    def steps(self, context: Context[Any], deadline: Deadline) -> Steps[T]:
        """Read, change, and replace; nothing is changed if something cannot be sent back."""
        original = yield from execute(self._read, context, deadline)
        request = _replacement(self.operation, original, self._write, self._changes, self._back)
        response = yield from execute(request, context, deadline)
        changed, gone = _not_kept(self._back, original, response)
        if changed:
            text = f"the service has not kept {', '.join(changed)}, which cannot be sent"
            warn(self.operation, [(LimitationWarning, text)])
        if gone:
            text = f"the response lacks {', '.join(gone)}, which cannot be sent: read it again"
            warn(self.operation, [(LimitationWarning, text)])
        return response


def replaced(
    operation: str,
    read: Read,
    write: Write[T],
    changes: Mapping[str, Any],
    back: WriteBack,
) -> Request[T]:
    """Return the request that changes some of what the caller has read, and sends all of it back.

    Raises:
        ArgumentError: nothing is to change, an argument is not what the documents allow, or
            something that was read, or never was, cannot be sent back.
    """
    original = _checked(operation, read, write, changes)
    return _replacement(operation, original, write, changes, back)


def amended(
    operation: str,
    read: Read,
    write: Write[T],
    changes: Mapping[str, Any],
    back: WriteBack,
    demanded: Sequence[str] = (),
) -> Request[T]:
    """Return the request that changes parts of objects, and keeps the others as they were read.

    Models and mappings among the changes are put into those that were read: fields that are UNSET,
    and keys that are not there, stay. Everything else takes the place of what was read.

    Arguments that are UNSET are not sent, but for those that the write demands, which are as they
    were read.

    Raises:
        ArgumentError: as of `replaced`, or a demanded argument was not read.
    """
    original = _checked(operation, read, write, changes, demanded)
    there, given = arguments(back, original), _given(changes)
    kept = [name for name in demanded if name not in given]
    values: dict[str, Any] = {name: there.get(name, UNSET) for name in kept}
    problems = [
        ArgumentProblem(name, "was not read, and has to be sent")
        for name, value in values.items()
        if value is UNSET
    ]
    written: set[str] = set()
    for name, value in given.items():
        rule = back.rules.get(name) or From(name)
        if _has_parts(value) and stored(original, rule.field or name) is UNSET:
            problems.append(ArgumentProblem(name, "was not read: its other parts are not known"))
        values[name] = _merge(there.get(name, UNSET), value, name, written)
    problems += [
        ArgumentProblem(loss.field, f"cannot be sent back: {loss.reason}")
        for loss in _losses(there, back, original)
        if _outermost(loss.field) in given and written.isdisjoint(_around(loss.field))
    ]
    if problems:
        raise ArgumentError(operation, tuple(problems))
    return _as_errors_of(operation, write, values)


def _checked(
    operation: str,
    read: Read,
    write: Write[Any],
    changes: Mapping[str, Any],
    demanded: Sequence[str] = (),
) -> ResponseModel:
    """Return what was read, if it and the changes are what they must be."""
    argument, model, kind = read
    if not isinstance(model, kind):
        reason = f"expected a {kind.__name__} that was read, got {type(model).__name__}"
        raise ArgumentError(operation, (ArgumentProblem(argument, reason),))
    if problems := tuple(_refused(write, changes, demanded)):
        raise ArgumentError(operation, problems)
    return model


def _replacement(
    operation: str,
    original: ResponseModel,
    write: Write[T],
    changes: Mapping[str, Any],
    back: WriteBack,
) -> Request[T]:
    there, given = arguments(back, original), _given(changes)
    kept = set(back.written.__struct_fields__) - set(given)
    lost = tuple(
        ArgumentProblem(loss.field, f"is not changed, and cannot be sent back: {loss.reason}")
        for loss in _losses(there, back, original)
        if _outermost(loss.field) in kept
    )
    if lost:
        raise ArgumentError(operation, lost)
    return _as_errors_of(operation, write, {**there, **given})


def _not_kept(back: WriteBack, before: ResponseModel, after: object) -> tuple[list[str], list[str]]:
    """Return what cannot be sent, and has another value after the write, or none, by name."""
    if not isinstance(after, type(before)):
        return [], []
    lost = {each.field for each in arguments(back, before).lost if each.reason == NO_ARGUMENT}
    unsent = [name for name in before.__struct_fields__ if name in lost]
    shown = [name for name in unsent if is_stored(after, name)]
    gone = [name for name in unsent if name not in shown and stored(before, name) is not None]
    changed = [name for name in shown if stored(after, name) != stored(before, name)]
    one, two = before.additional_properties, after.additional_properties
    return [*changed, *(name for name in one if name in two and one[name] != two[name])], gone


def _as_errors_of(operation: str, write: Write[T], values: Mapping[str, Any]) -> Request[T]:
    """Return the request of a write; its argument errors name `operation`."""
    try:
        return write(values)
    except ArgumentError as error:
        raise ArgumentError(operation, error.problems) from None


def _given(changes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in changes.items() if value is not UNSET}


def _refused(
    write: Write[Any], changes: Mapping[str, Any], demanded: Sequence[str] = ()
) -> Iterator[ArgumentProblem]:
    """Find what is wrong with the arguments themselves, whatever is there."""
    given, everything = _given(changes), {**dict.fromkeys(demanded, UNSET), **changes}
    if not given:
        yield ArgumentProblem(" or ".join(changes), "at least one must be given")
        return
    try:
        write(everything)
    except ArgumentError as error:
        for problem in error.problems:
            name = _outermost(problem.argument)
            # What stays as it is has no value yet.
            if name not in everything or name in given:
                yield problem


def _merge(old: Any, new: Any, path: str, written: set[str]) -> Any:
    """Return `new`, with the members that it leaves unset taken from `old`.

    The paths of all else in `new` are added to `written`.
    """
    if isinstance(new, RequestModel):
        model = old if type(old) is type(new) else None
        members: dict[str, Any] = {}
        for name in new.__struct_fields__:
            before, after = getattr(model, name, UNSET), getattr(new, name)
            is_kept = after is UNSET
            members[name] = before if is_kept else _merge(before, after, f"{path}.{name}", written)
        return type(new)(**members)
    if is_mapping(new):
        entries: dict[Any, Any] = {**old} if is_object(old) else {}
        for key, after in new.items():
            place = f"{path}[{json_key(key)!r}]"
            entries[key] = _merge(entries.get(key, UNSET), after, place, written)
        return entries
    written.add(path)
    return new


def _has_parts(value: object) -> bool:
    return isinstance(value, RequestModel) or is_mapping(value)


def _around(field: str) -> Iterator[str]:
    """Return a path, and the paths of what it is inside of."""
    yield field
    for separator in re.finditer(r"[.\[]", field):
        yield field[: separator.start()]


def _losses(there: Arguments, back: WriteBack, original: ResponseModel) -> Iterable[LostField]:
    """Return what would be lost. A null that cannot be sent is no loss: it is left out."""
    if not there.lost:
        return ()
    anyway = {each.field for each in arguments(back, _without_nulls(original)).lost}
    return (each for each in there.lost if each.field in anyway)


def _without_nulls(value: Any) -> Any:
    """Return what was read, with the fields absent that are null in it."""
    if isinstance(value, msgspec.Struct):
        fields = {name: stored(value, name) for name in value.__struct_fields__}
        if all(item is UNSET for item in fields.values()):
            return value  # it may stand for what is no object
        there = {k: UNSET if v is None else _without_nulls(v) for k, v in fields.items()}
        return msgspec.structs.replace(value, **there)
    if is_list(value):
        return [_without_nulls(item) for item in value]
    if is_object(value):
        return {key: _without_nulls(item) for key, item in value.items()}
    return value


def _outermost(argument: str) -> str:
    """Return the argument that a path begins with."""
    return re.split(r"[.\[]", argument, maxsplit=1)[0]
