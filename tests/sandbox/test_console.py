"""The console's pages without a browser: what they show, what their forms do, what is harmless."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import quote

import httpx2
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.faults import KINDS, Fault
from social_publishing_sandbox.console import faults, requests, wording
from social_publishing_sandbox.console import post as post_page
from social_publishing_sandbox.console.base import PAGES, ROOT
from social_publishing_sandbox.control.verbs import VERBS

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'onload='alert(1)",
    "{{ 98765 * 98765 }}{% raw %}",
    "\N{RIGHT-TO-LEFT OVERRIDE}evil\N{RIGHT-TO-LEFT MARK}",
    "x" * 10_000,
)


class Console:
    """A visitor of the console, without sockets."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.headers = {"authorization": f"Bearer {sandbox.control_token}"}

    def ask(self, method: str, path: str, **given: Any) -> httpx2.Response:
        async def exchange() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=self.sandbox.app)
            async with httpx2.AsyncClient(
                transport=transport, base_url="http://main.sandbox.test", headers=self.headers
            ) as client:
                return await client.request(method, path, **given)

        return asyncio.run(exchange())

    def get(self, path: str, status: int = 200) -> str:
        """A page; it must be complete and carry the headers of every page."""
        response = self.ask("GET", path)
        assert response.status_code == status, response.text[:500]
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "script-src 'self'" in policy and "frame-ancestors 'none'" in policy
        assert response.headers["cache-control"] == "no-store"
        assert response.headers["x-content-type-options"] == "nosniff"
        page = response.content.decode()
        return page

    def post(self, path: str, **form: str) -> str:
        """What a form does: the page that it leads to."""
        response = self.ask("POST", path, data=form)
        assert response.status_code == 303, response.text[:500]
        return self.get(response.headers["location"])

    def call(self, method: str, path: str, **given: Any) -> httpx2.Response:
        """A request to the main API as the owner."""
        headers = {"authorization": f"Bearer {self.sandbox.token}", **given.pop("headers", {})}
        return self.ask(method, f"/v1{path}", headers=headers, **given)


@pytest.fixture(scope="module")
def shared() -> Iterator[Console]:
    """A sandbox that nobody changes."""
    sandbox = Sandbox(clock="frozen", rate_limit=None)
    yield Console(sandbox)
    sandbox.close()


@pytest.fixture
def console() -> Iterator[Console]:
    """A sandbox of one's own."""
    sandbox = Sandbox(clock="frozen", rate_limit=None)
    yield Console(sandbox)
    sandbox.close()


def any_post(sandbox: Sandbox, status: str) -> str:
    """A post in this state."""
    code = sandbox.service.codes[status]
    return str(sandbox.service.store.posts.where("status = ? ORDER BY key", [code])[0]["id"])


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


def test_every_post_has_a_page(shared: Console) -> None:
    for post in shared.sandbox.service.store.posts.where():
        page = shared.get(f"{PAGES}/posts/{post['id']}")
        assert post["id"] in page


@pytest.mark.parametrize("kind", [*KINDS, "script"])
def test_every_kind_of_fault_has_a_form(shared: Console, kind: str) -> None:
    page = shared.get(f"{PAGES}/faults?kind={kind}")
    for parameter in KINDS[kind].parameters if kind in KINDS else ():
        assert f'id="f-{parameter.name}"' in page
    assert f'name="kind" value="{kind}"' in page


@pytest.mark.parametrize(
    "path",
    ["posts/1", "posts/abc", "groups/99", "requests/12345", "requests/x", "posts/<b>", "no/page"],
)
def test_what_is_not_there_gets_a_page_that_says_so(shared: Console, path: str) -> None:
    assert "Not there" in shared.get(f"{PAGES}/{quote(path)}", 404)


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
        "requests?operation=none&user=nobody&only=what",
    ],
)
def test_a_query_that_makes_no_sense_is_no_error(shared: Console, query: str) -> None:
    shared.get(f"{PAGES}/{query}")


def test_nobody_comes_in_without_the_token(shared: Console) -> None:
    stranger = Console(shared.sandbox)
    stranger.headers = {}
    for path in (*PATHS, f"{PAGES}/live", f"{PAGES}/world.json"):
        assert stranger.ask("GET", path).status_code == 401
    assert stranger.ask("POST", f"{PAGES}/clock/step", data={"to": "day"}).status_code == 401


def test_a_page_of_another_site_cannot_press_a_button(console: Console) -> None:
    before = console.sandbox.now
    console.headers["sec-fetch-site"] = "cross-site"
    response = console.ask("POST", f"{PAGES}/clock/step", data={"to": "day"})
    assert response.status_code == 403 and console.sandbox.now == before


def test_style_and_script_are_kept_for_ever_under_an_address_of_their_content(
    shared: Console,
) -> None:
    page = shared.get(ROOT)
    for address in re.findall(r'(?:src|href)="(/_sandbox/static/[^"]+)"', page):
        response = shared.ask("GET", address)
        assert response.status_code == 200 and "immutable" in response.headers["cache-control"]
        other = re.sub("/[0-9a-f]{12}/", "/000000000000/", address)
        assert shared.ask("GET", other).status_code == 404


# What people wrote


def test_what_somebody_wrote_is_never_markup(console: Console) -> None:
    sandbox = console.sandbox
    paths = [*PATHS]
    for number, text in enumerate(HOSTILE):
        name = text[:50]
        group = sandbox.create_group(name=name, note=text[:500])
        account = sandbox.create_account(
            group_id=group["id"], socialNetwork="bluesky", name=name, username=name
        )
        label = sandbox.create_label(name=name)
        user = sandbox.create_user(name=name, email=f"{number}@example.com", can_approve=True)
        sandbox.create_note(
            title=name, content=text[:500], start_date=sandbox.now, end_date=sandbox.now
        )
        post = sandbox.create_post(
            content=text,
            name=name,
            note=text,
            status="IN_REVIEW",
            publication_date="2026-12-01T10:00:00Z",
            selectedAccountIds=[account["id"]],
            labelIds=[label["id"]],
            assigneesIds=[user["id"]],
            pi_pin_title=text,
            customized={"bluesky": {"content": text}},
        )
        console.call("PATCH", f"/posts/{post['id']}", json={"name": text, "content": text})
        console.call("GET", "/nothing?" + quote(text[:200], safe="<>'\"{}% "))
        sandbox.reject(post["id"], user=user["id"], reason=text)
        search = quote(text[:200])
        assert post["id"] in console.get(f"{PAGES}/posts?q={search}")
        paths += [
            f"{PAGES}/posts/{post['id']}",
            f"{PAGES}/groups/{group['id']}",
            f"{PAGES}/requests?text={search}",
            f"{PAGES}/calendar?group={search}",
        ]
    paths += [f"{PAGES}/requests/{each.number}" for each in sandbox.request_log]
    for path in paths:
        page = console.get(path)
        assert "<script>alert" not in page and "<img src=x" not in page
        assert str(98765 * 98765) not in page


def test_links_lead_to_the_web_only(console: Console) -> None:
    post = any_post(console.sandbox, "PUBLISHED")
    store, service = console.sandbox.service.store, console.sandbox.service
    (detail, *_) = store.details.where("post_key = ?", [store.key(post)])
    with store.lock, service.change():
        store.execute(
            "UPDATE details SET doc = ? WHERE key = ?",
            (
                orjson.dumps({**detail, "post_link": "javascript://x/%0aalert(1)"}),
                store.key(detail["id"]),
            ),
        )
    page = console.get(f"{PAGES}/posts/{post}")
    assert "javascript:" not in page


def test_a_notice_comes_from_the_sandbox_never_from_the_address(console: Console) -> None:
    assert "Hacked" not in console.get(f"{ROOT}?notice=Hacked")
    response = console.ask(
        "POST", f"{PAGES}/clock/step", data={"to": "day", "back": "https://evil.example/"}
    )
    assert response.headers["location"].startswith(f"{PAGES}/clock?notice=")
    response = console.ask("POST", f"{PAGES}/clock/step", data={"to": "day", "back": "//evil"})
    assert response.headers["location"].startswith(PAGES)


# Calendar


def day_cells(page: str) -> list[str]:
    return re.findall(r'<li class="day.*?</h2>', page, re.DOTALL)


def test_the_days_of_a_group_are_those_of_its_time_zone(console: Console) -> None:
    sandbox = console.sandbox
    group = sandbox.create_group(name="Far east", timezone="Asia/Kolkata", week_start_day=0)
    account = sandbox.create_account(group_id=group["id"], socialNetwork="threads")
    post = sandbox.create_post(
        content="late", publication_date="2026-12-03T20:00:00Z", selectedAccountIds=[account["id"]]
    )
    page = console.get(f"{PAGES}/calendar?group={group['id']}&view=week&date=2026-12-04")
    friday = page.split("Friday, 4 December 2026")[1].split("Saturday, 5 December")[0]
    assert post["id"] in friday and "01:30" in friday
    assert "Sunday, 29 November" in day_cells(page)[0]
    assert "UTC+05:30" in page
    utc = console.get(f"{PAGES}/calendar?view=week&date=2026-12-04")
    thursday = utc.split("Thursday, 3 December 2026")[1].split("Friday, 4 December")[0]
    assert post["id"] in thursday and "20:00" in thursday


def test_a_note_has_one_lane_in_a_week_and_its_name_where_it_begins(console: Console) -> None:
    for title, first, last in (("Sale", 2, 6), ("Fair", 3, 4), ("Talk", 6, 6), ("Rest", 5, 10)):
        console.sandbox.create_note(
            title=title,
            start_date=f"2027-03-{first:02}T10:00:00Z",
            end_date=f"2027-03-{last:02}T11:00:00Z",
        )
    page = console.get(f"{PAGES}/calendar?view=week&date=2027-03-03")
    bar = re.compile(
        r'class="noted ?(on|free|over-\d)[^"]*"[^>]*>(?:(?:(?!class="noted).)*?<bdi>(\w+))?'
    )
    week = [bar.findall(each) for each in re.split(r'<li class="day', page)[1:8]]
    assert week == [
        [],
        [("over-5", "Sale")],
        [("on", "Sale"), ("over-2", "Fair")],
        [("on", "Sale"), ("on", "Fair")],
        [("on", "Sale"), ("over-3", "Rest")],
        [("on", "Sale"), ("on", "Rest"), ("over-1", "Talk")],
        [("free", ""), ("on", "Rest")],
    ]
    page = console.get(f"{PAGES}/calendar?view=week&date=2027-03-08")
    assert [bar.findall(each) for each in re.split(r'<li class="day', page)[1:3]] == [
        [("over-3", "Rest")],
        [("on", "Rest")],
    ]


# Posts


def test_tabs_count_and_limit(shared: Console) -> None:
    store = shared.sandbox.service.store
    for name, code in shared.sandbox.service.codes.items():
        page = shared.get(f"{PAGES}/posts?status={code}")
        here = {each["id"] for each in store.posts.where("status = ?", [code])}
        assert set(re.findall(rf"{PAGES}/posts/(\d+)", page)) == here, name


def test_pages_of_posts_hold_each_post_once(console: Console) -> None:
    sandbox = console.sandbox
    for number in range(120):
        sandbox.create_post(content=f"zebra {number}")
    found: list[str] = []
    for number in (1, 2, 3):
        page = console.get(f"{PAGES}/posts?q=zebra&page={number}")
        found += re.findall(rf'href="{PAGES}/posts/(\d+)"', page)
    assert len(found) == len(set(found)) == 120
    assert "101–120 of 120" in console.get(f"{PAGES}/posts?q=zebra&page=3")


def test_a_search_goes_through_texts_not_through_the_names_of_fields(console: Console) -> None:
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
        names = (*verb.texts, *verb.moments)
        kind, word = verb.path.split("/")[1], verb.path.rpartition("/")[2]
        status = "SCHEDULED" if word in ("fail", "reschedule") else "IN_REVIEW"
        identifier = {"social_accounts": account["id"], "faults": fault}.get(kind)
        identifier = identifier or any_post(sandbox, status)
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
        gone = console.post(f"{PAGES}/{kind}/1/{word}", **form, back=f"{PAGES}/clock")
        assert "notice failed" in gone and "There is no" in gone, verb
    assert not sandbox.faults.active()
    again = any_post(sandbox, "PUBLISHED")
    assert "PUBLISHED" in console.post(f"{PAGES}/posts/{again}/approve")
    for wrong in ("", "soon", "9999-01-01T00:00"):
        page = console.post(f"{PAGES}/posts/{again}/reschedule", publication_date=wrong)
        assert "notice failed" in page


def test_a_post_shows_the_text_of_each_network_and_what_it_counts(console: Console) -> None:
    sandbox = console.sandbox
    group = sandbox.create_group(name="G")
    accounts = [
        sandbox.create_account(group_id=group["id"], socialNetwork=each)["id"]
        for each in ("twitter", "linkedin", "snapchat")
    ]
    post = sandbox.create_post(
        content="🎉" * 150,
        customized={"snapchat": {"content": "Short"}},
        selectedAccountIds=accounts,
        publication_date="2026-12-05T10:00:00Z",
        publication_delay_between=10,
    )
    page = console.get(f"{PAGES}/posts/{post['id']}")
    assert "300 of 280" in page and "too long" in page
    assert "150 of 3,000" in page and "5 of 160" in page
    assert page.count("🎉" * 150) >= 1 and "customised" in page
    for time in ("10:00", "10:10", "10:20"):
        assert f"Dec, {time}</time>" in page


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
        ({"publication_delay_between": "-1"}, "publication_delay_between"),
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


def test_a_number_that_was_not_sent_is_not_zero(console: Console) -> None:
    sandbox = console.sandbox
    group = sandbox.create_group(name="G")
    accounts = [
        sandbox.create_account(group_id=group["id"], socialNetwork=each)["id"]
        for each in ("dribbble", "tiktok")
    ]
    post = sandbox.create_post(
        status="PUBLISHED",
        content="Out",
        publication_date="2026-11-20T10:00:00Z",
        selectedAccountIds=accounts,
    )
    sent = console.call("GET", f"/posts/{post['id']}/metrics").json().values()
    assert ["reach" in each for each in sent] == [False, True]
    page = console.get(f"{PAGES}/posts/{post['id']}")
    shown = re.findall(r'data-label="(reach|views|rate)">(?:<span[^>]*>)?([^<]+)<', page)
    expected = [
        (label, "—" if each.get(name) is None else wording.number(each[name]))
        for each in sent
        for label, name in (
            ("views", "views"),
            ("reach", "reach"),
            ("rate", "engagement_rate_reach"),
        )
    ]
    assert [(label, text.removesuffix(" %")) for label, text in shown] == expected


# Clock


def test_a_step_tells_what_fell_due_by_it(console: Console) -> None:
    sandbox = console.sandbox
    post = sandbox.create_post(
        content="Right on time",
        status="SCHEDULED",
        publication_date="2026-12-01T09:30:00Z",
        selectedAccountIds=[
            next(
                each["id"]
                for each in sandbox.service.store.accounts.where()
                if each["socialNetwork"] == "linkedin" and not each.get("connection_expired_at")
            )
        ],
    )
    page = console.post(f"{PAGES}/clock/step", to="hour", back=f"{PAGES}/calendar")
    assert sandbox.now.hour == 10
    notice = page.split('id="notice"')[1].split("</div>")[0]
    assert "Right on time" in notice and post["id"] in notice and "published" in notice
    assert "December 2026" in page


def test_of_what_happened_the_troublesome_comes_first(console: Console) -> None:
    console.post(f"{PAGES}/clock/step", to="week")
    page = console.post(f"{PAGES}/clock/step", to="week")
    notice = page.split('id="notice"')[1].split("</div>")[0]
    order = ["is-failed", "is-review-missed", "is-in-progress", "is-published"]
    found = [order.index(each) for each in re.findall(r'class="status ([a-z-]+)"', notice)]
    assert found == sorted(found) and len(set(found)) > 1


def test_the_end_of_time_is_no_error(console: Console) -> None:
    console.post(f"{PAGES}/clock/set", moment="9999-12-31T23:59:59")
    for to in ("minute", "week", "next"):
        console.post(f"{PAGES}/clock/step", to=to)
    for path in PATHS:
        console.get(path)


def test_the_clock_is_set_and_its_mode_changed(console: Console) -> None:
    sandbox = console.sandbox
    console.post(f"{PAGES}/clock/set", moment="2026-12-24T18:00")
    assert sandbox.now.isoformat() == "2026-12-24T18:00:00+00:00"
    for wrong in ("2026-01-01T00:00", "yesterday", "", "2026-13-01T00:00"):
        assert "notice failed" in console.post(f"{PAGES}/clock/set", moment=wrong)
    console.post(f"{PAGES}/clock/mode", mode="fast", speed="3600")
    assert sandbox.clock_mode == "x3600"
    for mode, speed in (("fast", "0"), ("fast", ""), ("slow", "60"), ("", "")):
        assert "notice failed" in console.post(f"{PAGES}/clock/mode", mode=mode, speed=speed)
    console.post(f"{PAGES}/clock/mode", mode="frozen")
    assert sandbox.clock_mode == "frozen"


# Requests


def test_requests_are_listed_and_filtered(console: Console) -> None:
    post = any_post(console.sandbox, "DRAFT")
    console.call("PATCH", f"/posts/{post}", json={"note": "needle"})
    console.call("GET", f"/posts-bulk?ids={post}")
    console.call("GET", "/nothing")
    console.ask("GET", f"/v1/groups/{post}", headers={"authorization": "Bearer wrong"})

    def numbers(query: str) -> list[str]:
        return re.findall(r'id="r(\d+)"', console.get(f"{PAGES}/requests?{query}"))

    assert numbers("") == ["4", "3", "2", "1"]
    assert numbers("operation=updatePost") == ["1"]
    assert numbers("status=4xx") == ["4", "3"] and numbers("status=401") == ["4"]
    assert numbers("text=needle") == ["2", "1"]
    assert numbers("user=" + quote("Mira Lindqvist")) == ["3", "2", "1"]
    assert numbers("only=faults") == []
    page = console.post(f"{PAGES}/requests", sure="yes")
    assert "No request yet" in page


def test_a_refused_request_shows_what_the_refusal_rests_on(console: Console) -> None:
    for number, (body, cites, title) in enumerate(
        (({"name": " "}, "createLabel.names", ""), ({"name": 5}, "§4.5", " Operations on labels")),
        1,
    ):
        console.call("POST", "/labels", json=body)
        page = console.get(f"{PAGES}/requests/{number}")
        assert f"<strong>{cites}</strong>{title}" in page
        assert ("The service may respond otherwise" in page) is (not title)
        for link in re.findall(r'href="(/docs/[^"]+)"', page):
            place, _, anchor = link.partition("#")
            assert f'id="{anchor}"' in console.ask("GET", place).text
    console.call("POST", "/labels", json={"name": "New"})
    assert "Why it was refused" not in console.get(f"{PAGES}/requests/3")


def test_the_first_request_that_the_console_proposes_is_as_it_must_be(console: Console) -> None:
    (command,) = re.findall(r"<code>(curl .*?)</code>", console.get(ROOT), re.DOTALL)
    words = shlex.split(unescape(command))
    headers = dict(each.split(": ", 1) for each in words if ": " in each)
    path = words[-1].split("/v1", 1)[1]
    assert console.ask("GET", f"/v1{path}", headers=headers).status_code == 200
    (entry,) = console.sandbox.request_log
    assert not entry.violations


def test_a_request_can_be_sent_again_from_its_page(console: Console) -> None:
    post = any_post(console.sandbox, "DRAFT")
    note = 'it\'s $HOME `id` "quoted" \\ 🎉\nsecond line'
    console.call("PATCH", f"/posts/{post}?a=b'c", json={"note": note})
    page = console.get(f"{PAGES}/requests/1")
    assert console.sandbox.token not in page and "$TOKEN" in page
    entry = console.sandbox.request_log.get(1)
    assert entry is not None
    from social_publishing_sandbox.api.request_log import to_dict

    words = shlex.split(requests.curl(entry, to_dict(entry), "http://127.0.0.1:1"))
    assert words[:4] == ["curl", "-X", "PATCH", f"http://127.0.0.1:1{entry.target}"]
    assert orjson.loads(words[words.index("--data-raw") + 1]) == {"note": note}


def test_bodies_that_are_no_json_or_no_text_are_shown(console: Console) -> None:
    headers = {"content-type": "application/json"}
    for content in (b"\xff\xfe\x00<script>", b'{"a" : \n1', b'{"x": "\\ud800"}', b"[" * 5_000):
        console.call("PATCH", "/posts/1", content=content, headers=headers)
    assert "are no text" in console.get(f"{PAGES}/requests/1")
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
        ("latency", "200", True),
    ],
)
def test_a_status_is_shown_as_the_client_got_it(kind: str, shown: str, carried_out: bool) -> None:
    with Sandbox(clock="frozen", rate_limit=None) as sandbox:
        console = Console(sandbox)
        post = any_post(sandbox, "DRAFT")
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


def test_an_empty_log_is_emptied_without_a_question(console: Console) -> None:
    assert "The request log is empty" in console.post(f"{PAGES}/requests")


def test_live_says_that_something_has_changed_and_nothing_else(console: Console) -> None:
    from social_publishing_sandbox.console import app, base

    looked_at = base.Console(console.sandbox)

    async def follow() -> list[str]:
        messages = app.messages(looked_at, looked_at.seen)
        got = [await anext(messages)]
        waiting = asyncio.ensure_future(anext(messages))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        console.sandbox.create_label(name="<script>")
        got.append(await asyncio.wait_for(waiting, 2))
        console.sandbox.events.end()
        return got + [each async for each in messages]

    first, second, *rest = asyncio.run(follow())
    assert first.startswith("retry:") and second == "event: changed\ndata: \n\n" and not rest


# Faults, budgets, world


def test_a_fault_that_has_ended_starts_again(console: Console) -> None:
    post = any_post(console.sandbox, "DRAFT")
    console.sandbox.add_fault("status", status=503, times=1, id="once")
    assert "Start again" not in console.get(f"{PAGES}/faults")
    for _ in range(2):
        statuses = [console.call("GET", f"/posts-bulk?ids={post}").status_code for _ in range(2)]
        assert statuses == [503, 200]
        page = console.get(f"{PAGES}/faults")
        assert "Start again" in page and "Switch off" not in page
        console.post(f"{PAGES}/faults/once/restart")
    (standing,) = console.sandbox.faults.active()
    assert standing.fault.times == 1 and not standing.ended


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "latency", "ms": 20, "jitter": 5}, "20 ms more, up to 5 ms on top"),
        ({"kind": "latency", "ms": 20, "when": "after"}, "20 ms more, after the operation"),
        ({"kind": "status", "status": 503, "retry_after": 0}, "status 503, Retry-After: 0 s"),
        ({"kind": "truncated", "keep": 0}, "0% of the body is sent"),
        ({"kind": "drop-after"}, ""),
        ({"kind": "unknown-fields"}, "1 more in each object"),
    ],
)
def test_a_fault_in_words(fault: dict[str, Any], words: str) -> None:
    assert faults.in_words(Fault.from_json(fault).steps[0]) == words


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "latency"}, "every time"),
        ({"kind": "latency", "times": 1}, "1 time"),
        ({"kind": "latency", "times": 3, "probability": 0.3}, "30% of them, 3 times"),
        ({"script": ["pass"]}, "once through"),
        ({"script": ["pass"], "repeat": True}, "repeatedly"),
    ],
)
def test_how_often_a_fault_happens(fault: dict[str, Any], words: str) -> None:
    assert faults.how_often(Fault.from_json(fault)) == words


def test_every_parameter_of_a_fault_has_words() -> None:
    values = {"text": "x", "boolean": True}
    for kind in KINDS.values():
        for each in kind.parameters:
            number = max(1, int(each.minimum or 0))
            value = each.choices[-1] if each.choices else values.get(each.type, number)
            step = Fault.from_json({"kind": kind.name, each.name: value}).steps[0]
            assert faults.in_words(step)


def test_the_form_gives_back_what_was_wrong(console: Console) -> None:
    given = {"kind": "status", "status": "99", "message": "keep <me>", "operations": "getPosts"}
    response = console.ask("POST", f"{PAGES}/faults", data=given)
    assert response.status_code == 422
    assert 'aria-invalid="true"' in response.text and "keep &lt;me&gt;" in response.text
    for form in (
        {"kind": "latency", "ms": "soon"},
        {"kind": "nothing"},
        {"kind": "latency", "probability": "1e999"},
        {"kind": "latency", "operations": "none"},
        {"kind": "script", "script": "[{"},
        {"kind": "script", "script": '["explode"]'},
        {"kind": "latency", "id": "a b"},
        {},
    ):
        response = console.ask("POST", f"{PAGES}/faults", data=form)
        assert response.status_code == 422 and 'role="alert"' in response.text, form
    assert not console.sandbox.faults.active()


def test_every_default_of_a_form_can_be_sent_as_it_stands(console: Console) -> None:
    for kind in KINDS:
        page = console.get(f"{PAGES}/faults?kind={kind}")
        form = page.split('class="sheet"')[1]
        fields = dict(re.findall(r'<input id="f-[^"]*" name="([^"]*)"[^>]*? value="([^"]*)"', form))
        console.post(f"{PAGES}/faults", kind=kind, operations="*", **fields)
    assert [each.fault.kind for each in console.sandbox.faults.active()] == list(KINDS)


def test_budgets_are_shown_without_being_touched_and_the_limit_is_set(console: Console) -> None:
    console.post(f"{PAGES}/budgets", action="set", limit="5")
    post = any_post(console.sandbox, "DRAFT")
    for left in (4, 3):
        response = console.call("GET", f"/posts-bulk?ids={post}")
        assert response.headers["x-ratelimit-remaining"] == str(left)
        assert f"{left} of 5 left" in console.get(f"{PAGES}/budgets")
    console.post(f"{PAGES}/budgets", action="off", limit="5")
    assert console.sandbox.service.limits.limit is None
    for wrong in ("0", "-1", "x", "", "1.5", "9" * 5_000):
        assert "notice failed" in console.post(f"{PAGES}/budgets", action="set", limit=wrong)


def test_looking_at_budgets_begins_no_window() -> None:
    sandbox = Sandbox(clock="frozen", rate_limit=5)
    try:
        Console(sandbox).get(f"{PAGES}/budgets")
        assert not sandbox.service.limits._windows
    finally:
        sandbox.close()


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
        *(("restore", {"name": "first"}), ("reset", {"seed": "x"}), ("reset", {"seed": "--5"})),
        *(("reset", {"name": "/etc/hostname"}), ("reset", {"seed": "9" * 5_000})),
        *(("end", {}), ("forget", {"name": "never"})),
    ):
        page = console.post(f"{PAGES}/world/{verb}", sure="yes", **form)
        assert "notice failed" in page, verb


def test_a_world_of_a_few_lines_has_every_page() -> None:
    world = {
        "format": 1,
        "now": "2026-12-01T09:00:00Z",
        "organization": {"name": "Tiny"},
        "users": [{"name": "Ada", "token": "token-of-ada"}],
        "groups": [{"name": "Only"}],
        "social_accounts": [{"socialNetwork": "bluesky"}],
        "posts": [{"content": "Hello"}, {"name": "Nothing in it"}],
        "calendar_notes": [
            {
                "title": "Note",
                "start_date": "2026-12-02T10:00:00Z",
                "end_date": "2026-12-02T11:00:00Z",
            }
        ],
        "media": [{"client_name": "a.png", "type": 1}],
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
    response = console.ask("GET", f"{PAGES}/world.json")
    assert "attachment" in response.headers["content-disposition"]
    assert response.json() == console.sandbox.world()
    console.sandbox.reset(response.json())


# Files


def test_pictures_of_files_can_do_nothing(shared: Console) -> None:
    page = shared.get(f"{PAGES}/media")
    pictures = re.findall(r'<img src="([^"]*/stored/[^"]+)"', page)
    assert pictures
    response = shared.ask("GET", pictures[0])
    assert response.status_code == 200 and response.headers["content-type"].startswith("image/")
    assert response.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert response.headers["x-content-type-options"] == "nosniff"


# Words and numbers


@pytest.mark.parametrize(
    ("apart", "words"),
    [
        *((0, "now"), (999, "now"), (1_000, "in 1 second"), (-90_000, "1 minute ago")),
        *((86_400_000 * 3, "in 3 days"), (-86_400_000 * 800, "2 years ago")),
    ],
)
def test_how_long_ago(apart: int, words: str) -> None:
    assert wording.ago(10**12 + apart, 10**12) == words


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


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(), each, max_size=4),
    max_leaves=12,
)


@given(value=JSON, cut=st.integers(0, 200))
def test_indenting_changes_white_space_only_and_takes_what_was_cut(value: Any, cut: int) -> None:
    import json

    text = json.dumps(value)
    assert json.loads(requests.indented(text)) == value
    assert requests.indented(text) == json.dumps(value, indent=2)
    part = text[:cut]
    kept = re.sub(r"\s", "", requests.indented(part))
    assert kept == re.sub(r"\s", "", part)


@given(st.lists(st.integers(0, 10**12), min_size=2, max_size=50))
def test_a_sparkline_stays_inside_of_its_box(values: list[int]) -> None:
    drawn = post_page.sparkline(values)
    assert drawn is not None
    points = [tuple(map(float, each.split(","))) for each in drawn.line.split()]
    assert len(points) == len(values)
    assert all(0 <= x <= post_page.WIDTH and 0 <= y <= post_page.HEIGHT for x, y in points)
    assert [x for x, _ in points] == sorted(x for x, _ in points)
