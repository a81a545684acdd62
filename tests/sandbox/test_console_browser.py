"""Console and reference in a browser: no error, nothing from elsewhere, by keyboard alone, live.

Where `tests.support.browser` finds no browser, these tests are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from wire import a_post

from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.console.base import PAGES, ROOT
from tests.support.browser import NARROW, WIDE, WIDER, barriers, browser

__all__ = ["browser"]

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, expect
else:
    expect = pytest.importorskip("playwright.sync_api").expect


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(clock="frozen", rate_limit=None) as started:
        yield started


class Visit:
    """A page of a browser that writes down errors, and requests to other origins."""

    def __init__(
        self, browser: Browser, sandbox: Sandbox, api: str = "main", **options: Any
    ) -> None:
        self.sandbox = sandbox
        self.origin = sandbox.service.origins[api]
        self.context = browser.new_context(**{"viewport": WIDE, **options})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(5_000)
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._asked)
        if api == "main":
            self.page.goto(sandbox.console_url)

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((f"{self.origin}/", "data:")):
            self.foreign.append(request.url)

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.origin}{path}")
        return self.page

    def focused(self) -> str:
        """The id of what has the focus, else its text."""
        found: str = self.page.evaluate(
            "document.activeElement.id || document.activeElement.innerText"
        )
        return found

    def tab_to(self, wanted: str) -> None:
        """Press the tab key until something has the focus."""
        for _ in range(120):
            self.page.keyboard.press("Tab")
            if self.focused() == wanted:
                return
        pytest.fail(f"no key leads to {wanted}")

    def ask(self, method: str, path: str, **given: Any) -> httpx2.Response:
        """A request to the main API."""
        headers = {"authorization": f"Bearer {self.sandbox.token}"}
        return httpx2.request(method, f"{self.sandbox.base_url}{path}", headers=headers, **given)


@pytest.fixture
def visit(browser: Browser, sandbox: Sandbox) -> Iterator[Visit]:
    opened = Visit(browser, sandbox)
    yield opened
    assert not opened.errors and not opened.foreign
    opened.context.close()


def a_preview(sandbox: Sandbox) -> str:
    """A published post with the card of a link."""
    posts = sandbox.find("posts", status="PUBLISHED")
    return next(each.id for each in posts if any("link_preview" in d for d in each["details"]))


def paths(sandbox: Sandbox) -> list[str]:
    group = sandbox.service.store.groups.where("1 ORDER BY key")[0]["id"]
    posts = (*(a_post(sandbox, each) for each in ("FAILED", "IN_REVIEW")), a_preview(sandbox))
    named = (
        *("calendar", "calendar?view=week", "calendar?view=day", "media", "groups"),
        *(f"groups/{group}", "users", "posts", *(f"posts/{each}" for each in posts), "posts/new"),
        *("requests", "requests/1", "clock", "faults?kind=status", "faults?kind=script"),
        *("budgets", "world"),
    )
    return [ROOT, *(f"{PAGES}/{each}" for each in named)]


@pytest.mark.parametrize(
    ("world", "whole"),
    [("small", False), ("odd", False), pytest.param("small", True, marks=pytest.mark.nightly)],
)
def test_every_page_fits_and_keeps_nobody_out(browser: Browser, world: str, whole: bool) -> None:
    """A width says nothing of colours: over the pages, each width has each scheme.

    What keeps somebody out is looked for in one width of each page, in turns; by night in both.
    """
    with Sandbox(world=world, clock="frozen", rate_limit=None) as sandbox:
        visit = Visit(browser, sandbox)
        visit.ask("GET", f"/posts-bulk?ids={a_post(sandbox, 'DRAFT')}")
        visit.ask("GET", "/nothing")
        sandbox.add_fault("latency", ms=1)
        for number, path in enumerate(paths(sandbox)):
            page = visit.go(path)
            assert page.locator("h1").count() == 1, path
            for turn, size in enumerate((NARROW, WIDE)):
                dark, looks = turn == number % 2, whole or turn == number // 2 % 2
                page.set_viewport_size(size)  # type: ignore[arg-type]
                page.emulate_media(color_scheme="dark" if dark else "light")
                assert page.evaluate(GROUND) is dark
                assert page.evaluate(WIDER) <= 0, (path, size)
                assert page.evaluate(CUT) == [], (path, size)
                if world == "small" and looks:
                    assert barriers(page) == [], (path, size, dark)
        assert "owned" not in page.title()
        assert not visit.errors and not visit.foreign
        visit.context.close()


@pytest.mark.parametrize(
    ("api", "dark", "operation", "field", "value", "address"),
    [
        ("main", False, "Posts-getPosts", "ids", "posts", "/v1/posts-bulk?ids="),
        ("media", True, "Media-getMediaStatus", "mediaId", "media", "/api/v1/status/"),
    ],
)
def test_the_reference_shows_and_tries_every_operation(
    browser: Browser,
    sandbox: Sandbox,
    api: str,
    dark: bool,
    operation: str,
    field: str,
    value: str,
    address: str,
) -> None:
    identifier = sandbox.world()[value][0]["id"]
    visit = Visit(browser, sandbox, api, color_scheme="dark" if dark else "light")
    page = visit.go("/docs")
    page.set_default_timeout(20_000)
    page.wait_for_selector(".opblock")
    shown = page.locator(".opblock-summary-operation-id").all_inner_texts()
    assert sorted(shown) == sorted(getattr(sandbox.service.contract, api).operations)
    assert page.evaluate("document.documentElement.classList.contains('dark-mode')") is dark
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    assert page.evaluate(WIDER) <= 0
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]

    page.click("button.authorize")
    page.fill("input[aria-label='auth-bearer-value']", sandbox.token)
    page.click(".auth-btn-wrapper .authorize")
    page.click(".btn-done")
    tried = page.locator(f"#operations-{operation}")
    tried.locator(".opblock-summary-control").click()
    tried.locator("blockquote", has_text="Assumed:").first.wait_for()
    tried.locator(".try-out__btn").click()
    tried.locator(f"tr[data-param-name='{field}'] input").first.fill(identifier)
    with page.expect_response(lambda response: address in response.url) as received:
        tried.locator(".execute").click()
    assert received.value.status == 200, received.value.text()
    assert identifier in received.value.text()
    tried.locator(".live-responses-table").get_by_text("200", exact=True).first.wait_for()

    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    assert page.evaluate(WIDER) <= 0
    visit.go("/docs/gaps#rateLimit.status")
    assert page.locator("tr:target").is_visible()
    assert page.evaluate(WIDER) <= 0
    assert not visit.errors and not visit.foreign
    visit.context.close()


GROUND = """() => {
  const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g);
  return Number(red) + Number(green) + Number(blue) < 384;
}"""

# What is wider than its box, and so cut off or to be scrolled sideways. Code may be, and a bar of
# the calendar, which shows its whole name to a pointer.
CUT = """() =>
  [...document.querySelectorAll("main *")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .filter((each) => !["visible", "clip"].includes(getComputedStyle(each).overflowX))
    .filter((each) => !each.closest(".unseen, pre, .noted, input, select, textarea"))
    .map((each) => `${each.className}: ${each.textContent.trim().slice(0, 40)}`)
"""


def test_the_keyboard_alone_moves_the_clock(visit: Visit) -> None:
    page = visit.go(f"{PAGES}/calendar")
    page.keyboard.press("Tab")
    assert visit.focused() == "Skip to the content"
    visit.tab_to("step-day")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert visit.sandbox.now.day == 2
    assert visit.focused() == "step-day"
    with page.expect_navigation():
        page.keyboard.press("Space")
    assert visit.sandbox.now.day == 3
    expect(page.locator("#said")).to_contain_text("3\N{NO-BREAK SPACE}Dec")


def test_the_keyboard_alone_approves_a_post(visit: Visit) -> None:
    post = a_post(visit.sandbox, "IN_REVIEW")
    page = visit.go(f"{PAGES}/posts?status=10")
    visit.tab_to(page.locator(f'a[href="{PAGES}/posts/{post}"]').inner_text())
    with page.expect_navigation():
        page.keyboard.press("Enter")
    visit.tab_to("approve")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert visit.sandbox.service.store.posts.get(post)["status"] == 25  # type: ignore[index]
    assert "Approved" in page.locator("#notice").inner_text()
    assert "Scheduled" in page.locator("#live-post").inner_text()


def test_a_request_made_meanwhile_appears_and_the_place_is_kept(visit: Visit) -> None:
    visit.ask("GET", "/first")
    page = visit.go(f"{PAGES}/requests")
    page.locator("#r1").focus()
    visit.ask("GET", "/second?<b>x</b>")
    page.locator("#r2").wait_for()
    assert "/v1/second?" in page.locator("#live-requests").inner_text()
    assert visit.focused() == "r1"
    assert page.locator("#live-requests b").count() == 0
    expect(page.locator("#said")).to_have_text("A new request")


def test_a_page_can_be_held_still(visit: Visit) -> None:
    page = visit.go(f"{PAGES}/requests")
    page.locator("#live").press("Enter")
    assert page.locator("#live").get_attribute("aria-pressed") == "false"
    visit.ask("GET", "/first")
    page.wait_for_timeout(900)
    assert page.locator("#r1").count() == 0
    page.locator("#live").press("Enter")
    page.locator("#r1").wait_for()


def test_the_filter_holds_while_requests_come_in(visit: Visit) -> None:
    page = visit.go(f"{PAGES}/requests?status=4xx")
    visit.ask("GET", f"/posts-bulk?ids={a_post(visit.sandbox, 'DRAFT')}")
    visit.ask("GET", "/nothing")
    page.locator("#r2").wait_for()
    assert page.locator("#r1").count() == 0


def test_a_fault_is_made_bites_and_is_switched_off(visit: Visit) -> None:
    post = a_post(visit.sandbox, "DRAFT")
    page = visit.go(f"{PAGES}/faults")
    page.get_by_role("link", name=re.compile("^status")).click()
    page.get_by_label("Status").fill("503")
    page.get_by_label("Operation").select_option("getPosts")
    page.get_by_role("button", name="Set it").click()
    assert "is on" in page.locator("#notice").inner_text()
    assert visit.ask("GET", f"/posts-bulk?ids={post}").status_code == 503
    expect(page.locator("#live-standings td.num")).to_have_text(["1", "1"])
    page.locator("#switch-fault-1").click()
    page.wait_for_url("**/faults?notice=*")
    assert visit.ask("GET", f"/posts-bulk?ids={post}").status_code == 200


def test_the_calendar_after_a_jump_of_a_month(visit: Visit) -> None:
    page = visit.go(f"{PAGES}/clock")
    page.get_by_label("To a moment").fill("2027-01-05T09:00:00")
    page.get_by_role("button", name="Go there").click()
    notice = page.locator("#notice").inner_text()
    assert "posts published" in notice and "5\N{NO-BREAK SPACE}Jan" in notice
    visit.go(f"{PAGES}/calendar")
    assert page.locator("h1").inner_text() == "January 2027"
    assert page.locator('[aria-current="date"] .n').inner_text() == "5"
    page.get_by_role("link", name="Previous month").click()
    assert page.locator("h1").inner_text() == "December 2026"
    assert page.locator(".entry.is-scheduled").count() == 0
    assert page.locator(".entry.is-published").count() > 5


def test_what_somebody_wrote_does_nothing(visit: Visit) -> None:
    evil = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    post = a_post(visit.sandbox, "SCHEDULED")
    page = visit.go(f"{PAGES}/posts/{post}")
    assert visit.ask("PATCH", f"/posts/{post}", json={"name": evil, "note": evil}).is_success
    page.get_by_text("<img src=x").first.wait_for()
    for path in (f"{PAGES}/posts", f"{PAGES}/requests/1", f"{PAGES}/calendar?view=week"):
        visit.go(path)
    assert "owned" not in page.title()


def test_a_token_is_copied(visit: Visit) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit.go(f"{PAGES}/users")
    page.get_by_role("button", name=re.compile("Copy the token of Mira")).click()
    expect(page.locator("#said")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == visit.sandbox.token


def test_the_menu_opens_on_a_narrow_screen(browser: Browser, sandbox: Sandbox) -> None:
    visit = Visit(browser, sandbox, viewport=NARROW)
    page = visit.page
    assert not page.locator("#side").is_visible()
    page.get_by_role("button", name="Menu").click()
    page.locator("#side").get_by_role("link", name="World").click()
    assert page.locator("h1").inner_text() == "World"
    visit.context.close()


def test_everything_works_without_a_script(browser: Browser, sandbox: Sandbox) -> None:
    visit = Visit(browser, sandbox, java_script_enabled=False)
    page = visit.go(f"{PAGES}/calendar")
    page.locator("#step-hour").click()
    assert "10:00:00" in page.locator("#notice").inner_text()
    page.locator("#group").select_option(index=1)
    page.get_by_role("button", name="Show").click()
    assert "group=" in page.url
    assert not page.locator(".copy").first.is_visible() and not page.locator("#live").is_visible()
    visit.context.close()


def test_a_running_clock_runs_on_the_page(browser: Browser) -> None:
    with Sandbox(clock="x60", now="2026-12-01T09:00:00Z") as sandbox:
        began = sandbox.now
        visit = Visit(browser, sandbox)
        clock = visit.page.locator("#live-clock time")
        expect(clock).not_to_have_text(clock.inner_text())
        shown = clock.inner_text().replace("\N{NO-BREAK SPACE}", " ")
        moment = datetime.strptime(f"{shown} +0000", "%a %d %b %Y, %H:%M:%S %z")
        assert began <= moment <= sandbox.now
        visit.context.close()
