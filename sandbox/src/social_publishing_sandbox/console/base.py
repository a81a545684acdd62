"""The base of all pages of the console: routes of pages and forms, templates, notices."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from types import CodeType
from typing import Any, Final
from urllib.parse import urlencode

import jinja2
from jinja2.bccache import Bucket
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from social_publishing_sandbox.api.faults.kinds import KINDS
from social_publishing_sandbox.api.space import NoSpace, raising_no_space
from social_publishing_sandbox.console import wording
from social_publishing_sandbox.console.static import Static
from social_publishing_sandbox.control.control import PREFIX, Control
from social_publishing_sandbox.state import times
from social_publishing_sandbox.state.behaviour import limits
from social_publishing_sandbox.state.errors import ControlError
from social_publishing_sandbox.state.wording import counted, sentence
from social_publishing_sandbox.worlds import BadWorld

ROOT: Final = f"{PREFIX}/"
"""The address of the first page; everything else is below `PAGES`."""

PAGES: Final = f"{PREFIX}/console"

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


Read = Callable[["Console", Request], Mapping[str, Any]]
"""Gives what a page's template shows. It runs in a thread, while nobody else uses the state."""

Form = dict[str, str]
"""The fields of a form without the spaces around them, and the parameters of its address."""

_NOTICES: Final = 100


class Missing(Exception):
    """There is nothing at this address; the message says what is missing."""


class Wrong(Exception):
    """A form has an invalid value; the message is for the person who filled it in."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Result of a form, shown on the next page.

    Attributes:
        posts: posts that it is about, each with its id, text and status.
        more: how many others it is about.
    """

    text: str
    failed: bool = False
    posts: Sequence[Mapping[str, Any]] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A question that a form asks before something that cannot be undone."""

    title: str
    text: str
    yes: str


class _Compiled(jinja2.BytecodeCache):
    """Keeps compiled templates for all sandboxes of a process."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._known[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _Compiled()


class Console:
    """The console of one sandbox."""

    def __init__(self, control: Control) -> None:
        self.control = control
        self.service = control.service
        files = sorted(
            resources.files(__package__).joinpath("static").iterdir(), key=lambda each: each.name
        )
        self.static = Static(f"{PREFIX}/static", *files)
        # By random names: an address can only name a notice, never carry its text.
        self._notices: OrderedDict[str, Notice] = OrderedDict()
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader(str(__package__), "templates"),
            bytecode_cache=_COMPILED,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        names = self.service.transitions.name
        self._templates.globals |= {
            "PAGES": PAGES,
            "ROOT": ROOT,
            "NAVIGATION": NAVIGATION,
            "FAULTS": KINDS,
            "COLORS": wording.COLORS,
            "iso": times.text,
            "static": self.static.url,
            "status_name": lambda code: wording.words(names.get(code, str(code))),
            "status_class": lambda code: names.get(code, "unknown").lower().replace("_", "-"),
            "plural": counted,
            "query": query,
        }
        self._templates.filters |= {
            name: getattr(wording, name)
            for name in (
                *("ago", "cut", "excerpt", "hour", "json"),
                *("link", "moment", "number"),
                *("field_text", "parsed", "size", "time_of", "took", "words"),
            )
        }
        self._templates.filters |= {
            "network": lambda name: limits.title(name, self.service.assume),
            "expired": lambda account: limits.is_expired(
                account, self.service.assume, self.service.now()
            ),
        }

    @property
    def seen(self) -> str:
        """How much has happened so far; a page that is kept fresh follows events from there."""
        return f"{self.control.request_log.last_number}-{self.control.events.last_number}"

    def page(self, path: str, template: str, read: Read) -> Route:
        """Return the route of a page below `PAGES`; `Missing` gives a page that says so."""

        async def show(request: Request) -> Response:
            return await self.show(request, template, read)

        return Route(path if path == ROOT else f"{PAGES}{path}", show)

    def form(
        self,
        path: str,
        work: Callable[[Console, Form], Notice],
        to: str,
        ask: Callable[[Console, Form], Question | None] | None = None,
    ) -> Route:
        """Return the route of a form below `PAGES`.

        Args:
            work: changes something and says what; it runs in a thread. What `Wrong` and the errors
                of control say is shown as a failure.
            to: the page that comes next, below `PAGES`, unless the form's field `back` names one.
            ask: what to ask first; None where there is nothing to lose.
        """

        async def act(request: Request) -> Response:
            form = {**await fields(request), **request.path_params}
            back = _back_to(form, f"{PAGES}{to.format_map(form)}")
            if ask and form.get("sure") != "yes" and (question := ask(self, form)):
                shown = {"question": question, "form": form, "back": back, "live": ""}
                return await self.show(request, "sure.html", lambda *_: shown)
            try:
                notice = await asyncio.to_thread(work, self, form)
            except (Wrong, ControlError, BadWorld, NoSpace) as error:
                notice = Notice(sentence(str(error)), failed=True)
            return self.go(back, notice)

        return Route(f"{PAGES}{path}", act, methods=["POST"])

    async def show(
        self, request: Request, template: str, read: Read, status: int = 200
    ) -> Response:
        """Return a page."""
        return await asyncio.to_thread(self._show, request, template, read, status)

    def _show(self, request: Request, template: str, read: Read, status: int) -> Response:
        seen = self.seen
        with self.service.store.lock:
            try:
                with raising_no_space():
                    self.service.tick()
                    context = read(self, request)
            except Missing as missing:
                template, context, status = "missing.html", {"what": str(missing)}, 404
            except NoSpace as full:
                template, context, status = "full.html", {"what": sentence(str(full))}, 507
            shell = self._shell()
        page = {
            "path": request.url.path,
            "back": _without_notice(request),
            "notice": self._notices.get(request.query_params.get("notice", "")),
            "live": "" if status == 404 else f"{ROOT}events?after={seen}",
        }
        text = self._templates.get_template(template).render(page | shell | {**context})
        # A text can hold halves of characters, which a page cannot.
        return HTMLResponse(text.encode("utf-8", "replace"), status, headers=SECURITY)

    def _shell(self) -> dict[str, Any]:
        """Return what every page shows."""
        return {
            "now": self.service.clock.now(),
            "clock_mode": self.control.clock_mode,
            "next_event": self.service.next_moment(),
            "active_faults": len(self.control.faults.active()),
            "organization": self.service.organization,
        }

    def go(self, to: str, notice: Notice) -> Response:
        """Go to a page and show a notice there."""
        name = secrets.token_urlsafe(6)
        self._notices[name] = notice
        while len(self._notices) > _NOTICES:
            self._notices.popitem(last=False)
        path, _, rest = to.partition("?")
        given = f"{rest}&" if rest else ""
        # The browser would keep the fragment of the form, and scroll past the notice.
        return RedirectResponse(f"{path}?{given}notice={name}#", 303, headers=SECURITY)


async def fields(request: Request) -> Form:
    """Return the fields of a form, without the spaces around them."""
    return {name: str(value).strip() for name, value in (await request.form()).items()}


def query(path: str, given: Mapping[str, Any], **changes: Any) -> str:
    """Return an address with a query, without empty values."""
    kept = {key: value for key, value in {**given, **changes}.items() if value}
    return f"{path}?{urlencode(kept)}" if kept else path


def _back_to(form: Form, otherwise: str) -> str:
    """Return the page that a form came from, as it says; never one of another site."""
    to = form.get("back", "")
    if to.startswith(ROOT) and "\\" not in to and to.isprintable():
        return to
    return otherwise


def integer(text: str | None, least: int = 1, otherwise: int = 1) -> int:
    """Return a whole number from a query; another one where it is none."""
    if text and text.isascii() and text.isdigit() and len(text) < 12:
        return max(int(text), least)
    return otherwise


def pages(total: int, number: int, per_page: int) -> dict[str, int]:
    """Return what a page bar shows."""
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
