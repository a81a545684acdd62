"""What programs of assistants send and accept, and what is kept of calls."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import mcp_types as types
import pytest
from cli_support import GROUP, PROGRAM, Command, environment, writes
from hypothesis import given
from hypothesis import strategies as st
from mcp_support import Assistant, Desk, Person
from social_publishing import SocialPublishing, SocialPublishingError
from social_publishing.models import Label, Post
from test_mcp import MODES, planned, posts

from social_publishing_cli import plans
from social_publishing_cli.characters import cut
from social_publishing_cli.mcp import calls, hosts, page, reading, results, server, tasks, writing
from social_publishing_cli.mcp.results import Problem
from social_publishing_cli.mcp.server import Assistants
from social_publishing_cli.mcp.service import Options, Service, room_at
from social_publishing_cli.mcp.tools import tools
from social_publishing_cli.session import Session
from social_publishing_cli.sheets.columns import COLUMNS, documented
from social_publishing_sandbox import Sandbox


@pytest.fixture
def desk(command: Command, tmp_path: Path) -> Desk:
    """Assistants that are signed in to the sandbox."""
    return Desk(tmp_path / "journals")


def schemas_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema, and all in it."""
    yield schema
    for word in ("properties", "patternProperties"):
        for each in schema.get(word, {}).values():
            yield from schemas_in(each)
    if "items" in schema:
        yield from schemas_in(schema["items"])


@MODES
def test_every_definition_is_one_that_hosts_accept(mode: str, desk: Desk) -> None:
    async def work(it: Assistant) -> Any:
        return await it.client.list_tools()

    listed = desk.run(work, mode=mode, allow_writes=True)
    assert len(listed.tools) == len(tools())
    for tool in listed.tools:
        assert tool.title and tool.title[0].isupper() and "_" not in tool.title
        for schema in (*schemas_in(tool.input_schema), *schemas_in(tool.output_schema)):
            assert schema["type"] in ("object", "array", "string", "integer", "number", "boolean")
            assert all(isinstance(each, str) for each in schema.get("enum", ()))
            assert "enum" not in schema or schema["type"] == "string"
    assert mode == "legacy" or listed.ttl_ms > 60_000


def test_what_is_assumed_is_said_in_definitions_and_results(desk: Desk) -> None:
    async def work(it: Assistant) -> None:
        listed = {tool.name: tool.description for tool in (await it.client.list_tools()).tools}
        for name, tool in tools().items():
            texts = json.dumps([each["description"] for each in tool.commands])
            labels = {*re.findall(r"assumed \(([\w.]+)\)", texts)}
            assert labels <= {*tool.assumed}
            assert all(gap in listed[name] for gap in tool.assumed)
        assert "notes.range.start" in listed["calendar"] and tools()["budget"].assumed == []
        found = await it.call("calendar", group_id=GROUP, month="2026-12")
        assert "Assumed, not documented: " in found.words and "notes.range.start" in found.words

    desk.run(work, allow_writes=True)


def as_hosts_send(value: Any) -> st.SearchStrategy[Any]:
    """Draw a form in which a host may send a value."""
    forms = [st.just(value)]
    if isinstance(value, list):
        forms.append(st.just(json.dumps(value)))
        forms.append(st.tuples(*map(as_hosts_send, value)).map(list))
        forms.append(st.just([None, *value]))
        if len(value) == 1:
            forms.append(st.just(value[0]))
        if all(isinstance(each, str) for each in value):
            forms.append(st.just(", ".join(value)))
    elif isinstance(value, dict):
        forms.append(st.just(json.dumps(value)))
        forms.append(st.just({**value, "note": None}))
    elif isinstance(value, bool):
        forms += [st.just(str(value)), st.just(str(value).lower())]
    elif isinstance(value, int):
        forms += [st.just(float(value)), st.just(str(value)), st.just(f"{value}.0")]
    elif value.isdigit():
        forms += [st.just(int(value)), st.just(f" {value} ")]
    return st.one_of(forms)


ASKED: dict[str, dict[str, Any]] = {
    "find_posts": {"group_id": GROUP, "month": "2026-12", "status": ["scheduled", "draft"]},
    "read_posts": {"post_ids": [GROUP, "18446744073709551615"], "history": True},
    "plan_changes": {
        "changes": [{"post_id": GROUP, "name": "5.0", "should_skip": True}],
        "shift_posts": ["1"], "shift_days": -5, "rehearse": False,
    },
    "was_it_done": {"plan_id": "3f9a0c12b7d4"},
}  # fmt: skip


@given(st.data())
def test_what_hosts_send_is_what_was_meant(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(ASKED)))
    meant, schema = ASKED[name], tools()[name].schema
    sent = {key: data.draw(as_hosts_send(value)) for key, value in meant.items()}
    for key in schema["properties"].keys() - meant.keys():
        sent |= data.draw(st.sampled_from([{}, {key: None}, {key: ""}, {key: "  "}]))
    nulls: dict[str, None] = {}
    assert hosts.arguments_of(sent, schema, nulls) == meant
    assert ("note" in nulls) is ('"note": null' in json.dumps(sent).replace("\\", ""))


@given(st.text(st.characters(codec=None), max_size=20))
def test_texts_stay_as_they_are_or_are_refused(text: str) -> None:
    change = {"post_id": "1", "content": text}
    schema = tools()["plan_changes"].schema
    try:
        found = hosts.arguments_of({"changes": [change]}, schema)
    except Problem as error:
        assert "half of a character" in str(error)
        assert hosts.HALF in text or any("\ud800" <= each <= "\udfff" for each in text)
    else:
        assert found["changes"] == [change]


def test_halves_of_characters_are_found_in_json() -> None:
    emoji, half = r"\ud83e\udd50", r"\ud83e"
    assert hosts.whole(f'"{emoji}"') == f'"{emoji}"'
    assert hosts.whole(rf'"\\{half[1:]}"') == rf'"\\{half[1:]}"'  # an escaped backslash
    assert hosts.whole(f'"{half}{half}"') == f'"{hosts.HALF * 2}"'
    assert hosts.whole(rf'"{half}{emoji}\udd50"') == f'"{hosts.HALF}{emoji}{hosts.HALF}"'


ABSURD = (
    ("plan_changes", {"shift_days": 99_999_999}),
    ("plan_changes", {"shift_days": -99_999_999}),
    ("plan_changes", {"shift_minutes": 10**17}),
    ("plan_changes", {"shift_days": 1e300}),
    ("plan_changes", {"shift_days": "a week"}),
    ("calendar", {"month": "0001-01"}),
    ("calendar", {"month": "9999-12"}),
    ("calendar", {"month": "2026-13"}),
    ("find_posts", {"since": "10000-01-01"}),
    ("find_posts", {"since": "2026-02-30"}),
    ("find_posts", {"since": "2026-12-24", "until": "2026-12-01"}),
    ("find_posts", {"month": "2026-12", "until": "2026-11-30"}),
    ("find_posts", {"month": "2026-12", "since": "2027-01-01"}),
    ("find_posts", {"month": ["2026-12"]}),
    ("read_posts", {"post_ids": "[" * 20_000}),
    ("read_posts", {"post_ids": [["1"]]}),
    ("read_posts", {"post_ids": [1e19]}),
    ("read_posts", {"post_ids": [True]}),
    ("apply_plan", {"plan_id": "", "cursor": None}),
    ("apply_plan", {"plan_id": "0" * 12, "stop": True}),
    ("was_it_done", {"plan_id": "../../etc/passwd"}),
)


@MODES
def test_what_makes_no_sense_is_refused(mode: str, desk: Desk, sandbox: Sandbox) -> None:
    shifted = posts(sandbox, "SCHEDULED")[:1]

    async def work(it: Assistant) -> None:
        for name, arguments in ABSURD:
            more = {"shift_posts": shifted} if name == "plan_changes" else {}
            answer = await it.call(name, **{"group_id": GROUP} | more | arguments)
            if name in ("apply_plan", "was_it_done"):  # which have no group
                answer = await it.call(name, **arguments)
            assert answer.failed, (name, arguments)
            assert "bug in this program" not in answer.words, (name, arguments, answer.text)

    desk.run(work, mode=mode, person=Person(), allow_writes=True)
    assert not writes(sandbox)


def test_a_call_with_half_of_a_character_is_answered(command: Command) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    def line(number: int, text: str) -> str:
        arguments = {"group_id": GROUP, "text": "TEXT"}
        params = {"name": "find_posts", "arguments": arguments, "_meta": meta}
        call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        return json.dumps(call).replace("TEXT", text)

    with subprocess.Popen(
        [*PROGRAM, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
        stderr=subprocess.DEVNULL, env=environment(),
    ) as server:  # fmt: skip
        assert server.stdin and server.stdout
        for number, text in enumerate((r"half \ud83e", r"whole \ud83e\udd50")):
            print(line(number, text), file=server.stdin, flush=True)
            answer = json.loads(server.stdout.readline())
            assert answer["id"] == number
            told = answer["result"]["content"][0]["text"]
            assert ("send the whole text again" in told) is (number == 0), answer
        server.stdin.close()
        assert server.wait(600) == 0


def test_an_answer_that_is_none_is_no_yes(desk: Desk, sandbox: Sandbox) -> None:
    class Odd(Person):
        content: Any = None

        async def __call__(self, context: object, params: Any) -> Any:
            from mcp_types import ElicitResult

            self.asked.append(params.message)
            if isinstance(self.content, Exception):
                raise self.content
            return ElicitResult.model_construct(action="accept", content=self.content)

    person = Odd()

    async def work(it: Assistant) -> None:
        plan = await planned(it, sandbox, 1)
        for content in ({"yes": "true"}, {"yes": 1}, {"yes": None}, {}, None, {"ja": True},
                        {"yes": [True]}, [True], "yes", RuntimeError("no form")):  # fmt: skip
            person.content = content
            answer = await it.call("apply_plan", plan_id=plan)
            assert answer.failed, content
            assert f"social-publishing apply {plan}" in answer.words, answer.text

    desk.run(work, mode="legacy", person=person, allow_writes=True)
    assert len(person.asked) == 10
    assert not writes(sandbox)


def test_no_flood_pushes_writes_out_of_the_journal_of_calls(
    desk: Desk, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "_MOST", 20_000)

    async def work(it: Assistant) -> None:
        await it.call("apply_plan", plan_id=await planned(it, sandbox))
        for _ in range(200):
            await it.call("no_such_tool", text="x" * 300)
            await it.call("apply_plan", plan_id="0" * 12)

    desk.run(work, person=Person(), allow_writes=True)
    assert writes(sandbox) == 2
    agreed = [entry for entry in desk.calls() if "agreed" in entry]
    assert len(agreed) == 1
    [ended] = [e for e in desk.calls() if e["call"] == agreed[0]["call"] and "ended" in e]
    assert (ended["ended"], ended["writes"]) == ("done", True)
    assert sum(path.stat().st_size for path in desk.journals.glob("calls*")) < 3 * 20_000


def test_the_journal_of_calls_says_what_was_called_by_whom_and_how_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, call = tmp_path / "of" / "calls.jsonl", calls.Call("7", "find_posts", requests=3)
    for person in ("Ann", ""):
        of = {"person": "Ann"} if person else {}
        journal = calls.Calls(path, lambda text: text.replace("s3cret", "…"), person)
        call.writes = False
        journal.begin(call, {"text": "s3cret ä"})
        journal.agreed(call, "sha256:1")
        journal.end(call, "done", "zwölf")
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        assert all(
            abs(datetime.now(UTC) - datetime.fromisoformat(e.pop("at"))) < timedelta(1)
            for e in lines
        )
        assert lines == [
            {"call": "7", **of, "tool": "find_posts", "arguments": '{"text": "… ä"}'},
            {"call": "7", "writes": True, **of, "agreed": "sha256:1"},
            {"call": "7", "writes": True, **of, "ended": "done", "requests": 3, "bytes": 6},
        ]
        assert os.name != "posix" or path.stat().st_mode & 0o77 == 0
        path.unlink()
    for length in (1999, 2000, 2001):
        journal.begin(calls.Call(), {"a": "x" * (length - 9)})
        given = json.loads(path.read_text("utf-8").splitlines()[-1])["arguments"]
        assert (len(given), given[-1]) == (min(length, 2000), "…" if length > 2000 else "}")
    monkeypatch.setattr(calls, "_MOST", 10)
    journal.agreed(calls.Call("8"), "sha256:2")  # the last line of a file that is full
    begun = path.read_text("utf-8")
    assert json.loads(begun)["call"] == "8"
    path.with_suffix(".old.jsonl").open("a").write(begun.replace('"8"', '"of another process"'))
    journal.begin(calls.Call("9"), {})
    names = [json.loads(line)["call"] for line in path.read_text("utf-8").splitlines()]
    assert names == ["8", "of another process"]
    path.unlink()
    path.mkdir()
    for do in (lambda: journal.begin(call, {}), lambda: journal.agreed(call, "sha256:1")):
        with pytest.raises(Problem, match="The journal of calls cannot be written: "):
            do()
    journal.end(call, "done")  # what was done, is done
    call.report(1, 2, "posts read")
    call.stopped = True
    with pytest.raises(calls.Stopped):
        call.report(2, 2, "posts read")
    assert (call.done, call.total, call.step) == (1, 2, "posts read")


def test_a_new_journal_of_calls_begins_with_the_last_that_changed_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In their order, and as many as there is room for; the others are in the old one."""
    monkeypatch.setattr(calls, "_MOST", 6000)
    monkeypatch.setattr(calls, "_MOST_WRITES", 1500)
    path, plan = tmp_path / "calls.jsonl", "sha256:" + "0" * 64
    journal, anew = calls.Calls(path, str), 0
    for number in range(1000, 1200):
        journal.agreed(calls.Call(number=str(number)), plan)
        lines = path.read_bytes().splitlines(keepends=True)
        kept = [int(json.loads(line)["call"]) for line in lines]
        assert kept == [*range(number - len(kept) + 1, number + 1)]
        if path.stat().st_size <= 1500 and len(kept) < number - 999:
            anew += 1
            assert path.stat().st_size + len(lines[0]) > 1500
    assert anew > 2


@pytest.mark.parametrize("here", ["/", None])
def test_paths_are_left_out_and_addresses_stay(
    here: str | None, desk: Desk, sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.journals.mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(here or tmp_path)
    monkeypatch.setenv("HOME", here or str(tmp_path))
    clean = Assistants(Session(quiet=True), Options(journals=desk.journals))._without_paths
    assert clean(f"{desk.journals}/a.plan: is no plan.") == "a.plan: is no plan."
    assert clean(f"'{desk.journals}' is full. See it.") == "'' is full. See it."
    kept = f"GET https://api.example.com/v1{desk.journals}/x failed; see ./docs/errors.md, 1/2."
    assert clean(kept) == kept
    assert "journals-other/x" in clean(f"{desk.journals}-other/x")
    relative = Assistants(Session(quiet=True), Options(journals=Path(".")))._without_paths
    assert relative("https://api.example.com/v1/posts. Done.") == (
        "https://api.example.com/v1/posts. Done."
    )


def test_it_knows_what_happened_since(desk: Desk, sandbox: Sandbox, command: Command) -> None:
    """Somebody else's change, an undo of a part, and one that is made again."""

    async def applied(it: Assistant) -> tuple[str, str]:
        plan = await planned(it, sandbox, 2)
        await it.call("apply_plan", plan_id=plan)
        told = await it.call("was_it_done", plan_id=plan)
        assert "2 done of 2" in told.words and "since" not in told.words
        sandbox.client().posts.update(posts(sandbox, "SCHEDULED")[0], name="by somebody else")
        return plan, (await it.call("was_it_done", plan_id=plan)).words

    person = Person()
    plan, told = desk.run(applied, person=person, allow_writes=True)
    first = posts(sandbox, "SCHEDULED")[0]
    assert f"Changed again since, by somebody else: {first} (name)" in told
    assert command("undo", plan, "--yes", "--journals", desk.journals).status == 0

    async def asked(it: Assistant) -> list[str]:
        return [(await it.call(tool, plan_id=plan)).words for tool in ("was_it_done", "apply_plan")]

    done, again = desk.run(asked, person=person, allow_writes=True)
    assert "1 of 2 changes undone since" in done and first in done
    assert "then undone" in again and len(person.asked) == 1


def test_what_was_applied_is_told_also_after_the_plan_expired(
    desk: Desk, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    from social_publishing_cli import plans

    async def work(it: Assistant) -> str:
        plan = await planned(it, sandbox)
        await it.call("apply_plan", plan_id=plan)
        monkeypatch.setattr(plans.Plan, "is_over", lambda plan, now: True)
        return (await it.call("apply_plan", plan_id=plan)).words

    assert "applied before; nothing was sent again. 2 done" in desk.run(
        work, person=Person(), allow_writes=True
    )
    assert writes(sandbox) == 2


@pytest.mark.parametrize(("said", "left"), [("7", 7), ("0", 0), ("", None), ("some", None)])
def test_only_a_response_that_says_so_leaves_no_requests(said: str, left: int | None) -> None:
    service = Service(Session(), Options())
    response: Any = SimpleNamespace(headers={"x-ratelimit-remaining": said})
    assert service._counted(SimpleNamespace(), lambda attempt: response) is response  # type: ignore[arg-type]
    assert service.session.left == left


@pytest.mark.parametrize(
    ("known", "is_shown"),
    [(None, False), ({"other": {}}, False), ({page.EXTENSION: {}}, True)]
    + [({page.EXTENSION: {"mimeTypes": forms}}, page._FORM in forms)
       for forms in ([], ["text/html"], ["text/html", page._FORM])],
)  # fmt: skip
def test_pages_are_for_programs_that_show_their_form(known: Any, is_shown: bool) -> None:
    """One that names no forms shows them all."""
    session = SimpleNamespace(client_capabilities=known and SimpleNamespace(extensions=known))
    assert page.is_shown(SimpleNamespace(session=session)) is is_shown  # type: ignore[arg-type]


def test_a_text_is_cut_where_it_is_longer() -> None:
    assert [cut("a\nbcd", length) for length in (4, 5, 6)] == ["a b…", "a bcd", "a bcd"]


def test_posts_are_found_by_the_words_of_each_text() -> None:
    texts: dict[str, Any] = {
        **{name: {name: "Sauerteig Übermorgen"} for name in ("name", "content", "note")},
        "labels": {"labels": [Label(id="1", name="other"), Label(id="2", name="sauerteig über")]},
    }
    found = [Post(id=name, **values) for name, values in texts.items()]
    group = SimpleNamespace(zone=ZoneInfo("UTC"))
    service: Any = SimpleNamespace(group=lambda id: group, posts=lambda group: found)
    for text, ids in (("TEIG ÜBER", [*texts]), ("", [*texts]), ("other", ["labels"]), ("x", [])):
        assert [row["id"] for row in reading.find_posts(service, text=text).rows] == ids


def report_of(*states: str, fields: dict[str, plans.Step] | None = None) -> plans.Report:
    """What became of a plan whose changes are in these states."""
    now, steps = datetime.now(UTC), fields or {"name": plans.Step("old", "new")}
    changes = tuple(
        plans.Change(at, f"{at}", f"post {at}", "Asia/Tokyo", 25, steps)
        for at in range(len(states))
    )
    plan = plans.Plan(now, now + timedelta(1), {"id": "1"}, "assistant", len(states), changes)
    return plans.Report(
        plan,
        [
            plans.Entry(plan.id, change, state, f"why {state}", False, 1, now)
            for change, state in zip(changes, states, strict=True)
        ],
    )


def test_what_became_of_each_change_is_counted_and_told() -> None:
    states = [*["done"] * 3, *["conflict"] * 2, *["failed"] * 4, "waiting", "sending", "unknown"]
    unknown = (
        " Unknown: the response was lost. Do not repeat it; call was_it_done after "
        f"{writing.QUIET:.0f} s."
    )
    known = "3 done, 2 in conflict, 4 failed, 1 not done"
    report = report_of(*states)
    for is_under_way, counts in ((True, "1 on its way, 1 unknown"), (False, "2 unknown")):
        told = writing._told(report, "Applied.", ["And then.", "Since."], is_under_way)
        assert told.words == f"Applied. {known}, {counts} of 12.{unknown} And then. Since."
        assert (told.plan, told.is_under_way) == (report.plan, is_under_way)
        assert told.rows == [
            {"id": str(at), "state": state, "reason": f"why {state}"}
            for at, state in enumerate(states)
            if state != "done"
        ]
    assert writing._told(report_of("sending"), "", (), True).words == "1 on its way of 1."
    assert writing._told(report_of("done"), "").words == "1 done of 1."


def test_a_plan_is_asked_about_in_one_question_or_not_at_all(desk: Desk, sandbox: Sandbox) -> None:
    service = Service(Session(quiet=True), Options(journals=desk.journals))

    def asked(*states: str, **fields: plans.Step) -> Any:
        plan = report_of(*states, fields=fields).plan
        desk.journals.mkdir(parents=True, exist_ok=True)
        plan.save(plans.plan_path(plan.id, desk.journals))
        return plan, writing.plan_question(service, plan.short_id)

    step = plans.Step("old", "new")
    for count in (1, 59, 60, 61):
        if count > 60:
            with pytest.raises(Problem, match="too long for one question: 61 posts in 61 lines"):
                asked(*["waiting"] * count, name=step)
            continue
        plan, question = asked(*["waiting"] * count, name=step)
        head = f"Apply plan {plan.short_id}? It changes {count} post{'s' * (count > 1)} "
        lines = [f"{at} post {at}, name: old → new" for at in range(count)]
        assert question == ("\n".join([f"{head}(times: Asia/Tokyo).", *lines]), plan.id)
    service.session.names.add({"labels": [{"id": n, "name": f"the {n}th"} for n in ("11", "12")]})
    ids = [each.name for each in (*COLUMNS, *documented().values()) if each.kind == "ids"]
    _, question = asked("waiting", **{name: plans.Step(["11"], ["12"]) for name in ids})
    named = [f"0 post 0, {name}: the 11th 11 → the 12th 12" for name in ids]
    assert question.text.splitlines()[1:] == named and len(named) > 3
    for text, is_asked in (("x" * 3900, True), ("x" * 4000, False)):
        texts = {name: plans.Step(None, text) for name in ("name", "note", "content")}
        if is_asked:
            assert text in asked("waiting", **texts)[1].text
        else:
            with pytest.raises(Problem, match="too long for one question: 1 post in 3 lines"):
                asked("waiting", **texts)


def test_posts_move_by_days_on_the_clocks_and_by_minutes_exactly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a day in which the clocks are set back an hour."""
    posts = {
        "1": SimpleNamespace(publication_date=datetime(2026, 10, 24, 10, tzinfo=UTC)),
        "2": SimpleNamespace(publication_date=None),
    }
    monkeypatch.setattr(
        writing, "there", lambda _, ids: {id: posts[id] for id in ids if id in posts}
    )
    service: Any = SimpleNamespace(client=None)
    group: Any = SimpleNamespace(zone=ZoneInfo("Europe/Berlin"))
    for days, minutes, text in (
        (1, 0, "2026-10-25 12:00"),
        (-1, 0, "2026-10-23 12:00"),
        (0, 1440, "2026-10-25 10:00+00:00"),
        (1, 30, "2026-10-25 11:30+00:00"),
        (0, -30, "2026-10-24 09:30+00:00"),
    ):
        moved = writing._shifted(service, group, ["1"], days, minutes)
        assert moved == {"1": {"post_id": "1", "publication_date": text}}
    with pytest.raises(Problem, match=r"without a date to move: 2, 3\."):
        writing._shifted(service, group, ["1", "2", "3"], 1, 0)
    with pytest.raises(Problem, match="no calendar has the day"):
        writing._shifted(service, group, ["1"], 9_999_999, 0)


def test_progress_of_an_apply_counts_what_was_done_before(
    desk: Desk, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = Service(Session(quiet=True), Options(journals=desk.journals, allow_writes=True))
    known = report_of(*["waiting"] * 4)
    desk.journals.mkdir(parents=True, exist_ok=True)
    known.plan.save(plans.plan_path(known.plan.id, desk.journals))
    path = plans.journal_path(known.plan, desk.journals)
    with plans.Journal(path, known.plan) as journal:
        for entry, state in zip(
            known.entries, ("done", "conflict", "unknown", "waiting"), strict=True
        ):
            journal.sending(entry.change.id, {})
            journal.note(entry, state)
    steps = []

    def applied(client: Any, plan: Any, journal: Any, *, settles: bool, on_progress: Any) -> Any:
        assert not settles
        for entry in journal.entries()[2:]:
            on_progress(entry)
            steps.append((call.done, call.total, call.step))
        return plans.Report(plan, journal.entries())

    monkeypatch.setattr(plans, "apply", applied)
    call = calls.Call()
    token = calls.CALL.set(call)
    try:
        told = writing.apply_plan(service, known.plan.id, known.plan.short_id)
        assert steps == [(3, 4, "2 unknown"), (4, 4, "3 waiting")]
        assert told.words.startswith(
            "Applied in part. 1 done, 1 in conflict, 1 not done, 1 unknown of 4."
        )
        with pytest.raises(Problem, match="not the plan that the person approved"):
            writing.apply_plan(service, report_of("waiting").plan.id, known.plan.short_id)

        def lost(*_: Any, **__: Any) -> Any:
            call.stopped = is_stopped
            raise SocialPublishingError("lost")

        monkeypatch.setattr(plans, "apply", lost)
        for is_stopped in (False, True):
            with nullcontext() if is_stopped else pytest.raises(SocialPublishingError):
                told = writing.apply_plan(service, known.plan.id, known.plan.short_id)
        assert told.words.startswith(
            "Stopped: nothing more is sent. apply_plan goes on, after a new"
        )
        call.stopped = False
        monkeypatch.setattr(plans, "apply", lambda *_, **__: pytest.fail("it was sent"))

        def undone(*_: Any) -> None:
            raise plans.StalePlanError("undone")

        monkeypatch.setattr(writing, "check_not_taken_back", undone)
        with pytest.raises(plans.StalePlanError):  # between the question and the yes
            writing.apply_plan(service, known.plan.id, known.plan.short_id)
    finally:
        calls.CALL.reset(token)


def test_only_an_accepted_yes_is_one_and_only_who_has_forms_is_asked(desk: Desk) -> None:
    assistants = Assistants(Session(quiet=True), Options(journals=desk.journals))
    for action in ("accept", "decline", "cancel", ""):
        for yes in (True, False, "true", 1, None):
            answer = SimpleNamespace(action=action, content={"yes": yes})
            if action == "accept" and yes is True:
                assert assistants._if_yes(answer, "sha256:1") == "sha256:1"
            else:
                with pytest.raises(Problem, match="The person said no"):
                    assistants._if_yes(answer, "sha256:1")
    for answer in (None, SimpleNamespace(action="accept", content=None)):
        with pytest.raises(Problem, match="The person said no"):
            assistants._if_yes(answer, "sha256:1")
    one = SimpleNamespace()
    for form, url, can in (
        (one, None, True),
        (None, None, True),
        (None, one, False),
        (one, one, True),
    ):
        elicitation = SimpleNamespace(form=form, url=url)
        session = SimpleNamespace(client_capabilities=SimpleNamespace(elicitation=elicitation))
        assert server._can_ask(cast(Any, SimpleNamespace(session=session))) is can
    for capabilities in (None, SimpleNamespace(elicitation=None)):
        session = SimpleNamespace(client_capabilities=capabilities)
        assert not server._can_ask(cast(Any, SimpleNamespace(session=session)))


def test_what_ended_last_is_remembered_and_what_is_under_way_always(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_MOST_ENDED", 2)
    assistants = Assistants(Session(quiet=True), Options(journals=desk.journals))
    held = threading.Event()
    first = assistants._work(calls.Call(), lambda: held.wait(600) and results.Result("late"))
    ended = []
    for at in range(4):
        ended.append(assistants._work(calls.Call(), lambda at=at: results.Result(f"{at}")))
        ended[-1]._thread.join(600)
    assert [*assistants._works] == [each.id for each in (first, *ended[1:])]
    held.set()
    first._thread.join(600)


def test_a_server_knows_its_group_its_room_and_whose_call_was_cancelled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    clock, read = [0.0], []
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def get(group: str, include: Any) -> Any:
        read.append(group)
        return SimpleNamespace(
            timezone="Asia/Tokyo" if group == "7" else None, social_accounts=None
        )

    limits = SimpleNamespace(limit=90, resets_in=12.4)
    client = SimpleNamespace(groups=SimpleNamespace(get=get), rate_limit=limits)
    session: Any = SimpleNamespace(
        connect=lambda **_: client, token="t", left=None, is_of_sandbox=False
    )
    service = Service(session, Options(journals=tmp_path, group="7"))
    for seconds, group, fresh, count in (
        *((1000.0, None, False, 1), (1299.9, "7", False, 1), (1300.0, None, False, 2)),
        *((1301.0, "8", False, 3), (1302.0, None, False, 3), (1303.0, None, True, 4)),
    ):
        clock[0] = seconds
        facts = service.group(group, fresh)
        assert (facts.id, facts.zone.key) == (("8", "UTC") if group == "8" else ("7", "Asia/Tokyo"))
        assert len(read) == count
    call = calls.Call()
    token = calls.CALL.set(call)
    try:
        for left, room in (("41", 41), ("", 90), ("7", 7), ("soon", 90), ("0", 0)):
            exchange: Any = SimpleNamespace(headers={"x-ratelimit-remaining": left})
            assert service._counted(cast(Any, None), lambda _, told=exchange: told) is exchange
            assert service.room == (room, 90, 12.4)
        limits.resets_in = None  # a new minute
        assert service.room == (90, 90, None)
        client.rate_limit = None
        assert service.room == (60, 60, None)
        assert call.requests == 5
        call.stopped = True
        with pytest.raises(SocialPublishingError, match="cancelled"):
            service._counted(cast(Any, None), lambda _: pytest.fail("it was sent"))
    finally:
        calls.CALL.reset(token)
    assert [room_at(each) for each in (0, 0.4, 1.6, 59.7)] == [
        "in 1 s",
        "in 1 s",
        "in 2 s",
        "in 60 s",
    ]
    assert session.token in service.results.secrets


def test_a_task_says_how_far_its_work_is(
    desk: Desk, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = datetime(2026, 12, 1, 9, tzinfo=UTC)
    reply = types.CallToolResult(content=[types.TextContent(type="text", text="all")])
    for done, stopped, told in (
        (None, False, {"status": "working", "statusMessage": "2 of 7 done posts read"}),
        (None, True, {"status": "working", "statusMessage": "2 of 7 done posts read"}),
        (reply, False, {"status": "completed", "result": reply}),
        (reply, True, {"status": "cancelled", "statusMessage": "all"}),
    ):
        call = calls.Call(done=2, total=7, step="posts read", stopped=stopped)
        work: Any = SimpleNamespace(id="x", call=call, begun=begun, reply=done)
        for task in (tasks.of_work(work), tasks.created(work)):
            assert (task.pop("taskId"), task.pop("createdAt")) == ("x", "2026-12-01T09:00:00Z")
            assert (task.pop("ttlMs"), task.pop("pollIntervalMs")) == (None, 3000)
            ago = datetime.now(UTC) - datetime.fromisoformat(task.pop("lastUpdatedAt"))
            assert timedelta(0) <= ago < timedelta(minutes=10)
            if task.pop("resultType", None) == "task":
                assert task == {name: each for name, each in told.items() if name != "result"}
            elif "result" in told:
                assert task.pop("result")["content"][0]["text"] == "all"
                assert task == {"status": "completed"}
            else:
                assert task == told
    service = Service(Session(quiet=True), Options(journals=desk.journals))
    known = report_of("waiting")
    desk.journals.mkdir(parents=True, exist_ok=True)
    id = tasks.id_of_plan(known.plan.id)

    def found(task: str = id) -> Any:
        return tasks.of_journal(service, task, lambda result: reply)

    assert found() is None  # there is no such plan
    known.plan.save(plans.plan_path(known.plan.id, desk.journals))
    assert found() is None  # it was never applied
    monkeypatch.setattr(writing.plans, "settle", lambda _, plan, journal, quiet: (known, 0.0))
    monkeypatch.setattr(writing, "_since", lambda *_: ())
    with plans.Journal(plans.journal_path(known.plan, desk.journals), known.plan) as journal:
        journal.sending("0", {})
        assert found()["status"] == "working" and "result" not in found()
    assert found()["status"] == "completed" and found()["result"]["content"]
    assert found()["createdAt"] == f"{known.plan.made:%Y-%m-%dT%H:%M:%SZ}"
    assert [found(each) for each in (id[5:], id[:-1], f"{id}0", "plan-")] == [None] * 4


def test_a_plan_is_that_of_who_made_it(desk: Desk, sandbox: Sandbox) -> None:
    async def made(it: Assistant) -> str:
        return await planned(it, sandbox)

    plan = desk.run(made, person=Person(), allow_writes=True)
    for of, owner in (("", ""), ("Ann", "Ann"), ("Ben", "Ann")):
        service = Service(Session(quiet=True), Options(journals=desk.journals, person=of))
        if of == "Ann":
            [post] = posts(sandbox, "SCHEDULED")[:1]
            with_own = [{"post_id": post, "name": "of Ann"}]
            token = calls.CALL.set(calls.Call())
            try:
                plan = writing.plan_changes(service, with_own, GROUP).words[9:21]
            finally:
                calls.CALL.reset(token)
        for ask in (writing.kept, writing.plan_question, writing.was_it_done):
            if of == owner:
                assert ask(service, plan)
            else:
                with pytest.raises(Problem, match="There is no plan"):
                    ask(service, plan)
        service.session.close()


def test_a_yes_to_a_plan_under_way_is_none_to_another(desk: Desk) -> None:
    assistants = Assistants(Session(quiet=True), Options(journals=desk.journals))
    held, known, other = (
        threading.Event(),
        report_of("waiting").plan,
        report_of("done", "done").plan,
    )
    desk.journals.mkdir(parents=True, exist_ok=True)
    for plan in (known, other):
        plan.save(plans.plan_path(plan.id, desk.journals))
    do, id = lambda: held.wait(600) and results.Result("late"), tasks.id_of_plan(known.id)
    under_way = assistants._work(calls.Call(), do, id)
    assert assistants._applied(calls.Call(), known.short_id, known.id) is under_way
    wrong = assistants._applied(calls.Call(), other.short_id, known.id)
    wrong._thread.join(600)
    assert "not the plan that the person approved" in wrong.reply.content[0].text
    held.set()
    under_way._thread.join(600)


def test_an_account_has_the_name_that_people_gave_it_and_who_is_expired_is_counted() -> None:
    def account(id: str, **more: Any) -> Any:
        given = {"custom_name": None, "name": None, "username": f"u{id}", "followers_count": 0}
        expired = {"connection_expired_at": None, "social_network": "threads", **more}
        return SimpleNamespace(id=id, **given | expired)

    late = datetime(2026, 12, 1, 9, tzinfo=UTC)
    accounts = {
        "1": account("1", custom_name="Ours", name="Theirs"),
        "2": account("2", name="Theirs", connection_expired_at=late),
        "3": account("3", connection_expired_at=late),
    }
    facts = SimpleNamespace(id="7", zone=ZoneInfo("Asia/Tokyo"), accounts=accounts)
    asked: list[Any] = []
    overview = SimpleNamespace(scheduled_posts=1, needs_approval=None, rejected=3, missed_review=4)
    for waiting, more in (
        (None, ""),
        (
            overview,
            " Scheduled posts in this group: 1. In the organization: 0 to approve, 3 rejected, "
            "4 with a missed review.",
        ),
    ):
        widgets = SimpleNamespace(posts_overview=lambda _, waiting=waiting: waiting)
        service: Any = SimpleNamespace(
            group=lambda id, fresh: (asked.append(fresh), facts)[1],
            client=SimpleNamespace(widgets=widgets),
        )
        told = reading.account_health(service, "7")
        assert told.words == f"3 accounts, 2 to connect again.{more}"
        expired = "expired 2026-12-01 18:00: connect it again in the service"
        assert [(each["name"], each["connection"]) for each in told.rows] == [
            *(("Ours", "ok"), ("Theirs", expired), ("", expired)),
        ]
    assert asked == [True, True]


def test_a_plan_takes_so_many_posts_and_no_more(
    desk: Desk, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MOST_CHANGES", 2)

    async def work(it: Assistant) -> None:
        ids = posts(sandbox, "SCHEDULED")
        for count in (1, 2, 3):
            asked = {"shift_posts": ids[:count], "shift_days": 1}
            assert (await it.call("plan_changes", group_id=GROUP, **asked)).failed is (count > 2)

    desk.run(work)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("find_posts", {"since": "2026-02-30"}, "since: February 2026 has 28 days."),
        ("find_posts", {"until": "soon"}, "until: write a day as 2026-12-24."),
        (
            "find_posts",
            {"since": "2026-12-24", "until": "2026-12-01"},
            "since (2026-12-24) is after until (2026-12-01): no day is in both.",
        ),
        (
            "find_posts",
            {"since": "2027-01-01", "month": "2026-12"},
            "since (2027-01-01) is after month (2026-12-31): no day is in both.",
        ),
        (
            "find_posts",
            {"sinc": "2026-12-24", "words": "x"},
            "arguments: there is no sinc (did you mean since?), words; there are group_id, month, ",
        ),
        (
            "plan_changes",
            {"changes": [{"post_id": "1", "name": "x", "contents": "x", "content[threads]": "x"}]},
            "changes.0: there is no contents (did you mean content?); there are post_id, ",
        ),
        (
            "plan_changes",
            {"changes": [{"post_id": f"{number}", "name": "x"} for number in range(501)]},
            "changes: has 501 entries, and may have 500: make several calls",
        ),
        (
            "plan_changes",
            {
                "changes": [{"post_id": f"{number}", "name": "x"} for number in range(300)],
                "shift_posts": [*map(str, range(300, 501))],
                "shift_days": 1,
            },
            "A plan takes 500 posts at most; this one has 501: make several.",
        ),
        ("plan_changes", {"changes": []}, "No post is named: pass changes, or shift_posts."),
        ("plan_changes", {"changes": [{"name": "x"}]}, "changes.0: post_id is missing"),
        (
            "plan_changes",
            {"changes": [{"post_id": "1"}]},
            "changes.0: needs post_id and what to change",
        ),
        ("read_posts", {"post_ids": []}, "post_ids: is empty"),
    ],
)
def test_what_does_not_fit_is_told_with_what_to_do(
    desk: Desk, sandbox: Sandbox, name: str, arguments: dict[str, Any], said: str
) -> None:
    async def work(it: Assistant) -> None:
        own = {} if name == "read_posts" else {"group_id": GROUP}
        answer = await it.call(name, **own, **arguments)
        told = [answer.words.splitlines()[0], *(row["problem"] for row in answer.rows)]
        assert answer.failed and any(each.startswith(said) for each in told), told

    desk.run(work)


def test_posts_are_read_on_the_clocks_of_their_own_groups(desk: Desk, sandbox: Sandbox) -> None:
    """Where none is named; a post that has no account has UTC."""
    zones = {group.id: group.timezone for group in sandbox.find("groups")}
    accounts = {each.id: zones[each.group_id] for each in sandbox.find("social_accounts")}
    by_zone: dict[str, str] = {}
    for post in sandbox.find("posts", status="SCHEDULED"):
        for account in (post.selected_account_ids or ())[:1]:
            by_zone.setdefault(accounts[account], str(post.id))
    assert len(by_zone) > 1
    [first, second, *_] = by_zone
    bare = sandbox.create_post(content="x", publication_date="2026-12-24T12:00:00Z", status="DRAFT")

    async def work(it: Assistant) -> None:
        for zone, post in by_zone.items():
            read = await it.call("read_posts", post_ids=[post])
            assert f"times in {zone}." in read.words and "timezone" not in read.rows[0]
            there = await it.call("read_posts", post_ids=[post], group_id=GROUP)
            assert f"times in {zones[GROUP]}." in there.words
        read = await it.call("read_posts", post_ids=[by_zone[first], str(bare.id), by_zone[second]])
        assert "times in the timezone of each" in read.words
        assert [row["timezone"] for row in read.rows] == [first, "UTC", second]
        for row in read.rows:
            alone = await it.call("read_posts", post_ids=[row["id"]])
            assert alone.rows[0]["publication_date"] == row["publication_date"]

    desk.run(work)


def test_of_many_cursors_the_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_KEPT", 2)
    kept = results.Results()
    rest = [results.Result("", read_more=partial(results.Result, f"{at}")) for at in range(4)]
    cursors = [kept.written(each).data["cursor"] for each in rest]
    assert [kept.more(each).words for each in cursors[2:]] == ["2", "3"]
    for each in cursors[:2]:
        with pytest.raises(Problem, match="has expired"):
            kept.more(each)


@pytest.mark.parametrize("sign", ["x", "千"])
@pytest.mark.parametrize("length", [1000, 40_000])
def test_a_result_has_as_many_rows_as_there_is_room_for(sign: str, length: int) -> None:
    room = 4 * results.MOST - results._RESERVED
    for more in range(0, length, length // 20):
        rows = [{"text": sign * (length + more)}] * 80
        size = len(results.Results().written(results.Result("", rows)).text.encode())
        line = len(sign.encode()) * (length + more)
        assert room - max(line, room // 2) < size <= 4 * results.MOST


@MODES
def test_what_was_not_applied_is_not_told_as_applied(
    mode: str, desk: Desk, sandbox: Sandbox, client: SocialPublishing
) -> None:
    first, second = posts(sandbox, "SCHEDULED")[:2]

    async def work(it: Assistant) -> None:
        async def plan_of(*changes: dict[str, Any]) -> str:
            made = await it.call("plan_changes", group_id=GROUP, changes=changes)
            return made.words.split()[1]

        failing = {"post_id": first, "selected_media_ids": ["5"]}
        for plan, words, has_failed in (
            (await plan_of(failing), "Nothing was applied. 1 failed of 1.", True),
            (
                await plan_of(failing, {"post_id": second, "note": "new"}),
                "Applied in part. 1 done, 1 failed of 2.",
                False,
            ),
            (await plan_of({"post_id": first, "note": "new"}), "Applied. 1 done of 1.", False),
        ):
            told = await it.call("apply_plan", plan_id=plan)
            assert told.words.startswith(words) and told.failed is has_failed
            again = await it.call("apply_plan", plan_id=plan)
            assert again.words.startswith("This plan was tried" if has_failed else "This plan was")
            assert again.failed is has_failed
            assert not (await it.call("was_it_done", plan_id=plan)).failed
        conflicting = await plan_of({"post_id": second, "name": "mine"})
        client.posts.update(second, name="theirs")
        told = await it.call("apply_plan", plan_id=conflicting)
        assert told.failed and told.words.startswith("Nothing was applied. 1 in conflict of 1.")

    desk.run(work, mode=mode, person=Person(), allow_writes=True)


def test_null_in_a_change_is_told(desk: Desk, sandbox: Sandbox) -> None:
    post = posts(sandbox, "SCHEDULED")[0]

    async def work(it: Assistant) -> None:
        for change, has_failed in (
            ({"name": None, "note": "n"}, False),
            ({"name": None, "content": None}, True),
        ):
            sent = [{"post_id": post, **change}]
            told = await it.call("plan_changes", group_id=GROUP, changes=sent)
            assert told.failed is has_failed
            nulls = ", ".join(name for name, value in change.items() if value is None)
            assert f"Null changes nothing ({nulls}); an empty text empties a field." in told.words
        text = str([tool.schema for tool in tools().values()])
        assert "null leaves it as it is" in text and "Null is assumed" not in text

    desk.run(work)


def test_posts_without_metrics_are_told_and_why(desk: Desk, sandbox: Sandbox) -> None:
    published, others = posts(sandbox, "PUBLISHED"), posts(sandbox, "SCHEDULED")[:2]

    async def work(it: Assistant) -> None:
        ids = [*published[:2], *others, "1", "2", published[0]]
        told = await it.call("metrics", group_id=GROUP, post_ids=ids)
        assert "Metrics of 2 published posts" in told.words
        assert f" Not in this group: 1, 2. Not published: {', '.join(others)}." in told.words
        told = await it.call("metrics", group_id=GROUP, month="2020-01", post_ids=published[:2])
        assert f" Not in 2020-01: {', '.join(published[:2])}." in told.words
        every = await it.call("metrics", group_id=GROUP, month="2026-11")
        assert "Not " not in every.words.partition("Assumed")[0]
        for name in ("metrics", "read_posts"):
            assert (await it.call(name, group_id=GROUP, post_ids=[])).failed
        for some in (others, others[:1]):
            twice = await it.call("read_posts", group_id=GROUP, post_ids=[*some, *some])
            assert [row["id"] for row in twice.rows] == some

    desk.run(work)


def test_a_cursor_goes_on_with_its_own_call_alone(desk: Desk, sandbox: Sandbox) -> None:
    account = sandbox.find("social_accounts", group_id=GROUP)[0].id
    for at in range(120):
        sandbox.create_post(content=f"{at} " * 40, selected_account_ids=[account])
    asked = {"group_id": GROUP, "status": ["draft"]}

    async def work(it: Assistant) -> None:
        first = await it.call("find_posts", **asked)
        assert first.cursor
        for name, arguments in (
            ("find_posts", {"month": "2026-11"}),
            ("find_posts", {**asked, "status": ["published"]}),
            ("calendar", {"month": "2026-12"}),
            ("metrics", {}),
        ):
            other = await it.call(name, cursor=first.cursor, **arguments)
            assert other.failed and "call without a cursor" in other.words, (name, arguments)
        for same in ({}, asked, {"group_id": GROUP}):
            more = await it.call("find_posts", cursor=first.cursor, **same)
            assert not more.failed and more.rows and more.rows[0] != first.rows[0]

    desk.run(work)


NOT_HERE = re.compile(
    r"\b(rows?|sheet|column|table) ?\d*\b|--(?!allow-writes|group|journals|sandbox)\w+"
    r"|\b[\w-]+\.(csv|plan|db|json|jsonl|xlsx)\b",
    re.IGNORECASE,
)
DATES = (
    *(
        "2027-02-30 12:00",
        "2026-13-01 09:00",
        "46000",
        "24.12.2026 09:00",
        "24.12.2026",
        "2026-12-24",
    ),
    *(
        "12/1/26 9:48",
        "1 Feb 03 9:00",
        "Mon 2026-12-24 09:00",
        "2027-03-28 02:30",
        "0026-12-24 09:00",
    ),
    *(
        "2026-12-24 09:00:30",
        "2026-12-24 25:00",
        "soon",
        "",
        "2020-01-01 09:00",
        "2031-01-01 09:00",
    ),
    *("9999-12-31 23:59", "2027-10-31 02:30"),
)
VALUES: dict[str, tuple[Any, ...]] = {
    "publication_date": DATES,
    "name": ("", "x" * 5000, "3-12"),
    "content": ("", "x" * 70_000, "\x00", "same"),
    "note": ("", "2026-12-24"),
    "content[threads]": ("", "x" * 70_000),
    "publication_delay_between": (-1, 10**9),
    "visible_for_client": (True,),
    "should_skip": (True, False),
    "selected_account_ids": ([], ["1"], [GROUP]),
    "selected_media_ids": ([], ["5"]),
}


@MODES
def test_no_text_is_about_rows_files_or_options(
    mode: str, desk: Desk, sandbox: Sandbox, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is asked for: texts are about posts and arguments."""
    threads = sandbox.find("social_accounts", group_id=GROUP, social_network="threads")[0].id
    dates = [sandbox.now + timedelta(days=3, minutes=at) for at in (0, 30)]
    ids = [
        sandbox.create_post(
            content=f"{at}", selected_account_ids=[threads], status="SCHEDULED",
            publication_date=date, customized={"threads": {"content": "its own"}},
        ).id
        for at, date in enumerate(dates)
    ]  # fmt: skip
    ids += [*posts(sandbox, "PUBLISHED")[:1], "1"]
    swapped = [f"{date.astimezone(ZoneInfo('Europe/Berlin')):%Y-%m-%d %H:%M}" for date in dates]
    person, texts = Person(), list[str]()

    async def work(it: Assistant) -> None:
        async def made(*changes: dict[str, Any], **arguments: Any) -> str:
            told = await it.call("plan_changes", group_id=GROUP, changes=changes, **arguments)
            texts.append(told.text)
            return told.words.split()[1]

        for name, value in ((name, each) for name, values in VALUES.items() for each in values):
            for post in ids:
                await made({"post_id": post, name: value})
            if name != "publication_date" or value:
                await made(*({"post_id": post, name: value} for post in ids[:2]), rehearse=True)
        assert any(f"within the hour (post {ids[0]})" in each for each in texts)
        assert any(f"same text within a day (post {ids[1]})" in each for each in texts)
        assert any("threads keeps its own text (content[threads])" in each for each in texts)
        assert any('"field":"post_id"' in each for each in texts)
        for twice in range(2):
            pairs = zip(ids[:2], swapped[:: -1 if not twice else 1], strict=True)
            plan = await made(*({"post_id": a, "publication_date": b} for a, b in pairs))
            for _ in range(2):
                texts.append((await it.call("apply_plan", plan_id=plan)).text)
            texts.append((await it.call("was_it_done", plan_id=plan)).text)
        assert command("undo", plan, "--yes").status == 0
        for broken in ("undone", "edited", "no plan", "gone"):
            if broken != "undone":
                plan = await made({"post_id": ids[0], "note": broken})
                path = desk.journals / f"{plan}.plan"
                text = path.read_text()
                path.write_text(text.replace(broken, "other") if broken == "edited" else "{}")
                path.unlink() if broken == "gone" else None
            told = await it.call("apply_plan", plan_id=plan)
            assert told.failed, broken
            texts.extend((told.text, (await it.call("was_it_done", plan_id=plan)).text))
        monkeypatch.setattr(writing, "LIFE", timedelta(seconds=-1))
        texts.append(
            (await it.call("apply_plan", plan_id=await made({"post_id": ids[0], "note": "e"}))).text
        )
        texts.extend(str(tool.schema) + tool.description for tool in tools().values())

    desk.run(work, mode=mode, person=person, allow_writes=True)
    assert texts and person.asked
    for text in (*texts, *person.asked):
        assert not (found := NOT_HERE.search(text)), (found, text)


@MODES
def test_who_is_asked_sees_what_the_rehearsal_found(
    mode: str, desk: Desk, sandbox: Sandbox, command: Command
) -> None:
    """In the question, in the terminal and on the page; what does not fit is counted."""
    first, second, *_ = posts(sandbox, "SCHEDULED")
    account = sandbox.find("social_accounts", group_id=GROUP, social_network="threads")[0].id
    when = sandbox.now + timedelta(days=9)
    drafts = [
        sandbox.create_post(
            content=f"d{at}", selected_account_ids=[account], publication_date=when
        ).id
        for at in range(80)
    ]
    person = Person("decline")

    async def work(it: Assistant) -> tuple[str, list[Any]]:
        changes = [{"post_id": first, "should_skip": True}, {"post_id": second, "note": "well"}]
        made = await it.call("plan_changes", group_id=GROUP, changes=changes, rehearse=True)
        plan, rows = made.words.split()[1], made.rows
        while made.cursor:
            made = await it.call("plan_changes", cursor=made.cursor)
            rows += made.rows
        assert (await it.call("apply_plan", plan_id=plan)).failed
        return plan, rows

    plan, rows = desk.run(work, mode=mode, person=person, allow_writes=True)
    found = {row["id"]: row["rehearsal"] for row in rows if "rehearsal" in row}
    assert found.keys() >= {first, *drafts} and second not in found
    [question] = person.asked
    lines = question.splitlines()
    assert re.search("[0-9]+ of [0-9]+ publications go out", lines[1])
    assert all(f"{first} " in each and "is skipped: should_skip" in each for each in lines[2:3])
    assert len(lines) <= writing._MOST_LINES + 2 and sum(map(len, lines)) < 13_000
    told = sum(line.startswith("rehearsal: ") and ": does not go out" in line for line in lines)
    more = re.fullmatch("rehearsal: and ([0-9]+) more of posts that stay as they are", lines[-1])
    assert (
        more and told and int(more[1]) + told == sum(map(len, found.values())) - len(found[first])
    )
    for each in (command("show", plan, "--output", "table"), command("apply", plan, "--yes")):
        shown = " ".join((each.out + each.err).split())
        for id, texts in found.items():
            assert all(f"{id} " in shown and " ".join(text.split()) in shown for text in texts)
        assert "row " not in shown
    again = command("show", plan, "--page", "plan.html", "--output", "json")
    assert "publications go out" in again.err
    page = Path("plan.html").read_text()
    assert all(id in page for id in found) and "<h2>Rehearsal</h2>" in page and "row " not in page
