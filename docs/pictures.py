"""Draws the pictures on the pages: the terminal, by running what they show, code, and the console.

Each drawing has a light and a dark form, and a narrow one for a phone.

python docs/pictures.py [--charts] [--console]
"""

from __future__ import annotations

import contextlib
import inspect
import io
import os
import re
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
for _folder in ("generated/client/src", "sandbox/src", "cli/src"):
    sys.path.insert(0, str(ROOT / _folder))

FOLDER = ROOT / "docs/_static"
GROUP = "9032915132417572866"
MOVES = {"2026-12-14 12:00": "2026-12-14 19:30", "2026-12-22 07:00": "2026-12-07 20:00"}
NOW = "2026-12-01T09:00:00Z"
_CALENDAR = f"/_sandbox/console/calendar?group={GROUP}"
# Columns of a terminal, and of code.
_WIDTHS = {"": (88, 106), "-narrow": (50, 50)}
_MOST_LINES = 52
_SCHEMES = ("light", "dark")


def pictures() -> dict[str, str]:
    """Return every drawing by its name: the commands of the guide, run in a sandbox; and code."""
    return {
        f"{name}{kind}.svg": drawn
        for kind, (width, code) in _WIDTHS.items()
        for name, drawn in {**_terminals(width), "generated-code": _generated_code(code)}.items()
    }


def _terminals(width: int) -> dict[str, str]:
    from social_publishing_sandbox import Sandbox

    with Sandbox(now=NOW, clock="frozen") as sandbox, _session(sandbox, width):
        _run("export posts --group", GROUP, "--month 2026-12 -o december.csv")
        sheet = Path("december.csv")
        text = sheet.read_text(encoding="utf-8-sig")
        for before, after in MOVES.items():
            assert before in text, before
            text = text.replace(before, after)
        sheet.write_text(text, encoding="utf-8")
        commands = {
            "month-calendar": "calendar --month 2026-12",
            "metrics-chart": "metrics --month 2026-11 --chart",
            "month-plan": "plan december.csv -o december.plan",
            "month-apply": "apply december.plan",
        }
        drawn = {}
        for name, command in commands.items():
            of = f" --group {GROUP}" if "--month" in command else ""
            shown = _run(command + of).partition("Best by")[0].splitlines()
            if len(shown) > _MOST_LINES:  # in a narrow terminal, where a calendar is a list
                shown[_MOST_LINES:] = ["…"]
            drawn[name] = _drawn(f"social-publishing {command}", "\n".join(shown), width)
        return drawn


@contextlib.contextmanager
def _session(sandbox: object, width: int) -> Iterator[None]:
    names = {
        "API_TOKEN": getattr(sandbox, "token"),  # noqa: B009
        "BASE_URL": getattr(sandbox, "base_url"),  # noqa: B009
        "MEDIA_URL": getattr(sandbox, "media_url"),  # noqa: B009
        "OUTPUT": "table",
    }
    before, here = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ |= {f"SOCIAL_PUBLISHING_{name}": value for name, value in names.items()}
        os.environ |= {"SOCIAL_PUBLISHING_JOURNALS": folder, "COLUMNS": str(width)}
        os.environ["CLICOLOR_FORCE"] = "1"
        try:
            yield
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(before)


def _run(*words: str) -> str:
    from social_publishing_cli.command import main

    to = io.StringIO()
    with contextlib.redirect_stdout(to), contextlib.redirect_stderr(to):
        status = main(" ".join(words).split())
    assert status == 0, to.getvalue()
    # The identifier of a plan depends on the moment, and so does what a month is by our clock.
    shown = re.sub(r".*The month is not over: .*\n", "", to.getvalue())
    return re.sub(r"\b[0-9a-f]{12}\b", "892566442a52", shown)


def _generated_code(width: int) -> str:
    """Return one generated method as an editor colours it."""
    from rich.syntax import Syntax
    from social_publishing.resources.social_accounts import SocialAccountsResource

    lines, first = inspect.getsourcelines(SocialAccountsResource.move_to_group)
    code = textwrap.dedent("".join(lines)).rstrip()
    themes = {"light": "xcode", "dark": "monokai"}
    return _svg(
        lambda scheme: [
            Syntax(
                code,
                "python",
                theme=themes[scheme],
                line_numbers=width > len(max(code.splitlines(), key=len)),
                start_line=first,
                word_wrap=True,
            )
        ],
        width,
    )


def _drawn(command: str, text: str, width: int) -> str:
    from rich.text import Text

    shown = [Text(f"$ {command}", style="bold"), Text.from_ansi(text.rstrip("\n"))]
    return _svg(lambda scheme: shown, width)


def _svg(shown: Callable[[str], Sequence[object]], width: int) -> str:
    """Return both forms in one drawing: the reader's colour scheme shows one of them."""
    from rich.console import Console
    from rich.terminal_theme import DEFAULT_TERMINAL_THEME, DIMMED_MONOKAI

    themes = {"light": DEFAULT_TERMINAL_THEME, "dark": DIMMED_MONOKAI}
    forms = []
    for scheme in _SCHEMES:
        console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True)
        for part in (*shown(scheme), ""):  # without an empty line at the end, the last one is cut
            console.print(part)
        forms.append(console.export_svg(title="", theme=themes[scheme], unique_id=scheme))
    # A page loads nothing from elsewhere: its readers have a font of one width.
    light, dark = (
        re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", form, flags=re.DOTALL)
        .replace("Fira Code", "ui-monospace, monospace")
        .strip()
        for form in forms
    )
    head, _, body = light.partition(">")
    return (
        f"{head}>\n<style>\n.dark {{ display: none }}\n"
        "@media (prefers-color-scheme: dark) {\n"
        ".light { display: none }\n.dark { display: inline }\n}\n"
        f'</style>\n<g class="light">{body.removesuffix("</svg>")}</g>\n'
        f'<g class="dark">{dark.partition(">")[2].removesuffix("</svg>")}</g>\n</svg>\n'
    )


def charts() -> dict[str, str]:
    """Return the figure of the recipe for pandas, by running it; this needs matplotlib."""
    import matplotlib.pyplot as plt

    from social_publishing_sandbox import Sandbox

    page = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
    recipe = page.partition("### pandas")[2].partition("```python\n")[2].partition("```")[0]
    found: dict[str, Any] = {}
    with Sandbox(now=NOW, clock="frozen") as sandbox, _session(sandbox, 80):
        rows = _run(f"metrics --group {GROUP} --output jsonl")
        Path("metrics-by-account.jsonl").write_text(rows, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(recipe, found)
    drawn = {}
    for scheme, style in zip(_SCHEMES, ("default", "dark_background"), strict=True):
        with plt.style.context(style), plt.rc_context({"svg.fonttype": "none"}):
            found["table"].plot.bar(figsize=(7, 3), rot=0, ylabel="engagements")
            plt.tight_layout()
            svg = io.StringIO()
            unsaid = dict.fromkeys(("Creator", "Date", "Format", "Type"))
            plt.savefig(svg, format="svg", transparent=True, metadata=unsaid)
            plt.close()
        drawn[f"metrics-pandas{'-dark' * (scheme == 'dark')}.svg"] = svg.getvalue()
    return drawn


def photographs() -> None:
    """Photograph the console's month in both forms; this needs Playwright and a Chromium."""
    from playwright.sync_api import sync_playwright

    from social_publishing_sandbox import Sandbox

    with Sandbox(now=NOW, clock="frozen") as sandbox, sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or None
        browser = playwright.chromium.launch(executable_path=chromium)
        for scheme in _SCHEMES:
            for kind, (wide, high) in {"": (1280, 720), "-narrow": (390, 640)}.items():
                page = browser.new_page(
                    viewport={"width": wide, "height": high},
                    color_scheme=scheme,
                    device_scale_factor=1 if wide > high else 2,
                )
                page.goto(sandbox.console_url)
                page.goto(f"{page.url.partition('/_sandbox')[0]}{_CALENDAR}")
                page.wait_for_load_state("networkidle")
                name = f"console{kind}{'-dark' * (scheme == 'dark')}.png"
                page.screenshot(path=FOLDER / name)
                page.close()
        browser.close()


def main() -> None:
    """Write the drawings; with `--charts` those of the recipes, with `--console` photographs."""
    for name, drawn in {**pictures(), **(charts() if "--charts" in sys.argv else {})}.items():
        (FOLDER / name).write_text(drawn, encoding="utf-8")
    if "--console" in sys.argv:
        photographs()


if __name__ == "__main__":
    main()
