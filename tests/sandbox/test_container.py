"""The image and the action run the command as it is."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import yaml
from wire import PROGRAM, environment

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "sandbox"


def test_the_image_runs_as_nobody_and_tells_when_it_is_ready() -> None:
    text = (FOLDER / "Containerfile").read_text(encoding="utf-8")
    words = dict(re.findall(r"^(USER|ENTRYPOINT|CMD|EXPOSE) (.+)$", text, re.MULTILINE))
    assert words["USER"].split(":")[0] not in ("0", "root")
    command = yaml.safe_load(words["ENTRYPOINT"]) + yaml.safe_load(words["CMD"])
    assert re.findall(r"\d{4}", " ".join(command)) == words["EXPOSE"].split()
    assert "HEALTHCHECK" in text and words["EXPOSE"].split()[0] in text.partition("HEALTHCHECK")[2]
    assert _is_understood(command[1:])


def test_the_action_starts_what_the_next_steps_find() -> None:
    action: dict[str, Any] = yaml.safe_load((FOLDER / "action.yml").read_text(encoding="utf-8"))
    script = action["runs"]["steps"][1]["run"].replace("\\\n", " ")
    serve = re.search(r"social-publishing-sandbox\" (serve .+?) >", script)
    assert serve
    values = {
        f"${name.upper().replace('-', '_')}": str(each["default"])
        for name, each in action["inputs"].items()
    }
    assert {f"${name}" for name in action["runs"]["steps"][1]["env"]} == values.keys()
    assert _is_understood([values.get(word, word) for word in shlex.split(serve[1])])


def _is_understood(arguments: list[str]) -> bool:
    """Return whether the command knows these options: it refuses the last one alone."""
    command = [*PROGRAM, *arguments, "--none"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    return "unrecognized arguments: --none\n" in done.stderr
