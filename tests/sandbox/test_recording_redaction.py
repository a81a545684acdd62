"""Secrets do not reach a recording, and what is no secret does."""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from social_publishing_sandbox.recording import RecordingError
from social_publishing_sandbox.recording.model import (
    Interaction,
    Json,
    Multipart,
    Part,
    Request,
    Response,
    Text,
)
from social_publishing_sandbox.recording.redaction import Redactor, Rules
from social_publishing_sandbox.state import ids, times

TOKEN = "s3cr3t-T0ken_of~ann/+=="
MAIL = "ann.lee+work@mail.example.org"
PHONES = (
    *(
        "+49 170 1234567",
        "+1 (555) 123-4567",
        "+442079460958",
        "0049 170 1234567",
        "+49.170.1234567",
    ),
    *("(555) 123-4567", "555-123-4567", "1-555-123-4567", "0170 1234567", "0170/1234567"),
    *("(030) 123456", "020 7946 0958", "01 23 45 67 89", "+49\u00a0170\u20111234567"),
)

ENCODINGS = {
    "plain": str,
    "percent": lambda text: quote(text, safe=""),
    "percent twice": lambda text: quote(quote(text, safe=""), safe=""),
    "every byte": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "json": lambda text: "".join(f"\\u{ord(character):04x}" for character in text),
    "json in json": lambda text: json.dumps(json.dumps({"note": text})),
    "entities": lambda text: "".join(f"&#{ord(character)};" for character in text),
    "hexadecimal entities": lambda text: "".join(f"&#x{ord(character):X};" for character in text),
    "full width": lambda text: "".join(
        chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character for character in text
    ),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "json of percent": lambda text: json.dumps(f"https://h.example/?q={quote(text, safe='')}"),
}


def meant(text: str) -> str:
    """A text with all of its escapes undone, by other means than the redactor's."""
    for _ in range(8):
        text = html.unescape(unquote(text.replace("\u00ad", "")))
        text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
        text = unicodedata.normalize("NFKC", re.sub(r'\\(["\\/])', r"\1", text))
    return text


def knowing(redactor: Redactor) -> Redactor:
    redactor.authorization(f"Bearer {TOKEN}")
    return redactor


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("secret", [TOKEN, MAIL, *PHONES])
def test_secrets_are_found_however_they_are_escaped(secret: str, encode: Any) -> None:
    redactor = knowing(Redactor())
    for text in (encode(secret), f"before {encode(secret)}, after"):
        clean = redactor.text(text)
        assert encode(secret) not in clean
        assert not re.search(r"170|123|ann|s3cr", meant(clean)), clean
        assert re.search(r"170|123|ann|s3cr|01 23 45|946", meant(text))
        assert redactor.text(clean) == clean
    assert clean.startswith("before ") and clean.endswith(", after")


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("secret", [TOKEN, MAIL, *PHONES])
def test_targets_stay_targets(secret: str, encode: Any) -> None:
    item = quote(encode(secret), safe="%")
    for target in (f"/v1/posts/{item}?a=1", f"/v1/posts?q={item}&groupId=9876543210987654321"):
        clean = knowing(Redactor()).target(target)
        assert re.fullmatch(r"[!-~]+", clean)
        assert not re.search(r"170|1234567|ann|s3cr", meant(clean)), clean
        assert clean.startswith("/v1/posts") and clean.endswith(target[-3:])


@pytest.mark.parametrize("word", ["Bearer", "bearer", "BEARER"])
@pytest.mark.parametrize("between", [" ", ":", ": "])
def test_a_token_behind_bearer_is_found_in_whatever_case(word: str, between: str) -> None:
    """Also one that no header has had."""
    clean = Redactor().text(f"it sent {word}{between}{TOKEN} twice")
    assert clean == f"it sent {word}{between}<token-1> twice"


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("coded", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("before", ["", "u", "Bearer ", '{"api_token": "'])
@pytest.mark.parametrize("after", ["", ".", '"}', "\n"])
def test_a_token_is_found_in_base64(encode: Any, coded: Any, before: str, after: str) -> None:
    redactor = Redactor()
    redactor.authorization(f"Bearer {TOKEN}")
    whole = coded(f"{before}{TOKEN}{after}".encode()).decode()
    clean = redactor.text(encode(f"held: {whole} end"))
    left = meant(clean)
    assert "<token-1>" in left
    for piece in re.findall(r"[A-Za-z0-9+/_-]+", left):
        assert not re.search(rb"s3c|cr3|of~|ann", decoded(piece)), (left, piece)
    assert redactor.text(clean) == clean


@pytest.mark.parametrize("coded", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("before", ["", "u", "on"])
def test_a_token_is_found_in_the_base64_of_addresses(coded: Any, before: str) -> None:
    """Wherever this one begins, its base64 has the two characters that differ there."""
    token = "s3cr3t~~~~~of~?????~ann"
    held = coded(f"{before}{token}".encode()).decode()
    assert re.search(r"[+-]", held) and re.search(r"[/_]", held)
    redactor = Redactor()
    redactor.authorization(f"Bearer {token}")
    # What holds bits of the token goes with it.
    kept = held[: len(before) * 8 // 6]
    assert redactor.text(f"held: {held} end") == f"held: {kept}<token-1> end"


def decoded(piece: str) -> bytes:
    """What base64 holds that was cut off, with as much of its end as is still there."""
    whole = piece.translate(str.maketrans("-_", "+/"))
    return base64.b64decode(whole + "A" * (-len(whole) % 4))


MOMENTS = st.integers(times.parse("2005-01-01T00:00:00Z"), times.parse("2060-01-01T00:00:00Z"))
HARMLESS = st.one_of(
    st.builds(ids.at, MOMENTS, st.integers(0, 2**22 - 1)),
    st.integers(10**18, 2**64 - 1).map(str),
    MOMENTS.map(str),
    MOMENTS.map(lambda ms: str(ms // 1000)),
    MOMENTS.map(times.text),
    MOMENTS.map(lambda ms: times.text(ms)[:16]),
    MOMENTS.map(lambda ms: times.text(ms)[:19].replace("T", " ")),
    MOMENTS.map(lambda ms: times.text(ms).replace("Z", ".123456+00:00")),
    MOMENTS.map(lambda ms: times.text(ms).replace("Z", "+0530")),
    st.integers(0, 10**12).map(str),
    st.floats(0, 1e9, allow_nan=False).map(str),
    st.ip_addresses(v=4).map(str),
    st.sampled_from(
        [
            *("logo@2x.png", "@ann", "5 @ 3", "1920x1080", "https://host.example/@ann.lee", "a@b"),
            *("12:30:45", "2026-12", "100-200", "v1.2.3", "#FF0000", "1 000 000", "3.14159265358"),
            *("550e8400-e29b-41d4-a716-446655440000", "<token-1>", "{base}/v1", "50% off", "\\"),
            *("2026-12-01 to 2026-12-31", "01.12.2026 09:00", "12/01/2026, 10:30", "C:\\users"),
        ]
    ),
)


@given(st.lists(HARMLESS, min_size=1, max_size=4))
@example(["9876543210987654321", "1764579600000"])
def test_identifiers_moments_and_counts_are_left_alone(texts: list[str]) -> None:
    redactor = Redactor()
    for text in texts:
        assert redactor.text(text) == text
        assert redactor.form(text) == text
    assert redactor.text(",".join(texts)) == ",".join(texts)
    target = f"/v1/posts-bulk?ids={quote(','.join(texts), safe=',')}"
    assert redactor.target(target) == target
    value = {"ids": texts, **{text: index for index, text in enumerate(texts)}}
    assert redactor.json(value) == value


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from([MAIL, *PHONES, f"see {MAIL}", TOKEN]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text() | st.sampled_from(["phone", "email", MAIL, "token"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_redacting_twice_changes_nothing(value: Any) -> None:
    redactor = knowing(Redactor())
    once = redactor.json(value)
    assert redactor.json(once) == once
    assert MAIL not in json.dumps(once) and TOKEN not in json.dumps(once)


@given(st.text(), st.text())
def test_nothing_but_the_secret_changes(before: str, after: str) -> None:
    redactor = knowing(Redactor())
    redactor.text(f"{MAIL} +4917012345678")
    clean = redactor.text(f"{before}\n{MAIL}\n{after}")
    assert clean == f"{redactor.text(before)}\nemail-1@example.invalid\n{redactor.text(after)}"


def test_fields_named_like_secrets_are_emptied_of_them() -> None:
    clean = Redactor().json(
        {
            "phone": "170123456",
            "email": "not quite an address",
            "API-Key": ["one", "two", "one"],
            "mobile": 491701234567,
            "telephone": {"home": "030", "work": None, "public": True},
            "note": "call 170123456 now",
            "token": "",
            "phone_ok": "1234",
        }
    )
    assert clean == {
        "phone": "+0000000001",
        "email": "email-1@example.invalid",
        "API-Key": ["<apikey-1>", "<apikey-2>", "<apikey-1>"],
        "mobile": "+0000000002",
        "telephone": {"home": "+0000000003", "work": None, "public": True},
        "note": "call +0000000001 now",
        "token": "",
        "phone_ok": "1234",
    }


def test_what_is_kept_of_each_text(golden: Any) -> None:
    """A file of texts and of what a recording keeps of them; `$ new` begins another one."""
    file = Path(__file__).parent / "sessions" / "redaction.lines"
    redactor, said = Redactor(), ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line == "$ new":
            redactor, said = Redactor(), f"{said}$ new\n"
        elif line.startswith("$ "):
            _, how, given = line.split(" ", 2)
            if how in ("json", "headers"):
                kept = json.dumps(getattr(redactor, how)(json.loads(given)), ensure_ascii=False)
            else:
                kept = getattr(redactor, how)(given)
            said += f"{line}\n  {kept}\n"
    golden(file, said)


# Written out: a name that is forgotten in the code is not forgotten here.
SECRETS = [
    "access_token",
    "api_key",
    "api_token",
    "auth_token",
    "authorization",
    "bearer_token",
    "client_secret",
    "cookie",
    "email",
    "email_address",
    "id_token",
    "mobile",
    "passwd",
    "password",
    "phone",
    "phone_number",
    "private_key",
    "refresh_token",
    "secret",
    "session_id",
    "telephone",
    "token",
]
SIGNING = [
    "key_pair_id",
    "policy",
    "sig",
    "signature",
    "x_amz_credential",
    "x_amz_security_token",
    "x_amz_signature",
    "x_goog_credential",
    "x_goog_signature",
]


@pytest.mark.parametrize("name", SECRETS)
def test_a_field_of_each_name_is_a_secret(name: str) -> None:
    """As a member, in a form and in an address, whatever case and signs it is written with."""
    camel = re.sub("_(.)", lambda match: match[1].upper(), name)
    for spelled in (name, name.replace("_", "-").upper(), camel):
        assert "Hunter2x" not in json.dumps(Redactor().json({spelled: "Hunter2x"}))
        assert "Hunter2x" not in Redactor().form(f"a=1&{spelled}=Hunter2x&b=2")
        assert "Hunter2x" not in Redactor().target(f"/v1/posts?{spelled}=Hunter2x")
        assert "Hunter2x" not in Redactor().text(f'{{"{spelled}": "Hunter2x"}}')


@pytest.mark.parametrize("name", SIGNING)
def test_what_signs_an_address_is_a_secret_in_it_alone(name: str) -> None:
    for spelled in (name, name.replace("_", "-").title()):
        assert "Hunter2x" not in Redactor().text(f"https://f.example/x?a=1&{spelled}=Hunter2x")
        assert Redactor().json({spelled: "Hunter2x"}) == {spelled: "Hunter2x"}


@pytest.mark.parametrize(
    "name", ["authorization", "cookie", "proxy-authorization", "set-cookie", "x-api-key"]
)
def test_no_header_with_a_secret_is_kept_as_it_is(name: str) -> None:
    """Not even where a rule asks for it; one that only a rule can keep is kept by the rule."""
    kept = Redactor(Rules(headers=(name,))).headers({name: "Hunter2x"})
    assert ("Hunter2x" in str(kept)) is (name == "x-api-key")
    assert "Hunter2x" not in str(Redactor().headers({name: "Hunter2x"}))


@pytest.mark.parametrize(
    "name",
    ["accept", "content-type", "location", "retry-after", "x-ratelimit-limit",
     "x-ratelimit-remaining", "x-ratelimit-reset"],
)  # fmt: skip
def test_a_header_that_the_client_reads_is_kept(name: str) -> None:
    assert Redactor().headers({name: "60", "x-other": "1"}) == {name: "60"}


def test_headers_are_kept_by_name() -> None:
    redactor = Redactor(Rules(headers=("X-Request-Id",)))
    kept = redactor.headers(
        {
            "authorization": f"Bearer {TOKEN}",
            "cookie": "session=1",
            "set-cookie": "session=1",
            "x-api-key": "abc",
            "x-forwarded-for": "10.0.0.1",
            "user-agent": "ann's laptop",
            "location": f"https://h.example/?who={MAIL}",
            "x-ratelimit-limit": "60",
            "x-request-id": f"7 {TOKEN}",
            "content-type": 'multipart/form-data; boundary="ann"',
        }
    )
    assert kept == {
        "authorization": "Bearer <token-1>",
        "content-type": "multipart/form-data",
        "location": "https://h.example/?who=email-1@example.invalid",
        "x-ratelimit-limit": "60",
        "x-request-id": "7 <token-1>",
    }


@given(st.sampled_from([TOKEN, MAIL, PHONES[0]]), st.data())
def test_no_place_of_an_interaction_keeps_a_secret(secret: str, data: st.DataObject) -> None:
    def text() -> str:
        return data.draw(st.sampled_from(["a", secret, f"a {secret} b"]))

    def content() -> Any:
        return data.draw(st.sampled_from([Text(text()), Json({text(): [text(), {"a": text()}]})]))

    parts = tuple(Part(text(), text(), text(), content()) for _ in range(2))
    headers = {"authorization": f"Bearer {TOKEN}", "accept": text(), "x-other": text()}
    body = data.draw(st.sampled_from([Multipart(parts), content()]))
    asked = Request("main", "POST", f"/v1/posts?name={quote(text())}", headers, body)
    given = Response(200, {"location": text(), "set-cookie": text()}, content())
    clean = repr(Redactor().interaction(Interaction(asked, given)))
    assert secret not in unquote(clean)


def test_bodies_of_every_kind() -> None:
    redactor = knowing(Redactor())
    assert redactor.body(Json({MAIL: [TOKEN]})) == Json({"email-1@example.invalid": ["<token-1>"]})
    form = Text(f"who={quote(MAIL)}&password=hunter2&page=2")
    assert redactor.body(form) == Text("who=email-1@example.invalid&password=<password-1>&page=2")
    parts = Multipart(
        (
            Part("password", None, None, Text("opensesame")),
            Part("file", f"{MAIL}.srt", "text/plain", Text(f"opensesame, said {MAIL}")),
        )
    )
    assert redactor.body(parts) == Multipart(
        (
            Part("password", None, None, Text("<password-2>")),
            Part(
                "file",
                "email-2@example.invalid",
                "text/plain",
                Text("<password-2>, said email-1@example.invalid"),
            ),
        )
    )


def test_rules_of_ones_own() -> None:
    patterns = (("contract", re.compile("C-[0-9]+")), ("number", re.compile(r"\b[0-9]\b")))
    redactor = knowing(Redactor(Rules(("customer-name",), patterns, ("X-Trace", "Cookie"))))
    value = {"customerName": "Ann", "note": "C-12, C-13 and 4", "nested": "%43-12"}
    assert redactor.json(value) == {
        "customerName": "<customername-1>",
        "note": "<contract-1>, <contract-2> and <number-1>",
        "nested": "<contract-1>",
    }
    assert redactor.json(redactor.json(value)) == redactor.json(value)
    assert redactor.headers({"x-trace": "t", "cookie": "c"}) == {"x-trace": "t"}
    for rules in ({"fields": ("--",)}, {"patterns": (("A b", re.compile("a")),)}):
        with pytest.raises(RecordingError, match="cannot be named"):
            Rules(**rules)  # type: ignore[arg-type]


def test_entities_and_percent_signs_that_are_none_stay() -> None:
    text = "100% &c. &amp; %zz \\u12 \\ &#; caf\u00e9"
    assert Redactor().text(text) == text
    assert html.unescape(Redactor().text(f"{text} {MAIL}")).endswith("email-1@example.invalid")


@pytest.mark.parametrize(
    "value", ['Digest username="ann", response="s3cr3t-value"', "Bearer  one two  three ", "A b c"]
)
def test_all_that_follows_a_scheme_is_a_secret(value: str) -> None:
    redactor = Redactor()
    scheme, _, secret = value.partition(" ")
    assert redactor.authorization(value) == f"{scheme} <token-1>"
    assert redactor.authorization(f"{scheme} {secret.strip()}") == f"{scheme} <token-1>"
    assert redactor.authorization(f"{scheme} {secret.strip()}4") == f"{scheme} <token-2>"
