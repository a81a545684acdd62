"""What evidence makes of single values, headers, bodies and addresses: a line for each.

There is one at each limit, one below and one above; `evidence/expected/values.txt` has the lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from pipeline.evidence.exchanges import body_of, headers_of, origin_of, query_of
from pipeline.evidence.reading import read
from pipeline.evidence.routes import Routes, shown_name
from pipeline.evidence.values import date_form, number_or_text, offset_of, shown
from pipeline.openapi.documents import Document

VALUES: list[Any] = [
    *(None, True, False, 0, 99_999, 100_000, -99_999, -100_000, 0.5, [], {}, "", "a", "1", "²"),
    *("IMAGE_1080p", "max_social_accounts", "filter.from", "a:b-c", "_a", "ids[]", "a" * 48),
    *("a" * 49, "n1234", "n12345", "Ann Lee", "ann@x.example", "a0b5da3b6572", "A1B2", "a1b2c3"),
    "abcdefab-cdef-4abc-8def-abcdefabcdef", "ABCDEFAB-CDEF-4ABC-8DEF-ABCDEFABCDEF",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc",  # no key
    "ABCDEFGHIJKLMN12", "ABCDEFGHIJKLMNO1", " 7 ", "-7", "+7", "7.0", "9" * 18, "9" * 19,
    *("2026-01-02T03:04Z", "2026-01-02T03:04", "2026-01-02t03:04:05Z", "2026-01-02 03:04:05Z"),
    *("2026-01-02_03:04:05Z", "2026-01-02T25:04:05Z", "2026-01-02T03:04:05.5+01:00"),
    *("2026-07-02T03:04:05+01:00", "2026-07-02T03:04:05+02:00", "9999-12-31T23:59:59-12:00"),
    *("02/01/2026", "1.1.2026", "1.1.026", "Sat, 31 Jan 2026 03:04:05 GMT", "31 Jan 2026"),
    "Sat, 31 Jan 2026 03:04:05 UTC",
]  # fmt: skip
DAYS = ["2026-01-31", "2026/01/31", "31.01.2026", "31/01/2026", "01/31/2026"]
TIMES = ["", "T03:04:05", "T03:04:05.5", "T03:04", " 03:04:05", " 03:04:05.5", " 03:04"]
HEADERS = [
    ("Set-Cookie", "a"), ("X-Api-Key", "a"), ("AUTHORIZATION", "a"), ("Cookie", "a"),
    ("Proxy-Authorization", "a"), ("Link", "1"), ("Retry-After", "2"), ("link", "3"),
]  # fmt: skip
BODIES = [
    ("", "application/json"), ("{}", "application/json; charset=utf-8"), ("\ufeff[1]", "a/b+json"),
    ("{", "application/json"), ("NaN", "application/json"), ("1e999", "application/json"),
    ("{}", "text/plain"), ("{}", ""), ("{}", "<Ann>/json"), ("a", f"{'a' * 40}/b"),
    ("a", f"{'a' * 41}/b"), ("[" * 200 + "]" * 200, "application/json"),
    ("[" * 201 + "]" * 201, "application/json"),
]  # fmt: skip
ADDRESSES = [
    *("http://a.invalid", "HTTPS://A.invalid:443/", "http://a.invalid:80", "http://a.invalid:443"),
    *("https://a.invalid:80", "https://a.invalid:8080", "https://u:p@a.invalid/b"),
]
PLACES = [
    "",
    "/",
    "/v1",
    "/v1/",
    "/v1/a",
    "/v10/a",
    "/v1/b/a",
    "/v1/b/e",
    "/v1/x/z",
    "/v1/x/z/",
    "/v2/a",
    "/V1/a",
]


def lines() -> Iterator[str]:
    for value in VALUES:
        text = f"{value!r:.60}: {shown(value)}"
        if isinstance(value, str):
            more = (shown_name(value), repr(number_or_text(value)), date_form(value))
            zones = [offset_of(value, zone) for zone in ("Europe/Berlin", "UTC", "Nowhere", None)]
            text = "; ".join([text, *more, " ".join(zones)])
        yield text.rstrip("; ").replace("a" * 40, "a…")
    for day in DAYS:
        yield f"{day}: {'; '.join(date_form(day + time) for time in TIMES)}"
    yield f"{headers_of(HEADERS)}; {query_of('a=1&b=&c&a=%20+&%ff=2')}"
    for text, kind in BODIES:
        yield f"{text[:9]!r} as {kind[:32]}: {str(body_of(text, kind))[:70]}"
    for address in ADDRESSES:
        yield f"{address}: {origin_of(urlsplit(address))}"
    known = ("/", "/a", "/x/{y}", "/x/z", "/b/{c}")
    paths = {path: {"get": {"operationId": path}} for path in known}
    documents = {name: Document(name, {"paths": paths}, {}) for name in ("one", "other", "last")}
    bases = ("https://a.invalid/v1", "https://a.invalid/v1/b/", "http://a.invalid/v2")
    routes = Routes(documents, dict(zip(documents, bases, strict=True)))
    for path in PLACES:
        exchange: Any = type("Exchange", (), {"origin": "https://a.invalid", "path": path})()
        exchange.document, exchange.method = None, "GET"
        place = routes.place(exchange)
        yield f"{path}: {place and (place[0], place[1] and place[1].path)}"


def test_each_value_is_read_and_shown_as_it_was(golden: Any) -> None:
    told = "".join(f"{line}\n" for line in lines())
    golden(Path(__file__).parent / "evidence/expected/values.txt", told)


@pytest.mark.parametrize(("status", "kind"), [(200, "json"), (204, "none"), (304, "none")])
def test_a_body_that_a_browser_had_already_did_not_come(
    status: int, kind: str, tmp_path: Path
) -> None:
    content = {"size": 2, "mimeType": "application/json", "text": "{}"}
    entry = {
        "request": {"method": "GET", "url": "https://a.dev/x", "headers": []},
        "response": {"status": status, "headers": [], "content": content},
    }
    (tmp_path / "a.har").write_text(json.dumps({"log": {"entries": [entry]}}))
    [found], *_ = read([tmp_path / "a.har"], {})
    assert found.response.kind == kind
