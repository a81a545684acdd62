"""A plan as a page in an assistant's program: every change, and a button that is the yes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from cli_support import GROUP, Command, writes
from mcp.client.extension import advertise
from mcp_support import Assistant, Desk, Person
from test_mcp import posts, renamed

from social_publishing_cli.mcp import page, writing
from social_publishing_sandbox import Sandbox
from tests.support.browser import ARGUMENTS, CHROMIUM, NARROW, WIDE, barriers, sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Frame

PAGES = advertise(page.EXTENSION, {"mimeTypes": ["text/html;profile=mcp-app"]})
HOST = """<!doctype html><title>host</title><body style="margin:0"><script>
const frame = document.createElement("iframe");
frame.sandbox = "allow-scripts"; frame.style = "border:0;width:100%;height:100vh";
frame.srcdoc = APP;
window.sizes = [];
addEventListener("message", async ({data}) => {
  const answer = (result) => frame.contentWindow.postMessage({jsonrpc: "2.0", id: data.id, result}, "*");
  if (data.method === "ui/initialize") answer({hostContext: {theme: THEME}, hostCapabilities: {}});
  if (data.method === "ui/notifications/initialized")
    frame.contentWindow.postMessage({jsonrpc: "2.0", method: "ui/notifications/tool-result", params: RESULT}, "*");
  if (data.method === "ui/notifications/size-changed") window.sizes.push(data.params.height);
  if (data.method === "tools/call") answer(JSON.parse(await window.serve(JSON.stringify(data.params))));
});
document.body.append(frame);
</script>"""  # noqa: E501


@pytest.fixture
def desk(command: Command, tmp_path: Path) -> Desk:
    """Assistants that are signed in to the sandbox."""
    return Desk(tmp_path / "journals")


def dumped(result: Any) -> dict[str, Any]:
    made: dict[str, Any] = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return made


async def made(it: Assistant, sandbox: Sandbox, count: int) -> Any:
    """Plan to rename posts, and to move one into the past, which is warned of."""
    ids = posts(sandbox, "SCHEDULED")[:count]
    changes = [{"post_id": post, "name": f"renamed {at}"} for at, post in enumerate(ids)]
    changes[-1]["publication_date"] = "2020-01-02 09:00"
    return await it.client.call_tool("plan_changes", {"group_id": GROUP, "changes": changes})


async def shown(it: Assistant, result: Any, look: Any, theme: str, size: Any) -> list[Any]:
    """Show a result in a host, look at it, and return the calls that the page made."""
    resource = (await it.client.read_resource(page.META["ui"]["resourceUri"])).contents[0]
    assert resource.mime_type == "text/html;profile=mcp-app"
    text = HOST
    for name, value in (
        ("APP", getattr(resource, "text", "")), ("THEME", theme), ("RESULT", dumped(result)),
    ):  # fmt: skip
        text = text.replace(name, json.dumps(value).replace("</", "<\\/"))
    calls: list[Any] = []

    def serve(sent: str) -> str:
        calls.append(json.loads(sent))
        call = calls[-1]
        answer = anyio.from_thread.run(it.client.call_tool, call["name"], call["arguments"])
        return json.dumps(dumped(answer))

    def browse() -> None:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
            opened = browser.new_page(viewport=size)
            errors: list[str] = []
            opened.on("pageerror", lambda error: errors.append(str(error)))
            opened.expose_function("serve", serve)
            opened.set_content(text)
            frame = opened.frames[1]
            frame.wait_for_selector("article, #plan:not(:has-text('being made'))")
            look(frame)
            if folder := os.environ.get("PICTURES"):
                opened.screenshot(path=f"{folder}/plan-{theme}-{size['width']}.png")
            assert not errors
            assert opened.evaluate("sizes.length") > 0
            browser.close()

    await anyio.to_thread.run_sync(browse)
    return calls


@pytest.mark.parametrize(("theme", "size"), [("light", WIDE), ("dark", NARROW)])
def test_the_button_is_a_yes_to_all_that_the_page_shows(
    theme: str, size: Any, desk: Desk, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "_MOST_LINES", 2)  # more than a question would show

    def look(frame: Frame) -> None:
        cards = frame.locator("article")
        assert cards.count() == 6 and "in the past" in cards.first.inner_text()
        assert all(f"renamed {at}" in frame.locator("main").inner_text() for at in range(6))
        assert frame.locator("script").count() == 1, "what comes with a result is no script"
        frame.get_by_label("Show only posts with").fill("renamed 3")
        assert frame.locator("article:visible").count() == 1
        assert "1 of 6 shown; Apply applies all" in frame.locator(".filter").inner_text()
        frame.get_by_label("Show only posts with").fill("")
        frame.get_by_label("with a warning").check()
        assert frame.locator("article:visible").count() == 1
        frame.get_by_label("with a warning").uncheck()
        paper = frame.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(255, 255, 255)" if theme == "light" else "rgb(22, 24, 28)")
        assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert writes(sandbox) == 0
        frame.get_by_role("button", name="Apply 6 changes").click()
        frame.wait_for_selector("#said:has-text('6 done of 6')")
        assert frame.get_by_role("button").is_disabled()

    async def work(it: Assistant) -> None:
        listed = {tool.name: tool for tool in (await it.client.list_tools()).tools}
        assert listed["approve_plan"].meta["ui"]["visibility"] == ["app"]
        calls = await shown(it, await made(it, sandbox, 6), look, theme, size)
        assert [call["name"] for call in calls] == ["approve_plan"]

    desk.run(work, allow_writes=True, extensions=[PAGES])
    assert renamed(sandbox) == 6


def test_the_page_can_be_used_by_everybody(desk: Desk, sandbox: Sandbox) -> None:
    def look(frame: Frame) -> None:
        assert barriers(frame) == []  # type: ignore[arg-type]  # a frame has what it needs

    async def work(it: Assistant) -> None:
        await shown(it, await made(it, sandbox, 3), look, "light", WIDE)

    desk.run(work, allow_writes=True, extensions=[PAGES])


def test_without_writes_there_is_no_button(desk: Desk, sandbox: Sandbox) -> None:
    def look(frame: Frame) -> None:
        assert frame.locator("article").count() == 2
        assert not frame.locator("button").is_visible()

    async def work(it: Assistant) -> None:
        assert "approve_plan" not in {tool.name for tool in (await it.client.list_tools()).tools}
        await shown(it, await made(it, sandbox, 2), look, "light", WIDE)

    desk.run(work, extensions=[PAGES])


def test_no_yes_is_made_without_the_page(desk: Desk, sandbox: Sandbox) -> None:
    """A key counts once and for its plan; no text that a model reads has it."""
    meta = "social-publishing/plan"

    async def work(it: Assistant) -> None:
        plans = [(await made(it, sandbox, count)) for count in (1, 2, 3)]
        keys = [plan.meta[meta] for plan in plans]
        for plan, key in zip(plans, keys, strict=True):
            assert key["key"] not in json.dumps([dumped(plan)["content"], plan.structured_content])
        for arguments in (
            {"plan_id": keys[0]["plan_id"], "key": "forged"},
            {"plan_id": keys[0]["plan_id"], "key": ""},
            {"plan_id": keys[0]["plan_id"]},
            {"plan_id": keys[0]["plan_id"], "key": None},
            {"plan_id": keys[0]["plan_id"], "key": keys[1]["key"]},  # of another plan: used up
            {"plan_id": keys[1]["plan_id"], "key": keys[1]["key"]},
            {"key": keys[2]["key"]},
        ):
            assert (await it.client.call_tool("approve_plan", arguments)).is_error
        assert not writes(sandbox)
        path = desk.journals / f"{keys[0]['plan_id']}.plan"
        other = desk.journals / f"{keys[1]['plan_id']}.plan"
        kept = path.read_bytes()
        path.write_bytes(other.read_bytes())  # exchanged under the person's eyes
        assert (await it.client.call_tool("approve_plan", {**keys[0], "page": ""})).is_error
        path.write_bytes(kept)
        assert not writes(sandbox)

    async def without(it: Assistant) -> None:
        plan = await made(it, sandbox, 1)
        assert meta not in (plan.meta or {})
        assert (await it.client.call_tool("approve_plan", {"plan_id": "1", "key": "2"})).is_error

    desk.run(work, allow_writes=True, extensions=[PAGES])
    desk.run(without, allow_writes=True, person=Person())
    assert not writes(sandbox)
