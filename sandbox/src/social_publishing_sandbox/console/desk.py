"""What every page of the console works with: the sandbox, its state, templates and responses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from social_publishing_sandbox.api.faults import NoSuchFault
from social_publishing_sandbox.console import wording
from social_publishing_sandbox.console.notices import Notice, Notices
from social_publishing_sandbox.console.static import Static
from social_publishing_sandbox.control.creating import ControlError
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.behaviour.networks import NETWORKS
from social_publishing_sandbox.worlds import BadWorld

if TYPE_CHECKING:
    from social_publishing_sandbox.sandbox import Sandbox

ROOT: Final = "/_sandbox/"
"""The address of the first page; everything else is below `PAGES`."""

PAGES: Final = "/_sandbox/console"

SECURITY: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
"""Headers of every page: no script, style or picture from anywhere else, and none inside a page."""

NAVIGATION: Final = (
    (
        "Service",
        (
            ("Overview", ROOT, "home"),
            ("Calendar", f"{PAGES}/calendar", "calendar"),
            ("Posts", f"{PAGES}/posts", "posts"),
            ("Media", f"{PAGES}/media", "media"),
            ("Groups & accounts", f"{PAGES}/groups", "groups"),
            ("Users & tokens", f"{PAGES}/users", "users"),
        ),
    ),
    (
        "Control",
        (
            ("Requests", f"{PAGES}/requests", "requests"),
            ("Clock", f"{PAGES}/clock", "clock"),
            ("Faults", f"{PAGES}/faults", "faults"),
            ("Rate budgets", f"{PAGES}/budgets", "gauge"),
            ("World", f"{PAGES}/world", "world"),
        ),
    ),
)


class Missing(Exception):
    """There is nothing at this address; the text says what there is not."""


class Wrong(Exception):
    """A form says something that it cannot; the text is for whoever filled it in."""


class Desk:
    """The console of one sandbox.

    Attributes:
        sandbox: what it shows and steers.
        notices: what forms have done.
        static: style and script.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.service = sandbox.service
        self.notices = Notices()
        self.static = Static()
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        names = self.service.transitions.name
        self._templates.globals |= {
            "PAGES": PAGES,
            "ROOT": ROOT,
            "NAVIGATION": NAVIGATION,
            "NETWORKS": NETWORKS,
            "COLORS": wording.COLORS,
            "iso": times.text,
            "static": self.static.url,
            "status_name": lambda code: wording.words(names.get(code, str(code))),
            "status_class": lambda code: names.get(code, "unknown").lower().replace("_", "-"),
            "plural": wording.plural,
            "query": query,
        }
        self._templates.filters |= {
            name: getattr(wording, name)
            for name in (
                *("ago", "brief", "compact", "cut", "excerpt", "hour", "initials", "json"),
                *("length_of", "link", "moment", "network", "number", "offset"),
                *("parsed", "plain", "size", "time_of", "took", "words"),
            )
        }

    @property
    def seen(self) -> str:
        """Tells how much has happened so far; what follows a page begins there."""
        return f"{self.sandbox.events.last_number}-{self.sandbox.request_log.last_number}"

    async def show(
        self,
        request: Request,
        template: str,
        read: Callable[[], Mapping[str, Any]],
        status: int = 200,
    ) -> Response:
        """Return a page.

        Args:
            template: its template.
            read: gives what the template shows. It is called in a thread of its own, while nobody
                else works with the state, and so it is short. `Missing` gives a page that says so.
            status: of the response.
        """
        return await asyncio.to_thread(self._show, request, template, read, status)

    def _show(
        self,
        request: Request,
        template: str,
        read: Callable[[], Mapping[str, Any]],
        status: int,
    ) -> Response:
        seen = self.seen
        with self.service.store.lock:
            self.service.tick()
            shell = self._shell()
            try:
                context = read()
            except Missing as missing:
                template, context, status = "missing.html", {"what": str(missing)}, 404
        text = self._templates.get_template(template).render(
            path=request.url.path,
            back=_without_notice(request),
            notice=self.notices.get(request.query_params.get("notice")),
            live="" if status == 404 else f"{PAGES}/live?after={seen}",
            **shell,
            **context,
        )
        # A text can hold halves of characters, which a page cannot.
        return HTMLResponse(text.encode("utf-8", "replace"), status, headers=SECURITY)

    def _shell(self) -> dict[str, Any]:
        """What every page shows."""
        faults = self.sandbox.faults.standings()
        return {
            "now": self.service.clock.now(),
            "clock_mode": self.sandbox.clock_mode,
            "next_event": self.service.next_moment(),
            "active_faults": sum(1 for each in faults if each.enabled and not each.ended),
            "organization": self.service.organization,
        }

    async def act(self, work: Callable[[], Notice], to: str) -> Response:
        """Change something, and go to a page that shows a notice."""
        try:
            notice = await asyncio.to_thread(work)
        except (Wrong, ControlError, NoSuchFault, BadWorld) as error:
            notice = Notice(wording.sentence(str(error)), failed=True)
        return self.go(to, notice)

    def go(self, to: str, notice: Notice) -> Response:
        """Go to a page and show a notice there."""
        path, _, rest = to.partition("?")
        given = f"{rest}&" if rest else ""
        name = self.notices.keep(notice)
        # The browser would keep the fragment of the form, and scroll past the notice.
        return RedirectResponse(f"{path}?{given}notice={name}#", 303, headers=SECURITY)


def query(path: str, given: Mapping[str, Any], **changes: Any) -> str:
    """Return an address with a query, without the parts that are empty."""
    parts = {key: value for key, value in {**given, **changes}.items() if value not in (None, "")}
    return f"{path}?{urlencode(parts)}" if parts else path


def back_to(form: Mapping[str, Any], otherwise: str) -> str:
    """Return the page that a form came from, as it says; never one of somebody else."""
    to = form.get("back")
    if isinstance(to, str) and to.startswith(ROOT) and "\\" not in to and to.isprintable():
        return to
    return otherwise


def whole(text: str | None, least: int = 1, otherwise: int = 1) -> int:
    """Return a whole number from a query; another one where it is none."""
    if text and text.isascii() and text.isdigit() and len(text) < 12:
        return max(int(text), least)
    return otherwise


def pages(total: int, number: int, per_page: int) -> dict[str, int]:
    """What a page bar shows."""
    last = max(1, -(-total // per_page))
    current = min(number, last)
    before = (current - 1) * per_page
    return {
        "current": current,
        "last": last,
        "total": total,
        "before": before,
        "from": before + 1 if total else 0,
        "to": min(before + per_page, total),
    }


def _without_notice(request: Request) -> str:
    left = [(key, each) for key, each in request.query_params.multi_items() if key != "notice"]
    return f"{request.url.path}?{urlencode(left)}" if left else request.url.path
