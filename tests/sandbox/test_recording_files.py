"""Scenario files carry what was recorded without loss, and say what is wrong with them."""

from __future__ import annotations

import hashlib
import re
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from social_publishing_sandbox.recording import RecordingError, load, scenario
from social_publishing_sandbox.recording.addresses import Address, Addresses
from social_publishing_sandbox.recording.intake import (
    TEXT_LIMIT,
    Intake,
    read_json,
)
from social_publishing_sandbox.recording.matching import differences, facts, same_text
from social_publishing_sandbox.recording.model import (
    Binary,
    Interaction,
    Json,
    Multipart,
    Part,
    Recording,
    Request,
    Response,
    Text,
)
from social_publishing_sandbox.recording.redaction import Redactor
from social_publishing_sandbox.recording.writing import Writer
from social_publishing_sandbox.state import yamls
from social_publishing_sandbox.state.reading import ReadingError

TEXTS = st.text() | st.sampled_from(
    [
        *("", " ", "no", "Yes", "null", "~", "true", "1", "1_000", "0x1F", "0o17", "017", "1e3"),
        *("1.", ".5", "-.inf", ".nan", "12:30:45", "2026-12-01", "2026-12-01T09:00:00Z", "=", "<<"),
        *(
            "- a",
            "a: b",
            "a #b",
            "#a",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a",
            "'",
            '"',
            "[]",
        ),
        *("a\nb", "a\nb\n", "a\n\nb\n\n", " a\nb", "a\n b", "a \nb", "\na", "a\r\nb", "a\n- b\n"),
        *("a\n# b", "a\n---\nb", "---", "...", "\ufeff", "\x85", "\u2028", "\x00", "\x7f", "\t"),
        *("😀", "a\n😀\nb", "x" * 300, "x " * 200, "9876543210987654321", "<token-1>", "y", "n"),
    ]
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=16,
)


def same(one: Any, other: Any) -> bool:
    """Equal, of equal types, with keys in equal order."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) and repr(one) == repr(other)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@given(JSON)
@example([1, 1.0, -0.0, 1e16, 1e-7, 5e-324, 2**64 - 1, -(2**63), True, None, {}, [], {"": ""}])
def test_other_readers_of_yaml_read_the_same(value: Any) -> None:
    assert same(yaml.safe_load(yamls.dump([value])), [value])


PLAIN = {
    **{text: text for text in ("no", "Yes", "off", "nUll", "1_000", "0x1F", "0o17", ".inf", "1e")},
    **{text: text for text in (".nan", "12:30", "2026-01-01", "=", "<<", "+", "-.", "1.2.3")},
    **dict.fromkeys(("null", "Null", "NULL", "~"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **{
        "017": 17,
        "+1": 1,
        "-0": 0,
        "0" * 40: 0,
        str(2**64 - 1): 2**64 - 1,
        str(-(2**63)): -(2**63),
    },
    **{"1.": 1.0, ".5": 0.5, "1e3": 1000.0, "-.5E-1": -0.05, "1E+2": 100.0},
    **{"'1'": "1", '"null"': "null", "!!str 1": "1", "|\n  1": "1"},
}


def test_a_text_without_quotes_is_what_the_core_of_yaml_1_2_says() -> None:
    assert same({text: yamls.parse(text, "").data for text in PLAIN}, PLAIN)
    for text in (str(2**64), str(-(2**63) - 1), "0" * 41, "1e999", "!!int 1", "!x 1"):
        with pytest.raises(ReadingError):
            yamls.parse(text, "")
    assert yamls.parse("[" * 201 + "]" * 201, "").line((0, 0)) == 1
    with pytest.raises(ReadingError, match="nested too deeply"):
        yamls.parse("[" * 202 + "]" * 202, "")


CONTENTS = st.one_of(
    JSON.map(Json),
    st.builds(Text, TEXTS),
    st.builds(Binary, st.just("ab" * 32), st.integers(1, 2**40)),
)
PARTS = st.builds(Part, TEXTS, st.none() | TEXTS, st.none() | TEXTS, CONTENTS)
HEADERS = st.dictionaries(
    st.sampled_from(["accept", "content-type", "location"]),
    st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)),
)
INTERACTIONS = st.builds(
    Interaction,
    st.builds(
        Request,
        st.sampled_from(["main", "media"]),
        st.sampled_from(["GET", "PATCH", "PURGE"]),
        st.sampled_from(["/v1/posts?ids=1,2", "/v1/x%20y", "*"]),
        HEADERS,
        st.none() | CONTENTS | st.lists(PARTS, max_size=3).map(tuple).map(Multipart),
    ),
    st.builds(Response, st.integers(200, 599), HEADERS, st.none() | CONTENTS),
)


@given(st.lists(INTERACTIONS, max_size=3))
@example([
    Interaction(Request("main", "GET", "/", {}, Multipart((part,))), Response(200, {}, Text("")))
    for part in (Part("", "", "", Text("")), Part("x", None, None, Json(None)))
])  # fmt: skip
def test_recordings_survive_a_file(folder: Path, interactions: list[Interaction]) -> None:
    recording = Recording("a", "/v1", "", tuple(interactions), folder)
    file = scenario.save(recording)
    assert load(file) == recording
    before = file.read_bytes()
    scenario.save(load(file))
    assert file.read_bytes() == before


GOOD = """\
format: 1
name: a
base_path: /v1
media_path: /api/v1
interactions:
- request:
    api: main
    method: GET
    target: /v1/posts
  response:
    status: 200
    body: {json: {answer: no}}
"""


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    path = scenario.path_of(tmp_path, "a.B-1_c")
    path.write_text(GOOD.replace("/v1/posts", "/v1/posts\n    headers: {Accept: é}"), "utf-8")
    (interaction,) = load(tmp_path).interactions
    assert (interaction.request.target, path.name) == ("/v1/posts", "a.B-1_c.yaml")
    assert interaction.request.headers == {"accept": "é"}
    assert interaction.response.body == Json({"answer": "no"})


def laughs(levels: int) -> str:
    """Lists of ten aliases each, which stand for ten times more at each level."""
    lists = ["&a0 [ha]"]
    for level in range(1, levels + 1):
        lists.append(f"&a{level} [{', '.join([f'*a{level - 1}'] * 10)}]")
    return f"[{', '.join(lists)}]"


def staircase(steps: int) -> str:
    """Lists side by side, each of which holds the one before it."""
    lists = ["&a0 [up]", *(f"&a{step} [*a{step - 1}]" for step in range(1, steps))]
    return f"[{', '.join(lists)}]"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("format: 1", "format: 2", ":1: format: must be 1"),
        ("name: a", "name: a\nname: b", ":3: name: the key appears twice"),
        ("name: a\n", "", ":1: name: is missing"),
        ("api: main", "api: other", ":7: interactions[0].request.api: must be one of main, media"),
        (
            "method: GET",
            "method: G T",
            ":8: interactions[0].request.method: must be a name as HTTP",
        ),
        ("/v1/posts", "/v1/p sts", ":9: interactions[0].request.target: must be text of print"),
        (
            "status: 200",
            "status: 200\n    headers: {a b: c}",
            ".headers.a b: must be a name as HTTP",
        ),
        ("base_path: /v1", "base_path: v1", ":3: base_path: must be the path of an ad"),
        ("status: 200", "status: 200.5", ":11: interactions[0].response.status: must be"),
        ("status: 200", "status: 199", ":11: interactions[0].response.status: must be"),
        ("status: 200", "status: 600", ":11: interactions[0].response.status: must be"),
        ("{json: {answer: no}}", "{}", ":12: interactions[0].response.body: must have one of"),
        ("{json: {answer: no}}", "{json: 1, text: a}", "response.body: must have one of json"),
        ("{json: {answer: no}}", "{json: {a: 1, a: 2}}", ".json.a: the key appears twice"),
        ("{json: {answer: no}}", "{json: !!binary aa}", ".json: tags are not allowed"),
        ("{json: {answer: no}}", "{parts: []}", "response.body.parts: is not known here"),
        ("{json: {answer: no}}", "{file: ab, size: 1}", ".body.file: must be a SHA-256"),
        (
            "{json: {answer: no}}",
            "{json: &a [*a]}",
            ": there is no complete value with the anchor &a",
        ),
        ("{json: {answer: no}}", f"{{json: {'[' * 100_000}}}", ": nested too deeply"),
        ("{json: {answer: no}}", f"{{json: {laughs(9)}}}", ": aliases repeat more than 100,000"),
        ("{json: {answer: no}}", f"{{json: {staircase(300)}}}", ": nested too deeply"),
        ("{json: {answer: no}}", "{json: [*a]}", ":12: interactions[0].response.body.json[0]: "),
        ("{json: {answer: no}}", f"{{json: {'9' * 100_000}}}", ".json: an integer of more than 64"),
        ("format: 1", "format: 1\n---\nformat: 1", ":2: "),
        ("- request", "  request", ":5: interactions: must be a list"),
    ],
)
def test_bad_files_are_reported_with_their_place(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    assert old in GOOD
    file = tmp_path / "a.yaml"
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(RecordingError) as caught:
        load(file)
    assert str(caught.value).startswith(f"{file}:")
    assert reason in str(caught.value)


def test_a_whole_number_may_have_a_fraction_of_zero(tmp_path: Path) -> None:
    """As everywhere in JSON; what is read is the same as without it."""
    for name, old, new in (
        ("status", "status: 200", "status: 200.0"),
        ("size", "{json: {answer: no}}", f"{{file: {'a' * 64}, size: 3.0}}"),
    ):
        file = tmp_path / f"{name}.yaml"
        file.write_text(GOOD.replace(old, new))
        whole = tmp_path / f"{name}-whole.yaml"
        whole.write_text(GOOD.replace(old, new.replace(".0", "")))
        (read,), (other,) = load(file).interactions, load(whole).interactions
        assert repr(read.response) == repr(other.response)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="No such file"):
        load(tmp_path / "a.yaml")
    with pytest.raises(RecordingError, match="contains no recording"):
        load(tmp_path)
    (tmp_path / "a.yaml").write_bytes(b"format: 1\nname: \xff\n")
    with pytest.raises(RecordingError, match=r"a\.yaml:2: not UTF-8"):
        load(tmp_path)
    (tmp_path / "b.yaml").write_text(GOOD)
    with pytest.raises(RecordingError, match=r"several recordings; name one: a\.yaml, b\.yaml"):
        load(tmp_path)
    assert load(tmp_path / "b.yaml").name == "a"


@pytest.mark.parametrize("name", ["", "../a", "a/b", ".a", "a b"])
def test_names_are_file_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordingError, match="not a name for a recording"):
        scenario.path_of(tmp_path, name)


# What is taken in


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "a": 2}', "'a' twice"),
        *((f"[{number}]", "64 bits") for number in (18446744073709551616, -9223372036854775809)),
        *(("[NaN]", "NaN is not valid JSON"), ("[1e999]", "out of range")),
        *((text, "surrogates") for text in ('["\\ud800"]', '{"\\udc00": 1}')),
        *((text, "nested too deeply") for text in ("[" * 102 + "]" * 102, "[" * 9999)),
        *(("{", "Expecting property"), (" ", "Expecting value"), ("\ufeff1", "BOM")),
    ],
)
def test_json_that_data_would_not_carry_stays_text(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_json(text)
    intake = Intake("application/json")
    intake.feed(text.encode())
    assert intake.finish() == Text(text)


@given(st.binary(max_size=200), st.integers(1, 50))
@example(b"caf\xe9", 1)
@example("é😀".encode(), 1)
@example(b"\xff\xfea\x00", 1)
@example(b"\xff\xfe\x00", 3)
def test_contents_come_back_byte_by_byte(data: bytes, step: int) -> None:
    for kind in ("text/plain", "image/png", ""):
        intake = Intake(kind)
        for start in range(0, len(data), step):
            intake.feed(data[start : start + step])
        match intake.finish():
            case None:
                assert not data
            case Text(text):
                assert text.encode() == data
            case other:
                assert other == Binary(hashlib.sha256(data).hexdigest(), len(data))
                assert not data.isascii() or min(data) < 0x20


def test_json_of_a_hundred_levels_is_data() -> None:
    assert read_json("[" * 101 + "]" * 101)


def test_a_long_text_is_known_by_its_digest() -> None:
    intake = Intake("")
    for _ in range(9):
        intake.feed(b"a" * 1024 * 1024)
    digest = hashlib.sha256(b"a" * 9 * 1024 * 1024).hexdigest()
    assert TEXT_LIMIT == 8 * 1024 * 1024
    assert intake.finish() == Binary(digest, 9 * 1024 * 1024)


def test_requests_stand_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    """Whichever has its response first."""
    writer = Writer(tmp_path, "two", HERE, Redactor())
    first, second = writer.number(), writer.number()
    for number, target in ((second, "/second"), (first, "/first")):
        request = Request("main", "GET", target, {})
        writer.add(number, Interaction(request, Response(204, {})))
    assert [each.request.target for each in load(tmp_path).interactions] == ["/first", "/second"]


# Addresses


SERVICE = Addresses(
    Address.parse("https://api.example.org/v1"), Address.parse("https://m.example.org")
)
SHARED = Addresses(
    Address.parse("https://h.example.org/v1/"), Address.parse("https://h.example.org/media/api/v1")
)
HERE = Addresses(Address.parse("http://127.0.0.1:1/v1"), Address.parse("http://127.0.0.1:2/api/v1"))


@pytest.mark.parametrize(
    ("there", "text", "placeholders"),
    [
        (SERVICE, "https://api.example.org/v1/posts?page=2", "{base}/v1/posts?page=2"),
        (SERVICE, "https://API.example.org:443", "{base}"),
        (SERVICE, "see https://m.example.org. Then", "see {media}. Then"),
        (SERVICE, "https://api.example.org.evil.net/", None),
        (SERVICE, "https://api.example.org:8443/", None),
        (SERVICE, "https://api.example.org@evil.net/", None),
        (SERVICE, "https://api.example.organic/", None),
        (SERVICE, "http://api.example.org/", None),
        (SHARED, "https://h.example.org/media/api/v1/upload", "{media}/media/api/v1/upload"),
        (SHARED, "https://h.example.org/v1/posts", "{base}/v1/posts"),
        (SHARED, "https://h.example.org/media/api/v11", "{base}/media/api/v11"),
    ],
)
def test_origins_of_the_service_become_placeholders(
    there: Addresses, text: str, placeholders: str | None
) -> None:
    assert there.to_placeholders(text) == (placeholders or text)
    assert (there.rewrite(text, HERE) != text) == (placeholders is not None)


@given(
    st.text(st.sampled_from("{}bamse di")) | st.sampled_from(["{base}", "{{media}}", "{{{base}"])
)
def test_a_text_that_looks_like_a_placeholder_survives(text: str) -> None:
    assert HERE.from_placeholders(HERE.to_placeholders(text)) == text
    linked = f"{text}http://127.0.0.1:2/x{text}"
    assert HERE.from_placeholders(HERE.to_placeholders(linked)) == linked


@pytest.mark.parametrize(
    "text",
    [
        "",
        "api.example.org",
        "ftp://h/",
        "https:///v1",
        "https://h:99999/",
        "https://[h/",
        "https://h/?q=s3cret",
        "https://me:s3cret@h/",
    ],
)
def test_what_is_no_base_address(text: str) -> None:
    with pytest.raises(RecordingError, match="not a base address") as caught:
        Address.parse(text)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://H.example:80/v1/", "http://h.example/v1"),
        ("https://h.example:443", "https://h.example"),
        ("https://h.example:80", "https://h.example:80"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_a_base_address_is_read_as_one_form(text: str, url: str) -> None:
    assert Address.parse(text).url == url


@given(
    st.lists(st.text("ab/", max_size=3), min_size=2, max_size=5),
    st.text("ab/", max_size=12),
)
def test_a_placeholder_matches_any_text_or_a_piece_of_a_target(
    pieces: list[str], asked: str
) -> None:
    literal = [*map(re.escape, pieces)]
    assert same_text(asked, "<t-1>".join(pieces)) == bool(
        re.fullmatch(".+".join(literal), asked, re.DOTALL)
    )
    for place in ("/", "/posts?to="):
        recorded = Request("main", "GET", f"{place}{'%3Ct-1%3E'.join(pieces)}", {})
        now = Request("main", "GET", f"{place}{asked}", {})
        found = list(differences(facts(now), facts(recorded)))
        assert (not found) == bool(re.fullmatch("[^/]+".join(literal), asked))


def test_many_placeholders_are_matched_in_little_time() -> None:
    started = time.perf_counter()
    assert not same_text("a" * 2_000, "<t-1>a" * 40 + "b")
    assert time.perf_counter() - started < 1
