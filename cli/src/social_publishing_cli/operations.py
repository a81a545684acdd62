"""One command for each method of the client, from the catalogue.

The client's method does the work: it checks arguments, keeps to the rate limit, retries, and reads
pages.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from enum import Enum
from functools import cache, partial
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click

from . import output, statuses
from .catalogues import catalogue
from .names import Kind
from .session import Session, shown_only

_NAIVE = re.compile("a naive date-time .*", re.DOTALL)
_MODEL = re.compile(r"expected a (?:mapping|[A-Z]\w*), got .*", re.DOTALL)


class _Read(click.ParamType[Any]):
    """A value that a function makes of a text; it raises ValueError where it cannot."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name, self._read = name, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._read(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _moment(value: str) -> datetime:
    """Read a time with its offset, or with the zone on whose clocks it is."""
    from .sheets.cells import moment, zone_named

    text, _, zone = value.partition(" in ")
    if not zone and not re.search(r":\d\d.*(Z|[+-]\d\d(:?\d\d)?)$", text.strip()):
        raise ValueError(
            f"{value!r} is not a time with a time zone: write 2026-12-24T09:00+01:00, or "
            "'2026-12-24 09:00 in Europe/Berlin'"
        )
    return datetime.fromisoformat(
        moment(text.strip(), zone_named(zone.strip()) if zone else None, None)
    )


def _date(value: str) -> date:
    from .sheets.times import why_none

    try:
        return date.fromisoformat(value)
    except ValueError:
        reason = why_none(value) or "write 2026-12-24"
        raise ValueError(f"{value!r} is not a date: {reason}") from None


def _text(value: str) -> str:
    """Read a text as it is, `-` for standard input, or @ and the name of a file; @@ is an @."""
    try:
        if value == "-":
            return sys.stdin.read()
        if value.startswith("@@"):
            return value[1:]
        return Path(value[1:]).read_text("utf-8") if value.startswith("@") else value
    except OSError as error:
        reason = f"{value[1:]}: {error.strerror or error}; @@ begins a text with @"
    except UnicodeError:
        reason = f"{value[1:] or 'standard input'}: is not UTF-8"
    raise ValueError(reason)


def _json(value: str) -> Any:
    """Read JSON, or the name of a file behind @."""
    try:
        return json.loads(Path(value[1:]).read_text("utf-8") if value.startswith("@") else value)
    except OSError as error:
        raise ValueError(f"{value[1:]}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"is not JSON: {error}") from None


class _Choice(click.ParamType[Any]):
    """A value of an enumeration, by its name or as it is; values that nobody documented pass."""

    name = "choice"

    def __init__(self, choices: Mapping[str, Any], integers: bool) -> None:
        self.choices = choices
        self.integers = integers

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        name = str(value).lower().replace("-", "_")
        if name in self.choices:
            return self.choices[name]
        if not self.integers:
            return value
        try:
            return int(value)
        except ValueError:
            self.fail(f"{value!r} is not one of {', '.join(self.choices)}", param, ctx)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        names = "|".join(self.choices)
        return f"[{names}]" if len(names) <= 60 else f"[{names[:60].rpartition('|')[0]}|…]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.choices if name.startswith(incomplete)]


MOMENT = _Read("time", _moment)

_TYPES: dict[str, Any] = {
    "text": _Read("text", _text),
    "id": click.STRING,
    "integer": click.INT,
    "number": click.FLOAT,
    "flag": click.BOOL,
    "moment": MOMENT,
    "date": _Read("date", _date),
    "file": click.Path(exists=True, dir_okay=False),
    "json": _Read("json", _json),
}


def _stands_for(argument: Mapping[str, Any]) -> Kind | None:
    """Return what names can stand for in an argument: groups, accounts, or nothing."""
    if argument["kind"] == "id":
        name = argument["name"].removesuffix("s")
        kinds: tuple[Kind, ...] = ("group", "account")
        return next((kind for kind in kinds if name.endswith(f"{kind}_id")), None)
    return None


def _option_name(name: str) -> str:
    """Return the option of an argument; a group is `--group` in every command."""
    return "--group" if name == "group_id" else f"--{name.replace('_', '-')}"


def _shown_name(argument: Mapping[str, Any]) -> str:
    """Return what a command calls an argument: `--group` as an option, GROUP as an argument."""
    if argument.get("positional"):
        return (_stands_for(argument) or str(argument["name"])).upper()
    return _option_name(argument["name"])


class _Option(click.Option):
    """An option whose help shows the first of its names; the others are those of the documents."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        names, self.opts = self.opts, self.opts[:1]
        try:
            return super().get_help_record(ctx)
        finally:
            self.opts = names


def _type(argument: Mapping[str, Any]) -> Any:
    if choices := argument.get("choices"):
        return _Choice(choices, argument["kind"] == "integer")
    return _TYPES[argument["kind"]]


def _has_default(known: Mapping[str, Any], argument: Mapping[str, Any]) -> bool:
    """Return whether the default group can stand in an argument, as a command to read needs one."""
    is_needed = argument.get("required") or argument["name"] in known.get("any_of", ())
    return bool(_stands_for(argument) == "group" and is_needed and not known.get("changes"))


def _parameter(argument: Mapping[str, Any], has_default: bool) -> click.Parameter:
    name, many = argument["name"], argument.get("many", False)
    required = argument.get("required", False) and not has_default
    if argument.get("positional"):
        shown = _shown_name(argument)
        return click.Argument(
            [name],
            type=_type(argument),
            nargs=-1 if many else 1,
            required=required,
            metavar=(f"[{shown}]" if has_default else shown) + "..." * many,
        )
    option = f"--{name.replace('_', '-')}"
    is_flag = argument["kind"] in ("flag", "switch") and not many
    names = [f"{option}/--no-{option[2:]}"] if argument["kind"] == "flag" else [option]
    stands_for = _stands_for(argument)
    return _Option(
        [name, *dict.fromkeys([_option_name(name), *names] if not is_flag else names)],
        type=None if is_flag else _type(argument),
        metavar=f"{stands_for.upper()}" if stands_for else None,
        is_flag=is_flag,
        default=None,
        multiple=many,
        required=required and not argument.get("nullable"),  # --empty may stand for it
        help=" ".join(argument.get("doc", "").split()),
    )


def command_of(resource: str, method: str) -> click.Command:
    """Return the command of one method."""
    known = catalogue()[resource]["commands"][method]
    arguments = known.get("arguments", [])
    parameters = [_parameter(each, _has_default(known, each)) for each in arguments]
    parameters.sort(key=lambda each: isinstance(each, click.Option) and not each.required)
    nullable = [each["name"] for each in arguments if each.get("nullable")]
    if nullable:
        names = [_option_name(name)[2:] for name in nullable]
        parameters.append(
            click.Option(
                ["empty", "--empty"],
                type=click.Choice(names),
                multiple=True,
                metavar="FIELD",
                help=f"Set a field to null: {', '.join(names)}.",
            )
        )
    if known.get("confirm"):
        parameters.append(
            click.Option(["yes", "--yes", "-y"], is_flag=True, help="Do not ask for confirmation.")
        )
    parameters.append(
        click.Option(
            ["dry_run", "--dry-run"], is_flag=True, help="Show the request without sending it."
        )
    )
    return click.Command(
        method.replace("_", "-"),
        params=parameters,
        callback=partial(_run, resource, method),
        help=known["summary"] + "\n\n" + known.get("description", ""),
        short_help=known["summary"],
        hidden=known.get("hidden", False),
    )


def _run(resource: str, method: str, **given: Any) -> int:
    """Call the method of the client, write what it returns, and return the exit status."""
    session: Session = click.get_current_context().ensure_object(Session)
    known = catalogue()[resource]["commands"][method]
    shows, sure = given.pop("dry_run"), given.pop("yes", True)
    arguments = {each["name"]: each for each in known.get("arguments", [])}
    emptied = given.pop("empty", ())
    empty = [name for name in arguments if _option_name(name)[2:] in emptied]
    values: dict[str, Any] = {name: None for name in empty}
    for name, value in given.items():
        if value is None or value == ():
            continue
        values[name] = _identified(session, arguments[name], value)
    for name, argument in arguments.items():
        if name not in values and _has_default(known, argument):
            if argument.get("required"):
                values[name] = session.group(None, _shown_name(argument))
            elif not values.keys() & {*known["any_of"]}:
                either = " or ".join(_shown_name(arguments[each]) for each in known["any_of"])
                values[name] = session.group(None, either)
        elif argument.get("required") and name not in values:
            raise click.UsageError(f"Missing option '{_option_name(name)}'.")
    fields = [name for name, each in arguments.items() if not each.get("positional")]
    if known.get("http", "").startswith("PATCH") and fields and not values.keys() & {*fields}:
        raise click.UsageError(
            f"nothing to change: pass at least one option, such as --{fields[0]}"
        )
    session.dry_run = shows
    with _words_of_options(arguments):
        call = _method(session, f"{resource}.{method}")
        return _called(session, call, known, arguments, values, sure)


def _called(
    session: Session,
    call: Callable[..., Any],
    known: Mapping[str, Any],
    arguments: Mapping[str, Mapping[str, Any]],
    values: dict[str, Any],
    sure: bool,
) -> int:
    """Make a call of the client, or show its request, and return the exit status."""
    positional = [values.pop(n) for n, each in arguments.items() if each.get("positional")]
    if session.dry_run:
        with shown_only(session):
            result = call(*positional, **values)
            next(iter(result), None)  # a list is read when its items are
        return statuses.DONE
    if not sure and not _agreed(session, known, positional, values):
        return statuses.FAILED
    if any(each["kind"] == "file" for each in arguments.values()) and session.shows:

        def progress(sent: int, total: int | None) -> None:
            of = f" of {total / 1e6:,.1f}" if total else ""
            session.show(f"{sent / 1e6:,.1f}{of} MB sent", sent, total)

        values["progress"] = progress
    result = call(*positional, **values)
    session.show("")
    returned = get_type_hints(call)["return"] if session.columns else None
    _write(session, result, known.get("columns", ()), returned)
    if "partly" in known and result is not None:
        said = to_json(result)
        undone = {name: said[name] for name in known["partly"] if said.get(name)}
        if undone:
            raise PartlyDoneError(undone)
    return statuses.DONE


class ArgumentError(click.UsageError):
    """The client refuses an argument; the error names its option."""

    documentation = "docs/errors.md#argumenterror"

    def __init__(self, operation: str, problems: Sequence[Any]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.operation, self.problems = operation, problems


def _in_json(reason: str) -> str:
    """Return why the client refuses a value, in words of JSON."""
    reason = _MODEL.sub("must be an object", reason).replace("null (None)", "null")
    return _NAIVE.sub("has no time zone: write 2026-12-24T09:00+01:00", reason)


@contextmanager
def _words_of_options(arguments: Mapping[str, Mapping[str, Any]]) -> Iterator[None]:
    """Say what the client refuses in the words of the command line."""
    import social_publishing

    def option(path: str) -> str:
        name, rest = re.fullmatch(r"(\w*)(.*)", path, re.DOTALL).groups()  # type: ignore[union-attr]
        if name not in arguments:
            return path
        return _shown_name(arguments[name]) + rest

    try:
        yield
    except social_publishing.ArgumentError as error:
        problems = [
            problem._replace(
                argument=" or ".join(map(option, problem.argument.split(" or "))),
                reason=_in_json(problem.reason),
            )
            for problem in error.problems
        ]
        raise ArgumentError(error.operation, problems) from None


def _agreed(
    session: Session, known: Mapping[str, Any], positional: list[Any], values: Mapping[str, Any]
) -> bool:
    """Show what a command is about, and ask a person whether to go on."""
    session.check_can_ask()
    question, shows = known["confirm"], known.get("shows")
    if shows:
        arguments = positional[:1] or [*values.values()][:1]
        objects = [*_records(_method(session, shows["method"])(*arguments), True)]
        records = [{name: each.get(name) for name in shows["columns"]} for each in objects]
        related = shows.get("related")
        found: set[str] = set()
        if related:
            read = cache(lambda one: to_json(_method(session, related["method"])(one), True))
            column = related["column"]
            for record, object_ in zip(records, objects, strict=True):
                ones = [read(one).get(column) for one in object_.get(related["ids"]) or ()]
                each = [str(one) for one in ones if one]
                record[column] = ", ".join(dict.fromkeys(each))
                found |= {*each}
        uncut = [related["column"]] if related else []
        output.write(records, to=sys.stderr, form="table", uncut=uncut)
        question = f"{len(records)} found. {question}"
        stays = related.get("stays") if related else None
        if stays and values.get(stays["argument"]):
            left = [each for each in stays["values"] if each in found]
            if left:
                session.note(f"{', '.join(left)}: {stays['says']}.")
    return session.confirmed(question)


def _method(session: Session, path: str) -> Any:
    resource, method = path.split(".")
    return getattr(getattr(session.client, resource), method)


def _identified(session: Session, argument: Mapping[str, Any], value: Any) -> Any:
    """Return the value of an argument; where it is one of identifiers, names may stand for them.

    Of several there may be commas between them, or `-` for a line of input each.
    """
    kind = _stands_for(argument)
    if not argument.get("many"):
        return session.names.resolve(kind, value) if kind else value
    if argument["kind"] != "id":
        return [*value]
    lines = [line for each in value for line in (sys.stdin if each == "-" else [each])]
    if not kind:
        return [found for line in lines for found in re.findall(r'[^\s",;|]+', line)]
    texts = (line.strip().strip('"') for line in lines)
    return [found for text in texts for found in session.names.several(kind, text)]


def to_json(value: Any, names: bool = False) -> Any:
    """Return a value as JSON; with `names`, codes as their names."""
    if hasattr(value, "to_dict"):
        members = value.to_dict(wire=True)
        codes = {name: getattr(value, name, None) for name in members} if names else {}
        named = {n: each.name.lower() for n, each in codes.items() if isinstance(each, Enum)}
        return {**members, **named}
    if isinstance(value, Mapping):
        return {str(name): to_json(each, names) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(each, names) for each in value]
    return value


def _records(values: Any, names: bool) -> Iterator[Any]:
    if isinstance(values, Mapping):
        for name, item in values.items():
            value = to_json(item, names)
            yield (
                {"key": name, **value} if isinstance(value, dict) else {"key": name, "value": value}
            )
        return
    for item in values:
        yield to_json(item, names)


def _fields(hint: Any) -> Iterator[str]:
    """Yield the fields of all models in a type, as JSON names them."""
    import msgspec

    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield from (each.encode_name for each in msgspec.structs.fields(hint))
    for arg in get_args(hint):
        yield from _fields(arg)


def _shown(session: Session, records: Iterator[Any], form: str) -> Iterator[Any]:
    """Show how many objects are read, unless a terminal shows the objects as they come."""
    if form != "table" and sys.stdout.isatty():
        yield from records
        return
    for count, each in enumerate(records, 1):
        yield each
        if count % 100 == 0:
            session.show(f"{count:,} read")
    session.show("")


def _write(session: Session, result: Any, columns: Iterable[str], returned: Any) -> None:
    if result is None:
        session.note("done")
        return
    single = not isinstance(result, list | tuple | Mapping) and not hasattr(result, "pages")
    form = session.output or output.fitting(sys.stdout, session.jq)
    names = form == "table"
    written = output.write(
        [to_json(result, names)] if single else _shown(session, _records(result, names), form),
        form=form,
        columns=session.columns,
        preferred=tuple(columns),
        jq=session.jq,
        single=single,
        # A field that a response left out is still one.
        fields=[*_fields(returned)] if session.columns else (),
    )
    missing = getattr(result, "missing", ())
    if missing:
        raise MissingError(missing)
    if not (written or single or session.jq):
        session.note("nothing was found")


class MissingError(Exception):
    """Some objects were not found; the others have been written."""

    documentation = "docs/command-line.md#exit-status"

    def __init__(self, missing: Iterable[str]) -> None:
        super().__init__(f"not found: {', '.join(missing)}")


class PartlyDoneError(Exception):
    """The service did only a part; the result, which says so, has been written."""

    documentation = "docs/errors.md#successes-that-are-not-complete"

    def __init__(self, undone: Mapping[str, Any]) -> None:
        lists = [f"; {n}: {', '.join(ids)}" for n, ids in undone.items() if isinstance(ids, list)]
        super().__init__(f"partly done{''.join(lists)}")
