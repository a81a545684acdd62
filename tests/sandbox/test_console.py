"""The console's pages without a browser: what they show, what their forms do, what is harmless."""

from __future__ import annotations

import argparse
import re
import shlex
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import quote

import httpx2
import orjson
import pytest
from bs4 import BeautifulSoup
from wire import a_post, everything, exchange

from social_publishing_sandbox import Sandbox, cli
from social_publishing_sandbox.api.faults.fault import Fault
from social_publishing_sandbox.api.faults.kinds import KINDS
from social_publishing_sandbox.console import base, faults, library, posts, requests, wording
from social_publishing_sandbox.console import post as post_page
from social_publishing_sandbox.console.base import PAGES, ROOT, pages
from social_publishing_sandbox.control.verbs import VERBS

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
"""What keeps every page to itself."""


class Console:
    """A visitor of the console, without sockets."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.headers = {"authorization": f"Bearer {sandbox.control_token}"}

    def ask(self, method: str, path: str, **given: Any) -> httpx2.Response:
        headers = httpx2.Headers(self.headers)
        headers.update(given.pop("headers", {}))
        url = f"http://main.sandbox.test{path}"
        return exchange(self.sandbox.app, method, url, headers=headers, **given)

    def get(self, path: str, status: int = 200) -> str:
        """A page; it must be complete and carry the headers of every page."""
        response = self.ask("GET", path)
        assert response.status_code == status, response.text[:500]
        assert {name: response.headers.get(name) for name in HEADERS} == HEADERS
        return response.content.decode()

    def post(self, path: str, **form: str) -> str:
        """What a form does: the page that it leads to."""
        response = self.ask("POST", path, data=form)
        assert response.status_code == 303, response.text[:500]
        return self.get(response.headers["location"])

    def call(self, method: str, path: str, **given: Any) -> httpx2.Response:
        """A request to the main API as the owner."""
        headers = {"authorization": f"Bearer {self.sandbox.token}", **given.pop("headers", {})}
        return self.ask(method, f"/v1{path}", headers=headers, **given)


@pytest.fixture
def visitor(shared: Sandbox) -> Console:
    """Who changes nothing in a sandbox that all tests share."""
    return Console(shared)


@pytest.fixture
def console(own: Sandbox) -> Console:
    """A sandbox of one's own."""
    return Console(own)


# Every page


PATHS = (
    ROOT,
    *(
        f"{PAGES}/{each}"
        for each in (
            *("calendar", "calendar?view=week", "calendar?view=day", "posts", "posts?status=40"),
            *("media", "media?type=2", "groups", "users", "requests", "clock", "faults"),
            *("budgets", "world", "posts/new"),
        )
    ),
)


@pytest.mark.parametrize("kind", [*KINDS, "script"])
def test_every_kind_of_fault_has_a_form(visitor: Console, kind: str) -> None:
    page = visitor.get(f"{PAGES}/faults?kind={kind}")
    for parameter in KINDS[kind].parameters if kind in KINDS else ():
        assert f'id="f-{parameter.name}"' in page
    assert f'name="kind" value="{kind}"' in page


@pytest.mark.parametrize(
    "path",
    ["posts/1", "posts/abc", "groups/99", "requests/12345", "requests/x", "posts/<b>", "no/page"],
)
def test_what_is_not_there_gets_a_page_that_says_so(visitor: Console, path: str) -> None:
    assert "Not there" in visitor.get(f"{PAGES}/{quote(path)}", 404)


@pytest.mark.parametrize(
    "query",
    [
        *("calendar?date=yesterday", "calendar?date=0001-01-01", "calendar?date=9999-12-31"),
        *("calendar?view=decade&group=nobody", "posts?page=999999999", "posts?status=-3&page=x"),
        *(
            "posts?q=%25_~%22%5C'",
            "posts?q=%ff%fe%00",
            "requests?status=abc",
            "media?type=x&page=0",
        ),
        *("requests?operation=none&user=nobody&only=what", "posts?status=%C2%B2&page=%D9%A3"),
    ],
)
def test_a_query_that_makes_no_sense_is_no_error(visitor: Console, query: str) -> None:
    visitor.get(f"{PAGES}/{query}")


# What people wrote


@pytest.mark.parametrize("world", ["small", "odd"])
def test_every_page_shows_what_somebody_wrote_as_text(world: str) -> None:
    with Sandbox(world, clock="frozen", rate_limit=None) as sandbox:
        console = Console(sandbox)
        evil = "<script>document.title='owned'</script>"
        for post in sandbox.find("posts", status="IN_REVIEW"):
            sandbox.reject(post.id, reason=evil)
        console.call("GET", f"/nothing?{quote(evil)}")
        kept = {name: sandbox.find(name) for name in ("posts", "groups")}
        found = (f"{PAGES}/{name}/{each.id}" for name, them in kept.items() for each in them)
        for path in (*PATHS, *found, f"{PAGES}/requests/1", f"{PAGES}/posts?q={quote(evil)}"):
            page = console.get(path)
            assert path.rpartition("/")[2].partition("?")[0] in page
            assert "<script>document" not in page and "<img src=x" not in page


def test_a_notice_comes_from_the_sandbox_never_from_the_address(console: Console) -> None:
    assert "Hacked" not in console.get(f"{ROOT}?notice=Hacked")
    for back in (
        "https://evil.example/",
        "//evil",
        "/",
        f"{ROOT}\\evil",
        f"{ROOT}\r\nx",
        f"{ROOT}\u202e",
    ):
        response = console.ask("POST", f"{PAGES}/clock/step", data={"to": "minute", "back": back})
        assert response.headers["location"].startswith(f"{PAGES}/clock?notice="), back


def test_the_address_without_its_token_is_the_same(console: Console) -> None:
    token = console.sandbox.control_token
    response = console.ask("GET", f"{PAGES}/a%20b%3Fc?x=1&token={token}")
    assert response.headers["location"] == f"{PAGES}/a%20b%3Fc?x=1"


# Posts


def test_a_search_goes_through_texts_not_field_names(console: Console) -> None:
    post = console.sandbox.create_post(content="A 100% 'quoted' back\\slash\nand_more")
    for text in ("100%", "'QUOTED'", "back\\slash", "slash\nand", "d_m", post["id"]):
        assert post["id"] in console.get(f"{PAGES}/posts?q={quote(text)}"), text
    for text in ("organization_id", "100_", "d%m"):
        assert "No posts here" in console.get(f"{PAGES}/posts?q={quote(text)}"), text


def test_each_verb_has_a_button_that_does_what_its_method_does(console: Console) -> None:
    sandbox = console.sandbox
    group = sandbox.create_group(name="G")
    account = sandbox.create_account(group_id=group["id"], socialNetwork="threads", name="<b>")
    fault = sandbox.add_fault("latency", ms=1).id
    date = "2027-01-05T08:30"
    given = {"reason": "Too <b>loud", "user": "", "publication_date": date, "at": date}
    for verb in VERBS:
        names = verb.given
        kind, word = verb.path.split("/")[1], verb.path.rpartition("/")[2]
        status = "SCHEDULED" if word in ("fail", "reschedule") else "IN_REVIEW"
        identifier = {"social_accounts": account["id"], "faults": fault}.get(kind)
        identifier = identifier or a_post(sandbox, status)
        here = {"posts": f"posts/{identifier}", "faults": "faults"}.get(kind, f"groups/{group.id}")
        if word != "enable":
            assert f'action="{PAGES}/{kind}/{identifier}/{word}"' in console.get(f"{PAGES}/{here}")
        form = {name: given[name] for name in names}
        page = console.post(f"{PAGES}/{kind}/{identifier}/{word}", **form)
        assert 'id="notice"' in page and "notice failed" not in page, verb
        assert "<b>loud" not in page
        done = sandbox.read_post(identifier) if kind == "posts" else None
        if word == "reschedule":
            assert done and done["publication_date"] == f"{date}:00Z"
        if word in ("approve", "reject"):
            assert done and done["status"] == {"approve": 25, "reject": 15}[word]
        if kind == "social_accounts":
            (shown,) = sandbox.find("social_accounts", name="<b>")
            assert bool(shown.connection_expired_at) is (word == "expire")
        if word in ("enable", "disable"):
            assert sandbox.faults.get(fault).enabled is (word == "enable")
        before = everything(sandbox)
        gone = console.post(f"{PAGES}/{kind}/1/{word}", **form, back=f"{PAGES}/clock")
        assert "notice failed" in gone and "There is no" in gone, verb
        assert everything(sandbox) == before, verb
    assert not sandbox.faults.all()
    again = a_post(sandbox, "PUBLISHED")
    assert "PUBLISHED" in console.post(f"{PAGES}/posts/{again}/approve")
    for wrong in ("", "soon", "9999-01-01T00:00"):
        page = console.post(f"{PAGES}/posts/{again}/reschedule", publication_date=wrong)
        assert "notice failed" in page


def test_the_group_of_a_new_post_is_the_first_by_name_until_one_is_chosen(console: Console) -> None:
    """The overview's line for a shell asks for the oldest one instead."""
    oldest = console.sandbox.find("groups")[0]
    first, last = (console.sandbox.create_group(name=name) for name in ("aa first", "zz last"))
    for group in (first, last):
        console.sandbox.create_account(group_id=group.id, social_network="threads")
    options = re.compile(r'<option value="(\d+)" selected')
    page = console.get(f"{PAGES}/posts/new")
    assert options.findall(page)[0] == first.id
    page = console.get(f"{PAGES}/posts/new?group={last.id}")
    assert options.findall(page)[0] == last.id
    assert f"groupId={oldest.id}" in unescape(console.get(ROOT))


def test_a_post_is_made_by_the_form(console: Console) -> None:
    sandbox = console.sandbox
    group = sandbox.create_group(name="New")
    accounts = [
        sandbox.create_account(group_id=group["id"], socialNetwork=each)["id"]
        for each in ("threads", "bluesky", "tumblr")
    ]
    page = console.get(f"{PAGES}/posts/new?group={group['id']}&date=2026-12-24")
    assert re.findall(r'name="account" value="(\d+)"', page) == accounts
    assert 'value="2026-12-24T09:00"' in page
    form: dict[str, Any] = {
        "group": group["id"],
        "content": "Fresh <b>bread</b>",
        "name": "",
        "status": "SCHEDULED",
        "publication_date": "2026-12-24T09:00",
        "publication_delay_between": "5",
        "account": [accounts[2], accounts[0]],
    }
    response = console.ask("POST", f"{PAGES}/posts/new", data=form)
    assert response.status_code == 303
    identifier = response.headers["location"].split("?")[0].rpartition("/")[2]
    post = sandbox.read_post(identifier)
    assert post["selectedAccountIds"] == form["account"] and post["content"] == form["content"]
    assert (post["status"], post["publication_delay_between"]) == (25, 5)
    assert post["publication_date"] == "2026-12-24T09:00:00Z" and not post.get("name")
    assert "Fresh &lt;b&gt;bread" in console.get(response.headers["location"])


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"publication_date": ""}, "publication_date"),
        ({"publication_date": "tomorrow"}, "publication_date"),
        ({"publication_delay_between": "soon"}, "publication_delay_between"),
        ({"publication_delay_between": "9" * 5_000}, "publication_delay_between"),
        ({"status": "SENT"}, "status"),
        ({"account": ["1"]}, "selectedAccountIds"),
    ],
)
def test_a_new_post_that_cannot_be_comes_back_with_its_reason(
    console: Console, given: dict[str, Any], field: str
) -> None:
    before = console.sandbox.world()
    form = {
        **{"content": "keep <me>", "status": "SCHEDULED", "publication_delay_between": "0"},
        **{"publication_date": "2026-12-24T09:00", **given},
    }
    response = console.ask("POST", f"{PAGES}/posts/new", data=form)
    assert response.status_code == 422 and console.sandbox.world() == before
    (alert,) = re.findall(r'role="alert">([^<]+)<', response.text)
    assert field in alert and "keep &lt;me&gt;" in response.text
    assert (f'name="{field}"' not in response.text) or 'aria-invalid="true"' in response.text


def test_a_day_shows_one_post_more_where_a_line_would_say_so(console: Console) -> None:
    for view, most in (("month", 4), ("week", 12)):
        for number in range(1, most + 3):
            date = f"2027-02-{most:02}T{number:02}:00:00Z"
            console.sandbox.create_post(content=str(number), publication_date=date)
            if number < most:
                continue
            page = console.get(f"{PAGES}/calendar?view={view}&date={date[:10]}")
            day = BeautifulSoup(page, "html.parser").select(f'li.day:has(a[href*="{date[:10]}"])')
            (shown,) = (each for each in day if each.select(".entry"))
            assert len(shown.select(".entry")) == (most if number == most + 2 else number)
            assert ("+2 more" in shown.get_text()) is (number == most + 2)


def test_a_page_bar_leads_to_everything_once() -> None:
    for total in range(12):
        found = [pages(total, number, 5) for number in range(1, 5)]
        seen = [
            number
            for bar in found[: found[0]["last"]]
            for number in range(bar["from"], bar["to"] + 1)
        ]
        assert seen == ([*range(1, total + 1)] if total else [0])
        assert found[-1] == found[found[0]["last"] - 1], "there is nothing behind the last page"
        assert all(bar["before"] == max(0, bar["from"] - 1) for bar in found)


def test_each_notice_is_shown_where_it_leads_and_the_oldest_are_forgotten(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "_NOTICES", 2)
    places = []
    for limit in "123":
        response = console.ask("POST", f"{PAGES}/budgets", data={"limit": limit})
        places.append(response.headers["location"])
        assert f"fresh budget of {limit} request" in console.get(places[-1])
    assert ["fresh budget" in console.get(each) for each in places] == [False, True, True]


def test_every_list_keeps_its_order_over_its_pages(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is to come begins with the next, and the rest with the newest."""
    for module in (posts, library):
        monkeypatch.setattr(module, "PER_PAGE", 5)

    def listed(path: str, link: str) -> list[str]:
        pages = [console.get(f"{path}page={number}").split("<main")[1] for number in range(1, 14)]
        return [*dict.fromkeys(re.findall(rf"{link}/(\d+)", "".join(pages)))]

    held, code = console.sandbox.find("posts"), console.sandbox.service.codes
    for status in ("DELETED", "SCHEDULED", "IN_REVIEW", ""):
        wanted = [e for e in held if (e.status == code[status or "DELETED"]) is bool(status)]
        is_coming = status in ("SCHEDULED", "IN_REVIEW")
        wanted.sort(key=lambda e: (e.publication_timestamp or -1, int(e.id)), reverse=not is_coming)
        path = f"{PAGES}/posts?status={code.get(status, '')}&"
        assert listed(path, f"{PAGES}/posts") == [each.id for each in wanted], status
    files = sorted((int(each.id) for each in console.sandbox.find("media")), reverse=True)
    assert listed(f"{PAGES}/media?", "/files") == [str(each) for each in files]
    assert "/files/" in console.get(f"{PAGES}/media?type=2&page=99"), "the last page of this type"


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_list_that_is_cut_says_so(console: Console, more: int) -> None:
    sandbox = console.sandbox
    days = [f"2026-12-{30 - n}T09:00:00Z" for n in range(15 + more)]
    planned = [
        {"status": "SCHEDULED", "content": f"{n}th", "publication_date": day}
        for n, day in enumerate(days)
    ]
    sandbox.reset({"format": 1, "users": [{"token": "t"}], "posts": planned})
    page = console.get(f"{PAGES}/clock")
    assert re.findall(r"<bdi>(\d+)th<", page) == [str(n) for n in range(15 + more)][::-1][:15]
    assert (f"The next 15 of {15 + more}." in page) is (more > 0)
    console.call("GET", "/nothing")
    (entry,) = sandbox.request_log
    for _ in range(99 + more):
        sandbox.request_log.add(replace(entry))
    page = console.get(f"{PAGES}/requests")
    shown = re.findall(r'id="r(\d+)"', page)
    last = entry.number + 99 + more
    assert shown == [str(last - n) for n in range(min(100, 100 + more))]
    words = "The last 100 of those" if more > 0 else f"{100 + more} requests"
    assert f"{words}; {100 + more} kept." in page


# Clock


def test_what_a_date_makes_of_a_post_is_named(console: Console) -> None:
    sandbox = console.sandbox
    given = {"publication_date": sandbox.now + timedelta(days=1)}
    sandbox.reset({"format": 1, "users": [{"token": "t"}]})
    for name, what in (("SCHEDULED", "Publishes"), ("IN_REVIEW", "Review missed")):
        sandbox.create_post(content=name, status=name, **given)
        page = BeautifulSoup(console.get(f"{PAGES}/clock"), "html.parser")
        (row,) = (each for each in page.select("tr") if name in each.text)
        assert {*row.stripped_strings} & {"Publishes", "Review missed"} == {what}


def test_a_post_that_is_let_go_late_goes_out_at_the_moment_that_is_shown(console: Console) -> None:
    sandbox = console.sandbox
    networks = ("bluesky", "threads", "twitter")
    found = sandbox.find("social_accounts")
    accounts = [each.id for each in found if each["socialNetwork"] in networks][:2]
    late = (sandbox.now - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    post = sandbox.create_post(
        content="Late", status="SCHEDULED", publication_date=sandbox.now + timedelta(days=1),
        selectedAccountIds=accounts, publication_delay_between=10,
    )  # fmt: skip
    assert console.call("PATCH", f"/posts/{post.id}", json={"publication_date": late}).is_success
    stored = sandbox.service.store.posts.get(post.id)
    with sandbox.service.store.lock:
        shown = [each.at for each in post_page._targets(sandbox.service, stored)]
    sandbox.advance(seconds=9)
    out = [each.published_at.timestamp() * 1000 for each in sandbox.read_post(post.id).details]
    assert shown == out and len(out) == 2


def test_a_jump_of_the_clock_names_the_posts_that_it_changed(console: Console) -> None:
    sandbox = console.sandbox
    accounts = [each["id"] for each in sandbox.find("social_accounts")][:1]
    moment = sandbox.now + timedelta(hours=30)
    made = [
        sandbox.create_post(
            content=f"jumped over {at}", selected_account_ids=accounts, status="SCHEDULED",
            publication_date=moment + timedelta(minutes=at),
        )["id"]
        for at in range(12)
    ]  # fmt: skip
    sandbox.fail(made[11], "refused")
    before = {each.id: each.status for each in sandbox.find("posts")}
    page = BeautifulSoup(console.post(f"{PAGES}/clock/step", to="week"), "html.parser")
    notice = page.find(id="notice")
    named = [link["href"].rpartition("/")[2] for link in notice.find_all("a")]
    changed = {each["id"] for each in sandbox.find("posts")} & {*made}
    assert len(named) == 8 and sandbox.read_post(named[0])["status"] == 35
    after = {each.id: each.status for each in sandbox.find("posts")}
    all_changed = sum(before[each] != status for each, status in after.items())
    assert changed == {*made} and f"and {all_changed - 8} more post" in notice.get_text()
    again = BeautifulSoup(console.post(f"{PAGES}/clock/step", to="minute"), "html.parser")
    assert not again.find(id="notice").find_all("a")


def test_the_end_of_time_is_no_error(console: Console) -> None:
    console.post(f"{PAGES}/clock/set", moment="9999-12-31T23:59:59")
    for to in ("minute", "week", "next"):
        console.post(f"{PAGES}/clock/step", to=to)
    for path in PATHS:
        console.get(path)


# Requests


def test_a_refused_request_shows_what_the_refusal_rests_on(console: Console) -> None:
    for number, (body, cites, title) in enumerate(
        (({"name": " "}, "createLabel.names", ""), ({"name": 5}, "§4.5", " Operations on labels")),
        1,
    ):
        console.call("POST", "/labels", json=body)
        page = console.get(f"{PAGES}/requests/{number}")
        assert f">{cites}</a></strong>{title}" in page
        assert ('href="/docs#/Labels/createLabel"' in page) is bool(title)
        assert ("The service may respond otherwise" in page) is (not title)
        for link in re.findall(r'href="(/docs/[^"]+)"', page):
            place, _, anchor = link.partition("#")
            assert f'id="{anchor}"' in console.ask("GET", place).text
    console.call("POST", "/labels", json={"name": "New"})
    assert "Why it was refused" not in console.get(f"{PAGES}/requests/3")


def test_the_request_that_the_console_proposes_is_valid(console: Console) -> None:
    (command,) = re.findall(r"<code>(curl .*?)</code>", console.get(ROOT), re.DOTALL)
    words = shlex.split(unescape(command))
    headers = dict(each.split(": ", 1) for each in words if ": " in each)
    path = words[-1].split("/v1", 1)[1]
    assert console.ask("GET", f"/v1{path}", headers=headers).status_code == 200
    (entry,) = console.sandbox.request_log
    assert not entry.violations


def test_a_request_can_be_sent_again_from_its_page(console: Console) -> None:
    post = a_post(console.sandbox, "DRAFT")
    note = 'it\'s $HOME `id` "quoted" \\ 🎉\nsecond line'
    console.call("PATCH", f"/posts/{post}?a=b'c", json={"note": note})
    page = console.get(f"{PAGES}/requests/1")
    assert console.sandbox.token not in page and "$TOKEN" in page
    entry = console.sandbox.request_log.get(1)
    assert entry is not None
    from social_publishing_sandbox.api.request_log.entry import to_dict

    words = shlex.split(requests.curl(entry, to_dict(entry), "http://127.0.0.1:1"))
    assert words[:4] == ["curl", "-X", "PATCH", f"http://127.0.0.1:1{entry.target}"]
    assert orjson.loads(words[words.index("--data-raw") + 1]) == {"note": note}


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("requests", {}),
        ("world/reset", {"name": "", "seed": "7"}),
        ("world/restore", {"name": "<first>"}),
        ("world/forget", {"name": "<first>"}),
    ],
)
def test_what_cannot_be_undone_is_asked_first(
    console: Console, path: str, form: dict[str, str]
) -> None:
    sandbox = console.sandbox
    sandbox.snapshot("<first>")
    console.call("GET", "/nothing")
    console.post(f"{PAGES}/clock/step", to="day")

    def state() -> tuple[Any, ...]:
        return sandbox.now, len(sandbox.request_log), sandbox.snapshots()

    before = state()
    response = console.ask("POST", f"{PAGES}/{path}", data={**form, "sure": "perhaps"})
    assert response.status_code == 200 and state() == before
    assert "data-live" not in response.text
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', response.text)
    sure = {name: value.replace("&lt;", "<").replace("&gt;", ">") for name, value in fields}
    assert sure["sure"] == "yes" and sure.items() >= form.items()
    console.post(f"{PAGES}/{path}", **sure)
    assert state() != before


# Faults, budgets, world


def test_every_parameter_of_a_fault_has_words() -> None:
    values = {"text": "x", "boolean": True}
    assert KINDS
    for kind in KINDS.values():
        for parameter in kind.parameters:
            number = max(1, int(parameter.minimum or 0))
            value = (
                parameter.choices[-1] if parameter.choices else values.get(parameter.type, number)
            )
            step = Fault.from_json({"kind": kind.name, parameter.name: value}).steps[0]
            assert faults.in_words(step)


def test_the_form_gives_back_what_was_wrong(console: Console) -> None:
    given = {"kind": "status", "status": "99", "message": "keep <me>", "operations": "getPosts"}
    response = console.ask("POST", f"{PAGES}/faults", data=given)
    assert response.status_code == 422
    assert 'aria-invalid="true"' in response.text and "keep &lt;me&gt;" in response.text
    for form in (
        {"kind": "latency", "ms": "soon"},
        {"kind": "latency", "probability": "1e999"},
        {"kind": "script", "script": "[{"},
        {},
    ):
        response = console.ask("POST", f"{PAGES}/faults", data=form)
        assert response.status_code == 422 and 'role="alert"' in response.text, form
    assert not console.sandbox.faults.all()


def test_the_example_of_a_script_is_one(console: Console) -> None:
    page = console.get(f"{PAGES}/faults?kind=script")
    (example,) = re.findall(r'name="script"[^>]*>([^<]*)</textarea>', page)
    console.post(f"{PAGES}/faults", kind="script", script=unescape(example))
    (active,) = console.sandbox.faults.all()
    assert len(active.fault.steps) > 1


def test_budgets_are_shown_untouched_and_the_limit_is_set(console: Console) -> None:
    console.post(f"{PAGES}/budgets", action="set", limit="5")
    post = a_post(console.sandbox, "DRAFT")
    for left in (4, 3):
        response = console.call("GET", f"/posts-bulk?ids={post}")
        assert response.headers["x-ratelimit-remaining"] == str(left)
        assert f"{left} of 5 left" in console.get(f"{PAGES}/budgets")
    sandbox = console.sandbox
    for window, period in ((60, "a minute"), (10, "in 10 seconds"), (1, "in 1 second")):
        sandbox.service.limits.usual_window = window  # as documents have it
        page = console.post(f"{PAGES}/budgets", action="set", limit="5")
        assert f"a fresh budget of 5 requests {period}." in page
        assert f"; 5 requests {period}.\n" in cli._greeting(sandbox, argparse.Namespace(db=None))
    console.post(f"{PAGES}/budgets", action="off", limit="5")
    assert console.sandbox.service.limits.limit is None
    for wrong in ("0", "-1", "x", "", "1.5", "9" * 5_000):
        page = console.post(f"{PAGES}/budgets", action="set", limit=wrong)
        assert "notice failed" in page and "must be a whole number, at least 1" in page


def test_the_world_is_reset_kept_and_restored(console: Console) -> None:
    sandbox = console.sandbox
    before = sandbox.world()
    assert "Saved as &#39;first&#39;" in console.post(f"{PAGES}/world/snapshot", name="first")
    console.post(f"{PAGES}/clock/step", to="week")
    assert sandbox.world() != before
    console.post(f"{PAGES}/world/restore", name="first", sure="yes")
    assert sandbox.world() == before
    console.post(f"{PAGES}/clock/step", to="week")
    console.post(f"{PAGES}/world/reset", name="", seed="", sure="yes")
    assert sandbox.world() == before
    console.post(f"{PAGES}/world/reset", name="small", seed="8", sure="yes")
    assert sandbox.world() != before
    console.post(f"{PAGES}/world/restore", name="before the reset", sure="yes")
    assert sandbox.world() == before
    console.post(f"{PAGES}/world/forget", name="first", sure="yes")
    for verb, form in (
        *(("restore", {"name": "first"}), ("reset", {"seed": "9" * 5_000})),
        *(("reset", {"name": "/etc/hostname"}), ("end", {}), ("forget", {"name": "never"})),
    ):
        page = console.post(f"{PAGES}/world/{verb}", sure="yes", **form)
        assert "notice failed" in page, verb


def test_a_world_of_a_few_lines_has_every_page() -> None:
    world = {
        **{"format": 1, "users": [{"token": "token-of-ada"}], "groups": [{"name": "Only"}]},
        **{"social_accounts": [{"socialNetwork": "bluesky"}], "posts": [{}, {"content": "Hello"}]},
        **{"calendar_notes": [{"start_date": "2026-12-02T10:00:00Z"}], "media": [{}]},
    }
    sandbox = Sandbox(world, clock="frozen")
    try:
        console = Console(sandbox)
        for path in PATHS:
            console.get(path)
        for table, page in (("posts", "posts"), ("groups", "groups")):
            for each in getattr(sandbox.service.store, table).where():
                console.get(f"{PAGES}/{page}/{each['id']}")
    finally:
        sandbox.close()


def test_the_world_is_downloaded_as_it_is_loaded(console: Console) -> None:
    (address,) = re.findall(r'href="([^"]+)" download', console.get(f"{PAGES}/world"))
    world = console.ask("GET", address).json()
    assert world == console.sandbox.world()
    console.sandbox.reset(world)


# Words and numbers


def test_codes_are_called_as_the_documents_call_them(visitor: Console) -> None:
    codes = visitor.sandbox.service.contract.main.codes
    for known, schema in ((wording.COLORS, "Color"), (wording.SOURCES, "PostSource")):
        names = {code: name.lower().replace("_", " ") for name, code in codes(schema).items()}
        assert {code: name.lower() for code, name in known.items()} == names


DAY = 24 * 3_600_000


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        (
            lambda ms: wording.ago(ms, 0),
            {
                **{
                    999: "now",
                    1_000: "in 1 second",
                    59_999: "in 59 seconds",
                    60_000: "in 1 minute",
                },
                **{
                    -3_599_999: "59 minutes ago",
                    -3_600_000: "1 hour ago",
                    -DAY + 1: "23 hours ago",
                },
                **{DAY: "in 1 day", 2 * DAY: "in 2 days", 30 * DAY - 1: "in 29 days"},
                **{
                    30 * DAY: "in 1 month",
                    365 * DAY - 1: "in 12 months",
                    -730 * DAY: "2 years ago",
                },
            },
        ),
        (
            wording.size,
            {
                **{0: "0 B", 999: "999 B", 1_000: "1 kB", 999_499: "999 kB", 999_500: "1.0 MB"},
                **{999_499_999: "999.5 MB", 999_500_000: "1.0 GB", 1_449_000: "1.4 MB"},
            },
        ),
        (wording.took, {0: "0.0 ms", 1_249: "1.2 ms", 999_949: "999.9 ms", 1_000_000: "1.00 s"}),
        (wording.number, {0: "0", 18_814: "18,814", 0.125: "0.12", 1e6: "1,000,000.00"}),
        (wording.field_text, {1.0: "1", 0.5: "0.5", 7: "7", "x": "x"}),
        (
            wording.words,
            {
                **{"NOT_SCHEDULE": "Not scheduled", "REVIEW_MISSED": "Review missed"},
                **{"reviewMissed": "Review missed", "feed": "Feed", "": ""},
            },
        ),
        (lambda text: wording.excerpt(text, 4), {"abcd": "abcd", "abcde": "abc…", "a \n b": "a b"}),
        (
            lambda text: wording.cut(text, 4),
            {"a\ncd": "a\ncd", "a\ncde": "a\ncd\n… 1 more character"},
        ),
    ],
)
def test_how_numbers_and_words_are_read(function: Any, shown: dict[Any, str]) -> None:
    assert {each: function(each).replace("\xa0", " ") for each in shown} == shown


@pytest.mark.parametrize(
    "url",
    [
        *("javascript:alert(1)", "javascript://x/%0aalert(1)", "data:text/html,x", "//evil"),
        *("http://", "[", 7, None, ""),
    ],
)
def test_no_link_to_what_is_not_of_the_web(url: Any) -> None:
    assert wording.link(url) is None
    assert wording.link("https://a.example/b") == "https://a.example/b"


def test_bodies_that_are_no_json_or_no_text_are_shown(console: Console) -> None:
    headers = {"content-type": "application/json"}
    for content in (b"\xff\xfe\x00<script>", b'{"a" : \n1', b'{"x": "\\ud800"}', b"[" * 5_000):
        console.call("PATCH", "/posts/1", content=content, headers=headers)
    assert "binary data" in console.get(f"{PAGES}/requests/1")
    assert "{&#34;a&#34; : \n1" in console.get(f"{PAGES}/requests/2")
    console.get(f"{PAGES}/requests/3")
    console.get(f"{PAGES}/requests/4")


@pytest.mark.parametrize(
    ("kind", "shown", "carried_out"),
    [
        ("drop-before", "dropped", False),
        ("drop-after", "dropped", True),
        ("truncated", "200, cut", True),
        ("malformed-json", "200", True),
    ],
)
def test_a_status_is_shown_as_the_client_got_it(kind: str, shown: str, carried_out: bool) -> None:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        console = Console(sandbox)
        post = a_post(sandbox, "DRAFT")
        sandbox.add_fault(kind, times=1)
        try:
            httpx2.patch(
                f"{sandbox.base_url}/posts/{post}",
                json={"note": "sent once"},
                headers={"authorization": f"Bearer {sandbox.token}"},
            )
        except httpx2.TransportError:
            assert shown != "200"
        for path in ("requests", "requests/1"):
            page = console.get(f"{PAGES}/{path}")
            ((tone, text),) = re.findall(r'class="code (\w+)"[^>]*>([^<]+)<', page)
            assert (text, tone) == (shown, "x2" if shown == "200" else "x5")
        assert KINDS[kind].does in page.replace("&#39;", "'")
        assert (sandbox.read_post(post)["note"] == "sent once") is carried_out
