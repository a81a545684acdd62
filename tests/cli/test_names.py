"""Names in the place of ids: what was told once, whose it is, and what is unclear about a name."""

from __future__ import annotations

import io
import json
import stat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from cli_support import GROUP, Command, rows_of, signed_out, write
from hypothesis import example, given
from hypothesis import strategies as st
from social_publishing import SocialPublishing

from social_publishing_cli.names import Kind, Known, Names, UnknownNameError, names_path
from social_publishing_cli.session import Session
from social_publishing_sandbox import Sandbox

NAME = "Kornblume Bakery"
OTHER = "Tall Pine Outdoors"


@pytest.fixture
def accounts(client: SocialPublishing) -> dict[str, str]:
    """The accounts of the group: the network of each, and its id."""
    found = client.groups.get(GROUP, include=["socialAccounts"]).social_accounts or ()
    return {str(each.social_network): str(each.id) for each in found}


def lines(command: Command, *words: str) -> list[dict[str, object]]:
    ended = command(*words)
    assert ended.status == 0, ended.err
    return [json.loads(line) for line in ended.out.splitlines()]


def test_a_name_stands_for_an_id_once_the_service_has_told_it(
    command: Command, accounts: dict[str, str], tmp_path: Path
) -> None:
    unknown = command("export", "posts", "--group", NAME)
    assert unknown.status == 2
    assert "no group is known by the name 'Kornblume Bakery'" in unknown.err
    assert "No operation lists groups (§4.8, endpoints.missing)" in unknown.err
    by_id = lines(command, "export", "posts", "--group", GROUP)  # tells the name on the way
    assert by_id == lines(command, "export", "posts", "--group", " kornblume  BAKERY ")
    for words in (
        ["groups", "get", NAME],
        ["widgets", "posts-overview", NAME],
        ["posts", "list", "--group", NAME],
        ["calendar-notes", "list", "--start", "2026-12-01T00:00Z", "--end", "2026-12-09T00:00Z"],
        ["social-accounts", "get", "The shop (google_business_profile)"],
        ["posts", "list", "--social-account-ids", f"{NAME} (instagram)"],
        ["metrics", "--group", NAME],
        ["names", NAME],
    ):
        more = ["--group", NAME] if words[0] == "calendar-notes" else []
        assert command(*words, *more).status == 0, words
    both = lines(
        command, "posts", "list", "--social-account-ids",
        f"{NAME} (instagram),{accounts['facebook']}",
    )  # fmt: skip
    ids = f"{accounts['instagram']},{accounts['facebook']}"
    assert both == lines(command, "posts", "list", "--social-account-ids", ids)
    assert command("metrics", "--group", NAME, "-o", "m.csv").status == 0
    names = {each["id"]: each for each in lines(command, "names")}
    assert names[GROUP]["name"] == NAME
    assert {each["group"] for each in names.values() if each["kind"] == "account"} == {NAME}


def test_a_renamed_group_has_its_new_name_alone(command: Command, sandbox: Sandbox) -> None:
    assert command("names", GROUP).status == 0
    assert command("groups", "update", NAME, "--name", "Mill Street").status == 0
    assert command("groups", "get", "Mill Street").status == 0
    assert command("groups", "get", NAME).status == 2


def test_a_name_of_several_is_one_error_that_lists_them(
    command: Command, accounts: dict[str, str]
) -> None:
    assert command("names", GROUP).status == 0
    ended = command("social-accounts", "get", NAME)
    assert ended.status == 2
    assert "'Kornblume Bakery' may be any of " in ended.err
    named = [network for network, each in accounts.items() if each in ended.err]
    assert {"instagram", "facebook", "pinterest"} <= {*named}
    near = command("social-accounts", "get", f"{NAME} (instgram)")
    assert f"Did you mean '{NAME} (instagram)' ({accounts['instagram']})?" in near.err


def test_names_of_a_group_come_before_those_of_others() -> None:
    names = Names()
    one = {"socialNetwork": "threads", "name": "Shop", "group_id": "1"}
    names.add([{**one, "id": "11"}, {**one, "id": "12", "group_id": "2"}])
    names.add({**one, "id": "13", "name": "Stall"})
    assert names.resolve("account", "Shop (threads)", "2") == "12"
    assert names.resolve("account", "Stall", "2") == "13"  # which is known in no other one
    with pytest.raises(UnknownNameError, match=r"Shop \(threads\) \(11\), Shop \(threads\) \(12\)"):
        names.resolve("account", "Shop (threads)")


def test_accounts_in_a_sheet_by_their_names(
    command: Command, sheet: Path, accounts: dict[str, str]
) -> None:
    rows = rows_of(sheet)
    for row in rows:
        listed = [command("names", GROUP), row["accounts"]][1]
        assert len(listed.split(", ")) == len(row["selected_account_ids"].split())
        row["selected_account_ids"] = listed  # the same accounts, by name: nothing is edited
    write(sheet, rows)
    assert "nothing to change" in command("plan", sheet).err
    rows[0]["selected_account_ids"] = f"{NAME} (tiktok), {accounts['instagram']}"
    rows[1]["selected_account_ids"] = f"{NAME}"
    write(sheet, rows)
    ended = command("plan", sheet)
    assert (ended.status, "row 3, selected_account_ids: 'Kornblume" in ended.err) == (1, True)
    rows[1]["selected_account_ids"] = ""
    write(sheet, rows[:1])
    [change] = lines(command, "plan", str(sheet))
    assert change["after"] == f"{accounts['tiktok']} {accounts['instagram']}"
    for beside in ("", f" {accounts['instagram']}", f" {NAME}"):  # whose last digits are lost
        write(sheet, [rows[0] | {"selected_account_ids": f"9.03292E+18{beside}"}])
        assert "9.03292E+18 is an identifier that the" in command("plan", sheet).err, beside
    for column, instead in (
        ("accounts", "selected_account_ids takes names as well"),
        ("networks", "it follows from selected_account_ids"),
        ("labels", "label_ids takes names as well"),
    ):
        write(sheet, [rows[0] | {column: "another"}])
        told = f"row 2, {column}: cannot be changed in a sheet: restore {rows[0][column][:40]!r}: "
        assert f"{told}{instead}" in command("plan", sheet).err


def sign_in(command: Command, monkeypatch: pytest.MonkeyPatch, name: str, sandbox: Sandbox) -> None:
    options = ["--base-url", sandbox.base_url, "--media-url", sandbox.media_url, "--no-check"]
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{sandbox.token}\n"))
    assert command("auth", "login", name, "--token-stdin", *options).status == 0


def test_names_and_default_groups_never_cross_profiles(
    command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_out(monkeypatch)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    for name in ("one", "two"):
        sign_in(command, monkeypatch, name, sandbox)
    assert command("auth", "default-group", GROUP, "--profile", "one").status == 0
    for words in (["export", "posts"], ["posts", "list"], ["groups", "get"], ["metrics"]):
        assert command(*words, "--profile", "one").status == 0, words
        other = command(*words, "--profile", "two")
        assert other.status == 2 and NAME not in other.err, words
    assert "say which group" in command("export", "posts", "--profile", "two").err
    assert command("groups", "get", NAME, "--profile", "one").status == 0
    assert command("groups", "get", NAME, "--profile", "two").status == 2
    assert lines(command, "names", "--profile", "two") == []
    monkeypatch.setenv("SOCIAL_PUBLISHING_GROUP", GROUP)
    assert command("groups", "get", "--profile", "two").status == 0
    # What writes does not write to a group that nobody has named.
    assert command("groups", "update", "--name", "x", "--profile", "one").status == 2
    monkeypatch.delenv("SOCIAL_PUBLISHING_GROUP")
    sign_in(command, monkeypatch, "one", sandbox)  # a new token of the same account
    assert command("groups", "get", "--profile", "one").status == 0
    assert command("auth", "default-group", "--none", "--profile", "one").status == 0
    assert command("groups", "get", "--profile", "one").status == 2


def test_a_group_that_is_named_comes_before_the_variable_and_that_before_the_profile(
    command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_out(monkeypatch)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    sign_in(command, monkeypatch, "one", sandbox)
    first, second, third = [str(each.id) for each in sandbox.find("groups")][:3]

    def meant() -> list[str | None]:
        session = Session(profile="one")
        return [session.default_group(), session.default_group(third), *session.groups([])]

    assert command("auth", "default-group", first, "--profile", "one").status == 0
    assert meant() == [first, third, first]
    monkeypatch.setenv("SOCIAL_PUBLISHING_GROUP", second)
    assert meant() == [second, third, second]


def test_an_account_is_meant_by_each_of_its_names() -> None:
    account = Known("account", "7", "Ours", "threads", "their.s", "1", "Theirs")
    each = {"ours", "theirs", "their.s", "@their.s"}
    assert account.spellings == each | {f"{name} (threads)" for name in each}
    assert Known("group", "1", "Ours").spellings == {"ours"}


def test_without_a_profile_there_is_a_variable(command: Command) -> None:
    ended = command("auth", "default-group", GROUP)
    assert ended.status == 2 and "SOCIAL_PUBLISHING_GROUP" in ended.err


def test_what_is_remembered_is_for_the_user_alone_and_may_be_lost(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path / "config"))
    assert command("names", GROUP).status == 0
    [file] = (tmp_path / "config" / "names").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    odd = [
        {"names": [{"kind": "group", "id": "7", "name": NAME, **wrong}]}
        for wrong in ({"id": 7}, {"id": "abc"}, {"kind": "x"}, {"name": None}, {"other": []})
    ]
    for damaged in ("", "[]", "\0", *map(json.dumps, odd)):
        file.write_text(damaged)
        assert command("groups", "get", NAME).status == 2
        assert command("names", GROUP).status == 0
        assert command("groups", "get", NAME).status == 0
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("a file")  # nothing can be remembered, and nothing else fails
    assert command("groups", "get", GROUP).status == 0


words = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=8)


@example(names=["\u1fe2", "\u0390 \u1fb7"], ids=[str(10**18 + at) for at in range(6)])
@given(
    names=st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), max_size=6),
    ids=st.lists(st.integers(10**18, 2**64 - 1).map(str), min_size=6, max_size=6, unique=True),
)
def test_every_name_leads_to_its_id_or_to_all_that_have_it(
    names: list[str], ids: list[str]
) -> None:
    known = Names()
    groups = [*zip(names, ids, strict=False)]
    known.add([{"id": each, "name": name, "timezone": "UTC"} for name, each in groups])
    for name, each in groups:
        assert known.resolve("group", each) == each
        if name.isascii() and name.isdecimal():
            continue  # digits are an id, whatever is called like that
        try:
            found = known.resolve("group", f"  {name.upper()} ")
        except UnknownNameError as error:
            assert "may be any of" not in str(error) or str(error).count(f"({each})") == 1
            assert name.upper().casefold() != name.casefold() or "may be any of" in str(error)
        else:
            assert found == each


step = st.tuples(st.integers(0, 1), st.sampled_from("12"), st.booleans(), st.booleans())


@pytest.mark.parametrize(
    "words",
    [
        ["groups", "get", NAME],
        ["groups", "get", NAME, "--include", "socialAccounts"],
        ["calendar", "--group", NAME, "--month", "2026-12"],
    ],
    ids=" ".join,
)
def test_what_is_gone_has_no_name_any_more(
    words: list[str], command: Command, sandbox: Sandbox
) -> None:
    lines(command, "groups", "get", GROUP)
    sandbox.add_fault("status", status=404, operations="getGroup", times=1)
    assert command(*words).status == 3
    again = command(*words)
    assert (again.status, "no group is known by the name" in again.err) == (2, True)
    lines(command, "groups", "get", GROUP)
    assert command(*words).status == 0


@given(st.lists(step, min_size=2, max_size=8))
def test_two_commands_at_a_time_keep_what_each_was_told(
    steps: list[tuple[int, str, bool, bool]],
) -> None:
    """Of one id, the last word that was saved counts: a name, or that it is gone."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "names.json"
        both = Names(path), Names(path)
        told: tuple[dict[str, str], dict[str, str]] = ({}, {})
        kept: dict[str, str] = {}
        for number, (who, id, is_gone, saves) in enumerate(steps):
            if not is_gone:
                told[who][id] = f"name {number}"
                both[who].add({"id": id, "name": f"name {number}", "timezone": "UTC"})
            elif both[who].get(id):
                told[who][id] = ""
                both[who].forget(id)
            if saves:
                kept |= told[who]
                told[who].clear()
                both[who].save()
        names = {each.id: each.name for each in Names(path)}
        assert names == {id: name for id, name in kept.items() if name}


def test_only_what_has_an_id_of_the_service_and_is_told_has_a_name() -> None:
    """Wherever it is in a response; what has another kind of id is none of these."""
    group = {"id": GROUP, "name": NAME, "timezone": "Europe/Berlin"}
    names = Names()
    for other in ("abc", "", 7, None):
        names.add({"data": [{**group, "id": other}]})
    names.learn(b'{"timezone"')  # damaged
    assert [*names] == []
    names.add({"data": [[{"more": {"group": group}}], "text", 7, None]})
    assert [(each.kind, each.id, each.name) for each in names] == [("group", GROUP, NAME)]


@pytest.mark.parametrize(
    ("kind", "told", "words"),
    [
        ("group", {"id": "7", "timezone": "UTC", "name": "Café"}, "Café|CAFE\u0301| cafe\u0301"),
        ("user", {"id": "7", "email": "a@b.c", "name": "Ann"}, "Ann|ann"),
        ("label", {"labels": [{"id": "7", "name": "New"}]}, "new|\uff2e\uff25\uff37"),
        (
            "account",
            {"id": "7", "socialNetwork": "x", "custom_name": "A", "name": "B", "username": "@c"},
            "A|B|@c|A (x)|b (X)|@c (x)",
        ),
    ],
)
def test_each_response_that_tells_a_name_is_learned(kind: Kind, told: Any, words: str) -> None:
    names = Names()
    names.learn(json.dumps(told, ensure_ascii=False).encode())
    first, *others = words.split("|")
    assert {names.resolve(kind, word) for word in (first, *others)} == {"7"}
    assert names.several(kind, f"{first};9|10 11, {first}") == ["7", "9", "10", "11", "7"]


def test_names_are_of_one_profile_address_and_token() -> None:
    accounts = [("a", "b", "c"), ("x", "b", "c"), ("a", "x", "c"), ("a", "b", "x"), ("a", "c", "b")]
    assert len({names_path(Path(), *each) for each in accounts}) == len(accounts)


def test_names_of_one_token_stand_for_nothing_with_another_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def names(token: str, address: str = "a") -> Names:
        monkeypatch.setenv("SOCIAL_PUBLISHING_API_TOKEN", token)
        monkeypatch.setenv("SOCIAL_PUBLISHING_BASE_URL", f"https://{address}.example/v1")
        return Session(quiet=True).names

    first = names("one")
    first.add({"id": "4711", "name": "Bakery", "timezone": "UTC"})
    first.save()
    assert [[*each] for each in (names("two"), names("one", "b"))] == [[], []]
    assert [*names("one")]


def test_a_name_of_what_is_gone_is_forgotten(command: Command, sandbox: Sandbox) -> None:
    other = next(group.id for group in sandbox.find("groups") if group.id != GROUP)
    for group in (GROUP, other):
        assert command("groups", "get", group).status == 0
    assert {GROUP, other} <= {each.id for each in Session(quiet=True).names}
    with sandbox.fault("status", status=404, operations="groups.get"):
        assert command("groups", "get", GROUP).status == 3
    known = {each.id for each in Session(quiet=True).names}
    assert (GROUP in known, other in known) == (False, True)
