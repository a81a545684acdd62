"""What may be given to a sandbox: every argument of every way in, and values of every kind."""

from __future__ import annotations

import inspect
import math
import re
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import httpx2
import pytest

from social_publishing_sandbox import ControlError, Sandbox, SandboxError
from social_publishing_sandbox.api.faults.fault import Members
from social_publishing_sandbox.api.faults.kinds import COMMON
from social_publishing_sandbox.api.faults.kinds import KINDS as FAULTS
from social_publishing_sandbox.control.objects import KINDS
from social_publishing_sandbox.control.routes import COMMANDS
from social_publishing_sandbox.state.arguments import RULES, checked, read
from social_publishing_sandbox.state.wording import shown

HELD: Final[Sequence[Any]] = [
    *(None, True, False, 0, 1, -1, 65_535, 65_536, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1),
    *(HTTPStatus.OK, 0.0, -0.5, 1.5, 1e308, "", "x", "1", "422", "small", "x1", "x0", "\0"),
    *("x" * 5_000, [], ["x"], [[]], [None], ("x",), {}, {"x": 1}),
    *("2027-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"),
    *(datetime(2027, 1, 1, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)),
]
UNHELD: Final[Sequence[Any]] = [
    *(10**5_000, math.nan, math.inf, -math.inf, "\ud800", ["\ud800"], {1: 2}, {"x": math.nan}),
    *(b"x", set(), object(), len, timedelta(1), Decimal(1), Path("x"), datetime(2027, 1, 1)),
    datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
]
"""What JSON cannot hold."""
VALUES: Final = [*HELD, *UNHELD]
"""Values of every kind, at, below and above the limits."""

JSON: Final[Sequence[Any]] = [
    *(None, True, False, 0, 1, -1, 65_536, 2**63 - 1, -(2**63), 1.5, "", "x", "1", "422"),
    *("2027-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00", [], ["x"], [[]], {}, {"x": 1}),
]
"""Values that come in a body."""

NEEDED: Final[Mapping[str, Any]] = {
    "kind": "posts",
    "fields": {},
    "post_id": "1",
    "account_id": "1",
    "fault_id": "1",
    "on": True,
    "name": "base",
    "requests": 5,
    "publication_date": "2026-12-24T00:00:00Z",
}
"""A value for each argument that has to be given."""

FAULT: Final = {
    **dict.fromkeys(Members.__annotations__, "status"),
    **{each.name: name for name, kind in FAULTS.items() for each in kind.parameters},
    "kind": "status",
}
"""A kind of fault that has the member."""

CREATES: Final = {
    "create_post": "posts",
    "create_group": "groups",
    "create_account": "social_accounts",
    "create_user": "users",
    "create_label": "labels",
    "create_note": "calendar_notes",
}
CLIENTS: Final = {"SocialPublishing": object, "AsyncSocialPublishing": object}


def fits(annotation: Any, value: Any) -> bool:
    """Whether a value is of the type that a signature names; true and false are no numbers."""
    origin = get_origin(annotation) or annotation
    if origin in (Union, types.UnionType):
        return any(fits(each, value) for each in get_args(annotation))
    if origin is Literal:
        return value in get_args(annotation)
    if origin in (int, float):
        kinds = (int, float) if origin is float else int
        return isinstance(value, kinds) and not isinstance(value, bool)
    if origin is Sequence:  # a text is one only where the signature names it
        return isinstance(value, list | tuple)
    return isinstance(value, origin)


def arguments() -> Iterator[tuple[str, str, Any]]:
    """Every argument of every public method, with its type."""
    for method, function in inspect.getmembers(Sandbox, inspect.isfunction):
        if method.startswith("_") and method != "__init__":
            continue
        hints = get_type_hints(function, localns=CLIENTS)
        for name, parameter in [*inspect.signature(function).parameters.items()][1:]:
            if parameter.kind != parameter.VAR_KEYWORD:
                yield method, name, hints[name]
            elif hints[name] is not Any:  # Unpack[…] of a TypedDict
                for each, hint in get_type_hints(*get_args(hints[name])).items():
                    yield method, each, hint


@pytest.fixture
def sandbox(anew: Sandbox) -> Sandbox:
    anew.snapshot("base")
    return anew


def call(sandbox: Sandbox, method: str, argument: str, value: Any) -> None:
    """Give a method this argument, and what it needs besides."""
    found = [*inspect.signature(getattr(Sandbox, method)).parameters.values()][1:]
    given = {
        each.name: NEEDED[each.name]
        for each in found
        if each.default is each.empty and each.kind != each.VAR_KEYWORD
    }
    if method in ("add_fault", "fault"):
        given |= {"script": ["pass"]} if argument == "repeat" else {"kind": FAULT[argument]}
    if argument == "script":
        del given["kind"]
    given[argument] = value
    if method == "__init__":
        Sandbox(**{"clock": "frozen", **given}).close()
    else:
        getattr(sandbox, method)(**given)


@pytest.mark.parametrize(("method", "argument", "annotation"), [*arguments()])
def test_a_value_of_another_kind_is_refused_by_the_name_of_its_argument(
    sandbox: Sandbox,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    argument: str,
    annotation: Any,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sandbox.world(), sandbox.settings(), sandbox.snapshots()
    for value in (each for each in VALUES if not fits(annotation, each)):
        with pytest.raises(ControlError) as caught:
            call(sandbox, method, argument, value)
        assert caught.value.field == argument, value
        assert re.match(f"{argument}:? must be ", str(caught.value)), value
        assert str(caught.value).endswith(f", not {shown(value)}")
    assert (sandbox.world(), sandbox.settings(), sandbox.snapshots()) == before
    assert not sandbox.faults.all() and not [*tmp_path.iterdir()]
    for value in (each for each in VALUES if fits(annotation, each)):
        with suppress(SandboxError):  # below or above its limits; nothing else may come
            call(sandbox, method, argument, value)


@pytest.mark.parametrize("method", [*CREATES, "find"])
def test_what_json_cannot_hold_is_refused_by_the_name_of_its_field(
    sandbox: Sandbox, method: str
) -> None:
    kind = CREATES.get(method, "posts")
    given = {"kind": kind} if method == "find" else dict.fromkeys(KINDS[kind].needs, "x")
    schema = sandbox.service.contract.main.schema(KINDS[kind].schema)
    names = [*schema["properties"], *KINDS[kind].extra]
    assert len(names) > 3
    for name in names:
        for value in UNHELD:
            with pytest.raises(ControlError) as caught:
                getattr(sandbox, method)(**{**given, name: value})
            assert caught.value.field == name, value
        for value in HELD:
            with suppress(SandboxError):
                getattr(sandbox, method)(**{**given, name: value})


def test_every_parameter_of_a_fault_is_an_argument() -> None:
    """One that is missing, or has another type, is to be mended in `Members`."""
    parameters = [*COMMON, *(each for kind in FAULTS.values() for each in kind.parameters)]
    kinds = {"integer": int, "number": float, "boolean": bool, "text": str}
    wanted: dict[str, Any] = {
        each.name: Literal[each.choices] if each.choices else kinds[each.type]
        for each in parameters
    }
    wanted |= {each.name: wanted[each.name] | None for each in parameters if each.default is None}
    given = {"operations": str | Sequence[str], "script": Sequence[object]}
    assert get_type_hints(Members) == {**wanted, **given}


# Limits


@pytest.mark.parametrize(
    ("name", "taken", "refused"),
    [
        ("seed", [0, -(2**63), 2**63 - 1], [-(2**63) - 1, 2**63, True, 1.5, "1"]),
        ("port", [0, 65_535], [-1, 65_536, "80"]),
        ("window", [1, 31_622_400], [0, 31_622_401, 1.0]),
        ("requests", [None, 1, 10**9], [0, -1, True, "5"]),
        ("limit", [0, 1], [-1, 1.0]),
        ("within", [0, 0.5, math.inf], [-0.5, math.nan, "1"]),
        ("processing", [None, 0, 31_622_400], [-1, 31_622_401, math.inf]),
        ("status", [100, 599, "100", "599", "1xx", "5XX"], [99, 600, "99", "600", "0xx", "6xx"]),
        ("mode", ["real", "frozen", "x1", "x9999999"], ["x0", "x10000000", "Real", ""]),
        ("cors", [[], ["*"], ["http://a:1"]], ["*", ["a"], ["http://a/"], [""], [None]]),
        ("control_token", ["!", "~"], ["", " ", "é", "a\n"]),
        (
            "now",
            ["0001-01-01T00:00:00Z", datetime(9999, 12, 31, tzinfo=UTC)],
            ["0001-01-01T00:00:00+01:00", "9999-12-31T23:00:00-01:00", datetime(2027, 1, 1)],
        ),
    ],
)
def test_a_rule_at_below_and_above_its_limits(
    name: str, taken: list[Any], refused: list[Any]
) -> None:
    assert [each for each in taken if RULES[name](each)] == []
    assert [each for each in refused if not RULES[name](each)] == []


# The other ways in


@pytest.fixture
def control(sandbox: Sandbox) -> Iterator[httpx2.Client]:
    headers = {"authorization": f"Bearer {sandbox.control_token}"}
    with httpx2.Client(base_url=sandbox.control_url, headers=headers, timeout=60) as client:
        yield client


def members() -> Iterator[tuple[str, str, str]]:
    """Every member of a body and parameter of a query that a route of control names."""
    for path, commands in COMMANDS.items():
        for method, command in commands.items():
            named = command.query if method == "GET" else command.body
            yield from ((path, method, name) for name in named or ())


@pytest.mark.parametrize(("path", "method", "name"), [*members()])
def test_every_way_in_has_the_same_rule(
    sandbox: Sandbox, control: httpx2.Client, path: str, method: str, name: str
) -> None:
    post = sandbox.find("posts", status="IN_REVIEW")[0].id
    account = sandbox.find("social_accounts")[0].id
    address = path.format(id=account if "accounts" in path else post)
    statuses = set()
    for value in (*JSON, *map(str, JSON)) if method != "GET" else map(str, JSON):
        given = {"params": {name: value}} if method == "GET" else {"json": {name: value}}
        response = control.request(method, address, **given)
        statuses.add(response.status_code)
        spelt = read_or_none(name, value) if method == "GET" else value
        if (spelt is None and method == "GET") or (value is not None and RULES[name](spelt)):
            assert response.status_code == 422, (value, response.text)
            assert response.json()["field"] == name
            assert shown(value) in response.json()["message"]
    assert statuses <= {200, 201, 404, 422}


def read_or_none(name: str, text: str) -> Any:
    """What a text gives to an argument; None where it gives nothing."""
    with suppress(ControlError):
        return read(name, text)
    return None


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("5", "limit", 5),
        ("5", "text", "5"),
        ("true", "bodies", True),
        ("true", "user", "true"),
        ("404", "status", "404"),
        ("-9223372036854775808", "seed", -(2**63)),
        ("1.5", "within", 1.5),
    ],
)
def test_a_text_gives_what_its_argument_takes(text: str, name: str, value: Any) -> None:
    assert (read(name, text), type(read(name, text))) == (value, type(value))


@pytest.mark.parametrize(
    ("name", "text"),
    [("limit", "5.0"), ("limit", "1" * 30), ("bodies", "1"), ("seed", "null"), ("within", "NaN")],
)
def test_a_text_that_gives_nothing_is_refused_as_it_came(name: str, text: str) -> None:
    with pytest.raises(ControlError, match=f"^{name} must be .*, not '{text}'$"):
        read(name, text)


def test_an_argument_without_a_rule_is_noticed_where_it_is_written() -> None:
    def method(self: object, unheard_of: int) -> None: ...

    with pytest.raises(KeyError, match="unheard_of"):
        checked(method)


def test_names_that_settings_and_filters_do_not_have(sandbox: Sandbox) -> None:
    with pytest.raises(ControlError, match=r"^there is no filter 'statsu'; did you mean 'status'"):
        sandbox.requests(statsu=422)  # type: ignore[call-arg]
    with pytest.raises(ControlError, match=r"^there is no setting 'q'; there are rate_limit, null"):
        sandbox.configure(q=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"reset\(\) got an unexpected keyword argument 'sed'"):
        sandbox.reset(sed=1)  # type: ignore[call-arg]
