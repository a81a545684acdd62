"""Every name of a table, and two of everything that is chosen from: none is only a sample."""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from packaging.metadata import Metadata
from packaging.version import Version

from pipeline.openapi.problems import Finding, PipelineError
from release import (
    building,
    environments,
    examples,
    git,
    indexes,
    installing,
    pins,
    probe,
    publishing,
    sbom,
    tree,
)
from release.changes import documents, gaps
from release.changes.change import LEVELS, Change, Level, highest, listed, merged, phrase
from release.changes.places import ABILITIES, METHODS
from release.config import Package, Repository
from release.environments import Environment, Python

VARIABLES = ("UV_PUBLISH_USERNAME", "UV_PUBLISH_PASSWORD", "UV_PUBLISH_TOKEN")
FOUND = ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "PYPI_ID_TOKEN", "UV_KEYRING_PROVIDER")


# Changes


@pytest.mark.parametrize("number", range(1, 12))
def test_of_more_than_seven_places_six_are_named(number: int) -> None:
    names = [f"n{at}" for at in range(number)]
    shown, rest = (names[:6], f"{number - 6} more") if number > 7 else (names[:-1], names[-1])
    expected = f"{', '.join(shown)} and {rest}" if shown else rest
    assert listed(names) == phrase(names, "").strip() == expected
    assert listed(names, most=None).count("n") == number + (number > 1)


@pytest.mark.parametrize(
    ("sentence", "plural"),
    [
        ("does not fit", "do not fit"),
        ("is gone", "are gone"),
        ("has a limit", "have a limit"),
        ("takes it", "take it"),
    ],
)
def test_a_sentence_about_several_places(sentence: str, plural: str) -> None:
    assert phrase(["`a`"], sentence) == phrase(["`a`", "`a`"], sentence) == f"`a` {sentence}"
    assert phrase(["`a`", "`b`"], sentence) == f"`a` and `b` {plural}"


@pytest.mark.parametrize("levels", itertools.permutations(LEVELS))
def test_changes_come_by_their_level_the_highest_first(levels: tuple[Level, ...]) -> None:
    changes = [Change(level, (f"`{level}`",), "is new") for level in levels]
    assert [each.level for each in merged(changes)] == [*LEVELS][::-1]
    for number in range(len(changes) + 1):
        wanted = max(levels[:number], key=LEVELS.index, default="none")
        assert highest(changes[:number]) == wanted


def test_the_same_change_in_many_places_is_one_with_all_that_it_is_about() -> None:
    one, other = (
        Change("patch", (f"`{each}`",), "is new", (f"gap.{each}",), frozenset({each}))
        for each in "ab"
    )
    both = Change("patch", ("`a`", "`b`"), "is new", ("gap.a", "gap.b"), frozenset({*"ab"}))
    assert merged([one, other]) == merged([other, one]) == merged([other, both]) == [both]
    higher = replace(other, level="breaking")
    assert merged([one, higher]) == [higher, one]


def document(**more: Any) -> dict[str, Any]:
    """A document in which anything can be said of an operation, a schema and a scheme."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, **more.get("schema", {})}
    content = {"content": {"application/json": {"schema": schema}}}
    made = {"operationId": "putA", "responses": {"200": {"description": "d"}}}
    scheme = {"type": "http", "scheme": "bearer", **more.get("scheme", {})}
    return {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"put": {**made, "requestBody": content, **more.get("operation", {})}}},
        "components": {
            "securitySchemes": {"s": scheme},
            "schemas": {"B": {"not": {"type": "string", **more.get("inner", {})}}},
        },
    }


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str]]:
    found = documents.compare({"main": before}, {"main": after})
    return [(each.level, each.sentence) for each in found]


TEXTS = {
    "$comment": "c", "description": "d", "example": "e", "examples": ["e"], "summary": "s",
    "externalDocs": {"url": "https://a.invalid"}, "tags": ["a"], "title": "t",
}  # fmt: skip


@pytest.mark.parametrize("word", TEXTS)
@pytest.mark.parametrize("place", ["scheme", "inner"])
def test_what_only_describes_asks_for_nothing_else(place: str, word: str) -> None:
    """In what is compared as a whole, it is no other shape and no other credential."""
    plain, said = ({"not": {"type": "string", **more}} for more in ({}, {word: TEXTS[word]}))
    if place == "scheme":
        before, after = document(), document(scheme={word: TEXTS[word]})
    else:
        before, after = document(schema=plain), document(schema=said)
    for pair in ((before, after), (after, before)):
        assert {level for level, _ in differences(*pair)} <= {"patch"}
        assert not {"has another shape", "asks for other credentials"} & {
            sentence for _, sentence in differences(*pair)
        }
    key = {"apiKey": "x"} if place == "scheme" else {"maxLength": 3}
    other = document(scheme=key) if place == "scheme" else document(
        schema={"not": {"type": "string", **key}})  # fmt: skip
    assert [level for level, _ in differences(before, other)] == ["breaking"]


@pytest.mark.parametrize(
    ("word", "was", "now", "said"),
    [
        ("x-enum-varnames", ["ONE"], ["FIRST"], "has values with other names"),
        ("x-gap", "a.b", "c.d", ""),
        ("x-section", "1", "2", "has another description"),
        ("description", "One.", "First.", "has another description"),
    ],
)
def test_a_name_and_a_gap_are_no_text(word: str, was: Any, now: Any, said: str) -> None:
    before, after = (document(schema={"properties": {"a": {word: each}}}) for each in (was, now))
    assert differences(before, after) == ([("patch", said)] if said else [])


@pytest.mark.parametrize(
    ("word", "was", "now", "words", "said"),
    [
        ("servers", [{"url": "a"}, {"url": "b"}], [{"url": "a"}, {"url": "c"}],
         "addresses", ("`a` and `b`", "`a` and `c`")),
        ("x-rate-limit", {"requests": 60, "seconds": 5}, {"requests": 70, "seconds": 5},
         "rate limit", ("`60 requests in 5 seconds`", "`70 requests in 5 seconds`")),
        ("x-rate-limit", {"requests": 60, "seconds": 5}, {"requests": 60, "seconds": 6},
         "rate limit", ("`60 requests in 5 seconds`", "`60 requests in 6 seconds`")),
    ],
)  # fmt: skip
def test_what_a_document_says_as_a_whole(
    word: str, was: Any, now: Any, words: str, said: tuple[str, str]
) -> None:
    found = differences({**document(), word: was}, {**document(), word: now})
    assert found == [("patch", f"has the {words} {said[1]} now (was {said[0]})")]


def test_where_a_parameter_is_and_what_each_response_says_counts() -> None:
    at = {
        where: document(operation={"parameters": [{"name": "x", "in": where, "schema": {}}]})
        for where in ("query", "header", "cookie")
    }
    for was, now in itertools.permutations(at, 2):
        names = ("`x`" if each == "query" else f"`x ({each})`" for each in (now, was))
        said = "is sent as {} now (was {})".format(*names)
        styled = [("patch", "is serialized in another way")] * ("header" in (was, now))
        assert differences(at[was], at[now]) == [*styled, ("patch", said)]
    for more in ({"allowReserved": True}, {"explode": False}, {"style": "spaceDelimited"}):
        encoded = {"name": "x", "in": "query", "schema": {}, **more}
        made = document(operation={"parameters": [encoded]})
        assert differences(at["query"], made) == [("patch", "is serialized in another way")]
    for status, found in (
        *((each, [("patch", "has the format `uri` now")]) for each in ("200", "4XX", "default")),
        ("x-note", []),
    ):
        before, after = (
            {"content": {"application/json": {"schema": {"type": "string", **more}}}}
            for more in ({}, {"format": "uri"})
        )
        sides = (document(operation={"responses": {status: each}}) for each in (before, after))
        assert differences(*sides) == found, status


@pytest.mark.parametrize("name", ["B", "S"])
def test_what_stands_beside_a_reference_counts(name: str) -> None:
    """To an object, and to a text, which counts as what it is."""

    def with_(*more: Any, **beside: Any) -> dict[str, Any]:
        either = {"anyOf": [{"$ref": f"#/components/schemas/{name}"}, *more], **beside}
        made = document(schema={"properties": {"a": either}})
        made["components"]["schemas"]["S"] = {"type": "string"}
        return made

    null = {"type": "null"}
    assert differences(with_(), with_(null)) == [("feature", "may be null")]
    assert differences(with_(null), with_()) == [("breaking", "must not be null")]
    found = differences(with_(null), with_(null, deprecated=True))
    assert found == [("feature", "is deprecated")]


def test_names_of_a_map_have_limits() -> None:
    one, other = ({"type": "object", "propertyNames": {"maxLength": each}} for each in (3, 2))
    sides = (document(schema={"properties": {"a": each}}) for each in (one, other))
    assert differences(*sides) == [("breaking", "takes at most 2 characters now (was 3)")]


def test_credentials_that_nothing_asks_for_may_come_and_go() -> None:
    before, after = document(), document()
    after["components"]["securitySchemes"]["t"] = {"type": "http", "scheme": "basic"}
    assert differences(before, after) == differences(after, before) == []


@pytest.mark.parametrize("word", ["x-gap", "x-assumed", "x-confirmed", "x-python-name"])
def test_what_other_reports_tell_is_not_told_twice(word: str) -> None:
    for place in ("schema", "operation"):
        before, after = document(), document(**{place: {word: "put_a"}})
        assert differences(before, after) == differences(after, before) == []


@pytest.mark.parametrize("word", [*ABILITIES, *METHODS])
def test_each_ability_comes_goes_and_changes(word: str) -> None:
    value: dict[str, Any] = {"name": "more"} if word in METHODS else {"a": 1}
    offered = "the method `more`" if word in METHODS else ABILITIES[word]
    without, having, otherwise = (
        document(operation=each) for each in ({}, {word: value}, {word: {**value, "b": 2}})
    )
    assert differences(without, having) == [("feature", f"offers {offered}")]
    assert differences(having, without) == [("breaking", f"offers {offered} no more")]
    assert differences(having, otherwise) == [("patch", f"offers {offered} in another way")]
    if word in METHODS:
        named = document(operation={word: {"name": "other"}})
        assert sorted(differences(having, named)) == [
            ("breaking", "offers the method `more` no more"),
            ("feature", "offers the method `other`"),
        ]


def test_a_change_has_the_gaps_that_are_decided_otherwise() -> None:
    """Of an operation only these; of what stands in it, all that it rests on."""
    plain = {"summary": "A.", "x-gap": ["g.kept"]}
    for more in ("x-gap", "x-assumed"):
        words = {"summary": "B.", "x-gap": ["g.kept"]}
        words[more] = [*words.get(more, ()), "g.new"]
        before, after = document(operation=plain), document(operation=words)
        for pair in ((before, after), (after, before)):
            [change] = documents.compare(*({"main": each} for each in pair))
            assert change.gaps == ("g.new",)
        inside = [{"description": each["summary"]} | each for each in (plain, words)]
        changed = [document(schema={"properties": {"a": each}}) for each in inside]
        [change] = documents.compare(*({"main": each} for each in changed))
        assert change.gaps == ("g.kept", "g.new")


def test_only_what_is_deprecated_now_is_told_as_that() -> None:
    before, after = ({"main": document(operation={"deprecated": each})} for each in (False, True))
    for pair, kind in (((before, after), "deprecated"), ((after, before), "")):
        assert [each.kind for each in documents.compare(*pair)] == [kind]


@pytest.mark.parametrize("sent", [True, False])
def test_what_is_new_and_needed_breaks_where_it_is_sent(sent: bool) -> None:
    def with_(**more: Any) -> dict[str, Any]:
        schema = {"type": "object", "properties": {"a": {"type": "string"}, **more}}
        schema["required"] = [*more]
        content = {"content": {"application/json": {"schema": schema}}}
        response = {"responses": {"200": {"description": "d", **content}}}
        return document(operation={"requestBody": content} if sent else response)

    found = differences(with_(), with_(b={"type": "string"}))
    assert found == [("breaking", "is new, and needed") if sent else ("feature", "is new")]


FORMATS = {
    **dict.fromkeys(("binary", "byte", "date", "date-time", "duration", "time"), "breaking"),
    **dict.fromkeys(("email", "uri", "uuid"), "patch"),
}
CODECS = ("x-datetime-format", "x-timezone", "x-read-from", "x-written-ignores", "x-keyed-by")
SHAPES: dict[str, Any] = {
    **{key: [{"minLength": 1}] for key in ("allOf", "prefixItems")},
    **{key: {"minLength": 1} for key in ("not", "if", "then", "else", "contains")},
    **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems"), False),
    **{key: {"a": {"minLength": 1}} for key in ("patternProperties", "dependentSchemas")},
    "dependentRequired": {"a": ["b"]},
}
WORDS = [
    *((("format", each), level, "format") for each, level in FORMATS.items()),
    *(((each, "a"), "patch", "is serialized in another way") for each in CODECS),
    *((each, "breaking", "has another shape") for each in SHAPES.items()),
]


@pytest.mark.parametrize(("said", "level", "sentence"), WORDS)
def test_each_word_of_a_schema_means_what_it_means(
    said: tuple[str, Any], level: Level, sentence: str
) -> None:
    plain, having = (
        document(schema={"properties": {"a": {"type": "string", **more}}})
        for more in ({}, dict([said]))
    )
    for pair in ((plain, having), (having, plain)):
        [(found, words)] = differences(*pair)
        assert found == level and sentence in words


@pytest.mark.parametrize("value", [0, "", False])
def test_a_value_that_counts_as_false_is_a_value(value: Any) -> None:
    def with_(**more: Any) -> dict[str, Any]:
        return document(schema={"properties": {"a": more}})

    said = f"`{json.dumps(value)}`"
    assert differences(with_(), with_(default=value)) == [("patch", f"has the default {said} now")]
    for types in ("string", ["string", "null"]):
        without, having = (with_(type=types, enum=[*values, "x", None]) for values in ([], [value]))
        said = f"`{value}`" if value == "" else said
        assert differences(without, having) == [("feature", f"knows {said}, too")]


STATES = {
    "open": {"missing": "m"},
    "assumed": {"missing": "m", "basis": "seen", "because": "Others do."},
    "confirmed": {"missing": "m", "basis": "seen", "because": "Others do.", "evidence": "It was."},
}
REASONS = {"open": "", "assumed": ": Others do", "confirmed": ": It was"}


@pytest.mark.parametrize(("was", "now"), [*itertools.permutations(STATES, 2)])
def test_what_becomes_of_a_gap_has_its_own_reason(was: str, now: str) -> None:
    before, after = ({"main": {"x-gaps": {"g": STATES[each]}}} for each in (was, now))
    assert [str(each) for each in gaps.compare(before, after)] == [
        f"`g` is {now} now{REASONS[now]}"
    ]
    assert [str(e) for e in gaps.compare({"main": {}}, after)] == ["`g` is a new gap: m"]
    assert [str(e) for e in gaps.compare(before, {"main": {}})] == ["`g` is no longer listed"]


# Indexes


@pytest.mark.parametrize("given", [*itertools.product([False, True], repeat=4)])
def test_an_index_is_read_as_it_is_written_to(
    given: tuple[bool, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the address says comes before the token, and that before user name and password."""
    values = dict(zip(VARIABLES, ("ann@a", "w:r%d", "se/cret"), strict=True))
    for (name, value), is_given in zip(values.items(), given, strict=False):
        monkeypatch.setenv(name, value if is_given else "")
    user, password, token, in_address = given
    own = Repository(f"https://{'me:o%40n@' if in_address else ''}a.test/up", "https://a.test/s/")
    login = "ann%40a:w%3Ar%25d" if user and password else ""
    login = "__token__:se%2Fcret" if token else login
    login = "me:o%40n" if in_address else login
    found = indexes.find_target("office", {"office": own})
    assert found.index == f"https://{login}{'@' * bool(login)}a.test/s/"


@pytest.mark.parametrize("given", [*itertools.product([False, True], repeat=3)])
def test_what_there_is_to_log_in_with(
    given: tuple[bool, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (*VARIABLES, *FOUND):
        monkeypatch.delenv(name, raising=False)
    for name, is_given in zip(VARIABLES, given, strict=True):
        if is_given:
            monkeypatch.setenv(name, "x")
    user, password, token = given
    target = indexes.Target("a", "https://a.test/up", "https://a.test/s/")
    is_enough = token or (user and password)
    assert indexes.has_login(target) is is_enough
    for name in FOUND:
        with monkeypatch.context() as patch:
            patch.setenv(name, "x")
            assert indexes.has_login(target)
    own = {name: "y" for name in VARIABLES[:2]}
    assert indexes.has_login(indexes.Target("a", target.upload, target.index, own))
    assert indexes.has_login(indexes.Target("a", "https://me:own@a.test/up", target.index))
    assert indexes.has_login(indexes.Target("a", "https://me@a.test/up", "")) is is_enough


@pytest.mark.parametrize("has_login", [False, True])
@pytest.mark.parametrize(("reason", "advice"), [
    ("error: Missing credentials", ("check UV_PUBLISH_TOKEN", "check UV_PUBLISH_TOKEN")),
    ("error: 403 Forbidden", ("check UV_PUBLISH_TOKEN", "check UV_PUBLISH_TOKEN")),
    ("error: No route to host", ("", "")),
    ("error: 4031 bytes are missing", ("", "")),
])  # fmt: skip
def test_what_an_index_refuses_says_what_to_do(
    reason: str, advice: tuple[str, str], has_login: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: str, **__: object) -> Any:
        raise PipelineError(Finding(f"uv publish: {reason}"))

    monkeypatch.setattr(indexes, "uv", refuse)
    monkeypatch.setattr(indexes, "has_login", lambda _: has_login)
    with pytest.raises(PipelineError) as refusal:
        indexes.upload(Path("a.whl"), indexes.Target("office", "", ""))
    said, plain = str(refusal.value), f"office: {reason.removeprefix('error: ')}"
    assert said.startswith(f"office: {advice[has_login]}") and said.endswith(plain[8:])
    assert (said == plain) is (not advice[0])


@pytest.mark.parametrize("shown", range(4))
def test_an_index_is_waited_for_until_it_shows_all(
    shown: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, now = [Path(f"{each}.whl") for each in "bac"], [5.0]
    monkeypatch.setattr(indexes, "present", lambda *_: {each.name for each in files[:shown]})
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("time.sleep", lambda seconds: now.append(now.pop() + seconds))
    target = indexes.Target("office", "", "")
    if shown == len(files):
        indexes.wait_for(target, files)
        assert now == [5.0]
        return
    with pytest.raises(PipelineError) as refusal:
        indexes.wait_for(target, files)
    missing = ", ".join(sorted(each.name for each in files[shown:]))
    said = f"office: accepted the files, but does not list {missing} after 180 s; try again later"
    assert str(refusal.value) == said and now == [5 + 182]


@pytest.mark.parametrize("dry", [False, True])
@pytest.mark.parametrize("name", ["local", "office"])
@pytest.mark.parametrize("version", ["1.0", "1.0+mine"])
def test_a_local_version_is_for_this_machine(
    name: str, version: str, dry: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("_check_tree", "compare", "problems"):
        monkeypatch.setattr(publishing, each, lambda *_, **__: None)
    monkeypatch.setattr(publishing, "_there", lambda *_: {"a.whl"})
    monkeypatch.setattr(building, "current", lambda _: [])
    monkeypatch.setattr(publishing, "has_login", lambda _: True)
    release: Any = argparse.Namespace(version=Version(version))
    target = indexes.Target(name, "", "")
    if name == "local" or version == "1.0":
        assert publishing._checked(target, release, dry) == ({}, {"a.whl"})
        return
    with pytest.raises(PipelineError) as refusal:
        publishing._checked(target, release, dry)
    assert [each.message for each in refusal.value.findings] == [
        "version 1.0+mine is local: an index accepts no version with a +",
        "Nothing was uploaded to office, for 1 reason.",
    ]


# Trials


def wheel(name: str, *extras: str) -> installing.Wheel:
    head = ["Metadata-Version: 2.4", f"Name: {name}", "Version: 1.0", "Requires-Python: >=3.11"]
    head += [f"Provides-Extra: {each}" for each in extras]
    return installing.Wheel(Path(f"{name}.whl"), Metadata.from_email("\n".join(head)), ())


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Two packages, of which one has two extras; what is tried of them, in its order."""
    wheels = {"one": wheel("one", "x", "y"), "other": wheel("other")}
    packages = tuple(Package(each, tmp_path, (), ("other",), {}) for each in wheels)
    release: Any = argparse.Namespace(packages=packages, state=tmp_path / "state")
    made: list[installing.Trial] = []
    monkeypatch.setattr(installing, "read_wheels", lambda _: wheels)
    monkeypatch.setattr(installing, "_try", lambda trial, _: made.append(trial))
    monkeypatch.setattr(building, "digest", lambda file: f"digest of {file}")
    monkeypatch.setattr(building, "current", lambda _: [Path("one.whl")])
    pythons = [Python(Path(f"p{each}"), Version(each)) for each in ("3.10", "3.11", "3.12", "3.13")]
    monkeypatch.setattr(installing, "pythons", lambda given: pythons[1:2] if given else pythons)
    return made, release


def test_everything_is_tried(tried: Any) -> None:
    """The oldest and the newest Python, lowest and highest; no extras, each one, and all."""
    made, release = tried
    assert installing.run(argparse.Namespace(python=[]), release) == 0
    assert [str(each) for each in made] == [
        f"{name}, Python {python}, {which} dependencies"
        for names in (["one", "one[x]", "one[y]", "one[x,y]"], ["other"])
        for python in ("3.11", "3.13")
        for which in ("lowest", "highest")
        for name in names
    ]
    assert {each.beside[0].metadata.name for each in made} == {"other"}


def test_once_means_all_extras_and_the_highest(tried: Any) -> None:
    """And no second time for the same files; other ones are tried anew."""
    made, release = tried
    for files, is_new in ((["a"], True), (["a"], False), (["a", "b"], True), (["a"], True)):
        made.clear()
        installing.try_once([Path(each) for each in files], release)
        assert [str(each) for each in made] == [
            "one[x,y], Python 3.11, highest dependencies",
            "other, Python 3.11, highest dependencies",
        ] * is_new


def test_what_failed_is_tried_again(tried: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And after a failure all others are tried, too."""
    made, release = tried
    whole = argparse.Namespace(python=[])

    def fail(trial: installing.Trial, _: Any) -> None:
        made.append(trial)
        raise PipelineError(Finding("no"), Finding("nor that"))

    for attempt in (
        lambda: installing.run(whole, release),
        lambda: installing.try_once([Path("one.whl")], release),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(installing, "_try", fail)
            with pytest.raises(PipelineError) as refusal:
                attempt()
        found = [f"{trial}: {why}" for trial in made for why in ("no", "nor that")]
        assert [*map(str, refusal.value.findings)] == found and len(made) > 1
        assert not (release.state / "tried.txt").exists(), "what failed counts as tried"
        made.clear()
        attempt()
        assert made
        made.clear()
        installing.try_once([Path("one.whl")], release)
        assert not made, "what worked is tried again"
        (release.state / "tried.txt").unlink()


@pytest.mark.parametrize("resolution", ["lowest", "highest"])
def test_how_uv_is_asked(resolution: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(environments, "uv", lambda *words, **named: asked.append((words, named)))
    environment = Environment(Path(sys.prefix))
    environment.install(
        ["a==1", "b"], resolution=resolution, index="https://a.test", fresh=["a", "c"]
    )
    [(words, named)] = asked
    expected = {"lowest": "lowest-direct", "highest": "highest"}[resolution]
    assert words[words.index("--resolution") + 1] == expected
    assert words[-4:] == ("--refresh-package", "a", "--refresh-package", "c")
    assert named == {"text": "a==1\nb", "index": "https://a.test"}


def test_what_uv_is_run_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own settings stay but for what is taken away; this machine is reached directly."""
    asked: list[dict[str, str]] = []
    done = subprocess.CompletedProcess([], 0, "out\n", "")

    def run(words: list[str], env: dict[str, str], cwd: str, **more: Any) -> Any:
        assert cwd == tempfile.gettempdir(), "the project that is there may have settings for uv"
        asked.append(env)
        return done

    monkeypatch.setattr(environments, "pip_settings", lambda: {"proxy": "http://p.test"})
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setenv("NO_PROXY", "a.test,b.test")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.setenv("UV_PUBLISH_TOKEN", "mine")
    monkeypatch.setenv("UV_LINK_MODE", "copy")
    environments.uv("pip", "-q", index="http://i.test", variables={"UV_PUBLISH_TOKEN": None})
    wanted = {
        "NO_PROXY": "a.test,b.test,127.0.0.1", "no_proxy": "127.0.0.1", "UV_LINK_MODE": "copy",
        "HTTP_PROXY": "http://p.test", "UV_INDEX": "http://i.test",
    }  # fmt: skip
    assert wanted.items() <= asked[0].items() and "UV_PUBLISH_TOKEN" not in asked[0]
    for error, said in (("told\n", "uv pip: told"), (" \n", "uv pip: out")):
        done = subprocess.CompletedProcess([], 1, "out\n", error)
        with pytest.raises(PipelineError, match=f"^{said}$"):
            environments.uv("pip", "-q")


def test_all_that_a_distribution_names_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    files = ["one/__init__.py", "one/in/__init__.py", "two/__init__.py", "two/a.py", "three/a.py"]
    found: list[str] = []
    entries = [
        argparse.Namespace(load=lambda name=name: found.append(name)) for name in ("run", "plug")
    ]
    made = argparse.Namespace(files=[*map(Path, files)], entry_points=entries)
    monkeypatch.setattr(probe, "distribution", lambda name: made)
    monkeypatch.setattr("importlib.import_module", found.append)
    probe.main("thing")
    assert found == ["one", "two", "run", "plug"]


def test_what_an_example_finds_on_its_path_is_installed_beside_its_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is given comes before what this process has, and nothing of it names other modules."""
    outer = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONSAFEPATH", "VIRTUAL_ENV")
    for name in (*outer, "PATH", "MINE", "NO_COLOR"):
        monkeypatch.setenv(name, f"outer {name}")
    python = Path("there", "python")
    found = examples._variables(python, {"COLUMNS": "90", "MINE": "own"})
    assert found["PATH"] == os.pathsep.join(("there", "outer PATH"))
    assert not found.keys() & {*outer}
    assert [found[name] for name in ("MINE", "COLUMNS", "NO_COLOR")] == ["own", "90", "1"]
    given = examples._variables(python, {"PATH": "own", "PYTHONPATH": "own"})
    assert given["PATH"] == os.pathsep.join(("there", "own"))
    assert given["PYTHONPATH"] == "own"


# Files


def test_a_file_is_put_in_place_where_it_is(tmp_path: Path) -> None:
    """Of a link, that is where it leads to; the mode of the file stays."""
    (tmp_path / "in").mkdir()
    file, link = tmp_path / "in" / "file", tmp_path / "link"
    tree.place(file, b"1")
    assert file.stat().st_mode & 0o777 == 0o644
    file.chmod(0o600)
    link.symlink_to(file)
    tree.place(link, b"2")
    assert link.is_symlink() and file.read_bytes() == b"2" and file.stat().st_mode & 0o777 == 0o600
    assert [*file.parent.iterdir()] == [file]


def test_git_is_asked_for_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PipelineError) as refusal:
        git.dirty(tmp_path)
    reason = "is not in a git repository; releases are found by commits and tags"
    assert str(refusal.value) == f"{tmp_path} {reason}"
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PipelineError, match=r"^git is required, but not on the PATH$"):
        git.files(tmp_path)


@pytest.mark.parametrize("name", ["v1", "v0.10.0", "v1.0.0a1", "v1.0.0b2", "v1.0.0rc3"])
def test_which_tags_are_of_releases(name: str) -> None:
    assert git.tagged(name) == Version(name)
    for other in (name[1:], f"x{name}", f"{name}-1", f"{name}.dev1", f"{name}.post1", f"{name}+a"):
        assert git.tagged(other) is None, other


def test_a_bill_is_of_one_version() -> None:
    bills = [sbom.bill(f"Name: a\nVersion: {each}\n".encode()) for each in ("1", "2", "1")]
    assert bills[0] == bills[2]
    assert len({json.loads(each)["serialNumber"] for each in bills}) == 2


# Pins


@pytest.mark.parametrize("file", pins.FILES)
def test_a_pin_is_carried_to_each_file(file: str, tmp_path: Path) -> None:
    for name in pins.FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        text = 'a = "Tool_Name[x]==1.0", "other==1.0"\n' if name == file else "b\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    constraints = "# tool-name==3.0\ntool-name==2.0\n\nmore==1\n"
    (tmp_path / "constraints.txt").write_text(constraints, encoding="utf-8")
    before = (tmp_path / file).read_text(encoding="utf-8")
    assert pins.carry(tmp_path) == [file]
    after = (tmp_path / file).read_text(encoding="utf-8")
    assert after == before.replace("]==1.0", "]==2.0")
    assert pins.carry(tmp_path) == []
