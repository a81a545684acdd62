"""Draws the pictures on the pages: the terminal, by running what they show, and generated code.

python docs/pictures.py
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
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
for _folder in ("generated/client/src", "sandbox/src", "cli/src"):
    sys.path.insert(0, str(ROOT / _folder))

FOLDER = ROOT / "docs/_static"
GROUP = "9032915132417572866"
MOVES = {"2026-12-14 12:00": "2026-12-14 19:30", "2026-12-22 07:00": "2026-12-07 20:00"}
_WIDTH = 118


def pictures() -> dict[str, str]:
    """Return every picture by its name: the commands of the guide, run in a sandbox."""
    from social_publishing_sandbox import Sandbox

    with Sandbox(now="2026-12-01T09:00:00Z", clock="frozen") as sandbox, _session(sandbox):
        _run("export posts --group", GROUP, "--month 2026-12 -o december.csv")
        sheet = Path("december.csv")
        text = sheet.read_text(encoding="utf-8-sig")
        for before, after in MOVES.items():
            assert before in text, before
            text = text.replace(before, after)
        sheet.write_text(text, encoding="utf-8")
        plan = _run("plan december.csv -o december.plan")
        applied = _run("apply december.plan")
    return {
        "month-plan.svg": _drawn("social-publishing plan december.csv -o december.plan", plan),
        "month-apply.svg": _drawn("social-publishing apply december.plan", applied),
        "generated-code.svg": _generated_code(),
    }


@contextlib.contextmanager
def _session(sandbox: object) -> Iterator[None]:
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
        os.environ |= {"SOCIAL_PUBLISHING_JOURNALS": folder, "COLUMNS": str(_WIDTH)}
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
    # The identifier of a plan depends on the moment.
    return re.sub(r"\b[0-9a-f]{12}\b", "892566442a52", to.getvalue())


def _generated_code() -> str:
    """Return one generated method as an editor colours it."""
    from rich.syntax import Syntax
    from social_publishing.resources.social_accounts import SocialAccountsResource

    lines, first = inspect.getsourcelines(SocialAccountsResource.move_to_group)
    code = textwrap.dedent("".join(lines)).rstrip()
    return _svg(Syntax(code, "python", theme="xcode", line_numbers=True, start_line=first))


def _drawn(command: str, text: str) -> str:
    from rich.text import Text

    return _svg(Text(f"$ {command}", style="bold"), Text(text.rstrip("\n")))


def _svg(*shown: object) -> str:
    from rich.console import Console
    from rich.terminal_theme import DEFAULT_TERMINAL_THEME

    console = Console(record=True, width=_WIDTH, file=io.StringIO(), force_terminal=True)
    for part in (*shown, ""):  # without an empty line at the end, the last one is cut
        console.print(part)
    drawn = console.export_svg(title="", theme=DEFAULT_TERMINAL_THEME, unique_id="terminal")
    # A page loads nothing from elsewhere: its readers have a font of one width.
    drawn = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", drawn, flags=re.DOTALL)
    return drawn.replace("Fira Code", "ui-monospace, monospace")


def main() -> None:
    """Write the pictures."""
    for name, drawn in pictures().items():
        (FOLDER / name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
