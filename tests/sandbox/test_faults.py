"""Faults as values and as JSON, and the registry that picks them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_sandbox.api.dropped import ConnectionDropped
from social_publishing_sandbox.api.faults import sending
from social_publishing_sandbox.api.faults.altering import unknown_fields, unknown_values
from social_publishing_sandbox.api.faults.fault import Fault
from social_publishing_sandbox.api.faults.kinds import COMMON, KINDS, BadFault, Parameter
from social_publishing_sandbox.api.faults.registry import Faults
from social_publishing_sandbox.state.documents import load
from social_publishing_sandbox.state.errors import ControlError

OPERATIONS = {
    **{name: name for name in ("getPosts", "listPosts", "createLabel")},
    "labels.create": "createLabel",
}


def values(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Every value that a parameter allows."""
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    low, high = parameter.minimum, parameter.maximum
    allowed: dict[str, st.SearchStrategy[Any]] = {
        "integer": st.integers(
            None if low is None else int(low), None if high is None else int(high)
        ),
        "number": st.floats(low, high, allow_nan=False),
        "boolean": st.booleans(),
        "text": st.text("abcXYZ019._-", min_size=1, max_size=8),
    }
    chosen = allowed[parameter.type]
    return st.none() | chosen if parameter.default is None else chosen


@st.composite
def members(draw: st.DrawFn, parameters: tuple[Parameter, ...]) -> dict[str, Any]:
    chosen = [each for each in parameters if draw(st.booleans())]
    return {each.name: draw(values(each)) for each in chosen}


@st.composite
def faults(draw: st.DrawFn) -> dict[str, Any]:
    """Every fault that JSON can say."""
    common = draw(members(COMMON))
    common["operations"] = draw(
        st.just("*")
        | st.sampled_from(tuple(OPERATIONS))
        | st.lists(st.sampled_from(tuple(OPERATIONS)), min_size=1)
    )
    kinds = st.sampled_from(list(KINDS.values()))
    if draw(st.booleans()):
        common.pop("times", None), common.pop("probability", None)
        steps = []
        for kind in draw(st.lists(kinds | st.none(), min_size=1, max_size=4)):
            if kind is None:
                steps.append("pass")
                continue
            main = kind.parameters[0] if kind.parameters else None
            forms: list[st.SearchStrategy[Any]] = [
                st.just(kind.name),
                st.fixed_dictionaries({kind.name: members(kind.parameters)}),
            ]
            if main is not None:
                forms.append(st.fixed_dictionaries({kind.name: values(main)}))
            steps.append(draw(st.one_of(forms)))
        return common | {"script": steps}
    common.pop("repeat", None)
    kind = draw(kinds)
    return common | {"kind": kind.name} | draw(members(kind.parameters))


@given(faults())
def test_a_fault_survives_being_written_and_read(value: dict[str, Any]) -> None:
    fault = Fault.from_json(value, OPERATIONS)
    written = orjson.loads(orjson.dumps(fault.to_json()))
    assert Fault.from_json(written, OPERATIONS) == fault


def test_a_name_of_the_client_stands_for_its_operation_once() -> None:
    value = {"kind": "drop-after", "operations": ["labels.create", "getPosts", "createLabel"]}
    assert Fault.from_json(value, OPERATIONS).operations == ("createLabel", "getPosts")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda v: (
            st.lists(v)
            | st.dictionaries(
                st.sampled_from(["kind", "script", "status", "times", "id", "operations"])
                | st.text(),
                v | st.sampled_from(list(KINDS)),
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_is_no_fault_gets_one_clear_error(value: Any) -> None:
    """One that is drawn by chance says what it does, and is none of what is refused."""
    try:
        made = Fault.from_json(value, OPERATIONS)
    except BadFault as error:
        assert error.reason
    else:
        assert isinstance(value, dict) and value.keys() & {"kind", "script"}
        assert Fault.from_json(made.to_json(), OPERATIONS) == made


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "kind: is missing; a fault needs a kind or a script"),
        ({"kind": 5}, "kind: must be a text, not 5"),
        ({"kind": "latencey"}, "kind: 'latencey': there is no such kind of fault; "
         "did you mean 'latency'?"),
        ({"kind": "status", "status": 200},
         "status: must be a whole number from 400 to 599, not 200"),
        ({"kind": "status", "status": True},
         "status: must be a whole number from 400 to 599, not true"),
        ({"kind": "status", "status": None},
         "status: must be a whole number from 400 to 599, not null"),
        ({"kind": "latency", "when": "later"}, "when: must be 'before' or 'after', not 'later'"),
        ({"kind": "latency", "delay": 3}, "delay: there is no such member of a fault 'latency'; "
         "there are after, id, ms, operations, probability, repeat, times, user, when"),
        ({"kind": "truncated", "keep": float("nan")},
         "keep: must be a number from 0 to 1, not nan"),
        ({"kind": "drop-after", "times": 0},
         "times: must be a whole number from 1 to 1000000000 (requests), not 0"),
        ({"kind": "drop-after", "id": "../a"},
         "id: must be at most 64 letters, digits, '.', '_' or '-'"),
        ({"kind": "drop-after", "id": "a" * 65},
         "id: must be at most 64 letters, digits, '.', '_' or '-'"),
        ({"script": ["pass"], "times": 1},
         "times: cannot be used with a script, which lists itself which requests fail"),
        ({"script": ["pass"], "probability": 1.0},
         "probability: cannot be used with a script, which lists itself which requests fail"),
        ({"kind": "drop-after", "operations": []},
         "operations: must be '*', an operationId, a method of the client, or an array of these, "
         "not []"),
        ({"kind": "drop-after", "operations": ["getPost"]},
         "operations: 'getPost': there is no such operation; did you mean 'getPosts'?"),
        ({"kind": "drop-after", "repeat": True}, "repeat: is allowed only with a script"),
        ({"kind": "drop-after", "script": ["pass"]},
         "kind: a script cannot have a kind or parameters of its own"),
        ({"script": []}, "script: must be an array of at least one step, not []"),
        ({"script": ["pass", {"status": 99}]},
         "script[1].status: must be a whole number from 400 to 599, not 99"),
        ({"script": [{"latency": {"wen": 9}}]},
         "script[0].latency.wen: there is no such member of 'latency'; did you mean 'when'?"),
        ({"script": [{"status": 500, "latency": 1}]},
         "script[0]: must be 'pass', the name of a kind or {kind: parameters}"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_fault(value: Any, message: str) -> None:
    with pytest.raises(BadFault) as caught:
        Fault.from_json(value, OPERATIONS)
    assert str(caught.value) == message


SENT: tuple[dict[str, Any], ...] = (
    {"kind": "latency", "ms": 250},
    {"kind": "latency", "ms": 250, "when": "after", "and": "empty-body"},
    {"kind": "latency", "ms": 250, "when": "after"},
    {"kind": "drop-before"},
    {"kind": "drop-after", "reset": True},
    *({"kind": "truncated", "keep": each} for each in (0, 0.5, 1)),
    {"kind": "malformed-json"},
    {"kind": "wrong-content-type"},
    {"kind": "slow-body", "chunk": 10, "delay": 5},
    {"kind": "empty-body"},
    {"kind": "unknown-values"},
    {"kind": "unknown-values", "field": "b"},
    {"kind": "unknown-fields", "count": 8},
)
REFUSED = {"status", "rate-limited"}
"""The kinds that are refusals, which are responses of their own."""


def test_what_each_fault_sends(golden: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a response with JSON, of one with a text and of one without a body."""
    said: list[str] = []

    async def sleep(seconds: float) -> None:
        said.append(f"wait {seconds}")

    async def send(message: Any) -> None:
        if "status" in message:
            fields = (f"{name.decode()}: {value.decode()}" for name, value in message["headers"])
            said.append(f"{message['status']} {', '.join(fields)}")
        else:
            said.append(
                f"{message['body'].decode(errors='replace')!r}{' …' * message['more_body']}"
            )

    monkeypatch.setattr(asyncio, "sleep", sleep)
    schema: dict[str, Any] = {
        "properties": {
            "a": {"allOf": [{"x-extensible-enum": [1, 7]}]},
            "b": {"type": "array", "items": {"enum": ["x"]}},
            "c": {"anyOf": [{"enum": [1]}, {"type": "null"}]},
        }
    }
    bodies = (
        (200, b'{"a":1,"b":["x"],"c":null,"d":"\xc3\xa9"}', "json"),
        (200, b"a: 1", "x"),
        (204, b"", "json"),
    )
    sent: dict[str, list[str]] = {}
    missing = KINDS.keys() - REFUSED - {each["kind"] for each in SENT}
    assert not missing, f"add an example to SENT: {sorted(missing)}"
    for each in ({}, *SENT):
        for status, body, kind in bodies:
            faults, members = Faults(), {**each}
            more = members.pop("and", None)
            for fault in (members, {"kind": more}) if more else (members,) if members else ():
                faults.add(Fault.from_json(fault))
            action = faults.pick("x")
            assert (action is not None) is bool(each)
            headers = [
                (b"content-type", b"application/" + kind.encode()),
                (b"content-length", b"0"),
            ]
            said.clear()

            async def play(action: Any = action, rest: Any = (status, headers, body)) -> None:
                if action and not await sending.before(action):
                    return await sending.drop_unread(action, {})
                await sending.send_with_fault(action, {}, send, *rest, schema, lambda same: same)

            try:
                asyncio.run(play())
            except ConnectionDropped:
                said.append("dropped")
            sent.setdefault(str(each), []).append(f" {status} {kind}\n  {'; '.join(said)}\n")
    usual = sent.pop("{}")
    assert not [each for each, lines in sent.items() if lines == usual], "these change nothing"
    lines = [f"{each}{line}" for each, every in sent.items() for line in every]
    golden(Path(__file__).parent / "sessions" / "faults.lines", "".join(lines))


def picks(faults: Faults, number: int, operation: str | None = "getPosts", *user: str) -> str:
    """Which of so many requests a fault happens to."""
    return "".join("x" if faults.pick(operation, *user) else "." for _ in range(number))


def with_fault(seed: int = 0, **value: Any) -> Faults:
    faults = Faults(lambda: seed)
    faults.add(Fault.from_json(value))
    return faults


def test_the_first_pass_and_then_so_many_fail() -> None:
    faults = with_fault(kind="drop-after", after=2, times=3)
    assert picks(faults, 8) == "..xxx..."
    (standing,) = faults.all()
    # A fault that ended is not asked any more.
    assert (standing.matched, standing.applied, standing.ended) == (5, 3, True)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("getPosts", "7", "ada"), "x"),
        (("getPosts", "7"), "x"),
        (("getPosts", "8", "bob"), "."),
        (("getPosts",), "."),
        (("listPosts", "7"), "."),
        ((None, "7"), "."),
    ],
)
def test_operation_and_user_choose(asked: tuple[Any, ...], expected: str) -> None:
    faults = Faults()
    faults.add(Fault.from_json({"kind": "drop-after", "operations": "getPosts", "user": "7"}))
    assert picks(faults, 1, *asked) == expected
    assert faults.all()[0].matched == (expected == "x")


def test_the_share_depends_on_seed_and_id_alone() -> None:
    def run(seed: int, id: str) -> str:
        return picks(with_fault(seed, kind="drop-after", id=id, probability=0.3), 400)

    first = run(1, "a")
    assert first == run(1, "a")
    assert len({first, run(2, "a"), run(1, "b")}) == 3
    assert 80 < first.count("x") < 160
    # The sequence is part of the contract: a test that found something can be run again.
    assert first[:40] == ".x....xx.x.....x....x.xx..x...x.xxx....."


@pytest.mark.parametrize(
    ("repeat", "after", "expected"),
    [
        (False, 0, ". 503 drop-after . . ."),
        (True, 0, ". 503 drop-after . 503 drop-after"),
        (False, 2, ". . . 503 drop-after ."),
    ],
)
def test_a_script(repeat: bool, after: int, expected: str) -> None:
    script = ["pass", {"status": 503}, "drop-after"]
    faults = with_fault(script=script, repeat=repeat, after=after)
    seen = [faults.pick("getPosts") for _ in range(6)]
    shown = [
        "." if a is None else str(a.parameters["status"]) if a.refuses else a.kind for a in seen
    ]
    assert " ".join(str(each) for each in shown) == expected
    assert faults.all()[0].ended is not repeat


def test_latency_adds_up_until_another_fault() -> None:
    faults = with_fault(kind="latency", ms=100)
    for value in (
        {"kind": "latency", "ms": 50},
        {"kind": "status", "times": 1},
        {"kind": "drop-after"},
    ):
        faults.add(Fault.from_json(value))
    first, second = faults.pick("x"), faults.pick("x")
    assert first is not None and second is not None
    assert first.faults == ("fault-1", "fault-2", "fault-3")
    assert first.wait_before == pytest.approx(0.15)
    assert first.refuses
    assert first.parameters == {"status": 500, "retry_after": None, "message": None}
    assert (second.kind, second.refuses) == ("drop-after", False)
    assert [each.matched for each in faults.all()] == [2, 2, 1, 1]


def test_names_are_given_in_order_and_never_twice() -> None:
    faults = Faults()
    taken = faults.add(Fault.from_json({"kind": "drop-after", "id": "fault-2"}))
    given = [faults.add(Fault.from_json({"kind": "drop-after"})).id for _ in range(2)]
    assert [taken.id, *given] == ["fault-2", "fault-1", "fault-3"]
    assert faults.add(Fault.from_json({"kind": "drop-after", "id": "a" * 64})).id == "a" * 64
    with pytest.raises(BadFault, match="already a fault 'fault-1'"):
        faults.add(Fault.from_json({"kind": "status", "id": "fault-1"}))
    faults.clear()
    assert faults.all() == []
    assert faults.add(Fault.from_json({"kind": "drop-after"})).id == "fault-1"


def test_switching_off_and_on_keeps_the_counters() -> None:
    faults = with_fault(kind="drop-after", times=3)
    assert picks(faults, 1) == "x"
    faults.switch("fault-1", on=False)
    assert (picks(faults, 2), faults.get("fault-1").enabled) == ("..", False)
    faults.switch("fault-1", on=True)
    assert picks(faults, 3) == "xx."
    faults.switch("fault-1", on=True)
    assert picks(faults, 1) == "."
    assert faults.get("fault-1").to_json() | {"id": ""} == {
        "id": "",
        "kind": "drop-after",
        "reset": False,
        "operations": "*",
        "times": 3,
        "enabled": True,
        "ended": True,
        "matched": 3,
        "applied": 3,
    }
    faults.remove("fault-1")
    assert picks(faults, 1) == "."


class Slow(str):
    """A name that lets other threads go first whenever it is compared or looked up."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        time.sleep(0.002)
        return str.__eq__(self, other)

    def __hash__(self) -> int:
        time.sleep(0.002)
        return str.__hash__(self)


def test_counts_are_exact_over_threads() -> None:
    faults = with_fault(kind="drop-after", user="ada", times=3)
    with ThreadPoolExecutor(8) as pool:
        picked = list(pool.map(lambda _: faults.pick("getPosts", Slow("ada")), range(16)))
    assert sum(each is not None for each in picked) == 3
    assert faults.all()[0].applied == 3


def test_a_fault_is_set_and_removed_once_over_threads() -> None:
    faults, together = Faults(), Barrier(8, timeout=600)
    fault = replace(Fault.from_json({"kind": "status"}), id=Slow("mine"))
    for do in (lambda: faults.add(fault), lambda: faults.remove(fault.id)):

        def succeeds(_: int, do: Callable[[], object] = do) -> bool:
            together.wait()
            try:
                do()
            except ControlError:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(succeeds, range(8))) == 1


# What the documents say about a response decides what is replaced and what is added.

MAIN = load().main


def altered(value: Any, name: str, field: str | None = None) -> Any:
    return unknown_values(value, MAIN.schema(name), MAIN.resolve, field)


def test_codes_are_replaced_wherever_they_are() -> None:
    post = {
        "id": "12",
        "status": 40,
        "source": 2,
        "fb_post_type": 5,
        "ig_post_type": None,
        "visible_for_client": True,
        "unknown": 40,
        "details": [{"id": "13", "social_network": "threads"}],
        "user": {"role": "owner", "week_start_day": 0},
        "li_poll": {"duration": "ONE_DAY", "question": "threads"},
        "customized": {"twitter": {"content": "threads"}},
    }
    changed = altered([post], "PostMetrics") and altered({"data": [post]}, "PostPage")["data"][0]
    assert changed == post | {
        "status": 51,
        "source": 7,
        "fb_post_type": 6,
        "details": [{"id": "13", "social_network": "undocumented"}],
        "user": {"role": "undocumented", "week_start_day": 7},
        "li_poll": {"duration": "undocumented", "question": "threads"},
    }
    # Only in the member that was asked for.
    only = altered({"data": [post]}, "PostPage", "social_network")["data"][0]
    assert only == post | {"details": [{"id": "13", "social_network": "undocumented"}]}


def test_what_replaces_a_code_is_never_one() -> None:
    for name, schema in MAIN.data["components"]["schemas"].items():
        for code in schema.get("enum", []):
            changed = altered(code, name)
            assert type(changed) is type(code) and changed not in schema["enum"]
    assert (
        unknown_values("undocumented", {"enum": ["undocumented"]}, MAIN.resolve) != "undocumented"
    )


def test_members_are_added_to_objects_and_not_to_maps() -> None:
    metric = {"id": "1", "postDetail": {"id": "2"}, "items": [{"id": "3"}]}
    extra = {"undocumented_1": "text", "undocumented_2": 1}
    expected = {
        "id": "1",
        "postDetail": {"id": "2"} | extra,
        "items": [{"id": "3"} | extra],
    } | extra
    schema = MAIN.schema("PostMetrics")
    assert unknown_fields({"9": metric}, schema, MAIN.resolve, 2) == {"9": expected}
    assert unknown_fields([metric], schema, MAIN.resolve, 2) == [expected]
    assert unknown_fields({"a": [{}]}, None, MAIN.resolve) == {
        "a": [{"undocumented_1": "text"}],
        "undocumented_1": "text",
    }
    assert metric == {"id": "1", "postDetail": {"id": "2"}, "items": [{"id": "3"}]}
